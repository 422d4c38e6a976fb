// Generated from crates/solve/src/rods/der/kernels.rs, crates/solve/src/rods/newton/ and crates/solve/src/layout/mod.rs by `cargo xtask wgsl`: do not edit.
// The same functions run on the CPU; meaning, units and papers are there.

const STATE_TWIST: u32 = 16u;
const SECOND_ACCEL: u32 = 0u;
const SECOND_ORDER: u32 = 3u;
const SECOND_ROWS: u32 = 4u;
const KAPPA_ROWS: u32 = 2u;
const BAND: u32 = 11u;
const RHS: u32 = 38u;
const COAST: u32 = 42u;
const INERTIA: u32 = 46u;
const START: u32 = 48u;
const KEPT: u32 = 0u;
const NEAR_NORMAL: u32 = 54u;
const NEAR_SURFACE: u32 = 57u;
const NEAR_ALONG: u32 = 60u;
const NEAR_DEPTH: u32 = 61u;
const NEAR_FRICTION: u32 = 62u;
const NEAR_PRESS: u32 = 63u;
const NEAR_GRIP: u32 = 64u;
const NEAR_STIFF: u32 = 65u;
const NEAR_SLIP: u32 = 66u;
const SCRATCH_ROWS: u32 = 69u;
const LONGEST_SEARCH: u32 = 20u;
const HELD: f32 = 1e30f;
const NOTHING: f32 = 1e-30f;
const INDEFINITE: f32 = 0.001f;
const DROWNED: f32 = 3000000.0f;
const FOLDED: f32 = 0.0184f;
const HALF: f32 = 0.5f;
const RIGID: f32 = 1e-5f;
const SLACK: f32 = 1e-6f;
const ROUNDING: f32 = 5e-7f;
const TURN: f32 = 0.25f;
const TURNED: f32 = 0.001f;
const MOVES: f32 = 0.6666667f;
const TURNS_FAR: f32 = 0.1f;
const SHORTEST: f32 = 0.001f;
const CUT_SHORT: f32 = 2.0f;
const FAR: f32 = -1e30f;
const CONTACT_STIFFNESS: f32 = 1000.0f;

struct Frame {
    m1: vec3<f32>,
    m2: vec3<f32>,
    t: vec3<f32>,
}

struct Stretch {
    energy: f32,
    tension: f32,
    stiffness: f32,
}

struct Relative {
    rows: mat3x3<f32>,
}

struct ElementRest {
    kappa: vec4<f32>,
    twist: f32,
    bend: vec4<f32>,
    turn: f32,
}

struct Element {
    energy: f32,
    moment: vec3<f32>,
    gauss_newton: Sym3,
    second: Sym3,
}

struct ElementForce {
    e: vec3<f32>,
    f: vec3<f32>,
    turn_e: f32,
    turn_f: f32,
}

struct LocalHessian {
    ee: mat4x4<f32>,
    ef: mat4x4<f32>,
    ff: mat4x4<f32>,
}

struct WorldHessian {
    ee: mat3x3<f32>,
    ef: mat3x3<f32>,
    ff: mat3x3<f32>,
    e_angles: mat2x3<f32>,
    f_angles: mat2x3<f32>,
    angles: vec3<f32>,
}

fn frame_moved(f: Frame, to: vec3<f32>, turn: f32) -> Frame {
    let t0 = turn * 0.5f;
    let t1 = t0 * t0;
    let t2 = 1.0f / (1.0f + t1);
    let t3 = t2 * (t0 + t0);
    let t4 = t2 * (1.0f - t1);
    let t5 = f.t.y * to.z - f.t.z * to.y;
    let t6 = f.t.z * to.x - f.t.x * to.z;
    let t7 = f.t.x * to.y - f.t.y * to.x;
    let t8 = 1.0f + (f.t.x * to.x + f.t.y * to.y + f.t.z * to.z);
    let t9 = 1.0f / select(1e-6f, t8, 1e-6f < t8);
    let t10 = f.m1.z * t6 - f.m1.y * t7;
    let t11 = f.m1.x * t7 - f.m1.z * t5;
    let t12 = f.m1.y * t5 - f.m1.x * t6;
    let t13 = f.m1.x + t10 + t9 * (t6 * t12 - t7 * t11);
    let t14 = f.m1.y + t11 + t9 * (t7 * t10 - t5 * t12);
    let t15 = f.m1.z + t12 + t9 * (t5 * t11 - t6 * t10);
    let t16 = to.x * t13 + to.y * t14 + to.z * t15;
    let t17 = t13 - to.x * t16;
    let t18 = t14 - to.y * t16;
    let t19 = t15 - to.z * t16;
    let t20 = t17 * t17 + t18 * t18 + t19 * t19;
    let t21 = 1.0f / sqrt(select(1e-24f, t20, 1e-24f < t20));
    let t22 = t17 * t21;
    let t23 = t18 * t21;
    let t24 = t19 * t21;
    let t25 = to.y * t24 - to.z * t23;
    let t26 = to.z * t22 - to.x * t24;
    let t27 = to.x * t23 - to.y * t22;
    return Frame(
        vec3<f32>(t4 * t22 + t3 * t25, t4 * t23 + t3 * t26, t4 * t24 + t3 * t27),
        vec3<f32>(t4 * t25 - t3 * t22, t4 * t26 - t3 * t23, t4 * t27 - t3 * t24),
        vec3<f32>(to.x, to.y, to.z),
    );
}

