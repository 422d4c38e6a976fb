//! Frames that took too long: nothing is thrown or stretched, and what was at rest is at rest again.

use crate::tied::{DT, ball, line};
use withy::tasks::Inline;
use withy::world::*;

const RADIUS: f64 = 5e-3;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Scene {
    /// A rope whose first vertex the host holds, hanging.
    Hung,
    /// Hung with a ball of 10 kg, of 100 kg, at its end.
    Loaded(f64),
    /// A rope of 2 m between two pins 1.8 m apart.
    Slung,
    /// Clamped hair, level at first, so that it bends under its weight.
    Hair,
    /// Tied to a body that does not move, a ball of 1 kg at the other end.
    Tied,
    /// On the ground.
    Lying,
}

struct Seen {
    strain: f64,
    speed: f64,
    moved: f64,
}

struct Run {
    w: World,
    rope: Id,
    load: Option<Id>,
}

impl Run {
    fn save(&self) -> Vec<u8> {
        let mut state = vec![0; self.w.save_state(&mut []).unwrap()];
        self.w.save_state(&mut state).unwrap();
        state
    }
    fn new(scene: Scene, model: RodModel, double_precision: bool) -> Run {
        let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
        let hair = scene == Scene::Hair;
        let low = [0.0, -2.0, 0.0];
        let (to, root, tip) = match scene {
            Scene::Hung | Scene::Loaded(_) => (low, EndSupport::Pinned, EndSupport::Free),
            Scene::Slung => ([1.8, 0.0, 0.0], EndSupport::Pinned, EndSupport::Pinned),
            Scene::Hair => ([0.0, 0.0, 0.2], EndSupport::Clamped, EndSupport::Free),
            Scene::Tied => (low, EndSupport::Free, EndSupport::Free),
            Scene::Lying => ([2.0, 0.0, 0.0], EndSupport::Free, EndSupport::Free),
        };
        let positions = match scene {
            // 2 m of rope: a shallow arc.
            Scene::Slung => (0..41).map(|k| k as f64 / 40.0).map(|t| [1.8 * t, -1.59 * t * (1.0 - t), 0.0]).collect(),
            _ => line([0.0; 3], to, if hair { 21 } else { 41 }),
        };
        let desc = RodsDesc {
            counts: vec![positions.len() as u32],
            positions,
            radii: vec![if hair { 4e-5 } else { RADIUS }],
            stiffness: Stiffness::Physical { young: if hair { 4e9 } else { 1e9 }, shear: if hair { 1.5e9 } else { 4e8 } },
            damping: if hair { 4.0 } else { 2.0 },
            drag: if hair { 3.0 } else { 1.0 },
            model,
            root,
            tip,
            mask: if scene == Scene::Lying { 1 } else { 0 },
            ..RodsDesc::default()
        };
        let rope = w.add_rods(desc).unwrap();
        if scene == Scene::Lying {
            let pose = Pose { position: [0.0, -RADIUS, 0.0], ..Pose::IDENTITY };
            w.add_collider(ColliderDesc { pose, ..ColliderDesc::default() }).unwrap();
        }
        let mut load = None;
        let mass = match scene {
            Scene::Loaded(mass) => mass,
            Scene::Tied => 1.0,
            _ => 0.0,
        };
        if mass > 0.0 {
            let b = w.add_body(&BodyDesc { linear_damping: 3.0, ..ball([0.0, -2.1, 0.0], 0.1, mass) }).unwrap();
            w.attach_body(rope, StrandEnd { strand: 0, tip: true }, b, true).unwrap();
            load = Some(b);
        }
        if scene == Scene::Tied {
            let top = w.add_body(&BodyDesc { motion: BodyMotion::Static, ..ball([0.0; 3], 0.1, 1.0) }).unwrap();
            w.attach_body(rope, StrandEnd { strand: 0, tip: false }, top, true).unwrap();
        }
        Run { w, rope, load }
    }

    fn places(&self) -> Vec<[f64; 3]> {
        let mut out = Vec::new();
        self.w.rods(self.rope).unwrap().read_positions(|_, p| out.push(p));
        out.extend(self.load.map(|b| self.w.body_pose(b).unwrap().position));
        out
    }

