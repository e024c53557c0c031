//! A stub of OpenGL that draws nothing and reports success, for tests of the renderer's work on the CPU.

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

/// A context of the stub.
pub(crate) fn context() -> glow::Context {
    // SAFETY: every function fulfils the part of GL's contract on which the renderer depends. `nothing` accepts any
    // arguments, since in C's calling convention the caller cleans up the stack.
    unsafe { glow::Context::from_loader_function(function) }
}

fn function(name: &str) -> *const c_void {
    match name {
        "glGetString" => get_string as *const c_void,
        "glGetIntegerv" => get_integer as *const c_void,
        "glGetFloatv" => get_float as *const c_void,
        "glGetShaderiv" | "glGetProgramiv" => get_status as *const c_void,
        "glCreateShader" | "glCreateProgram" => create as *const c_void,
        "glFenceSync" => fence as *const c_void,
        "glClientWaitSync" => wait as *const c_void,
        _ if name.starts_with("glGen") && name != "glGenerateMipmap" => generate as *const c_void,
        _ => nothing as *const c_void,
    }
}

static NAMES: AtomicU32 = AtomicU32::new(1);

extern "system" fn nothing() -> usize {
    0
}

extern "system" fn get_string(_: u32) -> *const c_char {
    c"3.3.0".as_ptr()
}

/// # Safety
/// `out` must be valid for writing one number.
unsafe extern "system" fn get_integer(what: u32, out: *mut i32) {
    let value = match what {
        glow::MAX_TEXTURE_SIZE => 4096,
        glow::UNIFORM_BUFFER_OFFSET_ALIGNMENT => 256,
        glow::SAMPLES => 4,
        _ => 0,
    };
    // SAFETY: the caller's contract.
    unsafe { ptr::write(out, value) };
}

/// # Safety
/// `out` must be valid for writing one number.
unsafe extern "system" fn get_float(_: u32, out: *mut f32) {
    // SAFETY: the caller's contract.
    unsafe { ptr::write(out, 1.0) };
}

/// Returns 1 for every query, such as the status of compilation and linking.
///
/// # Safety
/// `out` must be valid for writing one number.
unsafe extern "system" fn get_status(_: u32, _: u32, out: *mut i32) {
    // SAFETY: the caller's contract.
    unsafe { ptr::write(out, 1) };
}

extern "system" fn create(_: u32) -> u32 {
    NAMES.fetch_add(1, Ordering::Relaxed)
}

/// # Safety
/// `out` must be valid for writing `count` names.
unsafe extern "system" fn generate(count: i32, out: *mut u32) {
    for i in 0..usize::try_from(count).unwrap_or(0) {
        // SAFETY: the caller's contract.
        unsafe { ptr::write(out.add(i), create(0)) };
    }
}

extern "system" fn fence(_: u32, _: u32) -> *const c_void {
    ptr::without_provenance(1)
}

extern "system" fn wait(_: *const c_void, _: u32, _: u64) -> u32 {
    glow::ALREADY_SIGNALED
}
