// The loops of crates/solve/src/rods/group/mod.rs and sweep.rs, one strand an invocation. What is computed is in the generated functions; here are
// memory, order and early outs. Neighbouring invocations are neighbouring lanes of a block, so that a row of 16 lanes is
// one memory transaction.

// Structs and constants are printed from records.rs.

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<uniform> range: Range;
@group(0) @binding(2) var<storage, read> strands: array<Strand>;
@group(0) @binding(3) var<storage, read_write> state: array<f32>;
@group(0) @binding(4) var<storage, read> params: array<f32>;
@group(0) @binding(5) var<storage, read> supports: array<f32>;
@group(0) @binding(6) var<storage, read> pins: array<Pin>;
/// Trees of hulls and meshes, then the colliders of all substeps.
@group(0) @binding(7) var<storage, read> solids: array<vec4<u32>>;
@group(0) @binding(8) var<storage, read_write> report: array<f32>;
@group(0) @binding(9) var<storage, read> forces: array<f32>;

var<private> me: Strand;
/// Where in `report` the strand keeps REPORT_SPIN.
var<private> spin_at: u32;

fn state1(vertex: u32, row: u32) -> f32 {
    return state[(me.offset + vertex * me.width) * STATE_ROWS + row * me.width + me.lane];
}
fn state3(vertex: u32, row: u32) -> vec3<f32> {
    let i = (me.offset + vertex * me.width) * STATE_ROWS + row * me.width + me.lane;
    return vec3<f32>(state[i], state[i + me.width], state[i + 2u * me.width]);
}
fn put(vertex: u32, row: u32, value: f32) {
    state[(me.offset + vertex * me.width) * STATE_ROWS + row * me.width + me.lane] = value;
}
fn put3(vertex: u32, row: u32, v: vec3<f32>) {
    let i = (me.offset + vertex * me.width) * STATE_ROWS + row * me.width + me.lane;
    state[i] = v.x;
    state[i + me.width] = v.y;
    state[i + 2u * me.width] = v.z;
}
fn param(vertex: u32, row: u32) -> f32 {
    return params[(me.offset + vertex * me.width) * PARAM_ROWS + row * me.width + me.lane];
}
fn param3(vertex: u32, row: u32) -> vec3<f32> {
    return vec3<f32>(param(vertex, row), param(vertex, row + 1u), param(vertex, row + 2u));
}
fn support(end: u32, row: u32) -> f32 {
    return supports[end * settings.tip_base + me.strand_offset * SUPPORT_ROWS + row * me.width + me.lane];
}
fn support3(end: u32, row: u32) -> vec3<f32> {
    return vec3<f32>(support(end, row), support(end, row + 1u), support(end, row + 2u));
}
fn support4(end: u32, row: u32) -> vec4<f32> {
    return vec4<f32>(support3(end, row), support(end, row + 3u));
}

fn support_position(end: u32, t: f32) -> vec3<f32> {
    let a = support3(end, SUPPORT_FROM);
    return a + (support3(end, SUPPORT_TO) - a) * t;
}
fn support_frame(end: u32, t: f32) -> EdgeFrame {
    let q = quaternion_nlerp(support4(end, SUPPORT_FROM_ROTATION), support4(end, SUPPORT_TO_ROTATION), t);
    return fixed_frame(quaternion_frame(q));
}

/// The host's moment about edge `i`, N m.
fn moment(i: u32) -> f32 {
    if (settings.forces == 0u) {
        return 0.0;
    }
    return forces[(me.offset + i * me.width) * FORCE_ROWS + me.lane + 3u * me.width];
}

/// The force on its ghost point, across the edge, that has the host's moment about edge `i`; minus half of it is on either end. A
/// Newton step has the angle itself to turn.
fn couple(i: u32) -> vec3<f32> {
    if (settings.forces == 0u || settings.order == DIRECT || i + 1u >= me.vertices) {
        return vec3<f32>();
    }
    let x0 = state3(i, STATE_X);
    let e = state3(i + 1u, STATE_X) - x0;
    let frame = bounded_frame(e, (state3(i, STATE_GX) - x0) - e * 0.5, param(i, PARAM_LENGTH), param(i, PARAM_GHOST));
    return frame.d2 * (moment(i) * frame.inv_h);
}

