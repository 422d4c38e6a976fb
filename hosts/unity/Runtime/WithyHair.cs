using UnityEngine;

namespace Withy.Unity
{
    /// <summary>Hair on this object: strands that are drawn as lines of the mesh of its MeshFilter, and follow its
    /// transform at the roots, or a skinned mesh. Strands come from <see cref="SetStrands"/>, or grow on the vertices of a
    /// scalp, or of the skinned mesh.</summary>
    [AddComponentMenu("withy/Hair")]
    public sealed unsafe class WithyHair : WithyPart
    {
        [Tooltip("Strands grow along the normals of this mesh, which lies as this object does. Must be readable.")]
        public Mesh scalp;

        [Tooltip("A skinned mesh that the roots follow as it bends. None: they follow this object. Hair grows on it without a scalp.")]
        public SkinnedMeshRenderer surface;

        [Tooltip("At most so many strands grow on the scalp.")]
        [Range(1, 20000)]
        public int strands = 500;

        [Tooltip("m")]
        [Min(1e-3f)]
        public float length = 0.2f;

        [Tooltip("Straight pieces of a strand.")]
        [Range(2, 200)]
        public int segments = 15;

        [Tooltip("How far the tips of grown strands bend down: 0 straight along the normal, 1 hanging.")]
        [Range(0, 1)]
        public float droop = 0.6f;

        [Tooltip("m: of a lock of a few hairs, which a strand stands for.")]
        [Min(1e-6f)]
        public float radius = 1e-4f;

        [Tooltip("Young's modulus, Pa. Hair has 4e9.")]
        [Min(1)]
        public float youngModulus = 4e9f;

        [Tooltip("1/s, the rate at which motion dies.")]
        [Range(0, 100)]
        public float damping = 4;

        [Tooltip("1/s, the rate at which it follows the air.")]
        [Range(0, 100)]
        public float drag = 3;

        [Tooltip("m/s, of the air.")]
        public Vector3 wind;

        [Tooltip("It starts in balance with gravity: it keeps its shape instead of sagging.")]
        public bool holdStartPose = true;

        [Tooltip("Distance that it keeps from colliders, m.")]
        [Min(0)]
        public float collisionRadius = 0.002f;

        [Tooltip("Coulomb's coefficient against colliders.")]
        [Range(0, 10)]
        public float friction = 0.5f;

        [Tooltip("A move of the object by more than this in one step, m, is a jump: the hair starts anew. On a surface it goes along.")]
        [Min(0)]
        public float teleportDistance = 1;

        [Tooltip("What SaveAsset gave: its strands and their rest shape, instead of those that grow.")]
        public TextAsset asset;

        private Vector3[] given;
        private int[] givenCounts;

        private Rods rods;
        private WithyRodsDef material;
        private bool searched;
        private Pinned<Vector3> points, roots;
        private Pinned<Quaternion> turns;
        private Vector3[] local, drawn;
        private int[] countsNow;
        private Quaternion turnAtStart;
        private Vector3 last;
        private Mesh lines;

        // On a surface: what binds the roots to it, which outlasts a time of being disabled, as the surface may be bent then.
        private BakedMesh skin;
        private Surface bound;
        private SkinnedMeshRenderer boundTo;
        private Mesh boundMesh;
        private Vector3[] boundRoots;
        private Quaternion turnAtBind, lastTurn;
        private Quaternion[] turnsAtStart;

        /// <summary>Places of all vertices, world, as of the last step; null while it is not simulated.</summary>
        public Vector3[] Points
        {
            get { return points == null ? null : points.Array; }
        }

        /// <summary>Strands of your own, root first, in the space of this object; null: they grow on the scalp.</summary>
        public void SetStrands(Vector3[] positions, int[] counts)
        {
            given = positions;
            givenCounts = counts;
            bound = null;
            Rebuild();
        }

        /// <summary>Strands and vertices that are simulated; 0: none.</summary>
        public int StrandCount
        {
            get { return rods == null ? 0 : rods.StrandCount; }
        }

        public int VertexCount
        {
            get { return rods == null ? 0 : rods.VertexCount; }
        }

        /// <summary>How well each strand holds the pose in which it started; empty if it is not simulated, or if its rest
        /// shape was not looked for.</summary>
        public WithyElasticReport[] ElasticReport()
        {
            return rods == null || !searched ? new WithyElasticReport[0] : rods.ElasticReport();
        }

