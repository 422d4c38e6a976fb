// Rods that keep their volume by Newton's method: crates/solve/src/rods/newton/volume.rs. The scale of each edge's section is the fifth unknown of a vertex.

/// Stretching and swelling of the edge that `edge_now` has looked at last.
var<private> volume_here: EdgeVolume;

fn wide_at(i: u32, k: u32) -> u32 {
    return settings.wide_base + (me.offset + i * me.width) * WIDE_ROWS + k * me.width + me.lane;
}
fn wide(i: u32, k: u32) -> f32 {
    return scratch[wide_at(i, k)];
}
fn set_wide(i: u32, k: u32, v: f32) {
    scratch[wide_at(i, k)] = v;
}
fn add_wide(i: u32, k: u32, v: f32) {
    scratch[wide_at(i, k)] += v;
}
/// Adds to what unknown `a` (0 to 3) of vertex `i` has to do with the scale of edge `j`.
fn put_to_scale(i: u32, a: u32, j: u32, v: f32) {
    if (i <= j) {
        add_wide(i, WIDE_TO_SCALES + 2u * a + j - i, v);
    } else {
        add_wide(j, WIDE_FROM_SCALE + 5u * (i - j) - 4u + a, v);
    }
}
fn put3_to_scale(i: u32, j: u32, v: vec3<f32>) {
    put_to_scale(i, 0u, j, v.x);
    put_to_scale(i, 1u, j, v.y);
    put_to_scale(i, 2u, j, v.z);
}

/// What becomes of a pivot.
fn wide_pivot(v: u32, unknown: u32, d: f32) -> f32 {
    var inertia: f32;
    var least: f32;
    if (unknown == 4u) {
        inertia = wide(v, WIDE_INERTIA);
        least = wide(v, WIDE_LEAST);
    } else {
        inertia = scratch1(v, INERTIA + u32(unknown == 3u));
        least = inertia;
    }
    if (floored) {
        return max(d, least);
    }
    let bad = d < inertia * INDEFINITE;
    indefinite = indefinite || bad;
    return select(d, inertia, bad);
}

fn stretch_of(i: u32, length: f32, towards: f32, stiffness: f32) -> Stretch {
    volume_here = edge_volume_of(i, length);
    return Stretch(volume_here.energy, volume_here.tension, volume_here.stretch2);
}
/// Viscosity draws an edge to what it was when the substep began, too.
fn edge_volume_of(i: u32, length: f32) -> EdgeVolume {
    let rest = param(i, PARAM_LENGTH);
    let inv = 1.0 / max(rest, NOTHING);
    let shear = bulk(i, BULK_SHEAR);
    var stiffness = 1.0 / max(param(i, PARAM_STRETCH), NOTHING);
    var towards: VolumeStrain;
    if (is_viscous()) {
        let ratio = param(i, PARAM_VISCOUS);
        let part = ratio / (1.0 + ratio);
        towards = VolumeStrain(
            (scratch1(i, START) - rest) * inv * part, wide(i, WIDE_START) * part, wide(i, WIDE_START + 1u) * part);
        stiffness *= 1.0 + ratio;
    }
    let now = volume_strain((length - rest) * inv, swell(i));
    return edge_volume(VolumeSection(stiffness, rest, shear, shear, bulk(i, BULK_BULK)), now, towards);
}

fn scaled_rest(i: u32, rest: ElementRest) -> ElementRest {
    return rescaled(rest, section_scale(i));
}
/// What viscosity draws elements to has the scale in it.
fn scaled_strains(i: u32, now: Strains) -> Strains {
    let s = section_scale(i);
    return Strains(now.kappa * s, now.twist * s);
}

/// Where inertia alone would take the scales, in a substep that begins.
fn start_scale(i: u32) {
    let growth = scale_row(i, SCALE_GROWTH);
    set_scale_row(i, SCALE_GROWTH, 0.0);
    if (i + 1u >= me.vertices) {
        set_wide(i, WIDE_COAST, 0.0);
        set_wide(i, WIDE_INERTIA, HELD);
        set_wide(i, WIDE_LEAST, HELD);
        return;
    }
    let inertia = bulk(i, BULK_INERTIA) * settings.inv_h2;
    let rest = param(i, PARAM_LENGTH);
    set_wide(i, WIDE_COAST, growth * (settings.h * settings.drag_keep));
    set_wide(i, WIDE_INERTIA, inertia);
    // A quarter of 4μAl̄: of the forms that edges give, no less is left when all but the scale is eliminated.
    set_wide(i, WIDE_LEAST, inertia + bulk(i, BULK_SHEAR) * (0.5 * rest * rest / max(param(i, PARAM_STRETCH), NOTHING)));
    if (is_viscous()) {
        let e = state3(i + 1u, STATE_X) - state3(i, STATE_X);
        let now = volume_strain((sqrt(dot(e, e)) - rest) * (1.0 / max(rest, NOTHING)), swell(i));
        set_wide(i, WIDE_START, now.swell);
        set_wide(i, WIDE_START + 1u, now.volume);
    }
}

/// The rows of the scale of edge `i` with its inertia and what the host does to it.
fn clear_scale(i: u32) {
    clear_wide(i);
    let d = wide(i, WIDE_INERTIA);
    let push = select(0.0, bulk(i, BULK_PUSH), d < HELD);
    set_wide(i, WIDE_FROM_SCALE, d);
    set_wide(i, WIDE_RHS, d * (wide(i, WIDE_COAST) - scale_row(i, SCALE_GROWTH)) + push);
}

