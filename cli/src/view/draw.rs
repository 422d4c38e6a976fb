//! Scenes on the GPU: the same [`Scene`] that the pictures are drawn from, without their shadows, and the panel over it.

use super::app::{App, Input};
use super::panel::{Asked, panel};
use crate::Result;
use crate::render::{Camera, CurveSet, CurveStyle, Detail, Image, Paint, Primitive, Scene, Surface, tessellate};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use wgpu::util::DeviceExt;

const SAMPLES: u32 = 4;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Of pictures that no window shows: sRGB numbers that the shaders write themselves, as egui has it.
pub const PICTURE: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct ViewBlock {
    eye: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    forward: [f32; 4],
    toward: [f32; 4],
    target: [f32; 4],
    picture: [f32; 4],
    floor: [f32; 4],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Corner {
    position: [f32; 3],
    normal: [f32; 3],
    color: [f32; 3],
    shine: [f32; 2],
}

/// One edge of a strand.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Edge {
    a: [f32; 4],
    b: [f32; 4],
    ta: [f32; 4],
    tb: [f32; 4],
    color: [f32; 4],
    kind: [f32; 2],
}

/// wgpu's futures are ready at once on native systems.
pub fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
        std::thread::yield_now();
    }
}

/// A device and what went wrong on it: without a handler wgpu panics.
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub name: String,
    trouble: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    pub fn new(instance: &wgpu::Instance, surface: Option<&wgpu::Surface<'_>>) -> Result<(Gpu, wgpu::Adapter)> {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface,
            ..Default::default()
        };
        let adapter = ready(instance.request_adapter(&options)).map_err(|e| {
            format!("no graphics driver that can draw: {e} (on Linux, mesa-vulkan-drivers and libvulkan1 bring one in software)")
        })?;
        // Small limits, but textures as large as the adapter has them: windows may be.
        let most = adapter.limits();
        let mut required_limits = wgpu::Limits::downlevel_defaults().using_resolution(most.clone());
        required_limits.max_buffer_size = most.max_buffer_size;
        let descriptor = wgpu::DeviceDescriptor { label: Some("withy view"), required_limits, ..Default::default() };
        let (device, queue) = ready(adapter.request_device(&descriptor))?;
        let trouble = Arc::new(Mutex::new(None));
        let heard = trouble.clone();
        device.on_uncaptured_error(Arc::new(move |e: wgpu::Error| {
            if let Ok(mut first) = heard.lock() {
                first.get_or_insert_with(|| e.to_string());
            }
        }));
        Ok((Gpu { device, queue, name: adapter.get_info().name, trouble }, adapter))
    }

    pub fn check(&self) -> Result<()> {
        match self.trouble.lock() {
            Ok(mut trouble) => trouble.take().map_or(Ok(()), |e| Err(format!("graphics: {e}").into())),
            Err(_) => Err("graphics: an error in an error".into()),
        }
    }
}

/// A buffer that grows.
struct Room {
    usage: wgpu::BufferUsages,
    buffer: Option<wgpu::Buffer>,
    count: u32,
}

impl Room {
    fn new(usage: wgpu::BufferUsages) -> Room {
        Room { usage: usage | wgpu::BufferUsages::COPY_DST, buffer: None, count: 0 }
    }

    fn fill<T: Pod>(&mut self, gpu: &Gpu, values: &[T]) {
        self.count = values.len() as u32;
        let bytes: &[u8] = bytemuck::cast_slice(values);
        match &self.buffer {
            _ if bytes.is_empty() => {}
            Some(buffer) if buffer.size() >= bytes.len() as u64 => gpu.queue.write_buffer(buffer, 0, bytes),
            _ => {
                let descriptor = wgpu::util::BufferInitDescriptor { label: None, contents: bytes, usage: self.usage };
                self.buffer = Some(gpu.device.create_buffer_init(&descriptor));
            }
        }
    }
}

