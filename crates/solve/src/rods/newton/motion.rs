//! Where Newton's method starts, and how far it goes along its direction.

use super::*;

/// The part of a displacement that is looked at for whether it moves a position at all: three quarters of the way to the next number do not.
pub const MOVES: f64 = 2.0 / 3.0;

/// The displacement `u` of the position `x` as it will be in the numbers that positions are: what is left of it otherwise is asked for again in each
/// substep, and pushes the neighbours of a held vertex where that can never be. (At 100 m from the origin, hair of 0.1 m left its rest shape by 7 %.)
#[inline(always)]
pub fn whole_steps<L: Real>(x: Vec3<L>, u: Vec3<L>) -> Vec3<L> {
    let part = L::constant(MOVES);
    vec3(step_of(x.x, u.x, part), step_of(x.y, u.y, part), step_of(x.z, u.z, part))
}

#[inline(always)]
fn step_of<L: Real>(x: L, u: L, part: L) -> L {
    let moves = L::zero().lt(((x + u * part) - x).abs());
    L::select(moves, (x + u) - x, L::zero())
}

impl<L: Lane, const W: usize> Group<L, W> {
    /// Where inertia alone would go, and the host takes what it holds, from what `predict` left. The first guess is the state as
    /// it was: a rod at rest is then left at rest, to the last bit of the model, by a single Newton step. (From where inertia
    /// goes, the step's own error of second order acts like h²g/l of the weight.) A ghost point stands for a section that
    /// is balanced about the axis: half of its mass is on either end of its edge, its motion along d² against the midpoint is a
    /// turn, and neither gravity nor a force on the vertices turns it. The rest of that motion is no momentum: given to the vertices
    /// in each substep, it fed swings in the plane of the ghost points.
    #[inline(always)]
    pub(crate) fn start_newton(&mut self, s: &Settings<L::Elem>, t: L::Elem) {
        let edges = self.edge_count();
        let h = L::splat(s.h);
        let inv_h2 = L::splat(s.inv_h2);
        let (zero, one, half) = (L::zero(), L::one(), L::constant(0.5));
        self.newton.held = zero;
        self.newton.renews = true;
        // What gravity and wind add to a displacement, and what drag leaves of it.
        let fall = (s.gravity.map(L::splat) * h + s.wind.map(L::splat) * L::splat(s.drag_take)) * h;
        let keep = L::splat(s.drag_keep);
        let mut near = Self::unheld(self.get3(0, state::U), self.p(0, param::W), fall, keep);
        for i in 0..self.vertices {
            let w = self.p(i, param::W);
            let u = self.get3(i, state::U);
            let on = if i + 1 < self.vertices { self.on(i, edges) } else { zero };
            if i + 1 < self.vertices {
                let next = self.p(i + 1, param::W);
                let pushed = (self.push(i, w, s, edges) + self.push(i + 1, next, s, edges)) * (half * h);
                let far = Self::unheld(self.get3(i + 1, state::U), next, fall, keep);
                let middle = (near + far) * half - pushed;
                near = far;
                let (x0, x1, gx) = (self.get3(i, state::X), self.get3(i + 1, state::X), self.get3(i, state::GX));
                let e = x1 - x0;
                let d2 = edge_frame(e, (gx - x0) - e * half).d2;
                let against = self.get3(i, state::GU) - middle;
                let turn = d2.dot(against);
                let turn = turn / self.p(i, param::GHOST).max(L::constant(1e-9));
                self.set_scratch(i, COAST + 3, L::select(zero.lt(on), turn, zero));
            } else {
                self.set_scratch(i, COAST + 3, zero);
            }
            let all = self.lumped(i, edges);
            // In second order `predict` has left h v there.
            let before = if self.is_second(s) { self.scratch3(i, COAST) } else { u };
            self.set_scratch3(i, COAST, u);
            let free = L::select(zero.lt(w * self.on(i, edges + one)), one, zero);
            self.set_scratch(i, INERTIA, free * all * inv_h2 + (one - free) * L::constant(HELD));
            let ghost = self.p(i, param::GHOST);
            let mut turn = mass(self.p(i, param::WG)) * ghost * ghost * inv_h2;
            if i + 1 < self.vertices && by_model!(s.model, M => M::FLOORS_TURNS) {
                // An edge's own inertia drowns in the rounding of its twisting stiffness. More of it changes no statics, and
                // no motion that a step of this length could show.
                let nothing = L::constant(NOTHING);
                let stiff = one / self.p(i, param::BEND + 2).max(nothing).min(self.p(i + 1, param::BEND + 2).max(nothing));
                turn = turn.max(L::constant(RIGID[usize::from(L::Elem::IS_F64)]) * stiff);
            }
            self.set_scratch(i, INERTIA + 1, on * turn + (one - on) * L::constant(HELD));
            self.set3(i, state::GU, Vec3::select(zero.lt(on), Vec3::zero(), self.get3(i, state::GU)));
            self.set3(i, state::U, Vec3::zero());
            if self.is_second(s) {
                self.start_second(i, s, before);
            }
            if self.keeps_volume() {
                self.start_scale(i, s, on);
            }
        }
        if self.has_hill() {
            self.start_hill(s);
        }
        if by_model!(s.model, M => M::CLAMPS_EDGE) {
            if s.root == EndSupport::Clamped {
                self.clamp_edge(0, &as_frame(&self.support_frame(0, L::splat(t))), true, one);
            }
            if s.tip == EndSupport::Clamped {
                let frame = as_frame(&self.support_frame(1, L::splat(t)));
                for i in self.min_edges.max(1) - 1..self.vertices - 1 {
                    self.clamp_edge(i, &frame, false, self.on(i, edges) * (one - self.on(i + 1, edges)));
                }
            }
        }
        if s.viscous {
            self.keep_strains(s, t);
        }
    }

