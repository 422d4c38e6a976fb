//! What every scene needs: a world with rods in it, pictures of rods, and the result that becomes a figure.

use crate::Result;
use crate::abi::{Rods, World};
use crate::render::{
    Camera, CurveSet, CurveStyle, Framing, Image, Key, Material, Options, Pattern, Plot, Primitive, Radii, Scene, Sheet, render,
};
use glam::{DQuat, DVec3, Vec3};
use rayon::prelude::*;
use std::f64::consts::TAU;
use std::path::Path;
use withy::tasks::Inline;
use withy::world::{Id, SkinRead, WorldDesc};

/// A picture with what it is called.
#[derive(Clone, Debug, Default)]
pub struct Shot {
    pub caption: String,
    pub scene: Scene,
    /// Drawn behind the rest, wherever it is.
    pub under: Option<CurveSet>,
    /// Its outline is drawn over the rest.
    pub outline: Option<Scene>,
    /// Drawn over the rest as if one could see through it.
    pub veil: Option<Scene>,
    /// What the strands' colours stand for.
    pub key: Option<Key>,
    /// What the camera must see, where that is not what the figure says.
    pub frame: Option<Scene>,
}

/// The same on the screen, but farther away from the camera.
fn pushed_back(set: &CurveSet, camera: &Camera) -> CurveSet {
    let far = 1.0 + 0.12 * camera.scale / camera.eye.distance(camera.target);
    let push = |p: &[f32; 3]| (camera.eye + (Vec3::from(*p) - camera.eye) * far).to_array();
    CurveSet { points: set.points.iter().map(push).collect(), ..set.clone() }
}

/// The silhouette of a scene as a line in the picture, where it is and in front of all.
fn outline(scene: &Scene, camera: &Camera, image: &mut Image) -> std::result::Result<(), crate::render::Error> {
    const FINE: u32 = 4;
    /// Half the width of the line, fine pixels.
    const HALF: i64 = 3;
    const BACK: [f32; 3] = [1.0, 0.0, 1.0];
    const COLOR: [u8; 3] = [20, 190, 60];
    let (w, h) = (image.width * FINE, image.height * FINE);
    let options = Options { width: w, height: h, background: Some(BACK), shadows: false };
    let mask = render(scene, camera, &options)?;
    let back = render(&Scene::default(), camera, &Options { width: 1, height: 1, ..options })?.get(0, 0);
    let inside = |x: i64, y: i64| mask.get(x.clamp(0, i64::from(w) - 1) as u32, y.clamp(0, i64::from(h) - 1) as u32) != back;
    // An edge between two pixels marks a disc.
    let mut marked = vec![false; (w * h) as usize];
    for y in 0..i64::from(h) {
        for x in 0..i64::from(w) {
            let here = inside(x, y);
            if here == inside(x + 1, y) && here == inside(x, y + 1) {
                continue;
            }
            for (dx, dy) in (-HALF..=HALF).flat_map(|dx| (-HALF..=HALF).map(move |dy| (dx, dy))) {
                let (x, y) = (x + dx, y + dy);
                if dx * dx + dy * dy <= HALF * HALF && (0..i64::from(w)).contains(&x) && (0..i64::from(h)).contains(&y) {
                    marked[(y * i64::from(w) + x) as usize] = true;
                }
            }
        }
    }
    for (x, y) in (0..h / FINE).flat_map(|y| (0..w / FINE).map(move |x| (x, y))) {
        let part = (0..FINE * FINE).filter(|k| marked[((y * FINE + k / FINE) * w + x * FINE + k % FINE) as usize]).count();
        image.blend(x as i32, y as i32, COLOR, part as f32 / (FINE * FINE) as f32);
    }
    Ok(())
}

/// A scene over the picture, of which so much is seen.
fn veil(scene: &Scene, camera: &Camera, image: &mut Image) -> std::result::Result<(), crate::render::Error> {
    const SEEN: f32 = 0.38;
    let options = Options { width: image.width, height: image.height, background: None, shadows: false };
    let over = render(scene, camera, &options)?;
    let empty = render(&Scene::default(), camera, &options)?;
    for (x, y) in (0..over.height).flat_map(|y| (0..over.width).map(move |x| (x, y))) {
        let color = over.get(x, y);
        if color != empty.get(x, y) {
            image.blend(x as i32, y as i32, color, SEEN);
        }
    }
    Ok(())
}

