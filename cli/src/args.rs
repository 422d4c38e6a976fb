//! The command line as clap sees it. Other tools parse this interface and its output: it is stable.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use withy::math::Isa;
use withy::world::BackendChoice;

/// Elastic rods: look at grooms and characters, simulate grooms, reproduce figures, measure.
#[derive(Parser, Debug)]
#[command(name = "withy", version)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Say what is in a groom, a mesh or a character, and which strands are degenerate
    Info {
        /// .hair, .tfx, .tfxproj, .usda, .obj, .stl, .bvh, .tof, .glb, .gltf, or :head, :straight, :wavy, :curly
        file: String,
    },
    /// Step a groom through the C ABI; write a USD cache, a contact sheet, a GIF
    Simulate(Box<Simulate>),
    /// Watch a groom or a scene in a window: turn it, grab it, change it
    View(Box<View>),
    /// Measure how long steps, iterations and their parts take
    Bench(Bench),
    /// Compare statics and dynamics with closed forms
    Accuracy {
        /// Only laws whose name contains one of these; `list` names all
        names: Vec<String>,
        /// Numbers of edges, separated by commas, instead of the laws' own
        #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
        edges: Vec<u32>,
        /// One JSON object a law
        #[arg(long)]
        json: bool,
    },
    /// Turn the surface of a muscle into rods: write them as USD curves, draw them beside the mesh
    Muscle(MuscleOptions),
    /// Run a scene of the papers and draw it
    Scene {
        /// A name, `all`, or `list`
        name: String,
        /// Where the pictures go
        #[arg(long, default_value = "out/scenes")]
        out: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// Ghost-point rods (Umetani 2014)
    Ghost,
    /// Discrete elastic rods (Takahashi & Batty 2025)
    Der,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Solver {
    Auto,
    Sweeps,
    Direct,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    Auto,
    First,
    Second,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Motion {
    Still,
    Nod,
    Turn,
    Shake,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    Cpu,
    Gpu,
    Auto,
}

impl Backend {
    pub fn choice(self) -> BackendChoice {
        match self {
            Backend::Cpu => BackendChoice::Cpu,
            Backend::Gpu => BackendChoice::Gpu,
            Backend::Auto => BackendChoice::Auto,
        }
    }
}

/// An instruction set by name, or the widest that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsaChoice(pub Option<Isa>);

impl std::str::FromStr for IsaChoice {
    type Err = String;
    fn from_str(name: &str) -> Result<IsaChoice, String> {
        match (name, Isa::from_name(name)) {
            ("auto", _) => Ok(IsaChoice(None)),
            (_, Some(isa)) => Ok(IsaChoice(Some(isa))),
            _ => Err("not one of scalar, sse2, avx2, avx512, neon, auto".into()),
        }
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x),
        _ => Err("not a positive number".into()),
    }
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if (1.0..=1e15).contains(&x) => Ok(x),
        _ => Err("not a factor from 1 to 1e15".into()),
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x),
        _ => Err("not a number of 0 or more".into()),
    }
}

/// Defaults describe guide hairs: see `docs/command_line.md`.
#[derive(Args, Clone, Debug)]
pub struct Simulate {
    /// .hair, .tfx, .tfxproj, .usda, or a groom of our own: :head, :straight, :wavy, :curly
    pub file: String,
    #[arg(long, value_enum, default_value = "ghost")]
    pub model: Model,
    /// Frames after the start pose
    #[arg(long, default_value_t = 120, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub frames: u32,
    #[arg(long, default_value_t = 60.0, value_parser = positive)]
    pub fps: f64,
    /// A frame; else half of the vertices of the longest strand, 8 to 64
    #[arg(long)]
    pub substeps: Option<u32>,
    /// A substep; else 4 sweeps or 1 Newton step
    #[arg(long)]
    pub iterations: Option<u32>,
    /// Find the rest shapes that make the start pose an equilibrium; sweeps do not keep it
    #[arg(long)]
    pub sag_free: bool,
    /// With --sag-free: the largest factor by which a strand that would not hold may be stiffened, vertex by vertex
    #[arg(long, value_parser = factor, requires = "sag_free")]
    pub stiffen: Option<f64>,
    /// Of ghost-point rods: sweeps over the constraints, or Newton steps over all of them at once; auto: direct, as roots are held
    #[arg(long, value_enum, default_value = "auto")]
    pub solver: Solver,
    /// Order in time of what is solved directly: steps of second order do not damp what they resolve
    #[arg(long, value_enum, default_value = "auto")]
    pub integrator: Order,
    /// USD cache to write
    #[arg(long, value_name = "FILE.usda")]
    pub out: Option<PathBuf>,
    /// Frames from one sample of the cache to the next
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub cache_every: u32,
    /// Contact sheet to write
    #[arg(long, value_name = "FILE.png")]
    pub preview: Option<PathBuf>,
    /// Animation to write
    #[arg(long, value_name = "FILE.gif")]
    pub gif: Option<PathBuf>,
    /// Print state_hash=<hex> as the last line
    #[arg(long)]
    pub hash: bool,

