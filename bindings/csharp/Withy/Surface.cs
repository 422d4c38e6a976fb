using System;

namespace Withy
{
    /// <summary>Points bound to the nearest triangles of a mesh: roots of hair on a skinned scalp. Mesh positions go
    /// in, places and turns for <see cref="Rods.SetRootPoses(float[], float[], bool)"/> come out. It belongs to no
    /// world; lengths are in any unit. <see cref="Positions"/>, <see cref="Corners"/> and <see cref="Coordinates"/> are
    /// all that binds the points: saved, and given to the other constructor, they do so again.</summary>
    public sealed unsafe class Surface
    {
        /// <summary>Binds each point to the triangle nearest to it.</summary>
        /// <param name="positions">Three numbers a vertex of the mesh.</param>
        /// <param name="triangles">Three vertices a triangle.</param>
        /// <param name="points">Three numbers a point, near the mesh.</param>
        public Surface(float[] positions, uint[] triangles, float[] points)
        {
            Whole(positions.Length, "positions");
            Whole(triangles.Length, "triangles");
            Whole(points.Length, "points");
            fixed (float* p = positions, x = points)
            fixed (uint* t = triangles)
            {
                var ps = new WithySpan(p, positions.Length / 3);
                var ts = new WithySpan(t, triangles.Length / 3);
                var xs = new WithySpan(x, points.Length / 3);
                Bind(&ps, &ts, &xs);
            }
        }

        public Surface(WithySpan* positions, WithySpan* triangles, WithySpan* points)
        {
            Bind(positions, triangles, points);
        }

        /// <summary>From what another one had.</summary>
        public Surface(double[] positions, uint[] corners, double[] coordinates)
        {
            Whole(positions.Length, "positions");
            Whole(corners.Length, "corners");
            Whole(coordinates.Length, "coordinates");
            Positions = positions;
            Corners = corners;
            Coordinates = coordinates;
            // Refused here, and not in the first frame.
            fixed (double* data = positions)
            {
                var now = new WithySpan(data, positions.Length / 3);
                Follow(&now, null, null);
            }
        }

        private static void Whole(int length, string name)
        {
            if (length % 3 != 0)
            {
                throw new ArgumentException("3 numbers an entry are needed", name);
            }
        }

        private void Bind(WithySpan* positions, WithySpan* triangles, WithySpan* points)
        {
            var corners = new WithySpan((uint*)null, 0);
            var coordinates = new WithySpan((double*)null, 0);
            // Looks at the arrays, and counts the points.
            Check.Ok(Native.withy_surface_bind(positions, triangles, points, &corners, &coordinates));
            Corners = new uint[3 * corners.count];
            Coordinates = new double[3 * corners.count];
            fixed (uint* c = Corners)
            fixed (double* x = Coordinates)
            {
                corners = new WithySpan(c, Corners.Length / 3);
                coordinates = new WithySpan(x, Coordinates.Length / 3);
                Check.Ok(Native.withy_surface_bind(positions, triangles, points, &corners, &coordinates));
            }
            Positions = new double[3 * positions->count];
            var wide = positions->format == Format.F64;
            var stride = positions->stride != 0 ? (long)positions->stride : wide ? 24 : 12;
            for (var i = 0; i < Positions.Length; i++)
            {
                var at = (byte*)positions->data + i / 3 * stride;
                Positions[i] = wide ? ((double*)at)[i % 3] : ((float*)at)[i % 3];
            }
        }

        /// <summary>The vertices that the points were bound to, three numbers each.</summary>
        public double[] Positions { get; private set; }

        /// <summary>The three corners of each point's triangle.</summary>
        public uint[] Corners { get; private set; }

        /// <summary>Three numbers a point: what the second and the third corner have of it, and how far it is before the
        /// triangle.</summary>
        public double[] Coordinates { get; private set; }

        public int VertexCount
        {
            get { return Positions.Length / 3; }
        }

        public int PointCount
        {
            get { return Corners.Length / 3; }
        }

