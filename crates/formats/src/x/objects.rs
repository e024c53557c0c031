//! The objects of a file: a tree, with references between its nodes.
//!
//! An object is `Template name { <GUID> values objects }`. Its values are read later, by [`Values`](super::values::Values);
//! until then only their place is known.

use std::collections::{HashMap, HashSet};

use super::container::{HEADER, Source};
use super::kind::Kind;
use super::lexer::{Fault, Lexer, Token, unexpected};
use super::templates::{Template, Templates};
use crate::conversion::Conversion;
use crate::error::{FormatError, Place, codes};
use crate::text;

/// An object.
pub(super) struct Object<'a> {
    pub(super) kind: Kind,
    /// The name of its template.
    pub(super) template: &'a [u8],
    /// May be empty.
    pub(super) name: String,
    guid: u128,
    parent: Option<usize>,
    /// Its offset in the file.
    pub(super) at: usize,
    /// The offset of its values.
    pub(super) data: usize,
    pub(super) children: Vec<Child>,
}

/// A part of an object.
#[derive(Debug, Clone, Copy)]
pub(super) enum Child {
    Object(usize),
    /// An index into [`File::references`].
    Reference(usize),
}

/// `{ name }`, `{ <GUID> }` or both.
pub(super) struct Reference {
    name: String,
    guid: u128,
    pub(super) at: usize,
}

/// A file.
pub(super) struct File<'a> {
    source: &'a Source<'a>,
    pub(super) conversion: &'a Conversion<'a>,
    /// Parents before children.
    pub(super) objects: Vec<Object<'a>>,
    pub(super) references: Vec<Reference>,
    /// The objects that are in no other.
    pub(super) top: Vec<usize>,
    pub(super) templates: Templates,
    by_name: HashMap<Kind, HashMap<String, usize>>,
    by_guid: HashMap<(Kind, u128), usize>,
}

impl<'a> File<'a> {
    /// Reads the structure of a file.
    pub(super) fn read(source: &'a Source<'a>, conversion: &'a Conversion<'a>) -> Result<Self, FormatError> {
        let mut file = Self {
            source,
            conversion,
            objects: Vec::new(),
            references: Vec::new(),
            top: Vec::new(),
            templates: Templates::standard(),
            by_name: HashMap::new(),
            by_guid: HashMap::new(),
        };
        let mut open = Vec::new();
        let mut lexer = Lexer::new(source, HEADER);
        file.read_objects(&mut lexer, &mut open).map_err(|fault| file.error(fault, open.last().copied()))?;
        // The first of several objects counts.
        for (index, object) in file.objects.iter().enumerate().rev() {
            file.by_name.entry(object.kind).or_default().insert(object.name.clone(), index);
            file.by_guid.insert((object.kind, object.guid), index);
        }
        file.warn_of_unknown_templates();
        file.warn_of_missing_objects();
        Ok(file)
    }

