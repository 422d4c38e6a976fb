"""What a call from Python costs, and that reads copy nothing of ours: `python bench.py [--check]`.

call       the time of a whole call: `World.set_iterations` stores two numbers, `Rods.read_positions` fills 2
           vertices, `Rods.set_root_poses` takes 1. Best of 15 rounds of 10,000 calls. Called from C, the same take
           0.04 to 0.1 us; the rest is the overhead.
read       1,000 strands of 32 vertices into a float32 array and into every other row of a float64 array.
           The bar is 0.6 us a call: 0.5 of overhead and 0.1 within the library.
state      a timeline's frame: saving and restoring 2,500 strands of 16 vertices, into new memory and into memory of
           before. The bar is 1 ms each.
--check    fails if a read copies or allocates. Times are printed, not judged: a busy machine is no fault.
"""

import sys
import time
import tracemalloc

import numpy as np

import withy

BAR = 0.6e-6


def best(call, n=10_000, rounds=15):
    """Seconds of a call, less the loop."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(n):
            pass
        middle = time.perf_counter()
        for _ in range(n):
            call()
        end = time.perf_counter()
        times.append((end - middle - (middle - begin)) / n)
    return min(times)


def main():
    rows = []
    with withy.World() as world:
        rope = withy.Rods(world, [[0, 0, 0], [1, 0, 0]], radius=0.01)
        two = withy.View(np.zeros((2, 3), np.float32))
        root = withy.View(np.zeros((1, 3)))
        held = withy.Rods(world, [[0, 0, 0], [1, 0, 0]], radius=0.01, root=withy.Support.PINNED)
        rows.append(("World.set_iterations", best(lambda: world.set_iterations(8, 4))))
        rows.append(("Rods.read_positions, View of 2 vertices", best(lambda: rope.read_positions(two))))
        rows.append(("Rods.set_root_poses, View of 1 strand", best(lambda: held.set_root_poses(root))))
        array = np.zeros((2, 3), np.float32)
        without_view = best(lambda: rope.read_positions(array))

        points = np.zeros((1000, 32, 3))
        points[:, :, 0] = np.linspace(0, 0.3, 32)
        points[:, :, 2] = 0.001 * np.arange(1000)[:, None]
        hair = withy.Rods(world, points, radius=5e-5, root=withy.Support.PINNED)
        dense, sparse = np.zeros((32_000, 3), np.float32), np.zeros((64_000, 3))
        views = withy.View(dense), withy.View(sparse[::2])
        reads = [best(lambda v=v: hair.read_positions(v), 50) for v in views]
        tracemalloc.start()
        for view in views:
            hair.read_positions(view)
        before = tracemalloc.take_snapshot()
        for _ in range(100):
            for view in views:
                hair.read_positions(view)
        allocated = sum(s.size_diff for s in tracemalloc.take_snapshot().compare_to(before, "filename")
                        if "tracemalloc" not in s.traceback[0].filename)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        same = np.allclose(dense, sparse[::2], atol=1e-6)
    with withy.World() as world:
        points = np.zeros((2500, 16, 3))
        points[:, :, 0] = np.linspace(0, 0.3, 16)
        points[:, :, 2] = 0.001 * np.arange(2500)[:, None]
        hair = withy.Rods(world, points, radius=5e-5, root=withy.Support.CLAMPED)
        world.step(1 / 60)
        kept, memory = [], world.save_state()
        states = [
            ("saved into new memory", best(lambda: kept.append(world.save_state()), 20, 5)),
            ("saved into memory of before", best(lambda: world.save_state(memory), 20)),
            ("restored", best(lambda: world.restore_state(memory), 20)),
        ]

    for name, seconds in rows:
        print(f"{seconds * 1e6:8.3f} us  {name}{'' if seconds <= BAR else ' (above the bar)'}")
    print(f"{without_view * 1e6:8.3f} us  Rods.read_positions, array of 2 vertices (makes the View anew)")
    print(f"{reads[0] * 1e6:8.1f} us  read of 32,000 vertices, float32")
    print(f"{reads[1] * 1e6:8.1f} us  read of 32,000 vertices, every other row of float64")
    for name, seconds in states:
        print(f"{seconds * 1e3:8.3f} ms  40,000 vertices, {len(memory) / 1e6:.1f} MB, {name}")
    print(f"{allocated:8d} B   left by 200 reads of 32,000 vertices; {peak} B at most meanwhile")
    if "--check" in sys.argv[1:]:
        if not same or dense.any() == 0 or peak > 64_000:
            sys.exit("a read copies, or reads nothing")


if __name__ == "__main__":
    main()
