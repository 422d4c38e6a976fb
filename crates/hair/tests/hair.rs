//! Render hair against what it promises.

use std::f64::consts::{FRAC_PI_2, PI};
use withy_hair::{BindOptions, Guides, Hair, Lod, Plan, Pose, Roots, Scalp, Scatter, Strands};
use withy_math::rng::Rng;
use withy_math::{Isa, Quat, Vec3};

type V = Vec3<f64>;

fn v(x: f64, y: f64, z: f64) -> V {
    Vec3 { x, y, z }
}

fn about(axis: V, angle: f64) -> Quat<f64> {
    let (s, c) = (0.5 * angle).sin_cos();
    let a = axis.normalized_or(v(0.0, 1.0, 0.0)) * s;
    Quat { x: a.x, y: a.y, z: a.z, w: c }
}

/// Strands of the test, as they are now.
#[derive(Clone, Default)]
struct Set {
    counts: Vec<u32>,
    positions: Vec<[f64; 3]>,
    frames: Vec<[f64; 4]>,
}

impl Set {
    fn guides(&self) -> Guides<'_> {
        Guides { counts: &self.counts, positions: &self.positions, frames: &self.frames }
    }
    fn strands(&self) -> Strands<'_> {
        Strands { counts: &self.counts, positions: &self.positions, widths: &[] }
    }
    /// Frames whose third axis runs along each edge.
    fn push(&mut self, points: &[V]) {
        self.counts.push(points.len() as u32);
        self.positions.extend(points.iter().map(|p| p.to_array()));
        for e in points.windows(2) {
            let d = (e[1] - e[0]).normalized_or(v(0.0, 0.0, 1.0));
            let a = d.any_perpendicular().normalized_or(v(1.0, 0.0, 0.0));
            self.frames.push(Quat::from_frame([a, d.cross(a), d]).to_array());
        }
    }
    fn moved(&self, by: impl Fn(V) -> V, turn: impl Fn(usize) -> Quat<f64>) -> Set {
        let quat = |[x, y, z, w]: [f64; 4]| Quat { x, y, z, w };
        Set {
            counts: self.counts.clone(),
            positions: self.positions.iter().map(|p| by(Vec3::from(*p)).to_array()).collect(),
            frames: self.frames.iter().enumerate().map(|(i, q)| turn(i).compose(quat(*q)).to_array()).collect(),
        }
    }
}

/// A curl of `n` vertices that rises by `height` from a point of the plane y = 0.
fn curl(x: f64, z: f64, n: usize, height: f64, radius: f64, phase: f64) -> Vec<V> {
    (0..n)
        .map(|i| {
            let t = i as f64 / (n - 1) as f64;
            let a = phase + 6.0 * PI * t;
            v(x + radius * (a.cos() - phase.cos()), height * t, z + radius * (a.sin() - phase.sin()))
        })
        .collect()
}

/// Guides on a grid of 5 × 5 with 2 cm between, 12 vertices each; hair between and on them, curly, of
/// several lengths and counts.
fn scene() -> (Set, Set) {
    let (mut guides, mut hair) = (Set::default(), Set::default());
    for i in 0..25 {
        guides.push(&curl(0.02 * f64::from(i % 5), 0.02 * f64::from(i / 5), 12, 0.2, 0.004, 0.3));
    }
    let mut rng = Rng::new(3);
    for i in 0..400usize {
        let (x, z) = (rng.range(-0.005, 0.085), rng.range(-0.005, 0.085));
        let n = [16, 16, 16, 9, 33, 2, 70, 130][i % 8];
        let mut points = curl(x, z, n, rng.range(0.15, 0.22), 0.006, rng.range(0.0, 6.0));
        if i % 16 == 1 {
            // Uneven edges: most vertices near the root.
            points.iter_mut().for_each(|p| p.y = p.y * p.y / 0.2);
        }
        hair.push(&points);
    }
    (guides, hair)
}

fn read(hair: &Hair, guides: &Set, lod: Lod, isa: Isa) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    read_rooted(hair, guides, None, lod, isa)
}

