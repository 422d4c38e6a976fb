//! The system of a strand in a world against differences: viscosity, clamps, attachments, moments and contacts, in both models.

use super::memory::scratch_row;
use super::*;
use crate::collide::kernels::held_force;
use crate::desc::SweepOrder;
use crate::layout::{FORCE_ROWS, Pointers, WIDE, active, bulk, hill, near, scale, support, tie, wide};
use crate::math::Quat;
use crate::math::rng::Rng;
use crate::rods::der::band::Factors;
use crate::rods::group::Newton;
use crate::rods::models::{Der, Model};
use crate::rods::muscle::hill_rates;

const EXTRA_ROWS: usize = Der::EXTRA_ROWS;
use crate::rods::volume::shares;
use crate::sagfree::batch::Material;
use crate::sagfree::bent::bent;

const N: usize = 6;
/// Unknowns; the last vertex begins no edge.
const UNKNOWNS: usize = 4 * N - 1;

/// What a strand has beside its own springs.
#[derive(Clone, Copy, Debug)]
struct Case {
    model: RodModel,
    /// Of the edges, m.
    length: f64,
    /// Inertia of a vertex, as a part of EA over the length: with 10 nothing is indefinite.
    inertia: f64,
    viscous: bool,
    /// Of a ghost-point rod, both ends.
    clamped: bool,
    tied: bool,
    /// What is solved in the Gauss–Newton form has no moment where it is, and that form is the Hessian: clamps, and all elements of ghost-point rods.
    at_rest: bool,
    touched: bool,
    /// The scales of its sections are unknowns.
    volume: bool,
    /// They are muscles, with an active rest shape or with Hill's force.
    muscle: Option<bool>,
}

/// The memory of one strand.
#[derive(Clone)]
struct Memory {
    params: Vec<f64>,
    state: Vec<f64>,
    edges: Vec<f64>,
    supports: [Vec<f64>; 2],
    ties: [Vec<f64>; 2],
    forces: Vec<f64>,
    scratch: Vec<f64>,
    extra: Vec<f64>,
    /// Empty: radii stay.
    scales: Vec<f64>,
    bulk: Vec<f64>,
    active: Vec<f64>,
    hill: Vec<f64>,
    near: bool,
}

impl Group<f64, 1> {
    /// L D Lᵀ
    fn unfactored(&self) -> Vec<[f64; BAND]> {
        let entry = |row: usize, column: usize| if column == 0 { 1.0 } else { self.entry(row, column) };
        let product = |row: usize, column: usize| {
            let from = (row + column + 1).saturating_sub(BAND);
            (from..=row).map(|k| entry(k, row - k) / self.entry(k, 0) * entry(k, row + column - k)).sum()
        };
        (0..UNKNOWNS).map(|row| core::array::from_fn(|c| product(row, c))).collect()
    }

    /// What colliders do to the unknowns, with the stiffness that their contacts have.
    fn contact_forces(&self, s: &Settings<f64>) -> [f64; 4 * N] {
        let mut forces = [0.0; 4 * N];
        for i in (0..N).filter(|&i| self.newton.near && self.held_there(i) == 1.0) {
            let held = self.held_contact(i, 0, s, false);
            let force = held_force(held, self.get3(i, state::U));
            let all = held.normal * force.press + force.friction;
            forces[4 * i..4 * i + 3].copy_from_slice(&all.to_array());
        }
        forces
    }
}

impl Memory {
    fn group(&mut self) -> Group<f64, 1> {
        let first = |v: &mut Vec<f64>| if v.is_empty() { core::ptr::null_mut() } else { v.as_mut_ptr() };
        let null = core::ptr::null_mut;
        Group {
            at: Pointers {
                params: self.params.as_ptr(),
                state: self.state.as_mut_ptr(),
                edges: self.edges.as_ptr(),
                supports: self.supports.each_ref().map(|s| s.as_ptr()),
                ties: self.ties.each_mut().map(first),
                spare: null(),
                contact: null(),
                forces: self.forces.as_ptr(),
                spin: null(),
                scratch: self.scratch.as_mut_ptr(),
                kept: null(),
                extra: self.extra.as_ptr(),
                extra_rows: EXTRA_ROWS,
                scales: first(&mut self.scales),
                bulk: first(&mut self.bulk),
                active: first(&mut self.active),
                hill: first(&mut self.hill),
                bundle: null(),
                second: null(),
                swept: null(),
            },
            newton: Newton { near: self.near, ..Newton::new() },
            width: 1,
            vertices: N,
            min_edges: N - 1,
            first_lane: 0,
        }
    }

    /// Where a Newton step with the solution `z` leads.
    fn moved(&self, z: &[f64], s: &Settings<f64>) -> Memory {
        let mut there = self.clone();
        let mut g = there.group();
        g.keep_start(s);
        for (u, v) in z.iter().enumerate() {
            g.set_scratch(u / 4, RHS + u % 4, *v);
        }
        g.advance(1.0);
        there
    }

    /// Minus the gradient, as it is assembled, and the Hessian, of which L D Lᵀ is left.
    fn system(&self, s: &Settings<f64>) -> (Vec<f64>, Vec<[f64; BAND]>) {
        let mut here = self.clone();
        let mut g = here.group();
        // What is assembled makes contacts as stiff as its own blocks, anew in each state: they are to be as stiff as they were.
        let frozen = g.contact_forces(s);
        g.assemble_and_factor(s, 1.0, 1.0, true, false);
        assert!(self.near || g.newton.indefinite == 0.0, "inertia is not large enough for this test");
        let renewed = g.contact_forces(s);
        let rhs = (0..UNKNOWNS).map(|u| g.get(u / 4, state::LAMBDA_LENGTH + u % 4) + (frozen[u] - renewed[u])).collect();
        (rhs, g.unfactored())
    }

