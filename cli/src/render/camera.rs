//! The camera, and how to place one so that a whole animation stays in the picture.

use super::scene::{CurveStyle, FAR_AWAY, Primitive, Scene, finite};
use glam::Vec3;

/// A box around everything that was included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub min: Vec3,
    pub max: Vec3,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY }
    }
}

impl Bounds {
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// Points that are not finite are left out.
    pub fn include_point(&mut self, p: [f32; 3], radius: f32) {
        if let Some(p) = finite(p) {
            let r = Vec3::splat(reach(radius));
            self.min = self.min.min(p - r);
            self.max = self.max.max(p + r);
        }
    }

    /// Everything but endless planes.
    pub fn include(&mut self, scene: &Scene) {
        visit(scene, |p, r| self.include_point(p, r));
    }

    pub fn of<'a>(scenes: impl IntoIterator<Item = &'a Scene>) -> Self {
        let mut all = Bounds::default();
        scenes.into_iter().for_each(|s| all.include(s));
        all
    }

    /// From where to where a scene reaches along a direction of length 1.
    pub fn along(scene: &Scene, direction: Vec3) -> [f32; 2] {
        let mut range = [f32::INFINITY, f32::NEG_INFINITY];
        visit(scene, |p, r| {
            if let Some(p) = finite(p) {
                let (at, r) = (p.dot(direction), reach(r));
                range = [range[0].min(at - r), range[1].max(at + r)];
            }
        });
        range
    }

    /// The centre, the origin when empty.
    pub fn center(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { 0.5 * (self.min + self.max) }
    }

    /// Half of the diagonal, 1 m when empty, never 0.
    pub fn radius(&self) -> f32 {
        if self.is_empty() { 1.0 } else { (0.5 * (self.max - self.min).length()).max(1e-6) }
    }
}

/// A radius that can be drawn; others count as a point.
fn reach(radius: f32) -> f32 {
    if radius.abs() < FAR_AWAY { radius.abs() } else { 0.0 }
}

/// Every point of a scene that must be in the picture, with the radius around it.
fn visit(scene: &Scene, mut see: impl FnMut([f32; 3], f32)) {
    for set in &scene.curves {
        let wide = if let CurveStyle::Ribbon { half_width, .. } = set.style { Some(half_width) } else { None };
        for (first, count) in set.ranges() {
            for i in 0..count.min(set.points.len().saturating_sub(first)) {
                see(set.points[first + i], wide.unwrap_or_else(|| set.radius(first, count, i)));
            }
        }
    }
    scene.meshes.iter().flat_map(|m| &m.points).for_each(|p| see(*p, 0.0));
    for primitive in &scene.primitives {
        match *primitive {
            Primitive::Sphere { center, radius, .. } => see(center, radius),
            Primitive::Capsule { a, b, radius, .. } => [a, b].into_iter().for_each(|p| see(p, radius)),
            Primitive::Taper { a, b, radii, .. } => [(a, radii[0]), (b, radii[1])].into_iter().for_each(|(p, r)| see(p, r)),
            Primitive::Cuboid { center, half_extents, rotation, .. } => {
                let q = super::primitives::rotation(rotation);
                for corner in 0..8 {
                    let sign = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                    let h = Vec3::from(half_extents) * Vec3::new(sign(0), sign(1), sign(2));
                    see((Vec3::from(center) + q * h).into(), 0.0);
                }
            }
            Primitive::Plane { .. } => {}
        }
    }
    for line in &scene.lines {
        [line.a, line.b].into_iter().for_each(|p| see(p, 0.0));
    }
}

/// Finds the nearest camera that sees everything it was shown, one frame after the other: an animation need not be kept in memory.
///
/// For a given view direction each side plane of the view pyramid has a fixed normal; the largest extent of the scene along these four
/// normals is all that is needed to place the eye.
#[derive(Clone, Copy, Debug)]
pub struct Framing {
    bounds: Bounds,
    axes: [Vec3; 3],
    tan: [f32; 2],
    /// Largest p · n for the normals right − tan·forward, −right − tan·forward, and the same for up.
    support: [f32; 4],
}

const FOV_Y: f32 = 26.0 * std::f32::consts::PI / 180.0;

impl Framing {
    /// Looks along `direction` in a picture of `width` × `height`. A long lens (26°) keeps products from looking bent.
    pub fn new(direction: [f32; 3], width: u32, height: u32) -> Self {
        let look = finite(direction).and_then(Vec3::try_normalize).unwrap_or(Vec3::NEG_Z);
        let (right, up, forward) = axes(look);
        let tan_y = (0.5 * FOV_Y).tan() * 0.88;
        let tan_x = tan_y * width.max(1) as f32 / height.max(1) as f32;
        let support = [f32::NEG_INFINITY; 4];
        Framing { bounds: Bounds::default(), axes: [right, up, forward], tan: [tan_x, tan_y], support }
    }

