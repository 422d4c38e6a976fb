/* From the surface of a muscle to one that moves, from C; what is repaired, and what is refused. */

#include "checks.h"
#include "withy_muscle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RINGS 41
#define AROUND 24
#define VERTICES (RINGS * AROUND + 2)
#define FACES ((RINGS - 1) * AROUND * 2 + 2 * AROUND)
#define STRANDS 12
#define SLICES 14
#define ALL (STRANDS * SLICES)
#define PI 3.14159265358979323846

#define ARGUMENT(call, words) \
    do { \
        EXPECT((call) == WITHY_ERROR_INVALID_ARGUMENT); \
        if (strstr(withy_last_error(), words) == NULL) printf("%s\n", withy_last_error()); \
        EXPECT(strstr(withy_last_error(), words) != NULL); \
    } while (0)

/* A spindle of 30 cm along y, its belly 4.4 by 3.6 cm, and as many triangles as are told, with room for one more. */
typedef struct Surface {
    float vertices[VERTICES][3];
    uint32_t faces[FACES + 1][3];
    WithyMuscleMeshDef def;
} Surface;

static double half_axis(double t) {
    double s = sin(PI * t);
    return 0.006 + 0.016 * s * s;
}

static void face(Surface *s, int *k, int a, int b, int c) {
    s->faces[*k][0] = (uint32_t)a, s->faces[*k][1] = (uint32_t)b, s->faces[*k][2] = (uint32_t)c;
    (*k)++;
}

static void spindle(Surface *s) {
    const int first = RINGS * AROUND, last = first + 1;
    int i, j, k = 0;
    memset(s->vertices, 0, sizeof s->vertices);
    for (i = 0; i < RINGS; i++) {
        for (j = 0; j < AROUND; j++) {
            double t = (double)i / (RINGS - 1), r = half_axis(t), turn = 2 * PI * j / AROUND;
            float *v = s->vertices[i * AROUND + j];
            v[0] = (float)(r * cos(turn)), v[1] = (float)(0.3 - 0.3 * t), v[2] = (float)(0.8 * r * sin(turn));
        }
    }
    s->vertices[first][1] = 0.3f;
    for (j = 0; j < AROUND; j++) {
        int next = (j + 1) % AROUND;
        for (i = 0; i + 1 < RINGS; i++) {
            face(s, &k, i * AROUND + j, i * AROUND + next, (i + 1) * AROUND + j);
            face(s, &k, i * AROUND + next, (i + 1) * AROUND + next, (i + 1) * AROUND + j);
        }
        face(s, &k, first, next, j);
        face(s, &k, last, (RINGS - 1) * AROUND + j, (RINGS - 1) * AROUND + next);
    }
    EXPECT(k == FACES);
    OK(withy_muscle_mesh_def_init(&s->def));
    EXPECT(s->def.strands == 24 && s->def.slices == 24);
    s->def.positions = f32(s->vertices, VERTICES);
    s->def.triangles = u32(s->faces, FACES);
    s->def.strands = STRANDS, s->def.slices = SLICES;
}

/* The upper end, painted, and the lower one. */
static uint32_t ends[2][AROUND + 1];

static void paint(WithyMuscleMeshDef *def) {
    uint32_t j;
    for (j = 0; j < AROUND; j++) ends[0][j] = j, ends[1][j] = (RINGS - 1) * AROUND + j;
    ends[0][AROUND] = RINGS * AROUND, ends[1][AROUND] = RINGS * AROUND + 1;
    def->origin.vertices = u32(ends[0], AROUND + 1), def->insertion.vertices = u32(ends[1], AROUND + 1);
}

static Surface mesh;
static float points[ALL + 1][3], radii[ALL + 1];
/* Of the mesh as it is, with ends that are found. */
static float first[ALL][3], thick_first[ALL];
static WithyMuscleFit good;

static int32_t fit_mesh(WithyContext context, WithyMuscleFit *fit) {
    WithySpan to = f32(points, ALL), thick = f32(radii, ALL);
    return withy_muscle_fit_mesh(context, &mesh.def, &to, &thick, fit);
}

