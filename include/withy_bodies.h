/* withy 0.1.0: rigid bodies, joints, and what ties rods to them. MIT OR Apache-2.0.
 *
 * Written by `cargo xtask header` from src/ffi; changes are made there.
 *
 * Example: a ball hangs from the world on a joint, half a metre below it.
 *
 *   WithyShapeDef shape; WithyBodyDef body; WithyJointDef joint;
 *   WithyBody ball; WithyJoint pivot;
 *   withy_shape_def_init(&shape);
 *   shape.radius = 0.1;
 *   withy_body_def_init(&body);
 *   body.shapes = &shape, body.shape_count = 1;
 *   withy_body_create(world, &body, &ball);
 *   withy_joint_def_init(&joint);
 *   joint.body_b = ball;
 *   joint.frame_a.position.y = joint.frame_b.position.y = 0.5;
 *   withy_joint_create(&joint, &pivot);
 *   withy_world_step(world, 1.0 / 60.0);
 *   withy_body_get_pose(ball, &body.pose);
 *
 * What withy.h says of handles, structs, errors, threads and units holds here, too. Bodies
 * and joints step on the CPU; in a world on the GPU they meet the rods there (WITHY_BACKEND_GPU).
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
 * Rigid bodies: props, the ground, the bones of a ragdoll. They collide with each other and with
 * colliders, joints connect them, and those that rest fall asleep. A body has a frame, whose pose
 * the host sees, and any number of shapes placed in that frame. Its centre of mass need not be the
 * origin of the frame. In a world on the GPU bodies step on the CPU: rods meet them, and do not
 * push them.
 *
 * Functions on many bodies take an array `bodies` and its `count`. NULL and WITHY_ALL mean all
 * bodies, in the order of `withy_world_list_bodies`. They are made for calling every frame: they
 * allocate nothing, and if one number or handle is wrong they do nothing.
 */

/// The convex hull of `positions`. (These two shapes are for bodies; the others are listed with the
/// colliders.)
#define WITHY_SHAPE_HULL 5
/// Triangles: `positions` and `triangles`. For static bodies only, as is WITHY_SHAPE_PLANE. Only
/// the outer side is solid.
#define WITHY_SHAPE_MESH 6

/// It stands still. The host may put it somewhere else.
#define WITHY_BODY_STATIC 0
/// The host moves it, by targets. It pushes others; nothing pushes it.
#define WITHY_BODY_KINEMATIC 1
/// Forces, joints and contacts move it. The default.
#define WITHY_BODY_DYNAMIC 2
/// A flag: `mass`, `center_of_mass` and `inertia` are given, and do not follow from the shapes. The
/// body may then have no shapes.
#define WITHY_BODY_INERTIA 1

/// One shape of a body. Lengths are in host units. All shapes in an array must be filled by the
/// same version of `withy_shape_def_init`.
typedef struct WithyShapeDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// A WITHY_SHAPE_ value. Default: WITHY_SHAPE_SPHERE.
    uint32_t shape;
    /// The layers that the shape is in. Default: 1.
    uint32_t category;
    /// The layers that it meets, as in WithyRodsDef. Default: all.
    uint32_t mask;
    /// Must be 0.
    uint32_t reserved;
    /// Where the shape is in the frame of the body. Default: identity.
    WithyPose pose;
    /// [1e-9, 1e6] m, for shapes that need it.
    double radius;
    /// [1e-9, 1e6] m, for tapered capsules.
    double radius_top;
    /// [0, 1e6] m, for capsules; along local up, without the caps.
    double half_height;
    /// [1e-9, 1e6] m, for boxes.
    WithyVec3 half_extents;
    /// kg/m^3, [1e-3, 1e6]. Default: 1000, water.
    double density;
    /// Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean of both sides. Default:
    /// 0.6.
    double friction;
    /// How much it bounces: speed after an impact over the speed before, [0, 1]. The larger one of
    /// both sides counts. Default: 0.
    double restitution;
    /// Makes the surface soft: each contact point yields like a spring of this stiffness, N/m,
    /// [1e-6, 1e9]. Two soft shapes are two springs, one behind the other. A soft contact ignores
    /// `restitution`. 0 (the default): hard.
    double stiffness;
    /// The damper beside that spring, N s/m, [0, 1e9]. Default: 0.
    double damping;
    /// Resists rolling: a torque of at most this times pressure and radius, [0, 1e3]. A ball that
    /// rolls slows down by 5/7 of this times gravity. Of both sides the larger counts. Flat shapes
    /// have no radius. Default: 0.
    double rolling_friction;
    /// Resists turning in place: the same about the normal. Default: 0.
    double torsional_friction;
    /// Vectors: the points of a hull, 4 to 2^20 (it keeps the 255 outermost at most), or the
    /// vertices of a mesh.
    WithySpan positions;
    /// Triples of u32, for a mesh. Seen from outside they run counterclockwise; in Unity clockwise.
    WithySpan triangles;
} WithyShapeDef;

