//! The lane that writes its arithmetic down: a kernel run on [`Rec`] leaves an expression graph, printed as WGSL.
//!
//! So that the shader has the CPU's meaning, the graph is rewritten only where IEEE 754 gives the same number for every
//! operand, signed zeros and infinities included (NaN stays NaN):
//!
//! | seen | recorded | why it is safe |
//! |---|---|---|
//! | constant ∘ constant | its f32 result | the operation is correctly rounded everywhere |
//! | x·1, x/1, x−0, x+(−0) | x | exact; but x+0 is not (−0+0 = +0), and x·0 is not (∞, NaN) |
//! | −(−x) | x | exact |
//! | x+(−y), x−(−y) | x−y, x+y | the definition of subtraction |
//! | a+b, b+a | one node | addition and multiplication commute |
//! | select(m, x, x) | x | |
//!
//! The same operation on the same operands is one node. Dead nodes are never printed.

use super::Real;
use core::cell::RefCell;
use core::ops::{Add, Div, Mul, Neg, Sub};
use std::collections::HashMap;

/// A number that will be known on the GPU: the index of a node of this thread's graph.
#[derive(Clone, Copy, Debug)]
pub struct Rec(u32);

/// A truth value that will be known on the GPU.
#[derive(Clone, Copy, Debug)]
pub struct RecMask(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    /// Number of a name in `Graph::names`.
    Input(u32),
    /// Bits of an f32, so that −0 and 0 stay two constants.
    Constant(u32),
    Add(u32, u32),
    Sub(u32, u32),
    Mul(u32, u32),
    Div(u32, u32),
    Neg(u32),
    Sqrt(u32),
    Less(u32, u32),
    /// mask, yes, no
    Select(u32, u32, u32),
    Both(u32, u32),
}

#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    known: HashMap<Node, u32>,
    names: Vec<String>,
}

thread_local! {
    static GRAPH: RefCell<Graph> = RefCell::default();
}

fn node(n: Node) -> u32 {
    GRAPH.with_borrow_mut(|g| {
        *g.known.entry(n).or_insert_with(|| {
            g.nodes.push(n);
            g.nodes.len() as u32 - 1
        })
    })
}

fn get(i: u32) -> Node {
    GRAPH.with_borrow(|g| g.nodes[i as usize])
}

impl Rec {
    fn value(self) -> Option<f32> {
        match get(self.0) {
            Node::Constant(bits) => Some(f32::from_bits(bits)),
            _ => None,
        }
    }
    fn is(self, constant: f32) -> bool {
        self.value().is_some_and(|v| v.to_bits() == constant.to_bits())
    }
    fn known(value: f32) -> Self {
        Rec(node(Node::Constant(value.to_bits())))
    }
    fn negated(self) -> Option<Rec> {
        match get(self.0) {
            Node::Neg(x) => Some(Rec(x)),
            _ => None,
        }
    }
}

impl Add for Rec {
    type Output = Rec;
    fn add(self, b: Rec) -> Rec {
        match (self.value(), b.value()) {
            (Some(x), Some(y)) => Rec::known(x + y),
            _ if b.is(-0.0) => self,
            _ if self.is(-0.0) => b,
            _ => match (self.negated(), b.negated()) {
                (_, Some(y)) => self - y,
                (Some(x), _) => b - x,
                _ => Rec(node(Node::Add(self.0.min(b.0), self.0.max(b.0)))),
            },
        }
    }
}
impl Sub for Rec {
    type Output = Rec;
    fn sub(self, b: Rec) -> Rec {
        match (self.value(), b.value()) {
            (Some(x), Some(y)) => Rec::known(x - y),
            _ if b.is(0.0) => self,
            _ => match b.negated() {
                Some(y) => self + y,
                None => Rec(node(Node::Sub(self.0, b.0))),
            },
        }
    }
}
impl Mul for Rec {
    type Output = Rec;
    fn mul(self, b: Rec) -> Rec {
        match (self.value(), b.value()) {
            (Some(x), Some(y)) => Rec::known(x * y),
            _ if b.is(1.0) => self,
            _ if self.is(1.0) => b,
            _ => Rec(node(Node::Mul(self.0.min(b.0), self.0.max(b.0)))),
        }
    }
}
impl Div for Rec {
    type Output = Rec;
    fn div(self, b: Rec) -> Rec {
        match (self.value(), b.value()) {
            (Some(x), Some(y)) => Rec::known(x / y),
            _ if b.is(1.0) => self,
            _ => Rec(node(Node::Div(self.0, b.0))),
        }
    }
}
impl Neg for Rec {
    type Output = Rec;
    fn neg(self) -> Rec {
        match (self.value(), self.negated()) {
            (Some(x), _) => Rec::known(-x),
            (_, Some(x)) => x,
            _ => Rec(node(Node::Neg(self.0))),
        }
    }
}

