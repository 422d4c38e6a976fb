//! The surface of a muscle becomes a bundle of rods.
//!
//! Source: Angles et al., "VIPER: Volume Invariant Position-based Elastic Rods", 2019, section 8.1. Cells take the
//! place of its tetrahedra, so that any shell will do: several of them, overlapping, with small holes, as a soup of
//! triangles.
//!
//! ```text
//! mesh ─ surface (winding number) ─ cells ─ ends ─ field (harmonic, in arc length)
//!      ─ sections ─ voronoi (places, combing) ─ bundle (radii)
//! ```
//!
//! No files and no threads of its own: the caller runs the loops ([`Run`]).

mod axes;
mod bundle;
mod cells;
mod check;
mod ends;
mod error;
mod field;
pub mod measure;
mod orient;
mod part;
mod sections;
mod surface;
mod tasks;
mod voronoi;

pub use error::Error;
pub use tasks::{Run, inline};

use axes::Axes;
use cells::{Cells, Grid, MAX_GRID, NONE};
use ends::{Place, Region, farthest, heads, region, seeds};
use field::Field;
use orient::Outwards;
use part::Part;
use sections::{Body, Section};
use surface::Surface;
use withy_math::approx::cbrt;

type V3 = nalgebra::Vector3<f64>;

/// Cells along the longest side of a first look.
const COARSE: f64 = 40.0;
/// Cells that the muscle is made of, about. A biceps of 320 cm³ gets cells of 1.7 mm.
const CELLS: f64 = 60_000.0;
/// Of an inside, at least half has a winding number above this, seen at about so many places. Beside an open sheet it is
/// a little above 0.5.
const DEEP: f64 = 0.75;
const LOOKS: usize = 1000;
/// How often cells are made smaller because a thin tendon falls apart, and how much.
const RETRIES: usize = 2;
const FINER: f64 = 1.6;
/// Rounds in which the ends are found again from each other.
const SETTLING: usize = 2;
/// Cells that hang together, but are too few to be a part of a muscle.
const CRUMB: usize = 20;
/// An end without a slice is so long, in radii of its section, and at most this part of the muscle's length.
const BLUNT: f64 = 1.5;
const INSET: f64 = 0.15;
/// Part of the volume below which what is left out needs no word.
const WORTH_TELLING: f64 = 1e-3;

/// A surface: any shells of triangles, in any unit.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'a> {
    pub points: &'a [[f64; 3]],
    /// Counterclockwise, seen from outside.
    pub triangles: &'a [[u32; 3]],
}

/// Where a muscle begins or ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum End {
    /// The tips of the heads that lie farthest from the other end along the muscle. With both ends found, that with
    /// more heads is the origin.
    #[default]
    Found,
    /// A point on each head, in the mesh's unit. What lies behind it as seen from the other end belongs to the end.
    Points(Vec<[f64; 3]>),
    /// Painted vertices of the mesh: the rods begin at the painted surface.
    Vertices(Vec<u32>),
    /// All that lies on the side of the plane that `normal` points to.
    Plane { point: [f64; 3], normal: [f64; 3] },
}

/// What to make of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MuscleDef {
    pub origin: End,
    pub insertion: End,
    /// 1 to [`MuscleDef::MAX_RODS`].
    pub rods: u32,
    /// Vertices of a rod, 2 to [`MuscleDef::MAX_SLICES`].
    pub slices: u32,
}

impl MuscleDef {
    pub const MAX_RODS: u32 = 512;
    pub const MAX_SLICES: u32 = 512;
}

impl Default for MuscleDef {
    /// 24 rods of 24 vertices between the tips.
    fn default() -> MuscleDef {
        MuscleDef { origin: End::Found, insertion: End::Found, rods: 24, slices: 24 }
    }
}

