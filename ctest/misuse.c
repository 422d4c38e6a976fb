/* What a host can do wrong, entry point by entry point: the right code, a text that names the culprit, and a world that has not
 * changed. */
#include "misuse.h"
#include <math.h>
#include <stdio.h>

WithyContext context;
WithyWorld world, other_world;
WithyRods rods, hair, twigs, other_rods;
WithyCollider collider;
WithyMesh mesh, other_mesh;
WithyAttachment attachment, junction;
unsigned char state[16384];
uint64_t state_size;

struct Kind kinds[KINDS] = {
    {"WithyContext", 0, 0}, {"WithyWorld", 0, 0},     {"WithyRods", 0, 0},      {"WithyRods", 0, 0},
    {"WithyCollider", 0, 0}, {"WithyCollider", 0, 0}, {"WithyMesh", 0, 0},      {"WithyMesh", 0, 0},
    {"WithyAttachment", 0, 0}, {"WithyAttachment", 0, 0},
};

uint32_t faces[2][3] = {{0, 1, 2}, {1, 2, 3}};
float corners[4][3] = {{0.3f, -0.1f, -0.1f}, {0.3f, 0.1f, -0.1f}, {0.3f, -0.1f, 0.1f}, {0.3f, 0.1f, 0.1f}};
float points[4][3] = {{0, 0, 0}, {0.1f, 0, 0}, {0.2f, 0, 0}, {0.3f, 0, 0}};
uint32_t counts[1] = {4};

void fail(const char *file, int line, const char *what, int32_t got) {
    failures++;
    printf("%s:%d: %s gave %s: %s\n", file, line, what, withy_result_name(got), withy_last_error());
}

void unchanged(const char *file, int line, const char *what) {
    /* Poses, targets and pins are in a state, and not in the hash. */
    static unsigned char now[sizeof state];
    uint64_t size = sizeof now;
    checks++;
    if (withy_world_save_state(world, now, &size) != WITHY_OK || size != state_size || memcmp(now, state, size) != 0) {
        failures++;
        printf("%s:%d: %s changed the world\n", file, line, what);
    }
}

void refused(const char *file, int line, const char *what, int32_t got, int32_t code, const char *text) {
    checks++;
    if (got != code || strstr(withy_last_error(), text) == NULL) {
        fail(file, line, what, got);
    }
    unchanged(file, line, what);
}

WithyRodsDef rods_def(void) {
    WithyRodsDef def;
    OK(withy_rods_def_init(&def));
    def.positions = f32(points, 4);
    def.counts = u32(counts, 1);
    def.radius = 0.01;
    def.root = WITHY_SUPPORT_CLAMPED;
    return def;
}

WithyColliderDef sphere_def(void) {
    WithyColliderDef def;
    OK(withy_collider_def_init(&def));
    def.shape = WITHY_SHAPE_SPHERE;
    def.radius = 0.1;
    def.pose.position.y = -5;
    return def;
}

int32_t create_context(const WithyContextDef *def) {
    WithyContext c;
    return withy_context_create(def, &c);
}
int32_t create_world(const WithyWorldDef *def) {
    WithyWorld w;
    return withy_world_create(context, def, &w);
}
int32_t create_rods(const WithyRodsDef *def) {
    WithyRods r;
    return withy_rods_create(world, def, &r);
}
int32_t create_collider(const WithyColliderDef *def) {
    WithyCollider c;
    return withy_collider_create(world, def, &c);
}
int32_t create_mesh(const WithyMeshDef *def) {
    WithyMesh m;
    return withy_mesh_create(world, def, &m);
}
int32_t create_triangle(const WithyTriangleAttachmentDef *def) {
    WithyAttachment a;
    return withy_attachment_create_triangle(def, &a);
}
int32_t create_junction(const WithyJunctionDef *def) {
    WithyAttachment a;
    return withy_attachment_create_junction(def, &a);
}

