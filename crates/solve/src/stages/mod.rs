//! What a step does: one list, for strands, bodies, what couples them, and the GPU.
//!
//! [`SUBSTEP`] is a substep of the world, [`BODIES`] what its bodies do within their stage. Whoever steps something walks these lists and does what
//! the stage asks of it; what a stage does not concern does nothing then.
//!
//! | who walks | does | where |
//! |---|---|---|
//! | a block of strands that nothing couples to others | the stages of strands, all substeps on its own | `step/dispatch.rs` |
//! | the world, for all that is coupled | every stage for everybody before the next | `world/ties.rs` |
//! | the GPU | the stages of strands, cut into dispatches; the same list is printed as WGSL | `gpu/passes.rs` |
//! | a cluster of bodies | [`BODIES`] | `bodies/solver.rs` |
//!
//! Bodies that no strand pushes go through all their substeps first: then the list's first stages have nothing left to do.

/// A stage of a substep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The substep of the bodies ([`BODIES`]), and where they are now.
    Bodies,
    /// Which strands and bodies may touch, and what hangs on which body.
    Meet,
    /// Gravity, drag, loads: velocities become displacements. What the host holds goes where the host wants it.
    Predict,
    /// Anchors (bodies, triangles, junctions) as inertia takes them, and what they tell strands of themselves.
    PredictAnchors,
    TellAnchors,
    /// Strands: a sweep over the constraints, or a Newton step.
    Solve,
    /// Rods that touch rods, and bodies that Newton's method has them push: the forces between them, found with what each strand answers to forces ([`Stage::Respond`]) and to one alone ([`Stage::Give`]), which are
    /// in no list.
    RodContacts,
    Respond,
    Give,
    /// Strands that touch others take their step.
    Follow,
    /// What strands gave their anchors; light anchors and all that hangs on them are solved together.
    SolveAnchors,
    /// Swept strands and the bodies that they push.
    Touch,
    /// Meshes whose edges the world holds together.
    Meshes,
    /// Strands and colliders.
    Contacts,
    /// Displacements become velocities and are added to positions; damping.
    Finalize,
    /// Meshes, junctions and bodies likewise.
    FinalizeAnchors,
    /// Strain, kinks, numbers that are not finite.
    Report,
}

/// A stage of the bodies' substep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyStage {
    /// Gravity, damping, gyroscopic torque.
    Velocities,
    /// Rows of joints and contacts at the poses of now, with the impulses of before.
    SetUp,
    /// Joints, colour by colour, then contacts.
    Solve,
    /// x += h v, q += h/2 ω q
    Poses,
    /// Once more, without taking back errors: what was pushed apart does not fly apart.
    Relax,
    /// Restitution.
    Bounce,
}

/// An entry of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<S: 'static> {
    Once(S),
    /// All of these, one after the other, in every iteration.
    Iterations(&'static [S]),
    /// In the last substep of a step alone.
    Last(S),
}

use Item::{Iterations, Last, Once};

/// A substep of a world.
pub const SUBSTEP: &[Item<Stage>] = &[
    Once(Stage::Bodies),
    Once(Stage::Meet),
    Once(Stage::Predict),
    Once(Stage::PredictAnchors),
    Iterations(&[
        Stage::TellAnchors,
        Stage::Solve,
        Stage::RodContacts,
        Stage::Follow,
        Stage::SolveAnchors,
        Stage::Touch,
        Stage::Meshes,
        Stage::Contacts,
    ]),
    Once(Stage::Finalize),
    Once(Stage::FinalizeAnchors),
    Last(Stage::Report),
];

/// A substep of a cluster of bodies.
pub const BODIES: &[Item<BodyStage>] = &[
    Once(BodyStage::Velocities),
    Once(BodyStage::SetUp),
    Iterations(&[BodyStage::Solve]),
    Once(BodyStage::Poses),
    Once(BodyStage::Relax),
    Last(BodyStage::Bounce),
];

/// Where in a step a stage is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    pub substep: usize,
    /// Of a substep's `iterations`; 0 outside of them.
    pub iteration: usize,
    pub iterations: usize,
}

