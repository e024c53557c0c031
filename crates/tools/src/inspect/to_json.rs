//! Reports as JSON, for the command line and for JavaScript.

use super::finding::{Finding, Fix, PatchStep, Report};
use gambol_gltf::json;
use gambol_gltf::json::{Map, Value};

impl Report {
    /// The report as JSON, with the names of the type `InspectReport` of the npm package.
    pub fn to_json(&self) -> Value {
        let findings: Vec<Value> = self.findings.iter().map(finding).collect();
        let summary = &self.summary;
        json!({
            "findings": findings,
            "summary": {
                "errors": summary.errors,
                "warnings": summary.warnings,
                "infos": summary.infos,
                "clips": summary.clips,
                "channels": summary.channels,
                "keys": summary.keys,
                "joints": summary.joints,
            },
        })
    }
}

fn finding(finding: &Finding) -> Value {
    let values = finding.values.iter().map(|measure| {
        (measure.name.to_owned(), json!({ "value": measure.value, "unit": measure.unit.symbol() }))
    });
    let mut object = Map::new();
    let mut set = |name: &str, value: Value| _ = object.insert(name.to_owned(), value);
    set("code", finding.code.into());
    set("severity", finding.severity.name().into());
    set("message", finding.message.as_str().into());
    set("pointer", finding.pointer.as_str().into());
    // Members without a value are left out.
    for (name, index) in [("clip", finding.clip), ("node", finding.node)] {
        if let Some(index) = index {
            set(name, index.into());
        }
    }
    set("nodes", finding.nodes.as_slice().into());
    if let Some(time) = finding.time {
        set("time", time.into());
    }
    set("values", Value::Object(values.collect()));
    if let Some(given) = &finding.fix {
        set("fix", fix(given));
    }
    if let Some(plot) = &finding.plot {
        set("plot", json!({ "unit": plot.unit.symbol(), "times": &plot.times, "values": &plot.values }));
    }
    set("trail", json!(&finding.trail));
    Value::Object(object)
}

fn fix(fix: &Fix) -> Value {
    let patch = fix.patch.iter().map(|step| match step {
        PatchStep::Remove(path) => json!({ "op": "remove", "path": path }),
        PatchStep::Replace(path, value) => json!({ "op": "replace", "path": path, "value": value }),
    });
    json!({ "description": &fix.description, "optimize": fix.optimize, "patch": patch.collect::<Vec<Value>>() })
}