/* The strands fill the mesh, and their cones have its volume. */
static void fills(WithyContext context) {
    WithyMuscleFit fit;
    WithySpan to = f32(NULL, 0), thick = f32(NULL, 0);
    double cones = 0, surface = 0;
    int i;
    spindle(&mesh);
    OK(withy_muscle_fit_mesh(context, &mesh.def, &to, &thick, NULL));
    EXPECT(to.count == ALL && thick.count == ALL);
    points[ALL][0] = radii[ALL] = 77;
    OK(fit_mesh(context, &fit));
    EXPECT(points[ALL][0] == 77 && radii[ALL] == 77);
    for (i = 0; i < FACES; i++) {
        const float *a = mesh.vertices[mesh.faces[i][0]], *b = mesh.vertices[mesh.faces[i][1]], *c = mesh.vertices[mesh.faces[i][2]];
        surface += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
    }
    for (i = 0; i < ALL; i++) {
        const float *a = points[i], *b = points[i + 1];
        double r = radii[i], s = radii[i + 1], x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
        EXPECT(isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]) && r > 0 && r < 0.02);
        if (i % SLICES < SLICES - 1) cones += PI / 3 * (r * r + r * s + s * s) * sqrt(x * x + y * y + z * z);
    }
    EXPECT(surface > 1e-4 && fabs(fit.volume / surface - 1) < 1e-5 && fabs(cones / surface - 1) < 1e-4);
    EXPECT(fit.covered > 0.86 && fit.outside < 0.06 && fit.origin_gap <= 1 && fit.insertion_gap <= 1);
    EXPECT(fabs(fit.length - 0.3) < 0.01 && fit.surface_distance > 0 && fit.surface_distance < 0.0025);
    EXPECT(fit.origin_heads == 1 && fit.insertion_heads == 1);
    EXPECT(fit.repairs == 0 && fit.flat_triangles == 0 && fit.headless == 0 && fit.left_out == 0);
    memcpy(first, points, sizeof first), memcpy(thick_first, radii, sizeof thick_first);
    good = fit;
}

static WithyBody bone(WithyWorld world, double y, uint32_t motion) {
    WithyShapeDef shape;
    WithyBodyDef body;
    WithyBody out;
    OK(withy_shape_def_init(&shape));
    shape.radius = 0.03, shape.mask = 0;
    OK(withy_body_def_init(&body));
    body.shapes = &shape, body.shape_count = 1, body.mass = 1, body.motion = motion;
    body.pose.position.y = y;
    OK(withy_body_create(world, &body, &out));
    return out;
}

/* The strands become a muscle that lifts a weight: it becomes shorter, and keeps its volume. */
static void moves(WithyContext context, uint32_t mode) {
    WithyWorld world;
    WithyMuscleDef def;
    WithyRods muscle;
    WithyMuscleState hanging, active;
    int i;
    OK(withy_world_create(context, NULL, &world));
    OK(withy_muscle_def_init(&def));
    def.positions = f32(points, ALL), def.radii = f32(radii, ALL), def.strands = mesh.def.strands;
    def.origin = bone(world, 0.3, WITHY_BODY_KINEMATIC), def.insertion = bone(world, 0, WITHY_BODY_DYNAMIC);
    def.mode = mode, def.origin_tendon = def.insertion_tendon = 0.1;
    OK(withy_muscle_create(world, &def, &muscle));
    for (i = 0; i < 90; i++) OK(withy_world_step(world, 1.0 / 60.0));
    OK(withy_muscle_get_state(muscle, &hanging));
    OK(withy_muscle_set_activation(muscle, 0.5));
    for (i = 0; i < 90; i++) OK(withy_world_step(world, 1.0 / 60.0));
    OK(withy_muscle_get_state(muscle, &active));
    printf("mode %u: %.4f to %.4f, volume %.5f, %.5f\n", mode, hanging.length, active.length, hanging.volume, active.volume);
    EXPECT(active.length < 0.95 * hanging.length && active.active_force > 1);
    EXPECT(fabs(hanging.volume - 1) < 0.01 && fabs(active.volume - 1) < 0.01);
    OK(withy_world_destroy(world));
}

/* Ends that are painted on both sides; a point above and a plane below: from there to there. */
static void same_ends(WithyContext context) {
    double tip[3] = {0, 0.3, 0};
    int mixed;
    for (mixed = 1; mixed >= 0; mixed--) {
        WithyMuscleFit fit;
        spindle(&mesh);
        if (mixed) {
            mesh.def.origin.points = f32(tip, 1), mesh.def.origin.points.format = WITHY_FORMAT_F64;
            mesh.def.insertion.plane_point.y = 0.004, mesh.def.insertion.plane_normal.y = -1;
        } else {
            paint(&mesh.def);
        }
        OK(fit_mesh(context, &fit));
        EXPECT(fit.covered > 0.86 && fit.outside < 0.06 && fabs(fit.length - 0.3) < 0.01);
        /* A painted end is a surface, without a tip for a strand to reach. */
        EXPECT(!mixed || (fit.origin_gap <= 1 && fit.insertion_gap <= 1));
        EXPECT(points[0][1] > 0.29f && points[SLICES - 1][1] < 0.01f);
    }
}

