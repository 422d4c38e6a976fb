#include "ragdoll_node.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <maya/MArrayDataBuilder.h>
#include <maya/MArrayDataHandle.h>
#include <maya/MDataHandle.h>
#include <maya/MEvaluationNode.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MObjectArray.h>
#include <maya/MPlug.h>

namespace withy_maya {

namespace {

constexpr double DEGREE = 3.14159265358979323846 / 180;

struct Attributes {
    MObject current_time, enable, release_frame, space_scale, sub_steps, iterations, cache_memory, gravity, gravity_direction;
    MObject weight, stiffness, damping, self_collision;
    MObject bone, matrix, bind, parent, body, kinematic, radius, mass, swing, twist;
    MObject region, first, last, bend, region_twist, viscosity;
    ColliderAttributes colliders;
    MObject output, report, saved_asset;
};

Attributes a;

Table make_table() {
    Table table = {
        {&a.current_time, "currentTime", "cti", Type::Time, {0}, NONE, NONE, NONE, "time", false, "", "",
         "Connect the outTime of time1."},
        {&a.enable, "enable", "ena", Type::Bool, {1}, NONE, NONE, NONE, "", true, "", "",
         "Off: the output matrices are the input matrices."},
        {&a.release_frame, "releaseFrame", "rlf", Type::Double, {1}, NONE, NONE, NONE, "frame", false, "", "",
         "The frame at which physics takes over. Up to here the output is the input."},
        {&a.space_scale, "spaceScale", "sps", Type::Double, {0.01}, 1e-6, 1e6, 1, "m/cm", false, "WithyContextDef.metres_per_unit", "",
         "The length in metres that one centimetre of the scene stands for. It does not depend on the working units of Maya."},
        {&a.sub_steps, "subSteps", "sst", Type::Int, {8}, 1, 65536, 64, "", true, "WithyWorldDef.substeps", "",
         "Substeps of a frame. More of them make contacts and joints stiffer."},
        {&a.iterations, "iterations", "itr", Type::Int, {4}, 1, 10000, 16, "", true, "WithyWorldDef.iterations", "",
         "Iterations of a substep."},
        {&a.cache_memory, "cacheMemory", "cmm", Type::Int, {512}, 1, 1048576, 8192, "MB", false, "", "",
         "Memory for states of frames that were played. When it is full, states lie further apart, and scrubbing takes longer."},
        {&a.gravity, "gravity", "grv", Type::Double, {9.81}, NONE, NONE, NONE, "m/s^2", true, "", "", "Acceleration of gravity."},
        {&a.gravity_direction, "gravityDirection", "gdr", Type::Vector, {0, -1, 0}, NONE, NONE, NONE, "", true, "", "",
         "Its direction, of any length."},
        {&a.weight, "weight", "wgt", Type::Double, {1}, 0, 1, 1, "", true, "", "",
         "How much of the output is simulated; the rest is the animation. Key it to give the character back."},
        {&a.stiffness, "driveStiffness", "dst", Type::Double, {0}, 0, NONE, 1000, "N m/rad", true, "WithyRagdollDrive.stiffness", "",
         "How strongly the joints are pulled to the animation after the release; 0 is limp."},
        {&a.damping, "driveDamping", "ddm", Type::Double, {0}, 0, NONE, 100, "N m s/rad", true, "WithyRagdollDrive.damping", "",
         "Friction of the joints."},
        {&a.self_collision, "selfCollide", "scl", Type::Bool, {0}, NONE, NONE, NONE, "", false, "", "",
         "Bodies of the character collide with each other."},
        {&a.bone, "bone", "bn", Type::Compound, {0}, NONE, NONE, NONE, "", false, "", "",
         "The joints of the skeleton. Parents and children may come in any order.", true},
        {&a.matrix, "boneMatrix", "bmx", Type::Matrix, {0}, NONE, NONE, NONE, "", true, "", "",
         "World matrix of the animated joint. Scale goes through to the output.", false, "bone"},
        {&a.bind, "boneBindMatrix", "bbm", Type::Matrix, {0}, NONE, NONE, NONE, "", false, "", "",
         "World matrix of the joint in the bind pose. If all are identity, the pose of the release is taken.", false, "bone"},
        {&a.parent, "boneParent", "bpa", Type::Int, {-1}, -1, NONE, NONE, "", false, "", "",
         "The element of its parent in this array; -1 for a root.", false, "bone"},
        {&a.body, "boneBody", "bbo", Type::Bool, {1}, NONE, NONE, NONE, "", false, "", "",
         "The bone has a rigid body. Without one it follows its parent as the animation has it.", false, "bone"},
        {&a.kinematic, "boneKinematic", "bki", Type::Bool, {0}, NONE, NONE, NONE, "", false, "", "",
         "The animation moves this body also after the release.", false, "bone"},
        {&a.radius, "boneRadius", "brd", Type::Distance, {5}, 0, NONE, NONE, "cm", false, "", "",
         "Radius of the capsule that goes from the bone to its first child.", false, "bone"},
        {&a.mass, "boneMass", "bma", Type::Double, {0}, 0, 1e12, 20, "kg", false, "WithyBodyDef.mass", "",
         "Mass of the body; 0 fills the capsule with water.", false, "bone"},
        {&a.swing, "boneSwing", "bsw", Type::Double, {45}, 0, 180, NONE, "degree", false, "", "",
         "How far the bone swings to each side; 180: no limit.", false, "bone"},
        {&a.twist, "boneTwist", "btw", Type::Double, {30}, 0, 180, NONE, "degree", false, "", "",
         "How far it turns about itself in each direction; 180: no limit.", false, "bone"},
        {&a.region, "region", "rg", Type::Compound, {0}, NONE, NONE, NONE, "", false, "", "",
         "Chains of bones, such as a spine, that one elastic arc stands for. Bones within have no bodies.", true},
        {&a.first, "regionFirst", "rgf", Type::Int, {-1}, -1, NONE, NONE, "", false, "", "",
         "The element of the first bone.", false, "region"},
        {&a.last, "regionLast", "rgl", Type::Int, {-1}, -1, NONE, NONE, "", false, "", "",
         "The element of the last bone.", false, "region"},
        {&a.bend, "regionBend", "rgb", Type::Double, {20}, 0, NONE, 1000, "N m^2", false, "WithyArc.bend", "",
         "Stiffness of the arc against bending.", false, "region"},
        {&a.region_twist, "regionTwist", "rgt", Type::Double, {15}, 0, NONE, 1000, "N m^2", false, "WithyArc.twist", "",
         "Stiffness of the arc against twist.", false, "region"},
        {&a.viscosity, "regionViscosity", "rgv", Type::Double, {0}, 0, 1e6, 1, "s", false, "WithyArc.viscosity", "",
         "Internal friction of the arc.", false, "region"},
    };
    add_rows(table, a.colliders, false);
    table.push_back(saved_row(&a.saved_asset));
    const Row outputs[] = {
        {&a.output, "outMatrix", "omx", Type::Matrix, {0}, NONE, NONE, NONE, "", false, "", "",
         "World matrices of the joints, for the elements of bone.", true, "", true},
        {&a.report, "report", "rpt", Type::Text, {0}, NONE, NONE, NONE, "", false, "", "",
         "What there is to say of the simulation, or what is wrong.", false, "", true},
    };
    table.insert(table.end(), std::begin(outputs), std::end(outputs));
    return table;
}

int index_of(const std::vector<unsigned> &elements, int element) {
    const auto at = std::find(elements.begin(), elements.end(), static_cast<unsigned>(element));
    return element < 0 || at == elements.end() ? -1 : static_cast<int>(at - elements.begin());
}

void read_bones(MDataBlock &data, std::vector<unsigned> &elements, std::vector<MMatrix> &given, std::vector<Bone> &bones,
                std::vector<Parts> &parts, bool &bind_given) {
    MStatus status;
    MArrayDataHandle array = data.inputArrayValue(a.bone, &status);
    check(status, "bone");
    const unsigned count = array.elementCount();
    std::vector<int> parents;
    std::string wrong;
    bind_given = false;
    for (unsigned i = 0; i < count; i++) {
        check(array.jumpToArrayElement(i), "bone");
        const MDataHandle handle = array.inputValue(&status);
        check(status, "bone");
        Bone bone;
        bone.element = array.elementIndex();
        const std::string name = "bone[" + std::to_string(bone.element) + "]";
        Parts now, bind;
        given.push_back(handle.child(a.matrix).asMatrix());
        if (!take_apart(given.back(), now)) {
            wrong = name + ".boneMatrix: is not a number, or flat";
        }
        const MMatrix bind_matrix = handle.child(a.bind).asMatrix();
        if (!take_apart(bind_matrix, bind)) {
            wrong = name + ".boneBindMatrix: is not a number, or flat";
        }
        bind_given = bind_given || !(bind_matrix == MMatrix::identity);
        bone.bind_position = bind.position;
        bone.bind_rotation = bind.rotation;
        parents.push_back(handle.child(a.parent).asInt());
        bone.body = handle.child(a.body).asBool();
        bone.kinematic = handle.child(a.kinematic).asBool();
        bone.radius = handle.child(a.radius).asDistance().asCentimeters();
        bone.mass = handle.child(a.mass).asDouble();
        bone.swing = handle.child(a.swing).asDouble() * DEGREE;
        bone.twist = handle.child(a.twist).asDouble() * DEGREE;
        if (!(bone.radius > 0)) {
            wrong = name + ".boneRadius: must be more than 0";
        } else if (!(bone.swing >= 0) || bone.swing > 180 * DEGREE || !(bone.twist >= 0) || bone.twist > 180 * DEGREE) {
            wrong = name + (bone.twist >= 0 && bone.twist <= 180 * DEGREE ? ".boneSwing" : ".boneTwist") + ": is not within [0, 180]";
        }
        elements.push_back(bone.element);
        parts.push_back(now);
        bones.push_back(bone);
    }
    for (std::size_t i = 0; i < bones.size(); i++) {
        bones[i].parent = index_of(elements, parents[i]);
        if (parents[i] >= 0 && (bones[i].parent < 0 || bones[i].parent == static_cast<int>(i))) {
            wrong = "bone[" + std::to_string(elements[i]) + "].boneParent: " + std::to_string(parents[i]) + " is no other bone";
        }
    }
    if (!wrong.empty()) {
        throw Problem(wrong);
    }
}

std::vector<Region> read_regions(MDataBlock &data, const std::vector<unsigned> &elements) {
    MStatus status;
    MArrayDataHandle array = data.inputArrayValue(a.region, &status);
    check(status, "region");
    std::vector<Region> regions;
    const unsigned count = array.elementCount();
    for (unsigned i = 0; i < count; i++) {
        check(array.jumpToArrayElement(i), "region");
        const MDataHandle handle = array.inputValue(&status);
        check(status, "region");
        Region region;
        region.element = array.elementIndex();
        region.first = index_of(elements, handle.child(a.first).asInt());
        region.last = index_of(elements, handle.child(a.last).asInt());
        region.bend = handle.child(a.bend).asDouble();
        region.twist = handle.child(a.region_twist).asDouble();
        region.viscosity = handle.child(a.viscosity).asDouble();
        regions.push_back(region);
    }
    return regions;
}

// The parts are no longer those of the matrix.
bool moved(const MMatrix &matrix, const Parts &parts) {
    Parts before;
    return take_apart(matrix, before) && (before.position != parts.position || before.rotation != parts.rotation);
}

}  // namespace

const MTypeId RagdollNode::id(0x0007e513);

const Table &RagdollNode::table() {
    static const Table table = make_table();
    return table;
}

MStatus RagdollNode::initialize() { return create(table(), addAttribute, attributeAffects); }

const MObject &RagdollNode::saved_attribute() const { return a.saved_asset; }

std::string RagdollNode::facts() const {
    std::vector<double> key = {release_, per_second_, static_cast<double>(start_colliders_.size())};
    key.insert(key.end(), elements_.begin(), elements_.end());
    return "{\"maya\":" + json(key) + "}";
}

void RagdollNode::keep_release() {
    Inputs poses;
    append_poses(start_colliders_, poses);
    const RagdollMotion &m = start_motion_;
    const std::vector<double> motion = {m.gravity[0], m.gravity[1], m.gravity[2], m.stiffness, m.damping, m.weight,
                                        static_cast<double>(m.substeps), static_cast<double>(m.iterations)};
    const Pose before = have_before_ ? before_ : Pose();
    const std::string settings = facts();
    const std::vector<double> p0 = flat(start_.positions), q0 = flat(start_.rotations), p1 = flat(before.positions), q1 = flat(before.rotations);
    const std::string names[] = {"settings", "pose", "pose.turns", "before", "before.turns", "colliders", "motion"};
    saved_.put({Saved::chunk(names[0], settings), Saved::chunk(names[1], p0, 3), Saved::chunk(names[2], q0, 4), Saved::chunk(names[3], p1, 3),
                Saved::chunk(names[4], q1, 4), Saved::chunk(names[5], poses.values, 7), Saved::chunk(names[6], motion, 1)});
}

bool RagdollNode::take_release(const std::vector<ColliderInput> &colliders) {
    Pose start, before;
    std::vector<double> p0, q0, p1, q1, poses, m;
    if (!saved_.is_text("settings", facts()) || !saved_.take("pose", p0) || !saved_.take("pose.turns", q0) || !saved_.take("before", p1) ||
        !saved_.take("before.turns", q1) || !saved_.take("colliders", poses) || !saved_.take("motion", m)) {
        return false;
    }
    const std::size_t bones = elements_.size();
    const bool fits = unflat(p0, start.positions) && unflat(q0, start.rotations) && unflat(p1, before.positions) && unflat(q1, before.rotations) &&
                      start.positions.size() == bones && start.rotations.size() == bones && before.rotations.size() == before.positions.size() &&
                      (before.positions.empty() || before.positions.size() == bones) && poses.size() == 7 * colliders.size() && m.size() == 8;
    const auto finite = [](double x) { return std::isfinite(x); };
    for (const std::vector<double> *all : {&p0, &q0, &p1, &q1, &poses, &m}) {
        if (!fits || !std::all_of(all->begin(), all->end(), finite)) {
            return false;
        }
    }
    start_ = std::move(start);
    have_before_ = !before.positions.empty();
    before_ = std::move(before);
    start_colliders_ = colliders;
    for (std::size_t i = 0; i < colliders.size(); i++) {
        const double *v = &poses[7 * i];
        start_colliders_[i].def.pose = {{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}};
    }
    start_motion_.gravity = {m[0], m[1], m[2]};
    start_motion_.stiffness = m[3];
    start_motion_.damping = m[4];
    start_motion_.weight = m[5];
    start_motion_.substeps = static_cast<int>(std::clamp(m[6], 0.0, 65536.0));
    start_motion_.iterations = static_cast<int>(std::clamp(m[7], 0.0, 10000.0));
    return true;
}

void RagdollNode::play(MDataBlock &data, const std::vector<unsigned> &elements, const std::vector<Bone> &read, bool bind_given,
                       std::vector<Parts> &parts, std::string &report) {
    double per_second = 24;
    const double time = read_frame(data, a.current_time, "currentTime", per_second);
    const double release = read_double(data, a.release_frame, "releaseFrame");
    const double frame = time - release;
    Pose pose;
    for (const Parts &p : parts) {
        pose.positions.push_back(p.position);
        pose.rotations.push_back(p.rotation);
    }
    RagdollSettings settings;
    settings.per_second = per_second;
    settings.metres_per_unit = read_double(data, a.space_scale, "spaceScale");
    settings.self_collision = read_bool(data, a.self_collision, "selfCollide");
    settings.bones = read;
    settings.regions = read_regions(data, elements);
    settings.colliders = read_colliders(data, a.colliders);
    timeline_.set_budget(static_cast<std::size_t>(std::max(1, read_int(data, a.cache_memory, "cacheMemory"))) << 20);

    RagdollMotion motion;
    const Vec down = read_vector(data, a.gravity_direction, "gravityDirection");
    motion.gravity = unit(down) * read_double(data, a.gravity, "gravity");
    motion.stiffness = read_double(data, a.stiffness, "driveStiffness");
    motion.damping = read_double(data, a.damping, "driveDamping");
    motion.weight = read_double(data, a.weight, "weight");
    motion.substeps = std::max(0, read_int(data, a.sub_steps, "subSteps"));
    motion.iterations = std::max(0, read_int(data, a.iterations, "iterations"));

    if (release != release_ || per_second != per_second_ || elements != elements_ || settings.colliders.size() != start_colliders_.size()) {
        release_ = release;
        per_second_ = per_second;
        elements_ = elements;
        start_colliders_ = settings.colliders;
        have_before_ = begun_ = seen_ = from_scene_ = false;
    }
    if (frame < -1e-6) {
        // The pose one frame before the release gives the velocities.
        if (std::fabs(frame + 1) < 1e-6 && !(have_before_ && before_ == pose)) {
            before_ = pose;
            have_before_ = true;
            begun_ = false;
        }
        report = "before the release";
        return;
    }
    if (frame < 1e-6) {
        if (!seen_ || !(start_ == pose)) {
            start_ = pose;
            begun_ = false;
        }
        seen_ = true;
        from_scene_ = false;
        start_colliders_ = settings.colliders;
        start_motion_ = motion;
    } else if (!seen_ && take_release(settings.colliders)) {
        seen_ = from_scene_ = true;
    } else if (!seen_) {
        report = "go to frame " + short_number(release) + " (releaseFrame) once: the pose of the release has not been seen";
        return;
    }
    for (std::size_t i = 0; i < settings.bones.size() && !bind_given; i++) {
        settings.bones[i].bind_position = start_.positions[i];
        settings.bones[i].bind_rotation = start_.rotations[i];
    }
    const std::vector<ColliderInput> now = settings.colliders;
    for (std::size_t i = 0; i < now.size(); i++) {
        settings.colliders[i].def.pose = start_colliders_[i].def.pose;
    }
    std::vector<double> key = settings.key();
    Inputs poses;
    append_poses(start_colliders_, poses);
    key.insert(key.end(), poses.values.begin(), poses.values.end());
    if (ragdoll_ == nullptr || !begun_ || key.size() != key_.size() || std::memcmp(key.data(), key_.data(), key.size() * sizeof(double)) != 0) {
        ragdoll_.reset();
        ragdoll_ = std::make_unique<Ragdoll>(settings, start_motion_, start_.positions, start_.rotations,
                                             have_before_ ? &before_.positions : nullptr, have_before_ ? &before_.rotations : nullptr);
        key_ = std::move(key);
        if (begun_) {
            timeline_.restart(ragdoll_->machine().save());
        } else {
            timeline_.begin(Ragdoll::inputs(start_motion_, start_.positions, start_.rotations, start_colliders_), ragdoll_->machine().save());
            begun_ = true;
        }
        keep_release();
    }
    const Inputs inputs = Ragdoll::inputs(motion, pose.positions, pose.rotations, now);
    timeline_.seek(std::max(0.0, frame), inputs, ragdoll_->machine());
    if (frame >= 1e-6) {
        std::vector<Vec> positions;
        std::vector<Quat> rotations;
        ragdoll_->read(inputs, positions, rotations);
        for (std::size_t i = 0; i < parts.size(); i++) {
            parts[i].position = positions[i];
            parts[i].rotation = rotations[i];
        }
    }
    report = ragdoll_->report() + (from_scene_ ? ", released as saved" : "");
}

MStatus RagdollNode::compute(const MPlug &plug, MDataBlock &data) try {
    const MObject wanted = plug.attribute();
    if (wanted != a.output && wanted != a.report) {
        return MS::kUnknownParameter;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<unsigned> elements;
    std::vector<MMatrix> given;
    std::vector<Parts> parts;
    std::string report, wrong;
    bool played = false;
    try {
        const UsualFloats usual;
        std::vector<Bone> bones;
        bool bind_given = false;
        read_bones(data, elements, given, bones, parts, bind_given);
        if (!read_bool(data, a.enable, "enable")) {
            report = "not enabled";
        } else if (!bones.empty()) {
            play(data, elements, bones, bind_given, parts, report);
            played = true;
        }
    } catch (const Problem &problem) {
        wrong = problem.what();
    } catch (const withy::Error &error) {
        ragdoll_.reset();
        wrong = explain(table(), error.what());
    } catch (const std::exception &error) {
        ragdoll_.reset();
        wrong = error.what();
    } catch (...) {
        ragdoll_.reset();
        wrong = "an unknown fault";
    }
    const std::string node = name().asChar();
    if (wrong.empty()) {
        messages_.clear();
    } else {
        messages_.error(node, wrong);
        report = wrong;
    }
    try {
        MStatus status;
        MArrayDataHandle array = data.outputArrayValue(a.output, &status);
        check(status, "outMatrix");
        MArrayDataBuilder builder(&data, a.output, static_cast<unsigned>(elements.size()), &status);
        check(status, "outMatrix");
        for (std::size_t i = 0; i < elements.size(); i++) {
            MDataHandle handle = builder.addElement(elements[i], &status);
            check(status, "outMatrix");
            // Where nothing was simulated the matrices go through to the bit.
            handle.setMMatrix(played && wrong.empty() && moved(given[i], parts[i]) ? put_together(parts[i]) : given[i]);
        }
        check(array.set(builder), "outMatrix");
        check(array.setAllClean(), "outMatrix");
        data.outputValue(a.report).setString(report.c_str());
        data.setClean(a.output);
        data.setClean(a.report);
    } catch (const std::exception &error) {
        messages_.error(node, error.what());
        return MS::kFailure;
    }
    return MS::kSuccess;
} catch (...) {
    return MS::kFailure;  // no memory for a message
}

void RagdollNode::copyInternalData(MPxNode *from) {
    Saved saved = static_cast<RagdollNode *>(from)->saved();
    const std::lock_guard<std::mutex> lock(mutex_);
    saved_ = std::move(saved);
    ragdoll_.reset();
    have_before_ = begun_ = seen_ = from_scene_ = false;
}

void RagdollNode::getCacheSetup(const MEvaluationNode &evaluation, MNodeCacheDisablingInfo &disabling, MNodeCacheSetupInfo &setup,
                                MObjectArray &monitored) const {
    MPxNode::getCacheSetup(evaluation, disabling, setup, monitored);
    setup.setRequirement(MNodeCacheSetupInfo::kSimulationSupport, true);
    setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
}

MTimeRange RagdollNode::transformInvalidationRange(const MPlug &, const MTimeRange &input) const {
    return from_start(const_cast<RagdollNode *>(this)->forceCache(), a.release_frame, input);
}

}  // namespace withy_maya
