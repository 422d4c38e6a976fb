/* What a host can do wrong, entry point by entry point: the right code, a text that names the culprit, and a world that has not
 * changed. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <withy.h>

static int checks, failures;
static WithyContext context;
static WithyWorld world, other_world;
static WithyRods rods, hair, twigs, other_rods;
static WithyCollider collider;
static WithyMesh mesh, other_mesh;
static WithyAttachment attachment, junction;
static unsigned char state[16384];
static uint64_t state_size;

static void fail(int line, const char *what, int32_t got) {
    failures++;
    printf("misuse.c:%d: %s gave %s: %s\n", line, what, withy_result_name(got), withy_last_error());
}

static void unchanged(int line, const char *what) {
    /* Poses, targets and pins are in a state, and not in the hash. */
    static unsigned char now[sizeof state];
    uint64_t size = sizeof now;
    checks++;
    if (withy_world_save_state(world, now, &size) != WITHY_OK || size != state_size || memcmp(now, state, size) != 0) {
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
                HANDLE(call, "is a handle of ");                                           \
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
    {"WithyCollider", 0, 0}, {"WithyCollider", 0, 0}, {"WithyMesh", 0, 0},      {"WithyMesh", 0, 0},
    {"WithyAttachment", 0, 0}, {"WithyAttachment", 0, 0},
};

