//! The pictures are measured, not compared with stored ones: areas, darkness, order and counts have closed forms.

use super::raster::{TILE, Tile, cover};
use super::strand::Segment;
use super::*;
use glam::Vec3;

const GREY: [f32; 3] = [0.5; 3];
const BLACK: Material = Material {
    color: [0.0; 3],
    specular: 0.0,
    roughness: 1.0,
    variation: 0.0,
    pattern: Pattern::Plain,
};

fn flat(width: u32, height: u32) -> Options {
    Options {
        width,
        height,
        background: Some(GREY),
        shadows: false,
    }
}

/// At distance 4, looking along −z.
fn camera() -> Camera {
    Camera {
        eye: Vec3::Z * 4.0,
        target: Vec3::ZERO,
        fov_y: 0.5,
        scale: 1.0,
    }
}

/// Pixels a metre at the camera's target.
fn pixels_a_metre(options: &Options) -> f32 {
    0.5 * options.height as f32 / 0.25f32.tan() / 4.0
}

/// How much black covers the grey, in pixels.
fn covered(image: &Image) -> f32 {
    let grey = image::linear(GREY).x;
    image
        .pixels
        .iter()
        .map(|p| 1.0 - image::linear([p[0] as f32 / 255.0; 3]).x / grey)
        .filter(|c| c.abs() > 0.01)
        .sum()
}

fn strand(points: Vec<[f32; 3]>, radius: f32, style: CurveStyle) -> Scene {
    let set = CurveSet {
        counts: vec![points.len() as u32],
        points,
        radii: Radii::Uniform(radius),
        style,
        material: BLACK,
        ..CurveSet::default()
    };
    Scene {
        curves: vec![set],
        ..Scene::default()
    }
}

#[test]
fn a_red_sphere_hides_the_blue_one_behind_it() {
    let sphere = |z, radius, color| Primitive::Sphere {
        center: [0.0, 0.0, z],
        radius,
        material: Material::matte(color),
    };
    let (red, blue) = (sphere(1.0, 0.3, [0.9, 0.1, 0.1]), sphere(-1.0, 0.8, [0.1, 0.1, 0.9]));
    for primitives in [vec![red, blue], vec![blue, red]] {
        let image = render(
            &Scene {
                primitives,
                ..Scene::default()
            },
            &camera(),
            &flat(160, 120),
        )
        .unwrap();
        let [r, _, b] = image.get(80, 60);
        assert!(r > 2 * b, "the middle is red");
        let [r, _, b] = image.get(80 - 33, 60);
        assert!(b > 2 * r, "beside it is blue");
        assert_eq!(image.get(2, 2), [128; 3], "the corner is background");
    }
}

#[test]
fn hair_is_hidden_by_a_body_and_hides_it() {
    for (z, hidden) in [(-0.5, true), (0.5, false)] {
        let mut scene = strand(vec![[-1.0, 0.0, z], [1.0, 0.0, z]], 0.02, CurveStyle::Hair);
        scene.primitives.push(Primitive::Sphere {
            center: [0.0; 3],
            radius: 0.3,
            material: Material::matte([0.9, 0.1, 0.1]),
        });
        let image = render(&scene, &camera(), &flat(160, 120)).unwrap();
        assert_eq!(image.get(80, 60)[0] > 60, hidden, "strand at z = {z}");
        assert!(image.get(40, 60)[0] < 60, "beside the body the strand is always seen");
    }
}

#[test]
fn a_tube_covers_its_area() {
    let options = flat(640, 480);
    let (radius, length) = (0.05, 1.2);
    for angle in [0.0f32, 0.3, 1.1] {
        let end = [0.5 * length * angle.cos(), 0.5 * length * angle.sin(), 0.0];
        let scene = strand(vec![end.map(|v| -v), [0.0; 3], end], radius, CurveStyle::Tube);
        let got = covered(&render(&scene, &camera(), &options).unwrap());
        // A rectangle and two half discs.
        let expected = (2.0 * radius * length + std::f32::consts::PI * radius * radius) * pixels_a_metre(&options).powi(2);
        assert!(
            (got / expected - 1.0).abs() < 0.02,
            "angle {angle}: {got} of {expected} pixels"
        );
    }
}