fn read_rooted(hair: &Hair, guides: &Set, roots: Option<&Roots>, lod: Lod, isa: Isa) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let (mut pose, mut plan) = (Pose::default(), Plan::default());
    hair.pose(&guides.guides(), roots, &mut pose).unwrap();
    plan.update(hair, lod).unwrap();
    let mut out = [vec![[0.0; 3]; plan.vertices()], vec![[0.0; 3]; plan.vertices()]];
    let [positions, tangents] = &mut out;
    hair.read(&pose, &plan, isa, positions, tangents).unwrap();
    let [positions, tangents] = out;
    (positions, tangents)
}

fn bound() -> (Set, Set, Hair) {
    let (guides, strands) = scene();
    let hair = Hair::bind(&guides.guides(), &strands.strands(), &BindOptions::default()).unwrap();
    (guides, strands, hair)
}

fn distance(a: [f32; 3], b: [f64; 3]) -> f64 {
    (Vec3::from(a.map(f64::from)) - Vec3::from(b)).length()
}

#[test]
fn at_rest_it_is_the_groom() {
    let (guides, strands, hair) = bound();
    let (x, t) = read(&hair, &guides, Lod::default(), Isa::best());
    for (i, (x, p)) in x.iter().zip(&strands.positions).enumerate() {
        assert!(distance(*x, *p) < 4e-8, "vertex {i}: {x:?}, not {p:?}");
    }
    let mut first = 0;
    for n in &strands.counts {
        for i in 0..*n as usize {
            let of = |i: usize| Vec3::from(strands.positions[first + i]);
            let way = (of((i + 1).min(*n as usize - 1)) - of(i.saturating_sub(1))).normalized_or(v(0.0, 0.0, 0.0));
            assert!(distance(t[first + i], way.to_array()) < 1e-4, "tangent {i}");
        }
        first += *n as usize;
    }
}

#[test]
fn far_from_the_origin_it_is_the_groom_to_the_rounding_of_f32() {
    let (guides, strands) = scene();
    let away = |s: &Set| s.moved(|p| p + v(300.0, -40.0, 7.0), |_| Quat::identity());
    let (guides, strands) = (away(&guides), away(&strands));
    let hair = Hair::bind(&guides.guides(), &strands.strands(), &BindOptions::default()).unwrap();
    let (x, _) = read(&hair, &guides, Lod::default(), Isa::best());
    // f32 at 300 has steps of 3e-5.
    assert!(x.iter().zip(&strands.positions).all(|(x, p)| distance(*x, *p) < 3e-5));
}

#[test]
fn a_rigid_motion_takes_it_along() {
    let (guides, strands, hair) = bound();
    for (axis, angle) in [(v(1.0, 2.0, -0.5), 2.5), (v(0.0, 1.0, 0.0), PI), (v(1.0, 0.0, 0.0), 5.0)] {
        let q = about(axis, angle);
        let by = |p: V| q.rotate(p) + v(0.3, -0.2, 0.7);
        let (x, _) = read(&hair, &guides.moved(by, |_| q), Lod::default(), Isa::best());
        for (i, (x, p)) in x.iter().zip(&strands.positions).enumerate() {
            let wanted = by(Vec3::from(*p)).to_array();
            assert!(distance(*x, wanted) < 1e-6, "vertex {i}: {x:?}, not {wanted:?}");
        }
    }
}

#[test]
fn weights_are_shares_and_neighbours() {
    let (guides, strands, hair) = bound();
    let mut first = 0;
    for s in 0..hair.strands() {
        let f = hair.followed(s);
        assert!((f.weights.iter().sum::<f32>() - 1.0).abs() < 1e-6 && f.weights.iter().all(|w| (0.0..=1.0).contains(w)), "{f:?}");
        let root = strands.positions[first];
        let mut blend = v(0.0, 0.0, 0.0);
        for k in 0..3 {
            blend = blend + Vec3::from(guides.positions[12 * f.guides[k] as usize]) * f64::from(f.weights[k]);
        }
        // Barycentric within the grid; outside of it at most as far as the triangle is wide.
        let inside = [root[0], root[2]].iter().all(|x| (0.0..=0.08).contains(x));
        let off = (blend - Vec3::from(root)).length();
        assert!(off < if inside { 1e-8 } else { 0.02 }, "strand {s}: {off}");
        first += strands.counts[s] as usize;
    }
}

