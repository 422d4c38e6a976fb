/* withy 0.1.0: characters that go from animation to physics and back. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * How a ragdoll lives:
 *
 *   withy_ragdolls_create         once: bones, bodies, joints, regions
 *   withy_ragdolls_instantiate    at the hit: bodies take over pose and motion of the animation
 *   withy_world_step              every frame; before it, withy_ragdolls_set_targets if the
 *                                 character should still follow its animation
 *   withy_ragdolls_read           every frame: the poses of all bones, for skinning
 *   withy_ragdolls_fade           to give the character back to the animation
 *   withy_ragdolls_remove         when the fade is over
 *
 * What withy.h says of handles, structs, errors, threads and units holds here, too. Ragdolls
 * step on the CPU; in a world on the GPU they meet the rods there (WITHY_BACKEND_GPU).
 */
#ifndef WITHY_RAGDOLL_H
#define WITHY_RAGDOLL_H

#include "withy_bodies.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Ragdolls
 *
 * A set of ragdolls is any number of instances of one description: a tree of bones, rigid bodies
 * on some of them, joints between these, and regions. A region is a chain of bones (a spine, a
 * neck, a tail) that one elastic arc stands for.
 *
 * An instance has bodies and joints from its transition (`withy_ragdolls_instantiate`) until
 * `withy_ragdolls_remove`. They are bodies and joints of the world like others.
 *
 * Poses of bones are given and read in the world: one position and one rotation for each bone,
 * instance after instance. `which` holds the numbers of instances, and `count` how many there are.
 * NULL and WITHY_ALL mean all: in `withy_ragdolls_instantiate` all that there is room for,
 * elsewhere all that have bodies. These functions are made for calling every frame: apart from
 * creating, instantiating and removing they allocate nothing, and if something is wrong they do
 * nothing.
 */

/// A flag of a body: `joint->frame_a` says where the joint is in the bone of the parent body.
/// Without it the joint is where it is in the bind pose.
#define WITHY_RAGDOLL_BODY_PARENT_FRAME 1

/// The region wants to keep the shape that it has at the transition. The default.
#define WITHY_REGION_REST_POSE 0
/// The region is pulled to the shape of the bind pose.
#define WITHY_REGION_REST_BIND 1
/// The inner bones of a region are read back along the arc. The default.
#define WITHY_REGION_ALONG_ARC 0
/// They share the change of orientation between the ends; lengths of bones stay (Lewin 2013).
#define WITHY_REGION_ORIENTATION 1
/// They share the change of orientation and of position (Lewin 2013).
#define WITHY_REGION_ORIENTATION_AND_POSITION 2
/// A flag of a region: the arc takes `relaxation` in place of `bend` and `twist`.
#define WITHY_REGION_RELAXATION 1

/// A flag of the def: bodies of the same instance do not collide with each other.
#define WITHY_RAGDOLL_NO_SELF_COLLISION 1
/// A flag of the def: bones without a body, outside of regions, have the local pose of the
/// animation. Without it they keep the local pose of the transition.
#define WITHY_RAGDOLL_ANIMATED_BONES 2
/// A flag of `withy_ragdolls_instantiate`: joints stay where the def has them in the parents, even
/// if the animation has stretched the bones. Without it they move to where the bones meet.
#define WITHY_RAGDOLL_KEEP_ANCHORS 1
/// A flag of `withy_ragdolls_instantiate`: limits of joints stay, even if the pose is beyond them.
/// Without it they are opened up to the pose.
#define WITHY_RAGDOLL_KEEP_LIMITS 2

/// How strongly motors pull the joints towards a target pose. Limits of joints hold all the same.
/// Fill it with `withy_ragdoll_drive_init`. It has no size field; it never changes.
typedef struct WithyRagdollDrive {
    /// N m/rad with every convention, 0 or more. INFINITY: as stiff as the solver can make it.
    /// Default: 0.
    double stiffness;
    /// N m s/rad, against spin other than the target's, 0 or more, or INFINITY. Default: 0.
    double damping;
    /// Limit of the torque of a joint, N m, 0 or more. INFINITY (the default): no limit.
    double max_torque;
    /// Numbers, [0, 1e9], one for each body of the def: factors of these three for the joint above
    /// it. Count 0 (the default): 1.
    WithySpan scale;
} WithyRagdollDrive;

