//! FBX, text or binary, read by the C library ufbx.
//!
//! ufbx converts axes and units, and turns geometric transforms and inherit types into plain nodes.

mod animation;
mod curve;
mod encoding;
mod inherit;
#[expect(unsafe_code, reason = "functions that C calls")]
mod libc;
mod material;
mod mesh;
mod records;
mod repair;
#[cfg(test)]
mod tests;
mod texture;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::conversion::Conversion;
use crate::error::{FormatError, Place, codes};
use crate::scene::{Node, Scene};

/// Reads a file.
///
/// # Errors
///
/// `fbx/…` for a file that ufbx cannot read, and [`codes::TOO_LARGE`] if it needs more memory than the limit.
pub(crate) fn read(bytes: &[u8], conversion: &Conversion<'_>) -> Result<Scene, FormatError> {
    if !is_fbx(bytes) {
        let message = "The file is not FBX: its first bytes are not those of binary or text FBX".to_owned();
        return Err(FormatError { code: codes::FBX_FORMAT, message, place: place(bytes, 0) });
    }
    let converted = encoding::as_utf8(bytes);
    if converted.is_some() {
        let message = "Names of the file are not UTF-8; they are read as Latin-1";
        conversion.warn(codes::FBX_REPAIRED, message, || Place::Object { path: String::new() });
    }
    let bytes = converted.as_deref().unwrap_or(bytes);
    let repaired = repair::with_null_records(bytes);
    let bytes = repaired.as_deref().unwrap_or(bytes);
    let mut target = 1.0;
    if let Some(metres) = conversion.metres_per_unit() {
        let settings = load(bytes, conversion, target, true)?;
        target = settings.settings.unit_meters / metres;
    }
    let source = load(bytes, conversion, target, false)?;
    let mut reader = Reader::new(&source, conversion);
    reader.spend(source.metadata.result_memory_used, 1, "")?;
    reader.report();
    reader.nodes()?;
    for stack in &source.anim_stacks {
        animation::clip(&mut reader, stack)?;
    }
    Ok(reader.scene)
}

/// Reads a file with ufbx, in units of `metres`.
fn load(
    bytes: &[u8],
    conversion: &Conversion<'_>,
    metres: f64,
    only_settings: bool,
) -> Result<ufbx::SceneRoot, FormatError> {
    let options = || options(conversion, metres, only_settings);
    ufbx::load_memory(bytes, options())
        .map_err(|error| load_error(&error, place(bytes, fault(bytes, options()))))
}

/// The offset of the byte that ufbx has come to when it fails.
fn fault(bytes: &[u8], mut options: ufbx::LoadOpts<'_>) -> u64 {
    let offset = Rc::new(Cell::new(0));
    // ufbx says how far it is only at times. Of a stream, it reads no more than it needs.
    options.read_buffer_size = 32;
    let stream = Stream { bytes: bytes.to_vec(), offset: Rc::clone(&offset) };
    // It fails as it did before.
    let _ = ufbx::load_stream(ufbx::Stream::Box(Box::new(stream)), options);
    offset.get() as u64
}

/// A file that tells how much of it is read.
struct Stream {
    bytes: Vec<u8>,
    offset: Rc<Cell<usize>>,
}

impl ufbx::StreamInterface for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> Option<usize> {
        let rest = &self.bytes[self.offset.get()..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.offset.set(self.offset.get() + count);
        Some(count)
    }
}

fn options<'a>(conversion: &Conversion<'_>, metres: f64, only_settings: bool) -> ufbx::LoadOpts<'a> {
    ufbx::LoadOpts {
        temp_allocator: allocator(conversion),
        result_allocator: allocator(conversion),
        file_format: ufbx::FileFormat::Fbx,
        ignore_all_content: only_settings,
        // Bones keep a scale of 1: positions are scaled instead of the root.
        space_conversion: ufbx::SpaceConversion::ModifyGeometry,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: metres,
        handedness_conversion_axis: ufbx::MirrorAxis::X,
        geometry_transform_handling: ufbx::GeometryTransformHandling::ModifyGeometry,
        geometry_transform_helper_name: ufbx::StringOpt::Ref("geometry"),
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        scale_helper_name: ufbx::StringOpt::Ref("scale"),
        generate_missing_normals: true,
        normalize_normals: true,
        clean_skin_weights: true,
        use_blender_pbr_material: true,
        ..ufbx::LoadOpts::default()
    }
}

