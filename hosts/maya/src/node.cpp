#include "node.h"

#include <cmath>
#include <cstdio>
#include <limits>

#if defined(__x86_64__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

#include <maya/MArrayDataBuilder.h>
#include <maya/MArrayDataHandle.h>
#include <maya/MDataHandle.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MFnNurbsCurveData.h>
#include <maya/MGlobal.h>
#include <maya/MPoint.h>
#include <maya/MPointArray.h>
#include <maya/MTime.h>

namespace withy_maya {

void Messages::error(const std::string &node, const std::string &text) {
    if (text != last_) {
        last_ = text;
        MGlobal::displayError((node + ": " + text).c_str());
    }
}

void Messages::warning(const std::string &node, const std::string &text) {
    if (text != last_) {
        last_ = text;
        MGlobal::displayWarning((node + ": " + text).c_str());
    }
}

#if defined(__x86_64__) || defined(_M_X64)
UsualFloats::UsualFloats() : before_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
UsualFloats::~UsualFloats() { _mm_setcsr(static_cast<unsigned>(before_)); }
#elif defined(__aarch64__)
UsualFloats::UsualFloats() : before_(0) {
    const unsigned long long usual = 0;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before_));
    __asm__ volatile("msr fpcr, %0" : : "r"(usual));
}
UsualFloats::~UsualFloats() { __asm__ volatile("msr fpcr, %0" : : "r"(before_)); }
#else
UsualFloats::UsualFloats() : before_(0) {}
UsualFloats::~UsualFloats() = default;
#endif

std::string explain(const Table &table, const std::string &text) {
    const std::string attribute = attribute_of(table, text);
    return attribute.empty() ? text : attribute + ": " + text;
}

std::string short_number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

void check(const MStatus &status, const char *attribute) {
    if (!status) {
        throw Problem(std::string(attribute) + ": " + status.errorString().asChar());
    }
}

namespace {

MDataHandle input(MDataBlock &data, const MObject &attribute, const char *name) {
    MStatus status;
    const MDataHandle handle = data.inputValue(attribute, &status);
    check(status, name);
    return handle;
}

double finite(double value, const char *name) {
    if (!std::isfinite(value)) {
        throw Problem(std::string(name) + ": is not a number");
    }
    return value;
}

}  // namespace

bool read_bool(MDataBlock &data, const MObject &attribute, const char *name) { return input(data, attribute, name).asBool(); }

int read_int(MDataBlock &data, const MObject &attribute, const char *name) { return input(data, attribute, name).asInt(); }

double read_double(MDataBlock &data, const MObject &attribute, const char *name) {
    return finite(input(data, attribute, name).asDouble(), name);
}

Vec read_vector(MDataBlock &data, const MObject &attribute, const char *name) {
    const double3 &v = input(data, attribute, name).asDouble3();
    return {finite(v[0], name), finite(v[1], name), finite(v[2], name)};
}

double read_frame(MDataBlock &data, const MObject &attribute, const char *name, double &per_second) {
    const MTime::Unit unit = MTime::uiUnit();
    per_second = MTime(1.0, MTime::kSeconds).as(unit);
    return finite(input(data, attribute, name).asTime().as(unit), name);
}

void read_curves(MDataBlock &data, const MObject &attribute, const char *name, unsigned least, Curves &curves) {
    MStatus status;
    MArrayDataHandle array = data.inputArrayValue(attribute, &status);
    check(status, name);
    const unsigned count = array.elementCount();
    curves = Curves();
    std::string wrong;  // the last one; the others are read all the same
    for (unsigned i = 0; i < count; i++) {
        check(array.jumpToArrayElement(i), name);
        const unsigned element = array.elementIndex();
        // A world-space plug brings the points of the shape, and its matrix beside them: they are wanted together.
        MObject curve = array.inputValue(&status).asNurbsCurveTransformed();
        if (!status || curve.isNull()) {
            continue;  // nothing is connected there
        }
        const std::string which = std::string(name) + "[" + std::to_string(element) + "]";
        MFnNurbsCurve fn(curve, &status);
        check(status, which.c_str());
        MPointArray points;
        check(fn.getCVs(points), which.c_str());
        if (points.length() == 0) {
            continue;
        }
        if (points.length() < least) {
            wrong = which + ": has " + std::to_string(points.length()) + " control vertices; " + std::to_string(least) + " are needed";
        }
        for (unsigned v = 0; v < points.length(); v++) {
            const MPoint &p = points[v];
            if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
                wrong = which + ": control vertex " + std::to_string(v) + " is not a number";
            }
            curves.points.push_back({p.x, p.y, p.z});
        }
        curves.elements.push_back(element);
        curves.data.push_back(curve);
        curves.counts.push_back(points.length());
    }
    if (!wrong.empty()) {
        throw Problem(wrong);
    }
}

void write_curves(MDataBlock &data, const MObject &attribute, const char *name, const Curves &curves, const std::vector<Vec> &points) {
    MStatus status;
    MArrayDataHandle array = data.outputArrayValue(attribute, &status);
    check(status, name);
    const auto count = static_cast<unsigned>(curves.data.size());
    MArrayDataBuilder builder(&data, attribute, count, &status);
    check(status, name);
    std::size_t at = 0;
    for (unsigned i = 0; i < count; i++) {
        MPointArray line(points.empty() ? 0 : curves.counts[i]);
        for (unsigned v = 0; v < line.length(); v++, at++) {
            line[v] = MPoint(points[at][0], points[at][1], points[at][2]);
        }
        MFnNurbsCurveData made;
        MObject owner = made.create(&status);
        check(status, name);
        // Degree, knots and form as they came; only the points change.
        MFnNurbsCurve fn;
        fn.copy(curves.data[i], owner, &status);
        check(status, name);
        if (line.length() != 0) {
            check(fn.setObject(owner), name);
            check(fn.setCVs(line), name);
        }
        MDataHandle handle = builder.addElement(curves.elements[i], &status);
        check(status, name);
        check(handle.setMObject(owner), name);
    }
    check(array.set(builder), name);
    check(array.setAllClean(), name);
}

MTimeRange from_start(MDataBlock data, const MObject &start, const MTimeRange &input) {
    // Maya's own limits would overflow in sums: half of them is for ever.
    const double forever = static_cast<double>(std::numeric_limits<MTime::MTick>::max() / 2) / static_cast<double>(MTime::ticksPerSecond());
    const MTime end(forever, MTime::kSeconds);
    MTime begin(-forever, MTime::kSeconds);
    // Values must not be computed here; a clean one may be read.
    if (data.isClean(start)) {
        MStatus status;
        const MDataHandle handle = data.inputValue(start, &status);
        if (status) {
            begin = MTime(handle.asDouble(), MTime::uiUnit());
        }
    }
    return input.intersects(begin, end) ? (input | MTimeRange(begin, end)) : MTimeRange();
}

}  // namespace withy_maya
