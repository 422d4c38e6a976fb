//! Angles et al. 2019, figure 15: two plates press on a rod. It becomes thinner there and longer. Beside it a rod whose radii are updated afterwards
//! from its length, r = r̄/√ℓ (Bergou et al. 2010): what presses on its sections reaches nothing.

use super::tapers;
use crate::Result;
use crate::accuracy::solid::{FLESH, Solid};
use crate::render::{Material, Plot, Primitive, Scene, Series};
use crate::scenes::stage::*;
use glam::DVec3;
use withy::tasks::Inline;
use withy::world::{EndSupport, Id, RodsDesc, Stiffness, SweepOrder, World, WorldDesc};

pub const SOLID: Solid = Solid { radius: 0.02, ..FLESH };
pub const LENGTH: f64 = 0.24;
const EDGES: usize = 24;
/// The edges that are pressed.
const PRESSED: std::ops::Range<usize> = 8..16;
/// N, on each of them.
const FORCE: f64 = 30.0;

/// What became of the rod: length, m; radii of all vertices, m.
#[derive(Clone, Debug)]
pub struct Shape {
    pub points: Vec<DVec3>,
    pub radii: Vec<f64>,
}

impl Shape {
    pub fn length(&self) -> f64 {
        self.points[EDGES].x - self.points[0].x
    }
    pub fn middle(&self) -> f64 {
        self.radii[EDGES / 2]
    }
}

struct Rod {
    world: World,
    id: Id,
}

impl Rod {
    fn new(keeps_volume: bool) -> Result<Rod> {
        let mut world = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() })?;
        let id = world.add_rods(RodsDesc {
            positions: line(DVec3::ZERO, DVec3::X * LENGTH, EDGES + 1),
            counts: vec![EDGES as u32 + 1],
            radii: vec![SOLID.radius],
            stiffness: Stiffness::Physical { young: SOLID.young, shear: SOLID.shear() },
            poisson_ratio: if keeps_volume { SOLID.nu } else { 0.0 },
            density: SOLID.density,
            order: SweepOrder::Direct,
            root: EndSupport::Clamped,
            drag: 4.0,
            ..RodsDesc::default()
        })?;
        Ok(Rod { world, id })
    }

    fn shape(&self) -> Result<Shape> {
        let (mut points, mut radii) = (Vec::new(), Vec::new());
        let rods = self.world.rods(self.id)?;
        rods.read_positions(|_, p| points.push(DVec3::from(p)));
        if rods.keeps_volume() {
            rods.read_radii(|_, r| radii.push(r));
        } else {
            let rest = LENGTH / EDGES as f64;
            let edges: Vec<f64> = points.windows(2).map(|p| SOLID.radius * (rest / p[0].distance(p[1])).sqrt()).collect();
            radii = (0..=EDGES).map(|v| 0.5 * (edges[v.max(1) - 1] + edges[v.min(EDGES - 1)])).collect();
        }
        Ok(Shape { points, radii })
    }

    /// What acts on sections from outside, where sections are unknowns. Sections that are computed afterwards have no equation for it.
    fn press(&mut self, part: f64) -> Result<()> {
        let rods = self.world.rods_mut(self.id)?;
        if rods.keeps_volume() {
            rods.set_radial_forces(|e| if PRESSED.contains(&e) { -part * FORCE } else { 0.0 })?;
        }
        Ok(())
    }

    /// A pull on the tip, N.
    fn pull(&mut self, force: f64) -> Result<()> {
        Ok(self.world.rods_mut(self.id)?.set_forces(|v| [if v == EDGES { force } else { 0.0 }, 0.0, 0.0])?)
    }
}

/// How hard the plates press after so many seconds: half a second to close, one held, and then they are gone at once.
fn pressing(t: f64) -> f64 {
    if t > 2.0 { 0.0 } else { ((t - 0.5) / 0.5).clamp(0.0, 1.0) }
}

/// `see` has the time, how hard the plates press, and both rods: ours, and the one whose radii come afterwards.
pub fn simulate(seconds: f64, mut see: impl FnMut(f64, f64, [&Shape; 2]) -> Result<()>) -> Result<()> {
    let mut both = [Rod::new(true)?, Rod::new(false)?];
    for frame in 0..=(seconds / FRAME).round() as usize {
        let t = frame as f64 * FRAME;
        let shapes = [both[0].shape()?, both[1].shape()?];
        see(t, pressing(t), [&shapes[0], &shapes[1]])?;
        for rod in &mut both {
            rod.press(pressing(t))?;
            rod.world.step(FRAME, &Inline)?;
        }
    }
    Ok(())
}

