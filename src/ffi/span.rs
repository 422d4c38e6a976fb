//! `WithySpan`, checked once and then read or written element by element. No alignment is asked of the host.

use super::convention::{Convention, LARGEST, bad_component};
use super::defs;
use super::guard::{Failure, Result};
use super::library::{WITHY_ERROR_OUT_OF_MEMORY, WITHY_ERROR_TOO_SMALL};
use super::types::*;
use crate::hair::Target;
use core::ffi::c_void;

fn scalar_size(format: u32) -> Option<usize> {
    match format {
        WITHY_FORMAT_F32 | WITHY_FORMAT_U32 => Some(4),
        WITHY_FORMAT_F64 => Some(8),
        _ => None,
    }
}

/// A host's array of `N`-tuples whose memory has been found addressable.
pub struct View<'a, const N: usize> {
    data: *mut u8,
    count: usize,
    stride: usize,
    format: u32,
    name: &'a str,
}

impl<'a, const N: usize> View<'a, N> {
    fn new(span: &WithySpan, name: &'a str, formats: &[u32]) -> Result<View<'a, N>> {
        let scalar = scalar_size(span.format).filter(|_| formats.contains(&span.format));
        let Some(scalar) = scalar else {
            let wanted = if formats.contains(&WITHY_FORMAT_U32) { "WITHY_FORMAT_U32" } else { "WITHY_FORMAT_F32 or _F64" };
            return Err(Failure::argument(format!("{name}.format is {}: must be {wanted}", span.format)));
        };
        if span.reserved != 0 {
            return Err(Failure::argument(format!("{name}.reserved is {}: must be 0", span.reserved)));
        }
        let size = (N * scalar) as u64;
        let stride = if span.stride == 0 { size } else { span.stride };
        if stride < size {
            return Err(Failure::argument(format!("{name}.stride is {stride}: an element has {size} bytes")));
        }
        let bytes = match span.count {
            0 => Some(0),
            n => (n - 1).checked_mul(stride).and_then(|b| b.checked_add(size)),
        };
        // One object cannot be larger than half of the address space, nor wrap around its end.
        let fits = bytes.is_some_and(|b| b <= isize::MAX as u64 && (span.data as u64).checked_add(b).is_some());
        if !fits {
            let WithySpan { count, .. } = span;
            return Err(Failure::argument(format!("{name}.count is {count}: times stride {stride} it leaves the address space")));
        }
        Ok(View { data: span.data.cast(), count: span.count as usize, stride: stride as usize, format: span.format, name })
    }

    /// An array that may be left out: count 0, as an empty container's, whose data may be anything.
    pub fn optional(span: &WithySpan, name: &'a str, formats: &[u32]) -> Result<Option<View<'a, N>>> {
        match (span.count, span.data.is_null()) {
            (0, _) => Ok(None),
            (count, true) => Err(Failure::argument(format!("{name}.data is NULL, count is {count}"))),
            _ => Self::new(span, name, formats).map(Some),
        }
    }

    /// An array that must be there.
    pub fn required(span: &WithySpan, name: &'a str, formats: &[u32]) -> Result<View<'a, N>> {
        Self::optional(span, name, formats)?.ok_or_else(|| {
            let why = if span.data.is_null() { "data is NULL" } else { "count is 0" };
            Failure::argument(format!("{name}.{why}"))
        })
    }

    /// An array argument with exactly `count` elements.
    ///
    /// # Safety
    /// `span` is NULL or readable.
    pub unsafe fn argument(span: *const WithySpan, name: &'a str, count: usize, what: &str) -> Result<View<'a, N>> {
        if span.is_null() {
            return Err(Failure::argument(format!("{name} is NULL")));
        }
        // SAFETY: readable by contract; the copy asks for no alignment.
        let view = Self::required(&unsafe { span.read_unaligned() }, name, FLOATS)?;
        if view.count != count {
            return Err(Failure::argument(format!("{name}.count is {}: there are {count} {what}", view.count)));
        }
        Ok(view)
    }

    /// Refuses a wrong number of elements before any of them is touched.
    pub fn counted(self, allowed: &[(usize, &str)]) -> Result<Self> {
        if allowed.iter().any(|(n, _)| *n == self.count) {
            return Ok(self);
        }
        let list: Vec<String> = allowed.iter().map(|(n, what)| format!("{n}, {what}")).collect();
        Err(Failure::argument(format!("{}.count is {}: must be {}", self.name, self.count, list.join(", or "))))
    }

    pub fn count(&self) -> usize {
        self.count
    }

    fn scalar(&self, i: usize, k: usize) -> *mut u8 {
        assert!(i < self.count && k < N);
        // SAFETY: within the array that the host described and `new` checked not to wrap.
        unsafe { self.data.add(i * self.stride + k * if self.format == WITHY_FORMAT_F64 { 8 } else { 4 }) }
    }

    pub fn get(&self, i: usize) -> [f64; N] {
        std::array::from_fn(|k| {
            let p = self.scalar(i, k);
            // SAFETY: the host's array holds this scalar; alignment is not assumed.
            unsafe {
                match self.format {
                    WITHY_FORMAT_F64 => p.cast::<f64>().read_unaligned(),
                    _ => p.cast::<f32>().read_unaligned() as f64,
                }
            }
        })
    }

    fn get_u32(&self, i: usize) -> [u32; N] {
        // SAFETY: as above.
        std::array::from_fn(|k| unsafe { self.scalar(i, k).cast::<u32>().read_unaligned() })
    }

    fn collect<T>(&self, mut get: impl FnMut(usize) -> Result<T>) -> Result<Vec<T>> {
        let mut out = Vec::new();
        out.try_reserve_exact(self.count)
            .map_err(|_| Failure::new(WITHY_ERROR_OUT_OF_MEMORY, format!("{}.count is {}: no memory", self.name, self.count)))?;
        for i in 0..self.count {
            out.push(get(i)?);
        }
        Ok(out)
    }

    pub fn indices(&self) -> Result<Vec<[u32; N]>> {
        self.collect(|i| Ok(self.get_u32(i)))
    }
}

pub const FLOATS: &[u32] = &[WITHY_FORMAT_F32, WITHY_FORMAT_F64];
pub const INDICES: &[u32] = &[WITHY_FORMAT_U32];

impl View<'_, 1> {
    pub fn lengths(&self, convention: &Convention, limits: (f64, f64)) -> Result<Vec<f64>> {
        self.collect(|i| convention.checked_length(self.get(i)[0], format_args!("{}[{i}]", self.name), limits))
    }
    /// Finite numbers.
    pub fn scalars(&self) -> Result<Vec<f64>> {
        self.collect(|i| match self.get(i)[0] {
            x if x.is_finite() => Ok(x),
            x => Err(Failure::argument(format!("{}[{i}] is {x}: must be finite", self.name))),
        })
    }
    /// Refuses the whole array before anything of it is used.
    pub fn check_scalars(&self, largest: f64) -> Result<()> {
        (0..self.count).try_for_each(|i| match self.get(i)[0] {
            x if x.abs() <= largest => Ok(()),
            x => Err(Failure::argument(format!("{}[{i}] is {x}: must be finite and at most {largest:e}", self.name))),
        })
    }
}

impl View<'_, 3> {
    /// Refuses the whole array before anything of it is used.
    pub fn check_positions(&self, convention: &Convention) -> Result<()> {
        (0..self.count).try_for_each(|i| convention.checked_position(self.get(i), self.name, Some(i)).map(drop))
    }
    pub fn positions(&self, convention: &Convention) -> Result<Vec<[f64; 3]>> {
        self.collect(|i| convention.checked_position(self.get(i), self.name, Some(i)))
    }
    fn vector(&self, i: usize, turn: &impl Fn([f64; 3]) -> [f64; 3]) -> Result<[f64; 3]> {
        let v = self.get(i);
        let turned = turn(v);
        if turned.iter().all(|x| x.abs() <= LARGEST) {
            return Ok(turned);
        }
        // `turn` changes the order of the components, and all by the same factor.
        let finite = v.iter().all(|x| x.is_finite());
        let largest = v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        Err(bad_component(&v, self.name, Some(i), |x| if finite { x.abs() < largest } else { x.is_finite() }))
    }
    /// What is no length; `turn` is [`Convention::direction_in`] or [`Convention::curvature_in`].
    pub fn vectors(&self, turn: impl Fn([f64; 3]) -> [f64; 3]) -> Result<Vec<[f64; 3]>> {
        self.collect(|i| self.vector(i, &turn))
    }
    /// Refuses the whole array before anything of it is used.
    pub fn check_vectors(&self, turn: impl Fn([f64; 3]) -> [f64; 3]) -> Result<()> {
        (0..self.count).try_for_each(|i| self.vector(i, &turn).map(drop))
    }
}

impl View<'_, 3> {
    /// Refuses the whole array before anything of it is used; `check` is [`Convention::checked_direction`] or the like.
    pub fn check_each(&self, check: impl Fn([f64; 3], &str, Option<usize>) -> Result<[f64; 3]>) -> Result<()> {
        (0..self.count).try_for_each(|i| check(self.get(i), self.name, Some(i)).map(drop))
    }
}

impl View<'_, 4> {
    /// Finite numbers.
    pub fn fours(&self) -> Result<Vec<[f64; 4]>> {
        self.collect(|i| match self.get(i) {
            v if v.iter().all(|x| x.is_finite()) => Ok(v),
            v => Err(Failure::argument(format!("{}[{i}] is {v:?}: must be finite", self.name))),
        })
    }
    pub fn rotations(&self, convention: &Convention) -> Result<Vec<[f64; 4]>> {
        self.collect(|i| convention.checked_rotation(self.get(i), self.name, Some(i)))
    }
    pub fn check_rotations(&self, convention: &Convention) -> Result<()> {
        (0..self.count).try_for_each(|i| convention.checked_rotation(self.get(i), self.name, Some(i)).map(drop))
    }
}

