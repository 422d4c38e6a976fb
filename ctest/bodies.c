/* Rigid bodies from C: a box that comes to rest, a spine of one arc joint, a door, calls for many, bad numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <withy_bodies.h>
#include <withy_expert.h>

#include "checks.h"

static WithyContext context;
static WithyWorld world;

static void begin(uint32_t convention) {
    WithyContextDef def;
    withy_context_def_init(&def);
    def.convention = convention;
    OK(withy_context_create(&def, &context));
    OK(withy_world_create(context, NULL, &world));
}

static WithyBody body(WithyShapeDef *shape, uint32_t motion, double x, double y, double z) {
    WithyBodyDef def;
    WithyBody out = {0};
    withy_body_def_init(&def);
    def.shapes = shape;
    def.shape_count = shape ? 1 : 0;
    def.motion = motion;
    def.pose.position.x = x;
    def.pose.position.y = y;
    def.pose.position.z = z;
    OK(withy_body_create(world, &def, &out));
    return out;
}

static WithyShapeDef box(double x, double y, double z) {
    WithyShapeDef shape;
    withy_shape_def_init(&shape);
    shape.shape = WITHY_SHAPE_BOX;
    shape.half_extents.x = x;
    shape.half_extents.y = y;
    shape.half_extents.z = z;
    return shape;
}

static void steps(int n) {
    while (n-- > 0) OK(withy_world_step(world, 1.0 / 60.0));
}

static void a_box_comes_to_rest(void) {
    begin(WITHY_CONVENTION_SI);
    WithyShapeDef ground, cube = box(0.2, 0.3, 0.4);
    withy_shape_def_init(&ground);
    ground.shape = WITHY_SHAPE_PLANE;
    WithyBody floor = body(&ground, WITHY_BODY_STATIC, 0, 0, 0);
    WithyBody falling = body(&cube, WITHY_BODY_DYNAMIC, 0, 0.6, 0);
    double mass = 0, inertia[6];
    OK(withy_body_get_mass(falling, &mass, NULL, inertia));
    EXPECT(fabs(mass - 1000 * 0.4 * 0.6 * 0.8) < 1e-9);
    EXPECT(fabs(inertia[0] - mass / 12 * (0.6 * 0.6 + 0.8 * 0.8)) < 1e-9 && fabs(inertia[3]) < 1e-9);
    steps(150);
    WithyBody all[2];
    float positions[2][3], rotations[2][4], velocities[2][3];
    uint32_t asleep[2];
    uint64_t count = 2;
    OK(withy_world_list_bodies(world, all, &count));
    EXPECT(count == 2 && all[0].bits == floor.bits && all[1].bits == falling.bits);
    WithySpan p = f32(positions, 2), r = f32(rotations, 2), v = f32(velocities, 2), s = u32(asleep, 2);
    OK(withy_world_read_bodies(world, NULL, WITHY_ALL, &p, &r, &v, NULL, &s));
    EXPECT(fabsf(positions[1][1] - 0.3f) < 0.005f && rotations[1][3] > 0.999f && asleep[1] == 1);
    WithyContact contacts[16];
    count = 16;
    OK(withy_world_read_contacts(world, contacts, &count));
    EXPECT(count == 4 && contacts[0].body_a.bits == floor.bits && contacts[0].body_b.bits == falling.bits);
    EXPECT(contacts[0].normal.y > 0.999 && contacts[0].collider.bits == 0);
    double weight = 0;
    for (uint64_t i = 0; i < count; i++) weight += contacts[i].impulse;
    /* Of the last substep that was solved; 8 in a 60th of a second. */
    EXPECT(fabs(weight * 480 / (mass * 9.81) - 1) < 0.05);
    OK(withy_body_set_sleeping(falling, 0));
    steps(1);
    WithyStepStats stats;
    OK(withy_world_read_stats(world, &stats));
    EXPECT(stats.bodies == 2 && stats.awake_bodies == 1 && stats.islands == 1 && stats.body_contacts <= 1);
    OK(withy_context_destroy(context));
}

