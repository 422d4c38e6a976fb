//! `withy info`: what a file holds, in its own unit, and what is wrong with it.

use crate::Result;
use crate::simulate::groom::{self, Source};
use std::path::Path;
use withy::asset::{self, Chunk};
use withy::io::opensim::Model;
use withy::io::skeleton::{Animation, Body, Character, CharacterFile, Clip, Joint, Ragdoll, Shape, Skeleton, read_character};
use withy::io::{GroomReport, UpAxis};

/// Findings shown before the rest is only counted.
const SHOWN: usize = 10;

/// Metres a unit of the CMU database's motions, which most `.bvh` files are; the format does not say.
const BVH_UNIT: f64 = 0.056444;

pub fn run(file: &str) -> Result<()> {
    let is = |ending: &str| Path::new(file).extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
    if ["bvh", "tof", "glb", "gltf"].into_iter().any(is) {
        print!("{}", character(file, &read_character(file, BVH_UNIT)?, is("bvh")));
        return Ok(());
    }
    if is("osim") {
        print!("{}", bones_and_muscles(file, &withy::io::read_opensim(file)?));
        return Ok(());
    }
    if is("withy") {
        print!("{}", chunks(file, &std::fs::read(file).map_err(|e| format!("{file}: {e}"))?)?);
        return Ok(());
    }
    if is("obj") || is("stl") {
        let mesh = withy::io::read_mesh(file)?;
        if mesh.points.is_empty() {
            return Err(format!("{file}: mesh without vertices: is it what its name says?").into());
        }
        println!("{file}: mesh, {} vertices, {} triangles", mesh.points.len(), mesh.triangles.len());
        return Ok(());
    }
    let source = groom::read(file, &groom::ReadAs { strands: 2000, vertices: None })?;
    let report = source.groom.validate();
    print!("{}", describe(file, &source, &report));
    Ok(())
}

/// The chunks of an asset; of those that are assets themselves, theirs.
fn chunks(file: &str, bytes: &[u8]) -> Result<String> {
    let all = asset::read(bytes).map_err(|e| format!("{file}: {e}"))?;
    let mut text = format!("{file}: asset, {} chunks, {} bytes\n", all.len(), bytes.len());
    list(&all, "  ", &mut text);
    Ok(text)
}

fn list(chunks: &[Chunk], indent: &str, text: &mut String) {
    for c in chunks {
        let what = match c.format {
            asset::BYTES => format!("{} bytes", c.data.len()),
            asset::TEXT => format!("{:?}", String::from_utf8_lossy(c.data).chars().take(60).collect::<String>()),
            asset::F32 | asset::F64 | asset::U32 => {
                let kind = ["f32", "f64", "u32"][(c.format - asset::F32) as usize];
                format!("{} x {} {kind}", c.rows(), c.columns)
            }
            format => format!("format {format}, of a newer version: {} bytes", c.data.len()),
        };
        *text += &format!("{indent}{:<24} version {}  {what}\n", c.name, c.version);
        // One level: what the library saves holds no other.
        if indent.len() < 4
            && let Ok(inner) = asset::read(c.data)
        {
            list(&inner, "    ", text);
        }
    }
}

