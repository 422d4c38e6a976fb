// Contacts of vertices with colliders after a solve: crates/solve/src/rods/group/contacts.rs.

/// Distance and normal, in the world's axes, at `r` from the centre of the collider.
fn collider_distance(k: u32, r: vec3<f32>) -> Distance {
    let c = colliders[k];
    let p = vec3<f32>(dot(c.axis0, r), dot(c.axis1, r), dot(c.axis2, r));
    var d: Distance;
    switch c.kind {
        case PLANE: { d = plane(p); }
        case SPHERE: { d = capsule(p, c.size.x, 0.0); }
        case CAPSULE: { d = capsule(p, c.size.x, c.size.y); }
        case TAPERED: { d = tapered_capsule(p, c.size.x, c.size.y, c.size.z); }
        default: { d = cuboid(p, c.size); }
    }
    return Distance(d.distance, c.axis0 * d.normal.x + c.axis1 * d.normal.y + c.axis2 * d.normal.z);
}
/// What the surface does there in the substep.
fn surface_motion(k: u32, r: vec3<f32>) -> vec3<f32> {
    return colliders[k].turn0 * r.x + colliders[k].turn1 * r.y + colliders[k].turn2 * r.z + colliders[k].shift;
}

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
        let radius = param(i, PARAM_RADIUS);
        var moved = false;
        for (var k = first; k < first + settings.colliders; k++) {
            let r = (x - colliders[k].center) + u;
            let reach = colliders[k].bound + radius;
            if (dot(r, r) > reach * reach) {
                continue;
            }
            let d = collider_distance(k, r);
            let depth = radius - d.distance;
            if (depth <= 0.0) {
                continue;
            }
            let surface = surface_motion(k, r);
            let w = param(i, PARAM_W);
            var q: Contact;
            var out = vec3<f32>();
            if (settings.order == DIRECT) {
                // What Newton's step holds is left alone. Of the others, only what stops the approach is motion; what was inside before is
                // pushed out without a velocity, a little of an edge at a time.
                if (held_there(i)) {
                    continue;
                }
                q = contact(u, d.normal, depth, surface, colliders[k].friction, w);
                let approach = max(dot(surface - u, d.normal), 0.0);
                let extra = max(dot(q.u - u, d.normal) - approach, 0.0);
                q.u -= d.normal * extra;
                q.touched = f32(0.0 < w);
                out = d.normal * min(extra, settings.give);
                stopped = stopped || 0.0 < w;
            } else {
                q = contact(u, d.normal, depth, surface, colliders[k].friction, w);
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