/* The host's thread, a pool and the host's own threads give the same bits. */
static void run_backwards(void *user, void (*task)(void *, uint32_t), void *data, uint32_t count) {
    *(int *)user += 1;
    while (count-- > 0) task(data, count);
}

static void same_bits(void) {
    WithyContextDef def;
    WithyTaskCallbacks tasks;
    WithyMuscleFit other_fit;
    int kind, calls = 0;
    spindle(&mesh);
    for (kind = 0; kind < 2; kind++) {
        WithyContext other;
        OK(withy_context_def_init(&def));
        tasks.user = &calls, tasks.run = run_backwards;
        if (kind == 0) def.threads = 0;
        if (kind == 1) def.tasks = &tasks;
        OK(withy_context_create(&def, &other));
        OK(fit_mesh(other, &other_fit));
        EXPECT(memcmp(first, points, sizeof first) == 0 && memcmp(thick_first, radii, sizeof thick_first) == 0);
        EXPECT(memcmp(&good, &other_fit, sizeof good) == 0);
        OK(withy_context_destroy(other));
    }
    EXPECT(calls > 100);
}

/* A host of another handedness and unit gets the same strands in its own axes. */
static void conventions(void) {
    WithyMuscleFit other_fit;
    int kind, i;
    for (kind = 0; kind < 2; kind++) {
        /* Unity: x is turned round, triangles run clockwise. Unreal: y and z change places, cm. */
        const uint32_t convention = kind == 0 ? WITHY_CONVENTION_UNITY : WITHY_CONVENTION_UNREAL;
        const float unit = kind == 0 ? 1.0f : 100.0f;
        WithyContextDef def;
        WithyContext other;
        float worst = 0;
        spindle(&mesh);
        for (i = 0; i < VERTICES; i++) {
            float *v = mesh.vertices[i], y = v[1];
            if (kind == 0) v[0] = -v[0];
            if (kind == 1) v[0] *= unit, v[1] = v[2] * unit, v[2] = y * unit;
        }
        for (i = 0; kind == 0 && i < FACES; i++) {
            uint32_t swapped = mesh.faces[i][1];
            mesh.faces[i][1] = mesh.faces[i][2], mesh.faces[i][2] = swapped;
        }
        OK(withy_context_def_init(&def));
        def.convention = convention, def.threads = 2;
        OK(withy_context_create(&def, &other));
        OK(fit_mesh(other, &other_fit));
        for (i = 0; i < ALL; i++) {
            float *p = points[i], y = p[1];
            if (kind == 0) p[0] = -p[0];
            if (kind == 1) p[1] = p[2], p[2] = y;
            worst = fmaxf(worst, fmaxf(fabsf(p[0] - unit * first[i][0]), fabsf(p[1] - unit * first[i][1])) / (unit * thick_first[i]));
            worst = fmaxf(worst, fabsf(p[2] - unit * first[i][2]) / (unit * thick_first[i]));
            EXPECT(fabs(radii[i] / (unit * thick_first[i]) - 1) < 1e-3);
        }
        EXPECT(worst < 0.1 && other_fit.repairs == 0);
        EXPECT(fabs(other_fit.volume / (good.volume * pow(unit, 3)) - 1) < 1e-4 && fabs(other_fit.length / (good.length * unit) - 1) < 1e-3);
        EXPECT(fabs(other_fit.surface_distance / (good.surface_distance * unit) - 1) < 0.05);
        if (kind == 1) {
            float far_away[3] = {0, 0, 3000};
            mesh.def.origin.points = f32(far_away, 1);
            ARGUMENT(fit_mesh(other, NULL), "origin.points[0] [0.0, 30.0, 0.0] lies 29.");
            EXPECT(strstr(withy_last_error(), "(lengths in m)") != NULL);
        }
        OK(withy_context_destroy(other));
    }
}

