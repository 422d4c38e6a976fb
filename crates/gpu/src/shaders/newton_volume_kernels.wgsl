// Generated from crates/solve/src/rods/volume/mod.rs, crates/solve/src/collide/kernels.rs and crates/solve/src/layout/rows.rs by
// `cargo xtask wgsl`: do not edit.
// The same functions run on the CPU; meaning, units and papers are there.

struct VolumeStrain {
    stretch: f32,
    swell: f32,
    volume: f32,
}

struct VolumeSection {
    stiffness: f32,
    length: f32,
    shear: f32,
    swell_shear: f32,
    bulk: f32,
}

struct EdgeVolume {
    energy: f32,
    tension: f32,
    swelling: f32,
    stretch2: f32,
    mixed: f32,
    swell2: f32,
    safe_mixed: f32,
    safe_swell2: f32,
}

struct Scaling {
    force: f32,
    second: f32,
    cross: vec3<f32>,
    safe_cross: vec3<f32>,
}

fn volume_strain(stretch: f32, swell: f32) -> VolumeStrain {
    return VolumeStrain(stretch, swell, stretch + swell * (swell + 2.0f) * (stretch + 1.0f));
}

fn edge_volume(section: VolumeSection, now: VolumeStrain, rest: VolumeStrain) -> EdgeVolume {
    let t0 = section.stiffness * section.length;
    let t1 = section.length * t0;
    let t2 = now.stretch + 1.0f;
    let t3 = now.swell + 1.0f;
    let t4 = now.volume + 1.0f;
    let t5 = now.stretch - rest.stretch;
    let t6 = now.swell - rest.swell;
    let t7 = now.volume - rest.volume;
    let t8 = t3 * t3;
    let t9 = section.bulk * t7;
    let t10 = section.bulk * 2.0f;
    let t11 = t0 * (t4 * (t3 * t10));
    let t12 = 2.0f * t1;
    let t13 = t12 * (section.swell_shear + t2 * (t4 * t10));
    let t14 = section.shear * t5;
    let t15 = section.swell_shear * t6;
    let t16 = section.stiffness * (section.shear + t8 * (section.bulk * t8));
    return EdgeVolume(
        t1 * (0.5f * (t5 * t14 + t7 * t9) + t6 * t15),
        t0 * (t14 + t8 * t9),
        t12 * (t15 + t9 * (t2 * t3)),
        t16,
        t11 + t9 * (t3 * (2.0f * t0)),
        t13 + t9 * (t2 * t12),
        t11,
        t13,
    );
}

fn volume_hessian(volume: EdgeVolume, exact: f32) -> vec2<f32> {
    let t0 = volume.stretch2 * volume.swell2 - volume.mixed * volume.mixed;
    let t1 = volume.stretch2 * volume.safe_swell2 - volume.safe_mixed * volume.safe_mixed;
    let t2 = 0.0f < select(t0 - t1 * 0.25f, 1.0f, 0.0f < exact);
    return vec2<f32>(select(volume.safe_mixed, volume.mixed, t2), select(volume.safe_swell2, volume.swell2, t2));
}

fn rescaled(rest: ElementRest, s: f32) -> ElementRest {
    let t0 = s * s;
    let t1 = 1.0f / s;
    return ElementRest(
        vec4<f32>(rest.kappa.x * t1, rest.kappa.y * t1, rest.kappa.z * t1, rest.kappa.w * t1),
        rest.twist * t1,
        vec4<f32>(rest.bend.x * t0, rest.bend.y * t0, rest.bend.z * t0, rest.bend.w * t0),
        rest.turn * t0,
    );
}