    #[arg(long, value_enum, default_value = "cpu")]
    pub backend: Backend,
    /// Step in f64, on the CPU
    #[arg(long)]
    pub double: bool,
    /// scalar, sse2, avx2, avx512, neon, auto
    #[arg(long, default_value = "auto")]
    pub isa: IsaChoice,
    /// Worker threads; 1 steps on the calling thread, 0 takes all cores
    #[arg(long, default_value_t = 1)]
    pub threads: u32,

    /// Mesh to draw and move with the roots, in the groom's unit and axes
    #[arg(long, value_name = "MESH.obj")]
    pub head: Option<PathBuf>,
    /// Let strands pass through the head: a groom that starts within its colliders is pushed out otherwise
    #[arg(long)]
    pub no_collision: bool,
    /// How the head moves
    #[arg(long, value_enum, default_value = "still")]
    pub motion: Motion,
    /// Metres in a unit of a file that does not say (.hair, .tfx); else guessed by its size
    #[arg(long, value_parser = positive)]
    pub unit: Option<f64>,
    /// Resample every strand to so many vertices
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub vertices: Option<u32>,
    /// Strands drawn for each simulated one, itself among them; the others are interpolated between them. Given, the cache has them, too. Not given: as
    /// many as pictures need for 20,000 strands
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub render_hairs: Option<u32>,
    /// Simulate only so many of the file's strands; the others follow them
    #[arg(long, value_name = "N", conflicts_with = "render_hairs", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub guides: Option<u32>,
    /// Let the tips go that a TressFX 3 file holds
    #[arg(long)]
    pub free_tips: bool,
    /// Strands of a groom of our own
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub strands: u32,

    /// Section radius of a guide, m. Not given: half of the file's widths where that is more than 0.0002, a lock of some thirty hairs
    #[arg(long, value_parser = positive)]
    pub radius: Option<f64>,
    /// Young's modulus, Pa
    #[arg(long, default_value_t = 4e9, value_parser = positive)]
    pub young: f64,
    /// kg/m³
    #[arg(long, default_value_t = 1300.0, value_parser = positive)]
    pub density: f64,
    /// Rate at which a strand's own motion dies, 1/s
    #[arg(long, default_value_t = 4.0, value_parser = not_negative)]
    pub damping: f64,
    /// Rate at which air takes the velocity, 1/s
    #[arg(long, default_value_t = 3.0, value_parser = not_negative)]
    pub drag: f64,
    /// Downwards, m/s²
    #[arg(long, default_value_t = 9.81, value_parser = not_negative)]
    pub gravity: f64,
    /// Pixels of a frame
    #[arg(long, default_value = "480x480", value_parser = size)]
    pub size: (u32, u32),
}

#[derive(Args, Clone, Debug)]
pub struct View {
    /// A groom, as for `simulate`, or a live scene; `list` names those
    pub what: String,
    /// The start pose is taken for the shape at rest. Not given: rest shapes are found that keep it
    #[arg(long)]
    pub naive: bool,
    #[arg(long, value_enum)]
    pub model: Option<Model>,
    /// How the head moves; heads of our own turn
    #[arg(long, value_enum)]
    pub motion: Option<Motion>,
    /// Strands of a groom of our own
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub strands: Option<u32>,
    /// Resample every strand to so many vertices
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub vertices: Option<u32>,
    /// Mesh to draw and move with the roots, in the groom's unit and axes
    #[arg(long, value_name = "MESH.obj")]
    pub head: Option<PathBuf>,
    /// Metres in a unit of a file that does not say
    #[arg(long, value_parser = positive)]
    pub unit: Option<f64>,
    /// Let strands pass through the head
    #[arg(long)]
    pub no_collision: bool,
    /// Section radius of a guide, m
    #[arg(long, value_parser = positive)]
    pub radius: Option<f64>,
    /// Young's modulus, Pa
    #[arg(long, value_parser = positive)]
    pub young: Option<f64>,
    /// kg/m³
    #[arg(long, value_parser = positive)]
    pub density: Option<f64>,
    /// Worker threads; 1 steps on the calling thread, 0 takes all cores
    #[arg(long, default_value_t = 0)]
    pub threads: u32,
    /// Pixels of the window
    #[arg(long, default_value = "1280x800", value_parser = size)]
    pub size: (u32, u32),
    /// Draw without a window, after --frames steps (60)
    #[arg(long, value_name = "FILE.png")]
    pub screenshot: Option<PathBuf>,
    /// Close the window after so many pictures
    #[arg(long)]
    pub frames: Option<u32>,
}

