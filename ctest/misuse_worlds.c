/* The library, contexts, worlds and their states. */
#include "misuse.h"
#include <math.h>
#include <withy_expert.h>

void library(void) {
    OK(withy_check_version(WITHY_VERSION));
    UNSUPPORTED(withy_check_version(WITHY_VERSION + (1u << 22)), "the library of " WITHY_VERSION_STRING);
    UNSUPPORTED(withy_check_version(WITHY_VERSION + (1u << 12)), "the library of " WITHY_VERSION_STRING);
    checks++;
    if (withy_version() != WITHY_VERSION || strcmp(withy_result_name(99), "unknown") != 0) fail(__FILE__, __LINE__, "version", 0);
    checks++;
    if (!withy_isa_available(WITHY_ISA_AUTO) || withy_isa_available(77)) fail(__FILE__, __LINE__, "isa", 0);
}

void contexts(void) {
    WithyContextDef def;
    WithyTaskCallbacks tasks = {NULL, NULL};
    OK(withy_context_def_init(&def));
    ARGUMENT(withy_context_create(&def, NULL), "context is NULL");
    def.convention = 99;
    ARGUMENT(create_context(&def), "convention is 99");
    def.convention = 0;
    def.metres_per_unit = NAN;
    ARGUMENT(create_context(&def), "metres_per_unit is NaN");
    def.metres_per_unit = -1;
    ARGUMENT(create_context(&def), "metres_per_unit is -1");
    def.metres_per_unit = 0;
    def.threads = 100000;
    ARGUMENT(create_context(&def), "threads is 100000");
    def.threads = 0;
    def.tasks = &tasks;
    ARGUMENT(create_context(&def), "tasks.run is NULL");
    def.threads = 2;
    ARGUMENT(create_context(&def), "threads is 2");
    BAD_HANDLES(WithyContext, withy_context_destroy(h));
}

