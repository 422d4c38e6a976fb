//! Ropes of n arcs, clamped at one end: under a small load on the tip they bend by P L³/3B · (1 − 1/4n²); under a large one they come near
//! the elastica, here integrated by itself.

use super::*;
use crate::render::{Plot, Series};
use crate::scenes::stage::Figure;
use withy::world::{ArcDesc, BodyDesc, JointDesc, ShapeDesc};

/// Length, m, and bending stiffness, N m².
const LENGTH: f64 = 1.0;
const BEND: f64 = 1.0;
/// kg, kg m²
const MASS: f64 = 0.1;
const INERTIA: f64 = 1e-3;
/// s
const VISCOSITY: f64 = 0.3;

/// A rope along z, and the deflections of its joints' ends: forward and down, m.
pub struct Rope {
    pub world: World,
    pub joints: Vec<Id>,
    bodies: Vec<Id>,
}

impl Rope {
    /// `load`: P L²/B of the tip's weight.
    pub fn new(n: usize, load: f64) -> Result<Rope> {
        let g = load * BEND / (LENGTH * LENGTH) / MASS;
        let desc =
            WorldDesc { gravity: [0.0, -g, 0.0], substeps: 32, iterations: 10, double_precision: true, ..WorldDesc::default() };
        let mut world = World::new(desc)?;
        let part = LENGTH / n as f64;
        let mut rope = Vec::new();
        let mut joints = Vec::new();
        for k in 1..=n {
            let body = BodyDesc {
                pose: Pose { position: [0.0, 0.0, part * k as f64], ..Pose::IDENTITY },
                shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.2 * part }, ..ShapeDesc::default() }],
                inertia: Some(([0.0; 3], [INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0])),
                mass: MASS,
                gravity_scale: if k == n { 1.0 } else { 0.0 },
                angular_damping: 0.0,
                group: 1,
                can_sleep: false,
                ..BodyDesc::default()
            };
            let b = world.add_body(&body)?;
            let a = rope.last().copied();
            joints.push(world.add_joint(&JointDesc {
                a,
                b,
                frame_a: Pose::IDENTITY,
                frame_b: Pose::IDENTITY,
                kind: JointKind::Arc(ArcDesc {
                    length: part,
                    bend: [BEND; 2],
                    twist: BEND,
                    viscosity: VISCOSITY,
                    ..ArcDesc::default()
                }),
                motor: None,
                collide: false,
            })?);
            rope.push(b);
        }
        Ok(Rope { world, joints, bodies: rope })
    }

    /// Forward and down, m, once nothing moves.
    pub fn settle(&mut self) -> Result<[f64; 2]> {
        let tip = self.bodies[self.bodies.len() - 1];
        let mut last = [0.0; 3];
        for k in 0..20_000 {
            step(&mut self.world)?;
            let p = self.world.body_pose(tip)?.position;
            if k % 60 == 59 {
                if DVec3::from(p).distance(DVec3::from(last)) < 1e-9 {
                    break;
                }
                last = p;
            }
        }
        let p = self.world.body_pose(tip)?.position;
        Ok([p[2], -p[1]])
    }
}

/// The clamped rod of length 1 under the load P L²/B: B θ'' = −P cos θ, θ(0) = 0, θ'(1) = 0; points forward and down.
pub fn elastica(load: f64) -> Vec<[f64; 2]> {
    const N: usize = 2000;
    let h = 1.0 / N as f64;
    let run = |curvature: f64| {
        let f = |s: [f64; 4]| [s[1], -load * s[0].cos(), s[0].cos(), s[0].sin()];
        let add = |a: [f64; 4], b: [f64; 4], t: f64| std::array::from_fn::<f64, 4, _>(|k| a[k] + t * b[k]);
        let mut s = [0.0, curvature, 0.0, 0.0];
        let mut points = vec![[0.0, 0.0]];
        for _ in 0..N {
            let k1 = f(s);
            let k2 = f(add(s, k1, 0.5 * h));
            let k3 = f(add(s, k2, 0.5 * h));
            let k4 = f(add(s, k3, h));
            for k in 0..4 {
                s[k] += h / 6.0 * (k1[k] + 2.0 * k2[k] + 2.0 * k3[k] + k4[k]);
            }
            points.push([s[2], s[3]]);
        }
        (s[1], points)
    };
    // The curvature at the clamp is between 0 and that of a stiff rod.
    let (mut low, mut high) = (0.0, load);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if run(middle).0 > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    run(0.5 * (low + high)).1
}

