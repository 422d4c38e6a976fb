//! Rigid bodies: the same bits from every lane width, for every kind of element, in full blocks and in others.

use withy::bodies::drive::*;
use withy::bodies::elements::*;
use withy::bodies::kernels::*;
use withy::math::Isa;
use withy::math::lane::RECORD;
use withy::math::rows::*;
use withy::math::vec3::vec3;
use withy::math::{Elem, Gather, Quat, Vec3, rng::Rng};
use withy::stages::BodyStage;

/// Lanes in use.
const COUNTS: [usize; 6] = [16, 1, 7, 12, 3, 9];

struct Scene<E: Elem> {
    pose: Vec<Record<E>>,
    velocity: Vec<Record<E>>,
    mass: Vec<Record<E>>,
    lines: Vec<Line<E>>,
    blocks: Vec<Block>,
    bodies: Vec<BodyBlock>,
}

/// Random numbers in the precision of the scene.
struct Draw(Rng);

impl Draw {
    fn number<E: Elem>(&mut self, low: f64, high: f64) -> E {
        E::from_f64(self.0.range(low, high))
    }
    fn vec<E: Elem>(&mut self, s: f64) -> Vec3<E> {
        vec3(self.number(-s, s), self.number(-s, s), self.number(-s, s))
    }
    fn unit<E: Elem>(&mut self) -> Vec3<E> {
        let v = vec3(self.0.range(-1.0, 1.0), self.0.range(-1.0, 1.0), self.0.range(-1.0, 1.0));
        v.normalized_or(vec3(0.0, 1.0, 0.0)).map(E::from_f64)
    }
    fn quat<E: Elem>(&mut self, spread: f64) -> Quat<E> {
        let q = Quat {
            x: self.0.range(-spread, spread),
            y: self.0.range(-spread, spread),
            z: self.0.range(-spread, spread),
            w: self.0.range(0.5, 1.0),
        };
        let inv = 1.0 / q.dot(q).sqrt();
        let f = |v: f64| E::from_f64(v * inv);
        Quat { x: f(q.x), y: f(q.y), z: f(q.z), w: f(q.w) }
    }
    fn anchors<E: Elem>(&mut self) -> Anchors<E> {
        Anchors { a: self.vec(0.3), b: self.vec(0.3) }
    }
    fn contact<E: Elem, const P: usize>(&mut self) -> ContactParams<E, P> {
        let normal = self.unit();
        ContactParams {
            normal,
            friction: self.number(0.0, 1.0),
            restitution: self.number(0.0, 0.8),
            spring: if self.0.range(0.0, 1.0) < 0.5 { [E::zero(); 2] } else { [self.number(10.0, 1e5), self.number(0.0, 1e3)] },
            slop: self.number(0.0, 0.01),
            share: self.number(0.0, 1.0),
            curved: E::from_f64(f64::from(self.0.unit() < 0.5)),
            axis: if self.0.unit() < 0.5 { Vec3::zero() } else { self.unit() },
            points: core::array::from_fn(|_| self.anchors()),
            radii: core::array::from_fn(|_| [self.number(0.0, 0.1), self.number(0.0, 0.1)]),
        }
    }