#[test]
fn a_strand_at_a_guide_is_that_guide() {
    let (guides, _, _) = bound();
    let mut strands = Set::default();
    for g in [7usize, 12] {
        let points: Vec<V> = guides.positions[12 * g..12 * g + 12].iter().map(|p| Vec3::from(*p)).collect();
        strands.push(&points);
    }
    let hair = Hair::bind(&guides.guides(), &strands.strands(), &BindOptions::default()).unwrap();
    assert_eq!((hair.followed(0).guides[0], hair.followed(0).weights), (7, [1.0, 0.0, 0.0]));
    // Each vertex moves on its own.
    let by = |p: V| v(p.x + 0.3 * p.y * p.y, p.y, p.z + 0.1 * (9.0 * p.x).sin() + p.x * p.y);
    let moved = guides.moved(by, |_| Quat::identity());
    let (x, _) = read(&hair, &moved, Lod::default(), Isa::best());
    for (i, x) in x.iter().enumerate() {
        let g = if i < 12 { 7 } else { 12 };
        let wanted = moved.positions[12 * g + i % 12];
        assert!(distance(*x, wanted) < 1e-7, "{i}: {x:?}, not {wanted:?}");
    }
}

#[test]
fn a_twist_of_a_guide_turns_its_curls() {
    let mut guides = Set::default();
    let line: Vec<V> = (0..11).map(|i| v(0.0, 0.02 * f64::from(i), 0.0)).collect();
    guides.push(&line);
    let mut strands = Set::default();
    strands.push(&curl(0.003, 0.0, 21, 0.2, 0.005, 1.0));
    let hair = Hair::bind(&guides.guides(), &strands.strands(), &BindOptions::default()).unwrap();
    // The root edge stays, the tip's has turned by four right angles more than the root's.
    let twist = |edge: usize| about(v(0.0, 1.0, 0.0), FRAC_PI_2 * edge as f64 / 9.0 * 4.0);
    let (x, _) = read(&hair, &guides.moved(|p| p, twist), Lod::default(), Isa::best());
    for (i, (x, p)) in x.iter().zip(&strands.positions).enumerate() {
        // Turns are those of the edges' middles, blended.
        let turn = about(v(0.0, 1.0, 0.0), (4.0 * FRAC_PI_2 * (0.5 * i as f64 - 0.5) / 9.0).clamp(0.0, 4.0 * FRAC_PI_2));
        let wanted = turn.rotate(Vec3::from(*p)).to_array();
        assert!(distance(*x, wanted) < 1e-6, "{i}: {x:?}, not {wanted:?}");
    }
}

/// How many times as long as it was groomed an edge is, at most, of what a plan reads.
fn longest(hair: &Hair, strands: &Set, x: &[[f32; 3]], lod: Lod) -> f64 {
    let mut plan = Plan::default();
    plan.update(hair, lod).unwrap();
    let mut worst = 0.0_f64;
    for k in plan.kept() {
        let n = strands.counts[k.strand as usize] as usize;
        let first: usize = strands.counts[..k.strand as usize].iter().map(|n| *n as usize).sum();
        let p = &strands.positions[first..first + n];
        let place = |j: usize| (j * (n - 1) * 2 + (k.vertices as usize - 1)) / (2 * (k.vertices as usize - 1));
        for j in 1..k.vertices as usize {
            let (from, to) = (place(j - 1), place(j));
            let groomed: f64 = p[from..=to].windows(2).map(|e| (Vec3::from(e[1]) - Vec3::from(e[0])).length()).sum();
            let [a, b] = [j - 1, j].map(|j| x[k.first as usize + j]);
            worst = worst.max(distance(b, a.map(f64::from)) / groomed);
        }
    }
    worst
}

