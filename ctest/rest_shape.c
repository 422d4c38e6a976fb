/* A groom that starts without sagging: found at creation, found by a call, cancelled, kept and given back; and all that a host can do
 * wrong on the way. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <withy_expert.h>
#include <withy_rest_shape.h>

enum { STRANDS = 6, VERTICES = 40, EDGES = VERTICES - 1 };

static double points[STRANDS * VERTICES][3];
static uint32_t counts[STRANDS];
static int failures = 0;

#define CHECK(what)                                                                            \
    do {                                                                                       \
        if (!(what)) {                                                                         \
            printf("line %d: %s: %s\n", __LINE__, #what, withy_last_error());                  \
            failures++;                                                                        \
        }                                                                                      \
    } while (0)

static int mentions(const char *text) { return strstr(withy_last_error(), text) != NULL; }

static WithySpan span(void *data, uint64_t count, uint32_t format) {
    WithySpan s = {data, count, 0, format, 0};
    return s;
}

static WithyRods strands(WithyWorld world, uint32_t flags, uint32_t model) {
    WithyRods rods = {0};
    WithyRodsDef def;
    withy_rods_def_init(&def);
    def.flags = flags;
    def.positions = span(points, STRANDS * VERTICES, WITHY_FORMAT_F64);
    def.counts = span(counts, STRANDS, WITHY_FORMAT_U32);
    def.radius = 0.001;
    def.young_modulus = 1e9;
    def.shear_modulus = 4e8;
    def.root = WITHY_SUPPORT_CLAMPED;
    def.model = model;
    def.order = WITHY_ORDER_DIRECT;
    CHECK(withy_rods_create(world, &def, &rods) == WITHY_OK);
    return rods;
}

/* The farthest that a vertex is from where it was made after a second. */
static double drift(WithyWorld world, WithyRods rods) {
    static double now[STRANDS * VERTICES][3];
    double worst = 0.0;
    WithySpan out = span(now, STRANDS * VERTICES, WITHY_FORMAT_F64);
    for (int frame = 0; frame < 60; frame++) CHECK(withy_world_step(world, 1.0 / 60.0) == WITHY_OK);
    CHECK(withy_rods_read_positions(rods, &out) == WITHY_OK);
    for (int i = 0; i < STRANDS * VERTICES; i++)
        for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(now[i][k] - points[i][k]));
    return worst;
}

struct Watch {
    WithyRods rods;
    uint32_t calls, last, cancel_at;
    int32_t inside;
};

static uint32_t watch(void *user, uint32_t done, uint32_t all) {
    struct Watch *w = user;
    w->calls++;
    w->last = done;
    /* The world is busy: a call from here is refused, and harms nothing. */
    w->inside = withy_rods_settle(w->rods, NULL);
    return all != STRANDS || done >= w->cancel_at;
}