#[test]
fn a_pieces_areas_sum_to_length_times_width() {
    let tile = Tile {
        x: 0,
        y: 0,
        triangles: &[],
        segments: &[],
    };
    let farthest = vec![0.0; TILE * TILE];
    for k in 0..64 {
        let angle = k as f32 * 0.0981;
        for width in [0.01, 0.1, 0.7, 2.3] {
            let (middle, half) = (Vec3::new(15.3, 16.8, 0.0), Vec3::new(angle.cos(), angle.sin(), 0.0) * 9.7);
            let mut fragments = Vec::new();
            let (a, b) = (middle - half + Vec3::Z, middle + half + Vec3::Z);
            cover(
                &Segment {
                    a,
                    b,
                    color_a: Vec3::ZERO,
                    color_b: Vec3::ZERO,
                    width,
                },
                &tile,
                &farthest,
                &mut fragments,
            );
            let sum: f32 = fragments.iter().map(|f| f.alpha).sum();
            let expected = 19.4 * width;
            assert!(
                (sum / expected - 1.0).abs() < 5e-3,
                "angle {angle}, width {width}: {sum} of {expected}"
            );
        }
    }
}

#[test]
fn a_sub_pixel_strand_is_as_dark_as_it_is_wide() {
    let options = flat(640, 480);
    let pixel = 1.0 / pixels_a_metre(&options);
    let points: Vec<[f32; 3]> = (0..40)
        .map(|i| i as f32 / 39.0)
        .map(|s| [s - 0.5, 0.4 * (3.0 * s).sin() - 0.2, 0.0])
        .collect();
    let length: f32 = points.windows(2).map(|w| Vec3::from(w[0]).distance(w[1].into())).sum();
    for width in [0.15f32, 0.3, 0.6, 0.9] {
        let scene = strand(points.clone(), 0.5 * width * pixel, CurveStyle::Hair);
        let got = covered(&render(&scene, &camera(), &options).unwrap());
        let expected = length / pixel * width;
        assert!((got / expected - 1.0).abs() < 0.04, "width {width} px: {got} of {expected}");
    }
}

#[test]
fn a_crossing_of_tiles_leaves_no_seam() {
    let scene = strand(vec![[-2.0, 0.013, 0.0], [2.0, 0.013, 0.0]], 0.02, CurveStyle::Hair);
    let image = render(&scene, &camera(), &flat(160, 120)).unwrap();
    let column = |x: u32| (0..120).map(|y| image.get(x, y)[0] as u32).collect::<Vec<_>>();
    assert!(
        (1..160).all(|x| column(x) == column(0)),
        "a level strand looks the same in every column"
    );
}

