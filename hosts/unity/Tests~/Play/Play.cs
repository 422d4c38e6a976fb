using System;
using System.Reflection;
using UnityEngine;
using Withy.Unity;

/// <summary>Plays the components on our own stubs of Unity.</summary>
public static partial class Play
{
    private const float Dt = 1 / 60f;

    private static void Require(bool condition, string what)
    {
        if (!condition)
        {
            throw new Exception("not so: " + what);
        }
    }

    private static void Frames(int count)
    {
        for (var i = 0; i < count; i++)
        {
            Scene.Frame(Dt);
        }
        Require(UnityEngine.Debug.Errors.Count == 0, string.Join("; ", UnityEngine.Debug.Errors.ToArray()));
    }

    private static float Length(Vector3[] p)
    {
        float sum = 0;
        for (var i = 0; i + 1 < p.Length; i++)
        {
            sum += (p[i + 1] - p[i]).magnitude;
        }
        return sum;
    }

    private static WithyRope Rope(Vector3 start, Vector3? end, float length)
    {
        var o = new GameObject("rope");
        o.transform.position = start;
        o.AddComponent<LineRenderer>();
        var rope = o.AddComponent<WithyRope>();
        // In the editor fields are set before the component is enabled.
        rope.enabled = false;
        rope.length = length;
        if (end.HasValue)
        {
            rope.end = new GameObject("end").transform;
            rope.end.position = end.Value;
        }
        rope.enabled = true;
        return rope;
    }

    private static void ARopeHangsBetweenTwoObjects()
    {
        var rope = Rope(new Vector3(-1, 3, 0.5f), new Vector3(1, 3, 0.5f), 3);
        Frames(600);
        var p = rope.Points;
        var middle = p[p.Length / 2];
        Require(Math.Abs(Length(p) - 3) < 0.03f, "it is 3 m long: " + Length(p));
        // A catenary of 3 m over 2 m hangs down by 1.005 m.
        Require(Math.Abs(middle.y - (3 - 1.005f)) < 0.01f && Math.Abs(middle.x) < 0.02f, "it sags: " + middle.y);
        Require(Math.Abs(middle.z - 0.5f) < 0.01f, "in its plane: " + middle.z);
        Require((p[0] - new Vector3(-1, 3, 0.5f)).magnitude < 1e-4f, "from its start");
        Require((p[p.Length - 1] - new Vector3(1, 3, 0.5f)).magnitude < 1e-4f, "to its end");
        var line = rope.GetComponent<LineRenderer>();
        Require(line.positionCount == 31 && line.useWorldSpace && (line.Shown[15] - middle).magnitude < 1e-5f, "it is drawn");
        // The end goes away with what holds it, then is let go.
        for (var i = 0; i < 60; i++)
        {
            rope.end.position = new Vector3(1, 3, 0.5f + i / 60f);
            Scene.Frame(Dt);
        }
        p = rope.Points;
        Require((p[p.Length - 1] - rope.end.position).magnitude < 1e-3f, "it follows");
        UnityEngine.Object.Destroy(rope.end.gameObject);
        Frames(600);
        p = rope.Points;
        Require(p[p.Length - 1].y < 0.1f, "it hangs free: " + p[p.Length - 1].y);
    }

    private static void ARopeLiesOverABall()
    {
        foreach (var kind in new[] { "sphere", "capsule along z", "box", "none" })
        {
            Scene.Clear();
            var ball = new GameObject("obstacle");
            var under = new Vector3(0.3f, 1, 2);
            ball.transform.position = under;
            if (kind == "sphere")
            {
                ball.transform.localScale = new Vector3(2, 2, 2);
                ball.AddComponent<SphereCollider>().radius = 0.1f;
            }
            else if (kind == "capsule along z")
            {
                var capsule = ball.AddComponent<CapsuleCollider>();
                capsule.radius = 0.2f;
                capsule.height = 2;
                capsule.direction = 2;
            }
            else if (kind == "box")
            {
                ball.AddComponent<BoxCollider>().size = new Vector3(0.4f, 0.4f, 2);
            }
            else
            {
                ball.transform.position = under + new Vector3(0, 0.2f, 0);
            }
            ball.transform.position -= new Vector3(0, 0.5f, 0);
            ball.AddComponent<WithyCollider>();
            ball.transform.position += new Vector3(0, 0.5f, 0);
            var rope = Rope(new Vector3(-0.7f, 1.25f, 2), new Vector3(1.3f, 1.25f, 2), 2.1f);
            // It comes up from below.
            var to = ball.transform.position;
            for (var i = 0; i <= 60; i++)
            {
                ball.transform.position = to + new Vector3(0, 0.5f * (i - 60) / 60, 0);
                Scene.Frame(Dt);
            }
            Frames(300);
            var p = rope.Points;
            var top = p[p.Length / 2].y;
            Require(top > 1.19f && top < 1.26f, kind + " holds it up: " + top);
            ball.transform.position = new Vector3(0.3f, -5, 2);
            Frames(300);
            Require(rope.Points[p.Length / 2].y < 1.05f, kind + " goes away: " + rope.Points[p.Length / 2].y);
        }
    }

