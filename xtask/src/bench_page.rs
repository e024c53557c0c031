//! The site's page of figures: `www/demo/bench.html` with the tables of `www/demo/bench.json`. The command `cargo xtask
//! bench peers --publish` writes the JSON file.

use std::fmt::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::files;

/// The name of the published file, beside the page.
pub(crate) const FILE: &str = "bench.json";

/// A player that was measured.
pub(crate) struct Player {
    /// The player's part of the names of results.
    pub(crate) key: &'static str,
    name: &'static str,
}

impl Player {
    /// `true` for gambol measured with other options than the first player.
    fn is_variant(&self) -> bool {
        self.key.starts_with("gambol_")
    }
}

/// The players that are compared; the ratios are relative to the first.
pub(crate) const PLAYERS: [Player; 6] = [
    Player { key: "gambol", name: "gambol" },
    Player { key: "gambol_auto", name: "gambol, LOD" },
    Player { key: "gambol_actors", name: "gambol, actors" },
    Player { key: "three", name: "three.js" },
    Player { key: "babylon", name: "Babylon.js" },
    Player { key: "playcanvas", name: "PlayCanvas" },
];

/// A quantity that was measured.
pub(crate) struct Measure {
    /// The measure's part of the names of results.
    key: &'static str,
    pub(crate) short: &'static str,
    name: &'static str,
}

pub(crate) const MEASURES: [Measure; 5] = [
    Measure { key: "update_us", short: "animation", name: "Animation" },
    Measure { key: "submit_us", short: "frame", name: "Whole frame" },
    Measure { key: "draw_calls", short: "draw calls", name: "Draw calls" },
    Measure { key: "upload_bytes", short: "upload", name: "Upload" },
    Measure { key: "heap_mb", short: "memory", name: "Memory" },
];

/// The models, in the order of the page, with their captions.
const MODELS: [(&str, &str); 3] = [
    ("cesium_man", "CesiumMan: 19 joints, one primitive"),
    ("character", "A character of 20 joints, one primitive"),
    ("parts", "The same character in 59 primitives, each with its own material"),
];

/// The numbers of copies.
const COUNTS: [u32; 3] = [1, 100, 1000];

/// Results, for lookup by player, model, count and measure.
pub(crate) struct Figures<'a>(&'a [Value]);

impl<'a> Figures<'a> {
    pub(crate) fn new(results: &'a [Value]) -> Self {
        Self(results)
    }

    /// The pairs of model and count that were measured.
    pub(crate) fn cases(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let all = MODELS.iter().flat_map(|&(model, _)| COUNTS.map(|count| (model, count)));
        all.filter(|&(model, count)| self.value(PLAYERS[0].key, model, count, &MEASURES[0]).is_some())
    }

    pub(crate) fn cell(&self, player: &str, model: &str, count: u32, measure: &Measure) -> Cell {
        let value = self.value(player, model, count, measure);
        let first = self.value(PLAYERS[0].key, model, count, measure);
        let ratio = value.zip(first).map(|(value, first)| value / first);
        Cell {
            key: measure.key,
            value,
            ratio: ratio.filter(|ratio| player != PLAYERS[0].key && ratio.is_finite() && *ratio >= 0.0),
        }
    }

    fn value(&self, player: &str, model: &str, count: u32, measure: &Measure) -> Option<f64> {
        let name = format!("peers.{player}.{model}.{count}.{}", measure.key);
        self.0.iter().find(|result| result["name"] == name.as_str())?["value"].as_f64()
    }
}

/// A figure, and its ratio to the first player's.
pub(crate) struct Cell {
    key: &'static str,
    value: Option<f64>,
    ratio: Option<f64>,
}

impl Cell {
    fn figure(&self) -> String {
        let Some(value) = self.value else { return "–".into() };
        let (value, unit) = match self.key {
            "update_us" | "submit_us" if value >= 1e6 => (value / 1e6, " s"),
            "update_us" | "submit_us" if value >= 1e3 => (value / 1e3, " ms"),
            "update_us" | "submit_us" => (value, " µs"),
            "upload_bytes" if value >= 1e6 => (value / 1e6, " MB"),
            "upload_bytes" => (value / 1e3, " kB"),
            "heap_mb" => (value, " MB"),
            _ => return grouped(value),
        };
        format!("{}{unit}", digits(value))
    }

    fn times(&self) -> Option<String> {
        self.ratio.map(|ratio| format!("{} ×", digits(ratio)))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.times() {
            Some(times) => write!(f, "{} ({times})", self.figure()),
            None => write!(f, "{}", self.figure()),
        }
    }
}

/// A value with about three digits.
fn digits(value: f64) -> String {
    match value.abs() {
        v if v < 9.995 => format!("{value:.2}"),
        v if v < 99.95 => format!("{value:.1}"),
        _ => grouped(value),
    }
}

