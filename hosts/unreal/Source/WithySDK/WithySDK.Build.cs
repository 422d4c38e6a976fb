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
            PublicAdditionalLibraries.Add(Path.Combine(Lib, "withy.lib"));
            // Beside the module, where Windows looks for what a module imports.
            RuntimeDependencies.Add("$(BinaryOutputDir)/withy.dll", Path.Combine(ModuleDirectory, "bin", "withy.dll"));
        }
        else
        {
            bool Mac = Target.Platform == UnrealTargetPlatform.Mac;
            PublicAdditionalLibraries.Add(Path.Combine(Lib, Mac ? "libwithy.dylib" : "libwithy.so"));
            // By the name that programs load it by.
            string Loaded = Mac ? "libwithy.0.dylib" : "libwithy.so.0";
            RuntimeDependencies.Add("$(BinaryOutputDir)/" + Loaded, Path.Combine(Lib, Loaded));
        }
    }
}