/// ufbx has the same limit of memory as the scene: a small file cannot allocate gigabytes by counts that it only claims.
fn allocator(conversion: &Conversion<'_>) -> ufbx::AllocatorOpts {
    let memory_limit = usize::try_from(conversion.limit()).unwrap_or(usize::MAX);
    ufbx::AllocatorOpts { memory_limit, ..ufbx::AllocatorOpts::default() }
}

/// `true` if the first bytes are those of an FBX file.
pub(crate) fn is_fbx(bytes: &[u8]) -> bool {
    // A text file begins with a comment of its version, or with its first node, `FBXHeaderExtension`.
    let start = &bytes[..bytes.len().min(1024)];
    start.starts_with(b"Kaydara FBX Binary")
        || (start.windows(3).any(|word| word == b"FBX") && !start.contains(&0))
}

fn load_error(error: &ufbx::Error, place: Place) -> FormatError {
    use ufbx::ErrorType;
    let code = match error.type_ {
        ErrorType::OutOfMemory | ErrorType::MemoryLimit | ErrorType::AllocationLimit => codes::TOO_LARGE,
        ErrorType::TruncatedFile | ErrorType::EmptyFile => codes::FBX_TRUNCATED,
        ErrorType::UnsupportedVersion => codes::FBX_VERSION,
        _ => codes::FBX_SYNTAX,
    };
    FormatError { code, message: format!("The FBX file cannot be read: {}", error.description), place }
}

/// The place of a byte: a line of a text file.
fn place(bytes: &[u8], offset: u64) -> Place {
    let before = &bytes[..bytes.len().min(usize::try_from(offset).unwrap_or(usize::MAX))];
    if bytes.starts_with(b"Kaydara") {
        return Place::Binary { offset: before.len() as u64, path: String::new() };
    }
    let line = before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    Place::Text { line, column: (before.len() - start) as u32 + 1 }
}

