/* withy 0.1.0: rigid bodies, joints, and what ties rods to them. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 */
#ifndef WITHY_BODIES_H
#define WITHY_BODIES_H

#include "withy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Bodies
 *
 * Rigid bodies: ragdolls, props, the ground. They collide with each other and with colliders, joints hold them together, and those at
 * rest sleep. A body has a frame, whose pose the host sees, and any number of shapes, placed in that frame; its centre of mass need
 * not be the frame's origin. Bodies are on the CPU: on the GPU creating one is WITHY_ERROR_UNSUPPORTED.
 *
 * Where a call takes an array `bodies` and a count, NULL and WITHY_ALL mean all bodies, in the order of withy_world_list_bodies: that of
 * their creation, but that a new body takes the place of one destroyed before. These calls are for each frame: they read or write any
 * number of bodies at once, all or, if one number or handle is refused, none, and allocate nothing.
 */

/// Shapes that only bodies have; the others are those of colliders. The convex hull of `positions`.
#define WITHY_SHAPE_HULL 5
/// `positions` and `triangles`. Of static bodies only, as WITHY_SHAPE_PLANE. It is felt from outside alone.
#define WITHY_SHAPE_MESH 6

/// Nothing moves it; the host may put it somewhere else.
#define WITHY_BODY_STATIC 0
/// The host moves it, by targets. It pushes others, and nothing pushes it.
#define WITHY_BODY_KINEMATIC 1
/// Forces, joints and contacts move it.
#define WITHY_BODY_DYNAMIC 2
/// A flag of the def: `mass`, `center_of_mass` and `inertia` are as given, whatever the shapes; it may then have none.
#define WITHY_BODY_INERTIA 1

/// One shape of a body. Filled by its _init macro, as a def; all shapes of one array must be of one version.
typedef struct WithyShapeDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// A WITHY_SHAPE_ value. Default: WITHY_SHAPE_SPHERE.
    uint32_t shape;
    /// As for rods. Default: 1 and all.
    uint32_t category;
    uint32_t mask;
    /// 0
    uint32_t reserved;
    /// In the body's frame. Default: identity.
    WithyPose pose;
    /// What the shape needs of these, host units: [1e-9, 1e6] m, and `half_height` [0, 1e6] m. `half_height` is without the caps,
    /// along local up; `half_extents` are along the local axes.
    double radius;
    double radius_top;
    double half_height;
    WithyVec3 half_extents;
    /// kg/m^3, [1e-3, 1e6]. Default: 1000.
    double density;
    /// Coulomb's coefficient, [0, 1e3]; that of a contact is the geometric mean. Default: 0.6.
    double friction;
    /// Speed after an impact over that before, [0, 1]; of two shapes the larger counts. Default: 0.
    double restitution;
    /// How the shape yields to bodies and colliders, each point of a contact by itself: N/m and N s/m in every convention, 0 (the default: it does
    /// not) or [1e-6, 1e9], and [0, 1e9]. Of two shapes that touch, one is as a spring behind the other. What yields bounces by these, whatever
    /// `restitution` says.
    double stiffness;
    double damping;
    /// Vectors, host units: points of a hull, 4 to 2^20, of which the 255 outermost are kept at most, or vertices of a mesh.
    WithySpan positions;
    /// Triples of u32, of a mesh: counterclockwise seen from outside, as hosts wind them; with WITHY_CONVENTION_UNITY clockwise, as Unity
    /// does.
    WithySpan triangles;
} WithyShapeDef;

typedef struct WithyBodyDef {
    uint32_t struct_size;
    /// WITHY_BODY_INERTIA, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// `shape_count` shapes, 4096 at most. None: it touches nothing.
    const WithyShapeDef *shapes;
    uint32_t shape_count;
    /// WITHY_BODY_STATIC, _KINEMATIC or _DYNAMIC. Default: WITHY_BODY_DYNAMIC.
    uint32_t motion;
    /// Of the frame. Default: identity.
    WithyPose pose;
    /// Of the centre of mass, host units/s. Default: 0. What is not dynamic has none, nor a spin.
    WithyVec3 velocity;
    /// rad/s about the world's axes, in the host's sense of rotation. Default: 0.
    WithyVec3 spin;
    /// kg, [1e-9, 1e12]. 0 (the default): from the shapes' densities; else their inertia is scaled to it.
    double mass;
    /// With WITHY_BODY_INERTIA: in the frame, host units.
    WithyVec3 center_of_mass;
    /// With WITHY_BODY_INERTIA: about the centre of mass, in the frame's axes, kg m^2 in every convention: xx, yy, zz, xy, xz, yz, the
    /// latter three being entries of the tensor, -sum m x y and so on. Principal moments within [1e-15, 1e18], none larger than the sum
    /// of the others.
    double inertia[6];
    /// Its gravity over the world's, [-1e6, 1e6]. Default: 1.
    double gravity_scale;
    /// Rates c at which velocity and spin die, 1/s, [0, 1e9]: a substep of h seconds makes (v + h g)/(1 + h c) of v, so that gravity is
    /// damped as air would: what falls for long has gravity over linear_damping, whatever h. Default: 0 and 0.05.
    double linear_damping;
    double angular_damping;
    /// It is slowed down to this speed, [1e-3, 1e9] m/s, in every substep and once more at the end of the step. 0 (the default): 500 m/s.
    double max_speed;
    /// Bodies of the same group other than 0 (the default) do not collide.
    uint32_t group;
    /// 1 (the default): it sleeps when it and all that it touches have been at rest for half a second: within 15 mm, and, on contacts that
    /// yield, below 3 mm/s. Else 0.
    uint32_t can_sleep;
    /// 1 (the default): going straight it does not pass through what is static or kinematic, however fast. Else 0. Whatever this says, bodies that
    /// would pass through each other within a step, going straight or swung by the host, meet where they are about to.
    uint32_t continuous;
    /// 0
    uint32_t reserved;
} WithyBodyDef;

