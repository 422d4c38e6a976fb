//! Attachments of strands that Newton's method solves together with what they hang on: no energy out of nothing, momenta, statics.

use crate::tied::*;
use withy::math::Isa;
use withy::math::Vec3;
use withy::math::approx::sin_cos;
use withy::math::vec3::vec3;
use withy::sagfree::rest_shape::Options;
use withy::world::*;

const MODELS: [RodModel; 2] = [RodModel::Ghost, RodModel::Der];

fn rods(model: RodModel, strands: &[Vec<[f64; 3]>], radius: f64, young: f64) -> RodsDesc {
    RodsDesc {
        positions: strands.concat(),
        counts: strands.iter().map(|s| s.len() as u32).collect(),
        radii: vec![radius],
        stiffness: Stiffness::Physical { young, shear: 0.4 * young },
        density: 1000.0,
        order: SweepOrder::Direct,
        mask: 0,
        model,
        ..RodsDesc::default()
    }
}

fn world(double_precision: bool, gravity: f64) -> World {
    World::new(WorldDesc { double_precision, gravity: [0.0, -gravity, 0.0], ..WorldDesc::default() }).unwrap()
}

fn end(strand: u32, tip: bool) -> StrandEnd {
    StrandEnd { strand, tip }
}

fn read(w: &World, id: Id) -> [Vec<Vec3<f64>>; 2] {
    let mut out = [Vec::new(), Vec::new()];
    w.rods(id).unwrap().read_positions(|_, p| out[0].push(p.into()));
    w.rods(id).unwrap().read_velocities(|_, p| out[1].push(p.into()));
    out
}

/// The most energy, kinetic and weight against `start`, J/kg, and the fastest vertex in each quarter of a run of so many frames, m/s. `see` gets all
/// positions after each.
fn watch(w: &mut World, id: Id, start: &[[f64; 3]], frames: usize, see: impl Fn(&[Vec3<f64>])) -> (f64, [f64; 4]) {
    let (mut most, mut fastest) = (0.0f64, [0.0f64; 4]);
    for frame in 0..frames {
        w.step(DT, &Inline).unwrap();
        let [x, v] = read(w, id);
        let each = x.iter().zip(start).zip(&v).map(|((x, p), v)| 0.5 * v.length2() + 9.81 * (x.y - p[1]));
        most = most.max(each.sum::<f64>() / x.len() as f64);
        let quarter = &mut fastest[frame * 4 / frames];
        *quarter = v.iter().fold(*quarter, |m, v| m.max(v.length()));
        see(&x);
    }
    (most, fastest)
}

fn fastest_by_quarter(w: &mut World, id: Id, frames: usize) -> [f64; 4] {
    watch(w, id, &[], frames, |_| ()).1
}

/// 20 vertices of a curl that is 19 cm long, from a point on.
fn curl(at: [f64; 3], from: f64) -> Vec<[f64; 3]> {
    let point = |i: i32| from + 0.01 * f64::from(i);
    let on_curl = |t: f64| [at[0] + t, at[1] + 0.01 * (60.0 * t).sin(), at[2] + 0.01 * ((60.0 * t).cos() - 1.0)];
    (0..20).map(point).map(on_curl).collect()
}

fn short(values: &[f64]) -> String {
    values.iter().map(|v| format!("{v:.1e}")).collect::<Vec<_>>().join(" ")
}

/// What an end hangs on in a test.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Anchor {
    Triangle,
    Body,
}

/// A body that does not move, or a triangle that does not.
fn fix(w: &mut World, id: Id, e: StrandEnd, at: [f64; 3], to: Anchor, clamp: bool) {
    match to {
        Anchor::Triangle => {
            let [x, y, z] = at;
            let positions = vec![[x - 1.0, y, z - 1.0], [x + 1.0, y, z - 1.0], [x, y, z + 2.0]];
            let desc = MeshDesc { positions, triangles: vec![[0, 1, 2]], inv_masses: vec![0.0; 3], ..MeshDesc::default() };
            let mesh = w.add_mesh(desc).unwrap();
            w.attach_triangle(id, e, mesh, 0, [1.0 / 3.0; 3], clamp).unwrap();
        }
        Anchor::Body => {
            let body = w.add_body(&BodyDesc { motion: BodyMotion::Static, ..ball(at, 0.001, 0.0) }).unwrap();
            w.attach_body(id, e, body, clamp).unwrap();
        }
    }
}

