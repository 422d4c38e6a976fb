// What withy's editor assembly uses of Unity's editor, written from its documentation, so that it can be compiled and
// played without it. Not Unity's code, and only as much of it as is called here.
using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class MenuItem : Attribute
    {
        public string menuItem;
        public bool validate;
        public int priority;

        public MenuItem(string itemName, bool isValidateFunction)
        {
            menuItem = itemName;
            validate = isValidateFunction;
        }

        public MenuItem(string itemName, bool isValidateFunction, int priority)
            : this(itemName, isValidateFunction)
        {
            this.priority = priority;
        }
    }

    public sealed class MenuCommand
    {
        public Object context;

        public MenuCommand(Object inContext)
        {
            context = inContext;
        }
    }

    public static class Selection
    {
        public static Object activeObject { get; set; }

        public static GameObject activeGameObject
        {
            get { return activeObject as GameObject; }
            set { activeObject = value; }
        }
    }

    public static class GameObjectUtility
    {
        /// <summary>Where the parent is; does nothing without one.</summary>
        public static void SetParentAndAlign(GameObject child, GameObject parent)
        {
            if (parent == null)
            {
                return;
            }
            child.transform.parent = parent.transform;
            child.transform.SetPositionAndRotation(parent.transform.position, parent.transform.rotation);
        }
    }

    public static class Undo
    {
        private static readonly List<KeyValuePair<string, Action>> Done = new List<KeyValuePair<string, Action>>();

        public static void RegisterCreatedObjectUndo(Object objectToUndo, string name)
        {
            Done.Add(new KeyValuePair<string, Action>(name, () => Object.DestroyImmediate(objectToUndo)));
        }

        public static T AddComponent<T>(GameObject gameObject) where T : Component, new()
        {
            var made = gameObject.AddComponent<T>();
            Done.Add(new KeyValuePair<string, Action>("Add " + typeof(T).Name, () => Object.DestroyImmediate(made)));
            return made;
        }

        /// <summary>Of the fields as they are before the change.</summary>
        public static void RecordObject(Object objectToUndo, string name)
        {
            var fields = objectToUndo.GetType().GetFields(BindingFlags.Instance | BindingFlags.Public);
            var values = Array.ConvertAll(fields, f => f.GetValue(objectToUndo));
            Done.Add(new KeyValuePair<string, Action>(name, () =>
            {
                for (var i = 0; i < fields.Length; i++)
                {
                    fields[i].SetValue(objectToUndo, values[i]);
                }
            }));
        }

        public static string GetCurrentGroupName()
        {
            return Done.Count == 0 ? "" : Done[Done.Count - 1].Key;
        }

        public static void PerformUndo()
        {
            var last = Done[Done.Count - 1];
            Done.RemoveAt(Done.Count - 1);
            last.Value();
        }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CustomEditor : Attribute
    {
        public readonly Type Inspected;

        public CustomEditor(Type inspectedType)
        {
            Inspected = inspectedType;
        }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CanEditMultipleObjects : Attribute
    {
    }

    public class Editor : Object
    {
        public Object target { get; private set; }

        public Object[] targets { get; private set; }

        public virtual void OnInspectorGUI()
        {
            DrawDefaultInspector();
        }

        public void Repaint()
        {
        }

        public bool DrawDefaultInspector()
        {
            return false;
        }

        public static Editor CreateEditor(Object[] targetObjects)
        {
            foreach (var assembly in AppDomain.CurrentDomain.GetAssemblies())
            {
                foreach (var type in assembly.GetTypes())
                {
                    var of = (CustomEditor[])type.GetCustomAttributes(typeof(CustomEditor), false);
                    if (of.Length == 1 && of[0].Inspected == targetObjects[0].GetType())
                    {
                        var editor = (Editor)Activator.CreateInstance(type, true);
                        editor.target = targetObjects[0];
                        editor.targets = targetObjects;
                        return editor;
                    }
                }
            }
            throw new Exception("no editor of " + targetObjects[0].GetType().Name);
        }
    }

    public enum MessageType
    {
        None,
        Info,
        Warning,
        Error,
    }

    public static class EditorGUILayout
    {
        /// <summary>What was shown: the test's own.</summary>
        public static readonly List<string> Shown = new List<string>();

        public static void HelpBox(string message, MessageType type)
        {
            Shown.Add(type + ": " + message);
        }

        public static void LabelField(string label, string label2)
        {
            Shown.Add(label + " = " + label2);
        }
    }

    public static class EditorApplication
    {
        public delegate void CallbackFunction();

        /// <summary>Called once, when all inspectors have been drawn.</summary>
        public static CallbackFunction delayCall;

        public static void Delayed()
        {
            var calls = delayCall;
            delayCall = null;
            if (calls != null)
            {
                calls();
            }
        }
    }

    public static class EditorUtility
    {
        /// <summary>What the user chooses, and what was marked as changed: the test's own.</summary>
        public static string Chosen = "";
        public static Object Dirty;

        /// <summary>Relative to the project; empty if the user cancels.</summary>
        public static string SaveFilePanelInProject(string title, string defaultName, string extension, string message)
        {
            return Chosen;
        }

        public static void SetDirty(Object target)
        {
            Dirty = target;
        }
    }

    public static class AssetDatabase
    {
        private static readonly Dictionary<string, Object> Imported = new Dictionary<string, Object>();

        public static void ImportAsset(string path)
        {
            Imported[path] = TextAsset.Stub(File.ReadAllBytes(path));
        }

        public static T LoadAssetAtPath<T>(string assetPath) where T : Object
        {
            Object found;
            return Imported.TryGetValue(assetPath, out found) ? found as T : null;
        }

        public static T GetBuiltinExtraResource<T>(string path) where T : Object, new()
        {
            return new T { name = path };
        }
    }

    [Flags]
    public enum GizmoType
    {
        Selected = 4,
        Active = 8,
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class DrawGizmo : Attribute
    {
        public DrawGizmo(GizmoType gizmo)
        {
            drawOptions = gizmo;
        }

        public GizmoType drawOptions;
    }
}
