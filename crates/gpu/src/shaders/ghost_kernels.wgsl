// Generated from crates/solve/src/rods/ghost/kernels.rs, crates/solve/src/collide/{kernels,pushed}.rs, crates/math/src/quaternion.rs and crates/solve/src/layout/mod.rs by
// `cargo xtask wgsl`: do not edit.
// The same functions run on the CPU; meaning, units and papers are there.

const STATE_X: u32 = 0u;
const STATE_U: u32 = 3u;
const STATE_GX: u32 = 6u;
const STATE_GU: u32 = 9u;
const STATE_LAMBDA_LENGTH: u32 = 12u;
const STATE_LAMBDA_BEND: u32 = 13u;
const STATE_FALL: u32 = 16u;
const STATE_ROWS: u32 = 17u;
const PARAM_W: u32 = 0u;
const PARAM_WG: u32 = 1u;
const PARAM_LENGTH: u32 = 2u;
const PARAM_GHOST: u32 = 3u;
const PARAM_STRETCH: u32 = 4u;
const PARAM_PSI: u32 = 5u;
const PARAM_BEND: u32 = 8u;
const PARAM_RADIUS: u32 = 11u;
const PARAM_VISCOUS: u32 = 12u;
const PARAM_ROWS: u32 = 15u;
const SUPPORT_FROM: u32 = 0u;
const SUPPORT_FROM_ROTATION: u32 = 3u;
const SUPPORT_TO: u32 = 7u;
const SUPPORT_TO_ROTATION: u32 = 10u;
const SUPPORT_ROWS: u32 = 14u;
const FORCE_ROWS: u32 = 4u;

struct EdgeFrame {
    d1: vec3<f32>,
    d2: vec3<f32>,
    d3: vec3<f32>,
    inv_len: f32,
    inv_h: f32,
    foot: f32,
}

struct EdgeWeights {
    w0: f32,
    w1: f32,
    wg: f32,
}

struct EdgeRest {
    length: f32,
    ghost: f32,
    stiffness: f32,
    compliance: f32,
    on: f32,
}

struct EdgeSolved {
    p0: vec3<f32>,
    p1: vec3<f32>,
    pg: vec3<f32>,
    e: vec3<f32>,
    g: vec3<f32>,
    lambda: f32,
}

struct BendTwistRest {
    psi: vec3<f32>,
    stiffness: vec3<f32>,
    compliance: vec3<f32>,
    on: f32,
}

struct BendTwistSolved {
    a0: vec3<f32>,
    ag: vec3<f32>,
    shared_: vec3<f32>,
    b1: vec3<f32>,
    bg: vec3<f32>,
    lambda: vec3<f32>,
}

struct GravityShare {
    ghost: f32,
    end0: f32,
    end1: f32,
}

struct Sym3 {
    xx: f32,
    xy: f32,
    xz: f32,
    yy: f32,
    yz: f32,
    zz: f32,
}

struct Distance {
    distance: f32,
    normal: vec3<f32>,
}

struct OnTriangle {
    at: vec3<f32>,
    on: vec3<f32>,
}

struct Contact {
    u: vec3<f32>,
    touched: f32,
}

struct Near {
    normal: vec3<f32>,
    surface: vec3<f32>,
    slip: vec3<f32>,
    along: f32,
    depth: f32,
    friction: f32,
}

struct Closed {
    press: f32,
    grip: f32,
}

struct Held {
    normal: vec3<f32>,
    surface: vec3<f32>,
    target_: f32,
    stiff: f32,
    grip: f32,
}

struct HeldForce {
    press: f32,
    friction: vec3<f32>,
    slip: vec3<f32>,
    energy: f32,
}

struct Revised {
    closed: Closed,
    wrong: f32,
}

struct Stopped {
    closed: Closed,
    along: f32,
}

struct Settled {
    u: vec3<f32>,
    press: f32,
}

struct BodyMoves {
    shift: vec3<f32>,
    turn: vec3<f32>,
}

struct MovedShape {
    center: vec3<f32>,
    axes: mat3x3<f32>,
    turn: mat3x3<f32>,
    shift: vec3<f32>,
}

fn edge_frame(e: vec3<f32>, g: vec3<f32>) -> EdgeFrame {
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
    return EdgeFrame(
        vec3<f32>(t11, t12, t13),
        vec3<f32>(t3 * t13 - t4 * t12, t4 * t11 - t2 * t13, t2 * t12 - t3 * t11),
        vec3<f32>(t2, t3, t4),
        t1,
        t10,
        0.5f + t1 * t5,
    );
}

fn fixed_frame(d: mat3x3<f32>) -> EdgeFrame {
    return EdgeFrame(
        vec3<f32>(d[0].x, d[0].y, d[0].z),
        vec3<f32>(d[1].x, d[1].y, d[1].z),
        vec3<f32>(d[2].x, d[2].y, d[2].z),
        0.0f,
        0.0f,
        0.0f,
    );
}