/// The destination of a whole-object read.
pub struct Output<const N: usize>(View<'static, N>);

impl<const N: usize> Output<N> {
    /// `None` if the host asked for the count only. Sets `span->count` to `needed` in either case, and if the array is too small.
    ///
    /// # Safety
    /// `span` is NULL or readable and writable.
    pub unsafe fn new(span: *mut WithySpan, needed: usize, formats: &[u32]) -> Result<Option<Output<N>>> {
        if span.is_null() {
            return Err(Failure::argument("out is NULL"));
        }
        // SAFETY: the caller's contract.
        unsafe { Self::wanted(span, needed, formats, "out") }
    }

    /// The same for one of several: NULL if it is not wanted.
    ///
    /// # Safety
    /// `span` is NULL or readable and writable.
    pub unsafe fn wanted(span: *mut WithySpan, needed: usize, formats: &[u32], name: &'static str) -> Result<Option<Output<N>>> {
        if span.is_null() {
            return Ok(None);
        }
        // SAFETY: readable by contract; the copy asks for no alignment.
        let copy = unsafe { span.read_unaligned() };
        let view = if copy.data.is_null() { None } else { Some(View::new(&copy, name, formats)?) };
        // SAFETY: writable by contract.
        unsafe { (&raw mut (*span).count).write_unaligned(needed as u64) };
        match view {
            Some(view) if view.count < needed => {
                Err(Failure::new(WITHY_ERROR_TOO_SMALL, format!("{name}.count is {}: there are {needed}", view.count)))
            }
            view => Ok(view.map(Output)),
        }
    }

    pub fn put(&self, i: usize, values: [f64; N]) {
        for (k, x) in values.into_iter().enumerate() {
            let p = self.0.scalar(i, k);
            // SAFETY: the host's array has room for this scalar; alignment is not assumed.
            unsafe {
                match self.0.format {
                    WITHY_FORMAT_F64 => p.cast::<f64>().write_unaligned(x),
                    _ => p.cast::<f32>().write_unaligned(x as f32),
                }
            }
        }
    }

    pub fn put_u32s(&self, i: usize, values: [u32; N]) {
        for (k, x) in values.into_iter().enumerate() {
            // SAFETY: the host's array has room for this scalar; alignment is not assumed.
            unsafe { self.0.scalar(i, k).cast::<u32>().write_unaligned(x) };
        }
    }

    pub fn put_u32(&self, i: usize, value: u32) {
        // SAFETY: as above.
        unsafe { self.0.scalar(i, 0).cast::<u32>().write_unaligned(value) };
    }
}

impl Output<3> {
    /// The same memory, for who writes it from several threads.
    pub fn target(&self) -> Target {
        Target::new(self.0.data, self.0.stride, self.0.format == WITHY_FORMAT_F64)
    }
}

/// Bytes of the host with their number beside them; `data` may be NULL if there are none.
///
/// # Safety
/// `data` has `size` bytes, which nobody writes while the result is used.
pub unsafe fn bytes<'a>(data: *const c_void, size: u64, names: [&str; 2]) -> Result<&'a [u8]> {
    if size == 0 {
        return Ok(&[]);
    }
    defs::not_null(data, names[0])?;
    if size > isize::MAX as u64 {
        return Err(Failure::argument(format!("{} is {size}: leaves the address space", names[1])));
    }
    // SAFETY: by contract; not NULL, and of a possible size.
    Ok(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size as usize) })
}

