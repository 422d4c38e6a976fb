//! Which way round the triangles are: every shell is turned outwards by itself.
//!
//! Two triangles that share an edge run along it in opposite directions, or one of them is turned over. What hangs
//! together by such edges is a shell if it is closed or nearly so, and has a volume, whose sign tells outside from
//! inside. A muscle has no cavities: a shell within another one is turned outwards, too.

use super::{Mesh, V3};

/// The triangles that have an area, all outwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outwards {
    pub triangles: Vec<[u32; 3]>,
    /// How many have none.
    pub flat: usize,
    /// The first triangle of every shell that was turned.
    pub turned: Vec<u32>,
    pub shells: usize,
    /// Triangles that ran the other way round than the others of their shell.
    pub odd: usize,
}

/// The area vectors of a closed surface have the sum 0. Up to this part of its area it has holes, but is a shell.
const NEARLY_CLOSED: f64 = 0.1;

/// Two triangles at an edge, and whether they run along it in the same direction.
struct Pair(u32, u32, bool);

impl Outwards {
    pub fn new(mesh: &Mesh, points: &[V3]) -> Outwards {
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|index| points[index as usize]);
            (b - a).cross(&(c - a))
        };
        let used: Vec<u32> =
            (0..mesh.triangles.len() as u32).filter(|&k| area(&mesh.triangles[k as usize]).norm_squared() > 0.0).collect();
        let mut out = Outwards {
            triangles: used.iter().map(|&k| mesh.triangles[k as usize]).collect(),
            flat: mesh.triangles.len() - used.len(),
            ..Outwards::default()
        };
        // By the vertices' numbers first: shells in the same place are told apart. Then by place: seams have two vertices.
        let mut rest: Vec<u32> = (0..used.len() as u32).collect();
        let welded = welded(points);
        let mut open = Vec::new();
        for by_place in [false, true] {
            let corners = |k: u32| {
                let t = out.triangles[k as usize];
                if by_place { t.map(|index| welded[index as usize]) } else { t }
            };
            let found = pieces(&rest, out.triangles.len(), corners);
            let is_shell = |piece: &Piece| {
                if by_place { is_nearly_closed(piece, &out.triangles, &area) } else { piece.is_closed }
            };
            let (shells, others): (Vec<Piece>, Vec<Piece>) = found.into_iter().partition(is_shell);
            for shell in shells {
                out.turn(shell, &used, points);
            }
            rest = others.iter().flat_map(|piece| piece.triangles.iter().map(|(k, _)| *k)).collect();
            rest.sort_unstable();
            open = others;
        }
        // What is open has no sides of its own: all of it together, by the whole.
        if !open.is_empty() {
            let mut all = Piece { triangles: Vec::new(), is_closed: false, has_sides: true };
            for mut piece in open {
                let size = |is_turned: bool| -> f64 {
                    let own = piece.triangles.iter().filter(|(_, turned)| *turned == is_turned);
                    own.map(|(k, _)| area(&out.triangles[*k as usize]).norm()).sum()
                };
                if size(true) > size(false) {
                    piece.triangles.iter_mut().for_each(|(_, is_turned)| *is_turned = !*is_turned);
                }
                all.triangles.extend(piece.triangles);
            }
            if out.shells == 0 || is_nearly_closed(&all, &out.triangles, &area) {
                out.turn(all, &used, points);
            }
        }
        out.turned.sort_unstable();
        out
    }

    /// Turns a shell so that its volume is positive.
    fn turn(&mut self, mut shell: Piece, used: &[u32], points: &[V3]) {
        self.shells += 1;
        let corners = |k: u32, is_turned: bool| {
            let [a, b, c] = self.triangles[k as usize].map(|index| points[index as usize]);
            if is_turned { [a, c, b] } else { [a, b, c] }
        };
        // From the middle of the shell: what an opening leaves out counts least.
        let (mut middle, mut total) = (V3::zeros(), 0.0);
        for &(k, is_turned) in &shell.triangles {
            let [a, b, c] = corners(k, is_turned);
            let area = (b - a).cross(&(c - a)).norm();
            middle += (a + b + c) * (area / 3.0);
            total += area;
        }
        middle /= total;
        let volume = |&(k, is_turned): &(u32, bool)| {
            let [a, b, c] = corners(k, is_turned).map(|p| p - middle);
            a.cross(&b).dot(&c)
        };
        if shell.triangles.iter().map(volume).sum::<f64>() < 0.0 {
            shell.triangles.iter_mut().for_each(|(_, is_turned)| *is_turned = !*is_turned);
        }
        let turned = shell.triangles.iter().filter(|(_, is_turned)| *is_turned).count();
        if 2 * turned > shell.triangles.len() {
            let first = shell.triangles.iter().map(|(k, _)| used[*k as usize]).min();
            self.turned.extend(first);
            self.odd += shell.triangles.len() - turned;
        } else {
            self.odd += turned;
        }
        for &(k, _) in shell.triangles.iter().filter(|(_, is_turned)| *is_turned) {
            self.triangles[k as usize].swap(1, 2);
        }
    }
}

