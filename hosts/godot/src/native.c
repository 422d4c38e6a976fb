/* What the nodes ask of withy: in C, so that layouts and defaults are those of the installed header. */
#include <withy.h>

typedef struct NodeDef {
    const float *positions;
    /* As it rests, of the same strands; NULL: as it is. */
    const float *rest;
    const uint32_t *counts;
    uint64_t vertices, strands;
    double radius, density, young_modulus, stretch_modulus, damping, drag, friction;
    double gravity[3];
    uint32_t substeps;
    /* 1: hair, clamped at the roots, that keeps its shape; 0: a rope. */
    uint32_t hair;
    /* 1: the tip is held, too. */
    uint32_t tip;
    uint32_t reserved;
} NodeDef;

typedef struct Node {
    WithyContext context;
    WithyWorld world;
    WithyRods rods;
} Node;

typedef struct NodeCollider {
    /* A WITHY_SHAPE_ value. */
    uint32_t shape, reserved;
    double radius, half_height;
    double half_extents[3];
    double friction;
    /* Position, quaternion xyzw. */
    double pose[7];
} NodeCollider;

static WithySpan floats(const float *data, uint64_t count) {
    WithySpan span = {(void *)data, count, 0, WITHY_FORMAT_F32, 0};
    return span;
}

void node_drop(Node *node) {
    /* Takes all that is in it. */
    if (node->context.bits != 0) withy_context_destroy(node->context);
    node->context.bits = node->world.bits = node->rods.bits = 0;
}

static int32_t made(const NodeDef *def, Node *node) {
    WithyWorldDef world;
    WithyRodsDef rods;
    const WithyVec3 gravity = {def->gravity[0], def->gravity[1], def->gravity[2]};
    const WithySpan counts = {(void *)def->counts, def->strands, 0, WITHY_FORMAT_U32, 0};
    int32_t result = withy_check_version(WITHY_VERSION);
    if (result != WITHY_OK) return result;
    /* Metres, right-handed, Y up: those of Godot. */
    if ((result = withy_context_create(NULL, &node->context)) != WITHY_OK) return result;
    if ((result = withy_world_def_init(&world)) != WITHY_OK) return result;
    world.substeps = def->substeps;
    if ((result = withy_world_create(node->context, &world, &node->world)) != WITHY_OK) return result;
    if ((result = withy_world_set_gravity(node->world, &gravity)) != WITHY_OK) return result;
    result = def->hair ? withy_hair_def_init(node->context, &rods) : withy_rope_def_init(node->context, &rods);
    if (result != WITHY_OK) return result;
    rods.positions = floats(def->positions, def->vertices);
    rods.counts = counts;
    if (def->rest) rods.rest_positions = floats(def->rest, def->vertices), rods.rest_shape = WITHY_REST_FROM_POSE;
    rods.radius = def->radius;
    rods.density = def->density;
    rods.young_modulus = def->young_modulus;
    rods.shear_modulus = def->young_modulus / 2.7;
    if (def->stretch_modulus > 0) rods.stretch_modulus = def->stretch_modulus;
    rods.damping = def->damping;
    rods.drag = def->drag;
    rods.friction = def->friction;
    if (!def->hair) rods.root = WITHY_SUPPORT_PINNED;
    if (def->tip) rods.tip = WITHY_SUPPORT_PINNED;
    return withy_rods_create(node->world, &rods, &node->rods);
}

int32_t node_make(const NodeDef *def, Node *node) {
    int32_t result;
    node->context.bits = node->world.bits = node->rods.bits = 0;
    result = made(def, node);
    if (result != WITHY_OK) node_drop(node);
    return result;
}

/* Where roots and tips go; `turns` and `tips` may be NULL. */
int32_t node_drive(Node *node, const float *roots, const float *turns, const float *tips, uint64_t strands) {
    const WithySpan r = floats(roots, strands), q = floats(turns, strands), t = floats(tips, strands);
    const int32_t result = withy_rods_set_root_poses(node->rods, &r, turns ? &q : NULL, 0);
    return result != WITHY_OK || !tips ? result : withy_rods_set_tip_poses(node->rods, &t, NULL, 0);
}

static WithyPose pose_of(const double *p) {
    const WithyPose pose = {{p[0], p[1], p[2]}, {p[3], p[4], p[5], p[6]}};
    return pose;
}

int32_t node_add_collider(Node *node, const NodeCollider *c, WithyCollider *collider) {
    WithyColliderDef def;
    const int32_t result = withy_collider_def_init(&def);
    if (result != WITHY_OK) return result;
    def.shape = c->shape;
    def.radius = c->radius;
    def.half_height = c->half_height;
    def.half_extents.x = c->half_extents[0];
    def.half_extents.y = c->half_extents[1];
    def.half_extents.z = c->half_extents[2];
    def.friction = c->friction;
    def.pose = pose_of(c->pose);
    return withy_collider_create(node->world, &def, collider);
}

int32_t node_move_collider(const WithyCollider *collider, const NodeCollider *c, uint32_t jumps) {
    const WithyPose pose = pose_of(c->pose);
    return withy_collider_set_pose(*collider, &pose, jumps);
}

int32_t node_drop_collider(const WithyCollider *collider) {
    return withy_collider_destroy(*collider);
}

int32_t node_step(Node *node, double dt) {
    return withy_world_step(node->world, dt);
}

int32_t node_read(const Node *node, float *positions, uint64_t vertices) {
    WithySpan out = floats(positions, vertices);
    return withy_rods_read_positions(node->rods, &out);
}

const char *node_error(void) {
    return withy_last_error();
}
