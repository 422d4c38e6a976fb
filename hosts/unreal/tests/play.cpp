// Plays the module on our own stubs of Unreal.
#include "Engine/World.h"
#include "GameFramework/Actor.h"
#include "WithyColliderComponent.h"
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
} // namespace

int main()
{
    ARopeHangsBetweenTwoActors();
    ARopeLiesOverShapes();
    ComponentsComeAndGo();
    std::puts("  the Unreal module: ropes, colliders, worlds that come and go: played");
}
