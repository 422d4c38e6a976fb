//! The rigid part of saved states: where bodies are and how they move, impulses of joints, and contacts, from which the next step starts.

use super::World;
use super::dynamics::{Dynamics, collider_of, rigid};
use super::snapshot::Tape;
use crate::bodies::drive::Kind;
use crate::bodies::drive::Record;
use crate::collide::Collider;
use crate::desc::Pose;
use crate::desc::slots::{Id, Slots};
use crate::math::lane::RECORD;
use crate::math::{Elem, Vec3};
use crate::rigid::bodies::Body;
use crate::rigid::contact::{Contact, slots_of};
use crate::rigid::desc::BodyMotion;
use crate::rigid::joints::{Joint, MOTOR_TARGET, NUMBERS, TOLD, lasting};
use crate::rigid::{Precise, Rigid, number};

/// What steps change of a body.
struct BodyState<E> {
    motion: u64,
    pose: [E; RECORD],
    velocity: [E; RECORD],
    /// Where it was when its time at rest began.
    rest: [E; RECORD],
    still: f32,
    /// Where it has been near for some time.
    near: [E; RECORD],
    calm: f32,
    asleep: u64,
    /// Force and torque of the next step.
    push: [f64; 6],
    has_target: u64,
    target: Pose,
}

fn numbers<E: Elem>(tape: &mut impl Tape, all: &mut [E]) {
    all.iter_mut().for_each(|x| tape.number(x));
}

impl<E: Elem> BodyState<E> {
    fn get(r: &Rigid<E>, id: Id, b: &Body) -> Self {
        let i = number(id);
        let ([a, c, d], [e, f, g]) = (b.force, b.torque);
        BodyState {
            motion: b.desc.motion as u64,
            pose: r.solver.pose[i].0,
            velocity: r.solver.velocity[i].0,
            rest: r.rest.get(i).map_or([E::zero(); RECORD], |p| p.0),
            still: r.still[i],
            near: r.near.get(i).map_or([E::zero(); RECORD], |p| p.0),
            calm: r.calm[i],
            asleep: u64::from(r.asleep[i]),
            push: [a, c, d, e, f, g],
            has_target: u64::from(b.target.is_some()),
            target: b.target.unwrap_or(Pose::IDENTITY),
        }
    }

    fn walk(&mut self, tape: &mut impl Tape) {
        tape.word(&mut self.motion);
        numbers(tape, &mut self.pose);
        numbers(tape, &mut self.velocity);
        numbers(tape, &mut self.rest);
        tape.number(&mut self.still);
        numbers(tape, &mut self.near);
        tape.number(&mut self.calm);
        tape.word(&mut self.asleep);
        numbers(tape, &mut self.push);
        tape.word(&mut self.has_target);
        numbers(tape, &mut self.target.position);
        numbers(tape, &mut self.target.rotation);
    }
}

impl<E: Precise> BodyState<E> {
    fn put(self, r: &mut Rigid<E>, id: Id, b: &mut Body) {
        let i = number(id);
        r.solver.pose[i] = Record(self.pose);
        r.solver.velocity[i] = Record(self.velocity);
        for list in [&mut r.rest, &mut r.near] {
            if list.len() <= i {
                list.resize(i + 1, Record([E::zero(); RECORD]));
            }
        }
        (r.rest[i], r.near[i]) = (Record(self.rest), Record(self.near));
        (r.still[i], r.calm[i]) = (self.still, self.calm);
        r.asleep[i] = self.asleep != 0;
        let [a, c, d, e, f, g] = self.push;
        (b.force, b.torque) = ([a, c, d], [e, f, g]);
        b.target = (self.has_target != 0).then_some(self.target);
        // Only what has a mass can be one or the other.
        if b.mass > 0.0 {
            let kinematic = self.motion == BodyMotion::Kinematic as u64;
            b.desc.motion = if kinematic { BodyMotion::Kinematic } else { BodyMotion::Dynamic };
            r.write_mass(i, b);
        }
    }
}

/// Bits of a joint's word.
const ENABLED: u64 = 1;
const LIMITED: u64 = 2;
const DRIVEN: u64 = 4;
/// Impulses of limits, or of a motor and the target that it had.
const MOST_OPTIONAL: usize = 8;

fn is_optional(kind: Kind) -> bool {
    matches!(kind, Kind::Limit | Kind::Motor)
}

