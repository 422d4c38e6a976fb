//! Boxes in lines of eight, as the sweep reads them.

/// Boxes that are tested at once.
pub(super) const LINE: usize = 8;

/// Where boxes begin on the axis of the sweep, and where they begin and end on the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub low: [f32; LINE],
    pub u: [[f32; LINE]; 2],
    pub v: [[f32; LINE]; 2],
}

/// An interval on each axis.
pub(super) struct Span {
    /// On the axis of the sweep only its end is asked for.
    pub high: f32,
    pub u: [f32; 2],
    pub v: [f32; 2],
}

impl Sides {
    /// What fills up a line meets nothing.
    pub const FAR: Sides = {
        let far = [[f32::INFINITY; LINE], [f32::NEG_INFINITY; LINE]];
        Sides { low: [f32::INFINITY; LINE], u: far, v: far }
    };

    /// A bit for each box that overlaps the span, if it begins after it.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn meet(&self, s: &Span) -> u32 {
        use core::arch::x86_64::*;
        let four = |k: usize| {
            // SAFETY: SSE2 is part of x86-64; four numbers are read from the k-th on of eight, k ≤ 4.
            unsafe {
                let at = |list: &[f32; LINE]| _mm_loadu_ps(list.as_ptr().add(k));
                let u = _mm_or_ps(
                    _mm_cmplt_ps(_mm_set1_ps(s.u[1]), at(&self.u[0])),
                    _mm_cmplt_ps(at(&self.u[1]), _mm_set1_ps(s.u[0])),
                );
                let v = _mm_or_ps(
                    _mm_cmplt_ps(_mm_set1_ps(s.v[1]), at(&self.v[0])),
                    _mm_cmplt_ps(at(&self.v[1]), _mm_set1_ps(s.v[0])),
                );
                let after = _mm_cmplt_ps(_mm_set1_ps(s.high), at(&self.low));
                _mm_movemask_ps(_mm_or_ps(_mm_or_ps(u, v), after)) as u32
            }
        };
        (four(0) | four(4) << 4) ^ 0xff
    }
    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    pub fn meet(&self, s: &Span) -> u32 {
        let bits: [u32; LINE] = core::array::from_fn(|k| {
            let u = (s.u[1] < self.u[0][k]) | (self.u[1][k] < s.u[0]);
            let v = (s.v[1] < self.v[0][k]) | (self.v[1][k] < s.v[0]);
            if u | v | (s.high < self.low[k]) { 0 } else { 1 << k }
        });
        bits.iter().fold(0, |all, b| all | b)
    }
}
