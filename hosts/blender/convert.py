"""A cache of curves from one format to another: `python convert.py IN OUT`, with Blender as a module (`pip install bpy`), or
`blender --background --python convert.py -- IN OUT`.

IN is USD (`withy simulate --out cache.usda`) or Alembic, OUT ends in .abc, .usdc or .usda. All frames are written, at their own frame
rate. From USD to USD goes everything that IN has, to the bit, by OpenUSD itself (Blender 4.4 and later); Alembic gets points and widths,
which is what Blender's exporter writes of curves.
"""

import os
import sys

import bpy


def main(source, target):
    for path in (source, target):
        if not path.lower().endswith((".abc", ".usd", ".usda", ".usdc")):
            sys.exit(f"{path}: ends neither in .abc nor in .usd, .usda, .usdc")
    if not os.path.isfile(source):
        sys.exit(f"{source}: no such file")
    if not source.lower().endswith(".abc") and not target.lower().endswith(".abc") and recoded(source, target):
        print(f"{target}: everything of {source}")
        return
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if source.lower().endswith(".abc"):
        bpy.ops.wm.alembic_import(filepath=source, set_frame_range=True)
    else:
        bpy.ops.wm.usd_import(filepath=source, set_frame_range=True)
        # Importers of USD do not take over the frame rate, only the range.
        rate = [line.split("=")[1] for line in head(source) if "timeCodesPerSecond" in line]
        if rate:
            bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = round(float(rate[0])), 1.0
    curves = [o for o in bpy.data.objects if o.type in ("CURVES", "CURVE")]
    if not curves:
        sys.exit(f"{source}: no curves")
    scene = bpy.context.scene
    if target.lower().endswith(".abc"):
        bpy.ops.wm.alembic_export(
            filepath=target, start=scene.frame_start, end=scene.frame_end, export_hair=True, export_particles=False,
            as_background_job=False,
        )
    else:
        bpy.ops.wm.usd_export(filepath=target, export_animation=True, export_hair=True)
    print(f"{target}: {len(curves)} objects of curves, frames {scene.frame_start} to {scene.frame_end}")


def recoded(source, target):
    """Text to binary or back, by the library that Blender brings. False: this Blender shows it to no one."""
    try:
        bpy.utils.expose_bundled_modules()
        from pxr import Sdf
    except (AttributeError, ImportError):
        return False
    layer = Sdf.Layer.FindOrOpen(source)
    if layer is None or not layer.Export(target):
        sys.exit(f"{source}: OpenUSD does not read it, or does not write {target}")
    return True


def head(path):
    """The first lines of a text file of USD."""
    if not path.lower().endswith(".usda"):
        return []
    with open(path, encoding="utf-8", errors="replace") as file:
        return [file.readline() for _ in range(30)]


if __name__ == "__main__":
    arguments = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else sys.argv[1:]
    if len(arguments) != 2:
        sys.exit(__doc__)
    main(*arguments)
