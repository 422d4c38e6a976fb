//! The command as other tools call it: exit codes, the words of errors, the lines that are parsed.

use std::path::PathBuf;
use std::process::{Command, Output};

fn withy(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_withy")).args(arguments).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("withy-command-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder for the test");
    dir
}

fn last_line(output: &Output) -> String {
    text(&output.stdout).lines().last().unwrap_or_default().to_string()
}

#[test]
fn usage_errors_are_2_and_failures_1_with_a_reason() {
    for arguments in [&["simulate"][..], &["simulate", ":head", "--isa", "mmx"], &["simulate", ":head", "--fps", "0"], &["dance"]]
    {
        assert_eq!(withy(arguments).status.code(), Some(2), "{arguments:?}");
    }
    for (arguments, reason) in [
        (&["simulate", "/nowhere.hair"][..], "/nowhere.hair"),
        (&["simulate", ":bald"], ":bald is none of"),
        (&["simulate", ":head", "--strands", "4", "--substeps", "0"], "substeps is 0"),
        (&["info", "/nowhere.tfx"], "/nowhere.tfx"),
        (&["scene", "opera"], "no scene is called opera"),
        (&["bench", "opera"], "no bench is called opera"),
        (&["bench", "--isa", "mmx"], "--isa mmx"),
    ] {
        let output = withy(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains(reason), "{arguments:?}: {}", text(&output.stderr));
    }
}

