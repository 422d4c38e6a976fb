//! The figures of the papers as scenes.
pub fn run(_name: &str, _out: &std::path::Path) -> crate::Result<()> { Ok(()) }
