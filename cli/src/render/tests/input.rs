//! What goes in: hostile values, arrays that do not fit, cameras; and that threads change nothing.

use super::*;

#[test]
fn bad_points_are_skipped() {
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, f32::MAX, -0.0];
    for (k, &v) in bad.iter().enumerate() {
        for style in
            [CurveStyle::Auto, CurveStyle::Hair, CurveStyle::Tube, CurveStyle::Ribbon { half_width: v, half_thickness: 0.01 }]
        {
            let points = vec![[-0.5, 0.0, 0.0], [-0.3, 0.1, 0.0], [v, v, 0.0], [0.3, 0.1, 0.0], [0.5, 0.0, 0.0]];
            let mut scene = strand(points.clone(), 0.05, style);
            scene.curves[0].smooth = k % 2 == 0;
            scene.curves[0].frames = vec![[v; 3]; 4];
            scene.curves.push(CurveSet { radii: Radii::PerPoint(vec![v; 5]), ..scene.curves[0].clone() });
            let triangles = vec![[0, 1, 2], [0, 1, 3], [2, 2, 2]];
            scene.meshes.push(Mesh { points, triangles, material: Material { roughness: v, specular: v, ..BLACK }, flat: false });
            scene.primitives = vec![
                Primitive::Sphere { center: [0.0; 3], radius: v, material: BLACK },
                Primitive::Capsule { a: [v; 3], b: [0.0; 3], radius: 0.1, material: BLACK },
                Primitive::Taper { a: [v; 3], b: [0.0; 3], radii: [0.1, v], material: BLACK },
                Primitive::Taper { a: [0.1; 3], b: [0.0; 3], radii: [v, 0.1], material: BLACK },
                Primitive::Cuboid { center: [0.0; 3], half_extents: [v; 3], rotation: [v; 4], material: BLACK },
                Primitive::Plane { point: [0.0, -1.0, 0.0], normal: [v, 1.0, 0.0], grid: v },
            ];
            scene.lines.push(DebugLine { a: [v; 3], b: [1.0; 3], color: [v; 3], width: v });
            let fitted = Camera::fit([&scene], [v, -0.3, -1.0], 64, 48);
            for camera in [camera(), fitted] {
                render(&scene, &camera, &Options { width: 64, height: 48, ..Options::default() }).unwrap();
            }
        }
    }
    // The rest of a curve with one bad point is drawn.
    let points = vec![[-0.8, 0.0, 0.0], [-0.4, 0.0, 0.0], [f32::NAN; 3], [0.4, 0.0, 0.0], [0.8, 0.0, 0.0]];
    let image = render(&strand(points, 0.05, CurveStyle::Tube), &camera(), &flat(160, 120)).unwrap();
    let x = |metres: f32| (80.0 + metres * pixels_a_metre(&flat(160, 120))) as u32;
    assert!(image.get(x(-0.6), 60)[0] < 20 && image.get(x(0.6), 60)[0] < 20 && image.get(80, 60)[0] == 128);
}

#[test]
fn a_camera_inside_the_scene_draws_something() {
    let mut scene = strand(vec![[0.0, 0.0, 9.0], [0.1, 0.1, -9.0]], 0.2, CurveStyle::Tube);
    scene.meshes.push(Mesh {
        points: vec![[-5.0, -0.5, 9.0], [5.0, -0.5, 9.0], [0.0, -0.5, -9.0]],
        triangles: vec![[0, 1, 2]],
        material: BLACK,
        flat: false,
    });
    let image = render(&scene, &camera(), &flat(64, 48)).unwrap();
    assert!(covered(&image) > 300.0, "the floor fills the lower part, although two of its corners lie behind the camera");
}

#[test]
fn arrays_that_do_not_fit_are_refused_by_name() {
    let says = |scene: &Scene| render(scene, &camera(), &flat(64, 48)).unwrap_err().to_string();
    let good = strand(vec![[0.0; 3], [1.0; 3]], 0.1, CurveStyle::Auto);
    let mut scene = good.clone();
    scene.curves[0].counts = vec![u32::MAX, 3];
    assert!(says(&scene).contains("curves[0]: counts sum to 4294967298"));
    scene = good.clone();
    scene.curves[0].radii = Radii::PerPoint(vec![1.0]);
    assert!(says(&scene).contains("1 radii for 2 points"));
    scene = good.clone();
    scene.curves[0].frames = vec![[1.0; 3]; 2];
    assert!(says(&scene).contains("2 frames for 1 edges"));
    scene = good.clone();
    scene.meshes.push(Mesh { points: vec![[0.0; 3]], triangles: vec![[0, 0, 7]], material: BLACK, flat: false });
    assert!(says(&scene).contains("meshes[0].triangles[0] = [0, 0, 7]"));
    assert!(render(&good, &camera(), &flat(0, 48)).is_err());
    assert!(encode_gif(&[], &GifOptions::default()).is_err());
    assert!(Sheet::new("", "", 0).compose().is_err());
    assert!(Image::new(2, 2, [0; 3]).write_png("/nowhere/at/all.png").unwrap_err().to_string().contains("/nowhere/at/all.png"));
}

#[test]
fn framing_is_tight_and_holds_every_frame() {
    let moving: Vec<Scene> = (0..5)
        .map(|k| Primitive::Sphere { center: [k as f32 * 0.7, 0.3 * k as f32, -0.4 * k as f32], radius: 0.4, material: BLACK })
        .map(|p| Scene { primitives: vec![p], ..Scene::default() })
        .collect();
    for direction in [[0.0, 0.0, -1.0], [0.6, -0.4, -1.0], [0.0, -1.0, 0.0], [-1.0, 0.2, 0.3]] {
        let camera = Camera::fit(&moving, direction, 160, 120);
        let (mut low, mut high) = ([160u32, 120], [0u32, 0]);
        for scene in &moving {
            let image = render(scene, &camera, &flat(160, 120)).unwrap();
            for (i, _) in image.pixels.iter().enumerate().filter(|(_, p)| p[0] < 100) {
                let at = [i as u32 % 160, i as u32 / 160];
                low = [low[0].min(at[0]), low[1].min(at[1])];
                high = [high[0].max(at[0]), high[1].max(at[1])];
            }
        }
        let (x, y) = ((high[0] - low[0]) as f32 / 160.0, (high[1] - low[1]) as f32 / 120.0);
        assert!(x.max(y) > 0.82 && x.max(y) < 0.92, "direction {direction:?} fills {x} × {y}");
        assert!(low[0] > 2 && low[1] > 2 && high[0] < 157 && high[1] < 117);
    }
}

#[test]
fn threads_do_not_change_a_byte() {
    let points: Vec<[f32; 3]> =
        (0..4000).map(|i| [(i % 80) as f32 * 0.01 - 0.4, (i / 80) as f32 * 0.01, ((i * 7) % 13) as f32 * 0.01]).collect();
    let set =
        CurveSet { counts: vec![8; 500], points, material: Material::hair([0.5, 0.3, 0.2]), smooth: true, ..CurveSet::default() };
    let floor = Primitive::Plane { point: [0.0, -0.1, 0.0], normal: [0.0, 1.0, 0.0], grid: 0.1 };
    let scene = Scene { curves: vec![set], primitives: vec![floor], ..Scene::default() };
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| render(&scene, &camera(), &Options { width: 160, height: 120, ..Options::default() }).unwrap())
    };
    let first = run(1);
    assert!(first == run(2) && first == run(5) && first == run(1));
}
