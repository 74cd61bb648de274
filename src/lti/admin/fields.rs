//! Reads the fields of a learning platform from an admin's JSON.

use std::collections::HashSet;

use domain::grade::Grade;
use domain::lti::addresses::is_origin;
use domain::lti::platform::{Deployment, Endpoints, PlatformState, ScoreForm};
use domain::lti::registration::{is_id, is_usable};
use domain::sitting::values::FieldChange;
use domain::text;
use domain::webhook_target::TargetPolicy;
use serde_json::Value;

use crate::http::fields::{Field, body};

/// Deployments that an admin may enter for one platform: a large one has one for each course.
const DEPLOYMENTS_MAX: usize = 500;
/// Origins that may frame the pages of one platform, beside its own.
const FRAME_ORIGINS_MAX: usize = 10;

body! {
    /// A platform to connect by hand. The first four fields are required.
    #[schema(examples(json!({
        "name": "Moodle", "issuer": "https://lms.school.example", "clientId": "a1B2c3", "endpoints": {
            "authorization": "https://lms.school.example/mod/lti/auth.php",
            "token": "https://lms.school.example/mod/lti/token.php",
            "jwks": "https://lms.school.example/mod/lti/certs.php",
        }, "deployments": [{ "id": "1", "state": "active" }],
    })))]
    pub struct NewPlatform with (targets: &TargetPolicy) {
        /// 1 to 200 characters.
        #[schema(min_length = 1, max_length = 200)]
        pub name: String = |field| field.parsed(text::name),
        /// An address, letter by letter as the platform writes it.
        #[schema(max_length = 255)]
        pub issuer: String = |field| field.parsed(issuer),
        #[schema(min_length = 1, max_length = 255)]
        pub client_id: String = |field| field.parsed(id),
        /// Of https, and none in the server's own network, unless the operator allows it.
        pub endpoints: Endpoints = |field| field.required_parsed(|endpoints| usable(endpoints, targets)),
        /// None if it is left out: the first launch then names one, which waits for an admin.
        #[schema(value_type = Option<Vec<Deployment>>, max_items = 500)]
        pub deployments: Vec<Deployment> = |field| Ok(field.optional_parsed(distinct)?.unwrap_or_default()),
        #[schema(value_type = Option<Vec<u8>>)]
        pub grades: Vec<Grade> = |field| Ok(field.optional_parsed(sorted)?.unwrap_or_default()),
        #[schema(value_type = Option<Vec<String>>, max_items = 10)]
        pub frame_origins: Vec<String> = |field| Ok(field.optional_parsed(origins)?.unwrap_or_default()),
        #[schema(max_length = 255)]
        pub token_audience: Option<String> = |field| field.optional_text(id),
        /// `percent` if it is left out.
        #[schema(value_type = Option<ScoreForm>)]
        pub score_form: ScoreForm = |field| Ok(field.optional_text(ScoreForm::parse)?.unwrap_or_default()),
        /// `false` if it is left out.
        #[schema(value_type = Option<bool>)]
        pub trusts_emails: bool = |field| Ok(field.optional()?.unwrap_or_default()),
        /// `false` if it is left out.
        #[schema(value_type = Option<bool>)]
        pub staff_only_choose: bool = |field| Ok(field.optional()?.unwrap_or_default()),
    }
}

body! {
    /// The fields of a platform to change. The others stay, and so do the issuer and the client id, by which it is
    /// known.
    #[schema(examples(json!({ "state": "active", "grades": [5, 6] })))]
    pub struct PlatformChange with (targets: &TargetPolicy) {
        #[schema(min_length = 1, max_length = 200)]
        pub name: Option<String> = |field| field.optional_text(text::name),
        pub state: Option<PlatformState> = |field| field.optional_text(PlatformState::parse),
        pub endpoints: Option<Endpoints> = |field| field.optional_parsed(|endpoints| usable(endpoints, targets)),
        /// All of them.
        #[schema(max_items = 500)]
        pub deployments: Option<Vec<Deployment>> = |field| field.optional_parsed(distinct),
        #[schema(value_type = Option<Vec<u8>>)]
        pub grades: Option<Vec<Grade>> = |field| field.optional_parsed(sorted),
        #[schema(max_items = 10)]
        pub frame_origins: Option<Vec<String>> = |field| field.optional_parsed(origins),
        /// Null for the address of the tokens.
        #[schema(value_type = Option<String>, max_length = 255)]
        pub token_audience: FieldChange<String> = |field| field.change(|value: &Value| id(value.as_str()?)),
        pub score_form: Option<ScoreForm> = |field| field.optional_text(ScoreForm::parse),
        pub trusts_emails: Option<bool> = Field::optional,
        pub staff_only_choose: Option<bool> = Field::optional,
    }
}

