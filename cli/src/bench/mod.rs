//! `withy bench`: the time of one edge in one iteration, on named scenes, through the C ABI.
//!
//! The work of one iteration: for every edge its length (18), bisector (19) and ghost distance (20) constraints, for every
//! interior vertex the three-row bend-twist block (17, 21), all compliant. No colliders. The time is that of the whole step
//! (predict, constraints, velocities, report) divided by strands · edges · iterations, so that it contains what an iteration
//! does not do. One substep, ten iterations. `direct` scenes take one Newton step over the same constraints
//! instead. `der`, `sagfree` and
//! `sagfree-world` are of another kind: [`der`]; so are `ball`, `arc` and the other elements between rigid bodies: [`bodies`];
//! [`narrow`]; [`contact`]; [`hair`]; [`skin`]; [`ragdoll`]; [`octopus`]; [`swing`]; and [`volume`].

mod bodies;
mod clock;
mod contact;
mod der;
mod hair;
mod hills;
mod narrow;
mod octopus;
mod ragdoll;
mod scenes;
mod skin;
mod swing;
mod volume;

use crate::Result;
use crate::abi::{Rods, World};
use crate::args::Bench;
use scenes::{SCENES, Scene, groom};
use std::time::Instant;
use withy::math::Isa;
use withy::world::WorldDesc;

/// One line of the table.
struct Row {
    scene: &'static Scene,
    backend: String,
    isa: Isa,
    threads: u32,
    /// Median and best time of a step, s.
    median: f64,
    best: f64,
    strain: f64,
}

impl Row {
    fn per_edge(&self, seconds: f64) -> f64 {
        1e9 * seconds / (f64::from(self.scene.strands) * f64::from(self.scene.edges) * f64::from(self.scene.iterations))
    }

    fn json(&self) -> String {
        format!(
            "{{\"bench\":\"{}\",\"scene\":\"{}\",\"backend\":\"{}\",\"isa\":\"{}\",\"threads\":{},\"strands\":{},\"edges\":{},\
             \"iterations\":{},\"ns_per_edge_iteration\":{:.3},\"ms_per_step\":{:.5},\"stretch_residual\":{:.3e}}}",
            self.scene.bench(),
            self.scene.name,
            self.backend,
            self.isa.name(),
            self.threads,
            self.scene.strands,
            self.scene.edges,
            self.scene.iterations,
            self.per_edge(self.median),
            1e3 * self.median,
            self.strain
        )
    }

    fn text(&self) -> String {
        format!(
            "{:<14} {:<4} {:<7} {:>7} {:>8} {:>6} {:>10.2} {:>10.2} {:>12.4} {:>10.1e}",
            self.scene.name,
            self.backend,
            self.isa.name(),
            self.threads,
            self.scene.strands,
            self.scene.edges,
            self.per_edge(self.median),
            self.per_edge(self.best),
            1e3 * self.median,
            self.strain
        )
    }
}

const HEAD: &str = "scene          on   isa     threads  strands  edges  ns median    ns best      ms/step     strain";

pub fn run(options: &Bench) -> Result<()> {
    if options.names.iter().any(|n| n == "list") {
        SCENES.iter().for_each(|s| println!("{:<14} {:>6} strands × {:>4} edges", s.name, s.strands, s.edges));
        for (name, what) in [
            ("ghost, direct", "the first two: sweeps, the direct solver"),
            ("der", "strands of 100 and of 20 to 10,000 vertices, one Newton step in a world"),
            ("sagfree", "rest shapes: 1900 strands × 100 vertices; 500 and 1000 vertices alone; 20 to 10,000 vertices"),
            ("sagfree-world", "rest shapes in a world: 1900 strands × 100 vertices, 2000 × 21, both models"),
            ("ragdoll", "30 and 300 people in a heap"),
            ("contact", "heaps of ropes that touch each other, hair that touches hair"),
            ("narrow", "contact points of one pair of shapes"),
            ("octopus", "a hundred octopuses of volume rods in a pile, one, two and four substeps"),
            ("volume", "a direct step of rods that keep their volume, and of rods that do not"),
            ("hair", "50,000 render hairs that follow 1,000 guides"),
            ("swing", "what ten swings leave of a motion, and a frame's time: both integrators, 1 to 8 substeps"),
            ("skin", "100 meshes of 13,000 faces over 38 pills each"),
        ] {
            println!("{name:<20} {what}");
        }
        let bodies: Vec<&str> = bodies::NAMES.iter().map(|(name, _)| *name).collect();
        println!("{}: one iteration between two rigid bodies", bodies.join(", "));
        return Ok(());
    }
    let is_other = |n: &String| {
        der::NAMES.contains(&n.as_str())
            || bodies::kind(n).is_some()
            || [ragdoll::NAME, narrow::NAME, contact::NAME, octopus::NAME, hair::NAME, skin::NAME, swing::NAME, volume::NAME]
                .contains(&n.as_str())
    };
    let (other, names): (Vec<String>, Vec<String>) = options.names.iter().cloned().partition(is_other);
    // Between bodies the widths are what is asked for: all of them, unless one is named.
    let all = isas(if options.isa == "auto" { "all" } else { &options.isa })?;
    let isas = isas(&options.isa)?;
    let scenes = if names.is_empty() && !other.is_empty() { Vec::new() } else { chosen(&names)? };
    for name in &other {
        if let Some(kind) = bodies::kind(name) {
            bodies::run(name, kind, options, &all)?;
        } else if name == ragdoll::NAME {
            ragdoll::run(options, &isas)?;
        } else if name == contact::NAME {
            contact::run(options, &isas)?;
        } else if name == octopus::NAME {
            octopus::run(options, &isas)?;
        } else if name == narrow::NAME {
            narrow::run(options)?;
        } else if name == volume::NAME {
            volume::run(options, &isas)?;
        } else if name == hair::NAME {
            hair::run(options, &isas)?;
        } else if name == swing::NAME {
            swing::run(options, &isas)?;
        } else if name == skin::NAME {
            skin::run(options, &isas)?;
        } else {
            der::run(name, options, &isas)?;
        }
    }
    if scenes.is_empty() {
        return Ok(());
    }
    if !options.json {
        println!(
            "one iteration of one edge: length, bisector, ghost distance, three rows of bend and twist; times of whole steps"
        );
        println!("{HEAD}");
    }
    for scene in scenes {
        for &isa in &isas {
            for &threads in &options.threads {
                let row = measure(scene, isa, threads, options.seconds)?;
                println!("{}", if options.json { row.json() } else { row.text() });
            }
        }
    }
    Ok(())
}

