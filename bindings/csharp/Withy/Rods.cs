using System;

namespace Withy
{
    public unsafe partial struct WithyRodsDef
    {
        /// <summary>Human hair: what it needs is in it but the strands.</summary>
        public static WithyRodsDef Hair(Context context)
        {
            var value = new WithyRodsDef();
            Check.Ok(Native.withy_hair_def_init_sized(context.Handle, &value, (uint)sizeof(WithyRodsDef)));
            return value;
        }

        /// <summary>A rope: what it needs is in it but where it lies.</summary>
        public static WithyRodsDef Rope(Context context)
        {
            var value = new WithyRodsDef();
            Check.Ok(Native.withy_rope_def_init_sized(context.Handle, &value, (uint)sizeof(WithyRodsDef)));
            return value;
        }
    }

    /// <summary>A set of strands of one material: a groom, a rope, the strings of a net. Reads and writes take float
    /// arrays (x, y, z after each other) or spans over the host's memory; none of them makes garbage.</summary>
    public sealed unsafe class Rods : IDisposable
    {
        private WithyRods handle;

        /// <param name="def">Radius, moduli, supports and so on; its arrays too, if they are set.</param>
        public Rods(World world, WithyRodsDef def)
        {
            Create(world, &def);
        }

        /// <param name="positions">Three numbers a vertex, strand after strand, root first.</param>
        /// <param name="counts">Vertices of each strand.</param>
        public Rods(World world, float[] positions, uint[] counts, WithyRodsDef def)
        {
            Whole(positions, 3, "positions");
            fixed (float* p = positions)
            fixed (uint* c = counts)
            {
                def.positions = new WithySpan(p, positions.Length / 3);
                def.counts = new WithySpan(c, counts.Length);
                Create(world, &def);
            }
        }

        /// <summary>A muscle: strands between two bodies that keep their volume.</summary>
        public Rods(World world, WithyMuscleDef def)
        {
            WithyRods made;
            Check.Ok(Native.withy_muscle_create(world.Handle, &def, &made));
            Hold(made);
        }

        private void Create(World world, WithyRodsDef* def)
        {
            WithyRods made;
            Check.Ok(Native.withy_rods_create(world.Handle, def, &made));
            Hold(made);
        }

        private void Hold(WithyRods made)
        {
            handle = made;
            var strands = new WithySpan((uint*)null, 0);
            var vertices = new WithySpan((float*)null, 0);
            Check.Ok(Native.withy_rods_read_counts(made, &strands));
            Check.Ok(Native.withy_rods_read_positions(made, &vertices));
            StrandCount = (int)strands.count;
            VertexCount = (int)vertices.count;
        }

        private static void Whole(float[] array, int scalars, string name)
        {
            if (array.Length % scalars != 0)
            {
                throw new ArgumentException(scalars + " numbers an entry are needed", name);
            }
        }

        /// <summary>The rest shape with its stiffness factors, for a chunk of an <see cref="Asset"/>.</summary>
        public byte[] SaveRestShape()
        {
            ulong size = 0;
            Check.Ok(Native.withy_rods_save_rest_shape(handle, null, &size));
            var bytes = new byte[size];
            fixed (byte* data = bytes)
            {
                Check.Ok(Native.withy_rods_save_rest_shape(handle, data, &size));
            }
            return bytes;
        }

        /// <summary>Sets what <see cref="SaveRestShape"/> gave, of rods with the same strands and model.</summary>
        public void LoadRestShape(byte[] bytes)
        {
            fixed (byte* data = bytes)
            {
                Check.Ok(Native.withy_rods_load_rest_shape(handle, data, (ulong)bytes.Length));
            }
        }

        public WithyRods Handle
        {
            get { return handle; }
        }

        public int StrandCount { get; private set; }

        public int VertexCount { get; private set; }

        public int EdgeCount
        {
            get { return VertexCount - StrandCount; }
        }

        public int ElementCount
        {
            get { return VertexCount - 2 * StrandCount; }
        }

