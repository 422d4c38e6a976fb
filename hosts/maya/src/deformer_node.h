// withyDeformer: a mesh, a curve or a lattice follows rods.
#pragma once

#include <map>
#include <mutex>

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

namespace withy_maya {

class DeformerNode : public MPxDeformerNode {
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

    std::mutex mutex_;
    Messages messages_;
    std::map<unsigned, Bound> bound_;
};

}  // namespace withy_maya
