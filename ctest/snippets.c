/* The pieces of C that README and docs show, in a program that runs them: cli/tests/readme.rs compares the lines. */
#include <math.h>
#include <stdio.h>
#include <withy_bodies.h>
#include <withy_expert.h>
#include <withy_muscle.h>
#include <withy_render_hair.h>
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

static int bone(WithyWorld world, double y, uint32_t motion, WithyBody *out) {
    WithyShapeDef shape;
    WithyBodyDef def;
    withy_shape_def_init(&shape);
    withy_body_def_init(&def);
    shape.radius = 0.03, shape.mask = 0;
    def.shapes = &shape, def.shape_count = 1, def.mass = 1, def.motion = motion;
    def.pose.position.y = y;
    CHECK(withy_body_create(world, &def, out));
    return 0;
}

static int arm(WithyWorld world) {
    static float points[7 * 21][3];
    WithyBody upper_arm, forearm;
    for (int k = 0; k < 7; k++) {
        for (int v = 0; v < 21; v++) {
            float *p = points[21 * k + v], out = k == 0 ? 0 : 0.016f;
            p[0] = out * (float)cos(k * 1.0471975512), p[1] = 0.3f - 0.015f * (float)v, p[2] = out * (float)sin(k * 1.0471975512);
        }
    }
    if (bone(world, 0.3, WITHY_BODY_KINEMATIC, &upper_arm) || bone(world, 0, WITHY_BODY_DYNAMIC, &forearm)) return 1;
    WithyMuscleDef def;
    WithyRods muscle;
    withy_muscle_def_init(&def);
    def.positions = (WithySpan){points, 7 * 21, 0, WITHY_FORMAT_F32, 0};   /* strand after strand */
    def.strands = 7, def.radius = 0.008;
    def.origin = upper_arm, def.insertion = forearm;
    def.origin_tendon = def.insertion_tendon = 0.2;
    def.mode = WITHY_MUSCLE_HILL, def.peak_force = 480;
    withy_muscle_create(world, &def, &muscle);

    withy_muscle_set_activation(muscle, 0.5);
    withy_world_step(world, 1.0 / 60.0);

    return 0;
}

/* A spindle of 30 rings of 16 and two caps. */
static int biceps(WithyContext context, WithyWorld world) {
    static float vertices[30 * 16 + 2][3], points[24 * 24][3], radii[24 * 24];
    static uint32_t faces[30 * 16 * 2][3];
    const uint64_t vertex_count = 30 * 16 + 2, face_count = 30 * 16 * 2;
    float shoulder[1][3] = {{0, 0.3f, 0}};
    WithyBody scapula, forearm;
    for (int i = 0; i < 30 * 16; i++) {
        double t = i / 16 / 29.0, r = 0.008 + 0.016 * sin(3.14159265 * t) * sin(3.14159265 * t), turn = i % 16 * 0.39269908;
        vertices[i][0] = (float)(r * cos(turn)), vertices[i][1] = (float)(0.3 - 0.3 * t), vertices[i][2] = (float)(r * sin(turn));
    }
    vertices[30 * 16][1] = 0.3f;
    for (uint32_t i = 0; i < 30 * 16; i++) {
        /* The last ring's faces are both caps. */
        uint32_t after = i / 16 * 16 + (i + 1) % 16, below = i + 16, far = after + 16, *a = faces[2 * i], *b = faces[2 * i + 1];
        if (i < 29 * 16) a[0] = i, a[1] = after, a[2] = below, b[0] = after, b[1] = far, b[2] = below;
        else a[0] = 30 * 16, a[1] = after % 16, a[2] = i % 16, b[0] = 30 * 16 + 1, b[1] = i, b[2] = after;
    }
    if (bone(world, 0.3, WITHY_BODY_KINEMATIC, &scapula) || bone(world, 0, WITHY_BODY_DYNAMIC, &forearm)) return 1;
    WithyMuscleMeshDef mesh;
    WithyMuscleFit fit;
    WithySpan to = {points, 24 * 24, 0, WITHY_FORMAT_F32, 0};     /* float points[24 * 24][3] */
    WithySpan thick = {radii, 24 * 24, 0, WITHY_FORMAT_F32, 0};   /* float radii[24 * 24] */
    withy_muscle_mesh_def_init(&mesh);                            /* 24 strands of 24 vertices */
    mesh.positions = (WithySpan){vertices, vertex_count, 0, WITHY_FORMAT_F32, 0};
    mesh.triangles = (WithySpan){faces, face_count, 0, WITHY_FORMAT_U32, 0};
    mesh.origin.points = (WithySpan){shoulder, 1, 0, WITHY_FORMAT_F32, 0}; /* a point for each head; or leave it out */
    CHECK(withy_muscle_fit_mesh(context, &mesh, &to, &thick, &fit));

    WithyMuscleDef def;
    WithyRods muscle;
    withy_muscle_def_init(&def);
    def.positions = to, def.radii = thick, def.strands = mesh.strands;
    def.origin = scapula, def.insertion = forearm;
    def.origin_tendon = def.insertion_tendon = 0.15;   /* the thin ends: part of the length */
    CHECK(withy_muscle_create(world, &def, &muscle));
    withy_muscle_set_activation(muscle, 0.5);
    CHECK(withy_world_step(world, 1.0 / 60.0));
    if (fit.covered < 0.85 || fit.repairs != 0) return printf("covered %g, repairs %u\n", fit.covered, fit.repairs), 1;
    return 0;
}

