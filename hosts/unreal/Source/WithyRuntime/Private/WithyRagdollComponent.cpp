#include "WithyRagdollComponent.h"

#include "Components/SkeletalMeshComponent.h"
#include "Engine/SkeletalMesh.h"
#include "Engine/World.h"
#include "GameFramework/Actor.h"
#include "Misc/ScopeLock.h"
#include "PhysicsEngine/PhysicsAsset.h"
#include "PhysicsEngine/SkeletalBodySetup.h"

DEFINE_LOG_CATEGORY_STATIC(LogWithyRagdoll, Log, All);

namespace
{
constexpr double Degree = 3.14159265358979323846 / 180;

WithyPose ToPose(const FVector &Place, const FQuat &Turn)
{
    return WithyPose{{Place.X, Place.Y, Place.Z}, {Turn.X, Turn.Y, Turn.Z, Turn.W}};
}

/** The first shape of a body of the physics asset, and its volume, cm^3; 0: it has none of ours. */
double Shaped(const FKAggregateGeom &Of, WithyShapeDef &Shape)
{
    constexpr double Pi = 3.14159265358979323846;
    if (Of.SphylElems.Num() > 0)
    {
        const FKSphylElem &E = Of.SphylElems[0];
        const double Radius = static_cast<double>(E.Radius), Long = static_cast<double>(E.Length);
        Shape.shape = WITHY_SHAPE_CAPSULE;
        Shape.radius = Radius;
        Shape.half_height = 0.5 * Long;
        Shape.pose = ToPose(E.Center, E.Rotation.Quaternion());
        return Pi * Radius * Radius * (Long + Radius * 4 / 3);
    }
    if (Of.SphereElems.Num() > 0)
    {
        const FKSphereElem &E = Of.SphereElems[0];
        const double Radius = static_cast<double>(E.Radius);
        Shape.shape = WITHY_SHAPE_SPHERE;
        Shape.radius = Radius;
        Shape.pose = ToPose(E.Center, FQuat(0, 0, 0, 1));
        return Pi * Radius * Radius * Radius * 4 / 3;
    }
    if (Of.BoxElems.Num() > 0)
    {
        const FKBoxElem &E = Of.BoxElems[0];
        const double X = static_cast<double>(E.X), Y = static_cast<double>(E.Y), Z = static_cast<double>(E.Z);
        Shape.shape = WITHY_SHAPE_BOX;
        Shape.half_extents = {0.5 * X, 0.5 * Y, 0.5 * Z};
        Shape.pose = ToPose(E.Center, E.Rotation.Quaternion());
        return X * Y * Z;
    }
    return 0;
}
} // namespace

UWithyRagdollComponent::UWithyRagdollComponent()
{
    // The subsystem steps it.
    PrimaryComponentTick.bCanEverTick = false;
}

void UWithyRagdollComponent::FPose::SetNum(int32 Count)
{
    Places.SetNum(Count);
    Turns.SetNum(Count);
}

WithySpan UWithyRagdollComponent::FPose::Where()
{
    return WithySpan{Places.GetData(), static_cast<uint64_t>(Places.Num()), sizeof(FVector), WITHY_FORMAT_F64, 0};
}

WithySpan UWithyRagdollComponent::FPose::How()
{
    return WithySpan{Turns.GetData(), static_cast<uint64_t>(Turns.Num()), sizeof(FQuat), WITHY_FORMAT_F64, 0};
}

void UWithyRagdollComponent::BeginPlay()
{
    Super::BeginPlay();
    UWithySubsystem *Withy = GetWorld()->GetSubsystem<UWithySubsystem>();
    if (Withy != nullptr && Withy->GetWithyWorld().bits != 0 && Make(*Withy))
    {
        Withy->Add(this);
    }
}

