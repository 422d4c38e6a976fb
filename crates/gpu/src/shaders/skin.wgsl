// A skin, as crates/skin deforms it: edges → bones → vertices. Here are memory and order.

@group(0) @binding(3) var<storage, read> holds: array<Hold>;
/// Six an edge: start and ln s; their change along it; turn; k āāᵀ and ∇ ln s.
@group(0) @binding(4) var<storage, read_write> bones: array<vec4<f32>>;
/// Six a vertex: two numbers of 16 bits each. Edges, parts of edges, weights of four anchors.
@group(0) @binding(5) var<storage, read> bound: array<u32>;
/// Three numbers a vertex: offsets of all, normals, tangents.
@group(0) @binding(6) var<storage, read> vectors: array<f32>;
@group(0) @binding(7) var<storage, read_write> out: array<f32>;

/// One invocation an edge, for each part of each set of rods.
@compute @workgroup_size(64)
fn make_bones(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>) {
    let i = number_of(id, workgroups);
    if (i >= settings.count) {
        return;
    }
    let h = holds[i];
    let x = state3(h.at, h.width, STATE_X);
    let y = state3(h.at + STATE_ROWS * h.width, h.width, STATE_X);
    var swell = vec3<f32>();
    if (h.scale_at != NO_SCALE) {
        let own = state[h.scale_at];
        swell = vec3<f32>(own);
        if ((h.ends & FIRST) == 0u) {
            swell.x = state[h.scale_at - SCALE_ROWS * h.width];
        }
        if ((h.ends & LAST) == 0u) {
            swell.z = state[h.scale_at + SCALE_ROWS * h.width];
        }
    }
    let scale = skin_scales(swell, vec2<f32>(h.ratio_a, h.ratio_b));
    if (is_beyond(x) || is_beyond(y) || !is_positive(scale.x) || !is_positive(scale.y)) {
        atomicOr(&status[0], 1u);
    }
    let b = skin_bone(x, y - x, scale, rotation_after(h.at, h.width), vec4<f32>(h.rest, h.rest_w), h.axis, h.length);
    let to = 6u * h.to;
    bones[to] = vec4<f32>(b.start, b.log);
    bones[to + 1u] = vec4<f32>(b.change, b.log_change);
    bones[to + 2u] = b.turn;
    bones[to + 3u] = vec4<f32>(b.along, b.across.x);
    bones[to + 4u] = vec4<f32>(b.across.yz, b.swell.xy);
    bones[to + 5u] = vec4<f32>(b.swell.z, 0.0, 0.0, 0.0);
}

/// Relative to the first vertex of the strands.
fn bone_at(edge: u32) -> SkinBone {
    let i = 6u * edge;
    let start = bones[i];
    let change = bones[i + 1u];
    let along = bones[i + 3u];
    let across = bones[i + 4u];
    return SkinBone(
        start.xyz - bones[0].xyz,
        start.w,
        change.xyz,
        change.w,
        bones[i + 2u],
        along.xyz,
        vec3<f32>(along.w, across.xy),
        vec3<f32>(across.zw, bones[i + 5u].x),
    );
}

fn half_of(vertex: u32, list: u32, anchor: u32) -> u32 {
    return (bound[6u * vertex + 2u * list + anchor / 2u] >> (16u * (anchor % 2u))) & 0xffffu;
}

fn vector_at(vertex: u32, list: u32) -> vec3<f32> {
    let i = 3u * (list * settings.vertices + vertex);
    return vec3<f32>(vectors[i], vectors[i + 1u], vectors[i + 2u]);
}

/// One a vertex.
@compute @workgroup_size(64)
fn deform(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>) {
    let v = number_of(id, workgroups);
    if (v >= settings.count) {
        return;
    }
    var held = SkinHeld();
    var pull = SkinPull();
    var first = vec4<f32>();
    for (var k = 0u; k < 4u; k++) {
        let weight = f32(half_of(v, 2u, k)) * PART;
        // Those in use come first.
        if (weight == 0.0) {
            break;
        }
        let b = bone_at(half_of(v, 0u, k));
        var signed_weight = weight;
        if (k == 0u) {
            first = b.turn;
        } else {
            signed_weight = skin_signed(b.turn, first, weight);
        }
        held = skin_hold(held, b, f32(half_of(v, 1u, k)) * PART, weight, signed_weight);
        pull = skin_pull(pull, b, weight);
    }
    var result: vec3<f32>;
    if (settings.wants == 0u) {
        result = skin_position(held, pull, vector_at(v, 0u));
    } else if (settings.wants == 1u) {
        result = skin_normal(held, pull, vector_at(v, 0u), vector_at(v, 1u));
    } else {
        result = skin_tangent(held, pull, vector_at(v, 2u));
    }
    out[3u * v] = result.x;
    out[3u * v + 1u] = result.y;
    out[3u * v + 2u] = result.z;
}
