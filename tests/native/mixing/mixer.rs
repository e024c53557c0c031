//! The mixer's results for layers, compared with the definitions in f64.

use super::model::{Exact, Motion, Q, conjugate, dot, product, scaled, sum, unit};
use crate::common::random::Random;
use gambol::animation::{Contribution, JointMask, LayerMode, Mix, MixLayer, Mixer, Pose, Reference, Rig};
use gambol::model::{ClipId, Model, NodeId, Path, Property};
use std::rc::Rc;
use std::sync::Arc;

const PARTIAL: Motion = Motion { channels: 0.6, spread: 0.8, smooth: false, keys: 5, rate: 4.0 };
const WHOLE: Motion = Motion { channels: 1.0, ..PARTIAL };

fn contribution(clip: usize, time: f64, weight: f32) -> Contribution {
    Contribution { clip: ClipId::new(clip), time, weight }
}

type Layer<'a> = (LayerMode, f32, Option<&'a Rc<JointMask>>, &'a [Contribution]);

fn mix(layers: &[Layer<'_>]) -> Mix {
    let mut mix = Mix::default();
    for (mode, weight, mask, contributions) in layers {
        mix.push(*mode, *weight, *mask, contributions.iter().copied());
    }
    mix
}

fn evaluate(rig: &Rig, mix: &Mix) -> Pose {
    let mut pose = rig.rest_pose().clone();
    Mixer::new().evaluate(rig, mix, &mut pose);
    pose
}

fn sample(rig: &Rig, clip: usize, time: f64) -> Pose {
    let mut pose = rig.rest_pose().clone();
    rig.sample(ClipId::new(clip), time, &mut pose);
    pose
}

/// The nodes and properties that a clip animates, by the model.
struct Touched<'a>(&'a Model, usize);

impl Touched<'_> {
    fn node(&self, node: usize, path: Path) -> bool {
        let channels = &self.0.clips[self.1].channels;
        channels.iter().any(|channel| channel.node.index() == node && channel.path == path)
    }

    fn weight(&self, target: usize) -> bool {
        let last = self.0.nodes.len() - 1;
        let one = Property::Weight(NodeId::new(last), target as u32);
        self.node(last, Path::Weights) || self.0.clips[self.1].properties.iter().any(|c| c.property == one)
    }

    fn property(&self, rig: &Rig, at: usize) -> bool {
        let ranges = self.0.clips[self.1].properties.iter();
        ranges.filter_map(|c| rig.layout.properties.range(c.property)).any(|range| range.contains(&at))
    }
}

/// A layer over the value below, by the definition: `parts` are weight, `true` if animated, and value.
fn number_over(parts: &[(f64, bool, f64)], amount: f64, below: f64) -> f64 {
    let touched: Vec<_> = parts.iter().filter(|(weight, touched, _)| *touched && *weight > 0.0).collect();
    let total: f64 = touched.iter().map(|part| part.0).sum();
    if total == 0.0 {
        return below;
    }
    let scale = 1.0 / total.max(1.0);
    let blended: f64 = touched.iter().map(|part| scale * part.0 * part.2).sum();
    let result = blended + (1.0 - total.min(1.0)) * below;
    below + amount * (result - below)
}

fn rotation_over(parts: &[(f64, bool, Q)], amount: f64, below: Q) -> Q {
    let touched: Vec<_> = parts.iter().filter(|part| part.1 && part.0 > 0.0).copied().collect();
    let total: f64 = touched.iter().map(|part| part.0).sum();
    if total == 0.0 {
        return below;
    }
    let aligned = |to: Q, q: Q| if dot(to, q) < 0.0 { scaled(q, -1.0) } else { q };
    let mut all = [0.0; 4];
    for (weight, _, q) in touched {
        all = sum(all, scaled(aligned(all, q), weight / total.max(1.0)));
    }
    let result = unit(sum(all, scaled(aligned(all, below), 1.0 - total.min(1.0))));
    unit(sum(scaled(result, amount), scaled(aligned(result, below), 1.0 - amount)))
}