fn edge_constraints(e: vec3<f32>, g: vec3<f32>, w: EdgeWeights, rest: EdgeRest, lambda: f32) -> EdgeSolved {
    let t0 = e.x * e.x + e.y * e.y + e.z * e.z;
    let t1 = sqrt(select(1e-18f, t0, 1e-18f < t0));
    let t2 = w.w0 + w.w1;
    let t3 = rest.compliance + t2;
    let t4 = rest.stiffness * (t1 - rest.length) + rest.compliance * lambda;
    let t5 = rest.on * (-t4) / (t1 * select(1e-28f, t3, 1e-28f < t3));
    let t6 = e.x * t5;
    let t7 = e.y * t5;
    let t8 = e.z * t5;
    let t9 = w.w0 * t6;
    let t10 = w.w0 * t7;
    let t11 = w.w0 * t8;
    let t12 = w.w1 * t6;
    let t13 = w.w1 * t7;
    let t14 = w.w1 * t8;
    let t15 = e.x + (t9 + t12);
    let t16 = e.y + (t10 + t13);
    let t17 = e.z + (t11 + t14);
    let t18 = g.x - 0.5f * (t12 - t9);
    let t19 = g.y - 0.5f * (t13 - t10);
    let t20 = g.z - 0.5f * (t14 - t11);
    let t21 = t15 * t18 + t16 * t19 + t17 * t20;
    let t22 = (t15 * t15 + t16 * t16 + t17 * t17) * 0.25f;
    let t23 = t18 * t18 + t19 * t19 + t20 * t20 + t22;
    let t24 = w.w0 * (t21 + t23) + w.w1 * (t23 - t21) + w.wg * (t22 * 4.0f);
    let t25 = (-(rest.on * t21)) / select(1e-28f, t24, 1e-28f < t24);
    let t26 = 0.5f * t15;
    let t27 = 0.5f * t16;
    let t28 = 0.5f * t17;
    let t29 = -(w.w0 * t25);
    let t30 = (t18 + t26) * t29;
    let t31 = (t19 + t27) * t29;
    let t32 = (t20 + t28) * t29;
    let t33 = w.w1 * t25;
    let t34 = (t18 - t26) * t33;
    let t35 = (t19 - t27) * t33;
    let t36 = (t20 - t28) * t33;
    let t37 = w.wg * t25;
    let t38 = t15 * t37;
    let t39 = t16 * t37;
    let t40 = t17 * t37;
    let t41 = t18 + (t38 - 0.5f * (t30 + t34));
    let t42 = t19 + (t39 - 0.5f * (t31 + t35));
    let t43 = t20 + (t40 - 0.5f * (t32 + t36));
    let t44 = t41 * t41 + t42 * t42 + t43 * t43;
    let t45 = sqrt(select(1e-18f, t44, 1e-18f < t44));
    let t46 = w.wg + t2 * 0.25f;
    let t47 = rest.on * (rest.ghost - t45) / (t45 * select(1e-28f, t46, 1e-28f < t46));
    let t48 = t41 * t47;
    let t49 = t42 * t47;
    let t50 = t43 * t47;
    let t51 = w.w0 * (-0.5f);
    let t52 = t48 * t51;
    let t53 = t49 * t51;
    let t54 = t50 * t51;
    let t55 = w.w1 * (-0.5f);
    let t56 = t48 * t55;
    let t57 = t49 * t55;
    let t58 = t50 * t55;
    let t59 = w.wg * t48;
    let t60 = w.wg * t49;
    let t61 = w.wg * t50;
    return EdgeSolved(
        vec3<f32>(t30 - t9 + t52, t31 - t10 + t53, t32 - t11 + t54),
        vec3<f32>(t12 + t34 + t56, t13 + t35 + t57, t14 + t36 + t58),
        vec3<f32>(t38 + t59, t39 + t60, t40 + t61),
        vec3<f32>(t15 + (t34 - t30) + (t56 - t52), t16 + (t35 - t31) + (t57 - t53), t17 + (t36 - t32) + (t58 - t54)),
        vec3<f32>(t41 + (t59 - 0.5f * (t52 + t56)), t42 + (t60 - 0.5f * (t53 + t57)), t43 + (t61 - 0.5f * (t54 + t58))),
        lambda + t1 * t5,
    );
}

