// Plays the module on our own stubs of Unreal.
#include "AnimGraphNode_WithyRagdoll.h"
#include "Animation/AnimInstance.h"
#include "Components/SkeletalMeshComponent.h"
#include "Engine/World.h"
#include "GameFramework/Actor.h"
#include "WithyColliderComponent.h"
#include "WithyHairComponent.h"
#include "WithyRagdollComponent.h"
#include "WithyRopeComponent.h"

#include <cstdlib>

namespace
{
constexpr float Dt = 1.0f / 60.0f;

#define REQUIRE(condition, ...) Require(condition, #condition, __LINE__)

void Require(bool Condition, const char *What, int Line)
{
    if (!Condition)
    {
        std::fprintf(stderr, "play.cpp:%d: not so: %s\n", Line, What);
        for (const std::string &Error : stub::Errors())
        {
            std::fprintf(stderr, "  logged: %s\n", Error.c_str());
        }
        std::exit(1);
    }
}

/** A world with its subsystem, as the engine makes it. */
struct FPlay
{
    UWorld World;
    UWithySubsystem Withy;

    FPlay()
    {
        Withy.StubWorld = &World;
        Withy.StubName = "WithySubsystem";
        World.StubSubsystem = &Withy;
    }
    void Frames(int Count)
    {
        for (int Frame = 0; Frame < Count; ++Frame)
        {
            Withy.Tick(Dt);
        }
        REQUIRE(stub::Errors().empty());
    }
};

double Length(const TArray<FVector> &Points)
{
    double Sum = 0;
    for (int32 I = 0; I + 1 < Points.Num(); ++I)
    {
        Sum += FVector::Dist(Points[I], Points[I + 1]);
    }
    return Sum;
}

void Rope(FPlay &Play, UWithyRopeComponent &Rope, AActor *End, const FVector &Start, double Length)
{
    Rope.StubWorld = &Play.World;
    Rope.StubName = "Rope";
    Rope.StubPlace = Start;
    Rope.End = End;
    Rope.Length = Length;
    Rope.BeginPlay();
}

void ARopeHangsBetweenTwoActors()
{
    FPlay Play;
    UWithyRopeComponent R;
    AActor End;
    End.StubPlace = {100, 50, 300};
    Rope(Play, R, &End, {-100, 50, 300}, 300);
    Play.Frames(600);
    const TArray<FVector> &P = R.GetPoints();
    REQUIRE(P.Num() == 31);
    REQUIRE(std::abs(Length(P) - 300) < 3);
    // A catenary of 300 cm over 200 cm hangs down by 100.5 cm.
    REQUIRE(std::abs(P[15].Z - 199.5) < 1 && std::abs(P[15].X) < 2 && std::abs(P[15].Y - 50) < 1);
    REQUIRE(FVector::Dist(P[0], {-100, 50, 300}) < 0.01 && FVector::Dist(P[30], End.StubPlace) < 0.01);
    // Every piece is drawn from point to point.
    REQUIRE(R.StubInstances.Num() == 30 && R.bStubWorld);
    for (int32 I = 0; I < 30; ++I)
    {
        const FTransform &T = R.StubInstances[I];
        const FVector Half = T.Rotation.RotateVector({0, 0, 50 * T.Scale.Z});
        REQUIRE(FVector::Dist(T.Translation + Half, P[I + 1]) < 0.01 && FVector::Dist(T.Translation - Half, P[I]) < 0.01);
        REQUIRE(std::abs(T.Scale.X - 0.01) < 1e-9);
    }
    for (int Frame = 0; Frame < 60; ++Frame)
    {
        End.StubPlace.Y += 1;
        Play.Frames(1);
    }
    REQUIRE(FVector::Dist(P[30], End.StubPlace) < 0.01);
    // Gravity that a level changes.
    Play.World.StubGravityZ = 980;
    Play.Frames(900);
    REQUIRE(P[15].Z > 350);
    Play.World.StubGravityZ = -980;
    // The actor is destroyed: the end is free.
    End.bStubGone = true;
    Play.Frames(900);
    REQUIRE(R.GetPoints()[30].Z < 5);
    // A level is left: the world goes before its components end.
    Play.Withy.Deinitialize();
    REQUIRE(R.GetPoints().Num() == 0);
    R.EndPlay(EEndPlayReason::LevelTransition);
}

void ARopeLiesOverShapes()
{
    for (const EWithyShape Shape : {EWithyShape::Plane, EWithyShape::Sphere, EWithyShape::Capsule, EWithyShape::Box})
    {
        FPlay Play;
        UWithyColliderComponent C;
        C.StubWorld = &Play.World;
        C.Shape = Shape;
        C.Radius = 20;
        C.HalfHeight = 20;
        C.HalfExtents = {10, 100, 10};
        C.StubScale = Shape == EWithyShape::Box ? FVector(2, 1, 2) : FVector(1, 1, 1);
        const double Top = Shape == EWithyShape::Plane ? 0 : 20;
        C.StubPlace = {0, 0, 50 - Top};
        C.BeginPlay();
        UWithyRopeComponent R;
        AActor End;
        End.StubPlace = {100, 0, 125};
        Rope(Play, R, &End, {-100, 0, 125}, 210);
        for (int Frame = 0; Frame < 60; ++Frame)
        {
            C.StubPlace.Z += 70.0 / 60;
            Play.Frames(1);
        }
        Play.Frames(300);
        const double Z = R.GetPoints()[15].Z;
        REQUIRE(Z > 119 && Z < 126);
        R.EndPlay(EEndPlayReason::Destroyed);
        C.EndPlay(EEndPlayReason::Destroyed);
        Play.Withy.Deinitialize();
    }
}

void ComponentsComeAndGo()
{
    FPlay Play;
    // A world that never asks for withy has none.
    Play.Frames(3);
    for (int Turn = 0; Turn < 100; ++Turn)
    {
        UWithyRopeComponent R;
        Rope(Play, R, nullptr, {0, 0, 300}, 100);
        Play.Frames(2);
        REQUIRE(R.GetPoints().Num() == 31);
        R.EndPlay(EEndPlayReason::Destroyed);
        REQUIRE(R.GetPoints().Num() == 0 && R.StubInstances.Num() == 0);
        Play.Frames(1);
    }
    UWithyRopeComponent R;
    Rope(Play, R, nullptr, {0, 0, 300}, 100);
    Play.Frames(30);
    // Paused, a hitch, a jump.
    const FVector Before = R.GetPoints()[30];
    Play.Withy.Tick(0);
    REQUIRE(FVector::Dist(Before, R.GetPoints()[30]) == 0);
    Play.Withy.Tick(0.5f);
    Play.Withy.Tick(30);
    Play.Frames(60);
    REQUIRE(std::abs(Length(R.GetPoints()) - 100) < 1);
    R.StubPlace = {5000, 0, 300};
    Play.Frames(1);
    REQUIRE(FVector::Dist(R.GetPoints()[0], R.StubPlace) < 1e-3 && std::abs(Length(R.GetPoints()) - 100) < 1);
    // A field that the library refuses is named once, with the component, and the game goes on.
    R.Radius = -1;
    R.Rebuild();
    REQUIRE(stub::Errors().size() == 1 && stub::Errors()[0].find("Rope: withy_rods_create: radius is") == 0);
    stub::Errors().clear();
    Play.Frames(10);
    R.Radius = 0.5;
    R.Rebuild();
    Play.Frames(10);
    REQUIRE(R.GetPoints().Num() == 31);
    Play.Withy.SetIterations(16, 2);
    Play.Frames(10);
    R.EndPlay(EEndPlayReason::Destroyed);
    Play.Withy.Deinitialize();
}
/** The farthest that a point is from where it should be. */
double Off(const TArray<FVector> &A, const TArray<FVector> &B)
{
    double Worst = 0;
    for (int32 I = 0; I < A.Num(); ++I)
    {
        Worst = FMath::Max(Worst, FVector::Dist(A[I], B[I]));
    }
    return Worst;
}

void HairKeepsItsShapeAndTurnsWithTheHead()
{
    FPlay Play;
    UWithyHairComponent H;
    H.StubWorld = &Play.World;
    H.StubName = "Hair";
    H.StubPlace = {20, -40, 160};
    H.Radius = 0.04;
    // Without strands it does nothing; with wrong ones it says so.
    H.BeginPlay();
    Play.Frames(2);
    REQUIRE(H.GetPoints().Num() == 0);
    TArray<FVector> Strands;
    TArray<int32> Counts;
    for (int Strand = 0; Strand < 20; ++Strand)
    {
        Counts.Add(12);
        for (int I = 0; I < 12; ++I)
        {
            Strands.Add({1.0 * I + 8, 0.5 * Strand, 3 - 0.02 * I * I});
        }
    }
    TArray<int32> Few = Counts;
    Few[3] = 11;
    H.SetStrands(Strands, Few);
    REQUIRE(stub::Errors().size() == 1 && stub::Errors()[0].find("Hair: counts do not add up to 240 vertices") == 0);
    stub::Errors().clear();
    H.SetStrands(Strands, Counts);
    const TArray<FVector> Start = H.GetPoints();
    REQUIRE(Start.Num() == 240 && FVector::Dist(Start[0], {28, -40, 163}) < 1e-9);
    Play.Frames(90);
    REQUIRE(Off(H.GetPoints(), Start) < 0.05);
    // A quarter turn about the vertical in a second, and a walk of 60 cm.
    for (int Frame = 1; Frame <= 60; ++Frame)
    {
        const double Half = 0.25 * 3.14159265358979 * Frame / 60;
        H.StubTurn = FQuat(0, 0, std::sin(Half), std::cos(Half));
        H.StubPlace.X += 1;
        Play.Frames(1);
    }
    Play.Frames(300);
    TArray<FVector> Turned;
    for (int32 I = 0; I < Strands.Num(); ++I)
    {
        Turned.Add(H.GetComponentTransform().TransformPosition(Strands[I]));
    }
    REQUIRE(Off(H.GetPoints(), Turned) < 0.2);
    // Properties take effect while it plays; one that is refused is said once.
    const auto Lowest = [&H] {
        double Z = 1e9;
        for (int32 I = 0; I < H.GetPoints().Num(); ++I) Z = std::min(Z, H.GetPoints()[I].Z);
        return Z;
    };
    const double Stiff = Lowest();
    H.YoungModulus = 1e5;
    Play.Frames(240);
    REQUIRE(Lowest() < Stiff - 2);
    H.Friction = -1;
    for (int Frame = 0; Frame < 10; ++Frame) Play.Withy.Tick(Dt);
    REQUIRE(stub::Errors().size() == 1 && stub::Errors()[0].find("friction is -1") != std::string::npos);
    stub::Errors().clear();
    H.Friction = 0.5;
    H.YoungModulus = 4e9;
    Play.Frames(600);
    REQUIRE(Off(H.GetPoints(), Turned) < 0.2);
    // Every piece is drawn from point to point.
    REQUIRE(H.StubInstances.Num() == 220 && H.bStubWorld);
    const FTransform &T = H.StubInstances[11];
    const FVector Half = T.Rotation.RotateVector({0, 0, 50 * T.Scale.Z});
    REQUIRE(FVector::Dist(T.Translation - Half, H.GetPoints()[12]) < 1e-3);
    // A jump starts it anew; without its start pose it sags.
    H.StubPlace = {5000, 0, 100};
    Play.Frames(1);
    REQUIRE(FVector::Dist(H.GetPoints()[0], H.GetComponentTransform().TransformPosition(Strands[0])) < 1e-3);
    H.bHoldStartPose = false;
    H.Radius = 0.01;
    H.Rebuild();
    const TArray<FVector> Straight = H.GetPoints();
    Play.Frames(90);
    REQUIRE(Off(H.GetPoints(), Straight) > 1);
    H.EndPlay(EEndPlayReason::Destroyed);
    REQUIRE(H.GetPoints().Num() == 0);
    Play.Withy.Deinitialize();
}

/** Pelvis, two bones of a spine, a head, two arms, and a hand without a body that the level of detail leaves out. */
struct FCharacter
{
    AActor Actor;
    USkeletalMeshComponent Mesh;
    USkeletalMesh Asset;
    UPhysicsAsset Physics;
    USkeletalBodySetup Setups[6];
    UWithyRagdollComponent Ragdoll;
    UAnimInstance Instance;
    FAnimInstanceProxy Proxy;
    FBoneContainer Container;
    UAnimGraphNode_WithyRagdoll Graph;

