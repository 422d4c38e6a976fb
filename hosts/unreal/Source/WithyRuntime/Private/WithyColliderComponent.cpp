#include "WithyColliderComponent.h"

#include "Engine/World.h"

namespace
{
/** The library's shapes stand along the axis that Unreal calls z: planes and capsules need no turn. */
WithyPose ToPose(const FVector &Place, const FQuat &Turn)
{
    return WithyPose{{Place.X, Place.Y, Place.Z}, {Turn.X, Turn.Y, Turn.Z, Turn.W}};
}
} // namespace

WithyPose UWithyColliderComponent::Pose() const
{
    return ToPose(GetComponentLocation(), GetComponentQuat());
}

void UWithyColliderComponent::BeginPlay()
{
    Super::BeginPlay();
    UWithySubsystem *Withy = GetWorld()->GetSubsystem<UWithySubsystem>();
    if (Withy == nullptr || Withy->GetWithyWorld().bits == 0)
    {
        return;
    }
    WithyColliderDef Def;
    if (!UWithySubsystem::Succeeded(withy_collider_def_init(&Def), this))
    {
        return;
    }
    const FVector Scale = GetComponentScale().GetAbs();
    // As Unreal scales its own shapes: by the least, so that they stay round.
    const double Least = Scale.GetMin();
    const uint32_t Shapes[] = {WITHY_SHAPE_PLANE, WITHY_SHAPE_SPHERE, WITHY_SHAPE_CAPSULE, WITHY_SHAPE_BOX};
    Def.shape = Shapes[static_cast<uint8>(Shape)];
    const double Across = FMath::Min(Scale.X, Scale.Y);
    Def.radius = Radius * (Shape == EWithyShape::Capsule ? Across : Least);
    Def.half_height = FMath::Max(0.0, HalfHeight * Scale.Z - Radius * Across);
    Def.half_extents = {HalfExtents.X * Scale.X, HalfExtents.Y * Scale.Y, HalfExtents.Z * Scale.Z};
    Def.friction = Friction;
    Def.pose = Pose();
    Last = GetComponentLocation();
    if (UWithySubsystem::Succeeded(withy_collider_create(Withy->GetWithyWorld(), &Def, &Collider), this))
    {
        Withy->Add(this);
    }
}

void UWithyColliderComponent::EndPlay(const EEndPlayReason::Type Reason)
{
    UWorld *Where = GetWorld();
    UWithySubsystem *Withy = Where != nullptr ? Where->GetSubsystem<UWithySubsystem>() : nullptr;
    if (Withy != nullptr)
    {
        Withy->Remove(this);
    }
    if (Collider.bits != 0)
    {
        withy_collider_destroy(Collider);
        Collider = {};
    }
    Super::EndPlay(Reason);
}

void UWithyColliderComponent::OnWithyGone()
{
    Collider = {};
}

void UWithyColliderComponent::BeforeWithyStep()
{
    const FVector Place = GetComponentLocation();
    const bool bJumps = FVector::Dist(Place, Last) > TeleportDistance;
    Last = Place;
    const WithyPose Now = Pose();
    UWithySubsystem::Succeeded(withy_collider_set_pose(Collider, &Now, bJumps ? 1u : 0u), this);
}
