//! `diff`, in steps.

use crate::convert::{object, thrown};
use crate::files::Files;
use gambol::import::import;
use gambol::model::Model;
use gambol_tools::{Comparison, Difference, Place};
use js_sys::Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** The place of the largest distance. */
export interface DifferencePlace {
  readonly distance: number;
  readonly time: number;
  readonly node: number;
  readonly mesh: number;
  readonly primitive: number;
  readonly vertex: number;
}

/** The differences of two files. */
export interface FileDifference extends DifferencePlace {
  readonly clip: string | undefined;
  readonly rest: DifferencePlace;
  readonly clips: readonly (DifferencePlace & { readonly name: string; readonly clip: number; readonly samples: number })[];
  readonly unmatched: readonly string[];
}
";

/// `diff` of `gambol-tools`, in steps.
#[wasm_bindgen]
pub struct Differ {
    a: Model,
    b: Model,
    comparison: Comparison,
}

#[wasm_bindgen]
impl Differ {
    /// Reads two files and compares them at rest.
    #[wasm_bindgen(constructor)]
    pub fn new(a: &[u8], mut a_files: Files, b: &[u8], mut b_files: Files) -> Result<Self, JsValue> {
        let read = |bytes: &[u8], files: &mut Files| {
            import(bytes, files).map(|imported| imported.model).map_err(|error| thrown(&error.into()))
        };
        let (a, b) = (read(a, &mut a_files)?, read(b, &mut b_files)?);
        let comparison = Comparison::new(&a, &b).map_err(|error| thrown(&error))?;
        Ok(Self { a, b, comparison })
    }

    /// The number of clips of the first file.
    pub fn clips(&self) -> usize {
        self.a.clips.len()
    }

    /// Compares one more clip; `false` if there is none.
    pub fn advance(&mut self) -> bool {
        self.comparison.advance(&self.a, &self.b)
    }

    /// The result.
    #[wasm_bindgen(unchecked_return_type = "FileDifference")]
    pub fn finish(self) -> JsValue {
        difference(&self.comparison.finish())
    }
}

fn number(value: usize) -> JsValue {
    JsValue::from(value as f64)
}

fn place(place: &Place) -> [(&'static str, JsValue); 6] {
    [
        ("distance", place.distance.into()),
        ("time", place.time.into()),
        ("node", number(place.node)),
        ("mesh", number(place.mesh)),
        ("primitive", number(place.primitive)),
        ("vertex", number(place.vertex)),
    ]
}

/// The result of a comparison.
pub(crate) fn difference(difference: &Difference) -> JsValue {
    let clips = difference.clips.iter().map(|clip| {
        let [a, b, c, d, e, f] = place(&clip.place);
        let name = ("name", clip.name.as_str().into());
        object([a, b, c, d, e, f, name, ("clip", number(clip.clip)), ("samples", number(clip.samples))])
    });
    let unmatched: Array = difference.unmatched.iter().map(|name| JsValue::from(name.as_str())).collect();
    let (largest, clip) = difference.largest();
    let name = clip.map_or(JsValue::UNDEFINED, |clip| difference.clips[clip].name.as_str().into());
    let [a, b, c, d, e, f] = place(&largest);
    object([
        a,
        b,
        c,
        d,
        e,
        f,
        ("clip", name),
        ("rest", object(place(&difference.rest))),
        ("clips", clips.collect::<Array>().into()),
        ("unmatched", unmatched.into()),
    ])
}
