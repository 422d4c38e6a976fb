// What all nodes share: messages, floating-point settings, reading of inputs.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <maya/MDataBlock.h>
#include <maya/MMatrix.h>
#include <maya/MObject.h>
#include <maya/MStatus.h>
#include <maya/MString.h>
#include <maya/MTimeRange.h>
#include <withy.hpp>

#include "attributes.h"
#include "maths.h"

namespace withy_maya {

// Something that the artist can mend. The text begins with the attribute.
class Problem : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Says a message of a node once, until another one takes its place or it is cleared.
class Messages {
public:
    void error(const std::string &node, const std::string &text);
    void warning(const std::string &node, const std::string &text);
    void clear() { last_.clear(); }
    const std::string &last() const { return last_; }

private:
    std::string last_;
};

// The library wants the usual floating-point settings; Maya's threads may have others.
class UsualFloats {
public:
    UsualFloats();
    ~UsualFloats();
    UsualFloats(const UsualFloats &) = delete;
    UsualFloats &operator=(const UsualFloats &) = delete;

private:
    unsigned long long before_;
};

// The text of an exception of the library, with the attribute that sets the field which it names.
std::string explain(const Table &table, const std::string &text);

// As one writes it: 12.5, not 12.500000.
std::string short_number(double value);

void check(const MStatus &status, const char *attribute);

bool read_bool(MDataBlock &data, const MObject &attribute, const char *name);
int read_int(MDataBlock &data, const MObject &attribute, const char *name);
double read_double(MDataBlock &data, const MObject &attribute, const char *name);
Vec read_vector(MDataBlock &data, const MObject &attribute, const char *name);
// Frames of the present rate, and how many there are in a second.
double read_frame(MDataBlock &data, const MObject &attribute, const char *name, double &per_second);

// Curves of an array, in the order of its elements.
struct Curves {
    std::vector<unsigned> elements;
    std::vector<MObject> data;
    std::vector<std::uint32_t> counts;
    std::vector<Vec> points;
};
// A curve without points is left out. Says which vertex is not a number.
void read_curves(MDataBlock &data, const MObject &attribute, const char *name, unsigned least, Curves &curves);
// Copies of the curves with other points (none: as they are), into an array of outputs.
void write_curves(MDataBlock &data, const MObject &attribute, const char *name, const Curves &curves, const std::vector<Vec> &points);

// From the start to the end of time: a simulation carries a change on. `data` is that of forceCache().
MTimeRange from_start(MDataBlock data, const MObject &start, const MTimeRange &input);

}  // namespace withy_maya
