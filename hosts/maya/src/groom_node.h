// withyGroom: curves in, simulated curves out.
#pragma once

#include <memory>

#include <maya/MDataBlock.h>
#include <maya/MEvaluationNode.h>
#include <maya/MMatrix.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MObjectArray.h>
#include <maya/MPlug.h>
#include <maya/MPxNode.h>
#include <maya/MStatus.h>
#include <maya/MTimeRange.h>
#include <maya/MTypeId.h>

#include "groom_sim.h"
#include "node.h"
#include "saved.h"

namespace withy_maya {

class GroomNode : public SavingNode<MPxNode> {
public:
    static void *creator() { return new GroomNode; }
    static MStatus initialize();
    static const Table &table();
    static const MTypeId id;
    static constexpr const char *TYPE = "withyGroom";

    void postConstructor() override;
    MStatus compute(const MPlug &plug, MDataBlock &data) override;
    SchedulingType schedulingType() const override { return kParallel; }
    void copyInternalData(MPxNode *from) override;
    void getCacheSetup(const MEvaluationNode &evaluation, MNodeCacheDisablingInfo &disabling, MNodeCacheSetupInfo &setup,
                       MObjectArray &monitored) const override;
    MTimeRange transformInvalidationRange(const MPlug &source, const MTimeRange &input) const override;

private:
    // `turns` may be NULL.
    void play(MDataBlock &data, const Curves &curves, std::vector<Vec> &points, std::vector<Quat> *turns, std::string &report,
              double &strain);

    const MObject &saved_attribute() const override;
    // With the rest shape of the scene, if it was found for all of `key`; else the one that is found is kept for the scene.
    void build(const GroomSettings &settings, const std::vector<std::uint32_t> &counts, const std::vector<Vec> &points,
               const std::vector<double> &key);

    // All of it under the lock of SavingNode.
    Messages messages_;
    std::unique_ptr<Groom> groom_;
    Timeline timeline_;
    std::vector<double> key_, layout_;  // of the world, and of what the timeline has stored
    bool begun_ = false;                // the timeline has the start of these curves
    // The frame of the start, and what was there.
    double start_frame_ = 0, per_second_ = 0;
    std::vector<std::uint32_t> start_counts_;
    std::vector<Vec> start_points_;
    MMatrix start_attach_;
    GroomMotion start_motion_;
    std::vector<ColliderInput> start_colliders_;
    std::vector<MeshInput> start_meshes_;
};

}  // namespace withy_maya
