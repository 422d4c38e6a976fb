//! Lewin 2013, figure 8: what is left of the spine's joint errors after 20 iterations a frame, three ball joints against one arc.

use super::slump::{Slump, back};
use super::*;
use crate::people::{Build, Spine, add};
use crate::render::{Plot, Series};
use crate::scenes::stage::Figure;
use withy::world::{BodyDesc, BodyMotion, ColliderDesc, ShapeDesc};

/// Bending and twist at which the three balls together are stopped, rad.
pub const LIMITS: [f64; 2] = [0.78, 0.52];

/// Errors of the spine's joints, summed: m and rad, a frame each.
pub fn passive(spine: Spine, limits: Option<[f64; 2]>, substeps: u32, iterations: u32, frames: usize) -> Result<Vec<[f64; 2]>> {
    let mut run = Slump::new(spine, limits, substeps, iterations)?;
    let mut all = Vec::with_capacity(frames);
    for _ in 0..frames {
        run.step()?;
        all.push(errors(&run.world, &run.person.spine)?);
    }
    Ok(all)
}

/// Steps of a stair, and the floor.
pub fn stairs(world: &mut World) -> Result<Vec<Id>> {
    world.add_collider(ColliderDesc::default())?;
    let mut all = Vec::new();
    for k in 0..4 {
        let shape = BodyShape::Box { half_extents: [1.2, 0.125 * f64::from(4 - k), 0.2] };
        let position = [0.0, 0.125 * f64::from(4 - k), 0.2 + 0.4 * f64::from(k)];
        all.push(world.add_body(&BodyDesc {
            motion: BodyMotion::Static,
            pose: Pose { position, ..Pose::IDENTITY },
            shapes: vec![ShapeDesc { shape, ..ShapeDesc::default() }],
            ..BodyDesc::default()
        })?);
    }
    Ok(all)
}

/// A person who falls down the stairs.
pub fn tumble(spine: Spine, limits: Option<[f64; 2]>, substeps: u32, iterations: u32) -> Result<(World, Person, Vec<Id>)> {
    let mut world = world(substeps, iterations)?;
    let stairs = stairs(&mut world)?;
    let person = add(
        &mut world,
        &Build {
            position: DVec3::new(0.0, 1.1, 0.15),
            rotation: DQuat::from_rotation_x(0.5),
            velocity: DVec3::new(0.0, 0.0, 1.6),
            spin: DVec3::new(2.0, 0.3, 0.0),
            back: back(spine, limits),
            group: 1,
            can_sleep: false,
            ..Build::default()
        },
    )?;
    Ok((world, person, stairs))
}

pub fn collisions(
    spine: Spine,
    limits: Option<[f64; 2]>,
    substeps: u32,
    iterations: u32,
    frames: usize,
) -> Result<Vec<[f64; 2]>> {
    let (mut world, person, _) = tumble(spine, limits, substeps, iterations)?;
    let mut all = Vec::with_capacity(frames);
    for _ in 0..frames {
        step(&mut world)?;
        all.push(errors(&world, &person.spine)?);
    }
    Ok(all)
}

pub fn mean(all: &[[f64; 2]], k: usize) -> f64 {
    all.iter().map(|e| e[k]).sum::<f64>() / all.len() as f64
}

type Run = fn(Spine, Option<[f64; 2]>, u32, u32, usize) -> Result<Vec<[f64; 2]>>;

pub fn figure() -> Result<Figure> {
    let mut plots: Vec<Plot> = Vec::new();
    let mut numbers = vec![
        "both spines 70 N m/rad in bending and twist, 0.1 s; 60 Hz; sums over the spine's joints; substeps × iterations"
            .to_string(),
        format!(
            "three joints, limited: {:.2} rad of bending and {:.2} of twist together; an arc has no limits",
            LIMITS[0], LIMITS[1]
        ),
    ];
    let scenes: [(&str, Run, usize); 2] = [("passive bending", passive, 180), ("with collisions", collisions, 240)];
    let plot = |title: String, label: &str| Plot {
        title,
        x_label: "frame".into(),
        y_label: label.into(),
        log_y: true,
        width: 620,
        height: 400,
        ..Plot::default()
    };
    let kinds =
        [(Spine::Balls, None, "three joints"), (Spine::Balls, Some(LIMITS), "three joints, limited"), (Spine::Arc, None, "arc")];
    let mut angles = Vec::new();
    for (name, run, frames) in scenes {
        let mut panels = [plot(format!("{name}: dislocation"), "cm"), plot(format!("{name}: angle"), "rad")];
        for (substeps, iterations) in [(1, 20), (4, 5), (1, 200)] {
            let all = kinds.iter().map(|&(s, l, _)| run(s, l, substeps, iterations, frames)).collect::<Result<Vec<_>>>()?;
            for (k, what, unit) in [(0, "dislocation in cm", 100.0), (1, "angle in rad", 1.0)] {
                let most = |all: &[[f64; 2]]| all.iter().fold(0.0f64, |m, e| m.max(e[k]));
                let mut words = format!("{name}, {substeps} × {iterations}, {what}:");
                for ((_, _, kind), errors) in kinds.iter().zip(&all) {
                    let below = errors.iter().zip(&all[2]).filter(|(b, a)| a[k] < b[k]).count();
                    words += &format!(" {kind} {:.2e} in the mean, {:.2e} at most", unit * mean(errors, k), unit * most(errors));
                    words += &if *kind == "arc" { String::new() } else { format!(" (arc below in {below} of {frames});") };
                    // Dislocations of the limited ones are the others'; angles without limits are 0.
                    if iterations == 200 || *kind == ["three joints, limited", "three joints"][k] {
                        continue;
                    }
                    let points = errors.iter().enumerate().map(|(f, e)| [f as f64 + 1.0, unit * e[k]]).collect();
                    let name = format!("{kind}, {substeps} × {iterations}");
                    panels[k].series.push(Series { name, points, markers: false, dashed: substeps > 1 });
                }
                numbers.push(words);
            }
        }
        let [first, second] = panels;
        plots.push(first);
        angles.push(second);
    }
    plots.extend(angles);
    Ok(Figure { title: "Residual", plots, numbers, ..Figure::default() })
}
