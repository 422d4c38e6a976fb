//! Lewin 2013, figure 8: what is left of a ragdoll's joint errors after 20 iterations a frame, three ball joints in its spine against one arc.
//! What is compared: `docs/scenes.md`.

use super::slump::{Slump, back};
use super::*;
use crate::people::{Build, Spine, add};
use crate::render::{Plot, Series};
use crate::scenes::stage::Figure;
use withy::bodies::kernels::arc_strain;
use withy::math::Quat;
use withy::math::rng::Rng;
use withy::world::{BallLimits, BodyDesc, BodyMotion, ColliderDesc, ShapeDesc};

/// Bend and twist at which both spines are stopped, rad: 25° and 10°. Each of the three balls has a third.
pub const LIMITS: [f64; 2] = [0.44, 0.17];
/// Others, to see what depends on them.
const OTHERS: [[f64; 2]; 5] = [[0.78, 0.52], [0.5, 0.3], [0.3, 0.1], [0.15, 0.1], [0.1, 0.05]];

/// What is left of the joints of a person after a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Left {
    /// Of the spine's joints, m: how far end b is from where end a and the turn between them put it, in all three directions.
    pub gap: f64,
    /// rad beyond the limits of the spine's joints.
    pub angle: f64,
    /// Of the arc, rad: how far the tangent of b is from that of a reflected. A part of `gap` already, seen as an angle.
    pub curve: f64,
    /// Of the arc, m: the length's part of `gap`.
    pub length: f64,
    /// Of all joints, the spine's included: m, and rad.
    pub all: [f64; 2],
}

impl Left {
    /// Of one joint.
    fn joint(world: &World, id: Id) -> Result<Left> {
        let [(a, qa), (b, qb)] = joint_frames(world, id)?;
        let joint = world.joint(id)?;
        let [x, y, z, w] = (qa.inverse() * qb).to_array();
        let strain = arc_strain(Quat { x, y, z, w }).beta;
        let beyond = |l: &BallLimits| {
            let bend = strain.x.hypot(strain.y);
            let f = (strain.x / l.swing[0]).hypot(strain.y / l.swing[1]);
            bend * (1.0 - 1.0 / f.max(1.0)) + (l.twist[0] - strain.z).max(strain.z - l.twist[1]).max(0.0)
        };
        Ok(match &joint.desc.kind {
            JointKind::Arc(arc) => {
                let (ta, tb) = (qa * DVec3::Z, qb * DVec3::Z);
                let normal = ta.cross(tb);
                let bend = normal.length().atan2(ta.dot(tb));
                let axis = normal.try_normalize().unwrap_or(DVec3::X);
                let chord = joint.length() * if bend < 1e-6 { 1.0 } else { (0.5 * bend).sin() / (0.5 * bend) };
                let end = a + DQuat::from_axis_angle(axis, 0.5 * bend) * ta * chord;
                let along = (b - a).normalize();
                let reflected = 2.0 * ta.dot(along) * along - ta;
                Left {
                    gap: b.distance(end),
                    angle: arc.limits.as_ref().map_or(0.0, beyond),
                    curve: reflected.cross(tb).length().atan2(reflected.dot(tb)),
                    length: (a.distance(b) - chord).abs(),
                    ..Left::default()
                }
            }
            JointKind::Ball { limits } => {
                Left { gap: a.distance(b), angle: limits.as_ref().map_or(0.0, beyond), ..Left::default() }
            }
            _ => {
                let [gap, angle] = world.joint_error(id)?;
                Left { gap, angle, ..Left::default() }
            }
        })
    }

    fn of(world: &World, person: &Person) -> Result<Left> {
        let mut sum = Left::default();
        for &id in &person.spine {
            let one = Left::joint(world, id)?;
            sum.gap += one.gap;
            sum.angle += one.angle;
            sum.curve += one.curve;
            sum.length += one.length;
        }
        sum.all = [sum.gap, sum.angle];
        for &id in &person.joints {
            let one = Left::joint(world, id)?;
            sum.all = [sum.all[0] + one.gap, sum.all[1] + one.angle];
        }
        Ok(sum)
    }
}

