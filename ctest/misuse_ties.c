/* What rods touch and hang on: colliders, meshes, attachments. */
#include "misuse.h"
#include <math.h>

void colliders(void) {
    WithyColliderDef def = sphere_def();
    WithyPose pose = def.pose;
    BAD_HANDLES(WithyWorld, withy_collider_create(h, &def, &collider));
    ARGUMENT(withy_collider_create(world, &def, NULL), "collider is NULL");
    def.radius = -1;
    ARGUMENT(create_collider(&def), "radius is -1");
    def.radius = NAN;
    ARGUMENT(create_collider(&def), "radius is NaN");
    def = sphere_def(), def.shape = 5;
    ARGUMENT(create_collider(&def), "shape is 5");
    def = sphere_def(), def.shape = WITHY_SHAPE_CAPSULE, def.half_height = -2;
    ARGUMENT(create_collider(&def), "half_height is -2");
    def = sphere_def(), def.shape = WITHY_SHAPE_BOX, def.half_extents.x = 1, def.half_extents.y = 1;
    ARGUMENT(create_collider(&def), "half_extents.z is 0");
    def.half_extents.z = NAN;
    ARGUMENT(create_collider(&def), "half_extents.z is NaN");
    def = sphere_def(), def.pose.rotation.w = 3;
    ARGUMENT(create_collider(&def), "pose.rotation: a quaternion of length 3");
    def = sphere_def(), def.pose.position.x = NAN;
    ARGUMENT(create_collider(&def), "pose.position.x is NaN");
    def = sphere_def(), def.friction = -1;
    ARGUMENT(create_collider(&def), "friction is -1");
    def = sphere_def(), def.reserved = 1;
    UNSUPPORTED(create_collider(&def), "reserved is 1");

    BAD_HANDLES(WithyCollider, withy_collider_destroy(h));
    BAD_HANDLES(WithyCollider, withy_collider_set_pose(h, &pose, 0));
    BAD_HANDLES(WithyCollider, withy_collider_get_pose(h, &pose));
    ARGUMENT(withy_collider_set_pose(collider, NULL, 0), "pose is NULL");
    ARGUMENT(withy_collider_get_pose(collider, NULL), "pose is NULL");
    ARGUMENT(withy_collider_set_pose(collider, &pose, 2), "teleport is 2");
    pose.position.y = INFINITY;
    ARGUMENT(withy_collider_set_pose(collider, &pose, 0), "pose.position.y is inf");
}

void meshes(void) {
    uint32_t triangles[2][3] = {{0, 1, 2}, {1, 2, 3}};
    float inv_masses[4] = {1, 1, 1, 1};
    WithySpan positions = f32(points, 4), out = f32(NULL, 0), few = f32(points, 3);
    WithyMeshDef def;
    WithyMesh m;
    OK(withy_mesh_def_init(&def));
    ARGUMENT(create_mesh(&def), "positions.data is NULL");
    def.positions = positions;
    ARGUMENT(create_mesh(&def), "triangles.data is NULL");
    def.triangles = f32(triangles, 2);
    ARGUMENT(create_mesh(&def), "triangles.format is 1");
    def.triangles = u32(triangles, 2);
    BAD_HANDLES(WithyWorld, withy_mesh_create(h, &def, &m));
    ARGUMENT(withy_mesh_create(world, &def, NULL), "mesh is NULL");
    def.edge_compliance = -1;
    ARGUMENT(create_mesh(&def), "edge_compliance is -1");
    def.edge_compliance = 0;
    def.drag = NAN;
    ARGUMENT(create_mesh(&def), "drag is NaN");
    def.drag = 0;
    inv_masses[3] = NAN;
    def.inv_masses = f32(inv_masses, 4);
    ARGUMENT(create_mesh(&def), "inv_masses[3] is NaN");
    def.inv_masses = f32(inv_masses, UINT64_C(1) << 40);
    ARGUMENT(create_mesh(&def), "inv_masses.count is 1099511627776");
    def.inv_masses = f32(inv_masses, 3);
    ARGUMENT(create_mesh(&def), "inv_masses.count is 3");
    inv_masses[2] = -1;
    def.inv_masses = f32(inv_masses, 4);
    inv_masses[3] = 1;
    ARGUMENT(create_mesh(&def), "inv_masses[2] is -1");
    inv_masses[2] = 1;
    triangles[1][1] = 4;
    ARGUMENT(create_mesh(&def), "triangles[1][1] is 4");
    triangles[1][1] = 2;
    def.extra_edges = u32(faces, 3);
    faces[0][1] = 9;
    ARGUMENT(create_mesh(&def), "extra_edges[0] is [0, 9]");
    faces[0][1] = 1;
    ARGUMENT(withy_mesh_set_positions(mesh, NULL, 0), "positions is NULL");
    ARGUMENT(withy_mesh_set_positions(mesh, &few, 0), "positions.count is 3");
    ARGUMENT(withy_mesh_set_positions(mesh, &positions, 2), "teleport is 2");
    points[3][1] = NAN;
    ARGUMENT(withy_mesh_set_positions(mesh, &positions, 1), "positions[3].y is NaN");
    points[3][1] = 0;
    ARGUMENT(withy_mesh_read_positions(mesh, NULL), "out is NULL");
    ARGUMENT(withy_mesh_read_corrections(mesh, NULL), "out is NULL");
    refused(__FILE__, __LINE__, "small", withy_mesh_read_positions(mesh, &few), WITHY_ERROR_TOO_SMALL, "out.count is 3");
    few.count = 3;
    refused(__FILE__, __LINE__, "small", withy_mesh_read_corrections(mesh, &few), WITHY_ERROR_TOO_SMALL, "out.count is 3");
    BAD_HANDLES(WithyMesh, withy_mesh_destroy(h));
    BAD_HANDLES(WithyMesh, withy_mesh_set_positions(h, &positions, 0));
    BAD_HANDLES(WithyMesh, withy_mesh_read_positions(h, &out));
    BAD_HANDLES(WithyMesh, withy_mesh_read_corrections(h, &out));
}

