using UnityEngine;
using Withy.Unity;

/// <summary>Put this on an empty object of an empty scene and press Play: a rope between two posts, a ball that comes
/// up under it, a rope with a free end that is swung, and a floor.</summary>
public sealed class FirstSteps : MonoBehaviour
{
    [Tooltip("Drawn with; none: Unity's default material for lines.")]
    public Material material;

    private Transform ball, hand;
    private float time;

    private void Start()
    {
        new GameObject("floor").AddComponent<WithyCollider>();
        var left = Post("left", new Vector3(-1, 2, 0));
        var right = Post("right", new Vector3(1, 2, 0));
        Rope(left, right, 2.6f);
        ball = GameObject.CreatePrimitive(PrimitiveType.Sphere).transform;
        ball.localScale = new Vector3(0.5f, 0.5f, 0.5f);
        ball.gameObject.AddComponent<WithyCollider>();
        hand = Post("hand", new Vector3(0, 2.5f, 2));
        Rope(hand, null, 1.5f);
        Move();
    }

    private static Transform Post(string name, Vector3 place)
    {
        var post = new GameObject(name).transform;
        post.position = place;
        return post;
    }

    private void Rope(Transform from, Transform to, float length)
    {
        var line = from.gameObject.AddComponent<LineRenderer>();
        line.widthMultiplier = 0.02f;
        line.sharedMaterial = material;
        // Set up while it is off: fields are read when a component is enabled.
        from.gameObject.SetActive(false);
        var rope = from.gameObject.AddComponent<WithyRope>();
        rope.end = to;
        rope.length = length;
        rope.radius = 0.01f;
        from.gameObject.SetActive(true);
    }

    private void Move()
    {
        ball.position = new Vector3(0.2f, 0.8f + 0.5f * Mathf.Sin(0.8f * time), 0);
        hand.position = new Vector3(0.6f * Mathf.Sin(2 * time), 2.5f, 2);
    }

    private void FixedUpdate()
    {
        time += Time.fixedDeltaTime;
        Move();
    }
}