fn frame_turn_to(f: Frame, to: Frame) -> f32 {
    let t0 = f.t.y * to.t.z - f.t.z * to.t.y;
    let t1 = f.t.z * to.t.x - f.t.x * to.t.z;
    let t2 = f.t.x * to.t.y - f.t.y * to.t.x;
    let t3 = 1.0f + (f.t.x * to.t.x + f.t.y * to.t.y + f.t.z * to.t.z);
    let t4 = 1.0f / select(1e-6f, t3, 1e-6f < t3);
    let t5 = f.m1.z * t1 - f.m1.y * t2;
    let t6 = f.m1.x * t2 - f.m1.z * t0;
    let t7 = f.m1.y * t0 - f.m1.x * t1;
    let t8 = f.m1.x + t5 + t4 * (t1 * t7 - t2 * t6);
    let t9 = f.m1.y + t6 + t4 * (t2 * t5 - t0 * t7);
    let t10 = f.m1.z + t7 + t4 * (t0 * t6 - t1 * t5);
    let t11 = to.t.x * t8 + to.t.y * t9 + to.t.z * t10;
    let t12 = t8 - to.t.x * t11;
    let t13 = t9 - to.t.y * t11;
    let t14 = t10 - to.t.z * t11;
    let t15 = t12 * t12 + t13 * t13 + t14 * t14;
    let t16 = 1.0f / sqrt(select(1e-24f, t15, 1e-24f < t15));
    let t17 = t12 * t16;
    let t18 = t13 * t16;
    let t19 = t14 * t16;
    let t20 = t17 + 0.0f * (to.t.y * t19 - to.t.z * t18);
    let t21 = t18 + 0.0f * (to.t.z * t17 - to.t.x * t19);
    let t22 = t19 + 0.0f * (to.t.x * t18 - to.t.y * t17);
    let t23 = to.t.x * (to.m1.z * t21 - to.m1.y * t22) + to.t.y * (to.m1.x * t22 - to.m1.z * t20);
    let t24 = 1.0f + (to.m1.x * t20 + to.m1.y * t21 + to.m1.z * t22);
    let t25 = (t23 + to.t.z * (to.m1.y * t20 - to.m1.x * t21)) * 2.0f / select(0.001f, t24, 0.001f < t24);
    return t25;
}

fn stretch(length: f32, rest: f32, stiffness: f32) -> Stretch {
    let t0 = length - rest;
    let t1 = stiffness * t0;
    return Stretch(t0 * (t1 * 0.5f), t1, stiffness);
}

fn stretch_block(t: vec3<f32>, inv_length: f32, s: Stretch, exact: f32) -> mat3x3<f32> {
    let t0 = inv_length * s.tension;
    let t1 = select(select(0.0f, t0, 0.0f < t0), t0, 0.0f < exact);
    let t2 = s.stiffness - t1;
    let t3 = t.x * t2;
    let t4 = t.y * t2;
    let t5 = t.z * t2;
    return mat3x3<f32>(
        vec3<f32>(t1 + t.x * t3, 0.0f + t.y * t3, 0.0f + t.z * t3),
        vec3<f32>(0.0f + t.x * t4, t1 + t.y * t4, 0.0f + t.z * t4),
        vec3<f32>(0.0f + t.x * t5, 0.0f + t.y * t5, t1 + t.z * t5),
    );
}

fn relative(e: Frame, f: Frame) -> Relative {
    return Relative(
        mat3x3<f32>(vec3<f32>(e.m1.x * f.m1.x + e.m1.y * f.m1.y + e.m1.z * f.m1.z, e.m1.x * f.m2.x + e.m1.y * f.m2.y + e.m1.z * f.m2.z, e.m1.x * f.t.x + e.m1.y * f.t.y + e.m1.z * f.t.z), vec3<f32>(e.m2.x * f.m1.x + e.m2.y * f.m1.y + e.m2.z * f.m1.z, e.m2.x * f.m2.x + e.m2.y * f.m2.y + e.m2.z * f.m2.z, e.m2.x * f.t.x + e.m2.y * f.t.y + e.m2.z * f.t.z), vec3<f32>(e.t.x * f.m1.x + e.t.y * f.m1.y + e.t.z * f.m1.z, e.t.x * f.m2.x + e.t.y * f.m2.y + e.t.z * f.m2.z, e.t.x * f.t.x + e.t.y * f.t.y + e.t.z * f.t.z)),
    );
}

fn curvature(q: Relative) -> vec4<f32> {
    let t0 = q.rows[2].z + 1.0f;
    let t1 = 2.0f / select(1e-6f, t0, 1e-6f < t0);
    return vec4<f32>(q.rows[0].z * t1, q.rows[1].z * t1, -(q.rows[2].x * t1), -(q.rows[2].y * t1));
}

fn principal_twist(q: Relative) -> f32 {
    let t0 = q.rows[1].x - q.rows[0].y;
    let t1 = q.rows[0].x + q.rows[1].y;
    let t2 = t1 < 0.0f;
    let t3 = sqrt(t1 * t1 + t0 * t0) + select(t1, -t1, t2);
    let t4 = t0 / select(1e-37f, t3, 1e-37f < t3);
    let t5 = t4 / (1.0f + sqrt(1.0f + t4 * t4));
    let t6 = t5 / (1.0f + sqrt(1.0f + t5 * t5));
    let t7 = -(t6 * t6);
    let t8 = t7 * (t7 * (t7 * 0.04f + 0.04347826f) + 0.04761905f) + 0.05263158f;
    let t9 = t7 * (t7 * (t7 * t8 + 0.05882353f) + 0.06666667f) + 0.07692308f;
    let t10 = t7 * (t7 * (t7 * t9 + 0.09090909f) + 0.11111111f) + 0.14285715f;
    let t11 = t6 * (1.0f + t7 * (t7 * (t7 * t10 + 0.2f) + 0.33333334f)) * 8.0f;
    let t12 = select(t11, select(3.1415927f, -3.1415927f, t0 < 0.0f) - t11, t2);
    return t12;
}

fn darboux(q: Relative) -> vec3<f32> {
    let t0 = 1.0f + (q.rows[2].z + (q.rows[0].x + q.rows[1].y));
    let t1 = 1.0f / select(1e-6f, t0, 1e-6f < t0);
    return vec3<f32>(
        t1 * (q.rows[2].y - q.rows[1].z) * 2.0f,
        t1 * (q.rows[0].z - q.rows[2].x) * 2.0f,
        t1 * (q.rows[1].x - q.rows[0].y) * 2.0f,
    );
}