/// How to create a body.
typedef struct WithyBodyDef {
    uint32_t struct_size;
    /// WITHY_BODY_INERTIA, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// `shape_count` shapes. A body without shapes touches nothing.
    const WithyShapeDef *shapes;
    /// At most 4096.
    uint32_t shape_count;
    /// WITHY_BODY_STATIC, WITHY_BODY_KINEMATIC or WITHY_BODY_DYNAMIC (the default).
    uint32_t motion;
    /// Where its frame is. Default: identity.
    WithyPose pose;
    /// Velocity of the centre of mass, host units/s. Default: 0. For dynamic bodies, as is `spin`.
    WithyVec3 velocity;
    /// Angular velocity, rad/s, about the axes of the world. Default: 0.
    WithyVec3 spin;
    /// kg, [1e-9, 1e12]. 0 (the default): it follows from the densities of the shapes. Else their
    /// mass and inertia are scaled to this mass.
    double mass;
    /// With WITHY_BODY_INERTIA: in the frame of the body, host units.
    WithyVec3 center_of_mass;
    /// With WITHY_BODY_INERTIA: the inertia tensor about the centre of mass, in the axes of the
    /// frame, kg m^2 with every convention, as xx, yy, zz, xy, xz, yz. The last three are entries
    /// of the tensor: minus the sum of m x y, and so on. Principal moments are within [1e-15,
    /// 1e18], and none is larger than the sum of the other two.
    double inertia[6];
    /// Factor of the gravity, [-1e6, 1e6]. Default: 1.
    double gravity_scale;
    /// Rate at which the velocity dies, 1/s, [0, 1e9]: a body that falls approaches gravity
    /// over this. Default: 0.
    double linear_damping;
    /// Rate at which the spin dies, 1/s, [0, 1e9]. Default: 0.05.
    double angular_damping;
    /// Speed limit, [1e-3, 1e9] m/s: a faster body is slowed down to it. 0 (the default): 500 m/s.
    double max_speed;
    /// Bodies with the same group do not collide with each other. 0 (the default): no group.
    uint32_t group;
    /// 1 (the default): the body falls asleep, and costs next to nothing, once it and all that it
    /// touches have rested for half a second. 0: never.
    uint32_t can_sleep;
    /// 1 (the default): it does not pass through static and kinematic bodies, however fast it
    /// flies. 0: it may. Two moving bodies never pass through each other on a straight way.
    uint32_t continuous;
    /// Must be 0.
    uint32_t reserved;
} WithyBodyDef;

/// Handle of a body.
typedef struct WithyBody {
    uint64_t bits;
} WithyBody;

/// A point where two surfaces touch or nearly touch: they are less than 2 cm apart, or could meet
/// within the step.
typedef struct WithyContact {
    /// The two bodies. One of them is null if `collider` is there instead.
    WithyBody body_a;
    WithyBody body_b;
    WithyCollider collider;
    /// On the surface, host units.
    WithyVec3 position;
    /// From a to b; its length is 1.
    WithyVec3 normal;
    /// Distance of the surfaces at the start of the step, host units. Negative where they overlap.
    double separation;
    /// Along the normal, in the last substep, N s. 0: they do not touch.
    double impulse;
    /// On body_b in the last substep, friction included, N, in the host's axes. The forces of all
    /// points of two shapes make up what one does to the other.
    WithyVec3 force;
    /// The torque about `position` that friction has besides, N m, in the host's axes.
    WithyVec3 torque;
    /// How fast the surfaces came together here at the start of the step, host units/s; negative
    /// where they parted. How hard something hit is this, or `impulse`.
    double approach;
} WithyContact;

/// Fills `def` with the defaults. Use the macro `withy_shape_def_init(&def)`.
WITHY_API int32_t withy_shape_def_init_sized(WithyShapeDef *def, uint32_t size);
#define withy_shape_def_init(d) \
    withy_shape_def_init_sized((d), (uint32_t)sizeof *(d))

/// Fills `def` with the defaults. Use the macro `withy_body_def_init(&def)`.
WITHY_API int32_t withy_body_def_init_sized(WithyBodyDef *def, uint32_t size);
#define withy_body_def_init(d) \
    withy_body_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Adds a body to a world. Everything in `def` is copied.
///
/// @param body Set on success. Destroy it with `withy_body_destroy`, or with its world.
WITHY_API
int32_t withy_body_create(WithyWorld world,
                          const WithyBodyDef *def,
                          WithyBody *body);

/// Writes. Removes a body, its joints and the attachments to it. What lay on it wakes.
WITHY_API int32_t withy_body_destroy(WithyBody body);

/// Writes. Puts a body somewhere else at once. Its velocity stays, and what touched it wakes.
///
/// @param pose Of the frame, host units.
WITHY_API int32_t withy_body_set_pose(WithyBody body, const WithyPose *pose);

/// Reads. The pose of its frame.
///
/// @param pose Set, in host units.
WITHY_API int32_t withy_body_get_pose(WithyBody body, WithyPose *pose);

/// Writes. Sets the motion of a dynamic body, and wakes it.
///
/// @param velocity Of the centre of mass, host units/s.
/// @param spin rad/s, about the axes of the world. NULL: 0.
WITHY_API
int32_t withy_body_set_velocity(WithyBody body,
                                const WithyVec3 *velocity,
                                const WithyVec3 *spin);

/// Reads. The motion of a body. That of a kinematic body is the motion of the last step.
///
/// @param velocity Of the centre of mass, host units/s. NULL: not wanted.
/// @param spin rad/s, about the axes of the world. NULL: not wanted.
WITHY_API
int32_t withy_body_get_velocity(WithyBody body,
                                WithyVec3 *velocity,
                                WithyVec3 *spin);

/// Writes. Says where a kinematic body is at the end of the next step. It moves there during the
/// step, pushes and drags what it touches, and stays there afterwards. It turns the shortest way:
/// take shorter steps for turns of more than a radian.
///
/// @param pose Of the frame, host units.
WITHY_API int32_t withy_body_set_target(WithyBody body, const WithyPose *pose);

/// Writes. Changes who moves a body that was created as WITHY_BODY_DYNAMIC. So a body can follow an
/// animation until something hits it. When it becomes dynamic it keeps its velocity.
///
/// @param motion WITHY_BODY_KINEMATIC or WITHY_BODY_DYNAMIC.
WITHY_API int32_t withy_body_set_motion(WithyBody body, uint32_t motion);

/// Writes. Applies a force and a torque to a dynamic body during the next step, and wakes it.
/// Several calls add up.
///
/// @param force N, in the host's axes. NULL: none.
/// @param torque N m, in the host's axes. NULL: none.
/// @param point Where the force acts, in the world, host units. NULL: at the centre of mass.
WITHY_API
int32_t withy_body_push(WithyBody body,
                        const WithyVec3 *force,
                        const WithyVec3 *torque,
                        const WithyVec3 *point);

/// Writes. Wakes a dynamic body, or puts it to sleep until something that it touches moves.
///
/// @param sleeping 1: sleep; refused if `can_sleep` is 0. 0: wake.
WITHY_API int32_t withy_body_set_sleeping(WithyBody body, uint32_t sleeping);

