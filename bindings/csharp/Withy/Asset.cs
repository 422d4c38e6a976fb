using System;
using System.Collections.Generic;
using System.Text;

namespace Withy
{
    /// <summary>A part of an <see cref="Asset"/>: bytes with their type.</summary>
    public sealed class AssetChunk
    {
        public byte[] Data;
        public uint Version = 1;
        public AssetFormat Format = AssetFormat.Bytes;
        /// <summary>Numbers in a row of an array; 0 of bytes and text.</summary>
        public uint Columns;

        public AssetChunk(byte[] data)
        {
            Data = data;
        }

        public AssetChunk(string text)
        {
            Data = Encoding.UTF8.GetBytes(text);
            Format = AssetFormat.Text;
        }

        /// <param name="columns">Numbers in a row.</param>
        public AssetChunk(float[] numbers, uint columns)
        {
            Data = new byte[4 * numbers.Length];
            Buffer.BlockCopy(numbers, 0, Data, 0, Data.Length);
            Format = AssetFormat.F32;
            Columns = columns;
        }

        public AssetChunk(uint[] numbers)
        {
            Data = new byte[4 * numbers.Length];
            Buffer.BlockCopy(numbers, 0, Data, 0, Data.Length);
            Format = AssetFormat.U32;
            Columns = 1;
        }

        public string Text
        {
            get { return Encoding.UTF8.GetString(Data); }
        }

        /// <summary>The numbers of an array of 32-bit floats.</summary>
        public float[] Floats()
        {
            Expect(AssetFormat.F32);
            var numbers = new float[Data.Length / 4];
            Buffer.BlockCopy(Data, 0, numbers, 0, Data.Length);
            return numbers;
        }

        /// <summary>The numbers of an array of 32-bit unsigned integers.</summary>
        public uint[] UInts()
        {
            Expect(AssetFormat.U32);
            var numbers = new uint[Data.Length / 4];
            Buffer.BlockCopy(Data, 0, numbers, 0, Data.Length);
            return numbers;
        }

        private void Expect(AssetFormat format)
        {
            if (Format != format)
            {
                throw new InvalidOperationException("the chunk is " + Format + ", not " + format);
            }
        }
    }

    /// <summary>What a host saves: one file of named chunks. Chunks that a program does not know stay in it.</summary>
    public static unsafe class Asset
    {
        /// <summary>The chunks by their names. What is damaged throws an error that says where.</summary>
        public static Dictionary<string, AssetChunk> Read(byte[] file)
        {
            var all = new Dictionary<string, AssetChunk>();
            fixed (byte* data = file)
            {
                ulong count = 0;
                Check.Ok(Native.withy_asset_read(data, (ulong)file.Length, null, &count));
                var chunks = new WithyAssetChunk[Math.Max(1, (int)count)];
                fixed (WithyAssetChunk* found = chunks)
                {
                    Check.Ok(Native.withy_asset_read(data, (ulong)file.Length, found, &count));
                    for (ulong i = 0; i < count; i++)
                    {
                        var bytes = new byte[found[i].size];
                        for (var k = 0; k < bytes.Length; k++)
                        {
                            bytes[k] = ((byte*)found[i].data)[k];
                        }
                        var length = 0;
                        while (found[i].name[length] != 0)
                        {
                            length++;
                        }
                        var chunk = new AssetChunk(bytes);
                        chunk.Version = found[i].version;
                        chunk.Format = found[i].format;
                        chunk.Columns = found[i].columns;
                        all.Add(Encoding.UTF8.GetString(found[i].name, length), chunk);
                    }
                }
            }
            return all;
        }

        /// <summary>The file of these chunks.</summary>
        public static byte[] Write(Dictionary<string, AssetChunk> chunks)
        {
            // All names and data one behind the other, so that one array has to stay where it is.
            var names = new List<byte[]>();
            var room = 1;
            foreach (var pair in chunks)
            {
                var name = Encoding.UTF8.GetBytes(pair.Key);
                names.Add(name);
                room += name.Length + 1 + pair.Value.Data.Length;
            }
            var bytes = new byte[room];
            var list = new WithyAssetChunk[chunks.Count + 1];
            fixed (byte* at = bytes)
            fixed (WithyAssetChunk* all = list)
            {
                int i = 0, end = 0;
                foreach (var chunk in chunks.Values)
                {
                    all[i].name = at + end;
                    names[i].CopyTo(bytes, end);
                    end += names[i].Length + 1;
                    all[i].data = at + end;
                    all[i].size = (ulong)chunk.Data.Length;
                    all[i].version = chunk.Version;
                    all[i].format = chunk.Format;
                    all[i].columns = chunk.Columns;
                    chunk.Data.CopyTo(bytes, end);
                    end += chunk.Data.Length;
                    i++;
                }
                ulong size = 0;
                Check.Ok(Native.withy_asset_write(all, (ulong)chunks.Count, null, &size));
                var file = new byte[size];
                fixed (byte* data = file)
                {
                    Check.Ok(Native.withy_asset_write(all, (ulong)chunks.Count, data, &size));
                }
                return file;
            }
        }
    }
}
