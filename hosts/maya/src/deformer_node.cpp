#include "deformer_node.h"

#include <algorithm>
#include <cmath>

#include <maya/MArrayDataHandle.h>
#include <maya/MDataHandle.h>
#include <maya/MDoubleArray.h>
#include <maya/MFnDoubleArrayData.h>
#include <maya/MItGeometry.h>
#include <maya/MPlug.h>
#include <maya/MPoint.h>

namespace withy_maya {

namespace {

struct Attributes {
    MObject base, driver, turns, matrix, influences, drop, saved_asset;
};

Attributes a;

Table make_table() {
    return {
        {&a.base, "driverBase", "dvb", Type::Curve, {0}, NONE, NONE, NONE, "", false, "", "",
         "The curves as they are when the geometry is not deformed, in world space: the input curves of the groom at its start frame.",
         true},
        {&a.driver, "driver", "dvr", Type::Curve, {0}, NONE, NONE, NONE, "", true, "", "",
         "The curves that deform, in world space: outputHair of withyGroom, or any curves. As many vertices as driverBase.", true},
        {&a.turns, "driverTurns", "dvt", Type::Doubles, {0}, NONE, NONE, NONE, "", true, "", "",
         "How far the edges have turned: outputTurns of withyGroom. Without it they turn without twist."},
        {&a.matrix, "geometryMatrix", "gmx", Type::Matrix, {0}, NONE, NONE, NONE, "", true, "", "",
         "World matrix of each deformed geometry. Without it the geometry is taken to be in world space.", true},
        {&a.influences, "maxInfluences", "mxi", Type::Int, {2}, 1, 16, NONE, "", false, "", "",
         "How many curves move a point at most: the nearest ones."},
        {&a.drop, "dropoffDistance", "dds", Type::Distance, {0}, 0, NONE, NONE, "cm", false, "", "",
         "Points this far away from all curves do not move; 0: no limit."},
        saved_row(&a.saved_asset),
    };
}

MMatrix geometry_matrix(MDataBlock &data, unsigned index) {
    MStatus status;
    MArrayDataHandle array = data.inputArrayValue(a.matrix, &status);
    check(status, "geometryMatrix");
    if (array.elementCount() != 0 && array.jumpToElement(index)) {
        return array.inputValue().asMatrix();
    }
    return MMatrix();
}

std::vector<Quat> read_turns(MDataBlock &data, std::size_t edges) {
    MObject object = data.inputValue(a.turns).data();
    std::vector<Quat> turns;
    if (object.isNull()) {
        return turns;
    }
    MStatus status;
    MFnDoubleArrayData fn(object, &status);
    check(status, "driverTurns");
    const MDoubleArray values = fn.array();
    if (values.length() == 0) {
        return turns;
    }
    if (values.length() != 4 * edges) {
        throw Problem("driverTurns: has " + std::to_string(values.length()) + " numbers; " + std::to_string(4 * edges) +
                      " are needed, four for each edge of driver");
    }
    for (unsigned i = 0; i < values.length(); i += 4) {
        const Quat q = {values[i], values[i + 1], values[i + 2], values[i + 3]};
        const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (!(std::fabs(square - 1) < 0.02)) {
            throw Problem("driverTurns: number " + std::to_string(i) + " begins no unit quaternion");
        }
        turns.push_back(unit(q));
    }
    return turns;
}

}  // namespace

const MTypeId DeformerNode::id(0x0007e512);

const Table &DeformerNode::table() {
    static const Table table = make_table();
    return table;
}

MStatus DeformerNode::initialize() {
    MStatus status = create(table(), addAttribute, attributeAffects);
    for (const Row &row : table()) {
        if (status && !row.internal) {
            status = attributeAffects(*row.object, outputGeom);
        }
    }
    return status;
}

const MObject &DeformerNode::saved_attribute() const { return a.saved_asset; }

void DeformerNode::bind(unsigned index, Bound &bound) {
    const std::string name = "geometry[" + std::to_string(index) + "].";
    const std::string of = name + "of", ties = name + "ties", weights = name + "weights", first = name + "first", strength = name + "strength";
    // What it depends on, as a number: the points themselves are in the scene.
    std::vector<double> settings = {static_cast<double>(bound.curves), bound.drop};
    settings.insert(settings.end(), bound.counts.begin(), bound.counts.end());
    const std::uint64_t all = digest(flat(bound.points), digest(flat(bound.base), digest(settings, 0)));
    const std::vector<std::uint32_t> wanted = {static_cast<std::uint32_t>(all), static_cast<std::uint32_t>(all >> 32)};
    std::vector<std::uint32_t> has;
    Binding::Numbers n;
    if (saved_.take(of, has) && has == wanted && saved_.take(ties, n.ties) && saved_.take(weights, n.weights) && saved_.take(first, n.first) &&
        saved_.take(strength, n.strength) && bound.binding.restore(n, bound.points.size(), bound.counts, bound.base)) {
        return;
    }
    bound.binding.bind(bound.points, bound.counts, bound.base, static_cast<unsigned>(std::max(1, bound.curves)), bound.drop);
    n = bound.binding.numbers();
    saved_.put({Saved::chunk(of, wanted, 2), Saved::chunk(ties, n.ties, 2), Saved::chunk(weights, n.weights, 1), Saved::chunk(first, n.first, 1),
                Saved::chunk(strength, n.strength, 1)});
}

void DeformerNode::deform(MDataBlock &data, MDataHandle &output, unsigned group, unsigned index) {
    MStatus status;
    const MDataHandle envelope_handle = data.inputValue(envelope, &status);
    check(status, "envelope");
    const float amount = envelope_handle.asFloat();
    Curves base, driver;
    read_curves(data, a.base, "driverBase", 2, base);
    read_curves(data, a.driver, "driver", 2, driver);
    if (amount == 0 || base.points.empty() || driver.points.empty()) {
        return;
    }
    if (base.counts != driver.counts) {
        throw Problem("driver: has other numbers of curves or vertices than driverBase");
    }
    std::vector<Quat> turns = read_turns(data, driver.points.size() - driver.counts.size());
    if (turns.empty()) {
        turns = turns_of(driver.counts, base.points, driver.points);
    }
    const MMatrix to_world = geometry_matrix(data, index), from_world = to_world.inverse();
    const int curves = read_int(data, a.influences, "maxInfluences");
    const double drop = data.inputValue(a.drop).asDistance().asCentimeters();

    // The points of the deformer's set; of all, if there is no such set.
    MItGeometry of_group(output, group, false, &status);
    MItGeometry all(output, false);
    MItGeometry &points = status && of_group.exactCount() > 0 ? of_group : all;
    std::vector<Vec> before, after;
    for (points.reset(); !points.isDone(); points.next()) {
        const MPoint p = points.position() * to_world;
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
            throw Problem("input[" + std::to_string(index) + "].inputGeometry: point " + std::to_string(points.index()) +
                          " is not a number");
        }
        before.push_back({p.x, p.y, p.z});
    }
    Bound &bound = bound_[index];
    if (before != bound.points || base.points != bound.base || base.counts != bound.counts || curves != bound.curves || drop != bound.drop) {
        bound = {before, base.points, base.counts, curves, drop, Binding()};
        bind(index, bound);
    }
    bound.binding.deform(before, driver.points, turns, after);
    std::size_t i = 0;
    for (points.reset(); !points.isDone(); points.next(), i++) {
        const double w = static_cast<double>(amount) * static_cast<double>(weightValue(data, index, static_cast<unsigned>(points.index())));
        if (w != 0) {
            const Vec v = before[i] + (after[i] - before[i]) * w;
            check(points.setPosition(MPoint(v[0], v[1], v[2]) * from_world), "outputGeometry");
        }
    }
}

