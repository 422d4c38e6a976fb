//! Pictures of simulations without a GPU: frames, contact sheets, GIFs and line plots.
//!
//! A [`Scene`] holds one frame; [`Camera::fit`] frames a whole animation, so that nothing jumps between its pictures; [`render`]
//! draws one; [`Sheet`], [`encode_gif`] and [`Plot`] turn many into a figure. The same scene gives the same bytes on every run and with
//! every thread count: tiles are independent, and within a tile the order is that of the scene.
//!
//! How one frame comes about:
//! ```text
//! scene ─ tessellate (meshes, primitives) ─┐
//!       ─ sweep (thick curves) ────────────┼→ Surface ─→ shadow map ─┐
//!       └ strand (thin curves) ────────────┴→ Strands ─→ density ────┼→ raster (tiles): 3×3 samples a pixel for surfaces,
//!                                                                    │   exact area coverage for hair, sorted by depth
//!                                                                    └→ shade ─→ Image
//! ```

mod camera;
mod density;
mod frame;
mod gif;
mod image;
mod key;
mod path;
mod plot;
mod primitives;
mod raster;
mod scene;
mod shade;
mod shadow;
mod sheet;
mod strand;
mod surface;
mod sweep;
mod text;

#[cfg(test)]
mod tests;

pub use camera::{Bounds, Camera, Framing};
pub use frame::{Options, render};
pub use gif::{GifOptions, encode_gif, write_gif};
pub use image::Image;
pub use key::Key;
pub use plot::{Plot, Series};
pub use scene::{CurveSet, CurveStyle, DebugLine, Material, Mesh, Pattern, Primitive, Radii, Scene};
pub use sheet::Sheet;

// For who draws scenes otherwise, as `withy view` does.
#[cfg(feature = "view")]
pub(crate) use primitives::{Detail, add as tessellate};
#[cfg(feature = "view")]
pub(crate) use surface::{Paint, Surface, Vertex};

/// What can go wrong: the caller's arrays do not fit together, or the file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("invalid scene: {0}")]
    Invalid(String),
    #[error("cannot write {path}: {source}")]
    Io { path: String, source: std::io::Error },
    #[error("cannot encode the picture: {0}")]
    Encode(String),
}
