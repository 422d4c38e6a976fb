#include "WithyRopeComponent.h"

#include "GameFramework/Actor.h"

namespace
{
constexpr int32 Fine = 1000;
} // namespace

UWithyRopeComponent::UWithyRopeComponent()
{
    // A turn of the component means nothing to a rope.
    SetUsingAbsoluteRotation(true);
}

bool UWithyRopeComponent::Make(UWithySubsystem &Withy)
{
    const int32 Count = FMath::Clamp(Segments, 2, 500);
    bTied = End.IsValid();
    LastStart = GetComponentLocation();
    LastEnd = bTied ? End->GetActorLocation() : LastStart - FVector(0, 0, Length);
    Points.SetNum(Count + 1);
    Lay();
    // Straight, and as long as asked for, wherever it lies now.
    TArray<FVector> Straight;
    Straight.SetNum(Count + 1);
    for (int32 Index = 0; Index <= Count; ++Index)
    {
        Straight[Index] = FVector(0, 0, -Length * Index / Count);
    }
    Counts.SetNum(1);
    Counts[0] = static_cast<uint32>(Count + 1);
    WithyRodsDef Def;
    if (!UWithySubsystem::Succeeded(withy_rope_def_init(Withy.GetWithyContext(), &Def), this))
    {
        return false;
    }
    Def.rest_shape = WITHY_REST_FROM_POSE;
    Def.root = WITHY_SUPPORT_PINNED;
    Def.tip = bTied ? WITHY_SUPPORT_PINNED : WITHY_SUPPORT_FREE;
    Describe(Def);
    Material = Def;
    Def.positions = Span(Points);
    Def.rest_positions = Span(Straight);
    Def.counts = Span(Counts);
    return UWithySubsystem::Succeeded(withy_rods_create(Withy.GetWithyWorld(), &Def, &Rods), this);
}

void UWithyRopeComponent::Describe(WithyRodsDef &Def) const
{
    Def.radius = Radius;
    Def.density = Density;
    Def.young_modulus = BendModulus;
    Def.shear_modulus = BendModulus / 3;
    Def.stretch_modulus = StretchModulus;
    Def.damping = Damping;
    Def.friction = Friction;
}

/** Along the parabola between its ends that has its length, in pieces of the same length. */
void UWithyRopeComponent::Lay()
{
    double Least = 0, Most = Length;
    for (int32 Pass = 0; Pass < 50; ++Pass)
    {
        const double Middle = 0.5 * (Least + Most);
        (Along(Middle) < Length ? Least : Most) = Middle;
    }
    const int32 Last = Points.Num() - 1;
    const double Piece = Along(Least) / Last;
    double Gone = 0;
    int32 Index = 0;
    FVector From = LastStart;
    Points[0] = LastStart;
    for (int32 Step = 1; Step <= Fine; ++Step)
    {
        const FVector Next = Parabola(Least, static_cast<double>(Step) / Fine);
        const double Way = FVector::Dist(Next, From);
        while (Index + 1 < Last && Gone + Way >= (Index + 1) * Piece)
        {
            ++Index;
            Points[Index] = From + (Next - From) * ((Index * Piece - Gone) / Way);
        }
        Gone += Way;
        From = Next;
    }
    Points[Last] = LastEnd;
}

FVector UWithyRopeComponent::Parabola(double Sag, double T) const
{
    return LastStart + (LastEnd - LastStart) * T - FVector(0, 0, 4 * Sag * T * (1 - T));
}

double UWithyRopeComponent::Along(double Sag) const
{
    double Sum = 0;
    FVector From = LastStart;
    for (int32 Step = 1; Step <= Fine; ++Step)
    {
        const FVector Next = Parabola(Sag, static_cast<double>(Step) / Fine);
        Sum += FVector::Dist(Next, From);
        From = Next;
    }
    return Sum;
}

void UWithyRopeComponent::BeforeWithyStep()
{
    const FVector Start = GetComponentLocation();
    const bool bHolds = End.IsValid();
    const FVector Tip = bHolds ? End->GetActorLocation() : LastEnd;
    // Also where the end was set, or has been destroyed, since.
    if (bHolds != bTied || FVector::Dist(Start, LastStart) > TeleportDistance ||
        (bHolds && FVector::Dist(Tip, LastEnd) > TeleportDistance))
    {
        Rebuild();
        return;
    }
    if (Rods.bits == 0)
    {
        return;
    }
    LastStart = Start;
    WithySpan Root{&LastStart, 1, 0, WITHY_FORMAT_F64, 0};
    UWithySubsystem::Succeeded(withy_rods_set_root_poses(Rods, &Root, nullptr, 0), this);
    if (bTied)
    {
        LastEnd = Tip;
        WithySpan Other{&LastEnd, 1, 0, WITHY_FORMAT_F64, 0};
        UWithySubsystem::Succeeded(withy_rods_set_tip_poses(Rods, &Other, nullptr, 0), this);
    }
    ApplyMaterial();
}
