using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;

namespace Withy.Tests
{
    /// <summary>Run without arguments: every test. `layouts FILE`: writes the layouts of all structs.</summary>
    public static unsafe class Program
    {
        private const int Vertices = 21;

        private static void Require(bool condition, string what)
        {
            if (!condition)
            {
                throw new Exception("not so: " + what);
            }
        }

        /// <summary>A rope of a metre along x.</summary>
        private static Rods Rope(World world, Support root)
        {
            var positions = new float[3 * Vertices];
            for (var i = 0; i < Vertices; i++)
            {
                positions[3 * i] = i / (float)(Vertices - 1);
            }
            var def = WithyRodsDef.Default();
            def.radius = 5e-3;
            def.root = root;
            return new Rods(world, positions, new uint[] { Vertices }, def);
        }

        private static void ARopeSwings()
        {
            using (var context = new Context())
            using (var world = new World(context))
            using (var rope = Rope(world, Support.Pinned))
            {
                var points = new float[3 * Vertices];
                var strain = new float[rope.EdgeCount];
                float lowest = 0, farthest = 1;
                for (var i = 0; i < 120; i++)
                {
                    world.Step(1.0 / 60);
                    rope.ReadPositions(points);
                    lowest = Math.Min(lowest, points[points.Length - 2]);
                    farthest = Math.Min(farthest, points[points.Length - 3]);
                }
                rope.ReadStrain(strain);
                Require(lowest > -1.02f && lowest < -0.9f, "the tip comes down by the length: " + lowest);
                Require(farthest < -0.3f, "it swings through: " + farthest);
                Require(Math.Abs(points[0]) < 1e-6f && Math.Abs(points[1]) < 1e-6f, "the root stays");
                foreach (var s in strain)
                {
                    Require(Math.Abs(s) < 1e-2f, "it is not stretched: " + s);
                }
                Require(world.Stats.steps == 120, "steps are counted");
            }
        }

        private static void StateGoesBack()
        {
            using (var context = new Context())
            using (var world = new World(context))
            using (Rope(world, Support.Pinned))
            {
                byte[] state = null;
                world.Step(1.0 / 60);
                var size = world.SaveState(ref state);
                var first = state;
                world.Step(1.0 / 60);
                var after = world.StateHash;
                world.RestoreState(state, size);
                Require(world.StateHash != after, "it went back");
                world.Step(1.0 / 60);
                Require(world.StateHash == after, "it goes the same way again");
                Require(world.SaveState(ref state) == size && ReferenceEquals(first, state), "the memory is used again");
            }
        }

        private static void AssetsComeBack()
        {
            using (var context = new Context())
            using (var world = new World(context))
            using (var rope = Rope(world, Support.Clamped))
            using (var other = Rope(world, Support.Clamped))
            {
                var chunks = new Dictionary<string, AssetChunk>
                {
                    { "settings", new AssetChunk("{\"name\": \"B\u00e4r\"}") },
                    { "pose", new AssetChunk(new float[] { 1, 2, 3, 4, 5, 6 }, 3) },
                    { "counts", new AssetChunk(new uint[] { 2 }) },
                    { "rest_shape", new AssetChunk(rope.SaveRestShape()) },
                    { "to come", new AssetChunk(new byte[] { 1, 2, 3 }) { Format = (AssetFormat)1000, Columns = 9, Version = 4 } },
                    { "nothing", new AssetChunk(new byte[0]) },
                };
                var file = Asset.Write(chunks);
                var read = Asset.Read(file);
                Require(read.Count == 6 && read["settings"].Text == chunks["settings"].Text, "text");
                Require(read["pose"].Floats()[5] == 6 && read["pose"].Columns == 3 && read["counts"].UInts()[0] == 2, "arrays");
                Require(read["to come"].Format == (AssetFormat)1000 && read["to come"].Version == 4, "what is to come");
                var again = Asset.Write(read);
                Require(Convert.ToBase64String(again) == Convert.ToBase64String(file), "the same bytes");
                other.LoadRestShape(read["rest_shape"].Data);
                file[file.Length - 100] ^= 1;
                try
                {
                    Asset.Read(file);
                    Require(false, "a damaged file is refused");
                }
                catch (WithyException e)
                {
                    Require(e.Message.Contains("asset: chunk "), e.Message);
                }
            }
        }

