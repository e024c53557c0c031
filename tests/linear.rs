//! Import takes memory and time in proportion to the file, whatever the file consists of.
//!
//! What is counted is bytes allocated, also those given back at once: a loop over all that is quadratic allocates
//! quadratically, and no clock is needed.

#[path = "import/support.rs"]
#[expect(dead_code, reason = "shared with the tests of import, which need more of it")]
mod support;

use serde_json::json;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use support::{Builder, animated, skinned, triangle};

thread_local! {
    /// Of this thread alone, since the test harness allocates in others.
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which also counts.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

impl Counting {
    fn count(bytes: usize) {
        // While a thread ends, its counter may be gone; nobody asks for it then.
        let _ = BYTES.try_with(|count| count.set(count.get() + bytes));
    }
}

// SAFETY: every call goes to `System` unchanged, which keeps the trait's promises; counting touches no memory
// that is allocated here, and cannot panic.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size());
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size());
        // SAFETY: the caller keeps the promises of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::count(size);
        // SAFETY: the caller keeps the promises of `realloc`, and `pointer` came from `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of `dealloc`, and `pointer` came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// How many bytes the import of a file allocates, and how many the file has.
fn cost(file: &Builder) -> (usize, usize) {
    let glb = file.glb();
    let before = BYTES.get();
    let result = support::import(&glb);
    let bytes = BYTES.get() - before;
    drop(result);
    (bytes, glb.len())
}

fn vertices(n: usize) -> Builder {
    let mut file = Builder::new();
    let positions = file.floats("VEC3", &vec![0.5; 9 * n]);
    let attributes = json!({"POSITION": positions, "NORMAL": positions});
    file.push(
        "meshes",
        json!({"primitives": [{"attributes": attributes, "targets": [{"POSITION": positions}]}]}),
    );
    file
}

fn chain(n: usize) -> Builder {
    let mut file = skinned();
    let nodes: Vec<_> =
        (0..n).map(|i| if i + 1 < n { json!({"children": [i + 1]}) } else { json!({}) }).collect();
    file.json["nodes"] = json!(nodes);
    file.json["skins"][0]["joints"] = json!((0..n).collect::<Vec<_>>());
    file
}

fn meshes(n: usize) -> Builder {
    let mut file = triangle();
    for _ in 0..n {
        file.push("meshes", json!({"primitives": [{"attributes": {"POSITION": 0}}]}));
    }
    file
}

fn channels(n: usize) -> Builder {
    let mut file = animated();
    file.json["nodes"] = json!(vec![json!({}); n]);
    let channel = |node| json!({"sampler": 0, "target": {"node": node, "path": "translation"}});
    file.json["animations"][0]["channels"] = json!((0..n).map(channel).collect::<Vec<_>>());
    file
}

fn animations(n: usize) -> Builder {
    let mut file = animated();
    for _ in 0..n {
        let clip = file.json["animations"][0].clone();
        file.push("animations", clip);
    }
    file
}

fn accessors(n: usize) -> Builder {
    let mut file = triangle();
    for _ in 0..n {
        // Broken, and not used.
        file.push("accessors", json!({"bufferView": 99, "componentType": 5126, "type": "VEC3", "count": 3}));
    }
    file
}

fn faults(n: usize) -> Builder {
    let mut file = animated();
    let channel = json!({"sampler": 0, "target": {"node": 77, "path": "what"}});
    file.json["animations"][0]["channels"] = json!(vec![channel; n]);
    file.json["scenes"] = json!([{"nodes": vec![0; n]}]);
    file
}

#[test]
fn import_allocates_in_proportion_to_the_file() {
    type Make = fn(usize) -> Builder;
    let kinds: [(&str, Make); 7] = [
        ("vertices", vertices),
        ("a chain of nodes", chain),
        ("meshes", meshes),
        ("channels", channels),
        ("animations", animations),
        ("broken accessors", accessors),
        ("faults", faults),
    ];
    for (name, make) in kinds {
        let costs: Vec<(usize, usize)> = [500, 1000, 2000, 4000].map(|n| cost(&make(n))).to_vec();
        for pair in costs.windows(2) {
            let ((less, short), (more, long)) = (pair[0], pair[1]);
            let growth = more as f64 / less as f64;
            let longer = long as f64 / short as f64;
            // Vectors that double may double once more.
            assert!(
                growth < 1.35 * longer,
                "{name}: {growth:.2} times the memory for {longer:.2} times the file"
            );
        }
        let (bytes, length) = costs[3];
        assert!(bytes < 100 * length, "{name}: {bytes} bytes for a file of {length}");
    }
}