fn bend_twist(a: EdgeFrame, b: EdgeFrame, wa: EdgeWeights, wb: EdgeWeights, rest: BendTwistRest, lambda: vec3<f32>) -> BendTwistSolved {
    let t0 = a.d1.x * b.d1.x + a.d1.y * b.d1.y + a.d1.z * b.d1.z;
    let t1 = a.d1.x * b.d2.x + a.d1.y * b.d2.y + a.d1.z * b.d2.z;
    let t2 = a.d2.x * b.d1.x + a.d2.y * b.d1.y + a.d2.z * b.d1.z;
    let t3 = a.d2.x * b.d2.x + a.d2.y * b.d2.y + a.d2.z * b.d2.z;
    let t4 = a.d3.x * b.d3.x + a.d3.y * b.d3.y + a.d3.z * b.d3.z + (t0 + t3);
    let t5 = 1.0f + t4;
    let t6 = 1.0f / select(1e-6f, t5, 1e-6f < t5);
    let t7 = a.d3.x * b.d2.x + a.d3.y * b.d2.y + a.d3.z * b.d2.z - (a.d2.x * b.d3.x + a.d2.y * b.d3.y + a.d2.z * b.d3.z);
    let t8 = t6 * t7;
    let t9 = a.d1.x * b.d3.x + a.d1.y * b.d3.y + a.d1.z * b.d3.z - (a.d3.x * b.d1.x + a.d3.y * b.d1.y + a.d3.z * b.d1.z);
    let t10 = t6 * t9;
    let t11 = t6 * (t2 - t1);
    let t12 = t8 * t10;
    let t13 = t8 * t11;
    let t14 = t10 * t11;
    let t15 = 1.0f + t8 * t8;
    let t16 = 1.0f + t10 * t10;
    let t17 = 1.0f + t11 * t11;
    let t18 = t11 + t12;
    let t19 = t13 - t10;
    let t20 = t12 - t11;
    let t21 = t8 + t14;
    let t22 = t10 + t13;
    let t23 = t14 - t8;
    let t24 = a.inv_len * (-t18);
    let t25 = a.inv_len * (-t16);
    let t26 = a.inv_len * (-t23);
    let t27 = a.inv_h * (-t19);
    let t28 = a.inv_h * (-t21);
    let t29 = a.inv_h * (-t17);
    let t30 = a.inv_len * (-t15) + a.foot * t27;
    let t31 = a.inv_len * (-t20) + a.foot * t28;
    let t32 = a.inv_len * (-t22) + a.foot * t29;
    let t33 = -t30;
    let t34 = -t31;
    let t35 = -t32;
    let t36 = -(t27 - t30);
    let t37 = -(t28 - t31);
    let t38 = -(t29 - t32);
    let t39 = b.inv_len * t20;
    let t40 = b.inv_len * t16;
    let t41 = b.inv_len * t21;
    let t42 = b.inv_h * t22;
    let t43 = b.inv_h * t23;
    let t44 = b.inv_h * t17;
    let t45 = b.inv_len * t15 + b.foot * t42;
    let t46 = b.inv_len * t18 + b.foot * t43;
    let t47 = b.inv_len * t19 + b.foot * t44;
    let t48 = -t45;
    let t49 = -t46;
    let t50 = -t47;
    let t51 = -(t42 - t45);
    let t52 = -(t43 - t46);
    let t53 = -(t44 - t47);
    let t54 = wa.w1 * (t1 * t51 - t0 * t39);
    let t55 = wa.w1 * (t1 * t52 - t0 * t40);
    let t56 = wa.w1 * (t1 * t53 - t0 * t41);
    let t57 = wa.w1 * (t3 * t51 - t2 * t39);
    let t58 = wa.w1 * (t3 * t52 - t2 * t40);
    let t59 = wa.w1 * (t3 * t53 - t2 * t41);
    let t60 = wa.w0 + wa.w1;
    let t61 = t24 * t60;
    let t62 = t25 * t60;
    let t63 = wa.w0 * t36;
    let t64 = wa.w0 * t37;
    let t65 = wa.w1 * t33;
    let t66 = wa.w1 * t34;
    let t67 = rest.compliance.z + t26 * (t26 * t60) + t38 * (wa.w0 * t38) + t35 * (wa.w1 * t35);
    let t68 = wa.wg * t27;
    let t69 = wa.wg * t28;
    let t70 = rest.compliance.x + t24 * t61 + t36 * t63 + t33 * t65 + t27 * t68;
    let t71 = rest.compliance.y + t25 * t62 + t37 * t64 + t34 * t66 + t28 * t69;
    let t72 = wb.w0 + wb.w1;
    let t73 = t39 * t72;
    let t74 = t40 * t72;
    let t75 = 0.0f + t25 * t61 + t37 * t63 + t34 * t65 + t28 * t68 + t40 * t73;
    let t76 = 0.0f + t26 * t61 + t38 * t63 + t35 * t65 + t29 * t68 + t41 * t73;
    let t77 = 0.0f + t26 * t62 + t38 * t64 + t35 * t66 + t29 * t69 + t41 * t74;
    let t78 = wb.w0 * t51;
    let t79 = wb.w0 * t52;
    let t80 = t67 + t29 * (wa.wg * t29) + t41 * (t41 * t72) + t53 * (wb.w0 * t53);
    let t81 = wb.w1 * t48;
    let t82 = wb.w1 * t49;
    let t83 = wb.wg * t42;
    let t84 = wb.wg * t43;
    let t85 = t70 + t39 * t73 + t51 * t78 + t48 * t81 + t42 * t83 + 2.0f * (t24 * t54);
    let t86 = t75 + t52 * t78 + t49 * t81 + t43 * t83 + (t24 * t55 + t25 * t54);
    let t87 = t76 + t53 * t78 + t50 * t81 + t44 * t83 + (t24 * t56 + t26 * t54);
    let t88 = t71 + t40 * t74 + t52 * t79 + t49 * t82 + t43 * t84 + 2.0f * (t25 * t55);
    let t89 = t77 + t53 * t79 + t50 * t82 + t44 * t84 + (t25 * t56 + t26 * t55);
    let t90 = t80 + t50 * (wb.w1 * t50) + t44 * (wb.wg * t44) + 2.0f * (t26 * t56);
    let t91 = t85 + 2.0f * (t33 * t57);
    let t92 = t86 + (t33 * t58 + t34 * t57);
    let t93 = t87 + (t33 * t59 + t35 * t57);
    let t94 = t88 + 2.0f * (t34 * t58);
    let t95 = t90 + 2.0f * (t35 * t59);
    let t96 = rest.stiffness.x * (t8 * 2.0f - rest.psi.x) + rest.compliance.x * lambda.x;
    let t97 = rest.stiffness.y * (t10 * 2.0f - rest.psi.y) + rest.compliance.y * lambda.y;
    let t98 = rest.stiffness.z * (t11 * 2.0f - rest.psi.z) + rest.compliance.z * lambda.z;
    let t99 = -rest.on;
    let t100 = t96 * t99;
    let t101 = 1.0f / select(1e-30f, t91, 1e-30f < t91);
    let t102 = t92 * t101;
    let t103 = t93 * t101;
    let t104 = t94 - t92 * t102;
    let t105 = 1e-6f * t94;
    let t106 = select(t105, t104, t105 < t104);
    let t107 = 1.0f / select(1e-30f, t106, 1e-30f < t106);
    let t108 = t89 + (t34 * t59 + t35 * t58) - t93 * t102;
    let t109 = t107 * t108;
    let t110 = t95 - t93 * t103 - t108 * t109;
    let t111 = 1e-6f * t95;
    let t112 = select(t111, t110, t111 < t110);
    let t113 = t97 * t99 - t100 * t102;
    let t114 = 1.0f / select(1e-30f, t112, 1e-30f < t112) * (t98 * t99 - t100 * t103 - t109 * t113);
    let t115 = t107 * t113 - t109 * t114;
    let t116 = t95 + (t91 + t94) < 1e36f;
    let t117 = select(0.0f, t100 * t101 - t102 * t115 - t103 * t114, t116);
    let t118 = select(0.0f, t115, t116);
    let t119 = select(0.0f, t114, t116);
    let t120 = t24 * t117 + t25 * t118 + t26 * t119;
    let t121 = t36 * t117 + t37 * t118 + t38 * t119;
    let t122 = t33 * t117 + t34 * t118 + t35 * t119;
    let t123 = a.d1.x * t120;
    let t124 = a.d1.y * t120;
    let t125 = a.d1.z * t120;
    let t126 = wa.wg * (t27 * t117 + t28 * t118 + t29 * t119);
    let t127 = t39 * t117 + t40 * t118 + t41 * t119;
    let t128 = t51 * t117 + t52 * t118 + t53 * t119;
    let t129 = t48 * t117 + t49 * t118 + t50 * t119;
    let t130 = b.d1.x * t127;
    let t131 = b.d1.y * t127;
    let t132 = b.d1.z * t127;
    let t133 = wb.wg * (t42 * t117 + t43 * t118 + t44 * t119);
    let t134 = wa.w1 * (t123 + a.d2.x * t122) + wb.w0 * (b.d2.x * t128 - t130);
    let t135 = wa.w1 * (t124 + a.d2.y * t122) + wb.w0 * (b.d2.y * t128 - t131);
    let t136 = wa.w1 * (t125 + a.d2.z * t122) + wb.w0 * (b.d2.z * t128 - t132);
    return BendTwistSolved(
        vec3<f32>(wa.w0 * (a.d2.x * t121 - t123), wa.w0 * (a.d2.y * t121 - t124), wa.w0 * (a.d2.z * t121 - t125)),
        vec3<f32>(a.d2.x * t126, a.d2.y * t126, a.d2.z * t126),
        vec3<f32>(t134, t135, t136),
        vec3<f32>(wb.w1 * (t130 + b.d2.x * t129), wb.w1 * (t131 + b.d2.y * t129), wb.w1 * (t132 + b.d2.z * t129)),
        vec3<f32>(b.d2.x * t133, b.d2.y * t133, b.d2.z * t133),
        vec3<f32>(lambda.x + t117, lambda.y + t118, lambda.z + t119),
    );
}