typedef struct WithyBody {
    uint64_t bits;
} WithyBody;

/// A point where two surfaces touch, or nearly do: within 2 cm, or where a fast body may be at the end of the step.
typedef struct WithyContact {
    /// The bodies; one of them is null where it is `collider` instead.
    WithyBody body_a;
    WithyBody body_b;
    WithyCollider collider;
    /// On the surface, host units.
    WithyVec3 position;
    /// From a to b, of length 1.
    WithyVec3 normal;
    /// Distance of the surfaces at the start of the step, host units; negative where they overlap.
    double separation;
    /// Along the normal, in the last substep, N s; divided by the substep, the force. 0: they do not touch.
    double impulse;
} WithyContact;

/// Fills `def` with the defaults. Use the macro `withy_shape_def_init(&def)`.
WITHY_API int32_t withy_shape_def_init_sized(WithyShapeDef *def, uint32_t size);
#define withy_shape_def_init(definition) \
    withy_shape_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Fills `def` with the defaults. Use the macro `withy_body_def_init(&def)`.
WITHY_API int32_t withy_body_def_init_sized(WithyBodyDef *def, uint32_t size);
#define withy_body_def_init(definition) \
    withy_body_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Writes. Adds a body to a world; everything in `def` is copied.
///
/// @param body Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
WITHY_API
int32_t withy_body_create(WithyWorld world,
                          const WithyBodyDef *def,
                          WithyBody *body);

/// Writes. Removes a body, and the joints that hang on it. What lay on it wakes.
WITHY_API int32_t withy_body_destroy(WithyBody body);

/// Writes. Puts a body somewhere at once, whatever moves it; its velocity stays. What touched it wakes.
WITHY_API
int32_t withy_body_set_pose(WithyBody body,
                            const WithyPose *pose);

/// Reads. Where its frame is.
WITHY_API int32_t withy_body_get_pose(WithyBody body, WithyPose *pose);

/// Writes. Velocity of the centre of mass, host units/s, and spin, rad/s about the world's axes, of a dynamic body. It wakes.
///
/// @param spin NULL: none.
WITHY_API
int32_t withy_body_set_velocity(WithyBody body,
                                const WithyVec3 *velocity,
                                const WithyVec3 *spin);

/// Reads. Velocity of the centre of mass, host units/s, and spin, rad/s about the world's axes. A kinematic body's are those of the last
/// step.
///
/// @param velocity NULL: not wanted.
/// @param spin NULL: not wanted.
WITHY_API
int32_t withy_body_get_velocity(WithyBody body,
                                WithyVec3 *velocity,
                                WithyVec3 *spin);

/// Writes. Where a kinematic body's frame shall be at the end of the next step. It moves there over the substeps and drags and pushes
/// what it touches; after that it stays. Turns of more than a radian in a step are better made in shorter steps: within it they go from pose to pose in
/// the shortest way.
WITHY_API
int32_t withy_body_set_target(WithyBody body,
                              const WithyPose *pose);

/// Writes. Who moves a body that was created WITHY_BODY_DYNAMIC: a ragdoll follows its animation, and falls when it is hit.
///
/// @param motion WITHY_BODY_KINEMATIC or WITHY_BODY_DYNAMIC. A body that becomes dynamic keeps the velocity that it had.
WITHY_API
int32_t withy_body_set_motion(WithyBody body,
                              uint32_t motion);

/// Writes. A force, N, and a torque, N m, in the host's axes, on a dynamic body during the next step; several add up. It wakes.
///
/// @param force NULL: none.
/// @param torque NULL: none.
/// @param point Where the force acts, in world space. NULL: at the centre of mass.
WITHY_API
int32_t withy_body_push(WithyBody body,
                        const WithyVec3 *force,
                        const WithyVec3 *torque,
                        const WithyVec3 *point);

/// Writes. Wakes a dynamic body, or lays it to rest: it sleeps until something that it touches moves.
///
/// @param sleeping 1 or 0. 1 is refused of a body whose `can_sleep` is 0.
WITHY_API
int32_t withy_body_set_sleeping(WithyBody body,
                                uint32_t sleeping);