    /// Looks which lanes solve for what differs from [`Self::predicted`]: those in f32 of the first step, if it is not searched, that are near no collider, whose
    /// contacts are guessed from all of the right-hand side. (f64 takes 1e5 times the stiffness with 1e-9 of the rounding.)
    #[inline(always)]
    pub(super) fn choose_delta(&mut self, s: &Settings<L::Elem>) {
        self.newton.solves_delta = !L::Elem::IS_F64 && self.newton.renews && !s.search;
        self.newton.delta = if self.newton.solves_delta { L::one() } else { L::zero() };
        for i in 0..if self.newton.near && self.newton.solves_delta { self.vertices } else { 0 } {
            self.newton.delta = L::select(self.is_near(i, 0), L::zero(), self.newton.delta);
        }
        if self.newton.solves_delta {
            self.predict_displacements(s);
        }
    }

    /// Where velocities alone would take the vertices, without loads, and without what would stretch the edges, and no turns about them:
    /// of these the solution leaves next to nothing, as a difference of two numbers that are as large as they.
    #[inline(always)]
    pub(super) fn predict_displacements(&mut self, s: &Settings<L::Elem>) {
        let tiny = L::constant(1e-30);
        let (mut before, mut predicted) = (Vec3::zero(), Vec3::zero());
        for i in 0..self.vertices {
            let mut loads = self.loads_of(i, s);
            if self.is_second(s) {
                loads = loads * self.part_of_loads(i);
            }
            let coast = self.scratch3(i, COAST) - loads;
            if i > 0 {
                let e = self.get3(i, state::X) - self.get3(i - 1, state::X);
                let d = coast - before;
                predicted = predicted + (d - e * (e.dot(d) / e.length2().max(tiny)));
            } else {
                predicted = coast;
            }
            before = coast;
            // What is held goes where it is held.
            let (free, held) = (self.scratch_at(i, INERTIA).lt(L::constant(HELD)), self.scratch3(i, COAST));
            (predicted, before) = (Vec3::select(free, predicted, held), Vec3::select(free, before, held));
            self.set3(i, state::LAMBDA_BEND, predicted);
        }
    }