/// Reads. Mass and inertia of a body; all 0 if it is not dynamic.
///
/// @param mass kg. NULL: not wanted.
/// @param center_of_mass In its frame, host units. NULL: not wanted.
/// @param inertia Room for 6 numbers, as in WithyBodyDef. NULL: not wanted.
WITHY_API
int32_t withy_body_get_mass(WithyBody body,
                            double *mass,
                            WithyVec3 *center_of_mass,
                            double *inertia);

/// Reads. All bodies of a world: in the order of their creation, but a new body takes the place of
/// a destroyed one.
///
/// @param bodies Room for `*count` handles, or NULL to learn the count.
/// @param count Set to the number of bodies.
WITHY_API
int32_t withy_world_list_bodies(WithyWorld world,
                                WithyBody *bodies,
                                uint64_t *count);

/// Reads. Poses and motion of many bodies. A span that is NULL is not wanted; with NULL data its
/// count is set.
///
/// @param bodies `count` bodies of the world; NULL and WITHY_ALL: all.
/// @param positions Vectors: of the frames, host units.
/// @param rotations Quaternions: of the frames.
/// @param velocities Vectors: of the centres of mass, host units/s.
/// @param spins Vectors, rad/s.
/// @param sleeping u32: 1 for a body that sleeps.
WITHY_API
int32_t withy_world_read_bodies(WithyWorld world,
                                const WithyBody *bodies,
                                uint64_t count,
                                WithySpan *positions,
                                WithySpan *rotations,
                                WithySpan *velocities,
                                WithySpan *spins,
                                WithySpan *sleeping);

/// Writes. Sets poses and motion of many bodies, as `withy_body_set_pose` and
/// `withy_body_set_velocity`. A span that is NULL changes nothing; the others have one element for
/// each body.
///
/// @param bodies `count` bodies of the world; NULL and WITHY_ALL: all.
/// @param positions Vectors: of the frames, host units.
/// @param rotations Quaternions: of the frames.
/// @param velocities Vectors: of the centres of mass, host units/s. For dynamic bodies.
/// @param spins Vectors, rad/s. For dynamic bodies.
WITHY_API
int32_t withy_world_write_bodies(WithyWorld world,
                                 const WithyBody *bodies,
                                 uint64_t count,
                                 const WithySpan *positions,
                                 const WithySpan *rotations,
                                 const WithySpan *velocities,
                                 const WithySpan *spins);

/// Writes. Sets targets of many kinematic bodies, as `withy_body_set_target`.
///
/// @param bodies `count` kinematic bodies; NULL and WITHY_ALL: all bodies, which must all be
///     kinematic.
/// @param positions Vectors, one a body, host units.
/// @param rotations Quaternions, one a body. NULL: they keep theirs.
WITHY_API
int32_t withy_world_set_body_targets(WithyWorld world,
                                     const WithyBody *bodies,
                                     uint64_t count,
                                     const WithySpan *positions,
                                     const WithySpan *rotations);

/// Writes. Applies forces at the centres of mass, and torques, to many dynamic bodies, as
/// `withy_body_push`.
///
/// @param bodies `count` dynamic bodies; NULL and WITHY_ALL: all bodies, which must all be dynamic.
/// @param forces Vectors, one a body, N. NULL: none.
/// @param torques Vectors, one a body, N m. NULL: none.
WITHY_API
int32_t withy_world_push_bodies(WithyWorld world,
                                const WithyBody *bodies,
                                uint64_t count,
                                const WithySpan *forces,
                                const WithySpan *torques);

/// Reads. The contacts of bodies with bodies and colliders in the last step.
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
 * A joint connects two bodies, or one body and the world. It has a frame in each body, and holds
 * how the two frames stand to each other.
 *
 * The axes of a frame are d1, d2 and d3. d3 is the axis of twist: the axis of a hinge, the
 * direction of a limb, the tangent of an arc. A joint swings or bends about d1 and d2. In the
 * frame's local axes they are
 *
 *                 SI, Maya   Unreal   Unity   Blender
 *     d1          x          x        -x      x
 *     d2          y          z        y       z
 *     d3          z          y        z       -y
 *
 * With WITHY_CONVENTION_SI these rotations of a frame turn d3 up, down, along +x and along -x:
 * {-r, 0, 0, r}, {r, 0, 0, r}, {0, r, 0, r} and {0, -r, 0, r}, where r is sqrt(0.5).
 *
 * Arrays of 2 numbers are for d1 and d2, arrays of 3 for d1, d2 and d3. Angles are those of frame
 * b seen from frame a, in the host's sense of rotation.
 */

/// The origins of the frames stay together. `swing` and `twist` limit the angles. The default.
#define WITHY_JOINT_BALL 0
/// The origins and d3 stay together. `twist` limits the angle about d3.
#define WITHY_JOINT_HINGE 1
/// The frames stay together.
#define WITHY_JOINT_FIXED 2
/// The origins stay between `least` and `most` apart.
#define WITHY_JOINT_DISTANCE 3
/// An elastic rod connects the frames: it bends and twists but does not stretch, and has the shape
/// of a circular arc that leaves both frames along d3 (Lewin 2013). One arc does for a whole spine,
/// neck or tail. `arc` is its stiffness; `swing` and `twist` limit its bend and twist. In both
/// frames d3 points along the arc from a to b; a new arc whose frames lean by more than 90 degrees
/// from that is refused.
#define WITHY_JOINT_ARC 4
/// A flag: `frame_a` and `frame_b` are given in the world, where the bodies are now, and not in the
/// frames of the bodies.
#define WITHY_JOINT_WORLD_FRAMES 1
/// A flag: the arc takes `relaxation` in place of `bend` and `twist`.
#define WITHY_JOINT_ARC_RELAXATION 2

