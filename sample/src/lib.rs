//! The sample character of gambol, generated.