    explicit FCharacter(FPlay &Play)
    {
        const struct
        {
            const char *Name;
            int32 Parent;
            FVector Place;
            float Radius, Length;
        } Bones[] = {
            {"pelvis", -1, {0, 0, 100}, 12, 10}, {"spine", 0, {0, 0, 15}, 10, 8}, {"chest", 1, {0, 0, 20}, 12, 14},
            {"head", 2, {0, 0, 25}, 9, 0},       {"arm_l", 2, {0, 18, 15}, 5, 30}, {"arm_r", 2, {0, -18, 15}, 5, 30},
            {"hand_l", 4, {0, 30, 0}, 0, 0},
        };
        FReferenceSkeleton &S = Asset.StubSkeleton;
        int Body = 0, Compact = 0;
        for (const auto &B : Bones)
        {
            S.StubNames.Add({B.Name});
            S.StubParents.Add(B.Parent);
            S.StubPose.Add(FTransform(FQuat(), B.Place, {1, 1, 1}));
            Container.StubCompact.Add(B.Radius > 0 ? Compact++ : INDEX_NONE);
            if (B.Radius <= 0)
            {
                continue;
            }
            USkeletalBodySetup &Setup = Setups[Body++];
            Setup.BoneName = {B.Name};
            if (B.Length > 0)
            {
                FKSphylElem E;
                E.Radius = B.Radius;
                E.Length = B.Length;
                const bool bArm = B.Place.Y < 0 || B.Place.Y > 0;
                E.Center = bArm ? FVector(0, B.Place.Y < 0 ? -15 : 15, 0) : FVector(0, 0, 8);
                E.Rotation.Stub = bArm ? FQuat(std::sqrt(0.5), 0, 0, std::sqrt(0.5)) : FQuat();
                Setup.AggGeom.SphylElems.Add(E);
            }
            else
            {
                FKSphereElem E;
                E.Radius = B.Radius;
                E.Center = {0, 0, 8};
                Setup.AggGeom.SphereElems.Add(E);
            }
            Physics.SkeletalBodySetups.Add(&Setup);
        }
        Container.StubSkeleton = &S;
        Mesh.StubAsset = &Physics;
        Mesh.StubMesh = &Asset;
        Actor.StubAdd(Mesh);
        Actor.StubAdd(Ragdoll);
        Instance.StubOwner = &Actor;
        Ragdoll.StubWorld = &Play.World;
        Ragdoll.StubName = "Ragdoll";
        Ragdoll.SpineFrom = {"pelvis"};
        Ragdoll.SpineTo = {"chest"};
    }

