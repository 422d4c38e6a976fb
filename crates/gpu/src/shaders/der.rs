//! The elements that Newton's method assembles, for WGSL: [`withy_solve::rods::der::kernels`], passed by value.

use super::signature::{Declare, Kernel, Record, kernel, record};
use super::{function, join};
use withy_math::Sym3;
use withy_math::approx::angle;
use withy_math::{Real, Rec, Vec3};
use withy_solve::collide::kernels::CONTACT_STIFFNESS;
use withy_solve::layout::{FAR, near, second, state};
use withy_solve::rods::der::band::BAND;
use withy_solve::rods::der::kernels as der;
use withy_solve::rods::der::kernels::{Element, ElementForce, ElementRest, Frame, LocalHessian, Relative, Stretch, WorldHessian};
use withy_solve::rods::models::{self, Der, Model};
use withy_solve::rods::newton;

/// The checked-in output of [`generate`].
pub const DER_KERNELS: &str = include_str!("der_kernels.wgsl");

record!(Frame { m1: Vec3<T>, m2: Vec3<T>, t: Vec3<T> });
record!(Stretch { energy: T, tension: T, stiffness: T });
record!(Relative { rows: [Vec3<T>; 3] });
record!(ElementRest { kappa: [T; 4], twist: T, bend: [T; 4], turn: T });
record!(Element { energy: T, moment: Vec3<T>, gauss_newton: Sym3<T>, second: Sym3<T> });
record!(ElementForce { e: Vec3<T>, f: Vec3<T>, turn_e: T, turn_f: T });
record!(LocalHessian { ee: [[T; 4]; 4], ef: [[T; 4]; 4], ff: [[T; 4]; 4] });
record!(WorldHessian {
    ee: [Vec3<T>; 3],
    ef: [Vec3<T>; 3],
    ff: [Vec3<T>; 3],
    e_angles: [Vec3<T>; 2],
    f_angles: [Vec3<T>; 2],
    angles: [T; 3],
});

fn declarations() -> Vec<String> {
    vec![
        Frame::<Rec>::declaration(),
        Stretch::<Rec>::declaration(),
        Relative::<Rec>::declaration(),
        ElementRest::<Rec>::declaration(),
        Element::<Rec>::declaration(),
        ElementForce::<Rec>::declaration(),
        LocalHessian::<Rec>::declaration(),
        WorldHessian::<Rec>::declaration(),
    ]
}

fn frame_moved<T: Real>(f: Frame<T>, to: Vec3<T>, turn: T) -> Frame<T> {
    f.moved(to, turn)
}
fn frame_turn_to<T: Real>(f: Frame<T>, to: Frame<T>) -> T {
    f.turn_to(&to)
}
fn stretch_block<T: Real>(t: Vec3<T>, inv_length: T, s: Stretch<T>, exact: T) -> [Vec3<T>; 3] {
    der::stretch_block(t, inv_length, &s, exact)
}
fn relative<T: Real>(e: Frame<T>, f: Frame<T>) -> Relative<T> {
    Relative::new(&e, &f)
}
fn curvature<T: Real>(q: Relative<T>) -> [T; 4] {
    q.curvature()
}
fn principal_twist<T: Real>(q: Relative<T>) -> T {
    let (sin, cos) = q.twist();
    angle(sin, cos)
}
fn darboux<T: Real>(q: Relative<T>) -> Vec3<T> {
    q.half_darboux() * T::constant(2.0)
}
fn curvature_element<T: Real>(q: Relative<T>, kappa: [T; 4], twist: T, rest: ElementRest<T>) -> Element<T> {
    der::bend_twist(&q, kappa, twist, &q.gradients(kappa), &rest)
}
fn darboux_element<T: Real>(q: Relative<T>, psi: Vec3<T>, rest: ElementRest<T>) -> Element<T> {
    der::bend_twist_folded(&q, &[psi.x, psi.y, T::zero(), T::zero(), psi.z], &rest)
}
fn true_hessian<T: Real>(q: Relative<T>, element: Element<T>) -> LocalHessian<T> {
    der::true_hessian(&q, &element)
}
fn safe_hessian<T: Real>(q: Relative<T>, element: Element<T>) -> LocalHessian<T> {
    der::local_hessian(&q, &element.gauss_newton, element.moment, false)
}
fn leaning_pivot<T: Real>(h: LocalHessian<T>, e_length: T, e: Stretch<T>, f_length: T, f: Stretch<T>) -> T {
    der::leaning_pivot(h, (e_length, &e), (f_length, &f))
}
fn world_hessian<T: Real>(h: LocalHessian<T>, e: Frame<T>, inv_e: T, f: Frame<T>, inv_f: T) -> WorldHessian<T> {
    der::world_hessian(&h, &e, inv_e, &f, inv_f)
}
fn element_force<T: Real>(q: Relative<T>, moment: Vec3<T>, e: Frame<T>, inv_e: T, f: Frame<T>, inv_f: T) -> ElementForce<T> {
    der::element_force(&q, moment, &e, inv_e, &f, inv_f)
}

