#pragma once

#include "BoneControllers/AnimNode_SkeletalControlBase.h"

namespace ENodeTitleType
{
enum Type
{
    FullTitle,
};
}

class UAnimGraphNode_SkeletalControlBase : public UObject
{
public:
    virtual FText GetNodeTitle(ENodeTitleType::Type) const { return {}; }
    virtual FText GetTooltipText() const { return {}; }

protected:
    virtual FText GetControllerDescription() const { return {}; }
    virtual const FAnimNode_SkeletalControlBase *GetNode() const = 0;
};
