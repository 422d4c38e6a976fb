//! The C that README and docs show is compiled and run by ctest, letter by letter: whole programs, and pieces that `snippets.c` has in one.

use std::path::Path;

#[test]
fn the_c_that_is_shown_is_tested() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &str| std::fs::read_to_string(root.join(path));
    let whole = [read("ctest/hello_rod.c")?, read("ctest/hello_ragdoll.c")?];
    // The pieces stand in functions there, indented.
    let pieces = read("ctest/snippets.c")?.replace("\n    ", "\n");
    let mut pages = vec![root.join("README.md")];
    for page in std::fs::read_dir(root.join("docs"))? {
        pages.extend(Some(page?.path()).filter(|p| p.extension().is_some_and(|e| e == "md")));
    }
    let mut shown = [0, 0];
    for page in pages {
        let text = std::fs::read_to_string(&page)?;
        for block in text.split("```c\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            let is_whole = whole.iter().any(|program| program == block);
            assert!(is_whole || pieces.contains(block), "{}:\n{block}", page.display());
            shown[usize::from(is_whole)] += 1;
        }
    }
    assert_eq!(shown, [9, 2], "pieces and programs");
    Ok(())
}

/// README, CHANGELOG and every page under docs: what they link to is there.
#[test]
fn every_link_leads_somewhere() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut pages = vec![root.join("README.md"), root.join("CHANGELOG.md")];
    for folder in ["docs", "docs/internals"] {
        for page in std::fs::read_dir(root.join(folder))? {
            pages.extend(Some(page?.path()).filter(|p| p.extension().is_some_and(|e| e == "md")));
        }
    }
    let mut links = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page)?;
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            if !link.is_empty() && !link.starts_with("http") {
                assert!(page.with_file_name(link).exists(), "{}: {link}", page.display());
                links += 1;
            }
        }
    }
    assert!(links > 100, "{links} links");
    Ok(())
}