fn bounded_frame(e: vec3<f32>, g: vec3<f32>, length: f32, ghost: f32) -> EdgeFrame {
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
    let t14 = 2.0f / select(1e-28f, length, 1e-28f < length);
    let t15 = 2.0f / select(1e-28f, ghost, 1e-28f < ghost);
    return EdgeFrame(
        vec3<f32>(t11, t12, t13),
        vec3<f32>(t3 * t13 - t4 * t12, t4 * t11 - t2 * t13, t2 * t12 - t3 * t11),
        vec3<f32>(t2, t3, t4),
        select(t14, t1, t1 < t14),
        select(t15, t10, t10 < t15),
        0.5f + t1 * t5,
    );
}

fn gravity_share(fall: f32, fall_before: f32, inv_h_gg: f32, w: EdgeWeights) -> GravityShare {
    let t0 = inv_h_gg * (fall - fall_before);
    let t1 = select(-1.0f, t0, -1.0f < t0);
    let t2 = select(2.0f, t1, t1 < 2.0f);
    let t3 = 0.0f < w.wg;
    let t4 = select(0.0f, 0.5f * (1.0f - t2) / select(1e-28f, w.wg, 1e-28f < w.wg), t3);
    return GravityShare(select(0.0f, t2, t3), w.w0 * t4, w.w1 * t4);
}

fn symmetric_add_inertia(m: Sym3, r: vec3<f32>, k: f32) -> Sym3 {
    let t0 = r.x * k;
    let t1 = r.y * k;
    let t2 = r.y * t1;
    let t3 = r.z * (r.z * k);
    let t4 = r.x * t0;
    return Sym3(m.xx + (t2 + t3), m.xy - r.y * t0, m.xz - r.z * t0, m.yy + (t3 + t4), m.yz - r.z * t1, m.zz + (t2 + t4));
}

fn symmetric_solve(m: Sym3, r: vec3<f32>) -> vec3<f32> {
    let t0 = 1.0f / select(1e-30f, m.xx, 1e-30f < m.xx);
    let t1 = m.xy * t0;
    let t2 = m.xz * t0;
    let t3 = m.yy - m.xy * t1;
    let t4 = m.yy * 1e-6f;
    let t5 = select(t4, t3, t4 < t3);
    let t6 = 1.0f / select(1e-30f, t5, 1e-30f < t5);
    let t7 = m.yz - m.xz * t1;
    let t8 = t6 * t7;
    let t9 = m.zz - m.xz * t2 - t7 * t8;
    let t10 = m.zz * 1e-6f;
    let t11 = select(t10, t9, t10 < t9);
    let t12 = r.y - r.x * t1;
    let t13 = 1.0f / select(1e-30f, t11, 1e-30f < t11) * (r.z - r.x * t2 - t8 * t12);
    let t14 = t6 * t12 - t8 * t13;
    let t15 = m.zz + (m.xx + m.yy) < 1e36f;
    return vec3<f32>(select(0.0f, r.x * t0 - t1 * t14 - t2 * t13, t15), select(0.0f, t14, t15), select(0.0f, t13, t15));
}

fn plane(p: vec3<f32>) -> Distance {
    return Distance(p.y, vec3<f32>(0.0f, 1.0f, 0.0f));
}

fn capsule(p: vec3<f32>, radius: f32, half_height: f32) -> Distance {
    let t0 = select(half_height, p.y, p.y < half_height);
    let t1 = -half_height;
    let t2 = p.y - select(t1, t0, t1 < t0);
    let t3 = p.x * p.x + t2 * t2 + p.z * p.z;
    let t4 = t3 < 1e-24f;
    let t5 = sqrt(select(1e-24f, t3, 1e-24f < t3));
    let t6 = 1.0f / t5;
    return Distance(t5 - radius, vec3<f32>(select(p.x * t6, 1.0f, t4), select(t2 * t6, 0.0f, t4), select(p.z * t6, 0.0f, t4)));
}

fn tapered_capsule(p: vec3<f32>, half_height: f32, bottom: f32, top: f32) -> Distance {
    let t0 = half_height + half_height;
    let t1 = top - bottom;
    let t2 = select(1e-30f, t0, 1e-30f < t0);
    let t3 = t1 / t2;
    let t4 = 1.0f - t3 * t3;
    let t5 = t4 < 1e-6f;
    let t6 = p.x * p.x;
    let t7 = p.z * p.z;
    let t8 = -half_height;
    let t9 = p.y + t3 * sqrt(t6 + t7) / sqrt(select(1e-6f, t4, 1e-6f < t4));
    let t10 = select(half_height, t9, t9 < half_height);
    let t11 = select(select(t8, t10, t8 < t10), select(t8, half_height, 0.0f < t1), t5);
    let t12 = (half_height + t11) / t2;
    let t13 = select(1.0f, t12, t12 < 1.0f);
    let t14 = select(bottom + t1 * select(0.0f, t13, 0.0f < t13), select(top, bottom, top < bottom), t5);
    let t15 = p.y - t11;
    let t16 = t7 + (t6 + t15 * t15);
    let t17 = sqrt(select(1e-24f, t16, 1e-24f < t16));
    let t18 = t16 < 1e-24f;
    let t19 = 1.0f / t17;
    return Distance(t17 - t14, vec3<f32>(select(p.x * t19, 1.0f, t18), select(t15 * t19, 0.0f, t18), select(p.z * t19, 0.0f, t18)));
}

fn cuboid(p: vec3<f32>, half: vec3<f32>) -> Distance {
    let t0 = select(1.0f, -1.0f, p.x < 0.0f);
    let t1 = select(1.0f, -1.0f, p.y < 0.0f);
    let t2 = select(1.0f, -1.0f, p.z < 0.0f);
    let t3 = p.x * t0 - half.x;
    let t4 = p.y * t1 - half.y;
    let t5 = p.z * t2 - half.z;
    let t6 = select(0.0f, t3, 0.0f < t3);
    let t7 = select(0.0f, t4, 0.0f < t4);
    let t8 = select(0.0f, t5, 0.0f < t5);
    let t9 = t6 * t6 + t7 * t7 + t8 * t8;
    let t10 = 1e-24f < t9;
    let t11 = sqrt(select(1e-24f, t9, t10));
    let t12 = select(t4, t3, t4 < t3);
    let t13 = t12 < t5;
    let t14 = select(select(0.0f, 1.0f, t3 < t4), 0.0f, t13);
    let t15 = select(0.0f, 1.0f, t13);
    let t16 = 1.0f / t11;
    return Distance(
        select(select(t5, t12, t5 < t12), t11, t10),
        vec3<f32>(t0 * select(1.0f - t14 - t15, t6 * t16, t10), t1 * select(t14, t7 * t16, t10), t2 * select(t15, t8 * t16, t10)),
    );
}

