// Sweeps of rods that keep their volume: crates/solve/src/rods/sweep/volume.rs, and the contacts of crates/solve/src/rods/group/contacts.rs that know what
// they have done in the substep so far.

const NEXT_TO_NOTHING: f32 = 1e-30;

fn swept_at(i: u32, row: u32) -> u32 {
    return settings.swept_base + (me.offset + i * me.width) * SWEPT_ROWS + row * me.width + me.lane;
}
fn swept(i: u32, row: u32) -> f32 {
    return state[swept_at(i, row)];
}
fn set_swept(i: u32, row: u32, v: f32) {
    state[swept_at(i, row)] = v;
}
fn swept3(i: u32, row: u32) -> vec3<f32> {
    return vec3<f32>(swept(i, row), swept(i, row + 1u), swept(i, row + 2u));
}
fn set_swept3(i: u32, row: u32, v: vec3<f32>) {
    set_swept(i, row, v.x);
    set_swept(i, row + 1u, v.y);
    set_swept(i, row + 2u, v.z);
}
fn grip_of(i: u32) -> Grip {
    return Grip(swept3(i, SWEPT_PRESS), swept3(i, SWEPT_GRIP));
}
fn set_grip(i: u32, g: Grip) {
    set_swept3(i, SWEPT_PRESS, g.press);
    set_swept3(i, SWEPT_GRIP, g.held);
}

/// 1 over the inertia of the scale of edge `i`.
fn scale_weight(i: u32) -> f32 {
    return select(0.0, 1.0 / max(bulk(i, BULK_INERTIA), NEXT_TO_NOTHING), i + 1u < me.vertices);
}

/// A substep begins: scales are where inertia and the host take them, and colliders have done what they did in the last one.
fn begin(t: f32) {
    let h2 = settings.h * settings.h;
    for (var i = 0u; i < me.vertices; i++) {
        let push = bulk(i, BULK_PUSH) * scale_weight(i);
        let rate = scale_row(i, SCALE_GROWTH) * settings.drag_keep + push * settings.h;
        let growth = growth_of(i, 0.0, rate * settings.h);
        set_scale_row(i, SCALE_GROWTH, growth);
        set_swept(i, SWEPT_COAST, growth);
        set_swept(i, SWEPT_PUSHED, 0.0);
        set_swept(i, SWEPT_UNANSWERED, 0.0);
        set_swept3(i, 0u, vec3<f32>());
        set_swept(i, SWEPT_SPREAD, 0.0);
        let u = state3(i, STATE_U);
        let before = swept(i, SWEPT_STEP);
        let ratio = select(0.0, h2 / max(before, NEXT_TO_NOTHING), 0.0 < before);
        set_swept(i, SWEPT_STEP, h2);
        let had = grip_of(i);
        var now = begin_grip(Grip(had.press * ratio, had.held * ratio), u);
        if (!(0.0 < param(i, PARAM_W))) {
            now = Grip();
        }
        set_grip(i, now);
        put3(i, STATE_U, u + now.press + now.held);
        let squeezed = swept(i, SWEPT_SQUEEZE);
        if (0.0 < squeezed) {
            set_swept(i, SWEPT_SQUEEZE, 0.0);
            squeeze_by(i, select(0.0, squeezed * ratio, 0.0 < param(i, PARAM_W)));
        }
    }
}

