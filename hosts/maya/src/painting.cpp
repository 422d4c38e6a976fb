#include "painting.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <maya/MArrayDataHandle.h>
#include <maya/MDataHandle.h>
#include <maya/MDoubleArray.h>
#include <maya/MFnAttribute.h>
#include <maya/MFnCompoundAttribute.h>
#include <maya/MFnDoubleArrayData.h>
#include <maya/MRampAttribute.h>
#include <maya/MStatus.h>

#include "node.h"

namespace withy_maya {

namespace {

void within(double value, const std::string &which, double least, double most) {
    if (!(value >= least && value <= most)) {
        throw Problem(which + ": " + short_number(value) + " is not within [" + short_number(least) + ", " + short_number(most) + "]");
    }
}

}  // namespace

std::vector<double> read_painted(MDataBlock &data, const MObject &attribute, const char *name, const std::vector<std::uint32_t> &counts,
                                 double least, double most) {
    std::vector<double> scales;
    MStatus status;
    MObject painted = data.inputValue(attribute, &status).data();
    check(status, name);
    if (painted.isNull()) {
        return scales;
    }
    MFnDoubleArrayData fn(painted, &status);
    check(status, name);
    const MDoubleArray values = fn.array();
    const std::size_t n = values.length();
    std::size_t points = 0;
    for (const std::uint32_t count : counts) {
        points += count;
    }
    if (n != 0 && n != points && n != counts.size()) {
        throw Problem(std::string(name) + ": has " + std::to_string(n) + " values; " + std::to_string(points) + " (one a vertex) or " +
                      std::to_string(counts.size()) + " (one a curve) are needed");
    }
    for (unsigned i = 0; i < n; i++) {
        within(values[i], std::string(name) + "[" + std::to_string(i) + "]", least, most);
    }
    for (std::size_t strand = 0, at = 0; n != 0 && strand < counts.size(); strand++) {
        for (std::uint32_t v = 0; v < counts[strand]; v++, at++) {
            scales.push_back(values[static_cast<unsigned>(n == points ? at : strand)]);
        }
    }
    return scales;
}

Ramp read_ramp(MDataBlock &data, const MObject &attribute, const char *name, double least, double most) {
    // The children that MRampAttribute has made, in whatever order.
    MObject ramp_attribute = attribute, position, value, interpolation;
    const MFnCompoundAttribute compound(ramp_attribute);
    for (unsigned i = 0; i < compound.numChildren(); i++) {
        MObject child = compound.child(i);
        const std::string full = MFnAttribute(child).name().asChar();
        const std::string kind = full.substr(std::min(full.size(), full.rfind('_')));
        (kind == "_Position" ? position : kind == "_Interp" ? interpolation : value) = child;
    }
    MStatus status;
    MArrayDataHandle array = data.inputArrayValue(attribute, &status);
    check(status, name);
    Ramp ramp;
    const unsigned count = array.elementCount();
    for (unsigned i = 0; i < count; i++) {
        check(array.jumpToArrayElement(i), name);
        const MDataHandle handle = array.inputValue(&status);
        check(status, name);
        const RampEntry entry = {static_cast<double>(handle.child(position).asFloat()), static_cast<double>(handle.child(value).asFloat()),
                                 handle.child(interpolation).asShort()};
        const std::string which = std::string(name) + "[" + std::to_string(array.elementIndex()) + "]." + name;
        within(entry.position, which + "_Position", 0, 1);
        within(entry.value, which + "_FloatValue", least, most);
        ramp.push_back(entry);
    }
    std::stable_sort(ramp.begin(), ramp.end(), [](const RampEntry &a, const RampEntry &b) { return a.position < b.position; });
    return ramp;
}

double value_at(const Ramp &ramp, double position) {
    if (ramp.empty()) {
        return 1;
    }
    const auto after = std::upper_bound(ramp.begin(), ramp.end(), position, [](double p, const RampEntry &e) { return p < e.position; });
    if (after == ramp.begin() || after == ramp.end()) {
        return after == ramp.end() ? ramp.back().value : ramp.front().value;
    }
    const RampEntry &a = *(after - 1), &b = *after;
    const double t = (position - a.position) / (b.position - a.position), all = b.value - a.value;
    switch (a.interpolation) {
        case MRampAttribute::kNone: return a.value;
        case MRampAttribute::kSmooth: return a.value + all * t * t * (3 - 2 * t);
        case MRampAttribute::kSpline: {
            // Catmull and Rom's, with the ends doubled. It may swing beyond the entries, but not below 0.
            const double before = (after - 1 == ramp.begin() ? a : *(after - 2)).value, beyond = (after + 1 == ramp.end() ? b : *(after + 1)).value;
            const double in = 0.5 * (b.value - before), out = 0.5 * (beyond - a.value);
            return std::max(0.0, a.value + t * (in + t * (3 * all - 2 * in - out + t * (in + out - 2 * all))));
        }
        default: return a.value + all * t;
    }
}

void multiply_along(const Ramp &ramp, const std::vector<std::uint32_t> &counts, const std::vector<Vec> &points, std::vector<double> &scales) {
    if (std::all_of(ramp.begin(), ramp.end(), [](const RampEntry &entry) { return entry.value == 1; })) {
        return;
    }
    if (scales.empty()) {
        scales.assign(points.size(), 1.0);
    }
    std::size_t first = 0;
    for (const std::uint32_t count : counts) {
        std::vector<double> far(count, 0.0);
        for (std::uint32_t v = 1; v < count; v++) {
            far[v] = far[v - 1] + length(points[first + v] - points[first + v - 1]);
        }
        for (std::uint32_t v = 0; v < count; v++) {
            scales[first + v] *= value_at(ramp, far.back() > 0 ? far[v] / far.back() : 0);
        }
        first += count;
    }
}

}  // namespace withy_maya
