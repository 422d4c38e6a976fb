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
    virtual void BeginPlay() {}
    virtual void EndPlay(const EEndPlayReason::Type) {}
    FVector GetComponentLocation() const { return StubPlace; }
    FQuat GetComponentQuat() const { return StubTurn; }
    FVector GetComponentScale() const { return StubScale; }

    FActorComponentTickFunction PrimaryComponentTick;
    FVector StubPlace = FVector::ZeroVector, StubScale{1, 1, 1};
    FQuat StubTurn;
};