        /// <summary>Where the points are, and how far they have turned since they were bound, where the vertices are
        /// there. Makes no garbage.</summary>
        /// <param name="positions">Three numbers a vertex.</param>
        /// <param name="points">To be written, three numbers a point; null: not wanted.</param>
        /// <param name="rotations">To be written, four numbers a point, xyzw; null: not wanted.</param>
        public void Follow(float[] positions, float[] points, float[] rotations)
        {
            Whole(positions.Length, "positions");
            fixed (float* p = positions, x = points, q = rotations)
            {
                var ps = new WithySpan(p, positions.Length / 3);
                var xs = new WithySpan(x, points == null ? 0 : points.Length / 3);
                var qs = new WithySpan(q, rotations == null ? 0 : rotations.Length / 4);
                Follow(&ps, points == null ? null : &xs, rotations == null ? null : &qs);
            }
        }

        /// <summary>The same with memory of any stride. Null: not wanted.</summary>
        public void Follow(WithySpan* positions, WithySpan* points, WithySpan* rotations)
        {
            fixed (double* b = Positions, x = Coordinates)
            fixed (uint* c = Corners)
            {
                var bind = new WithySpan(b, VertexCount);
                var corners = new WithySpan(c, PointCount);
                var coordinates = new WithySpan(x, Coordinates.Length / 3);
                Check.Ok(Native.withy_surface_follow(&bind, positions, &corners, &coordinates, points, rotations));
            }
        }
    }

    /// <summary>A mesh of triangles whose vertices the host moves: with <see cref="MeshFlags.Collides"/> strands do not
    /// go through it, as through a skinned head; strands can be tied to it.</summary>
    public sealed unsafe class TriangleMesh : IDisposable
    {
        private WithyMesh handle;

        /// <param name="def">With its arrays.</param>
        public TriangleMesh(World world, WithyMeshDef def)
        {
            Create(world, &def);
        }

        /// <param name="positions">Three numbers a vertex.</param>
        /// <param name="triangles">Three vertices a triangle.</param>
        public TriangleMesh(World world, float[] positions, uint[] triangles, WithyMeshDef def)
        {
            if (positions.Length % 3 != 0 || triangles.Length % 3 != 0)
            {
                throw new ArgumentException("three numbers a vertex and three a triangle are needed");
            }
            fixed (float* p = positions)
            fixed (uint* t = triangles)
            {
                def.positions = new WithySpan(p, positions.Length / 3);
                def.triangles = new WithySpan(t, triangles.Length / 3);
                Create(world, &def);
            }
        }

        private void Create(World world, WithyMeshDef* def)
        {
            WithyMesh made;
            Check.Ok(Native.withy_mesh_create(world.Handle, def, &made));
            handle = made;
        }

        public WithyMesh Handle
        {
            get { return handle; }
        }

        /// <summary>Where the vertices shall be at the end of the next step; with <paramref name="teleport"/> at once.</summary>
        /// <param name="positions">Three numbers a vertex.</param>
        public void SetPositions(float[] positions, bool teleport = false)
        {
            fixed (float* data = positions)
            {
                var span = new WithySpan(data, positions.Length / 3);
                SetPositions(&span, teleport);
            }
        }

        public void SetPositions(WithySpan* positions, bool teleport)
        {
            Check.Ok(Native.withy_mesh_set_positions(handle, positions, teleport ? 1u : 0u));
        }

        /// <summary>Three numbers a vertex, units.</summary>
        public void ReadPositions(float[] to)
        {
            fixed (float* data = to)
            {
                var span = new WithySpan(data, to.Length / 3);
                Check.Ok(Native.withy_mesh_read_positions(handle, &span));
            }
        }

        /// <summary>How far strands have pulled each vertex since <see cref="SetPositions(float[], bool)"/>, three numbers a
        /// vertex, units.</summary>
        public void ReadCorrections(float[] to)
        {
            fixed (float* data = to)
            {
                var span = new WithySpan(data, to.Length / 3);
                Check.Ok(Native.withy_mesh_read_corrections(handle, &span));
            }
        }

        public void Dispose()
        {
            if (!handle.IsNull)
            {
                Check.Ok(Native.withy_mesh_destroy(handle));
                handle = new WithyMesh();
            }
        }
    }
}
