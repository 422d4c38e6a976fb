//! Figure 3, three optimizers, and figure 9 with table 1, three norms: by the paper's own system ([`super::problem`]), beside the
//! library's solution of it.

use super::problem::*;
use super::*;
use crate::Result;
use crate::scenes::stage::Figure;

/// §5.2.
pub fn hanging(vertices: usize) -> Strands<f64> {
    strand(&line(vertices, DVec3::NEG_Y), Material { stretch: 1e4, ..Material::default() })
}

pub const METHODS: [(Method, &str); 3] =
    [(Method::Descent, "gradient descent"), (Method::Newton, "Newton"), (Method::GaussNewton, "Gauss–Newton")];

/// A run whose times are the medians of several: the iterates are the same in all.
fn median_times(run: impl Fn() -> Run) -> Run {
    let runs: Vec<Run> = (0..9).map(|_| run()).collect();
    let median = |k: usize| {
        let mut times: Vec<f64> = runs.iter().map(|r| r.iterates[k].seconds).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let seconds: Vec<f64> = (0..runs[0].iterates.len()).map(median).collect();
    let mut run = runs.into_iter().next().expect("nine");
    run.iterates.iter_mut().zip(seconds).for_each(|(i, s)| i.seconds = s);
    run
}

/// Figure 3.
pub fn figure3() -> Result<Figure> {
    let s = hanging(500);
    let problem = Problem::new(&s, paper(), Norm::Kinetic);
    let mut figure = Figure { title: "Optimizers", ..Figure::default() };
    let (mut iterations, mut times) = (Vec::new(), Vec::new());
    let runs = METHODS.map(|(method, _)| median_times(|| problem.run(method)));
    for ((_, name), run) in METHODS.iter().zip(&runs) {
        let series =
            |points: Vec<[f64; 2]>| Series { name: (*name).into(), points, markers: run.iterates.len() < 50, dashed: false };
        iterations.push(series(run.iterates.iter().enumerate().map(|(k, i)| [(k + 1) as f64, i.objective]).collect()));
        times.push(series(run.iterates.iter().skip(1).map(|i| [i.seconds, i.objective]).collect()));
        let end = run.iterates[run.iterates.len() - 1];
        figure.numbers.push(format!(
            "{name}: {} iterations, {:.4} s, objective {:.6e} (first {:.3e})",
            run.iterates.len() - 1,
            end.seconds,
            end.objective,
            run.iterates[0].objective
        ));
    }
    let pose = line(500, DVec3::NEG_Y);
    let material = Material { stretch: 1e4, ..Material::default() };
    for (options, name) in [(paper(), "to the paper's minimum"), (Options::default(), "to ‖f‖ ≤ 1e-6")] {
        let (solved, seconds) = timed(&pose, material, &options, 5);
        figure.numbers.push(format!(
            "the library, {name}: {} iterations, {:.2} ms, ‖f‖ {:.1e}",
            solved.iterations,
            1e3 * seconds,
            solved.norm
        ));
    }
    for (x, log_series) in [("iterations + 1", iterations), ("time in s", times)] {
        let mut p = plot("500 vertices, c_stretch 1e4", x, "objective F", log_series);
        p.log_x = true;
        (p.width, p.height) = (620, 440);
        figure.plots.push(p);
    }
    Ok(figure)
}

/// A way to solve and what it left: entries of the system, ‖f‖₂, ‖f‖_{M⁻¹}, iterations, rest shape.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub entries: [f64; 2],
    pub force: f64,
    pub kinetic: f64,
    pub iterations: usize,
    pub s: Vec<Six>,
}

pub fn compare(s: &Strands<f64>, norm: Norm, options: Options) -> Outcome {
    let run = Problem::new(s, options, norm).run(Method::GaussNewton);
    let of = |norm| Problem::new(s, options, norm).objective(&run.s).0;
    Outcome {
        entries: run.entries,
        force: of(Norm::Force),
        kinetic: of(Norm::Kinetic),
        iterations: run.iterates.len() - 1,
        s: run.s,
    }
}

pub fn sixes(s: &Strands<f64>) -> Vec<Six> {
    s.rest.iter().map(|r| [r.length, r.kappa[0], r.kappa[1], r.kappa[2], r.kappa[3], r.twist]).collect()
}

pub fn apply(s: &mut Strands<f64>, rest: &[Six]) {
    for (to, six) in s.rest.iter_mut().zip(rest) {
        *to = withy::rods::der::strand::Rest { length: six[0], kappa: [six[1], six[2], six[3], six[4]], twist: six[5] };
    }
}

/// Figure 9 and table 1.
pub fn figure9() -> Result<Figure> {
    let pose = wavy(100);
    let s = strand(&pose, Material::default());
    // The regularizer in the units of the force norm: α times the mass of a vertex.
    let scaled = Options { regularizer: 1e-5 * s.section[50].mass, ..paper() };
    let schemes = [
        ("force norm", Norm::Force, paper()),
        ("equilibrated", Norm::Equilibrated, paper()),
        ("kinetic energy norm", Norm::Kinetic, paper()),
        ("force norm, scaled α", Norm::Force, scaled),
    ];
    let mut figure = Figure {
        title: "Norms",
        subtitle: "after 10 s; grey: the pose".into(),
        size: (250, 400),
        columns: 4,
        direction: [-0.7, -0.1, -1.0],
        ..Figure::default()
    };
    for (name, norm, options) in schemes {
        let out = compare(&s, norm, options);
        let mut moving = strand(&pose, Material::default());
        apply(&mut moving, &out.s);
        let end = at_rest(&mut moving);
        let mut scene = Scene::default();
        draw(&mut scene, &pose, DVec3::ZERO, 0.002, POSE);
        draw(&mut scene, &end, DVec3::ZERO, 0.0025, OURS);
        figure.shot(name, scene);
        let [low, high] = out.entries;
        figure.numbers.push(format!(
            "{name}: min A {low:.1e}, max A {high:.1e}, σ {:.1e}, ‖f‖₂ {:.1e}, ‖f‖_M⁻¹ {:.1e}, {} iterations, moves by {:.1e} m in 10 s",
            high / low,
            out.force,
            out.kinetic,
            out.iterations,
            away(&end, &pose)
        ));
    }
    Ok(figure)
}
