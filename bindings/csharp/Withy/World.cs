using System;

namespace Withy
{
    /// <summary>The host's units, axes and threads. Disposing it destroys its worlds and all that is in them.</summary>
    public sealed unsafe class Context : IDisposable
    {
        private WithyContext handle;

        public Context() : this(Convention.Si)
        {
        }

        /// <param name="convention">Units and axes.</param>
        /// <param name="threads">0: worlds are stepped by the thread that calls; n: a pool of n threads.</param>
        public Context(Convention convention, uint threads = 0)
        {
            Check.Version();
            var def = WithyContextDef.Default();
            def.convention = convention;
            def.threads = threads;
            Create(&def);
        }

        public Context(WithyContextDef def)
        {
            Check.Version();
            Create(&def);
        }

        private void Create(WithyContextDef* def)
        {
            WithyContext made;
            Check.Ok(Native.withy_context_create(def, &made));
            handle = made;
        }

        public WithyContext Handle
        {
            get { return handle; }
        }

        /// <summary>All contexts of the process, before the library or a domain is unloaded. Owners that are left name nothing.</summary>
        public static void DestroyAll()
        {
            Check.Ok(Native.withy_context_destroy_all());
        }

        /// <summary>What the GPU's driver has compiled, for a file that a later run loads. Empty: nothing.</summary>
        public byte[] SaveGpuCache()
        {
            ulong size = 0;
            Check.Ok(Native.withy_context_save_gpu_cache(handle, null, &size));
            var cache = new byte[size];
            fixed (byte* data = cache)
            {
                Check.Ok(Native.withy_context_save_gpu_cache(handle, data, &size));
            }
            return cache;
        }

        /// <summary>For worlds that are made afterwards. What is damaged or of another GPU is not used.</summary>
        public void LoadGpuCache(byte[] cache)
        {
            fixed (byte* data = cache)
            {
                Check.Ok(Native.withy_context_load_gpu_cache(handle, data, (ulong)cache.Length));
            }
        }

        /// <summary>Done once; a second time it does nothing.</summary>
        public void Dispose()
        {
            if (!handle.IsNull)
            {
                Check.Ok(Native.withy_context_destroy(handle));
                handle = new WithyContext();
            }
        }
    }

    /// <summary>Everything that can touch, stepped as a whole.</summary>
    public sealed unsafe class World : IDisposable
    {
        private WithyWorld handle;

        public World(Context context) : this(context, WithyWorldDef.Default())
        {
        }

        public World(Context context, WithyWorldDef def)
        {
            WithyWorld made;
            Check.Ok(Native.withy_world_create(context.Handle, &def, &made));
            handle = made;
        }

        public WithyWorld Handle
        {
            get { return handle; }
        }

        /// <summary>Advances everything by <paramref name="dt"/> seconds, 1e-6 to 10.</summary>
        public void Step(double dt)
        {
            Check.Ok(Native.withy_world_step(handle, dt));
        }

        /// <summary>Host units/s^2.</summary>
        public WithyVec3 Gravity
        {
            get
            {
                WithyVec3 value;
                Check.Ok(Native.withy_world_get_gravity(handle, &value));
                return value;
            }
            set { Check.Ok(Native.withy_world_set_gravity(handle, &value)); }
        }

        public void SetIterations(uint substeps, uint iterations)
        {
            Check.Ok(Native.withy_world_set_iterations(handle, substeps, iterations));
        }

        /// <summary>All that steps change. <paramref name="into"/> is used again if it is large enough.</summary>
        /// <returns>The bytes that were written.</returns>
        public int SaveState(ref byte[] into)
        {
            ulong size = 0;
            Check.Ok(Native.withy_world_save_state(handle, null, &size));
            if (into == null || (ulong)into.Length < size)
            {
                into = new byte[size];
            }
            fixed (byte* data = into)
            {
                size = (ulong)into.Length;
                Check.Ok(Native.withy_world_save_state(handle, data, &size));
            }
            return (int)size;
        }

        /// <summary>Back to a saved state, bit for bit.</summary>
        public void RestoreState(byte[] state, int size)
        {
            if (size < 0 || size > state.Length)
            {
                throw new ArgumentOutOfRangeException("size");
            }
            fixed (byte* data = state)
            {
                Check.Ok(Native.withy_world_restore_state(handle, data, (ulong)size));
            }
        }

        /// <summary>What the last step did.</summary>
        public WithyStepStats Stats
        {
            get
            {
                var stats = new WithyStepStats();
                Check.Ok(Native.withy_world_read_stats_sized(handle, &stats, (uint)sizeof(WithyStepStats)));
                return stats;
            }
        }

        /// <summary>Why the last call on it failed, on whatever thread; empty before the first failure.</summary>
        public string LastError
        {
            get
            {
                ulong size = 0;
                Check.Ok(Native.withy_world_last_error(handle, null, &size));
                var text = new byte[size];
                fixed (byte* data = text)
                {
                    Check.Ok(Native.withy_world_last_error(handle, data, &size));
                }
                return System.Text.Encoding.UTF8.GetString(text, 0, (int)size - 1);
            }
        }

        /// <summary>What simulates: "cpu", or the GPU's name; why not the GPU, if that was asked for.</summary>
        public string Backend
        {
            get
            {
                ulong size = 0;
                Check.Ok(Native.withy_world_backend(handle, null, &size));
                var text = new byte[size];
                fixed (byte* data = text)
                {
                    Check.Ok(Native.withy_world_backend(handle, data, &size));
                }
                return System.Text.Encoding.UTF8.GetString(text, 0, (int)size - 1);
            }
        }

        /// <summary>Equal on every machine for the same calls.</summary>
        public ulong StateHash
        {
            get
            {
                ulong hash;
                Check.Ok(Native.withy_world_state_hash(handle, &hash));
                return hash;
            }
        }

        /// <summary>Poses of all bodies; a span that is null is not wanted.</summary>
        public void ReadBodies(WithySpan* positions, WithySpan* rotations)
        {
            Check.Ok(Native.withy_world_read_bodies(handle, null, Native.WITHY_ALL, positions, rotations, null, null, null));
        }

        public void Dispose()
        {
            if (!handle.IsNull)
            {
                Check.Ok(Native.withy_world_destroy(handle));
                handle = new WithyWorld();
            }
        }
    }

    /// <summary>A rigid shape that the host moves and that rods and bodies slide on.</summary>
    public sealed unsafe class Collider : IDisposable
    {
        private WithyCollider handle;

        public Collider(World world, WithyColliderDef def)
        {
            WithyCollider made;
            Check.Ok(Native.withy_collider_create(world.Handle, &def, &made));
            handle = made;
        }

        public WithyCollider Handle
        {
            get { return handle; }
        }

        /// <summary>Where it shall be at the end of the next step; with <paramref name="teleport"/> at once.</summary>
        public void SetPose(WithyPose pose, bool teleport = false)
        {
            Check.Ok(Native.withy_collider_set_pose(handle, &pose, teleport ? 1u : 0u));
        }

        public WithyPose Pose
        {
            get
            {
                WithyPose pose;
                Check.Ok(Native.withy_collider_get_pose(handle, &pose));
                return pose;
            }
        }

        public void Dispose()
        {
            if (!handle.IsNull)
            {
                Check.Ok(Native.withy_collider_destroy(handle));
                handle = new WithyCollider();
            }
        }
    }
}
