//! Musculoskeletal models of OpenSim (`.osim`, versions 3 and 4): bodies at the default pose, joints, and muscles as polylines. By the crate `roxmltree`.
//!
//! OpenSim's frames are kept: metres, Y up, poses in ground.

mod function;
mod joints;
mod muscles;
#[cfg(test)]
mod tests;
mod xml;

use super::error::IoError;
use super::notes::Notes;
use withy_math::{Transform, Vec3};

/// What a file says. `check` holds for what [`read_osim`] gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub name: String,
    /// m/s²
    pub gravity: Vec3<f64>,
    /// The first one is ground.
    pub bodies: Vec<Body>,
    /// Parents before children.
    pub joints: Vec<Joint>,
    pub muscles: Vec<Muscle>,
    /// What was left out, or taken for something simpler.
    pub dropped: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub name: String,
    /// kg; 0 of ground, and of what only carries others.
    pub mass: f64,
    /// In the body's frame, m.
    pub mass_center: Vec3<f64>,
    /// About that centre, kg m²: xx, yy, zz, xy, xz, yz.
    pub inertia: [f64; 6],
    /// In ground, at the default pose.
    pub pose: Transform<f64>,
    pub wraps: Vec<Wrap>,
}

/// A shape that paths of muscles go around.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrap {
    pub name: String,
    pub shape: WrapShape,
    /// In the body's frame.
    pub pose: Transform<f64>,
    pub active: bool,
}

/// m
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WrapShape {
    Sphere {
        radius: f64,
    },
    /// Along local z.
    Cylinder {
        radius: f64,
        length: f64,
    },
    Ellipsoid {
        radii: [f64; 3],
    },
    /// About local z.
    Torus {
        inner: f64,
        outer: f64,
    },
}

/// What a coordinate does to the child of a joint, in the joint's frame on the parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Freedom {
    /// About this axis, rad.
    Turns(Vec3<f64>),
    /// Along this axis, m.
    Slides(Vec3<f64>),
    /// Something else, or several at once.
    Other,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    pub name: String,
    /// rad or m.
    pub default: f64,
    pub range: [f64; 2],
    pub locked: bool,
    pub freedom: Freedom,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    pub name: String,
    /// As in the file: `PinJoint`, `CustomJoint`, …
    pub kind: String,
    /// Numbers of bodies.
    pub parent: u32,
    pub child: u32,
    /// The joint's frame on either body.
    pub on_parent: Transform<f64>,
    pub on_child: Transform<f64>,
    /// The child's frame seen from the parent's, at the default pose.
    pub at: Transform<f64>,
    pub coordinates: Vec<Coordinate>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PathPoint {
    pub name: String,
    /// Number of a body.
    pub body: u32,
    /// In the body's frame, m.
    pub location: Vec3<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Muscle {
    pub name: String,
    /// As in the file: `Thelen2003Muscle`, …
    pub kind: String,
    /// At least two.
    pub path: Vec<PathPoint>,
    /// Names of shapes that the path goes around; these are not followed here.
    pub wraps: Vec<String>,
    /// N
    pub max_isometric_force: f64,
    /// m
    pub optimal_fiber_length: f64,
    /// m
    pub tendon_slack_length: f64,
    /// At the optimal length, rad.
    pub pennation: f64,
    /// Optimal lengths a second.
    pub max_contraction_velocity: f64,
}

/// A muscle's way at the default pose, in ground, from origin to insertion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// m
    pub points: Vec<[f64; 3]>,
    /// The body that each point is on; `None` between two path points.
    pub bodies: Vec<Option<u32>>,
}

impl Line {
    pub fn length(&self) -> f64 {
        self.points.windows(2).map(|p| (Vec3::from(p[1]) - Vec3::from(p[0])).length()).sum()
    }
}

impl Model {
    /// The first body of that name.
    pub fn body(&self, name: &str) -> Option<u32> {
        self.bodies.iter().position(|b| b.name == name).map(|i| i as u32)
    }

    /// The way of a muscle at the default pose, straight between its path points, with edges of at most `spacing` m. Every path point is one of its points; those
    /// that lie in one place are one.
    ///
    /// # Errors
    /// There is no such muscle, the spacing is not from 1e-4 to 1e3 m, or the way has no length.
    pub fn line(&self, muscle: usize, spacing: f64) -> Result<Line, IoError> {
        let Some(found) = self.muscles.get(muscle) else {
            return Err(IoError::new("opensim", "muscles", format!("are {}", self.muscles.len())).index(muscle));
        };
        if !(1e-4..=1e3).contains(&spacing) {
            return Err(IoError::new("opensim", "spacing", "must be 1e-4 to 1000 m").value(spacing));
        }
        let places = found.path.iter().map(|p| (self.bodies[p.body as usize].pose.point(p.location), p.body));
        let mut line = Line::default();
        let mut last: Option<Vec3<f64>> = None;
        for (x, body) in places {
            if let Some(from) = last {
                let d = x - from;
                if d.length() < 1e-6 {
                    continue;
                }
                let edges = (d.length() / spacing).ceil().max(1.0);
                for k in 1..edges as usize {
                    line.points.push((from + d * (k as f64 / edges)).to_array());
                    line.bodies.push(None);
                }
            }
            line.points.push(x.to_array());
            line.bodies.push(Some(body));
            last = Some(x);
        }
        if line.points.len() < 2 {
            return Err(IoError::new("opensim", format!("muscle \"{}\"", found.name), "has no length"));
        }
        Ok(line)
    }
}

/// Reads a model.
///
/// # Errors
/// The file is no XML, or none of OpenSim's; an element lacks what it needs, or has a number that is none: the error names the element and its line.
pub fn read_osim(data: &[u8]) -> Result<Model, IoError> {
    let text = core::str::from_utf8(data).map_err(|error| IoError::new("opensim", "contents", format!("is no text: {error}")))?;
    let document = xml::parse(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "OpenSimDocument" {
        return Err(xml::wrong(root, "is not <OpenSimDocument>: no model of OpenSim"));
    }
    let model = xml::child(root, "Model").ok_or_else(|| xml::wrong(root, "has no <Model>"))?;
    let mut notes = Notes::default();
    if let Some(unit) = xml::text(model, "length_units").filter(|u| !u.is_empty() && *u != "meters" && *u != "m") {
        notes.add(format!("length_units {unit}: taken as metres"));
    }
    let mut bodies = vec![Body {
        name: "ground".into(),
        mass: 0.0,
        mass_center: Vec3::zero(),
        inertia: [0.0; 6],
        pose: Transform::identity(),
        wraps: xml::child(model, "Ground").map_or(Ok(Vec::new()), |ground| joints::wraps(ground, &mut notes))?,
    }];
    let listed: Vec<_> = xml::objects(model, "BodySet").filter(|b| b.tag_name().name() == "Body").collect();
    if listed.is_empty() {
        return Err(xml::wrong(model, "has no bodies: <BodySet> is empty"));
    }
    for &node in &listed {
        // Files of version 3 list ground, too.
        if xml::name(node) == "ground" {
            bodies[0].wraps = joints::wraps(node, &mut notes)?;
            continue;
        }
        bodies.push(joints::body(node, &mut notes)?);
    }
    let joints = joints::read(model, &listed, &mut bodies, &mut notes)?;
    let muscles = muscles::read(model, &bodies, &joints, &mut notes)?;
    let gravity = xml::vector(model, "gravity")?.unwrap_or(Vec3::from([0.0, -9.80665, 0.0]));
    Ok(Model { name: xml::name(model).to_string(), gravity, bodies, joints, muscles, dropped: notes.finish() })
}