impl Real for Rec {
    type Mask = RecMask;
    fn constant(value: f64) -> Self {
        Rec::known(value as f32)
    }
    fn sqrt(self) -> Self {
        match self.value() {
            Some(x) => Rec::known(x.sqrt()),
            None => Rec(node(Node::Sqrt(self.0))),
        }
    }
    fn lt(self, rhs: Self) -> RecMask {
        RecMask(node(Node::Less(self.0, rhs.0)))
    }
    fn select(mask: RecMask, yes: Self, no: Self) -> Self {
        if yes.0 == no.0 { yes } else { Rec(node(Node::Select(mask.0, yes.0, no.0))) }
    }
    fn both(a: RecMask, b: RecMask) -> RecMask {
        RecMask(node(Node::Both(a.0, b.0)))
    }
}

/// A recorded kernel body: WGSL statements, and one expression for each output.
pub struct Recording {
    pub statements: Vec<String>,
    pub outputs: Vec<String>,
}

/// Runs `kernel` on inputs with these WGSL names (`e.x`, `frame.inv_len`, …) and prints what it did.
pub fn record(inputs: &[String], kernel: impl FnOnce(&[Rec]) -> Vec<Rec>) -> Recording {
    GRAPH.set(Graph { names: inputs.to_vec(), ..Graph::default() });
    let inputs: Vec<Rec> = (0..inputs.len()).map(|i| Rec(node(Node::Input(i as u32)))).collect();
    let outputs = kernel(&inputs);
    let graph = GRAPH.take();
    Printer::new(&graph, &outputs).print(&outputs)
}

/// Binding strength of an expression: an operand that binds weaker than its place is put in parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Logic,
    Compare,
    Sum,
    Product,
    /// Names, calls and positive literals.
    Atom,
}

struct Printer<'a> {
    graph: &'a Graph,
    uses: Vec<u32>,
    /// The text of each printed node: its `let` name, or the expression itself where it is used once.
    text: Vec<(String, Level)>,
}

/// A single-use expression longer than this gets a name anyway.
const LONGEST_INLINE: usize = 60;

impl<'a> Printer<'a> {
    fn new(graph: &'a Graph, outputs: &[Rec]) -> Self {
        let mut uses = vec![0u32; graph.nodes.len()];
        for o in outputs {
            uses[o.0 as usize] += 1;
        }
        // Operands precede their node, so one backward pass counts the uses by living nodes.
        for i in (0..graph.nodes.len()).rev() {
            if uses[i] > 0 {
                for operand in operands(graph.nodes[i]).into_iter().flatten() {
                    uses[operand as usize] += 1;
                }
            }
        }
        Printer { graph, uses, text: Vec::with_capacity(graph.nodes.len()) }
    }

    fn at(&self, i: u32, place: Level) -> String {
        let (text, level) = &self.text[i as usize];
        if *level < place { format!("({text})") } else { text.clone() }
    }