    private static Mesh Scalp()
    {
        // A ring of vertices on a ball of 0.1 m that look outwards and up.
        var mesh = new Mesh();
        var at = new Vector3[60];
        var along = new Vector3[60];
        for (var i = 0; i < 60; i++)
        {
            var a = i * 2 * Math.PI / 60;
            along[i] = new Vector3((float)Math.Cos(a), 0.8f, (float)Math.Sin(a)).normalized;
            at[i] = along[i] * 0.1f;
        }
        mesh.vertices = at;
        mesh.normals = along;
        return mesh;
    }

    private static float Lowest(Vector3[] points)
    {
        var lowest = float.MaxValue;
        foreach (var p in points)
        {
            lowest = Math.Min(lowest, p.y);
        }
        return lowest;
    }

    private static void HairKeepsItsShapeAndTurnsWithTheHead()
    {
        var head = new GameObject("head");
        head.transform.position = new Vector3(0.2f, 1.6f, -0.4f);
        head.transform.rotation = Quaternion.AngleAxis(30, new Vector3(0, 1, 0));
        var filter = head.AddComponent<MeshFilter>();
        var hair = head.AddComponent<WithyHair>();
        Require(UnityEngine.Debug.Errors.Count == 1 && UnityEngine.Debug.Errors[0].Contains("neither strands nor a scalp"), "said");
        UnityEngine.Debug.Errors.Clear();
        hair.enabled = false;
        hair.scalp = Scalp();
        hair.strands = 60;
        hair.enabled = true;
        Require(hair.IsSimulated, "it is simulated");
        var start = (Vector3[])hair.Points.Clone();
        Frames(120);
        float worst = 0;
        for (var i = 0; i < start.Length; i++)
        {
            worst = Math.Max(worst, (hair.Points[i] - start[i]).magnitude);
        }
        Require(worst < 2e-3f, "it does not sag: " + worst);
        // The head turns by 90 degrees in half a second and waits: the hair is as before, turned.
        var from = head.transform.rotation;
        for (var i = 1; i <= 30; i++)
        {
            head.transform.rotation = Quaternion.AngleAxis(3 * i, new Vector3(0, 1, 0)) * from;
            Scene.Frame(Dt);
        }
        Frames(300);
        worst = 0;
        var turn = Quaternion.AngleAxis(90, new Vector3(0, 1, 0));
        for (var i = 0; i < start.Length; i++)
        {
            var want = head.transform.position + turn * (start[i] - head.transform.position);
            worst = Math.Max(worst, (hair.Points[i] - want).magnitude);
        }
        Require(worst < 5e-3f, "it turned with the head: " + worst);
        // Fields take effect while it plays; one that is refused is named once, and nothing else changes.
        var before = Lowest(hair.Points);
        hair.youngModulus = 4e5f;
        Frames(240);
        Require(Lowest(hair.Points) < before - 0.02f, "soft hair hangs: " + before + ", " + Lowest(hair.Points));
        var soft = Lowest(hair.Points);
        hair.friction = -1;
        for (var i = 0; i < 10; i++)
        {
            Scene.Frame(Dt);
        }
        Require(UnityEngine.Debug.Errors.Count == 1 && UnityEngine.Debug.Errors[0].Contains("friction is -1"), "named once");
        UnityEngine.Debug.Errors.Clear();
        hair.friction = 0.5f;
        hair.youngModulus = 4e9f;
        Frames(600);
        Require(Lowest(hair.Points) > soft + 0.02f, "and comes back: " + Lowest(hair.Points));
        Require(filter.sharedMesh.Indices.Length == 2 * 60 * 15, "lines");
        var shown = head.transform.TransformPoint(filter.sharedMesh.vertices[31]);
        Require((shown - hair.Points[31]).magnitude < 1e-4f, "drawn where it is");
        // A cut scene: the head is somewhere else.
        head.transform.position = new Vector3(10, 1, 0);
        Frames(30);
        Require((hair.Points[0] - head.transform.position).magnitude < 0.11f, "it jumped with the head");
    }

