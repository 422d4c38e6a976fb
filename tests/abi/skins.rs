//! Skins over the ABI: a bent rod in every host's units and axes, files, and what is refused.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use withy::ffi::{context::*, library::*, rods::*, skin::*, types::*, world::*};

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

const EDGES: usize = 8;
const AROUND: usize = 12;

/// A rod of 0.4 m along the host's x, and a tube of 4 cm around it, in host units.
struct Scene {
    context: WithyContext,
    world: WithyWorld,
    rods: WithyRods,
    line: Vec<f32>,
    tube: Vec<f64>,
    triangles: Vec<u32>,
}

fn scene(convention: u32, unit: f64, threads: u32) -> Scene {
    let mut s = Scene {
        context: WithyContext::default(),
        world: WithyWorld::default(),
        rods: WithyRods::default(),
        line: (0..=EDGES).flat_map(|v| [(0.4 * v as f64 / EDGES as f64 / unit) as f32, 0.0, 0.0]).collect(),
        tube: Vec::new(),
        triangles: Vec::new(),
    };
    for i in 0..=2 * EDGES {
        for k in 0..AROUND {
            let a = std::f64::consts::TAU * k as f64 / AROUND as f64;
            let x = 0.4 * i as f64 / (2 * EDGES) as f64;
            s.tube.extend([x, 0.04 * a.cos(), 0.04 * a.sin()].map(|x| x / unit));
            let v = |i: usize, k: usize| (i * AROUND + k % AROUND) as u32;
            if i < 2 * EDGES {
                s.triangles.extend([v(i, k), v(i, k + 1), v(i + 1, k + 1), v(i, k), v(i + 1, k + 1), v(i + 1, k)]);
            }
        }
    }
    let mut counts = [EDGES as u32 + 1];
    // SAFETY: locals.
    unsafe {
        let mut def = std::mem::zeroed();
        ok(withy_context_def_init_sized(&mut def, size_of::<WithyContextDef>() as u32));
        (def.convention, def.threads) = (convention, threads);
        ok(withy_context_create(&def, &mut s.context));
        ok(withy_world_create(s.context, null(), &mut s.world));
        let mut def: WithyRodsDef = std::mem::zeroed();
        ok(withy_rods_def_init_sized(&mut def, size_of::<WithyRodsDef>() as u32));
        def.positions = span(&mut s.line, 3, WITHY_FORMAT_F32);
        def.counts = span(&mut counts, 1, WITHY_FORMAT_U32);
        def.radius = 0.03 / unit;
        ok(withy_rods_create(s.world, &def, &mut s.rods));
    }
    s
}

impl Scene {
    fn def(&mut self) -> WithySkinDef {
        // SAFETY: a local; the spans are of vectors that outlive it.
        unsafe {
            let mut def: WithySkinDef = std::mem::zeroed();
            ok(withy_skin_def_init_sized(&mut def, size_of::<WithySkinDef>() as u32));
            def.positions = span(&mut self.tube, 3, WITHY_FORMAT_F64);
            def.triangles = span(&mut self.triangles, 3, WITHY_FORMAT_U32);
            (def.rods, def.rods_count) = (&raw const self.rods, 1);
            def
        }
    }
    fn skin(&mut self) -> WithySkin {
        let def = self.def();
        let mut skin = WithySkin::default();
        // SAFETY: locals.
        ok(unsafe { withy_skin_create(self.world, &def, &mut skin) });
        skin
    }
    fn vertices(&self) -> usize {
        self.tube.len() / 3
    }
    fn read(&self, skin: WithySkin, f: unsafe extern "C" fn(WithySkin, *mut WithySpan) -> i32) -> Vec<f64> {
        let mut out = vec![0.0f64; self.tube.len()];
        // SAFETY: a local with room.
        ok(unsafe { f(skin, &mut span(&mut out, 3, WITHY_FORMAT_F64)) });
        out
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        ok(withy_context_destroy(self.context));
    }
}

const HOSTS: [(u32, f64); 5] = [
    (WITHY_CONVENTION_SI, 1.0),
    (WITHY_CONVENTION_MAYA, 0.01),
    (WITHY_CONVENTION_UNREAL, 0.01),
    (WITHY_CONVENTION_UNITY, 1.0),
    (WITHY_CONVENTION_BLENDER, 1.0),
];

#[test]
fn the_bind_pose_and_its_normals_in_every_host() {
    for (convention, unit) in HOSTS {
        let mut s = scene(convention, unit, 0);
        let skin = s.skin();
        let (x, n) = (s.read(skin, withy_skin_read_positions), s.read(skin, withy_skin_read_normals));
        let mut along = 0.0;
        for i in 0..s.vertices() {
            for k in 0..3 {
                assert!((x[3 * i + k] - s.tube[3 * i + k]).abs() * unit < 1e-7, "{convention}: vertex {i}");
            }
            let out = (n[3 * i + 1] * s.tube[3 * i + 1] + n[3 * i + 2] * s.tube[3 * i + 2]) * unit / 0.04;
            assert!((out.abs() - 1.0).abs() < 0.02, "{convention}: normal {i}: {out}");
            along += out / s.vertices() as f64;
        }
        // The tube is wound counterclockwise from outside in right-handed axes, and so clockwise in left-handed ones.
        let front = if convention == WITHY_CONVENTION_UNREAL { -1.0 } else { 1.0 };
        assert!((along - front).abs() < 0.02, "{convention}: {along}");
    }
}

