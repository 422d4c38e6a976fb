//! Functions of one coordinate, at one place: what OpenSim's joints are made of.

use super::xml::{child, numbers, text, wrong};
use crate::error::IoError;
use roxmltree::Node;

/// The value of a function at `x`. `None`: it is of a kind that is not known here.
pub fn value(node: Node<'_, '_>, x: f64) -> Result<Option<f64>, IoError> {
    deep_value(node, x, 0)
}

fn deep_value(node: Node<'_, '_>, x: f64, depth: usize) -> Result<Option<f64>, IoError> {
    let list = |tag: &str| match child(node, tag) {
        Some(found) => numbers(found),
        None => Err(wrong(node, format!("has no <{tag}>"))),
    };
    Ok(match node.tag_name().name() {
        "Constant" => list("value")?.first().copied(),
        "LinearFunction" => {
            let c = list("coefficients")?;
            let [slope, at] = c[..] else {
                return Err(wrong(node, "coefficients, must have 2").value(format!("has {}", c.len())));
            };
            Some(slope * x + at)
        }
        // From the highest power on.
        "PolynomialFunction" => Some(list("coefficients")?.into_iter().fold(0.0, |sum, c| sum * x + c)),
        "MultiplierFunction" => {
            let scale = text(node, "scale").map_or(Ok(1.0), |_| list("scale").map(|s| s.first().copied().unwrap_or(1.0)))?;
            let inner = child(node, "function").and_then(|f| f.children().find(Node::is_element));
            // The file's name for the inner function may be on the function itself.
            let inner = inner.or_else(|| node.children().find(|c| c.attribute("name") == Some("function")));
            match inner {
                Some(inner) if depth < 8 => deep_value(inner, x, depth + 1)?.map(|v| scale * v),
                Some(_) => return Err(wrong(node, "multiplies multipliers, more than 8 deep")),
                None => return Err(wrong(node, "has no <function>")),
            }
        }
        "SimmSpline" | "NaturalCubicSpline" | "PiecewiseLinearFunction" => {
            let (at, values) = (list("x")?, list("y")?);
            if at.len() != values.len() || at.is_empty() || at.windows(2).any(|p| p[1] <= p[0]) {
                return Err(wrong(node, "must have as many <x>, increasing, as <y>"));
            }
            let linear = node.tag_name().name() == "PiecewiseLinearFunction";
            Some(spline(&at, &values, x, linear))
        }
        _ => None,
    })
}

/// Through points, straight on beyond them: a natural cubic spline, or straight between them.
pub fn spline(at: &[f64], values: &[f64], x: f64, linear: bool) -> f64 {
    let n = at.len();
    if n == 1 {
        return values[0];
    }
    // Second derivatives at the points, 0 at both ends: a tridiagonal system.
    let mut second = vec![0.0; n];
    if !linear && n > 2 {
        let (mut upper, mut right) = (vec![0.0; n], vec![0.0; n]);
        for i in 1..n - 1 {
            let (a, b) = (at[i] - at[i - 1], at[i + 1] - at[i]);
            let slope = (values[i + 1] - values[i]) / b - (values[i] - values[i - 1]) / a;
            let pivot = 2.0 * (a + b) - a * upper[i - 1];
            upper[i] = b / pivot;
            right[i] = (6.0 * slope - a * right[i - 1]) / pivot;
        }
        for i in (1..n - 1).rev() {
            second[i] = right[i] - upper[i] * second[i + 1];
        }
    }
    let i = at.partition_point(|&a| a <= x).clamp(1, n - 1) - 1;
    let h = at[i + 1] - at[i];
    let slope = (values[i + 1] - values[i]) / h;
    let inside = x.clamp(at[i], at[i + 1]);
    let t = (inside - at[i]) / h;
    let bend = |t: f64| (t * t * t - t) * h * h / 6.0;
    let y = values[i] + slope * (inside - at[i]) + bend(t) * second[i + 1] + bend(1.0 - t) * second[i];
    let end = slope + h / 6.0 * if t < 0.5 { -2.0 * second[i] - second[i + 1] } else { second[i] + 2.0 * second[i + 1] };
    y + (x - inside) * end
}
