/* An animated character is handed over to physics in mid-stride, falls, and is given back. */
#include <math.h>
#include <stdio.h>
#include <withy_ragdoll.h>

enum { PELVIS, SPINE1, SPINE2, CHEST, HEAD, BONES };
#define NONE UINT32_MAX

/* The animation: bends forward and walks along z. World poses of the bones, t in seconds. */
static void animate(double t, double x[BONES][3], double q[BONES][4]) {
    double y = 1, z = 1.5 * t;
    for (int b = 0; b < BONES; b++) {
        double a = b * 0.1 * t, length = b == HEAD ? 0.25 : 0.15;
        if (b > 0) y += length * cos(a), z += length * sin(a);
        x[b][0] = 0, x[b][1] = y, x[b][2] = z;
        q[b][0] = sin(a / 2), q[b][1] = 0, q[b][2] = 0, q[b][3] = cos(a / 2);
    }
}

int main(void) {
    WithyContext context;
    WithyWorld world;
    WithyColliderDef floor;
    WithyCollider ground;
    withy_collider_def_init(&floor); /* a plane, facing up */
    if (withy_context_create(NULL, &context) || withy_world_create(context, NULL, &world) ||
        withy_collider_create(world, &floor, &ground)) return printf("%s\n", withy_last_error()), 1;

    /* Bones in the bind pose, relative to their parents. */
    uint32_t parents[BONES] = {NONE, PELVIS, SPINE1, SPINE2, CHEST};
    double bind[BONES][3] = {{0, 1, 0}, {0, 0.15, 0}, {0, 0.15, 0}, {0, 0.15, 0}, {0, 0.25, 0}}, turns[BONES][4] = {{0}};
    for (int b = 0; b < BONES; b++) turns[b][3] = 1;

    /* Three bodies; the head on a ball joint whose axis d3 points up, from pelvis to chest one arc. */
    WithyShapeDef shape;
    WithyBodyDef body;
    WithyJointDef neck;
    WithyRagdollBodyDef bodies[3];
    WithyRegionDef spine;
    withy_shape_def_init(&shape);
    shape.radius = 0.1;
    withy_body_def_init(&body);
    body.shapes = &shape, body.shape_count = 1;
    withy_joint_def_init(&neck);
    neck.kind = WITHY_JOINT_BALL;
    neck.frame_b.position.y = -0.1;
    neck.frame_b.rotation = (WithyQuat){-sqrt(0.5), 0, 0, sqrt(0.5)};
    neck.swing[0] = neck.swing[1] = 0.6, neck.twist[0] = -0.8, neck.twist[1] = 0.8;
    for (int i = 0; i < 3; i++) {
        withy_ragdoll_body_def_init(&bodies[i]);
        bodies[i].bone = i == 0 ? PELVIS : i == 1 ? CHEST : HEAD;
        bodies[i].body = &body;
        bodies[i].joint = i == 2 ? &neck : NULL;
    }
    withy_region_def_init(&spine);
    spine.first = 0, spine.last = 1;
    spine.arc.bend[0] = spine.arc.bend[1] = 20, spine.arc.twist = 15; /* EI and GJ, N m^2 */

    WithyRagdollDef def;
    WithyRagdolls people;
    withy_ragdoll_def_init(&def);
    def.parents = (WithySpan){parents, BONES, 0, WITHY_FORMAT_U32, 0};
    def.positions = (WithySpan){bind, BONES, 0, WITHY_FORMAT_F64, 0};
    def.rotations = (WithySpan){turns, BONES, 0, WITHY_FORMAT_F64, 0};
    def.bodies = bodies, def.body_count = 3;
    def.regions = &spine, def.region_count = 1;
    if (withy_ragdolls_create(world, &def, 1, &people)) return printf("%s\n", withy_last_error()), 1;

    double x[BONES][3], q[BONES][4], x0[BONES][3], q0[BONES][4], out[BONES][3], dt = 1.0 / 60;
    WithySpan now = {x, BONES, 0, WITHY_FORMAT_F64, 0}, now_q = {q, BONES, 0, WITHY_FORMAT_F64, 0};
    WithySpan before = {x0, BONES, 0, WITHY_FORMAT_F64, 0}, before_q = {q0, BONES, 0, WITHY_FORMAT_F64, 0};
    WithySpan bones = {out, BONES, 0, WITHY_FORMAT_F64, 0};
    for (int frame = 0; frame < 240; frame++) {
        animate(frame * dt, x, q);
        if (frame == 30) { /* shot: the poses of now and of the frame before give the velocities */
            animate((frame - 1) * dt, x0, q0);
            if (withy_ragdolls_instantiate(people, NULL, WITHY_ALL, &now, &now_q, &before, &before_q, dt, 0)) return printf("%s\n", withy_last_error()), 1;
        }
        if (frame == 150) withy_ragdolls_fade(people, NULL, WITHY_ALL, 0, 0.5); /* back to the animation within half a second */
        withy_world_step(world, dt);
        withy_ragdolls_advance(people, dt);
        uint64_t alive = 0;
        withy_ragdolls_list(people, NULL, &alive);
        double head = x[HEAD][1];
        if (alive) {
            withy_ragdolls_read(people, NULL, WITHY_ALL, &now, &now_q, NULL, &bones, NULL); /* all bones, those of the spine along the arc */
            head = out[HEAD][1];
        }
        if (frame == 180) withy_ragdolls_remove(people, NULL, WITHY_ALL);
        if (frame % 30 == 0) printf("%.1f s: head at %.2f m\n", frame * dt, head);
    }
    return withy_context_destroy(context);
}
