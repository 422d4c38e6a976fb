using UnityEditor;
using UnityEngine;

namespace Withy.Unity.Editor
{
    /// <summary>GameObject > withy: objects that play as they are. One step to undo each.</summary>
    internal static class WithyMenu
    {
        private const string Menu = "GameObject/withy/";

        private static void Made(GameObject made, GameObject under)
        {
            GameObjectUtility.SetParentAndAlign(made, under);
            Undo.RegisterCreatedObjectUndo(made, "Create " + made.name);
            Selection.activeObject = made;
        }

        /// <summary>What was clicked at, or, from the menu bar, what is selected.</summary>
        private static GameObject On(MenuCommand command)
        {
            var on = command.context as GameObject;
            return on != null ? on : Selection.activeGameObject;
        }

        private static GameObject Child(GameObject of, string name)
        {
            var child = new GameObject(name);
            GameObjectUtility.SetParentAndAlign(child, of);
            return child;
        }

        /// <summary>What lines are drawn with: the material of Unity's own line renderers.</summary>
        private static Material LineMaterial()
        {
            return AssetDatabase.GetBuiltinExtraResource<Material>("Default-Line.mat");
        }

        [MenuItem(Menu + "Rope", false, 10)]
        private static void Rope(MenuCommand command)
        {
            var made = new GameObject("Rope");
            var line = made.AddComponent<LineRenderer>();
            line.widthMultiplier = 0.01f;
            line.sharedMaterial = LineMaterial();
            var rope = made.AddComponent<WithyRope>();
            rope.end = Child(made, "End").transform;
            Made(made, command.context as GameObject);
            rope.end.position = made.transform.position + made.transform.rotation * new Vector3(1.5f, 0, 0);
        }

        /// <summary>On the mesh of the object that is selected; else on a ball.</summary>
        [MenuItem(Menu + "Hair", false, 11)]
        private static void Hair(MenuCommand command)
        {
            var head = On(command);
            var skin = head == null ? null : head.GetComponent<SkinnedMeshRenderer>();
            var mesh = head == null ? null : head.GetComponent<MeshFilter>();
            if (skin != null || (mesh != null && mesh.sharedMesh != null))
            {
                var made = new GameObject("Hair");
                Made(made, head);
                Hang(made, skin, mesh);
                return;
            }
            var ball = GameObject.CreatePrimitive(PrimitiveType.Sphere);
            ball.name = "Head";
            Made(ball, command.context as GameObject);
            ball.transform.localScale = new Vector3(0.2f, 0.2f, 0.2f);
            ball.AddComponent<WithyCollider>();
            Hang(Child(ball, "Hair"), null, ball.GetComponent<MeshFilter>());
        }

        private static void Hang(GameObject on, SkinnedMeshRenderer skin, MeshFilter mesh)
        {
            // While it plays fields are read when the component is enabled.
            on.SetActive(false);
            on.AddComponent<MeshFilter>();
            on.AddComponent<MeshRenderer>().sharedMaterial = LineMaterial();
            var hair = on.AddComponent<WithyHair>();
            // Of its length hair on top of a head holds its pose only if it comes down again.
            hair.droop = 1;
            hair.surface = skin;
            hair.scalp = skin != null ? null : mesh.sharedMesh;
            on.SetActive(true);
        }

        [MenuItem(Menu + "Ragdoll", true)]
        private static bool CanRagdoll()
        {
            return Selection.activeGameObject != null && Selection.activeGameObject.GetComponent<WithyRagdoll>() == null;
        }

        /// <summary>On the character that is selected.</summary>
        [MenuItem(Menu + "Ragdoll", false, 12)]
        private static void Ragdoll(MenuCommand command)
        {
            var character = On(command);
            if (character == null)
            {
                return;
            }
            var ragdoll = Undo.AddComponent<WithyRagdoll>(character);
            var animator = character.GetComponent<Animator>();
            if (animator != null && animator.isHuman)
            {
                ragdoll.root = animator.GetBoneTransform(HumanBodyBones.Hips);
            }
            Selection.activeObject = character;
        }

        /// <summary>Of the collider or skinned mesh that is selected; else a floor.</summary>
        [MenuItem(Menu + "Collider", false, 13)]
        private static void Collider(MenuCommand command)
        {
            var of = On(command);
            if (of != null && of.GetComponent<WithyCollider>() == null && HasForm(of))
            {
                Undo.AddComponent<WithyCollider>(of);
                Selection.activeObject = of;
                return;
            }
            var made = new GameObject("Floor");
            made.AddComponent<WithyCollider>();
            Made(made, command.context as GameObject);
        }

        private static bool HasForm(GameObject of)
        {
            ColliderForm form;
            return ColliderForm.Of(of.transform, out form) || of.GetComponent<SkinnedMeshRenderer>() != null;
        }
    }
}
