//! Native: sample → pose → palette of 1, 100 and 1,000 independent characters of 20 joints.

mod workload;

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use workload::{Crowd, JOINTS};

fn palettes(criterion: &mut Criterion) {
    for count in [1, 100, 1000] {
        let mut crowd = Crowd::new(count);
        let name = format!("palette.{count}x{JOINTS}");
        criterion.bench_function(&format!("{name}.forward"), |b| b.iter(|| black_box(crowd.forward())));
        criterion.bench_function(&format!("{name}.seek"), |b| b.iter(|| black_box(crowd.seek())));
    }
}

criterion_group!(benches, palettes);
criterion_main!(benches);