void UWithyRagdollComponent::EndPlay(const EEndPlayReason::Type Reason)
{
    UWorld *Where = GetWorld();
    UWithySubsystem *Withy = Where != nullptr ? Where->GetSubsystem<UWithySubsystem>() : nullptr;
    if (Withy != nullptr)
    {
        Withy->Remove(this);
    }
    if (Set.bits != 0)
    {
        withy_ragdolls_destroy(Set);
    }
    OnWithyGone();
    Super::EndPlay(Reason);
}

void UWithyRagdollComponent::OnWithyGone()
{
    Set = {};
    Seen = 0;
    bReleased = bWanted = bRecovering = false;
    const FScopeLock Lock(&Guard);
    BoneCount = 0;
    bShown = bBrought = false;
}

bool UWithyRagdollComponent::Make(UWithySubsystem &Withy)
{
    USkeletalMeshComponent *Mesh = GetOwner() != nullptr ? GetOwner()->FindComponentByClass<USkeletalMeshComponent>() : nullptr;
    const UPhysicsAsset *Asset = Mesh != nullptr ? Mesh->GetPhysicsAsset() : nullptr;
    if (Asset == nullptr || Mesh->GetSkeletalMeshAsset() == nullptr)
    {
        UE_LOG(LogWithyRagdoll, Error, TEXT("%s: its actor has no skeletal mesh with a physics asset"), *GetNameSafe(this));
        return false;
    }
    const FReferenceSkeleton &Skeleton = Mesh->GetSkeletalMeshAsset()->GetRefSkeleton();
    const int32 Count = Skeleton.GetNum();

    TArray<uint32> Parents;
    FPose Bind;
    Parents.SetNum(Count);
    Bind.SetNum(Count);
    for (int32 Bone = 0; Bone < Count; ++Bone)
    {
        const int32 Parent = Skeleton.GetParentIndex(Bone);
        const FTransform &Local = Skeleton.GetRefBonePose()[Bone];
        Parents[Bone] = Parent < 0 ? UINT32_MAX : static_cast<uint32>(Parent);
        Bind.Places[Bone] = Local.GetLocation();
        Bind.Turns[Bone] = Local.GetRotation();
    }

    TArray<WithyShapeDef> Shapes;
    TArray<int32> Of;
    TArray<double> Volumes;
    double Volume = 0;
    int32 First = -1, Last = -1;
    for (int32 Index = 0; Index < Asset->SkeletalBodySetups.Num(); ++Index)
    {
        const USkeletalBodySetup *Setup = Asset->SkeletalBodySetups[Index];
        const int32 Bone = Setup != nullptr ? Skeleton.FindBoneIndex(Setup->BoneName) : -1;
        WithyShapeDef Shape;
        if (Bone < 0 || !UWithySubsystem::Succeeded(withy_shape_def_init(&Shape), this))
        {
            continue;
        }
        const double Its = Shaped(Setup->AggGeom, Shape);
        if (Its <= 0)
        {
            continue;
        }
        First = Setup->BoneName == SpineFrom ? Of.Num() : First;
        Last = Setup->BoneName == SpineTo ? Of.Num() : Last;
        Shape.friction = Friction;
        Shapes.Add(Shape);
        Of.Add(Bone);
        Volumes.Add(Its);
        Volume += Its;
    }
    const bool bSpine = SpineFrom != NAME_None || SpineTo != NAME_None;
    if (Of.Num() == 0 || (bSpine && (First < 0 || Last < 0)))
    {
        UE_LOG(LogWithyRagdoll, Error, TEXT("%s: %s"), *GetNameSafe(this),
               Of.Num() == 0 ? TEXT("no bone has a capsule, sphere or box") : TEXT("SpineFrom and SpineTo must be bones with bodies"));
        return false;
    }

    TArray<WithyBodyDef> Bodies;
    TArray<WithyJointDef> Joints;
    TArray<WithyRagdollBodyDef> Parts;
    Bodies.SetNum(Of.Num());
    Joints.SetNum(Of.Num());
    Parts.SetNum(Of.Num());
    bool bGood = true;
    for (int32 Part = 0; Part < Of.Num(); ++Part)
    {
        bGood = bGood && UWithySubsystem::Succeeded(withy_body_def_init(&Bodies[Part]), this) &&
                UWithySubsystem::Succeeded(withy_joint_def_init(&Joints[Part]), this) &&
                UWithySubsystem::Succeeded(withy_ragdoll_body_def_init(&Parts[Part]), this);
        if (!bGood)
        {
            return false;
        }
        Bodies[Part].shapes = &Shapes[Part];
        Bodies[Part].shape_count = 1;
        Bodies[Part].mass = Mass * Volumes[Part] / Volume;
        // Twist is about the way to the first bone below, or to the middle of the shape. The library calls that axis d3,
        // which is y here.
        const WithyVec3 &Middle = Shapes[Part].pose.position;
        FVector Way(Middle.x, Middle.y, Middle.z);
        for (int32 Bone = Of[Part] + 1; Bone < Count; ++Bone)
        {
            if (Skeleton.GetParentIndex(Bone) == Of[Part])
            {
                Way = Bind.Places[Bone];
                break;
            }
        }
        WithyJointDef &Joint = Joints[Part];
        const FQuat Turn = Way.Size() > 1e-6 ? FQuat::FindBetweenVectors(FVector(0, 1, 0), Way) : FQuat(0, 0, 0, 1);
        Joint.frame_b = ToPose(FVector::ZeroVector, Turn);
        Joint.swing[0] = Joint.swing[1] = SwingLimit * Degree;
        Joint.twist[0] = -TwistLimit * Degree;
        Joint.twist[1] = TwistLimit * Degree;
        Parts[Part].body = &Bodies[Part];
        Parts[Part].bone = static_cast<uint32_t>(Of[Part]);
        Parts[Part].joint = Skeleton.GetParentIndex(Of[Part]) < 0 ? nullptr : &Joint;
    }
    WithyRagdollDef Def;
    WithyRegionDef Region;
    if (!UWithySubsystem::Succeeded(withy_ragdoll_def_init(&Def), this) ||
        !UWithySubsystem::Succeeded(withy_region_def_init(&Region), this))
    {
        return false;
    }
    Def.parents = WithySpan{Parents.GetData(), static_cast<uint64_t>(Count), 0, WITHY_FORMAT_U32, 0};
    Def.positions = Bind.Where();
    Def.rotations = Bind.How();
    Def.bodies = Parts.GetData();
    Def.body_count = static_cast<uint32_t>(Parts.Num());
    if (bSpine)
    {
        Region.first = static_cast<uint32_t>(First);
        Region.last = static_cast<uint32_t>(Last);
        Region.arc.bend[0] = Region.arc.bend[1] = SpineBend;
        Region.arc.twist = SpineTwist;
        Def.regions = &Region;
        Def.region_count = 1;
    }
    if (!UWithySubsystem::Succeeded(withy_ragdolls_create(Withy.GetWithyWorld(), &Def, 1, &Set), this))
    {
        return false;
    }
    Animated.SetNum(Count);
    Before.SetNum(Count);
    Simulated.SetNum(Count);
    const FScopeLock Lock(&Guard);
    Brought.SetNum(Count);
    Shown.SetNum(Count);
    BoneCount = Count;
    return true;
}

