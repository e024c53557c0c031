//! Writes a [`Scene`](crate::scene::Scene) as GLB.
