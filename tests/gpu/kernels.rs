//! The generated WGSL against the same kernels in f64, on whatever adapter there is (software Vulkan in CI).
//!
//! Stated bound, per number and per input: the interval of `math::Bound`, which follows every rounding that WGSL permits
//! (division 2.5 ulp, sqrt 4.5 ulp, flushed denormals, fusing) through the kernel. On well-shaped inputs it is shown not
//! to be empty talk: there the GPU is also within `TAME_ULP` ulp of the largest number of the result's vector.
use crate::device::device;
use withy::gpu::GpuDevice;
use withy::gpu::shaders::{self, signature::Kernel};
use withy::math::Bound;
use withy::math::vec3::vec3;
use withy::rods::ghost::kernels::{EdgeFrame, edge_frame};

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }
    /// −1..1
    fn signed(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
    /// 0..1
    fn unit(&mut self) -> f32 {
        self.signed().abs()
    }
    /// 10^low .. 10^high
    fn decades(&mut self, low: f32, high: f32) -> f32 {
        10f32.powf(low + (high - low) * self.unit())
    }
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.bits() % from.len() as u64) as usize]
    }
}

/// An edge and its ghost offset of a rod with segments of `size` metres.
fn edge(r: &mut Random, size: f32) -> [f32; 6] {
    let mut v = || r.signed() * 0.2;
    let (e, g) = ([1.0 + v(), v(), v()], [v(), 0.5 + v(), v()]);
    [e[0], e[1], e[2], g[0], g[1], g[2]].map(|x| x * size)
}

/// Inverse masses of an edge: free, or with one end held.
fn weights(r: &mut Random) -> [f32; 3] {
    let scale = r.decades(-1.0, 7.0);
    let mut w = core::array::from_fn(|_| scale * (0.2 + r.unit()));
    if r.bits().is_multiple_of(4) {
        w[r.pick(&[0, 1])] = 0.0;
    }
    w
}

fn flat_frame(frame: EdgeFrame<f32>) -> Vec<f32> {
    let mut out: Vec<f32> = [frame.d1, frame.d2, frame.d3].iter().flat_map(|v| [v.x, v.y, v.z]).collect();
    out.extend([frame.inv_len, frame.inv_h, frame.foot]);
    out
}

fn frame(r: &mut Random, size: f32) -> Vec<f32> {
    let [a, b, c, d, e, f] = edge(r, size);
    flat_frame(edge_frame(vec3(a, b, c), vec3(d, e, f)))
}

/// m₁ m₂ t.
fn axes(r: &mut Random) -> Vec<f32> {
    frame(r, 1.0)[..9].to_vec()
}

/// A rotation from one frame to the next, by rows.
fn relative(r: &mut Random) -> Vec<f32> {
    let (a, b) = (axes(r), axes(r));
    (0..9).map(|k| (0..3).map(|c| a[k / 3 * 3 + c] * b[k % 3 * 3 + c]).sum()).collect()
}

/// κ̄ and m̄ or Ψ̄, and the stiffness against them.
fn element_rest(r: &mut Random) -> Vec<f32> {
    let k = r.decades(-6.0, 2.0);
    let mut v: Vec<f32> = (0..5).map(|_| 0.5 * r.signed()).collect();
    v.extend((0..5).map(|_| k * (0.5 + r.unit())));
    v
}

/// Tension and stiffness of an edge, with an energy that nothing reads.
fn stretched(r: &mut Random) -> [f32; 3] {
    [0.0, r.signed(), 10.0 * r.unit()]
}

/// The three blocks of a form in two edges; with `heavy` diagonals it is far from singular.
fn form(r: &mut Random, heavy: f32) -> Vec<f32> {
    let mut v: Vec<f32> = (0..48).map(|_| 0.2 * r.signed()).collect();
    for block in [0, 32] {
        (0..4).for_each(|k| v[block + 5 * k] += heavy);
    }
    v
}

fn quaternion(r: &mut Random) -> [f32; 4] {
    let q: [f32; 4] = core::array::from_fn(|_| r.signed());
    let n = q.iter().map(|x| x * x).sum::<f32>().sqrt().max(0.1);
    q.map(|x| x / n)
}