/// The rod of a WITHY_JOINT_ARC.
typedef struct WithyArc {
    /// Host units, [1e-9, 1e9] m. 0 (the default): the length of the arc through both frames as
    /// they are.
    double length;
    /// Bending stiffness EI about d1 and d2, N m^2 with every convention, 0 or more. INFINITY: it
    /// does not bend. Default: 0.
    double bend[2];
    /// Twisting stiffness GJ, N m^2 with every convention, 0 or more. INFINITY: it does not twist.
    /// Default: 0.
    double twist;
    /// Internal friction, s, [0, 1e6]: the viscosity over the stiffness (Kelvin-Voigt). Default: 0.
    double viscosity;
    /// Bend about d1 and d2, and twist about d3, at rest, rad over the whole length, each within
    /// half a turn. Default: 0, straight.
    double rest[3];
    /// With WITHY_JOINT_ARC_RELAXATION: the part of the bend, and of the twist, that an iteration
    /// takes back, [0, 1] (Lewin 2013). The effect depends on the step and the iterations.
    double relaxation[2];
} WithyArc;

/// A spring and a damper about each axis, between the frames of a joint of any kind but
/// WITHY_JOINT_FIXED. It can be very stiff without shaking.
///
/// A motor of damping alone, with a limit, is friction: such a hinge stays where it is left. It
/// holds what needs less than `max_torque`, and slows down the rest by that torque. What it holds
/// creeps, a limb by some 1e-4 rad/s, until it sleeps.
///
///     WithyMotor friction;
///     withy_motor_init(&friction);
///     friction.damping[0] = friction.damping[1] = friction.damping[2] = INFINITY;
///     friction.max_torque = 5;
///     withy_joint_set_motor(joint, &friction);
///
/// A joint has one motor. One that follows a target has friction only as its damping.
typedef struct WithyMotor {
    /// N m/rad, 0 or more. INFINITY: as stiff as the solver can make it. Default: 0.
    double stiffness[3];
    /// N m s/rad, 0 or more. INFINITY: the spin is `speed`. Default: 0.
    double damping[3];
    /// Rotation of frame b in frame a that the stiffness pulls to, at the end of the next step. The
    /// target moves there evenly during the step. Default: identity.
    WithyQuat target;
    /// Spin of b in a, about d1, d2, d3 of frame a, that the damping pulls to, rad/s, [-1e6, 1e6].
    /// Default: 0.
    double speed[3];
    /// Limit of the torque about all three axes together, N m, 0 or more. INFINITY (the default):
    /// no limit.
    double max_torque;
} WithyMotor;

/// How to create a joint.
typedef struct WithyJointDef {
    uint32_t struct_size;
    /// WITHY_JOINT_ flags, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// The first body. Null (the default): the world.
    WithyBody body_a;
    /// The second body, in the same world. Required.
    WithyBody body_b;
    /// In the frame of body_a, or in the world if there is none. Default: identity.
    WithyPose frame_a;
    /// In the frame of body_b. Default: identity.
    WithyPose frame_b;
    /// A WITHY_JOINT_ kind. Default: WITHY_JOINT_BALL.
    uint32_t kind;
    /// 1: the two bodies may touch. 0 (the default): they do not collide as long as the joint is
    /// enabled.
    uint32_t collide;
    /// Of a ball: half angles of the cone in which d3 swings, about d1 and d2, [0, pi] rad. Of
    /// an arc: the same for its bend over the whole length, from straight. pi for both (the
    /// default): no limit.
    double swing[2];
    /// Of a ball, a hinge or an arc: least and most angle about d3, [-pi, pi] rad. A hinge counts
    /// its turns: [-20 pi, 20 pi] rad, or infinite. -pi and pi (the default): no limit.
    double twist[2];
    /// Of a distance joint: least distance, host units, [0, 1e9] m. Default: 0.
    double least;
    /// Of a distance joint: largest distance, host units, [0, 1e9] m. Default: 0.
    double most;
    /// Of an arc: the rod.
    WithyArc arc;
    /// NULL (the default): none. The struct is copied.
    const WithyMotor *motor;
    /// The joint breaks where its force, as `withy_joint_get_force` tells it, is larger in a step,
    /// N, above 0. It is then switched off and `withy_world_read_broken_joints` names it. INFINITY
    /// (the default): never.
    double break_force;
    /// The same for the torque, N m, above 0. INFINITY (the default): never.
    double break_torque;
} WithyJointDef;

/// Handle of a joint.
typedef struct WithyJoint {
    uint64_t bits;
} WithyJoint;

/// A joint that broke.
typedef struct WithyBrokenJoint {
    /// It is off. Destroy it, or switch it on to mend it.
    WithyJoint joint;
    /// What it held in the step, N.
    double force;
    /// The same, N m.
    double torque;
} WithyBrokenJoint;

/// Fills `def` with the defaults. Use the macro `withy_joint_def_init(&def)`.
WITHY_API int32_t withy_joint_def_init_sized(WithyJointDef *def, uint32_t size);
#define withy_joint_def_init(d) \
    withy_joint_def_init_sized((d), (uint32_t)sizeof *(d))

/// Fills `motor` with one that drives nothing. The struct has no size field; it never changes.
WITHY_API int32_t withy_motor_init(WithyMotor *motor);

/// Writes. Adds a joint to the world of its bodies. If the frames do not stand as the joint holds
/// them, the next steps pull them there. The joint is removed with either body.
///
/// @param joint Set on success.
WITHY_API int32_t withy_joint_create(const WithyJointDef *def, WithyJoint *joint);

/// Writes. Removes a joint.
WITHY_API int32_t withy_joint_destroy(WithyJoint joint);

/// Writes. Makes a joint what `def` says: kind, frames, limits, stiffness, motor and strength. The
/// bodies must stay the same. Nothing jerks: forces in what the joint held before and still holds
/// go on.
WITHY_API int32_t withy_joint_change(WithyJoint joint, const WithyJointDef *def);

/// Writes. Changes the limits of a ball, an arc or a hinge.
///
/// @param swing Two half angles, as in the def. NULL: no change; for a hinge, too.
/// @param twist Least and most angle, as in the def. NULL: no change.
WITHY_API
int32_t withy_joint_set_limits(WithyJoint joint,
                               const double *swing,
                               const double *twist);