/// Whether it is enabled, and whether it has limits and a motor.
fn word_of(j: &Joint) -> u64 {
    let bits = [(j.enabled, ENABLED), (j.piece(Kind::Limit).is_some(), LIMITED), (j.piece(Kind::Motor).is_some(), DRIVEN)];
    bits.into_iter().fold(0, |word, (has, bit)| if has { word | bit } else { word })
}

/// The impulses of its elements, and the target that its motor had. Limits and motors, which hosts give and take, always have their room:
/// those that the joint did not have when the state was saved start anew.
fn walk_joint<E: Elem>(j: &Joint, word: &mut u64, all: &mut [E], tape: &mut impl Tape) {
    tape.word(word);
    for (k, kind) in j.kinds.into_iter().enumerate() {
        if let Some(kind) = kind.filter(|k| !is_optional(*k)) {
            let [params, state, _] = kind.rows();
            numbers(tape, &mut all[j.offset(k) + params..][..state]);
        }
    }
    if j.may_have_limits() {
        walk_optional(j, Kind::Limit, *word & LIMITED != 0, all, tape);
    }
    walk_optional(j, Kind::Motor, *word & DRIVEN != 0, all, tape);
    numbers(tape, &mut all[TOLD..]);
}

fn walk_optional<E: Elem>(j: &Joint, kind: Kind, saved: bool, all: &mut [E], tape: &mut impl Tape) {
    let [params, state, _] = kind.rows();
    let lasting = lasting(kind);
    let mut values = [E::zero(); MOST_OPTIONAL];
    let values = &mut values[..lasting + state];
    let start = j.piece(kind).map(|k| j.offset(k));
    if let Some(start) = start {
        values.copy_from_slice(&all[start + params - lasting..][..lasting + state]);
    }
    numbers(tape, values);
    let Some(start) = start else { return };
    if !saved {
        values.fill(E::zero());
        if kind == Kind::Motor {
            values[..lasting].copy_from_slice(&all[start + MOTOR_TARGET..][..lasting]);
        }
    }
    all[start + params - lasting..][..lasting + state].copy_from_slice(values);
}

fn walk_contact<E: Elem>(c: &mut Contact<E>, tape: &mut impl Tape) {
    let vector = |tape: &mut _, v: &mut Vec3<E>| {
        for x in [&mut v.x, &mut v.y, &mut v.z] {
            Tape::number(tape, x);
        }
    };
    let mut count = u64::from(c.count);
    tape.word(&mut count);
    c.count = (count as u32).min(4);
    vector(tape, &mut c.normal);
    tape.number(&mut c.friction);
    tape.number(&mut c.restitution);
    numbers(tape, &mut c.spring);
    numbers(tape, &mut c.levers);
    tape.number(&mut c.slop);
    tape.number(&mut c.share);
    tape.number(&mut c.curved);
    vector(tape, &mut c.axis);
    c.radii.iter_mut().for_each(|r| numbers(tape, r));
    for p in &mut c.points {
        vector(tape, &mut p.a);
        vector(tape, &mut p.b);
    }
    for two in c.features.as_chunks_mut::<2>().0 {
        let mut word = u64::from(two[0]) | u64::from(two[1]) << 32;
        tape.word(&mut word);
        *two = [word as u32, (word >> 32) as u32];
    }
    for list in [&mut c.separation, &mut c.impulse, &mut c.largest, &mut c.approach] {
        numbers(tape, list);
    }
    vector(tape, &mut c.slide);
    vector(tape, &mut c.tangent);
    vector(tape, &mut c.roll);
    tape.word(&mut c.cache);
}

/// Counts bytes.
pub(super) struct Measure(pub usize);

impl Tape for Measure {
    fn bits(&mut self, _: &mut u64, size: usize) {
        self.0 += size;
    }
}

/// Bit 63 of a key: a collider.
const COLLIDER: u64 = 1 << 63;

/// A shape by what stays the same in a world made by the same calls: whose it is, by slot, and which of its shapes.
fn key<E: Precise>(r: &Rigid<E>, d: &Dynamics, colliders: &Slots<Collider>, proxy: u32) -> Option<u64> {
    let p = &r.proxies[proxy as usize];
    let n = p.body as usize;
    let shape = u64::from(proxy - r.spans[n].0);
    let first = r.spans.len() - d.colliders.len();
    if n >= first {
        let id = collider_of(d.colliders.get(n - first)?.0);
        return colliders.get(id).is_ok().then_some(COLLIDER | u64::from(id.index) << 16 | shape);
    }
    let (id, b) = d.bodies.at(n.checked_sub(1)?)?;
    (b.name == p.name >> 12).then_some(u64::from(id.index) << 16 | shape)
}

