//! Light on surfaces, the floor and the background: one warm key light with soft shadow, a sky, and a rim, as in a photo studio.

use super::camera::View;
use super::density::{LightDensity, Occlusion};
use super::image::linear;
use super::scene::Pattern;
use super::shadow::{LightFrame, ShadowMap};
use super::surface::{Paint, Surface, Triangle};
use glam::{Vec2, Vec3};
use std::f32::consts::{PI, TAU};

pub(crate) const KEY: Vec3 = Vec3::new(1.0, 0.965, 0.91);
pub(crate) const FILL: Vec3 = Vec3::new(0.20, 0.21, 0.23);
pub(crate) const AMBIENT: Vec3 = Vec3::new(0.40, 0.43, 0.47);

pub(crate) struct Plane {
    pub point: Vec3,
    pub normal: Vec3,
    pub grid: f32,
    pub u: Vec3,
    pub v: Vec3,
}

pub(crate) struct Studio<'a> {
    pub view: &'a View,
    pub width: f32,
    pub height: f32,
    pub frame: LightFrame,
    pub shadow: &'a ShadowMap,
    pub density: Option<&'a LightDensity>,
    pub occlusion: Option<&'a Occlusion>,
    pub surface: &'a Surface,
    pub target: Vec3,
    pub scale: f32,
    pub background: Option<[f32; 3]>,
}

/// A smooth step from 0 to 1 as `x` passes 0, as wide as one pixel (`w` is x's change over a pixel).
fn step(x: f32, w: f32) -> f32 {
    (x / w.max(1e-9) + 0.5).clamp(0.0, 1.0)
}