pub struct Painter {
    view: wgpu::Buffer,
    group: wgpu::BindGroup,
    back: wgpu::RenderPipeline,
    surfaces: wgpu::RenderPipeline,
    strands: wgpu::RenderPipeline,
    corners: Room,
    /// Of corners, three a triangle.
    triangles: Room,
    edges: Room,
    /// Of samples, and of depth, for pictures of this size.
    targets: Option<((u32, u32), wgpu::TextureView, wgpu::TextureView)>,
    format: wgpu::TextureFormat,
    egui: egui_wgpu::Renderer,
}

impl Painter {
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Painter {
        let device = &gpu.device;
        let shader = device.create_shader_module(wgpu::include_wgsl!("view.wgsl"));
        let view = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: size_of::<ViewBlock>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("view"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("view"),
            layout: &layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: view.as_entire_binding() }],
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("view"),
            bind_group_layouts: &[Some(&layout)],
            ..Default::default()
        });
        let pipeline = |name: &str, buffers: &[Option<wgpu::VertexBufferLayout<'_>>], depth: bool| {
            let (vertex, fragment) = (format!("{name}_vertex"), format!("{name}_fragment"));
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(name),
                layout: Some(&pipeline_layout),
                vertex: wgpu::VertexState {
                    module: &shader,
                    entry_point: Some(&vertex),
                    compilation_options: Default::default(),
                    buffers,
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: DEPTH,
                    depth_write_enabled: Some(depth),
                    depth_compare: Some(if depth { wgpu::CompareFunction::Greater } else { wgpu::CompareFunction::Always }),
                    stencil: Default::default(),
                    bias: Default::default(),
                }),
                multisample: wgpu::MultisampleState { count: SAMPLES, ..Default::default() },
                fragment: Some(wgpu::FragmentState {
                    module: &shader,
                    entry_point: Some(&fragment),
                    compilation_options: Default::default(),
                    targets: &[Some(format.into())],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        let corner = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Float32x2];
        let edge = wgpu::vertex_attr_array![
            0 => Float32x4, 1 => Float32x4, 2 => Float32x4, 3 => Float32x4, 4 => Float32x4, 5 => Float32x2
        ];
        let of = |stride: usize, step_mode, attributes| wgpu::VertexBufferLayout {
            array_stride: stride as u64,
            step_mode,
            attributes,
        };
        let corners = of(size_of::<Corner>(), wgpu::VertexStepMode::Vertex, &corner[..]);
        let edges = of(size_of::<Edge>(), wgpu::VertexStepMode::Instance, &edge[..]);
        Painter {
            back: pipeline("back", &[], false),
            surfaces: pipeline("surface", &[Some(corners)], true),
            strands: pipeline("strand", &[Some(edges)], true),
            view,
            group,
            corners: Room::new(wgpu::BufferUsages::VERTEX),
            triangles: Room::new(wgpu::BufferUsages::INDEX),
            edges: Room::new(wgpu::BufferUsages::VERTEX),
            targets: None,
            format,
            egui: egui_wgpu::Renderer::new(device, format, egui_wgpu::RendererOptions::default()),
        }
    }

    fn targets(&mut self, gpu: &Gpu, size: (u32, u32)) -> (wgpu::TextureView, wgpu::TextureView) {
        if self.targets.as_ref().is_none_or(|t| t.0 != size) {
            let texture = |format| {
                let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                    label: None,
                    size: wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 },
                    mip_level_count: 1,
                    sample_count: SAMPLES,
                    dimension: wgpu::TextureDimension::D2,
                    format,
                    usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                    view_formats: &[],
                });
                texture.create_view(&Default::default())
            };
            self.targets = Some((size, texture(self.format), texture(DEPTH)));
        }
        match &self.targets {
            Some((_, color, depth)) => (color.clone(), depth.clone()),
            None => unreachable!("made above"),
        }
    }

    /// Draws what the app shows into a picture of `size`, and egui's shapes over it.
    pub fn paint(
        &mut self,
        gpu: &Gpu,
        to: &wgpu::TextureView,
        size: (u32, u32),
        app: &App,
        (context, output): (&egui::Context, egui::FullOutput),
    ) -> Result<()> {
        let (scene, camera) = (app.scene()?, app.camera());
        let seen = (app.size().0.min(size.0), app.size().1.min(size.1));
        gpu.queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&view_block(&scene, &camera, seen)));
        let (corners, triangles) = corners(&scene);
        self.corners.fill(gpu, &corners);
        self.triangles.fill(gpu, &triangles);
        self.edges.fill(gpu, &edges(&scene));
        let (color, depth) = self.targets(gpu, size);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("scene"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &color,
                    depth_slice: None,
                    resolve_target: Some(to),
                    ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Discard },
                })],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &depth,
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            pass.set_viewport(0.0, 0.0, seen.0 as f32, seen.1 as f32, 0.0, 1.0);
            pass.set_bind_group(0, &self.group, &[]);
            pass.set_pipeline(&self.back);
            pass.draw(0..3, 0..1);
            if let (Some(corners), Some(triangles), count @ 1..) =
                (&self.corners.buffer, &self.triangles.buffer, self.triangles.count)
            {
                pass.set_pipeline(&self.surfaces);
                pass.set_vertex_buffer(0, corners.slice(..));
                pass.set_index_buffer(triangles.slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(0..count, 0, 0..1);
            }
            if let (Some(buffer), count @ 1..) = (&self.edges.buffer, self.edges.count) {
                pass.set_pipeline(&self.strands);
                pass.set_vertex_buffer(0, buffer.slice(..));
                pass.draw(0..6, 0..count);
            }
        }
        let pixels_per_point = output.pixels_per_point;
        let descriptor = egui_wgpu::ScreenDescriptor { size_in_pixels: [size.0, size.1], pixels_per_point };
        let mut delta = output.textures_delta;
        for (id, images) in delta.set.drain() {
            images.iter().for_each(|image| self.egui.update_texture(&gpu.device, &gpu.queue, id, image));
        }
        let free: Vec<_> = delta.free.drain().collect();
        let jobs = context.tessellate(output.shapes, pixels_per_point);
        let more = self.egui.update_buffers(&gpu.device, &gpu.queue, &mut encoder, &jobs, &descriptor);
        gpu.queue.submit(more);
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("panel"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: to,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            });
            self.egui.render(&mut pass.forget_lifetime(), &jobs, &descriptor);
        }
        gpu.queue.submit([encoder.finish()]);
        free.iter().for_each(|id| self.egui.free_texture(id));
        Ok(())
    }
}

