//! `withy simulate`: a groom from a file to a cache and pictures, stepped through the C ABI. `docs/command_line.md` is the manual.

pub mod groom;
pub(crate) mod hairs;
pub mod head;
mod picture;

#[cfg(test)]
mod cache_tests;

use crate::Result;
use crate::abi::{self, Rods, World};
use crate::args::{Model, Order, Simulate, Solver};
use crate::render::{GifOptions, Sheet, write_gif};
use hairs::Hairs;
use head::{Head, apply};
use indicatif::{ProgressBar, ProgressStyle};
pub use picture::{DIRECTION, Pictures, Shot};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;
use withy::ffi::rest_shape::{
    WITHY_STRAND_HOLDS, WITHY_STRAND_REFUSED, WITHY_STRAND_TOO_SOFT, WITHY_STRAND_UNSTABLE, WithyElasticReport,
};
use withy::io::usd_out::{UsdCacheDef, UsdFrame, UsdMesh, UsdWriter};
use withy::io::{Groom, TriMesh, read_mesh};
use withy::world::{EndSupport, Integrator, Pose, RodModel, RodsDesc, Stiffness, SweepOrder, WorldDesc};

/// Pictures of a contact sheet.
const SHEET_FRAMES: u32 = 8;
/// A GIF's frame rate, about.
const GIF_FPS: f64 = 30.0;
/// Room for all colours of the demo: with 64 the face shows contours.
const GIF_BYTES: usize = 12_000_000;
/// Strain that is seen.
const STRETCHED: f64 = 0.1;
/// Guides keep this distance from the skin's colliders, m: half of a lock's thickness.
const CONTACT_RADIUS: f64 = 1e-3;

pub fn run(options: &Simulate) -> Result<()> {
    for (path, kinds) in [(&options.out, &["usda", "usd"][..]), (&options.preview, &["png"]), (&options.gif, &["gif"])] {
        if let Some(path) = path {
            check_kind(path, kinds)?;
            make_folder(path)?;
        }
    }
    let (groom, head) = prepare(options)?;
    let drawn = options.preview.is_some() || options.gif.is_some();
    let (groom, all) = hairs::guides(options, groom);
    let mut run = Run::new(options, &groom, &head, hairs::Wanted::new(options, &groom, all.as_ref(), drawn))?;
    println!("{}: {} strands, {} vertices on {}", options.file, groom.counts.len(), groom.points.len(), run.on()?);
    if let Some(hairs) = &run.hairs {
        println!("{}", hairs.says(&groom));
        if options.out.is_some() && !hairs.is_cached {
            println!("the cache has the guides alone (--render-hairs)");
        }
    }
    run.name_degenerate()?;
    let wanted = run.wanted();
    let shots = run.frames(&|frame| wanted.contains(&frame))?;
    run.pictures(&shots)?;
    println!("{}", run.summary()?);
    if options.hash {
        println!("state_hash={:016x}", run.world.state_hash()?);
    }
    run.check()
}

/// A simulation that is over.
#[derive(Clone)]
pub struct Done {
    pub groom: Groom,
    pub head: Head,
    pub shots: Vec<Shot>,
    /// Vertices of each render strand, and the guide that it follows; empty without.
    pub hair_counts: Vec<u32>,
    pub hair_guides: Vec<u32>,
    pub summary: String,
    /// How the rest shape of each strand was found, in the order of the groom; empty without.
    pub reports: Vec<WithyElasticReport>,
}

/// Steps all frames and keeps those that `want` names, for a scene to draw.
pub fn simulate(options: &Simulate, want: &dyn Fn(u32) -> bool) -> Result<Done> {
    let (groom, head) = prepare(options)?;
    let (groom, all) = hairs::guides(options, groom);
    let mut run = Run::new(options, &groom, &head, hairs::Wanted::new(options, &groom, all.as_ref(), false))?;
    let shots = run.frames(want)?;
    let hairs = run.hairs.take();
    run.check()?;
    let summary = run.summary()?;
    let reports = run.reports()?;
    let (hair_counts, hair_guides) = hairs.map_or_else(Default::default, |h| (h.counts, h.guides));
    Ok(Done { groom, head, shots, hair_counts, hair_guides, summary, reports })
}

