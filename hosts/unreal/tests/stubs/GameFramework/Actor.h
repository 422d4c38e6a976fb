#pragma once

#include "CoreMinimal.h"

class AActor : public UObject
{
public:
    FVector GetActorLocation() const { return StubPlace; }

    FVector StubPlace = FVector::ZeroVector;
};
