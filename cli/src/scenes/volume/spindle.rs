//! Angles et al. 2019, figure 16: rods beside tetrahedra of the same material: a spindle that is drawn out, and a cylinder that is pressed together in
//! its middle.

use super::fem::{End, Fem};
use super::tapers;
use crate::Result;
use crate::accuracy::solid::{FLESH, Solid};
use crate::render::{DebugLine, Material, Mesh, Plot, Scene, Series};
use crate::scenes::stage::*;
use glam::DVec3;
use withy::tasks::Inline;
use withy::world::{EndSupport, Pose, RodsDesc, Stiffness, SweepOrder, World, WorldDesc};

const EDGES: usize = 80;
/// m.
const SPINDLE: f64 = 0.16;
const CYLINDER: f64 = 0.16;
/// Half of the length that is pressed, m, and the pressure, Pa.
const PRESSED: f64 = 0.02;
const PRESSURE: f64 = 2e4;
pub const SOLID: Solid = Solid { radius: 0.016, ..FLESH };

/// Radius of the spindle at that height, −1/2 to 1/2 of its length.
fn spindle(z: f64) -> f64 {
    let c = (std::f64::consts::PI * z / SPINDLE).cos();
    0.008 + 0.008 * c * c
}

/// What both tell: height at rest, height, scale, from the middle to the end; and N along the axis.
#[derive(Clone, Debug)]
pub struct Shape {
    pub outline: Vec<[f64; 3]>,
    pub force: f64,
}

impl Shape {
    /// Height and scale at a height at rest.
    pub fn at(&self, z: f64) -> [f64; 2] {
        let k = self.outline.iter().position(|o| o[0] >= z - 1e-12).unwrap_or(self.outline.len() - 1).max(1);
        let [a, b] = [self.outline[k - 1], self.outline[k]];
        let t = (z - a[0]) / (b[0] - a[0]);
        [1, 2].map(|c| a[c] + (b[c] - a[c]) * t)
    }
    /// The largest difference of scales to another one, up to a height at rest.
    pub fn apart(&self, other: &Shape, up_to: f64) -> f64 {
        let heights = (0..=100).map(|i| up_to * f64::from(i) / 100.0);
        heights.map(|z| (self.at(z)[1] - other.at(z)[1]).abs()).fold(0.0, f64::max)
    }
}

/// The rod at rest: drawn out, or pressed with its ends free.
fn rod(length: f64, profile: impl Fn(f64) -> f64, stretch: Option<f64>, pressure: f64) -> Result<Shape> {
    let desc = WorldDesc { gravity: [0.0; 3], double_precision: true, ..WorldDesc::default() };
    let mut world = World::new(desc)?;
    let heights: Vec<f64> = (0..=EDGES).map(|i| length * (i as f64 / EDGES as f64 - 0.5)).collect();
    let support = if stretch.is_some() { EndSupport::Pinned } else { EndSupport::Free };
    let id = world.add_rods(RodsDesc {
        positions: heights.iter().map(|&z| [0.0, 0.0, z]).collect(),
        counts: vec![EDGES as u32 + 1],
        radii: heights.iter().map(|&z| profile(z)).collect(),
        stiffness: Stiffness::Physical { young: SOLID.young, shear: SOLID.shear() },
        poisson_ratio: SOLID.nu,
        density: SOLID.density,
        order: SweepOrder::Direct,
        root: support,
        tip: support,
        drag: 30.0,
        ..RodsDesc::default()
    })?;
    let edge = length / EDGES as f64;
    let middle = |e: usize| 0.5 * (heights[e] + heights[e + 1]);
    world.rods_mut(id)?.set_radial_forces(|e| {
        let within = ((PRESSED - (middle(e).abs() - 0.5 * edge)) / edge).clamp(0.0, 1.0);
        -pressure * within * edge * std::f64::consts::TAU * profile(middle(e))
    })?;
    for frame in 1..=180 {
        if let Some(stretch) = stretch {
            let by = 1.0 + (stretch - 1.0) * (f64::from(frame) / 60.0).min(1.0);
            let pose = |z: f64| Pose { position: [0.0, 0.0, by * z], ..Pose::IDENTITY };
            world.rods_mut(id)?.set_root_poses(|_| pose(heights[0]), false)?;
            world.rods_mut(id)?.set_tip_poses(|_| pose(heights[EDGES]), false)?;
        }
        world.step(FRAME, &Inline)?;
    }
    let (mut points, mut radii, mut forces) = (Vec::new(), Vec::new(), Vec::new());
    let rods = world.rods(id)?;
    rods.read_positions(|_, p| points.push(p[2]));
    rods.read_radii(|_, r| radii.push(r));
    rods.read_forces(|_, f| forces.push(f));
    let centre = points[EDGES / 2];
    let outline = (EDGES / 2..=EDGES).map(|i| [heights[i], points[i] - centre, radii[i] / profile(heights[i])]).collect();
    Ok(Shape { outline, force: forces[EDGES - 1] })
}

/// A spindle drawn out to `stretch`: the rod, and the tetrahedra.
pub fn drawn(stretch: f64, cells: usize, layers: usize, end: End) -> Result<(Shape, Shape, Fem)> {
    let mut fem = Fem::new(SOLID, SPINDLE, spindle, cells, layers, end);
    // In two steps, so that none is turned inside out.
    for part in [0.5, 1.0] {
        fem.stretch(1.0 + (stretch - 1.0) * part);
        fem.settle()?;
    }
    let solid = Shape { outline: fem.outline(), force: fem.force() };
    Ok((rod(SPINDLE, spindle, Some(stretch), 0.0)?, solid, fem))
}

