//! What every reader and writer here answers when it cannot go on: which field, which index, which value, and why.

use std::fmt;
use std::path::Path;

/// A file, or the data meant for one, was refused.
///
/// Shown as `tfx: strand count 4294967295 needs 824.6 GB, file has 1.0 KB` or `usda: points[17].y NaN is not finite (line 9)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IoError {
    /// The file, where there is one.
    pub file: Option<Box<Path>>,
    /// The format or the step that refused: `tfx`, `usda`, `groom`, `file`, ...
    pub format: &'static str,
    /// The field, in the words of the format.
    pub field: String,
    /// The element of that field, counted from 0, where the field is an array.
    pub index: Option<u64>,
    /// The value that was found, as text; empty when there is none.
    pub value: String,
    /// What is wrong with it.
    pub reason: String,
}

impl IoError {
    /// `format: field reason`.
    pub fn new(format: &'static str, field: impl Into<String>, reason: impl Into<String>) -> IoError {
        IoError { file: None, format, field: field.into(), index: None, value: String::new(), reason: reason.into() }
    }

    /// Names the file.
    pub fn file(mut self, path: &Path) -> IoError {
        self.file = Some(path.into());
        self
    }

    /// Names the offending value.
    pub fn value(mut self, value: impl fmt::Display) -> IoError {
        self.value = value.to_string();
        self
    }

    /// Names the offending element.
    pub fn index(mut self, index: usize) -> IoError {
        self.index = Some(index as u64);
        self
    }
}

impl fmt::Display for IoError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.file {
            write!(out, "{}: ", path.display())?;
        }
        write!(out, "{}: {}", self.format, self.field)?;
        if let Some(index) = self.index {
            write!(out, "[{index}]")?;
        }
        if !self.value.is_empty() {
            write!(out, " {}", self.value)?;
        }
        write!(out, " {}", self.reason)
    }
}

impl std::error::Error for IoError {}

/// A byte count for people: `824.6 GB`, `1.0 KB`, `12 bytes`.
pub(crate) fn byte_size(bytes: u128) -> String {
    const UNITS: [(u128, &str); 4] = [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB")];
    for (size, name) in UNITS {
        if bytes >= size {
            let tenths = bytes * 10 / size;
            return format!("{}.{} {name}", tenths / 10, tenths % 10);
        }
    }
    format!("{bytes} bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_one_sentence() {
        let error = IoError::new("usda", "points", "is not finite").index(17).value(f32::NAN);
        assert_eq!(error.to_string(), "usda: points[17] NaN is not finite");
        assert_eq!(byte_size(4_294_967_295 * 16 * 12), "824.6 GB");
        assert_eq!(byte_size(999), "999 bytes");
        assert_eq!(byte_size(1_000), "1.0 KB");
    }
}
