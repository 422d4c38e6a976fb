"""The package for Unity: `python build.py PREFIX OUT.tgz`. PREFIX is what `cargo xtask install --prefix` wrote.

Unity's package manager takes OUT.tgz by "Add package from tarball". Every file and folder that Unity sees gets a
.meta with a GUID made from its path, so that references to it last from version to version.
"""

import hashlib
import io
import re
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARIES = {"libwithy.so": ("Linux/x86_64", "Linux64"), "withy.dll": ("Windows/x86_64", "Win64"), "libwithy.dylib": ("macOS", "OSXUniversal")}


def guid(path):
    return hashlib.md5(("org.withy.unity/" + path).encode()).hexdigest()


def cpu(library):
    """Of a Mach-O library: cargo builds for one processor. Others are x86-64 here."""
    kind = library[:8]
    return "ARM64" if kind == bytes.fromhex("cffaedfe0c000001") else "AnyCPU" if kind[:4] == bytes.fromhex("cafebabe") else "x86_64"


def meta(path, folder=False, platform=None, processor=None):
    text = f"fileFormatVersion: 2\nguid: {guid(path)}\n"
    if folder:
        return text + "folderAsset: yes\nDefaultImporter:\n  externalObjects: {}\n"
    if platform is None:
        kind = {".cs": "MonoImporter", ".asmdef": "AssemblyDefinitionImporter", ".json": "PackageManifestImporter"}
        return text + kind.get(Path(path).suffix, "TextScriptImporter") + ":\n  externalObjects: {}\n"
    system = {"Linux64": "Linux", "Win64": "Windows", "OSXUniversal": "OSX"}[platform]
    return text + (
        "PluginImporter:\n  serializedVersion: 2\n  platformData:\n"
        "  - first:\n      Any: \n    second:\n      enabled: 0\n      settings: {}\n"
        f"  - first:\n      Editor: Editor\n    second:\n      enabled: 1\n      settings:\n        CPU: {processor}\n        OS: {system}\n"
        f"  - first:\n      Standalone: {platform}\n    second:\n      enabled: 1\n      settings:\n        CPU: {processor}\n"
    )


def main(prefix, out):
    files = {"package.json": HERE / "package.json", "README.md": HERE / "README.md"}
    for part in ("Runtime", "Editor"):
        files.update({f"{part}/{f.name}": f for f in sorted((HERE / part).iterdir())})
    files.update({str(f.relative_to(HERE)): f for f in sorted((HERE / "Samples~").rglob("*.cs"))})
    layer = HERE.parent.parent / "bindings/csharp/Withy"
    files.update({f"Runtime/Withy/{f.name}": f for f in sorted(layer.glob("*.cs"))})
    found = [(name, Path(prefix) / folder / name) for name in LIBRARIES for folder in ("lib", "bin")]
    found = [(name, path) for name, path in found if path.is_file()]
    if not found:
        sys.exit(f"{prefix}: no library in lib or bin: run `cargo xtask install --prefix {prefix}`")
    for name, path in found:
        files[f"Plugins/{LIBRARIES[name][0]}/{name}"] = path
    said = (HERE / "README.md").read_text()
    for source in sorted((HERE / "Runtime").glob("*.cs")):
        for field in re.findall(r"\[Tooltip\([^\]]*\)\]\s*(?:\[[^\]]*\]\s*)?public \S+ (\w+)", source.read_text()):
            if f"| `{field}` |" not in said:
                sys.exit(f"README.md: {source.stem}.{field} is not in a table")
    folders = sorted({str(p) for path in files for p in Path(path).parents if str(p) != "." and not path.startswith("Samples~/")})
    with tarfile.open(out, "w:gz") as package:

        def put(path, data):
            entry = tarfile.TarInfo("package/" + path)
            entry.size, entry.mode = len(data), 0o644
            package.addfile(entry, io.BytesIO(data))

        for path, source in sorted(files.items()):
            platform = LIBRARIES[source.name][1] if path.startswith("Plugins/") else None
            data = source.resolve().read_bytes()
            put(path, data)
            if path.startswith("Samples~/"):
                continue
            put(path + ".meta", meta(path, platform=platform, processor=cpu(data) if platform else None).encode())
        for folder in folders:
            put(folder + ".meta", meta(folder, folder=True).encode())
    print(f"{out}: {len(files)} files, for {', '.join(LIBRARIES[n][0] for n, _ in found)}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
