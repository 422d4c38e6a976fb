// What rods that keep their radius have of a scale; those that keep their volume have `scales.wgsl`.

fn contact_radius(i: u32) -> f32 {
    return param(i, PARAM_RADIUS);
}
fn widest() -> f32 {
    return settings.max_radius;
}
fn settle_scales() {}
fn finish_scales() {}
fn is_scale(i: u32) -> bool {
    return true;
}