    /// The same where nothing keeps the right-hand side, from what the way down has made of it.
    fn system_unsearched(&self, s: &Settings<f64>) -> (Vec<f64>, Vec<[f64; BAND]>) {
        let mut here = self.clone();
        let mut g = here.group();
        g.assemble_and_factor(s, 1.0, 1.0, true, false);
        let entry = |row: usize, column: usize| if column == 0 { 1.0 } else { g.entry(row, column) };
        let up = |row: usize| ((row + 1).saturating_sub(BAND)..=row).map(|k| entry(k, row - k) * g.rhs(k)).sum();
        ((0..UNKNOWNS).map(up).collect(), g.unfactored())
    }

    /// The incremental potential.
    fn potential(&self, s: &Settings<f64>) -> f64 {
        let mut here = self.clone();
        let g = here.group();
        if s.model == RodModel::Der {
            return g.potential(s);
        }
        let element = |e: &Frame<f64>, f: &Frame<f64>, rest: &ElementRest<f64>| {
            let psi = Relative::new(e, f).half_darboux() * 2.0;
            let [a, b, c] = [psi.x - rest.kappa[0], psi.y - rest.kappa[1], psi.z - rest.twist];
            0.5 * (rest.bend[0] * a * a + rest.bend[1] * b * b + rest.turn * c * c)
        };
        let edges: Vec<Edge<f64>> = (0..N - 1).map(|i| g.edge_now(i, s, 1.0)).collect();
        let mut sum: f64 = (0..N).map(|i| g.inertial(i) + g.contact_energy(i, s)).sum();
        sum += edges.iter().map(|e| e.stretch.energy).sum::<f64>();
        sum += (0..N - 1).map(|i| g.spread_energy(i)).sum::<f64>();
        for (i, pair) in edges.windows(2).enumerate() {
            let rest = g.element_rest(i + 1, s, pair[0].open.min(pair[1].open));
            sum += element(&pair[0].frame, &pair[1].frame, &rest);
        }
        if s.root == EndSupport::Clamped {
            let held = as_frame(&g.support_frame(0, 1.0));
            sum += element(&held, &edges[0].frame, &g.element_rest(0, s, edges[0].open));
            let (held, last) = (as_frame(&g.support_frame(1, 1.0)), &edges[N - 2]);
            sum += element(&last.frame, &held, &g.element_rest(N - 1, s, last.open));
        }
        for end in 0..if g.at.ties[0].is_null() { 0 } else { 2 } {
            let i = end * (N - 1);
            let (m, d) = g.drawn(end, i, s);
            sum += 0.5 * d.dot(m.mul(d)) - g.load_of(end, i).dot(g.get3(i, state::U));
            let (held, edge, rest) = g.half_element(end, i, s);
            let (e, f) = if end == 0 { (held, edge) } else { (edge, held) };
            sum += element(&e.frame, &f.frame, &rest);
        }
        sum
    }
}

fn settings(case: Case) -> Settings<f64> {
    let h = 1e-3;
    let end = if case.clamped { EndSupport::Clamped } else { EndSupport::Free };
    Settings {
        h,
        inv_h2: 1.0 / (h * h),
        gravity: Vec3::zero(),
        keep_spin: false,
        together: false,
        contact: false,
        inv_h_gg: 0.0,
        alpha: false,
        cuts: 0,
        order: SweepOrder::Direct,
        model: case.model,
        second: false,
        search: true,
        viscous: case.viscous,
        #[cfg(feature = "paper")]
        ghost_gravity: crate::desc::GhostGravity::Shared,
        part: 1.0,
        root: end,
        tip: end,
        damping: 0.0,
        drag_keep: 1.0,
        drag_take: 0.0,
        wind: Vec3::zero(),
        friction: 0.0,
        max_move: 1e9,
        max_radius: 1e-3,
        near: 0.0,
        give: 1.0,
        category: 1,
        mask: 1,
    }
}

