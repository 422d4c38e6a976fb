#include "AnimGraphNode_WithyRagdoll.h"

FText UAnimGraphNode_WithyRagdoll::GetNodeTitle(ENodeTitleType::Type) const
{
    return GetControllerDescription();
}

FText UAnimGraphNode_WithyRagdoll::GetTooltipText() const
{
    return FText::FromString(TEXT("Shows the pose that the actor's withy Ragdoll component simulates. The last node of the graph."));
}

FText UAnimGraphNode_WithyRagdoll::GetControllerDescription() const
{
    return FText::FromString(TEXT("withy Ragdoll"));
}
