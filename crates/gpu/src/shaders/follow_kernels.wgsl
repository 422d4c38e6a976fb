// Generated from crates/hair/src/kernels.rs and crates/skin/src/kernels.rs by `cargo xtask wgsl`: do not edit.
// The same functions run on the CPU; meaning and units are there.

struct HairSample {
    at: vec3<f32>,
    turn: vec4<f32>,
}

struct SkinBone {
    start: vec3<f32>,
    log: f32,
    change: vec3<f32>,
    log_change: f32,
    turn: vec4<f32>,
    along: vec3<f32>,
    across: vec3<f32>,
    swell: vec3<f32>,
}

struct SkinHeld {
    center: vec3<f32>,
    log: f32,
    turn: vec4<f32>,
}

struct SkinPull {
    along: vec3<f32>,
    across: vec3<f32>,
    swell: vec3<f32>,
}

fn edge_rotation(e: vec3<f32>, g: vec3<f32>) -> vec4<f32> {
    let t0 = e.x * e.x + e.y * e.y + e.z * e.z;
    let t1 = 1.0f / sqrt(select(1e-18f, t0, 1e-18f < t0));
    let t2 = e.x * t1;
    let t3 = e.y * t1;
    let t4 = e.z * t1;
    let t5 = g.x * t2 + g.y * t3 + g.z * t4;
    let t6 = g.x - t2 * t5;
    let t7 = g.y - t3 * t5;
    let t8 = g.z - t4 * t5;
    let t9 = t6 * t6 + t7 * t7 + t8 * t8;
    let t10 = 1.0f / sqrt(select(1e-18f, t9, 1e-18f < t9));
    let t11 = t6 * t10;
    let t12 = t7 * t10;
    let t13 = t8 * t10;
    let t14 = t3 * t13 - t4 * t12;
    let t15 = t4 * t11 - t2 * t13;
    let t16 = t2 * t12 - t3 * t11;
    let t17 = t16 - t3;
    let t18 = t2 - t13;
    let t19 = t12 - t14;
    let t20 = t3 + t16;
    let t21 = t2 + t13;
    let t22 = t12 + t14;
    let t23 = 1.0f + (t4 + (t11 + t15));
    let t24 = 1.0f + (t11 - t15 - t4);
    let t25 = 1.0f + (t15 - t11 - t4);
    let t26 = 1.0f + (t4 - t11 - t15);
    let t27 = t23 < t24;
    let t28 = select(t23, t24, t27);
    let t29 = t28 < t25;
    let t30 = select(t28, t25, t29) < t26;
    let t31 = select(select(select(t17, t24, t27), t22, t29), t21, t30);
    let t32 = select(select(select(t18, t22, t27), t25, t29), t20, t30);
    let t33 = select(select(select(t19, t21, t27), t20, t29), t26, t30);
    let t34 = select(select(select(t23, t17, t27), t18, t29), t19, t30);
    let t35 = t31 * t31 + t32 * t32 + t33 * t33 + t34 * t34;
    let t36 = 1.0f / sqrt(select(1e-30f, t35, 1e-30f < t35));
    return vec4<f32>(t31 * t36, t32 * t36, t33 * t36, t34 * t36);
}

fn hair_turn(now: vec4<f32>, rest: vec4<f32>) -> vec4<f32> {
    let t0 = now.w * (-rest.x) + now.x * rest.w + (now.z * rest.y - now.y * rest.z);
    let t1 = now.w * (-rest.y) + now.y * rest.w + (now.x * rest.z - now.z * rest.x);
    let t2 = now.w * (-rest.z) + now.z * rest.w + (now.y * rest.x - now.x * rest.y);
    let t3 = now.w * rest.w + now.x * rest.x + (now.y * rest.y + now.z * rest.z);
    return vec4<f32>(t0, t1, t2, t3);
}