    /// Writes the parameters of one element, and a state.
    ///
    /// # Safety
    /// The rows of the kind follow.
    unsafe fn element<E: Elem + Gather<Elem = E>>(&mut self, kind: Kind, at: *mut E) {
        let mut c = Cursor::<E>(at);
        // SAFETY: the caller's contract.
        unsafe {
            match kind {
                Kind::Ball => c.write(self.anchors::<E>()),
                Kind::Distance => {
                    let least = self.0.range(0.0, 0.5);
                    let most = least + self.0.range(-0.2f64, 0.5).max(0.0);
                    c.write(DistanceParams { anchors: self.anchors::<E>(), limits: [E::from_f64(least), E::from_f64(most)] });
                }
                Kind::Arc => c.write(ArcParams::<E> {
                    anchors: self.anchors(),
                    frame_a: self.quat(0.6),
                    frame_b: self.quat(0.6),
                    length: self.number(0.1, 0.8),
                    stiffness: self.vec::<E>(0.4) + vec3(E::from_f64(0.5), E::from_f64(0.5), E::from_f64(0.5)),
                    damping: vec3(self.number(0.0, 0.1), self.number(0.0, 0.1), self.number(0.0, 0.1)),
                    rest: self.vec(0.3),
                    relaxed: E::from_f64(f64::from(self.0.unit() < 0.3)),
                }),
                Kind::Limit => c.write(LimitParams::<E> {
                    frame_a: self.quat(0.5),
                    frame_b: self.quat(0.5),
                    swing: [self.number(0.1, 1.5), self.number(0.1, 1.5)],
                    twist: [self.number(-0.5, 0.0), self.number(0.0, 0.5)],
                }),
                Kind::Fixed => {
                    c.write(FixedParams::<E> { anchors: self.anchors(), frame_a: self.quat(0.5), frame_b: self.quat(0.5) });
                }
                Kind::Hinge => c.write(HingeParams::<E> {
                    anchors: self.anchors(),
                    frame_a: self.quat(0.5),
                    frame_b: self.quat(0.5),
                    limits: [self.number(-0.5, 0.0), self.number(0.0, 0.5)],
                }),
                Kind::Motor => c.write(MotorParams::<E> {
                    frame_a: self.quat(0.5),
                    frame_b: self.quat(0.5),
                    stiffness: vec3(self.number(0.0, 100.0), self.number(0.0, 1e6), self.number(0.0, 1.0)),
                    damping: vec3(self.number(0.0, 1.0), self.number(0.0, 1.0), self.number(0.0, 1.0)),
                    target: self.quat(0.5),
                    speed: self.vec(1.0),
                    most: self.number(0.1, 100.0),
                    from: self.quat(0.5),
                }),
                Kind::Contact1 => c.write(self.contact::<E, 1>()),
                Kind::Contact2 => c.write(self.contact::<E, 2>()),
                Kind::Contact4 => c.write(self.contact::<E, 4>()),
                Kind::Rolling => {
                    c.write(RollingParams {
                        contact: self.contact::<E, 4>(),
                        levers: [self.number(0.0, 0.1), self.number(0.0, 0.1)],
                    });
                }
            }
        }
        let [params, state, _] = kind.rows();
        for row in 0..state {
            let value = match kind {
                // L of an arc has a diagonal that is not 0; impulses push, the tangent is a unit vector.
                Kind::Arc if (6..9).contains(&row) => self.number(0.5, 2.0),
                Kind::Contact1 | Kind::Contact2 | Kind::Contact4 if row + 3 >= state => E::from_f64(f64::from(row + 3 == state)),
                Kind::Rolling if (state - 6..state - 3).contains(&row) => E::from_f64(f64::from(row + 6 == state)),
                _ => self.number(0.0, 0.1),
            };
            // SAFETY: as above.
            unsafe { *at.add((params + row) * WIDTH) = value };
        }
    }
}

impl<E: BodyRunner + Gather<Elem = E>> Scene<E> {
    fn new(kind: Kind, seed: u64) -> Scene<E> {
        Self::of(kind, seed, false)
    }