    /// <summary>A ball of 0.1 m of a skinned mesh renderer, with a seam as texture coordinates need one.</summary>
    private static SkinnedMeshRenderer SkinnedHead(int rings = 12, int around = 24)
    {
        var at = new Vector3[(rings + 1) * (around + 1)];
        var corners = new System.Collections.Generic.List<int>();
        for (var i = 0; i < at.Length; i++)
        {
            double down = Math.PI * (0.02 + 0.96 * (i / (around + 1)) / rings), turn = 2 * Math.PI * (i % (around + 1) % around) / around;
            at[i] = new Vector3((float)(Math.Sin(down) * Math.Cos(turn)), (float)Math.Cos(down), (float)(Math.Sin(down) * Math.Sin(turn))) * 0.1f;
            if (i / (around + 1) < rings && i % (around + 1) < around)
            {
                // Clockwise as seen from outside.
                corners.AddRange(new[] { i, i + 1, i + around + 1, i + 1, i + around + 2, i + around + 1 });
            }
        }
        var o = new GameObject("skin");
        // What the renderer's own transform is does not matter: bones say where the vertices are.
        o.transform.position = new Vector3(3, 4, 5);
        o.transform.rotation = Quaternion.AngleAxis(70, new Vector3(1, 1, 0));
        o.transform.localScale = new Vector3(2, 2, 2);
        var skin = o.AddComponent<SkinnedMeshRenderer>();
        skin.sharedMesh = new Mesh { vertices = at, triangles = corners.ToArray() };
        skin.Posed = new Vector3[at.Length];
        Pose(skin, new Vector3(0.2f, 1.6f, -0.4f), 0, 0);
        return skin;
    }

    private static Quaternion TurnOf(float turn)
    {
        return Quaternion.AngleAxis(turn, new Vector3(0.3f, 1, 0));
    }

    /// <summary>The head turned by so many degrees and stretched upwards.</summary>
    private static void Pose(SkinnedMeshRenderer skin, Vector3 to, float turn, float stretch)
    {
        var rest = skin.sharedMesh.vertices;
        for (var i = 0; i < rest.Length; i++)
        {
            skin.Posed[i] = to + TurnOf(turn) * new Vector3(rest[i].x, rest[i].y * (1 + stretch), rest[i].z);
        }
    }

    private static float Dot(Vector3 a, Vector3 b)
    {
        return a.x * b.x + a.y * b.y + a.z * b.z;
    }

    /// <summary>How deep the hair is in the head, as a part of its radius.</summary>
    private static float Depth(WithyHair hair, Vector3 to, float turn, float stretch)
    {
        float deepest = 0;
        foreach (var p in hair.Points)
        {
            var q = Quaternion.Inverse(TurnOf(turn)) * (p - to);
            deepest = Math.Max(deepest, 1 - new Vector3(q.x, q.y / (1 + stretch), q.z).magnitude / 0.1f);
        }
        return deepest;
    }

    private static void HairFollowsASkinnedHead()
    {
        var place = new Vector3(0.2f, 1.6f, -0.4f);
        var skin = SkinnedHead();
        skin.gameObject.AddComponent<WithyCollider>();
        // A child of a head bone, somewhere near.
        var o = new GameObject("hair");
        o.transform.position = place + new Vector3(0, 0.1f, 0);
        o.transform.rotation = Quaternion.AngleAxis(-20, new Vector3(0, 0, 1));
        o.AddComponent<MeshFilter>();
        var hair = o.AddComponent<WithyHair>();
        UnityEngine.Debug.Errors.Clear();
        // Strands between the vertices: from the middles of triangles of the upper half, straight outwards.
        var corners = skin.sharedMesh.triangles;
        var of = new System.Collections.Generic.List<int>();
        var strands = new System.Collections.Generic.List<Vector3>();
        for (var t = 0; t < corners.Length / 2; t += 15)
        {
            var root = (skin.Posed[corners[t]] + skin.Posed[corners[t + 1]] + skin.Posed[corners[t + 2]]) * (1 / 3f);
            of.Add(t);
            for (var i = 0; i < 9; i++)
            {
                strands.Add(o.transform.InverseTransformPoint(root + (root - place).normalized * (0.015f * i)));
            }
        }
        var counts = new int[of.Count];
        for (var s = 0; s < counts.Length; s++)
        {
            counts[s] = 9;
        }
        hair.enabled = false;
        hair.surface = skin;
        hair.friction = 0;
        hair.SetStrands(strands.ToArray(), counts);
        hair.enabled = true;
        Require(hair.IsSimulated, "it is simulated: " + string.Join("; ", UnityEngine.Debug.Errors.ToArray()));
        var first = new Vector3[counts.Length];
        Action<string> onTriangles = when =>
        {
            for (var s = 0; s < counts.Length; s++)
            {
                Vector3 a = skin.Posed[corners[of[s]]], b = skin.Posed[corners[of[s] + 1]], c = skin.Posed[corners[of[s] + 2]];
                var off = (hair.Points[9 * s] - (a + b + c) * (1 / 3f)).magnitude;
                Require(off < 1e-6f * (1 + a.magnitude), when + ": root " + s + " is on its triangle: " + off);
                // Clamped: it leaves as it did, seen from its triangle.
                Vector3 ab = (b - a).normalized, ac = (c - a).normalized, up = Vector3.Cross(ab, ac).normalized;
                var along = (ab + ac).normalized;
                var edge = (hair.Points[9 * s + 1] - hair.Points[9 * s]).normalized;
                var leaves = new Vector3(Dot(edge, along), Dot(edge, Vector3.Cross(up, along)), Dot(edge, up));
                if (first[s].magnitude == 0)
                {
                    first[s] = leaves;
                }
                Require((leaves - first[s]).magnitude < 0.15f, when + ": strand " + s + " leaves it as before: " + (leaves - first[s]).magnitude);
            }
        };
        onTriangles("at the start");
        var start = (Vector3[])hair.Points.Clone();
        Frames(120);
        onTriangles("at rest");
        float worst = 0;
        for (var i = 0; i < start.Length; i++)
        {
            worst = Math.Max(worst, (hair.Points[i] - start[i]).magnitude);
        }
        Require(worst < 2e-3f, "it does not sag: " + worst);
        // It turns by 80 degrees, is stretched by half, and walks on.
        Vector3 to = place;
        for (var i = 1; i <= 40; i++)
        {
            to = place + new Vector3(0.01f * i, 0, 0);
            Pose(skin, to, 2 * i, 0.5f * i / 40);
            Scene.Frame(Dt);
            onTriangles("in frame " + i);
        }
        Frames(60);
        onTriangles("after the turn");
        // A cut scene: somewhere else, and turned. The hair goes along as it is.
        Frames(300);
        start = (Vector3[])hair.Points.Clone();
        var far = to + new Vector3(10, -2, 0);
        Pose(skin, far, 140, 0.5f);
        Scene.Frame(Dt);
        onTriangles("after a jump");
        var turn = TurnOf(60);
        worst = 0;
        for (var i = 0; i < start.Length; i++)
        {
            worst = Math.Max(worst, (hair.Points[i] - (far + turn * (start[i] - to))).magnitude);
        }
        Require(worst < 5e-3f, "it jumped as a whole: " + worst);
        Require((o.GetComponent<MeshFilter>().sharedMesh.vertices[20] - o.transform.InverseTransformPoint(hair.Points[20])).magnitude < 1e-5f, "drawn");
        // Disabled meanwhile, it starts on the head as it is then.
        hair.enabled = false;
        Pose(skin, place, -60, 0.3f);
        hair.enabled = true;
        onTriangles("enabled again");
        var file = hair.SaveAsset();
        start = (Vector3[])hair.Points.Clone();
        Frames(60);
        onTriangles("and later");
        for (var i = 0; i < start.Length; i++)
        {
            Require((hair.Points[i] - start[i]).magnitude < 2e-3f, "in balance in that pose");
        }
        // What was saved is what it began as then.
        hair.enabled = false;
        hair.SetStrands(null, null);
        hair.asset = TextAsset.Stub(file);
        hair.enabled = true;
        for (var i = 0; i < start.Length; i++)
        {
            Require((hair.Points[i] - start[i]).magnitude < 1e-5f, "from the asset");
        }
        Frames(30);
        onTriangles("from the asset");    }

