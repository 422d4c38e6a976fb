//! From a description to a material and a state: twist-free frames, ghost points, rest shape. All of it in f64, once.

use crate::desc::{EndSupport, Integrator, Muscle, RestShape, RodsDesc, SweepOrder};
use crate::layout::{
    Aligned, Buffers, Layout, SPIN_ROWS, contact, kept, param, relax_loop, state, support, transported_axes, workspace_cells,
};
use crate::layout::{active, bulk, bundle, hill, scale, scratch, second, swept, wide};
use crate::math::vec3::vec3;
use crate::math::{Elem, Quat, Vec3};
use crate::rods::ghost::kernels::{EdgeFrame, edge_frame};
use crate::rods::material::Material;
use crate::rods::models::{Model, by_model};

/// What is odd about a strand. It is simulated all the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandIssue {
    pub strand: u32,
    /// Vertex within the strand.
    pub vertex: u32,
    pub kind: StrandIssueKind,
    pub value: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum StrandIssueKind {
    /// An edge shorter than 1e-4 of the strand's mean; it is simulated at that length. Value: its length, m.
    ShortEdge = 1,
    /// The whole strand has no length; it is simulated as a straight one along +Y. Value: its length, m.
    NoLength = 2,
    /// Neighbouring edges fold back by more than 175°. Value: the angle, rad.
    Kink = 3,
    /// Edges shorter, on average, than a tenth of the strand's radius: no rod but a bead. Unconverged length constraints give by the
    /// same way whatever the length: with 8 substeps of 4 iterations 16 vertices hang 2 mm too low under gravity, which is 1.9
    /// lengths at edges of one radius of 0.2 mm, 9 at a tenth, 240 at 3e-3. Value: the mean edge, m.
    Stub = 4,
}

/// An edge is at least this part of its strand's mean edge.
const SHORTEST_EDGE: f64 = 1e-4;
/// A strand's mean edge is at least this part of its radius, or the strand is named.
const STUB_EDGE: f64 = 0.1;
/// A strand without length gets edges of this length, m.
const NO_LENGTH_EDGE: f64 = 1e-6;

/// Bending stiffness about d¹ and d², torsional stiffness, N·m², and axial stiffness, N, of an elliptic section with
/// semi-axis `a` along d¹ and `a·aspect` along d².
pub fn element_stiffness(young: f64, shear: f64, a: f64, aspect: f64) -> ([f64; 3], f64) {
    let b = a * aspect;
    let pi = core::f64::consts::PI;
    let i1 = pi * a * b * b * b / 4.0;
    let i2 = pi * a * a * a * b / 4.0;
    let j = pi * a * a * a * b * b * b / (a * a + b * b);
    ([young * i1, young * i2, shear * j], young * pi * a * b)
}

/// Vertices with the degenerate edges opened, unit tangents and lengths of one strand.
struct Polyline {
    points: Vec<Vec3<f64>>,
    tangents: Vec<Vec3<f64>>,
    lengths: Vec<f64>,
}

fn polyline(input: &[[f64; 3]], strand: u32, issues: Option<&mut Vec<StrandIssue>>) -> Polyline {
    let mut found = Vec::new();
    let mut points: Vec<Vec3<f64>> = input.iter().map(|&p| p.into()).collect();
    let edges = points.len() - 1;
    let measured: Vec<f64> = points.windows(2).map(|p| (p[1] - p[0]).length()).collect();
    let total: f64 = measured.iter().sum();
    let mean = total / edges as f64;
    let none = mean < 1e-12;
    let floor = if none { NO_LENGTH_EDGE } else { mean * SHORTEST_EDGE };
    if none {
        found.push(StrandIssue { strand, vertex: 0, kind: StrandIssueKind::NoLength, value: total });
    }
    // A short edge takes the direction of the nearest good edge before it, or else after it.
    let good = |i: usize| measured[i] >= floor && !none;
    let direction = |i: usize| {
        let near = (0..i).rev().find(|&k| good(k)).or_else(|| (i + 1..edges).find(|&k| good(k)));
        near.map_or(vec3(0.0, 1.0, 0.0), |k| {
            let (a, b): (Vec3<f64>, Vec3<f64>) = (input[k].into(), input[k + 1].into());
            (b - a) * (1.0 / measured[k])
        })
    };
    for i in 0..edges {
        if !good(i) {
            if !none {
                found.push(StrandIssue { strand, vertex: i as u32, kind: StrandIssueKind::ShortEdge, value: measured[i] });
            }
            points[i + 1] = points[i] + direction(i) * floor;
        }
    }
    let mut tangents = Vec::with_capacity(edges);
    let mut lengths = Vec::with_capacity(edges);
    for i in 0..edges {
        let e = points[i + 1] - points[i];
        lengths.push(e.length().max(floor * 0.5));
        tangents.push(e.normalized_or(direction(i)));
    }
    for i in 1..edges {
        let c = tangents[i - 1].dot(tangents[i]);
        if c < -0.996_194_698 {
            let angle = core::f64::consts::PI - (2.0 * (1.0 + c).max(0.0)).sqrt();
            found.push(StrandIssue { strand, vertex: i as u32, kind: StrandIssueKind::Kink, value: angle });
        }
    }
    if let Some(issues) = issues {
        issues.extend(found);
    }
    Polyline { points, tangents, lengths }
}

