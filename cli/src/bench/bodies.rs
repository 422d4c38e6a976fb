//! `withy bench ball`, `arc` and the other elements between rigid bodies: one iteration of one joint or contact, below the world, in cache.
//!
//! 64 pairs of bodies with an element each, in four blocks, as the solver has them: gather both bodies' velocities, solve, scatter. A time is that
//! of 20 iterations over all of them; the velocities start anew each time. Set-up is measured apart.

use super::clock;
use crate::Result;
use crate::args::Bench;
use std::time::Instant;
use withy::bodies::drive::{Block, BodyRunner, Kind, Record, Shared};
use withy::bodies::elements::*;
use withy::bodies::kernels::{Bias, Softness, Whitening};
use withy::math::Isa;
use withy::math::lane::RECORD;
use withy::math::rng::Rng;
use withy::math::rows::{Cursor, Line, WIDTH};
use withy::math::vec3::vec3;
use withy::math::{Quat, Vec3};
use withy::stages::BodyStage;

/// The names that are benches of this file.
pub const NAMES: [(&str, Kind); 11] = [
    ("ball", Kind::Ball),
    ("arc", Kind::Arc),
    ("limit", Kind::Limit),
    ("hinge", Kind::Hinge),
    ("fixed", Kind::Fixed),
    ("distance", Kind::Distance),
    ("motor", Kind::Motor),
    ("contact1", Kind::Contact1),
    ("contact2", Kind::Contact2),
    ("contact4", Kind::Contact4),
    ("rolling", Kind::Rolling),
];

pub fn kind(name: &str) -> Option<Kind> {
    NAMES.iter().find(|(n, _)| *n == name).map(|(_, kind)| *kind)
}

const BLOCKS: usize = 4;
const JOINTS: usize = BLOCKS * WIDTH;
const ITERATIONS: usize = 20;

struct Scene {
    pose: Vec<Record<f32>>,
    velocity: Vec<Record<f32>>,
    start: Vec<Record<f32>>,
    mass: Vec<Record<f32>>,
    lines: Vec<Line<f32>>,
    blocks: Vec<Block>,
}

/// The parameters of each element: upright, half a metre from body to body.
///
/// # Safety
/// The rows of the kind follow.
unsafe fn describe(kind: Kind, at: *mut f32) {
    let mut c = Cursor::<f32>(at);
    let up = |y: f32| vec3(0.0, y, 0.0);
    let anchors = Anchors { a: up(0.1), b: up(-0.1) };
    let stiffness = vec3(100.0f32, 100.0, 50.0);
    let (damping, none) = (stiffness * 0.1, Vec3::zero());
    // The third axis of the frames is along y.
    let half = 0.5f32.sqrt();
    let frame = Quat { x: -half, y: 0.0, z: 0.0, w: half };
    let contact = (vec3(0.0f32, 1.0, 0.0), 0.5f32, 0.0f32);
    // SAFETY: the caller's contract.
    unsafe {
        match kind {
            Kind::Ball => c.write(Anchors { a: up(0.25), b: up(-0.25) }),
            Kind::Arc => {
                let p = ArcParams {
                    anchors,
                    frame_a: frame,
                    frame_b: frame,
                    length: 0.3f32,
                    stiffness,
                    damping,
                    rest: none,
                    relaxed: 0.0,
                };
                c.write(p);
                let white = Whitening { inv: vec3(1.0f32, 1.0, 1.0), below: none };
                c.write(ArcState { impulse: none, torque: none, white });
            }
            Kind::Limit => c.write(LimitParams { frame_a: frame, frame_b: frame, swing: [0.5f32; 2], twist: [-0.3, 0.3] }),
            Kind::Fixed => {
                c.write(FixedParams { anchors: Anchors { a: up(0.25), b: up(-0.25) }, frame_a: frame, frame_b: frame });
            }
            Kind::Hinge => {
                let anchors = Anchors { a: up(0.25), b: up(-0.25) };
                c.write(HingeParams { anchors, frame_a: frame, frame_b: frame, limits: [-0.2f32, 0.2] });
            }
            Kind::Distance => c.write(DistanceParams { anchors, limits: [0.3f32, 0.3] }),
            Kind::Motor => {
                let (target, speed) = (Quat::identity(), none);
                c.write(MotorParams {
                    frame_a: frame,
                    frame_b: frame,
                    stiffness,
                    damping,
                    target,
                    speed,
                    most: 10.0f32,
                    from: target,
                });
            }
            Kind::Contact1 => c.write(manifold::<1>(contact, anchors)),
            Kind::Contact2 => c.write(manifold::<2>(contact, anchors)),
            Kind::Contact4 => c.write(manifold::<4>(contact, anchors)),
            Kind::Rolling => c.write(RollingParams { contact: manifold::<4>(contact, anchors), levers: [0.01f32; 2] }),
        }
    }
}