/// Writes. Gives a joint a motor, or changes or removes the one that it has.
///
/// @param motor NULL: none.
WITHY_API int32_t withy_joint_set_motor(WithyJoint joint, const WithyMotor *motor);

/// Writes. Switches a joint on or off. One that is off holds nothing, and its bodies may touch.
///
/// @param enabled 1: on, as at creation. 0: off.
WITHY_API int32_t withy_joint_set_enabled(WithyJoint joint, uint32_t enabled);

/// Reads. Whether a joint is on: 1 or 0. One that broke is off.
WITHY_API int32_t withy_joint_get_enabled(WithyJoint joint, uint32_t *enabled);

/// Reads. What a joint did to its body b in the last step, its motor and limits included: the mean
/// over the step. Body a got the opposite. Asleep, a joint tells what it held last; off, 0.
///
/// @param force N, in the host's axes. NULL: not wanted.
/// @param torque About the origin of frame b, N m, in the host's axes. NULL: not wanted.
WITHY_API
int32_t withy_joint_get_force(WithyJoint joint,
                              WithyVec3 *force,
                              WithyVec3 *torque);

/// Reads. How frame b of a joint of any kind is turned against frame a, as limits count it: how far
/// a door is open is the twist of its hinge.
///
/// @param swing Two numbers: the bend about d1 and d2, rad. NULL: not wanted.
/// @param twist The angle about d3, rad: of hinges with whole turns, of others within [-pi, pi].
///     NULL: not wanted.
WITHY_API int32_t withy_joint_get_angles(WithyJoint joint, double *swing, double *twist);

/// Reads. How far the frames are from where the joint holds them.
///
/// @param distance Host units. NULL: not wanted.
/// @param angle rad, 0 or more. NULL: not wanted.
WITHY_API int32_t withy_joint_get_error(WithyJoint joint, double *distance, double *angle);

/// Reads. The length of an arc, host units, also if the library chose it. 0 for other kinds.
WITHY_API int32_t withy_joint_get_length(WithyJoint joint, double *length);

/// Writes. Sets motors of many joints, as `withy_joint_set_motor`.
///
/// @param joints `count` joints of the world.
/// @param motors `count` motors.
WITHY_API
int32_t withy_world_set_motors(WithyWorld world,
                               const WithyJoint *joints,
                               uint64_t count,
                               const WithyMotor *motors);

/// Reads. Errors of many joints, as `withy_joint_get_error`. A joint that is far off has to hold
/// more than it can. For the force itself see `withy_world_read_joint_forces`.
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

/// Reads. Forces of many joints, as `withy_joint_get_force`.
///
/// @param joints `count` joints of the world.
/// @param forces Vectors, N. NULL: not wanted.
/// @param torques Vectors, N m. NULL: not wanted.
WITHY_API
int32_t withy_world_read_joint_forces(WithyWorld world,
                                      const WithyJoint *joints,
                                      uint64_t count,
                                      WithySpan *forces,
                                      WithySpan *torques);

/// Reads. The joints that broke in the last step.
///
/// Joints that have been destroyed since are left out.
///
/// @param broken Room for `*count` structs, or NULL to learn the count.
/// @param count Set to the number of joints that broke.
WITHY_API
int32_t withy_world_read_broken_joints(WithyWorld world,
                                       WithyBrokenJoint *broken,
                                       uint64_t *count);

/* ===============================================================================================
 * Meshes
 *
 * Triangle meshes that strands can be tied to: a scalp, a piece of cloth, a soft box. The host
 * moves the vertices, and may read how far the strands pull them. A WITHY_MESH_ELASTIC mesh is
 * simulated here. A WITHY_MESH_COLLIDES mesh stops strands: a skinned head.
 */

/// A flag: the edges are springs, and steps move the vertices.
#define WITHY_MESH_ELASTIC 1
/// A flag: strands do not go through the mesh, wherever the host moves and bends it: a head with
/// its face, a dress. Call `withy_mesh_set_positions` in every frame. Only the front is felt, where
/// triangles run counterclockwise (clockwise in Unity). What is a few radii behind it comes out
/// slowly; what is deeper is not felt.
/// Rigid bodies do not meet the mesh. Not with WITHY_MESH_ELASTIC. A world on the GPU has such
/// meshes, and no others.
#define WITHY_MESH_COLLIDES 2
/// A flag, with WITHY_MESH_COLLIDES: the mesh is felt from both sides, as cloth. A strand stays on
/// the side on which it is.
#define WITHY_MESH_BOTH_SIDES 4

/// How to create a mesh.
typedef struct WithyMeshDef {
    uint32_t struct_size;
    /// WITHY_MESH_ flags, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// Vectors, host units, 1 to 2^24 vertices. Required.
    WithySpan positions;
    /// Triples of u32. Required.
    WithySpan triangles;
    /// Numbers, one a vertex: 1/mass, 1/kg, [0, 1e12]. 0: only the host moves this vertex. Default:
    /// none, 0 for all.
    WithySpan inv_masses;
    /// Pairs of u32: more springs, such as the diagonals of a box. Default: none.
    WithySpan extra_edges;
    /// With WITHY_MESH_ELASTIC: how far an edge gives, m/N, [0, 1e12]. Default: 0, rigid.
    double edge_compliance;
    /// With WITHY_MESH_ELASTIC: rate at which the motion of the vertices dies, 1/s, [0, 1e9].
    /// Default: 0.
    double drag;
    /// With WITHY_MESH_COLLIDES: Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean
    /// of both sides. Default: 0.5.
    double friction;
    /// With WITHY_MESH_COLLIDES: the layers that the mesh is in. Default: 1.
    uint32_t category;
    /// With WITHY_MESH_COLLIDES: the layers that it meets, as in WithyRodsDef. Default: all.
    uint32_t mask;
} WithyMeshDef;

/// Handle of a mesh.
typedef struct WithyMesh {
    uint64_t bits;
} WithyMesh;

