#pragma once

#include "CoreMinimal.h"
#include "WithyStrandsComponent.h"

#include "WithyRopeComponent.generated.h"

class AActor;

/** A rope from this component to an actor, or with a free end. */
UCLASS(ClassGroup = (withy), meta = (BlueprintSpawnableComponent))
class WITHYRUNTIME_API UWithyRopeComponent : public UWithyStrandsComponent
{
    GENERATED_BODY()

public:
    UWithyRopeComponent();

    /** What holds the other end: the actor's own place. None: the rope hangs free. */
    UPROPERTY(EditInstanceOnly, BlueprintReadWrite, Category = "withy")
    TWeakObjectPtr<AActor> End = nullptr;

    /** cm. At least the distance of the ends. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "1"))
    double Length = 200;

    /** Straight pieces that it is made of. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "2", ClampMax = "500"))
    int32 Segments = 30;

    /** cm */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0.01"))
    double Radius = 0.5;

    /** kg/m^3 */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "1"))
    double Density = 1000;

    /** Young's modulus of its bending, Pa: 1e7 is a climbing rope, 1e9 stiff wire. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "1"))
    double BendModulus = 1e7;

    /** Young's modulus of its stretching, Pa. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "1"))
    double StretchModulus = 1e9;

    /** 1/s, the rate at which its motion dies. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0", ClampMax = "100"))
    double Damping = 0.5;

    /** Coulomb's coefficient against colliders. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0", ClampMax = "10"))
    double Friction = 0.6;

    /** A move of an end by more than this in one frame, cm, lays the rope anew. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0"))
    double TeleportDistance = 200;

    virtual void BeforeWithyStep() override;

protected:
    virtual bool Make(UWithySubsystem &Withy) override;
    virtual void Describe(WithyRodsDef &Def) const override;
    virtual double DrawnRadius() const override { return Radius; }

private:
    void Lay();
    FVector Parabola(double Sag, double T) const;
    double Along(double Sag) const;

    FVector LastStart = FVector::ZeroVector;
    FVector LastEnd = FVector::ZeroVector;
    bool bTied = false;
};