fn hair_sample(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, d: vec3<f32>, weights: vec4<f32>, first: vec4<f32>, second: vec4<f32>, share: f32) -> HairSample {
    let t0 = first.x * second.x + first.y * second.y + (first.z * second.z + first.w * second.w);
    let t1 = select(share, -share, t0 < 0.0f);
    let t2 = 1.0f - share;
    let t3 = a.x * weights.x + b.x * weights.y + (c.x * weights.z + d.x * weights.w);
    let t4 = a.y * weights.x + b.y * weights.y + (c.y * weights.z + d.y * weights.w);
    let t5 = a.z * weights.x + b.z * weights.y + (c.z * weights.z + d.z * weights.w);
    return HairSample(
        vec3<f32>(t3, t4, t5),
        vec4<f32>(first.x * t2 + second.x * t1, first.y * t2 + second.y * t1, first.z * t2 + second.z * t1, first.w * t2 + second.w * t1),
    );
}

fn hair_center(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, weights: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(
        0.0f + a.x * weights.x + b.x * weights.y + c.x * weights.z,
        0.0f + a.y * weights.x + b.y * weights.y + c.y * weights.z,
        0.0f + a.z * weights.x + b.z * weights.y + c.z * weights.z,
    );
}

fn hair_blend(a: HairSample, b: HairSample, c: HairSample, weights: vec3<f32>) -> HairSample {
    let t0 = 0.0f + a.at.x * weights.x + b.at.x * weights.y + c.at.x * weights.z;
    let t1 = 0.0f + a.at.y * weights.x + b.at.y * weights.y + c.at.y * weights.z;
    let t2 = 0.0f + a.at.z * weights.x + b.at.z * weights.y + c.at.z * weights.z;
    let t3 = a.turn.x * b.turn.x + a.turn.y * b.turn.y + (a.turn.z * b.turn.z + a.turn.w * b.turn.w);
    let t4 = select(weights.y, -weights.y, t3 < 0.0f);
    let t5 = a.turn.x * c.turn.x + a.turn.y * c.turn.y + (a.turn.z * c.turn.z + a.turn.w * c.turn.w);
    let t6 = select(weights.z, -weights.z, t5 < 0.0f);
    return HairSample(
        vec3<f32>(t0, t1, t2),
        vec4<f32>(0.0f + a.turn.x * weights.x + b.turn.x * t4 + c.turn.x * t6, 0.0f + a.turn.y * weights.x + b.turn.y * t4 + c.turn.y * t6, 0.0f + a.turn.z * weights.x + b.turn.z * t4 + c.turn.z * t6, 0.0f + a.turn.w * weights.x + b.turn.w * t4 + c.turn.w * t6),
    );
}

fn hair_root_shift(root: vec3<f32>, turn: vec4<f32>, center: vec3<f32>, d: vec3<f32>) -> vec3<f32> {
    let t0 = turn.x * turn.x + turn.y * turn.y + (turn.z * turn.z + turn.w * turn.w);
    let t1 = 2.0f / select(1e-20f, t0, 1e-20f < t0);
    let t2 = turn.y * d.z - turn.z * d.y;
    let t3 = turn.z * d.x - turn.x * d.z;
    let t4 = turn.x * d.y - turn.y * d.x;
    let t5 = center.x + (d.x + t1 * (turn.w * t2 + (turn.y * t4 - turn.z * t3)));
    let t6 = center.y + (d.y + t1 * (turn.w * t3 + (turn.z * t2 - turn.x * t4)));
    let t7 = center.z + (d.z + t1 * (turn.w * t4 + (turn.x * t3 - turn.y * t2)));
    return vec3<f32>(root.x - t5, root.y - t6, root.z - t7);
}

fn hair_rooted(s: HairSample, turn: vec4<f32>, shift: vec3<f32>, fade: f32) -> HairSample {
    let t0 = s.turn.x * turn.x + s.turn.y * turn.y + s.turn.z * turn.z + s.turn.w * turn.w;
    let t1 = select(fade, -fade, t0 < 0.0f);
    let t2 = 1.0f - fade;
    return HairSample(
        vec3<f32>(s.at.x + shift.x * fade, s.at.y + shift.y * fade, s.at.z + shift.z * fade),
        vec4<f32>(s.turn.x * t2 + turn.x * t1, s.turn.y * t2 + turn.y * t1, s.turn.z * t2 + turn.z * t1, s.turn.w * t2 + turn.w * t1),
    );
}