#[test]
fn bad_points_are_skipped() {
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, f32::MAX, -0.0];
    for (k, &v) in bad.iter().enumerate() {
        for style in [
            CurveStyle::Auto,
            CurveStyle::Hair,
            CurveStyle::Tube,
            CurveStyle::Ribbon {
                half_width: v,
                half_thickness: 0.01,
            },
        ] {
            let points = vec![
                [-0.5, 0.0, 0.0],
                [-0.3, 0.1, 0.0],
                [v, v, 0.0],
                [0.3, 0.1, 0.0],
                [0.5, 0.0, 0.0],
            ];
            let mut scene = strand(points.clone(), 0.05, style);
            scene.curves[0].smooth = k % 2 == 0;
            scene.curves[0].frames = vec![[v; 3]; 4];
            scene.curves.push(CurveSet {
                radii: Radii::PerPoint(vec![v; 5]),
                ..scene.curves[0].clone()
            });
            let triangles = vec![[0, 1, 2], [0, 1, 3], [2, 2, 2]];
            scene.meshes.push(Mesh {
                points,
                triangles,
                material: Material {
                    roughness: v,
                    specular: v,
                    ..BLACK
                },
            });
            scene.primitives = vec![
                Primitive::Sphere {
                    center: [0.0; 3],
                    radius: v,
                    material: BLACK,
                },
                Primitive::Capsule {
                    a: [v; 3],
                    b: [0.0; 3],
                    radius: 0.1,
                    material: BLACK,
                },
                Primitive::Cuboid {
                    center: [0.0; 3],
                    half_extents: [v; 3],
                    rotation: [v; 4],
                    material: BLACK,
                },
                Primitive::Plane {
                    point: [0.0, -1.0, 0.0],
                    normal: [v, 1.0, 0.0],
                    grid: v,
                },
            ];
            scene.lines.push(DebugLine {
                a: [v; 3],
                b: [1.0; 3],
                color: [v; 3],
                width: v,
            });
            let fitted = Camera::fit([&scene], [v, -0.3, -1.0], 64, 48);
            for camera in [camera(), fitted] {
                render(
                    &scene,
                    &camera,
                    &Options {
                        width: 64,
                        height: 48,
                        ..Options::default()
                    },
                )
                .unwrap();
            }
        }
    }
    // The rest of a curve with one bad point is drawn.
    let points = vec![
        [-0.8, 0.0, 0.0],
        [-0.4, 0.0, 0.0],
        [f32::NAN; 3],
        [0.4, 0.0, 0.0],
        [0.8, 0.0, 0.0],
    ];
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
    });
    let image = render(&scene, &camera(), &flat(64, 48)).unwrap();
    assert!(
        covered(&image) > 300.0,
        "the floor fills the lower part, although two of its corners lie behind the camera"
    );
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
    scene.meshes.push(Mesh {
        points: vec![[0.0; 3]],
        triangles: vec![[0, 0, 7]],
        material: BLACK,
    });
    assert!(says(&scene).contains("meshes[0].triangles[0] = [0, 0, 7]"));
    assert!(render(&good, &camera(), &flat(0, 48)).is_err());
    assert!(encode_gif(&[], &GifOptions::default()).is_err());
    assert!(Sheet::new("", "", 0).compose().is_err());
    assert!(
        Image::new(2, 2, [0; 3])
            .write_png("/nowhere/at/all.png")
            .unwrap_err()
            .to_string()
            .contains("/nowhere/at/all.png")
    );
}