fn on_triangle(corners: mat3x3<f32>, p: vec3<f32>) -> OnTriangle {
    let t0 = corners[1].x - corners[0].x;
    let t1 = corners[1].y - corners[0].y;
    let t2 = corners[1].z - corners[0].z;
    let t3 = corners[2].x - corners[0].x;
    let t4 = corners[2].y - corners[0].y;
    let t5 = corners[2].z - corners[0].z;
    let t6 = p.x - corners[0].x;
    let t7 = p.y - corners[0].y;
    let t8 = p.z - corners[0].z;
    let t9 = t0 * t6 + t1 * t7 + t2 * t8;
    let t10 = t3 * t6 + t4 * t7 + t5 * t8;
    let t11 = p.x - corners[1].x;
    let t12 = p.y - corners[1].y;
    let t13 = p.z - corners[1].z;
    let t14 = t0 * t11 + t1 * t12 + t2 * t13;
    let t15 = t3 * t11 + t4 * t12 + t5 * t13;
    let t16 = p.x - corners[2].x;
    let t17 = p.y - corners[2].y;
    let t18 = p.z - corners[2].z;
    let t19 = t0 * t16 + t1 * t17 + t2 * t18;
    let t20 = t3 * t16 + t4 * t17 + t5 * t18;
    let t21 = t14 * t20 - t15 * t19;
    let t22 = t10 * t19 - t9 * t20;
    let t23 = t9 * t15 - t10 * t14;
    let t24 = t15 - t14;
    let t25 = t19 - t20;
    let t26 = t23 + (t21 + t22);
    let t27 = 1.0f / select(1e-30f, t26, 1e-30f < t26);
    let t28 = t22 * t27;
    let t29 = t23 * t27;
    let t30 = select(1.0f, 0.0f, 0.0f < t21) * select(1.0f, 0.0f, t24 < 0.0f);
    let t31 = t24 + t25;
    let t32 = t24 / select(1e-30f, t31, 1e-30f < t31);
    let t33 = select(1.0f, 0.0f, 0.0f < t22) * select(1.0f, 0.0f, t10 < 0.0f);
    let t34 = t10 - t20;
    let t35 = t10 / select(1e-30f, t34, 1e-30f < t34);
    let t36 = select(1.0f, 0.0f, 0.0f < t23) * select(1.0f, 0.0f, t9 < 0.0f);
    let t37 = t9 - t14;
    let t38 = t9 / select(1e-30f, t37, 1e-30f < t37);
    let t39 = select(1.0f, 0.0f, t20 < 0.0f) * select(1.0f, 0.0f, t20 < t19);
    let t40 = select(1.0f, 0.0f, t14 < 0.0f) * select(1.0f, 0.0f, t14 < t15);
    let t41 = select(1.0f, 0.0f, 0.0f < t9) * select(1.0f, 0.0f, 0.0f < t10);
    let t42 = 0.0f < t30 * select(1.0f, 0.0f, t25 < 0.0f);
    let t43 = select(corners[0].x + t0 * t28 + t3 * t29, corners[1].x + (corners[2].x - corners[1].x) * t32, t42);
    let t44 = select(corners[0].y + t1 * t28 + t4 * t29, corners[1].y + (corners[2].y - corners[1].y) * t32, t42);
    let t45 = select(corners[0].z + t2 * t28 + t5 * t29, corners[1].z + (corners[2].z - corners[1].z) * t32, t42);
    let t46 = 0.0f < t33 * select(1.0f, 0.0f, 0.0f < t20);
    let t47 = 0.0f < t36 * select(1.0f, 0.0f, 0.0f < t14);
    let t48 = select(select(t43, corners[0].x + t3 * t35, t46), corners[0].x + t0 * t38, t47);
    let t49 = select(select(t44, corners[0].y + t4 * t35, t46), corners[0].y + t1 * t38, t47);
    let t50 = select(select(t45, corners[0].z + t5 * t35, t46), corners[0].z + t2 * t38, t47);
    let t51 = select(select(select(0.0f, 1.0f, t42), 0.0f, t46), 0.0f, t47);
    let t52 = 0.0f < t39;
    let t53 = select(select(select(0.0f, 1.0f, t46), 0.0f, t47), 1.0f, t52);
    let t54 = 0.0f < t40;
    let t55 = select(select(select(0.0f, 1.0f, t47), 0.0f, t52), 1.0f, t54);
    let t56 = 0.0f < t41;
    let t57 = select(select(select(t48, corners[2].x, t52), corners[1].x, t54), corners[0].x, t56);
    let t58 = select(select(select(t49, corners[2].y, t52), corners[1].y, t54), corners[0].y, t56);
    let t59 = select(select(select(t50, corners[2].z, t52), corners[1].z, t54), corners[0].z, t56);
    return OnTriangle(
        vec3<f32>(t57, t58, t59),
        vec3<f32>(select(t55, 1.0f, t56), select(select(select(t51, 1.0f, t52), 1.0f, t54), 0.0f, t56), select(select(t53, 0.0f, t54), 1.0f, t56)),
    );
}

fn corner_shares(corners: mat3x3<f32>, at: vec3<f32>) -> vec3<f32> {
    let t0 = corners[1].x - corners[0].x;
    let t1 = corners[1].y - corners[0].y;
    let t2 = corners[1].z - corners[0].z;
    let t3 = corners[2].x - corners[0].x;
    let t4 = corners[2].y - corners[0].y;
    let t5 = corners[2].z - corners[0].z;
    let t6 = at.x - corners[0].x;
    let t7 = at.y - corners[0].y;
    let t8 = at.z - corners[0].z;
    let t9 = t0 * t0 + t1 * t1 + t2 * t2;
    let t10 = t0 * t3 + t1 * t4 + t2 * t5;
    let t11 = t3 * t3 + t4 * t4 + t5 * t5;
    let t12 = t9 * t11 - t10 * t10;
    let t13 = t0 * t6 + t1 * t7 + t2 * t8;
    let t14 = t3 * t6 + t4 * t7 + t5 * t8;
    let t15 = 0.0f < t12;
    let t16 = select(1e-30f, t12, 1e-30f < t12);
    let t17 = select(0.0f, (t11 * t13 - t10 * t14) / t16, t15);
    let t18 = select(0.0f, (t9 * t14 - t10 * t13) / t16, t15);
    return vec3<f32>(1.0f - t17 - t18, t17, t18);
}

