// Momenta of a strand, and the damping that keeps them: crates/solve/src/rods/group/momentum.rs.

/// Rows of the two kinds of points: vertices, ghosts.
fn x_row(kind: u32) -> u32 {
    return select(STATE_GX, STATE_X, kind == 0u);
}
fn u_row(kind: u32) -> u32 {
    return select(STATE_GU, STATE_U, kind == 0u);
}
fn w_row(kind: u32) -> u32 {
    return select(PARAM_WG, PARAM_W, kind == 0u);
}

/// Müller et al. 2007, section 3.5: velocities are drawn to those of the rigid motion with the same momenta.
fn damp() {
    let origin = state3(0u, STATE_X);
    var m = 0.0;
    var mx = vec3<f32>();
    var mv = vec3<f32>();
    for (var i = 0u; i < me.vertices; i++) {
        for (var kind = 0u; kind < 2u; kind++) {
            let k = mass(param(i, w_row(kind)));
            m += k;
            mx += (state3(i, x_row(kind)) - origin) * k;
            mv += state3(i, u_row(kind)) * k;
        }
    }
    let inv = 1.0 / max(m, 1e-30);
    let center = mx * inv;
    let drift = mv * inv;
    var momentum = vec3<f32>();
    var inertia = Sym3();
    for (var i = 0u; i < me.vertices; i++) {
        for (var kind = 0u; kind < 2u; kind++) {
            let k = mass(param(i, w_row(kind)));
            let r = (state3(i, x_row(kind)) - origin) - center;
            momentum += cross(r, state3(i, u_row(kind)) - drift) * k;
            inertia = symmetric_add_inertia(inertia, r, k);
        }
    }
    let spin = symmetric_solve(inertia, momentum);
    for (var i = 0u; i < me.vertices; i++) {
        for (var kind = 0u; kind < 2u; kind++) {
            if (0.0 < param(i, w_row(kind))) {
                let r = (state3(i, x_row(kind)) - origin) - center;
                let v = state3(i, u_row(kind));
                put3(i, u_row(kind), v + ((drift + cross(spin, r)) - v) * settings.damping);
            }
        }
    }
}

fn kept_spin() -> vec3<f32> {
    return vec3<f32>(report[spin_at], report[spin_at + 1u], report[spin_at + 2u]);
}
fn set_spin(v: vec3<f32>) {
    report[spin_at] = v.x;
    report[spin_at + 1u] = v.y;
    report[spin_at + 2u] = v.z;
}

/// Σ m x×u over vertices and ghost points: h times the angular momentum about where the root was.
fn spin_now() -> vec3<f32> {
    let origin = state3(0u, STATE_X);
    var sum = vec3<f32>();
    for (var i = 0u; i < me.vertices; i++) {
        for (var kind = 0u; kind < 2u; kind++) {
            let u = state3(i, u_row(kind));
            sum += cross((state3(i, x_row(kind)) - origin) + u, u) * mass(param(i, w_row(kind)));
        }
    }
    return sum;
}

/// What turns about an edge beside its points, where ghost points are none.
struct Turning {
    axis: vec3<f32>,
    inertia: f32,
    /// h times its angular momentum.
    spin: f32,
}

/// What is left of a displacement until positions are where it takes them: nothing once steps of second order have taken it.
fn ahead(u: vec3<f32>) -> vec3<f32> {
    return select(u, vec3<f32>(), is_second());
}

/// The turn of a free strand that gives it back the angular momentum of which the sweeps have lost some.
struct LostSpin {
    center: vec3<f32>,
    turn: vec3<f32>,
    /// Before the turn, of velocities and of positions; of Newton steps.
    shift: vec3<f32>,
    moves: vec3<f32>,
}
/// What a substep of second order has moved before its velocities are corrected.
struct Went {
    /// The first vertex.
    root: vec3<f32>,
    /// Sum of m times by how much farther inertia and loads alone would have taken the vertices.
    short: vec3<f32>,
    /// The longest way.
    farthest: f32,
}
fn lost_spin(went: Went) -> LostSpin {
    let origin = state3(0u, STATE_X) - went.root;
    var m = 0.0;
    var mx = vec3<f32>();
    var spin = vec3<f32>();
    var held = held_anywhere();
    var inertia = Sym3();
    var moved = vec3<f32>();
    var behind = vec3<f32>();
    for (var i = 0u; i < me.vertices; i++) {
        held = held || !(0.0 < param(i, PARAM_W));
        for (var kind = 0u; kind < 2u; kind++) {
            let k = mass_of(i, kind);
            let u = state3(i, u_row(kind));
            let r = (state3(i, x_row(kind)) - origin) + ahead(u);
            m += k;
            mx += r * k;
            spin += cross(r, u) * k;
            inertia = symmetric_add_inertia(inertia, r, k);
        }
        moved += state3(i, STATE_U) * mass_of(i, 0u);
        behind += behind_of(i) * mass_of(i, 0u);
        let t = turning(i);
        let a = t.axis * t.inertia;
        spin += t.axis * t.spin;
        inertia = Sym3(
            inertia.xx + a.x * t.axis.x, inertia.xy + a.x * t.axis.y, inertia.xz + a.x * t.axis.z,
            inertia.yy + a.y * t.axis.y, inertia.yz + a.y * t.axis.z, inertia.zz + a.z * t.axis.z);
    }
    if (held) {
        return LostSpin();
    }
    let inv = 1.0 / max(m, 1e-30);
    let center = mx * inv;
    let shift = behind * inv;
    var moves = shift;
    if (is_second()) {
        moves = went.short * inv;
        // None takes a vertex beyond the speed limit.
        moves = select(vec3<f32>(), moves, went.farthest + length(moves) < settings.max_move);
    }
    inertia = symmetric_add_inertia(inertia, center, -m);
    spin += cross(moves, moved + behind) + cross(center, behind);
    let turn = symmetric_solve(inertia, kept_spin() - spin);
    return LostSpin(center + moves, select(vec3<f32>(), turn, dot(turn, turn) < most_turn() * most_turn()), shift, moves);
}
