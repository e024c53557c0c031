//! The area of shadows, and the views of the shadow maps; only features use them.

use super::environment::Environment;
use super::lighting::Lighting;
use crate::model::KeyLight;
use glam::{Mat4, Vec3, Vec4};

/// The width and height of the key light's shadow map in texels.
pub(crate) const KEY_SIZE: u32 = 1024;

/// The radius of the penumbra at softness 1, per distance between caster and receiver.
const SPREAD: f32 = 0.1;

/// The maximum radius of a penumbra, relative to the visible size; limited by the number of filter taps.
const MAX_PENUMBRA: f32 = 0.08;

/// The minimum radius of a penumbra in texels, which hides the texels of the map.
const MIN_PENUMBRA: f32 = 1.25;

/// The bounds of the shadow casters, and the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShadowArea {
    /// The minimum corner of the box around all shadow casters.
    pub min: Vec3,
    /// The maximum corner.
    pub max: Vec3,
    /// The height of the ground, of uneven ground at its lowest point.
    pub ground: f32,
    /// The height of the highest point of uneven ground above the lowest one; 0 for a plane.
    pub rise: f32,
}

impl ShadowArea {
    /// The box around the part of the ground that can receive shadows; `None` without shadows.
    pub fn reach(&self, key: Option<&KeyLight>, lighting: &Lighting) -> Option<[Vec3; 2]> {
        let on = lighting.shadow_intensity > 0.0;
        on.then(|| ShadowView::new(self, key, lighting, None)).flatten().map(|view| view.reach())
    }

    /// The views of the shadow maps with this lighting.
    ///
    /// - `camera`: `clip_from_world` of the picture, whose shadows the map must cover; `None` to cover all shadows.
    pub(crate) fn view(
        &self,
        environment: Option<&Environment>,
        lighting: &Lighting,
        camera: Option<&Mat4>,
    ) -> Option<ShadowView> {
        let key = environment.and_then(|environment| environment.key(lighting));
        let on = lighting.shadow_intensity > 0.0;
        on.then(|| ShadowView::new(self, key.as_ref(), lighting, camera)).flatten()
    }
}

/// The parameters of a frame's shadows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShadowView {
    /// `clip_from_world` of the key light's shadow map; `None` without a key light above the ground.
    pub(crate) key: Option<Mat4>,
    /// `clip_from_world` of the contact map, which looks up from the ground.
    pub(crate) below: Mat4,
    /// The normal offset of lookups in the key light's shadow map.
    pub(crate) offset: f32,
    /// The matrix from world space to the key light's shadow map: 0 … 1 across, and depth with the bias.
    pub(crate) map_from_world: Mat4,
    /// `u_shadow` of `shaders/frame.glsl`.
    pub(crate) penumbra: [f32; 4],
    /// The part of the ground that is drawn: minimum x and z, maximum x and z.
    pub(crate) ends: [f32; 4],
    /// The area of the contact map: x and z of a corner, and the reciprocals of its width and depth.
    pub(crate) contact: [f32; 4],
    pub(crate) ground: f32,
    /// The depth of the ground below its place, which lets a floor of a model cover it.
    pub(crate) sunk: f32,
    /// [`ShadowArea::rise`].
    rise: f32,
    /// The depth range of the contact map, relative to the height that contact shadows reach.
    pub(crate) contact_range: f32,
}