    /// Steps of these lengths; the worst that was seen.
    fn steps(&mut self, frames: impl Iterator<Item = f64>) -> Seen {
        let start = self.places();
        let mut seen = Seen { strain: 0.0, speed: 0.0, moved: 0.0 };
        let length = |v: [f64; 3]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
        for dt in frames {
            self.w.step(dt, &Inline).unwrap();
            seen.strain = seen.strain.max(self.w.stats().largest_strain);
            self.w.rods(self.rope).unwrap().read_velocities(|_, v| seen.speed = seen.speed.max(length(v)));
            if let Some(b) = self.load {
                seen.speed = seen.speed.max(length(self.w.body_motion(b).unwrap()[0]));
            }
        }
        let far = |(a, b): (&[f64; 3], &[f64; 3])| length([0, 1, 2].map(|k| a[k] - b[k]));
        seen.moved = start.iter().zip(&self.places()).map(far).fold(0.0, f64::max);
        seen
    }
}

fn all(mut each: impl FnMut(Scene, RodModel, bool)) {
    let scenes = [Scene::Hung, Scene::Loaded(10.0), Scene::Loaded(100.0), Scene::Slung, Scene::Hair, Scene::Tied, Scene::Lying];
    for scene in scenes {
        for model in [RodModel::Ghost, RodModel::Der] {
            for double in [false, true] {
                each(scene, model, double);
            }
        }
    }
}

#[test]
fn what_is_at_rest_stays_at_rest() {
    let mut wrong = Vec::new();
    all(|scene, model, double| {
        let mut run = Run::new(scene, model, double);
        run.steps(core::iter::repeat_n(DT, 600));
        let quiet = run.steps(core::iter::repeat_n(DT, 10));
        let rest = run.save();
        for hitch in [0.1, 0.25, 0.5] {
            run.w.restore_state(&rest).unwrap();
            let seen = run.steps([hitch].into_iter().chain(core::iter::repeat_n(DT, 30)));
            println!(
                "{hitch} s {scene:?} {model:?} f64 {double}: strain {:.4}, {:.5} m/s (before {:.5}), moved by {:.6} m",
                seen.strain, seen.speed, quiet.speed, seen.moved
            );
            if seen.strain > 0.015 || seen.speed > 0.01 + quiet.speed || seen.moved > 3e-4 {
                wrong.push(format!(
                    "{hitch} s, {scene:?}, {model:?}, f64 {double}: {:.4} {:.4} {:.5}",
                    seen.strain, seen.speed, seen.moved
                ));
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_swings_is_not_thrown() {
    let mut wrong = Vec::new();
    all(|scene, model, double| {
        let mut run = Run::new(scene, model, double);
        run.steps(core::iter::repeat_n(DT, 600));
        let rest = run.save();
        for hitch in [0.25, 0.5] {
            run.w.restore_state(&rest).unwrap();
            // A push, then a hitch in the midst of the swing, and again.
            if let Some(b) = run.load {
                run.w.set_body_motion(b, [3.0, 0.0, 0.0], [0.0; 3]).unwrap();
            } else {
                let n = run.places().len();
                run.w.rods_mut(run.rope).unwrap().write_velocities(|i| [0.0, 0.0, 3.0 * i as f64 / n as f64]).unwrap();
            }
            let usual = run.steps(core::iter::repeat_n(DT, 15));
            let seen = run.steps([hitch, DT, hitch].into_iter().chain(core::iter::repeat_n(DT, 60)));
            println!(
                "{hitch} s {scene:?} {model:?} f64 {double}: strain {:.4}, {:.4} m/s (usual {:.4})",
                seen.strain, seen.speed, usual.speed
            );
            if seen.strain > 0.02 || seen.speed > 1.2 * usual.speed.max(3.0) {
                wrong.push(format!("{hitch} s, {scene:?}, {model:?}, f64 {double}: {:.4} {:.4}", seen.strain, seen.speed));
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