/// A body of a ragdoll. Its frame is that of its bone. All bodies in an array must be filled by the
/// same version of the init function.
typedef struct WithyRagdollBodyDef {
    uint32_t struct_size;
    /// WITHY_RAGDOLL_BODY_PARENT_FRAME, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// Shapes, mass and motion; its pose, velocity and spin are not used. Required. With
    /// WITHY_BODY_KINEMATIC the animation moves the body until it is let go.
    const WithyBodyDef *body;
    /// What connects it to the body on the nearest bone above: any joint but an arc. `frame_b` is
    /// in this bone; `body_a` and `body_b` are null. NULL: nothing. A region's arc replaces it.
    const WithyJointDef *joint;
    /// The number of its bone.
    uint32_t bone;
    /// Must be 0.
    uint32_t reserved;
} WithyRagdollBodyDef;

/// A chain of bones of which only the first and the last have bodies, with one arc between them.
/// All regions in an array must be filled by the same version of the init function.
typedef struct WithyRegionDef {
    uint32_t struct_size;
    /// WITHY_REGION_RELAXATION, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// The number of the first body.
    uint32_t first;
    /// The number of the last body. Its bone is below that of the first. Bodies on bones between
    /// them are not made; their shapes and masses go to the nearer end.
    uint32_t last;
    /// Where the arc begins, in the first bone, host units. Default: its origin.
    WithyVec3 anchor_a;
    /// Where the arc ends, in the last bone, host units. Default: its origin.
    WithyVec3 anchor_b;
    /// The direction in the first bone about which `arc.bend[0]` counts. Default: x.
    WithyVec3 axis;
    /// Stiffness of the arc. `rest` is not used. `length` 0: the length at the transition.
    WithyArc arc;
    /// Limits of the bend about `axis` and across it, from straight, rad, as those of an arc joint.
    /// Default: none.
    double swing[2];
    /// Limits of the twist from the bind pose, rad, as those of an arc joint. Default: none.
    double twist[2];
    /// A WITHY_REGION_REST_ value. Default: WITHY_REGION_REST_POSE.
    uint32_t rest;
    /// WITHY_REGION_ALONG_ARC (the default), WITHY_REGION_ORIENTATION or
    /// WITHY_REGION_ORIENTATION_AND_POSITION.
    uint32_t read_back;
    /// 1: the two bodies may touch. 0 (the default): they do not collide.
    uint32_t collide;
    /// Must be 0.
    uint32_t reserved;
} WithyRegionDef;

/// How to create a set of ragdolls.
typedef struct WithyRagdollDef {
    uint32_t struct_size;
    /// WITHY_RAGDOLL_NO_SELF_COLLISION, WITHY_RAGDOLL_ANIMATED_BONES, both, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// u32, one a bone: the number of its parent, anywhere in the array, or UINT32_MAX for a root.
    /// At most 65,536 bones.
    WithySpan parents;
    /// Vectors, one a bone: the bind pose in the frame of the parent; of roots, in the world. Host
    /// units.
    WithySpan positions;
    /// Quaternions, one a bone: the same.
    WithySpan rotations;
    /// `body_count` bodies.
    const WithyRagdollBodyDef *bodies;
    /// `region_count` regions.
    const WithyRegionDef *regions;
    uint32_t body_count;
    uint32_t region_count;
    /// Pairs of u32: numbers of bodies that pass through each other. Those that a joint or an arc
    /// connects do so anyway. Default: none.
    WithySpan apart;
} WithyRagdollDef;

/// Handle of a set of ragdolls.
typedef struct WithyRagdolls {
    uint64_t bits;
} WithyRagdolls;

/// Fills `drive` with one that drives nothing.
WITHY_API int32_t withy_ragdoll_drive_init(WithyRagdollDrive *drive);

