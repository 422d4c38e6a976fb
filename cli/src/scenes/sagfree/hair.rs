//! Figures 7, 8 and 10: a wavy and a coiled strand.

use super::global_local::{Forces, initialize};
use super::norms::{apply, sixes};
use super::problem::{Norm, Problem, Six};
use super::*;
use crate::Result;
use crate::scenes::stage::Figure;

/// A strand through its optimization and ten seconds of simulation.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub iterations: usize,
    /// ‖f‖_{M⁻¹} at the start.
    pub norm: f64,
    /// Parameters at or beyond their bounds.
    pub at_bounds: usize,
    pub modes: f64,
    pub lowest: f64,
    /// Largest way of a vertex, m.
    pub away: f64,
    pub end: Vec<DVec3>,
    /// Largest change of a rest curvature.
    pub kappa: f64,
    /// Way over time.
    pub course: Vec<[f64; 2]>,
}

/// `None`: the naive rest shape.
pub fn hold(pose: &[DVec3], material: Material, options: Option<Options>) -> Outcome {
    let mut s = strand(pose, material);
    let (mut iterations, mut at_bounds) = (0, 0);
    if let Some(options) = options {
        let solved = optimize(&mut s, &options).0;
        (iterations, at_bounds) = (solved.iterations as usize, solved.at_bounds as usize);
    }
    Outcome { iterations, at_bounds, ..left_alone(pose, material, s) }
}

/// A strand whose rest shape has been found.
pub fn left_alone(pose: &[DVec3], material: Material, mut s: Strands<f64>) -> Outcome {
    let start = strand(pose, material);
    let problem = Problem::new(&start, paper(), Norm::Kinetic);
    let now = sixes(&s);
    let norm = problem.objective(&now).0;
    let change = |(a, b): (&Six, &Six)| (1..5).map(|j| (a[j] - b[j]).abs()).fold(0.0, f64::max);
    let kappa = now.iter().zip(&problem.initial).map(change).fold(0.0, f64::max);
    let [modes, lowest] = s.stability();
    let mut course = Vec::new();
    simulate(&mut s, 10.0, 2.0, |t, s| course.push([t, away(&points(s), pose)]));
    let end = points(&s);
    Outcome { iterations: 0, norm, at_bounds: 0, modes, lowest, away: away(&end, pose), end, kappa, course }
}

impl Outcome {
    fn words(&self) -> String {
        format!(
            "{} iterations, ‖f‖ {:.1e}, |Δκ̄| ≤ {:.2}, {} at bounds, {} unstable modes, lowest ω² {:.3}; moves by {:.1e} m in 10 s",
            self.iterations, self.norm, self.kappa, self.at_bounds, self.modes, self.lowest, self.away
        )
    }
    fn scene(&self, pose: &[DVec3], color: [f32; 3], radius: f64) -> Scene {
        let mut scene = Scene::default();
        draw(&mut scene, pose, DVec3::ZERO, 0.7 * radius, POSE);
        draw(&mut scene, &self.end, DVec3::ZERO, radius, color);
        scene
    }
}

fn sheet(title: &'static str, columns: u32) -> Figure {
    Figure {
        title,
        subtitle: "after 10 s; grey: the pose".into(),
        size: (250, 400),
        columns,
        direction: [-0.7, -0.1, -1.0],
        ..Figure::default()
    }
}

/// Figure 7. Without rest twist the bending has to hold every torque.
pub fn figure7() -> Result<Figure> {
    let (pose, mut figure) = (wavy(100), Figure { size: (205, 330), ..sheet("Rest twist", 5) });
    let without = Options { twist: false, ..Options::default() };
    let cases = [
        ("naive", None),
        ("with rest twist", Some(Options::default())),
        ("without", Some(without)),
        ("without, no bounds", Some(Options { mode: BoundMode::None, ..without })),
    ];
    for (name, options) in cases {
        let out = hold(&pose, Material::default(), options);
        figure.shot(name, out.scene(&pose, if options.is_none() { NAIVE } else { OURS }, 0.0025));
        figure.numbers.push(format!("{name}: {}", out.words()));
    }
    for (name, forces) in [
        ("forces on vertices", Forces::Vertices),
        ("five forces an element", Forces::Balanced),
        ("tensions and moments", Forces::Moments),
    ] {
        let out = two_stages(&pose, Material::default(), forces);
        if forces == Forces::Vertices {
            figure.shot("global–local", out.scene(&pose, GLOBAL_LOCAL, 0.0025));
        }
        figure.numbers.push(format!("global–local, {name}: {}", out.words()));
    }
    Ok(figure)
}

const GLOBAL_LOCAL: [f32; 3] = [0.45, 0.30, 0.60];

/// Figure 7c.
pub fn two_stages(pose: &[DVec3], material: Material, forces: Forces) -> Outcome {
    let mut s = strand(pose, material);
    let rest = initialize(&s, forces);
    apply(&mut s, &rest);
    left_alone(pose, material, s)
}

/// The stiffness pairs of §5.7 and their bounds on κ̄; the third bound is ours: the edges of our strand are so short that 1.0 does not bind.
pub const PAIRS: [(f64, f64); 3] = [(2.5e6, 0.6), (2.5e7, 1.0), (2.5e7, 0.05)];

