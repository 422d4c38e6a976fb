//! Umetani 2014, section 6: constraints solved one after the other from one end shake a rod that nobody touches.
//!
//! A rod hangs on one clamped end at rest, without gravity; a millionth of its length is wrong. In the paper's setting (α stiffness,
//! one step a frame, ten iterations) the naive order feeds energy in, so does root to tip, and the library's default does not.

use super::paper::Stage;
use super::spring::{Shape, points};
use super::stage::*;
use crate::Result;
use crate::render::{Plot, Series};
use withy::world::{EndSupport, RodsDesc, Stiffness, SweepOrder};

/// Kinetic energy over mass, m²/s², of every frame.
pub fn energies(order: SweepOrder, seconds: f64) -> Result<Vec<f64>> {
    let mut stage = Stage::floating(1, 10)?;
    let start = points(Shape::Spring);
    let rods = stage.add_rods(RodsDesc {
        positions: start.clone(),
        counts: vec![start.len() as u32],
        velocities: start.iter().map(|p| [0.0, 1e-3 * p[0], 0.0]).collect(),
        radii: vec![0.012],
        stiffness: Stiffness::Alpha { bend1: 1.0, bend2: 1.0, twist: 1.0, stretch: 1.0 },
        order,
        root: EndSupport::Clamped,
        ..RodsDesc::default()
    })?;
    let mut energies = Vec::new();
    for _ in 0..(seconds / FRAME) as u32 {
        stage.frame()?;
        let u = vectors(&stage.velocities(rods)?);
        energies.push(0.5 * u.iter().map(|v| v.length_squared()).sum::<f64>() / u.len() as f64);
    }
    Ok(energies)
}

pub fn figure() -> Result<Figure> {
    let orders = [
        (SweepOrder::Sequential, "naive: all edges, then all elements"),
        (SweepOrder::Bidirectional, "bidirectional (the paper's)"),
        (SweepOrder::RootToTip, "root to tip, edge by edge"),
        (SweepOrder::Alternating, "alternating (default)"),
    ];
    let mut plot = Plot {
        title: "A rod at rest that nobody touches".into(),
        x_label: "time in s".into(),
        y_label: "kinetic energy over mass in m²/s²".into(),
        log_y: true,
        ..Plot::default()
    };
    let mut numbers = Vec::new();
    for (order, name) in orders {
        let e = energies(order, 60.0)?;
        let points = e.iter().enumerate().map(|(i, e)| [(i + 1) as f64 * FRAME, e.max(1e-20)]).collect();
        plot.series.push(Series { name: name.into(), points, markers: false, dashed: false });
        numbers.push(format!("{name}: {:.2e} at first, {:.2e} after 60 s", e[0], e[e.len() - 1]));
    }
    Ok(Figure { title: "Order", plots: vec![plot], numbers, ..Figure::default() })
}
