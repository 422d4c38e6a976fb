//! Damaged and hostile files: an error that names field, index and value; no panic; memory in proportion to the file.

mod common;

use common::{OBJ, USDA, hair, put_f32, put_u32, tfx};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
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

fn readers() -> [Reader; 4] {
    fn done<T>(result: Result<T, withy::io::IoError>) -> Result<(), String> {
        result.map(|_| ()).map_err(|error| error.to_string())
    }
    [
        |data| done(read_tfx(data, &ReadOptions::default())),
        |data| done(read_hair(data, &ReadOptions::default())),
        |data| done(read_usda(data, &ReadOptions::default())),
        |data| done(read_obj(data)),
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
    vec![tfx(3, 3, 4), tfx(4, 2, 4), hair(&[2, 1, 3], true), hair(&[2, 2], false), USDA.into(), OBJ.into()]
}

fn error(data: &[u8], reader: usize) -> String {
    readers()[reader](data).expect_err("was accepted")
}

#[test]
fn the_seeds_are_valid() {
    for (seed, reader) in seeds().iter().zip([0, 0, 1, 1, 2, 3]) {
        readers()[reader](seed).unwrap();
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
    const TOKENS: [&[u8]; 24] = [
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
        error(USDA.replace(from, to).as_bytes(), 2)
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

/// What the fuzzer starts from; `WITHY_WRITE_SEEDS=1 cargo test --test io_hostile checked_in` writes it.
#[test]
fn the_fuzzers_seeds_are_checked_in() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/readers");
    for (name, seed) in ["v3.tfx", "v4.tfx", "thick.hair", "plain.hair", "curves.usda", "quad.obj"].iter().zip(seeds()) {
        if std::env::var_os("WITHY_WRITE_SEEDS").is_some() {
            std::fs::write(folder.join(name), &seed).unwrap();
        }
        assert!(std::fs::read(folder.join(name)).unwrap() == seed, "{name}");
    }
}
