"""A cache as `withy simulate` writes it: Blender opens it with velocities; as Alembic every frame and width arrives, as binary USD
everything.

`python test_convert.py [CACHE.usda]`: also one that the program has written.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import bpy
import numpy as np

COUNTS, FRAMES, FPS = [4, 3], 5, 30


def points(frame):
    p = np.arange(21, dtype=np.float64).reshape(7, 3) * 0.01
    p[:, 1] += 0.05 * frame * np.arange(7)
    return p


def velocities(frame):
    return np.stack([np.zeros(7), 0.05 * FPS * np.arange(7), 0.25 * frame * np.ones(7)], 1)


def samples(values):
    return ",\n".join(
        f"            {f}: [{', '.join('({}, {}, {})'.format(*p) for p in values(f))}]" for f in range(FRAMES)
    )


def cache(path):
    path.write_text(f"""#usda 1.0
(
    defaultPrim = "World"
    endTimeCode = {FRAMES - 1}
    framesPerSecond = {FPS}
    metersPerUnit = 1
    startTimeCode = 0
    timeCodesPerSecond = {FPS}
    upAxis = "Y"
)

def Xform "World"
{{
    def BasisCurves "Strands"
    {{
        uniform token type = "linear"
        uniform token wrap = "nonperiodic"
        int[] curveVertexCounts = {COUNTS}
        float[] widths = [{', '.join(['0.002'] * 7)}] (
            interpolation = "vertex"
        )
        point3f[] points.timeSamples = {{
{samples(points)}
        }}
        vector3f[] velocities.timeSamples = {{
{samples(velocities)}
        }}
        int[] primvars:groom_id = [0, 1] (
            interpolation = "uniform"
        )
        custom int userProperties:groom_version_major = 1
    }}
}}
""")


def shown(path, importer):
    """The curves of a cache as Blender shows them: an empty scene, and the one object."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    assert importer(filepath=str(path), set_frame_range=True) == {"FINISHED"}
    (curves,) = [o for o in bpy.data.objects if o.type in ("CURVES", "CURVE")]
    return curves


def vectors(curves, frame, name):
    """The attribute in a frame, in Blender's world, of directions without the object's place."""
    bpy.context.scene.frame_set(frame)
    seen = curves.evaluated_get(bpy.context.evaluated_depsgraph_get())
    attribute = seen.data.attributes[name]
    found = np.empty((len(attribute.data), 3), np.float32)
    attribute.data.foreach_get("vector", found.reshape(-1))
    m = np.array(seen.matrix_world)
    return found @ m[:3, :3].T + (m[:3, 3] if name == "position" else 0)


def z_up(v):
    x, y, z = v.T
    return np.stack([x, -z, y], 1)


def binary(source, target):
    """Everything of the text is in the binary file."""
    from pxr import Usd

    text, made = (Usd.Stage.Open(str(path)) for path in (source, target))
    assert target.read_bytes()[:8] == b"PXR-USDC"
    count = 0
    for prim in text.Traverse():
        other = made.GetPrimAtPath(prim.GetPath())
        assert other.GetAppliedSchemas() == prim.GetAppliedSchemas()
        for attribute in prim.GetAuthoredAttributes():
            twin = other.GetAttribute(attribute.GetName())
            assert twin.GetTimeSamples() == attribute.GetTimeSamples() and twin.GetTypeName() == attribute.GetTypeName()
            for time in attribute.GetTimeSamples() or [0]:
                assert twin.Get(time) == attribute.Get(time), attribute.GetName()
                count += 1
    print(f"{target.name}: {count} values of {source.name} to the bit, {source.stat().st_size} bytes became {target.stat().st_size}")
    assert count > 10


def of_program(source, script, folder):
    """A cache that moves: Blender's velocities are those with which its points go on."""
    curves = shown(source, bpy.ops.wm.usd_import)
    last = bpy.context.scene.frame_end
    assert last >= 20 and {"radius", "groom_id"} <= set(curves.data.attributes.keys()), list(curves.data.attributes.keys())
    rate = [float(line.split("=")[1]) for line in open(source) if "timeCodesPerSecond" in line][0]
    worst, fastest = 0.0, 0.0
    for frame in range(last - 10, last):
        moved = (vectors(curves, frame + 1, "position") - vectors(curves, frame - 1, "position")) * 0.5 * rate
        velocity = vectors(curves, frame, "velocity")
        worst = max(worst, np.sqrt(np.mean((velocity - moved) ** 2)))
        fastest = max(fastest, np.sqrt(np.mean(moved**2)))
    print(f"{source.name} in Blender: velocities off by {worst:.3f} of {fastest:.3f} m/s from those of the points")
    assert fastest > 0.05 and worst < 0.15 * fastest
    target = folder / "program.usdc"
    subprocess.run([sys.executable, script, source, target], check=True, stdout=subprocess.DEVNULL)
    binary(source, target)


def main():
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "cache.usda", Path(folder) / "cache.abc"
        cache(source)
        script = Path(__file__).resolve().parents[1] / "convert.py"
        subprocess.run([sys.executable, script, source, target], check=True, stdout=subprocess.DEVNULL)
        missing = subprocess.run([sys.executable, script, Path(folder) / "no.usda", target], capture_output=True, text=True)
        assert missing.returncode == 1 and "no such file" in missing.stderr, missing
        curves = shown(source, bpy.ops.wm.usd_import)
        for frame in range(FRAMES):
            for name, wanted in (("position", points(frame)), ("velocity", velocities(frame))):
                off = np.abs(vectors(curves, frame, name) - z_up(wanted)).max()
                assert off < 1e-6, (name, frame, off)
        curves = shown(target, bpy.ops.wm.alembic_import)
        for frame in range(FRAMES):
            assert [c.points_length for c in curves.data.curves] == COUNTS
            off = np.abs(vectors(curves, frame, "position") - z_up(points(frame))).max()
            assert off < 1e-6, (frame, off)
            radii = np.empty(7, np.float32)
            curves.data.attributes["radius"].data.foreach_get("value", radii)
            assert np.allclose(radii, 0.001), radii
        bpy.utils.expose_bundled_modules()
        usdc = Path(folder) / "cache.usdc"
        subprocess.run([sys.executable, script, source, usdc], check=True, stdout=subprocess.DEVNULL)
        binary(source, usdc)
        if len(sys.argv) > 1:
            of_program(Path(sys.argv[1]), script, Path(folder))
    print("a cache of withy simulate in Blender, as Alembic and as binary USD: ok")


main()
