"""withy for Blender: hair on a Curves object moves with the timeline."""

import base64

import bpy
from bpy.app.handlers import persistent
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import cache, solver

#: Running grooms, by the session id of their object.
grooms = {}

#: Why an object is not simulated, by its session id.
problems = {}


def touched(settings, _context):
    """Blender evaluates the object again, which calls `panel_changed`: by itself it does not look at properties like these."""
    settings.id_data.update_tag()


class WithySettings(bpy.types.PropertyGroup):
    """What solver.Numbers has may be keyed. The others count from the next Simulate on."""

    enable: bpy.props.BoolProperty(name="Enable", description="Simulate these curves", default=False, options=set())
    start_frame: bpy.props.IntProperty(name="Start Frame", description="Frame of the authored pose", default=1, options=set())
    radius: bpy.props.FloatProperty(
        name="Radius", description="Section radius, m", default=1e-4, min=1e-7, max=1e3, precision=6, update=touched
    )
    young_modulus: bpy.props.FloatProperty(
        name="Young's Modulus", description="Pa; hair has 4e9", default=4e9, min=1e-3, max=1e15, update=touched
    )
    density: bpy.props.FloatProperty(name="Density", description="kg/m^3", default=1300.0, min=1e-3, max=1e6, update=touched)
    damping: bpy.props.FloatProperty(
        name="Damping", description="Rate at which changes of shape die, 1/s", default=4.0, min=0.0, max=1e9, update=touched
    )
    drag: bpy.props.FloatProperty(name="Drag", description="Rate at which air slows down, 1/s", default=3.0, min=0.0, max=1e9, update=touched)
    gravity: bpy.props.FloatVectorProperty(name="Gravity", description="m/s^2", default=(0.0, 0.0, -9.81), update=touched)
    substeps: bpy.props.IntProperty(name="Substeps", description="Of a frame", default=8, min=1, max=65536, update=touched)
    attach: bpy.props.EnumProperty(
        name="Attach To",
        description="What moves the roots",
        options=set(),
        items=(
            ("OBJECT", "Object", "The object's own motion, as of a rigid head"),
            ("SURFACE", "Surface", "The surface mesh of the curves, with its modifiers: a skinned scalp"),
        ),
    )
    collision: bpy.props.PointerProperty(
        name="Collision Collection", description="Hair slides on the meshes in it, as they move and bend", type=bpy.types.Collection
    )
    collision_distance: bpy.props.FloatProperty(
        name="Distance", description="Distance that hair keeps from meshes, m", default=1e-3, min=0.0, max=1e3, precision=4, update=touched
    )
    friction: bpy.props.FloatProperty(name="Friction", description="Coulomb's coefficient on meshes", default=0.5, min=0.0, max=1e3, update=touched)
    hold_start_pose: bpy.props.BoolProperty(
        name="Hold Start Pose", description="Find the rest shape with which the groom does not sag", default=True, options=set()
    )


def saved(obj):
    """The asset with the rest shape that was found last, as the .blend file has it; None: none."""
    # As text: Blender cuts bytes that replace others at the first zero.
    value = obj.data.get("withy_asset")
    try:
        return base64.b64decode(value, validate=True) if isinstance(value, str) else None
    except ValueError:
        return None


def keep(obj, asset):
    if saved(obj) != asset:
        obj.data["withy_asset"] = base64.b64encode(asset).decode()


def stop(obj):
    problems.pop(obj.session_uid, None)
    groom = grooms.pop(obj.session_uid, None)
    if groom is not None:
        groom.reset(obj.data)
        groom.close()


def update(scene, depsgraph):
    for obj in scene.objects:
        if obj.type == "CURVES" and obj.withy.enable:
            try:
                simulate(obj, scene, depsgraph)
                problems.pop(obj.session_uid, None)
            except (ValueError, solver.withy.WithyError) as error:
                # Said once; the others go on.
                if problems.get(obj.session_uid) != str(error):
                    problems[obj.session_uid] = str(error)
                    print(f"withy: {obj.name}: {error}")


def simulate(obj, scene, depsgraph):
    settings = obj.withy
    groom = grooms.get(obj.session_uid)
    now = scene.frame_current
    shown = obj.evaluated_get(depsgraph)
    matrix = shown.matrix_world.copy()
    # A running groom keeps what it began with.
    names = solver.meshes(settings.collision) if groom is None else groom.meshes
    surfaces = solver.surfaces(names, scene, depsgraph)
    attached = settings.attach == "SURFACE" if groom is None else groom.scalp is not None
    scalp = solver.scalp(obj.data, depsgraph) if attached else None
    if groom is None:
        if now != settings.start_frame:
            # The roots' way from the start is not known: it begins when the timeline is there.
            return
        fps = scene.render.fps / scene.render.fps_base
        groom = solver.Groom(obj.data, matrix, now, fps, shown.withy, saved(obj), surfaces, scalp)
        grooms[obj.session_uid] = groom
        if groom.held is not None:
            keep(obj, groom.save(saved(obj)))
    # As animation and drivers have them: the object itself has what was typed in.
    groom.go(now, matrix, surfaces, scalp, solver.numbers(shown.withy))
    groom.write(obj.data, matrix)