/// h² times the stiffness of σ and δ of edge `i`.
fn section_stiffness(i: u32) -> vec2<f32> {
    let rest = edge_rest(i);
    let whole = rest.length * rest.length / max(rest.compliance, NEXT_TO_NOTHING);
    return whole * vec2<f32>(2.0 * bulk(i, BULK_SHEAR), bulk(i, BULK_BULK));
}
/// What an impulse does to the scale of edge `i`, 1/(kg m²).
fn gives(i: u32) -> f32 {
    let holds = section_stiffness(i);
    let by_s = 2.0 * (1.0 + swell(i));
    return 1.0 / max(bulk(i, BULK_INERTIA) + holds.x + holds.y * by_s * by_s, NEXT_TO_NOTHING);
}
/// What the edges before and after vertex `i` have of its radius, m.
fn radius_parts(i: u32) -> vec2<f32> {
    let ends = vec2<f32>(f32(i + 1u == me.vertices), f32(i == 0u));
    return max(param(i, PARAM_RADIUS), 0.0) * 0.5 * (vec2<f32>(1.0) + ends - ends.yx);
}
/// What an impulse on the side of vertex `i` does to its radius, 1/kg.
fn radius_gives(i: u32) -> f32 {
    let parts = radius_parts(i);
    var all = 0.0;
    for (var k = 0u; k < 2u; k++) {
        if (0.0 < parts[k]) {
            all += parts[k] * parts[k] * gives(i + k - 1u);
        }
    }
    return all;
}
/// Colliders press the section at vertex `i` by so much more, kg m.
fn squeeze_by(i: u32, more: f32) {
    set_swept(i, SWEPT_SQUEEZE, swept(i, SWEPT_SQUEEZE) + more);
    let parts = radius_parts(i);
    for (var k = 0u; k < 2u; k++) {
        if (0.0 < parts[k]) {
            let e = i + k - 1u;
            let push = parts[k] * more;
            let from_ = scale_row(e, SCALE_GROWTH);
            let to = growth_of(e, from_, from_ - gives(e) * push);
            set_scale_row(e, SCALE_GROWTH, to);
            set_swept(e, SWEPT_PUSHED, swept(e, SWEPT_PUSHED) - push);
            set_swept(e, SWEPT_UNANSWERED, swept(e, SWEPT_UNANSWERED) + bulk(e, BULK_INERTIA) * (to - from_) + push);
        }
    }
}

/// A substep ends: scales go where their lengths and what has pressed them have them.
fn settle_scales() {
    let h2 = settings.h * settings.h;
    for (var i = 0u; i + 1u < me.vertices; i++) {
        let rest = max(param(i, PARAM_LENGTH), NEXT_TO_NOTHING);
        let e = (state3(i + 1u, STATE_X) + state3(i + 1u, STATE_U)) - (state3(i, STATE_X) + state3(i, STATE_U));
        let stretch = (sqrt(max(dot(e, e), 1e-18)) - rest) / rest;
        var spread = vec2<f32>();
        var beside = vec2<f32>();
        if (i > 0u) {
            spread.x = bulk(i, BULK_SPREAD) * h2;
            beside.x = swell(i - 1u);
        }
        if (i + 2u < me.vertices) {
            spread.y = bulk(i + 1u, BULK_SPREAD) * h2;
            beside.y = swell(i + 1u);
        }
        let alone = ScaleAlone(section_stiffness(i), bulk(i, BULK_INERTIA), spread, beside,
            scale_row(i, SCALE_SWELL) + swept(i, SWEPT_COAST), swept(i, SWEPT_PUSHED), stretch);
        for (var k = 0u; k < 2u; k++) {
            let from_ = scale_row(i, SCALE_GROWTH);
            set_scale_row(i, SCALE_GROWTH, growth_of(i, from_, from_ + scale_alone(alone, swell(i))));
        }
    }
}

/// The constraints of edge `i` with its section.
fn solve_edge_of(i: u32, e: vec3<f32>, g: vec3<f32>, w: EdgeWeights) -> EdgeSolved {
    let rest = edge_rest(i);
    let length = sqrt(max(dot(e, e), 1e-18));
    // h² EA l̄.
    let whole = rest.length * rest.length / max(rest.compliance, NEXT_TO_NOTHING);
    let shear = whole * bulk(i, BULK_SHEAR);
    var before = 0.0;
    var spread = 0.0;
    var swell_before = 0.0;
    if (i > 0u) {
        before = scale_weight(i - 1u);
        spread = bulk(i, BULK_SPREAD) * (settings.h * settings.h);
        swell_before = swell(i - 1u);
    }
    let section = SweptSection(
        vec3<f32>(shear, shear + shear, whole * bulk(i, BULK_BULK)), max(rest.length, NEXT_TO_NOTHING),
        vec2<f32>(w.w0 + w.w1, scale_weight(i)), swept(i, SWEPT_UNANSWERED));
    set_swept(i, SWEPT_UNANSWERED, 0.0);
    let lambda = vec4<f32>(swept(i, 0u), swept(i, 1u), swept(i, 2u), swept(i, SWEPT_SPREAD));
    let stretch = (length - rest.length) / max(rest.length, NEXT_TO_NOTHING);
    let solved = swept_edge(SweptEdge(section, spread, before, vec2<f32>(swell_before, swell(i)), stretch, lambda));
    set_swept3(i, 0u, solved.lambda.xyz);
    set_swept(i, SWEPT_SPREAD, solved.lambda.w);
    if (i > 0u) {
        let from_ = scale_row(i - 1u, SCALE_GROWTH);
        set_scale_row(i - 1u, SCALE_GROWTH, growth_of(i - 1u, from_, from_ + solved.moves.x));
    }
    let from_ = scale_row(i, SCALE_GROWTH);
    set_scale_row(i, SCALE_GROWTH, growth_of(i, from_, from_ + solved.moves.z));
    // Both ends share what the length does.
    let sum = max(w.w0 + w.w1, NEXT_TO_NOTHING);
    let q = ghost_constraints(e, g, w, rest, solved.moves.y / (sum * length), solved.along);
    put(i, STATE_LAMBDA_LENGTH, q.lambda);
    return q;
}