/// A line of `accuracy --json` is an object with these keys, and says which model it is of.
#[test]
fn accuracy_tells_the_model() {
    for (law, name, model) in [
        ("der_euler_hinged_discrete", "euler_hinged_discrete_links", "der"),
        ("statics_end_moment_half", "statics_end_moment_half_circle", "ghost"),
    ] {
        let output = withy(&["accuracy", law, "--json", "--edges", "25"]);
        let line = last_line(&output);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(line.starts_with(&format!(r#"{{"test":"{name}","model":"{model}","n":25,"expected":"#)), "{line}");
        assert!(line.contains(r#","got":"#) && line.contains(r#","relative_error":"#) && line.ends_with('}'), "{line}");
    }
}

/// Discrete elastic rods under a tip load: of 100 edges within 1 %, and twice the edges halve the error twice. (All laws: `tests/rods/der_laws.rs`.)
#[test]
fn lines_of_accuracy_say_how_far_a_law_is_met() {
    let output = withy(&["accuracy", "der_tip", "--json", "--edges", "50,100"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let (mut laws, mut orders) = (0, 0);
    for line in text(&output.stdout).lines().filter(|l| l.contains(r#""model":"der""#)) {
        let field = |name: &str| {
            let rest = line.split_once(&format!(r#""{name}":"#)).unwrap_or_else(|| panic!("{name} in {line}")).1;
            rest.split([',', '}']).next().unwrap_or_default().to_string()
        };
        let order = field("test").ends_with("_order\"");
        // At 50 edges the laws of large turns are off by up to 1.7 %.
        if !order && field("n") != "100" {
            continue;
        }
        (laws, orders) = (laws + usize::from(!order), orders + usize::from(order));
        let error: f64 = field("relative_error").parse().unwrap_or(f64::NAN);
        // Of an order, 2: 1.8 to 2.2.
        assert!(error <= if order { 0.1 } else { 0.01 }, "{line}");
    }
    assert!(laws == 6 && orders == 3, "{laws} laws, {orders} orders");
}

/// The same bits on every instruction set that this machine has and with every number of threads.
#[test]
fn the_hash_comes_last_and_is_always_the_same() {
    let run = |more: &[&str]| {
        let mut arguments = vec!["simulate", ":head", "--strands", "60", "--frames", "5", "--motion", "shake", "--hash"];
        arguments.extend(more);
        let output = withy(&arguments);
        let line = last_line(&output);
        assert!(line.starts_with("state_hash=") && line.len() == 27, "{line} {}", text(&output.stderr));
        line
    };
    let first = run(&[]);
    assert_eq!(first, run(&["--isa", "scalar"]));
    assert_eq!(first, run(&["--threads", "3"]));
    assert_ne!(first, run(&["--iterations", "5"]));
    #[cfg(target_arch = "x86_64")]
    assert_eq!(first, run(&["--isa", "sse2"]));
}

#[test]
fn simulate_writes_cache_sheet_and_gif() {
    let dir = folder("simulate");
    let file = |name: &str| dir.join("new").join(name).display().to_string();
    let (cache, sheet, gif) = (file("out.usda"), file("out.png"), file("out.gif"));
    let output = withy(&[
        "simulate",
        ":curly",
        "--model",
        "ghost",
        "--strands",
        "40",
        "--frames",
        "6",
        "--fps",
        "30",
        "--substeps",
        "4",
        "--iterations",
        "3",
        "--out",
        &cache,
        "--preview",
        &sheet,
        "--gif",
        &gif,
        "--size",
        "64x64",
        "--motion",
        "nod",
        "--backend",
        "cpu",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let usda = std::fs::read_to_string(&cache).expect("the cache");
    assert!(usda.starts_with("#usda 1.0") && usda.contains("BasisCurves") && usda.contains("\"Head\""));
    assert_eq!(std::fs::read(&sheet).expect("the sheet")[1..4], *b"PNG");
    assert_eq!(std::fs::read(&gif).expect("the gif")[..3], *b"GIF");
    let info = withy(&["info", &cache]);
    assert!(text(&info.stdout).contains("40 strands"), "{}", text(&info.stdout));
    std::fs::remove_dir_all(dir).expect("the folder goes");
}

#[test]
fn render_hair_is_drawn_cached_and_named() {
    let dir = folder("render-hair");
    let file = |name: &str| dir.join(name).display().to_string();
    let (cache, sheet) = (file("out.usda"), file("out.png"));
    let run = |more: &[&str]| {
        let common =
            ["simulate", ":wavy", "--strands", "60", "--frames", "2", "--size", "64x64", "--out", &cache, "--preview", &sheet];
        let output = withy(&[&common, more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let info = withy(&["info", &cache]);
        (text(&output.stdout), text(&info.stdout))
    };
    let (said, cached) = run(&[]);
    assert!(said.contains("60 guides simulated, 19980 hairs interpolated between them"), "{said}");
    assert!(said.contains("the cache has the guides alone") && cached.contains("60 strands"), "{said}, {cached}");
    let (said, cached) = run(&["--render-hairs", "10"]);
    assert!(said.contains("60 guides simulated, 540 hairs") && cached.contains("600 strands"), "{said}, {cached}");
    let (said, cached) = run(&["--guides", "20"]);
    assert!(said.contains("20 of 60 strands simulated, the others") && cached.contains("60 strands"), "{said}, {cached}");
    let (said, cached) = run(&["--render-hairs", "1"]);
    assert!(!said.contains("interpolated") && cached.contains("60 strands"), "{said}, {cached}");
    std::fs::remove_dir_all(dir).expect("the folder goes");
}

#[test]
fn bench_prints_one_object_a_line() {
    let output = withy(&["bench", "ghost", "--json", "--isa", "all", "--seconds", "0.02"]);
    assert!(output.status.success());
    let lines: Vec<String> = text(&output.stdout).lines().map(String::from).collect();
    assert!(lines.len() >= 2, "{lines:?}");
    for line in lines {
        assert!(line.starts_with("{\"bench\":\"ghost\",\"scene\":\"hair200x20\",\"backend\":\"cpu\",\"isa\":\""), "{line}");
        assert!(line.ends_with('}') && line.contains("\"ns_per_edge_iteration\":"), "{line}");
    }
}

#[test]
fn bench_of_elastic_rods_has_the_keys_that_tools_parse() {
    for (name, key) in
        [("der", "\"us_per_strand_step\":"), ("sagfree", "\"ms_per_strand\":"), ("sagfree-world", "\"ms_per_strand\":")]
    {
        let output = withy(&["bench", name, "--json", "--seconds", "0.02"]);
        assert!(output.status.success());
        let lines: Vec<String> = text(&output.stdout).lines().map(String::from).collect();
        assert!(lines.len() >= 3 && lines.iter().all(|l| l.starts_with(&format!("{{\"bench\":\"{name}\",")) && l.contains(key)));
        for key in ["\"isa\":\"", "\"precision\":\"f", "\"threads\":1,", "\"vertices\":100,"] {
            assert!(lines[0].contains(key), "{key} {}", lines[0]);
        }
        // All of the groom's strands are held.
        assert!(name.starts_with("der") || lines[0].contains("\"at_target\":1900,"), "{}", lines[0]);
    }
}

#[test]
fn bench_of_bodies_has_the_keys_that_tools_parse() {
    for (name, key) in
        [("arc", "\"ns_per_joint_iteration\":"), ("ball", "\"ns_per_joint_iteration\":"), ("ragdoll", "\"ms_per_step\":")]
    {
        let output = withy(&["bench", name, "--json", "--threads", "1,2", "--seconds", "0.02"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let lines: Vec<String> = text(&output.stdout).lines().map(String::from).collect();
        assert!(lines.len() >= 2, "{lines:?}");
        for line in &lines {
            assert!(line.starts_with(&format!("{{\"bench\":\"{name}\",")) && line.ends_with('}'), "{line}");
            for key in [key, "\"isa\":\"", "\"lanes\":", "\"threads\":"] {
                let value = line.split(key).nth(1).unwrap_or_else(|| panic!("no {key} in {line}"));
                assert!(value.starts_with(|c: char| c.is_ascii_alphanumeric()), "{key} {line}");
            }
            let time: f64 =
                line.split(key).nth(1).and_then(|v| v.split([',', '}']).next()).and_then(|v| v.parse().ok()).expect(line);
            assert!(time > 0.0 && time.is_finite(), "{line}");
        }
    }
}

/// TressFX 3: two strands of four vertices along x and one of no visible length; tips held or not.
fn tfx3(name: &str, holds_tips: bool) -> String {
    let mut bytes = vec![0; 296];
    for (at, value) in [(0, 3f32.to_bits()), (4, 3), (8, 4), (144, 296)] {
        bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
    }
    bytes[16] = u8::from(holds_tips);
    for strand in 0..3 {
        for vertex in 0..4 {
            let step = if strand == 2 { 1e-6 } else { 5.0 };
            for c in [5.0 + step * vertex as f32, 0.0, strand as f32] {
                bytes.extend(c.to_le_bytes());
            }
        }
    }
    let file = folder(name).join("groom.tfx");
    std::fs::write(&file, bytes).expect("a file for the test");
    file.display().to_string()
}

#[test]
fn held_tips_of_a_file_are_held_unless_freed() {
    let (held, free) = (tfx3("held", true), tfx3("free", false));
    assert!(text(&withy(&["info", &held]).stdout).contains("held tips  3 strands"));
    let hash = |file: &str, more: &[&str]| {
        let mut arguments = vec!["simulate", file, "--frames", "5", "--hash"];
        arguments.extend(more);
        last_line(&withy(&arguments))
    };
    assert_eq!(hash(&held, &["--free-tips"]), hash(&free, &[]));
    assert_ne!(hash(&held, &[]), hash(&free, &[]));
}

#[test]
fn stubs_and_guessed_units_are_named_and_wrong_endings_refused() {
    let file = tfx3("stub", false);
    let output = withy(&["simulate", &file, "--frames", "1"]);
    assert!(text(&output.stderr).contains("taken as 0.01 m by its size"), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("dropped: strand 2 is"), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains(": 2 strands, 8 vertices"), "{}", text(&output.stdout));
    let words = format!("{}/words.txt", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&words, "no mesh at all").unwrap();
    let output = withy(&["simulate", &file, "--head", &words]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("contents have no vertices"), "{}", text(&output.stderr));
    let output = withy(&["simulate", &file, "--preview", "sheet.jpg"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("does not end in .png"), "{}", text(&output.stderr));
}

/// What one may well do, and what is said to it.
#[test]
fn odd_heads_folders_and_tips_are_told() {
    let dir = folder("odd");
    let file = dir.join("file");
    std::fs::write(&file, "").expect("a file");
    let told =
        |arguments: &[&str]| text_of(&withy(&[&["simulate", ":head", "--strands", "20", "--frames", "1"], arguments].concat()));
    let inside = file.join("out.usda").display().to_string();
    assert!(told(&["--out", &inside]).contains("is a file, not a folder"));
    // A folder that does not exist is made.
    let new = dir.join("new/deep/out.png");
    assert!(told(&["--preview", &new.display().to_string()]).contains("wrote ") && new.is_file());
    let mesh = |name: &str, at: f64, size: f64| {
        let corner = |x: f64, y: f64, z: f64| format!("v {} {} {}\n", at + size * x, size * y, size * z);
        let corners = corner(-0.5, -0.5, -0.5) + &corner(0.5, -0.5, -0.5) + &corner(0.0, 0.5, 0.0) + &corner(0.0, -0.5, 0.5);
        let path = dir.join(name);
        std::fs::write(&path, corners + "f 1 2 3\nf 2 4 3\nf 4 1 3\nf 1 4 2\n").expect("a mesh");
        path.display().to_string()
    };
    for (name, at, size, odd) in [("fits.obj", 0.0, 0.2, false), ("away.obj", 3.0, 0.2, true), ("huge.obj", 0.0, 60.0, true)] {
        let head = mesh(name, at, size);
        assert_eq!(told(&["--head", &head]).contains("hair does not seem to grow there"), odd, "{name}");
    }
    assert!(
        told(&["--head", &dir.display().to_string()]).contains("--head "),
        "{}",
        told(&["--head", &dir.display().to_string()])
    );
    let held = text_of(&withy(&["simulate", &tfx3("tips", true), "--frames", "1"]));
    assert!(held.contains("tips, which move with the head (--free-tips lets them go)"), "{held}");
    std::fs::remove_dir_all(dir).expect("the folder goes");
}

#[test]
fn widths_of_a_file_are_the_radii() {
    let file = |name: &str, width: f64| {
        let text = format!(
            "#usda 1.0\n( metersPerUnit = 0.01 upAxis = \"Y\" )\ndef BasisCurves \"B\"\n{{\n uniform token type = \"linear\"\n \
             int[] curveVertexCounts = [5]\n point3f[] points = [(0, 0, 0), (5, 0, 0), (10, 0, 0), (15, 0, 0), (20, 0, 0)]\n \
             float[] widths = [{width}, {width}, {width}, {width}, 0]\n}}\ndef BasisCurves \"Guide\"\n{{\n \
             uniform token purpose = \"guide\"\n}}\n"
        );
        let path = format!("{}/{name}.usda", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&path, text).unwrap();
        path
    };
    let run = |file: &str, more: &[&str]| {
        let output = withy(&[&["simulate", file, "--frames", "20", "--hash"], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        (text(&output.stderr), last_line(&output))
    };
    let (blade, hair) = (file("blade", 0.2), file("hairs", 0.007));
    let (said, thick) = run(&blade, &[]);
    assert!(said.contains("half of the file's widths, 0 to 0.002 m"), "{said}");
    assert!(said.contains("not read: prim \"Guide\", which is a guide"), "{said}");
    let (said, thin) = run(&hair, &[]);
    assert!(said.contains("stands for a lock of hair"), "{said}");
    // A lock is as thick as before, and a blade is another rod.
    let (_, lock) = run(&hair, &["--radius", "2e-4"]);
    assert_eq!(thin, lock);
    assert_ne!(thick, thin);
}

#[test]
fn info_shows_a_character_as_a_tree() {
    let seed = |name: &str| format!("{}/../fuzz/seeds/readers/{name}", env!("CARGO_MANIFEST_DIR"));
    let info = |name: &str| text(&withy(&["info", &seed(name)]).stdout);
    let ragdoll = info("three.tof");
    assert!(ragdoll.contains("ragdoll, 3 bones, 3 bodies, 2 joints"), "{ragdoll}");
    assert!(
        ragdoll.contains("\n      2 foot  0.500 m  [sphere 0.100, 4.19 kg] <swing 43 x 29, twist -29 to 14 deg>\n"),
        "{ragdoll}"
    );
    let motion = info("motion.tof");
    assert!(motion.contains("animation of 2 joints\n  clip       1.000 s, 3 frames\n  hips\n"), "{motion}");
    let walk = info("four.bvh");
    assert!(walk.contains("skeleton, 4 bones, 1 clip, unit not stated, taken as 0.056444 m"), "{walk}");
    assert!(walk.contains("\n      3 Head  0.057 m, tip at 0.014 m\n"), "{walk}");
    for leg in [info("leg.glb"), info("leg.gltf")] {
        assert!(leg.contains("  skin       3 vertices, 1 triangles\n  0 hip\n    1 knee  1.000 m\n"), "{leg}");
    }
}

/// A square bar of 30 cm as a mesh in millimetres.
#[test]
fn muscle_writes_rods_and_a_picture() {
    let dir = folder("muscle");
    let file = dir.join("bar.obj");
    let mut text = String::new();
    for z in [-150, 150] {
        for (x, y) in [(-20, -15), (20, -15), (20, 15), (-20, 15)] {
            text += &format!("v {x} {y} {z}\n");
        }
    }
    text += "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    std::fs::write(&file, text).expect("the mesh is written");
    let (file, out) = (file.display().to_string(), dir.join("out"));
    let folder = out.display().to_string();
    let ends = ["--origin", "0,0,-150", "--insertion=0,0,150"];
    let arguments = [&["muscle", &file, "--rods", "6", "--slices", "5", "--out", &folder], &ends[..]].concat();
    let output = withy(&arguments);
    let told = text_of(&output);
    assert!(output.status.success(), "{told}");
    for words in
        ["0.001 m a unit (guessed by its length)", "rods x slices  6 x 5", "volume         360.0 cm3", "length         3"]
    {
        assert!(told.contains(words), "\"{words}\" in {told}");
    }
    let usd = std::fs::read_to_string(out.join("rods.usda")).expect("rods.usda");
    assert!(usd.contains("curveVertexCounts = [5, 5, 5, 5, 5, 5]") && usd.contains("metersPerUnit = 0.001"), "{usd}");
    assert!(std::fs::metadata(out.join("muscle.png")).expect("muscle.png").len() > 1000);

    // The same ends as planes and as painted vertices give the same volume; a mesh taken for metres is told.
    let (low, high) = (dir.join("low.txt"), dir.join("high.txt"));
    std::fs::write(&low, "0\n1\n2\n3\n").and_then(|()| std::fs::write(&high, "4, 5, 6, 7")).expect("the ends are written");
    let (low, high) = (low.display().to_string(), high.display().to_string());
    for ends in [
        ["--origin-plane", "0,0,-140,0,0,-1", "--insertion-plane=0,0,140,0,0,1"],
        ["--origin-vertices", &low, &format!("--insertion-vertices={high}")],
    ] {
        let more = ["--rods", "6", "--slices", "5", "--unit", "1", "--out", &folder];
        let output = withy(&[&["muscle", &file][..], &more, &ends].concat());
        let told = text_of(&output);
        assert!(output.status.success(), "{told}");
        for words in ["volume         360000.0 m3", "length         300.00 m", "note: 300.00 m long, longer than a muscle is"] {
            assert!(told.contains(words), "\"{words}\" in {told}");
        }
        let usd = std::fs::read_to_string(out.join("rods.usda")).expect("rods.usda");
        let first = usd.split("points = [(").nth(1).and_then(|rest| rest.split(')').next()).expect("a first point");
        assert!(first.ends_with(", -150"), "{first}: from the origin, at the surface");
    }
    let wrong = dir.join("wrong.txt");
    std::fs::write(&wrong, "1\n2, x3\n").expect("the file is written");
    let wrong = wrong.display().to_string();
    // A binary file of two triangles with room for one, and a text, under the name of a mesh.
    let (cut, no_mesh) = (dir.join("cut.stl"), dir.join("text.stl"));
    let facets = [&[0; 80][..], &2u32.to_le_bytes(), &[0; 90]].concat();
    std::fs::write(&cut, facets).and_then(|()| std::fs::write(&no_mesh, "hello world\n")).expect("the files are written");
    for (mesh, words) in [
        (&cut, "cut.stl: stl: triangles 2 needs 184 bytes, file has 174 bytes, enough for 1 triangles"),
        (&no_mesh, "text.stl: stl: contents of 12 bytes neither begin with \"solid\""),
    ] {
        let output = withy(&["muscle", &mesh.display().to_string()]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text_of(&output).contains(words), "{}", text_of(&output));
    }

    for (more, code, words) in [
        (&["--rods", "0"][..], 1, "rods 0 is not a number from 1 to 512"),
        (&["--origin-plane", "0,0,1"], 2, "not X,Y,Z,NX,NY,NZ"),
        (&["--insertion-plane", "0,0,1,0,0,0"], 2, "not X,Y,Z,NX,NY,NZ"),
        (&["--origin-plane", "0,0,900,0,0,1"], 1, "origin has the whole mesh on one side of its plane"),
        (&["--origin", "0,0,-150", "--origin-plane", "0,0,-140,0,0,-1"], 2, "cannot be used with"),
        (&["--insertion-vertices", "/nowhere.txt"], 1, "/nowhere.txt: "),
        (&["--insertion-vertices", &wrong], 1, "wrong.txt: \"x3\" is no number of a vertex (line 2)"),
        (&["--origin", "0,0,-9000"], 1, "origin[0] [0.0, 0.0, -9000.0] lies"),
        (&["--origin", "1,2"], 2, "not X,Y,Z"),
    ] {
        let output = withy(&[&["muscle", &file][..], more].concat());
        assert_eq!(output.status.code(), Some(code), "{more:?}");
        assert!(text_of(&output).contains(words), "{more:?}: {}", text_of(&output));
    }
    std::fs::remove_dir_all(dir).expect("the folder goes");
}

fn text_of(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

/// An asset is listed with what is in its chunks.
#[test]
fn info_lists_the_chunks_of_an_asset() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/abi/asset_1.withy");
    let info = text(&withy(&["info", file]).stdout);
    for line in [
        ": asset, 4 chunks, ",
        "  settings ",
        "    rods.rest_strains        version 1  36 x 5 f64",
        "pose ",
        "2 x 3 f32",
        "format 1000, of a newer version: 3 bytes",
    ] {
        assert!(info.contains(line), "{line} is not in {info}");
    }
    let dir = folder("asset");
    let cut = dir.join("cut.withy");
    std::fs::write(&cut, &std::fs::read(file).unwrap()[..1000]).unwrap();
    let output = withy(&["info", &cut.to_string_lossy()]);
    assert!(!output.status.success() && text(&output.stderr).contains("asset: chunk 1 \"hair/rest_shape\" at byte "));
    std::fs::remove_dir_all(dir).unwrap();
}