/// Mass of a vertex with its share of the ghost points, kg; nothing for what the host holds.
fn lumped(i: u32) -> f32 {
    var shared_mass = 0.0;
    if (i > 0u) {
        shared_mass += mass(param(i - 1u, PARAM_WG));
    }
    if (i + 1u < me.vertices) {
        shared_mass += mass(param(i, PARAM_WG));
    }
    return mass(param(i, PARAM_W)) + 0.5 * shared_mass;
}

/// What the host's force adds to the velocity of a vertex. In a Newton step it moves the ghost points' share of the mass, too.
fn push(i: u32, w: f32) -> vec3<f32> {
    if (settings.forces == 0u) {
        return vec3<f32>();
    }
    let at = (me.offset + i * me.width) * FORCE_ROWS + me.lane;
    let pushed = vec3<f32>(forces[at], forces[at + me.width], forces[at + 2u * me.width]) * (w * settings.h);
    return pushed * select(1.0, mass(w) / max(lumped(i), 1e-30), settings.order == DIRECT);
}

/// With gravity, of a vertex that can move.
fn kick(i: u32, w: f32) -> vec3<f32> {
    return push(i, w) + select(vec3<f32>(), settings.gravity * settings.h, 0.0 < w);
}

/// Drag. It comes before gravity: taken from the sum of both, a thread at rest would lose a part of its weight.
fn slow(v: vec3<f32>, w: f32) -> vec3<f32> {
    return select(v, v * settings.drag_keep + settings.wind * settings.drag_take, 0.0 < w);
}

struct Finished {
    u: vec3<f32>,
    limited: bool,
}

/// The speed limit; the displacement. `v`: with the loads; `slowed`: without. A Newton step of rods that do not fly looks at its own length
/// (`limit_step`), and the loads are whole.
fn finish(v: vec3<f32>, slowed: vec3<f32>) -> Finished {
    let u = v * settings.h;
    // A step of second order takes half of the loads off again.
    let loads_whole = settings.order == DIRECT && (!(settings.keep_spin > 0.0) || is_second());
    let own = select(u, slowed * settings.h, loads_whole);
    let u2 = dot(own, own);
    let fast = settings.max_move * settings.max_move < u2;
    let scaled = own * (settings.max_move / sqrt(max(u2, 1e-30)));
    return Finished(select(u, select(scaled, (u - own) + scaled, loads_whole), fast), fast);
}

fn clear_lambda(i: u32) {
    if (settings.order != DIRECT) {
        put(i, STATE_LAMBDA_LENGTH, 0.0);
    }
    put3(i, STATE_LAMBDA_BEND, vec3<f32>());
}

/// Velocities become displacements; host-driven vertices take theirs from the host. True if the speed limit was hit.
fn predict(t: f32) -> bool {
    let hg = settings.gravity * settings.h;
    let last = me.vertices - 1u;
    var limited = false;
    note_velocities();
    var twist0 = couple(0u);
    var w0 = param(0u, PARAM_W);
    var kick0 = kick(0u, w0) - twist0 * (0.5 * w0 * settings.h);
    var v0 = state3(0u, STATE_U);
    var shared0 = 0.0;
    for (var i = 0u; i < last; i++) {
        let w1 = param(i + 1u, PARAM_W);
        let twist1 = couple(i + 1u);
        let kick1 = kick(i + 1u, w1) - (twist0 + twist1) * (0.5 * w1 * settings.h);
        let v1 = state3(i + 1u, STATE_U);
        let w = EdgeWeights(w0, w1, param(i, PARAM_WG));
        // Drag is in the fall that is stored, and not yet in the one that is compared: it acts on the ghost point itself.
        let fall = dot(((v0 + kick0) + (v1 + kick1)) * 0.5, settings.gravity);
        let slowed0 = slow(v0, w0);
        let slowed1 = slow(v1, w1);
        let s0 = slowed0 + kick0;
        let s1 = slowed1 + kick1;
        let fall_slowed = dot((s0 + s1) * 0.5, settings.gravity);
        // A Newton step shares the ghost points' mass itself.
        var part = GravityShare(1.0, 0.0, 0.0);
        if (settings.order != DIRECT) {
            part = gravity_share(fall, state1(i, STATE_FALL), settings.inv_h_gg, w);
        }
        let a = finish(s0 + hg * (shared0 + part.end0), slowed0);
        let slowed = slow(state3(i, STATE_GU), w.wg);
        let g = finish(slowed + hg * part.ghost + twist0 * (w.wg * settings.h), slowed);
        limited = limited || a.limited || g.limited;
        put3(i, STATE_U, a.u);
        put3(i, STATE_GU, g.u);
        if (settings.order != DIRECT) {
            put(i, STATE_FALL, fall_slowed);
        }
        clear_lambda(i);
        w0 = w1;
        v0 = v1;
        kick0 = kick1;
        shared0 = part.end1;
        twist0 = twist1;
    }
    let slowed = slow(v0, w0);
    let b = finish(slowed + kick0 + hg * shared0, slowed);
    put3(last, STATE_U, b.u);
    clear_lambda(last);
    limited = limited || b.limited;

    if (settings.root != FREE) {
        put3(0u, STATE_U, support_position(0u, t) - state3(0u, STATE_X));
    }
    if (settings.tip != FREE) {
        put3(last, STATE_U, support_position(1u, t) - state3(last, STATE_X));
    }
    for (var k = me.first_pin; k < me.end_pin; k++) {
        let pin = pins[k];
        put3(pin.vertex, STATE_U, (pin.start + (pin.end - pin.start) * t) - state3(pin.vertex, STATE_X));
    }
    begin(t);
    if (settings.keep_spin > 0.0) {
        set_spin(spin_at_start());
    }
    return limited;
}