/* Two capsules, one above the other, and an arc between their ends. Along local up in SI; the frames' d3, local z, is turned up. */
static void a_spine_of_one_arc(void) {
    begin(WITHY_CONVENTION_SI);
    WithyShapeDef capsule;
    withy_shape_def_init(&capsule);
    capsule.shape = WITHY_SHAPE_CAPSULE;
    capsule.radius = 0.05;
    capsule.half_height = 0.1;
    WithyBody low = body(&capsule, WITHY_BODY_KINEMATIC, 0, 0, 0), high = body(&capsule, WITHY_BODY_DYNAMIC, 0, 0.6, 0);
    WithyJointDef def;
    WithyJoint arc;
    withy_joint_def_init(&def);
    def.body_a = low;
    def.body_b = high;
    def.kind = WITHY_JOINT_ARC;
    def.flags = WITHY_JOINT_WORLD_FRAMES;
    def.frame_a.position.y = 0.15;
    def.frame_a.rotation.x = -sqrt(0.5);
    def.frame_a.rotation.w = sqrt(0.5);
    def.frame_b = def.frame_a;
    def.frame_b.position.y = 0.45;
    def.arc.bend[0] = def.arc.bend[1] = 20;
    def.arc.twist = 10;
    def.arc.viscosity = 0.02;
    OK(withy_joint_create(&def, &arc));
    double length = 0, distance = 1, angle = 1;
    OK(withy_joint_get_length(arc, &length));
    OK(withy_joint_get_error(arc, &distance, &angle));
    EXPECT(fabs(length - 0.3) < 1e-9 && distance < 1e-6 && angle < 1e-6);
    /* Lean the lower one by 30 degrees: the upper one hangs out further, bent by its weight. */
    WithyPose lean = {{0, 0, 0}, {0, 0, -sin(3.14159265 / 12), cos(3.14159265 / 12)}};
    OK(withy_body_set_target(low, &lean));
    steps(240);
    OK(withy_joint_get_error(arc, &distance, &angle));
    EXPECT(distance < 0.003 && angle < 0.03);
    WithyPose pose;
    OK(withy_body_get_pose(high, &pose));
    double turned = 2 * atan2(-pose.rotation.z, pose.rotation.w) * 180 / 3.14159265;
    EXPECT(turned > 32 && turned < 85);
    uint64_t lines = 0;
    OK(withy_world_debug_lines(world, NULL, &lines));
    EXPECT(lines >= 16 + 2 * 17);
    /* Limits at run time: no more than a hundredth of a radian about d2, and free again. */
    double narrow[2] = {1, 0.01}, wide[2] = {3.14159265358979, 3.14159265358979}, twist[2] = {-0.5, 0.5};
    OK(withy_joint_set_limits(arc, narrow, NULL));
    OK(withy_joint_set_limits(arc, NULL, twist));
    OK(withy_joint_get_error(arc, &distance, &angle));
    EXPECT(fabs(angle - ((turned - 30) * 3.14159265 / 180 - 0.01)) < 0.01);
    uint64_t more = 0;
    OK(withy_world_debug_lines(world, NULL, &more));
    EXPECT(more == lines + 30);
    steps(240);
    OK(withy_body_get_pose(high, &pose));
    EXPECT(fabs(2 * atan2(-pose.rotation.z, pose.rotation.w) - 3.14159265 / 6 - 0.01) < 0.003);
    OK(withy_joint_set_limits(arc, wide, NULL));
    twist[1] = -1;
    EXPECT(withy_joint_set_limits(arc, NULL, twist) == WITHY_ERROR_INVALID_ARGUMENT);
    steps(240);
    OK(withy_body_get_pose(high, &pose));
    EXPECT(fabs(2 * atan2(-pose.rotation.z, pose.rotation.w) * 180 / 3.14159265 - turned) < 1);
    OK(withy_body_destroy(high));
    EXPECT(withy_joint_get_length(arc, &length) == WITHY_ERROR_INVALID_HANDLE);
    OK(withy_context_destroy(context));
}

