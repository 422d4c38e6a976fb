"""What one sees, as numbers: Workbench draws the head and its simulated hair in the first frame and 30 frames later.

`python test_picture.py EXTENSION.zip [FOLDER]`, with bpy 5. FOLDER keeps the pictures.
"""

import math
import sys
import tempfile
from pathlib import Path

import bpy
import numpy as np

import test_bpy

SIZE = 200
HEAD, HAIR = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0)


def scene_with_hair():
    """A red head, green hair on its upper half, a camera from the side, flat colours, a black world."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    hair, _ = test_bpy.head()
    radius = hair.data.attributes.get("radius") or hair.data.attributes.new("radius", "FLOAT", "POINT")
    radius.data.foreach_set("value", np.full(test_bpy.STRANDS * test_bpy.POINTS, 2e-3, np.float32))
    hair.color = HAIR
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.09, segments=48, ring_count=24)
    head = bpy.context.object
    head.color = HEAD
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 0.7
    camera.location, camera.rotation_euler = (0, -2, 0), (math.pi / 2, 0, 0)
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.world = bpy.data.worlds.new("black")
    scene.world.color = (0, 0, 0)
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.resolution_x = scene.render.resolution_y = SIZE
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = "Standard"
    scene.display.shading.light, scene.display.shading.color_type = "FLAT", "OBJECT"
    scene.display.render_aa = "OFF"
    return scene, hair


def picture(scene, frame, path):
    """Which pixels are head, and which hair, from below upwards."""
    scene.frame_set(frame)
    scene.render.filepath = str(path)
    assert bpy.ops.render.render(write_still=True) == {"FINISHED"}
    image = bpy.data.images.load(str(path))
    assert tuple(image.size) == (SIZE, SIZE)
    pixels = np.empty(SIZE * SIZE * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    red, green = pixels.reshape(SIZE, SIZE, 4)[..., 0], pixels.reshape(SIZE, SIZE, 4)[..., 1]
    return red > green + 0.3, green > red + 0.3


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(sys.argv[2] if len(sys.argv) > 2 else scratch)
        scene, hair = scene_with_hair()
        # After the factory settings, which disable extensions.
        test_bpy.installed(sys.argv[1])
        hair.hide_render = True
        bald, none = picture(scene, 1, folder / "bald.png")
        # A disc of 9 cm.
        disc = math.pi * (0.09 / 0.7 * SIZE) ** 2
        assert abs(bald.sum() / disc - 1) < 0.05 and not none.any(), f"the head alone: {bald.sum()} of {disc:.0f} pixels"
        upper = np.zeros_like(bald)
        upper[SIZE // 2:] = True
        hair.hide_render = False
        bpy.context.view_layer.objects.active = hair
        hair.withy.hold_start_pose = False
        assert bpy.ops.withy.start() == {"FINISHED"}
        seen = {}
        for frame in range(1, 32):
            if frame in (1, 31):
                seen[frame] = picture(scene, frame, folder / f"frame{frame:02}.png")
                covered = (seen[frame][1] & bald & upper).sum() / (bald & upper).sum()
                print(f"frame {frame}: hair covers {100 * covered:.0f} % of the upper head, {seen[frame][1].sum()} pixels in all")
                assert covered > 0.8, f"frame {frame}: hair covers the head"
            else:
                scene.frame_set(frame)
        other = (seen[1][1] != seen[31][1]).mean()
        print(f"{100 * other:.0f} % of the pixels are others after 30 frames")
        assert other > 0.1, "it moved"
        down = [np.nonzero(seen[f][1])[0].mean() for f in (1, 31)]
        assert down[1] < down[0] - 3, f"it has come down: {down}"
        assert bpy.ops.withy.stop() == {"FINISHED"}
    print("pictures: ok")


main()