/// Degenerate strands shorter than this share of the median are dropped: nobody sees them, and a guide's section is many times
/// their length.
const STUB: f32 = 0.01;

/// The groom in metres, without the strands that cannot be simulated, and what it grows on.
pub(crate) fn prepare(options: &Simulate) -> Result<(Groom, Head)> {
    let source = groom::read(&options.file, &groom::ReadAs { strands: options.strands, vertices: options.vertices })?;
    let unit = options.unit.unwrap_or_else(|| source.groom.guessed_unit());
    if options.unit.is_none() && source.groom.meters_per_unit.is_none() {
        eprintln!("{}: states no unit, taken as {unit} m by its size (--unit M)", options.file);
    }
    let mut groom = without_stubs(&source.groom).to_metres_y_up(unit);
    if options.free_tips {
        groom.held_tips.clear();
    } else if !groom.held_tips.is_empty() {
        eprintln!(
            "{}: it holds {} tips, which move with the head (--free-tips lets them go)",
            options.file,
            groom.held_tips.len()
        );
    }
    for what in &groom.dropped {
        eprintln!("{}: not read: {what}", options.file);
    }
    if source.groom.meters_per_unit.is_none() && options.unit.is_none() && !groom.widths.is_empty() {
        eprintln!("{}: its widths have no unit, a guide has a radius of {LOCK} m (--unit M, --radius M)", options.file);
        groom.widths.clear();
    }
    tell_widths(options, &groom);
    if groom.counts.is_empty() {
        return Err(format!("{}: no strand that can be simulated", options.file).into());
    }
    if !groom.closed.is_empty() {
        eprintln!("{} closed strands are simulated as open ones, from their first to their last vertex", groom.closed.len());
    }
    let mesh = match &options.head {
        Some(path) => {
            let mesh = read_mesh(path).map_err(|e| format!("--head {e}"))?;
            if mesh.triangles.is_empty() {
                return Err(format!("--head {}: there is no triangle in it", path.display()).into());
            }
            let mesh = in_metres(mesh, &source.groom, unit);
            tell_elsewhere(path, &mesh, &groom);
            Some(mesh)
        }
        None => None,
    };
    let head = Head::new(&source, &groom, mesh, unit, options.motion);
    Ok((groom, head))
}

/// Drops and names what [`Groom::cleaned`] drops, and stubs.
fn without_stubs(groom: &Groom) -> Groom {
    let cleaned = groom.cleaned();
    let report = cleaned.groom.validate();
    let lengths = cleaned.groom.strand_lengths();
    let stubs: Vec<u32> = report.degenerate_strands();
    let stubs: Vec<u32> = stubs.into_iter().filter(|&s| lengths[s as usize] < STUB * report.median_strand).collect();
    let mut names: Vec<String> = cleaned.dropped.iter().map(ToString::to_string).collect();
    let name = |&s: &u32| {
        format!("strand {} is {:e} long, the median {}", cleaned.source[s as usize], lengths[s as usize], report.median_strand)
    };
    names.extend(stubs.iter().map(name));
    for name in names.iter().take(5) {
        eprintln!("dropped: {name}");
    }
    if names.len() > 5 {
        eprintln!("dropped: {} more strands", names.len() - 5);
    }
    let kept: Vec<u32> = (0..lengths.len() as u32).filter(|s| stubs.binary_search(s).is_err()).collect();
    cleaned.groom.only(&kept)
}

/// What is written must be what other programs take the name for.
fn check_kind(path: &Path, kinds: &[&str]) -> Result<()> {
    let kind = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match kinds.contains(&kind.as_str()) {
        true => Ok(()),
        false => Err(format!("{}: does not end in .{}, which is what would be written", path.display(), kinds[0]).into()),
    }
}

fn make_folder(path: &Path) -> Result<()> {
    match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => {
            let what = dir.ancestors().find(|d| d.is_file());
            if let Some(file) = what {
                return Err(format!("{}: {} is a file, not a folder", path.display(), file.display()).into());
            }
            std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()).into())
        }
        _ => Ok(()),
    }
}

