#include "fake_maya.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>

#include "stage.h"

namespace fake {

class Thing {
public:
    virtual ~Thing() = default;
};

enum class Kind { Number, Vector, Distance, Time, Matrix, Data, Compound };

class Attribute : public Thing {
public:
    std::string name, brief;
    Kind kind = Kind::Number;
    MFnData::Type data = MFnData::kInvalid;
    double value[3] = {0, 0, 0};
    bool limited_below = false, limited_above = false;
    double least = 0, most = 0;
    bool keyable = false, storable = true, writable = true, hidden = false, internal = false, array = false, builder = false;
    std::vector<std::shared_ptr<Attribute>> children;
    std::vector<Attribute *> affects;
    Attribute *parent = nullptr;
};

// Geometry of a world-space plug: its points in the space of the shape, and where that is.
class PlacedThing : public Thing {
public:
    std::vector<MPoint> points;
    MMatrix matrix;

    std::vector<MPoint> in(MSpace::Space space) const {
        std::vector<MPoint> out = points;
        for (MPoint &point : out) {
            point = space == MSpace::kWorld ? point * matrix : point;
        }
        return out;
    }
};

class CurveThing : public PlacedThing {
public:
    std::vector<double> knots;
    unsigned degree = 1;
    MFnNurbsCurve::Form form = MFnNurbsCurve::kOpen;
};

class MeshThing : public PlacedThing {
public:
    std::vector<int> counts, connects;
};

class DoublesThing : public Thing {
public:
    std::vector<double> values;
};

class NodeThing : public Thing {
public:
    Node *node = nullptr;
};

class Slot {
public:
    Attribute *attribute = nullptr;
    double number[3] = {0, 0, 0};
    MMatrix matrix;
    MTime time;
    MString text;
    MObject object;
    bool element = false, clean = false;
    std::map<unsigned, std::shared_ptr<Slot>> elements;
    std::map<Attribute *, std::shared_ptr<Slot>> children;
    Node *from = nullptr;
    std::string from_path;

    bool array() const { return attribute->array && !element; }
};

std::shared_ptr<Slot> make_slot(Attribute *attribute, bool element = false) {
    auto slot = std::make_shared<Slot>();
    slot->attribute = attribute;
    slot->element = element;
    std::copy(attribute->value, attribute->value + 3, slot->number);
    if (!slot->array()) {
        for (const auto &child : attribute->children) {
            slot->children[child.get()] = make_slot(child.get());
        }
    }
    return slot;
}

struct NodeType {
    std::string name;
    unsigned id = 0;
    void *(*creator)() = nullptr;
    bool deformer = false;
    std::vector<std::shared_ptr<Attribute>> attributes;
};

class Node {
public:
    std::string name;
    NodeType *type = nullptr;
    std::unique_ptr<MPxNode> behind;
    std::shared_ptr<NodeThing> thing = std::make_shared<NodeThing>();
    std::map<Attribute *, std::shared_ptr<Slot>> roots;
    struct Link {
        std::string output;
        Node *to;
        Attribute *input;
    };
    std::vector<Link> links;
};

[[noreturn]] void fail(const std::string &text) {
    std::fprintf(stderr, "fake Maya: %s\n", text.c_str());
    std::abort();
}

Attribute &attribute_of(const MObject &object) {
    auto *attribute = dynamic_cast<Attribute *>(object.thing().get());
    if (attribute == nullptr) {
        fail("not an attribute");
    }
    return *attribute;
}

std::vector<NodeType *> &types() {
    static std::vector<NodeType *> all;
    return all;
}
NodeType *&initializing() {
    static NodeType *type = nullptr;
    return type;
}

MTime::Unit &time_unit() {
    static MTime::Unit unit = MTime::kFilm;
    return unit;
}
MDistance::Unit &distance_unit() {
    static MDistance::Unit unit = MDistance::kCentimeters;
    return unit;
}

bool &reading() {
    static bool now = false;
    return now;
}

std::mutex &log_mutex() {
    static std::mutex mutex;
    return mutex;
}
std::vector<std::string> &log() {
    static std::vector<std::string> lines;
    return lines;
}

// What the API's classes keep from each other.
struct Plugs {
    static MDataHandle handle(Slot *slot) {
        MDataHandle handle;
        handle.slot_ = slot;
        return handle;
    }
    static Slot *slot(const MDataHandle &handle) { return handle.slot_; }
    static MArrayDataHandle array(Slot *slot) {
        MArrayDataHandle handle;
        handle.slot_ = slot;
        return handle;
    }
    static MDataBlock block(Node *node) {
        MDataBlock block;
        block.node_ = node;
        return block;
    }
    static void bind(MPxNode &behind, Node *node) { behind.node_ = node; }
    static Node *node(const MPxNode &behind) { return behind.node_; }
    static MPlug plug(Node *node, Attribute *root, long long index);
    static long long index(const MPlug &plug) { return plug.index_; }
    // Of a number in an element of an array, or of such a number's child.
    static MStatus set(const MPlug &plug, double value);
};

std::shared_ptr<Attribute> find_attribute(Node *node, const std::string &name) {
    for (const auto &attribute : node->type->attributes) {
        if (attribute->name == name) {
            return attribute;
        }
        for (const auto &child : attribute->children) {
            if (child->name == name) {
                return child;
            }
            for (const auto &grandchild : child->children) {
                if (grandchild->name == name) {
                    return grandchild;
                }
            }
        }
    }
    return nullptr;
}

MPlug Plugs::plug(Node *node, Attribute *root, long long index) {
    MPlug plug(MObject(node->thing), MObject(find_attribute(node, root->name)));
    plug.index_ = index;
    return plug;
}

void compute(Node *node, Attribute *root, long long index) {
    MDataBlock block = Plugs::block(node);
    const MStatus status = node->behind->compute(Plugs::plug(node, root, index), block);
    if (!status) {
        fail(node->name + "." + root->name + ": compute failed: " + status.errorString().asChar());
    }
}

Slot *walk(Node *node, const std::string &path, bool make);

// The value of an output, computed if it is dirty.
Slot *evaluated(Node *node, const std::string &path) {
    const std::string root_name = path.substr(0, path.find_first_of("[."));
    const auto root = find_attribute(node, root_name);
    if (!root) {
        fail(node->name + " has no " + root_name);
    }
    if (!root->writable) {
        const auto bracket = path.find('[');
        const long long index = bracket == std::string::npos ? -1 : std::atoll(path.c_str() + bracket + 1);
        const auto &slot = node->roots.at(root.get());
        // An array as a whole: any element will do.
        const auto element = slot->elements.find(index < 0 ? 0 : static_cast<unsigned>(index));
        const bool clean = root->array ? element != slot->elements.end() && element->second->clean && slot->clean : slot->clean;
        if (!clean) {
            compute(node, root.get(), root->array && index < 0 ? 0 : index);
            if (!slot->clean) {
                Slot *one = index >= 0 ? walk(node, path, false) : nullptr;
                if (one == nullptr || !one->clean) {
                    fail(node->name + "." + path + ": compute has left it dirty");
                }
                slot->clean = true;
            }
        }
    }
    return walk(node, path, false);
}

void copy_value(Slot &to, const Slot &from) {
    std::copy(from.number, from.number + 3, to.number);
    to.matrix = from.matrix;
    to.time = from.time;
    to.text = from.text;
    to.object = from.object;
}

void pull(Slot &slot) {
    if (slot.from != nullptr) {
        const Slot *source = evaluated(slot.from, slot.from_path);
        if (source != nullptr) {
            copy_value(slot, *source);
        } else {
            slot.object = MObject();
        }
    }
    for (auto &[index, element] : slot.elements) {
        pull(*element);
    }
    for (auto &[attribute, child] : slot.children) {
        pull(*child);
    }
    slot.clean = true;
}

Slot *walk(Node *node, const std::string &path, bool make) {
    Slot *slot = nullptr;
    std::size_t at = 0;
    while (at < path.size()) {
        if (path[at] == '[') {
            const auto index = static_cast<unsigned>(std::atoi(path.c_str() + at + 1));
            auto &element = slot->elements[index];
            if (!element) {
                if (!make) {
                    slot->elements.erase(index);
                    return nullptr;
                }
                element = make_slot(slot->attribute, true);
            }
            slot = element.get();
            at = path.find(']', at) + 1;
            continue;
        }
        if (path[at] == '.') {
            at++;
        }
        const std::size_t end = std::min(path.find_first_of("[.", at), path.size());
        const std::string name = path.substr(at, end - at);
        at = end;
        if (slot == nullptr) {
            for (const auto &[attribute, root] : node->roots) {
                if (attribute->name == name) {
                    slot = root.get();
                }
            }
        } else {
            Slot *next = nullptr;
            for (const auto &[attribute, child] : slot->children) {
                if (attribute->name == name) {
                    next = child.get();
                }
            }
            slot = next;
        }
        if (slot == nullptr) {
            if (make) {
                fail(node->name + " has no " + path);
            }
            return nullptr;
        }
    }
    return slot;
}

void dirty(Node *node, Attribute *input) {
    std::vector<Attribute *> outputs = input->affects;
    for (Attribute *parent = input->parent; parent != nullptr; parent = parent->parent) {
        outputs.insert(outputs.end(), parent->affects.begin(), parent->affects.end());
    }
    for (Attribute *output : outputs) {
        const auto root = node->roots.find(output);
        if (root == node->roots.end()) {
            continue;
        }
        root->second->clean = false;
        for (auto &[index, element] : root->second->elements) {
            element->clean = false;
        }
        for (const Node::Link &link : node->links) {
            if (link.output.substr(0, link.output.find('[')) == output->name) {
                dirty(link.to, link.input);
            }
        }
    }
}

MStatus Plugs::set(const MPlug &plug, double value) {
    const auto *thing = dynamic_cast<const NodeThing *>(plug.node().thing().get());
    Attribute &a = attribute_of(plug.attribute());
    if (thing == nullptr || plug.index_ < 0 || a.kind != Kind::Number) {
        return MS::kFailure;
    }
    const std::string element = "[" + std::to_string(plug.index_) + "]";
    walk(thing->node, a.parent != nullptr ? a.parent->name + element + "." + a.name : a.name + element, true)->number[0] = value;
    dirty(thing->node, &a);
    return MS::kSuccess;
}

}  // namespace fake

