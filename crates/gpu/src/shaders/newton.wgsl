// The loops of crates/solve/src/rods/newton/ and crates/solve/src/rods/der/band.rs in place of the sweeps: one strand an invocation, its banded system in
// `scratch`. `strand.wgsl` calls `begin` when displacements are predicted, and `solve` in every iteration.

@group(0) @binding(10) var<storage, read_write> scratch: array<f32>;

const DER: u32 = 1u;
const TAU: f32 = 6.2831853;

/// A pivot of the true Hessian fell short of its inertia; pivots are held at their inertia.
var<private> indefinite: bool;
var<private> floored: bool;
/// What the rounding of the potential is a part of.
var<private> slack: f32;
/// The state is that between two substeps: the turns of twists are counted anew.
var<private> renews: bool;
/// What is solved for is what differs from where velocities alone would go.
var<private> goes: bool;
/// An element is so stiff that inertia is lost beside it.
var<private> drowned: bool;
/// Its solution with the true Hessian was not taken.
var<private> strayed: bool;
/// The true Hessian is tried first.
var<private> tries: bool;

struct Edge {
    frame: Frame,
    inv_length: f32,
    length: f32,
    /// Its tension by its length.
    pull: f32,
    /// With the tension that counts across the edge.
    stretch: Stretch,
    /// By what its vector is expected to change.
    way: vec3<f32>,
    /// What its elements keep of their stiffness.
    open: f32,
}

struct Strains {
    kappa: vec4<f32>,
    twist: f32,
}

/// Of the direction that was found: minus the gradient along it, and whether its length is to be searched.
struct Slope {
    along: f32,
    wanted: bool,
}

fn scratch_at(i: u32, k: u32) -> u32 {
    return (me.offset + i * me.width) * SCRATCH_ROWS + k * me.width + me.lane;
}
fn scratch1(i: u32, k: u32) -> f32 {
    return scratch[scratch_at(i, k)];
}
fn set_scratch(i: u32, k: u32, v: f32) {
    scratch[scratch_at(i, k)] = v;
}
fn scratch3(i: u32, k: u32) -> vec3<f32> {
    let at = scratch_at(i, k);
    return vec3<f32>(scratch[at], scratch[at + me.width], scratch[at + 2u * me.width]);
}
fn set_scratch3(i: u32, k: u32, v: vec3<f32>) {
    let at = scratch_at(i, k);
    scratch[at] = v.x;
    scratch[at + me.width] = v.y;
    scratch[at + 2u * me.width] = v.z;
}
fn is_der() -> bool {
    return settings.der != 0u;
}
fn is_viscous() -> bool {
    return settings.viscous != 0u;
}
fn as_frame(f: EdgeFrame) -> Frame {
    return Frame(f.d1, f.d2, f.d3);
}
fn held_frame(end: u32, t: f32) -> Frame {
    return as_frame(support_frame(end, t));
}
fn held_edge(frame: Frame) -> Edge {
    return Edge(frame, 0.0, 0.0, 0.0, Stretch(), vec3<f32>(), 1.0);
}

// The banded system. Row r is unknown r mod 4 of vertex r/4. All four rows of a vertex end with the position two vertices on, and no more of them is
// kept: 11, 10, 9 and 8 entries.

/// Where the row of unknown `a` begins.
fn row_begin(a: u32) -> u32 {
    return a * (2u * BAND + 1u - a) / 2u;
}
fn entry_at(row: u32, column: u32) -> u32 {
    return scratch_at(row / 4u, row_begin(row % 4u) + column);
}
fn rhs_at(row: u32) -> u32 {
    return scratch_at(row / 4u, RHS + row % 4u);
}
/// For `band.wgsl`, which looks ten rows ahead.
fn entry_or_0(row: u32, column: u32) -> f32 {
    if (row >= 4u * me.vertices || row % 4u + column >= BAND) {
        return 0.0;
    }
    return scratch[entry_at(row, column)];
}
fn rhs_or_0(row: u32) -> f32 {
    if (row >= 4u * me.vertices) {
        return 0.0;
    }
    return scratch[rhs_at(row)];
}
fn add_entry(i: u32, a: u32, column: u32, v: f32) {
    scratch[scratch_at(i, row_begin(a) + column)] += v;
}
/// Three columns in a row.
fn add3(i: u32, a: u32, column: u32, v: vec3<f32>) {
    let at = scratch_at(i, row_begin(a) + column);
    scratch[at] += v.x;
    scratch[at + me.width] += v.y;
    scratch[at + 2u * me.width] += v.z;
}
/// Blocks of two vertices by rows, which are the columns of `m`.
fn add_diagonal(i: u32, m: mat3x3<f32>) {
    add3(i, 0u, 0u, m[0]);
    add_entry(i, 1u, 0u, m[1].y);
    add_entry(i, 1u, 1u, m[1].z);
    add_entry(i, 2u, 0u, m[2].z);
}
fn add_block(i: u32, after: u32, m: mat3x3<f32>) {
    let column = 4u * after;
    add3(i, 0u, column, m[0]);
    add3(i, 1u, column - 1u, m[1]);
    add3(i, 2u, column - 2u, m[2]);
}
/// Between the position of vertex `i` and the turn `after` edges later.
fn add_turn_after(i: u32, after: u32, v: vec3<f32>) {
    let column = 4u * after + 3u;
    add_entry(i, 0u, column, v.x);
    add_entry(i, 1u, column - 1u, v.y);
    add_entry(i, 2u, column - 2u, v.z);
}
/// Between the turn of edge `i` and the position `after` vertices later.
fn add_turn_before(i: u32, after: u32, v: vec3<f32>) {
    add3(i, 3u, 4u * after - 3u, v);
}
fn pull(i: u32, f: vec3<f32>) {
    set_scratch3(i, RHS, scratch3(i, RHS) + f);
}
fn pull_turn(i: u32, moment: f32) {
    scratch[scratch_at(i, RHS + 3u)] += moment;
}