fn darboux_scaling(q: Relative, psi: vec3<f32>, rest: ElementRest, s: f32) -> Scaling {
    let t0 = psi.x * 0.5f;
    let t1 = psi.y * 0.5f;
    let t2 = psi.z * 0.5f;
    let t3 = t0 * t1;
    let t4 = t0 * t2;
    let t5 = 1.0f + t0 * t0;
    let t6 = t3 - t2;
    let t7 = t1 + t4;
    let t8 = t1 * t2;
    let t9 = t2 + t3;
    let t10 = 1.0f + t1 * t1;
    let t11 = t8 - t0;
    let t12 = t4 - t1;
    let t13 = t0 + t8;
    let t14 = 1.0f + t2 * t2;
    let t15 = (1.0f + (q.rows[2].z + (q.rows[0].x + q.rows[1].y))) * 27.173914f;
    let t16 = select(0.0f, t15, 0.0f < t15);
    let t17 = select(1.0f, t16, t16 < 1.0f);
    let t18 = t17 * t17;
    let t19 = rest.bend.x * t18;
    let t20 = rest.bend.y * t18;
    let t21 = rest.turn * t18;
    let t22 = 1.0f / s;
    let t23 = psi.x * t19;
    let t24 = psi.x - rest.kappa.x;
    let t25 = t19 * t24;
    let t26 = psi.y * t20;
    let t27 = psi.y - rest.kappa.y;
    let t28 = t20 * t27;
    let t29 = psi.z * t21;
    let t30 = psi.z - rest.twist;
    let t31 = t21 * t30;
    let t32 = 0.0f + t5 * t23 + t9 * t26 + t12 * t29;
    let t33 = 0.0f + t6 * t23 + t10 * t26 + t13 * t29;
    let t34 = 0.0f + t7 * t23 + t11 * t26 + t14 * t29;
    let t35 = t22 * (t22 * (0.0f + psi.x * t23 + psi.y * t26 + psi.z * t29));
    return Scaling(
        t22 * (0.0f + t23 * t24 + t26 * t27 + t29 * t30),
        t35,
        vec3<f32>(t22 * (t32 + (0.0f + t5 * t25 + t9 * t28 + t12 * t31)), t22 * (t33 + (0.0f + t6 * t25 + t10 * t28 + t13 * t31)), t22 * (t34 + (0.0f + t7 * t25 + t11 * t28 + t14 * t31))),
        vec3<f32>(t22 * t32, t22 * t33, t22 * t34),
    );
}

fn curvature_scaling(q: Relative, kappa: vec4<f32>, twist: f32, rest: ElementRest, s: f32) -> Scaling {
    let t0 = q.rows[2].z + 1.0f;
    let t1 = 1.0f / select(1e-6f, t0, 1e-6f < t0);
    let t2 = t1 * 2.0f;
    let t3 = -q.rows[2].y;
    let t4 = t1 * t3;
    let t5 = q.rows[2].x * t1;
    let t6 = 0.0f * t1;
    let t7 = 0.0f * t2;
    let t8 = t2 * (-q.rows[0].y) - kappa.x * t4;
    let t9 = q.rows[0].x * t2 - kappa.x * t5;
    let t10 = t7 - kappa.x * t6;
    let t11 = t2 * (-q.rows[1].y) - kappa.y * t4;
    let t12 = q.rows[1].x * t2 - kappa.y * t5;
    let t13 = t7 - kappa.y * t6;
    let t14 = t7 - kappa.z * t4;
    let t15 = q.rows[2].z * t2 - kappa.z * t5;
    let t16 = t2 * t3 - kappa.z * t6;
    let t17 = t2 * (-q.rows[2].z) - kappa.w * t4;
    let t18 = t7 - kappa.w * t5;
    let t19 = q.rows[2].x * t2 - kappa.w * t6;
    let t20 = kappa.z * (-0.5f);
    let t21 = kappa.w * (-0.5f);
    let t22 = 1.0f / s;
    let t23 = kappa.x * rest.bend.x;
    let t24 = kappa.x - rest.kappa.x;
    let t25 = rest.bend.x * t24;
    let t26 = kappa.y * rest.bend.y;
    let t27 = kappa.y - rest.kappa.y;
    let t28 = rest.bend.y * t27;
    let t29 = kappa.z * rest.bend.z;
    let t30 = kappa.z - rest.kappa.z;
    let t31 = rest.bend.z * t30;
    let t32 = kappa.w * rest.bend.w;
    let t33 = kappa.w - rest.kappa.w;
    let t34 = rest.bend.w * t33;
    let t35 = 0.0f + kappa.x * t23 + kappa.y * t26 + kappa.z * t29 + kappa.w * t32;
    let t36 = twist * rest.turn;
    let t37 = twist - rest.twist;
    let t38 = rest.turn * t37;
    let t39 = 0.0f + t23 * t24 + t26 * t27 + t29 * t30 + t32 * t33 + t36 * t37;
    let t40 = 0.0f + t8 * t23 + t11 * t26 + t14 * t29 + t17 * t32 + t20 * t36;
    let t41 = 0.0f + t9 * t23 + t12 * t26 + t15 * t29 + t18 * t32 + t21 * t36;
    let t42 = 0.0f + t10 * t23 + t13 * t26 + t16 * t29 + t19 * t32 + t36;
    let t43 = 0.0f + t8 * t25 + t11 * t28 + t14 * t31 + t17 * t34 + t20 * t38;
    let t44 = 0.0f + t9 * t25 + t12 * t28 + t15 * t31 + t18 * t34 + t21 * t38;
    let t45 = t42 + (0.0f + t10 * t25 + t13 * t28 + t16 * t31 + t19 * t34 + t38);
    return Scaling(
        t22 * t39,
        t22 * (t22 * (t35 + twist * t36)),
        vec3<f32>(t22 * (t40 + t43), t22 * (t41 + t44), t22 * t45),
        vec3<f32>(t22 * t40, t22 * t41, t22 * t42),
    );
}
