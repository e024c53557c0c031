//! Models for tests.

use gambol::import::{NoResolver, import};
use gambol::model::Model;
use std::path::Path;
use std::sync::LazyLock;

/// The file of the sample character, which takes seconds to make.
pub(crate) static SAMPLE: LazyLock<Vec<u8>> = LazyLock::new(gambol_sample::glb);

pub(crate) fn sample() -> Model {
    import(&SAMPLE, &mut NoResolver).expect("the sample").model
}

/// The sample, and the existing files of `../shared/assets` among `names`, with their names.
pub(crate) fn models(names: &[&str]) -> Vec<(String, Model)> {
    let mut models = vec![("sample".to_owned(), SAMPLE.clone())];
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/assets");
    for &name in names {
        if let Ok(bytes) = std::fs::read(assets.join(name)) {
            models.push((name.to_owned(), bytes));
        }
    }
    let model = |(name, bytes): (String, Vec<u8>)| {
        let model = import(&bytes, &mut NoResolver).unwrap_or_else(|error| panic!("{name}: {error}")).model;
        (name, model)
    };
    models.into_iter().map(model).collect()
}
