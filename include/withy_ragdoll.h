/* withy 0.1.0: characters that fall. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
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
 * Characters that fall: a tree of bones, bodies on some of them, and regions (a spine, a neck, a tail) of many bones that one arc stands
 * for. A set holds any number of instances of one description. An instance has bodies and joints from the moment of its transition,
 * withy_ragdolls_instantiate, to withy_ragdolls_remove; they are bodies and joints of the world like others.
 *
 * Poses of bones are in world space, one position and one rotation a bone, the bones of one instance after those of the other. Calls take
 * the numbers of instances, `which`; NULL and WITHY_ALL mean all (in withy_ragdolls_instantiate), or all that have bodies (in the others), in
 * their order. These calls are for each frame: but for creating, instantiating and removing they allocate nothing once the largest number
 * of instances has been seen, and they do all or, if something is refused, nothing.
 */

/// A flag of a body: `joint->frame_a` is where the joint is in the bone of the parent's body. Without: where it is in the bind pose.
#define WITHY_RAGDOLL_BODY_PARENT_FRAME 1

/// What a region's natural bend and twist are: those of the pose of the transition, or those of the bind pose, to which stiffness then
/// pulls.
#define WITHY_REGION_REST_POSE 0
#define WITHY_REGION_REST_BIND 1
/// How the bones inside of a region come back: along the arc; or, as in the paper, by sharing out the change of orientation, which keeps
/// the lengths of bones, or that of orientation and position.
#define WITHY_REGION_ALONG_ARC 0
#define WITHY_REGION_ORIENTATION 1
#define WITHY_REGION_ORIENTATION_AND_POSITION 2
/// A flag of a region: `arc.relaxation` in place of `arc.bend` and `arc.twist`.
#define WITHY_REGION_RELAXATION 1

/// A flag of the def: bodies of one instance do not collide with each other.
#define WITHY_RAGDOLL_NO_SELF_COLLISION 1
/// A flag of the def: bones without a body and outside of regions keep the local pose that the animation has, instead of that of the
/// transition.
#define WITHY_RAGDOLL_ANIMATED_BONES 2
/// A flag of instantiating: joint frames in the parents stay where the def, or the bind pose, has them, even if the pose has stretched.
#define WITHY_RAGDOLL_KEEP_ANCHORS 1
/// A flag of instantiating: limits stay as they are, even if the pose is beyond.
#define WITHY_RAGDOLL_KEEP_LIMITS 2

/// Motors towards target poses; limits hold all the same, which instantiating opens up to its pose and no further. Filled by
/// withy_ragdoll_drive_init. It has no size, and never changes.
typedef struct WithyRagdollDrive {
    /// N m/rad in every convention, 0 or more; INFINITY: as stiff as the solver can.
    double stiffness;
    /// N m s/rad, against spin other than the target's, 0 or more; may be INFINITY.
    double damping;
    /// N m, 0 (drives nothing) or more; INFINITY (the default): no limit.
    double max_torque;
    /// Numbers, [0, 1e9], one a body of the def: factors of the three for the joint above it. Count 0: 1.
    WithySpan scale;
} WithyRagdollDrive;

/// A body, whose frame is that of its bone. All bodies of one array must be of one version.
typedef struct WithyRagdollBodyDef {
    uint32_t struct_size;
    /// WITHY_RAGDOLL_BODY_PARENT_FRAME, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// Required. Its pose, velocity and spin are not used. WITHY_BODY_KINEMATIC: the animation moves it until it is let go.
    const WithyBodyDef *body;
    /// What joins it to the body on the nearest bone above; `frame_b` is in this bone, `body_a` and `body_b` are null. NULL: nothing.
    /// An arc replaces it. Not of kind WITHY_JOINT_ARC.
    const WithyJointDef *joint;
    uint32_t bone;
    /// 0
    uint32_t reserved;
} WithyRagdollBodyDef;

/// A chain of bones of which only the first and the last have a body, with one arc between them. All regions of one array must be of one
/// version.
typedef struct WithyRegionDef {
    uint32_t struct_size;
    /// WITHY_REGION_RELAXATION, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// Indices of bodies; the last's bone is below the first's. Bodies between are not made: shapes and mass go to the nearer end.
    uint32_t first;
    uint32_t last;
    /// The ends of the arc, host units, in the first and in the last bone. Default: their origins.
    WithyVec3 anchor_a;
    WithyVec3 anchor_b;
    /// Direction in the first bone about which `arc.bend[0]` counts. Default: x.
    WithyVec3 axis;
    /// `rest` is not used; `length` 0: that of the pose of the transition.
    WithyArc arc;
    /// Limits of the bend, from straight, about `axis` and across it, and of the twist, from the bind pose, as those of an arc joint.
    /// Default: none.
    double swing[2];
    double twist[2];
    /// A WITHY_REGION_REST_ value. Default: WITHY_REGION_REST_POSE.
    uint32_t rest;
    /// WITHY_REGION_ALONG_ARC (the default), _ORIENTATION or _ORIENTATION_AND_POSITION.
    uint32_t read_back;
    /// 1: the two bodies may touch. Default: 0.
    uint32_t collide;
    /// 0
    uint32_t reserved;
} WithyRegionDef;