/// A bent, twisted and stretched strand in the middle of a substep.
fn strand(rng: &mut Rng, case: Case) -> Memory {
    let length = case.length;
    let material = Material { radius: length / 10.0, aspect: 0.6, ..Material::default() };
    let measure = if case.model == RodModel::Der { Measure::Curvature } else { Measure::Darboux };
    let from = bent(rng, N, measure, length, &material);
    let mut about = |size: f64| rng.range(-size, size);
    let mut m = Memory {
        params: vec![0.0; N * param::ROWS],
        state: vec![0.0; N * state::ROWS],
        edges: vec![(N - 1) as f64],
        supports: [vec![0.0; support::ROWS], vec![0.0; support::ROWS]],
        ties: if case.tied { [vec![0.0; tie::ROWS], vec![0.0; tie::ROWS]] } else { [vec![], vec![]] },
        forces: vec![],
        scratch: vec![0.0; N * (SCRATCH_ROWS + if case.volume { wide::ROWS } else { 0 })],
        extra: vec![0.0; N * EXTRA_ROWS],
        scales: if case.volume { vec![0.0; N * scale::ROWS] } else { vec![] },
        bulk: if case.volume { vec![0.0; N * bulk::ROWS] } else { vec![] },
        active: if case.muscle.is_some() { vec![0.0; N * active::ROWS] } else { vec![] },
        hill: if case.muscle == Some(true) { vec![0.0; N * hill::ROWS] } else { vec![] },
        near: case.touched,
    };
    let c = from.section[1];
    assert!(c.ea.min(c.gj).min(c.ei[0]).min(c.ei[1]) > 0.0);
    let hard = case.inertia * c.ea / length;
    m.forces = (0..N * FORCE_ROWS).map(|_| about(0.2) * c.ei[0] / length).collect();
    let turn_hard = 100.0 * c.ei[1].max(c.ei[0]) / length;
    let mut x = vec3(0.3, -0.2, 0.1);
    for i in 0..N {
        let (node, rest) = (from.state[i], from.rest[i]);
        let p = &mut m.params[i * param::ROWS..][..param::ROWS];
        (p[param::W], p[param::WG], p[param::LENGTH], p[param::GHOST]) = (1e4, 1e6, rest.length, length);
        (p[param::STRETCH], p[param::RADIUS]) = (length / c.ea, 0.1 * length);
        let psi = if case.model == RodModel::Der {
            [rest.kappa[0], rest.kappa[1], rest.twist]
        } else {
            [about(0.5), about(0.5), about(0.3)]
        };
        p[param::PSI..param::PSI + 3].copy_from_slice(&psi);
        p[param::BEND..param::BEND + 3].copy_from_slice(&[length / c.ei[0], length / c.ei[1], length / c.gj]);
        p[param::VISCOUS..param::VISCOUS + 3].fill(0.7);
        m.extra[i * EXTRA_ROWS..][..2].copy_from_slice(&rest.kappa[2..]);
        // Part of the way has been gone.
        let s = &mut m.state[i * state::ROWS..][..state::ROWS];
        let u = vec3(about(0.1), about(0.1), about(0.1)) * length;
        let ghost = x + node.edge * 0.5 + node.m1 * length;
        for (row, v) in [(state::X, x - u), (state::U, u), (state::GX, ghost)] {
            s[row..row + 3].copy_from_slice(&v.to_array());
        }
        let w = &mut m.scratch;
        let at = |k: usize| scratch_row(N, i, k);
        for (k, u) in u.to_array().into_iter().enumerate() {
            w[at(COAST + k)] = u + about(0.1) * length;
        }
        w[at(COAST + 3)] = about(0.1);
        (w[at(INERTIA)], w[at(INERTIA + 1)]) = (hard, turn_hard);
        w[at(START)] = node.edge.length() * (1.0 + about(0.1));
        (1..6).for_each(|k| w[at(START + k)] = about(0.4));
        if case.touched {
            let (normal, across) = (vec3(about(1.0), 1.0, about(1.0)), vec3(about(1.0), about(1.0), about(1.0)));
            let normal = normal * (1.0 / normal.length());
            let slip = across - normal * normal.dot(across);
            let rows = [
                (near::NORMAL, normal),
                (near::SURFACE, vec3(about(0.1), about(0.1), about(0.1)) * length),
                (near::SLIP, slip * (1.0 / slip.length())),
            ];
            for (row, v) in rows {
                w[at(CONTACT + row)..at(CONTACT + row) + 3].copy_from_slice(&v.to_array());
            }
            let numbers = [(near::DEPTH, 0.1 * length), (near::FRICTION, 0.5), (near::PRESS, 1.0), (near::GRIP, 0.1 * hard)];
            numbers.into_iter().for_each(|(row, v)| w[at(CONTACT + row)] = v);
            if case.volume {
                // From the other side another presses.
                let other = SCRATCH_ROWS + wide::AGAINST;
                (0..near::ROWS).for_each(|row| w[at(other + row)] = w[at(CONTACT + row)] * (1.0 + about(0.1)));
                let normal = (vec3(about(0.5), about(0.5), about(0.5)) - normal) * 0.7;
                let normal = normal * (1.0 / normal.length());
                (0..3).for_each(|k| w[at(other + near::NORMAL + k)] = normal.to_array()[k]);
            }
        }
        x = x + node.edge;
        if let Some(force) = case.muscle {
            // λ from 0.7 to 1.1. In a substep the fibres can shorten by 0.8: with 0.2, differences do not tell a derivative to 1e-8.
            m.active[i * active::ROWS..][..2].copy_from_slice(&[0.7 + about(0.3), if force { 1.0 } else { 0.8 + about(0.2) }]);
            if force {
                let at = hill_rates(0.9 + about(0.2), 0.9, 1.0 / 0.8, 1.0);
                let start = node.edge.length() * (1.0 + about(0.02));
                let rows = [0.5 * c.ea, length * (1.1 + about(0.1)), 0.0, 0.0, start, 0.0, at.gain, at.slope, at.speed];
                m.hill[i * hill::ROWS..][..hill::ROWS].copy_from_slice(&rows);
            }
        }
        if case.volume && i + 1 < N {
            let [shear, bulk] = shares(0.4);
            let moment = c.ea * length;
            m.scales[i * scale::ROWS..][..2].copy_from_slice(&[about(0.2), about(0.1)]);
            let constants = [shear, bulk, 0.3 * moment, 0.0, about(0.2) * moment];
            m.bulk[i * bulk::ROWS..][..bulk::ROWS].copy_from_slice(&constants);
            let rows = [(wide::COAST, about(0.2)), (wide::INERTIA, case.inertia * moment), (wide::START, about(0.1))];
            rows.into_iter().for_each(|(k, v)| m.scratch[scratch_row(N, i, SCRATCH_ROWS + k)] = v);
            m.scratch[scratch_row(N, i, SCRATCH_ROWS + wide::START + 1)] = about(0.1);
        } else if case.volume {
            m.scratch[scratch_row(N, i, SCRATCH_ROWS + wide::INERTIA)] = HELD;
        }
    }
    if case.at_rest && case.model == RodModel::Ghost {
        for i in 1..N - 1 {
            let s = m.group().section_scale(i);
            let psi = Relative::new(&from.state[i - 1].frame(), &from.state[i].frame()).half_darboux() * (2.0 * s);
            m.params[i * param::ROWS + param::PSI..][..3].copy_from_slice(&psi.to_array());
            m.scratch[scratch_row(N, i, START + 1)..][..5].copy_from_slice(&[psi.x, psi.y, 0.0, 0.0, psi.z]);
        }
    }
    // What holds the ends: their own frames, or others.
    let frames: [Frame<f64>; 2] = [from.state[0].frame(), from.state[N - 2].frame()];
    for end in 0..2 {
        let f = frames[end];
        let mut q = Quat::from_frame([f.m1, f.m2, f.t]);
        if case.at_rest {
            // Ψ̄ of the half element, too.
            let i = end * (N - 1);
            m.params[i * param::ROWS + param::PSI..][..3].fill(0.0);
            m.extra[i * EXTRA_ROWS..][..2].fill(0.0);
            m.scratch[scratch_row(N, i, START + 1)..][..5].fill(0.0);
        } else {
            let by = Quat { x: about(0.2), y: about(0.2), z: about(0.2), w: 1.0 };
            let n = by.dot(by).sqrt();
            q = Quat { x: by.x / n, y: by.y / n, z: by.z / n, w: by.w / n }.compose(q);
        }
        for at in [support::FROM_ROTATION, support::TO_ROTATION] {
            m.supports[end][at..at + 4].copy_from_slice(&[q.x, q.y, q.z, q.w]);
        }
        if let Some(t) = m.ties[end].get_mut(..) {
            if t.is_empty() {
                continue;
            }
            (0..3).for_each(|k| t[tie::AT + k] = about(0.2) * length);
            let heavy = 0.1 * hard * 1e-6;
            t[tie::MASS..tie::MASS + 6].copy_from_slice(&[
                heavy,
                0.2 * heavy,
                -0.1 * heavy,
                1.5 * heavy,
                0.3 * heavy,
                2.0 * heavy,
            ]);
            t[tie::CLAMPED..tie::CLAMPED + 5].copy_from_slice(&[1.0, q.x, q.y, q.z, q.w]);
            // As soft as half of the half element.
            let gives = [2.0, 1.0, 0.5].map(|k| k * 0.5 * length / c.ei[0] * 1e6);
            t[tie::TURN..tie::TURN + 3].copy_from_slice(&gives);
            if !case.at_rest {
                (0..3).for_each(|k| t[tie::PSI + k] = about(0.1));
            }
            t[tie::LOOSE] = 1.0;
            (0..3).for_each(|k| t[tie::LOAD + k] = about(0.005) * c.ea);
        }
    }
    m
}

