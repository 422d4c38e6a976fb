//! Nets whose Newton steps would go too far: a rope whose eye runs on itself, drawn tight round a post; a wire mesh that is pulled through a ring.

use withy::tasks::Inline;
use withy::world::*;

type P = [f64; 3];

fn lerp(a: P, b: P, t: f64) -> P {
    core::array::from_fn(|k| a[k] + (b[k] - a[k]) * t)
}
fn apart(a: P, b: P) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

/// Vertices at equal distances, about `edge`, on a polygon.
fn even(way: &[P], edge: f64) -> Vec<P> {
    let mut arc = vec![0.0];
    way.windows(2).for_each(|w| arc.push(arc[arc.len() - 1] + apart(w[0], w[1])));
    let length = arc[arc.len() - 1];
    let n = (length / edge).round().max(2.0) as usize;
    (0..=n)
        .map(|k| {
            let s = length * k as f64 / n as f64;
            let i = arc.partition_point(|&a| a < s).clamp(1, way.len() - 1);
            lerp(way[i - 1], way[i], (s - arc[i - 1]) / (arc[i] - arc[i - 1]))
        })
        .collect()
}

const RADIUS: f64 = 7e-3;
const EYE: f64 = 0.045;
const POST: f64 = 0.05;

/// The eye is at (x, 0, 0), in the plane z = 0; the noose goes round the y axis.
fn rope(edge: f64, noose: f64, x: f64, length: f64) -> Vec<P> {
    // From the eye's knot round the post to its middle, and through it.
    let mut way = vec![[x, 0.0, 0.0]];
    let start = (noose / x).acos();
    let steps = 200;
    for k in 0..=steps {
        let a = -start - (std::f64::consts::TAU - 2.0 * start) * k as f64 / steps as f64;
        way.push([noose * a.cos(), 0.0, noose * a.sin()]);
    }
    let middle = [x + EYE, 0.0, 0.0];
    way.push(middle);
    // Straight on for a bit, then out.
    let last = way[way.len() - 2];
    let on = 0.1 / apart(last, middle);
    let turn: P = core::array::from_fn(|k| middle[k] + (middle[k] - last[k]) * on);
    way.push(turn);
    way.push([turn[0] + length, 0.0, turn[2]]);
    even(&way, edge)
}

struct Noose {
    world: World,
    rods: Id,
    eye: Id,
    last: u32,
    hand: P,
}