typedef struct WithyRagdollDef {
    uint32_t struct_size;
    /// WITHY_RAGDOLL_ flags, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// u32, one a bone: the parent's index, anywhere in the array, or UINT32_MAX. At most 65536 bones.
    WithySpan parents;
    /// Vectors and quaternions, one a bone: the bind pose, in the parent's frame, of a root in the world's.
    WithySpan positions;
    WithySpan rotations;
    /// `body_count` and `region_count` of them.
    const WithyRagdollBodyDef *bodies;
    const WithyRegionDef *regions;
    uint32_t body_count;
    uint32_t region_count;
    /// Pairs of u32: bodies that pass through each other, besides those that a joint or an arc joins.
    WithySpan apart;
} WithyRagdollDef;

typedef struct WithyRagdolls {
    uint64_t bits;
} WithyRagdolls;

/// Fills `drive` with what drives nothing: no stiffness and damping, no limit of the torque.
WITHY_API int32_t withy_ragdoll_drive_init(WithyRagdollDrive *drive);

/// Fills `def` with the defaults. Use the macro `withy_ragdoll_body_def_init(&def)`.
WITHY_API int32_t withy_ragdoll_body_def_init_sized(WithyRagdollBodyDef *def, uint32_t size);
#define withy_ragdoll_body_def_init(definition) \
    withy_ragdoll_body_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Fills `def` with the defaults. Use the macro `withy_region_def_init(&def)`.
WITHY_API int32_t withy_region_def_init_sized(WithyRegionDef *def, uint32_t size);
#define withy_region_def_init(definition) \
    withy_region_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Fills `def` with the defaults. Use the macro `withy_ragdoll_def_init(&def)`.
WITHY_API int32_t withy_ragdoll_def_init_sized(WithyRagdollDef *def, uint32_t size);
#define withy_ragdoll_def_init(definition) \
    withy_ragdoll_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Writes. Adds a set of ragdolls to a world; everything in `def` is copied. No instance has bodies yet.
///
/// @param instances How many it has room for.
/// @param ragdolls Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
WITHY_API
int32_t withy_ragdolls_create(WithyWorld world,
                              const WithyRagdollDef *def,
                              uint32_t instances,
                              WithyRagdolls *ragdolls);

/// Writes. Removes a set with all its bodies and joints.
WITHY_API int32_t withy_ragdolls_destroy(WithyRagdolls ragdolls);

/// Writes. The moment of transition from animation: gives instances bodies at the poses of their bones, or puts those there that have
/// some. Arcs and joints are made to fit the pose; those that are there keep their handles, not their impulses.
///
/// @param which `count` numbers of instances, each once; NULL and WITHY_ALL: all.
/// @param positions Vectors and quaternions, one a bone of each.
/// @param rotations Vectors and quaternions, one a bone of each.
/// @param positions_before The poses `dt` seconds before, which give the velocities. NULL, both: at rest.
/// @param rotations_before The poses `dt` seconds before, which give the velocities. NULL, both: at rest.
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

/// Writes. The same with the velocities given.
///
/// @param velocities Vectors, of the bones' origins, host units/s. NULL: 0.
/// @param spins Vectors, rad/s about the world's axes. NULL: 0.
WITHY_API
int32_t withy_ragdolls_instantiate_moving(WithyRagdolls ragdolls,
                                          const uint32_t *which,
                                          uint64_t count,
                                          const WithySpan *positions,
                                          const WithySpan *rotations,
                                          const WithySpan *velocities,
                                          const WithySpan *spins,
                                          uint32_t flags);

/// Writes. Takes the bodies and joints of instances out of the world. Those that have none are left alone.
WITHY_API
int32_t withy_ragdolls_remove(WithyRagdolls ragdolls,
                              const uint32_t *which,
                              uint64_t count);

