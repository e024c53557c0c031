//! Extensions that handlers from outside read: the example, run.

#[path = "../../../examples/extension.rs"]
mod extension;

use gambol::animation::Rig;
use gambol::import::{
    ExtensionHandler, ImportError, ImportErrorKind, NoResolver, codes, import, import_with,
};
use gambol::model::{ClipId, NodeId};
use gambol_gltf::document::Document;
use glam::{Quat, Vec3};

#[test]
fn a_handler_from_outside_is_needed_for_a_required_extension() {
    let file = extension::file(2.0).expect("it fits");
    let error = import(&file, &mut NoResolver).expect_err("gambol does not know it");
    assert_eq!(error.code(), codes::UNSUPPORTED_EXTENSION);
    let error = import_with(&file, &mut NoResolver, &mut []).expect_err("there is no handler");
    assert_eq!(error.code(), codes::UNSUPPORTED_EXTENSION);
    let error = extension::model(&extension::file(-1.0).expect("it fits")).expect_err("a wrong value");
    let place = "/nodes/0/extensions/ACME_spin/seconds";
    assert_eq!((error.code(), &error.pointer[..]), (codes::INVALID_VALUE, place));
}

#[test]
fn a_handler_from_outside_changes_what_is_imported() {
    let model = extension::model(&extension::file(2.0).expect("it fits")).expect("it is handled");
    assert_eq!(model.clips.len(), 1);
    assert!((model.clips[0].duration - 2.0).abs() < 1e-6);
    let rig = Rig::new(&model);
    let mut pose = rig.rest_pose().clone();
    for (time, want) in [(0.0, Vec3::X), (0.5, Vec3::NEG_Z), (1.0, Vec3::NEG_X), (1.5, Vec3::Z)] {
        rig.sample(ClipId::new(0), time, &mut pose);
        let rotation: Quat = pose.get(NodeId::new(0)).rotation;
        assert!((rotation * Vec3::X).abs_diff_eq(want, 1e-3), "{time}: {rotation}");
    }
    extension::main().expect("the example runs");
}

/// A handler that counts its calls, and refuses the file.
struct Refusing(usize);

impl ExtensionHandler for Refusing {
    fn name(&self) -> &str {
        "ACME_other"
    }

    fn read(&mut self, _: &mut Document) -> Result<(), ImportError> {
        self.0 += 1;
        Err(ImportErrorKind::InvalidValue { reason: "no".to_owned() }.at("/here"))
    }
}

#[test]
fn a_handler_from_outside_is_called_for_files_with_its_extension_alone() {
    let mut handler = Refusing(0);
    let plain = br#"{"asset":{"version":"2.0"},"nodes":[{}]}"#;
    import_with(plain, &mut NoResolver, &mut [&mut handler]).expect("nothing to handle");
    assert_eq!(handler.0, 0);
    let used = br#"{"asset":{"version":"2.0"},"nodes":[{}],"extensionsUsed":["ACME_other"]}"#;
    let error = import_with(used, &mut NoResolver, &mut [&mut handler]).expect_err("it refuses");
    assert_eq!((handler.0, &error.pointer[..]), (1, "/here"));
    // Faults and warnings of the file are those of every import.
    let error = import_with(b"PK\x03\x04", &mut NoResolver, &mut []).expect_err("no glTF");
    assert_eq!(error.code(), codes::UNKNOWN_FORMAT);
    let marked = [&b"\xEF\xBB\xBF"[..], plain].concat();
    let imported = import_with(&marked, &mut NoResolver, &mut []).expect("valid");
    assert!(imported.warnings.iter().any(|warning| warning.code == codes::BYTE_ORDER_MARK));
}