        /// <summary>A spindle of 30 cm along y.</summary>
        private static void Spindle(out float[] vertices, out uint[] triangles)
        {
            const int rings = 31, around = 20;
            var points = new List<float>();
            var faces = new List<uint>();
            for (var i = 0; i < rings; i++)
            {
                var s = Math.Sin(Math.PI * i / (rings - 1));
                for (var j = 0; j < around; j++)
                {
                    double r = 0.006 + 0.016 * s * s, turn = 2 * Math.PI * j / around;
                    points.AddRange(new[] { (float)(r * Math.Cos(turn)), 0.3f - 0.3f * i / (rings - 1), (float)(0.8 * r * Math.Sin(turn)) });
                }
            }
            points.AddRange(new[] { 0, 0.3f, 0, 0, 0, 0 });
            const uint first = rings * around, last = first + 1;
            for (uint j = 0; j < around; j++)
            {
                var next = (j + 1) % around;
                for (uint i = 0; i + 1 < rings; i++)
                {
                    uint a = i * around + j, b = i * around + next;
                    faces.AddRange(new[] { a, b, a + around, b, b + around, a + around });
                }
                faces.AddRange(new[] { first, next, j, last, first - around + j, first - around + next });
            }
            vertices = points.ToArray();
            triangles = faces.ToArray();
        }

        private static void AMeshBecomesAMuscle()
        {
            using (var context = new Context(Convention.Si, 2))
            using (var world = new World(context))
            {
                float[] vertices;
                uint[] triangles;
                Spindle(out vertices, out triangles);
                var mesh = WithyMuscleMeshDef.Default();
                mesh.strands = 7;
                mesh.slices = 10;
                var origin = new float[] { 0, 0.3f, 0 };
                MuscleFit fit;
                fixed (float* point = origin)
                {
                    mesh.origin.points = new WithySpan(point, 1);
                    fit = new MuscleFit(context, vertices, triangles, mesh);
                }
                var report = fit.Report;
                Require(report.covered > 0.8 && report.outside < 0.1 && report.origin_gap <= 1, "it is filled: " + report.covered);
                Require(report.repairs == 0 && report.origin_heads == 1, "nothing to repair");
                Require(fit.Strands == 7 && fit.Positions.Length == 210 && fit.Positions[1] > 0.28f, "from the origin");
                using (var muscle = fit.Muscle(world, WithyMuscleDef.Default()))
                {
                    Require(muscle.StrandCount == 7 && muscle.VertexCount == 70, "its strands");
                    var rest = muscle.MuscleState;
                    muscle.SetActivation(1);
                    for (var i = 0; i < 60; i++)
                    {
                        world.Step(1.0 / 60);
                    }
                    var active = muscle.MuscleState;
                    Require(active.length < 0.8 * rest.length, "it is shorter: " + active.length);
                    Require(Math.Abs(active.volume - 1) < 0.01, "its volume stays: " + active.volume);
                }
                try
                {
                    triangles[4] = 1000000;
                    fit = new MuscleFit(context, vertices, triangles, mesh);
                    Require(false, "a vertex that is not there is refused");
                }
                catch (WithyException e)
                {
                    Require(e.Message.Contains("triangles[1] 1000000 is outside of the 622 vertices"), e.Message);
                }
            }
        }

        private static void ErrorsCarryTheMessage()
        {
            using (var context = new Context())
            using (var world = new World(context))
            {
                var def = WithyRodsDef.Default();
                def.radius = -1;
                try
                {
                    new Rods(world, new float[6] { 0, 0, 0, 1, 0, 0 }, new uint[] { 2 }, def);
                    Require(false, "a negative radius is refused");
                }
                catch (WithyException e)
                {
                    Require(e.Result == Result.InvalidArgument, "the result");
                    Require(e.Message.Contains("radius is -1"), e.Message);
                }
                var rope = Rope(world, Support.Free);
                var handle = rope.Handle;
                rope.Dispose();
                rope.Dispose();
                Require(Native.withy_rods_destroy(handle) == Result.InvalidHandle, "a stale handle is an error");
            }
        }

