//! USDZ files: their structure, and OpenUSD's opinion of them.

mod cases;
mod common;
mod openusd;
mod structure;