/* A tube of 8 rings around a rod. */
static int tube(WithyWorld world) {
    static float points[11][3], vertices[8 * 12][3], out_positions[8 * 12][3], out_normals[8 * 12][3];
    static uint32_t faces[7 * 12 * 2][3], count = 11;
    const uint64_t vertex_count = 8 * 12, face_count = 7 * 12 * 2;
    WithyRodsDef rod;
    WithyRods rods;
    for (int i = 0; i < 11; i++) points[i][1] = 0.05f * (float)i;
    for (int i = 0; i < 8 * 12; i++) {
        vertices[i][0] = 0.04f * (float)cos(i % 12 * 0.5235987756), vertices[i][1] = 0.07f * (float)(i / 12);
        vertices[i][2] = 0.04f * (float)sin(i % 12 * 0.5235987756);
    }
    for (uint32_t i = 0; i < 7 * 12; i++) {
        uint32_t next = i / 12 * 12 + (i + 1) % 12;
        faces[2 * i][0] = i, faces[2 * i][1] = i + 12, faces[2 * i][2] = next;
        faces[2 * i + 1][0] = next, faces[2 * i + 1][1] = i + 12, faces[2 * i + 1][2] = next + 12;
    }
    withy_rods_def_init(&rod);
    rod.positions = (WithySpan){points, 11, 0, WITHY_FORMAT_F32, 0};
    rod.counts = (WithySpan){&count, 1, 0, WITHY_FORMAT_U32, 0};
    rod.radius = 0.03, rod.poisson_ratio = 0.45;
    CHECK(withy_rods_create(world, &rod, &rods));
    /* Rods first, where the mesh was modelled around them: the bind pose. */
    WithySkin skin;
    WithySkinDef def;
    withy_skin_def_init(&def);
    def.positions = (WithySpan){vertices, vertex_count, 0, WITHY_FORMAT_F32, 0};
    def.triangles = (WithySpan){faces, face_count, 0, WITHY_FORMAT_U32, 0};
    def.rods = &rods, def.rods_count = 1;
    withy_skin_create(world, &def, &skin);

    /* In every frame, after the step: */
    withy_world_step(world, 1.0 / 60.0);
    WithySpan positions = {out_positions, vertex_count, 0, WITHY_FORMAT_F32, 0};
    WithySpan normals = {out_normals, vertex_count, 0, WITHY_FORMAT_F32, 0};
    withy_skin_read_positions(skin, &positions);
    withy_skin_read_normals(skin, &normals);

    return 0;
}