fn describe(file: &str, source: &Source, r: &GroomReport) -> String {
    let g = &source.groom;
    let guess = || format!("unit not stated, perhaps {} m", g.guessed_unit());
    let unit = g.meters_per_unit.map_or_else(guess, |m| format!("{m} m per unit"));
    let up = if g.up_axis == UpAxis::Y { "Y" } else { "Z" };
    let (few, many) = (g.counts.iter().min().unwrap_or(&0), g.counts.iter().max().unwrap_or(&0));
    let [low, high] = r.bounds;
    let mut text =
        format!("{file}: groom, {} strands, {} vertices ({few} to {many} a strand), {unit}, {up} up\n", r.strands, r.vertices);
    text += &format!("  bounds     {low:?} to {high:?}\n");
    text += &format!("  strands    {} to {}, median {} long\n", r.shortest_strand, r.longest_strand, r.median_strand);
    text += &format!("  segments   shortest {}\n", r.shortest_segment);
    text += &match g.widths.as_slice() {
        [] => "  widths     none\n".to_string(),
        [one] => format!("  widths     {one}\n"),
        all => {
            let (a, b) = all.iter().fold((f32::MAX, f32::MIN), |(a, b), &w| (a.min(w), b.max(w)));
            format!("  widths     {a} to {b}\n")
        }
    };
    text += &not_read(&g.dropped);
    if !g.closed.is_empty() {
        text += &format!("  closed     {} strands\n", g.closed.len());
    }
    if !g.held_tips.is_empty() {
        text += &format!("  held tips  {} strands\n", g.held_tips.len());
    }
    if !source.spheres.is_empty() {
        text += &format!("  colliders  {} spheres\n", source.spheres.len());
    }
    text += &format!("  degenerate {} strands\n", r.degenerate_strands().len());
    for issue in r.issues.iter().take(SHOWN) {
        text += &format!("    {issue}\n");
    }
    if r.issues.len() > SHOWN {
        text += &format!("    and {} more\n", r.issues.len() - SHOWN);
    }
    text
}

fn character(file: &str, found: &CharacterFile, guesses: bool) -> String {
    match found {
        CharacterFile::Character(character) => {
            let unit = if guesses { format!("unit not stated, taken as {BVH_UNIT} m") } else { "metres".to_string() };
            let Character { skeleton, clips, mesh, dropped } = character;
            let mut text = format!(
                "{file}: skeleton, {} bones, {}, {unit}\n",
                skeleton.bones.len(),
                match clips.len() {
                    1 => "1 clip".into(),
                    n => format!("{n} clips"),
                }
            );
            text += &clips.iter().map(clip).collect::<String>();
            if let Some(skin) = mesh {
                let (vertices, triangles) = (skin.mesh.points.len(), skin.mesh.triangles.len());
                text += &format!("  skin       {vertices} vertices, {triangles} triangles\n");
            }
            text + &not_read(dropped) + &tree(skeleton, &|_| String::new())
        }
        CharacterFile::Ragdoll(ragdoll) => {
            let Ragdoll { skeleton, bodies, joints, apart, dropped } = ragdoll;
            let mass = ragdoll.kilograms().map_or("mass not stated".to_string(), |mass| format!("{mass:.1} kg"));
            let mut text = format!(
                "{file}: ragdoll, {} bones, {} bodies, {} joints, {mass}\n",
                skeleton.bones.len(),
                bodies.len(),
                joints.len()
            );
            text += &format!("  apart      {} pairs of bodies pass through each other\n", apart.len());
            let of_bone = |bone: usize| {
                let bodies = bodies.iter().enumerate().filter(|(_, body)| body.bone as usize == bone);
                bodies.map(|(index, body)| describe_body(index, body, joints)).collect()
            };
            text + &not_read(dropped) + &tree(skeleton, &of_bone)
        }
        CharacterFile::Animation(Animation { joints, clip: motion }) => {
            let mut text = format!("{file}: animation of {} joints\n{}", joints.len(), clip(motion));
            for joint in joints {
                text += &format!("  {joint}\n");
            }
            text
        }
    }
}

/// Edges of a line whose length is asked for, m: its path points alone count.
const COARSE: f64 = 10.0;

