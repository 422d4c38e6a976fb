// Generated from crates/solve/src/rods/volume/mod.rs, crates/solve/src/collide/kernels.rs and crates/solve/src/layout/rows.rs by
// `cargo xtask wgsl`: do not edit.
// The same functions run on the CPU; meaning, units and papers are there.

const SCALE_SWELL: u32 = 0u;
const SCALE_GROWTH: u32 = 1u;
const SCALE_ROWS: u32 = 2u;
const BULK_SHEAR: u32 = 0u;
const BULK_BULK: u32 = 1u;
const BULK_SPREAD: u32 = 2u;
const BULK_INERTIA: u32 = 3u;
const BULK_PUSH: u32 = 4u;
const BULK_ROWS: u32 = 5u;
const SWEPT_SPREAD: u32 = 3u;
const SWEPT_PRESS: u32 = 4u;
const SWEPT_GRIP: u32 = 7u;
const SWEPT_STEP: u32 = 11u;
const SWEPT_COAST: u32 = 12u;
const SWEPT_PUSHED: u32 = 13u;
const SWEPT_UNANSWERED: u32 = 14u;
const SWEPT_SQUEEZE: u32 = 15u;
const SWEPT_ROWS: u32 = 17u;
const WIDE_TO_SCALES: u32 = 0u;
const WIDE_FROM_SCALE: u32 = 8u;
const WIDE_RHS: u32 = 17u;
const WIDE_COAST: u32 = 18u;
const WIDE_INERTIA: u32 = 19u;
const WIDE_LEAST: u32 = 20u;
const WIDE_START: u32 = 21u;
const WIDE_KEPT: u32 = 23u;
const WIDE_ROWS: u32 = 25u;

struct SweptSection {
    stiffness: vec3<f32>,
    length: f32,
    weights: vec2<f32>,
    unanswered: f32,
}

struct SweptEdge {
    section: SweptSection,
    spread: f32,
    before: f32,
    swell: vec2<f32>,
    stretch: f32,
    lambda: vec4<f32>,
}

struct SweptEdgeSolved {
    moves: vec3<f32>,
    lambda: vec4<f32>,
    along: f32,
}

struct ScaleAlone {
    stiffness: vec2<f32>,
    inertia: f32,
    spread: vec2<f32>,
    beside: vec2<f32>,
    coast: f32,
    pushed: f32,
    stretch: f32,
}

struct Grip {
    press: vec3<f32>,
    held: vec3<f32>,
}

struct Gripped {
    grip: Grip,
    moved: vec3<f32>,
}

fn possible_growth(swell: f32, before: f32, to: f32) -> f32 {
    let t0 = (1.0f + (swell + before)) * 0.5f;
    let t1 = -0.95f - swell;
    let t2 = t0 + (before + t0);
    let t3 = select(t2, to, to < t2);
    let t4 = before - t0;
    let t5 = select(t4, t3, t4 < t3);
    return select(t1, t5, t1 < t5);
}

fn swept_edge(edge: SweptEdge) -> SweptEdgeSolved {
    let t0 = -(edge.lambda.w + edge.spread * (edge.swell.y - edge.swell.x));
    let t1 = t0 / (1.0f + edge.spread * (edge.section.weights.y + edge.before));
    let t2 = edge.section.weights.y * t1;
    let t3 = edge.swell.y + t2;
    let t4 = edge.stretch + 1.0f;
    let t5 = edge.stretch + t3 * (t3 + 2.0f) * t4;
    let t6 = 1.0f + t3;
    let t7 = 1.0f / edge.section.length;
    let t8 = t7 * (t6 * t6);
    let t9 = t4 * (2.0f * t6);
    let t10 = edge.lambda.z + edge.section.stiffness.z * t5;
    let t11 = t7 * (edge.lambda.x + edge.section.stiffness.x * edge.stretch);
    let t12 = edge.section.weights.x * (t11 + t8 * t10);
    let t13 = edge.section.unanswered + (edge.lambda.y + edge.section.stiffness.y * t3 + t9 * t10);
    let t14 = edge.section.weights.y * t13;
    let t15 = edge.section.stiffness.z * t8;
    let t16 = edge.section.weights.x * (t7 * (edge.section.stiffness.x * t7) + t8 * t15);
    let t17 = 1.0f + t16;
    let t18 = edge.section.stiffness.y + t9 * (edge.section.stiffness.z * t9);
    let t19 = 1.0f + edge.section.weights.y * t18;
    let t20 = t9 * t15;
    let t21 = t20 * (t20 * (edge.section.weights.x * edge.section.weights.y));
    let t22 = 1.0f / (t17 * t19 - t21);
    let t23 = t22 * (t14 * (edge.section.weights.x * t20) - t12 * t19);
    let t24 = t22 * (t12 * (edge.section.weights.y * t20) - t14 * t17);
    let t25 = -(edge.section.stiffness.x * (edge.stretch + t7 * t23));
    let t26 = -(edge.section.stiffness.z * (t5 + t8 * t23 + t9 * t24));
    return SweptEdgeSolved(
        vec3<f32>(-(edge.before * t1), t23, t2 + t24),
        vec4<f32>(t25, -(edge.section.stiffness.y * (t3 + t24)), t26, edge.lambda.w + t1),
        t7 * t25 + t8 * t26,
    );
}

