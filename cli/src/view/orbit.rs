//! A camera that turns about a point.

use crate::render::{Camera, Framing, Scene};
use glam::Vec3;

#[derive(Clone, Copy, Debug)]
pub struct Orbit {
    target: Vec3,
    distance: f32,
    /// Of the view direction, rad: about y, and up.
    yaw: f32,
    pitch: f32,
    fov_y: f32,
    /// Half the diagonal of the scene, m.
    scale: f32,
}

/// A view straight down has no up.
const STEEPEST: f32 = 1.5;

impl Orbit {
    /// Sees all of the scene, and some room for what moves.
    pub fn new(scene: &Scene, direction: [f32; 3], (width, height): (u32, u32)) -> Orbit {
        let mut framing = Framing::new(direction, width, height);
        framing.include(scene);
        let camera = framing.camera();
        let look = (camera.target - camera.eye).normalize_or(Vec3::NEG_Z);
        Orbit {
            target: camera.target,
            distance: 1.15 * camera.eye.distance(camera.target),
            yaw: look.x.atan2(-look.z),
            pitch: look.y.asin(),
            fov_y: camera.fov_y,
            scale: camera.scale,
        }
    }

    fn look(&self) -> Vec3 {
        let (sin, cos) = self.yaw.sin_cos();
        Vec3::new(sin * self.pitch.cos(), self.pitch.sin(), -cos * self.pitch.cos())
    }

    pub fn camera(&self) -> Camera {
        let eye = self.target - self.look() * self.distance;
        Camera { eye, target: self.target, fov_y: self.fov_y, scale: self.scale }
    }

    /// By so many pixels of the mouse: half a turn in 600.
    pub fn turn(&mut self, x: f32, y: f32) {
        const PIXEL: f32 = std::f32::consts::PI / 600.0;
        self.yaw += x * PIXEL;
        self.pitch = (self.pitch - y * PIXEL).clamp(-STEEPEST, STEEPEST);
    }

    /// What is at the target stays under the mouse.
    pub fn pan(&mut self, x: f32, y: f32, height: f32) {
        let metres = 2.0 * self.distance * (0.5 * self.fov_y).tan() / height.max(1.0);
        let (right, up, _) = self.camera().axes();
        self.target += (up * y - right * x) * metres;
    }

    /// Positive: nearer.
    pub fn zoom(&mut self, notches: f32) {
        let range = [0.02 * self.scale, 40.0 * self.scale];
        self.distance = (self.distance * 0.88f32.powf(notches)).clamp(range[0], range[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Material, Primitive};

    fn orbit() -> Orbit {
        let ball = Primitive::Sphere { center: [0.0, 1.0, 0.0], radius: 0.5, material: Material::default() };
        Orbit::new(&Scene { primitives: vec![ball], ..Scene::default() }, [0.3, -0.2, -1.0], (400, 300))
    }

    #[test]
    fn it_starts_where_the_pictures_do_and_keeps_its_distance() {
        let mut o = orbit();
        let look = (o.camera().target - o.camera().eye).normalize();
        assert!(look.distance(Vec3::new(0.3, -0.2, -1.0).normalize()) < 1e-4, "{look}");
        let before = o.camera();
        o.turn(200.0, 50.0);
        let after = o.camera();
        assert!((after.eye.distance(after.target) - before.eye.distance(before.target)).abs() < 1e-4);
        assert!(after.eye.distance(before.eye) > 0.5);
        o.zoom(3.0);
        assert!(o.camera().eye.distance(o.camera().target) < 0.7 * before.eye.distance(before.target));
    }

    /// A point at the target moves in the picture as the mouse does.
    #[test]
    fn panning_follows_the_mouse() {
        let mut o = orbit();
        let point = o.camera().target;
        o.pan(30.0, 20.0, 300.0);
        let view = o.camera().view(400, 300);
        let at = view.to_screen(view.to_camera(point));
        assert!((at.x - 230.0).abs() < 0.1 && (at.y - 170.0).abs() < 0.1, "{at}");
    }
}
