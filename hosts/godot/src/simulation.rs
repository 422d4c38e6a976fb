//! Rods in a world of their own, safe to use: what a node has while it plays. Nothing here needs Godot.

use std::ffi::{CStr, c_char};

pub type V3 = [f32; 3];

/// As in native.c.
#[repr(C)]
struct NodeDef {
    positions: *const V3,
    rest: *const V3,
    counts: *const u32,
    vertices: u64,
    strands: u64,
    radius: f64,
    density: f64,
    young_modulus: f64,
    stretch_modulus: f64,
    damping: f64,
    drag: f64,
    friction: f64,
    gravity: [f64; 3],
    substeps: u32,
    hair: u32,
    tip: u32,
    reserved: u32,
}

/// As in native.c.
#[repr(C)]
#[derive(Default)]
struct Node {
    context: u64,
    world: u64,
    rods: u64,
}

/// As in native.c.
#[repr(C)]
struct NodeCollider {
    shape: u32,
    reserved: u32,
    radius: f64,
    half_height: f64,
    half_extents: [f64; 3],
    friction: f64,
    pose: [f64; 7],
}

unsafe extern "C" {
    fn node_add_collider(node: *mut Node, def: *const NodeCollider, collider: *mut u64) -> i32;
    fn node_move_collider(collider: *const u64, def: *const NodeCollider, jumps: u32) -> i32;
    fn node_drop_collider(collider: *const u64) -> i32;
    fn node_make(def: *const NodeDef, node: *mut Node) -> i32;
    fn node_drive(node: *mut Node, roots: *const V3, turns: *const [f32; 4], tips: *const V3, strands: u64) -> i32;
    fn node_step(node: *mut Node, dt: f64) -> i32;
    fn node_read(node: *const Node, positions: *mut V3, vertices: u64) -> i32;
    fn node_drop(node: *mut Node);
    fn node_error() -> *const c_char;
}

fn checked(result: i32) -> Result<(), String> {
    if result == 0 {
        return Ok(());
    }
    // SAFETY: a string of this thread, which ends with a zero.
    Err(unsafe { CStr::from_ptr(node_error()) }.to_string_lossy().into_owned())
}

/// The shape of a collider, m. A capsule stands along y; its height has both caps in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    Sphere { radius: f64 },
    Capsule { radius: f64, height: f64 },
    Box { size: [f64; 3] },
}

/// What rods lie on, at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// No two at a time have the same.
    pub id: i64,
    pub shape: Shape,
    /// Coulomb's coefficient.
    pub friction: f64,
    pub position: V3,
    pub rotation: [f32; 4],
}

impl Collider {
    fn native(&self) -> NodeCollider {
        // WITHY_SHAPE_SPHERE, _CAPSULE, _BOX.
        let (shape, radius, half_height, size) = match self.shape {
            Shape::Sphere { radius } => (1, radius, 0.0, [0.0; 3]),
            Shape::Capsule { radius, height } => (2, radius, (0.5 * height - radius).max(0.0), [0.0; 3]),
            Shape::Box { size } => (3, 0.0, 0.0, size),
        };
        let ([x, y, z], [a, b, c, d]) = (self.position, self.rotation);
        NodeCollider {
            shape,
            reserved: 0,
            radius,
            half_height,
            half_extents: size.map(|s| 0.5 * s),
            friction: self.friction,
            pose: [x, y, z, a, b, c, d].map(f64::from),
        }
    }
}

/// A move of a collider by more than this in a step, m, is a jump and drags nothing along.
const JUMP: f32 = 2.0;

/// What ropes and hair are made of. SI units.
#[derive(Clone, Copy, Debug)]
pub struct Material {
    pub radius: f64,
    pub density: f64,
    pub young_modulus: f64,
    /// 0: `young_modulus`.
    pub stretch_modulus: f64,
    pub damping: f64,
    pub drag: f64,
    pub friction: f64,
    pub gravity: [f64; 3],
    pub substeps: u32,
    /// Hair is clamped at its roots and keeps its shape.
    pub hair: bool,
    pub tip_held: bool,
}

pub struct Simulation {
    node: Node,
    strands: usize,
    points: Vec<V3>,
    /// With their handles.
    colliders: Vec<(Collider, u64)>,
    /// The last fault of a collider.
    said: String,
}

