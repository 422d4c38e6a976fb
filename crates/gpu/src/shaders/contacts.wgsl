// Contacts of vertices with colliders after a solve: crates/solve/src/rods/group/contacts.rs.

/// Contacts of all vertices with the colliders; how many touched. Vertex by vertex rather than collider by collider: the
/// result is the same, since a contact moves its own vertex only, and the displacement stays in registers.
fn contacts(substep: u32) -> u32 {
    var touched = 0u;
    if (settings.colliders == 0u) {
        return touched;
    }
    let first = substep * settings.colliders;
    var stopped = false;
    for (var i = 0u; i < me.vertices; i++) {
        var x = state3(i, STATE_X);
        var u = state3(i, STATE_U);
        let radius = contact_radius(i);
        var moved = false;
        for (var k = first; k < first + settings.colliders; k++) {
            let c = collider_at(k);
            let r = (x - collider_center(c)) + u;
            // Covered vertices have a radius far below zero.
            let reach = max(collider_bound(c) + radius, 0.0);
            if (dot(r, r) > reach * reach) {
                continue;
            }
            let d = meet(c, r, u, false);
            let depth = radius - d.distance;
            if (depth <= 0.0) {
                continue;
            }
            let surface = d.surface;
            let friction = collider_friction(c);
            let w = param(i, PARAM_W);
            var q: Contact;
            var out = vec3<f32>();
            if (settings.order == DIRECT) {
                // What Newton's step holds is left alone. Of the others, only what stops the approach is motion; what was inside before is
                // pushed out without a velocity, a little of an edge at a time.
                if (held_there(i)) {
                    continue;
                }
                let approach = max(dot(surface - u, d.normal), 0.0);
                if (is_pushed(c)) {
                    let weight = select(0.0, 1.0 / max(lumped(i), 1e-30), 0.0 < w);
                    q = contact_with_body(i, c, x, u, d, min(depth, approach), weight);
                    note_coast(i, q.u - u);
                    q.u += d.normal * max(depth - approach, 0.0);
                } else {
                    q = contact(u, d.normal, depth, surface, friction, w);
                }
                let extra = select(max(dot(q.u - u, d.normal) - approach, 0.0), max(depth - approach, 0.0), is_pushed(c));
                q.u -= d.normal * extra;
                q.touched = f32(0.0 < w);
                out = d.normal * min(extra, settings.give);
                stopped = stopped || 0.0 < w;
            } else if (is_pushed(c)) {
                q = contact_with_body(i, c, x, u, d, depth, w);
            } else {
                q = contact(u, d.normal, depth, surface, friction, w);
            }
            if (settings.keep_spin > 0.0) {
                set_spin(kept_spin() + cross((x - state3(0u, STATE_X)) + u, q.u - u) * mass(w));
            }
            u = q.u;
            x += out;
            touched += u32(q.touched);
            moved = true;
        }
        touched += u32(held_there(i));
        if (moved) {
            put3(i, STATE_U, u);
            put3(i, STATE_X, x);
        }
    }
    if (stopped) {
        restart_all();
    }
    return touched;
}