/// Says so if hair does not grow on a mesh: it lies elsewhere, or is of quite another size.
fn tell_elsewhere(path: &Path, mesh: &TriMesh, groom: &Groom) {
    let around = |points: &mut dyn Iterator<Item = [f32; 3]>| {
        let empty = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        points
            .fold(empty, |(low, high), p| (std::array::from_fn(|k| low[k].min(p[k])), std::array::from_fn(|k| high[k].max(p[k]))))
    };
    let size = |(low, high): &([f32; 3], [f32; 3])| (0..3).map(|k| high[k] - low[k]).fold(0.0, f32::max);
    let roots = around(&mut groom.ranges().map(|r| groom.points[r.start]));
    let head = around(&mut mesh.points.iter().copied());
    let (ratio, room) = (size(&head) / size(&roots).max(1e-6), 0.25 * size(&roots));
    let apart = (0..3).any(|k| head.0[k] > roots.1[k] + room || roots.0[k] > head.1[k] + room);
    if apart || !(0.5..50.0).contains(&ratio) {
        eprintln!(
            "--head {}: hair does not seem to grow there: it is {:.3} m large and {}, the roots take up {:.3} m. It is read in the \
             groom's unit and axes",
            path.display(),
            size(&head),
            if apart { "lies elsewhere" } else { "lies around them" },
            size(&roots)
        );
    }
}

/// A mesh beside a groom has the groom's unit and axes.
fn in_metres(mesh: TriMesh, groom: &Groom, unit: f64) -> TriMesh {
    let like =
        Groom { points: mesh.points, ..Groom { points: Vec::new(), counts: Vec::new(), widths: Vec::new(), ..groom.clone() } };
    TriMesh { points: like.to_metres_y_up(unit).points, triangles: mesh.triangles }
}

/// Whether an iteration is a step of Newton's method; the roots are held.
fn is_direct(options: &Simulate) -> bool {
    options.model == Model::Der || options.solver != Solver::Sweeps
}

fn order(options: &Simulate) -> SweepOrder {
    match options.solver {
        Solver::Auto => SweepOrder::Auto,
        Solver::Sweeps => SweepOrder::Alternating,
        Solver::Direct => SweepOrder::Direct,
    }
}

/// Section radius of a guide, m: a lock of some thirty hairs.
const LOCK: f64 = 2e-4;

/// Section radii: the host's, or half of the file's widths. What is as thin as a hair stands for a lock: so that the guides of a head
/// move as its hair does, and not as two thousand single hairs.
fn radii(options: &Simulate, groom: &Groom) -> Vec<f64> {
    if let Some(radius) = options.radius {
        return vec![radius];
    }
    let all: Vec<f64> =
        (0..groom.points.len()).map(|k| groom.width(k).map_or(LOCK, |w| (0.5 * f64::from(w)).max(LOCK))).collect();
    match all.iter().any(|&r| r > LOCK) {
        true => all,
        false => vec![LOCK],
    }
}

/// From here on a cache, in bytes, is more than most want: it is said how to halve it.
const LARGE_CACHE: u64 = 100_000_000;
/// Bytes of a point, or of a velocity, in a cache, which is text (measured with `:head`).
const TEXT_POINT: u64 = 41;

/// Says what the file's widths were taken for.
fn tell_widths(options: &Simulate, groom: &Groom) {
    let (Some(thinnest), Some(thickest), None) =
        (groom.widths.iter().copied().reduce(f32::min), groom.widths.iter().copied().reduce(f32::max), options.radius)
    else {
        return;
    };
    if 0.5 * f64::from(thickest) > LOCK {
        eprintln!("section radii are half of the file's widths, {thinnest} to {thickest} m, and {LOCK} m at least (--radius)");
    } else {
        eprintln!(
            "a guide stands for a lock of hair: its section radius is {LOCK} m, not the groom's {} m (--radius)",
            0.5 * thickest
        );
    }
}