pub fn kernels() -> Vec<Kernel> {
    vec![
        kernel!(frame_moved => frame_moved(f: Frame<T>, to: Vec3<T>, turn: T) -> Frame<T>),
        kernel!(frame_turn_to => frame_turn_to(f: Frame<T>, to: Frame<T>) -> T),
        kernel!(der::stretch => stretch(length: T, rest: T, stiffness: T) -> Stretch<T>),
        kernel!(stretch_block => stretch_block(t: Vec3<T>, inv_length: T, s: Stretch<T>, exact: T) -> [Vec3<T>; 3]),
        kernel!(relative => relative(e: Frame<T>, f: Frame<T>) -> Relative<T>),
        kernel!(curvature => curvature(q: Relative<T>) -> [T; 4]),
        kernel!(principal_twist => principal_twist(q: Relative<T>) -> T),
        kernel!(darboux => darboux(q: Relative<T>) -> Vec3<T>),
        kernel!(curvature_element => curvature_element(
            q: Relative<T>, kappa: [T; 4], twist: T, rest: ElementRest<T>) -> Element<T>),
        kernel!(darboux_element => darboux_element(q: Relative<T>, psi: Vec3<T>, rest: ElementRest<T>) -> Element<T>),
        kernel!(true_hessian => true_hessian(q: Relative<T>, element: Element<T>) -> LocalHessian<T>),
        kernel!(safe_hessian => safe_hessian(q: Relative<T>, element: Element<T>) -> LocalHessian<T>),
        kernel!(leaning_pivot => leaning_pivot(
            h: LocalHessian<T>, e_length: T, e: Stretch<T>, f_length: T, f: Stretch<T>) -> T),
        kernel!(world_hessian => world_hessian(
            h: LocalHessian<T>, e: Frame<T>, inv_e: T, f: Frame<T>, inv_f: T) -> WorldHessian<T>),
        kernel!(element_force => element_force(
            q: Relative<T>, moment: Vec3<T>, e: Frame<T>, inv_e: T, f: Frame<T>, inv_f: T) -> ElementForce<T>),
    ]
}

/// Entries of a vertex's four rows of the band behind the position two vertices on: always 0, and not in the scratch of the GPU.
const EMPTY: usize = 6;
/// Rows of a vertex there.
pub const SCRATCH_ROWS: usize = newton::SCRATCH_ROWS - EMPTY;
/// Where in them inertia would take a vertex.
pub const COAST: usize = newton::COAST - EMPTY;

