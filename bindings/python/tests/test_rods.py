import threading
import time

import numpy as np
import pytest
from conftest import comb

import withy


def hair(world, **fields):
    given = dict(radius=5e-5, young_modulus=4e9, shear_modulus=1.5e9, density=1300, root=withy.Support.CLAMPED)
    return withy.Rods(world, comb(), **{**given, **fields})


def test_a_rope_falls_and_swings(world):
    """A pendulum of a pinned rope: below its pin after a second, and never stretched."""
    rope = withy.Rods(world, comb(1, 21, 1.0), radius=5e-3, root=withy.Support.PINNED, young_modulus=1e7)
    lowest, farthest = 0.0, 1.0
    for _ in range(120):
        world.step(1 / 60)
        tip = rope.read_positions()[-1]
        lowest, farthest = min(lowest, tip[1]), min(farthest, tip[0])
    assert -1.02 < lowest < -0.9
    assert farthest < -0.3, "it swings through"
    assert np.abs(rope.read_strain()).max() < 1e-2


def test_reads_write_the_caller_s_memory(world):
    rods = hair(world)
    world.step(1 / 60)
    dense = rods.read_positions()
    out = np.full((80, 3), 9.0, np.float32)
    assert rods.read_positions(out) is out
    assert np.array_equal(out, dense)
    # Every other row of a structured array, in doubles.
    record = np.dtype([("id", np.int32), ("co", np.float64, 3), ("pad", np.uint8)])
    points = np.zeros(160, record)
    points["id"] = 7
    view = withy.View(points["co"][::2])
    rods.read_positions(view)
    assert np.array_equal(points["co"][::2].astype(np.float32), dense)
    assert (points["co"][1::2] == 0).all() and (points["id"] == 7).all()
    # One strand a row.
    cube = np.zeros((5, 16, 3), np.float32)
    rods.read_positions(cube)
    assert np.array_equal(cube.reshape(-1, 3), dense)


def test_inputs_of_any_form_are_the_same(world):
    points = comb()
    forms = [
        points, points.astype(np.float32).astype(np.float64), points.reshape(-1, 3), points.tolist(),
        np.asfortranarray(points), np.ascontiguousarray(points[::-1])[::-1],
    ]
    read = [hair(world, counts=[16] * 5).read_positions(dtype=np.float64) if form is points
            else withy.Rods(world, form, [16] * 5, radius=5e-5).read_positions(dtype=np.float64) for form in forms]
    for got in read:
        assert np.allclose(got, points.reshape(-1, 3), atol=1e-7)


@pytest.mark.parametrize("bad, error", [
    (np.zeros((80, 2), np.float32), ValueError),
    (np.zeros((3, 80), np.float32).T, ValueError),
    (np.zeros((80, 3), np.float16), TypeError),
    (np.zeros((80, 3), np.float32)[::-1], ValueError),
    ([[0, 0, 0]], TypeError),
])
def test_outputs_that_cannot_be_written_in_place(world, bad, error):
    with pytest.raises(error):
        hair(world).read_positions(bad)


def test_read_only_outputs_are_refused(world):
    out = np.zeros((80, 3), np.float32)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        hair(world).read_positions(out)


def test_too_little_room(world):
    rods = hair(world)
    view = withy.View(np.zeros((79, 3), np.float32))
    for _ in range(2):
        with pytest.raises(withy.TooSmallError, match="withy_rods_read_positions"):
            rods.read_positions(view)
    assert (view.array == 0).all()


def test_errors_carry_the_library_s_message(world):
    with pytest.raises(withy.InvalidArgumentError, match=r"density is -1: must be|density is -1, must be") as caught:
        hair(world, density=-1)
    assert caught.value.code == withy.Result.INVALID_ARGUMENT
    assert isinstance(caught.value, ValueError)
    line = [[0, 0, 0], [1, 0, 0]]
    for fields, said in (({"radius": "x"}, "radius is 'x': must be a number"), ({"root": "clamped"}, "root is 'clamped'.*Support"),
                         ({"iterations": 1.5}, "iterations is 1.5: must be a whole number")):
        with pytest.raises(TypeError, match=said):
            withy.Rods(world, line, **fields)
    with pytest.raises(TypeError, match="world is None"):
        withy.Rods(None, line)
    with pytest.raises(TypeError, match="context is 'x'"):
        withy.World("x")
    with pytest.raises(TypeError, match="'groom.withy': must be the bytes"):
        withy.read_asset("groom.withy")
    with pytest.raises(TypeError, match="no field 'radios'.*radius"):
        hair(world, radios=1)
    rods = hair(world)
    rods.destroy()
    with pytest.raises(withy.InvalidHandleError):
        rods.read_positions(np.zeros((80, 3), np.float32))
    rods.destroy()


def test_roots_follow(world):
    rods = hair(world)
    roots = comb()[:, 0].copy()
    roots[:, 1] += 0.5
    rods.set_root_poses(roots)
    world.step(1 / 60)
    assert np.allclose(rods.read_positions()[::16], roots, atol=1e-6)


