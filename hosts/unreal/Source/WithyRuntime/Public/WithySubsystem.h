#pragma once

#include "CoreMinimal.h"
#include "Subsystems/WorldSubsystem.h"

#include <withy.h>

#include "WithySubsystem.generated.h"

/** What takes part in the simulation of a world: ropes and colliders. */
class IWithyPart
{
public:
    virtual ~IWithyPart() = default;
    /** Tells the library what has moved in the world. */
    virtual void BeforeWithyStep() = 0;
    /** Shows what has moved in the library. */
    virtual void AfterWithyStep() = 0;
    /** The library's world is about to go, with everything in it. */
    virtual void OnWithyGone() = 0;
};

/** Simulates everything of withy in a world, together, once a frame. It is there by itself. */
UCLASS()
class WITHYRUNTIME_API UWithySubsystem : public UTickableWorldSubsystem
{
    GENERATED_BODY()

public:
    /** Substeps of a step, 1 to 64. More are stiffer and more exact. */
    UFUNCTION(BlueprintCallable, Category = "withy")
    void SetIterations(int32 Substeps, int32 Iterations);

    /** The library's world, made when it is first asked for; null if that failed. */
    WithyWorld GetWithyWorld();
    WithyContext GetWithyContext();

    void Add(IWithyPart *Part);
    void Remove(IWithyPart *Part);

    virtual void Deinitialize() override;
    virtual void Tick(float DeltaTime) override;
    virtual TStatId GetStatId() const override;

    /** Logs what the library says of a call that failed, with the name of the object that made it. */
    static bool Succeeded(int32 Code, const UObject *Where);

private:
    void UpdateGravity();

    TArray<IWithyPart *> Parts;
    WithyContext Context{};
    WithyWorld World{};
    double GravityZ = 0;
    bool bFailed = false;
};
