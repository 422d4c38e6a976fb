//! What a caller hands over: one frame of curves, meshes, primitives and debug lines, in metres, Y up.
//!
//! Colours are sRGB in 0..=1, as picked on a screen. A point that is not finite (or beyond [`FAR_AWAY`]) is skipped and its
//! curve breaks there; arrays whose lengths do not fit together are an error, because then the caller has a bug.

use super::Error;
use glam::Vec3;

/// Coordinates beyond this are treated like NaN: f32 could not place them on a pixel any more.
pub(crate) const FAR_AWAY: f32 = 1e8;

/// One frame.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub curves: Vec<CurveSet>,
    pub meshes: Vec<Mesh>,
    pub primitives: Vec<Primitive>,
    pub lines: Vec<DebugLine>,
}

/// Many curves of one look. `counts[i]` points belong to curve `i`. A curve whose last point repeats its first is closed.
#[derive(Clone, Debug, Default)]
pub struct CurveSet {
    pub points: Vec<[f32; 3]>,
    pub counts: Vec<u32>,
    pub radii: Radii,
    pub style: CurveStyle,
    pub material: Material,
    /// Material axis d1 of every edge (`counts[i] - 1` a curve), or empty: then a twist-free frame is used.
    pub frames: Vec<[f32; 3]>,
    /// Draw a smooth curve through the points. `false` shows the simulated polyline itself.
    pub smooth: bool,
}

/// Radii in metres.
#[derive(Clone, Debug)]
pub enum Radii {
    Uniform(f32),
    /// Linear in the point's index from root to tip.
    Tapered {
        root: f32,
        tip: f32,
    },
    PerPoint(Vec<f32>),
}

impl Default for Radii {
    fn default() -> Self {
        Radii::Uniform(1e-3)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum CurveStyle {
    /// Hair when thinner than about two pixels at the camera's target, otherwise a tube.
    #[default]
    Auto,
    /// Shaded by its tangent, drawn with the exact area that it covers.
    Hair,
    /// A round rod.
    Tube,
    /// A flat strip: `half_width` along d1, `half_thickness` across, in metres. The radii are not used.
    Ribbon { half_width: f32, half_thickness: f32 },
}

/// How a surface or a strand takes light. Build with `Material { .. ..Material::default() }` or the presets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    pub color: [f32; 3],
    /// Strength of the highlight, 0 is matt.
    pub specular: f32,
    /// 0.05 is polished, 1 is dull.
    pub roughness: f32,
    /// Strength of the brightness difference from curve to curve, 0..=1.
    pub variation: f32,
    /// Painted on tubes and ribbons, so that twist can be seen.
    pub pattern: Pattern,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Pattern {
    #[default]
    Plain,
    /// `count` stripes of `color` along the rod, at fixed angles from d1.
    Stripes { count: u32, color: [f32; 3] },
    /// `strands` laid strands that turn once about the rod every `pitch` metres; the first strand has `color`.
    Rope { strands: u32, pitch: f32, color: [f32; 3] },
    /// The back of a ribbon has `color`.
    TwoSided { color: [f32; 3] },
}

impl Default for Material {
    fn default() -> Self {
        Material { color: [0.62, 0.64, 0.67], specular: 0.25, roughness: 0.45, variation: 0.0, pattern: Pattern::Plain }
    }
}

impl Material {
    pub fn hair(color: [f32; 3]) -> Self {
        Material { color, specular: 0.8, roughness: 0.3, variation: 0.35, pattern: Pattern::Plain }
    }

    pub fn matte(color: [f32; 3]) -> Self {
        Material { color, specular: 0.06, roughness: 0.8, ..Material::default() }
    }

    pub fn plastic(color: [f32; 3]) -> Self {
        Material { color, specular: 0.5, roughness: 0.3, ..Material::default() }
    }

    pub fn rope(color: [f32; 3], marked: [f32; 3], pitch: f32) -> Self {
        Material { pattern: Pattern::Rope { strands: 3, pitch, color: marked }, ..Material::matte(color) }
    }
}

/// A triangle mesh, with smooth normals or with one a face.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    pub points: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
    pub material: Material,
    pub flat: bool,
}

/// Colliders and props. Quaternions are xyzw.
#[derive(Clone, Copy, Debug)]
pub enum Primitive {
    Sphere {
        center: [f32; 3],
        radius: f32,
        material: Material,
    },
    Capsule {
        a: [f32; 3],
        b: [f32; 3],
        radius: f32,
        material: Material,
    },
    /// The hull of two spheres.
    Taper {
        a: [f32; 3],
        b: [f32; 3],
        radii: [f32; 2],
        material: Material,
    },
    Cuboid {
        center: [f32; 3],
        half_extents: [f32; 3],
        rotation: [f32; 4],
        material: Material,
    },
    /// An endless floor that fades into the background. `grid` is the spacing of its lines in metres, 0 for none.
    Plane {
        point: [f32; 3],
        normal: [f32; 3],
        grid: f32,
    },
}

/// Drawn over everything but what stands in front of it, without light; `width` in pixels.
#[derive(Clone, Copy, Debug)]
pub struct DebugLine {
    pub a: [f32; 3],
    pub b: [f32; 3],
    pub color: [f32; 3],
    pub width: f32,
}

pub(crate) fn finite(p: [f32; 3]) -> Option<Vec3> {
    let p = Vec3::from(p);
    (p.is_finite() && p.abs().max_element() < FAR_AWAY).then_some(p)
}

impl CurveSet {
    /// Index ranges of the curves, first point and count.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.counts.iter().scan(0usize, |start, &count| {
            let first = *start;
            *start += count as usize;
            Some((first, count as usize))
        })
    }

    /// The radius of point `i` of a curve with `count` points that starts at `first`; not finite or negative becomes 0.
    pub(crate) fn radius(&self, first: usize, count: usize, i: usize) -> f32 {
        let r = match &self.radii {
            Radii::Uniform(r) => *r,
            Radii::Tapered { root, tip } => root + (tip - root) * i as f32 / (count.max(2) - 1) as f32,
            Radii::PerPoint(radii) => radii.get(first + i).copied().unwrap_or(0.0),
        };
        if r.is_finite() && r < FAR_AWAY { r.max(0.0) } else { 0.0 }
    }

    fn check(&self, at: usize) -> Result<(), Error> {
        let sum: u64 = self.counts.iter().map(|&c| c as u64).sum();
        if sum != self.points.len() as u64 {
            return Err(Error::Invalid(format!("curves[{at}]: counts sum to {sum}, but there are {} points", self.points.len())));
        }
        if let Radii::PerPoint(radii) = &self.radii
            && radii.len() != self.points.len()
        {
            let (r, p) = (radii.len(), self.points.len());
            return Err(Error::Invalid(format!("curves[{at}]: {r} radii for {p} points")));
        }
        let edges: u64 = self.counts.iter().map(|&c| (c as u64).saturating_sub(1)).sum();
        if !self.frames.is_empty() && self.frames.len() as u64 != edges {
            let frames = self.frames.len();
            return Err(Error::Invalid(format!("curves[{at}]: {frames} frames for {edges} edges")));
        }
        Ok(())
    }
}