/// Both rods at rest under a pull of `force` on the tip, N: both get thinner.
pub fn pulled(force: f64) -> Result<[Shape; 2]> {
    let mut both = [Rod::new(true)?, Rod::new(false)?];
    for rod in &mut both {
        rod.pull(force)?;
        for _ in 0..300 {
            rod.world.step(FRAME, &Inline)?;
        }
    }
    Ok([both[0].shape()?, both[1].shape()?])
}

/// Ours above, the other below, with the plates where `pressing` is not zero.
fn scene(shapes: [&Shape; 2], pressing: f64) -> Scene {
    let mut scene = Scene::default();
    for (k, shape) in shapes.into_iter().enumerate() {
        let down = DVec3::new(0.0, -0.09 * k as f64, 0.0);
        let points: Vec<DVec3> = shape.points.iter().map(|p| *p + down).collect();
        tapers(&mut scene, &points, &shape.radii, [[0.70, 0.24, 0.20], [0.30, 0.42, 0.60]][k]);
        let at = DVec3::new(-0.012, 0.0, 0.0) + down;
        scene.primitives.push(clamp_block(at, glam::DQuat::IDENTITY, 0.024));
        if pressing > 0.0 {
            let (from, to) = (points[PRESSED.start].x, points[PRESSED.end].x);
            for side in [-1.0, 1.0] {
                let center = DVec3::new(0.5 * (from + to), down.y + side * (shape.middle() + 0.004), 0.0);
                scene.primitives.push(Primitive::Cuboid {
                    center: center.as_vec3().into(),
                    half_extents: [0.5 * (to - from) as f32, 0.004, 0.022],
                    rotation: [0.0, 0.0, 0.0, 1.0],
                    material: Material::matte([0.42, 0.45, 0.50]),
                });
            }
        }
    }
    scene
}

pub fn figure() -> Result<Figure> {
    let mut figure = Figure {
        title: "A pinched rod",
        subtitle: "above: ours; below: radii updated afterwards from the length".into(),
        size: (460, 300),
        columns: 2,
        direction: [0.0, -0.2, -1.0],
        ..Figure::default()
    };
    let mut lengths = [Vec::new(), Vec::new()];
    let mut radii = [Vec::new(), Vec::new()];
    simulate(3.0, |t, pressing, shapes| {
        for (k, shape) in shapes.into_iter().enumerate() {
            lengths[k].push([t, shape.length() / LENGTH]);
            radii[k].push([t, shape.middle() / SOLID.radius]);
        }
        let frame = (t / FRAME).round() as usize;
        let caption = match frame {
            0 => "at rest",
            118 => "pinched",
            122 => "33 ms after it is let go",
            _ => return Ok(()),
        };
        if frame != 0 {
            for (name, s) in ["ours", "updated afterwards"].into_iter().zip(shapes) {
                let (length, radius) = (s.length() / LENGTH, s.middle() / SOLID.radius);
                figure.numbers.push(format!("{caption}: {name}: {length:.4} of its length, radius {radius:.4} in the middle"));
            }
        }
        figure.shot(caption, scene(shapes, pressing));
        Ok(())
    })?;
    let [ours, other] = pulled(8.0)?;
    for (name, s) in ["ours", "updated afterwards"].into_iter().zip([&ours, &other]) {
        let (length, radius) = (s.length() / LENGTH, s.middle() / SOLID.radius);
        figure.numbers.push(format!("pulled with 8 N: {name}: {length:.4} of its length, radius {radius:.4} in the middle"));
    }
    figure.shot("pulled with 8 N", scene([&ours, &other], 0.0));
    for (title, [a, b]) in [("Length over that at rest", lengths), ("Radius in the middle over that at rest", radii)] {
        let series = |name: &str, points| Series { name: name.into(), points, markers: false, dashed: false };
        figure.plots.push(Plot {
            title: title.into(),
            x_label: "s; pinched from 0.5 to 2".into(),
            width: 620,
            height: 400,
            series: vec![series("ours", a), series("updated afterwards", b)],
            ..Plot::default()
        });
    }
    Ok(figure)
}