    /// The part of the step of vertex `i` that is not solved for. With it on the left of the system, the band's rounding would be a force on whatever moves:
    /// stiffness of 1e5 m/h² rounds m/h² by up to 0.6 %, which is 3/s of damping at 480 Hz, or of its opposite. Negative, it carried strands at rest away.
    #[inline(always)]
    pub(super) fn predicted(&self, i: usize) -> Vec3<L> {
        if !self.newton.solves_delta {
            return Vec3::zero();
        }
        Vec3::select(L::zero().lt(self.newton.delta), self.get3(i, state::LAMBDA_BEND), Vec3::zero())
    }

    /// 1 in lanes where the solution turns an edge by more than atan [`TURN`].
    #[inline(always)]
    pub(super) fn turns_far(&self, s: &Settings<L::Elem>) -> L {
        let (zero, one, edges) = (L::zero(), L::one(), self.edge_count());
        let most = L::constant(TURN * TURN);
        let mut far = zero;
        let mut before = self.scratch3(0, RHS) + self.predicted(0);
        for i in 0..self.vertices - 1 {
            let next = self.scratch3(i + 1, RHS) + self.predicted(i + 1);
            let (d, l) = (next - before, self.p(i, param::LENGTH));
            // Not less: also where it is NaN.
            let turns = L::select(d.length2().lt(l * l * most), zero, self.on_whole(i, edges, s));
            far = far.max(turns);
            before = next;
        }
        L::select(zero.lt(far), one, zero)
    }

    /// The solution, from what was solved for.
    #[inline(always)]
    pub(super) fn add_predicted(&mut self) {
        for i in 0..if self.newton.solves_delta { self.vertices } else { 0 } {
            let u = self.scratch3(i, RHS) + self.predicted(i);
            self.set_scratch3(i, RHS, u);
            // Multipliers again.
            self.set3(i, state::LAMBDA_BEND, Vec3::zero());
        }
    }

    /// The displacement `u` of a vertex, or where the host holds it that of one that is let go at the host's velocity: the ghost points beside
    /// it weigh no less, and feel no less wind. (Without, a held strand hung by 1e-4 of its length beside its statics.)
    #[inline(always)]
    fn unheld(u: Vec3<L>, w: L, fall: Vec3<L>, keep: L) -> Vec3<L> {
        Vec3::select(L::zero().lt(w), u, u * keep + fall)
    }

    /// Lengths and strains when the substep began, which viscosity draws to; those of a clamp's half element with the clamp as it was then.
    #[inline(always)]
    fn keep_strains(&mut self, s: &Settings<L::Elem>, t: L::Elem) {
        let (zero, one) = (L::zero(), L::one());
        let edges = self.edge_count();
        let began = L::splat(t) - L::splat(s.part);
        let clamps_frame = by_model!(s.model, M => !M::CLAMPS_EDGE);
        let clamps = |end: EndSupport| end == EndSupport::Clamped && clamps_frame;
        let mut before = if clamps(s.root) { Some(as_frame(&self.support_frame(0, began))) } else { None };
        for i in 0..self.vertices - 1 {
            let f = self.frame_now(i);
            self.set_scratch(i, START, one / f.inv_len);
            let frame = as_frame(&f);
            if let Some(e) = &before {
                self.keep_strain(i, &Relative::new(e, &frame), s.model, self.on(i, edges));
            }
            if clamps(s.tip) && i + 1 >= self.min_edges {
                let held = as_frame(&self.support_frame(1, began));
                let last = self.on(i, edges) * (one - self.on(i + 1, edges));
                self.keep_strain(i + 1, &Relative::new(&frame, &held), s.model, last);
            }
            before = Some(frame);
        }
        if !clamps(s.root) {
            for j in 0..5 {
                self.set_scratch(0, START + 1 + j, zero);
            }
        }
    }

    #[inline(always)]
    fn keep_strain(&mut self, i: usize, q: &Relative<L>, model: RodModel, on: L) {
        let here = L::zero().lt(on);
        for (j, mut v) in self.strains(i, q, model).into_iter().enumerate() {
            if self.keeps_volume() {
                v = v * self.section_scale(i);
            }
            self.set_scratch(i, START + 1 + j, L::select(here, v, self.scratch_at(i, START + 1 + j)));
        }
    }