fn put_stretch(i: u32, edge: Edge, exact: bool) {
    let m = stretch_block(edge.frame.t, edge.inv_length, edge.stretch, select(0.0, 1.0, exact));
    let f = edge.frame.t * edge.pull + m * edge.way;
    pull(i, f);
    pull(i + 1u, -f);
    add_diagonal(i, m);
    add_diagonal(i + 1u, m);
    add_block(i, 1u, -1.0 * m);
}

fn put_element(i: u32, q: Relative, e: Edge, f: Edge, moment: vec3<f32>, h: LocalHessian) {
    var d = element_force(q, moment, e.frame, e.inv_length, f.frame, f.inv_length);
    let w = world_hessian(h, e.frame, e.inv_length, f.frame, f.inv_length);
    let stiff = (w.ee[0].x + w.ee[1].y + w.ee[2].z) + (w.ff[0].x + w.ff[1].y + w.ff[2].z);
    drowned = drowned || scratch1(i, INERTIA) * DROWNED < stiff;
    if (goes) {
        d.e += w.ee * e.way + f.way * w.ef;
        d.f += w.ef * e.way + w.ff * f.way;
        d.turn_e += dot(w.e_angles[0], e.way) + dot(w.f_angles[0], f.way);
        d.turn_f += dot(w.e_angles[1], e.way) + dot(w.f_angles[1], f.way);
    }
    pull(i - 1u, d.e);
    pull(i, d.f - d.e);
    pull(i + 1u, -d.f);
    pull_turn(i - 1u, -d.turn_e);
    pull_turn(i, -d.turn_f);
    add_diagonal(i - 1u, w.ee);
    add_block(i - 1u, 1u, w.ef - w.ee);
    add_block(i - 1u, 2u, -1.0 * w.ef);
    add_diagonal(i, (w.ee + w.ff) - (w.ef + transpose(w.ef)));
    add_block(i, 1u, w.ef - w.ff);
    add_diagonal(i + 1u, w.ff);
    add_turn_after(i - 1u, 0u, -w.e_angles[0]);
    add_turn_before(i - 1u, 1u, w.e_angles[0] - w.f_angles[0]);
    add_turn_before(i - 1u, 2u, w.f_angles[0]);
    add_turn_after(i - 1u, 1u, -w.e_angles[1]);
    add_turn_after(i, 0u, w.e_angles[1] - w.f_angles[1]);
    add_turn_before(i, 1u, w.f_angles[1]);
    add_entry(i - 1u, 3u, 0u, w.angles.x);
    add_entry(i - 1u, 3u, 4u, w.angles.y);
    add_entry(i, 3u, 0u, w.angles.z);
}

/// The half element between a support's frame and the edge at vertex `i`; `root` tells which of both is held, `exact` whether its Hessian shall
/// be the true one.
fn put_held(i: u32, e: Edge, f: Edge, rest: ElementRest, root: bool, exact: bool) {
    let q = relative(e.frame, f.frame);
    put_held_scaling(i, q, rest, e, f, root);
    let element = darboux_element(q, darboux(q), rest);
    let d = element_force(q, element.moment, e.frame, e.inv_length, f.frame, f.inv_length);
    var h = safe_hessian(q, element);
    if (exact) {
        h = true_hessian(q, element);
    }
    let w = world_hessian(h, e.frame, e.inv_length, f.frame, f.inv_length);
    var at = i - 1u;
    var force = d.e;
    var moment = d.turn_e;
    var m = w.ee;
    var a = w.e_angles[0];
    var turn = w.angles.x;
    if (root) {
        at = i;
        force = d.f;
        moment = d.turn_f;
        m = w.ff;
        a = w.f_angles[1];
        turn = w.angles.z;
    }
    // The frame that is held goes nowhere.
    let way = e.way + f.way;
    force += m * way;
    moment += dot(a, way);
    pull(at, force);
    pull(at + 1u, -force);
    pull_turn(at, -moment);
    add_diagonal(at, m);
    add_block(at, 1u, -1.0 * m);
    add_diagonal(at + 1u, m);
    add_turn_after(at, 0u, -a);
    add_turn_before(at, 1u, a);
    add_entry(at, 3u, 0u, turn);
}

