//! `withy bench octopus`: a hundred octopuses of volume rods, frames of 1/60 s, in the pile one second after they were dropped and after eight, by
//! which they should sleep. All steps of a window begin at one saved state.

use crate::Result;
use crate::args::Bench;
use crate::scenes::octopus::{PILLS, begin, state};
use std::time::Instant;
use withy::math::Isa;
use withy::world::{Inline, Pool, TaskRunner, WorldDesc};

pub const NAME: &str = "octopus";

const COUNT: usize = 100;
const FRAME: f64 = 1.0 / 60.0;
const WINDOW: usize = 20;
/// Frames in which it is to come to rest.
const MOST: u32 = 2400;

fn measure(substeps: u32, isa: Option<Isa>, threads: u32, seconds: f64) -> Result<()> {
    let pool = if threads > 1 { Some(Pool::new(threads as usize)?) } else { None };
    let runner: &dyn TaskRunner = pool.as_ref().map_or(&Inline, |p| p);
    let (mut world, rods) = begin(COUNT, WorldDesc { isa, substeps, ..WorldDesc::default() })?;
    let (_, before) = state(&world, rods)?;
    let mut frame = 0;
    let mut saved = Vec::new();
    for until in [60, 480] {
        while frame < until {
            world.step(FRAME, runner)?;
            frame += 1;
        }
        saved = vec![0; world.save_state(&mut [])?];
        world.save_state(&mut saved)?;
        let (mut times, mut products, start) = (Vec::new(), 0, Instant::now());
        while times.len() < WINDOW || start.elapsed().as_secs_f64() < seconds {
            world.restore_state(&saved)?;
            for _ in 0..WINDOW {
                let begin = Instant::now();
                world.step(FRAME, runner)?;
                times.push(begin.elapsed().as_secs_f64());
                products += world.contact_work().products;
            }
        }
        let products = f64::from(products) / times.len() as f64;
        times.sort_by(f64::total_cmp);
        let (fastest, volume) = state(&world, rods)?;
        println!(
            "{{\"bench\":\"{NAME}\",\"scene\":\"octopus{COUNT}\",\"pills\":{},\"substeps\":{substeps},\"seconds\":{},\"contacts\":{},\
             \"products\":{products:.0},\"ms_per_step\":{:.3},\"ms_least\":{:.3},\"isa\":\"{}\",\"threads\":{threads},\
             \"fastest_m_s\":{fastest:.4},\"volume\":{:.5},\"state_hash\":\"{:016x}\"}}",
            PILLS * COUNT,
            f64::from(until) / 60.0,
            world.contact_work().contacts,
            1e3 * times[times.len() / 2],
            1e3 * times[0],
            world.isa().name(),
            volume / before,
            world.state_hash()
        );
    }
    world.restore_state(&saved)?;
    let mut longest = 0.0_f64;
    while frame < MOST && !world.rods_sleep(rods)? {
        let begin = Instant::now();
        world.step(FRAME, runner)?;
        longest = longest.max(begin.elapsed().as_secs_f64());
        frame += 1;
    }
    let after = if world.rods_sleep(rods)? { format!("{:.1}", f64::from(frame) * FRAME) } else { "null".into() };
    let (_, volume) = state(&world, rods)?;
    println!(
        "{{\"bench\":\"{NAME}\",\"scene\":\"octopus{COUNT}\",\"substeps\":{substeps},\"sleeps_after_s\":{after},\
         \"ms_longest\":{:.3},\"volume\":{:.5},\"isa\":\"{}\",\"threads\":{threads}}}",
        1e3 * longest,
        volume / before,
        world.isa().name()
    );
    Ok(())
}

pub fn run(options: &Bench, isas: &[Option<Isa>]) -> Result<()> {
    for &isa in isas {
        for &threads in &options.threads {
            for substeps in [1, 2, 4] {
                if options.only.is_empty() || options.only == substeps.to_string() {
                    measure(substeps, isa, threads, options.seconds)?;
                }
            }
        }
    }
    Ok(())
}
