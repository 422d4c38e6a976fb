//! What rods would do to bodies that hear of it a step, or a substep, late: the figures of docs/internals/gpu.md, Rods that push bodies. Emulated on the CPU: rods
//! meet a body as a collider (`one_way`), and what their momentum balance lacks goes to the body before the next step.

#[path = "../tests/common/scene.rs"]
#[allow(dead_code, reason = "shared with tests")]
mod scene;
use withy::math::Vec3;
use withy::world::*;

type V = Vec3<f64>;

fn line(a: [f64; 3], b: [f64; 3], n: usize) -> Vec<[f64; 3]> {
    (0..n).map(|k| k as f64 / (n - 1) as f64).map(|t| [0, 1, 2].map(|c| a[c] + (b[c] - a[c]) * t)).collect()
}

fn rope(p: Vec<[f64; 3]>, density: f64, one_way: bool) -> RodsDesc {
    RodsDesc {
        counts: vec![p.len() as u32],
        positions: p,
        radii: vec![5e-3],
        density,
        stiffness: Stiffness::Physical { young: 1e5, shear: 4e4 },
        stretch_modulus: 1e8,
        one_way,
        friction: 0.5,
        order: SweepOrder::Direct,
        integrator: Integrator::First,
        ..RodsDesc::default()
    }
}

/// When bodies hear of what rods gave them.
#[derive(Clone, Copy, PartialEq)]
enum Hears {
    /// As the CPU has it: within the substep.
    AtOnce,
    NextSubstep,
    NextStep,
    /// The mean of two steps.
    Mean,
}
const ALL: [Hears; 4] = [Hears::AtOnce, Hears::NextSubstep, Hears::NextStep, Hears::Mean];

/// Substeps are steps here, so that each one's impulse is known.
const DT: f64 = 1.0 / 480.0;
const SUBSTEPS: usize = 8;

fn world(gravity: f64) -> World {
    World::new(WorldDesc { gravity: [0.0, -gravity, 0.0], substeps: 1, iterations: 1, ..WorldDesc::default() }).unwrap()
}

/// What a body has given rods and not yet heard of, kg m/s: in this step, and in the one before.
struct Late {
    hears: Hears,
    gave: [V; 2],
    substeps: usize,
}

impl Late {
    fn new(hears: Hears) -> Late {
        Late { hears, gave: [Vec3::zero(); 2], substeps: 0 }
    }
    /// After a substep.
    fn push(&mut self, w: &mut World, body: Id, mass: f64, gave: V) {
        self.gave[0] = self.gave[0] + gave;
        self.substeps += 1;
        let whole = self.hears == Hears::NextSubstep || self.substeps.is_multiple_of(SUBSTEPS);
        if self.hears == Hears::AtOnce || !whole {
            return;
        }
        let now = if self.hears == Hears::Mean { (self.gave[0] + self.gave[1]) * 0.5 } else { self.gave[0] };
        self.gave = [Vec3::zero(), self.gave[0]];
        let [v, spin] = w.body_motion(body).unwrap();
        let v = (Vec3::from(v) - now * (1.0 / mass)).to_array();
        if v.iter().all(|c| c.abs() < 1e6) {
            w.set_body_motion(body, v, spin).unwrap();
        }
    }
}

/// A rope of `ratio` kg over a floating ball of 1 kg; its ends are drawn down with 1 N each. The ball's speed in the end as a part of what it should be, and the
/// largest error in the second half, m/s.
fn drawn(ratio: f64, hears: Hears) -> (f64, f64) {
    let (mut w, mut late, steps) = (world(0.0), Late::new(hears), (0.5 / DT) as usize);
    let r = 0.1;
    let ball = w
        .add_body(&BodyDesc {
            motion: BodyMotion::Dynamic,
            mass: 1.0,
            shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: r }, friction: 0.5, ..ShapeDesc::default() }],
            ..BodyDesc::default()
        })
        .unwrap();
    let n = 41;
    let at = |s: f64| {
        let reach = r + 5.05e-3;
        let half = 0.5 * std::f64::consts::PI * reach;
        let (x, end) = (s.clamp(-half, half) / reach, s.abs() - half);
        [reach * x.sin(), reach * x.cos() - end.max(0.0), 0.0]
    };
    let p: Vec<_> = (0..n).map(|k| at(0.015 * (k as f64 - 20.0))).collect();
    let volume = std::f64::consts::PI * 25e-6 * 0.6;
    let id = w.add_rods(rope(p, ratio / volume, hears != Hears::AtOnce)).unwrap();
    w.rods_mut(id).unwrap().set_forces(|v| if v == 0 || v == n - 1 { [0.0, -1.0, 0.0] } else { [0.0; 3] }).unwrap();
    let total = ratio + 1.0;
    let mut worst = 0.0_f64;
    let mut before = scene::momentum(w.rods(id).unwrap()).linear;
    for k in 0..steps {
        w.step(DT, &Inline).unwrap();
        let now = scene::momentum(w.rods(id).unwrap()).linear;
        // What the ball gave them: all but the host's pull.
        late.push(&mut w, ball, 1.0, now - before - Vec3 { x: 0.0, y: -2.0 * DT, z: 0.0 });
        before = now;
        let v = w.body_motion(ball).unwrap()[0][1];
        let expected = -2.0 * DT * (k + 1) as f64 / total;
        if k > steps / 2 {
            worst = worst.max((v - expected).abs());
        }
    }
    let v = w.body_motion(ball).unwrap()[0][1];
    (v / (-2.0 * DT * steps as f64 / total), worst)
}