        private static void AContextTakesAllWithIt()
        {
            var context = new Context(Convention.Unity, 2);
            var world = new World(context);
            var rope = Rope(world, Support.Pinned);
            world.Step(1.0 / 60);
            context.Dispose();
            context.Dispose();
            try
            {
                world.Step(1.0 / 60);
                Require(false, "a world of a disposed context is refused");
            }
            catch (WithyException e)
            {
                Require(e.Result == Result.InvalidHandle, e.Message);
            }
            Require(!rope.Handle.IsNull, "rods know nothing of it");
        }

        private static uint asked;

        private static uint Ask(void* user, uint done, uint all)
        {
            asked++;
            return *(uint*)user;
        }

        private static void CallbacksArrive()
        {
            using (var context = new Context())
            using (var world = new World(context))
            using (var rope = Rope(world, Support.Clamped))
            {
                WithyRestShapeProgress progress = Ask;
                var cancel = 1u;
                var def = WithyRestShapeDef.Default();
                def.progress = Marshal.GetFunctionPointerForDelegate(progress);
                def.user = &cancel;
                rope.OptimizeRestShape(def);
                GC.KeepAlive(progress);
                Require(asked == 1, "it is asked once, and cancels");
                Require(rope.ElasticReport()[0].reason == Reason.Cancelled, "the strand is left alone");
                rope.OptimizeRestShape();
                Require(rope.ElasticReport()[0].reason != Reason.Cancelled, "now it is not");
            }
        }

        /// <summary>A vector with a field between, as hosts have them.</summary>
        [StructLayout(LayoutKind.Sequential)]
        private struct Vertex
        {
            public uint Id;
            public float X, Y, Z;
        }

        private static void SpansHaveStrides()
        {
            using (var context = new Context())
            using (var world = new World(context))
            using (var rope = Rope(world, Support.Pinned))
            {
                world.Step(1.0 / 60);
                var dense = new float[3 * Vertices];
                rope.ReadPositions(dense);
                var vertices = new Vertex[Vertices];
                for (var i = 0; i < Vertices; i++)
                {
                    vertices[i].Id = 7;
                }
                fixed (Vertex* v = vertices)
                {
                    var span = new WithySpan(&v->X, Vertices, sizeof(Vertex));
                    rope.ReadPositions(&span);
                }
                for (var i = 0; i < Vertices; i++)
                {
                    var v = vertices[i];
                    Require(v.Id == 7 && v.X == dense[3 * i] && v.Y == dense[3 * i + 1] && v.Z == dense[3 * i + 2], "vertex " + i);
                }
                using (var pinned = new Pinned<double>(new double[3 * Vertices], Format.F64))
                {
                    var span = pinned.Span(3);
                    rope.ReadPositions(&span);
                    Require(span.count == Vertices && (float)pinned.Array[61] == dense[61], "doubles");
                }
            }
        }

        /// <summary>Two boxes joined by a ball: a ragdoll as small as they come.</summary>
        private static Ragdolls Pair(World world, int instances)
        {
            var parents = stackalloc uint[2];
            parents[0] = uint.MaxValue;
            parents[1] = 0;
            var positions = stackalloc float[6];
            var rotations = stackalloc float[8];
            for (var i = 0; i < 8; i++)
            {
                if (i < 6)
                {
                    positions[i] = 0;
                }
                rotations[i] = i % 4 == 3 ? 1 : 0;
            }
            positions[4] = 0.4f;
            var shape = WithyShapeDef.Default();
            shape.shape = Shape.Box;
            shape.half_extents = new WithyVec3(0.1, 0.15, 0.1);
            var body = WithyBodyDef.Default();
            body.shapes = &shape;
            body.shape_count = 1;
            var joint = WithyJointDef.Default();
            var bodies = stackalloc WithyRagdollBodyDef[2];
            bodies[0] = WithyRagdollBodyDef.Default();
            bodies[0].body = &body;
            bodies[1] = bodies[0];
            bodies[1].bone = 1;
            bodies[1].joint = &joint;
            var def = WithyRagdollDef.Default();
            def.parents = new WithySpan(parents, 2);
            def.positions = new WithySpan(positions, 2);
            def.rotations = new WithySpan(rotations, 2);
            def.bodies = bodies;
            def.body_count = 2;
            return new Ragdolls(world, def, instances);
        }

