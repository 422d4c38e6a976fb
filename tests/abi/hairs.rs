//! Render hair over the ABI: in every host's units and axes, levels of detail, files, and what is refused.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use withy::ffi::{context::*, library::*, render_hair::*, rods::*, types::*, world::*};

fn ok(code: i32) {
    // SAFETY: the library's string.
    assert_eq!(code, WITHY_OK, "{:?}", unsafe { CStr::from_ptr(withy_last_error()) });
}

fn refused(code: i32, wanted: i32, text: &str) {
    // SAFETY: the library's string.
    let said = unsafe { CStr::from_ptr(withy_last_error()) }.to_str().unwrap();
    assert!(code == wanted && said.contains(text), "{code}: {said}, not {text}");
}

fn span<T>(data: &mut [T], width: usize, format: u32) -> WithySpan {
    WithySpan { data: data.as_mut_ptr().cast(), count: (data.len() / width) as u64, stride: 0, format, reserved: 0 }
}

const GUIDES: usize = 9;
const VERTICES: usize = 8;
const STRANDS: usize = 40;
const EACH: usize = 11;

/// Guides of 20 cm on a square of 4 cm, and hair with waves between them, in host units.
struct Scene {
    context: WithyContext,
    world: WithyWorld,
    rods: WithyRods,
    guides: Vec<f32>,
    groom: Vec<f64>,
    counts: Vec<u32>,
}

fn scene(convention: u32, unit: f64, threads: u32) -> Scene {
    let mut s = Scene {
        context: WithyContext::default(),
        world: WithyWorld::default(),
        rods: WithyRods::default(),
        guides: Vec::new(),
        groom: Vec::new(),
        counts: vec![EACH as u32; STRANDS],
    };
    for g in 0..GUIDES {
        for v in 0..VERTICES {
            let p = [0.02 * (g % 3) as f64, 0.2 * v as f64 / (VERTICES - 1) as f64, 0.02 * (g / 3) as f64];
            s.guides.extend(p.map(|x| (x / unit) as f32));
        }
    }
    for k in 0..STRANDS {
        for v in 0..EACH {
            let t = v as f64 / (EACH - 1) as f64;
            let p = [0.001 * k as f64 + 0.003 * (12.0 * t).sin(), 0.2 * t, 0.04 * ((7 * k) % STRANDS) as f64 / STRANDS as f64];
            s.groom.extend(p.map(|x| x / unit));
        }
    }
    let mut counts = [VERTICES as u32; GUIDES];
    // SAFETY: locals.
    unsafe {
        let mut def = std::mem::zeroed();
        ok(withy_context_def_init_sized(&mut def, size_of::<WithyContextDef>() as u32));
        (def.convention, def.threads) = (convention, threads);
        ok(withy_context_create(&def, &mut s.context));
        ok(withy_world_create(s.context, null(), &mut s.world));
        let mut def: WithyRodsDef = std::mem::zeroed();
        ok(withy_rods_def_init_sized(&mut def, size_of::<WithyRodsDef>() as u32));
        def.positions = span(&mut s.guides, 3, WITHY_FORMAT_F32);
        def.counts = span(&mut counts, 1, WITHY_FORMAT_U32);
        def.radius = 2e-4 / unit;
        def.root = withy::ffi::rods::WITHY_SUPPORT_CLAMPED;
        ok(withy_rods_create(s.world, &def, &mut s.rods));
    }
    s
}

impl Scene {
    fn def(&mut self) -> WithyRenderHairDef {
        // SAFETY: a local; the spans are of vectors that outlive it.
        unsafe {
            let mut def: WithyRenderHairDef = std::mem::zeroed();
            ok(withy_render_hair_def_init_sized(&mut def, size_of::<WithyRenderHairDef>() as u32));
            def.positions = span(&mut self.groom, 3, WITHY_FORMAT_F64);
            def.counts = span(&mut self.counts, 1, WITHY_FORMAT_U32);
            (def.rods, def.rods_count) = (&raw const self.rods, 1);
            def
        }
    }
    fn hair(&mut self) -> WithyRenderHair {
        let def = self.def();
        let mut hair = WithyRenderHair::default();
        // SAFETY: locals.
        ok(unsafe { withy_render_hair_create(self.world, &def, &mut hair) });
        hair
    }
    fn steps(&self, n: usize) {
        (0..n).for_each(|_| ok(withy_world_step(self.world, 1.0 / 60.0)));
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        ok(withy_context_destroy(self.context));
    }
}

