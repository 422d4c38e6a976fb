#include "meshes.h"

#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include <maya/MArrayDataHandle.h>
#include <maya/MDataHandle.h>
#include <maya/MFnMesh.h>
#include <maya/MIntArray.h>
#include <maya/MPoint.h>
#include <maya/MPointArray.h>
#include <maya/MStatus.h>

#include "colliders.h"
#include "node.h"

namespace withy_maya {

namespace {

std::string name_of(unsigned element) { return "collisionMesh[" + std::to_string(element) + "]"; }

// 64 bits of all numbers (FNV-1a), as two numbers that a double holds.
template <class T>
void digest(const std::vector<T> &numbers, std::vector<double> &key) {
    static_assert(sizeof(T) % 4 == 0, "read in words");
    std::uint64_t sum = 0xcbf29ce484222325u;
    const auto *bytes = reinterpret_cast<const unsigned char *>(numbers.data());
    for (std::size_t at = 0; at < numbers.size() * sizeof(T); at += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes + at, 4);
        sum = (sum ^ word) * 0x100000001b3u;
    }
    key.insert(key.end(), {static_cast<double>(numbers.size()), static_cast<double>(sum >> 32), static_cast<double>(sum & 0xffffffffu)});
}

}  // namespace

void add_rows(Table &table, MeshAttributes &a) {
    const Row rows[] = {
        {&a.mesh, "collisionMesh", "cms", Type::Mesh, {0}, NONE, NONE, NONE, "", true, "", "",
         "The meshes to slide on, in world space: connect worldMesh[0] of each. They may move and bend; their triangles stay those of the "
         "start. Only their front is felt.",
         true},
        {&a.friction, "collisionMeshFriction", "cmf", Type::Double, {0.5}, 0, 1e3, 2, "", false, "WithyMeshDef.friction", "",
         "Coulomb's coefficient of these meshes; a contact has the geometric mean of both sides."},
        {&a.both_sides, "collisionMeshBothSides", "cmb", Type::Bool, {0}, NONE, NONE, NONE, "", false, "", "",
         "On: the meshes are felt from both sides, as cloth. A curve stays on the side on which it starts."},
        {&a.layer, "collisionMeshLayer", "cml", Type::Int, {0}, 0, LAYERS - 1, 8, "", false, "", "",
         "Curves meet these meshes if this is their collisionLayer."},
    };
    table.insert(table.end(), std::begin(rows), std::end(rows));
}

std::vector<MeshInput> read_meshes(MDataBlock &data, const MeshAttributes &a) {
    std::vector<MeshInput> meshes;
    MStatus status;
    MArrayDataHandle array = data.inputArrayValue(a.mesh, &status);
    check(status, "collisionMesh");
    const double friction = read_double(data, a.friction, "collisionMeshFriction");
    const bool both_sides = read_bool(data, a.both_sides, "collisionMeshBothSides");
    const std::uint32_t category = layer_bit(read_int(data, a.layer, "collisionMeshLayer"), "collisionMeshLayer");
    const unsigned count = array.elementCount();
    for (unsigned i = 0; i < count; i++) {
        check(array.jumpToArrayElement(i), "collisionMesh");
        const unsigned element = array.elementIndex();
        MObject object = array.inputValue(&status).asMeshTransformed();
        if (!status || object.isNull()) {
            continue;  // nothing is connected there
        }
        const std::string which = name_of(element);
        const MFnMesh fn(object, &status);
        check(status, which.c_str());
        MPointArray points;
        MIntArray counts, corners;
        check(fn.getPoints(points), which.c_str());
        check(fn.getTriangles(counts, corners), which.c_str());
        if (points.length() == 0 || corners.length() == 0) {
            continue;
        }
        MeshInput input{element, {}, {}, friction, both_sides, category};
        input.points.reserve(points.length());
        for (unsigned v = 0; v < points.length(); v++) {
            const MPoint &p = points[v];
            if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
                throw Problem(which + ": vertex " + std::to_string(v) + " is not a number");
            }
            input.points.push_back({p.x, p.y, p.z});
        }
        for (unsigned k = 0; k + 2 < corners.length(); k += 3) {
            const auto corner = [&](unsigned i) { return static_cast<std::uint32_t>(corners[k + i]); };
            input.triangles.push_back({corner(0), corner(1), corner(2)});
        }
        meshes.push_back(std::move(input));
    }
    return meshes;
}

void describe(const std::vector<MeshInput> &meshes, std::vector<double> &key) {
    key.push_back(static_cast<double>(meshes.size()));
    for (const MeshInput &mesh : meshes) {
        key.insert(key.end(), {static_cast<double>(mesh.element), mesh.friction, mesh.both_sides ? 1.0 : 0.0, static_cast<double>(mesh.category)});
        digest(mesh.triangles, key);
        digest(mesh.points, key);
    }
}

bool same_topology(const std::vector<MeshInput> &a, const std::vector<MeshInput> &b) {
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); i++) {
        same = a[i].element == b[i].element && a[i].points.size() == b[i].points.size() && a[i].triangles == b[i].triangles;
    }
    return same;
}

void append_points(const std::vector<MeshInput> &meshes, Inputs &inputs) {
    for (const MeshInput &mesh : meshes) {
        for (const Vec &p : mesh.points) {
            inputs.values.insert(inputs.values.end(), {p[0], p[1], p[2]});
        }
    }
}

std::vector<withy::Mesh> make_meshes(WithyWorld world, const std::vector<MeshInput> &meshes) {
    std::vector<withy::Mesh> made;
    for (const MeshInput &mesh : meshes) {
        withy::MeshDef def;
        def.flags = WITHY_MESH_COLLIDES | (mesh.both_sides ? WITHY_MESH_BOTH_SIDES : 0u);
        def.positions = withy::span(mesh.points);
        def.triangles = withy::span(mesh.triangles);
        def.friction = mesh.friction;
        def.category = mesh.category;
        try {
            made.emplace_back(world, def);
        } catch (const withy::Error &error) {
            throw Problem(name_of(mesh.element) + ": " + error.what());
        }
    }
    return made;
}

const double *move_meshes(std::vector<withy::Mesh> &made, const std::vector<MeshInput> &meshes, const double *values) {
    for (std::size_t i = 0; i < made.size(); i++) {
        const std::size_t count = meshes[i].points.size();
        made[i].set_positions(withy::span(values, count, 3 * sizeof(double)));
        values += 3 * count;
    }
    return values;
}

}  // namespace withy_maya
