#include "WithyHairComponent.h"

#include "Engine/World.h"

DEFINE_LOG_CATEGORY_STATIC(LogWithyHair, Log, All);

namespace
{
/** An FVector is three doubles. */
WithySpan Span(TArray<FVector> &Vectors)
{
    return WithySpan{Vectors.GetData(), static_cast<uint64_t>(Vectors.Num()), sizeof(FVector), WITHY_FORMAT_F64, 0};
}
} // namespace

UWithyHairComponent::UWithyHairComponent()
{
    // The subsystem steps it.
    PrimaryComponentTick.bCanEverTick = false;
    SetCollisionProfileName(TEXT("NoCollision"));
    SetGenerateOverlapEvents(false);
    bCanEverAffectNavigation = false;
    // Pieces are given in the world; a stretched parent would skew them.
    SetUsingAbsoluteScale(true);
}

void UWithyHairComponent::BeginPlay()
{
    Super::BeginPlay();
    UWithySubsystem *Withy = GetWorld()->GetSubsystem<UWithySubsystem>();
    if (Withy != nullptr && Withy->GetWithyWorld().bits != 0)
    {
        Make(*Withy);
        Withy->Add(this);
    }
}

void UWithyHairComponent::EndPlay(const EEndPlayReason::Type Reason)
{
    UWorld *Where = GetWorld();
    UWithySubsystem *Withy = Where != nullptr ? Where->GetSubsystem<UWithySubsystem>() : nullptr;
    if (Withy != nullptr)
    {
        Withy->Remove(this);
    }
    Drop();
    Super::EndPlay(Reason);
}

void UWithyHairComponent::OnWithyGone()
{
    Rods = {};
    Points.Empty();
}

void UWithyHairComponent::Rebuild()
{
    // Not in the editor's world.
    if (!HasBegunPlay() || GetWorld() == nullptr)
    {
        return;
    }
    UWithySubsystem *Withy = GetWorld()->GetSubsystem<UWithySubsystem>();
    if (Withy != nullptr && Withy->GetWithyWorld().bits != 0)
    {
        Drop();
        Make(*Withy);
    }
}

void UWithyHairComponent::Drop()
{
    if (Rods.bits != 0)
    {
        withy_rods_destroy(Rods);
        Rods = {};
    }
    Points.Empty();
    ClearInstances();
}

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

void UWithyHairComponent::Make(UWithySubsystem &Withy)
{
    if (Counts.Num() == 0)
    {
        return;
    }
    const FTransform Here = GetComponentTransform();
    TurnAtStart = GetComponentQuat();
    Last = GetComponentLocation();
    Points.SetNum(Local.Num());
    for (int32 Index = 0; Index < Local.Num(); ++Index)
    {
        Points[Index] = Here.TransformPosition(Local[Index]);
    }
    WithyRodsDef Def;
    bool bMade = UWithySubsystem::Succeeded(withy_hair_def_init(Withy.GetWithyContext(), &Def), this);
    if (bMade)
    {
        if (!bHoldStartPose)
        {
            Def.flags &= ~static_cast<uint32_t>(WITHY_RODS_SAG_FREE);
        }
        Def.positions = Span(Points);
        Def.counts = WithySpan{Counts.GetData(), static_cast<uint64_t>(Counts.Num()), 0, WITHY_FORMAT_U32, 0};
        Def.radius = Radius;
        Def.young_modulus = YoungModulus;
        Def.shear_modulus = YoungModulus * 0.375;
        Def.damping = Damping;
        Def.drag = Drag;
        Def.wind = {Wind.X, Wind.Y, Wind.Z};
        Def.collision_radius = CollisionRadius;
        Def.friction = Friction;
        bMade = UWithySubsystem::Succeeded(withy_rods_create(Withy.GetWithyWorld(), &Def, &Rods), this);
    }
    if (!bMade)
    {
        Points.Empty();
        return;
    }
    Roots.SetNum(Counts.Num());
    Turns.SetNum(Counts.Num());
    Pieces.SetNum(Local.Num() - Counts.Num());
    ClearInstances();
    Draw();
    AddInstances(Pieces, false, true);
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
    const WithyVec3 Air{Wind.X, Wind.Y, Wind.Z};
    UWithySubsystem::Succeeded(withy_rods_set_motion(Rods, Damping, Drag, &Air, Friction), this);
}

void UWithyHairComponent::AfterWithyStep()
{
    if (Rods.bits == 0)
    {
        return;
    }
    WithySpan To = Span(Points);
    if (UWithySubsystem::Succeeded(withy_rods_read_positions(Rods, &To), this))
    {
        Draw();
        BatchUpdateInstancesTransforms(0, Pieces, true, true, true);
    }
}

/** Where the pieces are. The mesh is 100 cm long and 100 cm thick. */
void UWithyHairComponent::Draw()
{
    const double Thick = 2 * Radius / 100;
    int32 Start = 0, Piece = 0;
    for (int32 Strand = 0; Strand < Counts.Num(); ++Strand)
    {
        const int32 End = Start + static_cast<int32>(Counts[Strand]);
        for (int32 Index = Start; Index + 1 < End; ++Index)
        {
            const FVector Way = Points[Index + 1] - Points[Index];
            const FQuat Turn = FQuat::FindBetweenVectors(FVector::UpVector, Way);
            Pieces[Piece++] =
                FTransform(Turn, (Points[Index] + Points[Index + 1]) * 0.5, FVector(Thick, Thick, Way.Size() / 100));
        }
        Start = End;
    }
}