/// A curl of 0.6 g in the middle of a sheet, corners held, of vertices a thousand times lighter to a hundred times heavier: it gains no energy, and the sheet
/// carries it. The world moves the sheet, or a host that holds it where it is.
#[test]
fn a_curl_hangs_on_a_sheet() {
    for model in MODELS {
        for (young, clamp, mass, elastic) in [1e7, 1e9].into_iter().flat_map(|e| {
            let own = [1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2].map(|m| (m, true));
            let hosts = [1e-4, 1e-3, 1e-2].map(|m| (m, false));
            let all = own.into_iter().chain(hosts).flat_map(|(m, elastic)| [(m, elastic, false), (m, elastic, true)]);
            all.map(move |(m, elastic, clamp)| (e, clamp, m, elastic))
        }) {
            let mut w = world(false, 9.81);
            let strand = curl([0.0; 3], 0.0);
            let id = w.add_rods(rods(model, &[strand], 1e-3, young)).unwrap();
            let at = |i: u32, j: u32| [0.05 * f64::from(i) - 0.1, 0.0, 0.05 * f64::from(j) - 0.1];
            let positions: Vec<[f64; 3]> = (0..25).map(|k| at(k % 5, k / 5)).collect();
            let corner = |k: u32| (k % 5).is_multiple_of(4) && (k / 5).is_multiple_of(4);
            let inv_masses = (0..25).map(|k| if corner(k) { 0.0 } else { 1.0 / mass }).collect();
            let square = |k: u32| [[k, k + 1, k + 5], [k + 1, k + 6, k + 5]];
            let triangles = (0..4).flat_map(|j| (0..4).flat_map(move |i| square(5 * j + i))).collect();
            let desc = MeshDesc {
                positions: positions.clone(),
                triangles,
                inv_masses,
                edge_compliance: elastic.then_some(0.0),
                ..MeshDesc::default()
            };
            let mesh = w.add_mesh(desc).unwrap();
            // Of the middle vertex, 12.
            w.attach_triangle(id, end(0, false), mesh, 20, [1.0, 0.0, 0.0], clamp).unwrap();
            let mut fastest = [0.0f64; 4];
            for frame in 0..400 {
                if !elastic {
                    w.set_mesh_positions(mesh, |i| positions[i], false).unwrap();
                }
                w.step(DT, &Inline).unwrap();
                let now = &mut fastest[frame / 100];
                *now = read(&w, id)[1].iter().fold(*now, |m, v| m.max(v.length()));
            }
            let what = format!("{model:?} E {young:.0e} clamp {clamp}, vertices of {mass:.0e} kg, elastic {elastic}");
            let root = read(&w, id)[0][0].length();
            println!("{what}: {} m/s, root {root:.3} m away", short(&fastest));
            // A hinged bar of 19 cm that falls by a quarter turn: 2.4 m/s at its tip. Sweeps stretch a sheet that is much lighter than what hangs on it.
            assert!(fastest[0] < 4.0 && fastest[3] < 2.0 && fastest[3] < 0.8 * fastest[0], "{what}: {} m/s", short(&fastest));
            let far = if mass < 1e-6 { 0.3 } else { 0.08 };
            assert!(root < far, "{what}: {root} m");
        }
    }
}

/// A stiff curl of 20 cm on what does not move. (Seen: thrown about at 12 to 18 m/s for ever, where the joint saw the mass of one vertex.)
#[test]
fn a_tied_curl_gains_no_energy() {
    // No f32: the end is never quite where it shall be.
    const AT: [f64; 3] = [0.1, 0.7, -0.3];
    let curl = curl(AT, 0.0);
    for model in MODELS {
        for (to, clamp, double, iterations) in [
            (Anchor::Triangle, false, true, 0),
            (Anchor::Triangle, true, false, 0),
            (Anchor::Body, false, false, 1),
            (Anchor::Body, true, true, 20),
        ] {
            for tip in [false, true] {
                let mut w = world(double, 9.81);
                let mut strand = curl.clone();
                if tip {
                    strand.reverse();
                }
                let id = w.add_rods(RodsDesc { iterations, ..rods(model, &[strand.clone()], 1e-3, 1e9) }).unwrap();
                fix(&mut w, id, end(0, tip), AT, to, clamp);
                let (most, [a, b, c, d]) = watch(&mut w, id, &strand, 600, |x| {
                    let held = if tip { x[19] } else { x[0] };
                    assert!((held - Vec3::from(AT)).length() < 1e-6, "{model:?} {to:?}: the end is at {held:?}");
                });
                let fastest = [a.max(b), c.max(d)];
                println!(
                    "{model:?} {to:?} clamped {clamp}, tip {tip}, f64 {double}, {iterations}: {most:.2e} J/kg, {fastest:?} m/s"
                );
                assert!(most < 0.05 && fastest[1] < 0.7 * fastest[0] && fastest[0] < 3.5);
            }
        }
    }
}

