using UnrealBuildTool;

public class WithyEditor : ModuleRules
{
    public WithyEditor(ReadOnlyTargetRules Target) : base(Target)
    {
        PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
        PublicDependencyModuleNames.AddRange(new[] { "Core", "CoreUObject", "Engine", "AnimGraph", "BlueprintGraph", "WithyRuntime" });
    }
}
