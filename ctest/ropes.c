/* Cables and rods that are cut, from C: the example of withy_ropes.h, and what it refuses. */

#include "checks.h"
#include "withy_ropes.h"

#include <math.h>
#include <string.h>

static WithyBody ball(WithyWorld world, double x, double y) {
    WithyShapeDef shape;
    WithyBodyDef body;
    WithyBody out;
    OK(withy_shape_def_init(&shape));
    shape.radius = 0.1;
    OK(withy_body_def_init(&body));
    body.shapes = &shape, body.shape_count = 1, body.mass = 5;
    body.pose.position.x = x, body.pose.position.y = y;
    OK(withy_body_create(world, &body, &out));
    return out;
}

static void winch(WithyContext context) {
    WithyWorld world;
    WithyCablePoint points[3];
    WithyCableDef def;
    WithyCable cable;
    WithyCableState state;
    WithyPose pose;
    WithyBody load;
    float way[19][3];
    WithySpan span = {NULL, 19, 0, WITHY_FORMAT_F32, 0};
    int i;
    OK(withy_world_create(context, NULL, &world));
    load = ball(world, 0.2, 0);
    memset(points, 0, sizeof points);
    points[1].position.y = 3;
    points[1].axis.z = -1;
    points[1].radius = 0.2;
    points[2].body = load;
    points[2].position.x = 0.2;
    OK(withy_cable_def_init(&def));
    EXPECT(def.break_force > 1e300 && def.length == 0);
    def.points = points, def.point_count = 3;
    OK(withy_cable_create(world, &def, &cable));
    OK(withy_cable_get_state(cable, &state));
    for (i = 0; i < 60; i++) {
        OK(withy_cable_set_length(cable, state.length -= 0.5 / 60));
        OK(withy_world_step(world, 1.0 / 60.0));
    }
    OK(withy_body_get_pose(load, &pose));
    EXPECT(fabs(pose.position.y - 0.5) < 0.01);
    OK(withy_cable_get_state(cable, &state));
    EXPECT(fabs(state.path - state.length) < 1e-3 && fabs(state.tension - 5 * 9.81) < 3 && state.broken == 0);
    span.data = NULL;
    OK(withy_cable_read_points(cable, &span));
    EXPECT(span.count == 19);
    span.data = way;
    OK(withy_cable_read_points(cable, &span));
    EXPECT(fabs(way[0][1]) < 1e-6 && fabs(hypot(way[9][0], way[9][1] - 3) - 0.2) < 1e-4);

    def.point_count = 1;
    EXPECT(withy_cable_create(world, &def, &cable) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(withy_last_error(), "point_count is 1") != NULL);
    def.point_count = 3;
    points[0].radius = 1;
    EXPECT(withy_cable_create(world, &def, &cable) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(withy_last_error(), "points[0].radius is 1") != NULL);
    points[0].radius = 0;
    points[2].body.bits = 77;
    EXPECT(withy_cable_create(world, &def, &cable) == WITHY_ERROR_INVALID_HANDLE);
    EXPECT(strstr(withy_last_error(), "points[2].body") != NULL);
    EXPECT(withy_cable_set_length(cable, -1) == WITHY_ERROR_INVALID_ARGUMENT);
    OK(withy_body_destroy(load));
    EXPECT(withy_cable_get_state(cable, &state) == WITHY_ERROR_INVALID_HANDLE);
    OK(withy_world_destroy(world));
}

static void cutting(WithyContext context) {
    WithyWorld world;
    WithyRodsDef def;
    WithyRods rope;
    float points[11][3];
    uint32_t count = 11, cuts[10];
    double force = 1e9;
    WithySpan span = {NULL, 11, 0, WITHY_FORMAT_F32, 0};
    WithySpan out = {NULL, 10, 0, WITHY_FORMAT_U32, 0};
    WithySpan bears = {NULL, 1, 0, WITHY_FORMAT_F64, 0};
    int i;
    OK(withy_world_create(context, NULL, &world));
    for (i = 0; i < 11; i++) {
        points[i][0] = points[i][2] = 0;
        points[i][1] = -0.1f * (float)i;
    }
    OK(withy_rope_def_init(context, &def));
    def.positions = span, def.positions.data = points;
    def.counts = out, def.counts.data = &count, def.counts.count = 1;
    def.root = WITHY_SUPPORT_PINNED;
    OK(withy_rods_create(world, &def, &rope));
    OK(withy_rods_set_cut(rope, 6, 1));
    for (i = 0; i < 30; i++) OK(withy_world_step(world, 1.0 / 60.0));
    span.data = points;
    OK(withy_rods_read_positions(rope, &span));
    EXPECT(fabs(points[6][1] + 0.6) < 0.01 && points[7][1] < -1.5);
    out.data = cuts;
    OK(withy_rods_read_cuts(rope, &out));
    EXPECT(out.count == 1 && cuts[0] == 6);
    bears.data = &force;
    OK(withy_rods_set_break_force(rope, &bears));
    OK(withy_rods_set_break_force(rope, NULL));
    force = -1;
    EXPECT(withy_rods_set_break_force(rope, &bears) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(withy_last_error(), "break_force[0] is -1") != NULL);
    EXPECT(withy_rods_set_cut(rope, 10, 1) == WITHY_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(withy_last_error(), "edge is 10") != NULL);
    EXPECT(withy_rods_set_cut(rope, 1, 2) == WITHY_ERROR_INVALID_ARGUMENT);
    OK(withy_world_destroy(world));
}

int main(void) {
    WithyContext context;
    OK(withy_context_create(NULL, &context));
    winch(context);
    cutting(context);
    OK(withy_context_destroy(context));
    return failures != 0;
}