/// A ball of `mass` on three ropes that are held at both ends: its height in the mean, m, and its vertical speed, rms, m/s, in the fourth second.
fn net(mass: f64, hears: Hears) -> (f64, f64) {
    let (mut w, mut late, steps) = (world(9.81), Late::new(hears), (4.0 / DT) as usize);
    let mut ids = Vec::new();
    for z in [-0.04, 0.0, 0.04] {
        let mut p = line([-0.5, 0.0, z], [0.5, 0.0, z], 41);
        p.iter_mut().for_each(|p| p[1] -= 0.2 * (1.0 - (p[0] / 0.5).powi(2)));
        let d = RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, ..rope(p, 1000.0, hears != Hears::AtOnce) };
        ids.push(w.add_rods(d).unwrap());
    }
    let ball = w
        .add_body(&BodyDesc {
            motion: BodyMotion::Dynamic,
            mass,
            pose: Pose { position: [0.0, -0.2 + 0.106, 0.0], ..Pose::IDENTITY },
            linear_damping: 1.0,
            angular_damping: 1.0,
            shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.1 }, friction: 0.5, ..ShapeDesc::default() }],
            ..BodyDesc::default()
        })
        .unwrap();
    let momentum = |w: &World| ids.iter().fold(Vec3::zero(), |a: V, &id| a + scene::momentum(w.rods(id).unwrap()).linear);
    let rope_mass: f64 = ids.iter().map(|&id| scene::momentum(w.rods(id).unwrap()).mass).sum();
    let mut before = momentum(&w);
    let (mut square, mut mean) = (0.0_f64, 0.0);
    for k in 0..steps {
        w.step(DT, &Inline).unwrap();
        let now = momentum(&w);
        // All but the supports' pull, by the tension of the end edges, and the weight of what the supports do not hold.
        let mut others = Vec3 { x: 0.0, y: -9.81 * rope_mass * (1.0 - 1.0 / 40.0), z: 0.0 };
        for &id in &ids {
            let x = scene::positions(w.rods(id).unwrap());
            let mut tension = Vec::new();
            w.rods(id).unwrap().read_forces(|_, f| tension.push(f));
            let n = x.len() - 1;
            for (a, b, f) in [(0, 1, tension[0]), (n, n - 1, tension[n - 1])] {
                others = others + (x[a] - x[b]) * (f / (x[a] - x[b]).length());
            }
        }
        late.push(&mut w, ball, mass, now - before - others * DT);
        before = now;
        let y = w.body_pose(ball).unwrap().position[1];
        if k >= steps * 3 / 4 {
            mean += y / (steps - steps * 3 / 4) as f64;
            square += w.body_motion(ball).unwrap()[0][1].powi(2) / (steps - steps * 3 / 4) as f64;
        }
    }
    (mean, square.sqrt())
}

fn main() {
    for ratio in [0.2, 0.5, 1.0, 2.0, 5.0, 20.0] {
        let all: Vec<_> =
            ALL.iter().map(|&hears| drawn(ratio, hears)).map(|(part, worst)| format!("{part:.4} {worst:.1e}")).collect();
        println!("ratio {ratio}: {}", all.join(" | "));
    }
    for mass in [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0] {
        let all: Vec<_> = ALL.iter().map(|&hears| net(mass, hears)).map(|(mean, rms)| format!("{mean:.4} {rms:.1e}")).collect();
        println!("net {mass}: {}", all.join(" | "));
    }
}