/// How the guides are described to the library.
pub fn rods_desc(options: &Simulate, groom: &Groom, tip: EndSupport) -> RodsDesc {
    let radii = radii(options, groom);
    let thickest = radii.iter().copied().fold(0.0, f64::max);
    // What is thick touches where it is.
    let collision_radius = if radii.len() > 1 && CONTACT_RADIUS < thickest { 0.0 } else { CONTACT_RADIUS.max(radii[0]) };
    RodsDesc {
        positions: groom.points.iter().map(|p| p.map(f64::from)).collect(),
        counts: groom.counts.clone(),
        radii,
        // Keratin's shear modulus is about 0.4 of Young's, as of any isotropic material.
        stiffness: Stiffness::Physical { young: options.young, shear: 0.4 * options.young },
        density: options.density,
        root: EndSupport::Clamped,
        tip,
        damping: options.damping,
        drag: options.drag,
        friction: 0.3,
        collision_radius,
        model: if options.model == Model::Der { RodModel::Der } else { RodModel::Ghost },
        order: order(options),
        integrator: match options.integrator {
            Order::Auto => Integrator::Auto,
            Order::First => Integrator::First,
            Order::Second => Integrator::Second,
        },
        iterations: options.iterations.unwrap_or(0),
        ..RodsDesc::default()
    }
}

/// The strands of the groom whose tips are free, or those whose tips are held: a set of rods has one kind of support.
pub(crate) struct Part {
    pub rods: Rods,
    tip: EndSupport,
    /// Of the groom, ascending.
    strands: Vec<u32>,
    pub groom: Groom,
}

impl Part {
    /// Moves the ends with the head.
    fn drive(&self, head: Pose) -> Result<()> {
        let at = |vertex: usize| apply(head, self.groom.points[vertex].map(f64::from));
        let rotations = vec![head.rotation; self.strands.len()];
        let roots: Vec<[f64; 3]> = self.groom.ranges().map(|r| at(r.start)).collect();
        self.rods.set_roots(&roots, &rotations)?;
        if self.tip != EndSupport::Free {
            let tips: Vec<[f64; 3]> = self.groom.ranges().map(|r| at(r.end - 1)).collect();
            self.rods.set_tips(&tips, &rotations)?;
        }
        Ok(())
    }
}

/// A simulation under way.
pub(crate) struct Run {
    options: Simulate,
    pub groom: Groom,
    pub head: Head,
    pub world: World,
    pub parts: Vec<Part>,
    colliders: Vec<crate::abi::Collider>,
    pub hairs: Option<Hairs>,
    stepping: f64,
}

fn bar(length: u64, what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:10} {bar:40} {pos}/{len}  {elapsed} ({eta} left)");
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())).with_message(what.to_string())
}

/// Finds the rest shapes, and says how well they hold.
fn optimize(rods: Rods, options: &Simulate) -> Result<()> {
    let begin = Instant::now();
    let progress = bar(0, "rest shape");
    rods.optimize_rest_shape(1.0 / options.fps, options.stiffen.unwrap_or(0.0), &|done, all| {
        progress.set_length(u64::from(all));
        progress.set_position(u64::from(done));
    })?;
    progress.finish_and_clear();
    let (reports, seconds) = (rods.elastic_report()?, begin.elapsed().as_secs_f64());
    let count = |is: &dyn Fn(&WithyElasticReport) -> bool| reports.iter().filter(|r| is(r)).count();
    let [held, unstable, soft, refused] =
        [WITHY_STRAND_HOLDS, WITHY_STRAND_UNSTABLE, WITHY_STRAND_TOO_SOFT, WITHY_STRAND_REFUSED]
            .map(|a| count(&|r| r.answer == a));
    println!(
        "rest shapes in {:.2} s, {:.2} ms a strand: {held} of {} strands hold, {unstable} are unstable, {soft} too soft, {refused} refused",
        seconds,
        1e3 * seconds / reports.len().max(1) as f64,
        reports.len(),
    );
    Ok(())
}

