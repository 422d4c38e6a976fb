//! What hosts save, in one file that describes itself: named chunks, each with the type of its data, its own version
//! and a checksum.
//!
//! ```text
//! file:  "WITHYAST"  version u32 = 1  chunks u32  chunk, chunk, …
//! chunk: bytes of the name u32 · version u32 · format u32 · columns u32 · bytes of the data u64 · checksum u64
//!        the name (UTF-8), zeros to a multiple of 8, at least one · the data, zeros to a multiple of 8
//! ```
//! Little-endian; the checksum is FNV-1a of the 24 bytes before it, of the name and of the data. So arrays lie aligned if
//! the file does, names end with a zero, and the same chunks give the same bytes.
//!
//! **Versions.** That of the file counts up if the frame above changes. That of a chunk belongs to whoever writes the
//! chunk, and counts up when what is in it means something else. A reader takes the chunks that it knows by their names,
//! and passes on the others: also those of a format that it does not know.

mod raw;

pub use raw::{Reader, checksum, seal, unseal};

const MAGIC: &[u8; 8] = b"WITHYAST";
/// Of the frame.
pub const VERSION: u32 = 1;
const HEAD: usize = 16;
const CHUNK_HEAD: usize = 32;
/// Bytes of a name.
pub const LONGEST_NAME: usize = 255;

/// Bytes of any meaning.
pub const BYTES: u32 = 0;
/// An array of f32.
pub const F32: u32 = 1;
/// An array of f64.
pub const F64: u32 = 2;
/// An array of u32.
pub const U32: u32 = 3;
/// UTF-8.
pub const TEXT: u32 = 4;

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub String);

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = core::result::Result<T, Error>;

fn fail<T>(message: String) -> Result<T> {
    Err(Error(message))
}

/// A part of a file. Its name and data lie in the file's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    pub name: &'a str,
    /// Whoever writes the chunk counts it.
    pub version: u32,
    /// [`BYTES`], [`F32`], [`F64`], [`U32`] or [`TEXT`].
    pub format: u32,
    /// Numbers in a row of an array; 0 of bytes and text.
    pub columns: u32,
    pub data: &'a [u8],
}

/// Bytes of a number.
fn scalar(format: u32) -> Option<usize> {
    match format {
        F32 | U32 => Some(4),
        F64 => Some(8),
        _ => None,
    }
}

impl<'a> Chunk<'a> {
    /// What this library knows of its format holds; of others nothing is known.
    fn check(&self) -> core::result::Result<(), String> {
        let (columns, bytes) = (self.columns, self.data.len());
        if let Some(scalar) = scalar(self.format) {
            let row = scalar as u64 * u64::from(columns);
            return match columns {
                0 => Err("columns is 0: an array has one at least".into()),
                _ if !(bytes as u64).is_multiple_of(row) => Err(format!("{bytes} bytes are not rows of {row}")),
                _ => Ok(()),
            };
        }
        if self.format <= TEXT && columns != 0 {
            return Err(format!("columns is {columns}: bytes and text have 0"));
        }
        match core::str::from_utf8(self.data) {
            Err(e) if self.format == TEXT => Err(format!("its text is no UTF-8 at byte {}", e.valid_up_to())),
            _ => Ok(()),
        }
    }

    /// Rows of an array.
    pub fn rows(&self) -> usize {
        scalar(self.format).map_or(0, |scalar| self.data.len() / scalar / self.columns.max(1) as usize)
    }

    /// The numbers of an array of f64 with `N` columns.
    pub fn f64s<const N: usize>(&self) -> Result<Vec<[f64; N]>> {
        self.expect(F64, N as u32)?;
        let mut r = Reader::new(self.data);
        let mut row = || core::array::from_fn(|_| f64::from_le_bytes(r.take()));
        Ok((0..self.rows()).map(|_| row()).collect())
    }

    /// The numbers of an array of u32 with one column.
    pub fn u32s(&self) -> Result<Vec<u32>> {
        self.expect(U32, 1)?;
        let mut r = Reader::new(self.data);
        Ok((0..self.rows()).map(|_| r.u32()).collect())
    }

    fn expect(&self, format: u32, columns: u32) -> Result<()> {
        if (self.format, self.columns) == (format, columns) {
            return Ok(());
        }
        let (name, is, has) = (self.name, self.format, self.columns);
        fail(format!("asset: chunk {name:?} has format {is} and {has} columns: {format} and {columns} are expected"))
    }
}

fn check_name(name: &str) -> core::result::Result<(), String> {
    if name.is_empty() || name.len() > LONGEST_NAME {
        return Err(format!("its name has {} bytes: must have 1 to {LONGEST_NAME}", name.len()));
    }
    match name.chars().find(|c| c.is_control()) {
        Some(c) => Err(format!("its name has a control character, {c:?}")),
        None => Ok(()),
    }
}

/// No name twice.
fn check_names(chunks: &[Chunk]) -> Result<()> {
    let mut order: Vec<usize> = (0..chunks.len()).collect();
    order.sort_by_key(|i| (chunks[*i].name, *i));
    match order.windows(2).find(|pair| chunks[pair[0]].name == chunks[pair[1]].name) {
        Some(pair) => fail(format!("asset: chunks {} and {} are both called {:?}", pair[0], pair[1], chunks[pair[0]].name)),
        None => Ok(()),
    }
}

