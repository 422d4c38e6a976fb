// Bodies that rods push, between the passes of the strands: sums of what vertices were pushed with, and where that takes the bodies and their shapes
// (docs/internals/gpu.md, Rods that push bodies).
//
//     tell   body      vertices near it, and of Newton's method what they pushed it with in the substep before     a dispatch for each part of a set
//     sum    body      what they have pushed it with in this one                                                   likewise
//     place  collider  where it is then, for the strands of a part                                                 likewise
//     end    body      takes its pushes on to the next substep

@group(0) @binding(0) var<storage, read_write> bodies: array<PushedBody>;
/// Of all bodies, substep by substep.
@group(0) @binding(1) var<storage, read> ways: array<BodyWay>;

@group(1) @binding(2) var<uniform> own: Pushes;
@group(1) @binding(3) var<storage, read> report: array<f32>;
@group(1) @binding(4) var<storage, read_write> solids: array<vec4<u32>>;

const THREADS: u32 = 128u;
var<workgroup> linear: array<vec3<f32>, THREADS>;
var<workgroup> angular: array<vec3<f32>, THREADS>;
var<workgroup> counted: array<f32, THREADS>;

fn way_of(b: u32) -> BodyWay {
    return ways[bodies[b].substep * own.bodies + b];
}
fn inverse_inertia(w: BodyWay) -> Sym3 {
    return Sym3(w.diagonal.x, w.beside.x, w.beside.y, w.diagonal.y, w.beside.z, w.diagonal.z);
}
fn row3(row: u32, cell: u32) -> vec3<f32> {
    let at = own.push_base + row * own.cells + cell;
    return vec3<f32>(report[at], report[at + own.cells], report[at + 2u * own.cells]);
}

/// In a fixed order: each invocation its own vertices, then pairs of them.
fn add_up(b: u32, local: u32, what: u32) {
    let name = way_of(b).name;
    var p = vec3<f32>();
    var l = vec3<f32>();
    var count = 0.0;
    for (var cell = local; cell < own.cells; cell += THREADS) {
        for (var k = 0u; k < PUSH_SLOTS; k++) {
            if (report[own.push_base + (k * PUSH_SLOT + PUSH_NAME) * own.cells + cell] != name) {
                continue;
            }
            let push = row3(k * PUSH_SLOT + what, cell);
            p -= push;
            l -= cross(row3(k * PUSH_SLOT + PUSH_ARM, cell), push);
            count += 1.0;
        }
    }
    linear[local] = p;
    angular[local] = l;
    counted[local] = count;
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (local < half) {
            linear[local] += linear[local + half];
            angular[local] += angular[local + half];
            counted[local] += counted[local + half];
        }
    }
    if (local == 0u) {
        let others = own.first == 0u;
        bodies[b].now_linear = select(vec3<f32>(), bodies[b].now_linear, others) + linear[0];
        bodies[b].now_angular = select(vec3<f32>(), bodies[b].now_angular, others) + angular[0];
        if (what == PUSH_BEFORE) {
            bodies[b].count = select(0.0, bodies[b].count, others) + counted[0];
        }
    }
}

@compute @workgroup_size(THREADS)
fn tell(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    add_up(group.x, local, PUSH_BEFORE);
}
@compute @workgroup_size(THREADS)
fn sum(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    add_up(group.x, local, PUSH_NOW);
}

/// What the pushes of the substep do in it, with those of the substeps before; and all of them together by its end.
fn moves_now(b: u32) -> BodyMoves {
    let w = way_of(b);
    return body_moves(
        bodies[b].linear + bodies[b].now_linear, bodies[b].angular + bodies[b].now_angular, w.inverse_mass, inverse_inertia(w));
}
fn moves_by_then(b: u32, now: BodyMoves) -> BodyMoves {
    return BodyMoves(bodies[b].shift + now.shift, bodies[b].turn + now.turn);
}

/// With how far its own way is off the straight one that `ways` and colliders have.
fn bent(b: u32, now: BodyMoves) -> array<BodyMoves, 2> {
    let w = way_of(b);
    let all = moves_by_then(b, now);
    return array<BodyMoves, 2>(BodyMoves(all.shift + w.bend, all.turn), BodyMoves(now.shift + w.bend_now, now.turn));
}

fn put4(at: u32, v: vec3<f32>, last: u32) {
    solids[at] = vec4<u32>(bitcast<vec3<u32>>(v), last);
}

@compute @workgroup_size(64)
fn place(@builtin(global_invocation_id) id: vec3<u32>) {
    let b = id.x;
    let substep = bodies[0].substep;
    if (substep >= own.substeps) {
        return;
    }
    if (b < own.bodies) {
        let w = way_of(b);
        let at = own.pushed_at + b * PUSHED_ROWS;
        put4(at, w.center + bent(b, moves_now(b))[0].shift, bitcast<u32>(w.inverse_mass));
        put4(at + 1u, w.diagonal, bitcast<u32>(w.name));
        put4(at + 2u, w.beside, bitcast<u32>(bodies[b].count));
        put4(at + 3u, (w.center - w.shift) + (bodies[b].shift + (w.bend - w.bend_now)), 0u);
    }
    if (id.x >= own.colliders) {
        return;
    }
    let k = (substep * own.colliders + id.x) * COLLIDER_ROWS;
    let way = own.ways_at + k;
    let body = collider_body(way);
    if (body == NONE) {
        return;
    }
    let moves = bent(body, moves_now(body));
    let shape = MovedShape(
        collider_center(way), mat3x3<f32>(collider_axis0(way), collider_axis1(way), collider_axis2(way)),
        mat3x3<f32>(collider_turn0(way), collider_turn1(way), collider_turn2(way)), collider_shift(way));
    let moved = moved_shape(shape, way_of(body).center, moves[0], moves[1]);
    let at = own.colliders_at + k;
    put4(at, moved.center, solids[at].w);
    put4(at + 2u, moved.axes[0], solids[at + 2u].w);
    put4(at + 3u, moved.axes[1], solids[at + 3u].w);
    put4(at + 4u, moved.axes[2], solids[at + 4u].w);
    put4(at + 5u, moved.turn[0], solids[at + 5u].w);
    put4(at + 6u, moved.turn[1], solids[at + 6u].w);
    put4(at + 7u, moved.turn[2], solids[at + 7u].w);
    put4(at + 8u, moved.shift, solids[at + 8u].w);
}

@compute @workgroup_size(64)
fn end(@builtin(global_invocation_id) id: vec3<u32>) {
    let b = id.x;
    if (b >= arrayLength(&bodies) || b >= own.bodies) {
        return;
    }
    let all = moves_by_then(b, moves_now(b));
    bodies[b].linear += bodies[b].now_linear;
    bodies[b].angular += bodies[b].now_angular;
    bodies[b].shift = all.shift;
    bodies[b].turn = all.turn;
    bodies[b].now_linear = vec3<f32>();
    bodies[b].now_angular = vec3<f32>();
    bodies[b].substep += 1u;
}
