using System;
using System.Collections.Generic;
using UnityEngine;

namespace Withy.Unity
{
    /// <summary>When the simulation steps.</summary>
    public enum StepIn
    {
        /// <summary>With Unity's physics, by its fixed time step. The default.</summary>
        FixedUpdate,
        /// <summary>Once a frame after animation, by the frame's time.</summary>
        LateUpdate,
    }

    /// <summary>Everything of withy in a scene is stepped here, together. One is made by itself when the first rope,
    /// hair or collider is enabled and there is none.</summary>
    [AddComponentMenu("withy/Simulation")]
    [DisallowMultipleComponent]
    [DefaultExecutionOrder(1000)]
    public sealed class WithySimulation : MonoBehaviour
    {
        [Tooltip("When the simulation steps: with physics, or once a frame after animation.")]
        public StepIn stepIn = StepIn.FixedUpdate;

        [Tooltip("Substeps of a step. More are stiffer and more exact.")]
        [Range(1, 64)]
        public int substeps = 8;

        [Tooltip("Sweeps over the constraints in each substep.")]
        [Range(1, 100)]
        public int iterations = 4;

        [Tooltip("Threads of the library's own; 0: Unity's main thread does the work.")]
        [Range(0, 64)]
        public int threads = 0;

        [Tooltip("Use the gravity of Project Settings > Physics; if not, the vector below.")]
        public bool usePhysicsGravity = true;

        [Tooltip("m/s^2, if the gravity of Physics is not used.")]
        public Vector3 gravity = new Vector3(0, -9.81f, 0);

        /// <summary>The one that parts are added to.</summary>
        public static WithySimulation Active { get; private set; }

        /// <summary>So many steps were made.</summary>
        internal static int Steps { get; private set; }

        private static readonly List<WithyPart> Parts = new List<WithyPart>();

        private Context context;
        private World world;
        private Vector3 gravityNow;
        private bool automatic;

        /// <summary>The library's context; null while the component is disabled.</summary>
        public Context Context
        {
            get { return context; }
        }

        /// <summary>The library's world, for what the components do not offer; null while the component is disabled.</summary>
        public World World
        {
            get { return world; }
        }

        internal static void Add(WithyPart part)
        {
            Parts.Add(part);
            if (Active != null)
            {
                part.MakeIn(Active);
            }
            else if (Find() == null)
            {
                // Its OnEnable makes all parts that wait. So does that of one that is about to be enabled, or disabled.
                // It stays when scenes are left, as what is in it may.
                var made = new GameObject("withy");
                DontDestroyOnLoad(made);
                made.AddComponent<WithySimulation>().automatic = true;
            }
        }

        private static WithySimulation Find()
        {
#if UNITY_2023_1_OR_NEWER
            return FindAnyObjectByType<WithySimulation>();
#else
            return FindObjectOfType<WithySimulation>();
#endif
        }

        internal static void Remove(WithyPart part)
        {
            Parts.Remove(part);
            part.Drop();
        }

        private void OnEnable()
        {
            if (Active != null && Active.automatic)
            {
                // A scene's own takes the place of one that was made by itself.
                var old = Active;
                old.enabled = false;
                Destroy(old.gameObject);
            }
            if (Active != null)
            {
                Debug.LogError("withy: the scene has a WithySimulation already, on " + Active.name, this);
                enabled = false;
                return;
            }
            try
            {
                var contextDef = WithyContextDef.Default();
                contextDef.convention = Convention.Unity;
                contextDef.threads = (uint)Math.Max(threads, 0);
                context = new Context(contextDef);
                world = NewWorld(context, this);
                gravityNow = Gravity();
            }
            catch (Exception e)
            {
                Debug.LogError("withy: " + e.Message, this);
                Drop();
                enabled = false;
                return;
            }
            Active = this;
            for (var i = 0; i < Parts.Count; i++)
            {
                Parts[i].MakeIn(this);
            }
        }

        private void OnDisable()
        {
            if (Active != this)
            {
                return;
            }
            Active = null;
            for (var i = 0; i < Parts.Count; i++)
            {
                Parts[i].Drop();
            }
            Drop();
        }

        private void Drop()
        {
            world = null;
            if (context != null)
            {
                // Takes the world and all that is in it.
                context.Dispose();
                context = null;
            }
        }

        private Vector3 Gravity()
        {
            return usePhysicsGravity ? Physics.gravity : gravity;
        }