MStatus DeformerNode::compute(const MPlug &plug, MDataBlock &data) try {
    if (plug.attribute() != outputGeom) {
        return MS::kUnknownParameter;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    MStatus status;
    const unsigned index = plug.logicalIndex(&status);
    if (!status) {
        return status;
    }
    MPlug in(thisMObject(), input);
    in.selectAncestorLogicalIndex(index, input);
    MDataHandle element = data.inputValue(in, &status);
    if (!status) {
        return status;
    }
    const MDataHandle geometry = element.child(inputGeom);
    const auto group = static_cast<unsigned>(element.child(groupId).asInt());
    MDataHandle output = data.outputValue(plug, &status);
    if (!status || !(status = output.copy(geometry))) {
        return status;
    }
    std::string wrong;
    try {
        deform(data, output, group, index);
    } catch (const std::exception &error) {
        wrong = error.what();
    } catch (...) {
        wrong = "an unknown fault";
    }
    if (wrong.empty()) {
        messages_.clear();
    } else {
        messages_.error(name().asChar(), wrong);
        output.copy(geometry);
    }
    data.setClean(plug);
    return MS::kSuccess;
} catch (...) {
    return MS::kFailure;  // no memory for a message
}

void DeformerNode::copyInternalData(MPxNode *from) {
    Saved saved = static_cast<DeformerNode *>(from)->saved();
    const std::lock_guard<std::mutex> lock(mutex_);
    saved_ = std::move(saved);
    bound_.clear();
}

}  // namespace withy_maya
