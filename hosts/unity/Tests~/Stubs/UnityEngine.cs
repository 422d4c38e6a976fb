// What withy's components use of Unity, written from its documentation, so that they can be compiled and played
// without it. Not Unity's code, and only as much of it as is called here.
using System;
using System.Collections.Generic;
using System.Reflection;

namespace UnityEngine
{
    public struct Vector3
    {
        public float x, y, z;

        public Vector3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        public float this[int i]
        {
            get { return i == 0 ? x : i == 1 ? y : z; }
        }

        public float magnitude
        {
            get { return Mathf.Sqrt(x * x + y * y + z * z); }
        }

        public Vector3 normalized
        {
            get { return magnitude > 1e-5f ? this * (1 / magnitude) : new Vector3(); }
        }

        public static Vector3 Cross(Vector3 a, Vector3 b)
        {
            return new Vector3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
        }

        public static Vector3 operator +(Vector3 a, Vector3 b)
        {
            return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z);
        }

        public static Vector3 operator -(Vector3 a, Vector3 b)
        {
            return new Vector3(a.x - b.x, a.y - b.y, a.z - b.z);
        }

        public static Vector3 operator *(Vector3 a, float s)
        {
            return new Vector3(a.x * s, a.y * s, a.z * s);
        }

        public static bool operator ==(Vector3 a, Vector3 b)
        {
            return (a - b).magnitude < 1e-5f;
        }

        public static bool operator !=(Vector3 a, Vector3 b)
        {
            return !(a == b);
        }

        public override bool Equals(object other)
        {
            return other is Vector3 && this == (Vector3)other;
        }

