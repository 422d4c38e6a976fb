"""Checks a cache that withy wrote against OpenUSD itself: needs `usd-core`. Prints `ok` and exits 0, or says what is wrong.

    python3 tests/usd_check.py out.usda [--expect STRANDS POINTS FRAMES]
"""

import argparse
import math
import sys

from pxr import Gf, Usd, UsdGeom, UsdValidation


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("file")
    arguments.add_argument("--expect", nargs=3, type=int, metavar=("STRANDS", "POINTS", "FRAMES"))
    arguments = arguments.parse_args()

    stage = Usd.Stage.Open(arguments.file)
    problems = []

    def check(condition, message):
        if not condition:
            problems.append(message)

    registry = UsdValidation.ValidationRegistry()
    context = UsdValidation.ValidationContext(registry.GetOrLoadAllValidators())
    for error in context.Validate(stage):
        problems.append(f"{error.GetName()}: {error.GetMessage()}")

    check(stage.GetDefaultPrim().IsValid(), "no default prim")
    check(stage.HasAuthoredMetadata("metersPerUnit"), "no metersPerUnit")
    check(stage.HasAuthoredMetadata("upAxis"), "no upAxis")
    start, end = stage.GetStartTimeCode(), stage.GetEndTimeCode()
    frames = int(end - start) + 1
    curves = [prim for prim in stage.Traverse() if prim.IsA(UsdGeom.BasisCurves)]
    check(len(curves) == 1, f"{len(curves)} BasisCurves prims, not 1")
    for prim in curves:
        strands = UsdGeom.BasisCurves(prim)
        counts = strands.GetCurveVertexCountsAttr().Get()
        times = strands.GetPointsAttr().GetTimeSamples()
        check(times == [start + k for k in range(frames)], f"points are sampled at {times[:5]}...")
        check(strands.GetTypeAttr().Get() == "linear", "curves are not linear")
        for time in times:
            points = strands.GetPointsAttr().Get(time)
            check(len(points) == sum(counts), f"frame {time}: {len(points)} points for counts of {sum(counts)}")
            check(all(math.isfinite(x) for point in points for x in point), f"frame {time}: a point is not finite")
            low, high = strands.GetExtentAttr().Get(time)
            computed = UsdGeom.Boundable.ComputeExtentFromPlugins(strands, time)
            check(Gf.IsClose(low, computed[0], 1e-5) and Gf.IsClose(high, computed[1], 1e-5), f"frame {time}: extent is wrong")
            velocities = strands.GetVelocitiesAttr().Get(time)
            check(velocities is None or len(velocities) == len(points), f"frame {time}: {len(velocities or [])} velocities")
        widths = strands.GetWidthsAttr().Get()
        expected = {"constant": 1, "vertex": sum(counts)}.get(strands.GetWidthsInterpolation())
        check(widths is None or len(widths) == expected, f"{len(widths or [])} widths")
        if arguments.expect:
            got = [len(counts), sum(counts), frames]
            check(got == arguments.expect, f"strands, points, frames are {got}, not {arguments.expect}")
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            mesh = UsdGeom.Mesh(prim)
            for time in mesh.GetPointsAttr().GetTimeSamples() or [start]:
                valid, reason = UsdGeom.Mesh.ValidateTopology(
                    mesh.GetFaceVertexIndicesAttr().Get(),
                    mesh.GetFaceVertexCountsAttr().Get(),
                    len(mesh.GetPointsAttr().Get(time)),
                )
                check(valid, f"{prim.GetPath()}: {reason}")

    for problem in problems:
        print(problem)
    if not problems:
        print("ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
