//! How two edges meet on their way through a substep.

use super::distances::Distance;
use super::strands::RodVertex;
use crate::collide::narrow::pills;
use crate::math::Vec3;

/// What two edges may not do: come together at these parts of them along this normal, from b to a, by more than the gap, m.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    pub share: [f64; 2],
    pub normal: Vec3<f64>,
    pub gap: f64,
    /// When, in parts of the substep.
    pub time: f64,
}

/// How two edges are looked at that come near each other slowly on a long way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    /// Where [`ADVANCES`] steps come to is a place. For hard contacts of thin ropes: a place more does no harm.
    Short,
    /// On to where they are near, so that it does not matter whether two that never are have been looked at.
    Long,
}

/// Two edges: their ends when the substep began, their ways through it, radii, and how far they may overlap, m.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub x: [[Vec3<f64>; 2]; 2],
    pub u: [[Vec3<f64>; 2]; 2],
    pub radius: [[f64; 2]; 2],
    pub allowed: f64,
}

/// Nearer than this part of both radii, edges are in contact whatever they are about to do.
pub const NEAR: f64 = 0.1;
/// Of both radii, how much deeper than before edges come into each other that a contact is to hold apart, before it gets help from another.
pub(super) const DEEP: f64 = 0.2;
/// A part of the way to there that is as good as all of it.
const CLOSE: f64 = 1e-2;
/// Steps towards the time at which they meet; and, of the ways of a thousand radii, those to where they are near.
const ADVANCES: usize = 24;
const MOST_ADVANCES: usize = 20_000;
/// Sine of the angle up to which two edges are parallel.
const PARALLEL: f64 = 0.05;

impl Pair {
    /// `whole`: from where the substep began.
    pub fn new(a: &[RodVertex], b: &[RodVertex], allowed: f64, whole: bool) -> Self {
        let from = |v: &RodVertex| if whole { v.x - v.done } else { v.x };
        let way = |v: &RodVertex| if whole { v.done + v.to } else { v.to };
        Pair {
            x: [[from(&a[0]), from(&a[1])], [from(&b[0]), from(&b[1])]],
            u: [[way(&a[0]), way(&a[1])], [way(&b[0]), way(&b[1])]],
            radius: [[a[0].radius, a[1].radius], [b[0].radius, b[1].radius]],
            allowed,
        }
    }

    fn ends(&self, side: usize, t: f64) -> [Vec3<f64>; 2] {
        [self.x[side][0] + self.u[side][0] * t, self.x[side][1] + self.u[side][1] * t]
    }

    /// At the time `t`, 0 to 1; the normal from b to a.
    pub fn nearest(&self, t: f64) -> Meeting {
        let found = pills(self.ends(0, t), self.radius[0], self.ends(1, t), self.radius[1]);
        Meeting { share: found.share, normal: -found.normal, gap: found.separation + self.allowed, time: t }
    }

    /// When the substep begins, by a distance that is known.
    pub fn start(&self, found: &Distance) -> Meeting {
        Meeting { share: found.share, normal: -found.normal, gap: found.apart + self.allowed, time: 0.0 }
    }

    /// The gap along a normal at these parts of both, when the substep began.
    fn gap_along(&self, share: [f64; 2], normal: Vec3<f64>) -> f64 {
        let at = |side: usize| {
            let ([p, q], t) = (self.x[side], share[side]);
            p * (1.0 - t) + q * t
        };
        let radius = |side: usize| self.radius[side][0] * (1.0 - share[side]) + self.radius[side][1] * share[side];
        normal.dot(at(0) - at(1)) - radius(0) - radius(1) + self.allowed
    }

    /// The largest of both together.
    pub fn radii(&self) -> f64 {
        let [[a, b], [c, d]] = self.radius;
        a.max(b) + c.max(d)
    }

    /// How much one end can come nearer to one of the other edge in the substep, at most.
    pub fn approach(&self) -> f64 {
        let mut most = 0.0_f64;
        for a in self.u[0] {
            for b in self.u[1] {
                most = most.max((a - b).length2());
            }
        }
        most.sqrt()
    }

