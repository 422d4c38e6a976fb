//! Draws what the preview renderer can do: `cargo run --release --example preview_gallery [OUT_DIR [FILE…]]`.
//!
//! Without files everything is made here. `.tfx` and `.obj` files are drawn together, read in the plainest way: the library has the real
//! readers.

use glam::{Quat, Vec3};
use std::f32::consts::{PI, TAU};
use std::time::Instant;
use withy_cli::render::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let out = std::path::PathBuf::from(args.next().unwrap_or_else(|| "out".into()));
    std::fs::create_dir_all(&out)?;
    let files: Vec<String> = args.collect();
    let mut scenes = vec![
        ("hairdo", hairdo(0.0), [0.45, -0.12, -1.0]),
        ("rope", rope(), [-0.3, -0.45, -1.0]),
        ("ribbon", ribbon(), [-0.35, -0.3, -1.0]),
        ("primitives", primitives(), [-0.35, -0.4, -1.0]),
    ];
    if !files.is_empty() {
        scenes.push(("groom", groom(&files)?, [0.6, -0.1, -1.0]));
    }
    let options = Options::default();
    for (name, scene, direction) in &scenes {
        let camera = Camera::fit([scene], *direction, options.width, options.height);
        let start = Instant::now();
        let image = render(scene, &camera, &options)?;
        println!("{name}: {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
        image.write_png(out.join(format!("{name}.png")))?;
    }
    swing(&out)?;
    plots(&out)
}

/// Ten frames of the hairdo in a sway, as a sheet and as a GIF.
fn swing(out: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    let frames: Vec<Scene> = (0..24).map(|i| hairdo((i as f32 / 24.0 * TAU).sin() * 0.05)).collect();
    let options = Options { width: 480, height: 360, ..Options::default() };
    let camera = Camera::fit(&frames, [0.45, -0.12, -1.0], options.width, options.height);
    let images = frames.iter().map(|s| render(s, &camera, &options)).collect::<Result<Vec<_>, _>>()?;
    let mut sheet = Sheet::new("Sway", "4,700 strands × 16 vertices", 4);
    for (i, image) in images.iter().enumerate().step_by(3) {
        sheet.push_frame(image.clone(), i as u32, i as f64 / 24.0);
    }
    sheet.compose()?.write_png(out.join("sheet.png"))?;
    let gif = encode_gif(&images, &GifOptions { fps: 25.0, ..GifOptions::default() })?;
    println!("gif: {} kB", gif.len() / 1000);
    std::fs::write(out.join("sway.gif"), gif)?;
    Ok(())
}

fn noise(i: u32, salt: u32) -> f32 {
    let mut v = i.wrapping_mul(0x9E37_79B9) ^ salt.wrapping_mul(0x85EB_CA6B);
    v = (v ^ (v >> 15)).wrapping_mul(0x2C1B_3C6D);
    v = (v ^ (v >> 12)).wrapping_mul(0x297A_2D39);
    (v ^ (v >> 15)) as f32 / u32::MAX as f32
}

/// 4,700 strands with 16 vertices on an egg-shaped head with 8,000 triangles.
fn hairdo(sway: f32) -> Scene {
    let size = Vec3::new(0.075, 0.105, 0.095);
    let mut set = CurveSet {
        radii: Radii::Tapered { root: 0.00035, tip: 0.00018 },
        style: CurveStyle::Hair,
        material: Material::hair([0.46, 0.27, 0.15]),
        smooth: true,
        ..CurveSet::default()
    };
    let mut i = 0;
    while set.counts.len() < 4700 {
        // A spiral over the sphere, without face and neck.
        i += 1;
        let y = 1.0 - 1.35 * (i as f32 + 0.5) / 7200.0;
        let angle = i as f32 * 2.399_963;
        let n = Vec3::new((1.0 - y * y).max(0.0).sqrt() * angle.cos(), y, (1.0 - y * y).max(0.0).sqrt() * angle.sin());
        if n.z > 0.35 && n.y < 0.72 + 0.1 * n.x {
            continue;
        }
        let root = n * size;
        let part = if n.x > -0.25 { 1.0 } else { -1.0 };
        let out = (n + Vec3::new(0.5 * part * n.y.max(0.0), 0.15, -0.15)).normalize();
        let long = 0.30 + 0.05 * noise(i, 1);
        let lock = (i as f32 * 0.013).sin() + noise(i / 40, 2);
        let mut p = root;
        let mut v = out;
        for k in 0..16 {
            set.points.push(p.into());
            let s = k as f32 / 15.0;
            let wave = Vec3::new((s * 11.0 + lock * 3.0).sin(), 0.0, (s * 11.0 + lock * 3.0 + 1.4).cos()) * 0.18 * s;
            let stray = Vec3::new(noise(i, 3) - 0.5, 0.0, noise(i, 4) - 0.5) * 0.22;
            v = (v * 0.74 + Vec3::new(sway * 6.0 * s, -0.30, 0.0) + 0.35 * wave + 0.12 * stray).normalize();
            p += v * (long / 15.0);
            // Slide along the head instead of through it.
            let q = p / (size * 1.045);
            if q.length() < 1.0 {
                p = q.normalize() * size * 1.045;
            }
        }
        set.counts.push(16);
    }
    Scene { curves: vec![set], meshes: vec![egg(size, 64)], ..Scene::default() }
}