/// Runs the panel; what was asked for takes effect, and the picture has the room that is left.
pub fn run_panel(context: &egui::Context, input: egui::RawInput, app: &mut App) -> Result<egui::FullOutput> {
    let mut asked = Asked::default();
    let mut rest = egui::Vec2::ZERO;
    let output = context.run_ui(input, |ui| {
        asked = panel(ui, app);
        rest = ui.available_size() * ui.pixels_per_point();
    });
    app.input(Input::Resize { width: rest.x as u32, height: rest.y as u32 })?;
    if asked.pause {
        app.paused = !app.paused;
    }
    if asked.step {
        app.paused = true;
        app.step()?;
    }
    if asked.restart {
        app.restart()?;
    }
    app.apply()?;
    Ok(output)
}

fn wide(v: Vec3, w: f32) -> [f32; 4] {
    [v.x, v.y, v.z, w]
}

fn view_block(scene: &Scene, camera: &Camera, size: (u32, u32)) -> ViewBlock {
    let view = camera.view(size.0, size.1);
    let level = (view.forward * Vec3::new(1.0, 0.0, 1.0)).normalize_or_zero();
    let toward = (Vec3::Y * 0.85 - view.right * 0.48 - level * 0.42).normalize();
    let floor = scene.primitives.iter().find_map(|p| match p {
        Primitive::Plane { point, grid, .. } => Some([point[1], *grid, 1.0, 0.0]),
        _ => None,
    });
    ViewBlock {
        eye: wide(view.eye, 0.0),
        right: wide(view.right, 0.0),
        up: wide(view.up, 0.0),
        forward: wide(view.forward, 0.0),
        toward: wide(toward, 0.0),
        target: wide(camera.target, camera.scale),
        picture: [size.0 as f32, size.1 as f32, view.focal, view.near],
        floor: floor.unwrap_or([0.0; 4]),
    }
}

