//! The state of a set of rods that lives on the GPU, and the copy of it that the host reads.
//!
//! Constants, supports and pins are the host's: they are kept in `Buffers` and go up when they changed. The state is the GPU's: it
//! comes down when somebody reads it after a step, once, and goes up only if somebody wrote it.

#[cfg(feature = "gpu")]
pub use with_gpu::GpuSide;
#[cfg(not(feature = "gpu"))]
pub use without_gpu::GpuSide;

use crate::desc::error::{Error, Result};
use crate::desc::{BackendChoice, WorldDesc};

/// What the host changed since the last step.
#[derive(Clone, Copy, Default)]
#[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "nothing reads it without a GPU"))]
pub struct Changed {
    pub state: bool,
    pub params: bool,
    /// What presses on sections.
    pub bulk: bool,
    pub supports: bool,
    pub pins: bool,
    pub forces: bool,
}

#[cfg(feature = "gpu")]
pub use crate::gpu::GpuDevice;

/// A device of which there is none.
#[cfg(not(feature = "gpu"))]
#[derive(Debug)]
pub enum GpuDevice {}

/// The device that the description asks for, and the backend's name.
pub fn choose(desc: &WorldDesc) -> Result<(Option<GpuDevice>, String)> {
    if desc.backend == BackendChoice::Cpu {
        return Ok((None, "cpu".into()));
    }
    match (open(desc), desc.backend) {
        (Ok((gpu, name)), _) => Ok((Some(gpu), format!("gpu ({name})"))),
        (Err(reason), BackendChoice::Auto) => Ok((None, format!("cpu (no gpu: {reason})"))),
        (Err(reason), _) => Err(reason),
    }
}

pub fn refuse_double(desc: &WorldDesc) -> Result<()> {
    if desc.double_precision {
        return Err(Error::unsupported("precision is f64, the gpu backend has f32 only"));
    }
    Ok(())
}

fn open(desc: &WorldDesc) -> Result<(GpuDevice, String)> {
    refuse_double(desc)?;
    #[cfg(feature = "gpu")]
    {
        let gpu = GpuDevice::new(&desc.gpu_cache)?;
        let name = gpu.name().to_string();
        if desc.backend == BackendChoice::Auto && gpu.is_software() {
            return Err(Error::unsupported(format!("{name} is software, which is slower than the cpu backend")));
        }
        Ok((gpu, name))
    }
    #[cfg(not(feature = "gpu"))]
    Err(Error::unsupported("this library was built without the gpu feature"))
}

#[cfg(not(feature = "gpu"))]
mod without_gpu {
    use super::{Changed, Result};
    use crate::layout::Aligned;
    use crate::rods::group::BlockReport;

    /// No such thing: this build has no GPU backend.
    #[derive(Debug)]
    pub enum GpuSide {}

    impl GpuSide {
        pub fn state(&self) -> &Aligned<f32> {
            match *self {}
        }
        pub fn rows(&self) -> &[Aligned<f32>; 4] {
            match *self {}
        }
        pub fn state_mut(&mut self) -> [&mut Aligned<f32>; 4] {
            match *self {}
        }
        pub fn changed(&mut self) -> &mut Changed {
            match *self {}
        }
        pub fn reports(&self, _: &mut [BlockReport]) -> Result<()> {
            match *self {}
        }
        pub fn memory_bytes(&self) -> u64 {
            match *self {}
        }
    }
}

#[cfg(feature = "gpu")]
mod with_gpu {
    use super::Changed;
    use crate::desc::error::{Error, Result};
    use crate::gpu::{GpuDevice, GpuRods};
    use crate::layout::{Aligned, Buffers, Layout};
    use crate::rods::group::{BlockReport, Pin};
    use crate::step::RodsStep;
    use parking_lot::Mutex;
    use std::sync::OnceLock;

    /// `Buffers::state`, `second`, `scales` and `swept`.
    type Rows = [Aligned<f32>; 4];

    struct Device {
        rods: GpuRods,
        /// The allocation of the host's copy while it is stale.
        spare: Option<Rows>,
        /// A readback that failed; the next step reports it.
        failed: Option<Error>,
    }