    private static void ARopeLiesOverASkinnedMesh()
    {
        var skin = SkinnedHead();
        var place = new Vector3(0.2f, 1.6f, -0.4f);
        Pose(skin, place - new Vector3(0, 0.4f, 0), 0, 0);
        skin.gameObject.AddComponent<WithyCollider>();
        var rope = Rope(new Vector3(-0.2f, 1.7f, -0.38f), new Vector3(0.6f, 1.7f, -0.38f), 0.9f);
        Frames(120);
        Require(rope.Points[15].y < 1.56f, "it hangs: " + rope.Points[15].y);
        // The head comes up and grows.
        for (var i = 1; i <= 60; i++)
        {
            Pose(skin, place + new Vector3(0, 0.4f * (i - 60) / 60, 0), 0, 0.5f * i / 60);
            Scene.Frame(Dt);
        }
        Frames(120);
        Require(rope.Points[15].y > 1.74f && rope.Points[15].y < 1.77f, "it lies on it: " + rope.Points[15].y);
        // A jump drags nothing along.
        var before = rope.Points[15].z;
        skin.GetComponent<WithyCollider>().teleportDistance = 0.01f;
        Pose(skin, place + new Vector3(0, 0, 0.03f), 0, 0.5f);
        Scene.Frame(Dt);
        Require(Math.Abs(rope.Points[15].z - before) < 5e-3f, "not dragged along: " + rope.Points[15].z + " after " + before);
        Pose(skin, place + new Vector3(0, 30, 0), 0, 0);
        Frames(120);
        Require(rope.Points[15].y < 1.56f, "it hangs again: " + rope.Points[15].y);
    }