/// The proxy of a key, in a fresh list.
fn proxy_of<E>(r: &Rigid<E>, d: &Dynamics, key: u64) -> Option<u32> {
    let (index, shape) = ((key & !COLLIDER) >> 16, key & 0xffff);
    let n = if key & COLLIDER != 0 {
        let k = d.colliders.iter().position(|c| u64::from(collider_of(c.0).index) == index)?;
        r.spans.len() - d.colliders.len() + k
    } else {
        d.bodies.at(usize::try_from(index).ok()?)?;
        index as usize + 1
    };
    let &(from, to) = r.spans.get(n)?;
    let proxy = u64::from(from) + shape;
    (proxy < u64::from(to)).then_some(proxy as u32)
}

fn save<E: Precise>(r: &Rigid<E>, d: &Dynamics, colliders: &Slots<Collider>, tape: &mut impl Tape) {
    for (id, b) in d.bodies.iter() {
        BodyState::get(r, id, b).walk(tape);
    }
    tape.number(&mut { r.last_h });
    for (id, j) in d.joints.iter() {
        let mut all = [E::zero(); NUMBERS];
        all.copy_from_slice(&r.joint_numbers[id.index as usize * NUMBERS..][..NUMBERS]);
        walk_joint(j, &mut word_of(j), &mut all, tape);
    }
    for p in r.contacts.pairs() {
        let (Some(mut a), Some(mut b)) = (key(r, d, colliders, p.proxies.0), key(r, d, colliders, p.proxies.1)) else {
            continue;
        };
        tape.word(&mut a);
        tape.word(&mut b);
        for c in &r.contacts.all[p.slot as usize..][..p.slots as usize] {
            // What is empty still holds the numbers of some other contact.
            let mut c = if c.count == 0 { Contact { cache: c.cache, ..Contact::empty() } } else { *c };
            walk_contact(&mut c, tape);
        }
    }
}

/// Pairs of shapes that a state holds, and their contacts.
fn counts<E: Precise>(r: &Rigid<E>, d: &Dynamics, colliders: &Slots<Collider>) -> [u64; 2] {
    let mut n = [0, 0];
    for p in r.contacts.pairs() {
        if key(r, d, colliders, p.proxies.0).is_some() && key(r, d, colliders, p.proxies.1).is_some() {
            n[0] += 1;
            n[1] += u64::from(p.slots);
        }
    }
    n
}

/// Bytes of pairs and contacts.
fn contact_bytes<E: Elem>([pairs, contacts]: [u64; 2]) -> Option<usize> {
    let mut one = Measure(0);
    walk_contact(&mut Contact::<E>::empty(), &mut one);
    let bytes = pairs.checked_mul(16)?.checked_add(contacts.checked_mul(one.0 as u64)?)?;
    usize::try_from(bytes).ok()
}

fn fixed_bytes<E: Elem>(d: &Dynamics) -> usize {
    let mut all = Measure(0);
    let mut one = BodyState::<E> {
        motion: 0,
        pose: [E::zero(); RECORD],
        velocity: [E::zero(); RECORD],
        rest: [E::zero(); RECORD],
        still: 0.0,
        near: [E::zero(); RECORD],
        calm: 0.0,
        asleep: 0,
        push: [0.0; 6],
        has_target: 0,
        target: Pose::IDENTITY,
    };
    one.walk(&mut all);
    all.0 *= d.bodies.len();
    all.number(&mut 0.0f64);
    let mut scratch = [E::zero(); NUMBERS];
    d.joints.iter().for_each(|(_, j)| walk_joint(j, &mut 0, &mut scratch, &mut all));
    all.0
}

/// Whether the pairs at the end of a state are such that this world may have.
fn fits<E: Precise>(r: &Rigid<E>, d: &Dynamics, [pairs, contacts]: [u64; 2], bytes: &[u8]) -> bool {
    let one = contact_bytes::<E>([0, 1]).unwrap_or(0);
    let word = |at: usize| bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map(u64::from_le_bytes);
    let (mut at, mut left, mut last) = (0, contacts, None);
    for _ in 0..pairs {
        let proxy = |at: usize| word(at).and_then(|key| proxy_of(r, d, key));
        let (Some(i), Some(j)) = (proxy(at), proxy(at + 8)) else {
            return false;
        };
        let slots = slots_of(&r.proxies, i, j);
        if i >= j || last >= Some((i, j)) || u64::from(slots) > left {
            return false;
        }
        last = Some((i, j));
        left -= u64::from(slots);
        at += 16 + one * slots as usize;
    }
    left == 0
}