fn pivot(row: u32, d: f32) -> f32 {
    let inertia = scratch1(row / 4u, INERTIA + u32(row % 4u == 3u));
    if (floored) {
        return max(d, inertia);
    }
    let bad = d < inertia * INDEFINITE;
    indefinite = indefinite || bad;
    return select(d, inertia, bad);
}

/// Where velocities alone would take the vertices, without loads, and without what would stretch the edges (`Group::note_ways`).
fn note_ways() {
    var before: vec3<f32>;
    var on: vec3<f32>;
    for (var i = 0u; i < me.vertices; i++) {
        let there = scratch3(i, COAST) - loads_of(i) * part_of_loads(i);
        if (i > 0u) {
            let e = state3(i, STATE_X) - state3(i - 1u, STATE_X);
            let d = there - before;
            on += d - e * (dot(e, d) / max(dot(e, e), 1e-30));
        } else {
            on = there;
        }
        // What the host holds goes where it is held.
        let held_here = !(scratch1(i, INERTIA) < HELD);
        on = select(on, scratch3(i, COAST), held_here);
        before = select(there, scratch3(i, COAST), held_here);
        put3(i, STATE_LAMBDA_BEND, on);
    }
}
/// The part of the step of vertex `i` that is not solved for.
fn way(i: u32) -> vec3<f32> {
    if (!goes) {
        return vec3<f32>();
    }
    return state3(i, STATE_LAMBDA_BEND);
}

/// Where a Newton step starts, h times the angular momentum about where the root was: from where inertia would go and the host's moments
/// turn it. Its ghost points stand for sections that are balanced about the axis: they weigh in its ends, and turn about it.
fn spin_at_start() -> vec3<f32> {
    let origin = state3(0u, STATE_X);
    var sum = vec3<f32>();
    // In second order the center does not go with all of the loads.
    var mass_all = 0.0;
    var goes_to = vec3<f32>();
    var momentum = vec3<f32>();
    for (var i = 0u; i < me.vertices; i++) {
        let x = state3(i, STATE_X);
        let u = coast_of_all_loads(i);
        let m = lumped(i);
        sum += cross(x - origin, u) * m;
        mass_all += m;
        goes_to += scratch3(i, COAST) * m;
        momentum += u * m;
        if (i + 1u < me.vertices) {
            let e = state3(i + 1u, STATE_X) - x;
            let ghost = param(i, PARAM_GHOST);
            let turns = mass(param(i, PARAM_WG)) * ghost * ghost * scratch1(i, COAST + 3u) + moment(i) * h2();
            sum += e * (turns / sqrt(max(dot(e, e), 1e-18)));
        }
    }
    return sum + cross(goes_to, momentum) * (1.0 / max(mass_all, 1e-30));
}

/// Mass of a vertex; of its ghost point, which is none here.
fn mass_of(i: u32, kind: u32) -> f32 {
    return select(0.0, lumped(i), kind == 0u);
}

/// How far a vertex is behind where inertia would go.
fn behind_of(i: u32) -> vec3<f32> {
    return coast_of_all_loads(i) - state3(i, STATE_U);
}

fn most_turn() -> f32 {
    return NEWTON_TURN;
}

/// The section of edge `i`.
fn turning(i: u32) -> Turning {
    if (i + 1u >= me.vertices) {
        return Turning();
    }
    let x0 = state3(i, STATE_X);
    let x1 = state3(i + 1u, STATE_X);
    let u0 = state3(i, STATE_U);
    let u1 = state3(i + 1u, STATE_U);
    let e = edge_vector(x0, ahead(u0), x1, ahead(u1));
    let g = ghost_vector(x0, ahead(u0), x1, ahead(u1), state3(i, STATE_GX), ahead(state3(i, STATE_GU)));
    let axis = e * (1.0 / sqrt(max(dot(e, e), 1e-18)));
    let k = mass(param(i, PARAM_WG));
    return Turning(axis, dot(g, g) * k, dot(axis, cross(g, state3(i, STATE_GU) - (u0 + u1) * 0.5)) * k);
}

fn h2() -> f32 {
    return settings.h * settings.h;
}