fn hair_placed(s: HairSample, d: vec3<f32>) -> vec3<f32> {
    let t0 = s.turn.x * s.turn.x + s.turn.y * s.turn.y + (s.turn.z * s.turn.z + s.turn.w * s.turn.w);
    let t1 = 2.0f / select(1e-20f, t0, 1e-20f < t0);
    let t2 = s.turn.y * d.z - s.turn.z * d.y;
    let t3 = s.turn.z * d.x - s.turn.x * d.z;
    let t4 = s.turn.x * d.y - s.turn.y * d.x;
    let t5 = s.at.x + (d.x + t1 * (s.turn.w * t2 + (s.turn.y * t4 - s.turn.z * t3)));
    let t6 = s.at.y + (d.y + t1 * (s.turn.w * t3 + (s.turn.z * t2 - s.turn.x * t4)));
    let t7 = s.at.z + (d.z + t1 * (s.turn.w * t4 + (s.turn.x * t3 - s.turn.y * t2)));
    return vec3<f32>(t5, t6, t7);
}

fn hair_held(before: vec3<f32>, to: vec3<f32>, most: f32) -> vec3<f32> {
    let t0 = to.x - before.x;
    let t1 = to.y - before.y;
    let t2 = to.z - before.z;
    let t3 = t0 * t0 + t1 * t1 + t2 * t2;
    let t4 = most / sqrt(select(1e-30f, t3, 1e-30f < t3));
    let t5 = most * most < t3;
    return vec3<f32>(
        select(to.x, before.x + t0 * t4, t5),
        select(to.y, before.y + t1 * t4, t5),
        select(to.z, before.z + t2 * t4, t5),
    );
}

fn hair_tangent(before: vec3<f32>, after: vec3<f32>) -> vec3<f32> {
    let t0 = after.x - before.x;
    let t1 = after.y - before.y;
    let t2 = after.z - before.z;
    let t3 = t0 * t0 + t1 * t1 + t2 * t2;
    let t4 = 1.0f / sqrt(select(1e-30f, t3, 1e-30f < t3));
    return vec3<f32>(t0 * t4, t1 * t4, t2 * t4);
}

fn skin_scales(swell: vec3<f32>, ratio: vec2<f32>) -> vec2<f32> {
    let t0 = swell.y + 1.0f;
    return vec2<f32>(ratio.x * (0.5f * (swell.x + 1.0f + t0)), ratio.y * (0.5f * (t0 + (swell.z + 1.0f))));
}

