#include "groom_node.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <maya/MArrayDataHandle.h>
#include <maya/MDataHandle.h>
#include <maya/MDoubleArray.h>
#include <maya/MEvaluationNode.h>
#include <maya/MFileIO.h>
#include <maya/MFnAttribute.h>
#include <maya/MFnCompoundAttribute.h>
#include <maya/MFnDoubleArrayData.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MObjectArray.h>
#include <maya/MPlug.h>
#include <maya/MRampAttribute.h>

#include "painting.h"
#include "shares.h"

namespace withy_maya {

namespace {

struct Attributes {
    MObject current_time, enable, start_frame, time_scale, space_scale, sub_steps, iterations, threads, cache_memory;
    MObject input_hair, point_lock, clamp, attach_to, attach_matrix, hold, stiffen, model;
    MObject young, shear, stretch, density, radius, aspect, viscosity;
    MObject stiffness_ramp, stiffness_map, mass_map, simulate_map;
    MObject damp, drag, friction, gravity, gravity_direction, wind_speed, wind_direction, wind_noise, wind_noise_size;
    MObject attract, attract_damp, attract_ramp, attract_map, collide, collide_width, layer;
    ColliderAttributes colliders;
    MeshAttributes meshes;
    MObject output_hair, output_turns, report, largest_strain, strands_held, saved_asset;
};

Attributes a;

enum AttachTo { InputCurves, Matrix };

Table make_table() {
    Table table = {
        {&a.current_time, "currentTime", "cti", Type::Time, {0}, NONE, NONE, NONE, "time", false, "", "",
         "Connect the outTime of time1."},
        {&a.enable, "enable", "ena", Type::Bool, {1}, NONE, NONE, NONE, "", true, "", "",
         "Off: the output curves are the input curves."},
        {&a.start_frame, "startFrame", "stf", Type::Double, {1}, NONE, NONE, NONE, "frame", false, "", "",
         "The frame of the start pose. Up to here the output is the input."},
        {&a.time_scale, "timeScale", "tsc", Type::Double, {1}, 0, 100, 2, "", true, "", "",
         "How fast time passes; 0 stops it."},
        {&a.space_scale, "spaceScale", "sps", Type::Double, {0.01}, 1e-6, 1e6, 1, "m/cm", false, "WithyContextDef.metres_per_unit", "",
         "The length in metres that one centimetre of the scene stands for. It does not depend on the working units of Maya."},
        {&a.sub_steps, "subSteps", "sst", Type::Int, {8}, 1, 65536, 64, "", true, "WithyWorldDef.substeps", "",
         "Substeps of a frame. More of them follow fast motion better."},
        {&a.iterations, "iterations", "itr", Type::Int, {0}, 0, 10000, 16, "", true, "WithyRodsDef.iterations", "",
         "Iterations of a substep; 0 chooses, one in most cases."},
        {&a.threads, "threads", "thr", Type::Int, {0}, 0, 1024, 64, "", false, "WithyContextDef.threads", "",
         "Worker threads of this node; 0 works on the thread that evaluates it. The result is the same."},
        {&a.cache_memory, "cacheMemory", "cmm", Type::Int, {512}, 1, 1048576, 8192, "MB", false, "", "",
         "Memory for states of frames that were played. When it is full, states lie further apart, and scrubbing takes longer."},
        {&a.input_hair, "inputHair", "ih", Type::Curve, {0}, NONE, NONE, NONE, "", true, "", "",
         "The curves of the groom, in world space: connect worldSpace of each. Their vertices are those of the rods. They may be "
         "animated: roots follow them.", true},
        {&a.point_lock, "pointLock", "plk", Type::Enum, {1}, NONE, NONE, NONE, "", false, "", "No Attach:Base:Tip:Both Ends",
         "Which ends of the curves are held."},
        {&a.clamp, "clampEnds", "cle", Type::Bool, {1}, NONE, NONE, NONE, "", false, "", "",
         "Held ends turn with what holds them, as hair in a scalp. Off: they turn freely."},
        {&a.attach_to, "attachTo", "atc", Type::Enum, {0}, NONE, NONE, NONE, "", false, "", "Input Curves:Matrix",
         "What moves the held ends: the animation of the input curves, or the attach matrix, which carries the curves of the start "
         "frame along."},
        {&a.attach_matrix, "attachMatrix", "atm", Type::Matrix, {0}, NONE, NONE, NONE, "", true, "", "",
         "World matrix of the head, for attachTo Matrix."},
        {&a.hold, "holdStartPose", "hsp", Type::Bool, {1}, NONE, NONE, NONE, "", false, "", "",
         "Looks for the rest shape with which the groom does not sag. Thin hair that stands out far is too soft for it."},
        {&a.stiffen, "stiffen", "stn", Type::Double, {0}, 0, 1e15, 100, "", false, "WithyRestShapeDef.stiffen", "",
         "With holdStartPose: the largest factor by which a curve may be made stiffer to hold its pose; 0 for none."},
        {&a.model, "model", "mod", Type::Enum, {0}, NONE, NONE, NONE, "", false, "WithyRodsDef.model", "Ghost:Discrete Elastic Rods",
         "How a rod is computed. Discrete elastic rods are for cables that are twisted by many turns."},
        {&a.young, "youngModulus", "ym", Type::Double, {4e9}, 1e-3, 1e15, 1e10, "Pa", true, "WithyRodsDef.young_modulus", "",
         "Stiffness against bending. Rubber: 1e7. Hair: 4e9. Wood: 1e10."},
        {&a.shear, "shearModulus", "smo", Type::Double, {1.5e9}, 1e-3, 1e15, 1e10, "Pa", true, "WithyRodsDef.shear_modulus", "",
         "Stiffness against twist, usually 0.4 times that against bending."},
        {&a.stretch, "stretchModulus", "stm", Type::Double, {0}, 0, 1e15, 1e10, "Pa", true, "WithyRodsDef.stretch_modulus", "",
         "Stiffness against stretching, if it is another one; 0 takes youngModulus."},
        {&a.density, "density", "den", Type::Double, {1300}, 1e-3, 1e6, 1e4, "kg/m^3", true, "WithyRodsDef.density", "",
         "Mass of the material."},
        {&a.radius, "radius", "rad", Type::Double, {1e-4}, 1e-7, 1e3, 1e-2, "m", true, "WithyRodsDef.radius", "",
         "Radius of the section. A curve stands for a lock of a few hairs."},
        {&a.aspect, "aspect", "asp", Type::Double, {1}, 1e-3, 1e3, 4, "", true, "WithyRodsDef.aspect", "",
         "Thickness of the section across over that along; 1 is round."},
        {&a.viscosity, "stretchDamp", "std", Type::Double, {0}, 0, 1e3, 1, "s", true, "WithyRodsDef.viscosity", "",
         "Internal friction: viscosity over stiffness. It slows down changes of shape."},
        {&a.stiffness_ramp, "stiffnessScale", "sts", Type::Ramp, {1}, 0, 1e6, NONE, "", false, "", "",
         "Factor of the stiffness along each curve, from its first vertex to its last. Without entries: 1."},
        {&a.stiffness_map, "stiffnessMap", "smp", Type::Doubles, {0}, 0, 1e6, NONE, "", false, "WithyRodsDef.stiffness_scale", "",
         "Painted factors of the stiffness: one for each vertex, or one for each curve, in the order of inputHair. Empty: 1. All factors "
         "together are at least 1e-6."},
        {&a.mass_map, "massMap", "mmp", Type::Doubles, {0}, 1e-3, 1e3, NONE, "", false, "", "",
         "Painted factors of the mass, as stiffnessMap. Heavier curves bend further under their weight, and swing slower; wind moves them "
         "as the others. Empty: 1."},
        {&a.simulate_map, "simulateMap", "sim", Type::Doubles, {0}, 0, 1, NONE, "", false, "", "",
         "Painted shares of the simulation in the output, as stiffnessMap; the rest is the animation. A curve that is 0 all along is not "
         "simulated, and costs nothing. Empty: 1."},
        {&a.damp, "damp", "dmp", Type::Double, {4}, 0, 1e9, 50, "1/s", true, "WithyRodsDef.damping", "",
         "Rate at which motion within a curve dies."},
        {&a.drag, "drag", "drg", Type::Double, {3}, 0, 1e9, 50, "1/s", true, "WithyRodsDef.drag", "",
         "Rate at which velocities approach that of the wind."},
        {&a.friction, "friction", "frc", Type::Double, {0.5}, 0, 1e3, 2, "", true, "WithyRodsDef.friction", "",
         "Coulomb's coefficient on colliders."},
        {&a.gravity, "gravity", "grv", Type::Double, {9.81}, NONE, NONE, NONE, "m/s^2", true, "", "",
         "Acceleration of gravity."},
        {&a.gravity_direction, "gravityDirection", "gdr", Type::Vector, {0, -1, 0}, NONE, NONE, NONE, "", true, "", "",
         "Its direction, of any length."},
        {&a.wind_speed, "windSpeed", "wsp", Type::Double, {0}, NONE, NONE, NONE, "m/s", true, "", "",
         "Speed of the air. It acts through drag."},
        {&a.wind_direction, "windDirection", "wdr", Type::Vector, {1, 0, 0}, NONE, NONE, NONE, "", true, "", "",
         "Its direction, of any length."},
        {&a.wind_noise, "windNoise", "wns", Type::Double, {0}, 0, 10, 1, "", true, "", "",
         "Strength of gusts (root of the mean square) over windSpeed. They are the same whenever a frame is played. They act through "
         "drag."},
        {&a.wind_noise_size, "windNoiseSize", "wnz", Type::Double, {0.2}, 1e-4, 1e4, 2, "m", true, "", "",
         "Size of the gusts: curves that are further apart move by themselves. A gust lasts half a second, in which the wind carries it on "
         "by its size."},
        {&a.attract, "startCurveAttract", "sca", Type::Double, {0}, 0, 1e4, 100, "rad/s", true, "", "",
         "How strongly the curves are drawn to where the animation has them: how fast a vertex would swing about its place. 0: not at "
         "all."},
        {&a.attract_damp, "attractionDamp", "atd", Type::Double, {1}, 0, 100, 2, "", true, "", "",
         "Damping of that; 1 is critical."},
        {&a.attract_ramp, "attractionScale", "ats", Type::Ramp, {1}, 0, 1e4, NONE, "", false, "", "",
         "Factor of startCurveAttract along each curve, from its first vertex to its last. Without entries: 1."},
        {&a.attract_map, "attractMap", "amp", Type::Doubles, {0}, 0, 1e4, NONE, "", false, "", "",
         "Painted factors of startCurveAttract, as stiffnessMap. Empty: 1."},
        {&a.collide, "collide", "cld", Type::Bool, {1}, NONE, NONE, NONE, "", true, "", "",
         "Off: the curves pass through the colliders."},
        {&a.collide_width, "collideWidthOffset", "cwo", Type::Double, {0}, 0, 1e3, 0.1, "m", true, "WithyRodsDef.collision_radius", "",
         "Distance from the curve at which contact begins; 0 takes radius."},
        {&a.layer, "collisionLayer", "cll", Type::Int, {0}, 0, LAYERS - 1, 8, "", true, "", "",
         "The curves meet the colliders and meshes of this layer only."},
    };
    add_rows(table, a.colliders, true);
    add_rows(table, a.meshes);
    table.push_back(saved_row(&a.saved_asset));
    const Row outputs[] = {
        {&a.output_hair, "outputHair", "oh", Type::Curve, {0}, NONE, NONE, NONE, "", false, "", "",
         "The simulated curves, in world space, with degree and knots of the input.", true, "", true},
        {&a.output_turns, "outputTurns", "otu", Type::Doubles, {0}, NONE, NONE, NONE, "", false, "", "",
         "How far each edge has turned since the start: quaternions x, y, z, w, curve after curve. For withyDeformer.", false, "", true},
        {&a.largest_strain, "largestStrain", "lst", Type::Double, {0}, NONE, NONE, NONE, "", false, "", "",
         "The largest strain of an edge in the last step.", false, "", true},
        {&a.strands_held, "curvesHeld", "cvh", Type::Int, {0}, NONE, NONE, NONE, "", false, "", "",
         "How many curves can hold their start pose.", false, "", true},
        {&a.report, "report", "rpt", Type::Text, {0}, NONE, NONE, NONE, "", false, "", "",
         "What there is to say of the simulation, or what is wrong.", false, "", true},
    };
    table.insert(table.end(), std::begin(outputs), std::end(outputs));
    return table;
}

Vec direction(MDataBlock &data, const MObject &attribute, const char *name, double size) {
    const Vec v = read_vector(data, attribute, name);
    if (size != 0 && !(length(v) > 0)) {
        throw Problem(std::string(name) + ": has no length");
    }
    return unit(v) * size;
}

GroomMaterial read_material(MDataBlock &data) {
    GroomMaterial m;
    m.young_modulus = read_double(data, a.young, "youngModulus");
    m.shear_modulus = read_double(data, a.shear, "shearModulus");
    m.stretch_modulus = read_double(data, a.stretch, "stretchModulus");
    m.density = read_double(data, a.density, "density");
    m.radius = read_double(data, a.radius, "radius");
    if (!(m.radius >= 1e-7 && m.radius <= 1e3)) {
        throw Problem("radius: " + short_number(m.radius) + " is not within [1e-7, 1e3]");
    }
    m.aspect = read_double(data, a.aspect, "aspect");
    m.viscosity = read_double(data, a.viscosity, "stretchDamp");
    m.collision_radius = read_double(data, a.collide_width, "collideWidthOffset");
    return m;
}

GroomMotion read_motion(MDataBlock &data) {
    GroomMotion motion;
    motion.material = read_material(data);
    motion.gravity = direction(data, a.gravity_direction, "gravityDirection", read_double(data, a.gravity, "gravity"));
    motion.wind = direction(data, a.wind_direction, "windDirection", read_double(data, a.wind_speed, "windSpeed"));
    motion.damping = read_double(data, a.damp, "damp");
    motion.drag = read_double(data, a.drag, "drag");
    motion.friction = read_double(data, a.friction, "friction");
    motion.time_scale = read_double(data, a.time_scale, "timeScale");
    motion.noise = read_double(data, a.wind_noise, "windNoise");
    motion.noise_size = read_double(data, a.wind_noise_size, "windNoiseSize");
    if (!(motion.noise >= 0 && motion.noise <= 10)) {
        throw Problem("windNoise: " + short_number(motion.noise) + " is not within [0, 10]");
    }
    if (!(motion.noise_size >= 1e-4 && motion.noise_size <= 1e4)) {
        throw Problem("windNoiseSize: " + short_number(motion.noise_size) + " is not within [1e-4, 1e4]");
    }
    motion.attract = read_double(data, a.attract, "startCurveAttract");
    motion.attract_damping = read_double(data, a.attract_damp, "attractionDamp");
    if (!(motion.attract >= 0 && motion.attract <= 1e4)) {
        throw Problem("startCurveAttract: " + short_number(motion.attract) + " is not within [0, 1e4]");
    }
    motion.substeps = std::max(0, read_int(data, a.sub_steps, "subSteps"));
    motion.iterations = std::max(0, read_int(data, a.iterations, "iterations"));
    motion.layer = read_int(data, a.layer, "collisionLayer");
    layer_bit(motion.layer, "collisionLayer");
    if (!read_bool(data, a.collide, "collide")) {
        motion.layer = NO_LAYER;
    }
    if (motion.time_scale < 0 || motion.time_scale > 100) {
        throw Problem("timeScale: " + short_number(motion.time_scale) + " is not within [0, 100]");
    }
    return motion;
}

// Without what is painted.
GroomSettings read_settings(MDataBlock &data) {
    GroomSettings s;
    s.metres_per_unit = read_double(data, a.space_scale, "spaceScale");
    if (!(s.metres_per_unit >= 1e-6 && s.metres_per_unit <= 1e6)) {
        throw Problem("spaceScale: " + short_number(s.metres_per_unit) + " is not within [1e-6, 1e6]");
    }
    s.stiffen = read_double(data, a.stiffen, "stiffen");
    s.model = data.inputValue(a.model).asShort();
    s.point_lock = data.inputValue(a.point_lock).asShort();
    s.threads = std::max(0, read_int(data, a.threads, "threads"));
    s.clamp = read_bool(data, a.clamp, "clampEnds");
    s.hold = read_bool(data, a.hold, "holdStartPose");
    s.colliders = read_colliders(data, a.colliders);
    s.meshes = read_meshes(data, a.meshes);
    return s;
}

// What is painted on these curves, with the points of the start: its lengths along them do not change.
struct Painting {
    std::vector<double> stiffness, attract, simulate;  // one a vertex, or none
};

Painting read_painting(MDataBlock &data, const std::vector<std::uint32_t> &counts, const std::vector<Vec> &points) {
    Painting p;
    p.stiffness = read_painted(data, a.stiffness_map, "stiffnessMap", counts, 0, 1e6);
    multiply_along(read_ramp(data, a.stiffness_ramp, "stiffnessScale", 0, 1e6), counts, points, p.stiffness);
    // Weight, inertia and drag of a curve grow with its mass alike: a stiffness that is smaller by as much is the same motion.
    const std::vector<double> mass = read_painted(data, a.mass_map, "massMap", counts, 1e-3, 1e3);
    if (!mass.empty()) {
        p.stiffness.resize(mass.size(), 1.0);
    }
    for (std::size_t i = 0; i < p.stiffness.size(); i++) {
        p.stiffness[i] = std::max(p.stiffness[i] / (mass.empty() ? 1 : mass[i]), 1e-6);
        if (p.stiffness[i] > 1e6) {
            throw Problem("stiffnessMap: with stiffnessScale and massMap it is " + short_number(p.stiffness[i]) + " at vertex " + std::to_string(i) +
                          "; more than 1e6");
        }
    }
    p.attract = read_painted(data, a.attract_map, "attractMap", counts, 0, 1e4);
    multiply_along(read_ramp(data, a.attract_ramp, "attractionScale", 0, 1e4), counts, points, p.attract);
    p.simulate = read_painted(data, a.simulate_map, "simulateMap", counts, 0, 1);
    return p;
}

bool same(const std::vector<double> &x, const std::vector<double> &y) {
    return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0);
}

std::vector<ColliderInput> with_poses(std::vector<ColliderInput> colliders, const std::vector<ColliderInput> &poses) {
    for (std::size_t i = 0; i < colliders.size(); i++) {
        colliders[i].def.pose = poses[i].def.pose;
    }
    return colliders;
}

// Where the matrix has carried the points of the start to.
std::vector<Vec> carried(const std::vector<Vec> &points, const MMatrix &start, const MMatrix &now, Quat &turn) {
    Parts from, to;
    if (!take_apart(start, from) || !take_apart(now, to)) {
        throw Problem("attachMatrix: is not a number, or flat");
    }
    turn = unit(to.rotation * inverse(from.rotation));
    std::vector<Vec> out;
    out.reserve(points.size());
    for (const Vec &p : points) {
        out.push_back(rotate(turn, p - from.position) + to.position);
    }
    return out;
}

}  // namespace