fn ghost_constraints(e: vec3<f32>, g: vec3<f32>, w: EdgeWeights, rest: EdgeRest, step: f32, lambda: f32) -> EdgeSolved {
    let t0 = e.x * step;
    let t1 = e.y * step;
    let t2 = e.z * step;
    let t3 = w.w0 * t0;
    let t4 = w.w0 * t1;
    let t5 = w.w0 * t2;
    let t6 = w.w1 * t0;
    let t7 = w.w1 * t1;
    let t8 = w.w1 * t2;
    let t9 = e.x + (t3 + t6);
    let t10 = e.y + (t4 + t7);
    let t11 = e.z + (t5 + t8);
    let t12 = g.x - 0.5f * (t6 - t3);
    let t13 = g.y - 0.5f * (t7 - t4);
    let t14 = g.z - 0.5f * (t8 - t5);
    let t15 = t9 * t12 + t10 * t13 + t11 * t14;
    let t16 = (t9 * t9 + t10 * t10 + t11 * t11) * 0.25f;
    let t17 = t12 * t12 + t13 * t13 + t14 * t14 + t16;
    let t18 = w.w0 * (t15 + t17) + w.w1 * (t17 - t15) + w.wg * (t16 * 4.0f);
    let t19 = (-(rest.on * t15)) / select(1e-28f, t18, 1e-28f < t18);
    let t20 = 0.5f * t9;
    let t21 = 0.5f * t10;
    let t22 = 0.5f * t11;
    let t23 = -(w.w0 * t19);
    let t24 = (t12 + t20) * t23;
    let t25 = (t13 + t21) * t23;
    let t26 = (t14 + t22) * t23;
    let t27 = w.w1 * t19;
    let t28 = (t12 - t20) * t27;
    let t29 = (t13 - t21) * t27;
    let t30 = (t14 - t22) * t27;
    let t31 = w.wg * t19;
    let t32 = t9 * t31;
    let t33 = t10 * t31;
    let t34 = t11 * t31;
    let t35 = t12 + (t32 - 0.5f * (t24 + t28));
    let t36 = t13 + (t33 - 0.5f * (t25 + t29));
    let t37 = t14 + (t34 - 0.5f * (t26 + t30));
    let t38 = t35 * t35 + t36 * t36 + t37 * t37;
    let t39 = sqrt(select(1e-18f, t38, 1e-18f < t38));
    let t40 = w.wg + (w.w0 + w.w1) * 0.25f;
    let t41 = rest.on * (rest.ghost - t39) / (t39 * select(1e-28f, t40, 1e-28f < t40));
    let t42 = t35 * t41;
    let t43 = t36 * t41;
    let t44 = t37 * t41;
    let t45 = w.w0 * (-0.5f);
    let t46 = t42 * t45;
    let t47 = t43 * t45;
    let t48 = t44 * t45;
    let t49 = w.w1 * (-0.5f);
    let t50 = t42 * t49;
    let t51 = t43 * t49;
    let t52 = t44 * t49;
    let t53 = w.wg * t42;
    let t54 = w.wg * t43;
    let t55 = w.wg * t44;
    return EdgeSolved(
        vec3<f32>(t24 - t3 + t46, t25 - t4 + t47, t26 - t5 + t48),
        vec3<f32>(t6 + t28 + t50, t7 + t29 + t51, t8 + t30 + t52),
        vec3<f32>(t32 + t53, t33 + t54, t34 + t55),
        vec3<f32>(t9 + (t28 - t24) + (t50 - t46), t10 + (t29 - t25) + (t51 - t47), t11 + (t30 - t26) + (t52 - t48)),
        vec3<f32>(t35 + (t53 - 0.5f * (t46 + t50)), t36 + (t54 - 0.5f * (t47 + t51)), t37 + (t55 - 0.5f * (t48 + t52))),
        lambda,
    );
}