/* Four guides at the corners of a square, and a hair in the middle. */
static int render_hair(WithyWorld world) {
    static float points[4 * 6][3], groom_points[11][3], out_positions[11][3], out_tangents[11][3];
    static uint32_t counts[4] = {6, 6, 6, 6}, groom_counts[1] = {11};
    const uint64_t groom_vertices = 11, groom_strands = 1;
    WithyRodsDef guide;
    WithyRods rods;
    for (int i = 0; i < 24; i++) {
        points[i][0] = 0.02f * (float)(i / 6 % 2), points[i][1] = -0.03f * (float)(i % 6), points[i][2] = 0.02f * (float)(i / 12);
    }
    for (int i = 0; i < 11; i++) groom_points[i][0] = 0.01f, groom_points[i][1] = -0.015f * (float)i, groom_points[i][2] = 0.01f;
    withy_rods_def_init(&guide);
    guide.positions = (WithySpan){points, 24, 0, WITHY_FORMAT_F32, 0};
    guide.counts = (WithySpan){counts, 4, 0, WITHY_FORMAT_U32, 0};
    guide.radius = 2e-4, guide.root = WITHY_SUPPORT_CLAMPED;
    CHECK(withy_rods_create(world, &guide, &rods));
    /* Guides first, in the pose of the groom: the bind pose. */
    WithyRenderHair hair;
    WithyRenderHairDef def;
    withy_render_hair_def_init(&def);
    def.rods = &rods, def.rods_count = 1;
    def.positions = (WithySpan){groom_points, groom_vertices, 0, WITHY_FORMAT_F32, 0};
    def.counts = (WithySpan){groom_counts, groom_strands, 0, WITHY_FORMAT_U32, 0};
    withy_render_hair_create(world, &def, &hair);

    /* In every frame, after the step: */
    withy_world_step(world, 1.0 / 60.0);
    WithySpan positions = {out_positions, groom_vertices, 0, WITHY_FORMAT_F32, 0};
    WithySpan tangents = {out_tangents, groom_vertices, 0, WITHY_FORMAT_F32, 0};
    withy_render_hair_read(hair, NULL, &positions, &tangents);

    return 0;
}

/* A strand that sways for as long as its drag lets it. */
static int sway(WithyWorld world) {
    static float points[12] = {0, 0, 0, 0.1f, 0, 0, 0.2f, 0, 0, 0.3f, 0, 0};
    static uint32_t counts[1] = {4};
    WithyRods rods;
    WithyRodsDef def;
    withy_rods_def_init(&def);
    def.drag = 3; /* of the air; hair: 3 */

    def.positions = (WithySpan){points, 4, 0, WITHY_FORMAT_F32, 0};
    def.counts = (WithySpan){counts, 1, 0, WITHY_FORMAT_U32, 0};
    def.radius = 1e-3, def.root = WITHY_SUPPORT_CLAMPED;
    CHECK(withy_rods_create(world, &def, &rods));
    CHECK(withy_world_step(world, 1.0 / 60.0));
    CHECK(withy_rods_destroy(rods));
    return 0;
}

/* Sixteen strands along a line. */
static int line_of_hair(WithyWorld world, uint32_t strands, float (*points)[3], WithyRods *out) {
    uint32_t counts[16];
    WithyRodsDef def;
    for (uint32_t i = 0; i < strands * 10; i++) {
        points[i][0] = 0.03f * (float)(i % 10), points[i][1] = 0, points[i][2] = 0.32f / (float)strands * (float)(i / 10);
    }
    for (uint32_t s = 0; s < strands; s++) counts[s] = 10;
    withy_rods_def_init(&def);
    def.positions = (WithySpan){points, strands * 10, 0, WITHY_FORMAT_F32, 0};
    def.counts = (WithySpan){counts, strands, 0, WITHY_FORMAT_U32, 0};
    def.radius = 1e-3, def.drag = 4, def.root = WITHY_SUPPORT_CLAMPED;
    CHECK(withy_rods_create(world, &def, out));
    return 0;
}