using namespace fake;

const MObject MObject::kNullObj;
const MMatrix MMatrix::identity;

MString MStatus::errorString() const {
    static const char *const names[] = {"success", "failure", "insufficient memory", "invalid parameter", "license failure", "unknown parameter", "not implemented", "not found", "end of file"};
    return names[code_];
}
void MStatus::perror(const char *text) const { MGlobal::displayError(MString(text) + ": " + errorString()); }

MMatrix MMatrix::operator*(const MMatrix &right) const {
    MMatrix out;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            out.matrix[i][j] = 0;
            for (int k = 0; k < 4; k++) {
                out.matrix[i][j] += matrix[i][k] * right.matrix[k][j];
            }
        }
    }
    return out;
}
MMatrix MMatrix::inverse() const {
    // Gauss and Jordan, with pivots.
    double m[4][8] = {};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            m[i][j] = matrix[i][j];
        }
        m[i][4 + i] = 1;
    }
    for (int c = 0; c < 4; c++) {
        int pivot = c;
        for (int r = c; r < 4; r++) {
            if (std::fabs(m[r][c]) > std::fabs(m[pivot][c])) {
                pivot = r;
            }
        }
        std::swap(m[c], m[pivot]);
        const double d = m[c][c];
        for (double &x : m[c]) {
            x /= d;
        }
        for (int r = 0; r < 4; r++) {
            const double f = m[r][c];
            for (int k = 0; k < 8 && r != c; k++) {
                m[r][k] -= f * m[c][k];
            }
        }
    }
    MMatrix out;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            out.matrix[i][j] = m[i][4 + j];
        }
    }
    return out;
}
bool MMatrix::operator==(const MMatrix &other) const {
    return std::equal(&matrix[0][0], &matrix[0][0] + 16, &other.matrix[0][0]);
}
MPoint MPoint::operator*(const MMatrix &m) const {
    const double v[4] = {x, y, z, w};
    double out[4] = {};
    for (int j = 0; j < 4; j++) {
        for (int k = 0; k < 4; k++) {
            out[j] += v[k] * m.matrix[k][j];
        }
    }
    return {out[0], out[1], out[2], out[3]};
}