/// A bundle of rods, in the mesh's unit and axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Muscle {
    pub rods: u32,
    pub slices: u32,
    /// `points[rod * slices + slice]`, from origin to insertion.
    pub points: Vec<[f64; 3]>,
    /// One a slice: all rods are equally thick there.
    pub radii: Vec<f64>,
    /// What the mesh encloses, without parts that are left out; the rods, as cones from vertex to vertex, have the same volume.
    pub volume: f64,
    /// Mean length of the rods.
    pub length: f64,
    /// The tips of the origin and of the insertion, one a head that has rods: the point that was told, or the middle of the head's end where
    /// the muscle goes on beyond that. Of a painted end its middle.
    pub tips: [Vec<[f64; 3]>; 2],
    pub repaired: Repaired,
    /// What of the inside the rods are of; none: all of it.
    part: Option<Part>,
}

/// What was wrong with a mesh, and was repaired or left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repaired {
    /// Triangles without area.
    pub flat: usize,
    /// Shells that were inside out, by the first triangle of each: they were turned.
    pub turned: Vec<u32>,
    /// How many shells the mesh has.
    pub shells: usize,
    /// Triangles that ran the other way round than the others of their shell: they were turned.
    pub odd: usize,
    /// The surface is open or overlaps itself: its volume is that of the cells inside.
    pub open: bool,
    /// Part of the volume of heads that no end was given to: no rods lead there. 0 where it is not worth a word.
    pub dead: f64,
    /// Heads that have an end but no rods: there are fewer rods than heads, or the head is very thin somewhere.
    pub bare: usize,
    /// Part of the volume of what hangs together with no end: it is left out. 0 where it is not worth a word.
    pub left_out: f64,
}

impl Repaired {
    /// One sentence each.
    pub fn notes(&self) -> Vec<String> {
        let part = |x: f64| format!("{:.1} % of the volume", 100.0 * x);
        let all = [
            (self.flat > 0).then(|| format!("{} triangles without area", self.flat)),
            self.told_of_shells(),
            (self.odd > 0).then(|| format!("{} triangles run the other way round than those beside them: turned", self.odd)),
            (self.dead > 0.0).then(|| format!("no end was given to a head of {}: no rods lead there", part(self.dead))),
            (self.bare > 0).then(|| format!("heads without rods: {}, as there are too few rods or they are too thin", self.bare)),
            (self.left_out > 0.0).then(|| format!("parts that hang together with no end are left out, {}", part(self.left_out))),
            self.open.then(|| "the surface is open or overlaps itself: its volume is that of the cells inside".into()),
        ];
        all.into_iter().flatten().collect()
    }

    fn told_of_shells(&self) -> Option<String> {
        const SHOWN: usize = 3;
        match &self.turned[..] {
            [] => None,
            all if all.len() == self.shells => Some("the mesh is inside out: taken the other way round".into()),
            [one] => Some(format!("one of {} shells is inside out, that of triangle {one}: turned", self.shells)),
            all => {
                let named: Vec<String> = all.iter().take(SHOWN).map(u32::to_string).collect();
                let more = if all.len() > SHOWN { " and more" } else { "" };
                let (count, named) = (all.len(), named.join(", "));
                Some(format!("{count} of {} shells are inside out, those of triangles {named}{more}: turned", self.shells))
            }
        }
    }

    /// Whether shells or triangles were turned.
    pub fn is_turned(&self) -> bool {
        !self.turned.is_empty() || self.odd > 0
    }
}

impl Muscle {
    /// The vertices of a rod.
    pub fn rod(&self, rod: usize) -> &[[f64; 3]] {
        let slices = self.slices as usize;
        &self.points[rod * slices..(rod + 1) * slices]
    }
}