fn id(text: &str) -> Option<String> {
    is_id(text).then(|| text.to_owned())
}

/// An issuer is compared and never asked for anything, so it may be of plain http, as that of a platform on a school's
/// own network is.
fn issuer(text: &str) -> Option<String> {
    id(text).filter(|issuer| is_usable(issuer, true))
}

/// Addresses to which the server may go, and one to which browsers may be sent.
pub fn usable(endpoints: Endpoints, targets: &TargetPolicy) -> Option<Endpoints> {
    let Endpoints { authorization, token, jwks } = &endpoints;
    let are_safe =
        [authorization, token, jwks].into_iter().all(|address| is_usable(address, targets.lists_place(address)));
    let are_reached = [token, jwks].into_iter().all(|address| targets.check(address).is_ok());
    (are_safe && are_reached).then_some(endpoints)
}

/// Deployments of which each comes once; `None` if one is unusable, or if there are too many.
fn distinct(deployments: Vec<Deployment>) -> Option<Vec<Deployment>> {
    let mut known = HashSet::new();
    let are_sound = deployments.len() <= DEPLOYMENTS_MAX
        && deployments.iter().all(|deployment| is_id(&deployment.id) && known.insert(deployment.id.clone()));
    are_sound.then_some(deployments)
}

fn sorted(mut grades: Vec<Grade>) -> Option<Vec<Grade>> {
    grades.sort_unstable();
    grades.dedup();
    Some(grades)
}

fn origins(origins: Vec<String>) -> Option<Vec<String>> {
    (origins.len() <= FRAME_ORIGINS_MAX && origins.iter().all(|origin| is_origin(origin))).then_some(origins)
}

#[cfg(test)]
mod tests {
    use domain::lti::platform::DeploymentState;

    use super::*;

    fn endpoints(authorization: &str, token: &str) -> Endpoints {
        let [authorization, token, jwks] = [authorization, token, "https://lms.example/keys"].map(str::to_owned);
        Endpoints { authorization, token, jwks }
    }

    #[test]
    fn the_server_goes_to_public_addresses_of_https_unless_the_operator_says_otherwise() {
        let (open, listed) = (TargetPolicy::default(), TargetPolicy::parse("127.0.0.0/8", "").unwrap());
        assert!(usable(endpoints("https://lms.example/auth", "https://lms.example/token"), &open).is_some());
        // Only browsers go there.
        assert!(usable(endpoints("https://10.0.0.7/auth", "https://lms.example/token"), &open).is_some());
        for (authorization, token) in [
            ("https://lms.example/auth", "http://lms.example/token"),
            ("https://lms.example/auth", "https://127.0.0.1/token"),
            ("javascript:alert(1)", "https://lms.example/token"),
            ("http://lms.example/auth", "https://lms.example/token"),
        ] {
            assert!(usable(endpoints(authorization, token), &open).is_none(), "{authorization} {token}");
        }
        assert!(usable(endpoints("http://127.0.0.1:9000/auth", "http://127.0.0.1:9000/token"), &listed).is_some());
    }

    #[test]
    fn each_deployment_comes_once() {
        let deployment = |id: &str| Deployment { id: id.to_owned(), state: DeploymentState::Active };
        assert!(distinct(vec![deployment("1"), deployment("2")]).is_some());
        assert!(distinct(vec![deployment("1"), deployment("1")]).is_none() && distinct(vec![deployment("")]).is_none());
        let many = (0..=DEPLOYMENTS_MAX).map(|number| deployment(&number.to_string())).collect();
        assert!(distinct(many).is_none());
    }
}