/// A clamped attachment is as good as a clamped support of the same rod: the same sag, and that of a cantilever.
#[test]
fn a_clamped_tie_carries_a_cantilever() {
    // 50 cm, w L⁴ / 8 B with B = E π r⁴ / 4: 1 % of the length.
    let young = 1000.0 * 9.81 * 0.5f64.powi(3) / (8.0 * 0.01 * 0.25 * 2.5e-5);
    for model in MODELS {
        let tip = |tied: Option<Anchor>| {
            let mut w = world(true, 9.81);
            let root = if tied.is_none() { EndSupport::Clamped } else { EndSupport::Free };
            let strand = line([0.0; 3], [0.5, 0.0, 0.0], 41);
            let id = w.add_rods(RodsDesc { root, drag: 5.0, can_sleep: false, ..rods(model, &[strand], 5e-3, young) }).unwrap();
            if let Some(to) = tied {
                fix(&mut w, id, end(0, false), [0.0; 3], to, true);
            }
            (0..300).for_each(|_| w.step(DT, &Inline).unwrap());
            read(&w, id)[0][40].y
        };
        let (triangle, body, support) = (tip(Some(Anchor::Triangle)), tip(Some(Anchor::Body)), tip(None));
        println!("{model:?}: {triangle:.6}, {body:.6}, support {support:.6} m");
        assert!((triangle - body).abs() < 1e-9);
        assert!((triangle / -0.005 - 1.0).abs() < 0.01, "{triangle}");
        // Discrete elastic rods are clamped by their first edge, half an element more.
        assert!((triangle / support - 1.0).abs() < if model == RodModel::Der { 0.06 } else { 1e-3 }, "{triangle} {support}");
    }
}

/// The optimizer takes a clamped attachment for a clamp: the pose is kept, in both models, at root and tip, on what moves and what does not.
#[test]
fn an_optimized_strand_on_a_clamped_tie_stays() {
    let curl: Vec<[f64; 3]> =
        (0..24).map(|i| 0.01 * f64::from(i)).map(|t| [t, 0.02 * (20.0 * t).sin(), 0.02 * ((20.0 * t).cos() - 1.0)]).collect();
    for model in MODELS {
        for tip in [false, true] {
            for to in [Some(Anchor::Triangle), Some(Anchor::Body), None] {
                let mut w = world(true, 9.81);
                let mut strand = curl.clone();
                if tip {
                    strand.reverse();
                }
                let id = w.add_rods(rods(model, &[strand.clone()], 1e-3, 1e9)).unwrap();
                match to {
                    Some(to) => fix(&mut w, id, end(0, tip), [0.0; 3], to, true),
                    None => {
                        // A heavy body that nothing pulls but the strand.
                        let body = w.add_body(&BodyDesc { gravity_scale: 0.0, ..ball([0.0; 3], 0.1, 1e6) }).unwrap();
                        w.attach_body(id, end(0, tip), body, true).unwrap();
                    }
                }
                w.optimize_rest_shape(id, &Options::default(), &Inline, &mut |_, _| true).unwrap();
                (0..300).for_each(|_| w.step(DT, &Inline).unwrap());
                let off = read(&w, id)[0].iter().zip(&strand).map(|(x, p)| (*x - Vec3::from(*p)).length()).fold(0.0, f64::max);
                println!("{model:?}, tip {tip}, {to:?}: {off:.1e} m");
                assert!(off < 1e-6, "{off}");
            }
        }
    }
}

