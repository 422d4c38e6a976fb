using System.IO;
using UnrealBuildTool;

// The library as `cargo xtask install --prefix Source/WithySDK` wrote it: include and lib.
public class WithySDK : ModuleRules
{
    public WithySDK(ReadOnlyTargetRules Target) : base(Target)
    {
        Type = ModuleType.External;
        PublicSystemIncludePaths.Add(Path.Combine(ModuleDirectory, "include"));
        string Lib = Path.Combine(ModuleDirectory, "lib");
        if (Target.Platform == UnrealTargetPlatform.Win64)
        {
            PublicAdditionalLibraries.Add(Path.Combine(Lib, "withy.dll.lib"));
            PublicDelayLoadDLLs.Add("withy.dll");
            RuntimeDependencies.Add("$(TargetOutputDir)/withy.dll", Path.Combine(ModuleDirectory, "bin", "withy.dll"));
        }
        else
        {
            string Name = Target.Platform == UnrealTargetPlatform.Mac ? "libwithy.dylib" : "libwithy.so";
            PublicAdditionalLibraries.Add(Path.Combine(Lib, Name));
            RuntimeDependencies.Add("$(TargetOutputDir)/" + Name, Path.Combine(Lib, Name));
        }
    }
}
