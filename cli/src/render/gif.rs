//! Animated GIFs with one palette for all frames.
//!
//! No dithering: its noise moves from frame to frame and does not compress. Pixels that keep their colour are transparent and only the
//! rectangle that changed is stored. If the file is too large, the palette is made smaller until it fits.

use super::image::write_file;
use super::{Error, Image};
use ::gif::{DisposalMethod, Encoder, Frame, Repeat};
use color_quant::NeuQuant;
use rayon::prelude::*;
use std::borrow::Cow;
use std::path::Path;

#[derive(Clone, Copy, Debug)]
pub struct GifOptions {
    /// GIF counts in hundredths of a second: 50, 33 and 25 are what viewers show faithfully.
    pub fps: f32,
    /// The aim, not a guarantee: the smallest palette tried has 32 colours.
    pub max_bytes: usize,
}

impl Default for GifOptions {
    fn default() -> Self {
        GifOptions { fps: 25.0, max_bytes: 3_000_000 }
    }
}

pub fn write_gif(path: impl AsRef<Path>, frames: &[Image], options: &GifOptions) -> Result<(), Error> {
    write_file(path.as_ref(), &encode_gif(frames, options)?)
}

/// # Errors
/// [`Error::Invalid`] without frames, when their sizes differ, or when a side is longer than 65,535 pixels.
pub fn encode_gif(frames: &[Image], options: &GifOptions) -> Result<Vec<u8>, Error> {
    let Some(first) = frames.first() else {
        return Err(Error::Invalid("a GIF without frames".into()));
    };
    let (Ok(width), Ok(height)) = (u16::try_from(first.width), u16::try_from(first.height)) else {
        return Err(Error::Invalid(format!("a GIF of {} × {} pixels", first.width, first.height)));
    };
    if let Some(i) = frames.iter().position(|f| (f.width, f.height) != (first.width, first.height)) {
        return Err(Error::Invalid(format!("frame {i} has another size than frame 0")));
    }
    let mut best = Vec::new();
    for colors in [255, 128, 64, 32] {
        best = encode(frames, width, height, colors, options.fps)?;
        if best.len() <= options.max_bytes {
            break;
        }
    }
    Ok(best)
}

fn encode(frames: &[Image], width: u16, height: u16, colors: usize, fps: f32) -> Result<Vec<u8>, Error> {
    let palette = Palette::new(frames, colors);
    let indexed: Vec<Vec<u8>> = frames.par_iter().map(|f| palette.index(f)).collect();
    let clear = colors as u8;
    let mut bytes = Vec::new();
    let fail = |e: ::gif::EncodingError| Error::Encode(e.to_string());
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette.rgb).map_err(fail)?;
    encoder.set_repeat(Repeat::Infinite).map_err(fail)?;
    // Whole hundredths of a second, of which viewers want two at least; what rounding leaves goes to the next.
    let hundredths = if fps.is_finite() && fps > 0.0 { (100.0 / fps).clamp(2.0, 1000.0) } else { 4.0 };
    let until = |i: usize| (hundredths * i as f32).round() as u32;
    for (i, pixels) in indexed.iter().enumerate() {
        let mut frame = match i.checked_sub(1) {
            None => Frame { width, height, buffer: Cow::Borrowed(pixels), ..Frame::default() },
            Some(last) => difference(&indexed[last], pixels, width, clear),
        };
        frame.delay = (until(i + 1) - until(i)) as u16;
        frame.dispose = DisposalMethod::Keep;
        encoder.write_frame(&frame).map_err(fail)?;
    }
    drop(encoder);
    Ok(bytes)
}

/// The rectangle that changed; one pixel when nothing did, because every frame must be stored to keep the time.
fn difference(old: &[u8], new: &[u8], width: u16, clear: u8) -> Frame<'static> {
    let w = width as usize;
    let changed = |row: usize| old[row * w..(row + 1) * w].iter().zip(&new[row * w..(row + 1) * w]).map(|(a, b)| a != b);
    let rows: Vec<usize> = (0..new.len() / w).filter(|&r| changed(r).any(|c| c)).collect();
    let (top, bottom) = (rows.first().copied().unwrap_or(0), rows.last().copied().unwrap_or(0));
    let left = rows.iter().filter_map(|&r| changed(r).position(|c| c)).min().unwrap_or(0);
    let right = rows.iter().filter_map(|&r| (0..w).rev().find(|&x| old[r * w + x] != new[r * w + x])).max().unwrap_or(0);
    let pick = |i: usize| if old[i] == new[i] { clear } else { new[i] };
    let buffer: Vec<u8> = (top..=bottom).flat_map(|r| (left..=right).map(move |x| pick(r * w + x))).collect();
    Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        buffer: Cow::Owned(buffer),
        transparent: Some(clear),
        ..Frame::default()
    }
}

struct Palette {
    rgb: Vec<u8>,
    /// Nearest entry for every colour with 6 bits a channel.
    nearest: Vec<u8>,
}

impl Palette {
    fn new(frames: &[Image], colors: usize) -> Self {
        // A regular sample over all frames, about 200,000 pixels, a prime apart so that it does not follow columns.
        let total: usize = frames.iter().map(|f| f.pixels.len()).sum();
        let stride = (total / 200_000).max(1) | 1;
        let all = frames.iter().flat_map(|f| &f.pixels);
        let sample: Vec<u8> = all.step_by(stride).flat_map(|p| [p[0], p[1], p[2], 255]).collect();
        let quant = NeuQuant::new(3, colors, &sample);
        let mut rgb = quant.color_map_rgb();
        rgb.truncate(3 * colors);
        let entries: Vec<[i32; 3]> = rgb.chunks_exact(3).map(|c| [c[0] as i32, c[1] as i32, c[2] as i32]).collect();
        let find = |code: usize| {
            let c = [code >> 12, code >> 6, code].map(|v| ((v & 63) * 255 / 63) as i32);
            let distance = |e: &[i32; 3]| 2 * (e[0] - c[0]).pow(2) + 4 * (e[1] - c[1]).pow(2) + (e[2] - c[2]).pow(2);
            (0..entries.len()).min_by_key(|&i| distance(&entries[i])).unwrap_or(0) as u8
        };
        let nearest = (0..1 << 18).into_par_iter().map(find).collect();
        rgb.resize(3 * colors, 0);
        rgb.extend([0, 0, 0]); // the transparent entry
        Palette { rgb, nearest }
    }

    fn index(&self, image: &Image) -> Vec<u8> {
        let code = |p: &[u8; 3]| p.iter().fold(0, |code, &v| (code << 6) | ((v as usize * 63 + 127) / 255));
        image.pixels.iter().map(|p| self.nearest[code(p)]).collect()
    }
}
