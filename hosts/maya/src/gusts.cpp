// Value noise in four dimensions, in two octaves (K. Perlin, An image synthesizer, 1985; his fade of 2002): smooth, quick, without tables.
#include "gusts.h"

#include <cmath>
#include <cstdint>

namespace withy_maya {

namespace {

std::uint64_t mixed(std::uint64_t x) {
    // Stafford's variant 13 of the finalizer of MurmurHash3.
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Three components in [-1, 1), of 21 bits each.
Vec corner(std::uint64_t bits) {
    Vec v;
    for (int i = 0; i < 3; i++) {
        v[static_cast<std::size_t>(i)] = static_cast<double>(static_cast<std::int64_t>((bits >> (21 * i)) & 0x1fffff) - 0x100000) / 0x100000;
    }
    return v;
}

Vec octave(const std::array<double, 4> &at, std::uint64_t salt) {
    std::uint64_t hash[4][2];
    double weight[4][2];
    for (std::size_t d = 0; d < 4; d++) {
        const double low = std::floor(at[d]), t = at[d] - low;
        const auto cell = static_cast<std::uint64_t>(static_cast<std::int64_t>(low));
        for (std::uint64_t side = 0; side < 2; side++) {
            hash[d][side] = mixed((cell + side) * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u * (d + 1) + salt);
        }
        weight[d][1] = t * t * t * (t * (t * 6 - 15) + 10);
        weight[d][0] = 1 - weight[d][1];
    }
    Vec sum = {0, 0, 0};
    for (std::size_t c = 0; c < 16; c++) {
        const std::size_t x = c & 1, y = c >> 1 & 1, z = c >> 2 & 1, w = c >> 3;
        const std::uint64_t bits = mixed(hash[0][x] + 3 * hash[1][y] + 5 * hash[2][z] + 7 * hash[3][w]);
        sum = sum + corner(bits) * (weight[0][x] * weight[1][y] * weight[2][z] * weight[3][w]);
    }
    return sum;
}

}  // namespace

Vec gust(const Vec &place, double time) {
    const std::array<double, 4> at = {place[0], place[1], place[2], time};
    std::array<double, 4> finer;
    for (std::size_t d = 0; d < 4; d++) {
        if (!(std::fabs(at[d]) < 1e9)) {
            return {0, 0, 0};  // not a number, or out of this world
        }
        finer[d] = 2 * at[d] + 0.5;
    }
    // With the fade f(t), a component of one octave has the variance (1/3) (2 * integral of f^2)^4 = 0.1256, both have 1.25 times that.
    constexpr double SCALE = 1 / 0.68643;
    return (octave(at, 1) + octave(finer, 2) * 0.5) * SCALE;
}

}  // namespace withy_maya
