//! Scenes that go on as long as somebody looks: `withy view` steps and draws them.

use super::{bodies, groom, octopus, touch};
use crate::Result;
use crate::render::Scene;
use withy::world::{Id, World};

/// A scene under way. Its frames last [`FRAME`](super::stage::FRAME).
pub trait Show {
    fn world(&self) -> &World;
    fn world_mut(&mut self) -> &mut World;
    /// What moves by itself, before the step that ends at `seconds`.
    fn drive(&mut self, _seconds: f64) -> Result<()> {
        Ok(())
    }
    fn draw(&self) -> Result<Scene>;
    /// Rods, and how they were made to move.
    fn rods(&self) -> Option<(Id, Air)> {
        None
    }
    /// Where the camera looks.
    fn direction(&self) -> [f32; 3];
}

/// What damps rods: rates, 1/s, and the friction coefficient.
#[derive(Clone, Copy, Debug)]
pub struct Air {
    pub damping: f64,
    pub drag: f64,
    pub friction: f64,
}

pub enum Live {
    /// The arguments of `withy simulate`.
    Groom(fn() -> Result<Vec<String>>),
    World(fn() -> Result<Box<dyn Show>>),
}

/// The others compare several runs, or end with their figure.
pub const LIVE: &[(&str, Live)] = &[
    ("demo", Live::Groom(|| Ok(groom::DEMO.map(String::from).to_vec()))),
    ("sag-start", Live::Groom(|| Ok(groom::SAG_START.map(String::from).to_vec()))),
    ("sag-groom", Live::Groom(|| Ok([&groom::SAG_GROOM[..], &groom::AS_PAPER].concat().into_iter().map(String::from).collect()))),
    ("ponytail", Live::Groom(groom::ponytail_arguments)),
    ("sag-sintel", Live::Groom(groom::sintel_arguments)),
    ("wavy", Live::Groom(groom::wavy_arguments)),
    ("rope-catch", Live::World(|| Ok(Box::new(bodies::catch::Catch::new()?)))),
    ("thrown-net", Live::World(|| Ok(Box::new(bodies::thrown::Thrown::new(bodies::thrown::SIDE)?)))),
    ("lasso", Live::World(|| Ok(Box::new(touch::lasso::Lasso::new()?)))),
    ("ragdoll-heap", Live::World(|| Ok(Box::new(bodies::heap::begin(30)?)))),
    ("ragdoll-heap300", Live::World(|| Ok(Box::new(bodies::heap::begin(300)?)))),
    ("crane", Live::World(|| Ok(Box::new(bodies::crane::Crane::new()?)))),
    ("octopus", Live::World(|| Ok(Box::new(octopus::Octopuses::new()?)))),
    ("talking-head", Live::World(|| Ok(Box::new(touch::talking::Talking::new(touch::talking::STRANDS)?)))),
];

pub fn names() -> String {
    LIVE.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::SCENES;
    use super::LIVE;

    #[test]
    fn every_live_scene_is_a_scene() {
        for (name, _) in LIVE {
            assert!(SCENES.iter().any(|s| s.name == *name), "{name}");
        }
    }
}