const MTypeId GroomNode::id(0x0007e511);

const Table &GroomNode::table() {
    static const Table table = make_table();
    return table;
}

MStatus GroomNode::initialize() { return create(table(), addAttribute, attributeAffects); }

const MObject &GroomNode::saved_attribute() const { return a.saved_asset; }

// A ramp without entries is 1 everywhere, but the attribute editor wants one.
void GroomNode::postConstructor() {
    MPxNode::postConstructor();
    if (MFileIO::isReadingFile()) {
        return;  // the scene has them
    }
    for (MObject *ramp : {&a.stiffness_ramp, &a.attract_ramp}) {
        MPlug entry = MPlug(thisMObject(), *ramp).elementByLogicalIndex(0);
        const MFnCompoundAttribute compound(*ramp);
        for (unsigned i = 0; i < compound.numChildren(); i++) {
            MObject child = compound.child(i);
            const std::string name = MFnAttribute(child).name().asChar();
            if (name.find("_FloatValue") != std::string::npos) {
                entry.child(child).setFloat(1);
            } else if (name.find("_Interp") != std::string::npos) {
                entry.child(child).setShort(MRampAttribute::kLinear);
            }
        }
    }
}

void GroomNode::build(const GroomSettings &settings, const std::vector<std::uint32_t> &counts, const std::vector<Vec> &points,
                      const std::vector<double> &key) {
    const std::string facts = "{\"maya\":" + json(key) + "}";
    const std::vector<double> pose = flat(points);
    std::vector<double> of_pose;
    std::vector<std::uint32_t> of_counts, held;
    HeldShape shape;
    const bool known = settings.hold && saved_.is_text("settings", facts) && saved_.take("pose", of_pose) && same(of_pose, pose) &&
                       saved_.take("counts", of_counts) && of_counts == counts && saved_.take("held", held) && held.size() == 1 &&
                       saved_.take("rest_shape", shape.bytes);
    shape.held = known ? held[0] : 0;
    groom_.reset();
    groom_ = std::make_unique<Groom>(settings, start_motion_, counts, points, known ? &shape : nullptr);
    if (settings.hold && !known) {
        shape = groom_->shape();
        held.assign(1, static_cast<std::uint32_t>(shape.held));
        saved_.put({Saved::chunk("settings", facts), Saved::chunk("pose", pose, 3), Saved::chunk("counts", counts, 1),
                    Saved::chunk("held", held, 1), Saved::chunk("rest_shape", shape.bytes, 0)});
    }
}

