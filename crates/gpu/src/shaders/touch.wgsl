// Strands that touch strands, after a solve: crates/solve/src/couple/meet.rs for what meets, relax.rs for the response, without its springs. All contacts of a round look at the
// places of the round before; each vertex then takes what both of its edges were given (docs/internals/gpu.md, Strand against strand).
//
// An edge has the number of its first vertex. Of two edges the one with the lesser number is a, the other b. Each keeps rows of its own for what it
// touches; both rows of a contact come to the same bits.

// The strands of all sets that touch rods have numbers one after the other, and so have their vertices. The passes that read or write what is a set's own (group 1, from
// 1 on) are dispatched for each set, with the numbers that its vertices and strands have in its buffers; all others once.

@group(0) @binding(0) var<uniform> touching: Touching;
/// Of each vertex; then what overlaps at rest.
@group(0) @binding(1) var<storage, read> places: array<Place>;
/// The first edge in each bucket, then the next one of each edge, then how many contacts had no room, then what part of its way a strand goes: twice; then how
/// wide squares must be for edges that are longer or thicker than at rest.
@group(0) @binding(2) var<storage, read_write> buckets: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> points: array<Point>;
/// The first row of all edges, then the second …
@group(0) @binding(4) var<storage, read_write> rows: array<Row>;

@group(1) @binding(0) var<storage, read> sets: array<TouchedSet>;

@group(1) @binding(1) var<uniform> settings: Settings;
@group(1) @binding(2) var<uniform> own: Own;
@group(1) @binding(3) var<storage, read> strands: array<Strand>;
@group(1) @binding(4) var<storage, read_write> state: array<f32>;
@group(1) @binding(5) var<storage, read> params: array<f32>;
@group(1) @binding(6) var<storage, read_write> report: array<f32>;
/// Of Newton's method.
@group(1) @binding(7) var<storage, read_write> scratch: array<f32>;

struct Point {
    /// Where the substep began.
    x: vec3<f32>,
    radius: f32,
    u: vec3<f32>,
    /// 1/kg
    w: f32,
    /// What its edge gives its first vertex in a round, kg m; and what a push does to the vertex in the measure of all its contacts, 1/kg.
    push0: vec3<f32>,
    give: f32,
    /// The same of its second vertex; and the sum of its parts of the contacts.
    push1: vec3<f32>,
    shares: f32,
    /// Of swept rods that keep their volume: what the radius has done in the substep, m; what a push does to it, alone and in the measure of all contacts,
    /// 1/kg; all that has pressed it since it was read, kg m.
    swell: f32,
    yields: f32,
    thins: f32,
    squeezed: f32,
    /// What its edge presses its two vertices with in a round, kg m.
    squeeze: vec2<f32>,
}

struct Row {
    /// From b to a.
    normal: vec3<f32>,
    /// When the substep began.
    gap: f32,
    /// kg m, on a.
    dragged: vec3<f32>,
    pressed: f32,
    other: u32,
    /// Parts of a and b.
    s: f32,
    t: f32,
    /// 0: the other edge has no room for it. Where the normal is 0 they do not meet, as far as is known.
    live: f32,
}

fn three(at: u32, w: u32) -> vec3<f32> {
    return vec3<f32>(state[at], state[at + w], state[at + 2u * w]);
}
fn mass(w: f32) -> f32 {
    return select(0.0, 1.0 / max(w, 1e-30), 0.0 < w);
}
fn is_finite(v: vec3<f32>) -> bool {
    let exponent = bitcast<vec3<u32>>(v) & vec3<u32>(0x7f800000u);
    return all(exponent != vec3<u32>(0x7f800000u));
}
/// Whether the invocation has a vertex, or an edge.
fn has_vertex(c: u32) -> bool {
    return c < touching.cells && places[c].strand != NONE;
}
fn has_edge(c: u32) -> bool {
    return has_vertex(c) && places[c].next != NONE;
}