/// Reads. Mass, kg, centre of mass in the frame, host units, and inertia about it in the frame's axes, kg m^2, as in the def; 0 of what
/// is not dynamic.
///
/// @param mass NULL: not wanted. `inertia`: room for 6.
/// @param center_of_mass NULL: not wanted. `inertia`: room for 6.
/// @param inertia NULL: not wanted. `inertia`: room for 6.
WITHY_API
int32_t withy_body_get_mass(WithyBody body,
                            double *mass,
                            WithyVec3 *center_of_mass,
                            double *inertia);

/// Reads. The bodies of a world, in the order in which they are read.
///
/// @param bodies Room for `*count` handles, or NULL to learn the count.
/// @param count Set to the number of bodies.
WITHY_API
int32_t withy_world_list_bodies(WithyWorld world,
                                WithyBody *bodies,
                                uint64_t *count);

/// Reads. Poses and motion of many bodies. Every span may be NULL if it is not wanted; with NULL data its count is set.
///
/// @param bodies `count` bodies of the world; NULL and WITHY_ALL: all.
/// @param positions Vectors: of the frames.
/// @param rotations Quaternions: of the frames.
/// @param velocities Vectors: of the centres of mass, host units/s.
/// @param spins Vectors, rad/s.
/// @param sleeping u32: 1 of what sleeps.
WITHY_API
int32_t withy_world_read_bodies(WithyWorld world,
                                const WithyBody *bodies,
                                uint64_t count,
                                WithySpan *positions,
                                WithySpan *rotations,
                                WithySpan *velocities,
                                WithySpan *spins,
                                WithySpan *sleeping);

/// Writes. Puts many bodies somewhere at once, with withy_body_set_pose, and gives dynamic ones velocities and spins, with
/// withy_body_set_velocity: a ragdoll takes the pose of its animation. A span that is NULL leaves that as it is; others have an element a
/// body.
///
/// @param bodies As in withy_world_read_bodies, and so are the spans.
WITHY_API
int32_t withy_world_write_bodies(WithyWorld world,
                                 const WithyBody *bodies,
                                 uint64_t count,
                                 const WithySpan *positions,
                                 const WithySpan *rotations,
                                 const WithySpan *velocities,
                                 const WithySpan *spins);

/// Writes. Targets of many kinematic bodies, as withy_body_set_target gives them.
///
/// @param bodies `count` kinematic bodies of the world; NULL and WITHY_ALL: all bodies, which must all be kinematic.
/// @param positions Vectors, one a body.
/// @param rotations Quaternions, one a body. NULL: they keep theirs.
WITHY_API
int32_t withy_world_set_body_targets(WithyWorld world,
                                     const WithyBody *bodies,
                                     uint64_t count,
                                     const WithySpan *positions,
                                     const WithySpan *rotations);

/// Writes. Forces at the centres of mass, N, and torques, N m, on many dynamic bodies during the next step, as withy_body_push.
///
/// @param bodies `count` dynamic bodies of the world; NULL and WITHY_ALL: all bodies, which must all be dynamic.
/// @param forces Vectors, one a body. NULL: none.
/// @param torques Vectors, one a body. NULL: none.
WITHY_API
int32_t withy_world_push_bodies(WithyWorld world,
                                const WithyBody *bodies,
                                uint64_t count,
                                const WithySpan *forces,
                                const WithySpan *torques);

/// Reads. Contacts between bodies, and of bodies with colliders, in the last step. (An array of structs, as handles have no span.)
///
/// @param contacts Room for `*count` contacts, or NULL to learn the count.
/// @param count Set to the number of contact points.
WITHY_API
int32_t withy_world_read_contacts(WithyWorld world,
                                  WithyContact *contacts,
                                  uint64_t *count);

/* ===============================================================================================
 * Joints
 *
 * What holds two bodies together, or one to the world. A joint has a frame in each body; what it holds is how the two frames stand to
 * each other. The axes of a frame are called d1, d2 and d3, as those of rods: d3 is the axis of twist, which is the axis of a hinge, the
 * tangent of an arc and, at rest, the direction of a limb; d1 and d2 are those about which it swings or bends. In the frame's local axes
 *
 *                     SI, Maya    Unreal    Unity    Blender
 *     d1              x           x         -x       x
 *     d2              y           z         y        z
 *     d3              z           y         z        -y
 *
 * so that frames of the identity rotation have d2 up, and d3 forwards or sidewards as hosts have it. With WITHY_CONVENTION_SI a frame's
 * rotation has d3 up if it is {-r, 0, 0, r}, down {r, 0, 0, r}, along +x {0, r, 0, r}, along -x {0, -r, 0, r}, where r = sqrt(0.5). Numbers that belong to axes, in
 * arrays of 2 (d1, d2) or 3 (d1, d2, d3), and angles about them are named by these; angles are positive in the host's sense of rotation.
 * Angles of a joint are those of frame b in frame a.
 */