/// Fills `def` with the defaults. Use the macro `withy_mesh_def_init(&def)`.
WITHY_API int32_t withy_mesh_def_init_sized(WithyMeshDef *def, uint32_t size);
#define withy_mesh_def_init(d) \
    withy_mesh_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Adds a mesh to a world. Everything in `def` is copied.
///
/// @param mesh Set on success. Destroy it with `withy_mesh_destroy`, or with its world.
/// @return WITHY_ERROR_UNSUPPORTED: the world is on the GPU, and the mesh has no
///     WITHY_MESH_COLLIDES.
WITHY_API
int32_t withy_mesh_create(WithyWorld world,
                          const WithyMeshDef *def,
                          WithyMesh *mesh);

/// Writes. Removes a mesh, and the attachments to it.
WITHY_API int32_t withy_mesh_destroy(WithyMesh mesh);

/// Writes. Says where the vertices are at the end of the next step. They move there during the
/// step. Of an elastic mesh only vertices of inverse mass 0 move, unless they are teleported. The
/// corrections start again from 0.
///
/// @param positions Vectors, one a vertex, host units.
/// @param teleport 1: all vertices jump there, and rest. 0: they move there.
WITHY_API
int32_t withy_mesh_set_positions(WithyMesh mesh,
                                 const WithySpan *positions,
                                 uint32_t teleport);

/// Reads. The positions.
///
/// @param out Vectors, one a vertex, host units.
WITHY_API int32_t withy_mesh_read_positions(WithyMesh mesh, WithySpan *out);

/// Reads. How far the strands have pulled each vertex since `withy_mesh_set_positions`. A host that
/// simulates the mesh itself adds this to its own positions.
///
/// @param out Vectors, one a vertex, host units.
WITHY_API int32_t withy_mesh_read_corrections(WithyMesh mesh, WithySpan *out);

/* ===============================================================================================
 * Points on a surface
 *
 * Roots of hair on a scalp that a host skins: bind them once to the mesh, and in every frame ask
 * where they are and how far they have turned, for `withy_rods_set_root_poses` or
 * `withy_render_hair_set_roots`. These functions enter no world and keep nothing: what binds the
 * points are two arrays of yours, which can be saved. Lengths are in any unit, axes are any.
 */

/// Binds points to the nearest triangles of a mesh.
///
/// @param positions Vectors, the vertices of the mesh.
/// @param triangles Triples of u32.
/// @param points Vectors, near the mesh.
/// @param corners Set: triples of u32, one a point: the corners of its triangle.
/// @param coordinates Set: three numbers a point: what the second and the third corner have of it,
///     and how far it is before the triangle (behind it: less than 0).
WITHY_API
int32_t withy_surface_bind(const WithySpan *positions,
                           const WithySpan *triangles,
                           const WithySpan *points,
                           WithySpan *corners,
                           WithySpan *coordinates);

/// Where bound points are now, and how far they have turned since they were bound. It allocates as
/// much as the mesh is large.
///
/// @param bind_positions Vectors, the vertices to which the points were bound.
/// @param positions Vectors, the same vertices now.
/// @param corners Triples of u32, as `withy_surface_bind` has set them.
/// @param coordinates Three numbers a point, as it has set them.
/// @param points Set: vectors, one a point. NULL: not wanted.
/// @param rotations Set: quaternions, one a point. NULL: not wanted.
WITHY_API
int32_t withy_surface_follow(const WithySpan *bind_positions,
                             const WithySpan *positions,
                             const WithySpan *corners,
                             const WithySpan *coordinates,
                             WithySpan *points,
                             WithySpan *rotations);

/* ===============================================================================================
 * Skins
 *
 * A mesh that follows rods: the surface of a muscle, an arm, an octopus. Each vertex holds on to up
 * to four edges of the rods. It moves, turns, stretches and swells as they do. A skin holds no
 * state: read it whenever the rods have moved, after a step or after
 * `withy_world_restore_state`.
 */

/// How to create a skin.
typedef struct WithySkinDef {
    uint32_t struct_size;
    /// Must be 0.
    uint32_t flags;
    const void *next;
    /// Vectors, one a vertex, host units: the mesh around the rods as they are now. Required.
    WithySpan positions;
    /// Triples of u32. Vertices at the same place get the same weights, as at the seams of a
    /// texture. Default: none.
    WithySpan triangles;
    /// Vectors, one a vertex, of any length. Default: those of the triangles, which run
    /// counterclockwise seen from outside (clockwise in Unity).
    WithySpan normals;
    /// Vectors, one a vertex, of any length. Default: none, the skin has no tangents.
    WithySpan tangents;
    /// `rods_count` sets of rods, of the same world. Required.
    const WithyRods *rods;
    /// 1 to 4096. All have 65536 edges at most.
    uint32_t rods_count;
    /// Must be 0.
    uint32_t reserved;
    /// Four of u32 a vertex, for weights that the host made: the edges it holds on to, counted
    /// through all strands of all rods in their order. Goes with `weights`. Default: none, weights
    /// are made from the distances to the edges and their radii.
    WithySpan edges;
    /// Four numbers a vertex, at least 0. They need not add up to 1, but to 1e-12 at least.
    WithySpan weights;
    /// How far the weight of an edge is felt outside of its radius, in mean radii of the rods,
    /// (0, 100]. Default: 0.25.
    double softness;
    /// How far weights are smoothed over the mesh, in mean radii of the rods, [0, 100]. Default:
    /// 0.5.
    double fairing;
} WithySkinDef;

/// Handle of a skin.
typedef struct WithySkin {
    uint64_t bits;
} WithySkin;

/// Fills `def` with the defaults. Use the macro `withy_skin_def_init(&def)`.
WITHY_API int32_t withy_skin_def_init_sized(WithySkinDef *def, uint32_t size);
#define withy_skin_def_init(d) \
    withy_skin_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Binds a mesh to rods as they are now, and adds it to a world. Everything in `def` is