/// What an edge's elements keep of their stiffness, below half of its rest length.
fn open_of(length: f32, rest: f32) -> f32 {
    let open = min(length / max(rest * HALF, NOTHING), 1.0);
    return open * open;
}

/// Edge `i` where it is now. Viscosity draws it to its length when the substep began, too.
fn edge_now(i: u32) -> Edge {
    let f = frame_of(i);
    let length = 1.0 / f.inv_len;
    var towards = param(i, PARAM_LENGTH);
    let stiffness = 1.0 / max(param(i, PARAM_STRETCH), NOTHING);
    var k = stiffness;
    if (is_viscous()) {
        let ratio = param(i, PARAM_VISCOUS);
        towards = (towards + ratio * scratch1(i, START)) / (1.0 + ratio);
        k *= 1.0 + ratio;
    }
    var stretched = stretch_of(i, length, towards, k);
    let by_length = stretched.tension;
    if (settings.search == 0u) {
        let asked = state1(i, STATE_LAMBDA_LENGTH) * -settings.inv_h2;
        let most = stiffness * param(i, PARAM_LENGTH) * TURNED;
        stretched.tension = by_length - clamp(by_length - asked, -most, most);
    }
    return Edge(
        as_frame(f), f.inv_len, length, by_length, stretched, vec3<f32>(), open_of(length, param(i, PARAM_LENGTH)));
}

/// Rest and stiffness of the element at vertex `i`, of which its edges leave the part `open`.
fn element_rest(i: u32, open: f32) -> ElementRest {
    let rest = param3(i, PARAM_PSI);
    let k = vec3<f32>(open) / max(param3(i, PARAM_BEND), vec3<f32>(NOTHING));
    var r = ElementRest(vec4<f32>(rest.xy, 0.0, 0.0), rest.z, vec4<f32>(k.xy, 0.0, 0.0), k.z);
    if (is_der()) {
        let at = settings.kappa_base + (me.offset + i * me.width) * KAPPA_ROWS + me.lane;
        let a = k.y * 0.5;
        let b = k.x * 0.5;
        r.kappa = vec4<f32>(rest.x, rest.y, params[at], params[at + me.width]);
        r.bend = vec4<f32>(a, b, a, b);
    }
    if (is_viscous()) {
        let by = param(i, PARAM_VISCOUS + 1u);
        let z = param(i, PARAM_VISCOUS + 2u);
        // Of ghost-point rods two are strains.
        let bent = select(vec4<f32>(by, by, 0.0, 0.0), vec4<f32>(by), is_der());
        let began = vec4<f32>(scratch3(i, START + 1u), scratch1(i, START + 4u));
        r.kappa = (r.kappa + bent * began) / (1.0 + bent);
        r.bend *= 1.0 + bent;
        r.twist = (r.twist + z * scratch1(i, START + 5u)) / (1.0 + z);
        r.turn *= 1.0 + z;
    }
    return scaled_rest(i, r);
}

/// The twist of the element at vertex `i` with its turns: those that it had when the substep began. Where that began (`renews`), an element
/// that is folded by 169° or has turned by a quarter since keeps no count: it takes the turns that leave the least twist.
fn counted(i: u32, m: f32, q: Relative) -> f32 {
    let before = state1(i, STATE_TWIST);
    let kept = m + round((before - m) / TAU) * TAU;
    if (!renews || (abs(kept - before) < 0.25 * TAU && FOLDED - 1.0 < q.rows[2].z)) {
        return kept;
    }
    return m + round((param(i, PARAM_PSI + 2u) - m) / TAU) * TAU;
}

/// The strains of the element at vertex `i`. The twist of discrete elastic rods goes on counting from where it was.
fn strains(i: u32, q: Relative) -> Strains {
    if (is_der()) {
        return Strains(curvature(q), counted(i, principal_twist(q), q));
    }
    let psi = darboux(q);
    return Strains(vec4<f32>(psi.xy, 0.0, 0.0), psi.z);
}

/// Beyond 169° an element loses stiffness as its curvature gains slope.
fn folded(q: Relative, rest: ElementRest) -> ElementRest {
    let open = clamp((1.0 + q.rows[2].z) / FOLDED, 0.0, 1.0);
    return ElementRest(rest.kappa, rest.twist, rest.bend * (open * open), rest.turn * (open * open));
}

fn element_of(q: Relative, now: Strains, rest: ElementRest) -> Element {
    if (is_der()) {
        return curvature_element(q, now.kappa, now.twist, folded(q, rest));
    }
    return darboux_element(q, vec3<f32>(now.kappa.xy, now.twist), rest);
}

/// The frame of edge `i` when the substep began.
fn frame_before(i: u32) -> Frame {
    let x0 = state3(i, STATE_X);
    let e = state3(i + 1u, STATE_X) - x0;
    return as_frame(edge_frame(e, (state3(i, STATE_GX) - x0) - e * 0.5));
}

