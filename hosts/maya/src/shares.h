// Curves of which only some are simulated, or only in part: which they are, and the way back into all curves. `shares` are one a vertex,
// or none for 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "maths.h"

namespace withy_maya {

// Of each curve: some of it is simulated.
std::vector<bool> simulated(const std::vector<double> &shares, const std::vector<std::uint32_t> &counts);

// The values of the vertices of these curves alone.
template <class T>
std::vector<T> pick(const std::vector<T> &values, const std::vector<std::uint32_t> &counts, const std::vector<bool> &curves) {
    std::vector<T> out;
    std::size_t at = 0;
    for (std::size_t i = 0; i < counts.size() && !values.empty(); i++) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(at);
        if (curves[i]) {
            out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(counts[i]));
        }
        at += counts[i];
    }
    return out;
}

std::vector<std::uint32_t> pick_counts(const std::vector<std::uint32_t> &counts, const std::vector<bool> &curves);

// How far each edge of the animated curves has turned: as its curve, and from there the shortest way.
std::vector<Quat> animated_turns(const std::vector<Vec> &start, const std::vector<Vec> &now, const std::vector<std::uint32_t> &counts);

// The simulated points of the chosen curves, as far as they are painted, into those of the animation.
void put_points(const std::vector<Vec> &simulated, const std::vector<std::uint32_t> &counts, const std::vector<bool> &curves,
                const std::vector<double> &shares, std::vector<Vec> &points);
// The same of the edges' turns.
void put_turns(const std::vector<Quat> &simulated, const std::vector<std::uint32_t> &counts, const std::vector<bool> &curves,
               const std::vector<double> &shares, std::vector<Quat> &turns);

}  // namespace withy_maya