/// A torso that slumps, frame by frame.
pub fn passive(spine: Spine, limits: [f64; 2], substeps: u32, iterations: u32, frames: usize) -> Result<Vec<Left>> {
    let mut run = Slump::new(spine, Some(limits), substeps, iterations)?;
    (0..frames)
        .map(|_| {
            run.step()?;
            Left::of(&run.world, &run.person)
        })
        .collect()
}

/// Steps of a stair, and the floor.
fn stairs(world: &mut World) -> Result<()> {
    world.add_collider(ColliderDesc::default())?;
    for k in 0..4 {
        let shape = BodyShape::Box { half_extents: [1.2, 0.125 * f64::from(4 - k), 0.2] };
        let position = [0.0, 0.125 * f64::from(4 - k), 0.2 + 0.4 * f64::from(k)];
        world.add_body(&BodyDesc {
            motion: BodyMotion::Static,
            pose: Pose { position, ..Pose::IDENTITY },
            shapes: vec![ShapeDesc { shape, ..ShapeDesc::default() }],
            ..BodyDesc::default()
        })?;
    }
    Ok(())
}

/// A person who falls down the stairs; another way a little otherwise.
fn tumble(spine: Spine, limits: [f64; 2], substeps: u32, iterations: u32, way: u64) -> Result<(World, Person)> {
    let mut world = world(substeps, iterations)?;
    stairs(&mut world)?;
    let mut rng = Rng::new(way);
    let mut off = |size: f64| if way == 0 { 0.0 } else { rng.range(-size, size) };
    let person = add(
        &mut world,
        &Build {
            position: DVec3::new(0.0, 1.1, 0.15),
            rotation: DQuat::from_rotation_x(0.5),
            velocity: DVec3::new(off(0.4), off(0.2), 1.6 + off(0.4)),
            spin: DVec3::new(2.0 + off(1.0), 0.3 + off(1.0), off(1.0)),
            back: back(spine, Some(limits)),
            group: 1,
            can_sleep: false,
            ..Build::default()
        },
    )?;
    Ok((world, person))
}

/// A fall, frame by frame.
pub fn collisions(spine: Spine, limits: [f64; 2], substeps: u32, iterations: u32, way: u64, frames: usize) -> Result<Vec<Left>> {
    let (mut world, person) = tumble(spine, limits, substeps, iterations, way)?;
    (0..frames)
        .map(|_| {
            step(&mut world)?;
            Left::of(&world, &person)
        })
        .collect()
}

/// One number of what is left.
type Measure = fn(&Left) -> f64;

pub fn mean(all: &[Left], of: Measure) -> f64 {
    all.iter().map(of).sum::<f64>() / all.len() as f64
}

/// Ways to fall down the stairs.
const FALLS: u64 = 16;
const SLUMP: usize = 180;
const FALL: usize = 240;

/// What is told of a scene.
const MEASURES: [(&str, Measure); 5] = [
    ("spine, dislocation in cm", |e| 100.0 * e.gap),
    ("spine, beyond its limits in rad", |e| e.angle),
    ("spine, beyond its limits or off the curve in rad", |e| e.angle + e.curve),
    ("all joints, dislocation in cm", |e| 100.0 * e.all[0]),
    ("all joints, angle in rad", |e| e.all[1]),
];

/// Frames of three joints and of the arc, in runs of `frames`.
fn compare(words: &str, balls: &[Left], arc: &[Left], frames: usize, of: Measure) -> String {
    let most = |all: &[Left]| all.iter().map(of).fold(0.0, f64::max);
    let pairs = || balls.iter().map(of).zip(arc.iter().map(of));
    let (below, above) = (pairs().filter(|(b, a)| a < b).count(), pairs().filter(|(b, a)| a > b).count());
    let runs = balls.len() / frames;
    let better = balls.chunks(frames).zip(arc.chunks(frames)).filter(|(b, a)| mean(a, of) < mean(b, of)).count();
    let mut text = format!(
        "{words}: three joints {:.2e} in the mean, {:.2e} at most, arc {:.2e} and {:.2e}; arc below in {below}, above in {above} of {} frames",
        mean(balls, of),
        most(balls),
        mean(arc, of),
        most(arc),
        balls.len()
    );
    if runs > 1 {
        text += &format!(", below in the mean of {better} of {runs} falls");
    }
    text
}

