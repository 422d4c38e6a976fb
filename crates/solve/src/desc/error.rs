//! Errors a host can cause. Each says which field, which index and which value.

use core::fmt;

/// The class of an error. The C ABI maps it to a `WITHY_ERROR_…` code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A value, count or stride that cannot be used.
    InvalidArgument,
    /// A handle that is null, stale, of another kind or of another world.
    InvalidHandle,
    /// Asked for something that this build or this machine does not have.
    Unsupported,
    /// Another thread is inside this object.
    Busy,
    /// Memory could not be had.
    OutOfMemory,
    /// Our own mistake.
    Internal,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: ErrorKind,
    pub message: String,
}

pub type Result<T> = core::result::Result<T, Error>;

impl Error {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into() }
    }
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }
    pub fn handle(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidHandle, message)
    }
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unsupported, message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
