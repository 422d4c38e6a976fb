//! Handles and the process's registry of contexts and worlds.
//!
//! ```text
//! bit  63..60   59..40       39..20        19..0
//!      kind     world slot   generation    index      an object of a world
//!      kind     world slot   epoch (40 bits)          a world
//!      kind     0            serial (40 bits)         a context
//! ```
//!
//! World slots are given out round robin, and the epoch counts the rounds: a world's handle never comes back, and an object's
//! handle of a dead world finds the next user of its slot only after 1,048,575 other worlds.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::{Mutex, RwLock, RwLockWriteGuard};

use super::context::{ContextEntry, WithyContext};
use super::guard::{Failure, Result};
use super::tasks::HostTasks;
use super::world::WithyWorld;
use crate::world::{Id, TaskRunner, World};

const SLOT_BITS: u32 = 20;
const FIELD: u64 = (1 << SLOT_BITS) - 1;
const SERIAL: u64 = (1 << 40) - 1;

/// What a handle names; the top four bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    Context = 1,
    World = 2,
    Rods = 3,
    Collider = 4,
    Mesh = 5,
    Attachment = 6,
    Body = 7,
    Joint = 8,
    Ragdolls = 9,
    Cable = 10,
    Skin = 11,
    RenderHair = 12,
}

impl Kind {
    const ALL: [Kind; 12] = [
        Kind::Context,
        Kind::World,
        Kind::Rods,
        Kind::Collider,
        Kind::Mesh,
        Kind::Attachment,
        Kind::Body,
        Kind::Joint,
        Kind::Ragdolls,
        Kind::Cable,
        Kind::Skin,
        Kind::RenderHair,
    ];

    fn name(self) -> &'static str {
        match self {
            Kind::Context => "a context",
            Kind::World => "a world",
            Kind::Rods => "rods",
            Kind::Collider => "a collider",
            Kind::Mesh => "a mesh",
            Kind::Attachment => "an attachment",
            Kind::Body => "a body",
            Kind::Joint => "a joint",
            Kind::Ragdolls => "ragdolls",
            Kind::Cable => "a cable",
            Kind::Skin => "a skin",
            Kind::RenderHair => "render hair",
        }
    }
}

/// One of the C handle types.
pub trait Handle: Copy {
    const KIND: Kind;
    const NAME: &'static str;
    fn bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
}

macro_rules! handle {
    ($type:ident, $kind:ident, $name:literal) => {
        impl $crate::ffi::handles::Handle for $type {
            const KIND: $crate::ffi::handles::Kind = $crate::ffi::handles::Kind::$kind;
            const NAME: &'static str = $name;
            fn bits(self) -> u64 {
                self.bits
            }
            fn from_bits(bits: u64) -> Self {
                $type { bits }
            }
        }
    };
}
pub(super) use handle;

/// A world as the ABI keeps it. `None` once it has been destroyed while somebody still held the entry.
pub struct WorldEntry {
    pub context: Arc<ContextEntry>,
    pub state: RwLock<Option<World>>,
    pub poisoned: AtomicBool,
    /// Why the last call on it that failed did so, on whatever thread.
    pub last_error: Mutex<String>,
    pub host_tasks: Option<HostTasks>,
    epoch: u64,
}

impl WorldEntry {
    pub fn runner(&self) -> &dyn TaskRunner {
        match &self.host_tasks {
            Some(host) => host,
            None => self.context.runner(),
        }
    }
}

struct Registry {
    contexts: BTreeMap<u64, Arc<ContextEntry>>,
    worlds: BTreeMap<u64, Arc<WorldEntry>>,
    next_context: u64,
    next_world: u64,
}

/// Held for look-ups and changes of the two maps only, never while a world is stepped or a host's code runs.
static REGISTRY: RwLock<Registry> =
    RwLock::new(Registry { contexts: BTreeMap::new(), worlds: BTreeMap::new(), next_context: 1, next_world: 1 });

