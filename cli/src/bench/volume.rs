//! `withy bench volume`: a direct step of rods that keep their volume beside the same step of rods that do not. The strands are those of
//! `withy bench direct`: hair, one Newton step of 1/480 s, f32 and f64.
//!
//! Both worlds step in turn, so that both meet what else the machine does; the ratio is the median of those of one turn.

use super::scenes::{SCENES, Scene, Solver, groom};
use crate::Result;
use crate::args::Bench;
use std::time::Instant;
use withy::math::Isa;
use withy::tasks::{Inline, Pool, TaskRunner};
use withy::world::{RodModel, RodsDesc, World, WorldDesc};

pub const NAME: &str = "volume";

#[derive(Debug)]
struct Row {
    scene: &'static str,
    model: RodModel,
    double: bool,
    isa: Isa,
    threads: u32,
    strands: u32,
    edges: u32,
    /// Median and least, s a step, without volume and with it.
    times: [[f64; 2]; 2],
    ratio: f64,
}

impl Row {
    /// Processor time, ns an edge and step: of a median or of the least.
    fn per_edge(&self, volume: usize, least: usize) -> f64 {
        let edges = f64::from(self.strands) * f64::from(self.edges);
        1e9 * self.times[volume][least] * f64::from(self.threads) / edges
    }

    fn json(&self) -> String {
        format!(
            "{{\"bench\":\"{NAME}\",\"scene\":\"{}\",\"model\":\"{}\",\"precision\":\"{}\",\"isa\":\"{}\",\"threads\":{},\"strands\":{},\
             \"edges\":{},\"ms_per_step\":{:.5},\"ns_per_edge\":{:.3},\"ns_best\":{:.3},\"ns_without\":{:.3},\"ns_best_without\":{:.3},\
             \"ratio\":{:.3}}}",
            self.scene,
            self.model(),
            self.precision(),
            self.isa.name(),
            self.threads,
            self.strands,
            self.edges,
            1e3 * self.times[1][0],
            self.per_edge(1, 0),
            self.per_edge(1, 1),
            self.per_edge(0, 0),
            self.per_edge(0, 1),
            self.ratio
        )
    }

    fn text(&self) -> String {
        format!(
            "{:<16} {:<5} {} {:<7} {:>7} {:>10.2} {:>10.2} {:>10.2} {:>10.2} {:>7.3}",
            self.scene,
            self.model(),
            self.precision(),
            self.isa.name(),
            self.threads,
            self.per_edge(0, 0),
            self.per_edge(0, 1),
            self.per_edge(1, 0),
            self.per_edge(1, 1),
            self.ratio
        )
    }

    fn model(&self) -> &'static str {
        if self.model == RodModel::Der { "der" } else { "ghost" }
    }
    fn precision(&self) -> &'static str {
        if self.double { "f64" } else { "f32" }
    }
}

/// The scenes of `withy bench direct` of some thousand edges.
fn scenes() -> impl Iterator<Item = &'static Scene> {
    SCENES.iter().filter(|s| s.solver == Solver::Direct && s.edges <= 100)
}

fn measure(scene: &'static Scene, model: RodModel, double: bool, isa: Isa, threads: u32, seconds: f64) -> Result<Row> {
    let tasks: Box<dyn TaskRunner> = if threads == 1 { Box::new(Inline) } else { Box::new(Pool::new(threads as usize)?) };
    let mut worlds: Vec<(World, Vec<f64>)> = Vec::new();
    for poisson_ratio in [0.0, 0.45] {
        let desc = WorldDesc { substeps: 1, isa: Some(isa), double_precision: double, ..WorldDesc::default() };
        let mut world = World::new(desc)?;
        // Hair at rest sleeps, and costs nothing.
        world.add_rods(RodsDesc { poisson_ratio, model, iterations: 1, ..groom(scene) })?;
        worlds.push((world, Vec::new()));
    }
    let begin = Instant::now();
    let mut step = 0;
    while step < 20 || begin.elapsed().as_secs_f64() < seconds {
        for (world, times) in &mut worlds {
            let begin = Instant::now();
            world.step(super::DT, &*tasks)?;
            // The first steps fault pages in.
            if step >= 10 {
                times.push(begin.elapsed().as_secs_f64());
            }
        }
        step += 1;
    }
    let mut ratios: Vec<f64> = worlds[1].1.iter().zip(&worlds[0].1).map(|(with, without)| with / without).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let mut times = [[0.0; 2]; 2];
    for (of, (_, all)) in times.iter_mut().zip(&mut worlds) {
        all.sort_unstable_by(f64::total_cmp);
        *of = [all[all.len() / 2], all[0]];
    }
    let (strands, edges) = (scene.strands, scene.edges);
    Ok(Row { scene: scene.name, model, double, isa, threads, strands, edges, times, ratio: ratios[ratios.len() / 2] })
}

pub fn run(options: &Bench, isas: &[Option<Isa>]) -> Result<()> {
    if !options.json {
        println!("one Newton step of an edge, ns: median and least without volume, with it; ratio of steps in turn");
        println!("scene            model     isa     threads    without      least     volume      least   ratio");
    }
    for isa in isas.iter().map(|isa| isa.unwrap_or_else(Isa::best)) {
        for &threads in &options.threads {
            for scene in scenes() {
                for (model, double) in [RodModel::Ghost, RodModel::Der].into_iter().flat_map(|m| [(m, false), (m, true)]) {
                    let row = measure(scene, model, double, isa, threads, options.seconds / 4.0)?;
                    println!("{}", if options.json { row.json() } else { row.text() });
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_keys_that_tools_parse() -> Result<()> {
        let scene = scenes().next().ok_or("no scene")?;
        let row = measure(scene, RodModel::Ghost, false, Isa::best(), 1, 0.02)?;
        let line = row.json();
        let keys: Vec<&str> = line.split(['{', ',']).filter_map(|part| part.strip_prefix('"')?.split('"').next()).collect();
        assert_eq!(
            keys,
            [
                "bench",
                "scene",
                "model",
                "precision",
                "isa",
                "threads",
                "strands",
                "edges",
                "ms_per_step",
                "ns_per_edge",
                "ns_best",
                "ns_without",
                "ns_best_without",
                "ratio"
            ]
        );
        // Five unknowns instead of four take more, and not three times as much.
        assert!((1.05..3.0).contains(&row.ratio), "{line}");
        Ok(())
    }
}
