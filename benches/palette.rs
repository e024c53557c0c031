//! Native: sample → pose → palette of 1, 100 and 1,000 independent characters of 20 joints.

mod workload;

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use workload::Crowd;

fn palettes(criterion: &mut Criterion) {
    for count in [1, 100, 1000] {
        let mut crowd = Crowd::new(count);
        criterion
            .bench_function(&format!("palette.{count}.forward"), |b| b.iter(|| black_box(crowd.forward())));
        criterion.bench_function(&format!("palette.{count}.seek"), |b| b.iter(|| black_box(crowd.seek())));
    }
}

criterion_group!(benches, palettes);
criterion_main!(benches);
