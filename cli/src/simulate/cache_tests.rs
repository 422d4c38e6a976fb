//! The velocities of a cache are those of the simulation, and those with which its points move.

use super::*;
use crate::args::{Cli, Command};
use clap::Parser;

/// All samples of an attribute.
fn samples(usda: &str, attribute: &str) -> Vec<Vec<[f32; 3]>> {
    let block = usda.split(&format!("{attribute}.timeSamples = {{\n")).nth(1).expect("the attribute");
    let number = |text: &str| text.trim_matches(|c| " ()[],".contains(c)).parse::<f32>().expect("a number");
    let sample = |line: &str| {
        let values: Vec<f32> = line.split_once(": ").expect("a time").1.trim_end_matches(',').split(", ").map(number).collect();
        values.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect()
    };
    block.lines().take_while(|line| line.trim() != "}").map(sample).collect()
}

fn largest(a: &[[f32; 3]]) -> f32 {
    a.as_flattened().iter().fold(0.0, |most, x| most.max(x.abs()))
}

#[test]
fn velocities_are_those_of_the_simulation() {
    let folder = std::env::temp_dir().join(format!("withy-cache-{}", std::process::id()));
    let path = folder.join("out.usda");
    std::fs::create_dir_all(&folder).expect("a folder");
    let words = "withy simulate :wavy --strands 12 --vertices 12 --frames 150 --fps 480 --motion shake --substeps 1 --out";
    let Command::Simulate(options) =
        Cli::parse_from(words.split(' ').map(Into::into).chain([path.clone().into_os_string()])).command
    else {
        panic!("another command")
    };
    let (groom, head) = prepare(&options).expect("a groom");
    let mut run = Run::new(&options, &groom, &head, hairs::Wanted::None).expect("a world");
    run.frames(&|_| false).expect("frames");
    let usda = std::fs::read_to_string(&path).expect("the cache");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    let (points, velocities) = (samples(&usda, "point3f[] points"), samples(&usda, "vector3f[] velocities"));
    assert_eq!((points.len(), velocities.len()), (151, 151));

    let now: Vec<[f32; 3]> = run.parts[0].rods.velocities().expect("velocities").iter().map(|v| v.map(|x| x as f32)).collect();
    assert_eq!(velocities[150], now, "those of the state, to the bit");
    assert_eq!(largest(&velocities[0]), 0.0, "it starts at rest");
    // A frame is a substep: between two frames points move by the velocity of the second.
    let speed = velocities.iter().map(|v| largest(v)).fold(0.0, f32::max);
    assert!(speed > 0.2, "it moves: {speed} m/s");
    for k in 130..150 {
        let moved: Vec<[f32; 3]> =
            points[k + 1].iter().zip(&points[k - 1]).map(|(b, a)| std::array::from_fn(|c| 240.0 * (b[c] - a[c]))).collect();
        let off: Vec<[f32; 3]> = moved.iter().zip(&velocities[k]).map(|(m, v)| std::array::from_fn(|c| m[c] - v[c])).collect();
        println!("frame {k}: off by {} of {} m/s", largest(&off), largest(&moved));
        assert!(largest(&off) < 0.1 * largest(&moved), "frame {k}: off by {} of {} m/s", largest(&off), largest(&moved));
    }
}