static uint32_t faces[2][3] = {{0, 1, 2}, {1, 2, 3}};
static float corners[4][3] = {{0.3f, -0.1f, -0.1f}, {0.3f, 0.1f, -0.1f}, {0.3f, -0.1f, 0.1f}, {0.3f, 0.1f, 0.1f}};
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
        u.def.struct_size = sizeof(Type) - 16;                                                \
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
    def.substeps = 65537;
    ARGUMENT(create_world(&def), "substeps is 65537");
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
    ARGUMENT(withy_world_step(world, 1e9), "dt is 1000000000");
    ARGUMENT(withy_world_step(world, 5e-324), "dt is 0.");
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
    refused(__LINE__, "backend", withy_world_backend(world, (char *)junk, &size), WITHY_ERROR_TOO_SMALL, "size is 1");
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
static void states(void) {
    static unsigned char bad[sizeof state];
    uint64_t i, size = 0, other_size = sizeof bad;
    WithyVec3 at = {0.1, 0.2, 0.3};
    WithyRodsDef def = rods_def();
    WithyRods more;
    ARGUMENT(withy_world_save_state(world, NULL, NULL), "size is NULL");
    OK(withy_world_save_state(world, NULL, &size));
    checks++;
    if (size != state_size) fail(__LINE__, "size", 0);
    size = state_size - 1;
    refused(__LINE__, "small", withy_world_save_state(world, bad, &size), WITHY_ERROR_TOO_SMALL, "size is ");
    checks++;
    if (size != state_size) fail(__LINE__, "size", 0);
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
    if (withy_world_restore_state(world, bad, size) != WITHY_ERROR_INVALID_ARGUMENT) fail(__LINE__, "another pin", 0);
    OK(withy_rods_set_pin(rods, 2, NULL, 0));
    unchanged(__LINE__, "a pin come and gone");
    def.tip = WITHY_SUPPORT_CLAMPED, def.root = WITHY_SUPPORT_FREE;
    OK(withy_rods_create(world, &def, &more));
    checks++;
    if (withy_world_restore_state(world, state, state_size) != WITHY_ERROR_INVALID_ARGUMENT) fail(__LINE__, "more rods", 0);
    size = sizeof bad;
    OK(withy_world_save_state(world, bad, &size));
    OK(withy_rods_destroy(more));
    def = rods_def();
    OK(withy_rods_create(world, &def, &more));
    checks++;
    if (withy_world_restore_state(world, bad, size) != WITHY_ERROR_INVALID_ARGUMENT) fail(__LINE__, "other supports", 0);
    OK(withy_rods_destroy(more));
    unchanged(__LINE__, "rods come and gone");

    /* There and back. */
    OK(withy_world_step(world, 1.0 / 60.0));
    size = sizeof bad;
    OK(withy_world_save_state(world, bad, &size));
    checks++;
    if (size != state_size || memcmp(bad, state, size) == 0) fail(__LINE__, "a step changed nothing", 0);
    OK(withy_world_restore_state(world, state, state_size));
    unchanged(__LINE__, "back");
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
        static float bad[4][3] = {{0.01f, 0.01f, 0}, {0.01f, 0.01f, 0}, {NAN, 0, 0}, {0}};
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
            span->count = span == &def.section_axes ? 3 : 4;
            sprintf(text, "%s[2]", all[i].name);
            ARGUMENT(create_rods(&def), text);
        }
        span->stride = 0;
        /* A wrong number of elements, whose memory must not be touched. */
        span->count = UINT64_C(1) << 40;
        ARGUMENT(create_rods(&def), "count is 1099511627776");
        if (span != &def.counts) {
            span->data = points + 1, span->count = 2;
            sprintf(text, "%s.count is 2", all[i].name);
            ARGUMENT(create_rods(&def), text);
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
        {offsetof(WithyRodsDef, radius), 1e5, "radius is 100000"},
        {offsetof(WithyRodsDef, ghost_distance), -1, "ghost_distance is -1"},
        {offsetof(WithyRodsDef, ghost_distance), INFINITY, "ghost_distance is inf"},
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
        {offsetof(WithyRodsDef, tip), "tip is 99"},             {offsetof(WithyRodsDef, ghost_gravity), "ghost_gravity is 99"},
    };
    size_t i;
    WithyRodsDef def;
    WithyRods old;
    char text[64];
    uint32_t wrong[3] = {3, 0, 1};
    float lengths[3] = {0.1f, 0.1f, 0.1f}, huge[2][3] = {{0, 0, 0}, {0, 0, 0}};
    huge[1][1] = -1e30f;
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
    ARGUMENT(create_rods(&def), "rest_lengths.count is 2");
    def.rest_lengths = f32(points + 1, 3);
    ARGUMENT(create_rods(&def), "rest_lengths[1] is 0");
    def.rest_lengths = f32(lengths, 3);
    ARGUMENT(create_rods(&def), "rest_darboux.data is NULL");
    def.rest_darboux = f32(huge, 1);
    ARGUMENT(create_rods(&def), "rest_darboux.count is 1");
    def.rest_darboux = f32(huge, 2);
    ARGUMENT(create_rods(&def), "rest_darboux[1].y is -1");
    def.rest_darboux = f32(NULL, 0);
    def.rest_shape = WITHY_REST_STRAIGHT;
    ARGUMENT(create_rods(&def), "rest_shape is 1");
    def = rods_def();
    def.reserved = 7;
    UNSUPPORTED(create_rods(&def), "reserved is 7");
    def = rods_def();
    def.section_axes = f32(huge[1], 1);
    ARGUMENT(create_rods(&def), "section_axes[0].y is -1");
    /* An empty container's data may be anything. */
    def = rods_def();
    def.radii = f32(huge, 0), def.section_axes = f32(huge, 0), def.rest_darboux = f32(huge, 0);
    OK(withy_rods_create(other_world, &def, &old));
    OK(withy_rods_destroy(old));
    def = rods_def();
    def.positions = f32(points, 0);
    ARGUMENT(create_rods(&def), "positions.count is 0");
    /* A host of the first release has no ghost_gravity. */
    def = rods_def();
    def.ghost_gravity = 99;
    def.struct_size = offsetof(WithyRodsDef, ghost_gravity);
    OK(withy_rods_create(other_world, &def, &old));
    OK(withy_rods_destroy(old));
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
    ARGUMENT(withy_rods_set_rest_shape(rods, WITHY_REST_EXPLICIT, &one, NULL), "rest_lengths.count is 1");
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
    ARGUMENT(create_collider(&def), "half_extents.z is 0");
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
    WithySpan positions = f32(points, 4), out = f32(NULL, 0), few = f32(points, 3);
    WithyMeshDef def;
    WithyMesh m;
    OK(withy_mesh_def_init(&def));
    ARGUMENT(create_mesh(&def), "positions.data is NULL");
    def.positions = positions;
    ARGUMENT(create_mesh(&def), "triangles.data is NULL");
    def.triangles = f32(triangles, 2);
    ARGUMENT(create_mesh(&def), "triangles.format is 1");
    def.triangles = u32(triangles, 2);
    BAD_HANDLES(WithyWorld, withy_mesh_create(h, &def, &m));
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
    def.inv_masses = f32(inv_masses, UINT64_C(1) << 40);
    ARGUMENT(create_mesh(&def), "inv_masses.count is 1099511627776");
    def.inv_masses = f32(inv_masses, 3);
    ARGUMENT(create_mesh(&def), "inv_masses.count is 3");
    inv_masses[2] = -1;
    def.inv_masses = f32(inv_masses, 4);
    inv_masses[3] = 1;
    ARGUMENT(create_mesh(&def), "inv_masses[2] is -1");
    inv_masses[2] = 1;
    triangles[1][1] = 4;
    ARGUMENT(create_mesh(&def), "triangles[1][1] is 4");
    triangles[1][1] = 2;
    def.extra_edges = u32(faces, 3);
    faces[0][1] = 9;
    ARGUMENT(create_mesh(&def), "extra_edges[0] is [0, 9]");
    faces[0][1] = 1;
    ARGUMENT(withy_mesh_set_positions(mesh, NULL, 0), "positions is NULL");
    ARGUMENT(withy_mesh_set_positions(mesh, &few, 0), "positions.count is 3");
    ARGUMENT(withy_mesh_set_positions(mesh, &positions, 2), "teleport is 2");
    points[3][1] = NAN;
    ARGUMENT(withy_mesh_set_positions(mesh, &positions, 1), "positions[3].y is NaN");
    points[3][1] = 0;
    ARGUMENT(withy_mesh_read_positions(mesh, NULL), "out is NULL");
    ARGUMENT(withy_mesh_read_corrections(mesh, NULL), "out is NULL");
    refused(__LINE__, "small", withy_mesh_read_positions(mesh, &few), WITHY_ERROR_TOO_SMALL, "out.count is 3");
    few.count = 3;
    refused(__LINE__, "small", withy_mesh_read_corrections(mesh, &few), WITHY_ERROR_TOO_SMALL, "out.count is 3");
    BAD_HANDLES(WithyMesh, withy_mesh_destroy(h));
    BAD_HANDLES(WithyMesh, withy_mesh_set_positions(h, &positions, 0));
    BAD_HANDLES(WithyMesh, withy_mesh_read_positions(h, &out));
    BAD_HANDLES(WithyMesh, withy_mesh_read_corrections(h, &out));
}