fn contact(u: vec3<f32>, normal: vec3<f32>, depth: f32, surface: vec3<f32>, friction: f32, movable: f32) -> Contact {
    let t0 = 0.0f < depth && 0.0f < movable;
    let t1 = u.x + normal.x * depth;
    let t2 = u.y + normal.y * depth;
    let t3 = u.z + normal.z * depth;
    let t4 = t1 - surface.x;
    let t5 = t2 - surface.y;
    let t6 = t3 - surface.z;
    let t7 = normal.x * t4 + normal.y * t5 + normal.z * t6;
    let t8 = t4 - normal.x * t7;
    let t9 = t5 - normal.y * t7;
    let t10 = t6 - normal.z * t7;
    let t11 = t8 * t8 + t9 * t9 + t10 * t10;
    let t12 = depth * friction / sqrt(select(1e-24f, t11, 1e-24f < t11));
    let t13 = select(1.0f, t12, t12 < 1.0f);
    return Contact(
        vec3<f32>(select(u.x, t1 - t8 * t13, t0), select(u.y, t2 - t9 * t13, t0), select(u.z, t3 - t10 * t13, t0)),
        select(0.0f, 1.0f, t0),
    );
}

fn guess_contact(f: vec3<f32>, u: vec3<f32>, inertia: f32, near: Near) -> Closed {
    let t0 = u.x * near.normal.x + u.y * near.normal.y + u.z * near.normal.z;
    let t1 = f.x * near.normal.x + f.y * near.normal.y + f.z * near.normal.z;
    let t2 = inertia * (near.along - t0) - t1;
    let t3 = select(0.0f, t2, 0.0f < t2);
    let t4 = f.x + inertia * (u.x - near.surface.x);
    let t5 = f.y + inertia * (u.y - near.surface.y);
    let t6 = f.z + inertia * (u.z - near.surface.z);
    let t7 = near.normal.x * t4 + near.normal.y * t5 + near.normal.z * t6;
    let t8 = t4 - near.normal.x * t7;
    let t9 = t5 - near.normal.y * t7;
    let t10 = t6 - near.normal.z * t7;
    let t11 = near.friction * t3;
    let t12 = near.normal.x * near.slip.x + near.normal.y * near.slip.y + near.normal.z * near.slip.z;
    let t13 = near.slip.x - near.normal.x * t12;
    let t14 = near.slip.y - near.normal.y * t12;
    let t15 = near.slip.z - near.normal.z * t12;
    let t16 = sqrt(t13 * t13 + t14 * t14 + t15 * t15);
    let t17 = (sqrt(t8 * t8 + t9 * t9 + t10 * t10) - t11) / inertia;
    let t18 = t16 * 0.8f;
    let t19 = select(t18, t17, t18 < t17);
    let t20 = t16 * 1.25f;
    let t21 = inertia * 1000.0f;
    let t22 = select(select(t20, t19, t19 < t20), t17, t16 * t21 < t11);
    let t23 = t11 / select(1e-30f, t22, 1e-30f < t22);
    return Closed(t3, select(t21, t23, t23 < t21));
}

fn held_contact(closed: Closed, stiff: f32, near: Near, most: f32) -> Held {
    let t0 = select(most, near.depth, near.depth < most);
    return Held(
        vec3<f32>(near.normal.x, near.normal.y, near.normal.z),
        vec3<f32>(near.surface.x, near.surface.y, near.surface.z),
        near.along + select(0.0f, t0, 0.0f < t0),
        select(0.0f, stiff, 0.0f < closed.press),
        closed.grip,
    );
}

fn held_force(c: Held, u: vec3<f32>) -> HeldForce {
    let t0 = u.x - c.surface.x;
    let t1 = u.y - c.surface.y;
    let t2 = u.z - c.surface.z;
    let t3 = c.normal.x * t0 + c.normal.y * t1 + c.normal.z * t2;
    let t4 = t0 - c.normal.x * t3;
    let t5 = t1 - c.normal.y * t3;
    let t6 = t2 - c.normal.z * t3;
    let t7 = c.target_ - (c.normal.x * u.x + c.normal.y * u.y + c.normal.z * u.z);
    let t8 = c.stiff * t7;
    return HeldForce(
        t8,
        vec3<f32>(-(c.grip * t4), -(c.grip * t5), -(c.grip * t6)),
        vec3<f32>(t4, t5, t6),
        0.5f * (t7 * t8 + c.grip * (t4 * t4 + t5 * t5 + t6 * t6)),
    );
}

fn revise_contact(closed: Closed, inertia: f32, force: HeldForce, friction: f32) -> Revised {
    let t0 = force.press < -(closed.press * 0.1f);
    let t1 = friction * select(0.0f, force.press, 0.0f < force.press);
    let t2 = force.slip.x * force.slip.x + force.slip.y * force.slip.y + force.slip.z * force.slip.z;
    let t3 = force.friction.x * force.friction.x + force.friction.y * force.friction.y;
    let t4 = sqrt(t3 + force.friction.z * force.friction.z);
    let t5 = inertia * 1000.0f;
    let t6 = t5 * 0.5f < closed.grip;
    let t7 = select(sqrt(t2), (t4 - t1) / inertia, t6);
    let t8 = select(select(0.0f, 1.0f, select(t4 + 0.1f * t1, 0.0f, t6) < t1), 1.0f, t1 * 1.1f < t4);
    let t9 = t1 / select(1e-30f, t7, 1e-30f < t7);
    let t10 = select(select(closed.grip, select(t5, t9, t9 < t5), 0.0f < t8), 0.0f, t0);
    return Revised(Closed(select(closed.press, 0.0f, t0), t10), select(0.0f, select(t8, 1.0f, t0), 0.0f < closed.press));
}

