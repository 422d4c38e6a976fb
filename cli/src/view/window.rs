//! The window: winit's events become [`Input`], and a picture is drawn whenever the screen wants one.

use super::app::{App, Button, Input, Key, average};
use super::draw::{Gpu, Painter, run_panel};
use crate::{Error, Result};
use std::sync::Arc;
use std::time::Instant;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop, OwnedDisplayHandle};
use winit::keyboard::{Key as Pressed, NamedKey};
use winit::window::{Window, WindowId};

/// Opens a window and returns when it is closed, or after so many pictures.
pub fn open(app: App, title: String, pictures: Option<u32>) -> Result<App> {
    let events = EventLoop::new().map_err(|e| {
        // Before the reason it names a line of its own source.
        let text = e.to_string();
        let reason = text.rsplit(": ").next().unwrap_or(&text).trim_end_matches('.');
        format!(
            "no window can be opened here: {reason}. Set DISPLAY or WAYLAND_DISPLAY; --screenshot FILE.png draws without a window"
        )
    })?;
    let display = events.owned_display_handle();
    let mut running = Running { app, title, pictures, drawn: 0, display, open: None, error: None };
    events.run_app(&mut running)?;
    match running.error {
        Some(error) => Err(error),
        None => Ok(running.app),
    }
}

struct Running {
    app: App,
    title: String,
    pictures: Option<u32>,
    drawn: u32,
    display: OwnedDisplayHandle,
    open: Option<Open>,
    error: Option<Error>,
}

struct Open {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    gpu: Gpu,
    painter: Painter,
    egui: egui_winit::State,
    last: Option<Instant>,
}

impl Open {
    fn new(events: &ActiveEventLoop, display: &OwnedDisplayHandle, title: &str, size: (u32, u32)) -> Result<Open> {
        let attributes = Window::default_attributes().with_title(title).with_inner_size(PhysicalSize::new(size.0, size.1));
        let window = Arc::new(events.create_window(attributes)?);
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle(Box::new(display.clone())));
        let surface = instance.create_surface(window.clone())?;
        let (gpu, adapter) = Gpu::new(&instance, Some(&surface))?;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or_else(|| format!("{} cannot draw into this window", gpu.name))?;
        // The shaders write sRGB numbers themselves.
        let formats = surface.get_capabilities(&adapter).formats;
        config.format = formats.iter().copied().find(|f| !f.is_srgb()).unwrap_or(config.format);
        surface.configure(&gpu.device, &config);
        let painter = Painter::new(&gpu, config.format);
        let context = egui::Context::default();
        let scale = window.scale_factor() as f32;
        let egui = egui_winit::State::new(context, egui::ViewportId::ROOT, &*window, Some(scale), None, None);
        Ok(Open { window, surface, config, gpu, painter, egui, last: None })
    }

    fn resize(&mut self, width: u32, height: u32) {
        (self.config.width, self.config.height) = (width.max(1), height.max(1));
        self.surface.configure(&self.gpu.device, &self.config);
    }

    fn draw(&mut self, app: &mut App) -> Result<bool> {
        let now = Instant::now();
        if let Some(passed) = self.last.replace(now).map(|last| (now - last).as_secs_f64()) {
            average(&mut app.times.frame, passed);
            app.advance(passed)?;
        }
        let begin = Instant::now();
        let input = self.egui.take_egui_input(&self.window);
        let context = self.egui.egui_ctx().clone();
        let mut output = run_panel(&context, input, app)?;
        self.egui.handle_platform_output(&self.window, std::mem::take(&mut output.platform_output));
        use wgpu::CurrentSurfaceTexture as Got;
        let frame = match self.surface.get_current_texture() {
            Got::Success(frame) | Got::Suboptimal(frame) => frame,
            Got::Timeout | Got::Occluded => {
                output.drop_without_applying_deltas();
                return Ok(false);
            }
            _ => {
                output.drop_without_applying_deltas();
                self.resize(self.config.width, self.config.height);
                self.gpu.check()?;
                return Ok(false);
            }
        };
        let view = frame.texture.create_view(&Default::default());
        let size = (self.config.width, self.config.height);
        self.painter.paint(&self.gpu, &view, size, app, (&context, output))?;
        self.window.pre_present_notify();
        self.gpu.queue.present(frame);
        average(&mut app.times.draw, begin.elapsed().as_secs_f64());
        self.gpu.check()?;
        Ok(true)
    }
}