/// The whole mix by the definitions.
fn exact(model: &Model, rig: &Rig, mix: &Mix) -> Exact {
    let nodes = model.nodes.len();
    let mut pose = Exact::of(rig.rest_pose(), nodes);
    let parts_of = |layer: &MixLayer| -> Vec<Part<'_>> {
        let (share, mask) =
            if layer.mode == LayerMode::Average { (layer.weight, layer.mask.clone()) } else { (1.0, None) };
        let part = |c: &Contribution| {
            let sampled = sample(rig, c.clip.index(), c.time);
            let weight = f64::from(c.weight * share);
            Part {
                weight,
                mask: mask.clone(),
                touched: Touched(model, c.clip.index()),
                pose: Exact::of(&sampled, nodes),
            }
        };
        mix.contributions[layer.contributions.clone()].iter().map(part).collect()
    };
    let mut layers = mix.layers.iter().peekable();
    while let Some(layer) = layers.next() {
        let mut parts = parts_of(layer);
        if !layer.mode.is_additive() {
            while let Some(averaged) = layers.next_if(|next| next.mode == LayerMode::Average) {
                parts.extend(parts_of(averaged));
            }
        }
        let weight = f64::from(layer.weight);
        let amount =
            |node: usize| layer.mask.as_ref().map_or(1.0, |mask| f64::from(mask.weights()[node])) * weight;
        match layer.mode {
            LayerMode::Override => apply_override(model, rig, parts, weight, amount, &mut pose),
            LayerMode::Average => apply_override(model, rig, parts, 1.0, |_| 1.0, &mut pose),
            LayerMode::Additive(reference) => {
                let reference = match reference {
                    Reference::Rest => rig.rest_pose().clone(),
                    Reference::Clip(clip, time) => sample(rig, clip.index(), time),
                };
                let reference = Exact::of(&reference, nodes);
                for part in &parts {
                    apply_additive(model, rig, part, &reference, weight, amount, &mut pose);
                }
            }
        }
    }
    pose
}

struct Part<'a> {
    weight: f64,
    mask: Option<Rc<JointMask>>,
    touched: Touched<'a>,
    pose: Exact,
}

impl Part<'_> {
    fn at(&self, node: usize) -> f64 {
        self.weight * self.mask.as_ref().map_or(1.0, |mask| f64::from(mask.weights()[node]))
    }
}

const VECTORS: [Path; 2] = [Path::Translation, Path::Scale];

fn apply_override(
    model: &Model,
    rig: &Rig,
    mut parts: Vec<Part<'_>>,
    weight: f64,
    amount: impl Fn(usize) -> f64,
    pose: &mut Exact,
) {
    // Masks have no effect on the order in which rotations are added.
    parts.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    for node in 0..model.nodes.len() {
        for (v, path) in VECTORS.into_iter().enumerate() {
            for i in 0..3 {
                let one = |part: &Part<'_>| {
                    (part.at(node), part.touched.node(node, path), part.pose.vectors[node][v][i])
                };
                let of: Vec<_> = parts.iter().map(one).collect();
                let below = &mut pose.vectors[node][v][i];
                *below = number_over(&of, amount(node), *below);
            }
        }
        let one = |part: &Part<'_>| {
            (part.at(node), part.touched.node(node, Path::Rotation), part.pose.rotations[node])
        };
        let of: Vec<_> = parts.iter().map(one).collect();
        pose.rotations[node] = rotation_over(&of, amount(node), pose.rotations[node]);
    }
    for at in 0..pose.weights.len() {
        let last = model.nodes.len() - 1;
        let one = |part: &Part<'_>| (part.at(last), part.touched.weight(at), part.pose.weights[at]);
        let of: Vec<_> = parts.iter().map(one).collect();
        pose.weights[at] = number_over(&of, amount(last), pose.weights[at]);
    }
    for at in 0..pose.properties.len() {
        let visible = rig.layout.properties.visible().any(|(_, visible)| visible == at);
        let one = |part: &Part<'_>| {
            let weight = if visible { part.at(0) } else { part.weight };
            (weight, part.touched.property(rig, at), part.pose.properties[at])
        };
        let of: Vec<_> = parts.iter().map(one).collect();
        if visible {
            let touched: Vec<_> = of.iter().filter(|part| part.1 && part.0 > 0.0).collect();
            let total: f64 = touched.iter().map(|part| part.0).sum();
            let Some(most) = touched.first() else { continue };
            if total.min(1.0) * amount(0) >= 0.5 {
                pose.properties[at] = most.2;
            }
        } else {
            pose.properties[at] = number_over(&of, weight, pose.properties[at]);
        }
    }
}