/// Positions are subtracted before displacements are added: far from the origin the differences keep their digits.
fn edge_vector(x0: vec3<f32>, u0: vec3<f32>, x1: vec3<f32>, u1: vec3<f32>) -> vec3<f32> {
    return (x1 - x0) + (u1 - u0);
}
fn ghost_vector(
    x0: vec3<f32>, u0: vec3<f32>, x1: vec3<f32>, u1: vec3<f32>, gx: vec3<f32>, gu: vec3<f32>
) -> vec3<f32> {
    return ((gx - x0) - (x1 - x0) * 0.5) + ((gu - u0) - (u1 - u0) * 0.5);
}

fn edge_rest(i: u32) -> EdgeRest {
    let c = param(i, PARAM_STRETCH);
    let alpha = settings.alpha != 0u;
    return EdgeRest(
        param(i, PARAM_LENGTH), param(i, PARAM_GHOST),
        select(1.0, c, alpha), select(c * settings.inv_h2, 0.0, alpha), 1.0);
}
fn bend_rest(i: u32) -> BendTwistRest {
    let c = param3(i, PARAM_BEND);
    let alpha = settings.alpha != 0u;
    let rest = BendTwistRest(
        param3(i, PARAM_PSI), select(vec3<f32>(1.0), c, alpha), select(c * settings.inv_h2, vec3<f32>(), alpha), 1.0);
    return scaled(i, rest);
}
fn edge_weights(i: u32) -> EdgeWeights {
    return EdgeWeights(param(i, PARAM_W), param(i + 1u, PARAM_W), param(i, PARAM_WG));
}

/// Corrections of an edge's start, end and ghost point.
struct Moves {
    p0: vec3<f32>,
    p1: vec3<f32>,
    pg: vec3<f32>,
}

/// Eq. 23: the element between the support's frame and the first edge.
fn clamp_root(frame: EdgeFrame, w: EdgeWeights, t: f32) -> Moves {
    let none = EdgeWeights(0.0, w.w0, 0.0);
    let r = bend_twist(support_frame(0u, t), frame, none, w, bend_rest(0u), state3(0u, STATE_LAMBDA_BEND));
    put3(0u, STATE_LAMBDA_BEND, r.lambda);
    return Moves(r.shared_, r.b1, r.bg);
}

/// The same at the other end.
fn clamp_tip(frame: EdgeFrame, w: EdgeWeights, t: f32) -> Moves {
    let last = me.vertices - 1u;
    let none = EdgeWeights(w.w1, 0.0, 0.0);
    let r = bend_twist(frame, support_frame(1u, t), w, none, bend_rest(last), state3(last, STATE_LAMBDA_BEND));
    put3(last, STATE_LAMBDA_BEND, r.lambda);
    return Moves(r.a0, r.shared_, r.ag);
}