/// The origins stay together; `swing` and `twist` limit the angles.
#define WITHY_JOINT_BALL 0
/// The origins and d3 stay together; `twist` limits the angle about it.
#define WITHY_JOINT_HINGE 1
/// The frames stay together.
#define WITHY_JOINT_FIXED 2
/// The origins stay between `least` and `most` apart.
#define WITHY_JOINT_DISTANCE 3
/// `arc`: an elastic rod that cannot be stretched joins the frames, in the shape of one circular arc that leaves both along d3 (Lewin 2013).
/// A spine, a neck, a tail, a finger of few joints instead of many. `swing` and `twist` limit its bend and twist. d3 of both frames points along it,
/// from a to b: a new one that leans from that by more than 90 degrees is refused.
#define WITHY_JOINT_ARC 4
/// A flag of the def: `frame_a` and `frame_b` are in world space, where the bodies are now, instead of in the bodies' frames.
#define WITHY_JOINT_WORLD_FRAMES 1
/// A flag of the def: `arc.relaxation` in place of `arc.bend` and `arc.twist`.
#define WITHY_JOINT_ARC_RELAXATION 2

/// The rod of a WITHY_JOINT_ARC.
typedef struct WithyArc {
    /// Host units, [1e-9, 1e9] m. 0 (the default): that of the arc through both frames as they are.
    double length;
    /// Bending stiffness EI about d1 and d2, N m^2 in every convention, 0 or more; INFINITY: does not bend.
    double bend[2];
    /// Twisting stiffness GJ, N m^2 in every convention, 0 or more; INFINITY: does not twist.
    double twist;
    /// Time in which a strain forgets how fast it changes (Kelvin-Voigt), s, [0, 1e6]. Default: 0.
    double viscosity;
    /// Natural bend about d1 and d2 and natural twist about d3, rad over the whole length, each within half a turn. Default: 0, straight.
    double rest[3];
    /// With WITHY_JOINT_ARC_RELAXATION: the part of bending and of twist that an iteration takes back, [0, 1] (Lewin 2013, 5.2); depends on the step.
    double relaxation[2];
} WithyArc;

/// A torque between the frames of a joint, of any kind but WITHY_JOINT_FIXED: a spring and a damper about each axis. It acts on both
/// bodies, in the step without delay, so that stiff ones do not shake.
///
/// Friction in a joint, as of a hinge that stays where it is left, is a motor without stiffness whose spin is 0 up to a torque: it holds what
/// weighs less, and slows down what weighs more by that torque. The torques about the three axes together are at most `max_torque`. What
/// it holds creeps, a limb by some 1e-4 rad/s, until it sleeps.
///
/// ```text
///     WithyMotor friction;
///     withy_motor_init(&friction);
///     friction.damping[0] = friction.damping[1] = friction.damping[2] = INFINITY;
///     friction.max_torque = 5;
///     withy_joint_set_motor(joint, &friction);
/// ```
///
/// A joint has one motor: one with a target of its own has friction only as its `damping`.
typedef struct WithyMotor {
    /// N m/rad, 0 or more; INFINITY: as stiff as the solver can.
    double stiffness[3];
    /// N m s/rad, 0 or more; INFINITY: the spin is `speed`.
    double damping[3];
    /// How frame b should stand in frame a at the end of the next step: what the stiffness pulls to. It moves there within the step from
    /// where it was, and a stiff motor with it.
    WithyQuat target;
    /// Spin of b in a about d1, d2, d3 of frame a that the damping acts towards, rad/s, [-1e6, 1e6].
    double speed[3];
    /// N m, 0 or more; INFINITY: no limit.
    double max_torque;
} WithyMotor;

typedef struct WithyJointDef {
    uint32_t struct_size;
    /// WITHY_JOINT_WORLD_FRAMES, WITHY_JOINT_ARC_RELAXATION, both, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// Null: the world.
    WithyBody body_a;
    /// In the same world as body_a. Required.
    WithyBody body_b;
    /// In the body's frame; without a body, in world space. Default: identity.
    WithyPose frame_a;
    WithyPose frame_b;
    /// A WITHY_JOINT_ value. Default: WITHY_JOINT_BALL.
    uint32_t kind;
    /// 1: the two bodies may touch. 0 (the default): they do not collide while the joint is enabled.
    uint32_t collide;
    /// Of a ball: half angles of the cone that d3 swings in, about d1 and d2, [0, pi] rad, 0.01 at least. pi, both (the default): no limit.
    /// Of an arc: the same of its bend over the whole length, from straight.
    double swing[2];
    /// Of a ball, a hinge or an arc: least and most angle about d3, [-pi, pi] rad. -pi and pi (the default): no limit.
    double twist[2];
    /// Of a distance: host units, [0, 1e9] m. Default: 0.
    double least;
    double most;
    WithyArc arc;
    /// NULL (the default): none. Copied.
    const WithyMotor *motor;
} WithyJointDef;

typedef struct WithyJoint {
    uint64_t bits;
} WithyJoint;