fn manifold<const P: usize>((normal, friction, restitution): (Vec3<f32>, f32, f32), at: Anchors<f32>) -> ContactParams<f32, P> {
    let points = core::array::from_fn(|k| {
        let aside = vec3(0.1 * (k % 2) as f32, 0.0, 0.1 * (k / 2) as f32);
        Anchors { a: at.a + aside, b: at.b + aside }
    });
    ContactParams::flat(normal, friction, restitution, points)
}

impl Scene {
    fn new(kind: Kind) -> Scene {
        let mut rng = Rng::new(12);
        let mut near = |s: f64| rng.range(-s, s) as f32;
        let bodies = 2 * JOINTS;
        let (mut pose, mut start) = (Vec::new(), Vec::new());
        for k in 0..bodies {
            let x = [(k / 2) as f32, 0.5 * (k % 2) as f32 + near(0.005), near(0.005)];
            let q = [near(0.02), near(0.02), near(0.02), 1.0];
            let inv = 1.0 / q.iter().map(|v| v * v).sum::<f32>().sqrt();
            let q = q.map(|v| v * inv);
            pose.push(Record([x[0], x[1], x[2], 0.0, q[0], q[1], q[2], q[3]]));
            start.push(Record([near(0.5), near(0.5), near(0.5), 0.0, near(0.5), near(0.5), near(0.5), 0.0]));
        }
        let mass = vec![Record([0.2, 5.0, 6.0, 7.0, 1.0, 0.0, 0.0, 1e30]); bodies];
        let rows = kind.all_rows();
        let mut lines = vec![Line([0.0; WIDTH]); BLOCKS * rows];
        let blocks = (0..BLOCKS)
            .map(|k| {
                for lane in 0..WIDTH {
                    // SAFETY: the block's rows are there.
                    unsafe { describe(kind, lines[k * rows..].as_mut_ptr().cast::<f32>().add(lane)) };
                }
                let a = core::array::from_fn(|lane| (2 * (WIDTH * k + lane) * RECORD) as u32);
                let b = a.map(|i| i + RECORD as u32);
                let next = [0; WIDTH];
                Block {
                    a,
                    b,
                    mass_a: a,
                    mass_b: b,
                    pose_a: a,
                    pose_b: b,
                    next_a: next,
                    next_b: next,
                    line: (k * rows) as u32,
                    count: WIDTH as u32,
                    kind,
                }
            })
            .collect();
        Scene { pose, velocity: start.clone(), start, mass, lines, blocks }
    }

    /// Seconds of a set-up and of an iteration.
    fn run(&mut self, isa: Isa) -> [f64; 2] {
        self.velocity.copy_from_slice(&self.start);
        let soft = Softness { mass: 0.9, impulse: 0.1 };
        let joint = Bias { rate: 30.0, most_turn: 10.0, inv_h: 240.0, soft };
        let step = Substep {
            h: 1.0 / 240.0,
            inv_h: 240.0,
            joint,
            stop: joint,
            fixed: joint,
            contact_rate: 30.0,
            contact_soft: soft,
            ground_rate: 30.0,
            ground_soft: soft,
            most_push: 4.0,
            bounce: 1.0,
            number: 0,
            first: 1.0,
            part: 0.5,
            inv_dt: 60.0,
            warm: 1.0,
            soft_motor: 0.2,
        };
        let s = Shared {
            pose: self.pose.as_mut_ptr(),
            velocity: self.velocity.as_mut_ptr(),
            mass: self.mass.as_ptr(),
            push: core::ptr::null(),
            lines: self.lines.as_mut_ptr(),
        };
        // SAFETY: the memory is this scene's alone, its indices are of its records, and the set is available.
        let stage = |stage| unsafe { <f32 as BodyRunner>::run(isa, &s, &self.blocks, stage, &step) };
        let begin = Instant::now();
        stage(BodyStage::SetUp);
        let first = begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        for _ in 0..ITERATIONS {
            stage(BodyStage::Solve);
        }
        [first, begin.elapsed().as_secs_f64() / ITERATIONS as f64]
    }
}

