//! Native: sample → pose → palette of 1, 100 and 1,000 independent characters of 20 joints, and what mixing adds.

mod workload;

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use workload::{Crowd, Feature, JOINTS};

fn palettes(criterion: &mut Criterion) {
    for count in [1, 100, 1000] {
        let mut crowd = Crowd::new(count, false);
        let name = format!("palette.{count}x{JOINTS}");
        criterion.bench_function(&format!("{name}.forward"), |b| b.iter(|| black_box(crowd.forward())));
        criterion.bench_function(&format!("{name}.seek"), |b| b.iter(|| black_box(crowd.seek())));
        if count == 1000 {
            criterion
                .bench_function(&format!("{name}.crowd"), |b| b.iter(|| black_box(crowd.quartets(false))));
            criterion.bench_function(&format!("{name}.crowd_seek"), |b| {
                b.iter(|| black_box(crowd.quartets_seek()))
            });
            criterion.bench_function(&format!("{name}.crowd_blend2"), |b| {
                b.iter(|| black_box(crowd.quartets_blended()))
            });
            criterion.bench_function(&format!("{name}.floor"), |b| b.iter(|| black_box(crowd.floor())));
        }
        for (feature, what) in Feature::ALL.into_iter().filter(|_| count == 1000) {
            criterion
                .bench_function(&format!("{name}.{what}"), |b| b.iter(|| black_box(crowd.mixed(feature))));
        }
    }
}

criterion_group!(benches, palettes);
criterion_main!(benches);