fn skin_bone(start: vec3<f32>, edge: vec3<f32>, scale: vec2<f32>, now: vec4<f32>, rest: vec4<f32>, axis: vec3<f32>, length: f32) -> SkinBone {
    let t0 = select(0.001f, scale.x, 0.001f < scale.x);
    let t1 = select(1000.0f, t0, t0 < 1000.0f);
    let t2 = select(0.001f, scale.y, 0.001f < scale.y);
    let t3 = select(1000.0f, t2, t2 < 1000.0f);
    let t4 = 181.01933f < t1;
    let t5 = 0.0055242716f < t1;
    let t6 = select(select(-8.0f, 0.0f, t5), 8.0f, t4);
    let t7 = select(select(t1 * 256.0f, t1, t5), t1 * 0.00390625f, t4);
    let t8 = 11.313708f < t7;
    let t9 = 0.088388346f < t7;
    let t10 = select(select(t6 - 4.0f, t6, t9), t6 + 4.0f, t8);
    let t11 = select(select(t7 * 16.0f, t7, t9), t7 * 0.0625f, t8);
    let t12 = 2.828427f < t11;
    let t13 = 0.35355338f < t11;
    let t14 = select(select(t10 - 2.0f, t10, t13), t10 + 2.0f, t12);
    let t15 = select(select(4.0f * t11, t11, t13), t11 * 0.25f, t12);
    let t16 = 1.4142135f < t15;
    let t17 = 0.70710677f < t15;
    let t18 = select(select(2.0f * t15, t15, t17), t15 * 0.5f, t16);
    let t19 = (t18 - 1.0f) / (1.0f + t18);
    let t20 = t19 * (t19 * (t19 * (0.0f * t19) + 0.04761905f)) + 0.05263158f;
    let t21 = t19 * (t19 * (t19 * (t19 * t20) + 0.05882353f)) + 0.06666667f;
    let t22 = t19 * (t19 * (t19 * (t19 * t21) + 0.07692308f)) + 0.09090909f;
    let t23 = t19 * (t19 * (t19 * (t19 * t22) + 0.11111111f)) + 0.14285715f;
    let t24 = t19 * (t19 * (t19 * (t19 * (t19 * t23) + 0.2f)) + 0.33333334f);
    let t25 = select(select(t14 - 1.0f, t14, t17), 1.0f + t14, t16) * 0.6931472f;
    let t26 = t25 + (1.0f + t19 * t24) * (2.0f * t19);
    let t27 = 181.01933f < t3;
    let t28 = 0.0055242716f < t3;
    let t29 = select(select(-8.0f, 0.0f, t28), 8.0f, t27);
    let t30 = select(select(t3 * 256.0f, t3, t28), t3 * 0.00390625f, t27);
    let t31 = 11.313708f < t30;
    let t32 = 0.088388346f < t30;
    let t33 = select(select(t29 - 4.0f, t29, t32), 4.0f + t29, t31);
    let t34 = select(select(16.0f * t30, t30, t32), 0.0625f * t30, t31);
    let t35 = 2.828427f < t34;
    let t36 = 0.35355338f < t34;
    let t37 = select(select(t33 - 2.0f, t33, t36), 2.0f + t33, t35);
    let t38 = select(select(4.0f * t34, t34, t36), 0.25f * t34, t35);
    let t39 = 1.4142135f < t38;
    let t40 = 0.70710677f < t38;
    let t41 = select(select(2.0f * t38, t38, t40), 0.5f * t38, t39);
    let t42 = (t41 - 1.0f) / (1.0f + t41);
    let t43 = 0.05263158f + t42 * (t42 * (0.04761905f + t42 * (0.0f * t42)));
    let t44 = 0.06666667f + t42 * (t42 * (0.05882353f + t42 * (t42 * t43)));
    let t45 = 0.09090909f + t42 * (t42 * (0.07692308f + t42 * (t42 * t44)));
    let t46 = 0.14285715f + t42 * (t42 * (0.11111111f + t42 * (t42 * t45)));
    let t47 = t42 * (0.33333334f + t42 * (t42 * (0.2f + t42 * (t42 * t46))));
    let t48 = 0.6931472f * select(select(t37 - 1.0f, t37, t40), 1.0f + t37, t39);
    let t49 = 0.0f < length;
    let t50 = select(1.0f, length, t49);
    let t51 = sqrt(edge.x * edge.x + edge.y * edge.y + edge.z * edge.z) / t50;
    let t52 = select(1.0f, t51, t49) / sqrt(t1 * t3);
    let t53 = select(0.001f, t52, 0.001f < t52);
    let t54 = select(1000.0f, t53, t53 < 1000.0f) - 1.0f;
    let t55 = t48 + (1.0f + t42 * t47) * (2.0f * t42) - t26;
    let t56 = -rest.x;
    let t57 = -rest.y;
    let t58 = -rest.z;
    return SkinBone(
        vec3<f32>(start.x, start.y, start.z),
        t26,
        vec3<f32>(edge.x, edge.y, edge.z),
        t55,
        vec4<f32>(now.w * t56 + now.x * rest.w + now.y * t58 - now.z * t57, now.w * t57 - now.x * t58 + now.y * rest.w + now.z * t56, now.w * t58 + now.x * t57 - now.y * t56 + now.z * rest.w, now.w * rest.w - now.x * t56 - now.y * t57 - now.z * t58),
        vec3<f32>(t54 * (axis.x * axis.x), t54 * (axis.y * axis.y), t54 * (axis.z * axis.z)),
        vec3<f32>(t54 * (axis.x * axis.y), t54 * (axis.x * axis.z), t54 * (axis.y * axis.z)),
        vec3<f32>(select(0.0f, axis.x * t55 / t50, t49), select(0.0f, axis.y * t55 / t50, t49), select(0.0f, axis.z * t55 / t50, t49)),
    );
}

fn skin_signed(turn: vec4<f32>, first: vec4<f32>, weight: f32) -> f32 {
    let t0 = turn.x * first.x + turn.y * first.y + (turn.z * first.z + turn.w * first.w);
    return select(weight, -weight, t0 < 0.0f);
}