/// The state of a conversion.
struct Reader<'a> {
    source: &'a ufbx::Scene,
    conversion: &'a Conversion<'a>,
    scene: Scene,
    splits: curve::Splits,
    /// The number of steps that triangulation may still take, see [`mesh`].
    steps: usize,
    /// For each skin the first vertex without weights.
    unbound: Vec<usize>,
    /// The diagonal of the model in metres, which deviations of curves are measured by.
    size: f64,
    /// The FBX node that becomes node 0: FBX's root is left out unless joints need a common parent.
    first_node: usize,
    /// Meshes by the FBX mesh and the materials of its node.
    meshes: HashMap<(u32, Vec<u32>), mesh::Converted>,
    /// Skins by their joints and matrices: parts of one body have equal skins.
    skins: HashMap<Vec<u32>, usize>,
    materials: HashMap<u32, material::Converted>,
    /// Images by their file; `None` if the image cannot be used.
    images: HashMap<texture::Key, Option<usize>>,
    /// Factors of the scale of nodes in the scene, for rest pose and clips, see [`inherit`].
    scales: HashMap<usize, f32>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a ufbx::Scene, conversion: &'a Conversion<'a>) -> Self {
        let keys = source.anim_curves.iter().map(|curve| curve.keyframes.len()).sum::<usize>();
        let limit = usize::try_from(conversion.limit()).unwrap_or(usize::MAX);
        let unbound: Vec<_> = (&source.skin_deformers).into_iter().map(mesh::first_unbound).collect();
        Self {
            source,
            conversion,
            scene: Scene::default(),
            // Keys of splits are a small part of the memory.
            splits: curve::Splits { left: (4 * (4096 + 32 * keys)).min(limit / 128), short: false },
            steps: 1 << 28,
            size: size(source),
            first_node: usize::from(!needs_root(source, &unbound)),
            unbound,
            meshes: HashMap::new(),
            skins: HashMap::new(),
            materials: HashMap::new(),
            images: HashMap::new(),
            scales: HashMap::new(),
        }
    }

    fn warn(&self, code: &'static str, path: &str, message: impl Into<String>) {
        self.conversion.warn(code, message, || Place::Object { path: path.to_owned() });
    }

    /// Counts memory that is about to be used.
    fn spend(&self, count: usize, bytes_each: usize, path: &str) -> Result<(), FormatError> {
        self.conversion.spend(count.saturating_mul(bytes_each), || Place::Object { path: path.to_owned() })
    }

    /// Checks memory that is used for a moment only.
    fn fits(&self, count: usize, bytes_each: usize, path: &str) -> Result<(), FormatError> {
        self.conversion.fits(count.saturating_mul(bytes_each), || Place::Object { path: path.to_owned() })
    }

    /// Warns of repairs by ufbx, and of parts that glTF or [`Scene`] lacks.
    fn report(&self) {
        let source = self.source;
        for warning in &source.metadata.warnings {
            let times = if warning.count > 1 { format!(" ({} times)", warning.count) } else { String::new() };
            let element = source.elements.get(warning.element_id as usize);
            let path = element.map_or("", |element| &element.name);
            self.warn(codes::FBX_REPAIRED, path, format!("{}{times}", warning.description));
        }
        for (count, parts) in [
            (source.lights.len(), "lights"),
            (source.cameras.len(), "cameras"),
            (source.nurbs_surfaces.len() + source.nurbs_curves.len(), "NURBS curves and surfaces"),
            (source.line_curves.len(), "lines"),
            (source.cache_deformers.len(), "geometry caches"),
            (source.constraints.len(), "constraints"),
        ] {
            if count > 0 {
                self.warn(codes::FBX_SKIPPED, "", format!("The {parts} are left out ({count} times)"));
            }
        }
    }

    /// Adds all nodes with their meshes. ufbx sorts nodes by depth, so parents come first.
    fn nodes(&mut self) -> Result<(), FormatError> {
        let source = self.source;
        let mut hidden = vec![false; source.nodes.len()];
        let mut hidden_meshes = 0;
        self.spend(source.nodes.len(), size_of::<Node>(), "")?;
        let mut inherited = inherit::Scales::new(source);
        for (index, node) in source.nodes.iter().enumerate() {
            hidden[index] = !node.visible || lower_detail(node);
            if let Some(parent) = &node.parent {
                hidden[index] |= hidden[parent.element.typed_id as usize];
            }
            if index < self.first_node {
                continue;
            }
            let mut mesh = None;
            if let Some(of_node) = &node.mesh {
                if hidden[index] {
                    hidden_meshes += 1;
                } else {
                    mesh = Some(mesh::mesh(self, of_node, node)?);
                }
            }
            let parent = node.parent.as_ref().and_then(|parent| self.node(parent));
            let name = match &node.parent {
                Some(parent) if node.is_scale_helper || node.is_geometry_transform_helper => {
                    format!("{} {}", parent.element.name, node.element.name)
                }
                _ => node.element.name.to_string(),
            };
            let local = &node.local_transform;
            let mut scale = vec3(local.scale);
            if let Some(factor) = inherited.factor(node) {
                scale = scale.map(|x| x * factor);
                self.scales.insert(self.scene.nodes.len(), factor);
            }
            self.scene.nodes.push(Node {
                name,
                parent,
                translation: vec3(local.translation),
                rotation: unit(local.rotation).map(finite),
                scale,
                mesh: mesh.as_ref().map(|mesh| mesh.mesh),
                skin: mesh.and_then(|mesh| mesh.skin),
            });
        }
        if !self.scales.is_empty() {
            let message = format!(
                "InheritType 2 and the bind pose contradict each other; the scale is that of the bind pose ({} times)",
                self.scales.len()
            );
            self.warn(codes::FBX_REPAIRED, "", message);
        }
        if hidden_meshes > 0 {
            let message = format!("Meshes of hidden nodes are left out ({hidden_meshes} times)");
            self.warn(codes::FBX_SKIPPED, "", message);
        }
        Ok(())
    }

    /// The index of a node in the scene; `None` for a root that is left out.
    fn node(&self, node: &ufbx::Node) -> Option<usize> {
        (node.element.typed_id as usize).checked_sub(self.first_node)
    }
}

