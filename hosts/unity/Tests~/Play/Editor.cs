using System;
using System.IO;
using System.Linq;
using System.Reflection;
using UnityEditor;
using UnityEngine;
using Withy.Unity;
using Object = UnityEngine.Object;

/// <summary>Plays the editor's assembly on stubs of Unity's editor.</summary>
public static partial class Play
{
    private static readonly Assembly EditorAssembly = Assembly.Load("Withy.Unity.Editor");

    /// <summary>Chooses GameObject > withy > name, by a click at an object or from the menu bar. False: it is grey.</summary>
    private static bool Choose(string name, GameObject on, bool fromBar = false)
    {
        Selection.activeObject = on;
        MethodInfo item = null;
        foreach (var type in EditorAssembly.GetTypes())
        {
            foreach (var method in type.GetMethods(BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public))
            {
                foreach (MenuItem found in method.GetCustomAttributes(typeof(MenuItem), false))
                {
                    if (found.menuItem == "GameObject/withy/" + name)
                    {
                        if (!found.validate)
                        {
                            item = method;
                        }
                        else if (!(bool)method.Invoke(null, null))
                        {
                            return false;
                        }
                    }
                }
            }
        }
        item.Invoke(null, new object[] { new MenuCommand(fromBar ? null : on) });
        return true;
    }

    private static string[] Inspect(params Object[] targets)
    {
        return Inspect(Editor.CreateEditor(targets), null);
    }

    private static string[] Inspect(Editor editor, string press)
    {
        EditorGUILayout.Shown.Clear();
        GUILayout.Pressed = press;
        editor.OnInspectorGUI();
        GUILayout.Pressed = null;
        EditorApplication.Delayed();
        return EditorGUILayout.Shown.ToArray();
    }

    private static void Says(string[] shown, params string[] all)
    {
        foreach (var said in all)
        {
            Require(shown.Any(s => s.Contains(said)), "said: " + said + " in: " + string.Join("; ", shown));
        }
        Require(shown.Length == all.Length, "no more is said than " + string.Join("; ", shown));
    }

    private static void TheMenuMakesWhatPlays()
    {
        Scene.Stop();
        Require(Choose("Rope", null) && Choose("Hair", null) && Choose("Collider", null), "they can be chosen");
        var floor = Selection.activeGameObject;
        Require(floor.name == "Floor" && Undo.GetCurrentGroupName() == "Create Floor" && WithySimulation.Active == null, "a floor, not yet played");
        var rope = Object.FindObjectOfType<WithyRope>();
        var hair = Object.FindObjectOfType<WithyHair>();
        Require(rope.end.parent == rope.transform && hair.transform.parent.name == "Head", "they are children");
        rope.transform.position = new Vector3(0, 1, 0);
        rope.end.position = new Vector3(1.5f, 1, 0);
        hair.transform.parent.position = hair.transform.position = new Vector3(0, 3, 0);
        Scene.Play();
        Require(rope.IsSimulated && hair.IsSimulated && WithySimulation.Active != null, "they play");
        Frames(300);
        Require((rope.Points[30] - rope.end.position).magnitude < 1e-4f && Math.Abs(rope.Points[15].y - 0.41f) < 0.03f, "it hangs: " + rope.Points[15].y);
        Require((hair.Points[0] - hair.transform.position).magnitude < 0.1001f, "it grows on a ball of 0.1 m");
        var line = rope.GetComponent<LineRenderer>();
        Require(line.Shown.Length == 31 && line.sharedMaterial.name == "Default-Line.mat", "it is drawn");
        Require(hair.GetComponent<MeshFilter>().sharedMesh.Indices.Length > 0 && hair.GetComponent<MeshRenderer>().sharedMaterial != null, "it is drawn");
        // The rope falls on the floor once its end is gone.
        rope.length = 1.5f;
        Object.Destroy(rope.end.gameObject);
        Frames(300);
        Require(rope.Points[30].y > -0.01f && rope.Points[30].y < 0.05f, "it lies on the floor: " + rope.Points[30].y);
        Scene.Stop();
        Require(WithySimulation.Active == null && !rope.IsSimulated, "nothing plays in the editor");
        // One step back for each.
        var there = Scene.All.Count;
        Undo.PerformUndo();
        Require(floor == null && Scene.All.Count == there - 1, "the floor is gone");
        Undo.PerformUndo();
        Require(hair == null && Scene.All.All(o => o.name != "Head"), "the head is gone with its hair");
        Undo.PerformUndo();
        Require(rope == null, "the rope is gone");
        // While it plays.
        Scene.Play();
        Choose("Hair", null);
        Choose("Rope", null);
        Frames(10);
        hair = Object.FindObjectOfType<WithyHair>();
        Require(hair.IsSimulated && Object.FindObjectOfType<WithyRope>().IsSimulated, "it plays at once");
        Require((hair.Points[0] - hair.transform.position).magnitude < 0.1001f, "of its size");
    }