/// Fills `def` with the defaults. Use the macro `withy_ragdoll_body_def_init(&def)`.
WITHY_API int32_t withy_ragdoll_body_def_init_sized(WithyRagdollBodyDef *def, uint32_t size);
#define withy_ragdoll_body_def_init(d) \
    withy_ragdoll_body_def_init_sized((d), (uint32_t)sizeof *(d))

/// Fills `def` with the defaults. Use the macro `withy_region_def_init(&def)`.
WITHY_API int32_t withy_region_def_init_sized(WithyRegionDef *def, uint32_t size);
#define withy_region_def_init(d) \
    withy_region_def_init_sized((d), (uint32_t)sizeof *(d))

/// Fills `def` with the defaults. Use the macro `withy_ragdoll_def_init(&def)`.
WITHY_API int32_t withy_ragdoll_def_init_sized(WithyRagdollDef *def, uint32_t size);
#define withy_ragdoll_def_init(d) \
    withy_ragdoll_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Adds a set of ragdolls to a world. Everything in `def` is copied. No instance has bodies
/// yet.
///
/// @param instances The number of instances.
/// @param ragdolls Set on success. Destroy it with `withy_ragdolls_destroy`, or with its world.
WITHY_API
int32_t withy_ragdolls_create(WithyWorld world,
                              const WithyRagdollDef *def,
                              uint32_t instances,
                              WithyRagdolls *ragdolls);

/// Writes. Removes a set with all its bodies and joints.
WITHY_API int32_t withy_ragdolls_destroy(WithyRagdolls ragdolls);

/// Writes. The transition from animation to physics: gives instances bodies in the poses of their
/// bones. Instances that have bodies are put into the new pose. Joints and arcs are fitted to the
/// pose; they keep their handles.
///
/// The velocities follow from the two poses and the time between them.
///
/// @param which Numbers of instances, each once. NULL and a count of WITHY_ALL: all.
/// @param positions Vectors, one for each bone of each instance.
/// @param rotations Quaternions, the same.
/// @param positions_before The positions `dt` seconds before. NULL, as are the rotations: at rest.
/// @param rotations_before The rotations `dt` seconds before.
/// @param dt Time between the two poses, s.
/// @param flags WITHY_RAGDOLL_KEEP_ flags, or 0.
WITHY_API
int32_t withy_ragdolls_instantiate(WithyRagdolls ragdolls,
                                   const uint32_t *which,
                                   uint64_t count,
                                   const WithySpan *positions,
                                   const WithySpan *rotations,
                                   const WithySpan *positions_before,
                                   const WithySpan *rotations_before,
                                   double dt,
                                   uint32_t flags);

/// Writes. The same with given velocities.
///
/// @param velocities Vectors: of the origins of the bones, host units/s. NULL: 0.
/// @param spins Vectors, rad/s, about the axes of the world. NULL: 0.
WITHY_API
int32_t withy_ragdolls_instantiate_moving(WithyRagdolls ragdolls,
                                          const uint32_t *which,
                                          uint64_t count,
                                          const WithySpan *positions,
                                          const WithySpan *rotations,
                                          const WithySpan *velocities,
                                          const WithySpan *spins,
                                          uint32_t flags);

/// Writes. Takes the bodies and joints of instances out of the world. Instances that have none are
/// left alone.
WITHY_API
int32_t withy_ragdolls_remove(WithyRagdolls ragdolls,
                              const uint32_t *which,
                              uint64_t count);

/// Writes. Says where the animation wants the bones at the end of the next step. Motors drive all
/// joints and arcs there, and kinematic bodies move there. It holds until the next call.
///
/// @param positions Vectors, one for each bone of each instance.
/// @param rotations Quaternions, the same.
/// @param positions_before The targets `dt` seconds before: damping then acts towards their motion.
///     NULL, as are the rotations: towards rest.
/// @param rotations_before The rotations `dt` seconds before.
/// @param dt Time between the two poses, s.
/// @param drive How strong the motors are.
WITHY_API
int32_t withy_ragdolls_set_targets(WithyRagdolls ragdolls,
                                   const uint32_t *which,
                                   uint64_t count,
                                   const WithySpan *positions,
                                   const WithySpan *rotations,
                                   const WithySpan *positions_before,
                                   const WithySpan *rotations_before,
                                   double dt,
                                   const WithyRagdollDrive *drive);

