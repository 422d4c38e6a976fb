// What vertices meet of colliders: crates/solve/src/rods/group/contacts.rs.

/// What a vertex meets of a collider: distance and normal in the world's axes, and what the surface does there in the substep.
struct Met {
    distance: f32,
    normal: vec3<f32>,
    surface: vec3<f32>,
}

/// Where collider `k` of all substeps is in `solids`.
fn collider_at(k: u32) -> u32 {
    return settings.colliders_at + k * COLLIDER_ROWS;
}
/// A vector in the collider's axes, and one of the collider in the world's.
fn seen_from(c: u32, r: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(dot(collider_axis0(c), r), dot(collider_axis1(c), r), dot(collider_axis2(c), r));
}
fn turned_by(c: u32, v: vec3<f32>) -> vec3<f32> {
    return collider_axis0(c) * v.x + collider_axis1(c) * v.y + collider_axis2(c) * v.z;
}

/// The collider at `c`, at `r` from its centre, of a vertex that has moved by `u` so far. `carried`: the vertex goes along with the surface instead.
fn meet(c: u32, r: vec3<f32>, u: vec3<f32>, carried: bool) -> Met {
    let surface = collider_turn0(c) * r.x + collider_turn1(c) * r.y + collider_turn2(c) * r.z + collider_shift(c);
    let kind = collider_kind(c);
    if (kind >= HULL) {
        return meet_triangles(c, r, u, carried, surface);
    }
    let p = seen_from(c, r + select(vec3<f32>(), surface, carried));
    let size = collider_size(c);
    var d: Distance;
    switch kind {
        case PLANE: { d = plane(p); }
        case SPHERE: { d = capsule(p, size.x, 0.0); }
        case CAPSULE: { d = capsule(p, size.x, size.y); }
        case TAPERED: { d = tapered_capsule(p, size.x, size.y, size.z); }
        default: { d = cuboid(p, size); }
    }
    return Met(d.distance, turned_by(c, d.normal), surface);
}

// Hulls and meshes: crates/solve/src/collide/narrow/mesh.rs and moving_mesh.rs. A hull is a mesh that is felt from any depth.

/// Of the triangles of a collider the one that is nearest to a point.
struct Nearest {
    found: bool,
    arm: vec3<f32>,
    normal: vec3<f32>,
    /// On an edge that has no neighbour.
    beside_free: bool,
    /// What the surface does there in the substep, beyond the motion of the collider as a whole.
    moves: vec3<f32>,
}

/// The same of a hull or a mesh that moves by `whole` as a whole; its triangles may move, too.
fn meet_triangles(c: u32, r: vec3<f32>, u: vec3<f32>, carried: bool, whole: vec3<f32>) -> Met {
    let reach = widest() + settings.near;
    let behind = reach * BEHIND;
    let asked = behind + collider_farthest(c);
    let kind = collider_kind(c);
    // As far as its motion is asked for, and as deep as a vertex may be that came from outside.
    let passed = select(length(u - whole), 0.0, carried);
    let most = max(asked + passed, select(0.0, 2.0 * collider_bound(c), kind == HULL));
    var surface = whole;
    var at = r;
    var found: Nearest;
    for (var again = 0u; again < 2u; again++) {
        found = nearest(c, seen_from(c, at), most);
        if (again == 0u && found.found && dot(found.arm, found.arm) <= asked * asked) {
            surface = whole + found.moves;
        }
        // Carried by the surface, the vertex is elsewhere.
        if (!carried || !any(surface != vec3<f32>())) {
            break;
        }
        at = r + surface;
    }
    let moved = seen_from(c, select(u - surface, vec3<f32>(), carried));
    let d = felt(found, kind, moved, reach, length(moved) + behind);
    return Met(d.distance, turned_by(c, d.normal), surface);
}