/// copied.
///
/// Vertices that no triangle has, edges that many triangles share and triangles without area are
/// accepted.
///
/// @param skin Set on success. Destroy it with `withy_skin_destroy`, or with its world.
WITHY_API
int32_t withy_skin_create(WithyWorld world,
                          const WithySkinDef *def,
                          WithySkin *skin);

/// Writes. Adds a saved skin to a world. The rods may be anywhere, but must have the strands that
/// the skin was bound to.
///
/// @param rods `rods_count` sets of rods, in the order of the skin that was saved.
/// @param rods_count 1 to 4096.
/// @param data `size` bytes of `withy_skin_save`.
/// @param size Number of bytes.
/// @param skin Set on success.
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the bytes are damaged, of another version, or of
///     other rods.
WITHY_API
int32_t withy_skin_load(WithyWorld world,
                        const WithyRods *rods,
                        uint32_t rods_count,
                        const void *data,
                        uint64_t size,
                        WithySkin *skin);

/// Writes. Removes a skin.
WITHY_API int32_t withy_skin_destroy(WithySkin skin);

/// Reads. Writes the skin with its weights into `data`, for `withy_skin_load`. The bytes are the
/// same on all machines.
///
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the skin.
WITHY_API int32_t withy_skin_save(WithySkin skin, void *data, uint64_t *size);

/// Reads. Where the rods take the mesh now. The call allocates memory; it runs on the context's
/// threads. In a world on the GPU the mesh is made there, and nothing of the rods is read.
///
/// @param out Vectors, one a vertex, host units.
/// @return WITHY_ERROR_INVALID_HANDLE: also if one of the rods has been destroyed.
///     WITHY_ERROR_INVALID_ARGUMENT: also if the rods have flown farther than 1e9 m.
WITHY_API int32_t withy_skin_read_positions(WithySkin skin, WithySpan *out);

/// Reads. Normals of the mesh where the rods take it now.
///
/// @param out Vectors of length 1, one a vertex.
/// @return As `withy_skin_read_positions`.
WITHY_API int32_t withy_skin_read_normals(WithySkin skin, WithySpan *out);

/// Reads. Tangents of the mesh where the rods take it now. Refused if the skin has none.
///
/// @param out Vectors of length 1, one a vertex.
/// @return As `withy_skin_read_positions`.
WITHY_API int32_t withy_skin_read_tangents(WithySkin skin, WithySpan *out);

/// Reads. The edges that each vertex holds on to, and its weights, to show or to paint them.
/// Weights add up to 1, in steps of 1/65535; an edge with weight 0 is not used.
///
/// @param edges Four of u32 a vertex, as in WithySkinDef, or NULL.
/// @param weights Four numbers a vertex, or NULL.
WITHY_API
int32_t withy_skin_read_weights(WithySkin skin,
                                WithySpan *edges,
                                WithySpan *weights);

/* ===============================================================================================
 * Attachments
 *
 * An attachment ties the end of a strand to a triangle, to a body or to other strands. The end
 * must be WITHY_SUPPORT_FREE, and can have one attachment. Both sides pull on each other, by their
 * masses.
 */

/// The first vertex of a strand.
#define WITHY_END_ROOT 0
/// The last vertex of a strand.
#define WITHY_END_TIP 1

/// A flag: the end also turns with the triangle or the body. Without it the strand turns freely.
#define WITHY_ATTACH_CLAMPED 1

/// One end of one strand.
typedef struct WithyStrandEnd {
    WithyRods rods;
    /// The number of the strand in the set.
    uint32_t strand;
    /// A WITHY_END_ value.
    uint32_t end;
} WithyStrandEnd;

/// How to tie a strand to a triangle.
typedef struct WithyTriangleAttachmentDef {
    uint32_t struct_size;
    /// WITHY_ATTACH_CLAMPED, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// The end that is tied. Required.
    WithyStrandEnd end;
    /// In the same world. Required.
    WithyMesh mesh;
    /// The number of the triangle in the mesh. Default: 0.
    uint32_t triangle;
    /// Must be 0.
    uint32_t reserved;
    /// Where on the triangle, as weights of its three vertices. They add up to 1 within 1e-3.
    /// Default: the middle.
    double barycentric[3];
} WithyTriangleAttachmentDef;

/// Handle of an attachment.
typedef struct WithyAttachment {
    uint64_t bits;
} WithyAttachment;

/// How to tie a strand to a body.
typedef struct WithyBodyAttachmentDef {
    uint32_t struct_size;
    /// WITHY_ATTACH_CLAMPED, or 0 (the default).
    uint32_t flags;
    const void *next;
    /// The end that is tied. Required.
    WithyStrandEnd end;
    /// In the same world. Required.
    WithyBody body;
} WithyBodyAttachmentDef;

/// How to join ends of strands to each other.
typedef struct WithyJunctionDef {
    uint32_t struct_size;
    uint32_t flags;
    const void *next;
    /// `end_count` different ends, all in one world.
    const WithyStrandEnd *ends;
    /// 2 to 65,536.
    uint32_t end_count;
    /// Must be 0.
    uint32_t reserved;
    /// Size of the small body that joins the ends, host units, [1e-9, 1e3] m: with the mass it
    /// gives the resistance to turning. 0 (the default): the mean length of the edges that meet.
    double radius;
    /// Mass of that body, kg, [1e-12, 1e9]. 0 (the default): the mass of the vertices that meet;
    /// they keep theirs.
    double mass;
} WithyJunctionDef;

/// Fills `def` with the defaults. Use the macro `withy_triangle_attachment_def_init(&def)`.
WITHY_API
int32_t withy_triangle_attachment_def_init_sized(WithyTriangleAttachmentDef *def,
                                                 uint32_t size);
#define withy_triangle_attachment_def_init(d) \
    withy_triangle_attachment_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Ties the end of a strand to a point of a triangle. If the end is elsewhere the next
/// steps pull it there.
///
/// A mesh vertex of inverse mass 0 does not give. Others need at least a fiftieth of the strand's
/// mass to carry it. Stiff strands that are clamped to an elastic mesh may gain energy.
///
/// @param attachment Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: the world is on the GPU.
WITHY_API
int32_t withy_attachment_create_triangle(const WithyTriangleAttachmentDef *def,
                                         WithyAttachment *attachment);

