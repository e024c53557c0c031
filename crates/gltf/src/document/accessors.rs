//! Accessors: reading their elements as numbers, and adding new ones. Spec: glTF 2.0 §3.6.2.

use super::Document;
use crate::element::{Code, ComponentType, Kind, Word, columns, element_size, float, unsigned};
use crate::error::{ImportError, ImportErrorKind};
use crate::json::{Map, Value};

/// The description of an accessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accessor {
    /// The type of its numbers.
    pub component: ComponentType,
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
        element_size(self.component, self.kind)
    }
}

/// The description of a new accessor.
#[derive(Debug, Clone)]
pub struct Written {
    /// The buffer view; the first element is at its beginning.
    pub view: usize,
    /// The type of its numbers.
    pub component: ComponentType,
    /// The shape of its elements.
    pub kind: Kind,
    /// The number of elements.
    pub count: usize,
    /// `true` if integers stand for −1 … 1 or 0 … 1.
    pub normalized: bool,
    /// The smallest and the largest value of each component: required for positions and key times.
    pub range: Option<(Vec<f32>, Vec<f32>)>,
}

impl Written {
    /// An accessor that is not normalised and states no range.
    pub fn new(view: usize, component: ComponentType, kind: Kind, count: usize) -> Self {
        Self { view, component, kind, count, normalized: false, range: None }
    }
}

impl Document {
    /// The description of an accessor.
    ///
    /// # Errors
    /// If there is no such accessor, or its values have wrong types.
    pub fn accessor(&self, index: usize) -> Result<Accessor, ImportError> {
        let pointer = format!("/accessors/{index}");
        let Some(json) = self.list("accessors").get(index) else {
            let count = self.list("accessors").len();
            let kind = ImportErrorKind::IndexOutOfRange { element: "accessor", index, count };
            return Err(kind.at("/accessors"));
        };
        let invalid = |key: &str| invalid(&pointer, key);
        let component = json.read("componentType").and_then(ComponentType::of);
        let kind = json.str_at("type").and_then(Kind::of);
        Ok(Accessor {
            component: component.ok_or_else(|| invalid("componentType"))?,
            kind: kind.ok_or_else(|| invalid("type"))?,
            count: json.index_at("count").ok_or_else(|| invalid("count"))?,
            normalized: json.read("normalized").unwrap_or(false),
            view: match json.get("bufferView") {
                None => None,
                Some(_) => Some(json.index_at("bufferView").ok_or_else(|| invalid("bufferView"))?),
            },
            offset: json.index_at("byteOffset").unwrap_or(0),
            sparse: json.get("sparse").is_some_and(Value::is_object),
        })
    }