fn scaled_element(rest: BendTwistRest, s: f32) -> BendTwistRest {
    let t0 = 1.0f / s;
    let t1 = t0 * t0;
    return BendTwistRest(
        vec3<f32>(rest.psi.x * t0, rest.psi.y * t0, rest.psi.z * t0),
        vec3<f32>(rest.stiffness.x, rest.stiffness.y, rest.stiffness.z),
        vec3<f32>(rest.compliance.x * t1, rest.compliance.y * t1, rest.compliance.z * t1),
        rest.on,
    );
}

fn scale_alone(alone: ScaleAlone, swell: f32) -> f32 {
    let t0 = alone.stretch + 1.0f;
    let t1 = t0 * ((swell + 1.0f) * 2.0f);
    let t2 = alone.stretch + t0 * (swell * (swell + 2.0f));
    let t3 = alone.spread.x * (swell - alone.beside.x) + alone.spread.y * (swell - alone.beside.y);
    let t4 = alone.inertia * (swell - alone.coast) + alone.stiffness.x * swell;
    let t5 = alone.stiffness.x + (alone.spread.y + (alone.inertia + alone.spread.x));
    let t6 = alone.stiffness.y * (t1 * t1 + t0 * 2.0f * select(0.0f, t2, 0.0f < t2));
    let t7 = t5 + t6;
    let t8 = (t3 + (t4 + t1 * (alone.stiffness.y * t2)) - alone.pushed) / select(1e-30f, t7, 1e-30f < t7);
    return -t8;
}

fn begin_grip(before: Grip, u: vec3<f32>) -> Grip {
    let t0 = before.press.x * before.press.x + before.press.y * before.press.y;
    let t1 = t0 + before.press.z * before.press.z;
    let t2 = before.press.x * u.x + before.press.y * u.y + before.press.z * u.z;
    let t3 = -t2;
    let t4 = select(0.0f, t3, 0.0f < t3) / select(1e-30f, t1, 1e-30f < t1);
    let t5 = select(1.0f, t4, t4 < 1.0f);
    return Grip(
        vec3<f32>(before.press.x * t5, before.press.y * t5, before.press.z * t5),
        vec3<f32>(before.held.x * t5, before.held.y * t5, before.held.z * t5),
    );
}

fn gripped(before: Grip, moved: vec3<f32>, normal: vec3<f32>, depth: f32, friction: f32) -> Gripped {
    let t0 = before.press.x * normal.x + before.press.y * normal.y + before.press.z * normal.z;
    let t1 = select(0.0f, t0, 0.0f < t0);
    let t2 = depth + t1;
    let t3 = select(0.0f, t2, 0.0f < t2);
    let t4 = t3 - t1;
    let t5 = normal.x * t4;
    let t6 = normal.y * t4;
    let t7 = normal.z * t4;
    let t8 = before.held.x * normal.x + before.held.y * normal.y + before.held.z * normal.z;
    let t9 = before.held.x - normal.x * t8;
    let t10 = before.held.y - normal.y * t8;
    let t11 = before.held.z - normal.z * t8;
    let t12 = moved.x * normal.x + moved.y * normal.y + moved.z * normal.z;
    let t13 = t9 - (moved.x - normal.x * t12);
    let t14 = t10 - (moved.y - normal.y * t12);
    let t15 = t11 - (moved.z - normal.z * t12);
    let t16 = t13 * t13 + t14 * t14 + t15 * t15;
    let t17 = friction * t3 / sqrt(select(1e-24f, t16, 1e-24f < t16));
    let t18 = select(1.0f, t17, t17 < 1.0f);
    let t19 = t13 * t18 - t9;
    let t20 = t14 * t18 - t10;
    let t21 = t15 * t18 - t11;
    return Gripped(
        Grip(vec3<f32>(before.press.x + t5, before.press.y + t6, before.press.z + t7), vec3<f32>(before.held.x + t19, before.held.y + t20, before.held.z + t21)),
        vec3<f32>(t19 + (moved.x + t5), t20 + (moved.y + t6), t21 + (moved.z + t7)),
    );
}
