//! Bodies, their wrap objects, and the joints that place them.

use super::xml::{self, wrong};
use super::{Body, Coordinate, Freedom, Joint, Wrap, WrapShape, function};
use crate::error::IoError;
use crate::notes::Notes;
use roxmltree::Node;
use withy_math::vec3::vec3;
use withy_math::{Quat, Transform, Vec3};

/// kg, m, kg m²
const MOST_MASS: f64 = 1e9;
const SIZES: [f64; 2] = [1e-9, 1e3];

pub fn body(node: Node<'_, '_>, notes: &mut Notes) -> Result<Body, IoError> {
    if xml::name(node).is_empty() {
        return Err(wrong(node, "has no name"));
    }
    let inertia = match xml::array::<6>(node, "inertia")? {
        Some(all) => all,
        // Version 3 has an element for each.
        None => {
            let mut all = [0.0; 6];
            for (at, tag) in all.iter_mut().zip(["xx", "yy", "zz", "xy", "xz", "yz"]) {
                *at = xml::number(node, &format!("inertia_{tag}"))?.unwrap_or(0.0);
            }
            all
        }
    };
    Ok(Body {
        name: xml::name(node).to_string(),
        mass: xml::within(node, "mass", [0.0, MOST_MASS])?.unwrap_or(0.0),
        mass_center: xml::vector(node, "mass_center")?.unwrap_or(Vec3::zero()),
        inertia,
        pose: Transform::identity(),
        wraps: wraps(node, notes)?,
    })
}

pub fn wraps(body: Node<'_, '_>, notes: &mut Notes) -> Result<Vec<Wrap>, IoError> {
    let mut all = Vec::new();
    for node in xml::objects(body, "WrapObjectSet") {
        let size = |tag: &str| xml::within(node, tag, SIZES)?.ok_or_else(|| wrong(node, format!("has no <{tag}>")));
        let shape = match node.tag_name().name() {
            "WrapSphere" => WrapShape::Sphere { radius: size("radius")? },
            "WrapCylinder" => WrapShape::Cylinder { radius: size("radius")?, length: size("length")? },
            "WrapEllipsoid" => {
                let radii = xml::array(node, "dimensions")?.ok_or_else(|| wrong(node, "has no <dimensions>"))?;
                WrapShape::Ellipsoid { radii }
            }
            "WrapTorus" => WrapShape::Torus { inner: size("inner_radius")?, outer: size("outer_radius")? },
            kind => {
                notes.add(format!("wrap object \"{}\": a {kind} is not known", xml::name(node)));
                continue;
            }
        };
        let pose = xml::transform(node, "translation", "xyz_body_rotation")?;
        let active = xml::flag(node, "active").unwrap_or(true);
        all.push(Wrap { name: xml::name(node).to_string(), shape, pose, active });
    }
    Ok(all)
}

/// A frame of a joint: its body and its place there.
struct End {
    body: u32,
    at: Transform<f64>,
}

/// The last name of a path through components.
pub fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path).trim()
}

pub fn find(bodies: &[Body], name: &str) -> Option<u32> {
    bodies.iter().position(|b| b.name == name).map(|i| i as u32)
}

/// The frame that an element names, as a body or as a frame of the joint.
fn end(joint: Node<'_, '_>, socket: &str, bodies: &[Body]) -> Result<End, IoError> {
    let mut path = xml::text(joint, socket).ok_or_else(|| wrong(joint, format!("has no <{socket}>")))?;
    let mut at = Transform::identity();
    // A frame may be on a frame.
    for _ in 0..16 {
        let name = last(path);
        let frames = xml::child(joint, "frames");
        let frame = frames.and_then(|f| f.children().find(|c| c.is_element() && xml::name(*c) == name));
        match (frame, find(bodies, name)) {
            (Some(frame), _) => {
                at = xml::transform(frame, "translation", "orientation")?.compose(at);
                path = xml::text(frame, "socket_parent").ok_or_else(|| wrong(frame, "has no <socket_parent>"))?;
            }
            (None, Some(body)) => return Ok(End { body, at }),
            (None, None) => {
                return Err(wrong(joint, "names no body and no frame of the joint").value(format!("<{socket}> {path}")));
            }
        }
    }
    Err(wrong(joint, format!("<{socket}>: its frames are on each other")))
}