/// Edge i, then the element that joins it to edge i−1; what both need of the last edge stays in registers.
fn sweep_root_to_tip(t: f32) {
    let edges = me.vertices - 1u;
    var x0 = state3(0u, STATE_X);
    var u0 = state3(0u, STATE_U);
    var w0 = param(0u, PARAM_W);
    var e_before = vec3<f32>();
    var g_before = vec3<f32>();
    var w_before = EdgeWeights();
    for (var i = 0u; i < edges; i++) {
        let x1 = state3(i + 1u, STATE_X);
        var u1 = state3(i + 1u, STATE_U);
        let gx = state3(i, STATE_GX);
        var gu = state3(i, STATE_GU);
        let w = EdgeWeights(w0, param(i + 1u, PARAM_W), param(i, PARAM_WG));
        let q = solve_edge_of(i, edge_vector(x0, u0, x1, u1), ghost_vector(x0, u0, x1, u1, gx, gu), w);
        u0 += q.p0;
        u1 += q.p1;
        gu += q.pg;
        var e = q.e;
        var g = q.g;
        let frame = edge_frame(e, g);
        if (i > 0u) {
            let a = edge_frame(e_before + q.p0, g_before - q.p0 * 0.5);
            let r = bend_twist(a, frame, w_before, w, bend_rest(i), state3(i, STATE_LAMBDA_BEND));
            put3(i, STATE_LAMBDA_BEND, r.lambda);
            put3(i - 1u, STATE_U, state3(i - 1u, STATE_U) + r.a0);
            put3(i - 1u, STATE_GU, state3(i - 1u, STATE_GU) + r.ag);
            u0 += r.shared_;
            u1 += r.b1;
            gu += r.bg;
            e += r.b1 - r.shared_;
            g += r.bg - (r.shared_ + r.b1) * 0.5;
        } else if (settings.root == CLAMPED) {
            let d = clamp_root(frame, w, t);
            u0 += d.p0;
            u1 += d.p1;
            gu += d.pg;
            e += d.p1 - d.p0;
            g += d.pg - (d.p0 + d.p1) * 0.5;
        }
        if (settings.tip == CLAMPED && i + 1u == edges) {
            let d = clamp_tip(edge_frame(e, g), w, t);
            u0 += d.p0;
            u1 += d.p1;
            gu += d.pg;
        }
        put3(i, STATE_U, u0);
        put3(i, STATE_GU, gu);
        e_before = e;
        g_before = g;
        w_before = w;
        x0 = x1;
        u0 = u1;
        w0 = w.w1;
    }
    put3(edges, STATE_U, u0);
}

/// All elements from the tip on, then all edges from the root on.
fn sweep_back(t: f32) {
    let edges = me.vertices - 1u;
    var x1 = state3(edges, STATE_X);
    var u1 = state3(edges, STATE_U);
    var w1 = param(edges, PARAM_W);
    var e_after = vec3<f32>();
    var g_after = vec3<f32>();
    var w_after = EdgeWeights();
    for (var k = 0u; k < edges; k++) {
        let i = edges - 1u - k;
        let x0 = state3(i, STATE_X);
        var u0 = state3(i, STATE_U);
        let gx = state3(i, STATE_GX);
        var gu = state3(i, STATE_GU);
        let w = EdgeWeights(param(i, PARAM_W), w1, param(i, PARAM_WG));
        var e = edge_vector(x0, u0, x1, u1);
        var g = ghost_vector(x0, u0, x1, u1, gx, gu);
        if (k > 0u) {
            let r = bend_twist(
                edge_frame(e, g), edge_frame(e_after, g_after), w, w_after, bend_rest(i + 1u), state3(i + 1u, STATE_LAMBDA_BEND));
            put3(i + 1u, STATE_LAMBDA_BEND, r.lambda);
            put3(i + 2u, STATE_U, state3(i + 2u, STATE_U) + r.b1);
            put3(i + 1u, STATE_GU, state3(i + 1u, STATE_GU) + r.bg);
            u0 += r.a0;
            u1 += r.shared_;
            gu += r.ag;
            e += r.shared_ - r.a0;
            g += r.ag - (r.a0 + r.shared_) * 0.5;
        } else if (settings.tip == CLAMPED) {
            let d = clamp_tip(edge_frame(e, g), w, t);
            u0 += d.p0;
            u1 += d.p1;
            gu += d.pg;
            e += d.p1 - d.p0;
            g += d.pg - (d.p0 + d.p1) * 0.5;
        }
        if (settings.root == CLAMPED && i == 0u) {
            let d = clamp_root(edge_frame(e, g), w, t);
            u0 += d.p0;
            u1 += d.p1;
            gu += d.pg;
        }
        put3(i + 1u, STATE_U, u1);
        put3(i, STATE_GU, gu);
        e_after = e;
        g_after = g;
        w_after = w;
        x1 = x0;
        u1 = u0;
        w1 = w.w0;
    }
    put3(0u, STATE_U, u1);
    for (var i = 0u; i < edges; i++) {
        solve_edge(i);
    }
}