fn curvature_element(q: Relative, kappa: vec4<f32>, twist: f32, rest: ElementRest) -> Element {
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
    let t22 = twist - rest.twist;
    let t23 = rest.turn * t22;
    let t24 = rest.turn * t20;
    let t25 = rest.turn * t21;
    let t26 = 0.5f * t14;
    let t27 = 0.5f * t15;
    let t28 = 0.5f * t16;
    let t29 = 0.0f * t26;
    let t30 = 0.0f * t27;
    let t31 = 0.0f * t28;
    let t32 = 0.5f * t17;
    let t33 = 0.5f * t18;
    let t34 = 0.5f * t19;
    let t35 = 0.0f * t32;
    let t36 = 0.0f * t33;
    let t37 = 0.0f * t34;
    let t38 = -(0.5f * t23);
    let t39 = kappa.x - rest.kappa.x;
    let t40 = rest.bend.x * t39;
    let t41 = t8 * t40;
    let t42 = t9 * t40;
    let t43 = t10 * t40;
    let t44 = rest.bend.x * t8;
    let t45 = rest.bend.x * t9;
    let t46 = t2 * t40;
    let t47 = q.rows[0].x * 0.5f;
    let t48 = q.rows[0].y * 0.5f;
    let t49 = q.rows[0].z * 0.5f;
    let t50 = 0.0f * t47;
    let t51 = 0.0f * t48;
    let t52 = 0.0f * t49;
    let t53 = 0.0f + (0.0f + 2.0f * t26 + (0.0f + 2.0f * t35)) * t38 + t46 * (0.0f + 2.0f * t50);
    let t54 = 0.0f + (0.0f + (t27 + t29) + (0.0f + (t32 + t36))) * t38 + t46 * (0.0f + (t50 + t51));
    let t55 = 0.0f + (0.0f + (t28 + t29) + (0.0f + (t35 + t37))) * t38 + t46 * (0.0f + (t47 + t52));
    let t56 = 0.0f + (0.0f + 2.0f * t30 + (0.0f + 2.0f * t33)) * t38 + t46 * (0.0f + 2.0f * t51);
    let t57 = 0.0f + (0.0f + (t30 + t31) + (0.0f + (t34 + t36))) * t38 + t46 * (0.0f + (t48 + t52));
    let t58 = 0.0f + (0.0f + 2.0f * t31 + (0.0f + 2.0f * t37)) * t38 + t46 * (0.0f + 2.0f * t49);
    let t59 = q.rows[0].z * t46;
    let t60 = kappa.y - rest.kappa.y;
    let t61 = rest.bend.y * t60;
    let t62 = t11 * t61;
    let t63 = t12 * t61;
    let t64 = t13 * t61;
    let t65 = rest.bend.y * t11;
    let t66 = rest.bend.y * t12;
    let t67 = rest.turn + 0.0f + t10 * (rest.bend.x * t10) + t13 * (rest.bend.y * t13);
    let t68 = t2 * t61;
    let t69 = q.rows[1].x * 0.5f;
    let t70 = q.rows[1].y * 0.5f;
    let t71 = q.rows[1].z * 0.5f;
    let t72 = 0.0f * t69;
    let t73 = 0.0f * t70;
    let t74 = 0.0f * t71;
    let t75 = q.rows[1].z * t68;
    let t76 = kappa.z - rest.kappa.z;
    let t77 = rest.bend.z * t76;
    let t78 = t14 * t77;
    let t79 = t15 * t77;
    let t80 = t16 * t77;
    let t81 = rest.bend.z * t14;
    let t82 = rest.bend.z * t15;
    let t83 = (-1.0f) * (t2 * t77);
    let t84 = q.rows[2].x * 0.5f;
    let t85 = q.rows[2].y * 0.5f;
    let t86 = q.rows[2].z * 0.5f;
    let t87 = 0.0f * t84;
    let t88 = 0.0f * t85;
    let t89 = 0.0f + 2.0f * t88;
    let t90 = 0.0f * t86;
    let t91 = 0.0f + 2.0f * t90;
    let t92 = t53 - t59 + t68 * (0.0f + 2.0f * t72) - t75 + t83 * (0.0f + 2.0f * t84);
    let t93 = t54 + t68 * (0.0f + (t72 + t73)) + t83 * (0.0f + (t85 + t87));
    let t94 = t55 + t68 * (0.0f + (t69 + t74)) + t83 * (0.0f + (t86 + t87));
    let t95 = t57 + t68 * (0.0f + (t70 + t74)) + t83 * (0.0f + (t88 + t90));
    let t96 = q.rows[2].x * t83;
    let t97 = t56 - t59 + t68 * (0.0f + 2.0f * t73) - t75 + t83 * t89 - t96;
    let t98 = t58 - t59 + t68 * (0.0f + 2.0f * t71) - t75 + t83 * t91 - t96;
    let t99 = kappa.w - rest.kappa.w;
    let t100 = rest.bend.w * t99;
    let t101 = t17 * t100;
    let t102 = t18 * t100;
    let t103 = t19 * t100;
    let t104 = rest.bend.w * t17;
    let t105 = rest.bend.w * t18;
    let t106 = 0.0f + t20 * t24 + t8 * t44 + t11 * t65 + t14 * t81 + t17 * t104;
    let t107 = 0.0f + t21 * t24 + t9 * t44 + t12 * t65 + t15 * t81 + t18 * t104;
    let t108 = 0.0f + t21 * t25 + t9 * t45 + t12 * t66 + t15 * t82 + t18 * t105;
    let t109 = (-1.0f) * (t2 * t100);
    let t110 = 0.0f + 2.0f * t87;
    let t111 = q.rows[2].y * t109;
    let t112 = 0.0f + kappa.x * t40 + kappa.y * t61 + kappa.z * t77 + kappa.w * t100;
    let t113 = 0.0f + t41 + t62 + t78 + t101;
    let t114 = 0.0f + t42 + t63 + t79 + t102;
    let t115 = 0.0f + t43 + t64 + t80 + t103;
    let t116 = t1 * t112;
    let t117 = -t116;
    let t118 = t93 + t109 * (0.0f + (t84 + t88)) + (0.0f + (t87 + t88)) * t117;
    let t119 = t94 + t109 * (0.0f + (t87 + t90)) + (0.0f + (t84 + t90)) * t117;
    let t120 = t95 + t109 * (0.0f + (t86 + t88)) + (0.0f + (t85 + t90)) * t117;
    let t121 = q.rows[2].z * t116;
    let t122 = -t4;
    let t123 = -t5;
    let t124 = -t6;
    let t125 = t92 - t96 + t109 * t110 - t111 + t110 * t117 + t121 + 2.0f * (t113 * t122);
    let t126 = t97 + t109 * (0.0f + 2.0f * t85) - t111 + t89 * t117 + t121 + 2.0f * (t114 * t123);
    let t127 = t98 + t91 * t109 - t111 + (0.0f + 2.0f * t86) * t117 + t121 + 2.0f * (t115 * t124);
    let t128 = 0.5f * (t22 * t23 + t39 * t40 + t60 * t61 + t76 * t77 + t99 * t100);
    return Element(
        t128,
        vec3<f32>(t20 * t23 + t41 + t62 + t78 + t101, t21 * t23 + t42 + t63 + t79 + t102, t23 + t43 + t64 + t80 + t103),
        Sym3(t106, t107, 0.0f + t24 + t10 * t44 + t13 * t65 + t16 * t81 + t19 * t104, t108, 0.0f + t25 + t10 * t45 + t13 * t66 + t16 * t82 + t19 * t105, t67 + t16 * (rest.bend.z * t16) + t19 * (rest.bend.w * t19)),
        Sym3(t125, t118 + (t113 * t123 + t114 * t122), t119 + (t113 * t124 + t115 * t122), t126, t120 + (t114 * t124 + t115 * t123), t127),
    );
}

