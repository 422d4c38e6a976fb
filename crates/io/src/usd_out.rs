//! A simulation cache as `.usda`: linear BasisCurves and meshes with their points as time samples.
//!
//! Source: the schemas UsdGeomBasisCurves, UsdGeomMesh, UsdGeomPointBased and UsdGeomMetrics of OpenUSD; the result is
//! checked with `UsdValidation` and read back by `tests/usd_check.py`. The attributes that begin with `groom_` are those of
//! Unreal's "Alembic for Grooms Specification", 1.5, where its importer of USD looks for them: what belongs to the groom in the
//! namespace `userProperties` of the topmost prim with `GroomAPI`, what belongs to strands as primvars.
//!
//! The text of an attribute holds all its samples, so that a frame cannot be appended to two attributes of one file. Each
//! animated attribute therefore streams into its own part beside the target, and [`UsdWriter::finish`] joins the parts:
//!
//! ```text
//! out.usda.0.part   World/Strands points          ─┐
//! out.usda.1.part   World/Strands velocities       ├─>  out.usda.part  ── rename ──>  out.usda
//! out.usda.2.part   World/<mesh> points           ─┘
//! ```
//!
//! A run that dies leaves no `out.usda` that looks whole, and memory stays at one frame.

use super::error::IoError;
use super::groom::{Groom, UpAxis};
use super::mesh::TriMesh;
use rayon::prelude::*;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What the cache is of. Frames come later.
#[derive(Clone, Debug)]
pub struct UsdCacheDef<'a> {
    /// The strands: counts, widths, closed strands, unit and up axis are taken from here; the points of frames replace its own.
    /// A `meters_per_unit` of `None` is written as metres.
    pub groom: &'a Groom,
    /// Time codes per second: one frame is one time code.
    pub fps: f64,
    /// The time code of the first frame.
    pub start: f64,
    /// Whether each frame brings velocities, in units per second.
    pub has_velocities: bool,
    /// Whether the strands carry what Unreal's importer asks of a groom.
    pub is_unreal_groom: bool,
    pub meshes: &'a [UsdMesh<'a>],
}

/// A collider or head to show beside the strands.
#[derive(Clone, Debug)]
pub struct UsdMesh<'a> {
    /// A USD identifier, other than `Strands` and the other meshes' names.
    pub name: &'a str,
    pub mesh: &'a TriMesh,
    /// Whether each frame brings its points. Otherwise the mesh's own are written once.
    pub is_animated: bool,
    pub color: Option<[f32; 3]>,
}

/// One frame of points; lengths must match the definition.
#[derive(Clone, Copy, Debug, Default)]
pub struct UsdFrame<'a> {
    pub points: &'a [[f32; 3]],
    /// Empty unless the definition promised velocities.
    pub velocities: &'a [[f32; 3]],
    /// The points of the animated meshes, in their order.
    pub meshes: &'a [&'a [[f32; 3]]],
}

/// Writes a cache frame by frame. Dropping it without [`UsdWriter::finish`] removes what it wrote.
pub struct UsdWriter {
    target: PathBuf,
    fps: f64,
    start: f64,
    frames: usize,
    meters_per_unit: f64,
    up_axis: UpAxis,
    strands: Strands,
    meshes: Vec<MeshPrim>,
    parts: Vec<Part>,
    text: Vec<u8>,
}

/// The strands as they are written: closed ones repeat their first point, since `wrap` holds for a whole prim.
struct Strands {
    counts: Vec<u32>,
    widths: Vec<f32>,
    /// Source point of each written one; empty when none is closed and the points go as they are.
    order: Vec<u32>,
    point_count: usize,
    half_width: f32,
    has_velocities: bool,
    is_unreal_groom: bool,
}

struct MeshPrim {
    name: String,
    mesh: TriMesh,
    is_animated: bool,
    color: Option<[f32; 3]>,
}

/// One animated attribute under way.
struct Part {
    path: PathBuf,
    file: File,
    extents: Vec<[[f32; 3]; 2]>,
}

