//! Whole steps on the GPU against the same steps on the CPU, through every option of the rods.
//!
//! Stated bounds (f32 on both sides, roundings differ): after five frames every vertex within 1e-4 of the strand's length, and of
//! rods solved by Newton's method as far from f64 as the CPU's f32: the mean over strands within 1e-5 and four times that;
//! after one second of a swinging groom with contacts the invariants: largest strain within 1e-3, mean tip within 1e-3 and
//! every tip within 2e-2 of the strand's length, energy of motion and height within 1e-3 of the energy turned over.

use crate::common::*;
use crate::device::device;
use withy::collide::{Collider, ColliderMotion};
use withy::gpu::shaders::der::SCRATCH_ROWS;
use withy::gpu::{GpuDevice, GpuRods, Passes};
use withy::layout::{Buffers, FORCE_ROWS, Layout, param, state, support};
use withy::math::{Quat, Vec3};
use withy::rods::compile::compile;
use withy::rods::group::{BlockReport, Pin};
use withy::step::RodsStep;
use withy::world::*;

/// The same rods in a world on the CPU and in buffers for the GPU, driven alike.
struct Both {
    desc: RodsDesc,
    world: World,
    rods: Id,
    layout: Layout,
    buffers: Buffers<f32>,
    gpu: GpuRods,
    pins: Vec<Pin>,
    colliders: Vec<ColliderDesc>,
    substeps: usize,
    iterations: usize,
    offsets: Vec<Quat<f64>>,
}

impl Both {
    fn new(gpu: &GpuDevice, desc: RodsDesc, colliders: Vec<ColliderDesc>) -> Both {
        Self::in_precision(gpu, desc, colliders, false)
    }

    fn in_precision(gpu: &GpuDevice, desc: RodsDesc, colliders: Vec<ColliderDesc>, double_precision: bool) -> Both {
        let (substeps, iterations) = (4, if desc.iterations > 0 { desc.iterations as usize } else { 4 });
        let desc = RodsDesc { iterations: iterations as u32, ..desc };
        let mut world =
            World::new(WorldDesc { gravity: GRAVITY, double_precision, substeps: substeps as u32, ..WorldDesc::default() })
                .unwrap();
        for c in &colliders {
            world.add_collider(*c).unwrap();
        }
        let rods = world.add_rods(desc.clone()).unwrap();
        let layout = Layout::new(desc.counts.clone());
        let buffers = compile::<f32>(&desc, &layout, GRAVITY, DT / substeps as f64).buffers;
        let offsets = (0..layout.strand_count())
            .map(|s| {
                let c = |k| buffers.supports[0][layout.strand_index(s, support::ROWS, support::TO_ROTATION + k)] as f64;
                if desc.root == EndSupport::Free { Quat::identity() } else { Quat { x: c(0), y: c(1), z: c(2), w: c(3) } }
            })
            .collect();
        let gpu = GpuRods::new(gpu, &layout, &buffers, desc.order == SweepOrder::Direct).unwrap();
        Both { desc, world, rods, layout, buffers, gpu, pins: Vec::new(), colliders, substeps, iterations, offsets }
    }

    /// Where frame `i` puts the root of a strand.
    fn root(&self, strand: usize, i: usize) -> Pose {
        let [x, y, z] = self.desc.positions[self.layout.starts[strand] as usize];
        let a = 0.3 * (i as f64 * DT * 6.0).sin();
        let q = Quat { x: 0.0, y: 0.0, z: (a / 2.0).sin(), w: (a / 2.0).cos() };
        Pose { position: [x, y + 0.03 * (i as f64 * DT * 8.0).sin(), z], rotation: q.to_array() }
    }

    fn set_supports(&mut self, frame: usize, field: usize, rotation: usize) {
        for s in 0..self.layout.strand_count() {
            let p = self.root(s, frame);
            let [x, y, z, w] = p.rotation;
            let q = Quat { x, y, z, w }.compose(self.offsets[s]).to_array();
            for (k, c) in p.position.into_iter().enumerate() {
                let i = self.layout.strand_index(s, support::ROWS, field + k);
                self.buffers.supports[0][i] = c as f32;
            }
            for (k, c) in q.into_iter().enumerate() {
                let i = self.layout.strand_index(s, support::ROWS, rotation + k);
                self.buffers.supports[0][i] = c as f32;
            }
        }
    }

