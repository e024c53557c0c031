//! The functions of the C library that ufbx calls.
//!
//! wasm32-unknown-unknown has no C library: ufbx is compiled with `UFBX_NO_LIBC`. For the same bytes on all machines, it
//! is compiled with `UFBX_EXTERNAL_MATH` on all others (`.cargo/config.toml`). Otherwise nothing calls these functions.

use std::ffi::c_int;

macro_rules! math {
    ($($name:ident = $function:ident($($x:ident),+);)*) => {
        $(
            // SAFETY: no other function has this name, which begins with that of the library.
            #[unsafe(no_mangle)]
            extern "C" fn $name($($x: f64),+) -> f64 {
                libm::$function($($x),+)
            }
        )*
    };
}

math! {
    ufbx_acos = acos(x);
    ufbx_asin = asin(x);
    ufbx_atan = atan(x);
    ufbx_atan2 = atan2(y, x);
    ufbx_ceil = ceil(x);
    ufbx_copysign = copysign(x, y);
    ufbx_cos = cos(x);
    ufbx_fabs = fabs(x);
    ufbx_floor = floor(x);
    ufbx_fmax = fmax(x, y);
    ufbx_fmin = fmin(x, y);
    ufbx_nextafter = nextafter(x, y);
    ufbx_pow = pow(x, y);
    ufbx_rint = rint(x);
    ufbx_sin = sin(x);
    ufbx_sqrt = sqrt(x);
    ufbx_tan = tan(x);
}

// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn ufbx_isnan(x: f64) -> c_int {
    c_int::from(x.is_nan())
}

// Tests run under Miri, which cannot run the C code (`.github/workflows/nightly.yml`).
#[cfg(any(target_family = "wasm", test))]
mod memory {
    use std::ffi::{CStr, c_char, c_int, c_void};
    use std::ptr;

