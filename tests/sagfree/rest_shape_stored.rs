//! Rest shapes as they are stored and stepped: in f32, far from the origin, as stiff as a step takes them, between ends that give; and poses that have none.

use crate::scene::*;
use withy::math::Vec3;
use withy::math::approx::sin_cos;
use withy::sagfree::batch::Status;
use withy::sagfree::rest_shape::{BoundMode, Options, Refusal};
use withy::tasks::Inline;
use withy::world::*;

const MODELS: [RodModel; 2] = [RodModel::Der, RodModel::Ghost];

/// Hair of 40 vertices, 0.1 m, from `root` on.
fn hair(root: V3) -> Vec<V3> {
    let strand = curl(39, 0.3);
    strand.iter().map(|p| [0, 1, 2].map(|k| root[k] + 0.2 * (p[k] - strand[0][k]))).collect()
}

fn optimize(w: &mut World, id: Id, options: &Options) {
    w.optimize_rest_shape(id, options, &Inline, &mut |_, _| true).unwrap();
}

fn length(strand: &[V3]) -> f64 {
    strand.windows(2).map(|p| (Vec3::from(p[1]) - Vec3::from(p[0])).length()).sum()
}

/// At a kilometre from the origin positions are 0.06 mm apart, and edges of 2.5 mm turn by a degree when they are rounded. (Clamps that asked for what no
/// position is, and ghost points that turned the clamped edge, made DER leave by 7 % of the length at 100 m.)
#[test]
fn poses_far_from_the_origin_are_kept() {
    for (model, bound) in [(RodModel::Der, 5e-6), (RodModel::Ghost, 1e-4)] {
        let mut worst = 0.0f64;
        for tip in [EndSupport::Free, EndSupport::Pinned, EndSupport::Clamped] {
            for (radius, away) in [4e-5, 2e-4, 1e-3].into_iter().flat_map(|r| [0.0, 1.0, 10.0, 100.0, 1000.0].map(|x| (r, x))) {
                let strand = hair([away, -0.3 * away, 0.1 * away]);
                let mut w = World::new(WorldDesc::default()).unwrap();
                let stiffness = Stiffness::Physical { young: 4e9, shear: 1.5e9 };
                let desc = RodsDesc {
                    radii: vec![radius],
                    stiffness,
                    tip,
                    sag_free: false,
                    ..sag_free(flat(std::slice::from_ref(&strand)), model)
                };
                let id = w.add_rods(desc).unwrap();
                optimize(&mut w, id, &Options::default());
                let rods = w.rods(id).unwrap();
                let (start, report) = (positions(rods), rods.elastic_report()[0]);
                assert!(report.holds(0.0), "{model:?} {tip:?} {radius} {away}: {report:?}");
                steps(&mut w, 120, 1.0 / 60.0);
                let way = farthest(&positions(w.rods(id).unwrap()), &start) / length(&strand);
                assert!(way < bound, "{model:?} {tip:?} {radius} {away}: {way:e}, {report:?}");
                worst = worst.max(way);
            }
        }
        println!("{model:?}: {worst:.1e} of the length");
    }
}

/// Clamped roots that turn and go away from the origin carry their strands as those at the origin do: no direction is lost in rounding.
#[test]
fn clamps_far_from_the_origin_turn() {
    for away in [0.0, 100.0] {
        let strand = hair([away, 0.0, 0.0]);
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
        let desc = RodsDesc {
            radii: vec![1e-3],
            drag: 20.0,
            sag_free: false,
            ..sag_free(flat(std::slice::from_ref(&strand)), RodModel::Der)
        };
        let id = w.add_rods(desc).unwrap();
        // A quarter turn about y in two seconds, two more to rest.
        for frame in 1..=240 {
            let angle = core::f64::consts::FRAC_PI_4 * f64::from(frame.min(120)) / 120.0;
            let pose = Pose { position: [away, 0.0, 0.0], rotation: [0.0, angle.sin(), 0.0, angle.cos()] };
            w.rods_mut(id).unwrap().set_root_poses(|_| pose, false).unwrap();
            w.step(1.0 / 60.0, &Inline).unwrap();
        }
        let turned: Vec<Vec3<f64>> = strand.iter().map(|p| Vec3::from([away + p[2], p[1], away - p[0]])).collect();
        let off = farthest(&positions(w.rods(id).unwrap()), &turned) / length(&strand);
        println!("{away} m: {off:.1e}");
        assert!(off < if away > 0.0 { 1e-2 } else { 1e-4 }, "{away} m: {off:e}");
    }
}

