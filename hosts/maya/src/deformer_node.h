// withyDeformer: a mesh, a curve or a lattice follows rods.
#pragma once

#include <map>

#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MMatrix.h>
#include <maya/MPlug.h>
#include <maya/MPxDeformerNode.h>
#include <maya/MPxNode.h>
#include <maya/MStatus.h>
#include <maya/MTypeId.h>

#include "binding.h"
#include "node.h"
#include "saved.h"

namespace withy_maya {

class DeformerNode : public SavingNode<MPxDeformerNode> {
public:
    static void *creator() { return new DeformerNode; }
    static MStatus initialize();
    static const Table &table();
    static const MTypeId id;
    static constexpr const char *TYPE = "withyDeformer";

    // deform() would see one curve of a groom at a time.
    MStatus compute(const MPlug &plug, MDataBlock &data) override;
    SchedulingType schedulingType() const override { return kParallel; }
    void copyInternalData(MPxNode *from) override;

private:
    // What a geometry was bound with; it is bound again if any of it changes.
    struct Bound {
        std::vector<Vec> points, base;
        std::vector<std::uint32_t> counts;
        int curves = 0;
        double drop = -1;
        Binding binding;
    };
    void deform(MDataBlock &data, MDataHandle &output, unsigned group, unsigned index);

    const MObject &saved_attribute() const override;
    // As the scene has it, or anew, and kept for the scene.
    void bind(unsigned index, Bound &bound);

    // All of it under the lock of SavingNode.
    Messages messages_;
    std::map<unsigned, Bound> bound_;
};

}  // namespace withy_maya
