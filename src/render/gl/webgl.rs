//! WebGL2 with the signatures of [`glow::HasContext`]: the calls that this module makes, for browsers.
//!
//! `glow` has a context for browsers too, but it serves WebGL 1 and all extensions as well, which makes the module larger
//! and each call slower.

use glow::{CompressedPixelUnpackData, PixelUnpackData};
use js_sys::{Array, Float32Array, Object, Uint8Array, Uint16Array, Uint32Array};
use std::cell::{Ref, RefCell};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ImageBitmap, WebGl2RenderingContext, WebGlUniformLocation};

/// The name of an object, as in OpenGL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Name(usize);

pub(crate) type Buffer = Name;
pub(crate) type Fence = Name;
pub(crate) type Framebuffer = Name;
pub(crate) type Program = Name;
pub(crate) type Sampler = Name;
pub(crate) type Shader = Name;
pub(crate) type Texture = Name;
pub(crate) type UniformLocation = WebGlUniformLocation;
pub(crate) type VertexArray = Name;

/// The extensions whose texture formats a page may use.
const TEXTURE_FORMATS: [&str; 5] = [
    "WEBGL_compressed_texture_astc",
    "EXT_texture_compression_bptc",
    "WEBGL_compressed_texture_etc",
    "WEBGL_compressed_texture_s3tc",
    "WEBGL_compressed_texture_s3tc_srgb",
];

/// The browser could not create an object.
pub(crate) struct NotCreated;

/// A context and its objects.
#[derive(Debug)]
pub(crate) struct Context {
    gl: WebGl2RenderingContext,
    objects: RefCell<Objects>,
}

#[derive(Debug, Default)]
struct Objects {
    /// The objects by name; `undefined` for free names.
    list: Vec<JsValue>,
    free: Vec<Name>,
}

impl Context {
    pub(crate) fn new(gl: WebGl2RenderingContext) -> Self {
        let context = Self { gl, objects: RefCell::default() };
        for extension in TEXTURE_FORMATS {
            context.supports(extension);
        }
        context
    }

    /// Enables an extension if it is supported, and returns `true` then.
    pub(super) fn supports(&self, extension: &str) -> bool {
        matches!(self.gl.get_extension(extension), Ok(Some(_)))
    }

    fn add(&self, object: JsValue) -> Result<Name, NotCreated> {
        if object.is_falsy() {
            return Err(NotCreated);
        }
        let mut objects = self.objects.borrow_mut();
        if let Some(name) = objects.free.pop() {
            objects.list[name.0] = object;
            return Ok(name);
        }
        objects.list.push(object);
        Ok(Name(objects.list.len() - 1))
    }

    fn remove(&self, name: Name) -> JsValue {
        let mut objects = self.objects.borrow_mut();
        objects.free.push(name);
        std::mem::take(&mut objects.list[name.0])
    }

    /// The object with a name, of the class with which it was created.
    fn get<T: JsCast>(&self, name: Name) -> Ref<'_, T> {
        Ref::map(self.objects.borrow(), |objects| objects.list[name.0].unchecked_ref())
    }

    fn some<T: JsCast>(&self, name: Option<Name>) -> Option<Ref<'_, T>> {
        name.map(|name| self.get(name))
    }

    /// The value of a parameter; 0 if it is no number, as in a lost context.
    fn number(&self, parameter: u32) -> f64 {
        self.gl.get_parameter(parameter).ok().and_then(|value| value.as_f64()).unwrap_or(0.0)
    }
}

/// Methods that create and delete objects.
macro_rules! objects {
    ($($create:ident($($argument:ident: u32),*), $delete:ident;)+) => {$(
        pub(super) unsafe fn $create(&self $(, $argument: u32)*) -> Result<Name, NotCreated> {
            self.add(self.gl.$create($($argument),*).into())
        }

        pub(super) unsafe fn $delete(&self, name: Name) {
            self.gl.$delete(Some(self.remove(name).unchecked_ref()));
        }
    )+};
}

/// Methods that only call a method of the browser's context, of which `web_sys` appends types to some names.
macro_rules! calls {
    ($($name:ident($($argument:ident: $type:ty),*) = $method:ident;)+) => {$(
        pub(super) unsafe fn $name(&self $(, $argument: $type)*) {
            self.gl.$method($($argument),*);
        }
    )+};
}

/// Methods with an object, or none, between other arguments.
macro_rules! bindings {
    ($($name:ident($($before:ident: u32),*; $($after:ident: i32),*) = $method:ident;)+) => {$(
        pub(super) unsafe fn $name(&self $(, $before: u32)*, object: Option<Name> $(, $after: i32)*) {
            self.gl.$method($($before,)* self.some(object).as_deref() $(, $after)*);
        }
    )+};
}

