//! Which strands share a block. Of a group of lanes all do what one of them needs: look at a collider, solve again
//! for a contact that was guessed wrong. Strands whose tips are near each other need it together.

/// Bits of a coordinate in a code.
const BITS: u32 = 21;

/// Where `p` is along Morton's curve through a cube at `low` of the edge `size` (Morton 1966).
fn code(p: [f64; 3], low: [f64; 3], size: f64) -> u64 {
    let cells = f64::from((1u32 << BITS) - 1);
    let at: [u64; 3] = [0, 1, 2].map(|k| if size > 0.0 { ((p[k] - low[k]) / size * cells) as u64 } else { 0 });
    (0..BITS).rev().flat_map(|bit| at.map(|c| c >> bit & 1)).fold(0, |code, bit| code << 1 | bit)
}

/// Strands from the longest on; of those that are as long, along the curve by their `tips`, where any are given; else as they come.
pub(super) fn order(counts: &[u32], tips: &[[f64; 3]]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..counts.len() as u32).collect();
    let low: [f64; 3] = [0, 1, 2].map(|k| tips.iter().fold(f64::INFINITY, |m, p| m.min(p[k])));
    let size = tips.iter().flat_map(|p| [0, 1, 2].map(|k| p[k] - low[k])).fold(0.0, f64::max);
    let codes: Vec<u64> = tips.iter().map(|&p| code(p, low, size)).collect();
    let along = |s: u32| codes.get(s as usize).copied().unwrap_or(0);
    order.sort_by_key(|&s| (core::cmp::Reverse(counts[s as usize]), along(s)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shuffled sheet of tips: neighbours on the curve are near each other, and the longer strands come first.
    #[test]
    fn neighbours_are_near() {
        let tips: Vec<[f64; 3]> = (0..4096u32)
            .map(|i| {
                let shuffled = i.wrapping_mul(2_654_435_761) >> 20;
                [f64::from(shuffled % 64) * 0.01, f64::from(shuffled / 64) * 0.01, 0.3]
            })
            .collect();
        let counts: Vec<u32> = (0..4096).map(|i| if i % 512 == 0 { 9 } else { 5 }).collect();
        let sorted = order(&counts, &tips);
        assert!(sorted[..8].iter().all(|s| s % 512 == 0) && sorted[8..].iter().all(|s| s % 512 != 0));
        let apart = |order: &[u32]| -> f64 {
            let far = |w: &[u32]| (0..3).map(|k| (tips[w[0] as usize][k] - tips[w[1] as usize][k]).abs()).fold(0.0, f64::max);
            order.windows(2).map(far).sum::<f64>() / order.len() as f64
        };
        let unsorted = order(&counts, &[]);
        assert!(apart(&sorted) < 0.03, "{}", apart(&sorted));
        assert!(apart(&unsorted) > 0.15, "{}", apart(&unsorted));
    }

    #[test]
    fn one_place_and_no_place() {
        assert_eq!(order(&[3, 3, 4], &[[1.0; 3]; 3]), [2, 0, 1]);
        assert_eq!(order(&[3, 3, 4], &[]), [2, 0, 1]);
        assert!(order(&[], &[]).is_empty());
    }
}
