//! Files as people have them: a damaged or unknown part is left out and named, and the rest is read.

use crate::common::BVH;
use withy::io::skeleton::{Character, read_bvh};
use withy::io::{Groom, ReadOptions, read_usda};

fn bvh(changes: &[(&str, &str)]) -> Character {
    let mut text = BVH.to_string();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    read_bvh(text.as_bytes(), 1.0).unwrap()
}

#[test]
fn bvh_with_other_frames_than_it_announces() {
    let whole = bvh(&[]);
    assert_eq!((whole.clips[0].times.len(), whole.dropped.len()), (2, 0));
    let few = bvh(&[("Frames: 2", "Frames: 3")]);
    assert_eq!(few.clips, whole.clips);
    assert_eq!(few.dropped, ["1 of the 3 frames that are announced"]);
    let many = bvh(&[("Frames: 2", "Frames: 1")]);
    assert_eq!((many.clips[0].times.len(), &many.clips[0].poses[0]), (1, &whole.clips[0].poses[0]));
    assert_eq!(many.dropped, ["what comes after the 1 frames that are announced"]);
    let huge = bvh(&[("Frames: 2", "Frames: 4294967295")]);
    assert_eq!((huge.clips.as_slice(), huge.dropped.len()), (whole.clips.as_slice(), 1));
    // The last frame is cut off, or holds no number.
    for (from, to) in [("3 0 90 -1e2", "3 0 90"), ("3 0 90 -1e2", "3 0 ninety 1")] {
        let cut = bvh(&[(from, to)]);
        assert_eq!(cut.clips[0].poses, whole.clips[0].poses[..1], "{to}");
        assert!(cut.dropped.last().unwrap().starts_with("1 of the 2 frames"), "{:?}", cut.dropped);
    }
}

#[test]
fn bvh_as_exporters_write_it() {
    let whole = bvh(&[]);
    assert_eq!(bvh(&[("Frames: 2", "Frames:2"), ("Frame Time: ", "Frame Time:")]), whole);
    assert_eq!(bvh(&[("End Site", "End Site \n Tip_of it")]).skeleton, whole.skeleton);
    let crlf = read_bvh(BVH.replace('\n', "\r\n").as_bytes(), 1.0).unwrap();
    assert_eq!(crlf, whole);
    // A second end of a joint.
    let site = BVH.find("End Site").unwrap();
    let end = site + BVH[site..].find('}').unwrap() + 1;
    let twice = [&BVH[..end], " End Site { OFFSET 9 9 9 }", &BVH[end..]].concat();
    let twice = read_bvh(twice.as_bytes(), 1.0).unwrap();
    assert_eq!(twice.skeleton, whole.skeleton);
    assert!(twice.dropped[0].starts_with("a second End Site of joint"), "{:?}", twice.dropped);
    // Names in Latin-1.
    let name = BVH.find("ROOT ").unwrap() + 5;
    let mut latin = BVH.as_bytes().to_vec();
    latin[name] = 0xFC;
    assert!(read_bvh(&latin, 1.0).unwrap().skeleton.bones[0].name.starts_with('ü'));
    // Scales, which are read over.
    let scaled = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 9 Xposition Yposition Zposition Zrotation Xrotation Yrotation Xscale Yscale \
                  Zscale End Site { OFFSET 0 1 0 } } MOTION Frames: 2 Frame Time: 1 1 2 3 0 0 90 1 1 1 4 5 6 0 90 0 2 2 2";
    let scaled = read_bvh(scaled.as_bytes(), 1.0).unwrap();
    assert_eq!(scaled.clips[0].poses[1][0].position.to_array(), [4.0, 5.0, 6.0]);
    assert_eq!(scaled.dropped, ["xscale", "yscale", "zscale"].map(|c| format!("channel \"{c}\" of joint \"a\"")));
}

fn usd(prims: &str) -> Groom {
    let text = format!("#usda 1.0\n( metersPerUnit = 1 upAxis = \"Y\" )\n{prims}");
    let groom = read_usda(text.as_bytes(), &ReadOptions::default()).unwrap();
    groom.check().unwrap();
    groom
}

fn curves(name: &str, more: &str) -> String {
    format!(
        "def BasisCurves \"{name}\"\n{{\n uniform token type = \"linear\"\n int[] curveVertexCounts = [2]\n \
         point3f[] points = [(0, 0, 0), (0, 0, 1)]\n {more}\n}}\n"
    )
}

