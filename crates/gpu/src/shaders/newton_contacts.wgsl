// Contacts within Newton's method: crates/solve/src/rods/newton/contact.rs and, for what is near, crates/solve/src/rods/group/contacts.rs.

/// Of a solve: contacts have been noted in `scratch`; one of them has held a vertex in this substep.
var<private> near: bool;
var<private> held: bool;

/// For each vertex the collider that it is deepest in, or about to touch. In the `first` iteration of a substep it is looked for where
/// the surface would carry the vertex, later where the vertex has come to.
fn find_contacts(substep: u32, first: bool) {
    near = settings.colliders > 0u;
    if (!near) {
        return;
    }
    let begin = substep * settings.colliders;
    for (var i = 0u; i < me.vertices; i++) {
        var best = FAR;
        let x = state3(i, STATE_X);
        let u = state3(i, STATE_U);
        let radius = contact_radius(i);
        if (0.0 < param(i, PARAM_W)) {
            for (var k = begin; k < begin + settings.colliders; k++) {
                let c = collider_at(k);
                let start = (x - collider_center(c)) + u;
                let reach = max(collider_bound(c) + radius + settings.near + select(0.0, length(collider_shift(c)), first), 0.0);
                if (dot(start, start) > reach * reach) {
                    continue;
                }
                let d = meet(c, start, u, first);
                let surface = d.surface;
                let depth = radius - d.distance;
                if (depth <= max(best, -settings.near)) {
                    continue;
                }
                best = depth;
                begin_euler(i);
                set_scratch3(i, NEAR_NORMAL, d.normal);
                set_scratch3(i, NEAR_SURFACE, surface);
                set_scratch3(i, NEAR_SLIP, select(u, moved_before(i), first) - surface);
                set_scratch(i, NEAR_ALONG, dot(d.normal, select(u, surface, first)));
                set_scratch(i, NEAR_FRICTION, collider_friction(c));
                note_holder(i, c);
            }
        }
        set_scratch(i, NEAR_DEPTH, best);
    }
    if (is_second() && touching()) {
        for (var i = 0u; i < me.vertices; i++) {
            begin_euler(i);
        }
    }
}
/// A collider is near some vertex.
fn touching() -> bool {
    var found = false;
    for (var i = 0u; near && i < me.vertices; i++) {
        found = found || is_near(i);
    }
    return found;
}
fn is_near(i: u32) -> bool {
    return 0.5 * FAR < scratch1(i, NEAR_DEPTH) && scratch1(i, INERTIA) < HELD;
}
fn is_held(i: u32) -> bool {
    return is_near(i) && 0.0 < scratch1(i, NEAR_PRESS);
}
fn held_there(i: u32) -> bool {
    return settings.colliders > 0u && is_held(i);
}
/// In the report, as a substep may be several dispatches.
fn held_anywhere() -> bool {
    return report[report_at() + REPORT_HELD] > 0.0;
}
fn closed_at(i: u32) -> Closed {
    return Closed(scratch1(i, NEAR_PRESS), scratch1(i, NEAR_GRIP));
}
fn set_closed(i: u32, c: Closed) {
    set_scratch(i, NEAR_PRESS, c.press);
    set_scratch(i, NEAR_GRIP, c.grip);
}
fn near_at(i: u32) -> Near {
    return Near(
        scratch3(i, NEAR_NORMAL), scratch3(i, NEAR_SURFACE), scratch3(i, NEAR_SLIP), scratch1(i, NEAR_ALONG),
        scratch1(i, NEAR_DEPTH), scratch1(i, NEAR_FRICTION));
}
fn held_of(i: u32) -> Held {
    let c = held_contact(closed_at(i), scratch1(i, NEAR_STIFF), near_at(i), settings.give);
    let holder = holder_of(i);
    if (holder == NONE) {
        return c;
    }
    let arm = (state3(i, STATE_X) + scratch3(i, NEAR_SURFACE)) - pushed_center(pushed_at(holder));
    // Here are forces, there are momenta times h.
    let before = pushed_before(i, holder) / h2();
    let gives = gives_at(holder, arm, c.normal) * h2();
    let along = give_way(c, before, gives);
    let across = give_way(c, before, gives_across(holder, arm, c.normal) * h2());
    return Held(along.normal, across.surface, along.target_, along.stiff, across.grip);
}

/// Which of the bodies that strands push holds the vertex; NONE.
fn holder_of(i: u32) -> u32 {
    if (!pushes()) {
        return NONE;
    }
    let holder = u32(report[push_row(i, PUSH_HOLDS)]);
    return select(holder - 1u, NONE, holder == 0u);
}
fn note_holder(i: u32, c: u32) {
    if (pushes()) {
        let b = collider_body(c);
        report[push_row(i, PUSH_HOLDS)] = select(f32(b) + 1.0, 0.0, b == NONE || !can_push(i, b));
    }
}
/// A strand that flies has been pushed: that is none of what a solve has lost.
fn note_coast(i: u32, by: vec3<f32>) {
    if (settings.keep_spin > 0.0) {
        set_scratch3(i, COAST, scratch3(i, COAST) + by);
    }
}
/// After the step, what bodies have pushed the vertices with that they hold: the force that the step has taken, and what settling adds.
fn push_bodies(i: u32, solved: vec3<f32>, settled: vec3<f32>) {
    let holder = holder_of(i);
    if (holder == NONE) {
        return;
    }
    let c = held_of(i);
    let force = held_force(c, solved);
    note_push(i, holder, state3(i, STATE_X) + settled, (c.normal * force.press + force.friction) * h2() + (settled - solved) * lumped(i));
}