fn noose(double_precision: bool, substeps: u32, iterations: u32, young: f64, edge: f64) -> Noose {
    let mut w =
        World::new(WorldDesc { double_precision, substeps, iterations, gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
    let shape = Shape::Capsule { radius: POST, half_height: 1.0 };
    w.add_collider(ColliderDesc { shape, ..ColliderDesc::default() }).unwrap();
    let x = 0.3;
    let positions = rope(edge, 0.15, x, 1.2);
    let n = positions.len();
    let hand = positions[n - 1];
    let length: f64 = positions.windows(2).map(|p| apart(p[0], p[1])).sum();
    let density = 0.5 / (length * std::f64::consts::PI * RADIUS * RADIUS);
    let base = RodsDesc {
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young, shear: 0.4 * young },
        stretch_modulus: 3e7,
        density,
        damping: 2.0,
        self_contact: true,
        ..RodsDesc::default()
    };
    let rods =
        w.add_rods(RodsDesc { positions, counts: vec![n as u32], rest_shape: RestShape::Straight, ..base.clone() }).unwrap();
    let ring = (0..=16).map(|k| {
        let (s, c) = (std::f64::consts::TAU * f64::from(k) / 16.0).sin_cos();
        [x + EYE * (1.0 - c), EYE * s, 0.0]
    });
    let eye = w
        .add_rods(RodsDesc {
            positions: ring.collect(),
            counts: vec![17],
            stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
            ..base
        })
        .unwrap();
    let at = |tip| StrandEnd { strand: 0, tip };
    w.add_junction(&[(rods, at(false)), (eye, at(false)), (eye, at(true))], 7e-3, 5e-3).unwrap();
    w.rods_mut(rods).unwrap().set_pin(n as u32 - 1, Some(hand), false).unwrap();
    Noose { world: w, rods, eye, last: n as u32 - 1, hand }
}

fn look(w: &World, rods: Id) -> (f64, f64) {
    let (mut strain, mut fast) = (0.0f64, 0.0f64);
    w.rods(rods).unwrap().read_strain(|_, s| strain = strain.max(s.abs()));
    w.rods(rods).unwrap().read_velocities(|_, v| fast = fast.max(v.iter().map(|c| c * c).sum::<f64>().sqrt()));
    (strain, fast)
}

fn minus(a: P, b: P) -> P {
    core::array::from_fn(|k| a[k] - b[k])
}
fn cross(a: P, b: P) -> P {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn dot(a: P, b: P) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

impl Noose {
    fn points(&self, of: Id) -> Vec<P> {
        let mut points = Vec::new();
        self.world.rods(of).unwrap().read_positions(|_, p| points.push(p));
        points
    }

    /// How often the rope goes through the eye, by side, and how often the noose, from the knot to there, goes round the post.
    fn linked(&self) -> (i32, f64) {
        let (rope, eye) = (self.points(self.rods), self.points(self.eye));
        let n = eye.len() as f64;
        let middle: P = core::array::from_fn(|k| eye.iter().map(|p| p[k] / n).sum());
        let (mut through, mut at) = (0, 0);
        // It begins on the eye.
        for (k, edge) in rope.windows(2).enumerate().skip(1) {
            let way = minus(edge[1], edge[0]);
            for side in eye.windows(2) {
                let (a, b, from) = (minus(side[0], middle), minus(side[1], middle), minus(edge[0], middle));
                let normal = cross(a, b);
                let slope = dot(normal, way);
                let t = -dot(normal, from) / slope;
                let hit: P = core::array::from_fn(|k| from[k] + t * way[k]);
                let size = dot(normal, normal);
                let (u, v) = (dot(cross(hit, b), normal) / size, dot(cross(a, hit), normal) / size);
                if (0.0..1.0).contains(&t) && u >= 0.0 && v >= 0.0 && u + v < 1.0 {
                    through += if slope > 0.0 { 1 } else { -1 };
                    at = k;
                }
            }
        }
        let angle = |a: P, b: P| (a[2] * b[0] - a[0] * b[2]).atan2(a[0] * b[0] + a[2] * b[2]);
        let round: f64 = rope[..=at + 1].windows(2).map(|e| angle(e[0], e[1])).sum::<f64>() + angle(rope[at + 1], rope[0]);
        (through, round / std::f64::consts::TAU)
    }
}

/// It stays one piece. (Steps of the net that went as far as they found took the eye away at 600 to 1,000 m/s, and edges to five times their length.)
#[test]
fn a_noose_is_drawn_tight_round_a_post() {
    let cases = [(true, 8, 1, 2e6, 0.025), (true, 16, 1, 2e7, 0.025), (true, 8, 4, 2e7, 0.0125), (false, 8, 1, 2e6, 0.025)];
    for case in cases {
        let (double, substeps, iterations, young, edge) = case;
        let mut it = noose(double, substeps, iterations, young, edge);
        assert_eq!((it.linked().0.abs(), it.linked().1.abs().round()), (1, 1.0), "{case:?}: at the start");
        let (mut worst, mut fastest, mut tight) = (0.0f64, 0.0f64, None);
        for frame in 0..120 {
            // The hand goes at 5 m/s until the noose pulls with 180 N; the first frames are the jerk at the rope.
            let mut pull = 0.0;
            it.world.rods(it.rods).unwrap().read_strain(|k, s| {
                if k as u32 + 5 > it.last {
                    pull = s;
                }
            });
            if pull > 0.04 && frame > 5 {
                tight = tight.or(Some(frame));
            }
            if tight.is_none() {
                it.hand[0] += 5.0 / 60.0;
                it.world.rods_mut(it.rods).unwrap().set_pin(it.last, Some(it.hand), false).unwrap();
            }
            it.world.step(1.0 / 60.0, &Inline).unwrap();
            let (a, b) = (look(&it.world, it.rods), look(&it.world, it.eye));
            (worst, fastest) = (worst.max(a.0).max(b.0), fastest.max(a.1).max(b.1));
        }
        let last = look(&it.world, it.rods);
        let (through, round) = it.linked();
        println!(
            "{case:?}: tight {tight:?}, strain {worst:.4}, {fastest:.2} m/s, at last {last:.4?}, through {through}, round {round:.3}"
        );
        // A wave of 5 m/s stretches the rope by 5 m/s / √(E/ρ), 3 %; where it comes back from the noose, by twice that.
        assert!(worst < 0.07 && fastest < 15.0, "{case:?}: strain {worst}, {fastest} m/s");
        assert!(tight.is_some() && last.1 < 0.5, "{case:?}: tight {tight:?}, still {} m/s", last.1);
        assert_eq!((through.abs(), round.abs().round()), (1, 1.0), "{case:?}");
    }
}

/// A wire mesh that is pulled through a ring (Umetani 2014, figure 12, with fewer wires). Without a bound on the steps of the net its edges were
/// drawn to several times their length.
#[test]
fn a_mesh_is_pulled_through_a_ring() {
    const SIDE: usize = 9;
    const EDGES: usize = 3;
    let (cell, wire, ring, rod) = (0.05, 2.5e-3, 0.08, 0.012);
    let mut w = World::new(WorldDesc { iterations: 1, ..WorldDesc::default() }).unwrap();
    let at = |i: usize, j: usize| [(i as f64 - 4.0) * cell, wire + rod + 1e-3, (j as f64 - 4.0) * cell];
    let (mut positions, mut crossings) = (Vec::new(), vec![Vec::new(); SIDE * SIDE]);
    let mut strand = 0;
    for i in 0..SIDE {
        for j in 0..SIDE {
            for (k, l) in [(i + 1, j), (i, j + 1)] {
                if k < SIDE && l < SIDE {
                    positions.extend((0..=EDGES).map(|e| lerp(at(i, j), at(k, l), e as f64 / EDGES as f64)));
                    crossings[i * SIDE + j].push(StrandEnd { strand, tip: false });
                    crossings[k * SIDE + l].push(StrandEnd { strand, tip: true });
                    strand += 1;
                }
            }
        }
    }
    let mesh = RodsDesc {
        positions,
        counts: vec![EDGES as u32 + 1; strand as usize],
        radii: vec![wire],
        stiffness: Stiffness::Physical { young: 2e7, shear: 8e6 },
        stretch_modulus: 2e8,
        density: 1000.0,
        damping: 6.0,
        drag: 0.5,
        friction: 0.1,
        self_contact: true,
        ..RodsDesc::default()
    };
    let mesh = w.add_rods(mesh).unwrap();
    for ends in &crossings {
        let ends: Vec<_> = ends.iter().map(|&end| (mesh, end)).collect();
        w.add_junction(&ends, 4e-3, 2e-3).unwrap();
    }
    let around: Vec<P> = (0..=64)
        .map(|k| {
            let (z, x) = (std::f64::consts::TAU * f64::from(k) / 64.0).sin_cos();
            [ring * x, 0.0, ring * z]
        })
        .collect();
    let held = RodsDesc {
        positions: around.clone(),
        counts: vec![65],
        radii: vec![rod],
        stiffness: Stiffness::Physical { young: 1e9, shear: 4e8 },
        friction: 0.1,
        self_contact: true,
        ..RodsDesc::default()
    };
    let held = w.add_rods(held).unwrap();
    for (v, &p) in around.iter().enumerate() {
        w.rods_mut(held).unwrap().set_pin(v as u32, Some(p), false).unwrap();
    }
    let middle = crossings[SIDE * SIDE / 2][0];
    let vertex = middle.strand * (EDGES as u32 + 1) + if middle.tip { EDGES as u32 } else { 0 };
    let (mut worst, mut met) = (0.0f64, 0);
    for frame in 0..120 {
        let down = (0.3 * f64::from(frame) / 60.0).min(0.5);
        w.rods_mut(mesh).unwrap().set_pin(vertex, Some([0.0, at(0, 0)[1] - down, 0.0]), false).unwrap();
        w.step(1.0 / 60.0, &Inline).unwrap();
        worst = worst.max(look(&w, mesh).0);
        met = met.max(w.stats().contacts);
    }
    let mut top = f64::MIN;
    w.rods(mesh).unwrap().read_positions(|_, p| top = top.max(p[1]));
    println!("strain {worst}, {met} contacts, top {top}");
    assert!(worst < 0.06 && top < -rod && met < 1000, "strain {worst}, {met} contacts, top {top}");
}