/// Relative error of n arcs under a small load.
pub fn error(n: usize) -> Result<f64> {
    const SMALL: f64 = 0.003;
    let [_, down] = Rope::new(n, SMALL)?.settle()?;
    Ok(down / (SMALL * LENGTH / 3.0) - 1.0)
}

pub fn figure() -> Result<Figure> {
    const LOAD: f64 = 5.0;
    let mut figure = Figure {
        title: "Arcs in a chain",
        subtitle: format!("P L²/B = {LOAD}, dark: n arcs, light: the elastica"),
        size: (300, 330),
        columns: 4,
        direction: [-1.0, -0.05, 0.0],
        ..Figure::default()
    };
    let exact = elastica(LOAD);
    let end = exact[exact.len() - 1];
    figure.numbers.push(format!("elastica, P L²/B = {LOAD}: {:.5} forward, {:.5} down", end[0], end[1]));
    for n in [1, 2, 4, 8] {
        let mut rope = Rope::new(n, LOAD)?;
        let [forward, down] = rope.settle()?;
        let mut scene = Scene::default();
        let light: Vec<DVec3> = exact.iter().step_by(40).map(|p| DVec3::new(0.02, -p[1], p[0])).collect();
        scene.curves.push(tube(&light, 0.006, Material::matte([0.75, 0.78, 0.84])));
        for (k, &j) in rope.joints.iter().enumerate() {
            let color = if k % 2 == 0 { [0.16, 0.36, 0.62] } else { [0.70, 0.32, 0.18] };
            scene.curves.push(tube(&arc_points(&rope.world, j, 40)?, 0.012, Material::plastic(color)));
        }
        for &b in &rope.bodies {
            let center = floats(DVec3::from(rope.world.body_pose(b)?.position));
            scene.primitives.push(Primitive::Sphere { center, radius: 0.02, material: Material::plastic([0.3, 0.31, 0.33]) });
        }
        scene.primitives.push(Primitive::Cuboid {
            center: [0.0, 0.0, -0.03],
            half_extents: [0.05, 0.06, 0.03],
            rotation: [0.0, 0.0, 0.0, 1.0],
            material: Material::matte([0.42, 0.45, 0.50]),
        });
        let off = (forward - end[0]).hypot(down - end[1]);
        figure.shot(format!("n = {n}: tip {:.1} % off", 100.0 * off), scene);
        figure.numbers.push(format!("n = {n}: {forward:.5} forward, {down:.5} down, {off:.2e} of the length off"));
    }
    let mut plot = Plot {
        title: "Small load on the tip: error of the deflection".into(),
        x_label: "arcs".into(),
        y_label: "relative error".into(),
        log_x: true,
        log_y: true,
        ..Plot::default()
    };
    let mut points = Vec::new();
    for n in [1usize, 2, 4, 8, 16] {
        let e = error(n)?;
        let law = -0.25 / (n * n) as f64;
        figure.numbers.push(format!("n = {n}: relative error {e:.5}, −1/4n² = {law:.5}"));
        points.push([n as f64, -e]);
    }
    let law = (0..=40).map(|k| 16f64.powf(f64::from(k) / 40.0)).map(|n| [n, 0.25 / (n * n)]).collect();
    plot.series = vec![
        Series { name: "P L³/3B less what the arcs bend".into(), points, markers: true, dashed: false },
        Series { name: "1/4n²".into(), points: law, markers: false, dashed: true },
    ];
    figure.plots.push(plot);
    Ok(figure)
}
