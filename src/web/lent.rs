//! Objects that JS has, and what its calls borrow of them.
//!
//! What wasm-bindgen has for that does the same, but its loans are three words. Those go through memory, where they are written by
//! fours of bytes and read by eights, for which a processor waits: a call that asks for one number took 22 ns where it takes 17, one that
//! moves a character's timeline 97 where it takes 85. Names and signatures are wasm-bindgen's, whose macro writes the calls.

use super::bindgen::not_there;
use std::borrow::Borrow;
use std::cell::{Cell, UnsafeCell};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// An object that JS has, and how often it is lent at this moment.
pub struct WasmRefCell<T> {
    /// How many look at it; [`CHANGING`] if one changes it.
    loans: Cell<u32>,
    value: UnsafeCell<T>,
}

const CHANGING: u32 = u32::MAX;

impl<T> WasmRefCell<T> {
    /// Lent to nobody.
    pub fn new(value: T) -> Self {
        Self { loans: Cell::new(0), value: UnsafeCell::new(value) }
    }

    /// Counts one more who looks; throws if somebody changes it. Before anything else is counted: what is thrown goes through Rust
    /// without putting anything back.
    fn look(&self) {
        match self.loans.get().checked_add(1) {
            Some(loans) if loans != CHANGING => self.loans.set(loans),
            _ => not_there(),
        }
    }

    /// Notes that somebody changes it; throws, likewise, if it is lent to anybody.
    fn change(&self) {
        if self.loans.get() != 0 {
            not_there();
        }
        self.loans.set(CHANGING);
    }
}

/// An object that is looked at. It stays until then, also if it is freed meanwhile.
pub struct RcRef<T: 'static>(Rc<WasmRefCell<T>>);

impl<T> RcRef<T> {
    /// Throws if somebody changes it.
    pub fn new(object: Rc<WasmRefCell<T>>) -> Self {
        object.look();
        Self(object)
    }
}

impl<T> Deref for RcRef<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: as long as `loans` counts this one nobody is given the value to change it: see `WasmRefCell::change`.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> Borrow<T> for RcRef<T> {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T> Drop for RcRef<T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.loans.set(self.0.loans.get() - 1);
    }
}

/// An object that is changed. It stays until then, also if it is freed meanwhile.
pub struct RcRefMut<T: 'static>(Rc<WasmRefCell<T>>);

impl<T> RcRefMut<T> {
    /// Throws if it is lent to anybody.
    pub fn new(object: Rc<WasmRefCell<T>>) -> Self {
        object.change();
        Self(object)
    }
}

impl<T> Deref for RcRefMut<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: as long as `loans` is `CHANGING` nobody else is given the value, and this one's borrows follow its own.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for RcRefMut<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for RcRefMut<T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.loans.set(0);
    }
}

/// One more that has an object, once `lend` has let it; throws if there is none.
///
/// # Safety
/// `object` is null, or of `Rc::into_raw` and still there.
#[inline(always)]
unsafe fn shared<T>(object: *mut WasmRefCell<T>, lend: impl FnOnce(&WasmRefCell<T>)) -> Rc<WasmRefCell<T>> {
    if object.is_null() {
        not_there();
    }
    // SAFETY: it is there, says the caller, and is counted once more before it is taken from its address.
    unsafe {
        lend(&*object);
        Rc::increment_strong_count(object);
        Rc::from_raw(object)
    }
}

/// Lends an object, to be looked at.
///
/// # Safety
/// `object` is null, or of `Rc::into_raw` and still there.
#[inline(always)]
pub unsafe fn borrow_rust_object<T>(object: *mut WasmRefCell<T>) -> Result<RcRef<T>, &'static str> {
    /// The part that is called, with one word to return.
    #[inline(never)]
    unsafe fn lent<T>(object: *mut WasmRefCell<T>) -> RcRef<T> {
        // SAFETY: the caller's.
        RcRef(unsafe { shared(object, WasmRefCell::look) })
    }
    // SAFETY: the caller's.
    Ok(unsafe { lent(object) })
}

/// Lends an object, to be changed.
///
/// # Safety
/// `object` is null, or of `Rc::into_raw` and still there.
#[inline(always)]
pub unsafe fn borrow_mut_rust_object<T>(object: *mut WasmRefCell<T>) -> Result<RcRefMut<T>, &'static str> {
    /// As above.
    #[inline(never)]
    unsafe fn lent<T>(object: *mut WasmRefCell<T>) -> RcRefMut<T> {
        // SAFETY: the caller's.
        RcRefMut(unsafe { shared(object, WasmRefCell::change) })
    }
    // SAFETY: the caller's.
    Ok(unsafe { lent(object) })
}

/// Takes an object from JS; fails if it is lent, and throws if there is none.
///
/// # Safety
/// `object` is null, or of `Rc::into_raw` and the caller's.
pub unsafe fn take_rust_object<T>(object: *mut WasmRefCell<T>) -> Result<T, &'static str> {
    if object.is_null() {
        not_there();
    }
    // SAFETY: the caller's.
    match Rc::try_unwrap(unsafe { Rc::from_raw(object) }) {
        Ok(object) => Ok(object.value.into_inner()),
        Err(_) => Err("lent"),
    }
}

/// Takes JS's share of an object; the object goes with the last one. Throws if that is not now, unless it may be later.
///
/// # Safety
/// `object` is null, or of `Rc::into_raw` and the caller's.
pub unsafe fn free_rust_object<T>(object: *mut WasmRefCell<T>, later: bool) {
    if object.is_null() {
        not_there();
    }
    // SAFETY: the caller's.
    let object = unsafe { Rc::from_raw(object) };
    let last = Rc::strong_count(&object) == 1;
    drop(object);
    if !last && !later {
        not_there();
    }
}