        /// <summary>The strands as they began, in the space of this object, and the rest shape that holds them: an asset of
        /// withy, for a file that Unity takes as a TextAsset (.bytes). If it is not simulated, as it would begin now; so in
        /// the editor, too.</summary>
        public byte[] SaveAsset()
        {
            WithyElasticReport[] report;
            return SaveAsset(out report);
        }

        internal byte[] SaveAsset(out WithyElasticReport[] report)
        {
            if (rods != null)
            {
                report = ElasticReport();
                return Written();
            }
            var def = WithyContextDef.Default();
            def.convention = Convention.Unity;
            using (var context = new Context(def))
            using (var world = WithySimulation.NewWorld(context))
            {
                try
                {
                    Build(context, world);
                    report = ElasticReport();
                    return Written();
                }
                finally
                {
                    Destroyed();
                    if (!Application.isPlaying)
                    {
                        // In the editor it may be moved on its surface.
                        bound = null;
                    }
                }
            }
        }

        private byte[] Written()
        {
            var pose = new float[3 * local.Length];
            for (var i = 0; i < local.Length; i++)
            {
                pose[3 * i] = local[i].x;
                pose[3 * i + 1] = local[i].y;
                pose[3 * i + 2] = local[i].z;
            }
            var counts = new uint[countsNow.Length];
            for (var s = 0; s < counts.Length; s++)
            {
                counts[s] = (uint)countsNow[s];
            }
            return Asset.Write(new System.Collections.Generic.Dictionary<string, AssetChunk>
            {
                { "settings", new AssetChunk(Settings()) },
                { "counts", new AssetChunk(counts) },
                { "pose", new AssetChunk(pose, 3) },
                { "rest_shape", new AssetChunk(rods.SaveRestShape()) },
            });
        }

        /// <summary>What the rest shape was found for.</summary>
        private string Settings()
        {
            var round = System.Globalization.CultureInfo.InvariantCulture;
            return "{\"host\": \"unity\", \"radius\": " + radius.ToString("R", round) + ", \"young_modulus\": " +
                   youngModulus.ToString("R", round) + "}";
        }

        /// <summary>The strands of the asset.</summary>
        private static void Load(System.Collections.Generic.Dictionary<string, AssetChunk> chunks, out Vector3[] positions,
                                 out int[] counts)
        {
            AssetChunk pose, of;
            if (!chunks.TryGetValue("pose", out pose) || !chunks.TryGetValue("counts", out of) || pose.Columns != 3)
            {
                throw new System.InvalidOperationException("the asset is none of hair: it has no pose and counts");
            }
            var numbers = pose.Floats();
            positions = new Vector3[numbers.Length / 3];
            for (var i = 0; i < positions.Length; i++)
            {
                positions[i] = new Vector3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
            }
            var each = of.UInts();
            counts = new int[each.Length];
            for (var s = 0; s < counts.Length; s++)
            {
                counts[s] = (int)each[s];
            }
        }

        private void Grow(out Vector3[] positions, out int[] counts)
        {
            // A script that is reloaded makes empty arrays of none.
            if (given != null && given.Length > 0)
            {
                positions = given;
                counts = givenCounts;
                return;
            }
            Vector3[] at, along;
            if (scalp != null)
            {
                if (!scalp.isReadable)
                {
                    throw new System.InvalidOperationException("the scalp is not readable: set Read/Write in its import settings");
                }
                at = scalp.vertices;
                along = scalp.normals;
            }
            else if (skin != null)
            {
                at = (Vector3[])skin.Points.Array.Clone();
                along = skin.Normals();
                for (var i = 0; i < along.Length; i++)
                {
                    at[i] = transform.InverseTransformPoint(at[i]);
                    along[i] = transform.InverseTransformDirection(along[i]);
                }
            }
            else
            {
                throw new System.InvalidOperationException("it has neither strands nor a scalp");
            }
            if (along.Length != at.Length || at.Length == 0)
            {
                throw new System.InvalidOperationException("the scalp has no vertices or no normals");
            }
            var number = Mathf.Min(strands, at.Length);
            var down = transform.InverseTransformDirection(new Vector3(0, -1, 0)) * droop;
            positions = new Vector3[number * (segments + 1)];
            counts = new int[number];
            for (var s = 0; s < number; s++)
            {
                // Spread over the mesh.
                var v = (int)((long)s * at.Length / number);
                var p = at[v];
                counts[s] = segments + 1;
                // Straight up it would fold back on itself: there each strand leaves to a side of its own.
                var up = Mathf.Max(0, transform.TransformDirection(along[v]).y);
                var side = new Vector3(Mathf.Cos(2.4f * s), 0, Mathf.Sin(2.4f * s)) * (0.4f * up * up * droop);
                var leave = along[v] + transform.InverseTransformDirection(side);
                for (var i = 0; i <= segments; i++)
                {
                    positions[s * (segments + 1) + i] = p;
                    var way = leave * (1 - droop * i / segments) + down * (i / (float)segments);
                    // In metres, whatever the object's scale.
                    p = p + transform.InverseTransformVector(
                        transform.TransformDirection(way.normalized) * (length / segments));
                }
            }
        }

