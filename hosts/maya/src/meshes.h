// Meshes that curves slide on: skinned heads, clothes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <maya/MDataBlock.h>
#include <maya/MObject.h>
#include <withy.hpp>

#include "attributes.h"
#include "maths.h"
#include "timeline.h"

namespace withy_maya {

struct MeshAttributes {
    MObject mesh, friction, both_sides, layer;
};

void add_rows(Table &table, MeshAttributes &attributes);

struct MeshInput {
    unsigned element;
    std::vector<Vec> points;  // of this frame, in world space
    std::vector<std::array<std::uint32_t, 3>> triangles;
    double friction;
    bool both_sides;
    std::uint32_t category;  // a bit
};

std::vector<MeshInput> read_meshes(MDataBlock &data, const MeshAttributes &attributes);

// What makes another world of it if it changes: also where the meshes are, if they are those of the start.
void describe(const std::vector<MeshInput> &meshes, std::vector<double> &key);
bool same_topology(const std::vector<MeshInput> &a, const std::vector<MeshInput> &b);
// The points of a frame.
void append_points(const std::vector<MeshInput> &meshes, Inputs &inputs);
std::vector<withy::Mesh> make_meshes(WithyWorld world, const std::vector<MeshInput> &meshes);
// Moves them to the points of `append_points`; returns where the values go on.
const double *move_meshes(std::vector<withy::Mesh> &made, const std::vector<MeshInput> &meshes, const double *values);

}  // namespace withy_maya
