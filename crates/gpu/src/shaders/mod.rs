//! WGSL from the kernels: the generic functions of [`withy_solve::rods`] and [`withy_solve::collide`], recorded and printed.
//!
//! `ghost_kernels.wgsl` and `der_kernels.wgsl` are the output of [`generate`] and [`der::generate`], checked in so that a reader and
//! a diff can see them; a test fails where they differ, and writes them anew under `WITHY_WRITE_WGSL=1` (`cargo xtask wgsl`). The
//! other `.wgsl` files are loops by hand around them.

pub mod der;
pub mod follow;
pub mod records;
pub mod signature;
pub mod volume;

use signature::{Declare, Kernel, Record, kernel, record};
use withy_math::{Quat, Rec, Sym3, Vec3, recorder};
use withy_solve::collide::kernels::*;
use withy_solve::collide::pushed::*;
use withy_solve::layout::{FORCE_ROWS, param, state, support};
use withy_solve::rods::ghost::kernels::*;
use withy_solve::stages::{Item, SUBSTEP, Stage};

/// The checked-in output of [`generate`].
pub const GHOST_KERNELS: &str = include_str!("ghost_kernels.wgsl");
/// The loops over a strand, which call them.
pub const STRAND: &str = include_str!("strand.wgsl");
/// What [`STRAND`] calls where constraints are swept over, and where Newton's method solves them.
const SWEEPS: &str = "fn solve(substep: u32, first: bool, left: u32) {
    sweep(time(substep), left);
}
fn held_there(i: u32) -> bool {
    return false;
}
fn held_anywhere() -> bool {
    return false;
}
fn spin_at_start() -> vec3<f32> {
    return spin_now();
}
fn mass_of(i: u32, kind: u32) -> f32 {
    return mass(param(i, w_row(kind)));
}
fn turning(i: u32) -> Turning {
    return Turning();
}
fn behind_of(i: u32) -> vec3<f32> {
    return vec3<f32>();
}
fn most_turn() -> f32 {
    return MAX_TURN;
}
fn is_second() -> bool {
    return false;
}
fn take_velocities() -> Went {
    return Went();
}
fn note_order(i: u32) {}
fn note_velocities() {}
fn restart_all() {}
fn note_coast(i: u32, by: vec3<f32>) {}
";
/// Where there is no scale, a substep of sweeps begins without more.
const NOTHING_BEGINS: &str = "fn begin(t: f32) {}\n";
const NEWTON: &str = include_str!("newton.wgsl");
const COLLIDERS: &str = include_str!("colliders.wgsl");
const PLAIN: &str = include_str!("plain.wgsl");
const PLAIN_SWEEPS: &str = include_str!("plain_sweeps.wgsl");
const PLAIN_NEWTON: &str = include_str!("plain_newton.wgsl");
const SCALES: &str = include_str!("scales.wgsl");
const SWEPT_VOLUME: &str = include_str!("swept_volume.wgsl");
const NEWTON_VOLUME: &str = include_str!("newton_volume.wgsl");
const CONTACTS: &str = include_str!("contacts.wgsl");
const MOMENTUM: &str = include_str!("momentum.wgsl");
const TIME: &str = include_str!("time.wgsl");
const TOUCH: &str = include_str!("touch.wgsl");
const BODIES: &str = include_str!("bodies.wgsl");
const PUSH: &str = include_str!("push.wgsl");
const NEWTON_CONTACTS: &str = include_str!("newton_contacts.wgsl");

