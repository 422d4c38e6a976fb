/* What no host would do on purpose: shapes without a shape, numbers at their limits, workers that do not work, destruction in the
 * middle of a step. Nothing may crash or hang; what comes back is finite, or the statistics say that it is not. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#include <withy_bodies.h>
#include <withy_expert.h>
#endif
#include "checks.h"

/* One strand of n vertices. */
static float points[10000][3];
static uint32_t one[1];

static WithyRodsDef strand(uint32_t n) {
    WithyRodsDef def;
    OK(withy_rods_def_init(&def));
    one[0] = n;
    def.positions = f32(points, n);
    def.counts = u32(one, 1);
    def.radius = 0.01;
    return def;
}

static void straight(uint32_t n, float length) {
    uint32_t i;
    memset(points, 0, sizeof points);
    for (i = 0; i < n; i++) points[i][0] = length * (float)i / (float)(n - 1);
}

/* Everything that can be read is finite, unless the step said that it is not. */
static void inspect(int line, WithyWorld world, WithyRods rods, const char *what, int must_be_finite) {
    int32_t (*const reads[])(WithyRods, WithySpan *) = {
        withy_rods_read_positions, withy_rods_read_velocities, withy_rods_read_ghosts,  withy_rods_read_frames,
        withy_rods_read_twist,     withy_rods_read_strain,     withy_rods_read_darboux, withy_rods_read_tension,
        withy_rods_read_moments,   withy_rods_read_radii,      withy_rods_read_volumes,
    };
    static const int scalars[] = {3, 3, 3, 4, 1, 1, 3, 1, 3, 1, 1};
    static double values[40000];
    WithyStepStats stats;
    WithyDebugLine *lines;
    uint64_t count = 0, i;
    size_t k;
    OK(withy_world_read_stats(world, &stats));
    for (k = 0; k < sizeof reads / sizeof *reads; k++) {
        WithySpan out = f32(values, 10000);
        out.format = WITHY_FORMAT_F64;
        expect(__FILE__, line, reads[k](rods, &out) == WITHY_OK, what);
        for (i = 0; i < out.count * (uint64_t)scalars[k]; i++) {
            if (!isfinite(values[i])) {
                failures += must_be_finite || stats.non_finite_strands == 0;
                if (must_be_finite || stats.non_finite_strands == 0) {
                    printf("hostile.c:%d: %s: read %d gives %g at %d, %u strands told\n", line, what, (int)k, values[i], (int)i,
                           stats.non_finite_strands);
                }
                break;
            }
        }
    }
    expect(__FILE__, line, !must_be_finite || stats.non_finite_strands == 0, what);
    OK(withy_world_debug_lines(world, NULL, &count));
    lines = malloc((size_t)count * sizeof *lines);
    OK(withy_world_debug_lines(world, lines, &count));
    free(lines);
}

static void run_alone(int line, const WithyRodsDef *def, const char *what, int must_be_finite) {
    uint32_t precision;
    for (precision = 0; precision < 2; precision++) {
        WithyContext context;
        WithyWorldDef world_def;
        WithyWorld world;
        WithyRods rods;
        WithyColliderDef plane;
        WithyCollider collider;
        int i;
        OK(withy_context_create(NULL, &context));
        OK(withy_world_def_init(&world_def));
        world_def.precision = precision;
        OK(withy_world_create(context, &world_def, &world));
        OK(withy_collider_def_init(&plane));
        plane.pose.position.y = -0.05;
        OK(withy_collider_create(world, &plane, &collider));
        expect(__FILE__, line, withy_rods_create(world, def, &rods) == WITHY_OK, what);
        for (i = 0; i < 10; i++) expect(__FILE__, line, withy_world_step(world, 1.0 / 60.0) == WITHY_OK, what);
        inspect(line, world, rods, what, must_be_finite);
        OK(withy_context_destroy(context));
    }
}
#define ALONE(def, what) run_alone(__LINE__, (def), (what), 1)
#define WILD(def, what) run_alone(__LINE__, (def), (what), 0)

