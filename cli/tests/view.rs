//! `withy view`: what the mouse does, by events and without a window; pictures by numbers; and once a real window under Xvfb.
#![cfg(feature = "view")]

use clap::Parser;
use glam::{DVec3, Vec3};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use withy_cli::Result;
use withy_cli::args::{self, Cli, View};
use withy_cli::render::Image;
use withy_cli::view::app::{App, Button, Input, Key};
use withy_cli::view::draw::Canvas;
use withy_cli::view::subject;

fn options(arguments: &[&str]) -> View {
    let words = ["withy", "view"].iter().chain(arguments);
    match Cli::parse_from(words).command {
        args::Command::View(view) => *view,
        other => panic!("{other:?}"),
    }
}

fn app(arguments: &[&str]) -> Result<App> {
    let view = options(arguments);
    App::new(subject(&view)?, view.size)
}

const STILL: [&str; 9] = [":head", "--strands", "300", "--motion", "still", "--threads", "1", "--size", "900x600"];

/// Vertices of the hair.
fn hair(app: &App) -> Result<Vec<Vec3>> {
    Ok(app.scene()?.curves[0].points.iter().map(|p| Vec3::from(*p)).collect())
}

/// The vertex nearest to the eye: nothing is in front of it.
fn nearest(app: &App, points: &[Vec3]) -> usize {
    let eye = app.camera().eye;
    let order = |a: &usize, b: &usize| points[*a].distance(eye).total_cmp(&points[*b].distance(eye));
    // Of 24 vertices, not one near the root.
    (0..points.len()).filter(|v| v % 24 > 12).min_by(order).expect("hair")
}

fn mouse_to(app: &mut App, [x, y]: [f32; 2]) -> Result<()> {
    app.input(Input::Move { x, y })
}

#[test]
fn grabbing_moves_a_strand_and_letting_go_frees_it() -> Result<()> {
    let mut app = app(&STILL)?;
    (0..5).try_for_each(|_| app.step())?;
    let before = hair(&app)?;
    let vertex = nearest(&app, &before);
    let pixel = app.pixel(before[vertex].to_array());
    let mut other = self::app(&STILL)?;
    (0..35).try_for_each(|_| other.step())?;

    mouse_to(&mut app, pixel)?;
    app.input(Input::Press(Button::Left))?;
    assert_eq!(app.grabs, 1);
    assert!(app.held.as_deref().is_some_and(|h| h.contains("strand")), "{:?}", app.held);
    mouse_to(&mut app, [pixel[0] + 60.0, pixel[1] + 25.0])?;
    (0..30).try_for_each(|_| app.step())?;
    let (held, free) = (hair(&app)?, hair(&other)?);
    let moved = held.iter().zip(&free).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(moved > 0.01, "by {moved} m");
    // What is held goes to the mouse: the picture of the strand is nearer to it than it was.
    let ray = app.ray();
    let off = |p: Vec3| {
        let w = p.as_dvec3() - ray.eye;
        (w - ray.direction * w.dot(ray.direction)).length()
    };
    assert!(off(held[vertex]) < 0.5 * off(before[vertex]), "{} of {}", off(held[vertex]), off(before[vertex]));
    // Most of the hair stays where it is.
    let stay = held.iter().zip(&free).filter(|(a, b)| a.distance(**b) < 1e-3).count();
    assert!(stay as f64 > 0.8 * held.len() as f64, "{stay} of {}", held.len());

    app.input(Input::Release(Button::Left))?;
    assert!(app.held.is_none());
    (0..180).try_for_each(|_| app.step())?;
    let back = hair(&app)?[vertex].distance(before[vertex]);
    assert!(back < 0.4 * held[vertex].distance(before[vertex]), "{back}");
    Ok(())
}

