//! The name under which programs find the shared library at run time.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The fuzzer's build leaves the wide instruction sets out: they are the same kernels, and take minutes under its instruments. So do the
    // library's unit tests, of which none is about lanes: half of the time that they take to compile.
    println!("cargo:rustc-check-cfg=cfg(withy_narrow)");
    let var = |name| std::env::var(name).unwrap_or_default();
    let (os, major) = (var("CARGO_CFG_TARGET_OS"), var("CARGO_PKG_VERSION_MAJOR"));
    match os.as_str() {
        "linux" | "android" | "freebsd" => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libwithy.so.{major}"),
        "macos" => println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libwithy.{major}.dylib"),
        _ => {}
    }
}
