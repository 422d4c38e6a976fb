//! Lewin 2013, figure 7: hips held, infinite motors hold the pose, a force pushes the chest.

use super::*;
use crate::people::{Back, Build, CHEST, HEAD, Spine, add};
use crate::scenes::stage::{Figure, floor};

/// N
pub const FORCE: f64 = 1000.0;

pub fn build(spine: Spine, at: DVec3) -> Build {
    let back = Back { spine, stiffness: f64::INFINITY, viscosity: 0.0, limits: None, belly: true };
    Build {
        position: at,
        back,
        kinematic_pelvis: true,
        legs: false,
        group: 1,
        can_sleep: false,
        motors: Some([f64::INFINITY, 0.0]),
        ..Build::default()
    }
}

/// How far the chest is turned, rad, and the head moved, m, from the pose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deviation {
    pub turn: f64,
    pub way: f64,
}

pub struct Push {
    pub world: World,
    pub person: Person,
    head: DVec3,
    chest: DQuat,
}

impl Push {
    pub fn new(spine: Spine, at: DVec3, substeps: u32, iterations: u32) -> Result<Push> {
        let mut world = world(substeps, iterations)?;
        let person = add(&mut world, &build(spine, at))?;
        let head = DVec3::from(world.body_pose(person.body(HEAD)?)?.position);
        let chest = DQuat::from_array(world.body_pose(person.body(CHEST)?)?.rotation);
        Ok(Push { world, person, head, chest })
    }

    /// A frame under the force.
    pub fn step(&mut self, force: f64) -> Result<Deviation> {
        self.world.push_body(self.person.body(CHEST)?, [0.0, 0.0, force], None, [0.0; 3])?;
        step(&mut self.world)?;
        let head = DVec3::from(self.world.body_pose(self.person.body(HEAD)?)?.position);
        let chest = DQuat::from_array(self.world.body_pose(self.person.body(CHEST)?)?.rotation);
        Ok(Deviation { turn: chest.angle_between(self.chest), way: head.distance(self.head) })
    }
}

/// Of one frame, and the largest of a second.
pub fn deviations(spine: Spine, substeps: u32, iterations: u32) -> Result<[Deviation; 2]> {
    let mut run = Push::new(spine, DVec3::ZERO, substeps, iterations)?;
    // The weight first.
    for _ in 0..60 {
        run.step(0.0)?;
    }
    let first = run.step(FORCE)?;
    let mut most = first;
    for _ in 0..59 {
        let d = run.step(FORCE)?;
        most = Deviation { turn: most.turn.max(d.turn), way: most.way.max(d.way) };
    }
    Ok([first, most])
}

pub fn figure() -> Result<Figure> {
    let mut figure = Figure {
        title: "Push",
        subtitle: format!("{FORCE} N on the chest, hips held, infinite motors, 1 substep of 20 iterations; pale: the pose"),
        size: (300, 330),
        columns: 4,
        direction: [-1.0, -0.1, 0.0],
        ..Figure::default()
    };
    let kinds = [(Spine::Balls, "three joints"), (Spine::Arc, "one arc")];
    for (k, (spine, name)) in kinds.into_iter().enumerate() {
        let mut run = Push::new(spine, DVec3::new(0.0, -0.87, 0.0), 1, 20)?;
        let mut pale = Scene { primitives: vec![floor(-0.1, 0.0)], ..Scene::default() };
        let start = Push::new(spine, DVec3::new(0.05, -0.87, 0.0), 1, 20)?;
        draw_person(&start.world, &start.person, Clothes { strength: 0.12, ..Clothes::number(k) }, &mut pale)?;
        for _ in 0..60 {
            run.step(0.0)?;
        }
        let mut d = Deviation::default();
        let mut most = (d, pale.clone());
        for frame in 0..60 {
            d = run.step(FORCE)?;
            if frame == 0 || d.way > most.0.way {
                let mut scene = pale.clone();
                draw_person(&run.world, &run.person, Clothes::number(k), &mut scene)?;
                most = (d, scene.clone());
                if frame == 0 {
                    figure.shot(format!("{name}: one frame, {:.1} cm", 100.0 * d.way), scene);
                }
            }
        }
        let (d, scene) = most;
        figure.shot(format!("{name}: most, {:.1} cm, {:.1}°", 100.0 * d.way, d.turn.to_degrees()), scene);
    }
    for (substeps, iterations) in [(1, 20), (4, 5)] {
        for (spine, name) in kinds {
            let [first, most] = deviations(spine, substeps, iterations)?;
            figure.numbers.push(format!(
                "{substeps} × {iterations}, {name}: head {:.3} cm and chest {:.4} rad off after the force's first frame, {:.3} cm and {:.4} rad at most within a second",
                100.0 * first.way,
                first.turn,
                100.0 * most.way,
                most.turn
            ));
        }
    }
    Ok(figure)
}