    /// Where the edges first have only the gap `to` between them, `gap` when the substep began: with the gap along the normal there. After so many steps of looking the
    /// place that has been reached will do.
    fn first(&self, mut gap: f64, to: f64, look: Look) -> Option<Meeting> {
        // They come no nearer than that in the time that the fastest way across it takes.
        let (mut t, approach, close, near) = (0.0, self.approach(), (gap - to) * CLOSE, NEAR * self.radii());
        for step in 1..=MOST_ADVANCES {
            t += (gap - to) / approach;
            if !(t < 1.0) {
                return None;
            }
            let there = self.nearest(t);
            let enough = step >= ADVANCES && (look == Look::Short || there.gap <= near);
            if there.gap <= to + close || enough {
                return Some(Meeting { gap: self.gap_along(there.share, there.normal), ..there });
            }
            gap = there.gap;
        }
        None
    }

    /// Whether they stay farther apart than `to` on their ways, by the plane between both where they are nearest when the substep begins: an end that is
    /// farthest over it is so all the time, or at one end of it.
    fn stays_beyond(&self, normal: Vec3<f64>, to: f64) -> bool {
        let over = |side: usize, sign: f64, t: f64| {
            let [p, q] = self.ends(side, t).map(|x| normal.dot(x) * sign);
            let [r, s] = self.radius[side];
            (p - r).min(q - s)
        };
        [0.0, 1.0].iter().all(|&t| over(0, 1.0, t) + over(1, -1.0, t) + self.allowed > to)
    }

    /// Where parallel edges face each other: both ends of that part.
    fn facing(&self, normal: Vec3<f64>) -> Option<[Meeting; 2]> {
        let ([p0, p1], [q0, q1]) = (self.x[0], self.x[1]);
        let (d, e) = (p1 - p0, q1 - q0);
        let (dd, ee) = (d.length2(), e.length2());
        if dd == 0.0 || ee == 0.0 || d.cross(e).length2() > PARALLEL * PARALLEL * dd * ee {
            return None;
        }
        let (s0, s1) = ((q0 - p0).dot(d) / dd, (q1 - p0).dot(d) / dd);
        let (low, high) = (s0.min(s1).max(0.0), s0.max(s1).min(1.0));
        if high - low < 0.1 {
            return None;
        }
        Some([low, high].map(|s| {
            let t = ((p0 + d * s - q0).dot(e) / ee).clamp(0.0, 1.0);
            let share = [s, t];
            Meeting { share, normal, gap: self.gap_along(share, normal), time: 0.0 }
        }))
    }
}

/// Puts what the two edges, with `start` when the substep began, may not do: nothing where they stay apart, two points where they are parallel.
pub fn meet(pair: &Pair, start: &Meeting, look: Look, mut put: impl FnMut(Meeting)) {
    let (radii, approach) = (pair.radii(), pair.approach());
    if !(start.gap <= approach + NEAR * radii) || start.normal.length2() == 0.0 {
        return;
    }
    if start.gap <= NEAR * radii {
        match pair.facing(start.normal) {
            Some(both) => both.into_iter().for_each(put),
            None => put(*start),
        }
        return;
    }
    let to = 0.5 * NEAR * radii;
    // No nearer than `first` looks.
    if look == Look::Long && pair.stays_beyond(start.normal, to + (start.gap - to) * CLOSE) {
        return;
    }
    if let Some(there) = pair.first(start.gap, to, look) {
        put(there);
    }
}

/// Where two edges that had the gap `gap` come into each other all the same, deeper than they were, although some contact is to hold them apart.
pub fn pass(pair: &Pair, gap: f64, look: Look) -> Option<Meeting> {
    let deep = gap.min(0.0) - DEEP * pair.radii();
    if gap <= pair.approach() + deep { pair.first(gap, deep, look) } else { None }
}
