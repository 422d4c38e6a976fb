//! Calls about rigid bodies and joints.

use super::*;

impl Driver<'_> {
    fn create_body(&mut self, world: WithyWorld, before: &[u64]) {
        let mut shapes = [new(withy_shape_def_init_sized), new(withy_shape_def_init_sized)];
        let mut def = new(withy_body_def_init_sized);
        def.shape_count = self.bytes.choice(3).min(2);
        def.motion = self.bytes.choice(3);
        for s in &mut shapes[..def.shape_count as usize] {
            // Mostly what can move; hulls and meshes take the driver's numbers.
            s.shape = if self.bytes.u8() < 200 { self.bytes.choice(6) } else { self.bytes.choice(7) };
            (s.radius, s.radius_top, s.half_height) = (self.bytes.positive(), self.bytes.positive(), self.bytes.positive());
            s.half_extents = WithyVec3 { x: self.bytes.positive(), y: self.bytes.positive(), z: self.bytes.positive() };
            if s.shape >= WITHY_SHAPE_HULL {
                s.positions = self.span(3, 8);
            }
            if s.shape == WITHY_SHAPE_MESH {
                self.indices[..6].copy_from_slice(&[0, 1, 2, 1, 2, 3]);
                self.indices[5] = self.bytes.choice(4);
                let data = self.indices.as_mut_ptr().cast();
                s.triangles = WithySpan { data, count: 2, stride: 0, format: WITHY_FORMAT_U32, reserved: 0 };
            }
            match self.bytes.u8() {
                0 => s.density = self.bytes.number(),
                1 => s.friction = self.bytes.number(),
                2 => s.restitution = self.bytes.number(),
                3 => s.struct_size = self.bytes.below(240) as u32,
                4 => s.flags = self.bytes.u32(),
                5 => s.mask = self.bytes.u32(),
                6..64 => s.pose = self.pose(),
                64..96 => (s.stiffness, s.damping) = (self.bytes.positive(), self.bytes.positive()),
                _ => {}
            }
        }
        def.shapes = shapes.as_ptr();
        def.pose = self.pose();
        match self.bytes.u8() {
            0 => def.mass = self.bytes.number(),
            1 => def.gravity_scale = self.bytes.number(),
            2 => (def.linear_damping, def.angular_damping) = (self.bytes.number(), self.bytes.number()),
            3 => def.max_speed = self.bytes.number(),
            4 => def.flags = self.bytes.u32(),
            5 => def.struct_size = self.bytes.u8() as u32,
            6 => def.shapes = std::ptr::null(),
            7..32 => (def.velocity, def.spin) = (self.vector(), self.vector()),
            32..48 => {
                (def.flags, def.mass, def.center_of_mass) = (WITHY_BODY_INERTIA, self.bytes.positive(), self.vector());
                def.inertia = [0; 6].map(|_| self.bytes.positive());
                if self.bytes.u8() < 128 {
                    def.inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
                }
            }
            48..56 => {
                (def.can_sleep, def.continuous, def.group) = (self.bytes.choice(2), self.bytes.choice(2), self.bytes.choice(3))
            }
            _ => {}
        }
        let mut out = WithyBody::default();
        // SAFETY: the def and its shapes are locals, and spans lie in the driver's memory or are to be refused.
        let result = unsafe { withy_body_create(world, &def, &mut out) };
        self.check("body_create", result, before);
        if result == WITHY_OK {
            self.bodies.push(out);
        }
    }

    fn motor(&mut self) -> WithyMotor {
        let mut motor = std::mem::MaybeUninit::<WithyMotor>::uninit();
        // SAFETY: room for the whole struct, which the call fills.
        let mut motor = unsafe {
            assert_eq!(withy_motor_init(motor.as_mut_ptr()), WITHY_OK);
            motor.assume_init()
        };
        let k = self.bytes.below(3);
        motor.stiffness[k] = if self.bytes.u8() < 32 { f64::INFINITY } else { self.bytes.positive() };
        motor.damping[k] = self.bytes.positive();
        motor.speed[k] = self.bytes.number();
        motor.target.w = if self.bytes.u8() < 240 { 1.0 } else { self.bytes.number() };
        motor.max_torque = if self.bytes.u8() < 128 { f64::INFINITY } else { self.bytes.positive() };
        motor
    }

    pub(super) fn joint_def(&mut self) -> WithyJointDef {
        let mut def = new(withy_joint_def_init_sized);
        def.body_a = Self::pick(&mut self.bytes, &self.bodies);
        def.body_b = Self::pick(&mut self.bytes, &self.bodies);
        def.kind = self.bytes.choice(5);
        (def.frame_a, def.frame_b) = (self.pose(), self.pose());
        def.collide = self.bytes.choice(2);
        def.most = self.bytes.positive();
        match self.bytes.u8() {
            0..16 => def.swing = [self.bytes.positive(), self.bytes.positive()],
            16..32 => def.twist = [self.bytes.number(), self.bytes.number()],
            32..64 => (def.arc.bend, def.arc.twist) = ([self.bytes.positive(), self.bytes.positive()], self.bytes.positive()),
            64..72 => def.arc.rest = [self.bytes.number(), self.bytes.number(), self.bytes.number()],
            72..80 => (def.flags, def.arc.relaxation) = (2, [self.bytes.positive(), self.bytes.positive()]),
            80..88 => (def.arc.length, def.arc.viscosity) = (self.bytes.positive(), self.bytes.positive()),
            88..96 => def.flags = self.bytes.choice(4),
            96 => def.struct_size = self.bytes.u8() as u32,
            97 => def.least = self.bytes.number(),
            98..106 => (def.break_force, def.break_torque) = (self.bytes.positive(), self.bytes.positive()),
            106 => def.break_torque = self.bytes.number(),
            _ => {}
        }
        def
    }

    /// Calls about rigid bodies and joints.
    pub(super) fn rigid(&mut self, world: WithyWorld, before: &[u64]) {
        let body = Self::pick(&mut self.bytes, &self.bodies);
        let joint = Self::pick(&mut self.bytes, &self.joints);
        // Lists with a chance that all of them are of this world.
        let bodies = [body, Self::pick(&mut self.bytes, &self.bodies)];
        let joints = [joint, Self::pick(&mut self.bytes, &self.joints)];
        let count = self.bytes.below(3);
        let list = if self.bytes.u8() < 96 { std::ptr::null() } else { bodies.as_ptr() };
        let many = match (list.is_null(), self.bytes.u8()) {
            (true, 0..240) | (false, 0..8) => WITHY_ALL,
            _ => count as u64,
        };
        match self.bytes.below(36) {
            31..34 => self.ropes(world, before),
            34..36 => self.muscles(world, before),
            24..30 => self.ragdolls(world, before),
            30 => {
                let mut def = new(withy_body_attachment_def_init_sized);
                let rods = Self::pick(&mut self.bytes, &self.rods);
                def.end = WithyStrandEnd { rods, strand: self.bytes.choice(2), end: self.bytes.choice(2) };
                (def.body, def.flags) = (body, self.bytes.choice(2));
                let mut out = WithyAttachment::default();
                // SAFETY: the def and what takes the handle are locals.
                let result = unsafe { withy_attachment_create_body(&def, &mut out) };
                self.check("attachment_create_body", result, before);
                if result == WITHY_OK {
                    self.attachments.push(out);
                }
            }
            0..=4 if self.bodies.len() < 32 => self.create_body(world, before),
            5..=7 if self.joints.len() < 32 => {
                let mut def = self.joint_def();
                let motor = self.motor();
                if self.bytes.u8() < 64 {
                    def.motor = &motor;
                }
                let mut out = WithyJoint::default();
                // SAFETY: the def and what it points to are locals.
                let result = unsafe { withy_joint_create(&def, &mut out) };
                self.check("joint_create", result, before);
                if result == WITHY_OK {
                    self.joints.push(out);
                }
            }
            8 => self.destroyed("body_destroy", withy_body_destroy(body), body.bits, before),
            9 => self.destroyed("joint_destroy", withy_joint_destroy(joint), joint.bits, before),
            10 => {
                let (pose, target) = (self.pose(), self.bytes.u8() < 128);
                // SAFETY: locals.
                let result =
                    unsafe { if target { withy_body_set_target(body, &pose) } else { withy_body_set_pose(body, &pose) } };
                self.check("body_set_pose", result, before);
            }
            11 => {
                let (v, w) = (self.vector(), self.vector());
                // SAFETY: locals.
                let result = unsafe { withy_body_set_velocity(body, &v, &w) };
                self.check("body_set_velocity", result, before);
            }
            12 => {
                let motion = self.bytes.choice(3);
                self.check("body_set_motion", withy_body_set_motion(body, motion), before);
            }
            13 => {
                let (f, t, p) = (self.vector(), self.vector(), self.vector());
                let point = if self.bytes.u8() < 128 { std::ptr::null() } else { &raw const p };
                // SAFETY: locals, or NULL.
                let result = unsafe { withy_body_push(body, &f, &t, point) };
                self.check("body_push", result, before);
            }
            14 => {
                let sleeping = self.bytes.choice(2);
                self.check("body_set_sleeping", withy_body_set_sleeping(body, sleeping), before);
            }
            15 => {
                let (p, v) = (self.span(3, count), self.span(3, count));
                let null = std::ptr::null();
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_world_write_bodies(world, list, many, &p, null, &v, null) };
                self.check("world_write_bodies", result, before);
            }
            16 => {
                let p = self.span(3, count);
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_world_set_body_targets(world, list, many, &p, std::ptr::null()) };
                self.check("world_set_body_targets", result, before);
            }
            17 => {
                let (f, t) = (self.span(3, count), self.span(3, count));
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_world_push_bodies(world, list, many, &f, &t) };
                self.check("world_push_bodies", result, before);
            }
            18 => {
                let def = self.joint_def();
                // SAFETY: locals.
                let result = unsafe { withy_joint_change(joint, &def) };
                self.check("joint_change", result, before);
            }
            19 => {
                let (swing, twist) = ([self.bytes.positive(); 2], [-self.bytes.positive(), self.bytes.positive()]);
                let swing = if self.bytes.u8() < 128 { std::ptr::null() } else { swing.as_ptr() };
                // SAFETY: locals, or NULL.
                let result = unsafe { withy_joint_set_limits(joint, swing, twist.as_ptr()) };
                self.check("joint_set_limits", result, before);
            }
            20 => {
                let motor = self.motor();
                let motor = if self.bytes.u8() < 64 { std::ptr::null() } else { &raw const motor };
                // SAFETY: locals, or NULL.
                let result = unsafe { withy_joint_set_motor(joint, motor) };
                self.check("joint_set_motor", result, before);
            }
            21 => {
                let enabled = self.bytes.choice(2);
                self.check("joint_set_enabled", withy_joint_set_enabled(joint, enabled), before);
            }
            22 => {
                let motors = [self.motor(), self.motor()];
                // SAFETY: locals, two of each.
                let result = unsafe { withy_world_set_motors(world, joints.as_ptr(), count as u64, motors.as_ptr()) };
                self.check("world_set_motors", result, before);
            }
            _ => self.rigid_reads(world, body, joint, (list, many), before),
        }
    }

    fn rigid_reads(
        &mut self,
        world: WithyWorld,
        body: WithyBody,
        joint: WithyJoint,
        (list, many): (*const WithyBody, u64),
        before: &[u64],
    ) {
        let mut scratch = vec![0f64; 256];
        let (mut room, mut small) = ([32u64, self.bytes.below(16) as u64, self.bytes.below(4) as u64], 0);
        let out = WithySpan { data: scratch.as_mut_ptr().cast(), count: 64, stride: 0, format: WITHY_FORMAT_F64, reserved: 0 };
        let mut spans = [WithySpan { count: 24, ..out }; 5];
        spans[4].format = self.bytes.choice(4);
        // SAFETY: locals with the room that is said; a wrong format has smaller elements, or is refused.
        unsafe {
            let mut pose = new(withy_collider_def_init_sized).pose;
            let (mut v, mut w, mut n, mut tensor) = (WithyVec3::default(), WithyVec3::default(), 0.0, [0.0; 6]);
            let mut handles = [WithyBody::default(); 32];
            let mut contacts = [WithyContact::default(); 16];
            let (mut broken, mut flag) = ([WithyBrokenJoint::default(); 4], 0);
            let null = std::ptr::null_mut::<u8>();
            let [p, r, u, s, z] = &mut spans;
            let results = [
                withy_body_get_pose(body, &mut pose),
                withy_body_get_velocity(body, &mut v, &mut w),
                withy_body_get_mass(body, &mut n, &mut v, tensor.as_mut_ptr()),
                withy_joint_get_error(joint, &mut n, null.cast()),
                withy_joint_get_length(joint, &mut n),
                withy_joint_get_angles(joint, tensor.as_mut_ptr(), &mut n),
                withy_joint_get_force(joint, &mut v, &mut w),
                withy_joint_get_enabled(joint, &mut flag),
                withy_world_read_joint_forces(world, &joint, 1, r, z),
                withy_world_read_broken_joints(world, broken.as_mut_ptr(), &mut room[2]),
                withy_world_list_bodies(world, handles.as_mut_ptr(), &mut room[0]),
                withy_world_read_contacts(world, contacts.as_mut_ptr(), &mut room[1]),
                withy_world_list_bodies(world, null.cast(), &mut small),
                withy_world_read_bodies(world, list, many, p, r, u, s, z),
                withy_world_read_joint_errors(world, &joint, 1, p, null.cast()),
            ];
            for result in results {
                self.check("rigid_reads", result, before);
            }
        }
    }
}
