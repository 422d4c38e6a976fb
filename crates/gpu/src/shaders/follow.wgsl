// What render hair and skins share: the strands that they follow, and where an invocation is. No formula is here.

@group(0) @binding(0) var<uniform> settings: FollowSettings;
/// Of the rods.
@group(0) @binding(1) var<storage, read> state: array<f32>;
/// Not 0: something is not finite, or too far away. The CPU then says what.
@group(0) @binding(2) var<storage, read_write> status: array<atomic<u32>>;

fn number_of(id: vec3<u32>, groups: vec3<u32>) -> u32 {
    return id.y * groups.x * 64u + id.x;
}

fn state3(at: u32, width: u32, row: u32) -> vec3<f32> {
    let i = at + row * width;
    return vec3<f32>(state[i], state[i + width], state[i + 2u * width]);
}

/// The material frame of the edge after the vertex at `at`, whose length is not 0.
fn rotation_after(at: u32, width: u32) -> vec4<f32> {
    let x = state3(at, width, STATE_X);
    let e = state3(at + STATE_ROWS * width, width, STATE_X) - x;
    // Seen from a vertex of the edge: far from the origin the middle of both would be rounded.
    return edge_rotation(e, (state3(at, width, STATE_GX) - x) - e * 0.5);
}

/// By the bits: compilers may take it that no number is NaN.
fn is_beyond(v: vec3<f32>) -> bool {
    return any((bitcast<vec3<u32>>(v) & vec3<u32>(0x7fffffffu)) > vec3<u32>(LARGEST));
}
fn is_positive(x: f32) -> bool {
    return bitcast<u32>(x) - 1u < 0x7f7fffffu;
}