        /// <summary>Where the roots shall be at the end of the next step.</summary>
        /// <param name="positions">Three numbers a strand.</param>
        /// <param name="rotations">Four numbers a strand, xyzw: how far what the root sits on has turned; or null.</param>
        public void SetRootPoses(float[] positions, float[] rotations = null, bool teleport = false)
        {
            Whole(positions, 3, "positions");
            fixed (float* p = positions)
            fixed (float* r = rotations)
            {
                var ps = new WithySpan(p, positions.Length / 3);
                var rs = new WithySpan(r, rotations == null ? 0 : rotations.Length / 4);
                SetRootPoses(&ps, rotations == null ? null : &rs, teleport);
            }
        }

        public void SetRootPoses(WithySpan* positions, WithySpan* rotations, bool teleport)
        {
            Check.Ok(Native.withy_rods_set_root_poses(handle, positions, rotations, teleport ? 1u : 0u));
        }

        /// <summary>Moves all roots as one body, as a head that does not bend holds hair.</summary>
        /// <param name="transform">From where the roots were created to where they shall be.</param>
        public void SetRootTransform(WithyPose transform, bool teleport = false)
        {
            Check.Ok(Native.withy_rods_set_root_transform(handle, &transform, teleport ? 1u : 0u));
        }

        public void SetTipPoses(WithySpan* positions, WithySpan* rotations, bool teleport)
        {
            Check.Ok(Native.withy_rods_set_tip_poses(handle, positions, rotations, teleport ? 1u : 0u));
        }

        /// <summary>Holds one vertex, counted through the set, at a place.</summary>
        public void SetPin(int vertex, WithyVec3 target, bool teleport = false)
        {
            Check.Ok(Native.withy_rods_set_pin(handle, (uint)vertex, &target, teleport ? 1u : 0u));
        }

        /// <summary>Holds many vertices, counted through the set: all of them, or none if one is wrong.</summary>
        /// <param name="targets">Three numbers a vertex; null: lets them go.</param>
        public void SetPins(uint[] vertices, float[] targets, bool teleport = false)
        {
            fixed (uint* v = vertices)
            fixed (float* t = targets)
            {
                var vs = new WithySpan(v, vertices.Length);
                var ts = new WithySpan(t, targets == null ? 0 : targets.Length / 3);
                Check.Ok(Native.withy_rods_set_pins(handle, &vs, targets == null ? null : &ts, teleport ? 1u : 0u));
            }
        }

        /// <summary>Draws vertices to goals, in all steps until they are set again; null ends it.</summary>
        /// <param name="targets">Three numbers a vertex.</param>
        /// <param name="rates">How fast a vertex alone would swing about its goal, rad/s: one number, or one a vertex.</param>
        public void SetGoals(float[] targets, float[] rates, double damping = 1)
        {
            fixed (float* t = targets)
            fixed (float* r = rates)
            {
                var ts = new WithySpan(t, targets == null ? 0 : targets.Length / 3);
                var rs = new WithySpan(r, rates == null ? 0 : rates.Length);
                Check.Ok(Native.withy_rods_set_goals(handle, targets == null ? null : &ts, rates == null ? null : &rs, damping));
            }
        }

        /// <summary>A force on each vertex in all steps until it is set again: three numbers each, N; null: none.</summary>
        public void SetForces(float[] forces)
        {
            fixed (float* data = forces)
            {
                var span = new WithySpan(data, forces == null ? 0 : forces.Length / 3);
                Check.Ok(Native.withy_rods_set_forces(handle, forces == null ? null : &span));
            }
        }

        /// <summary>Takes the rods as a whole elsewhere, with their motion and what holds them.</summary>
        public void Teleport(WithyPose transform)
        {
            Check.Ok(Native.withy_rods_teleport(handle, &transform));
        }

        /// <summary>The numbers of the definition as they are now: change some, and give it to Change.</summary>
        public WithyRodsDef GetDef()
        {
            WithyRodsDef now = WithyRodsDef.Default();
            Check.Ok(Native.withy_rods_get_def(handle, &now));
            return now;
        }