/// All joints of the model, parents first; places the bodies.
pub fn read(model: Node<'_, '_>, listed: &[Node<'_, '_>], bodies: &mut [Body], notes: &mut Notes) -> Result<Vec<Joint>, IoError> {
    let mut found = Vec::new();
    for node in xml::objects(model, "JointSet") {
        let (parent, child) = (end(node, "socket_parent_frame", bodies)?, end(node, "socket_child_frame", bodies)?);
        found.push((joint(node, [parent, child], notes)?, node));
    }
    // In version 3 the joint is in its child.
    for &body in listed {
        let Some(node) = xml::child(body, "Joint").and_then(|j| j.children().find(Node::is_element)) else { continue };
        let name = xml::text(node, "parent_body").ok_or_else(|| wrong(node, "has no <parent_body>"))?;
        let parent = find(bodies, name).ok_or_else(|| wrong(node, "is no body").value(format!("<parent_body> {name}")))?;
        let child = find(bodies, xml::name(body)).ok_or_else(|| wrong(body, "has no name"))?;
        let ends = [
            End { body: parent, at: xml::transform(node, "location_in_parent", "orientation_in_parent")? },
            End { body: child, at: xml::transform(node, "location", "orientation")? },
        ];
        found.push((joint(node, ends, notes)?, node));
    }
    // From ground on.
    let mut placed = vec![false; bodies.len()];
    placed[0] = true;
    let mut joints = Vec::with_capacity(found.len());
    while !found.is_empty() {
        let before = found.len();
        let (ready, rest): (Vec<_>, Vec<_>) = found.into_iter().partition(|(j, _)| placed[j.parent as usize]);
        for (joint, node) in ready {
            if placed[joint.child as usize] {
                return Err(wrong(node, format!("places the body \"{}\" a second time", bodies[joint.child as usize].name)));
            }
            placed[joint.child as usize] = true;
            bodies[joint.child as usize].pose = bodies[joint.parent as usize].pose.compose(joint.at);
            joints.push(joint);
        }
        found = rest;
        if found.len() == before {
            return Err(wrong(found[0].1, "hangs on no body that hangs on ground"));
        }
    }
    if let Some(i) = placed.iter().position(|p| !p) {
        return Err(IoError::new("opensim", "BodySet", format!("the body \"{}\" has no joint", bodies[i].name)).index(i - 1));
    }
    Ok(joints)
}

fn joint(node: Node<'_, '_>, [parent, child]: [End; 2], notes: &mut Notes) -> Result<Joint, IoError> {
    let kind = node.tag_name().name();
    let mut coordinates = Vec::new();
    let listed = xml::child(node, "coordinates").into_iter().flat_map(|c| c.children());
    let listed: Vec<_> = listed.filter(|c| c.has_tag_name("Coordinate")).chain(xml::objects(node, "CoordinateSet")).collect();
    for c in listed {
        coordinates.push(Coordinate {
            name: xml::name(c).to_string(),
            default: xml::number(c, "default_value")?.unwrap_or(0.0),
            range: xml::array(c, "range")?.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]),
            locked: xml::flag(c, "locked").unwrap_or(false),
            freedom: Freedom::Other,
        });
    }
    let (x, y, z) = (vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0));
    use Freedom::{Slides, Turns};
    // What each coordinate does, one after the other, each in the frame that the one before has turned.
    let freedoms: &[Freedom] = match kind {
        "WeldJoint" => &[],
        "PinJoint" => &[Turns(z)],
        "SliderJoint" => &[Slides(x)],
        "UniversalJoint" => &[Turns(x), Turns(y)],
        "BallJoint" | "GimbalJoint" => &[Turns(x), Turns(y), Turns(z)],
        "PlanarJoint" => &[Turns(z), Slides(x), Slides(y)],
        "FreeJoint" => &[Turns(x), Turns(y), Turns(z), Slides(x), Slides(y), Slides(z)],
        "CustomJoint" => &[],
        _ => {
            notes.add(format!("joint \"{}\": a {kind} is taken as welded", xml::name(node)));
            &[]
        }
    };
    let moved = if kind == "CustomJoint" {
        custom(node, &mut coordinates, notes)?
    } else {
        let mut moved = Transform::identity();
        for (coordinate, freedom) in coordinates.iter_mut().zip(freedoms) {
            coordinate.freedom = *freedom;
            match *freedom {
                Turns(axis) => moved.rotation = moved.rotation.compose(xml::about(axis, coordinate.default)),
                // Slides are along the axes on the parent.
                Slides(axis) => moved.position = moved.position + axis * coordinate.default,
                Freedom::Other => {}
            }
        }
        moved
    };
    let at = parent.at.compose(moved).compose(child.at.inverse());
    Ok(Joint {
        name: xml::name(node).to_string(),
        kind: kind.to_string(),
        parent: parent.body,
        child: child.body,
        on_parent: parent.at,
        on_child: child.at,
        at,
        coordinates,
    })
}

