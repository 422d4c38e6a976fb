//! Two points that stay together.

use super::*;

#[derive(Clone, Copy)]
pub struct BallElement;

impl Element for BallElement {
    type Params<L: Gather> = Anchors<L>;
    type State<L: Gather> = Vec3<L>;
    type Work<L: Gather> = Ball<L>;
    type Impulse<L: Gather> = Vec3<L>;
    const TOLD: usize = 3;

    #[inline(always)]
    fn set_up<L: Gather>(
        p: &Anchors<L>,
        state: Vec3<L>,
        a: &Place<L>,
        b: &Place<L>,
        ma: &mut Motion<L>,
        mb: &mut Motion<L>,
        s: &Substep<L>,
    ) -> (Ball<L>, Vec3<L>) {
        let (ra, rb) = (a.q.rotate(p.a), b.q.rotate(p.b));
        let gap = (b.x - a.x) + (rb - ra);
        let work = set_up_ball(ra, rb, gap, a.inertia, b.inertia, s.joint.rate, s.joint.soft.mass);
        let state = state * s.warm;
        push_ball(&work, ma, mb, state);
        (work, state)
    }

    #[inline(always)]
    fn find<L: Gather, const RELAX: bool>(
        w: &Ball<L>,
        state: Vec3<L>,
        a: &Motion<L>,
        b: &Motion<L>,
        s: &Substep<L>,
    ) -> (Vec3<L>, Vec3<L>) {
        let p = if RELAX {
            relax_ball(w, L::one() / s.joint.soft.mass, a, b)
        } else {
            solve_ball(w, s.joint.soft.impulse, a, b, state)
        };
        (state + p, p)
    }

    #[inline(always)]
    fn give<L: Gather>(w: &Ball<L>, p: Vec3<L>, a: &mut Motion<L>, b: &mut Motion<L>) {
        push_ball(w, a, b, p);
    }
}

impl Joined for BallElement {
    fn wrench<L: Gather>(w: &Ball<L>, told: Vec3<L>, _: Vec3<L>) -> Wrench<L> {
        Wrench { push: told, turn: w.rb.cross(told) }
    }
}