bool UWithyRagdollComponent::Exchange(TArray<FTransform> &Bones)
{
    const FScopeLock Lock(&Guard);
    if (BoneCount == 0 || Bones.Num() != BoneCount)
    {
        return false;
    }
    for (int32 Bone = 0; Bone < BoneCount; ++Bone)
    {
        Brought.Places[Bone] = Bones[Bone].GetLocation();
        Brought.Turns[Bone] = Bones[Bone].GetRotation();
    }
    bBrought = true;
    if (!bShown)
    {
        return false;
    }
    // The scale is that of the animation.
    for (int32 Bone = 0; Bone < BoneCount; ++Bone)
    {
        Bones[Bone].SetLocation(Shown.Places[Bone]);
        Bones[Bone].SetRotation(Shown.Turns[Bone]);
    }
    return true;
}

void UWithyRagdollComponent::Release()
{
    if (bReleased && bRecovering)
    {
        UWithySubsystem::Succeeded(withy_ragdolls_fade(Set, nullptr, WITHY_ALL, 1, 0.1), this);
        bRecovering = false;
    }
    bWanted = !bReleased;
}

void UWithyRagdollComponent::Recover(double Seconds)
{
    bWanted = false;
    if (bReleased)
    {
        UWithySubsystem::Succeeded(withy_ragdolls_fade(Set, nullptr, WITHY_ALL, 0, FMath::Max(0.0, Seconds)), this);
        bRecovering = true;
    }
}