#[test]
fn framing_is_tight_and_holds_every_frame() {
    let moving: Vec<Scene> = (0..5)
        .map(|k| Primitive::Sphere {
            center: [k as f32 * 0.7, 0.3 * k as f32, -0.4 * k as f32],
            radius: 0.4,
            material: BLACK,
        })
        .map(|p| Scene {
            primitives: vec![p],
            ..Scene::default()
        })
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
fn a_ball_on_the_floor_casts_a_shadow() {
    let floor = Primitive::Plane {
        point: [0.0, -0.3, 0.0],
        normal: [0.0, 1.0, 0.0],
        grid: 0.0,
    };
    let ball = Primitive::Sphere {
        center: [0.0; 3],
        radius: 0.3,
        material: Material::default(),
    };
    let camera = Camera {
        eye: Vec3::new(0.0, 2.0, 4.0),
        ..camera()
    };
    let draw = |primitives, shadows| {
        let options = Options {
            width: 160,
            height: 120,
            background: Some([0.7; 3]),
            shadows,
        };
        render(
            &Scene {
                primitives,
                ..Scene::default()
            },
            &camera,
            &options,
        )
        .unwrap()
    };
    let (bare, lit, unlit) = (
        draw(vec![floor], true),
        draw(vec![floor, ball], true),
        draw(vec![floor, ball], false),
    );
    // The light comes over the left shoulder: the shadow lies behind the ball, on the right.
    let darker = (0..120)
        .flat_map(|y| (0..160).map(move |x| (x, y)))
        .filter(|&(x, y)| lit.get(x, y)[0] + 25 < bare.get(x, y)[0]);
    let outside: Vec<(u32, u32)> = darker.filter(|&(x, y)| unlit.get(x, y) == bare.get(x, y)).collect();
    let mean = outside.iter().map(|p| p.0 as f32).sum::<f32>() / outside.len() as f32;
    assert!(
        outside.len() > 100 && mean > 85.0,
        "{} dark pixels around column {mean}",
        outside.len()
    );
    assert_eq!(lit.get(3, 115), bare.get(3, 115), "far away nothing changes");
}

#[test]
fn stripes_turn_with_the_frames() {
    let side = |d1: [f32; 3]| {
        let mut scene = strand(vec![[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 0.2, CurveStyle::Tube);
        scene.curves[0].frames = vec![d1];
        scene.curves[0].material = Material {
            pattern: Pattern::Stripes {
                count: 2,
                color: [0.9, 0.1, 0.1],
            },
            ..Material::matte([0.1, 0.1, 0.9])
        };
        let [r, _, b] = render(&scene, &camera(), &flat(160, 120)).unwrap().get(80, 60);
        r > b
    };
    assert!(side([0.0, 0.0, 1.0]), "a stripe lies along d1, here toward the camera");
    assert!(!side([0.0, 1.0, 0.0]), "a quarter turn shows the ground colour");
}

#[test]
fn a_ribbon_shows_two_sides_and_its_edge() {
    let seen = |d1: [f32; 3], half_thickness: f32| {
        let mut scene = strand(
            vec![[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]],
            0.0,
            CurveStyle::Ribbon {
                half_width: 0.2,
                half_thickness,
            },
        );
        scene.curves[0].frames = vec![d1];
        scene.curves[0].material = Material {
            pattern: Pattern::TwoSided { color: [0.9, 0.1, 0.1] },
            ..Material::matte([0.1, 0.1, 0.9])
        };
        let image = render(&scene, &camera(), &flat(160, 120)).unwrap();
        let width = (0..160).filter(|&x| image.get(x, 60) != [128; 3]).count() as f32;
        let [r, _, b] = image.get(80, 60);
        (r > b, width)
    };
    // d2 = t × d1 is the front's normal: t = y, d1 = x gives −z, away from the camera.
    let across = 0.4 * pixels_a_metre(&flat(160, 120));
    let (back, wide) = seen([1.0, 0.0, 0.0], 0.01);
    let (front, _) = seen([-1.0, 0.0, 0.0], 0.01);
    assert!(
        back && !front && (wide - across).abs() < 2.0,
        "{back} {front} {wide} {across}"
    );
    let (_, thin) = seen([0.0, 0.0, 1.0], 0.05);
    assert!((thin - 0.25 * across).abs() < 2.5, "{thin}");
}

#[test]
fn threads_do_not_change_a_byte() {
    let points: Vec<[f32; 3]> = (0..4000)
        .map(|i| {
            [
                (i % 80) as f32 * 0.01 - 0.4,
                (i / 80) as f32 * 0.01,
                ((i * 7) % 13) as f32 * 0.01,
            ]
        })
        .collect();
    let set = CurveSet {
        counts: vec![8; 500],
        points,
        material: Material::hair([0.5, 0.3, 0.2]),
        smooth: true,
        ..CurveSet::default()
    };
    let floor = Primitive::Plane {
        point: [0.0, -0.1, 0.0],
        normal: [0.0, 1.0, 0.0],
        grid: 0.1,
    };
    let scene = Scene {
        curves: vec![set],
        primitives: vec![floor],
        ..Scene::default()
    };
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            render(
                &scene,
                &camera(),
                &Options {
                    width: 160,
                    height: 120,
                    ..Options::default()
                },
            )
            .unwrap()
        })
    };
    let first = run(1);
    assert!(first == run(2) && first == run(5) && first == run(1));
}

