// The little algebra that the nodes need. Rotations are unit quaternions x, y, z, w.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <maya/MMatrix.h>

namespace withy_maya {

using Vec = std::array<double, 3>;
using Quat = std::array<double, 4>;

constexpr Quat IDENTITY = {0, 0, 0, 1};

inline Vec operator+(const Vec &a, const Vec &b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec operator-(const Vec &a, const Vec &b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec operator*(const Vec &a, double s) { return {a[0] * s, a[1] * s, a[2] * s}; }
inline double dot(const Vec &a, const Vec &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec cross(const Vec &a, const Vec &b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const Vec &a) { return std::sqrt(dot(a, a)); }
// A vector of no length stays as it is.
inline Vec unit(const Vec &a) {
    const double l = length(a);
    return l > 0 ? a * (1 / l) : a;
}

inline Quat operator*(const Quat &a, const Quat &b) {
    return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}
inline Quat inverse(const Quat &q) { return {-q[0], -q[1], -q[2], q[3]}; }
inline Vec rotate(const Quat &q, const Vec &v) {
    const Vec axis = {q[0], q[1], q[2]};
    const Vec t = cross(axis, v) * 2;
    return v + t * q[3] + cross(axis, t);
}
inline Quat unit(const Quat &q) {
    const double l = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return {q[0] / l, q[1] / l, q[2] / l, q[3] / l};
}
inline Quat about(const Vec &axis, double angle) {
    const double s = std::sin(angle / 2);
    return {axis[0] * s, axis[1] * s, axis[2] * s, std::cos(angle / 2)};
}

// The shortest turn from one unit vector to another. Opposite vectors: half a turn about some axis across.
Quat shortest(const Vec &from, const Vec &to);

// A matrix of Maya as a rotation, a position, and what is left of scale and shear: linear part = rest * rotation (row vectors).
struct Parts {
    Quat rotation = IDENTITY;
    Vec position = {0, 0, 0};
    double rest[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};
// False if the matrix is not finite or squashes space flat.
bool take_apart(const MMatrix &matrix, Parts &parts);
MMatrix put_together(const Parts &parts);

// How far a line of points has turned about its first point: its first edge exactly, about that edge as well as possible.
Quat turn_of(const Vec *before, const Vec *now, std::size_t count);

}  // namespace withy_maya