double MTime::per_second(Unit unit) {
    static const double rates[] = {1, 1.0 / 3600, 1.0 / 60, 1, 1000, 15, 24, 25, 30, 48};
    return rates[unit];
}
MTime::Unit MTime::uiUnit() { return time_unit(); }
MStatus MTime::setUIUnit(Unit unit) { time_unit() = unit; return MS::kSuccess; }
MTimeRange MTimeRange::operator|(const MTimeRange &other) const {
    if (empty_ || other.empty_) {
        return empty_ ? other : *this;
    }
    return {other.begin_ < begin_ ? other.begin_ : begin_, end_ < other.end_ ? other.end_ : end_};
}
double MDistance::centimetres(Unit unit) {
    static const double sizes[] = {1, 2.54, 30.48, 91.44, 160934.4, 0.1, 1, 1e5, 100};
    return sizes[unit];
}
MDistance::Unit MDistance::uiUnit() { return distance_unit(); }
MStatus MDistance::setUIUnit(Unit unit) { distance_unit() = unit; return MS::kSuccess; }

MPlug::MPlug(const MObject &node, const MObject &attribute) : node_(node), attribute_(attribute) {}
unsigned int MPlug::logicalIndex(MStatus *status) const {
    if (status != nullptr) {
        *status = index_ >= 0 ? MS::kSuccess : MS::kFailure;
    }
    return index_ >= 0 ? static_cast<unsigned>(index_) : 0;
}
MStatus MPlug::selectAncestorLogicalIndex(unsigned int index, const MObject &attribute) {
    if (attribute != attribute_) {
        return MS::kInvalidParameter;
    }
    index_ = index;
    return MS::kSuccess;
}

namespace {
void succeed(MStatus *status, MStatus::MStatusCode code = MS::kSuccess) {
    if (status != nullptr) {
        *status = code;
    }
}
}  // namespace

MPlug MPlug::elementByLogicalIndex(unsigned int index, MStatus *status) const {
    MPlug plug = *this;
    plug.index_ = index;
    succeed(status, attribute_of(attribute_).array && index_ < 0 ? MS::kSuccess : MS::kFailure);
    return plug;
}
MPlug MPlug::child(const MObject &attribute, MStatus *status) const {
    MPlug plug = *this;
    plug.attribute_ = attribute;
    succeed(status, attribute_of(attribute).parent == &attribute_of(attribute_) ? MS::kSuccess : MS::kInvalidParameter);
    return plug;
}
MStatus MPlug::setFloat(float value) { return Plugs::set(*this, static_cast<double>(value)); }
MStatus MPlug::setShort(short value) { return Plugs::set(*this, value); }

namespace {
// The handle of the wrong type is a fault of the node that Maya would hide.
Slot &of(const MDataHandle &handle, Kind kind) {
    Slot *slot = Plugs::slot(handle);
    if (slot == nullptr) {
        fail("an empty data handle");
    }
    if (slot->attribute->kind != kind) {
        fail(slot->attribute->name + " is read or written as another type");
    }
    return *slot;
}
}  // namespace

bool MDataHandle::asBool() const { return of(*this, Kind::Number).number[0] != 0; }
short MDataHandle::asShort() const { return static_cast<short>(of(*this, Kind::Number).number[0]); }
int MDataHandle::asInt() const { return static_cast<int>(of(*this, Kind::Number).number[0]); }
float MDataHandle::asFloat() const { return static_cast<float>(of(*this, Kind::Number).number[0]); }
double MDataHandle::asDouble() const { return of(*this, Kind::Number).number[0]; }
double3 &MDataHandle::asDouble3() const { return of(*this, Kind::Vector).number; }
const MMatrix &MDataHandle::asMatrix() const { return of(*this, Kind::Matrix).matrix; }
MTime MDataHandle::asTime() const { return of(*this, Kind::Time).time; }
MDistance MDataHandle::asDistance() const { return {of(*this, Kind::Distance).number[0], MDistance::kCentimeters}; }
MObject MDataHandle::asNurbsCurve() const { return of(*this, Kind::Data).object; }
MObject MDataHandle::asMesh() const { return of(*this, Kind::Data).object; }
namespace {
template <class Of>
MObject transformed(const MObject &object) {
    const auto placed = std::dynamic_pointer_cast<Of>(object.thing());
    if (placed == nullptr) {
        return object;
    }
    const auto made = std::make_shared<Of>(*placed);
    made->points = placed->in(MSpace::kWorld);
    made->matrix = MMatrix();
    return MObject(made);
}
}  // namespace
MObject MDataHandle::asNurbsCurveTransformed() const { return transformed<CurveThing>(asNurbsCurve()); }
MObject MDataHandle::asMeshTransformed() const { return transformed<MeshThing>(asMesh()); }
MObject MDataHandle::data() const { return of(*this, Kind::Data).object; }
MDataHandle MDataHandle::child(const MObject &attribute) const {
    const auto at = slot_->children.find(&attribute_of(attribute));
    if (at == slot_->children.end()) {
        fail(slot_->attribute->name + " has no child " + attribute_of(attribute).name);
    }
    return Plugs::handle(at->second.get());
}
void MDataHandle::setInt(int value) { of(*this, Kind::Number).number[0] = value; }
void MDataHandle::setDouble(double value) { of(*this, Kind::Number).number[0] = value; }
MString &MDataHandle::asString() const { return of(*this, Kind::Data).text; }
void MDataHandle::setString(const MString &value) { of(*this, Kind::Data).text = value; }
void MDataHandle::setMMatrix(const MMatrix &value) { of(*this, Kind::Matrix).matrix = value; }
MStatus MDataHandle::setMObject(const MObject &object) { of(*this, Kind::Data).object = object; return MS::kSuccess; }
MStatus MDataHandle::copy(const MDataHandle &from) {
    Slot &to = of(*this, Kind::Data);
    const MObject &source = of(from, Kind::Data).object;
    if (const auto curve = std::dynamic_pointer_cast<CurveThing>(source.thing())) {
        to.object = MObject(std::make_shared<CurveThing>(*curve));
    } else if (const auto mesh = std::dynamic_pointer_cast<MeshThing>(source.thing())) {
        to.object = MObject(std::make_shared<MeshThing>(*mesh));
    } else {
        return MS::kFailure;
    }
    return MS::kSuccess;
}

MArrayDataBuilder::MArrayDataBuilder(MDataBlock *block, const MObject &attribute, unsigned int, MStatus *status) {
    Attribute &a = attribute_of(attribute);
    if (block == nullptr || !a.array || !a.builder) {
        fail(a.name + ": no array that uses a builder");
    }
    slot_ = make_slot(&a);
    succeed(status);
}
MDataHandle MArrayDataBuilder::addElement(unsigned int index, MStatus *status) {
    succeed(status);
    auto &element = slot_->elements[index];
    if (!element) {
        element = make_slot(slot_->attribute, true);
    }
    return Plugs::handle(element.get());
}
unsigned int MArrayDataBuilder::elementCount(MStatus *status) const {
    succeed(status);
    return static_cast<unsigned>(slot_->elements.size());
}