#[test]
fn usd_values_that_are_empty_are_none() {
    let groom = usd(&curves("A", "float[] widths = [] ( interpolation = \"vertex\" )"));
    assert_eq!((groom.counts.as_slice(), groom.widths.len(), groom.dropped.len()), ([2].as_slice(), 0, 0));
    let groom = usd(&(curves("A", "float[] widths = [0.1, 0.3]") + &curves("B", "float[] primvars:widths = [ ]")));
    assert_eq!((groom.counts.as_slice(), groom.widths.as_slice()), ([2, 2].as_slice(), [0.1, 0.3, 0.2, 0.2].as_slice()));
    // The first time sample that holds something.
    let late = "def BasisCurves \"L\"\n{\n uniform token type = \"linear\"\n int[] curveVertexCounts = [2]\n \
                point3f[] points.timeSamples = { 0: None, 1: [], 2: [(7, 0, 0), (7, 0, 1)], 3: [(8, 0, 0), (8, 0, 1)] }\n}\n";
    let groom = usd(&(curves("A", "") + late));
    assert_eq!((groom.counts.as_slice(), groom.points[2]), ([2, 2].as_slice(), [7.0, 0.0, 0.0]));
}

#[test]
fn usd_prims_that_are_left_out_are_named() {
    let guide = curves("G", "uniform token purpose = \"guide\"");
    let hidden = format!("def Xform \"X\"\n{{\n token visibility = \"invisible\"\n {}\n}}\n", curves("H", ""));
    let copy = "def \"Copy\" ( references = </A> )\n{\n}\n";
    let nurbs = "def NurbsCurves \"N\"\n{\n point3f[] points = [(0, 0, 0)]\n}\n";
    let bare = "def BasisCurves \"E\"\n{\n}\n";
    let bad = curves("Bad", "").replace("[2]", "[3]");
    let groom = usd(&(curves("A", "") + &guide + &hidden + copy + nurbs + bare + &bad));
    assert_eq!(groom.counts, [2]);
    for (name, why) in [
        ("\"G\"", "guide"),
        ("\"H\"", "invisible"),
        ("\"Copy\"", "references"),
        ("\"N\"", "NurbsCurves"),
        ("\"E\"", "no points"),
        ("\"Bad\"", "runs past"),
    ] {
        let named = groom.dropped.iter().filter(|d| d.contains(name) && d.contains(why)).count();
        assert_eq!(named, 1, "{name} {why}: {:?}", groom.dropped);
    }
    assert_eq!(groom.dropped.len(), 6, "{:?}", groom.dropped);
    // Where all is hidden, it is what is wanted.
    let groom = usd(&guide);
    assert_eq!((groom.counts.as_slice(), groom.dropped.len()), ([2].as_slice(), 1));
    // A damaged file of a thousand prims does not fill the screen.
    let groom =
        usd(&(curves("A", "") + &(0..1000).map(|k| curves(&format!("B{k}"), "").replace("[2]", "[9]")).collect::<String>()));
    assert_eq!((groom.dropped.len(), groom.dropped[50].as_str()), (51, "950 more"));
}

#[cfg(feature = "gltf")]
#[test]
fn gltf_without_inverse_bind_matrices_or_weights() {
    use crate::common::gltf;
    use withy::io::skeleton::read_gltf;
    let whole = read_gltf(gltf().as_bytes()).unwrap();
    let text = gltf();
    let at = text.find("\"inverseBindMatrices\"").unwrap();
    let end = at + text[at..].find(|c: char| c.is_ascii_digit()).unwrap() + 1;
    let (mut before, mut after) = (text[..at].trim_end().to_string(), text[end..].to_string());
    // One comma too many: before or after it.
    if after.trim_start().starts_with(',') {
        after = after.trim_start()[1..].to_string();
    } else {
        before.pop();
    }
    let bare = read_gltf((before + " " + &after).as_bytes()).unwrap();
    let mesh = bare.mesh.as_ref().expect("the mesh is there");
    assert_eq!(mesh.mesh.triangles, whole.mesh.as_ref().unwrap().mesh.triangles);
    assert!(bare.dropped.is_empty(), "{:?}", bare.dropped);
    // The standard: the matrices are the identity, and a vertex is in the frame of its joint.
    let world: Vec<_> = {
        let mut out = Vec::new();
        let local: Vec<_> = bare.skeleton.bind().collect();
        bare.skeleton.world(&local, withy::math::Transform::identity(), &mut out);
        out
    };
    let mut skinned = Vec::new();
    mesh.skin(&world, &mut skinned);
    for (k, point) in mesh.mesh.points.iter().enumerate() {
        let p = withy::math::Vec3::from(point.map(f64::from));
        let expected = (0..4).fold(withy::math::Vec3::zero(), |sum, c| {
            sum + world[mesh.joints[k][c] as usize].point(p) * f64::from(mesh.weights[k][c])
        });
        assert!((expected - skinned[k]).length() < 1e-9);
    }
}

