//! Accessors: reading their elements as numbers, and adding new ones. Spec: glTF 2.0 §3.6.2.

use super::Document;
use crate::error::ToolsError;
use gambol::import::codes;
use gambol_gltf::json::{Map, Value};

/// The type of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Component {
    /// 5120.
    I8,
    /// 5121.
    U8,
    /// 5122.
    I16,
    /// 5123.
    U16,
    /// 5125.
    U32,
    /// 5126.
    F32,
}

impl Component {
    /// The number of the type in the JSON.
    pub fn code(self) -> u32 {
        match self {
            Self::I8 => 5120,
            Self::U8 => 5121,
            Self::I16 => 5122,
            Self::U16 => 5123,
            Self::U32 => 5125,
            Self::F32 => 5126,
        }
    }

    fn of(code: u64) -> Option<Self> {
        [Self::I8, Self::U8, Self::I16, Self::U16, Self::U32, Self::F32]
            .into_iter()
            .find(|component| u64::from(component.code()) == code)
    }

    /// The size, in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The value of a number; `normalized` integers are in −1 … 1.
    fn value(self, bytes: &[u8], normalized: bool) -> f32 {
        let signed = |value: i16, most: f32| {
            if normalized { (f32::from(value) / most).max(-1.0) } else { value.into() }
        };
        let unsigned = |value: u32, most: f32| if normalized { value as f32 / most } else { value as f32 };
        match (self, bytes) {
            (Self::I8, &[a, ..]) => signed(a.cast_signed().into(), 127.0),
            (Self::U8, &[a, ..]) => unsigned(a.into(), 255.0),
            (Self::I16, &[a, b, ..]) => signed(i16::from_le_bytes([a, b]), 32767.0),
            (Self::U16, &[a, b, ..]) => unsigned(u16::from_le_bytes([a, b]).into(), 65535.0),
            (Self::U32, &[a, b, c, d, ..]) => unsigned(u32::from_le_bytes([a, b, c, d]), u32::MAX as f32),
            (Self::F32, &[a, b, c, d, ..]) => f32::from_le_bytes([a, b, c, d]),
            _ => 0.0,
        }
    }

    /// The value of an unsigned integer; `None` for other types.
    fn unsigned(self, bytes: &[u8]) -> Option<u32> {
        match (self, bytes) {
            (Self::U8, &[a, ..]) => Some(a.into()),
            (Self::U16, &[a, b, ..]) => Some(u16::from_le_bytes([a, b]).into()),
            (Self::U32, &[a, b, c, d, ..]) => Some(u32::from_le_bytes([a, b, c, d])),
            _ => None,
        }
    }
}

/// The shape of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names of the specification")]
pub enum Kind {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

impl Kind {
    /// The word of the JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Scalar => "SCALAR",
            Self::Vec2 => "VEC2",
            Self::Vec3 => "VEC3",
            Self::Vec4 => "VEC4",
            Self::Mat2 => "MAT2",
            Self::Mat3 => "MAT3",
            Self::Mat4 => "MAT4",
        }
    }

    fn of(word: &str) -> Option<Self> {
        [Self::Scalar, Self::Vec2, Self::Vec3, Self::Vec4, Self::Mat2, Self::Mat3, Self::Mat4]
            .into_iter()
            .find(|kind| kind.word() == word)
    }

    /// The number of columns, and of numbers per column.
    fn columns(self) -> (usize, usize) {
        match self {
            Self::Scalar => (1, 1),
            Self::Vec2 => (1, 2),
            Self::Vec3 => (1, 3),
            Self::Vec4 => (1, 4),
            Self::Mat2 => (2, 2),
            Self::Mat3 => (3, 3),
            Self::Mat4 => (4, 4),
        }
    }

    /// The number of numbers per element.
    pub fn width(self) -> usize {
        let (columns, rows) = self.columns();
        columns * rows
    }
}

/// The description of an accessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accessor {
    /// The type of its numbers.
    pub component: Component,
    /// The shape of its elements.
    pub kind: Kind,
    /// The number of elements.
    pub count: usize,
    /// `true` if integers stand for −1 … 1 or 0 … 1.
    pub normalized: bool,
    /// The buffer view; `None` for zeros.
    pub view: Option<usize>,
    /// The place of the first element in the view, in bytes.
    pub offset: usize,
    /// `true` if some elements are replaced.
    pub sparse: bool,
}

impl Accessor {
    /// The size of an element, in bytes. Columns of matrices begin at multiples of four bytes.
    pub fn element_size(&self) -> usize {
        let (columns, rows) = self.kind.columns();
        match columns {
            1 => rows * self.component.size(),
            _ => columns * (rows * self.component.size()).next_multiple_of(4),
        }
    }
}

