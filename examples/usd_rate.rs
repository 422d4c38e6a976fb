//! The rate of the cache writer: 100 frames of a groom as large as AMD's ponytail (4,714 strands of 16 vertices), 220 MB, which go away
//! again. `cargo run --release --example usd_rate`.

use withy::io::Groom;
use withy::io::usd_out::{UsdCacheDef, UsdFrame, UsdWriter};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let points: Vec<[f32; 3]> = (0..4714 * 16).map(|k| [k as f32 * 1.1e-3, (k as f32).sin(), -0.3]).collect();
    let groom = Groom { points, counts: vec![16; 4714], ..Groom::default() };
    let path = std::env::temp_dir().join(format!("withy-{}-rate.usda", std::process::id()));
    let began = std::time::Instant::now();
    let mut writer = UsdWriter::begin(
        &path,
        &UsdCacheDef { groom: &groom, fps: 60.0, start: 1.0, has_velocities: false, is_unreal_groom: false, meshes: &[] },
    )?;
    for _ in 0..100 {
        writer.frame(&UsdFrame { points: &groom.points, ..UsdFrame::default() })?;
    }
    let size = writer.finish()?;
    println!("100 frames, {} MB, {:?}", size / 1_000_000, began.elapsed());
    Ok(std::fs::remove_file(path)?)
}