/// The displacement `u` of a vertex, or where the host holds it that of one that is let go at the host's velocity.
fn unheld(u: vec3<f32>, w: f32) -> vec3<f32> {
    let added = (settings.gravity * settings.h + settings.wind * settings.drag_take) * settings.h;
    return select(u * settings.drag_keep + added, u, 0.0 < w);
}

/// Where inertia alone would go, and the host takes what it holds, from what `predict` left.
fn begin(t: f32) {
    report[report_at() + REPORT_HELD] = 0.0;
    renews = true;
    let inv_h2 = settings.inv_h2;
    for (var i = 0u; i < me.vertices; i++) {
        let w = param(i, PARAM_W);
        let u = state3(i, STATE_U);
        let edge = i + 1u < me.vertices;
        if (edge) {
            let next = param(i + 1u, PARAM_W);
            let pushed = (push(i, w) + push(i + 1u, next)) * (0.5 * settings.h);
            let middle = (unheld(u, w) + unheld(state3(i + 1u, STATE_U), next)) * 0.5 - pushed;
            let d2 = frame_before(i).m2;
            let against = state3(i, STATE_GU) - middle;
            let turn = dot(d2, against);
            let ghost = param(i, PARAM_GHOST);
            set_scratch(i, COAST + 3u, turn / max(ghost, 1e-9));
            var inertia = mass(param(i, PARAM_WG)) * ghost * ghost * inv_h2;
            if (is_der()) {
                let compliance = min(max(param(i, PARAM_BEND + 2u), NOTHING), max(param(i + 1u, PARAM_BEND + 2u), NOTHING));
                inertia = max(inertia, RIGID * (1.0 / compliance));
            }
            set_scratch(i, INERTIA + 1u, inertia);
            put3(i, STATE_GU, vec3<f32>());
        } else {
            set_scratch(i, COAST + 3u, 0.0);
            set_scratch(i, INERTIA + 1u, HELD);
        }
        let all = lumped(i);
        // In second order `predict` has left h v there.
        let before_it = scratch3(i, COAST);
        set_scratch3(i, COAST, u);
        set_scratch(i, INERTIA, select(HELD, all * inv_h2, 0.0 < w));
        if (is_second()) {
            start_second(i, before_it);
        }
        start_scale(i);
    }
    if (is_der()) {
        if (settings.root == CLAMPED) {
            clamp_edge(0u, held_frame(0u, t), true);
        }
        if (settings.tip == CLAMPED) {
            clamp_edge(me.vertices - 2u, held_frame(1u, t), false);
        }
    }
    for (var i = 0u; i < me.vertices; i++) {
        put3(i, STATE_U, vec3<f32>());
    }
    if (is_viscous()) {
        keep_strains(t - settings.part);
    }
}

/// Lengths and strains when the substep began, which viscosity draws to; those of a clamp's half element with the clamp as it was then.
fn keep_strains(began: f32) {
    let root = settings.root == CLAMPED && !is_der();
    var before: Frame;
    if (root) {
        before = held_frame(0u, began);
    }
    for (var i = 0u; i + 1u < me.vertices; i++) {
        let f = frame_of(i);
        set_scratch(i, START, 1.0 / f.inv_len);
        let frame = as_frame(f);
        keep_strain(i, before, frame, i > 0u || root);
        before = frame;
    }
    if (settings.tip == CLAMPED && !is_der()) {
        keep_strain(me.vertices - 1u, before, held_frame(1u, began), true);
    }
}
fn keep_strain(i: u32, a: Frame, b: Frame, on: bool) {
    var now = Strains();
    if (on) {
        now = scaled_strains(i, strains(i, relative(a, b)));
    }
    set_scratch3(i, START + 1u, now.kappa.xyz);
    set_scratch(i, START + 4u, now.kappa.w);
    set_scratch(i, START + 5u, now.twist);
}

/// Edge `i` goes where the host's frame is. `from_start`: the edge's start is the held vertex.
fn clamp_edge(i: u32, to: Frame, from_start: bool) {
    let at = select(i + 1u, i, from_start);
    let far = select(i, i + 1u, from_start);
    let along = to.t * param(i, PARAM_LENGTH);
    let is_at = state3(far, STATE_X);
    let x = (state3(at, STATE_X) - is_at) + scratch3(at, COAST);
    // As far as positions can tell (`whole_steps`).
    let u = select(x - along, x + along, from_start);
    let moves = abs((is_at + u * MOVES) - is_at) > vec3<f32>();
    set_scratch3(far, COAST, select(vec3<f32>(), (is_at + u) - is_at, moves));
    set_scratch(i, COAST + 3u, frame_turn_to(frame_before(i), to));
    set_scratch(i, INERTIA + 1u, HELD);
}

