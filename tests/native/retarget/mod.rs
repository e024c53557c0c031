//! Retargeting: six bodies play each other's clips, checked by world matrices that are computed here; maps of human
//! bones; clips by names; VRM files.

pub(crate) mod bodies;
mod invalid;
mod maps;
mod names;
mod pairs;
mod standing;
mod vrm;
mod vrm_clips;
mod world;
