// The shapes that rods and bodies slide on: the same compound array at two nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <maya/MDataBlock.h>
#include <maya/MObject.h>
#include <withy.hpp>

#include "attributes.h"
#include "maths.h"
#include "timeline.h"

namespace withy_maya {

struct ColliderAttributes {
    MObject collider, shape, matrix, radius, radius_top, half_height, half_extents, friction, layer;
};

constexpr int LAYERS = 32;
// As bits: that of `layer` alone. `name` is for a layer that there is not.
std::uint32_t layer_bit(int layer, const std::string &name);

// With `layers`: each collider has one, for rods that meet those of one layer.
void add_rows(Table &table, ColliderAttributes &attributes, bool layers);

struct ColliderInput {
    unsigned element;
    WithyColliderDef def;  // the pose is that of this frame
};

std::vector<ColliderInput> read_colliders(MDataBlock &data, const ColliderAttributes &attributes);

// What makes another world of it if it changes.
void describe(const std::vector<ColliderInput> &colliders, std::vector<double> &key);
// Poses of a frame.
void append_poses(const std::vector<ColliderInput> &colliders, Inputs &inputs);
std::vector<withy::Collider> make_colliders(WithyWorld world, const std::vector<ColliderInput> &colliders);
// Moves them; returns where the values go on.
const double *move_colliders(std::vector<withy::Collider> &colliders, const double *values);

}  // namespace withy_maya