    fn pin(&mut self, strand: usize, vertex: usize, to: [f64; 3]) {
        let place = self.layout.places[strand];
        let i = self.layout.index(strand, vertex, param::ROWS, param::W);
        let from = self.desc.positions[self.layout.starts[strand] as usize + vertex];
        let free_weight = self.buffers.params[i] as f64;
        self.pins.push(Pin { block: place.block, lane: place.lane, vertex: vertex as u32, free_weight, from, to });
        self.pins.sort_by_key(|p| (p.block, p.lane, p.vertex));
        self.buffers.params[i] = 0.0;
        self.gpu.upload_params(&self.buffers.params).unwrap();
        self.gpu.upload_pins(&self.pins).unwrap();
        let host = self.layout.starts[strand] + vertex as u32;
        self.world.rods_mut(self.rods).unwrap().set_pin(host, Some(to), false).unwrap();
    }

    /// A force, N, on every vertex of every strand, and a moment, N m, about the edge after it.
    fn push(&mut self, load: impl Fn(usize, usize) -> [f64; 4]) {
        let mut forces = vec![0.0; self.layout.cells * FORCE_ROWS];
        let (mut host, mut moments) = (Vec::new(), Vec::new());
        for s in 0..self.layout.strand_count() {
            for v in 0..self.layout.counts[s] as usize {
                for (k, c) in load(s, v).into_iter().enumerate() {
                    forces[self.layout.index(s, v, FORCE_ROWS, k)] = c as f32;
                }
                let [x, y, z, moment] = load(s, v);
                host.push([x, y, z]);
                if v + 1 < self.layout.counts[s] as usize {
                    moments.push(moment);
                }
            }
        }
        self.gpu.upload_forces(&forces).unwrap();
        self.world.rods_mut(self.rods).unwrap().set_forces(|i| host[i]).unwrap();
        self.world.rods_mut(self.rods).unwrap().set_moments(|i| moments[i]).unwrap();
    }

    fn frame(&mut self, i: usize, runner: &dyn TaskRunner) {
        if self.desc.root != EndSupport::Free {
            self.set_supports(i - 1, support::FROM, support::FROM_ROTATION);
            self.set_supports(i, support::TO, support::TO_ROTATION);
            self.gpu.upload_supports([&self.buffers.supports[0], &self.buffers.supports[1]]).unwrap();
            let poses: Vec<Pose> = (0..self.layout.strand_count()).map(|s| self.root(s, i)).collect();
            self.world.rods_mut(self.rods).unwrap().set_root_poses(|s| poses[s], false).unwrap();
        }
        let settings = settings(&self.desc, self.substeps, self.iterations);
        let t = |k: usize| k as f64 / self.substeps as f64;
        let colliders: Vec<ColliderMotion<f32>> = (0..self.substeps)
            .flat_map(|k| self.colliders.iter().map(move |c| Collider::new(*c).motion(t(k), t(k + 1))))
            .collect();
        let step = RodsStep {
            settings: &settings,
            substeps: self.substeps,
            iterations: self.iterations,
            colliders: &colliders,
            colliders_per_substep: self.colliders.len(),
            met: self.colliders.len(),
            solids: &[],
            bent: &[],
        };
        self.gpu.step(&step).unwrap();
        self.world.step(DT, runner).unwrap();
        for p in &mut self.pins {
            p.from = p.to;
        }
        if !self.pins.is_empty() {
            self.gpu.upload_pins(&self.pins).unwrap();
        }
    }

    /// Mean over the strands of the farthest vertex, and the farthest of all, over the strand's length.
    fn apart(&self, a: &[(Vec3<f64>, Vec3<f64>)], b: &[(Vec3<f64>, Vec3<f64>)]) -> (f64, f64) {
        let of = |s: usize| {
            let (from, end) = (self.layout.starts[s] as usize, self.layout.starts[s + 1] as usize);
            let farthest = (from..end).map(|i| (a[i].0 - b[i].0).length()).fold(0.0, f64::max);
            farthest / ((end - from - 1) as f64 * SEGMENT)
        };
        let n = self.layout.strand_count();
        ((0..n).map(of).sum::<f64>() / n as f64, (0..n).map(of).fold(0.0, f64::max))
    }