/// How the radius of a vertex hangs on the scales of the edge before it and the one after it.
fn parts_of(place: Place) -> vec2<f32> {
    let ends = vec2<f32>(f32(place.next == NONE), f32(place.before == NONE));
    return 0.5 * (vec2<f32>(1.0) + ends - ends.yx);
}
/// Where rows of an edge begin.
fn rows_at(base: u32, count: u32, edge: u32, lane: u32) -> u32 {
    return base + (edge - lane) * count + lane;
}
/// `Yield` of src/world/rod_relax.rs: what an impulse does to the scale of an edge in a substep, 1/(kg m²); its inertia, kg m².
fn yield_of(edge: u32, lane: u32, w: u32) -> vec2<f32> {
    let fixed = rows_at(0u, PARAM_ROWS, edge, lane);
    let bulk = rows_at(settings.bulk_base, BULK_ROWS, edge, lane);
    let length = settings.h * params[fixed + PARAM_LENGTH * w];
    let whole = length * length / params[fixed + PARAM_STRETCH * w];
    let s2 = 2.0 + 2.0 * state[rows_at(settings.scale_base, SCALE_ROWS, edge, lane) + SCALE_SWELL * w];
    let swell = 2.0 * whole * params[bulk + BULK_SHEAR * w];
    let volume = whole * params[bulk + BULK_BULK * w] * s2;
    let inertia = params[bulk + BULK_INERTIA * w];
    return vec2<f32>(1.0 / (inertia + swell + volume * s2), inertia);
}

@compute @workgroup_size(64)
fn gather(@builtin(global_invocation_id) id: vec3<u32>) {
    let c = own.first_cell + id.x;
    if (id.x >= own.cells || !has_vertex(c)) {
        return;
    }
    let place = places[c];
    let strand = strands[place.strand - own.first_strand];
    let w = strand.width;
    let at = (id.x - strand.lane) * STATE_ROWS + strand.lane;
    let fixed = (id.x - strand.lane) * PARAM_ROWS + strand.lane;
    points[c].x = three(at + STATE_X * w, w);
    points[c].u = three(at + STATE_U * w, w);
    let radius = params[fixed + PARAM_RADIUS * w];
    let at_rest = select(radius, radius / touching.covered, radius < 0.0);
    points[c].radius = at_rest;
    points[c].swell = 0.0;
    points[c].yields = 0.0;
    points[c].squeezed = 0.0;
    if (settings.scale_base > 0u) {
        // The section as it was when the substep began.
        var scale = 1.0;
        let parts = parts_of(place);
        for (var k = 0u; k < 2u; k++) {
            if (parts[k] > 0.0) {
                let edge = id.x + k * w - w;
                let scales = rows_at(settings.scale_base, SCALE_ROWS, edge, strand.lane);
                scale += parts[k] * state[scales + SCALE_SWELL * w];
                if (settings.swept_base > 0u) {
                    let part = at_rest * parts[k];
                    points[c].swell += part * state[scales + SCALE_GROWTH * w];
                    points[c].yields += part * part * yield_of(edge, strand.lane, w).x;
                }
            }
        }
        points[c].radius = at_rest * scale;
        if (place.next != NONE) {
            let e = three(at + STATE_ROWS * w + STATE_X * w, w) - points[c].x;
            let wide = min(LONGER * length(e) + 4.0 * points[c].radius, 4.0 * touching.size);
            if (wide > touching.size) {
                _ = atomicMax(&buckets[part_at(0u, STOPS)], bitcast<u32>(wide));
            }
        }
    }
    let weight = params[fixed + PARAM_W * w];
    // Newton's method has no ghost points: their masses are the vertices'.
    var all = mass(weight);
    if (settings.order == DIRECT) {
        if (place.next != NONE) {
            all += 0.5 * mass(params[fixed + PARAM_WG * w]);
        }
        if (place.before != NONE) {
            all += 0.5 * mass(params[fixed - w * PARAM_ROWS + PARAM_WG * w]);
        }
    }
    points[c].w = select(0.0, 1.0 / max(all, 1e-30), 0.0 < weight);
    if (place.before == NONE) {
        for (var k = 0u; k < STOPS; k++) {
            atomicStore(&buckets[part_at(place.strand, k)], bitcast<u32>(1.0));
        }
    }
}

fn part_at(strand: u32, k: u32) -> u32 {
    return touching.mask + 2u + touching.cells + k * touching.strands + strand;
}

@compute @workgroup_size(64)
fn clear(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    // There may be more buckets than a dispatch has invocations.
    for (var k = id.x; k <= touching.mask; k += groups.x * 64u) {
        atomicStore(&buckets[k], NONE);
    }
    if (id.x == 0u) {
        atomicStore(&buckets[touching.mask + 1u + touching.cells], 0u);
    }
}

