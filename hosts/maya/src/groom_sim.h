// A groom as rods: nothing of Maya in here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <withy.hpp>

#include "colliders.h"
#include "maths.h"
#include "meshes.h"
#include "timeline.h"

namespace withy_maya {

enum PointLock { NoAttach, Base, Tip, BothEnds };

// What makes another world of it if it changes. Lengths of the material in metres, points in scene units.
struct GroomSettings {
    double per_second = 24;
    double metres_per_unit = 0.01;
    double step = 1.0 / 24;
    double young_modulus = 0, shear_modulus = 0, stretch_modulus = 0, density = 0, radius = 0, aspect = 1, collision_radius = 0, viscosity = 0;
    double stiffen = 0;
    int model = 0, iterations = 0, threads = 0, point_lock = Base;
    bool clamp = true, hold = true, collide = true;
    std::vector<double> stiffness_scale, attract_scale;
    std::vector<ColliderInput> colliders;
    std::vector<MeshInput> meshes;

    std::vector<double> key() const;
};

// What may change from frame to frame, beside ends and colliders. Everything in SI units.
struct GroomMotion {
    Vec gravity = {0, -9.81, 0}, wind = {0, 0, 0};
    double damping = 0, drag = 0, friction = 0, time_scale = 1;
    double attract = 0, attract_damping = 1;  // to where the animation has the curves
    int substeps = 8;
};

// What the search for the rest shape has found.
struct HeldShape {
    std::vector<unsigned char> bytes;
    std::size_t held = 0;  // curves that can hold their start pose
};

class Groom {
public:
    // With the strands of the start. `known`: the rest shape that was found for all of this before; NULL: it is looked for.
    Groom(const GroomSettings &settings, const GroomMotion &motion, const std::vector<std::uint32_t> &counts, const std::vector<Vec> &points,
          const HeldShape *known);

    // The points of this frame: the roots, tips and turns that the timeline stores.
    Inputs inputs(const GroomMotion &motion, const std::vector<Vec> &points, const std::vector<ColliderInput> &colliders,
                  const std::vector<MeshInput> &meshes, const Quat *turn) const;
    Machine machine();
    void read(std::vector<Vec> &points) const;
    // Of each edge since the start.
    void read_turns(std::vector<Quat> &turns) const;
    std::string report() const;
    WithyStepStats stats() const { return world_->stats(); }
    std::size_t held() const { return held_; }
    HeldShape shape() const { return {rods_->save_rest_shape(), held_}; }

    const std::vector<std::uint32_t> counts;
    const std::vector<Vec> start;

private:
    void step(const Inputs &inputs, double part);

    GroomSettings settings_;
    withy::Context context_;
    std::optional<withy::World> world_;
    std::optional<withy::Rods> rods_;
    std::vector<withy::Collider> colliders_;
    std::vector<withy::Mesh> meshes_;
    std::vector<Quat> frames_;  // of the start
    std::size_t held_ = 0;
    bool known_ = false;  // the rest shape was given
};

}  // namespace withy_maya