#[test]
fn a_body_is_dragged_and_let_go() -> Result<()> {
    let mut app = app(&["rope-catch", "--threads", "1", "--size", "900x600"])?;
    // The first of the primitives after the floor is the lowest ball.
    let ball = |app: &App| -> Result<DVec3> {
        let scene = app.scene()?;
        let found = scene.primitives.iter().find_map(|p| match p {
            withy_cli::render::Primitive::Sphere { center, .. } => Some(Vec3::from(*center).as_dvec3()),
            _ => None,
        });
        Ok(found.expect("a ball"))
    };
    let before = ball(&app)?;
    let pixel = app.pixel(before.as_vec3().to_array());
    mouse_to(&mut app, pixel)?;
    app.input(Input::Press(Button::Left))?;
    assert_eq!(app.held.as_deref(), Some("a body"));
    mouse_to(&mut app, [pixel[0] + 80.0, pixel[1] - 40.0])?;
    (0..40).try_for_each(|_| app.step())?;
    let held = ball(&app)?;
    assert!(held.y > before.y && held.distance(before) > 0.1, "{before} {held}");
    app.input(Input::Release(Button::Left))?;
    (0..30).try_for_each(|_| app.step())?;
    assert!(ball(&app)?.y < held.y - 0.2);
    Ok(())
}

#[test]
fn the_camera_turns_where_nothing_is_and_with_the_right_button() -> Result<()> {
    let mut app = app(&STILL)?;
    for (button, at) in [(Button::Left, [5.0, 5.0]), (Button::Right, [400.0, 300.0])] {
        let eye = app.camera().eye;
        mouse_to(&mut app, at)?;
        app.input(Input::Press(button))?;
        mouse_to(&mut app, [at[0] + 100.0, at[1]])?;
        app.input(Input::Release(button))?;
        assert!(app.camera().eye.distance(eye) > 0.1);
        let eye = app.camera().eye;
        mouse_to(&mut app, [0.0, 0.0])?;
        assert_eq!(app.camera().eye, eye);
    }
    assert_eq!(app.grabs, 0);
    let distance = |app: &App| app.camera().eye.distance(app.camera().target);
    let far = distance(&app);
    app.input(Input::Wheel(2.0))?;
    assert!(distance(&app) < 0.8 * far);
    Ok(())
}

#[test]
fn time_stands_still_when_paused_and_settings_act() -> Result<()> {
    let mut app = app(&STILL)?;
    app.advance(1.0 / 60.0)?;
    assert!((app.seconds - 1.0 / 60.0).abs() < 1e-9);
    app.input(Input::Key(Key::Pause))?;
    app.advance(0.5)?;
    assert!((app.seconds - 1.0 / 60.0).abs() < 1e-9);
    app.input(Input::Key(Key::Step))?;
    assert!((app.seconds - 2.0 / 60.0).abs() < 1e-9);
    app.input(Input::Key(Key::Pause))?;

    let start = { self::app(&STILL)? };
    let drift = |app: &App| -> Result<f32> {
        let (now, then) = (hair(app)?, hair(&start)?);
        Ok(now.iter().zip(&then).map(|(a, b)| a.distance(*b)).sum::<f32>() / now.len() as f32)
    };
    // Sag-free hair stays; naive hair sags; wind blows it away.
    (0..60).try_for_each(|_| app.step())?;
    let still = drift(&app)?;
    assert!(still < 1e-4, "{still} m");
    app.input(Input::Key(Key::SagFree))?;
    assert_eq!(app.seconds, 0.0);
    (0..60).try_for_each(|_| app.step())?;
    let naive = drift(&app)?;
    assert!(naive > 20.0 * still && naive > 1e-3, "{naive} m");
    app.input(Input::Key(Key::SagFree))?;
    app.settings.wind = 8.0;
    app.apply()?;
    (0..60).try_for_each(|_| app.step())?;
    assert!(drift(&app)? > 0.01, "{} m", drift(&app)?);
    // Ten times as stiff, the same wind does less.
    let soft = drift(&app)?;
    app.settings.stiffness = 10.0;
    app.restart()?;
    (0..60).try_for_each(|_| app.step())?;
    assert!(drift(&app)? < 0.7 * soft, "{} of {soft}", drift(&app)?);
    Ok(())
}