fn bones_and_muscles(file: &str, model: &Model) -> String {
    let mut text = format!(
        "{file}: OpenSim model \"{}\", {} bodies, {} joints, {} muscles, metres, Y up\n",
        model.name,
        model.bodies.len(),
        model.joints.len(),
        model.muscles.len()
    );
    text += &not_read(&model.dropped);
    for (index, body) in model.bodies.iter().enumerate() {
        let at = body.pose.position;
        text += &format!("  body {index} {:20} {:.3} kg at ({:.4}, {:.4}, {:.4})", body.name, body.mass, at.x, at.y, at.z);
        if let Some(joint) = model.joints.iter().find(|joint| joint.child as usize == index) {
            text += &format!(", {} \"{}\" on {}", joint.kind, joint.name, model.bodies[joint.parent as usize].name);
            for c in &joint.coordinates {
                let locked = if c.locked { ", locked" } else { "" };
                text += &format!(" <{} {:.3}, {:.3} to {:.3}{locked}>", c.name, c.default, c.range[0], c.range[1]);
            }
        }
        text += "\n";
        for wrap in &body.wraps {
            text += &format!("    wrap {} {:?}{}\n", wrap.name, wrap.shape, if wrap.active { "" } else { ", inactive" });
        }
    }
    for (index, muscle) in model.muscles.iter().enumerate() {
        let length = model.line(index, COARSE).map_or(0.0, |line| line.length());
        text += &format!(
            "  muscle {index} {:12} {:.1} N, {:.4} m long with {} points, fibres {:.4} m, tendon {:.4} m, pennation {:.1} deg, {} lengths/s\n",
            muscle.name,
            muscle.max_isometric_force,
            length,
            muscle.path.len(),
            muscle.optimal_fiber_length,
            muscle.tendon_slack_length,
            muscle.pennation.to_degrees(),
            muscle.max_contraction_velocity
        );
        let bodies: Vec<&str> = muscle.path.iter().map(|p| model.bodies[p.body as usize].name.as_str()).collect();
        text += &format!("    on {}\n", bodies.join(", "));
    }
    text
}

fn clip(clip: &Clip) -> String {
    let name = if clip.name.is_empty() { String::new() } else { format!(", \"{}\"", clip.name) };
    format!("  clip       {:.3} s, {} frames{name}\n", clip.duration(), clip.times.len())
}

fn not_read(dropped: &[String]) -> String {
    dropped.iter().map(|what| format!("  not read   {what}\n")).collect()
}

/// A line a bone, with its length to its parent in metres, and what `more` says.
fn tree(skeleton: &Skeleton, more: &dyn Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut children = vec![Vec::new(); skeleton.bones.len()];
    let mut next = Vec::new();
    for (index, bone) in skeleton.bones.iter().enumerate().rev() {
        match bone.parent {
            Some(parent) => children[parent as usize].push(index),
            None => next.push((index, 0)),
        }
    }
    while let Some((index, depth)) = next.pop() {
        let bone = &skeleton.bones[index];
        next.extend(children[index].iter().map(|&child| (child, depth + 1)));
        // Deeper ones keep to the margin: a chain of thousands would fill the screen.
        let indent = "  ".repeat(depth.min(30) + 1);
        let length = bone.parent.map_or(String::new(), |_| format!("  {:.3} m", bone.bind.position.length()));
        let tip = bone.tip.map_or(String::new(), |tip| format!(", tip at {:.3} m", tip.length()));
        text += &format!("{indent}{index} {}{length}{tip}{}\n", bone.name, more(index));
    }
    text
}

fn describe_body(index: usize, body: &Body, joints: &[Joint]) -> String {
    let shapes: Vec<String> = body.shapes.iter().map(|part| describe_shape(&part.shape)).collect();
    let mass = body.kilograms().map_or(String::new(), |mass| format!(", {mass:.2} kg"));
    let mut text = format!("  [{}{mass}]", shapes.join(" + "));
    for joint in joints.iter().filter(|joint| joint.child as usize == index) {
        let degrees = |angle: f64| format!("{:.0}", angle.to_degrees());
        let swing = format!("swing {} x {}", degrees(joint.normal_half_angle), degrees(joint.plane_half_angle));
        text += &format!(" <{swing}, twist {} to {} deg>", degrees(joint.twist[0]), degrees(joint.twist[1]));
    }
    text
}

fn describe_shape(shape: &Shape) -> String {
    match shape {
        Shape::Sphere { radius } => format!("sphere {radius:.3}"),
        Shape::Capsule { half_height, radius } => format!("capsule {half_height:.3} r {radius:.3}"),
        Shape::TaperedCapsule { half_height, top, bottom } => {
            format!("tapered capsule {half_height:.3} r {bottom:.3} to {top:.3}")
        }
        Shape::Box { half_extents: h } => format!("box {:.3} {:.3} {:.3}", h.x, h.y, h.z),
        Shape::Hull { points } => format!("hull of {} points", points.len()),
    }
}
