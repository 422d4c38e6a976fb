//! What cannot become rods, and why.

use super::cells::Cells;
use super::ends::{Place, Region};
use super::sections::Section;
use super::{End, Error, Mesh, MuscleDef, V3};

/// Below this part of the coordinates a mesh's size is rounding: an f32 has 24 bits, and a cell wants some of them.
const FAR_OFF: f64 = 1e-4;
/// A point this part of the muscle's size away from it is not on it.
const STRAY: f64 = 0.2;
/// A rod thinner than this part of the muscle's length is a hair, not a fascicle.
const THIN: f64 = 1e-3;

fn error(field: &'static str, reason: impl Into<String>) -> Error {
    Error::new(field, reason)
}

/// The mesh's points, if it can be used.
pub(crate) fn mesh(mesh: &Mesh) -> Result<Vec<V3>, Error> {
    if mesh.triangles.is_empty() {
        return Err(match mesh.points.len() {
            0 => error("triangles", "are missing: the mesh is empty"),
            vertices => error("triangles", format!("are missing: the mesh has {vertices} vertices and no face")),
        });
    }
    if let Some(index) = mesh.points.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
        let [x, y, z] = mesh.points[index];
        return Err(error("points", "is not finite").index(index).value(format!("({x}, {y}, {z})")));
    }
    for (index, triangle) in mesh.triangles.iter().enumerate() {
        if let Some(vertex) = triangle.iter().find(|&&vertex| vertex as usize >= mesh.points.len()) {
            let reason = format!("is outside of the {} vertices", mesh.points.len());
            return Err(error("triangles", reason).index(index).value(vertex));
        }
    }
    let points: Vec<V3> = mesh.points.iter().map(|p| V3::from(*p)).collect();
    let used = || mesh.triangles.iter().flatten().map(|&index| points[index as usize]);
    let low = used().fold(V3::repeat(f64::INFINITY), |low, p| low.inf(&p));
    let high = used().fold(V3::repeat(f64::NEG_INFINITY), |high, p| high.sup(&p));
    let size = (high - low).max();
    if !(1e-12..=1e12).contains(&size) {
        return Err(error("size", "is none of a muscle, in any unit").value(format!("{size:e}")).lengths());
    }
    let away = low.abs().sup(&high.abs()).max();
    if size < FAR_OFF * away {
        let reason = format!("is lost in the rounding of coordinates of {away:e}: move the mesh to the origin");
        return Err(error("size", reason).value(format!("{size:e}")).lengths());
    }
    Ok(points)
}

pub(crate) fn def(def: &MuscleDef, points: &[V3]) -> Result<(), Error> {
    let within = |field: &'static str, value: u32, least: u32, most: u32| {
        let reason = format!("is not a number from {least} to {most}");
        if (least..=most).contains(&value) { Ok(()) } else { Err(error(field, reason).value(value)) }
    };
    within("rods", def.rods, 1, MuscleDef::MAX_RODS)?;
    within("slices", def.slices, 2, MuscleDef::MAX_SLICES)?;
    for (name, end) in [("origin", &def.origin), ("insertion", &def.insertion)] {
        let finite = |v: &[f64; 3]| v.iter().all(|x| x.is_finite());
        match end {
            End::Found => {}
            End::Points(at) if at.is_empty() => return Err(error(name, "has no point")),
            End::Vertices(painted) if painted.is_empty() => return Err(error(name, "has no vertex")),
            End::Points(at) => {
                if let Some(index) = at.iter().position(|p| !finite(p)) {
                    return Err(error(name, "is not finite").index(index).value(format!("{:?}", at[index])));
                }
            }
            End::Vertices(painted) => {
                if let Some(index) = painted.iter().position(|&vertex| vertex as usize >= points.len()) {
                    let reason = format!("is outside of the {} vertices", points.len());
                    return Err(error(name, reason).index(index).value(painted[index]));
                }
            }
            End::Plane { point, normal } => {
                if !finite(point) || !finite(normal) || V3::from(*normal).try_normalize(0.0).is_none() {
                    return Err(error(name, "is no plane: a finite point and a direction").value(format!("{normal:?}")));
                }
            }
        }
    }
    if def.origin == def.insertion && def.origin != End::Found {
        return Err(same());
    }
    Ok(())
}

pub(crate) fn no_inside() -> Error {
    error("triangles", "enclose nothing: the mesh is an open sheet, or too thin for its length")
}

fn same() -> Error {
    error("insertion", "is the same as the origin")
}

/// Points must lie near the muscle: elsewhere they are most likely in another unit.
pub(crate) fn near(cells: &Cells, def: &MuscleDef, places: &[Place; 2], scale: f64) -> Result<(), Error> {
    for ((name, end), place) in [("origin", &def.origin), ("insertion", &def.insertion)].into_iter().zip(places) {
        let (End::Points(given), Place::Points(points)) = (end, place) else { continue };
        for (index, point) in points.iter().enumerate() {
            let away = (cells.center(cells.nearest(*point)) - point).norm();
            if away > STRAY * scale {
                let reason = format!("lies {away:.4} away from the mesh, which is {scale:.4} long: another unit?");
                return Err(error(name, reason).index(index).value(format!("{:?}", given[index])).lengths());
            }
        }
    }
    for (name, place) in ["origin", "insertion"].into_iter().zip(places) {
        if let Place::Plane { point, normal } = place {
            let beyond = (0..cells.len()).filter(|&cell| (cells.center(cell) - point).dot(normal) >= 0.0).count();
            if beyond == 0 || beyond == cells.len() {
                return Err(error(name, "has the whole mesh on one side of its plane"));
            }
        }
    }
    Ok(())
}

pub(crate) fn ends_in_parts(parts: usize) -> Error {
    error("ends", format!("lie in different parts of the mesh, which has {parts}: nothing leads from one to the other"))
}

/// The two ends must leave something between them.
pub(crate) fn apart(cells: &Cells, ends: &[Region; 2]) -> Result<(), Error> {
    let mut is_origin = vec![false; cells.len()];
    ends[0].cells.iter().for_each(|&cell| is_origin[cell as usize] = true);
    if ends[1].cells.iter().any(|&cell| is_origin[cell as usize]) {
        return Err(same());
    }
    if ends[0].cells.len() + ends[1].cells.len() >= cells.len() {
        return Err(error("ends", "leave nothing between them"));
    }
    Ok(())
}

/// Rods must not be thinner than what can be told apart.
pub(crate) fn room(sections: &[Section], def: &MuscleDef, length: f64) -> Result<(), Error> {
    let area = |section: &Section| section.parts.iter().map(|part| part.area).sum::<f64>();
    let widest = sections.iter().map(area).fold(0.0, f64::max);
    let radius = (widest / (f64::from(def.rods) * std::f64::consts::PI)).sqrt();
    if radius < THIN * length {
        let most = (widest / (std::f64::consts::PI * (THIN * length).powi(2))).floor();
        let reason = format!("are too many for a section of {widest:.4} and a length of {length:.4}: at most {most}");
        return Err(error("rods", reason).value(def.rods).lengths());
    }
    let room = |section: &Section| section.parts.iter().map(|part| part.points.len()).sum::<usize>();
    if let Some(slice) = sections.iter().position(|section| room(section) < def.rods as usize) {
        let reason = format!("find only {} places in slice {slice}", room(&sections[slice]));
        return Err(error("rods", reason).value(def.rods));
    }
    Ok(())
}