/** With the pose of the animation, and its motion if two were seen. */
void UWithyRagdollComponent::Begin()
{
    const bool bMoves = Seen > 1 && Between > 1e-6;
    const WithySpan Where = Animated.Where(), How = Animated.How(), From = Before.Where(), Turned = Before.How();
    bReleased = UWithySubsystem::Succeeded(
        withy_ragdolls_instantiate(Set, nullptr, WITHY_ALL, &Where, &How, bMoves ? &From : nullptr, bMoves ? &Turned : nullptr,
                                   bMoves ? Between : 0, 0),
        this);
    bRecovering = false;
}

void UWithyRagdollComponent::BeforeWithyStep()
{
    if (Set.bits == 0)
    {
        return;
    }
    {
        const FScopeLock Lock(&Guard);
        if (bBrought)
        {
            Before = Animated;
            Animated = Brought;
            bBrought = false;
            Seen = FMath::Min(Seen + 1, 2);
            Between = static_cast<double>(GetWorld()->GetDeltaSeconds());
        }
    }
    if (bWanted && Seen > 1)
    {
        bWanted = false;
        Begin();
    }
    if (bReleased && (DriveStiffness > 0 || DriveDamping > 0))
    {
        WithyRagdollDrive Drive;
        if (UWithySubsystem::Succeeded(withy_ragdoll_drive_init(&Drive), this))
        {
            Drive.stiffness = DriveStiffness;
            Drive.damping = DriveDamping;
            const WithySpan Where = Animated.Where(), How = Animated.How();
            UWithySubsystem::Succeeded(
                withy_ragdolls_set_targets(Set, nullptr, WITHY_ALL, &Where, &How, nullptr, nullptr, 0, &Drive), this);
        }
    }
}

void UWithyRagdollComponent::AfterWithyStep()
{
    if (Set.bits == 0 || !bReleased)
    {
        return;
    }
    double Weight = 1;
    UWithySubsystem::Succeeded(withy_ragdolls_advance(Set, static_cast<double>(GetWorld()->GetDeltaSeconds())), this);
    UWithySubsystem::Succeeded(withy_ragdolls_get_weight(Set, 0, &Weight), this);
    bool bShows = false;
    if (bRecovering && Weight <= 0)
    {
        UWithySubsystem::Succeeded(withy_ragdolls_remove(Set, nullptr, WITHY_ALL), this);
        bReleased = bRecovering = false;
    }
    else
    {
        const WithySpan From = Animated.Where(), Turned = Animated.How();
        WithySpan Where = Simulated.Where(), How = Simulated.How();
        bShows = UWithySubsystem::Succeeded(
            withy_ragdolls_read(Set, nullptr, WITHY_ALL, &From, &Turned, nullptr, &Where, &How), this);
    }
    const FScopeLock Lock(&Guard);
    bShown = bShows;
    if (bShows)
    {
        Shown = Simulated;
    }
}
