//! A prim's transform: `xformOpOrder` and its ops as one matrix.
//!
//! Source: class documentation of UsdGeomXformable and UsdGeomXformOp. Matrices are as USD writes them: row vectors,
//! `p' = p M`, translation in the last row. The first op of the order is the outermost, so that the product runs backwards:
//! `["translate", "rotateXYZ", "scale"]` is `S R T`. `rotateXYZ` turns about X first: `Rx Ry Rz`.

use super::lex::Lexer;
use super::parse::{Attribute, Layer, Prim};
use super::value::{first_value, matrix, single, tokens};
use crate::error::IoError;
use withy_math::approx::sin_cos;

pub(super) type Matrix = [[f64; 4]; 4];

pub(super) const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Of each prim, from its own space to the stage's. One pass, parents come first: asking each prim's ancestors anew would
/// let a small hostile file cost hours.
pub(super) fn local_to_world(layer: &Layer) -> Result<Vec<Matrix>, IoError> {
    let mut worlds: Vec<Matrix> = Vec::with_capacity(layer.prims.len());
    for prim in &layer.prims {
        let (local, resets) = if prim.is_present {
            local_transform(&layer.lexer, prim).map_err(|error| prim.blame(error))?
        } else {
            (IDENTITY, false)
        };
        worlds.push(match prim.parent {
            Some(parent) if !resets => multiply(&local, &worlds[parent]),
            _ => local,
        });
    }
    Ok(worlds)
}

fn local_transform(lexer: &Lexer, prim: &Prim) -> Result<(Matrix, bool), IoError> {
    let mut local = IDENTITY;
    let Some(order) = prim.attribute("xformOpOrder") else {
        return Ok((local, false));
    };
    let Some(span) = first_value(lexer, order)? else {
        return Ok((local, false));
    };
    let mut resets = false;
    for op in tokens(lexer, span, "xformOpOrder")? {
        if op == "!resetXformStack!" {
            (local, resets) = (IDENTITY, true);
            continue;
        }
        let (name, inverse) = op.strip_prefix("!invert!").map_or((op, false), |name| (name, true));
        let attribute = prim
            .attribute(name)
            .ok_or_else(|| lexer.error_at(span.start, "xformOpOrder", "names an op that the prim does not have").value(name))?;
        let mut matrix = op_matrix(lexer, attribute)?;
        if inverse {
            matrix = affine_inverse(&matrix)
                .ok_or_else(|| lexer.error_at(span.start, "xformOpOrder", "inverts a singular op").value(name))?;
        }
        local = multiply(&matrix, &local);
    }
    Ok((local, resets))
}

/// The matrix of one op, `xformOp:<type>[:suffix]`.
fn op_matrix(lexer: &Lexer, op: &Attribute) -> Result<Matrix, IoError> {
    let Some(span) = first_value(lexer, op)? else {
        return Ok(IDENTITY);
    };
    let field = op.name;
    let kind = field.split(':').nth(1).unwrap_or("");
    let axis_of = |name: u8| match name {
        b'X' => 0,
        b'Y' => 1,
        _ => 2,
    };
    let result = match kind {
        "translate" => translation(single::<3>(lexer, span, field)?),
        "scale" => scaling(single::<3>(lexer, span, field)?),
        "transform" => matrix(lexer, span, field)?,
        "orient" => {
            let [w, x, y, z] = single::<4>(lexer, span, field)?;
            quaternion(w, x, y, z)
        }
        "translateX" | "translateY" | "translateZ" | "scaleX" | "scaleY" | "scaleZ" => {
            let [value] = single::<1>(lexer, span, field)?;
            let axis = axis_of(kind.as_bytes()[kind.len() - 1]);
            let is_scale = kind.starts_with("scale");
            let mut values = [if is_scale { 1.0 } else { 0.0 }; 3];
            values[axis] = value;
            if is_scale { scaling(values) } else { translation(values) }
        }
        "rotateX" | "rotateY" | "rotateZ" => {
            let [degrees] = single::<1>(lexer, span, field)?;
            rotation(axis_of(kind.as_bytes()[6]), degrees)
        }
        "rotateXYZ" | "rotateXZY" | "rotateYXZ" | "rotateYZX" | "rotateZXY" | "rotateZYX" => {
            let degrees = single::<3>(lexer, span, field)?;
            let mut product = IDENTITY;
            for &name in &kind.as_bytes()[6..] {
                product = multiply(&product, &rotation(axis_of(name), degrees[axis_of(name)]));
            }
            product
        }
        _ => return Err(lexer.error_at(span.start, field, "is no transform operation of USD")),
    };
    Ok(result)
}