fn normal(r: &mut Random) -> [f32; 3] {
    let [a, b, c, _] = quaternion(r);
    let n = (a * a + b * b + c * c).sqrt().max(0.1);
    [a / n, b / n, c / n]
}

/// Corners of a triangle nearly level, with edges of about `size` m.
fn triangle(r: &mut Random, size: f32) -> Vec<f32> {
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.3, 1.0, 0.0];
    corners.iter().map(|x| size * (x + 0.1 * r.signed())).collect()
}

fn displacement(r: &mut Random) -> [f32; 3] {
    [0; 3].map(|_| 1e-3 * r.signed())
}

/// A collider near a vertex.
fn near(r: &mut Random) -> Vec<f32> {
    let mut v = normal(r).to_vec();
    v.extend(displacement(r));
    v.extend(displacement(r));
    v.extend([1e-3 * r.signed(), 1e-3 * r.signed(), r.unit()]);
    v
}

/// xx, xy, xz, yy, yz, zz.
fn inverse_inertia(r: &mut Random) -> [f32; 6] {
    let (a, b) = ([0; 3].map(|_| 0.5 + r.unit()), [0; 3].map(|_| 0.2 * r.signed()));
    [a[0], b[0], b[1], a[1], b[2], a[2]]
}

/// What a rod gives this kernel.
fn tame(kernel: &Kernel, r: &mut Random) -> Vec<f32> {
    let size = r.decades(-5.0, 0.0);
    let compliance = |r: &mut Random| if r.bits().is_multiple_of(2) { 0.0 } else { r.decades(-2.0, 8.0) };
    let mut v = Vec::new();
    match kernel.name {
        "edge_frame" => v.extend(edge(r, size)),
        "fixed_frame" => v.extend((0..9).map(|_| r.signed())),
        "edge_constraints" => {
            v.extend(edge(r, size));
            v.extend(weights(r));
            v.extend([size * (0.9 + 0.2 * r.unit()), size * 0.5, 1.0, compliance(r), 1.0, r.signed() * 1e-6]);
        }
        "bend_twist" => {
            v.extend(frame(r, size));
            v.extend(frame(r, size));
            // Neighbours share a vertex, and their masses are of one order: else the block is not positive definite.
            let (a, b) = (weights(r), weights(r));
            let scale = a[2] / b[2];
            let (mut a, mut b) = (a, [a[1], b[1] * scale, b[2] * scale]);
            if r.bits().is_multiple_of(8) {
                // The first edge is clamped.
                (a, b) = ([0.0; 3], [0.0, b[2], b[2]]);
            }
            v.extend(a);
            v.extend(b);
            v.extend([(); 3].map(|_| r.signed()));
            v.extend([1.0; 3]);
            v.extend([compliance(r); 3]);
            v.push(1.0);
            v.extend([(); 3].map(|_| r.signed() * 1e-6));
        }
        "bounded_frame" => {
            v.extend(edge(r, size));
            v.extend([size * (0.5 + r.unit()), size * (0.5 + r.unit())]);
        }
        "gravity_share" => {
            v.extend([r.signed(), r.signed(), r.decades(-3.0, 3.0)]);
            v.extend(weights(r));
        }
        "quaternion_nlerp" => {
            v.extend(quaternion(r));
            v.extend(quaternion(r));
            v.push(r.unit());
        }
        "quaternion_frame" => v.extend(quaternion(r)),
        // Of a strand's mass points about their centre: well away from a line, whose spin about itself is undetermined.
        "symmetric_add_inertia" | "symmetric_solve" => {
            let (a, b) = ([0; 3].map(|_| 0.5 + r.unit()), [0; 3].map(|_| 0.2 * r.signed()));
            v.extend([a[0], b[0], b[1], a[1], b[2], a[2]]);
            v.extend((3..(kernel.inputs)().len() - 3).map(|_| r.signed()));
        }
        "plane" => v.extend([0; 3].map(|_| r.signed())),
        "capsule" => v.extend([r.signed(), r.signed(), r.signed(), 0.5 * r.unit(), 0.5 * r.unit()]),
        "tapered_capsule" => v.extend([r.signed(), r.signed(), r.signed(), 0.5 * r.unit(), 0.3 * r.unit(), 0.3 * r.unit()]),
        "cuboid" => v.extend([r.signed(), r.signed(), r.signed(), r.unit(), r.unit(), r.unit()]),
        // Well within a region of the triangle.
        "on_triangle" => {
            let (c, [u, w]) =
                (triangle(r, size), r.pick(&[[0.3, 0.3], [-1.5, 0.5], [0.5, -1.5], [1.5, 1.5], [3.0, -1.0], [-1.0, -1.0]]));
            let above = size * r.signed();
            v.extend(&c);
            v.extend((0..3).map(|k| c[k] + u * (c[3 + k] - c[k]) + w * (c[6 + k] - c[k]) + if k == 2 { above } else { 0.0 }));
        }
        "corner_shares" => {
            let (c, u) = (triangle(r, size), r.unit());
            let w = r.unit() * (1.0 - u);
            v.extend(&c);
            v.extend((0..3).map(|k| c[k] + u * (c[3 + k] - c[k]) + w * (c[6 + k] - c[k])));
        }
        "contact" => {
            v.extend([0; 3].map(|_| 1e-2 * r.signed()));
            v.extend(normal(r));
            v.push(1e-3 * r.signed());
            v.extend(displacement(r));
            v.extend([r.unit(), 1.0]);
        }
        "body_gives" => {
            v.extend([0; 3].map(|_| r.signed()));
            v.extend(normal(r));
            v.push(r.unit());
            v.extend(inverse_inertia(r));
        }
        "shared_contact" => {
            v.extend([0; 3].map(|_| 1e-2 * r.signed()));
            v.extend(normal(r));
            v.push(1e-3 * r.signed());
            v.extend(displacement(r));
            v.extend([r.unit(), 0.5 + r.unit(), r.decades(-2.0, 2.0), 1e-3 * r.unit()]);
        }
        "give_way" => {
            v.extend(normal(r));
            v.extend(displacement(r));
            v.extend([1e-3 * r.signed(), r.decades(0.0, 4.0), r.decades(0.0, 3.0)]);
            v.extend(displacement(r));
            v.push(r.decades(-3.0, 1.0));
        }
        "settle_shared" => {
            let (inertia, stiff) = (r.decades(-2.0, 0.0), r.decades(0.0, 4.0));
            v.extend(normal(r));
            v.extend(displacement(r));
            v.extend([r.pick(&[-3e-3, 3e-3]), stiff, r.decades(0.0, 3.0)]);
            v.push(inertia * r.pick(&[100.0, 1000.0]));
            v.extend(displacement(r));
            v.extend([inertia, r.unit()]);
        }
        "body_moves" => {
            v.extend([0; 6].map(|_| r.signed()));
            v.push(r.unit());
            v.extend(inverse_inertia(r));
        }
        "moved_shape" => {
            v.extend([0; 3].map(|_| r.signed()));
            v.extend(axes(r));
            v.extend([0; 9].map(|_| 0.1 * r.signed()));
            v.extend([0; 6].map(|_| r.signed()));
            v.extend([0; 12].map(|_| 0.1 * r.signed()));
        }
        // What presses, and either rests or is pulled along far beyond friction: at the edge between them a difference cancels.
        "guess_contact" => {
            let mut near = near(r);
            let (press, pull) = (1.0 + r.unit(), r.pick(&[0.0, 4.0]));
            let along = [near[1], -near[0], 0.0];
            v.extend((0..3).map(|k| pull * along[k] - press * near[k]));
            v.extend([0.0; 3]);
            v.push(r.decades(-2.0, 0.0));
            near[9] = near[9].abs();
            near[11] *= 0.5;
            v.extend(near);
        }
        "held_contact" => {
            v.extend([r.unit() - 0.2, r.unit(), r.decades(0.0, 4.0)]);
            v.extend(near(r));
            v.push(1e-4);
        }
        "held_force" => {
            v.extend(normal(r));
            v.extend(displacement(r));
            v.extend([r.pick(&[-3e-3, 3e-3]), r.decades(0.0, 4.0), r.decades(0.0, 3.0)]);
            v.extend(displacement(r));
        }
        "stop_contact" => {
            v.extend(displacement(r));
            v.push(r.decades(-2.0, 0.0));
            v.extend(normal(r));
            v.extend(displacement(r));
            v.extend([1e-3 * r.unit(), r.unit()]);
        }
        "settle_contact" => {
            v.extend(normal(r));
            v.extend(displacement(r));
            v.extend([r.pick(&[-3e-3, 3e-3]), r.decades(0.0, 4.0), r.decades(0.0, 3.0)]);
            v.extend(displacement(r));
            v.extend([r.decades(-2.0, 0.0), r.unit()]);
        }
        "revise_contact" => {
            v.extend([r.unit(), r.decades(0.0, 3.0), r.decades(0.0, 1.0)]);
            v.push(r.signed());
            v.extend([0; 3].map(|_| r.signed()));
            v.extend(displacement(r));
            v.extend([0.0, r.unit()]);
        }
        "frame_moved" => {
            v.extend(axes(r));
            v.extend(&axes(r)[6..]);
            v.push(r.signed());
        }
        "frame_turn_to" | "relative" => {
            v.extend(axes(r));
            v.extend(axes(r));
        }
        "stretch" => v.extend([size * (0.9 + 0.2 * r.unit()), size, r.decades(-3.0, 6.0)]),
        "stretch_block" => {
            v.extend(&axes(r)[6..]);
            v.push(1.0 / size);
            v.extend(stretched(r));
            v.push(r.pick(&[0.0, 1.0]));
        }
        "curvature" | "principal_twist" | "darboux" => v.extend(relative(r)),
        "curvature_element" => {
            v.extend(relative(r));
            v.extend([0; 5].map(|_| r.signed()));
            v.extend(element_rest(r));
        }
        "darboux_element" => {
            v.extend(relative(r));
            v.extend([0; 3].map(|_| r.signed()));
            v.extend(element_rest(r));
        }
        "true_hessian" | "safe_hessian" => {
            v.extend(relative(r));
            v.extend([0; 16].map(|_| r.signed()));
        }
        "leaning_pivot" => {
            v.extend(form(r, 2.0));
            for _ in 0..2 {
                v.push(r.unit());
                v.extend(stretched(r));
            }
        }
        "world_hessian" => {
            v.extend(form(r, 0.0));
            for _ in 0..2 {
                v.extend(axes(r));
                v.push(0.5 + r.unit());
            }
        }
        "element_force" => {
            v.extend(relative(r));
            v.extend([0; 3].map(|_| r.signed()));
            for _ in 0..2 {
                v.extend(axes(r));
                v.push(0.5 + r.unit());
            }
        }
        // Of a scale that a step changes by up to a third.
        "possible_growth" => v.extend([0.5 * r.signed(), 0.1 * r.signed(), 0.8 * r.signed()]),
        // With volume up to ten times as stiff as inertia is heavy, along and across: far above that what is left of both is a difference.
        "swept_edge" => {
            let (weight, along, across) = (r.decades(1.0, 4.0), r.decades(-2.0, 1.0), r.decades(-2.0, 1.0));
            let bulk = along * size * size / weight;
            let shear = bulk * r.decades(-2.0, 0.0);
            v.extend([shear, 2.0 * shear, bulk, size, weight, across / bulk, 1e-2 * bulk * r.signed()]);
            v.extend([bulk * r.decades(-3.0, 0.0), across / bulk, 0.3 * r.signed(), 0.3 * r.signed(), 0.3 * r.signed()]);
            v.extend([(); 4].map(|_| 1e-2 * bulk * r.signed()));
        }
        // A section whose inertia is far less than what holds it.
        "scale_alone" => {
            let shear = r.decades(-6.0, 0.0);
            v.extend([2.0 * shear, shear * r.decades(0.0, 2.0), shear * r.decades(-4.0, 0.0)]);
            v.extend([shear * r.unit(), shear * r.unit(), 0.3 * r.signed(), 0.3 * r.signed(), 0.3 * r.signed()]);
            v.extend([shear * r.signed(), 0.3 * r.signed(), 0.3 * r.signed()]);
        }
        "ghost_constraints" => {
            v.extend(edge(r, size));
            v.extend(weights(r));
            v.extend([size * (0.9 + 0.2 * r.unit()), size * 0.5, 1.0, compliance(r), 1.0, 1e-3 * r.signed(), r.signed() * 1e-6]);
        }
        "scaled_element" => {
            v.extend([(); 3].map(|_| r.signed()));
            v.extend([1.0; 3]);
            v.extend([compliance(r); 3]);
            v.extend([1.0, 0.5 + r.unit()]);
        }
        // What clearly approaches, or clearly goes away.
        "begin_grip" => {
            let (n, pressed, way) = (normal(r), 1e-3 * (0.1 + r.unit()), r.pick(&[-2e-3, -5e-5, 1e-3]));
            v.extend((0..3).map(|k| pressed * n[k]));
            v.extend([0; 3].map(|_| 1e-3 * r.signed()));
            v.extend((0..3).map(|k| way * n[k] + 1e-5 * r.signed()));
        }
        // What slips, and what is far from it.
        "gripped" => {
            let n = normal(r);
            let pressed = r.pick(&[0.0, 2e-3]) + 1e-3 * r.unit();
            v.extend((0..3).map(|k| pressed * n[k]));
            v.extend([0; 6].map(|_| 1e-3 * r.signed()));
            v.extend(n);
            v.extend([1e-3 * r.signed(), r.unit()]);
        }
        "volume_strain" => v.extend([0.5 * r.signed(), 0.5 * r.signed()]),
        "edge_volume" => {
            v.extend([r.decades(-2.0, 6.0), size, 0.7 + 0.3 * r.unit(), 0.7 + 0.3 * r.unit(), r.decades(-1.0, 3.0)]);
            v.extend(strained(r));
            v.extend(if r.bits().is_multiple_of(2) { [0.0; 3] } else { strained(r) });
        }
        // The true form beside the safe one, from clearly definite to clearly not.
        "volume_hessian" => {
            v.extend([r.signed(), r.signed(), r.signed()]);
            let (a, b) = (1.0 + r.unit(), 1.0 + r.unit());
            v.extend([a, r.pick(&[0.1, 3.0]) * r.signed().signum(), b, 0.2 * r.signed(), 1.0 + r.unit(), r.pick(&[0.0, 1.0])]);
        }
        "rescaled" => {
            v.extend(element_rest(r));
            v.push(0.5 + r.unit());
        }
        "darboux_scaling" => {
            v.extend(relative(r));
            v.extend([0; 3].map(|_| r.signed()));
            v.extend(element_rest(r));
            v.push(0.5 + r.unit());
        }
        "curvature_scaling" => {
            v.extend(relative(r));
            v.extend([0; 5].map(|_| r.signed()));
            v.extend(element_rest(r));
            v.push(0.5 + r.unit());
        }
        "edge_rotation" => v.extend(edge(r, size)),
        "hair_turn" => {
            v.extend(quaternion(r));
            v.extend(quaternion(r));
        }
        "hair_sample" => {
            v.extend([(); 12].map(|_| r.signed()));
            v.extend([(); 4].map(|_| r.unit()));
            v.extend(quaternion(r));
            v.extend(quaternion(r));
            v.push(r.unit());
        }
        "hair_center" => {
            v.extend([(); 9].map(|_| r.signed()));
            v.extend([(); 3].map(|_| r.unit()));
        }
        "hair_blend" => {
            for _ in 0..3 {
                v.extend([(); 3].map(|_| r.signed()));
                v.extend(quaternion(r));
            }
            v.extend([(); 3].map(|_| r.unit()));
        }
        "hair_root_shift" | "hair_placed" => {
            v.extend([(); 3].map(|_| r.signed()));
            v.extend(quaternion(r));
            v.extend((7..(kernel.inputs)().len()).map(|_| r.signed()));
        }
        "hair_rooted" => {
            v.extend([(); 3].map(|_| r.signed()));
            v.extend(quaternion(r));
            v.extend(quaternion(r));
            v.extend([(); 3].map(|_| r.signed()));
            v.push(r.unit());
        }
        // Nearer and farther than it may be.
        "hair_held" => {
            v.extend([(); 6].map(|_| size * r.signed()));
            v.push(size * (0.2 + 2.0 * r.unit()));
        }
        "hair_tangent" => v.extend([(); 6].map(|_| size * r.signed())),
        "skin_scales" => {
            v.extend([(); 3].map(|_| 0.5 * r.signed()));
            v.extend([(); 2].map(|_| 0.5 + r.unit()));
        }
        // Of one end clearly thicker than the other: else their difference cancels, over a length that may be small.
        "skin_bone" => {
            v.extend([(); 3].map(|_| r.signed()));
            v.extend(&edge(r, size)[..3]);
            v.extend([0.4 + 0.4 * r.unit(), 1.2 + r.unit()]);
            v.extend(quaternion(r));
            v.extend(quaternion(r));
            v.extend(normal(r));
            v.push(size);
        }
        "skin_signed" => {
            v.extend(quaternion(r));
            v.extend(quaternion(r));
            v.push(r.unit());
        }
        "skin_hold" | "skin_pull" => v.extend((0..(kernel.inputs)().len()).map(|_| r.signed())),
        "skin_position" | "skin_normal" | "skin_tangent" => {
            v.extend([(); 4].map(|_| r.signed()));
            v.extend(quaternion(r));
            v.extend([(); 9].map(|_| 0.2 * r.signed()));
            v.extend((17..(kernel.inputs)().len()).map(|_| 0.5 * r.signed()));
        }
        other => panic!("no inputs for {other}: add them"),
    }
    v
}

