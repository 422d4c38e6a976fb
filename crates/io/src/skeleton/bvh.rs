//! Biovision hierarchies, `.bvh`: a skeleton of offsets, and Euler angles a frame.
//!
//! Source: J. Thingvold's description of the format (1999), and the files of the CMU motion capture database.
//!
//! Rotations are applied as the file lists their channels, the first one outermost: `Zrotation Yrotation Xrotation` is Rz Ry Rx.
//! A position channel stands in place of that coordinate of the OFFSET. The bind pose has no rotations; `End Site` becomes
//! [`Bone::tip`]. Neither unit nor axes are stated: all known files are Y up.

use super::super::error::IoError;
use super::words::{Words, any_text_of};
use super::{Bone, Character, Clip, Skeleton};
use crate::notes::Notes;
use withy_math::approx::sin_cos;
use withy_math::{Quat, Transform, Vec3};

#[derive(Clone, Copy)]
enum Channel {
    Position(usize),
    Rotation(usize),
    /// Scales, and what nobody knows.
    Other,
}

/// Reads a `.bvh` file whose unit is `unit` metres (CMU's: 0.056444).
///
/// Frames that are too few or too many, second end sites and channels of other kinds do not matter: [`Character::dropped`] names them.
///
/// # Errors
/// The unit is not positive, a word or number is not what the format has there.
pub fn read_bvh(data: &[u8], unit: f64) -> Result<Character, IoError> {
    if !(unit.is_finite() && unit > 0.0) {
        return Err(IoError::new("bvh", "unit", "is not a positive number of metres").value(unit));
    }
    let text = any_text_of("bvh", data);
    let mut words = Words::new("bvh", &text);
    let mut file = Hierarchy { unit, ..Hierarchy::default() };
    expect(&mut words, "HIERARCHY")?;
    file.read(&mut words)?;
    let clips = file.motion(&mut words)?;
    Ok(Character { skeleton: Skeleton { bones: file.bones }, clips, dropped: file.notes.finish(), ..Character::default() })
}

#[derive(Default)]
struct Hierarchy {
    unit: f64,
    bones: Vec<Bone>,
    channels: Vec<Channel>,
    /// Where each bone's channels start, and the end of the last one's.
    first: Vec<usize>,
    notes: Notes,
}

impl Hierarchy {
    /// Up to and with `MOTION`.
    fn read(&mut self, words: &mut Words) -> Result<(), IoError> {
        let mut open: Vec<u32> = Vec::new();
        loop {
            let word = words.word("hierarchy")?;
            match (open.last().copied(), word.to_ascii_uppercase().as_str()) {
                (None, "ROOT") | (Some(_), "JOINT") => {
                    let parent = open.last().copied();
                    open.push(self.bones.len() as u32);
                    self.joint(words, parent)?;
                }
                (Some(bone), "END") => {
                    let tip = self.end_site(words)?;
                    let bone = &mut self.bones[bone as usize];
                    if bone.tip.is_some() {
                        self.notes.add(format!("a second End Site of joint \"{}\"", bone.name));
                    }
                    bone.tip.get_or_insert(tip);
                }
                (Some(_), "}") => {
                    open.pop();
                }
                (None, "MOTION") if !self.bones.is_empty() => break,
                (None, _) => return Err(words.error("hierarchy", "stands where ROOT or MOTION should")),
                (Some(_), _) => return Err(words.error("hierarchy", "stands where JOINT, End Site or } should")),
            }
        }
        self.first.push(self.channels.len());
        Ok(())
    }

    /// From the name to the channels.
    fn joint(&mut self, words: &mut Words, parent: Option<u32>) -> Result<(), IoError> {
        let mut name = String::new();
        loop {
            match words.word("joint name")? {
                "{" => break,
                word => {
                    if !name.is_empty() {
                        name.push(' ');
                    }
                    name += word;
                }
            }
        }
        let position = self.offset(words)?;
        expect(words, "CHANNELS")?;
        let count = words.count("CHANNELS")?;
        if count > 9 {
            return Err(words.error("CHANNELS", "is more than 9"));
        }
        self.first.push(self.channels.len());
        for _ in 0..count {
            let channel = match words.word("channel")?.to_ascii_lowercase().as_str() {
                "xposition" => Channel::Position(0),
                "yposition" => Channel::Position(1),
                "zposition" => Channel::Position(2),
                "xrotation" => Channel::Rotation(0),
                "yrotation" => Channel::Rotation(1),
                "zrotation" => Channel::Rotation(2),
                "{" | "}" | "joint" | "end" | "offset" | "motion" => {
                    return Err(words.error("channel", "stands where a channel should"));
                }
                other => {
                    self.notes.add(format!("channel \"{other}\" of joint \"{name}\""));
                    Channel::Other
                }
            };
            self.channels.push(channel);
        }
        let bind = Transform { position, rotation: Quat::identity() };
        self.bones.push(Bone { name, parent, bind, tip: None });
        Ok(())
    }

