/* Render hair, from C: the example of docs/render_hair.md, and what it refuses. */

#include "checks.h"
#include "withy_render_hair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GUIDES 9
#define VERTICES 8
#define PER_GUIDE 20

static float guides[GUIDES][VERTICES][3];
static uint32_t counts[GUIDES];

int main(void) {
    WithyContext context;
    WithyWorld world;
    WithyRods rods;
    WithyRodsDef def;
    WithyRenderHair hair, again = {0};
    WithyRenderHairDef hair_def;
    WithyRenderHairLodDef lod;
    WithySpan out = {NULL, 0, 0, WITHY_FORMAT_F32, 0}, tangents = {NULL, 0, 0, WITHY_FORMAT_F32, 0};
    WithySpan strands = {NULL, 0, 0, WITHY_FORMAT_U32, 0}, widths = {NULL, 0, 0, WITHY_FORMAT_F32, 0};
    float *now, *before, *ways, *wide;
    uint64_t n, few, size = 0, i;
    void *file;
    int g, v;
    for (g = 0; g < GUIDES; g++) {
        counts[g] = VERTICES;
        for (v = 0; v < VERTICES; v++) {
            guides[g][v][0] = 0.02f * (float)(g % 3) + 0.02f * (float)v;
            guides[g][v][2] = 0.02f * (float)(g / 3);
        }
    }
    OK(withy_context_create(NULL, &context));
    OK(withy_world_create(context, NULL, &world));
    OK(withy_rods_def_init(&def));
    def.positions = f32(guides, GUIDES * VERTICES);
    def.counts = u32(counts, GUIDES);
    def.radius = 2e-4;
    def.root = WITHY_SUPPORT_CLAMPED;
    OK(withy_rods_create(world, &def, &rods));

    OK(withy_render_hair_def_init(&hair_def));
    EXPECT(hair_def.clump == 0.3 && hair_def.shorten == 0.1 && hair_def.per_guide == 0);
    hair_def.rods = &rods, hair_def.rods_count = 1;
    EXPECT(withy_render_hair_create(world, &hair_def, &hair) == WITHY_ERROR_INVALID_ARGUMENT);
    hair_def.per_guide = PER_GUIDE;
    OK(withy_render_hair_create(world, &hair_def, &hair));
    OK(withy_render_hair_read(hair, NULL, &out, NULL));
    n = out.count;
    EXPECT(n == GUIDES * VERTICES * PER_GUIDE);
    now = malloc((size_t)n * 12), before = malloc((size_t)n * 12), ways = malloc((size_t)n * 12), wide = malloc((size_t)n * 4);
    out.data = before;
    OK(withy_render_hair_read(hair, NULL, &out, NULL));
    /* The first of each guide is the guide. */
    for (g = 0; g < GUIDES; g++) {
        EXPECT(fabsf(before[3 * (size_t)(g < 1 ? 0 : g * PER_GUIDE * VERTICES)] - guides[g][0][0]) < 1e-6f);
    }
    for (i = 0; i < 60; i++) OK(withy_world_step(world, 1.0 / 60.0));
    out.data = now, tangents.data = ways, tangents.count = n;
    OK(withy_render_hair_read(hair, NULL, &out, &tangents));
    for (i = 0; i < n; i++) {
        const float *t = ways + 3 * i;
        EXPECT(fabsf(t[0] * t[0] + t[1] * t[1] + t[2] * t[2] - 1) < 1e-4f);
        /* Roots are held, tips hang. */
        if (i % VERTICES == 0) EXPECT(fabsf(now[3 * i + 1]) < 1e-3f);
        if (i % VERTICES == VERTICES - 1) EXPECT(now[3 * i + 1] < before[3 * i + 1] - 0.01f);
    }

    OK(withy_render_hair_lod_def_init(&lod));
    EXPECT(lod.strands == 1 && lod.vertices == 1 && lod.width == 1);
    lod.strands = 0.1;
    out.data = NULL;
    OK(withy_render_hair_read(hair, &lod, &out, NULL));
    few = out.count;
    EXPECT(few == n / 10);
    OK(withy_render_hair_read_layout(hair, &lod, &strands, NULL, NULL));
    EXPECT(strands.count == GUIDES * PER_GUIDE / 10);
    widths.data = wide, widths.count = few;
    OK(withy_render_hair_read_layout(hair, &lod, NULL, NULL, &widths));
    EXPECT(fabsf(wide[0] - 7e-4f) < 1e-8f);
    lod.strands = 0;
    EXPECT(withy_render_hair_read(hair, &lod, &out, NULL) == WITHY_ERROR_INVALID_ARGUMENT);

    OK(withy_render_hair_save(hair, NULL, &size));
    file = malloc((size_t)size);
    OK(withy_render_hair_save(hair, file, &size));
    OK(withy_render_hair_load(world, &rods, 1, file, size, &again));
    out.data = before, out.count = n;
    OK(withy_render_hair_read(again, NULL, &out, NULL));
    EXPECT(memcmp(now, before, (size_t)n * 12) == 0);
    EXPECT(withy_render_hair_load(world, &rods, 1, file, size / 2, &again) == WITHY_ERROR_INVALID_ARGUMENT);
    OK(withy_rods_destroy(rods));
    EXPECT(withy_render_hair_read(hair, NULL, &out, NULL) == WITHY_ERROR_INVALID_HANDLE);
    OK(withy_render_hair_destroy(hair));
    EXPECT(withy_render_hair_destroy(hair) == WITHY_ERROR_INVALID_HANDLE);
    free(file), free(now), free(before), free(ways), free(wide);
    OK(withy_context_destroy(context));
    return failures != 0;
}
