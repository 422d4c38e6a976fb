//! The surface of a muscle, as a file has it, becomes a bundle of rods: [`withy_fit`] on rayon's threads.

use super::error::IoError;
use super::groom::Groom;
use super::mesh::TriMesh;
use rayon::prelude::*;
pub use withy_fit::{End, Muscle, MuscleDef, Repaired};

/// Turns a mesh into rods. The same mesh gives the same bits with any number of threads; a mesh that is moved gives
/// nearly the same rods moved: within a tenth of a radius.
///
/// # Errors
/// Names the field, index and value of what is wrong with the mesh, the ends or the numbers; the mesh has no inside; a
/// tendon is so thin that the ends do not hang together.
pub fn rods_from_mesh(mesh: &TriMesh, def: &MuscleDef) -> Result<Muscle, IoError> {
    withy_fit::rods_from_mesh(&withy_fit::Mesh { points: &points(mesh), triangles: &mesh.triangles }, def, &threads).map_err(told)
}

/// The rods as strands with widths.
pub fn to_groom(muscle: &Muscle) -> Groom {
    let widths = (0..muscle.rods).flat_map(|_| muscle.radii.iter().map(|radius| 2.0 * *radius as f32));
    Groom {
        points: muscle.points.iter().map(|p| p.map(|x| x as f32)).collect(),
        counts: vec![muscle.slices; muscle.rods as usize],
        widths: widths.collect(),
        ..Groom::default()
    }
}

pub mod measure {
    //! How well rods stand for a mesh.

    use super::{IoError, Muscle, TriMesh, points, threads, told};
    pub use withy_fit::measure::Fit;

    /// # Errors
    /// The mesh is one that [`super::rods_from_mesh`] refuses.
    pub fn fit(mesh: &TriMesh, muscle: &Muscle) -> Result<Fit, IoError> {
        let mesh = withy_fit::Mesh { points: &points(mesh), triangles: &mesh.triangles };
        withy_fit::measure::fit(&mesh, muscle, &threads).map_err(told)
    }
}

fn points(mesh: &TriMesh) -> Vec<[f64; 3]> {
    mesh.points.iter().map(|p| p.map(f64::from)).collect()
}

fn threads(count: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(task);
}

fn told(error: withy_fit::Error) -> IoError {
    let told = IoError::new("muscle", error.field, error.reason).value(error.value);
    match error.index {
        Some(index) => told.index(index),
        None => told,
    }
}
