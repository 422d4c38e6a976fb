"""The extension as a file for Blender: `python build.py WHEEL OUT.zip`. WHEEL is that of bindings/python."""

import sys
import zipfile
from pathlib import Path

#: By the end of the tag of the wheel.
PLATFORMS = {"_x86_64.whl": "linux-x64", "-win_amd64.whl": "windows-x64"}


def main(wheel, out):
    folder, wheel = Path(__file__).resolve().parent, Path(wheel)
    platform = next((b for tag, b in PLATFORMS.items() if wheel.name.endswith(tag)), None)
    if platform is None:
        sys.exit(f"{wheel.name}: no platform of Blender's")
    manifest = (folder / "blender_manifest.toml").read_text()
    filled = manifest.replace("wheels = []", f'wheels = ["./wheels/{wheel.name}"]\nplatforms = ["{platform}"]')
    if filled == manifest:
        sys.exit("blender_manifest.toml has no line `wheels = []`")
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("blender_manifest.toml", filled)
        for source in ("__init__.py", "cache.py", "solver.py"):
            package.write(folder / source, source)
        package.write(wheel, f"wheels/{wheel.name}")


main(*sys.argv[1:])
