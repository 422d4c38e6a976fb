//! The adapter that these tests run on.

use std::sync::OnceLock;
use withy::desc::error::Result;
use withy::gpu::GpuDevice;
use withy::world::*;

/// One device for all tests, so that its driver compiles once. `None`, and loudly that nothing was tested, where there is none.
pub fn device() -> Option<&'static GpuDevice> {
    static DEVICE: OnceLock<Result<GpuDevice>> = OnceLock::new();
    match DEVICE.get_or_init(|| GpuDevice::new(&GpuCache::default())) {
        Ok(gpu) => Some(gpu),
        Err(e) if std::env::var_os("WITHY_REQUIRE_GPU").is_none() => {
            eprintln!("\n*** SKIPPED, NOTHING TESTED: {e} ***\n");
            None
        }
        Err(e) => panic!("WITHY_REQUIRE_GPU is set: {e}"),
    }
}

/// A world on that device, or on the CPU.
pub fn world(on_gpu: bool, desc: WorldDesc) -> Option<World> {
    if on_gpu { device().map(|gpu| World::on(gpu, desc).unwrap()) } else { Some(World::new(desc).unwrap()) }
}
