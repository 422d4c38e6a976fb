using System;
using UnityEngine;

namespace Withy.Unity
{
    /// <summary>The sphere, capsule or box collider of an object, in metres and as Unity scales it.</summary>
    internal struct ColliderForm
    {
        public Shape Shape;
        public double Radius, HalfHeight;
        public Vector3 HalfExtents;

        /// <summary>In the object's own space, before its scale.</summary>
        public Vector3 Center;

        /// <summary>The library's capsule lies along y: the turn to where Unity's lies.</summary>
        public Quaternion Turn;

        /// <summary>m^3</summary>
        public double Volume;

        /// <summary>False: there is none of these colliders.</summary>
        public static bool Of(Component owner, out ColliderForm form)
        {
            form = new ColliderForm { Turn = Quaternion.identity };
            var signed = owner.transform.lossyScale;
            var scale = new Vector3(Mathf.Abs(signed.x), Mathf.Abs(signed.y), Mathf.Abs(signed.z));
            var sphere = owner.GetComponent<SphereCollider>();
            var capsule = owner.GetComponent<CapsuleCollider>();
            var box = owner.GetComponent<BoxCollider>();
            if (capsule != null)
            {
                const float half = 0.70710678f;
                var along = capsule.direction;
                form.Shape = Shape.Capsule;
                form.Radius = capsule.radius * Mathf.Max(scale[(along + 1) % 3], scale[(along + 2) % 3]);
                form.HalfHeight = Math.Max(0, 0.5 * capsule.height * scale[along] - form.Radius);
                form.Center = capsule.center;
                form.Turn = along == 0 ? new Quaternion(0, 0, -half, half)
                    : along == 2 ? new Quaternion(half, 0, 0, half) : Quaternion.identity;
                form.Volume = Math.PI * form.Radius * form.Radius * (2 * form.HalfHeight + 4.0 / 3 * form.Radius);
            }
            else if (sphere != null)
            {
                form.Shape = Shape.Sphere;
                form.Radius = sphere.radius * Mathf.Max(scale.x, Mathf.Max(scale.y, scale.z));
                form.Center = sphere.center;
                form.Volume = 4.0 / 3 * Math.PI * form.Radius * form.Radius * form.Radius;
            }
            else if (box != null)
            {
                form.Shape = Shape.Box;
                form.HalfExtents = new Vector3(box.size.x * scale.x, box.size.y * scale.y, box.size.z * scale.z) * 0.5f;
                form.Center = box.center;
                form.Volume = 8.0 * form.HalfExtents.x * form.HalfExtents.y * form.HalfExtents.z;
            }
            else
            {
                return false;
            }
            return true;
        }
    }
}