record!(EdgeFrame { d1: Vec3<T>, d2: Vec3<T>, d3: Vec3<T>, inv_len: T, inv_h: T, foot: T });
record!(EdgeWeights { w0: T, w1: T, wg: T });
record!(EdgeRest { length: T, ghost: T, stiffness: T, compliance: T, on: T });
record!(EdgeSolved { p0: Vec3<T>, p1: Vec3<T>, pg: Vec3<T>, e: Vec3<T>, g: Vec3<T>, lambda: T });
record!(BendTwistRest { psi: Vec3<T>, stiffness: Vec3<T>, compliance: Vec3<T>, on: T });
record!(BendTwistSolved { a0: Vec3<T>, ag: Vec3<T>, shared: Vec3<T>, b1: Vec3<T>, bg: Vec3<T>, lambda: Vec3<T> });
record!(GravityShare { ghost: T, end0: T, end1: T });
record!(Sym3 { xx: T, xy: T, xz: T, yy: T, yz: T, zz: T });
record!(Distance { distance: T, normal: Vec3<T> });
record!(OnTriangle { at: Vec3<T>, on: Vec3<T> });
record!(Contact { u: Vec3<T>, touched: T });
record!(Near { normal: Vec3<T>, surface: Vec3<T>, slip: Vec3<T>, along: T, depth: T, friction: T });
record!(Closed { press: T, grip: T });
record!(Held { normal: Vec3<T>, surface: Vec3<T>, target: T, stiff: T, grip: T });
record!(HeldForce { press: T, friction: Vec3<T>, slip: Vec3<T>, energy: T });
record!(Revised { closed: Closed<T>, wrong: T });
record!(Stopped { closed: Closed<T>, along: T });
record!(Settled { u: Vec3<T>, press: T });
record!(BodyMoves { shift: Vec3<T>, turn: Vec3<T> });
record!(MovedShape { center: Vec3<T>, axes: [Vec3<T>; 3], turn: [Vec3<T>; 3], shift: Vec3<T> });

fn declarations() -> Vec<String> {
    vec![
        EdgeFrame::<Rec>::declaration(),
        EdgeWeights::<Rec>::declaration(),
        EdgeRest::<Rec>::declaration(),
        EdgeSolved::<Rec>::declaration(),
        BendTwistRest::<Rec>::declaration(),
        BendTwistSolved::<Rec>::declaration(),
        GravityShare::<Rec>::declaration(),
        Sym3::<Rec>::declaration(),
        Distance::<Rec>::declaration(),
        OnTriangle::<Rec>::declaration(),
        Contact::<Rec>::declaration(),
        Near::<Rec>::declaration(),
        Closed::<Rec>::declaration(),
        Held::<Rec>::declaration(),
        HeldForce::<Rec>::declaration(),
        Revised::<Rec>::declaration(),
        Stopped::<Rec>::declaration(),
        Settled::<Rec>::declaration(),
        BodyMoves::<Rec>::declaration(),
        MovedShape::<Rec>::declaration(),
    ]
}

/// Kernels take frames by reference; WGSL passes values.
fn bend_twist_by_value<T: withy_math::Real>(
    a: EdgeFrame<T>,
    b: EdgeFrame<T>,
    wa: EdgeWeights<T>,
    wb: EdgeWeights<T>,
    rest: BendTwistRest<T>,
    lambda: Vec3<T>,
) -> BendTwistSolved<T> {
    bend_twist(&a, &b, wa, wb, rest, lambda)
}

/// Every kernel that the GPU runs.
pub fn kernels() -> Vec<Kernel> {
    ghost_kernels().into_iter().chain(der::kernels()).chain(volume::kernels()).chain(follow::kernels()).collect()
}

