//! Reads a state machine from JSON of the format `gambol-states`, version 1.
//!
//! `www/gambol/schema/states.schema.json` says the same for editors. Faults of structure are errors. References to
//! names that do not exist, and unknown members, are warnings: the part that has them is left out.

mod fault;
mod graph;

pub use fault::StatesError;
use fault::{codes, fault, quoted};
use gambol_animation::base::{nearest, sort_by};
use gambol_animation::model::{InputValue, StateInput, StateLayer, StateMachine};
use gambol_gltf::json::Value;
use gambol_gltf::log::Warning;

/// The largest text, in bytes.
const MAX_BYTES: usize = 1 << 20;
const MAX_INPUTS: usize = 256;
const MAX_LAYERS: usize = 16;
/// The largest number of warnings; further ones are dropped.
const MAX_WARNINGS: usize = 100;

type Result<T> = std::result::Result<T, StatesError>;

/// Reads a state machine from the text of a file.
///
/// # Errors
/// If the text is not a machine of the format `gambol-states`; the error has a JSON pointer.
pub fn read_states(text: &[u8]) -> Result<(StateMachine, Vec<Warning>)> {
    if text.len() > MAX_BYTES {
        return Err(fault(codes::TOO_MANY, "", format!("The text has more than {MAX_BYTES} bytes")));
    }
    let root = Value::parse(text).map_err(|error| {
        let (line, column) = (error.line, error.column);
        fault(
            codes::INVALID_JSON,
            "",
            format!("The JSON is invalid at line {line}, column {column}: {error}"),
        )
    })?;
    let mut reader = Reader::default();
    reader.root(&root)?;
    Ok((reader.machine, reader.warnings))
}

#[derive(Default)]
struct Reader {
    machine: StateMachine,
    warnings: Vec<Warning>,
    /// The transitions so far, of all machines.
    transitions: usize,
}

/// A JSON value with its pointer.
#[derive(Clone)]
struct At<'a> {
    value: &'a Value,
    pointer: String,
}

impl<'a> At<'a> {
    fn invalid<T>(&self, needs: &str) -> Result<T> {
        Err(fault(codes::INVALID_VALUE, &self.pointer, format!("The value must be {needs}")))
    }

    /// A member; `None` if it is missing or `null`.
    fn get(&self, key: &str) -> Option<At<'a>> {
        Some(self.child(key, self.value.get(key)?))
    }

    fn child(&self, key: &str, value: &'a Value) -> At<'a> {
        let key = key.replace('~', "~0").replace('/', "~1");
        At { value, pointer: format!("{}/{key}", self.pointer) }
    }

    /// The members in the order of the text; their names are distinct.
    fn members(&self) -> Result<Vec<(&'a str, At<'a>)>> {
        let Some(members) = self.value.as_object() else { return self.invalid("an object") };
        let mut names: Vec<&str> = members.iter().map(|(name, _)| name).collect();
        sort_by(&mut names, |a, b| a.cmp(b));
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let place = self.child(pair[0], self.value).pointer;
            return Err(fault(codes::DUPLICATE_NAME, &place, "The name is used twice".to_owned()));
        }
        Ok(members.iter().map(|(name, value)| (name, self.child(name, value))).collect())
    }

    fn elements(&self) -> Result<Vec<At<'a>>> {
        let Some(elements) = self.value.as_array() else { return self.invalid("an array") };
        Ok(elements.iter().enumerate().map(|(i, value)| self.child(&i.to_string(), value)).collect())
    }

    fn text(&self) -> Result<&'a str> {
        match self.value.as_str() {
            Some(text) if !text.is_empty() => Ok(text),
            _ => self.invalid("a text that is not empty"),
        }
    }

    fn number(&self) -> Result<f64> {
        self.value.as_f64().map_or_else(|| self.invalid("a number"), Ok)
    }

    fn not_negative(&self) -> Result<f64> {
        match self.number()? {
            number if number >= 0.0 => Ok(number),
            _ => self.invalid("a number of at least 0"),
        }
    }

    /// A number that is finite as f32.
    fn float(&self) -> Result<f32> {
        let number = self.number()? as f32;
        if number.is_finite() { Ok(number) } else { self.invalid("a number in the range of 32 bits") }
    }

    fn boolean(&self) -> Result<bool> {
        if let Value::Bool(flag) = self.value { Ok(*flag) } else { self.invalid("true or false") }
    }

    /// The element of `words` that the text is.
    fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T> {
        let found = self.value.as_str().and_then(|text| words.iter().find(|(word, _)| *word == text));
        match found {
            Some((_, meaning)) => Ok(*meaning),
            None => {
                let list: Vec<String> = words.iter().map(|(word, _)| quoted(word)).collect();
                self.invalid(&list.join(" or "))
            }
        }
    }
}

fn limit(count: usize, most: usize, things: &str, at: &At<'_>) -> Result<()> {
    if count <= most {
        return Ok(());
    }
    Err(fault(
        codes::TOO_MANY,
        &at.pointer,
        format!("There are {count} {things}, more than the limit of {most}"),
    ))
}

impl Reader {
    /// `false` if another warning would be dropped, so that its hint need not be found.
    fn may_warn(&self) -> bool {
        self.warnings.len() < MAX_WARNINGS
    }

    fn warn(&mut self, code: &'static str, pointer: &str, message: String) {
        if self.may_warn() {
            self.warnings.push(Warning { code, pointer: pointer.to_owned(), message });
        }
    }

