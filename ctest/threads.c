/* Threads: a world that is in use answers BUSY, worlds do not wait for each other, callbacks may re-enter, bits stay equal. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <withy_expert.h>

enum { STRANDS = 400, VERTICES = 16 };

static int failures;

static void expect(int fact, const char *what) {
    if (!fact) {
        failures++;
        printf("threads: %s (%s)\n", what, withy_last_error());
    }
}

static float points[STRANDS][VERTICES][3];
static uint32_t counts[STRANDS];

static WithyWorld make_world(WithyContext context, WithyRods *rods) {
    WithyWorld world = {0};
    WithyRodsDef def;
    WithySpan positions = {NULL, STRANDS * VERTICES, 0, WITHY_FORMAT_F32, 0};
    WithySpan lengths = {NULL, STRANDS, 0, WITHY_FORMAT_U32, 0};
    int s, v;
    for (s = 0; s < STRANDS; s++) {
        counts[s] = VERTICES;
        for (v = 0; v < VERTICES; v++) {
            points[s][v][0] = 0.02f * (float)v;
            points[s][v][2] = 0.01f * (float)s;
        }
    }
    positions.data = points;
    lengths.data = counts;
    withy_rods_def_init(&def);
    def.positions = positions;
    def.counts = lengths;
    def.radius = 0.002;
    def.root = WITHY_SUPPORT_CLAMPED;
    expect(withy_world_create(context, NULL, &world) == WITHY_OK, "world");
    expect(withy_rods_create(world, &def, rods) == WITHY_OK, "rods");
    return world;
}

/* Two threads on one world: each call is done or BUSY, and both get through. */
struct worker {
    WithyWorld world;
    WithyRods rods;
    int done, busy, wrong;
};

static void *hammer(void *argument) {
    struct worker *w = argument;
    while (w->done < 60 && w->wrong == 0) {
        WithySpan count = {NULL, 0, 0, 0, 0};
        int32_t results[2];
        int k;
        results[0] = withy_world_step(w->world, 1.0 / 60.0);
        results[1] = withy_rods_read_positions(w->rods, &count);
        for (k = 0; k < 2; k++) {
            w->done += results[k] == WITHY_OK;
            w->busy += results[k] == WITHY_ERROR_BUSY;
            w->wrong += results[k] != WITHY_OK && results[k] != WITHY_ERROR_BUSY;
        }
    }
    return NULL;
}

static void one_world(void) {
    WithyContext context;
    struct worker w[2];
    pthread_t threads[2];
    WithyStepStats stats;
    int i;
    memset(w, 0, sizeof w);
    withy_context_create(NULL, &context);
    w[0].world = make_world(context, &w[0].rods);
    w[1] = w[0];
    for (i = 0; i < 2; i++) pthread_create(&threads[i], NULL, hammer, &w[i]);
    for (i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    expect(w[0].wrong + w[1].wrong == 0, "two threads on one world: only OK and BUSY");
    expect(withy_world_read_stats(w[0].world, &stats) == WITHY_OK && stats.steps > 0, "the world lives on");
    printf("threads: one world, two threads: %d calls done, %d busy\n", w[0].done + w[1].done, w[0].busy + w[1].busy);
    withy_context_destroy(context);
}

/* Two worlds at once on one pool: as if alone. */
static void *step_60(void *argument) {
    struct worker *w = argument;
    int i;
    for (i = 0; i < 60; i++) w->wrong += withy_world_step(w->world, 1.0 / 60.0) != WITHY_OK;
    return NULL;
}

static uint64_t reference;

static void hashes(WithyWorld world, const char *what) {
    uint64_t hash = 0;
    expect(withy_world_state_hash(world, &hash) == WITHY_OK, "hash");
    if (reference == 0) reference = hash;
    expect(hash == reference, what);
}

static void two_worlds(uint32_t workers) {
    WithyContext context;
    WithyContextDef def;
    struct worker w[2];
    pthread_t threads[2];
    int i;
    memset(w, 0, sizeof w);
    withy_context_def_init(&def);
    def.threads = workers;
    expect(withy_context_create(&def, &context) == WITHY_OK, "context");
    for (i = 0; i < 2; i++) w[i].world = make_world(context, &w[i].rods);
    for (i = 0; i < 2; i++) pthread_create(&threads[i], NULL, step_60, &w[i]);
    for (i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (i = 0; i < 2; i++) {
        expect(w[i].wrong == 0, "two worlds do not disturb each other");
        hashes(w[i].world, "the same bits with any number of workers");
    }
    expect(withy_context_destroy(context) == WITHY_OK, "destroy");
}

/* A host's workers that call back into the library while the world is being stepped. */
struct host {
    WithyContext context;
    WithyWorld world, other;
    int calls, wrong;
};

struct job {
    void (*task)(void *task_data, uint32_t index);
    void *task_data;
    uint32_t first, count;
};

static void *half(void *argument) {
    struct job *job = argument;
    uint32_t i;
    for (i = job->first; i < job->count; i += 2) job->task(job->task_data, i);
    return NULL;
}

static void run(void *user, void (*task)(void *task_data, uint32_t index), void *task_data, uint32_t count) {
    struct host *host = user;
    struct job jobs[2];
    pthread_t thread;
    uint64_t hash;
    int i;
    for (i = 0; i < 2; i++) {
        jobs[i].task = task;
        jobs[i].task_data = task_data;
        jobs[i].first = (uint32_t)i;
        jobs[i].count = count;
    }
    host->calls++;
    host->wrong += withy_world_step(host->world, 0.01) != WITHY_ERROR_BUSY;
    host->wrong += withy_world_state_hash(host->world, &hash) != WITHY_ERROR_BUSY;
    host->wrong += withy_world_destroy(host->world) != WITHY_ERROR_BUSY;
    host->wrong += withy_context_destroy(host->context) != WITHY_ERROR_BUSY;
    host->wrong += withy_world_state_hash(host->other, &hash) != WITHY_OK;
    pthread_create(&thread, NULL, half, &jobs[1]);
    half(&jobs[0]);
    pthread_join(thread, NULL);
}

static void callbacks(void) {
    WithyContextDef def;
    WithyTaskCallbacks tasks;
    WithyRods rods;
    struct host host;
    int i;
    memset(&host, 0, sizeof host);
    tasks.user = &host;
    tasks.run = run;
    withy_context_def_init(&def);
    def.tasks = &tasks;
    expect(withy_context_create(&def, &host.context) == WITHY_OK, "context with callbacks");
    host.world = make_world(host.context, &rods);
    host.other = make_world(host.context, &rods);
    for (i = 0; i < 60; i++) expect(withy_world_step(host.world, 1.0 / 60.0) == WITHY_OK, "step");
    expect(host.calls > 0 && host.wrong == 0, "re-entering calls are BUSY, others work");
    hashes(host.world, "the same bits with the host's workers");
    expect(withy_context_destroy(host.context) == WITHY_OK, "destroy");
}

int main(void) {
    one_world();
    two_worlds(0);
    two_worlds(1);
    two_worlds(3);
    callbacks();
    printf(failures == 0 ? "threads: passed\n" : "threads: FAILED\n");
    return failures != 0;
}
