/* Ragdolls from C: a chain of six bones whose middle is one arc, instantiated, let fall, driven, blended, in three conventions. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <withy_expert.h>
#include <withy_ragdoll.h>

#include "checks.h"

#define BONES 6

static const uint32_t parents[BONES] = {1, UINT32_MAX, 1, 2, 3, 4};

/* Bone 1 is the root; 2, 3, 4, 5 are a chain up from it; 0 hangs beside it and has no body. `up`: which axis is up; a unit is 1/unit m. */
static void poses(double (*x)[3], double (*q)[4], int up, double unit, double height, double bend) {
    for (int b = 0; b < BONES; b++) {
        double along = b < 2 ? 0 : 0.1 * (b - 1), angle = b < 2 ? 0 : bend * (b - 1) / 4, side = bend ? 1 : 0;
        double r = side ? 0.4 / bend : 0;
        memset(x[b], 0, sizeof x[b]);
        memset(q[b], 0, sizeof q[b]);
        x[b][up] = (height + (side ? r * sin(along / r) : along)) * unit;
        x[b][0] = (side ? r * (1 - cos(along / r)) : 0) * unit;
        if (b == 0) x[b][0] = 0.2 * unit;
        /* From up to the first axis. */
        q[b][up == 1 ? 2 : 1] = (up == 1 ? -1 : 1) * sin(angle / 2);
        q[b][3] = cos(angle / 2);
    }
}

static WithySpan f64(void *data, uint64_t count) {
    WithySpan span = {data, count, 0, WITHY_FORMAT_F64, 0};
    return span;
}

static double largest(double (*a)[3], double (*b)[3], int count) {
    double most = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) most = fmax(most, fabs(a[i][k] - b[i][k]));
    return most;
}

static WithyWorld world_in(uint32_t convention, WithyContext *context) {
    WithyWorld world;
    WithyContextDef context_def;
    withy_context_def_init(&context_def);
    context_def.convention = convention;
    OK(withy_context_create(&context_def, context));
    WithyWorldDef world_def;
    withy_world_def_init(&world_def);
    world_def.precision = WITHY_PRECISION_F64;
    OK(withy_world_create(*context, &world_def, &world));
    return world;
}

/* Room for three chains. */
static WithyRagdolls chains(WithyWorld world, int up, double unit) {
    WithyShapeDef shape;
    withy_shape_def_init(&shape);
    shape.radius = 0.03 * unit;
    WithyBodyDef body;
    withy_body_def_init(&body);
    body.shapes = &shape;
    body.shape_count = 1;
    body.angular_damping = 0;
    body.can_sleep = 0;
    WithyJointDef joint;
    withy_joint_def_init(&joint);
    WithyRagdollBodyDef bodies[BONES - 1];
    for (uint32_t i = 0; i < BONES - 1; i++) {
        withy_ragdoll_body_def_init(&bodies[i]);
        bodies[i].bone = i + 1;
        bodies[i].body = &body;
        bodies[i].joint = i ? &joint : NULL;
    }
    WithyRegionDef region;
    withy_region_def_init(&region);
    region.first = 0;
    region.last = 4;
    /* Out of reach, but for the twist at the end. */
    region.swing[0] = region.swing[1] = 2;
    region.twist[0] = -0.4;
    region.twist[1] = 0.4;
    double bind[BONES][3], turns[BONES][4];
    memset(bind, 0, sizeof bind);
    memset(turns, 0, sizeof turns);
    for (int b = 0; b < BONES; b++) {
        if (b > 1) bind[b][up] = 0.1 * unit;
        turns[b][3] = 1;
    }
    bind[0][0] = 0.2 * unit;
    WithyRagdolls set;
    WithyRagdollDef def;
    withy_ragdoll_def_init(&def);
    def.parents = u32((void *)parents, BONES);
    def.positions = f64(bind, BONES);
    def.rotations = f64(turns, BONES);
    def.bodies = bodies;
    def.body_count = BONES - 1;
    def.regions = &region;
    def.region_count = 1;

    /* What would have no effect is refused. */
    joint.frame_a.position.x = 0.01 * unit;
    EXPECT(withy_ragdolls_create(world, &def, 3, &set) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(withy_last_error(), "bodies[1]: joint: frame_a is given") != NULL);
    joint.frame_a.position.x = 0;
    bodies[0].joint = &joint;
    EXPECT(withy_ragdolls_create(world, &def, 3, &set) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(withy_last_error(), "bodies[0].joint joins it to nothing") != NULL);
    bodies[0].joint = NULL;
    OK(withy_ragdolls_create(world, &def, 3, &set));
    return set;
}