    /// The GPU's state: of all rods, of second order, scales, multipliers.
    fn state(&mut self) -> [Vec<f32>; 4] {
        let b = &self.buffers;
        let mut all = [&b.state, &b.second, &b.scales, &b.swept].map(|rows| vec![0.0; rows.len()]);
        self.gpu.read_state(all.each_mut().map(|rows| &mut rows[..])).unwrap();
        all
    }

    /// Positions and velocities in host order: (CPU, GPU).
    fn read(&mut self) -> [Vec<(Vec3<f64>, Vec3<f64>)>; 2] {
        let rods = self.world.rods(self.rods).unwrap();
        let mut cpu = vec![(Vec3::from([0.0; 3]), Vec3::from([0.0; 3])); rods.vertex_count()];
        rods.read_positions(|i, p| cpu[i].0 = p.into());
        rods.read_velocities(|i, v| cpu[i].1 = v.into());
        let [out, ..] = self.state();
        let mut gpu = Vec::new();
        for s in 0..self.layout.strand_count() {
            for v in 0..self.layout.counts[s] as usize {
                let at = |field| {
                    let c = |k| out[self.layout.index(s, v, state::ROWS, field + k)] as f64;
                    Vec3::from([c(0), c(1), c(2)])
                };
                gpu.push((at(state::X), at(state::U)));
            }
        }
        [cpu, gpu]
    }
}

#[test]
fn every_option_of_swept_rods_does_the_same_on_the_gpu() {
    every_option_does_the_same(|d| d.order != SweepOrder::Direct);
}

#[test]
fn every_option_of_direct_rods_does_the_same_on_the_gpu() {
    every_option_does_the_same(|d| {
        d.order == SweepOrder::Direct && d.model == RodModel::Ghost && d.integrator != Integrator::Second
    });
}

#[test]
fn every_option_of_discrete_elastic_rods_does_the_same_on_the_gpu() {
    every_option_does_the_same(|d| d.model == RodModel::Der && d.integrator != Integrator::Second);
}

#[test]
fn every_option_of_second_order_does_the_same_on_the_gpu() {
    every_option_does_the_same(|d| d.integrator == Integrator::Second);
}

