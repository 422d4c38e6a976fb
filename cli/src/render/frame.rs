//! One frame from scene to picture: the steps of the module's head comment, in order.

use super::camera::{Camera, View};
use super::density::{LightDensity, Occlusion};
use super::path::paths;
use super::raster::{Job, TILE, Tile};
use super::scene::{CurveSet, CurveStyle, Primitive, Scene, finite};
use super::shade::{Plane, Studio};
use super::shadow::{LightFrame, ShadowMap};
use super::strand::{HairLight, Segment, Strands, debug_line};
use super::surface::{Surface, Triangle, Vertex};
use super::{Error, Image, primitives, sweep};
use glam::{Vec2, Vec3};
use rayon::prelude::*;

#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub width: u32,
    pub height: u32,
    /// sRGB; `None` is the studio's light grey.
    pub background: Option<[f32; 3]>,
    /// `false` leaves out shadows and ambient occlusion (diagrams, tests).
    pub shadows: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { width: 960, height: 720, background: None, shadows: true }
    }
}

/// Draws one frame.
///
/// # Errors
/// [`Error::Invalid`] when arrays do not fit together or the picture has no pixels or more than 2²⁶. Points that are not finite are no
/// error: they are left out.
pub fn render(scene: &Scene, camera: &Camera, options: &Options) -> Result<Image, Error> {
    scene.check()?;
    let (width, height) = (options.width, options.height);
    if width == 0 || height == 0 || width as u64 * height as u64 > 1 << 26 {
        return Err(Error::Invalid(format!("a picture of {width} × {height} pixels")));
    }
    if !(camera.eye.is_finite() && camera.target.is_finite() && camera.fov_y.is_finite() && camera.scale > 0.0) {
        return Err(Error::Invalid(format!("a camera with a value that is not finite: {camera:?}")));
    }
    let view = camera.view(width, height);
    let mut surface = Surface::default();
    let mut strands = Strands::default();
    for set in &scene.curves {
        curves(set, &view, camera, &mut surface, &mut strands);
    }
    scene.meshes.iter().for_each(|m| surface.mesh(m));
    let detail = primitives::Detail::of(scene.primitives.len());
    scene.primitives.iter().for_each(|p| primitives::add(&mut surface, p, detail));
    let planes: Vec<Plane> = scene.primitives.iter().filter_map(plane).collect();

    // Over the viewer's left shoulder, and high, so that shadows fall on the floor and not out of the picture.
    let toward =
        (Vec3::Y * 0.85 - view.right * 0.48 - (view.forward * Vec3::new(1.0, 0.0, 1.0)).normalize_or_zero() * 0.42).normalize();
    let frame = LightFrame::new(toward);
    let none = Surface::default();
    let (caster, pieces) = if options.shadows { (&surface, &strands.pieces[..]) } else { (&none, &[][..]) };
    let (shadow, (density, occlusion)) = rayon::join(
        || ShadowMap::new(frame, caster),
        || rayon::join(|| LightDensity::new(frame, pieces), || Occlusion::new(pieces, caster)),
    );
    let hair = HairLight { view: &view, frame, shadow: &shadow, density: density.as_ref(), occlusion: occlusion.as_ref() };
    let mut segments = hair.segments(&strands);
    segments.extend(scene.lines.iter().filter_map(|l| debug_line(&view, l)));

    let screen = project(&mut surface, &view);
    let studio = Studio {
        view: &view,
        width: width as f32,
        height: height as f32,
        frame,
        shadow: &shadow,
        density: density.as_ref(),
        occlusion: occlusion.as_ref(),
        surface: &surface,
        target: camera.target,
        scale: camera.scale,
        background: options.background,
    };
    let job = Job { studio: &studio, planes: &planes, screen: &screen, segments: &segments };
    Ok(tiles(&job, width, height))
}

fn curves(set: &CurveSet, view: &View, camera: &Camera, surface: &mut Surface, strands: &mut Strands) {
    let widest = set.ranges().flat_map(|(first, count)| (0..count).map(move |i| set.radius(first, count, i))).fold(0.0, f32::max);
    let pixels = widest * view.focal / (camera.target - camera.eye).length().max(view.near);
    let style = match set.style {
        CurveStyle::Auto if pixels > 1.1 => CurveStyle::Tube,
        CurveStyle::Auto => CurveStyle::Hair,
        style => style,
    };
    match style {
        CurveStyle::Ribbon { half_width, half_thickness } => {
            for path in paths(set, view, 6.0, true) {
                sweep::ribbon(surface, &path, &set.material, half_width, half_thickness);
            }
        }
        CurveStyle::Tube => paths(set, view, 6.0, true).iter().for_each(|p| sweep::tube(surface, p, &set.material, pixels)),
        _ => strands.add(&paths(set, view, 6.0, false), &set.material),
    }
}

