using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Withy.Unity.Editor")]