fn every_option_does_the_same(which: fn(&RodsDesc) -> bool) {
    let Some(gpu) = device() else { return };
    let sphere = ColliderDesc {
        shape: Shape::Sphere { radius: 0.04 },
        pose: Pose { position: [0.08, -0.05, 0.02], ..Pose::IDENTITY },
        ..ColliderDesc::default()
    };
    let shapes = [
        sphere,
        ColliderDesc { shape: Shape::Plane, pose: Pose { position: [0.0, -0.015, 0.0], ..Pose::IDENTITY }, ..sphere },
        // Below the roots: what covers them is the world's.
        ColliderDesc { shape: Shape::Capsule { radius: 0.02, half_height: 0.028 }, ..sphere },
        ColliderDesc { shape: Shape::Box { half_extents: [0.05, 0.035, 0.03] }, ..sphere },
        ColliderDesc { category: 2, shape: Shape::Box { half_extents: [1.0; 3] }, ..sphere },
    ];
    let alpha = Stiffness::Alpha { bend1: 0.5, bend2: 0.7, twist: 0.9, stretch: 1.0 };
    let base = || groom(21);
    let direct = || RodsDesc { order: SweepOrder::Direct, ..groom(21) };
    let der = || RodsDesc { model: RodModel::Der, iterations: 1, ..direct() };
    let second = |d| RodsDesc { integrator: Integrator::Second, ..d };
    let cases: Vec<(&str, RodsDesc, Vec<ColliderDesc>, bool)> = vec![
        ("clamped", base(), vec![], false),
        ("free", RodsDesc { root: EndSupport::Free, ..base() }, vec![], false),
        ("pinned", RodsDesc { root: EndSupport::Pinned, ..base() }, vec![], false),
        ("tip pinned", RodsDesc { tip: EndSupport::Pinned, ..base() }, vec![], false),
        ("alpha", RodsDesc { stiffness: alpha, ..base() }, vec![], false),
        ("root to tip", RodsDesc { order: SweepOrder::RootToTip, ..base() }, vec![], false),
        ("alternating, both ends clamped", RodsDesc { tip: EndSupport::Clamped, ..base() }, vec![], false),
        ("damping", RodsDesc { damping: 20.0, ..base() }, vec![], false),
        ("drag", RodsDesc { drag: 3.0, wind: [2.0, 0.0, 1.0], ..base() }, vec![], false),
        ("speed limit", RodsDesc { max_speed: 0.05, ..base() }, vec![], false),
        ("pins", base(), vec![], true),
        ("forces", base(), vec![], false),
        ("colliders", RodsDesc { mask: 1, ..base() }, shapes.to_vec(), false),
        ("direct", direct(), vec![], false),
        ("direct, free", RodsDesc { root: EndSupport::Free, ..direct() }, vec![], false),
        ("direct, pinned", RodsDesc { root: EndSupport::Pinned, ..direct() }, vec![], false),
        ("direct, tip clamped", RodsDesc { tip: EndSupport::Clamped, ..direct() }, vec![], false),
        ("direct, viscous", RodsDesc { viscosity: 0.02, ..direct() }, vec![], false),
        ("direct, speed limit", RodsDesc { max_speed: 0.05, ..direct() }, vec![], false),
        ("direct, pins", direct(), vec![], true),
        ("direct, forces", direct(), vec![], false),
        ("direct, colliders", RodsDesc { mask: 1, ..direct() }, shapes.to_vec(), false),
        ("der", der(), vec![], false),
        ("der, searched", RodsDesc { iterations: 4, ..der() }, vec![], false),
        ("der, free", RodsDesc { root: EndSupport::Free, ..der() }, vec![], false),
        ("der, pinned", RodsDesc { root: EndSupport::Pinned, ..der() }, vec![], false),
        ("der, tip clamped", RodsDesc { tip: EndSupport::Clamped, iterations: 4, ..der() }, vec![], false),
        ("der, tip pinned", RodsDesc { tip: EndSupport::Pinned, ..der() }, vec![], false),
        ("der, viscous", RodsDesc { viscosity: 0.02, iterations: 4, ..der() }, vec![], false),
        ("der, damping", RodsDesc { damping: 20.0, drag: 3.0, ..der() }, vec![], false),
        ("der, pins", der(), vec![], true),
        ("der, forces", der(), vec![], false),
        ("der, colliders", RodsDesc { mask: 1, ..der() }, shapes.to_vec(), false),
        ("second", second(direct()), vec![], false),
        ("second, free", second(RodsDesc { root: EndSupport::Free, ..direct() }), vec![], false),
        ("second, tip clamped", second(RodsDesc { tip: EndSupport::Clamped, ..direct() }), vec![], false),
        ("second, viscous", second(RodsDesc { viscosity: 0.02, ..direct() }), vec![], false),
        ("second, damping", second(RodsDesc { damping: 20.0, drag: 3.0, ..direct() }), vec![], false),
        ("second, speed limit", second(RodsDesc { max_speed: 0.05, ..direct() }), vec![], false),
        ("second, pins", second(direct()), vec![], true),
        ("second, forces", second(direct()), vec![], false),
        ("second, colliders", second(RodsDesc { mask: 1, ..direct() }), shapes.to_vec(), false),
        ("second, der", second(der()), vec![], false),
        ("second, der, searched", second(RodsDesc { iterations: 4, ..der() }), vec![], false),
        ("second, der, free", second(RodsDesc { root: EndSupport::Free, ..der() }), vec![], false),
        ("second, der, forces", second(der()), vec![], false),
        // Without the plane, on which f32 sends two strands another way when all are moved by 1e-8 m, on the CPU, too.
        ("second, der, colliders", second(RodsDesc { mask: 1, ..der() }), [&shapes[..1], &shapes[2..]].concat(), false),
    ];
    let software = gpu.is_software();
    for (name, desc, colliders, pins) in cases.into_iter().filter(|case| which(&case.1)) {
        let newton = desc.order == SweepOrder::Direct;
        let make = |double| {
            let mut both = Both::in_precision(gpu, desc.clone(), colliders.clone(), double);
            if pins {
                for s in [3, 9, 10] {
                    let v = both.layout.counts[s] as usize / 2;
                    let [x, y, z] = both.desc.positions[both.layout.starts[s] as usize + v];
                    both.pin(s, v, [x - 0.004, y + 0.003, z]);
                }
            }
            if name.ends_with("forces") {
                both.push(|s, v| [1e-4 * v as f64, 2e-4, -1e-4 * s as f64, 1e-6 * (v as f64 - 3.0)]);
            }
            both
        };
        let mut both = make(false);
        let double = newton.then(|| make(true));
        for i in 1..=5 {
            both.frame(i, &Inline);
        }
        let [cpu, gpu] = both.read();
        let (mean, worst) = both.apart(&cpu, &gpu);
        let mut reports = vec![BlockReport::default(); both.layout.blocks.len()];
        both.gpu.read_reports(&mut reports).unwrap();
        let stats = both.world.stats();
        let (largest, touching) = (stats.largest_strain, stats.contacts);
        let limited: u32 = reports.iter().map(|r| r.limited.count_ones()).sum();
        let contacts: u32 = reports.iter().map(|r| r.contacts).sum();
        let strain = reports.iter().map(|r| r.largest_strain).fold(0.0, f64::max);
        eprintln!(
            "{name:20} {mean:8.1e} {worst:8.1e} of the length; strain {strain:.2e} {:.2e}; limited {limited}; contacts {contacts} {}",
            stats.largest_strain, stats.contacts
        );
        if let Some(mut double) = double {
            // f32 itself is farther from f64 than the GPU from the CPU, most of all in contact.
            for i in 1..=5 {
                double.frame(i, &Inline);
            }
            let [exact, _] = double.read();
            let ((cpu_mean, cpu_worst), (gpu_mean, gpu_worst)) = (both.apart(&exact, &cpu), both.apart(&exact, &gpu));
            let stats = double.world.stats();
            eprintln!(
                "{:20} from f64: CPU {cpu_mean:.1e} {cpu_worst:.1e}, GPU {gpu_mean:.1e} {gpu_worst:.1e}; strain {:.2e}, contacts {}",
                "", stats.largest_strain, stats.contacts
            );
            assert!(gpu_mean <= 1e-5 + 4.0 * cpu_mean, "{name}: {gpu_mean} {cpu_mean}");
            // A software adapter rounds as the CPU does. Another closes a contact an iteration earlier or later, and from there on its
            // strand goes its own way, as f32 and f64 do.
            let part = if software { 0.02 } else { 1.0 };
            let close = mean <= 1e-4 + part * cpu_mean && worst <= 1e-3 + part * cpu_worst;
            assert!(if contacts > 0 { close } else { gpu_worst <= 2e-2 }, "{name}: {worst} {gpu_worst}");
            let own = (largest - stats.largest_strain).abs();
            assert!((strain - largest).abs() <= 1e-4 + 2e-3 * largest + part * own, "{name}: {strain} {largest}");
            assert!(contacts.abs_diff(touching) <= 3, "{name}: {contacts} {}", touching);
        } else {
            assert!(worst <= 1e-4, "{name}: {worst}");
            assert!((strain - stats.largest_strain).abs() <= 1e-4, "{name}");
            assert!(contacts.abs_diff(stats.contacts) <= 2, "{name}: {contacts} {}", stats.contacts);
        }
        assert_eq!(limited, stats.limited_strands, "{name}");
        assert_eq!(reports.iter().map(|r| r.non_finite | r.kinked).max(), Some(0), "{name}");
        if name.ends_with("colliders") {
            assert!(contacts > 0);
        }
    }
}