    fn offset(&self, words: &mut Words) -> Result<Vec3<f64>, IoError> {
        expect(words, "OFFSET")?;
        let mut offset = [0.0; 3];
        for x in &mut offset {
            *x = self.length(words, "OFFSET")?;
        }
        Ok(offset.into())
    }

    fn length(&self, words: &mut Words, field: &str) -> Result<f64, IoError> {
        let length = words.number(field)? * self.unit;
        if length.is_finite() { Ok(length) } else { Err(words.error(field, "is not finite in metres")) }
    }

    fn end_site(&self, words: &mut Words) -> Result<Vec3<f64>, IoError> {
        expect(words, "Site")?;
        // Some have a name.
        while words.word("End Site")? != "{" {}
        let tip = self.offset(words)?;
        expect(words, "}")?;
        Ok(tip)
    }

    fn motion(&mut self, words: &mut Words) -> Result<Vec<Clip>, IoError> {
        after(words, "Frames:")?;
        let announced = words.count("Frames")?;
        expect(words, "Frame")?;
        after(words, "Time:")?;
        let step = words.number("Frame Time")?;
        if step <= 0.0 {
            return Err(words.error("Frame Time", "is not positive"));
        }
        if self.channels.len() < self.bones.len() {
            // So that a value of the file bounds each pose in memory.
            let reason = format!("are fewer than the {} joints", self.bones.len());
            return Err(IoError::new("bvh", "channels", reason).value(self.channels.len()));
        }
        if !(step * announced as f64).is_finite() {
            return Err(words.error("Frame Time", "makes times that are not finite"));
        }
        let mut poses = Vec::new();
        while poses.len() < announced {
            match self.frame(words) {
                Ok(Some(pose)) => poses.push(pose),
                Ok(None) => break,
                // The frames before it are whole.
                Err(error) if !poses.is_empty() => {
                    self.notes.add(format!("frames from {} on: {error}", poses.len()));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        if poses.len() < announced {
            self.notes.add(format!("{} of the {announced} frames that are announced", announced - poses.len()));
        } else if words.next().is_some() {
            self.notes.add(format!("what comes after the {announced} frames that are announced"));
        }
        if poses.is_empty() {
            return Ok(Vec::new());
        }
        let times = (0..poses.len()).map(|frame| frame as f64 * step).collect();
        let clip = Clip { name: String::new(), times, poses };
        clip.check(self.bones.len())?;
        Ok(vec![clip])
    }

    /// None where the file ends, also within the frame.
    fn frame(&self, words: &mut Words) -> Result<Option<Vec<Transform<f64>>>, IoError> {
        // A digit and a space a value.
        if words.left() < (2 * self.channels.len()).saturating_sub(1) {
            return Ok(None);
        }
        let mut pose = Vec::with_capacity(self.bones.len());
        for (bone, range) in self.bones.iter().zip(self.first.windows(2)) {
            match self.pose(bone, &self.channels[range[0]..range[1]], words) {
                Ok(one) => pose.push(one),
                Err(_) if words.left() == 0 => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(Some(pose))
    }

    fn pose(&self, bone: &Bone, channels: &[Channel], words: &mut Words) -> Result<Transform<f64>, IoError> {
        let mut position = bone.bind.position.to_array();
        let mut rotation = Quat::identity();
        for channel in channels {
            match *channel {
                Channel::Position(axis) => position[axis] = self.length(words, "position")?,
                Channel::Rotation(axis) => rotation = rotation.compose(turn(axis, words.number("rotation")?)),
                Channel::Other => {
                    words.number("channel")?;
                }
            }
        }
        Ok(Transform { position: position.into(), rotation })
    }
}

/// A rotation about x, y or z by so many degrees.
fn turn(axis: usize, degrees: f64) -> Quat<f64> {
    // The remainder is exact, whatever the angle; half of it is in -pi..pi.
    let (sin, cos) = sin_cos((degrees % 720.0).to_radians() * 0.5);
    let mut q = [0.0, 0.0, 0.0, cos];
    q[axis] = sin;
    Quat { x: q[0], y: q[1], z: q[2], w: q[3] }
}

fn expect(words: &mut Words, expected: &str) -> Result<(), IoError> {
    let word = words.word(expected)?;
    if word.eq_ignore_ascii_case(expected) { Ok(()) } else { Err(words.error(expected, "stands in its place")) }
}

/// The same, and what follows it may be in the same word.
fn after(words: &mut Words, expected: &str) -> Result<(), IoError> {
    let word = words.word(expected)?;
    if word.get(..expected.len()).is_some_and(|start| start.eq_ignore_ascii_case(expected)) {
        words.split_after(expected);
        Ok(())
    } else {
        Err(words.error(expected, "stands in its place"))
    }
}
