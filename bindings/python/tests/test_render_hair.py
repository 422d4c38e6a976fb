"""Render hair: strands that follow simulated ones."""

import numpy as np
import pytest
import withy


def guides():
    """Nine on a square of 4 cm, 8 vertices each, along x."""
    points = np.zeros((9, 8, 3))
    points[:, :, 0] = np.linspace(0, 0.14, 8)
    points[:, :, 1] = np.repeat([0, 0.02, 0.04], 3)[:, None]
    points[:, :, 2] = np.tile([0, 0.02, 0.04], 3)[:, None]
    return points


def test_a_groom_follows(world):
    rods = withy.Rods(world, guides(), radius=2e-4, root=withy.Support.CLAMPED)
    t = np.linspace(0, 1, 12)
    groom = np.zeros((30, 12, 3))
    groom[:, :, 0] = 0.14 * t
    groom[:, :, 1] = np.linspace(0, 0.04, 30)[:, None] + 0.002 * np.sin(15 * t)
    groom[:, :, 2] = 0.01 + 0.002 * np.cos(15 * t)
    flat = groom.reshape(-1, 3)
    hair = withy.RenderHair(world, [rods], positions=flat, counts=np.full(30, 12, np.uint32), widths=[1e-4])
    assert np.allclose(hair.read_positions(dtype=np.float64), flat, atol=1e-7)
    for _ in range(30):
        world.step(1 / 60)
    moved = hair.read_positions()
    assert moved.shape == (360, 3) and moved.dtype == np.float32
    tips = moved.reshape(30, 12, 3)[:, -1] - groom[:, -1]
    assert (tips[:, 1] < -0.005).all() and np.abs(moved.reshape(30, 12, 3)[:, 0] - groom[:, 0]).max() < 2e-3
    # Into the caller's own array.
    positions, tangents = np.zeros((360, 3), np.float32), np.zeros((360, 3), np.float32)
    hair.read(positions, tangents)
    assert np.array_equal(positions, moved)
    assert np.allclose(np.linalg.norm(tangents, axis=1), 1, atol=1e-5)
    followed, weights = hair.read_weights()
    assert followed.max() < 9 and np.allclose(weights.sum(axis=1), 1)
    again = withy.RenderHair.load(world, [rods], hair.save())
    assert np.array_equal(again.read_positions(), moved)
    # Level of detail.
    strands, counts, widths = hair.read_layout(strands=0.5)
    assert len(strands) == 15 and (counts == 12).all() and np.allclose(widths, 2e-4)
    assert np.array_equal(hair.read_positions(strands=0.5), moved.reshape(30, 12, 3)[strands].reshape(-1, 3))
    # The scalp's own roots.
    roots = groom[:, 0] + (0, 0.01, 0)
    hair.set_roots(roots, np.tile([0, 0, 0, 1.0], (30, 1)))
    assert np.allclose(hair.read_positions(dtype=np.float64).reshape(30, 12, 3)[:, 0], roots, atol=1e-7)
    hair.set_roots(None, None)
    assert np.array_equal(hair.read_positions(), moved)
    with pytest.raises(withy.InvalidArgumentError, match="positions.count is 3"):
        hair.set_roots(roots[:3], np.tile([0, 0, 0, 1.0], (3, 1)))


def test_hair_is_made(world):
    rods = withy.Rods(world, guides(), radius=2e-4)
    hair = withy.RenderHair(world, [rods], per_guide=10, vertices=6)
    assert hair.read_positions().shape == (9 * 10 * 6, 3)
    with pytest.raises(withy.InvalidArgumentError, match="give strands, or how many to make"):
        withy.RenderHair(world, [rods])