fn translation(t: [f64; 3]) -> Matrix {
    let mut m = IDENTITY;
    m[3][..3].copy_from_slice(&t);
    m
}

fn scaling(s: [f64; 3]) -> Matrix {
    let mut m = IDENTITY;
    for axis in 0..3 {
        m[axis][axis] = s[axis];
    }
    m
}

fn rotation(axis: usize, degrees: f64) -> Matrix {
    let (sin, cos) = sin_cos(degrees * (std::f64::consts::PI / 180.0));
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut m = IDENTITY;
    (m[a][a], m[a][b], m[b][a], m[b][b]) = (cos, sin, -sin, cos);
    m
}

fn quaternion(w: f64, x: f64, y: f64, z: f64) -> Matrix {
    let norm = w * w + x * x + y * y + z * z;
    let s = if norm > 0.0 { 2.0 / norm } else { 0.0 };
    [
        [1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y), 0.0],
        [s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x), 0.0],
        [s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y), 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let mut product = [[0.0; 4]; 4];
    for row in 0..4 {
        for column in 0..4 {
            product[row][column] = (0..4).map(|k| a[row][k] * b[k][column]).sum();
        }
    }
    product
}

/// Determinant of the linear part.
pub(super) fn determinant(m: &Matrix) -> f64 {
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
}

fn affine_inverse(m: &Matrix) -> Option<Matrix> {
    let det = determinant(m);
    if det == 0.0 || !(1.0 / det).is_finite() {
        return None;
    }
    let mut inverse = IDENTITY;
    for (row, values) in inverse.iter_mut().enumerate().take(3) {
        for (column, value) in values.iter_mut().enumerate().take(3) {
            // Cofactors by cyclic indices, which carry the sign.
            let (a, b, c, d) = ((column + 1) % 3, (row + 1) % 3, (column + 2) % 3, (row + 2) % 3);
            *value = (m[a][b] * m[c][d] - m[a][d] * m[c][b]) / det;
        }
    }
    let origin = transform(&inverse, [m[3][0], m[3][1], m[3][2]]);
    inverse[3] = [-origin[0], -origin[1], -origin[2], 1.0];
    Some(inverse)
}

pub(super) fn transform(m: &Matrix, p: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|column| p[0] * m[0][column] + p[1] * m[1][column] + p[2] * m[2][column] + m[3][column])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &Matrix, b: &Matrix) -> bool {
        a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    #[test]
    fn inverse_undoes() {
        let m = multiply(&multiply(&scaling([2.0, -3.0, 0.5]), &rotation(1, 33.0)), &translation([1.0, 2.0, 3.0]));
        assert!(close(&multiply(&m, &affine_inverse(&m).unwrap()), &IDENTITY));
        assert!(affine_inverse(&scaling([1.0, 0.0, 1.0])).is_none());
    }

    #[test]
    fn quaternion_and_rotation_agree() {
        let (sin, cos) = sin_cos(25.0f64.to_radians());
        assert!(close(&quaternion(cos, 0.0, 0.0, sin), &rotation(2, 50.0)));
        assert!(close(&quaternion(3.0 * cos, 3.0 * sin, 0.0, 0.0), &rotation(0, 50.0)));
    }

    #[test]
    fn quarter_turn_about_z_takes_x_to_y() {
        let p = transform(&rotation(2, 90.0), [1.0, 0.0, 0.0]);
        assert!((p[0].abs() + (p[1] - 1.0).abs() + p[2].abs()) < 1e-15);
    }
}