/// Writes. Gives joints the motors of the def again, which for most joints is none.
WITHY_API
int32_t withy_ragdolls_clear_targets(WithyRagdolls ragdolls,
                                     const uint32_t *which,
                                     uint64_t count);

/// Writes. Says who moves a body: the animation, by `withy_ragdolls_set_targets`, or the
/// simulation. A body that becomes kinematic stays where it is until a target comes. One that is
/// let go keeps the velocity of its last target.
///
/// @param body Its number in the def. UINT32_MAX: all bodies.
/// @param kinematic 1: the animation. 0: the simulation.
WITHY_API
int32_t withy_ragdolls_set_kinematic(WithyRagdolls ragdolls,
                                     const uint32_t *which,
                                     uint64_t count,
                                     uint32_t body,
                                     uint32_t kinematic);

/// Writes. Moves all bodies of instances at once, with their velocities, by rigid transforms: x
/// becomes rotation * x + position.
///
/// @param positions Vectors, one an instance, host units.
/// @param rotations Quaternions, one an instance.
WITHY_API
int32_t withy_ragdolls_teleport(WithyRagdolls ragdolls,
                                const uint32_t *which,
                                uint64_t count,
                                const WithySpan *positions,
                                const WithySpan *rotations);

/// Writes. Fades instances between simulation and animation. The weight is 1 after the transition
/// (all simulated) and goes to `weight` at a constant rate. `withy_ragdolls_advance` moves it.
///
/// @param weight 0 (all animated) to 1 (all simulated).
/// @param seconds How long it takes. 0: at once.
WITHY_API
int32_t withy_ragdolls_fade(WithyRagdolls ragdolls,
                            const uint32_t *which,
                            uint64_t count,
                            double weight,
                            double seconds);

/// Writes. Lets `dt` seconds pass for the fading. Call it after each step.
WITHY_API int32_t withy_ragdolls_advance(WithyRagdolls ragdolls, double dt);

/// Reads. The weight of an instance, 0 to 1.
WITHY_API
int32_t withy_ragdolls_get_weight(WithyRagdolls ragdolls,
                                  uint32_t instance,
                                  double *weight);

/// Writes (it uses memory of the set). Gives the poses of all bones in the world: simulated, or
/// blended with the animation.
///
/// @param animated_positions The animation's positions in the world. NULL, as are the rotations:
///     all is simulated, whatever the weights.
/// @param animated_rotations The animation's rotations.
/// @param weights Numbers, one a bone, [0, 1]: factors of the weight of the instance. NULL, or a
///     count of 0: 1.
/// @param positions Vectors, one for each bone of each instance. NULL: not wanted. With NULL data
///     the count is set.
/// @param rotations Quaternions, the same.
WITHY_API
int32_t withy_ragdolls_read(WithyRagdolls ragdolls,
                            const uint32_t *which,
                            uint64_t count,
                            const WithySpan *animated_positions,
                            const WithySpan *animated_rotations,
                            const WithySpan *weights,
                            WithySpan *positions,
                            WithySpan *rotations);

/// Reads. The sizes of a set.
///
/// @param instances The number of instances. NULL: not wanted.
/// @param bones The bones of each instance. NULL: not wanted.
/// @param bodies The bodies that each has in the world. NULL: not wanted.
/// @param joints The joints that each has in the world. NULL: not wanted.
WITHY_API
int32_t withy_ragdolls_get_counts(WithyRagdolls ragdolls,
                                  uint32_t *instances,
                                  uint32_t *bones,
                                  uint32_t *bodies,
                                  uint32_t *joints);

/// Reads. The numbers of the instances that have bodies, in order. These are the ones that
/// WITHY_ALL means.
///
/// @param which Room for `*count` numbers, or NULL to learn the count.
/// @param count Set to how many there are.
WITHY_API
int32_t withy_ragdolls_list(WithyRagdolls ragdolls,
                            uint32_t *which,
                            uint64_t *count);

