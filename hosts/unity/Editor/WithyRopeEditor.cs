using UnityEditor;
using UnityEngine;

namespace Withy.Unity.Editor
{
    /// <summary>The fields, and what does not fit together.</summary>
    [CustomEditor(typeof(WithyRope))]
    [CanEditMultipleObjects]
    internal sealed class WithyRopeEditor : UnityEditor.Editor
    {
        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            if (targets.Length != 1)
            {
                return;
            }
            var rope = (WithyRope)target;
            if (rope.end == null)
            {
                EditorGUILayout.HelpBox("It has no end: it hangs free.", MessageType.Info);
            }
            else if (rope.end == rope.transform)
            {
                EditorGUILayout.HelpBox("Its end is this object itself. Drag another one into End.", MessageType.Warning);
            }
            else
            {
                var distance = (rope.end.position - rope.transform.position).magnitude;
                if (distance > rope.length)
                {
                    EditorGUILayout.HelpBox("Its ends are " + distance.ToString("0.00") + " m apart: with a Length of less it is stretched.",
                        MessageType.Warning);
                }
            }
            if (rope.length < rope.segments * rope.radius)
            {
                EditorGUILayout.HelpBox("Its segments are shorter than it is thick. Use fewer Segments, or a smaller Radius.", MessageType.Warning);
            }
            if (rope.GetComponent<LineRenderer>() == null)
            {
                EditorGUILayout.HelpBox("It is not drawn: this object has no Line Renderer.", MessageType.Info);
            }
        }
    }
}
