//! Wavefront OBJ.

use gambol::animation::Snapshot;
use gambol_gltf::json::Value;
use std::fmt::Write;

/// The names and colours for an OBJ file.
#[derive(Debug, Clone, Default)]
pub struct ObjNames {
    /// The names of the nodes in the order of the file.
    pub nodes: Vec<String>,
    /// The names of the materials in the order of the file.
    pub materials: Vec<String>,
}

impl ObjNames {
    /// The name of a material; unique, without spaces.
    fn material(&self, index: Option<u32>) -> String {
        let Some(index) = index else { return "default".to_owned() };
        let name = self.materials.get(index as usize).map(String::as_str).unwrap_or_default();
        format!("{}_{index}", word(name, "material"))
    }
}

/// A name without spaces.
fn word(name: &str, otherwise: &str) -> String {
    let name = if name.is_empty() { otherwise } else { name };
    name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}

/// The triangles of a snapshot of all meshes as OBJ, in world space: positions, normals and texture coordinates, whose V
/// points up. A node is an object, and a primitive is a group with its material. Numbers are exact. Points and lines are
/// left out.
///
/// - `library`: the name of the MTL file; `None` for none.
pub fn export_obj(snapshot: &Snapshot, names: &ObjNames, library: Option<&str>) -> String {
    let mut text = String::from("# gambol\n");
    // Writing to a string cannot fail.
    let mut line = |arguments: std::fmt::Arguments<'_>| _ = text.write_fmt(arguments);
    if let Some(library) = library {
        line(format_args!("mtllib {}\n", word(library, "materials.mtl")));
    }
    // Indices begin at 1, separately for positions, texture coordinates and normals.
    let mut begins = [1, 1, 1];
    for mesh in &snapshot.meshes {
        let name = names.nodes.get(mesh.node as usize).map(String::as_str).unwrap_or_default();
        line(format_args!("o {}\n", word(name, &format!("node_{}", mesh.node))));
        for (p, primitive) in mesh.primitives.iter().enumerate().filter(|(_, p)| !p.triangles.is_empty()) {
            let vertices = &primitive.vertices;
            let no_set = Vec::new();
            let coordinates = vertices.tex_coords.first().unwrap_or(&no_set);
            for [x, y, z] in &vertices.positions {
                line(format_args!("v {x} {y} {z}\n"));
            }
            for [u, v] in coordinates {
                line(format_args!("vt {u} {}\n", 1.0 - v));
            }
            for [x, y, z] in &vertices.normals {
                line(format_args!("vn {x} {y} {z}\n"));
            }
            line(format_args!("g primitive_{p}\nusemtl {}\n", names.material(primitive.material)));
            let corner = |i: u32| {
                let [v, t, n] = begins.map(|begin| begin + i as usize);
                match (coordinates.is_empty(), vertices.normals.is_empty()) {
                    (true, true) => format!("{v}"),
                    (false, true) => format!("{v}/{t}"),
                    (true, false) => format!("{v}//{n}"),
                    (false, false) => format!("{v}/{t}/{n}"),
                }
            };
            for &[a, b, c] in primitive.triangles.as_chunks().0 {
                line(format_args!("f {} {} {}\n", corner(a), corner(b), corner(c)));
            }
            begins[0] += vertices.positions.len();
            begins[1] += coordinates.len();
            begins[2] += vertices.normals.len();
        }
    }
    text
}

/// The materials of a file as MTL: base colour, opacity and the names of images. Names are those of [`export_obj`].
pub fn export_mtl(json: &Value) -> String {
    let materials = json.list("materials");
    let name_of = |value: &Value| value.str_at("name").unwrap_or_default().to_owned();
    let names = ObjNames { nodes: Vec::new(), materials: materials.iter().map(name_of).collect() };
    let mut text = String::from("newmtl default\nKd 1 1 1\n");
    for (index, material) in (0..).zip(materials) {
        let number = |at: usize| {
            let factor = material.pointer(&format!("/pbrMetallicRoughness/baseColorFactor/{at}"));
            factor.and_then(Value::as_f64).unwrap_or(1.0)
        };
        _ = writeln!(text, "newmtl {}", names.material(Some(index)));
        _ = writeln!(text, "Kd {} {} {}\nd {}", number(0), number(1), number(2), number(3));
        let texture =
            material.pointer("/pbrMetallicRoughness/baseColorTexture/index").and_then(Value::as_index);
        let image = texture.and_then(|i| json.list("textures").get(i)?.index_at("source"));
        let uri = image.and_then(|i| json.list("images").get(i)?.str_at("uri"));
        if let Some(uri) = uri.filter(|uri| !uri.starts_with("data:")) {
            _ = writeln!(text, "map_Kd {uri}");
        }
    }
    text
}
