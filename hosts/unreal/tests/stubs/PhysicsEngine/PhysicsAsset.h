#pragma once

#include "PhysicsEngine/SkeletalBodySetup.h"

class UPhysicsAsset : public UObject
{
public:
    TArray<USkeletalBodySetup *> SkeletalBodySetups;
};