/// Three turns about axes, each in the frame that the one before has turned, and three slides along axes on the parent.
fn custom(node: Node<'_, '_>, coordinates: &mut [Coordinate], notes: &mut Notes) -> Result<Transform<f64>, IoError> {
    let space = xml::child(node, "SpatialTransform").ok_or_else(|| wrong(node, "has no <SpatialTransform>"))?;
    let mut moved = Transform::identity();
    let mut uses = vec![0; coordinates.len()];
    for axis in space.children().filter(|c| c.has_tag_name("TransformAxis")) {
        let slides = xml::name(axis).starts_with("translation");
        let along = xml::vector(axis, "axis")?.ok_or_else(|| wrong(axis, "has no <axis>"))?;
        let length = along.length();
        if length < 1e-9 {
            return Err(wrong(axis, "has an <axis> without length"));
        }
        let along = along * (1.0 / length);
        let word = xml::text(axis, "coordinates").unwrap_or("").split_whitespace().next();
        let coordinate = match word {
            None => None,
            Some(word) => match coordinates.iter().position(|c| c.name == word) {
                Some(i) => Some(i),
                None => return Err(wrong(axis, "is no coordinate of the joint").value(format!("<coordinates> {word}"))),
            },
        };
        let x = coordinate.map_or(0.0, |i| coordinates[i].default);
        // The function stands alone (version 4), or in an element of its own (version 3); none is none, of a coordinate it is the coordinate.
        let known = |c: &Node<'_, '_>| c.is_element() && !["coordinates", "axis", "function"].contains(&c.tag_name().name());
        let inner = axis.children().find(known);
        let inner = inner.or_else(|| xml::child(axis, "function").and_then(|f| f.children().find(Node::is_element)));
        let (value, plain) = match inner {
            None => (x, true),
            Some(f) => match function::value(f, x)? {
                Some(value) => (value, f.has_tag_name("LinearFunction")),
                None => {
                    let kind = f.tag_name().name();
                    notes.add(format!("joint \"{}\": {} is a {kind}, taken as 0", xml::name(node), xml::name(axis)));
                    (0.0, false)
                }
            },
        };
        if let Some(i) = coordinate {
            uses[i] += 1;
            // In the frame that is there before: turns of others that stay come first.
            let now: Quat<f64> = moved.rotation;
            coordinates[i].freedom = match (plain && uses[i] == 1, slides) {
                (false, _) => Freedom::Other,
                (true, true) => Freedom::Slides(along),
                (true, false) => Freedom::Turns(now.rotate(along)),
            };
        }
        if slides {
            moved.position = moved.position + along * value;
        } else {
            moved.rotation = moved.rotation.compose(xml::about(along, value));
        }
    }
    Ok(moved)
}
