//! An independent, plain implementation of state machines: machines contain each other, times count up, and nothing is
//! cached. See docs/design/states.md for the rules.

/// A machine with the states and transitions of its own.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    pub(crate) initial: usize,
    pub(crate) states: Vec<(String, Motion)>,
    pub(crate) transitions: Vec<Transition>,
}

#[derive(Debug, Clone)]
pub(crate) enum Motion {
    Nothing,
    /// The clip, its segment, and the way it plays.
    Clip(usize, Option<[f64; 2]>, Way),
    /// Clips at positions, and the inputs.
    Blend(Vec<(usize, [f64; 2])>, Vec<usize>, Way),
    Machine(Box<Machine>),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    pub(crate) rate: f64,
    pub(crate) looped: &'static str,
}

#[derive(Debug, Clone)]
pub(crate) struct Transition {
    /// `None` for any state.
    pub(crate) from: Option<usize>,
    pub(crate) to: usize,
    pub(crate) when: Vec<(usize, &'static str, Value)>,
    /// The exit time, and `true` for seconds.
    pub(crate) exit: Option<(f64, bool)>,
    pub(crate) duration: f64,
    pub(crate) mode: &'static str,
    pub(crate) interruption: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value {
    Number(f64),
    Boolean(bool),
    Trigger(bool),
}

/// A machine that runs, with the one inside its state.
#[derive(Debug, Clone)]
struct Running {
    state: usize,
    passes: f64,
    begun: Option<Begun>,
    inner: Option<Box<Running>>,
}

/// A transition that has begun, and the seconds that it still takes.
#[derive(Debug, Clone, Copy)]
struct Begun {
    transition: usize,
    source: usize,
    source_passes: f64,
    left: f64,
}

/// A possible transition: seconds from now, the depth of its machine, and the state that it leaves.
#[derive(Debug, Clone, Copy)]
struct Possible {
    wait: f64,
    depth: usize,
    transition: usize,
    source: usize,
    /// `true` if the state is the source of the transition that this one interrupts.
    by_source: bool,
}

/// A number that goes smoothly from one value to another.
#[derive(Debug, Clone, Copy)]
struct Fade {
    from: f64,
    to: f64,
    begin: f64,
    length: f64,
}

impl Fade {
    fn still(value: f64) -> Self {
        Self { from: value, to: value, begin: 0.0, length: 0.0 }
    }

    fn at(self, time: f64) -> f64 {
        let s = (time - self.begin) / self.length;
        if self.length == 0.0 || s >= 1.0 {
            return self.to;
        }
        self.from + (self.to - self.from) * s * s * (3.0 - 2.0 * s)
    }
}

/// A layer: its machine, and the things that it shows.
#[derive(Debug, Clone)]
struct Layer {
    running: Running,
    full: f64,
    weight: Fade,
    /// The current clips, and those that fade out with their shares.
    shown: Vec<(usize, f64)>,
    fading: Vec<(Vec<(usize, f64)>, f64)>,
    share: Fade,
}

#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) machines: Vec<Machine>,
    pub(crate) inputs: Vec<Value>,
    pub(crate) speed: f64,
    pub(crate) time: f64,
    /// Entered or left, the layer, the path and the time.
    pub(crate) events: Vec<(bool, usize, String, f64)>,
    pub(crate) looped: bool,
    lengths: Vec<f64>,
    layers: Vec<Layer>,
    moved: bool,
}

impl Model {
    pub(crate) fn new(machines: Vec<Machine>, weights: &[f64], inputs: Vec<Value>, lengths: &[f64]) -> Self {
        let nowhere = Running { state: 0, passes: 0.0, begun: None, inner: None };
        let layer = |&full: &f64| Layer {
            running: nowhere.clone(),
            full,
            weight: Fade::still(0.0),
            shown: Vec::new(),
            fading: Vec::new(),
            share: Fade::still(1.0),
        };
        let (layers, lengths) = (weights.iter().map(layer).collect(), lengths.to_vec());
        let (events, looped, moved) = (Vec::new(), false, false);
        let mut model =
            Self { machines, inputs, speed: 1.0, time: 0.0, events, looped, lengths, layers, moved };
        for i in 0..model.machines.len() {
            let machine = model.machines[i].clone();
            model.layers[i].running = model.entered(i, &machine, machine.initial, "");
        }
        for i in 0..model.machines.len() {
            model.show(i, "cut", 0.0);
        }
        model
    }

