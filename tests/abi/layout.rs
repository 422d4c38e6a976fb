//! The structs of the library are those of the headers: its layout asserts, which C compilers check on their side, hold here too.

use std::mem::size_of;

use withy::ffi::{
    asset::*, attachment::*, body::*, cable::*, collider::*, context::*, diagnostics::*, joint::*, mesh::*, muscle::*,
    muscle_mesh::*, ragdoll::*, render_hair::*, rest_shape::*, rods::*, rods_detail::*, skin::*, types::*, world::*,
};

/// `WITHY_ASSERT(offsetof(Type, field) == N)` of a header.
fn header_offsets(header: &str, name: &str) -> Vec<(String, usize)> {
    let prefix = format!("WITHY_ASSERT(offsetof({name}, ");
    let fields = header.lines().filter_map(|l| l.strip_prefix(&prefix));
    fields
        .map(|rest| {
            let (field, rest) = rest.split_once(") == ").unwrap();
            (field.to_owned(), rest.trim_end_matches(");").parse().unwrap())
        })
        .collect()
}

macro_rules! check {
    ($header:expr, $($type:ident { $($field:ident),* $(,)? })*) => {$(
        let size = format!("WITHY_ASSERT(sizeof({}) == {});", stringify!($type), size_of::<$type>());
        assert!($header.contains(&size), "{size}");
        let ours = vec![$((stringify!($field).to_owned(), std::mem::offset_of!($type, $field))),*];
        assert_eq!(header_offsets($header, stringify!($type)), ours, "{}", stringify!($type));
    )*};
}

