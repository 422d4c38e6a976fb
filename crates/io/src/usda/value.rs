//! Typed values out of places in the text: numbers, tuples and arrays of them, tokens.

use super::lex::{Lexer, Span, Token, shown};
use super::parse::Attribute;
use crate::error::IoError;
use std::str::FromStr;

/// Blocked by `None`, or an empty array.
fn is_blank(lexer: &Lexer, span: Span) -> bool {
    let text = &lexer.text[span.start..span.end];
    text == "None"
        || text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).is_some_and(|inside| inside.trim().is_empty())
}

/// The value of an attribute at the earliest sample that holds something, or its default. `None` if it has neither.
pub(super) fn first_value(lexer: &Lexer, attribute: &Attribute) -> Result<Option<Span>, IoError> {
    let value = match attribute.samples {
        Some(samples) => earliest_sample(lexer, attribute.name, samples)?.or(attribute.value),
        None => attribute.value,
    };
    Ok(value.filter(|&span| !is_blank(lexer, span)))
}

/// `{ 1: value, 2.5: value, }`: the value with the smallest time, but for blank ones.
fn earliest_sample(lexer: &Lexer, name: &str, samples: Span) -> Result<Option<Span>, IoError> {
    let mut at = lexer.within(samples);
    at.expect(b'{', name)?;
    let mut earliest: Option<(f64, Span)> = None;
    loop {
        let start = at.at;
        let word = match at.next()? {
            Token::Mark(b'}') => return Ok(earliest.map(|(_, span)| span)),
            Token::Mark(b',') => continue,
            Token::Word(word) => word,
            found => {
                return Err(at.error_at(start, format!("{name}.timeSamples"), &format!("has {} for a time", shown(found))));
            }
        };
        if !word.ends_with(':') && at.next()? != Token::Word(":") {
            return Err(at.error_at(start, format!("{name}.timeSamples"), "has a time without ':'").value(word));
        }
        let time: f64 = number(&at, word.trim_end_matches(':'), &format!("{name}.timeSamples"), None)?;
        let value = at.skip_value(name)?;
        if !is_blank(&at, value) && earliest.is_none_or(|(first, _)| time < first) {
            earliest = Some((time, value));
        }
    }
}

fn number<T: FromStr>(lexer: &Lexer, word: &str, field: &str, index: Option<usize>) -> Result<T, IoError> {
    word.parse().map_err(|_| {
        let mut error = lexer.error(field, "is not a number of the expected kind").value(shown(Token::Word(word)));
        error.index = index.map(|index| index as u64);
        error
    })
}

/// `[(a, b, c), ...]` with `N` numbers per element, or `[a, b, ...]` for `N = 1`.
pub(super) fn array<T: FromStr + Copy + Default, const N: usize>(
    lexer: &Lexer,
    span: Span,
    field: &str,
) -> Result<Vec<[T; N]>, IoError> {
    let mut at = lexer.within(span);
    at.expect(b'[', field)?;
    let mut values = Vec::new();
    loop {
        match at.peek()? {
            Token::Mark(b']') => {
                at.next()?;
                return Ok(values);
            }
            Token::Mark(b',') if !values.is_empty() => {
                at.next()?;
                if at.peek()? == Token::Mark(b']') {
                    continue;
                }
            }
            _ if values.is_empty() => {}
            found => {
                return Err(at.error(field, &format!("has {} for a comma", shown(found))).index(values.len()));
            }
        }
        values.push(tuple(&mut at, field, values.len())?);
    }
}

/// One element: a number for `N = 1`, else `(a, b, ...)`.
fn tuple<T: FromStr + Copy + Default, const N: usize>(at: &mut Lexer, field: &str, index: usize) -> Result<[T; N], IoError> {
    let mut element = [T::default(); N];
    let mark = |at: &mut Lexer, mark: u8| match at.next()? {
        Token::Mark(found) if found == mark => Ok(()),
        found => {
            let reason = format!("has {} where a {N}-tuple needs '{}'", shown(found), mark as char);
            Err(at.error(field, &reason).index(index))
        }
    };
    for (k, slot) in element.iter_mut().enumerate() {
        if N > 1 {
            mark(at, if k == 0 { b'(' } else { b',' })?;
        }
        *slot = match at.next()? {
            Token::Word(word) => number(at, word, field, Some(index))?,
            found => return Err(at.error(field, &format!("has {} for a number", shown(found))).index(index)),
        };
    }
    if N > 1 {
        mark(at, b')')?;
    }
    Ok(element)
}

/// One tuple, or one number for `N = 1`.
pub(super) fn single<const N: usize>(lexer: &Lexer, span: Span, field: &str) -> Result<[f64; N], IoError> {
    let value = tuple::<f64, N>(&mut lexer.within(span), field, 0)?;
    match value.iter().find(|x| !x.is_finite()) {
        Some(x) => Err(lexer.error_at(span.start, field, "is not finite").value(x)),
        None => Ok(value),
    }
}

/// `((a, b, c, d), ...)`: four rows.
pub(super) fn matrix(lexer: &Lexer, span: Span, field: &str) -> Result<[[f64; 4]; 4], IoError> {
    let mut at = lexer.within(span);
    at.expect(b'(', field)?;
    let mut rows = [[0.0f64; 4]; 4];
    for (k, row) in rows.iter_mut().enumerate() {
        if k > 0 {
            at.expect(b',', field)?;
        }
        *row = tuple(&mut at, field, k)?;
    }
    at.expect(b')', field)?;
    match rows.iter().flatten().position(|x| !x.is_finite()) {
        Some(index) => Err(at.error(field, "is not finite").index(index).value(rows[index / 4][index % 4])),
        None => Ok(rows),
    }
}

/// `"token"`.
pub(super) fn token<'a>(lexer: &Lexer<'a>, span: Span, field: &str) -> Result<&'a str, IoError> {
    match lexer.within(span).next()? {
        Token::String(token) => Ok(token),
        found => Err(lexer.error_at(span.start, field, &format!("is {}, not a token", shown(found)))),
    }
}

/// `["token", ...]`.
pub(super) fn tokens<'a>(lexer: &Lexer<'a>, span: Span, field: &str) -> Result<Vec<&'a str>, IoError> {
    let mut at = lexer.within(span);
    at.expect(b'[', field)?;
    let mut tokens = Vec::new();
    loop {
        match at.next()? {
            Token::Mark(b']') => return Ok(tokens),
            Token::Mark(b',') => {}
            Token::String(token) => tokens.push(token),
            found => {
                return Err(at.error(field, &format!("has {} for a token", shown(found))).index(tokens.len()));
            }
        }
    }
}
