#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "HAL/CriticalSection.h"
#include "WithySubsystem.h"

#include <withy_ragdoll.h>

#include "WithyRagdollComponent.generated.h"

class USkeletalMeshComponent;

/** A character between animation and physics. The bones that have a capsule, sphere or box in the physics asset of the
 *  actor's skeletal mesh become rigid bodies with ball joints; a spine can be one elastic arc instead. The animation blueprint of
 *  the mesh needs the node "withy Ragdoll" at its end: it brings the pose of the animation here, and the simulated one back. */
UCLASS(ClassGroup = (withy), meta = (BlueprintSpawnableComponent))
class WITHYRUNTIME_API UWithyRagdollComponent : public UActorComponent, public IWithyPart
{
    GENERATED_BODY()

public:
    UWithyRagdollComponent();

    /** kg of the whole character, shared by volume. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0.001"))
    double Mass = 70;

    /** How far joints bend, degrees from the bind pose. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0", ClampMax = "180"))
    double SwingLimit = 40;

    /** How far joints twist to either side, degrees. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0", ClampMax = "180"))
    double TwistLimit = 20;

    /** Lower end of the spine, a bone with a body. None: the spine has joints as all bones do. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy")
    FName SpineFrom = NAME_None;

    /** Upper end of the spine, a bone with a body below SpineFrom. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy")
    FName SpineTo = NAME_None;

    /** Stiffness of the spine's bending, N m^2. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0"))
    double SpineBend = 20;

    /** Stiffness of the spine's twist, N m^2. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0"))
    double SpineTwist = 15;

    /** How strongly the joints hold the animation's pose while it falls, N m/rad. 0: limp. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0"))
    double DriveStiffness = 0;

    /** Damping of that, N m s/rad. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0"))
    double DriveDamping = 0;

    /** Coulomb's coefficient. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0", ClampMax = "10"))
    double Friction = 0.6;

    /** Physics takes the character over, with the pose and the motion of its animation, as soon as two poses were seen. */
    UFUNCTION(BlueprintCallable, Category = "withy")
    void Release();

    /** The animation takes it back, within so many seconds. */
    UFUNCTION(BlueprintCallable, Category = "withy")
    void Recover(double Seconds);

    /** Whether physics has the character, wholly or, while it recovers, in part. */
    UFUNCTION(BlueprintCallable, Category = "withy")
    bool IsReleased() const { return bReleased; }

    /** Of the animation node, on any thread: takes the pose of the animation, one transform a bone of the skeleton, world.
     *  True if `Bones` is now the simulated pose. */
    bool Exchange(TArray<FTransform> &Bones);

    virtual void BeginPlay() override;
    virtual void EndPlay(const EEndPlayReason::Type Reason) override;

    virtual void BeforeWithyStep() override;
    virtual void AfterWithyStep() override;
    virtual void OnWithyGone() override;

private:
    /** Places and turns of all bones, world. */
    struct FPose
    {
        TArray<FVector> Places;
        TArray<FQuat> Turns;

        void SetNum(int32 Count);
        WithySpan Where();
        WithySpan How();
    };

    bool Make(UWithySubsystem &Withy);
    void Begin();

    WithyRagdolls Set{};
    int32 BoneCount = 0;
    /** What the node brought last, guarded; what the game thread works with; the frame before; what is simulated. */
    FPose Brought, Animated, Before, Simulated;
    /** Guards Brought, Shown and their flags. */
    FCriticalSection Guard;
    FPose Shown;
    bool bBrought = false, bShown = false;
    int32 Seen = 0;
    double Between = 0;
    bool bReleased = false, bWanted = false, bRecovering = false;
};