#[test]
fn it_moves_with_the_rods_and_back_with_a_state() {
    let mut s = scene(WITHY_CONVENTION_SI, 1.0, 2);
    let skin = s.skin();
    let before = s.read(skin, withy_skin_read_positions);
    let mut size = 0;
    // SAFETY: locals with room.
    unsafe {
        ok(withy_world_save_state(s.world, null_mut(), &mut size));
        let mut state = vec![0u8; size as usize];
        ok(withy_world_save_state(s.world, state.as_mut_ptr().cast(), &mut size));
        for _ in 0..30 {
            ok(withy_world_step(s.world, 1.0 / 60.0));
        }
        // It fell freely: all of it by the same.
        let after = s.read(skin, withy_skin_read_positions);
        let fall = after[1] - before[1];
        assert!(fall < -0.5);
        for i in 0..s.vertices() {
            assert!((after[3 * i + 1] - before[3 * i + 1] - fall).abs() < 1e-5);
        }
        ok(withy_world_restore_state(s.world, state.as_ptr().cast(), size));
        assert_eq!(s.read(skin, withy_skin_read_positions), before);
    }
}

#[test]
fn saved_and_loaded_it_gives_the_same() {
    let mut s = scene(WITHY_CONVENTION_SI, 1.0, 0);
    let skin = s.skin();
    let mut size = 0;
    // SAFETY: locals with room.
    unsafe {
        ok(withy_skin_save(skin, null_mut(), &mut size));
        let mut bytes = vec![0u8; size as usize];
        ok(withy_skin_save(skin, bytes.as_mut_ptr().cast(), &mut size));
        let mut again = WithySkin::default();
        ok(withy_skin_load(s.world, &s.rods, 1, bytes.as_ptr().cast(), size, &mut again));
        assert_eq!(s.read(again, withy_skin_read_positions), s.read(skin, withy_skin_read_positions));
        let bad = withy_skin_load(s.world, &s.rods, 1, bytes.as_ptr().cast(), size - 1, &mut again);
        refused(bad, WITHY_ERROR_INVALID_ARGUMENT, "bytes, its head asks for");
        bytes[200] ^= 1;
        let bad = withy_skin_load(s.world, &s.rods, 1, bytes.as_ptr().cast(), size, &mut again);
        refused(bad, WITHY_ERROR_INVALID_ARGUMENT, "checksum");
        bytes[200] ^= 1;
        let two = [s.rods, s.rods];
        let bad = withy_skin_load(s.world, two.as_ptr(), 2, bytes.as_ptr().cast(), size, &mut again);
        refused(bad, WITHY_ERROR_INVALID_ARGUMENT, "the skin was bound to 1");
        let n = s.vertices();
        let (mut edges, mut weights) = (vec![0u32; 4 * n], vec![0f64; 4 * n]);
        ok(withy_skin_read_weights(
            skin,
            &mut span(&mut edges, 4, WITHY_FORMAT_U32),
            &mut span(&mut weights, 4, WITHY_FORMAT_F64),
        ));
        assert!(weights.chunks(4).all(|w| (w.iter().sum::<f64>() - 1.0).abs() < 1e-12));
        // What was read makes the same skin when it comes as the host's own.
        let mut def = s.def();
        def.edges = span(&mut edges, 4, WITHY_FORMAT_U32);
        def.weights = span(&mut weights, 4, WITHY_FORMAT_F64);
        ok(withy_skin_create(s.world, &def, &mut again));
        let mut both = [vec![0u32; 4 * n], vec![0u32; 4 * n]];
        for (out, skin) in both.iter_mut().zip([skin, again]) {
            ok(withy_skin_read_weights(skin, &mut span(out, 4, WITHY_FORMAT_U32), null_mut()));
        }
        assert_eq!(both[0], both[1]);
    }
}

#[test]
fn what_is_wrong_is_named() {
    let mut s = scene(WITHY_CONVENTION_SI, 1.0, 0);
    let mut skin = WithySkin::default();
    let (world, rods) = (s.world, s.rods);
    let argument = WITHY_ERROR_INVALID_ARGUMENT;
    // SAFETY: locals with room.
    unsafe {
        let mut def = s.def();
        let mut says = |def: &WithySkinDef, code: i32, text: &str| refused(withy_skin_create(world, def, &mut skin), code, text);
        def.rods_count = 0;
        says(&def, argument, "rods_count is 0");
        def = s.def();
        def.rods = null();
        says(&def, argument, "rods is NULL");
        def = s.def();
        def.softness = 0.0;
        says(&def, argument, "softness is 0");
        def = s.def();
        def.fairing = f64::NAN;
        says(&def, argument, "fairing is NaN");
        def = s.def();
        def.normals = WithySpan { count: 2, ..def.positions };
        says(&def, argument, "normals.count is 2");
        def = s.def();
        def.weights = WithySpan { count: 2, ..def.positions };
        says(&def, argument, "edges.count is 0");
        s.triangles[7] = 12_345;
        def = s.def();
        says(&def, argument, "triangles[2] has vertex 12345");
        s.triangles[7] = 0;
        s.tube[4] = f64::INFINITY;
        def = s.def();
        says(&def, argument, "positions[1].y is inf");
        s.tube[4] = 0.0;
        let skin = s.skin();
        let mut out = vec![0.0f64; s.tube.len()];
        refused(withy_skin_read_tangents(skin, &mut span(&mut out, 3, WITHY_FORMAT_F64)), argument, "tangents");
        ok(withy_rods_destroy(rods));
        let gone = withy_skin_read_positions(skin, &mut span(&mut out, 3, WITHY_FORMAT_F64));
        refused(gone, WITHY_ERROR_INVALID_HANDLE, "rods[0] of the skin has been destroyed");
        def = s.def();
        refused(withy_skin_create(world, &def, &mut WithySkin::default()), WITHY_ERROR_INVALID_HANDLE, "rods[0]");
        ok(withy_skin_destroy(skin));
        refused(withy_skin_destroy(skin), WITHY_ERROR_INVALID_HANDLE, "destroyed");
    }
}
