//! Objects of templates that only the file defines, which are kept as JSON.

use gambol_gltf::json;
use gambol_gltf::json::{Map, Value};

use super::lexer::Fault;
use super::objects::File;
use super::templates::{Length, MemberKind, Template};
use super::values::Values;
use crate::error::{FormatError, codes};
use crate::text;

/// Levels of templates in templates. One that contains itself has no end.
const LEVELS: usize = 16;
/// The memory of a JSON value, with its part of the lists and objects around it.
const VALUE: usize = 64;

/// The values of an object as JSON: an object with the members of its template. `None`, with a warning, if the template
/// does not fit; without one if it is unknown.
pub(super) fn data(file: &File<'_>, object: usize) -> Result<Option<Value>, FormatError> {
    let template = file.objects[object].template.to_ascii_lowercase();
    let Some(template) = file.templates.get(&template) else { return Ok(None) };
    let mut reader = Reader { file, values: Values::new(file, object), too_large: None };
    match reader.object(template, LEVELS) {
        Ok(value) => Ok(Some(value)),
        Err(_) if let Some(error) = reader.too_large => Err(error),
        Err(fault) => {
            reader.values.warn(fault, "the object is skipped");
            Ok(None)
        }
    }
}

struct Reader<'f, 'a> {
    file: &'f File<'a>,
    values: Values<'f, 'a>,
    too_large: Option<FormatError>,
}

impl Reader<'_, '_> {
    fn fault(&self, message: &str) -> Fault {
        let at = self.file.objects[self.values.object].at;
        Fault { code: codes::X_TEMPLATE_MISMATCH, message: message.to_owned(), at }
    }

    fn object(&mut self, template: &Template, levels: usize) -> Result<Value, Fault> {
        if levels == 0 {
            return Err(self.fault("Templates are nested too deeply, or contain themselves"));
        }
        let mut object = Map::new();
        for member in &template.members {
            let mut count = 1_u64;
            for length in &member.lengths {
                let length = match length {
                    Length::Number(length) => u64::from(*length),
                    Length::Member(name) => object.get(name).and_then(Value::as_u64).unwrap_or(0),
                };
                count = count.saturating_mul(length);
            }
            let value = if member.lengths.is_empty() {
                self.value(&member.kind, levels)?
            } else {
                let mut list = Vec::new();
                for _ in 0..count {
                    let before = self.values.read;
                    list.push(self.value(&member.kind, levels)?);
                    if self.values.read == before {
                        return Err(self.fault("An array has elements without values"));
                    }
                }
                Value::Array(list)
            };
            object.insert(member.name.clone(), value);
        }
        Ok(Value::Object(object))
    }

    fn value(&mut self, kind: &MemberKind, levels: usize) -> Result<Value, Fault> {
        let mut bytes = VALUE;
        let value = match kind {
            MemberKind::Integer => json!(self.values.integer()?),
            MemberKind::Float => json!(self.values.float()?),
            MemberKind::Text => {
                let text = self.values.string()?;
                bytes += text.len();
                json!(text)
            }
            MemberKind::Template(name) => {
                let file = self.file;
                let Some(template) = file.templates.get(name) else {
                    let name = text::quoted(name);
                    return Err(self.fault(&format!("The template {name} of a member is unknown")));
                };
                self.object(template, levels - 1)?
            }
        };
        self.file.spend(bytes, self.values.object).map_err(|error| {
            self.too_large = Some(error);
            self.fault("")
        })?;
        Ok(value)
    }
}
