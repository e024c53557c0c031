//! The punctual lights of a file, as posed and animated.

use crate::animation::Pose;
use crate::base::Affine;
use crate::model::{Light, LightKind, LightProperty, Model, PaletteLayout};
use crate::render::{MAX_LIGHTS, PunctualLight};
use glam::Vec3;

/// Adds the lights of a pose, except those with a strength of 0 at `target`.
///
/// - `matrices`: `world_from_node` of every node.
/// - `visible`: for each node, `true` if it is visible; if empty, all nodes are visible.
pub(crate) fn lights(
    model: &Model,
    layout: &PaletteLayout,
    pose: &Pose,
    matrices: &[Affine],
    visible: &[bool],
    target: Vec3,
    out: &mut Vec<PunctualLight>,
) {
    for &(node, id) in &layout.lights {
        if visible.get(node.index()) == Some(&false) {
            continue;
        }
        let light = &model.lights[id.index()];
        let animated = layout.properties.light(id, &pose.properties).copied();
        let light = place(light, animated.unwrap_or_else(|| light.properties()), &matrices[node.index()]);
        out.extend(light.filter(|light| strength(light, target) > 0.0));
    }
}

/// Keeps up to [`MAX_LIGHTS`] lights, those strongest at `target`, strongest first.
pub(crate) fn keep_strongest(out: &mut Vec<PunctualLight>, target: Vec3) {
    for place in 0..MAX_LIGHTS.min(out.len()) {
        for other in place + 1..out.len() {
            if strength(&out[other], target) > strength(&out[place], target) {
                out.swap(place, other);
            }
        }
    }
    out.truncate(MAX_LIGHTS);
}

/// A light in world space; `None` if its node's matrix gives no direction, or values are not finite.
fn place(light: &Light, numbers: [f32; LightProperty::COUNT], matrix: &Affine) -> Option<PunctualLight> {
    let [r, g, b, intensity, range, inner, outer] = numbers;
    let rows = matrix.rows();
    let position = Vec3::new(rows[0].w, rows[1].w, rows[2].w);
    let axis = -Vec3::new(rows[0].z, rows[1].z, rows[2].z);
    let directional = light.kind == LightKind::Directional;
    let cone = matches!(light.kind, LightKind::Spot { .. }).then_some([inner, outer]);
    let direction = match axis.try_normalize() {
        Some(direction) => direction,
        None if directional || cone.is_some() => return None,
        None => Vec3::NEG_Z,
    };
    let color = [r, g, b].map(|value| (value * intensity).max(0.0));
    let good = position.is_finite() && color.iter().all(|value| value.is_finite());
    good.then_some(PunctualLight { position, direction, directional, color, range, cone })
}

/// The intensity of a light at a point, without its cone and range; used for ranking.
fn strength(light: &PunctualLight, target: Vec3) -> f32 {
    let [r, g, b] = light.color;
    let luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let distance = light.position.distance_squared(target).max(1e-8);
    if light.directional { luminance } else { luminance / distance }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::Rig;
    use crate::base::Transform;
    use crate::model::{LightId, Node, NodeId};
    use glam::Quat;

    fn scene(lights: Vec<Light>) -> Model {
        let node = |i: usize| Node {
            light: Some(LightId::new(i)),
            rest: Transform { translation: Vec3::new(0.0, 0.0, 1.0 + i as f32), ..Transform::IDENTITY },
            ..Node::default()
        };
        Model { nodes: (0..lights.len()).map(node).collect(), lights, ..Model::default() }
    }

    fn placed(model: &Model, visible: &[bool]) -> Vec<PunctualLight> {
        let rig = Rig::new(model);
        let (mut matrices, mut out) = (Vec::new(), Vec::new());
        rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
        lights(model, &rig.layout, rig.rest_pose(), &matrices, visible, Vec3::ZERO, &mut out);
        keep_strongest(&mut out, Vec3::ZERO);
        out
    }

    #[test]
    fn punctual_lights_skip_dark_hidden_and_flat_ones() {
        let dark = Light { intensity: 0.0, ..Light::default() };
        let flat = Light { kind: LightKind::Directional, ..Light::default() };
        let mut model = scene(vec![dark, flat.clone(), flat]);
        model.nodes[1].rest.scale = Vec3::ZERO;
        assert_eq!(placed(&model, &[true, true, false]), []);
    }

    #[test]
    fn punctual_lights_keep_the_strongest_at_the_target() {
        let light = |i: usize| Light { intensity: 1.0 + i as f32 * 0.01, ..Light::default() };
        let model = scene((0..20).map(light).collect());
        let kept = placed(&model, &[]);
        assert_eq!(kept.len(), MAX_LIGHTS);
        assert_eq!(kept[0].position.z, 1.0, "the nearest is the strongest");
        assert_eq!(kept[7].position.z, 8.0);
    }

    #[test]
    fn punctual_light_shines_along_the_negative_z_of_its_node() {
        let sun = Light {
            kind: LightKind::Directional,
            color: [1.0, 0.5, 0.0],
            intensity: 2.0,
            ..Light::default()
        };
        let mut model = scene(vec![sun]);
        model.nodes[0].rest.rotation = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        model.nodes[0].rest.scale = Vec3::splat(3.0);
        let light = placed(&model, &[])[0];
        assert!(light.direction.abs_diff_eq(Vec3::NEG_Y, 1e-6), "{:?}", light.direction);
        assert_eq!(light.color, [2.0, 1.0, 0.0]);
        assert_eq!(model.nodes[0].parent, None::<NodeId>);
    }
}