/// To the next multiple of 8 behind `n` bytes.
fn padding(n: usize) -> usize {
    n.next_multiple_of(8) - n
}

/// Of a name, which a zero ends.
fn name_room(name: usize) -> usize {
    name + 1 + padding(name + 1)
}

/// Bytes that [`write`] gives.
pub fn size(chunks: &[Chunk]) -> usize {
    let room = |c: &Chunk| CHUNK_HEAD + name_room(c.name.len()) + c.data.len() + padding(c.data.len());
    HEAD + chunks.iter().map(room).sum::<usize>()
}

fn sum(head: &[u8], name: &[u8], data: &[u8]) -> u64 {
    raw::checksum_of([head, name, data])
}

/// Whether [`write`] takes these chunks.
///
/// Errors: a name twice or too long, data that is not of its format.
pub fn check(chunks: &[Chunk]) -> Result<()> {
    check_names(chunks)?;
    for (i, c) in chunks.iter().enumerate() {
        if let Err(what) = check_name(c.name).and_then(|()| c.check()) {
            return fail(format!("asset: chunk {i} {:?}: {what}", c.name));
        }
    }
    Ok(())
}

/// The file with these chunks.
///
/// Errors: as of [`check`].
pub fn write(chunks: &[Chunk]) -> Result<Vec<u8>> {
    check(chunks)?;
    let mut out = Vec::with_capacity(size(chunks));
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend((chunks.len() as u32).to_le_bytes());
    for c in chunks {
        let start = out.len();
        [c.name.len() as u32, c.version, c.format, c.columns].iter().for_each(|x| out.extend(x.to_le_bytes()));
        out.extend((c.data.len() as u64).to_le_bytes());
        let sum = sum(&out[start..], c.name.as_bytes(), c.data);
        out.extend(sum.to_le_bytes());
        out.extend(c.name.as_bytes());
        out.resize(out.len() + 1 + padding(c.name.len() + 1), 0);
        out.extend(c.data);
        out.resize(out.len() + padding(c.data.len()), 0);
    }
    debug_assert_eq!(out.len(), size(chunks));
    Ok(out)
}

/// Whether the bytes begin as a file of [`write`] does.
pub fn is_asset(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The chunks of a file, which borrow its bytes.
///
/// Errors: bytes of something else, of a later frame, cut off or changed; they name the chunk and the byte.
pub fn read(bytes: &[u8]) -> Result<Vec<Chunk<'_>>> {
    if bytes.len() < HEAD || !is_asset(bytes) {
        return fail(format!("asset: {} bytes that do not begin as an asset does", bytes.len()));
    }
    let mut head = Reader::new(&bytes[8..HEAD]);
    let (version, count) = (head.u32(), head.u32());
    if version != VERSION {
        return fail(format!("asset: version {version}, this library reads {VERSION}"));
    }
    let mut chunks = Vec::new();
    let mut at = HEAD;
    for i in 0..count {
        let (chunk, end) = one(bytes, at).map_err(|(name, what)| {
            let name = name.map_or(String::new(), |n| format!(" {n:?}"));
            Error(format!("asset: chunk {i}{name} at byte {at}: {what}"))
        })?;
        chunks.push(chunk);
        at = end;
    }
    if at != bytes.len() {
        return fail(format!("asset: {} bytes behind the last of {count} chunks, at byte {at}", bytes.len() - at));
    }
    check_names(&chunks)?;
    Ok(chunks)
}

