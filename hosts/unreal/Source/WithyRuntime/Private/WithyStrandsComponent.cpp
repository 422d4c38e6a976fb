#include "WithyStrandsComponent.h"

#include "Engine/World.h"

WithySpan UWithyStrandsComponent::Span(TArray<FVector> &Vectors)
{
    return WithySpan{Vectors.GetData(), static_cast<uint64_t>(Vectors.Num()), sizeof(FVector), WITHY_FORMAT_F64, 0};
}

WithySpan UWithyStrandsComponent::Span(TArray<uint32> &Numbers)
{
    return WithySpan{Numbers.GetData(), static_cast<uint64_t>(Numbers.Num()), 0, WITHY_FORMAT_U32, 0};
}

UWithyStrandsComponent::UWithyStrandsComponent()
{
    // The subsystem steps it.
    PrimaryComponentTick.bCanEverTick = false;
    // It is drawn, nothing more: the library has its contacts.
    SetCollisionProfileName(TEXT("NoCollision"));
    SetGenerateOverlapEvents(false);
    bCanEverAffectNavigation = false;
    // Pieces are given in the world; a stretched parent would skew them.
    SetUsingAbsoluteScale(true);
}

void UWithyStrandsComponent::BeginPlay()
{
    Super::BeginPlay();
    UWithySubsystem *Withy = GetWorld()->GetSubsystem<UWithySubsystem>();
    if (Withy != nullptr && Withy->GetWithyWorld().bits != 0)
    {
        Begin(*Withy);
        Withy->Add(this);
    }
}

void UWithyStrandsComponent::EndPlay(const EEndPlayReason::Type Reason)
{
    // Also called where play has not begun.
    UWorld *Where = GetWorld();
    UWithySubsystem *Withy = Where != nullptr ? Where->GetSubsystem<UWithySubsystem>() : nullptr;
    if (Withy != nullptr)
    {
        Withy->Remove(this);
    }
    Drop();
    Super::EndPlay(Reason);
}

void UWithyStrandsComponent::OnWithyGone()
{
    Rods = {};
    Points.Empty();
}

void UWithyStrandsComponent::Rebuild()
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
        Begin(*Withy);
    }
}

void UWithyStrandsComponent::Begin(UWithySubsystem &Withy)
{
    if (!Make(Withy))
    {
        Points.Empty();
        return;
    }
    Pieces.SetNum(Points.Num() - Counts.Num());
    ClearInstances();
    Draw();
    AddInstances(Pieces, false, true);
}

void UWithyStrandsComponent::ApplyMaterial()
{
    WithyRodsDef Def = Material;
    Describe(Def);
    // It has no padding.
    if (FMemory::Memcmp(&Def, &Material, sizeof(Def)) != 0)
    {
        Material = Def;
        UWithySubsystem::Succeeded(withy_rods_change(Rods, &Def), this);
    }
}

void UWithyStrandsComponent::Drop()
{
    if (Rods.bits != 0)
    {
        withy_rods_destroy(Rods);
        Rods = {};
    }
    Points.Empty();
    ClearInstances();
}

void UWithyStrandsComponent::AfterWithyStep()
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
void UWithyStrandsComponent::Draw()
{
    const double Thick = 2 * DrawnRadius() / 100;
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