impl UsdWriter {
    /// Opens the parts beside `path`, whose folder must exist.
    ///
    /// # Errors
    /// The groom or a mesh is inconsistent, a name is no identifier, a number is not finite, or a file cannot be created.
    pub fn begin(path: impl AsRef<Path>, def: &UsdCacheDef) -> Result<UsdWriter, IoError> {
        let refuse = |field: &str, value: f64, reason: &str| Err(IoError::new("usd cache", field, reason).value(value));
        if !(def.fps.is_finite() && def.fps > 0.0) {
            return refuse("fps", def.fps, "is not a positive number");
        }
        if !def.start.is_finite() {
            return refuse("start", def.start, "is not finite");
        }
        let meters_per_unit = def.groom.meters_per_unit.unwrap_or(1.0);
        if !(meters_per_unit.is_finite() && meters_per_unit > 0.0) {
            return refuse("meters_per_unit", meters_per_unit, "is not a positive number");
        }
        let mut writer = UsdWriter {
            target: path.as_ref().to_path_buf(),
            fps: def.fps,
            start: def.start,
            frames: 0,
            meters_per_unit,
            up_axis: def.groom.up_axis,
            strands: Strands::new(def)?,
            meshes: Vec::new(),
            parts: Vec::new(),
            text: Vec::new(),
        };
        for (index, mesh) in def.meshes.iter().enumerate() {
            check_mesh(index, mesh, &writer.meshes)?;
            writer.meshes.push(MeshPrim {
                name: mesh.name.to_owned(),
                mesh: mesh.mesh.clone(),
                is_animated: mesh.is_animated,
                color: mesh.color,
            });
        }
        let animated = writer.meshes.iter().filter(|mesh| mesh.is_animated).count();
        for index in 0..1 + usize::from(def.has_velocities) + animated {
            let path = with_suffix(&writer.target, &format!(".{index}.part"));
            let file = File::create(&path).map_err(|error| file_error(&path, &error))?;
            writer.parts.push(Part { path, file, extents: Vec::new() });
        }
        Ok(writer)
    }

    /// Appends one frame.
    ///
    /// # Errors
    /// A length does not match the definition, a coordinate is not finite (nothing is written then), or the disk is full.
    pub fn frame(&mut self, frame: &UsdFrame) -> Result<(), IoError> {
        self.check_frame(frame)?;
        let time = format!("            {}: ", self.start + self.frames as f64);
        let mut attributes = vec![("points", frame.points, &self.strands.order[..], self.strands.half_width)];
        if self.strands.has_velocities {
            attributes.push(("velocities", frame.velocities, &self.strands.order[..], 0.0));
        }
        attributes.extend(frame.meshes.iter().map(|&points| ("mesh", points, &[][..], 0.0)));
        for (part, (_, points, order, margin)) in self.parts.iter_mut().zip(attributes) {
            self.text.clear();
            self.text.extend_from_slice(time.as_bytes());
            write_points(&mut self.text, points, order);
            self.text.extend_from_slice(b",\n");
            part.file.write_all(&self.text).map_err(|error| file_error(&part.path, &error))?;
            part.extents.push(extent(points, margin));
        }
        self.frames += 1;
        Ok(())
    }

    /// Frames written so far.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Joins the parts into the target, replacing what was there, and returns its size in bytes.
    ///
    /// # Errors
    /// No frame was written, or a file cannot be written.
    pub fn finish(mut self) -> Result<u64, IoError> {
        if self.frames == 0 {
            return Err(IoError::new("usd cache", "frames", "were not written, a cache needs one").value(0));
        }
        let joined = with_suffix(&self.target, ".part");
        let result = self.join(&joined).and_then(|size| fs::rename(&joined, &self.target).map(|()| size));
        result.map_err(|error| {
            let _ = fs::remove_file(&joined);
            file_error(&self.target, &error)
        })
    }