/* Sizes 0, too short, longer with a zero and with a set tail, absurd; next; flags. */
#define BAD_DEF(Type, init_sized, make, create)                                               \
    do {                                                                                      \
        union {                                                                               \
            Type def;                                                                         \
            unsigned char bytes[sizeof(Type) + 16];                                           \
        } u;                                                                                  \
        memset(&u, 0xAA, sizeof u);                                                           \
        ARGUMENT(init_sized(NULL, sizeof(Type)), "def is NULL");                              \
        ARGUMENT(init_sized(&u.def, 0), "struct_size is 0");                                  \
        ARGUMENT(init_sized(&u.def, 15), "struct_size is 15");                                \
        ARGUMENT(init_sized(&u.def, UINT32_MAX), "struct_size is 4294967295");                \
        checks++;                                                                             \
        if (u.bytes[0] != 0xAA) fail(__FILE__, __LINE__, #init_sized " wrote", 0);                      \
        OK(init_sized(&u.def, sizeof(Type)));                                                 \
        checks++;                                                                             \
        if (u.bytes[sizeof(Type)] != 0xAA) fail(__FILE__, __LINE__, #init_sized " wrote too much", 0);  \
        OK(init_sized(&u.def, sizeof u));                                                     \
        checks++;                                                                             \
        if (u.bytes[sizeof(Type)] != 0) fail(__FILE__, __LINE__, #init_sized " left a tail", 0);        \
        u.def = make;                                                                         \
        u.def.struct_size = 0;                                                                \
        ARGUMENT(create(&u.def), "struct_size is 0");                                         \
        u.def.struct_size = 16; /* sizeof less 16 may be an older version's */                \
        ARGUMENT(create(&u.def), "struct_size is ");                                          \
        u.def.struct_size = sizeof(Type) + 1; /* no struct's size: a field would be cut in two */ \
        ARGUMENT(create(&u.def), "a multiple of");                                            \
        u.def.struct_size = 1u << 30;                                                         \
        ARGUMENT(create(&u.def), "struct_size is ");                                          \
        u.def.struct_size = sizeof u;                                                         \
        u.bytes[sizeof u - 1] = 1;                                                            \
        UNSUPPORTED(create(&u.def), "byte ");                                                 \
        u.def.struct_size = sizeof(Type);                                                     \
        u.def.next = &u;                                                                      \
        UNSUPPORTED(create(&u.def), "next");                                                  \
        u.def.next = NULL;                                                                    \
        u.def.flags = 0x80000000u;                                                            \
        UNSUPPORTED(create(&u.def), "flags is 0x80000000");                                   \
        ARGUMENT(create(NULL), "def is NULL");                                                \
    } while (0)

static int32_t create_context_or_null(const WithyContextDef *def) {
    /* NULL is allowed there: all defaults. */
    return def != NULL ? create_context(def) : withy_context_def_init_sized(NULL, sizeof(WithyContextDef));
}
static int32_t create_world_or_null(const WithyWorldDef *def) {
    return def != NULL ? create_world(def) : withy_world_def_init_sized(NULL, sizeof(WithyWorldDef));
}

static WithyContextDef context_def(void) {
    WithyContextDef def;
    withy_context_def_init(&def);
    return def;
}
static WithyWorldDef world_def(void) {
    WithyWorldDef def;
    withy_world_def_init(&def);
    return def;
}
static WithyMeshDef mesh_def(void) {
    WithyMeshDef def;
    withy_mesh_def_init(&def);
    return def;
}
static WithyTriangleAttachmentDef triangle_def(void) {
    WithyTriangleAttachmentDef def;
    withy_triangle_attachment_def_init(&def);
    return def;
}
static WithyJunctionDef junction_def(void) {
    WithyJunctionDef def;
    withy_junction_def_init(&def);
    return def;
}

/* Living and dead handles of every kind: destroyed one by one, and with their world. */
static void set_up(void) {
    WithyRodsDef def;
    WithyColliderDef sphere;
    WithyMeshDef surface = mesh_def();
    WithyTriangleAttachmentDef hold = triangle_def();
    WithyJunctionDef tie = junction_def();
    WithyStrandEnd ends[2] = {{{0}, 0, WITHY_END_ROOT}, {{0}, 1, WITHY_END_TIP}};
    static uint32_t two[2] = {2, 2};
    WithyContext dead_context;
    WithyWorld dead_world;
    WithyRods dead_rods, orphan_rods;
    WithyCollider dead_collider, orphan_collider;
    WithyMesh dead_mesh, orphan_mesh;
    WithyAttachment dead_attachment, orphan_attachment;
    uint64_t good[6];
    size_t i;

    OK(withy_context_create(NULL, &context));
    OK(withy_context_create(NULL, &dead_context));
    OK(withy_world_create(context, NULL, &world));
    OK(withy_world_create(context, NULL, &other_world));
    OK(withy_world_create(dead_context, NULL, &dead_world));
    def = rods_def();
    sphere = sphere_def();
    surface.positions = f32(corners, 4);
    surface.triangles = u32(faces, 2);
    OK(withy_rods_create(world, &def, &dead_rods));
    OK(withy_rods_destroy(dead_rods));
    OK(withy_rods_create(world, &def, &rods));
    OK(withy_rods_create(other_world, &def, &other_rods));
    OK(withy_rods_create(dead_world, &def, &orphan_rods));
    def.root = WITHY_SUPPORT_FREE;
    OK(withy_rods_create(world, &def, &hair));
    OK(withy_collider_create(world, &sphere, &dead_collider));
    OK(withy_collider_destroy(dead_collider));
    OK(withy_collider_create(world, &sphere, &collider));
    OK(withy_collider_create(dead_world, &sphere, &orphan_collider));
    OK(withy_mesh_create(world, &surface, &dead_mesh));
    OK(withy_mesh_destroy(dead_mesh));
    OK(withy_mesh_create(world, &surface, &mesh));
    OK(withy_mesh_create(other_world, &surface, &other_mesh));
    OK(withy_mesh_create(dead_world, &surface, &orphan_mesh));
    hold.end.rods = orphan_rods, hold.end.end = WITHY_END_TIP, hold.mesh = orphan_mesh;
    OK(withy_attachment_create_triangle(&hold, &orphan_attachment));
    hold.end.rods = rods, hold.mesh = mesh, hold.flags = WITHY_ATTACH_CLAMPED;
    OK(withy_attachment_create_triangle(&hold, &dead_attachment));
    OK(withy_attachment_destroy(dead_attachment));
    OK(withy_attachment_create_triangle(&hold, &attachment));
    /* The root of `hair` and the tip of a strand of two vertices. */
    def.counts = u32(two, 2);
    OK(withy_rods_create(world, &def, &ends[1].rods));
    ends[0].rods = hair, twigs = ends[1].rods;
    tie.ends = ends, tie.end_count = 2;
    OK(withy_attachment_create_junction(&tie, &junction));
    OK(withy_context_destroy(dead_context));

    good[0] = context.bits, good[1] = world.bits, good[2] = rods.bits;
    good[3] = collider.bits, good[4] = mesh.bits, good[5] = attachment.bits;
    kinds[0].good = good[0], kinds[1].good = good[1];
    for (i = 2; i < KINDS; i++) kinds[i].good = good[1 + i / 2];
    kinds[0].stale = dead_context.bits, kinds[1].stale = dead_world.bits;
    kinds[2].stale = dead_rods.bits, kinds[3].stale = orphan_rods.bits;
    kinds[4].stale = dead_collider.bits, kinds[5].stale = orphan_collider.bits;
    kinds[6].stale = dead_mesh.bits, kinds[7].stale = orphan_mesh.bits;
    kinds[8].stale = dead_attachment.bits, kinds[9].stale = orphan_attachment.bits;
    OK(withy_world_step(world, 0.01));
    state_size = sizeof state;
    OK(withy_world_save_state(world, state, &state_size));
}

int main(void) {
    WithyContext other_context;
    int i;
    set_up();
    library();
    BAD_DEF(WithyContextDef, withy_context_def_init_sized, context_def(), create_context_or_null);
    BAD_DEF(WithyWorldDef, withy_world_def_init_sized, world_def(), create_world_or_null);
    BAD_DEF(WithyColliderDef, withy_collider_def_init_sized, sphere_def(), create_collider);
    BAD_DEF(WithyRodsDef, withy_rods_def_init_sized, rods_def(), create_rods);
    BAD_DEF(WithyMeshDef, withy_mesh_def_init_sized, mesh_def(), create_mesh);
    BAD_DEF(WithyTriangleAttachmentDef, withy_triangle_attachment_def_init_sized, triangle_def(), create_triangle);
    BAD_DEF(WithyJunctionDef, withy_junction_def_init_sized, junction_def(), create_junction);
    contexts();
    worlds();
    states();
    spans();
    rods_defs();
    rods_calls();
    colliders();
    meshes();
    attachments();
    orphans();
    OK(withy_world_destroy(other_world));
    for (i = 0; i < 3; i++) OK(withy_world_step(world, 0.01));
    OK(withy_context_destroy(context));
    checks++;
    if (withy_context_destroy(context) != WITHY_ERROR_INVALID_HANDLE) fail(__FILE__, __LINE__, "twice", 0);
    /* What is forgotten goes all at once, with its worlds. */
    OK(withy_context_create(NULL, &context));
    OK(withy_world_create(context, NULL, &world));
    OK(withy_context_create(NULL, &other_context));
    OK(withy_context_destroy_all());
    checks += 2;
    if (withy_context_destroy(other_context) != WITHY_ERROR_INVALID_HANDLE) fail(__FILE__, __LINE__, "all", 0);
    if (withy_world_step(world, 0.01) != WITHY_ERROR_INVALID_HANDLE) fail(__FILE__, __LINE__, "all", 1);
    OK(withy_context_destroy_all());
    printf("misuse: %d checks, %d failed\n", checks, failures);
    return failures != 0;
}