/// Fills `def` with the defaults. Use the macro `withy_joint_def_init(&def)`.
WITHY_API int32_t withy_joint_def_init_sized(WithyJointDef *def, uint32_t size);
#define withy_joint_def_init(definition) \
    withy_joint_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Fills `motor` with what drives nothing: 0, the identity, and no limit of the torque. It has no size, and never changes.
WITHY_API
int32_t withy_motor_init(WithyMotor *motor);

/// Writes. Adds a joint to the world of its bodies. Frames that do not stand as the joint holds them are pulled there by the next steps.
/// It is removed with either of its bodies.
///
/// @param joint Set on success.
WITHY_API
int32_t withy_joint_create(const WithyJointDef *def,
                           WithyJoint *joint);

/// Writes. Removes a joint.
WITHY_API int32_t withy_joint_destroy(WithyJoint joint);

/// Writes. Makes a joint what `def` says: its kind, frames, limits, stiffness, motor. The bodies must be as before. What the joint holds
/// before and after keeps its impulses, and nothing jerks: limits and a motor may come and go, and so may all that the kind holds besides
/// the origins.
WITHY_API
int32_t withy_joint_change(WithyJoint joint,
                           const WithyJointDef *def);

/// Writes. Changes the limits of a ball, an arc or a hinge. The joint's other impulses stay.
///
/// @param swing Two half angles, as in the def. NULL: as it is, and so for a hinge.
/// @param twist Least and most, as in the def. NULL: as it is.
WITHY_API
int32_t withy_joint_set_limits(WithyJoint joint,
                               const double *swing,
                               const double *twist);

/// Writes. Drives a joint. The joint's other impulses stay, and the motor's own if it has one before and after, of whatever mode.
///
/// @param motor NULL: it has none any more.
WITHY_API
int32_t withy_joint_set_motor(WithyJoint joint,
                              const WithyMotor *motor);

/// Writes. A joint that is not enabled holds nothing, and its bodies may touch: it is broken. Joints are created enabled.
///
/// @param enabled 1 or 0.
WITHY_API
int32_t withy_joint_set_enabled(WithyJoint joint,
                                uint32_t enabled);

/// Reads. How far the frames are from what the joint holds.
///
/// @param distance Host units. NULL: not wanted.
/// @param angle rad, 0 or more. NULL: not wanted.
WITHY_API int32_t withy_joint_get_error(WithyJoint joint, double *distance, double *angle);

/// Reads. The length of an arc, host units, also where the def left it to the library; 0 for other kinds.
WITHY_API
int32_t withy_joint_get_length(WithyJoint joint,
                               double *length);

/// Writes. Motors of many joints, as withy_joint_set_motor: a ragdoll follows its animation in one call a frame.
///
/// @param joints `count` joints of the world.
/// @param motors `count` motors.
WITHY_API
int32_t withy_world_set_motors(WithyWorld world,
                               const WithyJoint *joints,
                               uint64_t count,
                               const WithyMotor *motors);

/// Reads. Errors of many joints, as withy_joint_get_error: one far off has more to hold than it can, and a host may destroy it. They are no measure
/// of what a joint carries: they go with the masses beside it, and with the substep.
///
/// @param joints `count` joints of the world.
/// @param distances Numbers, host units. NULL: not wanted.
/// @param angles Numbers, rad. NULL: not wanted.
WITHY_API
int32_t withy_world_read_joint_errors(WithyWorld world,
                                      const WithyJoint *joints,
                                      uint64_t count,
                                      WithySpan *distances,
                                      WithySpan *angles);

/* ===============================================================================================
 * Meshes
 *
 * Deformable triangle meshes that strands are attached to and pull: a scalp, cloth, the box of a plant. By default the host
 * moves the mesh and may read back how far the rods would have displaced it; a WITHY_MESH_ELASTIC mesh is simulated here.
 */

/// For `flags`: the edges are springs of `edge_compliance`, and steps move the vertices.
#define WITHY_MESH_ELASTIC 1

typedef struct WithyMeshDef {
    uint32_t struct_size;
    /// WITHY_MESH_ELASTIC, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// Vectors, one a vertex, host units, 1 to 2^24. Required.
    WithySpan positions;
    /// Triples of u32. Required.
    WithySpan triangles;
    /// Numbers, one a vertex, 1/kg, [0, 1e12]; 0 for a vertex that only the host moves. None: 0 for all.
    WithySpan inv_masses;
    /// Pairs of u32, or none: more pairs of vertices to hold at their distance, such as the diagonals of a box.
    WithySpan extra_edges;
    /// m/N, [0, 1e12], with WITHY_MESH_ELASTIC. Default: 0, rigid edges.
    double edge_compliance;
    /// Rate at which the motion of the vertices dies, 1/s, [0, 1e9], with WITHY_MESH_ELASTIC. Default: 0.
    double drag;
} WithyMeshDef;

typedef struct WithyMesh {
    uint64_t bits;
} WithyMesh;

