//! Errors of uploads and rendering.

use std::fmt;

/// The reason why something could not be rendered. [`RenderError::code`] is stable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderError {
    /// The browser lost the WebGL context. Drop the renderer and build a new one after the context is restored.
    ContextLost,
    /// The GPU has no memory left.
    OutOfMemory,
    /// The context is not WebGL2.
    Unsupported,
    /// A program does not build; always a bug of this crate or of the driver.
    Shader {
        /// The log of the driver.
        log: String,
    },
    /// An image is larger than the maximum texture size of the GPU.
    TextureTooLarge {
        /// The image's width in pixels.
        width: u32,
        /// The image's height in pixels.
        height: u32,
        /// The maximum of width and height.
        available: u32,
    },
    /// The data of an image is shorter than its size requires.
    ImageData {
        /// The number of bytes that the size requires.
        needed: usize,
        /// The number of bytes in the data.
        available: usize,
    },
    /// A mesh, its morph targets or the palette need more than the GPU can address.
    TooLarge {
        /// The required number of bytes, or of texels for textures.
        needed: usize,
        /// The maximum.
        available: usize,
    },
    /// The handle's model was removed, or belongs to another renderer.
    StaleHandle,
    /// Another GL error; always a bug of this crate or of the driver.
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
            Self::Shader { log } => write!(f, "a shader does not compile: {log}"),
            Self::TextureTooLarge { width, height, available } => {
                write!(
                    f,
                    "an image has {width}×{height} pixels, but the GPU supports at most {available} in each direction"
                )
            }
            Self::ImageData { needed, available } => {
                write!(f, "the image needs {needed} bytes, but has {available}")
            }
            Self::TooLarge { needed, available } => {
                write!(
                    f,
                    "a buffer or texture needs {needed} bytes or texels, but the GPU supports {available}"
                )
            }
            Self::StaleHandle => write!(f, "the model does not belong to this renderer"),
            Self::Gl { error } => write!(f, "WebGL reports error 0x{error:04x}"),
        }
    }
}

impl std::error::Error for RenderError {}
