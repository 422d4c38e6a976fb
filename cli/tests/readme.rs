//! The README shows the C program that ctest compiles, letter by letter.

use std::path::Path;

#[test]
fn the_readme_shows_the_c_program_that_is_tested() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md"))?;
    let program = std::fs::read_to_string(root.join("ctest").join("hello_rod.c"))?;
    let mut shown = readme.split("```c\n").skip(1).filter_map(|rest| rest.split("```").next());
    assert!(shown.any(|block| block == program));
    Ok(())
}
