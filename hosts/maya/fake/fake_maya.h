// A small stand-in for the part of Maya's C++ API that the nodes use, written from its documented signatures. It plays nodes for
// the tests; it is no Maya. Where Maya has more overloads or members, they are left out. fake/stage.h is the side of the tests.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#define FAKE_API __attribute__((visibility("default")))

namespace fake {
class Thing;       // what an MObject refers to: attribute, data or node
class Attribute;
class Node;
class Slot;        // the value of an attribute, or of an element or child
struct Plugs;
}  // namespace fake

using double3 = double[3];

class FAKE_API MString {
public:
    MString() = default;
    MString(const char *text) : text_(text) {}
    MString &operator+=(const MString &other) { text_ += other.text_; return *this; }
    MString operator+(const MString &other) const { MString sum = *this; return sum += other; }
    MString operator+(const char *other) const { return *this + MString(other); }
    bool operator==(const MString &other) const { return text_ == other.text_; }
    const char *asChar() const { return text_.c_str(); }
    unsigned int length() const { return static_cast<unsigned>(text_.size()); }

private:
    std::string text_;
};

class FAKE_API MStatus {
public:
    enum MStatusCode { kSuccess = 0, kFailure, kInsufficientMemory, kInvalidParameter, kLicenseFailure, kUnknownParameter, kNotImplemented, kNotFound, kEndOfFile };
    MStatus() = default;
    MStatus(MStatusCode code) : code_(code) {}
    operator bool() const { return code_ == kSuccess; }
    bool operator==(MStatusCode code) const { return code_ == code; }
    bool operator!=(MStatusCode code) const { return code_ != code; }
    MStatusCode statusCode() const { return code_; }
    MString errorString() const;
    void perror(const char *text) const;

private:
    MStatusCode code_ = kSuccess;
};
using MS = MStatus;

class FAKE_API MObject {
public:
    MObject() = default;
    explicit MObject(std::shared_ptr<fake::Thing> thing) : thing_(std::move(thing)) {}
    bool isNull() const { return thing_ == nullptr; }
    bool operator==(const MObject &other) const { return thing_ == other.thing_; }
    bool operator!=(const MObject &other) const { return thing_ != other.thing_; }
    static const MObject kNullObj;
    const std::shared_ptr<fake::Thing> &thing() const { return thing_; }  // not in Maya

private:
    std::shared_ptr<fake::Thing> thing_;
};

class FAKE_API MObjectArray {
public:
    MStatus append(const MObject &object) { all_.push_back(object); return MS::kSuccess; }
    unsigned int length() const { return static_cast<unsigned>(all_.size()); }

private:
    std::vector<MObject> all_;
};

class FAKE_API MTypeId {
public:
    MTypeId() = default;
    explicit MTypeId(unsigned int id) : id_(id) {}
    unsigned int id() const { return id_; }

private:
    unsigned int id_ = 0;
};