impl Shot {
    /// The camera's direction from the front, up to 45° about x, the line of the clamps, that shows the largest area of what the rods enclose.
    pub fn widest_about_x(&self) -> [f32; 3] {
        let points: Vec<DVec3> =
            self.scene.curves.iter().flat_map(|c| &c.points).map(|p| DVec3::from(p.map(f64::from))).collect();
        let direction = |k: i32| DQuat::from_rotation_x(TAU * f64::from(k) / 72.0) * DVec3::NEG_Z;
        let area = |n: &DVec3| points.windows(2).map(|p| p[0].cross(p[1]).dot(*n)).sum::<f64>().abs();
        let best = (-9..=9).map(direction).max_by(|a, b| area(a).total_cmp(&area(b)));
        best.unwrap_or(DVec3::NEG_Z).as_vec3().to_array()
    }
}

/// What a scene gives: pictures and the numbers behind them.
#[derive(Clone, Debug)]
pub struct Figure {
    pub title: &'static str,
    pub subtitle: String,
    pub shots: Vec<Shot>,
    /// One, or panels of one size, two a row.
    pub plots: Vec<Plot>,
    /// Where the camera looks.
    pub direction: [f32; 3],
    /// What the camera must see, if not all that is drawn.
    pub frame: Option<Scene>,
    /// Each picture has a camera of its own.
    pub alone: bool,
    pub columns: u32,
    /// Pixels of a picture.
    pub size: (u32, u32),
    pub numbers: Vec<String>,
}

impl Default for Figure {
    fn default() -> Self {
        Figure {
            title: "",
            subtitle: String::new(),
            shots: Vec::new(),
            plots: Vec::new(),
            direction: [0.0, -0.25, -1.0],
            frame: None,
            alone: false,
            columns: 3,
            size: (300, 240),
            numbers: Vec::new(),
        }
    }
}

impl Figure {
    pub fn shot(&mut self, caption: impl Into<String>, scene: Scene) {
        self.shots.push(Shot { caption: caption.into(), scene, ..Shot::default() });
    }

    fn sheet(&self) -> Result<Image> {
        let (width, height) = self.size;
        let mut framing = Framing::new(self.direction, width, height);
        match &self.frame {
            Some(scene) => framing.include(scene),
            None => {
                let shots = self.shots.iter().filter(|s| s.frame.is_none());
                shots.flat_map(|s| s.veil.iter().chain([&s.scene])).for_each(|scene| framing.include(scene));
            }
        }
        let shared = framing.camera();
        let options = Options { width, height, ..Options::default() };
        let draw = |shot: &Shot| {
            let fit = |scene: &Scene| Camera::fit([scene], self.direction, width, height);
            let camera = match &shot.frame {
                Some(frame) => fit(frame),
                None if self.alone => fit(&shot.scene),
                None => shared,
            };
            let mut scene = shot.scene.clone();
            scene.curves.extend(shot.under.iter().map(|u| pushed_back(u, &camera)));
            let mut image = render(&scene, &camera, &options)?;
            if let Some(of) = &shot.outline {
                outline(of, &camera, &mut image)?;
            }
            if let Some(over) = &shot.veil {
                veil(over, &camera, &mut image)?;
            }
            shot.key.iter().for_each(|k| k.draw(&mut image));
            Ok(image)
        };
        let images: Vec<Image> = self.shots.par_iter().map(draw).collect::<std::result::Result<_, crate::render::Error>>()?;
        let mut sheet = Sheet::new(self.title, &self.subtitle, self.columns);
        self.shots.iter().zip(images).for_each(|(shot, image)| sheet.push(image, &shot.caption));
        Ok(sheet.compose()?)
    }

    fn panels(&self) -> Result<Image> {
        let images: Vec<Image> = self.plots.iter().map(Plot::draw).collect::<std::result::Result<_, _>>()?;
        if let [one] = images.as_slice() {
            return Ok(one.clone());
        }
        let mut sheet = Sheet::new("", "", 2);
        images.into_iter().for_each(|image| sheet.push(image, ""));
        Ok(sheet.compose()?)
    }

    /// Writes `NAME.png` and, where there is a plot beside pictures, `NAME_plot.png`; tells what it wrote.
    pub fn save(&self, name: &str, folder: &Path) -> Result<Vec<String>> {
        let mut written = Vec::new();
        let mut write = |image: Image, file: String| -> Result<()> {
            let path = folder.join(file);
            image.write_png(&path)?;
            written.push(path.display().to_string());
            Ok(())
        };
        if !self.shots.is_empty() {
            write(self.sheet()?, format!("{name}.png"))?;
        }
        if !self.plots.is_empty() {
            let suffix = if self.shots.is_empty() { "" } else { "_plot" };
            write(self.panels()?, format!("{name}{suffix}.png"))?;
        }
        Ok(written)
    }
}