/// Rows of the layout and of the scratch, and bounds, under their Rust names.
fn constants() -> String {
    let rows = [
        ("STATE_TWIST", state::TWIST),
        ("SECOND_ACCEL", second::ACCEL),
        ("SECOND_ORDER", second::ORDER),
        ("SECOND_ROWS", second::ROWS),
        ("KAPPA_ROWS", <Der as Model>::EXTRA_ROWS),
        ("BAND", BAND),
        ("RHS", newton::RHS - EMPTY),
        ("COAST", COAST),
        ("INERTIA", newton::INERTIA - EMPTY),
        ("START", newton::START - EMPTY),
        ("KEPT", newton::KEPT),
        ("NEAR_NORMAL", newton::CONTACT - EMPTY + near::NORMAL),
        ("NEAR_SURFACE", newton::CONTACT - EMPTY + near::SURFACE),
        ("NEAR_ALONG", newton::CONTACT - EMPTY + near::ALONG),
        ("NEAR_DEPTH", newton::CONTACT - EMPTY + near::DEPTH),
        ("NEAR_FRICTION", newton::CONTACT - EMPTY + near::FRICTION),
        ("NEAR_PRESS", newton::CONTACT - EMPTY + near::PRESS),
        ("NEAR_GRIP", newton::CONTACT - EMPTY + near::GRIP),
        ("NEAR_STIFF", newton::CONTACT - EMPTY + near::STIFF),
        ("NEAR_SLIP", newton::CONTACT - EMPTY + near::SLIP),
        ("SCRATCH_ROWS", SCRATCH_ROWS),
        ("LONGEST_SEARCH", newton::LONGEST_SEARCH),
    ];
    let bounds = [
        ("HELD", newton::HELD),
        ("NOTHING", newton::NOTHING),
        ("INDEFINITE", newton::INDEFINITE),
        ("DROWNED", newton::INERTIA_LOST),
        ("FOLDED", models::FOLDED),
        ("HALF", newton::HALF),
        ("RIGID", newton::RIGID[0]),
        ("SLACK", newton::SLACK[0]),
        ("ROUNDING", newton::ROUNDING[0]),
        ("TURN", newton::TURN),
        ("TURNED", newton::TURNED),
        ("MOVES", newton::MOVES),
        ("TURNS_FAR", newton::TURNS_FAR),
        ("SHORTEST", newton::SHORTEST),
        ("CUT_SHORT", newton::CUT_SHORT),
        ("FAR", FAR),
        ("CONTACT_STIFFNESS", CONTACT_STIFFNESS),
    ];
    let rows = rows.iter().map(|(name, row)| format!("const {name}: u32 = {row}u;\n"));
    rows.chain(bounds.iter().map(|(name, v)| format!("const {name}: f32 = {:?}f;\n", *v as f32))).collect()
}

/// The entries of a vertex's four rows become 0.
pub fn clear_function() -> String {
    let entries: String = (0..newton::RHS - EMPTY).map(|k| format!("    scratch[at + {k}u * me.width] = 0.0;\n")).collect();
    format!("fn clear_band(i: u32) {{\n    let at = scratch_at(i, 0u);\n{entries}}}\n")
}

