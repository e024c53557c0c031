//! A writer of FBX files, text and binary; shared by path with `tests/native/formats/`.

/// A value of a node.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Int(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    /// Floats that text has as integers: their bits.
    Bits(Vec<f32>),
    Reals(Vec<f64>),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

/// A node of the document.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) values: Vec<Value>,
    pub(crate) list: Vec<Element>,
}

pub(crate) fn element<const N: usize>(name: &str, values: [Value; N], list: Vec<Element>) -> Element {
    Element { name: name.to_owned(), values: values.into(), list }
}

/// A property, as in `P: "Lcl Translation", "Lcl Translation", "", "A", 1, 2, 3`.
pub(crate) fn property(name: &str, kind: &str, values: &[f64]) -> Element {
    let mut property = element("P", [name.into(), kind.into(), "".into(), "A".into()], vec![]);
    property.values.extend(values.iter().map(|&value| match kind {
        "enum" | "int" | "bool" | "KTime" => Value::Int(value as i64),
        _ => Value::Real(value),
    }));
    property
}

pub(crate) fn properties(list: Vec<Element>) -> Element {
    element("Properties70", [], list)
}

/// A document as text.
pub(crate) fn text(elements: &[Element]) -> Vec<u8> {
    text_of_version(elements, 7400)
}

/// A document as text of a version. Before 7200, floats that hold bits are written as floats.
pub(crate) fn text_of_version(elements: &[Element], version: u32) -> Vec<u8> {
    fn write(out: &mut String, element: &Element, depth: usize, version: u32) {
        let indent = "\t".repeat(depth);
        out.push_str(&format!("{indent}{}: ", element.name));
        let join = |numbers: Vec<String>| {
            format!("*{} {{\n{indent}\ta: {}\n{indent}}}", numbers.len(), numbers.join(","))
        };
        let values: Vec<_> = element
            .values
            .iter()
            .map(|value| match value {
                Value::Int(value) => value.to_string(),
                Value::Real(value) => value.to_string(),
                // The class of an object comes first in text.
                Value::Text(value) => match value.split_once('\0') {
                    Some((name, class)) => format!("\"{}::{name}\"", &class[1..]),
                    None => format!("\"{value}\""),
                },
                Value::Bytes(bytes) => format!("\"{}\"", base64(bytes)),
                Value::Ints(list) => join(list.iter().map(i32::to_string).collect()),
                Value::Longs(list) => join(list.iter().map(i64::to_string).collect()),
                Value::Floats(list) => join(list.iter().map(f32::to_string).collect()),
                Value::Bits(list) if version < 7200 => join(list.iter().map(f32::to_string).collect()),
                Value::Bits(list) => join(list.iter().map(|x| (x.to_bits() as i32).to_string()).collect()),
                Value::Reals(list) => join(list.iter().map(f64::to_string).collect()),
            })
            .collect();
        out.push_str(&values.join(", "));
        if !element.list.is_empty() {
            out.push_str(" {\n");
            element.list.iter().for_each(|element| write(out, element, depth + 1, version));
            out.push_str(&format!("{indent}}}"));
        }
        out.push('\n');
    }
    let mut out = format!("; FBX 7.{}.0 project file\n", version / 100 % 10);
    elements.iter().for_each(|element| write(&mut out, element, 0, version));
    out.into_bytes()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().enumerate().fold(0_u32, |word, (i, &byte)| word | u32::from(byte) << (16 - 8 * i));
        for i in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * i)) as usize & 63];
            out.push(if i > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    out
}

/// The stream of zlib for bytes.
pub(crate) type Deflate = fn(&[u8]) -> Vec<u8>;

/// A document as binary, of version 7400 or 7500. With `deflate`, arrays are compressed.
pub(crate) fn binary(elements: &[Element], version: u32, deflate: Option<Deflate>) -> Vec<u8> {
    let word = if version >= 7500 { 8 } else { 4 };
    let mut out = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    out.extend(version.to_le_bytes());
    elements.iter().for_each(|element| record(&mut out, element, word, deflate));
    out.resize(out.len() + 3 * word + 1, 0);
    out
}

fn record(out: &mut Vec<u8>, element: &Element, word: usize, deflate: Option<Deflate>) {
    let start = out.len();
    out.resize(start + 3 * word, 0);
    out.push(element.name.len() as u8);
    out.extend(element.name.as_bytes());
    let values = out.len();
    element.values.iter().for_each(|item| value(out, item, deflate));
    let length = out.len() - values;
    if !element.list.is_empty() {
        element.list.iter().for_each(|element| record(out, element, word, deflate));
        out.resize(out.len() + 3 * word + 1, 0);
    }
    for (i, number) in [out.len(), element.values.len(), length].into_iter().enumerate() {
        let at = start + i * word;
        out[at..at + word].copy_from_slice(&(number as u64).to_le_bytes()[..word]);
    }
}