/// (45 d₁ − 9 d₂ + d₃)/60 h
fn slope(step: f64, d: impl Fn(f64) -> f64) -> f64 {
    let both = |k: f64| d(k * step) - d(-k * step);
    (45.0 * both(1.0) - 9.0 * both(2.0) + both(3.0)) / (60.0 * step)
}

fn check_one(case: Case, seed: u64) {
    let mut rng = Rng::new(seed);
    let s = settings(case);
    let here = strand(&mut rng, case);
    // Contacts know how stiff they are from then on.
    let mut here = here;
    if case.touched {
        let mut once = here.clone();
        once.group().assemble_and_factor(&s, 1.0, 1.0, true, false);
        for i in 0..N {
            let at = scratch_row(N, i, CONTACT + near::STIFF);
            here.scratch[at] = once.scratch[at];
        }
    }
    let step = |u: usize| if u % 4 == 3 { 2e-3 } else { 2e-3 * case.length };
    let along = |u: usize, by: f64| {
        let mut z = vec![0.0; 4 * N];
        z[u] = by;
        here.moved(&z, &s)
    };
    let (rhs, band) = here.system(&s);
    let most = |turn: bool, f: &dyn Fn(usize) -> f64| {
        (0..UNKNOWNS).filter(|u| (u % 4 == 3) == turn).fold(0.0, |m: f64, u| m.max(f(u).abs()))
    };
    let energy = here.potential(&s);
    for u in 0..UNKNOWNS {
        let got = slope(step(u), |by| along(u, by).potential(&s));
        let size = most(u % 4 == 3, &|u| rhs[u]);
        let noise = 8e-16 * energy.abs() / step(u);
        assert!((got + rhs[u]).abs() < 1e-8 * size + noise, "{case:?}: gradient {u}: {} against {got} of {size}", -rhs[u]);
        assert!(noise < 1e-7 * size, "{case:?}: gradient {u}: cannot tell, {noise} of {size}");
    }
    if !(case.at_rest || case.model == RodModel::Der && !case.tied) || case.inertia < 1.0 {
        return;
    }
    let rows: Vec<Vec<f64>> = (0..UNKNOWNS)
        .map(|u| {
            let at = [1.0, 2.0, 3.0].map(|k| [k, -k].map(|k| along(u, k * step(u)).system(&s).0));
            let column = |v: usize| {
                let both = |k: usize| at[k][1][v] - at[k][0][v];
                (45.0 * both(0) - 9.0 * both(1) + both(2)) / (60.0 * step(u))
            };
            (0..UNKNOWNS).map(column).collect()
        })
        .collect();
    // Of the springs, without the inertia that this test has put there.
    let own = |u: usize| band[u][0] - here.scratch[scratch_row(N, u / 4, INERTIA + usize::from(u % 4 == 3))];
    let mut worst = (0.0f64, 0, 0, 0.0, 0.0);
    for u in 0..UNKNOWNS {
        for v in u..UNKNOWNS {
            // The derivative is not symmetric by the holonomy of the way (`der/assembly_tests.rs`).
            let got = 0.5 * (rows[u][v] + rows[v][u]);
            let exact = band[u].get(v - u).copied().unwrap_or(0.0);
            let size = (most(u % 4 == 3, &own) * most(v % 4 == 3, &own)).sqrt();
            let error = (got - exact).abs() / size;
            assert!(error.is_finite(), "{case:?}: {u},{v}: {exact} against {got} of {size}");
            if error > worst.0 {
                worst = (error, u, v, exact, got);
            }
        }
    }
    println!("{case:?}: {worst:?}");
    assert!(worst.0 < 1e-8, "{case:?}: Hessian {worst:?}");
}