/// The description of a new accessor.
#[derive(Debug, Clone)]
pub struct Written {
    /// The buffer view.
    pub view: usize,
    /// The place of the first element in the view, in bytes.
    pub offset: usize,
    /// The type of its numbers.
    pub component: Component,
    /// The shape of its elements.
    pub kind: Kind,
    /// The number of elements.
    pub count: usize,
    /// `true` if integers stand for −1 … 1 or 0 … 1.
    pub normalized: bool,
    /// The smallest and the largest value of each component: required for positions and key times.
    pub range: Option<(Vec<f32>, Vec<f32>)>,
}

fn size(object: &Value, key: &str) -> Option<usize> {
    object
        .get(key)
        .and_then(Value::as_f64)
        .filter(|n| n.fract() == 0.0 && (0.0..1e15).contains(n))
        .map(|n| n as usize)
}

impl Document {
    /// The description of an accessor.
    ///
    /// # Errors
    /// If there is no such accessor, or its values have wrong types.
    pub fn accessor(&self, index: usize) -> Result<Accessor, ToolsError> {
        let pointer = format!("/accessors/{index}");
        let Some(json) = self.list("accessors").get(index) else {
            let message = format!(
                "The accessor index {index} is out of range; the count is {}.",
                self.list("accessors").len()
            );
            return Err(ToolsError::new(codes::INDEX_OUT_OF_RANGE, "/accessors", message));
        };
        let invalid = |key: &str| {
            let message = format!("The value of `{key}` is missing or invalid.");
            ToolsError::new(codes::INVALID_VALUE, format!("{pointer}/{key}"), message)
        };
        let component = json.get("componentType").and_then(Value::as_u64).and_then(Component::of);
        let kind = json.get("type").and_then(Value::as_str).and_then(Kind::of);
        Ok(Accessor {
            component: component.ok_or_else(|| invalid("componentType"))?,
            kind: kind.ok_or_else(|| invalid("type"))?,
            count: size(json, "count").ok_or_else(|| invalid("count"))?,
            normalized: json.get("normalized").and_then(Value::as_bool).unwrap_or(false),
            view: match json.get("bufferView") {
                None => None,
                Some(_) => Some(size(json, "bufferView").ok_or_else(|| invalid("bufferView"))?),
            },
            offset: size(json, "byteOffset").unwrap_or(0),
            sparse: json.get("sparse").is_some_and(Value::is_object),
        })
    }

    /// The bytes of the elements, `element_size` each: dense, with sparse elements replaced.
    ///
    /// # Errors
    /// If the accessor is invalid, or reaches past the end of its view.
    pub fn element_bytes(&self, index: usize) -> Result<Vec<u8>, ToolsError> {
        let accessor = self.accessor(index)?;
        let pointer = format!("/accessors/{index}");
        let element = accessor.element_size();
        let needed = (accessor.count as u64).saturating_mul(element as u64);
        if needed > self.limit {
            let message = format!(
                "The data needs {needed} bytes of memory, more than the limit of {} for this file.",
                self.limit
            );
            return Err(ToolsError::new(codes::TOO_LARGE, pointer, message));
        }
        let mut out = match accessor.view {
            None => vec![0; needed as usize],
            Some(view) => {
                let json = self.list("bufferViews").get(view);
                let stride = json.and_then(|json| size(json, "byteStride")).unwrap_or(element);
                self.gather(view, accessor.offset, stride, element, accessor.count, &pointer)?
            }
        };
        if accessor.sparse {
            self.replace_sparse(index, element, &mut out)?;
        }
        Ok(out)
    }

    /// Copies elements of a view.
    fn gather(
        &self,
        view: usize,
        offset: usize,
        stride: usize,
        element: usize,
        count: usize,
        pointer: &str,
    ) -> Result<Vec<u8>, ToolsError> {
        if view >= self.view_count() {
            let message =
                format!("The buffer view index {view} is out of range; the count is {}.", self.view_count());
            return Err(ToolsError::new(codes::INDEX_OUT_OF_RANGE, format!("{pointer}/bufferView"), message));
        }
        if stride < element {
            let message =
                format!("The byte stride {stride} is smaller than the element size of {element} bytes.");
            return Err(ToolsError::new(
                codes::STRIDE_TOO_SHORT,
                format!("/bufferViews/{view}/byteStride"),
                message,
            ));
        }
        let bytes = self.view_bytes(view);
        let last = (count as u64).saturating_sub(1).saturating_mul(stride as u64);
        let needed = (offset as u64).saturating_add(last).saturating_add(element as u64);
        if count > 0 && needed > bytes.len() as u64 {
            let message =
                format!("The accessor needs {needed} bytes of its buffer view, which has {}.", bytes.len());
            return Err(ToolsError::new(codes::ACCESSOR_OUT_OF_RANGE, pointer, message));
        }
        if stride == element && count > 0 {
            return Ok(bytes[offset..offset + count * element].to_vec());
        }
        let mut out = Vec::with_capacity(count * element);
        (0..count).for_each(|i| out.extend_from_slice(&bytes[offset + i * stride..][..element]));
        Ok(out)
    }

