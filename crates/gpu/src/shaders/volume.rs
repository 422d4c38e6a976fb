//! Rods that keep their volume, for WGSL: [`withy_solve::rods::volume`] by value, the rows that they have more of, and the band with five unknowns a vertex.

use super::der::SCRATCH_ROWS;
use super::signature::{Declare, Kernel, Record, kernel, record};
use super::{function, join};
use std::fmt::Write;
use withy_math::{Real, Rec, Vec3};
use withy_solve::collide::kernels::{self as shape, Grip};
use withy_solve::layout::{WIDE, bulk, scale, swept, wide};
use withy_solve::rods::der::kernels::{ElementRest, Relative, folded_rest};
use withy_solve::rods::ghost::kernels::{BendTwistRest, EdgeRest, EdgeSolved, EdgeWeights, ghost_constraints};
use withy_solve::rods::volume as solid;
use withy_solve::rods::volume::{
    EdgeVolume, ScaleAlone, Scaling, SweptEdge, SweptEdgeSolved, SweptSection, VolumeSection, VolumeStrain, possible_growth,
    scaled, scaling, volume_strain,
};

/// The checked-in output of [`generate_swept`], which follows the kernels of ghost-point rods.
pub const SWEPT_VOLUME_KERNELS: &str = include_str!("swept_volume_kernels.wgsl");
/// That of [`generate_newton`], which follows those and the ones of Newton's method.
pub const NEWTON_VOLUME_KERNELS: &str = include_str!("newton_volume_kernels.wgsl");
/// That of [`band_module`].
pub const WIDE_BAND_LOOPS: &str = include_str!("wide_band.wgsl");

/// What a contact that knows what it has done so far does, and how far the vertex has then moved against the surface.
struct Gripped<T> {
    grip: Grip<T>,
    moved: Vec3<T>,
}

record!(SweptSection { stiffness: [T; 3], length: T, weights: [T; 2], unanswered: T });
record!(SweptEdge { section: SweptSection<T>, spread: T, before: T, swell: [T; 2], stretch: T, lambda: [T; 4] });
record!(SweptEdgeSolved { moves: [T; 3], lambda: [T; 4], along: T });
record!(ScaleAlone { stiffness: [T; 2], inertia: T, spread: [T; 2], beside: [T; 2], coast: T, pushed: T, stretch: T });
record!(Grip { press: Vec3<T>, held: Vec3<T> });
record!(Gripped { grip: Grip<T>, moved: Vec3<T> });
record!(VolumeStrain { stretch: T, swell: T, volume: T });
record!(VolumeSection { stiffness: T, length: T, shear: T, swell_shear: T, bulk: T });
record!(EdgeVolume { energy: T, tension: T, swelling: T, stretch2: T, mixed: T, swell2: T, safe_mixed: T, safe_swell2: T });
record!(Scaling { force: T, second: T, cross: Vec3<T>, safe_cross: Vec3<T> });

fn swept_edge<T: Real>(edge: SweptEdge<T>) -> SweptEdgeSolved<T> {
    edge.solve()
}
fn scale_alone<T: Real>(alone: ScaleAlone<T>, swell: T) -> T {
    alone.step(swell)
}
fn gripped<T: Real>(before: Grip<T>, moved: Vec3<T>, normal: Vec3<T>, depth: T, friction: T) -> Gripped<T> {
    let (grip, moved) = shape::grip(before, moved, normal, depth, friction);
    Gripped { grip, moved }
}
fn edge_volume<T: Real>(section: VolumeSection<T>, now: VolumeStrain<T>, rest: VolumeStrain<T>) -> EdgeVolume<T> {
    solid::edge_volume(&section, &now, &rest)
}
fn volume_hessian<T: Real>(at: EdgeVolume<T>, exact: T) -> [T; 2] {
    at.hessian(exact)
}
fn rescaled<T: Real>(rest: ElementRest<T>, s: T) -> ElementRest<T> {
    solid::rescaled(&rest, s)
}
/// `rest`: of an element that is not softened yet.
fn darboux_scaling<T: Real>(q: Relative<T>, psi: Vec3<T>, rest: ElementRest<T>, s: T) -> Scaling<T> {
    let (o, g) = (T::zero(), q.darboux_gradients(psi * T::constant(0.5)));
    let [a, b, c, d] = g.kappa;
    scaling(&[a, b, c, d, g.twist], &[psi.x, psi.y, o, o, psi.z], &folded_rest(&q, &rest), &[o; 5], s, 2)
}
/// `rest`: of one that is.
fn curvature_scaling<T: Real>(q: Relative<T>, kappa: [T; 4], twist: T, rest: ElementRest<T>, s: T) -> Scaling<T> {
    let ([a, b, c, d], g) = (kappa, q.gradients(kappa));
    let [k, l, m, n] = g.kappa;
    scaling(&[k, l, m, n, g.twist], &[a, b, c, d, twist], &rest, &[T::zero(); 5], s, 4)
}