unsigned int MArrayDataHandle::elementCount(MStatus *status) const {
    succeed(status);
    return static_cast<unsigned>(slot_->elements.size());
}
MStatus MArrayDataHandle::jumpToArrayElement(unsigned int position) {
    auto &all = slot_->elements;
    if (position >= all.size()) {
        return MS::kFailure;
    }
    // The next one is found without a search from the first.
    const bool next = element_ != nullptr && position == position_ + 1;
    const auto at = next ? all.upper_bound(index_) : std::next(all.begin(), position);
    position_ = position;
    index_ = at->first;
    element_ = at->second.get();
    return MS::kSuccess;
}
MStatus MArrayDataHandle::jumpToElement(unsigned int index) {
    const auto at = slot_->elements.find(index);
    if (at == slot_->elements.end()) {
        return MS::kFailure;
    }
    position_ = static_cast<unsigned>(std::distance(slot_->elements.begin(), at));
    index_ = index;
    element_ = at->second.get();
    return MS::kSuccess;
}
unsigned int MArrayDataHandle::elementIndex(MStatus *status) const {
    succeed(status);
    return index_;
}
MDataHandle MArrayDataHandle::inputValue(MStatus *status) {
    if (element_ == nullptr) {
        fail(slot_->attribute->name + ": no such element");
    }
    succeed(status);
    return Plugs::handle(element_);
}
MStatus MArrayDataHandle::set(const MArrayDataBuilder &builder) {
    slot_->elements = builder.slot_->elements;
    return MS::kSuccess;
}
MStatus MArrayDataHandle::setAllClean() {
    for (auto &[index, element] : slot_->elements) {
        element->clean = true;
    }
    return MS::kSuccess;
}

namespace {
Slot *root(Node *node, const MObject &attribute) {
    Attribute &a = attribute_of(attribute);
    const auto at = node->roots.find(&a);
    if (at == node->roots.end()) {
        fail(node->name + " has no " + a.name);
    }
    return at->second.get();
}
Slot *element(Node *node, const MPlug &plug) {
    Slot *slot = root(node, plug.attribute());
    if (Plugs::index(plug) < 0) {
        return slot;
    }
    auto &one = slot->elements[static_cast<unsigned>(Plugs::index(plug))];
    if (!one) {
        one = make_slot(slot->attribute, true);
    }
    return one.get();
}
}  // namespace

MDataHandle MDataBlock::inputValue(const MObject &attribute, MStatus *status) {
    Slot *slot = root(node_, attribute);
    if (slot->array()) {
        fail(slot->attribute->name + ": inputValue of an array");
    }
    pull(*slot);
    succeed(status);
    return Plugs::handle(slot);
}
MDataHandle MDataBlock::inputValue(const MPlug &plug, MStatus *status) {
    Slot *slot = element(node_, plug);
    pull(*slot);
    succeed(status);
    return Plugs::handle(slot);
}
MDataHandle MDataBlock::outputValue(const MObject &attribute, MStatus *status) {
    succeed(status);
    return Plugs::handle(root(node_, attribute));
}
MDataHandle MDataBlock::outputValue(const MPlug &plug, MStatus *status) {
    succeed(status);
    return Plugs::handle(element(node_, plug));
}
MArrayDataHandle MDataBlock::inputArrayValue(const MObject &attribute, MStatus *status) {
    Slot *slot = root(node_, attribute);
    if (!slot->array()) {
        fail(slot->attribute->name + ": inputArrayValue of no array");
    }
    pull(*slot);
    succeed(status);
    return Plugs::array(slot);
}
MArrayDataHandle MDataBlock::outputArrayValue(const MObject &attribute, MStatus *status) {
    succeed(status);
    return Plugs::array(root(node_, attribute));
}
MStatus MDataBlock::setClean(const MObject &attribute) { root(node_, attribute)->clean = true; return MS::kSuccess; }
MStatus MDataBlock::setClean(const MPlug &plug) { element(node_, plug)->clean = true; return MS::kSuccess; }
bool MDataBlock::isClean(const MObject &attribute, MStatus *status) {
    succeed(status);
    return root(node_, attribute)->clean;
}

MPxNode::~MPxNode() = default;
void MPxNode::postConstructor() {}
MStatus MPxNode::compute(const MPlug &, MDataBlock &) { return MS::kUnknownParameter; }
void MPxNode::copyInternalData(MPxNode *) {}
bool MPxNode::getInternalValue(const MPlug &, MDataHandle &) { return false; }
bool MPxNode::setInternalValue(const MPlug &, const MDataHandle &) { return false; }
MStatus MPxNode::shouldSave(const MPlug &, bool &) { return MS::kUnknownParameter; }
MPxNode::SchedulingType MPxNode::schedulingType() const { return kDefaultScheduling; }
void MPxNode::getCacheSetup(const MEvaluationNode &, MNodeCacheDisablingInfo &, MNodeCacheSetupInfo &, MObjectArray &) const {}
MTimeRange MPxNode::transformInvalidationRange(const MPlug &, const MTimeRange &input) const { return input; }
MString MPxNode::name() const { return node_->name.c_str(); }
MObject MPxNode::thisMObject() const { return MObject(node_->thing); }
MDataBlock MPxNode::forceCache() { return Plugs::block(node_); }
MStatus MPxNode::addAttribute(const MObject &attribute) {
    const auto a = std::dynamic_pointer_cast<Attribute>(attribute.thing());
    if (!a || initializing() == nullptr) {
        return MS::kFailure;
    }
    for (const auto &other : initializing()->attributes) {
        if (other->name == a->name || other->brief == a->brief) {
            fail("two attributes are called " + a->name + " or " + a->brief);
        }
    }
    initializing()->attributes.push_back(a);
    return MS::kSuccess;
}
MStatus MPxNode::attributeAffects(const MObject &when, const MObject &affected) {
    attribute_of(when).affects.push_back(&attribute_of(affected));
    return MS::kSuccess;
}

namespace {
MObject made(const MString &name, const MString &brief, Kind kind, double value, MStatus *status) {
    auto a = std::make_shared<Attribute>();
    a->name = name.asChar();
    a->brief = brief.asChar();
    a->kind = kind;
    a->value[0] = value;
    succeed(status);
    return MObject(a);
}
MObject base(const char *name, const char *brief, Kind kind, double value, bool array, std::vector<MObject> children = {}) {
    const MObject object = made(name, brief, kind, value, nullptr);
    Attribute &a = attribute_of(object);
    a.array = array;
    for (const MObject &child : children) {
        a.children.push_back(std::dynamic_pointer_cast<Attribute>(child.thing()));
        a.children.back()->parent = &a;
    }
    return object;
}
MObject base_output() {
    const MObject object = base("outputGeometry", "og", Kind::Data, 0, true);
    attribute_of(object).writable = false;
    return object;
}
}  // namespace