void worlds(void) {
    WithyWorldDef def;
    WithyVec3 g = {0, -1, 0};
    WithyStepStats stats;
    WithyWorld w;
    uint64_t size = 0;
    uint32_t isa;
    unsigned char junk[64] = {1, 2, 3};
    OK(withy_world_def_init(&def));
    BAD_HANDLES(WithyContext, withy_world_create(h, &def, &w));
    ARGUMENT(withy_world_create(context, &def, NULL), "world is NULL");
    def.backend = 9;
    ARGUMENT(create_world(&def), "backend is 9");
    def.backend = 0;
    def.isa = 9;
    ARGUMENT(create_world(&def), "isa is 9");
    def.isa = withy_isa_available(WITHY_ISA_NEON) ? WITHY_ISA_SSE2 : WITHY_ISA_NEON;
    UNSUPPORTED(create_world(&def), "this machine");
    def.isa = 0;
    def.precision = 2;
    ARGUMENT(create_world(&def), "precision is 2");
    def.precision = 0;
    def.substeps = 0;
    ARGUMENT(create_world(&def), "substeps is 0");
    def.substeps = 65537;
    ARGUMENT(create_world(&def), "substeps is 65537");
    def.substeps = 1;
    def.iterations = 10001;
    ARGUMENT(create_world(&def), "iterations is 10001");
    def.iterations = 1;
    def.max_substeps = 65537;
    ARGUMENT(create_world(&def), "max_substeps is 65537");

    BAD_HANDLES(WithyWorld, withy_world_destroy(h));
    BAD_HANDLES(WithyWorld, withy_world_step(h, 0.01));
    ARGUMENT(withy_world_step(world, 1e-9), "dt is 0.000000001");
    OK(withy_world_step(world, 0.0));
    ARGUMENT(withy_world_step(world, -0.1), "dt is -0.1");
    ARGUMENT(withy_world_step(world, NAN), "dt is NaN");
    ARGUMENT(withy_world_step(world, INFINITY), "dt is inf");
    ARGUMENT(withy_world_step(world, 1e9), "dt is 1000000000");
    ARGUMENT(withy_world_step(world, 5e-324), "dt is 5e-324");
    BAD_HANDLES(WithyWorld, withy_world_set_gravity(h, &g));
    ARGUMENT(withy_world_set_gravity(world, NULL), "gravity is NULL");
    g.z = NAN;
    ARGUMENT(withy_world_set_gravity(world, &g), "gravity.z is NaN");
    g.z = 1e300;
    ARGUMENT(withy_world_set_gravity(world, &g), "gravity.z is 1");
    BAD_HANDLES(WithyWorld, withy_world_get_gravity(h, &g));
    ARGUMENT(withy_world_get_gravity(world, NULL), "gravity is NULL");
    OK(withy_world_get_gravity(world, &g));
    checks++;
    if (fabs(g.y + 9.81) > 1e-12) fail(__FILE__, __LINE__, "gravity has changed", 0);
    BAD_HANDLES(WithyWorld, withy_world_set_iterations(h, 1, 1));
    ARGUMENT(withy_world_set_iterations(world, 0, 1), "substeps is 0");
    ARGUMENT(withy_world_set_iterations(world, 65537, 1), "substeps is 65537");
    ARGUMENT(withy_world_set_iterations(world, 1, 0), "iterations is 0");
    ARGUMENT(withy_world_set_iterations(world, 1, UINT32_MAX), "iterations is 4294967295");
    BAD_HANDLES(WithyWorld, withy_world_read_stats(h, &stats));
    ARGUMENT(withy_world_read_stats_sized(world, NULL, sizeof stats), "out is NULL");
    ARGUMENT(withy_world_read_stats_sized(world, &stats, 0), "struct_size is 0");
    OK(withy_world_read_stats_sized(world, &stats, 8));
    BAD_HANDLES(WithyWorld, withy_world_backend(h, NULL, &size));
    ARGUMENT(withy_world_backend(world, NULL, NULL), "size is NULL");
    size = 1;
    refused(__FILE__, __LINE__, "backend", withy_world_backend(world, (char *)junk, &size), WITHY_ERROR_TOO_SMALL, "size is 1");
    /* What failed last on the world, on whatever thread. */
    {
        char text[200] = "";
        BAD_HANDLES(WithyWorld, withy_world_last_error(h, NULL, &size));
        ARGUMENT(withy_world_last_error(world, NULL, NULL), "size is NULL");
        ARGUMENT(withy_world_set_iterations(world, 0, 1), "substeps is 0");
        size = sizeof text;
        OK(withy_world_last_error(world, text, &size));
        checks++;
        if (strcmp(text, withy_last_error()) || size != strlen(text) + 1) fail(__FILE__, __LINE__, text, 0);
    }
    {
        float scalp[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, flat[3][3] = {{0}}, at[2][3] = {{0.2f, 0.2f, 0.1f}, {0, 0, 0}};
        uint32_t corners[3] = {0, 1, 2}, found[6];
        double shares[6], places[6], turns[8];
        WithySpan x = {scalp, 3, 0, WITHY_FORMAT_F32, 0}, t = {corners, 1, 0, WITHY_FORMAT_U32, 0}, p = {at, 2, 0, WITHY_FORMAT_F32, 0};
        WithySpan c = {found, 2, 0, WITHY_FORMAT_U32, 0}, s = {shares, 2, 0, WITHY_FORMAT_F64, 0};
        WithySpan to = {places, 2, 0, WITHY_FORMAT_F64, 0}, q = {turns, 2, 0, WITHY_FORMAT_F64, 0};
        ARGUMENT(withy_surface_bind(NULL, &t, &p, &c, &s), "positions is NULL");
        ARGUMENT(withy_surface_bind(&x, &t, &p, NULL, &s), "corners is NULL");
        ARGUMENT(withy_surface_bind(&x, &x, &p, &c, &s), "triangles.format is 1");
        corners[2] = 3;
        ARGUMENT(withy_surface_bind(&x, &t, &p, &c, &s), "triangles[0] 3 is outside of the 3 positions");
        corners[2] = 2, x.data = flat;
        ARGUMENT(withy_surface_bind(&x, &t, &p, &c, &s), "area");
        x.data = scalp, at[1][2] = (float)NAN;
        ARGUMENT(withy_surface_bind(&x, &t, &p, &c, &s), "points[1].z is NaN");
        at[1][2] = 0, s.count = 1;
        refused(__FILE__, __LINE__, "bind", withy_surface_bind(&x, &t, &p, &c, &s), WITHY_ERROR_TOO_SMALL, "coordinates.count is 1");
        OK(withy_surface_bind(&x, &t, &p, &c, &s));
        ARGUMENT(withy_surface_follow(&x, &t, &c, &s, &to, &q), "positions.format is 3");
        found[4] = 9;
        ARGUMENT(withy_surface_follow(&x, &x, &c, &s, &to, &q), "corners[1] 9 is outside");
        found[4] = 1, shares[0] = NAN;
        ARGUMENT(withy_surface_follow(&x, &x, &c, &s, &to, &q), "coordinates[0].x is NaN");
        shares[0] = 0.2;
        OK(withy_surface_follow(&x, &x, &c, &s, &to, &q));
        checks++;
        if (fabs(places[2] - 0.1) > 1e-7 || fabs(fabs(turns[3]) - 1) > 1e-12) fail(__FILE__, __LINE__, "follow", 0);
        /* A surface that has shrunk to a point: the points are there, and no number is wrong. */
        p.data = flat, p.count = 3;
        OK(withy_surface_follow(&x, &p, &c, &s, &to, &q));
        checks++;
        if (places[2] != 0 || turns[3] != 1) fail(__FILE__, __LINE__, "follow", 1);
    }
    BAD_HANDLES(WithyWorld, withy_world_isa(h, &isa));
    ARGUMENT(withy_world_isa(world, NULL), "isa is NULL");
    BAD_HANDLES(WithyWorld, withy_world_memory(h, &size));
    ARGUMENT(withy_world_memory(world, NULL), "bytes is NULL");
    BAD_HANDLES(WithyWorld, withy_world_state_hash(h, &size));
    ARGUMENT(withy_world_state_hash(world, NULL), "hash is NULL");
    BAD_HANDLES(WithyWorld, withy_world_debug_lines(h, NULL, &size));
    ARGUMENT(withy_world_debug_lines(world, NULL, NULL), "count is NULL");
    BAD_HANDLES(WithyWorld, withy_world_save_state(h, NULL, &size));
    BAD_HANDLES(WithyWorld, withy_world_restore_state(h, junk, sizeof junk));
    ARGUMENT(withy_world_restore_state(world, NULL, 8), "data is NULL");
    ARGUMENT(withy_world_restore_state(world, junk, UINT64_MAX), "size is 18446744073709551615");
    ARGUMENT(withy_world_restore_state(world, junk, sizeof junk), "size is 64");
    ARGUMENT(withy_world_restore_state(world, junk, 0), "size is 0");
}

/* States that are cut, damaged, of another world, or of this world with other objects. */
void states(void) {
    static unsigned char bad[sizeof state];
    uint64_t i, size = 0, other_size = sizeof bad;
    WithyVec3 at = {0.1, 0.2, 0.3};
    WithyRodsDef def = rods_def();
    WithyRods more;
    ARGUMENT(withy_world_save_state(world, NULL, NULL), "size is NULL");
    OK(withy_world_save_state(world, NULL, &size));
    checks++;
    if (size != state_size) fail(__FILE__, __LINE__, "size", 0);
    size = state_size - 1;
    refused(__FILE__, __LINE__, "small", withy_world_save_state(world, bad, &size), WITHY_ERROR_TOO_SMALL, "size is ");
    checks++;
    if (size != state_size) fail(__FILE__, __LINE__, "size", 0);
    for (i = 0; i < state_size; i += 8) {
        ARGUMENT(withy_world_restore_state(world, state, i), "size is ");
    }
    ARGUMENT(withy_world_restore_state(world, state, state_size - 1), "size is ");
    for (i = 0; i < state_size; i++) {
        memcpy(bad, state, state_size);
        bad[i] ^= (unsigned char)(1u << i % 8);
        ARGUMENT(withy_world_restore_state(world, bad, state_size), i < 8 ? "begins with" : i < 16 ? "other objects" : "damaged");
    }
    OK(withy_world_save_state(other_world, bad, &other_size));
    ARGUMENT(withy_world_restore_state(world, bad, other_size), "size is ");

    /* A pin, and other rods: not the world that was saved. */
    OK(withy_rods_set_pin(rods, 1, &at, 0));
    size = sizeof bad;
    OK(withy_world_save_state(world, bad, &size));
    OK(withy_rods_set_pin(rods, 1, NULL, 0));
    OK(withy_rods_set_pin(rods, 2, &at, 0));
    checks++;
    if (withy_world_restore_state(world, bad, size) != WITHY_ERROR_INVALID_ARGUMENT) fail(__FILE__, __LINE__, "another pin", 0);
    OK(withy_rods_set_pin(rods, 2, NULL, 0));
    unchanged(__FILE__, __LINE__, "a pin come and gone");
    def.tip = WITHY_SUPPORT_CLAMPED, def.root = WITHY_SUPPORT_FREE;
    OK(withy_rods_create(world, &def, &more));
    checks++;
    if (withy_world_restore_state(world, state, state_size) != WITHY_ERROR_INVALID_ARGUMENT) fail(__FILE__, __LINE__, "more rods", 0);
    size = sizeof bad;
    OK(withy_world_save_state(world, bad, &size));
    OK(withy_rods_destroy(more));
    def = rods_def();
    OK(withy_rods_create(world, &def, &more));
    checks++;
    if (withy_world_restore_state(world, bad, size) != WITHY_ERROR_INVALID_ARGUMENT) fail(__FILE__, __LINE__, "other supports", 0);
    OK(withy_rods_destroy(more));
    unchanged(__FILE__, __LINE__, "rods come and gone");

    /* There and back. */
    OK(withy_world_step(world, 1.0 / 60.0));
    size = sizeof bad;
    OK(withy_world_save_state(world, bad, &size));
    checks++;
    if (size != state_size || memcmp(bad, state, size) == 0) fail(__FILE__, __LINE__, "a step changed nothing", 0);
    OK(withy_world_restore_state(world, state, state_size));
    unchanged(__FILE__, __LINE__, "back");
}
