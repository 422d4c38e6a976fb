"""Ten lines: a groom swings from a head that turns, and its tips are plotted."""

import matplotlib.pyplot as plt
import numpy as np

import withy

angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
out = np.stack([np.cos(angle), 0 * angle, np.sin(angle)], 1)  # 60 hairs around a head of 9 cm
points = out[:, None] * (0.09 + 0.15 * np.linspace(0, 1, 16))[None, :, None]
world = withy.World()
hair = withy.Rods(world, points, radius=4e-5, young_modulus=4e9, shear_modulus=1.5e9, root=withy.Support.CLAMPED)
tips = []
for frame in range(120):
    turn = 0.8 * np.sin(2 * np.pi * frame / 60)
    c, s, half = np.cos(turn), np.sin(turn), turn / 2
    roots = points[:, 0] @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
    hair.set_root_poses(roots, np.tile([0, np.sin(half), 0, np.cos(half)], (60, 1)))
    world.step(1 / 30)
    tips.append(hair.read_positions().reshape(60, 16, 3)[:, -1])
plt.plot(np.arange(120) / 30, np.array(tips)[:, ::10, 1])
plt.xlabel("time, s")
plt.ylabel("height of the tips, m")
plt.savefig("groom.png")
