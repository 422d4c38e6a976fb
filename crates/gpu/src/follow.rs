//! What render hair and skins on the GPU share: the rods that they follow, their dispatches, and what comes back.
//!
//! ```text
//! state of the rods (theirs)  ─ a dispatch a part ─►  guides | bones  ─►  vertices, in pieces that the adapter's buffers hold  ─►  the host
//! ```

use super::buffers::Buffer;
use super::device::GpuDevice;
use std::ops::Range;
use withy_solve::desc::error::{Error, ErrorKind, Result};
use withy_solve::layout::{Layout, scale, state};

const WORKGROUP: usize = 64;

/// A part of a set of rods as others read it. It stays valid for as long as the rods are there; the buffer, for as long as somebody holds it.
#[derive(Clone)]
pub struct View {
    pub(super) blocks: Range<usize>,
    /// Σ width·vertices of the blocks before.
    pub(super) first_cell: usize,
    pub(super) state: wgpu::Buffer,
    /// Where scales begin in it, of rods that keep their volume.
    pub(super) scales_at: Option<usize>,
}

/// A set of rods that something follows.
pub struct Set<'a> {
    pub layout: &'a Layout,
    pub views: Vec<View>,
}

/// Where a vertex is in the state of its part.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// Of its first row.
    pub at: u32,
    pub width: u32,
    /// The scale of the section of the edge after it.
    pub scale_at: Option<u32>,
}

impl Set<'_> {
    /// The number of the part that has a strand.
    pub(super) fn view_of(&self, strand: usize) -> usize {
        let block = self.layout.places[strand].block as usize;
        self.views.partition_point(|v| v.blocks.end <= block)
    }
    pub(super) fn spot(&self, strand: usize, vertex: usize) -> Spot {
        let (place, view) = (self.layout.places[strand], &self.views[self.view_of(strand)]);
        let block = &self.layout.blocks[place.block as usize];
        let cell = block.offset - view.first_cell + vertex * block.width;
        let lane = place.lane as usize;
        let scale_at = view.scales_at.map(|begin| (begin + cell * scale::ROWS + scale::SWELL * block.width + lane) as u32);
        Spot { at: (cell * state::ROWS + lane) as u32, width: block.width as u32, scale_at }
    }
}

/// Whether passes can number what is in such a buffer, and bind it. `Err` says why something stays with the CPU.
pub(super) fn fits(gpu: &GpuDevice, what: &str, bytes: u64) -> core::result::Result<(), String> {
    let limits = gpu.device.limits();
    let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
    if bytes <= most { Ok(()) } else { Err(format!("{what} need a GPU buffer of {bytes} bytes, {} allows {most}", gpu.name())) }
}

/// Storage buffers that a pass of these binds: what WebGPU promises.
pub(super) const BUFFERS: u32 = 8;

pub(super) fn group(gpu: &GpuDevice, pipeline: &wgpu::ComputePipeline, buffers: &[(u32, &wgpu::Buffer)]) -> wgpu::BindGroup {
    let entries: Vec<_> =
        buffers.iter().map(|&(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }).collect();
    let layout = pipeline.get_bind_group_layout(0);
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("follow"), layout: &layout, entries: &entries })
}

/// Dispatches so many invocations, in rows of as many workgroups as there can be.
pub(super) fn dispatch(
    gpu: &GpuDevice,
    pass: &mut wgpu::ComputePass<'_>,
    pipeline: &wgpu::ComputePipeline,
    group: &wgpu::BindGroup,
    invocations: usize,
) {
    let most = gpu.device.limits().max_compute_workgroups_per_dimension as usize;
    let workgroups = invocations.div_ceil(WORKGROUP).max(1);
    pass.set_pipeline(pipeline);
    pass.set_bind_group(0, group, &[]);
    pass.dispatch_workgroups(workgroups.min(most) as u32, workgroups.div_ceil(most) as u32, 1);
}

/// The host-visible buffer that results go through.
#[derive(Default)]
pub(super) struct Readback {
    staging: Option<wgpu::Buffer>,
}

impl Readback {
    /// Submits the passes, copies these bytes of buffers one after the other, waits, and hands them on.
    pub fn read(
        &mut self,
        gpu: &GpuDevice,
        mut encoder: wgpu::CommandEncoder,
        copies: &[(&Buffer, Range<u64>)],
        take: impl FnOnce(&[u8]),
    ) -> Result<()> {
        let bytes: u64 = copies.iter().map(|(_, of)| of.end - of.start).sum();
        if self.staging.as_ref().is_none_or(|s| s.size() < bytes) {
            self.staging = Some(gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("readback"),
                size: bytes,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        let Some(staging) = &self.staging else { return Ok(()) };
        let mut at = 0;
        for (buffer, of) in copies {
            encoder.copy_buffer_to_buffer(&buffer.inner, of.start, staging, at, of.end - of.start);
            at += of.end - of.start;
        }
        gpu.queue.submit([encoder.finish()]);
        let slice = staging.slice(..bytes);
        slice.map_async(wgpu::MapMode::Read, |_| {});
        gpu.wait()?;
        let failed = |e: wgpu::MapRangeError| Error::new(ErrorKind::Internal, format!("GPU backend: readback failed: {e}"));
        let view = slice.get_mapped_range().map_err(failed)?;
        take(&view);
        drop(view);
        staging.unmap();
        gpu.check()
    }
    pub fn memory_bytes(&self) -> u64 {
        self.staging.as_ref().map_or(0, wgpu::Buffer::size)
    }
}

/// Three f32 of a buffer's bytes.
pub(super) fn point(bytes: &[u8]) -> [f64; 3] {
    let number = |k: usize| f64::from(f32::from_ne_bytes([bytes[4 * k], bytes[4 * k + 1], bytes[4 * k + 2], bytes[4 * k + 3]]));
    [number(0), number(1), number(2)]
}

/// Consecutive ranges of `count` things such that none takes more than `most`; `size` of a range. `None`: one alone does.
pub(super) fn pieces(count: usize, most: u64, size: impl Fn(Range<usize>) -> u64) -> Option<Vec<Range<usize>>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let mut begin = 0;
    while begin < count {
        // The largest number that fits: sizes grow with it.
        let (mut fits, mut over) = (0, count - begin + 1);
        while over - fits > 1 {
            let middle = fits + (over - fits) / 2;
            match size(begin..begin + middle) <= most {
                true => fits = middle,
                false => over = middle,
            }
        }
        if fits == 0 {
            return None;
        }
        all.push(begin..begin + fits);
        begin += fits;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_all_and_none_is_too_large() {
        let of = |r: Range<usize>| r.map(|i| (i % 7) as u64 + 1).sum::<u64>();
        for most in [7, 8, 20, 1000] {
            let all = pieces(50, most, of).unwrap();
            assert_eq!(all.iter().flat_map(|r| r.clone()).collect::<Vec<_>>(), (0..50).collect::<Vec<_>>());
            assert!(all.iter().all(|r| of(r.clone()) <= most));
            assert!(all.windows(2).all(|p| of(p[0].start..p[1].start + 1) > most), "as much as fits");
        }
        assert!(pieces(50, 6, of).is_none());
        assert_eq!(pieces(0, 6, of), Some(vec![]));
    }
}