/// ε, σ and δ of an edge.
fn strained(r: &mut Random) -> [f32; 3] {
    let (stretch, swell) = (0.5 * r.signed(), 0.5 * r.signed());
    [stretch, swell, stretch + swell * (2.0 + swell) * (1.0 + stretch)]
}

/// Numbers that no rod should give, but a host might.
const LARGE_AND_SMALL: &[f32] = &[0.0, -0.0, 1e-9, 1e-6, 1e-3, 0.5, 1.0, 2.0, 1e3, 1e5];
const ABSURD: &[f32] = &[0.0, -0.0, 1e-38, 1e-30, 1e-18, 1e-9, 1e-3, 1.0, 1.0, 1e6, 1e12, 1e18, 1e30];

fn extreme(kernel: &Kernel, sizes: &[f32], r: &mut Random) -> Vec<f32> {
    let mut draw = |count: usize| -> Vec<f32> {
        (0..count).map(|_| r.pick(sizes) * r.pick(&[1.0, 1.0, -1.0]) * (1.0 + 0.1 * r.signed())).collect()
    };
    let mut v = draw((kernel.inputs)().len());
    if kernel.name == "bend_twist" {
        // Frames of degenerate edges, but frames.
        for k in 0..2 {
            let e = draw(6);
            v.splice(12 * k..12 * (k + 1), flat_frame(edge_frame(vec3(e[0], e[1], e[2]), vec3(e[3], e[4], e[5]))));
        }
        // Masses and compliances are not negative, and the edges share a vertex.
        (24..30).chain(36..39).for_each(|k| v[k] = v[k].abs());
        v[27] = v[25];
    }
    v
}