/// Guides whose frames are thrown about from edge to edge, and strands up to 14 mm beside them: no edge is longer than 1.5 times what was groomed, with all vertices
/// or some, and roots of the host's own.
#[test]
fn no_edge_is_longer_than_it_may_be() {
    let (guides, strands, hair) = bound();
    let thrown = guides.moved(|p| p, |i| about(v((3 * i % 7) as f64 - 3.0, 1.0, (5 * i % 7) as f64 - 3.0), 1.5 * (i % 3) as f64));
    let turned = about(v(1.0, 0.2, 0.0), 0.5);
    let n = hair.strands();
    let mut first = 0;
    let root = |n: &u32| {
        first += *n as usize;
        strands.positions[first - *n as usize]
    };
    let p: Vec<[f64; 3]> = strands.counts.iter().map(root).collect();
    let q = vec![turned.to_array(); n];
    let roots = Roots { positions: &p, rotations: &q };
    for roots in [None, Some(&roots)] {
        for lod in [Lod::default(), Lod { vertices: 0.3, ..Lod::default() }] {
            let (x, t) = read_rooted(&hair, &thrown, roots, lod, Isa::best());
            let most = longest(&hair, &strands, &x, lod);
            assert!(most < 1.5 + 1e-4 && most > 1.4, "{most} times as long");
            // Without tangents they go straight from registers.
            let (mut pose, mut plan) = (Pose::default(), Plan::default());
            hair.pose(&thrown.guides(), roots, &mut pose).unwrap();
            plan.update(&hair, lod).unwrap();
            let mut alone = vec![[0.0; 3]; plan.vertices()];
            hair.read(&pose, &plan, Isa::best(), &mut alone, &mut []).unwrap();
            assert!(alone == x);
            for k in plan.kept().iter().filter(|k| k.vertices > 2) {
                for j in 1..k.vertices as usize - 1 {
                    let at = k.first as usize + j;
                    let way = Vec3::from(x[at + 1].map(f64::from)) - Vec3::from(x[at - 1].map(f64::from));
                    let along = Vec3::from(t[at].map(f64::from));
                    assert!(way.length() < 1e-4 || (way.normalized_or(along) - along).length() < 1e-3, "{k:?} {j}");
                }
            }
        }
    }
}

#[test]
fn the_same_bits_for_all_threads_and_instruction_sets() {
    let (guides, _, hair) = bound();
    let bend = guides.moved(|p| v(p.x + p.y * p.y, p.y, p.z - p.x * p.y), |i| about(v(0.3, 1.0, 0.2), 0.1 * (i % 11) as f64));
    let n = hair.strands();
    let (p, q) = (vec![[0.01, 0.02, 0.03]; n], vec![about(v(1.0, 0.0, 0.0), 0.4).to_array(); n]);
    let roots = Roots { positions: &p, rotations: &q };
    // Frames that turn far, too: edges are held.
    let thrown = guides.moved(|p| p, |i| about(v(0.3, 1.0, 0.2), 1.5 * (i % 3) as f64));
    for (roots, bend) in [(None, &bend), (Some(&roots), &bend), (None, &thrown), (Some(&roots), &thrown)] {
        for lod in [Lod::default(), Lod { strands: 0.37, vertices: 0.6, width: 1.0 }] {
            let pool = |n: usize| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
            let bits = |x: &(Vec<[f32; 3]>, Vec<[f32; 3]>)| -> Vec<u32> {
                x.0.iter().chain(&x.1).flatten().map(|x| x.to_bits()).collect()
            };
            let want = pool(1).install(|| read_rooted(&hair, bend, roots, lod, Isa::Scalar));
            for isa in Isa::ALL.into_iter().filter(|i| i.available()) {
                let found = pool(8).install(|| read_rooted(&hair, bend, roots, lod, isa));
                assert!(bits(&want) == bits(&found), "{isa:?} {lod:?}");
            }
        }
    }
}

