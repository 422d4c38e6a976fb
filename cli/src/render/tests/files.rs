//! What comes out: GIF, PNG, sheets and plots, read back.

use super::*;

#[test]
fn a_gif_decodes_to_its_frames() {
    let frames: Vec<Image> = (0..7)
        .map(|k| {
            let mut image = Image::new(60, 40, [220, 222, 225]);
            image.paste(&Image::new(10, 10, [200, 40, 30]), 5 + 6 * (k / 2), 10); // every second frame repeats
            image
        })
        .collect();
    let bytes = encode_gif(&frames, &GifOptions::default()).unwrap();
    let mut options = ::gif::DecodeOptions::new();
    options.set_color_output(::gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(&bytes[..]).unwrap();
    let mut screen = vec![[0u8; 3]; 60 * 40];
    let mut count = 0;
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!(frame.delay, 4);
        for (i, p) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, p)| p[3] > 0) {
            let (x, y) = (i % frame.width as usize + frame.left as usize, i / frame.width as usize + frame.top as usize);
            screen[y * 60 + x] = [p[0], p[1], p[2]];
        }
        let off = screen.iter().zip(&frames[count].pixels).flat_map(|(a, b)| (0..3).map(|c| a[c].abs_diff(b[c]))).max().unwrap();
        assert!(off <= 8, "frame {count} is off by {off}");
        count += 1;
    }
    assert_eq!(count, frames.len());
}

#[test]
fn a_png_comes_back_as_it_was() {
    let mut image = Image::new(31, 17, [10, 20, 30]);
    image.blend(5, 6, [255, 0, 128], 1.0);
    let bytes = image.encode_png().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    assert_eq!(pixels, image.pixels.as_flattened());
}

#[test]
fn a_sheet_holds_frames_and_captions() {
    let mut sheet = Sheet::new("Title", "words", 3);
    for k in 0..5 {
        sheet.push_frame(Image::new(120, 90, [40 * k as u8, 0, 200]), k, k as f64 / 60.0);
    }
    let image = sheet.compose().unwrap();
    for k in 0..5u8 {
        assert_eq!(image.pixels.iter().filter(|p| **p == [40 * k, 0, 200]).count(), 120 * 90, "frame {k}");
    }
    let dark = image.pixels.iter().filter(|p| p.iter().all(|&v| v < 200) && p[2] != 200).count();
    assert!(dark > 200, "title and captions leave ink: {dark}");
    sheet.push(Image::new(7, 7, [0; 3]), "");
    assert!(sheet.compose().unwrap_err().to_string().contains("frame 5"));
}

#[test]
fn a_plot_draws_its_lines_where_they_belong() {
    let series = Series { points: vec![[0.0, 0.0], [1.0, 1.0]], ..Series::default() };
    let image = Plot { series: vec![series.clone()], ..Plot::default() }.draw().unwrap();
    let blue = |p: &[u8; 3]| p[2] > 120 && p[0] < 90;
    let at: Vec<[i32; 2]> =
        image.pixels.iter().enumerate().filter(|(_, p)| blue(p)).map(|(i, _)| [i as i32 % 800, i as i32 / 800]).collect();
    assert!(at.len() > 600);
    let (a, b) = (at.iter().min_by_key(|p| p[0]).unwrap(), at.iter().max_by_key(|p| p[0]).unwrap());
    assert!(a[1] > b[1] + 300, "it rises to the right: {a:?} {b:?}");
    // A straight line in both scales: 1/x² against decades.
    let points = (0..5).map(|k| [10f64.powi(k), 10f64.powi(-2 * k)]).chain([[f64::NAN, 1.0], [-1.0, 1.0], [1.0, 0.0]]).collect();
    let log = Plot { log_x: true, log_y: true, series: vec![Series { points, ..series }], ..Plot::default() };
    log.draw().unwrap();
    Plot::default().draw().unwrap();
    assert!(Plot { width: 10, ..Plot::default() }.draw().is_err());
    for bad in [f64::NAN, f64::INFINITY, 1e308, -1e308, 5e-324, 0.0] {
        for log_y in [false, true] {
            let points = vec![[bad, bad], [0.0, bad], [1.0, 1.0]];
            Plot { log_y, series: vec![Series { points, ..Series::default() }], ..Plot::default() }.draw().unwrap();
        }
    }
}