fn skin_hold(sum: SkinHeld, bone: SkinBone, t: f32, weight: f32, signed: f32) -> SkinHeld {
    return SkinHeld(
        vec3<f32>(sum.center.x + weight * (bone.start.x + bone.change.x * t), sum.center.y + weight * (bone.start.y + bone.change.y * t), sum.center.z + weight * (bone.start.z + bone.change.z * t)),
        sum.log + weight * (bone.log + bone.log_change * t),
        vec4<f32>(sum.turn.x + bone.turn.x * signed, sum.turn.y + bone.turn.y * signed, sum.turn.z + bone.turn.z * signed, sum.turn.w + bone.turn.w * signed),
    );
}

fn skin_pull(sum: SkinPull, bone: SkinBone, weight: f32) -> SkinPull {
    return SkinPull(
        vec3<f32>(sum.along.x + bone.along.x * weight, sum.along.y + bone.along.y * weight, sum.along.z + bone.along.z * weight),
        vec3<f32>(sum.across.x + bone.across.x * weight, sum.across.y + bone.across.y * weight, sum.across.z + bone.across.z * weight),
        vec3<f32>(sum.swell.x + bone.swell.x * weight, sum.swell.y + bone.swell.y * weight, sum.swell.z + bone.swell.z * weight),
    );
}

fn skin_position(held: SkinHeld, pull: SkinPull, d: vec3<f32>) -> vec3<f32> {
    let t0 = held.turn.x * held.turn.x + held.turn.y * held.turn.y + (held.turn.z * held.turn.z + held.turn.w * held.turn.w);
    let t1 = 2.0f / select(1e-20f, t0, 1e-20f < t0);
    let t2 = held.turn.x * t1;
    let t3 = held.turn.y * t1;
    let t4 = held.turn.z * t1;
    let t5 = held.turn.x * t2;
    let t6 = held.turn.y * t3;
    let t7 = held.turn.z * t4;
    let t8 = held.turn.x * t3;
    let t9 = held.turn.x * t4;
    let t10 = held.turn.y * t4;
    let t11 = held.turn.w * t2;
    let t12 = held.turn.w * t3;
    let t13 = held.turn.w * t4;
    let t14 = d.x * (pull.along.x + 1.0f) + pull.across.x * d.y + pull.across.y * d.z;
    let t15 = pull.across.x * d.x + d.y * (pull.along.y + 1.0f) + pull.across.z * d.z;
    let t16 = pull.across.y * d.x + pull.across.z * d.y + d.z * (pull.along.z + 1.0f);
    let t17 = held.log * 0.0625f;
    let t18 = t17 * (t17 * (t17 * 0.0001984127f + 0.0013888889f) + 0.008333334f);
    let t19 = t17 * (t17 * (t17 * (t18 + 0.041666668f) + 0.16666667f) + 0.5f);
    let t20 = 1.0f + t17 * (1.0f + t19);
    let t21 = t20 * t20;
    let t22 = t21 * t21;
    let t23 = t22 * t22;
    let t24 = t23 * t23;
    let t25 = t14 * t24;
    let t26 = t15 * t24;
    let t27 = t16 * t24;
    let t28 = (1.0f - (t6 + t7)) * t25 + (t8 - t13) * t26 + (t9 + t12) * t27;
    let t29 = (t8 + t13) * t25 + (1.0f - (t5 + t7)) * t26 + (t10 - t11) * t27;
    let t30 = (t9 - t12) * t25 + (t10 + t11) * t26 + (1.0f - (t5 + t6)) * t27;
    return vec3<f32>(held.center.x + t28, held.center.y + t29, held.center.z + t30);
}

