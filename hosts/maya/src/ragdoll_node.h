// withyRagdoll: world matrices of animated joints in, simulated ones out.
#pragma once

#include <memory>

#include <maya/MDataBlock.h>
#include <maya/MEvaluationNode.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MObjectArray.h>
#include <maya/MPlug.h>
#include <maya/MPxNode.h>
#include <maya/MStatus.h>
#include <maya/MTimeRange.h>
#include <maya/MTypeId.h>

#include "node.h"
#include "ragdoll_sim.h"
#include "saved.h"

namespace withy_maya {

class RagdollNode : public SavingNode<MPxNode> {
public:
    static void *creator() { return new RagdollNode; }
    static MStatus initialize();
    static const Table &table();
    static const MTypeId id;
    static constexpr const char *TYPE = "withyRagdoll";

    MStatus compute(const MPlug &plug, MDataBlock &data) override;
    SchedulingType schedulingType() const override { return kParallel; }
    void copyInternalData(MPxNode *from) override;
    void getCacheSetup(const MEvaluationNode &evaluation, MNodeCacheDisablingInfo &disabling, MNodeCacheSetupInfo &setup,
                       MObjectArray &monitored) const override;
    MTimeRange transformInvalidationRange(const MPlug &source, const MTimeRange &input) const override;

private:
    struct Pose {
        std::vector<Vec> positions;
        std::vector<Quat> rotations;
        bool operator==(const Pose &o) const { return positions == o.positions && rotations == o.rotations; }
    };
    void play(MDataBlock &data, const std::vector<unsigned> &elements, const std::vector<Bone> &read, bool bind_given,
              std::vector<Parts> &parts, std::string &report);

    const MObject &saved_attribute() const override;
    // The release, for the scene; and as the scene has it, if it is of this frame and of these bones and colliders.
    void keep_release();
    bool take_release(const std::vector<ColliderInput> &colliders);
    std::string facts() const;

    // All of it under the lock of SavingNode.
    Messages messages_;
    std::unique_ptr<Ragdoll> ragdoll_;
    Timeline timeline_;
    std::vector<double> key_;
    bool begun_ = false;
    double release_ = 0, per_second_ = 0;
    std::vector<unsigned> elements_;
    Pose start_, before_;  // of the release, and one frame earlier, which gives the velocities
    bool seen_ = false, have_before_ = false, from_scene_ = false;
    RagdollMotion start_motion_;
    std::vector<ColliderInput> start_colliders_;
};

}  // namespace withy_maya