#[test]
fn fewer_strands_are_some_of_them_and_wider() {
    let (guides, strands) = scene();
    let given = Strands { widths: &[1e-4], ..strands.strands() };
    let hair = Hair::bind(&guides.guides(), &given, &BindOptions::default()).unwrap();
    let (all, _) = read(&hair, &guides, Lod::default(), Isa::best());
    let mut before: Vec<u32> = Vec::new();
    for share in [0.01, 0.1, 0.5, 1.0] {
        let mut plan = Plan::default();
        plan.update(&hair, Lod { strands: share, vertices: 0.5, width: 2.0 }).unwrap();
        let kept: Vec<u32> = plan.kept().iter().map(|k| k.strand).collect();
        assert_eq!(kept.len(), (400.0 * share).ceil() as usize);
        assert!(before.iter().all(|s| kept.contains(s)), "what is there at a small share is there at a larger one");
        let (x, _) = read(&hair, &guides, plan_lod(share), Isa::best());
        for k in plan.kept() {
            let first: usize = (0..k.strand as usize).map(|s| hair_count(&hair, s)).sum();
            let n = hair_count(&hair, k.strand as usize);
            let last = (k.first + k.vertices) as usize - 1;
            // Both ends stay, bit for bit.
            assert_eq!((x[k.first as usize], x[last]), (all[first], all[first + n - 1]), "strand {}", k.strand);
            assert!(k.vertices as usize >= 2 && k.vertices as usize <= n.max(2) / 2 + 2, "{k:?} of {n}");
        }
        let mut widths = Vec::new();
        plan.widths(&hair, |_, w| widths.push(w));
        let wanted = 2e-4 * 400.0 / kept.len() as f64;
        assert!(widths.len() == plan.vertices() && widths.iter().all(|w| (w / wanted - 1.0).abs() < 1e-7));
        before = kept;
    }
}

fn plan_lod(share: f64) -> Lod {
    Lod { strands: share, vertices: 0.5, width: 2.0 }
}

fn hair_count(hair: &Hair, strand: usize) -> usize {
    hair.full().kept()[strand].vertices as usize
}

#[test]
fn a_parting_is_kept() {
    // Two rows of guides 1 cm apart that fall to either side.
    let (mut guides, mut strands) = (Set::default(), Set::default());
    let fall = |x: f64, z: f64, side: f64| -> Vec<V> {
        (0..10).map(|i| v(x + side * 0.02 * f64::from(i), -0.004 * f64::from(i), z)).collect()
    };
    for i in 0..8 {
        for side in [-1.0, 1.0] {
            for row in 0..2 {
                guides.push(&fall(side * (0.005 + 0.01 * f64::from(row)), 0.01 * f64::from(i), side));
            }
        }
    }
    let mut rng = Rng::new(9);
    let sides: Vec<f64> = (0..100).map(|i| if i % 2 == 0 { -1.0 } else { 1.0 }).collect();
    for side in &sides {
        // Some roots lie between the rows.
        strands.push(&fall(side * rng.range(0.0, 0.012), rng.range(0.0, 0.07), *side));
    }
    let hair = Hair::bind(&guides.guides(), &strands.strands(), &BindOptions::default()).unwrap();
    for (s, side) in sides.iter().enumerate() {
        let f = hair.followed(s);
        for k in (0..3).filter(|k| f.weights[*k] > 0.0) {
            assert!(guides.positions[10 * f.guides[k] as usize][0] * side > 0.0, "strand {s}: {f:?}");
        }
    }
}