MObject MPxGeometryFilter::inputGeom = base("inputGeometry", "ig", Kind::Data, 0, false);
MObject MPxGeometryFilter::groupId = base("groupId", "gi", Kind::Number, 0, false);
MObject MPxGeometryFilter::input = base("input", "ip", Kind::Compound, 0, true, {MPxGeometryFilter::inputGeom, MPxGeometryFilter::groupId});
MObject MPxGeometryFilter::outputGeom = base_output();
MObject MPxGeometryFilter::envelope = base("envelope", "en", Kind::Number, 1, false);
MObject MPxDeformerNode::weights = base("weights", "w", Kind::Number, 1, true);
MObject MPxDeformerNode::weightList = base("weightList", "wl", Kind::Compound, 0, true, {MPxDeformerNode::weights});

float MPxDeformerNode::weightValue(MDataBlock &block, unsigned int geometry, unsigned int point) {
    MArrayDataHandle list = block.inputArrayValue(weightList);
    if (list.elementCount() == 0 || !list.jumpToElement(geometry)) {
        return 1;
    }
    MArrayDataHandle values = Plugs::array(Plugs::slot(list.inputValue().child(weights)));
    return values.elementCount() != 0 && values.jumpToElement(point) ? values.inputValue().asFloat() : 1;
}

MItGeometry::MItGeometry(MDataHandle &geometry, unsigned int group, bool read_only, MStatus *status) : MItGeometry(geometry, read_only, status) {
    // The stage has one set, number 1 or none: the first half of the points.
    if (group == 1) {
        members_.resize(members_.size() / 2);
    } else if (group > 1) {
        members_.clear();
    }
}
MItGeometry::MItGeometry(MDataHandle &geometry, bool, MStatus *status) {
    Thing *thing = geometry.slot_->object.thing().get();
    if (auto *curve = dynamic_cast<CurveThing *>(thing)) {
        points_ = &curve->points;
    } else if (auto *mesh = dynamic_cast<MeshThing *>(thing)) {
        points_ = &mesh->points;
    }
    succeed(status, points_ != nullptr ? MS::kSuccess : MS::kFailure);
    for (std::size_t i = 0; points_ != nullptr && i < points_->size(); i++) {
        members_.push_back(i);
    }
}
MPoint MItGeometry::position(MSpace::Space, MStatus *status) {
    succeed(status);
    return points_->at(members_.at(at_));
}
MStatus MItGeometry::setPosition(const MPoint &point, MSpace::Space) {
    points_->at(members_.at(at_)) = point;
    return MS::kSuccess;
}

Attribute &MFnAttribute::attribute() const { return attribute_of(object_); }
MString MFnAttribute::name(MStatus *status) const {
    succeed(status);
    return attribute().name.c_str();
}
MStatus MFnAttribute::setKeyable(bool state) { attribute().keyable = state; return MS::kSuccess; }
MStatus MFnAttribute::setChannelBox(bool) { return MS::kSuccess; }
MStatus MFnAttribute::setStorable(bool state) { attribute().storable = state; return MS::kSuccess; }
MStatus MFnAttribute::setWritable(bool state) { attribute().writable = state; return MS::kSuccess; }
MStatus MFnAttribute::setHidden(bool state) { attribute().hidden = state; return MS::kSuccess; }
MStatus MFnAttribute::setInternal(bool state) { attribute().internal = state; return MS::kSuccess; }
MStatus MFnAttribute::setArray(bool state) { attribute().array = state; return MS::kSuccess; }
MStatus MFnAttribute::setUsesArrayDataBuilder(bool state) { attribute().builder = state; return MS::kSuccess; }

MObject MFnNumericAttribute::create(const MString &name, const MString &brief, MFnNumericData::Type, double value, MStatus *status) {
    return object_ = made(name, brief, Kind::Number, value, status);
}
MObject MFnNumericAttribute::create(const MString &name, const MString &brief, const MObject &x, const MObject &y, const MObject &z, MStatus *status) {
    object_ = made(name, brief, Kind::Vector, attribute_of(x).value[0], status);
    attribute().value[1] = attribute_of(y).value[0];
    attribute().value[2] = attribute_of(z).value[0];
    return object_;
}
MStatus MFnNumericAttribute::setMin(double value) { attribute().limited_below = true; attribute().least = value; return MS::kSuccess; }
MStatus MFnNumericAttribute::setMax(double value) { attribute().limited_above = true; attribute().most = value; return MS::kSuccess; }
MStatus MFnNumericAttribute::setSoftMax(double) { return MS::kSuccess; }
MObject MFnUnitAttribute::create(const MString &name, const MString &brief, Type type, double value, MStatus *status) {
    return object_ = made(name, brief, type == kTime ? Kind::Time : type == kDistance ? Kind::Distance : Kind::Number, value, status);
}
MStatus MFnUnitAttribute::setMin(double value) { attribute().limited_below = true; attribute().least = value; return MS::kSuccess; }
MObject MFnEnumAttribute::create(const MString &name, const MString &brief, short value, MStatus *status) {
    return object_ = made(name, brief, Kind::Number, value, status);
}
MStatus MFnEnumAttribute::addField(const MString &, short value) {
    attribute().limited_below = attribute().limited_above = true;
    attribute().most = value;
    return MS::kSuccess;
}
MObject MFnMatrixAttribute::create(const MString &name, const MString &brief, Type, MStatus *status) {
    return object_ = made(name, brief, Kind::Matrix, 0, status);
}
MObject MFnTypedAttribute::create(const MString &name, const MString &brief, MFnData::Type type, MObject, MStatus *status) {
    object_ = made(name, brief, Kind::Data, 0, status);
    attribute().data = type;
    return object_;
}
MObject MFnCompoundAttribute::create(const MString &name, const MString &brief, MStatus *status) {
    return object_ = made(name, brief, Kind::Compound, 0, status);
}
MStatus MFnCompoundAttribute::addChild(const MObject &child) {
    attribute().children.push_back(std::dynamic_pointer_cast<Attribute>(child.thing()));
    attribute().children.back()->parent = &attribute();
    return MS::kSuccess;
}
unsigned int MFnCompoundAttribute::numChildren(MStatus *status) const {
    succeed(status);
    return static_cast<unsigned>(attribute().children.size());
}
MObject MFnCompoundAttribute::child(unsigned int index, MStatus *status) const {
    succeed(status, index < attribute().children.size() ? MS::kSuccess : MS::kInvalidParameter);
    return index < attribute().children.size() ? MObject(attribute().children[index]) : MObject();
}
// An array of position, value and interpolation, as Maya names them.
MObject MRampAttribute::createCurveRamp(const MString &name, const MString &brief, MStatus *status) {
    const MObject ramp = base(name.asChar(), brief.asChar(), Kind::Compound, 0, true,
                              {made(name + "_Position", brief + "p", Kind::Number, 0, nullptr), made(name + "_FloatValue", brief + "fv", Kind::Number, 0, nullptr),
                               made(name + "_Interp", brief + "i", Kind::Number, 0, nullptr)});
    succeed(status);
    return ramp;
}

