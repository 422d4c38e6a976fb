//! Animations: the keys of the joints and of what they hang on, as frames of all bones.

use super::super::super::error::IoError;
use super::super::keys::{locate, most_poses, union};
use super::super::{Clip, unit};
use super::file::{Animation, File, Sampler, error, short};
use super::joints::{Joints, local};
use std::collections::BTreeMap;

/// A joint's or an ancestor's motion.
#[derive(Default)]
pub(super) struct Motion {
    pub translation: Option<Track>,
    pub rotation: Option<Track>,
    pub scale: Option<Track>,
}

pub(super) struct Track {
    pub times: Vec<f64>,
    pub values: Vec<f64>,
    /// Of a value: 3 or 4.
    pub width: usize,
    pub kind: Interpolation,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Interpolation {
    Step,
    Linear,
    Cubic,
}

impl Track {
    pub fn value(&self, key: usize) -> &[f64] {
        let key = if self.kind == Interpolation::Cubic { 3 * key + 1 } else { key };
        &self.values[key * self.width..][..self.width]
    }

    pub fn sample(&self, t: f64) -> [f64; 4] {
        let (key, part) = locate(&self.times, t);
        let mut out = [0.0; 4];
        out[..self.width].copy_from_slice(self.value(key));
        if part <= 0.0 || key + 1 >= self.times.len() || self.kind == Interpolation::Step {
            return out;
        }
        let next = self.value(key + 1);
        if self.kind == Interpolation::Linear {
            // Rotations along the shorter way.
            let dot: f64 = out.iter().zip(next).map(|(a, b)| a * b).sum();
            let sign = if self.width == 4 && dot < 0.0 { -1.0 } else { 1.0 };
            for (a, b) in out.iter_mut().zip(next) {
                *a += (b * sign - *a) * part;
            }
            return out;
        }
        let step = self.times[key + 1] - self.times[key];
        let leave = &self.values[(3 * key + 2) * self.width..][..self.width];
        let arrive = &self.values[3 * (key + 1) * self.width..][..self.width];
        let (p, p2, p3) = (part, part * part, part * part * part);
        for (axis, a) in out[..self.width].iter_mut().enumerate() {
            *a = (2.0 * p3 - 3.0 * p2 + 1.0) * *a
                + step * (p3 - 2.0 * p2 + p) * leave[axis]
                + (3.0 * p2 - 2.0 * p3) * next[axis]
                + step * (p3 - p2) * arrive[axis];
        }
        out
    }

    /// The times at which frames are due for it.
    fn frames(&self, out: &mut Vec<f64>) {
        for (key, &time) in self.times.iter().enumerate() {
            let Some(&next) = self.times.get(key + 1) else {
                out.push(time);
                continue;
            };
            match self.kind {
                Interpolation::Linear => out.push(time),
                Interpolation::Step => out.extend([time, next.next_down()]),
                Interpolation::Cubic => out.extend((0..8).map(|step| time + (next - time) * (f64::from(step) / 8.0))),
            }
        }
    }
}

impl File<'_> {
    pub fn clips(&self, joints: &Joints, dropped: &mut Vec<String>) -> Result<Vec<Clip>, IoError> {
        let mut clips = Vec::new();
        let mut left = most_poses(self.size);
        let mut grows = false;
        for (index, animation) in self.document.animations.iter().enumerate() {
            let motions = self.motions(index, animation, joints)?;
            let mut times = Vec::new();
            for (node, motion) in &motions {
                for track in [&motion.translation, &motion.rotation, &motion.scale].into_iter().flatten() {
                    track.frames(&mut times);
                }
                if let Some(track) = &motion.scale {
                    let rest = joints.nodes.iter().position(|other| other == node).map_or(1.0, |place| joints.rests[place].scale);
                    let mut scales = (0..track.times.len()).flat_map(|key| track.value(key));
                    grows |= scales.any(|scale| (scale - rest).abs() > 1e-3 * rest);
                }
            }
            if times.is_empty() {
                dropped.push(format!("animation {index}, which moves none of the joints"));
                continue;
            }
            let times = union(times);
            // Nodes between the joints cost time, not memory.
            left = left.checked_sub(times.len().saturating_mul(joints.nodes.len())).ok_or_else(|| {
                let reason = format!("frames of {} joints take far more memory than the file", joints.nodes.len());
                error("animations", reason).index(index).value(times.len())
            })?;
            let poses = times.iter().map(|&time| {
                let world: Vec<_> = self.poses(joints, &motions, time).iter().map(|pose| pose.rigid).collect();
                (0..world.len()).map(|bone| local(&world, joints.parents[bone], bone)).collect()
            });
            let clip = Clip { name: animation.name.clone(), poses: poses.collect(), times };
            clip.check(joints.order.len())?;
            clips.push(clip);
        }
        if grows {
            dropped.push("animated scale: joints move with it, the skin does not grow".into());
        }
        Ok(clips)
    }

