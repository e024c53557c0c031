//! Named structures from JavaScript, for calls with many arguments.
//!
//! `structures!` declares a structure once. It is a Rust struct, and a TypeScript interface with the same fields and
//! types, which the package fills in. So the compiler of each side finds a field that is missing or has another type.
//! `words!` declares an enum, which is a union of strings in TypeScript.
//!
//! A structure is a plain object. Its fields are read by name through `Reflect.get`: a getter for each field would be an
//! import of the core.
//!
//! The modules of the tools and the converters include this file.

use js_sys::{Array, Float32Array, Float64Array, Uint32Array};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A structure, or a field of one. The package checks what pages pass, so a value of another type is a bug in the package. It
/// counts as 0, empty or `false`.
pub(crate) trait FromJs {
    fn from_js(value: &JsValue) -> Self;
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Reflect)]
    fn get(object: &JsValue, name: &JsValue) -> JsValue;
}

thread_local! {
    /// The names of fields that were read. To decode one takes ten times as long as to read its field.
    static NAMES: RefCell<Vec<(&'static str, Rc<JsValue>)>> = const { RefCell::new(Vec::new()) };
}

/// The field of an object.
pub(crate) fn field<T: FromJs>(object: &JsValue, name: &'static str) -> T {
    // A getter of the page may call this function again, so nothing is borrowed here.
    T::from_js(&get(object, &decoded(name)))
}

/// The name of a field as a string of JavaScript.
fn decoded(name: &'static str) -> Rc<JsValue> {
    NAMES.with_borrow_mut(|names| {
        let at = names.iter().position(|(known, _)| std::ptr::eq(*known, name)).unwrap_or_else(|| {
            names.push((name, Rc::new(name.into())));
            names.len() - 1
        });
        Rc::clone(&names[at].1)
    })
}

/// Declares structures. `name as other: Type` is a field with another name in JavaScript.
macro_rules! structures {
    ($(
        $(#[doc = $doc:literal])*
        pub struct $name:ident: $typescript:tt {$(
            $(#[doc = $field_doc:literal])*
            $field:ident $(as $js:ident)?: $type:ident $(<$element:ident>)?
        ),+ $(,)?}
    )+) => {
        /// The structures as objects of JavaScript.
        pub mod js {
            use wasm_bindgen::prelude::*;

            $(
                #[wasm_bindgen(typescript_custom_section)]
                const TYPES: &str = concat!(
                    "\n/**", $($doc, "\n *",)* "/\nexport interface ", $typescript, " {\n",
                    $(
                        crate::web::structures::documented!($($field_doc)*), "  readonly ",
                        crate::web::structures::name!($field $($js)?), ": ",
                        crate::web::structures::typescript!($type $(<$element>)?), ";\n",
                    )+
                    "}\n",
                );
            )+

            #[wasm_bindgen]
            extern "C" {$(
                $(#[doc = $doc])*
                #[wasm_bindgen(typescript_type = $typescript)]
                pub type $name;
            )+}
        }

        $(
            $(#[doc = $doc])*
            #[derive(Debug)]
            pub(crate) struct $name {$(
                $(#[doc = $field_doc])*
                pub(crate) $field: $type $(<$element>)?,
            )+}

            impl crate::web::structures::FromJs for $name {
                fn from_js(value: &wasm_bindgen::JsValue) -> Self {
                    use crate::web::structures::{field, name};
                    Self {$($field: field(value, name!($field $($js)?)),)+}
                }
            }

            impl crate::web::structures::Element for $name {}

            impl From<&js::$name> for $name {
                fn from(value: &js::$name) -> Self {
                    crate::web::structures::FromJs::from_js(value)
                }
            }
        )+
    };
}

/// The comment of a field.
macro_rules! documented {
    () => { "" };
    ($($doc:literal)+) => { concat!("  /**", $($doc,)+ " */\n") };
}

/// The name of a field in JavaScript.
macro_rules! name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $js:ident) => {
        stringify!($js)
    };
}

/// The type of a field in TypeScript.
macro_rules! typescript {
    (f32) => {
        "number"
    };
    (f64) => {
        "number"
    };
    (u32) => {
        "number"
    };
    (bool) => {
        "boolean"
    };
    (String) => {
        "string"
    };
    (Vec3) => {
        "Float32Array"
    };
    (Floats) => {
        "Float32Array"
    };
    (Doubles) => {
        "Float64Array"
    };
    (Indices) => {
        "Uint32Array"
    };
    (Vec<$element:ident>) => {
        concat!("readonly ", crate::web::structures::typescript!($element), "[]")
    };
    (Option<$some:ident>) => {
        concat!(crate::web::structures::typescript!($some), " | undefined")
    };
    ($structure:ident) => {
        stringify!($structure)
    };
}

/// Defines an enum of words, which also structures hold, and with `= Core` the conversions between it and an enum of the
/// core with the same variants. wasm-bindgen declares only types that a signature names, so the type of TypeScript is
/// declared here.
macro_rules! words {
    (
        $(#[doc = $doc:literal])*
        pub enum $name:ident = $core:ty {
            $first:ident = $first_word:tt,
            $($variant:ident = $word:tt,)*
        }
    ) => {
        crate::web::structures::words! {
            $(#[doc = $doc])*
            pub enum $name {
                $first = $first_word,
                $($variant = $word,)*
            }
        }

        impl From<$name> for $core {
            fn from(word: $name) -> Self {
                match word {
                    $($name::$variant => Self::$variant,)*
                    _ => Self::$first,
                }
            }
        }

        impl From<$core> for $name {
            fn from(value: $core) -> Self {
                match value {
                    <$core>::$first => Self::$first,
                    $(<$core>::$variant => Self::$variant,)*
                }
            }
        }
    };
    (
        $(#[doc = $doc:literal])*
        pub enum $name:ident {
            $first:ident = $first_word:tt,
            $($variant:ident = $word:tt,)*
        }
    ) => {
        #[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
        const TYPE: &str = concat!(
            "\n/**", $($doc, "\n *",)* "/\nexport type ", stringify!($name), " = '", $first_word, "'",
            $(" | '", $word, "'",)* ";\n",
        );

        $(#[doc = $doc])*
        #[wasm_bindgen::prelude::wasm_bindgen(skip_typescript)]
        #[derive(Debug, Clone, Copy)]
        pub enum $name {
            $first = $first_word,
            $($variant = $word,)*
        }

        impl crate::web::structures::FromJs for $name {
            fn from_js(value: &wasm_bindgen::JsValue) -> Self {
                Self::from_js_value(value).unwrap_or(Self::$first)
            }
        }
    };
}

pub(crate) use {documented, name, structures, typescript, words};

/// Typed arrays of JavaScript.
pub(crate) type Floats = Vec<f32>;
pub(crate) type Doubles = Vec<f64>;
pub(crate) type Indices = Vec<u32>;

impl FromJs for f64 {
    fn from_js(value: &JsValue) -> Self {
        value.as_f64().unwrap_or_default()
    }
}

impl FromJs for f32 {
    fn from_js(value: &JsValue) -> Self {
        f64::from_js(value) as Self
    }
}

impl FromJs for u32 {
    fn from_js(value: &JsValue) -> Self {
        f64::from_js(value) as Self
    }
}

impl FromJs for bool {
    fn from_js(value: &JsValue) -> Self {
        value.is_truthy()
    }
}

impl FromJs for String {
    fn from_js(value: &JsValue) -> Self {
        value.as_string().unwrap_or_default()
    }
}

impl FromJs for Floats {
    fn from_js(value: &JsValue) -> Self {
        value.dyn_ref().map(Float32Array::to_vec).unwrap_or_default()
    }
}

impl FromJs for Doubles {
    fn from_js(value: &JsValue) -> Self {
        value.dyn_ref().map(Float64Array::to_vec).unwrap_or_default()
    }
}

impl FromJs for Indices {
    fn from_js(value: &JsValue) -> Self {
        value.dyn_ref().map(Uint32Array::to_vec).unwrap_or_default()
    }
}

impl<T: FromJs> FromJs for Option<T> {
    fn from_js(value: &JsValue) -> Self {
        (!value.is_undefined()).then(|| T::from_js(value))
    }
}

/// An element of a list that is no typed array.
pub(crate) trait Element: FromJs {}

impl Element for String {}

impl<T: Element> FromJs for Vec<T> {
    fn from_js(value: &JsValue) -> Self {
        value
            .dyn_ref()
            .map(|list: &Array| list.iter().map(|value| T::from_js(&value)).collect())
            .unwrap_or_default()
    }
}