fn egg(size: Vec3, rings: u32) -> Mesh {
    let mut mesh = Mesh { material: Material { roughness: 0.5, ..Material::matte([0.87, 0.74, 0.66]) }, ..Mesh::default() };
    for r in 0..=rings {
        for c in 0..rings {
            let (lat, lon) = (PI * r as f32 / rings as f32, TAU * c as f32 / rings as f32);
            let n = Vec3::new(lat.sin() * lon.cos(), lat.cos(), lat.sin() * lon.sin());
            let jaw = 1.0 - 0.22 * (-n.y).max(0.0);
            mesh.points.push((n * size * Vec3::new(jaw, 1.0, jaw)).into());
            if r < rings {
                let (a, b) = (r * rings + c, r * rings + (c + 1) % rings);
                mesh.triangles.push([a, b, b + rings]);
                mesh.triangles.push([a, b + rings, a + rings]);
            }
        }
    }
    mesh
}

fn ground(y: f32, grid: f32) -> Primitive {
    Primitive::Plane { point: [0.0, y, 0.0], normal: [0.0, 1.0, 0.0], grid }
}

/// A laid rope that rises in a helix, and a striped rod beside it whose frames twist three times.
fn rope() -> Scene {
    let n = 160;
    let helix: Vec<[f32; 3]> = (0..n)
        .map(|i| {
            let s = i as f32 / (n - 1) as f32;
            let a = s * TAU * 3.0;
            [0.22 * a.cos(), 0.03 + 0.30 * s, 0.22 * a.sin()]
        })
        .collect();
    let rope = CurveSet {
        counts: vec![n as u32],
        points: helix,
        radii: Radii::Uniform(0.02),
        material: Material::rope([0.78, 0.66, 0.46], [0.70, 0.30, 0.22], 0.16),
        ..CurveSet::default()
    };
    let m = 60;
    let points: Vec<[f32; 3]> = (0..m).map(|i| [-0.45 + 0.9 * i as f32 / (m - 1) as f32, 0.016, 0.36]).collect();
    let frames = (0..m - 1).map(|i| Quat::from_rotation_x(TAU * 3.0 * i as f32 / m as f32) * Vec3::Y).map(Into::into).collect();
    let rod = CurveSet {
        counts: vec![m as u32],
        points,
        frames,
        radii: Radii::Uniform(0.015),
        material: Material {
            pattern: Pattern::Stripes { count: 2, color: [0.95, 0.95, 0.93] },
            ..Material::plastic([0.16, 0.36, 0.62])
        },
        ..CurveSet::default()
    };
    Scene { curves: vec![rope, rod], primitives: vec![ground(0.0, 0.1)], ..Scene::default() }
}

/// A gift ribbon: wound with its width across the bending, as a real one must be, and turned over once.
fn ribbon() -> Scene {
    let n = 240;
    let at = |i: usize| {
        let s = i as f32 / (n - 1) as f32;
        let a = s * TAU * 2.2;
        let r = 0.10 + 0.05 * (s * PI).sin();
        Vec3::new(-0.38 + 0.76 * s, 0.19 + r * a.cos(), r * a.sin())
    };
    let points: Vec<[f32; 3]> = (0..n).map(|i| at(i).into()).collect();
    let frames = (0..n - 1)
        .map(|i| {
            let t = (at(i + 1) - at(i)).normalize();
            let across = (Vec3::X - t * t.x).normalize();
            let s = ((i as f32 / n as f32 - 0.30) / 0.36).clamp(0.0, 1.0);
            (Quat::from_axis_angle(t, PI * s * s * (3.0 - 2.0 * s)) * across).into()
        })
        .collect();
    let set = CurveSet {
        counts: vec![n as u32],
        points,
        frames,
        style: CurveStyle::Ribbon { half_width: 0.03, half_thickness: 0.001 },
        material: Material { pattern: Pattern::TwoSided { color: [0.93, 0.72, 0.30] }, ..Material::plastic([0.72, 0.16, 0.22]) },
        ..CurveSet::default()
    };
    Scene { curves: vec![set], primitives: vec![ground(0.0, 0.1)], ..Scene::default() }
}