    private static void TheMenuTakesWhatIsSelected()
    {
        Scene.Stop();
        var skin = SkinnedHead();
        Choose("Hair", skin.gameObject);
        var hair = Selection.activeGameObject.GetComponent<WithyHair>();
        Require(hair.surface == skin && hair.scalp == null && hair.transform.parent == skin.transform, "hair of the skin");
        Choose("Collider", skin.gameObject);
        Require(skin.GetComponent<WithyCollider>() != null && Selection.activeGameObject == skin.gameObject, "the skin is a collider");
        Choose("Collider", skin.gameObject);
        Require(Selection.activeGameObject.name == "Floor" && Selection.activeGameObject.transform.parent == skin.transform, "it has one already");
        Undo.PerformUndo();
        Undo.PerformUndo();
        Require(skin.GetComponent<WithyCollider>() == null, "undone");
        Choose("Collider", skin.gameObject, true);
        Require(skin.GetComponent<WithyCollider>() != null, "from the menu bar");
        Choose("Collider", skin.gameObject, true);
        Require(Selection.activeGameObject.name == "Floor" && Selection.activeGameObject.transform.parent == null, "on its own");
        Undo.PerformUndo();
        Choose("Hair", skin.gameObject, true);
        Require(Selection.activeGameObject.GetComponent<WithyHair>().surface == skin, "from the menu bar");
        Scene.Play();
        Frames(5);
        Require(hair.IsSimulated, "it plays");
        Scene.Stop();
        // A character.
        Require(!Choose("Ragdoll", null), "grey while nothing is selected");
        var bones = Character();
        var character = new GameObject("character");
        bones[0].parent = character.transform;
        character.AddComponent<Animator>().StubHips = bones[0];
        Require(Choose("Ragdoll", character, true), "it can be chosen");
        var ragdoll = character.GetComponent<WithyRagdoll>();
        Require(ragdoll.root == bones[0], "from the hips");
        Require(!Choose("Ragdoll", character), "grey: it has one");
        Scene.Play();
        Frames(2);
        var editor = Editor.CreateEditor(new Object[] { ragdoll });
        Inspect(editor, "Release");
        var high = bones[4].position.y;
        Frames(60);
        Require(ragdoll.IsReleased && bones[4].position.y < high - 0.3f, "the button lets it fall");
        Inspect(editor, "Recover");
        Frames(60);
        Require(!ragdoll.IsReleased, "and gives it back");
        Scene.Stop();
        Undo.PerformUndo();
        Require(character.GetComponent<WithyRagdoll>() == null, "undone");
    }