/// Reads. The body in the world for a body of the def. The handle is null, without an error, if the
/// instance has no bodies now, or if the body is inside a region. The set owns it:
/// `withy_body_destroy` refuses it.
///
/// @param body Its number in the def.
/// @param handle Set.
WITHY_API
int32_t withy_ragdolls_get_body(WithyRagdolls ragdolls,
                                uint32_t instance,
                                uint32_t body,
                                WithyBody *handle);

/// Reads. The joint or arc above a body of the def. The handle is null, without an error, if there
/// is none now. You may destroy it, and the limb comes off; it comes back at the next transition.
///
/// @param body Its number in the def.
/// @param handle Set.
WITHY_API
int32_t withy_ragdolls_get_joint(WithyRagdolls ragdolls,
                                 uint32_t instance,
                                 uint32_t body,
                                 WithyJoint *handle);

/* ===============================================================================================
 * Layout
 *
 * Part of the ABI; compilers that can, check it (64-bit).
 */

#if defined(__cplusplus)
#define WITHY_ASSERT(fact) static_assert(fact, #fact)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define WITHY_ASSERT(fact) _Static_assert(fact, #fact)
#endif

#if defined(WITHY_ASSERT) && UINTPTR_MAX == UINT64_MAX
WITHY_ASSERT(sizeof(WithyRagdollDrive) == 56);
WITHY_ASSERT(offsetof(WithyRagdollDrive, stiffness) == 0);
WITHY_ASSERT(offsetof(WithyRagdollDrive, damping) == 8);
WITHY_ASSERT(offsetof(WithyRagdollDrive, max_torque) == 16);
WITHY_ASSERT(offsetof(WithyRagdollDrive, scale) == 24);
WITHY_ASSERT(sizeof(WithyRagdollBodyDef) == 40);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, next) == 8);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, body) == 16);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, joint) == 24);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, bone) == 32);
WITHY_ASSERT(offsetof(WithyRagdollBodyDef, reserved) == 36);
WITHY_ASSERT(sizeof(WithyRegionDef) == 224);
WITHY_ASSERT(offsetof(WithyRegionDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyRegionDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyRegionDef, next) == 8);
WITHY_ASSERT(offsetof(WithyRegionDef, first) == 16);
WITHY_ASSERT(offsetof(WithyRegionDef, last) == 20);
WITHY_ASSERT(offsetof(WithyRegionDef, anchor_a) == 24);
WITHY_ASSERT(offsetof(WithyRegionDef, anchor_b) == 48);
WITHY_ASSERT(offsetof(WithyRegionDef, axis) == 72);
WITHY_ASSERT(offsetof(WithyRegionDef, arc) == 96);
WITHY_ASSERT(offsetof(WithyRegionDef, swing) == 176);
WITHY_ASSERT(offsetof(WithyRegionDef, twist) == 192);
WITHY_ASSERT(offsetof(WithyRegionDef, rest) == 208);
WITHY_ASSERT(offsetof(WithyRegionDef, read_back) == 212);
WITHY_ASSERT(offsetof(WithyRegionDef, collide) == 216);
WITHY_ASSERT(offsetof(WithyRegionDef, reserved) == 220);
WITHY_ASSERT(sizeof(WithyRagdollDef) == 168);
WITHY_ASSERT(offsetof(WithyRagdollDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyRagdollDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyRagdollDef, next) == 8);
WITHY_ASSERT(offsetof(WithyRagdollDef, parents) == 16);
WITHY_ASSERT(offsetof(WithyRagdollDef, positions) == 48);
WITHY_ASSERT(offsetof(WithyRagdollDef, rotations) == 80);
WITHY_ASSERT(offsetof(WithyRagdollDef, bodies) == 112);
WITHY_ASSERT(offsetof(WithyRagdollDef, regions) == 120);
WITHY_ASSERT(offsetof(WithyRagdollDef, body_count) == 128);
WITHY_ASSERT(offsetof(WithyRagdollDef, region_count) == 132);
WITHY_ASSERT(offsetof(WithyRagdollDef, apart) == 136);
WITHY_ASSERT(sizeof(WithyRagdolls) == 8);
WITHY_ASSERT(offsetof(WithyRagdolls, bits) == 0);
#endif

#undef WITHY_ASSERT

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WITHY_RAGDOLL_H */