/// The inertial part of the potential at vertex `i`.
fn inertial(i: u32) -> f32 {
    let m = scratch1(i, INERTIA);
    let d = scratch3(i, COAST) - state3(i, STATE_U);
    let j = scratch1(i, INERTIA + 1u);
    let turn = scratch1(i, COAST + 3u);
    let all = select(0.0, 0.5 * m * dot(d, d), m < HELD) + select(0.0, (0.5 * j * turn + moment(i)) * turn, j < HELD);
    return scale_energy(i, all);
}

/// The rows of a vertex with its inertia alone, beyond where it is expected to go, and with the host's moment on the right.
fn clear_rows(i: u32) {
    clear_band(i);
    let d = scratch1(i, INERTIA);
    set_scratch(i, 0u, d);
    set_scratch(i, row_begin(1u), d);
    set_scratch(i, row_begin(2u), d);
    set_scratch3(i, RHS, (scratch3(i, COAST) - (state3(i, STATE_U) + way(i))) * d);
    let turn = scratch1(i, INERTIA + 1u);
    set_scratch(i, row_begin(3u), turn);
    set_scratch(i, RHS + 3u, turn * scratch1(i, COAST + 3u) + moment(i));
    clear_scale(i);
}

/// Band, minus the gradient, and the incremental potential of discrete elastic rods without what is held. The rows of a vertex are cleared just before
/// the first edge writes to them: so they come from memory and go there once, not twice.
fn assemble(t: f32, exact: bool, revised: bool) -> f32 {
    var energy = 0.0;
    slack = 0.0;
    if (settings.search != 0u) {
        for (var i = 0u; i < me.vertices; i++) {
            energy += inertial(i);
        }
    }
    clear_rows(0u);
    var before: Edge;
    for (var i = 0u; i + 1u < me.vertices; i++) {
        clear_rows(i + 1u);
        var edge = edge_now(i);
        if (goes) {
            edge.way = way(i + 1u) - way(i);
        }
        energy += edge.stretch.energy;
        slack += abs(edge.pull) * edge.length;
        put_stretch(i, edge, exact);
        energy = put_volume(i, edge, exact, energy);
        if (i > 0u) {
            let q = relative(before.frame, edge.frame);
            let rest = element_rest(i, min(edge.open, before.open));
            let now = strains(i, q);
            if (is_der() && renews) {
                put(i, STATE_TWIST, now.twist);
            }
            let element = element_of(q, now, rest);
            energy += element.energy;
            slack += dot(abs(element.moment), vec3<f32>(1.0));
            var safe = !tries;
            var h: LocalHessian;
            if (!safe) {
                h = true_hessian(q, element);
                safe = !exact && !(0.0 < leaning_pivot(h, before.length, before.stretch, edge.length, edge.stretch));
            }
            if (safe) {
                h = safe_hessian(q, element);
            }
            put_element(i, q, before, edge, element.moment, h);
            put_scaling(i, q, now, rest, before, edge, exact);
        }
        if (!is_der() && settings.root == CLAMPED && i == 0u) {
            put_held(0u, held_edge(held_frame(0u, t)), edge, element_rest(0u, edge.open), true, exact);
        }
        if (!is_der() && settings.tip == CLAMPED && i + 2u == me.vertices) {
            put_held(i + 1u, edge, held_edge(held_frame(1u, t)), element_rest(i + 1u, edge.open), false, exact);
        }
        before = edge;
    }
    if (near) {
        energy += close_contacts(revised);
    }
    if (settings.search != 0u) {
        // What the slope of the potential needs after the system has been solved; multipliers come last.
        for (var i = 0u; i < me.vertices; i++) {
            put(i, STATE_LAMBDA_LENGTH, scratch1(i, RHS));
            put3(i, STATE_LAMBDA_LENGTH + 1u, scratch3(i, RHS + 1u));
            keep_growth_slope(i);
        }
    }
    return energy;
}

/// Whether the solution turns an edge by more than atan TURN.
fn turns_far() -> bool {
    var far = false;
    var before = scratch3(0u, RHS) + way(0u);
    for (var i = 0u; i + 1u < me.vertices; i++) {
        let next = scratch3(i + 1u, RHS) + way(i + 1u);
        let d = next - before;
        let most = param(i, PARAM_LENGTH) * TURN;
        far = far || !(dot(d, d) < most * most);
        before = next;
    }
    return far;
}

