// What is painted on curves: numbers a vertex or a curve, and ramps along each curve.
#pragma once

#include <cstdint>
#include <vector>

#include <maya/MDataBlock.h>
#include <maya/MObject.h>

#include "maths.h"

namespace withy_maya {

// One number a vertex, of one a vertex or one a curve; none if none are given. All of them within [least, most].
std::vector<double> read_painted(MDataBlock &data, const MObject &attribute, const char *name, const std::vector<std::uint32_t> &counts,
                                 double least, double most);

// An entry holds up to the next one.
struct RampEntry {
    double position, value;
    int interpolation;  // MRampAttribute::MInterpolation
};
using Ramp = std::vector<RampEntry>;  // in the order of their positions; none: 1 everywhere

// Values within [least, most].
Ramp read_ramp(MDataBlock &data, const MObject &attribute, const char *name, double least, double most);
double value_at(const Ramp &ramp, double position);

// Multiplies the scales (none: 1) by the ramp at how far along its curve each vertex is: 0 at its first, 1 at its last.
void multiply_along(const Ramp &ramp, const std::vector<std::uint32_t> &counts, const std::vector<Vec> &points, std::vector<double> &scales);

}  // namespace withy_maya
