using System;
using System.Runtime.InteropServices;

namespace Withy
{
    public unsafe partial struct WithySpan
    {
        /// <summary>An array of the host's: <paramref name="count"/> entries, <paramref name="stride"/> bytes apart
        /// (0: densely packed). The memory must stay where it is while the span is used.</summary>
        public WithySpan(float* data, long count, int stride = 0)
        {
            this.data = data;
            this.count = (ulong)count;
            this.stride = (ulong)stride;
            format = Format.F32;
            reserved = 0;
        }

        public WithySpan(double* data, long count, int stride = 0)
        {
            this.data = data;
            this.count = (ulong)count;
            this.stride = (ulong)stride;
            format = Format.F64;
            reserved = 0;
        }

        public WithySpan(uint* data, long count, int stride = 0)
        {
            this.data = data;
            this.count = (ulong)count;
            this.stride = (ulong)stride;
            format = Format.U32;
            reserved = 0;
        }
    }

    public partial struct WithyVec3
    {
        public WithyVec3(double x, double y, double z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }
    }

    public partial struct WithyQuat
    {
        public WithyQuat(double x, double y, double z, double w)
        {
            this.x = x;
            this.y = y;
            this.z = z;
            this.w = w;
        }

        public static WithyQuat Identity
        {
            get { return new WithyQuat(0, 0, 0, 1); }
        }
    }

    public partial struct WithyPose
    {
        public WithyPose(WithyVec3 position, WithyQuat rotation)
        {
            this.position = position;
            this.rotation = rotation;
        }

        public WithyPose(double x, double y, double z) : this(new WithyVec3(x, y, z), WithyQuat.Identity)
        {
        }
    }

    /// <summary>An array that the garbage collector does not move, and the span over it: made once, used in every
    /// frame without garbage. <typeparamref name="T"/> is float, double, uint, or a struct of these such as Unity's
    /// Vector3.</summary>
    public sealed unsafe class Pinned<T> : IDisposable where T : struct
    {
        private GCHandle handle;

        public readonly T[] Array;

        /// <param name="array">Stays pinned until <see cref="Dispose"/>.</param>
        /// <param name="format">Of the numbers in it.</param>
        public Pinned(T[] array, Format format)
        {
            Array = array;
            Format = format;
            handle = GCHandle.Alloc(array, GCHandleType.Pinned);
        }

        public Format Format { get; private set; }

        /// <summary>Entries of <paramref name="scalars"/> numbers each, one after the other.</summary>
        public WithySpan Span(int scalars)
        {
            if (!handle.IsAllocated)
            {
                throw new ObjectDisposedException("Pinned");
            }
            var size = scalars * (Format == Format.F64 ? 8 : 4);
            var bytes = (long)Marshal.SizeOf(typeof(T)) * Array.Length;
            WithySpan span;
            span.data = (void*)handle.AddrOfPinnedObject();
            span.count = (ulong)(bytes / size);
            span.stride = 0;
            span.format = Format;
            span.reserved = 0;
            return span;
        }

        public void Dispose()
        {
            if (handle.IsAllocated)
            {
                handle.Free();
            }
        }
    }
}
