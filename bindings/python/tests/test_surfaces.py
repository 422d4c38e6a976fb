"""Points on a surface that moves and bends, jumps of rods, many pins, errors of other threads."""

import threading

import numpy as np
import pytest

import withy


def sheet(n=8):
    """A bent sheet of n by n squares of a decimetre."""
    x, z = np.meshgrid(0.1 * np.arange(n + 1), 0.1 * np.arange(n + 1))
    points = np.stack([x, 0.05 * np.sin(9 * x), z], -1).reshape(-1, 3)
    a = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).reshape(-1)
    return points, np.concatenate([np.stack([a, a + n + 1, a + 1], 1), np.stack([a + 1, a + n + 1, a + n + 2], 1)])


def test_roots_go_with_a_scalp():
    vertices, triangles = sheet()
    roots = np.random.default_rng(1).uniform((0.05, 0.0, 0.05), (0.75, 0.1, 0.75), (50, 3))
    scalp = withy.Surface(vertices, triangles, roots)
    still, unturned = scalp.follow(vertices)
    assert np.allclose(still, roots, atol=1e-12) and np.allclose(np.abs(unturned[:, 3]), 1)
    # A turn of the whole by 1 rad about z, and a move.
    c, s = np.cos(1.0), np.sin(1.0)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    moved, rotations = scalp.follow(vertices @ turn.T + (1, 2, 3))
    assert np.allclose(moved, roots @ turn.T + (1, 2, 3), atol=1e-12)
    assert np.allclose(rotations * np.sign(rotations[:, 3:]), (0, 0, np.sin(0.5), np.cos(0.5)), atol=1e-12)
    again = withy.Surface.of(scalp.positions, scalp.corners, scalp.coordinates)
    assert np.array_equal(again.follow(vertices)[0], still)
    # Hair on it: roots are where the scalp has them, and stand on it as before.
    with withy.World() as world:
        world.gravity = (0, 0, 0)
        strands = roots[:, None] + np.linspace(0, 0.05, 6)[:, None] * (0, 1, 0)
        hair = withy.Rods(world, strands, radius=1e-4, young_modulus=4e9, damping=20, root=withy.Support.CLAMPED)
        for k in range(1, 61):
            angle = min(k, 30) / 30
            c, s = np.cos(angle), np.sin(angle)
            now = vertices @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T
            hair.set_root_poses(*scalp.follow(now))
            world.step(1 / 60)
        there = hair.read_positions(dtype=np.float64).reshape(50, 6, 3)
        assert np.abs(there - strands @ turn.T).max() < 1e-3
        assert np.abs(there[:, 0] - roots @ turn.T).max() < 1e-6


def test_what_cannot_be_bound():
    vertices, triangles = sheet(2)
    with pytest.raises(withy.InvalidArgumentError, match="triangles.*outside of the 9 positions"):
        withy.Surface(vertices, triangles + 8, [[0, 0, 0]])
    with pytest.raises(withy.InvalidArgumentError, match=r"points\[0\].y is NaN"):
        withy.Surface(vertices, triangles, [[0, np.nan, 0]])
    with pytest.raises(withy.InvalidArgumentError, match="area"):
        withy.Surface(np.zeros((9, 3)), triangles, [[0, 0, 0]])
    scalp = withy.Surface(vertices, triangles, [[0, 0, 0]])
    with pytest.raises(withy.InvalidArgumentError, match="positions.count is 8"):
        scalp.follow(vertices[:8])


def test_rods_jump_as_a_whole():
    points = np.zeros((4, 17, 3))
    points[..., 0] = np.linspace(0, 0.3, 17)
    points[..., 2] = 0.1 * np.arange(4)[:, None]
    with withy.World() as world:
        hair = withy.Rods(world, points, radius=2e-3, young_modulus=1e8, root=withy.Support.CLAMPED)
        hair.set_pins([16, 33], [[0.25, 0.02, 0.0], [0.3, 0.0, 0.1]])
        for _ in range(30):
            world.step(1 / 60)
        state, before = world.save_state(), hair.read_positions(dtype=np.float64)
        assert np.allclose(before[[16, 33]], [[0.25, 0.02, 0.0], [0.3, 0.0, 0.1]], atol=1e-6)
        for _ in range(30):
            world.step(1 / 60)
        stayed = hair.read_positions(dtype=np.float64)
        world.restore_state(state)
        half = np.pi / 4
        hair.teleport((10, 1, 0), (0, np.sin(half), 0, np.cos(half)))
        turn = np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]])
        assert np.allclose(hair.read_positions(dtype=np.float64), before @ turn.T + (10, 1, 0), atol=2e-6)
        for _ in range(30):
            world.step(1 / 60)
        assert np.abs(hair.read_positions(dtype=np.float64) - stayed @ turn.T - (10, 1, 0)).max() < 1e-4
        assert np.abs(hair.read_strain()).max() < 0.01
        hair.set_pins([16, 33], None)
        with pytest.raises(withy.InvalidArgumentError, match=r"vertices\[1\] is 99"):
            hair.set_pins([0, 99], [[0, 0, 0], [0, 0, 0]])