fn lod(strands: f64, vertices: f64) -> WithyRenderHairLodDef {
    // SAFETY: a local.
    unsafe {
        let mut lod: WithyRenderHairLodDef = std::mem::zeroed();
        ok(withy_render_hair_lod_def_init_sized(&mut lod, size_of::<WithyRenderHairLodDef>() as u32));
        (lod.strands, lod.vertices) = (strands, vertices);
        lod
    }
}

fn read(hair: WithyRenderHair, lod: *const WithyRenderHairLodDef) -> [Vec<f64>; 2] {
    let mut ask = WithySpan::default();
    // SAFETY: locals with room.
    unsafe {
        ok(withy_render_hair_read(hair, lod, &mut ask, null_mut()));
        let mut out = [0, 1].map(|_| vec![0.0f64; 3 * ask.count as usize]);
        let [x, t] = &mut out;
        ok(withy_render_hair_read(hair, lod, &mut span(x, 3, WITHY_FORMAT_F64), &mut span(t, 3, WITHY_FORMAT_F64)));
        out
    }
}

#[test]
fn the_groom_in_every_host() {
    for (convention, unit) in [
        (WITHY_CONVENTION_SI, 1.0),
        (WITHY_CONVENTION_MAYA, 0.01),
        (WITHY_CONVENTION_UNREAL, 0.01),
        (WITHY_CONVENTION_UNITY, 1.0),
        (WITHY_CONVENTION_BLENDER, 1.0),
    ] {
        let mut s = scene(convention, unit, 0);
        let hair = s.hair();
        let [x, t] = read(hair, null());
        for (i, (x, p)) in x.iter().zip(&s.groom).enumerate() {
            assert!((x - p).abs() * unit < 1e-7, "{convention}: number {i}: {x}, not {p}");
        }
        // Tangents in the host's axes, too.
        for (k, t) in t.chunks(3).enumerate().filter(|x| x.0 % EACH == 5) {
            let way: Vec<f64> = (0..3).map(|c| s.groom[3 * (k + 1) + c] - s.groom[3 * (k - 1) + c]).collect();
            let n = way.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((0..3).all(|c| (t[c] - way[c] / n).abs() < 1e-4), "{convention}: {t:?}, not {way:?}");
        }
    }
}

#[test]
fn every_buffer_gets_the_same_numbers_on_any_number_of_threads() {
    let bits = |threads: u32| {
        let mut s = scene(WITHY_CONVENTION_MAYA, 0.01, threads);
        let hair = s.hair();
        s.steps(20);
        let n = STRANDS * EACH;
        let mut packed = vec![0f32; 3 * n];
        // Positions and tangents in one buffer, as a shader has them, from an odd address.
        let mut both = vec![0xAAu8; 1 + 36 * n];
        let base = both.as_mut_ptr();
        // SAFETY: locals with room.
        unsafe {
            ok(withy_render_hair_read(hair, null(), &mut span(&mut packed, 3, WITHY_FORMAT_F32), null_mut()));
            let part = |offset: usize| WithySpan {
                data: base.add(1 + offset).cast(),
                count: n as u64,
                stride: 36,
                format: WITHY_FORMAT_F32,
                reserved: 0,
            };
            ok(withy_render_hair_read(hair, null(), &mut part(0), &mut part(16)));
        }
        let at = |i: usize| f32::from_le_bytes(both[i..i + 4].try_into().unwrap());
        for k in 0..n {
            let first = 1 + 36 * k;
            assert!((0..3).all(|c| at(first + 4 * c).to_bits() == packed[3 * k + c].to_bits()), "vertex {k}");
            assert!(both[first + 12..first + 16].iter().chain(&both[first + 28..first + 36]).all(|b| *b == 0xAA));
            let length: f32 = (0..3).map(|c| at(first + 16 + 4 * c).powi(2)).sum();
            assert!((length - 1.0).abs() < 1e-5);
        }
        packed.iter().map(|x| x.to_bits()).collect::<Vec<u32>>()
    };
    assert_eq!(bits(0), bits(8));
}