MFnDoubleArrayData::MFnDoubleArrayData(MObject &object, MStatus *status) : object_(object) {
    succeed(status, dynamic_cast<DoublesThing *>(object.thing().get()) != nullptr ? MS::kSuccess : MS::kFailure);
}
MObject MFnDoubleArrayData::create(const MDoubleArray &values, MStatus *status) {
    auto thing = std::make_shared<DoublesThing>();
    for (unsigned i = 0; i < values.length(); i++) {
        thing->values.push_back(values[i]);
    }
    succeed(status);
    return object_ = MObject(thing);
}
MDoubleArray MFnDoubleArrayData::array(MStatus *status) const {
    succeed(status);
    MDoubleArray out;
    for (const double value : dynamic_cast<DoublesThing &>(*object_.thing()).values) {
        out.append(value);
    }
    return out;
}

MObject MFnNurbsCurveData::create(MStatus *status) {
    succeed(status);
    return MObject(std::make_shared<CurveThing>());
}
namespace {
CurveThing *curve_of(const MObject &object) { return dynamic_cast<CurveThing *>(object.thing().get()); }
}  // namespace
MFnNurbsCurve::MFnNurbsCurve(MObject &object, MStatus *status) { succeed(status, setObject(object).statusCode()); }
MStatus MFnNurbsCurve::setObject(MObject &object) {
    object_ = object;
    return curve_of(object) != nullptr ? MS::kSuccess : MS::kInvalidParameter;
}
MObject MFnNurbsCurve::create(const MPointArray &points, const MDoubleArray &knots, unsigned int degree, Form form, bool, bool, MObject owner, MStatus *status) {
    CurveThing *curve = curve_of(owner);
    if (curve == nullptr || knots.length() + 1 != points.length() + degree) {
        succeed(status, MS::kInvalidParameter);
        return MObject();
    }
    for (unsigned i = 0; i < points.length(); i++) {
        curve->points.push_back(points[i]);
    }
    for (unsigned i = 0; i < knots.length(); i++) {
        curve->knots.push_back(knots[i]);
    }
    curve->degree = degree;
    curve->form = form;
    object_ = owner;
    succeed(status);
    return owner;
}
MObject MFnNurbsCurve::copy(const MObject &source, MObject owner, MStatus *status) {
    const CurveThing *from = curve_of(source);
    CurveThing *to = curve_of(owner);
    if (from == nullptr || to == nullptr) {
        succeed(status, MS::kInvalidParameter);
        return MObject();
    }
    *to = *from;
    object_ = owner;
    succeed(status);
    return owner;
}
MStatus MFnNurbsCurve::getCVs(MPointArray &points, MSpace::Space space) const {
    points.clear();
    for (const MPoint &point : curve_of(object_)->in(space)) {
        points.append(point);
    }
    return MS::kSuccess;
}
MStatus MFnNurbsCurve::setCVs(const MPointArray &points, MSpace::Space) {
    CurveThing *curve = curve_of(object_);
    if (curve == nullptr || points.length() != curve->points.size()) {
        return MS::kInvalidParameter;
    }
    for (unsigned i = 0; i < points.length(); i++) {
        curve->points[i] = points[i];
    }
    return MS::kSuccess;
}
MStatus MFnNurbsCurve::getKnots(MDoubleArray &knots) const {
    knots.clear();
    for (const double knot : curve_of(object_)->knots) {
        knots.append(knot);
    }
    return MS::kSuccess;
}
int MFnNurbsCurve::degree(MStatus *status) const {
    succeed(status);
    return static_cast<int>(curve_of(object_)->degree);
}

MObject MFnMeshData::create(MStatus *status) {
    succeed(status);
    return MObject(std::make_shared<MeshThing>());
}
MFnMesh::MFnMesh(MObject &object, MStatus *status) : object_(object) { succeed(status); }
MObject MFnMesh::create(int vertices, int, const MPointArray &points, const MIntArray &counts, const MIntArray &connects, MObject owner, MStatus *status) {
    auto &mesh = dynamic_cast<MeshThing &>(*owner.thing());
    for (unsigned i = 0; i < static_cast<unsigned>(vertices); i++) {
        mesh.points.push_back(points[i]);
    }
    for (unsigned i = 0; i < counts.length(); i++) {
        mesh.counts.push_back(counts[i]);
    }
    for (unsigned i = 0; i < connects.length(); i++) {
        mesh.connects.push_back(connects[i]);
    }
    object_ = owner;
    succeed(status);
    return owner;
}
MStatus MFnMesh::getPoints(MPointArray &points, MSpace::Space space) const {
    points.clear();
    for (const MPoint &point : dynamic_cast<MeshThing &>(*object_.thing()).in(space)) {
        points.append(point);
    }
    return MS::kSuccess;
}
// Fans.
MStatus MFnMesh::getTriangles(MIntArray &counts, MIntArray &vertices) const {
    counts.clear();
    vertices.clear();
    const auto &mesh = dynamic_cast<const MeshThing &>(*object_.thing());
    std::size_t at = 0;
    for (const int corners : mesh.counts) {
        counts.append(corners - 2);
        for (int i = 1; i + 1 < corners; i++) {
            for (const int corner : {0, i, i + 1}) {
                vertices.append(mesh.connects[at + static_cast<std::size_t>(corner)]);
            }
        }
        at += static_cast<std::size_t>(corners);
    }
    return MS::kSuccess;
}

