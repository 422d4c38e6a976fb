"""A Curves object as rods, stepped by Blender's timeline.

Strands follow the object's own transform: roots are clamped to it. The world is in Blender's world space and units,
with its convention (metres, right-handed, Z up). Positions go straight into the memory of the Curves' position
attribute, in the object's space.

The timeline is played forwards from `start`. A frame that has been seen is restored from its saved state, bit for
bit; a jump forwards simulates what lies between. Numbers of the panel may change from frame to frame.
"""

import json
from typing import NamedTuple, Tuple

import numpy as np

import withy

#: Saved states take at most this much memory; the oldest but the first go.
MEMORY = 512 << 20

#: Of bodies and joints, which a groom has none of.
ITERATIONS = 4

#: Of all meshes, the largest one that there is. A contact has the geometric mean of both sides, and only rods can change: see `Groom._become`.
MESH_FRICTION = 1e3


class Numbers(NamedTuple):
    """What may be keyed, and counts from the frame on in which it changes."""

    radius: float
    young_modulus: float
    density: float
    damping: float
    drag: float
    gravity: Tuple[float, float, float]
    substeps: int
    collision_distance: float
    friction: float


def numbers(settings):
    """Those of the panel, or of its evaluated copy."""
    now = {name: getattr(settings, name) for name in Numbers._fields}
    return Numbers(**{**now, "gravity": tuple(now["gravity"])})


def _quaternion(matrix):
    w, x, y, z = matrix.to_quaternion()
    return np.array((x, y, z, w))


def meshes(collection):
    """The names of the mesh objects in a collection."""
    return [] if collection is None else [obj.name for obj in collection.all_objects if obj.type == "MESH"]


def surfaces(names, scene, depsgraph):
    """These objects as they are now, modifiers and all. One that was deleted is not among them."""
    found = {name: scene.objects.get(name) for name in names}
    return {name: obj.evaluated_get(depsgraph) for name, obj in found.items() if obj is not None}


def scalp(curves, depsgraph):
    """The surface that the curves grow on, as it is now."""
    if curves.surface is None or curves.surface.type != "MESH":
        raise ValueError(f"{curves.name}: Attach To is Surface, and the curves have no surface mesh")
    return curves.surface.evaluated_get(depsgraph)


def _points(shown):
    """The vertices of an evaluated mesh object in the world."""
    mesh = shown.data
    points = np.empty((len(mesh.vertices), 3), np.float32)
    mesh.attributes["position"].data.foreach_get("vector", points.reshape(-1))
    return Groom._to_world(points, shown.matrix_world).astype(np.float32)


def _triangles(mesh):
    mesh.calc_loop_triangles()
    corners = np.empty((len(mesh.loop_triangles), 3), np.int32)
    mesh.loop_triangles.foreach_get("vertices", corners.reshape(-1))
    return corners.astype(np.uint32)