class FAKE_API MMatrix {
public:
    double matrix[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    MMatrix() = default;
    double &operator()(unsigned int r, unsigned int c) { return matrix[r][c]; }
    double operator()(unsigned int r, unsigned int c) const { return matrix[r][c]; }
    MMatrix operator*(const MMatrix &right) const;
    MMatrix inverse() const;
    bool operator==(const MMatrix &other) const;
    static const MMatrix identity;
};

class FAKE_API MPoint {
public:
    MPoint() = default;
    MPoint(double x_, double y_, double z_ = 0, double w_ = 1) : x(x_), y(y_), z(z_), w(w_) {}
    MPoint operator*(const MMatrix &m) const;
    double x = 0, y = 0, z = 0, w = 1;
};

template <class T>
class FakeArray {
public:
    FakeArray() = default;
    explicit FakeArray(unsigned int count) : all_(count) {}
    unsigned int length() const { return static_cast<unsigned>(all_.size()); }
    T &operator[](unsigned int i) { return all_.at(i); }
    const T &operator[](unsigned int i) const { return all_.at(i); }
    MStatus append(const T &value) { all_.push_back(value); return MS::kSuccess; }
    MStatus setLength(unsigned int n) { all_.resize(n); return MS::kSuccess; }
    MStatus clear() { all_.clear(); return MS::kSuccess; }

private:
    std::vector<T> all_;
};
class FAKE_API MPointArray : public FakeArray<MPoint> { using FakeArray<MPoint>::FakeArray; };
class FAKE_API MDoubleArray : public FakeArray<double> { using FakeArray<double>::FakeArray; };
class FAKE_API MIntArray : public FakeArray<int> { using FakeArray<int>::FakeArray; };

class FAKE_API MTime {
public:
    enum Unit { kInvalid = 0, kHours, kMinutes, kSeconds, kMilliseconds, kGames, kFilm, kPALFrame, kNTSCFrame, kShowScan };
    using MTick = std::int64_t;
    MTime() = default;
    MTime(double value, Unit unit) : seconds_(value / per_second(unit)) {}
    double as(Unit unit) const { return seconds_ * per_second(unit); }
    static MTick ticksPerSecond() { return 141120000; }
    static Unit uiUnit();
    static MStatus setUIUnit(Unit unit);
    bool operator<(const MTime &other) const { return seconds_ < other.seconds_; }

private:
    static double per_second(Unit unit);
    double seconds_ = 0;
};

class FAKE_API MTimeRange {
public:
    MTimeRange() = default;
    MTimeRange(const MTime &begin, const MTime &end) : begin_(begin), end_(end), empty_(end < begin) {}
    bool isEmpty() const { return empty_; }
    bool intersects(const MTime &begin, const MTime &end) const { return !empty_ && !(end < begin_) && !(end_ < begin); }
    MTimeRange operator|(const MTimeRange &other) const;
    MTime minTime() const { return begin_; }
    MTime maxTime() const { return end_; }

private:
    MTime begin_, end_;
    bool empty_ = true;
};

class FAKE_API MDistance {
public:
    enum Unit { kInvalid = 0, kInches, kFeet, kYards, kMiles, kMillimeters, kCentimeters, kKilometers, kMeters };
    MDistance() = default;
    MDistance(double value, Unit unit) : centimetres_(value * centimetres(unit)) {}
    double asCentimeters() const { return centimetres_; }
    static Unit uiUnit();
    static MStatus setUIUnit(Unit unit);
    static double centimetres(Unit unit);  // not in Maya

private:
    double centimetres_ = 0;
};

class FAKE_API MSpace {
public:
    enum Space { kInvalid = 0, kTransform = 1, kPreTransform = 2, kPostTransform = 3, kWorld = 4, kObject = kPreTransform };
};

class FAKE_API MFnData {
public:
    enum Type { kInvalid = 0, kNumeric, kPlugin, kPluginGeometry, kString, kMatrix, kStringArray, kDoubleArray, kFloatArray, kIntArray, kPointArray, kVectorArray, kMatrixArray, kComponentList, kMesh, kLattice, kNurbsCurve };
};

class FAKE_API MFnNumericData {
public:
    enum Type { kInvalid = 0, kBoolean, kByte, kChar, kShort, k2Short, k3Short, kLong, kInt = kLong, k2Long, k2Int = k2Long, k3Long, k3Int = k3Long, kInt64, kFloat, k2Float, k3Float, kDouble, k2Double, k3Double };
};

class FAKE_API MPlug {
public:
    MPlug() = default;
    MPlug(const MObject &node, const MObject &attribute);
    MObject attribute() const { return attribute_; }
    MObject node() const { return node_; }
    unsigned int logicalIndex(MStatus *status = nullptr) const;
    MStatus selectAncestorLogicalIndex(unsigned int index, const MObject &attribute);
    bool isElement() const { return index_ >= 0; }
    MPlug elementByLogicalIndex(unsigned int index, MStatus *status = nullptr) const;
    MPlug child(const MObject &attribute, MStatus *status = nullptr) const;
    MStatus setFloat(float value);
    MStatus setShort(short value);
    bool operator==(const MObject &attribute) const { return attribute_ == attribute; }

private:
    friend struct fake::Plugs;
    MObject node_, attribute_;
    long long index_ = -1;
};

class FAKE_API MDataHandle {
public:
    MDataHandle() = default;
    bool asBool() const;
    short asShort() const;
    int asInt() const;
    float asFloat() const;
    double asDouble() const;
    double3 &asDouble3() const;
    const MMatrix &asMatrix() const;
    MTime asTime() const;
    MDistance asDistance() const;
    MObject asNurbsCurve() const;
    MObject asMesh() const;
    MObject asNurbsCurveTransformed() const;
    MObject asMeshTransformed() const;
    MObject data() const;
    MString &asString() const;
    MDataHandle child(const MObject &attribute) const;
    void setInt(int value);
    void setDouble(double value);
    void setString(const MString &value);
    void setMMatrix(const MMatrix &value);
    MStatus setMObject(const MObject &object);
    MStatus copy(const MDataHandle &from);

private:
    friend struct fake::Plugs;
    friend class MItGeometry;
    fake::Slot *slot_ = nullptr;
};

class MDataBlock;

class FAKE_API MArrayDataBuilder {
public:
    MArrayDataBuilder(MDataBlock *block, const MObject &attribute, unsigned int count, MStatus *status = nullptr);
    MDataHandle addElement(unsigned int index, MStatus *status = nullptr);
    unsigned int elementCount(MStatus *status = nullptr) const;

private:
    friend class MArrayDataHandle;
    std::shared_ptr<fake::Slot> slot_;
};

class FAKE_API MArrayDataHandle {
public:
    unsigned int elementCount(MStatus *status = nullptr) const;
    MStatus jumpToArrayElement(unsigned int position);
    MStatus jumpToElement(unsigned int index);
    unsigned int elementIndex(MStatus *status = nullptr) const;
    MDataHandle inputValue(MStatus *status = nullptr);
    MStatus set(const MArrayDataBuilder &builder);
    MStatus setAllClean();

private:
    friend struct fake::Plugs;
    fake::Slot *slot_ = nullptr;
    unsigned int position_ = 0, index_ = 0;
    fake::Slot *element_ = nullptr;  // that it stands at
};

class FAKE_API MDataBlock {
public:
    MDataHandle inputValue(const MObject &attribute, MStatus *status = nullptr);
    MDataHandle inputValue(const MPlug &plug, MStatus *status = nullptr);
    MDataHandle outputValue(const MObject &attribute, MStatus *status = nullptr);
    MDataHandle outputValue(const MPlug &plug, MStatus *status = nullptr);
    MArrayDataHandle inputArrayValue(const MObject &attribute, MStatus *status = nullptr);
    MArrayDataHandle outputArrayValue(const MObject &attribute, MStatus *status = nullptr);
    MStatus setClean(const MObject &attribute);
    MStatus setClean(const MPlug &plug);
    bool isClean(const MObject &attribute, MStatus *status = nullptr);

private:
    friend struct fake::Plugs;
    friend class MArrayDataBuilder;
    fake::Node *node_ = nullptr;
};

class FAKE_API MEvaluationNode {};
class FAKE_API MNodeCacheDisablingInfo {
public:
    bool getCacheDisabled() const { return false; }
};
class FAKE_API MNodeCacheSetupInfo {
public:
    enum Requirement { kSimulationSupport };
    enum Preference { kWantToCacheByDefault };
    void setRequirement(Requirement, bool value) { simulation_ = value; }
    bool getRequirement(Requirement) const { return simulation_; }
    void setPreference(Preference, bool value) { wanted_ = value; }
    bool getPreference(Preference) const { return wanted_; }

private:
    bool simulation_ = false, wanted_ = false;
};

class FAKE_API MPxNode {
public:
    enum Type { kDependNode, kLocatorNode, kDeformerNode };
    enum SchedulingType { kParallel, kSerial, kGloballySerial, kUntrusted, kDefaultScheduling = kSerial };
    MPxNode() = default;
    virtual ~MPxNode();
    virtual void postConstructor();
    MPxNode(const MPxNode &) = delete;
    MPxNode &operator=(const MPxNode &) = delete;
    virtual MStatus compute(const MPlug &plug, MDataBlock &block);
    virtual void copyInternalData(MPxNode *from);
    virtual bool getInternalValue(const MPlug &plug, MDataHandle &handle);
    virtual bool setInternalValue(const MPlug &plug, const MDataHandle &handle);
    virtual MStatus shouldSave(const MPlug &plug, bool &is_saving);
    virtual SchedulingType schedulingType() const;
    virtual void getCacheSetup(const MEvaluationNode &, MNodeCacheDisablingInfo &, MNodeCacheSetupInfo &, MObjectArray &) const;
    virtual MTimeRange transformInvalidationRange(const MPlug &source, const MTimeRange &input) const;
    MString name() const;
    MObject thisMObject() const;

protected:
    static MStatus addAttribute(const MObject &attribute);
    static MStatus attributeAffects(const MObject &when, const MObject &affected);
    MDataBlock forceCache();

private:
    friend struct fake::Plugs;
    fake::Node *node_ = nullptr;
};

class FAKE_API MPxGeometryFilter : public MPxNode {
public:
    static MObject input, inputGeom, groupId, outputGeom, envelope;
};

class FAKE_API MPxDeformerNode : public MPxGeometryFilter {
public:
    static MObject weightList, weights;

protected:
    float weightValue(MDataBlock &block, unsigned int geometry, unsigned int point);
};

class FAKE_API MItGeometry {
public:
    MItGeometry(MDataHandle &geometry, unsigned int group, bool read_only, MStatus *status = nullptr);
    MItGeometry(MDataHandle &geometry, bool read_only, MStatus *status = nullptr);
    int exactCount(MStatus *status = nullptr) { if (status != nullptr) { *status = MS::kSuccess; } return static_cast<int>(members_.size()); }
    MStatus reset() { at_ = 0; return MS::kSuccess; }
    bool isDone(MStatus * = nullptr) const { return at_ >= members_.size(); }
    MStatus next() { at_++; return MS::kSuccess; }
    int index(MStatus * = nullptr) { return static_cast<int>(members_.at(at_)); }
    MPoint position(MSpace::Space = MSpace::kObject, MStatus * = nullptr);
    MStatus setPosition(const MPoint &point, MSpace::Space = MSpace::kObject);

private:
    std::vector<MPoint> *points_ = nullptr;
    std::vector<std::size_t> members_;
    std::size_t at_ = 0;
};

class FAKE_API MFnAttribute {
public:
    MFnAttribute() = default;
    explicit MFnAttribute(MObject &object, MStatus * = nullptr) : object_(object) {}
    MString name(MStatus *status = nullptr) const;
    MStatus setKeyable(bool state);
    MStatus setChannelBox(bool state);
    MStatus setStorable(bool state);
    MStatus setWritable(bool state);
    MStatus setHidden(bool state);
    MStatus setInternal(bool state);
    MStatus setArray(bool state);
    MStatus setUsesArrayDataBuilder(bool state);

protected:
    fake::Attribute &attribute() const;
    MObject object_;
};

class FAKE_API MFnNumericAttribute : public MFnAttribute {
public:
    MObject create(const MString &name, const MString &brief, MFnNumericData::Type type, double value = 0, MStatus *status = nullptr);
    MObject create(const MString &name, const MString &brief, const MObject &x, const MObject &y, const MObject &z, MStatus *status = nullptr);
    MStatus setMin(double value);
    MStatus setMax(double value);
    MStatus setSoftMax(double value);
};

class FAKE_API MFnUnitAttribute : public MFnAttribute {
public:
    enum Type { kInvalid = 0, kAngle, kDistance, kTime };
    MObject create(const MString &name, const MString &brief, Type type, double value = 0, MStatus *status = nullptr);
    MStatus setMin(double value);
};

class FAKE_API MFnEnumAttribute : public MFnAttribute {
public:
    MObject create(const MString &name, const MString &brief, short value = 0, MStatus *status = nullptr);
    MStatus addField(const MString &field, short value);
};

class FAKE_API MFnMatrixAttribute : public MFnAttribute {
public:
    enum Type { kFloat, kDouble };
    MObject create(const MString &name, const MString &brief, Type type = kDouble, MStatus *status = nullptr);
};

class FAKE_API MFnTypedAttribute : public MFnAttribute {
public:
    MObject create(const MString &name, const MString &brief, MFnData::Type type, MObject value = MObject::kNullObj, MStatus *status = nullptr);
};

class FAKE_API MFnCompoundAttribute : public MFnAttribute {
public:
    using MFnAttribute::MFnAttribute;
    MObject create(const MString &name, const MString &brief, MStatus *status = nullptr);
    MStatus addChild(const MObject &child);
    unsigned int numChildren(MStatus *status = nullptr) const;
    MObject child(unsigned int index, MStatus *status = nullptr) const;
};

class FAKE_API MRampAttribute {
public:
    enum MInterpolation { kNone = 0, kLinear, kSmooth, kSpline };
    static MObject createCurveRamp(const MString &name, const MString &brief, MStatus *status = nullptr);
};

class FAKE_API MFnDoubleArrayData {
public:
    MFnDoubleArrayData() = default;
    explicit MFnDoubleArrayData(MObject &object, MStatus *status = nullptr);
    MObject create(const MDoubleArray &values, MStatus *status = nullptr);
    MDoubleArray array(MStatus *status = nullptr) const;

private:
    MObject object_;
};

class FAKE_API MFnNurbsCurveData {
public:
    MObject create(MStatus *status = nullptr);
};

class FAKE_API MFnNurbsCurve {
public:
    enum Form { kInvalid = 0, kOpen, kClosed, kPeriodic };
    MFnNurbsCurve() = default;
    explicit MFnNurbsCurve(MObject &object, MStatus *status = nullptr);
    MStatus setObject(MObject &object);
    MObject create(const MPointArray &points, const MDoubleArray &knots, unsigned int degree, Form form, bool flat, bool rational,
                   MObject owner = MObject::kNullObj, MStatus *status = nullptr);
    MObject copy(const MObject &source, MObject owner = MObject::kNullObj, MStatus *status = nullptr);
    MStatus getCVs(MPointArray &points, MSpace::Space space = MSpace::kObject) const;
    MStatus setCVs(const MPointArray &points, MSpace::Space space = MSpace::kObject);
    MStatus getKnots(MDoubleArray &knots) const;
    int degree(MStatus *status = nullptr) const;

private:
    MObject object_;
};

class FAKE_API MFnMeshData {
public:
    MObject create(MStatus *status = nullptr);
};

class FAKE_API MFnMesh {
public:
    MFnMesh() = default;
    explicit MFnMesh(MObject &object, MStatus *status = nullptr);
    MObject create(int vertices, int polygons, const MPointArray &points, const MIntArray &counts, const MIntArray &connects,
                   MObject owner = MObject::kNullObj, MStatus *status = nullptr);
    MStatus getPoints(MPointArray &points, MSpace::Space space = MSpace::kObject) const;
    MStatus getTriangles(MIntArray &counts, MIntArray &vertices) const;

private:
    MObject object_;
};

class FAKE_API MFnPlugin {
public:
    explicit MFnPlugin(MObject &object, const char *vendor = "Unknown", const char *version = "Unknown", const char *api = "Any", MStatus *status = nullptr);
    MStatus registerNode(const MString &type, const MTypeId &id, void *(*creator)(), MStatus (*initialize)(), MPxNode::Type kind = MPxNode::kDependNode,
                         const MString *classification = nullptr);
    MStatus deregisterNode(const MTypeId &id);
};

class FAKE_API MFileIO {
public:
    static bool isReadingFile();
};

class FAKE_API MGlobal {
public:
    static void displayError(const MString &text);
    static void displayWarning(const MString &text);
    static void displayInfo(const MString &text);
};
