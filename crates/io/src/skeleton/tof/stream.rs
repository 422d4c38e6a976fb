//! An object stream: declarations, and the objects' values as they are declared.

use super::super::super::error::IoError;
use super::super::unit;
use super::super::words::{Words, text_of};
use std::collections::BTreeMap;
use withy_math::{Quat, Vec3};

/// Classes that Jolt keeps behind smart pointers.
const POINTED: [&str; 8] = [
    "ConstraintSettings",
    "GroupFilter",
    "PathConstraintPath",
    "PhysicsMaterial",
    "RagdollSettings",
    "ShapeSettings",
    "Skeleton",
    "TwoBodyConstraintSettings",
];

/// Instances in instances.
const DEPTH: usize = 24;

pub(super) enum Value<'a> {
    Number(f64),
    Bool,
    Text(Box<str>),
    /// A vec3, a vec4 or a quat.
    Numbers([f64; 4]),
    Matrix(Box<[f64; 16]>),
    /// 0 is none.
    Link(u32),
    Array(Vec<Value<'a>>),
    Instance(Instance<'a>),
}

pub(super) struct Instance<'a> {
    pub class: &'a str,
    pub values: Box<[Value<'a>]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    Whole,
    Float,
    Bool,
    Text,
    /// Of so many numbers.
    Vector(usize),
    Matrix,
    Instance,
    Pointer,
}

struct Attribute<'a> {
    name: &'a str,
    /// Arrays of arrays.
    depth: usize,
    base: Base,
    class: &'a str,
}

pub(super) struct Stream<'a> {
    classes: BTreeMap<&'a str, Vec<Attribute<'a>>>,
    /// In the file's order.
    pub objects: Vec<Instance<'a>>,
    pub by_id: BTreeMap<u32, usize>,
}

struct Parser<'a> {
    words: Words<'a>,
    /// Values that may still be made: as many as the file has bytes, whatever its counts and empty classes say.
    values: usize,
}

impl<'a> Stream<'a> {
    pub fn read(data: &'a [u8]) -> Result<Stream<'a>, IoError> {
        let mut words = Words::new("tof", text_of("tof", data)?);
        if words.next() != Some("TOS") || words.next() != Some("1.00") {
            return Err(words.error("signature", "stands where \"TOS 1.00\" should"));
        }
        let mut stream = Stream { classes: BTreeMap::new(), objects: Vec::new(), by_id: BTreeMap::new() };
        let mut parser = Parser { values: data.len(), words };
        while let Some(word) = parser.words.next() {
            match word {
                "declare" => {
                    let name = parser.words.word("class")?;
                    let attributes = parser.attributes()?;
                    if stream.classes.insert(name, attributes).is_some() {
                        return Err(parser.words.error(&format!("declaration of {name}"), "ends a second one"));
                    }
                }
                "object" => {
                    let class = parser.words.word("class")?;
                    let id = parser.words.word("ID")?;
                    let id = u32::from_str_radix(id, 16).map_err(|_| parser.words.error("ID", "is not hexadecimal"))?;
                    let value = parser.instance(&stream.classes, class, DEPTH)?;
                    if stream.by_id.insert(id, stream.objects.len()).is_some() {
                        return Err(IoError::new("tof", "ID", "is there twice").value(format!("{id:08X}")));
                    }
                    stream.objects.push(value);
                }
                _ => return Err(parser.words.error("stream", "stands where declare or object should")),
            }
        }
        Ok(stream)
    }

    pub fn first(&self, class: &str) -> Option<&Instance<'a>> {
        self.objects.iter().find(|object| object.class == class)
    }

    pub fn error(&self, field: &str, reason: &str) -> IoError {
        IoError::new("tof", field, reason)
    }

    pub fn view<'s>(&'s self, instance: &'s Instance<'a>, index: Option<usize>) -> View<'s> {
        View { stream: self, instance, index }
    }

    /// An array's element.
    pub fn instance<'s>(&'s self, value: &'s Value<'a>, field: &str, index: usize) -> Result<View<'s>, IoError> {
        match value {
            Value::Instance(instance) => Ok(self.view(instance, Some(index))),
            _ => Err(self.error(field, "is not an instance").index(index)),
        }
    }
}

