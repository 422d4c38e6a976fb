//! One entry point an instruction set.

/// Makes a function that runs a kernel, generic over its lanes, in the registers of an instruction set; all give the same bits. Everything below an entry is
/// inlined into it and so compiled for its registers. Of the lanes of AVX-512 there is a choice: what has groups of eight may still want its registers.
///
/// ```
/// use withy_math::{Gather, Isa};
///
/// #[inline(always)]
/// unsafe fn count<L: Gather>(lanes: &mut usize) {
///     *lanes = L::N;
/// }
/// withy_math::by_instruction_set! {
///     /// # Safety
///     /// `isa` is available.
///     unsafe fn run(lanes: &mut usize) = count; avx512 = F32x8
/// }
/// let mut lanes = 0;
/// // SAFETY: there always is.
/// unsafe { run(Isa::Scalar, &mut lanes) };
/// assert_eq!(lanes, 1);
/// ```
#[macro_export]
macro_rules! by_instruction_set {
    ($(#[$about:meta])* $vis:vis unsafe fn $name:ident($($arg:ident: $of:ty),*) = $kernel:ident; avx512 = $wide:ident) => {
        $(#[$about])*
        // SAFETY: for the caller to see to: what its documentation says, which comes with it.
        $vis unsafe fn $name(isa: $crate::Isa, $($arg: $of),*) {
            $crate::instruction_set!(scalar, $kernel::<f32>, ($($arg: $of),*));
            #[cfg(target_arch = "x86_64")]
            $crate::instruction_set!(sse2, $kernel::<$crate::x86::F32x4>, ($($arg: $of),*));
            #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
            $crate::instruction_set!(avx2, $kernel::<$crate::x86::F32x8>, ($($arg: $of),*), "avx2");
            #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
            $crate::instruction_set!(avx512, $kernel::<$crate::x86::$wide>, ($($arg: $of),*), "avx2,avx512f,avx512dq,avx512vl");
            #[cfg(target_arch = "aarch64")]
            $crate::instruction_set!(neon_, $kernel::<$crate::neon::F32x4>, ($($arg: $of),*));
            // SAFETY: passed on to the caller.
            unsafe {
                match isa {
                    #[cfg(target_arch = "x86_64")]
                    $crate::Isa::Sse2 => sse2($($arg),*),
                    #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                    $crate::Isa::Avx2 => avx2($($arg),*),
                    #[cfg(all(target_arch = "x86_64", not(any(withy_narrow, test))))]
                    $crate::Isa::Avx512 => avx512($($arg),*),
                    #[cfg(target_arch = "aarch64")]
                    $crate::Isa::Neon => neon_($($arg),*),
                    _ => scalar($($arg),*),
                }
            }
        }
    };
}

/// An entry of [`by_instruction_set`].
#[doc(hidden)]
#[macro_export]
macro_rules! instruction_set {
    ($entry:ident, $kernel:ident::<$lanes:ty>, ($($arg:ident: $of:ty),*) $(, $feature:literal)?) => {
        $(#[target_feature(enable = $feature)])?
        #[inline(never)]
        // SAFETY: for the caller to see to: the processor has the features; that of the kernel.
        unsafe fn $entry($($arg: $of),*) {
            // SAFETY: passed on to the caller; the features are enabled here.
            unsafe { $kernel::<$lanes>($($arg),*) }
        }
    };
}