fn ghost_kernels() -> Vec<Kernel> {
    vec![
        kernel!(edge_frame => edge_frame(e: Vec3<T>, g: Vec3<T>) -> EdgeFrame<T>),
        kernel!(EdgeFrame::fixed => fixed_frame(d: [Vec3<T>; 3]) -> EdgeFrame<T>),
        kernel!(edge_constraints => edge_constraints(
            e: Vec3<T>, g: Vec3<T>, w: EdgeWeights<T>, rest: EdgeRest<T>, lambda: T) -> EdgeSolved<T>),
        kernel!(bend_twist_by_value => bend_twist(
            a: EdgeFrame<T>, b: EdgeFrame<T>, wa: EdgeWeights<T>, wb: EdgeWeights<T>, rest: BendTwistRest<T>,
            lambda: Vec3<T>) -> BendTwistSolved<T>),
        kernel!(bounded_frame => bounded_frame(e: Vec3<T>, g: Vec3<T>, length: T, ghost: T) -> EdgeFrame<T>),
        kernel!(gravity_share => gravity_share(fall: T, fall_before: T, inv_h_gg: T, w: EdgeWeights<T>) -> GravityShare<T>),
        kernel!(Sym3::add_inertia => symmetric_add_inertia(m: Sym3<T>, r: Vec3<T>, k: T) -> Sym3<T>),
        kernel!(Sym3::solve => symmetric_solve(m: Sym3<T>, r: Vec3<T>) -> Vec3<T>),
        kernel!(plane => plane(p: Vec3<T>) -> Distance<T>),
        kernel!(capsule => capsule(p: Vec3<T>, radius: T, half_height: T) -> Distance<T>),
        kernel!(tapered_capsule => tapered_capsule(p: Vec3<T>, half_height: T, bottom: T, top: T) -> Distance<T>),
        kernel!(cuboid => cuboid(p: Vec3<T>, half: Vec3<T>) -> Distance<T>),
        kernel!(on_triangle => on_triangle(corners: [Vec3<T>; 3], p: Vec3<T>) -> OnTriangle<T>),
        kernel!(corner_shares => corner_shares(corners: [Vec3<T>; 3], at: Vec3<T>) -> [T; 3]),
        kernel!(contact => contact(
            u: Vec3<T>, normal: Vec3<T>, depth: T, surface: Vec3<T>, friction: T, movable: T) -> Contact<T>),
        kernel!(guess_contact => guess_contact(f: Vec3<T>, u: Vec3<T>, inertia: T, near: Near<T>) -> Closed<T>),
        kernel!(held_contact => held_contact(closed: Closed<T>, stiff: T, near: Near<T>, most: T) -> Held<T>),
        kernel!(held_force => held_force(c: Held<T>, u: Vec3<T>) -> HeldForce<T>),
        kernel!(revise_contact => revise_contact(
            closed: Closed<T>, inertia: T, force: HeldForce<T>, friction: T) -> Revised<T>),
        kernel!(stop_contact => stop_contact(
            u: Vec3<T>, inertia: T, normal: Vec3<T>, surface: Vec3<T>, depth: T, friction: T) -> Stopped<T>),
        kernel!(settle_contact => settle_contact(c: Held<T>, u: Vec3<T>, inertia: T, friction: T) -> Settled<T>),
        kernel!(body_gives => body_gives(arm: Vec3<T>, normal: Vec3<T>, inverse_mass: T, inverse_inertia: Sym3<T>) -> T),
        kernel!(shared_contact => shared_contact(
            u: Vec3<T>, normal: Vec3<T>, depth: T, surface: Vec3<T>, friction: T, weight: T, gives: T, most: T) -> Contact<T>),
        kernel!(give_way => give_way(c: Held<T>, before: Vec3<T>, gives: T) -> Held<T>),
        kernel!(settle_shared => settle_shared(c: Held<T>, grip: T, u: Vec3<T>, inertia: T, friction: T) -> Settled<T>),
        kernel!(body_moves => body_moves(
            linear: Vec3<T>, angular: Vec3<T>, inverse_mass: T, inverse_inertia: Sym3<T>) -> BodyMoves<T>),
        kernel!(moved_shape => moved_shape(
            shape: MovedShape<T>, body: Vec3<T>, all: BodyMoves<T>, now: BodyMoves<T>) -> MovedShape<T>),
        kernel!(Quat::nlerp => quaternion_nlerp(a: Quat<T>, b: Quat<T>, t: T) -> Quat<T>),
        kernel!(Quat::frame => quaternion_frame(q: Quat<T>) -> [Vec3<T>; 3]),
    ]
}

/// The WGSL function of one kernel.
fn function(kernel: &Kernel) -> String {
    let recording = recorder::record(&(kernel.inputs)(), kernel.record);
    let arguments: Vec<String> = kernel.arguments.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    let statements: String = recording.statements.iter().map(|s| format!("    {s}\n")).collect();
    let result = wrapped((kernel.construct_result)(recording.outputs));
    format!("fn {}({}) -> {} {{\n{statements}    return {result};\n}}\n", kernel.name, arguments.join(", "), kernel.returns)
}

/// A compute shader that maps one kernel over a flat array of inputs: what the tests run against f64.
pub fn map_shader(kernel: &Kernel) -> String {
    let (inputs, outputs) = ((kernel.inputs)(), (kernel.outputs)());
    let loads = (0..inputs.len()).map(|k| format!("input[i * {}u + {k}u]", inputs.len())).collect();
    let stores: Vec<String> =
        outputs.iter().enumerate().map(|(k, path)| format!("    output[i * {}u + {k}u] = {path};\n", outputs.len())).collect();
    format!(
        "{}\n{}\n{}\n{}\n{}\n@group(0) @binding(0) var<storage, read> input: array<f32>;\n\
         @group(0) @binding(1) var<storage, read_write> output: array<f32>;\n\n\
         @compute @workgroup_size(64)\nfn map_{name}(@builtin(global_invocation_id) id: vec3<u32>) {{\n    let i = id.x;\n    \
         if ((i + 1u) * {count}u > arrayLength(&output)) {{\n        return;\n    }}\n    \
         let r = {name}({arguments});\n{stores}}}\n",
        generate(),
        der::generate(),
        volume::generate_swept(),
        volume::generate_newton(),
        follow::generate(),
        name = kernel.name,
        count = outputs.len(),
        arguments = (kernel.construct_arguments)(loads).join(", "),
        stores = stores.concat(),
    )
}