impl<'a> Parser<'a> {
    fn attributes(&mut self) -> Result<Vec<Attribute<'a>>, IoError> {
        let count = self.words.count("attribute count")?;
        // A name, a type, and the space around them.
        if count > self.words.left() / 4 {
            return Err(self.words.error("attribute count", "is more than the file has room for"));
        }
        let mut attributes = Vec::with_capacity(count);
        for _ in 0..count {
            let name = self.words.word("attribute")?;
            let mut depth = 0;
            let base = loop {
                match self.words.word("type")? {
                    "array" if depth < DEPTH => depth += 1,
                    "uint8" | "uint16" | "uint32" | "uint64" | "int" => break Base::Whole,
                    "float" | "double" => break Base::Float,
                    "bool" => break Base::Bool,
                    "string" => break Base::Text,
                    "float3" | "double3" | "vec3" | "dvec3" => break Base::Vector(3),
                    "vec4" | "quat" => break Base::Vector(4),
                    "mat44" | "dmat44" => break Base::Matrix,
                    "instance" => break Base::Instance,
                    "pointer" => break Base::Pointer,
                    _ => return Err(self.words.error(&format!("type of {name}"), "is not a type")),
                }
            };
            let class = match base {
                Base::Instance | Base::Pointer => self.words.word("class")?,
                _ => "",
            };
            attributes.push(Attribute { name, depth, base, class });
        }
        Ok(attributes)
    }

    fn spend(&mut self, values: usize) -> Result<(), IoError> {
        match self.values.checked_sub(values) {
            Some(left) => {
                self.values = left;
                Ok(())
            }
            None => Err(self.words.error("count", "and others make more values than the file has bytes")),
        }
    }

    fn instance(
        &mut self,
        classes: &BTreeMap<&'a str, Vec<Attribute<'a>>>,
        class: &'a str,
        depth: usize,
    ) -> Result<Instance<'a>, IoError> {
        let Some(attributes) = classes.get(class) else {
            return Err(self.words.error("class", &format!("comes before a declaration of {class}")));
        };
        if depth == 0 {
            return Err(self.words.error(class, "is where instances nest too deep"));
        }
        self.spend(attributes.len())?;
        let mut values = Vec::with_capacity(attributes.len());
        for attribute in attributes {
            values.push(self.value(classes, attribute, attribute.depth, depth)?);
        }
        Ok(Instance { class, values: values.into() })
    }

    fn value(
        &mut self,
        classes: &BTreeMap<&'a str, Vec<Attribute<'a>>>,
        attribute: &Attribute<'a>,
        arrays: usize,
        depth: usize,
    ) -> Result<Value<'a>, IoError> {
        let field = attribute.name;
        if arrays > 0 {
            let count = self.words.count(field)?;
            self.spend(count)?;
            let mut values = Vec::with_capacity(count);
            for _ in 0..count {
                values.push(self.value(classes, attribute, arrays - 1, depth)?);
            }
            return Ok(Value::Array(values));
        }
        Ok(match attribute.base {
            Base::Whole | Base::Float => {
                let number = self.words.number(field)?;
                if attribute.base == Base::Whole && number.floor() != number {
                    return Err(self.words.error(field, "is not a whole number"));
                }
                Value::Number(number)
            }
            Base::Bool => match self.words.word(field)? {
                "true" | "false" => Value::Bool,
                _ => return Err(self.words.error(field, "is neither true nor false")),
            },
            Base::Text => Value::Text(self.words.quoted(field)?.into_boxed_str()),
            Base::Vector(count) => {
                let mut numbers = [0.0; 4];
                for number in &mut numbers[..count] {
                    *number = self.words.number(field)?;
                }
                Value::Numbers(numbers)
            }
            Base::Matrix => {
                let mut numbers = Box::new([0.0; 16]);
                for number in numbers.iter_mut() {
                    *number = self.words.number(field)?;
                }
                Value::Matrix(numbers)
            }
            Base::Pointer => self.pointer(field)?,
            Base::Instance if POINTED.contains(&attribute.class) => self.pointer(field)?,
            Base::Instance => Value::Instance(self.instance(classes, attribute.class, depth - 1)?),
        })
    }

    fn pointer(&mut self, field: &str) -> Result<Value<'a>, IoError> {
        let word = self.words.word(field)?;
        u32::from_str_radix(word, 16).map(Value::Link).map_err(|_| self.words.error(field, "is not an ID in hexadecimal"))
    }
}

