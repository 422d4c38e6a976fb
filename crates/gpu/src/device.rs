//! One adapter, one queue, and the errors that wgpu reports late.

use super::buffers::Buffer;
use super::hair;
use super::passes::Pipelines;
use super::push;
use super::shaders::follow::{hair_module, skin_module};
use super::shaders::{Solver, module, push_module, touch_module};
use super::skin;
use super::touch;
use parking_lot::Mutex;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};
use withy_solve::desc::GpuCache;
use withy_solve::desc::error::{Error, ErrorKind, Result};

/// A GPU that is ready to run passes. Cheap to clone; worlds may share one.
#[derive(Clone)]
pub struct GpuDevice {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    name: String,
    software: bool,
    /// The first thing that went wrong since the last [`GpuDevice::check`]. Without a handler wgpu panics instead.
    trouble: Arc<Mutex<Option<String>>>,
    /// Compiled at the first use, for all rods of all worlds, by [`Solver`].
    pipelines: Arc<[OnceLock<Pipelines>; 4]>,
    /// The same, of strands that touch strands.
    touch: Arc<OnceLock<touch::Pipelines>>,
    /// Of bodies that strands push.
    push: Arc<OnceLock<push::Pipelines>>,
    /// Of what follows rods.
    hair: Arc<OnceLock<hair::Pipelines>>,
    skin: Arc<OnceLock<skin::Pipelines>>,
    compiled: Compiled,
    /// The largest buffer that sets of rods are put in, bytes.
    largest_buffer: u64,
}

impl core::fmt::Debug for GpuDevice {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("GpuDevice").field(&self.name).finish()
    }
}

/// On native systems wgpu's futures are ready at once; nothing is ever waited for here but a mapped buffer, by polling.
fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
        std::thread::yield_now();
    }
}

/// The driver's programs, where it gives them out, and where they are kept.
#[derive(Clone)]
struct Compiled {
    driver: Option<wgpu::PipelineCache>,
    kept: GpuCache,
    /// Of the adapter, its driver and our shaders: those of others are not for us.
    key: u64,
}

const MAGIC: &[u8; 8] = b"withygpu";
/// [`MAGIC`], the key, the checksum.
const HEADER: usize = 24;

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

impl Compiled {
    /// What was kept is given to the driver if it is whole and of the same adapter, driver and library; if not, it is as if there were none.
    fn open(device: &wgpu::Device, info: &wgpu::AdapterInfo, kept: &GpuCache) -> Compiled {
        let of = format!("{info:?} {}", env!("CARGO_PKG_VERSION"));
        let shaders = Solver::ALL.into_iter().map(module).chain([touch_module(), push_module(), hair_module(), skin_module()]);
        let key = shaders.fold(hash(of.as_bytes()), |h, s| h.rotate_left(1) ^ hash(s.as_bytes()));
        let bytes = kept.bytes();
        let whole = bytes.len() > HEADER
            && &bytes[..8] == MAGIC
            && bytes[8..16] == key.to_le_bytes()
            && bytes[16..HEADER] == hash(&bytes[HEADER..]).to_le_bytes();
        let driver = device.features().contains(wgpu::Features::PIPELINE_CACHE).then(|| {
            let data = whole.then(|| &bytes[HEADER..]);
            // SAFETY: the bytes are what the same version of this library had from the same driver: the checksum tells.
            unsafe { device.create_pipeline_cache(&wgpu::PipelineCacheDescriptor { label: Some("withy"), data, fallback: true }) }
        });
        Compiled { driver, kept: kept.clone(), key }
    }

    fn keep(&self) {
        let Some(data) = self.driver.as_ref().and_then(|d| d.get_data()) else { return };
        let mut bytes = Vec::with_capacity(HEADER + data.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&self.key.to_le_bytes());
        bytes.extend_from_slice(&hash(&data).to_le_bytes());
        bytes.extend_from_slice(&data);
        self.kept.put(&bytes);
    }
}