fn value(out: &mut Vec<u8>, value: &Value, deflate: Option<Deflate>) {
    let mut array = |kind: u8, count: usize, bytes: Vec<u8>| {
        let packed = match deflate {
            Some(deflate) => deflate(&bytes),
            None => bytes,
        };
        out.push(kind);
        for number in [count as u32, u32::from(deflate.is_some()), packed.len() as u32] {
            out.extend(number.to_le_bytes());
        }
        out.extend(packed);
    };
    match value {
        Value::Ints(list) => array(b'i', list.len(), list.iter().flat_map(|x| x.to_le_bytes()).collect()),
        Value::Longs(list) => array(b'l', list.len(), list.iter().flat_map(|x| x.to_le_bytes()).collect()),
        Value::Floats(list) | Value::Bits(list) => {
            array(b'f', list.len(), list.iter().flat_map(|x| x.to_le_bytes()).collect())
        }
        Value::Reals(list) => array(b'd', list.len(), list.iter().flat_map(|x| x.to_le_bytes()).collect()),
        Value::Int(value) => {
            out.push(b'L');
            out.extend(value.to_le_bytes());
        }
        Value::Real(value) => {
            out.push(b'D');
            out.extend(value.to_le_bytes());
        }
        Value::Text(text) => {
            out.push(b'S');
            out.extend((text.len() as u32).to_le_bytes());
            out.extend(text.as_bytes());
        }
        Value::Bytes(bytes) => {
            out.push(b'R');
            out.extend((bytes.len() as u32).to_le_bytes());
            out.extend(bytes);
        }
    }
}

/// The number of FBX's ticks in a second.
pub(crate) const SECOND: f64 = 46_186_158_000.0;

/// A key of a curve: time in seconds, value, and the flags with the data of its interpolation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    pub(crate) time: f64,
    pub(crate) value: f64,
    /// Bits of the interpolation and of its tangents.
    pub(crate) flags: i32,
    /// Slopes at the right of this key and at the left of the next one, per second.
    pub(crate) slopes: [f32; 2],
    /// The lengths of these tangents, as shares of the time between the keys; with the bits of weighted tangents.
    pub(crate) weights: [f32; 2],
}

pub(crate) const STEP: i32 = 2;
pub(crate) const STEP_NEXT: i32 = 2 | 0x100;
pub(crate) const LINEAR: i32 = 4;
/// Cubic with tangents of its own for both sides.
pub(crate) const CUBIC: i32 = 8 | 0x400 | 0x800;
/// Cubic with tangents of a length of their own.
pub(crate) const WEIGHTED: i32 = CUBIC | 0x0300_0000;

/// A key with a third as the lengths of tangents, which makes the curve a polynomial of the time.
pub(crate) fn key(time: f64, value: f64, flags: i32, slopes: [f32; 2]) -> Key {
    Key { time, value, flags, slopes, weights: [1.0 / 3.0; 2] }
}

/// A bone of a skin: vertices, their weights, and the matrix of the bone when it was bound, column-major.
pub(crate) type Cluster<'a> = (i64, &'a [i32], &'a [f64], [f64; 16]);

/// A shape of a blend channel: its full weight in percent, vertices and their offsets.
pub(crate) type Shape<'a> = (f64, &'a [i32], &'a [[f64; 3]]);

/// In place of an object: no connection.
pub(crate) const NOTHING: i64 = -1;

/// A file that is put together from objects.
#[derive(Debug, Clone, Default)]
pub(crate) struct Document {
    settings: Vec<Element>,
    objects: Vec<Element>,
    connections: Vec<Element>,
}

impl Document {
    pub(crate) fn setting(mut self, name: &str, kind: &str, value: f64) -> Self {
        self.settings.push(property(name, kind, &[value]));
        self
    }

    /// Y up and metres.
    pub(crate) fn metres() -> Self {
        Self::default().setting("UnitScaleFactor", "double", 100.0)
    }

    /// The number of the next object.
    fn id(&self) -> i64 {
        1000 + self.objects.len() as i64
    }

    /// The last object.
    pub(crate) fn last(&self) -> i64 {
        self.id() - 1
    }