fn edge_vector_of(i: u32) -> vec3<f32> {
    return edge_vector(state3(i, STATE_X), state3(i, STATE_U), state3(i + 1u, STATE_X), state3(i + 1u, STATE_U));
}
fn ghost_vector_of(i: u32) -> vec3<f32> {
    return ghost_vector(
        state3(i, STATE_X), state3(i, STATE_U), state3(i + 1u, STATE_X), state3(i + 1u, STATE_U),
        state3(i, STATE_GX), state3(i, STATE_GU));
}
fn frame_of(i: u32) -> EdgeFrame {
    return edge_frame(edge_vector_of(i), ghost_vector_of(i));
}
/// The three constraints of edge `i`, from and to memory.
fn solve_edge(i: u32) {
    let q = solve_edge_of(i, edge_vector_of(i), ghost_vector_of(i), edge_weights(i));
    put3(i, STATE_U, state3(i, STATE_U) + q.p0);
    put3(i + 1u, STATE_U, state3(i + 1u, STATE_U) + q.p1);
    put3(i, STATE_GU, state3(i, STATE_GU) + q.pg);
}

/// `left`: how many sweeps the substep has after this one.
fn sweep(t: f32, left: u32) {
    if (settings.order == ALTERNATING && left % 2u == 1u) {
        sweep_back(t);
    } else {
        sweep_root_to_tip(t);
    }
}

fn mass(w: f32) -> f32 {
    return select(0.0, 1.0 / max(w, 1e-30), 0.0 < w);
}

/// Displacements become velocities and are added to the positions; then the damping that keeps both momenta, and the speed limit. True if it
/// was hit.
fn finalize() -> bool {
    let went = take_velocities();
    var lost = LostSpin();
    if (settings.keep_spin > 0.0) {
        lost = lost_spin(went);
    }
    let origin = state3(0u, STATE_X) - went.root;
    settle_scales();
    var farthest = 0.0;
    for (var i = 0u; i < me.vertices; i++) {
        note_order(i);
        for (var kind = 0u; kind < 2u; kind++) {
            let free = 0.0 < param(i, w_row(kind));
            let moved = select(state3(i, u_row(kind)), vec3<f32>(), is_second());
            let x = state3(i, x_row(kind)) + (moved + select(vec3<f32>(), lost.moves, free));
            let u = state3(i, u_row(kind)) + select(vec3<f32>(), lost.shift, free);
            let turned = select(vec3<f32>(), cross(lost.turn, (x - origin) - lost.center), 0.0 < param(i, w_row(kind)));
            put3(i, x_row(kind), x);
            put3(i, u_row(kind), (u + turned) / settings.h);
            farthest = max(farthest, dot(u + turned, u + turned));
        }
    }
    finish_scales();
    // Damping makes no point faster than a few times the fastest.
    let near = 0.25 * settings.max_move;
    let fast = near * near < farthest;
    var limited = false;
    if (fast) {
        // Displacements of second order have been limited for themselves.
        limited = limit_speed(!is_second());
    }
    if (settings.damping > 0.0) {
        damp();
        if (fast) {
            _ = limit_speed(false);
        }
    }
    return limited;
}

/// What is faster than the limit, whatever made it so, has that velocity and, if it `moves`, has gone as far as that.
fn limit_speed(moves: bool) -> bool {
    let most2 = settings.max_move * settings.max_move;
    var limited = false;
    for (var i = 0u; i < me.vertices; i++) {
        for (var kind = 0u; kind < 2u; kind++) {
            let v = state3(i, u_row(kind));
            let way = v * settings.h;
            let far = dot(way, way);
            if (most2 < far && 0.0 < param(i, w_row(kind))) {
                let slower = v * (settings.max_move / sqrt(max(far, 1e-30)));
                if (moves) {
                    put3(i, x_row(kind), state3(i, x_row(kind)) + (slower - v) * settings.h);
                }
                put3(i, u_row(kind), slower);
                limited = limited || most2 * (1.0 + 1e-5) < far;
            }
        }
    }
    return limited;
}

