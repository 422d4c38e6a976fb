#pragma once

#include "CoreMinimal.h"

class AActor;

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

class UActorComponent : public UObject
{
public:
    using Super = UActorComponent;
    virtual void BeginPlay() { bStubPlays = true; }
    virtual void EndPlay(const EEndPlayReason::Type) { bStubPlays = false; }
    bool HasBegunPlay() const { return bStubPlays; }
    AActor *GetOwner() const { return StubOwner; }

    FActorComponentTickFunction PrimaryComponentTick;
    AActor *StubOwner = nullptr;
    bool bStubPlays = false;
};