impl Run {
    pub fn new(options: &Simulate, groom: &Groom, head: &Head, wanted: hairs::Wanted) -> Result<Run> {
        // A sweep carries weight through a strand, but a correction only a few edges: longer strands need more.
        let direct = is_direct(options);
        let longest = groom.counts.iter().copied().max().unwrap_or(0);
        let desc = WorldDesc {
            gravity: [0.0, -options.gravity, 0.0],
            substeps: options.substeps.unwrap_or(if direct { 8 } else { (longest / 2).clamp(8, 64) }),
            iterations: options.iterations.unwrap_or(4),
            isa: options.isa.0,
            backend: options.backend.choice(),
            double_precision: options.double,
            ..WorldDesc::default()
        };
        let threads = match options.threads {
            0 => withy::ffi::context::WITHY_THREADS_ALL,
            1 => 0,
            n => n,
        };
        let world = World::new(&desc, threads)?;
        let is_held = |s: &u32| groom.held_tips.binary_search(s).is_ok();
        let (held, free): (Vec<u32>, Vec<u32>) = (0..groom.counts.len() as u32).partition(is_held);
        let mut parts = Vec::new();
        for (strands, tip) in [(free, EndSupport::Free), (held, EndSupport::Clamped)] {
            if !strands.is_empty() {
                let groom = groom.only(&strands);
                let rods = world.add_rods(&rods_desc(options, &groom, tip))?;
                if options.sag_free {
                    optimize(rods, options)?;
                }
                parts.push(Part { rods, tip, strands, groom });
            }
        }
        let colliders = if options.no_collision { Vec::new() } else { head.add_colliders(&world)? };
        let hairs = Hairs::new(&world, &parts, wanted)?;
        let (options, groom, head) = (options.clone(), groom.clone(), head.clone());
        Ok(Run { options, groom, head, world, parts, colliders, hairs, stepping: 0.0 })
    }

    fn on(&self) -> Result<String> {
        let memory = self.world.memory()? as f64 / self.groom.points.len() as f64;
        let backend = self.world.backend()?;
        let isa = if backend.starts_with("cpu") { format!(", {}", self.world.isa()?.name()) } else { String::new() };
        Ok(format!("{backend}{isa}, {memory:.0} bytes a vertex"))
    }

    /// What the library found to be degenerate at creation.
    fn name_degenerate(&self) -> Result<()> {
        for part in &self.parts {
            let issues = part.rods.report()?;
            if let Some(first) = issues.first() {
                let strand = part.strands[first.strand as usize];
                eprintln!("{} degenerate places, first in simulated strand {strand} at vertex {}", issues.len(), first.vertex);
            }
        }
        Ok(())
    }

    /// m, in the order of the groom.
    pub fn positions(&self) -> Result<Vec<[f32; 3]>> {
        self.vertices(Rods::positions_f32)
    }

    /// m/s, in the order of the groom.
    fn velocities(&self) -> Result<Vec<[f32; 3]>> {
        self.vertices(Rods::velocities_f32)
    }

    /// Hair between the guides has no velocity of its own: what a renderer takes from two samples of its points is as good.
    fn has_velocities(&self) -> bool {
        !self.hairs.as_ref().is_some_and(|h| h.is_cached)
    }

    /// What `read` gives of the vertices, in the order of the groom.
    fn vertices(&self, read: fn(Rods) -> abi::Result<Vec<[f32; 3]>>) -> Result<Vec<[f32; 3]>> {
        if let [part] = self.parts.as_slice() {
            return Ok(read(part.rods)?);
        }
        let ranges: Vec<_> = self.groom.ranges().collect();
        let mut all = vec![[0.0; 3]; self.groom.points.len()];
        for part in &self.parts {
            let points = read(part.rods)?;
            for (&strand, own) in part.strands.iter().zip(part.groom.ranges()) {
                all[ranges[strand as usize].clone()].copy_from_slice(&points[own]);
            }
        }
        Ok(all)
    }

