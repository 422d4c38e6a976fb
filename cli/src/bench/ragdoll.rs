//! `withy bench ragdoll`: people of sixteen bodies that lie in a heap and are kept awake, a step of 1/60 s.
//!
//! The same steps are done again and again from a saved state, with each number of threads in turn: they do the same work to the bit, so that the
//! least time of each step is what it takes where nobody else wants the machine. `ms_per_step` is the median of all, `ms_least` the mean of those least
//! times.

use super::clock;
use crate::Result;
use crate::args::Bench;
use crate::scenes::bodies::heap::{Heap, State, heap};
use std::time::Instant;
use withy::math::Isa;
use withy::world::{Inline, Pool, TaskRunner, WorldDesc};

pub const NAME: &str = "ragdoll";

/// Steps until all have fallen.
const FALL: usize = 300;
/// Steps that are done again and again, and how often at least.
const WINDOW: usize = 30;
const ROUNDS: usize = 5;

struct Row {
    isa: Isa,
    threads: u32,
    ragdolls: usize,
    substeps: u32,
    iterations: u32,
    joints: usize,
    state: State,
    /// Median of all steps, and mean of the least times of each, s.
    median: f64,
    least: f64,
    /// The same mean of a step's parts: boxes and their pairs, manifolds, islands and blocks, substeps.
    parts: [f64; 4],
    hash: u64,
    ghz: Option<f64>,
}

impl Row {
    fn bodies(&self) -> usize {
        self.ragdolls * crate::people::BODIES
    }

    fn json(&self) -> String {
        let [broad, narrow, graph, solve] = self.parts.map(|s| 1e3 * s);
        format!(
            "{{\"bench\":\"{NAME}\",\"isa\":\"{}\",\"lanes\":{},\"threads\":{},\"ragdolls\":{},\"bodies\":{},\"joints\":{},\"contacts\":{},\
             \"awake\":{},\"substeps\":{},\"iterations\":{},\"ms_per_step\":{:.4},\"ms_least\":{:.4},\"ms_broad\":{broad:.4},\
             \"ms_narrow\":{narrow:.4},\"ms_graph\":{graph:.4},\"ms_solve\":{solve:.4},\"deepest_mm\":{:.2},\"dislocation_mm\":{:.2},\
             \"state_hash\":\"{:016x}\",\"ghz\":{}}}",
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
            1e3 * self.least,
            1e3 * self.state.depth,
            1e3 * self.state.error[0],
            self.hash,
            clock::json(self.ghz)
        )
    }

    fn text(&self) -> String {
        let [broad, narrow, graph, solve] = self.parts.map(|s| 1e3 * s);
        format!(
            "{:>8} {:<7} {:>7} {:>2} × {:<2} {:>8} {:>9.3} {:>9.3} {broad:>8.3} {narrow:>8.3} {graph:>8.3} {solve:>8.3}  {:016x}{}",
            self.ragdolls,
            self.isa.name(),
            self.threads,
            self.substeps,
            self.iterations,
            self.state.contacts,
            1e3 * self.median,
            1e3 * self.least,
            self.hash,
            clock::text(self.ghz)
        )
    }
}

/// A heap that has fallen, and the times of its steps.
struct Run {
    threads: u32,
    heap: Heap,
    pool: Option<Pool>,
    state: Vec<u8>,
    hash: u64,
    times: Vec<f64>,
    /// Of each step of the window the least: whole, and by parts.
    least: [[f64; 5]; WINDOW],
}

impl Run {
    fn new(ragdolls: usize, columns: usize, desc: WorldDesc, threads: u32) -> Result<Run> {
        let pool = if threads > 1 { Some(Pool::new(threads as usize)?) } else { None };
        let mut heap = heap(ragdolls, columns, desc, false)?;
        let runner: &dyn TaskRunner = pool.as_ref().map_or(&Inline, |p| p);
        for _ in 0..FALL {
            heap.step(runner)?;
        }
        let mut state = vec![0; heap.world.save_state(&mut [])?];
        heap.world.save_state(&mut state)?;
        let hash = heap.world.state_hash();
        Ok(Run { threads, heap, pool, state, hash, times: Vec::new(), least: [[f64::INFINITY; 5]; WINDOW] })
    }

