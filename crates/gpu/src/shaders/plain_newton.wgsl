// The same where Newton's method solves; `newton_volume.wgsl` has what becomes of it with a scale.

fn stretch_of(i: u32, length: f32, towards: f32, stiffness: f32) -> Stretch {
    return stretch(length, towards, stiffness);
}
fn scaled_rest(i: u32, rest: ElementRest) -> ElementRest {
    return rest;
}
fn scaled_strains(i: u32, now: Strains) -> Strains {
    return now;
}
fn start_scale(i: u32) {}
fn clear_scale(i: u32) {}
fn put_volume(i: u32, edge: Edge, exact: bool, energy: f32) -> f32 {
    return energy;
}
fn put_scaling(i: u32, q: Relative, now: Strains, rest: ElementRest, e: Edge, f: Edge, exact: bool) {}
fn put_held_scaling(i: u32, q: Relative, rest: ElementRest, e: Edge, f: Edge, root: bool) {}
fn scale_energy(i: u32, energy: f32) -> f32 {
    return energy;
}
fn spread_energy(i: u32, energy: f32) -> f32 {
    return energy;
}
fn keep_growth_slope(i: u32) {}
fn growth_found(i: u32) -> f32 {
    return 0.0;
}
fn shorten_growth(i: u32, by: f32, taken: bool) {}
fn asked(i: u32, edge: Edge, longer: f32) -> f32 {
    return edge.pull + edge.stretch.stiffness * longer;
}
fn keep_growth(i: u32, along: f32) -> f32 {
    return along;
}
fn grow(i: u32, step: f32) {}
