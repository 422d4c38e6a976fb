//! A tower crane: cables that do not stretch, over wheels. It takes a load from one place, turns, and sets it down at another.

use super::*;
use crate::render::{Plot, Series};
use crate::scenes::live::Show;
use crate::scenes::stage::{Figure, Film, floor};
use std::f64::consts::PI;
use withy::world::{BodyDesc, BodyMotion, CableDesc, CablePoint, ColliderDesc, JointDesc, ShapeDesc};

/// Height of the turning part, m; the jib from its foot, the slope at which it starts, rad, kg.
const HEIGHT: f64 = 10.0;
const FOOT: DVec3 = DVec3::new(0.6, HEIGHT + 0.2, 0.0);
const JIB: f64 = 8.0;
const SLOPE: f64 = 0.35;
const JIB_MASS: f64 = 400.0;
/// The load is a cube of so many kg and m; the block above it has two falls of rope.
const LOAD: f64 = 1000.0;
const SIZE: f64 = 1.0;
const BLOCK: f64 = 40.0;
/// By so much the crane turns, rad.
const TURN: f64 = 0.6 * PI;
/// The load goes up by so much, and the jib's cable in by so much, m.
const LIFT: f64 = 4.0;
const LUFF: f64 = 0.5;

/// What is done when: from, to, s.
const UP: [f64; 2] = [1.0, 5.0];
const IN: [f64; 2] = [4.0, 7.0];
const ROUND: [f64; 2] = [5.0, 21.0];
const DOWN: [f64; 2] = [22.0, 29.0];

fn part([from, to]: [f64; 2], t: f64) -> f64 {
    let x = ((t - from) / (to - from)).clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

pub struct Crane {
    world: World,
    base: Id,
    jib: Id,
    block: Id,
    load: Id,
    luff: Id,
    hoist: Id,
    /// All of them, to draw.
    cables: Vec<Id>,
    lengths: [f64; 2],
}

fn block_shape(half_extents: [f64; 3]) -> Vec<ShapeDesc> {
    // What the crane itself is made of touches nothing.
    vec![ShapeDesc { shape: BodyShape::Box { half_extents }, category: 2, mask: 2, ..ShapeDesc::default() }]
}

fn at(position: DVec3) -> Pose {
    Pose { position: position.to_array(), ..Pose::IDENTITY }
}

impl Crane {
    pub fn new() -> Result<Crane> {
        let mut world = world(8, 8)?;
        world.add_collider(ColliderDesc::default())?;
        let base = world.add_body(&BodyDesc {
            motion: BodyMotion::Kinematic,
            pose: at(DVec3::Y * HEIGHT),
            shapes: block_shape([1.2, 0.15, 0.6]),
            ..BodyDesc::default()
        })?;
        let turn = DQuat::from_rotation_z(SLOPE);
        let tip = FOOT + turn * DVec3::X * JIB;
        let jib = world.add_body(&BodyDesc {
            pose: Pose { position: (0.5 * (FOOT + tip)).to_array(), rotation: turn.to_array() },
            shapes: block_shape([0.5 * JIB, 0.14, 0.14]),
            mass: JIB_MASS,
            can_sleep: false,
            ..BodyDesc::default()
        })?;
        let free = |limits| JointKind::Hinge { limits };
        // A hinge turns about the third axis of its frames.
        world.add_joint(&JointDesc {
            a: Some(base),
            b: jib,
            frame_a: at(FOOT - DVec3::Y * HEIGHT),
            frame_b: Pose { position: [-0.5 * JIB, 0.0, 0.0], rotation: turn.inverse().to_array() },
            kind: free([f64::NEG_INFINITY, f64::INFINITY]),
            motor: None,
            collide: false,
        })?;
        let (drop, low) = (SIZE + 1.6, SIZE);
        let hook = DVec3::new(tip.x, drop, 0.0);
        let block = world.add_body(&BodyDesc {
            pose: at(hook),
            shapes: block_shape([0.2, 0.25, 0.06]),
            mass: BLOCK,
            can_sleep: false,
            ..BodyDesc::default()
        })?;
        let load = world.add_body(&BodyDesc {
            pose: at(DVec3::new(tip.x, 0.5 * low, 0.0)),
            shapes: vec![ShapeDesc { shape: BodyShape::Box { half_extents: [0.5 * SIZE; 3] }, ..ShapeDesc::default() }],
            mass: LOAD,
            can_sleep: false,
            ..BodyDesc::default()
        })?;
        let on = |body: Id, p: DVec3, radius: f64| CablePoint {
            body: Some(body),
            position: p.to_array(),
            radius,
            // All wheels stand in the plane of the jib; the cable goes over them clockwise.
            axis: [0.0, 0.0, -1.0],
        };
        let mast = DVec3::new(-0.8, HEIGHT + 3.0, 0.0);
        let luff = vec![on(base, DVec3::new(-1.0, HEIGHT + 0.2, 0.0), 0.0), on(base, mast, 0.25), on(jib, tip, 0.0)];
        let luff = world.add_cable(&CableDesc { points: luff, ..CableDesc::default() })?;
        let hoist = vec![
            on(base, FOOT + DVec3::Y * 0.5, 0.0),
            on(jib, tip, 0.2),
            on(block, hook, 0.16),
            on(jib, tip - DVec3::X * 0.16 - DVec3::Y * 0.1, 0.0),
        ];
        let hoist = world.add_cable(&CableDesc { points: hoist, ..CableDesc::default() })?;
        let mut cables = vec![luff, hoist];
        // A sling of four legs from the hook to the corners of the load.
        for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let corner = DVec3::new(tip.x + 0.5 * SIZE * x, low, 0.5 * SIZE * z);
            let leg = vec![on(block, hook - DVec3::Y * 0.25, 0.0), on(load, corner, 0.0)];
            cables.push(world.add_cable(&CableDesc { points: leg, ..CableDesc::default() })?);
        }
        let lengths = [world.cable_state(luff)?.length, world.cable_state(hoist)?.length];
        Ok(Crane { world, base, jib, block, load, luff, hoist, cables, lengths })
    }
}

