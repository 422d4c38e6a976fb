/* What a host can do wrong, entry point by entry point: the right code, a text that names the culprit, and a world that has not
 * changed. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <withy.h>

static int checks, failures;
static WithyContext context;
static WithyWorld world, other_world;
static WithyRods rods, other_rods;
static WithyCollider collider;
static uint64_t hash;

static void fail(int line, const char *what, int32_t got) {
    failures++;
    printf("misuse.c:%d: %s gave %s: %s\n", line, what, withy_result_name(got), withy_last_error());
}

static void unchanged(int line, const char *what) {
    uint64_t now = 0;
    checks++;
    if (withy_world_state_hash(world, &now) != WITHY_OK || now != hash) {
        failures++;
        printf("misuse.c:%d: %s changed the world\n", line, what);
    }
}

static void refused(int line, const char *what, int32_t got, int32_t code, const char *text) {
    checks++;
    if (got != code || strstr(withy_last_error(), text) == NULL) {
        fail(line, what, got);
    }
    unchanged(line, what);
}

static void accepted(int line, const char *what, int32_t got) {
    checks++;
    if (got != WITHY_OK) {
        fail(line, what, got);
    }
}

#define OK(call) accepted(__LINE__, #call, (call))
#define ARGUMENT(call, text) refused(__LINE__, #call, (call), WITHY_ERROR_INVALID_ARGUMENT, (text))
#define UNSUPPORTED(call, text) refused(__LINE__, #call, (call), WITHY_ERROR_UNSUPPORTED, (text))
#define HANDLE(call, text) refused(__LINE__, #call, (call), WITHY_ERROR_INVALID_HANDLE, (text))

/* `call` with a handle `h` of `Type` that is null, garbage, of another kind, stale, and of a world that is gone. */
#define BAD_HANDLES(Type, call)                                                               \
    do {                                                                                      \
        Type h;                                                                               \
        size_t i_;                                                                            \
        h.bits = 0;                                                                           \
        HANDLE(call, "null");                                                                 \
        h.bits = UINT64_MAX;                                                                  \
        HANDLE(call, "is no handle");                                                         \
        for (i_ = 0; i_ < sizeof kinds / sizeof *kinds; i_++) {                               \
            if (strcmp(kinds[i_].type, #Type) != 0) {                                         \
                h.bits = kinds[i_].good;                                                      \
                HANDLE(call, "is the handle of a");                                           \
            } else if (kinds[i_].stale != 0) {                                                \
                h.bits = kinds[i_].stale;                                                     \
                HANDLE(call, "destroyed");                                                    \
            }                                                                                 \
        }                                                                                     \
    } while (0)

/* For each kind a living handle and some dead ones; built by main. */
static struct {
    const char *type;
    uint64_t good, stale;
} kinds[] = {
    {"WithyContext", 0, 0}, {"WithyWorld", 0, 0},     {"WithyRods", 0, 0},      {"WithyRods", 0, 0},
    {"WithyCollider", 0, 0}, {"WithyCollider", 0, 0}, {"WithyMesh", 0, 0},      {"WithyAttachment", 0, 0},
};

static float points[4][3] = {{0, 0, 0}, {0.1f, 0, 0}, {0.2f, 0, 0}, {0.3f, 0, 0}};
static uint32_t counts[1] = {4};

static WithySpan f32(void *data, uint64_t count) {
    WithySpan span = {NULL, 0, 0, WITHY_FORMAT_F32, 0};
    span.data = data;
    span.count = count;
    return span;
}

static WithySpan u32(void *data, uint64_t count) {
    WithySpan span = f32(data, count);
    span.format = WITHY_FORMAT_U32;
    return span;
}

static WithyRodsDef rods_def(void) {
    WithyRodsDef def;
    OK(withy_rods_def_init(&def));
    def.positions = f32(points, 4);
    def.counts = u32(counts, 1);
    def.radius = 0.01;
    def.root = WITHY_SUPPORT_CLAMPED;
    return def;
}

static WithyColliderDef sphere_def(void) {
    WithyColliderDef def;
    OK(withy_collider_def_init(&def));
    def.shape = WITHY_SHAPE_SPHERE;
    def.radius = 0.1;
    def.pose.position.y = -5;
    return def;
}

/* Sizes 0, too short, longer with a zero and with a set tail, absurd; next; flags. */
#define BAD_DEF(Type, init_sized, make, create)                                               \
    do {                                                                                      \
        union {                                                                               \
            Type def;                                                                         \
            unsigned char bytes[sizeof(Type) + 16];                                           \
        } u;                                                                                  \
        memset(&u, 0xAA, sizeof u);                                                           \
        ARGUMENT(init_sized(NULL, sizeof(Type)), "def is NULL");                              \
        ARGUMENT(init_sized(&u.def, 0), "struct_size is 0");                                  \
        ARGUMENT(init_sized(&u.def, 15), "struct_size is 15");                                \
        ARGUMENT(init_sized(&u.def, UINT32_MAX), "struct_size is 4294967295");                \
        checks++;                                                                             \
        if (u.bytes[0] != 0xAA) fail(__LINE__, #init_sized " wrote", 0);                      \
        OK(init_sized(&u.def, sizeof(Type)));                                                 \
        checks++;                                                                             \
        if (u.bytes[sizeof(Type)] != 0xAA) fail(__LINE__, #init_sized " wrote too much", 0);  \
        OK(init_sized(&u.def, sizeof u));                                                     \
        checks++;                                                                             \
        if (u.bytes[sizeof(Type)] != 0) fail(__LINE__, #init_sized " left a tail", 0);        \
        u.def = make;                                                                         \
        u.def.struct_size = 0;                                                                \
        ARGUMENT(create(&u.def), "struct_size is 0");                                         \
        u.def.struct_size = sizeof(Type) - 8;                                                 \
        ARGUMENT(create(&u.def), "struct_size is ");                                          \
        u.def.struct_size = 1u << 30;                                                         \
        ARGUMENT(create(&u.def), "struct_size is ");                                          \
        u.def.struct_size = sizeof u;                                                         \
        u.bytes[sizeof u - 1] = 1;                                                            \
        UNSUPPORTED(create(&u.def), "byte ");                                                 \
        u.def.struct_size = sizeof(Type);                                                     \
        u.def.next = &u;                                                                      \
        UNSUPPORTED(create(&u.def), "next");                                                  \
        u.def.next = NULL;                                                                    \
        u.def.flags = 0x80000000u;                                                            \
        UNSUPPORTED(create(&u.def), "flags is 0x80000000");                                   \
        ARGUMENT(create(NULL), "def is NULL");                                                \
    } while (0)

static int32_t create_context(const WithyContextDef *def) {
    WithyContext c;
    return withy_context_create(def, &c);
}
static int32_t create_world(const WithyWorldDef *def) {
    WithyWorld w;
    return withy_world_create(context, def, &w);
}
static int32_t create_rods(const WithyRodsDef *def) {
    WithyRods r;
    return withy_rods_create(world, def, &r);
}
static int32_t create_collider(const WithyColliderDef *def) {
    WithyCollider c;
    return withy_collider_create(world, def, &c);
}
static int32_t create_mesh(const WithyMeshDef *def) {
    WithyMesh m;
    return withy_mesh_create(world, def, &m);
}
static int32_t create_triangle(const WithyTriangleAttachmentDef *def) {
    WithyAttachment a;
    return withy_attachment_create_triangle(def, &a);
}
static int32_t create_junction(const WithyJunctionDef *def) {
    WithyAttachment a;
    return withy_attachment_create_junction(def, &a);
}

static void library(void) {
    OK(withy_check_version(WITHY_VERSION));
    UNSUPPORTED(withy_check_version(WITHY_VERSION + (1u << 22)), "the library of " WITHY_VERSION_STRING);
    UNSUPPORTED(withy_check_version(WITHY_VERSION + (1u << 12)), "the library of " WITHY_VERSION_STRING);
    checks++;
    if (withy_version() != WITHY_VERSION || strcmp(withy_result_name(99), "unknown") != 0) fail(__LINE__, "version", 0);
    checks++;
    if (!withy_isa_available(WITHY_ISA_AUTO) || withy_isa_available(77)) fail(__LINE__, "isa", 0);
}

static void contexts(void) {
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

static void worlds(void) {
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
    def.substeps = 1025;
    ARGUMENT(create_world(&def), "substeps is 1025");
    def.substeps = 1;
    def.iterations = 10001;
    ARGUMENT(create_world(&def), "iterations is 10001");
    def.iterations = 1;
    def.reserved = 5;
    UNSUPPORTED(create_world(&def), "reserved is 5");

    BAD_HANDLES(WithyWorld, withy_world_destroy(h));
    BAD_HANDLES(WithyWorld, withy_world_step(h, 0.01));
    ARGUMENT(withy_world_step(world, 0.0), "dt is 0");
    ARGUMENT(withy_world_step(world, -0.1), "dt is -0.1");
    ARGUMENT(withy_world_step(world, NAN), "dt is NaN");
    ARGUMENT(withy_world_step(world, INFINITY), "dt is inf");
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
    if (fabs(g.y + 9.81) > 1e-12) fail(__LINE__, "gravity has changed", 0);
    BAD_HANDLES(WithyWorld, withy_world_set_iterations(h, 1, 1));
    ARGUMENT(withy_world_set_iterations(world, 0, 1), "substeps is 0");
    ARGUMENT(withy_world_set_iterations(world, 1, UINT32_MAX), "iterations is 4294967295");
    BAD_HANDLES(WithyWorld, withy_world_read_stats(h, &stats));
    ARGUMENT(withy_world_read_stats_sized(world, NULL, sizeof stats), "out is NULL");
    ARGUMENT(withy_world_read_stats_sized(world, &stats, 0), "struct_size is 0");
    OK(withy_world_read_stats_sized(world, &stats, 8));
    BAD_HANDLES(WithyWorld, withy_world_backend(h, NULL, &size));
    ARGUMENT(withy_world_backend(world, NULL, NULL), "count is NULL");
    size = 1;
    refused(__LINE__, "backend", withy_world_backend(world, (char *)junk, &size), WITHY_ERROR_TOO_SMALL, "count is 1");
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
    ARGUMENT(withy_world_restore_state(world, junk, sizeof junk), "");
    ARGUMENT(withy_world_restore_state(world, junk, 0), "");
}

static void spans(void) {
    WithyRodsDef def = rods_def();
    struct {
        WithySpan *span;
        const char *name;
    } all[9];
    int i, n = 0;
    char text[64];
    all[n].span = &def.positions, all[n++].name = "positions";
    all[n].span = &def.rest_positions, all[n++].name = "rest_positions";
    all[n].span = &def.velocities, all[n++].name = "velocities";
    all[n].span = &def.section_axes, all[n++].name = "section_axes";
    all[n].span = &def.radii, all[n++].name = "radii";
    all[n].span = &def.stiffness_scale, all[n++].name = "stiffness_scale";
    all[n].span = &def.counts, all[n++].name = "counts";
    for (i = 0; i < n; i++) {
        WithySpan *span = all[i].span, good = *span;
        uint32_t format = span == &def.counts ? WITHY_FORMAT_U32 : WITHY_FORMAT_F32;
        static float bad[4][3];
        bad[2][0] = NAN;
        *span = f32(points, 4), span->format = 77;
        sprintf(text, "%s.format is 77", all[i].name);
        ARGUMENT(create_rods(&def), text);
        span->format = format, span->stride = 2;
        sprintf(text, "%s.stride is 2", all[i].name);
        ARGUMENT(create_rods(&def), text);
        span->stride = UINT64_MAX / 2;
        sprintf(text, "%s.count is 4", all[i].name);
        ARGUMENT(create_rods(&def), text);
        span->stride = 0, span->count = UINT64_MAX / 3;
        sprintf(text, "%s.count is 6148914691236517205", all[i].name);
        ARGUMENT(create_rods(&def), text);
        span->count = 4, span->reserved = 3;
        sprintf(text, "%s.reserved is 3", all[i].name);
        ARGUMENT(create_rods(&def), text);
        span->reserved = 0, span->data = NULL;
        sprintf(text, "%s.data is NULL", all[i].name);
        ARGUMENT(create_rods(&def), text);
        span->data = bad, span->stride = 12;
        if (span != &def.counts) {
            sprintf(text, "%s[2]", all[i].name);
            ARGUMENT(create_rods(&def), text);
        }
        span->stride = 0;
        if (span != &def.counts && span != &def.positions) {
            /* a wrong number of good elements */
            span->data = points + 1, span->count = 2;
            ARGUMENT(create_rods(&def), all[i].name);
        }
        *span = good;
    }
}

static void rods_defs(void) {
    static const struct {
        size_t offset;
        double value;
        const char *text;
    } numbers[] = {
        {offsetof(WithyRodsDef, radius), 0, "radius is 0"},
        {offsetof(WithyRodsDef, radius), -1, "radius is -1"},
        {offsetof(WithyRodsDef, aspect), 0, "aspect is 0"},
        {offsetof(WithyRodsDef, young_modulus), -5, "young_modulus is -5"},
        {offsetof(WithyRodsDef, shear_modulus), 0, "shear_modulus is 0"},
        {offsetof(WithyRodsDef, density), 0, "density is 0"},
        {offsetof(WithyRodsDef, ghost_distance), -1, "ghost_distance is -1"},
        {offsetof(WithyRodsDef, ghost_mass_ratio), 1, "ghost_mass_ratio is 1"},
        {offsetof(WithyRodsDef, damping), -1, "damping is -1"},
        {offsetof(WithyRodsDef, drag), -1, "drag is -1"},
        {offsetof(WithyRodsDef, friction), -1, "friction is -1"},
        {offsetof(WithyRodsDef, collision_radius), -1, "collision_radius is -1"},
        {offsetof(WithyRodsDef, max_speed), -1, "max_speed is -1"},
    };
    static const struct {
        size_t offset;
        const char *text;
    } choices[] = {
        {offsetof(WithyRodsDef, stiffness), "stiffness is 99"}, {offsetof(WithyRodsDef, rest_shape), "rest_shape is 99"},
        {offsetof(WithyRodsDef, order), "order is 99"},         {offsetof(WithyRodsDef, root), "root is 99"},
        {offsetof(WithyRodsDef, tip), "tip is 99"},
    };
    size_t i;
    WithyRodsDef def;
    char text[64];
    uint32_t wrong[3] = {3, 0, 1};
    for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double nan_value = NAN;
        def = rods_def();
        memcpy((char *)&def + numbers[i].offset, &numbers[i].value, sizeof(double));
        ARGUMENT(create_rods(&def), numbers[i].text);
        memcpy((char *)&def + numbers[i].offset, &nan_value, sizeof(double));
        sprintf(text, "%.*s is NaN", (int)strcspn(numbers[i].text, " "), numbers[i].text);
        ARGUMENT(create_rods(&def), text);
    }
    for (i = 0; i < sizeof choices / sizeof *choices; i++) {
        uint32_t value = 99;
        def = rods_def();
        memcpy((char *)&def + choices[i].offset, &value, sizeof value);
        ARGUMENT(create_rods(&def), choices[i].text);
    }
    def = rods_def();
    def.wind.x = INFINITY;
    ARGUMENT(create_rods(&def), "wind.x is inf");
    def = rods_def();
    def.iterations = UINT32_MAX;
    ARGUMENT(create_rods(&def), "iterations is 4294967295");
    def = rods_def();
    def.stiffness = WITHY_STIFFNESS_ALPHA;
    def.alpha_bend1 = 1.5;
    ARGUMENT(create_rods(&def), "alpha_bend1 is 1.5");
    def = rods_def();
    wrong[0] = 3;
    def.counts = u32(wrong, 1);
    ARGUMENT(create_rods(&def), "counts");
    def.counts = u32(wrong, 3);
    ARGUMENT(create_rods(&def), "counts[1]");
    wrong[0] = wrong[1] = UINT32_MAX;
    ARGUMENT(create_rods(&def), "counts");
    def.counts = u32(wrong, 0);
    ARGUMENT(create_rods(&def), "counts");
    def = rods_def();
    def.rest_shape = WITHY_REST_EXPLICIT;
    ARGUMENT(create_rods(&def), "rest_lengths");
    def.rest_lengths = f32(points, 2);
    ARGUMENT(create_rods(&def), "rest_lengths");
    def.rest_shape = WITHY_REST_STRAIGHT;
    ARGUMENT(create_rods(&def), "rest_shape is 1");
    def = rods_def();
    ARGUMENT(withy_rods_create(world, &def, NULL), "rods is NULL");
    BAD_HANDLES(WithyWorld, withy_rods_create(h, &def, &rods));
}

static void rods_calls(void) {
    float values[8][4] = {{0}};
    WithyVec3 at = {0, 0, 0};
    uint64_t count = 0;
    size_t i;
    WithySpan one = f32(values, 1), four = f32(values, 4), rotation = f32(values[1], 1);
    int32_t (*const reads[])(WithyRods, WithySpan *) = {
        withy_rods_read_positions, withy_rods_read_velocities, withy_rods_read_ghosts, withy_rods_read_frames,
        withy_rods_read_twist,     withy_rods_read_strain,     withy_rods_read_darboux,   withy_rods_read_tension,
        withy_rods_read_moments,
    };
    static const uint64_t sizes[] = {4, 4, 3, 3, 2, 3, 2, 3, 4};
    values[1][3] = 1;

    BAD_HANDLES(WithyRods, withy_rods_destroy(h));
    BAD_HANDLES(WithyRods, withy_rods_set_root_poses(h, &one, &rotation, 0));
    BAD_HANDLES(WithyRods, withy_rods_set_tip_poses(h, &one, &rotation, 0));
    ARGUMENT(withy_rods_set_root_poses(rods, NULL, NULL, 0), "positions is NULL");
    ARGUMENT(withy_rods_set_root_poses(rods, &four, NULL, 0), "positions.count is 4");
    ARGUMENT(withy_rods_set_root_poses(rods, &one, &four, 0), "rotations.count is 4");
    ARGUMENT(withy_rods_set_root_poses(rods, &one, &one, 0), "rotations[0]: a quaternion of length 0");
    ARGUMENT(withy_rods_set_root_poses(rods, &one, &rotation, 2), "teleport is 2");
    ARGUMENT(withy_rods_set_tip_poses(rods, &one, &rotation, 0), "tip");
    values[1][1] = NAN;
    ARGUMENT(withy_rods_set_root_poses(rods, &one, &rotation, 1), "rotations[0].y is NaN");
    values[1][1] = 0;
    values[0][2] = INFINITY;
    ARGUMENT(withy_rods_set_root_poses(rods, &one, &rotation, 1), "positions[0].z is inf");
    ARGUMENT(withy_rods_write_positions(rods, &four), "positions[0].z is inf");
    ARGUMENT(withy_rods_write_velocities(rods, &four), "velocities[0].z is inf");
    ARGUMENT(withy_rods_set_forces(rods, &four), "forces[0].z is inf");
    values[0][2] = 0;
    BAD_HANDLES(WithyRods, withy_rods_write_positions(h, &four));
    BAD_HANDLES(WithyRods, withy_rods_write_velocities(h, &four));
    BAD_HANDLES(WithyRods, withy_rods_set_forces(h, &four));
    BAD_HANDLES(WithyRods, withy_rods_set_forces(h, NULL));
    ARGUMENT(withy_rods_set_forces(rods, &one), "forces.count is 1");
    ARGUMENT(withy_rods_write_positions(rods, &one), "positions.count is 1");
    ARGUMENT(withy_rods_write_velocities(rods, &one), "velocities.count is 1");
    ARGUMENT(withy_rods_write_positions(rods, NULL), "positions is NULL");
    ARGUMENT(withy_rods_write_velocities(rods, NULL), "velocities is NULL");

    BAD_HANDLES(WithyRods, withy_rods_set_pin(h, 0, &at, 0));
    ARGUMENT(withy_rods_set_pin(rods, 4, &at, 0), "vertex is 4");
    ARGUMENT(withy_rods_set_pin(rods, UINT32_MAX, NULL, 0), "vertex is 4294967295");
    ARGUMENT(withy_rods_set_pin(rods, 1, &at, 7), "teleport is 7");
    at.x = NAN;
    ARGUMENT(withy_rods_set_pin(rods, 1, &at, 1), "target.x is NaN");
    BAD_HANDLES(WithyRods, withy_rods_set_motion(h, 0, 0, NULL, 0));
    ARGUMENT(withy_rods_set_motion(rods, -1, 0, NULL, 0), "damping is -1");
    ARGUMENT(withy_rods_set_motion(rods, 0, NAN, NULL, 0), "drag is NaN");
    ARGUMENT(withy_rods_set_motion(rods, 0, 0, &at, 0), "wind.x is NaN");
    ARGUMENT(withy_rods_set_motion(rods, 0, 0, NULL, -2), "friction is -2");
    BAD_HANDLES(WithyRods, withy_rods_set_rest_shape(h, 0, NULL, NULL));
    ARGUMENT(withy_rods_set_rest_shape(rods, 3, NULL, NULL), "rest_shape is 3");
    ARGUMENT(withy_rods_set_rest_shape(rods, WITHY_REST_EXPLICIT, NULL, NULL), "rest_lengths");
    ARGUMENT(withy_rods_set_rest_shape(rods, WITHY_REST_EXPLICIT, &one, NULL), "rest_lengths");
    ARGUMENT(withy_rods_set_rest_shape(rods, WITHY_REST_STRAIGHT, &one, NULL), "rest_shape is 1");

    for (i = 0; i < sizeof reads / sizeof *reads; i++) {
        WithySpan out = f32(NULL, 0);
        BAD_HANDLES(WithyRods, reads[i](h, &out));
        ARGUMENT(reads[i](rods, NULL), "out is NULL");
        OK(reads[i](rods, &out));
        checks++;
        if (out.count != sizes[i]) fail(__LINE__, "count", 0);
        out = f32(values, 1);
        refused(__LINE__, "small", reads[i](rods, &out), WITHY_ERROR_TOO_SMALL, "out.count is 1");
        out = f32(values, 8), out.format = WITHY_FORMAT_U32;
        ARGUMENT(reads[i](rods, &out), "out.format is 3");
        out = f32(values, 8), out.stride = 3;
        ARGUMENT(reads[i](rods, &out), "out.stride is 3");
        out = f32(values, UINT64_MAX);
        ARGUMENT(reads[i](rods, &out), "out.count is 18446744073709551615");
    }
    BAD_HANDLES(WithyRods, withy_rods_read_counts(h, &one));
    ARGUMENT(withy_rods_read_counts(rods, &one), "out.format is 1");
    BAD_HANDLES(WithyRods, withy_rods_read_report(h, NULL, &count));
    ARGUMENT(withy_rods_read_report(rods, NULL, NULL), "count is NULL");
}

static void colliders(void) {
    WithyColliderDef def = sphere_def();
    WithyPose pose = def.pose;
    BAD_HANDLES(WithyWorld, withy_collider_create(h, &def, &collider));
    ARGUMENT(withy_collider_create(world, &def, NULL), "collider is NULL");
    def.radius = -1;
    ARGUMENT(create_collider(&def), "radius is -1");
    def.radius = NAN;
    ARGUMENT(create_collider(&def), "radius is NaN");
    def = sphere_def(), def.shape = 4;
    ARGUMENT(create_collider(&def), "shape is 4");
    def = sphere_def(), def.shape = WITHY_SHAPE_CAPSULE, def.half_height = -2;
    ARGUMENT(create_collider(&def), "half_height is -2");
    def = sphere_def(), def.shape = WITHY_SHAPE_BOX, def.half_extents.x = 1, def.half_extents.y = 1;
    ARGUMENT(create_collider(&def), "half_extents");
    def.half_extents.z = NAN;
    ARGUMENT(create_collider(&def), "half_extents.z is NaN");
    def = sphere_def(), def.pose.rotation.w = 3;
    ARGUMENT(create_collider(&def), "pose.rotation: a quaternion of length 3");
    def = sphere_def(), def.pose.position.x = NAN;
    ARGUMENT(create_collider(&def), "pose.position.x is NaN");
    def = sphere_def(), def.friction = -1;
    ARGUMENT(create_collider(&def), "friction is -1");
    def = sphere_def(), def.reserved = 1;
    UNSUPPORTED(create_collider(&def), "reserved is 1");

    BAD_HANDLES(WithyCollider, withy_collider_destroy(h));
    BAD_HANDLES(WithyCollider, withy_collider_set_pose(h, &pose, 0));
    BAD_HANDLES(WithyCollider, withy_collider_get_pose(h, &pose));
    ARGUMENT(withy_collider_set_pose(collider, NULL, 0), "pose is NULL");
    ARGUMENT(withy_collider_get_pose(collider, NULL), "pose is NULL");
    ARGUMENT(withy_collider_set_pose(collider, &pose, 2), "teleport is 2");
    pose.position.y = INFINITY;
    ARGUMENT(withy_collider_set_pose(collider, &pose, 0), "pose.position.y is inf");
}

static void meshes(void) {
    uint32_t triangles[2][3] = {{0, 1, 2}, {1, 2, 3}};
    float inv_masses[4] = {1, 1, 1, 1};
    WithySpan positions = f32(points, 4), out = f32(NULL, 0);
    WithyMeshDef def;
    WithyMesh mesh;
    OK(withy_mesh_def_init(&def));
    ARGUMENT(create_mesh(&def), "positions.data is NULL");
    def.positions = positions;
    ARGUMENT(create_mesh(&def), "triangles.data is NULL");
    def.triangles = f32(triangles, 2);
    ARGUMENT(create_mesh(&def), "triangles.format is 1");
    def.triangles = u32(triangles, 2);
    BAD_HANDLES(WithyWorld, withy_mesh_create(h, &def, &mesh));
    ARGUMENT(withy_mesh_create(world, &def, NULL), "mesh is NULL");
    def.edge_compliance = -1;
    ARGUMENT(create_mesh(&def), "edge_compliance is -1");
    def.edge_compliance = 0;
    def.drag = NAN;
    ARGUMENT(create_mesh(&def), "drag is NaN");
    def.drag = 0;
    inv_masses[3] = NAN;
    def.inv_masses = f32(inv_masses, 4);
    ARGUMENT(create_mesh(&def), "inv_masses[3] is NaN");
    BAD_HANDLES(WithyMesh, withy_mesh_destroy(h));
    BAD_HANDLES(WithyMesh, withy_mesh_set_positions(h, &positions, 0));
    BAD_HANDLES(WithyMesh, withy_mesh_read_positions(h, &out));
    BAD_HANDLES(WithyMesh, withy_mesh_read_corrections(h, &out));
}

static void attachments(void) {
    WithyTriangleAttachmentDef def;
    WithyJunctionDef junction;
    WithyStrandEnd ends[2];
    WithyAttachment attachment;
    OK(withy_triangle_attachment_def_init(&def));
    HANDLE(create_triangle(&def), "rods: the handle is null");
    def.end.rods = rods;
    HANDLE(create_triangle(&def), "mesh: mesh: the handle is null");
    def.mesh.bits = rods.bits;
    HANDLE(create_triangle(&def), "is the handle of a rods");
    def.mesh.bits = (other_rods.bits & ~(UINT64_C(0xf) << 60)) | UINT64_C(5) << 60;
    HANDLE(create_triangle(&def), "in another world");
    ARGUMENT(withy_attachment_create_triangle(&def, NULL), "attachment is NULL");
    def.reserved = 1;
    UNSUPPORTED(create_triangle(&def), "reserved is 1");

    OK(withy_junction_def_init(&junction));
    ARGUMENT(create_junction(&junction), "ends is NULL");
    memset(ends, 0, sizeof ends);
    junction.ends = ends;
    junction.end_count = 1;
    ARGUMENT(create_junction(&junction), "end_count is 1");
    junction.end_count = UINT32_MAX;
    ARGUMENT(create_junction(&junction), "end_count is 4294967295");
    junction.end_count = 2;
    HANDLE(create_junction(&junction), "rods: the handle is null");
    ends[0].rods = rods;
    HANDLE(create_junction(&junction), "ends[1].rods: rods: the handle is null");
    ends[1].rods = other_rods;
    HANDLE(create_junction(&junction), "ends[1].rods: the rods is in another world");
    ends[1].rods = rods;
    ends[1].end = 2;
    ARGUMENT(create_junction(&junction), "ends[1].end is 2");
    ends[1].end = 1;
    junction.radius = NAN;
    ARGUMENT(create_junction(&junction), "radius is NaN");
    junction.radius = 0;
    junction.mass = INFINITY;
    ARGUMENT(create_junction(&junction), "mass is inf");
    ARGUMENT(withy_attachment_create_junction(&junction, NULL), "attachment is NULL");
    BAD_HANDLES(WithyAttachment, withy_attachment_destroy(h));
    (void)attachment;
}

static int32_t create_context_or_null(const WithyContextDef *def) {
    /* NULL is allowed there: all defaults. */
    return def != NULL ? create_context(def) : withy_context_def_init_sized(NULL, sizeof(WithyContextDef));
}
static int32_t create_world_or_null(const WithyWorldDef *def) {
    return def != NULL ? create_world(def) : withy_world_def_init_sized(NULL, sizeof(WithyWorldDef));
}

static WithyContextDef context_def(void) {
    WithyContextDef def;
    withy_context_def_init(&def);
    return def;
}
static WithyWorldDef world_def(void) {
    WithyWorldDef def;
    withy_world_def_init(&def);
    return def;
}
static WithyMeshDef mesh_def(void) {
    WithyMeshDef def;
    withy_mesh_def_init(&def);
    return def;
}
static WithyTriangleAttachmentDef triangle_def(void) {
    WithyTriangleAttachmentDef def;
    withy_triangle_attachment_def_init(&def);
    return def;
}
static WithyJunctionDef junction_def(void) {
    WithyJunctionDef def;
    withy_junction_def_init(&def);
    return def;
}

int main(void) {
    WithyRodsDef def;
    WithyColliderDef sphere;
    WithyContext dead_context;
    WithyWorld dead_world;
    WithyRods dead_rods, orphan_rods;
    WithyCollider dead_collider, orphan_collider;
    int i;

    OK(withy_context_create(NULL, &context));
    OK(withy_context_create(NULL, &dead_context));
    OK(withy_world_create(context, NULL, &world));
    OK(withy_world_create(context, NULL, &other_world));
    OK(withy_world_create(dead_context, NULL, &dead_world));
    def = rods_def();
    sphere = sphere_def();
    OK(withy_rods_create(world, &def, &dead_rods));
    OK(withy_rods_destroy(dead_rods));
    OK(withy_rods_create(world, &def, &rods));
    OK(withy_rods_create(other_world, &def, &other_rods));
    OK(withy_rods_create(dead_world, &def, &orphan_rods));
    OK(withy_collider_create(world, &sphere, &dead_collider));
    OK(withy_collider_destroy(dead_collider));
    OK(withy_collider_create(world, &sphere, &collider));
    OK(withy_collider_create(dead_world, &sphere, &orphan_collider));
    OK(withy_context_destroy(dead_context));
    kinds[0].good = context.bits, kinds[0].stale = dead_context.bits;
    kinds[1].good = world.bits, kinds[1].stale = dead_world.bits;
    kinds[2].good = rods.bits, kinds[2].stale = dead_rods.bits;
    kinds[3].good = rods.bits, kinds[3].stale = orphan_rods.bits;
    kinds[4].good = collider.bits, kinds[4].stale = dead_collider.bits;
    kinds[5].good = collider.bits, kinds[5].stale = orphan_collider.bits;
    kinds[6].good = (rods.bits & ~(UINT64_C(0xf) << 60)) | UINT64_C(5) << 60;
    kinds[7].good = (rods.bits & ~(UINT64_C(0xf) << 60)) | UINT64_C(6) << 60;
    OK(withy_world_step(world, 0.01));
    OK(withy_world_state_hash(world, &hash));

    library();
    BAD_DEF(WithyContextDef, withy_context_def_init_sized, context_def(), create_context_or_null);
    BAD_DEF(WithyWorldDef, withy_world_def_init_sized, world_def(), create_world_or_null);
    BAD_DEF(WithyColliderDef, withy_collider_def_init_sized, sphere_def(), create_collider);
    BAD_DEF(WithyRodsDef, withy_rods_def_init_sized, rods_def(), create_rods);
    BAD_DEF(WithyMeshDef, withy_mesh_def_init_sized, mesh_def(), create_mesh);
    BAD_DEF(WithyTriangleAttachmentDef, withy_triangle_attachment_def_init_sized, triangle_def(), create_triangle);
    BAD_DEF(WithyJunctionDef, withy_junction_def_init_sized, junction_def(), create_junction);
    contexts();
    worlds();
    spans();
    rods_defs();
    rods_calls();
    colliders();
    meshes();
    attachments();
    OK(withy_world_destroy(other_world));
    for (i = 0; i < 3; i++) OK(withy_world_step(world, 0.01));
    OK(withy_context_destroy(context));
    checks++;
    if (withy_context_destroy(context) != WITHY_ERROR_INVALID_HANDLE) fail(__LINE__, "twice", 0);
    printf("misuse: %d checks, %d failed\n", checks, failures);
    return failures != 0;
}
