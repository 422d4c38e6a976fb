//! The README's moving picture: the same hair on a head that turns, naive and sag-free.
//! `cargo run --release -p withy-cli --example moving_picture [OUT.gif]`

use withy_cli::Result;
use withy_cli::render::{Framing, GifOptions, Image, Options, Sheet, render, write_gif};
use withy_cli::scenes::groom::options;
use withy_cli::simulate::{DIRECTION, Pictures, simulate};

const SIZE: (u32, u32) = (260, 290);
/// Simulated at 60 frames a second, from before the head moves until it has come to rest.
const FRAMES: u32 = 220;
const EVERY: u32 = 5;

fn main() -> Result<()> {
    let out = std::env::args().nth(1).unwrap_or_else(|| "docs/pictures/moving.gif".into());
    let frames = FRAMES.to_string();
    let groom = [":head", "--strands", "1900", "--vertices", "32", "--radius", "1e-4", "--threads", "0"];
    let common = [&groom[..], &["--motion", "turn", "--frames", &frames]].concat();
    let naive = simulate(&*options(&common)?, &|frame| frame % EVERY == 0)?;
    let held = simulate(&*options(&[&common[..], &["--sag-free"]].concat())?, &|frame| frame % EVERY == 0)?;
    // One camera for both.
    let mut framing = Framing::new(DIRECTION, SIZE.0, SIZE.1);
    let radius = Pictures::drawn_radius(&held.shots[0].points, held.groom.counts.len());
    for shot in naive.shots.iter().chain(&held.shots) {
        shot.points.iter().for_each(|p| framing.include_point(*p, radius));
    }
    let (camera, look) = (framing.camera(), Options { width: SIZE.0, height: SIZE.1, ..Options::default() });
    let mut images: Vec<Image> = Vec::new();
    for (left, right) in naive.shots.iter().zip(&held.shots) {
        let mut sheet = Sheet::new("", "", 2);
        for (done, shot, name) in [(&naive, left, "naive"), (&held, right, "sag-free")] {
            let pictures = Pictures { counts: &done.groom.counts, hair_counts: &done.hair_counts, head: &done.head, size: SIZE };
            sheet.push(render(&pictures.scene(shot, radius), &camera, &look)?, name);
        }
        images.push(sheet.compose()?);
    }
    write_gif(&out, &images, &GifOptions { fps: 60.0 / EVERY as f32, max_bytes: 2_900_000 })?;
    println!("{out}: {} frames, {} bytes", images.len(), std::fs::metadata(&out)?.len());
    Ok(())
}