/// The element around vertex `i` at the scale of its section.
fn scaled(i: u32, rest: BendTwistRest) -> BendTwistRest {
    return scaled_element(rest, section_scale(i));
}

/// What a contact of the vertex at `x` does to the angular momentum of a strand that keeps its own.
fn turn_by_contact(i: u32, x: vec3<f32>, before: vec3<f32>, after: vec3<f32>) {
    if (settings.keep_spin > 0.0) {
        set_spin(kept_spin() + cross((x - state3(0u, STATE_X)) + before, after - before) * mass(param(i, PARAM_W)));
    }
}

/// Contacts of all vertices with the colliders; how many touched. What no collider is near any more, none has moved.
fn contacts(substep: u32) -> u32 {
    var touched = 0u;
    let first = substep * settings.colliders;
    for (var i = 0u; i < me.vertices; i++) {
        let x = state3(i, STATE_X);
        let began = state3(i, STATE_U);
        let had = grip_of(i);
        let w = param(i, PARAM_W);
        var u = began;
        var now = had;
        var touches = false;
        // How far the vertex is from the nearest collider.
        var open = -1e30;
        let end = select(first, first + settings.colliders, 0.0 < w);
        for (var k = first; k < end; k++) {
            let c = collider_at(k);
            let r = (x - collider_center(c)) + u;
            radius_here = param(i, PARAM_RADIUS) * section_scale(i);
            // What has been pushed out so far is looked at as far off as that.
            let reach = max(collider_bound(c) + radius_here + length(now.press) * 1.001, 0.0);
            if (dot(r, r) > reach * reach) {
                continue;
            }
            let d = meet(c, r, u, false);
            let depth = radius_here - d.distance;
            open = max(open, min(depth, 0.0));
            if (!(-max(dot(now.press, d.normal), 0.0) < depth)) {
                continue;
            }
            // What is pressed from two sides gives way with its radius, too.
            let presses_back = dot(now.press, d.normal) < 0.0 || 0.0 < swept(i, SWEPT_SQUEEZE);
            var part = 1.0;
            if (presses_back) {
                part = w / max(w + radius_gives(i), NEXT_TO_NOTHING);
            }
            let q = gripped(now, u - d.surface, d.normal, depth * part, collider_friction(c));
            if (presses_back) {
                squeeze_by(i, max(dot(q.grip.press - now.press, d.normal), 0.0) / max(w, NEXT_TO_NOTHING));
            }
            u = q.moved + d.surface;
            now = q.grip;
            touches = true;
            if (0.0 < dot(now.press, d.normal)) {
                open = 0.0;
                touched++;
            }
        }
        if (!touches) {
            u = began - (had.press + had.held);
            now = Grip();
        }
        let squeezed = swept(i, SWEPT_SQUEEZE);
        if (0.0 < squeezed) {
            // It is let go as far as there is room.
            let room = -open / (max(w, NEXT_TO_NOTHING) + radius_gives(i));
            squeeze_by(i, -select(squeezed, min(squeezed, room), touches));
        }
        turn_by_contact(i, x, began, u);
        set_grip(i, now);
        put3(i, STATE_U, u);
    }
    return touched;
}
