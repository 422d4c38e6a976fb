//! What the pictures show: order in depth, areas, darkness, shadows, patterns.

use super::*;
use crate::render::raster::{TILE, Tile, cover};
use crate::render::strand::Segment;

#[test]
fn a_red_sphere_hides_the_blue_one_behind_it() {
    let sphere = |z, radius, color| Primitive::Sphere { center: [0.0, 0.0, z], radius, material: Material::matte(color) };
    let (red, blue) = (sphere(1.0, 0.3, [0.9, 0.1, 0.1]), sphere(-1.0, 0.8, [0.1, 0.1, 0.9]));
    for primitives in [vec![red, blue], vec![blue, red]] {
        let image = render(&Scene { primitives, ..Scene::default() }, &camera(), &flat(160, 120)).unwrap();
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
        scene.primitives.push(Primitive::Sphere { center: [0.0; 3], radius: 0.3, material: Material::matte([0.9, 0.1, 0.1]) });
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
        assert!((got / expected - 1.0).abs() < 0.02, "angle {angle}: {got} of {expected} pixels");
    }
}

#[test]
fn a_pieces_areas_sum_to_length_times_width() {
    let tile = Tile { x: 0, y: 0, triangles: &[], segments: &[] };
    let farthest = vec![0.0; TILE * TILE];
    for k in 0..64 {
        let angle = k as f32 * 0.0981;
        for width in [0.01, 0.1, 0.7, 2.3] {
            let (middle, half) = (Vec3::new(15.3, 16.8, 0.0), Vec3::new(angle.cos(), angle.sin(), 0.0) * 9.7);
            let mut fragments = Vec::new();
            let (a, b) = (middle - half + Vec3::Z, middle + half + Vec3::Z);
            cover(&Segment { a, b, color_a: Vec3::ZERO, color_b: Vec3::ZERO, width }, &tile, &farthest, &mut fragments);
            let sum: f32 = fragments.iter().map(|f| f.alpha).sum();
            let expected = 19.4 * width;
            assert!((sum / expected - 1.0).abs() < 5e-3, "angle {angle}, width {width}: {sum} of {expected}");
        }
    }
}

#[test]
fn a_sub_pixel_strand_is_as_dark_as_it_is_wide() {
    let options = flat(640, 480);
    let pixel = 1.0 / pixels_a_metre(&options);
    let points: Vec<[f32; 3]> = (0..40).map(|i| i as f32 / 39.0).map(|s| [s - 0.5, 0.4 * (3.0 * s).sin() - 0.2, 0.0]).collect();
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
    assert!((1..160).all(|x| column(x) == column(0)), "a level strand looks the same in every column");
}

#[test]
fn a_ball_on_the_floor_casts_a_shadow() {
    let floor = Primitive::Plane { point: [0.0, -0.3, 0.0], normal: [0.0, 1.0, 0.0], grid: 0.0 };
    let ball = Primitive::Sphere { center: [0.0; 3], radius: 0.3, material: Material::default() };
    let camera = Camera { eye: Vec3::new(0.0, 2.0, 4.0), ..camera() };
    let draw = |primitives, shadows| {
        let options = Options { width: 160, height: 120, background: Some([0.7; 3]), shadows };
        render(&Scene { primitives, ..Scene::default() }, &camera, &options).unwrap()
    };
    let (bare, lit, unlit) = (draw(vec![floor], true), draw(vec![floor, ball], true), draw(vec![floor, ball], false));
    // The light comes over the left shoulder: the shadow lies behind the ball, on the right.
    let darker = (0..120).flat_map(|y| (0..160).map(move |x| (x, y))).filter(|&(x, y)| lit.get(x, y)[0] + 25 < bare.get(x, y)[0]);
    let outside: Vec<(u32, u32)> = darker.filter(|&(x, y)| unlit.get(x, y) == bare.get(x, y)).collect();
    let mean = outside.iter().map(|p| p.0 as f32).sum::<f32>() / outside.len() as f32;
    assert!(outside.len() > 100 && mean > 85.0, "{} dark pixels around column {mean}", outside.len());
    assert_eq!(lit.get(3, 115), bare.get(3, 115), "far away nothing changes");
}

#[test]
fn stripes_turn_with_the_frames() {
    let side = |d1: [f32; 3]| {
        let mut scene = strand(vec![[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 0.2, CurveStyle::Tube);
        scene.curves[0].frames = vec![d1];
        scene.curves[0].material =
            Material { pattern: Pattern::Stripes { count: 2, color: [0.9, 0.1, 0.1] }, ..Material::matte([0.1, 0.1, 0.9]) };
        let [r, _, b] = render(&scene, &camera(), &flat(160, 120)).unwrap().get(80, 60);
        r > b
    };
    assert!(side([0.0, 0.0, 1.0]), "a stripe lies along d1, here toward the camera");
    assert!(!side([0.0, 1.0, 0.0]), "a quarter turn shows the ground colour");
}

#[test]
fn a_ribbon_shows_two_sides_and_its_edge() {
    let seen = |d1: [f32; 3], half_thickness: f32| {
        let mut scene =
            strand(vec![[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]], 0.0, CurveStyle::Ribbon { half_width: 0.2, half_thickness });
        scene.curves[0].frames = vec![d1];
        scene.curves[0].material =
            Material { pattern: Pattern::TwoSided { color: [0.9, 0.1, 0.1] }, ..Material::matte([0.1, 0.1, 0.9]) };
        let image = render(&scene, &camera(), &flat(160, 120)).unwrap();
        let width = (0..160).filter(|&x| image.get(x, 60) != [128; 3]).count() as f32;
        let [r, _, b] = image.get(80, 60);
        (r > b, width)
    };
    // d2 = t × d1 is the front's normal: t = y, d1 = x gives −z, away from the camera.
    let across = 0.4 * pixels_a_metre(&flat(160, 120));
    let (back, wide) = seen([1.0, 0.0, 0.0], 0.01);
    let (front, _) = seen([-1.0, 0.0, 0.0], 0.01);
    assert!(back && !front && (wide - across).abs() < 2.0, "{back} {front} {wide} {across}");
    let (_, thin) = seen([0.0, 0.0, 1.0], 0.05);
    assert!((thin - 0.25 * across).abs() < 2.5, "{thin}");
}