void GroomNode::play(MDataBlock &data, const Curves &curves, std::vector<Vec> &points, std::vector<Quat> *turns, std::string &report,
                     double &strain) {
    double per_second = 24;
    const double time = read_frame(data, a.current_time, "currentTime", per_second);
    const double start = read_double(data, a.start_frame, "startFrame");
    const double frame = time - start;
    if (frame < -1e-6) {
        report = "before the start";
        return;
    }
    GroomMotion motion = read_motion(data);
    const auto attach_to = data.inputValue(a.attach_to).asShort();
    const MMatrix attach = data.inputValue(a.attach_matrix).asMatrix();
    GroomSettings settings = read_settings(data);
    settings.per_second = per_second;
    timeline_.set_budget(static_cast<std::size_t>(std::max(1, read_int(data, a.cache_memory, "cacheMemory"))) << 20);

    if (frame < 1e-6) {
        if (curves.counts != start_counts_ || curves.points != start_points_ || per_second != per_second_ || start != start_frame_ ||
            settings.colliders.size() != start_colliders_.size() || !same_topology(settings.meshes, start_meshes_) || (attach_to == Matrix && !(attach == start_attach_))) {
            begun_ = false;
            start_counts_ = curves.counts;
            start_points_ = curves.points;
        }
        start_frame_ = start;
        per_second_ = per_second;
        start_motion_ = motion;
        start_attach_ = attach;
        start_colliders_ = settings.colliders;
        start_meshes_ = settings.meshes;
    } else if (start != start_frame_ || per_second != per_second_ || curves.counts != start_counts_ ||
               settings.colliders.size() != start_colliders_.size() || !same_topology(settings.meshes, start_meshes_)) {
        // The start pose of these curves, at this rate, has not been seen. What was seen stays: a change may be undone.
        report = "go to frame " + short_number(start) + " (startFrame) once: the start pose has not been seen";
        return;
    }
    settings.step = (start_motion_.time_scale > 0 ? start_motion_.time_scale : 1) / per_second;
    const std::vector<ColliderInput> now = settings.colliders;
    settings.colliders = with_poses(settings.colliders, start_colliders_);
    const std::vector<MeshInput> meshes = std::move(settings.meshes);
    settings.meshes = start_meshes_;
    for (MeshInput &mesh : settings.meshes) {
        mesh.friction = meshes.front().friction;
        mesh.both_sides = meshes.front().both_sides;
        mesh.category = meshes.front().category;
    }

    const Painting painting = read_painting(data, start_counts_, start_points_);
    const std::vector<bool> chosen = simulated(painting.simulate, start_counts_);
    const std::vector<std::uint32_t> counts = pick_counts(start_counts_, chosen);
    const std::vector<Vec> start_points = pick(start_points_, start_counts_, chosen);
    settings.stiffness_scale = pick(painting.stiffness, start_counts_, chosen);
    settings.attract_scale = pick(painting.attract, start_counts_, chosen);

    // Where the animation has the curves.
    const bool matrix = attach_to == Matrix;
    Quat turn = IDENTITY;
    const std::vector<Vec> animated = matrix ? carried(start_points_, start_attach_, attach, turn) : curves.points;
    if (frame >= 1e-6) {
        points = animated;
    }
    if (turns != nullptr && !painting.simulate.empty()) {
        *turns = matrix ? std::vector<Quat>(animated.size() - start_counts_.size(), turn) : animated_turns(start_points_, animated, start_counts_);
    }
    if (counts.empty()) {
        groom_.reset();
        report = "no curve is simulated: simulateMap";
        return;
    }

    std::vector<double> key = settings.key();
    // The rest shape is fitted to these, and stays when they change later on.
    const std::vector<double> fitted = start_motion_.fitted();
    key.insert(key.end(), fitted.begin(), fitted.end());
    Inputs poses;
    append_poses(start_colliders_, poses);
    key.insert(key.end(), poses.values.begin(), poses.values.end());
    std::vector<double> layout = {static_cast<double>(settings.point_lock), static_cast<double>(attach_to)};
    layout.insert(layout.end(), chosen.begin(), chosen.end());
    begun_ = begun_ && layout == layout_;
    if (groom_ == nullptr || !begun_ || !same(key, key_)) {
        build(settings, counts, start_points, key);
        key_ = std::move(key);
        if (begun_) {
            timeline_.restart(groom_->machine().save());
        } else {
            timeline_.begin(groom_->inputs(start_motion_, start_points, start_colliders_, start_meshes_, nullptr), groom_->machine().save());
            begun_ = true;
            layout_ = std::move(layout);
        }
    }
    const Inputs inputs = groom_->inputs(motion, pick(animated, start_counts_, chosen), now, meshes, matrix ? &turn : nullptr);
    timeline_.seek(std::max(0.0, frame), inputs, groom_->machine());
    if (frame >= 1e-6) {  // the start as it came in, not rounded to single precision
        std::vector<Vec> out;
        groom_->read(out);
        put_points(out, start_counts_, chosen, painting.simulate, points);
    }
    if (turns != nullptr) {
        std::vector<Quat> out;
        groom_->read_turns(out);
        put_turns(out, start_counts_, chosen, painting.simulate, *turns);
    }
    const WithyStepStats stats = groom_->stats();
    if (stats.non_finite_strands != 0) {
        throw Problem("outputHair: " + std::to_string(stats.non_finite_strands) + " curves have left the range of numbers; more subSteps may help");
    }
    strain = stats.largest_strain;
    report = groom_->report();
    if (counts.size() < start_counts_.size()) {
        report += "; " + std::to_string(start_counts_.size() - counts.size()) + " more are not simulated";
    }
}

