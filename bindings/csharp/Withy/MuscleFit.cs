using System;

namespace Withy
{
    /// <summary>Strands for a muscle, from its surface. Making them takes about a second.</summary>
    public sealed unsafe class MuscleFit
    {
        /// <param name="vertices">Three numbers a vertex of the mesh.</param>
        /// <param name="triangles">Three vertices a triangle.</param>
        /// <param name="def">Ends, strands and slices; what it says of the mesh is not looked at.</param>
        public MuscleFit(Context context, float[] vertices, uint[] triangles, WithyMuscleMeshDef def)
        {
            if (vertices.Length % 3 != 0 || triangles.Length % 3 != 0)
            {
                throw new ArgumentException("three numbers a vertex and three a triangle are needed");
            }
            fixed (float* v = vertices)
            fixed (uint* t = triangles)
            {
                def.positions = new WithySpan(v, vertices.Length / 3);
                def.triangles = new WithySpan(t, triangles.Length / 3);
                Make(context, &def);
            }
        }

        /// <param name="def">With the spans of the mesh.</param>
        public MuscleFit(Context context, WithyMuscleMeshDef def)
        {
            Make(context, &def);
        }

        private void Make(Context context, WithyMuscleMeshDef* def)
        {
            var points = new WithySpan((float*)null, 0);
            Check.Ok(Native.withy_muscle_fit_mesh(context.Handle, def, &points, null, null));
            Positions = new float[3 * points.count];
            Radii = new float[points.count];
            Strands = def->strands;
            WithyMuscleFit report;
            fixed (float* p = Positions)
            fixed (float* r = Radii)
            {
                points = new WithySpan(p, Radii.Length);
                var radii = new WithySpan(r, Radii.Length);
                Check.Ok(Native.withy_muscle_fit_mesh(context.Handle, def, &points, &radii, &report));
            }
            Report = report;
        }

        /// <summary>Three numbers a vertex, strand after strand, each from the origin to the insertion.</summary>
        public float[] Positions { get; private set; }

        /// <summary>One number a vertex.</summary>
        public float[] Radii { get; private set; }

        public uint Strands { get; private set; }

        /// <summary>How well the strands stand for the mesh, and what was repaired.</summary>
        public WithyMuscleFit Report { get; private set; }

        /// <summary>A muscle of these strands.</summary>
        /// <param name="def">Bodies, material and mode; what it says of strands is not looked at.</param>
        public Rods Muscle(World world, WithyMuscleDef def)
        {
            fixed (float* p = Positions)
            fixed (float* r = Radii)
            {
                def.positions = new WithySpan(p, Radii.Length);
                def.radii = new WithySpan(r, Radii.Length);
                def.strands = Strands;
                return new Rods(world, def);
            }
        }
    }
}
