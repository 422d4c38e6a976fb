"""Times of Blender's handler, with bpy 5: `python time_handler.py EXTENSION.zip [FRAMES [ISA]]`.

The groom of test_bpy.py: 1,055 strands of 16 points on a turning head. Wall clock, and the processor time of all threads, of a frame in the
handler and of its parts. What runs beside it counts in the wall clock alone: the load is printed.
"""

import os
import sys
import time

import bpy
import numpy as np

import test_bpy


def main():
    addon = test_bpy.installed(sys.argv[1])
    frames = int(sys.argv[2]) if len(sys.argv) > 2 else 120
    import functools

    import withy

    world = functools.partial(withy.World, isa=withy.Isa[sys.argv[3]]) if len(sys.argv) > 3 else withy.World
    isa = world().isa.name
    spent = {}

    def timed(owner, name, label):
        inner = getattr(owner, name)

        def call(*arguments, **fields):
            wall, processor = time.perf_counter(), time.process_time()
            result = inner(*arguments, **fields)
            now = spent.setdefault(label, [])
            now.append((time.perf_counter() - wall, time.process_time() - processor))
            return result

        setattr(owner, name, call)

    groom = addon.solver.Groom
    timed(groom, "_drive", "drive the roots")
    timed(withy.World, "step", "step")
    timed(groom, "_save", "save the state")
    timed(groom, "write", "read, turn, write")
    withy.World = world
    timed(addon, "update", "a frame in the handler")
    obj, _ = test_bpy.head()
    obj.withy.hold_start_pose = False
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.withy.start() == {"FINISHED"}
    spent.clear()
    before = os.getloadavg()
    for frame in range(2, 2 + frames):
        bpy.context.scene.frame_set(frame)
    print(f"{frames} frames, {isa}, {os.cpu_count()} processors, load {before[0]:.2f} before and {os.getloadavg()[0]:.2f} after")
    print("ms                        median   least   processor, least")
    for label, times in spent.items():
        wall, processor = 1e3 * np.array(times).T
        print(f"{label:24} {np.median(wall):7.2f} {wall.min():7.2f} {processor.min():7.2f}")


if __name__ == "__main__":
    main()