    private static void HairGrowsOnASkinnedMesh()
    {
        var skin = SkinnedHead();
        Pose(skin, new Vector3(0, 1, 0), 30, 0.4f);
        var hair = new GameObject("hair").AddComponent<WithyHair>();
        hair.transform.localScale = new Vector3(0.1f, 0.1f, 0.1f);
        UnityEngine.Debug.Errors.Clear();
        hair.surface = skin;
        hair.strands = 50;
        hair.length = 0.15f;
        hair.droop = 0;
        hair.Rebuild();
        Require(hair.IsSimulated && hair.Points.Length == 50 * 16, "it grows: " + string.Join("; ", UnityEngine.Debug.Errors.ToArray()));
        for (var s = 0; s < 50; s++)
        {
            var root = hair.Points[16 * s];
            Require((root - skin.Posed[s * skin.Posed.Length / 50]).magnitude < 2e-6f, "on a vertex");
            var tip = Quaternion.Inverse(TurnOf(30)) * (hair.Points[16 * s + 15] - new Vector3(0, 1, 0));
            Require(new Vector3(tip.x, tip.y / 1.4f, tip.z).magnitude > 0.18f && Math.Abs((hair.Points[16 * s + 15] - root).magnitude - 0.15f) < 1e-3f,
                "outwards, of its length");
        }
        // Soft hair falls through the head unless that is a collider.
        hair.holdStartPose = false;
        hair.radius = 3e-5f;
        hair.Rebuild();
        Frames(120);
        var without = Depth(hair, new Vector3(0, 1, 0), 30, 0.4f);
        skin.gameObject.AddComponent<WithyCollider>();
        hair.Rebuild();
        Frames(120);
        var with = Depth(hair, new Vector3(0, 1, 0), 30, 0.4f);
        Require(without > 0.1f && with < 0.03f, "it lies on the head: " + without + " without, " + with + " with it");
        // Another mesh of another size: it grows there. None: said once.
        var small = SkinnedHead();
        skin.sharedMesh = new Mesh { vertices = new[] { new Vector3(0, 0, 0), new Vector3(0, 0, 1), new Vector3(1, 0, 0) }, triangles = new[] { 0, 1, 2 } };
        skin.Posed = skin.sharedMesh.vertices;
        Frames(2);
        Require(hair.IsSimulated && hair.Points.Length == 3 * 16 && hair.Points[0].magnitude < 3e-6f, "a strand a vertex");
        UnityEngine.Object.Destroy(skin.gameObject);
        Scene.Frame(Dt);
        Scene.Frame(Dt);
        Require(!hair.IsSimulated && UnityEngine.Debug.Errors.Count == 1, "it is gone with its skin");
        UnityEngine.Debug.Errors.Clear();
        // Unity's own words come late for a mesh that scripts cannot read: ours name the setting.
        hair.surface = small;
        hair.scalp = Scalp();
        hair.scalp.UploadMeshData(true);
        hair.Rebuild();
        Require(UnityEngine.Debug.Errors.Count == 1 && UnityEngine.Debug.Errors[0].Contains("Read/Write"), "said");
        UnityEngine.Debug.Errors.Clear();
        small.sharedMesh = null;
        hair.Rebuild();
        Require(UnityEngine.Debug.Errors.Count == 1 && UnityEngine.Debug.Errors[0].Contains("skin has no mesh"), "said");
        UnityEngine.Debug.Errors.Clear();
    }

    private static void HairComesBackFromItsAsset()
    {
        var head = new GameObject("head");
        head.transform.position = new Vector3(0.2f, 1.6f, -0.4f);
        head.AddComponent<MeshFilter>();
        var hair = head.AddComponent<WithyHair>();
        UnityEngine.Debug.Errors.Clear();
        hair.enabled = false;
        hair.scalp = Scalp();
        hair.strands = 40;
        hair.enabled = true;
        var file = hair.SaveAsset();
        Frames(20);
        var played = (Vector3[])hair.Points.Clone();
        hair.enabled = false;
        // Without a scalp: strands and rest shape are those of the asset, to the bit.
        hair.scalp = null;
        hair.asset = TextAsset.Stub(file);
        hair.enabled = true;
        Require(hair.IsSimulated, "from the asset");
        Frames(20);
        for (var i = 0; i < played.Length; i++)
        {
            Require((hair.Points[i] - played[i]).magnitude == 0, "bit for bit");
        }
        Require(System.Convert.ToBase64String(hair.SaveAsset()) == System.Convert.ToBase64String(file), "saved again it is the same");
        // For another material its rest shape does not hold: one is looked for.
        hair.enabled = false;
        hair.radius = 3e-4f;
        hair.enabled = true;
        var start = (Vector3[])hair.Points.Clone();
        Frames(60);
        for (var i = 0; i < start.Length; i++)
        {
            Require((hair.Points[i] - start[i]).magnitude < 2e-3f, "it does not sag");
        }
        // A damaged file is named, and throws nothing.
        file[file.Length / 2] ^= 1;
        hair.enabled = false;
        hair.asset = TextAsset.Stub(file);
        hair.enabled = true;
        Require(UnityEngine.Debug.Errors.Count == 1 && UnityEngine.Debug.Errors[0].Contains("asset: chunk"), "damage is named");
        UnityEngine.Debug.Errors.Clear();
    }