    /// A lexer that begins with the values of an object.
    pub(super) fn values(&self, object: usize) -> Lexer<'a> {
        Lexer::new(self.source, self.objects[object].data)
    }

    /// The place of an offset, which is within an object.
    pub(super) fn place(&self, at: usize, object: Option<usize>) -> Place {
        if self.source.binary {
            Place::Binary { offset: at as u64, path: self.path(object) }
        } else {
            text::place(&self.source.bytes, at)
        }
    }

    /// The names of an object and of those around it; of very many, the innermost.
    fn path(&self, object: Option<usize>) -> String {
        let parents = std::iter::successors(object, |&object| self.objects[object].parent);
        let mut names: Vec<_> = parents
            .take(16)
            .map(|object| {
                let Object { template, name, .. } = &self.objects[object];
                let template = text::name(template);
                if name.is_empty() { template } else { format!("{template} {name}") }
            })
            .collect();
        names.reverse();
        names.join("/")
    }

    pub(super) fn error(&self, fault: Fault, object: Option<usize>) -> FormatError {
        FormatError { code: fault.code, message: fault.message, place: self.place(fault.at, object) }
    }

    /// Warns of a fault at the beginning of an object.
    pub(super) fn warn(&self, code: &'static str, message: impl Into<String>, object: usize) {
        self.warn_at(code, message, self.objects[object].at, object);
    }

    pub(super) fn warn_at(&self, code: &'static str, message: impl Into<String>, at: usize, object: usize) {
        self.conversion.warn(code, message, || self.place(at, Some(object)));
    }

    /// Counts memory for an object.
    pub(super) fn spend(&self, bytes: usize, object: usize) -> Result<(), FormatError> {
        self.conversion.spend(bytes, || self.place(self.objects[object].at, Some(object)))
    }

    /// The parts of an object that have a kind, nested or referenced.
    pub(super) fn children(&self, object: usize, kind: Kind) -> impl Iterator<Item = usize> {
        self.objects[object].children.iter().filter_map(move |&child| match child {
            Child::Object(child) => (self.objects[child].kind == kind).then_some(child),
            Child::Reference(reference) => self.find(reference, kind),
        })
    }

    /// The nested parts of an object that have a kind.
    pub(super) fn nested(&self, object: usize, kind: Kind) -> impl Iterator<Item = usize> {
        self.objects[object].children.iter().filter_map(move |&child| match child {
            Child::Object(child) => (self.objects[child].kind == kind).then_some(child),
            Child::Reference(_) => None,
        })
    }

    /// The object of a kind that a reference names.
    pub(super) fn find(&self, reference: usize, kind: Kind) -> Option<usize> {
        let Reference { name, guid, .. } = &self.references[reference];
        let by_guid = self.by_guid.get(&(kind, *guid)).copied().filter(|_| *guid != 0);
        by_guid.or_else(|| self.named(kind, name))
    }

    /// The first object of a kind with a name.
    pub(super) fn named(&self, kind: Kind, name: &str) -> Option<usize> {
        self.by_name.get(&kind)?.get(name).copied().filter(|_| !name.is_empty())
    }

    /// A reference for a message.
    pub(super) fn describe(&self, reference: usize) -> String {
        let Reference { name, guid, .. } = &self.references[reference];
        if name.is_empty() { format!("<{guid:032x}>") } else { text::quoted(name.as_bytes()) }
    }

    fn warn_of_unknown_templates(&self) {
        let mut known = HashSet::new();
        for (index, object) in self.objects.iter().enumerate() {
            let template = object.template.to_ascii_lowercase();
            let is_unknown = object.kind == Kind::Other && self.templates.get(&template).is_none();
            if is_unknown && known.insert(template) {
                let name = text::quoted(object.template);
                let message = format!("The template {name} is unknown; its objects are skipped");
                self.warn(codes::X_UNKNOWN_TEMPLATE, message, index);
            }
        }
    }

    fn warn_of_missing_objects(&self) {
        let names: HashSet<_> = self.objects.iter().map(|object| object.name.as_str()).collect();
        let guids: HashSet<_> = self.objects.iter().map(|object| object.guid).collect();
        for (index, object) in self.objects.iter().enumerate() {
            for &child in &object.children {
                let Child::Reference(reference) = child else { continue };
                let Reference { name, guid, at } = &self.references[reference];
                let found = (*guid != 0 && guids.contains(guid))
                    || (!name.is_empty() && names.contains(name.as_str()));
                if !found {
                    let message = format!("No object is called {}", self.describe(reference));
                    self.warn_at(codes::X_REFERENCE_MISSING, message, *at, index);
                }
            }
        }
    }

    fn read_objects(&mut self, lexer: &mut Lexer<'a>, open: &mut Vec<usize>) -> Result<(), Fault> {
        loop {
            let (token, at) = lexer.next()?;
            match token {
                Token::Word(word) if word.eq_ignore_ascii_case(b"template") => {
                    let template = Template::read(lexer)?;
                    self.templates.add(template);
                }
                Token::Word(word) if !text::is_number(word) => {
                    let object = self.begin(lexer, word, at, open.last().copied())?;
                    open.push(object);
                }
                Token::Open => {
                    let reference = self.reference(lexer, at)?;
                    match open.last() {
                        Some(&object) => self.objects[object].children.push(Child::Reference(reference)),
                        None => return Err(unexpected(Token::Open, at, "an object")),
                    }
                }
                Token::Close => {
                    let closed = open.pop();
                    if closed.is_none() {
                        let message = "This brace closes nothing; it is ignored";
                        self.conversion.warn(codes::X_BRACES, message, || self.place(at, None));
                    }
                }
                Token::End if open.is_empty() => return Ok(()),
                Token::End => {
                    let message = format!("The file ends within {} objects", open.len());
                    return Err(Fault { code: codes::X_TRUNCATED, message, at });
                }
                Token::Separator => {}
                _ if open.is_empty() => return Err(unexpected(token, at, "an object")),
                _ => {}
            }
        }
    }

    /// Reads `name { <GUID>` of an object. Its name may be of several words.
    fn begin(
        &mut self,
        lexer: &mut Lexer<'a>,
        template: &'a [u8],
        at: usize,
        parent: Option<usize>,
    ) -> Result<usize, Fault> {
        let mut name = String::new();
        loop {
            match lexer.next()? {
                (Token::Word(word) | Token::Text(word), _) => add_word(&mut name, word),
                (Token::Open, _) => break,
                (token, at) => return Err(unexpected(token, at, "a name or an opening brace")),
            }
        }
        let data = lexer.at;
        let mut ahead = *lexer;
        let mut guid = 0;
        if let Ok((Token::Guid(id), _)) = ahead.next() {
            guid = id;
            *lexer = ahead;
        }
        let index = self.objects.len();
        self.count(size_of::<Object<'_>>() + 3 * name.len(), at)?;
        let (kind, children) = (Kind::named(template), Vec::new());
        self.objects.push(Object { kind, template, name, guid, parent, at, data, children });
        match parent {
            Some(parent) => self.objects[parent].children.push(Child::Object(index)),
            None => self.top.push(index),
        }
        Ok(index)
    }

    /// Reads a reference after its opening brace.
    fn reference(&mut self, lexer: &mut Lexer<'a>, start: usize) -> Result<usize, Fault> {
        let mut reference = Reference { name: String::new(), guid: 0, at: start };
        loop {
            match lexer.next()? {
                (Token::Word(word) | Token::Text(word), _) => add_word(&mut reference.name, word),
                (Token::Guid(id), _) => reference.guid = id,
                (Token::Close, _) => break,
                (Token::Separator, _) => {}
                (token, at) => return Err(unexpected(token, at, "the name of a reference")),
            }
        }
        self.count(size_of::<Reference>() + reference.name.len(), start)?;
        self.references.push(reference);
        Ok(self.references.len() - 1)
    }

    /// Counts memory for the structure of the file, with that of its indices.
    fn count(&self, bytes: usize, at: usize) -> Result<(), Fault> {
        let place = || Place::Object { path: String::new() };
        self.conversion.spend(2 * bytes, place).map_err(|FormatError { code, message, .. }| Fault {
            code,
            message,
            at,
        })
    }
}

fn add_word(name: &mut String, word: &[u8]) {
    if !name.is_empty() {
        name.push(' ');
    }
    name.push_str(&text::name(word));
}
