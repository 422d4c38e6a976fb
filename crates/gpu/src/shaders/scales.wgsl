// Scales of sections, in rods that keep their volume: crates/solve/src/rods/group/scales.rs.

/// The contact radius that was asked for last, m.
var<private> radius_here: f32;

fn scale_at(i: u32, row: u32) -> u32 {
    return settings.scale_base + (me.offset + i * me.width) * SCALE_ROWS + row * me.width + me.lane;
}
fn scale_row(i: u32, row: u32) -> f32 {
    return state[scale_at(i, row)];
}
fn set_scale_row(i: u32, row: u32, v: f32) {
    state[scale_at(i, row)] = v;
}
fn bulk(i: u32, row: u32) -> f32 {
    return params[settings.bulk_base + (me.offset + i * me.width) * BULK_ROWS + row * me.width + me.lane];
}

/// s − 1 of edge `i` where it is now.
fn swell(i: u32) -> f32 {
    return scale_row(i, SCALE_SWELL) + scale_row(i, SCALE_GROWTH);
}
/// The scale of the section at vertex `i`: the mean of its edges', at an end that of the last edge.
fn section_scale(i: u32) -> f32 {
    let before = swell(max(i, 1u) - 1u);
    let after = swell(min(i, me.vertices - 2u));
    return 1.0 + (before + after) * 0.5;
}
/// The same when the substep began.
fn began_scale(i: u32) -> f32 {
    let before = scale_row(max(i, 1u) - 1u, SCALE_SWELL);
    let after = scale_row(min(i, me.vertices - 2u), SCALE_SWELL);
    return 1.0 + (before + after) * 0.5;
}

/// How near a collider may come to vertex `i`: by its section as it was when the substep began.
fn contact_radius(i: u32) -> f32 {
    radius_here = param(i, PARAM_RADIUS) * began_scale(i);
    return radius_here;
}
/// Hulls and meshes are looked for as far off as the thickest vertex at rest reaches, or this one now.
fn widest() -> f32 {
    return max(settings.max_radius, radius_here);
}

/// How edge `i` may have grown in a substep in which it had grown by `before`.
fn growth_of(i: u32, before: f32, to: f32) -> f32 {
    return possible_growth(scale_row(i, SCALE_SWELL), before, to);
}

/// Growth becomes how fast it grows, of which damping leaves a part.
fn finish_scales() {
    let keep = select(1.0, 1.0 - settings.damping, settings.damping > 0.0);
    let rate = keep / settings.h;
    for (var i = 0u; i < me.vertices; i++) {
        let growth = scale_row(i, SCALE_GROWTH);
        set_scale_row(i, SCALE_SWELL, scale_row(i, SCALE_SWELL) + growth);
        set_scale_row(i, SCALE_GROWTH, growth * rate);
    }
}

fn is_scale(i: u32) -> bool {
    return is_finite(vec3<f32>(scale_row(i, SCALE_SWELL), scale_row(i, SCALE_GROWTH), 0.0));
}