impl ShadowView {
    /// The views of the shadow maps; `None` if the area is empty or not finite.
    pub(crate) fn new(
        area: &ShadowArea,
        key: Option<&KeyLight>,
        lighting: &Lighting,
        camera: Option<&Mat4>,
    ) -> Option<Self> {
        let ShadowArea { min, max, ground, rise: uneven } = *area;
        let size = max - min;
        let longest = size.max_element();
        if !(size.is_finite() && min.is_finite() && ground.is_finite() && uneven.is_finite() && longest > 0.0)
        {
            return None;
        }
        let softness = lighting.shadow_softness.clamp(0.0, 1.0);
        // In a large scene, the visible part determines the range of contact shadows and the widths of penumbrae.
        let (near_min, near_max) = camera.map_or((min, max), |camera| seen_part(camera, min, max));
        let scale = (near_max - near_min).max_element();
        // Lowers the ground invisibly, so that a floor of the model covers it.
        let sunk = 0.001 * scale;
        let ground = ground - sunk;

        // Room for the blur on all sides, and for feet below the ground.
        let blur = Vec3::splat(0.1 * scale);
        let (low, high) = (near_min - blur, near_max + blur);
        let rise = 0.22 * scale;
        let bottom = ground - 0.1 * rise;
        let range = rise + uneven;
        let (center, half) = (0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low);
        let below = Mat4::from_cols(
            Vec4::new(1.0 / half.x, 0.0, 0.0, 0.0),
            Vec4::new(0.0, 0.0, 2.0 / range, 0.0),
            Vec4::new(0.0, 1.0 / half.z, 0.0, 0.0),
            Vec4::new(-center.x / half.x, -center.z / half.z, -2.0 * bottom / range - 1.0, 1.0),
        );
        let contact = [low.x, low.z, 0.5 / half.x, 0.5 / half.z];

        // Lower lights would cast shadows of unbounded length.
        let key = key.map(|key| Vec3::from_array(key.direction)).filter(|direction| direction.y > 0.1);
        let margin = 0.1 * longest;
        let mut ends = [min.x - margin, min.z - margin, max.x + margin, max.z + margin];
        let mut penumbra = [0.0; 4];
        let (mut offset, mut map_from_world) = (0.0, Mat4::IDENTITY);
        let key = key.map(|direction| {
            for corner in corners(min, max) {
                let on_ground = corner - direction * ((corner.y - ground).max(0.0) / direction.y);
                let reach = margin + 0.1 * (on_ground - corner).length();
                ends[0] = ends[0].min(on_ground.x - reach);
                ends[1] = ends[1].min(on_ground.z - reach);
                ends[2] = ends[2].max(on_ground.x + reach);
                ends[3] = ends[3].max(on_ground.z + reach);
            }
            let floor = Vec3::new(ends[0], ground, ends[1]);
            let lit = [min.min(floor), max.max(Vec3::new(ends[2], ground + uneven, ends[3]))];
            let widest = MAX_PENUMBRA * scale;
            let map = LightMap::new(direction, [min, max], camera.map(|camera| (camera, lit, widest)));
            let texel = 1.0 / KEY_SIZE as f32;
            let least = MIN_PENUMBRA * texel;
            // Relative to the depth of the map: half a texel towards the light.
            let bias = 0.5 * texel * map.side / map.depth;
            map_from_world = Mat4::from_translation(Vec3::new(0.5, 0.5, 0.5 - bias))
                * Mat4::from_scale(Vec3::splat(0.5))
                * map.matrix;
            offset = map.side * 1.5 * texel;
            penumbra = [
                SPREAD * softness * map.depth / map.side,
                (widest / map.side).max(least),
                least,
                map.side * map.side / map.depth,
            ];
            map.matrix
        });
        Some(Self {
            key,
            below,
            offset,
            map_from_world,
            penumbra,
            ends,
            contact,
            ground,
            sunk,
            rise: uneven,
            contact_range: range / rise,
        })
    }

    /// The box around the part of the ground that is drawn.
    pub(crate) fn reach(&self) -> [Vec3; 2] {
        let [x0, z0, x1, z1] = self.ends;
        [Vec3::new(x0, self.ground, z0), Vec3::new(x1, self.ground + self.rise, z1)]
    }
}

fn corners(min: Vec3, max: Vec3) -> impl Iterator<Item = Vec3> {
    let ends = [min, max];
    (0..8_usize).map(move |i| Vec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z))
}

/// The view of the shadow map of a directional light.
struct LightMap {
    /// `clip_from_world`.
    matrix: Mat4,
    /// The width and height of the map, and its depth range.
    side: f32,
    depth: f32,
}

