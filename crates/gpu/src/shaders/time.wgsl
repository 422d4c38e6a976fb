// Second order in time: crates/solve/src/rods/newton/time.rs. Its rows follow those of the state in the buffer.

fn is_second() -> bool {
    return settings.second_base != 0u;
}
fn second_at(i: u32, row: u32) -> u32 {
    return settings.second_base + (me.offset + i * me.width) * SECOND_ROWS + row * me.width + me.lane;
}
fn accel(i: u32) -> vec3<f32> {
    let at = second_at(i, SECOND_ACCEL);
    return vec3<f32>(state[at], state[at + me.width], state[at + 2u * me.width]);
}
fn set_accel(i: u32, v: vec3<f32>) {
    let at = second_at(i, SECOND_ACCEL);
    state[at] = v.x;
    state[at + me.width] = v.y;
    state[at + 2u * me.width] = v.z;
}
fn order_of(i: u32) -> f32 {
    return state[second_at(i, SECOND_ORDER)];
}
fn set_order(i: u32, order: f32) {
    state[second_at(i, SECOND_ORDER)] = order;
}
/// Whether vertex `i` takes a step of second order, in rods that are.
fn is_second_at(i: u32) -> bool {
    return 0.5 < order_of(i);
}

/// Whether no vertex does: such a substep takes the model's own form.
fn starts() -> bool {
    for (var i = 0u; i < me.vertices; i++) {
        if (is_second_at(i)) {
            return false;
        }
    }
    return true;
}

/// What gravity, wind and the host's force add to the displacement of a step of implicit Euler, m. Drag takes its part of h v beside them.
fn loads_of(i: u32) -> vec3<f32> {
    let fall = (settings.gravity * settings.h + settings.wind * settings.drag_take) * settings.h;
    return fall + push(i, param(i, PARAM_W)) * settings.h;
}
/// How much of them is in where inertia would go: half in a step of second order.
fn part_of_loads(i: u32) -> f32 {
    if (!is_second()) {
        return 1.0;
    }
    return select(1.0, 0.5, is_second_at(i));
}
/// Where inertia would go with all of the loads and all of drag: h times the velocity that it would come to.
fn coast_of_all_loads(i: u32) -> vec3<f32> {
    let coast = scratch3(i, COAST);
    if (!is_second() || !is_second_at(i)) {
        return coast;
    }
    // From c = ½ (1 + keep) h v + ½ loads to keep h v + loads.
    let kept = 2.0 * settings.drag_keep / (1.0 + settings.drag_keep);
    return coast * kept + loads_of(i) * (1.0 - 0.5 * kept);
}

/// h v of vertex `i` when the substep began, from where inertia, the host's forces, gravity and drag would take it.
fn moved_before(i: u32) -> vec3<f32> {
    let part = part_of_loads(i);
    return (scratch3(i, COAST) - loads_of(i) * part) / (1.0 - part + part * settings.drag_keep);
}

/// h v of all vertices, for `start_second`.
fn note_velocities() {
    if (is_second()) {
        for (var i = 0u; i < me.vertices; i++) {
            set_scratch3(i, COAST, state3(i, STATE_U) * settings.h);
        }
    }
}

/// Vertex `i` begins a substep, from where inertia would go in one of implicit Euler. `before`: h v. What the speed limit slows takes one of these.
fn start_second(i: u32, before: vec3<f32>) {
    let inertia = scratch1(i, INERTIA);
    let free = inertia < HELD;
    let slowed = before * settings.drag_keep + settings.wind * (settings.h * settings.drag_take);
    let fast = settings.max_move * settings.max_move < dot(slowed, slowed);
    let order = select(-1.0, select(order_of(i), 0.0, fast), free);
    let on = select(0.0, 1.0, 0.5 < order);
    let coast = scratch3(i, COAST);
    let loads = loads_of(i) - before * settings.drag_take;
    set_accel(i, accel(i) * (h2() * 0.25 * on) - before * 0.5);
    set_order(i, order);
    if (free) {
        set_scratch3(i, COAST, coast - loads * (0.5 * on));
        set_scratch(i, INERTIA, inertia * (1.0 + on));
    }
}

/// Vertex `i` takes a step of implicit Euler.
fn begin_euler(i: u32) {
    if (!is_second() || !is_second_at(i)) {
        return;
    }
    let coast = coast_of_all_loads(i);
    set_accel(i, moved_before(i) * -0.5);
    set_scratch3(i, COAST, coast);
    set_scratch(i, INERTIA, scratch1(i, INERTIA) * 0.5);
    set_order(i, 0.0);
}

/// Vertex `i` ends the substep as one of implicit Euler does, and takes another one.
fn restart(i: u32) {
    if (is_second()) {
        set_order(i, select(-1.0, CUT_SHORT, is_second_at(i)));
    }
}

fn restart_all() {
    for (var i = 0u; i < me.vertices; i++) {
        restart(i);
    }
}

/// What order the next substep has at vertex `i`, once all has been asked about this one.
fn note_order(i: u32) {
    if (is_second()) {
        let order = order_of(i);
        set_order(i, select(0.0, 1.0, -0.5 < order && order < 0.5 * CUT_SHORT + 0.5));
    }
}

/// A displacement, no longer than the speed limit allows where the host does not hold what has the inverse mass `w`.
fn no_farther(d: vec3<f32>, w: f32) -> vec3<f32> {
    let far = dot(d, d);
    let fast = settings.max_move * settings.max_move < far && 0.0 < w;
    return select(d, d * (settings.max_move / sqrt(max(far, 1e-30))), fast);
}

/// The end of a substep of second order: positions go where displacements take them, and these become h times the new velocities. Turns about
/// edges are implicit Euler's. Nothing happens in first order.
fn take_velocities() -> Went {
    if (!is_second()) {
        return Went();
    }
    var went = Went(state3(0u, STATE_U), vec3<f32>(), 0.0);
    var before: vec3<f32>;
    var turned = false;
    var shortest = 3.4e38;
    var longest = 0.0;
    for (var i = 0u; i < me.vertices; i++) {
        let d = no_farther(state3(i, STATE_U), param(i, PARAM_W));
        let p = accel(i);
        var turns = false;
        if (i + 1u < me.vertices) {
            let l = param(i, PARAM_LENGTH);
            shortest = min(shortest, l);
            longest = max(longest, l);
            let across = state3(i + 1u, STATE_U) - d;
            turns = l * l * (TURNS_FAR * TURNS_FAR) < dot(across, across);
        }
        if (turned || turns) {
            restart(i);
        }
        turned = turns;
        let order = order_of(i);
        let goes_on = order < 0.5 * CUT_SHORT + 0.5;
        let more = select(vec3<f32>(), d * 0.5 + p, 0.5 < order && goes_on);
        went.short += (scratch3(i, COAST) - d) * lumped(i);
        went.farthest = max(went.farthest, length(d));
        put3(i, STATE_X, state3(i, STATE_X) + d);
        put3(i, STATE_U, d + more);
        set_accel(i, select(vec3<f32>(), (d + p * 2.0) * settings.inv_h2, -0.5 < order && goes_on));
        // Ghost points go along with the ends of their edges.
        let gu = no_farther(state3(i, STATE_GU), param(i, PARAM_WG));
        put3(i, STATE_GX, state3(i, STATE_GX) + gu);
        put3(i, STATE_GU, gu);
        if (i > 0u) {
            put3(i - 1u, STATE_GU, state3(i - 1u, STATE_GU) + (before + more) * 0.5);
        }
        before = more;
    }
    if (shortest < longest * SHORTEST) {
        restart_all();
    }
    return went;
}