fn check_kind<H: Handle>(handle: H) -> Result<u64> {
    let bits = handle.bits();
    if bits == 0 {
        return Err(Failure::handle(format!("{}: the handle is null", H::NAME)));
    }
    let kind = (bits >> 60) as u8;
    if kind == H::KIND as u8 {
        return Ok(bits);
    }
    Err(Failure::handle(match Kind::ALL.into_iter().find(|k| *k as u8 == kind) {
        Some(other) => format!("{}: 0x{bits:016x} is a handle of {}", H::NAME, other.name()),
        None => format!("{}: 0x{bits:016x} is no handle", H::NAME),
    }))
}

fn stale<H: Handle>(bits: u64) -> Failure {
    Failure::handle(format!("{}: 0x{bits:016x} has been destroyed, or was never created", H::NAME))
}

fn slot_of(bits: u64) -> u64 {
    bits >> 40 & FIELD
}

/// The world of a handle and, for an object's handle, the id in it. Whether the object lives the world itself checks.
pub fn resolve<H: Handle>(handle: H) -> Result<(Arc<WorldEntry>, Id)> {
    let bits = check_kind(handle)?;
    let entry = REGISTRY.read().worlds.get(&slot_of(bits)).cloned().ok_or_else(|| stale::<H>(bits))?;
    if H::KIND == Kind::World {
        let same = entry.epoch == bits & SERIAL;
        return if same { Ok((entry, Id::default())) } else { Err(stale::<H>(bits)) };
    }
    Ok((entry, Id { index: (bits & FIELD) as u32, generation: (bits >> SLOT_BITS & FIELD) as u32 }))
}

/// The bits of a handle in a field, if it is of the right kind.
pub fn named<H: Handle>(handle: H, field: &str) -> Result<u64> {
    let prefixed = |message: String| if field == H::NAME { message } else { format!("{field}: {message}") };
    check_kind(handle).map_err(|e| Failure { message: prefixed(e.message), ..e })
}

/// The id of a second object, which must live in the world of the first, `owner`.
pub fn same_world<A: Handle, B: Handle>(owner: A, handle: B, field: &str) -> Result<Id> {
    let bits = named(handle, field)?;
    if slot_of(owner.bits()) != slot_of(bits) {
        if !REGISTRY.read().worlds.contains_key(&slot_of(bits)) {
            return Err(stale::<B>(bits));
        }
        return Err(Failure::handle(format!("{field}: 0x{bits:016x} is in another world than the {}", A::NAME)));
    }
    Ok(Id { index: (bits & FIELD) as u32, generation: (bits >> SLOT_BITS & FIELD) as u32 })
}

/// A host's array of handles to objects of one world.
pub struct List<H> {
    data: *const H,
    count: usize,
    name: &'static str,
}

impl<H: Handle> List<H> {
    /// # Safety
    /// `data` is readable for `count` handles as long as the list is used, or NULL.
    pub unsafe fn new(data: *const H, count: u64, name: &'static str) -> Result<List<H>> {
        let bytes = count.checked_mul(size_of::<H>() as u64).filter(|b| *b <= isize::MAX as u64);
        if data.is_null() && count != 0 {
            return Err(Failure::argument(format!("{name} is NULL, count is {count}")));
        }
        if bytes.is_none_or(|b| (data as u64).checked_add(b).is_none()) {
            return Err(Failure::argument(format!("count is {count}: {name} leaves the address space")));
        }
        Ok(List { data, count: count as usize, name })
    }

    pub fn count(&self) -> usize {
        self.count
    }

    pub fn handle(&self, i: usize) -> H {
        assert!(i < self.count);
        // SAFETY: within the array; no alignment is asked.
        unsafe { self.data.add(i).read_unaligned() }
    }

    /// The object's id if it is in the world of `owner`.
    pub fn id<A: Handle>(&self, owner: A, i: usize) -> Result<Id> {
        let bits = self.handle(i).bits();
        if bits >> 60 == H::KIND as u64 && slot_of(bits) == slot_of(owner.bits()) {
            return Ok(Id { index: (bits & FIELD) as u32, generation: (bits >> SLOT_BITS & FIELD) as u32 });
        }
        same_world(owner, self.handle(i), &self.at(i))
    }

    /// "bodies[3]", for errors.
    pub fn at(&self, i: usize) -> String {
        format!("{}[{i}]", self.name)
    }
}