    fn check_frame(&self, frame: &UsdFrame) -> Result<(), IoError> {
        let check = |field: String, points: &[[f32; 3]], expected: usize| {
            if points.len() != expected {
                let reason = format!("is not the {expected} of the definition (frame {})", self.frames);
                return Err(IoError::new("usd cache", format!("number of {field}"), reason).value(points.len()));
            }
            match points.iter().flatten().position(|x| !x.is_finite()) {
                Some(index) => {
                    let reason = format!("is not finite (frame {})", self.frames);
                    let value = points[index / 3][index % 3];
                    Err(IoError::new("usd cache", field, reason).index(index / 3).value(value))
                }
                None => Ok(()),
            }
        };
        let count = self.strands.point_count;
        check("points".into(), frame.points, count)?;
        check("velocities".into(), frame.velocities, if self.strands.has_velocities { count } else { 0 })?;
        let animated: Vec<&MeshPrim> = self.meshes.iter().filter(|mesh| mesh.is_animated).collect();
        if frame.meshes.len() != animated.len() {
            let reason = format!("is not the {} of the definition (frame {})", animated.len(), self.frames);
            return Err(IoError::new("usd cache", "number of animated meshes", reason).value(frame.meshes.len()));
        }
        for (mesh, points) in animated.iter().zip(frame.meshes) {
            check(format!("points of mesh {}", mesh.name), points, mesh.mesh.points.len())?;
        }
        Ok(())
    }

    fn join(&mut self, path: &Path) -> io::Result<u64> {
        let mut out = io::BufWriter::new(File::create(path)?);
        let up_axis = if self.up_axis == UpAxis::Z { "Z" } else { "Y" };
        let end = self.start + (self.frames - 1) as f64;
        let (fps, start, meters_per_unit) = (self.fps, self.start, self.meters_per_unit);
        write!(
            out,
            "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = \"Simulated by withy\"\n    endTimeCode = {end}\n    \
             framesPerSecond = {fps}\n    metersPerUnit = {meters_per_unit}\n    startTimeCode = {start}\n    \
             timeCodesPerSecond = {fps}\n    upAxis = \"{up_axis}\"\n)\n\ndef Xform \"World\" (\n    kind = \"component\"\n)\n{{\n"
        )?;
        let mut parts = self.parts.iter_mut();
        self.strands.write(&mut out, start, &mut parts)?;
        for mesh in &self.meshes {
            mesh.write(&mut out, start, &mut parts)?;
        }
        out.write_all(b"}\n")?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(file.metadata()?.len())
    }
}

impl Drop for UsdWriter {
    fn drop(&mut self) {
        for part in &self.parts {
            let _ = fs::remove_file(&part.path);
        }
    }
}

impl Strands {
    fn new(def: &UsdCacheDef) -> Result<Strands, IoError> {
        let groom = def.groom;
        groom.check()?;
        if let Some(index) = groom.widths.iter().position(|width| !(width.is_finite() && *width >= 0.0)) {
            let value = groom.widths[index];
            return Err(IoError::new("usd cache", "widths", "is negative or not finite").index(index).value(value));
        }
        let largest = groom.widths.iter().fold(0.0f32, |max, &width| max.max(width));
        let mut strands = Strands {
            counts: groom.counts.clone(),
            widths: groom.widths.clone(),
            order: Vec::new(),
            point_count: groom.points.len(),
            half_width: 0.5 * largest,
            has_velocities: def.has_velocities,
            is_unreal_groom: def.is_unreal_groom,
        };
        if groom.closed.is_empty() {
            return Ok(strands);
        }
        for (strand, range) in groom.ranges().enumerate() {
            strands.order.extend(range.clone().map(|index| index as u32));
            if groom.closed.binary_search(&(strand as u32)).is_ok() && !range.is_empty() {
                strands.order.push(range.start as u32);
                strands.counts[strand] += 1;
            }
        }
        if groom.widths.len() > 1 {
            strands.widths = strands.order.iter().map(|&index| groom.widths[index as usize]).collect();
        }
        Ok(strands)
    }