static void shapes(void) {
    static const uint32_t orders[] = {
        WITHY_ORDER_ROOT_TO_TIP, WITHY_ORDER_ALTERNATING, WITHY_ORDER_AUTO,
    };
    WithyRodsDef def = strand(5);
    uint32_t order, stiffness, i;
    memset(points, 0, sizeof points);
    for (order = 0; order < 3; order++) {
        for (stiffness = 0; stiffness < 2; stiffness++) {
            def = strand(5);
            def.order = orders[order], def.stiffness = stiffness;
            memset(points, 0, sizeof points);
            ALONE(&def, "all vertices at one point");
            def.root = def.tip = WITHY_SUPPORT_CLAMPED;
            ALONE(&def, "all vertices at one point, clamped");
            straight(5, 1);
            points[2][0] = points[1][0];
            ALONE(&def, "an edge of no length");
            points[3][0] = points[4][0] = points[2][0];
            ALONE(&def, "three edges of no length");
            straight(5, 1);
            points[3][0] = 0.1f;
            ALONE(&def, "folded back on itself");
            for (i = 0; i < 5; i++) points[i][0] = (float)(i % 2), points[i][1] = 0;
            ALONE(&def, "to and fro");
            def = strand(2), def.order = orders[order], def.stiffness = stiffness;
            straight(2, 1);
            ALONE(&def, "two vertices");
            straight(2, 0);
            ALONE(&def, "two vertices at one point");
        }
    }
    def = strand(10000);
    straight(10000, 10);
    def.root = WITHY_SUPPORT_CLAMPED;
    ALONE(&def, "10,000 vertices");
    def = strand(20);
    straight(20, 1);
    def.radius = 1e-5;
    ALONE(&def, "radius 1e-5 m");
    def.radius = 1e-7;
    ALONE(&def, "the least radius");
    def.radius = 1e3;
    ALONE(&def, "the largest radius");
    straight(20, 1e-4f);
    def.radius = 1e-5;
    ALONE(&def, "a tenth of a millimetre long");
    straight(20, 1e-20f);
    ALONE(&def, "1e-20 m long");
    straight(20, 1e-40f);
    ALONE(&def, "denormal");
    straight(20, 1e6f);
    WILD(&def, "1,000 km long");
    straight(20, 1e9f);
    WILD(&def, "as long as can be");
}

static void limits(void) {
    static const struct {
        size_t offset;
        double low, high;
        const char *name;
    } numbers[] = {
        {offsetof(WithyRodsDef, aspect), 1e-3, 1e3, "aspect"},
        {offsetof(WithyRodsDef, young_modulus), 1e-3, 1e15, "young_modulus"},
        {offsetof(WithyRodsDef, shear_modulus), 1e-3, 1e15, "shear_modulus"},
        {offsetof(WithyRodsDef, density), 1e-3, 1e6, "density"},
        {offsetof(WithyRodsDef, ghost_distance), 5e-324, 1e9, "ghost_distance"},
        {offsetof(WithyRodsDef, ghost_mass_ratio), 1e-6, 0.9, "ghost_mass_ratio"},
        {offsetof(WithyRodsDef, damping), 0, 1e9, "damping"},
        {offsetof(WithyRodsDef, drag), 0, 1e9, "drag"},
        {offsetof(WithyRodsDef, friction), 0, 1e3, "friction"},
        {offsetof(WithyRodsDef, collision_radius), 5e-324, 1e3, "collision_radius"},
        {offsetof(WithyRodsDef, max_speed), 1e-3, 1e9, "max_speed"},
    };
    size_t i;
    for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        WithyRodsDef def = strand(8);
        straight(8, 1);
        def.root = WITHY_SUPPORT_CLAMPED;
        memcpy((char *)&def + numbers[i].offset, &numbers[i].low, sizeof(double));
        WILD(&def, numbers[i].name);
        memcpy((char *)&def + numbers[i].offset, &numbers[i].high, sizeof(double));
        WILD(&def, numbers[i].name);
    }
}