    /// Enters a state of a machine whose path begins with `above`.
    fn entered(&mut self, layer: usize, machine: &Machine, state: usize, above: &str) -> Running {
        let (name, motion) = &machine.states[state];
        let path = format!("{above}{name}");
        self.events.push((true, layer, path.clone(), self.time));
        let inner = match motion {
            Motion::Machine(machine) => {
                Some(Box::new(self.entered(layer, machine, machine.initial, &format!("{path}/"))))
            }
            _ => None,
        };
        Running { state, passes: 0.0, begun: None, inner }
    }

    fn left(&mut self, layer: usize, machine: &Machine, running: &Running, above: &str) {
        let (name, motion) = &machine.states[running.state];
        let path = format!("{above}{name}");
        if let (Motion::Machine(machine), Some(inner)) = (motion, &running.inner) {
            self.left(layer, machine, inner, &format!("{path}/"));
        }
        self.events.push((false, layer, path, self.time));
    }

    pub(crate) fn path(&self, layer: usize) -> String {
        let (mut machine, mut running) = (&self.machines[layer], &self.layers[layer].running);
        let mut path = String::new();
        loop {
            let (name, motion) = &machine.states[running.state];
            path += name;
            match (motion, &running.inner) {
                (Motion::Machine(below), Some(inner)) => (machine, running) = (below, inner),
                _ => return path,
            }
            path += "/";
        }
    }

    /// The innermost motion of a layer, and its passes.
    fn leaf(&self, layer: usize) -> (&Motion, f64) {
        let (mut machine, mut running) = (&self.machines[layer], &self.layers[layer].running);
        loop {
            match (&machine.states[running.state].1, &running.inner) {
                (Motion::Machine(below), Some(inner)) => (machine, running) = (below, inner),
                (motion, _) => return (motion, running.passes),
            }
        }
    }

    /// The clips of a motion with their weights.
    fn clips(&self, motion: &Motion) -> Vec<(usize, f64)> {
        let (points, inputs) = match motion {
            Motion::Clip(clip, ..) => return vec![(*clip, 1.0)],
            Motion::Blend(points, inputs, _) => (points, inputs),
            _ => return Vec::new(),
        };
        let mut at = [0.0; 2];
        for (coordinate, &input) in at.iter_mut().zip(inputs) {
            if let Value::Number(number) = self.inputs[input] {
                *coordinate = number;
            }
        }
        let mut weights: Vec<f64> = Vec::new();
        for (i, (_, here)) in points.iter().enumerate() {
            let mut weight = 1.0_f64;
            for (_, (_, there)) in points.iter().enumerate().filter(|(j, _)| *j != i) {
                let way = [there[0] - here[0], there[1] - here[1]];
                let along = (at[0] - here[0]) * way[0] + (at[1] - here[1]) * way[1];
                weight = weight.min((1.0 - along / (way[0] * way[0] + way[1] * way[1])).clamp(0.0, 1.0));
            }
            weights.push(weight);
        }
        let sum: f64 = weights.iter().sum();
        points.iter().zip(&weights).map(|((clip, _), weight)| (*clip, weight / sum)).collect()
    }

    /// Seconds of the clip in a pass.
    fn length(&self, motion: &Motion) -> f64 {
        match motion {
            Motion::Clip(_, Some([begin, end]), _) => end - begin,
            Motion::Clip(clip, None, _) => self.lengths[*clip],
            Motion::Blend(..) => {
                self.clips(motion).iter().map(|(clip, weight)| self.lengths[*clip] * weight).sum()
            }
            _ => 1.0,
        }
    }

    /// Seconds of a pass.
    fn pace(&self, motion: &Motion) -> f64 {
        match motion {
            Motion::Clip(_, _, way) | Motion::Blend(_, _, way) => {
                self.length(motion) / (way.rate * self.speed).abs()
            }
            _ => 1.0,
        }
    }

    /// The time of the clip that a layer shows.
    pub(crate) fn clip_time(&self, layer: usize) -> f64 {
        let (motion, passes) = self.leaf(layer);
        let (begin, way) = match motion {
            Motion::Clip(_, segment, way) => (segment.map_or(0.0, |[begin, _]| begin), way),
            Motion::Blend(_, _, way) => (0.0, way),
            _ => return 0.0,
        };
        let into = if way.looped == "once" { passes.min(1.0) } else { passes.fract() };
        let turned = way.looped == "pingpong" && passes.floor() % 2.0 == 1.0;
        let fraction = if (way.rate * self.speed < 0.0) != turned { 1.0 - into } else { into };
        begin + fraction * self.length(motion)
    }

