//! Thin curves as short shaded line pieces.
//!
//! This work is based on: Kajiya & Kay, Rendering Fur with Three Dimensional Textures (1989); Marschner et al., Light Scattering
//! from Human Hair Fibers (2003), in the two-lobe form of Scheuermann (2004): a white highlight of the surface, tilted toward the
//! tip by the scales' angle, and a coloured, wider one of the light that went through the fibre, tilted toward the root.

use super::camera::View;
use super::density::{LightDensity, Occlusion};
use super::image::linear;
use super::path::Path;
use super::scene::{DebugLine, Material, finite};
use super::shade::{AMBIENT, FILL, KEY};
use super::shadow::{LightFrame, ShadowMap};
use super::surface::{Paint, hash01};
use glam::Vec3;
use rayon::prelude::*;

/// A straight piece of a thin curve in the world.
pub(crate) struct Piece {
    pub a: Vec3,
    pub b: Vec3,
    pub ta: Vec3,
    pub tb: Vec3,
    pub radius: f32,
    pub curve: u32,
    pub paint: u32,
}

/// A line piece on the screen: x, y in pixels and 1 / depth at both ends, linear colours, width in pixels.
#[derive(Clone, Copy)]
pub(crate) struct Segment {
    pub a: Vec3,
    pub b: Vec3,
    pub color_a: Vec3,
    pub color_b: Vec3,
    pub width: f32,
}

#[derive(Default)]
pub(crate) struct Strands {
    pub pieces: Vec<Piece>,
    pub paints: Vec<Paint>,
}

impl Strands {
    pub fn add(&mut self, paths: &[Path], material: &Material) {
        let plain = Material { variation: 0.0, ..*material };
        self.paints.push(Paint { specular: material.specular, ..Paint::new(&plain, 0) });
        let paint = self.paints.len() as u32 - 1;
        let variation = material.variation.clamp(0.0, 1.0);
        let first = self.paints.len();
        // One paint a curve carries its own brightness and tint.
        for path in paths {
            let mut own = self.paints[paint as usize];
            let (bright, warm) = (hash01(2 * path.curve as u32) - 0.5, hash01(2 * path.curve as u32 + 1) - 0.5);
            own.color *= (1.0 + variation * bright) * (Vec3::ONE + variation * warm * Vec3::new(0.10, 0.0, -0.12));
            self.paints.push(own);
        }
        for (k, path) in paths.iter().enumerate() {
            for i in 0..path.points.len() - 1 {
                let radius = 0.5 * (path.radii[i] + path.radii[i + 1]);
                if radius > 0.0 {
                    self.pieces.push(Piece {
                        a: path.points[i],
                        b: path.points[i + 1],
                        ta: path.tangents[i],
                        tb: path.tangents[i + 1],
                        radius,
                        curve: path.curve as u32,
                        paint: (first + k) as u32,
                    });
                }
            }
        }
    }
}

/// All that hair needs to know about light.
pub(crate) struct HairLight<'a> {
    pub view: &'a View,
    pub frame: LightFrame,
    pub shadow: &'a ShadowMap,
    pub density: Option<&'a LightDensity>,
    pub occlusion: Option<&'a Occlusion>,
}