        /// <summary>Changes moduli, density, radius, friction, layers and others of rods that are there.</summary>
        public void Change(WithyRodsDef def)
        {
            Check.Ok(Native.withy_rods_change(handle, &def));
        }

        /// <summary>Whether the rods are in the world. Out of it they take no step, meet nothing, and go rigidly with their roots.</summary>
        public bool Enabled
        {
            get
            {
                uint enabled;
                Check.Ok(Native.withy_rods_get_enabled(handle, &enabled));
                return enabled != 0;
            }
            set { Check.Ok(Native.withy_rods_set_enabled(handle, value ? 1u : 0u)); }
        }

        /// <summary>Accelerates vertices beside gravity, three numbers a vertex, units/s^2; null: no longer.</summary>
        public void SetAccelerations(float[] accelerations)
        {
            fixed (float* data = accelerations)
            {
                var span = new WithySpan(data, accelerations == null ? 0 : accelerations.Length / 3);
                Check.Ok(Native.withy_rods_set_accelerations(handle, accelerations == null ? null : &span));
            }
        }

        /// <summary>The velocity of the air at each vertex, three numbers a vertex, units/s; null: the wind of all.</summary>
        public void SetWinds(float[] winds)
        {
            fixed (float* data = winds)
            {
                var span = new WithySpan(data, winds == null ? 0 : winds.Length / 3);
                Check.Ok(Native.withy_rods_set_winds(handle, winds == null ? null : &span));
            }
        }

        /// <summary>Masses, one a vertex, kg; they add up to the mass of the rods.</summary>
        public void ReadMasses(float[] masses)
        {
            fixed (float* data = masses)
            {
                var span = new WithySpan(data, masses.Length);
                Check.Ok(Native.withy_rods_read_masses(handle, &span));
            }
        }

        /// <summary>Where the roots are held, three numbers a strand, and how far their ground has turned, four a strand; null: not wanted.</summary>
        public void ReadRootPoses(float[] positions, float[] rotations)
        {
            fixed (float* p = positions)
            fixed (float* r = rotations)
            {
                var ps = new WithySpan(p, positions == null ? 0 : positions.Length / 3);
                var rs = new WithySpan(r, rotations == null ? 0 : rotations.Length / 4);
                Check.Ok(Native.withy_rods_read_root_poses(handle, positions == null ? null : &ps, rotations == null ? null : &rs));
            }
        }

        /// <summary>Lets a vertex go.</summary>
        public void ClearPin(int vertex)
        {
            Check.Ok(Native.withy_rods_set_pin(handle, (uint)vertex, null, 0));
        }

        /// <summary>Rates, 1/s, at which motion dies and follows the wind, units/s; Coulomb's coefficient.</summary>
        public void SetMotion(double damping, double drag, WithyVec3 wind, double friction)
        {
            Check.Ok(Native.withy_rods_set_motion(handle, damping, drag, &wind, friction));
        }

        /// <summary>Finds the rest shape that makes the present pose an equilibrium: it does not sag.</summary>
        public void OptimizeRestShape()
        {
            Check.Ok(Native.withy_rods_optimize_rest_shape(handle, null));
        }

        public void OptimizeRestShape(WithyRestShapeDef def)
        {
            Check.Ok(Native.withy_rods_optimize_rest_shape(handle, &def));
        }

        /// <summary>How the last search left each strand.</summary>
        public WithyElasticReport[] ElasticReport()
        {
            ulong count = 0;
            Check.Ok(Native.withy_rods_read_elastic_report(handle, null, &count));
            var reports = new WithyElasticReport[count];
            fixed (WithyElasticReport* data = reports)
            {
                Check.Ok(Native.withy_rods_read_elastic_report(handle, data, &count));
            }
            return reports;
        }

        /// <summary>Cuts an edge, counted through the set, or makes it whole again.</summary>
        public void SetCut(int edge, bool cut = true)
        {
            Check.Ok(Native.withy_rods_set_cut(handle, (uint)edge, cut ? 1u : 0u));
        }

        /// <summary>The tension, N, at which edges break; double.PositiveInfinity: never.</summary>
        public void SetBreakForce(double force)
        {
            var span = new WithySpan(&force, 1);
            Check.Ok(Native.withy_rods_set_break_force(handle, &span));
        }

