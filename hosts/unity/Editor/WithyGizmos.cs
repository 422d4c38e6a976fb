using UnityEditor;
using UnityEngine;

namespace Withy.Unity.Editor
{
    /// <summary>What is selected, as the library has it.</summary>
    internal static class WithyGizmos
    {
        private const GizmoType When = GizmoType.Selected | GizmoType.Active;
        private static readonly Color Colour = new Color(0.35f, 0.9f, 0.55f);

        /// <summary>The radii and extents, in metres as the scale makes them; of a floor a piece, with its normal.</summary>
        [DrawGizmo(When)]
        private static void Collider(WithyCollider collider, GizmoType type)
        {
            Gizmos.color = Colour;
            var at = collider.transform;
            ColliderForm form;
            if (!ColliderForm.Of(collider, out form))
            {
                if (collider.GetComponent<SkinnedMeshRenderer>() == null)
                {
                    Floor(at.position, at.rotation);
                }
                return;
            }
            var centre = at.TransformPoint(form.Center);
            var turn = at.rotation * form.Turn;
            var radius = (float)form.Radius;
            if (form.Shape == Shape.Box)
            {
                Box(centre, turn, form.HalfExtents);
            }
            else if (form.Shape == Shape.Sphere)
            {
                Gizmos.DrawWireSphere(centre, radius);
            }
            else
            {
                var up = turn * new Vector3(0, (float)form.HalfHeight, 0);
                Gizmos.DrawWireSphere(centre + up, radius);
                Gizmos.DrawWireSphere(centre - up, radius);
                for (var i = 0; i < 4; i++)
                {
                    var side = turn * new Vector3(i == 0 ? radius : i == 1 ? -radius : 0, 0, i == 2 ? radius : i == 3 ? -radius : 0);
                    Gizmos.DrawLine(centre - up + side, centre + up + side);
                }
            }
        }

        private static void Floor(Vector3 at, Quaternion turn)
        {
            for (var i = -2; i <= 2; i++)
            {
                Gizmos.DrawLine(at + turn * new Vector3(i, 0, -2), at + turn * new Vector3(i, 0, 2));
                Gizmos.DrawLine(at + turn * new Vector3(-2, 0, i), at + turn * new Vector3(2, 0, i));
            }
            Gizmos.DrawLine(at, at + turn * new Vector3(0, 0.5f, 0));
        }

        private static void Box(Vector3 centre, Quaternion turn, Vector3 half)
        {
            for (var corner = 0; corner < 8; corner++)
            {
                for (var axis = 0; axis < 3; axis++)
                {
                    if ((corner & 1 << axis) == 0)
                    {
                        Gizmos.DrawLine(centre + turn * Corner(half, corner), centre + turn * Corner(half, corner | 1 << axis));
                    }
                }
            }
        }

        private static Vector3 Corner(Vector3 half, int corner)
        {
            return new Vector3((corner & 1) == 0 ? -half.x : half.x, (corner & 2) == 0 ? -half.y : half.y, (corner & 4) == 0 ? -half.z : half.z);
        }

        /// <summary>Where it starts; while it plays, where it is, if nothing else draws it.</summary>
        [DrawGizmo(When)]
        private static void Rope(WithyRope rope, GizmoType type)
        {
            var points = rope.Points;
            if (points == null)
            {
                if (rope.segments < 1)
                {
                    return;
                }
                points = new Vector3[rope.segments + 1];
                rope.StartCurve(points);
            }
            else if (rope.GetComponent<LineRenderer>() != null)
            {
                return;
            }
            Gizmos.color = Colour;
            for (var i = 0; i + 1 < points.Length; i++)
            {
                Gizmos.DrawLine(points[i], points[i + 1]);
            }
            Gizmos.DrawWireSphere(points[0], rope.radius);
            Gizmos.DrawWireSphere(points[points.Length - 1], rope.radius);
        }
    }
}
