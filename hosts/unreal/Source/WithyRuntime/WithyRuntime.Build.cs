using UnrealBuildTool;

public class WithyRuntime : ModuleRules
{
    public WithyRuntime(ReadOnlyTargetRules Target) : base(Target)
    {
        PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
        PublicDependencyModuleNames.AddRange(new[] { "Core", "CoreUObject", "Engine", "AnimGraphRuntime", "PhysicsCore", "WithySDK" });
    }
}