/// An instance and where it stands.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub stream: &'a Stream<'a>,
    pub instance: &'a Instance<'a>,
    pub index: Option<usize>,
}

impl<'a> View<'a> {
    pub fn class(&self) -> &'a str {
        self.instance.class
    }

    pub fn has(&self, field: &str) -> bool {
        self.get(field).is_ok()
    }

    pub fn error(&self, field: &str, reason: &str) -> IoError {
        let error = self.stream.error(&format!("{}.{field}", self.class()), reason);
        match self.index {
            Some(index) => error.index(index),
            None => error,
        }
    }

    pub fn get(&self, field: &str) -> Result<&'a Value<'a>, IoError> {
        let attributes = self.stream.classes.get(self.class());
        let index = attributes.and_then(|attributes| attributes.iter().position(|attribute| attribute.name == field));
        index.and_then(|index| self.instance.values.get(index)).ok_or_else(|| self.error(field, "is not declared"))
    }

    pub fn number(&self, field: &str) -> Result<f64, IoError> {
        match self.get(field)? {
            Value::Number(number) => Ok(*number),
            _ => Err(self.error(field, "is not declared as a number")),
        }
    }

    pub fn count(&self, field: &str) -> Result<usize, IoError> {
        let number = self.number(field)?;
        let is_count = number >= 0.0 && number <= f64::from(u32::MAX) && number.floor() == number;
        if is_count { Ok(number as usize) } else { Err(self.error(field, "is not a count").value(number)) }
    }

    pub fn text(&self, field: &str) -> Result<String, IoError> {
        match self.get(field)? {
            Value::Text(text) => Ok(text.to_string()),
            _ => Err(self.error(field, "is not declared as a string")),
        }
    }

    pub fn vector(&self, field: &str) -> Result<Vec3<f64>, IoError> {
        match self.get(field)? {
            Value::Numbers([x, y, z, _]) => Ok(Vec3::from([*x, *y, *z])),
            _ => Err(self.error(field, "is not declared as a vec3")),
        }
    }

    pub fn rotation(&self, field: &str) -> Result<Quat<f64>, IoError> {
        match self.get(field)? {
            Value::Numbers(q) => unit(*q).ok_or_else(|| self.error(field, "is not a unit quaternion").value(format!("{q:?}"))),
            _ => Err(self.error(field, "is not declared as a quat")),
        }
    }

    pub fn numbers<const N: usize>(&self, field: &str) -> Result<[f64; N], IoError> {
        match self.get(field)? {
            Value::Matrix(numbers) if N == 16 => Ok(std::array::from_fn(|index| numbers[index])),
            _ => Err(self.error(field, "is not declared as a mat44")),
        }
    }

    pub fn array(&self, field: &str) -> Result<&'a [Value<'a>], IoError> {
        match self.get(field)? {
            Value::Array(values) => Ok(values),
            _ => Err(self.error(field, "is not declared as an array")),
        }
    }

    pub fn instance(&self, field: &str) -> Result<View<'a>, IoError> {
        match self.get(field)? {
            Value::Instance(instance) => Ok(self.stream.view(instance, self.index)),
            _ => Err(self.error(field, "is not an instance")),
        }
    }

    /// The object that a pointer names; none for 0.
    pub fn link(&self, field: &str) -> Result<Option<View<'a>>, IoError> {
        match self.get(field)? {
            Value::Link(0) => Ok(None),
            Value::Link(id) => match self.stream.by_id.get(id) {
                Some(&object) => Ok(Some(self.stream.view(&self.stream.objects[object], self.index))),
                None => Err(self.error(field, "names no object of this file").value(format!("{id:08X}"))),
            },
            _ => Err(self.error(field, "is not a pointer")),
        }
    }
}