/// `Band::factor` and `Band::substitute` with the rows that they are at work on in registers, and no inner loops: from memory come
/// and go eleven numbers a row, and drivers that count the turns of loops (llvmpipe ends all of them after 65,535) count four a
/// vertex. a_c_k is entry k of the row c below, which the columns to the left have already been taken from.
fn band_functions() -> String {
    use core::fmt::Write;
    let mut f = String::new();
    let line = |f: &mut String, indent: usize, text: String| writeln!(f, "{:indent$}{text}", "").expect("a string");
    line(&mut f, 0, "/// LDLᵀ in place, D inverted, and the right-hand side on its way down.".into());
    line(&mut f, 0, "fn factor() {".into());
    line(&mut f, 4, "let rows = 4u * me.vertices;".into());
    for c in 0..BAND {
        line(&mut f, 4, format!("var b_{c} = {};", if c + 1 < BAND { format!("rhs_or_0({c}u)") } else { "0.0".into() }));
        for k in 0..BAND - c {
            let from = if c + k + 1 < BAND { format!("entry_or_0({c}u, {k}u)") } else { "0.0".into() };
            line(&mut f, 4, format!("var a_{c}_{k} = {from};"));
        }
    }
    line(&mut f, 4, "for (var r = 0u; r < rows; r++) {".into());
    for c in 0..BAND {
        line(&mut f, 8, format!("a_{c}_{k} = entry_or_0(r + {c}u, {k}u);", k = BAND - 1 - c));
    }
    line(&mut f, 8, format!("b_{last} = rhs_or_0(r + {last}u);", last = BAND - 1));
    line(&mut f, 8, "let at = entry_at(r, 0u);".into());
    line(&mut f, 8, "let inv = 1.0 / pivot(r, a_0_0);".into());
    line(&mut f, 8, "let y = b_0;".into());
    line(&mut f, 8, "scratch[at] = inv;".into());
    line(&mut f, 8, "scratch[rhs_at(r)] = y;".into());
    (1..BAND).for_each(|c| line(&mut f, 8, format!("let r_{c} = a_0_{c};")));
    for c in 1..BAND {
        line(&mut f, 8, format!("let l_{c} = r_{c} * inv;"));
        // The rows of a vertex end at the same unknown.
        let store = format!("scratch[at + {c}u * me.width] = l_{c};");
        let ends = c + 3 >= BAND;
        line(&mut f, 8, if ends { format!("if (r % 4u < {}u) {{ {store} }}", BAND - c) } else { store });
        line(&mut f, 8, format!("b_{} = b_{c} - l_{c} * y;", c - 1));
        for k in 0..BAND - c {
            line(&mut f, 8, format!("a_{}_{k} = a_{c}_{k} - l_{c} * r_{};", c - 1, c + k));
        }
    }
    line(&mut f, 4, "}".into());
    line(&mut f, 0, "}\n".into());

    line(&mut f, 0, "/// The way back: the right-hand side becomes the solution.".into());
    line(&mut f, 0, "fn substitute() {".into());
    line(&mut f, 4, "let rows = 4u * me.vertices;".into());
    (1..BAND).for_each(|c| line(&mut f, 4, format!("var x_{c} = 0.0;")));
    line(&mut f, 4, "for (var k = 0u; k < rows; k++) {".into());
    line(&mut f, 8, "let r = rows - 1u - k;".into());
    line(&mut f, 8, "let at = entry_at(r, 0u);".into());
    line(&mut f, 8, "var x = scratch[rhs_at(r)] * scratch[at];".into());
    for c in 1..BAND {
        let entry = if c + 3 >= BAND { format!("entry_or_0(r, {c}u)") } else { format!("scratch[at + {c}u * me.width]") };
        line(&mut f, 8, format!("x -= {entry} * x_{c};"));
    }
    line(&mut f, 8, "scratch[rhs_at(r)] = x;".into());
    (2..BAND).rev().for_each(|c| line(&mut f, 8, format!("x_{c} = x_{};", c - 1)));
    line(&mut f, 8, "x_1 = x;".into());
    line(&mut f, 4, "}".into());
    line(&mut f, 0, "}".into());
    f
}

/// The module's loops that are printed, not written: `newton.wgsl` has the memory that they work on.
pub fn band_module() -> String {
    format!(
        "// Printed by `band_functions` in crates/gpu/src/shaders/der.rs (`cargo xtask wgsl`): do not edit.\n\n{}\n{}",
        clear_function(),
        band_functions()
    )
}

/// The checked-in output of [`band_module`].
pub const BAND_LOOPS: &str = include_str!("band.wgsl");

/// All structs and functions, as in `der_kernels.wgsl`; they follow those of the ghost-point rods.
pub fn generate() -> String {
    let mut text = String::from(
        "// Generated from crates/solve/src/rods/der/kernels.rs, crates/solve/src/rods/newton/ and crates/solve/src/layout/mod.rs by `cargo xtask wgsl`: do not edit.\n\
         // The same functions run on the CPU; meaning, units and papers are there.\n",
    );
    join(&mut text, [constants()].into_iter().chain(declarations()).chain(kernels().iter().map(function)));
    text
}