    /// Adds an object and connects it to another one; 0 is the root of the scene.
    pub(crate) fn object(
        &mut self,
        node: &str,
        name: &str,
        class: &str,
        kind: &str,
        list: Vec<Element>,
        to: i64,
    ) -> i64 {
        let id = self.id();
        let name = format!("{name}\0\x01{class}");
        let mut list = list;
        let version = match (node, kind) {
            ("Geometry", "Mesh") => ("GeometryVersion", 124),
            ("Deformer", "Skin") => ("Version", 101),
            ("Model", _) => ("Version", 232),
            _ => ("Version", 100),
        };
        list.insert(0, element(version.0, [version.1.into()], vec![]));
        self.objects.push(element(node, [id.into(), name.as_str().into(), kind.into()], list));
        self.connect(id, to);
        id
    }

    pub(crate) fn connect(&mut self, from: i64, to: i64) {
        if to == NOTHING {
            return;
        }
        self.connections.push(element("C", ["OO".into(), from.into(), to.into()], vec![]));
    }

    pub(crate) fn connect_property(&mut self, from: i64, to: i64, property: &str) {
        self.connections.push(element("C", ["OP".into(), from.into(), to.into(), property.into()], vec![]));
    }

    pub(crate) fn model(&mut self, name: &str, kind: &str, list: &[(&str, &[f64])], parent: i64) -> i64 {
        let kinds = |name: &str| match name {
            "RotationOrder" | "InheritType" => "enum",
            "RotationActive" => "bool",
            "Visibility" => "double",
            _ => "Vector3D",
        };
        let list = list.iter().map(|(name, values)| property(name, kinds(name), values)).collect();
        self.object("Model", name, "Model", kind, vec![properties(list)], parent)
    }

    /// A mesh of polygons, connected to a model. `parts` has further elements: layers.
    pub(crate) fn mesh(
        &mut self,
        vertices: &[[f64; 3]],
        polygons: &[&[i32]],
        parts: Vec<Element>,
        model: i64,
    ) -> i64 {
        let corners = polygons.iter().flat_map(|polygon| {
            let last = polygon.len() - 1;
            polygon.iter().enumerate().map(move |(i, &corner)| if i == last { !corner } else { corner })
        });
        let mut list = vec![
            element("Vertices", [Value::Reals(vertices.as_flattened().to_vec())], vec![]),
            element("PolygonVertexIndex", [Value::Ints(corners.collect())], vec![]),
        ];
        list.extend(parts);
        self.object("Geometry", "", "Geometry", "Mesh", list, model)
    }