const PLAIN: Case = Case {
    model: RodModel::Der,
    length: 0.01,
    inertia: 10.0,
    viscous: false,
    clamped: false,
    tied: false,
    at_rest: false,
    touched: false,
    volume: false,
    muscle: None,
};

/// Several strands of several sizes.
fn check(case: Case) {
    for length in [1e-4, 0.01, 10.0] {
        (53..58).for_each(|seed| check_one(Case { length, ..case }, seed));
    }
}

/// Both models, with clamps, ties and viscosity.
fn each_case(check: impl Fn(Case)) {
    for viscous in [false, true] {
        check(Case { viscous, ..PLAIN });
        for at_rest in [false, true] {
            check(Case { viscous, tied: true, at_rest, ..PLAIN });
            for (clamped, tied) in [(false, false), (true, false), (false, true)] {
                check(Case { viscous, clamped, tied, at_rest, model: RodModel::Ghost, ..PLAIN });
            }
        }
    }
}

#[test]
fn a_strand_in_a_world_is_the_sum_of_its_parts() {
    each_case(check);
}

/// Contacts are a thousand times as stiff as their vertex is heavy: light ones, whose potential is told from theirs, and heavy ones, whose
/// Hessian is positive definite without them.
#[test]
fn contacts_push_as_their_potential_says() {
    for (model, tied) in [(RodModel::Der, false), (RodModel::Der, true), (RodModel::Ghost, false), (RodModel::Ghost, true)] {
        check(Case { touched: true, inertia: 1e-3, tied, model, ..PLAIN });
        check(Case { touched: true, inertia: 1.0, at_rest: true, tied, model, ..PLAIN });
    }
}

/// Steps that are not searched take across an edge the tension that the last one asked for, and push with the true one.
#[test]
fn asked_tension_counts_across_the_edge_only() {
    let mut rng = Rng::new(59);
    let searched = settings(PLAIN);
    let s = Settings { search: false, ..searched };
    let mut here = strand(&mut rng, PLAIN);
    let (rhs, band) = here.system(&searched);
    let edges: Vec<Edge<f64>> = (0..N - 1).map(|i| here.group().edge_now(i, &searched, 1.0)).collect();
    let more: Vec<f64> = (0..N - 1).map(|_| rng.range(-1e-4, 1e-4) * edges[0].stretch.stiffness * PLAIN.length).collect();
    for i in 0..N - 1 {
        here.state[i * state::ROWS + state::LAMBDA_LENGTH] = -(edges[i].pull + more[i]) / s.inv_h2;
    }
    let z: Vec<f64> = (0..UNKNOWNS).map(|u| rng.range(-1.0, 1.0) * if u % 4 == 3 { 1.0 } else { PLAIN.length }).collect();
    // H z of the one and of the other, and the difference that the tensions make.
    let product = |band: &[[f64; BAND]]| -> Vec<f64> {
        let entry = |a: usize, b: usize| band[a.min(b)].get(a.max(b) - a.min(b)).copied().unwrap_or(0.0);
        (0..UNKNOWNS).map(|u| (0..UNKNOWNS).map(|v| entry(u, v) * z[v]).sum()).collect()
    };
    let (asked, tense) = (here.system_unsearched(&s), product(&band));
    let now = product(&asked.1);
    let mut expected = [0.0; UNKNOWNS];
    for i in 0..N - 1 {
        let at = |v: usize| vec3(z[4 * v], z[4 * v + 1], z[4 * v + 2]);
        let (t, d) = (edges[i].frame.t, at(i + 1) - at(i));
        let across = (d - t * t.dot(d)) * (more[i] * edges[i].inv_length);
        for (k, f) in across.to_array().into_iter().enumerate() {
            expected[4 * i + k] -= f;
            expected[4 * (i + 1) + k] += f;
        }
    }
    let size = expected.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    for u in 0..UNKNOWNS {
        let got = now[u] - tense[u];
        assert!((got - expected[u]).abs() < 1e-7 * size, "{u}: {got} against {} of {size}", expected[u]);
        assert!((asked.0[u] - rhs[u]).abs() <= 1e-12 * rhs[u].abs(), "{u}: {} against {}", asked.0[u], rhs[u]);
    }
}