MFnPlugin::MFnPlugin(MObject &, const char *, const char *, const char *, MStatus *status) { succeed(status); }
MStatus MFnPlugin::registerNode(const MString &name, const MTypeId &id, void *(*creator)(), MStatus (*initialize)(), MPxNode::Type kind, const MString *) {
    for (const NodeType *other : types()) {
        if (other->id == id.id() || other->name == name.asChar()) {
            return MS::kInvalidParameter;
        }
    }
    auto *type = new NodeType;
    type->name = name.asChar();
    type->id = id.id();
    type->creator = creator;
    type->deformer = kind == MPxNode::kDeformerNode;
    if (type->deformer) {
        for (const MObject &object : {MPxGeometryFilter::input, MPxGeometryFilter::outputGeom, MPxGeometryFilter::envelope, MPxDeformerNode::weightList}) {
            type->attributes.push_back(std::dynamic_pointer_cast<Attribute>(object.thing()));
        }
        for (const MObject &object : {MPxGeometryFilter::input, MPxGeometryFilter::inputGeom, MPxGeometryFilter::envelope, MPxDeformerNode::weightList, MPxDeformerNode::weights}) {
            attribute_of(object).affects = {&attribute_of(MPxGeometryFilter::outputGeom)};
        }
    }
    initializing() = type;
    const MStatus status = initialize();
    initializing() = nullptr;
    types().push_back(type);
    return status;
}
MStatus MFnPlugin::deregisterNode(const MTypeId &id) {
    for (auto it = types().begin(); it != types().end(); ++it) {
        if ((*it)->id == id.id()) {
            delete *it;
            types().erase(it);
            return MS::kSuccess;
        }
    }
    return MS::kFailure;
}

namespace {
void say(const char *kind, const MString &text) {
    const std::lock_guard<std::mutex> lock(log_mutex());
    log().push_back(std::string(kind) + text.asChar());
}
}  // namespace
bool MFileIO::isReadingFile() { return reading(); }
void MGlobal::displayError(const MString &text) { say("error: ", text); }
void MGlobal::displayWarning(const MString &text) { say("warning: ", text); }
void MGlobal::displayInfo(const MString &text) { say("info: ", text); }