static void fall(uint32_t convention, int up, double unit) {
    WithyContext context;
    WithyWorld world = world_in(convention, &context);
    WithyRagdolls set = chains(world, up, unit);
    uint32_t instances = 0, bones = 0, count = 0, joints = 0;
    OK(withy_ragdolls_get_counts(set, &instances, &bones, &count, &joints));
    EXPECT(instances == 3 && bones == BONES && count == 2 && joints == 1);

    /* Two of the three, one straight, one bent; the second on its way along the first axis with 2 m/s. */
    double x[2 * BONES][3], q[2 * BONES][4], before[2 * BONES][3];
    poses(x, q, up, unit, 5, 0);
    poses(x + BONES, q + BONES, up, unit, 9, 1);
    memcpy(before, x, sizeof x);
    for (int b = 0; b < BONES; b++) before[BONES + b][0] -= 0.2 * unit;
    uint32_t which[2] = {2, 0};
    WithySpan p = f64(x, 2 * BONES), r = f64(q, 2 * BONES), p0 = f64(before, 2 * BONES);
    OK(withy_ragdolls_instantiate(set, which, 2, &p, &r, &p0, &r, 0.1, 0));
    WithyBody root = {0}, inner = {1}, none = {1};
    WithyJoint arc = {0};
    OK(withy_ragdolls_get_body(set, 0, 0, &root));
    OK(withy_ragdolls_get_body(set, 0, 2, &inner));
    OK(withy_ragdolls_get_body(set, 1, 0, &none));
    OK(withy_ragdolls_get_joint(set, 0, 4, &arc));
    EXPECT(root.bits != 0 && inner.bits == 0 && none.bits == 0 && arc.bits != 0);
    double length = 0, distance = 1, angle = 1;
    OK(withy_joint_get_length(arc, &length));
    OK(withy_joint_get_error(arc, &distance, &angle));
    EXPECT(fabs(length / unit - 0.4) < 1e-6 && distance < 1e-9 * unit && angle < 1e-9);
    WithyVec3 velocity;
    OK(withy_body_get_velocity(root, &velocity, NULL));
    EXPECT(fabs(velocity.x / unit - 2) < 1e-9 && fabs(velocity.y) + fabs(velocity.z) < 1e-9);

    double out[2 * BONES][3], out_q[2 * BONES][4];
    WithySpan po = f64(out, 2 * BONES), ro = f64(out_q, 2 * BONES);
    OK(withy_ragdolls_read(set, which, 2, NULL, NULL, NULL, &po, &ro));
    EXPECT(largest(out, x, 2 * BONES) < 1e-9 * unit);
    for (int b = 0; b < 2 * BONES; b++) {
        double dot = 0;
        for (int k = 0; k < 4; k++) dot += out_q[b][k] * q[b][k];
        EXPECT(fabs(fabs(dot) - 1) < 1e-9);
    }

    /* Half a second of free fall, in the pose, the second one moving on. */
    for (int i = 0; i < 30; i++) OK(withy_world_step(world, 1.0 / 60));
    double t = 0.5, h = 1.0 / 480;
    for (int b = 0; b < 2 * BONES; b++) {
        x[b][up] -= 0.5 * 9.81 * t * (t + h) * unit;
        if (b >= BONES) x[b][0] += 2 * t * unit;
    }
    OK(withy_ragdolls_read(set, which, 2, NULL, NULL, NULL, &po, NULL));
    EXPECT(largest(out, x, 2 * BONES) < 1e-4 * unit);

    /* Blended with the animation: nothing of the simulation, then half. */
    double animated[2 * BONES][3];
    memcpy(animated, x, sizeof x);
    for (int b = 0; b < 2 * BONES; b++) animated[b][up] += unit;
    WithySpan pa = f64(animated, 2 * BONES);
    OK(withy_ragdolls_fade(set, which, 2, 0, 0.5));
    OK(withy_ragdolls_advance(set, 0.25));
    double weight = 1;
    OK(withy_ragdolls_get_weight(set, 2, &weight));
    EXPECT(fabs(weight - 0.5) < 1e-12);
    OK(withy_ragdolls_read(set, which, 2, &pa, &r, NULL, &po, NULL));
    EXPECT(fabs(out[1][up] - x[1][up] - 0.5 * unit) < 1e-4 * unit);
    OK(withy_ragdolls_advance(set, 1));
    OK(withy_ragdolls_read(set, which, 2, &pa, &r, NULL, &po, NULL));
    EXPECT(largest(out, animated, 2 * BONES) < 1e-12 * unit);

    /* The root is held, the rest is bent by the arc's motor. */
    OK(withy_ragdolls_fade(set, which, 1, 1, 0));
    OK(withy_ragdolls_set_kinematic(set, which, 1, 0, 1));
    poses(animated, q, up, unit, 5, 1);
    WithyVec3 weightless = {0, 0, 0};
    OK(withy_world_set_gravity(world, &weightless));
    WithyRagdollDrive drive;
    OK(withy_ragdoll_drive_init(&drive));
    drive.stiffness = 20;
    drive.damping = 2;
    uint32_t alive[3];
    uint64_t many = 3;
    OK(withy_ragdolls_list(set, alive, &many));
    EXPECT(many == 2 && alive[0] == 0 && alive[1] == 2);
    many = 1;
    EXPECT(withy_ragdolls_list(set, alive, &many) == WITHY_ERROR_TOO_SMALL && many == 2);
    WithySpan one = f64(animated, BONES), one_q = f64(q, BONES);
    for (int i = 0; i < 240; i++) {
        OK(withy_ragdolls_set_targets(set, which, 1, &one, &one_q, NULL, NULL, 0, &drive));
        OK(withy_world_step(world, 1.0 / 60));
    }
    po.count = ro.count = BONES;
    OK(withy_ragdolls_read(set, which, 1, NULL, NULL, NULL, &po, &ro));
    double dot = 0;
    for (int k = 0; k < 4; k++) dot += out_q[BONES - 1][k] * q[BONES - 1][k];
    EXPECT(fabs(fabs(dot) - 1) < 1e-4 && largest(out, animated, BONES) < 0.01 * unit);

    /* Moved away, taken out, and gone. */
    double to[1][3] = {{10 * unit, 0, 0}}, keep[1][4] = {{0, 0, 0, 1}};
    WithySpan by = f64(to, 1), by_q = f64(keep, 1);
    double was = out[1][0];
    OK(withy_ragdolls_teleport(set, which, 1, &by, &by_q));
    OK(withy_ragdolls_read(set, which, 1, NULL, NULL, NULL, &po, NULL));
    EXPECT(fabs(out[1][0] - was - 10 * unit) < 1e-6 * unit);

    /* NULL and 0 is an empty list; all is asked for by name. */
    uint64_t there = 0, still = 0;
    OK(withy_world_list_bodies(world, NULL, &there));
    OK(withy_ragdolls_remove(set, NULL, 0));
    OK(withy_ragdolls_remove(set, which, 0));
    OK(withy_world_push_bodies(world, NULL, 0, NULL, NULL));
    OK(withy_world_set_motors(world, NULL, 0, NULL));
    EXPECT(withy_ragdolls_remove(set, NULL, 1) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(withy_last_error(), "which is NULL, count is 1") != NULL);
    EXPECT(withy_ragdolls_remove(set, which, WITHY_ALL) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(withy_last_error(), "count is WITHY_ALL") != NULL);
    EXPECT(withy_world_push_bodies(world, &root, WITHY_ALL, NULL, NULL) == WITHY_ERROR_INVALID_ARGUMENT);
    OK(withy_world_list_bodies(world, NULL, &still));
    EXPECT(still == there && there == 4);

    /* The bodies are the set's; a joint may be broken. */
    EXPECT(withy_body_destroy(root) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(withy_last_error(), "instance 0") != NULL);
    OK(withy_joint_destroy(arc));
    OK(withy_ragdolls_get_joint(set, 0, 4, &arc));
    EXPECT(arc.bits == 0);
    OK(withy_ragdolls_clear_targets(set, NULL, WITHY_ALL));
    OK(withy_world_step(world, 1.0 / 60));
    OK(withy_ragdolls_remove(set, which, 1));
    EXPECT(withy_ragdolls_read(set, which, 1, NULL, NULL, NULL, &po, NULL) == WITHY_ERROR_INVALID_ARGUMENT);
    OK(withy_ragdolls_destroy(set));
    EXPECT(withy_ragdolls_advance(set, 0.1) == WITHY_ERROR_INVALID_HANDLE);
    uint64_t left = 0;
    OK(withy_world_list_bodies(world, NULL, &left));
    EXPECT(left == 0);
    OK(withy_context_destroy(context));
}