/// A whole number with commas between its thousands.
fn grouped(value: f64) -> String {
    let text = format!("{:.0}", value.abs());
    let mut grouped = String::from(if value <= -0.5 { "−" } else { "" });
    for (i, digit) in text.chars().enumerate() {
        if i > 0 && (text.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Writes the figures into the page, in the folder of the site.
pub(crate) fn fill(site: &Path) -> Result<()> {
    let page = site.join("bench.html");
    let published =
        serde_json::from_str(&files::read_text(&site.join(FILE))?).context("bench.json is no JSON")?;
    files::write(&page, filled(&files::read_text(&page)?, &published)?)
}

fn filled(page: &str, published: &Value) -> Result<String> {
    let mut filled = page.to_owned();
    for (place, content) in [("<!-- about -->", about(published)), ("<!-- tables -->", tables(published)?)] {
        if filled.matches(place).count() != 1 {
            bail!("bench.html has no place for its figures, {place}");
        }
        filled = filled.replace(place, &content);
    }
    Ok(filled)
}

/// A list of the players' versions, the browser, the machine and the date of the measurement.
fn about(published: &Value) -> String {
    let about = &published["about"];
    let text = |value: &Value| escaped(value.as_str().unwrap_or("?"));
    // Only the first of the three rows of gambol has a version.
    let others = PLAYERS.iter().filter(|player| !player.is_variant());
    let versions: Vec<String> =
        others.map(|player| format!("{} {}", player.name, text(&about["versions"][player.key]))).collect();
    let facts = [
        ("Players", versions.join(", ")),
        ("Browser", text(&about["browser"])),
        ("Graphics", text(&about["graphics"])),
        ("Machine", text(&about["machine"])),
        ("Date", text(&about["date"])),
    ];
    facts.iter().fold(String::new(), |mut html, (name, value)| {
        let _ = write!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        html
    })
}

/// A table for each model.
fn tables(published: &Value) -> Result<String> {
    let results = published["results"].as_array().context("bench.json has no results")?;
    let figures = Figures::new(results);
    let mut html = String::new();
    for (model, caption) in MODELS {
        let counts: Vec<u32> =
            figures.cases().filter(|&(measured, _)| measured == model).map(|(_, count)| count).collect();
        if counts.is_empty() {
            continue;
        }
        write!(
            html,
            "<div class=\"scroll figures\" tabindex=\"0\" role=\"group\" aria-label=\"{caption}\">"
        )?;
        write!(html, "<table><caption>{caption}</caption>\n<thead><tr><td></td>")?;
        for count in &counts {
            write!(html, "<th scope=\"col\">{}</th>", grouped(f64::from(*count)))?;
        }
        html += "</tr></thead>\n";
        for measure in &MEASURES {
            let columns = counts.len() + 1;
            write!(
                html,
                "<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"{columns}\">{}</th></tr>\n",
                measure.name
            )?;
            for (i, player) in PLAYERS.iter().enumerate() {
                let cells = counts.iter().map(|&count| figures.cell(player.key, model, count, measure));
                let cells: Vec<Cell> = cells.collect();
                // A variant of gambol may have no results for a model.
                if player.is_variant() && cells.iter().all(|cell| cell.value.is_none()) {
                    continue;
                }
                html += if i == 0 { "<tr class=\"own\">" } else { "<tr>" };
                write!(html, "<th scope=\"row\">{}</th>", player.name)?;
                for cell in &cells {
                    // An empty element keeps the figures aligned.
                    write!(
                        html,
                        "<td>{} <small>{}</small></td>",
                        cell.figure(),
                        cell.times().unwrap_or_default()
                    )?;
                }
                html += "</tr>\n";
            }
            html += "</tbody>\n";
        }
        html += "</table></div>\n";
    }
    if html.is_empty() {
        bail!("bench.json has no figures of any model");
    }
    Ok(html)
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PAGE: &str = "<dl><!-- about --></dl><!-- tables -->";

    #[test]
    fn bench_page_without_a_marker_or_figures_is_an_error() {
        let results = json!([{ "name": "peers.gambol.character.1.update_us", "value": 1.0 }]);
        let good = json!({ "about": {}, "results": results });
        assert!(filled(PAGE, &good).is_ok());
        assert!(filled("<!-- about -->", &good).is_err());
        assert!(filled(PAGE, &json!({ "about": {} })).is_err());
        assert!(filled(PAGE, &json!({ "about": {}, "results": [] })).is_err());
    }

    #[test]
    fn bench_page_shows_figures_with_their_ratio_to_the_first() -> Result<()> {
        let of = |player: &str, what: &str, value: f64| json!({ "name": format!("peers.{player}.parts.1000.{what}"), "value": value });
        let published = json!({
            "about": { "machine": "<a & b>", "versions": { "three": "1.2.3" } },
            "results": [
                of("gambol", "update_us", 250.0), of("three", "update_us", 20_000.0), of("playcanvas", "update_us", 2.5e6),
                of("gambol", "draw_calls", 59.0), of("three", "draw_calls", 59_000.0),
                of("gambol", "heap_mb", 0.0), of("three", "heap_mb", 12.34),
            ],
        });
        let html = filled(PAGE, &published)?;
        assert!(html.contains("<td>250 µs <small></small></td>"), "{html}");
        assert!(html.contains("<td>20.0 ms <small>80.0 ×</small></td>"), "{html}");
        assert!(html.contains("<td>2.50 s <small>10,000 ×</small></td>"), "{html}");
        assert!(html.contains("<td>59,000 <small>1,000 ×</small></td>"), "{html}");
        // A ratio to zero is empty, and a dash stands for a missing figure.
        assert!(html.contains("<td>12.3 MB <small></small></td>"), "{html}");
        assert!(html.contains("<th scope=\"row\">Babylon.js</th><td>– <small></small></td>"), "{html}");
        assert!(html.contains("&lt;a &amp; b&gt;") && html.contains("three.js 1.2.3"), "{html}");
        // Only counts with results have a column.
        assert_eq!(html.matches("scope=\"col\"").count(), 1, "{html}");
        Ok(())
    }

    #[test]
    fn bench_page_numbers_are_short() {
        assert_eq!(
            [0.5, 9.996, 12.34, 100.4, 1234.0, 1_234_567.0].map(digits),
            ["0.50", "10.0", "12.3", "100", "1,234", "1,234,567"]
        );
        assert_eq!(grouped(-12.0), "−12");
    }
}