void attachments(void) {
    WithyTriangleAttachmentDef def;
    WithyJunctionDef tie;
    WithyStrandEnd ends[2];
    OK(withy_triangle_attachment_def_init(&def));
    HANDLE(create_triangle(&def), "end.rods: rods: the handle is null");
    BAD_HANDLES(WithyRods, (def.end.rods = h, def.mesh = mesh, create_triangle(&def)));
    def.end.rods = twigs;
    BAD_HANDLES(WithyMesh, (def.mesh = h, create_triangle(&def)));
    def.end.rods = rods, def.end.end = WITHY_END_TIP;
    def.mesh = other_mesh;
    HANDLE(create_triangle(&def), "mesh: 0x");
    HANDLE(create_triangle(&def), "in another world");
    def.mesh = mesh;
    ARGUMENT(withy_attachment_create_triangle(&def, NULL), "attachment is NULL");
    ARGUMENT(create_triangle(&def), "end: the tip of strand 0 is attached already");
    def.end.end = WITHY_END_ROOT;
    ARGUMENT(create_triangle(&def), "end: the root of strand 0 is held by the host");
    def.end.end = 2;
    ARGUMENT(create_triangle(&def), "end.end is 2");
    def.end.rods = hair, def.end.end = WITHY_END_TIP, def.end.strand = 1;
    ARGUMENT(create_triangle(&def), "end: strand is 1");
    def.end.strand = 0, def.triangle = 2;
    ARGUMENT(create_triangle(&def), "triangle is 2");
    def.triangle = 0, def.barycentric[1] = NAN;
    ARGUMENT(create_triangle(&def), "barycentric[1] is NaN");
    def.barycentric[1] = 0.5;
    ARGUMENT(create_triangle(&def), "barycentric is [");
    def.barycentric[0] = 1e300, def.barycentric[1] = -1e300;
    ARGUMENT(create_triangle(&def), "barycentric");
    def.reserved = 1;
    UNSUPPORTED(create_triangle(&def), "reserved is 1");

    OK(withy_junction_def_init(&tie));
    ARGUMENT(create_junction(&tie), "ends is NULL");
    memset(ends, 0, sizeof ends);
    tie.ends = ends;
    tie.end_count = 1;
    ARGUMENT(create_junction(&tie), "end_count is 1");
    tie.end_count = UINT32_MAX;
    ARGUMENT(create_junction(&tie), "end_count is 4294967295");
    tie.end_count = 2;
    HANDLE(create_junction(&tie), "ends[0].rods: rods: the handle is null");
    ends[0].rods = hair, ends[0].end = WITHY_END_TIP;
    HANDLE(create_junction(&tie), "ends[1].rods: rods: the handle is null");
    BAD_HANDLES(WithyRods, (ends[1].rods = h, create_junction(&tie)));
    ends[1].rods = other_rods;
    HANDLE(create_junction(&tie), "ends[1].rods: 0x");
    HANDLE(create_junction(&tie), "in another world");
    ends[1].rods = hair;
    ends[1].end = 2;
    ARGUMENT(create_junction(&tie), "ends[1].end is 2");
    ends[1].end = WITHY_END_TIP;
    ARGUMENT(create_junction(&tie), "ends[1] is the same end");
    ends[1].end = WITHY_END_ROOT;
    ARGUMENT(create_junction(&tie), "ends[1]: the root of strand 0 is attached already");
    ends[1].rods = rods, ends[1].end = WITHY_END_ROOT;
    ARGUMENT(create_junction(&tie), "ends[1]: the root of strand 0 is held by the host");
    ends[1].rods = twigs, ends[1].strand = 2;
    ARGUMENT(create_junction(&tie), "ends[1]: strand is 2");
    ends[1].strand = 0;
    tie.radius = NAN;
    ARGUMENT(create_junction(&tie), "radius is NaN");
    tie.radius = -1;
    ARGUMENT(create_junction(&tie), "radius is -1");
    tie.radius = 0;
    tie.mass = INFINITY;
    ARGUMENT(create_junction(&tie), "mass is inf");
    tie.mass = -1;
    ARGUMENT(create_junction(&tie), "mass is -1");
    ARGUMENT(withy_attachment_create_junction(&tie, NULL), "attachment is NULL");
    BAD_HANDLES(WithyAttachment, withy_attachment_destroy(h));
}

/* What an attachment holds goes first: the attachment goes with it, and the rest can be stepped. */
void orphans(void) {
    OK(withy_world_step(world, 0.01));
    OK(withy_mesh_destroy(mesh));
    checks++;
    if (withy_attachment_destroy(attachment) != WITHY_ERROR_INVALID_HANDLE) fail(__FILE__, __LINE__, "outlived its mesh", 0);
    OK(withy_world_step(world, 0.01));
    OK(withy_rods_destroy(hair));
    checks++;
    if (withy_attachment_destroy(junction) != WITHY_ERROR_INVALID_HANDLE) fail(__FILE__, __LINE__, "outlived its rods", 0);
    OK(withy_world_step(world, 0.01));
}