        private static void Poses(int instances, out float[] positions, out float[] rotations)
        {
            positions = new float[6 * instances];
            rotations = new float[8 * instances];
            for (var i = 0; i < 2 * instances; i++)
            {
                positions[3 * i] = 2 * (i / 2);
                positions[3 * i + 1] = 1 + 0.4f * (i % 2);
                rotations[4 * i + 3] = 1;
            }
        }

        private static void PeopleFall()
        {
            using (var context = new Context())
            using (var world = new World(context))
            using (new Collider(world, WithyColliderDef.Default()))
            using (var people = Pair(world, 3))
            {
                Require(people.InstanceCount == 3 && people.BoneCount == 2, "counts");
                float[] positions, rotations;
                Poses(3, out positions, out rotations);
                people.Instantiate(positions, rotations);
                people.Body(1, 1).Push(new WithyVec3(500, 0, 0));
                for (var i = 0; i < 180; i++)
                {
                    world.Step(1.0 / 60);
                }
                people.Read(positions, rotations);
                for (var i = 0; i < 6; i++)
                {
                    Require(positions[3 * i + 1] > 0 && positions[3 * i + 1] < 0.7f, "bone " + i + " at " + positions[3 * i + 1]);
                }
                for (var i = 0; i < 3; i++)
                {
                    double square = 0;
                    for (var k = 0; k < 3; k++)
                    {
                        var d = positions[6 * i + 3 + k] - positions[6 * i + k];
                        square += d * d;
                    }
                    Require(Math.Abs(Math.Sqrt(square) - 0.4) < 0.01, "the bones stay joined");
                }
                people.Remove(1);
                Require(people.Body(1, 0).Handle.IsNull && !people.Body(0, 0).Handle.IsNull, "one is removed");
            }
        }

        /// <summary>10,000 frames as a game has them: roots driven, a step, reads, a state saved. No garbage.</summary>
        private static void FramesMakeNoGarbage()
        {
            using (var context = new Context())
            using (var world = new World(context))
            using (var rope = Rope(world, Support.Pinned))
            using (var ground = new Collider(world, WithyColliderDef.Default()))
            using (var people = Pair(world, 1))
            {
                var sheet = new float[147];
                Sheet(sheet, 0);
                var surface = new Surface(sheet, Squares(), new float[] { 0.3f, 0, 0.3f });
                var meshDef = WithyMeshDef.Default();
                meshDef.flags = MeshFlags.Collides;
                var mesh = new TriangleMesh(world, sheet, Squares(), meshDef);
                var turns = new float[4];
                var root = new float[3];
                var points = new float[3 * Vertices];
                var frames = new float[4 * rope.EdgeCount];
                float[] positions, rotations;
                Poses(1, out positions, out rotations);
                people.Instantiate(positions, rotations);
                byte[] state = null;
                world.SetIterations(1, 1);
                // State sizes change with the contacts: room to spare.
                world.SaveState(ref state);
                state = new byte[2 * state.Length];
                Action<int> frame = i =>
                {
                    Sheet(sheet, 0.1 * Math.Sin(0.01 * i));
                    surface.Follow(sheet, root, turns);
                    mesh.SetPositions(sheet);
                    root[0] = 0.1f * (float)Math.Sin(0.01 * i);
                    root[1] = 2;
                    rope.SetRootPoses(root);
                    ground.SetPose(new WithyPose(0, 0.01 * Math.Sin(0.01 * i), 0));
                    world.Step(1.0 / 60);
                    rope.ReadPositions(points);
                    rope.ReadFrames(frames);
                    people.Read(positions, rotations);
                    Require(world.Stats.steps > 0, "steps");
                    if (i % 100 == 0)
                    {
                        world.SaveState(ref state);
                    }
                };
                // What is compiled or allocated once.
                for (var i = 0; i < 200; i++)
                {
                    frame(i);
                }
                var collections = GC.CollectionCount(0);
                var before = Garbage.Allocated();
                for (var i = 0; i < 10000; i++)
                {
                    frame(i);
                }
                var garbage = Garbage.Allocated() - before;
                Require(garbage == 0, garbage + " bytes of garbage in 10,000 frames");
                Require(GC.CollectionCount(0) == collections, "nothing was collected");
                Require(points[3 * Vertices - 2] < 1.2f, "the rope hangs");
                // The gate sees what is allocated: one small array a frame.
                before = Garbage.Allocated();
                var kept = new byte[100][];
                for (var i = 0; i < 100; i++)
                {
                    kept[i] = new byte[64];
                }
                Require(Garbage.Allocated() - before >= 6400, "garbage is seen where there is some");
                GC.KeepAlive(kept);
                Console.WriteLine("       " + garbage + " bytes of garbage in 10,000 frames (" + Garbage.How + ")");
            }
        }