/* A second of three chains on their way, two of them there, one driven and one fading: what the bones are at its end. */
static void second(WithyWorld world, WithyRagdolls set, double (*out)[3]) {
    uint32_t which[2] = {2, 0};
    WithySpan po = f64(out, 2 * BONES);
    for (int i = 0; i < 60; i++) {
        OK(withy_world_step(world, 1.0 / 60));
        OK(withy_ragdolls_advance(set, 1.0 / 60));
    }
    double x[2 * BONES][3], q[2 * BONES][4];
    poses(x, q, 1, 1, 5, 0);
    poses(x + BONES, q + BONES, 1, 1, 9, 1);
    WithySpan p = f64(x, 2 * BONES), r = f64(q, 2 * BONES);
    OK(withy_ragdolls_read(set, which, 2, &p, &r, NULL, &po, NULL));
}

static void start(WithyRagdolls set, double bend) {
    uint32_t which[2] = {2, 0};
    double x[2 * BONES][3], q[2 * BONES][4];
    poses(x, q, 1, 1, 5, bend);
    poses(x + BONES, q + BONES, 1, 1, 9, bend + 0.5);
    WithySpan p = f64(x, 2 * BONES), r = f64(q, 2 * BONES);
    OK(withy_ragdolls_instantiate(set, which, 2, &p, &r, NULL, NULL, 0, 0));
}