fn primitives() -> Scene {
    let q = Quat::from_rotation_y(0.6);
    let lines = (0..3)
        .map(|k| {
            let mut color = [0.1; 3];
            let mut b = [-0.32, 0.002, 0.25];
            color[k] = 0.8;
            b[k] += 0.1;
            DebugLine { a: [-0.32, 0.002, 0.25], b, color, width: 2.0 }
        })
        .collect();
    Scene {
        primitives: vec![
            Primitive::Sphere { center: [-0.18, 0.1, 0.0], radius: 0.1, material: Material::plastic([0.75, 0.22, 0.18]) },
            Primitive::Capsule {
                a: [0.28, 0.05, -0.05],
                b: [0.20, 0.27, -0.12],
                radius: 0.05,
                material: Material::matte([0.30, 0.50, 0.42]),
            },
            Primitive::Cuboid {
                center: [0.06, 0.07, 0.08],
                half_extents: [0.09, 0.07, 0.06],
                rotation: q.to_array(),
                material: Material::plastic([0.25, 0.42, 0.68]),
            },
            Primitive::Cuboid {
                center: [0.06, 0.165, 0.08],
                half_extents: [0.05, 0.025, 0.05],
                rotation: Quat::from_rotation_y(-0.3).to_array(),
                material: Material::matte([0.90, 0.75, 0.40]),
            },
            ground(0.0, 0.1),
        ],
        lines,
        ..Scene::default()
    }
}

/// TressFX 3: a header of 296 bytes (version, strands, vertices a strand), then positions with three floats a vertex, centimetres.
fn groom(files: &[String]) -> Result<Scene, Box<dyn std::error::Error>> {
    let mut set = CurveSet {
        radii: Radii::Tapered { root: 0.0004, tip: 0.0002 },
        style: CurveStyle::Hair,
        material: Material::hair([0.55, 0.30, 0.14]),
        smooth: true,
        ..CurveSet::default()
    };
    let mut head = Mesh { material: Material::matte([0.80, 0.68, 0.61]), ..Mesh::default() };
    for file in files {
        if file.ends_with(".obj") {
            read_obj(&std::fs::read_to_string(file)?, &mut head);
            continue;
        }
        let bytes = std::fs::read(file)?;
        let word = |i: usize| bytes.get(4 * i..4 * i + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let (strands, vertices) = (word(1).ok_or("short file")?, word(2).ok_or("short file")?);
        let stride = (bytes.len() - 296) / 4 / (strands as usize * vertices as usize).max(1);
        let float = |i: usize| word(74 + i).map(f32::from_bits).ok_or("short file");
        for s in 0..strands as usize {
            for v in 0..vertices as usize {
                let at = (s * vertices as usize + v) * stride;
                set.points.push([0.01 * float(at)?, 0.01 * float(at + 1)?, 0.01 * float(at + 2)?]);
            }
            set.counts.push(vertices);
        }
    }
    Ok(Scene { curves: vec![set], meshes: vec![head], ..Scene::default() })
}

/// Positions and faces only, centimetres.
fn read_obj(text: &str, mesh: &mut Mesh) {
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let v: Vec<f32> = words.filter_map(|w| w.parse().ok()).collect();
                if let [x, y, z, ..] = v[..] {
                    mesh.points.push([0.01 * x, 0.01 * y, 0.01 * z]);
                }
            }
            Some("f") => {
                let index = |w: &str| w.split('/').next()?.parse::<u32>().ok()?.checked_sub(1);
                let f: Vec<u32> = words.filter_map(index).collect();
                mesh.triangles.extend((2..f.len()).map(|k| [f[0], f[k - 1], f[k]]));
            }
            _ => {}
        }
    }
}

fn plots(out: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    let orders = Plot {
        title: "Error against step".into(),
        x_label: "edges".into(),
        y_label: "relative error of the tip".into(),
        log_x: true,
        log_y: true,
        series: [("first order", 1.0), ("second order", 2.0)]
            .map(|(name, order)| Series {
                name: name.into(),
                points: (2..9).map(|k| [2f64.powi(k), 0.8 / 2f64.powi(k).powf(order)]).collect(),
                markers: true,
                dashed: false,
            })
            .into(),
        ..Plot::default()
    };
    orders.draw()?.write_png(out.join("plot_orders.png"))?;
    let wave = |name: &str, decay: f64, dashed: bool| Series {
        name: name.into(),
        points: (0..200).map(|k| k as f64 * 0.05).map(|t| [t, (4.0 * t).cos() * (-decay * t).exp()]).collect(),
        markers: false,
        dashed,
    };
    let swing = Plot {
        title: "Pendulum".into(),
        x_label: "time in s".into(),
        y_label: "angle in rad".into(),
        series: vec![wave("free", 0.02, false), wave("damped", 0.3, false), wave("heavily damped", 1.0, true)],
        ..Plot::default()
    };
    swing.draw()?.write_png(out.join("plot_swing.png"))?;
    Ok(())
}