    /// As [`Done::reports`].
    fn reports(&self) -> Result<Vec<WithyElasticReport>> {
        let mut all: Vec<(u32, WithyElasticReport)> = Vec::new();
        for part in &self.parts {
            all.extend(part.strands.iter().copied().zip(part.rods.elastic_report()?));
        }
        all.sort_by_key(|r| r.0);
        Ok(all.into_iter().map(|r| r.1).collect())
    }

    /// Moves everything that the head carries to where it is after `frame` frames.
    pub fn drive(&self, head: Pose) -> Result<()> {
        for part in &self.parts {
            part.drive(head)?;
        }
        self.head.move_colliders(&self.colliders, head)
    }

    fn gif_every(&self) -> u32 {
        (self.options.fps / GIF_FPS).round().max(1.0) as u32
    }

    /// The frames of the contact sheet, evenly from the first to the last.
    fn sheet_frames(&self) -> BTreeSet<u32> {
        let n = SHEET_FRAMES.min(self.options.frames + 1);
        (0..n).map(|k| (u64::from(self.options.frames) * u64::from(k) / u64::from(n.max(2) - 1)) as u32).collect()
    }

    fn wanted(&self) -> BTreeSet<u32> {
        let mut wanted = BTreeSet::new();
        if self.options.preview.is_some() {
            wanted.extend(self.sheet_frames());
        }
        if self.options.gif.is_some() {
            wanted.extend((0..=self.options.frames).step_by(self.gif_every() as usize));
        }
        wanted
    }

    fn cache(&self) -> Result<Option<UsdWriter>> {
        let Some(path) = &self.options.out else { return Ok(None) };
        let mut groom = Groom { closed: Vec::new(), ..self.groom.clone() };
        if let Some(hairs) = self.hairs.as_ref().filter(|h| h.is_cached) {
            groom.points = hairs.hair.positions()?;
            groom.counts = hairs.counts.clone();
            groom.held_tips.clear();
            // The file's widths are those of its own strands.
            groom.widths = hairs.widths.clone();
        }
        if groom.widths.is_empty() {
            groom.widths = vec![2.0 * Pictures::drawn_radius(&groom.points, groom.counts.len())];
        }
        let head = self.head.mesh.as_ref().map(|mesh| UsdMesh { name: "Head", mesh, is_animated: true, color: None });
        let meshes: Vec<UsdMesh> = head.into_iter().collect();
        let def = UsdCacheDef {
            groom: &groom,
            fps: self.options.fps / f64::from(self.options.cache_every),
            start: 0.0,
            has_velocities: self.has_velocities(),
            is_unreal_groom: true,
            meshes: &meshes,
        };
        let strands = groom.points.len() * if self.has_velocities() { 2 } else { 1 };
        let points = strands + self.head.mesh.as_ref().map_or(0, |m| m.points.len());
        let samples = 1 + u64::from(self.options.frames / self.options.cache_every);
        let expected = TEXT_POINT * points as u64 * samples;
        if expected > LARGE_CACHE {
            println!(
                "{} will have about {:.0} MB, as it is text: --cache-every {} halves that, and a 3D program interpolates between the \
                 samples",
                path.display(),
                expected as f64 / 1e6,
                2 * self.options.cache_every
            );
        }
        Ok(Some(UsdWriter::begin(path, &def)?))
    }