    private static void InspectorsSayWhatIsWrong()
    {
        Scene.Stop();
        Choose("Rope", null);
        var rope = Selection.activeGameObject.GetComponent<WithyRope>();
        Says(Inspect(rope));
        rope.end.position = new Vector3(0, 2.5f, 0);
        Says(Inspect(rope), "Warning: Its ends are 2.50 m apart");
        rope.end = rope.transform;
        Says(Inspect(rope), "Warning: Its end is this object itself");
        rope.end = null;
        rope.radius = 0.1f;
        Object.DestroyImmediate(rope.GetComponent<LineRenderer>());
        Says(Inspect(rope), "Info: It has no end", "Warning: Its segments are shorter", "Info: It is not drawn");
        // Many at once: the fields alone.
        Says(Inspect(rope, rope));

        var o = new GameObject("hair");
        var hair = o.AddComponent<WithyHair>();
        Says(Inspect(hair), "Warning: It has neither Scalp, Surface nor Asset", "Warning: It is not drawn");
        hair.scalp = Scalp();
        hair.scalp.name = "cap";
        o.AddComponent<MeshFilter>().sharedMesh = hair.scalp;
        o.AddComponent<MeshRenderer>();
        Says(Inspect(hair), "Strands, vertices = 60, 960", "Warning: Its lines take the place");
        o.GetComponent<MeshFilter>().sharedMesh = null;
        hair.scalp.UploadMeshData(true);
        Says(Inspect(hair), "Strands, vertices = 60, 960", "Warning: Its scalp is not readable. Set Read/Write in the import settings of cap");
        hair.scalp = Scalp();
        hair.surface = SkinnedHead();
        Says(Inspect(hair), "Strands, vertices = 60, 960", "Info: It goes through its surface: skin");
        hair.surface.sharedMesh = null;
        hair.surface.gameObject.AddComponent<WithyCollider>();
        Says(Inspect(hair), "Strands, vertices = 60, 960", "Warning: Its surface has no mesh");
        Object.DestroyImmediate(hair.surface.gameObject);
        Scene.Play();
        Says(Inspect(hair), "Strands, vertices = 60, 960", "Info: All strands hold their pose: none sags.");
        Scene.Stop();
        // A straight thread of a micrometre does not stand.
        hair.radius = 1e-6f;
        hair.droop = 0;
        Scene.Play();
        var said = Inspect(hair);
        Require(said.Length == 2 && said[1].Contains("0 of 60 strands hold their pose. 60 sag or fall over: a larger Radius"), "soft: " + string.Join("; ", said));
        Scene.Stop();

        var collider = new GameObject("floor").AddComponent<WithyCollider>();
        Says(Inspect(collider), "Info: Without a sphere, capsule or box collider it is the whole plane y = 0");
        collider.gameObject.AddComponent<BoxCollider>();
        Says(Inspect(collider), "Shape = Box");
        Says(Inspect(SkinnedHead().gameObject.AddComponent<WithyCollider>()), "Shape = Skinned mesh");

        var ragdoll = new GameObject("character").AddComponent<WithyRagdoll>();
        Says(Inspect(ragdoll), "Warning: No bone has a collider");
        ragdoll.root = Character()[0];
        Says(Inspect(ragdoll));
        ragdoll.root.GetChild(0).gameObject.AddComponent<CharacterJoint>();
        ragdoll.spineFrom = ragdoll.root;
        Says(Inspect(ragdoll), "Warning: 1 bones have a Character Joint", "Warning: An elastic spine needs");
        Require(UnityEngine.Debug.Errors.Count == 0, string.Join("; ", UnityEngine.Debug.Errors.ToArray()));
    }

    private static void HairIsSavedInTheEditor()
    {
        var project = Path.Combine(Path.GetTempPath(), "withy-unity-" + Guid.NewGuid().ToString("N"));
        var here = Environment.CurrentDirectory;
        Directory.CreateDirectory(Path.Combine(project, "Assets"));
        try
        {
            Environment.CurrentDirectory = project;
            Scene.Stop();
            Choose("Hair", null);
            var hair = Object.FindObjectOfType<WithyHair>();
            hair.strands = 40;
            var filter = hair.GetComponent<MeshFilter>();
            var editor = Editor.CreateEditor(new Object[] { hair });
            EditorUtility.Chosen = "";
            Inspect(editor, "Save asset");
            Require(hair.asset == null && Directory.GetFiles("Assets").Length == 0, "cancelled");
            EditorUtility.Chosen = "Assets/hair.bytes";
            Inspect(editor, "Save asset");
            Require(hair.asset != null && EditorUtility.Dirty == hair && File.Exists("Assets/hair.bytes"), "saved and assigned");
            Require(filter.sharedMesh == null && WithySimulation.Active == null && !hair.IsSimulated, "the scene is as before");
            Says(Inspect(editor, null), "Strands, vertices = 40, 640", "Info: All strands hold their pose: none sags.");
            Undo.PerformUndo();
            Require(hair.asset == null, "undone");
            // What is saved while it plays is the same, to the bit.
            Scene.Play();
            Require(hair.SaveAsset().SequenceEqual(File.ReadAllBytes("Assets/hair.bytes")), "the same as while it plays");
            var start = (Vector3[])hair.Points.Clone();
            Scene.Stop();
            hair.asset = AssetDatabase.LoadAssetAtPath<TextAsset>("Assets/hair.bytes");
            hair.scalp = null;
            Scene.Play();
            Frames(60);
            for (var i = 0; i < start.Length; i++)
            {
                Require((hair.Points[i] - start[i]).magnitude < 2e-3f, "from the asset it does not sag");
            }
            Scene.Stop();
            // Nothing to save is said, and leaves no file.
            hair.asset = null;
            EditorUtility.Chosen = "Assets/none.bytes";
            Inspect(editor, "Save asset");
            Require(UnityEngine.Debug.Errors.Count == 1 && UnityEngine.Debug.Errors[0].Contains("neither strands nor a scalp"), "said");
            UnityEngine.Debug.Errors.Clear();
            Require(!File.Exists("Assets/none.bytes"), "no file");
            hair.asset = TextAsset.Stub(new byte[] { 1, 2, 3 });
            Says(Inspect(editor, null), "The asset cannot be read");
            // On a skin: made and given back in the editor.
            hair.asset = null;
            hair.surface = SkinnedHead();
            Inspect(editor, "Save asset");
            Require(hair.asset != null && UnityEngine.Debug.Errors.Count == 0, "saved: " + string.Join("; ", UnityEngine.Debug.Errors.ToArray()));
        }
        finally
        {
            Environment.CurrentDirectory = here;
            Directory.Delete(project, true);
        }
    }

