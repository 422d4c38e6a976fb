// The plugin: what Maya calls when it is loaded and unloaded.
#include <maya/MFnPlugin.h>
#include <maya/MObject.h>
#include <maya/MPxNode.h>
#include <maya/MStatus.h>
#include <maya/MTypeId.h>
#include <withy.h>

#include "deformer_node.h"
#include "groom_node.h"
#include "ragdoll_node.h"

#if defined(_WIN32)
#define WITHY_MAYA_ENTRY __declspec(dllexport)
#else
#define WITHY_MAYA_ENTRY __attribute__((visibility("default")))
#endif

using namespace withy_maya;

WITHY_MAYA_ENTRY MStatus initializePlugin(MObject object);
WITHY_MAYA_ENTRY MStatus uninitializePlugin(MObject object);

MStatus initializePlugin(MObject object) {
    if (withy_check_version(WITHY_VERSION) != WITHY_OK) {
        MStatus status(MStatus::kFailure);
        status.perror(withy_last_error());
        return status;
    }
    MFnPlugin plugin(object, "withy", WITHY_VERSION_STRING, "Any");
    MStatus status = plugin.registerNode(GroomNode::TYPE, GroomNode::id, GroomNode::creator, GroomNode::initialize);
    if (status) {
        status = plugin.registerNode(DeformerNode::TYPE, DeformerNode::id, DeformerNode::creator, DeformerNode::initialize,
                                     MPxNode::kDeformerNode);
    }
    if (status) {
        status = plugin.registerNode(RagdollNode::TYPE, RagdollNode::id, RagdollNode::creator, RagdollNode::initialize);
    }
    if (!status) {
        status.perror("withy: a node could not be registered");
        // What was registered is taken back; what was not is no error here.
        plugin.deregisterNode(GroomNode::id);
        plugin.deregisterNode(DeformerNode::id);
    }
    return status;
}

MStatus uninitializePlugin(MObject object) {
    MFnPlugin plugin(object);
    MStatus status;
    for (const MTypeId &id : {GroomNode::id, DeformerNode::id, RagdollNode::id}) {
        const MStatus one = plugin.deregisterNode(id);
        if (!one) {
            one.perror("withy: a node could not be deregistered");
            status = one;
        }
    }
    return status;
}
