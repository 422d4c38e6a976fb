// Render hair, as crates/hair makes it: guides → samples of the tables → vertices → edges no longer than they may be → tangents. Here are memory and order.

@group(0) @binding(3) var<storage, read> spots: array<Spot>;
/// Two a vertex: where it is; the turn of the edge after it.
@group(0) @binding(4) var<storage, read_write> guides: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> taps: array<HairTap>;
/// Two a sample: x y z qx, qy qz qw fade. After all of them the origin.
@group(0) @binding(6) var<storage, read_write> samples: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> strands: array<HairStrand>;
/// Groups of eight vertices: x of all, y, z, and how far each may be from the one before it.
@group(0) @binding(8) var<storage, read> offsets: array<f32>;
/// Two numbers of 16 bits each.
@group(0) @binding(9) var<storage, read> uneven: array<u32>;
@group(0) @binding(10) var<storage, read> roots: array<HairRoot>;
@group(0) @binding(11) var<storage, read> kept: array<HairKept>;
/// Which of those has each group of eight vertices.
@group(0) @binding(12) var<storage, read> groups: array<u32>;
@group(0) @binding(13) var<storage, read_write> out: array<f32>;

/// One invocation a vertex of the guides, for each part of each set of rods.
@compute @workgroup_size(64)
fn gather(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>) {
    let i = number_of(id, workgroups);
    if (i >= settings.count) {
        return;
    }
    let s = spots[i];
    let x = state3(s.at, s.width, STATE_X);
    if (is_beyond(x)) {
        atomicOr(&status[0], 1u);
    }
    guides[2u * s.to] = vec4<f32>(x, 0.0);
    let now = rotation_after(s.at - s.back * STATE_ROWS * s.width, s.width);
    guides[2u * s.to + 1u] = hair_turn(now, vec4<f32>(s.rest, s.rest_w));
}

/// Guides of two and three vertices have weights of 0 for those that follow.
fn guide_at(vertex: u32) -> vec3<f32> {
    return guides[2u * min(vertex, settings.last)].xyz - guides[0].xyz;
}

/// One a sample of the tables.
@compute @workgroup_size(64)
fn sample_guides(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>) {
    let i = number_of(id, workgroups);
    if (i >= settings.count) {
        return;
    }
    if (i == 0u) {
        samples[2u * settings.count] = guides[0];
    }
    let t = taps[i];
    let v = t.first;
    let s = hair_sample(
        guide_at(v),
        guide_at(v + 1u),
        guide_at(v + 2u),
        guide_at(v + 3u),
        vec4<f32>(t.a, t.b, t.c, t.d),
        guides[2u * t.edge + 1u],
        guides[2u * min(t.edge + 1u, settings.last) + 1u],
        t.share,
    );
    samples[2u * i] = vec4<f32>(s.at, s.turn.x);
    samples[2u * i + 1u] = vec4<f32>(s.turn.yzw, t.fade);
}

fn sample_at(i: u32) -> HairSample {
    let a = samples[2u * i];
    return HairSample(a.xyz, vec4<f32>(a.w, samples[2u * i + 1u].xyz));
}

fn offset_of(s: HairStrand, vertex: u32) -> vec3<f32> {
    let i = (s.group + vertex / 8u) * 32u + vertex % 8u;
    return vec3<f32>(offsets[i], offsets[i + 8u], offsets[i + 16u]);
}
fn most_of(s: HairStrand, vertex: u32) -> f32 {
    return offsets[(s.group + vertex / 8u) * 32u + 24u + vertex % 8u];
}

/// The first and the last vertex stay (`plan::vertex`).
fn vertex_of(s: HairStrand, k: HairKept, j: u32) -> u32 {
    return (j * (s.vertices - 1u) * 2u + (k.vertices - 1u)) / (2u * (k.vertices - 1u));
}

fn sample_of(s: HairStrand, vertex: u32) -> u32 {
    if (s.samples == NONE) {
        return vertex;
    }
    let i = s.samples + vertex;
    return (uneven[i / 2u] >> (16u * (i % 2u))) & 0xffffu;
}

/// One a vertex that is read, and what is left of its group of eight.
@compute @workgroup_size(64)
fn read_hair(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>) {
    let i = number_of(id, workgroups);
    if (i / 8u >= settings.count) {
        return;
    }
    let k = kept[groups[i / 8u]];
    let j = i - 8u * k.group;
    if (j >= k.vertices) {
        return;
    }
    let s = strands[k.strand];
    let v = vertex_of(s, k, j);
    let n = sample_of(s, v);
    let weights = vec3<f32>(s.weight_a, s.weight_b, s.weight_c);
    var at = hair_blend(sample_at(s.a + n), sample_at(s.b + n), sample_at(s.c + n), weights);
    if (settings.rooted != 0u) {
        let r = roots[k.strand];
        let root = (r.high - samples[2u * settings.origin_at].xyz) + r.low;
        let turn = vec4<f32>(r.x, r.y, r.z, r.w);
        let center = hair_center(samples[2u * s.a].xyz, samples[2u * s.b].xyz, samples[2u * s.c].xyz, weights);
        at = hair_rooted(at, turn, hair_root_shift(root, turn, center, offset_of(s, 0u)), samples[2u * (s.a + n) + 1u].w);
    }
    let x = hair_placed(at, offset_of(s, v));
    let to = 3u * (k.first + j);
    out[to] = x.x;
    out[to + 1u] = x.y;
    out[to + 2u] = x.z;
}

fn position(vertex: u32) -> vec3<f32> {
    return vec3<f32>(out[3u * vertex], out[3u * vertex + 1u], out[3u * vertex + 2u]);
}

/// One a strand that is read, when all positions are there: from the root on, what is too far from the vertex before it comes nearer.
@compute @workgroup_size(64)
fn hold_edges(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>) {
    let i = number_of(id, workgroups);
    if (i >= settings.strands) {
        return;
    }
    let k = kept[i];
    let s = strands[k.strand];
    var before = position(k.first);
    var v = 0u;
    for (var j = 1u; j < k.vertices; j++) {
        let next = vertex_of(s, k, j);
        // With the edges of the vertices between that are left out, as the CPU adds them.
        var most = most_of(s, next);
        for (var w = v + 1u; w < next; w++) {
            most += most_of(s, w);
        }
        v = next;
        let to = 3u * (k.first + j);
        before = hair_held(before, position(k.first + j), most);
        out[to] = before.x;
        out[to + 1u] = before.y;
        out[to + 2u] = before.z;
    }
}

/// The same as `read_hair`, of tangents.
@compute @workgroup_size(64)
fn read_tangents(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>) {
    let i = number_of(id, workgroups);
    if (i / 8u >= settings.count) {
        return;
    }
    let k = kept[groups[i / 8u]];
    let j = i - 8u * k.group;
    if (j >= k.vertices) {
        return;
    }
    let t = hair_tangent(position(k.first + max(j, 1u) - 1u), position(k.first + min(j + 1u, k.vertices - 1u)));
    let to = settings.tangents_at + 3u * (k.first + j);
    out[to] = t.x;
    out[to + 1u] = t.y;
    out[to + 2u] = t.z;
}
