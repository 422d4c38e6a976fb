"""Muscles, and skin over them."""

import numpy as np
import pytest
import withy


def strands():
    """Three side by side, from y = 0.3 down to 0."""
    line = np.zeros((3, 9, 3))
    line[:, :, 1] = np.linspace(0.3, 0, 9)
    line[1, :, 0], line[2, :, 2] = 0.012, 0.012
    return line


def bone(world, y, motion):
    shapes = [{"radius": 0.03, "mask": 0}]
    return withy.Body(world, shapes=shapes, mass=0.5, motion=motion, pose=((0, y, 0), (0, 0, 0, 1)))


def test_a_muscle_lifts(world):
    upper, lower = bone(world, 0.3, withy.Motion.KINEMATIC), bone(world, 0, withy.Motion.DYNAMIC)
    muscle = withy.Muscle(world, strands(), radius=0.006, origin=upper, insertion=lower)
    assert (muscle.strand_count, muscle.edge_count) == (3, 24)
    for _ in range(120):
        world.step(1 / 60)
    hanging = muscle.state
    assert hanging.force == pytest.approx(0.5 * 9.81, rel=0.2) and hanging.active_force == 0
    muscle.set_activation(0.5)
    assert np.allclose(muscle.read_activations(), 0.5)
    for _ in range(120):
        world.step(1 / 60)
    active = muscle.state
    assert active.length < 0.95 * hanging.length and active.volume == pytest.approx(1, abs=0.02)
    muscle.write_activations(np.zeros(24))
    assert not muscle.read_activations().any()
    with pytest.raises(withy.InvalidArgumentError, match="activation is 2"):
        muscle.set_activation(2)
    with pytest.raises(withy.InvalidArgumentError, match=r"positions.count is 27"):
        withy.Muscle(world, strands().reshape(-1, 3), strands=4, radius=0.006)


def spindle(rings=31, around=20):
    """30 cm along y: vertices and triangles."""
    t, turn = np.linspace(0, 1, rings)[:, None], 2 * np.pi * np.arange(around) / around
    r = 0.006 + 0.016 * np.sin(np.pi * t) ** 2
    ring = np.stack([r * np.cos(turn), 0.3 - 0.3 * t + 0 * turn, 0.8 * r * np.sin(turn)], axis=-1).reshape(-1, 3)
    first = rings * around
    k = np.arange((rings - 1) * around)
    after = k // around * around + (k + 1) % around
    j = np.arange(around)
    following = (j + 1) % around
    low = first - around
    faces = [(k, after, k + around), (after, after + around, k + around),
             (j * 0 + first, following, j), (j * 0 + first + 1, low + j, low + following)]
    return np.concatenate([ring, [[0, 0.3, 0], [0, 0, 0]]]), np.concatenate([np.stack(f, axis=1) for f in faces])


def test_a_mesh_becomes_a_muscle(world):
    vertices, triangles = spindle()
    fit = withy.MuscleFit(vertices, triangles, origin={"points": [[0, 0.3, 0]]}, strands=7, slices=10)
    assert fit.positions.shape == (7, 10, 3) and fit.radii.shape == (7, 10) and fit.positions[:, 0, 1].min() > 0.28
    report = fit.report
    assert report.covered > 0.8 and report.outside < 0.1 and report.origin_gap <= 1 and report.insertion_gap <= 1
    assert report.length == pytest.approx(0.3, abs=0.01) and fit.notes == []
    muscle = withy.Muscle(world, fit.positions, radii=fit.radii)
    rest = muscle.state
    muscle.set_activation(1)
    for _ in range(60):
        world.step(1 / 60)
    assert muscle.state.length < 0.8 * rest.length and muscle.state.volume == pytest.approx(1, abs=0.01)

    painted = np.flatnonzero(vertices[:, 1] > 0.2999)
    plane = {"plane_point": (0, 0.004, 0), "plane_normal": (0, -1, 0)}
    with withy.Context(threads=2) as context:
        again = withy.MuscleFit(
            vertices, np.concatenate([triangles[:, ::-1], [[5, 5, 9]]]), context=context, dtype=np.float64,
            origin={"vertices": painted}, insertion=plane, strands=7, slices=10,
        )
    assert again.positions.dtype == np.float64 and again.positions[:, 0, 1].min() > 0.28
    assert again.report.repairs == withy.MuscleRepairs.FLAT_TRIANGLES | withy.MuscleRepairs.INSIDE_OUT
    assert again.notes == ["1 triangles without area", "shells or triangles of the mesh are inside out: turned"]
    with pytest.raises(withy.InvalidArgumentError, match=r"insertion is the same as the origin"):
        withy.MuscleFit(vertices, triangles, origin={"vertices": painted}, insertion={"vertices": painted})
    with pytest.raises(withy.InvalidArgumentError, match=r"triangles enclose nothing"):
        withy.MuscleFit(vertices, triangles[:40])


def test_a_skin_follows(world):
    muscle = withy.Muscle(world, strands(), radius=0.006)
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = np.stack([0.02 * np.cos(angle), np.zeros(12), 0.02 * np.sin(angle)], axis=1)
    tube = np.concatenate([ring + (0.004, y, 0.004) for y in np.linspace(0.28, 0.02, 8)])
    k = np.arange(7 * 12)
    after = k // 12 * 12 + (k + 1) % 12
    triangles = np.concatenate([np.stack([k, after, k + 12], 1), np.stack([after, after + 12, k + 12], 1)])
    skin = withy.Skin(world, [muscle], tube, triangles=triangles.astype(np.uint32))
    assert np.allclose(skin.read_positions(dtype=np.float64), tube, atol=1e-6)
    for _ in range(30):
        world.step(1 / 60)
    # All of it falls freely.
    moved = skin.read_positions(dtype=np.float64)
    assert np.allclose(moved - tube, (0, moved[0, 1] - tube[0, 1], 0), atol=1e-4) and moved[0, 1] < -0.8
    assert np.allclose(np.linalg.norm(skin.read_normals(), axis=1), 1, atol=1e-5)
    edges, weights = skin.read_weights()
    assert edges.max() < 24 and np.allclose(weights.sum(axis=1), 1)
    again = withy.Skin.load(world, [muscle], skin.save())
    assert np.array_equal(again.read_positions(dtype=np.float64), moved)
    with pytest.raises(withy.InvalidArgumentError):
        withy.Skin.load(world, [muscle], skin.save()[:-5])
