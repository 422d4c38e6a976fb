"""Assets: what was written is read, rest shapes come back, damage is named."""

import numpy as np
import pytest
from conftest import comb

import withy


def test_what_was_written_is_read():
    pose = np.arange(12, dtype=np.float32).reshape(4, 3)
    later = withy.Chunk(b"\1\2\3", 4, 1000, 9)
    data = withy.write_asset({
        "settings": '{"name": "Bär"}', "pose": withy.Chunk(pose, 2), "counts": np.array([2, 2], np.uint32), "more": b"\0\1",
        "wide": np.eye(2), "later": later, "nothing": b"",
    })
    read = withy.read_asset(data)
    assert list(read) == ["settings", "pose", "counts", "more", "wide", "later", "nothing"]
    assert read["settings"].data == '{"name": "Bär"}' and read["pose"].version == 2
    assert np.array_equal(read["pose"].data, pose) and read["pose"].data.dtype == np.float32
    assert read["counts"].data.tolist() == [2, 2] and read["counts"].data.dtype == np.uint32
    assert read["more"].data == b"\0\1" and np.array_equal(read["wide"].data, np.eye(2)) and read["later"] == later
    # Also what this program does not know.
    assert withy.write_asset(read) == data
    assert withy.read_asset(withy.write_asset({})) == {}


def test_a_rest_shape_comes_back(world):
    def bristles(world):
        given = dict(radius=3e-4, young_modulus=4e9, shear_modulus=1.5e9, density=1300, root=withy.Support.CLAMPED)
        return withy.Rods(world, comb(), **given)

    found, other = bristles(world), withy.World()
    found.optimize_rest_shape()
    again = bristles(other)
    again.load_rest_shape(withy.read_asset(withy.write_asset({"rest": found.save_rest_shape()}))["rest"].data)
    assert np.array_equal(again.read_rest_strains(), found.read_rest_strains())
    for _ in range(20):
        world.step(1 / 60)
        other.step(1 / 60)
    assert np.array_equal(again.read_positions(dtype=np.float64), found.read_positions(dtype=np.float64))
    # It describes itself.
    chunks = withy.read_asset(found.save_rest_shape())
    assert chunks["rods.counts"].data.tolist() == [16] * 5 and chunks["rods.rest_strains"].data.shape == (80, 5)
    few = withy.Rods(other, comb(2), radius=3e-4)
    with pytest.raises(withy.InvalidArgumentError, match="5 strands, the rods have 2"):
        few.load_rest_shape(found.save_rest_shape())


def test_damage_is_named():
    data = withy.write_asset({"a": b"12345678", "b": np.ones(4)})
    broken = bytearray(data)
    broken[-1] ^= 1
    with pytest.raises(withy.InvalidArgumentError, match=r'chunk 1 "b" at byte \d+: the checksum'):
        withy.read_asset(bytes(broken))
    for n in range(len(data)):
        with pytest.raises(withy.WithyError):
            withy.read_asset(data[:n])
    with pytest.raises(TypeError, match="int64"):
        withy.write_asset({"a": np.arange(3)})
    with pytest.raises(withy.InvalidArgumentError, match="name has 0 bytes"):
        withy.write_asset({"": b""})