        public override int GetHashCode()
        {
            return x.GetHashCode() ^ (y.GetHashCode() << 2) ^ (z.GetHashCode() >> 2);
        }
    }

    public struct Quaternion
    {
        public float x, y, z, w;

        public Quaternion(float x, float y, float z, float w)
        {
            this.x = x;
            this.y = y;
            this.z = z;
            this.w = w;
        }

        public static Quaternion identity
        {
            get { return new Quaternion(0, 0, 0, 1); }
        }

        public static Quaternion Inverse(Quaternion q)
        {
            return new Quaternion(-q.x, -q.y, -q.z, q.w);
        }

        /// <summary>Degrees; by Unity's left-handed sense.</summary>
        public static Quaternion AngleAxis(float degrees, Vector3 axis)
        {
            var half = degrees * Math.PI / 360;
            var a = axis.normalized * (float)Math.Sin(half);
            return new Quaternion(a.x, a.y, a.z, (float)Math.Cos(half));
        }

        public static Quaternion operator *(Quaternion a, Quaternion b)
        {
            return new Quaternion(
                a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
        }

        public static Vector3 operator *(Quaternion q, Vector3 v)
        {
            var r = q * new Quaternion(v.x, v.y, v.z, 0) * Inverse(q);
            return new Vector3(r.x, r.y, r.z);
        }
    }

    public static class Mathf
    {
        public static float Sqrt(float x)
        {
            return (float)Math.Sqrt(x);
        }

        public static float Abs(float x)
        {
            return Math.Abs(x);
        }

        public static float Max(float a, float b)
        {
            return Math.Max(a, b);
        }

        public static float Cos(float x)
        {
            return (float)Math.Cos(x);
        }

        public static float Sin(float x)
        {
            return (float)Math.Sin(x);
        }

        public static int Min(int a, int b)
        {
            return Math.Min(a, b);
        }
    }

    public static class Application
    {
        /// <summary>False: the editor shows a scene; messages are not called. See Scene.Play and Scene.Stop.</summary>
        public static bool isPlaying { get; internal set; } = true;
    }

    public static class Physics
    {
        public static Vector3 gravity = new Vector3(0, -9.81f, 0);
    }

    public static class Time
    {
        public static float deltaTime, fixedDeltaTime = 0.02f;
    }

    public static class Debug
    {
        public static readonly List<string> Errors = new List<string>();

        public static void LogError(object message, Object context)
        {
            Errors.Add(message.ToString());
        }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class AddComponentMenu : Attribute
    {
        public AddComponentMenu(string name)
        {
            Name = name;
        }

        public string Name { get; private set; }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class DisallowMultipleComponent : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class DefaultExecutionOrder : Attribute
    {
        public DefaultExecutionOrder(int order)
        {
            Order = order;
        }

        public int Order { get; private set; }
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class TooltipAttribute : Attribute
    {
        public TooltipAttribute(string text)
        {
            Text = text;
        }

        public string Text { get; private set; }
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class RangeAttribute : Attribute
    {
        public RangeAttribute(float min, float max)
        {
            Min = min;
            Max = max;
        }

        public float Min { get; private set; }

        public float Max { get; private set; }
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class MinAttribute : Attribute
    {
        public MinAttribute(float min)
        {
            Min = min;
        }

        public float Min { get; private set; }
    }

    public class Object
    {
        internal bool gone;

        public virtual string name { get; set; }

        public static void Destroy(Object o)
        {
            if (!Application.isPlaying)
            {
                Debug.LogError("Destroy may not be called from edit mode! Use DestroyImmediate instead.", o);
                return;
            }
            o.Gone();
        }

        public static void DestroyImmediate(Object o)
        {
            o.Gone();
        }

        internal virtual void Gone()
        {
            gone = true;
        }

        public static void DontDestroyOnLoad(Object o)
        {
        }

        public static T FindObjectOfType<T>() where T : Component
        {
            foreach (var o in Scene.All)
            {
                var found = o.GetComponent<T>();
                if (found != null)
                {
                    return found;
                }
            }
            return null;
        }

        /// <summary>As in Unity, what was destroyed is equal to null.</summary>
        public static bool operator ==(Object a, Object b)
        {
            var noA = ReferenceEquals(a, null) || a.gone;
            var noB = ReferenceEquals(b, null) || b.gone;
            return noA || noB ? noA && noB : ReferenceEquals(a, b);
        }

        public static bool operator !=(Object a, Object b)
        {
            return !(a == b);
        }

        public override bool Equals(object other)
        {
            return this == other as Object;
        }

        public override int GetHashCode()
        {
            return 0;
        }
    }

    public class Component : Object
    {
        public GameObject gameObject { get; internal set; }

        public override string name
        {
            get { return gameObject.name; }
            set { gameObject.name = value; }
        }

        public Transform transform
        {
            get { return gameObject.transform; }
        }

        public T GetComponent<T>() where T : Component
        {
            return gameObject.GetComponent<T>();
        }

        public T[] GetComponentsInChildren<T>() where T : Component
        {
            var found = new List<T>();
            Collect(transform, found);
            return found.ToArray();
        }

        private static void Collect<T>(Transform of, List<T> found) where T : Component
        {
            foreach (var c in of.gameObject.Components)
            {
                if (c is T)
                {
                    found.Add((T)c);
                }
            }
            for (var i = 0; i < of.childCount; i++)
            {
                Collect(of.GetChild(i), found);
            }
        }
    }

    public class Transform : Component
    {
        // Children do not follow here: the components set every bone.
        public Vector3 position, localScale = new Vector3(1, 1, 1);
        public Quaternion rotation = Quaternion.identity;
        private readonly List<Transform> children = new List<Transform>();
        private Transform above;

        public Transform parent
        {
            get { return above; }
            set
            {
                if (above != null)
                {
                    above.children.Remove(this);
                }
                above = value;
                if (above != null)
                {
                    above.children.Add(this);
                }
            }
        }

        public int childCount
        {
            get { return children.Count; }
        }

        public Transform GetChild(int index)
        {
            return children[index];
        }

        public void SetPositionAndRotation(Vector3 p, Quaternion q)
        {
            position = p;
            rotation = q;
        }

        public Vector3 lossyScale
        {
            get
            {
                if (above == null)
                {
                    return localScale;
                }
                var by = above.lossyScale;
                return new Vector3(localScale.x * by.x, localScale.y * by.y, localScale.z * by.z);
            }
        }

        public Vector3 TransformPoint(Vector3 p)
        {
            var by = lossyScale;
            return position + rotation * new Vector3(p.x * by.x, p.y * by.y, p.z * by.z);
        }

        public Vector3 InverseTransformPoint(Vector3 p)
        {
            var q = Quaternion.Inverse(rotation) * (p - position);
            var by = lossyScale;
            return new Vector3(q.x / by.x, q.y / by.y, q.z / by.z);
        }

        public Vector3 TransformDirection(Vector3 d)
        {
            return rotation * d;
        }

        public Vector3 InverseTransformVector(Vector3 d)
        {
            var q = Quaternion.Inverse(rotation) * d;
            var by = lossyScale;
            return new Vector3(q.x / by.x, q.y / by.y, q.z / by.z);
        }

        public Vector3 InverseTransformDirection(Vector3 d)
        {
            return Quaternion.Inverse(rotation) * d;
        }
    }

    public class Behaviour : Component
    {
        private bool on = true;
        private bool active, started;

        public bool isActiveAndEnabled
        {
            get { return active; }
        }

        /// <summary>OnEnable and OnDisable as Unity calls them: while the component is on and its object is active.</summary>
        internal void Update()
        {
            var now = on && !gone && gameObject.activeSelf && !Scene.Edited;
            if (now != active)
            {
                active = now;
                Scene.Call(this, active ? "OnEnable" : "OnDisable");
            }
        }

        internal void StartOnce()
        {
            if (active && !started)
            {
                started = true;
                Scene.Call(this, "Start");
            }
        }

        public bool enabled
        {
            get { return on; }
            set
            {
                on = value;
                Update();
            }
        }

        internal override void Gone()
        {
            enabled = false;
            base.Gone();
            gameObject.Components.Remove(this);
        }
    }

    public class MonoBehaviour : Behaviour
    {
    }

    public sealed class GameObject : Object
    {
        internal readonly List<Component> Components = new List<Component>();

        public GameObject(string name)
        {
            this.name = name;
            transform = AddComponent<Transform>();
            Scene.All.Add(this);
        }

        public Transform transform { get; private set; }

        public bool activeSelf { get; private set; } = true;

        public void SetActive(bool value)
        {
            activeSelf = value;
            foreach (var c in Components.ToArray())
            {
                var behaviour = c as Behaviour;
                if (behaviour != null)
                {
                    behaviour.Update();
                }
            }
        }

        /// <summary>A ball of 0.5 m.</summary>
        public static GameObject CreatePrimitive(PrimitiveType kind)
        {
            var o = new GameObject(kind.ToString());
            var across = new Vector3[13 * 24];
            for (var i = 0; i < across.Length; i++)
            {
                double down = Math.PI * (i / 24) / 12, turn = 2 * Math.PI * (i % 24) / 24;
                across[i] = new Vector3((float)(Math.Sin(down) * Math.Cos(turn)), (float)Math.Cos(down), (float)(Math.Sin(down) * Math.Sin(turn)));
            }
            var mesh = new Mesh { vertices = Array.ConvertAll(across, v => v * 0.5f), normals = across };
            o.AddComponent<MeshFilter>().sharedMesh = mesh;
            o.AddComponent<MeshRenderer>();
            o.AddComponent<SphereCollider>();
            return o;
        }

        public T AddComponent<T>() where T : Component, new()
        {
            var c = new T { gameObject = this };
            Components.Add(c);
            var behaviour = c as Behaviour;
            if (behaviour != null)
            {
                behaviour.Update();
            }
            return c;
        }

        public T GetComponent<T>() where T : Component
        {
            foreach (var c in Components)
            {
                var found = c as T;
                if (found != null)
                {
                    return found;
                }
            }
            return null;
        }

        internal override void Gone()
        {
            for (var i = transform.childCount - 1; i >= 0; i--)
            {
                transform.GetChild(i).gameObject.Gone();
            }
            transform.parent = null;
            foreach (var c in Components.ToArray())
            {
                c.Gone();
            }
            base.Gone();
            Scene.All.Remove(this);
        }
    }

    public class Rigidbody : Component
    {
        public float mass = 1;
        public bool isKinematic;
    }

    public class SphereCollider : Component
    {
        public float radius = 0.5f;
        public Vector3 center;
    }

    public class CapsuleCollider : Component
    {
        public float radius = 0.5f, height = 2;
        public int direction = 1;
        public Vector3 center;
    }

    public class BoxCollider : Component
    {
        public Vector3 size = new Vector3(1, 1, 1), center;
    }

    public class CharacterJoint : Component
    {
    }

    public enum HumanBodyBones
    {
        Hips = 0,
    }

    public class Animator : Behaviour
    {
        /// <summary>Of an avatar that is human; the test's own.</summary>
        public Transform StubHips;

        public bool isHuman
        {
            get { return StubHips != null; }
        }

        public Transform GetBoneTransform(HumanBodyBones bone)
        {
            return StubHips;
        }
    }

    public struct Color
    {
        public float r, g, b, a;

        public Color(float r, float g, float b)
        {
            this.r = r;
            this.g = g;
            this.b = b;
            a = 1;
        }
    }

    public static class Gizmos
    {
        /// <summary>Ends of all lines that were drawn, and centres of spheres with their radii: the test's own.</summary>
        public static readonly List<Vector3> Lines = new List<Vector3>(), Centres = new List<Vector3>();
        public static readonly List<float> Radii = new List<float>();

        public static Color color { get; set; }

        public static void DrawLine(Vector3 from, Vector3 to)
        {
            Lines.Add(from);
            Lines.Add(to);
        }

        public static void DrawWireSphere(Vector3 center, float radius)
        {
            Centres.Add(center);
            Radii.Add(radius);
        }
    }

    public static class GUILayout
    {
        /// <summary>The button that is pressed in this frame; the test's own.</summary>
        public static string Pressed;

        public static bool Button(string text)
        {
            return text == Pressed;
        }
    }

    public class Material : Object
    {
    }

    public enum PrimitiveType
    {
        Sphere,
    }

    public class Renderer : Component
    {
        public Material sharedMaterial;
    }

    public class MeshRenderer : Renderer
    {
    }

    public class LineRenderer : Renderer
    {
        public float widthMultiplier;
        public bool useWorldSpace;
        public int positionCount;
        public Vector3[] Shown;

        public void SetPositions(Vector3[] positions)
        {
            if (Shown == null || Shown.Length != positions.Length)
            {
                Shown = new Vector3[positions.Length];
            }
            positions.CopyTo(Shown, 0);
        }
    }

    public enum MeshTopology
    {
        Triangles,
        Lines = 3,
    }

    public class TextAsset : Object
    {
        /// <summary>As the editor imports a file that ends in .bytes.</summary>
        public static TextAsset Stub(byte[] content)
        {
            return new TextAsset { bytes = content };
        }

        public byte[] bytes { get; private set; }
    }

    public class Mesh : Object
    {
        private Vector3[] places = new Vector3[0];

        public Rendering.IndexFormat indexFormat;
        public int[] Indices;
        internal Vector3[] across = new Vector3[0];
        internal int[] corners = new int[0];

        public Mesh()
        {
            isReadable = true;
        }

        /// <summary>True of what scripts make; of what is imported, as Read/Write says.</summary>
        public bool isReadable { get; private set; }

        public void UploadMeshData(bool markNoLongerReadable)
        {
            isReadable = !markNoLongerReadable;
        }

        public Vector3[] normals
        {
            get { return (Vector3[])across.Clone(); }
            set { across = (Vector3[])value.Clone(); }
        }

        public int[] triangles
        {
            get { return (int[])corners.Clone(); }
            set { corners = (int[])value.Clone(); }
        }

        public int vertexCount
        {
            get { return places.Length; }
        }

        public void GetVertices(List<Vector3> to)
        {
            to.Clear();
            to.AddRange(places);
        }

        public Vector3[] vertices
        {
            get { return (Vector3[])places.Clone(); }
            set
            {
                if (places.Length != value.Length)
                {
                    places = new Vector3[value.Length];
                }
                value.CopyTo(places, 0);
            }
        }

        public void MarkDynamic()
        {
        }

        public void RecalculateBounds()
        {
        }

        public void SetIndices(int[] indices, MeshTopology topology, int submesh)
        {
            Indices = (int[])indices.Clone();
        }
    }

    public class SkinnedMeshRenderer : Renderer
    {
        private Vector3[] baked;

        public Mesh sharedMesh;

        /// <summary>Places of the vertices, world: what bones and blend shapes make of them. The test's own.</summary>
        public Vector3[] Posed;

        /// <summary>Relative to the transform's position and rotation, but not to its scale.</summary>
        public void BakeMesh(Mesh mesh)
        {
            if (baked == null || baked.Length != Posed.Length)
            {
                baked = new Vector3[Posed.Length];
            }
            var back = Quaternion.Inverse(transform.rotation);
            for (var i = 0; i < baked.Length; i++)
            {
                baked[i] = back * (Posed[i] - transform.position);
            }
            mesh.vertices = baked;
            mesh.corners = sharedMesh.corners;
            if (mesh.across.Length != baked.Length)
            {
                mesh.across = new Vector3[baked.Length];
            }
            Array.Clear(mesh.across, 0, baked.Length);
            for (var t = 0; t < mesh.corners.Length; t += 3)
            {
                int a = mesh.corners[t], b = mesh.corners[t + 1], c = mesh.corners[t + 2];
                var n = Vector3.Cross(baked[b] - baked[a], baked[c] - baked[a]);
                mesh.across[a] += n;
                mesh.across[b] += n;
                mesh.across[c] += n;
            }
            for (var i = 0; i < baked.Length; i++)
            {
                mesh.across[i] = mesh.across[i].normalized;
            }
        }
    }

    public class MeshFilter : Component
    {
        public Mesh sharedMesh;
    }

    /// <summary>The test's own: calls what Unity would call.</summary>
    public static class Scene
    {
        public static readonly List<GameObject> All = new List<GameObject>();

        public static void Call(Component c, string message)
        {
            for (var type = c.GetType(); type != null; type = type.BaseType)
            {
                var flags = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.DeclaredOnly;
                var method = type.GetMethod(message, flags, null, Type.EmptyTypes, null);
                if (method != null)
                {
                    ((Action)Delegate.CreateDelegate(typeof(Action), c, method))();
                    return;
                }
            }
        }

        /// <summary>One frame of so many seconds.</summary>
        public static void Frame(float dt)
        {
            Time.deltaTime = Time.fixedDeltaTime = dt;
            foreach (var o in All.ToArray())
            {
                foreach (var c in o.Components.ToArray())
                {
                    if (c is Behaviour)
                    {
                        ((Behaviour)c).StartOnce();
                    }
                }
            }
            foreach (var message in new[] { "FixedUpdate", "LateUpdate" })
            {
                foreach (var o in All.ToArray())
                {
                    foreach (var c in o.Components.ToArray())
                    {
                        var behaviour = c as Behaviour;
                        if (!c.gone && behaviour != null && behaviour.isActiveAndEnabled)
                        {
                            Call(c, message);
                        }
                    }
                }
            }
        }

        internal static bool Edited;

        /// <summary>Leaves the editor: what is enabled begins.</summary>
        public static void Play()
        {
            Edited = false;
            Application.isPlaying = true;
            UpdateAll();
        }

        /// <summary>Back to the editor. What is enabled ends while it still plays.</summary>
        public static void Stop()
        {
            Edited = true;
            UpdateAll();
            Application.isPlaying = false;
        }

        private static void UpdateAll()
        {
            foreach (var o in All.ToArray())
            {
                foreach (var c in o.Components.ToArray())
                {
                    if (c is Behaviour)
                    {
                        ((Behaviour)c).Update();
                    }
                }
            }
        }

        public static void Clear()
        {
            Edited = false;
            Application.isPlaying = true;
            foreach (var o in All.ToArray())
            {
                Object.Destroy(o);
            }
            Debug.Errors.Clear();
        }
    }
}

namespace UnityEngine.Rendering
{
    public enum IndexFormat
    {
        UInt16,
        UInt32,
    }
}
