#include "maths.h"

namespace withy_maya {

Quat shortest(const Vec &from, const Vec &to) {
    const double c = dot(from, to);
    if (c < -1 + 1e-12) {
        const Vec other = std::fabs(from[0]) < 0.6 ? Vec{1, 0, 0} : Vec{0, 1, 0};
        const Vec axis = unit(cross(from, other));
        return {axis[0], axis[1], axis[2], 0};
    }
    const Vec axis = cross(from, to);
    return unit(Quat{axis[0], axis[1], axis[2], 1 + c});
}

bool take_apart(const MMatrix &matrix, Parts &parts) {
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < 4; j++) {
            if (!std::isfinite(matrix(i, j))) {
                return false;
            }
        }
    }
    const auto row = [&](unsigned i) { return Vec{matrix(i, 0), matrix(i, 1), matrix(i, 2)}; };
    // Axes made orthogonal from x on, as Maya's own decomposition does.
    const Vec x = unit(row(0));
    Vec y = unit(row(1) - x * dot(row(1), x));
    const Vec z = cross(x, y);
    if (!(std::fabs(length(x) - 1) < 1e-9) || !(std::fabs(length(y) - 1) < 1e-9) || !(length(row(2)) > 0)) {
        return false;
    }
    const Vec axes[3] = {x, y, z};
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned j = 0; j < 3; j++) {
            parts.rest[i][j] = dot(row(i), axes[j]);
        }
    }
    parts.position = row(3);
    // x, y, z are the columns of the rotation for column vectors.
    const double trace = x[0] + y[1] + z[2];
    Quat q;
    if (trace > 0) {
        q = {y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace};
    } else if (x[0] >= y[1] && x[0] >= z[2]) {
        q = {1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2], y[2] - z[1]};
    } else if (y[1] >= z[2]) {
        q = {x[1] + y[0], 1 + y[1] - x[0] - z[2], y[2] + z[1], z[0] - x[2]};
    } else {
        q = {z[0] + x[2], y[2] + z[1], 1 + z[2] - x[0] - y[1], x[1] - y[0]};
    }
    parts.rotation = unit(q);
    return true;
}

MMatrix put_together(const Parts &parts) {
    MMatrix matrix;
    const Vec axes[3] = {rotate(parts.rotation, {1, 0, 0}), rotate(parts.rotation, {0, 1, 0}), rotate(parts.rotation, {0, 0, 1})};
    for (unsigned i = 0; i < 3; i++) {
        const Vec row = axes[0] * parts.rest[i][0] + axes[1] * parts.rest[i][1] + axes[2] * parts.rest[i][2];
        for (unsigned j = 0; j < 3; j++) {
            matrix(i, j) = row[j];
        }
    }
    for (unsigned j = 0; j < 3; j++) {
        matrix(3, j) = parts.position[j];
    }
    return matrix;
}

Quat turn_of(const Vec *before, const Vec *now, std::size_t count) {
    if (count < 2) {
        return IDENTITY;
    }
    const Vec from = unit(before[1] - before[0]), to = unit(now[1] - now[0]);
    if (!(length(from) > 0.5) || !(length(to) > 0.5)) {
        return IDENTITY;
    }
    const Quat bend = shortest(from, to);
    // The angle about `to` that brings the points, seen along it, nearest to where they are now.
    double sine = 0, cosine = 0, size = 0;
    for (std::size_t i = 2; i < count; i++) {
        const Vec a = rotate(bend, before[i] - before[0]), b = now[i] - now[0];
        const Vec across_a = a - to * dot(a, to), across_b = b - to * dot(b, to);
        sine += dot(cross(across_a, across_b), to);
        cosine += dot(across_a, across_b);
        size += length(a) * length(b);
    }
    // A straight line does not show how it is turned about itself.
    if (!(std::hypot(sine, cosine) > 1e-8 * size)) {
        return bend;
    }
    return about(to, std::atan2(sine, cosine)) * bend;
}

}  // namespace withy_maya
