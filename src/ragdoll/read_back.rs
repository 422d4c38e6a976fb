//! From bodies back to bones, and the blend with the animation. Nothing here allocates.

use super::arc::{Curve, normalized, turn};
use super::desc::*;
use super::model::{NONE, Role};
use super::set::{RagdollSet, sized};
use super::transform;
use crate::bodies::kernels::rotation_vector;
use crate::desc::validate;
use crate::math::{Quat, Transform, Vec3};
use crate::world::{Error, Result, World};

/// How much of an instance is simulated: 1 all, 0 nothing, and where that goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fade {
    pub weight: f64,
    pub target: f64,
    /// 1/s
    pub rate: f64,
}

impl Default for Fade {
    fn default() -> Self {
        Fade { weight: 1.0, target: 1.0, rate: 0.0 }
    }
}

/// What the bones of a region need, once an instance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum RegionShape {
    #[default]
    None,
    Arc(Curve),
    /// Rotation vector of the change in the frame of the first body, the gap at the last bone that each bone takes its part of, and all of it.
    Shared {
        change: Vec3<f64>,
        part: Vec3<f64>,
        gap: Vec3<f64>,
    },
}

impl RagdollSet {
    /// Where the weight of instances goes, and how long it takes, s: 0 is at once.
    pub fn fade(&mut self, which: &[u32], weight: f64, seconds: f64) -> Result<()> {
        self.each_live(which)?;
        validate::between("weight", weight, 0.0, 1.0)?;
        validate::between("seconds", seconds, 0.0, 1e6)?;
        for &i in which {
            let f = &mut self.fades[i as usize];
            (f.target, f.rate) = (weight, if seconds > 0.0 { (weight - f.weight).abs() / seconds } else { 0.0 });
            if seconds == 0.0 {
                f.weight = weight;
            }
        }
        Ok(())
    }
    /// How much of an instance is simulated, 0..1.
    pub fn weight(&self, instance: u32) -> f64 {
        self.fades.get(instance as usize).map_or(0.0, |f| f.weight)
    }
    /// Time passes for the weights.
    pub fn advance(&mut self, dt: f64) -> Result<()> {
        validate::between("dt", dt, 0.0, 1e6)?;
        for f in &mut self.fades {
            let way = f.target - f.weight;
            let step = f.rate * dt;
            // Steps that add up to the time but for rounding have arrived.
            f.weight = if way.abs() <= step * (1.0 + 1e-9) { f.target } else { f.weight + if way < 0.0 { -step } else { step } };
        }
        Ok(())
    }

    /// World poses of all bones, `[which][bone]`. `animated`: those of the animation, or empty; with them weights count: the instance's times
    /// that of the bone in `weights` (empty: 1). An error leaves `out` as far as it came.
    pub fn read_back(
        &mut self,
        world: &World,
        which: &[u32],
        animated: &[Transform<f64>],
        weights: &[f64],
        out: &mut [Transform<f64>],
    ) -> Result<()> {
        let bones = self.ragdoll.bones();
        self.each_live(which)?;
        sized("out", out.len(), which.len(), bones)?;
        if !animated.is_empty() {
            sized("animated", animated.len(), which.len(), bones)?;
        }
        if !weights.is_empty() {
            sized("weights", weights.len(), 1, bones)?;
            for (b, &w) in weights.iter().enumerate() {
                if !(0.0..=1.0).contains(&w) {
                    return Err(Error::invalid(format!("weights[{b}] is {w}, must be 0 to 1")));
                }
            }
        }
        for (k, &instance) in which.iter().enumerate() {
            let animated = if animated.is_empty() { None } else { Some(&animated[k * bones..][..bones]) };
            self.simulate(world, instance as usize, animated)?;
            let out = &mut out[k * bones..][..bones];
            match animated {
                Some(animated) => self.blend(self.fades[instance as usize].weight, animated, weights, out),
                None => out.copy_from_slice(&self.simulated),
            }
        }
        Ok(())
    }

