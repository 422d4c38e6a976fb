//! Figure 12: strands too thin for their pose. The report of each strand must say that it will not stay.

use super::*;
use crate::Result;
use crate::scenes::stage::Figure;
use rayon::prelude::*;
use withy::io::generate::{StyleMix, head_groom};
use withy::math::Isa;
use withy::sagfree::batch::{Batch, Status, StrandReport};
use withy::tasks::TaskRunner;

/// Groups of strands over all cores.
struct Cores;
impl TaskRunner for Cores {
    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..count).into_par_iter().for_each(task);
    }
}

/// Our own wavy groom of 100 vertices a strand; the paper's is another's.
pub fn groom(strands: u32) -> Vec<Vec<DVec3>> {
    let groom = head_groom(strands, 100, StyleMix::WAVY, 12);
    let at = |p: &[f32; 3]| DVec3::from(p.map(f64::from));
    groom.points.chunks(100).map(|c| c.iter().map(at).collect()).collect()
}

pub fn material(radius: f64) -> Material {
    Material { stretch: 3e8, bend: 3e8, twist: 3e8, radius, ..Material::default() }
}

/// Does the report promise that the pose stays?
pub fn holds(r: &StrandReport) -> bool {
    r.status == Status::AtTarget && r.unstable_modes == 0
}

pub struct Outcome {
    pub reports: Vec<StrandReport>,
    /// The largest way of a vertex of each strand over the strand's length.
    pub away: Vec<f64>,
    pub end: Vec<Vec<DVec3>>,
}

/// `seconds` at 60 frames of five steps, as figure 11; naive without options.
pub fn hold(groom: &[Vec<DVec3>], radius: f64, options: Option<&Options>, seconds: f64) -> Outcome {
    let strands: Vec<Strands<f64>> = groom.iter().map(|p| strand(p, material(radius))).collect();
    let mut batch = Batch::new(&strands, Isa::best());
    let count = 0..groom.len();
    let mut reports = vec![StrandReport::default(); groom.len()];
    if let Some(options) = options {
        batch.optimize(&Cores, options);
        batch.certify(&Cores);
        reports = count.clone().map(|i| batch.report(i)).collect();
    }
    // Rest shapes are exact to rounding, and an unstable equilibrium would last for seconds.
    let push = vec![[1e-5, 0.0, 1e-5, 0.0]; groom[0].len()];
    let after = |i: usize| -> Vec<DVec3> {
        let mut s = batch.strand(i);
        s.velocity.clone_from(&push);
        for _ in 0..5 * (seconds / FRAME) as u32 {
            s.step(FRAME / 5.0, 1, 2.0, 0.0);
        }
        points(&s).into_iter().map(|p| p + groom[i][0]).collect()
    };
    let end: Vec<_> = (0..groom.len()).into_par_iter().map(after).collect();
    let length = |p: &[DVec3]| p.windows(2).map(|e| e[0].distance(e[1])).sum::<f64>();
    let away = count.map(|i| away(&end[i], &groom[i]) / length(&groom[i])).collect();
    Outcome { reports, away, end }
}

fn scene(strands: &[Vec<DVec3>], color: [f32; 3]) -> Scene {
    let points = strands.iter().flatten().map(|p| p.as_vec3().to_array()).collect();
    let counts = strands.iter().map(|s| s.len() as u32).collect();
    let material = Paint::hair(color);
    let set = CurveSet { points, counts, radii: Radii::Uniform(4e-4), style: CurveStyle::Hair, material, ..CurveSet::default() };
    Scene { curves: vec![set], ..Scene::default() }
}

/// The largest factor that stiffening may find.
const MOST: f64 = 30.0;
const STIFFER: [f32; 3] = [0.20, 0.52, 0.34];

/// Figure 12, and what mends it: the least stiffening that holds each strand.
pub fn figure() -> Result<Figure> {
    let groom = groom(160);
    let mut figure = Figure {
        title: "Thick and thin strands",
        subtitle: "160 strands of 100 vertices; after 5 s".into(),
        size: (300, 340),
        columns: 4,
        ..Figure::default()
    };
    for radius in [1e-3, 1e-4] {
        figure.shot(format!("pose, r = {radius:.0e} m"), scene(&groom, [0.5, 0.48, 0.45]));
        let (plain, stiffer) = (Options::default(), Options { stiffen: Some(MOST), ..Options::default() });
        let kinds = [(None, "naive", NAIVE), (Some(&plain), "optimized", OURS), (Some(&stiffer), "stiffened", STIFFER)];
        for (options, name, color) in kinds {
            let out = hold(&groom, radius, options, 5.0);
            let stiffened = out.reports.iter().filter(|r| r.stiffened > 0).count();
            let stiffest = out.reports.iter().fold(1.0, |k: f64, r| k.max(r.stiffest));
            let caption = match (name, stiffened) {
                ("stiffened", 0) => "none needs stiffening".into(),
                ("stiffened", n) => format!("{n} strands stiffened, ≤ {stiffest:.1} ×"),
                _ => name.into(),
            };
            figure.shot(caption, scene(&out.end, color));
            let mut away = out.away.clone();
            away.sort_by(f64::total_cmp);
            let (median, most) = (away[away.len() / 2], away[away.len() - 1]);
            let mut words = format!(
                "r = {radius:.0e} m, {name}: vertices move by {median:.1e} (median strand), {most:.1e} (worst) of its length"
            );
            if options.is_some() {
                let all = |f: fn(&StrandReport) -> bool| out.reports.iter().filter(|r| f(r)).count();
                let broken = out.reports.iter().zip(&out.away).filter(|(r, a)| holds(r) && **a > 1e-3).count();
                words += &format!(
                    "; {stiffened} strands stiffened, {stiffest:.2} times at most; reports: {} hold, {} keep a residual, {} at bounds, {} unstable; {broken} moved that were said to hold",
                    all(holds),
                    all(|r| r.status != Status::AtTarget),
                    all(|r| r.at_bounds > 0),
                    all(|r| r.unstable_modes > 0)
                );
            }
            figure.numbers.push(words);
        }
    }
    Ok(figure)
}
