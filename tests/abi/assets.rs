//! Assets over the ABI: the file of the first version is read as it was written, rest shapes come back bit for bit, and
//! what is refused.

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use withy::asset::{self, Chunk};
use withy::ffi::{asset::*, context::*, library::*, rest_shape::*, rods::*, types::*, world::*};

fn ok(code: i32) {
    // SAFETY: the library's string.
    assert_eq!(code, WITHY_OK, "{:?}", unsafe { CStr::from_ptr(withy_last_error()) });
}

fn refused(code: i32, text: &str) {
    // SAFETY: the library's string.
    let said = unsafe { CStr::from_ptr(withy_last_error()) }.to_str().unwrap();
    assert!(code == WITHY_ERROR_INVALID_ARGUMENT && said.contains(text), "{code}: {said}, not {text}");
}

const STRANDS: usize = 3;
const VERTICES: usize = 12;

struct Groom {
    context: WithyContext,
    world: WithyWorld,
    rods: WithyRods,
}

/// Bristles of 12 cm that grow sideways, in units of `metre` to a metre.
fn groom(metre: f64, find: bool) -> Groom {
    let (mut context, mut world, mut rods) = Default::default();
    let points: Vec<[f64; 3]> = (0..STRANDS * VERTICES)
        .map(|i| {
            let (s, t) = ((i / VERTICES) as f64, (i % VERTICES) as f64 / (VERTICES - 1) as f64);
            [0.12 * t, 0.02 * t * t, 0.03 * s].map(|x| x * metre)
        })
        .collect();
    let counts = [VERTICES as u32; STRANDS];
    // SAFETY: locals, and defs that the library fills.
    unsafe {
        let mut def = std::mem::zeroed::<WithyContextDef>();
        ok(withy_context_def_init_sized(&mut def, size_of::<WithyContextDef>() as u32));
        def.metres_per_unit = 1.0 / metre;
        ok(withy_context_create(&def, &mut context));
        ok(withy_world_create(context, null(), &mut world));
        let mut def = std::mem::zeroed::<WithyRodsDef>();
        ok(withy_rods_def_init_sized(&mut def, size_of::<WithyRodsDef>() as u32));
        let of =
            |data: *const f64, count, format| WithySpan { data: data.cast_mut().cast(), count, stride: 0, format, reserved: 0 };
        def.positions = of(points.as_ptr().cast(), points.len() as u64, WITHY_FORMAT_F64);
        def.counts = of(counts.as_ptr().cast(), STRANDS as u64, WITHY_FORMAT_U32);
        def.radius = 4e-4 * metre;
        (def.young_modulus, def.shear_modulus, def.density) = (4e9, 1.5e9, 1300.0);
        (def.root, def.order) = (WITHY_SUPPORT_CLAMPED, WITHY_ORDER_DIRECT);
        ok(withy_rods_create(world, &def, &mut rods));
        if find {
            ok(withy_rods_optimize_rest_shape(rods, null()));
        }
    }
    Groom { context, world, rods }
}

impl Groom {
    fn save(&self) -> Vec<u8> {
        let mut size = 0;
        // SAFETY: locals of the size that is asked for.
        unsafe {
            ok(withy_rods_save_rest_shape(self.rods, null_mut(), &mut size));
            let mut bytes = vec![0u8; size as usize];
            ok(withy_rods_save_rest_shape(self.rods, bytes.as_mut_ptr().cast(), &mut size));
            bytes
        }
    }
    fn load(&self, bytes: &[u8]) -> i32 {
        // SAFETY: a slice.
        unsafe { withy_rods_load_rest_shape(self.rods, bytes.as_ptr().cast(), bytes.len() as u64) }
    }
    fn positions(&self) -> Vec<[f64; 3]> {
        let mut out = vec![[0.0; 3]; STRANDS * VERTICES];
        let mut span = WithySpan {
            data: out.as_mut_ptr().cast(),
            count: out.len() as u64,
            stride: 0,
            format: WITHY_FORMAT_F64,
            reserved: 0,
        };
        // SAFETY: a span over `out`.
        ok(unsafe { withy_rods_read_positions(self.rods, &mut span) });
        out
    }
    fn play(&self) -> Vec<[f64; 3]> {
        (0..30).for_each(|_| ok(withy_world_step(self.world, 1.0 / 60.0)));
        self.positions()
    }
}

impl Drop for Groom {
    fn drop(&mut self) {
        withy_context_destroy(self.context);
    }
}

/// Written by the first version of the format; see `the_first_version`.
const FIRST: &[u8] = include_bytes!("asset_1.withy");