pub fn kernels() -> Vec<Kernel> {
    swept_kernels().into_iter().chain(newton_kernels()).collect()
}

fn swept_kernels() -> Vec<Kernel> {
    vec![
        kernel!(possible_growth => possible_growth(swell: T, before: T, to: T) -> T),
        kernel!(swept_edge => swept_edge(edge: SweptEdge<T>) -> SweptEdgeSolved<T>),
        kernel!(ghost_constraints => ghost_constraints(
            e: Vec3<T>, g: Vec3<T>, w: EdgeWeights<T>, rest: EdgeRest<T>, step: T, lambda: T) -> EdgeSolved<T>),
        kernel!(scaled => scaled_element(rest: BendTwistRest<T>, s: T) -> BendTwistRest<T>),
        kernel!(scale_alone => scale_alone(alone: ScaleAlone<T>, swell: T) -> T),
        kernel!(shape::begin_grip => begin_grip(before: Grip<T>, u: Vec3<T>) -> Grip<T>),
        kernel!(gripped => gripped(before: Grip<T>, moved: Vec3<T>, normal: Vec3<T>, depth: T, friction: T) -> Gripped<T>),
    ]
}

fn newton_kernels() -> Vec<Kernel> {
    vec![
        kernel!(volume_strain => volume_strain(stretch: T, swell: T) -> VolumeStrain<T>),
        kernel!(edge_volume => edge_volume(
            section: VolumeSection<T>, now: VolumeStrain<T>, rest: VolumeStrain<T>) -> EdgeVolume<T>),
        kernel!(volume_hessian => volume_hessian(volume: EdgeVolume<T>, exact: T) -> [T; 2]),
        kernel!(rescaled => rescaled(rest: ElementRest<T>, s: T) -> ElementRest<T>),
        kernel!(darboux_scaling => darboux_scaling(q: Relative<T>, psi: Vec3<T>, rest: ElementRest<T>, s: T) -> Scaling<T>),
        kernel!(curvature_scaling => curvature_scaling(
            q: Relative<T>, kappa: [T; 4], twist: T, rest: ElementRest<T>, s: T) -> Scaling<T>),
    ]
}

/// Rows of a vertex's part of the band and all else that is of scales alone, in the scratch of the GPU: what rods that touch rods keep is not there.
pub const WIDE_ROWS: usize = wide::OWN;

pub fn constants() -> String {
    let rows = [
        ("SCALE_SWELL", scale::SWELL),
        ("SCALE_GROWTH", scale::GROWTH),
        ("SCALE_ROWS", scale::ROWS),
        ("BULK_SHEAR", bulk::SHEAR),
        ("BULK_BULK", bulk::BULK),
        ("BULK_SPREAD", bulk::SPREAD),
        ("BULK_INERTIA", bulk::INERTIA),
        ("BULK_PUSH", bulk::PUSH),
        ("BULK_ROWS", bulk::ROWS),
        ("SWEPT_SPREAD", swept::SPREAD),
        ("SWEPT_PRESS", swept::PRESS),
        ("SWEPT_GRIP", swept::GRIP),
        ("SWEPT_STEP", swept::STEP),
        ("SWEPT_COAST", swept::COAST),
        ("SWEPT_PUSHED", swept::PUSHED),
        ("SWEPT_UNANSWERED", swept::UNANSWERED),
        ("SWEPT_SQUEEZE", swept::SQUEEZE),
        ("SWEPT_ROWS", swept::ROWS),
        ("WIDE_TO_SCALES", wide::TO_SCALES),
        ("WIDE_FROM_SCALE", wide::FROM_SCALE),
        ("WIDE_RHS", wide::RHS),
        ("WIDE_COAST", wide::COAST),
        ("WIDE_INERTIA", wide::INERTIA),
        ("WIDE_LEAST", wide::LEAST),
        ("WIDE_START", wide::START),
        ("WIDE_KEPT", wide::KEPT),
        ("WIDE_ROWS", WIDE_ROWS),
    ];
    rows.iter().map(|(name, row)| format!("const {name}: u32 = {row}u;\n")).collect()
}

const HEAD: &str = "// Generated from crates/solve/src/rods/volume/mod.rs, crates/solve/src/collide/kernels.rs and crates/solve/src/layout/rows.rs by\n\
                    // `cargo xtask wgsl`: do not edit.\n\
                    // The same functions run on the CPU; meaning, units and papers are there.\n";