static int far_and_near(WithyWorld world) {
    static float points[16 * 10][3], bound[16 * 10][3], before[16 * 10][3], speeds[16 * 10][3];
    const uint64_t vertices = 16 * 10;
    float edges[16 * 9];
    uint32_t counts[16];
    WithySpan strain = {edges, 16 * 9, 0, WITHY_FORMAT_F32, 0}, now = {bound, vertices, 0, WITHY_FORMAT_F32, 0};
    WithyPose head = {{0, 0, 0}, {0, 0, 0, 1}};
    WithyRods few, many;
    WithyRenderHair over_few;
    WithyRenderHairDef hair;
    if (line_of_hair(world, 4, points, &few) || line_of_hair(world, 16, points, &many)) return 1;
    for (int s = 0; s < 16; s++) counts[s] = 10;
    withy_render_hair_def_init(&hair);
    hair.rods = &few, hair.rods_count = 1;
    hair.positions = (WithySpan){points, vertices, 0, WITHY_FORMAT_F32, 0}, hair.counts = (WithySpan){counts, 16, 0, WITHY_FORMAT_U32, 0};
    CHECK(withy_render_hair_create(world, &hair, &over_few));
    CHECK(withy_rods_set_enabled(many, 0));
    for (int i = 0; i < 120; i++) {
        head.position.x = 0.01 * i;
        CHECK(withy_rods_set_root_transform(few, &head, 0));
        CHECK(withy_rods_set_root_transform(many, &head, 0));
        if (i == 119) {
            WithySpan now_before = {before, vertices, 0, WITHY_FORMAT_F32, 0};
            CHECK(withy_render_hair_read(over_few, NULL, &now_before, NULL));
        }
        CHECK(withy_world_step(world, 1.0 / 60.0));
    }
    /* The character comes near: all strands go on from where the few have brought them, and as fast. */
    WithySpan positions = {points, vertices, 0, WITHY_FORMAT_F32, 0}, velocities = {speeds, vertices, 0, WITHY_FORMAT_F32, 0};
    withy_render_hair_read(over_few, NULL, &positions, NULL); /* the many, bound over the few */
    for (uint64_t i = 0; i < vertices; i++) {
        for (int k = 0; k < 3; k++) speeds[i][k] = (points[i][k] - before[i][k]) * 60;
    }
    withy_rods_write_positions(many, &positions);
    withy_rods_write_velocities(many, &velocities);
    withy_rods_set_enabled(many, 1);
    withy_rods_set_enabled(few, 0);

    if (fabs(speeds[9][0] - 0.6) > 0.2) return printf("a tip goes at %g\n", speeds[9][0]), 1;
    for (int i = 0; i < 120; i++) {
        CHECK(withy_world_step(world, 1.0 / 60.0));
        CHECK(withy_rods_read_strain(many, &strain));
        for (int k = 0; k < 16 * 9; k++) {
            if (!(fabs(edges[k]) < 0.02)) return printf("strain %g\n", edges[k]), 1;
        }
    }
    CHECK(withy_rods_read_positions(many, &now));
    for (int i = 0; i < 160; i++) {
        if (fabs(bound[i][1] - points[i][1]) > 0.03) return printf("vertex %d: %g, was %g\n", i, bound[i][1], points[i][1]), 1;
    }
    CHECK(withy_render_hair_destroy(over_few));
    CHECK(withy_rods_destroy(few));
    CHECK(withy_rods_destroy(many));
    return 0;
}

static int slider(WithyWorld world) {
    static float points[16 * 10][3];
    WithyRods hair;
    if (line_of_hair(world, 4, points, &hair)) return 1;
    WithyRodsDef def;
    withy_rods_def_init(&def);
    withy_rods_get_def(hair, &def);      /* the numbers of now */
    def.young_modulus = 2e9;             /* an artist has moved a slider */
    withy_rods_change(hair, &def);

    withy_rods_get_def(hair, &def);
    if (def.young_modulus != 2e9) return printf("young_modulus %g\n", def.young_modulus), 1;
    CHECK(withy_rods_destroy(hair));
    return 0;
}

int main(void) {
    WithyContext context;
    WithyWorld world;
    CHECK(withy_context_create(NULL, &context));
    CHECK(withy_world_create(context, NULL, &world));
    if (groom(context, world) || ragdoll(world) || arm(world) || biceps(context, world) || tube(world) || render_hair(world) || sway(world)
        || far_and_near(world) || slider(world)) return 1;
    if (*withy_last_error()) return printf("%s\n", withy_last_error()), 1;
    CHECK(withy_context_destroy(context));
    return 0;
}