/// Real GPUs first, software last; ties by the order of the system, so that the choice is repeatable.
fn rank(kind: wgpu::DeviceType) -> u32 {
    match kind {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}

impl GpuDevice {
    /// The best adapter that can run our passes. `Unsupported` with the reason where there is none.
    pub fn new(cache: &GpuCache) -> Result<GpuDevice> {
        // Kept: a driver that is unloaded and loaded again may not come back (NVIDIA's 580 did not, after four times).
        static INSTANCE: OnceLock<wgpu::Instance> = OnceLock::new();
        let instance = INSTANCE.get_or_init(|| wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle()));
        let mut adapters = ready(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
        if adapters.is_empty() {
            return Err(Error::unsupported(
                "GPU backend: no adapter found (no Vulkan, Metal or Direct3D 12 driver answers; on Linux, mesa-vulkan-drivers \
                 and libvulkan1 bring a software one)",
            ));
        }
        adapters.sort_by_key(|a| rank(a.get_info().device_type));
        let mut reasons = Vec::new();
        for adapter in &adapters {
            match Self::open(adapter, cache) {
                Ok(device) => return Ok(device),
                Err(reason) => reasons.push(format!("{}: {reason}", adapter.get_info().name)),
            }
        }
        Err(Error::unsupported(format!("GPU backend: no adapter can be used ({})", reasons.join("; "))))
    }

    fn open(adapter: &wgpu::Adapter, cache: &GpuCache) -> core::result::Result<GpuDevice, String> {
        let info = adapter.get_info();
        if !adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) {
            return Err("it has no compute shaders".into());
        }
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("withy"),
            // No feature that an adapter might lack: what software Vulkan can run, every adapter can.
            required_features: adapter.features() & wgpu::Features::PIPELINE_CACHE,
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = ready(adapter.request_device(&descriptor)).map_err(|e| e.to_string())?;
        let trouble = Arc::new(Mutex::new(None));
        let (on_error, on_lost) = (trouble.clone(), trouble.clone());
        device.on_uncaptured_error(Arc::new(move |e: wgpu::Error| {
            on_error.lock().get_or_insert_with(|| e.to_string());
        }));
        device.set_device_lost_callback(move |reason, message| {
            // Dropping our last handle is reported as a loss too.
            if reason != wgpu::DeviceLostReason::Destroyed {
                on_lost.lock().get_or_insert_with(|| format!("the device was lost: {message}"));
            }
        });
        let name = format!("{} ({}, {:?})", info.name, info.driver_info, info.backend);
        let software = info.device_type == wgpu::DeviceType::Cpu;
        let compiled = Compiled::open(&device, &info, cache);
        let limits = device.limits();
        let largest_buffer = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        Ok(GpuDevice {
            device,
            queue,
            name,
            software,
            trouble,
            pipelines: Arc::default(),
            touch: Arc::default(),
            push: Arc::default(),
            hair: Arc::default(),
            skin: Arc::default(),
            compiled,
            largest_buffer,
        })
    }

    /// Adapter, driver and API in words.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The adapter is a processor that plays a GPU.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// The largest buffer a pass can see, bytes.
    pub fn largest_buffer(&self) -> u64 {
        self.largest_buffer
    }

    /// The same device, on which sets of rods whose buffers are larger than that are split: for tests, as the adapter's limit is some gigabytes.
    pub fn with_largest_buffer(&self, bytes: u64) -> GpuDevice {
        GpuDevice { largest_buffer: bytes.min(self.largest_buffer), ..self.clone() }
    }

    /// An error where wgpu has reported one since the last check: out of memory, a lost device, a bad shader.
    pub fn check(&self) -> Result<()> {
        match self.trouble.lock().take() {
            Some(message) => Err(Error::new(ErrorKind::Internal, format!("GPU backend on {}: {message}", self.name))),
            None => Ok(()),
        }
    }

    /// Blocks until all that was submitted has run.
    pub fn wait(&self) -> Result<()> {
        self.wait_for(None)
    }

    /// Blocks until this submission has run; `None` is the last one.
    pub(super) fn wait_for(&self, submission_index: Option<wgpu::SubmissionIndex>) -> Result<()> {
        let polled = self.device.poll(wgpu::PollType::Wait { submission_index, timeout: None });
        polled.map_err(|e| Error::new(ErrorKind::Internal, format!("GPU backend on {}: {e}", self.name)))?;
        self.check()
    }

    pub(super) fn pipelines(&self, solver: Solver) -> &Pipelines {
        self.pipelines[solver as usize].get_or_init(|| Pipelines::new(self, solver))
    }

    pub(super) fn touch_pipelines(&self) -> &touch::Pipelines {
        self.touch.get_or_init(|| touch::Pipelines::new(self))
    }

    pub(super) fn push_pipelines(&self) -> &push::Pipelines {
        self.push.get_or_init(|| push::Pipelines::new(self))
    }

    pub(super) fn hair_pipelines(&self) -> &hair::Pipelines {
        self.hair.get_or_init(|| hair::Pipelines::new(self))
    }

    pub(super) fn skin_pipelines(&self) -> &skin::Pipelines {
        self.skin.get_or_init(|| skin::Pipelines::new(self))
    }

    pub(super) fn pipeline(
        &self,
        module: &wgpu::ShaderModule,
        layout: Option<&wgpu::PipelineLayout>,
        entry: &str,
    ) -> wgpu::ComputePipeline {
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout,
            module,
            entry_point: Some(entry),
            compilation_options: Default::default(),
            cache: self.compiled.driver.as_ref(),
        })
    }

    /// Keeps what has been compiled.
    pub(super) fn keep_pipelines(&self) {
        self.compiled.keep();
    }

    pub(super) fn module(&self, label: &str, wgsl: &str) -> wgpu::ShaderModule {
        let source = wgpu::ShaderSource::Wgsl(wgsl.into());
        self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source })
    }

    /// Runs `entry` of `wgsl` once over `invocations`, with binding 0 = `input` and binding 1 = the result. For tests and
    /// small tools: each call compiles the shader.
    pub fn map(&self, wgsl: &str, entry: &str, input: &[f32], results: usize, invocations: u32) -> Result<Vec<f32>> {
        let pipeline = self.pipeline(&self.module(entry, wgsl), None, entry);
        self.check()?;
        let (from, to) = (Buffer::with(self, "input", input), Buffer::new(self, "results", results));
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[from.entry(0), to.entry(1)],
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(invocations.div_ceil(64), 1, 1);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        let mut out = vec![0.0; results];
        to.read(self, &mut [&mut out])?;
        Ok(out)
    }
}
