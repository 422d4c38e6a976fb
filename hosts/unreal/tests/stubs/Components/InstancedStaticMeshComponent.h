#pragma once

#include "Components/SceneComponent.h"

class UInstancedStaticMeshComponent : public USceneComponent
{
public:
    using Super = UInstancedStaticMeshComponent;
    void SetCollisionProfileName(const TCHAR *) {}
    void SetGenerateOverlapEvents(bool) {}
    void ClearInstances() { StubInstances.Empty(); }
    TArray<int32> AddInstances(const TArray<FTransform> &Transforms, bool, bool bWorldSpace, bool = true)
    {
        StubInstances = Transforms;
        bStubWorld = bWorldSpace;
        return {};
    }
    bool BatchUpdateInstancesTransforms(int32 Start, const TArray<FTransform> &Transforms, bool bWorldSpace, bool, bool)
    {
        bStubWorld = bWorldSpace;
        for (int32 I = 0; I < Transforms.Num(); ++I)
        {
            StubInstances[Start + I] = Transforms[I];
        }
        return true;
    }

    TArray<FTransform> StubInstances;
    bool bStubWorld = false;
    bool bCanEverAffectNavigation = true;
};