    private static void StrandsOfYourOwnInAScenesOwnSimulation()
    {
        var head = new GameObject("head");
        head.transform.position = new Vector3(1, 2, 3);
        head.transform.localScale = new Vector3(0.01f, 0.01f, 0.01f);
        var hair = head.AddComponent<WithyHair>();
        Require(UnityEngine.Debug.Errors.Count == 1 && !hair.IsSimulated, "nothing to simulate yet");
        UnityEngine.Debug.Errors.Clear();
        var strands = new Vector3[12];
        for (var i = 0; i < 12; i++)
        {
            strands[i] = new Vector3(i / 4, -5 * (i % 4), 0);
        }
        hair.SetStrands(strands, new[] { 4, 4, 4 });
        Require(hair.IsSimulated && hair.Points.Length == 12, "they are there");
        hair.segments = 3;
        Frames(30);
        Require((hair.Points[4] - new Vector3(1.01f, 2, 3)).magnitude < 1e-4f, "scaled as the object");
        // One that was made by itself makes room for the scene's own.
        var made = WithySimulation.Active;
        var own = new GameObject("own").AddComponent<WithySimulation>();
        Require(WithySimulation.Active == own && own != made && hair.IsSimulated, "they are in the scene's own");
        Frames(5);
        // Grown on a scalp of a head of that scale, hair is as long as it says.
        hair.SetStrands(null, null);
        UnityEngine.Debug.Errors.Clear();
        hair.scalp = Scalp();
        hair.length = 0.1f;
        hair.Rebuild();
        float length = 0;
        for (var i = 0; i < 3; i++)
        {
            length += (hair.Points[i + 1] - hair.Points[i]).magnitude;
        }
        Require(Math.Abs(length - 0.1f) < 1e-3f, "a strand of 0.1 m: " + length);
        Frames(5);
    }

    private static void TheSamplePlays()
    {
        new GameObject("sample").AddComponent<FirstSteps>();
        Frames(1);
        Require(UnityEngine.Debug.Errors.Count == 0, "no errors");
        var ropes = new System.Collections.Generic.List<WithyRope>();
        foreach (var o in Scene.All)
        {
            var rope = o.GetComponent<WithyRope>();
            if (rope != null)
            {
                ropes.Add(rope);
            }
        }
        Require(ropes.Count == 2 && ropes[0].IsSimulated && ropes[1].IsSimulated, "two ropes");
        float highest = 0, lowest = 9, left = 9, right = -9;
        for (var i = 0; i < 600; i++)
        {
            Frames(1);
            var middle = ropes[0].Points[15].y;
            var tip = ropes[1].Points[30].x;
            highest = Math.Max(highest, middle);
            lowest = Math.Min(lowest, middle);
            left = Math.Min(left, tip);
            right = Math.Max(right, tip);
        }
        Require(highest > 1.5f && lowest < 1.35f, "the ball lifts the rope: " + lowest + " to " + highest);
        Require(left < -0.4f && right > 0.4f, "the other is swung: " + left + " to " + right);
    }

    /// <summary>A body of five bones one above the other and an arm to each side, as the Ragdoll Wizard leaves it.</summary>
    private static Transform[] Character()
    {
        var bones = new Transform[9];
        for (var i = 0; i < 9; i++)
        {
            var o = new GameObject("bone" + i);
            bones[i] = o.transform;
            if (i < 5)
            {
                bones[i].position = new Vector3(0, 1 + 0.2f * i, 0);
            }
            else
            {
                // Arms: two bones each from the fourth.
                var side = i < 7 ? 1 : -1;
                bones[i].position = new Vector3(side * (0.15f + 0.3f * ((i - 5) % 2)), 1.6f, 0);
            }
            if (i > 0)
            {
                bones[i].parent = bones[i < 5 ? i - 1 : i == 5 || i == 7 ? 3 : i - 1];
            }
            // Bones 1 and 2 are of the spine, between pelvis and chest.
            if (i == 1 || i == 2)
            {
                continue;
            }
            var rigid = o.AddComponent<Rigidbody>();
            rigid.mass = 5;
            var capsule = o.AddComponent<CapsuleCollider>();
            capsule.radius = 0.06f;
            capsule.height = 0.26f;
            capsule.direction = i < 5 ? 1 : 0;
            capsule.center = i < 5 ? new Vector3(0, 0.08f, 0) : new Vector3((i < 7 ? 1 : -1) * 0.13f, 0, 0);
        }
        return bones;
    }