#[test]
fn one_second_of_a_groom_keeps_the_invariants_of_the_cpu() {
    let Some(gpu) = device() else { return };
    let sphere = ColliderDesc {
        shape: Shape::Sphere { radius: 0.05 },
        pose: Pose { position: [0.1, -0.12, 0.05], ..Pose::IDENTITY },
        ..ColliderDesc::default()
    };
    let mut both = Both::new(gpu, groom(48), vec![sphere]);
    let mass: Vec<f64> = (0..both.layout.strand_count())
        .flat_map(|s| (0..both.layout.counts[s] as usize).map(move |v| (s, v)))
        .map(|(s, v)| both.buffers.params[both.layout.index(s, v, param::ROWS, param::W)] as f64)
        .map(|w| if w > 0.0 { 1.0 / w } else { 0.0 })
        .collect();
    let energy = |p: &[(Vec3<f64>, Vec3<f64>)]| -> (f64, f64) {
        let kinetic: f64 = p.iter().zip(&mass).map(|((_, v), m)| 0.5 * m * v.length2()).sum();
        (kinetic, kinetic - p.iter().zip(&mass).map(|((x, _), m)| m * x.dot(GRAVITY.into())).sum::<f64>())
    };
    let mut turned_over = 0.0f64;
    let mut energy_error = 0.0f64;
    for i in 1..=60 {
        both.frame(i, &Inline);
        let [cpu, gpu] = both.read();
        let ((k, a), (_, b)) = (energy(&cpu), energy(&gpu));
        turned_over = turned_over.max(k);
        energy_error = energy_error.max((a - b).abs());
    }
    let [cpu, gpu] = both.read();
    let mut tips = Vec::new();
    let (mut strain, mut strain_cpu) = (0.0f64, 0.0f64);
    for s in 0..both.layout.strand_count() {
        let (a, b) = (both.layout.starts[s] as usize, both.layout.starts[s + 1] as usize);
        let length = (b - a - 1) as f64 * SEGMENT;
        tips.push((cpu[b - 1].0 - gpu[b - 1].0).length() / length);
        for v in 0..b - a - 1 {
            let rest = both.buffers.params[both.layout.index(s, v, param::ROWS, param::LENGTH)] as f64;
            let of = |p: &[(Vec3<f64>, Vec3<f64>)]| ((p[a + v + 1].0 - p[a + v].0).length() / rest - 1.0).abs();
            (strain, strain_cpu) = (strain.max(of(&gpu)), strain_cpu.max(of(&cpu)));
        }
    }
    let mean = tips.iter().sum::<f64>() / tips.len() as f64;
    let worst = tips.iter().copied().fold(0.0, f64::max);
    eprintln!(
        "after 1 s: strain {strain:.2e} (CPU {strain_cpu:.2e}); tips mean {mean:.1e}, worst {worst:.1e} of the length; energy {:.1e}",
        energy_error / turned_over
    );
    assert!((strain - strain_cpu).abs() <= 1e-3);
    assert!(mean <= 1e-3 && worst <= 2e-2);
    assert!(energy_error <= 1e-3 * turned_over);
}