#[cfg(feature = "gltf")]
#[test]
fn gltf_with_buffers_beside_it_and_sparse_values() {
    use crate::common::{glb, gltf};
    use withy::io::skeleton::{CharacterFile, read_character, read_gltf};
    let whole = read_gltf(gltf().as_bytes()).unwrap();
    // The binary chunk of the .glb as a file of its own, in a folder with a blank.
    let glb = glb();
    let json = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let binary = &glb[20 + json + 8..];
    let text = gltf();
    let uri = text.find("data:application").unwrap();
    let end = uri + text[uri..].find('"').unwrap();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("beside");
    std::fs::create_dir_all(folder.join("the bytes")).unwrap();
    std::fs::write(folder.join("the bytes/leg.bin"), binary).unwrap();
    let write = |uri_text: &str| {
        let path = folder.join("leg.gltf");
        std::fs::write(&path, [&text[..uri], uri_text, &text[end..]].concat()).unwrap();
        read_character(&path, 1.0)
    };
    assert_eq!(write("the%20bytes/leg.bin").unwrap(), CharacterFile::Character(whole.clone()));
    for (bad, why) in
        [("no.bin", "cannot be read"), ("../beside/leg.gltf", "no file beside"), ("http://a/b.bin", "no file beside")]
    {
        let error = write(bad).unwrap_err().to_string();
        assert!(error.contains("buffers.uri[0]") && error.contains(why), "{error}");
    }
    // One position in another place, named by 8 bits: value and index stand at the end of the buffer.
    let count = text.matches("\"bufferView\"").count();
    let views = text.find("\"bufferViews\": [").unwrap() + "\"bufferViews\": [".len();
    let (length, more) = (binary.len(), [7.0f32, 8.0, 9.0].map(f32::to_le_bytes).concat());
    let bytes = [binary, &more, &[1u8]].concat();
    let position = text.find("\"POSITION\": ").unwrap() + "\"POSITION\": ".len();
    let accessor: usize = text[position..].split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap();
    let extra = format!(
        "{{\"buffer\": 0, \"byteOffset\": {length}, \"byteLength\": 12}}, {{\"buffer\": 0, \"byteOffset\": {}, \"byteLength\": 1}}, ",
        length + 12
    );
    // In front of the others: their numbers go up by two.
    let mut sparse = String::new();
    let body = [&text[..views], &extra, &text[views..]].concat();
    let mut rest = body.as_str();
    let mut seen = 0;
    while let Some(at) = rest.find("\"bufferView\": ") {
        let digits = at + "\"bufferView\": ".len();
        let len = rest[digits..].chars().take_while(char::is_ascii_digit).count();
        let number: usize = rest[digits..digits + len].parse().unwrap();
        sparse += &rest[..digits];
        sparse += &(number + 2).to_string();
        if seen == accessor {
            sparse += ", \"sparse\": {\"count\": 1, \"indices\": {\"bufferView\": 1, \"componentType\": 5121}, \"values\": {\"bufferView\": 0}}";
        }
        seen += 1;
        rest = &rest[digits + len..];
    }
    sparse += rest;
    assert_eq!(seen, count);
    let (uri, to) = (sparse.find("data:application").unwrap(), format!("\"byteLength\": {length}, \"uri\""));
    assert!(sparse.contains(&to));
    let end = uri + sparse[uri..].find('"').unwrap();
    std::fs::write(folder.join("sparse.bin"), &bytes).unwrap();
    let sparse = [&sparse[..uri], "sparse.bin", &sparse[end..]]
        .concat()
        .replace(&to, &format!("\"byteLength\": {}, \"uri\"", bytes.len()));
    let path = folder.join("sparse.gltf");
    std::fs::write(&path, sparse).unwrap();
    let CharacterFile::Character(moved) = read_character(&path, 1.0).unwrap() else { panic!("no character") };
    let (a, b) = (moved.mesh.unwrap().mesh.points, whole.mesh.unwrap().mesh.points);
    assert_eq!((a[0], a[2], a.len()), (b[0], b[2], b.len()));
    assert_ne!(a[1], b[1]);
}