    /// `crowd`: the blocks share bodies, as those of different colours do.
    fn of(kind: Kind, seed: u64, crowd: bool) -> Scene<E> {
        let mut d = Draw(Rng::new(seed));
        let pairs: usize = COUNTS.iter().sum();
        // Two bodies for each element, then the sink.
        let (bodies, sink) = (2 * pairs, 2 * pairs);
        let record = |v: [E; RECORD]| Record(v);
        let (zero, one) = (E::zero(), E::one());
        let (mut pose, mut velocity, mut mass) = (Vec::new(), Vec::new(), Vec::new());
        for k in 0..=bodies {
            let (x, q) = (d.vec::<E>(0.5), d.quat::<E>(0.8));
            pose.push(record([x.x, x.y, x.z, zero, q.x, q.y, q.z, q.w]));
            let (v, w) = (d.vec::<E>(3.0), d.vec::<E>(4.0));
            velocity.push(record([v.x, v.y, v.z, zero, w.x, w.y, w.z, zero]));
            let mut n = |low, high| d.number::<E>(low, high);
            let m = [n(0.1, 2.0), n(0.5, 20.0), n(0.5, 20.0), n(0.5, 20.0), one, n(0.0, 0.5), n(0.0, 0.5), n(2.0, 200.0)];
            // Some do not move.
            mass.push(record(if k % 13 == 4 { [zero; RECORD] } else { m }));
        }
        let mut order: Vec<u32> = (0..bodies as u32).collect();
        for k in (1..order.len()).rev() {
            order.swap(k, (d.0.next_u64() % (k as u64 + 1)) as usize);
        }
        let at = |body: usize| (body * RECORD) as u32;
        let mut lines = vec![Line([zero; WIDTH]); kind.all_rows() * COUNTS.len()];
        let (mut blocks, mut next) = (Vec::new(), order.iter());
        for (k, count) in COUNTS.into_iter().enumerate() {
            let line = k * kind.all_rows();
            if crowd {
                // Others in other lanes, of no more bodies than a block takes.
                next = order[..2 * WIDTH].iter();
                next.by_ref().take(k).for_each(drop);
            }
            let (mut a, mut b) = ([at(sink); WIDTH], [at(sink); WIDTH]);
            for lane in 0..WIDTH {
                if lane < count {
                    a[lane] = at(*next.next().unwrap() as usize);
                    b[lane] = at(*next.next().unwrap() as usize);
                }
                let to = lines[line..].as_mut_ptr().cast::<E>();
                // SAFETY: the kind's rows are there.
                unsafe { d.element(kind, to.add(lane)) };
            }
            blocks.push(Block {
                a,
                b,
                mass_a: a,
                mass_b: b,
                pose_a: a,
                pose_b: b,
                next_a: [0; WIDTH],
                next_b: [0; WIDTH],
                line: line as u32,
                count: count as u32,
                kind,
            });
        }
        let bodies = (0..bodies)
            .collect::<Vec<_>>()
            .chunks(WIDTH)
            .map(|chunk| {
                let mut body = [at(sink); WIDTH];
                chunk.iter().zip(&mut body).for_each(|(from, to)| *to = at(*from));
                BodyBlock { body, seat: body, count: chunk.len() as u32 }
            })
            .collect();
        Scene { pose, velocity, mass, lines, blocks, bodies }
    }

    /// Three substeps, with all stages.
    fn run(&mut self, isa: Isa) {
        self.run_by(isa, self.blocks.len());
    }

    /// With so many blocks a call.
    fn run_by(&mut self, isa: Isa, many: usize) {
        let s = Shared {
            pose: self.pose.as_mut_ptr(),
            velocity: self.velocity.as_mut_ptr(),
            mass: self.mass.as_ptr(),
            push: self.mass.as_ptr(),
            lines: self.lines.as_mut_ptr(),
        };
        let f = E::from_f64;
        let h = f(1.0 / 240.0);
        let field = Field { gravity: vec3(f(0.1), f(-9.81), f(0.0)), h, most_turn: f(100.0) };
        let soft = Softness { mass: f(0.9), impulse: f(0.1) };
        for k in 0..3 {
            let step = Substep {
                h,
                inv_h: f(240.0),
                joint: Bias { rate: f(20.0), most_turn: f(8.0), inv_h: f(240.0), soft },
                stop: Bias { rate: f(30.0), most_turn: f(8.0), inv_h: f(240.0), soft },
                fixed: Bias { rate: f(25.0), most_turn: f(8.0), inv_h: f(240.0), soft },
                contact_rate: f(30.0),
                contact_soft: soft,
                ground_rate: f(30.0),
                ground_soft: soft,
                most_push: f(4.0),
                bounce: f(0.5),
                number: 0,
                first: f(f64::from(k == 0)),
                warm: f(0.95),
                part: f(0.25 * f64::from(k + 1)),
                inv_dt: f(60.0),
                soft_motor: f(0.2),
            };
            // SAFETY: the memory is this scene's alone, its indices are of its records, and the set is available.
            let stage = |stage| self.blocks.chunks(many).for_each(|blocks| unsafe { E::run(isa, &s, blocks, stage, &step) });
            // SAFETY: as above.
            let bodies = |pose| unsafe { E::bodies(isa, &s, &self.bodies, &field, pose) };
            bodies(false);
            stage(BodyStage::SetUp);
            (0..4).for_each(|_| stage(BodyStage::Solve));
            bodies(true);
            stage(BodyStage::Relax);
            if k == 2 {
                stage(BodyStage::Bounce);
            }
        }
    }

    /// All that counts: records but the sink, lanes in use.
    fn state(&self) -> Vec<u64> {
        let mut all = Vec::new();
        let bodies = self.pose.len() - 1;
        for record in self.pose[..bodies].iter().chain(&self.velocity[..bodies]) {
            all.extend(record.0.map(Elem::bits));
        }
        let rows = self.lines.len() / COUNTS.len();
        for (block, lines) in self.blocks.iter().zip(self.lines.chunks(rows)) {
            for line in lines {
                all.extend(line.0[..block.count as usize].iter().map(|v| v.bits()));
            }
        }
        all
    }
}

