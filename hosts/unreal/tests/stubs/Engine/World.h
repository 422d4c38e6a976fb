#pragma once

#include "CoreMinimal.h"
#include "WithySubsystem.h"

class UWorld : public UObject
{
public:
    double GetGravityZ() const { return StubGravityZ; }
    template <class T>
    T *GetSubsystem() const
    {
        return StubSubsystem;
    }

    double StubGravityZ = -980;
    UWithySubsystem *StubSubsystem = nullptr;
};