fn darboux_element(q: Relative, psi: vec3<f32>, rest: ElementRest) -> Element {
    let t0 = (1.0f + (q.rows[2].z + (q.rows[0].x + q.rows[1].y))) * 27.173914f;
    let t1 = select(0.0f, t0, 0.0f < t0);
    let t2 = select(1.0f, t1, t1 < 1.0f);
    let t3 = t2 * t2;
    let t4 = rest.bend.x * t3;
    let t5 = rest.bend.y * t3;
    let t6 = rest.turn * t3;
    let t7 = psi.x * 0.5f;
    let t8 = psi.y * 0.5f;
    let t9 = psi.z * 0.5f;
    let t10 = t7 * t8;
    let t11 = t7 * t9;
    let t12 = 1.0f + t7 * t7;
    let t13 = t10 - t9;
    let t14 = t8 + t11;
    let t15 = t8 * t9;
    let t16 = t9 + t10;
    let t17 = 1.0f + t8 * t8;
    let t18 = t15 - t7;
    let t19 = t11 - t8;
    let t20 = t7 + t15;
    let t21 = 1.0f + t9 * t9;
    let t22 = psi.x - rest.kappa.x;
    let t23 = psi.y - rest.kappa.y;
    let t24 = psi.z - rest.twist;
    let t25 = t4 * t22;
    let t26 = t5 * t23;
    let t27 = t6 * t24;
    let t28 = t12 * t25 + t16 * t26 + t19 * t27;
    let t29 = t13 * t25 + t17 * t26 + t20 * t27;
    let t30 = t14 * t25 + t18 * t26 + t21 * t27;
    let t31 = t4 * t12;
    let t32 = t4 * t13;
    let t33 = t5 * t16;
    let t34 = t5 * t17;
    let t35 = t6 * t19;
    let t36 = t6 * t20;
    let t37 = 0.0f + t14 * (t4 * t14) + t18 * (t5 * t18) + t21 * (t6 * t21);
    let t38 = 0.5f * t7;
    let t39 = 0.5f * t8;
    let t40 = 0.5f * t9;
    return Element(
        0.5f * (t22 * t25 + t23 * t26 + t24 * t27),
        vec3<f32>(t28, t29, t30),
        Sym3(0.0f + t12 * t31 + t16 * t33 + t19 * t35, 0.0f + t13 * t31 + t17 * t33 + t20 * t35, 0.0f + t14 * t31 + t18 * t33 + t21 * t35, 0.0f + t13 * t32 + t17 * t34 + t20 * t36, 0.0f + t14 * t32 + t18 * t34 + t21 * t36, t37),
        Sym3(0.0f + 2.0f * (t28 * t38), 0.0f + (t29 * t38 + t28 * t39), 0.0f + (t30 * t38 + t28 * t40), 0.0f + 2.0f * (t29 * t39), 0.0f + (t30 * t39 + t29 * t40), 0.0f + 2.0f * (t30 * t40)),
    );
}