class Groom:
    """The rods of one Curves object."""

    def __init__(self, curves, matrix, start, fps, settings, saved=None, surfaces=(), scalp=None):
        """`saved`: an asset of `save`, whose rest shape is used if it was found for this groom and these settings. `surfaces`: what
        the function of that name gives. `scalp`: what moves the roots; None: the object itself."""
        counts = np.empty(len(curves.curves), np.int32)
        curves.curves.foreach_get("points_length", counts)
        if counts.size == 0 or counts.min() < 2:
            raise ValueError("every curve needs two points at least")
        self.rest = np.empty((len(curves.points), 3), np.float32)
        curves.attributes["position"].data.foreach_get("vector", self.rest.reshape(-1))
        self.start, self.fps = start, fps
        self.first_matrix = matrix.copy()
        self.roots = np.concatenate(([0], np.cumsum(counts)[:-1]))
        # Nearly all of a frame is the step; its results do not depend on the number of threads.
        self.context = withy.Context(withy.Convention.BLENDER, threads=withy.THREADS_ALL)
        self.world = withy.World(self.context)
        now = numbers(settings)
        self.rods = withy.Rods(
            self.world, self._to_world(self.rest, matrix), counts.astype(np.uint32), radius=now.radius, root=withy.Support.CLAMPED
        )
        #: What the world has; what it had when it came to each frame; and what the panel had in the frames that were seen.
        self.now = None
        self._become(now)
        self.used, self.told = {start: now}, {start: now}
        #: Meshes that hair slides on, by the names of their objects; and where their vertices were, by frame.
        self.meshes, self.places = {}, {start: {}}
        for name, shown in dict(surfaces).items():
            corners = _triangles(shown.data)
            if len(corners):
                points = self.places[start][name] = _points(shown)
                self.meshes[name] = withy.Mesh(
                    self.world, points, corners, flags=withy.MeshFlags.COLLIDES, friction=MESH_FRICTION
                )
        #: How many strands hold their start pose, of all; None where they were not asked to.
        self.held = None
        #: What the rest shape depends on, beside the pose.
        self.facts = self._facts(settings, counts, matrix)
        known = self._fitting(saved) if settings.hold_start_pose else None
        if known is not None:
            self.rods.load_rest_shape(known["rest_shape"].data)
            self.held = tuple(known["held"].data.tolist())
        elif settings.hold_start_pose:
            self.rods.optimize_rest_shape(step=1 / fps)
            report = self.rods.elastic_report()
            holds = report["answer"] == withy.StrandAnswer.HOLDS
            self.held = int(holds.sum()), len(holds)
        self.local = np.empty_like(self.rest)
        self.points, self.turned = (np.empty(self.rest.shape, np.float64) for _ in range(2))
        self.view = withy.View(self.points)
        self.root_view = withy.View(np.empty((len(counts), 3)))
        self.turn_view = withy.View(np.empty((len(counts), 4)))
        #: The roots on the scalp, and where its vertices were, by frame.
        self.scalp, self.scalps = None, {}
        if scalp is not None:
            self.scalps[start] = _points(scalp)
            roots = self._to_world(self.rest[self.roots], matrix)
            self.scalp = withy.Surface(self.scalps[start], _triangles(scalp.data), roots)
        self.states = {start: self.world.save_state()}
        self.frame = start
        #: Room for the velocities, while they are shown.
        self.velocity = None
        #: World matrices of the object, by frame.
        self.matrices = {start: self.first_matrix}

    def _facts(self, settings, counts, matrix):
        turned = np.round(np.array(matrix.to_3x3()), 6).tolist()
        values = {name: getattr(settings, name) for name in ("radius", "young_modulus", "density", "drag", "substeps")}
        values.update(fps=self.fps, gravity=list(settings.gravity), counts=counts.tolist(), turned=turned)
        return json.dumps(values, sort_keys=True)

    def _fitting(self, saved):
        """The chunks of the asset, if its rest shape was found for this groom; None if not, or if it is damaged."""
        try:
            chunks = withy.read_asset(saved) if saved else {}
            same = chunks["settings"].data == self.facts and np.array_equal(chunks["pose"].data, self.rest)
            return chunks if same and chunks["rest_shape"].version == 1 else None
        except (KeyError, withy.WithyError):
            return None

    def save(self, before=None):
        """An asset: the settings, the authored pose and the rest shape that was found for them. Chunks of the asset
        `before` that are not ours stay."""
        try:
            chunks = withy.read_asset(before) if before else {}
        except withy.WithyError:
            chunks = {}
        chunks["settings"] = self.facts
        chunks["pose"] = self.rest
        chunks["rest_shape"] = self.rods.save_rest_shape()
        if self.held is not None:
            chunks["held"] = np.array(self.held, np.uint32)
        return withy.write_asset(chunks)

    @staticmethod
    def _to_world(points, matrix):
        m = np.array(matrix)
        return points @ m[:3, :3].T + m[:3, 3]

    def _become(self, now):
        """The world and the rods have these numbers from here on."""
        if now == self.now:
            return
        self.world.gravity = now.gravity
        self.world.set_iterations(now.substeps, ITERATIONS)
        self.rods.change(
            radius=now.radius,
            young_modulus=now.young_modulus,
            shear_modulus=now.young_modulus / 2.6,
            density=now.density,
            damping=now.damping,
            drag=now.drag,
            friction=now.friction**2 / MESH_FRICTION,
            collision_radius=max(now.collision_distance, now.radius),
        )
        self.now = now

    def _drive(self, matrix):
        """The roots go where the object is, or the scalp."""
        if self.scalp is not None:
            self.scalp.follow(self._nearest(self.scalps), self.root_view, self.turn_view)
            self.rods.set_root_poses(self.root_view, self.turn_view)
            return
        self.root_view.array[:] = self._to_world(self.rest[self.roots], matrix)
        turned = matrix.to_3x3().normalized() @ self.first_matrix.to_3x3().normalized().inverted()
        self.turn_view.array[:] = _quaternion(turned)
        self.rods.set_root_poses(self.root_view, self.turn_view)

    def _see(self, frame, surfaces, scalp):
        """Where the meshes are in a frame."""
        if self.scalp is not None:
            points = () if scalp is None else _points(scalp)
            if len(points) != len(self.scalp.positions):
                raise ValueError("the surface of the curves has other vertices than at the start frame: simulate again")
            self.scalps[frame] = points
        seen = {}
        for name, mesh in self.meshes.items():
            # What was deleted stays where it was.
            points = _points(surfaces[name]) if name in surfaces else self._nearest(self.places)[name]
            if len(points) != mesh.vertex_count:
                raise ValueError(
                    f"{name}: hair slides on it, and it had {mesh.vertex_count} vertices at the start frame; now {len(points)}. "
                    "Simulate again"
                )
            seen[name] = points
        self.places[frame] = seen
        for places, each in ((self.places, sum(p.nbytes for p in seen.values())), (self.scalps, getattr(self.scalps.get(frame), "nbytes", 0))):
            while len(places) > 2 and len(places) * each > MEMORY:
                del places[min(f for f in places if f not in (self.start, frame))]

    def _nearest(self, seen):
        """Where something is in this frame. In one that was jumped over that is not known: as in the nearest that was seen."""
        return seen[self.frame if self.frame in seen else min(seen, key=lambda f: abs(f - self.frame))]

    def go(self, frame, matrix, surfaces=(), scalp=None, now=None):
        """Simulates, or restores, up to a frame at which the object has this world matrix, and the panel these numbers; None: those of then."""
        self.matrices[frame] = matrix
        self._see(frame, surfaces, scalp)
        frame = max(frame, self.start)
        if now is not None:
            self._tell(frame, now)
        known = max(f for f in self.states if f <= frame)
        if self.frame is None or not known <= self.frame <= frame:
            # Before the state: what wakes the rods must not do so afterwards.
            self._become(self.used[known])
            self.world.restore_state(self.states[known])
            self.frame = known
        while self.frame < frame:
            self.frame += 1
            try:
                self._become(self._nearest(self.told))
            except withy.WithyError:
                self.frame = None
                raise
            self.used[self.frame] = self.now
            self._drive(self._nearest(self.matrices))
            for name, points in self._nearest(self.places).items():
                self.meshes[name].set_positions(points)
            self.world.step(1.0 / self.fps)
            self._save()

    def changes(self, frame, now):
        """Whether these numbers are others than those with which a frame was simulated."""
        return self.used.get(max(frame, self.start)) != now

    def _tell(self, frame, now):
        """What the panel has in a frame. If that is not what the frame was simulated with, it and those after it are simulated again."""
        self.told[frame] = now
        if self.used.get(frame, now) == now:
            return
        if frame == self.start:
            # Nothing is simulated in it. The rest shape is that which was found.
            self.used[frame] = now
        for later in [f for f in self.states if f >= frame and f != self.start]:
            del self.states[later]
        if self.frame is not None and self.frame >= frame:
            self.frame = None

    def _save(self):
        state = self.world.save_state()
        while len(self.states) > 1 and (len(self.states) + 1) * len(state) > MEMORY:
            del self.states[min(f for f in self.states if f != self.start)]
        self.states[self.frame] = state

    def write(self, curves, matrix):
        """The positions of this frame, into the Curves' attribute."""
        self.rods.read_positions(self.view)
        inverse = np.array(matrix.inverted())
        # Without arrays of its own a frame takes half of the time that it would.
        np.dot(self.points, np.ascontiguousarray(inverse[:3, :3].T), out=self.turned)
        np.add(self.turned, inverse[:3, 3], out=self.local, casting="same_kind")
        curves.attributes["position"].data.foreach_set("vector", self.local.reshape(-1))
        curves.update_tag()

        if self.velocity is not None:
            self._write_velocities(curves, matrix, inverse)

    def show_velocities(self, curves):
        """From here on `write` also fills the points' attribute `velocity`."""
        there = curves.attributes.get("velocity")
        if there is not None:
            raise ValueError("the curves have an attribute `velocity` of their own")
        self.velocity = np.empty(self.rest.shape, np.float32)
        curves.attributes.new("velocity", "FLOAT_VECTOR", "POINT")

    def hide_velocities(self, curves):
        if self.velocity is not None:
            self.velocity = None
            curves.attributes.remove(curves.attributes["velocity"])

    def _write_velocities(self, curves, matrix, inverse):
        """Against the object, in its space: that a point goes along with the object is in the object's own motion."""
        now, before = np.array(matrix), np.array(self.matrices.get(self.frame - 1, matrix))
        carried = (now - before) * self.fps
        world = self.rods.read_velocities(dtype=np.float64) if self.frame > self.start else np.zeros(self.rest.shape)
        world -= self.local @ carried[:3, :3].T + carried[:3, 3]
        np.copyto(self.velocity, world @ inverse[:3, :3].T, casting="same_kind")
        curves.attributes["velocity"].data.foreach_set("vector", self.velocity.reshape(-1))

    def reset(self, curves):
        """The Curves as they were."""
        curves.attributes["position"].data.foreach_set("vector", self.rest.reshape(-1))
        curves.update_tag()

    def close(self):
        self.context.close()