#[test]
#[cfg(target_pointer_width = "64")]
fn the_headers_and_the_library_agree() {
    let header = concat!(
        include_str!("../../include/withy.h"),
        include_str!("../../include/withy_bodies.h"),
        include_str!("../../include/withy_ropes.h"),
        include_str!("../../include/withy_render_hair.h"),
        include_str!("../../include/withy_muscle.h"),
        include_str!("../../include/withy_ragdoll.h"),
        include_str!("../../include/withy_rest_shape.h"),
        include_str!("../../include/withy_asset.h"),
        include_str!("../../include/withy_expert.h"),
    );
    check!(header,
        WithySpan { data, count, stride, format, reserved }
        WithyVec3 { x, y, z }
        WithyQuat { x, y, z, w }
        WithyPose { position, rotation }
        WithyTaskCallbacks { user, run }
        WithyContextDef { struct_size, flags, next, convention, threads, metres_per_unit, tasks }
        WithyContext { bits }
        WithyWorldDef { struct_size, flags, next, backend, isa, precision, substeps, iterations, max_substeps }
        WithyWorld { bits }
        WithyRodsDef {
            struct_size, flags, next, positions, counts, rest_positions, velocities, radii, section_axes, stiffness_scale,
            rest_lengths, rest_darboux, radius, aspect, young_modulus, shear_modulus, alpha_bend1, alpha_bend2, alpha_twist,
            alpha_stretch, density, ghost_distance, ghost_mass_ratio, damping, drag, wind, friction, collision_radius, max_speed,
            stiffness, rest_shape, order, root, tip, iterations, category, mask, model, integrator,
            stretch_modulus, viscosity, poisson_ratio,
        }
        WithyRods { bits }
        WithyStrandIssue { strand, vertex, kind, reserved, value }
        WithyColliderDef {
            struct_size, flags, next, shape, category, mask, reserved, pose, radius, half_height, half_extents, friction,
            radius_top,
        }
        WithyCollider { bits }
        WithyMeshDef {
            struct_size, flags, next, positions, triangles, inv_masses, extra_edges, edge_compliance, drag, friction, category, mask
        }
        WithyMesh { bits }
        WithySkin { bits }
        WithySkinDef {
            struct_size, flags, next, positions, triangles, normals, tangents, rods, rods_count, reserved, edges, weights, softness,
            fairing,
        }
        WithyRenderHair { bits }
        WithyRenderHairDef {
            struct_size, flags, next, rods, rods_count, per_guide, positions, counts, widths, guides, weights, scalp_positions,
            scalp_triangles, seed, vertices, reserved, clump, shorten, width, parting,
        }
        WithyRenderHairLodDef { struct_size, flags, next, strands, vertices, width }
        WithyAssetChunk { name, data, size, version, format, columns, reserved }
        WithyCable { bits }
        WithyCablePoint { body, position, axis, radius }
        WithyCableDef { struct_size, flags, next, points, point_count, reserved, length, stiffness, break_force }
        WithyCableState { length, path, tension, broken, reserved }
        WithyMuscleDef {
            struct_size, flags, next, positions, radii, origin, insertion, radius, young_modulus, poisson_ratio, density, damping,
            viscosity, friction, bundle_stiffness, shortest, origin_tendon, insertion_tendon, tendon_modulus, peak_force,
            optimal_ratio, max_velocity, pennation, strands, mode, category, mask,
        }
        WithyMuscleState { length, velocity, force, active_force, volume }
        WithyMuscleEnd { points, vertices, plane_point, plane_normal }
        WithyMuscleMeshDef { struct_size, flags, next, positions, triangles, origin, insertion, strands, slices }
        WithyMuscleFit {
            volume, length, covered, outside, origin_gap, insertion_gap, surface_distance, headless, left_out, origin_heads,
            insertion_heads, flat_triangles, repairs,
        }
        WithyStrandEnd { rods, strand, end }
        WithyBodyAttachmentDef { struct_size, flags, next, end, body }
        WithyTriangleAttachmentDef { struct_size, flags, next, end, mesh, triangle, reserved, barycentric }
        WithyAttachment { bits }
        WithyJunctionDef { struct_size, flags, next, ends, end_count, reserved, radius, mass }
        WithyStepStats {
            steps, seconds_total, seconds_prepare, seconds_solve, seconds_report, largest_strain, largest_strain_rods,
            largest_strain_strand, substeps, iterations, non_finite_strands, kinked_strands, limited_strands, contacts, reserved,
            bodies, awake_bodies, islands, body_contacts, non_finite_bodies, joints, pairs_left_out, seconds_bodies,
        }
        WithyShapeDef {
            struct_size, flags, next, shape, category, mask, reserved, pose, radius, radius_top, half_height, half_extents, density,
            friction, restitution, stiffness, damping, rolling_friction, torsional_friction, positions, triangles,
        }
        WithyBodyDef {
            struct_size, flags, next, shapes, shape_count, motion, pose, velocity, spin, mass, center_of_mass, inertia, gravity_scale,
            linear_damping, angular_damping, max_speed, group, can_sleep, continuous, reserved,
        }
        WithyBody { bits }
        WithyContact { body_a, body_b, collider, position, normal, separation, impulse, force, torque, approach }
        WithyBrokenJoint { joint, force, torque }
        WithyArc { length, bend, twist, viscosity, rest, relaxation }
        WithyMotor { stiffness, damping, target, speed, max_torque }
        WithyJointDef {
            struct_size, flags, next, body_a, body_b, frame_a, frame_b, kind, collide, swing, twist, least, most, arc, motor,
            break_force, break_torque,
        }
        WithyJoint { bits }
        WithyRagdollBodyDef { struct_size, flags, next, body, joint, bone, reserved }
        WithyRegionDef {
            struct_size, flags, next, first, last, anchor_a, anchor_b, axis, arc, swing, twist, rest, read_back, collide, reserved,
        }
        WithyRagdollDef {
            struct_size, flags, next, parents, positions, rotations, bodies, regions, body_count, region_count, apart,
        }
        WithyRagdollDrive { stiffness, damping, max_torque, scale }
        WithyRagdolls { bits }
        WithyDebugLine { start, end, rgba, reserved }
        WithyRestShapeDef {
            struct_size, flags, next, progress, user, regularizer, tolerance, target, length_min, length_max, curvature,
            twist, stiffen, step, iterations, bounds, change_twist, reserved, lowest_mode_min,
        }
        WithySettleDef { struct_size, flags, next, progress, user, tolerance, iterations, reserved }
        WithyElasticReport { answer, reason, iterations, at_bounds, unstable_modes, stiffened, residual, acceleration, lowest_mode, stiffest }
    );
    let checked = header.matches("WITHY_ASSERT(sizeof(").count();
    assert_eq!(checked, 55, "a struct of the headers is not in this list");
}
