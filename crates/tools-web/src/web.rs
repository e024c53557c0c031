//! The code that the module shares with `gambol`: structures from JavaScript.

#[path = "../../../src/web/retarget_options.rs"]
pub(crate) mod retarget_options;
#[path = "../../../src/web/structures.rs"]
#[cfg_attr(
    not(target_arch = "wasm32"),
    expect(unused, reason = "the types of TypeScript exist only on wasm32")
)]
pub(crate) mod structures;
