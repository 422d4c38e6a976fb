"""Cables, and rods that are cut or break."""

import numpy as np
import pytest
import withy


def ball(world, position, mass=1.0):
    return withy.Body(world, shapes=[{"radius": 0.1}], mass=mass, pose=(position, (0, 0, 0, 1)))


def test_a_winch_lifts(world):
    load = ball(world, (1, 0, 0), 5)
    points = [
        {"position": (0, 0, 0)},
        {"position": (0.5, 3, 0), "axis": (0, 0, -1), "radius": 0.5},
        {"body": load, "position": (1, 0, 0)},
    ]
    cable = withy.Cable(world, points)
    length = cable.state.length
    assert length == pytest.approx(6 + np.pi / 2, rel=1e-6)
    for k in range(60):
        cable.set_length(length - 0.5 * (k + 1) / 60)
        world.step(1 / 60)
    assert load.pose[0][1] == pytest.approx(0.5, abs=0.01)
    assert cable.state.tension == pytest.approx(5 * 9.81, rel=0.1) and not cable.state.broken
    way = cable.read_points()
    assert way.shape == (19, 3) and np.allclose(np.hypot(way[1:18, 0] - 0.5, way[1:18, 1] - 3), 0.5, atol=1e-4)
    with pytest.raises(withy.InvalidArgumentError, match=r"points\[1\].axis"):
        withy.Cable(world, [points[0], {"position": (0, 1, 0), "radius": 0.1}, points[2]])
    with pytest.raises(withy.InvalidArgumentError, match="point_count is 1"):
        withy.Cable(world, points[:1])
    load.destroy()
    with pytest.raises(withy.InvalidHandleError):
        cable.state


def test_a_rope_is_cut_and_breaks(world):
    line = np.zeros((11, 3))
    line[:, 1] = -np.linspace(0, 1, 11)
    rope = withy.Rods(world, line, radius=5e-3, root=withy.Support.PINNED, young_modulus=1e7, stretch_modulus=1e9)
    rope.set_cut(6)
    assert rope.read_cuts().tolist() == [6]
    for _ in range(30):
        world.step(1 / 60)
    y = rope.read_positions()[:, 1]
    assert y[6] == pytest.approx(-0.6, abs=1e-3) and y[7] < -1.5
    rope.set_cut(6, False)
    assert len(rope.read_cuts()) == 0
    # What hangs there now weighs far more than that.
    rope.set_break_force(0.05)
    for _ in range(30):
        world.step(1 / 60)
    assert len(rope.read_cuts()) > 0
    rope.set_break_force(None)
    with pytest.raises(withy.InvalidArgumentError, match="edge is 10, the rods have 10"):
        rope.set_cut(10)
    with pytest.raises(withy.InvalidArgumentError, match=r"break_force\[0\] is -1"):
        rope.set_break_force(-1.0)