/// A destination with a size beside it: `count` in elements is read, then set to `needed`. `None` if only that was asked.
///
/// # Safety
/// `count` is NULL or readable and writable; `data` is NULL or has room for `*count` elements.
pub unsafe fn buffer<T>(data: *mut T, count: *mut u64, needed: usize, name: &str) -> Result<Option<*mut T>> {
    if count.is_null() {
        return Err(Failure::argument(format!("{name} is NULL")));
    }
    // SAFETY: by contract.
    let room = unsafe { count.read_unaligned() };
    // SAFETY: by contract.
    unsafe { count.write_unaligned(needed as u64) };
    if data.is_null() {
        return Ok(None);
    }
    if room < needed as u64 {
        return Err(Failure::new(WITHY_ERROR_TOO_SMALL, format!("{name} is {room}: {needed} are needed")));
    }
    Ok(Some(data))
}

#[cfg(test)]
mod tests {
    use super::super::context::WITHY_CONVENTION_SI;
    use super::*;

    fn span<T>(data: &mut [T], count: u64, stride: u64, format: u32) -> WithySpan {
        WithySpan { data: data.as_mut_ptr().cast(), count, stride, format, reserved: 0 }
    }

    #[test]
    fn unaligned_and_strided() {
        let mut bytes = [0u8; 64];
        for (i, x) in [1.5f32, 2.5, 3.5, -4.5].into_iter().enumerate() {
            bytes[1 + 7 * i..5 + 7 * i].copy_from_slice(&x.to_le_bytes());
        }
        let s = span(&mut bytes[1..], 4, 7, WITHY_FORMAT_F32);
        let view = View::<1>::required(&s, "radii", FLOATS).unwrap();
        assert_eq!(view.scalars().unwrap(), [1.5, 2.5, 3.5, -4.5]);
    }