/// Medians and least times of set-up and iteration, ns a joint.
struct Times {
    set_up: [f64; 2],
    iteration: [f64; 2],
    ghz: Option<f64>,
}

fn measure(kind: Kind, isa: Isa, seconds: f64) -> Times {
    let mut scene = Scene::new(kind);
    let mut times = [Vec::new(), Vec::new()];
    let mut ghz = clock::gigahertz();
    let begin = Instant::now();
    while times[0].len() < 100 || begin.elapsed().as_secs_f64() < seconds {
        let [a, b] = scene.run(isa);
        times[0].push(a);
        times[1].push(b);
    }
    ghz = clock::again(ghz);
    let [set_up, iteration] = times.map(|mut t| {
        t.sort_unstable_by(f64::total_cmp);
        [t[t.len() / 2], t[0]].map(|s| 1e9 * s / JOINTS as f64)
    });
    Times { set_up, iteration, ghz }
}

pub fn run(name: &str, kind: Kind, options: &Bench, isas: &[Option<Isa>]) -> Result<()> {
    for isa in isas {
        let isa = isa.unwrap_or_else(Isa::best);
        for &threads in &options.threads {
            // Each thread its own joints; the slowest counts.
            let all: Vec<Times> = std::thread::scope(|scope| {
                let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| measure(kind, isa, options.seconds))).collect();
                workers.into_iter().filter_map(|w| w.join().ok()).collect()
            });
            let Some(worst) = all.into_iter().max_by(|a, b| a.iteration[0].total_cmp(&b.iteration[0])) else {
                return Err(format!("bench {name}: no thread finished").into());
            };
            println!("{}", line(name, options.json, isa, threads, &worst));
        }
    }
    Ok(())
}

fn line(name: &str, json: bool, isa: Isa, threads: u32, t: &Times) -> String {
    let ([first, first_best], [ns, best]) = (t.set_up, t.iteration);
    let (isa, lanes) = (isa.name(), withy::bodies::drive::lanes(isa));
    if json {
        format!(
            "{{\"bench\":\"{name}\",\"isa\":\"{isa}\",\"lanes\":{lanes},\"threads\":{threads},\"joints\":{JOINTS},\"iterations\":{ITERATIONS},\
             \"ns_per_joint_iteration\":{ns:.3},\"ns_best\":{best:.3},\"setup_ns_per_joint\":{first:.3},\"ghz\":{}}}",
            clock::json(t.ghz)
        )
    } else {
        format!(
            "{name:<9} {isa:<7} {lanes:>2} lanes {threads:>3} threads {ns:>8.2} ns a joint and iteration, best {best:>7.2}; \
             set-up {first:>8.1} ns, best {first_best:>7.1}{}",
            clock::text(t.ghz)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_keys_that_tools_parse() {
        for (name, kind) in NAMES {
            let line = line(name, true, Isa::best(), 1, &measure(kind, Isa::best(), 0.0));
            let keys: Vec<&str> = line.split(['{', ',']).filter_map(|part| part.strip_prefix('"')?.split('"').next()).collect();
            assert_eq!(
                keys,
                [
                    "bench",
                    "isa",
                    "lanes",
                    "threads",
                    "joints",
                    "iterations",
                    "ns_per_joint_iteration",
                    "ns_best",
                    "setup_ns_per_joint",
                    "ghz"
                ]
            );
            assert!(!line.contains("NaN") && !line.contains("inf"), "{line}");
        }
    }
}