/// The handle of a new object in the world of `owner`.
pub fn object<A: Handle, H: Handle>(owner: A, id: Id) -> H {
    let place = slot_of(owner.bits()) << 40 | (id.generation as u64) << SLOT_BITS | id.index as u64;
    H::from_bits((H::KIND as u64) << 60 | place)
}

pub fn insert_context(entry: ContextEntry) -> u64 {
    let mut registry = REGISTRY.write();
    let serial = registry.next_context;
    registry.next_context += 1;
    registry.contexts.insert(serial, Arc::new(entry));
    (Kind::Context as u64) << 60 | serial
}

pub fn context<H: Handle>(handle: H) -> Result<Arc<ContextEntry>> {
    let bits = check_kind(handle)?;
    REGISTRY.read().contexts.get(&(bits & !(0xf << 60))).cloned().ok_or_else(|| stale::<H>(bits))
}

pub fn insert_world<H: Handle>(
    owner: H,
    context: Arc<ContextEntry>,
    world: World,
    host_tasks: Option<HostTasks>,
) -> Result<WithyWorld> {
    let mut registry = REGISTRY.write();
    let alive = registry.contexts.get(&(owner.bits() & !(0xf << 60))).is_some_and(|c| Arc::ptr_eq(c, &context));
    if !alive {
        return Err(stale::<H>(owner.bits()));
    }
    if registry.worlds.len() as u64 > FIELD {
        return Err(Failure::argument(format!("world: {} are alive, which is the most", registry.worlds.len())));
    }
    let mut serial = registry.next_world;
    while registry.worlds.contains_key(&(serial & FIELD)) {
        serial += 1;
    }
    registry.next_world = serial + 1;
    let (slot, epoch) = (serial & FIELD, serial >> SLOT_BITS);
    let (state, poisoned, last_error) = (RwLock::new(Some(world)), AtomicBool::new(false), Mutex::default());
    let entry = WorldEntry { context, state, poisoned, last_error, host_tasks, epoch };
    registry.worlds.insert(slot, Arc::new(entry));
    Ok(WithyWorld::from_bits((Kind::World as u64) << 60 | slot << 40 | epoch))
}

/// Takes a world out of the registry; the caller drops it.
pub fn remove_world(handle: WithyWorld) -> Result<Option<World>> {
    let (entry, _) = resolve(handle)?;
    let mut registry = REGISTRY.write();
    let mut state = entry.state.try_write().ok_or_else(|| Failure::busy("world: in use by another call"))?;
    let world = state.take().ok_or_else(|| stale::<WithyWorld>(handle.bits))?;
    registry.worlds.remove(&slot_of(handle.bits));
    Ok(Some(world))
}

/// All contexts that there are.
pub fn contexts() -> Vec<WithyContext> {
    REGISTRY.read().contexts.keys().map(|serial| WithyContext::from_bits((Kind::Context as u64) << 60 | serial)).collect()
}

/// What [`remove_context`] took out, for the caller to drop without the registry's lock.
pub struct Removed {
    _worlds: Vec<World>,
    _context: Arc<ContextEntry>,
}

/// Takes a context and its worlds out of the registry: all of them, or, if one is in use, none.
pub fn remove_context<H: Handle>(handle: H) -> Result<Removed> {
    let bits = check_kind(handle)?;
    let mut registry = REGISTRY.write();
    let serial = bits & !(0xf << 60);
    let context = registry.contexts.get(&serial).cloned().ok_or_else(|| stale::<H>(bits))?;
    let mine = |entry: &Arc<WorldEntry>| Arc::ptr_eq(&entry.context, &context);
    let entries: Vec<Arc<WorldEntry>> = registry.worlds.values().filter(|e| mine(e)).cloned().collect();
    let locks: Option<Vec<RwLockWriteGuard<Option<World>>>> = entries.iter().map(|e| e.state.try_write()).collect();
    let mut locks = locks.ok_or_else(|| Failure::busy("context: one of its worlds is in use by another call"))?;
    let worlds = locks.iter_mut().filter_map(|state| state.take()).collect();
    registry.worlds.retain(|_, entry| !mine(entry));
    registry.contexts.remove(&serial);
    drop(registry);
    drop(locks);
    Ok(Removed { _worlds: worlds, _context: context })
}
