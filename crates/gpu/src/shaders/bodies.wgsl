// Bodies that strands push: what each vertex is near, and what it has been pushed with (docs/internals/gpu.md, Rods that push bodies). Rows lie behind the reports.

/// As fast as a vertex is taken out of a body beyond undoing its approach, m/s (`world/touch.rs`).
const MOST_PUSH: f32 = 3.0;

fn pushes() -> bool {
    return settings.push_base != 0u;
}
fn push_row(i: u32, row: u32) -> u32 {
    return settings.push_base + row * settings.cells + me.offset + i * me.width + me.lane;
}
fn pushed3(i: u32, row: u32) -> vec3<f32> {
    let at = push_row(i, row);
    return vec3<f32>(report[at], report[at + settings.cells], report[at + 2u * settings.cells]);
}
fn set_pushed3(i: u32, row: u32, v: vec3<f32>) {
    let at = push_row(i, row);
    report[at] = v.x;
    report[at + settings.cells] = v.y;
    report[at + 2u * settings.cells] = v.z;
}
/// Where body `b` of the step is in `solids`.
fn pushed_at(b: u32) -> u32 {
    return settings.pushed_at + b * PUSHED_ROWS;
}
/// Whether vertices push the body of a collider.
fn is_pushed(c: u32) -> bool {
    return pushes() && collider_body(c) != NONE;
}

/// The rows that a vertex has for a body, or a free one's; PUSH_SLOTS: it has none left.
fn slot_of(i: u32, name: f32) -> u32 {
    var found = PUSH_SLOTS;
    for (var k = 0u; k < PUSH_SLOTS; k++) {
        let here = report[push_row(i, k * PUSH_SLOT + PUSH_NAME)];
        if (here == name || (here == 0.0 && found == PUSH_SLOTS)) {
            found = k;
        }
    }
    return found;
}

/// How body `b` gives way to all vertices that push it at once, if they push alike: at `arm` from its centre.
fn gives_at(b: u32, arm: vec3<f32>, normal: vec3<f32>) -> f32 {
    let at = pushed_at(b);
    let d = pushed_diagonal(at);
    let o = pushed_beside(at);
    return body_gives(arm, normal, pushed_inverse_mass(at), Sym3(d.x, o.x, o.y, d.y, o.z, d.z)) * max(pushed_count(at), 1.0);
}

/// The most that it gives way across the normal, where pushes turn it, too.
fn gives_across(b: u32, arm: vec3<f32>, normal: vec3<f32>) -> f32 {
    let other = select(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0), abs(normal.x) > 0.6);
    let one = normalize(other - normal * dot(normal, other));
    let two = cross(normal, one);
    let a = gives_at(b, arm, one);
    let c = gives_at(b, arm, two);
    let mean = 0.5 * (a + c);
    let both = gives_at(b, arm, (one + two) * sqrt(0.5)) - mean;
    return mean + sqrt(0.25 * (a - c) * (a - c) + both * both);
}

/// Body `b` has pushed the vertex at `place` with so much more.
fn note_push(i: u32, b: u32, place: vec3<f32>, push: vec3<f32>) {
    let at = pushed_at(b);
    let name = pushed_name(at);
    let slot = slot_of(i, name);
    if (slot == PUSH_SLOTS) {
        return;
    }
    let rows = slot * PUSH_SLOT;
    report[push_row(i, rows + PUSH_NAME)] = name;
    set_pushed3(i, rows + PUSH_NOW, pushed3(i, rows + PUSH_NOW) + push);
    set_pushed3(i, rows + PUSH_ARM, place - pushed_began(at));
}
/// Whether there is room for that.
fn can_push(i: u32, b: u32) -> bool {
    return slot_of(i, pushed_name(pushed_at(b))) < PUSH_SLOTS;
}