fn axes(desc: &RodsDesc, layout: &Layout, strand: usize, line: &Polyline) -> Vec<Vec3<f64>> {
    let first_edge = layout.starts[strand] as usize - strand;
    let edges = line.tangents.len();
    if desc.section_axes.len() == layout.edge_count() && layout.edge_count() != layout.strand_count() {
        (0..edges)
            .map(|i| {
                let (t, a): (Vec3<f64>, Vec3<f64>) = (line.tangents[i], desc.section_axes[first_edge + i].into());
                (a - t * a.dot(t)).normalized_or(t.any_perpendicular())
            })
            .collect()
    } else {
        let seed = match desc.section_axes.get(strand) {
            Some(&a) => a.into(),
            None => line.tangents[0].any_perpendicular(),
        };
        let mut axes = transported_axes(&line.tangents, seed);
        // Where the user gives axes they are meant; a round section's are ours to relax.
        let closed = (line.points[edges] - line.points[0]).length() < 1e-6 * line.lengths.iter().sum::<f64>();
        if desc.section_axes.is_empty() && closed {
            relax_loop(&line.tangents, &mut axes);
        }
        axes
    }
}

/// Rows of a vertex in [`Buffers::scratch`].
pub fn scratch_rows(desc: &RodsDesc) -> usize {
    match desc.order {
        SweepOrder::Direct => scratch::ROWS + if desc.keeps_volume() { wide::ROWS } else { 0 },
        _ => 0,
    }
}

/// Rows of a vertex in [`Buffers::workspace`].
pub fn workspace_rows(desc: &RodsDesc) -> usize {
    let keeps = desc.order == SweepOrder::Direct && !desc.keeps_volume();
    scratch_rows(desc) + if keeps { kept::ROWS } else { 0 }
}

/// Whether blocks have no memory of their own for Newton's method, until something couples them to others.
fn works_in_turn(desc: &RodsDesc, layout: &Layout) -> bool {
    !desc.self_contact && !desc.is_bundled() && workspace_cells(layout) > 0
}

/// Rows of a vertex in [`Buffers::second`].
fn second_rows(desc: &RodsDesc) -> usize {
    if desc.integrator == Integrator::Second { second::ROWS } else { 0 }
}

/// Rows of a vertex in all buffers that some rods alone have.
pub fn optional_rows(desc: &RodsDesc) -> usize {
    let multipliers = if desc.order == SweepOrder::Direct { 0 } else { swept::ROWS };
    let volume = if desc.keeps_volume() { scale::ROWS + bulk::ROWS + multipliers } else { 0 };
    let muscle = match desc.muscle {
        Some(Muscle::Hill(_)) => active::ROWS + hill::ROWS,
        Some(Muscle::RestShape { .. }) => active::ROWS,
        None => 0,
    };
    let bundled = if desc.is_bundled() { bundle::ROWS + contact::ROWS } else { 0 };
    scratch_rows(desc) + desc.model.extra_rows() + volume + muscle + bundled + second_rows(desc)
}

/// What a checked description compiles to.
pub struct Compiled<E> {
    pub buffers: Buffers<E>,
    pub material: Material,
    pub issues: Vec<StrandIssue>,
    /// Substeps of the length that this was compiled for take all stiffness for what it is.
    pub whole: bool,
}