#[test]
fn it_moves_with_the_rods_and_back_with_a_state() {
    let mut s = scene(WITHY_CONVENTION_SI, 1.0, 2);
    let hair = s.hair();
    let before = read(hair, null());
    let mut size = 0;
    // SAFETY: locals with room.
    unsafe {
        ok(withy_world_save_state(s.world, null_mut(), &mut size));
        let mut state = vec![0u8; size as usize];
        ok(withy_world_save_state(s.world, state.as_mut_ptr().cast(), &mut size));
        // The head leans by 90°: hair on guides that barely bend goes along.
        let q = [std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];
        let mut turns: Vec<f64> = (0..GUIDES).flat_map(|_| q).collect();
        let mut roots: Vec<f64> = (0..GUIDES).flat_map(|g| [0.02 * (g % 3) as f64, -0.02 * (g / 3) as f64, 0.0]).collect();
        ok(withy_rods_set_root_poses(s.rods, &span(&mut roots, 3, WITHY_FORMAT_F64), &span(&mut turns, 4, WITHY_FORMAT_F64), 0));
        s.steps(60);
        let [x, _] = read(hair, null());
        for k in 0..STRANDS {
            let p = &before[0][3 * EACH * k..];
            // About x: y becomes z, z becomes −y.
            let wanted = [p[0], -p[2], p[1]];
            let moved = &x[3 * EACH * k..3 * EACH * k + 3];
            assert!((0..3).all(|c| (moved[c] - wanted[c]).abs() < 2e-3), "root {k}: {moved:?}, not {wanted:?}");
        }
        ok(withy_world_restore_state(s.world, state.as_ptr().cast(), size));
        assert_eq!(read(hair, null()), before);
        // Roots of the host's own.
        let mut own: Vec<f64> = (0..STRANDS).flat_map(|k| [0.001 * k as f64, 0.01, 0.02]).collect();
        let mut turns: Vec<f64> = (0..STRANDS).flat_map(|_| [0.0, 0.0, 0.0, 1.0]).collect();
        let (own, turns) = (span(&mut own, 3, WITHY_FORMAT_F64), span(&mut turns, 4, WITHY_FORMAT_F64));
        ok(withy_render_hair_set_roots(hair, &own, &turns));
        let [x, _] = read(hair, null());
        assert!((0..STRANDS).all(|k| (x[3 * EACH * k + 1] - 0.01).abs() < 1e-8 && (x[3 * EACH * k + 2] - 0.02).abs() < 1e-8));
        ok(withy_render_hair_set_roots(hair, null(), null()));
        assert_eq!(read(hair, null()), before);
        let short = WithySpan { count: 7, ..own };
        refused(
            withy_render_hair_set_roots(hair, &short, &turns),
            WITHY_ERROR_INVALID_ARGUMENT,
            "positions.count is 7: there are 40",
        );
        refused(withy_render_hair_set_roots(hair, &own, null()), WITHY_ERROR_INVALID_ARGUMENT, "rotations is NULL");
    }
}