/// A whole step that raises the potential is halved until it lowers it.
#[test]
fn searched_steps_lower_the_potential() {
    let mut rng = Rng::new(61);
    let s = settings(PLAIN);
    let mut raised = 0;
    for _ in 0..50 {
        let mut here = strand(&mut rng, PLAIN);
        for i in 0..N {
            // Next to no inertia, bent the other way: what is nearly free to go goes too far.
            for (k, part) in [(INERTIA, 1e-6), (INERTIA + 1, 1e-4)] {
                here.scratch[scratch_row(N, i, k)] *= part;
            }
            here.params[i * param::ROWS + param::PSI..][..2].iter_mut().for_each(|k| *k *= -4.0);
            here.forces.iter_mut().for_each(|f| *f = 0.0);
        }
        let before = here.potential(&s);
        let mut g = here.group();
        g.direction(&s, 1.0, false);
        // What follows writes over the factors.
        let mut whole = here.clone();
        let mut g = whole.group();
        g.keep_start(&s);
        g.advance(1.0);
        raised += usize::from(whole.potential(&s) > before);
        let mut g = here.group();
        g.newton.energy = before;
        g.follow(&s, 1.0, false);
        let after = here.potential(&s);
        assert!(after < before, "{after} J after {before} J");
    }
    assert!(raised >= 10, "of fifty whole steps only {raised} raise the potential: nothing to search");
}

/// After contacts have been revised, a system that was kept gives the bits of one that is assembled again.
#[test]
fn a_kept_system_is_the_assembled_one() {
    let mut rng = Rng::new(71);
    let mut kept = [0; 2];
    for model in [RodModel::Der, RodModel::Ghost] {
        for (clamped, viscous, inertia) in [(false, false, 10.0), (false, true, 1e-3), (true, true, 0.1), (true, false, 1e-3)] {
            let case = Case { model, clamped: clamped && model == RodModel::Ghost, viscous, inertia, touched: true, ..PLAIN };
            let s = Settings { search: false, gravity: vec3(3.0, -9.0, 2.0), ..settings(case) };
            let here = strand(&mut rng, case);
            let mut solved = |keeps: bool| {
                let (mut here, mut room) = (here.clone(), vec![0.0; N * crate::layout::kept::ROWS]);
                let mut g = here.group();
                if keeps {
                    g.at.kept = room.as_mut_ptr();
                }
                g.newton.renews = true;
                g.direction(&s, 1.0, false);
                kept[usize::from(keeps)] += usize::from(g.newton.kept);
                for i in 0..N {
                    for (row, by) in [(near::PRESS, if i == 2 { 0.0 } else { 1.5 }), (near::GRIP, 0.3)] {
                        g.set_scratch(i, CONTACT + row, g.scratch_at(i, CONTACT + row) * by);
                    }
                }
                g.direction(&s, 1.0, true);
                (0..4 * N).map(|u| g.rhs(u).to_bits()).collect::<Vec<u64>>()
            };
            assert_eq!(solved(false), solved(true), "{case:?}");
        }
    }
    assert!(kept[0] == 0 && kept[1] >= 5, "kept {kept:?} times of 8");
}

/// What is solved for from where velocities alone would go is the same step.
#[test]
fn the_way_changes_no_step() {
    let mut rng = Rng::new(67);
    let (mut moved, mut cases) = (0.0f64, 0);
    for (model, clamped, tied) in [
        (RodModel::Der, false, false),
        (RodModel::Der, false, true),
        (RodModel::Ghost, false, false),
        (RodModel::Ghost, true, false),
        (RodModel::Ghost, false, true),
    ] {
        for (viscous, inertia) in [(false, 10.0), (true, 10.0), (false, 0.1), (false, 1e-3)] {
            let case = Case { model, clamped, tied, viscous, inertia, ..PLAIN };
            let s = Settings { search: false, gravity: vec3(3.0, -9.0, 2.0), ..settings(case) };
            let here = strand(&mut rng, case);
            let solution = |along: bool| {
                let mut here = here.clone();
                let mut g = here.group();
                // As `direction` does.
                (g.newton.floored, g.newton.solves_delta, g.newton.delta) =
                    (f64::from(u8::from(model == RodModel::Ghost)), along, f64::from(u8::from(along)));
                g.predict_displacements(&s);
                let predicted = (0..N).map(|i| g.predicted(i).length()).fold(0.0, f64::max);
                g.assemble_and_factor(&s, 1.0, 1.0 - g.newton.floored, false, false);
                if model == RodModel::Der && g.newton.indefinite > 0.0 {
                    g.newton.floored = 1.0;
                    g.assemble_and_factor(&s, 1.0, 0.0, false, false);
                }
                g.substitute(N);
                g.add_predicted();
                let going = g.newton.delta;
                let all = (0..4 * N).map(|u| g.rhs(u)).collect::<Vec<f64>>();
                (all, going, predicted)
            };
            let ((plain, ..), (along, going, way)) = (solution(false), solution(true));
            for turns in [false, true] {
                let all = (0..UNKNOWNS).filter(|u| (u % 4 == 3) == turns);
                let size = all.clone().fold(0.0f64, |m, u| m.max(plain[u].abs()));
                let apart = all.fold(0.0f64, |m, u| m.max((plain[u] - along[u]).abs()));
                assert!(apart < 1e-7 * size, "{case:?}: apart by {apart} of {size}");
            }
            cases += usize::from(going > 0.0);
            moved = moved.max(way);
        }
    }
    assert!(moved > 1e-4 && cases >= 15, "{moved} {cases}");
}