fn true_hessian(q: Relative, element: Element) -> LocalHessian {
    let t0 = element.gauss_newton.xx + element.second.xx;
    let t1 = element.gauss_newton.xy + element.second.xy;
    let t2 = element.gauss_newton.xz + element.second.xz;
    let t3 = element.gauss_newton.yy + element.second.yy;
    let t4 = element.gauss_newton.yz + element.second.yz;
    let t5 = element.gauss_newton.zz + element.second.zz;
    let t6 = q.rows[0].x * t0 + q.rows[0].y * t1 + q.rows[0].z * t2;
    let t7 = q.rows[1].x * t0 + q.rows[1].y * t1 + q.rows[1].z * t2;
    let t8 = q.rows[2].x * t0 + q.rows[2].y * t1 + q.rows[2].z * t2;
    let t9 = q.rows[0].x * t1 + q.rows[0].y * t3 + q.rows[0].z * t4;
    let t10 = q.rows[1].x * t1 + q.rows[1].y * t3 + q.rows[1].z * t4;
    let t11 = q.rows[2].x * t1 + q.rows[2].y * t3 + q.rows[2].z * t4;
    let t12 = q.rows[0].x * t2 + q.rows[0].y * t4 + q.rows[0].z * t5;
    let t13 = q.rows[1].x * t2 + q.rows[1].y * t4 + q.rows[1].z * t5;
    let t14 = q.rows[2].x * t2 + q.rows[2].y * t4 + q.rows[2].z * t5;
    let t15 = -t1;
    let t16 = element.moment.x * 0.5f;
    let t17 = element.moment.y * 0.5f;
    let t18 = element.moment.z * 0.5f;
    let t19 = 0.0f - t0;
    let t20 = t15 - t18;
    let t21 = t17 - t2;
    let t22 = t18 - t1;
    let t23 = 0.0f - t3;
    let t24 = -t4 - t16;
    let t25 = -t2 - t17;
    let t26 = t16 - t4;
    let t27 = 0.0f - t5;
    let t28 = element.moment.x + 0.0f;
    let t29 = 0.0f - element.moment.y;
    let t30 = t4 + t16;
    let t31 = q.rows[0].x * element.moment.x + q.rows[0].y * element.moment.y;
    let t32 = t31 + q.rows[0].z * element.moment.z;
    let t33 = q.rows[1].x * element.moment.x + q.rows[1].y * element.moment.y;
    let t34 = t33 + q.rows[1].z * element.moment.z;
    let t35 = 0.0f - t32;
    let t36 = 0.0f + t34;
    let t37 = 0.5f * (-t32);
    let t38 = q.rows[1].x * t8 + q.rows[1].y * t11 + q.rows[1].z * t14 + t37;
    let t39 = q.rows[2].x * t7 + q.rows[2].y * t10 + q.rows[2].z * t13 + t37;
    let t40 = 0.5f * (-t34);
    let t41 = t40 - (q.rows[0].x * t8 + q.rows[0].y * t11 + q.rows[0].z * t14);
    let t42 = t40 - (q.rows[2].x * t6 + q.rows[2].y * t9 + q.rows[2].z * t12);
    return LocalHessian(
        mat4x4<f32>(vec4<f32>(q.rows[1].x * t7 + q.rows[1].y * t10 + q.rows[1].z * t13, -(q.rows[1].x * t6 + q.rows[1].y * t9 + q.rows[1].z * t12), t36, t38), vec4<f32>(-(q.rows[0].x * t7 + q.rows[0].y * t10 + q.rows[0].z * t13), q.rows[0].x * t6 + q.rows[0].y * t9 + q.rows[0].z * t12, t35, t41), vec4<f32>(t36, t35, 0.0f, 0.0f), vec4<f32>(t39, t42, 0.0f, q.rows[2].x * t8 + q.rows[2].y * t11 + q.rows[2].z * t14)),
        mat4x4<f32>(vec4<f32>(q.rows[1].x * t20 + q.rows[1].y * t23 + q.rows[1].z * t26, -(q.rows[1].x * t19 + q.rows[1].y * t22 + q.rows[1].z * t25), 0.0f, q.rows[1].x * t21 + q.rows[1].y * t24 + q.rows[1].z * t27), vec4<f32>(-(q.rows[0].x * t20 + q.rows[0].y * t23 + q.rows[0].z * t26), q.rows[0].x * t19 + q.rows[0].y * t22 + q.rows[0].z * t25, 0.0f, -(q.rows[0].x * t21 + q.rows[0].y * t24 + q.rows[0].z * t27)), vec4<f32>(0.0f, 0.0f, 0.0f, 0.0f), vec4<f32>(q.rows[2].x * t20 + q.rows[2].y * t23 + q.rows[2].z * t26, -(q.rows[2].x * t19 + q.rows[2].y * t22 + q.rows[2].z * t25), 0.0f, q.rows[2].x * t21 + q.rows[2].y * t24 + q.rows[2].z * t27)),
        mat4x4<f32>(vec4<f32>(t3, t15, t29, t30), vec4<f32>(t15, t0, t28, t21), vec4<f32>(t29, t28, 0.0f, 0.0f), vec4<f32>(t30, t21, 0.0f, t5)),
    );
}

fn safe_hessian(q: Relative, element: Element) -> LocalHessian {
    let t0 = q.rows[0].x * element.gauss_newton.xx + q.rows[0].y * element.gauss_newton.xy;
    let t1 = t0 + q.rows[0].z * element.gauss_newton.xz;
    let t2 = q.rows[1].x * element.gauss_newton.xx + q.rows[1].y * element.gauss_newton.xy;
    let t3 = t2 + q.rows[1].z * element.gauss_newton.xz;
    let t4 = q.rows[2].x * element.gauss_newton.xx + q.rows[2].y * element.gauss_newton.xy;
    let t5 = t4 + q.rows[2].z * element.gauss_newton.xz;
    let t6 = q.rows[0].x * element.gauss_newton.xy + q.rows[0].y * element.gauss_newton.yy;
    let t7 = t6 + q.rows[0].z * element.gauss_newton.yz;
    let t8 = q.rows[1].x * element.gauss_newton.xy + q.rows[1].y * element.gauss_newton.yy;
    let t9 = t8 + q.rows[1].z * element.gauss_newton.yz;
    let t10 = q.rows[2].x * element.gauss_newton.xy + q.rows[2].y * element.gauss_newton.yy;
    let t11 = t10 + q.rows[2].z * element.gauss_newton.yz;
    let t12 = q.rows[0].x * element.gauss_newton.xz + q.rows[0].y * element.gauss_newton.yz;
    let t13 = t12 + q.rows[0].z * element.gauss_newton.zz;
    let t14 = q.rows[1].x * element.gauss_newton.xz + q.rows[1].y * element.gauss_newton.yz;
    let t15 = t14 + q.rows[1].z * element.gauss_newton.zz;
    let t16 = q.rows[2].x * element.gauss_newton.xz + q.rows[2].y * element.gauss_newton.yz;
    let t17 = t16 + q.rows[2].z * element.gauss_newton.zz;
    let t18 = -element.gauss_newton.xx;
    let t19 = -element.gauss_newton.xy;
    let t20 = -element.gauss_newton.xz;
    let t21 = -element.gauss_newton.yy;
    let t22 = -element.gauss_newton.yz;
    let t23 = -element.gauss_newton.zz;
    return LocalHessian(
        mat4x4<f32>(vec4<f32>(q.rows[1].x * t3 + q.rows[1].y * t9 + q.rows[1].z * t15, -(q.rows[1].x * t1 + q.rows[1].y * t7 + q.rows[1].z * t13), 0.0f, q.rows[1].x * t5 + q.rows[1].y * t11 + q.rows[1].z * t17), vec4<f32>(-(q.rows[0].x * t3 + q.rows[0].y * t9 + q.rows[0].z * t15), q.rows[0].x * t1 + q.rows[0].y * t7 + q.rows[0].z * t13, 0.0f, -(q.rows[0].x * t5 + q.rows[0].y * t11 + q.rows[0].z * t17)), vec4<f32>(0.0f, 0.0f, 0.0f, 0.0f), vec4<f32>(q.rows[2].x * t3 + q.rows[2].y * t9 + q.rows[2].z * t15, -(q.rows[2].x * t1 + q.rows[2].y * t7 + q.rows[2].z * t13), 0.0f, q.rows[2].x * t5 + q.rows[2].y * t11 + q.rows[2].z * t17)),
        mat4x4<f32>(vec4<f32>(q.rows[1].x * t19 + q.rows[1].y * t21 + q.rows[1].z * t22, -(q.rows[1].x * t18 + q.rows[1].y * t19 + q.rows[1].z * t20), 0.0f, q.rows[1].x * t20 + q.rows[1].y * t22 + q.rows[1].z * t23), vec4<f32>(-(q.rows[0].x * t19 + q.rows[0].y * t21 + q.rows[0].z * t22), q.rows[0].x * t18 + q.rows[0].y * t19 + q.rows[0].z * t20, 0.0f, -(q.rows[0].x * t20 + q.rows[0].y * t22 + q.rows[0].z * t23)), vec4<f32>(0.0f, 0.0f, 0.0f, 0.0f), vec4<f32>(q.rows[2].x * t19 + q.rows[2].y * t21 + q.rows[2].z * t22, -(q.rows[2].x * t18 + q.rows[2].y * t19 + q.rows[2].z * t20), 0.0f, q.rows[2].x * t20 + q.rows[2].y * t22 + q.rows[2].z * t23)),
        mat4x4<f32>(vec4<f32>(element.gauss_newton.yy, t19, 0.0f, element.gauss_newton.yz), vec4<f32>(t19, element.gauss_newton.xx, 0.0f, t20), vec4<f32>(0.0f, 0.0f, 0.0f, 0.0f), vec4<f32>(element.gauss_newton.yz, t20, 0.0f, element.gauss_newton.zz)),
    );
}

