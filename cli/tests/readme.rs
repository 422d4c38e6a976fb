//! README and docs show the C programs that ctest compiles, letter by letter.

use std::path::Path;

#[test]
fn the_c_programs_that_are_shown_are_tested() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (page, program) in [("README.md", "hello_rod.c"), ("docs/ragdoll.md", "hello_ragdoll.c")] {
        let text = std::fs::read_to_string(root.join(page))?;
        let program = std::fs::read_to_string(root.join("ctest").join(program))?;
        let mut shown = text.split("```c\n").skip(1).filter_map(|rest| rest.split("```").next());
        assert!(shown.any(|block| block == program), "{page}");
    }
    Ok(())
}