#[test]
fn levels_of_detail() {
    let mut s = scene(WITHY_CONVENTION_MAYA, 0.01, 0);
    let mut def = s.def();
    let mut widths = [0.008f32];
    def.widths = span(&mut widths, 1, WITHY_FORMAT_F32);
    let mut hair = WithyRenderHair::default();
    // SAFETY: locals with room.
    unsafe {
        ok(withy_render_hair_create(s.world, &def, &mut hair));
        let half = lod(0.25, 0.5);
        let (mut which, mut counts) = ([0u32; STRANDS], [0u32; STRANDS]);
        let [x, _] = read(hair, &half);
        let mut widths = vec![0f32; x.len() / 3];
        let (mut a, mut b) = (span(&mut which, 1, WITHY_FORMAT_U32), span(&mut counts, 1, WITHY_FORMAT_U32));
        ok(withy_render_hair_read_layout(hair, &half, &mut a, &mut b, &mut span(&mut widths, 1, WITHY_FORMAT_F32)));
        assert_eq!((a.count, b.count, x.len()), (10, 10, 3 * 60));
        assert!(counts[..10].iter().all(|n| *n == 6) && which[..10].is_sorted());
        // A quarter of the strands, four times as wide.
        assert!(widths.iter().all(|w| (w - 0.032).abs() < 1e-7), "{widths:?}");
        // Every second vertex of those strands, bit for bit.
        let [all, _] = read(hair, null());
        for (k, s) in which[..10].iter().enumerate() {
            for j in 0..6 {
                let from = 3 * (EACH * *s as usize + 2 * j);
                assert_eq!(x[3 * (6 * k + j)..3 * (6 * k + j) + 3], all[from..from + 3]);
            }
        }
        let mut room = [0f32; 9];
        let small = withy_render_hair_read(hair, &half, &mut span(&mut room, 3, WITHY_FORMAT_F32), null_mut());
        refused(small, WITHY_ERROR_TOO_SMALL, "positions.count is 3: there are 60");
        for (bad, text) in
            [(lod(0.0, 1.0), "strands is 0"), (lod(1.0, 1.5), "vertices is 1.5"), (lod(f64::NAN, 1.0), "strands is NaN")]
        {
            refused(
                withy_render_hair_read(hair, &bad, &mut WithySpan::default(), null_mut()),
                WITHY_ERROR_INVALID_ARGUMENT,
                text,
            );
        }
    }
}

#[test]
fn saved_and_loaded_it_gives_the_same() {
    let mut s = scene(WITHY_CONVENTION_SI, 1.0, 0);
    let hair = s.hair();
    let mut size = 0;
    // SAFETY: locals with room.
    unsafe {
        ok(withy_render_hair_save(hair, null_mut(), &mut size));
        let mut bytes = vec![0u8; size as usize];
        ok(withy_render_hair_save(hair, bytes.as_mut_ptr().cast(), &mut size));
        s.steps(10);
        let mut again = WithyRenderHair::default();
        ok(withy_render_hair_load(s.world, &s.rods, 1, bytes.as_ptr().cast(), size, &mut again));
        assert_eq!(read(again, null()), read(hair, null()));
        let argument = WITHY_ERROR_INVALID_ARGUMENT;
        let load = |rods: &[WithyRods], bytes: &[u8]| {
            let mut out = WithyRenderHair::default();
            withy_render_hair_load(s.world, rods.as_ptr(), rods.len() as u32, bytes.as_ptr().cast(), bytes.len() as u64, &mut out)
        };
        refused(load(&[s.rods], &bytes[1..]), argument, "do not begin as saved hair does");
        refused(load(&[s.rods], &bytes[..bytes.len() - 1]), argument, "its head asks for");
        refused(load(&[s.rods, s.rods], &bytes), argument, "18 guides with 144 vertices, the hair was bound to 9 with 72");
        bytes[300] ^= 1;
        refused(load(&[s.rods], &bytes), argument, "checksum");
        // What was read makes the same hair when it comes as the host's own.
        let (mut guides, mut weights) = (vec![0u32; 3 * STRANDS], vec![0f64; 3 * STRANDS]);
        let (mut g, mut w) = (span(&mut guides, 3, WITHY_FORMAT_U32), span(&mut weights, 3, WITHY_FORMAT_F64));
        ok(withy_render_hair_read_weights(hair, &mut g, &mut w));
        assert!(weights.chunks(3).all(|w| (w.iter().sum::<f64>() - 1.0).abs() < 1e-6));
        let mut def = s.def();
        (def.guides, def.weights) = (g, w);
        ok(withy_render_hair_create(s.world, &def, &mut again));
        let (mut same, mut shares) = (vec![0u32; 3 * STRANDS], vec![0f64; 3 * STRANDS]);
        let (mut g, mut w) = (span(&mut same, 3, WITHY_FORMAT_U32), span(&mut shares, 3, WITHY_FORMAT_F64));
        ok(withy_render_hair_read_weights(again, &mut g, &mut w));
        // Guides with equal weights may change places.
        let sorted = |guides: &[u32], weights: &[f64]| {
            let mut all: Vec<(u32, f64)> = guides.iter().copied().zip(weights.iter().copied()).filter(|x| x.1 > 1e-5).collect();
            all.sort_by_key(|x| x.0);
            all
        };
        for s in (0..3 * STRANDS).step_by(3) {
            let [a, b] = [(&guides, &weights), (&same, &shares)].map(|(g, w)| sorted(&g[s..s + 3], &w[s..s + 3]));
            assert!(a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6), "{a:?}, {b:?}");
        }
    }
}