    fn again(&mut self) -> Result<()> {
        self.heap.world.restore_state(&self.state)?;
        let runner: &dyn TaskRunner = self.pool.as_ref().map_or(&Inline, |p| p);
        for least in &mut self.least {
            let begin = Instant::now();
            self.heap.step(runner)?;
            let whole = begin.elapsed().as_secs_f64();
            self.times.push(whole);
            let [boxes, pairs, manifolds, blocks, substeps, _] = self.heap.world.body_times();
            for (least, s) in least.iter_mut().zip([whole, boxes + pairs, manifolds, blocks, substeps]) {
                *least = least.min(s);
            }
        }
        Ok(())
    }
}

struct Case {
    ragdolls: usize,
    columns: usize,
    isa: Isa,
    substeps: u32,
    iterations: u32,
}

/// One row for each number of threads.
fn measure(case: &Case, threads: &[u32], seconds: f64) -> Result<Vec<Row>> {
    let &Case { ragdolls, columns, isa, substeps, iterations } = case;
    let desc = WorldDesc { substeps, iterations, isa: Some(isa), ..WorldDesc::default() };
    let mut runs = threads.iter().map(|&t| Run::new(ragdolls, columns, desc.clone(), t)).collect::<Result<Vec<Run>>>()?;
    let begin = Instant::now();
    let mut rounds = 0;
    let mut ghz = clock::gigahertz();
    while rounds < ROUNDS || begin.elapsed().as_secs_f64() < seconds * threads.len() as f64 {
        runs.iter_mut().try_for_each(Run::again)?;
        rounds += 1;
    }
    ghz = clock::again(ghz);
    let row = |mut run: Run| -> Result<Row> {
        run.heap.world.restore_state(&run.state)?;
        let means: [f64; 5] = core::array::from_fn(|k| run.least.iter().map(|s| s[k]).sum::<f64>() / WINDOW as f64);
        let [least, parts @ ..] = means;
        run.times.sort_unstable_by(f64::total_cmp);
        Ok(Row {
            isa,
            threads: run.threads,
            ragdolls,
            substeps,
            iterations,
            joints: run.heap.joints().count(),
            state: run.heap.state()?,
            median: run.times[run.times.len() / 2],
            least,
            parts,
            hash: run.hash,
            ghz,
        })
    };
    runs.into_iter().map(row).collect()
}

pub fn run(options: &Bench, isas: &[Option<Isa>]) -> Result<()> {
    if !options.json {
        println!(
            "people of 16 bodies in a heap, awake, 60 Hz; ms: the median, else means of least times; the hash after {FALL} steps"
        );
        println!("ragdolls isa     threads  s × it contacts     median     least    broad   narrow    graph    solve  state");
    }
    for (ragdolls, columns, plans) in [(30, 3, &[(4, 5), (1, 20)][..]), (300, 7, &[(4, 5)][..])] {
        for isa in isas {
            for &(substeps, iterations) in plans {
                let isa = isa.unwrap_or_else(Isa::best);
                let case = Case { ragdolls, columns, isa, substeps, iterations };
                for row in measure(&case, &options.threads, options.seconds)? {
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
        let case = Case { ragdolls: 2, columns: 2, isa: Isa::best(), substeps: 4, iterations: 5 };
        let line = measure(&case, &[1], 0.01)?[0].json();
        for key in
            ["ms_per_step", "ms_least", "isa", "lanes", "threads", "ragdolls", "bodies", "joints", "contacts", "awake", "ghz"]
        {
            assert!(line.contains(&format!("\"{key}\":")), "{line}");
        }
        Ok(())
    }
}