#[test]
fn however_a_step_is_cut_into_dispatches_the_bits_are_the_same() {
    let Some(gpu) = device() else { return };
    let swept = (RodModel::Ghost, SweepOrder::RootToTip, Integrator::First);
    let direct = [RodModel::Ghost, RodModel::Der]
        .into_iter()
        .flat_map(|model| [Integrator::First, Integrator::Second].map(|integrator| (model, SweepOrder::Direct, integrator)));
    // The last two keep their volume.
    let first = Integrator::First;
    let solid = [(RodModel::Ghost, SweepOrder::Alternating, first), (RodModel::Ghost, SweepOrder::Direct, first)];
    let all = direct.chain([swept]).map(|case| (case, 0.0)).chain(solid.map(|case| (case, 0.4)));
    for ((model, order, integrator), poisson_ratio) in all {
        let mut states: Vec<Vec<u32>> = Vec::new();
        for passes in [Passes::Fused, Passes::Substep, Passes::Staged] {
            let mut both = Both::new(gpu, RodsDesc { model, order, integrator, poisson_ratio, ..groom(21) }, vec![]);
            both.gpu.set_passes(passes);
            for i in 1..=5 {
                both.frame(i, &Inline);
            }
            states.push(both.state().iter().flatten().map(|v| v.to_bits()).collect());
        }
        assert!(states[0] == states[1] && states[0] == states[2], "{model:?} {order:?} {integrator:?} {poisson_ratio}");
    }
}