const SETTINGS: &str = "{\"radius\": 4e-4, \"who\": \"Bär\"}";

/// Every later library reads this file, and finds in it what it was written with. WITHY_WRITE_ASSET=1 writes it anew.
#[test]
fn the_first_version() {
    let shape = groom(1.0, true).save();
    let floats: Vec<u8> = [0.5f32, -1.5, 2.5, 1e-30, f32::MAX, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let chunk = |name, version, format, columns, data| Chunk { name, version, format, columns, data };
    let written = [
        chunk("settings", 1, asset::TEXT, 0, SETTINGS.as_bytes()),
        chunk("hair/rest_shape", 1, asset::BYTES, 0, &shape),
        chunk("pose", 7, asset::F32, 3, &floats),
        chunk("what is to come", 2, 1000, 9, &[1, 2, 3]),
    ];
    if std::env::var_os("WITHY_WRITE_ASSET").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/abi/asset_1.withy");
        std::fs::write(path, asset::write(&written).unwrap()).unwrap();
    }
    let found = asset::read(FIRST).unwrap();
    assert_eq!(found.len(), written.len());
    for (found, written) in found.iter().zip(&written) {
        assert_eq!((found.name, found.version), (written.name, written.version));
        assert_eq!((found.format, found.columns), (written.format, written.columns));
        if found.name != "hair/rest_shape" {
            assert_eq!(found.data, written.data, "{}", found.name);
        }
    }
    // Its rest shape still holds the groom, and is near to what is found now.
    let held = groom(1.0, false);
    ok(held.load(found[1].data));
    let start = held.positions();
    let far = |a: &[[f64; 3]], b: &[[f64; 3]]| {
        let apart = a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| (a - b).abs());
        apart.fold(0.0, f64::max)
    };
    let sagged = far(&groom(1.0, false).play(), &start);
    let moved = far(&held.play(), &start);
    println!("moved {moved:e} m; sagged {sagged:e} m without it");
    assert!(moved < 1e-5 && sagged > 1e-3);
}

