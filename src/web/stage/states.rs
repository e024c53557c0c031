//! State machines of actors. Their events come from [`Events`](super::events::Events) as `statechange`.

use super::layers::Layers;
use crate::import::{StatesError, read_states};
use crate::model::{InputValue, Motion, StateMachine};
use crate::viewer::{ActorId, StageError};
use crate::web::convert::{array, error, object};
use crate::web::features::feature_methods;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** A state machine that has started, with the warnings of reading it and of the model. */
export interface StatesDescription {
  readonly inputs: readonly { readonly name: string; readonly type: 'number' | 'boolean' | 'trigger' }[];
  readonly layers: readonly string[];
  /**
   * `path`: the names of the machines around it and its own, joined by `/`. `layer`: the index of its layer. `machine`: `true` for
   * a state that is a machine. `enter`, `leave`: the names of its events.
   */
  readonly states: readonly {
    readonly path: string;
    readonly layer: number;
    readonly machine: boolean;
    readonly enter?: string;
    readonly leave?: string;
  }[];
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly pointer: string }[];
}
";

feature_methods! {
    list for_states: States;
    impl Layers {
        /// Starts a state machine on an actor, in the place of the one before; nothing ends the one before.
        ///
        /// - `json`: the text of a file of the format `gambol-states`.
        ///
        /// # Errors
        /// `states/…`, with a JSON pointer. Nothing changes then.
        #[wasm_bindgen(js_name = setStates, unchecked_return_type = "StatesDescription | undefined")]
        pub fn set_states(this, actor: u32, json: Option<String>) -> Result<JsValue, JsValue> {
            let read = json.map(|json| read_states(json.as_bytes())).transpose().map_err(refused)?;
            let (machine, read_warnings) = read.unzip();
            let described = machine.as_ref().map(describe);
            let of_model = this.shared().stage_mut().set_states(ActorId::new(actor), machine)?;
            let Some(described) = described else { return Ok(JsValue::UNDEFINED) };
            let warning = |code: &str, message: String, pointer: &str| {
                object([("code", code.into()), ("message", message.into()), ("pointer", pointer.into())])
            };
            let read = read_warnings.iter().flatten();
            let read = read.map(|fault| warning(fault.code, fault.to_string(), &fault.pointer));
            let of_model = of_model.iter().map(|fault| warning(fault.code, fault.to_string(), ""));
            let [inputs, layers, states] = described;
            Ok(object([
                ("inputs", inputs),
                ("layers", layers),
                ("states", states),
                ("warnings", array(read.chain(of_model), |warning| warning)),
            ]))
        }

        /// Sets an input by its index: a number, or 0 and 1 for a boolean and a trigger. Without an index it sets the factor of
        /// the rates of all states. Has no effect without a state machine, and for a number that is not finite.
        #[wasm_bindgen(js_name = setStateInput)]
        pub fn set_state_input(this, actor: u32, input: Option<u32>, value: f64) -> Result<(), StageError> {
            let mut stage = this.shared().stage_mut();
            let Some((states, player)) = stage.states_mut(ActorId::new(actor))? else { return Ok(()) };
            let Some(input) = input else {
                states.set_speed(player, value);
                return Ok(());
            };
            let Some(old) = states.input(input as usize) else { return Ok(()) };
            states.set_input(
                input as usize,
                match old {
                    InputValue::Number(_) => InputValue::Number(value),
                    InputValue::Boolean(_) => InputValue::Boolean(value != 0.0),
                    InputValue::Trigger(_) => InputValue::Trigger(value != 0.0),
                },
            );
            Ok(())
        }
    }
}

/// The inputs, layers and states of a machine.
fn describe(machine: &StateMachine) -> [JsValue; 3] {
    let inputs = array(&machine.inputs, |input| {
        let kind = match input.value {
            InputValue::Number(_) => "number",
            InputValue::Boolean(_) => "boolean",
            InputValue::Trigger(_) => "trigger",
        };
        object([("name", input.name.as_str().into()), ("type", kind.into())])
    });
    let layers = array(&machine.layers, |layer| layer.name.as_str().into());
    let states = array(0..machine.states.len(), |index| {
        let state = &machine.states[index];
        object([
            ("path", machine.path(index).into()),
            ("layer", (machine.layer(index) as u32).into()),
            ("machine", matches!(state.motion, Motion::Machine(_)).into()),
            ("enter", state.enter.as_deref().into()),
            ("leave", state.leave.as_deref().into()),
        ])
    });
    [inputs, layers, states]
}

fn refused(fault: StatesError) -> JsValue {
    error(fault.code, &fault.to_string(), Some(&fault.pointer))
}