    #[test]
    fn refused_with_the_field_and_the_value() {
        let mut data = [0f32; 12];
        let message = |s: WithySpan| View::<3>::required(&s, "positions", FLOATS).err().unwrap().message;
        assert!(message(span(&mut data, 4, 8, WITHY_FORMAT_F32)).contains("positions.stride is 8"));
        assert!(message(span(&mut data, 4, 12, 9)).contains("positions.format is 9"));
        assert!(message(span(&mut data, 4, 12, WITHY_FORMAT_U32)).contains("positions.format is 3"));
        assert!(message(span(&mut data, u64::MAX, 0, WITHY_FORMAT_F32)).contains("address space"));
        assert!(message(span(&mut data, 2, u64::MAX, WITHY_FORMAT_F32)).contains("address space"));
        assert!(message(span(&mut data, 1 << 62, 12, WITHY_FORMAT_F32)).contains("address space"));
        assert!(message(WithySpan { count: 3, ..WithySpan::default() }).contains("positions.data is NULL, count is 3"));
        let c = Convention::new(WITHY_CONVENTION_SI, 0.0).unwrap();
        data[7] = f32::INFINITY;
        let s = span(&mut data, 4, 0, WITHY_FORMAT_F32);
        let view = View::<3>::required(&s, "positions", FLOATS).unwrap();
        assert_eq!(view.positions(&c).unwrap_err().message, "positions[2].y is inf: must be finite");
    }

    #[test]
    fn outputs_tell_the_count() {
        let mut data = [0f64; 6];
        let mut s = span(&mut data, 1, 0, WITHY_FORMAT_F64);
        // SAFETY: a local.
        let e = unsafe { Output::<3>::new(&mut s, 2, FLOATS) }.err().unwrap();
        assert_eq!((e.code, s.count), (WITHY_ERROR_TOO_SMALL, 2));
        // SAFETY: a local.
        let out = unsafe { Output::<3>::new(&mut s, 2, FLOATS) }.unwrap().unwrap();
        out.put(1, [1.0, 2.0, 3.0]);
        assert_eq!(data, [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
        let mut ask = WithySpan::default();
        // SAFETY: a local.
        assert!(unsafe { Output::<3>::new(&mut ask, 7, FLOATS) }.unwrap().is_none());
        assert_eq!(ask.count, 7);
    }
}
