//! Export: the pose of a moment, and clips, as files.

mod clips;
mod materials;
mod nodes;
mod obj;
mod place;
mod pose;
mod recording;
mod still;
mod vertices;

pub use clips::{ClipToWrite, NewChannel, NewClip, export_clips};
pub use materials::{NewImage, NewMaterial, NewTexture, export_materials};
pub use nodes::export_nodes;
pub use obj::{ObjNames, export_mtl, export_obj};
pub use place::export_placed;
pub use pose::{Hidden, export_pose};
pub use recording::recorded_clip;

pub(crate) use pose::{drop_unused, extensions};
pub(crate) use still::{still_mesh, still_primitive, vertex_count};
pub(crate) use vertices::{add_deltas, add_switches, add_times};