fn stop_contact(u: vec3<f32>, inertia: f32, normal: vec3<f32>, surface: vec3<f32>, depth: f32, friction: f32) -> Stopped {
    let t0 = normal.x * (surface.x - u.x) + normal.y * (surface.y - u.y) + normal.z * (surface.z - u.z);
    let t1 = select(t0, depth, depth < t0);
    let t2 = select(0.0f, t1, 0.0f < t1);
    let t3 = inertia * t2;
    let t4 = u.x - surface.x;
    let t5 = u.y - surface.y;
    let t6 = u.z - surface.z;
    let t7 = normal.x * t4 + normal.y * t5 + normal.z * t6;
    let t8 = t4 - normal.x * t7;
    let t9 = t5 - normal.y * t7;
    let t10 = t6 - normal.z * t7;
    let t11 = sqrt(t8 * t8 + t9 * t9 + t10 * t10);
    let t12 = friction * t3 / select(1e-30f, t11, 1e-30f < t11);
    let t13 = inertia * 1000.0f;
    return Stopped(Closed(t3, select(t13, t12, t12 < t13)), t2 + (u.x * normal.x + u.y * normal.y + u.z * normal.z));
}

fn settle_contact(c: Held, u: vec3<f32>, inertia: f32, friction: f32) -> Settled {
    let t0 = u.x - c.surface.x;
    let t1 = u.y - c.surface.y;
    let t2 = u.z - c.surface.z;
    let t3 = c.normal.x * t0 + c.normal.y * t1 + c.normal.z * t2;
    let t4 = t0 - c.normal.x * t3;
    let t5 = t1 - c.normal.y * t3;
    let t6 = t2 - c.normal.z * t3;
    let t7 = c.target_ - (c.normal.x * u.x + c.normal.y * u.y + c.normal.z * u.z);
    let t8 = c.stiff * t7;
    let t9 = -(c.grip * t4);
    let t10 = -(c.grip * t5);
    let t11 = -(c.grip * t6);
    let t12 = select(0.0f, t8, 0.0f < t8);
    let t13 = friction * t12;
    let t14 = 0.5f * (inertia * 1000.0f) < c.grip && t9 * t9 + t10 * t10 + t11 * t11 < t13 * t13;
    return Settled(vec3<f32>(select(u.x, u.x - t4, t14), select(u.y, u.y - t5, t14), select(u.z, u.z - t6, t14)), t12);
}

fn body_gives(arm: vec3<f32>, normal: vec3<f32>, inverse_mass: f32, inverse_inertia: Sym3) -> f32 {
    let t0 = arm.y * normal.z - arm.z * normal.y;
    let t1 = arm.z * normal.x - arm.x * normal.z;
    let t2 = arm.x * normal.y - arm.y * normal.x;
    let t3 = inverse_inertia.xx * t0 + inverse_inertia.xy * t1 + inverse_inertia.xz * t2;
    let t4 = inverse_inertia.xy * t0 + inverse_inertia.yy * t1 + inverse_inertia.yz * t2;
    let t5 = inverse_inertia.xz * t0 + inverse_inertia.yz * t1 + inverse_inertia.zz * t2;
    return inverse_mass + (t0 * t3 + t1 * t4 + t2 * t5);
}

fn shared_contact(u: vec3<f32>, normal: vec3<f32>, depth: f32, surface: vec3<f32>, friction: f32, weight: f32, gives: f32, most: f32) -> Contact {
    let t0 = normal.x * (surface.x - u.x) + normal.y * (surface.y - u.y) + normal.z * (surface.z - u.z);
    let t1 = most + select(0.0f, t0, 0.0f < t0);
    let t2 = select(t1, depth, depth < t1);
    let t3 = 0.0f < t2 && 0.0f < weight;
    let t4 = u.x + normal.x * t2;
    let t5 = u.y + normal.y * t2;
    let t6 = u.z + normal.z * t2;
    let t7 = t4 - surface.x;
    let t8 = t5 - surface.y;
    let t9 = t6 - surface.z;
    let t10 = normal.x * t7 + normal.y * t8 + normal.z * t9;
    let t11 = t7 - normal.x * t10;
    let t12 = t8 - normal.y * t10;
    let t13 = t9 - normal.z * t10;
    let t14 = t11 * t11 + t12 * t12 + t13 * t13;
    let t15 = friction * t2 / sqrt(select(1e-24f, t14, 1e-24f < t14));
    let t16 = select(1.0f, t15, t15 < 1.0f);
    let t17 = weight + gives;
    let t18 = weight / select(1e-30f, t17, 1e-30f < t17);
    return Contact(
        vec3<f32>(u.x + t18 * (select(u.x, t4 - t11 * t16, t3) - u.x), u.y + t18 * (select(u.y, t5 - t12 * t16, t3) - u.y), u.z + t18 * (select(u.z, t6 - t13 * t16, t3) - u.z)),
        select(0.0f, 1.0f, t3),
    );
}

fn give_way(c: Held, before: vec3<f32>, gives: f32) -> Held {
    let t0 = c.normal.x * before.x + c.normal.y * before.y + c.normal.z * before.z;
    return Held(
        vec3<f32>(c.normal.x, c.normal.y, c.normal.z),
        vec3<f32>(c.surface.x + gives * (before.x - c.normal.x * t0), c.surface.y + gives * (before.y - c.normal.y * t0), c.surface.z + gives * (before.z - c.normal.z * t0)),
        select(c.target_, c.target_ + gives * t0, 0.0f < c.stiff),
        c.stiff / (1.0f + c.stiff * gives),
        c.grip / (1.0f + c.grip * gives),
    );
}

fn settle_shared(c: Held, grip: f32, u: vec3<f32>, inertia: f32, friction: f32) -> Settled {
    let t0 = u.x - c.surface.x;
    let t1 = u.y - c.surface.y;
    let t2 = u.z - c.surface.z;
    let t3 = c.normal.x * t0 + c.normal.y * t1 + c.normal.z * t2;
    let t4 = c.target_ - (c.normal.x * u.x + c.normal.y * u.y + c.normal.z * u.z);
    let t5 = c.stiff * t4;
    let t6 = -(c.grip * (t0 - c.normal.x * t3));
    let t7 = -(c.grip * (t1 - c.normal.y * t3));
    let t8 = -(c.grip * (t2 - c.normal.z * t3));
    let t9 = select(0.0f, t5, 0.0f < t5);
    let t10 = friction * t9;
    let t11 = 0.5f * (inertia * 1000.0f) < grip && t6 * t6 + t7 * t7 + t8 * t8 < t10 * t10;
    let t12 = 1.0f / select(1e-30f, grip, 1e-30f < grip);
    return Settled(
        vec3<f32>(select(u.x, u.x + t6 * t12, t11), select(u.y, u.y + t7 * t12, t11), select(u.z, u.z + t8 * t12, t11)),
        t9,
    );
}