/// Without an end the tips that lie farthest apart along the muscle are found.
#[derive(Args, Clone, Debug)]
pub struct MuscleOptions {
    /// .stl or .obj, closed or nearly so
    pub mesh: PathBuf,
    /// Where the muscle begins, in the mesh's unit and axes; once for each head
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub origin: Vec<[f64; 3]>,
    /// Where it ends
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub insertion: Vec<[f64; 3]>,
    /// It begins with all that lies behind a plane: a point on it, and the direction to what lies behind it
    #[arg(long, value_name = "X,Y,Z,NX,NY,NZ", allow_hyphen_values = true, value_parser = plane, conflicts_with = "origin")]
    pub origin_plane: Option<[f64; 6]>,
    /// It ends with all that lies behind a plane
    #[arg(long, value_name = "X,Y,Z,NX,NY,NZ", allow_hyphen_values = true, value_parser = plane, conflicts_with = "insertion")]
    pub insertion_plane: Option<[f64; 6]>,
    /// It begins at painted vertices: a text file of their numbers, counted from 0, one a line or with commas
    #[arg(long, value_name = "FILE", conflicts_with_all = ["origin", "origin_plane"])]
    pub origin_vertices: Option<PathBuf>,
    /// It ends at painted vertices
    #[arg(long, value_name = "FILE", conflicts_with_all = ["insertion", "insertion_plane"])]
    pub insertion_vertices: Option<PathBuf>,
    #[arg(long, default_value_t = 24)]
    pub rods: u32,
    /// Vertices of a rod
    #[arg(long, default_value_t = 24)]
    pub slices: u32,
    /// Metres in a unit of the mesh; else guessed by its length
    #[arg(long, value_parser = positive)]
    pub unit: Option<f64>,
    /// Where the rods and the picture go
    #[arg(long, default_value = "out/muscle")]
    pub out: PathBuf,
}

fn point(text: &str) -> Result<[f64; 3], String> {
    numbers(text).ok_or_else(|| "not X,Y,Z".into())
}

fn plane(text: &str) -> Result<[f64; 6], String> {
    let plane = numbers(text).filter(|p: &[f64; 6]| p[3..] != [0.0; 3]);
    plane.ok_or_else(|| "not X,Y,Z,NX,NY,NZ, a point and a direction".into())
}

/// So many finite numbers, with commas between them.
fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let all: Option<Vec<f64>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
    <[f64; N]>::try_from(all?).ok().filter(|p| p.iter().all(|x| x.is_finite()))
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parse = || {
        let (w, h) = text.split_once('x')?;
        Some((w.parse::<u32>().ok()?, h.parse::<u32>().ok()?))
    };
    match parse() {
        Some((w, h)) if (16..=4096).contains(&w) && (16..=4096).contains(&h) => Ok((w, h)),
        _ => Err("not WIDTHxHEIGHT with 16 to 4096 pixels a side".into()),
    }
}

#[derive(Args, Clone, Debug)]
pub struct Bench {
    /// Scenes, `ghost` (hair200x20), `direct`, `der`, `sagfree`, `sagfree-world`, `ragdoll`, `contact`, `narrow`, `hair`, `skin`, `ball`, `arc`, `fixed` (and other elements
    /// between bodies), `all` (of ghost rods), or `list`. Default: ghost
    pub names: Vec<String>,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
    /// One of the instruction sets, auto, or all; between bodies auto is all
    #[arg(long, default_value = "auto")]
    pub isa: String,
    /// Threads, or several numbers with commas
    #[arg(long, value_delimiter = ',', default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Vec<u32>,
    /// Seconds of measurement for each line; of `der…` and `sagfree…` shared by their lines
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    pub seconds: f64,
    /// Of `contact`, only the scenes whose name begins like this
    #[arg(long, default_value = "")]
    pub only: String,
}
