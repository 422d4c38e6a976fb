//! Points on a surface
//!
//! Roots of hair on a scalp that a host skins: bind them once to the mesh, and in every frame ask
//! where they are and how far they have turned, for `withy_rods_set_root_poses` or
//! `withy_render_hair_set_roots`. These functions enter no world and keep nothing: what binds the
//! points are two arrays of yours, which can be saved. Lengths are in any unit, axes are any.

use super::defs;
use super::guard::{self, Failure, Result};
use super::span::{FLOATS, INDICES, Output, View};
use super::types::WithySpan;
use crate::math::Vec3;
use crate::world::surface::{Bound, bind, follow};

fn vectors(span: *const WithySpan, name: &'static str) -> Result<Vec<[f64; 3]>> {
    // SAFETY: the caller's contract.
    View::<3>::required(&unsafe { defs::load(span, name)? }, name, FLOATS)?.vectors(|v| v)
}

fn corners(span: *const WithySpan, name: &'static str, vertices: usize) -> Result<Vec<[u32; 3]>> {
    // SAFETY: the caller's contract.
    let all = View::<3>::required(&unsafe { defs::load(span, name)? }, name, INDICES)?.indices()?;
    match all.iter().enumerate().find(|(_, t)| t.iter().any(|&v| v as usize >= vertices)) {
        None => Ok(all),
        Some((i, t)) => {
            let most = t.iter().max().copied().unwrap_or(0);
            Err(Failure::argument(format!("{name}[{i}] {most} is outside of the {vertices} positions")))
        }
    }
}

/// Binds points to the nearest triangles of a mesh.
///
/// @param positions Vectors, the vertices of the mesh.
/// @param triangles Triples of u32.
/// @param points Vectors, near the mesh.
/// @param corners Set: triples of u32, one a point: the corners of its triangle.
/// @param coordinates Set: three numbers a point: what the second and the third corner have of it,
///     and how far it is before the triangle (behind it: less than 0).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_surface_bind(
    positions: *const WithySpan,
    triangles: *const WithySpan,
    points: *const WithySpan,
    corners: *mut WithySpan,
    coordinates: *mut WithySpan,
) -> i32 {
    guard::call("withy_surface_bind", || {
        let (positions, points) = (vectors(positions, "positions")?, vectors(points, "points")?);
        let triangles = self::corners(triangles, "triangles", positions.len())?;
        defs::not_null(corners, "corners")?;
        defs::not_null(coordinates, "coordinates")?;
        // SAFETY: the caller's contract.
        let corners = unsafe { Output::<3>::wanted(corners, points.len(), INDICES, "corners")? };
        // SAFETY: the caller's contract.
        let coordinates = unsafe { Output::<3>::wanted(coordinates, points.len(), FLOATS, "coordinates")? };
        if corners.is_none() && coordinates.is_none() {
            return Ok(());
        }
        for (i, bound) in bind(&positions, &triangles, &points)?.into_iter().enumerate() {
            if let Some(out) = &corners {
                out.put_u32s(i, bound.corners);
            }
            if let Some(out) = &coordinates {
                out.put(i, bound.coordinates);
            }
        }
        Ok(())
    })
}

/// Where bound points are now, and how far they have turned since they were bound. It allocates as
/// much as the mesh is large.
///
/// @param bind_positions Vectors, the vertices to which the points were bound.
/// @param positions Vectors, the same vertices now.
/// @param corners Triples of u32, as `withy_surface_bind` has set them.
/// @param coordinates Three numbers a point, as it has set them.
/// @param points Set: vectors, one a point. NULL: not wanted.
/// @param rotations Set: quaternions, one a point. NULL: not wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_surface_follow(
    bind_positions: *const WithySpan,
    positions: *const WithySpan,
    corners: *const WithySpan,
    coordinates: *const WithySpan,
    points: *mut WithySpan,
    rotations: *mut WithySpan,
) -> i32 {
    guard::call("withy_surface_follow", || {
        let (before, now) = (vectors(bind_positions, "bind_positions")?, vectors(positions, "positions")?);
        if before.len() != now.len() {
            let (before, now) = (before.len(), now.len());
            return Err(Failure::argument(format!("positions.count is {now}: there are {before} bind_positions")));
        }
        let corners = self::corners(corners, "corners", now.len())?;
        let coordinates = vectors(coordinates, "coordinates")?;
        if coordinates.len() != corners.len() {
            let (of, n) = (corners.len(), coordinates.len());
            return Err(Failure::argument(format!("coordinates.count is {n}: there are {of} corners")));
        }
        // SAFETY: the caller's contract.
        let points = unsafe { Output::<3>::wanted(points, corners.len(), FLOATS, "points")? };
        // SAFETY: the caller's contract.
        let rotations = unsafe { Output::<4>::wanted(rotations, corners.len(), FLOATS, "rotations")? };
        for (i, (corners, coordinates)) in corners.into_iter().zip(coordinates).enumerate() {
            let at = |all: &[[f64; 3]]| corners.map(|v| Vec3::from(all[v as usize]));
            let (place, turn) = follow(&Bound { corners, coordinates }, at(&before), at(&now));
            if let Some(out) = &points {
                out.put(i, place.to_array());
            }
            if let Some(out) = &rotations {
                out.put(i, turn.to_array());
            }
        }
        Ok(())
    })
}
