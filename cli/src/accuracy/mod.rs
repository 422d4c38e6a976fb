//! `withy accuracy`: the laws that a compliant ghost rod must meet, one file a group.
//!
//! Every law is a pure function of the number of edges, so that the order of convergence can be measured: a law that is met by
//! fitting has no slope of 2.

pub mod bending;
pub mod buckling;
pub mod dynamics;
pub mod friction;
pub mod reference;
pub mod rod;
pub mod twisting;

use std::io::Write;

/// One or several laws that one rod answers.
pub struct Law {
    pub names: &'static [&'static str],
    /// Numbers of edges, ascending.
    pub edges: &'static [usize],
    /// True where the error is that of the discretisation, so that its order is printed.
    pub slope: bool,
    /// For n edges and each name: [expected, got].
    pub run: fn(usize) -> Vec<[f64; 2]>,
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
            r#"{{"test":"{}","model":"ghost","n":{},"expected":{:.9},"got":{:.9},"relative_error":{:.3e}}}"#,
            self.test,
            self.n,
            self.expected,
            self.got,
            self.relative_error()
        )
    }
}

/// The order of convergence: the least-squares slope of ln|error| over ln(1/n).
pub fn order(lines: &[Line]) -> f64 {
    let points: Vec<(f64, f64)> = lines.iter().map(|l| (-(l.n as f64).ln(), l.relative_error().max(1e-300).ln())).collect();
    let m = points.len() as f64;
    let (sx, sy) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
    let (mx, my) = (sx / m, sy / m);
    let (xy, xx) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + (p.0 - mx) * (p.1 - my), s.1 + (p.0 - mx).powi(2)));
    xy / xx
}

pub fn laws() -> impl Iterator<Item = &'static Law> {
    [bending::LAWS, buckling::LAWS, twisting::LAWS, dynamics::LAWS, friction::LAWS].into_iter().flatten()
}

/// The lines of one law for these numbers of edges, and those of its slopes.
pub fn lines(law: &Law, edges: &[usize], mut put: impl FnMut(&Line)) -> Vec<Line> {
    let mut all = Vec::new();
    for &n in edges {
        for (name, [expected, got]) in law.names.iter().zip((law.run)(n)) {
            let line = Line { test: name.to_string(), n, expected, got };
            put(&line);
            all.push(line);
        }
    }
    if law.slope && edges.len() > 1 {
        for name in law.names {
            let of_name: Vec<Line> = all.iter().filter(|l| l.test == *name).cloned().collect();
            let got = order(&of_name);
            let line = Line { test: format!("{name}_order"), n: edges[edges.len() - 1], expected: 2.0, got };
            put(&line);
            all.push(line);
        }
    }
    all
}

/// Runs every law whose name contains one of `only` (all, if it is empty), and prints a line as soon as it is known. `list`
/// names them.
pub fn run_some(json: bool, only: &[String]) -> Result<(), String> {
    if only == ["list"] {
        laws().flat_map(|law| law.names).for_each(|name| println!("{name}"));
        return Ok(());
    }
    if let Some(o) = only.iter().find(|o| !laws().any(|law| law.names.iter().any(|name| name.contains(o.as_str())))) {
        return Err(format!("no law is called {o}; `withy accuracy list` names them"));
    }
    let mut failed = None;
    for law in laws().filter(|l| only.is_empty() || l.names.iter().any(|name| only.iter().any(|o| name.contains(o.as_str())))) {
        lines(law, law.edges, |line| {
            let mut out = std::io::stdout().lock();
            let text = if json {
                line.json()
            } else {
                let l = line;
                format!(
                    "{:<34} n {:>4}  expected {:>13.7}  got {:>13.7}  error {:.2e}",
                    l.test,
                    l.n,
                    l.expected,
                    l.got,
                    l.relative_error()
                )
            };
            if let Err(e) = writeln!(out, "{text}").and_then(|()| out.flush()) {
                failed = Some(e.to_string());
            }
        });
    }
    failed.map_or(Ok(()), Err)
}