/// Compiles a description for substeps of `h` seconds. The caller has validated counts, finiteness and ranges (`world::rods`).
pub fn compile<E: Elem>(desc: &RodsDesc, layout: &Layout, gravity: [f64; 3], h: f64) -> Compiled<E> {
    let volume = usize::from(desc.keeps_volume());
    let mut buffers = Buffers {
        params: Aligned::zeroed(layout.cells * param::ROWS),
        state: Aligned::zeroed(layout.cells * state::ROWS),
        supports: [desc.root, desc.tip]
            .map(|s| Aligned::zeroed(if s == EndSupport::Free { 0 } else { layout.lanes * support::ROWS })),
        ties: [Aligned::zeroed(0), Aligned::zeroed(0)],
        spare: Aligned::zeroed(0),
        contact: Aligned::zeroed(if desc.self_contact || desc.is_bundled() { layout.cells * contact::ROWS } else { 0 }),
        edges: Aligned::zeroed(layout.lanes),
        forces: Aligned::zeroed(0),
        scratch: Aligned::zeroed(if works_in_turn(desc, layout) { 0 } else { layout.cells * scratch_rows(desc) }),
        workspace: Aligned::zeroed(workspace_cells(layout) * workspace_rows(desc)),
        extra: Aligned::zeroed(layout.cells * desc.model.extra_rows()),
        scales: Aligned::zeroed(layout.cells * scale::ROWS * volume),
        bulk: Aligned::zeroed(layout.cells * bulk::ROWS * volume),
        swept: Aligned::zeroed(if desc.order == SweepOrder::Direct { 0 } else { layout.cells * swept::ROWS * volume }),
        active: Aligned::zeroed(if desc.muscle.is_some() { layout.cells * active::ROWS } else { 0 }),
        hill: Aligned::zeroed(if let Some(Muscle::Hill(_)) = desc.muscle { layout.cells * hill::ROWS } else { 0 }),
        bundle: Aligned::zeroed(if desc.is_bundled() { layout.cells * bundle::ROWS } else { 0 }),
        second: Aligned::zeroed(layout.cells * second_rows(desc)),
        spin: Aligned::zeroed(if (desc.root, desc.tip) == (EndSupport::Free, EndSupport::Free) {
            layout.lanes * SPIN_ROWS
        } else {
            0
        }),
    };
    if desc.muscle.is_some() {
        rest_as_described(layout, &mut buffers.active);
    }
    let mut issues = Vec::new();
    let mut material = Material {
        covered: Vec::new(),
        cuts: Vec::new(),
        radii: desc.radii.clone(),
        scale: desc.stiffness_scale.clone(),
        lengths: Vec::with_capacity(layout.vertex_count()),
        ghosts: Vec::with_capacity(layout.strand_count()),
        rest: Vec::with_capacity(layout.vertex_count()),
        given: Vec::new(),
        factors: Vec::new(),
        found_for: vec![0.0; layout.strand_count()],
    };
    let mut whole = true;
    for strand in 0..layout.strand_count() {
        let it = Strand::new(desc, layout, strand, &mut issues);
        let lengths = it.rest_lengths.iter().copied().chain([0.0]);
        material.lengths.extend(lengths.clone());
        material.rest.extend(lengths.zip(it.rest_strains.iter().copied()));
        material.ghosts.push(it.ghost_distance);
        it.write(desc, layout, strand, gravity.into(), &mut buffers);
        let of = material.strand(desc, layout, strand);
        whole &= of.write(layout, strand, h, &mut buffers);
        for v in (0..layout.counts[strand] as usize).filter(|&v| !of.is_held(v)) {
            buffers.params[layout.index(strand, v, param::ROWS, param::W)] = E::from_f64(1.0 / of.mass(v));
        }
    }
    Compiled { buffers, material, issues, whole }
}

/// No edge of a muscle is active; padding has a natural length, too, and divides by nothing.
fn rest_as_described<E: Elem>(layout: &Layout, rows: &mut [E]) {
    for block in &layout.blocks {
        let first = block.offset * active::ROWS;
        for v in 0..block.vertices {
            let row = first + (v * active::ROWS + active::NATURAL) * block.width;
            rows[row..row + block.width].fill(E::one());
        }
    }
}

/// One strand on its way from the description to the buffers.
struct Strand {
    line: Polyline,
    axes: Vec<Vec3<f64>>,
    rest_lengths: Vec<f64>,
    /// A vertex, supports included, as the model measures them.
    rest_strains: Vec<[f64; 5]>,
    /// Frames of the rest shape's end edges.
    end_frames: [Quat<f64>; 2],
    ghost_distance: f64,
}

