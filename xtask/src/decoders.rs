//! The third-party decoders that ship with the package, each in a chunk that is loaded when a file needs it.
//!
//! They come from npm packages at the versions of `package-lock.json`; the repository contains no copy.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{files, paths};

struct Decoder {
    /// The format or extension that it decodes.
    format: &'static str,
    /// The npm package.
    package: &'static str,
    /// The module in the package.
    module: &'static str,
    /// Its file name in our package.
    name: &'static str,
    /// The script that calls it, by the path that our sources import.
    glue: &'static str,
    /// The name of the factory that the script defines.
    factory: &'static str,
    /// The text at which the script's own export begins; the script is cut there.
    footer: &'static str,
    /// Replacements of text in the script: old and new.
    edits: &'static [(&'static str, &'static str)],
    /// The copyright notice.
    notice: &'static str,
}

const DECODERS: &[Decoder] = &[
    Decoder {
        format: "KHR_draco_mesh_compression",
        package: "draco3dgltf",
        module: "draco_decoder_gltf.wasm",
        name: "draco.wasm",
        glue: "draco3dgltf/draco_decoder_gltf_nodejs.js",
        factory: "DracoDecoderModule",
        footer: "\"object\"===typeof exports&&\"object\"===typeof module",
        edits: &[],
        notice: "Draco, © Google LLC and contributors, Apache-2.0, https://github.com/google/draco",
    },
    Decoder {
        format: "KHR_texture_basisu",
        package: "three",
        module: "examples/jsm/libs/basis/basis_transcoder.wasm",
        name: "basis.wasm",
        glue: "three/examples/jsm/libs/basis/basis_transcoder.js",
        factory: "BASIS",
        footer: "if (typeof exports === 'object'",
        edits: &CLOSURES,
        notice: "Basis Universal, © Binomial LLC and contributors, Apache-2.0, \
                 https://github.com/BinomialLLC/basis_universal",
    },
];

/// Edits of the glue of Basis Universal: it builds functions from text, which a page's content security policy may
/// forbid. Closures replace them. (Emscripten has an option for this, but this build does not use it.)
const CLOSURES: [(&str, &str); 2] = [
    (
        "newFunc(Function,args)(...closureArgs)",
        "(function(...given){\
            if(given.length!==argCount-2)throwBindingError('wrong number of arguments');\
            const stack=needsDestructorStack?[]:null,first=isClassMethodFunc?1:2,wired=[];\
            if(isClassMethodFunc)wired.push(argTypes[1].toWireType(stack,this));\
            given.forEach((value,i)=>wired.push(argTypes[i+2].toWireType(stack,value)));\
            const result=cppInvokerFunc(cppTargetFunc,...wired);\
            if(stack)runDestructors(stack);\
            else wired.forEach((value,i)=>argTypes[first+i].destructorFunction?.(value));\
            return returns?argTypes[0].fromWireType(result):undefined})",
    ),
    (
        "newFunc(Function,params)(...args)",
        "((object,callee,destructors,at)=>{\
            const given=types.map((type)=>{\
                const value=type.readValueFromPointer(at);at+=type.argPackAdvance;return value});\
            const result=kind===1?new callee(...given):callee.call(...(kind===0?[object]:[]),...given);\
            return retType.isVoid?undefined:emval_returnValue(retType,destructors,result)})",
    ),
];

/// Writes the decoders' glue as JavaScript modules; returns the paths that replace their imports.
///
/// The originals are CommonJS, for which esbuild adds helpers. Two decoders would share the helpers in a third script.
pub(crate) fn aliases() -> Result<BTreeMap<&'static str, PathBuf>> {
    let alias = |decoder: &Decoder| {
        let from = paths::root().join("node_modules").join(decoder.glue);
        let text = files::read_text(&from)?;
        let to = paths::work().join(decoder.name).with_extension("mjs");
        fs::write(&to, module_of(decoder, text)?)
            .with_context(|| format!("cannot write {}", paths::shown(&to)))?;
        Ok((decoder.glue, to))
    };
    DECODERS.iter().map(alias).collect()
}

/// The glue as a module whose default export is the factory.
fn module_of(decoder: &Decoder, mut text: String) -> Result<String> {
    let known = || format!("the glue of {} has changed: look at xtask/src/decoders.rs", decoder.name);
    // Requires of Node: there the glue would read files itself.
    let node = [("require(\"fs\")", "null"), ("require(\"path\")", "null")];
    for (old, new) in node.iter().chain(decoder.edits) {
        if text.matches(old).count() != 1 {
            bail!("{} (no {old})", known());
        }
        text = text.replace(old, new);
    }
    let end = text.rfind(decoder.footer).with_context(known)?;
    text.truncate(end);
    writeln!(text, "\nexport default {};", decoder.factory)?;
    Ok(text)
}

/// Copies the decoder modules next to the scripts.
pub(crate) fn copy(dist: &Path) -> Result<()> {
    DECODERS.iter().try_for_each(|Decoder { package, module, name, .. }| {
        files::copy(&folder(package).join(module), &dist.join(name))
    })
}

/// The copyright notices of the decoders, for `THIRD-PARTY.txt`.
pub(crate) fn notices() -> Result<String> {
    let mut notices = String::new();
    for Decoder { format, package, name, notice, .. } in DECODERS {
        let version = version(package)?;
        write!(notices, "\n{name} and the script that calls it decode {format}.\n")?;
        write!(notices, "{notice}\nFrom the npm package {package} {version}.\n")?;
    }
    Ok(notices)
}

fn folder(package: &str) -> PathBuf {
    paths::root().join("node_modules").join(package)
}

fn version(package: &str) -> Result<String> {
    let text = fs::read_to_string(folder(package).join("package.json"))
        .with_context(|| format!("the npm package {package} is missing"))?;
    let manifest: Value = serde_json::from_str(&text).context("a package.json is not JSON")?;
    Ok(manifest["version"].as_str().unwrap_or("?").to_owned())
}
