//! A step of sets of rods that touch each other, or push bodies: all of them go through their substeps together.

use super::device::GpuDevice;
use super::passes::{Dispatch, GpuRods, Pass as Stage};
use super::push::Push;
use super::touch::{Layers, Touch, TouchingRods};
use withy_solve::desc::error::Result;

/// A set of rods in such a step, prepared for it ([`GpuRods::prepare`]).
pub struct Joined<'a> {
    pub layers: Layers,
    pub rods: &'a mut GpuRods,
    /// In the pool of those that touch rods.
    pub touches: bool,
    pub pushes: bool,
}

/// Submits a step of all sets; those that touch are in the order in which they came into the pool. `push`: has the bodies of the step.
pub fn step(gpu: &GpuDevice, mut pool: Option<&mut Touch>, mut push: Option<&mut Push>, sets: &mut [Joined<'_>]) -> Result<()> {
    // A plan for each part of a set: which set, and which part of it.
    let parts: Vec<(usize, usize)> =
        sets.iter().enumerate().flat_map(|(s, set)| (0..set.rods.all_parts().len()).map(move |p| (s, p))).collect();
    let plans: Vec<_> = parts
        .iter()
        .map(|&(s, p)| {
            let part = &sets[s].rods.all_parts()[p];
            (part.planned().to_vec(), part.rows.newton)
        })
        .collect();
    let plans: Vec<_> = plans.iter().map(|(plan, direct)| (&plan[..], *direct)).collect();
    let touching = |sets: &[Joined<'_>], of: &mut dyn FnMut(&[TouchingRods<'_>])| {
        let all: Vec<_> = sets.iter().filter(|s| s.touches).map(|s| (s.layers, &*s.rods)).collect();
        of(&all);
    };
    if let Some(pool) = &mut pool {
        touching(sets, &mut |all| pool.begin(all));
    }
    let mut submitted = None;
    if let Some(push) = &mut push {
        let pushing: Vec<_> = sets.iter().filter(|s| s.pushes).map(|s| &*s.rods).collect();
        submitted = Some(push.begin(&pushing));
    }
    for turn in together(&plans) {
        match turn {
            Turn::Own { set, dispatch } => {
                let (s, part) = parts[set];
                submitted = Some(sets[s].rods.submit_own(part, dispatch));
            }
            Turn::Load { set } => {
                let s = parts[set].0;
                if let Some(pool) = pool.as_deref_mut().filter(|_| sets[s].touches) {
                    let number = sets[..s].iter().filter(|s| s.touches).count();
                    touching(sets, &mut |all| submitted = Some(pool.load(all, number)));
                }
            }
            Turn::Tell => submitted = push.as_deref_mut().map(Push::tell).or(submitted),
            Turn::Touch { first, last } => {
                if let Some(pool) = pool.as_deref_mut() {
                    touching(sets, &mut |all| submitted = Some(pool.touch(all, first, last)));
                }
                submitted = push.as_deref_mut().map(Push::sum).or(submitted);
            }
            Turn::End => submitted = push.as_deref_mut().map(Push::end).or(submitted),
        }
    }
    for set in sets {
        set.rods.note_running(submitted.clone());
    }
    gpu.check()
}

/// What one submission of a step does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    /// A dispatch of a set's own plan.
    Own {
        set: usize,
        dispatch: usize,
    },
    /// What pushed strands in the substep before, as loads of a Newton step.
    Load {
        set: usize,
    },
    /// All sets know which bodies they are near.
    Tell,
    Touch {
        first: bool,
        last: bool,
    },
    /// The substep ends.
    End,
}

/// The plans of several sets as one: each substep of all begins, and ends, at the same time. A plan says where its set wants to touch others; in a substep all
/// sets touch as often as the one that wants it most often. What is solved directly (`true`) is so before the first time, what is swept does its sweeps before
/// the last times.
fn together(plans: &[(&[Dispatch], bool)]) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut next = vec![0; plans.len()];
    for substep in 0.. {
        let of = |k: usize, from: usize| plans[k].0[from..].iter().take_while(move |d| d.first_substep == substep);
        let touches = |k: usize| of(k, next[k]).filter(|d| d.pass == Stage::Touch).count();
        let wanted: Vec<usize> = (0..plans.len()).map(touches).collect();
        let most = wanted.iter().copied().max().unwrap_or(0);
        if most == 0 {
            break;
        }
        // Up to the next dispatch that is not to come yet.
        let mut go = |k: usize, turns: &mut Vec<Turn>, until: fn(Stage) -> bool| {
            while let Some(d) = plans[k].0.get(next[k]).filter(|d| d.first_substep == substep && !until(d.pass)) {
                match d.pass {
                    Stage::Touch => {}
                    Stage::Load => turns.push(Turn::Load { set: k }),
                    _ => turns.push(Turn::Own { set: k, dispatch: next[k] }),
                }
                next[k] += 1;
            }
        };
        (0..plans.len()).for_each(|k| go(k, &mut turns, |pass| pass == Stage::Sweep));
        turns.push(Turn::Tell);
        for time in 0..most {
            for (k, &(_, direct)) in plans.iter().enumerate() {
                if direct || time + wanted[k] >= most {
                    go(k, &mut turns, |pass| matches!(pass, Stage::Touch | Stage::Finalize));
                }
            }
            turns.push(Turn::Touch { first: time == 0, last: time + 1 == most });
            for (k, &(_, direct)) in plans.iter().enumerate() {
                if time + 1 < most && (direct || time + wanted[k] >= most) {
                    go(k, &mut turns, |pass| pass != Stage::Touch);
                }
            }
        }
        (0..plans.len()).for_each(|k| go(k, &mut turns, |_| false));
        turns.push(Turn::End);
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::super::passes::{Passes, Touching, plan};
    use super::*;

    type Plans<'a> = &'a [(&'a [Dispatch], bool)];

    fn plan_of(direct: bool, substeps: usize, iterations: usize) -> Vec<Dispatch> {
        let touching = if direct { Touching::Last } else { Touching::Each };
        plan(Passes::Fused, (touching, false), substeps, iterations, 20, 400)
    }
    fn spelled(turns: &[Turn], plans: Plans<'_>) -> String {
        let word = |t: &Turn| match *t {
            Turn::Own { set, dispatch } => format!("{:?}{set}", plans[set].0[dispatch].pass),
            Turn::Load { set } => format!("Load{set}"),
            Turn::Tell => "Tell".into(),
            Turn::End => "End".into(),
            Turn::Touch { first, last } => format!("Touch{}{}", ["", "F"][usize::from(first)], ["", "L"][usize::from(last)]),
        };
        turns.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn sets_go_through_their_substeps_in_step() {
        let (direct, swept, less) = (plan_of(true, 2, 1), plan_of(false, 2, 3), plan_of(false, 2, 2));
        let cases: [(Plans<'_>, &str); 3] = [
            (&[(&direct, true)], "Predict0 Load0 Tell Sweep0 TouchFL Finalize0 End"),
            (&[(&less, false)], "Predict0 Tell Sweep0 TouchF Sweep0 TouchL Finalize0 End"),
            (
                &[(&direct, true), (&swept, false), (&less, false)],
                "Predict0 Load0 Predict1 Predict2 Tell Sweep0 Sweep1 TouchF Sweep1 Sweep2 Touch Sweep1 Sweep2 TouchL \
                 Finalize0 Finalize1 Finalize2 End",
            ),
        ];
        for (plans, substep) in cases {
            assert_eq!(spelled(&together(plans), plans), format!("{substep} {substep}"));
        }
    }
}
