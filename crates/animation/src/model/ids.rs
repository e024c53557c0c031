//! Typed indices into the vectors of a [`Model`](super::root::Model).

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id of the element at `index`.
            ///
            /// # Panics
            /// If `index` does not fit in 32 bits, which no imported model reaches.
            #[inline]
            pub const fn new(index: usize) -> Self {
                assert!(index <= u32::MAX as usize);
                Self(index as u32)
            }

            /// The index of the element.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A node: an index into [`Model::nodes`](super::root::Model::nodes).
    NodeId;
    /// A mesh: an index into [`Model::meshes`](super::root::Model::meshes).
    MeshId;
    /// A skin: an index into [`Model::skins`](super::root::Model::skins).
    SkinId;
    /// A material: an index into [`Model::materials`](super::root::Model::materials).
    MaterialId;
    /// A texture: an index into [`Model::textures`](super::root::Model::textures).
    TextureId;
    /// An image: an index into [`Model::images`](super::root::Model::images).
    ImageId;
    /// A camera: an index into [`Model::cameras`](super::root::Model::cameras).
    CameraId;
    /// A light: an index into [`Model::lights`](super::root::Model::lights).
    LightId;
    /// A variant of materials: an index into [`Model::variants`](super::root::Model::variants).
    VariantId;
    /// A clip: an index into [`Model::clips`](super::root::Model::clips).
    ClipId;
}
