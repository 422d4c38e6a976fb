//! The state of a set of rods that lives on the GPU, and the copy of it that the host reads.
//!
//! Constants, supports and pins are the host's: they are kept in `Buffers` and go up when they changed. The state is the GPU's: it
//! comes down when somebody reads it after a step, once, and goes up only if somebody wrote it.

#[cfg(feature = "gpu")]
pub use with_gpu::{GpuSide, GpuTouch};
#[cfg(not(feature = "gpu"))]
pub use without_gpu::{GpuSide, GpuTouch};

#[cfg(feature = "gpu")]
use super::Data;
use super::Rods;
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
    use super::{Changed, GpuDevice, Result, Rods};
    use crate::desc::slots::Slots;
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

    /// Nothing touches there.
    #[derive(Debug, Default)]
    pub struct GpuTouch {}

    impl GpuTouch {
        pub fn renew(&mut self, _: &GpuDevice, _: &Slots<Rods>) -> Result<()> {
            Ok(())
        }
        pub fn drop_pool(&mut self) {}
        pub fn memory_bytes(&self) -> u64 {
            0
        }
    }
}

#[cfg(feature = "gpu")]
mod with_gpu {
    use super::{Changed, Data, Rods};
    use crate::desc::error::{Error, Result};
    use crate::desc::slots::{Id, Slots};
    use crate::gpu::follow::View;
    use crate::gpu::push::{Given, Push, Ways};
    use crate::gpu::together::{self, Joined};
    use crate::gpu::touch::{Joins, Layers, Touch};
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
        /// What the host has written since the last step is up already.
        written: bool,
    }

    pub struct GpuSide {
        device: Mutex<Device>,
        /// Set from the first read after a step to the next step.
        copy: OnceLock<Rows>,
        changed: Changed,
        /// It is near bodies that it pushes in the step under way.
        pub pushes: bool,
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
            Ok(GpuSide {
                device: Mutex::new(Device { rods, spare: None, failed: None, written: false }),
                copy,
                changed: Changed::default(),
                pushes: false,
            })
        }

        /// Whether strands of the set can touch others.
        pub fn can_touch(&mut self) -> Result<()> {
            self.device.get_mut().rods.can_touch()
        }

        /// Compiles what steps need in which the set pushes bodies.
        pub fn prepare_to_push(&mut self) {
            self.device.get_mut().rods.prepare_to_push();
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
            self.device.get_mut().written = false;
            self.rows();
            self.copy.get_mut().expect("just read").each_mut()
        }

        pub fn changed(&mut self) -> &mut Changed {
            &mut self.changed
        }

        /// Brings up what the host has written since the last step: for what follows the rods on the GPU.
        pub fn bring_up(&self) -> Result<()> {
            let mut device = self.device.lock();
            if let (true, false, Some(rows)) = (self.changed.state, device.written, self.copy.get()) {
                device.rods.upload_state(rows.each_ref().map(|r| &r[..]))?;
                device.written = true;
            }
            Ok(())
        }
        /// The parts of the rods, for what follows them there.
        pub fn views(&self) -> Vec<View> {
            self.device.lock().rods.views()
        }

        /// A step; `pool`: of rods in one, and `ways`: of rods that push these bodies, all but the dispatches, which [`GpuTouch::step`] submits.
        pub fn step(
            &mut self,
            buffers: &Buffers<f32>,
            pins: &[Pin],
            step: &RodsStep<'_, f32>,
            pool: Option<(&mut Touch, usize)>,
            ways: Option<&Ways>,
        ) -> Result<()> {
            let device = self.device.get_mut();
            if let Some(error) = device.failed.take() {
                return Err(error);
            }
            if let Some(rows) = self.copy.take() {
                if self.changed.state && !device.written {
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
            let ways = ways.filter(|_| self.pushes);
            let joins = pool.is_some() || ways.is_some();
            if self.changed.state {
                device.rods.forget_pushes();
            }
            if let Some((touch, number)) = pool {
                if self.changed.state {
                    touch.forget();
                }
                if self.changed.params {
                    touch.upload_params(number, &buffers.params);
                }
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
            (self.changed, device.written) = (Changed::default(), false);
            if joins { device.rods.prepare(step, ways) } else { device.rods.step(step) }
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

    /// All sets of a world that touch rods, and what they share on the GPU. A set that comes or goes makes it anew, without the contact forces of before, as
    /// on the CPU.
    #[derive(Default)]
    pub struct GpuTouch {
        listed: Vec<Id>,
        pool: Option<Touch>,
        push: Option<Push>,
    }

    impl core::fmt::Debug for GpuTouch {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            f.debug_struct("GpuTouch").field("listed", &self.listed).finish_non_exhaustive()
        }
    }

    /// Whether they touch others in steps, in the pool.
    fn touches(rods: &Rods) -> bool {
        rods.gpu.is_some() && rods.desc.self_contact && rods.can_be_pressed()
    }

    impl GpuTouch {
        /// Makes the pool anew if other sets touch than before. What is not enabled is not in it, and yet must find room.
        pub fn renew(&mut self, gpu: &GpuDevice, all: &Slots<Rods>) -> Result<()> {
            let touching = || all.iter().filter(|(_, r)| touches(r));
            if self.listed.iter().copied().eq(touching().map(|(id, _)| id)) && (self.pool.is_some() || self.listed.is_empty()) {
                return Ok(());
            }
            self.drop_pool();
            Touch::check(gpu, all.iter().filter(|(_, r)| r.desc.self_contact).map(|(_, r)| r.layout.cells).sum())?;
            let joins: Vec<_> = touching().filter_map(|(_, r)| r.joins()).collect();
            if !joins.is_empty() {
                self.pool = Some(Touch::new(gpu, &joins)?);
                self.listed.extend(touching().map(|(id, _)| id));
            }
            Ok(())
        }
        pub fn drop_pool(&mut self) {
            self.pool = None;
            self.listed.clear();
        }
        /// The pool, and the number that a set has in it.
        pub fn pool_of(&mut self, id: Id) -> Option<(&mut Touch, usize)> {
            let number = self.listed.iter().position(|listed| *listed == id)?;
            self.pool.as_mut().map(|pool| (pool, number))
        }
        /// The step of all that touch rods or push these bodies, once each is prepared.
        pub fn step(&mut self, gpu: &GpuDevice, all: &mut Slots<Rods>, ways: Option<&Ways>) -> Result<()> {
            let mut sets = Vec::with_capacity(self.listed.len());
            for (_, rods) in all.iter_mut() {
                let (touches, layers) = (touches(rods), Layers { category: rods.desc.category, mask: rods.desc.mask });
                if let Some(side) = &mut rods.gpu
                    && (touches || (side.pushes && ways.is_some()))
                {
                    let pushes = side.pushes && ways.is_some();
                    sets.push(Joined { layers, rods: &mut side.device.get_mut().rods, touches, pushes });
                }
            }
            if sets.is_empty() {
                return Ok(());
            }
            let push = ways.map(|ways| {
                let push = self.push.get_or_insert_with(|| Push::new(gpu));
                push.upload(ways);
                push
            });
            together::step(gpu, self.pool.as_mut(), push, &mut sets)
        }
        /// Waits for that: what it has done to the bodies.
        pub fn given(&self) -> Result<Vec<Given>> {
            self.push.as_ref().map_or(Ok(Vec::new()), Push::read)
        }
        pub fn memory_bytes(&self) -> u64 {
            self.pool.as_ref().map_or(0, Touch::memory_bytes) + self.push.as_ref().map_or(0, Push::memory_bytes)
        }
    }

    impl Rods {
        fn joins(&self) -> Option<Joins<'_>> {
            match &self.data {
                Data::F32(b) => Some(Joins { layout: &self.layout, params: &b.params, allowed: &self.overlaps }),
                Data::F64(_) => None,
            }
        }
    }
}