/// `swept_volume_kernels.wgsl`.
pub fn generate_swept() -> String {
    let declarations = [
        SweptSection::<Rec>::declaration(),
        SweptEdge::<Rec>::declaration(),
        SweptEdgeSolved::<Rec>::declaration(),
        ScaleAlone::<Rec>::declaration(),
        Grip::<Rec>::declaration(),
        Gripped::<Rec>::declaration(),
    ];
    let mut text = String::from(HEAD);
    join(&mut text, [constants()].into_iter().chain(declarations).chain(swept_kernels().iter().map(function)));
    text
}

/// `newton_volume_kernels.wgsl`.
pub fn generate_newton() -> String {
    let declarations = [
        VolumeStrain::<Rec>::declaration(),
        VolumeSection::<Rec>::declaration(),
        EdgeVolume::<Rec>::declaration(),
        Scaling::<Rec>::declaration(),
    ];
    let mut text = String::from(HEAD);
    join(&mut text, declarations.into_iter().chain(newton_kernels().iter().map(function)));
    text
}

/// Unknowns of a vertex with its edge: position, turn, scale.
const ALL: usize = 5;

/// Where the GPU has an entry of the band: a vertex that many on, and the place in its rows.
enum Entry {
    Narrow(usize),
    Wide(usize),
}

/// The entry at `column`, from the diagonal on, of an unknown's row.
fn entry(unknown: usize, column: usize) -> Entry {
    // Rows of 11, 10, 9 and 8 entries, without scales.
    let begin = |a: usize| a * (23 - a) / 2;
    let c = unknown + column;
    match (unknown, c) {
        (4, _) => Entry::Wide(wide::FROM_SCALE + column),
        (_, 4) => Entry::Wide(wide::TO_SCALES + 2 * unknown),
        (_, 9) => Entry::Wide(wide::TO_SCALES + 2 * unknown + 1),
        _ => Entry::Narrow(begin(unknown) + column - usize::from(c > 4) - usize::from(c > 9)),
    }
}

/// The band and the right-hand side in WGSL, of the vertex whose rows begin at `narrow{next}` and `wide{next}`.
fn place(row: usize, column: usize) -> String {
    let (next, unknown) = (row / ALL, row % ALL);
    match entry(unknown, column - row) {
        Entry::Narrow(k) => format!("scratch[narrow{next} + {k}u * me.width]"),
        Entry::Wide(k) => format!("scratch[wide{next} + {k}u * me.width]"),
    }
}
fn side(row: usize) -> String {
    let (next, unknown) = (row / ALL, row % ALL);
    match unknown {
        4 => format!("scratch[wide{next} + WIDE_RHS * me.width]"),
        _ => format!("scratch[narrow{next} + (RHS + {unknown}u) * me.width]"),
    }
}

struct Lines(String);
impl Lines {
    fn line(&mut self, indent: usize, text: impl AsRef<str>) {
        writeln!(self.0, "{:indent$}{}", "", text.as_ref()).expect("a string");
    }
    /// Where the rows of the vertex `next` after `v` begin.
    fn begins(&mut self, indent: usize, v: &str, next: usize) {
        let vertex = if next == 0 { v.to_string() } else { format!("{v} + {next}u") };
        self.line(indent, format!("let narrow{next} = scratch_at({vertex}, 0u);"));
        self.line(indent, format!("let wide{next} = wide_at({vertex}, 0u);"));
    }
    /// What is still in memory of rows and columns up to the window's end, of the vertex `next` after `v`.
    fn load(
        &mut self,
        indent: usize,
        v: &str,
        next: usize,
        wanted: impl Fn(usize, usize) -> bool,
        side_wanted: impl Fn(usize) -> bool,
    ) {
        let rows = next * ALL..((next + 1) * ALL).min(WIDE);
        let inner = if next == 0 { indent } else { indent + 4 };
        if next > 0 {
            for r in rows.clone().filter(|&r| side_wanted(r)) {
                self.line(indent, format!("b_{r} = 0.0;"));
            }
            for (r, c) in pairs(rows.clone()).filter(|&(r, c)| wanted(r, c)) {
                self.line(indent, format!("a_{r}_{c} = 0.0;"));
            }
            self.line(indent, format!("if ({v} + {next}u < me.vertices) {{"));
            self.begins(inner, v, next);
        }
        for r in rows.clone().filter(|&r| side_wanted(r)) {
            self.line(inner, format!("b_{r} = {};", side(r)));
        }
        for (r, c) in pairs(rows).filter(|&(r, c)| wanted(r, c)) {
            self.line(inner, format!("a_{r}_{c} = {};", place(r, c)));
        }
        if next > 0 {
            self.line(indent, "}");
        }
    }
}

