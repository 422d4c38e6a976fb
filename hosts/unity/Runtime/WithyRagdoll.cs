using System;
using System.Collections.Generic;
using UnityEngine;

namespace Withy.Unity
{
    /// <summary>A character between animation and physics. Bones with a capsule, sphere or box collider, such as
    /// Unity's Ragdoll Wizard makes, become rigid bodies with ball joints; a spine can be one elastic arc instead.
    /// <see cref="Release"/> lets it fall with the motion of its animation, <see cref="Recover"/> gives it back.</summary>
    [AddComponentMenu("withy/Ragdoll")]
    public sealed unsafe class WithyRagdoll : WithyPart
    {
        [Tooltip("The skeleton's highest bone. None: this object.")]
        public Transform root;

        [Tooltip("kg of the whole character, shared by volume; 0: a bone has the mass of its Rigidbody.")]
        [Min(0)]
        public float mass = 70;

        [Tooltip("How far joints bend, degrees from the bind pose.")]
        [Range(0, 180)]
        public float swingLimit = 40;

        [Tooltip("How far joints twist to either side, degrees.")]
        [Range(0, 180)]
        public float twistLimit = 20;

        [Tooltip("Lower end of the spine, a bone with a collider. None: the spine has joints as all bones do.")]
        public Transform spineFrom;

        [Tooltip("Upper end of the spine, a bone with a collider below spineFrom.")]
        public Transform spineTo;

        [Tooltip("Stiffness of the spine's bending, N m^2.")]
        [Min(0)]
        public float spineBend = 20;

        [Tooltip("Stiffness of the spine's twist, N m^2.")]
        [Min(0)]
        public float spineTwist = 15;

        [Tooltip("How strongly the joints hold the animation's pose while it falls, N m/rad. 0: limp.")]
        [Min(0)]
        public float driveStiffness = 0;

        [Tooltip("Damping of that, N m s/rad.")]
        [Min(0)]
        public float driveDamping = 0;

        [Tooltip("Coulomb's coefficient.")]
        [Range(0, 10)]
        public float friction = 0.6f;

        [Tooltip("It falls as soon as it is enabled.")]
        public bool startReleased = false;

        private Transform[] bones;
        private Ragdolls set;
        private Pinned<Vector3> places, before, shown;
        private Pinned<Quaternion> turns, turnsBefore, turnsShown;
        private float between;
        private bool released, recovering;
        private Rigidbody[] frozen;
        private int[] limbBones;

        /// <summary>Whether physics has the character, wholly or, while it recovers, in part.</summary>
        public bool IsReleased
        {
            get { return released; }
        }

        /// <summary>Bones in the order of the library, the highest first; null while it is not simulated.</summary>
        public Transform[] Bones
        {
            get { return bones; }
        }

        private struct Limb
        {
            public uint Bone;
            public WithyShapeDef Shape;
            public double Volume;
            public Rigidbody Rigid;
        }

        private static void Collect(Transform bone, uint parent, List<Transform> all, List<uint> parents)
        {
            var number = (uint)all.Count;
            all.Add(bone);
            parents.Add(parent);
            for (var i = 0; i < bone.childCount; i++)
            {
                Collect(bone.GetChild(i), number, all, parents);
            }
        }

        /// <summary>The collider of a bone as a shape in its frame; false if it has none.</summary>
        private bool Shaped(Transform bone, ref Limb limb)
        {
            ColliderForm form;
            if (!ColliderForm.Of(bone, out form))
            {
                return false;
            }
            var shape = WithyShapeDef.Default();
            shape.shape = form.Shape;
            shape.radius = form.Radius;
            shape.half_height = form.HalfHeight;
            shape.half_extents = Convert.ToWithy(form.HalfExtents);
            // Mirrored bones have their centres on the other side.
            var signed = bone.lossyScale;
            var place = new Vector3(form.Center.x * signed.x, form.Center.y * signed.y, form.Center.z * signed.z);
            shape.pose = new WithyPose(Convert.ToWithy(place), Convert.ToWithy(form.Turn));
            limb.Volume = form.Volume;
            shape.friction = friction;
            limb.Shape = shape;
            return true;
        }