#[test]
fn roots_sit_where_the_host_puts_them() {
    let (guides, strands, hair) = bound();
    let turn = about(v(0.2, 0.0, 1.0), 0.5);
    let mut rest = Vec::new();
    let mut first = 0;
    for n in &strands.counts {
        rest.push(strands.positions[first]);
        first += *n as usize;
    }
    // The scalp stretches.
    let p: Vec<[f64; 3]> = rest.iter().map(|r| [1.2 * r[0], r[1] + 0.01 * r[0], r[2] + 0.002]).collect();
    let q = vec![turn.to_array(); p.len()];
    let roots = Roots { positions: &p, rotations: &q };
    let (x, _) = read_rooted(&hair, &guides, Some(&roots), Lod::default(), Isa::best());
    let mut first = 0;
    for (s, n) in strands.counts.iter().enumerate() {
        // Three roundings of f32 at 0.1.
        assert!(distance(x[first], p[s]) < 2e-8, "root {s}: {:?}, not {:?}", x[first], p[s]);
        // The tip is its guides'.
        let tip = first + *n as usize - 1;
        assert!(distance(x[tip], strands.positions[tip]) < 1e-7, "tip {s}");
        first += *n as usize;
    }
    // Roots that move as the guides do change nothing.
    let all = about(v(0.0, 0.3, 1.0), 1.1);
    let by = |p: V| all.rotate(p) + v(0.1, 0.0, 0.0);
    let p: Vec<[f64; 3]> = rest.iter().map(|r| by(Vec3::from(*r)).to_array()).collect();
    let q = vec![all.to_array(); p.len()];
    let (x, _) = read_rooted(
        &hair,
        &guides.moved(by, |_| all),
        Some(&Roots { positions: &p, rotations: &q }),
        Lod::default(),
        Isa::best(),
    );
    assert!(x.iter().zip(&strands.positions).all(|(x, p)| distance(*x, by(Vec3::from(*p)).to_array()) < 1e-6));
}

#[test]
fn scattered_hair_lies_between_its_guides() {
    let (guides, _) = scene();
    let none = BindOptions::default();
    let hair = Hair::scatter(&guides.guides(), &Scatter { per_guide: 20, ..Scatter::default() }, &none).unwrap();
    assert_eq!((hair.strands(), hair.vertices()), (500, 6000));
    let (x, _) = read(&hair, &guides, Lod::default(), Isa::best());
    let roots: Vec<[f32; 3]> = x.iter().copied().step_by(12).collect();
    assert!(roots.iter().all(|r| r[1].abs() < 1e-6 && r[0] > -1e-6 && r[0] < 0.080001 && r[2] > -1e-6 && r[2] < 0.080001));
    // All over the patch: no square of 1 cm of the 8 × 8 is empty, none is crowded (7.8 on average).
    let mut squares = [0u32; 64];
    roots.iter().for_each(|r| squares[(r[0] / 0.01).clamp(0.0, 7.0) as usize + 8 * (r[2] / 0.01).clamp(0.0, 7.0) as usize] += 1);
    assert!(squares.iter().all(|n| (1..=24).contains(n)), "{squares:?}");
    // The first of each guide is the guide.
    let first = |g: usize| (0..12).all(|i| distance(x[12 * 20 * g + i], guides.positions[12 * g + i]) < 0.003);
    assert!((0..25).all(first));
    let again = Hair::scatter(&guides.guides(), &Scatter { per_guide: 20, ..Scatter::default() }, &none).unwrap();
    assert_eq!(hair, again);
    let other = Hair::scatter(&guides.guides(), &Scatter { per_guide: 20, seed: 1, ..Scatter::default() }, &none).unwrap();
    assert_ne!(hair, other);

    let scalp = [[-0.01, 0.0, -0.01], [0.09, 0.0, -0.01], [0.09, 0.0, 0.09], [-0.01, 0.0, 0.09], [5.0, 0.0, 5.0]];
    let triangles = [[0, 2, 1], [0, 3, 2], [4, 4, 4]];
    let scalp = Scalp { positions: &scalp, triangles: &triangles };
    let hair =
        Hair::scatter(&guides.guides(), &Scatter { per_guide: 20, vertices: 5, scalp, ..Scatter::default() }, &none).unwrap();
    let (x, _) = read(&hair, &guides, Lod::default(), Isa::best());
    assert_eq!((hair.strands(), hair.vertices()), (500, 2500));
    assert!(x.iter().step_by(5).all(|r| r[1].abs() < 1e-6 && r[0] > -0.0101 && r[0] < 0.0901), "on the scalp");
}

