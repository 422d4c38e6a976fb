//! Tokens of `.usda` text, and how to step over a value that nobody asked for.
//!
//! Source: the text file format's grammar in OpenUSD (`pxr/usd/sdf/textFileFormatParser`), seen from the outside: words,
//! strings in one or three quotes of either kind, `@asset@` and `@@@asset@@@`, `</path>`, punctuation, comments.

use crate::error::IoError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// An identifier, keyword, number or property name: `def`, `xformOp:rotateX`, `points.timeSamples`, `-1e-7`.
    Word(&'a str),
    /// Without its quotes; escapes are left as they are.
    String(&'a str),
    Asset,
    Path,
    Mark(u8),
    End,
}

/// Brackets nest no deeper in any value that USD writes; prims nest deeper only by design of an attacker.
pub(super) const MAX_DEPTH: usize = 256;

#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    pub text: &'a str,
    pub at: usize,
    pub end: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0, end: text.len() }
    }

    /// The same text, restricted to `span`.
    pub fn within(&self, span: Span) -> Lexer<'a> {
        Lexer { text: self.text, at: span.start, end: span.end }
    }

    /// An error that ends in the line of byte `at`.
    pub fn error_at(&self, at: usize, field: impl Into<String>, reason: &str) -> IoError {
        let line = 1 + self.text.as_bytes()[..at.min(self.text.len())].iter().filter(|&&byte| byte == b'\n').count();
        IoError::new("usda", field, format!("{reason} (line {line})"))
    }

    pub fn error(&self, field: impl Into<String>, reason: &str) -> IoError {
        self.error_at(self.at, field, reason)
    }

    pub fn peek(&self) -> Result<Token<'a>, IoError> {
        let mut ahead = *self;
        ahead.next()
    }

    pub fn next(&mut self) -> Result<Token<'a>, IoError> {
        self.skip_blanks()?;
        let bytes = &self.text.as_bytes()[..self.end];
        let Some(&first) = bytes.get(self.at) else {
            return Ok(Token::End);
        };
        match first {
            b'"' | b'\'' => self.string(first),
            b'@' => self.asset(),
            b'<' => {
                self.at = self.find(self.at + 1, ">").ok_or_else(|| self.error("path", "has no closing >"))? + 1;
                Ok(Token::Path)
            }
            byte if is_word(byte) => {
                let length = bytes[self.at..].iter().take_while(|&&byte| is_word(byte)).count();
                let word = &self.text[self.at..self.at + length];
                self.at += length;
                Ok(Token::Word(word))
            }
            mark => {
                self.at += 1;
                Ok(Token::Mark(mark))
            }
        }
    }

    pub fn expect(&mut self, mark: u8, after: &str) -> Result<(), IoError> {
        let at = self.at;
        match self.next()? {
            Token::Mark(found) if found == mark => Ok(()),
            found => Err(self.error_at(at, after, &format!("is followed by {}, not by '{}'", shown(found), mark as char))),
        }
    }

    /// Steps over one value of any type and says where it was.
    pub fn skip_value(&mut self, field: &str) -> Result<Span, IoError> {
        self.skip_blanks()?;
        let start = self.at;
        match self.next()? {
            Token::Mark(open @ (b'(' | b'[' | b'{')) => self.skip_to_close(open, field)?,
            Token::Word(_) | Token::String(_) | Token::Path => {}
            Token::Asset => {
                // `@layer@</prim>` is one value.
                if self.peek()? == Token::Path {
                    self.next()?;
                }
            }
            found => return Err(self.error_at(start, field, &format!("has no value, {} stands there", shown(found)))),
        }
        Ok(Span { start, end: self.at })
    }

    /// Steps past the bracket that closes `open`, which has just been read.
    pub fn skip_to_close(&mut self, open: u8, field: &str) -> Result<(), IoError> {
        let start = self.at;
        let mut stack = [0u8; MAX_DEPTH];
        stack[0] = open;
        let mut depth = 1;
        while depth > 0 {
            match self.next()? {
                Token::Mark(open @ (b'(' | b'[' | b'{')) => {
                    if depth == MAX_DEPTH {
                        return Err(self.error(field, &format!("nests brackets deeper than {MAX_DEPTH}")));
                    }
                    stack[depth] = open;
                    depth += 1;
                }
                Token::Mark(close @ (b')' | b']' | b'}')) => {
                    depth -= 1;
                    let expected = match stack[depth] {
                        b'(' => b')',
                        b'[' => b']',
                        _ => b'}',
                    };
                    if close != expected {
                        let reason = format!("closes '{}' with '{}'", stack[depth] as char, close as char);
                        return Err(self.error(field, &reason));
                    }
                }
                Token::End => return Err(self.error_at(start, field, "opens a bracket that the file never closes")),
                _ => {}
            }
        }
        Ok(())
    }

    fn skip_blanks(&mut self) -> Result<(), IoError> {
        let bytes = &self.text.as_bytes()[..self.end];
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'#') => self.skip_line(),
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'/') => self.skip_line(),
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'*') => {
                    self.at = self.find(self.at + 2, "*/").ok_or_else(|| self.error("comment", "has no closing */"))? + 2;
                }
                _ => return Ok(()),
            }
        }
    }

    fn skip_line(&mut self) {
        self.at = self.find(self.at, "\n").unwrap_or(self.end);
    }

    fn find(&self, from: usize, what: &str) -> Option<usize> {
        let found = self.text.get(from..self.end)?.find(what)?;
        Some(from + found)
    }

    fn string(&mut self, quote: u8) -> Result<Token<'a>, IoError> {
        let bytes = &self.text.as_bytes()[..self.end];
        let triple = bytes[self.at..].starts_with(&[quote; 3]);
        let width = if triple { 3 } else { 1 };
        let start = self.at + width;
        let mut at = start;
        loop {
            match bytes.get(at) {
                None => return Err(self.error("string", "has no closing quote")),
                Some(b'\n') if !triple => return Err(self.error("string", "runs over the end of its line")),
                Some(b'\\') => at += 2,
                Some(&byte) if byte == quote && bytes[at..].starts_with(&[quote; 3][..width]) => break,
                Some(_) => at += 1,
            }
        }
        self.at = at + width;
        Ok(Token::String(&self.text[start..at]))
    }

    fn asset(&mut self) -> Result<Token<'a>, IoError> {
        let fence = if self.text[self.at..self.end].starts_with("@@@") { "@@@" } else { "@" };
        let from = self.at + fence.len();
        self.at = self.find(from, fence).ok_or_else(|| self.error("asset path", "has no closing @"))? + fence.len();
        Ok(Token::Asset)
    }
}

/// A value's place in the text. Values are parsed only when somebody wants them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'-' | b'+' | b'!') || byte >= 0x80
}

pub(super) fn shown(token: Token) -> String {
    match token {
        // A hostile file's word can be its whole size.
        Token::Word(word) | Token::String(word) => format!("\"{}\"", word.chars().take(40).collect::<String>()),
        Token::Asset => "an asset path".into(),
        Token::Path => "a path".into(),
        Token::Mark(mark) if mark.is_ascii_graphic() => format!("'{}'", mark as char),
        Token::Mark(mark) => format!("byte {mark:#04x}"),
        Token::End => "the end of the file".into(),
    }
}
