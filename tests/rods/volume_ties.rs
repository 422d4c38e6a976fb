//! Rods that keep their volume, on junctions and bodies.

use super::volume::{FLESH, MODELS, Matter, scales, still};
use crate::scene::*;
use withy::math::Vec3;
use withy::tasks::Inline;
use withy::world::*;

/// A lattice of rods that junctions join, and what draws it out. How fast its fastest vertex is in the end, m/s, and its scales.
fn drawn_lattice(desc: &WorldDesc, m: Matter, model: RodModel, [rows, cells]: [usize; 2], to: f64) -> (f64, Vec<f64>) {
    let (cell, edges) = (0.01, 2);
    let at = |r: usize, c: usize| [cell * c as f64, 0.0, cell * r as f64];
    let along = (0..rows).flat_map(|r| (0..cells).map(move |c| [(r, c), (r, c + 1)]));
    let across = (1..rows).flat_map(|r| (1..cells).map(move |c| [(r - 1, c), (r, c)]));
    // Those whose roots are held, whose tips are, and all others.
    let (mut positions, mut crossings) = ([const { Vec::<V3>::new() }; 3], vec![Vec::new(); rows * cells]);
    for [a, b] in along.chain(across) {
        let set = if a.1 == 0 {
            0
        } else if b.1 == cells {
            1
        } else {
            2
        };
        let strand = (positions[set].len() / (edges + 1)) as u32;
        positions[set].extend(crate::tied::line(at(a.0, a.1), at(b.0, b.1), edges + 1));
        for ((row, column), tip) in [(a, false), (b, true)] {
            if (1..cells).contains(&column) {
                crossings[row * cells + column].push((set, StrandEnd { strand, tip }));
            }
        }
    }
    let mut w = World::new(desc.clone()).unwrap();
    let mut sets = Vec::new();
    for (set, positions) in positions.into_iter().enumerate() {
        let held = |this: usize| if set == this { EndSupport::Clamped } else { EndSupport::Free };
        let counts = vec![edges as u32 + 1; positions.len() / (edges + 1)];
        let desc = RodsDesc { counts, root: held(0), tip: held(1), drag: 4.0, damping: 2.0, mask: 0, ..m.rods(positions, model) };
        sets.push(if desc.counts.is_empty() { None } else { Some(w.add_rods(desc).unwrap()) });
    }
    for here in crossings.iter().filter(|c| !c.is_empty()) {
        let ends: Vec<_> = here.iter().map(|&(set, end)| (sets[set].unwrap(), end)).collect();
        w.add_junction(&ends, 0.0, 0.0).unwrap();
    }
    for frame in 1..=60 {
        let x = cell * cells as f64 * (1.0 + (to - 1.0) * (f64::from(frame) / 40.0).min(1.0));
        let tips = w.rods_mut(sets[1].unwrap()).unwrap();
        tips.set_tip_poses(|r| Pose { position: [x, 0.0, cell * r as f64], ..Pose::IDENTITY }, false).unwrap();
        w.step(1.0 / 60.0, &Inline).unwrap();
    }
    let (mut fastest, mut all) = (0.0f64, Vec::new());
    for id in sets.into_iter().flatten() {
        w.rods(id).unwrap().read_velocities(|_, v| fastest = fastest.max(Vec3::from(v).length()));
        all.extend(scales(&w, id));
    }
    (fastest, all)
}

