using System;

namespace Withy
{
    /// <summary>A rigid body. A struct: those of a set of ragdolls belong to the set, others to who made them.</summary>
    public unsafe struct Body
    {
        public readonly WithyBody Handle;

        public Body(WithyBody handle)
        {
            Handle = handle;
        }

        public static Body Create(World world, WithyBodyDef def)
        {
            WithyBody made;
            Check.Ok(Native.withy_body_create(world.Handle, &def, &made));
            return new Body(made);
        }

        /// <summary>With one shape.</summary>
        public static Body Create(World world, WithyBodyDef def, WithyShapeDef shape)
        {
            def.shapes = &shape;
            def.shape_count = 1;
            return Create(world, def);
        }

        public WithyPose Pose
        {
            get
            {
                WithyPose pose;
                Check.Ok(Native.withy_body_get_pose(Handle, &pose));
                return pose;
            }
            set { Check.Ok(Native.withy_body_set_pose(Handle, &value)); }
        }

        /// <summary>Where a kinematic body shall be at the end of the next step.</summary>
        public void SetTarget(WithyPose pose)
        {
            Check.Ok(Native.withy_body_set_target(Handle, &pose));
        }

        /// <summary>A force at the centre of mass, N, during the next step.</summary>
        public void Push(WithyVec3 force)
        {
            Check.Ok(Native.withy_body_push(Handle, &force, null, null));
        }

        public void Destroy()
        {
            Check.Ok(Native.withy_body_destroy(Handle));
        }
    }

    /// <summary>Instances of one ragdoll. Poses are one position and one rotation (xyzw) a bone, in world space, the
    /// bones of one instance after those of the other. Calls without <c>which</c> are about all instances.</summary>
    public sealed unsafe class Ragdolls : IDisposable
    {
        private WithyRagdolls handle;

        public Ragdolls(World world, WithyRagdollDef def, int instances)
        {
            WithyRagdolls made;
            Check.Ok(Native.withy_ragdolls_create(world.Handle, &def, (uint)instances, &made));
            handle = made;
            uint room, bones;
            Check.Ok(Native.withy_ragdolls_get_counts(made, &room, &bones, null, null));
            InstanceCount = (int)room;
            BoneCount = (int)bones;
        }

        public WithyRagdolls Handle
        {
            get { return handle; }
        }

        public int InstanceCount { get; private set; }

        public int BoneCount { get; private set; }

        /// <summary>The moment of transition from animation, at rest: all instances get bodies.</summary>
        public void Instantiate(float[] positions, float[] rotations, TransitionFlags flags = TransitionFlags.None)
        {
            fixed (float* p = positions)
            fixed (float* r = rotations)
            {
                var ps = new WithySpan(p, positions.Length / 3);
                var rs = new WithySpan(r, rotations.Length / 4);
                Check.Ok(Native.withy_ragdolls_instantiate(handle, null, Native.WITHY_ALL, &ps, &rs, null, null, 0, flags));
            }
        }

        /// <summary>The same for some, moving as from the poses <paramref name="dt"/> seconds before.</summary>
        public void Instantiate(uint[] which, WithySpan* positions, WithySpan* rotations, WithySpan* positionsBefore,
            WithySpan* rotationsBefore, double dt, TransitionFlags flags)
        {
            fixed (uint* w = which)
            {
                Check.Ok(Native.withy_ragdolls_instantiate(handle, w, (ulong)which.Length, positions, rotations,
                    positionsBefore, rotationsBefore, dt, flags));
            }
        }

        /// <summary>Takes the bodies and joints of all instances out of the world.</summary>
        public void Remove()
        {
            Check.Ok(Native.withy_ragdolls_remove(handle, null, Native.WITHY_ALL));
        }

        public void Remove(uint instance)
        {
            Check.Ok(Native.withy_ragdolls_remove(handle, &instance, 1));
        }

        /// <summary>Where the animation wants the bones.</summary>
        public void SetTargets(float[] positions, float[] rotations, WithyRagdollDrive drive)
        {
            fixed (float* p = positions)
            fixed (float* r = rotations)
            {
                var ps = new WithySpan(p, positions.Length / 3);
                var rs = new WithySpan(r, rotations.Length / 4);
                Check.Ok(Native.withy_ragdolls_set_targets(handle, null, Native.WITHY_ALL, &ps, &rs, null, null, 0, &drive));
            }
        }

        /// <summary>Who moves a body of all instances: the animation or the simulation. uint.MaxValue: all bodies.</summary>
        public void SetKinematic(uint body, bool kinematic)
        {
            Check.Ok(Native.withy_ragdolls_set_kinematic(handle, null, Native.WITHY_ALL, body, kinematic ? 1u : 0u));
        }

        /// <summary>Where the weights go: 1 is all simulated, 0 all animated.</summary>
        public void Fade(double weight, double seconds)
        {
            Check.Ok(Native.withy_ragdolls_fade(handle, null, Native.WITHY_ALL, weight, seconds));
        }

        /// <summary>Time passes for the weights.</summary>
        public void Advance(double dt)
        {
            Check.Ok(Native.withy_ragdolls_advance(handle, dt));
        }

        /// <summary>World poses of all bones of the instances that have bodies. Makes no garbage.</summary>
        public void Read(float[] positions, float[] rotations)
        {
            fixed (float* p = positions)
            fixed (float* r = rotations)
            {
                var ps = new WithySpan(p, positions.Length / 3);
                var rs = new WithySpan(r, rotations.Length / 4);
                Check.Ok(Native.withy_ragdolls_read(handle, null, Native.WITHY_ALL, null, null, null, &ps, &rs));
            }
        }

        /// <summary>The world's body for a body of the description; its handle is null where there is none now.</summary>
        public Body Body(uint instance, uint body)
        {
            WithyBody found;
            Check.Ok(Native.withy_ragdolls_get_body(handle, instance, body, &found));
            return new Body(found);
        }

        public void Dispose()
        {
            if (!handle.IsNull)
            {
                Check.Ok(Native.withy_ragdolls_destroy(handle));
                handle = new WithyRagdolls();
            }
        }
    }
}
