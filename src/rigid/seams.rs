//! Seams. What lies on a face meets the side of the next shape on the same level, where it is a little deep, or
//! about to come there: a side that is covered. It must not be stopped by that.
//!
//! A shape that is above a plane does not touch what is wholly below it. So a contact with one shape
//! says, by its plane, whether that with another is real: if the one is no deeper below the plane than
//! its contact there, and the other does not rise above it, they only touch across the normal of the
//! plane. This asks for no feature of either, and does not mind gaps, corners or meshes beside boxes.

use super::*;
use crate::rigid::contact::by_order;

/// What rises by less is on the same level, m.
const LEVEL: f64 = 1e-4;
/// Normals whose cosine is above this are one.
const SAME: f64 = 1.0 - 1e-6;

/// The normal of the face that a normal is nearly that of; both in the shape's frame. What lies on a face may lean by the last digits, which the
/// length of the next shape makes a step of.
fn face_of<E: Elem>(g: &Geometry<E>, n: Vec3<E>) -> Vec3<E> {
    let nearer = |best: Vec3<E>, m: Vec3<E>| if best.dot(n) < m.dot(n) { m } else { best };
    let (zero, one) = (E::zero(), E::one());
    let face = match g {
        Geometry::Box { .. } => [0, 1, 2].into_iter().fold(Vec3::zero(), |best, k| {
            let axis = Vec3::from([0, 1, 2].map(|i| if i == k { one } else { zero }));
            nearer(nearer(best, axis), -axis)
        }),
        Geometry::Hull(hull) => hull.faces().iter().fold(Vec3::zero(), |best, f| nearer(best, f.normal)),
        _ => n,
    };
    if E::from_f64(ALIGNED) < face.dot(n) { face } else { n }
}

/// Cosine, 0.6 degrees.
const ALIGNED: f64 = 1.0 - 5e-5;

/// A contact as one of its shapes sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    /// The shape that moves.
    mine: u32,
    slot: u32,
    other: u32,
    is_a: bool,
}

/// The plane of a contact, seen from the shape that lies on it: n·x = at.
struct Floor<E> {
    normal: Vec3<E>,
    at: E,
    /// How deep the shape is below it, m, 0 or more.
    depth: E,
}

impl<E: Precise> Rigid<E> {
    /// Whether a shape may have a seam with another: of what stands, or of a body of several.
    pub(super) fn may_have_seams(&self) -> bool {
        let mut solid = self.proxies.iter().filter(|p| p.geometry.can_move() && self.has_seams(p.body)).map(|p| p.body);
        // One of a body of several is enough; else it takes something else that stands.
        let Some(first) = solid.next() else { return false };
        let stands = |p: &&Proxy<E>| self.roles[p.body as usize] != Role::Dynamic;
        solid.next().is_some() || (self.roles[first as usize] != Role::Dynamic && self.proxies.iter().filter(stands).count() > 1)
    }
    fn has_seams(&self, body: u32) -> bool {
        let (from, to) = self.spans[body as usize];
        self.roles[body as usize] != Role::Dynamic || to - from > 1
    }

    /// Empties contacts with sides that are covered.
    pub(super) fn smooth_seams(&mut self) {
        self.sides.clear();
        if !self.seams {
            return;
        }
        let mut sides = core::mem::take(&mut self.sides);
        sides.reserve(2 * self.contacts.all.len());
        for p in self.contacts.pairs() {
            let (i, j) = p.proxies;
            if !self.entries[i as usize].active && !self.entries[j as usize].active {
                continue;
            }
            let (a, b) = by_order(&self.proxies, i, j);
            for slot in p.slot..p.slot + p.slots {
                if self.contacts.all[slot as usize].count == 0 {
                    continue;
                }
                for (mine, other, is_a) in [(a, b, true), (b, a, false)] {
                    let [me, it] = [mine, other].map(|p| self.proxies[p as usize].body);
                    if self.roles[me as usize] == Role::Dynamic && self.has_seams(it) {
                        sides.push(Side { mine, slot, other, is_a });
                    }
                }
            }
        }
        sides.sort_unstable();
        for group in sides.chunk_by(|s, t| s.mine == t.mine).filter(|g| g.len() > 1) {
            for s in group {
                if group.iter().any(|t| self.covers(t, s)) {
                    self.contacts.all[s.slot as usize].count = 0;
                }
            }
        }
        self.sides = sides;
    }

    /// Whether the plane of contact `t` shows that contact `s` is none.
    fn covers(&self, t: &Side, s: &Side) -> bool {
        let [it, other] = [t.other, s.other].map(|p| &self.proxies[p as usize]);
        let still = |body: u32| self.roles[body as usize] != Role::Dynamic;
        if t.other == s.other || !(it.body == other.body || (still(it.body) && still(other.body))) {
            return false;
        }
        let Some(floor) = self.floor(t) else { return false };
        let c = &self.contacts.all[s.slot as usize];
        let normal = if s.is_a { -c.normal } else { c.normal };
        if c.count == 0 || normal.dot(floor.normal) > E::from_f64(SAME) {
            return false;
        }
        let (mine, level) = (&self.proxies[s.mine as usize], E::from_f64(LEVEL));
        let place = |body: u32| placed(&self.ahead[body as usize]);
        let below = other.reach(&place(other.body), floor.normal).is_some_and(|top| top <= floor.at + level);
        // The lowest place of the shape is that of its contact.
        let above = || mine.reach(&place(mine.body), -floor.normal).is_some_and(|low| -low >= floor.at - floor.depth - level);
        below && above()
    }

    /// Whether a shape goes on above all of another: over the plane of a contact that it has, `from` where it is and `to` where it will be.
    pub(super) fn passes_over(&self, mine: u32, other: u32, from: &Transform<E>, to: &Transform<E>) -> bool {
        let first = self.sides.partition_point(|s| s.mine < mine);
        let (me, it) = (&self.proxies[mine as usize], &self.proxies[other as usize]);
        let level = E::from_f64(LEVEL);
        self.sides[first..].iter().take_while(|s| s.mine == mine).any(|t| {
            self.floor(t).is_some_and(|f| {
                let under = |body: &Transform<E>| me.reach(body, -f.normal).is_none_or(|low| -low < f.at - f.depth - level);
                let top = it.reach(&placed(&self.before[it.body as usize]), f.normal);
                top.is_some_and(|top| top <= f.at + level) && !under(from) && !under(to)
            })
        })
    }

    fn floor(&self, t: &Side) -> Option<Floor<E>> {
        let c = &self.contacts.all[t.slot as usize];
        let [a, b] = [c.a, c.b].map(|i| placed(&self.ahead[i as usize]));
        let it = &self.proxies[t.other as usize];
        let body = if t.is_a { &b } else { &a };
        let turn = it.pose(body).rotation;
        let found = if t.is_a { -c.normal } else { c.normal };
        let normal = turn.rotate(face_of(&it.geometry, turn.conjugate().rotate(found)));
        let points = 0..c.count as usize;
        let depth = points.clone().fold(E::zero(), |depth, k| depth.max(-c.separation[k]));
        let on = |k: usize| normal.dot(c.surfaces(k, &a, &b)[usize::from(t.is_a)]);
        let at = it.reach(body, normal).or_else(|| points.map(on).reduce(|x, y| x.max(y)))?;
        (c.count > 0).then_some(Floor { normal, at, depth })
    }
}
