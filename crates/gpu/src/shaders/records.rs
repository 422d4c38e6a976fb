//! What the CPU writes and the shaders read, declared once: the macro prints each struct as WGSL and packs it by WGSL's rules of
//! alignment.

use super::der::{COAST, SCRATCH_ROWS};
use withy_solve::collide::narrow::TIE;
use withy_solve::rods::group::contacts::{BEHIND, NOWHERE};
use withy_solve::rods::group::momentum::{MAX_TURN, NEWTON_TURN};
use withy_solve::rods::volume::LEAST_SCALE;

/// A type of the fields. Sizes are in numbers of 4 bytes, as buffers are filled.
pub trait Field: Copy {
    const WGSL: &'static str;
    const ALIGN: usize = 1;
    const SIZE: usize = 1;
    /// From the bits of its numbers.
    const READ: [&'static str; 2] = ["", ""];
    fn put(self, out: &mut Vec<f32>);
}
impl Field for f32 {
    const WGSL: &'static str = "f32";
    const READ: [&'static str; 2] = ["bitcast<f32>(", ")"];
    fn put(self, out: &mut Vec<f32>) {
        out.push(self);
    }
}
impl Field for u32 {
    const WGSL: &'static str = "u32";
    fn put(self, out: &mut Vec<f32>) {
        out.push(f32::from_bits(self));
    }
}
impl Field for [f32; 3] {
    const WGSL: &'static str = "vec3<f32>";
    const READ: [&'static str; 2] = ["bitcast<vec3<f32>>(", ")"];
    const ALIGN: usize = 4;
    const SIZE: usize = 3;
    fn put(self, out: &mut Vec<f32>) {
        out.extend(self);
    }
}

macro_rules! records {
    ($($(#[$of_record:meta])* $name:ident { $($(#[$of_field:meta])* $field:ident: $ty:ty,)* })*) => {
        $(
            $(#[$of_record])*
            #[derive(Clone, Copy, Debug, Default)]
            pub struct $name {
                $($(#[$of_field])* pub $field: $ty,)*
            }

            impl $name {
                const ALIGN: usize = {
                    let mut align = 1;
                    $(if <$ty>::ALIGN > align { align = <$ty>::ALIGN; })*
                    align
                };
                /// Numbers of 4 bytes from one record to the next.
                pub const LEN: usize = {
                    let mut at = 0usize;
                    $(at = at.next_multiple_of(<$ty>::ALIGN) + <$ty>::SIZE;)*
                    at.next_multiple_of(Self::ALIGN)
                };

                /// A function for each field that reads it from `solids`, where the record begins at `at`: `collider_center(at)`.
                pub fn readers() -> String {
                    let mut text = String::new();
                    let mut place = 0usize;
                    let record = stringify!($name).to_lowercase();
                    $(
                        place = place.next_multiple_of(<$ty>::ALIGN);
                        let [open, close] = <$ty>::READ;
                        let parts = &"xyzw"[place % 4..place % 4 + <$ty>::SIZE];
                        text += &format!(
                            "fn {record}_{}(at: u32) -> {} {{ return {open}solids[at + {}u].{parts}{close}; }}\n",
                            stringify!($field), <$ty>::WGSL, place / 4,
                        );
                        place += <$ty>::SIZE;
                    )*
                    text + &format!("const {}: u32 = {}u;\n", stringify!($name).to_uppercase() + "_ROWS", place.div_ceil(4))
                }

                /// Appends the record to a buffer of them.
                pub fn put(&self, out: &mut Vec<f32>) {
                    let begin = out.len();
                    $(
                        out.resize(begin + (out.len() - begin).next_multiple_of(<$ty>::ALIGN), 0.0);
                        self.$field.put(out);
                    )*
                    out.resize(begin + Self::LEN, 0.0);
                }
            }
        )*

        fn structs() -> String {
            let mut text = String::new();
            $(
                text += concat!("struct ", stringify!($name), " {\n");
                $(text += &format!("    {}: {},\n", stringify!($field), <$ty>::WGSL);)*
                text += "}\n";
            )*
            text
        }
    };
}
pub(super) use records;

records! {
    /// Where a strand's rows are.
    Strand {
        /// Σ width·vertices of the blocks before.
        offset: u32,
        /// Of its block.
        width: u32,
        lane: u32,
        vertices: u32,
        /// Σ width of the blocks before.
        strand_offset: u32,
        first_pin: u32,
        end_pin: u32,
    }

    /// A vertex that the host drives.
    Pin {
        start: [f32; 3],
        vertex: u32,
        end: [f32; 3],
    }

    /// A collider in one substep; frames as columns.
    Collider {
        center: [f32; 3],
        /// Already combined with that of the rods.
        friction: f32,
        size: [f32; 3],
        kind: u32,
        axis0: [f32; 3],
        bound: f32,
        axis1: [f32; 3],
        /// Of hulls and meshes: where in `solids` the tree begins, and how many nodes it has. The triangles follow.
        tree: u32,
        axis2: [f32; 3],
        nodes: u32,
        turn0: [f32; 3],
        /// The farthest that a corner moves in a substep, m.
        farthest: f32,
        turn1: [f32; 3],
        /// The part of the step that is left after the substep.
        left: f32,
        turn2: [f32; 3],
        shift: [f32; 3],
        /// Of the bodies that the rods push in the step; NONE.
        body: u32,
    }

    /// A body that rods push, at the end of a substep, as they meet it.
    Pushed {
        /// Of mass.
        center: [f32; 3],
        inverse_mass: f32,
        /// Inverse inertia in world axes: xx, yy, zz, then xy, xz, yz.
        diagonal: [f32; 3],
        /// Its number among all bodies, which stays the same from step to step. Exact: below 2²⁴.
        name: f32,
        beside: [f32; 3],
        /// Vertices that may touch it.
        count: f32,
        /// Where its centre was when the substep began.
        began: [f32; 3],
    }

    /// A body in one substep on the way that it goes if no rods push it.
    BodyWay {
        center: [f32; 3],
        inverse_mass: f32,
        diagonal: [f32; 3],
        name: f32,
        beside: [f32; 3],
        /// Its way in the substep.
        shift: [f32; 3],
        /// Colliders go straight through the step. How far the body is from there at the end of the substep, as it falls meanwhile; and of that, in the substep.
        bend: [f32; 3],
        bend_now: [f32; 3],
    }

    /// A body while rods push it: momenta times h, kg m and kg m², and where they have taken it.
    PushedBody {
        linear: [f32; 3],
        count: f32,
        angular: [f32; 3],
        substep: u32,
        shift: [f32; 3],
        turn: [f32; 3],
        /// In the substep under way.
        now_linear: [f32; 3],
        now_angular: [f32; 3],
    }

    /// A part of a set that pushes bodies.
    Pushes {
        bodies: u32,
        /// Vertices with padding.
        cells: u32,
        /// Where its pushes begin in `report`, and bodies, colliders, and colliders on ways without pushes in `solids`.
        push_base: u32,
        pushed_at: u32,
        colliders_at: u32,
        ways_at: u32,
        /// Of each substep.
        colliders: u32,
        /// 1 where it is the first part that is summed.
        first: u32,
        substeps: u32,
    }

    /// A node of a tree in the order of a walk: where its box is missed, the walk goes on at `skip`. The box where the step ends, and what its sides do in
    /// the step.
    Node {
        low: [f32; 3],
        skip: u32,
        high: [f32; 3],
        first: u32,
        low_by: [f32; 3],
        count: u32,
        high_by: [f32; 3],
    }

    /// A triangle of a tree: its corners where the step ends, and what they do in the step.
    Triangle {
        a: [f32; 3],
        /// A bit for each of the edges 01, 12, 20 that has no neighbour.
        free: u32,
        b: [f32; 3],
        /// The normal that it has when it has no area.
        normal_x: f32,
        c: [f32; 3],
        normal_y: f32,
        a_by: [f32; 3],
        normal_z: f32,
        b_by: [f32; 3],
        c_by: [f32; 3],
    }

    /// What holds for a step and all its strands: [`withy_solve::rods::group::Settings`], and the numbers of the buffers.
    Settings {
        gravity: [f32; 3],
        h: f32,
        wind: [f32; 3],
        /// 1 where strands that nothing holds keep their angular momentum.
        keep_spin: f32,
        inv_h2: f32,
        inv_h_gg: f32,
        damping: f32,
        drag_keep: f32,
        drag_take: f32,
        max_move: f32,
        alpha: u32,
        order: u32,
        root: u32,
        tip: u32,
        substeps: u32,
        /// A substep over the step.
        part: f32,
        /// Of each substep.
        colliders: u32,
        strands: u32,
        /// Where the tips' supports begin.
        tip_base: u32,
        /// 0 where the host has set no forces.
        forces: u32,
        /// 1 for discrete elastic rods.
        der: u32,
        search: u32,
        /// Whether there is viscosity.
        viscous: u32,
        /// Where κ̄₂ and κ̄₃ begin in `params`.
        kappa_base: u32,
        /// How near a vertex must be to a collider for Newton's method to hold it off, m.
        near: f32,
        /// Of the thickest vertex, m.
        max_radius: f32,
        /// Where in `solids` the colliders begin.
        colliders_at: u32,
        /// Of a substep.
        iterations: u32,
        /// How far a vertex is pushed out of a collider in an iteration, m.
        give: f32,
        /// Where in `state` the rows of second order begin; 0: there are none.
        second_base: u32,
        /// Of rods that keep their volume: where the rows of scales and, swept, those of multipliers begin in `state`, constants in `params`, and what is of
        /// scales in `scratch`. Of others the first two are 0.
        scale_base: u32,
        swept_base: u32,
        bulk_base: u32,
        wide_base: u32,
        /// Of rods that push bodies in the step: where the pushes of vertices begin in `report`, vertices with padding, and where in `solids` the bodies are. 0, and
        /// no bodies: they push none.
        push_base: u32,
        cells: u32,
        pushed_at: u32,
    }

    /// A vertex among those of all strands, for strands that touch strands. Or, with the other edge as `strand` and `arc` metres, what an edge may overlap.
    Place {
        strand: u32,
        /// Its neighbours along the strand; NONE.
        next: u32,
        before: u32,
        /// Among those that touch rods.
        owner: u32,
        /// From the root, m.
        arc: f32,
        first_allowed: u32,
        end_allowed: u32,
    }

    /// What holds for a step in which strands touch strands.
    Touching {
        /// Vertices of all sets, with padding.
        cells: u32,
        /// Buckets less one.
        mask: u32,
        /// Of the squares that buckets hold the edges of, m.
        size: f32,
        /// Times this a covered vertex has its radius.
        covered: f32,
        /// Of all sets.
        strands: u32,
    }

    /// A set of rods that touches rods, for whoever meets its strands.
    TouchedSet {
        category: u32,
        mask: u32,
        friction: f32,
        /// 1 where Newton's method solves it.
        direct: u32,
    }

    /// Where the vertices and strands of a set are among those of all that touch.
    Own {
        first_cell: u32,
        /// With padding.
        cells: u32,
        first_strand: u32,
        strands: u32,
    }

    /// Which part of the step a dispatch does.
    Range {
        first_substep: u32,
        end_substep: u32,
        iterations: u32,
        /// Sweeps that the substep has after these.
        left: u32,
    }
}

macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident = $value:expr;)*) => {
        $($(#[$doc])* pub const $name: u32 = $value;)*

        fn constants() -> String {
            let mut text = String::new();
            $(text += &format!("const {}: u32 = {}u;\n", stringify!($name), $name);)*
            text
        }
    };
}

constants! {
    PLANE = 0;
    SPHERE = 1;
    CAPSULE = 2;
    CUBOID = 3;
    TAPERED = 4;
    HULL = 5;
    MESH = 6;
    /// A mesh that is felt from both sides.
    SHEET = 7;

    ROOT_TO_TIP = 0;
    ALTERNATING = 1;
    DIRECT = 2;

    FREE = 0;
    PINNED = 1;
    CLAMPED = 2;

    /// Rows of a strand's report.
    REPORT_STRAIN = 0;
    REPORT_LIMITED = 1;
    REPORT_CONTACTS = 2;
    REPORT_NON_FINITE = 3;
    REPORT_KINKED = 4;
    /// Not a report: Σ m x×u of the substep under way, which passes hand on to each other.
    REPORT_SPIN = 5;
    /// 1 where a collider has held a vertex in the substep under way.
    REPORT_HELD = 8;
    REPORT_ROWS = 9;

    /// Rows of a body that a vertex is near: the body's name, or 0; what it has pushed the vertex with in the substep; where, from the body's centre when the
    /// substep began; what it pushed with in the substep before.
    PUSH_NAME = 0;
    PUSH_NOW = 1;
    PUSH_ARM = 4;
    PUSH_BEFORE = 7;
    PUSH_SLOT = 10;
    /// Bodies that a vertex can push in a substep.
    PUSH_SLOTS = 2;
    /// The body that holds the vertex in Newton's method: its number among those of the step and 1; 0: none.
    PUSH_HOLDS = 20;
    PUSH_ROWS = 21;
}

/// Contacts that an edge may have; of more, those that come nearest.
pub const PER_EDGE: usize = 16;
/// An edge may be longer than when its length was asked for by this part, when squares are to hold its neighbours.
pub const LONGER: f32 = 1.5;
/// No vertex, no edge.
pub const NONE: u32 = u32::MAX;
/// What `touch.wgsl` reads, and its numbers.
///
/// * NEAR, ADVANCES, TURN: those of the CPU (`couple/meet.rs`, `couple/strands.rs`).
/// * PARALLEL: of both radii, how far the ends of the shorter edge may be off for it to be parallel.
/// * REST: of both radii, how deep is not deep yet. UNDONE, MOST: what part of an overlap comes out in a substep; of both radii, how much at most.
/// * SOFT, FIRM: `MOST` and `FIRM` of the CPU's sweeps (`couple/relax.rs`, `couple/lanes.rs`).
/// * STOPS, SHORT: how often, and by how much, strands are held back (`world/rod_contact.rs`). DEEP, DEEPER: of both radii, how deep edges may come into each other before strands
///   are held back; and how much deeper in a substep, where they are deeper than that.
pub fn touch_declarations() -> String {
    format!(
        "{}{}const NONE: u32 = {NONE}u;\nconst PER_EDGE: u32 = {PER_EDGE}u;\n\
         const NEAR: f32 = 0.1;\nconst ADVANCES: u32 = 24u;\nconst TURN: f32 = 1.5;\nconst PARALLEL: f32 = 0.2;\nconst REST: f32 = 0.01;\n\
         const UNDONE: f32 = 0.2;\nconst MOST: f32 = 0.02;\nconst STOPS: u32 = 2u;\nconst SHORT: f32 = 0.8;\nconst DEEP: f32 = 0.5;\n\
         const DEEPER: f32 = 0.02;\nconst SOFT: f32 = 0.2;\nconst FIRM: f32 = 20.0;\nconst LONGER: f32 = {LONGER:?};\n\
         const LEAST_SCALE: f32 = {LEAST_SCALE:?};\nconst SCRATCH_ROWS: u32 = {SCRATCH_ROWS}u;\nconst COAST: u32 = {COAST}u;\n",
        constants(),
        structs(),
    )
}

/// The declarations of all of the above.
pub fn declarations() -> String {
    format!(
        "// Printed from crates/gpu/src/shaders/records.rs, where the fields are explained.\n{}{}{}{}{}{}const NONE: u32 = {NONE}u;\n\
         const MAX_TURN: f32 = {MAX_TURN:?};\nconst NEWTON_TURN: f32 = {NEWTON_TURN:?};\nconst TIE: f32 = {TIE:?};\n\
         const BEHIND: f32 = {BEHIND:?};\nconst NOWHERE: f32 = {NOWHERE:?};\n",
        constants(),
        structs(),
        Collider::readers(),
        Node::readers(),
        Triangle::readers(),
        Pushed::readers(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_wgsl_puts_them() {
        let mut out = vec![9.0];
        Pin { start: [1.0, 2.0, 3.0], vertex: 7, end: [4.0, 5.0, 6.0] }.put(&mut out);
        assert_eq!(out[1..], [1.0, 2.0, 3.0, f32::from_bits(7), 4.0, 5.0, 6.0, 0.0]);
        let mut out = Vec::new();
        Collider { axis1: [1.0; 3], shift: [2.0; 3], ..Collider::default() }.put(&mut out);
        assert_eq!((out.len(), Collider::LEN), (36, 36));
        assert_eq!(out[12..16], [1.0, 1.0, 1.0, 0.0]);
        assert_eq!(out[32..36], [2.0, 2.0, 2.0, 0.0]);
        assert_eq!((Strand::LEN, Range::LEN, Settings::LEN % 4), (7, 4, 0));
    }
}