    /** The animation is the bind pose. What the node puts out, world, compact; empty: nothing. */
    TArray<FTransform> Evaluate()
    {
        FComponentSpacePoseContext Context;
        Context.AnimInstanceProxy = &Proxy;
        Context.Pose.StubPose.StubBones = &Container;
        TArray<FTransform> Whole;
        for (int32 Bone = 0; Bone < 7; ++Bone)
        {
            const FTransform &Local = Asset.StubSkeleton.StubPose[Bone];
            const int32 Parent = Asset.StubSkeleton.StubParents[Bone];
            Whole.Add(Parent < 0 ? Local : Local * Whole[Parent]);
            if (Container.StubCompact[Bone] != INDEX_NONE)
            {
                Context.Pose.StubTransforms.Add(Whole[Bone]);
            }
        }
        FAnimNode_WithyRagdoll &Node = Graph.Node;
        TArray<FBoneTransform> Out;
        Node.PreUpdate(&Instance);
        if (Node.IsValidToEvaluate(nullptr, Container))
        {
            Node.EvaluateSkeletalControl_AnyThread(Context, Out);
        }
        TArray<FTransform> World;
        for (int32 I = 0; I < Out.Num(); ++I)
        {
            REQUIRE(Out[I].BoneIndex.GetInt() == I);
            World.Add(Out[I].Transform * Proxy.StubTransform);
        }
        return World;
    }
    TArray<FTransform> Frames(FPlay &Play, int Count)
    {
        TArray<FTransform> Last;
        for (int Frame = 0; Frame < Count; ++Frame)
        {
            Last = Evaluate();
            Play.Frames(1);
        }
        return Last;
    }
};

void ACharacterFallsAndRecovers()
{
    FPlay Play;
    UWithyColliderComponent Floor;
    Floor.StubWorld = &Play.World;
    Floor.Shape = EWithyShape::Plane;
    Floor.BeginPlay();
    FCharacter C(Play);
    C.Ragdoll.BeginPlay();
    // Animated: it walks along x at 1.2 m/s, in a mesh that is turned.
    C.Proxy.StubTransform = FTransform(FQuat(0, 0, std::sqrt(0.5), std::sqrt(0.5)), {0, 0, 0}, {1, 1, 1});
    for (int Frame = 0; Frame < 30; ++Frame)
    {
        C.Proxy.StubTransform.Translation.X += 2;
        REQUIRE(C.Frames(Play, 1).Num() == 0);
    }
    const FVector Begin = C.Proxy.StubTransform.Translation;
    C.Ragdoll.Release();
    C.Proxy.StubTransform.Translation.X += 2;
    C.Frames(Play, 1);
    REQUIRE(C.Ragdoll.IsReleased());
    TArray<FTransform> Pose = C.Frames(Play, 2);
    REQUIRE(Pose.Num() == 6);
    // It falls from where it was, with its motion, in the right way round: the left arm, along y of the mesh, is at -x.
    REQUIRE(std::abs(Pose[0].Translation.Z - 100) < 3 && Pose[4].Translation.X < Pose[5].Translation.X - 25);
    Pose = C.Frames(Play, 10);
    REQUIRE(Pose[0].Translation.X > Begin.X + 10 && Pose[0].Translation.Z < 95);
    Pose = C.Frames(Play, 240);
    for (int32 Bone = 0; Bone < 6; ++Bone)
    {
        REQUIRE(Pose[Bone].Translation.Z > -2 && Pose[Bone].Translation.Z < 60);
    }
    // Head and chest stay together; the spine between pelvis and chest keeps its length.
    REQUIRE(std::abs(FVector::Dist(Pose[2].Translation, Pose[3].Translation) - 25) < 1);
    const double Spine = FVector::Dist(Pose[0].Translation, Pose[2].Translation);
    REQUIRE(Spine > 20 && Spine < 36);
    // Given back within half a second, through a pose between.
    C.Ragdoll.Recover(0.5);
    Pose = C.Frames(Play, 16);
    REQUIRE(C.Ragdoll.IsReleased() && Pose[0].Translation.Z > 20 && Pose[0].Translation.Z < 95);
    C.Frames(Play, 30);
    REQUIRE(!C.Ragdoll.IsReleased() && C.Evaluate().Num() == 0);
    // Once more, with muscles that hold the pose while it falls; then the level goes first.
    C.Ragdoll.DriveStiffness = 200;
    C.Ragdoll.DriveDamping = 20;
    C.Ragdoll.Release();
    Pose = C.Frames(Play, 20);
    REQUIRE(C.Ragdoll.IsReleased() && Pose.Num() == 6);
    Play.Withy.Deinitialize();
    REQUIRE(C.Evaluate().Num() == 0);
    C.Ragdoll.EndPlay(EEndPlayReason::LevelTransition);

    // What is missing is named.
    FPlay Other;
    FCharacter D(Other);
    D.Ragdoll.SpineTo = {"tail"};
    D.Ragdoll.BeginPlay();
    REQUIRE(stub::Errors().size() == 1 && stub::Errors()[0] == "Ragdoll: SpineFrom and SpineTo must be bones with bodies");
    stub::Errors().clear();
    REQUIRE(D.Evaluate().Num() == 0);
    D.Mesh.StubAsset = nullptr;
    D.Ragdoll.BeginPlay();
    REQUIRE(stub::Errors().size() == 1 && stub::Errors()[0].find("no skeletal mesh with a physics asset") != std::string::npos);
    stub::Errors().clear();
    D.Ragdoll.EndPlay(EEndPlayReason::Destroyed);
    Other.Withy.Deinitialize();
}
} // namespace

int main()
{
    HairKeepsItsShapeAndTurnsWithTheHead();
    ACharacterFallsAndRecovers();
    ARopeHangsBetweenTwoActors();
    ARopeLiesOverShapes();
    ComponentsComeAndGo();
    std::puts("  the Unreal module: ropes, hair, ragdolls, colliders, worlds that come and go: played");
}
