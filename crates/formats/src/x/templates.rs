//! Templates: the layout of objects, which files may define.

use std::collections::HashMap;

use super::container::Source;
use super::lexer::{Fault, Lexer, Token, unexpected};
use crate::text;

/// Templates of DirectX that templates of files use as members.
const STANDARD: &str = "
    template Vector { FLOAT x; FLOAT y; FLOAT z; }
    template Coords2d { FLOAT u; FLOAT v; }
    template Quaternion { FLOAT s; Vector v; }
    template Matrix4x4 { array FLOAT matrix[16]; }
    template ColorRGBA { FLOAT red; FLOAT green; FLOAT blue; FLOAT alpha; }
    template ColorRGB { FLOAT red; FLOAT green; FLOAT blue; }
    template IndexedColor { DWORD index; ColorRGBA indexColor; }
    template Boolean { DWORD truefalse; }
    template Boolean2d { Boolean u; Boolean v; }
    template MeshFace { DWORD nFaceVertexIndices; array DWORD faceVertexIndices[nFaceVertexIndices]; }
    template FloatKeys { DWORD nValues; array FLOAT values[nValues]; }
    template TimedFloatKeys { DWORD time; FloatKeys tfkeys; }
";

/// The layout of an object.
pub(super) struct Template {
    /// In lower case.
    name: Vec<u8>,
    pub(super) members: Vec<Member>,
}

pub(super) struct Member {
    pub(super) kind: MemberKind,
    pub(super) name: String,
    /// The lengths of an array along its dimensions.
    pub(super) lengths: Vec<Length>,
}

pub(super) enum MemberKind {
    Integer,
    Float,
    Text,
    /// The name of a template, in lower case.
    Template(Vec<u8>),
}

pub(super) enum Length {
    Number(u32),
    /// The name of an earlier member.
    Member(String),
}

impl Template {
    /// Reads a definition after the word `template`.
    pub(super) fn read(lexer: &mut Lexer<'_>) -> Result<Self, Fault> {
        let mut template = match lexer.next()? {
            (Token::Word(name), _) => Self { name: name.to_ascii_lowercase(), members: Vec::new() },
            (token, at) => return Err(unexpected(token, at, "the name of a template")),
        };
        match lexer.next()? {
            (Token::Open, _) => {}
            (token, at) => return Err(unexpected(token, at, "an opening brace")),
        }
        loop {
            match lexer.next()? {
                (Token::Close, _) => return Ok(template),
                (Token::Guid(_) | Token::Separator, _) => {}
                // The templates of objects that may be nested.
                (Token::Symbol(b'['), _) => loop {
                    match lexer.next()? {
                        (Token::Symbol(b']'), _) => break,
                        (token @ Token::End, at) => return Err(unexpected(token, at, "a closing bracket")),
                        _ => {}
                    }
                },
                (Token::Word(word), _) => {
                    let is_array = word.eq_ignore_ascii_case(b"array");
                    let kind = match if is_array { lexer.next()? } else { (Token::Word(word), 0) } {
                        (Token::Word(kind), _) => MemberKind::named(kind),
                        (token, at) => return Err(unexpected(token, at, "the type of an array")),
                    };
                    template.members.push(Member::read(lexer, kind)?);
                }
                (token, at) => return Err(unexpected(token, at, "a member of a template")),
            }
        }
    }
}

impl MemberKind {
    fn named(name: &[u8]) -> Self {
        let lower = name.to_ascii_lowercase();
        match &lower[..] {
            b"word" | b"dword" | b"sword" | b"sdword" | b"char" | b"uchar" | b"byte" => Self::Integer,
            b"float" | b"double" => Self::Float,
            b"string" | b"lpstr" | b"cstring" | b"unicode" => Self::Text,
            _ => Self::Template(lower),
        }
    }
}

impl Member {
    /// Reads the name and the lengths of a member, up to its semicolon.
    fn read(lexer: &mut Lexer<'_>, kind: MemberKind) -> Result<Self, Fault> {
        let mut member = Self { kind, name: String::new(), lengths: Vec::new() };
        loop {
            match lexer.next()? {
                (Token::Separator, _) => return Ok(member),
                (Token::Word(name), _) => member.name = text::name(name),
                (Token::Symbol(b'['), _) => {
                    member.lengths.push(match lexer.next()? {
                        (Token::Integer(length), _) => Length::Number(length),
                        (Token::Word(word), _) if text::is_number(word) => {
                            Length::Number(text::number(word) as u32)
                        }
                        (Token::Word(name), _) => Length::Member(text::name(name)),
                        (token, at) => return Err(unexpected(token, at, "the length of an array")),
                    });
                    match lexer.next()? {
                        (Token::Symbol(b']'), _) => {}
                        (token, at) => return Err(unexpected(token, at, "a closing bracket")),
                    }
                }
                (token, at) => return Err(unexpected(token, at, "the name of a member")),
            }
        }
    }
}

/// All templates of a file, by their names in lower case.
pub(super) struct Templates(HashMap<Vec<u8>, Template>);

impl Templates {
    pub(super) fn standard() -> Self {
        let source = Source { bytes: STANDARD.as_bytes().into(), binary: false, double: false };
        let mut lexer = Lexer::new(&source, 0);
        let mut templates = Self(HashMap::new());
        while let Ok((Token::Word(_), _)) = lexer.next() {
            let Ok(template) = Template::read(&mut lexer) else { break };
            templates.add(template);
        }
        templates
    }

    pub(super) fn add(&mut self, template: Template) {
        self.0.insert(template.name.clone(), template);
    }

    /// `name` in lower case.
    pub(super) fn get(&self, name: &[u8]) -> Option<&Template> {
        self.0.get(name)
    }
}
