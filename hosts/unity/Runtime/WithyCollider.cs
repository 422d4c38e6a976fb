using UnityEngine;

namespace Withy.Unity
{
    /// <summary>Ropes and hair slide on the sphere, capsule or box collider of the same object, or on its plane y = 0 if
    /// it has none. It follows the transform; its size is that of the moment when it is enabled.</summary>
    [AddComponentMenu("withy/Collider")]
    public sealed class WithyCollider : WithyPart
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

        protected override void Make(WithySimulation simulation)
        {
            var def = WithyColliderDef.Default();
            ColliderForm form;
            def.shape = ColliderForm.Of(this, out form) ? form.Shape : Shape.Plane;
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

        private Vector3 Place()
        {
            return transform.TransformPoint(center);
        }

        protected override void BeforeStep()
        {
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
            if (shape != null && WithySimulation.Active != null)
            {
                shape.Dispose();
            }
            shape = null;
        }
    }
}
