using UnityEngine;

namespace Withy.Unity
{
    /// <summary>Ropes and hair slide on the sphere, capsule or box collider of the same object, or on its skinned mesh, or
    /// on its plane y = 0 if it has none of these. It follows the transform; the size of a collider is that of the moment
    /// when it is enabled. A skinned mesh bends as it is animated, and is felt from its front; ragdolls do not meet it.
    /// </summary>
    [AddComponentMenu("withy/Collider")]
    public sealed unsafe class WithyCollider : WithyPart
    {
        [Tooltip("Coulomb's coefficient. A contact has the geometric mean of both sides.")]
        [Range(0, 10)]
        public float friction = 0.5f;

        [Tooltip("A move by more than this in one step, m, is a jump and drags nothing along.")]
        [Min(0)]
        public float teleportDistance = 2;

        private Withy.Collider shape;
        private Vector3 center, last;
        private Quaternion turn;
        private BakedMesh skin;
        private TriangleMesh mesh;

        protected override void Make(WithySimulation simulation)
        {
            ColliderForm form;
            var formed = ColliderForm.Of(this, out form);
            var skinned = GetComponent<SkinnedMeshRenderer>();
            if (!formed && skinned != null)
            {
                MakeMesh(simulation, skinned);
                return;
            }
            var def = WithyColliderDef.Default();
            def.shape = formed ? form.Shape : Shape.Plane;
            def.radius = form.Radius;
            def.half_height = form.HalfHeight;
            def.half_extents = Convert.ToWithy(form.HalfExtents);
            center = form.Center;
            turn = form.Turn;
            def.friction = friction;
            last = Place();
            def.pose = new WithyPose(Convert.ToWithy(last), Convert.ToWithy(transform.rotation * turn));
            shape = new Withy.Collider(simulation.World, def);
        }

        private void MakeMesh(WithySimulation simulation, SkinnedMeshRenderer skinned)
        {
            skin = BakedMesh.Of(skinned);
            last = skin.Points.Array[0];
            var def = WithyMeshDef.Default();
            def.flags = MeshFlags.Collides;
            def.friction = friction;
            def.positions = skin.Points.Span(3);
            fixed (uint* corners = skin.Triangles)
            {
                def.triangles = new WithySpan(corners, skin.Triangles.Length / 3);
                mesh = new TriangleMesh(simulation.World, def);
            }
        }

        private Vector3 Place()
        {
            return transform.TransformPoint(center);
        }

        protected override void BeforeStep()
        {
            if (skin != null)
            {
                if (!skin.IsCurrent)
                {
                    Rebuild();
                    return;
                }
                skin.Bake();
                var first = skin.Points.Array[0];
                var positions = skin.Points.Span(3);
                mesh.SetPositions(&positions, (first - last).magnitude > teleportDistance);
                last = first;
                return;
            }
            var place = Place();
            var jumps = (place - last).magnitude > teleportDistance;
            last = place;
            shape.SetPose(new WithyPose(Convert.ToWithy(place), Convert.ToWithy(transform.rotation * turn)), jumps);
        }

        protected override void AfterStep()
        {
        }

        protected override void Destroyed()
        {
            // With a context that is gone it is gone, too.
            if (WithySimulation.Active != null)
            {
                if (shape != null)
                {
                    shape.Dispose();
                }
                if (mesh != null)
                {
                    mesh.Dispose();
                }
            }
            shape = null;
            mesh = null;
            if (skin != null)
            {
                skin.Release();
                skin = null;
            }
        }
    }
}