/// A cylinder whose middle is pressed, and whose ends are free.
pub fn pressed(cells: usize, layers: usize) -> Result<(Shape, Shape, Fem)> {
    let mut fem = Fem::new(SOLID, CYLINDER, |_| SOLID.radius, cells, layers, End::Slides);
    fem.let_go();
    for part in [0.5, 1.0] {
        fem.press(part * PRESSURE, PRESSED);
        fem.settle()?;
    }
    let solid = Shape { outline: fem.outline(), force: fem.force() };
    Ok((rod(CYLINDER, |_| SOLID.radius, None, PRESSURE)?, solid, fem))
}

/// Along x, with its edges.
fn draw(scene: &mut Scene, fem: &Fem, down: f64) {
    let place = |p: &DVec3| [p.z as f32, (p.y - down) as f32, p.x as f32];
    let rings = fem.rings();
    let around = rings[0].len();
    let mut mesh = Mesh { material: Material::matte([0.62, 0.66, 0.72]), ..Mesh::default() };
    rings.iter().for_each(|ring| mesh.points.extend(ring.iter().map(place)));
    let mut line = |a: &DVec3, b: &DVec3| {
        scene.lines.push(DebugLine { a: place(a), b: place(b), color: [0.25, 0.30, 0.38], width: 1.0 });
    };
    for (k, pair) in rings.windows(2).enumerate() {
        for n in 0..around {
            let next = (n + 1) % around;
            let [a, b, c, d] =
                [k * around + n, k * around + next, (k + 1) * around + n, (k + 1) * around + next].map(|i| i as u32);
            mesh.triangles.extend([[a, b, d], [a, d, c]]);
            line(&pair[0][n], &pair[1][n]);
            line(&pair[0][n], &pair[0][next]);
            line(&pair[0][n], &pair[1][next]);
        }
    }
    // Both ends are closed.
    for k in [0, rings.len() - 1] {
        let center = rings[k].iter().sum::<DVec3>() / around as f64;
        let middle = mesh.points.len() as u32;
        mesh.points.push(place(&center));
        mesh.triangles.extend((0..around).map(|n| [middle, (k * around + n) as u32, (k * around + (n + 1) % around) as u32]));
    }
    scene.meshes.push(mesh);
}

fn picture(shape: &Shape, profile: impl Fn(f64) -> f64, fem: &Fem) -> Scene {
    let mut scene = Scene::default();
    let half: Vec<(DVec3, f64)> = shape.outline.iter().map(|o| (DVec3::new(o[1], 0.0, 0.0), o[2] * profile(o[0]))).collect();
    let mirrored = half.iter().skip(1).rev().map(|(p, r)| (-*p, *r));
    let (points, radii): (Vec<DVec3>, Vec<f64>) = mirrored.chain(half.iter().copied()).unzip();
    tapers(&mut scene, &points, &radii, [0.70, 0.24, 0.20]);
    draw(&mut scene, fem, 0.05);
    scene
}

pub fn figure() -> Result<Figure> {
    let mut figure = Figure {
        title: "Rods and tetrahedra",
        subtitle: "above: ours; below: linear tetrahedra".into(),
        size: (560, 300),
        columns: 2,
        direction: [0.0, -0.2, -1.0],
        alone: true,
        ..Figure::default()
    };
    let plot = |title: &str| Plot {
        title: title.into(),
        x_label: "height at rest, m".into(),
        y_label: "radius over that at rest".into(),
        width: 620,
        height: 420,
        ..Plot::default()
    };
    let series = |name: &str, shape: &Shape, dashed| Series {
        name: name.into(),
        points: shape.outline.iter().map(|o| [o[0], o[2]]).collect(),
        markers: false,
        dashed,
    };
    let (cells, layers) = (5, 40);
    let mut outlines = plot("A spindle, drawn out to 1.5");
    for (end, name) in [(End::Slides, "tetrahedra, ends slide"), (End::Glued, "tetrahedra, ends glued")] {
        let (ours, solid, fem) = drawn(1.5, cells, layers, end)?;
        let coarse = drawn(1.5, 3, 24, end)?.1;
        figure.numbers.push(format!(
            "spindle, {name}: {} of them pull with {:.4} N ({:.4} N with 3 × 24 cells), the rod with {:.4} N; radius in the middle {:.4} and \
             {:.4} of that at rest; radii apart by at most {:.4}, {:.4} up to a radius from the end",
            fem.tets(),
            solid.force,
            coarse.force,
            ours.force,
            solid.at(0.0)[1],
            ours.at(0.0)[1],
            ours.apart(&solid, 0.5 * SPINDLE),
            ours.apart(&solid, 0.5 * SPINDLE - spindle(0.5 * SPINDLE)),
        ));
        if end == End::Slides {
            outlines.series.push(series("the rod", &ours, false));
            figure.shot("a spindle, drawn out to 1.5", picture(&ours, spindle, &fem));
        }
        outlines.series.push(series(name, &solid, end == End::Glued));
    }
    let (ours, solid, fem) = pressed(cells, layers)?;
    let mut pinched = plot("A cylinder, pressed in its middle");
    pinched.series = vec![series("the rod", &ours, false), series("tetrahedra", &solid, false)];
    let length = |s: &Shape| s.at(0.5 * CYLINDER)[0] / (0.5 * CYLINDER);
    figure.numbers.push(format!(
        "cylinder: radius in the middle {:.4} (tetrahedra) and {:.4} (rod) of that at rest, length {:.4} and {:.4}; radii apart by at most {:.4}",
        solid.at(0.0)[1],
        ours.at(0.0)[1],
        length(&solid),
        length(&ours),
        ours.apart(&solid, 0.5 * CYLINDER)
    ));
    figure.shot("a cylinder, pressed in its middle", picture(&ours, |_| SOLID.radius, &fem));
    figure.plots = vec![outlines, pinched];
    Ok(figure)
}
