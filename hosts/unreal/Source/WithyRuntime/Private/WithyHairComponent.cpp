#include "WithyHairComponent.h"

DEFINE_LOG_CATEGORY_STATIC(LogWithyHair, Log, All);

void UWithyHairComponent::SetStrands(const TArray<FVector> &Positions, const TArray<int32> &InCounts)
{
    int64 Sum = 0;
    bool bGood = true;
    for (int32 Strand = 0; Strand < InCounts.Num(); ++Strand)
    {
        bGood = bGood && InCounts[Strand] >= 2;
        Sum += InCounts[Strand];
    }
    if (!bGood || Sum != Positions.Num())
    {
        UE_LOG(LogWithyHair, Error, TEXT("%s: counts do not add up to %d vertices, of 2 at least a strand"), *GetNameSafe(this),
               Positions.Num());
        return;
    }
    Local = Positions;
    Counts.SetNum(InCounts.Num());
    for (int32 Strand = 0; Strand < InCounts.Num(); ++Strand)
    {
        Counts[Strand] = static_cast<uint32>(InCounts[Strand]);
    }
    Rebuild();
}

bool UWithyHairComponent::Make(UWithySubsystem &Withy)
{
    if (Counts.Num() == 0)
    {
        return false;
    }
    const FTransform Here = GetComponentTransform();
    TurnAtStart = GetComponentQuat();
    Last = GetComponentLocation();
    Points.SetNum(Local.Num());
    for (int32 Index = 0; Index < Local.Num(); ++Index)
    {
        Points[Index] = Here.TransformPosition(Local[Index]);
    }
    Roots.SetNum(Counts.Num());
    Turns.SetNum(Counts.Num());
    WithyRodsDef Def;
    if (!UWithySubsystem::Succeeded(withy_hair_def_init(Withy.GetWithyContext(), &Def), this))
    {
        return false;
    }
    if (!bHoldStartPose)
    {
        Def.flags &= ~static_cast<uint32_t>(WITHY_RODS_SAG_FREE);
    }
    Describe(Def);
    Material = Def;
    Def.positions = Span(Points);
    Def.counts = Span(Counts);
    return UWithySubsystem::Succeeded(withy_rods_create(Withy.GetWithyWorld(), &Def, &Rods), this);
}

void UWithyHairComponent::BeforeWithyStep()
{
    if (Rods.bits == 0)
    {
        return;
    }
    const FVector Place = GetComponentLocation();
    if (FVector::Dist(Place, Last) > TeleportDistance)
    {
        Rebuild();
        return;
    }
    Last = Place;
    const FTransform Here = GetComponentTransform();
    const FQuat Turn = GetComponentQuat() * TurnAtStart.Inverse();
    int32 Start = 0;
    for (int32 Strand = 0; Strand < Counts.Num(); ++Strand)
    {
        Roots[Strand] = Here.TransformPosition(Local[Start]);
        Turns[Strand] = Turn;
        Start += static_cast<int32>(Counts[Strand]);
    }
    const WithySpan Where = Span(Roots);
    const WithySpan How{Turns.GetData(), static_cast<uint64_t>(Turns.Num()), sizeof(FQuat), WITHY_FORMAT_F64, 0};
    UWithySubsystem::Succeeded(withy_rods_set_root_poses(Rods, &Where, &How, 0), this);
    ApplyMaterial();
}

void UWithyHairComponent::Describe(WithyRodsDef &Def) const
{
    Def.radius = Radius;
    Def.young_modulus = YoungModulus;
    Def.shear_modulus = YoungModulus * 0.375;
    Def.damping = Damping;
    Def.drag = Drag;
    Def.wind = {Wind.X, Wind.Y, Wind.Z};
    Def.collision_radius = CollisionRadius;
    Def.friction = Friction;
}