fn apply_additive(
    model: &Model,
    rig: &Rig,
    Part { weight, touched, pose: part, .. }: &Part<'_>,
    reference: &Exact,
    layer: f64,
    amount: impl Fn(usize) -> f64,
    pose: &mut Exact,
) {
    if !(*weight > 0.0) {
        return;
    }
    for node in 0..model.nodes.len() {
        let w = weight * amount(node);
        for (v, path) in VECTORS.into_iter().enumerate() {
            for i in (0..3).filter(|_| touched.node(node, path)) {
                let (value, from) = (part.vectors[node][v][i], reference.vectors[node][v][i]);
                let out = &mut pose.vectors[node][v][i];
                *out =
                    if v == 0 { *out + w * (value - from) } else { *out * (1.0 + w * (value / from - 1.0)) };
            }
        }
        if touched.node(node, Path::Rotation) {
            let turn = unit(product(conjugate(reference.rotations[node]), part.rotations[node]));
            let turn = if turn[3] < 0.0 { scaled(turn, -1.0) } else { turn };
            let some = unit(sum(scaled([0.0, 0.0, 0.0, 1.0], 1.0 - w), scaled(turn, w)));
            pose.rotations[node] = product(pose.rotations[node], some);
        }
    }
    for at in (0..pose.weights.len()).filter(|&at| touched.weight(at)) {
        let w = weight * amount(model.nodes.len() - 1);
        pose.weights[at] += w * (part.weights[at] - reference.weights[at]);
    }
    for at in (0..pose.properties.len()).filter(|&at| touched.property(rig, at)) {
        let (value, from) = (part.properties[at], reference.properties[at]);
        if rig.layout.properties.visible().any(|(_, visible)| visible == at) {
            if value != from && weight * amount(0) >= 0.5 {
                pose.properties[at] = value;
            }
        } else {
            pose.properties[at] += weight * layer * (value - from);
        }
    }
}

fn random_mix(random: &mut Random, model: &Model) -> Mix {
    let mut mix = Mix::default();
    let contributions = |random: &mut Random, count: usize, scale: f64| -> Vec<Contribution> {
        let one = |random: &mut Random| {
            let clip = random.below(model.clips.len());
            let time = random.unit() * f64::from(model.clips[clip].duration);
            let weight = if random.chance(0.1) { 0.0 } else { (random.unit() * scale) as f32 };
            contribution(clip, time, weight)
        };
        (0..count).map(|_| one(random)).collect()
    };
    let count = 1 + random.below(4);
    // Weights with sums below 1, of 1 and above 1.
    let mut base = contributions(random, count, 1.0);
    if random.chance(0.4) {
        let total: f32 = base.iter().map(|c| c.weight).sum::<f32>().max(1e-3);
        base.iter_mut().for_each(|c| c.weight /= total);
    }
    mix.push(LayerMode::Override, 1.0, None, base.into_iter());
    for _ in 0..random.below(4) {
        let weights: Vec<f32> = model.nodes.iter().map(|_| random.unit() as f32 * 1.2 - 0.1).collect();
        let mask = random.chance(0.7).then(|| Rc::new(JointMask::new(&weights)));
        let mode = match random.below(5) {
            0 => LayerMode::Additive(Reference::Rest),
            1 => LayerMode::Additive(Reference::Clip(ClipId::new(random.below(4)), random.unit())),
            2 => LayerMode::Average,
            _ => LayerMode::Override,
        };
        let weight = random.unit() as f32;
        let weight = if mode == LayerMode::Override { weight } else { 1.6 * weight - 0.3 };
        let count = 1 + random.below(3);
        let contributions = contributions(random, count, 0.8);
        mix.push(mode, weight, mask.as_ref(), contributions.into_iter());
    }
    mix
}