    private static void ACharacterFallsAndRecovers()
    {
        foreach (var spine in new[] { false, true })
        {
            Scene.Clear();
            new GameObject("floor").AddComponent<WithyCollider>();
            var bones = Character();
            var ragdoll = bones[0].gameObject.AddComponent<WithyRagdoll>();
            if (spine)
            {
                ragdoll.enabled = false;
                ragdoll.spineFrom = bones[0];
                ragdoll.spineTo = bones[3];
                ragdoll.enabled = true;
            }
            Require(ragdoll.IsSimulated && !ragdoll.IsReleased && ragdoll.Bones.Length == 9, "it is there");
            Require(bones[0].GetComponent<Rigidbody>().isKinematic, "Unity's physics leaves the bones alone");
            // It is animated: it walks along x at 1.2 m/s.
            var bind = new Vector3[9];
            for (var b = 0; b < 9; b++)
            {
                bind[b] = bones[b].position;
            }
            Action<float> animate = x =>
            {
                for (var b = 0; b < 9; b++)
                {
                    bones[b].SetPositionAndRotation(bind[b] + new Vector3(x, 0, 0), Quaternion.identity);
                }
            };
            for (var i = 0; i < 10; i++)
            {
                animate(0.02f * i);
                Frames(1);
                Require((bones[4].position - bind[4] - new Vector3(0.02f * i, 0, 0)).magnitude < 1e-6f, "the animation has it");
            }
            ragdoll.Release();
            Frames(2);
            Require(ragdoll.IsReleased && Math.Abs(bones[4].position.x - 0.22f) < 0.02f, "it goes on: " + bones[4].position.x);
            Frames(300);
            float highest = 0, lowest = 1, longest = 0;
            for (var b = 0; b < 9; b++)
            {
                highest = Math.Max(highest, bones[b].position.y);
                lowest = Math.Min(lowest, bones[b].position.y);
                if (b > 0)
                {
                    var length = (bones[b].position - bones[b].parent.position).magnitude;
                    longest = Math.Max(longest, Math.Abs(length / (bind[b] - Bind(bind, bones, b)).magnitude - 1));
                }
            }
            Require(lowest > -0.01f && highest < 0.75f, "it lies on the floor: " + lowest + " to " + highest);
            // The arc's length is that of the spine; bones along it are read back.
            Require(longest < (spine ? 0.1f : 0.02f), "its bones keep their length: " + longest);
            var lying = bones[4].position;
            ragdoll.Push(bones[3], new Vector3(0, 3000, 0));
            Frames(3);
            Require((bones[4].position - lying).magnitude > 0.001f, "it is pushed");
            ragdoll.Recover(0.5f);
            float last = (bones[4].position - bind[4]).magnitude;
            for (var i = 0; i < 40; i++)
            {
                animate(0);
                Frames(1);
                var now = (bones[4].position - bind[4]).magnitude;
                Require(now < last + 0.1f, "it comes back: " + now + " after " + last);
                last = now;
            }
            Require(last < 1e-4f && !ragdoll.IsReleased, "the animation has it again: " + last);
            ragdoll.Release();
            Frames(10);
            ragdoll.enabled = false;
            Require(!bones[0].GetComponent<Rigidbody>().isKinematic, "Unity's physics has it again");
            ragdoll.spineFrom = bones[1];
            ragdoll.spineTo = bones[3];
            ragdoll.enabled = true;
            Require(UnityEngine.Debug.Errors.Count == 1 && UnityEngine.Debug.Errors[0].Contains("spineFrom"), "named");
            UnityEngine.Debug.Errors.Clear();
        }
    }

    private static Vector3 Bind(Vector3[] bind, Transform[] bones, int b)
    {
        return bind[Array.IndexOf(bones, bones[b].parent)];
    }

    private static void ComponentsComeAndGo()
    {
        var rope = Rope(new Vector3(0, 3, 0), null, 1);
        var simulation = WithySimulation.Active;
        for (var i = 0; i < 200; i++)
        {
            rope.enabled = false;
            Require(!rope.IsSimulated && rope.Points == null, "it is gone");
            Frames(1);
            rope.enabled = true;
            Frames(1);
            Require(rope.IsSimulated, "it is back");
        }
        // A scene's own simulation that is enabled after its parts: they wait for it.
        UnityEngine.Object.Destroy(simulation.gameObject);
        rope.enabled = false;
        simulation = new GameObject("withy").AddComponent<WithySimulation>();
        simulation.enabled = false;
        rope.enabled = true;
        Require(!rope.IsSimulated, "it waits");
        simulation.enabled = true;
        Require(rope.IsSimulated && WithySimulation.Active == simulation, "it is in the scene's own");
        // The simulation goes first, as when a scene is unloaded, and another comes.
        for (var i = 0; i < 50; i++)
        {
            UnityEngine.Object.Destroy(simulation.gameObject);
            Require(WithySimulation.Active == null && !rope.IsSimulated, "all is gone");
            Frames(1);
            simulation = new GameObject("withy").AddComponent<WithySimulation>();
            Frames(2);
            Require(rope.IsSimulated, "it is in the new one");
        }
        var second = new GameObject("second").AddComponent<WithySimulation>();
        Require(UnityEngine.Debug.Errors.Count == 1 && !second.enabled, "two are refused");
        UnityEngine.Debug.Errors.Clear();
        Require(WithySimulation.Active == simulation, "the first stays");
    }