    /// All bones as the bodies say.
    fn simulate(&mut self, world: &World, i: usize, animated: Option<&[Transform<f64>]>) -> Result<()> {
        let r = &*self.ragdoll;
        let (bones, parts) = (r.bones(), r.parts.len());
        let kept = &self.kept[i * bones..][..bones];
        let share = &self.share[i * r.inner..][..r.inner];
        let bodies = &self.bodies[i * parts..][..parts];
        let body = |part: u32| -> Result<Transform<f64>> {
            let t = transform(world.body_pose(bodies[part as usize])?);
            Ok(Transform { position: t.position, rotation: normalized(t.rotation) })
        };
        for (k, region) in r.regions.iter().enumerate() {
            let arc = &self.arcs[i * r.regions.len() + k];
            let (a, b) = (body(region.a)?, body(region.b)?);
            let last = region.chain.len() - 1;
            self.shapes[k] = match r.desc.regions[k].read_back {
                RegionReadBack::Arc => {
                    RegionShape::Arc(Curve::new(a.compose(arc.frames[0]), b.compose(arc.frames[1]), arc.length))
                }
                way => {
                    let now = a.rotation.conjugate().compose(b.rotation);
                    let change = rotation_vector(normalized(now.compose(arc.between.conjugate())));
                    let mut end = a;
                    for j in 1..=last {
                        let bone = kept[region.chain[j] as usize];
                        let next = end.point(bone.position);
                        let part = j as f64 / last as f64;
                        end = Transform { position: next, rotation: shared(a.rotation, change, part, bone.rotation) };
                    }
                    let gap = b.position - end.position;
                    let part = if way == RegionReadBack::Orientation { Vec3::zero() } else { gap * (1.0 / last as f64) };
                    RegionShape::Shared { change, part, gap: if way == RegionReadBack::Orientation { gap } else { Vec3::zero() } }
                }
            };
        }
        for &bone in &r.order {
            let b = bone as usize;
            let parent = r.parent[b];
            let above = (parent != NONE).then(|| self.simulated[parent as usize]);
            let mut shift = above.map_or(Vec3::zero(), |_| self.shift[parent as usize]);
            self.simulated[b] = match r.roles[b] {
                Role::Part(part) => {
                    let t = body(part)?;
                    let link = r.parts[part as usize].link;
                    if link != NONE
                        && r.links[link as usize].region != NONE
                        && let RegionShape::Shared { gap, .. } = self.shapes[r.links[link as usize].region as usize]
                    {
                        shift = shift - gap;
                    }
                    Transform { position: t.position + shift, rotation: t.rotation }
                }
                Role::Inner { region, k } => {
                    let chain = &r.regions[region as usize].chain;
                    let first = chain[0] as usize;
                    match self.shapes[region as usize] {
                        RegionShape::Arc(curve) => {
                            let [s, middle] = share[r.regions[region as usize].first_inner + k as usize - 1];
                            let frame = Transform { position: curve.point(s) + self.shift[first], rotation: curve.frame(middle) };
                            frame.compose(kept[b])
                        }
                        RegionShape::Shared { change, part, .. } => {
                            let before = above.unwrap_or(Transform::identity());
                            let way = f64::from(k) / (chain.len() - 1) as f64;
                            Transform {
                                position: before.point(kept[b].position) + part,
                                rotation: shared(self.simulated[first].rotation, change, way, kept[b].rotation),
                            }
                        }
                        RegionShape::None => kept[b],
                    }
                }
                Role::Free => match (above, animated, r.desc.free_bones) {
                    (Some(above), Some(animated), FreeBones::Animated) => {
                        above.compose(animated[parent as usize].seen(animated[b]))
                    }
                    (Some(above), ..) => above.compose(kept[b]),
                    (None, Some(animated), _) => animated[b],
                    (None, None, _) => kept[b],
                },
            };
            self.simulated[b].rotation = normalized(self.simulated[b].rotation);
            self.shift[b] = shift;
        }
        Ok(())
    }

    fn blend(&self, weight: f64, animated: &[Transform<f64>], weights: &[f64], out: &mut [Transform<f64>]) {
        let r = &*self.ragdoll;
        for &bone in &r.order {
            let b = bone as usize;
            let w = weight * weights.get(b).copied().unwrap_or(1.0);
            let parent = r.parent[b] as usize;
            let above = out.get(parent).copied();
            let under = |all: &[Transform<f64>]| above.is_none() || above == all.get(parent).copied();
            let local = |all: &[Transform<f64>]| all.get(parent).map_or(all[b], |p| p.seen(all[b]));
            // Where all above is of one kind the bits are kept.
            out[b] = if w == 0.0 && under(animated) {
                animated[b]
            } else if w == 1.0 && under(&self.simulated) {
                self.simulated[b]
            } else {
                let (from, to) = (local(animated), local(&self.simulated));
                let between = Transform {
                    position: from.position * (1.0 - w) + to.position * w,
                    rotation: normalized(from.rotation.nlerp(to.rotation, w)),
                };
                let t = above.map_or(between, |p| p.compose(between));
                Transform { position: t.position, rotation: normalized(t.rotation) }
            };
        }
    }
}

/// R_a D^part kept
fn shared(first: Quat<f64>, change: Vec3<f64>, part: f64, kept: Quat<f64>) -> Quat<f64> {
    normalized(first.compose(turn(change * part)).compose(kept))
}