fn leaning_pivot(h: LocalHessian, e_length: f32, e: Stretch, f_length: f32, f: Stretch) -> f32 {
    let t0 = e_length * (e.tension * 0.5f);
    let t1 = h.ee[0].x + t0;
    let t2 = h.ee[1].y + t0;
    let t3 = h.ee[2].z + e_length * (e_length * (e.stiffness * 0.5f));
    let t4 = f_length * (f.tension * 0.5f);
    let t5 = h.ff[0].x + t4;
    let t6 = h.ff[1].y + t4;
    let t7 = h.ff[2].z + f_length * (f_length * (f.stiffness * 0.5f));
    let t8 = select(t1, -t1, t1 < 0.0f);
    let t9 = select(t8, 1e-30f, t8 < 1e-30f);
    let t10 = t1 / t9;
    let t11 = select(t10, 1.0f, 1.0f < t10);
    let t12 = t9 * 1e-6f;
    let t13 = 1.0f / select(t12, t1, t12 < t1);
    let t14 = h.ee[0].y * t13;
    let t15 = t2 - h.ee[0].y * t14;
    let t16 = h.ee[1].z - h.ee[0].z * t14;
    let t17 = h.ee[1].w - h.ee[0].w * t14;
    let t18 = h.ef[1].x - h.ef[0].x * t14;
    let t19 = h.ef[1].y - h.ef[0].y * t14;
    let t20 = h.ef[1].z - h.ef[0].z * t14;
    let t21 = h.ef[1].w - h.ef[0].w * t14;
    let t22 = h.ee[0].z * t13;
    let t23 = h.ee[0].w * t13;
    let t24 = h.ef[0].x * t13;
    let t25 = h.ef[0].y * t13;
    let t26 = h.ef[0].z * t13;
    let t27 = select(t2, -t2, t2 < 0.0f);
    let t28 = select(t27, 1e-30f, t27 < 1e-30f);
    let t29 = t15 / t28;
    let t30 = select(t29, t11, t11 < t29);
    let t31 = 1e-6f * t28;
    let t32 = 1.0f / select(t31, t15, t31 < t15);
    let t33 = t16 * t32;
    let t34 = t3 - h.ee[0].z * t22 - t16 * t33;
    let t35 = h.ee[2].w - h.ee[0].w * t22 - t17 * t33;
    let t36 = h.ef[2].x - h.ef[0].x * t22 - t18 * t33;
    let t37 = h.ef[2].y - h.ef[0].y * t22 - t19 * t33;
    let t38 = h.ef[2].z - h.ef[0].z * t22 - t20 * t33;
    let t39 = h.ef[2].w - h.ef[0].w * t22 - t21 * t33;
    let t40 = t17 * t32;
    let t41 = t18 * t32;
    let t42 = t19 * t32;
    let t43 = t20 * t32;
    let t44 = h.ff[3].w - h.ef[0].w * (h.ef[0].w * t13) - t21 * (t21 * t32);
    let t45 = select(t3, -t3, t3 < 0.0f);
    let t46 = select(t45, 1e-30f, t45 < 1e-30f);
    let t47 = t34 / t46;
    let t48 = select(t47, t30, t30 < t47);
    let t49 = 1e-6f * t46;
    let t50 = 1.0f / select(t49, t34, t49 < t34);
    let t51 = t35 * t50;
    let t52 = h.ee[3].w - h.ee[0].w * t23 - t17 * t40 - t35 * t51;
    let t53 = h.ef[3].x - h.ef[0].x * t23 - t18 * t40 - t36 * t51;
    let t54 = h.ef[3].y - h.ef[0].y * t23 - t19 * t40 - t37 * t51;
    let t55 = h.ef[3].z - h.ef[0].z * t23 - t20 * t40 - t38 * t51;
    let t56 = h.ef[3].w - h.ef[0].w * t23 - t21 * t40 - t39 * t51;
    let t57 = t36 * t50;
    let t58 = t37 * t50;
    let t59 = t38 * t50;
    let t60 = select(h.ee[3].w, -h.ee[3].w, h.ee[3].w < 0.0f);
    let t61 = select(t60, 1e-30f, t60 < 1e-30f);
    let t62 = t52 / t61;
    let t63 = select(t62, t48, t48 < t62);
    let t64 = 1e-6f * t61;
    let t65 = 1.0f / select(t64, t52, t64 < t52);
    let t66 = t53 * t65;
    let t67 = t5 - h.ef[0].x * t24 - t18 * t41 - t36 * t57 - t53 * t66;
    let t68 = h.ff[0].y - h.ef[0].y * t24 - t19 * t41 - t37 * t57 - t54 * t66;
    let t69 = h.ff[0].z - h.ef[0].z * t24 - t20 * t41 - t38 * t57 - t55 * t66;
    let t70 = h.ff[0].w - h.ef[0].w * t24 - t21 * t41 - t39 * t57 - t56 * t66;
    let t71 = t54 * t65;
    let t72 = h.ff[1].z - h.ef[0].z * t25 - t20 * t42 - t38 * t58 - t55 * t71;
    let t73 = h.ff[1].w - h.ef[0].w * t25 - t21 * t42 - t39 * t58 - t56 * t71;
    let t74 = t55 * t65;
    let t75 = h.ff[2].w - h.ef[0].w * t26 - t21 * t43 - t39 * t59 - t56 * t74;
    let t76 = select(t5, -t5, t5 < 0.0f);
    let t77 = select(t76, 1e-30f, t76 < 1e-30f);
    let t78 = t67 / t77;
    let t79 = select(t78, t63, t63 < t78);
    let t80 = 1e-6f * t77;
    let t81 = 1.0f / select(t80, t67, t80 < t67);
    let t82 = t68 * t81;
    let t83 = t6 - h.ef[0].y * t25 - t19 * t42 - t37 * t58 - t54 * t71 - t68 * t82;
    let t84 = t72 - t69 * t82;
    let t85 = t73 - t70 * t82;
    let t86 = t69 * t81;
    let t87 = t7 - h.ef[0].z * t26 - t20 * t43 - t38 * t59 - t55 * t74 - t69 * t86;
    let t88 = t44 - t39 * (t39 * t50) - t56 * (t56 * t65) - t70 * (t70 * t81);
    let t89 = select(t6, -t6, t6 < 0.0f);
    let t90 = select(t89, 1e-30f, t89 < 1e-30f);
    let t91 = t83 / t90;
    let t92 = select(t91, t79, t79 < t91);
    let t93 = 1e-6f * t90;
    let t94 = 1.0f / select(t93, t83, t93 < t83);
    let t95 = t84 * t94;
    let t96 = t87 - t84 * t95;
    let t97 = t75 - t70 * t86 - t85 * t95;
    let t98 = select(t7, -t7, t7 < 0.0f);
    let t99 = select(t98, 1e-30f, t98 < 1e-30f);
    let t100 = t96 / t99;
    let t101 = select(t100, t92, t92 < t100);
    let t102 = 1e-6f * t99;
    let t103 = t88 - t85 * (t85 * t94) - t97 * (t97 * (1.0f / select(t102, t96, t102 < t96)));
    let t104 = select(h.ff[3].w, -h.ff[3].w, h.ff[3].w < 0.0f);
    let t105 = t103 / select(t104, 1e-30f, t104 < 1e-30f);
    return select(t105, t101, t101 < t105);
}