/* Colliders, roots, pins and meshes that jump about, triangles that degenerate. */
static void motion(void) {
    static float corners[3][3] = {{0, 0, 0}, {0.1f, 0, 0}, {0, 0, 0.1f}};
    static uint32_t face[3] = {0, 1, 2}, same[3] = {0, 0, 0};
    float inv[3] = {1, 1, 1};
    uint32_t clamped, elastic, degenerate;
    for (clamped = 0; clamped < 2; clamped++)
        for (elastic = 0; elastic < 2; elastic++)
            for (degenerate = 0; degenerate < 3; degenerate++) {
                WithyContext context;
                WithyWorld world;
                WithyRods rods, free_rods;
                WithyMeshDef mesh_def;
                WithyMesh mesh;
                WithyColliderDef shape;
                WithyCollider collider;
                WithyTriangleAttachmentDef hold;
                WithyAttachment attachment;
                WithyRodsDef def;
                WithyPose pose;
                WithySpan to = f32(corners, 3);
                int i;
                straight(8, 1);
                def = strand(8);
                OK(withy_context_create(NULL, &context));
                OK(withy_world_create(context, NULL, &world));
                OK(withy_rods_create(world, &def, &rods));
                OK(withy_rods_create(world, &def, &free_rods));
                OK(withy_mesh_def_init(&mesh_def));
                memset(corners, 0, sizeof corners);
                corners[1][0] = corners[2][2] = degenerate == 1 ? 0 : 0.1f;
                mesh_def.positions = f32(corners, 3);
                mesh_def.triangles = u32(degenerate == 2 ? same : face, 1);
                mesh_def.inv_masses = f32(inv, 3);
                mesh_def.flags = elastic;
                OK(withy_mesh_create(world, &mesh_def, &mesh));
                OK(withy_collider_def_init(&shape));
                shape.shape = WITHY_SHAPE_BOX;
                shape.half_extents.x = shape.half_extents.y = shape.half_extents.z = 0.3;
                OK(withy_collider_create(world, &shape, &collider));
                OK(withy_triangle_attachment_def_init(&hold));
                hold.end.rods = rods, hold.mesh = mesh, hold.flags = clamped;
                if (clamped) hold.barycentric[0] = 3, hold.barycentric[1] = -4, hold.barycentric[2] = 2;
                OK(withy_attachment_create_triangle(&hold, &attachment));
                pose = shape.pose;
                for (i = 0; i < 20; i++) {
                    pose.position.x = i % 2 ? 1e6 : -1e6;
                    OK(withy_collider_set_pose(collider, &pose, 0));
                    if (i == 10) memset(corners, 0, sizeof corners);
                    if (i == 15) corners[1][0] = corners[2][0] = 1e6f;
                    OK(withy_mesh_set_positions(mesh, &to, i % 5 == 4));
                    OK(withy_world_step(world, 1.0 / 60.0));
                }
                inspect(__LINE__, world, free_rods, "beside a collider of 1e6 m a frame", 1);
                inspect(__LINE__, world, rods, "on a triangle that degenerates", 1);
                OK(withy_rods_destroy(rods));
                OK(withy_world_step(world, 1.0 / 60.0));
                EXPECT(withy_attachment_destroy(attachment) == WITHY_ERROR_INVALID_HANDLE);
                OK(withy_context_destroy(context));
            }
}

/* Where the largest strain was is never told of rods that came later. */
static void strain_of_the_dead(void) {
    WithyContext context;
    WithyWorld world;
    WithyRods rods, later;
    WithyStepStats stats;
    WithyRodsDef def = strand(8);
    straight(8, 1);
    OK(withy_context_create(NULL, &context));
    OK(withy_world_create(context, NULL, &world));
    OK(withy_rods_create(world, &def, &rods));
    OK(withy_world_read_stats(world, &stats));
    EXPECT(stats.largest_strain_rods.bits == 0);
    OK(withy_world_step(world, 0.01));
    OK(withy_world_read_stats(world, &stats));
    EXPECT(stats.largest_strain_rods.bits == rods.bits);
    OK(withy_rods_destroy(rods));
    OK(withy_rods_create(world, &def, &later));
    OK(withy_world_read_stats(world, &stats));
    EXPECT(stats.largest_strain_rods.bits == 0);
    OK(withy_context_destroy(context));
}

