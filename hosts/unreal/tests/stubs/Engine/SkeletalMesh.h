#pragma once

#include "ReferenceSkeleton.h"

class USkeletalMesh : public UObject
{
public:
    const FReferenceSkeleton &GetRefSkeleton() const { return StubSkeleton; }

    FReferenceSkeleton StubSkeleton;
};