static void repairs(WithyContext context) {
    WithyMuscleFit fit;
    int i;
    spindle(&mesh);
    for (i = 0; i < FACES; i++) {
        uint32_t swapped = mesh.faces[i][1];
        mesh.faces[i][1] = mesh.faces[i][2], mesh.faces[i][2] = swapped;
    }
    mesh.faces[FACES][0] = mesh.faces[FACES][1] = 5, mesh.faces[FACES][2] = 9;
    mesh.def.triangles.count = FACES + 1;
    OK(fit_mesh(context, &fit));
    EXPECT(fit.repairs == (WITHY_REPAIRED_FLAT_TRIANGLES | WITHY_REPAIRED_INSIDE_OUT) && fit.flat_triangles == 1);
    EXPECT(fabs(fit.volume / good.volume - 1) < 1e-6 && fit.covered > 0.86);
    /* Holes: some triangles of the belly are lines, and one end has no lid. */
    spindle(&mesh);
    for (i = 36; i < 44; i++) mesh.faces[i][1] = mesh.faces[i][2] = mesh.faces[i][0];
    for (i = 0; i < FACES; i++) {
        if (mesh.faces[i][0] == RINGS * AROUND) mesh.faces[i][0] = mesh.faces[i][1];
    }
    OK(fit_mesh(context, &fit));
    EXPECT((fit.repairs & WITHY_REPAIRED_FLAT_TRIANGLES) != 0 && fit.flat_triangles == 8 + AROUND);
    EXPECT(fabs(fit.volume / good.volume - 1) < 0.02 && fit.covered > 0.84);
}

