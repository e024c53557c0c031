//! Limits on the memory and the counts of a file.

/// How much a file may ask for. Files have limits at all since a viewer opens what strangers send.
///
/// Of memory for decoded data, the limit is `decoded_bytes`, but no more than `expansion` times the bytes that the file brought,
/// or `floor` if that is more. So a small file cannot ask for gigabytes, by accessors of zeros without
/// bytes or by reading the same bytes again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of decoded vertices, indices, images and keys, for any file; and for the
    /// JSON on its own, with each object reckoned at 1,200 bytes and each comma at 48.
    pub decoded_bytes: u64,
    /// The decoded bytes that each byte of the file and its buffers may become.
    pub expansion: u64,
    /// The decoded bytes that every file may have.
    pub floor: u64,
    /// The most vertices of all primitives together, counted for each instance of EXT_mesh_gpu_instancing.
    pub vertices: u64,
    /// The most nodes.
    pub nodes: u64,
    /// The most draws of a frame: primitives that nodes show. Instances (`EXT_mesh_gpu_instancing`) are one draw, unless they blend.
    pub draws: u64,
    /// The most instances of all meshes together.
    pub instances: u64,
    /// The most joints of all nodes with a skin together, each counted as often as it is worn.
    pub joints: u64,
    /// The most nodes on a way from a root down, both ends counted. Nothing recurses; this is for those who
    /// want to know what they show.
    pub depth: u64,
}

impl Limits {
    /// The limits of a page that asks for no others.
    pub const DEFAULT: Self = Self {
        decoded_bytes: 1 << 30,
        expansion: 64,
        floor: 64 << 20,
        vertices: 1 << 25,
        nodes: 1 << 18,
        draws: 1 << 16,
        instances: 1 << 17,
        joints: 1 << 22,
        depth: 1 << 16,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Limits {
    /// The limit for a file that brought `bytes`.
    pub(crate) fn of(self, bytes: usize) -> u64 {
        // Divided, since a product that may not fit takes 128 bits, for which WebAssembly has no instruction.
        let most = self.decoded_bytes.checked_div(self.expansion);
        let fits = most.is_none_or(|most| bytes as u64 <= most);
        let expanded = if fits { self.expansion * bytes as u64 } else { self.decoded_bytes };
        expanded.max(self.floor).min(self.decoded_bytes)
    }
}
