//! Compiles what calls withy, in C, against the installed header, and links the installed library.

use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-env-changed=WITHY_PREFIX");
    println!("cargo:rerun-if-changed=src/native.c");
    let prefix = std::env::var_os("WITHY_PREFIX").map(PathBuf::from);
    let prefix = prefix.expect("WITHY_PREFIX: the folder of `cargo xtask install --prefix FOLDER`");
    println!("cargo:rerun-if-changed={}", prefix.join("include").display());
    let mut c = cc::Build::new();
    c.file("src/native.c").include(prefix.join("include")).std("c99").warnings_into_errors(true).extra_warnings(true);
    c.compile("withy_godot_native");
    println!("cargo:rustc-link-search=native={}", prefix.join("lib").display());
    println!("cargo:rustc-link-lib=dylib=withy");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        // withy's library lies beside this one.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN");
    }
}