/// In another program, of other units.
#[test]
fn a_rest_shape_comes_back() {
    let found = groom(1.0, true);
    let bytes = found.save();
    let again = groom(1.0, false);
    assert_ne!(again.save(), bytes);
    ok(again.load(&bytes));
    assert_eq!(again.save(), bytes);
    assert_eq!(again.play(), found.play(), "bit for bit");
    let centimetres = groom(100.0, false);
    ok(centimetres.load(&bytes));
    assert_eq!(centimetres.save(), bytes);
    let start = centimetres.positions();
    let moved =
        centimetres.play().as_flattened().iter().zip(start.as_flattened()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(moved < 1e-3, "{moved:e} cm");
}

#[test]
fn stiffness_factors_are_part_of_it() {
    let a = groom(1.0, true);
    let factors: Vec<f64> = (0..2 * STRANDS * VERTICES).map(|i| 1.0 + 0.01 * i as f64).collect();
    let span = |of: &[f64]| WithySpan {
        data: of.as_ptr().cast_mut().cast(),
        count: of.len() as u64 / 2,
        stride: 0,
        format: WITHY_FORMAT_F64,
        reserved: 0,
    };
    let plain = a.save();
    // SAFETY: a span over `factors`.
    ok(unsafe { withy_rods_set_stiffness_factors(a.rods, &span(&factors)) });
    let b = groom(1.0, false);
    ok(b.load(&a.save()));
    let mut read = vec![0.0; factors.len()];
    // SAFETY: a span over `read`.
    ok(unsafe { withy_rods_read_stiffness_factors(b.rods, &mut span(&read)) });
    assert_eq!(read, factors);
    // One without factors takes them off.
    ok(b.load(&plain));
    // SAFETY: a span over `read`.
    ok(unsafe { withy_rods_read_stiffness_factors(b.rods, &mut span(&read)) });
    assert!(std::mem::take(&mut read).iter().all(|f| *f == 1.0));
}

/// Whatever is wrong with the bytes, the rods keep their rest shape.
#[test]
fn what_is_refused() {
    let a = groom(1.0, true);
    let bytes = a.save();
    refused(a.load(&bytes[..bytes.len() / 2]), "asset: chunk");
    let mut i = 0;
    while i < bytes.len() {
        let mut changed = bytes.clone();
        changed[i] ^= 0x10;
        refused(a.load(&changed), "asset:");
        i += 7;
    }
    let chunks = asset::read(&bytes).unwrap();
    let without = |name: &str| asset::write(&chunks.iter().copied().filter(|c| c.name != name).collect::<Vec<_>>()).unwrap();
    for name in ["rods.model", "rods.counts", "rods.rest_lengths", "rods.rest_strains"] {
        refused(a.load(&without(name)), &format!("has no chunk {name:?}"));
    }
    let with = |i: usize, change: &dyn Fn(&mut Chunk<'static>), data: &'static [u8]| {
        let mut c = Chunk { name: "", version: 1, format: 0, columns: 0, data };
        (c.version, c.format, c.columns) = (chunks[i].version, chunks[i].format, chunks[i].columns);
        change(&mut c);
        let mut all = chunks.clone();
        let data = if c.data.is_empty() { all[i].data } else { c.data };
        all[i] = Chunk { name: all[i].name, version: c.version, format: c.format, columns: c.columns, data };
        asset::write(&all).unwrap()
    };
    refused(a.load(&with(1, &|c| c.version = 9, &[])), "\"rods.counts\" has version 9");
    refused(a.load(&with(3, &|c| c.columns = 1, &[])), "\"rods.rest_strains\" has format 2 and 1 columns");
    refused(a.load(&with(0, &|_| (), b"other rods")), "it is of other rods");
    refused(a.load(&with(1, &|_| (), &[12, 0, 0, 0])), "it has 1 strands, the rods have 3");
    refused(a.load(&with(1, &|_| (), &[12, 0, 0, 0, 11, 0, 0, 0, 13, 0, 0, 0])), "strand 1 has 11 vertices");
    refused(a.load(&with(2, &|_| (), &[0; 8 * STRANDS * (VERTICES - 1)])), "rest_lengths[0]");
    assert_eq!(a.save(), bytes);
}

#[test]
fn chunks_over_the_abi() {
    let data = [1.0f64, 2.0, 3.0];
    let chunk = |name: *const c_char, size| WithyAssetChunk {
        name,
        data: data.as_ptr().cast(),
        size,
        version: 5,
        format: WITHY_ASSET_F64,
        columns: 3,
        reserved: 0,
    };
    let mut size = 0;
    // SAFETY: locals, NULL where that is refused.
    unsafe {
        let chunks = [chunk(c"a".as_ptr(), 24), chunk(c"b".as_ptr(), 0)];
        ok(withy_asset_write(chunks.as_ptr(), 2, null_mut(), &mut size));
        let mut file = vec![0u64; size as usize / 8];
        ok(withy_asset_write(chunks.as_ptr(), 2, file.as_mut_ptr().cast(), &mut size));
        let mut found = [chunk(null(), 7); 2];
        let mut count = 0;
        ok(withy_asset_read(file.as_ptr().cast(), size, null_mut(), &mut count));
        assert_eq!(count, 2);
        ok(withy_asset_read(file.as_ptr().cast(), size, found.as_mut_ptr(), &mut count));
        assert_eq!(CStr::from_ptr(found[0].name), c"a");
        assert_eq!((found[0].version, found[0].format, found[0].columns, found[0].size), (5, WITHY_ASSET_F64, 3, 24));
        assert_eq!(*found[0].data.cast::<[f64; 3]>(), data);
        assert!(found[1].data.is_null() && found[1].size == 0);
        // What was read is written again, without copies of the host's.
        let mut again = vec![0u64; file.len()];
        ok(withy_asset_write(found.as_ptr(), 2, again.as_mut_ptr().cast(), &mut size));
        assert_eq!(again, file);
        let mut write = |chunk: WithyAssetChunk| withy_asset_write(&chunk, 1, null_mut(), &mut size);
        refused(write(chunk(null(), 24)), "chunks[0].name is NULL");
        refused(write(chunk(c"".as_ptr(), 24)), "its name has 0 bytes");
        refused(write(chunk([b'a' as c_char; 300].as_ptr(), 24)), "chunks[0].name has more than 255 bytes");
        refused(write(chunk(c"a".as_ptr(), 23)), "23 bytes are not rows of 24");
        refused(write(WithyAssetChunk { reserved: 1, ..chunk(c"a".as_ptr(), 24) }), "chunks[0].reserved is 1");
        refused(write(WithyAssetChunk { data: null(), ..chunk(c"a".as_ptr(), 24) }), "chunks[0].data is NULL");
        refused(withy_asset_write(null(), 1, null_mut(), &mut size), "chunks is NULL");
        refused(withy_asset_write(chunks.as_ptr(), u64::MAX, null_mut(), &mut size), "must be up to 65536");
        refused(withy_asset_read(null(), 64, null_mut(), &mut count), "data is NULL");
        refused(withy_asset_read(file.as_ptr().cast(), 60, null_mut(), &mut count), "asset: chunk");
    }
}
