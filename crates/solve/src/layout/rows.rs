//! Rows, named once: offsets in Rust and WGSL, the size of snapshots and the memory of buffers all
//! come from these lists.

/// `rows! { pub mod name { FIELD: 3, … } }`: a module with the first row of each field, and `ROWS`,
/// how many there are. `ALIAS = FIELD` is a second name.
macro_rules! rows {
    ($(#[$about:meta])* pub mod $name:ident { $($fields:tt)* }) => {
        $(#[$about])*
        pub mod $name {
            rows!(@ 0; $($fields)*);
        }
    };
    (@ $at:expr;) => {
        pub const ROWS: usize = $at;
    };
    (@ $at:expr; $(#[$about:meta])* $alias:ident = $field:ident, $($others:tt)*) => {
        $(#[$about])*
        pub const $alias: usize = $field;
        rows!(@ $at; $($others)*);
    };
    (@ $at:expr; $(#[$about:meta])* $field:ident: $rows:expr, $($others:tt)*) => {
        $(#[$about])*
        pub const $field: usize = $at;
        rows!(@ $field + $rows; $($others)*);
    };
}

rows! {
    /// Rows of a vertex's state. The edge and the orientation element that start at the vertex are
    /// kept with it.
    pub mod state {
        /// Position at the start of the substep, m.
        X: 3,
        /// Within a substep: displacement, m. Between substeps: velocity, m/s. Working on
        /// displacements keeps the rounding of far positions out of the velocities: momentum drifts
        /// 1e-6 instead of 1e-3 in ten seconds of free flight.
        U: 3,
        /// Ghost point of the edge that starts here: position, then displacement or velocity.
        GX: 3,
        GU: 3,
        /// Multipliers of the substep: length, then the bend-twist block around this vertex. Divided
        /// by h² they are forces, N, and moments, N·m.
        LAMBDA_LENGTH: 1,
        LAMBDA_BEND: 3,
        /// v_m·g of the edge's midpoint after drag and gravity in the last substep (appendix,
        /// algorithm 1).
        FALL: 1,
        /// Models that count turns have no such share: the twist of the element around this vertex,
        /// with its full turns, rad.
        TWIST = FALL,
    }
}

rows! {
    /// More rows of a vertex's state where rods are of second order in time (`docs/internals/time.md`).
    pub mod second {
        /// Between substeps: acceleration, m/s². Within a substep: −½ of the displacement by the
        /// velocity alone, + ¼ h² of that, m.
        ACCEL: 3,
        /// Between substeps: 1 where the next one may be of second order, 0 where it starts anew. Within a
        /// substep: 1 where it is, 0 where it is implicit Euler's, −1 where the next one is, too, 2 where
        /// it ends as one of implicit Euler.
        ORDER: 1,
    }
}

rows! {
    /// Rows of a vertex's constants.
    pub mod param {
        /// Inverse mass of the vertex and of the ghost point of the edge that starts here, kg⁻¹.
        W: 1,
        WG: 1,
        /// Rest length of the edge, m.
        LENGTH: 1,
        /// Ghost distance of the edge, m.
        GHOST: 1,
        /// Length constraint: compliance m/N, or the paper's α.
        STRETCH: 1,
        /// Ψ̄ of the element around this vertex; of discrete elastic rods κ̄₀, κ̄₁ and m̄. Vertex 0 and
        /// the last: the element between a support's frame and the end edge.
        PSI: 3,
        /// Bend-twist block: compliance l/K, 1/(N·m), or the paper's α.
        BEND: 3,
        /// Contact distance, m.
        RADIUS: 1,
        /// Viscosity over stiffness, as the substep takes it: of the edge, of the element's bending,
        /// of its twisting.
        VISCOUS: 3,
    }
}

rows! {
    /// Rows of a strand's end supports, one set for the root and one for the tip: where the host's
    /// pose was at the start of the step and where it will be at its end; the rotation is that of
    /// the end edge's frame.
    pub mod support {
        FROM: 3,
        FROM_ROTATION: 4,
        TO: 3,
        TO_ROTATION: 4,
    }
}

rows! {
    /// Rows of a strand's end that an attachment holds, for Newton's method: what it hangs on, in the
    /// substep under way (`docs/internals/direct.md`).
    pub mod tie {
        /// Where the end would be taken if it were massless: a displacement, m.
        AT: 3,
        /// The mass that the anchor has there, kg: xx, xy, xz, yy, yz, zz.
        MASS: 6,
        /// 1: nothing moves the anchor; it has no `MASS` then.
        STILL: 1,
        /// 1: the end edge's frame is held too, by half an element between it and the frame of this
        /// rotation.
        CLAMPED: 1,
        ROTATION: 4,
        /// The anchor's inverse inertia about the axes of that frame, (kg m²)⁻¹.
        TURN: 3,
        /// Ψ̄ of the half element: what the end has turned the anchor by already.
        PSI: 3,
        /// 1: several strands hang on the anchor, which is solved with what they tell of themselves
        /// (`world/coupling/net.rs`).
        LOOSE: 1,
        /// The force that it gives the end, N.
        LOAD: 3,
        /// What a force on the end and a moment on its edge do to both, by columns: 6 × 6, m/N and
        /// rad/(N m).
        RESPONSE: 36,
        /// Of tips: the same for what acts on the root, if both ends are loose.
        ACROSS: 36,
    }
}

/// Entries of a row of the band, from the diagonal on: the unknowns are (x₀, θ₀, x₁, θ₁ …), and an
/// element couples eleven in a row.
pub const BAND: usize = 11;

rows! {
    /// Rows of a vertex's scratch: the banded system of Newton's method (`rods/newton`) and what it
    /// remembers within a substep.
    pub mod scratch {
        /// Four rows of the band.
        MATRIX: 4 * super::BAND,
        /// Four right-hand sides.
        RHS: 4,
        /// Where inertia alone would take the vertex and the edge, m and rad.
        COAST: 4,
        /// Inertia of the vertex and of the edge.
        INERTIA: 2,
        /// For viscosity: length and strains when the substep began.
        START: 6,
        /// The contact of the vertex: the rows of [`near`](super::near).
        CONTACT: super::near::ROWS,
    }
}

rows! {
    /// What a block that works in memory of others keeps of a vertex's system when all but contacts is in it.
    pub mod kept {
        MATRIX: 4 * super::BAND,
        RHS: 4,
    }
}

rows! {
    /// A vertex that a collider is about to hold, in the scratch of Newton's method.
    pub mod near {
        /// Outward normal, and what the surface does in the substep, m.
        NORMAL: 3,
        SURFACE: 3,
        /// Along the normal: the displacement that keeps the distance, m.
        ALONG: 1,
        /// How deep the vertex is inside, m; [`FAR`](super::FAR) where nothing is near.
        DEPTH: 1,
        FRICTION: 1,
        /// The force with which the collider holds the vertex, N; 0: not at all.
        PRESS: 1,
        /// Stiffness against slip and along the normal, N/m.
        GRIP: 1,
        STIFF: 1,
        /// The slip that is expected: that of the last substep or iteration, m.
        SLIP: 3,
    }
}

rows! {
    /// Rows of an edge's state in rods that keep their volume (`docs/internals/volume.md`).
    pub mod scale {
        /// s − 1, where s is the radius over the one at rest: near 1, f32 tells the difference better.
        SWELL: 1,
        /// Within a substep: by how much s has grown. Between substeps: how fast it grows, 1/s.
        GROWTH: 1,
    }
}

rows! {
    /// Rows of an edge's constants in rods that keep their volume.
    pub mod bulk {
        /// 2μ and λ over Young's modulus.
        SHEAR: 1,
        BULK: 1,
        /// g μ Ip over the length between the middles of the edges at the vertex, N m.
        SPREAD: 1,
        /// i ρ Ip times the edge's length, kg m².
        INERTIA: 1,
        /// What the host does to s: force times radius, N m.
        PUSH: 1,
    }
}

rows! {
    /// Of an edge and its first vertex in swept rods that keep their volume: what constraints and colliders
    /// have done in a substep. Divided by h², multipliers are moments, N m.
    pub mod swept {
        /// Of ε, σ and δ.
        STRETCH: 1,
        SWELL: 1,
        VOLUME: 1,
        /// Of what differs between this edge's scale and that of the edge before.
        SPREAD: 1,
        /// By how much colliders have pushed the vertex out, and friction has moved it, m.
        PRESS: 3,
        GRIP: 3,
        /// 1: one of them still does.
        TOUCHES: 1,
        /// h² of the substep that all this is of, s²; 0: of none.
        STEP: 1,
        /// By how much the scale would have grown by itself in the substep; what contacts have pressed it with, and what of that the next sweep is to answer, kg m².
        COAST: 1,
        PUSHED: 1,
        UNANSWERED: 1,
        /// What colliders on several sides press the section at the vertex with, kg m; and how far the vertex is from the nearest of them, 0 or less, m.
        SQUEEZE: 1,
        OPEN: 1,
    }
}

rows! {
    /// Rows of an edge's state in muscles (`docs/internals/muscles.md`).
    pub mod active {
        /// What the host says, 0 to 1.
        ACTIVATION: 1,
        /// a: the natural length over the one at rest. 1 where Hill's force acts.
        NATURAL: 1,
        /// Of Hill's force: how fast λ grows where the next substep's tangent touches it, 1/s, and the
        /// force in the last substep, N.
        RATE: 1,
        FORCE: 1,
    }
}

rows! {
    /// Rows of an edge where Hill's force acts: constants, and what a substep remembers.
    pub mod hill {
        /// The fibres' peak isometric force, N.
        PEAK: 1,
        /// The length of the edge at which they have their optimal length, m.
        OPTIMAL: 1,
        /// Their largest velocity, optimal lengths a second.
        SPEED: 1,
        /// Cosine of their pennation at the optimal length.
        COS: 1,
        /// The length of the edge when the substep began, m.
        START: 1,
        /// Where steps that are not searched linearise the force: a change of λ.
        POINT: 1,
        /// `HillRates` of the substep.
        GAIN: 1,
        SLOPE: 1,
        TRAVEL: 1,
    }
}

/// Entries of a row of the band with the scales: (x₀, θ₀, s₀, x₁, …), of which an element couples
/// thirteen in a row.
pub const WIDE: usize = 13;

rows! {
    /// More rows of a vertex's scratch in rods that keep their volume, after all of
    /// [`scratch`](self::scratch).
    pub mod wide {
        /// What the vertex and its edge's turn have to do with the scales of this edge and the next.
        TO_SCALES: 8,
        /// The row of the edge's scale: itself, the next vertex, turn and scale, and the vertex after it.
        FROM_SCALE: 9,
        RHS: 1,
        /// Where inertia alone would take it.
        COAST: 1,
        INERTIA: 1,
        /// What its pivot is at least: inertia, and what shear has of its stiffness whatever else holds it.
        LEAST: 1,
        /// For viscosity: s − 1 and J − 1 when the substep began.
        START: 2,
        /// What a step search starts from, and the slope there.
        KEPT: 2,
        /// Of rods that touch rods: what the strand's own solution asks for, and what contact adds.
        OWN: 1,
        ANSWER: 1,
        /// The collider that presses the vertex from the other side.
        AGAINST: super::near::ROWS,
    }
}

/// Unknowns of a section of a bundle: where it is, how it turns, and by what part it grows.
pub const SECTION: usize = 7;

rows! {
    /// Rows of a vertex, and of the edge after it, in rods that are bundled (`docs/internals/bundles.md`).
    pub mod bundle {
        /// What ties the vertex to its section, N/m; the direction of the edge, its turn and its scale to
        /// those of its sections, N m.
        PULL: 1,
        TILT: 1,
        TURN: 1,
        GROW: 1,
        /// What these springs ask for: displacement, m, change of the edge's direction, turn, growth of s.
        TO: 3,
        LEAN: 3,
        TWIST: 1,
        SWELL: 1,
        /// From the section's centre, m; the scale of the edge's sections, 0 where they keep theirs.
        ARM: 3,
        SIZE: 1,
        /// What holds the section's area there, √(N/m): of a displacement d the force is FIRM FIRM·d.
        FIRM: 3,
        /// Of [`contact::OWN`](super::contact) and `ANSWER`, what belongs to s; the latter is a load before it is an
        /// answer, as is `ANSWER_TURN`.
        OWN_SWELL: 1,
        ANSWER_SWELL: 1,
        /// The solution so far: displacement, turn, growth.
        SUM: 5,
        /// Where inertia alone would take the vertex in the substep, m, and turn the edge, with what the host does; inertia over h², of either
        /// (that of the vertex is HELD where something holds it); of vertex 0: 1 where a collider holds the strand.
        COAST: 3,
        COAST_TURN: 1,
        INERTIA: 2,
        PRESSED: 1,
        /// Of vertex 0: 1 where the strand's part of the hard bundle's system is wanted.
        WANTS: 1,
        /// What the strand has of the hard bundle's system, without its springs: the rows of the section
        /// against this and the two after it; half of what is symmetric.
        COARSE: super::SECTION * 3 * super::SECTION,
    }
}

/// The inertia of what is held in Newton's method, against numbers of at most 1e10.
pub const HELD: f64 = 1e30;

/// Stands in for a compliance of 0 where there is nothing to hold either: in the padding of shorter strands.
pub const NOTHING: f64 = 1e-30;

/// The compliance of what is cut, m/N and 1/(N m), and one that only such an edge has.
pub const CUT: f64 = 1e25;
pub const CUT_FROM: f64 = 1e24;

/// [`near::DEPTH`] where nothing is near.
pub const FAR: f64 = -1e30;

rows! {
    /// What the host does to a vertex.
    pub mod force {
        /// Force on the vertex, N.
        FORCE: 3,
        /// Moment about the edge after it, N m.
        MOMENT: 1,
    }
}

rows! {
    /// What contact between rods does to a vertex (`couple`).
    pub mod contact {
        /// The displacement of the vertex and the turn of its edge that the strand's own solution asks
        /// for, m and rad.
        OWN: 3,
        OWN_TURN: 1,
        /// A force, N; after [`Stage::Respond`](crate::stages::Stage::Respond) the displacement and the
        /// turn that it causes.
        ANSWER: 3,
        ANSWER_TURN: 1,
        /// The force of the last time, N: strands solved by Newton's method start from it, so that colliders
        /// are told of it.
        LOAD: 3,
        /// What a force on the vertex does to it: xx, xy, xz, yy, yz, zz, m/N.
        GIVE: 6,
        /// 1 where the strand is held back: it goes a part of its way, by no force.
        STOPPED: 1,
    }
}

/// Rows of a vertex in [`Buffers::forces`](super::Buffers::forces).
pub const FORCE_ROWS: usize = force::ROWS;
/// Rows of a strand in [`Buffers::spin`](super::Buffers::spin): Σ m x×u.
pub const SPIN_ROWS: usize = 3;
/// Rows of a vertex in [`Buffers::spare`](super::Buffers::spare): a kept right-hand side.
pub const SPARE_ROWS: usize = 4;