/// What a vertex that has `moved` against the surface feels of the triangle: from the front up to `reach`, from behind up to `deep`, but not beside a free
/// edge.
fn felt(nearby: Nearest, kind: u32, moved: vec3<f32>, reach: f32, deep: f32) -> Distance {
    let nowhere = Distance(NOWHERE, vec3<f32>(0.0, 1.0, 0.0));
    if (!nearby.found) {
        return nowhere;
    }
    var normal = nearby.normal;
    // The side that it was on.
    if (kind == SHEET && dot(normal, nearby.arm - moved) < 0.0) {
        normal = -normal;
    }
    let sign = select(1.0, -1.0, dot(normal, nearby.arm) < 0.0);
    let l = length(nearby.arm);
    var d = Distance(0.0, normal);
    if (1e-18 < l) {
        d = Distance(l * sign, nearby.arm * (sign / l));
    }
    let in_reach = d.distance <= reach;
    let in_depth = kind == HULL || 0.0 <= d.distance || (l <= deep && (kind == SHEET || !nearby.beside_free));
    if (in_reach && in_depth) {
        return d;
    }
    return nowhere;
}

/// The triangle of collider `c` that is nearest to `p`, not farther than `most`; of several that share the nearest point, the one that `p` is most straight
/// before or behind. The step goes on after the substep: so far back the triangles are.
fn nearest(c: u32, p: vec3<f32>, most: f32) -> Nearest {
    var found: Nearest;
    if (!is_finite(p)) {
        return found;
    }
    let tree = collider_tree(c);
    let nodes = collider_nodes(c);
    let triangles = tree + nodes * NODE_ROWS;
    let left = collider_left(c);
    var best2 = most * most;
    var straight = -1.0;
    var best: u32;
    var best_at: vec3<f32>;
    var k = 0u;
    while (k < nodes) {
        let n = tree + k * NODE_ROWS;
        let low = node_low(n) - node_low_by(n) * left;
        let high = node_high(n) - node_high_by(n) * left;
        let out = max(max(low - p, p - high), vec3<f32>());
        if (best2 * (1.0 + TIE) < dot(out, out)) {
            k = node_skip(n);
            continue;
        }
        let first = triangles + node_first(n) * TRIANGLE_ROWS;
        let end = first + node_count(n) * TRIANGLE_ROWS;
        for (var t = first; t < end; t += TRIANGLE_ROWS) {
            let corners = corners_of(t, left);
            let q = on_triangle(corners, p);
            let arm = p - q.at;
            let l2 = dot(arm, arm);
            if (!(l2 <= best2 * (1.0 + TIE))) {
                continue;
            }
            let normal = normal_of(t, corners);
            let now = abs(dot(normal, arm));
            if (l2 < best2 * (1.0 - TIE) || straight < now) {
                best2 = l2;
                straight = now;
                best = t;
                best_at = q.at;
                found.normal = normal;
                found.beside_free = beside_free(triangle_free(t), q.on);
            }
        }
        k += 1u;
    }
    found.found = 0.0 <= straight;
    found.arm = p - best_at;
    if (found.found && 0.0 < collider_farthest(c)) {
        let shares = corner_shares(corners_of(best, left), best_at);
        let moves = triangle_a_by(best) * shares.x + triangle_b_by(best) * shares.y + triangle_c_by(best) * shares.z;
        found.moves = moves * settings.part;
    }
    return found;
}
fn corners_of(t: u32, left: f32) -> mat3x3<f32> {
    return mat3x3<f32>(
        triangle_a(t) - triangle_a_by(t) * left, triangle_b(t) - triangle_b_by(t) * left,
        triangle_c(t) - triangle_c_by(t) * left);
}
fn normal_of(t: u32, corners: mat3x3<f32>) -> vec3<f32> {
    let across = cross(corners[1] - corners[0], corners[2] - corners[0]);
    let l = length(across);
    if (0.0 < l) {
        return across * (1.0 / l);
    }
    return vec3<f32>(triangle_normal_x(t), triangle_normal_y(t), triangle_normal_z(t));
}
/// `free`: a bit for each edge; `on`: 1 for each that the point is on.
fn beside_free(free: u32, on: vec3<f32>) -> bool {
    let edges = vec3<bool>((free & 1u) != 0u, (free & 2u) != 0u, (free & 4u) != 0u);
    return any(edges & (on > vec3<f32>(0.5)));
}
