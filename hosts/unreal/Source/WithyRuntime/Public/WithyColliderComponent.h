#pragma once

#include "Components/SceneComponent.h"
#include "CoreMinimal.h"
#include "WithySubsystem.h"

#include "WithyColliderComponent.generated.h"

UENUM(BlueprintType)
enum class EWithyShape : uint8
{
    Plane,
    Sphere,
    Capsule,
    Box,
};

/** A shape that ropes slide on. It follows its transform; its size is that of the moment when play begins. */
UCLASS(ClassGroup = (withy), meta = (BlueprintSpawnableComponent))
class WITHYRUNTIME_API UWithyColliderComponent : public USceneComponent, public IWithyPart
{
    GENERATED_BODY()

public:
    /** The plane is z = 0 of the component, a capsule lies along its z axis. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy")
    EWithyShape Shape = EWithyShape::Sphere;

    /** cm, of spheres and capsules. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0.0001"))
    double Radius = 25;

    /** cm, of capsules, from the middle to the end with its cap, as in Unreal's capsules. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0"))
    double HalfHeight = 50;

    /** cm, of boxes. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy")
    FVector HalfExtents = FVector(25, 25, 25);

    /** Coulomb's coefficient. A contact has the geometric mean of both sides. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0", ClampMax = "10"))
    double Friction = 0.5;

    /** A move by more than this in one frame, cm, is a jump and drags nothing along. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "withy", meta = (ClampMin = "0"))
    double TeleportDistance = 200;

    virtual void BeginPlay() override;
    virtual void EndPlay(const EEndPlayReason::Type Reason) override;

    virtual void BeforeWithyStep() override;
    virtual void AfterWithyStep() override {}
    virtual void OnWithyGone() override;

private:
    WithyPose Pose() const;

    WithyCollider Collider{};
    FVector Last = FVector::ZeroVector;
};
