using System;
using System.Collections.Generic;
using UnityEngine;

namespace Withy.Unity
{
    /// <summary>A skinned mesh as it is now, in the world. It is baked once a step, however many follow it.</summary>
    internal sealed unsafe class BakedMesh
    {
        private static readonly List<BakedMesh> All = new List<BakedMesh>();

        private readonly SkinnedMeshRenderer renderer;
        private readonly Mesh source, baked;
        private readonly List<Vector3> places;
        private int users, step;

        /// <summary>The vertices, world.</summary>
        public readonly Pinned<Vector3> Points;

        /// <summary>Three vertices a triangle.</summary>
        public readonly uint[] Triangles;

        /// <summary>As it is now; the same for all who ask for this renderer. To be released.</summary>
        public static BakedMesh Of(SkinnedMeshRenderer renderer)
        {
            if (renderer.sharedMesh == null)
            {
                throw new InvalidOperationException("the skinned mesh renderer " + renderer.name + " has no mesh");
            }
            BakedMesh found = null;
            for (var i = 0; i < All.Count; i++)
            {
                if (All[i].renderer == renderer && All[i].IsCurrent)
                {
                    found = All[i];
                }
            }
            if (found == null)
            {
                found = new BakedMesh(renderer);
                All.Add(found);
            }
            found.users++;
            found.BakeNow();
            return found;
        }

        private BakedMesh(SkinnedMeshRenderer of)
        {
            renderer = of;
            source = of.sharedMesh;
            baked = new Mesh();
            renderer.BakeMesh(baked);
            var corners = baked.triangles;
            if (corners.Length == 0)
            {
                Discard(baked);
                throw new InvalidOperationException("the mesh of " + renderer.name + " has no triangles");
            }
            places = new List<Vector3>(baked.vertexCount);
            Points = new Pinned<Vector3>(new Vector3[baked.vertexCount], Format.F32);
            Triangles = new uint[corners.Length];
            for (var i = 0; i < corners.Length; i++)
            {
                Triangles[i] = (uint)corners[i];
            }
        }

        private static void Discard(Mesh mesh)
        {
            if (Application.isPlaying)
            {
                UnityEngine.Object.Destroy(mesh);
            }
            else
            {
                UnityEngine.Object.DestroyImmediate(mesh);
            }
        }

        /// <summary>False: the renderer has another mesh now, or is gone.</summary>
        public bool IsCurrent
        {
            get { return renderer != null && renderer.sharedMesh == source; }
        }

        /// <summary>Once a step; makes no garbage.</summary>
        public void Bake()
        {
            if (step != WithySimulation.Steps)
            {
                BakeNow();
            }
        }

        private void BakeNow()
        {
            step = WithySimulation.Steps;
            // Relative to the renderer's place and rotation, with the scale in it.
            renderer.BakeMesh(baked);
            baked.GetVertices(places);
            var at = renderer.transform.position;
            var turn = renderer.transform.rotation;
            var to = Points.Array;
            for (var i = 0; i < to.Length; i++)
            {
                to[i] = at + turn * places[i];
            }
        }

        /// <summary>Of the vertices, world.</summary>
        public Vector3[] Normals()
        {
            var normals = baked.normals;
            var turn = renderer.transform.rotation;
            for (var i = 0; i < normals.Length; i++)
            {
                normals[i] = turn * normals[i];
            }
            return normals;
        }

        public void Release()
        {
            users--;
            if (users == 0)
            {
                All.Remove(this);
                Points.Dispose();
                Discard(baked);
            }
        }
    }
}
