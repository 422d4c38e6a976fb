//! Calls about ragdolls.

use super::*;

impl Driver<'_> {
    /// A chain of five bones, a body on each, and a region over most of it; then what is called for ragdolls.
    pub(super) fn ragdolls(&mut self, world: WithyWorld, before: &[u64]) {
        const BONES: usize = 5;
        let set = Self::pick(&mut self.bytes, &self.ragdolls);
        let which = [self.bytes.below(4) as u32, self.bytes.below(3) as u32];
        let list = if self.bytes.u8() < 128 { std::ptr::null() } else { which.as_ptr() };
        let count = match (list.is_null(), self.bytes.u8()) {
            (true, 0..240) | (false, 0..8) => WITHY_ALL,
            _ => self.bytes.below(3) as u64,
        };
        let chosen = count.min(2) as usize;
        let mut rotations = [0.0, 0.0, 0.0, 1.0].repeat(2 * BONES);
        rotations[4 * self.bytes.below(2 * BONES)] = if self.bytes.u8() < 16 { self.bytes.number() } else { 0.1 };
        let span = |data: &mut [f64], words: usize, count: usize| WithySpan {
            data: data.as_mut_ptr().cast(),
            count: (count.min(data.len() / words)) as u64,
            stride: 0,
            format: WITHY_FORMAT_F64,
            reserved: 0,
        };
        let mut places: Vec<f64> =
            (0..6 * BONES).map(|i| if i % 3 == 1 { 0.1 * (i / 3 % BONES) as f64 } else { 0.01 * i as f64 }).collect();
        if self.bytes.u8() < 64 {
            places[self.bytes.below(6 * BONES)] = self.bytes.number();
        }
        let n = chosen * BONES;
        let (p, r) = (span(&mut places, 3, n), span(&mut rotations, 4, n));
        let null = std::ptr::null::<WithySpan>();
        match self.bytes.below(12) {
            0..=2 if self.ragdolls.len() < 12 => {
                let mut shape = new(withy_shape_def_init_sized);
                shape.radius = 0.03;
                let mut body = new(withy_body_def_init_sized);
                (body.shapes, body.shape_count) = (&shape, 1);
                let mut joint = new(withy_joint_def_init_sized);
                if self.bytes.u8() < 64 {
                    joint = self.joint_def();
                }
                let mut bodies = [0; BONES].map(|_| new(withy_ragdoll_body_def_init_sized));
                for (i, b) in bodies.iter_mut().enumerate() {
                    (b.bone, b.body) = (i as u32, &body);
                    if i > 0 {
                        b.joint = &joint;
                    }
                }
                let mut region = new(withy_region_def_init_sized);
                (region.first, region.last) = (0, 1 + self.bytes.below(4) as u32);
                let mut parents = [u32::MAX, 0, 1, 2, 3];
                match self.bytes.u8() {
                    0..8 => parents[self.bytes.below(BONES)] = self.bytes.choice(7),
                    8..16 => bodies[self.bytes.below(BONES)].bone = self.bytes.choice(7),
                    16..24 => (region.first, region.last) = (self.bytes.choice(7), self.bytes.choice(7)),
                    24..32 => region.arc.length = self.bytes.number(),
                    32..40 => region.axis = self.vector(),
                    40..48 => (region.rest, region.read_back) = (self.bytes.choice(4), self.bytes.choice(5)),
                    48..56 => bodies[self.bytes.below(BONES)].struct_size = self.size_of::<WithyRagdollBodyDef>(),
                    56..64 => region.anchor_a = self.vector(),
                    64..128 => region.read_back = self.bytes.choice(3),
                    128..136 => region.swing = [self.bytes.positive(), self.bytes.positive()],
                    136..144 => region.twist = [self.bytes.number(), self.bytes.number()],
                    _ => {}
                }
                let mut def = new(withy_ragdoll_def_init_sized);
                let data = parents.as_mut_ptr().cast();
                def.parents = WithySpan { data, count: BONES as u64, stride: 0, format: WITHY_FORMAT_U32, reserved: 0 };
                def.positions = span(&mut places, 3, BONES);
                def.rotations = span(&mut rotations, 4, BONES);
                (def.bodies, def.body_count) = (bodies.as_ptr(), BONES as u32);
                (def.regions, def.region_count) = (&region, 1);
                def.flags = self.bytes.choice(5);
                let mut out = WithyRagdolls::default();
                let room = if self.bytes.u8() < 250 { 2 } else { self.bytes.u32() };
                // SAFETY: the defs and what they point to are locals.
                let result = unsafe { withy_ragdolls_create(world, &def, room, &mut out) };
                self.check("ragdolls_create", result, before);
                if result == WITHY_OK {
                    self.ragdolls.push(out);
                }
            }
            3..=5 => {
                let flags = self.bytes.choice(5);
                let dt = if self.bytes.u8() < 240 { 0.1 } else { self.bytes.number() };
                let moving = self.bytes.u8() < 128;
                let (x, q) = if moving { (&raw const p, &raw const r) } else { (null, null) };
                // SAFETY: `p` and `r` have memory for their counts, `x` and `q` are these or NULL; `count` is 2 at most, or `list` is NULL.
                let result = unsafe { withy_ragdolls_instantiate(set, list, count, &p, &r, x, q, dt, flags) };
                self.check("ragdolls_instantiate", result, before);
            }
            6 => {
                // SAFETY: as in instantiate.
                let result = unsafe { withy_ragdolls_instantiate_moving(set, list, count, &p, &r, &p, null, 0) };
                self.check("ragdolls_instantiate_moving", result, before);
            }
            7 => {
                let stiffness = if self.bytes.u8() < 64 { f64::INFINITY } else { self.bytes.positive() };
                let max_torque = if self.bytes.u8() < 64 { f64::INFINITY } else { self.bytes.positive() };
                let mut drive = std::mem::MaybeUninit::<WithyRagdollDrive>::uninit();
                // SAFETY: room for the whole struct, which the call fills.
                let mut drive = unsafe {
                    assert_eq!(withy_ragdoll_drive_init(drive.as_mut_ptr()), WITHY_OK);
                    drive.assume_init()
                };
                (drive.stiffness, drive.damping, drive.max_torque) = (stiffness, self.bytes.positive(), max_torque);
                // SAFETY: as in instantiate; the drive is a local.
                let result = unsafe { withy_ragdolls_set_targets(set, list, count, &p, &r, &p, &r, 0.1, &drive) };
                self.check("ragdolls_set_targets", result, before);
            }
            8 => {
                let (a, b) = (span(&mut places, 3, chosen), span(&mut rotations, 4, chosen));
                // SAFETY: `a` and `b` have memory for their counts; `list` as in instantiate.
                let result = unsafe { withy_ragdolls_teleport(set, list, count, &a, &b) };
                self.check("ragdolls_teleport", result, before);
            }
            9 => {
                let (weight, seconds, body) = (self.bytes.positive(), self.bytes.positive(), self.bytes.choice(7));
                let kinematic = self.bytes.choice(2);
                // SAFETY: `list` as in instantiate; no other pointers.
                let results = unsafe {
                    [
                        withy_ragdolls_fade(set, list, count, weight, seconds),
                        withy_ragdolls_advance(set, seconds),
                        withy_ragdolls_clear_targets(set, list, count),
                        withy_ragdolls_set_kinematic(set, list, count, body, kinematic),
                    ]
                };
                results.into_iter().for_each(|r| self.check("ragdolls_fade", r, before));
            }
            10 => {
                if self.bytes.u8() < 64 {
                    self.destroyed("ragdolls_destroy", withy_ragdolls_destroy(set), set.bits, before);
                } else {
                    // SAFETY: `list` as in instantiate; no other pointers.
                    let result = unsafe { withy_ragdolls_remove(set, list, count) };
                    self.check("ragdolls_remove", result, before);
                }
            }
            _ => {
                let (mut a, mut b) = (vec![0.0; 64], vec![0.0; 64]);
                let (mut a, mut b) = (span(&mut a, 3, 20), span(&mut b, 4, 16));
                let (mut weight, mut body, mut joint, mut n) = (0.0, WithyBody::default(), WithyJoint::default(), 0);
                let (mut alive, mut many) = ([0u32; 2], self.bytes.below(3) as u64);
                let (instance, index) = (which[0], self.bytes.choice(6));
                let animated = if self.bytes.u8() < 128 { &raw const p } else { null };
                let turned = if animated.is_null() { null } else { &raw const r };
                // SAFETY: the spans have memory for their counts, the other results are locals, or NULL; `list` as in instantiate.
                let results = unsafe {
                    [
                        withy_ragdolls_read(set, list, count, animated, turned, null, &mut a, &mut b),
                        withy_ragdolls_get_weight(set, instance, &mut weight),
                        withy_ragdolls_list(set, alive.as_mut_ptr(), &mut many),
                        withy_ragdolls_get_body(set, instance, index, &mut body),
                        withy_ragdolls_get_joint(set, instance, index, &mut joint),
                        withy_ragdolls_get_counts(set, &mut n, std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut()),
                    ]
                };
                results.into_iter().for_each(|r| self.check("ragdolls_read", r, before));
                // Those of a ragdoll are bodies like others, which may be pushed, but not destroyed; their joints may be broken.
                if body.bits != 0 && self.bodies.len() < 40 {
                    self.bodies.push(body);
                }
                if joint.bits != 0 && self.joints.len() < 40 {
                    self.joints.push(joint);
                }
            }
        }
    }
}