    /// The weight of a layer, and the weight of each clip in it.
    pub(crate) fn weights(&self, layer: usize, clips: usize) -> (f64, Vec<f64>) {
        let layer = &self.layers[layer];
        let share = layer.share.at(self.time);
        let mut weights = vec![0.0; clips];
        let fading = layer.fading.iter().filter(|_| share < 1.0);
        let all = fading.map(|(source, old)| (source, old * (1.0 - share)));
        for (source, share) in all.chain([(&layer.shown, share)]) {
            for (clip, weight) in source {
                weights[*clip] += weight * share;
            }
        }
        (layer.weight.at(self.time), weights)
    }

    /// Shows the innermost state of a layer.
    fn show(&mut self, i: usize, mode: &str, duration: f64) {
        let source = self.clips(self.leaf(i).0);
        let (time, fades) = (self.time, mode == "crossfade" && self.moved);
        let fade = |from: f64, to: f64| match fades {
            true => Fade { from, to, begin: time, length: duration },
            false => Fade::still(to),
        };
        let layer = &mut self.layers[i];
        let weight = layer.weight.at(time);
        if source.is_empty() {
            layer.weight = fade(weight, 0.0);
            return;
        }
        let appears = layer.weight.to != layer.full;
        if appears {
            layer.weight = fade(weight, layer.full);
        }
        if fades && !appears {
            let share = layer.share.at(time);
            if share >= 1.0 {
                layer.fading.clear();
            }
            for (_, old) in &mut layer.fading {
                *old *= 1.0 - share;
            }
            layer.fading.retain(|(_, share)| *share > 0.0);
            layer.fading.push((std::mem::take(&mut layer.shown), share));
            // A player keeps 16 sources that fade out.
            if layer.fading.len() > 16 {
                let least = layer.fading.iter().map(|(_, share)| *share).fold(f64::INFINITY, f64::min);
                let place = layer.fading.iter().position(|(_, share)| *share == least);
                layer.fading.remove(place.expect("it is in the list"));
                for (_, share) in &mut layer.fading {
                    *share /= 1.0 - least;
                }
            }
            layer.share = fade(0.0, 1.0);
        } else {
            layer.fading.clear();
            layer.share = Fade::still(1.0);
        }
        layer.shown = source;
    }

    /// The blend spaces that are shown follow their inputs.
    pub(crate) fn inputs_changed(&mut self) {
        for i in 0..self.layers.len() {
            let source = self.clips(self.leaf(i).0);
            if !source.is_empty() {
                self.layers[i].shown = source;
            }
        }
    }

    fn holds(&self, transition: &Transition) -> bool {
        transition.when.iter().all(|(input, op, than)| match (self.inputs[*input], *than) {
            (Value::Number(a), Value::Number(b)) => match *op {
                "<" => a < b,
                "<=" => a <= b,
                ">" => a > b,
                ">=" => a >= b,
                "==" => a == b,
                _ => a != b,
            },
            (Value::Boolean(a), Value::Boolean(b)) => (a == b) == (*op == "=="),
            (Value::Trigger(fired), _) => fired,
            _ => unreachable!("an input of another kind"),
        })
    }

    /// The seconds to the first time at which a transition of a state is possible, from `later` seconds on.
    fn wait(&self, transition: &Transition, motion: &Motion, passes: f64, later: f64) -> Option<f64> {
        if !self.holds(transition) {
            return None;
        }
        let Some((exit, seconds)) = transition.exit else { return Some(later) };
        let exit = if seconds { exit / self.length(motion) } else { exit };
        let pace = self.pace(motion);
        let then = passes + later / pace;
        let ends = match motion {
            Motion::Clip(_, _, way) | Motion::Blend(_, _, way) => way.looped == "once",
            _ => true,
        };
        let mut due = exit;
        while !ends && due < then {
            due += 1.0;
        }
        Some(if due <= then { later } else { (due - passes) * pace })
    }

