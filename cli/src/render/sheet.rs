//! Contact sheets: frames in a grid, each with a caption, under a title.

use super::{Error, Image, text};

const INK: [u8; 3] = [52, 56, 64];
const SOFT: [u8; 3] = [112, 118, 128];
const PAPER: [u8; 3] = [250, 250, 251];

/// Collects frames of one size, then lays them out.
#[derive(Clone, Debug)]
pub struct Sheet {
    title: String,
    subtitle: String,
    columns: u32,
    frames: Vec<(Image, String)>,
}

impl Sheet {
    /// `columns` 0 chooses a grid that is a little wider than high.
    pub fn new(title: impl Into<String>, subtitle: impl Into<String>, columns: u32) -> Self {
        Sheet { title: title.into(), subtitle: subtitle.into(), columns, frames: Vec::new() }
    }

    pub fn push(&mut self, frame: Image, caption: impl Into<String>) {
        self.frames.push((frame, caption.into()));
    }

    /// The caption `frame 12 · 0.20 s`.
    pub fn push_frame(&mut self, frame: Image, number: u32, seconds: f64) {
        self.push(frame, format!("frame {number} · {seconds:.2} s"));
    }

    /// # Errors
    /// [`Error::Invalid`] without frames, or when their sizes differ.
    pub fn compose(&self) -> Result<Image, Error> {
        let Some((first, _)) = self.frames.first() else {
            return Err(Error::Invalid("a contact sheet without frames".into()));
        };
        let (w, h) = (first.width, first.height);
        if let Some(i) = self.frames.iter().position(|(f, _)| (f.width, f.height) != (w, h)) {
            let f = &self.frames[i].0;
            return Err(Error::Invalid(format!("frame {i} has {} × {} pixels, frame 0 {w} × {h}", f.width, f.height)));
        }
        let n = self.frames.len() as u32;
        let columns = if self.columns == 0 { (n as f32).sqrt().ceil() as u32 } else { self.columns }.clamp(1, n);
        let rows = n.div_ceil(columns);
        let gap = (w / 40).max(6);
        let size = (h as f32 / 17.0).clamp(12.0, 26.0);
        let caption = (size * 1.5) as u32;
        let title = if self.title.is_empty() { 0 } else { (size * 2.9) as u32 };
        let mut sheet = Image::new(gap + columns * (w + gap), title + gap + rows * (h + caption + gap), PAPER);
        if title > 0 {
            let big = size * 1.5;
            text::draw(&mut sheet, &self.title, gap as f32, gap as f32 + size * 1.6, big, INK);
            let x = gap as f32 + text::width(&self.title, big) + size;
            text::draw(&mut sheet, &self.subtitle, x, gap as f32 + size * 1.6, size, SOFT);
        }
        for (i, (frame, words)) in self.frames.iter().enumerate() {
            let (c, r) = (i as u32 % columns, i as u32 / columns);
            let (x, y) = (gap + c * (w + gap), title + gap + r * (h + caption + gap));
            sheet.paste(frame, x, y);
            text::draw(&mut sheet, words, x as f32 + 2.0, (y + h) as f32 + size * 1.1, size, SOFT);
        }
        Ok(sheet)
    }
}