    fn write<'a>(&self, out: &mut impl Write, start: f64, parts: &mut impl Iterator<Item = &'a mut Part>) -> io::Result<()> {
        out.write_all(b"    def BasisCurves \"Strands\"")?;
        out.write_all(if self.is_unreal_groom { b" (\n        prepend apiSchemas = [\"GroomAPI\"]\n    )" } else { b"" })?;
        out.write_all(b"\n    {\n")?;
        write_list(out, "int[] curveVertexCounts", &self.counts)?;
        out.write_all(b"\n")?;
        if let Some(part) = parts.next() {
            part.write(out, start, "point3f[] points", true)?;
        }
        if self.has_velocities
            && let Some(part) = parts.next()
        {
            part.write(out, start, "vector3f[] velocities", false)?;
        }
        if self.is_unreal_groom {
            self.write_unreal(out)?;
        }
        out.write_all(b"        uniform token type = \"linear\"\n")?;
        if !self.widths.is_empty() {
            let interpolation = if self.widths.len() == 1 { "constant" } else { "vertex" };
            write_primvar(out, "float[] widths", &self.widths, interpolation)?;
        }
        out.write_all(b"        uniform token wrap = \"nonperiodic\"\n    }\n")
    }

    /// Widths are not among these: Unreal takes `widths`, with the stage's unit. Without `groom_root_uv` it projects the roots onto a
    /// sphere. All strands are there to be drawn, none as a guide alone.
    fn write_unreal(&self, out: &mut impl Write) -> io::Result<()> {
        write_primvar(out, "int[] primvars:groom_group_id", &[0], "constant")?;
        write_primvar(out, "int[] primvars:groom_guide", &[0], "constant")?;
        write_primvar(out, "int[] primvars:groom_id", &Vec::from_iter(0..self.counts.len()), "uniform")?;
        let tool = env!("CARGO_PKG_VERSION");
        write!(
            out,
            "        custom string userProperties:groom_tool = \"withy {tool}\"\n        \
             custom int userProperties:groom_version_major = 1\n        \
             custom int userProperties:groom_version_minor = 5\n"
        )
    }
}

impl MeshPrim {
    fn write<'a>(&self, out: &mut impl Write, start: f64, parts: &mut impl Iterator<Item = &'a mut Part>) -> io::Result<()> {
        write!(out, "\n    def Mesh \"{}\"\n    {{\n", self.name)?;
        write_list(out, "int[] faceVertexCounts", &vec![3u32; self.mesh.triangles.len()])?;
        out.write_all(b"\n")?;
        write_list(out, "int[] faceVertexIndices", self.mesh.triangles.as_flattened())?;
        out.write_all(b"\n")?;
        if !self.is_animated {
            let [low, high] = extent(&self.mesh.points, 0.0);
            write!(out, "        float3[] extent = [{}, {}]\n        point3f[] points = ", tuple(low), tuple(high))?;
            let mut text = Vec::new();
            write_points(&mut text, &self.mesh.points, &[]);
            text.push(b'\n');
            out.write_all(&text)?;
        } else if let Some(part) = parts.next() {
            part.write(out, start, "point3f[] points", true)?;
        }
        if let Some(color) = self.color {
            writeln!(out, "        color3f[] primvars:displayColor = [{}]", tuple(color))?;
        }
        out.write_all(b"        uniform token subdivisionScheme = \"none\"\n    }\n")
    }
}

impl Part {
    /// Copies the samples behind the attribute's name.
    fn write(&mut self, out: &mut impl Write, start: f64, name: &str, has_extent: bool) -> io::Result<()> {
        if has_extent {
            out.write_all(b"        float3[] extent.timeSamples = {\n")?;
            for (frame, [low, high]) in self.extents.iter().enumerate() {
                writeln!(out, "            {}: [{}, {}],", start + frame as f64, tuple(*low), tuple(*high))?;
            }
            out.write_all(b"        }\n")?;
        }
        writeln!(out, "        {name}.timeSamples = {{")?;
        io::copy(&mut File::open(&self.path)?, out)?;
        out.write_all(b"        }\n")
    }
}