        /// <summary>As a simulation in the scene says; as one that is made by itself, if that is null.</summary>
        private static World NewWorld(Context context, WithySimulation settings)
        {
            var def = WithyWorldDef.Default();
            def.substeps = (uint)Math.Max(settings == null ? 8 : settings.substeps, 1);
            def.iterations = (uint)Math.Max(settings == null ? 4 : settings.iterations, 1);
            var made = new World(context, def);
            made.Gravity = Convert.ToWithy(settings == null ? Physics.gravity : settings.Gravity());
            return made;
        }

        /// <summary>A world as the scene's would be, of a context of its own, for what is found out while nothing plays.</summary>
        internal static World NewWorld(Context context)
        {
            return NewWorld(context, Find());
        }

        private void SetGravity()
        {
            var now = Gravity();
            if (now != gravityNow)
            {
                gravityNow = now;
                world.Gravity = Convert.ToWithy(now);
            }
        }

        private void FixedUpdate()
        {
            if (stepIn == StepIn.FixedUpdate)
            {
                Step(Time.fixedDeltaTime);
            }
        }

        private void LateUpdate()
        {
            if (stepIn == StepIn.LateUpdate)
            {
                Step(Time.deltaTime);
            }
        }

        /// <summary>Advances everything by so many seconds, for who steps by himself.</summary>
        public void Step(float dt)
        {
            // A paused game; less than the library steps by.
            if (world == null || !(dt > 1e-6f))
            {
                return;
            }
            try
            {
                SetGravity();
                Steps++;
                for (var i = 0; i < Parts.Count; i++)
                {
                    Parts[i].Before();
                }
                world.Step(Math.Min(dt, 1.0f));
                for (var i = 0; i < Parts.Count; i++)
                {
                    Parts[i].After();
                }
            }
            catch (WithyException e)
            {
                Debug.LogError("withy: " + e.Message, this);
                enabled = false;
            }
        }
    }

    /// <summary>Between Unity's numbers and the library's.</summary>
    public static class Convert
    {
        public static WithyVec3 ToWithy(Vector3 v)
        {
            return new WithyVec3(v.x, v.y, v.z);
        }

        public static WithyQuat ToWithy(Quaternion q)
        {
            return new WithyQuat(q.x, q.y, q.z, q.w);
        }
    }

    /// <summary>What takes part in a simulation while it is enabled.</summary>
    public abstract class WithyPart : MonoBehaviour
    {
        private bool made;

        /// <summary>Whether the library has it: enabled, and no field of it was refused.</summary>
        public bool IsSimulated
        {
            get { return made; }
        }

        protected virtual void OnEnable()
        {
            WithySimulation.Add(this);
        }

        protected virtual void OnDisable()
        {
            WithySimulation.Remove(this);
        }

        internal void MakeIn(WithySimulation simulation)
        {
            if (made)
            {
                return;
            }
            try
            {
                Make(simulation);
                made = true;
            }
            catch (Exception e)
            {
                // Named once, where it is: a field that the library refuses.
                Debug.LogError("withy: " + name + ": " + e.Message, this);
                Destroyed();
            }
        }

        /// <summary>Changes rods while they are simulated. What the library refuses is named once, and they stay as they are.</summary>
        protected void Change(Rods rods, WithyRodsDef def)
        {
            try
            {
                rods.Change(def);
            }
            catch (Exception e)
            {
                Debug.LogError("withy: " + name + ": " + e.Message, this);
            }
        }

        internal void Drop()
        {
            if (made)
            {
                made = false;
                Destroyed();
            }
        }

        internal void Before()
        {
            if (made)
            {
                BeforeStep();
            }
        }

        internal void After()
        {
            if (made)
            {
                AfterStep();
            }
        }

        /// <summary>Makes it anew with the fields of now, at its start.</summary>
        public void Rebuild()
        {
            if (isActiveAndEnabled && WithySimulation.Active != null)
            {
                Drop();
                MakeIn(WithySimulation.Active);
            }
        }

        protected abstract void Make(WithySimulation simulation);

        /// <summary>Tells the library what moved in the scene.</summary>
        protected abstract void BeforeStep();

        /// <summary>Shows what moved in the library.</summary>
        protected abstract void AfterStep();

        /// <summary>Gives back what <see cref="Make"/> made, or the part of it that it came to.</summary>
        protected abstract void Destroyed();
    }
}
