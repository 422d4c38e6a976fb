/* Assets, from C: the rest shape of a strand in a file of named chunks, and what is refused. */

#include "checks.h"
#include "withy_asset.h"
#include "withy_rest_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float points[16][3];
static uint32_t counts[1] = {16};

static WithyRods bristle(WithyWorld world) {
    WithyRodsDef def;
    WithyRods rods = {0};
    OK(withy_rods_def_init(&def));
    def.positions = f32(points, 16), def.counts = u32(counts, 1);
    def.radius = 4e-4, def.young_modulus = 4e9, def.shear_modulus = 1.5e9, def.root = WITHY_SUPPORT_CLAMPED;
    OK(withy_rods_create(world, &def, &rods));
    return rods;
}

int main(void) {
    static const char settings[] = "{\"radius\": 4e-4}";
    WithyContext context;
    WithyWorld world;
    WithyRods found, again;
    WithyAssetChunk chunks[2] = {{0}}, read[2];
    WithySpan a, b;
    double lengths[2][15];
    uint64_t shape_size = 0, size = 0, count = 2;
    char *shape, *file;
    int i;
    for (i = 0; i < 16; i++) points[i][0] = 0.01f * (float)i;
    OK(withy_context_create(NULL, &context));
    OK(withy_world_create(context, NULL, &world));
    found = bristle(world), again = bristle(world);
    OK(withy_rods_optimize_rest_shape(found, NULL));
    OK(withy_rods_save_rest_shape(found, NULL, &shape_size));
    shape = malloc((size_t)shape_size);
    OK(withy_rods_save_rest_shape(found, shape, &shape_size));

    chunks[0].name = "settings", chunks[0].format = WITHY_ASSET_TEXT, chunks[0].version = 1;
    chunks[0].data = settings, chunks[0].size = sizeof settings - 1;
    chunks[1].name = "hair/rest_shape", chunks[1].data = shape, chunks[1].size = shape_size;
    OK(withy_asset_write(chunks, 2, NULL, &size));
    file = malloc((size_t)size);
    OK(withy_asset_write(chunks, 2, file, &size));
    OK(withy_asset_read(file, size, read, &count));
    EXPECT(count == 2 && strcmp(read[1].name, "hair/rest_shape") == 0 && read[1].size == shape_size);
    EXPECT(read[0].format == WITHY_ASSET_TEXT && memcmp(read[0].data, settings, sizeof settings - 1) == 0);
    OK(withy_rods_load_rest_shape(again, read[1].data, read[1].size));
    a = f32(lengths[0], 15), b = f32(lengths[1], 15);
    a.format = b.format = WITHY_FORMAT_F64;
    OK(withy_rods_read_rest_lengths(found, &a));
    OK(withy_rods_read_rest_lengths(again, &b));
    EXPECT(memcmp(lengths[0], lengths[1], sizeof lengths[0]) == 0 && fabs(lengths[0][0] - 0.01) > 1e-12);

    count = 1;
    EXPECT(withy_asset_read(file, size, read, &count) == WITHY_ERROR_TOO_SMALL && count == 2);
    file[size - 9] ^= 1;
    EXPECT(withy_asset_read(file, size, read, &count) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(withy_last_error(), "asset: chunk 1 \"hair/rest_shape\" at byte 80: the checksum is") != NULL);
    EXPECT(withy_rods_load_rest_shape(again, shape, shape_size / 2) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(withy_rods_load_rest_shape(again, settings, sizeof settings) == WITHY_ERROR_INVALID_ARGUMENT);
    free(shape);
    free(file);
    OK(withy_context_destroy(context));
    return failures != 0;
}