#[test]
fn what_is_wrong_is_named() {
    let mut s = scene(WITHY_CONVENTION_SI, 1.0, 0);
    let (world, rods) = (s.world, s.rods);
    let argument = WITHY_ERROR_INVALID_ARGUMENT;
    // SAFETY: locals with room.
    unsafe {
        let says = |def: &WithyRenderHairDef, text: &str| {
            refused(withy_render_hair_create(world, def, &mut WithyRenderHair::default()), argument, text);
        };
        let none = WithySpan::default();
        let def = s.def();
        says(&WithyRenderHairDef { rods_count: 0, ..def }, "rods_count is 0");
        says(&WithyRenderHairDef { rods: null(), ..def }, "rods is NULL");
        says(&WithyRenderHairDef { positions: none, ..def }, "positions.count is 0 and per_guide is 0");
        says(&WithyRenderHairDef { counts: none, ..def }, "counts.count is 0");
        says(&WithyRenderHairDef { per_guide: 3, ..def }, "per_guide is 3: with positions it must be 0");
        says(&WithyRenderHairDef { positions: none, per_guide: 3, ..def }, "counts: goes with positions");
        says(&WithyRenderHairDef { positions: WithySpan { count: 439, ..def.positions }, ..def }, "counts add up to 440");
        says(&WithyRenderHairDef { parting: 0.0, ..def }, "parting is 0");
        says(&WithyRenderHairDef { parting: f64::NAN, ..def }, "parting is NaN");
        says(&WithyRenderHairDef { width: -1.0, ..def }, "width is -1");
        says(&WithyRenderHairDef { widths: WithySpan { count: 3, ..def.positions }, ..def }, "widths has 3 entries");
        says(&WithyRenderHairDef { weights: WithySpan { count: 3, ..def.positions }, ..def }, "guides.count is 0");
        let made = WithyRenderHairDef { positions: none, counts: none, per_guide: 5, ..def };
        says(&WithyRenderHairDef { per_guide: 100_001, ..made }, "per_guide is 100001");
        says(&WithyRenderHairDef { vertices: 1, ..made }, "vertices is 1");
        says(&WithyRenderHairDef { clump: 2.0, ..made }, "clump is 2");
        says(&WithyRenderHairDef { shorten: f64::INFINITY, ..made }, "shorten is inf");
        let mut hair = WithyRenderHair::default();
        ok(withy_render_hair_create(world, &made, &mut hair));
        assert_eq!(read(hair, null())[0].len(), 3 * 5 * GUIDES * VERTICES);
        s.groom[4] = f64::NAN;
        says(&s.def(), "positions[1].y is NaN");
        s.groom[4] = 0.0;
        s.counts[2] = 1;
        says(&s.def(), "counts[2] is 1");
        s.counts[2] = EACH as u32;
        ok(withy_rods_destroy(rods));
        let gone = withy_render_hair_read(hair, null(), &mut WithySpan { data: null_mut(), ..none }, null_mut());
        ok(gone);
        let mut room = vec![0f32; 3 * 5 * GUIDES * VERTICES];
        let gone = withy_render_hair_read(hair, null(), &mut span(&mut room, 3, WITHY_FORMAT_F32), null_mut());
        refused(gone, WITHY_ERROR_INVALID_HANDLE, "rods[0] of the hair has been destroyed");
        refused(withy_render_hair_create(world, &s.def(), &mut hair), WITHY_ERROR_INVALID_HANDLE, "rods[0]");
        ok(withy_render_hair_destroy(hair));
        refused(withy_render_hair_destroy(hair), WITHY_ERROR_INVALID_HANDLE, "destroyed");
    }
}
