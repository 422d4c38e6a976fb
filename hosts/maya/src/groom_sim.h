// A groom as rods: nothing of Maya in here.
#pragma once

#include <array>
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

// What the curves are made of, in SI units.
struct GroomMaterial {
    double young_modulus = 0, shear_modulus = 0, stretch_modulus = 0, density = 0, radius = 0, aspect = 1, collision_radius = 0, viscosity = 0;
};

// A layer that meets nothing.
constexpr int NO_LAYER = -1;

// What makes another world of it if it changes. Points are in scene units.
struct GroomSettings {
    double per_second = 24;
    double metres_per_unit = 0.01;
    double step = 1.0 / 24;
    double stiffen = 0;
    int model = 0, threads = 0, point_lock = Base;
    bool clamp = true, hold = true;
    std::vector<double> stiffness_scale, attract_scale;  // one a vertex, or none
    std::vector<ColliderInput> colliders;
    std::vector<MeshInput> meshes;

    std::vector<double> key() const;
};

// What may change from frame to frame, beside ends and colliders. Everything in SI units.
struct GroomMotion {
    GroomMaterial material;
    Vec gravity = {0, -9.81, 0}, wind = {0, 0, 0};
    double damping = 0, drag = 0, friction = 0, time_scale = 1;
    double noise = 0, noise_size = 0.2;       // gusts: over the speed of the wind, and m
    double attract = 0, attract_damping = 1;  // to where the animation has the curves
    int substeps = 8, iterations = 0;
    int layer = 0;  // the curves meet the colliders and meshes of this one

    // As Inputs begin with.
    std::vector<double> numbers() const;
    // Those which the rest shape depends on.
    std::vector<double> fitted() const;
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
    // What is saved beside the world: how long the gusts have blown, and how far the wind has carried them.
    struct Air {
        double time = 0;
        Vec way = {0, 0, 0};
    };

    void step(const Inputs &inputs, double part);
    std::vector<std::uint8_t> save() const;
    void restore(const std::vector<std::uint8_t> &state);
    // Makes the world and the rods what the numbers of a GroomMotion say.
    void become(const double *numbers);
    void blow(double dt);

    GroomSettings settings_;
    withy::Context context_;
    std::optional<withy::World> world_;
    std::optional<withy::Rods> rods_;
    std::vector<withy::Collider> colliders_;
    std::vector<withy::Mesh> meshes_;
    std::vector<Quat> frames_;  // of the start
    std::vector<double> numbers_;  // of the GroomMotion that the world has, saved beside it
    int layer_ = 0;
    Air air_;
    std::size_t held_ = 0;
    bool known_ = false;  // the rest shape was given
};

}  // namespace withy_maya