/// A ball of a thousandth to a thousand times the rope's mass on it: it hangs where (m + M/2) g L / EA says, and gains no energy on its way.
#[test]
fn a_ball_of_any_mass_hangs_still() {
    let rope_mass = core::f64::consts::PI * 1e-4 * 1000.0;
    for model in MODELS {
        for ratio in [1e-3, 0.1, 1.0, 30.0, 1e3] {
            let mut clamped = Vec::new();
            for (clamp, iterations) in [(false, 0), (true, 1), (true, 16)] {
                let (mass, young) = (ratio * rope_mass, 1e7 * ratio.max(1.0));
                let mut w = world(true, 9.81);
                let strand = line([0.0; 3], [0.0, -1.0, 0.0], 21);
                let desc = RodsDesc { root: EndSupport::Pinned, drag: 2.0, iterations, ..rods(model, &[strand], 0.01, young) };
                let id = w.add_rods(desc).unwrap();
                let body = w
                    .add_body(&BodyDesc { linear_damping: 2.0, angular_damping: 2.0, ..ball([0.05, -1.0, 0.0], 0.1, mass) })
                    .unwrap();
                w.attach_body(id, end(0, true), body, clamp).unwrap();
                let fastest = fastest_by_quarter(&mut w, id, 600);
                let sag = -1.0 - read(&w, id)[0][20].y;
                let expected = (mass + 0.5 * rope_mass) * 9.81 / (young * core::f64::consts::PI * 1e-4);
                println!(
                    "{model:?} × {ratio}, clamped {clamp} × {iterations}: sag {sag:.6}, expected {expected:.6}; fastest {} m/s",
                    short(&fastest)
                );
                assert!(fastest[0] < 2.0 && fastest[3] < 0.2 * fastest[0]);
                // What hangs from its side turns the end of a clamped rope: the ball then pulls beside the axis.
                assert!((sag / expected - 1.0).abs() < 0.01 || clamp, "{sag} {expected}");
                clamped.extend(clamp.then_some(sag));
            }
            assert!((clamped[0] - clamped[1]).abs() < 1e-5, "{clamped:?}");
        }
    }
}

/// Nothing else acts: both momenta are those of the start, and no energy comes.
#[test]
fn a_rope_and_a_ball_in_flight_keep_their_momenta() {
    for model in MODELS {
        for (ratio, clamp) in [(0.01, false), (1.0, false), (1.0, true), (100.0, true)] {
            let mut w = world(true, 0.0);
            let strand = line([0.0; 3], [1.0, 0.0, 0.0], 21);
            let desc = rods(model, std::slice::from_ref(&strand), 0.01, 1e7);
            let rope_mass = core::f64::consts::PI * 1e-4 * 1000.0;
            let masses: Vec<f64> = (0..21).map(|i| rope_mass / if i == 0 || i == 20 { 40.0 } else { 20.0 }).collect();
            let id = w.add_rods(desc).unwrap();
            let mass = ratio * rope_mass;
            let moment = 0.4 * mass * 0.01;
            let body = w.add_body(&BodyDesc { velocity: [0.0, 1.0, 0.3], ..ball([1.1, 0.0, 0.0], 0.1, mass) }).unwrap();
            w.attach_body(id, end(0, true), body, clamp).unwrap();
            let momenta = |w: &World| {
                let [x, v] = read(w, id);
                let [vb, spin] = w.body_motion(body).unwrap().map(Vec3::from);
                let xb = Vec3::from(w.body_center(body).unwrap());
                let mut linear = vb * mass;
                let mut angular = xb.cross(vb) * mass + spin * moment;
                let mut energy = 0.5 * mass * vb.length2() + 0.5 * moment * spin.length2();
                for i in 0..21 {
                    linear = linear + v[i] * masses[i];
                    angular = angular + x[i].cross(v[i]) * masses[i];
                    energy += 0.5 * masses[i] * v[i].length2();
                }
                (linear, angular, energy)
            };
            let (p0, l0, e0) = momenta(&w);
            let (mut dp, mut dl, mut de) = (0.0f64, 0.0f64, 0.0f64);
            for _ in 0..300 {
                w.step(DT, &Inline).unwrap();
                let (p, l, e) = momenta(&w);
                dp = dp.max((p - p0).length() / p0.length());
                dl = dl.max((l - l0).length() / l0.length());
                de = de.max(e / e0 - 1.0);
            }
            println!("{model:?} × {ratio}, clamped {clamp}: momenta off by {dp:.1e}, {dl:.1e}; energy {de:+.1e}");
            // A light anchor gets what the last but one Newton step foresaw.
            let bar = if ratio < 2.0 { 5e-3 } else { 1e-9 };
            assert!(dp < bar && dl < 0.03 && de < 1e-3);
        }
    }
}