#[test]
fn mixer_agrees_with_the_definition_on_random_mixes() {
    for seed in 0..400 {
        let mut random = Random(seed);
        let nodes = 1 + random.below(14);
        let model = super::model::model(&mut random, nodes, if seed % 4 == 0 { &WHOLE } else { &PARTIAL });
        let rig = Rig::new(&model);
        let mut mixer = Mixer::new();
        let mut pose = rig.rest_pose().clone();
        for _ in 0..4 {
            let mix = random_mix(&mut random, &model);
            mixer.evaluate(&rig, &mix, &mut pose);
            let distance = Exact::of(&pose, nodes).distance(&exact(&model, &rig, &mix));
            assert!(distance < 1e-5, "{seed} {distance:e} {mix:?}");
            // Earlier evaluations of the mixer have no effect.
            assert_eq!(pose, evaluate(&rig, &mix), "{seed}");
        }
    }
}

#[test]
fn mixer_of_one_clip_at_full_weight_has_the_bits_of_the_sampled_pose() {
    for seed in 0..30 {
        let mut random = Random(seed);
        let model = super::model::model(&mut random, 11, &PARTIAL);
        let rig = Rig::new(&model);
        let mask = Rc::new(JointMask::new(&[0.0; 11]));
        for time in [0.0, 0.3, 0.77, 9.0] {
            let want = sample(&rig, 1, time);
            let clip = contribution(1, time, 1.0);
            let others =
                [contribution(0, 0.5, 0.0), contribution(2, 0.5, -1.0), contribution(3, 0.5, f32::NAN)];
            let base = (LayerMode::Override, 1.0, None, &[others[0], clip, others[1], others[2]][..]);
            let over = [contribution(2, time, 1.0), contribution(0, time, 1.0)];
            for mix in [
                mix(&[base]),
                mix(&[(LayerMode::Override, 7.0, None, &[contribution(1, time, 3.0)])]),
                mix(&[base, (LayerMode::Override, 0.0, None, &over)]),
                mix(&[base, (LayerMode::Override, f32::NAN, None, &over)]),
                mix(&[base, (LayerMode::Override, 1.0, None, &others)]),
                mix(&[base, (LayerMode::Additive(Reference::Rest), 0.0, None, &over)]),
            ] {
                assert_eq!(evaluate(&rig, &mix), want, "{seed} {time}");
            }
            let masked = mix(&[base, (LayerMode::Override, 1.0, Some(&mask), &over)]);
            let (mut got, mut want) = (evaluate(&rig, &masked), want);
            // Masks do not apply to materials and other properties that are not nodes.
            (got.properties, want.properties) = (Vec::new(), Vec::new());
            assert_eq!(got, want, "{seed} {time}");
        }
    }
}

