using UnityEditor;
using UnityEngine;

namespace Withy.Unity.Editor
{
    /// <summary>The fields, what Unity's ragdoll wizard left that is in the way, and buttons to try it while it plays.
    /// </summary>
    [CustomEditor(typeof(WithyRagdoll))]
    [CanEditMultipleObjects]
    internal sealed class WithyRagdollEditor : UnityEditor.Editor
    {
        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            if (targets.Length != 1)
            {
                return;
            }
            var ragdoll = (WithyRagdoll)target;
            if (ragdoll.IsSimulated)
            {
                if (GUILayout.Button("Release"))
                {
                    ragdoll.Release();
                }
                if (GUILayout.Button("Recover"))
                {
                    ragdoll.Recover(0.5f);
                }
                return;
            }
            var root = ragdoll.root != null ? ragdoll.root : ragdoll.transform;
            if (root.GetComponentsInChildren<CapsuleCollider>().Length + root.GetComponentsInChildren<BoxCollider>().Length
                + root.GetComponentsInChildren<SphereCollider>().Length == 0)
            {
                EditorGUILayout.HelpBox("No bone has a collider. Run GameObject > 3D Object > Ragdoll, or add them by hand.", MessageType.Warning);
            }
            var joints = root.GetComponentsInChildren<CharacterJoint>().Length;
            if (joints > 0)
            {
                EditorGUILayout.HelpBox(joints + " bones have a Character Joint, which Unity simulates, too. Remove them.", MessageType.Warning);
            }
            if ((ragdoll.spineFrom == null) != (ragdoll.spineTo == null))
            {
                EditorGUILayout.HelpBox("An elastic spine needs Spine From and Spine To.", MessageType.Warning);
            }
        }
    }
}