/* A door about a vertical hinge, driven by its motor, broken, and held again. Y is up in Unity, and its angles are left-handed. */
static void a_door(uint32_t convention) {
    begin(convention);
    WithyVec3 none = {0, 0, 0};
    OK(withy_world_set_gravity(world, &none));
    WithyShapeDef panel = box(0.5, 1, 0.05);
    WithyBody door = body(&panel, WITHY_BODY_DYNAMIC, 0.5, 0, 0);
    WithyJointDef def;
    WithyJoint hinge;
    withy_joint_def_init(&def);
    def.body_b = door;
    def.kind = WITHY_JOINT_HINGE;
    def.flags = WITHY_JOINT_WORLD_FRAMES;
    /* d3, local z in both, turned to y: by -90 degrees about x where the host is right-handed and left-handed alike. */
    def.frame_a.rotation.x = -sqrt(0.5);
    def.frame_a.rotation.w = sqrt(0.5);
    def.frame_b = def.frame_a;
    def.twist[0] = -0.5;
    def.twist[1] = 1.25;
    OK(withy_joint_create(&def, &hinge));
    WithyMotor motor;
    OK(withy_motor_init(&motor));
    motor.damping[2] = INFINITY;
    motor.speed[2] = 1;
    motor.max_torque = 1e5;
    OK(withy_joint_set_motor(hinge, &motor));
    steps(60);
    WithyPose pose;
    OK(withy_body_get_pose(door, &pose));
    double angle = 2 * atan2(pose.rotation.y, pose.rotation.w);
    EXPECT(fabs(angle - 1) < 0.02);
    steps(60);
    OK(withy_body_get_pose(door, &pose));
    EXPECT(fabs(2 * atan2(pose.rotation.y, pose.rotation.w) - 1.25) < 0.02);
    /* The host's own rotation formula: the edge of the door goes where the host's handedness says. */
    WithyQuat q = pose.rotation;
    double tip[3] = {1 - 2 * q.y * q.y, 0, -2 * q.y * q.w};
    EXPECT(fabs(pose.position.x - 0.5 * tip[0]) < 0.02 && fabs(pose.position.z - 0.5 * tip[2]) < 0.02);
    motor.speed[2] = -1;
    OK(withy_world_set_motors(world, &hinge, 1, &motor));
    steps(240);
    OK(withy_body_get_pose(door, &pose));
    EXPECT(fabs(2 * atan2(pose.rotation.y, pose.rotation.w) + 0.5) < 0.02);
    OK(withy_joint_set_enabled(hinge, 0));
    WithyVec3 away = {3, 0, 0};
    OK(withy_body_set_velocity(door, &away, NULL));
    steps(30);
    double distance = 0;
    OK(withy_joint_get_error(hinge, &distance, NULL));
    EXPECT(fabs(distance - 1.5) < 0.1);
    OK(withy_context_destroy(context));
}

static void refused(int32_t result, const char *text) {
    EXPECT(result == WITHY_ERROR_INVALID_ARGUMENT || result == WITHY_ERROR_INVALID_HANDLE || result == WITHY_ERROR_UNSUPPORTED);
    if (!strstr(withy_last_error(), text)) {
        printf("not \"%s\" but: %s\n", text, withy_last_error());
        EXPECT(0);
    }
}

