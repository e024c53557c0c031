//! Import: files that are wrong first, then files that are right, then files at random.

#[path = "import/accessors.rs"]
mod accessors;
#[path = "import/animations.rs"]
mod animations;
#[path = "import/assets.rs"]
mod assets;
#[path = "import/compressed.rs"]
mod compressed;
#[path = "import/containers.rs"]
mod containers;
#[path = "import/draco.rs"]
mod draco;
#[path = "import/extensions.rs"]
mod extensions;
#[path = "import/layers.rs"]
mod layers;
#[path = "import/meshes.rs"]
mod meshes;
#[path = "import/mutations.rs"]
mod mutations;
#[path = "import/nodes.rs"]
mod nodes;
#[path = "import/pointers.rs"]
mod pointers;
#[path = "import/support.rs"]
mod support;
