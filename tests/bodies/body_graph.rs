//! What is solved at one time shares no record that is written: lanes of a block, groups of a level, clusters.

use withy::bodies::drive::{Block, Kind, Record};
use withy::bodies::graph::{Edge, Graph, Piece, Role, Scene};
use withy::math::lane::RECORD;
use withy::math::rng::Rng;
use withy::math::rows::WIDTH;
use withy::tasks::Pool;
use withy::world::Inline;

/// Bodies in a cube of this many, numbered at random; some nothing moves, some the host.
struct Heap {
    roles: Vec<Role>,
    paths: Vec<u32>,
    poses: Vec<Record<f32>>,
    edges: Vec<Edge>,
    pieces: Vec<Piece>,
}

/// `near`: contacts only between neighbours, so that the heap is of many islands; else of one, with some from end to end. `hub`: one body that so
/// many others touch.
fn heap(rng: &mut Rng, side: usize, near: bool, hub: usize) -> Heap {
    let mut below = |n: usize| (rng.next_u64() % n as u64) as usize;
    let n = side.pow(3);
    let mut order: Vec<u32> = (1..=n as u32).collect();
    (1..n).for_each(|k| order.swap(k, below(k + 1)));
    let mut roles = vec![Role::Dynamic; n + 1];
    // The world, the host's, what was removed.
    roles[0] = Role::Static;
    let mut paths = vec![0; n + 1];
    let mut poses = vec![Record([0.0f32; RECORD]); n + 1];
    for (k, &i) in order.iter().enumerate() {
        poses[i as usize].0[..3].copy_from_slice(&[k % side, k / side % side, k / side / side].map(|x| x as f32));
        roles[i as usize] = match below(40) {
            0 => Role::Static,
            1 => Role::Kinematic,
            2 => Role::Absent,
            _ => Role::Dynamic,
        };
        if roles[i as usize] == Role::Kinematic {
            paths[i as usize] = n as u32 + 1;
        }
    }
    let (mut edges, mut pieces): (Vec<Edge>, Vec<Piece>) = (Vec::new(), Vec::new());
    let mut push = |a: u32, b: u32, kinds: &[Kind]| {
        let there = |i: u32| roles[i as usize] != Role::Absent;
        if a == b || !there(a) || !there(b) {
            return;
        }
        let (first, source) = (pieces.len() as u32, edges.len() as u32);
        pieces.extend(kinds.iter().map(|&kind| Piece { kind, source }));
        edges.push(Edge { a, b, first, count: kinds.len() as u32, contact: kinds[0] >= Kind::Contact1 });
    };
    let joints: [&[Kind]; 6] = [
        &[Kind::Ball],
        &[Kind::Ball, Kind::Limit, Kind::Motor],
        &[Kind::Ball, Kind::Hinge],
        &[Kind::Fixed],
        &[Kind::Distance],
        &[Kind::Arc, Kind::Limit],
    ];
    let contacts = [Kind::Contact1, Kind::Contact2, Kind::Contact4];
    for (k, &i) in order.iter().enumerate() {
        for step in [1, side, side * side] {
            let Some(&other) = order.get(k + step) else { continue };
            match below(if near { 12 } else { 4 }) {
                0 => push(i, other, joints[below(joints.len())]),
                // Two manifolds of one pair.
                1 => (0..2).for_each(|_| push(i, other, &[contacts[below(3)]])),
                2 => push(other, i, &[contacts[below(3)]]),
                _ => {}
            }
        }
        if k < side * side {
            push(0, i, &[contacts[below(3)]]);
            push(0, i, joints[below(joints.len())]);
        }
        if !near && below(50) == 0 {
            push(i, order[below(n)], joints[below(joints.len())]);
        }
    }
    (0..hub).for_each(|k| push(order[n / 2], order[k], &[contacts[k % 3]]));
    Heap { roles, paths, poses, edges, pieces }
}

fn used(b: &Block) -> impl Iterator<Item = u32> + '_ {
    let count = b.count as usize;
    b.a[..count].iter().chain(&b.b[..count]).copied()
}

