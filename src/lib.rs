//! Plays animated glTF characters: import, animation, skinning, WebGL2.

#[cfg(all(target_arch = "wasm32", feature = "web"))]
mod web;