/// By the bits: a compiler may assume that there are no NaNs, and infinities are not numbers for us either.
fn is_finite(v: vec3<f32>) -> bool {
    let exponent = bitcast<vec3<u32>>(v) & vec3<u32>(0x7f800000u);
    return all(exponent != vec3<u32>(0x7f800000u));
}

/// Strain, kinks and non-finite numbers at the end of a step.
fn write_report(strand: u32) {
    var strain = 0.0;
    var kinked = false;
    var finite = true;
    var before = EdgeFrame();
    for (var i = 0u; i < me.vertices; i++) {
        let x = state3(i, STATE_X);
        finite = finite && is_finite(x) && is_finite(state3(i, STATE_U)) && is_scale(i);
        if (i + 1u < me.vertices) {
            let x1 = state3(i + 1u, STATE_X);
            let e = x1 - x;
            strain = max(strain, abs(length(e) / max(param(i, PARAM_LENGTH), 1e-12) - 1.0));
            let frame = edge_frame(e, ghost_vector(x, vec3<f32>(), x1, vec3<f32>(), state3(i, STATE_GX), vec3<f32>()));
            let trace = 1.0 + dot(before.d1, frame.d1) + dot(before.d2, frame.d2) + dot(before.d3, frame.d3);
            // 2 + 2 cos 175°
            kinked = kinked || (i > 0u && trace < 0.007610604);
            before = frame;
        }
    }
    let at = strand * REPORT_ROWS;
    report[at + REPORT_STRAIN] = strain;
    report[at + REPORT_NON_FINITE] = f32(!finite);
    report[at + REPORT_KINKED] = f32(kinked);
}

/// The fraction of the step at the end of a substep.
fn time(substep: u32) -> f32 {
    return f32(substep + 1u) / f32(settings.substeps);
}

// The stages of strands, as `stages/mod.rs` lists them. `substep_of_strand`, which calls them in the order of that list, is printed from it.

/// Where the report of the invocation's strand begins.
fn report_at() -> u32 {
    return spin_at - REPORT_SPIN;
}

fn take_strand(strand: u32) {
    me = strands[strand];
    spin_at = strand * REPORT_ROWS + REPORT_SPIN;
}

fn stage_predict(substep: u32) {
    let limited = predict(time(substep));
    let at = report_at() + REPORT_LIMITED;
    report[at] = max(select(0.0, report[at], substep > 0u), f32(limited));
}

fn stage_solve(substep: u32, iteration: u32) {
    solve(substep, iteration == 0u, settings.iterations - 1u - iteration);
}

fn stage_contacts(substep: u32) {
    report[report_at() + REPORT_CONTACTS] = f32(contacts(substep));
}

fn stage_finalize(substep: u32) {
    let limited = finalize();
    let at = report_at() + REPORT_LIMITED;
    report[at] = max(report[at], f32(limited));
}

fn stage_report(substep: u32) {
    write_report(report_at() / REPORT_ROWS);
}

/// Substeps `range.first_substep .. end_substep`, all of each: nothing couples strands, so no pass needs to wait for another
/// strand.
@compute @workgroup_size(32)
fn step_strands(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= settings.strands) {
        return;
    }
    take_strand(id.x);
    for (var substep = range.first_substep; substep < range.end_substep; substep++) {
        substep_of_strand(substep);
    }
}

// The same in single passes, one substep each: for strands so long that a whole substep would outlast the time a system
// gives a dispatch.

@compute @workgroup_size(32)
fn predict_strands(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= settings.strands) {
        return;
    }
    take_strand(id.x);
    stage_predict(range.first_substep);
}

@compute @workgroup_size(32)
fn sweep_strands(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= settings.strands) {
        return;
    }
    take_strand(id.x);
    let first = settings.iterations - range.left - range.iterations;
    for (var k = 0u; k < range.iterations; k++) {
        stage_solve(range.first_substep, first + k);
        stage_contacts(range.first_substep);
    }
}

@compute @workgroup_size(32)
fn finalize_strands(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= settings.strands) {
        return;
    }
    take_strand(id.x);
    stage_finalize(range.first_substep);
    if (range.first_substep + 1u == settings.substeps) {
        stage_report(range.first_substep);
    }
}