/// All that the graph promises to those who solve it; how many levels, blocks of more than one lane, and of one it has.
fn check(heap: &Heap, g: &Graph, asleep: u32) -> [usize; 3] {
    let stride = RECORD as u32;
    // Each block by itself, and its lines.
    let mut line = 0;
    for b in &g.blocks {
        assert!((1..=WIDTH as u32).contains(&b.count));
        let mut seats: Vec<u32> = used(b).collect();
        seats.sort_unstable();
        assert!(seats.windows(2).all(|s| s[0] != s[1]), "two lanes of {b:?} share a seat");
        let spare = b.a[b.count as usize..].iter().chain(&b.b[b.count as usize..]);
        spare.for_each(|s| assert!(seats.binary_search(s).is_err(), "an unused lane of {b:?} has a used seat"));
        assert!(b.line >= line, "blocks share lines");
        line = b.line + b.kind.all_rows() as u32;
    }
    assert_eq!(line as usize, g.lines);
    // Whose task has a seat, among those that may run at once: clusters, and in one all trees of a level.
    let mut levels = 0;
    let mut of_cluster = vec![usize::MAX; g.seats.len()];
    for (k, c) in g.clusters.iter().enumerate() {
        levels = levels.max(c.levels as usize);
        for level in 0..=c.levels {
            let mut of_tree = vec![usize::MAX; g.seats.len()];
            let trees: Vec<_> = (0..1 << level).map(|t| c.tree(level, t)).collect();
            for (t, tree) in trees.iter().enumerate() {
                let mut take = |seat: u32, what: &str| {
                    assert_eq!(seat % stride, 0);
                    for (of, me) in [(&mut of_tree, t), (&mut of_cluster, k)] {
                        let owner = &mut of[(seat / stride) as usize];
                        assert!([usize::MAX, me].contains(owner), "{what}: {me} and {owner} share a seat, level {level}");
                        *owner = me;
                    }
                };
                g.blocks[g.blocks(tree.clone())].iter().for_each(|b| b.a.iter().chain(&b.b).for_each(|&s| take(s, "blocks")));
                let bodies = &g.body_blocks[g.body_blocks(tree.clone())];
                bodies.iter().for_each(|b| b.seat.iter().for_each(|&s| take(s, "bodies")));
                g.seats(tree.clone()).into_iter().flatten().for_each(|s| take(s as u32 * stride, "seats"));
            }
        }
    }
    // Every seat in use holds its body, and every constraint of what is awake is in one block.
    let mut count = vec![0; heap.edges.len()];
    for (b, source) in g.blocks.iter().zip(&g.sources) {
        for lane in 0..b.count as usize {
            let e = &heap.edges[source[lane] as usize];
            let sits = |seat: u32| g.seats[(seat / stride) as usize];
            assert_eq!([sits(b.a[lane]), sits(b.b[lane])], [e.a, e.b]);
            count[source[lane] as usize] += 1;
        }
    }
    for (e, count) in heap.edges.iter().zip(count) {
        let solved = [e.a, e.b].iter().any(|&i| heap.roles[i as usize] == Role::Dynamic && g.island[i as usize] % 7 != asleep);
        assert_eq!(count, if solved { e.count } else { 0 });
    }
    let wide = g.blocks.iter().filter(|b| b.count > 1).count();
    [levels, wide, g.blocks.len() - wide]
}

#[test]
fn what_is_solved_at_one_time_shares_no_seat() {
    let mut rng = Rng::new(3);
    let (mut g, pool) = (Graph::default(), Pool::new(2).unwrap());
    for (side, near, hub) in
        [(3, true, 0), (12, true, 0), (8, false, 0), (8, false, 200), (17, false, 0), (22, false, 100), (20, true, 0)]
    {
        for turn in 0..3 {
            let heap = heap(&mut rng, side, near, hub);
            let Heap { roles, paths, poses, edges, pieces } = &heap;
            g.islands(roles, edges);
            // One island in seven is asleep, or none.
            let asleep = if turn == 0 { 7 } else { turn };
            (0..).zip(&mut g.awake).for_each(|(k, awake): (u32, _)| *awake = k % 7 != asleep);
            let records = roles.len() as u32 + 4;
            let scene = Scene { roles, paths, poses, records, edges, pieces };
            if turn == 1 {
                g.build(&scene, &pool)
            } else {
                g.build(&scene, &Inline)
            }
            let [levels, wide, single] = check(&heap, &g, asleep);
            println!(
                "{side}, {near}, {hub}: {} clusters, {levels} levels, {wide} blocks, {single} of one lane",
                g.clusters.len()
            );
            let bodies = side.pow(3);
            assert!(wide > 0 || bodies < 100);
            assert!(near || levels > 0 || bodies < 2048, "no level");
        }
    }
}