    private static void BadFieldsAreNamedAndThrowNothing()
    {
        var rope = Rope(new Vector3(0, 3, 0), null, 1);
        rope.enabled = false;
        rope.radius = -1;
        rope.enabled = true;
        Require(UnityEngine.Debug.Errors.Count == 1 && UnityEngine.Debug.Errors[0].Contains("radius is -1"), "named");
        UnityEngine.Debug.Errors.Clear();
        Frames(10);
        rope.enabled = false;
        rope.radius = 0.01f;
        rope.enabled = true;
        Frames(10);
        Require(rope.IsSimulated, "mended");
        // Paused: nothing moves, nothing is said. Then a long hitch.
        var before = rope.Points[30];
        Scene.Frame(0);
        Require((rope.Points[30] - before).magnitude == 0, "paused");
        Scene.Frame(0.5f);
        Scene.Frame(5);
        Frames(60);
        Require(Math.Abs(Length(rope.Points) - 1) < 0.02f, "after a hitch: " + Length(rope.Points));
    }

    private static void FramesMakeNoGarbage()
    {
        var head = new GameObject("head");
        head.AddComponent<MeshFilter>();
        var hair = head.AddComponent<WithyHair>();
        UnityEngine.Debug.Errors.Clear();
        hair.enabled = false;
        hair.scalp = Scalp();
        hair.strands = 20;
        hair.segments = 5;
        hair.enabled = true;
        Rope(new Vector3(-1, 3, 0), new Vector3(1, 3, 0), 3);
        new GameObject("ball").AddComponent<WithyCollider>();
        var skin = SkinnedHead(4, 8);
        skin.gameObject.AddComponent<WithyCollider>();
        var other = new GameObject("hair").AddComponent<WithyHair>();
        UnityEngine.Debug.Errors.Clear();
        other.surface = skin;
        other.strands = 20;
        other.segments = 5;
        other.Rebuild();
        Require(other.IsSimulated, "it grows on the skin");
        var rest = skin.sharedMesh.vertices;
        var simulation = WithySimulation.Active;
        // What a step does is the same, done less often.
        simulation.World.SetIterations(1, 1);
        for (var i = 0; i < 10; i++)
        {
            simulation.Step(Dt);
        }
        var collections = GC.CollectionCount(0);
        var method = typeof(GC).GetMethod("GetAllocatedBytesForCurrentThread", Type.EmptyTypes);
        var allocated = method == null ? null : (Func<long>)Delegate.CreateDelegate(typeof(Func<long>), method);
        var before = allocated == null ? GC.GetTotalMemory(false) : allocated();
        for (var i = 0; i < 10000; i++)
        {
            for (var k = 0; k < rest.Length; k++)
            {
                skin.Posed[k] = new Vector3(rest[k].x, 1.6f + rest[k].y * (1 + 0.2f * (float)Math.Sin(0.1 * i)), rest[k].z);
            }
            simulation.Step(Dt);
        }
        var garbage = (allocated == null ? GC.GetTotalMemory(false) : allocated()) - before;
        Require(garbage == 0 && GC.CollectionCount(0) == collections, "no garbage in 10,000 steps: " + garbage + " bytes");
    }

    private static void EveryFieldIsExplained()
    {
        var fields = 0;
        foreach (var type in typeof(WithyRope).Assembly.GetTypes())
        {
            if (type.Namespace != "Withy.Unity" || !typeof(MonoBehaviour).IsAssignableFrom(type) || type.IsAbstract)
            {
                continue;
            }
            Require(type.GetCustomAttributes(typeof(AddComponentMenu), false).Length == 1, type.Name + " is in the menu");
            foreach (var field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.DeclaredOnly))
            {
                Require(field.GetCustomAttributes(typeof(TooltipAttribute), false).Length == 1
                    || typeof(UnityEngine.Object).IsAssignableFrom(field.FieldType), type.Name + "." + field.Name + " has a tooltip");
                fields++;
            }
        }
        Require(fields > 25, "fields: " + fields);
    }

    public static int Main()
    {
        var tests = new Action[]
        {
            ARopeHangsBetweenTwoObjects, ARopeLiesOverABall, HairKeepsItsShapeAndTurnsWithTheHead,
            HairFollowsASkinnedHead, ARopeLiesOverASkinnedMesh, HairGrowsOnASkinnedMesh, HairComesBackFromItsAsset,
            StrandsOfYourOwnInAScenesOwnSimulation, TheSamplePlays, ACharacterFallsAndRecovers, ComponentsComeAndGo,
            BadFieldsAreNamedAndThrowNothing, FramesMakeNoGarbage, EveryFieldIsExplained, TheMenuMakesWhatPlays,
            TheMenuTakesWhatIsSelected, InspectorsSayWhatIsWrong, HairIsSavedInTheEditor, GizmosShowShapes,
        };
        foreach (var test in tests)
        {
            try
            {
                test();
                Console.WriteLine("  ok " + test.Method.Name);
            }
            catch (Exception e)
            {
                Console.WriteLine("FAILED " + test.Method.Name + ": " + e);
                return 1;
            }
            finally
            {
                Scene.Clear();
            }
            if (WithySimulation.Active != null)
            {
                Console.WriteLine("FAILED " + test.Method.Name + ": a simulation is left");
                return 1;
            }
        }
        return 0;
    }
}
