//! Figures 2, 4, 5 and 6: straight strands of 1 m, where statics have closed forms.

use super::*;
use crate::Result;
use crate::scenes::stage::Figure;
use std::f64::consts::PI;

const DOWN: DVec3 = DVec3::new(0.0, -1.0, 0.0);

/// l̄ᵢ of a strand that hangs: lᵢ/(1 + Tᵢ/(cA)), Tᵢ the weight below the edge.
pub fn hanging_lengths(s: &Strands<f64>) -> Vec<f64> {
    let n = s.vertices();
    let below = |i: usize| s.section[i + 1..].iter().map(|c| c.mass).sum::<f64>();
    let length = |i: usize| s.state[i].edge.length();
    (0..n - 1).map(|i| if i == 0 { length(0) } else { length(i) / (1.0 + G * below(i) / s.section[i].ea) }).collect()
}

/// What became of one vertical strand.
#[derive(Clone, Copy, Debug)]
pub struct Vertical {
    /// l̄₁/l₁ and Σ l̄, and the largest error of an l̄ᵢ against the closed form, over lᵢ.
    pub first: f64,
    pub total: f64,
    pub error: f64,
    /// Way of the tip in ten seconds, m: naive, optimized.
    pub naive: f64,
    pub ours: f64,
    /// Length without gravity, m.
    pub weightless: f64,
    pub solved: Solved<f64>,
}

pub fn vertical(stretch: f64, mut see: impl FnMut(&[Vec<DVec3>; 3])) -> Vertical {
    let (pose, material) = (line(20, DOWN), Material { stretch, ..Material::default() });
    let (mut naive, mut ours) = (strand(&pose, material), strand(&pose, material));
    let (solved, _) = optimize(&mut ours, &Options::default());
    let exact = hanging_lengths(&ours);
    let l = 1.0 / 19.0;
    let error = exact.iter().zip(&ours.rest).map(|(a, r)| (a - r.length).abs() / l).fold(0.0, f64::max);
    let (first, total) = (ours.rest[1].length / l, ours.rest[..19].iter().map(|r| r.length).sum());
    let ends = [at_rest(&mut naive), at_rest(&mut ours), {
        without_gravity(&mut ours);
        at_rest(&mut ours)
    }];
    see(&ends);
    let way = |p: &[DVec3]| p[19].distance(pose[19]);
    let [naive, held, weightless] = ends;
    Vertical { first, total, error, naive: way(&naive), ours: way(&held), weightless: -weightless[19].y, solved }
}

/// Three strands side by side.
fn trio(points: &[Vec<DVec3>; 3], apart: DVec3, radius: f64) -> Scene {
    let mut scene = Scene::default();
    for (k, (p, color)) in points.iter().zip([NAIVE, OURS, WEIGHTLESS]).enumerate() {
        draw(&mut scene, p, apart * (k as f64 - 1.0), radius, color);
    }
    scene
}

const TRIO: &str = "10 s: red naive, blue optimized, green weightless";

/// Figure 2.
pub fn figure2() -> Result<Figure> {
    let mut figure = Figure {
        title: "Hanging strands",
        subtitle: TRIO.into(),
        size: (270, 480),
        direction: [0.0, 0.0, -1.0],
        ..Figure::default()
    };
    for c in [5e3, 5e4, 5e5] {
        let v = vertical(c, |ends| figure.shot(format!("c_stretch {c:.0e}"), trio(ends, DVec3::X * 0.3, 0.012)));
        figure.numbers.push(format!(
            "c_stretch {c:.0e}: l̄₁/l₁ {:.4}, Σl̄ {:.6} m, within {:.1e} of the closed form; tip sinks {:.4} m naive, {:.1e} m optimized; \
             length without gravity {:.6} m; {} iterations, ‖f‖ {:.1e}",
            v.first, v.total, v.error, v.naive, v.ours, v.weightless, v.solved.iterations, v.solved.norm
        ));
    }
    Ok(figure)
}

/// A horizontal strand of 20 vertices in whose optimization κ̄ may change by 10 (§5.3).
pub fn horizontal(bend: f64) -> (Strands<f64>, Vec<DVec3>, Options) {
    let pose = line(20, DVec3::X);
    let mut options = Options::default();
    options.bounds.kappa = 10.0;
    (strand(&pose, Material { bend, ..Material::default() }), pose, options)
}

