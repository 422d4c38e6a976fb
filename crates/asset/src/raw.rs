//! Numbers from bytes, and files that end with a checksum.

/// Of bytes whose number was looked at before: what is read beyond them panics.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader(bytes)
    }
    pub fn take<const N: usize>(&mut self) -> [u8; N] {
        let (a, b) = self.0.split_at(N);
        self.0 = b;
        core::array::from_fn(|i| a[i])
    }
    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }
    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }
    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
    pub fn f32(&mut self) -> f32 {
        f32::from_le_bytes(self.take())
    }
    pub fn f64(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }
}

/// FNV-1a of several pieces, one behind the other.
pub(crate) fn checksum_of<const N: usize>(pieces: [&[u8]; N]) -> u64 {
    let step = |h: u64, b: &u8| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
    pieces.iter().fold(0xcbf2_9ce4_8422_2325, |h, piece| piece.iter().fold(h, step))
}

/// FNV-1a.
pub fn checksum(bytes: &[u8]) -> u64 {
    checksum_of([bytes])
}

/// Puts the checksum behind a file.
pub fn seal(file: &mut Vec<u8>) {
    file.extend(checksum(file).to_le_bytes());
}

/// Looks at the checksum of a sealed file.
///
/// Errors: what is wrong, without the name of the file.
pub fn unseal(file: &[u8]) -> Result<(), String> {
    let Some((body, sum)) = file.split_last_chunk::<8>() else { return Err(format!("{} bytes without a checksum", file.len())) };
    let (sum, found) = (u64::from_le_bytes(*sum), checksum(body));
    if found == sum { Ok(()) } else { Err(format!("the checksum is {found:#018x}, the file says {sum:#018x}: it was changed")) }
}