/// Turns a mesh into rods. The same mesh gives the same bits with any number of threads; a mesh that is moved gives
/// nearly the same rods moved: within a tenth of a radius.
///
/// # Errors
/// Names the field, index and value of what is wrong with the mesh, the ends or the numbers; the mesh has no inside; a
/// tendon is so thin that the ends do not hang together.
pub fn rods_from_mesh(mesh: &Mesh, def: &MuscleDef, run: Run) -> Result<Muscle, Error> {
    let points = check::mesh(mesh)?;
    check::def(def, &points)?;
    let axes = Axes::of(&points, mesh.triangles);
    let local: Vec<V3> = points.iter().map(|p| axes.to_local(*p)).collect();
    let Outwards { triangles, flat, turned, shells, odd } = Outwards::new(mesh, &points);
    let surface = Surface::new(triangles.iter().map(|t| t.map(|index| local[index as usize])).collect());
    let mut repaired = Repaired { flat, turned, shells, odd, ..Repaired::default() };

    let scale = (surface.bounds()[1] - surface.bounds()[0]).max();
    let found = find_inside(&surface, def, &axes, mesh, &local, scale, run)?;
    let Inside { cells, places: of_ends, seeds, is_occupied, left_out } = found;
    let mut distances = [0, 1].map(|end| cells.distances(&seeds[end]));
    let regions = |distances: &[Vec<f64>; 2]| [0, 1].map(|end| region(&cells, &of_ends[end], &seeds[end], &distances[1 - end]));
    let mut ends = regions(&distances);
    // An end is seen from the whole of the other one, not from the corner that lies farthest: else both would be askew.
    for _ in 0..SETTLING {
        check::apart(&cells, &ends)?;
        distances = [0, 1].map(|end| {
            let own: Vec<usize> = ends[end].cells.iter().map(|&cell| cell as usize).collect();
            cells.distances(&own)
        });
        ends = regions(&distances);
    }
    check::apart(&cells, &ends)?;
    let field = Field::new(&cells, &ends, [&distances[0], &distances[1]], run);
    let body = Body { surface: &surface, cells: &cells, field: &field, run };
    let volume = volume(&body, left_out, &mut repaired);
    let part = Part::new(&axes, &cells, &is_occupied, |cell| repaired.dead == 0.0 || body.is_on_way(cell));

    let values = slice_values(&body, &ends, def.slices as usize);
    let mut sections = cut(&body, &values, def.rods as usize);
    check::room(&sections, def, field.length)?;
    let places = voronoi::place_rods(&body, &mut sections, def.rods as usize);
    let bundle = bundle::Bundle::new(&body, &sections, places, &ends, volume);

    repaired.bare = bundle.bare;

    let world = |p: &V3| <[f64; 3]>::from(axes.to_world(*p));
    Ok(Muscle {
        rods: def.rods,
        slices: def.slices,
        points: (0..def.rods as usize)
            .flat_map(|rod| bundle.places.iter().map(move |places| places[rod]))
            .map(|p| world(&p))
            .collect(),
        radii: bundle.radii.clone(),
        volume,
        length: bundle.length(),
        tips: bundle.tips.each_ref().map(|tips| tips.iter().map(world).collect()),
        repaired,
        part,
    })
}

/// The cells of the muscle, and those that its ends are sure of.
struct Inside {
    cells: Cells,
    places: [Place; 2],
    seeds: [Vec<usize>; 2],
    /// Which places of the grid the mesh's inside reaches, with what is left out.
    is_occupied: Vec<bool>,
    /// Part of the inside that hangs together with no end.
    left_out: f64,
}