/// Rest lengths that become much shorter make their edges stiffer than a step in f32 takes; they are found again for what it takes.
#[test]
fn long_loads_do_not_pass_the_limit_of_a_step() {
    for (model, substeps) in MODELS.into_iter().flat_map(|m| [1, 2].map(|s| (m, s))) {
        let mut w = World::new(WorldDesc { substeps, gravity: [0.0, -400.0, 0.0], ..WorldDesc::default() }).unwrap();
        let strand: Vec<V3> = curl(99, 0.7).iter().map(|p| [0.02 * p[0], 0.4 * p[1], 0.02 * p[2]]).collect();
        let stiffness = Stiffness::Physical { young: 4e9, shear: 1.5e9 };
        let desc = RodsDesc {
            radii: vec![1e-3],
            stiffness,
            iterations: 2,
            sag_free: false,
            ..sag_free(flat(std::slice::from_ref(&strand)), model)
        };
        let id = w.add_rods(desc).unwrap();
        optimize(&mut w, id, &Options { mode: BoundMode::None, ..Options::default() });
        let rods = w.rods(id).unwrap();
        let (start, report) = (positions(rods), rods.elastic_report()[0]);
        let mut shortest = f64::INFINITY;
        rods.read_rest_lengths(|i, l| shortest = shortest.min(l / (start[i + 1] - start[i]).length()));
        steps(&mut w, 60, 1.0 / 60.0);
        let way = farthest(&positions(w.rods(id).unwrap()), &start) / length(&strand);
        println!("{model:?} x{substeps}: rest lengths {shortest:.3} of the lengths, {way:.1e} of the length, {report:?}");
        // One substep a frame swings the ghost-point rod up, and its report says so.
        assert!(report.holds(0.0) || (model == RodModel::Ghost && substeps == 1), "{model:?} x{substeps}: {report:?}");
        assert!(way < 1e-4 || !report.holds(0.0), "{model:?} x{substeps}: {way:e}, {report:?}");
        assert!(substeps > 1 || shortest < 0.97, "{model:?} x{substeps}: nothing is tested: {shortest}");
    }
}

/// Thin strands between held ends and pins under 100 g, in f32: what is just stable in f64 may buckle when rest lengths are rounded. (Without a look at what is stored and a margin, seeds 17 and 39 do, by 38 % and 12 % of the length.)
#[test]
fn stiffened_strands_between_held_ends_stay_under_a_hundred_g() {
    let (mut held, mut worst) = (0, 0.0f64);
    for seed in 0..60usize {
        let s = seed as f64;
        let strand: Vec<V3> = curl(12 + (seed * 5) % 19, s).iter().map(|p| p.map(|c| 0.5 * c)).collect();
        let (sin, cos) = sin_cos(1.7 * s);
        let mut w = World::new(WorldDesc { gravity: [900.0 * sin, -400.0, 900.0 * cos], ..WorldDesc::default() }).unwrap();
        let young = [3e7, 3e8][seed % 2];
        let desc = RodsDesc {
            radii: vec![[5e-5, 2e-4, 1e-3][seed / 2 % 3]],
            stiffness: Stiffness::Physical { young, shear: 0.4 * young },
            aspect: [1.0, 0.2][seed / 6 % 2],
            rest_shape: if seed % 7 < 3 { RestShape::Straight } else { RestShape::FromPose },
            tip: [EndSupport::Clamped, EndSupport::Pinned][seed / 4 % 2],
            sag_free: false,
            ..sag_free(flat(std::slice::from_ref(&strand)), RodModel::Der)
        };
        let id = w.add_rods(desc).unwrap();
        if seed % 3 == 0 {
            let middle = strand.len() / 2;
            w.rods_mut(id).unwrap().set_pin(middle as u32, Some(strand[middle]), true).unwrap();
        }
        optimize(&mut w, id, &Options { mode: BoundMode::None, stiffen: Some(1e4), ..Options::default() });
        let rods = w.rods(id).unwrap();
        let (start, report) = (positions(rods), rods.elastic_report()[0]);
        steps(&mut w, 120, 1.0 / 60.0);
        let way = farthest(&positions(w.rods(id).unwrap()), &start) / length(&strand);
        if report.holds(0.0) {
            held += 1;
            worst = worst.max(way);
            assert!(way < 1e-3, "{seed}: {way:e} of the length, {report:?}");
        }
    }
    println!("{held} held, {worst:.1e} of the length at worst");
    assert!(held >= 45, "{held}");
}