/// Three joints and the arc, run after run: one of the passive scene, or falls.
fn both(runs: u64, frames: usize, limits: [f64; 2], substeps: u32, iterations: u32) -> Result<[Vec<Left>; 2]> {
    let run = |spine: Spine| -> Result<Vec<Left>> {
        if runs == 1 {
            return passive(spine, limits, substeps, iterations, frames);
        }
        let falls = (0..runs).map(|way| collisions(spine, limits, substeps, iterations, way, frames));
        Ok(falls.collect::<Result<Vec<_>>>()?.concat())
    };
    Ok([run(Spine::Balls)?, run(Spine::Arc)?])
}

pub fn figure() -> Result<Figure> {
    let mut numbers = vec![
        "both spines 70 N m/rad in bending and twist, 0.1 s, limited alike: 25° of bend and 10° of twist together; 60 Hz"
            .to_string(),
        format!("sums over joints; substeps × iterations; falls: {FALLS} down the same stairs, drawn is their mean"),
    ];
    let plot = |title: String, label: &str| Plot {
        title,
        x_label: "frame".into(),
        y_label: label.into(),
        log_y: true,
        legend_above: true,
        width: 620,
        height: 420,
        ..Plot::default()
    };
    let panels: [(&str, &str, Measure); 4] = [
        ("dislocation of the spine", "cm", |e| 100.0 * e.gap),
        ("spine beyond its limits", "rad", |e| e.angle),
        ("dislocation of all joints", "cm", |e| 100.0 * e.all[0]),
        ("angles of all joints", "rad", |e| e.all[1]),
    ];
    let mut plots: Vec<[Plot; 4]> = Vec::new();
    for (name, runs, frames) in [("passive bending", 1, SLUMP), ("with collisions", FALLS, FALL)] {
        let mut drawn = panels.map(|(what, unit, _)| plot(format!("{name}: {what}"), unit));
        for (substeps, iterations) in [(1, 20), (4, 5), (1, 200)] {
            let [balls, arc] = both(runs, frames, LIMITS, substeps, iterations)?;
            for (what, of) in MEASURES {
                numbers.push(compare(&format!("{name}, {substeps} × {iterations}, {what}"), &balls, &arc, frames, of));
            }
            numbers.push(format!(
                "{name}, {substeps} × {iterations}, of the arc's dislocation the length alone {:.2e} cm in the mean",
                100.0 * mean(&arc, |e| e.length)
            ));
            if iterations == 200 {
                continue;
            }
            for (plot, (_, _, of)) in drawn.iter_mut().zip(panels) {
                for (kind, errors) in [("three joints", &balls), ("arc", &arc)] {
                    let all = |f: usize| errors[f..].iter().step_by(frames).map(of).sum::<f64>() / runs as f64;
                    let points = (0..frames).map(|f| [f as f64 + 1.0, all(f)]).collect();
                    let name = format!("{kind}, {substeps} × {iterations}");
                    plot.series.push(Series { name, points, markers: false, dashed: substeps > 1 });
                }
            }
        }
        // A logarithmic axis has no place for them.
        for plot in drawn.iter_mut().filter(|p| p.series.iter().flat_map(|s| &s.points).any(|p| p[1] <= 0.0)) {
            plot.x_label = "frame (no line: exactly 0)".into();
        }
        for (limits, (substeps, iterations)) in OTHERS.into_iter().flat_map(|l| [(l, (1, 20)), (l, (4, 5))]) {
            let [balls, arc] = both(runs, frames, limits, substeps, iterations)?;
            for (what, of) in [MEASURES[1], MEASURES[4]] {
                let [bend, twist] = limits.map(f64::to_degrees);
                let words = format!("{name}, {substeps} × {iterations}, limits of {bend:.0}° and {twist:.0}°, {what}");
                numbers.push(compare(&words, &balls, &arc, frames, of));
            }
        }
        plots.push(drawn);
    }
    let [first, second] = [plots.remove(0), plots.remove(0)];
    let plots = first.into_iter().zip(second).flat_map(|(a, b)| [a, b]).collect();
    Ok(Figure { title: "Residual", plots, numbers, ..Figure::default() })
}