@persistent
def panel_changed(scene, depsgraph):
    """A number that is changed while the timeline stands takes effect at once."""
    if not grooms:
        return
    now = scene.frame_current
    for obj in scene.objects:
        groom = grooms.get(obj.session_uid)
        if groom is not None and obj.withy.enable and groom.changes(now, solver.numbers(obj.evaluated_get(depsgraph).withy)):
            update(scene, depsgraph)
            return


@persistent
def frame_changed(scene, depsgraph):
    update(scene, depsgraph)


@persistent
def file_loaded(_path):
    for groom in grooms.values():
        groom.close()
    grooms.clear()


class WITHY_OT_start(bpy.types.Operator):
    """Simulate the active Curves from its start frame on"""

    bl_idname = "withy.start"
    bl_label = "Simulate"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "CURVES"

    def execute(self, context):
        stop(context.object)
        context.object.withy.enable = True
        context.scene.frame_set(context.object.withy.start_frame)
        groom = grooms.get(context.object.session_uid)
        if groom is None:
            self.report({"ERROR"}, problems.get(context.object.session_uid, "the curves could not be simulated: see the console"))
            return {"CANCELLED"}
        if groom.held is not None:
            text = "{} of {} strands hold their start pose".format(*groom.held)
            soft = "" if groom.held[0] == groom.held[1] else "; the others are too soft for it: a larger Radius holds more"
            self.report({"INFO"}, text + soft)
        return {"FINISHED"}


class WITHY_OT_stop(bpy.types.Operator):
    """Stop, and put the curves back as they were"""

    bl_idname = "withy.stop"
    bl_label = "Stop"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "CURVES"

    def execute(self, context):
        context.object.withy.enable = False
        stop(context.object)
        return {"FINISHED"}


class WITHY_OT_save(bpy.types.Operator, ExportHelper):
    """Save the groom, its settings and its rest shape as an asset of withy"""

    bl_idname = "withy.save_asset"
    bl_label = "Save Asset"
    filename_ext = ".withy"
    filter_glob: bpy.props.StringProperty(default="*.withy", options={"HIDDEN"})

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.session_uid in grooms

    def execute(self, context):
        data = grooms[context.object.session_uid].save(saved(context.object))
        try:
            with open(self.filepath, "wb") as file:
                file.write(data)
        except OSError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class WITHY_OT_load(bpy.types.Operator, ImportHelper):
    """Take the rest shape of an asset, from the next Simulate on, if it was found for this groom and these settings"""

    bl_idname = "withy.load_asset"
    bl_label = "Load Asset"
    bl_options = {"REGISTER", "UNDO"}
    filename_ext = ".withy"
    filter_glob: bpy.props.StringProperty(default="*.withy", options={"HIDDEN"})

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "CURVES"

    def execute(self, context):
        try:
            with open(self.filepath, "rb") as file:
                data = file.read()
        except OSError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        try:
            solver.withy.read_asset(data)
        except solver.withy.WithyError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        keep(context.object, data)
        return {"FINISHED"}


class WITHY_OT_cache(bpy.types.Operator, ExportHelper):
    """Write the frames of the scene's range to Alembic or USD, which play without withy"""

    bl_idname = "withy.export_cache"
    bl_label = "Export Cache"
    filename_ext = ".abc"
    filter_glob: bpy.props.StringProperty(default="*.abc;*.usd;*.usda;*.usdc", options={"HIDDEN"})

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.session_uid in grooms

    def execute(self, context):
        start = max(context.object.withy.start_frame, context.scene.frame_start)
        try:
            cache.export(context.object, grooms[context.object.session_uid], self.filepath, start, context.scene.frame_end)
        except (ValueError, RuntimeError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def check(self, _context):
        # USD's names stay; without one it is Alembic.
        if not self.filepath.lower().endswith(cache.FORMATS):
            self.filepath += self.filename_ext
            return True
        return False


class WITHY_PT_panel(bpy.types.Panel):
    bl_label = "Withy"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "CURVES"

    def draw(self, context):
        settings = context.object.withy
        self.layout.use_property_split = True
        for name in settings.__annotations__:
            if name != "enable":
                self.layout.prop(settings, name)
        problem = problems.get(context.object.session_uid)
        if problem is not None:
            self.layout.label(text=problem, icon="ERROR")
        row = self.layout.row()
        row.operator("withy.start")
        row.operator("withy.stop")
        row = self.layout.row()
        row.operator("withy.save_asset")
        row.operator("withy.load_asset")
        self.layout.operator("withy.export_cache")


CLASSES = (WithySettings, WITHY_OT_start, WITHY_OT_stop, WITHY_OT_save, WITHY_OT_load, WITHY_OT_cache, WITHY_PT_panel)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.withy = bpy.props.PointerProperty(type=WithySettings)
    bpy.app.handlers.frame_change_post.append(frame_changed)
    bpy.app.handlers.depsgraph_update_post.append(panel_changed)
    bpy.app.handlers.load_pre.append(file_loaded)


def unregister():
    bpy.app.handlers.load_pre.remove(file_loaded)
    bpy.app.handlers.depsgraph_update_post.remove(panel_changed)
    bpy.app.handlers.frame_change_post.remove(frame_changed)
    file_loaded("")
    del bpy.types.Object.withy
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
