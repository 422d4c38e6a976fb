//! The name under which programs find the shared library at run time.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let var = |name| std::env::var(name).unwrap_or_default();
    let (os, major) = (var("CARGO_CFG_TARGET_OS"), var("CARGO_PKG_VERSION_MAJOR"));
    match os.as_str() {
        "linux" | "android" | "freebsd" => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libwithy.so.{major}"),
        "macos" => println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libwithy.{major}.dylib"),
        _ => {}
    }
}