fn restore<E: Precise>(r: &mut Rigid<E>, d: (&mut Slots<Body>, &mut Slots<Joint>), tape: &mut impl Tape) {
    for (id, b) in d.0.iter_mut() {
        let mut state = BodyState::get(r, id, b);
        state.walk(tape);
        state.put(r, id, b);
    }
    tape.number(&mut r.last_h);
    for (id, j) in d.1.iter_mut() {
        let mut word = word_of(j);
        walk_joint(j, &mut word, &mut r.joint_numbers[id.index as usize * NUMBERS..][..NUMBERS], tape);
        j.enabled = word & ENABLED != 0;
        r.hold_joint(id.index as usize, j.enabled);
    }
}

impl World {
    /// What tells bodies and joints of another world apart.
    pub(super) fn rigid_shape(&self, mut mix: impl FnMut(usize)) {
        for (id, b) in self.dynamics.bodies.iter() {
            let fixed = b.desc.motion == BodyMotion::Static;
            [id.index as usize, usize::from(b.mass > 0.0), usize::from(fixed)].into_iter().for_each(&mut mix);
            b.desc.shapes.iter().for_each(|s| mix(s.shape.number() as usize + 1));
            mix(0);
        }
        for (id, j) in self.dynamics.joints.iter() {
            let a = j.desc.a.map_or(0, |id| id.index as usize + 1);
            [id.index as usize, a, j.desc.b.index as usize].into_iter().for_each(&mut mix);
            let held = |k: &Kind| !is_optional(*k);
            j.kinds.into_iter().for_each(|k| mix(k.filter(held).map_or(0, |k| k as usize + 1)));
        }
    }

    pub(super) fn rigid_bytes(&self) -> usize {
        let d = &self.dynamics;
        if self.desc.double_precision { fixed_bytes::<f64>(d) } else { fixed_bytes::<f32>(d) }
    }

    pub(super) fn rigid_contact_bytes(&self, counts: [u64; 2]) -> Option<usize> {
        if self.desc.double_precision { contact_bytes::<f64>(counts) } else { contact_bytes::<f32>(counts) }
    }

    pub(super) fn rigid_contacts(&self) -> [u64; 2] {
        rigid!(ref self, r => counts(r, &self.dynamics, &self.colliders))
    }

    pub(super) fn save_rigid(&self, tape: &mut impl Tape) {
        rigid!(ref self, r => save(r, &self.dynamics, &self.colliders, tape));
    }

    /// Whether the pairs and contacts in `bytes` are of this world's shapes, and there is memory for them. The list of shapes is fresh.
    pub(super) fn rigid_fits(&mut self, counts: [u64; 2], bytes: &[u8]) -> bool {
        rigid!(ref self, r => fits(r, &self.dynamics, counts, bytes))
            && rigid!(self, r => r.contacts.reserve(counts[0] as usize, counts[1] as usize))
    }

    /// The same way back, without the contacts.
    pub(super) fn restore_rigid(&mut self, tape: &mut impl Tape) {
        let d = &mut self.dynamics;
        if self.desc.double_precision {
            restore(&mut d.double, (&mut d.bodies, &mut d.joints), tape);
        } else {
            restore(&mut d.single, (&mut d.bodies, &mut d.joints), tape);
        }
        d.joints_changed();
        d.forget_breaks();
    }

    /// Contacts that have been found to fit.
    pub(super) fn restore_contacts(&mut self, counts: [u64; 2], tape: &mut impl Tape) {
        if self.desc.double_precision {
            let mut r = core::mem::take(&mut self.dynamics.double);
            restore_contacts(&mut r, &self.dynamics, counts, tape);
            self.dynamics.double = r;
        } else {
            let mut r = core::mem::take(&mut self.dynamics.single);
            restore_contacts(&mut r, &self.dynamics, counts, tape);
            self.dynamics.single = r;
        }
    }
}

fn restore_contacts<E: Precise>(r: &mut Rigid<E>, d: &Dynamics, [pairs, _]: [u64; 2], tape: &mut impl Tape) {
    r.touches_known = false;
    let mut contacts = core::mem::take(&mut r.contacts);
    contacts.clear();
    for _ in 0..pairs {
        let (mut a, mut b) = (0, 0);
        tape.word(&mut a);
        tape.word(&mut b);
        if let (Some(i), Some(j)) = (proxy_of(r, d, a), proxy_of(r, d, b)) {
            contacts.push(&r.proxies, i, j).iter_mut().for_each(|c| walk_contact(c, tape));
        }
    }
    r.contacts = contacts;
}
