/* The pieces of C that the README shows, in a program that runs them: cli/tests/readme.rs compares the lines. */
#include <stdio.h>
#include <withy_bodies.h>
#include <withy_rest_shape.h>

#define CHECK(call) do { if ((call) != WITHY_OK) return printf("%s: %s\n", #call, withy_last_error()), 1; } while (0)

static int groom(WithyContext context, WithyWorld world) {
    WithyVec3 gravity = {0, -9.81, 0};
    WithyRodsDef def;
    WithyRods hair;
    WithyElasticReport reports[2];
    uint64_t count = 2;
    float points[2][30][3];
    uint32_t vertices[2] = {30, 30};
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < 30; i++) {
            points[s][i][0] = 0.002f * (float)i;
            points[s][i][1] = -0.00005f * (float)(i * i);
            points[s][i][2] = 0.01f * (float)s;
        }
    }
    withy_world_set_gravity(world, &gravity); /* first: the rest shape is found for this gravity */
    withy_hair_def_init(context, &def);       /* material of hair, clamped roots, WITHY_RODS_SAG_FREE */
    def.positions = (WithySpan){points, 60, 0, WITHY_FORMAT_F32, 0};
    def.counts = (WithySpan){vertices, 2, 0, WITHY_FORMAT_U32, 0};
    withy_rods_create(world, &def, &hair);

    CHECK(withy_rods_read_elastic_report(hair, reports, &count));
    for (int s = 0; s < 2; s++) {
        if (reports[s].answer != WITHY_STRAND_HOLDS) return printf("strand %d sags\n", s), 1;
    }
    return 0;
}

static int ragdoll(WithyWorld world) {
    WithyPose hips = {{0, 1.0, 0}, {-0.70710678, 0, 0, 0.70710678}}, ribs = {{0, 1.4, 0.05}, {-0.70710678, 0, 0, 0.70710678}};
    WithyShapeDef ball;
    WithyBodyDef body;
    WithyBody pelvis, chest;
    WithyJointDef def;
    WithyJoint spine;
    withy_shape_def_init(&ball);
    withy_body_def_init(&body);
    ball.radius = 0.1;
    body.shapes = &ball, body.shape_count = 1, body.mass = 10;
    body.pose.position = hips.position;
    CHECK(withy_body_create(world, &body, &pelvis));
    body.pose.position = ribs.position;
    CHECK(withy_body_create(world, &body, &chest));

    withy_joint_def_init(&def);
    def.kind = WITHY_JOINT_ARC;
    def.body_a = pelvis, def.body_b = chest;
    def.flags = WITHY_JOINT_WORLD_FRAMES;               /* frames in world space; their third axis is the spine's direction */
    def.frame_a = hips, def.frame_b = ribs;             /* the rest length is that of the arc through both */
    def.arc.bend[0] = def.arc.bend[1] = 20, def.arc.twist = 15;       /* EI and GJ, N m^2 */
    withy_joint_create(&def, &spine);

    CHECK(withy_world_step(world, 1.0 / 60.0));
    return 0;
}

int main(void) {
    WithyContext context;
    WithyWorld world;
    CHECK(withy_context_create(NULL, &context));
    CHECK(withy_world_create(context, NULL, &world));
    if (groom(context, world) || ragdoll(world)) return 1;
    if (*withy_last_error()) return printf("%s\n", withy_last_error()), 1;
    CHECK(withy_context_destroy(context));
    return 0;
}