const SAMPLES: usize = 4096;

/// Largest error on rod-like inputs, in ulp of the largest number of the output. Measured on llvmpipe: at most 35.
const TAME_ULP: f64 = 64.0;

/// Drivers also reassociate sums, which the interval does not follow: it is widened this many times. (Mesa 22.3: without it
/// one number of 4 million lies outside, by one ulp.)
const REASSOCIATED: f64 = 2.0;

struct Outcome {
    /// Of each input: largest |gpu − f64| over largest |f64|, in ulp; sorted.
    ulp: Vec<f64>,
    outside: Vec<String>,
    infinite_bounds: usize,
    numbers: usize,
    /// Results that are not finite although scalar f32 gives finite ones far from overflow.
    lost: Vec<String>,
    bit_equal: usize,
}

fn run(gpu: &GpuDevice, kernel: &Kernel, inputs: &[Vec<f32>]) -> Outcome {
    let paths = (kernel.outputs)();
    let n = paths.len();
    let shader = shaders::map_shader(kernel);
    let flat: Vec<f32> = inputs.iter().flatten().copied().collect();
    let got = gpu.map(&shader, &format!("map_{}", kernel.name), &flat, inputs.len() * n, inputs.len() as u32).unwrap();
    let mut o = Outcome { ulp: vec![], outside: vec![], infinite_bounds: 0, numbers: 0, lost: vec![], bit_equal: 0 };
    for (input, got) in inputs.iter().zip(got.chunks_exact(n)) {
        let exact: Vec<Bound> = input.iter().map(|&x| Bound::exact(x)).collect();
        let bound = (kernel.bound)(&exact);
        let scalar = (kernel.f32)(input);
        // Multipliers have another unit, and no meaning where nothing can move (0/1e-30); a contact's grip divides by a slip
        // that may cancel: the interval alone judges them.
        let other_unit = match kernel.name {
            "swept_edge" => &["lambda", "along"][..],
            "gripped" => &[],
            _ => &["lambda", "touched", "grip"],
        };
        let positions = || (0..n).filter(|&k| !other_unit.iter().any(|name| paths[k].contains(name)));
        // Where terms cancel, the size of the result says nothing. Turns, relative pivots and scales are numbers about 1; what a stopped
        // vertex moves along the normal is the difference of displacements; a vertex of a skin may lie anywhere about the origin.
        let least = match kernel.name {
            "frame_turn_to" | "principal_twist" | "leaning_pivot" | "scale_alone" => 1.0,
            "stop_contact" | "skin_position" => input[..3].iter().fold(0.0, |m: f32, x| m.max(x.abs())) as f64,
            _ => f32::MIN_POSITIVE as f64,
        };
        let largest = positions().map(|k| bound[k].value.abs()).fold(least, f64::max);
        let worst = positions().map(|k| (got[k] as f64 - bound[k].value).abs()).fold(0.0, f64::max);
        o.ulp.push(worst / (largest * f32::EPSILON as f64));
        // Close to overflow the order of two operations may decide.
        let calm = scalar.iter().all(|x| x.abs() < 1e30);
        for k in 0..n {
            o.numbers += 1;
            o.bit_equal += (got[k].to_bits() == scalar[k].to_bits()) as usize;
            o.infinite_bounds += bound[k].is_infinite() as usize;
            if !bound[k].allows(got[k], REASSOCIATED) && (calm || got[k].is_finite()) {
                o.outside.push(format!(
                    "{} {}: {} not in {:?}, f32 {} for {input:?}",
                    kernel.name, paths[k], got[k], bound[k], scalar[k]
                ));
            }
            if calm && !got[k].is_finite() {
                o.lost.push(format!("{} {}: {} where f32 gives {} for {input:?}", kernel.name, paths[k], got[k], scalar[k]));
            }
        }
    }
    o.ulp.sort_by(f64::total_cmp);
    o
}