/// The chunk that begins at a byte, and where it ends; or its name, if that far was read, and what is wrong.
fn one(bytes: &[u8], at: usize) -> core::result::Result<(Chunk<'_>, usize), (Option<&str>, String)> {
    let rest = &bytes[at..];
    if rest.len() < CHUNK_HEAD {
        return Err((None, format!("the file ends {} bytes into it", rest.len())));
    }
    let (head, body) = rest.split_at(CHUNK_HEAD);
    let mut r = Reader::new(head);
    let [name_len, version, format, columns] = core::array::from_fn(|_| r.u32());
    let (size, said) = (r.u64(), r.u64());
    let name_len = name_len as usize;
    if name_len == 0 || name_len > LONGEST_NAME {
        return Err((None, format!("its name has {name_len} bytes: must have 1 to {LONGEST_NAME}")));
    }
    let room = name_room(name_len);
    if room > body.len() {
        return Err((None, format!("its name needs {room} bytes, the file has {}", body.len())));
    }
    let (named, body) = body.split_at(room);
    let Ok(name) = core::str::from_utf8(&named[..name_len]) else { return Err((None, "its name is no UTF-8".into())) };
    let wrong = |what: String| Err((Some(name), what));
    if size > body.len() as u64 {
        return wrong(format!("its data needs {size} bytes, the file has {}", body.len()));
    }
    let size = size as usize;
    let padded = size + padding(size);
    if padded > body.len() {
        return wrong(format!("the file ends in the zeros behind its {size} bytes"));
    }
    let (data, zeros) = body[..padded].split_at(size);
    let found = sum(&head[..CHUNK_HEAD - 8], name.as_bytes(), data);
    if found != said {
        return wrong(format!("the checksum is {found:#018x}, the file says {said:#018x}: it was changed"));
    }
    if named[name_len..].iter().chain(zeros).any(|b| *b != 0) {
        return wrong("what fills it up is not zero".into());
    }
    let chunk = Chunk { name, version, format, columns, data };
    match check_name(name).and_then(|()| chunk.check()) {
        Ok(()) => Ok((chunk, at + CHUNK_HEAD + room + padded)),
        Err(what) => wrong(what),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk<'a>(name: &'a str, format: u32, columns: u32, data: &'a [u8]) -> Chunk<'a> {
        Chunk { name, version: 3, format, columns, data }
    }

    fn file() -> Vec<u8> {
        let [doubles, floats] = [[0u8; 48], [7; 48]];
        let chunks = [
            chunk("settings", TEXT, 0, "{\"radius\": 4e-5, \"name\": \"Bär\"}".as_bytes()),
            chunk("pose", F64, 3, &doubles),
            chunk("sizes", F32, 4, &floats),
            // Of a later version.
            chunk("seen", 77, 5, &[1, 2, 3]),
            chunk("nothing", BYTES, 0, &[]),
        ];
        write(&chunks).unwrap()
    }

    #[test]
    fn what_was_written_is_read() {
        let bytes = file();
        let chunks = read(&bytes).unwrap();
        assert_eq!(chunks.iter().map(|c| c.name).collect::<Vec<_>>(), ["settings", "pose", "sizes", "seen", "nothing"]);
        assert_eq!((chunks[1].rows(), chunks[2].rows(), chunks[3].data), (2, 3, &[1u8, 2, 3][..]));
        assert_eq!(chunks[1].f64s::<3>().unwrap(), [[0.0; 3]; 2]);
        assert!(chunks[1].f64s::<2>().is_err() && chunks[1].u32s().is_err());
        // Chunks that a reader does not know are written again as they were.
        assert_eq!(write(&chunks).unwrap(), bytes);
        // Aligned, and C strings.
        for c in &chunks {
            assert_eq!((c.data.as_ptr() as usize - bytes.as_ptr() as usize) % 8, 0);
            assert_eq!(bytes[c.name.as_ptr() as usize - bytes.as_ptr() as usize + c.name.len()], 0);
        }
        assert_eq!(read(&write(&[]).unwrap()).unwrap(), []);
    }

    #[test]
    fn every_bit_counts() {
        let bytes = file();
        for i in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[i / 8] ^= 1 << (i % 8);
            assert!(read(&changed).is_err(), "bit {i}");
        }
        for n in 0..bytes.len() {
            assert!(read(&bytes[..n]).is_err(), "{n} bytes");
        }
        assert!(read(&[&bytes[..], &[0; 8]].concat()).is_err());
    }

    #[test]
    fn errors_name_chunk_and_byte() {
        let bytes = file();
        let text = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut changed = bytes.clone();
            change(&mut changed);
            read(&changed).unwrap_err().0
        };
        // The second chunk begins behind 16 + 32 + 16 + 32 bytes.
        assert_eq!(&bytes[96 + 32..96 + 36], b"pose");
        let changed = text(&|b| b[96 + 40] = 1);
        assert!(changed.starts_with("asset: chunk 1 \"pose\" at byte 96: the checksum is 0x"), "{changed}");
        let lies = text(&|b| b[96 + 16..96 + 24].fill(0xff));
        let has = bytes.len() - 96 - 40;
        assert_eq!(lies, format!("asset: chunk 1 \"pose\" at byte 96: its data needs {} bytes, the file has {has}", u64::MAX));
        let cut = text(&|b| b.truncate(102));
        assert_eq!(cut, "asset: chunk 1 at byte 96: the file ends 6 bytes into it");
        let many = text(&|b| b[12..16].fill(0xff));
        assert!(many.starts_with("asset: chunk 5 at byte "), "{many}");
        let later = text(&|b| b[8] = 2);
        assert_eq!(later, "asset: version 2, this library reads 1");
        let of = |chunks: &[Chunk]| write(chunks).unwrap_err().0;
        assert_eq!(of(&[chunk("a", F32, 3, &[0; 16])]), "asset: chunk 0 \"a\": 16 bytes are not rows of 12");
        assert_eq!(of(&[chunk("a", TEXT, 0, &[0xff])]), "asset: chunk 0 \"a\": its text is no UTF-8 at byte 0");
        let twice = of(&[chunk("a", BYTES, 0, &[]), chunk("b", BYTES, 0, &[]), chunk("a", BYTES, 0, &[])]);
        assert_eq!(twice, "asset: chunks 0 and 2 are both called \"a\"");
        assert!(of(&[chunk("", BYTES, 0, &[])]).contains("its name has 0 bytes"));
        assert!(of(&[chunk("a\0b", BYTES, 0, &[])]).contains("control character"));
        assert!(of(&[chunk("a", F64, 0, &[])]).contains("columns is 0"));
    }
}