/// The middle of an edge, halfway through the substep.
fn middle(c: u32) -> vec3<f32> {
    let n = places[c].next;
    return ((points[c].x + points[n].x) + (points[c].u + points[n].u) * 0.5) * 0.5;
}
fn width_of_squares() -> f32 {
    return max(touching.size, bitcast<f32>(atomicLoad(&buckets[part_at(0u, STOPS)])));
}
fn square(p: vec3<f32>, size: f32) -> vec3<i32> {
    return vec3<i32>(floor(clamp(p / size, vec3<f32>(-1e9), vec3<f32>(1e9))));
}
fn bucket(at: vec3<i32>) -> u32 {
    let k = vec3<u32>(at) * vec3<u32>(73856093u, 19349663u, 83492791u);
    let mixed = k.x ^ k.y ^ k.z;
    return (mixed ^ (mixed >> 15u)) & touching.mask;
}

/// In which order a bucket has its edges is chance; nothing depends on it.
@compute @workgroup_size(64)
fn insert(@builtin(global_invocation_id) id: vec3<u32>) {
    let c = id.x;
    if (!has_edge(c)) {
        return;
    }
    let p = middle(c);
    if (is_finite(p)) {
        let before = atomicExchange(&buckets[bucket(square(p, width_of_squares()))], c);
        atomicStore(&buckets[touching.mask + 1u + c], before);
    }
}

/// Two edges from the first vertex of a on: where the substep began, ways, radii.
struct Pair {
    x: array<vec3<f32>, 4>,
    u: array<vec3<f32>, 4>,
    radii: vec4<f32>,
    allowed: f32,
}
struct Meeting {
    s: f32,
    t: f32,
    normal: vec3<f32>,
    gap: f32,
    time: f32,
}

fn pair_of(a: u32, b: u32) -> Pair {
    let a1 = places[a].next;
    let b1 = places[b].next;
    let x = points[a].x;
    var allowed = 0.0;
    for (var k = places[a].first_allowed; k < places[a].end_allowed; k++) {
        if (places[k].strand == b) {
            allowed = places[k].arc;
        }
    }
    return Pair(
        array<vec3<f32>, 4>(vec3<f32>(), points[a1].x - x, points[b].x - x, points[b1].x - x),
        array<vec3<f32>, 4>(points[a].u, points[a1].u, points[b].u, points[b1].u),
        vec4<f32>(points[a].radius, points[a1].radius, points[b].radius, points[b1].radius), allowed);
}
fn thick(p: Pair) -> f32 {
    return max(p.radii.x, p.radii.y) + max(p.radii.z, p.radii.w);
}
/// How much one end can come nearer to one of the other edge in the substep, at most.
fn approach_of(p: Pair) -> f32 {
    let one = max(length(p.u[0] - p.u[2]), length(p.u[0] - p.u[3]));
    return max(one, max(length(p.u[1] - p.u[2]), length(p.u[1] - p.u[3])));
}

/// Nearest points of two segments (Ericson, "Real-Time Collision Detection", 5.1.9); of parallel ones the middle of what faces the other.
fn nearest(p: Pair, time: f32) -> Meeting {
    let p0 = p.x[0] + p.u[0] * time;
    let q0 = p.x[2] + p.u[2] * time;
    let d = (p.x[1] - p.x[0]) + (p.u[1] - p.u[0]) * time;
    let e = (p.x[3] - p.x[2]) + (p.u[3] - p.u[2]) * time;
    let r = p0 - q0;
    let dd = max(dot(d, d), 1e-30);
    let ee = max(dot(e, e), 1e-30);
    let de = dot(d, e);
    let dr = dot(d, r);
    let er = dot(e, r);
    let across = cross(d, e);
    let sine = dot(across, across);
    let wide = PARALLEL * thick(p);
    var s: f32;
    if (max(wide * wide * max(dd, ee), 1e-8 * dd * ee) < sine) {
        s = (de * er - dr * ee) / sine;
    } else {
        let one = -dr / dd;
        let other = (de - dr) / dd;
        s = (clamp(one, 0.0, 1.0) + clamp(other, 0.0, 1.0)) * 0.5;
    }
    s = clamp(s, 0.0, 1.0);
    let t = clamp((de * s + er) / ee, 0.0, 1.0);
    s = clamp((de * t - dr) / dd, 0.0, 1.0);
    let gap = (r + d * s) - e * t;
    let l = length(gap);
    let radii = mix(p.radii.x, p.radii.y, s) + mix(p.radii.z, p.radii.w, t);
    var normal = vec3<f32>();
    if (1e-5 * radii < l) {
        normal = gap / l;
    } else if (0.0 < sine) {
        normal = across / sqrt(sine);
    }
    return Meeting(s, t, normal, l - radii + p.allowed, time);
}