fn check_mesh(index: usize, mesh: &UsdMesh, others: &[MeshPrim]) -> Result<(), IoError> {
    let name = mesh.name;
    let refuse = |field: &str, reason: &str| Err(IoError::new("usd cache", field, reason).index(index).value(name));
    let starts_well = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if !starts_well || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        return refuse("mesh name", "is no identifier (letters, digits, _; not a digit first)");
    }
    if name == "Strands" || others.iter().any(|other| other.name == name) {
        return refuse("mesh name", "is taken");
    }
    let points = mesh.mesh.points.len();
    if let Some(vertex) = mesh.mesh.triangles.as_flattened().iter().find(|&&vertex| vertex as usize >= points) {
        return refuse("mesh", &format!("has vertex {vertex} in a triangle, and {points} points"));
    }
    if mesh.mesh.points.iter().flatten().chain(mesh.color.iter().flatten()).any(|x| !x.is_finite()) {
        return refuse("mesh", "has a point or colour that is not finite");
    }
    Ok(())
}

fn extent(points: &[[f32; 3]], margin: f32) -> [[f32; 3]; 2] {
    let first = points.first().copied().unwrap_or_default();
    let (mut low, mut high) = (first, first);
    for point in points {
        for axis in 0..3 {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    [low.map(|x| x - margin), high.map(|x| x + margin)]
}

/// The shortest decimal that reads back as the same float; what is tiny or huge with an exponent, not with thirty zeros.
struct Short(f32);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Short(x) = self;
        if *x != 0.0 && !(1e-4..1e9).contains(&x.abs()) { write!(f, "{x:e}") } else { write!(f, "{x}") }
    }
}

/// [`Short`] numbers. A number costs 75 ns, so that threads share them:
/// chunks of fixed size, joined in order, give the same text for any number of threads.
fn write_points(text: &mut Vec<u8>, points: &[[f32; 3]], order: &[u32]) {
    const CHUNK: usize = 4096;
    let count = if order.is_empty() { points.len() } else { order.len() };
    let chunk_text = |chunk: usize| {
        let range = chunk * CHUNK..count.min((chunk + 1) * CHUNK);
        let mut text = String::with_capacity(40 * range.len());
        for index in range {
            let [x, y, z] = points[if order.is_empty() { index } else { order[index] as usize }].map(Short);
            let separator = if index == 0 { "" } else { ", " };
            // A String's writer does not fail.
            let _ = write!(text, "{separator}({x}, {y}, {z})");
        }
        text
    };
    let chunks: Vec<String> = (0..count.div_ceil(CHUNK)).into_par_iter().map(chunk_text).collect();
    text.push(b'[');
    for chunk in chunks {
        text.extend_from_slice(chunk.as_bytes());
    }
    text.push(b']');
}

fn write_list<T: std::fmt::Display>(out: &mut impl Write, name: &str, values: &[T]) -> io::Result<()> {
    write!(out, "        {name} = [")?;
    for (index, value) in values.iter().enumerate() {
        write!(out, "{}{value}", if index == 0 { "" } else { ", " })?;
    }
    out.write_all(b"]")
}

/// An attribute with an interpolation, whose parenthesis USD wants on the value's line.
fn write_primvar<T: std::fmt::Display>(out: &mut impl Write, name: &str, values: &[T], interpolation: &str) -> io::Result<()> {
    write_list(out, name, values)?;
    write!(out, " (\n            interpolation = \"{interpolation}\"\n        )\n")
}

fn tuple(point: [f32; 3]) -> String {
    let [x, y, z] = point.map(Short);
    format!("({x}, {y}, {z})")
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn file_error(path: &Path, error: &io::Error) -> IoError {
    IoError::new("file", "contents", format!("cannot be written: {error}")).file(path)
}