fn find_inside(
    surface: &Surface,
    def: &MuscleDef,
    axes: &Axes,
    mesh: &Mesh,
    local: &[V3],
    scale: f64,
    run: Run,
) -> Result<Inside, Error> {
    let bounds = surface.bounds();
    let side = bounds[1] - bounds[0];
    let occupied = |h: f64| {
        let grid = Grid::around(bounds, 0.5 * h, 2);
        let filled = grid.fill(surface, run);
        (grid, filled)
    };
    let coarse = scale / COARSE;
    let is_closed = |grid: &Grid, filled: &[bool]| {
        let inside: Vec<usize> = (0..filled.len()).filter(|&index| filled[index]).collect();
        let looked = inside.iter().step_by(inside.len() / LOOKS + 1);
        let deep = looked.clone().filter(|&&index| surface.winding(grid.center(grid.at(index))).abs() > DEEP).count();
        2 * deep >= looked.count()
    };
    let smallest = 2.0 * cbrt(side.x.max(coarse) * side.y.max(coarse) * side.z.max(coarse) / MAX_GRID);
    // A wire is thinner than all of these; twice its volume over its surface is its radius.
    let thin = (2.0 * surface.signed_volume().abs() / surface.area()).clamp(smallest, coarse);
    let volume = [coarse, 0.5 * coarse, 0.25 * coarse, thin].into_iter().find_map(|h| {
        let (grid, filled) = occupied(h);
        let count = filled.iter().filter(|&&is_in| is_in).count();
        (count > 0 && is_closed(&grid, &filled)).then(|| count as f64 * (0.5 * h).powi(3))
    });
    let Some(volume) = volume else { return Err(check::no_inside()) };
    let mut h = cbrt(volume / CELLS).min(coarse).max(smallest);
    for tries in 0.. {
        let (grid, occupied) = occupied(h);
        let whole = Cells::new(&grid, &occupied, run);
        let is_occupied: Vec<bool> = whole.number.iter().map(|&number| number != NONE).collect();
        let inside = whole.volume(|_| true);
        let all = without_crumbs(whole, run);
        if all.len() == 0 {
            return Err(check::no_inside());
        }
        let places = [&def.origin, &def.insertion].map(|end| place(end, axes, mesh, local, h));
        check::near(&all, def, &places, scale)?;
        let (part, sizes) = all.parts(|_| true);
        let of_end = [0, 1].map(|end| seeds(&all, &places[end]));
        let holds = |own: usize, end: usize| match &places[end] {
            Place::Found => true,
            Place::Plane { .. } => of_end[end].iter().any(|&cell| part[cell] as usize == own),
            // Each head that was pointed at must be there.
            Place::Points(_) => of_end[end].iter().all(|&cell| part[cell] as usize == own),
            Place::Painted(_) => of_end[end].iter().any(|&cell| part[cell] as usize == own),
        };
        let fitting = (0..sizes.len()).filter(|&own| holds(own, 0) && holds(own, 1));
        let Some(own) = fitting.max_by_key(|&own| sizes[own]) else {
            if tries < RETRIES && h > smallest {
                h = (h / FINER).max(smallest);
                continue;
            }
            return Err(check::ends_in_parts(sizes.len()));
        };
        let cells = if sizes.len() > 1 { all.only(|cell| part[cell] as usize == own, run) } else { all };
        let seeds = find_ends(&cells, &places);
        let left_out = 1.0 - cells.volume(|_| true) / inside;
        return Ok(Inside { cells, places, seeds, is_occupied, left_out });
    }
    unreachable!("the loop returns")
}

/// Corners that stick out come off as a few cells; a point that was given there means the muscle beside.
fn without_crumbs(cells: Cells, run: Run) -> Cells {
    let (part, sizes) = cells.parts(|_| true);
    let is_crumb = |size: &usize| *size < CRUMB;
    if sizes.iter().any(is_crumb) && !sizes.iter().all(is_crumb) {
        return cells.only(|cell| !is_crumb(&sizes[part[cell] as usize]), run);
    }
    cells
}

fn find_ends(cells: &Cells, places: &[Place; 2]) -> [Vec<usize>; 2] {
    let [origin, insertion] = [0, 1].map(|end| seeds(cells, &places[end]));
    let heads_from = |seeds: &[usize]| heads(cells, &cells.distances(seeds));
    match places {
        [Place::Found, Place::Found] => {
            let middle = cells.nearest(V3::zeros());
            let first = farthest(cells, &[farthest(cells, &[middle])]);
            let one = heads_from(&[first]);
            let other = heads_from(&one);
            // Muscles have their heads where they begin.
            if other.len() > one.len() { [other, one] } else { [one, other] }
        }
        [Place::Found, _] => [heads_from(&insertion), insertion],
        [_, Place::Found] => {
            let found = heads_from(&origin);
            [origin, found]
        }
        _ => [origin, insertion],
    }
}