/// Eight ropes and what they hold in the middle: a ball of a tenth or of ten times their mass, or a junction.
fn hung(model: RodModel, ratio: Option<f64>, clamp: bool, substeps: u32, iterations: u32) -> ([f64; 4], Vec<Vec3<f64>>) {
    const ROPES: u32 = 8;
    let middle = if ratio.is_some() { 0.05 } else { 0.0 };
    let rope = |k: u32| {
        let a = core::f64::consts::TAU * f64::from(k) / f64::from(ROPES);
        line([a.cos(), 0.5, a.sin()], [middle * a.cos(), 0.0, middle * a.sin()], 16)
    };
    let ropes: Vec<Vec<[f64; 3]>> = (0..ROPES).map(rope).collect();
    let mut w = World::new(WorldDesc { double_precision: true, substeps, iterations, ..WorldDesc::default() }).unwrap();
    let id = w.add_rods(RodsDesc { root: EndSupport::Clamped, drag: 2.0, ..rods(model, &ropes, 0.01, 1e7) }).unwrap();
    match ratio {
        Some(ratio) => {
            let mass = ratio * 8.0 * core::f64::consts::PI * 1e-4 * 1000.0 * 1.07;
            let body = w.add_body(&BodyDesc { linear_damping: 2.0, angular_damping: 2.0, ..ball([0.0; 3], 0.05, mass) }).unwrap();
            for k in 0..ROPES {
                w.attach_body(id, end(k, true), body, clamp).unwrap();
            }
        }
        None => {
            let ends: Vec<(Id, StrandEnd)> = (0..ROPES).map(|k| (id, end(k, true))).collect();
            w.add_junction(&ends, 0.0, 0.0).unwrap();
        }
    }
    let fastest = fastest_by_quarter(&mut w, id, 480);
    let x = read(&w, id)[0].clone();
    (fastest, (0..ROPES as usize).map(|k| x[16 * k + 15]).collect())
}

#[test]
fn what_hangs_on_many_ropes_comes_to_rest() {
    let mean = |tips: &[Vec3<f64>]| tips.iter().fold(Vec3::zero(), |s, &t| s + t) * (1.0 / tips.len() as f64);
    for model in MODELS {
        for (ratio, clamp) in [(Some(0.1), false), (Some(0.1), true), (Some(10.0), false), (Some(10.0), true), (None, true)] {
            let (fastest, tips) = hung(model, ratio, clamp, 8, 4);
            let at = mean(&tips);
            let uneven = tips.iter().map(|t| (t.y - at.y).abs()).fold(0.0, f64::max);
            println!("{model:?}, {ratio:?}, clamped {clamp}: {} m/s; middle {at:.4?}, uneven {uneven:.1e}", short(&fastest));
            assert!(fastest[0] < 1.0 && fastest[3] < 1e-3 * fastest[0], "{fastest:?}");
            assert!(vec3(at.x, 0.0, at.z).length() < 1e-3 && uneven < 1e-3);
            // With four times the substeps and iterations.
            if let (Some(10.0), false) = (ratio, clamp) {
                let fine = mean(&hung(model, ratio, clamp, 16, 8).1);
                println!("converged: {fine:.4?}");
                assert!((at - fine).length() < 5e-4);
            }
        }
    }
}

/// Two stiff curls, the first one's root held, and a junction between them. (Seen: 970 m/s, where the joint saw the mass of one vertex of each.)
#[test]
fn curls_in_a_junction_gain_no_energy() {
    for model in MODELS {
        for (iterations, double) in [(0, false), (1, true)] {
            let strands = [curl([0.0; 3], 0.0), curl([0.0; 3], 0.19)];
            let start = strands.concat();
            let mut w = world(double, 9.81);
            let id = w.add_rods(RodsDesc { iterations, ..rods(model, &strands, 1e-3, 1e9) }).unwrap();
            w.rods_mut(id).unwrap().set_pin(0, Some([0.0; 3]), false).unwrap();
            w.add_junction(&[(id, end(0, true)), (id, end(1, false))], 0.0, 0.0).unwrap();
            let (most, fastest) = watch(&mut w, id, &start, 800, |_| ());
            println!("{model:?}, f64 {double} × {iterations}: {most:.2e} J/kg, {} m/s", short(&fastest));
            assert!(most < 0.02 && fastest[0] < 4.0 && fastest[3] < 0.6 * fastest[0]);
        }
    }
}