        /// <summary>How many edges are cut or have broken. <see cref="ReadCuts"/> gives which.</summary>
        public int CutCount
        {
            get
            {
                var span = new WithySpan((uint*)null, 0);
                Check.Ok(Native.withy_rods_read_cuts(handle, &span));
                return (int)span.count;
            }
        }

        /// <summary>The edges that are cut, counted through the set.</summary>
        public void ReadCuts(uint[] to)
        {
            fixed (uint* data = to)
            {
                var span = new WithySpan(data, to.Length);
                Check.Ok(Native.withy_rods_read_cuts(handle, &span));
            }
        }

        /// <summary>How active a muscle is, 0 to 1.</summary>
        public void SetActivation(double activation)
        {
            Check.Ok(Native.withy_muscle_set_activation(handle, activation));
        }

        /// <summary>Length, velocity, force and volume of a muscle.</summary>
        public WithyMuscleState MuscleState
        {
            get
            {
                WithyMuscleState state;
                Check.Ok(Native.withy_muscle_get_state(handle, &state));
                return state;
            }
        }

        /// <summary>Three numbers a vertex, units.</summary>
        public void ReadPositions(float[] to)
        {
            fixed (float* data = to)
            {
                var span = new WithySpan(data, to.Length / 3);
                Check.Ok(Native.withy_rods_read_positions(handle, &span));
            }
        }

        public void ReadPositions(WithySpan* to)
        {
            Check.Ok(Native.withy_rods_read_positions(handle, to));
        }

        /// <summary>Three numbers a vertex, units/s.</summary>
        public void ReadVelocities(float[] to)
        {
            fixed (float* data = to)
            {
                var span = new WithySpan(data, to.Length / 3);
                Check.Ok(Native.withy_rods_read_velocities(handle, &span));
            }
        }

        /// <summary>Four numbers an edge, xyzw: the material frames.</summary>
        public void ReadFrames(float[] to)
        {
            fixed (float* data = to)
            {
                var span = new WithySpan(data, to.Length / 4);
                Check.Ok(Native.withy_rods_read_frames(handle, &span));
            }
        }

        public void ReadFrames(WithySpan* to)
        {
            Check.Ok(Native.withy_rods_read_frames(handle, to));
        }

        /// <summary>One number an edge: length / rest length - 1.</summary>
        public void ReadStrain(float[] to)
        {
            fixed (float* data = to)
            {
                var span = new WithySpan(data, to.Length);
                Check.Ok(Native.withy_rods_read_strain(handle, &span));
            }
        }

        /// <summary>One number a vertex: the radius of its section now, in host units.</summary>
        public void ReadRadii(float[] to)
        {
            fixed (float* data = to)
            {
                var span = new WithySpan(data, to.Length);
                Check.Ok(Native.withy_rods_read_radii(handle, &span));
            }
        }

        /// <summary>Moves the vertices at once.</summary>
        public void WritePositions(float[] positions)
        {
            Whole(positions, 3, "positions");
            fixed (float* data = positions)
            {
                var span = new WithySpan(data, positions.Length / 3);
                Check.Ok(Native.withy_rods_write_positions(handle, &span));
            }
        }

        /// <summary>Three numbers a vertex, units/s.</summary>
        public void WriteVelocities(float[] velocities)
        {
            Whole(velocities, 3, "velocities");
            fixed (float* data = velocities)
            {
                var span = new WithySpan(data, velocities.Length / 3);
                Check.Ok(Native.withy_rods_write_velocities(handle, &span));
            }
        }

        /// <summary>Whether it rests, and steps leave it out until something moves near it.</summary>
        public bool IsSleeping
        {
            get
            {
                uint sleeping;
                Check.Ok(Native.withy_rods_get_sleeping(handle, &sleeping));
                return sleeping != 0;
            }
        }

        public void Dispose()
        {
            if (!handle.IsNull)
            {
                Check.Ok(Native.withy_rods_destroy(handle));
                handle = new WithyRods();
            }
        }
    }
}
