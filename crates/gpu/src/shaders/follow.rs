//! Render hair and skins, for WGSL: [`withy_hair::kernels`] and [`withy_skin::kernels`] by value, and what their passes read.

use super::records::{Field, records};
use super::signature::{Declare, Kernel, Record, kernel, record};
use super::{GHOST_KERNELS, function, join};
use withy_hair::kernels::{self as hair, Sample as HairSample};
use withy_math::{Quat, Real, Rec, Vec3};
use withy_skin::kernels::{self as skin, Bone as SkinBone, Held as SkinHeld, Pull as SkinPull};
use withy_solve::layout::scale;
use withy_solve::rods::ghost::kernels::edge_frame;

/// The checked-in output of [`generate`].
pub const FOLLOW_KERNELS: &str = include_str!("follow_kernels.wgsl");
const FOLLOW: &str = include_str!("follow.wgsl");
const HAIR: &str = include_str!("hair.wgsl");
const SKIN: &str = include_str!("skin.wgsl");

/// No section: the rods do not keep their volume.
pub const NO_SCALE: u32 = u32::MAX;
/// Of [`Hold::ends`]: there is no edge before, or after.
pub const FIRST: u32 = 1;
pub const LAST: u32 = 2;

record!(HairSample { at: Vec3<T>, turn: Quat<T> });
record!(SkinBone {
    start: Vec3<T>,
    log: T,
    change: Vec3<T>,
    log_change: T,
    turn: Quat<T>,
    along: Vec3<T>,
    across: Vec3<T>,
    swell: Vec3<T>,
});
record!(SkinHeld { center: Vec3<T>, log: T, turn: Quat<T> });
record!(SkinPull { along: Vec3<T>, across: Vec3<T>, swell: Vec3<T> });

/// The material frame of an edge, with its ghost point at `g` from its middle.
fn edge_rotation<T: Real>(e: Vec3<T>, g: Vec3<T>) -> Quat<T> {
    let f = edge_frame(e, g);
    Quat::of_frame([f.d1, f.d2, f.d3])
}
#[allow(clippy::too_many_arguments, reason = "WGSL takes the same, one by one")]
fn hair_sample<T: Real>(
    a: Vec3<T>,
    b: Vec3<T>,
    c: Vec3<T>,
    d: Vec3<T>,
    weights: [T; 4],
    first: Quat<T>,
    second: Quat<T>,
    share: T,
) -> HairSample<T> {
    hair::sample([a, b, c, d], weights, first, second, share)
}
fn hair_center<T: Real>(a: Vec3<T>, b: Vec3<T>, c: Vec3<T>, weights: [T; 3]) -> Vec3<T> {
    hair::center([a, b, c], weights)
}
fn hair_blend<T: Real>(a: HairSample<T>, b: HairSample<T>, c: HairSample<T>, weights: [T; 3]) -> HairSample<T> {
    hair::blend([a, b, c], weights)
}
fn skin_hold<T: Real>(sum: SkinHeld<T>, of: SkinBone<T>, t: T, weight: T, signed: T) -> SkinHeld<T> {
    skin::hold(sum, of.start, of.log, of.change, of.log_change, of.turn, t, weight, signed)
}
fn skin_pull<T: Real>(sum: SkinPull<T>, of: SkinBone<T>, weight: T) -> SkinPull<T> {
    let SkinBone { along, across, swell, .. } = of;
    skin::pull(sum, SkinPull { along, across, swell }, weight)
}
fn skin_position<T: Real>(held: SkinHeld<T>, of: SkinPull<T>, d: Vec3<T>) -> Vec3<T> {
    held.center + skin::offset(skin::rotation(held.turn), held.log, of, d)
}
fn skin_normal<T: Real>(held: SkinHeld<T>, of: SkinPull<T>, d: Vec3<T>, normal: Vec3<T>) -> Vec3<T> {
    skin::normal(skin::rotation(held.turn), of, d, normal)
}
fn skin_tangent<T: Real>(held: SkinHeld<T>, of: SkinPull<T>, tangent: Vec3<T>) -> Vec3<T> {
    skin::tangent(skin::rotation(held.turn), of, tangent)
}

pub fn kernels() -> Vec<Kernel> {
    vec![
        kernel!(edge_rotation => edge_rotation(e: Vec3<T>, g: Vec3<T>) -> Quat<T>),
        kernel!(hair::turn => hair_turn(now: Quat<T>, rest: Quat<T>) -> Quat<T>),
        kernel!(hair_sample => hair_sample(
            a: Vec3<T>, b: Vec3<T>, c: Vec3<T>, d: Vec3<T>, weights: [T; 4], first: Quat<T>, second: Quat<T>, share: T)
            -> HairSample<T>),
        kernel!(hair_center => hair_center(a: Vec3<T>, b: Vec3<T>, c: Vec3<T>, weights: [T; 3]) -> Vec3<T>),
        kernel!(hair_blend => hair_blend(a: HairSample<T>, b: HairSample<T>, c: HairSample<T>, weights: [T; 3]) -> HairSample<T>),
        kernel!(hair::root_shift => hair_root_shift(root: Vec3<T>, turn: Quat<T>, center: Vec3<T>, d: Vec3<T>) -> Vec3<T>),
        kernel!(hair::rooted => hair_rooted(s: HairSample<T>, turn: Quat<T>, shift: Vec3<T>, fade: T) -> HairSample<T>),
        kernel!(hair::placed => hair_placed(s: HairSample<T>, d: Vec3<T>) -> Vec3<T>),
        kernel!(hair::held => hair_held(before: Vec3<T>, to: Vec3<T>, most: T) -> Vec3<T>),
        kernel!(hair::tangent => hair_tangent(before: Vec3<T>, after: Vec3<T>) -> Vec3<T>),
        kernel!(skin::scales => skin_scales(swell: [T; 3], ratio: [T; 2]) -> [T; 2]),
        kernel!(skin::bone => skin_bone(
            start: Vec3<T>, edge: Vec3<T>, scale: [T; 2], now: Quat<T>, rest: Quat<T>, axis: Vec3<T>, length: T) -> SkinBone<T>),
        kernel!(skin::signed => skin_signed(turn: Quat<T>, first: Quat<T>, weight: T) -> T),
        kernel!(skin_hold => skin_hold(sum: SkinHeld<T>, bone: SkinBone<T>, t: T, weight: T, signed: T) -> SkinHeld<T>),
        kernel!(skin_pull => skin_pull(sum: SkinPull<T>, bone: SkinBone<T>, weight: T) -> SkinPull<T>),
        kernel!(skin_position => skin_position(held: SkinHeld<T>, pull: SkinPull<T>, d: Vec3<T>) -> Vec3<T>),
        kernel!(skin_normal => skin_normal(held: SkinHeld<T>, pull: SkinPull<T>, d: Vec3<T>, normal: Vec3<T>) -> Vec3<T>),
        kernel!(skin_tangent => skin_tangent(held: SkinHeld<T>, pull: SkinPull<T>, tangent: Vec3<T>) -> Vec3<T>),
    ]
}