/// A step that moves a vertex farther than the speed limit allows is shortened as a whole; one that is not a number is not taken.
fn limit_step() {
    var largest = 0.0;
    var steepest = 0.0;
    var sum = 0.0;
    var finite = true;
    for (var i = 0u; i < me.vertices; i++) {
        let d = scratch3(i, RHS);
        let turn = scratch1(i, RHS + 3u);
        let grown = growth_found(i);
        finite = finite && is_finite(d) && is_finite(vec3<f32>(turn, grown, 0.0));
        largest = max(largest, dot(d, d));
        sum += dot(d, d) + turn * turn + grown * grown;
        if (near && i + 1u < me.vertices) {
            let across = (scratch3(i + 1u, RHS) - d) / param(i, PARAM_LENGTH);
            steepest = max(steepest, dot(across, across));
        }
    }
    let taken = finite && sum < HELD;
    let turned = select(1.0, min(TURN / sqrt(max(steepest, 1e-30)), 1.0), held);
    let slowed = min(settings.max_move / sqrt(max(largest, 1e-30)), 1.0);
    let scale = min(slowed, turned);
    if (!taken || slowed < 1.0) {
        report[report_at() + REPORT_LIMITED] = 1.0;
    }
    for (var i = 0u; i < me.vertices; i++) {
        set_scratch3(i, RHS, select(vec3<f32>(), scratch3(i, RHS) * scale, taken));
        set_scratch(i, RHS + 3u, select(0.0, scratch1(i, RHS + 3u) * scale, taken));
        shorten_growth(i, scale, taken);
        if (!taken || scale < 1.0) {
            restart(i);
        }
    }
}

/// Keeps what `advance` starts from. Returns what the search wants to know of the direction.
fn keep_start() -> Slope {
    var along = 0.0;
    var driven = 0.0;
    for (var i = 0u; i < me.vertices; i++) {
        if (i + 1u < me.vertices) {
            let edge = edge_now(i);
            set_scratch3(i, KEPT, edge.frame.m1);
            set_scratch3(i, KEPT + 3u, edge.frame.t);
            if (settings.search == 0u) {
                let longer = dot(edge.frame.t, scratch3(i + 1u, RHS) - scratch3(i, RHS));
                put(i, STATE_LAMBDA_LENGTH, asked(i, edge, longer) * -h2());
            }
        }
        set_scratch3(i, KEPT + 6u, state3(i, STATE_U));
        set_scratch(i, KEPT + 9u, scratch1(i, COAST + 3u));
        along = keep_growth(i, along);
        if (settings.search != 0u) {
            let d = scratch3(i, RHS);
            let turn = scratch1(i, RHS + 3u);
            if (scratch1(i, INERTIA) < HELD) {
                along += dot(state3(i, STATE_LAMBDA_LENGTH), d);
            } else {
                driven += dot(d, d);
            }
            if (scratch1(i, INERTIA + 1u) < HELD) {
                along += state1(i, STATE_LAMBDA_LENGTH + 3u) * turn;
            } else {
                driven += turn * turn;
            }
        }
    }
    return Slope(along, !(0.0 < driven));
}

/// Moves everything by `step` times the solution from where it was kept; ghost points go where their edges' frames put them.
fn advance(step: f32) {
    for (var i = 0u; i < me.vertices; i++) {
        put3(i, STATE_U, scratch3(i, KEPT + 6u) + scratch3(i, RHS) * step);
        if (i + 1u < me.vertices) {
            grow(i, step);
        }
    }
    for (var i = 0u; i + 1u < me.vertices; i++) {
        let m1 = scratch3(i, KEPT);
        let t = scratch3(i, KEPT + 3u);
        let turn = scratch1(i, RHS + 3u) * step;
        set_scratch(i, COAST + 3u, scratch1(i, KEPT + 9u) - turn);
        let x0 = state3(i, STATE_X);
        let x1 = state3(i + 1u, STATE_X);
        let u0 = state3(i, STATE_U);
        let u1 = state3(i + 1u, STATE_U);
        let e = edge_vector(x0, u0, x1, u1);
        let length = sqrt(max(dot(e, e), 1e-18));
        let new_frame = frame_moved(Frame(m1, cross(t, m1), t), e * (1.0 / length), turn);
        // From the midpoint, the displacements last: far from the origin the differences keep their digits.
        let arm = ((x0 - state3(i, STATE_GX)) + (x1 - x0) * 0.5) + new_frame.m1 * param(i, PARAM_GHOST);
        put3(i, STATE_GU, (u0 + u1) * 0.5 + arm);
    }
}

/// The incremental potential of discrete elastic rods where they are now, without what is held.
fn potential() -> f32 {
    var sum = inertial(me.vertices - 1u) + contact_energy(me.vertices - 1u);
    var before: Edge;
    for (var i = 0u; i + 1u < me.vertices; i++) {
        let edge = edge_now(i);
        sum += inertial(i) + contact_energy(i) + edge.stretch.energy;
        sum = spread_energy(i, sum);
        if (i > 0u) {
            let rest = element_rest(i, min(edge.open, before.open));
            let q = relative(before.frame, edge.frame);
            let now = strains(i, q);
            let soft = folded(q, rest);
            let m = now.twist - rest.twist;
            let d = now.kappa - rest.kappa;
            sum += 0.5 * (soft.turn * m * m + dot(soft.bend, d * d));
        }
        before = edge;
    }
    return sum;
}

