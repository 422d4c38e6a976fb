//! How a kernel's arguments look from WGSL: types, field names, and the flat list of numbers that they hold.

use withy_math::vec3::vec3;
use withy_math::{Bound, Quat, Real, Rec, Vec3};

/// A value that crosses a kernel's boundary: a number, a vector, or a struct of them.
pub trait Record<T>: Sized {
    /// The WGSL type.
    const TYPE: &'static str;
    /// The WGSL paths of its numbers, below `path`.
    fn paths(path: &str, out: &mut Vec<String>);
    /// The WGSL constructor call from its numbers.
    fn construct(numbers: &mut dyn Iterator<Item = String>) -> String;
    fn read(numbers: &mut dyn Iterator<Item = T>) -> Self;
    fn write(self, out: &mut Vec<T>);
}

impl<T: Real> Record<T> for T {
    const TYPE: &'static str = "f32";
    fn paths(path: &str, out: &mut Vec<String>) {
        out.push(path.into());
    }
    fn construct(numbers: &mut dyn Iterator<Item = String>) -> String {
        numbers.next().expect("as many numbers as paths")
    }
    fn read(numbers: &mut dyn Iterator<Item = T>) -> Self {
        numbers.next().expect("as many numbers as paths")
    }
    fn write(self, out: &mut Vec<T>) {
        out.push(self);
    }
}

/// A WGSL built-in type with `$n` parts of type `$part`.
macro_rules! builtin {
    ($rust:ty, $wgsl:literal, $part:ty, [$($suffix:literal),+], $read:expr, $write:expr) => {
        impl<T: Real> Record<T> for $rust {
            const TYPE: &'static str = $wgsl;
            fn paths(path: &str, out: &mut Vec<String>) {
                $(<$part as Record<T>>::paths(&format!("{path}{}", $suffix), out);)+
            }
            fn construct(numbers: &mut dyn Iterator<Item = String>) -> String {
                let parts = [$($suffix),+].map(|_| <$part as Record<T>>::construct(numbers));
                format!("{}({})", $wgsl, parts.join(", "))
            }
            fn read(numbers: &mut dyn Iterator<Item = T>) -> Self {
                $read([$($suffix),+].map(|_| <$part as Record<T>>::read(numbers)))
            }
            fn write(self, out: &mut Vec<T>) {
                for part in $write(self) {
                    <$part as Record<T>>::write(part, out);
                }
            }
        }
    };
}
builtin!(Vec3<T>, "vec3<f32>", T, [".x", ".y", ".z"], |[x, y, z]: [T; 3]| vec3(x, y, z), |v: Vec3<T>| [v.x, v.y, v.z]);
builtin!(Quat<T>, "vec4<f32>", T, [".x", ".y", ".z", ".w"], |[x, y, z, w]: [T; 4]| Quat { x, y, z, w }, |q: Quat<T>| [
    q.x, q.y, q.z, q.w
]);
builtin!([T; 2], "vec2<f32>", T, [".x", ".y"], |c: [T; 2]| c, |c: [T; 2]| c);
builtin!([T; 3], "vec3<f32>", T, [".x", ".y", ".z"], |c: [T; 3]| c, |c: [T; 3]| c);
builtin!([T; 4], "vec4<f32>", T, [".x", ".y", ".z", ".w"], |c: [T; 4]| c, |c: [T; 4]| c);
builtin!([Vec3<T>; 2], "mat2x3<f32>", Vec3<T>, ["[0]", "[1]"], |c: [Vec3<T>; 2]| c, |c: [Vec3<T>; 2]| c);
builtin!([[T; 4]; 4], "mat4x4<f32>", [T; 4], ["[0]", "[1]", "[2]", "[3]"], |c: [[T; 4]; 4]| c, |c: [[T; 4]; 4]| c);
// A frame, its axes as columns; a matrix of `rods::der`, its rows as columns.
builtin!([Vec3<T>; 3], "mat3x3<f32>", Vec3<T>, ["[0]", "[1]", "[2]"], |c: [Vec3<T>; 3]| c, |c: [Vec3<T>; 3]| c);

/// A Rust field's name in WGSL, which reserves words that Rust does not.
pub fn field_name(name: &str) -> String {
    let reserved = ["shared", "target", "active", "filter", "sample", "final", "from", "new", "patch", "point", "set", "demote"];
    if reserved.contains(&name) { format!("{name}_") } else { name.into() }
}