        private static void RopesJump()
        {
            using (var context = new Context())
            using (var world = new World(context))
            using (var rope = Rope(world, Support.Pinned))
            {
                rope.SetPins(new uint[] { 10, 20 }, new float[] { 0.5f, 0, 0, 1, 0, 0 });
                var points = new float[3 * Vertices];
                for (var i = 0; i < 30; i++)
                {
                    world.Step(1.0 / 60);
                }
                rope.ReadPositions(points);
                Require(Math.Abs(points[61]) < 1e-6f && points[46] < -1e-4f, "it hangs between three points");
                rope.Teleport(new WithyPose(0, 10, 0));
                var after = new float[3 * Vertices];
                rope.ReadPositions(after);
                for (var i = 0; i < points.Length; i++)
                {
                    Require(Math.Abs(after[i] - points[i] - (i % 3 == 1 ? 10 : 0)) < 2e-6f, "all of it jumps");
                }
                rope.SetPins(new uint[] { 10, 20 }, null);
                for (var i = 0; i < 30; i++)
                {
                    world.Step(1.0 / 60);
                }
                rope.ReadPositions(after);
                Require(after[61] < 9.5f && Math.Abs(after[1] - 10) < 1e-5f, "let go, it falls from where it is");
                string said = null;
                var other = new System.Threading.Thread(() =>
                {
                    try
                    {
                        rope.SetPins(new uint[] { 99 }, null);
                    }
                    catch (WithyException e)
                    {
                        said = e.Message;
                    }
                });
                other.Start();
                other.Join();
                Require(said != null && world.LastError == said && said.Contains("vertices[0] is 99"), "the error is on the world: " + said);
            }
            var forgotten = new Context();
            Context.DestroyAll();
            try
            {
                using (new World(forgotten))
                {
                }
                Require(false, "a forgotten context is gone");
            }
            catch (WithyException e)
            {
                Require(e.Result == Result.InvalidHandle, e.Message);
            }
        }

        /// <summary>A sheet of 6 x 6 squares of a decimetre that faces up, bent and moved as a skin would.</summary>
        private static void Sheet(float[] positions, double bend)
        {
            for (var i = 0; i < 49; i++)
            {
                double x = 0.1 * (i % 7), z = 0.1 * (i / 7);
                positions[3 * i] = (float)(x + 0.2 * bend);
                positions[3 * i + 1] = (float)(bend * Math.Sin(4 * x) * (0.5 + z));
                positions[3 * i + 2] = (float)(z * (1 + 0.3 * bend));
            }
        }

        private static uint[] Squares()
        {
            var triangles = new List<uint>();
            for (uint i = 0; i < 36; i++)
            {
                var a = i % 6 + 7 * (i / 6);
                triangles.AddRange(new[] { a, a + 7, a + 1, a + 1, a + 7, a + 8 });
            }
            return triangles.ToArray();
        }

        /// <summary>What <paramref name="from"/> becomes under a quaternion xyzw.</summary>
        private static double[] Turned(float[] q, int at, double[] from)
        {
            double x = q[at], y = q[at + 1], z = q[at + 2], w = q[at + 3];
            double tx = 2 * (y * from[2] - z * from[1]), ty = 2 * (z * from[0] - x * from[2]), tz = 2 * (x * from[1] - y * from[0]);
            return new[]
            {
                from[0] + w * tx + y * tz - z * ty, from[1] + w * ty + z * tx - x * tz, from[2] + w * tz + x * ty - y * tx,
            };
        }