    pub struct GpuSide {
        device: Mutex<Device>,
        /// Set from the first read after a step to the next step.
        copy: OnceLock<Rows>,
        changed: Changed,
    }

    impl core::fmt::Debug for GpuSide {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            f.write_str("GpuSide")
        }
    }

    impl GpuSide {
        /// Takes the state out of `buffers`, and what only a step on the CPU needs.
        pub fn new(
            gpu: &GpuDevice,
            layout: &Layout,
            buffers: &mut Buffers<f32>,
            newton: bool,
            touching: bool,
        ) -> Result<GpuSide> {
            let rods = GpuRods::stepping(gpu, layout, buffers, newton, touching)?;
            buffers.scratch = Aligned::zeroed(0);
            buffers.workspace = Aligned::zeroed(0);
            let rows = [&mut buffers.state, &mut buffers.second, &mut buffers.scales, &mut buffers.swept]
                .map(|rows| core::mem::replace(rows, Aligned::zeroed(0)));
            let copy = OnceLock::from(rows);
            Ok(GpuSide { device: Mutex::new(Device { rods, spare: None, failed: None }), copy, changed: Changed::default() })
        }

        /// Strands touch strands from now on, but for what is `allowed` to overlap.
        pub fn let_touch(&mut self, layout: &Layout, params: &[f32], allowed: &[([u32; 2], f64)]) -> Result<()> {
            self.device.get_mut().rods.let_touch(layout, params, allowed)
        }

        /// The state after the last step. Waits for the GPU where it has gone on since the last read; NaN everywhere if the
        /// device is lost, which the next step then says.
        pub fn state(&self) -> &Aligned<f32> {
            &self.rows()[0]
        }
        /// The same with the rows of second order, scales, and multipliers.
        pub fn rows(&self) -> &Rows {
            self.copy.get_or_init(|| {
                let mut device = self.device.lock();
                let mut rows = device.spare.take().unwrap_or_else(|| [0; 4].map(Aligned::zeroed));
                if let Err(error) = device.rods.read_state(rows.each_mut().map(|r| &mut r[..])) {
                    rows.iter_mut().for_each(|r| r.fill(f32::NAN));
                    device.failed = Some(error);
                }
                rows
            })
        }

        /// All to write to; they go up before the next step.
        pub fn state_mut(&mut self) -> [&mut Aligned<f32>; 4] {
            self.changed.state = true;
            self.rows();
            self.copy.get_mut().expect("just read").each_mut()
        }

        pub fn changed(&mut self) -> &mut Changed {
            &mut self.changed
        }

        pub fn step(&mut self, buffers: &Buffers<f32>, pins: &[Pin], step: &RodsStep<'_, f32>) -> Result<()> {
            let device = self.device.get_mut();
            if let Some(error) = device.failed.take() {
                return Err(error);
            }
            if let Some(rows) = self.copy.take() {
                if self.changed.state {
                    device.rods.upload_state(rows.each_ref().map(|r| &r[..]))?;
                }
                device.spare = Some(rows);
            }
            if self.changed.params {
                device.rods.upload_params(&buffers.params)?;
                device.rods.upload_kappa(&buffers.extra)?;
            }
            if self.changed.params || self.changed.bulk {
                device.rods.upload_bulk(&buffers.bulk)?;
            }
            if self.changed.supports {
                device.rods.upload_supports([&buffers.supports[0], &buffers.supports[1]])?;
            }
            if self.changed.pins {
                device.rods.upload_pins(pins)?;
            }
            if self.changed.forces {
                device.rods.upload_forces(&buffers.forces)?;
            }
            self.changed = Changed::default();
            device.rods.step(step)
        }

        /// Waits for the last step.
        pub fn reports(&self, out: &mut [BlockReport]) -> Result<()> {
            self.device.lock().rods.read_reports(out)
        }

        pub fn memory_bytes(&self) -> u64 {
            let device = self.device.lock();
            let copy: usize =
                self.copy.get().or(device.spare.as_ref()).iter().flat_map(|rows| rows.iter()).map(|r| r.bytes()).sum();
            device.rods.memory_bytes() + copy as u64
        }
    }
}
