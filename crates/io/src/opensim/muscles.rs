//! Muscles: their paths and numbers.

use super::joints::{find, last};
use super::xml::{self, wrong};
use super::{Body, Joint, Muscle, PathPoint};
use crate::error::IoError;
use crate::notes::Notes;
use roxmltree::Node;
use withy_math::Vec3;

/// Those whose numbers have these names. OpenSim writes no numbers that are its defaults.
const KINDS: [&str; 8] = [
    "Thelen2003Muscle",
    "Millard2012EquilibriumMuscle",
    "Millard2012AccelerationMuscle",
    "DeGrooteFregly2016Muscle",
    "RigidTendonMuscle",
    "Schutte1993Muscle",
    "Schutte1993Muscle_Deprecated",
    "Delp1990Muscle_Deprecated",
];

pub fn read(model: Node<'_, '_>, bodies: &[Body], joints: &[Joint], notes: &mut Notes) -> Result<Vec<Muscle>, IoError> {
    let mut muscles = Vec::new();
    for node in xml::objects(model, "ForceSet") {
        let (kind, name) = (node.tag_name().name(), xml::name(node));
        if !KINDS.contains(&kind) {
            notes.add(format!("force \"{name}\": a {kind}"));
            continue;
        }
        if xml::flag(node, "appliesForce") == Some(false) || xml::flag(node, "isDisabled") == Some(true) {
            notes.add(format!("muscle \"{name}\" is switched off in the file"));
        }
        let geometry = xml::child(node, "GeometryPath").ok_or_else(|| wrong(node, "has no <GeometryPath>"))?;
        let mut path = Vec::new();
        for point in xml::objects(geometry, "PathPointSet") {
            path.extend(path_point(point, name, bodies, joints, notes)?);
        }
        if path.len() < 2 {
            return Err(wrong(geometry, "path points that stay, must have at least 2").value(format!("has {}", path.len())));
        }
        let mut wraps = Vec::new();
        for wrap in xml::objects(geometry, "PathWrapSet") {
            let object = last(xml::text(wrap, "wrap_object").unwrap_or(""));
            let known = bodies.iter().any(|b| b.wraps.iter().any(|w| w.name == object));
            if !known {
                notes.add(format!("muscle \"{name}\": its wrap object \"{object}\" is not there"));
                continue;
            }
            notes.add(format!("muscle \"{name}\" does not go around \"{object}\": its line is straight between its points"));
            wraps.push(object.to_string());
        }
        let mut number = |tag: &str, default: f64, range: [f64; 2]| match xml::within(node, tag, range)? {
            Some(x) => Ok::<f64, IoError>(x),
            None => {
                notes.add(format!("muscle \"{name}\" has no {tag}: OpenSim's {default}"));
                Ok(default)
            }
        };
        muscles.push(Muscle {
            name: name.to_string(),
            kind: kind.to_string(),
            path,
            wraps,
            max_isometric_force: number("max_isometric_force", 1000.0, [0.0, 1e9])?,
            optimal_fiber_length: number("optimal_fiber_length", 0.1, [1e-6, 1e3])?,
            tendon_slack_length: number("tendon_slack_length", 0.2, [0.0, 1e3])?,
            pennation: number("pennation_angle_at_optimal", 0.0, [0.0, core::f64::consts::FRAC_PI_2])?,
            max_contraction_velocity: number("max_contraction_velocity", 10.0, [1e-3, 1e6])?,
        });
    }
    Ok(muscles)
}

/// One of a path. Points that come and go are there if they are at the default pose; those that move with a coordinate are left out.
fn path_point(
    node: Node<'_, '_>,
    muscle: &str,
    bodies: &[Body],
    joints: &[Joint],
    notes: &mut Notes,
) -> Result<Option<PathPoint>, IoError> {
    let (kind, name) = (node.tag_name().name(), xml::name(node));
    match kind {
        "PathPoint" => {}
        "ConditionalPathPoint" => {
            let path = xml::text(node, "socket_coordinate").or_else(|| xml::text(node, "coordinate")).unwrap_or("");
            let all = joints.iter().flat_map(|j| &j.coordinates);
            let Some(coordinate) = all.into_iter().find(|c| c.name == last(path)) else {
                return Err(wrong(node, "is no coordinate").value(format!("coordinate {path}")));
            };
            let [low, high] = xml::array(node, "range")?.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            let there = (low..=high).contains(&coordinate.default);
            let what = if there { "taken as one that stays" } else { "not there at the default pose" };
            notes.add(format!("muscle \"{muscle}\": the conditional path point \"{name}\" is {what}"));
            if !there {
                return Ok(None);
            }
        }
        "MovingPathPoint" => {
            notes.add(format!("muscle \"{muscle}\": the moving path point \"{name}\""));
            return Ok(None);
        }
        _ => return Err(wrong(node, "is no kind of path point that is known")),
    }
    let frame = xml::text(node, "socket_parent_frame").or_else(|| xml::text(node, "body"));
    let frame = frame.ok_or_else(|| wrong(node, "has no <socket_parent_frame>"))?;
    let body = find(bodies, last(frame)).ok_or_else(|| wrong(node, "is on no body").value(frame))?;
    let location: Vec3<f64> = xml::vector(node, "location")?.ok_or_else(|| wrong(node, "has no <location>"))?;
    Ok(Some(PathPoint { name: name.to_string(), body, location }))
}
