/* A skin over rods, from C: the example of docs/skin.md, and what it refuses. */

#include "checks.h"
#include "withy_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VERTICES 9
#define RINGS 17
#define AROUND 16

static float points[VERTICES][3];
static float tube[RINGS * AROUND][3];
static uint32_t faces[(RINGS - 1) * AROUND * 2][3];

static void shapes(void) {
    int i, k, n = 0;
    for (i = 0; i < VERTICES; i++) points[i][0] = 0.05f * (float)i;
    for (i = 0; i < RINGS; i++) {
        for (k = 0; k < AROUND; k++) {
            double a = 6.283185307179586 * k / AROUND;
            uint32_t v = (uint32_t)(i * AROUND + k), w = (uint32_t)(i * AROUND + (k + 1) % AROUND);
            tube[v][0] = 0.025f * (float)i, tube[v][1] = (float)(0.04 * cos(a)), tube[v][2] = (float)(0.04 * sin(a));
            if (i + 1 == RINGS) continue;
            faces[n][0] = v, faces[n][1] = w, faces[n++][2] = w + AROUND;
            faces[n][0] = v, faces[n][1] = w + AROUND, faces[n++][2] = v + AROUND;
        }
    }
}

int main(void) {
    uint32_t count = VERTICES;
    WithyContext context;
    WithyWorld world;
    WithyRods rods;
    WithyRodsDef def;
    WithySkin skin, again = {0};
    WithySkinDef skin_def;
    static float now[RINGS * AROUND][3], before[RINGS * AROUND][3];
    WithySpan out = {NULL, 0, 0, WITHY_FORMAT_F32, 0};
    uint64_t size = 0;
    void *file;
    int i;
    shapes();
    OK(withy_context_create(NULL, &context));
    OK(withy_world_create(context, NULL, &world));
    OK(withy_rods_def_init(&def));
    def.positions = f32(points, VERTICES);
    def.counts = u32(&count, 1);
    def.radius = 0.03;
    def.root = WITHY_SUPPORT_CLAMPED;
    OK(withy_rods_create(world, &def, &rods));

    OK(withy_skin_def_init(&skin_def));
    EXPECT(skin_def.softness == 0.25 && skin_def.fairing == 0.5);
    skin_def.positions = f32(tube, RINGS * AROUND);
    skin_def.triangles = u32(faces, (RINGS - 1) * AROUND * 2);
    skin_def.rods = &rods, skin_def.rods_count = 1;
    OK(withy_skin_create(world, &skin_def, &skin));
    OK(withy_skin_read_positions(skin, &out));
    EXPECT(out.count == RINGS * AROUND);
    out.data = before;
    OK(withy_skin_read_positions(skin, &out));
    EXPECT(fabs(before[40][1] - tube[40][1]) < 1e-6);
    for (i = 0; i < 60; i++) OK(withy_world_step(world, 1.0 / 60.0));
    out.data = now;
    OK(withy_skin_read_positions(skin, &out));
    /* The root is held, the tip hangs. */
    EXPECT(fabs(now[0][1] - before[0][1]) < 0.01);
    EXPECT(now[RINGS * AROUND - 1][1] < before[RINGS * AROUND - 1][1] - 0.005);

    OK(withy_skin_save(skin, NULL, &size));
    file = malloc((size_t)size);
    OK(withy_skin_save(skin, file, &size));
    OK(withy_skin_load(world, &rods, 1, file, size, &again));
    out.data = before;
    OK(withy_skin_read_positions(again, &out));
    EXPECT(memcmp(now, before, sizeof now) == 0);
    EXPECT(withy_skin_load(world, &rods, 1, file, size / 2, &again) == WITHY_ERROR_INVALID_ARGUMENT);
    free(file);
    OK(withy_rods_destroy(rods));
    EXPECT(withy_skin_read_positions(skin, &out) == WITHY_ERROR_INVALID_HANDLE);
    OK(withy_skin_destroy(skin));
    EXPECT(withy_skin_destroy(skin) == WITHY_ERROR_INVALID_HANDLE);
    OK(withy_context_destroy(context));
    return failures != 0;
}