    /// Warns of members that the format does not have; they are ignored.
    fn only(&mut self, at: &At<'_>, known: &[&str]) -> Result<()> {
        for (name, member) in at.members()? {
            // As in JSON Schema itself, for editors.
            let is_known = known.contains(&name) || name == "$schema" || name == "$comment";
            if !is_known && self.may_warn() {
                let hint = hint(name, known.iter().copied());
                let message = format!("The member {} is unknown and ignored{hint}", quoted(name));
                self.warn(codes::UNKNOWN_FIELD, &member.pointer, message);
            }
        }
        Ok(())
    }

    fn root(&mut self, value: &Value) -> Result<()> {
        let root = At { value, pointer: String::new() };
        root.members()?;
        if value.get("format").and_then(Value::as_str) != Some("gambol-states") {
            return Err(fault(codes::FORMAT, "/format", "The format must be \"gambol-states\"".to_owned()));
        }
        match root.get("version") {
            Some(version) if version.value.as_f64() == Some(1.0) => {}
            _ => return Err(fault(codes::VERSION, "/version", "The version must be 1".to_owned())),
        }
        self.only(&root, &["format", "version", "inputs", "layers"])?;
        if let Some(inputs) = root.get("inputs") {
            let members = inputs.members()?;
            limit(members.len(), MAX_INPUTS, "inputs", &inputs)?;
            for (name, at) in members {
                let input = self.input(name, &at)?;
                self.machine.inputs.push(input);
            }
        }
        let layers = self.required(&root, "layers")?;
        let elements = layers.elements()?;
        limit(elements.len(), MAX_LAYERS, "layers", &layers)?;
        if elements.is_empty() {
            return layers.invalid("an array with at least one layer");
        }
        for (i, at) in elements.iter().enumerate() {
            self.layer(i, at)?;
        }
        Ok(())
    }

    fn required<'a>(&self, at: &At<'a>, key: &str) -> Result<At<'a>> {
        at.get(key).ok_or_else(|| {
            let message = format!("The member {} is missing", quoted(key));
            fault(codes::INVALID_VALUE, &at.pointer, message)
        })
    }

    fn input(&mut self, name: &str, at: &At<'_>) -> Result<StateInput> {
        self.only(at, &["type", "default"])?;
        let kinds = [
            ("number", InputValue::Number(0.0)),
            ("boolean", InputValue::Boolean(false)),
            ("trigger", InputValue::Trigger(false)),
        ];
        let value = self.required(at, "type")?.word(&kinds)?;
        let value = match (value, at.get("default")) {
            (InputValue::Number(_), Some(at)) => InputValue::Number(at.number()?),
            (InputValue::Boolean(_), Some(at)) => InputValue::Boolean(at.boolean()?),
            (InputValue::Trigger(_), Some(at)) => return at.invalid("absent: a trigger has no default"),
            (value, None) => value,
        };
        Ok(StateInput { name: name.to_owned(), value })
    }

    fn layer(&mut self, index: usize, at: &At<'_>) -> Result<()> {
        self.only(at, &["name", "mask", "mode", "weight", "initial", "states", "transitions"])?;
        let name = at.get("name").map(|at| at.text().map(str::to_owned)).transpose()?;
        let mode =
            at.get("mode").map(|at| at.word(&[("override", false), ("additive", true)])).transpose()?;
        let additive = mode.unwrap_or(false);
        let mut weight = 1.0;
        if let Some(at) = at.get("weight") {
            weight = at.float()?;
            if !additive && !(0.0..=1.0).contains(&weight) {
                return at.invalid("a number of 0 to 1");
            }
        }
        let mask = at.get("mask").map(|at| mask(&at)).transpose()?.unwrap_or_default();
        for key in ["mask", "mode", "weight"].into_iter().filter(|_| index == 0) {
            if let Some(at) = at.get(key) {
                let message = format!("The first layer is the base; its {} is ignored", quoted(key));
                self.warn(codes::UNUSED_FIELD, &at.pointer, message);
            }
        }
        let graph = self.graph(at, None, 1)?;
        let name = name.unwrap_or_else(|| index.to_string());
        self.machine.layers.push(StateLayer { name, mask, additive, weight, graph });
        Ok(())
    }

    /// Warns of a name that does not exist.
    fn warn_unknown<'n>(
        &mut self,
        code: &'static str,
        at: &At<'_>,
        (thing, name): (&str, &str),
        known: impl IntoIterator<Item = &'n str>,
        repair: &str,
    ) {
        if !self.may_warn() {
            return;
        }
        let hint = hint(name, known);
        self.warn(code, &at.pointer, format!("The {thing} {} does not exist; {repair}{hint}", quoted(name)));
    }
}

fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or(String::new(), |near| format!("; did you mean {}?", quoted(near)))
}

/// Patterns with weights, of a text, an array of texts, or an object of numbers.
fn mask(at: &At<'_>) -> Result<Vec<(String, f32)>> {
    const MAX_PATTERNS: usize = 256;
    let patterns: Vec<(String, f32)> = match at.value {
        Value::String(_) => vec![(at.text()?.to_owned(), 1.0)],
        Value::Array(_) => {
            let texts = at.elements()?.into_iter().map(|at| Ok((at.text()?.to_owned(), 1.0)));
            texts.collect::<Result<_>>()?
        }
        Value::Object(_) => {
            let members = at.members()?.into_iter();
            members.map(|(name, at)| Ok((name.to_owned(), at.float()?))).collect::<Result<_>>()?
        }
        _ => return at.invalid("a pattern, an array of patterns, or an object of weights"),
    };
    limit(patterns.len(), MAX_PATTERNS, "patterns", at)?;
    Ok(patterns)
}