fn skin_normal(held: SkinHeld, pull: SkinPull, d: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let t0 = held.turn.x * held.turn.x + held.turn.y * held.turn.y + (held.turn.z * held.turn.z + held.turn.w * held.turn.w);
    let t1 = 2.0f / select(1e-20f, t0, 1e-20f < t0);
    let t2 = held.turn.x * t1;
    let t3 = held.turn.y * t1;
    let t4 = held.turn.z * t1;
    let t5 = held.turn.x * t2;
    let t6 = held.turn.y * t3;
    let t7 = held.turn.z * t4;
    let t8 = held.turn.x * t3;
    let t9 = held.turn.x * t4;
    let t10 = held.turn.y * t4;
    let t11 = held.turn.w * t2;
    let t12 = held.turn.w * t3;
    let t13 = held.turn.w * t4;
    let t14 = pull.along.x + 1.0f + pull.swell.x * d.x;
    let t15 = pull.across.x + pull.swell.x * d.y;
    let t16 = pull.across.y + pull.swell.x * d.z;
    let t17 = pull.across.x + pull.swell.y * d.x;
    let t18 = pull.along.y + 1.0f + pull.swell.y * d.y;
    let t19 = pull.across.z + pull.swell.y * d.z;
    let t20 = pull.across.y + pull.swell.z * d.x;
    let t21 = pull.across.z + pull.swell.z * d.y;
    let t22 = pull.along.z + 1.0f + pull.swell.z * d.z;
    let t23 = normal.x * (t18 * t22 - t19 * t21) + normal.y * (t16 * t21 - t15 * t22);
    let t24 = normal.x * (t19 * t20 - t17 * t22) + normal.y * (t14 * t22 - t16 * t20);
    let t25 = normal.x * (t17 * t21 - t18 * t20) + normal.y * (t15 * t20 - t14 * t21);
    let t26 = t23 + normal.z * (t15 * t19 - t16 * t18);
    let t27 = t24 + normal.z * (t16 * t17 - t14 * t19);
    let t28 = t25 + normal.z * (t14 * t18 - t15 * t17);
    let t29 = (1.0f - (t6 + t7)) * t26 + (t8 - t13) * t27 + (t9 + t12) * t28;
    let t30 = (t8 + t13) * t26 + (1.0f - (t5 + t7)) * t27 + (t10 - t11) * t28;
    let t31 = (t9 - t12) * t26 + (t10 + t11) * t27 + (1.0f - (t5 + t6)) * t28;
    let t32 = t29 * t29 + t30 * t30 + t31 * t31;
    let t33 = 1.0f / sqrt(select(1e-30f, t32, 1e-30f < t32));
    return vec3<f32>(t29 * t33, t30 * t33, t31 * t33);
}

fn skin_tangent(held: SkinHeld, pull: SkinPull, tangent: vec3<f32>) -> vec3<f32> {
    let t0 = held.turn.x * held.turn.x + held.turn.y * held.turn.y + (held.turn.z * held.turn.z + held.turn.w * held.turn.w);
    let t1 = 2.0f / select(1e-20f, t0, 1e-20f < t0);
    let t2 = held.turn.x * t1;
    let t3 = held.turn.y * t1;
    let t4 = held.turn.z * t1;
    let t5 = held.turn.x * t2;
    let t6 = held.turn.y * t3;
    let t7 = held.turn.z * t4;
    let t8 = held.turn.x * t3;
    let t9 = held.turn.x * t4;
    let t10 = held.turn.y * t4;
    let t11 = held.turn.w * t2;
    let t12 = held.turn.w * t3;
    let t13 = held.turn.w * t4;
    let t14 = tangent.x * (pull.along.x + 1.0f) + pull.across.x * tangent.y;
    let t15 = t14 + pull.across.y * tangent.z;
    let t16 = pull.across.x * tangent.x + tangent.y * (pull.along.y + 1.0f);
    let t17 = t16 + pull.across.z * tangent.z;
    let t18 = pull.across.y * tangent.x + pull.across.z * tangent.y + tangent.z * (pull.along.z + 1.0f);
    let t19 = (1.0f - (t6 + t7)) * t15 + (t8 - t13) * t17 + (t9 + t12) * t18;
    let t20 = (t8 + t13) * t15 + (1.0f - (t5 + t7)) * t17 + (t10 - t11) * t18;
    let t21 = (t9 - t12) * t15 + (t10 + t11) * t17 + (1.0f - (t5 + t6)) * t18;
    let t22 = t19 * t19 + t20 * t20 + t21 * t21;
    let t23 = 1.0f / sqrt(select(1e-30f, t22, 1e-30f < t22));
    return vec3<f32>(t19 * t23, t20 * t23, t21 * t23);
}
