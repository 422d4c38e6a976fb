#pragma once

#include "Components/ActorComponent.h"

class USceneComponent : public UActorComponent
{
public:
    using Super = USceneComponent;
    void SetUsingAbsoluteRotation(bool) {}
    void SetUsingAbsoluteScale(bool) {}
    FVector GetComponentLocation() const { return StubPlace; }
    FQuat GetComponentQuat() const { return StubTurn; }
    FVector GetComponentScale() const { return StubScale; }
    FTransform GetComponentTransform() const { return {StubTurn, StubPlace, StubScale}; }

    FVector StubPlace = FVector::ZeroVector, StubScale{1, 1, 1};
    FQuat StubTurn;
};