fn plane(primitive: &Primitive) -> Option<Plane> {
    let Primitive::Plane { point, normal, grid } = *primitive else {
        return None;
    };
    let (point, normal) = (finite(point)?, finite(normal)?.try_normalize()?);
    // A floor's grid follows the world's axes.
    let u = (Vec3::X - normal * normal.x)
        .try_normalize()
        .filter(|_| normal.x.abs() < 0.9)
        .unwrap_or_else(|| normal.any_orthonormal_vector());
    Some(Plane { point, normal, grid, u, v: normal.cross(u) })
}

/// Vertices on the screen. Triangles that reach behind the camera are cut at the near plane first.
fn project(surface: &mut Surface, view: &View) -> Vec<Vec3> {
    let depth: Vec<f32> = surface.vertices.iter().map(|v| view.to_camera(v.position).z).collect();
    let behind = |t: &Triangle| t.corners.iter().filter(|&&i| depth[i as usize] < view.near).count();
    let cut: Vec<Triangle> = surface.triangles.iter().filter(|t| matches!(behind(t), 1 | 2)).copied().collect();
    surface.triangles.retain(|t| behind(t) == 0);
    for t in cut {
        let mut kept: Vec<u32> = Vec::with_capacity(4);
        for k in 0..3 {
            let (i, j) = (t.corners[k], t.corners[(k + 1) % 3]);
            let (di, dj) = (depth[i as usize] - view.near, depth[j as usize] - view.near);
            if di >= 0.0 {
                kept.push(i);
            }
            if (di >= 0.0) != (dj >= 0.0) {
                let s = di / (di - dj);
                let (a, b): (Vertex, Vertex) = (surface.vertices[i as usize], surface.vertices[j as usize]);
                kept.push(surface.vertex(a.position.lerp(b.position, s), a.normal.lerp(b.normal, s), a.uv.lerp(b.uv, s)));
            }
        }
        for k in 1..kept.len().saturating_sub(1) {
            surface.triangle(kept[0], kept[k], kept[k + 1], t.paint);
        }
    }
    let place = |v: &Vertex| {
        let c = view.to_camera(v.position);
        view.to_screen(Vec3::new(c.x, c.y, c.z.max(0.5 * view.near)))
    };
    surface.vertices.par_iter().map(place).collect()
}

fn tiles(job: &Job, width: u32, height: u32) -> Image {
    let (columns, rows) = ((width as usize).div_ceil(TILE), (height as usize).div_ceil(TILE));
    let mut triangles = vec![Vec::new(); columns * rows];
    let mut segments = vec![Vec::new(); columns * rows];
    let put = |bins: &mut Vec<Vec<u32>>, i: usize, low: Vec2, high: Vec2| {
        let index = |v: f32, n: usize| ((v / TILE as f32).floor().max(0.0) as usize).min(n - 1);
        let outside = high.x < 0.0 || high.y < 0.0 || low.x > width as f32 || low.y > height as f32;
        if outside || !low.is_finite() || !high.is_finite() {
            return;
        }
        for y in index(low.y, rows)..=index(high.y, rows) {
            for x in index(low.x, columns)..=index(high.x, columns) {
                bins[y * columns + x].push(i as u32);
            }
        }
    };
    for (i, t) in job.studio.surface.triangles.iter().enumerate() {
        let [a, b, c] = t.corners.map(|i| job.screen[i as usize].truncate());
        put(&mut triangles, i, a.min(b).min(c), a.max(b).max(c));
    }
    for (i, s) in job.segments.iter().enumerate() {
        let s: &Segment = s;
        let (a, b) = (s.a.truncate(), s.b.truncate());
        put(&mut segments, i, a.min(b) - s.width, a.max(b) + s.width);
    }
    let drawn: Vec<Vec<[u8; 3]>> = (0..columns * rows)
        .into_par_iter()
        .with_max_len(1)
        .map(|k| {
            let (x, y) = (k % columns * TILE, k / columns * TILE);
            job.draw(&Tile { x, y, triangles: &triangles[k], segments: &segments[k] })
        })
        .collect();
    let mut image = Image::new(width, height, [0; 3]);
    for (k, pixels) in drawn.into_iter().enumerate() {
        let part = Image { width: TILE as u32, height: TILE as u32, pixels };
        image.paste(&part, (k % columns * TILE) as u32, (k / columns * TILE) as u32);
    }
    image
}