    /// Where `on`, edge `i` goes where the host's frame is: its far vertex lies along the tangent of the held one, at its rest length, as near
    /// as positions can tell, and its frame turns there. `from_start`: the edge's start is the held vertex.
    #[inline(always)]
    pub(super) fn clamp_edge(&mut self, i: usize, to: &Frame<L>, from_start: bool, on: L) {
        let here = L::zero().lt(on);
        let (at, far) = if from_start { (i, i + 1) } else { (i + 1, i) };
        let along = to.t * self.p(i, param::LENGTH);
        let x = (self.get3(at, state::X) - self.get3(far, state::X)) + self.scratch3(at, COAST);
        let u = if from_start { x + along } else { x - along };
        let u = whole_steps(self.get3(far, state::X), u);
        self.set_scratch3(far, COAST, Vec3::select(here, u, self.scratch3(far, COAST)));
        let turn = as_frame(&self.frame_before(i)).turn_to(to);
        self.set_scratch(i, COAST + 3, L::select(here, turn, self.scratch_at(i, COAST + 3)));
        self.set_scratch(i, INERTIA + 1, L::select(here, L::constant(HELD), self.scratch_at(i, INERTIA + 1)));
    }

    /// The frame of edge `i` when the substep began.
    #[inline(always)]
    pub(super) fn frame_before(&self, i: usize) -> EdgeFrame<L> {
        let (x0, x1, gx) = (self.get3(i, state::X), self.get3(i + 1, state::X), self.get3(i, state::GX));
        let e = x1 - x0;
        edge_frame(e, (gx - x0) - e * L::constant(0.5))
    }

    /// A step that moves a vertex farther than the speed limit allows is shortened as a whole; one that is not a number, as beside
    /// an edge a ten-thousandth as long as its neighbours, is not taken: the strand keeps its shape for this substep. Returns the lanes in which it did
    /// either.
    #[inline(always)]
    pub fn limit_step(&mut self, s: &Settings<L::Elem>) -> u32 {
        let edges = self.edge_count();
        let (zero, one) = (L::zero(), L::one());
        let mut largest = zero;
        let mut sum = zero;
        let mut turn_most = zero;
        for i in 0..self.vertices {
            let here = zero.lt(self.on(i, edges + one));
            let (d2, turn) = (self.scratch3(i, RHS).length2(), self.scratch_at(i, RHS + 3));
            largest = largest.max(L::select(here, d2, zero));
            if self.newton.near && i + 1 < self.vertices {
                let d = self.scratch3(i + 1, RHS) - self.scratch3(i, RHS);
                let l = self.p(i, param::LENGTH);
                let bend = d.length2() / (l * l);
                turn_most = turn_most.max(L::select(zero.lt(self.on_whole(i, edges, s)), bend, zero));
            }
            sum = sum + L::select(here, d2 + turn * turn, zero);
            if self.keeps_volume() {
                let grown = self.wide().at(i, wide::RHS);
                sum = sum + L::select(here, grown * grown, zero);
            }
        }
        let most = L::splat(s.max_move);
        let slowed = (most / largest.max(L::constant(1e-30)).sqrt()).min(one);
        let turned = (L::constant(TURN) / turn_most.max(L::constant(1e-30)).sqrt()).min(one);
        let scale = L::select(zero.lt(self.newton.held), slowed.min(turned), slowed);
        // Not less: also where it is NaN.
        let taken = sum.lt(L::constant(HELD));
        let scale = L::select(taken, scale, zero);
        if !L::any(scale.lt(one)) {
            return 0;
        }
        if self.is_second(s) {
            self.restart_all(scale.lt(one));
        }
        for i in 0..self.vertices {
            for k in 0..4 {
                let d = self.scratch_at(i, RHS + k) * scale;
                self.set_scratch(i, RHS + k, L::select(zero.lt(scale), d, zero));
            }
            if self.keeps_volume() {
                let d = self.wide().at(i, wide::RHS) * scale;
                self.load_scale(i, L::select(zero.lt(scale), d, zero));
            }
        }
        self.lanes_where(L::select(taken, slowed, zero).lt(one))
    }