fn world_hessian(h: LocalHessian, e: Frame, inv_e: f32, f: Frame, inv_f: f32) -> WorldHessian {
    let t0 = inv_e * inv_e;
    let t1 = h.ee[0].x * e.m1.x + h.ee[1].x * e.m2.x + h.ee[2].x * e.t.x;
    let t2 = h.ee[0].y * e.m1.x + h.ee[1].y * e.m2.x + h.ee[2].y * e.t.x;
    let t3 = h.ee[0].z * e.m1.x + h.ee[1].z * e.m2.x + h.ee[2].z * e.t.x;
    let t4 = h.ee[0].x * e.m1.y + h.ee[1].x * e.m2.y + h.ee[2].x * e.t.y;
    let t5 = h.ee[0].y * e.m1.y + h.ee[1].y * e.m2.y + h.ee[2].y * e.t.y;
    let t6 = h.ee[0].z * e.m1.y + h.ee[1].z * e.m2.y + h.ee[2].z * e.t.y;
    let t7 = h.ee[0].x * e.m1.z + h.ee[1].x * e.m2.z + h.ee[2].x * e.t.z;
    let t8 = h.ee[0].y * e.m1.z + h.ee[1].y * e.m2.z + h.ee[2].y * e.t.z;
    let t9 = h.ee[0].z * e.m1.z + h.ee[1].z * e.m2.z + h.ee[2].z * e.t.z;
    let t10 = inv_e * inv_f;
    let t11 = h.ef[0].x * e.m1.x + h.ef[1].x * e.m2.x + h.ef[2].x * e.t.x;
    let t12 = h.ef[0].y * e.m1.x + h.ef[1].y * e.m2.x + h.ef[2].y * e.t.x;
    let t13 = h.ef[0].z * e.m1.x + h.ef[1].z * e.m2.x + h.ef[2].z * e.t.x;
    let t14 = h.ef[0].x * e.m1.y + h.ef[1].x * e.m2.y + h.ef[2].x * e.t.y;
    let t15 = h.ef[0].y * e.m1.y + h.ef[1].y * e.m2.y + h.ef[2].y * e.t.y;
    let t16 = h.ef[0].z * e.m1.y + h.ef[1].z * e.m2.y + h.ef[2].z * e.t.y;
    let t17 = h.ef[0].x * e.m1.z + h.ef[1].x * e.m2.z + h.ef[2].x * e.t.z;
    let t18 = h.ef[0].y * e.m1.z + h.ef[1].y * e.m2.z + h.ef[2].y * e.t.z;
    let t19 = h.ef[0].z * e.m1.z + h.ef[1].z * e.m2.z + h.ef[2].z * e.t.z;
    let t20 = inv_f * inv_f;
    let t21 = h.ff[0].x * f.m1.x + h.ff[1].x * f.m2.x + h.ff[2].x * f.t.x;
    let t22 = h.ff[0].y * f.m1.x + h.ff[1].y * f.m2.x + h.ff[2].y * f.t.x;
    let t23 = h.ff[0].z * f.m1.x + h.ff[1].z * f.m2.x + h.ff[2].z * f.t.x;
    let t24 = h.ff[0].x * f.m1.y + h.ff[1].x * f.m2.y + h.ff[2].x * f.t.y;
    let t25 = h.ff[0].y * f.m1.y + h.ff[1].y * f.m2.y + h.ff[2].y * f.t.y;
    let t26 = h.ff[0].z * f.m1.y + h.ff[1].z * f.m2.y + h.ff[2].z * f.t.y;
    let t27 = h.ff[0].x * f.m1.z + h.ff[1].x * f.m2.z + h.ff[2].x * f.t.z;
    let t28 = h.ff[0].y * f.m1.z + h.ff[1].y * f.m2.z + h.ff[2].y * f.t.z;
    let t29 = h.ff[0].z * f.m1.z + h.ff[1].z * f.m2.z + h.ff[2].z * f.t.z;
    let t30 = inv_e * (h.ee[0].w * e.m1.x + h.ee[1].w * e.m2.x + h.ee[2].w * e.t.x);
    let t31 = inv_e * (h.ee[0].w * e.m1.y + h.ee[1].w * e.m2.y + h.ee[2].w * e.t.y);
    let t32 = inv_e * (h.ee[0].w * e.m1.z + h.ee[1].w * e.m2.z + h.ee[2].w * e.t.z);
    let t33 = inv_e * (h.ef[0].w * e.m1.x + h.ef[1].w * e.m2.x + h.ef[2].w * e.t.x);
    let t34 = inv_e * (h.ef[0].w * e.m1.y + h.ef[1].w * e.m2.y + h.ef[2].w * e.t.y);
    let t35 = inv_e * (h.ef[0].w * e.m1.z + h.ef[1].w * e.m2.z + h.ef[2].w * e.t.z);
    let t36 = inv_f * (h.ef[3].x * f.m1.x + h.ef[3].y * f.m2.x + h.ef[3].z * f.t.x);
    let t37 = inv_f * (h.ef[3].x * f.m1.y + h.ef[3].y * f.m2.y + h.ef[3].z * f.t.y);
    let t38 = inv_f * (h.ef[3].x * f.m1.z + h.ef[3].y * f.m2.z + h.ef[3].z * f.t.z);
    let t39 = inv_f * (h.ff[0].w * f.m1.x + h.ff[1].w * f.m2.x + h.ff[2].w * f.t.x);
    let t40 = inv_f * (h.ff[0].w * f.m1.y + h.ff[1].w * f.m2.y + h.ff[2].w * f.t.y);
    let t41 = inv_f * (h.ff[0].w * f.m1.z + h.ff[1].w * f.m2.z + h.ff[2].w * f.t.z);
    return WorldHessian(
        mat3x3<f32>(vec3<f32>(t0 * (e.m1.x * t1 + e.m2.x * t2 + e.t.x * t3), t0 * (e.m1.y * t1 + e.m2.y * t2 + e.t.y * t3), t0 * (e.m1.z * t1 + e.m2.z * t2 + e.t.z * t3)), vec3<f32>(t0 * (e.m1.x * t4 + e.m2.x * t5 + e.t.x * t6), t0 * (e.m1.y * t4 + e.m2.y * t5 + e.t.y * t6), t0 * (e.m1.z * t4 + e.m2.z * t5 + e.t.z * t6)), vec3<f32>(t0 * (e.m1.x * t7 + e.m2.x * t8 + e.t.x * t9), t0 * (e.m1.y * t7 + e.m2.y * t8 + e.t.y * t9), t0 * (e.m1.z * t7 + e.m2.z * t8 + e.t.z * t9))),
        mat3x3<f32>(vec3<f32>(t10 * (f.m1.x * t11 + f.m2.x * t12 + f.t.x * t13), t10 * (f.m1.y * t11 + f.m2.y * t12 + f.t.y * t13), t10 * (f.m1.z * t11 + f.m2.z * t12 + f.t.z * t13)), vec3<f32>(t10 * (f.m1.x * t14 + f.m2.x * t15 + f.t.x * t16), t10 * (f.m1.y * t14 + f.m2.y * t15 + f.t.y * t16), t10 * (f.m1.z * t14 + f.m2.z * t15 + f.t.z * t16)), vec3<f32>(t10 * (f.m1.x * t17 + f.m2.x * t18 + f.t.x * t19), t10 * (f.m1.y * t17 + f.m2.y * t18 + f.t.y * t19), t10 * (f.m1.z * t17 + f.m2.z * t18 + f.t.z * t19))),
        mat3x3<f32>(vec3<f32>(t20 * (f.m1.x * t21 + f.m2.x * t22 + f.t.x * t23), t20 * (f.m1.y * t21 + f.m2.y * t22 + f.t.y * t23), t20 * (f.m1.z * t21 + f.m2.z * t22 + f.t.z * t23)), vec3<f32>(t20 * (f.m1.x * t24 + f.m2.x * t25 + f.t.x * t26), t20 * (f.m1.y * t24 + f.m2.y * t25 + f.t.y * t26), t20 * (f.m1.z * t24 + f.m2.z * t25 + f.t.z * t26)), vec3<f32>(t20 * (f.m1.x * t27 + f.m2.x * t28 + f.t.x * t29), t20 * (f.m1.y * t27 + f.m2.y * t28 + f.t.y * t29), t20 * (f.m1.z * t27 + f.m2.z * t28 + f.t.z * t29))),
        mat2x3<f32>(vec3<f32>(t30, t31, t32), vec3<f32>(t33, t34, t35)),
        mat2x3<f32>(vec3<f32>(t36, t37, t38), vec3<f32>(t39, t40, t41)),
        vec3<f32>(h.ee[3].w, h.ef[3].w, h.ff[3].w),
    );
}

fn element_force(q: Relative, moment: vec3<f32>, e: Frame, inv_e: f32, f: Frame, inv_f: f32) -> ElementForce {
    let t0 = q.rows[0].x * moment.x + q.rows[0].y * moment.y + q.rows[0].z * moment.z;
    let t1 = q.rows[1].x * moment.x + q.rows[1].y * moment.y + q.rows[1].z * moment.z;
    let t2 = q.rows[2].x * moment.x + q.rows[2].y * moment.y + q.rows[2].z * moment.z;
    let t3 = -t1;
    let t4 = -moment.x;
    return ElementForce(
        vec3<f32>(inv_e * (e.m1.x * t3 + e.m2.x * t0), inv_e * (e.m1.y * t3 + e.m2.y * t0), inv_e * (e.m1.z * t3 + e.m2.z * t0)),
        vec3<f32>(inv_f * (moment.y * f.m1.x + f.m2.x * t4), inv_f * (moment.y * f.m1.y + f.m2.y * t4), inv_f * (moment.y * f.m1.z + f.m2.z * t4)),
        -t2,
        moment.z,
    );
}