#[test]
fn kernels_are_within_the_interval_bound_on_rod_like_inputs() {
    let Some(gpu) = device() else { return };
    for kernel in shaders::kernels() {
        let mut r = Random(11);
        let inputs: Vec<_> = (0..SAMPLES).map(|_| tame(&kernel, &mut r)).collect();
        let o = run(gpu, &kernel, &inputs);
        eprintln!(
            "{:18} median {:6.2}, 99 % {:8.1}, largest {:8.1} ulp; {:4.1} % of bounds infinite, {:5.1} % bit-equal to scalar f32",
            kernel.name,
            o.ulp[SAMPLES / 2],
            o.ulp[SAMPLES * 99 / 100],
            o.ulp[SAMPLES - 1],
            100.0 * o.infinite_bounds as f64 / o.numbers as f64,
            100.0 * o.bit_equal as f64 / o.numbers as f64
        );
        assert!(o.outside.is_empty(), "{} outside, first: {}", o.outside.len(), o.outside[0]);
        assert!(o.ulp[SAMPLES - 1] <= TAME_ULP, "{}: {} ulp", kernel.name, o.ulp[SAMPLES - 1]);
    }
}

/// Far from rods the interval is often infinite (a divisor that may be zero), and then only NaNs are looked for: where scalar
/// f32 stays calm, the GPU must too. Next to overflow and to denormals, which GPUs may flush, only the interval judges.
#[test]
fn kernels_are_within_the_interval_bound_on_extreme_inputs() {
    let Some(gpu) = device() else { return };
    for kernel in shaders::kernels() {
        let mut r = Random(13);
        for (sizes, nan_allowed) in [(LARGE_AND_SMALL, false), (ABSURD, true)] {
            let inputs: Vec<_> = (0..SAMPLES).map(|_| extreme(&kernel, sizes, &mut r)).collect();
            let o = run(gpu, &kernel, &inputs);
            eprintln!("{:18} {:5.1} % of bounds infinite", kernel.name, 100.0 * o.infinite_bounds as f64 / o.numbers as f64);
            assert!(o.outside.is_empty(), "{} outside, first: {}", o.outside.len(), o.outside[0]);
            assert!(nan_allowed || o.lost.is_empty(), "{} lost, first: {}", o.lost.len(), o.lost[0]);
        }
    }
}