/// Triangles that hang together by edges of two.
struct Piece {
    /// And whether to turn it, to run as the others do.
    triangles: Vec<(u32, bool)>,
    /// No edge has one triangle, or more than two.
    is_closed: bool,
    /// False of a Möbius strip.
    has_sides: bool,
}

fn is_nearly_closed(piece: &Piece, triangles: &[[u32; 3]], area: &impl Fn(&[u32; 3]) -> V3) -> bool {
    let (mut sum, mut total) = (V3::zeros(), 0.0);
    for &(k, is_turned) in &piece.triangles {
        let own = area(&triangles[k as usize]);
        sum += if is_turned { -own } else { own };
        total += own.norm();
    }
    piece.has_sides && sum.norm() <= NEARLY_CLOSED * total
}

/// The first vertex in the same place, of every vertex.
fn welded(points: &[V3]) -> Vec<u32> {
    // 0.0 and -0.0 are the same place.
    let place = |k: u32| <[u64; 3]>::from(points[k as usize].map(|x| (x + 0.0).to_bits()));
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_unstable_by_key(|&k| (place(k), k));
    let mut first: Vec<u32> = (0..points.len() as u32).collect();
    for pair in order.windows(2) {
        if place(pair[0]) == place(pair[1]) {
            first[pair[1] as usize] = first[pair[0] as usize];
        }
    }
    first
}