        private static double[] Normal(float[] positions, uint[] corners, int point)
        {
            var e = new double[6];
            for (var k = 0; k < 6; k++)
            {
                e[k] = positions[3 * corners[3 * point + 1 + k / 3] + k % 3] - positions[3 * corners[3 * point] + k % 3];
            }
            var n = new[] { e[1] * e[5] - e[2] * e[4], e[2] * e[3] - e[0] * e[5], e[0] * e[4] - e[1] * e[3] };
            var length = Math.Sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            return new[] { n[0] / length, n[1] / length, n[2] / length };
        }

        private static void PointsFollowASurface()
        {
            float[] bind = new float[147], now = new float[147], points = new float[60];
            Sheet(bind, 0);
            for (var i = 0; i < 20; i++)
            {
                points[3 * i] = 0.03f * i + 0.01f;
                points[3 * i + 1] = 0.01f * (i % 3);
                points[3 * i + 2] = 0.59f - 0.029f * i;
            }
            var surface = new Surface(bind, Squares(), points);
            Require(surface.PointCount == 20 && surface.VertexCount == 49, "counts");
            float[] at = new float[60], turns = new float[80];
            surface.Follow(bind, at, turns);
            for (var i = 0; i < 60; i++)
            {
                Require(Math.Abs(at[i] - points[i]) < 1e-6, "where they were bound");
            }
            Sheet(now, 0.4);
            surface.Follow(now, at, turns);
            double most = 0;
            for (var i = 0; i < 20; i++)
            {
                var n = Normal(now, surface.Corners, i);
                for (var k = 0; k < 3; k++)
                {
                    double first = now[3 * surface.Corners[3 * i] + k], want = first;
                    for (var c = 0; c < 2; c++)
                    {
                        want += surface.Coordinates[3 * i + c] * (now[3 * surface.Corners[3 * i + 1 + c] + k] - first);
                    }
                    want += surface.Coordinates[3 * i + 2] * n[k];
                    Require(Math.Abs(at[3 * i + k] - want) < 1e-6, "on its triangle: " + at[3 * i + k] + " for " + want);
                }
                var up = Turned(turns, 4 * i, new double[] { 0, 1, 0 });
                Require(Math.Abs(up[0] - n[0]) + Math.Abs(up[1] - n[1]) + Math.Abs(up[2] - n[2]) < 1e-5, "turned with its triangle");
                most = Math.Max(most, 1 - up[1]);
            }
            Require(most > 0.1, "the sheet was bent: " + most);
            // Kept and made again; read with a stride.
            var again = new Surface(surface.Positions, surface.Corners, surface.Coordinates);
            var vertices = new Vertex[20];
            fixed (float* p = now)
            fixed (Vertex* v = vertices)
            {
                var positions = new WithySpan(p, 49);
                var to = new WithySpan(&v->X, 20, sizeof(Vertex));
                again.Follow(&positions, &to, null);
            }
            for (var i = 0; i < 20; i++)
            {
                Require(vertices[i].X == at[3 * i] && vertices[i].Z == at[3 * i + 2], "the same from what was kept");
            }
            Refused(() => surface.Follow(new float[30], at, null), "positions.count is 10: there are 49");
            Refused(() => surface.Follow(now, new float[30], null), "points.count is 10: there are 20", Result.TooSmall);
            Refused(() => new Surface(bind, new uint[] { 0, 1, 49 }, points), "triangles[0] 49 is outside of the 49 positions");
            Refused(() => new Surface(surface.Positions, new uint[] { 0, 1, 77 }, new double[3]), "corners[0] 77");
            try
            {
                new Surface(bind, Squares(), new float[4]);
                Require(false, "half a point is refused");
            }
            catch (ArgumentException e)
            {
                Require(e.ParamName == "points", e.Message);
            }
        }

        private static void Refused(Action call, string why, Result result = Result.InvalidArgument)
        {
            try
            {
                call();
            }
            catch (WithyException e)
            {
                Require(e.Result == result && e.Message.Contains(why), e.Result + ": " + e.Message);
                return;
            }
            Require(false, "refused: " + why);
        }

