"""A cache as `withy simulate` writes it, through Blender into Alembic: every frame and width arrives."""

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


def cache(path):
    samples = ",\n".join(
        f"            {f}: [{', '.join('({}, {}, {})'.format(*p) for p in points(f))}]" for f in range(FRAMES)
    )
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
{samples}
        }}
    }}
}}
""")


def main():
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "cache.usda", Path(folder) / "cache.abc"
        cache(source)
        script = Path(__file__).resolve().parents[1] / "convert.py"
        subprocess.run([sys.executable, script, source, target], check=True, stdout=subprocess.DEVNULL)
        missing = subprocess.run([sys.executable, script, Path(folder) / "no.usda", target], capture_output=True, text=True)
        assert missing.returncode == 1 and "no such file" in missing.stderr, missing
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.scene.render.fps = FPS
        assert bpy.ops.wm.alembic_import(filepath=str(target), set_frame_range=True) == {"FINISHED"}
        (curves,) = [o for o in bpy.data.objects if o.type in ("CURVES", "CURVE")]
        for frame in range(FRAMES):
            bpy.context.scene.frame_set(frame)
            shown = curves.evaluated_get(bpy.context.evaluated_depsgraph_get())
            assert [c.points_length for c in shown.data.curves] == COUNTS
            found = np.empty((7, 3), np.float32)
            shown.data.attributes["position"].data.foreach_get("vector", found.reshape(-1))
            m = np.array(shown.matrix_world)
            found = found @ m[:3, :3].T + m[:3, 3]
            x, y, z = points(frame).T
            # Y up there, Z up here.
            off = np.abs(found - np.stack([x, -z, y], 1)).max()
            assert off < 1e-6, (frame, off)
            radii = np.empty(7, np.float32)
            shown.data.attributes["radius"].data.foreach_get("value", radii)
            assert np.allclose(radii, 0.001), radii
    print("a cache of withy simulate as Alembic: ok")


main()