impl Show for Crane {
    fn world(&self) -> &World {
        &self.world
    }
    fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }
    fn direction(&self) -> [f32; 3] {
        DIRECTION
    }

    fn drive(&mut self, t: f64) -> Result<()> {
        let turn = DQuat::from_rotation_y(TURN * part(ROUND, t));
        self.world.set_body_target(self.base, Pose { rotation: turn.to_array(), ..at(DVec3::Y * HEIGHT) })?;
        self.world.set_cable_length(self.luff, self.lengths[0] - LUFF * part(IN, t))?;
        // Two falls: twice the way. It goes down farther than it went up, as the jib has come up.
        let lift = LIFT * part(UP, t) - 6.7 * part(DOWN, t);
        self.world.set_cable_length(self.hoist, self.lengths[1] - 2.0 * lift)?;
        Ok(())
    }

    fn draw(&self) -> Result<Scene> {
        let mut scene = Scene { primitives: vec![floor(0.0, 1.0)], ..Scene::default() };
        let steel = Material::plastic([0.85, 0.62, 0.12]);
        scene.primitives.push(Primitive::Cuboid {
            center: [0.0, 0.5 * HEIGHT as f32, 0.0],
            half_extents: [0.35, 0.5 * HEIGHT as f32, 0.35],
            rotation: [0.0, 0.0, 0.0, 1.0],
            material: steel,
        });
        for (id, material) in [
            (self.base, steel),
            (self.jib, steel),
            (self.block, Material::plastic([0.7, 0.15, 0.12])),
            (self.load, Material::matte([0.45, 0.47, 0.50])),
        ] {
            draw(&self.world, id, material, &mut scene)?;
        }
        let (x, q) = parts(self.world.body_pose(self.base)?);
        let mast = [DVec3::new(-0.8, 0.1, 0.0), DVec3::new(-0.8, 3.0, 0.0)].map(|p| floats(x + q * p));
        scene.primitives.push(Primitive::Capsule { a: mast[0], b: mast[1], radius: 0.12, material: steel });
        for &id in &self.cables {
            let mut points = vec![DVec3::ZERO; self.world.cable_points(id)?];
            self.world.read_cable(id, |k, p| points[k] = DVec3::from(p))?;
            scene.curves.push(tube(&points, 0.03, Material::plastic([0.12, 0.12, 0.13])));
        }
        Ok(scene)
    }
}

