//! The files by which containers run: they set options that the server has, give it no rights that it does not need,
//! and name what is there. No test starts a container.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::hall::{names_set, option_names, repository, repository_text, yaml, yaml_document};

const COMPOSE: &str = "deploy/compose.yaml";
const MANIFESTS: &str = "deploy/kubernetes";

fn assert_options(path: &str, names: &BTreeSet<String>) {
    let options = option_names();
    let unknown: Vec<&String> = names.difference(&options).collect();
    assert!(unknown.is_empty() && !names.is_empty(), "{path} sets {unknown:?}, which is no option of the server");
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

fn compose() -> Value {
    yaml_document(COMPOSE)
}

#[test]
fn the_examples_of_settings_have_options_of_the_server() {
    assert_options("deploy/environment", &names_set("deploy/environment"));
    assert_options("deploy/kubernetes/options.env", &names_set("deploy/kubernetes/options.env"));
    let secret = yaml_document("deploy/kubernetes/secret.example.yaml");
    assert_options("deploy/kubernetes/secret.example.yaml", &keys(&secret["stringData"]));
    let compose = compose();
    for hall in ["hall1", "hall2", "tools"] {
        assert_options(COMPOSE, &keys(&compose["services"][hall]["environment"]));
    }
}

#[test]
fn compose_asks_for_what_its_example_has() {
    let asked = regex::Regex::new(r"\$\{([A-Z_]+)").unwrap();
    let text = repository_text(COMPOSE);
    let asked: BTreeSet<String> = asked.captures_iter(&text).map(|found| found[1].to_owned()).collect();
    let example = names_set("deploy/compose/example.env");
    assert!(example.is_subset(&asked), "nobody reads {:?}", example.difference(&asked));
    let required = regex::Regex::new(r"\$\{([A-Z_]+):\?").unwrap();
    let required: BTreeSet<String> = required.captures_iter(&text).map(|found| found[1].to_owned()).collect();
    assert!(required.contains("AUTH_SECRET") && required.is_subset(&example), "{required:?}");
}

#[test]
fn both_servers_of_compose_are_alike() {
    let compose = compose();
    let services = &compose["services"];
    for field in ["image", "environment", "networks", "ulimits", "stop_grace_period", "tmpfs"] {
        assert!(!services["hall1"][field].is_null(), "{field}");
        assert_eq!(services["hall1"][field], services["hall2"][field], "{field}");
    }
    let settings = &services["hall1"]["environment"];
    let proxy = services["proxy"]["networks"]["front"]["ipv4_address"].as_str().unwrap();
    assert_eq!(settings["TRUSTED_PROXIES"], format!("{proxy}/32"));
    let prometheus = services["prometheus"]["networks"]["front"]["ipv4_address"].as_str().unwrap();
    assert_eq!(settings["METRICS_NETWORKS"], format!("{prometheus}/32"));
}

#[test]
fn containers_have_no_rights_to_spare() {
    let compose = compose();
    for (name, service) in compose["services"].as_object().unwrap() {
        assert_eq!(service["read_only"], true, "{name}");
        assert_eq!(service["cap_drop"], json!(["ALL"]), "{name}");
        assert_eq!(service["security_opt"], json!(["no-new-privileges:true"]), "{name}");
        let image = service["image"].as_str().unwrap();
        let is_built = !service["build"].is_null();
        assert!(is_built || image.contains(':') && !image.ends_with(":latest"), "{name}: {image} names no version");
        for volume in service["volumes"].as_array().into_iter().flatten().map(|volume| volume.as_str().unwrap()) {
            let source = volume.split(':').next().unwrap();
            // The school's own certificate, or a volume.
            let is_own = source == "./compose/exam.pem" || compose["volumes"].as_object().unwrap().contains_key(source);
            assert!(is_own || repository("deploy").join(source).exists(), "{name}: {source} is not there");
        }
    }
    assert_eq!(compose["networks"]["back"]["internal"], true);
    for name in ["monitor", "db1", "db2", "redis"] {
        assert_eq!(compose["services"][name]["networks"], json!(["back"]), "{name} has no password");
        assert!(compose["services"][name]["ports"].is_null(), "{name} is reached by nobody else");
    }
}

#[test]
fn the_image_runs_for_a_user_without_rights_and_asks_itself() {
    let text = repository_text("Dockerfile");
    let (_, server) = text.rsplit_once("\nFROM ").unwrap();
    assert!(server.lines().next().unwrap().ends_with(" AS server"), "the last stage is the default");
    for line in ["USER 65532:65532", "STOPSIGNAL SIGTERM", r#"ENTRYPOINT ["/usr/local/bin/examhall"]"#] {
        assert!(server.lines().any(|found| found == line), "{line}");
    }
    assert!(server.contains(r#"CMD ["/usr/local/bin/examhall", "health"]"#), "it has no other program");
    assert!(!text.contains(":latest"));
    let version = repository_text("Cargo.toml");
    let rust = version.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap().trim_matches('"');
    assert!(text.contains(&format!("FROM rust:{rust}-")), "the image is built by Rust {rust}");
}

fn kustomization() -> Value {
    yaml_document(&format!("{MANIFESTS}/kustomization.yaml"))
}

/// Every object of the manifests, with its file.
fn objects() -> Vec<(String, Value)> {
    let kustomization = kustomization();
    let mut found = Vec::new();
    for resource in kustomization["resources"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()) {
        let file = if resource == "secret.yaml" { "secret.example.yaml" } else { resource };
        let path = format!("{MANIFESTS}/{file}");
        found.extend(yaml(&path).into_iter().map(|object| (path.clone(), object)));
    }
    found
}

#[test]
fn every_manifest_is_used_and_names_what_is_there() {
    let objects = objects();
    let named = |kind: &str, name: &str| {
        objects.iter().any(|(_, object)| object["kind"] == kind && object["metadata"]["name"] == name)
    };
    for (path, object) in &objects {
        assert!(object["apiVersion"].is_string() && object["metadata"]["name"].is_string(), "{path}: {object}");
    }
    let used: BTreeSet<&str> = objects.iter().map(|(path, _)| path.as_str()).collect();
    for entry in std::fs::read_dir(repository(MANIFESTS)).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_other = ["kustomization.yaml", "options.env", "secret.yaml"].contains(&name.as_str());
        assert!(
            is_other || used.contains(format!("{MANIFESTS}/{name}").as_str()),
            "{name} is not in kustomization.yaml"
        );
    }
    let pod = pod_of(&objects, "examhall");
    let sources = &pod["containers"][0]["envFrom"];
    let secret = sources[1]["secretRef"]["name"].as_str().unwrap();
    assert!(named("Secret", secret), "{sources}");
    assert_eq!(sources[0]["configMapRef"]["name"], kustomization()["configMapGenerator"][0]["name"]);
    let ingress = objects.iter().find(|(_, object)| object["kind"] == "Ingress").unwrap();
    let service = &ingress.1["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]["name"];
    assert!(named("Service", service.as_str().unwrap()));
}

fn pod_of<'a>(objects: &'a [(String, Value)], name: &str) -> &'a Value {
    let is_it = |object: &Value| object["kind"] == "Deployment" && object["metadata"]["name"] == name;
    &objects.iter().find(|(_, object)| is_it(object)).unwrap().1["spec"]["template"]["spec"]
}

#[test]
fn pods_have_no_rights_to_spare_and_are_asked_the_right_question() {
    let objects = objects();
    for name in ["examhall", "redis"] {
        let pod = pod_of(&objects, name);
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true, "{name}");
        assert_eq!(pod["automountServiceAccountToken"], false, "{name}");
        let container = &pod["containers"][0]["securityContext"];
        assert_eq!(container["readOnlyRootFilesystem"], true, "{name}");
        assert_eq!(container["allowPrivilegeEscalation"], false, "{name}");
        assert_eq!(container["capabilities"]["drop"], json!(["ALL"]), "{name}");
    }
    let server = &pod_of(&objects, "examhall")["containers"][0];
    // A server that is killed because the database is away loses what it keeps for it.
    assert_eq!(server["livenessProbe"]["httpGet"]["path"], "/healthz");
    assert_eq!(server["startupProbe"]["httpGet"]["path"], "/healthz");
    assert_eq!(server["readinessProbe"]["httpGet"]["path"], "/readyz");
    let grace = pod_of(&objects, "examhall")["terminationGracePeriodSeconds"].as_u64().unwrap();
    assert!(grace >= 40 + server["lifecycle"]["preStop"]["sleep"]["seconds"].as_u64().unwrap());
}

#[test]
fn the_proxy_of_compose_is_the_deployed_one() {
    let rules = |path: &str| {
        let text = repository_text(path);
        let (_, frontend) = text.split_once("frontend exams\n").unwrap();
        let lines = frontend.lines().take_while(|line| !line.is_empty()).filter(|line| !line.contains(" bind "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(rules("deploy/haproxy.cfg").len() > 5);
    assert_eq!(rules("deploy/compose/haproxy.cfg"), rules("deploy/haproxy.cfg"));
}

#[test]
fn a_release_is_tested_before_it_is_built_and_may_write_in_one_job() {
    let workflow = yaml_document(".github/workflows/release.yml");
    assert_eq!(workflow["permissions"], json!({ "contents": "read" }));
    let jobs = workflow["jobs"].as_object().unwrap();
    assert!(jobs["tests"]["steps"].as_array().unwrap().iter().any(|step| step["run"] == ".ci/run"));
    assert_eq!(jobs["binaries"]["needs"], "tests");
    assert_eq!(jobs["draft"]["needs"], "binaries");
    let writing = jobs.values().filter(|job| job["permissions"]["contents"] == "write").count();
    assert_eq!(writing, 1);
}