/* A bar of 2 kg fixed to the wall by a joint that breaks: what the joint holds, in the axes of the host, and that it says when it breaks. */
static void a_bar_breaks_off(uint32_t convention) {
    begin(convention);
    int up = convention == WITHY_CONVENTION_UNREAL ? 2 : 1;
    double unit = convention == WITHY_CONVENTION_UNREAL ? 100 : 1;
    WithyShapeDef panel = box(0.5 * unit, 0.1 * unit, 0.1 * unit);
    WithyBodyDef bar;
    withy_body_def_init(&bar);
    bar.shapes = &panel;
    bar.shape_count = 1;
    bar.mass = 2;
    bar.pose.position.x = 0.5 * unit;
    WithyJointDef def;
    WithyJoint joint;
    withy_joint_def_init(&def);
    OK(withy_body_create(world, &bar, &def.body_b));
    def.kind = WITHY_JOINT_FIXED;
    def.flags = WITHY_JOINT_WORLD_FRAMES;
    def.break_force = -1;
    refused(withy_joint_create(&def, &joint), "break_force is -1");
    def.break_force = NAN;
    refused(withy_joint_create(&def, &joint), "break_force is NaN");
    def.break_force = 50;
    def.break_torque = 0;
    refused(withy_joint_create(&def, &joint), "break_torque is 0");
    def.break_torque = INFINITY;
    OK(withy_joint_create(&def, &joint));
    steps(60);
    WithyVec3 f, t;
    OK(withy_joint_get_force(joint, &f, &t));
    double weight = 2 * 9.81, *force = &f.x, *torque = &t.x;
    EXPECT(fabs(force[up] - weight) < 0.02 * weight && fabs(f.x) < 0.02 * weight);
    /* x turned to up, in the host's sense of rotation: about +z where y is up, about -y where z is. */
    double sense = up == 2 ? -1 : 1;
    EXPECT(fabs(torque[up == 2 ? 1 : 2] - sense * weight * 0.5) < 0.02 * weight);
    double many[6] = {0};
    WithySpan forces = {many, 1, 0, WITHY_FORMAT_F64, 0}, torques = {many + 3, 1, 0, WITHY_FORMAT_F64, 0};
    OK(withy_world_read_joint_forces(world, &joint, 1, &forces, &torques));
    EXPECT(memcmp(many, &f, sizeof f) == 0 && memcmp(many + 3, &t, sizeof t) == 0);
    uint64_t count = 4;
    WithyBrokenJoint broken[4];
    OK(withy_world_read_broken_joints(world, broken, &count));
    EXPECT(count == 0);
    /* Twice its weight more. */
    WithyVec3 push = {0, 0, 0};
    (&push.x)[up] = -2 * weight;
    OK(withy_body_push(def.body_b, &push, NULL, NULL));
    steps(1);
    count = 4;
    OK(withy_world_read_broken_joints(world, broken, &count));
    EXPECT(count == 1 && broken[0].joint.bits == joint.bits && fabs(broken[0].force - 3 * weight) < 0.06 * weight);
    uint32_t enabled = 1;
    OK(withy_joint_get_enabled(joint, &enabled));
    EXPECT(enabled == 0);
    steps(1);
    OK(withy_world_read_broken_joints(world, NULL, &count));
    EXPECT(count == 0);
    OK(withy_context_destroy(context));
}