/// All structs and functions, as in `follow_kernels.wgsl`.
pub fn generate() -> String {
    let mut text = String::from(
        "// Generated from crates/hair/src/kernels.rs and crates/skin/src/kernels.rs by `cargo xtask wgsl`: do not edit.\n\
         // The same functions run on the CPU; meaning and units are there.\n",
    );
    let declarations = [
        HairSample::<Rec>::declaration(),
        SkinBone::<Rec>::declaration(),
        SkinHeld::<Rec>::declaration(),
        SkinPull::<Rec>::declaration(),
    ];
    join(&mut text, declarations.into_iter().chain(kernels().iter().map(function)));
    text
}

records! {
    /// What a dispatch does.
    FollowSettings {
        /// Vertices of guides, samples, groups of eight vertices, vertices of a tangent or of a skin.
        count: u32,
        /// Of hair: the host has given roots.
        rooted: u32,
        /// Of hair: where tangents begin in `out`.
        tangents_at: u32,
        /// The last vertex of the guides.
        last: u32,
        /// The sample that holds the origin.
        origin_at: u32,
        /// Of a skin: 0 positions, 1 normals, 2 tangents.
        wants: u32,
        /// Of a skin: where offsets, normals or tangents begin in `vectors`: vertices of the piece.
        vertices: u32,
        /// Of hair: strands that are read.
        strands: u32,
    }

    /// A vertex of a guide.
    Spot {
        /// Its edge's frame at the bind pose.
        rest: [f32; 3],
        rest_w: f32,
        /// Its first number in the state.
        at: u32,
        /// Numbers from one row to the next.
        width: u32,
        /// Among all guides.
        to: u32,
        /// 1: it has the turn of the edge before, as its guide ends.
        back: u32,
    }

    /// Where a sample of a guide takes its numbers.
    HairTap {
        first: u32,
        edge: u32,
        share: f32,
        /// How much of a root that the host moves a vertex takes.
        fade: f32,
        a: f32,
        b: f32,
        c: f32,
        d: f32,
    }

    /// A render strand.
    HairStrand {
        /// The first samples of its guides.
        a: u32,
        b: u32,
        c: u32,
        vertices: u32,
        weight_a: f32,
        weight_b: f32,
        weight_c: f32,
        /// Its first group of offsets.
        group: u32,
        /// Where its samples are listed; NONE: it takes them one by one.
        samples: u32,
    }

    /// A strand that is read.
    HairKept {
        strand: u32,
        vertices: u32,
        /// Its first vertex, and its first group of eight, in what is read.
        first: u32,
        group: u32,
    }

    /// Where the host has put a root: the sum of two numbers, m, and its turn.
    HairRoot {
        high: [f32; 3],
        x: f32,
        low: [f32; 3],
        y: f32,
        z: f32,
        w: f32,
    }

    /// An edge that a skin holds on to.
    Hold {
        rest: [f32; 3],
        rest_w: f32,
        axis: [f32; 3],
        length: f32,
        /// Radii without scale over those at the bind pose.
        ratio_a: f32,
        ratio_b: f32,
        at: u32,
        width: u32,
        /// Among all edges.
        to: u32,
        /// The scale of its section in the state, or NO_SCALE.
        scale_at: u32,
        ends: u32,
    }
}

/// Coordinates beyond that are refused, as on the CPU.
const LARGEST: f32 = withy_hair::LARGEST as f32;

fn module(own: &str) -> String {
    let constants = format!(
        "const NONE: u32 = {}u;\nconst NO_SCALE: u32 = {NO_SCALE}u;\nconst FIRST: u32 = {FIRST}u;\nconst LAST: u32 = {LAST}u;\n\
         const SCALE_ROWS: u32 = {}u;\nconst LARGEST: u32 = {}u;\nconst PART: f32 = {:?};\n",
        u32::MAX,
        scale::ROWS,
        LARGEST.to_bits(),
        1.0 / withy_skin::PARTS,
    );
    [GHOST_KERNELS, FOLLOW_KERNELS, &constants, &structs(), FOLLOW, own].join("\n")
}
/// The passes of render hair.
pub fn hair_module() -> String {
    module(HAIR)
}
/// Those of skins.
pub fn skin_module() -> String {
    module(SKIN)
}
