#pragma once

#include "Components/InstancedStaticMeshComponent.h"
#include "CoreMinimal.h"
#include "WithySubsystem.h"

#include "WithyStrandsComponent.generated.h"

/** What a rope and hair have in common: rods that come and go with play, and are drawn as instances of the static mesh,
 *  one a piece. The mesh is a cylinder along z of 100 cm in every direction (/Engine/BasicShapes/Cylinder). */
UCLASS(Abstract)
class WITHYRUNTIME_API UWithyStrandsComponent : public UInstancedStaticMeshComponent, public IWithyPart
{
    GENERATED_BODY()

public:
    UWithyStrandsComponent();

    /** Places of all vertices, world, as of the last step. Empty while it is not simulated. */
    UFUNCTION(BlueprintCallable, Category = "withy")
    const TArray<FVector> &GetPoints() const { return Points; }

    /** Makes it anew with the fields of now, where the component is. */
    UFUNCTION(BlueprintCallable, Category = "withy")
    void Rebuild();

    virtual void BeginPlay() override;
    virtual void EndPlay(const EEndPlayReason::Type Reason) override;

    virtual void BeforeWithyStep() override {}
    virtual void AfterWithyStep() override;
    virtual void OnWithyGone() override;

protected:
    /** An FVector is three doubles. */
    static WithySpan Span(TArray<FVector> &Vectors);
    static WithySpan Span(TArray<uint32> &Numbers);

    /** Fills Counts, Points, Rods and Material; false: there is nothing, or it failed and has been said. */
    virtual bool Make(UWithySubsystem &) { return false; }
    /** Puts the properties that may change while it is simulated into a def. */
    virtual void Describe(WithyRodsDef &) const {}
    /** Those that have changed since the last step take effect. What the library refuses is said once. */
    void ApplyMaterial();
    /** cm, of what is drawn. */
    virtual double DrawnRadius() const { return 1; }

    WithyRods Rods{};
    /** What the rods were told last, without arrays. */
    WithyRodsDef Material{};
    TArray<FVector> Points;
    /** Vertices of each strand. */
    TArray<uint32> Counts;

private:
    void Begin(UWithySubsystem &Withy);
    void Drop();
    void Draw();

    TArray<FTransform> Pieces;
};
