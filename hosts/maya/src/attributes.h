// The attributes of the nodes, as tables. A table creates the attributes, prints the manual (tests/table.cpp) and is compared
// with include/withy.json, so that names, ranges and defaults are written once.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <maya/MObject.h>
#include <maya/MStatus.h>

namespace withy_maya {

enum class Type { Bool, Int, Double, Distance, Time, Enum, Vector, Matrix, Curve, Mesh, Doubles, Text, Compound, Ramp };

constexpr double NONE = std::numeric_limits<double>::quiet_NaN();

struct Row {
    MObject *object;
    const char *name;
    const char *brief;
    Type type;
    double value[3];  // the default; three numbers for a vector
    double least;     // NONE: no limit
    double most;
    double slider;  // where a slider ends; NONE: at `most`
    const char *unit;
    bool animatable;
    const char *source;   // the field of include/withy.json that it sets, or ""
    const char *choices;  // of an enum, "First:Second"
    const char *text;     // one sentence of the manual
    bool array = false;
    const char *parent = "";  // the compound that it is in
    bool output = false;
    bool internal = false;  // the node keeps its value, which changes no output
};

using Table = std::vector<Row>;

// Within MFnPlugin::registerNode: creates all attributes of the table; each input affects each output. `add` and `affects` are
// those of the node's class.
MStatus create(const Table &table, MStatus (*add)(const MObject &), MStatus (*affects)(const MObject &, const MObject &));

// The attribute that sets a field of the library which is named in `text`, or "".
std::string attribute_of(const Table &table, const std::string &text);

}  // namespace withy_maya
