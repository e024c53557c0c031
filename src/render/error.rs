//! What can go wrong between the model and the screen.

use std::fmt;

/// Why something could not be shown. [`RenderError::code`] is stable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderError {
    /// The browser took the context away. Drop the renderer and build a new one when it is restored.
    ContextLost,
    /// The GPU has no memory left.
    OutOfMemory,
    /// The context is not WebGL2.
    Unsupported,
    /// A program does not build; always our bug or the driver's.
    Shader {
        /// What the driver says.
        log: String,
    },
    /// An image is larger than the GPU's textures.
    TextureTooLarge {
        /// The image's width in pixels.
        width: u32,
        /// The image's height in pixels.
        height: u32,
        /// The most that each may be.
        available: u32,
    },
    /// The data of an image does not fill its size.
    ImageData {
        /// How many bytes the size needs.
        needed: usize,
        /// How many there are.
        available: usize,
    },
    /// A mesh, its morph targets or the palette need more than the GPU can address.
    TooLarge {
        /// How many bytes, or for textures texels, are needed.
        needed: usize,
        /// How many there can be.
        available: usize,
    },
    /// The handle's model was removed, or belongs to another renderer.
    StaleHandle,
    /// Another GL error; always our bug or the driver's.
    Gl {
        /// The value of `getError`.
        error: u32,
    },
}

impl RenderError {
    /// A stable code such as `render/context-lost`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ContextLost => "render/context-lost",
            Self::OutOfMemory => "render/out-of-memory",
            Self::Unsupported => "render/unsupported",
            Self::Shader { .. } => "render/shader",
            Self::TextureTooLarge { .. } => "render/texture-too-large",
            Self::ImageData { .. } => "render/image-data",
            Self::TooLarge { .. } => "render/too-large",
            Self::StaleHandle => "render/stale-handle",
            Self::Gl { .. } => "render/gl",
        }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ContextLost => write!(f, "the WebGL context is lost"),
            Self::OutOfMemory => write!(f, "the GPU is out of memory"),
            Self::Unsupported => write!(f, "the context is not WebGL2"),
            Self::Shader { log } => write!(f, "a shader does not build: {log}"),
            Self::TextureTooLarge { width, height, available } => {
                write!(f, "an image has {width}×{height} pixels, but the GPU takes {available} each way")
            }
            Self::ImageData { needed, available } => {
                write!(f, "the image needs {needed} bytes, but there are {available}")
            }
            Self::TooLarge { needed, available } => {
                write!(f, "{needed} are needed on the GPU, but only {available} are possible")
            }
            Self::StaleHandle => write!(f, "the model is not in this renderer"),
            Self::Gl { error } => write!(f, "WebGL reports error 0x{error:04x}"),
        }
    }
}

impl std::error::Error for RenderError {}