/// What a step leaves of strands does not depend on which buffers they are in: a set whose buffers hold no more than its largest block is in three
/// parts, and has the bits and the reports of one.
#[test]
fn a_set_that_no_buffer_holds_is_split_and_has_the_same_bits() {
    let Some(gpu) = device() else { return };
    let sphere = ColliderDesc {
        shape: Shape::Sphere { radius: 0.07 },
        pose: Pose { position: [0.1, -0.05, 0.05], ..Pose::IDENTITY },
        ..ColliderDesc::default()
    };
    let swept = RodsDesc { iterations: 2, ..groom(120) };
    let direct = RodsDesc { order: SweepOrder::Direct, integrator: Integrator::Second, ..swept.clone() };
    let both_ends = RodsDesc { tip: EndSupport::Pinned, ..direct.clone() };
    let der = RodsDesc { model: RodModel::Der, integrator: Integrator::First, viscosity: 0.01, ..direct.clone() };
    let free = RodsDesc { root: EndSupport::Free, ..direct.clone() };
    for desc in [swept, direct, both_ends, der, free] {
        let case = format!("{:?} {:?} {:?} {:?}", desc.model, desc.order, desc.root, desc.tip);
        let rows = if desc.order == SweepOrder::Direct { SCRATCH_ROWS } else { state::ROWS };
        let largest = Layout::new(desc.counts.clone()).blocks.iter().map(|b| b.width * b.vertices * rows * 4).max().unwrap();
        let play = |gpu: &GpuDevice| {
            let mut both = Both::new(gpu, desc.clone(), vec![sphere]);
            for s in [3, 40, 41, 90, 117] {
                let v = both.layout.counts[s] as usize / 2;
                let [x, y, z] = both.desc.positions[both.layout.starts[s] as usize + v];
                both.pin(s, v, [x - 0.004, y + 0.003, z]);
            }
            let mut rows = Vec::new();
            for i in 1..=4 {
                if i == 3 {
                    both.push(|s, v| [1e-4 * v as f64, 2e-4, -1e-6 * s as f64, 1e-6 * (v as f64 - 3.0)]);
                }
                both.frame(i, &Inline);
                let all = both.state();
                rows.extend(all.iter().flatten().map(|x| x.to_bits()));
                if i == 2 {
                    // What is read goes up again where it was.
                    both.gpu.upload_state(all.each_ref().map(|rows| &rows[..])).unwrap();
                }
            }
            let mut reports = vec![BlockReport::default(); both.layout.blocks.len()];
            both.gpu.read_reports(&mut reports).unwrap();
            (both.gpu.parts(), rows, reports, both.gpu.memory_bytes())
        };
        let (one, rows, reports, bytes) = play(gpu);
        let (parts, split, split_reports, split_bytes) = play(&gpu.with_largest_buffer(largest as u64));
        assert_eq!((one, parts), (1, 3), "{case}");
        assert!(rows == split, "{case}");
        let of = |r: &BlockReport| (r.largest_strain.to_bits(), r.strain_lane, r.limited, r.contacts, r.non_finite, r.kinked);
        assert_eq!(reports.iter().map(of).collect::<Vec<_>>(), split_reports.iter().map(of).collect::<Vec<_>>(), "{case}");
        assert!(reports.iter().map(|r| r.contacts).sum::<u32>() > 0, "{case}");
        assert!(split_bytes.abs_diff(bytes) < 4096 + bytes / 8, "{case}: {bytes} bytes, split {split_bytes}");
        // A block is not split.
        let least = gpu.with_largest_buffer(largest as u64 - 1);
        let layout = Layout::new(desc.counts.clone());
        let buffers = compile::<f32>(&desc, &layout, GRAVITY, DT).buffers;
        let refused = GpuRods::new(&least, &layout, &buffers, desc.order == SweepOrder::Direct).unwrap_err();
        let said = format!("32 strands of up to 24 vertices need a GPU buffer of {largest} bytes");
        assert!(refused.kind == ErrorKind::InvalidArgument && refused.message.contains(&said), "{case}: {refused}");
    }
}

#[test]
fn wrong_sizes_are_refused() {
    let Some(gpu) = device() else { return };
    let mut both = Both::new(gpu, groom(3), vec![]);
    assert!(both.gpu.upload_state([&[0.0], &[], &[], &[]]).is_err());
    assert!(both.gpu.upload_supports([&[], &[]]).is_err());
    assert!(both.gpu.read_state([&mut [0.0], &mut [], &mut [], &mut []]).is_err());
}
