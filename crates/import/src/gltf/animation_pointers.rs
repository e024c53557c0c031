//! The targets of JSON pointers of KHR_animation_pointer. Spec: glTF 2.0 Asset Object Model.

use super::accessor::Reader;
use super::material_extensions;
use super::nodes::Tree;
use gambol_animation::model::{
    Camera, CameraId, CameraProperty, Light, LightId, LightKind, LightProperty, Material, MaterialId, Node,
    NodeId, Path, Projection, Property,
};

/// The parts of the file and the model that channels refer to.
pub(super) struct Context<'a> {
    pub(super) reader: &'a Reader<'a>,
    pub(super) tree: &'a Tree,
    /// The nodes of the model.
    pub(super) nodes: &'a [Node],
    /// For each mesh, the nodes whose morph weights are those of the mesh.
    pub(super) weighted_by_mesh: &'a [Vec<NodeId>],
    pub(super) materials: &'a [Material],
    pub(super) cameras: &'a [Camera],
    pub(super) lights: &'a [Light],
}

/// The target of a pointer.
#[derive(Debug, PartialEq)]
pub(super) enum PointerTarget {
    /// A property of the node with this index in the file, which may be out of range.
    Node(usize, Path),
    /// The morph weights of all nodes with the weights of this mesh.
    Mesh(usize),
    /// One morph weight of all nodes with the weights of this mesh.
    MeshWeight(usize, u32),
    /// Properties that share one value.
    Properties(Vec<Property>),
}

/// Resolves a pointer; `None` if the target does not exist or cannot be animated.
pub(super) fn resolve(text: &str, context: &Context<'_>) -> Option<PointerTarget> {
    let steps: Vec<&str> = text.strip_prefix('/')?.splitn(16, '/').collect();
    let number = |text: &str| text.parse::<usize>().ok();
    let one = |property| Some(PointerTarget::Properties(vec![property]));
    match steps[..] {
        ["nodes", node, "weights", target] => {
            let node = *context.tree.ids.get(number(node)?)?;
            one(weight(context, node, number(target)?)?)
        }
        ["nodes", node, "extensions", "KHR_node_visibility", "visible"] => {
            one(Property::Visible(*context.tree.ids.get(number(node)?)?))
        }
        ["nodes", node, path] => Some(PointerTarget::Node(number(node)?, path_of(path)?)),
        ["meshes", mesh, "weights"] => Some(PointerTarget::Mesh(number(mesh)?)),
        ["meshes", mesh, "weights", target] => {
            let (mesh, target) = (number(mesh)?, number(target)?);
            // All nodes with the mesh have equally many weights.
            let node = *context.weighted_by_mesh.get(mesh)?.first()?;
            weight(context, node, target).map(|_| PointerTarget::MeshWeight(mesh, target as u32))
        }
        ["materials", material, ref rest @ ..] => {
            let id = number(material)?;
            let property = material_extensions::property(context.materials.get(id)?, &rest.join("/"))?;
            one(Property::Material(MaterialId::new(id), property))
        }
        ["cameras", camera, kind, property] => {
            let id = number(camera)?;
            let property = camera_property(context.cameras.get(id)?.projection, kind, property)?;
            one(Property::Camera(CameraId::new(id), property))
        }
        ["extensions", "KHR_lights_punctual", "lights", light, ref rest @ ..] => {
            let id = number(light)?;
            let property = light_property(context.lights.get(id)?.kind, rest)?;
            one(Property::Light(LightId::new(id), property))
        }
        _ => None,
    }
}

/// The property of a node with a name in the file.
pub(super) fn path_of(name: &str) -> Option<Path> {
    match name {
        "translation" => Some(Path::Translation),
        "rotation" => Some(Path::Rotation),
        "scale" => Some(Path::Scale),
        "weights" => Some(Path::Weights),
        _ => None,
    }
}

fn weight(context: &Context<'_>, node: NodeId, target: usize) -> Option<Property> {
    let known = target < context.nodes[node.index()].weights.len();
    known.then_some(Property::Weight(node, target as u32))
}

fn camera_property(projection: Projection, kind: &str, property: &str) -> Option<CameraProperty> {
    match (projection, kind, property) {
        (Projection::Perspective { .. }, "perspective", "yfov")
        | (Projection::Orthographic { .. }, "orthographic", "xmag") => Some(CameraProperty::First),
        (Projection::Perspective { aspect: Some(_), .. }, "perspective", "aspectRatio")
        | (Projection::Orthographic { .. }, "orthographic", "ymag") => Some(CameraProperty::Second),
        (Projection::Perspective { .. }, "perspective", "znear")
        | (Projection::Orthographic { .. }, "orthographic", "znear") => Some(CameraProperty::Near),
        (Projection::Perspective { far: Some(_), .. }, "perspective", "zfar")
        | (Projection::Orthographic { .. }, "orthographic", "zfar") => Some(CameraProperty::Far),
        _ => None,
    }
}

fn light_property(kind: LightKind, rest: &[&str]) -> Option<LightProperty> {
    match (rest, kind) {
        (["color"], _) => Some(LightProperty::Color),
        (["intensity"], _) => Some(LightProperty::Intensity),
        (["range"], LightKind::Point | LightKind::Spot { .. }) => Some(LightProperty::Range),
        (["spot", "innerConeAngle"], LightKind::Spot { .. }) => Some(LightProperty::InnerAngle),
        (["spot", "outerConeAngle"], LightKind::Spot { .. }) => Some(LightProperty::OuterAngle),
        _ => None,
    }
}