/// Every frame of a run, where the interesting moment is known only afterwards.
#[derive(Clone, Debug, Default)]
pub struct Film(pub Vec<(f64, Shot)>);

impl Film {
    pub fn add(&mut self, seconds: f64, caption: String, scene: Scene) {
        self.0.push((seconds, Shot { caption, scene, ..Shot::default() }));
    }
    /// The last frame's time.
    pub fn end(&self) -> f64 {
        self.0.last().map_or(0.0, |f| f.0)
    }
    /// The frames nearest to these times.
    pub fn pick(self, times: &[f64]) -> Vec<Shot> {
        let nearest = |t: f64| self.0.iter().min_by(|a, b| (a.0 - t).abs().total_cmp(&(b.0 - t).abs()));
        times.iter().filter_map(|t| nearest(*t)).map(|f| f.1.clone()).collect()
    }
}

/// A world without gravity, on the calling thread.
pub fn world(substeps: u32, iterations: u32) -> Result<World> {
    Ok(World::new(&WorldDesc { gravity: [0.0; 3], substeps, iterations, ..WorldDesc::default() }, 0)?)
}

pub const FRAME: f64 = 1.0 / 60.0;

/// How a set of rods is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub radius: f32,
    pub style: CurveStyle,
    pub material: Material,
    pub smooth: bool,
}

impl Look {
    /// A round rod with a stripe, so that twist can be seen.
    pub fn striped(radius: f64, color: [f32; 3]) -> Look {
        let pattern = Pattern::Stripes { count: 2, color: [0.95, 0.94, 0.90] };
        Look {
            radius: radius as f32,
            style: CurveStyle::Tube,
            material: Material { pattern, ..Material::plastic(color) },
            smooth: true,
        }
    }
    /// A strip whose width is along d1.
    pub fn ribbon(half_width: f64, half_thickness: f64, color: [f32; 3], back: [f32; 3]) -> Look {
        let style = CurveStyle::Ribbon { half_width: half_width as f32, half_thickness: half_thickness as f32 };
        let material = Material { pattern: Pattern::TwoSided { color: back }, ..Material::plastic(color) };
        Look { radius: half_width as f32, style, material, smooth: true }
    }
    pub fn plain(radius: f64, color: [f32; 3]) -> Look {
        Look { radius: radius as f32, style: CurveStyle::Tube, material: Material::plastic(color), smooth: true }
    }
}

/// The rods as they are now.
pub fn curves(rods: Rods, counts: &[u32], look: Look) -> Result<CurveSet> {
    Ok(curve_set(rods.positions_f32()?, &rods.frames()?, counts, look))
}

/// Rods with these vertices and frames of edges.
pub fn curve_set(points: Vec<[f32; 3]>, frames: &[[f64; 4]], counts: &[u32], look: Look) -> CurveSet {
    let d1 = |q: [f64; 4]| (DQuat::from_array(q) * DVec3::X).as_vec3().to_array();
    CurveSet {
        points,
        counts: counts.to_vec(),
        radii: Radii::Uniform(look.radius),
        style: look.style,
        material: look.material,
        frames: frames.iter().copied().map(d1).collect(),
        smooth: look.smooth,
    }
}

pub fn picture(rods: Rods, counts: &[u32], look: Look) -> Result<Scene> {
    Ok(Scene { curves: vec![curves(rods, counts, look)?], ..Scene::default() })
}

/// The block that an end is clamped in.
pub fn clamp_block(at: DVec3, rotation: DQuat, size: f64) -> Primitive {
    Primitive::Cuboid {
        center: at.as_vec3().into(),
        half_extents: [0.5 * size as f32, size as f32, size as f32],
        rotation: rotation.as_quat().to_array(),
        material: Material::matte([0.42, 0.45, 0.50]),
    }
}

pub fn floor(y: f32, grid: f32) -> Primitive {
    Primitive::Plane { point: [0.0, y, 0.0], normal: [0.0, 1.0, 0.0], grid }
}

/// `count` points from `a` to `b`.
pub fn line(a: DVec3, b: DVec3, count: usize) -> Vec<[f64; 3]> {
    (0..count).map(|i| a.lerp(b, i as f64 / (count - 1) as f64).to_array()).collect()
}

/// Where the vertices of a skin are.
pub fn skin_points(world: &withy::world::World, skin: Id) -> Result<Vec<[f64; 3]>> {
    let mut points = Vec::new();
    world.read_skin(skin, SkinRead::Positions, &Inline, |_, p| points.push(p))?;
    Ok(points)
}

pub fn vectors(points: &[[f64; 3]]) -> Vec<DVec3> {
    points.iter().map(|p| DVec3::from(*p)).collect()
}