/// `true` if the joints of a skin are in several trees: glTF wants a common root.
fn needs_root(source: &ufbx::Scene, unbound: &[usize]) -> bool {
    // The child of the root above each node, since ufbx makes all other nodes its descendants.
    let mut trees = vec![0; source.nodes.len()];
    for (index, node) in source.nodes.iter().enumerate() {
        trees[index] = match &node.parent {
            Some(parent) if !parent.is_root => trees[parent.element.typed_id as usize],
            _ => index,
        };
    }
    let tree = |node: &ufbx::Node| trees[node.element.typed_id as usize];
    // Meshes may share a skin.
    let of_skin = |skin: &ufbx::SkinDeformer| -> HashSet<usize> {
        skin.clusters.iter().filter_map(|cluster| cluster.bone_node.as_deref()).map(tree).collect()
    };
    let of_skins: Vec<_> = (&source.skin_deformers).into_iter().map(of_skin).collect();
    source.meshes.iter().any(|mesh| {
        let Some(skin) = mesh.skin_deformers.first() else { return false };
        let Some(joints) = of_skins.get(skin.element.typed_id as usize) else { return false };
        let unbound = mesh.element.instances.first().filter(|_| !mesh::is_bound(unbound, skin, mesh));
        let other = |node: &ufbx::Node| tree(node) == 0 || joints.iter().any(|&joint| joint != tree(node));
        joints.len() > 1 || joints.contains(&0) || unbound.is_some_and(|node| other(node))
    })
}

/// `true` for all levels of detail but the first of a group.
fn lower_detail(node: &ufbx::Node) -> bool {
    let Some(parent) =
        node.parent.as_ref().filter(|parent| parent.attrib_type == ufbx::ElementType::LodGroup)
    else {
        return false;
    };
    parent.children.first().is_some_and(|first| first.element.element_id != node.element.element_id)
}

/// JSON and vertices hold finite numbers only; a number that is not finite becomes 0.
fn finite(value: f64) -> f32 {
    let value = value as f32;
    // Adding 0 turns -0 into 0, so that equal vertices have the same bytes.
    if value.is_finite() { value + 0.0 } else { 0.0 }
}

fn vec3(v: ufbx::Vec3) -> [f32; 3] {
    [v.x, v.y, v.z].map(finite)
}

/// A unit quaternion: x, y, z, w.
fn unit(q: ufbx::Quat) -> [f64; 4] {
    let length = (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).sqrt();
    if length > 0.0 && length.is_finite() {
        [q.x, q.y, q.z, q.w].map(|x| x / length)
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

/// The diagonal of the bounding box of all meshes at rest, or of all nodes if there are no meshes, in metres.
fn size(source: &ufbx::Scene) -> f64 {
    let mut scene = Bounds::default();
    for mesh in &source.meshes {
        let mut bounds = Bounds::default();
        mesh.vertices.iter().for_each(|&vertex| bounds.add(vertex));
        for node in &mesh.element.instances {
            for corner in 0..8 {
                let [x, y, z] = [0, 1, 2].map(|i| [bounds.min[i], bounds.max[i]][corner >> i & 1]);
                scene.add(ufbx::transform_position(&node.geometry_to_world, ufbx::Vec3 { x, y, z }));
            }
        }
    }
    if source.meshes.is_empty() {
        let origin = ufbx::Vec3 { x: 0.0, y: 0.0, z: 0.0 };
        source.nodes.iter().for_each(|node| scene.add(ufbx::transform_position(&node.node_to_world, origin)));
    }
    let [x, y, z] = [0, 1, 2].map(|i| scene.max[i] - scene.min[i]);
    let diagonal = (x * x + y * y + z * z).sqrt();
    if diagonal > 0.0 && diagonal.is_finite() { diagonal } else { 1.0 }
}

struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

impl Default for Bounds {
    fn default() -> Self {
        Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] }
    }
}

impl Bounds {
    /// Extends the bounds by a point. Coordinates that are not finite do not count.
    fn add(&mut self, point: ufbx::Vec3) {
        for (i, x) in [point.x, point.y, point.z].into_iter().enumerate().filter(|(_, x)| x.is_finite()) {
            self.min[i] = self.min[i].min(x);
            self.max[i] = self.max[i].max(x);
        }
    }
}
