//! One sort for all lists, and one for those that are sorted each frame: each of std's is some kilobytes for each type it
//! sorts.

use std::cmp::Ordering;

/// The indices `0..count` in the order of `compare`; those that are equal stay as they are.
pub(crate) fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let (mut from, mut to): (Vec<usize>, Vec<usize>) = ((0..count).collect(), vec![0; count]);
    // Lists that are sorted, twice as long each time.
    let mut length = 1;
    while length < count {
        for (from, to) in from.chunks(2 * length).zip(to.chunks_mut(2 * length)) {
            merge(from, length.min(from.len()), to, compare);
        }
        std::mem::swap(&mut from, &mut to);
        length *= 2;
    }
    from
}

/// Merges two sorted lists, of which the second begins at `middle`.
fn merge(from: &[usize], middle: usize, to: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    let (first, second) = from.split_at(middle);
    if let (Some(&last), Some(&next)) = (first.last(), second.first())
        && compare(last, next) == Ordering::Greater
    {
        let (mut first, mut second) = (first.iter().peekable(), second.iter().peekable());
        for to in to {
            let second_is_next = match (first.peek(), second.peek()) {
                (Some(&&a), Some(&&b)) => compare(a, b) == Ordering::Greater,
                (a, _) => a.is_none(),
            };
            let next = if second_is_next { second.next() } else { first.next() };
            *to = next.copied().unwrap_or_default();
        }
    } else {
        to.copy_from_slice(from);
    }
}

/// Sorts a list; what is equal stays as it is.
pub(crate) fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|a, b| compare(&items[a], &items[b]));
    let mut taken: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|i| taken[i].take()));
}

/// Sorts a list where it is, without memory of its own; what is equal comes in any order, always the same one.
pub(crate) fn sort_in_place<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    // First a heap, the last on top; then what is on top goes to the end, time and again.
    for top in (0..items.len() / 2).rev() {
        sift(items, top, &compare);
    }
    for end in (1..items.len()).rev() {
        items.swap(0, end);
        sift(&mut items[..end], 0, &compare);
    }
}

/// Lets the item at `top` sink to where none below it comes after it.
fn sift<T>(heap: &mut [T], mut top: usize, compare: &impl Fn(&T, &T) -> Ordering) {
    loop {
        let mut below = 2 * top + 1;
        if below >= heap.len() {
            return;
        }
        if below + 1 < heap.len() && compare(&heap[below], &heap[below + 1]) == Ordering::Less {
            below += 1;
        }
        if compare(&heap[top], &heap[below]) != Ordering::Less {
            return;
        }
        heap.swap(top, below);
        top = below;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_sorted_where_it_is() {
        for count in 0..200_usize {
            let mut items: Vec<usize> = (0..count).map(|i| i * 7919 % 31).collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            sort_in_place(&mut items, Ord::cmp);
            assert_eq!(items, expected);
        }
    }

    #[test]
    fn what_is_equal_stays_as_it_is() {
        let mut items: Vec<(u8, usize)> = (0..100).map(|i| ((i * 37 % 7) as u8, i)).collect();
        let mut expected = items.clone();
        expected.sort_by_key(|item| item.0);
        sort_by(&mut items, |a, b| a.0.cmp(&b.0));
        assert_eq!(items, expected);
        sort_by(&mut Vec::<String>::new(), |_, _| Ordering::Less);
        for count in 0..70 {
            let number = |i: usize| i * 7919 % 31;
            let mut expected: Vec<usize> = (0..count).collect();
            expected.sort_by_key(|&i| number(i));
            assert_eq!(order(count, &|a, b| number(a).cmp(&number(b))), expected);
            assert_eq!(order(count, &|a, b| a.cmp(&b)), (0..count).collect::<Vec<_>>());
        }
    }
}
