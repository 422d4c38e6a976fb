using System;
using System.IO;
using UnityEditor;
using UnityEngine;

namespace Withy.Unity.Editor
{
    /// <summary>The fields, how many strands there are and whether they sag, and a button that saves them.</summary>
    [CustomEditor(typeof(WithyHair))]
    [CanEditMultipleObjects]
    internal sealed class WithyHairEditor : UnityEditor.Editor
    {
        // Read again when what it was read of is another.
        private TextAsset counted;
        private int strands, vertices;
        private Vector3[] reported;
        private string report;

        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            if (targets.Length != 1)
            {
                return;
            }
            var hair = (WithyHair)target;
            Count(hair);
            if (strands > 0)
            {
                EditorGUILayout.LabelField("Strands, vertices", strands + ", " + vertices);
            }
            if (hair.Points != reported)
            {
                reported = hair.Points;
                report = reported == null ? null : Said(hair.ElasticReport());
            }
            if (report != null)
            {
                EditorGUILayout.HelpBox(report, MessageType.Info);
            }
            Warn(hair);
            if (GUILayout.Button("Save asset"))
            {
                // After the layout, which a dialog in its midst would break.
                EditorApplication.delayCall += () => Save(hair);
            }
        }

        private void Count(WithyHair hair)
        {
            if (hair.IsSimulated)
            {
                strands = hair.StrandCount;
                vertices = hair.VertexCount;
                counted = null;
                return;
            }
            if (hair.asset != null)
            {
                if (counted != hair.asset)
                {
                    counted = hair.asset;
                    CountAsset(hair.asset.bytes);
                }
                return;
            }
            counted = null;
            var mesh = hair.scalp != null ? hair.scalp : hair.surface != null ? hair.surface.sharedMesh : null;
            strands = mesh == null ? 0 : Math.Min(hair.strands, mesh.vertexCount);
            vertices = strands * (hair.segments + 1);
        }

        private void CountAsset(byte[] file)
        {
            strands = vertices = 0;
            try
            {
                AssetChunk counts, pose;
                var chunks = Asset.Read(file);
                if (chunks.TryGetValue("counts", out counts) && chunks.TryGetValue("pose", out pose))
                {
                    strands = counts.UInts().Length;
                    vertices = pose.Floats().Length / 3;
                }
            }
            catch (Exception e)
            {
                // What is wrong with it is said when it plays, too.
                report = "The asset cannot be read: " + e.Message;
            }
        }

        private static void Warn(WithyHair hair)
        {
            if (!hair.IsSimulated && hair.asset == null)
            {
                if (hair.scalp != null && !hair.scalp.isReadable)
                {
                    EditorGUILayout.HelpBox("Its scalp is not readable. Set Read/Write in the import settings of " + hair.scalp.name + ".",
                        MessageType.Warning);
                }
                if (hair.scalp == null && hair.surface == null)
                {
                    EditorGUILayout.HelpBox("It has neither Scalp, Surface nor Asset: a script has to give it strands.", MessageType.Warning);
                }
            }
            if (hair.surface != null && hair.surface.sharedMesh == null)
            {
                EditorGUILayout.HelpBox("Its surface has no mesh.", MessageType.Warning);
            }
            if (hair.surface != null && hair.surface.GetComponent<WithyCollider>() == null)
            {
                EditorGUILayout.HelpBox("It goes through its surface: " + hair.surface.name + " has no withy > Collider.", MessageType.Info);
            }
            var filter = hair.GetComponent<MeshFilter>();
            if (filter == null || hair.GetComponent<MeshRenderer>() == null)
            {
                EditorGUILayout.HelpBox("It is not drawn: this object needs a Mesh Filter and a Mesh Renderer.", MessageType.Warning);
            }
            else if (!hair.IsSimulated && filter.sharedMesh != null)
            {
                EditorGUILayout.HelpBox("Its lines take the place of the mesh of this object. Put hair on a child of its own.", MessageType.Warning);
            }
        }

        private static string Said(WithyElasticReport[] all)
        {
            if (all.Length == 0)
            {
                return null;
            }
            int soft = 0, steps = 0, refused = 0;
            for (var i = 0; i < all.Length; i++)
            {
                if (all[i].answer == StrandAnswer.Refused)
                {
                    refused++;
                }
                else if (all[i].answer != StrandAnswer.Holds)
                {
                    var stiff = all[i].reason == Reason.Precision || all[i].reason == Reason.Step;
                    steps += stiff ? 1 : 0;
                    soft += stiff ? 0 : 1;
                }
            }
            var hold = all.Length - soft - steps - refused;
            if (hold == all.Length)
            {
                return "All strands hold their pose: none sags.";
            }
            return hold + " of " + all.Length + " strands hold their pose."
                + (soft == 0 ? "" : " " + soft + " sag or fall over: a larger Radius or Young Modulus holds them.")
                + (steps == 0 ? "" : " " + steps + " need more Substeps of withy > Simulation.")
                + (refused == 0 ? "" : " Of " + refused + " no rest shape could be looked for.");
        }

        /// <summary>Asks for a file, and makes it the asset.</summary>
        private void Save(WithyHair hair)
        {
            if (hair == null)
            {
                return;
            }
            var path = EditorUtility.SaveFilePanelInProject("Save hair", hair.name, "bytes", "Strands, and the rest shape that holds them.");
            if (string.IsNullOrEmpty(path))
            {
                return;
            }
            try
            {
                WithyElasticReport[] found;
                File.WriteAllBytes(path, hair.SaveAsset(out found));
                report = Said(found);
            }
            catch (Exception e)
            {
                Debug.LogError("withy: " + hair.name + ": " + e.Message, hair);
                return;
            }
            AssetDatabase.ImportAsset(path);
            Undo.RecordObject(hair, "Save hair");
            hair.asset = AssetDatabase.LoadAssetAtPath<TextAsset>(path);
            EditorUtility.SetDirty(hair);
            counted = null;
            Repaint();
        }
    }
}