/// What swelling adds to the system of edge `i`, which has just been looked at, and what differs between its scale and the one before. Returns `energy` with
/// that of the latter.
fn put_volume(i: u32, edge: Edge, exact: bool, energy: f32) -> f32 {
    let h = volume_hessian(volume_here, select(0.0, 1.0, exact));
    let along = edge.frame.t * h.x;
    slack += abs(volume_here.swelling);
    add_wide(i, WIDE_RHS, -volume_here.swelling - dot(along, edge.way));
    add_wide(i, WIDE_FROM_SCALE, h.y);
    put3_to_scale(i, i, -along);
    put3_to_scale(i + 1u, i, along);
    if (i == 0u) {
        return energy;
    }
    let spread = bulk(i, BULK_SPREAD);
    let pull = spread * (swell(i) - swell(i - 1u));
    add_wide(i, WIDE_RHS, -pull);
    add_wide(i - 1u, WIDE_RHS, pull);
    add_wide(i, WIDE_FROM_SCALE, spread);
    add_wide(i - 1u, WIDE_FROM_SCALE, spread);
    add_wide(i - 1u, WIDE_FROM_SCALE + 5u, -spread);
    return spread_energy(i, energy);
}
fn spread_energy(i: u32, energy: f32) -> f32 {
    if (i == 0u) {
        return energy;
    }
    let d = swell(i) - swell(i - 1u);
    return energy + 0.5 * bulk(i, BULK_SPREAD) * d * d;
}
/// The part of the potential at edge `i` that the inertia of its scale has, and what the host does to it.
fn scale_energy(i: u32, energy: f32) -> f32 {
    let growth = scale_row(i, SCALE_GROWTH);
    let m = wide(i, WIDE_INERTIA);
    let d = wide(i, WIDE_COAST) - growth;
    return energy + select(0.0, 0.5 * m * d * d - bulk(i, BULK_PUSH) * growth, m < HELD);
}

fn scaling_of(i: u32, q: Relative, now: Strains, rest: ElementRest) -> Scaling {
    let s = section_scale(i);
    if (is_der()) {
        return curvature_scaling(q, now.kappa, now.twist, folded(q, rest), s);
    }
    return darboux_scaling(q, vec3<f32>(now.kappa.xy, now.twist), rest, s);
}

/// What the element at vertex `i` has to do with the scales of its edges; `rest` is at the section's.
fn put_scaling(i: u32, q: Relative, now: Strains, rest: ElementRest, e: Edge, f: Edge, exact: bool) {
    let at = scaling_of(i, q, now, rest);
    var cross_ = at.safe_cross;
    if (exact && is_der()) {
        cross_ = at.cross;
    }
    // The derivatives by either scale: the section's is their mean.
    let d = element_force(q, cross_ * 0.5, e.frame, e.inv_length, f.frame, f.inv_length);
    let force = -(at.force * 0.5) - (dot(d.e, e.way) + dot(d.f, f.way));
    let second = at.second * 0.25;
    // A loop: compilers inline what is called, at each place.
    for (var j = i - 1u; j <= i; j++) {
        add_wide(j, WIDE_RHS, force);
        add_wide(j, WIDE_FROM_SCALE, second);
        put3_to_scale(i - 1u, j, -d.e);
        put3_to_scale(i, j, d.e - d.f);
        put3_to_scale(i + 1u, j, d.f);
        put_to_scale(i - 1u, 3u, j, d.turn_e);
        put_to_scale(i, 3u, j, d.turn_f);
    }
    add_wide(i - 1u, WIDE_FROM_SCALE + 5u, second);
}

/// The same of a half element between a held frame and an edge, of which `root` tells which one is free.
fn put_held_scaling(i: u32, q: Relative, rest: ElementRest, e: Edge, f: Edge, root: bool) {
    let at = scaling_of(i, q, strains(i, q), rest);
    let d = element_force(q, at.safe_cross, e.frame, e.inv_length, f.frame, f.inv_length);
    let first = select(i - 1u, i, root);
    let along = select(d.e, d.f, root);
    add_wide(first, WIDE_RHS, -at.force - dot(along, e.way + f.way));
    add_wide(first, WIDE_FROM_SCALE, at.second);
    put3_to_scale(first, first, -along);
    put3_to_scale(first + 1u, first, along);
    put_to_scale(first, 3u, first, select(d.turn_e, d.turn_f, root));
}

/// What the slope of the potential needs after the system has been solved.
fn keep_growth_slope(i: u32) {
    set_wide(i, WIDE_KEPT + 1u, wide(i, WIDE_RHS));
}
fn growth_found(i: u32) -> f32 {
    return wide(i, WIDE_RHS);
}
fn shorten_growth(i: u32, by: f32, taken: bool) {
    set_wide(i, WIDE_RHS, select(0.0, wide(i, WIDE_RHS) * by, taken));
}
/// The tension that the step asks of edge `i`, which has just been looked at.
fn asked(i: u32, edge: Edge, longer: f32) -> f32 {
    let h = volume_hessian(volume_here, select(1.0, 0.0, floored));
    return edge.pull + edge.stretch.stiffness * longer + h.x * wide(i, WIDE_RHS);
}
/// Keeps what `grow` starts from. Returns `along` with the slope along the solution.
fn keep_growth(i: u32, along: f32) -> f32 {
    set_wide(i, WIDE_KEPT, scale_row(i, SCALE_GROWTH));
    return along + select(0.0, wide(i, WIDE_KEPT + 1u) * wide(i, WIDE_RHS), wide(i, WIDE_INERTIA) < HELD);
}
/// Adds `step` times the solution to how the scale of edge `i` has grown, as far as that may be.
fn grow(i: u32, step: f32) {
    let kept = wide(i, WIDE_KEPT);
    set_scale_row(i, SCALE_GROWTH, growth_of(i, kept, kept + wide(i, WIDE_RHS) * step));
}

/// Newton's method leaves scales where they belong.
fn settle_scales() {}