impl LightMap {
    /// The margin around the box, relative to its size.
    const MARGIN: f32 = 0.05;

    /// A map of the whole box of casters, or of the part that casts shadows into the view of a camera.
    ///
    /// - `seen`: `clip_from_world` of the camera, the box that receives shadows, and the maximum radius of penumbrae.
    fn new(direction: Vec3, [min, max]: [Vec3; 2], seen: Option<(&Mat4, [Vec3; 2], f32)>) -> Self {
        let aside = direction.any_orthonormal_vector();
        let up = direction.cross(aside);
        let light_from_world =
            Mat4::from_cols(aside.extend(0.0), up.extend(0.0), (-direction).extend(0.0), Vec4::W).transpose();
        let around = corners(min, max).map(|corner| light_from_world.transform_point3(corner));
        let (mut least, mut most) = around_points(around);
        let (near, far) = (least.z, most.z);
        if let Some((camera, lit, spread)) = seen {
            let (low, high) = around_points(
                visible(camera, lit)
                    .into_iter()
                    .flatten()
                    .map(|point| light_from_world.transform_point3(point)),
            );
            let (low, high) = (least.max(low - spread), most.min(high + spread));
            // Ignores an unusable camera, and one to which no caster is relevant.
            if low.x < high.x && low.y < high.y {
                (least, most) = (low, high);
            }
        }
        let size = most - least;
        // Quantizes size and position, so that edges do not crawl while the box changes.
        let side = (4.0 * ((1.0 + 2.0 * Self::MARGIN) * size.x.max(size.y)).max(1e-20).log2()).ceil() / 4.0;
        let side = side.exp2();
        let step = side / KEY_SIZE as f32;
        let center = ((0.5 * least + 0.5 * most) / step).round() * step;
        let depth = (far - near).max(2e-20) * (1.0 + Self::MARGIN);
        let scale = Vec3::new(2.0 / side, 2.0 / side, 2.0 / depth);
        let middle = Vec3::new(center.x, center.y, 0.5 * near + 0.5 * far);
        let matrix = Mat4::from_scale(scale) * Mat4::from_translation(-middle) * light_from_world;
        Self { matrix, side, depth }
    }
}

/// The minimum and maximum coordinates of points; infinite without points.
fn around_points(points: impl Iterator<Item = Vec3>) -> (Vec3, Vec3) {
    points.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(least, most), point| {
        (least.min(point), most.max(point))
    })
}

/// The bounds of the visible part of a box; the whole box if nothing of it is visible.
fn seen_part(camera: &Mat4, min: Vec3, max: Vec3) -> (Vec3, Vec3) {
    let (low, high) = around_points(visible(camera, [min, max]).into_iter().flatten());
    let (low, high) = (low.max(min), high.min(max));
    if low.cmple(high).all() && low != high { (low, high) } else { (min, max) }
}

/// Points whose convex hull is the visible part of a box.
/// They are the parts of the box's edges inside the view frustum, and of the frustum's edges inside the box.
fn visible(clip_from_world: &Mat4, [min, max]: [Vec3; 2]) -> impl IntoIterator<Item = [Vec3; 2]> {
    let world_from_clip = clip_from_world.inverse();
    let rows = clip_from_world.transpose();
    let frustum = [rows.x_axis, rows.y_axis, rows.z_axis].map(|row| [rows.w_axis + row, rows.w_axis - row]);
    let sides = [(Vec3::X, min.x, max.x), (Vec3::Y, min.y, max.y), (Vec3::Z, min.z, max.z)]
        .map(|(axis, min, max)| [axis.extend(-min), (-axis).extend(max)]);
    let of_box = edges([min, max]).filter_map(move |edge| clipped(edge, frustum.as_flattened()));
    let of_frustum = edges([Vec3::NEG_ONE, Vec3::ONE])
        .map(move |edge| edge.map(|end| world_from_clip.project_point3(end)))
        .filter_map(move |edge| clipped(edge, sides.as_flattened()));
    of_box.chain(of_frustum)
}