/// M₁ l/(c πr⁴/4): the moment at the first vertex that bends, of all beyond it and of a load on the tip.
pub fn first_kappa_exact(s: &Strands<f64>, load: f64) -> f64 {
    let (n, l) = (s.vertices(), 1.0 / (s.vertices() - 1) as f64);
    let moment: f64 = (2..n).map(|i| s.section[i].mass * G * l * (i - 1) as f64).sum::<f64>() + load * l * (n - 2) as f64;
    moment * l / s.section[1].ei[0]
}

#[derive(Clone, Debug)]
pub struct Horizontal {
    pub solved: Solved<f64>,
    pub kappa: f64,
    pub exact: f64,
    pub naive: f64,
    pub ours: f64,
    /// Of the certificate: modes, ω² of the lowest.
    pub modes: f64,
    pub lowest: f64,
    /// How far from the pose, m, frame by frame, after the tip was pushed aside by a millionth of a metre.
    pub fall: Vec<[f64; 2]>,
    pub fallen: Vec<DVec3>,
}

pub fn push(bend: f64, seconds: f64, mut see: impl FnMut(&[Vec<DVec3>; 3])) -> Horizontal {
    let (mut ours, pose, options) = horizontal(bend);
    let (solved, _) = optimize(&mut ours, &options);
    let (kappa, exact) = (first_kappa(&ours), first_kappa_exact(&ours, 0.0));
    let [modes, lowest] = ours.stability();
    let (mut naive, mut pushed, mut weightless) = (horizontal(bend).0, horizontal(bend).0, horizontal(bend).0);
    for s in [&mut pushed, &mut weightless] {
        s.rest.copy_from_slice(&ours.rest);
    }
    without_gravity(&mut weightless);
    let ends = [at_rest(&mut naive), at_rest(&mut ours), at_rest(&mut weightless)];
    see(&ends);
    let last = pushed.vertices() - 2;
    pushed.state[last].edge.z += 1e-6;
    let mut fall = Vec::new();
    // No drag: nothing but the step itself holds it.
    simulate(&mut pushed, seconds, 0.0, |t, s| fall.push([t, away(&points(s), &pose)]));
    Horizontal {
        solved,
        kappa,
        exact,
        naive: away(&ends[0], &pose),
        ours: away(&ends[1], &pose),
        modes,
        lowest,
        fall,
        fallen: points(&pushed),
    }
}

/// Figure 4, and what a push does.
pub fn figure4() -> Result<Figure> {
    let mut figure = Figure {
        title: "Horizontal strands",
        subtitle: format!("{TRIO}, grey pushed by 1e-6 m"),
        size: (340, 300),
        direction: [-0.75, -0.45, -1.0],
        ..Figure::default()
    };
    let mut series = Vec::new();
    for c in [1e7, 1e8, 1e9, 1e10, 1e11] {
        let mut scene = Scene::default();
        let h = push(c, 10.0, |ends| scene = trio(ends, DVec3::Z * 0.35, 0.012));
        draw(&mut scene, &h.fallen, DVec3::Z * 0.7, 0.012, [0.5, 0.5, 0.52]);
        figure.shot(format!("c_bend {c:.0e}"), scene);
        figure.numbers.push(format!(
            "c_bend {c:.0e}: κ̄₁ {:.4}, statics {:.4}; ‖f‖ {:.1e}, {} at bounds; moves by {:.3} m naive, {:.1e} m optimized; {} unstable \
             modes, lowest ω² {:.3}; 10 s after the push {:.1e} m away",
            h.kappa, h.exact, h.solved.norm, h.solved.at_bounds, h.naive, h.ours, h.modes, h.lowest, h.fall[h.fall.len() - 1][1]
        ));
        let name = format!("c_bend {c:.0e}, {} unstable", h.modes);
        series.push(Series { name, points: h.fall, markers: false, dashed: false });
    }
    figure.plots.push(plot("Tip pushed aside by 1e-6 m", "time in s", "largest distance from the pose in m", series));
    Ok(figure)
}

