#include "colliders.h"

#include <string>

#include <maya/MArrayDataHandle.h>
#include <maya/MDataHandle.h>
#include <maya/MStatus.h>

#include "node.h"

namespace withy_maya {

std::uint32_t layer_bit(int layer, const std::string &name) {
    if (layer < 0 || layer >= LAYERS) {
        throw Problem(name + ": " + std::to_string(layer) + " is not within [0, 31]");
    }
    return 1u << layer;
}

void add_rows(Table &table, ColliderAttributes &a, bool layers) {
    const Row rows[] = {
        {&a.collider, "collider", "col", Type::Compound, {0}, NONE, NONE, NONE, "", false, "", "",
         "The shapes to slide on.", true},
        {&a.shape, "colliderShape", "csh", Type::Enum, {0}, NONE, NONE, NONE, "", false, "WithyColliderDef.shape",
         "Plane:Sphere:Capsule:Box:Tapered Capsule", "Everything below a plane, or a shape; their axis is y.", false, "collider"},
        {&a.matrix, "colliderMatrix", "cmx", Type::Matrix, {0}, NONE, NONE, NONE, "", true, "", "",
         "World matrix: where the shape is. Its scale is not used.", false, "collider"},
        {&a.radius, "colliderRadius", "crd", Type::Distance, {1}, 0, NONE, NONE, "cm", false, "WithyColliderDef.radius", "",
         "Radius of spheres and capsules.", false, "collider"},
        {&a.radius_top, "colliderRadiusTop", "crt", Type::Distance, {1}, 0, NONE, NONE, "cm", false, "WithyColliderDef.radius_top", "",
         "Radius of a tapered capsule at its upper end.", false, "collider"},
        {&a.half_height, "colliderHalfHeight", "chh", Type::Distance, {1}, 0, NONE, NONE, "cm", false, "WithyColliderDef.half_height", "",
         "Half the length of a capsule, without its caps.", false, "collider"},
        {&a.half_extents, "colliderHalfExtents", "che", Type::Vector, {1, 1, 1}, NONE, NONE, NONE, "cm", false, "WithyColliderDef.half_extents", "",
         "Half the sides of a box.", false, "collider"},
        {&a.friction, "colliderFriction", "cfr", Type::Double, {0.5}, 0, 1e3, 2, "", false, "WithyColliderDef.friction", "",
         "Coulomb's coefficient; a contact has the geometric mean of both sides.", false, "collider"},
    };
    table.insert(table.end(), std::begin(rows), std::end(rows));
    if (layers) {
        table.push_back({&a.layer, "colliderLayer", "cly", Type::Int, {0}, 0, LAYERS - 1, 8, "", false, "", "",
                         "Curves meet the shape if this is their collisionLayer.", false, "collider"});
    }
}

std::vector<ColliderInput> read_colliders(MDataBlock &data, const ColliderAttributes &a) {
    std::vector<ColliderInput> colliders;
    MStatus status;
    MArrayDataHandle array = data.inputArrayValue(a.collider, &status);
    check(status, "collider");
    const unsigned count = array.elementCount();
    for (unsigned i = 0; i < count; i++) {
        check(array.jumpToArrayElement(i), "collider");
        const MDataHandle handle = array.inputValue(&status);
        check(status, "collider");
        ColliderInput input{array.elementIndex(), withy::ColliderDef()};
        WithyColliderDef &def = input.def;
        def.shape = static_cast<std::uint32_t>(handle.child(a.shape).asShort());
        def.radius = handle.child(a.radius).asDistance().asCentimeters();
        def.radius_top = handle.child(a.radius_top).asDistance().asCentimeters();
        def.half_height = handle.child(a.half_height).asDistance().asCentimeters();
        const double3 &half = handle.child(a.half_extents).asDouble3();
        def.half_extents = {half[0], half[1], half[2]};
        def.friction = handle.child(a.friction).asDouble();
        if (!a.layer.isNull()) {
            def.category = layer_bit(handle.child(a.layer).asInt(), "collider[" + std::to_string(input.element) + "].colliderLayer");
        }
        Parts parts;
        if (!take_apart(handle.child(a.matrix).asMatrix(), parts)) {
            throw Problem("collider[" + std::to_string(input.element) + "].colliderMatrix: is not a number, or flat");
        }
        const Vec &p = parts.position;
        const Quat &q = parts.rotation;
        def.pose = {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}};
        colliders.push_back(input);
    }
    return colliders;
}

void describe(const std::vector<ColliderInput> &colliders, std::vector<double> &key) {
    key.push_back(static_cast<double>(colliders.size()));
    for (const ColliderInput &input : colliders) {
        const WithyColliderDef &d = input.def;
        key.insert(key.end(), {static_cast<double>(input.element), static_cast<double>(d.shape), d.radius, d.radius_top, d.half_height,
                               d.half_extents.x, d.half_extents.y, d.half_extents.z, d.friction, static_cast<double>(d.category)});
    }
}

void append_poses(const std::vector<ColliderInput> &colliders, Inputs &inputs) {
    for (const ColliderInput &input : colliders) {
        const WithyVec3 &p = input.def.pose.position;
        const WithyQuat &q = input.def.pose.rotation;
        inputs.turns.push_back(inputs.values.size() + 3);
        inputs.values.insert(inputs.values.end(), {p.x, p.y, p.z, q.x, q.y, q.z, q.w});
    }
}

std::vector<withy::Collider> make_colliders(WithyWorld world, const std::vector<ColliderInput> &colliders) {
    std::vector<withy::Collider> made;
    for (const ColliderInput &input : colliders) {
        try {
            made.emplace_back(world, input.def);
        } catch (const withy::Error &error) {
            // Which of them it was.
            ColliderAttributes any;
            Table table;
            add_rows(table, any, true);
            const std::string text = error.what();
            std::string name = attribute_of(table, text);
            throw Problem("collider[" + std::to_string(input.element) + "]" + (name.empty() ? "" : "." + name) + ": " + text);
        }
    }
    return made;
}

const double *move_colliders(std::vector<withy::Collider> &colliders, const double *v) {
    for (withy::Collider &collider : colliders) {
        collider.set_pose({{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}});
        v += 7;
    }
    return v;
}

}  // namespace withy_maya
