//! Stable sorting of lists of any type with one shared function. The sorts of std are compiled for each type
//! and comparison, 4 to 6 kB each. Lists that are sorted within a frame, or have millions of items, use std
//! directly.

use std::cmp::Ordering;

/// The indices `0..count` in the order of `compare`; equal elements keep their order.
pub fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Sorts a list; equal elements keep their order.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|a, b| compare(&items[a], &items[b]));
    arrange(order, &mut |a, b| items.swap(a, b));
}

/// Swaps items until each place `i` has the item that was at `order[i]`, a permutation.
fn arrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for first in 0..order.len() {
        // Each cycle of the permutation, from place to place; those that are done refer to themselves.
        let mut place = first;
        loop {
            let from = std::mem::replace(&mut order[place], place);
            if from == first {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}

/// The value of a key in a list that is sorted by its keys.
pub fn find_sorted<K: Ord, V>(list: &[(K, V)], key: K) -> Option<&V> {
    list.binary_search_by(|(other, _)| other.cmp(&key)).ok().map(|at| &list[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sort_by_keeps_the_order_of_equal_items() {
        let mut items: Vec<(u8, usize)> = (0..100).map(|i| ((i * 37 % 7) as u8, i)).collect();
        let mut expected = items.clone();
        expected.sort_by_key(|item| item.0);
        sort_by(&mut items, |a, b| a.0.cmp(&b.0));
        assert_eq!(items, expected);
        sort_by(&mut Vec::<String>::new(), |_, _| Ordering::Less);
        assert_eq!(order(3, &|a, b| b.cmp(&a)), [2, 1, 0]);
    }
}