/// A GPU is there in CI, in software; elsewhere there may be none.
fn canvas(size: (u32, u32)) -> Option<Canvas> {
    match Canvas::new(size) {
        Ok(canvas) => Some(canvas),
        Err(error) if std::env::var_os("WITHY_REQUIRE_GPU").is_none() => {
            eprintln!("not run: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Brown, as light or dark as it may be.
fn is_hair([r, g, b]: [u8; 3]) -> bool {
    let [r, g, b] = [r, g, b].map(f32::from);
    r > 1.25 * g && g > 1.1 * b && r > 40.0
}

/// The share of the part left of the panel for which `is` holds.
fn share(image: &Image, is: fn([u8; 3]) -> bool) -> f64 {
    let (width, height) = (image.width - 250, image.height - 24);
    let count = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).filter(|&(x, y)| is(image.get(x, y))).count();
    count as f64 / f64::from(width * height)
}

#[test]
fn the_picture_shows_hair_that_moves_and_a_panel() -> Result<()> {
    let Some(mut canvas) = canvas((900, 600)) else { return Ok(()) };
    let mut app = app(&[":head", "--strands", "800", "--motion", "turn", "--threads", "1", "--size", "900x600"])?;
    let first = canvas.draw(&mut app)?;
    (0..45).try_for_each(|_| app.step())?;
    let later = canvas.draw(&mut app)?;
    for image in [&first, &later] {
        let hair = share(image, is_hair);
        assert!((0.06..0.5).contains(&hair), "{hair}");
    }
    let different = first.pixels.iter().zip(&later.pixels).filter(|(a, b)| (0..3).any(|k| a[k].abs_diff(b[k]) > 20)).count();
    assert!(different as f64 > 0.02 * first.pixels.len() as f64, "{different} pixels");
    // The panel is dark, and words stand in it.
    let panel: Vec<[u8; 3]> = (0..400).flat_map(|y| (660..890).map(move |x| (x, y))).map(|(x, y)| first.get(x, y)).collect();
    let dark = panel.iter().filter(|p| p.iter().all(|c| *c < 60)).count() as f64 / panel.len() as f64;
    assert!((0.6..0.99).contains(&dark), "{dark}");
    // Without it the picture has all of the window.
    app.input(Input::Key(Key::Panel))?;
    canvas.draw(&mut app)?;
    assert!(app.size().0 == 900 && app.size().1 > 560, "{:?}", app.size());
    Ok(())
}

fn withy(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_withy"));
    command.args(["view"]).args(arguments);
    command
}

#[test]
fn what_cannot_be_shown_is_said() {
    let runtime = std::env::temp_dir();
    for (arguments, words) in [
        (&["knot"][..], "the scene knot compares several runs"),
        (&["nowhere"], "nowhere is neither a file nor a scene. Live scenes are demo, "),
        (&[":bald"], ":bald is none of"),
        (&[":head", "--strands", "4"], "no window can be opened here"),
        (&[":head", "--strands", "4", "--screenshot", "a.jpg"], "does not end in .png"),
    ] {
        let mut command = withy(arguments);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET").env("XDG_RUNTIME_DIR", &runtime);
        let output = command.output().expect("it starts");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && error.contains(words), "{arguments:?}: {error}");
    }
}

/// Ends what a test has begun, however it ends.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The screen as Xvfb keeps it in a file: X's window dump, 32 bits a pixel.
fn screen(file: &Path) -> Option<Image> {
    let bytes = std::fs::read(file).ok()?;
    let number = |k: usize| Some(u32::from_be_bytes(bytes.get(4 * k..4 * k + 4)?.try_into().ok()?) as usize);
    let (header, width, height, row, colors) = (number(0)?, number(4)?, number(5)?, number(12)?, number(19)?);
    let first = header + 12 * colors;
    let pixel =
        |x: usize, y: usize| bytes.get(first + y * row + 4 * x..).and_then(|p| Some([*p.get(2)?, *p.get(1)?, *p.first()?]));
    let pixels: Option<Vec<[u8; 3]>> =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect();
    Some(Image { width: width as u32, height: height as u32, pixels: pixels? })
}

fn wait<T>(what: &str, mut get: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(90) {
        if let Some(found) = get() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{what}: not within 90 s");
}

/// A window, a mouse and a keyboard: the hair is on the screen, xdotool drags a strand, Escape closes the window.
#[test]
fn a_window_under_xvfb() -> Result<()> {
    let there = |program: &str| Command::new("which").arg(program).stdout(Stdio::null()).status().is_ok_and(|s| s.success());
    let required = std::env::var_os("WITHY_REQUIRE_GPU").is_some();
    if !there("Xvfb") || !there("xdotool") || canvas((64, 64)).is_none() {
        assert!(!required, "Xvfb, xdotool or a GPU is missing: cargo xtask setup");
        eprintln!("not run: no Xvfb, xdotool or GPU");
        return Ok(());
    }
    let folder = std::env::temp_dir().join(format!("withy-view-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let number = 90 + std::process::id() % 400;
    let display = format!(":{number}");
    let mut server = Command::new("Xvfb");
    server.args([&display, "-screen", "0", "900x600x24", "-nolisten", "tcp", "-fbdir"]).arg(&folder);
    let _server = Ended(server.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
    let dump = folder.join("Xvfb_screen0");
    wait("Xvfb", || Path::new(&format!("/tmp/.X11-unix/X{number}")).exists().then_some(()));

    // Where the app itself says that a strand is; sag-free hair stays there.
    let mut twin = app(&STILL)?;
    if let Some(mut canvas) = canvas((900, 600)) {
        canvas.draw(&mut twin)?;
    }
    let points = hair(&twin)?;
    let [x, y] = twin.pixel(points[nearest(&twin, &points)].to_array());

    let mut command = withy(&STILL);
    command.env("DISPLAY", &display).env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET").env("XDG_RUNTIME_DIR", &folder);
    let mut window = Ended(command.stdout(Stdio::piped()).spawn()?);
    let before = wait("hair on the screen", || screen(&dump).filter(|s| share(s, is_hair) > 0.03));
    if let Some(keep) = std::env::var_os("WITHY_VIEW_OUT") {
        before.write_png(Path::new(&keep))?;
    }
    let tool = |arguments: &[&str]| {
        let status = Command::new("xdotool").args(arguments).env("DISPLAY", &display).status();
        assert!(status.is_ok_and(|s| s.success()), "xdotool {arguments:?}");
    };
    let place = |x: f32, y: f32| [format!("{x:.0}"), format!("{y:.0}")];
    let ([x0, y0], [x1, y1]) = (place(x, y), place(x + 70.0, y + 30.0));
    tool(&["mousemove", &x0, &y0, "sleep", "0.5", "mousedown", "1", "sleep", "0.5", "mousemove", &x1, &y1]);
    // Around the mouse the picture changes.
    let near = |image: &Image| -> Vec<[u8; 3]> {
        let (cx, cy) = (x as u32 + 35, y as u32 + 15);
        (cy - 40..cy + 40).flat_map(|y| (cx - 60..cx + 60).map(move |x| (x, y))).map(|(x, y)| image.get(x, y)).collect()
    };
    wait("the strand follows the mouse", || {
        let now = near(&screen(&dump)?);
        let changed = near(&before).iter().zip(&now).filter(|(a, b)| (0..3).any(|k| a[k].abs_diff(b[k]) > 40)).count();
        (changed > 60).then_some(())
    });
    // Without a window manager nobody gives the window the keyboard.
    tool(&["mouseup", "1", "search", "--name", "withy view", "windowfocus", "sleep", "0.5", "key", "Escape"]);
    let status = wait("the window closes", || window.0.try_wait().ok().flatten());
    let mut told = String::new();
    std::io::Read::read_to_string(&mut window.0.stdout.take().expect("piped"), &mut told)?;
    assert!(status.success() && told.contains("1 times something was grabbed"), "{told}");
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