#[test]
fn saved_and_loaded_it_gives_the_same_bits() {
    let (guides, strands) = scene();
    let widths: Vec<f32> = (0..strands.positions.len()).map(|i| 1e-4 + 1e-8 * i as f32).collect();
    let given = Strands { widths: &widths, ..strands.strands() };
    let hair = Hair::bind(&guides.guides(), &given, &BindOptions::default()).unwrap();
    let bytes = hair.save();
    assert_eq!(bytes.len(), hair.saved_size());
    let again = Hair::load(&bytes).unwrap();
    assert_eq!(hair, again);
    assert_eq!(again.save(), bytes);
    let says = |bytes: &[u8], text: &str| {
        let e = Hair::load(bytes).unwrap_err().0;
        assert!(e.contains(text), "{e}, not {text}");
    };
    says(&bytes[..bytes.len() - 1], "its head asks for");
    says(b"WITHYSKN and more than forty bytes of something", "do not begin");
    let mut other = bytes.clone();
    other[8] = 9;
    says(&other, "version 9");
    for i in (12..bytes.len()).step_by(997) {
        let mut other = bytes.clone();
        other[i] ^= 0x10;
        assert!(Hair::load(&other).is_err(), "byte {i}");
    }
}

#[test]
fn few_guides_and_guides_in_one_place() {
    let (_, strands) = scene();
    for n in [1u32, 2, 3, 20] {
        let mut guides = Set::default();
        for i in 0..n {
            // One or two apart; three on a line; twenty in one place.
            let x = if n < 20 { 0.03 * f64::from(i) } else { 0.0 };
            guides.push(&curl(x, 0.0, 12, 0.2, 0.0, 0.0));
        }
        let hair = Hair::bind(&guides.guides(), &strands.strands(), &BindOptions::default()).unwrap();
        let by = |p: V| p + v(0.5, 0.0, 0.0);
        let (x, _) = read(&hair, &guides.moved(by, |_| Quat::identity()), Lod::default(), Isa::best());
        assert!(x.iter().zip(&strands.positions).all(|(x, p)| distance(*x, by(Vec3::from(*p)).to_array()) < 2e-7), "{n}");
        let made = Hair::scatter(&guides.guides(), &Scatter::default(), &BindOptions::default()).unwrap();
        let (x, _) = read(&made, &guides, Lod::default(), Isa::best());
        assert!(x.as_flattened().iter().all(|x| x.abs() < 1.0), "{n}");
    }
    // Guides and strands of no length at all.
    let mut point = Set::default();
    point.push(&[v(1.0, 1.0, 1.0); 3]);
    let hair = Hair::bind(&point.guides(), &point.strands(), &BindOptions::default()).unwrap();
    assert_eq!(read(&hair, &point, Lod::default(), Isa::best()), (vec![[1.0; 3]; 3], vec![[0.0; 3]; 3]));
}

