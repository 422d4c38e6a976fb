//! Coulomb friction: the incline and the capstan.

use super::rod::{V3, turn};
use super::{Law, Slope};
use std::f64::consts::PI;
use withy::world::RodModel::{Der, Ghost};
use withy::world::*;

pub const LAWS: &[Law] = &[
    Law { names: &["incline_critical_friction"], edges: &[10], slope: Slope::None, run: |n| incline(n, Ghost) },
    Law { names: &["incline_sliding_acceleration"], edges: &[10], slope: Slope::None, run: |n| sliding(n, Ghost) },
    Law { names: &["capstan_ratio_mu0.3_pi"], edges: &[50, 100], slope: Slope::None, run: |n| capstan(n, Ghost) },
    Law { names: &["der_incline_critical_friction"], edges: &[10, 100], slope: Slope::None, run: |n| incline(n, Der) },
    Law { names: &["der_incline_sliding_acceleration"], edges: &[10, 100], slope: Slope::None, run: |n| sliding(n, Der) },
    Law { names: &["der_capstan_ratio_mu0.3_pi"], edges: &[50, 100], slope: Slope::None, run: |n| capstan(n, Der) },
];

/// Ghost-point rods are swept here; discrete elastic rods have one solver.
fn order(model: RodModel) -> SweepOrder {
    if model == Ghost { SweepOrder::Alternating } else { SweepOrder::Direct }
}

fn world(gravity: V3, substeps: u32, iterations: u32) -> World {
    World::new(WorldDesc { gravity, substeps, iterations, double_precision: true, ..WorldDesc::default() }).expect("a world")
}

/// A rod across a slope of `angle`: how far it slides in a second from rest, m.
fn slide(n: usize, model: RodModel, angle: f64, friction: f64) -> f64 {
    // The slope is level and gravity leans.
    let mut world = world([9.81 * angle.sin(), -9.81 * angle.cos(), 0.0], 40, 4);
    world.add_collider(ColliderDesc { friction, ..ColliderDesc::default() }).expect("a plane");
    let radius = 5e-3;
    let positions = (0..=n).map(|i| [0.0, radius, i as f64 / n as f64 - 0.5]).collect();
    let desc = RodsDesc {
        positions,
        counts: vec![n as u32 + 1],
        radii: vec![radius],
        friction,
        section_axes: vec![[0.0, 1.0, 0.0]],
        // Friction acts on the axis: light ghost points keep the centre of mass there, so that nothing rolls.
        ghost_distance: radius,
        ghost_mass_ratio: 0.01,
        stiffness: Stiffness::Physical { young: 1e9, shear: 4e8 },
        model,
        order: order(model),
        ..RodsDesc::default()
    };
    let id = world.add_rods(desc).expect("a rod");
    for _ in 0..60 {
        world.step(1.0 / 60.0, &Inline).expect("a step");
    }
    let (mut sum, mut m) = (0.0, 0);
    world.rods(id).expect("the rod").read_positions(|_, p| {
        sum += p[0];
        m += 1;
    });
    sum / m as f64
}

/// The friction at which a rod on a slope of 30° just stays, by bisection. Expected: tan θ.
fn incline(n: usize, model: RodModel) -> Vec<[f64; 2]> {
    let angle = PI / 6.0;
    let (mut low, mut high) = (0.3, 0.9);
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        // A thousandth of tan θ too little friction slides 2.5 mm in a second.
        if slide(n, model, angle, middle) > 1e-3 { low = middle } else { high = middle }
    }
    vec![[angle.tan(), 0.5 * (low + high)]]
}

/// ½ g (sin θ − μ cos θ) t² for half the critical friction.
fn sliding(n: usize, model: RodModel) -> Vec<[f64; 2]> {
    let angle = PI / 6.0;
    let friction = 0.5 * angle.tan();
    vec![[0.5 * 9.81 * (angle.sin() - friction * angle.cos()), slide(n, model, angle, friction)]]
}

/// A limp rope over a fixed cylinder, half around, pulled slowly on one side against a dead load on the other.
fn capstan(n: usize, model: RodModel) -> Vec<[f64; 2]> {
    // Limp: B/(T R²) = 2e-3. With 2 mm and 1e9 Pa it is 0.03: the rope lifts off where it leaves the cylinder, the tension on it
    // is less by B/2R², and the ratio 2.8 % low at 50 edges, 2.0 % at 100.
    let (friction, radius, rope, load) = (0.3, 0.2, 5e-4, 10.0);
    let mut world = world([0.0; 3], 200, 8);
    let lying = ColliderDesc {
        shape: Shape::Capsule { radius, half_height: 0.5 },
        pose: Pose { position: [0.0; 3], rotation: turn([1.0, 0.0, 0.0], 0.5 * PI) },
        friction,
        ..ColliderDesc::default()
    };
    world.add_collider(lying).expect("a cylinder");
    let r = radius + rope;
    let (arc, side) = (PI * r, 0.3);
    let length = arc + 2.0 * side;
    let at = |s: f64| -> V3 {
        if s < side {
            [-r, s - side, 0.0]
        } else if s < side + arc {
            let a = PI - (s - side) / r;
            [r * a.cos(), r * a.sin(), 0.0]
        } else {
            [r, side + arc - s, 0.0]
        }
    };
    let positions: Vec<V3> = (0..=n).map(|i| at(length * i as f64 / n as f64)).collect();
    let desc = RodsDesc {
        counts: vec![n as u32 + 1],
        radii: vec![rope],
        friction,
        rest_shape: RestShape::Straight,
        // Axial stiffness and mass of 2 mm, 1e9 Pa and 1000 kg/m³.
        stiffness: Stiffness::Physical { young: 1.6e10, shear: 6.4e9 },
        density: 16e3,
        tip: EndSupport::Pinned,
        drag: 20.0,
        model,
        order: order(model),
        positions: positions.clone(),
        ..RodsDesc::default()
    };
    let id = world.add_rods(desc).expect("a rope");
    world.rods_mut(id).expect("it").set_forces(|i| if i == 0 { [0.0, -load, 0.0] } else { [0.0; 3] }).expect("a force");
    let end = positions[n];
    // 2 cm/s, but a whole number of frames for an edge: over an edge that comes to the cylinder and one that leaves it the ratio goes up and down by some percent,
    // so it is the mean over whole edges.
    let edge = length / n as f64;
    let frames = (edge / (0.02 / 60.0)).round();
    let (mut low, mut high) = (0.0, 0.0);
    for frame in 0..180 + 4 * frames as usize {
        let down = edge / frames * (frame + 1) as f64;
        let pose = Pose { position: [end[0], end[1] - down, end[2]], ..Pose::IDENTITY };
        world.rods_mut(id).expect("it").set_tip_poses(|_| pose, false).expect("a driven tip");
        world.step(1.0 / 60.0, &Inline).expect("a step");
        if frame >= 180 {
            world.rods(id).expect("it").read_forces(|i, t| {
                low += if i == 1 { t } else { 0.0 };
                high += if i + 2 == n { t } else { 0.0 };
            });
        }
    }
    vec![[(friction * PI).exp(), high / low]]
}
