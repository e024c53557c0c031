//! Files that are read range by range, as pages read them.

use gambol::import::{Document, ImportError, Imported, Limits, Outside, Source};
use gambol::model::ImageData;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// Bytes outside of the importer's memory, and the ranges that it has read.
#[derive(Debug, Clone)]
pub(crate) struct Pieces {
    pub(crate) bytes: Rc<[u8]>,
    pub(crate) reads: Rc<RefCell<Vec<Range<usize>>>>,
}

impl Pieces {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        Self { bytes: bytes.into(), reads: Rc::default() }
    }

    pub(crate) fn source(&self) -> Source<'static> {
        Source::Outside(Box::new(self.clone()))
    }
}

impl Outside for Pieces {
    fn length(&self) -> usize {
        self.bytes.len()
    }

    fn copy(&self, start: usize, out: &mut [u8]) {
        let range = start..start + out.len();
        out.copy_from_slice(&self.bytes[range.clone()]);
        self.reads.borrow_mut().push(range);
    }
}

/// Asserts that a file without external buffers has the same result if it is read range by range.
pub(crate) fn check_outside(bytes: &[u8], limits: Limits, expected: &Result<Imported, ImportError>) {
    let found = Document::parse_with_limits(Pieces::new(bytes).source(), limits).and_then(Document::finish);
    let found = found.map(|mut imported| {
        for image in &mut imported.model.images {
            if let ImageData::Outside { buffer, range } = &image.data {
                assert_eq!(*buffer, 0, "only the first buffer is in the file");
                image.data = ImageData::Embedded(bytes[range.clone()].to_vec());
            }
        }
        imported
    });
    assert!(format!("{found:?}") == format!("{expected:?}"), "another result:\n{found:?}\n{expected:?}");
}
