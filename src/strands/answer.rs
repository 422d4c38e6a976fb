//! What a host is told of a strand after a search: one of four answers, and why.

use crate::sagfree::batch::{Status, StrandReport};
use crate::sagfree::rest_shape::Refusal;

/// Whether a strand holds its pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Answer {
    /// The pose is a stable equilibrium, in the precision of the rods and for steps as long as was said.
    Holds = 1,
    /// It leaves its pose.
    Unstable = 2,
    /// It would hold if it were stiffer.
    TooSoft = 3,
    /// It was left as it is.
    Refused = 4,
}

/// Why a strand does not hold, or was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Reason {
    NotFinite = 1,
    NoMass = 2,
    ShortEdge = 3,
    Fold = 4,
    Cancelled = 5,
    Precision = 6,
    Step = 7,
    Held = 8,
    Bounds = 9,
    Iterations = 10,
    NoEquilibrium = 11,
}

impl From<Refusal> for Reason {
    fn from(r: Refusal) -> Reason {
        match r {
            Refusal::NotFinite | Refusal::Options => Reason::NotFinite,
            Refusal::NoMass => Reason::NoMass,
            Refusal::ShortEdge => Reason::ShortEdge,
            Refusal::Fold => Reason::Fold,
            Refusal::Precision => Reason::Precision,
            Refusal::Step => Reason::Step,
            Refusal::Held => Reason::Held,
        }
    }
}

/// The only place where a solver's result becomes an answer.
pub fn answer(r: &StrandReport) -> (Answer, Option<Reason>) {
    let cause = r.cause.map(Reason::from);
    match r.status {
        Status::AtTarget if r.unstable_modes == 0 => (Answer::Holds, cause),
        Status::AtTarget => (Answer::Unstable, cause),
        Status::AtBounds => (Answer::TooSoft, cause.or(Some(Reason::Bounds))),
        Status::TooSoft => (Answer::TooSoft, cause),
        Status::IterationLimit => (Answer::Unstable, cause.or(Some(Reason::Iterations))),
        Status::Converged => (Answer::Unstable, cause.or(Some(Reason::NoEquilibrium))),
        Status::Idle | Status::Cancelled => (Answer::Refused, Some(Reason::Cancelled)),
        Status::Refused(why) => (Answer::Refused, Some(why.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_has_an_answer_and_says_why_it_is_not_the_best() {
        let of = |status, unstable_modes| answer(&StrandReport { status, unstable_modes, ..StrandReport::default() });
        assert_eq!(of(Status::AtTarget, 0), (Answer::Holds, None));
        assert_eq!(of(Status::AtTarget, 2), (Answer::Unstable, None));
        assert_eq!(of(Status::AtBounds, 0), (Answer::TooSoft, Some(Reason::Bounds)));
        assert_eq!(of(Status::Converged, 0), (Answer::Unstable, Some(Reason::NoEquilibrium)));
        assert_eq!(of(Status::IterationLimit, 0), (Answer::Unstable, Some(Reason::Iterations)));
        assert_eq!(of(Status::Cancelled, 0), (Answer::Refused, Some(Reason::Cancelled)));
        assert_eq!(of(Status::Refused(Refusal::Fold), 0), (Answer::Refused, Some(Reason::Fold)));
        let soft = StrandReport { status: Status::TooSoft, cause: Some(Refusal::Step), ..StrandReport::default() };
        assert_eq!(answer(&soft), (Answer::TooSoft, Some(Reason::Step)));
    }
}
