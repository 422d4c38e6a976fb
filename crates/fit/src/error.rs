//! Why a mesh does not become rods.

use std::fmt;

/// Shown as `triangles[3] 123456 is outside of the 962 vertices`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// `points`, `triangles`, `size`, `origin`, `insertion`, `ends`, `rods` or `slices`.
    pub field: &'static str,
    /// The element of that field, counted from 0, where it is an array.
    pub index: Option<usize>,
    /// What was found, as text; empty when there is nothing to show.
    pub value: String,
    /// What is wrong with it.
    pub reason: String,
    /// Value or reason tell lengths, in the mesh's unit.
    pub lengths: bool,
}

impl Error {
    pub(crate) fn new(field: &'static str, reason: impl Into<String>) -> Error {
        Error { field, index: None, value: String::new(), reason: reason.into(), lengths: false }
    }

    pub(crate) fn index(mut self, index: usize) -> Error {
        self.index = Some(index);
        self
    }

    pub(crate) fn lengths(mut self) -> Error {
        self.lengths = true;
        self
    }

    pub(crate) fn value(mut self, value: impl fmt::Display) -> Error {
        self.value = value.to_string();
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.field)?;
        if let Some(index) = self.index {
            write!(out, "[{index}]")?;
        }
        if !self.value.is_empty() {
            write!(out, " {}", self.value)?;
        }
        write!(out, " {}", self.reason)
    }
}

impl std::error::Error for Error {}