impl Simulation {
    /// Strands with these vertices, root first, `counts` of them each; `rest`: as they rest, if that is not as they are.
    pub fn new(points: Vec<V3>, rest: Option<&[V3]>, counts: &[u32], m: &Material) -> Result<Simulation, String> {
        assert!(rest.is_none_or(|rest| rest.len() == points.len()), "one a vertex");
        let def = NodeDef {
            positions: points.as_ptr(),
            rest: rest.map_or(std::ptr::null(), <[_]>::as_ptr),
            counts: counts.as_ptr(),
            vertices: points.len() as u64,
            strands: counts.len() as u64,
            radius: m.radius,
            density: m.density,
            young_modulus: m.young_modulus,
            stretch_modulus: m.stretch_modulus,
            damping: m.damping,
            drag: m.drag,
            friction: m.friction,
            gravity: m.gravity,
            substeps: m.substeps,
            hair: m.hair.into(),
            tip: m.tip_held.into(),
            reserved: 0,
        };
        let mut node = Node::default();
        // SAFETY: both outlive the call, and hold as many entries as they say.
        checked(unsafe { node_make(&def, &mut node) })?;
        Ok(Simulation { node, strands: counts.len(), points, colliders: Vec::new(), said: String::new() })
    }

    /// What the rods lie on from the next step on: these, and nothing else. A collider that is there already moves to its new place.
    ///
    /// Errors: a shape that the library refuses. It is left out, and the others are there. The same fault is said once.
    pub fn set_colliders(&mut self, colliders: &[Collider]) -> Result<(), String> {
        let mut outcome = Ok(());
        let is_kept = |old: &Collider| colliders.iter().any(|c| (c.id, c.shape, c.friction) == (old.id, old.shape, old.friction));
        self.colliders.retain(|(old, handle)| {
            let is_kept = is_kept(old);
            if !is_kept {
                // SAFETY: a handle; one that is gone is refused.
                unsafe { node_drop_collider(handle) };
            }
            is_kept
        });
        for c in colliders {
            let result = match self.colliders.iter_mut().find(|(old, _)| old.id == c.id) {
                Some((old, handle)) => {
                    let jumps = crate::shape::length(&[old.position, c.position]) > JUMP;
                    *old = *c;
                    // SAFETY: as above.
                    checked(unsafe { node_move_collider(handle, &c.native(), jumps.into()) })
                }
                None => {
                    let mut handle = 0;
                    // SAFETY: a node that was made; both outlive the call.
                    let added = checked(unsafe { node_add_collider(&mut self.node, &c.native(), &mut handle) });
                    if added.is_ok() {
                        self.colliders.push((*c, handle));
                    }
                    added
                }
            };
            outcome = outcome.and(result);
        }
        let is_new = outcome.as_ref().err() != Some(&self.said);
        self.said = outcome.as_ref().err().cloned().unwrap_or_default();
        if is_new { outcome } else { Ok(()) }
    }

    /// One step. Roots and, if they are held, tips are at these places at its end; `turns`: how far the roots have turned since the
    /// strands were made.
    pub fn step(&mut self, dt: f64, roots: &[V3], turns: Option<&[[f32; 4]]>, tips: Option<&[V3]>) -> Result<(), String> {
        let sizes = [Some(roots.len()), turns.map(<[_]>::len), tips.map(<[_]>::len)];
        assert!(sizes.into_iter().flatten().all(|n| n == self.strands), "one a strand");
        let turns = turns.map_or(std::ptr::null(), <[_]>::as_ptr);
        let tips = tips.map_or(std::ptr::null(), <[_]>::as_ptr);
        // SAFETY: NULL, or as many as there are strands.
        checked(unsafe { node_drive(&mut self.node, roots.as_ptr(), turns, tips, self.strands as u64) })?;
        // SAFETY: a node that was made.
        checked(unsafe { node_step(&mut self.node, dt) })?;
        // SAFETY: room for all vertices.
        checked(unsafe { node_read(&self.node, self.points.as_mut_ptr(), self.points.len() as u64) })
    }

    pub fn points(&self) -> &[V3] {
        &self.points
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        // SAFETY: a node that was made, and is not used again.
        unsafe { node_drop(&mut self.node) }
    }
}
