//! Lewin 2013, figure 7: hips held, motors hold the pose, a force pushes the chest. The spine's motors are rigid.

use super::*;
use crate::people::{Back, Build, CHEST, HEAD, SIDE, Spine, UPPER_LEG, add};
use crate::scenes::stage::{Figure, Shot};

/// N
pub const FORCE: f64 = 1000.0;

/// N m/rad of the whole spine beside the infinite one; limbs: N m/rad, N m s/rad.
pub const SPINE: f64 = 1e4;
pub const LIMBS: [f64; 2] = [200.0, 20.0];

pub fn build(spine: Spine, stiffness: f64) -> Build {
    let back = Back { spine, stiffness, viscosity: 0.05, limits: None, belly: true };
    Build { back, held: true, group: 1, can_sleep: false, motors: Some(LIMBS), ..Build::default() }
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
    pub fn new(spine: Spine, stiffness: f64, substeps: u32, iterations: u32) -> Result<Push> {
        let mut world = world(substeps, iterations)?;
        let person = add(&mut world, &build(spine, stiffness))?;
        let head = DVec3::from(world.body_pose(person.bodies[HEAD])?.position);
        let chest = DQuat::from_array(world.body_pose(person.bodies[CHEST])?.rotation);
        Ok(Push { world, person, head, chest })
    }

    /// A frame under the force.
    pub fn step(&mut self, force: f64) -> Result<Deviation> {
        self.world.push_body(self.person.bodies[CHEST], [0.0, 0.0, force], None, [0.0; 3])?;
        step(&mut self.world)?;
        let head = DVec3::from(self.world.body_pose(self.person.bodies[HEAD])?.position);
        let chest = DQuat::from_array(self.world.body_pose(self.person.bodies[CHEST])?.rotation);
        Ok(Deviation { turn: chest.angle_between(self.chest), way: head.distance(self.head) })
    }
}

/// Of one frame, and the largest of a second.
pub fn deviations(spine: Spine, stiffness: f64, substeps: u32, iterations: u32) -> Result<[Deviation; 2]> {
    let mut run = Push::new(spine, stiffness, substeps, iterations)?;
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
        subtitle: format!(
            "{FORCE} N to the left on the chest, three joints and one arc, 1 substep of 20 iterations; how far the head goes; green: the pose"
        ),
        size: (320, 400),
        columns: 4,
        direction: [-1.0, 0.0, 0.0],
        ..Figure::default()
    };
    // From the hips up.
    let legs = |part: usize| part >= UPPER_LEG && (part - UPPER_LEG) % SIDE < 3;
    let mut frame = Scene::default();
    let kinds = [(Spine::Balls, "joints"), (Spine::Arc, "arc")];
    for (k, (spine, name)) in kinds.into_iter().enumerate() {
        let mut run = Push::new(spine, f64::INFINITY, 1, 20)?;
        let mut pose = Scene::default();
        draw_person(&run.world, &run.person, Clothes::number(k), &mut pose)?;
        for _ in 0..60 {
            run.step(0.0)?;
        }
        let mut shots: Vec<(Deviation, Scene)> = Vec::new();
        for _ in 0..60 {
            let d = run.step(FORCE)?;
            let mut scene = Scene::default();
            draw_person(&run.world, &run.person, Clothes::number(k), &mut scene)?;
            for &id in run.person.bodies.iter().enumerate().filter(|(k, _)| !legs(*k)).map(|(_, id)| id) {
                draw(&run.world, id, Material::default(), &mut frame)?;
            }
            shots.push((d, scene));
        }
        let first = shots[0].clone();
        let most = shots.into_iter().max_by(|a, b| a.0.way.total_cmp(&b.0.way)).unwrap_or_default();
        for (when, (d, scene)) in [("after one frame", first), ("within a second", most)] {
            let caption = format!("{name}, {when}: {:.1} cm", 100.0 * d.way);
            figure.shots.push(Shot { caption, scene, outline: Some(pose.clone()), ..Shot::default() });
        }
    }
    figure.frame = Some(frame);
    for stiffness in [f64::INFINITY, SPINE] {
        for (substeps, iterations) in [(1, 20), (4, 5), (1, 200)] {
            for (spine, name) in kinds {
                let [first, most] = deviations(spine, stiffness, substeps, iterations)?;
                figure.numbers.push(format!(
                    "{stiffness} N m/rad, {substeps} × {iterations}, {name}: head {:.3} cm and chest {:.4} rad off after the force's first frame, {:.3} cm and {:.4} rad at most within a second",
                    100.0 * first.way,
                    first.turn,
                    100.0 * most.way,
                    most.turn
                ));
            }
        }
    }
    Ok(figure)
}
