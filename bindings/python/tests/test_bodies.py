import numpy as np
import pytest

import withy

BOX = {"shape": withy.Shape.BOX, "half_extents": (0.5, 0.5, 0.5)}


def test_a_box_comes_to_rest_on_a_plane(world):
    withy.Collider(world, shape=withy.Shape.PLANE)
    box = withy.Body(world, shapes=[BOX], pose=((0, 1, 0), (0, 0, 0, 1)))
    assert box.mass == pytest.approx(1000)
    for _ in range(120):
        world.step(1 / 60)
    position, rotation = box.pose
    assert position[1] == pytest.approx(0.5, abs=0.01)
    assert abs(rotation[3]) == pytest.approx(1, abs=1e-3)


def test_contacts_while_it_lies(world):
    withy.Collider(world, shape=withy.Shape.PLANE)
    box = withy.Body(world, shapes=[BOX], pose=((0, 0.5, 0), (0, 0, 0, 1)), can_sleep=False)
    for _ in range(30):
        world.step(1 / 60)
    contacts = world.contacts()
    assert len(contacts) == 4
    assert set(contacts["body_a"]) | set(contacts["body_b"]) == {0, box.handle}
    # Along the normal, over the last of 8 substeps.
    weight = contacts["impulse"].sum() * 8 * 60
    assert weight == pytest.approx(1000 * 9.81, rel=0.05)


def test_many_bodies_at_once(world):
    bodies = [withy.Body(world, shapes=[BOX], pose=((3 * i, 10, 0), (0, 0, 0, 1))) for i in range(4)]
    positions, velocities = np.zeros((4, 3), np.float32), np.zeros((4, 3))
    world.step(0.1)
    world.read_bodies(positions=positions, velocities=velocities)
    assert np.allclose(positions[:, 0], (0, 3, 6, 9))
    assert np.allclose(velocities[:, 1], -0.981, rtol=1e-2)
    world.write_bodies(bodies[:2], positions=[[0, 50, 0], [3, 50, 0]], velocities=np.zeros((2, 3)))
    world.read_bodies(bodies[1:3], positions=positions[:2])
    assert np.allclose(positions[:2, 1], (50, positions[1, 1])) and positions[1, 1] < 11
    assert list(world.list_bodies()) == [b.handle for b in bodies]


def test_a_hinged_pendulum(world):
    bob = withy.Body(world, shapes=[{"radius": 0.05}], pose=((1, 0, 0), (0, 0, 0, 1)))
    joint = withy.Joint(
        body_b=bob, kind=withy.JointKind.HINGE, frame_a=((0, 0, 0), (0, 0, 0, 1)), frame_b=((-1, 0, 0), (0, 0, 0, 1)),
        motor={"damping": 0, "max_torque": 0},
    )
    lowest = 0.0
    for _ in range(60):
        world.step(1 / 60)
        lowest = min(lowest, bob.pose[0][1])
    assert lowest == pytest.approx(-1, abs=0.02)
    assert joint.error[0] < 1e-3
    joint.set_enabled(False)
    for _ in range(60):
        world.step(1 / 60)
    assert bob.pose[0][1] < -3


def test_a_joint_tells_its_force_and_breaks(world):
    bob = withy.Body(world, shapes=[{"radius": 0.05}], mass=2.0, pose=((1, 0, 0), (0, 0, 0, 1)))
    joint = withy.Joint(
        body_b=bob, kind=withy.JointKind.FIXED, frame_a=((0, 0, 0), (0, 0, 0, 1)), frame_b=((-1, 0, 0), (0, 0, 0, 1)),
        break_torque=30.0,
    )
    for _ in range(60):
        world.step(1 / 60)
    force, torque = joint.force
    assert force == pytest.approx([0, 2 * 9.81, 0], abs=0.4)
    assert torque == pytest.approx([0, 0, 2 * 9.81], abs=0.4)
    assert joint.enabled and len(world.broken_joints()) == 0
    bob.push(force=(0, -20, 0))
    world.step(1 / 60)
    broken = world.broken_joints()
    assert len(broken) == 1 and not joint.enabled
    assert broken["torque"][0] == pytest.approx(2 * 9.81 + 20, rel=0.05)


def test_a_strand_hangs_on_a_body(world):
    ceiling = withy.Body(world, motion=withy.Motion.STATIC, shapes=[BOX])
    line = np.zeros((11, 3))
    line[:, 1] = -0.6 - np.linspace(0, 1, 11)
    rope = withy.Rods(world, line, radius=5e-3)
    tie = withy.Attachment.to_body(rope, 0, withy.End.ROOT, ceiling)
    for _ in range(60):
        world.step(1 / 60)
    assert np.allclose(rope.read_positions()[0], line[0], atol=1e-3)
    tie.destroy()
    for _ in range(30):
        world.step(1 / 60)
    assert rope.read_positions()[0, 1] < -1


def test_a_mesh_is_pulled(world):
    mesh = withy.Mesh(world, [[0, 0, 0], [1, 0, 0], [0, 0, 1]], [[0, 1, 2]], inv_masses=[1.0, 1.0, 1.0])
    line = np.full((6, 3), 1 / 3)
    line[:, 1] = -np.linspace(0, 1, 6)
    rope = withy.Rods(world, line, radius=1e-2)
    withy.Attachment.to_triangle(rope, 0, withy.End.ROOT, mesh, 0)
    mesh.set_positions([[0, 0, 0], [1, 0, 0], [0, 0, 1]])
    world.step(1 / 60)
    assert (mesh.read_corrections()[:, 1] < 0).all()