    fn motions(&self, index: usize, animation: &Animation, joints: &Joints) -> Result<BTreeMap<u32, Motion>, IoError> {
        let mut motions: BTreeMap<u32, Motion> = joints.nodes.iter().map(|&node| (node, Motion::default())).collect();
        for (place, channel) in animation.channels.iter().enumerate() {
            let Some(motion) = channel.target.node.and_then(|node| motions.get_mut(&node)) else { continue };
            let field = format!("animations[{index}].channels");
            let (slot, width) = match channel.target.path.as_str() {
                "translation" => (&mut motion.translation, 3),
                "rotation" => (&mut motion.rotation, 4),
                "scale" => (&mut motion.scale, 3),
                "weights" => continue,
                path => return Err(error(&field, "has an unknown path").index(place).value(format!("{:?}", short(path)))),
            };
            let Some(sampler) = animation.samplers.get(channel.sampler as usize) else {
                let reason = format!("has none of the {} samplers", animation.samplers.len());
                return Err(error(&field, reason).index(place).value(channel.sampler));
            };
            let track = self.track(sampler, width).map_err(|found| {
                let reason = format!("{} (channel {place} of animation {index})", found.reason);
                IoError { reason, ..found }
            })?;
            let is_scale = channel.target.path == "scale";
            if let Some(key) = (0..track.times.len()).find(|&key| is_scale && track.value(key).iter().any(|&scale| scale < 0.0)) {
                return Err(error(&field, format!("mirrors at key {key}")).index(place));
            }
            if slot.replace(track).is_some() {
                return Err(error(&field, "moves what another one moves").index(place));
            }
        }
        motions.retain(|_, motion| motion.translation.is_some() || motion.rotation.is_some() || motion.scale.is_some());
        Ok(motions)
    }

    fn track(&self, sampler: &Sampler, width: usize) -> Result<Track, IoError> {
        let kind = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            Some(other) => return Err(error("interpolation", "is not known").value(format!("{:?}", short(other)))),
        };
        let times = self.numbers(sampler.input, "SCALAR", "input")?;
        let mut values = self.numbers(sampler.output, if width == 4 { "VEC4" } else { "VEC3" }, "output")?;
        if times.is_empty() {
            return Err(error("input", "has no keys"));
        }
        if let Some(key) = (1..times.len()).find(|&key| times[key] <= times[key - 1]) {
            return Err(error("input", "does not increase").index(key).value(times[key]));
        }
        let each = if kind == Interpolation::Cubic { 3 } else { 1 };
        if values.len() != times.len() * width * each {
            let reason = format!("values do not match {} keys", times.len());
            return Err(error("output", reason).value(values.len() / width));
        }
        for (key, value) in values.chunks_exact_mut(width).enumerate() {
            let is_value = each == 1 || key % 3 == 1;
            if width == 4 && is_value {
                let q = unit([value[0], value[1], value[2], value[3]])
                    .ok_or_else(|| error("output", "is not a unit quaternion").index(key / each).value(format!("{value:?}")))?;
                value.copy_from_slice(&q.to_array());
            }
        }
        Ok(Track { times, values, width, kind })
    }
}