def test_hair_is_drawn_to_goals():
    points = np.zeros((3, 13, 3))
    points[..., 0] = np.linspace(0, 0.24, 13)
    points[..., 2] = 0.1 * np.arange(3)[:, None]
    with withy.World() as world:
        hair = withy.Rods(world, points, radius=2e-4, root=withy.Support.CLAMPED)
        # The first strand is not drawn, the second as the header says, the third hardly gives.
        hair.set_goals(points, np.repeat([0.0, 30.0, 300.0], 13))
        for _ in range(240):
            world.step(1 / 240)
        low = -hair.read_positions(dtype=np.float64).reshape(3, 13, 3)[..., 1].min(1)
        assert low[0] > 0.1 and abs(low[1] - 9.81 * (1 / 900 + 2 / 240 / 30 + 1 / 240**2)) < 7e-4 and low[2] < 1.5e-3, low
        hair.set_goals(None)
        for _ in range(240):
            world.step(1 / 240)
        assert (-hair.read_positions(dtype=np.float64).reshape(3, 13, 3)[..., 1].min(1) > 0.1).all()
        with pytest.raises(withy.InvalidArgumentError, match="rates.count is 2: must be 1, one for all, or 39"):
            hair.set_goals(points, [1.0, 2.0])


def test_an_error_of_another_thread_is_on_the_world():
    with withy.World() as world:
        assert world.last_error == ""

        def fail():
            with pytest.raises(withy.InvalidArgumentError):
                world.step(-1.0)

        job = threading.Thread(target=fail)
        job.start()
        job.join()
        assert "withy_world_step" in world.last_error and "dt is -1" in world.last_error


def test_living_rods_are_changed():
    points = np.zeros((3, 13, 3))
    points[..., 0] = np.linspace(0, 0.24, 13)
    points[..., 1] = 0.1 * np.arange(3)[:, None]
    with withy.Context(convention=withy.Convention.UNREAL) as context, withy.World(context=context) as world:
        hair = withy.Rods(world, 100 * points, radius=0.2, drag=8, root=withy.Support.CLAMPED)
        assert hair.order == withy.Order.DIRECT
        assert np.isclose(hair.read_masses().sum(), 3 * 0.24 * 1000 * np.pi * 2e-3**2, rtol=1e-5)

        def hangs():
            for _ in range(240):
                world.step(1 / 60)
            return hair.read_positions(dtype=np.float64).reshape(3, 13, 3)[..., 2].min(1)

        soft = hangs()
        hair.change(young_modulus=1e9, shear_modulus=4e8)
        assert hair.get_def()["young_modulus"] == 1e9 and np.isclose(hair.get_def()["radius"], 0.2)
        stiff = hangs()
        assert (soft < -5).all() and (stiff > 0.2 * soft).all(), (soft, stiff)
        # Gravity as an acceleration of every vertex, once more.
        hair.set_accelerations(np.full((39, 3), (0.0, 0.0, -981.0)))
        twice = hangs()
        assert np.allclose(twice / stiff, 2, rtol=0.05), (stiff, twice)
        hair.set_accelerations(None)
        blown = np.zeros((39, 3))
        blown[13:26] = (0.0, 0.0, 300.0)
        hair.set_winds(blown)
        assert (hangs() > stiff + 0.1).tolist() == [False, True, False]
        with pytest.raises(withy.InvalidArgumentError, match="model is 1, and these rods were made with 0"):
            hair.change(model=withy.Model.DER)
        with pytest.raises(withy.InvalidArgumentError, match="density is -1"):
            hair.change(density=-1)


def test_disabled_rods_go_with_their_roots():
    points = np.zeros((1, 13, 3))
    points[..., 0] = np.linspace(0, 0.24, 13)
    with withy.World() as world:
        hair = withy.Rods(world, points, radius=2e-3, root=withy.Support.CLAMPED)
        world.step(1 / 60)
        assert hair.enabled
        hair.enabled = False
        before = hair.read_positions(dtype=np.float64)
        half = np.sin(np.pi / 4)
        hair.set_root_transform((0, 2, 0), (0, half, 0, half))
        world.step(1 / 60)
        assert not hair.enabled
        there = hair.read_positions(dtype=np.float64)
        assert np.allclose(there, np.stack([before[:, 2], before[:, 1] + 2, -before[:, 0]], 1), atol=1e-6)
        positions, rotations = hair.read_root_poses()
        assert np.allclose(positions, (0, 2, 0), atol=1e-6) and np.allclose(rotations, (0, half, 0, half), atol=1e-6)
