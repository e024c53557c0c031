//! Panics of the module that ships: they stop it without a word.
//!
//! A panic is a bug of gambol, which stops the module either way; the page is told `wasm/panic`. What it would say is for
//! those who mend the bug: `target/web/gambol/speaking.wasm`, put in the place of `gambol.wasm`, says it on the console.

use anyhow::{Result, ensure};
use walrus::ir::{Instr, Unreachable, Value};
use walrus::{ConstExpr, DataKind, Module};

use crate::split::{self, Image};

/// Functions of Rust's libraries that never return.
const NEVER_RETURN: &[&str] = &[
    "core::panicking::",
    "core::option::unwrap_failed",
    "core::option::expect_failed",
    "core::result::unwrap_failed",
    "core::cell::panic_already_",
    "core::slice::index::slice_index_fail",
    "core::slice::copy_from_slice_impl::len_mismatch_fail",
    "core::str::slice_error_fail",
    "alloc::raw_vec::handle_error",
    "alloc::raw_vec::capacity_overflow",
    "alloc::alloc::handle_alloc_error",
    "std::panicking::panic_with_hook",
    "std::panicking::begin_panic",
    "std::thread::local::panic_access_error",
];

/// Runs only so that panics speak.
const HOOK: &str = "console_error_panic_hook::set_once";

/// Lets all panics trap at once, and takes out where in the sources they are.
pub(crate) fn silence(module: &mut Module) -> Result<()> {
    let mut found = 0;
    for function in module.funcs.iter_mut() {
        // As in `core[c5930c85a12de822]::panicking::panic_fmt`.
        let name = function.name.as_deref().unwrap_or_default();
        let name = match (name.find('['), name.find("]::")) {
            (Some(begin), Some(end)) if begin < end => format!("{}{}", &name[..begin], &name[end + 1..]),
            _ => name.to_owned(),
        };
        let walrus::FunctionKind::Local(local) = &mut function.kind else { continue };
        let entry = local.entry_block();
        let instructions = &mut local.block_mut(entry).instrs;
        if NEVER_RETURN.iter().any(|known| name.starts_with(known)) {
            *instructions = vec![(Instr::Unreachable(Unreachable {}), Default::default())];
            found += 1;
        } else if name.starts_with(HOOK) {
            instructions.clear();
        }
    }
    ensure!(found > 10, "only {found} of Rust's panics were found: have they other names now?");
    // A place and the path in it are pieces of their own.
    let mut image = Image::new(&split::data(module)?);
    forget_places(&mut image.bytes, image.begin);
    let ids: Vec<_> = module.data.iter().map(|data| data.id()).collect();
    for id in ids {
        let data = module.data.get_mut(id);
        if let DataKind::Active { offset: ConstExpr::Value(Value::I32(begin)), .. } = data.kind {
            let begin = begin as u32;
            data.value = image.bytes(&(begin..begin + data.value.len() as u32)).to_vec();
        }
    }
    Ok(())
}

/// Writes zeros over all `core::panic::Location`, which only panics read, and over the paths in them. `begin` is the address
/// of the data.
fn forget_places(data: &mut [u8], begin: u32) {
    let word =
        |data: &[u8], at: usize| data[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    let mut paths = Vec::new();
    // The address of the path, its length, line and column.
    for at in (0..data.len().saturating_sub(15)).step_by(4) {
        let first = word(data, at).wrapping_sub(begin) as usize;
        let path = first..first.saturating_add(word(data, at + 4) as usize);
        let in_path = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(byte);
        let is_path = |text: &[u8]| text.len() > 7 && text.ends_with(b".rs") && text.iter().all(in_path);
        if data.get(path.clone()).is_some_and(is_path) {
            data[at..at + 16].fill(0);
            paths.push(path);
        }
    }
    for path in paths {
        data[path].fill(0);
    }
}
