/* A metre of rubber rope, clamped at one end, swings for a second. */
#include <stdio.h>
#include <withy.h>

int main(void) {
    float points[21][3] = {{0}};
    uint32_t vertices = 21;
    for (int i = 0; i < 21; i++) points[i][0] = 0.05f * (float)i;
    WithyContext context;
    WithyWorld world;
    WithyRods rope;
    WithyRodsDef def;
    withy_rods_def_init(&def);
    def.positions = (WithySpan){points, 21, 0, WITHY_FORMAT_F32, 0};
    def.counts = (WithySpan){&vertices, 1, 0, WITHY_FORMAT_U32, 0};
    def.radius = 0.005;
    def.root = WITHY_SUPPORT_CLAMPED;
    if (withy_context_create(NULL, &context) || withy_world_create(context, NULL, &world) ||
        withy_rods_create(world, &def, &rope)) return printf("%s\n", withy_last_error()), 1;

    for (int frame = 0; frame < 60; frame++) withy_world_step(world, 1.0 / 60.0);
    withy_rods_read_positions(rope, &def.positions);
    printf("tip after 1 s: %.3f %.3f %.3f m\n", points[20][0], points[20][1], points[20][2]);
    return withy_context_destroy(context);
}