    /// Points that are not finite are left out.
    pub fn include_point(&mut self, p: [f32; 3], radius: f32) {
        let Some(p3) = finite(p) else { return };
        self.bounds.include_point(p, radius);
        let r = reach(radius);
        let [right, up, forward] = self.axes;
        for (k, side) in [right, -right, up, -up].into_iter().enumerate() {
            let tan = self.tan[k / 2];
            self.support[k] = self.support[k].max(p3.dot(side - forward * tan) + r * (1.0 + tan * tan).sqrt());
        }
    }

    pub fn include(&mut self, scene: &Scene) {
        visit(scene, |p, r| self.include_point(p, r));
    }

    pub fn camera(&self) -> Camera {
        let mut all = *self;
        if self.bounds.is_empty() {
            all.include_point([0.0; 3], 1.0);
        }
        let [right, up, forward] = all.axes;
        let s = all.support;
        let back = |k: usize| -(s[2 * k] + s[2 * k + 1]) / (2.0 * all.tan[k]);
        let scale = all.bounds.radius();
        let middle = all.bounds.center().dot(forward);
        let depth = back(0).min(back(1)).min(middle - 0.5 * scale);
        let eye = right * (0.5 * (s[0] - s[1])) + up * (0.5 * (s[2] - s[3])) + forward * depth;
        Camera { eye, target: eye + forward * (middle - depth), fov_y: FOV_Y, scale }
    }
}

fn axes(forward: Vec3) -> (Vec3, Vec3, Vec3) {
    let helper = if forward.y.abs() > 0.999 { Vec3::Z } else { Vec3::Y };
    let right = forward.cross(helper).normalize();
    (right, right.cross(forward), forward)
}

/// A perspective camera; Y is up in the picture.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    pub eye: Vec3,
    pub target: Vec3,
    /// Full vertical angle of view in radians.
    pub fov_y: f32,
    /// The animation's size (half diagonal of its bounds), which sets the scale of shadows and of the ground's fading.
    pub scale: f32,
}

impl Camera {
    /// The nearest camera along `direction` that shows all of these frames: see [`Framing`].
    pub fn fit<'a>(scenes: impl IntoIterator<Item = &'a Scene>, direction: [f32; 3], width: u32, height: u32) -> Self {
        let mut framing = Framing::new(direction, width, height);
        scenes.into_iter().for_each(|s| framing.include(s));
        framing.camera()
    }

    /// Right, up and forward.
    pub fn axes(&self) -> (Vec3, Vec3, Vec3) {
        axes((self.target - self.eye).try_normalize().unwrap_or(Vec3::NEG_Z))
    }

    pub(crate) fn view(&self, width: u32, height: u32) -> View {
        let (right, up, forward) = self.axes();
        let focal = 0.5 * height as f32 / (0.5 * self.fov_y.clamp(0.01, 3.0)).tan();
        let distance = (self.target - self.eye).length();
        let near = (1e-3 * distance).max(1e-7);
        View { eye: self.eye, right, up, forward, focal, near, cx: 0.5 * width as f32, cy: 0.5 * height as f32 }
    }
}

/// A camera together with a picture size: the projection used by the rasteriser.
#[derive(Clone, Copy)]
pub(crate) struct View {
    pub eye: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    pub forward: Vec3,
    /// Pixels at depth 1.
    pub focal: f32,
    pub near: f32,
    pub cx: f32,
    pub cy: f32,
}

impl View {
    /// To camera space: x right, y up, z the depth along the view direction.
    pub fn to_camera(self, p: Vec3) -> Vec3 {
        let d = p - self.eye;
        Vec3::new(d.dot(self.right), d.dot(self.up), d.dot(self.forward))
    }

    /// Pixel x, pixel y (down), 1 / depth. The point must lie beyond `near`.
    pub fn to_screen(self, c: Vec3) -> Vec3 {
        let inv = 1.0 / c.z;
        Vec3::new(self.cx + self.focal * c.x * inv, self.cy - self.focal * c.y * inv, inv)
    }

    /// The direction through a pixel position, with depth 1 (not normalised).
    pub fn ray(&self, x: f32, y: f32) -> Vec3 {
        self.forward + self.right * ((x - self.cx) / self.focal) - self.up * ((y - self.cy) / self.focal)
    }
}