impl Strand {
    fn new(desc: &RodsDesc, layout: &Layout, strand: usize, issues: &mut Vec<StrandIssue>) -> Strand {
        let range = layout.starts[strand] as usize..layout.starts[strand + 1] as usize;
        let line = polyline(&desc.positions[range.clone()], strand as u32, Some(issues));
        let start_axes = axes(desc, layout, strand, &line);
        let (rest, rest_axes) = if desc.rest_positions.is_empty() {
            (None, start_axes.clone())
        } else {
            let rest = polyline(&desc.rest_positions[range.clone()], strand as u32, None);
            let axes = axes(desc, layout, strand, &rest);
            (Some(rest), axes)
        };
        let shape = rest.as_ref().unwrap_or(&line);
        let edges = shape.lengths.len();
        let frame = |i: usize| edge_frame(shape.tangents[i], rest_axes[i]);
        let as_quat = |f: EdgeFrame<f64>| Quat::from_frame([f.d1, f.d2, f.d3]);
        let mut rest_lengths = shape.lengths.clone();
        let mut rest_strains = vec![[0.0; 5]; edges + 1];
        let first_edge = layout.starts[strand] as usize - strand;
        match &desc.rest_shape {
            RestShape::FromPose => {
                for (i, strains) in rest_strains.iter_mut().enumerate().take(edges).skip(1) {
                    *strains = desc.model.strains_between(&frame(i - 1), &frame(i));
                }
            }
            RestShape::Straight => {}
            RestShape::Explicit { lengths, darboux } => {
                rest_lengths.copy_from_slice(&lengths[first_edge..first_edge + edges]);
                let first_element = layout.starts[strand] as usize - 2 * strand;
                for (i, strains) in rest_strains.iter_mut().enumerate().take(edges).skip(1) {
                    let omega: Vec3<f64> = darboux[first_element + i - 1].into();
                    *strains = desc.model.strains_of(omega * (0.5 * (rest_lengths[i - 1] + rest_lengths[i])));
                }
            }
            RestShape::Strains { lengths, strains } => {
                rest_lengths.copy_from_slice(&lengths[first_edge..first_edge + edges]);
                rest_strains.copy_from_slice(&strains[range.clone()]);
            }
        }
        let mean = rest_lengths.iter().sum::<f64>() / edges as f64;
        let radius = match desc.radii.as_slice() {
            [] => 0.0,
            [radius] => *radius,
            radii => radii[range.clone()].iter().sum::<f64>() / range.len() as f64,
        };
        let mut known = issues.iter().rev().take_while(|i| i.strand == strand as u32);
        if mean < STUB_EDGE * radius && !known.any(|i| i.kind == StrandIssueKind::NoLength) {
            issues.push(StrandIssue { strand: strand as u32, vertex: 0, kind: StrandIssueKind::Stub, value: mean });
        }
        Strand {
            axes: start_axes,
            rest_lengths,
            rest_strains,
            end_frames: [as_quat(frame(0)), as_quat(frame(edges - 1))],
            ghost_distance: by_model!(desc.model, M => M::ghost_distance(desc, mean, radius)),
            line,
        }
    }

    /// Its state and its supports.
    fn write<E: Elem>(&self, desc: &RodsDesc, layout: &Layout, strand: usize, gravity: Vec3<f64>, buffers: &mut Buffers<E>) {
        let start = layout.starts[strand] as usize;
        let vertices = layout.counts[strand] as usize;
        let edges = vertices - 1;
        let velocity = |v: usize| -> Vec3<f64> { desc.velocities.get(start + v).map_or(Vec3::zero(), |&u| u.into()) };
        for v in 0..vertices {
            let mut vector = |field: usize, value: Vec3<f64>| {
                for (k, c) in value.to_array().into_iter().enumerate() {
                    buffers.state[layout.index(strand, v, state::ROWS, field + k)] = E::from_f64(c);
                }
            };
            vector(state::X, self.line.points[v]);
            vector(state::U, velocity(v));
            if v < edges {
                let middle = (self.line.points[v] + self.line.points[v + 1]) * 0.5;
                let drift = (velocity(v) + velocity(v + 1)) * 0.5;
                vector(state::GX, middle + self.axes[v] * self.ghost_distance);
                vector(state::GU, drift);
                let frame = |v: usize| edge_frame(self.line.tangents[v], self.axes[v]);
                let fall_or_twist = match desc.model.counts_turns() {
                    false => drift.dot(gravity),
                    true if v == 0 => 0.0,
                    true => desc.model.strains_between(&frame(v - 1), &frame(v))[4],
                };
                buffers.state[layout.index(strand, v, state::ROWS, state::FALL)] = E::from_f64(fall_or_twist);
            }
        }
        buffers.edges[layout.strand_index(strand, 1, 0)] = E::from_f64(edges as f64);
        for (end, v) in [(0, 0), (1, edges)] {
            if buffers.supports[end].is_empty() {
                continue;
            }
            let mut set = |field: usize, values: &[f64]| {
                for (k, &c) in values.iter().enumerate() {
                    buffers.supports[end][layout.strand_index(strand, support::ROWS, field + k)] = E::from_f64(c);
                }
            };
            for (position, rotation) in [(support::FROM, support::FROM_ROTATION), (support::TO, support::TO_ROTATION)] {
                set(position, &self.line.points[v].to_array());
                set(rotation, &self.end_frames[end].to_array());
            }
        }
    }
}