#[test]
fn a_gif_decodes_to_its_frames() {
    let frames: Vec<Image> = (0..7)
        .map(|k| {
            let mut image = Image::new(60, 40, [220, 222, 225]);
            image.paste(&Image::new(10, 10, [200, 40, 30]), 5 + 6 * (k / 2), 10); // every second frame repeats
            image
        })
        .collect();
    let bytes = encode_gif(&frames, &GifOptions::default()).unwrap();
    let mut options = ::gif::DecodeOptions::new();
    options.set_color_output(::gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(&bytes[..]).unwrap();
    let mut screen = vec![[0u8; 3]; 60 * 40];
    let mut count = 0;
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!(frame.delay, 4);
        for (i, p) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, p)| p[3] > 0) {
            let (x, y) = (
                i % frame.width as usize + frame.left as usize,
                i / frame.width as usize + frame.top as usize,
            );
            screen[y * 60 + x] = [p[0], p[1], p[2]];
        }
        let off = screen
            .iter()
            .zip(&frames[count].pixels)
            .flat_map(|(a, b)| (0..3).map(|c| a[c].abs_diff(b[c])))
            .max()
            .unwrap();
        assert!(off <= 8, "frame {count} is off by {off}");
        count += 1;
    }
    assert_eq!(count, frames.len());
}

#[test]
fn a_png_comes_back_as_it_was() {
    let mut image = Image::new(31, 17, [10, 20, 30]);
    image.blend(5, 6, [255, 0, 128], 1.0);
    let bytes = image.encode_png().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    assert_eq!(pixels, image.pixels.as_flattened());
}

#[test]
fn a_sheet_holds_frames_and_captions() {
    let mut sheet = Sheet::new("Title", "words", 3);
    for k in 0..5 {
        sheet.push_frame(Image::new(120, 90, [40 * k as u8, 0, 200]), k, k as f64 / 60.0);
    }
    let image = sheet.compose().unwrap();
    for k in 0..5u8 {
        assert_eq!(
            image.pixels.iter().filter(|p| **p == [40 * k, 0, 200]).count(),
            120 * 90,
            "frame {k}"
        );
    }
    let dark = image
        .pixels
        .iter()
        .filter(|p| p.iter().all(|&v| v < 200) && p[2] != 200)
        .count();
    assert!(dark > 200, "title and captions leave ink: {dark}");
    sheet.push(Image::new(7, 7, [0; 3]), "");
    assert!(sheet.compose().unwrap_err().to_string().contains("frame 5"));
}

#[test]
fn a_plot_draws_its_lines_where_they_belong() {
    let series = Series {
        points: vec![[0.0, 0.0], [1.0, 1.0]],
        ..Series::default()
    };
    let image = Plot {
        series: vec![series.clone()],
        ..Plot::default()
    }
    .draw()
    .unwrap();
    let blue = |p: &[u8; 3]| p[2] > 120 && p[0] < 90;
    let at: Vec<[i32; 2]> = image
        .pixels
        .iter()
        .enumerate()
        .filter(|(_, p)| blue(p))
        .map(|(i, _)| [i as i32 % 800, i as i32 / 800])
        .collect();
    assert!(at.len() > 600);
    let (a, b) = (
        at.iter().min_by_key(|p| p[0]).unwrap(),
        at.iter().max_by_key(|p| p[0]).unwrap(),
    );
    assert!(a[1] > b[1] + 300, "it rises to the right: {a:?} {b:?}");
    // A straight line in both scales: 1/x² against decades.
    let points = (0..5)
        .map(|k| [10f64.powi(k), 10f64.powi(-2 * k)])
        .chain([[f64::NAN, 1.0], [-1.0, 1.0], [1.0, 0.0]])
        .collect();
    let log = Plot {
        log_x: true,
        log_y: true,
        series: vec![Series { points, ..series }],
        ..Plot::default()
    };
    log.draw().unwrap();
    Plot::default().draw().unwrap();
    assert!(
        Plot {
            width: 10,
            ..Plot::default()
        }
        .draw()
        .is_err()
    );
    for bad in [f64::NAN, f64::INFINITY, 1e308, -1e308, 5e-324, 0.0] {
        for log_y in [false, true] {
            let points = vec![[bad, bad], [0.0, bad], [1.0, 1.0]];
            Plot {
                log_y,
                series: vec![Series {
                    points,
                    ..Series::default()
                }],
                ..Plot::default()
            }
            .draw()
            .unwrap();
        }
    }
}