/// The unknowns of rods that keep their volume, by vertex: positions, turn, scale.
fn wide_unknowns() -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..N).flat_map(|i| (0..if i + 1 == N { 3 } else { 5 }).map(move |k| (i, k)))
}

impl Memory {
    /// Where a step leads that moves one unknown.
    fn moved_by(&self, (i, k): (usize, usize), by: f64, s: &Settings<f64>) -> Memory {
        let mut there = self.clone();
        let mut g = there.group();
        g.keep_start(s);
        for v in 0..N {
            (0..4).for_each(|k| g.set_scratch(v, RHS + k, 0.0));
            g.load_scale(v, 0.0);
        }
        if k == 4 {
            g.load_scale(i, by)
        } else {
            g.set_scratch(i, RHS + k, by)
        }
        g.advance(1.0);
        there
    }

    /// Minus the gradient, and L D Lᵀ of the factors.
    fn wide_system(&self, s: &Settings<f64>) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut here = self.clone();
        let mut g = here.group();
        g.assemble_and_factor(s, 1.0, 1.0, true, false);
        assert!(g.newton.indefinite == 0.0, "inertia is not large enough for this test");
        let slope = |(i, k): (usize, usize)| match k {
            4 => g.wide().at(i, wide::KEPT + 1),
            _ => g.get(i, state::LAMBDA_LENGTH + k),
        };
        let rhs = wide_unknowns().map(slope).collect();
        let (band, all) = (g.wide_band(), 5 * N - 2);
        let (reach, pivot) = (|a: usize| WIDE - a % 5, |a: usize| 1.0 / band.factor(a / 5, a % 5, 0));
        let factor = |a: usize, b: usize| match b - a {
            0 => 1.0,
            c if c < reach(a) => band.factor(a / 5, a % 5, c),
            _ => 0.0,
        };
        let product = |a: usize, b: usize| (0..=a.min(b)).map(|k| factor(k, a) * pivot(k) * factor(k, b)).sum();
        (rhs, (0..all).map(|a| (0..all).map(|b| product(a, b)).collect()).collect())
    }
}

/// As [`check_one`], with the scales.
fn check_volume(case: Case, seed: u64) {
    let s = settings(case);
    let mut here = strand(&mut Rng::new(seed), case);
    if case.touched {
        let mut once = here.clone();
        once.group().assemble_and_factor(&s, 1.0, 1.0, true, false);
        for i in 0..N {
            for at in [CONTACT, SCRATCH_ROWS + wide::AGAINST].map(|first| scratch_row(N, i, first + near::STIFF)) {
                here.scratch[at] = once.scratch[at];
            }
        }
    }
    // Of positions, turns and scales.
    let sort = |k: usize| k.max(2) - 2;
    let step = |k: usize| [2e-3 * case.length, 2e-3, 1e-3][sort(k)];
    let (rhs, band) = here.wide_system(&s);
    let most = |k: usize, f: &dyn Fn(usize) -> f64| {
        wide_unknowns()
            .enumerate()
            .filter(|(_, (_, other))| sort(*other) == sort(k))
            .fold(0.0, |m: f64, (u, _)| m.max(f(u).abs()))
    };
    let energy = here.potential(&s);
    for (u, at) in wide_unknowns().enumerate() {
        let got = slope(step(at.1), |by| here.moved_by(at, by, &s).potential(&s));
        let size = most(at.1, &|u| rhs[u]);
        let noise = 8e-16 * energy.abs() / step(at.1);
        assert!((got + rhs[u]).abs() < 1e-8 * size + noise, "{case:?}: gradient {at:?}: {} against {got} of {size}", -rhs[u]);
        assert!(noise < 1e-7 * size, "{case:?}: gradient {at:?}: cannot tell, {noise} of {size}");
    }
    // Contacts are as stiff as what they hold, which changes with the pose.
    if case.touched || !(case.at_rest || case.model == RodModel::Der && !case.tied) {
        return;
    }
    let rows: Vec<Vec<f64>> = wide_unknowns()
        .map(|at| {
            let there = [1.0, 2.0, 3.0].map(|k| [k, -k].map(|k| here.moved_by(at, k * step(at.1), &s).wide_system(&s).0));
            let column = |v: usize| {
                let both = |k: usize| there[k][1][v] - there[k][0][v];
                (45.0 * both(0) - 9.0 * both(1) + both(2)) / (60.0 * step(at.1))
            };
            (0..rhs.len()).map(column).collect()
        })
        .collect();
    let inertia = |(i, k): (usize, usize)| match k {
        4 => here.scratch[scratch_row(N, i, SCRATCH_ROWS + wide::INERTIA)],
        _ => here.scratch[scratch_row(N, i, INERTIA + usize::from(k == 3))],
    };
    let unknowns: Vec<(usize, usize)> = wide_unknowns().collect();
    let own = |u: usize| band[u][u] - inertia(unknowns[u]);
    for (u, at) in wide_unknowns().enumerate() {
        for (v, to) in wide_unknowns().enumerate().skip(u) {
            let got = 0.5 * (rows[u][v] + rows[v][u]);
            let size = (most(at.1, &own) * most(to.1, &own)).sqrt();
            let error = (got - band[u][v]).abs() / size;
            assert!(error < 1e-8, "{case:?}: Hessian {at:?},{to:?}: {} against {got} of {size}", band[u][v]);
        }
    }
}

