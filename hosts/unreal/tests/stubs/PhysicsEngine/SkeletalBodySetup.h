#pragma once

#include "CoreMinimal.h"

struct FKSphereElem
{
    FVector Center = FVector::ZeroVector;
    float Radius = 1;
};

struct FKSphylElem
{
    FVector Center = FVector::ZeroVector;
    FRotator Rotation;
    float Radius = 1, Length = 1;
};

struct FKBoxElem
{
    FVector Center = FVector::ZeroVector;
    FRotator Rotation;
    float X = 1, Y = 1, Z = 1;
};

struct FKAggregateGeom
{
    TArray<FKSphereElem> SphereElems;
    TArray<FKBoxElem> BoxElems;
    TArray<FKSphylElem> SphylElems;
};

class USkeletalBodySetup : public UObject
{
public:
    FName BoneName;
    FKAggregateGeom AggGeom;
};
