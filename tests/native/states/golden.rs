//! The same script of inputs gives the same poses and states here and in browsers: `tests/golden/states.json`, which
//! `tests/browser/cases/states.ts` runs, too. After an intended change: `GAMBOL_BLESS=1 cargo test --test native states::golden`.

use gambol::animation::{Actor, Rig, States, pose_hash};
use gambol::import::{NoResolver, import, read_states};
use gambol::model::InputValue;
use serde_json::{Value, json};
use std::path::Path;
use std::rc::Rc;

#[test]
fn states_script_gives_the_recorded_poses() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/states.json");
    let text = std::fs::read_to_string(&path).expect("the golden file is there");
    let mut golden: Value = serde_json::from_str(&text).expect("it is JSON");
    let (machine, warnings) = read_states(golden["machine"].to_string().as_bytes()).expect("a machine");
    assert_eq!(warnings, []);
    let model = import(&gambol_sample::glb(), &mut NoResolver).expect("the sample").model;
    let mut actor = Actor::new(&model, Rc::new(Rig::new(&model)));
    let (mut states, warnings) = States::new(Rc::new(machine), &model, &model.clips, &mut actor.player);
    assert_eq!(warnings, []);
    let (mut hashes, mut paths) = (Vec::new(), Vec::new());
    for step in golden["script"].as_array().expect("a script") {
        for (name, value) in step["set"].as_object().into_iter().flatten() {
            let input = states.machine().input(name).expect("an input");
            let value = match value {
                Value::Bool(on) => InputValue::Boolean(*on),
                value => InputValue::Number(value.as_f64().expect("a number")),
            };
            assert!(states.set_input(input, value));
        }
        if let Some(trigger) = step["fire"].as_str() {
            let input = states.machine().input(trigger).expect("a trigger");
            assert!(states.fire(input));
        }
        states.advance(&mut actor.player, step["advance"].as_f64().expect("seconds"));
        actor.update();
        hashes.push(format!("{:016x}", pose_hash(actor.palette(), &actor.pose().weights)));
        let leaves = (0..states.machine().layers.len()).filter_map(|layer| states.path(layer).last());
        paths.push(leaves.map(|state| states.machine().path(state)).collect::<Vec<_>>());
    }
    let (hashes, paths) = (json!(hashes), json!(paths));
    if std::env::var_os("GAMBOL_BLESS").is_some() {
        (golden["hashes"], golden["states"]) = (hashes.clone(), paths.clone());
        std::fs::write(&path, format!("{golden:#}\n")).expect("the golden file can be written");
    }
    assert_eq!(golden["states"], paths);
    assert_eq!(golden["hashes"], hashes);
    let reached =
        paths.as_array().into_iter().flatten().flat_map(|step| step.as_array().into_iter().flatten());
    let reached: std::collections::BTreeSet<_> = reached.filter_map(Value::as_str).collect();
    assert_eq!(
        reached.len(),
        states.machine().states.len() - 1,
        "every state, except the machine: {reached:?}"
    );
}