def test_roots_follow_one_transform(world):
    """A quarter turn about y and a shift, in one call."""
    rods = hair(world)
    half = np.sqrt(0.5)
    rods.set_root_transform((1, 0, 0), (0, half, 0, half), teleport=True)
    x, y, z = comb()[:, 0].T
    assert np.allclose(rods.read_positions()[::16], np.stack([z + 1, y, -x], 1), atol=1e-6)


def test_state_goes_back_bit_for_bit(world):
    rods = hair(world)
    world.step(1 / 60)
    state = world.save_state()
    world.step(1 / 60)
    after, there = world.state_hash, rods.read_positions()
    world.restore_state(bytes(state))
    assert world.state_hash != after
    world.step(1 / 60)
    assert world.state_hash == after and np.array_equal(rods.read_positions(), there)
    assert world.save_state(state) is state


def test_sag_free(world):
    """The pose stays where the rest shape is found, and sags where it is not."""
    found, naive = (hair(world, radius=2e-4, young_modulus=1e9) for _ in range(2))
    report = found.optimize_rest_shape()
    assert (report["answer"] == withy.StrandAnswer.HOLDS).all()
    # Thin hair held out level can be balanced, and falls aside at a touch.
    thin = hair(world).optimize_rest_shape()
    assert (thin["answer"] == withy.StrandAnswer.UNSTABLE).all() and (thin["unstable_modes"] > 0).all()
    for _ in range(30):
        world.step(1 / 60)
    start = comb().reshape(-1, 3)
    assert np.abs(found.read_positions() - start).max() < 1e-3
    assert np.abs(naive.read_positions() - start).max() > 1e-2


def test_progress_cancels_and_passes_exceptions(world):
    rods = hair(world)
    calls = []
    report = rods.optimize_rest_shape(lambda done, strands: calls.append((done, strands)) or True)
    assert calls == [(0, 5)]
    assert (report["reason"] == withy.Reason.CANCELLED).all()

    def fail(_done, _strands):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        rods.optimize_rest_shape(fail)


def test_other_threads_run_during_a_step():
    """The GIL is free while the library works: another thread counts on."""
    with withy.World(substeps=200, iterations=4) as world:
        withy.Rods(world, comb(400, 32), radius=1e-3, root=withy.Support.PINNED)
        world.step(1 / 60)
        ticks, stop = [], threading.Event()

        def count():
            while not stop.is_set():
                ticks.append(time.perf_counter())
                time.sleep(1e-4)

        thread = threading.Thread(target=count)
        thread.start()
        begin = time.perf_counter()
        world.step(1 / 60)
        end = time.perf_counter()
        stop.set()
        thread.join()
        during = [t for t in ticks if begin < t < end]
        assert end - begin > 0.02, "too short to tell"
        assert len(during) > 10


def test_worlds_end_with_their_context():
    context = withy.Context(threads=2)
    world = withy.World(context)
    rods = hair(world)
    world.step(1 / 60)
    context.close()
    context.close()
    with pytest.raises(withy.InvalidHandleError):
        rods.read_positions(np.zeros((80, 3), np.float32))


def test_conventions():
    """Blender's Z is up: a rod falls along -z."""
    with withy.Context(withy.Convention.BLENDER) as context:
        world = withy.World(context)
        rope = withy.Rods(world, comb(1, 5), radius=1e-3)
        assert np.allclose(world.gravity, (0, 0, -9.81))
        for _ in range(30):
            world.step(1 / 60)
        moved = rope.read_positions() - comb(1, 5).reshape(-1, 3)
        assert (moved[:, 2] < -1).all() and np.abs(moved[:, :2]).max() < 1e-2


@pytest.mark.parametrize("model, less", [(withy.Model.GHOST, 0.0), (withy.Model.DER, 0.5)])
def test_how_long_a_cantilever_is(model, less):
    """As the header says: ghost-point rods bend from the clamp on, discrete elastic rods from the middle of their first edge."""
    world = withy.World(precision=withy.Precision.F64)
    world.gravity = (0, 0, 0)
    edges, young, radius, force = 10, 1e9, 0.005, 0.01
    positions = np.zeros((edges + 1, 3))
    positions[:, 0] = np.linspace(0, 1, edges + 1)
    rods = withy.Rods(world, positions, [edges + 1], radius=radius, young_modulus=young, shear_modulus=4e8,
                      root=withy.Support.CLAMPED, model=model, damping=4.0, drag=4.0)
    forces = np.zeros((edges + 1, 3))
    forces[-1, 1] = -force
    rods.set_forces(forces)
    for _ in range(600):
        world.step(1 / 60)
    sag = -rods.read_positions(dtype=np.float64)[-1, 1]
    whole = force / (3 * young * np.pi * radius**4 / 4)  # F L^3 / (3 E I) for 1 m
    world.close()
    assert abs(edges * (sag / whole) ** (1 / 3) - (edges - less)) < 0.03