/// Where the edges first come near each other in the substep, with the gap there along the normal when it began. Nothing: the normal is 0.
fn meet(p: Pair) -> Meeting {
    let radii = thick(p);
    let approach = approach_of(p);
    let there = nearest(p, 0.0);
    if (!(there.gap <= approach + NEAR * radii)) {
        return Meeting();
    }
    if (there.gap <= NEAR * radii) {
        return there;
    }
    return first(p, there.gap, 0.5 * NEAR * radii, approach);
}
/// Where they first have only the gap `to` between them, `gap` when the substep began.
fn first(p: Pair, gap: f32, to: f32, approach: f32) -> Meeting {
    let close = (gap - to) * 1e-2;
    var there = Meeting(0.0, 0.0, vec3<f32>(), gap, 0.0);
    for (var k = 0u; k < ADVANCES; k++) {
        let time = there.time + (there.gap - to) / approach;
        if (!(time < 1.0)) {
            return Meeting();
        }
        there = nearest(p, time);
        if (there.gap <= to + close) {
            break;
        }
    }
    let apart = mix(p.x[0], p.x[1], there.s) - mix(p.x[2], p.x[3], there.t);
    let touch = mix(p.radii.x, p.radii.y, there.s) + mix(p.radii.z, p.radii.w, there.t);
    there.gap = dot(there.normal, apart) - touch + p.allowed;
    return there;
}

/// Whether two sets touch each other: one meets itself whatever its layers are.
fn may_meet(a: u32, b: u32) -> bool {
    return a == b || ((sets[a].mask & sets[b].category) != 0u && (sets[b].mask & sets[a].category) != 0u);
}
fn friction_of(a: u32, b: u32) -> f32 {
    let one = places[a].owner;
    let other = places[b].owner;
    return select(sqrt(sets[one].friction * sets[other].friction), sets[one].friction, one == other);
}

/// Whether they are so near along one strand that they cannot but be near each other.
fn neighbours(a: u32, b: u32, radii: f32) -> bool {
    if (places[a].strand != places[b].strand) {
        return false;
    }
    let end = places[a].next;
    return end == b || places[b].arc - places[end].arc < TURN * radii;
}