/// Fills `def` with the defaults. Use the macro `withy_mesh_def_init(&def)`.
WITHY_API int32_t withy_mesh_def_init_sized(WithyMeshDef *def, uint32_t size);
#define withy_mesh_def_init(definition) \
    withy_mesh_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Writes. Adds a mesh to a world; everything in `def` is copied.
///
/// @param mesh Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
WITHY_API
int32_t withy_mesh_create(WithyWorld world,
                          const WithyMeshDef *def,
                          WithyMesh *mesh);

/// Writes. Removes a mesh, and the attachments to it.
WITHY_API int32_t withy_mesh_destroy(WithyMesh mesh);

/// Writes. Where the vertices shall be at the end of the next step; they move there over the substeps. Of an elastic mesh only
/// those of inverse mass 0 go, unless they are teleported. The corrections start again from 0.
///
/// @param positions Vectors, one a vertex, host units.
/// @param teleport 1: they jump there, all of them, and rest. Else 0.
WITHY_API
int32_t withy_mesh_set_positions(WithyMesh mesh,
                                 const WithySpan *positions,
                                 uint32_t teleport);

/// Reads. Vectors, one a vertex, host units.
WITHY_API int32_t withy_mesh_read_positions(WithyMesh mesh, WithySpan *out);

/// Reads. Vectors, one a vertex, host units: how far the rods have pulled the vertex since `withy_mesh_set_positions`. A host
/// that simulates the mesh itself adds it to its own positions.
WITHY_API
int32_t withy_mesh_read_corrections(WithyMesh mesh,
                                    WithySpan *out);

/* ===============================================================================================
 * Attachments
 *
 * What holds the end of a strand to something that is not given by the host: a triangle of a mesh, a rigid body, or other strands. The end
 * must be WITHY_SUPPORT_FREE, and one attachment holds it at most.
 */

#define WITHY_END_ROOT 0
#define WITHY_END_TIP 1

/// For `flags`: the frame at the end turns with the triangle or the body too, keeping the angle that it has to it at this moment. Without it
/// the direction is free.
#define WITHY_ATTACH_CLAMPED 1

/// One end of one strand.
typedef struct WithyStrandEnd {
    WithyRods rods;
    uint32_t strand;
    /// A WITHY_END_ value.
    uint32_t end;
} WithyStrandEnd;

typedef struct WithyTriangleAttachmentDef {
    uint32_t struct_size;
    /// WITHY_ATTACH_CLAMPED, or 0 (the default).
    uint32_t flags;
    const void *next;
    WithyStrandEnd end;
    /// In the same world as the rods.
    WithyMesh mesh;
    uint32_t triangle;
    /// 0
    uint32_t reserved;
    /// Where on the triangle, as weights of its vertices, which add up to 1 within 1e-3. Default: the middle.
    double barycentric[3];
} WithyTriangleAttachmentDef;

typedef struct WithyAttachment {
    uint64_t bits;
} WithyAttachment;

typedef struct WithyBodyAttachmentDef {
    uint32_t struct_size;
    /// WITHY_ATTACH_CLAMPED, or 0 (the default).
    uint32_t flags;
    const void *next;
    WithyStrandEnd end;
    /// In the same world as the rods.
    WithyBody body;
} WithyBodyAttachmentDef;

typedef struct WithyJunctionDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// `end_count` different ends, 2 to 65,536, all in one world.
    const WithyStrandEnd *ends;
    uint32_t end_count;
    /// 0
    uint32_t reserved;
    /// Distance of its two ghost points from the middle, host units, [1e-9, 1e3] m: with the mass, its resistance to turning.
    /// 0 (the default): the mean length of the edges that meet.
    double radius;
    /// kg, [1e-12, 1e9]. 0 (the default): that of the vertices that meet, which keep their own.
    double mass;
} WithyJunctionDef;

/// Fills `def` with the defaults. Use the macro `withy_triangle_attachment_def_init(&def)`.
WITHY_API
int32_t withy_triangle_attachment_def_init_sized(WithyTriangleAttachmentDef *def,
                                                 uint32_t size);
#define withy_triangle_attachment_def_init(definition) \
    withy_triangle_attachment_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Writes. Ties the end of a strand to a point of a triangle; from afar it is pulled there by the next steps. Both sides pull, by
/// their masses; a vertex of inverse mass 0 does not give. Vertices that weigh less than a fiftieth of the strand on them cannot carry
/// it: the mesh is stretched without end. Clamped to an elastic mesh, stiff strands may gain speed.
///
/// @param attachment Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
WITHY_API
int32_t withy_attachment_create_triangle(const WithyTriangleAttachmentDef *def,
                                         WithyAttachment *attachment);

/// Fills `def` with the defaults. Use the macro `withy_body_attachment_def_init(&def)`.
WITHY_API
int32_t withy_body_attachment_def_init_sized(WithyBodyAttachmentDef *def,
                                             uint32_t size);
#define withy_body_attachment_def_init(definition) \
    withy_body_attachment_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Writes. Ties the end of a strand to a rigid body where the end is at this moment. Both sides pull, by their masses, substep by