static void attachments(void) {
    WithyTriangleAttachmentDef def;
    WithyJunctionDef tie;
    WithyStrandEnd ends[2];
    OK(withy_triangle_attachment_def_init(&def));
    HANDLE(create_triangle(&def), "end.rods: rods: the handle is null");
    BAD_HANDLES(WithyRods, (def.end.rods = h, def.mesh = mesh, create_triangle(&def)));
    def.end.rods = twigs;
    BAD_HANDLES(WithyMesh, (def.mesh = h, create_triangle(&def)));
    def.end.rods = rods, def.end.end = WITHY_END_TIP;
    def.mesh = other_mesh;
    HANDLE(create_triangle(&def), "mesh: 0x");
    HANDLE(create_triangle(&def), "in another world");
    def.mesh = mesh;
    ARGUMENT(withy_attachment_create_triangle(&def, NULL), "attachment is NULL");
    ARGUMENT(create_triangle(&def), "end: the tip of strand 0 is attached already");
    def.end.end = WITHY_END_ROOT;
    ARGUMENT(create_triangle(&def), "end: the root of strand 0 is held by the host");
    def.end.end = 2;
    ARGUMENT(create_triangle(&def), "end.end is 2");
    def.end.rods = hair, def.end.end = WITHY_END_TIP, def.end.strand = 1;
    ARGUMENT(create_triangle(&def), "end: strand is 1");
    def.end.strand = 0, def.triangle = 2;
    ARGUMENT(create_triangle(&def), "triangle is 2");
    def.triangle = 0, def.barycentric[1] = NAN;
    ARGUMENT(create_triangle(&def), "barycentric[1] is NaN");
    def.barycentric[1] = 0.5;
    ARGUMENT(create_triangle(&def), "barycentric is [");
    def.barycentric[0] = 1e300, def.barycentric[1] = -1e300;
    ARGUMENT(create_triangle(&def), "barycentric");
    def.reserved = 1;
    UNSUPPORTED(create_triangle(&def), "reserved is 1");

    OK(withy_junction_def_init(&tie));
    ARGUMENT(create_junction(&tie), "ends is NULL");
    memset(ends, 0, sizeof ends);
    tie.ends = ends;
    tie.end_count = 1;
    ARGUMENT(create_junction(&tie), "end_count is 1");
    tie.end_count = UINT32_MAX;
    ARGUMENT(create_junction(&tie), "end_count is 4294967295");
    tie.end_count = 2;
    HANDLE(create_junction(&tie), "ends[0].rods: rods: the handle is null");
    ends[0].rods = hair, ends[0].end = WITHY_END_TIP;
    HANDLE(create_junction(&tie), "ends[1].rods: rods: the handle is null");
    BAD_HANDLES(WithyRods, (ends[1].rods = h, create_junction(&tie)));
    ends[1].rods = other_rods;
    HANDLE(create_junction(&tie), "ends[1].rods: 0x");
    HANDLE(create_junction(&tie), "in another world");
    ends[1].rods = hair;
    ends[1].end = 2;
    ARGUMENT(create_junction(&tie), "ends[1].end is 2");
    ends[1].end = WITHY_END_TIP;
    ARGUMENT(create_junction(&tie), "ends[1] is the same end");
    ends[1].end = WITHY_END_ROOT;
    ARGUMENT(create_junction(&tie), "ends[1]: the root of strand 0 is attached already");
    ends[1].rods = rods, ends[1].end = WITHY_END_ROOT;
    ARGUMENT(create_junction(&tie), "ends[1]: the root of strand 0 is held by the host");
    ends[1].rods = twigs, ends[1].strand = 2;
    ARGUMENT(create_junction(&tie), "ends[1]: strand is 2");
    ends[1].strand = 0;
    tie.radius = NAN;
    ARGUMENT(create_junction(&tie), "radius is NaN");
    tie.radius = -1;
    ARGUMENT(create_junction(&tie), "radius is -1");
    tie.radius = 0;
    tie.mass = INFINITY;
    ARGUMENT(create_junction(&tie), "mass is inf");
    tie.mass = -1;
    ARGUMENT(create_junction(&tie), "mass is -1");
    ARGUMENT(withy_attachment_create_junction(&tie, NULL), "attachment is NULL");
    BAD_HANDLES(WithyAttachment, withy_attachment_destroy(h));
}