/* Structs and arrays at odd addresses. */
static void unaligned(void) {
    static unsigned char room[8192];
    unsigned char *at = room + 1;
    WithyContext *context = (WithyContext *)(void *)at;
    WithyWorld *world = (WithyWorld *)(void *)(at + 16);
    WithyRods *rods = (WithyRods *)(void *)(at + 32);
    WithyRodsDef *placed = (WithyRodsDef *)(void *)(at + 64), def;
    WithySpan *out = (WithySpan *)(void *)(at + 640), span;
    WithyStepStats *stats = (WithyStepStats *)(void *)(at + 700);
    WithyVec3 *gravity = (WithyVec3 *)(void *)(at + 800);
    uint64_t *size = (uint64_t *)(void *)(at + 850);
    WithyContext c;
    WithyWorld w;
    WithyRods r;
    float p[4][3];
    OK(withy_context_create(NULL, context));
    memcpy(&c, context, sizeof c);
    OK(withy_world_create(c, NULL, world));
    memcpy(&w, world, sizeof w);
    straight(4, 1);
    memcpy(at + 1001, points, 4 * 12);
    one[0] = 4;
    memcpy(at + 1101, one, 4);
    OK(withy_rods_def_init(placed));
    memcpy(&def, placed, sizeof def);
    def.radius = 0.01;
    def.positions = f32(at + 1001, 4);
    def.counts = u32(at + 1101, 1);
    memcpy(placed, &def, sizeof def);
    OK(withy_rods_create(w, placed, rods));
    memcpy(&r, rods, sizeof r);
    OK(withy_world_get_gravity(w, gravity));
    OK(withy_world_set_gravity(w, gravity));
    OK(withy_world_step(w, 0.01));
    OK(withy_world_read_stats(w, stats));
    span = f32(at + 2001, 4);
    memcpy(out, &span, sizeof span);
    OK(withy_rods_read_positions(r, out));
    memcpy(p, at + 2001, sizeof p);
    EXPECT(fabsf(p[3][0] - 1) < 0.01f);
    OK(withy_rods_write_positions(r, out));
    OK(withy_rods_set_forces(r, out));
    OK(withy_world_save_state(w, NULL, size));
    memcpy(&span.count, size, sizeof span.count);
    EXPECT(span.count < 4096);
    OK(withy_world_save_state(w, at + 4000, size));
    OK(withy_world_restore_state(w, at + 4000, span.count));
    OK(withy_context_destroy(c));
}

/* A groom of a few strands, the same for all that follows. */
enum { STRANDS = 300, VERTICES = 12 };
static float groom[STRANDS][VERTICES][3];
static uint32_t counts[STRANDS];

static WithyWorld groom_world(WithyContext context, WithyRods *rods) {
    WithyWorld world = {0};
    WithyRodsDef def;
    int s, v;
    for (s = 0; s < STRANDS; s++) {
        counts[s] = VERTICES;
        for (v = 0; v < VERTICES; v++) groom[s][v][0] = 0.02f * (float)v, groom[s][v][2] = 0.01f * (float)s;
    }
    OK(withy_rods_def_init(&def));
    def.positions = f32(groom, STRANDS * VERTICES);
    def.counts = u32(counts, STRANDS);
    def.radius = 0.002;
    def.root = WITHY_SUPPORT_CLAMPED;
    OK(withy_world_create(context, NULL, &world));
    OK(withy_rods_create(world, &def, rods));
    return world;
}

typedef void task_function(void *task_data, uint32_t index);