fn chosen(names: &[String]) -> Result<Vec<&'static Scene>> {
    if names.is_empty() {
        return Ok(vec![&SCENES[0]]);
    }
    let mut scenes = Vec::new();
    for name in names {
        match name.as_str() {
            "ghost" => scenes.push(&SCENES[0]),
            "direct" => scenes.push(&SCENES[1]),
            "all" => scenes.extend(&SCENES),
            _ => match SCENES.iter().find(|s| s.name == name) {
                Some(scene) => scenes.push(scene),
                None => return Err(format!("no bench is called {name}; `withy bench list` names them").into()),
            },
        }
    }
    Ok(scenes)
}

fn isas(name: &str) -> Result<Vec<Option<Isa>>> {
    match (name, Isa::from_name(name)) {
        ("auto", _) => Ok(vec![None]),
        ("all", _) => Ok(Isa::ALL.into_iter().filter(|isa| isa.available()).map(Some).collect()),
        (_, Some(isa)) if isa.available() => Ok(vec![Some(isa)]),
        (_, Some(isa)) => Err(format!("--isa {name}: this machine does not have {}", isa.name()).into()),
        _ => Err(format!("--isa {name}: not one of scalar, sse2, avx2, avx512, neon, auto, all").into()),
    }
}

/// s: one of the eight substeps of a 60 Hz frame, which is what a host would run.
const DT: f64 = 1.0 / 480.0;

fn measure(scene: &'static Scene, isa: Option<Isa>, threads: u32, seconds: f64) -> Result<Row> {
    let desc = WorldDesc { substeps: 1, iterations: scene.iterations, isa, ..WorldDesc::default() };
    let world = World::new(&desc, if threads == 1 { 0 } else { threads })?;
    let rods: Rods = world.add_rods(&groom(scene))?;
    let step = || -> Result<f64> {
        let begin = Instant::now();
        world.step(DT)?;
        Ok(begin.elapsed().as_secs_f64())
    };
    // The first steps fault pages in and let the strands fall into place.
    for _ in 0..10 {
        step()?;
    }
    let begin = Instant::now();
    let mut times = Vec::new();
    while times.len() < 9 || begin.elapsed().as_secs_f64() < seconds {
        times.push(step()?);
    }
    times.sort_unstable_by(f64::total_cmp);
    let strain = rods.strain()?.into_iter().fold(0.0, |largest: f64, s| largest.max(s.abs()));
    let backend = world.backend()?;
    let backend = backend.split_whitespace().next().unwrap_or("cpu").trim_end_matches([',', ':', ';']).to_string();
    Ok(Row { scene, backend, isa: world.isa()?, threads, median: times[times.len() / 2], best: times[0], strain })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_keys_that_tools_parse() -> Result<()> {
        let row = measure(&SCENES[0], None, 1, 0.01)?;
        let line = row.json();
        let keys: Vec<&str> = line.split(['{', ',']).filter_map(|part| part.strip_prefix('"')?.split('"').next()).collect();
        assert_eq!(
            keys,
            [
                "bench",
                "scene",
                "backend",
                "isa",
                "threads",
                "strands",
                "edges",
                "iterations",
                "ns_per_edge_iteration",
                "ms_per_step",
                "stretch_residual"
            ]
        );
        assert!(row.strain.is_finite() && row.strain < 2.0, "{line}");
        Ok(())
    }
}
