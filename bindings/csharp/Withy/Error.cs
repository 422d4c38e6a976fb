using System;
using System.Text;

namespace Withy
{
    /// <summary>A call that failed. The message is the library's: the function, the field, the index, the value.</summary>
    public sealed class WithyException : Exception
    {
        public Result Result { get; private set; }

        public WithyException(Result result, string message) : base(message)
        {
            Result = result;
        }
    }

    public static unsafe class Check
    {
        /// <summary>Throws what a result other than <see cref="Result.Ok"/> means. Costs nothing otherwise.</summary>
        public static void Ok(Result result)
        {
            if (result != Result.Ok)
            {
                throw new WithyException(result, Text(Native.withy_last_error()));
            }
        }

        /// <summary>A string of the library.</summary>
        public static string Text(byte* text)
        {
            var length = 0;
            while (text[length] != 0)
            {
                length++;
            }
            var bytes = new byte[length];
            for (var i = 0; i < length; i++)
            {
                bytes[i] = text[i];
            }
            return Encoding.UTF8.GetString(bytes);
        }

        /// <summary>Throws unless the library runs programs that were compiled with this layer.</summary>
        public static void Version()
        {
            Ok(Native.withy_check_version(Native.WITHY_VERSION));
        }
    }
}