static void run_never(void *user, task_function *task, void *data, uint32_t count) {
    (void)user, (void)task, (void)data, (void)count;
}
static void run_backwards(void *user, task_function *task, void *data, uint32_t count) {
    (void)user;
    while (count-- > 0) task(data, count);
}
static void run_thrice(void *user, task_function *task, void *data, uint32_t count) {
    uint32_t i;
    (void)user;
    for (i = 0; i < 3 * count; i++) task(data, i % count);
}
static void run_one_only(void *user, task_function *task, void *data, uint32_t count) {
    (void)user;
    task(data, UINT32_MAX - count);
}
struct job {
    task_function *task;
    void *data;
    uint32_t count;
};
static void *whole_job(void *argument) {
    struct job *job = argument;
    uint32_t i;
    for (i = 0; i < job->count; i++) job->task(job->data, i);
    return NULL;
}
static void run_crowd(void *user, task_function *task, void *data, uint32_t count) {
    pthread_t threads[8];
    struct job job;
    int i;
    (void)user;
    job.task = task, job.data = data, job.count = count;
    for (i = 0; i < 8; i++) pthread_create(&threads[i], NULL, whole_job, &job);
    for (i = 0; i < 8; i++) pthread_join(threads[i], NULL);
}
/* Destroys all that it can reach, from within the step and from another thread. */
struct reach {
    WithyContext context;
    WithyWorld world, *victim;
    WithyRods rods;
    int wrong;
};
static void *destroy_all(void *user) {
    struct reach *r = user;
    r->wrong += withy_context_destroy(r->context) != WITHY_ERROR_BUSY;
    r->wrong += withy_world_destroy(r->world) != WITHY_ERROR_BUSY;
    r->wrong += withy_rods_destroy(r->rods) != WITHY_ERROR_BUSY;
    r->wrong += withy_world_step(r->world, 0.01) != WITHY_ERROR_BUSY;
    return NULL;
}
static void run_destroyer(void *user, task_function *task, void *data, uint32_t count) {
    struct reach *r = user;
    pthread_t thread;
    destroy_all(r);
    pthread_create(&thread, NULL, destroy_all, r);
    pthread_join(thread, NULL);
    if (r->victim->bits != 0) {
        r->wrong += withy_world_step(*r->victim, 0.01) != WITHY_OK;
        r->wrong += withy_world_destroy(*r->victim) != WITHY_OK;
        r->victim->bits = 0;
    }
    run_backwards(NULL, task, data, count);
}

static void runners(void) {
    static void (*const all[])(void *, task_function *, void *, uint32_t) = {
        NULL, run_never, run_backwards, run_thrice, run_one_only, run_crowd, run_destroyer,
    };
    uint64_t reference = 0, hash;
    size_t k;
    for (k = 0; k < sizeof all / sizeof *all; k++) {
        struct reach reach;
        WithyContextDef def;
        WithyTaskCallbacks tasks;
        WithyWorld victim = {0};
        WithyRods other;
        int i;
        memset(&reach, 0, sizeof reach);
        tasks.user = &reach, tasks.run = all[k];
        OK(withy_context_def_init(&def));
        if (all[k] != NULL) def.tasks = &tasks;
        OK(withy_context_create(&def, &reach.context));
        reach.world = groom_world(reach.context, &reach.rods);
        reach.victim = &victim;
        if (all[k] == run_destroyer) {
            /* Of a context of its own: its workers would come back here. */
            WithyContext elsewhere;
            OK(withy_context_create(NULL, &elsewhere));
            victim = groom_world(elsewhere, &other);
        }
        for (i = 0; i < 10; i++) OK(withy_world_step(reach.world, 1.0 / 60.0));
        OK(withy_world_state_hash(reach.world, &hash));
        if (k == 0) reference = hash;
        EXPECT(hash == reference);
        EXPECT(reach.wrong == 0);
        OK(withy_context_destroy(reach.context));
    }
}