/// The contacts of the substep, of each edge the PER_EDGE that come nearest; they begin with the forces of the substep before.
@compute @workgroup_size(64)
fn find(@builtin(global_invocation_id) id: vec3<u32>) {
    let c = id.x;
    if (!has_edge(c)) {
        return;
    }
    var near: array<f32, PER_EDGE>;
    var kept: array<u32, PER_EDGE>;
    var count = 0u;
    var dropped = 0u;
    let next = places[c].next;
    let at = middle(c);
    let thickness = max(points[c].radius, points[next].radius);
    let half = 0.5 * length(points[next].x - points[c].x);
    let way = max(length(points[c].u), length(points[next].u));
    let size = width_of_squares();
    let here = square(at, size);
    for (var k = 0u; k < 27u && is_finite(at); k++) {
        let there = here + vec3<i32>(i32(k % 3u), i32(k / 3u % 3u), i32(k / 9u)) - vec3<i32>(1);
        for (var d = atomicLoad(&buckets[bucket(there)]); d != NONE; d = atomicLoad(&buckets[touching.mask + 1u + d])) {
            let m = middle(d);
            if (d == c || any(square(m, size) != there) || !may_meet(places[c].owner, places[d].owner)) {
                continue;
            }
            let end = places[d].next;
            let radii = thickness + max(points[d].radius, points[end].radius);
            let apart = m - at;
            let moves = way + max(length(points[d].u), length(points[end].u));
            let far = half + 0.5 * length(points[end].x - points[d].x) + moves + radii * (1.0 + NEAR);
            if (far * far < dot(apart, apart)) {
                continue;
            }
            let a = min(c, d);
            let b = max(c, d);
            if (neighbours(a, b, radii)) {
                continue;
            }
            let p = pair_of(a, b);
            let approach = approach_of(p);
            let start = nearest(p, 0.0);
            if (!(start.gap <= approach + NEAR * radii)) {
                continue;
            }
            // In the order of how near they come, and before those that others may yet push together; of two the lesser number.
            let meets = start.gap <= NEAR * radii || any(meet(p).normal != vec3<f32>());
            let key = select(start.gap, start.gap - approach, meets);
            var slot = count;
            if (count == PER_EDGE) {
                dropped += 1u;
                slot = PER_EDGE - 1u;
                if (near[slot] < key || (near[slot] == key && kept[slot] < d)) {
                    continue;
                }
            } else {
                count += 1u;
            }
            while (slot > 0u && (key < near[slot - 1u] || (key == near[slot - 1u] && d < kept[slot - 1u]))) {
                near[slot] = near[slot - 1u];
                kept[slot] = kept[slot - 1u];
                slot -= 1u;
            }
            near[slot] = key;
            kept[slot] = d;
        }
    }
    if (dropped > 0u) {
        _ = atomicAdd(&buckets[touching.mask + 1u + touching.cells], dropped);
    }
    var known: array<u32, PER_EDGE>;
    var force: array<vec4<f32>, PER_EDGE>;
    for (var k = 0u; k < PER_EDGE; k++) {
        let row = k * touching.cells + c;
        known[k] = select(NONE, rows[row].other, 0.0 < rows[row].live);
        force[k] = vec4<f32>(rows[row].dragged, rows[row].pressed);
        // What it was pressed with, along the normal of then and across it.
        force[k] = vec4<f32>(force[k].xyz + rows[row].normal * force[k].w, force[k].w);
    }
    for (var k = 0u; k < PER_EDGE; k++) {
        var row: Row;
        row.other = NONE;
        if (k < count) {
            let d = kept[k];
            let m = meet(pair_of(min(c, d), max(c, d)));
            row = Row(m.normal, m.gap, vec3<f32>(), 0.0, d, m.s, m.t, 1.0);
            for (var j = 0u; j < PER_EDGE; j++) {
                if (known[j] == d) {
                    row.pressed = max(dot(force[j].xyz, m.normal), 0.0);
                    row.dragged = held_by(force[j].xyz - m.normal * dot(force[j].xyz, m.normal), row.pressed, friction_of(c, d));
                }
            }
        }
        rows[k * touching.cells + c] = row;
    }
}

/// Friction within its cone.
fn held_by(f: vec3<f32>, pressed: f32, friction: f32) -> vec3<f32> {
    let most = friction * pressed;
    let l = length(f);
    return select(f, f * (most / max(l, 1e-30)), most < l);
}

/// What a pass does with a contact of an edge.
const AGREE: u32 = 0u;
const LOOK: u32 = 1u;
const PUSH: u32 = 2u;
const SUM: u32 = 3u;
/// And on: held back for the first time, for the second …
const STOP: u32 = 4u;

/// What a contact gives its edge a, kg m, and 1 where it counts among those that a vertex shares itself among.
struct Given {
    push: vec3<f32>,
    counts: f32,
}

/// All contacts of an edge, one after the other: what they give its two vertices.
fn each_contact(c: u32, what: u32) {
    if (!has_edge(c)) {
        return;
    }
    var push0 = vec3<f32>();
    var push1 = vec3<f32>();
    var squeeze = vec2<f32>();
    var shares = vec2<f32>();
    for (var k = 0u; k < PER_EDGE; k++) {
        let at = k * touching.cells + c;
        if (rows[at].other == NONE) {
            break;
        }
        var given: Given;
        switch (what) {
            case AGREE: {
                given = agree_on(at, c);
            }
            case LOOK: {
                given = look_at(at, c);
            }
            case PUSH: {
                given = push_by(at, c);
            }
            case SUM: {
                given = Given((rows[at].normal * rows[at].pressed + rows[at].dragged) * rows[at].live, 0.0);
            }
            default: {
                stop(at, c, what - STOP);
            }
        }
        let first = c < rows[at].other;
        let part = select(rows[at].t, rows[at].s, first);
        let push = given.push * select(-1.0, 1.0, first);
        push0 += push * (1.0 - part);
        push1 += push * part;
        squeeze += vec2<f32>(1.0 - part, part) * dot(given.push, rows[at].normal);
        shares += vec2<f32>(1.0 - part, part) * given.counts;
    }
    points[c].push0 = push0;
    points[c].push1 = push1;
    points[c].squeeze = squeeze;
    if (what == AGREE || what == LOOK) {
        points[c].give = shares.x;
        points[c].shares = shares.y;
    }
}

