/* Hair and rope from their own defaults, on a head that moves by one call: what they must look like, in the units of each host. */
#include <math.h>
#include <stdio.h>
#include <withy_expert.h>
#include <withy_rest_shape.h>

#define CHECK(fact) do { if (!(fact)) return printf("line %d: %s: %s\n", __LINE__, #fact, withy_last_error()), 1; } while (0)
enum { STRANDS = 3, POINTS = 40 };

static double distance(const double *a, const double *b) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static WithySpan doubles(double (*points)[3], uint64_t count) {
    WithySpan span = {NULL, 0, 0, WITHY_FORMAT_F64, 0};
    span.data = points, span.count = count;
    return span;
}

/* 20 cm of hair that grows sideways and bends down in waves. */
static void groom(double points[][3], double metre) {
    for (int s = 0; s < STRANDS; s++) {
        for (int i = 0; i < POINTS; i++) {
            double t = (double)i / (POINTS - 1), *p = points[s * POINTS + i];
            p[0] = metre * (0.1 + 0.06 * (1 - exp(-4 * t)));
            p[1] = metre * (0.01 * s - 0.17 * t * t);
            p[2] = metre * (0.01 * s + 0.005 * sin(9 * t));
        }
    }
}

static int hair(uint32_t convention, double metre) {
    static double start[STRANDS * POINTS][3], now[STRANDS * POINTS][3];
    uint32_t counts[STRANDS] = {POINTS, POINTS, POINTS};
    WithyContext context;
    WithyContextDef context_def;
    WithyWorld world;
    WithyRods rods;
    WithyRodsDef def;
    WithyElasticReport reports[STRANDS];
    WithyPose turn = {{0, 0, 0}, {0, 0, 0, 1}};
    WithySpan out = doubles(now, STRANDS * POINTS);
    uint64_t count = STRANDS;
    double farthest = 0;

    groom(start, metre);
    withy_context_def_init(&context_def);
    context_def.convention = convention;
    CHECK(withy_context_create(&context_def, &context) == WITHY_OK);
    CHECK(withy_world_create(context, NULL, &world) == WITHY_OK);
    CHECK(withy_hair_def_init(context, &def) == WITHY_OK);
    CHECK(fabs(def.radius - 1e-4 * metre) < 1e-12 && def.root == WITHY_SUPPORT_CLAMPED && def.struct_size == sizeof def);
    CHECK(def.flags == (WITHY_RODS_SAG_FREE | WITHY_RODS_ONE_WAY) && def.next == NULL);
    def.positions = doubles(start, STRANDS * POINTS);
    def.counts = (WithySpan){counts, STRANDS, 0, WITHY_FORMAT_U32, 0};
    CHECK(withy_rods_create(world, &def, &rods) == WITHY_OK);
    CHECK(withy_rods_read_elastic_report(rods, reports, &count) == WITHY_OK);
    for (int s = 0; s < STRANDS; s++) CHECK(reports[s].answer == WITHY_STRAND_HOLDS);

    /* It does not sag. */
    for (int frame = 0; frame < 60; frame++) CHECK(withy_world_step(world, 1.0 / 60.0) == WITHY_OK);
    CHECK(withy_rods_read_positions(rods, &out) == WITHY_OK);
    for (int i = 0; i < STRANDS * POINTS; i++) farthest = fmax(farthest, distance(now[i], start[i]));
    CHECK(farthest < 1e-4 * metre);

    /* A quarter turn about the host's second axis and half a metre along it, within a step, then at once. */
    turn.rotation.y = turn.rotation.w = sqrt(0.5);
    for (uint32_t teleport = 0; teleport < 2; teleport++) {
        turn.position.y = (0.5 + teleport) * metre;
        CHECK(withy_rods_set_root_transform(rods, &turn, teleport) == WITHY_OK);
        if (!teleport) CHECK(withy_world_step(world, 1.0 / 60.0) == WITHY_OK);
        CHECK(withy_rods_read_positions(rods, &out) == WITHY_OK);
        for (int s = 0; s < STRANDS; s++) {
            const double *p = start[s * POINTS], to[3] = {p[2], p[1] + turn.position.y, -p[0]};
            CHECK(distance(now[s * POINTS], to) < 1e-6 * metre);
        }
    }
    /* The clamped ends turn, too: after a while the hair has the shape that it had, in the frame of the head. (With a second axis
     * that is not up, gravity comes from another side.) */
    if (convention == WITHY_CONVENTION_SI || convention == WITHY_CONVENTION_MAYA || convention == WITHY_CONVENTION_UNITY) {
        for (int frame = 0; frame < 300; frame++) CHECK(withy_world_step(world, 1.0 / 60.0) == WITHY_OK);
        CHECK(withy_rods_read_positions(rods, &out) == WITHY_OK);
        for (int i = 0; i < STRANDS * POINTS; i++) {
            const double *p = start[i], to[3] = {p[2], p[1] + turn.position.y, -p[0]};
            CHECK(distance(now[i], to) < 1e-3 * metre);
        }
    }
    return withy_context_destroy(context);
}