/* A saved state holds what bones keep of their transition, how arcs were fitted and are driven, and weights: it goes on with the same bits in
   its own world, whatever came since, and in another one in which the same instances stand in other poses. */
static void states(void) {
    WithyContext context, elsewhere;
    WithyWorld world = world_in(WITHY_CONVENTION_SI, &context), other = world_in(WITHY_CONVENTION_SI, &elsewhere);
    WithyRagdolls set = chains(world, 1, 1), its = chains(other, 1, 1);
    uint32_t two = 2;
    double x[BONES][3], q[BONES][4], once[2 * BONES][3], again[2 * BONES][3], third[2 * BONES][3];
    start(set, 0.3);
    poses(x, q, 1, 1, 5, 1.2);
    WithySpan p = f64(x, BONES), r = f64(q, BONES);
    WithyRagdollDrive drive = {1, 0.1, INFINITY, {NULL, 0, 0, 0, 0}};
    OK(withy_ragdolls_set_targets(set, &two, 1, &p, &r, NULL, NULL, 0, &drive));
    OK(withy_ragdolls_fade(set, &two, 1, 0.25, 1.5));
    second(world, set, once);
    static char state[1 << 16];
    uint64_t size = sizeof state, first = 0, hash = 0;
    OK(withy_world_save_state(world, state, &size));
    second(world, set, once);
    OK(withy_world_state_hash(world, &first));

    start(set, 1.5);
    OK(withy_ragdolls_fade(set, NULL, WITHY_ALL, 0, 0));
    OK(withy_ragdolls_clear_targets(set, NULL, WITHY_ALL));
    OK(withy_world_restore_state(world, state, size));
    second(world, set, again);
    OK(withy_world_state_hash(world, &hash));
    EXPECT(hash == first && memcmp(once, again, sizeof once) == 0);

    OK(withy_ragdolls_remove(set, NULL, WITHY_ALL));
    EXPECT(withy_world_restore_state(world, state, size) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(withy_world_restore_state(other, state, size) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(withy_last_error(), "ragdolls") != NULL);
    start(its, 0.9);
    EXPECT(withy_world_restore_state(other, state, size - 8) == WITHY_ERROR_INVALID_ARGUMENT);
    state[size / 2] ^= 1;
    EXPECT(withy_world_restore_state(other, state, size) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(withy_last_error(), "damaged") != NULL);
    state[size / 2] ^= 1;
    OK(withy_world_restore_state(other, state, size));
    second(other, its, third);
    OK(withy_world_state_hash(other, &hash));
    EXPECT(hash == first && memcmp(once, third, sizeof once) == 0);
    OK(withy_context_destroy(context));
    OK(withy_context_destroy(elsewhere));
}

int main(void) {
    states();
    fall(WITHY_CONVENTION_SI, 1, 1);
    fall(WITHY_CONVENTION_UNITY, 1, 1);
    fall(WITHY_CONVENTION_UNREAL, 2, 100);
    printf("%d checks, %d failures\n", checks, failures);
    return failures != 0;
}