/// The twelve edges of a box.
fn edges(ends: [Vec3; 2]) -> impl Iterator<Item = [Vec3; 2]> {
    let corner = move |i: usize| Vec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2 & 1].z);
    (0..8).flat_map(move |from: usize| {
        [1, 2, 4]
            .into_iter()
            .filter(move |axis| from & axis == 0)
            .map(move |axis| [corner(from), corner(from | axis)])
    })
}

/// The part of a line segment on the inner sides of planes, whose normals point inwards.
fn clipped([from, to]: [Vec3; 2], planes: &[Vec4]) -> Option<[Vec3; 2]> {
    let (mut begin, mut end) = (0.0_f32, 1.0_f32);
    for plane in planes {
        let [a, b] = [from, to].map(|point| plane.dot(point.extend(1.0)));
        if a < 0.0 && b < 0.0 {
            return None;
        }
        if a < 0.0 {
            begin = begin.max(a / (a - b));
        } else if b < 0.0 {
            end = end.min(a / (a - b));
        }
    }
    (begin <= end).then(|| [from.lerp(to, begin), from.lerp(to, end)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::camera::rh::proj::opengl;
    use glam::camera::rh::view;

    const AREA: ShadowArea =
        ShadowArea { min: Vec3::new(-0.5, 0.0, -0.3), max: Vec3::new(0.7, 1.8, 0.4), ground: 0.0, rise: 0.0 };

    fn key(direction: Vec3) -> KeyLight {
        KeyLight { direction: direction.normalize().to_array(), color: [1.0; 3] }
    }

    #[test]
    fn shadow_view_needs_a_finite_area() {
        let lighting = Lighting::default();
        for area in [
            ShadowArea { min: Vec3::NAN, ..AREA },
            ShadowArea { max: Vec3::INFINITY, ..AREA },
            ShadowArea { max: AREA.min, ..AREA },
            ShadowArea { ground: f32::NAN, ..AREA },
        ] {
            assert!(ShadowView::new(&area, None, &lighting, None).is_none(), "{area:?}");
        }
    }

    #[test]
    fn shadow_map_contains_all_casters() {
        for direction in [Vec3::new(-0.45, 0.72, 0.53), Vec3::Y, Vec3::new(1.0, 0.2, 0.0)] {
            let key = key(direction);
            let view = ShadowView::new(&AREA, Some(&key), &Lighting::default(), None);
            let matrix = view.and_then(|view| view.key).unwrap_or(Mat4::ZERO);
            let mut depths = Vec::new();
            for corner in corners(AREA.min, AREA.max) {
                let place = matrix.project_point3(corner);
                assert!(place.abs().max_element() <= 1.0, "{direction}: {place}");
                depths.push((corner.dot(Vec3::from_array(key.direction)), place.z));
            }
            // Points nearer to the light have less depth.
            depths.sort_by(|a, b| b.0.total_cmp(&a.0));
            assert!(depths.is_sorted_by(|a, b| a.1 <= b.1 + 1e-5), "{depths:?}");
        }
    }

    #[test]
    fn shadow_map_covers_only_the_visible_part_of_a_large_scene() {
        let large = ShadowArea { min: Vec3::new(-100.0, 0.0, -100.0), max: Vec3::splat(100.0), ..AREA };
        let key = key(Vec3::new(-0.45, 0.72, 0.53));
        let projection = opengl::perspective(0.5, 1.0, 0.1, 300.0);
        let camera =
            projection * view::look_at_mat4(Vec3::new(0.0, 2.0, 5.0), Vec3::new(0.0, 1.0, 0.0), Vec3::Y);
        let of = |camera: Option<&Mat4>| ShadowView::new(&large, Some(&key), &Lighting::default(), camera);
        let [all, part] =
            [of(None), of(Some(&camera))].map(|view| view.and_then(|view| view.key).unwrap_or_default());
        let width = |matrix: &Mat4| 2.0 / matrix.transform_vector3(Vec3::X).truncate().length();
        assert!(width(&part) < 0.9 * width(&all), "{} of {}", width(&part), width(&all));
        let blind = Mat4::from_translation(Vec3::new(1e4, 0.0, 0.0));
        for camera in [blind, Mat4::ZERO, Mat4::NAN] {
            assert_eq!(of(Some(&camera)).and_then(|view| view.key), Some(all), "{camera}");
        }
        // The visible ground is in the map, and so are the casters of its shadows.
        let narrow = projection * view::look_at_mat4(Vec3::new(0.0, 9.0, 0.1), Vec3::ZERO, Vec3::Y);
        let key = of(Some(&narrow)).and_then(|view| view.key).unwrap_or_default();
        assert!(width(&key) < 0.1 * width(&all), "{} of {}", width(&key), width(&all));
        for (x, z) in [(-2.0, -2.0), (2.0, 2.0), (0.0, 0.0)] {
            for up in [0.0, 20.0] {
                let place = key.project_point3(Vec3::new(x, 0.0, z) + up * Vec3::new(-0.45, 0.72, 0.53));
                assert!(place.abs().max_element() <= 1.0, "{x} {z} {up}: {place}");
            }
        }
    }

    #[test]
    fn shadow_of_uneven_ground_reaches_its_lowest_point_and_covers_its_heights() {
        let light = key(Vec3::new(-1.0, 1.0, 0.0));
        let view =
            |area| ShadowView::new(&area, Some(&light), &Lighting::default(), None).expect("it has an area");
        let (flat, uneven) = (view(AREA), view(ShadowArea { ground: -0.8, rise: 0.5, ..AREA }));
        // At 45° the shadow of the highest point is 0.8 longer; the margin grows with the way of the light.
        let longer = uneven.ends[2] - flat.ends[2];
        assert!((0.8..0.95).contains(&longer), "{longer}");
        let [low, high] = uneven.reach().map(|corner| corner.y);
        assert!((low + 0.8).abs() < 0.01 && (high + 0.3).abs() < 0.01, "{low} {high}");
        // The contact map holds points a little above the highest ground and a little below the lowest.
        let depth = |y: f32| uneven.below.project_point3(Vec3::new(0.0, y, 0.0)).z;
        assert!(depth(-0.81) > -1.0 && depth(-0.3) < 0.9, "{} {}", depth(-0.81), depth(-0.3));
        // One unit of height is the same part of the height that counts.
        let part = |view: &ShadowView| view.contact_range * view.below.y_axis.z;
        assert!((part(&flat) - part(&uneven)).abs() < 1e-4, "{} {}", part(&flat), part(&uneven));
    }

    #[test]
    fn shadow_ground_reaches_the_tip_of_the_shadow() {
        let key = key(Vec3::new(1.0, 1.0, 0.0));
        let view = ShadowView::new(&AREA, Some(&key), &Lighting::default(), None);
        let [low, high] = view.map_or([Vec3::ZERO; 2], |view| view.reach());
        // The highest point, 1.8 above the ground, casts a shadow 1.8 long.
        assert!(low.x <= -0.5 - 1.8 && high.x >= 0.7, "{low} {high}");
        assert!(low.y < 0.0 && low.y > -0.01);
    }

    #[test]
    fn shadow_view_ignores_a_light_from_below() {
        let view = ShadowView::new(&AREA, Some(&key(Vec3::new(1.0, 0.0, 0.0))), &Lighting::default(), None);
        assert!(view.is_some_and(|view| view.key.is_none()));
    }

    #[test]
    fn contact_shadow_view_from_below_sees_the_feet() {
        let view = ShadowView::new(&AREA, None, &Lighting::default(), None);
        let below = view.map_or(Mat4::ZERO, |view| view.below);
        for corner in corners(AREA.min, AREA.max) {
            let place = below.project_point3(corner);
            assert!(place.x.abs() < 1.0 && place.y.abs() < 1.0, "{place}");
            assert_eq!(place.z.abs() < 1.0, corner.y == 0.0, "{place}");
        }
    }
}