/// Multipliers of the new strains, λ = −h² × force, and the twist that is counted on from.
fn note_strains(t: f32) {
    renews = true;
    put3(0u, STATE_LAMBDA_BEND, vec3<f32>());
    var before: Edge;
    for (var i = 0u; i + 1u < me.vertices; i++) {
        let edge = edge_now(i);
        if (settings.search != 0u) {
            put(i, STATE_LAMBDA_LENGTH, -edge.pull * h2());
        }
        if (i > 0u) {
            let rest = element_rest(i, min(edge.open, before.open));
            note_moment(i, before.frame, edge.frame, rest);
        }
        if (!is_der() && i == 0u && settings.root == CLAMPED) {
            note_moment(0u, held_frame(0u, t), edge.frame, element_rest(0u, edge.open));
        }
        if (!is_der() && i + 2u == me.vertices && settings.tip == CLAMPED) {
            note_moment(i + 1u, edge.frame, held_frame(1u, t), element_rest(i + 1u, edge.open));
        }
        before = edge;
    }
}
fn note_moment(i: u32, e: Frame, f: Frame, rest: ElementRest) {
    let q = relative(e, f);
    let now = strains(i, q);
    var moment: vec3<f32>;
    if (is_der()) {
        put(i, STATE_TWIST, now.twist);
        moment = element_of(q, now, rest).moment;
    } else {
        moment = vec3<f32>(rest.bend.xy * (now.kappa.xy - rest.kappa.xy), rest.turn * (now.twist - rest.twist));
    }
    put3(i, STATE_LAMBDA_BEND, moment * -h2());
}

/// One Newton step over the whole strand. The true Hessian of discrete elastic rods, and of ghost-point rods of second order that no collider
/// touches and that do not start anew, is tried first; where it is indefinite, the strand is assembled again with elements that are not.
fn solve(substep: u32, first: bool, left: u32) {
    let t = time(substep);
    renews = first;
    find_contacts(substep, first);
    var energy = 0.0;
    // Once, twice where contacts had to be revised, and each up to three times where the Hessian is indefinite or turns edges too far: loops call
    // what compilers would inline at each place.
    var revised = false;
    loop {
        indefinite = false;
        tries = is_der() || (is_second() && !starts() && !touching());
        if (!revised || is_der()) {
            floored = !tries;
            strayed = false;
        }
        // Contacts are guessed from all of the right-hand side.
        goes = first && settings.search == 0u;
        for (var i = 0u; near && goes && i < me.vertices; i++) {
            goes = !is_near(i);
        }
        if (goes) {
            note_ways();
        }
        var again = true;
        var doubts = settings.search == 0u;
        loop {
            drowned = false;
            energy = assemble(t, !floored, revised);
            factor();
            let bad = !floored && indefinite;
            if (again && (bad || (goes && drowned))) {
                again = false;
                floored = floored || bad;
                // What has been factored is not what the elements say.
                goes = goes && !drowned;
                continue;
            }
            substitute();
            if (floored || !doubts || !turns_far()) {
                break;
            }
            again = false;
            doubts = false;
            floored = true;
            strayed = true;
        }
        for (var i = 0u; goes && i < me.vertices; i++) {
            set_scratch3(i, RHS, scratch3(i, RHS) + way(i));
        }
        // Multipliers again.
        for (var i = 0u; first && settings.search == 0u && i < me.vertices; i++) {
            put3(i, STATE_LAMBDA_BEND, vec3<f32>());
        }
        if (!near || revised || !revise_contacts(substep)) {
            break;
        }
        revised = true;
    }
    renews = false;
    if (near) {
        mark_held();
    }
    // What has been factored there is not the derivative of the forces: f32 has lost some of it, or the model's own form stands in its place.
    if (drowned || strayed) {
        restart_all();
    }
    limit_step();
    let slope = keep_start();
    slack = abs(energy) * SLACK + slack * ROUNDING;
    var step = 1.0;
    for (var k = 0u; k <= LONGEST_SEARCH; k++) {
        advance(step);
        if (settings.search == 0u || !slope.wanted) {
            break;
        }
        // A NaN energy is no progress either.
        if (potential() < energy - 1e-4 * step * slope.along + slack) {
            break;
        }
        step *= 0.5;
    }
    if (near) {
        settle_contacts();
    }
    // Nothing but the host looks at the multipliers, after the step.
    if (left == 0u && substep + 1u == settings.substeps) {
        note_strains(t);
    }
}