#[test]
fn a_strand_that_keeps_its_volume_is_the_sum_of_its_parts() {
    each_case(|case| {
        for length in [1e-4, 0.01, 10.0] {
            (53..58).for_each(|seed| check_volume(Case { length, volume: true, ..case }, seed));
        }
    });
}

/// Contacts on both sides of each vertex, which press on its section, too: a spring along the normal and against what the radius grows by, and one across.
#[test]
fn contacts_press_sections_as_their_potential_says() {
    for (model, tied) in [(RodModel::Der, false), (RodModel::Der, true), (RodModel::Ghost, false), (RodModel::Ghost, true)] {
        let case = Case { touched: true, volume: true, inertia: 1.0, tied, model, ..PLAIN };
        (53..58).for_each(|seed| check_volume(case, seed));
        (53..58).for_each(|seed| check_pressed(case, seed));
    }
}

/// What contacts add to the Hessian.
fn check_pressed(case: Case, seed: u64) {
    let s = settings(case);
    let mut here = strand(&mut Rng::new(seed), case);
    let mut open = here.clone();
    for i in 0..N {
        for first in [CONTACT, SCRATCH_ROWS + wide::AGAINST] {
            open.scratch[scratch_row(N, i, first + near::PRESS)] = 0.0;
        }
    }
    let ((_, with), (_, without)) = (here.wide_system(&s), open.wide_system(&s));
    let mut g = here.group();
    g.assemble_and_factor(&s, 1.0, 1.0, true, false);
    let unknowns: Vec<(usize, usize)> = wide_unknowns().collect();
    let mut expected = vec![vec![0.0; unknowns.len()]; unknowns.len()];
    for (i, side) in (0..N).flat_map(|i| [(i, 0), (i, 1)]) {
        let c = g.held_contact(i, side, &s, false);
        let (n, parts) = (c.normal.to_array(), g.radius_parts(i).map(|part| part * g.p(i, param::RADIUS)));
        let asks = |(v, k): (usize, usize)| match k {
            4 if v + 1 == i => -parts[0],
            4 if v == i => -parts[1],
            0..=2 if v == i => n[k],
            _ => 0.0,
        };
        for (u, at) in unknowns.iter().enumerate() {
            for (v, to) in unknowns.iter().enumerate() {
                let across = if at.0 == i && to.0 == i && at.1 < 3 && to.1 < 3 {
                    f64::from(u8::from(u == v)) - n[at.1] * n[to.1]
                } else {
                    0.0
                };
                expected[u][v] += c.stiff * asks(*at) * asks(*to) + c.grip * across;
            }
        }
    }
    for u in 0..unknowns.len() {
        for v in 0..unknowns.len() {
            let (got, size) = (with[u][v] - without[u][v], (with[u][u] * with[v][v]).sqrt());
            let error = (got - expected[u][v]).abs() / size;
            assert!(error < 1e-8, "{case:?}: {:?},{:?}: {got} for {}", unknowns[u], unknowns[v], expected[u][v]);
        }
    }
}

/// The same of muscles. Hill's forces lean on a stiffness that is held positive: where it is, the Hessian is the true one.
#[test]
fn a_muscle_is_the_sum_of_its_parts() {
    for muscle in [Some(false), Some(true)] {
        each_case(|case| {
            for length in [1e-4, 0.01, 10.0] {
                (53..58).for_each(|seed| check_volume(Case { length, volume: true, muscle, ..case }, seed));
            }
        });
    }
}

/// The way down and the way back solve the system; where nothing has to do with the scales, the rest of it is that of other rods.
#[test]
fn the_system_with_scales_is_solved() {
    let mut rng = Rng::new(79);
    for model in [RodModel::Der, RodModel::Ghost] {
        let case = Case { model, volume: true, ..PLAIN };
        let (s, mut here) = (settings(case), strand(&mut rng, case));
        let (rhs, band) = here.wide_system(&s);
        let mut g = here.group();
        g.assemble_and_factor(&s, 1.0, 1.0, true, false);
        g.go_back();
        let solution = |g: &Group<f64, 1>| -> Vec<f64> {
            wide_unknowns().map(|(i, k)| if k == 4 { g.wide().at(i, wide::RHS) } else { g.scratch_at(i, RHS + k) }).collect()
        };
        let x = solution(&g);
        for (u, row) in band.iter().enumerate() {
            let (sum, size) = row.iter().zip(&x).fold((0.0, 0.0f64), |(sum, size), (a, x)| (sum + a * x, size + (a * x).abs()));
            assert!((sum - rhs[u]).abs() < 1e-11 * size, "{model:?} {u}: {sum} for {}", rhs[u]);
        }
        // Another right-hand side, with the factors.
        for (u, (i, k)) in wide_unknowns().enumerate() {
            if k == 4 { g.load_scale(i, rhs[u]) } else { g.set_scratch(i, RHS + k, rhs[u]) }
        }
        g.set_scratch(N - 1, RHS + 3, 0.0);
        g.load_scale(N - 1, 0.0);
        g.go_down();
        g.go_back();
        let size = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        assert!(solution(&g).iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-10 * size), "{model:?}");
    }
}