/// Fills `def` with the defaults. Use the macro `withy_body_attachment_def_init(&def)`.
WITHY_API
int32_t withy_body_attachment_def_init_sized(WithyBodyAttachmentDef *def,
                                             uint32_t size);
#define withy_body_attachment_def_init(d) \
    withy_body_attachment_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Ties the end of a strand to a body, at the point where the end is now. Static and
/// kinematic bodies do not give. The body falls asleep together with all that hangs on it, and the
/// attachment is destroyed with it.
///
/// Tie it at the surface, or where the layers of rods and body do not meet: a strand that runs
/// inside a body which it touches is pressed out of it, and pulls many times as hard.
///
/// @param attachment Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: the world is on the GPU.
WITHY_API
int32_t withy_attachment_create_body(const WithyBodyAttachmentDef *def,
                                     WithyAttachment *attachment);

/// Fills `def` with the defaults. Use the macro `withy_junction_def_init(&def)`.
WITHY_API int32_t withy_junction_def_init_sized(WithyJunctionDef *def, uint32_t size);
#define withy_junction_def_init(d) \
    withy_junction_def_init_sized((d), (uint32_t)sizeof *(d))

/// Writes. Joins ends of strands rigidly to each other, for trees, nets and loops. The ends are
/// moved to the mean of their positions. The angles between them stay as they are now.
///
/// @param attachment Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: the world is on the GPU.
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
WITHY_ASSERT(sizeof(WithyShapeDef) == 256);
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
WITHY_ASSERT(offsetof(WithyShapeDef, rolling_friction) == 176);
WITHY_ASSERT(offsetof(WithyShapeDef, torsional_friction) == 184);
WITHY_ASSERT(offsetof(WithyShapeDef, positions) == 192);
WITHY_ASSERT(offsetof(WithyShapeDef, triangles) == 224);
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
WITHY_ASSERT(sizeof(WithyContact) == 144);
WITHY_ASSERT(offsetof(WithyContact, body_a) == 0);
WITHY_ASSERT(offsetof(WithyContact, body_b) == 8);
WITHY_ASSERT(offsetof(WithyContact, collider) == 16);
WITHY_ASSERT(offsetof(WithyContact, position) == 24);
WITHY_ASSERT(offsetof(WithyContact, normal) == 48);
WITHY_ASSERT(offsetof(WithyContact, separation) == 72);
WITHY_ASSERT(offsetof(WithyContact, impulse) == 80);
WITHY_ASSERT(offsetof(WithyContact, force) == 88);
WITHY_ASSERT(offsetof(WithyContact, torque) == 112);
WITHY_ASSERT(offsetof(WithyContact, approach) == 136);
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
WITHY_ASSERT(sizeof(WithyJointDef) == 304);
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
WITHY_ASSERT(offsetof(WithyJointDef, break_force) == 288);
WITHY_ASSERT(offsetof(WithyJointDef, break_torque) == 296);
WITHY_ASSERT(sizeof(WithyJoint) == 8);
WITHY_ASSERT(offsetof(WithyJoint, bits) == 0);
WITHY_ASSERT(sizeof(WithyBrokenJoint) == 24);
WITHY_ASSERT(offsetof(WithyBrokenJoint, joint) == 0);
WITHY_ASSERT(offsetof(WithyBrokenJoint, force) == 8);
WITHY_ASSERT(offsetof(WithyBrokenJoint, torque) == 16);
WITHY_ASSERT(sizeof(WithyMeshDef) == 176);
WITHY_ASSERT(offsetof(WithyMeshDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithyMeshDef, flags) == 4);
WITHY_ASSERT(offsetof(WithyMeshDef, next) == 8);
WITHY_ASSERT(offsetof(WithyMeshDef, positions) == 16);
WITHY_ASSERT(offsetof(WithyMeshDef, triangles) == 48);
WITHY_ASSERT(offsetof(WithyMeshDef, inv_masses) == 80);
WITHY_ASSERT(offsetof(WithyMeshDef, extra_edges) == 112);
WITHY_ASSERT(offsetof(WithyMeshDef, edge_compliance) == 144);
WITHY_ASSERT(offsetof(WithyMeshDef, drag) == 152);
WITHY_ASSERT(offsetof(WithyMeshDef, friction) == 160);
WITHY_ASSERT(offsetof(WithyMeshDef, category) == 168);
WITHY_ASSERT(offsetof(WithyMeshDef, mask) == 172);
WITHY_ASSERT(sizeof(WithyMesh) == 8);
WITHY_ASSERT(offsetof(WithyMesh, bits) == 0);
WITHY_ASSERT(sizeof(WithySkinDef) == 240);
WITHY_ASSERT(offsetof(WithySkinDef, struct_size) == 0);
WITHY_ASSERT(offsetof(WithySkinDef, flags) == 4);
WITHY_ASSERT(offsetof(WithySkinDef, next) == 8);
WITHY_ASSERT(offsetof(WithySkinDef, positions) == 16);
WITHY_ASSERT(offsetof(WithySkinDef, triangles) == 48);
WITHY_ASSERT(offsetof(WithySkinDef, normals) == 80);
WITHY_ASSERT(offsetof(WithySkinDef, tangents) == 112);
WITHY_ASSERT(offsetof(WithySkinDef, rods) == 144);
WITHY_ASSERT(offsetof(WithySkinDef, rods_count) == 152);
WITHY_ASSERT(offsetof(WithySkinDef, reserved) == 156);
WITHY_ASSERT(offsetof(WithySkinDef, edges) == 160);
WITHY_ASSERT(offsetof(WithySkinDef, weights) == 192);
WITHY_ASSERT(offsetof(WithySkinDef, softness) == 224);
WITHY_ASSERT(offsetof(WithySkinDef, fairing) == 232);
WITHY_ASSERT(sizeof(WithySkin) == 8);
WITHY_ASSERT(offsetof(WithySkin, bits) == 0);
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
