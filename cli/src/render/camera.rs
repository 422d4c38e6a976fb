//! The camera, and how to place one so that a whole animation stays in the picture.

use super::scene::{CurveStyle, Primitive, Scene, finite};
use glam::{Mat3, Vec3};

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
            let r = Vec3::splat(if radius.is_finite() { radius.abs() } else { 0.0 });
            self.min = self.min.min(p - r);
            self.max = self.max.max(p + r);
        }
    }

    /// Everything but endless planes.
    pub fn include(&mut self, scene: &Scene) {
        for set in &scene.curves {
            let wide = if let CurveStyle::Ribbon { half_width, .. } = set.style { Some(half_width) } else { None };
            for (first, count) in set.ranges() {
                for i in 0..count.min(set.points.len().saturating_sub(first)) {
                    self.include_point(set.points[first + i], wide.unwrap_or_else(|| set.radius(first, count, i)));
                }
            }
        }
        for p in scene.meshes.iter().flat_map(|m| &m.points) {
            self.include_point(*p, 0.0);
        }
        for primitive in &scene.primitives {
            match *primitive {
                Primitive::Sphere { center, radius, .. } => self.include_point(center, radius),
                Primitive::Capsule { a, b, radius, .. } => {
                    self.include_point(a, radius);
                    self.include_point(b, radius);
                }
                Primitive::Cuboid { center, half_extents, rotation, .. } => {
                    let axes = Mat3::from_quat(super::primitives::rotation(rotation));
                    let h = Vec3::from(half_extents).abs();
                    let reach = axes.x_axis.abs() * h.x + axes.y_axis.abs() * h.y + axes.z_axis.abs() * h.z;
                    self.include_point((Vec3::from(center) - reach).into(), 0.0);
                    self.include_point((Vec3::from(center) + reach).into(), 0.0);
                }
                Primitive::Plane { .. } => {}
            }
        }
        for line in &scene.lines {
            self.include_point(line.a, 0.0);
            self.include_point(line.b, 0.0);
        }
    }

    pub fn of<'a>(scenes: impl IntoIterator<Item = &'a Scene>) -> Self {
        let mut all = Bounds::default();
        scenes.into_iter().for_each(|s| all.include(s));
        all
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
    /// Looks along `direction` at the middle of `bounds`, from as near as shows all eight corners with a small margin in a picture of
    /// `width` × `height`. A long lens (26°) keeps products from looking bent.
    pub fn fit(bounds: &Bounds, direction: [f32; 3], width: u32, height: u32) -> Self {
        let target = bounds.center();
        let fov_y = 26f32.to_radians();
        let look = finite(direction).and_then(Vec3::try_normalize).unwrap_or(Vec3::NEG_Z);
        let mut camera = Camera { eye: target - look, target, fov_y, scale: bounds.radius() };
        let (right, up, forward) = camera.axes();
        let (min, max) = if bounds.is_empty() { (Vec3::NEG_ONE, Vec3::ONE) } else { (bounds.min, bounds.max) };
        let tan_y = (0.5 * fov_y).tan() * 0.90;
        let tan_x = tan_y * width.max(1) as f32 / height.max(1) as f32;
        let mut distance = camera.scale * 0.5;
        for corner in 0..8 {
            let pick = |bit: u32, lo: f32, hi: f32| if corner >> bit & 1 == 0 { lo } else { hi };
            let p = Vec3::new(pick(0, min.x, max.x), pick(1, min.y, max.y), pick(2, min.z, max.z)) - target;
            // The corner is inside when |x| ≤ tan · (distance + its depth behind the target).
            let need = (p.dot(right).abs() / tan_x).max(p.dot(up).abs() / tan_y) - p.dot(forward);
            distance = distance.max(need);
        }
        camera.eye = target - look * distance;
        camera
    }

    /// Right, up and forward.
    pub fn axes(&self) -> (Vec3, Vec3, Vec3) {
        let forward = (self.target - self.eye).try_normalize().unwrap_or(Vec3::NEG_Z);
        let helper = if forward.y.abs() > 0.999 { Vec3::Z } else { Vec3::Y };
        let right = forward.cross(helper).normalize();
        (right, right.cross(forward), forward)
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
    pub fn to_camera(&self, p: Vec3) -> Vec3 {
        let d = p - self.eye;
        Vec3::new(d.dot(self.right), d.dot(self.up), d.dot(self.forward))
    }

    /// Pixel x, pixel y (down), 1 / depth. The point must lie beyond `near`.
    pub fn to_screen(&self, c: Vec3) -> Vec3 {
        let inv = 1.0 / c.z;
        Vec3::new(self.cx + self.focal * c.x * inv, self.cy - self.focal * c.y * inv, inv)
    }

    /// The direction through a pixel position, with depth 1 (not normalised).
    pub fn ray(&self, x: f32, y: f32) -> Vec3 {
        self.forward + self.right * ((x - self.cx) / self.focal) - self.up * ((y - self.cy) / self.focal)
    }
}