fn place(end: &End, axes: &Axes, mesh: &Mesh, local: &[V3], h: f64) -> Place {
    match end {
        End::Found => Place::Found,
        End::Points(points) => Place::Points(points.iter().map(|p| axes.to_local(V3::from(*p))).collect()),
        End::Plane { point, normal } => Place::Plane {
            point: axes.to_local(V3::from(*point)),
            normal: axes.to_local_direction(V3::from(*normal)).normalize(),
        },
        End::Vertices(vertices) => {
            let mut is_painted = vec![false; local.len()];
            vertices.iter().for_each(|&vertex| is_painted[vertex as usize] = true);
            let mut points: Vec<V3> = vertices.iter().map(|&vertex| local[vertex as usize]).collect();
            for t in mesh.triangles.iter().filter(|t| t.iter().all(|&v| is_painted[v as usize])) {
                let [a, b, c] = t.map(|index| local[index as usize]);
                // Half a cell apart, and at most a hundred along a side.
                let steps = (2.0 * (b - a).norm().max((c - a).norm()) / h).ceil().clamp(1.0, 100.0) as i32;
                for (i, j) in (0..=steps).flat_map(|i| (0..=steps - i).map(move |j| (i, j))) {
                    points.push(a + ((b - a) * f64::from(i) + (c - a) * f64::from(j)) / f64::from(steps));
                }
            }
            Place::Painted(points)
        }
    }
}

/// Exactly what the mesh encloses, where that is one thing; else what the cells say.
fn volume(body: &Body, left_out: f64, repaired: &mut Repaired) -> f64 {
    let of_cells = body.cells.volume(|_| true);
    let of_mesh = body.surface.signed_volume().abs();
    let dead = body.dead();
    let told = |part: f64| if part > WORTH_TELLING { part } else { 0.0 };
    (repaired.dead, repaired.left_out) = (told(dead), told(left_out));
    let all = of_cells / (1.0 - left_out);
    if (of_mesh - all).abs() > 0.02 * all {
        repaired.open = true;
    } else if dead <= WORTH_TELLING && left_out <= WORTH_TELLING {
        return of_mesh;
    }
    of_cells * (1.0 - dead)
}

/// Where the slices lie, in arc length: evenly, the first and the last one so far inside that what lies beyond is about
/// as long as thick. Nearer to a blunt end the field still shows which of its corners is farthest. From there rods go
/// straight on to the surface.
fn slice_values(body: &Body, ends: &[Region; 2], slices: usize) -> Vec<f64> {
    let (length, step) = (body.field.length, 0.5 * body.h());
    let layers = (INSET * length / step) as usize;
    let inset = |end: usize| {
        if ends[end].reach == 0.0 {
            return 2.0 * step;
        }
        let from_end = |k: usize| if end == 0 { k as f64 * step } else { length - (layers - k) as f64 * step };
        let borders: Vec<f64> = (0..=layers).map(from_end).collect();
        let mut up_to = body.volumes(&borders);
        if end == 1 {
            let all = up_to.pop().unwrap_or(0.0);
            up_to.iter_mut().for_each(|volume| *volume = all - *volume);
            up_to.reverse();
        }
        let heads = ends[end].heads as f64;
        let is_short = |k: &usize| {
            let area = (up_to[k + 2] - up_to[k - 2]) / (4.0 * step * heads);
            (*k as f64 * step) < BLUNT * (area / std::f64::consts::PI).sqrt()
        };
        (2..layers.saturating_sub(2)).rev().find(is_short).map_or(2, |k| k + 1) as f64 * step
    };
    let (first, last) = (inset(0), length - inset(1));
    (0..slices).map(|k| first + (last - first) * k as f64 / (slices - 1) as f64).collect()
}

fn cut(body: &Body, values: &[f64], rods: usize) -> Vec<Section> {
    // A first look at areas: the volume of a layer.
    let half = 0.75 * body.h();
    let mut borders: Vec<f64> = values.iter().flat_map(|value| [value - half, value + half]).collect();
    borders.sort_by(f64::total_cmp);
    let volumes = body.volumes(&borders);
    let up_to = |value: f64| volumes[borders.partition_point(|x| *x < value)];
    let area = |value: f64| ((up_to(value + half) - up_to(value - half)) / (2.0 * half)).max(body.h() * body.h());
    values.iter().map(|&value| body.section(value, area(value), rods)).collect()
}
