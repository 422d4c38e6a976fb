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
            var scale = transform.lossyScale;
            scale = new Vector3(Mathf.Abs(scale.x), Mathf.Abs(scale.y), Mathf.Abs(scale.z));
            center = new Vector3(0, 0, 0);
            turn = Quaternion.identity;
            var sphere = GetComponent<SphereCollider>();
            var capsule = GetComponent<CapsuleCollider>();
            var box = GetComponent<BoxCollider>();
            // As Unity scales them.
            if (sphere != null)
            {
                def.shape = Shape.Sphere;
                def.radius = sphere.radius * Mathf.Max(scale.x, Mathf.Max(scale.y, scale.z));
                center = sphere.center;
            }
            else if (capsule != null)
            {
                var along = capsule.direction;
                var across = Mathf.Max(scale[(along + 1) % 3], scale[(along + 2) % 3]);
                def.shape = Shape.Capsule;
                def.radius = capsule.radius * across;
                def.half_height = Mathf.Max(0, 0.5f * capsule.height * scale[along] - capsule.radius * across);
                center = capsule.center;
                turn = Along(along);
            }
            else if (box != null)
            {
                def.shape = Shape.Box;
                def.half_extents = new WithyVec3(
                    0.5 * box.size.x * scale.x, 0.5 * box.size.y * scale.y, 0.5 * box.size.z * scale.z);
                center = box.center;
            }
            else
            {
                def.shape = Shape.Plane;
            }
            def.friction = friction;
            last = Place();
            def.pose = new WithyPose(Convert.ToWithy(last), Convert.ToWithy(transform.rotation * turn));
            shape = new Withy.Collider(simulation.World, def);
        }

        /// <summary>The library's capsule lies along y: the turn to x (0), y (1) or z (2).</summary>
        internal static Quaternion Along(int axis)
        {
            const float half = 0.70710678f;
            return axis == 0 ? new Quaternion(0, 0, -half, half)
                : axis == 2 ? new Quaternion(half, 0, 0, half) : Quaternion.identity;
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
