import json
from pathlib import Path

import numpy as np
import pytest

import withy

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def api():
    """What `include/withy.json` says."""
    return json.loads((ROOT / "include/withy.json").read_text())


@pytest.fixture
def world():
    with withy.World() as w:
        yield w


def comb(strands=5, vertices=16, length=0.2, dtype=np.float64):
    """Strands along x, a centimetre apart in z."""
    points = np.zeros((strands, vertices, 3), dtype)
    points[:, :, 0] = np.linspace(0, length, vertices)
    points[:, :, 2] = 0.01 * np.arange(strands)[:, None]
    return points