fn corners(scene: &Scene) -> (Vec<Corner>, Vec<u32>) {
    let mut surface = Surface::default();
    scene.meshes.iter().for_each(|m| surface.mesh(m));
    let detail = match scene.primitives.len() {
        0..=64 => Detail::of(1000),
        65..=1000 => Detail::of(usize::MAX),
        _ => Detail::COARSE,
    };
    scene.primitives.iter().for_each(|p| tessellate(&mut surface, p, detail));
    // A vertex has one paint: nothing shares its corners with another thing.
    let bare = |v: &crate::render::Vertex| Corner {
        position: v.position.to_array(),
        normal: v.normal.to_array(),
        color: [0.0; 3],
        shine: [0.0; 2],
    };
    let mut corners: Vec<Corner> = surface.vertices.iter().map(bare).collect();
    for t in &surface.triangles {
        let paint = &surface.paints[t.paint as usize];
        for k in t.corners {
            let corner = &mut corners[k as usize];
            (corner.color, corner.shine) = (paint.color.to_array(), [paint.specular, paint.roughness]);
        }
    }
    (corners, surface.triangles.iter().flat_map(|t| t.corners).collect())
}

fn edges(scene: &Scene) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(scene.curves.iter().map(|c| c.points.len()).sum());
    scene.curves.iter().for_each(|set| add_edges(set, &mut edges));
    edges
}

fn add_edges(set: &CurveSet, edges: &mut Vec<Edge>) {
    let hair = if matches!(set.style, CurveStyle::Hair) { 1.0 } else { 0.0 };
    for (curve, (first, count)) in set.ranges().enumerate() {
        let paint = Paint::new(&set.material, curve);
        let p = |i: usize| Vec3::from(set.points[first + i]);
        // Ribbons of neighbouring edges meet in the direction between them.
        let tangent = |i: usize| (p((i + 1).min(count - 1)) - p(i.saturating_sub(1))).normalize_or(Vec3::Y);
        let along = |i: usize| i as f32 / (count.max(2) - 1) as f32;
        for i in 0..count.saturating_sub(1) {
            if !(p(i).is_finite() && p(i + 1).is_finite()) {
                continue;
            }
            edges.push(Edge {
                a: wide(p(i), set.radius(first, count, i)),
                b: wide(p(i + 1), set.radius(first, count, i + 1)),
                ta: wide(tangent(i), along(i)),
                tb: wide(tangent(i + 1), along(i + 1)),
                color: wide(paint.color, paint.roughness),
                kind: [hair, (curve as f32 * 0.618_034).fract()],
            });
        }
    }
}

/// A picture without a window.
pub struct Canvas {
    pub gpu: Gpu,
    painter: Painter,
    texture: wgpu::Texture,
    size: (u32, u32),
    egui: egui::Context,
}

impl Canvas {
    pub fn new(size: (u32, u32)) -> Result<Canvas> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let (gpu, _) = Gpu::new(&instance, None)?;
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: PICTURE,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let painter = Painter::new(&gpu, PICTURE);
        Ok(Canvas { gpu, painter, texture, size, egui: egui::Context::default() })
    }

    pub fn draw(&mut self, app: &mut App) -> Result<Image> {
        let (width, height) = self.size;
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width as f32, height as f32));
        let input = || egui::RawInput { screen_rect: Some(screen), ..Default::default() };
        // The first pass of egui measures.
        let mut output = run_panel(&self.egui, input(), app)?;
        output.append(run_panel(&self.egui, input(), app)?);
        let view = self.texture.create_view(&Default::default());
        self.painter.paint(&self.gpu, &view, self.size, app, (&self.egui, output))?;
        self.read()
    }

    fn read(&self) -> Result<Image> {
        let (width, height) = self.size;
        let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(row) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None },
            },
            self.texture.size(),
        );
        self.gpu.queue.submit([encoder.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |done| drop(sender.send(done)));
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        self.gpu.check()?;
        receiver.recv()??;
        let bytes = buffer.get_mapped_range(..)?;
        let pixels = (0..height).flat_map(|y| {
            let row = &bytes[(y * row) as usize..][..4 * width as usize];
            row.chunks_exact(4).map(|p| [p[0], p[1], p[2]])
        });
        Ok(Image { width, height, pixels: pixels.collect() })
    }
}
