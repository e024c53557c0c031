//! The table of optimised files on the site's page of figures: `www/demo/optimize.json`, which `benches/peers/optimize.mjs` writes.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::bench_page::escaped;
use crate::files;

/// The place of the table in the page.
const PLACE: &str = "<!-- sizes -->";

/// Writes the table into the page `bench.html`, in the folder of the site.
pub(crate) fn fill(site: &Path) -> Result<()> {
    let page = site.join("bench.html");
    let measured = serde_json::from_str(&files::read_text(&site.join("optimize.json"))?)
        .context("optimize.json is no JSON")?;
    files::write(&page, filled(&files::read_text(&page)?, &measured)?)
}

fn filled(page: &str, measured: &Value) -> Result<String> {
    if page.matches(PLACE).count() != 1 {
        bail!("bench.html has no place for the table of optimised files, {PLACE}");
    }
    Ok(page.replace(PLACE, &table(measured)?))
}

/// A group of rows for each model: the file, gambol with its default bound, then each tool beside gambol at the tool's error.
fn table(measured: &Value) -> Result<String> {
    let rows =
        measured["rows"].as_array().filter(|rows| !rows.is_empty()).context("optimize.json has no rows")?;
    let mut html = String::from(
        "<div class=\"scroll figures\" tabindex=\"0\" role=\"group\" aria-label=\"Optimised files\">\
         <table><caption>Bytes of files, without images</caption>\n<thead><tr><td></td>\
         <th scope=\"col\">Bytes</th><th scope=\"col\">Error</th><th scope=\"col\">Time</th>\
         <th scope=\"col\">gambol at this error</th><th scope=\"col\">Time</th></tr></thead>\n",
    );
    let mut extent = 1.0;
    let mut open = false;
    for row in rows {
        let [model, tool] = ["model", "tool"].map(|key| escaped(row[key].as_str().unwrap_or("?")));
        let own = tool == "gambol";
        if own {
            extent = number(row, "extent")?;
            if open {
                html += "</tbody>\n";
            }
            open = true;
            let before = bytes(number(row, "before")?);
            write!(
                html,
                "<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"6\">{model} <small>{before}</small></th></tr>\n"
            )?;
        }
        if !open {
            bail!("optimize.json has rows of {model} before that of gambol");
        }
        if row.get("failed").is_some() {
            writeln!(html, "<tr><th scope=\"row\">{tool}</th><td colspan=\"5\">makes no file</td></tr>")?;
            continue;
        }
        let [size, error, time] = figures(row, extent)?;
        let (start, name) =
            if own { ("<tr class=\"own\">", "gambol, default") } else { ("<tr>", tool.as_str()) };
        write!(html, "{start}<th scope=\"row\">{name}</th><td>{size}</td><td>{error}</td><td>{time}</td>")?;
        if row["gambol"].is_null() {
            html += "<td></td><td></td></tr>\n";
        } else {
            let [size, _, time] = figures(&row["gambol"], extent)?;
            writeln!(
                html,
                "<td>{size} <small>{:.2} ×</small></td><td>{time}</td></tr>",
                number(row, "ratio")?
            )?;
        }
    }
    Ok(html + "</tbody>\n</table></div>\n")
}

/// The bytes, the error as a part of the model's extent, and the time of a row.
fn figures(row: &Value, extent: f64) -> Result<[String; 3]> {
    let seconds = number(row, "seconds")?;
    let time = if seconds < 1.0 { format!("{:.0} ms", 1e3 * seconds) } else { format!("{seconds:.1} s") };
    let error = number(row, "error")? / extent;
    Ok([bytes(number(row, "bytes")?), format!("{:.2} ‰", 1e3 * error), time])
}

fn number(row: &Value, key: &str) -> Result<f64> {
    row[key].as_f64().with_context(|| format!("optimize.json: a row has no {key}: {row}"))
}

fn bytes(value: f64) -> String {
    format!("{:.1} kB", value / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn optimize_table_without_a_place_or_rows_is_an_error() {
        let row = json!({ "model": "a", "tool": "gambol", "bytes": 1, "before": 2, "error": 0.1, "extent": 1, "seconds": 1 });
        assert!(filled(PLACE, &json!({ "rows": [row] })).is_ok());
        assert!(filled("", &json!({ "rows": [row] })).is_err());
        assert!(filled(PLACE, &json!({ "rows": [] })).is_err());
        let other = json!({ "model": "a", "tool": "b", "bytes": 1, "error": 0.1, "seconds": 1 });
        assert!(filled(PLACE, &json!({ "rows": [other] })).is_err());
    }

    #[test]
    fn optimize_table_shows_sizes_at_the_same_error() -> Result<()> {
        let measured = json!({ "rows": [
            { "model": "<Fox>", "tool": "gambol", "bytes": 33588, "before": 136088, "error": 0.014, "extent": 140, "seconds": 0.576 },
            { "model": "<Fox>", "tool": "peer", "bytes": 40000, "error": 1.4, "seconds": 2.5, "ratio": 0.75,
              "gambol": { "bytes": 30000, "error": 1.4, "seconds": 0.1 } },
        ] });
        let html = table(&measured)?;
        assert!(html.contains("&lt;Fox&gt; <small>136.1 kB</small>"), "{html}");
        assert!(html.contains("<td>33.6 kB</td><td>0.10 ‰</td><td>576 ms</td>"), "{html}");
        assert!(html.contains("<td>40.0 kB</td><td>10.00 ‰</td><td>2.5 s</td><td>30.0 kB <small>0.75 ×</small></td><td>100 ms</td>"), "{html}");
        Ok(())
    }
}