int main(void) {
    WithyContext context;
    WithyWorld world;
    for (int s = 0; s < STRANDS; s++) {
        counts[s] = VERTICES;
        for (int i = 0; i < VERTICES; i++) {
            double t = 0.005 * i, *p = points[s * VERTICES + i];
            p[0] = 0.05 * s + t;
            p[1] = 0.01 * sin(60.0 * t + s);
            p[2] = 0.01 * (cos(60.0 * t + s) - cos((double)s));
        }
    }
    CHECK(withy_context_create(NULL, &context) == WITHY_OK);
    CHECK(withy_world_create(context, NULL, &world) == WITHY_OK);

    for (uint32_t model = WITHY_MODEL_GHOST; model <= WITHY_MODEL_DER; model++) {
        WithyElasticReport reports[STRANDS];
        uint64_t count = 0;
        /* Without: it sags. With the flag: it stays. */
        WithyRods rods = strands(world, 0, model);
        CHECK(withy_rods_read_elastic_report(rods, NULL, &count) == WITHY_OK && count == 0);
        double sag = drift(world, rods);
        CHECK(withy_rods_destroy(rods) == WITHY_OK);
        rods = strands(world, WITHY_RODS_SAG_FREE, model);
        double still = drift(world, rods);
        printf("model %u: sags by %.1f mm, optimized %.4f mm\n", model, 1e3 * sag, 1e3 * still);
        CHECK(sag > 5e-3 && still < 2e-5);
        CHECK(withy_rods_destroy(rods) == WITHY_OK);

        /* By a call, watched. */
        rods = strands(world, 0, model);
        WithyRestShapeDef def;
        withy_rest_shape_def_init(&def);
        struct Watch w = {rods, 0, 0, STRANDS + 1, 0};
        def.progress = watch;
        def.user = &w;
        CHECK(withy_rods_optimize_rest_shape(rods, &def) == WITHY_OK);
        CHECK(w.calls >= 2 && w.last == STRANDS && w.inside == WITHY_ERROR_BUSY);
        count = STRANDS;
        CHECK(withy_rods_read_elastic_report(rods, reports, &count) == WITHY_OK && count == STRANDS);
        for (int s = 0; s < STRANDS; s++) {
            CHECK(reports[s].answer == WITHY_STRAND_HOLDS && reports[s].reason == 0);
            CHECK(reports[s].residual <= 1e-6 && reports[s].unstable_modes == 0 && reports[s].lowest_mode > 0.0);
        }
        count = STRANDS - 1;
        CHECK(withy_rods_read_elastic_report(rods, reports, &count) != WITHY_OK && mentions("count"));

        /* A load on every tip and a moment about every edge: held with both, not without. */
        static double loads[STRANDS * VERTICES][3], moments[STRANDS * EDGES];
        WithySpan load = span(loads, STRANDS * VERTICES, WITHY_FORMAT_F64), turn = span(moments, STRANDS * EDGES, WITHY_FORMAT_F64);
        for (int s = 0; s < STRANDS; s++) {
            loads[s * VERTICES + VERTICES - 1][2] = 2e-3;
            for (int i = 0; i < EDGES; i++) moments[s * EDGES + i] = 1e-6;
        }
        WithyRods loaded = strands(world, 0, model);
        CHECK(withy_rods_set_forces(loaded, &load) == WITHY_OK && withy_rods_set_moments(loaded, &turn) == WITHY_OK);
        CHECK(withy_rods_optimize_rest_shape(loaded, NULL) == WITHY_OK);
        double with = drift(world, loaded);
        CHECK(withy_rods_set_forces(loaded, NULL) == WITHY_OK && withy_rods_set_moments(loaded, NULL) == WITHY_OK);
        double without = drift(world, loaded);
        printf("         with loads %.4f mm, let go %.1f mm\n", 1e3 * with, 1e3 * without);
        CHECK(with < 2e-5 && without > 5e-3);
        CHECK(withy_rods_destroy(loaded) == WITHY_OK);

        /* Twice as thick: four times the weight on sixteen times the stiffness, and another rest shape. */
        static double radii[STRANDS * VERTICES];
        WithySpan thick = span(radii, STRANDS * VERTICES, WITHY_FORMAT_F64);
        for (int i = 0; i < STRANDS * VERTICES; i++) radii[i] = 0.002;
        loaded = strands(world, WITHY_RODS_SAG_FREE, model);
        CHECK(withy_rods_set_radii(loaded, &thick) == WITHY_OK && withy_rods_optimize_rest_shape(loaded, NULL) == WITHY_OK);
        CHECK(withy_rods_read_elastic_report(loaded, reports, &count) == WITHY_OK && reports[0].answer == WITHY_STRAND_HOLDS);
        CHECK(drift(world, loaded) < 2e-5);
        radii[5] = 0.0;
        CHECK(withy_rods_set_radii(loaded, &thick) != WITHY_OK && mentions("radii[5] is 0"));
        CHECK(withy_rods_set_radii(loaded, NULL) != WITHY_OK && mentions("radii"));
        CHECK(withy_rods_set_radii((WithyRods){0}, &thick) == WITHY_ERROR_INVALID_HANDLE);
        CHECK(withy_rods_destroy(loaded) == WITHY_OK);

        /* Kept, and given back to rods that were never optimized. */
        static double lengths[STRANDS * EDGES], strains[STRANDS * VERTICES][5], again[STRANDS * VERTICES][5];
        WithySpan l = span(lengths, STRANDS * EDGES, WITHY_FORMAT_F64), e = span(strains, STRANDS * VERTICES, WITHY_FORMAT_F64);
        CHECK(withy_rods_read_rest_lengths(rods, &l) == WITHY_OK && withy_rods_read_rest_strains(rods, &e) == WITHY_OK);
        CHECK(withy_rods_destroy(rods) == WITHY_OK);
        rods = strands(world, 0, model);
        CHECK(withy_rods_set_rest_strains(rods, &l, &e) == WITHY_OK);
        WithySpan a = span(again, STRANDS * VERTICES, WITHY_FORMAT_F64);
        CHECK(withy_rods_read_rest_strains(rods, &a) == WITHY_OK && memcmp(strains, again, sizeof strains) == 0);
        CHECK(drift(world, rods) < 2e-5);

        /* Cancelled before the first: nothing has changed. */
        w.rods = rods;
        w.cancel_at = 0;
        CHECK(withy_rods_optimize_rest_shape(rods, &def) == WITHY_OK);
        count = STRANDS;
        CHECK(withy_rods_read_elastic_report(rods, reports, &count) == WITHY_OK && reports[0].answer == WITHY_STRAND_REFUSED && reports[0].reason == WITHY_REASON_CANCELLED);
        CHECK(withy_rods_read_rest_strains(rods, &a) == WITHY_OK && memcmp(strains, again, sizeof strains) == 0);

        /* A two-hundredth of the stiffness: too soft for the pose. Stiffened where it takes it, cancelled after the first strand. */
        static double factors[STRANDS * VERTICES][2], soft[STRANDS * VERTICES][2];
        WithySpan h = span(factors, STRANDS * VERTICES, WITHY_FORMAT_F64);
        for (int i = 0; i < STRANDS * VERTICES; i++) factors[i][0] = factors[i][1] = soft[i][0] = soft[i][1] = 0.005;
        CHECK(withy_rods_set_rest_shape(rods, WITHY_REST_FROM_POSE, NULL, NULL) == WITHY_OK);
        CHECK(withy_rods_set_stiffness_factors(rods, &h) == WITHY_OK);
        def.stiffen = 1000.0;
        w.cancel_at = 1;
        CHECK(withy_rods_optimize_rest_shape(rods, &def) == WITHY_OK);
        count = STRANDS;
        CHECK(withy_rods_read_elastic_report(rods, reports, &count) == WITHY_OK);
        int done = 0;
        for (int s = 0; s < STRANDS; s++) done += reports[s].reason != WITHY_REASON_CANCELLED;
        CHECK(done == 1);
        w.cancel_at = STRANDS + 1;
        CHECK(withy_rods_optimize_rest_shape(rods, &def) == WITHY_OK);
        CHECK(withy_rods_read_elastic_report(rods, reports, &count) == WITHY_OK);
        uint32_t stiffened = 0;
        for (int s = 0; s < STRANDS; s++) {
            CHECK(reports[s].answer == WITHY_STRAND_HOLDS && reports[s].unstable_modes == 0 && reports[s].lowest_mode > 0.0);
            stiffened += reports[s].stiffened;
        }
        /* The report counts the factors above 1. Here some have grown, and none is above 1 again. */
        CHECK(withy_rods_read_stiffness_factors(rods, &h) == WITHY_OK);
        uint32_t grown = 0, above = 0;
        for (int i = 0; i < 2 * STRANDS * VERTICES; i++) {
            grown += factors[i / 2][i % 2] > soft[i / 2][i % 2];
            above += factors[i / 2][i % 2] > 1.0;
        }
        CHECK(grown > 0 && stiffened == above);
        /* Not only just: a mode that is asked for. */
        def.lowest_mode_min = 20.0;
        CHECK(withy_rods_optimize_rest_shape(rods, &def) == WITHY_OK);
        CHECK(withy_rods_read_elastic_report(rods, reports, &count) == WITHY_OK);
        for (int s = 0; s < STRANDS; s++) CHECK(reports[s].answer == WITHY_STRAND_HOLDS && reports[s].lowest_mode >= 19.9);
        def.lowest_mode_min = -1.0;
        CHECK(withy_rods_optimize_rest_shape(rods, &def) != WITHY_OK && mentions("lowest_mode_min is -1"));
        def.lowest_mode_min = 0.0;
        /* Kept with its stiffness, it stays for others too; without, it does not. */
        CHECK(withy_rods_read_rest_lengths(rods, &l) == WITHY_OK && withy_rods_read_rest_strains(rods, &e) == WITHY_OK);
        CHECK(withy_rods_read_stiffness_factors(rods, &h) == WITHY_OK && memcmp(factors, soft, sizeof soft) != 0);
        CHECK(withy_rods_destroy(rods) == WITHY_OK);
        double kept[2];
        for (int with = 0; with < 2; with++) {
            rods = strands(world, 0, model);
            WithySpan g = span(with ? (void *)factors : (void *)soft, STRANDS * VERTICES, WITHY_FORMAT_F64);
            CHECK(withy_rods_set_stiffness_factors(rods, &g) == WITHY_OK);
            CHECK(withy_rods_set_rest_strains(rods, &l, &e) == WITHY_OK);
            kept[with] = drift(world, rods);
            if (!with) CHECK(withy_rods_destroy(rods) == WITHY_OK);
        }
        printf("         %u factors grown; drift %.4f mm, without the factors %.1f mm\n", grown, 1e3 * kept[1], 1e3 * kept[0]);
        CHECK(kept[1] < 2e-4 && kept[0] > 0.02);
        factors[9][1] = 0.0;
        CHECK(withy_rods_set_stiffness_factors(rods, &h) != WITHY_OK && mentions("factors[9][1] is 0"));
        CHECK(withy_rods_set_stiffness_factors(rods, NULL) != WITHY_OK && mentions("factors"));
        for (int i = 0; i < STRANDS * VERTICES; i++) factors[i][0] = factors[i][1] = 1.0;
        CHECK(withy_rods_set_stiffness_factors(rods, &h) == WITHY_OK);
        def.stiffen = 0.0;

        /* Statics: from the rest shape of the pose it moves to where it would sag to, and stays there. */
        CHECK(withy_rods_set_rest_shape(rods, WITHY_REST_FROM_POSE, NULL, NULL) == WITHY_OK);
        WithySettleDef how;
        CHECK(withy_settle_def_init(&how) == WITHY_OK);
        CHECK(how.iterations == 100 && how.tolerance == 1e-6 && how.progress == NULL);
        how.iterations = 200;
        how.tolerance = 1e-8;
        /* Cancelled before it began: nothing moves, and every strand says so. */
        struct Watch seen = {.rods = rods, .cancel_at = 0};
        how.progress = watch;
        how.user = &seen;
        CHECK(withy_rods_settle(rods, &how) == WITHY_OK && seen.calls >= 1 && seen.inside == WITHY_ERROR_BUSY);
        count = STRANDS;
        CHECK(withy_rods_read_elastic_report(rods, reports, &count) == WITHY_OK);
        for (int s = 0; s < STRANDS; s++)
            CHECK(reports[s].answer == WITHY_STRAND_REFUSED && reports[s].reason == WITHY_REASON_CANCELLED);
        seen.cancel_at = STRANDS + 1;
        seen.calls = 0;
        CHECK(withy_rods_settle(rods, &how) == WITHY_OK && seen.last == STRANDS && seen.calls >= 2);
        count = STRANDS;
        CHECK(withy_rods_read_elastic_report(rods, reports, &count) == WITHY_OK);
        static double before[STRANDS * VERTICES][3], after[STRANDS * VERTICES][3];
        WithySpan x = span(before, STRANDS * VERTICES, WITHY_FORMAT_F64);
        CHECK(withy_rods_read_positions(rods, &x) == WITHY_OK);
        for (int frame = 0; frame < 60; frame++) CHECK(withy_world_step(world, 1.0 / 60.0) == WITHY_OK);
        x.data = after;
        CHECK(withy_rods_read_positions(rods, &x) == WITHY_OK);
        double moved = 0.0, fell = 0.0;
        for (int i = 0; i < STRANDS * VERTICES; i++)
            for (int k = 0; k < 3; k++) {
                moved = fmax(moved, fabs(after[i][k] - before[i][k]));
                fell = fmax(fell, fabs(before[i][k] - points[i][k]));
            }
        printf("         settles %.1f mm away, then moves %.4f mm\n", 1e3 * fell, 1e3 * moved);
        CHECK(fell > 5e-3 && moved < 5e-5);
        for (int s = 0; s < STRANDS; s++) CHECK(reports[s].answer == WITHY_STRAND_HOLDS && reports[s].residual <= 1e-8);
        for (int s = 0; s < STRANDS; s++) CHECK(reports[s].acceleration >= 0.0 && reports[s].acceleration < 1e-3);

        /* What a host can do wrong. */
        WithyRods none = {0};
        CHECK(withy_rods_optimize_rest_shape(none, NULL) == WITHY_ERROR_INVALID_HANDLE);
        CHECK(withy_rods_settle(none, NULL) == WITHY_ERROR_INVALID_HANDLE);
        how.iterations = 0;
        CHECK(withy_rods_settle(rods, &how) != WITHY_OK && mentions("iterations"));
        how.iterations = 1;
        how.tolerance = NAN;
        CHECK(withy_rods_settle(rods, &how) != WITHY_OK && mentions("tolerance"));
        how.tolerance = -1.0;
        CHECK(withy_rods_settle(rods, &how) != WITHY_OK && mentions("tolerance"));
        CHECK(withy_rods_set_rest_strains(rods, NULL, &e) != WITHY_OK && mentions("lengths"));
        CHECK(withy_rods_set_rest_strains(rods, &l, NULL) != WITHY_OK && mentions("strains"));
        strains[7][3] = NAN;
        CHECK(withy_rods_set_rest_strains(rods, &l, &e) != WITHY_OK && mentions("rest_strains[7][3]"));
        strains[7][3] = 1e300;
        CHECK(withy_rods_set_rest_strains(rods, &l, &e) != WITHY_OK && mentions("rest_strains[7][3] is 1e300"));
        /* What is no number is named, not the component beside it. */
        static double forces[STRANDS * VERTICES][3];
        WithySpan f = span(forces, STRANDS * VERTICES, WITHY_FORMAT_F64);
        forces[7][1] = NAN;
        CHECK(withy_rods_set_forces(rods, &f) == WITHY_ERROR_INVALID_ARGUMENT && mentions("forces[7].y is NaN"));
        lengths[3] = -1.0;
        CHECK(withy_rods_set_rest_strains(rods, &l, &e) != WITHY_OK && mentions("[3]"));
        const double bad[] = {NAN, -1.0, INFINITY};
        for (int k = 0; k < 3; k++) {
            double *const fields[] = {&def.regularizer, &def.tolerance, &def.target, &def.length_min, &def.length_max, &def.curvature,
                                      &def.twist};
            const char *const names[] = {"regularizer", "tolerance", "target", "length_min", "length_max", "curvature", "twist"};
            for (int f = 0; f < 7; f++) {
                double kept = *fields[f];
                *fields[f] = bad[k];
                CHECK(withy_rods_optimize_rest_shape(rods, &def) == WITHY_ERROR_INVALID_ARGUMENT && mentions(names[f]));
                *fields[f] = kept;
            }
        }
        def.bounds = 2;
        CHECK(withy_rods_optimize_rest_shape(rods, &def) == WITHY_ERROR_INVALID_ARGUMENT && mentions("bounds"));
        def.bounds = WITHY_BOUNDS_EXACT;
        def.iterations = 0;
        CHECK(withy_rods_optimize_rest_shape(rods, &def) == WITHY_ERROR_INVALID_ARGUMENT && mentions("iterations"));
        def.iterations = 500;
        def.struct_size = 8;
        CHECK(withy_rods_optimize_rest_shape(rods, &def) == WITHY_ERROR_INVALID_ARGUMENT && mentions("struct_size"));
        CHECK(withy_rods_destroy(rods) == WITHY_OK);
    }

    /* The paper's alpha has no statics; two vertices have nothing to change. */
    WithyRodsDef def;
    WithyRods rods;
    withy_rods_def_init(&def);
    uint32_t two = 2;
    def.positions = span(points, 2, WITHY_FORMAT_F64);
    def.counts = span(&two, 1, WITHY_FORMAT_U32);
    def.radius = 0.001;
    def.stiffness = WITHY_STIFFNESS_ALPHA;
    def.flags = WITHY_RODS_SAG_FREE;
    CHECK(withy_rods_create(world, &def, &rods) == WITHY_ERROR_INVALID_ARGUMENT && mentions("stiffness"));
    def.flags = 0;
    def.model = WITHY_MODEL_DER;
    CHECK(withy_rods_create(world, &def, &rods) == WITHY_ERROR_INVALID_ARGUMENT && mentions("model"));
    def.model = 2;
    CHECK(withy_rods_create(world, &def, &rods) == WITHY_ERROR_INVALID_ARGUMENT && mentions("model"));
    def.model = WITHY_MODEL_DER;
    def.stiffness = WITHY_STIFFNESS_PHYSICAL;
    def.flags = WITHY_RODS_SAG_FREE;
    def.root = WITHY_SUPPORT_CLAMPED;
    CHECK(withy_rods_create(world, &def, &rods) == WITHY_OK);
    CHECK(withy_rods_optimize_rest_shape(rods, NULL) == WITHY_OK && withy_rods_settle(rods, NULL) == WITHY_OK);
    CHECK(withy_world_step(world, 1.0 / 60.0) == WITHY_OK);
    CHECK(withy_context_destroy(context) == WITHY_OK);
    printf("%d failures\n", failures);
    return failures != 0;
}
