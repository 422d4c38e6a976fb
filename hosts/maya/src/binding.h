// Points that follow rods. Nothing of Maya in here.
#pragma once

#include <cstdint>
#include <vector>

#include "maths.h"

namespace withy_maya {

// Each point follows the nearest places of some curves. At such a place the motion of three edges is blended with the weights of
// a quadratic B-spline, so that it is smooth along the curve.
class Binding {
public:
    // `points` and `base` in the same space. `drop` 0: no limit.
    void bind(const std::vector<Vec> &points, const std::vector<std::uint32_t> &counts, const std::vector<Vec> &base, unsigned curves,
              double drop);
    // Where the points are when the curves are at `now` and their edges have turned by `turns`.
    void deform(const std::vector<Vec> &points, const std::vector<Vec> &now, const std::vector<Quat> &turns, std::vector<Vec> &out) const;

    // What `bind` has found, as plain numbers.
    struct Numbers {
        std::vector<std::uint32_t> ties;  // vertex and edge of each
        std::vector<double> weights;      // one a tie
        std::vector<std::uint32_t> first;  // of each point, and the end
        std::vector<double> strength;     // one a point
    };
    Numbers numbers() const;
    // False: these are no numbers of so many points and of these curves. The binding is empty then.
    bool restore(const Numbers &numbers, std::size_t points, const std::vector<std::uint32_t> &counts, const std::vector<Vec> &base);

private:
    struct Tie {
        std::uint32_t vertex;  // the first one of the edge
        std::uint32_t edge;    // the number of the edge among all
        double weight;
    };
    std::vector<Tie> ties_;
    std::vector<std::size_t> first_;  // of each point, and the end
    std::vector<double> strength_;    // 1, less towards the drop-off
    std::vector<Vec> base_;
};

// Turns of edges from two shapes alone: each edge turns the shortest way from where the one before it has brought it.
std::vector<Quat> turns_of(const std::vector<std::uint32_t> &counts, const std::vector<Vec> &base, const std::vector<Vec> &now);

}  // namespace withy_maya
