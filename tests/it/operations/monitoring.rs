//! The alarms and the dashboard of `deploy/` ask for what the server tells. Whether the alarms sound is tested by
//! `promtool`, where the services are (`deploy.rs`).

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::Value;

use crate::hall::{Hall, repository_text, yaml_document};

const ALARMS: &str = "deploy/prometheus/alerts.yml";
const CASES: &str = "deploy/prometheus/alerts_test.yml";
const DASHBOARD: &str = "deploy/grafana/examhall.json";

/// The names of all samples that a server may show, by the types that it declares.
fn samples(exposition: &str) -> BTreeSet<String> {
    let of = |line: &str| {
        let (name, kind) = line.strip_prefix("# TYPE ")?.split_once(' ')?;
        let ends: &[&str] = match kind {
            "gauge" => &[""],
            "counter" => &["_total"],
            "info" => &["_info"],
            "histogram" => &["_bucket", "_count", "_sum"],
            _ => panic!("an unknown type: {line}"),
        };
        Some(ends.iter().map(|end| format!("{name}{end}")).collect::<Vec<_>>())
    };
    exposition.lines().filter_map(of).flatten().collect()
}

fn texts(value: &Value, key: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                match inner {
                    Value::String(text) if name == key => found.push(text.clone()),
                    _ => texts(inner, key, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, key, found)),
        _ => {}
    }
}

fn dashboard() -> Value {
    serde_json::from_str(&repository_text(DASHBOARD)).unwrap()
}

/// Every expression of the alarms, of their cases and of the dashboard, with the file it is in.
fn expressions() -> Vec<(&'static str, String)> {
    let (alarms, cases) = (yaml_document(ALARMS), yaml_document(CASES));
    let mut all = Vec::new();
    for (path, value, key) in [(ALARMS, alarms, "expr"), (CASES, cases, "series"), (DASHBOARD, dashboard(), "expr")] {
        let mut found = Vec::new();
        texts(&value, key, &mut found);
        assert!(found.len() >= 20, "{path} has {} expressions", found.len());
        all.extend(found.into_iter().map(|text| (path, text)));
    }
    all
}

#[tokio::test]
async fn whatever_is_asked_for_is_told() {
    let hall = Hall::open().await;
    // Requests are counted when they have been answered.
    assert_eq!(hall.anonymous().get("/api/school").await.status, 200);
    let exposition = hall.anonymous().get("/metrics").await.text();
    let mut told = samples(&exposition);
    assert!(told.len() > 25, "{told:?}");
    // Prometheus' own, for each server that it asks, and those of servers that require a standby, or have Redis.
    told.extend(["up", "examhall_database_protected", "examhall_service_up"].map(str::to_owned));
    let name = Regex::new(r"\b([a-z_]+)\{").unwrap();
    let of_ours = Regex::new(r"\b(?:examhall|process)_[a-z_]+").unwrap();
    let value = Regex::new(r#"\b(?:kind|outcome|state)="\w+""#).unwrap();
    for (path, text) in expressions() {
        let named: BTreeSet<&str> = name
            .captures_iter(&text)
            .map(|found| found.get(1).unwrap().as_str())
            .chain(of_ours.find_iter(&text).map(|found| found.as_str()))
            .collect();
        assert!(!named.is_empty(), "{path}: {text}");
        for name in named {
            assert!(told.contains(name), "{path}: no server has {name}: {text}");
        }
        // A label that nothing has would make an alarm that never sounds.
        for label in value.find_iter(&text) {
            assert!(exposition.contains(label.as_str()), "{path}: nothing has {}: {text}", label.as_str());
        }
    }
}

#[test]
fn every_alarm_has_a_case_in_which_it_sounds_and_one_in_which_it_does_not() {
    let alarms = yaml_document(ALARMS);
    let mut names = Vec::new();
    texts(&alarms, "alert", &mut names);
    assert!(names.len() >= 20, "{names:?}");
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
    let cases = yaml_document(CASES);
    let (mut sounding, mut quiet) = (BTreeSet::new(), BTreeSet::new());
    for case in cases["tests"].as_array().unwrap().iter().flat_map(|test| test["alert_rule_test"].as_array().unwrap()) {
        let name = case["alertname"].as_str().unwrap().to_owned();
        let set = if case["exp_alerts"].as_array().unwrap().is_empty() { &mut quiet } else { &mut sounding };
        set.insert(name);
    }
    let names: BTreeSet<String> = names.into_iter().collect();
    assert_eq!((&sounding, &quiet), (&names, &names));
    for rule in alarms["groups"][0]["rules"].as_array().unwrap() {
        let severity = rule["labels"]["severity"].as_str().unwrap();
        assert!(["critical", "warning"].contains(&severity), "{rule}");
        for annotation in ["summary", "action"] {
            assert!(rule["annotations"][annotation].as_str().is_some_and(|text| text.len() > 20), "{rule}");
        }
    }
}

#[test]
fn the_panels_lie_beside_each_other() {
    let dashboard = dashboard();
    let panels = dashboard["panels"].as_array().unwrap();
    let square = |panel: &Value, name: &str| panel["gridPos"][name].as_u64().unwrap();
    let (mut ids, mut squares) = (BTreeSet::new(), BTreeSet::new());
    for panel in panels {
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{panel}");
        assert!(panel["title"].as_str().is_some_and(|title| !title.is_empty()), "{panel}");
        assert!(square(panel, "x") + square(panel, "w") <= 24, "{panel}");
        for x in square(panel, "x")..square(panel, "x") + square(panel, "w") {
            for y in square(panel, "y")..square(panel, "y") + square(panel, "h") {
                assert!(squares.insert((x, y)), "two panels lie on each other: {panel}");
            }
        }
    }
}