#[test]
fn mixer_override_layer_at_full_weight_replaces_its_channels() {
    let model = super::model::model(&mut Random(3), 9, &PARTIAL);
    let rig = Rig::new(&model);
    let layers = [
        (LayerMode::Override, 1.0, None, &[contribution(0, 0.4, 1.0)][..]),
        (LayerMode::Override, 1.0, None, &[contribution(1, 0.2, 1.0)][..]),
    ];
    let got = evaluate(&rig, &mix(&layers));
    let (below, above) = (sample(&rig, 0, 0.4), sample(&rig, 1, 0.2));
    for node in 0..9 {
        let id = NodeId::new(node);
        let from = |path| if Touched(&model, 1).node(node, path) { above.get(id) } else { below.get(id) };
        assert_eq!(got.get(id).translation, from(Path::Translation).translation);
        assert_eq!(got.get(id).rotation, from(Path::Rotation).rotation);
        assert_eq!(got.get(id).scale, from(Path::Scale).scale);
    }
}

#[test]
fn mixer_does_not_depend_on_the_order_of_contributions() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let model = super::model::model(&mut random, 10, &PARTIAL);
        let rig = Rig::new(&model);
        let parts: Vec<_> =
            (0..4).map(|clip| contribution(clip, random.unit(), 0.05 + random.unit() as f32)).collect();
        let pose = |order: [usize; 4]| {
            let parts = order.map(|i| parts[i]);
            Exact::of(&evaluate(&rig, &mix(&[(LayerMode::Override, 1.0, None, &parts)])), 10)
        };
        let first = pose([0, 1, 2, 3]);
        for order in [[3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
            assert!(first.distance(&pose(order)) < 1e-5, "{seed} {order:?}");
        }
    }
}

#[test]
fn mixer_fills_missing_weight_with_the_rest_pose_and_scales_excess_weight() {
    let model = super::model::model(&mut Random(8), 3, &WHOLE);
    let rig = Rig::new(&model);
    let node = NodeId::new(1);
    let at = |parts: &[Contribution]| {
        evaluate(&rig, &mix(&[(LayerMode::Override, 1.0, None, parts)])).get(node).translation.as_dvec3()
    };
    let rest = rig.rest_pose().get(node).translation.as_dvec3();
    let [a, b] = [0, 1].map(|clip| sample(&rig, clip, 0.3).get(node).translation.as_dvec3());
    let close = |got: glam::DVec3, want: glam::DVec3| assert!(got.abs_diff_eq(want, 1e-6), "{got} {want}");
    close(at(&[contribution(0, 0.3, 0.25)]), 0.25 * a + 0.75 * rest);
    close(at(&[contribution(0, 0.3, 0.25), contribution(1, 0.3, 0.5)]), 0.25 * a + 0.5 * b + 0.25 * rest);
    close(at(&[contribution(0, 0.3, 1.0), contribution(1, 0.3, 3.0)]), 0.25 * a + 0.75 * b);
    close(at(&[contribution(0, 0.3, 0.0)]), rest);
    close(at(&[]), rest);
}

#[test]
fn mixer_additive_layer_on_its_reference_is_its_clip() {
    for seed in 0..20 {
        let model = super::model::model(&mut Random(seed), 12, &WHOLE);
        let rig = Rig::new(&model);
        let clip = contribution(2, 0.6, 1.0);
        let base = [contribution(1, 0.2, 1.0)];
        let reference = Reference::Clip(ClipId::new(1), 0.2);
        let got = evaluate(
            &rig,
            &mix(&[
                (LayerMode::Override, 1.0, None, &base),
                (LayerMode::Additive(reference), 1.0, None, &[clip]),
            ]),
        );
        let distance = Exact::of(&got, 12).distance(&Exact::of(&sample(&rig, 2, 0.6), 12));
        assert!(distance < 3e-6, "{distance:e}");
        // The difference to itself is the identity.
        let nothing = mix(&[
            (LayerMode::Override, 1.0, None, &base),
            (LayerMode::Additive(Reference::Clip(ClipId::new(2), 0.6)), 1.0, None, &[clip]),
        ]);
        let distance =
            Exact::of(&evaluate(&rig, &nothing), 12).distance(&Exact::of(&sample(&rig, 1, 0.2), 12));
        assert!(distance < 1e-6, "{distance:e}");
    }
}