/// A load of ten times the tip's weight on it: κ̄₁, closed form, ‖f‖, drift in ten seconds.
pub fn load(times: f64, mut see: impl FnMut([Vec<DVec3>; 2])) -> [f64; 4] {
    let (mut s, pose, options) = horizontal(1e9);
    let load = times * s.section[19].mass * G;
    s.section[19].force.y -= load;
    let exact = first_kappa_exact(&s, load);
    let (solved, _) = optimize(&mut s, &options);
    let kappa = first_kappa(&s);
    let held = at_rest(&mut s);
    let drift = away(&held, &pose);
    without_gravity(&mut s);
    see([held, at_rest(&mut s)]);
    [kappa, exact, solved.norm, drift]
}

/// Figure 5.
pub fn figure5() -> Result<Figure> {
    let mut figure = Figure {
        title: "Load on the tip",
        subtitle: "c_bend 1e9; with gravity, and without gravity and load".into(),
        size: (420, 340),
        columns: 2,
        direction: [0.0, -0.1, -1.0],
        ..Figure::default()
    };
    for (times, caption) in [(0.0, "no load"), (10.0, "ten times the tip's weight")] {
        let [kappa, exact, norm, drift] = load(times, |[held, weightless]| {
            let mut scene = Scene::default();
            draw(&mut scene, &held, DVec3::ZERO, 0.01, OURS);
            draw(&mut scene, &weightless, DVec3::ZERO, 0.01, WEIGHTLESS);
            figure.shot(caption, scene);
        });
        figure
            .numbers
            .push(format!("{caption}: κ̄₁ {kappa:.4}, statics {exact:.4}; ‖f‖ {norm:.1e}; moves by {drift:.1e} m in 10 s"));
    }
    Ok(figure)
}

/// A thousand vertices with and without rest twist: what came out, seconds, unstable modes, drift in ten seconds, pose without gravity.
pub fn thousand(vertices: usize, twist: bool, runs: usize) -> (Solved<f64>, f64, f64, f64, Vec<DVec3>) {
    let (pose, material) = (line(vertices, DVec3::X), Material::default());
    let options = Options { twist, ..Options::default() };
    let (solved, seconds) = timed(&pose, material, &options, runs);
    let mut s = strand(&pose, material);
    optimize(&mut s, &options);
    let modes = s.modes_below(0.0);
    let drift = away(&at_rest(&mut s), &pose);
    without_gravity(&mut s);
    (solved, seconds, modes, drift, at_rest(&mut s))
}

/// Figure 6.
pub fn figure6() -> Result<Figure> {
    let mut figure = Figure {
        title: "1,000 vertices",
        subtitle: "with gravity and without; with and without rest twist".into(),
        size: (420, 340),
        columns: 2,
        direction: [0.0, -0.1, -1.0],
        ..Figure::default()
    };
    for (twist, caption) in [(true, "with rest twist"), (false, "without")] {
        let (solved, seconds, modes, drift, weightless) = thousand(1000, twist, 5);
        let mut scene = Scene::default();
        draw(&mut scene, &line(1000, DVec3::X), DVec3::ZERO, 0.008, OURS);
        draw(&mut scene, &weightless, DVec3::ZERO, 0.008, WEIGHTLESS);
        figure.shot(caption, scene);
        let (minimum, quick) = timed(&line(1000, DVec3::X), Material::default(), &Options { twist, ..paper() }, 5);
        figure.numbers.push(format!(
            "{caption}: {} iterations, {:.1} ms, ‖f‖ {:.1e}, {modes} unstable modes, moves by {drift:.1e} m in 10 s; up to the paper's minimum {} iterations, {:.1} \
             ms, ‖f‖ {:.1e}",
            solved.iterations,
            1e3 * seconds,
            solved.norm,
            minimum.iterations,
            1e3 * quick,
            minimum.norm
        ));
    }
    Ok(figure)
}

/// ρπr²L³g/√(BC) of a horizontal strand; beyond 12.85 it falls sideways (Prandtl).
pub fn sideways(bend: f64) -> f64 {
    let m = Material { bend, ..Material::default() };
    let (area, i) = (PI * m.radius.powi(2), PI * m.radius.powi(4) / 4.0);
    m.density * area * G / (m.bend * i * m.twist * 2.0 * i).sqrt()
}
