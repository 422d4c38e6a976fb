"""include/withy.json against the library: layouts, defaults, ranges, array sizes."""

import ctypes
import math
from ctypes import byref, c_uint64, sizeof

import numpy as np
import pytest

import withy
from withy import _defs, native, native_types

INVALID = int(withy.Result.INVALID_ARGUMENT)


def structs(api):
    return [s for s in api["structs"] if s["kind"] != "handle"]


def cls(struct):
    return getattr(native_types, struct["name"][len("Withy"):])


def name_of(field):
    return field["name"]


def number(value):
    return float(value)


def test_layouts(api):
    checked = 0
    for struct in structs(api):
        kind = cls(struct)
        assert sizeof(kind) == struct["size"], struct["name"]
        for field in struct["fields"]:
            member = getattr(kind, name_of(field))
            assert (member.offset, member.size) == (field["offset"], field["size"]), (struct["name"], field["name"])
            checked += 1
    assert checked > 200


def test_every_function_is_exported_and_bound(api):
    names = [f["name"] for f in api["functions"]]
    assert len(names) == len(set(names)) > 100
    for name in names:
        assert callable(getattr(native, name))
    assert set(names) == set(native.__slots__)


def test_versions(api):
    values = {c["name"]: c["value"] for c in api["constants"]}
    assert native.withy_version() == values["WITHY_VERSION"]


def test_result_names(api):
    """The library knows every result by the name that withy.json has."""
    (group,) = [e for e in api["enums"] if e["name"] == "Result"]
    for member in group["members"]:
        assert native.withy_result_name(member["value"]).decode() == member["constant"]


IDENTITY = {"WithyPose": (0, 0, 0, 0, 0, 0, 1), "WithyQuat": (0, 0, 0, 1)}


def flat(value):
    """The numbers of a field, in order."""
    if isinstance(value, ctypes.Array):
        return [n for x in value for n in flat(x)]
    if isinstance(value, ctypes.Structure):
        return [n for name, *_ in value._fields_ for n in flat(getattr(value, name))]
    return [float(value or 0)]


def test_defaults(api):
    """What the init functions fill in is what withy.json says; what has no default is 0."""
    checked = 0
    for struct in structs(api):
        kind = cls(struct)
        if kind.init is None:
            continue
        value = _defs.initial(kind)
        for field in struct["fields"]:
            if field["name"] == "struct_size" or field["type"] in ("WithyArc", "callback"):
                continue
            got = flat(getattr(value, name_of(field)))
            default = field.get("default", 0)
            if default == "identity":
                expected = IDENTITY[field["type"]]
            else:
                expected = [number(d) for d in default] if isinstance(default, list) else [number(default)] * len(got)
            assert got == pytest.approx(list(expected), abs=0, rel=1e-15), (struct["name"], field["name"])
            checked += 1
    assert checked > 120


# --- ranges -------------------------------------------------------------------------------------------------------------------------------


