//! A text file as words between white space, with the line for errors.

use super::super::error::IoError;
use std::borrow::Cow;

/// Text of a file that may have a byte order mark.
pub(super) fn text_of<'a>(format: &'static str, data: &'a [u8]) -> Result<&'a str, IoError> {
    let data = data.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(data);
    std::str::from_utf8(data)
        .map_err(|error| IoError::new(format, "text", "is where the file stops being UTF-8").index(error.valid_up_to()))
}

/// The same of a file that may be in Latin-1, as old exporters write.
pub(super) fn any_text_of<'a>(format: &'static str, data: &'a [u8]) -> Cow<'a, str> {
    match text_of(format, data) {
        Ok(text) => text.into(),
        Err(_) => data.iter().map(|&byte| byte as char).collect::<String>().into(),
    }
}

pub(super) struct Words<'a> {
    format: &'static str,
    text: &'a str,
    /// Where the next word is looked for, and where the last one began.
    at: usize,
    began: usize,
}

impl<'a> Words<'a> {
    pub fn new(format: &'static str, text: &'a str) -> Words<'a> {
        Words { format, text, at: 0, began: 0 }
    }

    pub fn next(&mut self) -> Option<&'a str> {
        let rest = &self.text.as_bytes()[self.at..];
        let start = self.at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let rest = &self.text.as_bytes()[start..];
        let end = start + rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        (self.began, self.at) = (start, end);
        self.text.get(start..end)
    }

    /// What a word that was read last has beside `start`, to be read next: `Frames:2`.
    pub fn split_after(&mut self, start: &str) {
        self.at = self.began + start.len();
    }

    /// The bytes that no word was taken from yet.
    pub fn left(&self) -> usize {
        self.text.len() - self.at
    }

    /// The next word; `field` is what it should be.
    pub fn word(&mut self, field: &str) -> Result<&'a str, IoError> {
        match self.next() {
            Some(word) => Ok(word),
            None => Err(IoError::new(self.format, field, "is where the file ends")),
        }
    }

    pub fn number(&mut self, field: &str) -> Result<f64, IoError> {
        let word = self.word(field)?;
        word.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| self.error(field, "is not a finite number"))
    }

    pub fn count(&mut self, field: &str) -> Result<usize, IoError> {
        let word = self.word(field)?;
        word.parse::<u32>().map(|value| value as usize).map_err(|_| self.error(field, "is not a count"))
    }

    /// Text in quotes, with `\n`, `\t`, `\"` and `\\`.
    pub fn quoted(&mut self, field: &str) -> Result<String, IoError> {
        let word = self.word(field)?;
        if !word.starts_with('"') {
            return Err(self.error(field, "is not in quotes"));
        }
        self.at = self.began + 1;
        let mut value = String::new();
        let mut escaped = false;
        for (offset, letter) in self.text[self.at..].char_indices() {
            match (escaped, letter) {
                (false, '"') => {
                    self.at += offset + 1;
                    return Ok(value);
                }
                (false, '\\') => {
                    escaped = true;
                    continue;
                }
                (true, 'n') => value.push('\n'),
                (true, 't') => value.push('\t'),
                _ => value.push(letter),
            }
            escaped = false;
        }
        Err(self.error(field, "has no closing quote"))
    }

    /// Blames the word read last.
    pub fn error(&self, field: &str, reason: &str) -> IoError {
        let line = 1 + self.text.as_bytes()[..self.began].iter().filter(|&&byte| byte == b'\n').count();
        let word: String = self.text[self.began..].split_ascii_whitespace().next().unwrap_or("").chars().take(40).collect();
        IoError::new(self.format, field, format!("{reason} (line {line})")).value(format!("\"{word}\""))
    }
}