/* What an attachment holds goes first: the attachment goes with it, and the rest can be stepped. */
static void orphans(void) {
    OK(withy_world_step(world, 0.01));
    OK(withy_mesh_destroy(mesh));
    checks++;
    if (withy_attachment_destroy(attachment) != WITHY_ERROR_INVALID_HANDLE) fail(__LINE__, "outlived its mesh", 0);
    OK(withy_world_step(world, 0.01));
    OK(withy_rods_destroy(hair));
    checks++;
    if (withy_attachment_destroy(junction) != WITHY_ERROR_INVALID_HANDLE) fail(__LINE__, "outlived its rods", 0);
    OK(withy_world_step(world, 0.01));
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

/* Living and dead handles of every kind: destroyed one by one, and with their world. */
static void set_up(void) {
    WithyRodsDef def;
    WithyColliderDef sphere;
    WithyMeshDef surface = mesh_def();
    WithyTriangleAttachmentDef hold = triangle_def();
    WithyJunctionDef tie = junction_def();
    WithyStrandEnd ends[2] = {{{0}, 0, WITHY_END_ROOT}, {{0}, 1, WITHY_END_TIP}};
    static uint32_t two[2] = {2, 2};
    WithyContext dead_context;
    WithyWorld dead_world;
    WithyRods dead_rods, orphan_rods;
    WithyCollider dead_collider, orphan_collider;
    WithyMesh dead_mesh, orphan_mesh;
    WithyAttachment dead_attachment, orphan_attachment;
    uint64_t good[6];
    size_t i;

    OK(withy_context_create(NULL, &context));
    OK(withy_context_create(NULL, &dead_context));
    OK(withy_world_create(context, NULL, &world));
    OK(withy_world_create(context, NULL, &other_world));
    OK(withy_world_create(dead_context, NULL, &dead_world));
    def = rods_def();
    sphere = sphere_def();
    surface.positions = f32(corners, 4);
    surface.triangles = u32(faces, 2);
    OK(withy_rods_create(world, &def, &dead_rods));
    OK(withy_rods_destroy(dead_rods));
    OK(withy_rods_create(world, &def, &rods));
    OK(withy_rods_create(other_world, &def, &other_rods));
    OK(withy_rods_create(dead_world, &def, &orphan_rods));
    def.root = WITHY_SUPPORT_FREE;
    OK(withy_rods_create(world, &def, &hair));
    OK(withy_collider_create(world, &sphere, &dead_collider));
    OK(withy_collider_destroy(dead_collider));
    OK(withy_collider_create(world, &sphere, &collider));
    OK(withy_collider_create(dead_world, &sphere, &orphan_collider));
    OK(withy_mesh_create(world, &surface, &dead_mesh));
    OK(withy_mesh_destroy(dead_mesh));
    OK(withy_mesh_create(world, &surface, &mesh));
    OK(withy_mesh_create(other_world, &surface, &other_mesh));
    OK(withy_mesh_create(dead_world, &surface, &orphan_mesh));
    hold.end.rods = orphan_rods, hold.end.end = WITHY_END_TIP, hold.mesh = orphan_mesh;
    OK(withy_attachment_create_triangle(&hold, &orphan_attachment));
    hold.end.rods = rods, hold.mesh = mesh, hold.flags = WITHY_ATTACH_CLAMPED;
    OK(withy_attachment_create_triangle(&hold, &dead_attachment));
    OK(withy_attachment_destroy(dead_attachment));
    OK(withy_attachment_create_triangle(&hold, &attachment));
    /* The root of `hair` and the tip of a strand of two vertices. */
    def.counts = u32(two, 2);
    OK(withy_rods_create(world, &def, &ends[1].rods));
    ends[0].rods = hair, twigs = ends[1].rods;
    tie.ends = ends, tie.end_count = 2;
    OK(withy_attachment_create_junction(&tie, &junction));
    OK(withy_context_destroy(dead_context));

    good[0] = context.bits, good[1] = world.bits, good[2] = rods.bits;
    good[3] = collider.bits, good[4] = mesh.bits, good[5] = attachment.bits;
    kinds[0].good = good[0], kinds[1].good = good[1];
    for (i = 2; i < sizeof kinds / sizeof *kinds; i++) kinds[i].good = good[1 + i / 2];
    kinds[0].stale = dead_context.bits, kinds[1].stale = dead_world.bits;
    kinds[2].stale = dead_rods.bits, kinds[3].stale = orphan_rods.bits;
    kinds[4].stale = dead_collider.bits, kinds[5].stale = orphan_collider.bits;
    kinds[6].stale = dead_mesh.bits, kinds[7].stale = orphan_mesh.bits;
    kinds[8].stale = dead_attachment.bits, kinds[9].stale = orphan_attachment.bits;
    OK(withy_world_step(world, 0.01));
    state_size = sizeof state;
    OK(withy_world_save_state(world, state, &state_size));
}

int main(void) {
    int i;
    set_up();
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
    states();
    spans();
    rods_defs();
    rods_calls();
    colliders();
    meshes();
    attachments();
    orphans();
    OK(withy_world_destroy(other_world));
    for (i = 0; i < 3; i++) OK(withy_world_step(world, 0.01));
    OK(withy_context_destroy(context));
    checks++;
    if (withy_context_destroy(context) != WITHY_ERROR_INVALID_HANDLE) fail(__LINE__, "twice", 0);
    printf("misuse: %d checks, %d failed\n", checks, failures);
    return failures != 0;
}
