#pragma once

#include "CoreMinimal.h"

struct FAnimInstanceProxy
{
    const FTransform &GetComponentTransform() const { return StubTransform; }

    FTransform StubTransform;
};