#[test]
fn what_is_wrong_is_named() {
    let (guides, strands) = scene();
    let (g, s, o) = (guides.guides(), strands.strands(), BindOptions::default());
    let says = |r: Result<Hair, withy_hair::Error>, text: &str| {
        let e = r.expect_err(text).0;
        assert!(e.contains(text), "{e}, not {text}");
    };
    says(Hair::bind(&Guides::default(), &s, &o), "counts of the guides is empty");
    says(Hair::bind(&g, &Strands::default(), &o), "counts is empty");
    says(
        Hair::bind(&Guides { positions: &g.positions[1..], ..g }, &s, &o),
        "positions of the guides has 299 entries: there are 300",
    );
    says(Hair::bind(&Guides { frames: &g.frames[1..], ..g }, &s, &o), "frames of the guides has 274 entries");
    says(Hair::bind(&g, &Strands { positions: &s.positions[1..], ..s }, &o), "counts add up to");
    says(Hair::bind(&g, &Strands { widths: &[1e-4, 1e-4], ..s }, &o), "widths has 2 entries");
    says(Hair::bind(&g, &Strands { widths: &[f32::NAN], ..s }, &o), "widths[0] is NaN");
    for parting in [0.0, -1.0, 4.0, f64::NAN] {
        says(Hair::bind(&g, &s, &BindOptions { parting }), &format!("parting is {parting}"));
    }
    let mut bad = strands.clone();
    bad.positions[3][1] = f64::NAN;
    says(Hair::bind(&g, &bad.strands(), &o), "positions[3].y is NaN");
    let mut bad = strands.clone();
    (bad.counts[0], bad.counts[1]) = (1, 31);
    says(Hair::bind(&g, &bad.strands(), &o), "counts[0] is 1");
    let mut bad = guides.clone();
    bad.positions[4][2] = f64::INFINITY;
    says(Hair::bind(&bad.guides(), &s, &o), "positions of the guides[4].z is inf");
    bad = guides.clone();
    bad.frames[5] = [0.0; 4];
    says(Hair::bind(&bad.guides(), &s, &o), "frames of the guides[5]");
    let held = vec![[0, 1, 2]; 400];
    let mut weights = vec![[1.0, 0.0, 0.0]; 400];
    says(Hair::with_weights(&g, &s, &held[1..], &weights), "guides has 399 entries");
    weights[7] = [0.0; 3];
    says(Hair::with_weights(&g, &s, &held, &weights), "weights[7]");
    weights[7] = [0.5, -0.5, 0.0];
    says(Hair::with_weights(&g, &s, &held, &weights), "weights[7] has -0.5");
    weights[7] = [0.5, 0.5, 0.0];
    says(Hair::with_weights(&g, &s, &vec![[0, 25, 0]; 400], &weights), "guides[7] has 25: there are 25");
    let scatter = |x: Scatter, text: &str| says(Hair::scatter(&g, &x, &o), text);
    scatter(Scatter { per_guide: 0, ..Scatter::default() }, "per_guide is 0");
    scatter(Scatter { vertices: 1, ..Scatter::default() }, "vertices is 1");
    scatter(Scatter { clump: 1.5, ..Scatter::default() }, "clump is 1.5");
    scatter(Scatter { shorten: f64::NAN, ..Scatter::default() }, "shorten is NaN");
    scatter(Scatter { per_guide: 100_000, vertices: 1000, ..Scatter::default() }, "67108864 at most");
    let far = [[9.0, 0.0, 0.0], [9.0, 1.0, 0.0], [9.0, 0.0, 1.0]];
    scatter(
        Scatter { scalp: Scalp { positions: &far, triangles: &[[0, 1, 2]] }, ..Scatter::default() },
        "the scalp is not where",
    );
    scatter(
        Scatter { scalp: Scalp { positions: &far, triangles: &[[0, 1, 3]] }, ..Scatter::default() },
        "scalp_triangles[0] has vertex 3",
    );

    let hair = Hair::bind(&g, &s, &o).unwrap();
    let mut pose = Pose::default();
    let fewer = Guides { counts: &g.counts[1..], positions: &g.positions[12..], frames: &g.frames[11..] };
    assert!(
        hair.pose(&fewer, None, &mut pose)
            .unwrap_err()
            .0
            .contains("24 guides with 288 vertices, the hair was bound to 25 with 300")
    );
    let e = hair.pose(&g, Some(&Roots { positions: &[[0.0; 3]], rotations: &[] }), &mut pose).unwrap_err().0;
    assert!(e.contains("positions of the roots has 1 entries: there are 400"), "{e}");
    for (lod, text) in [
        (Lod { strands: 0.0, ..Lod::default() }, "strands is 0"),
        (Lod { vertices: f64::NAN, ..Lod::default() }, "vertices is NaN"),
        (Lod { width: -1.0, ..Lod::default() }, "width is -1"),
    ] {
        assert!(Plan::default().update(&hair, lod).unwrap_err().0.contains(text));
    }
    // A pose of other hair.
    let e = hair.read(&Pose::default(), hair.full(), Isa::best(), &mut vec![[0.0; 3]; hair.vertices()], &mut []).unwrap_err().0;
    assert!(e.contains("the pose is not of this hair"), "{e}");
}