impl Studio<'_> {
    /// Light grey, a little brighter behind the subject.
    pub fn background(&self, x: f32, y: f32) -> Vec3 {
        if let Some(flat) = self.background {
            return linear(flat);
        }
        let (u, v) = (x / self.width - 0.5, y / self.height - 0.45);
        let glow = (-(u * u * 1.6 + v * v * 2.2) * 1.8).exp();
        let grey = 0.775 + 0.165 * glow;
        ((grey + 0.055) / 1.055).powf(2.4) * Vec3::new(1.0, 1.004, 1.017)
    }

    fn light(&self, p: Vec3, normal: Vec3) -> Vec3 {
        let hair = self.density.map_or(0.0, |d| d.soft_depth(p, 0.012 * self.scale));
        Vec3::splat(self.shadow.light(p, normal) * (-1.1 * hair).exp())
    }

    /// The floor is the background with shadows on it: no horizon.
    pub fn plane(&self, plane: &Plane, at: Vec2) -> Vec3 {
        let hit = |at: Vec2| {
            let ray = self.view.ray(at.x, at.y);
            let t = (plane.point - self.view.eye).dot(plane.normal) / ray.dot(plane.normal);
            self.view.eye + ray * t
        };
        let p = hit(at);
        let away = (p - self.target).length() / self.scale;
        let fade = (-(away * away) / 16.0).exp();
        let base = self.background(at.x, at.y);
        if fade < 2e-3 {
            return base;
        }
        let hair = self.density.map_or(0.0, |d| d.soft_depth(p, 0.035 * self.scale));
        let key = self.shadow.light(p, plane.normal) * (-1.1 * hair).exp();
        let open = self.occlusion.map_or(1.0, |o| o.surface(p, plane.normal));
        let dark = 1.0 - fade * (1.0 - (0.44 * key + 0.56 * open));
        // Shadows of a warm light are a little blue.
        let tint = Vec3::ONE - (1.0 - dark) * Vec3::new(1.0, 0.97, 0.93);
        let mut color = base * tint;
        if plane.grid > 0.0 && plane.grid.is_finite() {
            let cell = |p: Vec3| Vec2::new((p - plane.point).dot(plane.u), (p - plane.point).dot(plane.v)) / plane.grid;
            let (c, dx, dy) = (cell(p), cell(hit(at + Vec2::X)), cell(hit(at + Vec2::Y)));
            let mut line = 0.0f32;
            for (c, w) in [(c.x, (dx - c).x.abs() + (dy - c).x.abs()), (c.y, (dx - c).y.abs() + (dy - c).y.abs())] {
                let off = (c - c.round()).abs();
                line = line.max((1.25 - off / w.max(1e-9)).clamp(0.0, 1.0) * (1.0 - 2.5 * w).clamp(0.0, 1.0));
            }
            color *= 1.0 - 0.11 * line * (-(away * away) / 6.0).exp();
        }
        color
    }

    /// One triangle at one place of the picture.
    pub fn triangle(&self, triangle: &Triangle, screen: &[Vec3], at: Vec2) -> Vec3 {
        let s = triangle.corners.map(|i| screen[i as usize]);
        let weights = |at: Vec2| {
            let edge = |a: Vec3, b: Vec3| (a.truncate() - at).perp_dot(b.truncate() - at);
            let w = Vec3::new(edge(s[1], s[2]) * s[0].z, edge(s[2], s[0]) * s[1].z, edge(s[0], s[1]) * s[2].z);
            let sum = w.element_sum();
            if sum.abs() > 1e-20 { (w / sum).clamp(Vec3::splat(-1.0), Vec3::splat(2.0)) } else { Vec3::splat(1.0 / 3.0) }
        };
        let v = triangle.corners.map(|i| &self.surface.vertices[i as usize]);
        // Clamped inside for what must not be extrapolated.
        let w = weights(at);
        let inside = w.max(Vec3::ZERO) / w.max(Vec3::ZERO).element_sum();
        let p = v[0].position * inside.x + v[1].position * inside.y + v[2].position * inside.z;
        let uv = |w: Vec3| v[0].uv * w.x + v[1].uv * w.y + v[2].uv * w.z;
        let toward_eye = (self.view.eye - p).normalize_or(-self.view.forward);
        let mut normal = (v[0].normal * inside.x + v[1].normal * inside.y + v[2].normal * inside.z).normalize_or(toward_eye);
        let face = (v[1].position - v[0].position).cross(v[2].position - v[0].position);
        if face.dot(toward_eye) < 0.0 && normal.dot(toward_eye) < 0.0 {
            normal = -normal;
        }
        let paint = &self.surface.paints[triangle.paint as usize];
        if paint.pattern == Pattern::Plain {
            return self.lit(p, normal, toward_eye, paint.color, paint);
        }
        let here = uv(w);
        let change = (uv(weights(at + Vec2::X)) - here).abs() + (uv(weights(at + Vec2::Y)) - here).abs();
        let mut color = paint.color;
        match paint.pattern {
            Pattern::Plain => {}
            Pattern::TwoSided { .. } => {
                if here.x > 0.75 {
                    color = paint.second;
                }
            }
            Pattern::Stripes { count, .. } => {
                let n = count.clamp(1, 64) as f32;
                let off = (here.x * n - (here.x * n).round()).abs();
                // At a silhouette the change over a pixel is extrapolated past the rod and means nothing: bounded, or edges get dots.
                let stripe = 1.0 - step(off - 0.17, (change.x * n).min(0.3));
                color = color.lerp(paint.second, stripe);
            }
            Pattern::Rope { strands, pitch, .. } => {
                let n = strands.clamp(1, 16) as f32;
                let turns = if pitch.abs() > 1e-9 { here.y / pitch } else { 0.0 };
                let phase = (here.x - turns) * n;
                let blur = (change.x + (change.y / pitch.abs().max(1e-9)).min(1.0)) * n;
                let lobe = (phase - phase.floor()) * 2.0 - 1.0; // −1..1 across one laid strand
                if (phase.floor() as i64).rem_euclid(n as i64) == 0 {
                    color = paint.second;
                }
                let detail = 1.0 - (blur - 0.25).clamp(0.0, 1.0);
                // The laid strand is round too: tilt the normal across it and darken the groove.
                if let Some(across) = self.turn(v.map(|v| v.position), [v[0].uv, v[1].uv, v[2].uv]) {
                    let tilt = (across - normal * normal.dot(across)).normalize_or(Vec3::ZERO);
                    normal = (normal + tilt * (0.85 * lobe * detail)).normalize_or(normal);
                }
                color *= 1.0 - 0.75 * lobe.abs().powi(6) * detail;
                // Fibres, fine and across the lay.
                let yarn = ((phase * 5.0 + here.y / pitch.abs().max(1e-9) * n * 4.0) * TAU).sin();
                color *= 1.0 + 0.07 * yarn * (1.0 - 6.0 * blur).clamp(0.0, 1.0);
            }
        }
        self.lit(p, normal, toward_eye, color, paint)
    }

    /// The direction in which the angle u grows over a triangle.
    fn turn(&self, p: [Vec3; 3], uv: [Vec2; 3]) -> Option<Vec3> {
        let (e1, e2) = (p[1] - p[0], p[2] - p[0]);
        let (d1, d2) = (uv[1] - uv[0], uv[2] - uv[0]);
        let det = d1.perp_dot(d2);
        ((e1 * d2.y - e2 * d1.y) / det).try_normalize()
    }

    fn lit(&self, p: Vec3, n: Vec3, v: Vec3, color: Vec3, paint: &Paint) -> Vec3 {
        let l = self.frame.toward;
        let cos = n.dot(l);
        let light = if cos > -0.1 { self.light(p, n) } else { Vec3::ZERO };
        let open = self.occlusion.map_or(1.0, |o| o.surface(p, n));
        let sky = 0.66 + 0.34 * n.y;
        let h = (l + v).normalize_or(n);
        // GGX with Schlick's Fresnel.
        let a2 = paint.roughness.powi(4).max(1e-4);
        let nh = n.dot(h).max(0.0);
        let spread = a2 / (PI * (nh * nh * (a2 - 1.0) + 1.0).powi(2));
        let nv = n.dot(v).clamp(0.05, 1.0);
        let fresnel = |c: f32| 0.04 + 0.96 * (1.0 - c).clamp(0.0, 1.0).powi(5);
        let highlight = (spread * fresnel(h.dot(v)) / (nv + 0.35)).min(4.0) * cos.max(0.0);
        // A soft box overhead, seen in the surface.
        let r = n * (2.0 * n.dot(v)) - v;
        let window = ((r.y - 0.2) / 0.8).clamp(0.0, 1.0).powi(2) * fresnel(nv) * (1.0 - 0.7 * paint.roughness);
        let side = (n.dot(v) * 0.8 + n.dot(self.view.right) * 0.45).max(0.0);
        color * (AMBIENT * 1.1 * sky * open + FILL * side * open + light * KEY * cos.max(0.0) * 0.95)
            + (light * KEY * highlight + Vec3::splat(window * open * 1.2)) * paint.specular
    }
}