    fn possible(&self, machine: &Machine, running: &Running, depth: usize, list: &mut Vec<Possible>) {
        let motion = |state: usize| &machine.states[state].1;
        let begun = running.begun.filter(|begun| begun.left > 0.0);
        let rule = begun.map_or("target", |begun| machine.transitions[begun.transition].interruption);
        let left = begun.map_or(0.0, |begun| begun.left);
        let mut add = |from: Option<usize>, source: usize, passes: f64, later: f64, until: f64| {
            for (i, transition) in machine.transitions.iter().enumerate() {
                let own = begun.is_some_and(|begun| begun.transition == i && until.is_finite());
                if transition.from != from || own || from.is_none() && transition.to == source {
                    continue;
                }
                if let Some(wait) = self.wait(transition, motion(source), passes, later)
                    && wait < until
                {
                    list.push(Possible { wait, depth, transition: i, source, by_source: until.is_finite() });
                }
            }
        };
        let (state, passes) = (running.state, running.passes);
        add(None, state, passes, if rule == "none" { left } else { 0.0 }, f64::INFINITY);
        let orders: &[&str] = match rule {
            "target-then-source" => &["target", "source"],
            "source" | "source-then-target" => &["source", "target"],
            _ => &["target"],
        };
        for order in orders {
            match (*order, begun) {
                ("source", Some(begun)) => {
                    add(Some(begun.source), begun.source, begun.source_passes, 0.0, begun.left);
                }
                _ => {
                    let later = if rule.contains("target") { 0.0 } else { left };
                    add(Some(state), state, passes, later, f64::INFINITY);
                }
            }
        }
        if let (Motion::Machine(below), Some(inner)) = (motion(state), &running.inner) {
            self.possible(below, inner, depth + 1, list);
        }
    }

    fn run(&self, machine: &Machine, running: &mut Running, dt: f64) {
        let pace = |state: usize| self.pace(&machine.states[state].1);
        running.passes += dt / pace(running.state);
        if let Some(begun) = &mut running.begun {
            begun.source_passes += dt / pace(begun.source);
            begun.left -= dt;
        }
        if let (Motion::Machine(below), Some(inner)) = (&machine.states[running.state].1, &mut running.inner)
        {
            self.run(below, inner, dt);
        }
    }

    fn pass(&mut self, dt: f64) {
        for i in 0..self.machines.len() {
            let mut running = self.layers[i].running.clone();
            self.run(&self.machines[i], &mut running, dt);
            self.layers[i].running = running;
        }
        self.time += dt;
        self.moved |= dt > 0.0;
    }

    pub(crate) fn advance(&mut self, dt: f64) {
        let mut left = dt;
        let mut count = 0;
        self.looped = false;
        loop {
            let mut best: Option<(usize, Possible)> = None;
            for (i, machine) in self.machines.iter().enumerate() {
                let mut list = Vec::new();
                self.possible(machine, &self.layers[i].running, 0, &mut list);
                for possible in list {
                    if best.is_none_or(|(_, best)| possible.wait < best.wait) {
                        best = Some((i, possible));
                    }
                }
            }
            let Some((layer, possible)) = best.filter(|(_, best)| best.wait <= left) else { break };
            if count == 32 {
                self.looped = true;
                break;
            }
            count += 1;
            // The source of an interruption goes on until then.
            self.pass(possible.wait);
            left -= possible.wait;
            self.take(layer, &possible);
        }
        self.pass(left);
    }

    fn take(&mut self, layer: usize, possible: &Possible) {
        let machine = self.machines[layer].clone();
        let mut running = self.layers[layer].running.clone();
        let (mut here, mut level, mut above) = (&machine, &mut running, String::new());
        for _ in 0..possible.depth {
            let (name, Motion::Machine(below)) = &here.states[level.state] else { unreachable!("a machine") };
            above += &format!("{name}/");
            (here, level) = (below, level.inner.as_mut().expect("the machine runs"));
        }
        let transition = &here.transitions[possible.transition];
        for (input, _, _) in &transition.when {
            if let Value::Trigger(fired) = &mut self.inputs[*input] {
                *fired = false;
            }
        }
        self.left(layer, here, level, &above);
        let begun = level.begun.filter(|_| possible.by_source);
        let source_passes = begun.map_or(level.passes, |begun| begun.source_passes);
        let mut next = self.entered(layer, here, transition.to, &above);
        next.begun = (transition.duration > 0.0).then_some(Begun {
            transition: possible.transition,
            source: possible.source,
            source_passes,
            left: transition.duration,
        });
        *level = next;
        self.layers[layer].running = running;
        let (mode, duration) = (transition.mode, transition.duration);
        self.show(layer, mode, duration);
    }
}