/// Two straight strands, the first one's root pinned, and a junction or a light ball that clamps both: they swing. Stiff ones of millimetres, and long
/// steps. (Seen: 13 to 8,000 m/s.) Long steps also with starts that are apart by less than an atom, as what drifts out of the plane of the swing grows from
/// rounding: eight of twelve were thrown about where one was not.
#[test]
fn stiff_nets_swing_and_gain_no_energy() {
    for model in MODELS {
        for (k, (edges, length, young)) in
            [(9, 0.03, 1e9), (30, 0.03, 1e9), (20, 0.2, 1e9), (9, 0.3, 1e9)].into_iter().enumerate()
        {
            for (l, mass) in [None, Some(1e-5), Some(1e-3)].into_iter().enumerate() {
                let long = [0.0, 1e-13].map(|off| (true, 1, 1, off));
                // Of the short steps, which take ten times as long, each with each length and each mass.
                let others = [(true, 8, 0, 0.0), (false, 8, 0, 0.0), (false, 8, 8, 0.0), (false, 2, 1, 0.0)];
                let some = others.into_iter().enumerate().filter(|(m, _)| (k + l + m) % 3 == 0).map(|(_, other)| other);
                for (double, substeps, iterations, off) in some.chain(long) {
                    let strands = [
                        line([0.0; 3], [length, 0.0, off], edges + 1),
                        line([length, 0.0, off], [2.0 * length, off, 0.0], edges + 1),
                    ];
                    let desc = WorldDesc { double_precision: double, substeps, ..WorldDesc::default() };
                    let mut w = World::new(desc).unwrap();
                    let id = w.add_rods(RodsDesc { iterations, ..rods(model, &strands, 1e-3, young) }).unwrap();
                    w.rods_mut(id).unwrap().set_pin(0, Some([0.0; 3]), false).unwrap();
                    match mass {
                        None => {
                            w.add_junction(&[(id, end(0, true)), (id, end(1, false))], 0.0, 0.0).unwrap();
                        }
                        Some(mass) => {
                            let body = w.add_body(&ball([length, 0.0, 0.0], 0.005, mass)).unwrap();
                            w.attach_body(id, end(0, true), body, true).unwrap();
                            w.attach_body(id, end(1, false), body, true).unwrap();
                        }
                    }
                    let fastest = fastest_by_quarter(&mut w, id, 240);
                    // A rod that falls from the horizontal about its end has the tip speed √(3 g 2 L).
                    let most = (3.0 * 9.81 * 2.0 * length).sqrt() * if mass == Some(1e-3) { 1.5 } else { 1.1 };
                    println!(
                        "{model:?}, {edges} edges, {length} m, {mass:?}, f64 {double}, {substeps} × {iterations}: {} of {most:.2} m/s",
                        short(&fastest)
                    );
                    assert!(fastest.iter().all(|v| *v < most), "{fastest:?} m/s, at most {most}");
                }
            }
        }
    }
}

/// A strand between two pins, whole and cut into six that junctions, or light bodies, join: the same shape, at rest.
#[test]
fn a_chain_of_strands_hangs_like_one() {
    const PIECES: u32 = 6;
    let point = |i: u32| {
        let t = f64::from(i) / 60.0;
        [t, 0.1 * (6.0 * t).sin(), 0.05 * (9.0 * t).cos()]
    };
    for model in MODELS {
        let hang = |pieces: u32, bodies: bool, double: bool| {
            let each = 60 / pieces;
            let strands: Vec<Vec<[f64; 3]>> = (0..pieces).map(|s| (s * each..=(s + 1) * each).map(point).collect()).collect();
            let mut w = world(double, 9.81);
            let id = w.add_rods(RodsDesc { drag: 3.0, ..rods(model, &strands, 2e-3, 2e9) }).unwrap();
            let last = w.rods(id).unwrap().vertex_count() - 1;
            w.rods_mut(id).unwrap().set_pin(0, Some(point(0)), false).unwrap();
            w.rods_mut(id).unwrap().set_pin(last as u32, Some(point(60)), false).unwrap();
            for s in 0..pieces - 1 {
                let (a, b) = (end(s, true), end(s + 1, false));
                if bodies {
                    let desc = BodyDesc { linear_damping: 3.0, angular_damping: 3.0, ..ball(point((s + 1) * each), 0.005, 1e-4) };
                    let body = w.add_body(&desc).unwrap();
                    w.attach_body(id, a, body, true).unwrap();
                    w.attach_body(id, b, body, true).unwrap();
                } else {
                    w.add_junction(&[(id, a), (id, b)], 0.0, 0.0).unwrap();
                }
            }
            let fastest = fastest_by_quarter(&mut w, id, 800);
            let x = read(&w, id)[0].clone();
            let shape: Vec<Vec3<f64>> = (0..=60u32).map(|i| x[(i + i.saturating_sub(1) / each) as usize]).collect();
            (shape, fastest)
        };
        let (whole, _) = hang(1, false, true);
        let sag = whole.iter().enumerate().map(|(i, x)| (*x - Vec3::from(point(i as u32))).length()).fold(0.0, f64::max);
        for (bodies, double) in [(false, true), (false, false), (true, true)] {
            let (cut, fastest) = hang(PIECES, bodies, double);
            let off = whole.iter().zip(&cut).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
            println!("{model:?}, bodies {bodies}, f64 {double}: off by {off:.1e} m of {sag:.1e}; {} m/s", short(&fastest));
            assert!(off < 0.05 * sag && fastest[3] < 5e-4, "{fastest:?}");
        }
    }
}