/// What a contact does to the vertex at `x` that has moved by `u`, where the body gives way, too. `weight`: of the vertex, 1/kg.
fn contact_with_body(i: u32, c: u32, x: vec3<f32>, u: vec3<f32>, d: Met, depth: f32, weight: f32) -> Contact {
    let b = collider_body(c);
    if (!can_push(i, b)) {
        return contact(u, d.normal, depth, d.surface, collider_friction(c), weight);
    }
    let gives = gives_at(b, (x + u) - pushed_center(pushed_at(b)), d.normal);
    let q = shared_contact(u, d.normal, depth, d.surface, collider_friction(c), weight, gives, MOST_PUSH * settings.h);
    note_push(i, b, x + q.u, (q.u - u) * mass(weight));
    return q;
}

/// A Newton step starts from where the substep did.
fn forget_pushes(i: u32) {
    for (var k = 0u; k < PUSH_SLOTS; k++) {
        set_pushed3(i, k * PUSH_SLOT + PUSH_NOW, vec3<f32>());
    }
}
fn pushed_before(i: u32, b: u32) -> vec3<f32> {
    let name = pushed_name(pushed_at(b));
    let slot = slot_of(i, name);
    if (slot == PUSH_SLOTS) {
        return vec3<f32>();
    }
    return pushed3(i, slot * PUSH_SLOT + PUSH_BEFORE);
}

/// Which bodies the vertices may touch in the substep, and what these have pushed them with before.
fn meet_bodies(substep: u32) {
    let first = substep * settings.colliders;
    for (var i = 0u; i < me.vertices; i++) {
        var names = array<f32, PUSH_SLOTS>();
        var pushes = array<vec3<f32>, PUSH_SLOTS>();
        for (var k = 0u; k < PUSH_SLOTS; k++) {
            names[k] = report[push_row(i, k * PUSH_SLOT + PUSH_NAME)];
            pushes[k] = pushed3(i, k * PUSH_SLOT + PUSH_NOW);
            report[push_row(i, k * PUSH_SLOT + PUSH_NAME)] = 0.0;
        }
        report[push_row(i, PUSH_HOLDS)] = 0.0;
        let x = state3(i, STATE_X);
        let u = state3(i, STATE_U);
        let radius = contact_radius(i);
        let end = select(first, first + settings.colliders, 0.0 < param(i, PARAM_W));
        for (var k = first; k < end; k++) {
            let c = collider_at(k);
            if (!is_pushed(c)) {
                continue;
            }
            let r = (x - collider_center(c)) + u;
            let near = radius + 0.5 * length(u - collider_shift(c));
            let reach = max(collider_bound(c) + radius + near, 0.0);
            if (dot(r, r) > reach * reach) {
                continue;
            }
            if (meet(c, r, u, false).distance - radius < near) {
                let name = pushed_name(pushed_at(collider_body(c)));
                let slot = slot_of(i, name);
                if (slot < PUSH_SLOTS) {
                    report[push_row(i, slot * PUSH_SLOT + PUSH_NAME)] = name;
                    set_pushed3(i, slot * PUSH_SLOT + PUSH_ARM, (x + u) - pushed_began(pushed_at(collider_body(c))));
                }
            }
        }
        for (var k = 0u; k < PUSH_SLOTS; k++) {
            let name = report[push_row(i, k * PUSH_SLOT + PUSH_NAME)];
            var before = vec3<f32>();
            // What is swept begins with nothing.
            for (var j = 0u; j < PUSH_SLOTS && settings.order == DIRECT; j++) {
                before += select(vec3<f32>(), pushes[j], name != 0.0 && names[j] == name);
            }
            set_pushed3(i, k * PUSH_SLOT + PUSH_BEFORE, before);
            set_pushed3(i, k * PUSH_SLOT + PUSH_NOW, vec3<f32>());
        }
    }
}

@compute @workgroup_size(32)
fn near_strands(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= settings.strands) {
        return;
    }
    take_strand(id.x);
    meet_bodies(range.first_substep);
}
