#pragma once

#include "CoreMinimal.h"

namespace EEndPlayReason
{
enum Type
{
    Destroyed,
    LevelTransition,
};
}

struct FActorComponentTickFunction
{
    bool bCanEverTick = true;
};

class USceneComponent : public UObject
{
public:
    using Super = USceneComponent;
    virtual void BeginPlay() { bStubPlays = true; }
    virtual void EndPlay(const EEndPlayReason::Type) { bStubPlays = false; }
    bool HasBegunPlay() const { return bStubPlays; }
    void SetUsingAbsoluteRotation(bool) {}
    void SetUsingAbsoluteScale(bool) {}
    FVector GetComponentLocation() const { return StubPlace; }
    FQuat GetComponentQuat() const { return StubTurn; }
    FVector GetComponentScale() const { return StubScale; }

    FActorComponentTickFunction PrimaryComponentTick;
    FVector StubPlace = FVector::ZeroVector, StubScale{1, 1, 1};
    FQuat StubTurn;
    bool bStubPlays = false;
};
