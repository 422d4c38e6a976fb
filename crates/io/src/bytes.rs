//! A bounds-checked little-endian view of a binary file. No reader allocates before [`Bytes::array`] has found that the
//! file holds what its header promises.

use super::error::{IoError, byte_size};

pub(crate) struct Bytes<'a> {
    format: &'static str,
    data: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub fn new(format: &'static str, data: &'a [u8]) -> Bytes<'a> {
        Bytes { format, data }
    }

    pub fn u32(&self, offset: usize, field: &str) -> Result<u32, IoError> {
        let bytes = offset.checked_add(4).and_then(|end| self.data.get(offset..end));
        match bytes {
            Some(bytes) => Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            None => Err(IoError::new(self.format, field, format!("at byte {offset} is past the end, {}", self.holds()))),
        }
    }

    pub fn f32(&self, offset: usize, field: &str) -> Result<f32, IoError> {
        self.u32(offset, field).map(f32::from_bits)
    }

    /// The bytes of an array of `count` elements of `stride` bytes that starts at `offset`. The error blames `field`, the
    /// header's count, since that is what a damaged file has wrong.
    pub fn array(&self, offset: u64, count: u64, stride: u64, field: &str, shown: u64) -> Result<&'a [u8], IoError> {
        // u128: three u32 factors and an offset cannot overflow it.
        let size = count as u128 * stride as u128;
        let end = offset as u128 + size;
        if end > self.data.len() as u128 {
            let at = if offset == 0 { String::new() } else { format!(" from byte {offset}") };
            return Err(IoError::new(self.format, field, format!("needs {}{at}, {}", byte_size(size), self.holds())).value(shown));
        }
        Ok(&self.data[offset as usize..end as usize])
    }

    fn holds(&self) -> String {
        format!("file has {}", byte_size(self.data.len() as u128))
    }
}

/// The floats of an array from [`Bytes::array`].
pub(crate) fn floats(bytes: &[u8]) -> impl ExactSizeIterator<Item = f32> + '_ {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}