    /// The bytes of the elements, `element_size` each: dense, with sparse elements replaced.
    ///
    /// # Errors
    /// If the accessor is invalid, or reaches past the end of its view.
    pub fn element_bytes(&self, index: usize) -> Result<Vec<u8>, ImportError> {
        let accessor = self.accessor(index)?;
        let pointer = format!("/accessors/{index}");
        let element = accessor.element_size();
        let needed = (accessor.count as u64).saturating_mul(element as u64);
        if needed > self.limit {
            return Err(ImportErrorKind::TooLarge { needed, limit: self.limit }.at(pointer));
        }
        let mut out = match accessor.view {
            None => vec![0; needed as usize],
            Some(view) => {
                let json = self.list("bufferViews").get(view);
                let stride = json.and_then(|json| json.index_at("byteStride")).unwrap_or(element);
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
    ) -> Result<Vec<u8>, ImportError> {
        if view >= self.view_count() {
            let (element, index, count) = ("buffer view", view, self.view_count());
            let kind = ImportErrorKind::IndexOutOfRange { element, index, count };
            return Err(kind.at(format_args!("{pointer}/bufferView")));
        }
        if stride < element {
            let kind = ImportErrorKind::StrideTooShort { stride, element };
            return Err(kind.at(format_args!("/bufferViews/{view}/byteStride")));
        }
        let bytes = self.view_bytes(view);
        let last = (count as u64).saturating_sub(1).saturating_mul(stride as u64);
        let needed = (offset as u64).saturating_add(last).saturating_add(element as u64);
        if count > 0 && needed > bytes.len() as u64 {
            let available = bytes.len() as u64;
            return Err(ImportErrorKind::AccessorOutOfRange { needed, available }.at(pointer));
        }
        if stride == element && count > 0 {
            return Ok(bytes[offset..offset + count * element].to_vec());
        }
        let mut out = Vec::with_capacity(count * element);
        (0..count).for_each(|i| out.extend_from_slice(&bytes[offset + i * stride..][..element]));
        Ok(out)
    }

    fn replace_sparse(&self, index: usize, element: usize, out: &mut [u8]) -> Result<(), ImportError> {
        let pointer = format!("/accessors/{index}/sparse");
        let sparse = &self.json["accessors"][index]["sparse"];
        let invalid = |key: &str| invalid(&pointer, key);
        let count = sparse.index_at("count").ok_or_else(|| invalid("count"))?;
        let (indices, values) = (&sparse["indices"], &sparse["values"]);
        let component = indices.read("componentType").and_then(ComponentType::of);
        let component = component.ok_or_else(|| invalid("indices/componentType"))?;
        let part = |json: &Value, name: &str, size_of: usize| {
            let view = json.index_at("bufferView").ok_or_else(|| invalid(&format!("{name}/bufferView")))?;
            let offset = json.index_at("byteOffset").unwrap_or(0);
            self.gather(view, offset, size_of, size_of, count, &format!("{pointer}/{name}"))
        };
        let places = part(indices, "indices", component.size())?;
        let values = part(values, "values", element)?;
        let length = out.len() / element.max(1);
        for (place, value) in places.chunks_exact(component.size()).zip(values.chunks_exact(element)) {
            let place = unsigned(component, place).ok_or_else(|| invalid("indices/componentType"))? as usize;
            let Some(target) = out.get_mut(place * element..(place + 1) * element) else {
                let kind = ImportErrorKind::SparseIndexOutOfRange { index: place, count: length };
                return Err(kind.at(format_args!("{pointer}/indices")));
            };
            target.copy_from_slice(value);
        }
        Ok(())
    }

    /// The bytes of the numbers, element by element, without the bytes that align the columns of matrices.
    ///
    /// # Errors
    /// As [`Document::element_bytes`].
    pub fn number_bytes(&self, index: usize) -> Result<Vec<u8>, ImportError> {
        let accessor = self.accessor(index)?;
        let bytes = self.element_bytes(index)?;
        let (columns, rows) = columns(accessor.kind);
        let (column, used) = (accessor.element_size() / columns, rows * accessor.component.size());
        if column == used {
            return Ok(bytes);
        }
        Ok(bytes.chunks_exact(column).flat_map(|column| &column[..used]).copied().collect())
    }

    /// The numbers of an accessor, element by element; normalised integers as −1 … 1 or 0 … 1.
    ///
    /// # Errors
    /// As [`Document::element_bytes`].
    pub fn floats(&self, index: usize) -> Result<Vec<f32>, ImportError> {
        let Accessor { component, normalized, .. } = self.accessor(index)?;
        let bytes = self.number_bytes(index)?;
        Ok(bytes.chunks_exact(component.size()).map(|number| float(component, number, normalized)).collect())
    }

    /// The unsigned integers of an accessor, element by element.
    ///
    /// # Errors
    /// As [`Document::element_bytes`], or if the numbers have another type.
    pub fn integers(&self, index: usize) -> Result<Vec<u32>, ImportError> {
        let Accessor { component, .. } = self.accessor(index)?;
        let bytes = self.number_bytes(index)?;
        let numbers = bytes.chunks_exact(component.size());
        let numbers: Option<Vec<u32>> = numbers.map(|number| unsigned(component, number)).collect();
        numbers.ok_or_else(|| {
            let (expected, found) = ("unsigned integers", format!("{component:?}"));
            let kind = ImportErrorKind::AccessorType { expected, found };
            kind.at(format_args!("/accessors/{index}/componentType"))
        })
    }

    /// Adds an accessor; returns its index.
    pub fn add_accessor(&mut self, written: &Written) -> usize {
        let mut json = Map::new();
        json.insert("bufferView".to_owned(), written.view.into());
        json.insert("componentType".to_owned(), written.component.as_gl_enum().into());
        if written.normalized {
            json.insert("normalized".to_owned(), true.into());
        }
        json.insert("count".to_owned(), written.count.into());
        json.insert("type".to_owned(), written.kind.word().into());
        if let Some((low, high)) = &written.range {
            json.insert("min".to_owned(), shortest(low));
            json.insert("max".to_owned(), shortest(high));
        }
        self.push("accessors", Value::Object(json))
    }

    /// Adds a buffer view and an accessor of all its elements, between which there are no gaps; returns the index of the
    /// accessor.
    ///
    /// - `target`: as for [`Document::add_view`].
    pub fn add_elements(
        &mut self,
        bytes: Vec<u8>,
        target: Option<u32>,
        component: ComponentType,
        kind: Kind,
    ) -> usize {
        let count = bytes.len() / element_size(component, kind);
        let view = self.add_view(bytes, None, target, None);
        self.add_accessor(&Written::new(view, component, kind, count))
    }
}

fn invalid(pointer: &str, key: &str) -> ImportError {
    let reason = format!("the property `{key}` is missing or invalid");
    ImportErrorKind::InvalidValue { reason }.at(format_args!("{pointer}/{key}"))
}

/// Numbers with the fewest digits that give the same `f32` again.
fn shortest(values: &[f32]) -> Value {
    let number = |value: &f32| value.to_string().parse::<f64>().unwrap_or_else(|_| f64::from(*value));
    values.iter().map(|value| Value::from(number(value))).collect()
}