/* A bucket of a kilogram on a rope, in Unreal's centimetres, that swings against a tapered collider's side and comes to rest. */
static void a_bucket(void) {
    begin(WITHY_CONVENTION_UNREAL);
    float points[11][3] = {{0}};
    uint32_t eleven = 11;
    for (int i = 0; i < 11; i++) points[i][2] = -10.0f * (float)i;
    WithyRodsDef rope;
    WithyRods rods;
    withy_rods_def_init(&rope);
    rope.positions = f32(points, 11);
    rope.counts = u32(&eleven, 1);
    rope.radius = 0.5;
    rope.root = WITHY_SUPPORT_PINNED;
    OK(withy_rods_create(world, &rope, &rods));
    WithyShapeDef cube = box(10, 10, 10);
    WithyBodyDef def;
    WithyBody bucket;
    withy_body_def_init(&def);
    def.shapes = &cube;
    def.shape_count = 1;
    def.mass = 1;
    def.pose.position.z = -110;
    OK(withy_body_create(world, &def, &bucket));
    WithyBodyAttachmentDef tie;
    WithyAttachment knot;
    withy_body_attachment_def_init(&tie);
    tie.end.rods = rods;
    tie.end.end = WITHY_END_TIP;
    refused(withy_attachment_create_body(&tie, &knot), "body: ");
    tie.body = bucket;
    OK(withy_attachment_create_body(&tie, &knot));
    WithyColliderDef post;
    WithyCollider collider;
    withy_collider_def_init(&post);
    post.shape = WITHY_SHAPE_TAPERED_CAPSULE;
    post.radius = 20;
    post.radius_top = NAN;
    post.half_height = 30;
    post.pose.position.x = 45;
    post.pose.position.z = -110;
    refused(withy_collider_create(world, &post, &collider), "radius_top is NaN");
    post.radius_top = 10;
    OK(withy_collider_create(world, &post, &collider));
    WithyVec3 push = {100, 0, 0};
    OK(withy_body_set_velocity(bucket, &push, NULL));
    double farthest = 0;
    for (int i = 0; i < 300; i++) {
        WithyPose pose;
        steps(1);
        OK(withy_body_get_pose(bucket, &pose));
        if (pose.position.x > farthest) farthest = pose.position.x;
    }
    /* Free, it would swing out by 33 cm. The post stands there. */
    EXPECT(farthest > 15 && farthest < 28);
    WithyPose pose;
    OK(withy_body_get_pose(bucket, &pose));
    OK(withy_rods_read_positions(rods, &rope.positions));
    double gap[3] = {pose.position.x - points[10][0], pose.position.y - points[10][1], pose.position.z - points[10][2]};
    EXPECT(fabs(sqrt(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]) - 10) < 1);
    OK(withy_body_destroy(bucket));
    EXPECT(withy_attachment_destroy(knot) == WITHY_ERROR_INVALID_HANDLE);
    steps(5);
    OK(withy_context_destroy(context));
}

