/* Muscles, from C: the example of withy_muscle.h, and what it refuses. */

#include "checks.h"
#include "withy_muscle.h"

#include <math.h>
#include <string.h>

#define ARGUMENT(call, words) \
    do { \
        EXPECT((call) == WITHY_ERROR_INVALID_ARGUMENT); \
        EXPECT(strstr(withy_last_error(), words) != NULL); \
    } while (0)

static WithyBody bone(WithyWorld world, double x, double y, uint32_t motion) {
    WithyShapeDef shape;
    WithyBodyDef body;
    WithyBody out;
    OK(withy_shape_def_init(&shape));
    shape.radius = 0.03, shape.mask = 0;
    OK(withy_body_def_init(&body));
    body.shapes = &shape, body.shape_count = 1, body.mass = 1, body.motion = motion;
    body.pose.position.x = x, body.pose.position.y = y;
    OK(withy_body_create(world, &body, &out));
    return out;
}

/* Seven strands from (0, 0.3, 0) down to (0, 0, 0). */
static float points[7 * 9][3];

static void strands(void) {
    int k, v;
    for (k = 0; k < 7; k++) {
        for (v = 0; v < 9; v++) {
            double out = k == 0 ? 0.0 : 0.012, angle = k * 6.283185307179586 / 6;
            points[9 * k + v][0] = (float)(out * cos(angle));
            points[9 * k + v][1] = (float)(0.3 - 0.3 * v / 8);
            points[9 * k + v][2] = (float)(out * sin(angle));
        }
    }
}

/* A weight hangs on a muscle, which lifts it when it is active. */
static void lifts(WithyContext context, uint32_t mode, double most_volume) {
    WithyWorld world;
    WithyBody upper, lower;
    WithyMuscleDef def;
    WithyRods muscle;
    WithyMuscleState hanging, active;
    WithyPose pose;
    double before;
    float values[7 * 8];
    WithySpan span = {NULL, 7 * 8, 0, WITHY_FORMAT_F32, 0};
    int i;
    OK(withy_world_create(context, NULL, &world));
    upper = bone(world, 0, 0.3, WITHY_BODY_KINEMATIC);
    lower = bone(world, 0, 0, WITHY_BODY_DYNAMIC);
    strands();
    OK(withy_muscle_def_init(&def));
    def.positions.data = points, def.positions.count = 63, def.positions.format = WITHY_FORMAT_F32;
    def.strands = 7, def.radius = 0.006, def.mode = mode;
    def.origin = upper, def.insertion = lower, def.origin_tendon = 0.15, def.insertion_tendon = 0.15;
    OK(withy_muscle_create(world, &def, &muscle));
    for (i = 0; i < 180; i++) OK(withy_world_step(world, 1.0 / 60.0));
    OK(withy_muscle_get_state(muscle, &hanging));
    OK(withy_body_get_pose(lower, &pose));
    before = pose.position.y;
    /* Half of the muscle's own weight hangs on it, too. */
    EXPECT(hanging.force > 9.0 && hanging.force < 12.0 && hanging.active_force == 0.0);
    OK(withy_muscle_set_activation(muscle, 0.4));
    span.data = values;
    OK(withy_muscle_read_activations(muscle, &span));
    EXPECT(values[0] == 0.0f && fabs(values[4] - 0.4) < 1e-6);
    /* Until it is at rest: while it moves the force is another one. */
    for (i = 0; i < 360; i++) OK(withy_world_step(world, 1.0 / 60.0));
    OK(withy_muscle_get_state(muscle, &active));
    OK(withy_body_get_pose(lower, &pose));
    EXPECT(pose.position.y > before + 0.01 && active.length < hanging.length - 0.01 && active.active_force > 1.0);
    EXPECT(fabs(active.volume - 1) < most_volume && fabs(active.force - hanging.force) < 0.5);
    OK(withy_body_destroy(lower));
    OK(withy_world_step(world, 1.0 / 60.0));
    OK(withy_rods_destroy(muscle));
    OK(withy_world_destroy(world));
}

static void refuses(WithyContext context) {
    WithyWorld world;
    WithyBody upper;
    WithyMuscleDef def;
    WithyRods muscle;
    WithyMuscleState state;
    OK(withy_world_create(context, NULL, &world));
    upper = bone(world, 0, 0.3, WITHY_BODY_KINEMATIC);
    strands();
    OK(withy_muscle_def_init(&def));
    def.positions.data = points, def.positions.count = 63, def.positions.format = WITHY_FORMAT_F32, def.radius = 0.006;
    def.strands = 5;
    ARGUMENT(withy_muscle_create(world, &def, &muscle), "positions.count is 63");
    def.strands = 0;
    ARGUMENT(withy_muscle_create(world, &def, &muscle), "positions.count is 63");
    def.strands = 7, def.radius = 0;
    ARGUMENT(withy_muscle_create(world, &def, &muscle), "radius is 0");
    def.radius = 0.006, def.poisson_ratio = 0.5;
    ARGUMENT(withy_muscle_create(world, &def, &muscle), "poisson_ratio is 0.5");
    def.poisson_ratio = 0.45, def.shortest = 0.1;
    ARGUMENT(withy_muscle_create(world, &def, &muscle), "shortest is 0.1");
    def.shortest = 0.7, def.origin_tendon = 0.5;
    ARGUMENT(withy_muscle_create(world, &def, &muscle), "origin_tendon is 0.5");
    def.origin_tendon = 0, def.bundle_stiffness = -1;
    ARGUMENT(withy_muscle_create(world, &def, &muscle), "bundle_stiffness is -1");
    def.bundle_stiffness = 1e4, def.mode = 2;
    ARGUMENT(withy_muscle_create(world, &def, &muscle), "mode is 2");
    def.mode = 0, def.origin = upper, def.insertion = upper;
    ARGUMENT(withy_muscle_create(world, &def, &muscle), "insertion is the body");
    def.insertion.bits = 0;
    OK(withy_muscle_create(world, &def, &muscle));
    ARGUMENT(withy_muscle_set_activation(muscle, 1.5), "activation is 1.5");
    ARGUMENT(withy_muscle_set_activation(muscle, NAN), "activation is NaN");
    ARGUMENT(withy_muscle_get_state(muscle, NULL), "state is NULL");
    OK(withy_rods_destroy(muscle));
    EXPECT(withy_muscle_set_activation(muscle, 0.5) == WITHY_ERROR_INVALID_HANDLE);
    EXPECT(withy_muscle_get_state(muscle, &state) == WITHY_ERROR_INVALID_HANDLE);
    OK(withy_world_destroy(world));
}

int main(void) {
    WithyContext context;
    OK(withy_context_create(NULL, &context));
    lifts(context, WITHY_MUSCLE_REST_SHAPE, 0.01);
    lifts(context, WITHY_MUSCLE_HILL, 0.01);
    refuses(context);
    OK(withy_context_destroy(context));
    return failures != 0;
}