/// Needs no adapter: the interval holds scalar f32, whose operations are all correctly rounded, without any slack.
#[test]
fn scalar_f32_is_within_the_interval() {
    for kernel in shaders::kernels() {
        let mut r = Random(17);
        for i in 0..SAMPLES {
            let sizes = if i % 4 == 0 { ABSURD } else { LARGE_AND_SMALL };
            let input = if i % 2 == 0 { tame(&kernel, &mut r) } else { extreme(&kernel, sizes, &mut r) };
            let bound = (kernel.bound)(&input.iter().map(|&x| Bound::exact(x)).collect::<Vec<_>>());
            for (b, got) in bound.iter().zip((kernel.f32)(&input)) {
                assert!(b.is_infinite() || b.low <= got as f64 && got as f64 <= b.high, "{}: {got} not in {b:?}", kernel.name);
            }
        }
    }
}

/// Needs no adapter: what wgpu would compile is valid WGSL.
#[test]
fn shaders_are_valid() {
    use withy::gpu::naga::{front::wgsl, valid};
    let modules = shaders::Solver::ALL.into_iter().map(shaders::module).chain([
        shaders::touch_module(),
        shaders::follow::hair_module(),
        shaders::follow::skin_module(),
    ]);
    for source in shaders::kernels().iter().map(shaders::map_shader).chain(modules) {
        let module = wgsl::parse_str(&source).unwrap_or_else(|e| panic!("{}", e.emit_to_string(&source)));
        let mut validator = valid::Validator::new(valid::ValidationFlags::all(), valid::Capabilities::empty());
        validator.validate(&module).unwrap_or_else(|e| panic!("{}", e.emit_to_string(&source)));
    }
}

/// Rods that keep their radius pay nothing for those that do not: nothing of a scale is in their programs.
#[test]
fn rods_that_keep_their_radius_have_no_scales_in_their_programs() {
    for solver in shaders::Solver::ALL {
        let text = shaders::module(solver);
        for of_scales in ["settings.scale_base +", "settings.wide_base +", "settings.bulk_base +", "fn swell("] {
            let has = solver.keeps_volume() && (of_scales != "settings.wide_base +" || solver.is_newton());
            assert_eq!(text.contains(of_scales), has, "{solver:?} {of_scales}");
        }
    }
}
