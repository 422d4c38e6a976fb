#pragma once

#include "Components/SceneComponent.h"
#include "Engine/SkeletalMesh.h"
#include "PhysicsEngine/PhysicsAsset.h"

class USkeletalMeshComponent : public USceneComponent
{
public:
    UPhysicsAsset *GetPhysicsAsset() const { return StubAsset; }
    USkeletalMesh *GetSkeletalMeshAsset() const { return StubMesh; }

    UPhysicsAsset *StubAsset = nullptr;
    USkeletalMesh *StubMesh = nullptr;
};
