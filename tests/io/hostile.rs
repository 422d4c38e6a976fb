//! Damaged and hostile files: an error that names field, index and value; no panic; memory in proportion to the file.

use crate::common::{BVH, OBJ, TOF_ANIMATION, TOF_RAGDOLL, USDA, glb, gltf, hair, put_f32, put_u32, tfx};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use withy::io::skeleton::{read_bvh, read_character_bytes, read_tof_animation, read_tof_ragdoll};
use withy::io::{ReadOptions, read_groom_bytes, read_hair, read_obj, read_tfx, read_usda};

/// Counts what the reading thread holds.
struct Counting;

thread_local! {
    static HELD: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

fn count(added: usize, freed: usize) {
    // A thread that ends has no counters left.
    let _ = HELD.try_with(|held| {
        held.set(held.get().saturating_add(added).saturating_sub(freed));
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: forwards to the system's allocator; the counters do not allocate.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: the trait's contract.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller's contract is the system's.
        unsafe { System.alloc(layout) }
    }

    // SAFETY: the trait's contract.
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

type Reader = fn(&[u8]) -> Result<(), String>;

fn readers() -> [Reader; 8] {
    fn done<T>(result: Result<T, withy::io::IoError>) -> Result<(), String> {
        result.map(|_| ()).map_err(|error| error.to_string())
    }
    [
        |data| done(read_tfx(data, &ReadOptions::default())),
        |data| done(read_hair(data, &ReadOptions::default())),
        |data| done(read_usda(data, &ReadOptions::default())),
        |data| done(read_obj(data)),
        |data| done(read_bvh(data, 0.01)),
        |data| done(read_tof_ragdoll(data)),
        |data| done(read_tof_animation(data)),
        // glTF, where it is compiled in.
        |data| done(read_character_bytes(data, 0.01)),
    ]
}

/// Reads with every reader, whatever the format: none may panic, none may allocate much.
fn survive(data: &[u8], what: &dyn Fn() -> String) {
    for (index, reader) in readers().iter().enumerate() {
        HELD.set(0);
        PEAK.set(0);
        let result = std::panic::catch_unwind(|| {
            let _ = reader(data);
        });
        let peak = PEAK.get();
        assert!(result.is_ok(), "reader {index} panicked on {}", what());
        // 24 bytes of memory for the "0," of a vertex count is the dearest.
        assert!(peak <= 64 * data.len() + 16_384, "reader {index} took {peak} bytes for {} on {}", data.len(), what());
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let grooms = [tfx(3, 3, 4), tfx(4, 2, 4), hair(&[2, 1, 3], true), hair(&[2, 2], false), USDA.into(), OBJ.into()];
    let characters = [BVH.into(), TOF_RAGDOLL.into(), TOF_ANIMATION.into(), gltf().into(), glb()];
    [&grooms[..], &characters].concat()
}

fn error(data: &[u8], reader: usize) -> String {
    readers()[reader](data).expect_err("was accepted")
}

#[test]
fn the_seeds_are_valid() {
    let has_gltf = cfg!(feature = "gltf");
    for (seed, reader) in seeds().iter().zip([0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 7]) {
        assert!(readers()[reader](seed).is_ok() == (reader < 7 || has_gltf));
        if reader < 3 {
            read_groom_bytes(seed, &ReadOptions::default()).unwrap().check().unwrap();
        }
    }
}

#[test]
fn every_truncation_and_every_flipped_byte() {
    for (index, seed) in seeds().iter().enumerate() {
        for length in 0..seed.len() {
            survive(&seed[..length], &|| format!("seed {index} cut to {length} bytes"));
        }
        let mut data = seed.clone();
        for at in 0..seed.len() {
            for flip in [0x01, 0x80, 0xFF] {
                data[at] ^= flip;
                survive(&data, &|| format!("seed {index} byte {at} ^ {flip:#x}"));
                data[at] = seed[at];
            }
        }
    }
}

#[test]
fn twenty_thousand_mutations() {
    const TOKENS: [&[u8]; 32] = [
        b"(",
        b")",
        b"[",
        b"]",
        b"{",
        b"}",
        b"\"",
        b"\"\"\"",
        b"@",
        b"<",
        b"nan",
        b"-inf",
        b"-1",
        b"4294967295",
        b"1e39",
        b"def ",
        b"None",
        b"timeSamples",
        b"/*",
        b"\\",
        b"\xFF\xFF\xFF\xFF",
        b"\0\0\0\0",
        b"\0\0\xC0\x7F",
        b"\xE2\x82",
        b"JOINT x {",
        b"CHANNELS 0",
        b"End Site",
        b" array instance Skeleton::Joint ",
        b"object Skeleton 00000002 0 ",
        b"0000000E ",
        b"{\"a\":[]},",
        b"\"count\":7,",
    ];
    let seeds = seeds();
    let mut rng = withy::math::rng::Rng::new(1);
    let mut below = move |end: usize| (rng.next_u64() % end.max(1) as u64) as usize;
    for round in 0..20_000 {
        let mut data = seeds[below(seeds.len())].clone();
        for _ in 0..1 + below(6) {
            let at = below(data.len());
            match below(6) {
                0 => data.truncate(at),
                1 if !data.is_empty() => data[at] = below(256) as u8,
                2 if !data.is_empty() => data[at] ^= 1 << below(8),
                3 => {
                    data.splice(at..at, TOKENS[below(TOKENS.len())].iter().copied());
                }
                4 => {
                    let end = (at + below(32)).min(data.len());
                    data.drain(at..end);
                }
                _ => {
                    let end = (at + below(64)).min(data.len());
                    let piece = data[at..end].to_vec();
                    let to = below(data.len() + 1);
                    data.splice(to..to, piece);
                }
            }
        }
        survive(&data, &|| format!("mutation {round}"));
    }
}

#[test]
fn tfx_names_what_is_wrong() {
    let with = |at: usize, value: u32| {
        let mut bytes = tfx(4, 3, 16);
        put_u32(&mut bytes, at, value);
        error(&bytes, 0)
    };
    assert_eq!(with(4, u32::MAX), "tfx: strand count 4294967295 needs 1.0 TB from byte 160, file has 928 bytes");
    assert_eq!(with(8, u32::MAX), "tfx: vertices per strand 4294967295 needs 68.7 GB from byte 160, file has 928 bytes");
    assert_eq!(with(4, 0), "tfx: strand count 0 leaves nothing to read");
    assert_eq!(with(8, 1), "tfx: vertices per strand 1 is too few, a strand needs 2");
    assert_eq!(with(12, 8), "tfx: offset of positions 8 lies in the header of 160 bytes");
    assert_eq!(with(12, u32::MAX - 7), "tfx: vertices per strand 16 needs 256 bytes from byte 4294967288, file has 928 bytes");
    assert_eq!(with(24, 920), "tfx: offset of strand thickness 920 needs 12 bytes from byte 920, file has 928 bytes");
    assert_eq!(with(0, 2.0f32.to_bits()), "tfx: version 2 is neither 3 nor 4");
    assert_eq!(with(0, f32::NAN.to_bits()), "tfx: version NaN is neither 3 nor 4");
    assert_eq!(with(160 + 16 * 17 + 4, f32::NAN.to_bits()), "tfx: points[17] NaN is not finite");
    assert_eq!(with(160 + 8, f32::NEG_INFINITY.to_bits()), "tfx: points[0] -inf is not finite");
    assert_eq!(error(&[0, 0, 64], 0), "tfx: version at byte 0 is past the end, file has 3 bytes");
    assert_eq!(error(&tfx(3, 2, 4)[..146], 0), "tfx: offset of positions at byte 144 is past the end, file has 146 bytes");
}

#[test]
fn hair_names_what_is_wrong() {
    let with = |at: usize, value: u32| {
        let mut bytes = hair(&[2, 1, 3], true);
        put_u32(&mut bytes, at, value);
        error(&bytes, 1)
    };
    assert_eq!(with(4, u32::MAX), "hair: strand count 4294967295 needs 8.5 GB from byte 128, file has 278 bytes");
    assert_eq!(with(4, 0), "hair: strand count 0 leaves nothing to read");
    assert_eq!(with(8, u32::MAX), "hair: point count 4294967295 needs 51.5 GB from byte 134, file has 278 bytes");
    assert_eq!(with(8, 10), "hair: point count 10 is more than the 9 of the segments");
    assert_eq!(with(8, 8), "hair: segments[2] 3 run past the 8 points");
    assert_eq!(with(12, 0b001), "hair: array flags 1 lack bit 1, the file has no points");
    assert_eq!(with(134, f32::INFINITY.to_bits()), "hair: points[0] inf is not finite");
    assert_eq!(with(278 - 4, f32::NAN.to_bits()), "hair: widths[8] NaN is not finite");
    assert_eq!(error(b"HAIR", 1), "hair: strand count at byte 4 is past the end, file has 4 bytes");
    assert_eq!(error(b"hare", 1), "hair: signature is not \"HAIR\"");
    let mut bytes = hair(&[2, 2], false);
    put_u32(&mut bytes, 12, 0b010);
    put_u32(&mut bytes, 16, u32::MAX);
    assert_eq!(error(&bytes, 1), "hair: default segments 4294967295 for 2 strands does not give the 6 points");
    put_f32(&mut bytes, 0, 1.0);
}

#[test]
fn usda_names_what_is_wrong() {
    let with = |from: &str, to: &str| {
        assert!(USDA.contains(from), "{from}");
        // One damaged prim does not lose the other: it is named.
        match read_usda(USDA.replace(from, to).as_bytes(), &ReadOptions::default()) {
            Ok(groom) => {
                assert_eq!(groom.counts, [2], "the line is there");
                groom.dropped.join("; ")
            }
            Err(error) => error.to_string(),
        }
    };
    for (from, to, expected) in [
        ("[4, 5]", "[4, -5]", "usda: \"Cubic\" curveVertexCounts[1] -5 is negative"),
        ("[4, 5]", "[4, 4294967295]", "usda: \"Cubic\" curveVertexCounts[1] 4294967295 runs past the 9 points"),
        (
            "[4, 5]",
            "[4, 99999999999999999999]",
            "usda: \"Cubic\" curveVertexCounts[1] \"99999999999999999999\" is not a number of the expected kind (line 20)",
        ),
        ("[4, 5]", "[4, 4]", "usda: \"Cubic\" points 9 is more than the 8 of curveVertexCounts"),
        ("[4, 5]", "[8, 1]", "usda: \"Cubic\" curveVertexCounts[1] 1 is wrong, a pinned cubic curve needs 2 CVs or more"),
        ("[4, 5]", "[4 5]", "usda: \"Cubic\" curveVertexCounts[1] has \"5\" for a comma (line 20)"),
        (
            "\"bspline\"",
            "\"bezier\"",
            "usda: \"Cubic\" curveVertexCounts[1] 5 is wrong, a bezier curve needs 3k + 1 CVs, 4 or more",
        ),
        ("\"bspline\"", "\"hermite\"", "usda: \"Cubic\" basis hermite is not bezier, bspline or catmullRom"),
        ("\"pinned\"", "\"up\"", "usda: \"Cubic\" wrap up is not nonperiodic, periodic or pinned"),
        ("(2, 0, 0), (3", "(2, nan, 0), (3", "usda: \"Cubic\" points[2] NaN is not finite"),
        ("(2, 0, 0), (3", "(2, 0), (3", "usda: \"Cubic\" points[2] has ')' where a 3-tuple needs ',' (line 23)"),
        ("(2, 0, 0), (3", "(2, 0, x), (3", "usda: \"Cubic\" points[2] \"x\" is not a number of the expected kind (line 23)"),
        ("[0.1, 0.2]", "[0.1, 0.2, 3]", "usda: \"Cubic\" widths 3 values do not match the 2 that \"uniform\" needs"),
        ("[0.1, 0.2]", "[0.1, inf]", "usda: \"Cubic\" widths[1] inf is not finite"),
        ("metersPerUnit = 0.01", "metersPerUnit = -1", "usda: metersPerUnit -1 is not positive"),
        ("metersPerUnit = 0.01", "metersPerUnit = nan", "usda: metersPerUnit NaN is not finite (line 5)"),
        ("upAxis = \"Z\"", "upAxis = \"X\"", "usda: upAxis X is neither Y nor Z"),
        ("(1, 2, 3)", "(1, inf, 3)", "usda: \"Root\" xformOp:translate inf is not finite (line 11)"),
        (
            "double3 xformOp:translate",
            "double3 xformOp:other",
            "usda: \"Root\" xformOpOrder xformOp:translate names an op that the prim does not have (line 14)",
        ),
        ("def Xform", "def Xform {", "usda: prim has no name, '{' stands there (line 9)"),
        ("    }\n}\n", "    }\n", "usda: prim \"Root\" is not closed (line 38)"),
        ("#usda 1.0", "#sdf 1.0", "usda: first line is not \"#usda 1.0\" (line 1)"),
        ("@./a.png@", "@./a.png", "usda: asset path has no closing @ (line 16)"),
    ] {
        assert_eq!(with(from, to), expected);
    }
    assert_eq!(error(b"#usda 1.0\n", 2), "usda: BasisCurves are not in this file");
    assert_eq!(
        error(b"#usda 1.0\n(\n subLayers = [@a.usda@]\n)\n", 2),
        "usda: BasisCurves are not in this layer, which composes others by \"subLayers\": flatten the stage (usdcat --flatten)"
    );
    assert_eq!(error(b"#usda 1.0\n\xFF", 2), "usda: text[10] is where the file stops being UTF-8");
}

#[test]
fn usda_depth_is_limited() {
    let deep = format!("#usda 1.0\n{}", "def Xform \"a\" {".repeat(100_000));
    assert!(error(deep.as_bytes(), 2).contains("nests deeper than 256"));
    let deep = format!("#usda 1.0\ndef Xform \"a\" {{ int[] x = {}", "[".repeat(100_000));
    assert!(error(deep.as_bytes(), 2).contains("nests brackets deeper than 256"));
}

#[test]
fn obj_names_what_is_wrong() {
    assert_eq!(error(b"v 0 0\n", 3), "obj: v[0] \"nothing\" is not a finite number (line 1)");
    assert_eq!(error(b"v 0 0 0\nv 0 nan 0\n", 3), "obj: v[1] \"nan\" is not a finite number (line 2)");
    assert_eq!(error(b"v 0 0 0\nf 1 1 7\n", 3), "obj: triangle[0] 7 is outside of the 1 vertices (line 2)");
    assert_eq!(error(b"v 0 0 0\nf 1 0 1\n", 3), "obj: f[1] \"0\" is no vertex index (line 2)");
    assert_eq!(error(b"v 0 0 0\nf 1 -2 1\n", 3), "obj: f[1] \"-2\" is no vertex index (line 2)");
    assert_eq!(error(b"v 0 0 0\nf 1 1\n", 3), "obj: f 2 corners, a face needs 3 (line 2)");
}

#[test]
fn other_formats_are_told_apart() {
    let told = |data: &[u8]| read_groom_bytes(data, &ReadOptions::default()).unwrap_err().to_string();
    assert!(told(b"PXR-USDC\0\0").starts_with("groom: format binary USD is not read; convert it to .usda: usdcat"));
    assert!(told(b"PK\x03\x04").contains(".usdz"));
    assert!(told(b"Ogawa\xFF").contains("Alembic"));
    assert_eq!(told(b""), "groom: format \"\" is how the file starts: neither .hair, .tfx 3 or 4, nor .usda");
}

/// What costs most memory for its bytes in each format of skeletons.
#[test]
fn dear_characters() {
    let bvh = |joints: usize, frames: usize| {
        let joint = "JOINT a { OFFSET 0 0 0 CHANNELS 1 Xrotation End Site { OFFSET 0 0 0 } }\n".repeat(joints);
        let row = format!("{}\n", "0 ".repeat(joints + 1));
        let head = "HIERARCHY ROOT r { OFFSET 0 0 0 CHANNELS 1 Xrotation\n";
        format!("{head}{joint}}}\nMOTION\nFrames: {frames} Frame Time: 1\n{}", row.repeat(frames))
    };
    let tof = |classes: &str, class: &str, values: String| format!("TOS 1.00\n{classes}\nobject {class} 1\n{values}");
    let one = "declare A 1 b array instance B declare B 1 c int";
    let nested = "declare A 1 b array array array int";
    let empty = "declare A 1 b array instance B declare B 3 c instance C d instance C e instance C declare C 0";
    let joints =
        "declare RagdollSettings 2 mSkeleton pointer Skeleton mParts array int declare Skeleton 1 mJoints array instance J
        declare J 2 mName string mParentName string object RagdollSettings 2 1 0";
    let keys =
        "declare SkeletalAnimation 1 mAnimatedJoints array instance J declare J 2 mJointName string mKeyframes array instance K
        declare K 3 mRotation quat mTranslation vec3 mTime float";
    let names = (0..3000).map(|joint| format!("\"{joint}\"\"{}\"\n", joint - joint.min(1))).collect::<String>();
    let moved = (0..1500).map(|key| format!("\"\" 1 0 0 0 1 0 0 0 {key}\n")).collect::<String>();
    let gltf = |from: &str, to: String| gltf().replacen(from, &to, 1);
    let channels = "{\"sampler\": 0, \"target\": {\"node\": 2, \"path\": \"weights\"}},".repeat(2000);
    let animation = |count: usize| {
        let channel = "{\"sampler\": 1, \"target\": {\"node\": 1, \"path\": \"translation\"}}";
        let sampler = "{\"input\": 5, \"output\": 6}, {\"input\": 7, \"output\": 8}";
        format!("{{\"channels\": [{channel}], \"samplers\": [{sampler}]}},").repeat(count)
    };
    let files = [
        bvh(200, 200),
        bvh(1, 30_000),
        bvh(3000, 1),
        tof(one, "A", format!("30000 {}", "0 ".repeat(30_000))),
        tof(one, "A", "30000 0".into()),
        tof(nested, "A", format!("20000 {}", "1 1 0 ".repeat(10_000))),
        tof(empty, "A", format!("10000{}", " ".repeat(30_000))),
        tof(joints, "Skeleton", format!("3000 {names}")),
        tof(keys, "SkeletalAnimation", format!("1500 {moved}")),
        "TOS 1.00 declare A 4000000000 a int".into(),
        "TOS 1.00 ".to_string() + &"declare A 1 b int ".repeat(3000),
        "TOS 1.00 ".to_string() + &(0..3000).map(|class| format!("declare A{class} 0\n")).collect::<String>(),
        gltf("\"nodes\": [\n", format!("\"nodes\": [{}", "{\"a\":0},".repeat(8000))),
        gltf("\"nodes\": [\n", format!("\"nodes\": [{}", "{},{\"aaaaaaaaaa\":0},".repeat(4000))),
        gltf("\"children\": [2]", format!("\"children\": [{}2]", "3,".repeat(20_000))),
        gltf("\"channels\": [", format!("\"channels\": [{channels}")),
        gltf("\"animations\": [", format!("\"animations\": [{}", animation(500))),
        gltf("\"scenes\"", format!("\"extras\": {}1{}, \"scenes\"", "[".repeat(20_000), "]".repeat(20_000))),
        gltf("\"scenes\"", format!("\"extensionsRequired\": [{}\"\"], \"scenes\"", "\"\",".repeat(20_000))),
    ];
    for (index, file) in files.iter().enumerate() {
        survive(file.as_bytes(), &|| format!("dear file {index}"));
    }
}

/// What the fuzzer starts from; `WITHY_WRITE_SEEDS=1 cargo test --test io_hostile checked_in` writes it.
#[test]
fn the_fuzzers_seeds_are_checked_in() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/readers");
    let grooms = ["v3.tfx", "v4.tfx", "thick.hair", "plain.hair", "curves.usda", "quad.obj"];
    let characters = ["four.bvh", "three.tof", "motion.tof", "leg.gltf", "leg.glb"];
    for (name, seed) in grooms.iter().chain(&characters).zip(seeds()) {
        if std::env::var_os("WITHY_WRITE_SEEDS").is_some() {
            std::fs::write(folder.join(name), &seed).unwrap();
        }
        assert!(std::fs::read(folder.join(name)).unwrap() == seed, "{name}");
    }
}