    /// `moves`: everything by the solution, once and for all, and notes the tensions that it asks for ([`Self::keep_start`] and
    /// [`Self::advance`] in one). An edge is looked at before either end moves, and its ghost point goes where both have gone. `notes`: what the new
    /// strains are, of an edge whose both ends have moved.
    #[inline(always)]
    pub(super) fn walk(&mut self, s: &Settings<L::Elem>, t: L::Elem, moves: bool, notes: bool) {
        let (edges, last) = (self.edge_count(), self.vertices - 1);
        let (mut moved, mut before) = (self.moved_on(0, edges), None);
        for i in 0..self.vertices {
            self.look_beside(i, 0);
            self.look_beside(i, 1);
            if moves && i < last {
                let (edge, volume) = self.edge_and_volume(i, s, self.on(i, edges));
                let next = self.moved_on(i + 1, edges);
                let longer = edge.frame.t.dot(self.scratch3(i + 1, RHS) - self.scratch3(i, RHS));
                let mut asked = edge.pull + edge.stretch.stiffness * longer;
                if let Some(at) = volume {
                    let [mixed, _] = at.hessian(L::one() - self.newton.floored);
                    asked = asked + mixed * self.wide().at(i, wide::RHS);
                    self.grow_whole(i);
                    if self.has_hill() {
                        self.note_hill_step(i, edge.length, longer, s);
                    }
                }
                self.set(i, state::LAMBDA_LENGTH, asked * -L::splat(s.h * s.h));
                let turn = self.scratch_at(i, RHS + 3);
                self.set_scratch(i, COAST + 3, self.scratch_at(i, COAST + 3) - turn);
                self.set3(i, state::U, moved);
                self.carry_ghost(i, &edge.frame, turn, [moved, next], edges);
                moved = next;
            } else if moves {
                self.set3(last, state::U, moved);
            }
            self.look_beside(i, 2);
            self.look_beside(i, 3);
            if notes && i > 0 {
                self.note(i - 1, &mut before, edges, s, t);
            }
        }
    }

    /// Where the solution takes a vertex.
    #[inline(always)]
    fn moved_on(&self, i: usize, edges: L) -> Vec3<L> {
        let (u, here) = (self.get3(i, state::U), L::zero().lt(self.on(i, edges + L::one())));
        Vec3::select(here, u + self.scratch3(i, RHS), u)
    }

    /// The ghost point of edge `i` goes where the edge's frame puts it: turned by `turn` out of the frame `old`, between ends displaced by `u`.
    #[inline(always)]
    fn carry_ghost(&mut self, i: usize, old: &Frame<L>, turn: L, u: [Vec3<L>; 2], edges: L) {
        let (zero, one, half) = (L::zero(), L::one(), L::constant(0.5));
        let (x0, x1) = (self.get3(i, state::X), self.get3(i + 1, state::X));
        let e = (x1 - x0) + (u[1] - u[0]);
        let length = e.length2().max(L::constant(1e-18)).sqrt();
        let new = old.moved(e * (one / length), turn);
        let gx = self.get3(i, state::GX);
        // From the midpoint, the displacements last: far from the origin the differences keep their digits.
        let arm = ((x0 - gx) + (x1 - x0) * half) + new.m1 * self.p(i, param::GHOST);
        let gu = (u[0] + u[1]) * half + arm;
        self.set3(i, state::GU, Vec3::select(zero.lt(self.on(i, edges)), gu, self.get3(i, state::GU)));
    }