/// Two strands that meet in the air and are joined there have nothing to carry: each keeps its pose by itself. (As ends that are held they let the junction fall by 1.4 %.)
#[test]
fn ends_on_junctions_carry_nothing() {
    for model in MODELS {
        let one = hair([0.0; 3]);
        let tip = *one.last().unwrap();
        let other: Vec<V3> = one.iter().map(|p| [2.0 * tip[0] - p[0], p[1], 2.0 * tip[2] - p[2]]).collect();
        let mut w = World::new(WorldDesc::default()).unwrap();
        let stiffness = Stiffness::Physical { young: 1e9, shear: 4e8 };
        let desc =
            RodsDesc { radii: vec![5e-4], stiffness, drag: 0.5, sag_free: false, ..sag_free(flat(&[one.clone(), other]), model) };
        let id = w.add_rods(desc).unwrap();
        let end = |strand| (id, StrandEnd { strand, tip: true });
        w.add_junction(&[end(0), end(1)], 0.0, 0.0).unwrap();
        optimize(&mut w, id, &Options::default());
        let rods = w.rods(id).unwrap();
        let start = positions(rods);
        assert!(rods.elastic_report().iter().all(|r| r.holds(0.0)), "{:?}", rods.elastic_report());
        steps(&mut w, 180, 1.0 / 60.0);
        let way = farthest(&positions(w.rods(id).unwrap()), &start) / length(&one);
        println!("{model:?}: {way:.1e} of the length");
        assert!(way < 2e-3, "{model:?}: {way:e}");
    }
}

/// A strand that only its tip holds settles there, and hangs: its root goes wherever the statics take it.
#[test]
fn strands_settle_from_their_tips() {
    for (model, double) in MODELS.into_iter().flat_map(|m| [false, true].map(|d| (m, d))) {
        let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
        let stiffness = Stiffness::Physical { young: 1e9, shear: 4e8 };
        let (root, tip) = (EndSupport::Free, EndSupport::Clamped);
        let desc =
            RodsDesc { radii: vec![2e-4], stiffness, root, tip, sag_free: false, ..sag_free(flat(&[hair([0.0; 3])]), model) };
        let id = w.add_rods(desc).unwrap();
        let before = positions(w.rods(id).unwrap());
        w.settle(id, 500, 1e-8, &Inline).unwrap();
        let rods = w.rods(id).unwrap();
        let (after, report) = (positions(rods), rods.elastic_report()[0]);
        let last = before.len() - 1;
        let [root, tip] = [0, last].map(|v| (after[v] - before[v]).length());
        println!("{model:?} {double}: {:?}, root goes {root:.3}, tip {tip:.1e}", report.status);
        assert!(report.holds(0.0) && tip < 1e-6 && root > 1e-3, "{model:?} {double}: {report:?}, root {root}, tip {tip}");
        steps(&mut w, 60, 1.0 / 60.0);
        let way = farthest(&positions(w.rods(id).unwrap()), &after);
        assert!(way < 1e-5, "{model:?} {double}: {way}");
    }
}

/// A strand that nothing holds has no statics: it is left where it is.
#[test]
fn strands_that_nothing_holds_do_not_settle() {
    for (model, double) in MODELS.into_iter().flat_map(|m| [false, true].map(|d| (m, d))) {
        let strand = hair([0.0; 3]);
        let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
        let stiffness = Stiffness::Physical { young: 4e9, shear: 1.5e9 };
        let desc = RodsDesc {
            radii: vec![5e-5],
            stiffness,
            root: EndSupport::Free,
            sag_free: false,
            ..sag_free(flat(&[strand]), model)
        };
        let id = w.add_rods(desc).unwrap();
        let before = positions(w.rods(id).unwrap());
        w.settle(id, 100, 1e-6, &Inline).unwrap();
        let rods = w.rods(id).unwrap();
        let report = rods.elastic_report()[0];
        assert_eq!(report.status, Status::Refused(Refusal::NotFinite), "{model:?} {double}: {report:?}");
        assert_eq!(positions(rods), before, "{model:?} {double}");
    }
}

/// What one call has stiffened is in the report of the next, which keeps the factors.
#[test]
fn reports_know_of_earlier_stiffening() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let stiffness = Stiffness::Physical { young: 1e8, shear: 4e7 };
    let desc = RodsDesc { radii: vec![5e-5], stiffness, sag_free: false, ..sag_free(flat(&[hair([0.0; 3])]), RodModel::Der) };
    let id = w.add_rods(desc).unwrap();
    optimize(&mut w, id, &Options { stiffen: Some(1e4), ..Options::default() });
    let first = w.rods(id).unwrap().elastic_report()[0];
    assert!(first.stiffest > 1.0 && first.stiffened > 0, "{first:?}");
    optimize(&mut w, id, &Options::default());
    let second = w.rods(id).unwrap().elastic_report()[0];
    assert_eq!((second.stiffened, second.stiffest), (first.stiffened, first.stiffest));
    w.rods_mut(id).unwrap().set_stiffness_factors(|_| [1.0; 2]).unwrap();
    optimize(&mut w, id, &Options::default());
    assert_eq!(w.rods(id).unwrap().elastic_report()[0].stiffest, 1.0);
}