    fn expression(&self, n: Node) -> (String, Level) {
        use Level::*;
        // Left-associative: the right operand of equal strength needs its parentheses.
        let binary = |a, op, b, level: Level, right: Level| (format!("{} {op} {}", self.at(a, level), self.at(b, right)), level);
        match n {
            Node::Input(name) => (self.graph.names[name as usize].clone(), Atom),
            Node::Constant(bits) => {
                let v = f32::from_bits(bits);
                // A sign in front binds as weakly as a sum here, because WGSL reserves `--`.
                (format!("{v:?}f"), if v.is_sign_negative() { Sum } else { Atom })
            }
            Node::Add(a, b) => binary(a, "+", b, Sum, Product),
            Node::Sub(a, b) => binary(a, "-", b, Sum, Product),
            Node::Mul(a, b) => binary(a, "*", b, Product, Atom),
            Node::Div(a, b) => binary(a, "/", b, Product, Atom),
            Node::Neg(a) => (format!("-{}", self.at(a, Atom)), Sum),
            Node::Sqrt(a) => (format!("sqrt({})", self.at(a, Logic)), Atom),
            Node::Less(a, b) => binary(a, "<", b, Compare, Sum),
            Node::Select(m, yes, no) => {
                (format!("select({}, {}, {})", self.at(no, Logic), self.at(yes, Logic), self.at(m, Logic)), Atom)
            }
            Node::Both(a, b) => binary(a, "&&", b, Logic, Compare),
        }
    }

    fn print(mut self, outputs: &[Rec]) -> Recording {
        let mut statements = Vec::new();
        for (i, &n) in self.graph.nodes.iter().enumerate() {
            if self.uses[i] == 0 {
                self.text.push((String::new(), Level::Atom));
                continue;
            }
            let (text, level) = self.expression(n);
            let free = matches!(n, Node::Input(_) | Node::Constant(_));
            if free || self.uses[i] == 1 && text.len() <= LONGEST_INLINE {
                self.text.push((text, level));
            } else {
                let name = format!("t{}", statements.len());
                statements.push(format!("let {name} = {text};"));
                self.text.push((name, Level::Atom));
            }
        }
        Recording { statements, outputs: outputs.iter().map(|o| self.text[o.0 as usize].0.clone()).collect() }
    }
}

fn operands(n: Node) -> [Option<u32>; 3] {
    match n {
        Node::Input(_) | Node::Constant(_) => [None; 3],
        Node::Neg(a) | Node::Sqrt(a) => [Some(a), None, None],
        Node::Add(a, b) | Node::Sub(a, b) | Node::Mul(a, b) | Node::Div(a, b) | Node::Less(a, b) | Node::Both(a, b) => {
            [Some(a), Some(b), None]
        }
        Node::Select(m, y, n) => [Some(m), Some(y), Some(n)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(kernel: impl FnOnce(Rec, Rec) -> Rec) -> String {
        let r = record(&["x".into(), "y".into()], |i| vec![kernel(i[0], i[1])]);
        r.statements.join(" ") + &r.outputs[0]
    }

    #[test]
    fn rewrites_are_safe_for_every_value() {
        let c = Rec::constant;
        assert_eq!(one(|x, _| x + c(0.0)), "x + 0.0f");
        assert_eq!(one(|x, _| x + c(-0.0)), "x");
        assert_eq!(one(|x, _| x - c(0.0)), "x");
        assert_eq!(one(|x, _| c(0.0) - x), "0.0f - x");
        assert_eq!(one(|x, _| x * c(0.0)), "x * 0.0f");
        assert_eq!(one(|x, _| x * c(1.0) / c(1.0)), "x");
        assert_eq!(one(|x, y| x - -y), "x + y");
        assert_eq!(one(|x, y| -x + y), "y - x");
        assert_eq!(one(|_, _| c(0.1) + c(0.2)), format!("{:?}f", 0.1f32 + 0.2f32));
    }

    #[test]
    fn shared_expressions_get_one_name_and_the_order_of_operations_is_kept() {
        assert_eq!(one(|x, y| (x + y) * (y + x)), "let t0 = x + y;t0 * t0");
        assert_eq!(one(|x, y| x - (y - x)), "x - (y - x)");
        assert_eq!(one(|x, y| x / (y / x) - x * y), "x / (y / x) - x * y");
        assert_eq!(one(|x, y| x * -y), "x * (-y)");
        assert_eq!(one(|x, y| -(x * y)), "-(x * y)");
        assert_eq!(one(|x, y| x.min(y)), "select(y, x, x < y)");
        let m = |x: Rec, y: Rec| Rec::select(Rec::both(x.lt(y), y.lt(Rec::one())), x, y);
        assert_eq!(one(m), "select(y, x, x < y && y < 1.0f)");
    }
}