impl At {
    /// In the substep's first iteration.
    pub fn first(&self) -> bool {
        self.iteration == 0
    }
    /// In its last one.
    pub fn last(&self) -> bool {
        self.iteration + 1 == self.iterations
    }
    /// Of the alternating order's two sweeps, the one with the elements from the tip on. The last is never that one: it left 5 to 14 % more stretch after
    /// ten to fifty.
    pub fn backward(&self) -> bool {
        (self.iterations - 1 - self.iteration) % 2 == 1
    }
}

/// Who does the stages of [`SUBSTEP`].
pub trait Work {
    type Error;
    fn stage(&mut self, stage: Stage, at: At) -> Result<(), Self::Error>;
    /// How many iterations the substep has: asked before each, as anchors may want more.
    fn iterations(&self) -> usize;
}

/// A whole step.
#[inline(always)]
pub fn step<W: Work>(substeps: usize, work: &mut W) -> Result<(), W::Error> {
    for substep in 0..substeps {
        for item in SUBSTEP {
            let once = At { substep, iteration: 0, iterations: work.iterations() };
            match *item {
                Once(stage) => work.stage(stage, once)?,
                Last(stage) if substep + 1 == substeps => work.stage(stage, once)?,
                Last(_) => {}
                Iterations(stages) => {
                    let mut iteration = 0;
                    while iteration < work.iterations() {
                        for &stage in stages {
                            work.stage(stage, At { substep, iteration, iterations: work.iterations() })?;
                        }
                        iteration += 1;
                    }
                }
            }
        }
    }
    Ok(())
}

/// How many stages a substep has, iterations counted.
pub fn count<S>(list: &[Item<S>], iterations: usize, last: bool) -> usize {
    let of = |item: &Item<S>| match item {
        Once(_) => 1,
        Iterations(stages) => stages.len() * iterations,
        Last(_) => usize::from(last),
    };
    list.iter().map(of).sum()
}

/// Stage number `k` of a substep's [`count`], for those that go through a list by number, as threads do that meet after each.
pub fn nth<S: Copy>(list: &[Item<S>], iterations: usize, k: usize) -> Option<S> {
    let mut k = k;
    for item in list {
        let (stages, times) = match item {
            Once(stage) | Last(stage) => (core::slice::from_ref(stage), 1),
            Iterations(stages) => (*stages, iterations),
        };
        if k < stages.len() * times {
            return Some(stages[k % stages.len()]);
        }
        k -= stages.len() * times;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes down what it is asked for; wants one iteration more in the second substep.
    #[derive(Default)]
    struct Diary(Vec<(Stage, At)>, usize);

    impl Work for Diary {
        type Error = ();
        fn stage(&mut self, stage: Stage, at: At) -> Result<(), ()> {
            self.1 = if at.substep == 1 { 3 } else { 2 };
            self.0.push((stage, at));
            Ok(())
        }
        fn iterations(&self) -> usize {
            self.1
        }
    }

    #[test]
    fn a_step_is_the_list_with_its_iterations() {
        let mut diary = Diary(Vec::new(), 2);
        step(3, &mut diary).unwrap();
        let solves: Vec<At> = diary.0.iter().filter(|(s, _)| *s == Stage::Solve).map(|(_, at)| *at).collect();
        assert_eq!(solves.len(), 2 + 3 + 2);
        assert_eq!(solves.iter().filter(|at| at.last()).count(), 3);
        assert!(solves.iter().all(|at| !(at.last() && at.backward())));
        assert_eq!(diary.0.iter().filter(|(s, _)| *s == Stage::Report).count(), 1);
        assert_eq!(diary.0.last().map(|(s, at)| (*s, at.substep)), Some((Stage::Report, 2)));
    }

    #[test]
    fn stages_by_number_are_those_of_the_list() {
        let all: Vec<BodyStage> = (0..count(BODIES, 3, true)).map(|k| nth(BODIES, 3, k).unwrap()).collect();
        use BodyStage::*;
        assert_eq!(all, [Velocities, SetUp, Solve, Solve, Solve, Poses, Relax, Bounce]);
        assert_eq!(count(BODIES, 3, false), 7);
        assert_eq!(nth(BODIES, 3, 8), None);
        assert_eq!(nth(SUBSTEP, 2, count(SUBSTEP, 2, true) - 1), Some(Stage::Report));
    }
}