/// Describes a kernel's struct to WGSL under the same names: `record!(EdgeRest { length: T, ghost: T });` (the compiler
/// checks that no field is missing).
macro_rules! record {
    ($name:ident { $($field:ident: $type:ty),+ $(,)? }) => {
        impl<T: ::withy_math::Real> $crate::shaders::signature::Record<T> for $name<T> {
            const TYPE: &'static str = stringify!($name);
            fn paths(path: &str, out: &mut Vec<String>) {
                $(<$type as Record<T>>::paths(&format!("{path}.{}", $crate::shaders::signature::field_name(stringify!($field))), out);)+
            }
            fn construct(numbers: &mut dyn Iterator<Item = String>) -> String {
                let parts = [$(<$type as Record<T>>::construct(numbers)),+];
                format!("{}({})", stringify!($name), parts.join(", "))
            }
            fn read(numbers: &mut dyn Iterator<Item = T>) -> Self {
                $name { $($field: <$type as Record<T>>::read(numbers)),+ }
            }
            fn write(self, out: &mut Vec<T>) {
                $(<$type as Record<T>>::write(self.$field, out);)+
            }
        }
        impl $crate::shaders::signature::Declare for $name<::withy_math::Rec> {
            const DECLARATION: &'static [(&'static str, &'static str)] =
                &[$((stringify!($field), {
                    type T = ::withy_math::Rec;
                    <$type as Record<T>>::TYPE
                })),+];
        }
    };
}
pub(super) use record;

/// The fields of a struct, as WGSL declares them.
pub trait Declare: Record<Rec> {
    const DECLARATION: &'static [(&'static str, &'static str)];
    fn declaration() -> String {
        let fields: Vec<String> =
            Self::DECLARATION.iter().map(|(name, ty)| format!("    {}: {ty},\n", field_name(name))).collect();
        format!("struct {} {{\n{}}}\n", Self::TYPE, fields.concat())
    }
}

/// One kernel: its WGSL signature, and the generic function at each number type, over flat lists.
pub struct Kernel {
    pub name: &'static str,
    /// Name and WGSL type of each argument.
    pub arguments: &'static [(&'static str, &'static str)],
    pub returns: &'static str,
    /// WGSL paths of all input numbers, and of the result's numbers below `r`.
    pub inputs: fn() -> Vec<String>,
    pub outputs: fn() -> Vec<String>,
    /// The WGSL constructor calls of the arguments, and of the result, from their numbers.
    pub construct_arguments: fn(Vec<String>) -> Vec<String>,
    pub construct_result: fn(Vec<String>) -> String,
    pub record: fn(&[Rec]) -> Vec<Rec>,
    pub f32: fn(&[f32]) -> Vec<f32>,
    pub bound: fn(&[Bound]) -> Vec<Bound>,
}

/// `kernel!(path::name(argument: Type, …) -> Type)`, types written for a number type `T`.
macro_rules! kernel {
    ($($path:ident)::+ => $name:ident($($argument:ident: $type:ty),+) -> $result:ty) => {{
        use $crate::shaders::signature::{Kernel, Record};
        macro_rules! at {
            ($number:ty) => {
                |numbers: &[$number]| {
                    #[allow(dead_code)]
                    type T = $number;
                    let mut numbers = numbers.iter().copied();
                    $(let $argument = <$type as Record<T>>::read(&mut numbers);)+
                    let mut out = Vec::new();
                    <$result as Record<T>>::write($($path)::+($($argument),+), &mut out);
                    out
                }
            };
        }
        #[allow(dead_code)]
        type T = ::withy_math::Rec;
        Kernel {
            name: stringify!($name),
            arguments: &[$((stringify!($argument), <$type as Record<T>>::TYPE)),+],
            returns: <$result as Record<T>>::TYPE,
            inputs: || {
                let mut out = Vec::new();
                $(<$type as Record<T>>::paths(stringify!($argument), &mut out);)+
                out
            },
            outputs: || {
                let mut out = Vec::new();
                <$result as Record<T>>::paths("r", &mut out);
                out
            },
            construct_arguments: |numbers| {
                let mut numbers = numbers.into_iter();
                vec![$(<$type as Record<T>>::construct(&mut numbers)),+]
            },
            construct_result: |numbers| <$result as Record<T>>::construct(&mut numbers.into_iter()),
            record: at!(::withy_math::Rec),
            f32: at!(f32),
            bound: at!(::withy_math::Bound),
        }
    }};
}
pub(super) use kernel;