static void bad_input(void) {
    begin(WITHY_CONVENTION_UNREAL);
    WithyWorld other;
    OK(withy_world_create(context, NULL, &other));
    WithyShapeDef cube = box(20, 20, 20);
    WithyBody a = body(&cube, WITHY_BODY_DYNAMIC, 0, 0, 0), b = body(&cube, WITHY_BODY_DYNAMIC, 0, 0, 100), out;
    WithyBody rail = body(&cube, WITHY_BODY_KINEMATIC, 0, 0, 300), foreign;
    WithyBodyDef def;
    withy_body_def_init(&def);
    def.shapes = &cube;
    def.shape_count = 1;
    OK(withy_body_create(other, &def, &foreign));
#define BAD(member, value, text)                          \
    do {                                                  \
        WithyBodyDef copy = def;                          \
        copy.member = value;                              \
        refused(withy_body_create(world, &copy, &out), text); \
    } while (0)
    BAD(mass, NAN, "mass is NaN");
    BAD(mass, -1, "mass is -1");
    BAD(spin.y, INFINITY, "spin.y is inf");
    BAD(velocity.z, 1e300, "velocity.z");
    BAD(pose.rotation.w, 2, "pose.rotation");
    BAD(motion, 3, "motion is 3");
    BAD(max_speed, -5, "max_speed is -5");
    BAD(angular_damping, -1, "angular_damping is -1");
    BAD(gravity_scale, NAN, "gravity_scale is NaN");
    BAD(can_sleep, 2, "can_sleep is 2");
    BAD(shape_count, 5000, "shape_count is 5000");
    BAD(shapes, NULL, "shapes is NULL");
    BAD(flags, 8, "flags is 0x8");
    BAD(reserved, 1, "reserved is 1");
    BAD(flags, WITHY_BODY_INERTIA, "mass is 0");
    /* The inertia itself: a point, one that is no number, no solid's, and none without the flag that says it counts. */
    def.flags = WITHY_BODY_INERTIA;
    def.mass = 1;
    BAD(inertia[0], 0, "inertia has the principal moments 0");
    for (int k = 0; k < 3; k++) def.inertia[k] = 1;
    BAD(inertia[1], 0, "inertia has the principal moments 1e0, 1e0, 0e0");
    BAD(inertia[1], -1, "inertia has the principal moments 1e0, 1e0, -1e0");
    BAD(inertia[2], 3, "inertia has the principal moments");
    BAD(inertia[0], NAN, "inertia[0] is NaN");
    BAD(inertia[4], INFINITY, "inertia[4] is inf");
    BAD(center_of_mass.z, NAN, "center_of_mass.z is NaN");
    BAD(mass, NAN, "mass is NaN");
    def.flags = 0;
    def.mass = 0;
    for (int k = 0; k < 3; k++) def.inertia[k] = 0;
#undef BAD
#define BAD(member, value, text)                          \
    do {                                                  \
        WithyShapeDef copy = cube;                        \
        copy.member = value;                              \
        def.shapes = &copy;                               \
        refused(withy_body_create(world, &def, &out), text); \
    } while (0)
    BAD(half_extents.y, NAN, "shapes[0]: half_extents.y is NaN");
    BAD(half_extents.z, 0, "shapes[0]: half_extents.z is 0");
    BAD(density, 1e30, "shapes[0]: density is");
    BAD(friction, -1, "shapes[0]: friction is -1");
    BAD(stiffness, NAN, "shapes[0]: stiffness is NaN");
    BAD(damping, 5, "shapes[0]: damping is 5");
    BAD(restitution, 1.5, "shapes[0]: restitution is 1.5");
    BAD(shape, 7, "shapes[0]: shape is 7");
    BAD(shape, WITHY_SHAPE_PLANE, "shapes[0] is a plane or a mesh");
    BAD(shape, WITHY_SHAPE_HULL, "shapes[0]: positions.data is NULL");
    BAD(struct_size, 8, "struct_size is 8");
    BAD(pose.position.x, NAN, "shapes[0]: pose.position.x is NaN");
    static float points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    cube.shape = WITHY_SHAPE_HULL;
    BAD(positions, f32(points, 4), "plane");
    BAD(positions, f32(points, 10000000), "positions.count is 10000000");
    points[2][1] = NAN;
    BAD(positions, f32(points, 4), "shapes[0]: positions[2].y is NaN");
#undef BAD
    WithyJointDef joint;
    WithyJoint hold, never;
    withy_joint_def_init(&joint);
    refused(withy_joint_create(&joint, &hold), "body_b");
    joint.body_b = b;
    joint.body_a = foreign;
    refused(withy_joint_create(&joint, &hold), "body_a");
    joint.body_a = b;
    refused(withy_joint_create(&joint, &hold), "the same body");
    joint.body_a = a;
    OK(withy_joint_create(&joint, &hold));
#define BAD(k, member, value, text)                     \
    do {                                                \
        WithyJointDef copy = joint;                     \
        copy.kind = k;                                  \
        copy.member = value;                            \
        refused(withy_joint_create(&copy, &never), text);  \
        refused(withy_joint_change(hold, &copy), text); \
    } while (0)
    BAD(5, collide, 0, "kind is 5");
    BAD(WITHY_JOINT_BALL, collide, 2, "collide is 2");
    BAD(WITHY_JOINT_BALL, swing[1], NAN, "swing[1] is NaN");
    BAD(WITHY_JOINT_BALL, swing[0], -0.1, "swing[0] is -0.1");
    BAD(WITHY_JOINT_HINGE, twist[0], NAN, "twist[0] is NaN");
    BAD(WITHY_JOINT_HINGE, twist[0], 4, "twist[0] is 4");
    BAD(WITHY_JOINT_HINGE, twist[1], -70, "twist[1] is -70: must be -20 pi to 20 pi");
    joint.twist[0] = 1;
    BAD(WITHY_JOINT_HINGE, twist[1], 0.5, "twist[0] is 1: must be at most twist[1], 0.5");
    joint.twist[0] = -1;
    BAD(WITHY_JOINT_DISTANCE, least, 5, "least is 5");
    BAD(WITHY_JOINT_DISTANCE, most, NAN, "most is NaN");
    BAD(WITHY_JOINT_ARC, swing[1], 4, "swing[1] is 4");
    BAD(WITHY_JOINT_ARC, twist[0], NAN, "twist[0] is NaN");
    BAD(WITHY_JOINT_ARC, arc.length, -1, "arc.length is -1");
    BAD(WITHY_JOINT_ARC, arc.bend[1], NAN, "arc.bend[1] is NaN");
    BAD(WITHY_JOINT_ARC, arc.twist, -2, "arc.twist is -2");
    BAD(WITHY_JOINT_ARC, arc.rest[2], 7, "arc.rest[2] is 7");
    BAD(WITHY_JOINT_ARC, arc.viscosity, INFINITY, "arc.viscosity is inf");
    BAD(WITHY_JOINT_FIXED, frame_a.rotation.z, 1, "frame_a.rotation");
    BAD(WITHY_JOINT_FIXED, frame_b.position.z, NAN, "frame_b.position.z is NaN");
#undef BAD
    WithyMotor motors[2];
    OK(withy_motor_init(&motors[0]));
    OK(withy_motor_init(&motors[1]));
    WithyJoint two[2];
    two[0] = two[1] = hold;
    motors[1].stiffness[2] = NAN;
    refused(withy_world_set_motors(world, two, 2, motors), "motors[1].stiffness[2] is NaN");
    motors[1].stiffness[2] = INFINITY;
    OK(withy_world_set_motors(world, two, 2, motors));
    motors[1].target.w = 0;
    refused(withy_joint_set_motor(hold, &motors[1]), "motor.target");
    refused(withy_world_set_motors(world, NULL, 1, motors), "joints is NULL");
    refused(withy_world_set_motors(other, two, 1, motors), "joints[0]");

    WithyBody list[3] = {{0}, {0}, {0}};
    list[0] = a;
    list[1] = rail;
    list[2] = foreign;
    float numbers[3][3] = {{0}};
    WithySpan span = f32(numbers, 3);
    refused(withy_world_read_bodies(world, list, 3, &span, NULL, NULL, NULL, NULL), "bodies[2]");
    span.count = 1;
    EXPECT(withy_world_read_bodies(world, list, 2, &span, NULL, NULL, NULL, NULL) == WITHY_ERROR_TOO_SMALL && span.count == 2);
    refused(withy_world_set_body_targets(world, list, 2, &span, NULL), "bodies[0] is not kinematic");
    refused(withy_world_push_bodies(world, list, 2, &span, NULL), "bodies[1] is not dynamic");
    numbers[1][0] = NAN;
    refused(withy_world_write_bodies(world, list, 2, &span, NULL, NULL, NULL), "positions[1].x is NaN");
    refused(withy_world_read_bodies(world, NULL, 5, &span, NULL, NULL, NULL, NULL), "bodies is NULL, count is 5");
    refused(withy_world_read_bodies(world, list, UINT64_MAX - 1, &span, NULL, NULL, NULL, NULL), "address space");
    refused(withy_body_set_target(a, &def.pose), "not kinematic");
    refused(withy_body_set_motion(rail, WITHY_BODY_DYNAMIC), "not dynamic when it was made");
    refused(withy_body_set_velocity(rail, &def.velocity, NULL), "dynamic");

    /* A body goes, with its joints; stale handles are refused. */
    OK(withy_body_destroy(b));
    EXPECT(withy_joint_destroy(hold) == WITHY_ERROR_INVALID_HANDLE);
    EXPECT(withy_body_destroy(b) == WITHY_ERROR_INVALID_HANDLE);
    list[0] = b;
    refused(withy_world_read_bodies(world, list, 1, &span, NULL, NULL, NULL, NULL), "bodies[0]");
    joint.body_a = b;
    joint.body_b = a;
    refused(withy_joint_create(&joint, &never), "body_a");
    steps(2);
    OK(withy_context_destroy(context));
}