/// Strands of unequal length side by side in SIMD lanes, the tips of some tied: the twist of the others keeps its turns, and is that of a strand alone.
#[test]
fn lanes_of_tied_strands_leave_each_other_alone() {
    let strand = |n: usize| line([0.0; 3], [0.01 * (n - 1) as f64, 0.0, 0.0], n);
    let twist = |strands: &[Vec<[f64; 3]>], which: usize, tied: bool| {
        let mut w = world(true, 0.0);
        let id =
            w.add_rods(RodsDesc { root: EndSupport::Clamped, drag: 3.0, ..rods(RodModel::Der, strands, 2e-3, 1e7) }).unwrap();
        if tied {
            let desc = BodyDesc { motion: BodyMotion::Static, ..ball([0.19, 0.0, 0.0], 1e-3, 0.0) };
            let body = w.add_body(&desc).unwrap();
            w.attach_body(id, end(0, true), body, true).unwrap();
        }
        // Two turns of the root in two seconds: nothing else holds the strand.
        for k in 1..=120 {
            let half = core::f64::consts::TAU * f64::from(k) / 120.0;
            let pose = |_| Pose { position: [0.0; 3], rotation: [half.sin(), 0.0, 0.0, half.cos()] };
            w.rods_mut(id).unwrap().set_root_poses(pose, false).unwrap();
            w.step(DT, &Inline).unwrap();
        }
        let mut out = Vec::new();
        let start: usize = strands[..which].iter().map(|s| s.len() - 2).sum();
        w.rods(id).unwrap().read_twist(|i, t| {
            if (start..start + strands[which].len() - 2).contains(&i) {
                out.push(t);
            }
        });
        out
    };
    let alone = twist(&[strand(31)], 0, false);
    let beside = twist(&[strand(20), strand(31)], 1, true);
    let off = alone.iter().zip(&beside).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("off by {off:.1e} rad");
    assert!(off < 1e-9, "{alone:?} {beside:?}");
}

/// A saved chain goes on in a new world with the bits that it would have had.
#[test]
fn saved_chains_go_on_as_they_would_have() {
    for model in MODELS {
        let make = || {
            let mut w = world(false, 9.81);
            let strands = [
                line([0.0; 3], [0.2, 0.0, 0.0], 11),
                line([0.2, 0.0, 0.0], [0.4, 0.0, 0.0], 11),
                line([0.4, 0.0, 0.0], [0.6, 0.1, 0.0], 11),
            ];
            let id = w.add_rods(rods(model, &strands, 2e-3, 1e9)).unwrap();
            w.rods_mut(id).unwrap().set_pin(0, Some([0.0; 3]), false).unwrap();
            w.add_junction(&[(id, end(0, true)), (id, end(1, false))], 0.0, 0.0).unwrap();
            let body = w.add_body(&ball([0.4, 0.0, 0.0], 0.01, 1e-3)).unwrap();
            w.attach_body(id, end(1, true), body, true).unwrap();
            w.attach_body(id, end(2, false), body, false).unwrap();
            (w, id)
        };
        let (mut w, id) = make();
        (0..30).for_each(|_| w.step(DT, &Inline).unwrap());
        let mut saved = vec![0; w.save_state(&mut []).unwrap()];
        w.save_state(&mut saved).unwrap();
        (0..30).for_each(|_| w.step(DT, &Inline).unwrap());
        let (mut other, again) = make();
        other.restore_state(&saved).unwrap();
        (0..30).for_each(|_| other.step(DT, &Inline).unwrap());
        let bits = |w: &World, id| read(w, id).concat().iter().flat_map(|v| v.to_array().map(f64::to_bits)).collect::<Vec<_>>();
        assert!(bits(&w, id) == bits(&other, again), "{model:?}");
    }
}