/// Closes the contacts that what has been assembled presses together, unless they have been `revised`, and adds them to the system;
/// returns their energy.
fn close_contacts(revised: bool) -> f32 {
    var energy = 0.0;
    for (var i = 0u; i < me.vertices; i++) {
        if (!is_near(i)) {
            continue;
        }
        let u = state3(i, STATE_U);
        let f = scratch3(i, RHS);
        let inertia = scratch1(i, INERTIA);
        let stiffness = scratch1(i, 0u) + scratch1(i, row_begin(1u)) + scratch1(i, row_begin(2u));
        set_scratch(i, NEAR_STIFF, inertia * CONTACT_STIFFNESS + stiffness);
        if (!revised) {
            set_closed(i, guess_contact(f, u, inertia, near_at(i)));
        }
        if (!is_held(i)) {
            continue;
        }
        let c = held_of(i);
        let force = held_force(c, u);
        set_scratch3(i, RHS, f + c.normal * force.press + force.friction);
        let a = c.normal * (c.stiff - c.grip);
        let g = c.grip;
        add_diagonal(i, mat3x3<f32>(
            c.normal * a.x + vec3<f32>(g, 0.0, 0.0), c.normal * a.y + vec3<f32>(0.0, g, 0.0),
            c.normal * a.z + vec3<f32>(0.0, 0.0, g)));
        energy += force.energy;
    }
    return energy;
}

/// Looks at the contacts after a solve: what was guessed wrong is revised, and what would come into a collider is stopped at its
/// surface. Tells whether any was.
fn revise_contacts(substep: u32) -> bool {
    var wrong = false;
    for (var i = 0u; i < me.vertices; i++) {
        if (is_held(i)) {
            var force = held_force(held_of(i), state3(i, STATE_U) + scratch3(i, RHS));
            if (holder_of(i) != NONE) {
                // Of its own spring: how far the body gives way is no slip.
                force.slip = force.friction * (-1.0 / max(closed_at(i).grip, 1e-30));
            }
            let new_contact = revise_contact(closed_at(i), scratch1(i, INERTIA), force, scratch1(i, NEAR_FRICTION));
            set_closed(i, new_contact.closed);
            wrong = wrong || 0.0 < new_contact.wrong;
        }
        wrong = find_impact(substep, i) || wrong;
    }
    return wrong;
}

/// Where the solution of the system comes into a collider: a contact that stops it at the surface. Only the approach: what was inside before is
/// not thrown out.
fn find_impact(substep: u32, i: u32) -> bool {
    let begin = substep * settings.colliders;
    let inertia = scratch1(i, INERTIA);
    if (inertia >= HELD || is_held(i)) {
        return false;
    }
    let u = state3(i, STATE_U) + scratch3(i, RHS);
    let radius = contact_radius(i);
    for (var k = begin; k < begin + settings.colliders; k++) {
        let c = collider_at(k);
        let r = (state3(i, STATE_X) - collider_center(c)) + u;
        let reach = max(collider_bound(c) + radius, 0.0);
        if (dot(r, r) > reach * reach) {
            continue;
        }
        let d = meet(c, r, u, false);
        let surface = d.surface;
        let friction = collider_friction(c);
        let stopped = stop_contact(u, inertia, d.normal, surface, radius - d.distance, friction);
        if (!(0.0 < stopped.closed.press)) {
            continue;
        }
        set_scratch3(i, NEAR_NORMAL, d.normal);
        set_scratch3(i, NEAR_SURFACE, surface);
        set_scratch(i, NEAR_ALONG, stopped.along);
        set_scratch(i, NEAR_DEPTH, 0.0);
        set_scratch(i, NEAR_FRICTION, friction);
        set_closed(i, stopped.closed);
        note_holder(i, c);
        return true;
    }
    return false;
}

/// Energy of the closed contact of vertex `i` where it is now.
fn contact_energy(i: u32) -> f32 {
    if (!held_there(i)) {
        return 0.0;
    }
    return held_force(held_of(i), state3(i, STATE_U)).energy;
}

/// Notes whether a collider holds a vertex. In second order the strand then starts anew, as a whole: an impact that stopped some vertices is in the
/// accelerations of all.
fn mark_held() {
    held = held_anywhere();
    for (var i = 0u; i < me.vertices; i++) {
        held = held || is_held(i);
    }
    report[report_at() + REPORT_HELD] = f32(held);
    if (held) {
        restart_all();
    }
}

/// After the step: what sticks does not creep, and the pressing forces are those of the new state.
fn settle_contacts() {
    for (var i = 0u; i < me.vertices; i++) {
        if (pushes()) {
            forget_pushes(i);
        }
        if (!is_held(i)) {
            continue;
        }
        let u = state3(i, STATE_U);
        let c = held_of(i);
        var settled = settle_contact(c, u, scratch1(i, INERTIA), scratch1(i, NEAR_FRICTION));
        if (holder_of(i) != NONE) {
            settled = settle_shared(c, closed_at(i).grip, u, scratch1(i, INERTIA), scratch1(i, NEAR_FRICTION));
        }
        push_bodies(i, u, settled.u);
        put3(i, STATE_U, settled.u);
        set_scratch(i, NEAR_PRESS, settled.press);
    }
}