/// Leaves out what the other edge has no room for; the sums that the measure of a contact needs, and what contacts begin with.
fn agree_on(at: u32, c: u32) -> Given {
    let row = rows[at];
    var live = false;
    for (var j = 0u; j < PER_EDGE; j++) {
        live = live || rows[j * touching.cells + row.other].other == c;
    }
    rows[at].live = f32(live);
    if (!live || !any(row.normal != vec3<f32>())) {
        return Given();
    }
    // A Newton step has had them as loads.
    let push = select(row.normal * row.pressed + row.dragged, vec3<f32>(), sets[places[c].owner].direct == 1u);
    return Given(push, 1.0);
}

/// Another look: what contacts have pushed may come into others. Those that have met stay as they are.
fn look_at(at: u32, c: u32) -> Given {
    let row = rows[at];
    if (!(0.0 < row.live)) {
        return Given();
    }
    if (!any(row.normal != vec3<f32>())) {
        let m = meet(pair_of(min(c, row.other), max(c, row.other)));
        if (!any(m.normal != vec3<f32>())) {
            return Given();
        }
        rows[at] = Row(m.normal, m.gap, vec3<f32>(), 0.0, row.other, m.s, m.t, 1.0);
    }
    return Given(vec3<f32>(), 1.0);
}

@compute @workgroup_size(64)
fn agree(@builtin(global_invocation_id) id: vec3<u32>) {
    each_contact(id.x, AGREE);
}
@compute @workgroup_size(64)
fn look(@builtin(global_invocation_id) id: vec3<u32>) {
    each_contact(id.x, LOOK);
}

/// After `agree` or `look`: what a push does to a vertex in the measure of all its contacts.
@compute @workgroup_size(64)
fn weigh(@builtin(global_invocation_id) id: vec3<u32>) {
    let c = id.x;
    if (!has_vertex(c)) {
        return;
    }
    var all = select(0.0, points[c].give, places[c].next != NONE);
    if (places[c].before != NONE) {
        all += points[places[c].before].shares;
    }
    points[c].give = points[c].w * all;
    points[c].thins = points[c].yields * all;
    take(c);
}

/// A vertex takes what its edges were given.
fn take(c: u32) {
    var push = select(vec3<f32>(), points[c].push0, places[c].next != NONE);
    var squeeze = select(0.0, points[c].squeeze.x, places[c].next != NONE);
    if (places[c].before != NONE) {
        push += points[places[c].before].push1;
        squeeze += points[places[c].before].squeeze.y;
    }
    points[c].u += push * points[c].w;
    points[c].swell -= squeeze * points[c].yields;
    points[c].squeezed += squeeze;
}

@compute @workgroup_size(64)
fn apply(@builtin(global_invocation_id) id: vec3<u32>) {
    if (has_vertex(id.x)) {
        take(id.x);
    }
}

