// A character as rigid bodies, joints and arcs: nothing of Maya in here but its matrices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <withy.hpp>

#include "colliders.h"
#include "maths.h"
#include "timeline.h"

namespace withy_maya {

struct Bone {
    unsigned element = 0;
    int parent = -1;  // an index, not an element
    bool body = true, kinematic = false;
    double radius = 5;         // scene units
    double mass = 0;           // kg; 0: that of water
    double swing = 0, twist = 0;  // rad
    Vec bind_position = {0, 0, 0};
    Quat bind_rotation = IDENTITY;
};

struct Region {
    unsigned element = 0;
    int first = -1, last = -1;  // indices of bones
    double bend = 0, twist = 0, viscosity = 0;
};

struct RagdollSettings {
    double per_second = 24, metres_per_unit = 0.01;
    bool self_collision = false;
    std::vector<Bone> bones;
    std::vector<Region> regions;
    std::vector<ColliderInput> colliders;

    std::vector<double> key() const;
};

struct RagdollMotion {
    Vec gravity = {0, -9.81, 0};
    double stiffness = 0, damping = 0, weight = 1;
    int substeps = 8, iterations = 4;
};

class Ragdoll {
public:
    // At the release. Without `before`, which is one frame earlier, the character is at rest.
    Ragdoll(const RagdollSettings &settings, const RagdollMotion &motion, const std::vector<Vec> &positions, const std::vector<Quat> &rotations,
            const std::vector<Vec> *before, const std::vector<Quat> *rotations_before);

    static Inputs inputs(const RagdollMotion &motion, const std::vector<Vec> &positions, const std::vector<Quat> &rotations,
                         const std::vector<ColliderInput> &colliders);
    Machine machine();
    // Blended with the animation of this frame.
    void read(const Inputs &animation, std::vector<Vec> &positions, std::vector<Quat> &rotations);
    std::string report() const;

private:
    void step(const Inputs &before, const Inputs &inputs, double part);

    RagdollSettings settings_;
    withy::Context context_;
    std::optional<withy::World> world_;
    std::optional<withy::Ragdolls> ragdolls_;
    std::vector<withy::Collider> colliders_;
};

}  // namespace withy_maya