impl Scene {
    /// All of another scene, moved.
    pub fn add_moved(&mut self, other: &Scene, by: [f32; 3]) {
        let moved = |p: [f32; 3]| (Vec3::from(p) + Vec3::from(by)).to_array();
        let each = |all: &[[f32; 3]]| all.iter().map(|p| moved(*p)).collect();
        self.curves.extend(other.curves.iter().map(|c| CurveSet { points: each(&c.points), ..c.clone() }));
        self.meshes.extend(other.meshes.iter().map(|m| Mesh { points: each(&m.points), ..m.clone() }));
        self.lines.extend(other.lines.iter().map(|l| DebugLine { a: moved(l.a), b: moved(l.b), ..*l }));
        self.primitives.extend(other.primitives.iter().map(|p| {
            let mut p = *p;
            match &mut p {
                Primitive::Sphere { center, .. } | Primitive::Cuboid { center, .. } => *center = moved(*center),
                Primitive::Capsule { a, b, .. } | Primitive::Taper { a, b, .. } => (*a, *b) = (moved(*a), moved(*b)),
                Primitive::Plane { point, .. } => *point = moved(*point),
            }
            p
        }));
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        for (at, set) in self.curves.iter().enumerate() {
            set.check(at)?;
        }
        for (at, mesh) in self.meshes.iter().enumerate() {
            let n = mesh.points.len();
            if let Some((t, tri)) = mesh.triangles.iter().enumerate().find(|(_, t)| t.iter().any(|&i| i as usize >= n)) {
                return Err(Error::Invalid(format!("meshes[{at}].triangles[{t}] = {tri:?}, but there are {n} points")));
            }
        }
        Ok(())
    }
}
