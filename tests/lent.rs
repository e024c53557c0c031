//! Objects that JS has are lent to its calls, and there for as long as they are.

#[path = "../src/web/lent.rs"]
#[expect(
    unreachable_pub,
    dead_code,
    reason = "the macro of wasm-bindgen uses all of it, in a private module"
)]
mod lent;

/// Throws, which is a panic here.
mod bindgen {
    pub(super) fn not_there() -> ! {
        panic!("it cannot be had")
    }
}

use lent::*;
use std::cell::Cell;
use std::rc::Rc;

/// Counts how many are gone.
struct Counted(u32, Rc<Cell<u32>>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.1.set(self.1.get() + 1);
    }
}

fn object(gone: &Rc<Cell<u32>>) -> *mut WasmRefCell<Counted> {
    Rc::into_raw(Rc::new(WasmRefCell::new(Counted(1, Rc::clone(gone))))).cast_mut()
}

#[test]
fn objects_are_lent_freed_and_taken() {
    let gone = Rc::new(Cell::new(0));
    let one = object(&gone);
    // SAFETY: `one` is there until it is freed, which is said once.
    unsafe {
        borrow_mut_rust_object(one).unwrap_or_else(|why| panic!("{why}")).0 += 1;
        let first = borrow_rust_object(one).unwrap_or_else(|why| panic!("{why}"));
        let second = borrow_rust_object(one).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!((first.0, second.0), (2, 2));
        drop(first);
        free_rust_object(one, true);
        assert_eq!((second.0, gone.get()), (2, 0), "it is there for as long as it is lent");
        drop(second);
    }
    assert_eq!(gone.get(), 1);
    // SAFETY: it is there, and taken once.
    let taken = unsafe { take_rust_object(object(&gone)) };
    assert_eq!(taken.map(|counted| counted.0), Ok(1));
    assert_eq!(gone.get(), 2);
}

fn throws(what: impl FnOnce()) {
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(what)).is_err());
}

#[test]
fn what_is_changed_is_lent_to_nobody_else() {
    let gone = Rc::new(Cell::new(0));
    let one = object(&gone);
    // SAFETY: `one` is there until it is freed, which is said once.
    unsafe {
        let changed = borrow_mut_rust_object(one);
        throws(|| drop(borrow_mut_rust_object(one)));
        throws(|| drop(borrow_rust_object(one)));
        drop(changed);
        let seen = borrow_rust_object(one);
        throws(|| drop(borrow_mut_rust_object(one)));
        drop(seen);
        throws(|| drop(borrow_rust_object(std::ptr::null_mut::<WasmRefCell<Counted>>())));
        // Who was refused has left nothing behind.
        drop(borrow_mut_rust_object(one));
        free_rust_object(one, false);
        assert_eq!(gone.get(), 1);
        let two = object(&gone);
        let seen = borrow_rust_object(two);
        assert!(take_rust_object(two).is_err());
        drop(seen);
    }
    assert_eq!(gone.get(), 2, "who could not be taken is gone with the last loan");
}