/// Methods of an object.
macro_rules! methods {
    ($($name:ident($($argument:ident: $type:ty),*) = $method:ident;)+) => {$(
        pub(super) unsafe fn $name(&self, object: Name $(, $argument: $type)*) {
            self.gl.$method(&self.get(object) $(, $argument)*);
        }
    )+};
}

/// The methods of [`glow::HasContext`], which documents them.
#[expect(clippy::too_many_arguments, reason = "as in GL")]
impl Context {
    objects! {
        create_buffer(), delete_buffer;
        create_framebuffer(), delete_framebuffer;
        create_program(), delete_program;
        create_sampler(), delete_sampler;
        create_texture(), delete_texture;
        create_vertex_array(), delete_vertex_array;
        create_shader(kind: u32), delete_shader;
        fence_sync(condition: u32, flags: u32), delete_sync;
    }

    calls! {
        active_texture(unit: u32) = active_texture;
        blend_func(source: u32, target: u32) = blend_func;
        buffer_data_size(target: u32, size: i32, usage: u32) = buffer_data_with_i32;
        buffer_data_u8_slice(target: u32, data: &[u8], usage: u32) = buffer_data_with_u8_array;
        buffer_sub_data_u8_slice(target: u32, offset: i32, data: &[u8]) = buffer_sub_data_with_i32_and_u8_array;
        clear(mask: u32) = clear;
        clear_color(red: f32, green: f32, blue: f32, alpha: f32) = clear_color;
        color_mask(red: bool, green: bool, blue: bool, alpha: bool) = color_mask;
        copy_tex_sub_image_2d(
            target: u32, level: i32, to_x: i32, to_y: i32, x: i32, y: i32, width: i32, height: i32
        ) = copy_tex_sub_image_2d;
        cull_face(face: u32) = cull_face;
        depth_func(function: u32) = depth_func;
        depth_mask(write: bool) = depth_mask;
        disable(capability: u32) = disable;
        draw_arrays(mode: u32, first: i32, count: i32) = draw_arrays;
        draw_arrays_instanced(mode: u32, first: i32, count: i32, instances: i32) = draw_arrays_instanced;
        draw_elements(mode: u32, count: i32, element: u32, offset: i32) = draw_elements_with_i32;
        draw_elements_instanced(mode: u32, count: i32, element: u32, offset: i32, instances: i32)
            = draw_elements_instanced_with_i32;
        enable(capability: u32) = enable;
        enable_vertex_attrib_array(index: u32) = enable_vertex_attrib_array;
        flush() = flush;
        front_face(mode: u32) = front_face;
        generate_mipmap(target: u32) = generate_mipmap;
        pixel_store_i32(parameter: u32, value: i32) = pixel_storei;
        tex_parameter_i32(target: u32, parameter: u32, value: i32) = tex_parameteri;
        tex_storage_2d(target: u32, levels: i32, internal: u32, width: i32, height: i32) = tex_storage_2d;
        uniform_1_i32(location: Option<&UniformLocation>, value: i32) = uniform1i;
        uniform_4_f32_slice(location: Option<&UniformLocation>, values: &[f32]) = uniform4fv_with_f32_array;
        uniform_4_i32(location: Option<&UniformLocation>, x: i32, y: i32, z: i32, w: i32) = uniform4i;
        vertex_attrib_pointer_f32(
            index: u32, components: i32, kind: u32, normalized: bool, stride: i32, offset: i32
        ) = vertex_attrib_pointer_with_i32;
        vertex_attrib_pointer_i32(index: u32, components: i32, kind: u32, stride: i32, offset: i32)
            = vertex_attrib_i_pointer_with_i32;
        viewport(x: i32, y: i32, width: i32, height: i32) = viewport;
    }

    bindings! {
        bind_buffer(target: u32;) = bind_buffer;
        bind_buffer_range(target: u32, index: u32; offset: i32, size: i32) = bind_buffer_range_with_i32_and_i32;
        bind_framebuffer(target: u32;) = bind_framebuffer;
        bind_sampler(unit: u32;) = bind_sampler;
        bind_texture(target: u32;) = bind_texture;
        bind_vertex_array(;) = bind_vertex_array;
        framebuffer_texture_2d(target: u32, attachment: u32, kind: u32; level: i32) = framebuffer_texture_2d;
        use_program(;) = use_program;
    }

    methods! {
        compile_shader() = compile_shader;
        link_program() = link_program;
        sampler_parameter_f32(parameter: u32, value: f32) = sampler_parameterf;
        sampler_parameter_i32(parameter: u32, value: i32) = sampler_parameteri;
        shader_source(source: &str) = shader_source;
        uniform_block_binding(index: u32, point: u32) = uniform_block_binding;
    }