pub fn soft(bend: f64) -> Material {
    Material { stretch: 1e7, bend, twist: bend, ..Material::default() }
}

pub fn boxed(kappa: f64, mode: BoundMode) -> Options {
    let mut options = Options { mode, ..Options::default() };
    options.bounds.kappa = kappa;
    options
}

/// Figure 8; the exact bounds are ours.
pub fn figure8() -> Result<Figure> {
    let (pose, mut figure) = (wavy(100), sheet("Box on and off", 4));
    figure.size = (200, 300);
    for (bend, kappa) in PAIRS {
        let mut series = Vec::new();
        let box_of = |mode| Some(boxed(kappa, mode));
        let cases = [
            ("naive", None),
            ("no box", box_of(BoundMode::None)),
            ("box, penalty", box_of(BoundMode::Penalty)),
            ("box, exact", box_of(BoundMode::Exact)),
        ];
        for (name, options) in cases {
            let out = hold(&pose, soft(bend), options);
            let color = if options.is_none() { NAIVE } else { OURS };
            figure.shot(format!("{bend:.1e}, {kappa}: {name}"), out.scene(&pose, color, 0.0025));
            figure.numbers.push(format!("c_bend = c_twist = {bend:.1e}, Δκ {kappa}, {name}: {}", out.words()));
            series.push(Series { name: name.into(), points: out.course, markers: false, dashed: false });
        }
        let title = format!("c_bend = c_twist = {bend:.1e}, Δκ = {kappa}");
        let mut p = plot(&title, "time in s", "largest distance from the pose in m", series);
        (p.width, p.height, p.log_y) = (620, 440, false);
        figure.plots.push(p);
    }
    Ok(figure)
}

pub fn stiff() -> Material {
    Material { stretch: 1e9, bend: 1e9, twist: 1e9, ..Material::default() }
}

/// How the root is shaken: 2 cm to and fro along x, twice in the first second.
pub fn shake(seconds: f64) -> DVec3 {
    if seconds < 1.0 { DVec3::X * 0.02 * (2.0 * TAU * seconds).sin() } else { DVec3::ZERO }
}

/// The coil with its root shaken, no drag; frame by frame the largest distance from the pose that moves with the root.
pub fn shaken(optimized: bool, seconds: f64, mut see: impl FnMut(f64, &[DVec3])) -> (Vec<[f64; 2]>, Option<Solved<f64>>, f64) {
    let pose = coil(100);
    let mut s = strand(&pose, stiff());
    let solved = optimized.then(|| optimize(&mut s, &Options::default()).0);
    let modes = s.modes_below(0.0);
    let mut course = Vec::new();
    for frame in 1..=(seconds / FRAME).round() as u32 {
        let t = f64::from(frame) * FRAME;
        let step = withy::math::Vec3::from((shake(t) - shake(t - FRAME)).to_array());
        (0..2).for_each(|i| s.drive(i, step));
        s.step(FRAME, 1, 0.0, 0.0);
        let p = points(&s);
        course.push([t, away(&p, &pose)]);
        let at = shake(t);
        see(t, &p.iter().map(|x| *x + at).collect::<Vec<_>>());
    }
    (course, solved, modes)
}

/// Figure 10.
pub fn figure10() -> Result<Figure> {
    const SHOTS: [u32; 4] = [9, 38, 120, 480];
    let mut figure = Figure {
        subtitle: "root shaken for a second; grey: the pose".into(),
        size: (220, 330),
        direction: [0.0, -0.1, -1.0],
        ..sheet("Coil", 4)
    };
    let mut series = Vec::new();
    for (optimized, name, color) in [(false, "naive", NAIVE), (true, "optimized", OURS)] {
        let pose = coil(100);
        let (course, solved, modes) = shaken(optimized, 8.0, |t, p| {
            if SHOTS.contains(&((t / FRAME).round() as u32)) {
                let mut scene = Scene::default();
                draw(&mut scene, &pose, DVec3::ZERO, 0.0018, POSE);
                draw(&mut scene, p, DVec3::ZERO, 0.0028, color);
                figure.shot(format!("{name}, {t:.2} s"), scene);
            }
        });
        let of = |from: f64, to: f64| course.iter().filter(move |c| c[0] >= from && c[0] <= to).map(|c| c[1]);
        let most = |from, to| of(from, to).fold(0.0, f64::max);
        figure.numbers.push(format!(
            "{name}: {}{modes} unstable modes; largest distance from the pose {:.3} m while shaken; in the eighth second between {:.1e} and {:.1e} m",
            solved.map_or(String::new(), |s| format!("{} iterations, ‖f‖ {:.1e}, {} at bounds, ", s.iterations, s.norm, s.at_bounds)),
            most(0.0, 1.0),
            of(7.0, 8.0).fold(f64::MAX, f64::min),
            most(7.0, 8.0)
        ));
        series.push(Series { name: name.into(), points: course, markers: false, dashed: false });
    }
    figure.plots.push(plot("Coil, root shaken for a second", "time in s", "largest distance from the pose in m", series));
    Ok(figure)
}
