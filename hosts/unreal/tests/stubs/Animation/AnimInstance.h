#pragma once

#include "CoreMinimal.h"

class AActor;

class UAnimInstance : public UObject
{
public:
    AActor *GetOwningActor() const { return StubOwner; }

    AActor *StubOwner = nullptr;
};