    pub(super) unsafe fn attach_shader(&self, program: Program, shader: Shader) {
        self.gl.attach_shader(&self.get(program), &self.get(shader));
    }

    pub(super) unsafe fn draw_buffers(&self, buffers: &[u32]) {
        self.gl.draw_buffers(&buffers.iter().map(|&buffer| JsValue::from(buffer)).collect::<Array>());
    }

    pub(super) unsafe fn get_error(&self) -> u32 {
        self.gl.get_error()
    }

    pub(super) unsafe fn get_parameter_f32(&self, parameter: u32) -> f32 {
        self.number(parameter) as f32
    }

    pub(super) unsafe fn get_parameter_i32(&self, parameter: u32) -> i32 {
        self.number(parameter) as i32
    }

    pub(super) unsafe fn get_program_completion_status(&self, program: Program) -> bool {
        self.gl.get_program_parameter(&self.get(program), glow::COMPLETION_STATUS).is_truthy()
    }

    pub(super) unsafe fn get_program_info_log(&self, program: Program) -> String {
        self.gl.get_program_info_log(&self.get(program)).unwrap_or_default()
    }

    pub(super) unsafe fn get_program_link_status(&self, program: Program) -> bool {
        self.gl.get_program_parameter(&self.get(program), glow::LINK_STATUS).is_truthy()
    }

    pub(super) unsafe fn get_shader_compile_status(&self, shader: Shader) -> bool {
        self.gl.get_shader_parameter(&self.get(shader), glow::COMPILE_STATUS).is_truthy()
    }

    pub(super) unsafe fn get_shader_info_log(&self, shader: Shader) -> String {
        self.gl.get_shader_info_log(&self.get(shader)).unwrap_or_default()
    }

    pub(super) unsafe fn get_sync_status(&self, fence: Fence) -> u32 {
        let status = self.gl.get_sync_parameter(&self.get(fence), glow::SYNC_STATUS);
        status.as_f64().map_or(glow::UNSIGNALED, |status| status as u32)
    }

    pub(super) unsafe fn get_uniform_block_index(&self, program: Program, name: &str) -> Option<u32> {
        let index = self.gl.get_uniform_block_index(&self.get(program), name);
        (index != glow::INVALID_INDEX).then_some(index)
    }

    pub(super) unsafe fn get_uniform_location(
        &self,
        program: Program,
        name: &str,
    ) -> Option<UniformLocation> {
        self.gl.get_uniform_location(&self.get(program), name)
    }

    pub(super) unsafe fn compressed_tex_sub_image_2d(
        &self,
        target: u32,
        level: i32,
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        format: u32,
        pixels: CompressedPixelUnpackData<'_>,
    ) {
        let CompressedPixelUnpackData::Slice(bytes) = pixels else { return };
        // SAFETY: nothing is allocated while the view is used.
        let view = unsafe { Uint8Array::view(bytes) };
        let upload = WebGl2RenderingContext::compressed_tex_sub_image_2d_with_array_buffer_view;
        upload(&self.gl, target, level, x, y, width, height, format, &view);
    }

    pub(super) unsafe fn tex_sub_image_2d(
        &self,
        target: u32,
        level: i32,
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        format: u32,
        kind: u32,
        pixels: PixelUnpackData<'_>,
    ) {
        let PixelUnpackData::Slice(Some(bytes)) = pixels else { return };
        // WebGL requires an array of the type of the texels.
        // SAFETY: nothing is allocated while the view is used. Any bits are numbers.
        let view: Object = unsafe {
            match kind {
                glow::FLOAT => Float32Array::view(bytes.align_to().1).into(),
                glow::HALF_FLOAT => Uint16Array::view(bytes.align_to().1).into(),
                glow::UNSIGNED_INT_5_9_9_9_REV => Uint32Array::view(bytes.align_to().1).into(),
                _ => Uint8Array::view(bytes).into(),
            }
        };
        let upload =
            WebGl2RenderingContext::tex_sub_image_2d_with_i32_and_i32_and_u32_and_type_and_opt_array_buffer_view;
        upload(&self.gl, target, level, x, y, width, height, format, kind, Some(&view))
            .expect("only pictures of other origins throw");
    }

    pub(super) unsafe fn tex_sub_image_2d_with_image_bitmap_and_width_and_height(
        &self,
        target: u32,
        level: i32,
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        format: u32,
        kind: u32,
        bitmap: &ImageBitmap,
    ) {
        let upload =
            WebGl2RenderingContext::tex_sub_image_2d_with_i32_and_i32_and_u32_and_type_and_image_bitmap;
        upload(&self.gl, target, level, x, y, width, height, format, kind, bitmap)
            .expect("only bitmaps of other origins throw, which browsers do not create");
    }
}
