//! Limits on memory and on the number of elements of a file.

/// Limits of an import, since viewers open untrusted files.
///
/// The memory limit of decoded data is `expansion` times the size of the input, but at least `floor` and at most
/// `decoded_bytes`. So a small file cannot allocate gigabytes, for example by accessors without bytes or by views that
/// share bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum size of decoded vertices, indices, images and keyframes, for any file. The JSON is
    /// limited separately; its size is estimated as 1,200 bytes per object and 48 per comma.
    pub decoded_bytes: u64,
    /// The maximum number of decoded bytes per byte of the file and its buffers.
    pub expansion: u64,
    /// The minimum of the limit on decoded bytes.
    pub floor: u64,
    /// The maximum number of vertices of all primitives, counted for each instance of EXT_mesh_gpu_instancing.
    pub vertices: u64,
    /// The maximum number of nodes.
    pub nodes: u64,
    /// The maximum number of draws per frame: primitives of nodes. Instances (`EXT_mesh_gpu_instancing`) share a draw,
    /// unless they blend.
    pub draws: u64,
    /// The maximum number of instances of all meshes.
    pub instances: u64,
    /// The maximum number of joints of all skinned nodes, counted for each use of a skin.
    pub joints: u64,
    /// The maximum depth of the node hierarchy, in nodes. Import does not recurse over nodes; the limit protects
    /// callers that do.
    pub depth: u64,
}

impl Limits {
    /// The default limits.
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
    /// The limit of decoded bytes for an input of `bytes`.
    pub fn of(self, bytes: usize) -> u64 {
        // Uses a division, since an overflow check of the product takes 128 bits, which WebAssembly lacks.
        let most = self.decoded_bytes.checked_div(self.expansion);
        let fits = most.is_none_or(|most| bytes as u64 <= most);
        let expanded = if fits { self.expansion * bytes as u64 } else { self.decoded_bytes };
        expanded.max(self.floor).min(self.decoded_bytes)
    }
}