/* A world that is set back goes on with the same bits. */
static void rollback(void) {
    begin(WITHY_CONVENTION_SI);
    WithyShapeDef ground, cube = box(0.2, 0.2, 0.2);
    withy_shape_def_init(&ground);
    ground.shape = WITHY_SHAPE_PLANE;
    body(&ground, WITHY_BODY_STATIC, 0, 0, 0);
    for (int i = 0; i < 20; i++) body(&cube, WITHY_BODY_DYNAMIC, 0.05 * (i % 3), 0.25 + 0.45 * i, 0.03 * (i % 2));
    steps(40);
    static char state[1 << 18];
    uint64_t size = sizeof state, first = 0, again = 0;
    OK(withy_world_save_state(world, state, &size));
    steps(60);
    OK(withy_world_state_hash(world, &first));
    OK(withy_world_restore_state(world, state, size));
    steps(60);
    OK(withy_world_state_hash(world, &again));
    EXPECT(first == again);
    OK(withy_context_destroy(context));
}

/* A cube on a rope of rods: hangs a metre below its held end, as deep as the rope is long. */
static void a_cube_on_a_rope(void) {
    begin(WITHY_CONVENTION_SI);
    WithyShapeDef cube = box(0.1, 0.1, 0.1);
    WithyBody b = body(&cube, WITHY_BODY_DYNAMIC, 0, -1.1, 0);
    float points[11][3] = {{0}};
    uint32_t vertices = 11;
    for (int i = 0; i < 11; i++) points[i][1] = -0.1f * (float)i;
    WithyRodsDef rope;
    WithyRods rods;
    OK(withy_rods_def_init(&rope));
    rope.positions = (WithySpan){points, 11, 0, WITHY_FORMAT_F32, 0};
    rope.counts = (WithySpan){&vertices, 1, 0, WITHY_FORMAT_U32, 0};
    rope.radius = 0.01;
    rope.root = WITHY_SUPPORT_PINNED;
    rope.mask = 0;
    OK(withy_rods_create(world, &rope, &rods));
    WithyBodyAttachmentDef hold;
    WithyAttachment tie, again;
    OK(withy_body_attachment_def_init(&hold));
    hold.end.rods = rods;
    hold.end.end = WITHY_END_TIP;
    EXPECT(withy_attachment_create_body(&hold, &tie) == WITHY_ERROR_INVALID_HANDLE);
    hold.body = b;
    OK(withy_attachment_create_body(&hold, &tie));
    refused(withy_attachment_create_body(&hold, &again), "attached already");
    steps(300);
    WithyPose pose;
    OK(withy_body_get_pose(b, &pose));
    EXPECT(fabs(pose.position.y + 1.1) < 0.05 && fabs(pose.position.x) < 0.01);
    /* The tie goes with the body. */
    OK(withy_body_destroy(b));
    EXPECT(withy_attachment_destroy(tie) == WITHY_ERROR_INVALID_HANDLE);
    steps(2);
    OK(withy_context_destroy(context));
}

int main(void) {
    a_cube_on_a_rope();
    a_box_comes_to_rest();
    a_spine_of_one_arc();
    a_door(WITHY_CONVENTION_SI);
    a_door(WITHY_CONVENTION_UNITY);
    a_bar_breaks_off(WITHY_CONVENTION_SI);
    a_bar_breaks_off(WITHY_CONVENTION_UNITY);
    a_bar_breaks_off(WITHY_CONVENTION_UNREAL);
    a_bucket();
    bad_input();
    rollback();
    printf("%d checks, %d failures\n", checks, failures);
    return failures != 0;
}