fn key(pressed: &Pressed) -> Option<Key> {
    match pressed {
        Pressed::Named(NamedKey::Space) => Some(Key::Pause),
        Pressed::Character(c) => match c.to_lowercase().as_str() {
            "n" => Some(Key::Step),
            "r" => Some(Key::Restart),
            "s" => Some(Key::SagFree),
            "f" => Some(Key::Frame),
            "h" => Some(Key::Panel),
            _ => None,
        },
        _ => None,
    }
}

fn button(button: MouseButton) -> Option<Button> {
    match button {
        MouseButton::Left => Some(Button::Left),
        MouseButton::Middle => Some(Button::Middle),
        MouseButton::Right => Some(Button::Right),
        _ => None,
    }
}

/// What an event means to the app, if the panel has not taken it.
fn meaning(event: &WindowEvent) -> Option<Input> {
    match event {
        WindowEvent::CursorMoved { position, .. } => Some(Input::Move { x: position.x as f32, y: position.y as f32 }),
        WindowEvent::MouseInput { state: ElementState::Pressed, button: b, .. } => button(*b).map(Input::Press),
        WindowEvent::MouseInput { button: b, .. } => button(*b).map(Input::Release),
        WindowEvent::MouseWheel { delta: MouseScrollDelta::LineDelta(_, y), .. } => Some(Input::Wheel(*y)),
        WindowEvent::MouseWheel { delta: MouseScrollDelta::PixelDelta(p), .. } => Some(Input::Wheel(p.y as f32 / 40.0)),
        WindowEvent::ModifiersChanged(m) => Some(Input::Shift(m.state().shift_key())),
        WindowEvent::KeyboardInput { event, .. } if event.state == ElementState::Pressed && !event.repeat => {
            key(&event.logical_key).map(Input::Key)
        }
        _ => None,
    }
}

impl Running {
    fn event(&mut self, event: &WindowEvent) -> Result<bool> {
        let Some(open) = &mut self.open else { return Ok(false) };
        match event {
            WindowEvent::CloseRequested => return Ok(true),
            WindowEvent::KeyboardInput { event, .. } if event.logical_key == Pressed::Named(NamedKey::Escape) => return Ok(true),
            WindowEvent::Resized(size) => open.resize(size.width, size.height),
            WindowEvent::RedrawRequested => {
                if open.draw(&mut self.app)? {
                    self.drawn += 1;
                } else {
                    // Nobody sees the window, and nothing sets the pace.
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                return Ok(self.pictures.is_some_and(|n| self.drawn >= n));
            }
            _ => {}
        }
        let taken = open.egui.on_window_event(&open.window, event).consumed;
        // A button that is let go, and where the mouse is, is always told: what is held must not stay held.
        let always = matches!(event, WindowEvent::CursorMoved { .. })
            || matches!(event, WindowEvent::MouseInput { state: ElementState::Released, .. });
        if let Some(input) = meaning(event).filter(|_| always || !taken) {
            self.app.input(input)?;
        }
        Ok(false)
    }
}

impl ApplicationHandler for Running {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.open.is_none() {
            match Open::new(events, &self.display, &self.title, self.app.size()) {
                Ok(open) => self.open = Some(open),
                Err(error) => {
                    self.error = Some(error);
                    events.exit();
                }
            }
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match self.event(&event) {
            Ok(false) => {}
            Ok(true) => events.exit(),
            Err(error) => {
                self.error = Some(error);
                events.exit();
            }
        }
    }

    /// The next picture is always wanted: the screen's rate sets the pace.
    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        if let Some(open) = &self.open {
            open.window.request_redraw();
        }
    }
}