#[test]
fn mixer_caches_the_reference_until_it_changes() {
    let model = super::model::model(&mut Random(5), 8, &WHOLE);
    let rig = Rig::new(&model);
    let mut mixer = Mixer::new();
    let mut pose = rig.rest_pose().clone();
    let of = |clip: usize, time: f64| {
        let reference = Reference::Clip(ClipId::new(clip), time);
        mix(&[
            (LayerMode::Override, 1.0, None, &[contribution(0, 0.1, 1.0)]),
            (LayerMode::Additive(Reference::Rest), 0.5, None, &[contribution(1, 0.2, 1.0)]),
            (LayerMode::Additive(reference), 0.5, None, &[contribution(1, 0.2, 1.0)]),
        ])
    };
    let mut poses = Vec::new();
    for (clip, time) in [(0, 0.0), (0, 0.0), (0, 0.5), (3, 0.5), (0, 0.0)] {
        mixer.evaluate(&rig, &of(clip, time), &mut pose);
        assert_eq!(pose, evaluate(&rig, &of(clip, time)));
        poses.push(pose.clone());
    }
    assert!(poses[0] == poses[1] && poses[1] != poses[2] && poses[2] != poses[3] && poses[0] == poses[4]);
}

#[test]
fn mixer_never_blends_visibility() {
    let mut model = super::model::model(&mut Random(1), 4, &WHOLE);
    let property = Property::Visible(NodeId::new(0));
    // Clip 0 hides, clip 1 shows, clip 2 hides.
    for (clip, value) in [0.0, 1.0, 0.0, 1.0].into_iter().enumerate() {
        let channel = model.clips[clip].properties.iter().find(|c| c.property == property).copied();
        let curve = channel.expect("every clip animates it").curve;
        let old = &model.clips[clip].curves[curve];
        let (times, count) = (old.times().to_vec(), old.times().len());
        Arc::make_mut(&mut model.clips[clip]).curves[curve] =
            gambol::model::Curve::new(old.interpolation(), 1, times, vec![value; count])
                .expect("a good curve");
    }
    let rig = Rig::new(&model);
    let at = rig.layout.properties.range(property).expect("it is animated").start;
    let shown = |weight: f32, mask: f32, parts: &[Contribution]| {
        let mask = Rc::new(JointMask::new(&[mask, 0.0, 0.0, 0.0]));
        evaluate(&rig, &mix(&[(LayerMode::Override, weight, Some(&mask), parts)])).properties[at]
    };
    let part = |clip, weight| contribution(clip, 0.1, weight);
    assert_eq!(shown(1.0, 1.0, &[part(0, 1.0)]), 0.0);
    assert_eq!(shown(1.0, 1.0, &[part(0, 0.5)]), 0.0, "half is enough");
    assert_eq!(shown(1.0, 1.0, &[part(0, 0.49)]), 1.0, "the rest pose shows it");
    assert_eq!(shown(0.4, 1.0, &[part(0, 1.0)]), 1.0);
    assert_eq!(shown(1.0, 0.4, &[part(0, 1.0)]), 1.0, "the mask of its node counts");
    assert_eq!(shown(1.0, 1.0, &[part(0, 0.3), part(1, 0.4), part(2, 0.3)]), 1.0, "the strongest says it");
    assert_eq!(shown(1.0, 1.0, &[part(0, 0.4), part(1, 0.3), part(2, 0.3)]), 0.0);
    let added = |weight: f32, reference: usize| {
        let reference = Reference::Clip(ClipId::new(reference), 0.0);
        let layers = [
            (LayerMode::Override, 1.0, None, &[part(1, 1.0)][..]),
            (LayerMode::Additive(reference), weight, None, &[part(2, 1.0)][..]),
        ];
        evaluate(&rig, &mix(&layers)).properties[at]
    };
    assert_eq!((added(1.0, 1), added(0.4, 1), added(1.0, 0)), (0.0, 1.0, 1.0));
}