        private static void ARopeLiesOnAMesh()
        {
            using (var context = new Context())
            using (var world = new World(context))
            {
                var positions = new float[147];
                Sheet(positions, 0);
                for (var i = 0; i < 49; i++)
                {
                    positions[3 * i + 1] = -0.1f;
                }
                var def = WithyMeshDef.Default();
                def.flags = MeshFlags.Collides;
                using (var mesh = new TriangleMesh(world, positions, Squares(), def))
                {
                    var points = new float[3 * Vertices];
                    for (var i = 0; i < Vertices; i++)
                    {
                        points[3 * i] = 0.1f + 0.02f * i;
                        points[3 * i + 2] = 0.3f;
                    }
                    var rope = WithyRodsDef.Rope(context);
                    Require(rope.density != WithyRodsDef.Hair(context).density, "hair is no rope");
                    rope.root = Support.Free;
                    rope.radius = 0.005;
                    using (var rods = new Rods(world, points, new uint[] { Vertices }, rope))
                    {
                        for (var i = 0; i < 120; i++)
                        {
                            world.Step(1.0 / 60);
                        }
                        rods.ReadPositions(points);
                        Require(Math.Abs(points[31] + 0.095) < 2e-3, "it lies on the mesh: " + points[31]);
                        // The mesh lifts it.
                        for (var i = 0; i < 60; i++)
                        {
                            for (var k = 0; k < 49; k++)
                            {
                                positions[3 * k + 1] = -0.1f + 0.005f * (i + 1);
                            }
                            mesh.SetPositions(positions);
                            world.Step(1.0 / 60);
                        }
                        rods.ReadPositions(points);
                        var read = new float[147];
                        mesh.ReadPositions(read);
                        Require(Math.Abs(read[1] - 0.2) < 1e-6 && points[31] > 0.2 && points[31] < 0.23, "it is lifted: " + points[31]);
                    }
                    Refused(() => mesh.SetPositions(new float[3]), "positions.count is 1");
                }
            }
        }

        private static void RodsAreMovedAsAWhole()
        {
            using (var context = new Context())
            using (var world = new World(context))
            using (var rope = Rope(world, Support.Pinned))
            {
                Require(world.Backend == "cpu" && !rope.IsSleeping, world.Backend);
                world.Gravity = new WithyVec3(0, 0, 0);
                var points = new float[3 * Vertices];
                var forces = new float[3 * Vertices];
                forces[3 * Vertices - 1] = 0.05f;
                rope.SetForces(forces);
                for (var i = 0; i < 30; i++)
                {
                    world.Step(1.0 / 60);
                }
                rope.ReadPositions(points);
                Require(points[3 * Vertices - 1] > 0.01f, "its tip is pushed: " + points[3 * Vertices - 1]);
                rope.SetForces(null);
                rope.WriteVelocities(new float[3 * Vertices]);
                rope.ReadVelocities(forces);
                Require(forces[3 * Vertices - 1] == 0, "it stands still");
                rope.SetRootTransform(new WithyPose(0.1, 0.2, 0));
                world.Step(1.0 / 60);
                rope.ReadPositions(points);
                Require(Math.Abs(points[0] - 0.1f) < 1e-6f && Math.Abs(points[1] - 0.2f) < 1e-6f, "its root has moved");
            }
        }

