#pragma once

#include "CoreMinimal.h"
#include "WithyStrandsComponent.h"

#include "WithyHairComponent.generated.h"

/** Hair on this component: strands whose roots follow it. They come from SetStrands. */
UCLASS(ClassGroup = (withy), meta = (BlueprintSpawnableComponent))
class WITHYRUNTIME_API UWithyHairComponent : public UWithyStrandsComponent
{
    GENERATED_BODY()

public:
    /** cm: of a lock of a few hairs, which a strand stands for. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0.0001"))
    double Radius = 0.01;

    /** Young's modulus, Pa. Hair has 4e9. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "1"))
    double YoungModulus = 4e9;

    /** 1/s, the rate at which motion dies. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0", ClampMax = "100"))
    double Damping = 4;

    /** 1/s, the rate at which it follows the air. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0", ClampMax = "100"))
    double Drag = 3;

    /** cm/s, of the air. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy")
    FVector Wind = FVector(0, 0, 0);

    /** It starts in balance with gravity: it keeps its shape instead of sagging. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy")
    bool bHoldStartPose = true;

    /** Distance that it keeps from colliders, cm. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0"))
    double CollisionRadius = 0.2;

    /** Coulomb's coefficient against colliders. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0", ClampMax = "10"))
    double Friction = 0.5;

    /** A move of the component by more than this in one frame, cm, is a jump: the hair starts anew. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0"))
    double TeleportDistance = 100;

    /** Strands in the space of this component, cm, root first, and how many vertices each has, 2 at least. */
    UFUNCTION(BlueprintCallable, Category = "withy")
    void SetStrands(const TArray<FVector> &Positions, const TArray<int32> &InCounts);

    virtual void BeforeWithyStep() override;

protected:
    virtual bool Make(UWithySubsystem &Withy) override;
    virtual void Describe(WithyRodsDef &Def) const override;
    virtual double DrawnRadius() const override { return Radius; }

private:
    TArray<FVector> Local, Roots;
    TArray<FQuat> Turns;
    FVector Last = FVector::ZeroVector;
    FQuat TurnAtStart;
};