        protected override void Make(WithySimulation simulation)
        {
            var all = new List<Transform>();
            var parents = new List<uint>();
            Collect(root != null ? root : transform, uint.MaxValue, all, parents);
            bones = all.ToArray();
            var count = bones.Length;
            places = new Pinned<Vector3>(new Vector3[count], Format.F32);
            before = new Pinned<Vector3>(new Vector3[count], Format.F32);
            shown = new Pinned<Vector3>(new Vector3[count], Format.F32);
            turns = new Pinned<Quaternion>(new Quaternion[count], Format.F32);
            turnsBefore = new Pinned<Quaternion>(new Quaternion[count], Format.F32);
            turnsShown = new Pinned<Quaternion>(new Quaternion[count], Format.F32);
            Capture();
            Capture();
            between = 0;

            var limbs = new List<Limb>();
            uint from = uint.MaxValue, to = uint.MaxValue;
            double volume = 0;
            var rigids = new List<Rigidbody>();
            for (var b = 0; b < count; b++)
            {
                var limb = new Limb { Bone = (uint)b, Rigid = bones[b].GetComponent<Rigidbody>() };
                if (!Shaped(bones[b], ref limb))
                {
                    continue;
                }
                from = bones[b] == spineFrom ? (uint)limbs.Count : from;
                to = bones[b] == spineTo ? (uint)limbs.Count : to;
                volume += limb.Volume;
                limbs.Add(limb);
                if (limb.Rigid != null && !limb.Rigid.isKinematic)
                {
                    rigids.Add(limb.Rigid);
                }
            }
            if (limbs.Count == 0)
            {
                throw new InvalidOperationException("no bone has a capsule, sphere or box collider");
            }
            var spine = spineFrom != null || spineTo != null;
            if (spine && (from == uint.MaxValue || to == uint.MaxValue))
            {
                throw new InvalidOperationException("spineFrom and spineTo must both be bones of the skeleton with colliders");
            }

            // The bind pose is that of now, bone against parent.
            var local = new Vector3[count];
            var localTurn = new Quaternion[count];
            for (var b = 0; b < count; b++)
            {
                if (parents[b] == uint.MaxValue)
                {
                    local[b] = places.Array[b];
                    localTurn[b] = turns.Array[b];
                    continue;
                }
                var back = Quaternion.Inverse(turns.Array[parents[b]]);
                local[b] = back * (places.Array[b] - places.Array[parents[b]]);
                localTurn[b] = back * turns.Array[b];
            }

            limbBones = new int[limbs.Count];
            var shapes = stackalloc WithyShapeDef[limbs.Count];
            var bodies = stackalloc WithyBodyDef[limbs.Count];
            var joints = stackalloc WithyJointDef[limbs.Count];
            var parts = stackalloc WithyRagdollBodyDef[limbs.Count];
            for (var i = 0; i < limbs.Count; i++)
            {
                var limb = limbs[i];
                limbBones[i] = (int)limb.Bone;
                shapes[i] = limb.Shape;
                bodies[i] = WithyBodyDef.Default();
                bodies[i].shapes = shapes + i;
                bodies[i].shape_count = 1;
                bodies[i].mass = mass > 0 ? mass * limb.Volume / volume : limb.Rigid != null ? limb.Rigid.mass : 1;
                joints[i] = WithyJointDef.Default();
                // Twist is about the way to the first bone below, or that of the collider's middle.
                var bone = bones[limb.Bone];
                var middle = limb.Shape.pose.position;
                var way = bone.childCount > 0
                    ? Quaternion.Inverse(bone.rotation) * (bone.GetChild(0).position - bone.position)
                    : new Vector3((float)middle.x, (float)middle.y, (float)middle.z);
                joints[i].frame_b = new WithyPose(new WithyVec3(), Convert.ToWithy(FromZ(way)));
                const double degree = Math.PI / 180;
                joints[i].swing[0] = joints[i].swing[1] = swingLimit * degree;
                joints[i].twist[0] = -twistLimit * degree;
                joints[i].twist[1] = twistLimit * degree;
                parts[i] = WithyRagdollBodyDef.Default();
                parts[i].body = bodies + i;
                parts[i].bone = limb.Bone;
                parts[i].joint = limb.Bone == 0 ? null : joints + i;
            }
            var region = WithyRegionDef.Default();
            region.first = from;
            region.last = to;
            region.arc.bend[0] = region.arc.bend[1] = spineBend;
            region.arc.twist = spineTwist;
            var def = WithyRagdollDef.Default();
            def.bodies = parts;
            def.body_count = (uint)limbs.Count;
            if (spine)
            {
                def.regions = &region;
                def.region_count = 1;
            }
            fixed (uint* p = parents.ToArray())
            fixed (Vector3* l = local)
            fixed (Quaternion* q = localTurn)
            {
                def.parents = new WithySpan(p, count);
                def.positions = new WithySpan((float*)l, count);
                def.rotations = new WithySpan((float*)q, count);
                set = new Ragdolls(simulation.World, def, 1);
            }
            // Unity's physics would pull at the same bones.
            frozen = rigids.ToArray();
            foreach (var rigid in frozen)
            {
                rigid.isKinematic = true;
            }
            released = recovering = false;
            if (startReleased)
            {
                Release();
            }
        }

        /// <summary>The turn that takes z to a direction.</summary>
        private static Quaternion FromZ(Vector3 way)
        {
            var d = way.normalized;
            // Half way between z and d, as a half turn about it would do; straight back, about x.
            var q = new Quaternion(-d.y, d.x, 0, 1 + d.z);
            var length = Mathf.Sqrt(q.x * q.x + q.y * q.y + q.w * q.w);
            return length > 1e-4f ? new Quaternion(q.x / length, q.y / length, 0, q.w / length)
                : d.z < 0 ? new Quaternion(1, 0, 0, 0) : Quaternion.identity;
        }