/// The pieces of some triangles, `count` in all.
fn pieces(some: &[u32], count: usize, corners: impl Fn(u32) -> [u32; 3]) -> Vec<Piece> {
    let mut edges: Vec<(u32, u32, u32, bool)> = Vec::with_capacity(3 * some.len());
    for &k in some {
        let t = corners(k);
        for (from, to) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            edges.push((from.min(to), from.max(to), k, from < to));
        }
    }
    edges.sort_unstable();
    let mut pairs = Vec::with_capacity(edges.len() / 2);
    let mut has_rim = vec![false; count];
    for edge in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        match edge {
            [one, other] => pairs.push(Pair(one.2, other.2, one.3 == other.3)),
            _ => edge.iter().for_each(|(_, _, k, _)| has_rim[*k as usize] = true),
        }
    }
    drop(edges);

    // Each triangle's parent, and whether it runs the other way round than that.
    let mut parent: Vec<(u32, bool)> = (0..count as u32).map(|k| (k, false)).collect();
    fn root(parent: &mut [(u32, bool)], mut k: u32) -> (u32, bool) {
        let mut is_turned = false;
        while parent[k as usize].0 != k {
            let (up, turned) = parent[k as usize];
            let (above, more) = parent[up as usize];
            parent[k as usize] = (above, turned ^ more);
            is_turned ^= parent[k as usize].1;
            k = above;
        }
        (k, is_turned)
    }
    let mut is_twisted = vec![false; count];
    for &Pair(a, b, is_same) in &pairs {
        let ((one, turned), (other, more)) = (root(&mut parent, a), root(&mut parent, b));
        if one != other {
            parent[one.max(other) as usize] = (one.min(other), turned ^ more ^ is_same);
        } else if turned ^ more != is_same {
            is_twisted[a as usize] = true;
        }
    }
    let mut number = vec![u32::MAX; count];
    let mut found: Vec<Piece> = Vec::new();
    for &k in some {
        let (top, is_turned) = root(&mut parent, k);
        if number[top as usize] == u32::MAX {
            number[top as usize] = found.len() as u32;
            found.push(Piece { triangles: Vec::new(), is_closed: true, has_sides: true });
        }
        let piece = &mut found[number[top as usize] as usize];
        piece.triangles.push((k, is_turned));
        piece.is_closed &= !has_rim[k as usize];
        piece.has_sides &= !is_twisted[k as usize];
    }
    for piece in found.iter_mut().filter(|piece| !piece.has_sides) {
        piece.is_closed = false;
        piece.triangles.iter_mut().for_each(|(_, is_turned)| *is_turned = false);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box whose corners have numbers from `first` on.
    fn cuboid(low: f64, high: f64, first: u32) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let at = |bit: u32| if bit == 0 { low } else { high };
        let points = (0..8).map(|k| [at(k & 1), at(k >> 1 & 1), at(k >> 2)]).collect();
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]);
        (points, triangles.map(|t| t.map(|k| k + first)).collect())
    }

    fn turned(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Outwards {
        let places: Vec<V3> = points.iter().map(|p| V3::from(*p)).collect();
        Outwards::new(&Mesh { points, triangles }, &places)
    }

    fn volume(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> f64 {
        let corner = |k: u32| V3::from(points[k as usize]);
        triangles.iter().map(|t| corner(t[0]).cross(&corner(t[1])).dot(&corner(t[2])) / 6.0).sum()
    }

    #[test]
    fn every_shell_is_turned_by_itself() {
        let (mut points, mut triangles) = cuboid(0.0, 1.0, 0);
        let (more, others) = cuboid(0.5, 1.5, 8);
        points.extend(more);
        triangles.extend(others.iter().map(|t| [t[0], t[2], t[1]]));
        // One triangle of the first shell, too.
        triangles[5].swap(1, 2);
        let out = turned(&points, &triangles);
        assert_eq!((out.shells, &out.turned[..], out.odd, out.flat), (2, &[12][..], 1, 0));
        assert!((volume(&points, &out.triangles) - 2.0).abs() < 1e-12);
    }

    /// Shells in the same place, one of them turned; and a soup, whose corners all have numbers of their own.
    #[test]
    fn twins_and_soups() {
        let (mut points, mut triangles) = cuboid(-0.5, 0.5, 0);
        let (more, others) = cuboid(-0.5, 0.5, 8);
        points.extend(more);
        triangles.extend(others.iter().map(|t| [t[0], t[2], t[1]]));
        let out = turned(&points, &triangles);
        assert_eq!((out.shells, &out.turned[..], out.odd), (2, &[12][..], 0));
        assert!((volume(&points, &out.triangles) - 2.0).abs() < 1e-12);

        let (points, mut triangles) = cuboid(-0.5, 0.5, 0);
        triangles.iter_mut().for_each(|t| t.swap(0, 1));
        triangles[7].swap(0, 1);
        let soup: Vec<[f64; 3]> = triangles.iter().flatten().map(|&k| points[k as usize]).collect();
        let own: Vec<[u32; 3]> = (0..12).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        let out = turned(&soup, &own);
        assert_eq!((out.shells, &out.turned[..], out.odd), (1, &[0][..], 1));
        assert!((volume(&soup, &out.triangles) - 1.0).abs() < 1e-12);
    }

    /// An open patch is not turned by a volume that it does not have: the inner wall of a trough.
    #[test]
    fn open_patches_stay_as_they_are() {
        let (mut points, mut triangles) = cuboid(0.0, 1.0, 0);
        points.extend([[0.2, 0.2, 2.0], [0.8, 0.2, 1.6], [0.8, 0.8, 2.0], [0.2, 0.8, 2.4]]);
        triangles.extend([[8, 9, 10], [8, 10, 11]]);
        let out = turned(&points, &triangles);
        assert_eq!((out.shells, out.turned.len(), out.odd), (1, 0, 0));
        assert_eq!(out.triangles, triangles);
    }
}