/// A round: each contact as if its vertices shared themselves among their contacts (Tonge et al. 2012), so that all together do not go too far.
fn push_by(at: u32, c: u32) -> Given {
    let row = rows[at];
    if (!(0.0 < row.live)) {
        return Given();
    }
    let a = min(c, row.other);
    let b = max(c, row.other);
    let a1 = places[a].next;
    let b1 = places[b].next;
    let share = vec4<f32>(1.0 - row.s, row.s, 1.0 - row.t, row.t);
    let gives = vec4<f32>(points[a].give, points[a1].give, points[b].give, points[b1].give);
    let across = dot(share, gives);
    if (!(0.0 < across)) {
        return Given();
    }
    // Radii that yield are unknowns, too (Angles et al. 2019, eq. 31).
    let yields = vec4<f32>(points[a].yields, points[a1].yields, points[b].yields, points[b1].yields);
    let give = across + dot(share, vec4<f32>(points[a].thins, points[a1].thins, points[b].thins, points[b1].thins));
    let swell = dot(share, vec4<f32>(points[a].swell, points[a1].swell, points[b].swell, points[b1].swell));
    let slip = mix(points[a].u, points[a1].u, row.s) - mix(points[b].u, points[b1].u, row.t);
    let along = dot(row.normal, slip);
    // What was deep comes out slowly.
    let radii = mix(points[a].radius, points[a1].radius, row.s) + mix(points[b].radius, points[b1].radius, row.t);
    let gap = row.gap + REST * radii;
    var open = select(max(gap * UNDONE, -MOST * radii), gap, 0.0 < gap) + along - swell;
    var soft = 0.0;
    if (0.0 < min(yields.x, yields.z)) {
        // The spring of relax.rs, of a force that has a bound.
        open = max(gap + along - swell, -SOFT * radii);
        soft = dot(share * share, yields + vec4<f32>(points[a].w, points[a1].w, points[b].w, points[b1].w)) / FIRM;
    }
    let pressed = max(row.pressed - (open + soft * row.pressed) / (give + soft), 0.0);
    let dragged = held_by(row.dragged - (slip - row.normal * along) / across, pressed, friction_of(a, b));
    rows[at].pressed = pressed;
    rows[at].dragged = dragged;
    return Given(row.normal * (pressed - row.pressed) + (dragged - row.dragged), 0.0);
}
@compute @workgroup_size(64)
fn push(@builtin(global_invocation_id) id: vec3<u32>) {
    each_contact(id.x, PUSH);
}

/// Edges that come through each other in spite of all that: both strands go a part of their way only.
fn stop(at: u32, c: u32, k: u32) {
    let row = rows[at];
    if (!(0.0 < row.live) || row.other < c) {
        return;
    }
    let p = pair_of(c, row.other);
    let radii = thick(p);
    let approach = approach_of(p);
    let start = nearest(p, 0.0);
    let deep = min(-DEEP * radii, start.gap - DEEPER * radii);
    if (!(start.gap <= approach + deep) || start.gap <= deep) {
        return;
    }
    let m = first(p, start.gap, deep, approach);
    if (any(m.normal != vec3<f32>())) {
        let part = bitcast<u32>(select(m.time * SHORT, 0.0, k + 1u == STOPS));
        _ = atomicMin(&buckets[part_at(places[c].strand, k)], part);
        _ = atomicMin(&buckets[part_at(places[row.other].strand, k)], part);
    }
}
fn hold(c: u32, k: u32) {
    if (has_vertex(c)) {
        let part = bitcast<f32>(atomicLoad(&buckets[part_at(places[c].strand, k)]));
        points[c].u *= select(1.0, part, 0.0 < points[c].w);
    }
}
@compute @workgroup_size(64)
fn stop_once(@builtin(global_invocation_id) id: vec3<u32>) {
    each_contact(id.x, STOP);
}
@compute @workgroup_size(64)
fn hold_once(@builtin(global_invocation_id) id: vec3<u32>) {
    hold(id.x, 0u);
}
@compute @workgroup_size(64)
fn stop_again(@builtin(global_invocation_id) id: vec3<u32>) {
    each_contact(id.x, STOP + 1u);
}
@compute @workgroup_size(64)
fn hold_again(@builtin(global_invocation_id) id: vec3<u32>) {
    hold(id.x, 1u);
}

/// All that the contacts of an edge have pushed it with in the substep.
@compute @workgroup_size(64)
fn sum(@builtin(global_invocation_id) id: vec3<u32>) {
    each_contact(id.x, SUM);
    if (id.x == 0u) {
        atomicStore(&buckets[part_at(0u, STOPS)], 0u);
    }
}

/// What pushed a strand in the substep before is a load in the Newton step of this one: with it a strand bends about what it lies on, and contacts have to find the change
/// alone.
@compute @workgroup_size(64)
fn load(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= settings.strands) {
        return;
    }
    let strand = strands[id.x];
    let w = strand.width;
    var spin = vec3<f32>();
    let root = strand.offset + strand.lane;
    let from_root = strand.offset * STATE_ROWS + strand.lane + STATE_X * w;
    for (var i = 0u; i < strand.vertices; i++) {
        let c = root + i * w;
        let p = own.first_cell + c;
        var push = select(vec3<f32>(), points[p].push0, i + 1u < strand.vertices);
        if (i > 0u) {
            push += points[p - w].push1;
        }
        let by = push * points[p].w;
        let at = (c - strand.lane) * SCRATCH_ROWS + strand.lane + COAST * w;
        let coast = vec3<f32>(scratch[at], scratch[at + w], scratch[at + 2u * w]) + by;
        for (var k = 0u; k < 3u; k++) {
            scratch[at + k * w] = coast[k];
        }
        let x = three((c - strand.lane) * STATE_ROWS + strand.lane + STATE_X * w, w);
        spin += cross((x - three(from_root, w)) + coast, by) * mass(points[p].w);
    }
    if (settings.keep_spin > 0.0) {
        let at = id.x * REPORT_ROWS + REPORT_SPIN;
        report[at] += spin.x;
        report[at + 1u] += spin.y;
        report[at + 2u] += spin.z;
    }
}