MStatus GroomNode::compute(const MPlug &plug, MDataBlock &data) try {
    const MObject wanted = plug.attribute();
    if (wanted != a.output_hair && wanted != a.output_turns && wanted != a.report && wanted != a.largest_strain && wanted != a.strands_held) {
        return MS::kUnknownParameter;
    }
    // Only a deformer asks for the turns. They are a computation of their own, and leave the other outputs alone.
    const bool with_turns = wanted == a.output_turns;
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::string node = name().asChar();
    Curves curves;
    std::vector<Vec> points;
    std::vector<Quat> turns;
    std::string report, wrong;
    double strain = 0;
    try {
        const UsualFloats usual;
        read_curves(data, a.input_hair, "inputHair", 2, curves);
        points = curves.points;
        if (!read_bool(data, a.enable, "enable")) {
            report = "not enabled";
        } else if (!curves.data.empty()) {
            play(data, curves, points, with_turns ? &turns : nullptr, report, strain);
        }
    } catch (const Problem &problem) {
        wrong = problem.what();
    } catch (const withy::Error &error) {
        groom_.reset();
        wrong = explain(table(), error.what());
    } catch (const std::exception &error) {
        groom_.reset();
        wrong = error.what();
    } catch (...) {
        groom_.reset();
        wrong = "an unknown fault";
    }
    if (wrong.empty()) {
        messages_.clear();
    } else {
        // The curves stay as they came, so that the artist sees them.
        messages_.error(node, wrong);
        report = wrong;
        points.clear();
        turns.clear();
    }
    try {
        if (with_turns) {
            MDoubleArray flat(static_cast<unsigned>(4 * turns.size()));
            for (std::size_t i = 0; i < 4 * turns.size(); i++) {
                flat[static_cast<unsigned>(i)] = turns[i / 4][i % 4];
            }
            MStatus status;
            MFnDoubleArrayData made;
            const MObject array = made.create(flat, &status);
            check(status, "outputTurns");
            check(data.outputValue(a.output_turns).setMObject(array), "outputTurns");
            data.setClean(a.output_turns);
            return MS::kSuccess;
        }
        write_curves(data, a.output_hair, "outputHair", curves, points);
        data.outputValue(a.report).setString(report.c_str());
        data.outputValue(a.largest_strain).setDouble(strain);
        data.outputValue(a.strands_held).setInt(groom_ != nullptr ? static_cast<int>(groom_->held()) : 0);
        for (const MObject &output : {a.output_hair, a.report, a.largest_strain, a.strands_held}) {
            data.setClean(output);
        }
    } catch (const std::exception &error) {
        messages_.error(node, error.what());
        return MS::kFailure;
    }
    return MS::kSuccess;
} catch (...) {
    return MS::kFailure;  // no memory for a message
}

void GroomNode::copyInternalData(MPxNode *from) {
    // A duplicate plays its own simulation, from its own start. What was found for the start it takes over.
    Saved saved = static_cast<GroomNode *>(from)->saved();
    const std::lock_guard<std::mutex> lock(mutex_);
    saved_ = std::move(saved);
    groom_.reset();
    begun_ = false;
    start_counts_.clear();
    start_points_.clear();
}

void GroomNode::getCacheSetup(const MEvaluationNode &evaluation, MNodeCacheDisablingInfo &disabling, MNodeCacheSetupInfo &setup,
                              MObjectArray &monitored) const {
    MPxNode::getCacheSetup(evaluation, disabling, setup, monitored);
    setup.setRequirement(MNodeCacheSetupInfo::kSimulationSupport, true);
    setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
}

MTimeRange GroomNode::transformInvalidationRange(const MPlug &, const MTimeRange &input) const {
    return from_start(const_cast<GroomNode *>(this)->forceCache(), a.start_frame, input);
}

}  // namespace withy_maya
