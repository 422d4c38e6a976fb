// What the tests share: checks that count, curves from points and back, the frame of all nodes.
#pragma once

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <maya/MDoubleArray.h>
#include <maya/MFnDoubleArrayData.h>
#include <maya/MFnMesh.h>
#include <maya/MFnMeshData.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MFnNurbsCurveData.h>
#include <maya/MIntArray.h>
#include <maya/MPointArray.h>

#include "stage.h"

using fake::Node;
using fake::Stage;
using Point = std::array<double, 3>;
using Line = std::vector<Point>;

inline int failures = 0;

#define CHECK(fact)                                                       \
    do {                                                                  \
        if (!(fact)) {                                                    \
            std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #fact); \
            failures++;                                                   \
        }                                                                 \
    } while (false)

#define CHECK_NEAR(value, wanted, error)                                                                                      \
    do {                                                                                                                      \
        const double v_ = (value), w_ = (wanted);                                                                             \
        if (!(std::fabs(v_ - w_) <= (error))) {                                                                               \
            std::printf("%s:%d: %s is %.9g, not %.9g within %.3g\n", __FILE__, __LINE__, #value, v_, w_, static_cast<double>(error)); \
            failures++;                                                                                                       \
        }                                                                                                                     \
    } while (false)

inline MObject curve(const Line &line, unsigned degree = 1) {
    MPointArray points;
    MDoubleArray knots;
    for (const Point &p : line) {
        points.append(MPoint(p[0], p[1], p[2]));
    }
    for (unsigned i = 0; i + 1 < line.size() + degree; i++) {
        knots.append(i);
    }
    MFnNurbsCurveData data;
    MFnNurbsCurve fn;
    return fn.create(points, knots, degree, MFnNurbsCurve::kOpen, false, false, data.create());
}

inline Line line_of(MObject object) {
    Line line;
    MPointArray points;
    MFnNurbsCurve(object).getCVs(points);
    for (unsigned i = 0; i < points.length(); i++) {
        line.push_back({points[i].x, points[i].y, points[i].z});
    }
    return line;
}

inline MObject doubles(const std::vector<double> &values) {
    MDoubleArray array;
    for (const double value : values) {
        array.append(value);
    }
    MFnDoubleArrayData fn;
    return fn.create(array);
}

inline Line output(Stage &stage, Node *node, unsigned i = 0) {
    return line_of(stage.data(node, "outputHair[" + std::to_string(i) + "]"));
}

inline void go(Stage &stage, Node *node, double frame, MTime::Unit unit = MTime::uiUnit()) {
    stage.set(node, "currentTime", MTime(frame, unit));
}

// A straight line of n points in cm, and one that bends under a weightless pencil's idea of a groom.
inline Line straight(const Point &root, const Point &step, unsigned n) {
    Line line;
    for (unsigned i = 0; i < n; i++) {
        line.push_back({root[0] + step[0] * i, root[1] + step[1] * i, root[2] + step[2] * i});
    }
    return line;
}

inline double largest_difference(const Line &a, const Line &b) {
    double most = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < a.size() && i < b.size(); i++) {
        for (std::size_t k = 0; k < 3; k++) {
            const double d = std::fabs(a[i][k] - b[i][k]);
            most = d <= most ? most : d;  // a NaN stays
        }
    }
    return most;
}

inline double distance(const Point &a, const Point &b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

inline bool mentions(const std::vector<std::string> &messages, const std::string &text) {
    for (const std::string &message : messages) {
        if (message.find(text) != std::string::npos) {
            return true;
        }
    }
    return false;
}

inline MMatrix moved(double angle, double x, double y, double z) {
    // A turn about y, then a move; row vectors.
    MMatrix m;
    m(0, 0) = std::cos(angle);
    m(0, 2) = -std::sin(angle);
    m(2, 0) = std::sin(angle);
    m(2, 2) = std::cos(angle);
    m(3, 0) = x;
    m(3, 1) = y;
    m(3, 2) = z;
    return m;
}

inline int finish(const char *name) {
    for (const std::string &message : Stage::errors()) {
        std::printf("  left over: %s\n", message.c_str());
        failures++;
    }
    std::printf("%s: %s\n", name, failures == 0 ? "ok" : "FAILED");
    return failures == 0 ? 0 : 1;
}