/// Entries of these rows from the diagonal to the end of the window.
fn pairs(rows: std::ops::Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    rows.flat_map(|r| (r..WIDE).map(move |c| (r, c)))
}

/// `WideBand::eliminate` and `substitute` of the CPU (`rods/newton/volume.rs`) with the rows that a vertex's unknowns reach in registers: each entry comes
/// from memory once and goes there once, and a loop has one turn a vertex. a_r_c is the entry of row r of the window at its column c, which the vertices
/// before have already been taken from.
fn band_functions() -> String {
    let mut f = Lines(String::new());
    // Of the window, what a vertex leaves for the next one.
    let carried = WIDE - ALL;
    f.line(0, "/// LDLᵀ in place, D inverted, and the right-hand side on its way down.");
    f.line(0, "fn factor() {");
    for r in 0..WIDE {
        f.line(4, format!("var b_{r} = 0.0;"));
    }
    for (r, c) in pairs(0..WIDE) {
        f.line(4, format!("var a_{r}_{c} = 0.0;"));
    }
    f.line(4, "let first = 0u;");
    f.begins(4, "first", 0);
    f.load(4, "first", 0, |r, c| r < carried && c < carried, |r| r < carried);
    f.load(4, "first", 1, |r, c| r < carried && c < carried, |r| r < carried);
    f.line(4, "for (var v = 0u; v < me.vertices; v++) {");
    f.begins(8, "v", 0);
    let fresh = |_: usize, c: usize| c >= carried;
    for next in 0..3 {
        f.load(8, "v", next, fresh, |r| r >= carried);
    }
    for p in 0..ALL {
        f.line(8, format!("let inv_{p} = 1.0 / wide_pivot(v, {p}u, a_{p}_{p});"));
        f.line(8, format!("{} = inv_{p};", place(p, p)));
        f.line(8, format!("{} = b_{p};", side(p)));
        for r in p + 1..WIDE {
            f.line(8, format!("let l_{p}_{r} = a_{p}_{r} * inv_{p};"));
            f.line(8, format!("{} = l_{p}_{r};", place(p, r)));
        }
        for r in p + 1..WIDE {
            f.line(8, format!("b_{r} -= l_{p}_{r} * b_{p};"));
            for c in r..WIDE {
                f.line(8, format!("a_{r}_{c} -= l_{p}_{r} * a_{p}_{c};"));
            }
        }
    }
    for r in ALL..WIDE {
        f.line(8, format!("b_{} = b_{r};", r - ALL));
    }
    for (r, c) in pairs(ALL..WIDE) {
        f.line(8, format!("a_{}_{} = a_{r}_{c};", r - ALL, c - ALL));
    }
    f.line(4, "}");
    f.line(0, "}\n");

    f.line(0, "/// The way back: the right-hand side becomes the solution.");
    f.line(0, "fn substitute() {");
    for r in ALL..WIDE {
        f.line(4, format!("var x_{r} = 0.0;"));
    }
    f.line(4, "for (var k = 0u; k < me.vertices; k++) {");
    f.line(8, "let v = me.vertices - 1u - k;");
    f.begins(8, "v", 0);
    for p in (0..ALL).rev() {
        f.line(8, format!("var x_{p} = {} * {};", side(p), place(p, p)));
        for c in (p + 1..WIDE).rev() {
            f.line(8, format!("x_{p} -= {} * x_{c};", place(p, c)));
        }
        f.line(8, format!("{} = x_{p};", side(p)));
    }
    for r in (ALL..WIDE).rev() {
        f.line(8, format!("x_{r} = x_{};", r - ALL));
    }
    f.line(4, "}");
    f.line(0, "}");
    f.0
}

/// What the scale of a vertex's edge adds to the band becomes 0.
fn clear_function() -> String {
    let entries: String = (0..wide::RHS).map(|k| format!("    scratch[at + {k}u * me.width] = 0.0;\n")).collect();
    format!("fn clear_wide(i: u32) {{\n    let at = wide_at(i, 0u);\n{entries}}}\n")
}

/// `wide_band.wgsl`: loops that are printed, not written.
pub fn band_module() -> String {
    format!(
        "// Printed by `band_functions` in crates/gpu/src/shaders/volume.rs (`cargo xtask wgsl`): do not edit.\n\n{}\n{}\n{}",
        super::der::clear_function(),
        clear_function(),
        band_functions()
    )
}

/// Rows of a vertex in the scratch of rods that keep their volume.
pub const ALL_SCRATCH_ROWS: usize = SCRATCH_ROWS + WIDE_ROWS;