        private static void RodsAreChanged()
        {
            using (var context = new Context())
            using (var world = new World(context))
            using (var rope = Rope(world, Support.Pinned))
            {
                Func<float> mass = () =>
                {
                    var masses = new float[Vertices];
                    rope.ReadMasses(masses);
                    var sum = 0f;
                    foreach (var m in masses)
                    {
                        sum += m;
                    }
                    return sum;
                };
                var before = mass();
                var def = rope.GetDef();
                def.density *= 3;
                rope.Change(def);
                Require(Math.Abs(mass() / before - 3) < 1e-4, "three times as heavy: " + before + ", " + mass());
                def.model = Model.Der;
                Refused(() => rope.Change(def), "model is 1");
                // An acceleration that outweighs gravity, then a wind.
                var field = new float[3 * Vertices];
                for (var i = 0; i < Vertices; i++)
                {
                    field[3 * i + 1] = 30;
                }
                var points = new float[3 * Vertices];
                rope.SetAccelerations(field);
                for (var i = 0; i < 120; i++)
                {
                    world.Step(1.0 / 60);
                }
                rope.ReadPositions(points);
                Require(points[3 * Vertices - 2] > points[1] + 0.1f, "it stands up: " + points[3 * Vertices - 2]);
                rope.SetAccelerations(null);
                rope.SetWinds(field);
                rope.SetWinds(null);
                var root = new float[3];
                var turn = new float[4];
                rope.ReadRootPoses(root, turn);
                Require(Math.Abs(root[0] - points[0]) < 1e-6 && Math.Abs(root[1] - points[1]) < 1e-6 && Math.Abs(turn[3] - 1) < 1e-6, "its root");
                // Out of the world it goes with its root.
                rope.Enabled = false;
                rope.SetRootPoses(new float[] { root[0] + 1, root[1], root[2] });
                world.Step(1.0 / 60);
                var moved = new float[3 * Vertices];
                rope.ReadPositions(moved);
                for (var i = 0; i < Vertices; i++)
                {
                    Require(Math.Abs(moved[3 * i] - points[3 * i] - 1) < 1e-5 && Math.Abs(moved[3 * i + 1] - points[3 * i + 1]) < 1e-5, "as a whole");
                }
                Require(!rope.Enabled && rope.IsSleeping, "out of the world");
                rope.Enabled = true;
            }
        }

        private static void ObjectsComeAndGo()
        {
            using (var context = new Context(Convention.Unity))
            {
                for (var i = 0; i < 200; i++)
                {
                    using (var world = new World(context))
                    using (Rope(world, Support.Clamped))
                    {
                        world.Step(1.0 / 60);
                    }
                }
            }
        }

        public static int Main(string[] arguments)
        {
            if (arguments.Length == 2 && arguments[0] == "layouts")
            {
                using (var to = new StreamWriter(arguments[1]))
                {
                    to.NewLine = "\n";
                    Layouts.Print(to);
                }
                return 0;
            }
            var tests = new Dictionary<string, Action>
            {
                { "a rope swings", ARopeSwings },
                { "state goes back", StateGoesBack },
                { "assets come back", AssetsComeBack },
                { "a mesh becomes a muscle", AMeshBecomesAMuscle },
                { "errors carry the message", ErrorsCarryTheMessage },
                { "a context takes all with it", AContextTakesAllWithIt },
                { "callbacks arrive", CallbacksArrive },
                { "spans have strides", SpansHaveStrides },
                { "people fall", PeopleFall },
                { "frames make no garbage", FramesMakeNoGarbage },
                { "objects come and go", ObjectsComeAndGo },
                { "ropes jump", RopesJump },
                { "points follow a surface", PointsFollowASurface },
                { "a rope lies on a mesh", ARopeLiesOnAMesh },
                { "rods are moved as a whole", RodsAreMovedAsAWhole },
                { "rods are changed", RodsAreChanged },
            };
            var failed = 0;
            foreach (var test in tests)
            {
                try
                {
                    test.Value();
                    Console.WriteLine("ok     " + test.Key);
                }
                catch (Exception e)
                {
                    failed++;
                    Console.WriteLine("FAILED " + test.Key + ": " + e);
                }
            }
            return failed == 0 ? 0 : 1;
        }
    }

    /// <summary>Bytes that this thread has allocated so far.</summary>
    internal static class Garbage
    {
        private static readonly Func<long> Exact = Find();

        private static Func<long> Find()
        {
            var method = typeof(GC).GetMethod("GetAllocatedBytesForCurrentThread", Type.EmptyTypes);
            return method == null ? null : (Func<long>)Delegate.CreateDelegate(typeof(Func<long>), method);
        }

        public static string How
        {
            get { return Exact == null ? "by the heap" : "by the thread's allocations"; }
        }

        public static long Allocated()
        {
            return Exact == null ? GC.GetTotalMemory(false) : Exact();
        }
    }
}