/// What holds an end bends and twists with the section that the end has now, on both sides of the net. (With the section at rest on the side of the anchor,
/// that was held by less than nothing, and flew.)
#[test]
fn a_lattice_that_is_drawn_out_holds() {
    let soft = Matter { young: 1e6, nu: 0.49, density: 1000.0, radius: 0.004 };
    for (m, size, to) in [
        (soft, [1, 2], 1.7),
        (soft, [1, 3], 1.7),
        (Matter { nu: 0.3, ..soft }, [1, 3], 1.7),
        (Matter { young: 1e8, ..soft }, [2, 3], 2.5),
        (soft, [3, 4], 1.7),
    ] {
        for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
            for substeps in [8, 30] {
                if (double && size[0] > 1) || (substeps > 8 && size != [1, 3]) {
                    continue;
                }
                let desc = WorldDesc { substeps, iterations: 2, ..still(double) };
                let (fastest, all) = drawn_lattice(&desc, m, model, size, to);
                let (least, most) = all.iter().fold((f64::MAX, 0.0f64), |(a, b), &s| (a.min(s), b.max(s)));
                println!("{model:?} {double} {m:?} {size:?} {substeps}: {fastest:.1e} m/s, scales {least:.4} to {most:.4}");
                assert!(fastest < 0.01, "{model:?} {double} {m:?} {size:?} {substeps}: {fastest} m/s");
                // Of discrete elastic rods the first edge is held with its length: those beside it are drawn out farther.
                if model == RodModel::Ghost {
                    let [s, _] = m.uniaxial(to);
                    assert!((least / s - 1.0).abs() < 0.02, "{double} {m:?} {size:?} {substeps}: {least} for {s}");
                }
            }
        }
    }
}

/// A weight that turns to and fro at the tip of a rod that it draws out: ω² = s² GJ/(L I), as the body gets the moment that the rod feels.
#[test]
fn a_weight_turns_as_the_thinned_rod_twists() {
    for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
        let (edges, mass) = (4, 0.8);
        let mut w = World::new(WorldDesc { double_precision: double, substeps: 16, ..WorldDesc::default() }).unwrap();
        let down = crate::tied::line([0.0; 3], [0.0, -0.1, 0.0], edges + 1);
        let desc = RodsDesc { root: EndSupport::Clamped, drag: 10.0, ..FLESH.rods(down, model) };
        let id = w.add_rods(desc).unwrap();
        let ball = BodyDesc { linear_damping: 5.0, can_sleep: false, ..crate::tied::ball([0.0, -0.1, 0.0], 0.05, mass) };
        let ball = w.add_body(&ball).unwrap();
        w.attach_body(id, StrandEnd { strand: 0, tip: true }, ball, true).unwrap();
        steps(&mut w, 120, 1.0 / 60.0);
        w.set_body_motion(ball, [0.0; 3], [0.0, 0.2, 0.0]).unwrap();
        let (mut before, mut crossings) = (0.0, Vec::new());
        for k in 1..400 {
            w.step(1.0 / 60.0, &Inline).unwrap();
            let now = w.body_pose(ball).unwrap().rotation[1];
            if before * now < 0.0 {
                crossings.push((f64::from(k) - now / (now - before)) / 60.0);
            }
            before = now;
        }
        let all = scales(&w, id);
        let (first, last) = (crossings[0], crossings[crossings.len() - 1]);
        let got = core::f64::consts::PI * (crossings.len() - 1) as f64 / (last - first);
        let [mu, _] = FLESH.lame();
        let twisted = mu * FLESH.area() * FLESH.radius * FLESH.radius * 0.5;
        // The lengths of the sections at the vertices over their s². A clamped root of discrete elastic rods holds the first edge.
        let long: f64 = (0..=edges)
            .map(|v| {
                let s = 0.5 * (all[v.max(1) - 1] + all[v.min(edges - 1)]);
                let part = match (v, model) {
                    (0, RodModel::Der) => 0.0,
                    _ if v == 0 || v == edges => 0.5,
                    _ => 1.0,
                };
                part * 0.1 / edges as f64 / (s * s)
            })
            .sum();
        let exact = (twisted / (long * 0.4 * mass * 0.05 * 0.05)).sqrt();
        let s = all[edges - 1];
        println!("{model:?} {double}: {got:.4} rad/s for {exact:.4}, s {s:.4}");
        assert!(s < 0.85 && (got / exact - 1.0).abs() < 0.004, "{model:?} {double}: {got} rad/s for {exact}, s {s}");
    }
}