    private static void Draw(Component selected)
    {
        Gizmos.Lines.Clear();
        Gizmos.Centres.Clear();
        Gizmos.Radii.Clear();
        foreach (var type in EditorAssembly.GetTypes())
        {
            foreach (var method in type.GetMethods(BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public))
            {
                if (method.GetCustomAttributes(typeof(DrawGizmo), false).Length == 1
                    && method.GetParameters()[0].ParameterType == selected.GetType())
                {
                    method.Invoke(null, new object[] { selected, GizmoType.Selected });
                }
            }
        }
    }

    private static void GizmosShowShapes()
    {
        Scene.Stop();
        var rope = Rope(new Vector3(0, 2, 0), new Vector3(1, 2, 0), 2);
        Draw(rope);
        float length = 0, lowest = 9;
        for (var i = 0; i < Gizmos.Lines.Count; i += 2)
        {
            length += (Gizmos.Lines[i + 1] - Gizmos.Lines[i]).magnitude;
            lowest = Math.Min(lowest, Gizmos.Lines[i].y);
        }
        Require(Gizmos.Lines.Count == 60 && Math.Abs(length - 2) < 0.01f && lowest < 1.3f, "the curve at rest: " + length + ", " + lowest);
        Require((Gizmos.Centres[1] - rope.end.position).magnitude < 1e-6f && Gizmos.Radii[0] == rope.radius, "its ends");
        Scene.Play();
        Draw(rope);
        Require(Gizmos.Lines.Count == 0, "it is drawn by its own lines");
        Scene.Stop();

        var o = new GameObject("capsule");
        o.transform.position = new Vector3(1, 0, 0);
        o.transform.rotation = Quaternion.AngleAxis(90, new Vector3(0, 0, 1));
        o.transform.localScale = new Vector3(2, 2, 2);
        var capsule = o.AddComponent<CapsuleCollider>();
        capsule.radius = 0.1f;
        capsule.height = 1;
        var collider = o.AddComponent<WithyCollider>();
        Draw(collider);
        // Twice as large, along x: the middles of its caps are 0.8 m from its own.
        Require(Gizmos.Radii.Count == 2 && Math.Abs(Gizmos.Radii[0] - 0.2f) < 1e-6f, "radii");
        Require(Math.Abs(Math.Abs(Gizmos.Centres[0].x - 1) - 0.8f) < 1e-5f && Math.Abs(Gizmos.Centres[0].y) < 1e-5f, "caps");
        Require(Gizmos.Lines.Count == 8 && Math.Abs((Gizmos.Lines[0] - Gizmos.Lines[1]).magnitude - 1.6f) < 1e-5f, "sides");
        Object.DestroyImmediate(capsule);
        o.AddComponent<BoxCollider>().size = new Vector3(1, 2, 3);
        Draw(collider);
        float edges = 0;
        for (var i = 0; i < Gizmos.Lines.Count; i += 2)
        {
            edges += (Gizmos.Lines[i + 1] - Gizmos.Lines[i]).magnitude;
        }
        Require(Gizmos.Lines.Count == 24 && Math.Abs(edges - 48) < 1e-3f, "twelve edges, twice as large: " + edges);
        Object.DestroyImmediate(o.GetComponent<BoxCollider>());
        Draw(collider);
        Require(Gizmos.Lines.Count > 10 && Gizmos.Lines.All(p => Math.Abs(p.x - 1) < 0.51f), "a piece of the plane, turned");
        o.AddComponent<SkinnedMeshRenderer>();
        Draw(collider);
        Require(Gizmos.Lines.Count == 0, "a skinned mesh is seen as it is");
    }
}
