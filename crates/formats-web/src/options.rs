//! Options, as structures.

use crate::web::structures::{structures, words};

words! {
    /// The axis that points up.
    pub enum UpAxis {
        Y = "y",
        Z = "z",
    }
}

structures! {
    /// The options of a conversion; one that is `undefined` is the default of `Options`.
    pub struct Conversion: "Conversion" {
        metres_per_unit as metresPerUnit: Option<f32>,
        up: Option<UpAxis>,
        /// The limit of decoded bytes.
        decoded_bytes as decodedBytes: Option<f64>,
    }
}
