//! Storage buffers of f32 (and u32, by their bits), their upload and their readback.

use super::device::GpuDevice;
use parking_lot::Mutex;
use withy_solve::desc::error::{Error, ErrorKind, Result};

/// A storage buffer, and once it has been read, the host-visible copy that readbacks go through.
pub struct Buffer {
    pub(super) inner: wgpu::Buffer,
    len: usize,
    staging: Mutex<Option<wgpu::Buffer>>,
}

impl Buffer {
    /// `len` zeros.
    pub fn new(gpu: &GpuDevice, label: &str, len: usize) -> Buffer {
        Self::used_as(gpu, label, len, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC)
    }

    /// `len` zeros, small and the same for all invocations.
    pub fn uniform(gpu: &GpuDevice, label: &str, len: usize) -> Buffer {
        Self::used_as(gpu, label, len, wgpu::BufferUsages::UNIFORM)
    }

    fn used_as(gpu: &GpuDevice, label: &str, len: usize, usage: wgpu::BufferUsages) -> Buffer {
        let inner = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            // A binding may not be empty.
            size: (len.max(1) * 4) as u64,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Buffer { inner, len, staging: Mutex::new(None) }
    }

    pub fn with(gpu: &GpuDevice, label: &str, data: &[f32]) -> Buffer {
        let buffer = Buffer::new(gpu, label, data.len());
        buffer.upload(gpu, 0, data);
        buffer
    }

    /// Makes room for so many numbers; `group` is rebuilt where the buffer is another one.
    pub(super) fn fit<T>(&mut self, gpu: &GpuDevice, label: &str, len: usize, group: &mut Option<T>) {
        if self.len < len {
            let most = (gpu.largest_buffer() / 4) as usize;
            *self = Buffer::new(gpu, label, len.next_power_of_two().min(most).max(len));
            *group = None;
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn entry(&self, binding: u32) -> wgpu::BindGroupEntry<'_> {
        wgpu::BindGroupEntry { binding, resource: self.inner.as_entire_binding() }
    }

    /// Overwrites `data.len()` numbers from number `at`; seen by passes submitted afterwards.
    pub fn upload(&self, gpu: &GpuDevice, at: usize, data: &[f32]) {
        let Some(size) = wgpu::BufferSize::new(data.len() as u64 * 4) else { return };
        // None only where wgpu reported an error, which the next check returns.
        if let Some(mut view) = gpu.queue.write_buffer_with(&self.inner, at as u64 * 4, size) {
            let bytes: Vec<u8> = data.iter().flat_map(|v| v.to_ne_bytes()).collect();
            view.copy_from_slice(&bytes);
        }
    }

    /// Waits for all submitted work and copies the first numbers, as many as there is room for in `out`, one slice after the other.
    pub fn read(&self, gpu: &GpuDevice, out: &mut [&mut [f32]]) -> Result<()> {
        let bytes = out.iter().map(|part| part.len() as u64).sum::<u64>() * 4;
        if bytes == 0 {
            return gpu.wait();
        }
        let mut staging = self.staging.lock();
        let staging = staging.get_or_insert_with(|| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("readback"),
                size: self.inner.size(),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&self.inner, 0, staging, 0, bytes);
        gpu.queue.submit([encoder.finish()]);
        let slice = staging.slice(..bytes);
        slice.map_async(wgpu::MapMode::Read, |_| {});
        gpu.wait()?;
        let failed = |e: wgpu::MapRangeError| Error::new(ErrorKind::Internal, format!("GPU backend: readback failed: {e}"));
        let view = slice.get_mapped_range().map_err(failed)?;
        for (to, from) in out.iter_mut().flat_map(|part| part.iter_mut()).zip(view.chunks_exact(4)) {
            *to = f32::from_ne_bytes([from[0], from[1], from[2], from[3]]);
        }
        drop(view);
        staging.unmap();
        gpu.check()
    }
}
