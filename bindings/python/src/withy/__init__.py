"""withy: elastic rods, ragdolls and what they touch, for NumPy.

    import numpy as np, withy

    world = withy.World()
    hair = withy.Rods(world, positions, radius=5e-5, root=withy.Support.CLAMPED)   # (strands, n, 3)
    world.step(1 / 60)
    points = hair.read_positions()

Every function of the C ABI is in `withy.native` under its own name, with what `withy.h` says of it.
"""

from . import _native as native_types
from ._arrays import View
from ._errors import (
    BusyError,
    InvalidArgumentError,
    InvalidHandleError,
    OutOfMemoryError,
    PanicError,
    TooSmallError,
    UnsupportedError,
    WithyError,
)
from ._library import lib as native
from ._native import (
    ALL,
    THREADS_ALL,
    AssetFormat,
    AttachFlags,
    Backend,
    BodyFlags,
    Bounds,
    Convention,
    End,
    Isa,
    Integrator,
    Issue,
    JointFlags,
    JointKind,
    MeshFlags,
    Model,
    Motion,
    MuscleFlags,
    MuscleMode,
    MuscleRepairs,
    Order,
    Precision,
    RagdollBodyFlags,
    RagdollFlags,
    ReadBack,
    Reason,
    RegionFlags,
    RegionRest,
    Rest,
    Result,
    RodsFlags,
    Shape,
    Stiffness,
    StrandAnswer,
    Support,
    TransitionFlags,
)
from ._native import VERSION_STRING as __version__
from .assets import Chunk, read_asset, write_asset
from .bodies import Attachment, Body, Joint, Mesh
from .muscles import Muscle, MuscleFit
from .ragdolls import Ragdolls
from .rods import Rods
from .ropes import Cable
from .render_hair import RenderHair
from .skins import Skin
from .surfaces import Surface
from .world import Collider, Context, World

__all__ = [
    "ALL",
    "THREADS_ALL",
    "AssetFormat",
    "AttachFlags",
    "Attachment",
    "Backend",
    "Body",
    "BodyFlags",
    "Bounds",
    "BusyError",
    "Cable",
    "Chunk",
    "Collider",
    "Context",
    "Convention",
    "End",
    "InvalidArgumentError",
    "InvalidHandleError",
    "Isa",
    "Integrator",
    "Issue",
    "Joint",
    "JointFlags",
    "JointKind",
    "Mesh",
    "MeshFlags",
    "Model",
    "Motion",
    "Muscle",
    "MuscleFit",
    "MuscleFlags",
    "MuscleMode",
    "MuscleRepairs",
    "Order",
    "OutOfMemoryError",
    "PanicError",
    "Precision",
    "RagdollBodyFlags",
    "RagdollFlags",
    "Ragdolls",
    "ReadBack",
    "Reason",
    "RegionFlags",
    "RegionRest",
    "Rest",
    "Result",
    "Rods",
    "RodsFlags",
    "Shape",
    "RenderHair",
    "Skin",
    "Stiffness",
    "StrandAnswer",
    "Support",
    "Surface",
    "TooSmallError",
    "TransitionFlags",
    "UnsupportedError",
    "View",
    "WithyError",
    "World",
    "__version__",
    "native",
    "native_types",
    "read_asset",
    "write_asset",
]