fn body_moves(linear: vec3<f32>, angular: vec3<f32>, inverse_mass: f32, inverse_inertia: Sym3) -> BodyMoves {
    let t0 = angular.x * inverse_inertia.xx + angular.y * inverse_inertia.xy;
    let t1 = angular.x * inverse_inertia.xy + angular.y * inverse_inertia.yy;
    let t2 = angular.x * inverse_inertia.xz + angular.y * inverse_inertia.yz;
    return BodyMoves(
        vec3<f32>(linear.x * inverse_mass, linear.y * inverse_mass, linear.z * inverse_mass),
        vec3<f32>(t0 + angular.z * inverse_inertia.xz, t1 + angular.z * inverse_inertia.yz, t2 + angular.z * inverse_inertia.zz),
    );
}

fn moved_shape(shape: MovedShape, body: vec3<f32>, all: BodyMoves, now: BodyMoves) -> MovedShape {
    let t0 = all.turn.x * 0.5f;
    let t1 = all.turn.y * 0.5f;
    let t2 = all.turn.z * 0.5f;
    let t3 = 1.0f / sqrt(1.0f + (t0 * t0 + t1 * t1 + t2 * t2));
    let t4 = t0 * t3;
    let t5 = t1 * t3;
    let t6 = t2 * t3;
    let t7 = shape.center.x - body.x;
    let t8 = shape.center.y - body.y;
    let t9 = shape.center.z - body.z;
    let t10 = t5 * t5;
    let t11 = t6 * t6;
    let t12 = 1.0f - 2.0f * (t10 + t11);
    let t13 = t4 * t5;
    let t14 = t3 * t6;
    let t15 = 2.0f * (t13 + t14);
    let t16 = t4 * t6;
    let t17 = t3 * t5;
    let t18 = 2.0f * (t16 - t17);
    let t19 = 2.0f * (t13 - t14);
    let t20 = t4 * t4;
    let t21 = 1.0f - 2.0f * (t11 + t20);
    let t22 = t5 * t6;
    let t23 = t3 * t4;
    let t24 = 2.0f * (t22 + t23);
    let t25 = 2.0f * (t16 + t17);
    let t26 = 2.0f * (t22 - t23);
    let t27 = 1.0f - 2.0f * (t10 + t20);
    let t28 = t7 * t12 + t8 * t19 + t9 * t25;
    let t29 = t7 * t15 + t8 * t21 + t9 * t26;
    let t30 = t7 * t18 + t8 * t24 + t9 * t27;
    let t31 = shape.axes[0].x * t12 + shape.axes[0].y * t19 + shape.axes[0].z * t25;
    let t32 = shape.axes[0].x * t15 + shape.axes[0].y * t21 + shape.axes[0].z * t26;
    let t33 = shape.axes[0].x * t18 + shape.axes[0].y * t24 + shape.axes[0].z * t27;
    let t34 = shape.axes[1].x * t12 + shape.axes[1].y * t19 + shape.axes[1].z * t25;
    let t35 = shape.axes[1].x * t15 + shape.axes[1].y * t21 + shape.axes[1].z * t26;
    let t36 = shape.axes[1].x * t18 + shape.axes[1].y * t24 + shape.axes[1].z * t27;
    let t37 = shape.axes[2].x * t12 + shape.axes[2].y * t19 + shape.axes[2].z * t25;
    let t38 = shape.axes[2].x * t15 + shape.axes[2].y * t21 + shape.axes[2].z * t26;
    let t39 = shape.axes[2].x * t18 + shape.axes[2].y * t24 + shape.axes[2].z * t27;
    let t40 = shape.shift.x + now.shift.x + (now.turn.y * t30 - now.turn.z * t29);
    let t41 = shape.shift.y + now.shift.y + (now.turn.z * t28 - now.turn.x * t30);
    let t42 = shape.shift.z + now.shift.z + (now.turn.x * t29 - now.turn.y * t28);
    return MovedShape(
        vec3<f32>(t28 + (body.x + all.shift.x), t29 + (body.y + all.shift.y), t30 + (body.z + all.shift.z)),
        mat3x3<f32>(vec3<f32>(t31, t32, t33), vec3<f32>(t34, t35, t36), vec3<f32>(t37, t38, t39)),
        mat3x3<f32>(vec3<f32>(shape.turn[0].x + 0.0f, shape.turn[0].y + now.turn.z, shape.turn[0].z - now.turn.y), vec3<f32>(shape.turn[1].x - now.turn.z, shape.turn[1].y + 0.0f, shape.turn[1].z + now.turn.x), vec3<f32>(shape.turn[2].x + now.turn.y, shape.turn[2].y - now.turn.x, shape.turn[2].z + 0.0f)),
        vec3<f32>(t40, t41, t42),
    );
}

fn quaternion_nlerp(a: vec4<f32>, b: vec4<f32>, t: f32) -> vec4<f32> {
    let t0 = 1.0f - t;
    let t1 = select(t, -t, a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0f);
    let t2 = a.x * t0 + b.x * t1;
    let t3 = a.y * t0 + b.y * t1;
    let t4 = a.z * t0 + b.z * t1;
    let t5 = a.w * t0 + b.w * t1;
    let t6 = t2 * t2 + t3 * t3 + t4 * t4 + t5 * t5;
    let t7 = 1.0f / sqrt(select(1e-30f, t6, 1e-30f < t6));
    return vec4<f32>(t2 * t7, t3 * t7, t4 * t7, t5 * t7);
}

fn quaternion_frame(q: vec4<f32>) -> mat3x3<f32> {
    let t0 = q.y * q.y;
    let t1 = q.z * q.z;
    let t2 = q.x * q.y;
    let t3 = q.z * q.w;
    let t4 = q.x * q.z;
    let t5 = q.y * q.w;
    let t6 = q.x * q.x;
    let t7 = q.y * q.z;
    let t8 = q.x * q.w;
    return mat3x3<f32>(
        vec3<f32>(1.0f - 2.0f * (t0 + t1), 2.0f * (t2 + t3), 2.0f * (t4 - t5)),
        vec3<f32>(2.0f * (t2 - t3), 1.0f - 2.0f * (t1 + t6), 2.0f * (t7 + t8)),
        vec3<f32>(2.0f * (t4 + t5), 2.0f * (t7 - t8), 1.0f - 2.0f * (t0 + t6)),
    );
}