/// What has pressed a vertex changes the scales of its edges, and with them what these are pressed with, of swept rods.
fn squeeze_edges(c: u32, p: u32, lane: u32, w: u32) {
    let radius = params[rows_at(0u, PARAM_ROWS, c, lane) + PARAM_RADIUS * w];
    let at_rest = select(radius, radius / touching.covered, radius < 0.0);
    let parts = parts_of(places[p]);
    for (var k = 0u; k < 2u; k++) {
        if (parts[k] > 0.0 && settings.swept_base > 0u) {
            let edge = c + k * w - w;
            let yields = yield_of(edge, lane, w);
            let scales = rows_at(settings.scale_base, SCALE_ROWS, edge, lane);
            let before = state[scales + SCALE_GROWTH * w];
            let least = LEAST_SCALE - 1.0 - state[scales + SCALE_SWELL * w];
            let now = max(before - at_rest * parts[k] * yields.x * points[p].squeezed, least);
            state[scales + SCALE_GROWTH * w] = now;
            let swept = rows_at(settings.swept_base, SWEPT_ROWS, edge, lane);
            let push = at_rest * parts[k] * points[p].squeezed;
            state[swept + SWEPT_PUSHED * w] -= push;
            state[swept + SWEPT_UNANSWERED * w] += yields.y * (now - before) + push;
        }
    }
}

/// Where contacts have taken a strand.
@compute @workgroup_size(64)
fn scatter(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= settings.strands) {
        return;
    }
    let strand = strands[id.x];
    let w = strand.width;
    var spin = vec3<f32>();
    let root = points[own.first_cell + strand.offset + strand.lane].x;
    for (var i = 0u; i < strand.vertices; i++) {
        let c = strand.offset + i * w + strand.lane;
        let at = (c - strand.lane) * STATE_ROWS + strand.lane + STATE_U * w;
        let p = own.first_cell + c;
        let u = points[p].u;
        let by = u - three(at, w);
        // A Newton step that gives a strand that flies its momentum back is to know of what others gave it.
        if (settings.keep_spin > 0.0 && any(by != vec3<f32>())) {
            spin += cross((points[p].x - root) + u, by) * mass(points[p].w);
            for (var k = 0u; k < 3u; k++) {
                scratch[(c - strand.lane) * SCRATCH_ROWS + strand.lane + (COAST + k) * w] += by[k];
            }
        }
        state[at] = u.x;
        state[at + w] = u.y;
        state[at + 2u * w] = u.z;
        if (points[p].squeezed != 0.0) {
            squeeze_edges(c, p, strand.lane, w);
        }
    }
    let at = id.x * REPORT_ROWS;
    if (settings.keep_spin > 0.0) {
        report[at + REPORT_SPIN] += spin.x;
        report[at + REPORT_SPIN + 1u] += spin.y;
        report[at + REPORT_SPIN + 2u] += spin.z;
    }
}

/// The contacts that press in the substep; of two edges the first tells.
@compute @workgroup_size(64)
fn count(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= settings.strands) {
        return;
    }
    let strand = strands[id.x];
    var count = 0u;
    for (var i = 0u; i + 1u < strand.vertices; i++) {
        let c = own.first_cell + strand.offset + i * strand.width + strand.lane;
        for (var k = 0u; k < PER_EDGE; k++) {
            let row = k * touching.cells + c;
            if (rows[row].other == NONE) {
                break;
            }
            count += u32(0.0 < rows[row].live && 0.0 < rows[row].pressed && c < rows[row].other);
        }
    }
    report[id.x * REPORT_ROWS + REPORT_CONTACTS] += f32(count);
}