    /// A skin of a mesh.
    pub(crate) fn skin(&mut self, mesh: i64, clusters: &[Cluster<'_>]) {
        let skin = self.object("Deformer", "", "Deformer", "Skin", vec![], mesh);
        for (bone, vertices, weights, bind) in clusters {
            let inverse = glam::DMat4::from_cols_array(bind).inverse().to_cols_array();
            // `Transform` is the mesh relative to the bone, `TransformLink` the bone in the world.
            let list = vec![
                element("Indexes", [Value::Ints(vertices.to_vec())], vec![]),
                element("Weights", [Value::Reals(weights.to_vec())], vec![]),
                element("Transform", [Value::Reals(inverse.to_vec())], vec![]),
                element("TransformLink", [Value::Reals(bind.to_vec())], vec![]),
            ];
            let cluster = self.object("Deformer", "", "SubDeformer", "Cluster", list, skin);
            self.connect(*bone, cluster);
        }
    }

    /// A blend channel of a mesh, with its weight in percent.
    pub(crate) fn blend(&mut self, mesh: i64, name: &str, percent: f64, shapes: &[Shape<'_>]) -> i64 {
        let blend = self.object("Deformer", "", "Deformer", "BlendShape", vec![], mesh);
        let full = shapes.iter().map(|shape| shape.0).collect();
        let list = vec![
            properties(vec![property("DeformPercent", "Number", &[percent])]),
            element("DeformPercent", [percent.into()], vec![]),
            element("FullWeights", [Value::Reals(full)], vec![]),
        ];
        let channel = self.object("Deformer", name, "SubDeformer", "BlendShapeChannel", list, blend);
        for (i, (_, vertices, offsets)) in shapes.iter().enumerate() {
            let list = vec![
                element("Indexes", [Value::Ints(vertices.to_vec())], vec![]),
                element("Vertices", [Value::Reals(offsets.as_flattened().to_vec())], vec![]),
            ];
            self.object("Geometry", &format!("{name}{i}"), "Geometry", "Shape", list, channel);
        }
        channel
    }

    /// An animation stack with one layer, from and to times in seconds. Gives the layer.
    pub(crate) fn stack(&mut self, name: &str, begin: f64, end: f64) -> i64 {
        let time = |name: &str, time: f64| property(name, "KTime", &[(time * SECOND).round()]);
        let list = vec![properties(vec![time("LocalStart", begin), time("LocalStop", end)])];
        let stack = self.object("AnimationStack", name, "AnimStack", "", list, NOTHING);
        self.object("AnimationLayer", "BaseLayer", "AnimLayer", "", vec![], stack)
    }

    /// Adds an additive layer to the stack of another one, with a weight in percent.
    pub(crate) fn layer(&mut self, of: i64, weight: f64) -> i64 {
        let list = vec![properties(vec![property("Weight", "Number", &[weight])])];
        // A stack comes right before its first layer.
        self.object("AnimationLayer", "Added", "AnimLayer", "", list, of - 1)
    }

    /// Makes the last curve repeat after its last key.
    pub(crate) fn repeat_last_curve(&mut self) {
        let repetition = vec![element("Repetition", [(-1).into()], vec![])];
        let mut extrapolation = element("Post-Extrapolation", [], repetition);
        extrapolation.list.insert(0, element("Type", [i64::from(b'R').into()], vec![]));
        if let Some(curve) = self.objects.last_mut() {
            curve.list.push(extrapolation);
        }
    }

    /// Curves of a property of an object; `None` keeps the component.
    pub(crate) fn curves(&mut self, layer: i64, object: i64, name: &str, curves: &[Option<&[Key]>]) {
        let components: &[&str] =
            if curves.len() == 1 { &["d|DeformPercent"] } else { &["d|X", "d|Y", "d|Z"] };
        // The value of a component without a curve.
        let rest = if name == "Lcl Scaling" { 1.0 } else { 0.0 };
        let defaults = components.iter().zip(curves).map(|(component, curve)| {
            property(component, "Number", &[curve.map_or(rest, |keys| keys[0].value)])
        });
        let list = vec![properties(defaults.collect())];
        let node = self.object("AnimationCurveNode", "T", "AnimCurveNode", "", list, layer);
        self.connect_property(node, object, name);
        for (component, keys) in components.iter().zip(curves) {
            let Some(keys) = keys else { continue };
            let data = keys.iter().flat_map(|key| {
                // Weights of tangents are two 16-bit numbers of 1/10,000.
                let [right, left] = key.weights.map(|weight| (weight * 10_000.0).round() as u32);
                [key.slopes[0], key.slopes[1], f32::from_bits(left << 16 | right), 0.0]
            });
            let list = vec![
                element("Default", [keys[0].value.into()], vec![]),
                element("KeyVer", [4008.into()], vec![]),
                element(
                    "KeyTime",
                    [Value::Longs(keys.iter().map(|k| (k.time * SECOND).round() as i64).collect())],
                    vec![],
                ),
                element(
                    "KeyValueFloat",
                    [Value::Floats(keys.iter().map(|k| k.value as f32).collect())],
                    vec![],
                ),
                element("KeyAttrFlags", [Value::Ints(keys.iter().map(|k| k.flags).collect())], vec![]),
                element("KeyAttrDataFloat", [Value::Bits(data.collect())], vec![]),
                element("KeyAttrRefCount", [Value::Ints(vec![1; keys.len()])], vec![]),
            ];
            let id = self.id();
            let values = [id.into(), "\0\x01AnimCurve".into(), "".into()];
            self.objects.push(element("AnimationCurve", values, list));
            self.connect_property(id, node, component);
        }
    }

    /// The nodes of the file, with all that the FBX SDK needs.
    pub(crate) fn elements(&self) -> Vec<Element> {
        let number = |name: &str, value: i64| element(name, [value.into()], vec![]);
        let mut kinds: Vec<(&str, i64)> = vec![("GlobalSettings", 1)];
        for object in &self.objects {
            match kinds.iter_mut().find(|(kind, _)| *kind == object.name) {
                Some((_, count)) => *count += 1,
                None => kinds.push((&object.name, 1)),
            }
        }
        let mut definitions = vec![number("Version", 100), number("Count", self.objects.len() as i64 + 1)];
        definitions.extend(
            kinds
                .iter()
                .map(|&(kind, count)| element("ObjectType", [kind.into()], vec![number("Count", count)])),
        );
        let scene =
            element("Document", [1.into(), "Scene".into(), "Scene".into()], vec![number("RootNode", 0)]);
        vec![
            element(
                "FBXHeaderExtension",
                [],
                vec![number("FBXHeaderVersion", 1003), number("FBXVersion", 7400)],
            ),
            element("GlobalSettings", [], vec![number("Version", 1000), properties(self.settings.clone())]),
            element("Documents", [], vec![number("Count", 1), scene]),
            element("Definitions", [], definitions),
            element("Objects", [], self.objects.clone()),
            element("Connections", [], self.connections.clone()),
        ]
    }
}
