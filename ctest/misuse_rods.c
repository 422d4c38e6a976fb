/* Spans, descriptions of rods and calls on rods. */
#include "misuse.h"
#include <math.h>
#include <stdio.h>
#include <withy_expert.h>
#include <withy_rest_shape.h>

void spans(void) {
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

void rods_defs(void) {
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
        {offsetof(WithyRodsDef, tip), "tip is 99"},             {offsetof(WithyRodsDef, model), "model is 99"},
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
    def.model = 7;
    ARGUMENT(create_rods(&def), "model is 7");
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
    /* A host of the first release has no model. */
    def = rods_def();
    def.model = 99;
    def.struct_size = offsetof(WithyRodsDef, model);
    OK(withy_rods_create(other_world, &def, &old));
    OK(withy_rods_destroy(old));
    def = rods_def();
    ARGUMENT(withy_rods_create(world, &def, NULL), "rods is NULL");
    BAD_HANDLES(WithyWorld, withy_rods_create(h, &def, &rods));
}

void rods_calls(void) {
    float values[8][4] = {{0}};
    WithyVec3 at = {0, 0, 0};
    WithyPose turn = {{0, 0, 0}, {0, 0, 0, 1}};
    WithyRodsDef def;
    uint64_t count = 0;
    uint32_t order = 0;
    size_t i;
    WithySpan one = f32(values, 1), four = f32(values, 4), rotation = f32(values[1], 1);
    int32_t (*const reads[])(WithyRods, WithySpan *) = {
        withy_rods_read_positions, withy_rods_read_velocities, withy_rods_read_ghosts, withy_rods_read_frames,
        withy_rods_read_twist,     withy_rods_read_strain,     withy_rods_read_darboux,   withy_rods_read_tension,
        withy_rods_read_moments,   withy_rods_read_radii,      withy_rods_read_volumes,
    };
    static const uint64_t sizes[] = {4, 4, 3, 3, 2, 3, 2, 3, 4, 4, 3};
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
    BAD_HANDLES(WithyRods, withy_rods_set_root_transform(h, &turn, 0));
    ARGUMENT(withy_rods_set_root_transform(rods, NULL, 0), "transform is NULL");
    ARGUMENT(withy_rods_set_root_transform(rods, &turn, 2), "teleport is 2");
    turn.position.z = NAN;
    ARGUMENT(withy_rods_set_root_transform(rods, &turn, 0), "transform.position.z is NaN");
    turn.position.z = 1e10;
    ARGUMENT(withy_rods_set_root_transform(rods, &turn, 0), "transform.position.z is 10000000000");
    turn.position.z = 0, turn.rotation.w = 0;
    ARGUMENT(withy_rods_set_root_transform(rods, &turn, 0), "transform.rotation: a quaternion of length 0");
    BAD_HANDLES(WithyContext, withy_hair_def_init(h, &def));
    BAD_HANDLES(WithyContext, withy_rope_def_init(h, &def));
    ARGUMENT(withy_hair_def_init_sized(context, NULL, sizeof def), "def is NULL");
    ARGUMENT(withy_rope_def_init_sized(context, &def, 8), "struct_size is 8");
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
    WithySpan moments = f32(values[0], 3);
    moments.stride = sizeof values[0];
    values[2][0] = -INFINITY;
    ARGUMENT(withy_rods_set_moments(rods, &moments), "moments[2] is -inf: must be finite");
    values[2][0] = -2e9;
    ARGUMENT(withy_rods_set_moments(rods, &moments), "moments[2] is -2000000000: must be finite and at most 1e9");
    values[2][0] = 0;
    moments.count = 4;
    ARGUMENT(withy_rods_set_moments(rods, &moments), "moments.count is 4");
    BAD_HANDLES(WithyRods, withy_rods_set_moments(h, &moments));
    BAD_HANDLES(WithyRods, withy_rods_set_moments(h, NULL));
    OK(withy_rods_set_moments(rods, NULL));
    ARGUMENT(withy_rods_write_positions(rods, &one), "positions.count is 1");
    ARGUMENT(withy_rods_write_velocities(rods, &one), "velocities.count is 1");
    ARGUMENT(withy_rods_write_frames(rods, &one), "frames.count is 1");
    ARGUMENT(withy_rods_write_frames(rods, NULL), "frames is NULL");
    BAD_HANDLES(WithyRods, withy_rods_write_frames(h, &four));
    ARGUMENT(withy_rods_write_positions(rods, NULL), "positions is NULL");
    ARGUMENT(withy_rods_write_velocities(rods, NULL), "velocities is NULL");

    BAD_HANDLES(WithyRods, withy_rods_set_pin(h, 0, &at, 0));
    ARGUMENT(withy_rods_set_pin(rods, 4, &at, 0), "vertex is 4");
    ARGUMENT(withy_rods_set_pin(rods, UINT32_MAX, NULL, 0), "vertex is 4294967295");
    ARGUMENT(withy_rods_set_pin(rods, 1, &at, 7), "teleport is 7");
    {
        uint32_t which[2] = {1, 4};
        double to[2][3] = {{0, 0, 0}, {0, 1, 0}};
        WithySpan vertices = {which, 2, 0, WITHY_FORMAT_U32, 0}, targets = {to, 2, 0, WITHY_FORMAT_F64, 0};
        uint64_t before = 0, after = 0;
        BAD_HANDLES(WithyRods, withy_rods_set_pins(h, &vertices, &targets, 0));
        ARGUMENT(withy_rods_set_pins(rods, NULL, &targets, 0), "vertices is NULL");
        OK(withy_world_state_hash(world, &before));
        ARGUMENT(withy_rods_set_pins(rods, &vertices, &targets, 1), "vertices[1] is 4");
        which[1] = 2;
        ARGUMENT(withy_rods_set_pins(rods, &vertices, &targets, 2), "teleport is 2");
        targets.count = 1;
        ARGUMENT(withy_rods_set_pins(rods, &vertices, &targets, 0), "targets.count is 1");
        targets.count = 2, to[1][2] = NAN;
        ARGUMENT(withy_rods_set_pins(rods, &vertices, &targets, 1), "targets[1].z is NaN");
        vertices.format = WITHY_FORMAT_F32;
        ARGUMENT(withy_rods_set_pins(rods, &vertices, NULL, 0), "vertices.format is 1");
        OK(withy_world_state_hash(world, &after));
        checks++;
        if (before != after) fail(__FILE__, __LINE__, "pins that were refused", 0);
        vertices.format = WITHY_FORMAT_U32, to[1][2] = 0;
        OK(withy_rods_set_pins(rods, &vertices, &targets, 0));
        OK(withy_rods_set_pins(rods, &vertices, NULL, 0));
    }
    {
        double to[4][3] = {{0}}, rate = 10;
        WithySpan targets = {to, 4, 0, WITHY_FORMAT_F64, 0}, rates = {&rate, 1, 0, WITHY_FORMAT_F64, 0};
        BAD_HANDLES(WithyRods, withy_rods_set_goals(h, &targets, &rates, 1));
        ARGUMENT(withy_rods_set_goals(rods, &targets, NULL, 1), "rates is NULL");
        ARGUMENT(withy_rods_set_goals(rods, &targets, &rates, NAN), "damping is NaN");
        ARGUMENT(withy_rods_set_goals(rods, &targets, &rates, -1), "damping is -1");
        rate = 2e4;
        ARGUMENT(withy_rods_set_goals(rods, &targets, &rates, 1), "rates[0] is 20000");
        rate = 10, rates.count = 2;
        ARGUMENT(withy_rods_set_goals(rods, &targets, &rates, 1), "rates.count is 2");
        rates.count = 1, targets.count = 3;
        ARGUMENT(withy_rods_set_goals(rods, &targets, &rates, 1), "targets.count is 3");
        targets.count = 4, to[3][1] = NAN;
        ARGUMENT(withy_rods_set_goals(rods, &targets, &rates, 1), "targets[3].y is NaN");
        to[3][1] = 0;
        OK(withy_rods_set_goals(rods, &targets, &rates, 1));
        OK(withy_rods_set_goals(rods, NULL, NULL, 1));
    }
    {
        WithyRodsDef now, old = {0};
        uint64_t before = 0, after = 0;
        uint32_t on = 2;
        double numbers[16] = {0};
        WithySpan wind = {numbers, 4, 0, WITHY_FORMAT_F64, 0};
        OK(withy_world_state_hash(world, &before));
        OK(withy_rods_def_init(&now));
        BAD_HANDLES(WithyRods, withy_rods_get_def(h, &now));
        BAD_HANDLES(WithyRods, withy_rods_change(h, &now));
        ARGUMENT(withy_rods_get_def(rods, NULL), "def is NULL");
        ARGUMENT(withy_rods_get_def(rods, &old), "struct_size is 0 (use the _init macro)");
        OK(withy_rods_get_def(rods, &now));
        OK(withy_rods_order(rods, &on));
        checks++;
        if (on != WITHY_ORDER_DIRECT || now.order != on) fail(__FILE__, __LINE__, "order", (int32_t)on);
        ARGUMENT(withy_rods_change(rods, NULL), "def is NULL");
        ARGUMENT(withy_rods_change(rods, &old), "struct_size is 0 (use the _init macro)");
        OK(withy_rods_change(rods, &now));
#define CHANGE(field, value, text) do { \
            WithyRodsDef other = now; \
            other.field = value; \
            ARGUMENT(withy_rods_change(rods, &other), text); \
        } while (0)
        CHANGE(young_modulus, NAN, "young_modulus is NaN");
        CHANGE(density, 0, "density is 0");
        CHANGE(radius, -1, "radius is -1");
        CHANGE(friction, -1, "friction is -1");
        CHANGE(iterations, 10001, "iterations is 10001");
        CHANGE(model, WITHY_MODEL_DER, "model is 1, and these rods were made with 0");
        CHANGE(model, 7, "model is 7");
        CHANGE(tip, WITHY_SUPPORT_CLAMPED, "tip is 2, and these rods were made with 0");
        CHANGE(poisson_ratio, 0.4, "poisson_ratio is 0.4");
        CHANGE(flags, WITHY_RODS_SELF_CONTACT, "WITHY_RODS_SELF_CONTACT");
#undef CHANGE
        BAD_HANDLES(WithyRods, withy_rods_set_enabled(h, 0));
        BAD_HANDLES(WithyRods, withy_rods_get_enabled(h, &on));
        ARGUMENT(withy_rods_set_enabled(rods, 2), "enabled is 2");
        ARGUMENT(withy_rods_get_enabled(rods, NULL), "enabled is NULL");
        OK(withy_rods_get_enabled(rods, &on));
        BAD_HANDLES(WithyRods, withy_rods_set_winds(h, &wind));
        BAD_HANDLES(WithyRods, withy_rods_set_accelerations(h, &wind));
        BAD_HANDLES(WithyRods, withy_rods_read_masses(h, &wind));
        BAD_HANDLES(WithyRods, withy_rods_read_root_poses(h, &wind, NULL));
        wind.count = 3;
        ARGUMENT(withy_rods_set_winds(rods, &wind), "winds.count is 3");
        wind.count = 4, numbers[7] = INFINITY;
        ARGUMENT(withy_rods_set_winds(rods, &wind), "winds[2].y is");
        ARGUMENT(withy_rods_set_accelerations(rods, &wind), "accelerations[2].y is");
        numbers[7] = 0;
        OK(withy_rods_set_winds(rods, &wind));
        OK(withy_rods_set_winds(rods, NULL));
        OK(withy_rods_set_accelerations(rods, NULL));
        OK(withy_rods_read_masses(rods, &wind));
        OK(withy_world_state_hash(world, &after));
        checks++;
        if (on != 1 || before != after) fail(__FILE__, __LINE__, "changes that were refused", 0);
    }
    BAD_HANDLES(WithyRods, withy_rods_teleport(h, &turn));
    ARGUMENT(withy_rods_teleport(rods, NULL), "transform is NULL");
    ARGUMENT(withy_rods_teleport(rods, &turn), "transform.rotation: a quaternion of length 0");
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
        if (out.count != sizes[i]) fail(__FILE__, __LINE__, "count", 0);
        out = f32(values, 1);
        refused(__FILE__, __LINE__, "small", reads[i](rods, &out), WITHY_ERROR_TOO_SMALL, "out.count is 1");
        out = f32(values, 8), out.format = WITHY_FORMAT_U32;
        ARGUMENT(reads[i](rods, &out), "out.format is 3");
        out = f32(values, 8), out.stride = 3;
        ARGUMENT(reads[i](rods, &out), "out.stride is 3");
        out = f32(values, UINT64_MAX);
        ARGUMENT(reads[i](rods, &out), "out.count is 18446744073709551615");
    }
    BAD_HANDLES(WithyRods, withy_rods_read_counts(h, &one));
    ARGUMENT(withy_rods_read_counts(rods, &one), "out.format is 1");
    BAD_HANDLES(WithyRods, withy_rods_order(h, &order));
    ARGUMENT(withy_rods_order(rods, NULL), "order is NULL");
    BAD_HANDLES(WithyRods, withy_rods_read_report(h, NULL, &count));
    ARGUMENT(withy_rods_read_report(rods, NULL, NULL), "count is NULL");
}
