#include "WithySubsystem.h"

#include "Engine/World.h"
#include "Stats/Stats.h"

DEFINE_LOG_CATEGORY_STATIC(LogWithy, Log, All);

bool UWithySubsystem::Succeeded(int32 Code, const UObject *Where)
{
    if (Code == WITHY_OK)
    {
        return true;
    }
    UE_LOG(LogWithy, Error, TEXT("%s: %s"), *GetNameSafe(Where), UTF8_TO_TCHAR(withy_last_error()));
    return false;
}

WithyContext UWithySubsystem::GetWithyContext()
{
    GetWithyWorld();
    return Context;
}

WithyWorld UWithySubsystem::GetWithyWorld()
{
    if (World.bits != 0 || bFailed)
    {
        return World;
    }
    // Tried once: what fails now fails in every frame.
    WithyContextDef Def;
    bFailed = !Succeeded(withy_check_version(WITHY_VERSION), this) || !Succeeded(withy_context_def_init(&Def), this);
    if (!bFailed)
    {
        Def.convention = WITHY_CONVENTION_UNREAL;
        bFailed = !Succeeded(withy_context_create(&Def, &Context), this);
    }
    bFailed = bFailed || !Succeeded(withy_world_create(Context, nullptr, &World), this);
    if (!bFailed)
    {
        UpdateGravity();
    }
    return World;
}

void UWithySubsystem::UpdateGravity()
{
    const double Now = GetWorld()->GetGravityZ();
    if (Now != GravityZ)
    {
        GravityZ = Now;
        const WithyVec3 Gravity{0.0, 0.0, Now};
        Succeeded(withy_world_set_gravity(World, &Gravity), this);
    }
}

void UWithySubsystem::SetIterations(int32 Substeps, int32 Iterations)
{
    if (GetWithyWorld().bits != 0)
    {
        Succeeded(withy_world_set_iterations(World, static_cast<uint32_t>(FMath::Clamp(Substeps, 1, 64)),
                                             static_cast<uint32_t>(FMath::Clamp(Iterations, 1, 100))),
                  this);
    }
}

void UWithySubsystem::Add(IWithyPart *Part)
{
    Parts.AddUnique(Part);
}

void UWithySubsystem::Remove(IWithyPart *Part)
{
    Parts.Remove(Part);
}

void UWithySubsystem::Deinitialize()
{
    for (IWithyPart *Part : Parts)
    {
        Part->OnWithyGone();
    }
    Parts.Empty();
    if (Context.bits != 0)
    {
        // Takes the world and all that is in it.
        withy_context_destroy(Context);
        Context = {};
        World = {};
    }
    Super::Deinitialize();
}

void UWithySubsystem::Tick(float DeltaTime)
{
    // A paused game; a world without withy.
    if (World.bits == 0 || !(DeltaTime > 1e-6f))
    {
        return;
    }
    UpdateGravity();
    // By number: a part may leave while it is told.
    for (int32 Index = 0; Index < Parts.Num(); ++Index)
    {
        Parts[Index]->BeforeWithyStep();
    }
    Succeeded(withy_world_step(World, FMath::Min(static_cast<double>(DeltaTime), 1.0)), this);
    for (int32 Index = 0; Index < Parts.Num(); ++Index)
    {
        Parts[Index]->AfterWithyStep();
    }
}

TStatId UWithySubsystem::GetStatId() const
{
    RETURN_QUICK_DECLARE_CYCLE_STAT(UWithySubsystem, STATGROUP_Tickables);
}