fn sets() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.available())
}

fn same<E: BodyRunner + Gather<Elem = E>>(kind: Kind, seed: u64) -> Vec<u64> {
    let mut reference = Scene::<E>::new(kind, seed);
    let start = reference.state();
    reference.run(Isa::Scalar);
    let expected = reference.state();
    let finite = reference.velocity.iter().flat_map(|r| r.0).all(Elem::is_finite);
    assert!(finite && expected != start, "{kind:?}: not finite, or nothing happened");
    for isa in sets() {
        let mut scene = Scene::<E>::new(kind, seed);
        scene.run(isa);
        let got = scene.state();
        let differ = got.iter().zip(&expected).filter(|(a, b)| a != b).count();
        assert_eq!(differ, 0, "{kind:?}, {}, f64 {}: of {}", isa.name(), E::IS_F64, got.len());
    }
    expected
}

/// FNV-1a.
fn hash(state: &[u64]) -> u64 {
    state
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn every_width_gives_the_same_bits() {
    for kind in Kind::ALL {
        for seed in 0..20 {
            same::<f32>(kind, seed);
            same::<f64>(kind, seed);
        }
    }
}

#[test]
fn blocks_that_share_bodies_are_solved_one_after_the_other() {
    fn one<E: BodyRunner + Gather<Elem = E>>(kind: Kind, seed: u64) {
        let mut reference = Scene::<E>::of(kind, seed, true);
        reference.run_by(Isa::Scalar, 1);
        for isa in sets() {
            let mut scene = Scene::<E>::of(kind, seed, true);
            scene.run(isa);
            assert!(scene.state() == reference.state(), "{kind:?}, {}, f64 {}", isa.name(), E::IS_F64);
        }
        // It matters in which order.
        let mut other = Scene::<E>::of(kind, seed, true);
        other.blocks.reverse();
        other.run(Isa::Scalar);
        assert!(other.velocity != reference.velocity, "{kind:?}: blocks share nothing");
    }
    for kind in Kind::ALL {
        for seed in 0..8 {
            one::<f32>(kind, seed);
            one::<f64>(kind, seed);
        }
    }
}

/// What every machine must get, f32 and f64. A change here is a change of results.
const GOLDEN: [(Kind, u64, u64); 11] = [
    (Kind::Fixed, 0xc9a2_e387_1a25_2ac2, 0x9f3c_6981_0842_1309),
    (Kind::Motor, 0xd96e_d232_ffed_b881, 0x9193_fecf_fd57_7be5),
    (Kind::Limit, 0xdf3f_6ebc_aa3a_5bb3, 0xe250_0b05_b05e_5be8),
    (Kind::Hinge, 0x7a40_2ea8_7a57_68a0, 0xc27b_60ea_ed71_dfed),
    (Kind::Distance, 0x2b98_d126_a3e1_8ce0, 0xfd0c_a09e_a561_e7a3),
    (Kind::Ball, 0xd02f_89e5_8f93_2439, 0x8d0c_4b59_af71_8211),
    (Kind::Arc, 0x7bdf_e7bd_3ef2_a83a, 0x82e4_01d2_17cf_67dd),
    (Kind::Contact1, 0x1c09_5c5c_dd09_1a10, 0xd4f8_f417_9151_bd4f),
    (Kind::Contact2, 0x58b4_5ee2_1e67_c467, 0xf58e_7bda_b4fa_38ad),
    (Kind::Contact4, 0x57a2_d583_d3e5_60a0, 0x2e46_5792_4d9b_22f3),
    (Kind::Rolling, 0x53c9_483e_8a71_6031, 0x198f_601b_a498_6eb1),
];

#[test]
fn every_machine_gives_the_same_bits() {
    let got = GOLDEN.map(|(kind, ..)| (kind, hash(&same::<f32>(kind, 99)), hash(&same::<f64>(kind, 99))));
    let list: String = got.iter().map(|(k, a, b)| format!("(Kind::{k:?}, {a:#018x}, {b:#018x}),\n")).collect();
    assert_eq!(got, GOLDEN, "\n{list}");
}
