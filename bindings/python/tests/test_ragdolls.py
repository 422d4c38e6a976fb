import numpy as np
import pytest

import withy

BONES = 4
CHAIN = dict(
    parents=[0xFFFFFFFF, 0, 1, 2],
    positions=[[0, 0, 0]] + [[0, 0.3, 0]] * 3,
    rotations=[[0, 0, 0, 1]] * BONES,
    bodies=[
        {
            "bone": i,
            "body": {"shapes": [{"shape": withy.Shape.CAPSULE, "radius": 0.05, "half_height": 0.08,
                                 "pose": ((0, 0.15, 0), (0, 0, 0, 1))}]},
            "joint": None if i == 0 else {"kind": withy.JointKind.BALL},
        }
        for i in range(BONES)
    ],
)


def poses(instances):
    positions = np.zeros((instances, BONES, 3))
    positions[:, :, 1] = 2 + 0.3 * np.arange(BONES)
    positions[:, :, 0] = 2 * np.arange(instances)[:, None]
    rotations = np.zeros((instances, BONES, 4))
    rotations[..., 3] = 1
    return positions, rotations


def test_three_people_fall(world):
    withy.Collider(world, shape=withy.Shape.PLANE)
    people = withy.Ragdolls(world, 3, **CHAIN)
    assert people.counts() == (3, BONES, BONES, BONES - 1)
    positions, rotations = poses(3)
    people.instantiate(positions, rotations)
    got, turned = people.read()
    assert got.shape == (3, BONES, 3) and turned.shape == (3, BONES, 4)
    assert np.allclose(got, positions, atol=1e-5)
    for _ in range(180):
        world.step(1 / 60)
    got, _ = people.read(dtype=np.float64)
    assert got[..., 1].max() < 1.3, "they came down"
    assert got[..., 1].min() > -0.2, "and lie on the ground"
    length = np.linalg.norm(np.diff(got, axis=1), axis=2)
    assert np.allclose(length, 0.3, atol=0.02), "bones keep their lengths"


def test_some_of_them(world):
    people = withy.Ragdolls(world, 3, **CHAIN)
    positions, rotations = poses(3)
    people.instantiate(positions[1:2], rotations[1:2], [1])
    assert list(people.alive()) == [1]
    assert people.body(0, 0) is None
    body = people.body(1, 2)
    assert np.allclose(body.pose[0], positions[1, 2], atol=1e-5)
    out = np.zeros((1, BONES, 3), np.float32)
    people.read([1], positions=out)
    assert np.allclose(out[0], positions[1], atol=1e-5)
    people.remove([1])
    assert len(people.alive()) == 0


def test_targets_hold_a_pose(world):
    """With motors and a kinematic root the chain keeps its pose; without, it hangs down."""
    held, limp = (withy.Ragdolls(world, 1, **CHAIN) for _ in range(2))
    positions, rotations = poses(1)
    for people, x in ((held, 0.0), (limp, 5.0)):
        moved = positions + (x, 0, 0)
        people.instantiate(moved, rotations)
        people.set_kinematic(True, 0)
    held.set_targets(positions, rotations, {"stiffness": 5000, "damping": 500})
    limp.body(0, 3).push((50, 0, 0))
    held.body(0, 3).push((50, 0, 0))
    for _ in range(120):
        world.step(1 / 60)
    assert np.abs(held.read()[0] - positions).max() < 0.05
    assert limp.read()[0][0, -1, 1] < 2.0


def test_weights_fade(world):
    people = withy.Ragdolls(world, 1, **CHAIN)
    positions, rotations = poses(1)
    people.instantiate(positions, rotations)
    people.fade(0.0, 1.0)
    people.advance(0.5)
    assert people.weight(0) == pytest.approx(0.5)
    animated = (positions + (0, 1, 0), rotations)
    blended, _ = people.read(animated=animated, dtype=np.float64)
    assert np.allclose(blended[0, 0, 1], 2.5, atol=1e-3)
