//! `withy accuracy`: the laws that compliant ghost rods and discrete elastic rods (`der_…`) must meet, one file a group.
//!
//! Every law is a pure function of the number of edges, so that the order of convergence can be measured: a law that is met by
//! fitting has no slope of 2.

pub mod bending;
pub mod buckling;
pub mod der;
pub mod dynamics;
pub mod friction;
pub mod model;
pub mod muscle;
pub mod plectoneme;
pub mod reference;
pub mod rod;
pub mod solid;
pub mod twisting;
pub mod volume;

use rayon::prelude::*;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;

/// One or several laws that one rod answers.
pub struct Law {
    pub names: &'static [&'static str],
    /// Numbers of edges, ascending.
    pub edges: &'static [usize],
    pub slope: Slope,
    /// For n edges and each name: [expected, got].
    pub run: fn(usize) -> Vec<[f64; 2]>,
}

/// Which order of convergence is printed.
pub enum Slope {
    /// None: the error is not that of the discretisation alone, or it is for one n only.
    None,
    /// That of each name.
    Each,
    /// That of the distance between two points, of which these names are the coordinates. A single coordinate's error may pass
    /// through zero, and its order is then that of nothing.
    Point(&'static str, &'static [&'static str]),
}

/// A line of the report.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub test: String,
    pub n: usize,
    pub expected: f64,
    pub got: f64,
}

impl Line {
    pub fn relative_error(&self) -> f64 {
        (self.got - self.expected).abs() / self.expected.abs().max(1e-300)
    }
    pub fn json(&self) -> String {
        format!(
            r#"{{"test":"{}","model":"{}","n":{},"expected":{:.9},"got":{:.9},"relative_error":{:.3e}}}"#,
            self.test.trim_start_matches("der_"),
            if self.test.starts_with("der_") { "der" } else { "ghost" },
            self.n,
            self.expected,
            self.got,
            self.relative_error()
        )
    }
}

/// The order of convergence: the least-squares slope of ln(error) over ln(1/n).
pub fn order(errors: &[(usize, f64)]) -> f64 {
    let points: Vec<(f64, f64)> = errors.iter().map(|(n, e)| (-(*n as f64).ln(), e.max(1e-300).ln())).collect();
    let m = points.len() as f64;
    let (sx, sy) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
    let (mx, my) = (sx / m, sy / m);
    let (xy, xx) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + (p.0 - mx) * (p.1 - my), s.1 + (p.0 - mx).powi(2)));
    xy / xx
}

pub fn laws() -> impl Iterator<Item = &'static Law> {
    let ghost = [model::LAWS, bending::LAWS, buckling::LAWS, twisting::LAWS, dynamics::LAWS, friction::LAWS];
    ghost.into_iter().chain([der::LAWS, plectoneme::LAWS, volume::LAWS, muscle::LAWS]).flatten()
}

/// The lines of one law for n edges.
pub fn lines(law: &Law, n: usize) -> Vec<Line> {
    let line = |(name, [expected, got]): (&&str, [f64; 2])| Line { test: name.to_string(), n, expected, got };
    law.names.iter().zip((law.run)(n)).map(line).collect()
}

/// The orders of a law, from its lines for several n. An order belongs to no single n: it stands there as 0.
pub fn orders(law: &Law, all: &[Line]) -> Vec<Line> {
    let error = |n: usize, names: &[&str]| {
        all.iter()
            .filter(|l| l.n == n && names.contains(&l.test.as_str()))
            .map(|l| (l.got - l.expected).powi(2))
            .sum::<f64>()
            .sqrt()
    };
    let mut edges: Vec<usize> = all.iter().map(|l| l.n).collect();
    edges.dedup();
    if edges.len() < 2 {
        return Vec::new();
    }
    let line = |name: &str, of: &[&str]| {
        let errors: Vec<(usize, f64)> = edges.iter().map(|&n| (n, error(n, of))).collect();
        Line { test: format!("{name}_order"), n: 0, expected: 2.0, got: order(&errors) }
    };
    match law.slope {
        Slope::None => Vec::new(),
        Slope::Each => law.names.iter().map(|name| line(name, &[name])).collect(),
        Slope::Point(name, of) => vec![line(name, of)],
    }
}

/// A law's lines, or what went wrong in words.
type Attempt = Result<Vec<Line>, String>;

/// A law panics when its rod does not come to rest.
fn attempt(law: &Law, n: usize) -> Attempt {
    catch_unwind(AssertUnwindSafe(|| lines(law, n))).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        format!("{} at n = {n}: {}", law.names.join(", "), text.unwrap_or("panicked"))
    })
}

/// `list` names the laws; else runs every law whose name contains one of `only` (all, if it is empty), on all cores, and prints
/// its lines as soon as all before them are known. `edges` replaces the laws' own numbers of edges unless it is empty. A law that
/// fails is named on standard error; the others are printed all the same.
pub fn run_some(json: bool, only: &[String], edges: &[usize]) -> Result<(), String> {
    if only == ["list"] {
        laws().flat_map(|l| l.names).for_each(|name| println!("{name}"));
        return Ok(());
    }
    if let Some(o) = only.iter().find(|o| !laws().any(|law| law.names.iter().any(|name| name.contains(o.as_str())))) {
        return Err(format!("no law is called {o}; `withy accuracy list` names them"));
    }
    let some: Vec<&Law> =
        laws().filter(|l| only.is_empty() || l.names.iter().any(|name| only.iter().any(|o| name.contains(o.as_str())))).collect();
    let edges_of = |law: &Law| if edges.is_empty() { law.edges.to_vec() } else { edges.to_vec() };
    let mut jobs: Vec<(usize, usize)> =
        some.iter().enumerate().flat_map(|(k, law)| edges_of(law).into_iter().map(move |n| (k, n))).collect();
    // The long ones first, so that none is left alone at the end.
    jobs.sort_by_key(|&(k, n)| (std::cmp::Reverse(n), k));
    // The failure is reported below, in one line.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let (put, take) = mpsc::channel();
    let failures: Result<usize, String> = std::thread::scope(|scope| {
        let (some, jobs) = (&some, &jobs);
        scope.spawn(move || {
            jobs.par_iter().with_max_len(1).for_each_with(put, |put, &(k, n)| {
                let _ = put.send((k, n, attempt(some[k], n)));
            });
        });
        let mut known: Vec<Vec<(usize, Attempt)>> = some.iter().map(|_| Vec::new()).collect();
        let (mut next, mut failures) = (0, 0);
        for (k, n, result) in take {
            known[k].push((n, result));
            while next < some.len() && known[next].len() == edges_of(some[next]).len() {
                let mut of_law = std::mem::take(&mut known[next]);
                of_law.sort_by_key(|(n, _)| *n);
                let mut all = Vec::new();
                for (_, result) in of_law {
                    match result {
                        Ok(lines) => all.extend(lines),
                        Err(why) => {
                            failures += 1;
                            eprintln!("withy: {why}");
                        }
                    }
                }
                all.extend(orders(some[next], &all));
                for line in &all {
                    print(line, json)?;
                }
                next += 1;
            }
        }
        Ok(failures)
    });
    std::panic::set_hook(hook);
    match failures? {
        0 => Ok(()),
        n => Err(format!("{n} of {} runs failed", jobs.len())),
    }
}

fn print(l: &Line, json: bool) -> Result<(), String> {
    let text = if json {
        l.json()
    } else {
        let (n, error) = (l.n, l.relative_error());
        format!("{:<34} n {n:>4}  expected {:>13.7}  got {:>13.7}  error {error:.2e}", l.test, l.expected, l.got)
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|e| e.to_string())
}