/// Writes. Where the animation wants the bones: motors of all joints and arcs, and targets of the kinematic bodies, until the next call.
/// A region is driven by how its ends stand to each other.
///
/// @param positions Vectors and quaternions, one a bone of each.
/// @param rotations Vectors and quaternions, one a bone of each.
/// @param positions_before The targets `dt` seconds before: damping acts towards their motion. NULL, both: at rest.
/// @param rotations_before The targets `dt` seconds before: damping acts towards their motion. NULL, both: at rest.
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

/// Writes. Motors as the def has them, for most joints none.
WITHY_API
int32_t withy_ragdolls_clear_targets(WithyRagdolls ragdolls,
                                     const uint32_t *which,
                                     uint64_t count);

/// Writes. Who moves a body: the animation, through withy_ragdolls_set_targets, or the simulation. Made kinematic, it stays where it is until a target
/// comes; let go, it keeps the velocity that the last step's target gave it.
///
/// @param body Index in the def, or UINT32_MAX: all.
/// @param kinematic 1 or 0.
WITHY_API
int32_t withy_ragdolls_set_kinematic(WithyRagdolls ragdolls,
                                     const uint32_t *which,
                                     uint64_t count,
                                     uint32_t body,
                                     uint32_t kinematic);

/// Writes. Moves all bodies of instances at once, with their velocities: x becomes rotation x + position.
///
/// @param positions Vectors and quaternions, one an instance.
/// @param rotations Vectors and quaternions, one an instance.
WITHY_API
int32_t withy_ragdolls_teleport(WithyRagdolls ragdolls,
                                const uint32_t *which,
                                uint64_t count,
                                const WithySpan *positions,
                                const WithySpan *rotations);

/// Writes. Where the weights of instances go: 1 (after the transition) is all simulated, 0 all animated. withy_ragdolls_advance moves them.
///
/// @param seconds How long it takes. 0: at once.
WITHY_API
int32_t withy_ragdolls_fade(WithyRagdolls ragdolls,
                            const uint32_t *which,
                            uint64_t count,
                            double weight,
                            double seconds);

/// Writes. Time passes for the weights.
WITHY_API int32_t withy_ragdolls_advance(WithyRagdolls ragdolls, double dt);

/// Reads. The weight of an instance.
WITHY_API
int32_t withy_ragdolls_get_weight(WithyRagdolls ragdolls,
                                  uint32_t instance,
                                  double *weight);

/// Writes: it uses memory of the set. World poses of all bones, simulated, or blended with the animation in bone space.
///
/// @param animated_positions The animation's world poses. NULL, both: all simulated, whatever the weights.
/// @param animated_rotations The animation's world poses. NULL, both: all simulated, whatever the weights.
/// @param weights Numbers, [0, 1], one a bone, that multiply the instance's weight. NULL, or count 0: 1.
/// @param positions One a bone of each. NULL if not wanted; with NULL data the count is set.
/// @param rotations One a bone of each. NULL if not wanted; with NULL data the count is set.
WITHY_API
int32_t withy_ragdolls_read(WithyRagdolls ragdolls,
                            const uint32_t *which,
                            uint64_t count,
                            const WithySpan *animated_positions,
                            const WithySpan *animated_rotations,
                            const WithySpan *weights,
                            WithySpan *positions,
                            WithySpan *rotations);

/// Reads. Room for instances, bones of each, and bodies and joints that each has in the world.
///
/// @param instances NULL: not wanted.
/// @param bones NULL: not wanted.
/// @param bodies NULL: not wanted.
/// @param joints NULL: not wanted.
WITHY_API
int32_t withy_ragdolls_get_counts(WithyRagdolls ragdolls,
                                  uint32_t *instances,
                                  uint32_t *bones,
                                  uint32_t *bodies,
                                  uint32_t *joints);

/// Reads. The numbers of the instances that have bodies, in order: those that WITHY_ALL means.
///
/// @param which Room for `*count` numbers, or NULL to learn the count.
/// @param count Set to how many they are.
WITHY_API
int32_t withy_ragdolls_list(WithyRagdolls ragdolls,
                            uint32_t *which,
                            uint64_t *count);

/// Reads. The world's body for a body of the def; null, without an error, where the instance has none now or the body is inside of a
/// region. The set owns it: withy_body_destroy refuses it.
WITHY_API
int32_t withy_ragdolls_get_body(WithyRagdolls ragdolls,
                                uint32_t instance,
                                uint32_t body,
                                WithyBody *handle);

/// Reads. The joint or arc above a body of the def; null, without an error, where there is none now. A host may destroy it: a limb that
/// comes off. It comes back when the instance is instantiated anew.
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
