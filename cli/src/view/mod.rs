//! `withy view`: a groom or a scene in a window, in real time. `docs/command_line.md` is the manual.
//!
//! ```text
//! window (winit) ── Input ──→ app (camera, mouse, time) ──→ subject: groom (C interface) | world (a scene's own)
//!    └── draw (wgpu) ←── Scene ───┘        ↑
//!           └── panel (egui) ── settings ──┘
//! ```

pub mod app;
pub mod draw;
mod groom;
mod orbit;
mod panel;
mod subject;
mod window;
mod world;

pub use subject::{Settings, Subject};

use crate::Result;
use crate::args::{Cli, Command, Motion, View};
use crate::scenes::SCENES;
use crate::scenes::live::{LIVE, Live, names};
use app::App;
use clap::Parser;
use std::path::Path;
use std::time::Instant;

/// Frames before a picture is taken, if not given.
const FRAMES: u32 = 60;

pub fn run(view: &View) -> Result<()> {
    if view.what == "list" {
        println!("{}", names());
        return Ok(());
    }
    let mut app = App::new(subject(view)?, view.size)?;
    let title = format!("withy view {}", view.what);
    if let Some(path) = &view.screenshot {
        return screenshot(&mut app, view, path);
    }
    let app = window::open(app, title, view.frames)?;
    let grabbed = app.grabs;
    println!("{}; {grabbed} times something was grabbed", app.status());
    Ok(())
}

/// So many steps, then a picture of the window as it would be.
fn screenshot(app: &mut App, view: &View, path: &Path) -> Result<()> {
    let (width, height) = view.size;
    if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
        return Err(format!("{}: does not end in .png, which is what would be written", path.display()).into());
    }
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let mut canvas = draw::Canvas::new((width, height))?;
    for _ in 0..view.frames.unwrap_or(FRAMES) {
        app.step()?;
    }
    let begin = Instant::now();
    canvas.draw(app)?;
    app.times.draw = begin.elapsed().as_secs_f64();
    canvas.draw(app)?.write_png(path)?;
    println!("{}; {}", canvas.gpu.name, app.status());
    println!("wrote {}", path.display());
    Ok(())
}

/// What `what` names: a live scene, or a groom.
pub fn subject(view: &View) -> Result<Box<dyn Subject>> {
    let threads = match view.threads {
        0 => std::thread::available_parallelism()?.get(),
        n => n as usize,
    };
    if let Some((_, live)) = LIVE.iter().find(|(name, _)| *name == view.what) {
        return match live {
            Live::World(make) => Ok(Box::new(world::Shown::new(*make, threads)?)),
            Live::Groom(arguments) => Ok(Box::new(groom::Groom::new(&simulate(view, arguments()?)?)?)),
        };
    }
    if SCENES.iter().any(|s| s.name == view.what) {
        return Err(format!(
            "the scene {} compares several runs or ends with its figure, and is not shown live (`withy scene {}` draws it). Live are {}",
            view.what,
            view.what,
            names()
        )
        .into());
    }
    if !view.what.starts_with(':') && !Path::new(&view.what).exists() {
        return Err(format!("{} is neither a file nor a scene. Live scenes are {}", view.what, names()).into());
    }
    Ok(Box::new(groom::Groom::new(&simulate(view, vec![view.what.clone()])?)?))
}

/// The same as `withy simulate` has it, sag-free unless it is to be naive. What is said here goes before what the scene says.
fn simulate(view: &View, scene: Vec<String>) -> Result<crate::args::Simulate> {
    let words = ["withy".to_string(), "simulate".to_string()].into_iter().chain(scene);
    let Command::Simulate(mut options) = Cli::try_parse_from(words)?.command else { return Err("not a simulation".into()) };
    let o = &mut *options;
    (o.sag_free, o.threads, o.size) = (!view.naive, view.threads, view.size);
    o.model = view.model.unwrap_or(o.model);
    // A head of our own turns, so that there is something to see.
    let own = if o.file.starts_with(':') { Motion::Turn } else { o.motion };
    o.motion = view.motion.unwrap_or(own);
    o.strands = view.strands.unwrap_or(o.strands);
    o.vertices = view.vertices.or(o.vertices);
    o.head = view.head.clone().or(o.head.take());
    o.unit = view.unit.or(o.unit);
    o.radius = view.radius.or(o.radius);
    o.young = view.young.unwrap_or(o.young);
    o.density = view.density.unwrap_or(o.density);
    o.no_collision |= view.no_collision;
    Ok(*options)
}