    fn replace_sparse(&self, index: usize, element: usize, out: &mut [u8]) -> Result<(), ToolsError> {
        let pointer = format!("/accessors/{index}/sparse");
        let sparse = &self.json["accessors"][index]["sparse"];
        let invalid = |key: &str| {
            let message = format!("The value of `{key}` is missing or invalid.");
            ToolsError::new(codes::INVALID_VALUE, format!("{pointer}/{key}"), message)
        };
        let count = size(sparse, "count").ok_or_else(|| invalid("count"))?;
        let (indices, values) = (&sparse["indices"], &sparse["values"]);
        let component = indices.get("componentType").and_then(Value::as_u64).and_then(Component::of);
        let component = component.ok_or_else(|| invalid("indices/componentType"))?;
        let part = |json: &Value, name: &str, size_of: usize| {
            let view = size(json, "bufferView").ok_or_else(|| invalid(&format!("{name}/bufferView")))?;
            let offset = size(json, "byteOffset").unwrap_or(0);
            self.gather(view, offset, size_of, size_of, count, &format!("{pointer}/{name}"))
        };
        let places = part(indices, "indices", component.size())?;
        let values = part(values, "values", element)?;
        let length = out.len() / element.max(1);
        for (place, value) in places.chunks_exact(component.size()).zip(values.chunks_exact(element)) {
            let place = component.unsigned(place).ok_or_else(|| invalid("indices/componentType"))? as usize;
            let Some(target) = out.get_mut(place * element..(place + 1) * element) else {
                let message =
                    format!("The sparse index {place} is out of range; the accessor has {length} elements.");
                return Err(ToolsError::new(
                    codes::SPARSE_INDEX_OUT_OF_RANGE,
                    format!("{pointer}/indices"),
                    message,
                ));
            };
            target.copy_from_slice(value);
        }
        Ok(())
    }

    /// The numbers of an accessor, element by element; normalised integers as −1 … 1 or 0 … 1.
    ///
    /// # Errors
    /// As [`Document::element_bytes`].
    pub fn floats(&self, index: usize) -> Result<Vec<f32>, ToolsError> {
        let accessor = self.accessor(index)?;
        let bytes = self.element_bytes(index)?;
        let (columns, rows) = accessor.kind.columns();
        let size = accessor.component.size();
        let column = accessor.element_size() / columns;
        let mut out = Vec::with_capacity(accessor.count * accessor.kind.width());
        for bytes in bytes.chunks_exact(column) {
            let numbers = bytes.chunks_exact(size).take(rows);
            out.extend(numbers.map(|number| accessor.component.value(number, accessor.normalized)));
        }
        Ok(out)
    }

    /// The unsigned integers of an accessor, element by element.
    ///
    /// # Errors
    /// As [`Document::element_bytes`], or if the numbers have another type.
    pub fn integers(&self, index: usize) -> Result<Vec<u32>, ToolsError> {
        let accessor = self.accessor(index)?;
        let bytes = self.element_bytes(index)?;
        let numbers = bytes.chunks_exact(accessor.component.size());
        let numbers: Option<Vec<u32>> = numbers.map(|number| accessor.component.unsigned(number)).collect();
        numbers.ok_or_else(|| {
            let message = "The accessor must contain unsigned integers.";
            ToolsError::new(codes::ACCESSOR_TYPE, format!("/accessors/{index}/componentType"), message)
        })
    }

    /// Adds an accessor; returns its index.
    pub fn add_accessor(&mut self, written: &Written) -> usize {
        let mut json = Map::new();
        json.insert("bufferView".to_owned(), written.view.into());
        if written.offset > 0 {
            json.insert("byteOffset".to_owned(), written.offset.into());
        }
        json.insert("componentType".to_owned(), written.component.code().into());
        if written.normalized {
            json.insert("normalized".to_owned(), true.into());
        }
        json.insert("count".to_owned(), written.count.into());
        json.insert("type".to_owned(), written.kind.word().into());
        if let Some((low, high)) = &written.range {
            json.insert("min".to_owned(), shortest(low));
            json.insert("max".to_owned(), shortest(high));
        }
        let list = self.list_mut("accessors");
        list.push(Value::Object(json));
        list.len() - 1
    }
}

/// Numbers with the fewest digits that give the same `f32` again.
fn shortest(values: &[f32]) -> Value {
    let number = |value: &f32| value.to_string().parse::<f64>().unwrap_or_else(|_| f64::from(*value));
    values.iter().map(|value| Value::from(number(value))).collect()
}