        /// <summary>Binds the roots to the surface as it is now; those that were bound before are taken where it is now.</summary>
        private void Bind()
        {
            var n = roots.Array.Length;
            var holds = bound != null && boundTo == surface && boundMesh == surface.sharedMesh && boundRoots.Length == n;
            for (int s = 0, start = 0; s < n; start += countsNow[s], s++)
            {
                roots.Array[s] = points.Array[start];
                if (holds)
                {
                    Vector3 a = local[start], b = boundRoots[s];
                    holds = a.x == b.x && a.y == b.y && a.z == b.z;
                }
            }
            var positions = skin.Points.Span(3);
            var p = roots.Span(3);
            var q = turns.Span(4);
            if (!holds)
            {
                fixed (uint* corners = skin.Triangles)
                {
                    var triangles = new WithySpan(corners, skin.Triangles.Length / 3);
                    bound = new Surface(&positions, &triangles, &p);
                }
                boundTo = surface;
                boundMesh = surface.sharedMesh;
                turnAtBind = transform.rotation;
                boundRoots = new Vector3[n];
                for (int s = 0, start = 0; s < n; start += countsNow[s], s++)
                {
                    boundRoots[s] = local[start];
                }
            }
            bound.Follow(&positions, &p, &q);
            turnsAtStart = (Quaternion[])turns.Array.Clone();
            last = roots.Array[0];
            lastTurn = turns.Array[0];
            if (!holds)
            {
                return;
            }
            var back = turnAtBind * Quaternion.Inverse(transform.rotation);
            for (int s = 0, start = 0; s < n; start += countsNow[s], s++)
            {
                var turn = turns.Array[s] * back;
                var from = points.Array[start];
                for (var i = start; i < start + countsNow[s]; i++)
                {
                    points.Array[i] = roots.Array[s] + turn * (points.Array[i] - from);
                    local[i] = transform.InverseTransformPoint(points.Array[i]);
                }
            }
        }

        protected override void Make(WithySimulation simulation)
        {
            Build(simulation.Context, simulation.World);
            Lines(countsNow);
            Draw();
        }

        private void Build(Context context, World world)
        {
            skin = surface == null ? null : BakedMesh.Of(surface);
            int[] counts;
            var saved = asset == null ? null : Asset.Read(asset.bytes);
            if (saved == null)
            {
                Grow(out local, out counts);
            }
            else
            {
                Load(saved, out local, out counts);
            }
            // Found for another material it would not hold.
            AssetChunk settings, shape = null;
            var fits = saved != null && saved.TryGetValue("settings", out settings) && settings.Text == Settings();
            var holds = fits && saved.TryGetValue("rest_shape", out shape) && holdStartPose;
            countsNow = (int[])counts.Clone();
            points = new Pinned<Vector3>(new Vector3[local.Length], Format.F32);
            roots = new Pinned<Vector3>(new Vector3[counts.Length], Format.F32);
            turns = new Pinned<Quaternion>(new Quaternion[counts.Length], Format.F32);
            drawn = new Vector3[local.Length];
            turnAtStart = transform.rotation;
            last = transform.position;
            for (var i = 0; i < local.Length; i++)
            {
                points.Array[i] = transform.TransformPoint(local[i]);
            }
            if (skin != null)
            {
                // What was given stays as it is.
                local = (Vector3[])local.Clone();
                Bind();
            }
            var numbers = new uint[counts.Length];
            for (var s = 0; s < counts.Length; s++)
            {
                numbers[s] = (uint)counts[s];
            }
            var def = WithyRodsDef.Hair(context);
            if (!holdStartPose || holds)
            {
                def.flags &= ~RodsFlags.SagFree;
            }
            Describe(ref def);
            material = def;
            def.positions = points.Span(3);
            fixed (uint* n = numbers)
            {
                def.counts = new WithySpan(n, numbers.Length);
                rods = new Rods(world, def);
            }
            if (holds)
            {
                rods.LoadRestShape(shape.Data);
            }
            searched = holdStartPose && !holds;
        }