    /// Steps all frames; returns those that pictures need.
    fn frames(&mut self, want: &dyn Fn(u32) -> bool) -> Result<Vec<Shot>> {
        let mut cache = self.cache()?;
        let mut shots = Vec::new();
        let progress = bar(u64::from(self.options.frames), "simulate");
        for frame in 0..=self.options.frames {
            let pose = self.head.pose(f64::from(frame) / self.options.fps);
            if frame > 0 {
                self.drive(pose)?;
                let begin = Instant::now();
                self.world.step(1.0 / self.options.fps)?;
                self.stepping += begin.elapsed().as_secs_f64();
                progress.inc(1);
            }
            let cached = cache.is_some() && frame % self.options.cache_every == 0;
            if !cached && !want(frame) {
                continue;
            }
            let points = self.positions()?;
            let hair = match &self.hairs {
                Some(h) if want(frame) || h.is_cached => h.hair.positions()?,
                _ => Vec::new(),
            };
            if let (true, Some(cache)) = (cached, &mut cache) {
                let points = if self.hairs.as_ref().is_some_and(|h| h.is_cached) { &hair } else { &points };
                let moved: Vec<Vec<[f32; 3]>> =
                    self.head.mesh.iter().map(|m| m.points.iter().map(|&p| head::apply_f32(pose, p)).collect()).collect();
                let meshes: Vec<&[[f32; 3]]> = moved.iter().map(Vec::as_slice).collect();
                let velocities = if self.has_velocities() { self.velocities()? } else { Vec::new() };
                cache.frame(&UsdFrame { points, velocities: &velocities, meshes: &meshes })?;
            }
            if want(frame) {
                shots.push(Shot { frame, points, hair, head: pose });
            }
        }
        progress.finish_and_clear();
        if let (Some(cache), Some(path)) = (cache, &self.options.out) {
            let bytes = cache.finish()?;
            println!("wrote {} ({:.1} MB)", path.display(), bytes as f64 / 1e6);
        }
        Ok(shots)
    }

    fn pictures(&self, shots: &[Shot]) -> Result<()> {
        if shots.is_empty() {
            return Ok(());
        }
        let o = &self.options;
        let name = Path::new(&o.file).file_stem().map_or(o.file.clone(), |s| s.to_string_lossy().into_owned());
        let subtitle = match &self.hairs {
            Some(hairs) => hairs.says(&self.groom),
            None => format!("{} strands, {} vertices", self.groom.counts.len(), self.groom.points.len()),
        };
        let hair_counts = self.hairs.as_ref().map_or(&[][..], |h| &h.counts);
        let pictures = Pictures { counts: &self.groom.counts, hair_counts, head: &self.head, size: o.size };
        if let Some(path) = &o.preview {
            let frames: Vec<&Shot> = shots.iter().filter(|s| self.sheet_frames().contains(&s.frame)).collect();
            let progress = bar(frames.len() as u64, "sheet");
            let mut sheet = Sheet::new(name.trim_start_matches(':'), &subtitle, 4);
            for (shot, image) in frames.iter().zip(pictures.images(&frames, shots, &|| progress.inc(1))?) {
                sheet.push_frame(image, shot.frame, f64::from(shot.frame) / o.fps);
            }
            sheet.compose()?.write_png(path)?;
            progress.finish_and_clear();
            println!("wrote {}", path.display());
        }
        if let Some(path) = &o.gif {
            let frames: Vec<&Shot> = shots.iter().filter(|s| s.frame % self.gif_every() == 0).collect();
            let progress = bar(frames.len() as u64, "gif");
            let images = pictures.images(&frames, shots, &|| progress.inc(1))?;
            let fps = (o.fps / f64::from(self.gif_every())) as f32;
            write_gif(path, &images, &GifOptions { fps, max_bytes: GIF_BYTES })?;
            progress.finish_and_clear();
            println!("wrote {}", path.display());
        }
        Ok(())
    }

    fn summary(&self) -> Result<String> {
        let stats = self.world.stats()?;
        let mut text = format!(
            "{} frames, {:.2} ms of stepping a frame; largest strain {:.1e}",
            self.options.frames,
            1e3 * self.stepping / f64::from(self.options.frames.max(1)),
            stats.largest_strain
        );
        let most = self.parts.iter().find(|p| p.rods.handle().bits == stats.largest_strain_rods.bits);
        if let (true, Some(part)) = (stats.largest_strain > STRETCHED, most) {
            let strand = part.strands[stats.largest_strain_strand as usize];
            text += &format!(" in strand {strand} (raise --substeps, unless a collider covers its root)");
        }
        if stats.limited_strands > 0 || stats.kinked_strands > 0 {
            text += &format!("; {} strands at the speed limit, {} kinked", stats.limited_strands, stats.kinked_strands);
        }
        Ok(text)
    }

    pub fn check(&self) -> Result<()> {
        match self.world.stats()?.non_finite_strands {
            0 => Ok(()),
            n => Err(format!("{n} strands are no longer finite").into()),
        }
    }
}