/// substep; a static or kinematic body does not give. The body does not sleep while it is tied. Destroyed with the body.
///
/// @param attachment Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
WITHY_API
int32_t withy_attachment_create_body(const WithyBodyAttachmentDef *def,
                                     WithyAttachment *attachment);

/// Fills `def` with the defaults. Use the macro `withy_junction_def_init(&def)`.
WITHY_API int32_t withy_junction_def_init_sized(WithyJunctionDef *def, uint32_t size);
#define withy_junction_def_init(definition) \
    withy_junction_def_init_sized((definition), (uint32_t)sizeof *(definition))

/// Writes. Joins strand ends rigidly by a small body of two ghost points (Umetani 2014, eq. 26): trees, nets, loops. They meet at
/// the mean of their positions. The angles between them at this moment are those at rest.
///
/// @param attachment Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU.
WITHY_API
int32_t withy_attachment_create_junction(const WithyJunctionDef *def,
                                         WithyAttachment *attachment);

/// Writes. Lets the ends go.
WITHY_API int32_t withy_attachment_destroy(WithyAttachment attachment);

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
WITHY_ASSERT(sizeof(WithyShapeDef) == 240);
WITHY_ASSERT(offsetof(WithyShapeDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyShapeDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyShapeDef, next) == 8);
WITHY_ASSERT(offsetof(WithyShapeDef, shape) == 16);
WITHY_ASSERT(offsetof(WithyShapeDef, category) == 20);
WITHY_ASSERT(offsetof(WithyShapeDef, mask) == 24);
WITHY_ASSERT(offsetof(WithyShapeDef, reserved) == 28);
WITHY_ASSERT(offsetof(WithyShapeDef, pose) == 32);
WITHY_ASSERT(offsetof(WithyShapeDef, radius) == 88);
WITHY_ASSERT(offsetof(WithyShapeDef, radius_top) == 96);
WITHY_ASSERT(offsetof(WithyShapeDef, half_height) == 104);
WITHY_ASSERT(offsetof(WithyShapeDef, half_extents) == 112);
WITHY_ASSERT(offsetof(WithyShapeDef, density) == 136);
WITHY_ASSERT(offsetof(WithyShapeDef, friction) == 144);
WITHY_ASSERT(offsetof(WithyShapeDef, restitution) == 152);
WITHY_ASSERT(offsetof(WithyShapeDef, stiffness) == 160);
WITHY_ASSERT(offsetof(WithyShapeDef, damping) == 168);
WITHY_ASSERT(offsetof(WithyShapeDef, positions) == 176);
WITHY_ASSERT(offsetof(WithyShapeDef, triangles) == 208);
WITHY_ASSERT(sizeof(WithyBodyDef) == 264);
WITHY_ASSERT(offsetof(WithyBodyDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyBodyDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyBodyDef, next) == 8);
WITHY_ASSERT(offsetof(WithyBodyDef, shapes) == 16);
WITHY_ASSERT(offsetof(WithyBodyDef, shape_count) == 24);
WITHY_ASSERT(offsetof(WithyBodyDef, motion) == 28);
WITHY_ASSERT(offsetof(WithyBodyDef, pose) == 32);
WITHY_ASSERT(offsetof(WithyBodyDef, velocity) == 88);
WITHY_ASSERT(offsetof(WithyBodyDef, spin) == 112);
WITHY_ASSERT(offsetof(WithyBodyDef, mass) == 136);
WITHY_ASSERT(offsetof(WithyBodyDef, center_of_mass) == 144);
WITHY_ASSERT(offsetof(WithyBodyDef, inertia) == 168);
WITHY_ASSERT(offsetof(WithyBodyDef, gravity_scale) == 216);
WITHY_ASSERT(offsetof(WithyBodyDef, linear_damping) == 224);
WITHY_ASSERT(offsetof(WithyBodyDef, angular_damping) == 232);
WITHY_ASSERT(offsetof(WithyBodyDef, max_speed) == 240);
WITHY_ASSERT(offsetof(WithyBodyDef, group) == 248);
WITHY_ASSERT(offsetof(WithyBodyDef, can_sleep) == 252);
WITHY_ASSERT(offsetof(WithyBodyDef, continuous) == 256);
WITHY_ASSERT(offsetof(WithyBodyDef, reserved) == 260);
WITHY_ASSERT(sizeof(WithyBody) == 8);
WITHY_ASSERT(offsetof(WithyBody, bits) == 0);
WITHY_ASSERT(sizeof(WithyContact) == 88);
WITHY_ASSERT(offsetof(WithyContact, body_a) == 0);
WITHY_ASSERT(offsetof(WithyContact, body_b) == 8);
WITHY_ASSERT(offsetof(WithyContact, collider) == 16);
WITHY_ASSERT(offsetof(WithyContact, position) == 24);
WITHY_ASSERT(offsetof(WithyContact, normal) == 48);
WITHY_ASSERT(offsetof(WithyContact, separation) == 72);
WITHY_ASSERT(offsetof(WithyContact, impulse) == 80);
WITHY_ASSERT(sizeof(WithyArc) == 80);
WITHY_ASSERT(offsetof(WithyArc, length) == 0);
WITHY_ASSERT(offsetof(WithyArc, bend) == 8);
WITHY_ASSERT(offsetof(WithyArc, twist) == 24);
WITHY_ASSERT(offsetof(WithyArc, viscosity) == 32);
WITHY_ASSERT(offsetof(WithyArc, rest) == 40);
WITHY_ASSERT(offsetof(WithyArc, relaxation) == 64);
WITHY_ASSERT(sizeof(WithyMotor) == 112);
WITHY_ASSERT(offsetof(WithyMotor, stiffness) == 0);
WITHY_ASSERT(offsetof(WithyMotor, damping) == 24);
WITHY_ASSERT(offsetof(WithyMotor, target) == 48);
WITHY_ASSERT(offsetof(WithyMotor, speed) == 80);
WITHY_ASSERT(offsetof(WithyMotor, max_torque) == 104);
WITHY_ASSERT(sizeof(WithyJointDef) == 288);
WITHY_ASSERT(offsetof(WithyJointDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyJointDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyJointDef, next) == 8);
WITHY_ASSERT(offsetof(WithyJointDef, body_a) == 16);
WITHY_ASSERT(offsetof(WithyJointDef, body_b) == 24);
WITHY_ASSERT(offsetof(WithyJointDef, frame_a) == 32);
WITHY_ASSERT(offsetof(WithyJointDef, frame_b) == 88);
WITHY_ASSERT(offsetof(WithyJointDef, kind) == 144);
WITHY_ASSERT(offsetof(WithyJointDef, collide) == 148);
WITHY_ASSERT(offsetof(WithyJointDef, swing) == 152);
WITHY_ASSERT(offsetof(WithyJointDef, twist) == 168);
WITHY_ASSERT(offsetof(WithyJointDef, least) == 184);
WITHY_ASSERT(offsetof(WithyJointDef, most) == 192);
WITHY_ASSERT(offsetof(WithyJointDef, arc) == 200);
WITHY_ASSERT(offsetof(WithyJointDef, motor) == 280);
WITHY_ASSERT(sizeof(WithyJoint) == 8);
WITHY_ASSERT(offsetof(WithyJoint, bits) == 0);
WITHY_ASSERT(sizeof(WithyMeshDef) == 160);
WITHY_ASSERT(offsetof(WithyMeshDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyMeshDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyMeshDef, next) == 8);
WITHY_ASSERT(offsetof(WithyMeshDef, positions) == 16);
WITHY_ASSERT(offsetof(WithyMeshDef, triangles) == 48);
WITHY_ASSERT(offsetof(WithyMeshDef, inv_masses) == 80);
WITHY_ASSERT(offsetof(WithyMeshDef, extra_edges) == 112);
WITHY_ASSERT(offsetof(WithyMeshDef, edge_compliance) == 144);
WITHY_ASSERT(offsetof(WithyMeshDef, drag) == 152);
WITHY_ASSERT(sizeof(WithyMesh) == 8);
WITHY_ASSERT(offsetof(WithyMesh, bits) == 0);
WITHY_ASSERT(sizeof(WithyStrandEnd) == 16);
WITHY_ASSERT(offsetof(WithyStrandEnd, rods) == 0);
WITHY_ASSERT(offsetof(WithyStrandEnd, strand) == 8);
WITHY_ASSERT(offsetof(WithyStrandEnd, end) == 12);
WITHY_ASSERT(sizeof(WithyTriangleAttachmentDef) == 72);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, next) == 8);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, end) == 16);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, mesh) == 32);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, triangle) == 40);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, reserved) == 44);
WITHY_ASSERT(offsetof(WithyTriangleAttachmentDef, barycentric) == 48);
WITHY_ASSERT(sizeof(WithyAttachment) == 8);
WITHY_ASSERT(offsetof(WithyAttachment, bits) == 0);
WITHY_ASSERT(sizeof(WithyBodyAttachmentDef) == 40);
WITHY_ASSERT(offsetof(WithyBodyAttachmentDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyBodyAttachmentDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyBodyAttachmentDef, next) == 8);
WITHY_ASSERT(offsetof(WithyBodyAttachmentDef, end) == 16);
WITHY_ASSERT(offsetof(WithyBodyAttachmentDef, body) == 32);
WITHY_ASSERT(sizeof(WithyJunctionDef) == 48);
WITHY_ASSERT(offsetof(WithyJunctionDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyJunctionDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyJunctionDef, next) == 8);
WITHY_ASSERT(offsetof(WithyJunctionDef, ends) == 16);
WITHY_ASSERT(offsetof(WithyJunctionDef, end_count) == 24);
WITHY_ASSERT(offsetof(WithyJunctionDef, reserved) == 28);
WITHY_ASSERT(offsetof(WithyJunctionDef, radius) == 32);
WITHY_ASSERT(offsetof(WithyJunctionDef, mass) == 40);
#endif

#undef WITHY_ASSERT

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WITHY_BODIES_H */
