#pragma once

#include "CoreMinimal.h"

class UTickableWorldSubsystem : public UObject
{
public:
    using Super = UTickableWorldSubsystem;
    virtual void Deinitialize() {}
    virtual void Tick(float) {}
    virtual TStatId GetStatId() const = 0;
};
