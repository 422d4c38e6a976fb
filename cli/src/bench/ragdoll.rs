//! `withy bench ragdoll`: people of sixteen bodies that lie in a heap and are kept awake, a step of 1/60 s.

use crate::Result;
use crate::args::Bench;
use crate::scenes::bodies::heap::{State, heap};
use std::time::Instant;
use withy::backend::cpu::Isa;
use withy::world::{Inline, Pool, TaskRunner, WorldDesc};

pub const NAME: &str = "ragdoll";

/// Steps until all have fallen.
const FALL: usize = 300;

struct Row {
    isa: Isa,
    threads: u32,
    ragdolls: usize,
    substeps: u32,
    iterations: u32,
    joints: usize,
    state: State,
    /// Median and least of a step, s.
    median: f64,
    best: f64,
    /// Medians of its parts: boxes and their pairs, manifolds, islands and blocks, substeps.
    parts: [f64; 4],
    hash: u64,
}

impl Row {
    fn bodies(&self) -> usize {
        self.ragdolls * crate::people::BODIES
    }

    fn json(&self) -> String {
        let [broad, narrow, graph, solve] = self.parts.map(|s| 1e3 * s);
        format!(
            "{{\"bench\":\"{NAME}\",\"isa\":\"{}\",\"lanes\":{},\"threads\":{},\"ragdolls\":{},\"bodies\":{},\"joints\":{},\"contacts\":{},\
             \"awake\":{},\"substeps\":{},\"iterations\":{},\"ms_per_step\":{:.4},\"ms_best\":{:.4},\"ms_broad\":{broad:.4},\
             \"ms_narrow\":{narrow:.4},\"ms_graph\":{graph:.4},\"ms_solve\":{solve:.4},\"deepest_mm\":{:.2},\"dislocation_mm\":{:.2},\
             \"state_hash\":\"{:016x}\"}}",
            self.isa.name(),
            self.isa.lanes(),
            self.threads,
            self.ragdolls,
            self.bodies(),
            self.joints,
            self.state.contacts,
            self.state.awake,
            self.substeps,
            self.iterations,
            1e3 * self.median,
            1e3 * self.best,
            1e3 * self.state.depth,
            1e3 * self.state.error[0],
            self.hash
        )
    }

    fn text(&self) -> String {
        let [broad, narrow, graph, solve] = self.parts.map(|s| 1e3 * s);
        format!(
            "{:>8} {:<7} {:>7} {:>2} × {:<2} {:>8} {:>9.3} {:>9.3} {broad:>8.3} {narrow:>8.3} {graph:>8.3} {solve:>8.3}  {:016x}",
            self.ragdolls,
            self.isa.name(),
            self.threads,
            self.substeps,
            self.iterations,
            self.state.contacts,
            1e3 * self.median,
            1e3 * self.best,
            self.hash
        )
    }
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

fn measure(ragdolls: usize, columns: usize, isa: Isa, threads: u32, substeps: u32, iterations: u32, seconds: f64) -> Result<Row> {
    let desc = WorldDesc { substeps, iterations, isa: Some(isa), ..WorldDesc::default() };
    let mut heap = heap(ragdolls, columns, desc, false)?;
    let pool = if threads > 1 { Some(Pool::new(threads as usize)?) } else { None };
    let runner: &dyn TaskRunner = pool.as_ref().map_or(&Inline, |p| p);
    for _ in 0..FALL {
        heap.step(runner)?;
    }
    let hash = heap.world.state_hash();
    let state = heap.state()?;
    let begin = Instant::now();
    let mut times = Vec::new();
    let mut parts: [Vec<f64>; 4] = Default::default();
    while times.len() < 9 || begin.elapsed().as_secs_f64() < seconds {
        let begin = Instant::now();
        heap.step(runner)?;
        times.push(begin.elapsed().as_secs_f64());
        let [boxes, pairs, manifolds, blocks, substeps, _] = heap.world.body_times();
        parts.iter_mut().zip([boxes + pairs, manifolds, blocks, substeps]).for_each(|(to, s)| to.push(s));
    }
    let joints = heap.joints().count();
    let best = times.iter().copied().fold(f64::INFINITY, f64::min);
    let parts = parts.map(|mut p| median(&mut p));
    Ok(Row { isa, threads, ragdolls, substeps, iterations, joints, state, median: median(&mut times), best, parts, hash })
}

pub fn run(options: &Bench, isas: &[Option<Isa>]) -> Result<()> {
    if !options.json {
        println!("people of 16 bodies in a heap, awake, 60 Hz; ms, medians but for the best; the hash after {FALL} steps");
        println!("ragdolls isa     threads  s × it contacts       step      best    broad   narrow    graph    solve  state");
    }
    for (ragdolls, columns, plans) in [(30, 3, &[(4, 5), (1, 20)][..]), (300, 7, &[(4, 5)][..])] {
        for isa in isas {
            for &(substeps, iterations) in plans {
                for &threads in &options.threads {
                    let isa = isa.unwrap_or_else(Isa::best);
                    let row = measure(ragdolls, columns, isa, threads, substeps, iterations, options.seconds)?;
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
        let line = measure(2, 2, Isa::best(), 1, 4, 5, 0.01)?.json();
        for key in ["ms_per_step", "isa", "lanes", "threads", "ragdolls", "bodies", "joints", "contacts", "awake"] {
            assert!(line.contains(&format!("\"{key}\":")), "{line}");
        }
        Ok(())
    }
}