/// A ball that hangs by its centre does not spin, however fast it swings; and a strand and a ball do the same whatever frame they are seen from.
#[test]
fn ties_know_no_frame() {
    for model in MODELS {
        for mass in [1e-3, 1.0] {
            let mut w = world(true, 9.81);
            let strand = line([0.0; 3], [0.5, 0.0, 0.0], 11);
            let id = w.add_rods(RodsDesc { root: EndSupport::Pinned, ..rods(model, &[strand], 2e-3, 1e8) }).unwrap();
            let body = w.add_body(&ball([0.5, 0.0, 0.0], 0.01, mass)).unwrap();
            w.attach_body(id, end(0, true), body, false).unwrap();
            let mut spin = 0.0f64;
            for _ in 0..180 {
                w.step(DT, &Inline).unwrap();
                spin = spin.max(Vec3::from(w.body_motion(body).unwrap()[1]).length());
            }
            assert!(spin < 1e-6, "{model:?} {mass}: {spin} rad/s");
            let seen = |speed: f64| {
                let mut w = world(true, 0.0);
                let strand = line([0.0; 3], [0.5, 0.0, 0.0], 11);
                let velocities = strand.iter().map(|p| [speed, p[0], 0.0]).collect();
                let id = w.add_rods(RodsDesc { velocities, ..rods(model, &[strand], 2e-3, 1e8) }).unwrap();
                let body = w.add_body(&BodyDesc { velocity: [speed, 0.5, 0.0], ..ball([0.52, 0.0, 0.0], 0.02, mass) }).unwrap();
                w.attach_body(id, end(0, true), body, true).unwrap();
                (0..90).for_each(|_| w.step(DT, &Inline).unwrap());
                let x = read(&w, id)[0].clone();
                x[10] - x[0]
            };
            let off = (seen(0.0) - seen(40.0)).length();
            println!("{model:?}, {mass} kg: spin {spin:.1e} rad/s, off by {off:.1e} m at 40 m/s");
            assert!(off < 1e-3, "{off}");
        }
    }
}

/// Strands of many lengths whose tips are clamped to bodies of 10 mg are thrown about, and have the same bits on every instruction set all the same. (A clamped
/// tip counted its turns from those of elements that longer neighbours have there and it has not, wherever a neighbour wanted a second assembly.)
#[test]
fn tips_of_many_lengths_have_the_same_bits_on_every_instruction_set() {
    const LENGTHS: [(usize, f64); 4] = [(31, 4.0), (64, 10.0), (63, 9.0), (65, 11.0)];
    let strand = |(n, id): (usize, f64)| -> Vec<[f64; 3]> {
        let (edge, mut p) = (0.5 / (n - 1) as f64, [2.0 * id, 0.3, 0.0]);
        let next = |i: usize| {
            let (here, s) = (p, i as f64 / n as f64);
            let ((_, cos), (sin, _)) = (sin_cos(0.4 + 3.0 * s), sin_cos(0.2 * s * id));
            p = [p[0] + edge * cos, p[1] - 0.55 * edge, p[2] + edge * sin];
            here
        };
        (0..n).map(next).collect()
    };
    let strands = LENGTHS.map(strand);
    let after = |isa: Isa, double_precision: bool, steps: usize| {
        let mut w = World::new(WorldDesc { isa: Some(isa), double_precision, substeps: 2, ..WorldDesc::default() }).unwrap();
        let (positions, counts) = (strands.concat(), strands.iter().map(|s| s.len() as u32).collect());
        let stiffness = Stiffness::Physical { young: 1e7, shear: 4e6 };
        let (root, model) = (EndSupport::Clamped, RodModel::Der);
        let desc =
            RodsDesc { positions, counts, radii: vec![2e-3], stiffness, root, model, sag_free: true, ..RodsDesc::default() };
        let id = w.add_rods(desc).unwrap();
        for (k, s) in strands.iter().enumerate() {
            let ball = ShapeDesc { shape: BodyShape::Sphere { radius: 0.02 }, mask: 0, ..ShapeDesc::default() };
            let pose = Pose { position: *s.last().unwrap(), ..Pose::IDENTITY };
            let body = w.add_body(&BodyDesc { shapes: vec![ball], pose, mass: 1e-5, ..BodyDesc::default() }).unwrap();
            w.attach_body(id, StrandEnd { strand: k as u32, tip: true }, body, true).unwrap();
        }
        w.optimize_rest_shape(id, &Options::default(), &Inline, &mut |_, _| true).unwrap();
        (0..steps).for_each(|_| {
            w.step(1.0 / 60.0, &Inline).unwrap();
        });
        w.state_hash()
    };
    for double in [true, false] {
        for steps in [38, 58] {
            let scalar = after(Isa::Scalar, double, steps);
            for isa in Isa::ALL.into_iter().filter(|isa| isa.available()) {
                assert_eq!(after(isa, double, steps), scalar, "{isa:?}, f64 {double}, {steps} steps");
            }
        }
    }
}
