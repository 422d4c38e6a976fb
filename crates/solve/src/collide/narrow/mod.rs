//! Shapes of rigid bodies, their mass, and where two of them touch.
//!
//! [`manifold()`] for two convex shapes or a plane, [`mesh_manifolds`] for a triangle mesh, [`distance`], [`cast`], [`ray`]
//! and [`point()`] for queries. Scalar, without memory of their own; lengths in m, poses of b in the frame of a.

pub mod capsule;
mod frame;
mod gjk;
pub mod hull;
mod manifold;
mod mass;
pub mod mesh;
mod moving_mesh;
mod point;
mod poly;
mod poly_round;
mod query;
mod ray;
mod round;
pub mod shape;
mod surface;

pub use capsule::{Capsule, far};
pub use hull::Hull;
pub use manifold::{Manifold, ManifoldPoint, manifold};
pub use mass::MassProperties;
pub use mesh::{NearestTriangle, Node, TIE, TriangleMesh, mesh_manifolds};
pub use moving_mesh::MovingMesh;
pub use point::point;
pub use query::{CastHit, Distance, cast, distance};
pub use ray::{RayHit, ray};
pub use round::{PillPair, pills};
pub use shape::{Geometry, GeometryDesc};
pub use surface::Core;
