#pragma once

#include "CoreMinimal.h"
#include "WithySubsystem.h"

class UWorld : public UObject
{
public:
    double GetGravityZ() const { return StubGravityZ; }
    float GetDeltaSeconds() const { return StubDelta; }
    template <class T>
    T *GetSubsystem() const
    {
        return StubSubsystem;
    }

    double StubGravityZ = -980;
    float StubDelta = 1.0f / 60.0f;
    UWithySubsystem *StubSubsystem = nullptr;
};