    // SAFETY: as above; the caller passes what C's function of the name wants, and so do those below.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn ufbx_memcpy(to: *mut c_void, from: *const c_void, count: usize) -> *mut c_void {
        // SAFETY: `count` bytes are readable and writable, and do not overlap.
        unsafe { ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast::<u8>(), count) };
        to
    }

    // SAFETY: as above.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn ufbx_memmove(to: *mut c_void, from: *const c_void, count: usize) -> *mut c_void {
        // SAFETY: `count` bytes are readable and writable.
        unsafe { ptr::copy(from.cast::<u8>(), to.cast::<u8>(), count) };
        to
    }

    // SAFETY: as above.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn ufbx_memset(to: *mut c_void, byte: c_int, count: usize) -> *mut c_void {
        // SAFETY: `count` bytes are writable.
        unsafe { ptr::write_bytes(to.cast::<u8>(), byte as u8, count) };
        to
    }

    // SAFETY: as above.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn ufbx_memchr(bytes: *const c_void, byte: c_int, count: usize) -> *const c_void {
        for i in 0..count {
            // SAFETY: bytes up to the first one that is found are readable.
            let at = unsafe { bytes.cast::<u8>().add(i) };
            // SAFETY: as above.
            if unsafe { *at } == byte as u8 {
                return at.cast();
            }
        }
        ptr::null()
    }

    // SAFETY: as above.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn ufbx_memcmp(a: *const c_void, b: *const c_void, count: usize) -> c_int {
        for i in 0..count {
            // SAFETY: `count` bytes are readable at both.
            let (a, b) = unsafe { (*a.cast::<u8>().add(i), *b.cast::<u8>().add(i)) };
            if a != b {
                return c_int::from(a) - c_int::from(b);
            }
        }
        0
    }

    // SAFETY: as above.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn ufbx_strlen(string: *const c_char) -> usize {
        // SAFETY: a zero ends the string.
        unsafe { CStr::from_ptr(string) }.count_bytes()
    }

    // SAFETY: as above.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn ufbx_strcmp(a: *const c_char, b: *const c_char) -> c_int {
        // SAFETY: a zero ends both strings.
        unsafe { ufbx_strncmp(a, b, usize::MAX) }
    }

    // SAFETY: as above.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn ufbx_strncmp(a: *const c_char, b: *const c_char, count: usize) -> c_int {
        for i in 0..count {
            // SAFETY: bytes up to the first zero or difference are readable.
            let (a, b) = unsafe { (*a.cast::<u8>().add(i), *b.cast::<u8>().add(i)) };
            if a != b || a == 0 {
                return c_int::from(a) - c_int::from(b);
            }
        }
        0
    }

    /// Is not called: ufbx gets Rust's allocator with each call. `UFBX_NO_MALLOC` of ufbx 0.11.5 does not compile.
    // SAFETY: as above.
    #[unsafe(no_mangle)]
    extern "C" fn ufbx_malloc(_size: usize) -> *mut c_void {
        ptr::null_mut()
    }

    /// Is not called, see [`ufbx_malloc`].
    // SAFETY: as above.
    #[unsafe(no_mangle)]
    extern "C" fn ufbx_realloc(_old: *mut c_void, _old_size: usize, _size: usize) -> *mut c_void {
        ptr::null_mut()
    }

    /// Is not called, see [`ufbx_malloc`].
    // SAFETY: as above.
    #[unsafe(no_mangle)]
    extern "C" fn ufbx_free(_old: *mut c_void, _size: usize) {}

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn memory_functions_do_what_c_says() {
            let from: [u8; 7] = [1, 2, 0, 200, 5, 2, 7];
            for count in 0..=from.len() {
                let mut to = [9_u8; 7];
                let written = to.as_mut_ptr().cast();
                // SAFETY: both arrays have at least `count` bytes.
                assert_eq!(unsafe { ufbx_memcpy(written, from.as_ptr().cast(), count) }, written);
                assert_eq!((&to[..count], &to[count..]), (&from[..count], &[9; 7][count..]));
                // SAFETY: as above.
                let order = unsafe { ufbx_memcmp(to.as_ptr().cast(), from.as_ptr().cast(), to.len()) };
                assert_eq!(order.signum(), to.cmp(&from) as c_int, "{count}");
                for byte in [2, 200, 9] {
                    // SAFETY: as above.
                    let found = unsafe { ufbx_memchr(from.as_ptr().cast(), byte, count) };
                    let want = from[..count].iter().position(|other| c_int::from(*other) == byte);
                    assert_eq!(found.cast::<u8>(), want.map_or(ptr::null(), |at| &raw const from[at]));
                }
            }
            // Overlapping, in both directions.
            for (to, first) in [(0, 2), (2, 0)] {
                let (mut moved, mut want) = (from, from);
                let start = moved.as_mut_ptr();
                // SAFETY: four bytes from each place are in the array.
                unsafe { ufbx_memmove(start.add(to).cast(), start.add(first).cast(), 4) };
                want.copy_within(first..first + 4, to);
                assert_eq!(moved, want);
            }
            let mut filled = from;
            // SAFETY: the array has five bytes.
            unsafe { ufbx_memset(filled.as_mut_ptr().cast(), 0x1ff, 5) };
            assert_eq!(filled, [255, 255, 255, 255, 255, 2, 7]);
        }

        #[test]
        fn string_functions_do_what_c_says() {
            let strings = [c"", c"a", c"ab", c"abc", c"b", c"\xff"];
            for a in strings {
                // SAFETY: a zero ends each string.
                assert_eq!(unsafe { ufbx_strlen(a.as_ptr()) }, a.count_bytes());
                for b in strings {
                    // SAFETY: as above.
                    let order = unsafe { ufbx_strcmp(a.as_ptr(), b.as_ptr()) };
                    assert_eq!(order.signum(), a.cmp(b) as c_int, "{a:?} {b:?}");
                    for count in 0..4 {
                        let start =
                            |string: &CStr| string.to_bytes()[..count.min(string.count_bytes())].to_vec();
                        // SAFETY: as above.
                        let order = unsafe { ufbx_strncmp(a.as_ptr(), b.as_ptr(), count) };
                        assert_eq!(order.signum(), start(a).cmp(&start(b)) as c_int, "{a:?} {b:?} {count}");
                    }
                }
            }
        }
    }
}
