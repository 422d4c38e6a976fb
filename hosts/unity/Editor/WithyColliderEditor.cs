using UnityEditor;
using UnityEngine;

namespace Withy.Unity.Editor
{
    /// <summary>The fields, and what shape it has.</summary>
    [CustomEditor(typeof(WithyCollider))]
    [CanEditMultipleObjects]
    internal sealed class WithyColliderEditor : UnityEditor.Editor
    {
        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            if (targets.Length != 1)
            {
                return;
            }
            var collider = (WithyCollider)target;
            ColliderForm form;
            if (ColliderForm.Of(collider, out form))
            {
                EditorGUILayout.LabelField("Shape", form.Shape.ToString());
            }
            else if (collider.GetComponent<SkinnedMeshRenderer>() != null)
            {
                EditorGUILayout.LabelField("Shape", "Skinned mesh");
            }
            else
            {
                EditorGUILayout.HelpBox("Without a sphere, capsule or box collider it is the whole plane y = 0 of this object.", MessageType.Info);
            }
        }
    }
}
