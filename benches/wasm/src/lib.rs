//! The animation kernels behind plain exports, so that Node and browsers can time them.
//!
//! There is one crowd at a time, created by `setup`; wasm has one thread.

#[path = "../../workload/mod.rs"]
mod workload;

use std::cell::RefCell;
use workload::{Crowd, Feature, Members, Pickable, Procedural, Retargeting, Skinned, Steered, Way};

thread_local! {
    static CROWD: RefCell<Option<Crowd>> = const { RefCell::new(None) };
    static MEMBERS: RefCell<Option<Members>> = const { RefCell::new(None) };
    static SKINNED: RefCell<Option<Skinned>> = const { RefCell::new(None) };
    static PICKABLE: RefCell<Option<Pickable>> = const { RefCell::new(None) };
    static PROCEDURAL: RefCell<Option<Procedural>> = const { RefCell::new(None) };
    static RETARGETING: RefCell<Option<Retargeting>> = const { RefCell::new(None) };
    static STEERED: RefCell<Option<Steered>> = const { RefCell::new(None) };
}

/// Creates `count` characters, with general or only rigid transforms.
#[unsafe(no_mangle)]
pub extern "C" fn setup(count: usize, general: bool) {
    CROWD.set(Some(Crowd::new(count, general)));
}

/// The number of joints of a character.
#[unsafe(no_mangle)]
pub extern "C" fn joints() -> usize {
    workload::JOINTS
}

/// A frame in which all characters advance.
#[unsafe(no_mangle)]
pub extern "C" fn forward() -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, Crowd::forward))
}

/// A frame in which all characters seek to a random time.
#[unsafe(no_mangle)]
pub extern "C" fn seek() -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, Crowd::seek))
}

/// The number of features of [`mixed`].
#[unsafe(no_mangle)]
pub extern "C" fn features() -> usize {
    Feature::ALL.len()
}

/// A frame in which all characters advance with a feature of mixing, by its index.
#[unsafe(no_mangle)]
pub extern "C" fn mixed(feature: usize) -> f32 {
    let Some((feature, _)) = Feature::ALL.get(feature) else { return 0.0 };
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, |crowd| crowd.mixed(*feature)))
}

/// A letter of a feature's name; 0 after the last.
#[unsafe(no_mangle)]
pub extern "C" fn feature_name(feature: usize, letter: usize) -> u32 {
    Feature::ALL
        .get(feature)
        .and_then(|(_, name)| name.as_bytes().get(letter))
        .map_or(0, |&letter| u32::from(letter))
}

/// A frame in which all characters advance, four at a time. With `mixed`, neighbours play different clips.
#[unsafe(no_mangle)]
pub extern "C" fn quartets(mixed: bool) -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, |crowd| crowd.quartets(mixed)))
}

/// A frame in which all characters advance, four at a time, with two clips.
#[unsafe(no_mangle)]
pub extern "C" fn quartets_blended() -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, Crowd::quartets_blended))
}

/// A frame in which all characters seek to a random time, four at a time.
#[unsafe(no_mangle)]
pub extern "C" fn quartets_seek() -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, Crowd::quartets_seek))
}

/// The lower bound of a frame: it only reads keys and writes palettes.
#[unsafe(no_mangle)]
pub extern "C" fn least_work() -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, Crowd::floor))
}

/// Creates a crowd of `count` members.
#[unsafe(no_mangle)]
pub extern "C" fn setup_members(count: usize) {
    MEMBERS.set(Some(Members::new(count)));
}

/// A frame of the crowd, posed in one of the ways of `Way::ALL`.
#[unsafe(no_mangle)]
pub extern "C" fn members(way: usize) -> f32 {
    MEMBERS.with_borrow_mut(|members| members.as_mut().map_or(0.0, |members| members.pose(Way::ALL[way].0)))
}

/// Creates a mesh that is skinned on the CPU, with or without normals; returns its number of vertices.
#[unsafe(no_mangle)]
pub extern "C" fn setup_skin(normals: bool) -> usize {
    let skinned = Skinned::new(normals);
    let vertices = skinned.vertices();
    SKINNED.set(Some(skinned));
    vertices
}

/// Skins the mesh of `setup_skin`.
#[unsafe(no_mangle)]
pub extern "C" fn skin() -> f32 {
    SKINNED.with_borrow_mut(|skinned| skinned.as_mut().map_or(0.0, Skinned::deform))
}

/// Creates a mesh of 100,000 triangles; returns the number of rays that [`pick`] casts.
#[unsafe(no_mangle)]
pub extern "C" fn setup_pick() -> usize {
    let pickable = Pickable::new();
    let rays = pickable.rays();
    PICKABLE.set(Some(pickable));
    rays
}

/// Casts the rays against the mesh of `setup_pick`; returns the number of hits.
#[unsafe(no_mangle)]
pub extern "C" fn pick() -> u32 {
    PICKABLE.with_borrow_mut(|pickable| pickable.as_mut().map_or(0, Pickable::pick))
}

/// Creates a chain of ten bones.
#[unsafe(no_mangle)]
pub extern "C" fn setup_procedural() {
    PROCEDURAL.set(Some(Procedural::new()));
}

/// A frame of the chain of `setup_procedural` as spring bones.
#[unsafe(no_mangle)]
pub extern "C" fn springs() -> f32 {
    PROCEDURAL.with_borrow_mut(|chain| chain.as_mut().map_or(0.0, Procedural::springs))
}

/// The same frame without springs.
#[unsafe(no_mangle)]
pub extern "C" fn without_springs() -> f32 {
    PROCEDURAL.with_borrow_mut(|chain| chain.as_mut().map_or(0.0, Procedural::without_springs))
}

/// A frame of the chain of `setup_procedural` with inverse kinematics.
#[unsafe(no_mangle)]
pub extern "C" fn chain_ik() -> f32 {
    PROCEDURAL.with_borrow_mut(|chain| chain.as_mut().map_or(0.0, Procedural::chain))
}

/// A frame of two feet on the ground, after `setup_procedural`.
#[unsafe(no_mangle)]
pub extern "C" fn feet() -> f32 {
    PROCEDURAL.with_borrow_mut(|procedural| procedural.as_mut().map_or(0.0, Procedural::feet))
}

/// Creates two bodies of 65 joints and a clip of 1,000 keys.
#[unsafe(no_mangle)]
pub extern "C" fn setup_retarget() {
    RETARGETING.set(Some(Retargeting::new()));
}

/// Retargets the clip of `setup_retarget`; returns the number of channels.
#[unsafe(no_mangle)]
pub extern "C" fn retarget() -> usize {
    RETARGETING.with_borrow(|retargeting| retargeting.as_ref().map_or(0, Retargeting::run))
}

/// Creates a state machine of 20 states in 3 layers with its player.
#[unsafe(no_mangle)]
pub extern "C" fn setup_states() {
    STEERED.set(Some(Steered::new()));
}

/// A frame of the machine of `setup_states` and its player, without a pose.
#[unsafe(no_mangle)]
pub extern "C" fn states() -> f64 {
    STEERED.with_borrow_mut(|steered| steered.as_mut().map_or(0.0, Steered::update))
}

/// The same frame of the player alone.
#[unsafe(no_mangle)]
pub extern "C" fn without_states() -> f64 {
    STEERED.with_borrow_mut(|steered| steered.as_mut().map_or(0.0, Steered::without))
}