/* Back and forth: roots come to where they were created, to the last bit; those that nobody holds cannot be moved. */
static int transforms(void) {
    double start[4][3] = {{0.1, 0.2, 0.3}, {0.2, 0.2, 0.3}, {0.7, 0.6, 0.5}, {0.8, 0.6, 0.5}}, now[4][3];
    uint32_t counts[2] = {2, 2};
    uint64_t hash[2];
    WithyContext context;
    WithyWorld world;
    WithyRods rods, loose;
    WithyRodsDef def;
    WithyPose turn = {{1, 2, 3}, {0.6, 0, 0, 0.8}}, none = {{0, 0, 0}, {0, 0, 0, 1}};
    WithySpan out = doubles(now, 4);
    CHECK(withy_context_create(NULL, &context) == WITHY_OK && withy_world_create(context, NULL, &world) == WITHY_OK);
    withy_rods_def_init(&def);
    def.positions = doubles(start, 4);
    def.counts = (WithySpan){counts, 2, 0, WITHY_FORMAT_U32, 0};
    def.radius = 0.01;
    CHECK(withy_rods_create(world, &def, &loose) == WITHY_OK);
    CHECK(withy_rods_set_root_transform(loose, &none, 0) == WITHY_ERROR_INVALID_ARGUMENT);
    def.root = WITHY_SUPPORT_PINNED;
    CHECK(withy_rods_create(world, &def, &rods) == WITHY_OK);
    CHECK(withy_world_state_hash(world, &hash[0]) == WITHY_OK);
    CHECK(withy_rods_set_root_transform(rods, &turn, 1) == WITHY_OK);
    CHECK(withy_rods_read_positions(rods, &out) == WITHY_OK);
    /* x; y' = 0.28 y - 0.96 z; z' = 0.96 y + 0.28 z */
    CHECK(fabs(now[2][0] - 1.7) < 1e-6 && fabs(now[2][1] - (2 + 0.168 - 0.48)) < 1e-6 && fabs(now[2][2] - (3 + 0.576 + 0.14)) < 1e-6);
    CHECK(withy_rods_set_root_transform(rods, &none, 1) == WITHY_OK);
    CHECK(withy_world_state_hash(world, &hash[1]) == WITHY_OK && hash[0] == hash[1]);
    return withy_context_destroy(context);
}

/* Ten metres of rope: hung by one end it does not stretch, held out level it does not stay so. */
static int rope(void) {
    enum { N = 101 };
    static double points[N][3];
    uint32_t vertices = N;
    WithyContext context;
    WithyWorld world;
    WithyRods rods;
    WithyRodsDef def;
    WithySpan out = doubles(points, N);
    double length = 0, lowest = 0;
    CHECK(withy_context_create(NULL, &context) == WITHY_OK && withy_world_create(context, NULL, &world) == WITHY_OK);
    CHECK(withy_rope_def_init(context, &def) == WITHY_OK && def.flags == 0 && def.radius == 5e-3);
    for (int i = 0; i < N; i++) points[i][0] = 0.1 * i;
    def.positions = out;
    def.counts = (WithySpan){&vertices, 1, 0, WITHY_FORMAT_U32, 0};
    CHECK(withy_rods_create(world, &def, &rods) == WITHY_OK);
    /* By a pin, of which WITHY_ORDER_AUTO would know nothing. */
    CHECK(withy_rods_set_pin(rods, 0, &(WithyVec3){0, 0, 0}, 0) == WITHY_OK);
    for (int frame = 0; frame < 60; frame++) {
        CHECK(withy_world_step(world, 1.0 / 60.0) == WITHY_OK);
        CHECK(withy_rods_read_positions(rods, &out) == WITHY_OK);
        length = 0;
        for (int i = 1; i < N; i++) length += distance(points[i], points[i - 1]);
        CHECK(length > 9.98 && length < 10.02);
    }
    for (int i = 0; i < N; i++) lowest = fmin(lowest, points[i][1]);
    CHECK(lowest < -3);
    return withy_context_destroy(context);
}

int main(void) {
    int failed = hair(WITHY_CONVENTION_SI, 1) || hair(WITHY_CONVENTION_MAYA, 100) || hair(WITHY_CONVENTION_UNREAL, 100) ||
                 hair(WITHY_CONVENTION_UNITY, 1) || hair(WITHY_CONVENTION_BLENDER, 1);
    return failed || transforms() || rope();
}