        /// <summary>The pose of the animation; the last one becomes that before.</summary>
        private void Capture()
        {
            Array.Copy(places.Array, before.Array, bones.Length);
            Array.Copy(turns.Array, turnsBefore.Array, bones.Length);
            for (var b = 0; b < bones.Length; b++)
            {
                // A bone that was destroyed, such as a weapon that was dropped, stays where it was.
                if (bones[b] != null)
                {
                    places.Array[b] = bones[b].position;
                    turns.Array[b] = bones[b].rotation;
                }
            }
        }

        /// <summary>Physics takes the character over, with the pose and the motion of its animation.</summary>
        public void Release()
        {
            if (set == null || (released && !recovering))
            {
                return;
            }
            if (released)
            {
                set.Fade(1, 0.1);
                recovering = false;
                return;
            }
            var p = places.Span(3);
            var q = turns.Span(4);
            var pb = before.Span(3);
            var qb = turnsBefore.Span(4);
            // Of the only frame that was seen there is no motion.
            var moves = between > 1e-6f;
            Check.Ok(Native.withy_ragdolls_instantiate(set.Handle, null, Native.WITHY_ALL, &p, &q, moves ? &pb : null,
                moves ? &qb : null, moves ? between : 0, TransitionFlags.None));
            released = true;
        }

        /// <summary>The animation takes it back, within so many seconds.</summary>
        public void Recover(float seconds)
        {
            if (released)
            {
                set.Fade(0, seconds);
                recovering = true;
            }
        }

        /// <summary>Pushes the body of a bone with a force, N, during the next step.</summary>
        public void Push(Transform bone, Vector3 force)
        {
            if (!released)
            {
                return;
            }
            if (bone == null)
            {
                throw new ArgumentNullException("bone");
            }
            for (uint i = 0; i < limbBones.Length; i++)
            {
                var body = bones[limbBones[i]] == bone ? set.Body(0, i) : new Body();
                if (!body.Handle.IsNull)
                {
                    body.Push(Convert.ToWithy(force));
                    return;
                }
            }
            throw new ArgumentException(bone.name + " has no body", "bone");
        }

        protected override void BeforeStep()
        {
            if (!released || (driveStiffness <= 0 && driveDamping <= 0))
            {
                return;
            }
            WithyRagdollDrive drive;
            Check.Ok(Native.withy_ragdoll_drive_init(&drive));
            drive.stiffness = driveStiffness;
            drive.damping = driveDamping;
            var p = places.Span(3);
            var q = turns.Span(4);
            Check.Ok(Native.withy_ragdolls_set_targets(set.Handle, null, Native.WITHY_ALL, &p, &q, null, null, 0, &drive));
        }

        protected override void AfterStep()
        {
        }

        /// <summary>After the animation has set the bones: its pose is taken, and the simulated one put there.</summary>
        private void LateUpdate()
        {
            if (set == null)
            {
                return;
            }
            try
            {
                // Where nothing animates the bones they are still where the last frame put them: no pose to go back to.
                if (!released || HasMoved())
                {
                    Capture();
                    between = Time.deltaTime;
                }
                if (!released)
                {
                    return;
                }
                set.Advance(Time.deltaTime);
                double weight;
                Check.Ok(Native.withy_ragdolls_get_weight(set.Handle, 0, &weight));
                if (recovering && weight <= 0)
                {
                    set.Remove();
                    released = recovering = false;
                    Show(places.Array, turns.Array);
                    return;
                }
                var ap = places.Span(3);
                var aq = turns.Span(4);
                var p = shown.Span(3);
                var q = turnsShown.Span(4);
                Check.Ok(Native.withy_ragdolls_read(set.Handle, null, Native.WITHY_ALL, &ap, &aq, null, &p, &q));
                Show(shown.Array, turnsShown.Array);
            }
            catch (WithyException e)
            {
                Debug.LogError("withy: " + name + ": " + e.Message, this);
                enabled = false;
            }
        }

        private bool HasMoved()
        {
            for (var b = 0; b < bones.Length; b++)
            {
                if (bones[b] != null && bones[b].position != shown.Array[b])
                {
                    return true;
                }
            }
            return false;
        }

        private void Show(Vector3[] p, Quaternion[] q)
        {
            // Parents come first, so that children end where they should.
            for (var b = 0; b < bones.Length; b++)
            {
                if (bones[b] != null)
                {
                    bones[b].SetPositionAndRotation(p[b], q[b]);
                }
            }
            // What is read back through the hierarchy is not to the bit what was put there.
            for (var b = 0; b < bones.Length && p == shown.Array; b++)
            {
                if (bones[b] != null)
                {
                    p[b] = bones[b].position;
                }
            }
        }

        protected override void Destroyed()
        {
            if (set != null && WithySimulation.Active != null)
            {
                set.Dispose();
            }
            set = null;
            released = recovering = false;
            if (frozen != null)
            {
                foreach (var rigid in frozen)
                {
                    if (rigid != null)
                    {
                        rigid.isKinematic = false;
                    }
                }
                frozen = null;
            }
            if (places != null)
            {
                places.Dispose();
                before.Dispose();
                shown.Dispose();
                turns.Dispose();
                turnsBefore.Dispose();
                turnsShown.Dispose();
                places = null;
            }
            bones = null;
        }
    }
}
