//! The claim of each figure on a short run of its scene.

use withy::world::SweepOrder;
use withy_cli::Result;
use withy_cli::scenes::measure::out_of_plane;
use withy_cli::scenes::ring::{self, Section};
use withy_cli::scenes::{gravity, hair, net, pendulum, plectoneme, random, spring, tree, twist, vibration};

/// Călugăreanu: the twist that leaves the material becomes writhe. The two half edges in the clamps hold a hundredth.
#[test]
fn twist_becomes_writhe() -> Result<()> {
    let mut worst: f64 = 0.0;
    let last = plectoneme::simulate(4.0, |_, _, b| {
        worst = worst.max((b.twist + b.writhe - 0.99 * b.turns).abs());
        Ok(())
    })?;
    assert!(worst < 0.02, "twist + writhe differ from the turns by {worst}");
    assert!(last.writhe > 0.2, "{last:?}");
    Ok(())
}

/// Michell's threshold is √3 turns for a round section with Poisson's ratio 0.
#[test]
fn a_ring_leaves_its_plane_beyond_the_critical_twist() -> Result<()> {
    let below = ring::simulate(Section::Circular, 0.8 * ring::critical_turns(), 1.5, 1.5, |_, _, _| Ok(()))?;
    let above = ring::simulate(Section::Circular, 1.6 * ring::critical_turns(), 1.5, 1.5, |_, _, _| Ok(()))?;
    assert!(out_of_plane(&below) < 5e-3, "{}", out_of_plane(&below));
    assert!(out_of_plane(&above) > 0.1, "{}", out_of_plane(&above));
    Ok(())
}

#[test]
fn ten_turns_go_in_and_come_out() -> Result<()> {
    let (mut most, mut largest) = (0.0f64, 0.0f64);
    let last = twist::simulate(10.0, 8.0, |_, _, s| {
        most = most.max(s.total);
        largest = largest.max(s.largest);
        Ok(())
    })?;
    assert!(most > 9.5 && largest > 85.0 && largest < 100.0, "{most} turns, {largest}° an element");
    assert!(last.total.abs() < 0.02 && last.sideways < 5e-3, "{last:?}");
    Ok(())
}

#[test]
fn straight_and_spring_come_to_rest_in_ten_iterations() -> Result<()> {
    for (shape, turns, inward) in [(spring::Shape::Straight, 1.5, 0.2), (spring::Shape::Spring, 1.0, 0.0)] {
        let rest = spring::simulate(shape, turns, inward, 8.0, |_, _| Ok(()))?;
        assert!(rest.energy < 5e-3 && rest.strain < 0.12, "{shape:?} {rest:?}");
    }
    Ok(())
}

#[test]
fn random_starts_find_back_to_the_rest_shape() -> Result<()> {
    for seed in 1..=4 {
        let away = random::simulate(seed, 4.0, |_, _, _| Ok(()))?;
        assert!(away < 0.01, "seed {seed}: {away} of the length away");
    }
    Ok(())
}

#[test]
fn the_naive_order_shakes_itself_and_ours_does_not() -> Result<()> {
    let gain = |order| -> Result<f64> {
        let e = vibration::energies(order, 60.0)?;
        Ok(e.iter().copied().fold(0.0, f64::max) / e[0])
    };
    let [naive, ours] = [SweepOrder::Sequential, SweepOrder::Alternating].map(gain);
    let (naive, ours) = (naive?, ours?);
    assert!(naive > 1e3, "{naive}");
    // From the root alone: a hundredfold.
    assert!(ours < 1.2, "{ours}");
    Ok(())
}

/// The appendix's three ways: full bends the hanging rod, none spins the falling one.
#[test]
fn shared_gravity_neither_bends_nor_spins() -> Result<()> {
    let [full, none, shared] = gravity::simulate(0.5, |_, _| Ok(()))?;
    assert!(shared.hanging < 1e-3 && full.hanging > 1e-2, "{shared:?} {full:?}");
    assert!(shared.falling < 1e-4 && none.falling > 0.1, "{shared:?} {none:?}");
    Ok(())
}

#[test]
fn the_pendulum_swings_about_its_twist_with_the_closed_form_period() -> Result<()> {
    let (got, expected) = (pendulum::measured_period()?, pendulum::period());
    assert!((got / expected - 1.0).abs() < 0.02, "{got} s, closed form {expected} s");
    Ok(())
}

#[test]
fn a_cube_that_hits_a_post_twists_its_rod_which_recovers() -> Result<()> {
    let [before, largest, last] = pendulum::twists(8.0, |_, _, _| Ok(()))?;
    assert!(before < 0.01 && largest > 2.0 && last < 0.1 * largest, "{before} {largest} {last} rad");
    Ok(())
}

#[test]
fn junctions_hold_a_net_together() -> Result<()> {
    let end = net::simulate(2.0, |_, _, _| Ok(()))?;
    assert!(end.gap < 1e-3 && end.depth > 0.1 && end.strain < 0.15, "{end:?}");
    Ok(())
}

#[test]
fn a_tree_comes_back_after_a_gust() -> Result<()> {
    let [largest, last] = tree::simulate(8.0, |_, _| Ok(()))?;
    assert!(largest > 0.5 && last < 0.05 * largest, "{largest} {last}");
    Ok(())
}

#[test]
fn hair_lives_through_its_design() -> Result<()> {
    let mut lowest = Vec::new();
    let cost = hair::simulate(3.0, |_, rods, _| {
        lowest.push(rods.positions()?.iter().fold(0.0, |m: f64, p| m.min(p[1])));
        Ok(())
    })?;
    assert!(cost.strain < 0.05, "{cost:?}");
    assert!(cost.lowest > lowest[60] + 0.02, "the curl lifts the tips: {} to {}", lowest[60], cost.lowest);
    Ok(())
}
