//! The animation kernels behind plain exports, so that Node and browsers can time them.
//!
//! One crowd at a time, made by `setup`; wasm has one thread.

#[path = "../../workload/mod.rs"]
mod workload;

use std::cell::RefCell;
use workload::{Crowd, Feature, Members, Pickable, Skinned, Way};

thread_local! {
    static CROWD: RefCell<Option<Crowd>> = const { RefCell::new(None) };
    static MEMBERS: RefCell<Option<Members>> = const { RefCell::new(None) };
    static SKINNED: RefCell<Option<Skinned>> = const { RefCell::new(None) };
    static PICKABLE: RefCell<Option<Pickable>> = const { RefCell::new(None) };
}

/// Makes `count` characters, `general` ones or rigid ones.
#[unsafe(no_mangle)]
pub extern "C" fn setup(count: usize, general: bool) {
    CROWD.set(Some(Crowd::new(count, general)));
}

/// How many joints a character has.
#[unsafe(no_mangle)]
pub extern "C" fn joints() -> usize {
    workload::JOINTS
}

/// A frame in which everybody plays on.
#[unsafe(no_mangle)]
pub extern "C" fn forward() -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, Crowd::forward))
}

/// A frame in which everybody seeks to a random time.
#[unsafe(no_mangle)]
pub extern "C" fn seek() -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, Crowd::seek))
}

/// How many features [`mixed`] knows.
#[unsafe(no_mangle)]
pub extern "C" fn features() -> usize {
    Feature::ALL.len()
}

/// A frame in which everybody plays on with a feature of mixing: its index among all.
#[unsafe(no_mangle)]
pub extern "C" fn mixed(feature: usize) -> f32 {
    let Some((feature, _)) = Feature::ALL.get(feature) else { return 0.0 };
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, |crowd| crowd.mixed(*feature)))
}

/// A letter of the name of a feature; 0 after the last.
#[unsafe(no_mangle)]
pub extern "C" fn feature_name(feature: usize, letter: usize) -> u32 {
    Feature::ALL
        .get(feature)
        .and_then(|(_, name)| name.as_bytes().get(letter))
        .map_or(0, |&letter| u32::from(letter))
}

/// A frame in which everybody plays on, four at a time; with `mixed` each another clip than its neighbours.
#[unsafe(no_mangle)]
pub extern "C" fn quartets(mixed: bool) -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, |crowd| crowd.quartets(mixed)))
}

/// A frame in which everybody plays on, four at a time, with two clips.
#[unsafe(no_mangle)]
pub extern "C" fn quartets_blended() -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, Crowd::quartets_blended))
}

/// A frame in which everybody seeks to a random time, four at a time.
#[unsafe(no_mangle)]
pub extern "C" fn quartets_seek() -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, Crowd::quartets_seek))
}

/// A frame that only reads keys and writes palettes.
#[unsafe(no_mangle)]
pub extern "C" fn least_work() -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, Crowd::floor))
}

/// Makes a whole crowd of so many members.
#[unsafe(no_mangle)]
pub extern "C" fn setup_members(count: usize) {
    MEMBERS.set(Some(Members::new(count)));
}

/// A frame of theirs, posed in one of the ways of `Way::ALL`.
#[unsafe(no_mangle)]
pub extern "C" fn members(way: usize) -> f32 {
    MEMBERS.with_borrow_mut(|members| members.as_mut().map_or(0.0, |members| members.pose(Way::ALL[way].0)))
}

/// Makes a mesh that is deformed here, with or without normals; how many vertices it has.
#[unsafe(no_mangle)]
pub extern "C" fn setup_skin(normals: bool) -> usize {
    let skinned = Skinned::new(normals);
    let vertices = skinned.vertices();
    SKINNED.set(Some(skinned));
    vertices
}

/// Deforms it.
#[unsafe(no_mangle)]
pub extern "C" fn skin() -> f32 {
    SKINNED.with_borrow_mut(|skinned| skinned.as_mut().map_or(0.0, Skinned::deform))
}

/// Makes a mesh of 100,000 triangles; how many rays [`pick`] takes.
#[unsafe(no_mangle)]
pub extern "C" fn setup_pick() -> usize {
    let pickable = Pickable::new();
    let rays = pickable.rays();
    PICKABLE.set(Some(pickable));
    rays
}

/// Looks for its first triangle on so many rays.
#[unsafe(no_mangle)]
pub extern "C" fn pick() -> u32 {
    PICKABLE.with_borrow_mut(|pickable| pickable.as_mut().map_or(0, Pickable::pick))
}
