using UnityEngine;

namespace Withy.Unity
{
    /// <summary>A rope from this object to another, or with a free end. Its line is drawn by a LineRenderer of the same
    /// object, if there is one.</summary>
    [AddComponentMenu("withy/Rope")]
    public sealed unsafe class WithyRope : WithyPart
    {
        [Tooltip("What holds the other end. None: it hangs free.")]
        public Transform end;

        [Tooltip("m. At least the distance of the ends.")]
        [Min(0.01f)]
        public float length = 2;

        [Tooltip("Straight pieces that it is made of.")]
        [Range(2, 500)]
        public int segments = 30;

        [Tooltip("m")]
        [Min(1e-4f)]
        public float radius = 0.005f;

        [Tooltip("kg/m^3")]
        [Min(1)]
        public float density = 1000;

        [Tooltip("Young's modulus of its bending, Pa: 1e7 is a climbing rope, 1e9 stiff wire.")]
        [Min(1)]
        public float bendModulus = 1e7f;

        [Tooltip("Young's modulus of its stretching, Pa.")]
        [Min(1)]
        public float stretchModulus = 1e9f;

        [Tooltip("1/s, the rate at which its motion dies.")]
        [Range(0, 100)]
        public float damping = 0.5f;

        [Tooltip("Coulomb's coefficient against colliders.")]
        [Range(0, 10)]
        public float friction = 0.6f;

        [Tooltip("A move of an end by more than this in one step, m, rebuilds the rope.")]
        [Min(0)]
        public float teleportDistance = 2;

        private Rods rods;
        private WithyRodsDef material;
        private Pinned<Vector3> points;
        private LineRenderer line;
        private Vector3 lastStart, lastEnd;
        private bool tied;

        /// <summary>Places of the rope, world, as of the last step; null while it is not simulated.</summary>
        public Vector3[] Points
        {
            get { return points == null ? null : points.Array; }
        }

        protected override void Make(WithySimulation simulation)
        {
            var count = segments + 1;
            points = new Pinned<Vector3>(new Vector3[count], Format.F32);
            tied = end != null;
            lastStart = transform.position;
            lastEnd = End();
            Lay(lastStart, lastEnd, length, points.Array);
            var def = WithyRodsDef.Rope(simulation.Context);
            var vertices = (uint)count;
            Describe(ref def);
            def.root = Support.Pinned;
            def.tip = tied ? Support.Pinned : Support.Free;
            material = def;
            def.positions = points.Span(3);
            def.counts = new WithySpan(&vertices, 1);
            // Straight, and as long as asked for, wherever it lies now.
            var straight = new Vector3[count];
            for (var i = 0; i < count; i++)
            {
                straight[i] = new Vector3(0, -length * i / segments, 0);
            }
            fixed (Vector3* rest = straight)
            {
                def.rest_shape = Rest.FromPose;
                def.rest_positions = new WithySpan((float*)rest, count);
                rods = new Rods(simulation.World, def);
            }
            line = GetComponent<LineRenderer>();
            if (line != null)
            {
                line.useWorldSpace = true;
                line.positionCount = count;
            }
            Draw();
        }

        private void Describe(ref WithyRodsDef def)
        {
            def.radius = radius;
            def.density = density;
            def.young_modulus = bendModulus;
            def.shear_modulus = bendModulus / 3.0;
            def.stretch_modulus = stretchModulus;
            def.damping = damping;
            def.friction = friction;
        }

        /// <summary>Fields that have changed since the last step take effect.</summary>
        private void ApplyMaterial()
        {
            var same = material.radius == radius && material.density == density && material.young_modulus == bendModulus &&
                       material.stretch_modulus == stretchModulus && material.damping == damping && material.friction == friction;
            if (!same)
            {
                Describe(ref material);
                Change(rods, material);
            }
        }

        private Vector3 End()
        {
            return end != null ? end.position : transform.position + new Vector3(0, -length, 0);
        }

        /// <summary>Where it starts if it is enabled now, world.</summary>
        internal void StartCurve(Vector3[] to)
        {
            Lay(transform.position, End(), length, to);
        }

        /// <summary>Along the parabola between two ends that has this length, in pieces of the same length.</summary>
        private static void Lay(Vector3 start, Vector3 end, float length, Vector3[] to)
        {
            const int fine = 1000;
            var pieces = to.Length - 1;
            float least = 0, most = length;
            for (var k = 0; k < 40; k++)
            {
                var middle = 0.5f * (least + most);
                if (Along(start, end, middle, fine) < length)
                {
                    least = middle;
                }
                else
                {
                    most = middle;
                }
            }
            var piece = Along(start, end, least, fine) / pieces;
            float gone = 0;
            var i = 0;
            var from = start;
            to[0] = start;
            for (var k = 1; k <= fine; k++)
            {
                var next = Parabola(start, end, least, k / (float)fine);
                var step = (next - from).magnitude;
                while (i + 1 < pieces && gone + step >= (i + 1) * piece)
                {
                    i++;
                    to[i] = from + (next - from) * ((i * piece - gone) / step);
                }
                gone += step;
                from = next;
            }
            to[pieces] = end;
        }

        private static Vector3 Parabola(Vector3 start, Vector3 end, float sag, float t)
        {
            return start + (end - start) * t + new Vector3(0, -4 * sag * t * (1 - t), 0);
        }

        private static float Along(Vector3 start, Vector3 end, float sag, int fine)
        {
            float sum = 0;
            var from = start;
            for (var k = 1; k <= fine; k++)
            {
                var next = Parabola(start, end, sag, k / (float)fine);
                sum += (next - from).magnitude;
                from = next;
            }
            return sum;
        }

        protected override void BeforeStep()
        {
            var start = transform.position;
            var tip = tied && end != null ? end.position : lastEnd;
            var jumps = (start - lastStart).magnitude > teleportDistance
                || (tied && (tip - lastEnd).magnitude > teleportDistance);
            // A tie that was set or destroyed since.
            if (jumps || tied != (end != null))
            {
                Rebuild();
                return;
            }
            lastStart = start;
            var root = new WithySpan((float*)&start, 1);
            rods.SetRootPoses(&root, null, false);
            if (tied)
            {
                lastEnd = tip;
                var other = new WithySpan((float*)&tip, 1);
                rods.SetTipPoses(&other, null, false);
            }
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
            if (line != null)
            {
                line.SetPositions(points.Array);
            }
        }

        protected override void Destroyed()
        {
            if (rods != null && WithySimulation.Active != null)
            {
                rods.Dispose();
            }
            rods = null;
            if (points != null)
            {
                points.Dispose();
                points = null;
            }
        }
    }
}
