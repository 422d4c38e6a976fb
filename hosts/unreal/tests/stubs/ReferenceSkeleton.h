#pragma once

#include "CoreMinimal.h"

struct FReferenceSkeleton
{
    int32 GetNum() const { return StubParents.Num(); }
    int32 GetParentIndex(int32 Bone) const { return StubParents[Bone]; }
    const TArray<FTransform> &GetRefBonePose() const { return StubPose; }
    int32 FindBoneIndex(const FName &Name) const
    {
        for (int32 Bone = 0; Bone < StubNames.Num(); ++Bone)
        {
            if (StubNames[Bone] == Name)
            {
                return Bone;
            }
        }
        return INDEX_NONE;
    }

    TArray<int32> StubParents;
    TArray<FName> StubNames;
    TArray<FTransform> StubPose;
};