/// The whole module of the passes of a solver: what all strands have, and what is the solver's.
pub fn module(solver: Solver) -> String {
    let (records, substep) = (records::declarations(), substep());
    let common = [GHOST_KERNELS, &records, STRAND, &substep, MOMENTUM, COLLIDERS, BODIES];
    let newton = [der::DER_KERNELS, CONTACTS, PLAIN_SWEEPS, NEWTON, TIME, NEWTON_CONTACTS];
    let (kernels, swept) = ([volume::SWEPT_VOLUME_KERNELS, SCALES], [SWEPT_VOLUME]);
    let all: Vec<&str> = match solver {
        Solver::Sweeps => common.into_iter().chain([CONTACTS, SWEEPS, NOTHING_BEGINS, PLAIN, PLAIN_SWEEPS]).collect(),
        Solver::Newton => common.into_iter().chain(newton).chain([der::BAND_LOOPS, PLAIN, PLAIN_NEWTON]).collect(),
        Solver::VolumeSweeps => common.into_iter().chain(kernels).chain([SWEEPS]).chain(swept).collect(),
        Solver::VolumeNewton => {
            let volume = [volume::NEWTON_VOLUME_KERNELS, volume::WIDE_BAND_LOOPS, NEWTON_VOLUME];
            common.into_iter().chain(newton).chain(kernels).chain(volume).collect()
        }
    };
    all.join("\n")
}

/// What solves a set of rods; each has programs of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Solver {
    Sweeps,
    Newton,
    /// The same of rods that keep their volume.
    VolumeSweeps,
    VolumeNewton,
}

impl Solver {
    pub const ALL: [Solver; 4] = [Solver::Sweeps, Solver::Newton, Solver::VolumeSweeps, Solver::VolumeNewton];

    pub fn of(newton: bool, keeps_volume: bool) -> Solver {
        match (newton, keeps_volume) {
            (false, false) => Solver::Sweeps,
            (true, false) => Solver::Newton,
            (false, true) => Solver::VolumeSweeps,
            (true, true) => Solver::VolumeNewton,
        }
    }
    pub fn is_newton(self) -> bool {
        matches!(self, Solver::Newton | Solver::VolumeNewton)
    }
    pub fn keeps_volume(self) -> bool {
        matches!(self, Solver::VolumeSweeps | Solver::VolumeNewton)
    }
}

/// The passes of strands that touch strands.
pub fn touch_module() -> String {
    format!("{}\n{}\n{}\n{TOUCH}", rows(), volume::constants(), records::touch_declarations())
}

/// The passes of the bodies that strands push.
pub fn push_module() -> String {
    format!("{GHOST_KERNELS}\n{}\n{PUSH}", records::declarations())
}

/// A substep of a strand in WGSL: the stages of [`SUBSTEP`] that strands have, in its order.
fn substep() -> String {
    let name = |stage: Stage| match stage {
        Stage::Predict => Some("predict"),
        Stage::Solve => Some("solve"),
        Stage::Contacts => Some("contacts"),
        Stage::Finalize => Some("finalize"),
        Stage::Report => Some("report"),
        // Worlds on the GPU have nothing that couples strands.
        _ => None,
    };
    let mut text = String::from("fn substep_of_strand(substep: u32) {\n");
    for item in SUBSTEP {
        match *item {
            Item::Once(stage) => text.extend(name(stage).map(|n| format!("    stage_{n}(substep);\n"))),
            Item::Last(stage) => text
                .extend(name(stage).map(|n| format!("    if (substep + 1u == settings.substeps) {{ stage_{n}(substep); }}\n"))),
            Item::Iterations(stages) => {
                text += "    for (var iteration = 0u; iteration < settings.iterations; iteration++) {\n";
                for n in stages.iter().filter_map(|&stage| name(stage)) {
                    let iteration = if n == "solve" { ", iteration" } else { "" };
                    text += &format!("        stage_{n}(substep{iteration});\n");
                }
                text += "    }\n";
            }
        }
    }
    text + "}\n"
}