        private void Describe(ref WithyRodsDef def)
        {
            def.radius = radius;
            def.young_modulus = youngModulus;
            def.shear_modulus = youngModulus * 0.375;
            def.damping = damping;
            def.drag = drag;
            def.wind = Convert.ToWithy(wind);
            def.friction = friction;
            def.collision_radius = collisionRadius;
        }

        /// <summary>Fields that have changed since the last step take effect. The rest shape stays.</summary>
        private void ApplyMaterial()
        {
            var same = material.radius == radius && material.young_modulus == youngModulus && material.damping == damping &&
                       material.drag == drag && material.wind.x == wind.x && material.wind.y == wind.y &&
                       material.wind.z == wind.z && material.friction == friction && material.collision_radius == collisionRadius;
            if (!same)
            {
                Describe(ref material);
                Change(rods, material);
            }
        }

        /// <summary>The mesh of lines for the MeshFilter, if there is one.</summary>
        private void Lines(int[] counts)
        {
            var filter = GetComponent<MeshFilter>();
            if (filter == null)
            {
                return;
            }
            lines = new Mesh();
            lines.indexFormat = UnityEngine.Rendering.IndexFormat.UInt32;
            lines.MarkDynamic();
            lines.vertices = drawn;
            var indices = new int[2 * (local.Length - counts.Length)];
            int k = 0, start = 0;
            for (var s = 0; s < counts.Length; s++)
            {
                for (var i = 0; i + 1 < counts[s]; i++)
                {
                    indices[k++] = start + i;
                    indices[k++] = start + i + 1;
                }
                start += counts[s];
            }
            lines.SetIndices(indices, MeshTopology.Lines, 0);
            filter.sharedMesh = lines;
        }

        /// <summary>Where the surface has the roots now.</summary>
        private void FollowSurface()
        {
            if (!skin.IsCurrent)
            {
                Rebuild();
                return;
            }
            skin.Bake();
            var positions = skin.Points.Span(3);
            var p = roots.Span(3);
            var q = turns.Span(4);
            bound.Follow(&positions, &p, &q);
            Vector3 first = roots.Array[0];
            if ((first - last).magnitude > teleportDistance)
            {
                // As a whole with the first root, with its motion.
                var turn = turns.Array[0] * Quaternion.Inverse(lastTurn);
                rods.Teleport(new WithyPose(Convert.ToWithy(first - turn * last), Convert.ToWithy(turn)));
            }
            last = first;
            lastTurn = turns.Array[0];
            for (var s = 0; s < turns.Array.Length; s++)
            {
                turns.Array[s] = turns.Array[s] * Quaternion.Inverse(turnsAtStart[s]);
            }
            rods.SetRootPoses(&p, &q, false);
            ApplyMaterial();
        }

        protected override void BeforeStep()
        {
            if (skin != null)
            {
                FollowSurface();
                return;
            }
            if ((transform.position - last).magnitude > teleportDistance)
            {
                Rebuild();
                return;
            }
            last = transform.position;
            // How far the object has turned since the strands were made.
            var turn = transform.rotation * Quaternion.Inverse(turnAtStart);
            var start = 0;
            for (var s = 0; s < roots.Array.Length; s++)
            {
                roots.Array[s] = transform.TransformPoint(local[start]);
                turns.Array[s] = turn;
                start += countsNow[s];
            }
            var p = roots.Span(3);
            var q = turns.Span(4);
            rods.SetRootPoses(&p, &q, false);
            ApplyMaterial();
        }

        protected override void AfterStep()
        {
            var to = points.Span(3);
            rods.ReadPositions(&to);
            Draw();
        }

        private void Draw()
        {
            if (lines == null)
            {
                return;
            }
            for (var i = 0; i < drawn.Length; i++)
            {
                drawn[i] = transform.InverseTransformPoint(points.Array[i]);
            }
            lines.vertices = drawn;
            lines.RecalculateBounds();
        }

        protected override void Destroyed()
        {
            if (rods != null && WithySimulation.Active != null)
            {
                rods.Dispose();
            }
            rods = null;
            if (skin != null)
            {
                skin.Release();
                skin = null;
            }
            if (points != null)
            {
                points.Dispose();
                roots.Dispose();
                turns.Dispose();
                points = roots = null;
                turns = null;
            }
            if (lines != null)
            {
                Destroy(lines);
                lines = null;
            }
        }
    }
}