namespace fake {

struct Stage::Inner {
    void *plugin = nullptr;
    std::vector<std::unique_ptr<Node>> nodes;
};

namespace {
// In real Maya they are C++ functions, too.
using Entry = MStatus (*)(MObject);
Entry entry(void *plugin, const char *name) {
    void *symbol = dlsym(plugin, name);
    if (symbol == nullptr) {
        fail(std::string("the plugin has no ") + name);
    }
    Entry function = nullptr;
    *reinterpret_cast<void **>(&function) = symbol;
    return function;
}
}  // namespace

Stage::Stage(const std::string &plugin) : inner_(std::make_unique<Inner>()) {
    inner_->plugin = dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (inner_->plugin == nullptr) {
        fail(dlerror());
    }
    if (!entry(inner_->plugin, "_Z16initializePlugin7MObject")(MObject())) {
        fail("initializePlugin failed");
    }
}
Stage::~Stage() {
    if (inner_->plugin != nullptr) {
        unload();
    }
}
bool Stage::unload() {
    inner_->nodes.clear();
    const bool good = entry(inner_->plugin, "_Z18uninitializePlugin7MObject")(MObject());
    const bool none = types().empty();
    void *plugin = std::exchange(inner_->plugin, nullptr);
#if defined(__SANITIZE_ADDRESS__)
    // The library's statics own 384 bytes that only they point to: with them gone it would count as a leak.
    const bool closed = plugin != nullptr;
#else
    const bool closed = dlclose(plugin) == 0;
#endif
    return good && none && closed;
}

Node *Stage::make(const std::string &type, const std::string &name) {
    for (NodeType *candidate : types()) {
        if (candidate->name == type) {
            auto node = std::make_unique<Node>();
            node->name = name;
            node->type = candidate;
            node->thing->node = node.get();
            for (const auto &attribute : candidate->attributes) {
                node->roots[attribute.get()] = make_slot(attribute.get());
            }
            node->behind.reset(static_cast<MPxNode *>(candidate->creator()));
            Plugs::bind(*node->behind, node.get());
            inner_->nodes.push_back(std::move(node));
            Node *made = inner_->nodes.back().get();
            made->behind->postConstructor();
            return made;
        }
    }
    fail("no node type " + type);
}
void Stage::remove(Node *node) {
    auto &nodes = inner_->nodes;
    nodes.erase(std::remove_if(nodes.begin(), nodes.end(), [&](const auto &one) { return one.get() == node; }), nodes.end());
}
MPxNode *Stage::behind(Node *node) { return node->behind.get(); }

namespace {
std::shared_ptr<Slot> clone(const Slot &slot) {
    auto copy = std::make_shared<Slot>(slot);
    for (auto &[index, element] : copy->elements) {
        element = clone(*element);
    }
    for (auto &[attribute, child] : copy->children) {
        child = clone(*child);
    }
    copy->clean = false;
    return copy;
}
}  // namespace

Node *Stage::duplicate(Node *node, const std::string &name) {
    Node *made = make(node->type->name, name);
    for (auto &[attribute, slot] : node->roots) {
        made->roots[attribute] = attribute->writable ? clone(*slot) : make_slot(attribute);
    }
    made->behind->copyInternalData(node->behind.get());
    return made;
}

namespace {
Slot &settable(Node *node, const std::string &path, Kind kind) {
    Slot *slot = walk(node, path, true);
    if (slot->attribute->kind != kind || slot->array()) {
        fail(path + ": set as another type");
    }
    dirty(node, slot->attribute);
    return *slot;
}
}  // namespace

void Stage::set(Node *node, const std::string &path, double value) {
    const Kind kind = walk(node, path, true)->attribute->kind;
    settable(node, path, kind == Kind::Distance ? kind : Kind::Number).number[0] = value;
}
void Stage::set(Node *node, const std::string &path, double x, double y, double z) {
    Slot &slot = settable(node, path, Kind::Vector);
    slot.number[0] = x;
    slot.number[1] = y;
    slot.number[2] = z;
}
void Stage::set(Node *node, const std::string &path, const MMatrix &value) { settable(node, path, Kind::Matrix).matrix = value; }
void Stage::set(Node *node, const std::string &path, const MTime &value) { settable(node, path, Kind::Time).time = value; }
void Stage::set(Node *node, const std::string &path, const MObject &data) { settable(node, path, Kind::Data).object = data; }
bool Stage::type_in(Node *node, const std::string &path, double value) {
    const Attribute &a = *walk(node, path, true)->attribute;
    const double inside = a.kind == Kind::Distance ? value * MDistance::centimetres(distance_unit()) : value;
    if ((a.limited_below && inside < a.least) || (a.limited_above && inside > a.most)) {
        return false;
    }
    set(node, path, inside);
    return true;
}
void Stage::forget(Node *node, const std::string &path) {
    const std::size_t bracket = path.rfind('[');
    Slot *array = walk(node, path.substr(0, bracket), false);
    if (array == nullptr || array->elements.erase(static_cast<unsigned>(std::atoi(path.c_str() + bracket + 1))) == 0) {
        fail(node->name + " has no " + path);
    }
    dirty(node, array->attribute);
}
void Stage::connect(Node *from, const std::string &output, Node *to, const std::string &input) {
    Slot *slot = walk(to, input, true);
    slot->from = from;
    slot->from_path = output;
    from->links.push_back({output, to, slot->attribute});
    dirty(to, slot->attribute);
}

double Stage::number(Node *node, const std::string &path) { return evaluated(node, path)->number[0]; }
MMatrix Stage::matrix(Node *node, const std::string &path) { return evaluated(node, path)->matrix; }
std::string Stage::text(Node *node, const std::string &path) { return evaluated(node, path)->text.asChar(); }
MObject Stage::data(Node *node, const std::string &path) {
    const Slot *slot = evaluated(node, path);
    return slot != nullptr ? slot->object : MObject();
}
unsigned Stage::elements(Node *node, const std::string &path) { return static_cast<unsigned>(evaluated(node, path)->elements.size()); }
bool Stage::exists(Node *node, const std::string &path) { return find_attribute(node, path) != nullptr; }
bool Stage::keyable(Node *node, const std::string &path) { return find_attribute(node, path)->keyable; }
bool Stage::storable(Node *node, const std::string &path) { return find_attribute(node, path)->storable; }
std::vector<std::string> Stage::attributes(Node *node) {
    std::vector<std::string> names;
    for (const auto &attribute : node->type->attributes) {
        names.push_back(attribute->name);
        for (const auto &child : attribute->children) {
            names.push_back(child->name);
        }
    }
    return names;
}

namespace {
void store(std::ostream &out, const Slot &slot, const std::string &path) {
    const Attribute &a = *slot.attribute;
    if (!a.storable || !a.writable || slot.from != nullptr) {
        return;
    }
    if (slot.array()) {
        for (const auto &[index, element] : slot.elements) {
            store(out, *element, path + "[" + std::to_string(index) + "]");
        }
        return;
    }
    for (const auto &[attribute, child] : slot.children) {
        store(out, *child, path + "." + attribute->name);
    }
    switch (a.kind) {
        case Kind::Number:
        case Kind::Distance: out << "number " << path << " " << slot.number[0] << "\n"; break;
        case Kind::Vector: out << "vector " << path << " " << slot.number[0] << " " << slot.number[1] << " " << slot.number[2] << "\n"; break;
        case Kind::Matrix:
            out << "matrix " << path;
            for (unsigned i = 0; i < 16; i++) {
                out << " " << slot.matrix(i / 4, i % 4);
            }
            out << "\n";
            break;
        case Kind::Data:
            if (const auto *doubles = dynamic_cast<const DoublesThing *>(slot.object.thing().get())) {
                out << "doubles " << path << " " << doubles->values.size();
                for (const double value : doubles->values) {
                    out << " " << value;
                }
                out << "\n";
            }
            break;
        case Kind::Time:
        case Kind::Compound: break;
    }
}
}  // namespace

std::string Stage::save() {
    std::ostringstream out;
    out.precision(17);
    for (const auto &node : inner_->nodes) {
        out << "node " << node->type->name << " " << node->name << "\n";
        for (const auto &attribute : node->type->attributes) {
            if (attribute->internal && attribute->storable) {
                // What the node keeps, and not what stands in its data block.
                const MPlug plug(MObject(node->thing), MObject(attribute));
                bool is_saving = false;
                auto slot = make_slot(attribute.get());
                MDataHandle handle = Plugs::handle(slot.get());
                if (node->behind->shouldSave(plug, is_saving) && is_saving && node->behind->getInternalValue(plug, handle)) {
                    out << "text " << attribute->name << " " << slot->text.asChar() << "\n";
                }
            }
        }
        for (const auto &[attribute, slot] : node->roots) {
            store(out, *slot, attribute->name);
        }
    }
    return out.str();
}
void Stage::load(const std::string &text, const std::string &space) {
    std::istringstream in(text);
    std::string word, path;
    Node *node = nullptr;
    reading() = true;
    while (in >> word >> path) {
        if (word == "node") {
            std::string name;
            in >> name;
            node = make(path, space + name);
        } else if (word == "number") {
            double value = 0;
            in >> value;
            set(node, path, value);
        } else if (word == "vector") {
            double x = 0, y = 0, z = 0;
            in >> x >> y >> z;
            set(node, path, x, y, z);
        } else if (word == "matrix") {
            MMatrix m;
            for (unsigned i = 0; i < 16; i++) {
                in >> m(i / 4, i % 4);
            }
            set(node, path, m);
        } else if (word == "text") {
            std::string value;
            in >> value;
            set_text(node, path, value);
        } else if (word == "doubles") {
            unsigned n = 0;
            in >> n;
            MDoubleArray values(n);
            for (unsigned i = 0; i < n; i++) {
                in >> values[i];
            }
            MFnDoubleArrayData fn;
            set(node, path, fn.create(values));
        }
    }
    reading() = false;
}
void Stage::set_text(Node *node, const std::string &path, const std::string &value) {
    for (const auto &attribute : node->type->attributes) {
        if (attribute->name == path && attribute->internal) {
            auto slot = make_slot(attribute.get());
            slot->text = value.c_str();
            if (!node->behind->setInternalValue(MPlug(MObject(node->thing), MObject(attribute)), Plugs::handle(slot.get()))) {
                fail(path + ": the node does not take it");
            }
            return;
        }
    }
    fail(path + ": is no internal attribute");
}
Node *Stage::find(const std::string &name) {
    for (const auto &node : inner_->nodes) {
        if (node->name == name) {
            return node.get();
        }
    }
    return nullptr;
}
void Stage::place(const MObject &data, const MMatrix &matrix) { dynamic_cast<PlacedThing &>(*data.thing()).matrix = matrix; }
std::vector<std::string> Stage::errors() {
    const std::lock_guard<std::mutex> lock(log_mutex());
    return std::exchange(log(), {});
}

}  // namespace fake