impl HairLight<'_> {
    fn shade(&self, p: Vec3, t: Vec3, paint: &Paint, curve: u32) -> Vec3 {
        let v = (self.view.eye - p).normalize_or(self.view.forward);
        let l = self.frame.toward;
        // The fibre's normal that faces the viewer; on average that is the side we see.
        let n = (v - t * t.dot(v)).normalize_or(v);
        let depth = self.density.map_or(0.0, |d| d.depth(p));
        let open = self.occlusion.map_or(1.0, |o| o.hair(p, v));
        let lit = self.shadow.light_on_hair(p);
        // Light that has crossed hair is darker and takes on its colour.
        let pass = |c: f32| (-depth * (0.55 + 0.45 * (1.0 - c))).exp();
        let through = Vec3::new(pass(paint.color.x), pass(paint.color.y), pass(paint.color.z)) * lit;
        let sin_l = (1.0 - t.dot(l).powi(2)).max(0.0).sqrt();
        // Kajiya-Kay lights the far side too; the half-Lambert of the viewer's normal takes that back.
        let facing = 0.25 + 0.75 * (0.5 + 0.5 * n.dot(l)).powi(2);
        let h = (l + v).normalize_or(v);
        let lobe = |h: Vec3, shift: f32, power: f32| {
            let tilted = (t + n * shift).normalize_or(t);
            (1.0 - tilted.dot(h).powi(2)).max(0.0).sqrt().powf(power)
        };
        let sparkle = (hash01(curve.wrapping_mul(3) + 7) - 0.5) * 0.16;
        let power = 12.0 / (paint.roughness * paint.roughness).max(0.004);
        let white = lobe(h, -0.10 + sparkle, power) * 0.9;
        let tinted = lobe(h, 0.16 + sparkle, power * 0.2) * 1.3;
        let up = 0.66 + 0.34 * n.y;
        // The fill light stands at the viewer's right and has no shadow of its own: hanging hair gets its sheen from it.
        let fill = (v + self.view.right * 0.55 + self.view.up * 0.25).normalize_or(v);
        let fill_h = (fill + v).normalize_or(v);
        let sheen = lobe(fill_h, 0.12 + sparkle, power * 0.35) * open * open;
        // The rim: light from behind that passes through thin outer strands.
        let behind = (-v.dot(l)).max(0.0).powi(3) * 0.5;
        // Light scattered from strand to strand: what a single bounce leaves black comes back in the hair's own colour.
        let soft = open * (0.45 + 0.55 * open) + 0.10;
        let spec = paint.specular * 0.5 * (0.3 + 0.7 * facing);
        paint.color * (AMBIENT * 1.55 * up * soft + FILL * open * 1.3 + through * KEY * 1.5 * (sin_l * facing + behind))
            + (Vec3::splat(white) + paint.color.powf(0.65) * tinted) * through * KEY * spec
            + paint.color.powf(0.7) * FILL * (2.0 * paint.specular * sheen)
    }

    pub fn segments(&self, strands: &Strands) -> Vec<Segment> {
        let shaded = |piece: &Piece| {
            let paint = &strands.paints[piece.paint as usize];
            let a = self.shade(piece.a, piece.ta, paint, piece.curve);
            (a, paint)
        };
        // The end of one piece is the start of the next: shade starts once, and ends only where no piece follows.
        let starts: Vec<Vec3> = strands.pieces.par_iter().map(|p| shaded(p).0).collect();
        let follows = |i: usize| {
            let next = strands.pieces.get(i + 1)?;
            (next.paint == strands.pieces[i].paint && next.a == strands.pieces[i].b).then(|| starts[i + 1])
        };
        (0..strands.pieces.len())
            .into_par_iter()
            .filter_map(|i| {
                let piece = &strands.pieces[i];
                let paint = &strands.paints[piece.paint as usize];
                let end = follows(i).unwrap_or_else(|| self.shade(piece.b, piece.tb, paint, piece.curve));
                project(self.view, piece.a, piece.b, starts[i], end, Width::Metres(2.0 * piece.radius))
            })
            .collect()
    }
}

pub(crate) enum Width {
    Metres(f32),
    Pixels(f32),
}

pub(crate) fn debug_line(view: &View, line: &DebugLine) -> Option<Segment> {
    let (a, b) = (finite(line.a)?, finite(line.b)?);
    let color = linear(line.color);
    let width = if line.width.is_finite() { line.width.clamp(0.0, 100.0) } else { 1.0 };
    project(view, a, b, color, color, Width::Pixels(width))
}

/// To the screen, cut at the near plane and to a frame somewhat larger than the picture, so that the rasteriser's loops are bounded.
fn project(view: &View, a: Vec3, b: Vec3, color_a: Vec3, color_b: Vec3, width: Width) -> Option<Segment> {
    let (mut a, mut b) = (view.to_camera(a), view.to_camera(b));
    let (mut color_a, mut color_b) = (color_a, color_b);
    if a.z < view.near && b.z < view.near {
        return None;
    }
    if a.z < view.near || b.z < view.near {
        let t = ((view.near - a.z) / (b.z - a.z)).clamp(0.0, 1.0);
        let (cut, color) = (a.lerp(b, t), color_a.lerp(color_b, t));
        let cut = Vec3::new(cut.x, cut.y, view.near);
        if a.z < view.near { (a, color_a) = (cut, color) } else { (b, color_b) = (cut, color) }
    }
    let (sa, sb) = (view.to_screen(a), view.to_screen(b));
    let width = match width {
        Width::Pixels(w) => w,
        Width::Metres(w) => (w * view.focal * 0.5 * (sa.z + sb.z)).min(4.0 * view.cy),
    };
    let (t0, t1) = clip(sa, sb, width + 2.0, 2.0 * view.cx, 2.0 * view.cy)?;
    let segment = Segment {
        a: sa.lerp(sb, t0),
        b: sa.lerp(sb, t1),
        color_a: color_a.lerp(color_b, t0),
        color_b: color_a.lerp(color_b, t1),
        width,
    };
    (segment.a.is_finite() && segment.b.is_finite() && width.is_finite() && width > 0.0).then_some(segment)
}

/// Liang-Barsky: the part of a line inside the picture with a margin.
fn clip(a: Vec3, b: Vec3, margin: f32, width: f32, height: f32) -> Option<(f32, f32)> {
    let (mut t0, mut t1) = (0.0f32, 1.0f32);
    for (p, d, limit) in [(a.x, b.x - a.x, width), (a.y, b.y - a.y, height)] {
        let (low, high) = (-margin - p, limit + margin - p);
        if d == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let (u, v) = (low / d, high / d);
        t0 = t0.max(u.min(v));
        t1 = t1.min(u.max(v));
    }
    (t0 < t1).then_some((t0, t1))
}
