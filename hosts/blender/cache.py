"""Caches that play without withy: Alembic and USD, by Blender's own exporters.

The curves carry their velocities meanwhile, as the attribute `velocity`, which the exporter of USD writes as `velocities`.

They write time samples only of what they take to be animated, which a handler of frame changes is not: for the time
of the export the curves get a geometry-nodes modifier that reads the scene's time and passes the curves on.
"""

import os

import bpy

#: What the exporters of Blender write, by the end of the file's name.
FORMATS = (".abc", ".usdc", ".usda", ".usd")


def _clock():
    """Nodes that pass the geometry on and depend on time: the curves are moved by the time times 0."""
    group = bpy.data.node_groups.new("withy clock", "GeometryNodeTree")
    group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    node = group.nodes.new
    first, last, clock = node("NodeGroupInput"), node("NodeGroupOutput"), node("GeometryNodeInputSceneTime")
    none, move = node("ShaderNodeMath"), node("GeometryNodeSetPosition")
    none.operation = "MULTIPLY"
    none.inputs[1].default_value = 0.0
    link = group.links.new
    link(clock.outputs["Seconds"], none.inputs[0])
    link(none.outputs[0], move.inputs["Offset"])
    link(first.outputs[0], move.inputs["Geometry"])
    link(move.outputs[0], last.inputs[0])
    return group


def export(obj, groom, path, start, end):
    """Writes the frames of these curves. The timeline is played from `start`, in order, by the exporter."""
    ending = path[path.rfind("."):].lower()
    if ending not in FORMATS:
        raise ValueError(f"{path}: a cache ends in {', '.join(FORMATS)}")
    if not os.path.isdir(os.path.dirname(os.path.abspath(bpy.path.abspath(path)))):
        raise FileNotFoundError(f"{path}: there is no such folder")
    scene, chosen = bpy.context.scene, [o for o in bpy.context.view_layer.objects if o.select_get()]
    frame, active = scene.frame_current, bpy.context.view_layer.objects.active
    group = _clock()
    modifier = obj.modifiers.new("withy clock", "NODES")
    try:
        groom.show_velocities(obj.data)
        modifier.node_group = group
        for other in chosen:
            other.select_set(False)
        obj.select_set(True)
        bpy.context.view_layer.objects.active = obj
        if ending == ".abc":
            bpy.ops.wm.alembic_export(
                filepath=path, start=start, end=end, selected=True, export_hair=True, export_particles=False,
                as_background_job=False,
            )
        else:
            # USD exports the frames of the scene.
            before = scene.frame_start, scene.frame_end
            scene.frame_start, scene.frame_end = start, end
            try:
                bpy.ops.wm.usd_export(filepath=path, selected_objects_only=True, export_animation=True, export_hair=True)
            finally:
                scene.frame_start, scene.frame_end = before
    finally:
        groom.hide_velocities(obj.data)
        obj.modifiers.remove(modifier)
        bpy.data.node_groups.remove(group)
        obj.select_set(False)
        for other in chosen:
            other.select_set(True)
        bpy.context.view_layer.objects.active = active
        scene.frame_set(frame)