/* One thread steps, others read and create, one destroys: in the end all of them hear that the handle is gone. */
struct victim {
    WithyContext context;
    WithyWorld world;
    WithyRods rods;
    int wrong;
};

static void *step_until_gone(void *argument) {
    struct victim *v = argument;
    int32_t result;
    do {
        result = withy_world_step(v->world, 1.0 / 60.0);
    } while (result == WITHY_OK || result == WITHY_ERROR_BUSY);
    if (result != WITHY_ERROR_INVALID_HANDLE) v->wrong++;
    return NULL;
}
static void *read_until_gone(void *argument) {
    struct victim *v = argument;
    float *room = malloc(sizeof groom);
    int32_t result;
    do {
        WithySpan out = f32(room, STRANDS * VERTICES);
        result = withy_rods_read_positions(v->rods, &out);
    } while (result == WITHY_OK || result == WITHY_ERROR_BUSY);
    if (result != WITHY_ERROR_INVALID_HANDLE) v->wrong++;
    free(room);
    return NULL;
}
static void *create_until_gone(void *argument) {
    struct victim *v = argument;
    int32_t result;
    do {
        WithyWorld world;
        result = withy_world_create(v->context, NULL, &world);
        if (result == WITHY_OK) (void)withy_world_destroy(world);
    } while (result == WITHY_OK);
    if (result != WITHY_ERROR_INVALID_HANDLE) v->wrong++;
    return NULL;
}

static void destruction(void) {
    int round;
    for (round = 0; round < 40; round++) {
        struct victim v;
        WithyContextDef def;
        pthread_t threads[4];
        void *(*const jobs[4])(void *) = {step_until_gone, read_until_gone, create_until_gone, step_until_gone};
        int32_t result;
        int i;
        memset(&v, 0, sizeof v);
        OK(withy_context_def_init(&def));
        def.threads = (uint32_t)round % 3;
        OK(withy_context_create(&def, &v.context));
        v.world = groom_world(v.context, &v.rods);
        for (i = 0; i < 4; i++) pthread_create(&threads[i], NULL, jobs[i], &v);
        do {
            result = round % 2 ? withy_context_destroy(v.context) : withy_world_destroy(v.world);
        } while (result == WITHY_ERROR_BUSY);
        EXPECT(result == WITHY_OK);
        while (round % 2 == 0 && (result = withy_context_destroy(v.context)) == WITHY_ERROR_BUSY) {
        }
        EXPECT(result == WITHY_OK);
        for (i = 0; i < 4; i++) pthread_join(threads[i], NULL);
        EXPECT(v.wrong == 0);
    }
}

/* Every strand of a groom tied to a scalp, and a world of many objects: neither may cost the square of their number. */
static void ties(uint32_t n) {
    static float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    static uint32_t face[3] = {0, 1, 2};
    float *x = calloc(6 * (size_t)n, sizeof *x);
    uint32_t *two = malloc(n * sizeof *two), i;
    WithyRods *many = malloc(n * sizeof *many), rods;
    WithyContext context;
    WithyWorld world;
    WithyRodsDef def;
    WithyMeshDef surface;
    WithyTriangleAttachmentDef hold;
    WithyAttachment attachment = {0};
    WithyMesh mesh;
    for (i = 0; i < n; i++) two[i] = 2, x[6 * i + 4] = 0.1f;
    OK(withy_context_create(NULL, &context));
    OK(withy_world_create(context, NULL, &world));
    OK(withy_rods_def_init(&def));
    def.positions = f32(x, 2 * (uint64_t)n);
    def.counts = u32(two, n);
    def.radius = 0.01;
    OK(withy_rods_create(world, &def, &rods));
    OK(withy_mesh_def_init(&surface));
    surface.positions = f32(corners, 3);
    surface.triangles = u32(face, 1);
    OK(withy_mesh_create(world, &surface, &mesh));
    OK(withy_triangle_attachment_def_init(&hold));
    hold.end.rods = rods, hold.mesh = mesh;
    for (i = 0; i < n; i++) {
        hold.end.strand = i;
        OK(withy_attachment_create_triangle(&hold, &attachment));
    }
    OK(withy_world_step(world, 1.0 / 60.0));
    OK(withy_rods_destroy(rods));
    EXPECT(withy_attachment_destroy(attachment) == WITHY_ERROR_INVALID_HANDLE);
    def.positions.count = 2, def.counts.count = 1;
    for (i = 0; i < n; i++) OK(withy_rods_create(world, &def, &many[i]));
    for (i = 0; i < n; i++) OK(withy_rods_destroy(many[i]));
    OK(withy_context_destroy(context));
    free(many);
    free(two);
    free(x);
}