    /// Keeps what [`Self::advance`] starts from. Returns what the search wants to know of the direction.
    #[inline(always)]
    pub(super) fn keep_start(&mut self, s: &Settings<L::Elem>) -> Slope<L> {
        let (zero, one) = (L::zero(), L::one());
        let edges = self.edge_count();
        let (mut along, mut driven) = (zero, zero);
        for i in 0..self.vertices {
            if i + 1 < self.vertices {
                let edge = self.edge_now(i, s, self.on(i, edges));
                self.set_scratch3(i, KEPT, edge.frame.m1);
                self.set_scratch3(i, KEPT + 3, edge.frame.t);
            }
            self.set_scratch3(i, KEPT + 6, self.get3(i, state::U));
            self.set_scratch(i, KEPT + 9, self.scratch_at(i, COAST + 3));
            for k in 0..4 {
                let d = self.scratch_at(i, RHS + k);
                let free = self.scratch_at(i, INERTIA + usize::from(k == 3)).lt(L::constant(HELD));
                along = along + L::select(free, self.get(i, state::LAMBDA_LENGTH + k) * d, zero);
                driven = driven + L::select(free, zero, d * d);
            }
            if self.keeps_volume() {
                along = along + self.keep_scale(i);
            }
        }
        Slope { along, wanted: L::select(zero.lt(driven), zero, one) }
    }

    /// Moves everything by `step` times the solution from where it was kept; ghost points go where their edges' frames put them.
    /// The path is straight. (Tried: edges that turn and carry along what follows, as in the statics, `der/strand.rs`. It lengthens
    /// no edge, and does work: limp strands gained ten times the energy that they fell with, kinked ones flew at 90 m/s.)
    #[inline(always)]
    pub(super) fn advance(&mut self, step: L) {
        let edges = self.edge_count();
        let (zero, one) = (L::zero(), L::one());
        for i in 0..self.vertices {
            let here = zero.lt(self.on(i, edges + one));
            if self.keeps_volume() {
                self.grow(i, self.wide().at(i, wide::KEPT), step);
            }
            let u = self.scratch3(i, KEPT + 6) + self.scratch3(i, RHS) * step;
            self.set3(i, state::U, Vec3::select(here, u, self.get3(i, state::U)));
        }
        for i in 0..self.vertices - 1 {
            let (m1, t_) = (self.scratch3(i, KEPT), self.scratch3(i, KEPT + 3));
            let old = Frame { m1, m2: t_.cross(m1), t: t_ };
            let turn = self.scratch_at(i, RHS + 3) * step;
            self.set_scratch(i, COAST + 3, self.scratch_at(i, KEPT + 9) - turn);
            let u = [self.get3(i, state::U), self.get3(i + 1, state::U)];
            self.carry_ghost(i, &old, turn, u, edges);
        }
    }

    /// Where the step has ended, for [`Group::take_impulses`].
    #[inline(always)]
    pub(super) fn keep_end(&mut self) {
        for i in 0..self.vertices {
            self.set_scratch3(i, KEPT, self.get3(i, state::GU));
            self.set_scratch3(i, KEPT + 6, self.get3(i, state::U));
        }
    }

    /// What attachments have done to vertices and ghost points since the last iteration is an impulse: it moves where inertia would go, else
    /// this step would take it back. Turns are in the frames already.
    #[inline(always)]
    pub fn take_impulses(&mut self, s: &Settings<L::Elem>) {
        let edges = self.edge_count();
        let (half, inv_h2) = (L::constant(0.5), L::splat(s.inv_h2));
        let mut carried = Vec3::zero();
        for i in 0..self.vertices {
            let moved = self.get3(i, state::U) - self.scratch3(i, KEPT + 6);
            let mut momentum = moved * mass(self.p(i, param::W)) + carried;
            if i + 1 < self.vertices {
                let ghost = self.get3(i, state::GU) - self.scratch3(i, KEPT);
                carried = ghost * (mass(self.p(i, param::WG)) * self.on(i, edges) * half);
                momentum = momentum + carried;
            }
            let inertia = self.scratch_at(i, INERTIA);
            let to = self.scratch3(i, COAST) + momentum * (inv_h2 / inertia);
            self.set_scratch3(i, COAST, Vec3::select(inertia.lt(L::constant(HELD)), to, self.scratch3(i, COAST)));
        }
    }
}
