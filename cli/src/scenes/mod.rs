//! The figures of the papers as scenes: one file a figure. Each steps through the C ABI (figures 2 to 10 and 12 of the
//! sag-free paper on the layer below it: [`sagfree`]), gives pictures and the numbers that the
//! figure is about, and has a test that asserts its claim on a shorter run. `docs/scenes.md` shows them.

pub mod arm;
mod blend;
pub mod bodies;
pub mod bundle;
mod coat;
pub mod gravity;
pub mod grip;
pub mod groom;
pub mod hair;
pub mod lift;
pub mod live;
pub mod measure;
pub mod muscles;
pub mod net;
pub mod octopus;
mod paper;
pub mod pendulum;
pub mod plectoneme;
pub mod random;
pub mod ring;
pub mod sagfree;
pub mod skin;
pub mod solvers;
pub mod spring;
pub mod stage;
pub mod touch;
pub mod tree;
pub mod twist;
pub mod vibration;
pub mod volume;

use crate::Result;
use stage::Figure;
use std::path::Path;

pub struct Entry {
    pub name: &'static str,
    pub about: &'static str,
    pub figure: fn() -> Result<Figure>,
}

pub const SCENES: &[Entry] = &[
    Entry { name: "plectoneme", about: "fig. 2: a twisted rod throws a loop", figure: plectoneme::figure },
    Entry { name: "plectoneme-full", about: "fig. 2 to its end: the rod winds around itself", figure: touch::plectoneme::figure },
    Entry { name: "tentacles", about: "fig. 1: two balls with tentacles meet", figure: touch::tentacles::figure },
    Entry { name: "knot", about: "an overhand knot, drawn tight", figure: touch::knot::figure },
    Entry { name: "knots", about: "ten knots, drawn tight; the ideal trefoil (WITHY_DATA)", figure: touch::knots::figure },
    Entry { name: "lasso", about: "a noose thrown over a post and drawn tight", figure: touch::lasso::figure },
    Entry { name: "mesh-ring", about: "fig. 12: a wire mesh pulled through a ring", figure: touch::mesh_ring::figure },
    Entry { name: "talking-head", about: "hair on a mesh head that nods and talks", figure: touch::talking::figure },
    Entry { name: "rope-heap", about: "a hundred ropes fall on each other", figure: touch::heap::figure },
    Entry { name: "net", about: "fig. 6: strings joined by small rigid bodies", figure: net::figure },
    Entry { name: "tree", about: "section 5.3: branches joined by small rigid bodies, a gust", figure: tree::figure },
    Entry { name: "pendulum", about: "fig. 8 left: a cube on a rod, by a triangle", figure: pendulum::figure },
    Entry { name: "twist", about: "fig. 8 right: 90° between neighbouring edges, and back", figure: twist::figure },
    Entry { name: "ring", about: "fig. 9 top: a twisted ring leaves its plane", figure: ring::circular },
    Entry { name: "ribbon", about: "fig. 9 bottom: the same with a flat section", figure: ring::ribbon },
    Entry { name: "spring", about: "fig. 10: straight and spring, 30 edges, ten iterations", figure: spring::figure },
    Entry { name: "random", about: "fig. 11: random start", figure: random::figure },
    Entry { name: "hair", about: "fig. 13: hair design, the rest shape changes", figure: hair::figure },
    Entry { name: "gravity", about: "appendix fig. 3: gravity on ghost points, three ways", figure: gravity::figure },
    Entry { name: "vibration", about: "section 6: the naive order shakes, ours do not", figure: vibration::figure },
    Entry { name: "sag-start", about: "a groom that starts, naive and sag-free", figure: groom::sag_start },
    Entry {
        name: "sag-groom",
        about: "sag-free, fig. 11: a groom turned and stopped, naive and optimized",
        figure: groom::sag_free,
    },
    Entry {
        name: "sag-ponytail",
        about: "the ponytail at rest, naive and optimized (WITHY_DATA)",
        figure: groom::sag_free_ponytail,
    },
    Entry {
        name: "sag-sintel",
        about: "sag-free, fig. 11: Sintel's hair, naive and optimized (WITHY_DATA)",
        figure: groom::sag_free_sintel,
    },
    Entry {
        name: "sag-lock",
        about: "sag-free: a wavy lock of 1,987 USD curves, naive and optimized (WITHY_DATA)",
        figure: groom::sag_free_lock,
    },
    Entry { name: "sag-vertical", about: "sag-free, fig. 2: three hanging strands", figure: sagfree::straight::figure2 },
    Entry {
        name: "sag-optimizers",
        about: "sag-free, fig. 3: gradient descent, Newton, Gauss–Newton",
        figure: sagfree::norms::figure3,
    },
    Entry {
        name: "sag-horizontal",
        about: "sag-free, fig. 4: horizontal strands, and a push",
        figure: sagfree::straight::figure4,
    },
    Entry { name: "sag-load", about: "sag-free, fig. 5: a load on the tip", figure: sagfree::straight::figure5 },
    Entry {
        name: "sag-thousand",
        about: "sag-free, fig. 6: 1,000 vertices, with and without rest twist",
        figure: sagfree::straight::figure6,
    },
    Entry {
        name: "sag-twist",
        about: "sag-free, fig. 7: a wavy strand with and without rest twist",
        figure: sagfree::hair::figure7,
    },
    Entry { name: "sag-box", about: "sag-free, fig. 8: bounds on and off", figure: sagfree::hair::figure8 },
    Entry { name: "sag-norms", about: "sag-free, fig. 9 and table 1: three norms", figure: sagfree::norms::figure9 },
    Entry { name: "sag-coil", about: "sag-free, fig. 10: a coil whose root is shaken", figure: sagfree::hair::figure10 },
    Entry { name: "sag-thin", about: "sag-free, fig. 12: strands too thin for their pose", figure: sagfree::thin::figure },
    Entry { name: "solvers", about: "error against time, sweeps and the direct solver", figure: solvers::figure },
    Entry { name: "volume", about: "volume rods, fig. 5: stretched and pressed together", figure: volume::figure },
    Entry { name: "wave", about: "volume rods, fig. 6: a wave of radius, slow motion", figure: volume::wave::figure },
    Entry { name: "band", about: "volume rods, fig. 8: a band, drawn out and twisted", figure: volume::band::figure },
    Entry { name: "convergence", about: "volume rods, figs. 13, 14: one step", figure: volume::convergence::figure },
    Entry { name: "pinch", about: "volume rods, fig. 15: pinched, and as in Bergou 2010", figure: volume::pinch::figure },
    Entry { name: "band_fem", about: "volume rods, fig. 16: beside tetrahedra", figure: volume::spindle::figure },
    Entry { name: "octopus", about: "volume rods, fig. 7: a hundred octopuses fall into a tank", figure: octopus::figure },
    Entry { name: "lift", about: "a biceps lifts a weight", figure: lift::figure },
    Entry { name: "arm26", about: "OpenSim's arm: six muscles as rods lift the forearm (WITHY_DATA)", figure: arm::figure },
    Entry { name: "bundle", about: "bundles, figs. 9 and 10: sections that grow with their rods", figure: bundle::figure },
    Entry {
        name: "muscle-biceps",
        about: "volume rods, fig. 11: a biceps, its rods, drawn out and bent (WITHY_DATA)",
        figure: muscles::biceps,
    },
    Entry { name: "muscle-heads", about: "volume rods, fig. 12: a muscle with two heads", figure: muscles::heads },
    Entry { name: "muscle-fan", about: "volume rods, fig. 12: a muscle like a fan", figure: muscles::pectoral },
    Entry { name: "grip", about: "a tentacle curls around a post and lifts it by friction", figure: grip::figure },
    Entry { name: "skin", about: "an arm's skin over two volume rods: stretched, bent, twisted", figure: skin::figure },
    Entry { name: "arc-slump", about: "arcs, fig. 2: a torso slumps forward", figure: bodies::slump::figure },
    Entry { name: "arc-locus", about: "arcs, fig. 6: where the end of a spine can be", figure: bodies::locus::figure },
    Entry { name: "arc-push", about: "arcs, fig. 7: a pose held against a force", figure: bodies::push::figure },
    Entry { name: "arc-chain", about: "arcs: ropes of n arcs and the elastica", figure: bodies::chain::figure },
    Entry { name: "ragdoll-heap", about: "arcs, fig. 1: 30 people fall together", figure: bodies::heap::thirty },
    Entry { name: "ragdoll-heap300", about: "the same with 300", figure: bodies::heap::three_hundred },
    Entry { name: "ragdoll-residual", about: "arcs, fig. 8: joint errors after 20 iterations", figure: bodies::residual::figure },
    Entry { name: "rope-catch", about: "a net of ropes catches what falls", figure: bodies::catch::figure },
    Entry {
        name: "crane",
        about: "cables over wheels: a load is lifted, swung round and set down",
        figure: bodies::crane::figure,
    },
    Entry { name: "thrown-net", about: "a net of ropes thrown over somebody", figure: bodies::thrown::figure },
    Entry {
        name: "ragdoll-walk",
        about: "a captured walk, handed over in mid-stride (WITHY_DATA)",
        figure: bodies::walk::figure,
    },
    Entry { name: "ragdoll-jolt", about: "the same with Jolt's human (WITHY_DATA)", figure: bodies::walk::figure_jolt },
    Entry { name: "demo", about: "our own groom on a turning head", figure: groom::demo },
    Entry { name: "ponytail", about: "a game's ponytail of 4,714 strands (WITHY_DATA)", figure: groom::ponytail },
    Entry { name: "wavy", about: "a wavy lock of 1,987 USD curves (WITHY_DATA)", figure: groom::wavy },
];

pub fn run(name: &str, out: &Path) -> Result<()> {
    if name == "list" {
        SCENES.iter().for_each(|s| println!("{:<16} {}", s.name, s.about));
        return Ok(());
    }
    let chosen: Vec<&Entry> = SCENES.iter().filter(|s| name == "all" || s.name == name).collect();
    if chosen.is_empty() {
        return Err(format!("no scene is called {name}; `withy scene list` names them").into());
    }
    for entry in chosen {
        let figure = (entry.figure)().map_err(|e| format!("{}: {e}", entry.name))?;
        if let Some(file) = out.ancestors().find(|d| d.is_file()) {
            return Err(format!("--out {}: {} is a file, not a folder", out.display(), file.display()).into());
        }
        std::fs::create_dir_all(out).map_err(|e| format!("{}: {e}", out.display()))?;
        println!("{}: {}", entry.name, entry.about);
        figure.numbers.iter().for_each(|n| println!("  {n}"));
        figure.save(entry.name, out)?.iter().for_each(|file| println!("  wrote {file}"));
    }
    Ok(())
}