static void refuses(WithyContext context) {
    WithyMuscleFit fit;
    WithyMuscleMeshDef *const def = &mesh.def;
    WithySpan to = f32(points, ALL), thick = f32(radii, ALL), small = f32(points, ALL - 1);
    WithyContext none = {0};
    static double bad_points[65][3];
    uint32_t bad_vertex[2] = {4, VERTICES};
    spindle(&mesh);
    EXPECT(withy_muscle_fit_mesh(none, def, &to, &thick, &fit) == WITHY_ERROR_INVALID_HANDLE);
    ARGUMENT(withy_muscle_fit_mesh(context, NULL, &to, &thick, &fit), "def is NULL");
    ARGUMENT(withy_muscle_fit_mesh(context, def, NULL, &thick, &fit), "points is NULL");
    EXPECT(withy_muscle_fit_mesh(context, def, &small, &thick, &fit) == WITHY_ERROR_TOO_SMALL);
    EXPECT(small.count == ALL);
    small = f32(radii, 3);
    EXPECT(withy_muscle_fit_mesh(context, def, &to, &small, &fit) == WITHY_ERROR_TOO_SMALL);
    EXPECT(strstr(withy_last_error(), "radii.count is 3") != NULL);
    ARGUMENT(withy_muscle_mesh_def_init_sized(NULL, sizeof *def), "def is NULL");
    ARGUMENT(withy_muscle_mesh_def_init_sized(def, 8), "struct_size is 8");
    def->struct_size = 12;
    ARGUMENT(fit_mesh(context, &fit), "struct_size is 12");
    spindle(&mesh);
    def->flags = 1;
    EXPECT(fit_mesh(context, &fit) == WITHY_ERROR_UNSUPPORTED);
    def->flags = 0, def->strands = 0;
    ARGUMENT(fit_mesh(context, &fit), "strands is 0: must be 1 to 512");
    def->strands = UINT32_MAX;
    ARGUMENT(fit_mesh(context, &fit), "strands is 4294967295: must be 1 to 512");
    def->strands = STRANDS, def->slices = 1;
    ARGUMENT(fit_mesh(context, &fit), "slices is 1: must be 2 to 512");
    def->slices = UINT32_MAX;
    ARGUMENT(fit_mesh(context, &fit), "slices is 4294967295: must be 2 to 512");

    /* Arrays. */
    spindle(&mesh);
    def->positions.data = NULL;
    ARGUMENT(fit_mesh(context, &fit), "positions.data is NULL, count is 986");
    def->positions = f32(NULL, 0);
    ARGUMENT(fit_mesh(context, &fit), "positions.data is NULL");
    def->positions = f32(mesh.vertices, UINT64_MAX / 3);
    ARGUMENT(fit_mesh(context, &fit), "positions.count is 6148914691236517205");
    def->positions = f32(mesh.vertices, 1 << 30);
    ARGUMENT(fit_mesh(context, &fit), "positions.count is 1073741824: must be at most 4194304");
    def->positions = f32(mesh.vertices, VERTICES), def->triangles = u32(mesh.faces, UINT64_C(1) << 32);
    ARGUMENT(fit_mesh(context, &fit), "triangles.count is 4294967296: must be at most 4194304");
    def->triangles = f32(mesh.faces, FACES);
    ARGUMENT(fit_mesh(context, &fit), "triangles.format is 1");
    def->triangles = u32(mesh.faces, 0);
    ARGUMENT(fit_mesh(context, &fit), "triangles.count is 0");
    def->triangles = u32(mesh.faces, FACES), mesh.faces[3][2] = VERTICES;
    ARGUMENT(fit_mesh(context, &fit), "triangles[3] 986 is outside of the 986 vertices");
    mesh.faces[3][2] = UINT32_MAX;
    ARGUMENT(fit_mesh(context, &fit), "triangles[3] 4294967295 is outside of the 986 vertices");
    spindle(&mesh);
    mesh.vertices[7][1] = NAN;
    ARGUMENT(fit_mesh(context, &fit), "positions[7].y is NaN");
    mesh.vertices[7][1] = -INFINITY;
    ARGUMENT(fit_mesh(context, &fit), "positions[7].y is -inf");
    mesh.vertices[7][1] = 1e30f;
    ARGUMENT(fit_mesh(context, &fit), "positions[7].y is 1");

    /* Shapes. */
    spindle(&mesh);
    def->triangles.count = 40;
    ARGUMENT(fit_mesh(context, &fit), "triangles enclose nothing: the mesh is an open sheet");
    memset(mesh.faces, 0, sizeof mesh.faces);
    ARGUMENT(fit_mesh(context, &fit), "size 0e0 is none of a muscle");
    spindle(&mesh);
    def->strands = 512, to.count = thick.count = 512 * SLICES;
    to.data = NULL;
    OK(withy_muscle_fit_mesh(context, def, &to, NULL, &fit));
    EXPECT(to.count == 512 * SLICES);

    /* Ends. */
    spindle(&mesh);
    def->origin.points = f32(bad_points, 1), def->origin.points.format = WITHY_FORMAT_F64, def->insertion = def->origin;
    ARGUMENT(fit_mesh(context, &fit), "insertion is the same as the origin");
    def->insertion = def->origin, def->insertion.points.data = bad_points[1], bad_points[1][1] = 1e-4;
    ARGUMENT(fit_mesh(context, &fit), "insertion is the same as the origin");
    bad_points[1][1] = 150;
    ARGUMENT(fit_mesh(context, &fit), "insertion.points[0] [0.0, 150.0, 0.0] lies");
    bad_points[1][1] = NAN;
    ARGUMENT(fit_mesh(context, &fit), "insertion.points[0].y is NaN");
    def->insertion.points.count = 65, def->insertion.points.data = bad_points;
    ARGUMENT(fit_mesh(context, &fit), "insertion.points.count is 65: must be at most 64");
    spindle(&mesh);
    def->insertion.vertices = u32(bad_vertex, 2);
    ARGUMENT(fit_mesh(context, &fit), "insertion.vertices[1] 986 is outside of the 986 vertices");
    def->insertion.vertices.format = WITHY_FORMAT_F32;
    ARGUMENT(fit_mesh(context, &fit), "insertion.vertices.format is 1");
    def->insertion.vertices = u32(bad_vertex, 1), def->insertion.points = f32(mesh.vertices, 1);
    ARGUMENT(fit_mesh(context, &fit), "insertion.vertices goes not with insertion.points");
    spindle(&mesh);
    def->origin.plane_normal.y = NAN;
    ARGUMENT(fit_mesh(context, &fit), "origin.plane_normal.y is NaN");
    def->origin.plane_normal.y = 1, def->origin.plane_point.x = INFINITY;
    ARGUMENT(fit_mesh(context, &fit), "origin.plane_point.x is inf");
    def->origin.plane_point.x = 0, def->origin.plane_point.y = 0.01, def->insertion.plane_point.y = 0.29, def->insertion.plane_normal.y = -1;
    ARGUMENT(fit_mesh(context, &fit), "insertion is the same as the origin");
}

int main(void) {
    WithyContextDef def;
    WithyContext context;
    OK(withy_context_def_init(&def));
    def.threads = 2;
    OK(withy_context_create(&def, &context));
    fills(context);
    same_ends(context);
    moves(context, WITHY_MUSCLE_REST_SHAPE);
    moves(context, WITHY_MUSCLE_HILL);
    same_bits();
    conventions();
    repairs(context);
    refuses(context);
    OK(withy_context_destroy(context));
    return failures != 0;
}
