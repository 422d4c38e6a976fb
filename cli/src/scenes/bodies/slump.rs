//! Lewin 2013, figure 2: a torso slumps forward, its spine three ball joints with two bodies between them, or one arc.

use super::*;
use crate::people::{Back, Build, CHEST, HEAD, PELVIS, Spine, add, seated};
use crate::scenes::stage::{Figure, floor};

/// A passive spine: 70 N m/rad, 0.1 s. Both kinds have the same masses, shapes and stiffness. `limits`: of the whole
/// spine's bend and twist, rad.
pub fn back(spine: Spine, limits: Option<[f64; 2]>) -> Back {
    Back { spine, stiffness: 70.0, viscosity: 0.1, limits, belly: true }
}

pub struct Slump {
    pub world: World,
    pub person: Person,
    frame: u32,
}

impl Slump {
    pub fn new(spine: Spine, limits: Option<[f64; 2]>, substeps: u32, iterations: u32) -> Result<Slump> {
        let mut world = world(substeps, iterations)?;
        let build =
            Build { back: back(spine, limits), turns: seated(), held: true, group: 1, can_sleep: false, ..Build::default() };
        let person = add(&mut world, &build)?;
        Ok(Slump { world, person, frame: 0 })
    }

    /// A push on the chest for a quarter of a second, 60 N forward and 6 N aside, then its weight.
    pub fn step(&mut self) -> Result<()> {
        if self.frame < 15 {
            self.world.push_body(self.person.bodies[CHEST], [6.0, 0.0, 60.0], None, [0.0; 3])?;
        }
        self.frame += 1;
        step(&mut self.world)
    }

    /// Angle between the spine's ends, rad, and where the head is over the hips, m.
    pub fn state(&self) -> Result<(f64, DVec3)> {
        let w = &self.world;
        let first = joint_frames(w, self.person.spine[0])?[0].1 * DVec3::Z;
        let last = joint_frames(w, self.person.spine[self.person.spine.len() - 1])?[1].1 * DVec3::Z;
        let at = |k: usize| -> Result<DVec3> { Ok(DVec3::from(w.body_pose(self.person.bodies[k])?.position)) };
        Ok((first.angle_between(last), at(HEAD)? - at(PELVIS)?))
    }

    /// `away`: moved aside from the camera, m.
    fn draw(&self, clothes: Clothes, away: f64, scene: &mut Scene) -> Result<()> {
        let mut one = Scene::default();
        draw_person(&self.world, &self.person, clothes, &mut one)?;
        scene.add_moved(&one, [-away as f32, 0.0, 0.0]);
        Ok(())
    }
}

fn stool() -> Scene {
    let matte = Material::matte([0.55, 0.56, 0.58]);
    let seat = Primitive::Cuboid {
        center: [0.0, 0.68, -0.02],
        half_extents: [0.13, 0.19, 0.17],
        rotation: [0.0, 0.0, 0.0, 1.0],
        material: matte,
    };
    Scene { primitives: vec![floor(0.49, 0.0), seat], ..Scene::default() }
}

pub fn figure() -> Result<Figure> {
    const SHOTS: [f64; 4] = [0.0, 0.5, 0.9, 3.0];
    let mut figure = Figure {
        title: "Slump",
        subtitle:
            "pushed by 60 N for a quarter of a second; three ball joints (above), one arc (below), 4 substeps of 5 iterations"
                .into(),
        size: (250, 250),
        columns: 5,
        direction: [-1.0, -0.15, -0.45],
        ..Figure::default()
    };
    let mut heads: Vec<Vec<DVec3>> = Vec::new();
    for (k, (spine, name)) in [(Spine::Balls, "three ball joints"), (Spine::Arc, "one arc")].into_iter().enumerate() {
        let mut run = Slump::new(spine, None, 4, 5)?;
        let mut all = stool();
        let mut next = 0;
        let mut way = Vec::new();
        for frame in 0..=(SHOTS[3] / FRAME) as u32 + 1 {
            let t = f64::from(frame) * FRAME;
            let (angle, head) = run.state()?;
            way.push(head);
            if next < SHOTS.len() && t >= SHOTS[next] - 1e-6 {
                let mut scene = stool();
                run.draw(Clothes::number(k), 0.0, &mut scene)?;
                figure.shot(format!("{t:.1} s, bent by {:.0}°", angle.to_degrees()), scene);
                let strength = [0.15, 0.35, 0.6, 1.0][next];
                run.draw(Clothes { strength, ..Clothes::number(k) }, 0.02 * (3 - next) as f64, &mut all)?;
                next += 1;
            }
            run.step()?;
        }
        figure.shot("all times", all);
        let (angle, head) = run.state()?;
        figure.numbers.push(format!(
            "{name}: bent by {:.1}°, head {:.3} m before and {:.3} m above the hips at {:.1} s",
            angle.to_degrees(),
            head.z,
            head.y,
            SHOTS[3]
        ));
        heads.push(way);
    }
    let apart = heads[0].iter().zip(&heads[1]).fold(0.0f64, |m, (a, b)| m.max(a.distance(*b)));
    figure.numbers.push(format!("the two heads are at most {:.1} cm from the same place", 100.0 * apart));
    Ok(figure)
}