class Scene:
    """A world with one of everything, and for each def a way to make a valid one."""

    def __init__(self):
        self.world = withy.World(substeps=1, iterations=1)
        self.line = np.zeros((3, 3))
        self.line[:, 0] = (0, 0.1, 0.2)
        self.body = withy.Body(self.world, shapes=[{"radius": 0.1}])
        # The last one has rest shapes found for it: sweeps do not keep those.
        self.rods = [withy.Rods(self.world, self.line, radius=1e-3, order=order)
                     for order in (withy.Order.AUTO, withy.Order.AUTO, withy.Order.DIRECT)]
        self.hair = withy.RenderHair(self.world, self.rods[:1], per_guide=2)
        self.mesh = withy.Mesh(self.world, np.eye(3), [[0, 1, 2]])

    def base(self, name):
        corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        bind = {"parents": [0xFFFFFFFF, 0], "positions": np.zeros((2, 3)), "rotations": [[0, 0, 0, 1]] * 2}
        part = [{"bone": 0, "body": {"shapes": [{"radius": 0.1}]}}, {"bone": 1, "body": {"shapes": [{"radius": 0.1}]}}]
        return {
            "WithyContextDef": {},
            "WithyWorldDef": {},
            "WithyRodsDef": {"positions": self.line, "counts": [3], "radius": 1e-3},
            "WithyMuscleDef": {"positions": self.line, "radius": 1e-3},
            "WithyMuscleMeshDef": {"positions": corners, "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]},
            "WithyRestShapeDef": {},
            "WithySettleDef": {},
            "WithyColliderDef": {"radius": 0.1, "half_height": 0.1, "half_extents": (1, 1, 1), "radius_top": 0.1},
            "WithyShapeDef": {"radius": 0.1, "half_height": 0.1, "half_extents": (1, 1, 1), "radius_top": 0.1},
            "WithyBodyDef": {"shapes": [{"radius": 0.1}], "inertia": (1, 1, 1, 0, 0, 0), "mass": 1.0},
            "WithyArc": {"length": 1.0},
            "WithyMotor": {},
            "WithyJointDef": {"body_b": self.body},
            "WithyRagdollDrive": {},
            "WithyRagdollDef": dict(bind, bodies=part),
            "WithyRegionDef": {"first": 0, "last": 1, "arc": {"length": 1.0}},
            "WithyMeshDef": {"positions": corners, "triangles": [[0, 1, 2]]},
            "WithySkinDef": {"positions": corners, "triangles": [[0, 1, 2]], "rods": [self.rods[0].handle]},
            "WithyRenderHairDef": {"rods": [self.rods[0].handle], "per_guide": 2},
            "WithyRenderHairLodDef": {},
            "WithyCableDef": {"points": [{"position": (0, 0, 0)}, {"body": self.body, "position": (1, 0, 0)}]},
            "WithyCablePoint": {"position": (1, 0, 0), "axis": (0, 0, 1), "radius": 0.1},
            "WithyJunctionDef": {"ends": [(self.rods[0].handle, 0, 0), (self.rods[1].handle, 0, 0)]},
            "WithyTriangleAttachmentDef": {"end": (self.rods[0].handle, 0, 0), "mesh": self.mesh},
            "WithyBodyAttachmentDef": {"end": (self.rods[0].handle, 0, 0), "body": self.body},
        }[name]

    def make(self, name, fields):
        """The library's result for a def with these fields, and its text."""
        keep, out, w = [], c_uint64(), self.world.handle
        if name == "WithyShapeDef":
            # Of a static body: the smallest shapes have too little inertia for a dynamic one.
            return self.make("WithyBodyDef", {"motion": withy.Motion.STATIC, "shapes": [fields]})
        if name == "WithyArc":
            flags = withy.JointFlags.ARC_RELAXATION if "relaxation" in fields else 0
            joint = {"body_b": self.body, "kind": withy.JointKind.ARC, "frame_b": ((0, 0, -1), (0, 0, 0, 1))}
            return self.make("WithyJointDef", dict(joint, flags=flags, arc=fields))
        if name == "WithyCablePoint":
            return self.make("WithyCableDef", {"points": [{}, fields, {"body": self.body, "position": (2, 0, 0)}]})
        if name == "WithyMotor":
            return self.make("WithyJointDef", {"body_b": self.body, "motor": fields})
        if name == "WithyRegionDef":
            bind = dict(self.base("WithyRagdollDef"), regions=[fields])
            return self.make("WithyRagdollDef", bind)
        kind = getattr(native_types, name[len("Withy"):])
        value = _defs.make(kind, fields, keep)
        create, destroy = {
            "WithyContextDef": (lambda: native.withy_context_create(byref(value), byref(out)), native.withy_context_destroy),
            "WithyWorldDef": (
                lambda: native.withy_world_create(self.world.context.handle, byref(value), byref(out)),
                native.withy_world_destroy,
            ),
            "WithyRodsDef": (lambda: native.withy_rods_create(w, byref(value), byref(out)), native.withy_rods_destroy),
            "WithyMuscleDef": (lambda: native.withy_muscle_create(w, byref(value), byref(out)), native.withy_rods_destroy),
            # Only the counts: strands would be too thin at the end of the range.
            "WithyMuscleMeshDef": (
                lambda: native.withy_muscle_fit_mesh(
                    self.world.context.handle, byref(value), byref(native_types.Span()), None, None), None),
            "WithyRestShapeDef": (
                lambda: native.withy_rods_optimize_rest_shape(self.rods[2].handle, byref(value)), None),
            "WithySettleDef": (lambda: native.withy_rods_settle(self.rods[2].handle, byref(value)), None),
            "WithyColliderDef": (
                lambda: native.withy_collider_create(w, byref(value), byref(out)), native.withy_collider_destroy),
            "WithyBodyDef": (lambda: native.withy_body_create(w, byref(value), byref(out)), native.withy_body_destroy),
            "WithyJointDef": (lambda: native.withy_joint_create(byref(value), byref(out)), native.withy_joint_destroy),
            "WithyRagdollDef": (
                lambda: native.withy_ragdolls_create(w, byref(value), 1, byref(out)), native.withy_ragdolls_destroy),
            "WithyMeshDef": (lambda: native.withy_mesh_create(w, byref(value), byref(out)), native.withy_mesh_destroy),
            "WithySkinDef": (lambda: native.withy_skin_create(w, byref(value), byref(out)), native.withy_skin_destroy),
            "WithyRenderHairDef": (lambda: native.withy_render_hair_create(w, byref(value), byref(out)), native.withy_render_hair_destroy),
            "WithyRenderHairLodDef": (
                lambda: native.withy_render_hair_read(self.hair.handle, byref(value), byref(native_types.Span()), None), None),
            "WithyCableDef": (lambda: native.withy_cable_create(w, byref(value), byref(out)), native.withy_cable_destroy),
            "WithyJunctionDef": (
                lambda: native.withy_attachment_create_junction(byref(value), byref(out)),
                native.withy_attachment_destroy),
        }[name]
        code = create()
        text = native.withy_last_error().decode() if code else ""
        if code == 0 and destroy is not None:
            assert destroy(out.value) == 0
        return code, text


@pytest.fixture(scope="module")
def scene():
    return Scene()


#: Where an end of a range cannot be had in a small scene: field, and why.
NOT_PROBED = {
    ("WithyContextDef", "threads"): "a thousand threads",
    ("WithyBodyDef", "shape_count"): "is the length of an array",
    ("WithyJunctionDef", "end_count"): "is the length of an array",
    ("WithyCableDef", "point_count"): "is the length of an array",
    ("WithySkinDef", "rods_count"): "is the length of an array",
    ("WithyRenderHairDef", "rods_count"): "is the length of an array",
    ("WithyRenderHairDef", "per_guide"): "0 goes with strands that are given",
    ("WithyMuscleDef", "strands"): "divides the length of an array",
    ("WithyRegionDef", "swing"): "a region needs a skeleton with an inside: as of WithyJointDef",
    ("WithyRegionDef", "twist"): "as of WithyJointDef",
    ("WithyRagdollDrive", "stiffness"): "not part of a def",
    ("WithyRagdollDrive", "damping"): "not part of a def",
    ("WithyRagdollDrive", "max_torque"): "not part of a def",
}

#: What else must be so at an end of a range.
BESIDE = {
    ("WithyBodyDef", "center_of_mass"): {"flags": 1},
    ("WithyRestShapeDef", "length_min"): {"length_max": 1e6},
    ("WithyRestShapeDef", "length_max"): {"length_min": 0},
    ("WithyJointDef", "least"): {"most": 1e9},
    ("WithyJointDef", "twist"): {"kind": 1},
}


def cases():
    import json
    from pathlib import Path

    api = json.loads((Path(__file__).resolve().parents[3] / "include/withy.json").read_text())
    for struct in structs(api):
        for field in struct["fields"]:
            key = (struct["name"], field["name"])
            if "range" in field and "span" not in field and key not in NOT_PROBED:
                yield pytest.param(struct, field, id=".".join(key))


def outside(value, up, whole):
    if whole:
        return value + (1 if up else -1)
    if value == 0:
        return 1e-12 if up else -1e-12
    return value * (1 + 1e-6) if (value > 0) == up else value * (1 - 1e-6)


def valued(field, x):
    """One number as the field has it; of a vector its first."""
    if field["type"] == "WithyVec3":
        rest = 1.0 if field["name"] == "half_extents" else 0.0
        return (x, rest, rest)
    return x


@pytest.mark.parametrize("struct, field", list(cases()))
def test_ranges(api, scene, struct, field):
    """The ends of each range are accepted, and what is just outside is refused by the field's name."""
    constants = {c["name"]: c["value"] for c in api["constants"]}
    base = dict(scene.base(struct["name"]))
    key = (struct["name"], field["name"])
    for name, value in field.get("when", {}).items():
        base[name] = constants.get(value, value)
        if isinstance(base[name], str):
            base[name] = float(base[name])
    if struct["name"] == "WithyRodsDef" and field["name"] == "viscosity":
        base["root"] = withy.Support.PINNED
    base.update(BESIDE.get(key, {}))
    low, high = (number(x) for x in field["range"])
    whole = field["type"].startswith("uint")
    for end, up in ((low, False), (high, True)):
        if math.isinf(end):
            code, text = scene.make(struct["name"], dict(base, **{field["name"]: valued(field, end)}))
            assert code == 0, f"{end} is refused: {text}"
            continue
        inside = int(end) if whole else 1e-12 if field.get("above") and end == low else end
        code, text = scene.make(struct["name"], dict(base, **{field["name"]: valued(field, inside)}))
        assert code == 0, f"{end} is refused: {text}"
        beyond = end if field.get("above") and end == low else outside(int(end) if whole else end, up, whole)
        if whole and beyond < 0 or (beyond == 0 and "zero" in field):
            continue
        code, text = scene.make(struct["name"], dict(base, **{field["name"]: valued(field, beyond)}))
        assert code == INVALID, f"{beyond} is accepted"
        assert field["name"].split("_")[0] in text, text
    if "zero" in field:
        code, text = scene.make(struct["name"], dict(base, **{field["name"]: valued(field, 0)}))
        # Where 0 stands for another field, that one is missing here.
        assert code == 0 or field["zero"] in text or field["name"] in text and field["zero"] == "radii", text


def test_every_reason_not_to_probe_is_of_a_range(api):
    fields = {(s["name"], f["name"]) for s in structs(api) for f in s["fields"] if "range" in f}
    assert set(NOT_PROBED) <= fields and set(BESIDE) <= fields


# --- arrays -------------------------------------------------------------------------------------------------------------------------------


def test_spans_of_rods(api, scene):
    """Arrays of the described size are accepted, one entry more or one number less is not."""
    (struct,) = [s for s in api["structs"] if s["name"] == "WithyRodsDef"]
    sizes = {"vertex": 3, "edge": 2, "element": 1, "strand": 1}
    constants = {c["name"]: c["value"] for c in api["constants"]}
    checked = 0
    for field in struct["fields"]:
        span = field.get("span")
        if span is None or field["name"] in ("positions", "counts"):
            continue
        for per in span["per"]:
            base = dict(scene.base("WithyRodsDef"))
            for name, value in field.get("when", {}).items():
                base[name] = constants[value]
                base["rest_lengths"], base["rest_darboux"] = [0.1, 0.1], [[0, 0, 0]]
            if field["name"] == "rest_positions":
                base["rest_positions"] = scene.line
                full = scene.line
            else:
                full = np.full((sizes[per], span["scalars"]), 0.01)
            code, text = scene.make("WithyRodsDef", dict(base, **{field["name"]: full}))
            assert code == 0, text
            code, text = scene.make("WithyRodsDef", dict(base, **{field["name"]: np.vstack([full, full, full])}))
            assert code == INVALID and field["name"] in text, text
            checked += 1
    assert checked == 8


def test_reads_of_rods(api, scene):
    """Every read has as many entries as it says, of as many numbers."""
    rods = scene.rods[0]
    counts = {
        "vertex": rods.vertex_count, "edge": rods.edge_count, "element": rods.element_count, "strand": rods.strand_count
    }
    checked = 0
    for function in api["functions"]:
        parameters = function["parameters"]
        if not function["name"].startswith("withy_rods_read_") or "span" not in parameters[-1]:
            continue
        if function["name"] in ("withy_rods_read_cuts", "withy_rods_read_root_poses"):
            # As many as are cut: none here (test_ropes.py). Two arrays, of rods that are held (test_surfaces.py).
            continue
        span = parameters[-1]["span"]
        n = counts[span["per"][0]]
        form, kind = (3, np.uint32) if span["format"] == "u32" else (2, np.float64)
        room = np.full((n + 1, span["scalars"]), 77, kind)
        s = native_types.Span(room.ctypes.data, n + 1, 0, form, 0)
        assert getattr(native, function["name"])(rods.handle, byref(s)) == 0, function["name"]
        assert s.count == n, function["name"]
        assert (room[n] == 77).all(), f"{function['name']} writes behind the end"
        assert not (room[:n] == 77).any(), f"{function['name']} leaves something unwritten"
        checked += 1
    assert checked == 16


# --- who may call at the same time ------------------------------------------------------------------------------------------------


def test_access(api, scene):
    """While a callback is inside the world, calls that read or write are refused; the others are not."""
    seen = {}
    handles = {
        "WithyWorld": scene.world.handle, "WithyRods": scene.rods[2].handle, "WithyBody": scene.body.handle,
        "WithyMesh": scene.mesh.handle,
    }

    def ask(_done, _all):
        if seen:
            return True
        for function in api["functions"]:
            first = function["parameters"][0] if function["parameters"] else None
            if first is None or first.get("role") != "handle" or first["type"] not in handles:
                continue
            # Entered first: what comes after the handle is not looked at.
            rest = [0.0 if p["type"] == "double" and "pointer" not in p else None if "pointer" in p else 0
                    for p in function["parameters"][1:]]
            seen[function["name"]] = (function["access"], getattr(native, function["name"])(handles[first["type"]], *rest))
        return True

    scene.rods[2].optimize_rest_shape(ask)
    assert len(seen) > 60
    for name, (access, code) in seen.items():
        if name == "withy_world_last_error":
            # It may be asked for while the world works.
            assert code == withy.Result.INVALID_ARGUMENT, code
            continue
        if access == "none":
            # Destroying a world waits for none, and answers busy as well.
            assert name == "withy_world_destroy", name
        assert code == withy.Result.BUSY, (name, access, code)