const DIRECTION: [f32; 3] = [-0.3, -0.25, -1.0];

pub fn figure() -> Result<Figure> {
    let mut crane = Crane::new()?;
    let mut film = Film::default();
    let (mut pulls, mut heights, mut swing) = (Vec::new(), Vec::new(), 0.0_f64);
    let mut held = Vec::new();
    for frame in 0..=(34.0 / FRAME) as u32 {
        let t = f64::from(frame) * FRAME;
        if frame > 0 {
            crane.drive(t)?;
            step(&mut crane.world)?;
        }
        let load = DVec3::from(crane.world.body_center(crane.load)?);
        let block = DVec3::from(crane.world.body_center(crane.block)?);
        let pull = crane.world.cable_state(crane.hoist)?.tension;
        if frame % 6 == 0 {
            film.add(t, format!("{t:.0} s, {:.1} kN", 1e-3 * pull), crane.draw()?);
            pulls.push([t, 1e-3 * pull]);
            heights.push([t, load.y]);
        }
        if (UP[1]..DOWN[0]).contains(&t) {
            held.push(pull);
        }
        if (ROUND[0]..DOWN[1]).contains(&t) {
            let (_, q) = parts(crane.world.body_pose(crane.jib)?);
            let (x, _) = parts(crane.world.body_pose(crane.jib)?);
            let tip = x + q * DVec3::X * 0.5 * JIB;
            let off = DVec3::new(block.x - tip.x, 0.0, block.z - tip.z).length();
            swing = swing.max((off / (tip.y - block.y)).atan());
        }
    }
    let load = DVec3::from(crane.world.body_center(crane.load)?);
    let due = 0.5 * 9.81 * (LOAD + BLOCK);
    let mean = held.iter().sum::<f64>() / held.len() as f64;
    let left = DVec3::from(crane.world.body_motion(crane.load)?[0]).length();
    let mut figure = Figure {
        title: "Crane",
        subtitle: format!("{LOAD} kg on two falls of a cable over wheels; a hinged jib of {JIB_MASS} kg on another"),
        shots: film.pick(&[0.0, 5.0, 10.0, 15.0, 21.0, 34.0]),
        size: (320, 300),
        columns: 3,
        direction: DIRECTION,
        ..Figure::default()
    };
    let series = |name: &str, points| Series { name: name.into(), points, markers: false, dashed: false };
    figure.plots.push(Plot {
        title: "The hoist".into(),
        x_label: "s".into(),
        y_label: "kN, m".into(),
        series: vec![series("tension of its cable", pulls), series("height of the load", heights)],
        ..Plot::default()
    });
    figure.numbers = vec![
        format!("tension while it hangs: {:.1} N on average; half of the weight is {due:.1} N", mean),
        format!("the load swings by {:.1}° at most while the crane turns by {:.0}°", swing.to_degrees(), TURN.to_degrees()),
        format!(
            "set down {:.2} m from the tower, {:.0}° around it; {:.4} m/s at the end",
            load.x.hypot(load.z),
            (-load.z).atan2(load.x).to_degrees(),
            left
        ),
    ];
    Ok(figure)
}
