//! Lewin 2013, figure 2: a torso slumps forward, its spine three ball joints with two bodies between them, or one arc.

use super::*;
use crate::people::{Back, Build, CHEST, HEAD, PELVIS, Spine, add};
use crate::scenes::stage::{Figure, floor};

/// Bending angle at which the passive spine of balls reaches its limits, and its twist, rad.
pub const LIMITS: [f64; 2] = [1.92, 0.52];

/// A passive spine: 70 N m/rad, 0.1 s. Both kinds have the same masses, shapes and stiffness.
pub fn back(spine: Spine) -> Back {
    Back { spine, stiffness: 70.0, viscosity: 0.1, limits: Some(LIMITS), belly: true }
}

pub struct Slump {
    pub world: World,
    pub person: Person,
    frame: u32,
}

impl Slump {
    pub fn new(spine: Spine, at: DVec3, substeps: u32, iterations: u32) -> Result<Slump> {
        let mut world = world(substeps, iterations)?;
        let build =
            Build { position: at, back: back(spine), kinematic_pelvis: true, legs: false, group: 1, can_sleep: false, ..Build::default() };
        let person = add(&mut world, &build)?;
        Ok(Slump { world, person, frame: 0 })
    }

    /// A push on the chest for a quarter of a second, then its weight.
    pub fn step(&mut self) -> Result<()> {
        if self.frame < 15 {
            self.world.push_body(self.person.body(CHEST)?, [6.0, 0.0, 60.0], None, [0.0; 3])?;
        }
        self.frame += 1;
        step(&mut self.world)
    }

    /// Angle between the spine's ends, rad, and where the head is over the hips, m.
    pub fn state(&self) -> Result<(f64, DVec3)> {
        let w = &self.world;
        let first = joint_frames(w, self.person.spine[0])?[0].1 * DVec3::Z;
        let last = joint_frames(w, self.person.spine[self.person.spine.len() - 1])?[1].1 * DVec3::Z;
        let hips = DVec3::from(w.body_pose(self.person.body(PELVIS)?)?.position);
        Ok((first.angle_between(last), DVec3::from(w.body_pose(self.person.body(HEAD)?)?.position) - hips))
    }
}

pub fn figure() -> Result<Figure> {
    const SHOTS: [f64; 4] = [0.0, 0.5, 0.9, 3.0];
    let mut figure = Figure {
        title: "Slump",
        subtitle: "three ball joints (left, blue) and one arc (right, red), 4 substeps of 5 iterations".into(),
        size: (300, 330),
        columns: 4,
        direction: [-1.0, -0.12, 0.25],
        ..Figure::default()
    };
    let sides = [(Spine::Balls, 0.62), (Spine::Arc, -0.62)];
    let mut runs = sides.iter().map(|&(s, z)| Slump::new(s, DVec3::new(0.0, -0.87, -z), 4, 5)).collect::<Result<Vec<_>>>()?;
    let mut next = 0;
    let mut apart: f64 = 0.0;
    for frame in 0..=(SHOTS[3] / FRAME) as u32 + 1 {
        let t = f64::from(frame) * FRAME;
        if next < SHOTS.len() && t >= SHOTS[next] - 1e-6 {
            next += 1;
            let mut scene = Scene { primitives: vec![floor(-0.55, 0.0)], ..Scene::default() };
            let mut words = format!("{t:.1} s");
            for (k, run) in runs.iter().enumerate() {
                let clothes = Clothes { trousers: [0.3, 0.31, 0.34], ..Clothes::number(k) };
                draw_person(&run.world, &run.person, clothes, &mut scene)?;
                let pelvis = floats(DVec3::from(run.world.body_pose(run.person.body(PELVIS)?)?.position));
                scene.primitives.push(Primitive::Cuboid {
                    center: [pelvis[0], -0.27, pelvis[2]],
                    half_extents: [0.2, 0.28, 0.15],
                    rotation: [0.0, 0.0, 0.0, 1.0],
                    material: Material::matte([0.55, 0.56, 0.58]),
                });
                let (angle, _) = run.state()?;
                words += &format!(", {:.0}°", angle.to_degrees());
            }
            figure.shot(words, scene);
        }
        let heads = [runs[0].state()?.1, runs[1].state()?.1];
        apart = apart.max(heads[0].distance(heads[1]));
        for run in &mut runs {
            run.step()?;
        }
    }
    for (run, name) in runs.iter().zip(["three ball joints", "one arc"]) {
        let (angle, head) = run.state()?;
        figure.numbers.push(format!(
            "{name}: bent by {:.1}°, head {:.3} m before and {:.3} m above the hips at {:.1} s",
            angle.to_degrees(),
            head.z,
            head.y,
            SHOTS[3]
        ));
    }
    figure.numbers.push(format!("the two heads are at most {:.1} cm from the same place", 100.0 * apart));
    Ok(figure)
}