/// A constructor call too long for a line, one part a line.
fn wrapped(call: String) -> String {
    if call.len() <= 120 {
        return call;
    }
    let (mut text, mut depth) = (String::new(), 0);
    let mut characters = call.chars().peekable();
    while let Some(c) = characters.next() {
        depth += (c == '(') as i32 - (c == ')') as i32;
        match (c, depth) {
            ('(', 1) => text.push_str("(\n        "),
            (')', 0) => text.push_str(",\n    )"),
            (',', 1) => {
                text.push_str(",\n        ");
                characters.next_if_eq(&' ');
            }
            _ => text.push(c),
        }
    }
    text
}

/// The rows of the layout, under their Rust names.
fn rows() -> String {
    let rows = [
        ("STATE_X", state::X),
        ("STATE_U", state::U),
        ("STATE_GX", state::GX),
        ("STATE_GU", state::GU),
        ("STATE_LAMBDA_LENGTH", state::LAMBDA_LENGTH),
        ("STATE_LAMBDA_BEND", state::LAMBDA_BEND),
        ("STATE_FALL", state::FALL),
        ("STATE_ROWS", state::ROWS),
        ("PARAM_W", param::W),
        ("PARAM_WG", param::WG),
        ("PARAM_LENGTH", param::LENGTH),
        ("PARAM_GHOST", param::GHOST),
        ("PARAM_STRETCH", param::STRETCH),
        ("PARAM_PSI", param::PSI),
        ("PARAM_BEND", param::BEND),
        ("PARAM_RADIUS", param::RADIUS),
        ("PARAM_VISCOUS", param::VISCOUS),
        ("PARAM_ROWS", param::ROWS),
        ("SUPPORT_FROM", support::FROM),
        ("SUPPORT_FROM_ROTATION", support::FROM_ROTATION),
        ("SUPPORT_TO", support::TO),
        ("SUPPORT_TO_ROTATION", support::TO_ROTATION),
        ("SUPPORT_ROWS", support::ROWS),
        ("FORCE_ROWS", FORCE_ROWS),
    ];
    rows.iter().map(|(name, row)| format!("const {name}: u32 = {row}u;\n")).collect()
}

/// All structs and functions, as in `ghost_kernels.wgsl`.
pub fn generate() -> String {
    let mut text = String::from(
        "// Generated from crates/solve/src/rods/ghost/kernels.rs, crates/solve/src/collide/{kernels,pushed}.rs, crates/math/src/quaternion.rs and crates/solve/src/layout/mod.rs by\n\
         // `cargo xtask wgsl`: do not edit.\n\
         // The same functions run on the CPU; meaning, units and papers are there.\n",
    );
    join(&mut text, [rows()].into_iter().chain(declarations()).chain(ghost_kernels().iter().map(function)));
    text
}

fn join(text: &mut String, parts: impl Iterator<Item = String>) {
    for part in parts {
        text.push('\n');
        text.push_str(&part);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn checked_in_kernels_are_what_the_recorder_prints() {
        let files = [
            ("ghost_kernels.wgsl", super::generate(), super::GHOST_KERNELS),
            ("der_kernels.wgsl", super::der::generate(), super::der::DER_KERNELS),
            ("band.wgsl", super::der::band_module(), super::der::BAND_LOOPS),
            ("swept_volume_kernels.wgsl", super::volume::generate_swept(), super::volume::SWEPT_VOLUME_KERNELS),
            ("newton_volume_kernels.wgsl", super::volume::generate_newton(), super::volume::NEWTON_VOLUME_KERNELS),
            ("follow_kernels.wgsl", super::follow::generate(), super::follow::FOLLOW_KERNELS),
            ("wide_band.wgsl", super::volume::band_module(), super::volume::WIDE_BAND_LOOPS),
        ];
        for (name, text, checked_in) in files {
            if std::env::var_os("WITHY_WRITE_WGSL").is_some() {
                let path = format!("{}/src/shaders/{name}", env!("CARGO_MANIFEST_DIR"));
                std::fs::write(path, &text).expect("the source tree is writable");
                continue;
            }
            assert!(text == checked_in, "{name} is stale: `cargo xtask wgsl` writes it anew");
        }
    }
}