/* A million strands of two vertices. */
static void crowd(uint32_t n) {
    float *x = calloc(6 * (size_t)n, sizeof *x);
    uint32_t *two = malloc(n * sizeof *two), i;
    WithyContext context;
    WithyWorld world;
    WithyRods rods;
    WithyRodsDef def;
    WithyStepStats stats;
    for (i = 0; i < n; i++) two[i] = 2, x[6 * i] = (float)i, x[6 * i + 3] = (float)i, x[6 * i + 4] = 0.1f;
    OK(withy_context_create(NULL, &context));
    OK(withy_world_create(context, NULL, &world));
    OK(withy_rods_def_init(&def));
    def.positions = f32(x, 2 * (uint64_t)n);
    def.counts = u32(two, n);
    def.radius = 0.01;
    def.root = WITHY_SUPPORT_PINNED;
    OK(withy_rods_create(world, &def, &rods));
    OK(withy_world_step(world, 1.0 / 60.0));
    OK(withy_world_read_stats(world, &stats));
    EXPECT(stats.non_finite_strands == 0 && stats.largest_strain < 0.1);
    OK(withy_context_destroy(context));
    free(x);
    free(two);
}

/* Too little memory is an error, not the end of the process. */
#ifdef __linux__
static void hunger(void) {
    const uint32_t n = 4000000;
    float *x = calloc(3 * (size_t)n, sizeof *x);
    uint32_t all[1], i, mebibytes;
    WithyContext context;
    WithyWorld world;
    WithyRods rods;
    WithyRodsDef def;
    struct rlimit before, tight;
    unsigned long pages = 0;
    int refused = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file != NULL && fscanf(file, "%lu", &pages) == 1);
    if (file != NULL) fclose(file);
    all[0] = n;
    for (i = 0; i < n; i++) x[3 * (size_t)i] = 1e-3f * (float)i;
    OK(withy_context_create(NULL, &context));
    OK(withy_world_create(context, NULL, &world));
    OK(withy_rods_def_init(&def));
    def.positions = f32(x, n);
    def.counts = u32(all, 1);
    def.radius = 0.01;
    getrlimit(RLIMIT_AS, &before);
    for (mebibytes = 64; mebibytes < 4096; mebibytes *= 2) {
        int32_t result;
        tight = before;
        tight.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)mebibytes << 20);
        setrlimit(RLIMIT_AS, &tight);
        result = withy_rods_create(world, &def, &rods);
        setrlimit(RLIMIT_AS, &before);
        EXPECT(result == WITHY_OK || result == WITHY_ERROR_OUT_OF_MEMORY);
        refused += result != WITHY_OK;
        if (result == WITHY_OK) break;
    }
    EXPECT(refused > 1);
    OK(withy_context_destroy(context));
    free(x);
}
#endif

int main(int argc, char **argv) {
    /* Under valgrind "few" is enough. */
    int few = argc > 1 && strcmp(argv[1], "few") == 0;
    shapes();
    limits();
    motion();
    strain_of_the_dead();
    unaligned();
    runners();
    if (!few) {
        destruction();
        ties(100000);
#ifdef __linux__
        hunger();
#endif
        crowd(1000000);
    }
    printf("hostile: %d checks, %d failed\n", checks, failures);
    return failures != 0;
}
