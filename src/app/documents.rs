//! The OpenAPI documents of the API and of the provider contract, and the routes that they describe.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use actix_web::App;
use actix_web::web::{Data, ServiceConfig};
use utoipa_actix_web::AppExt;

use super::parameters::{self, KnownParameters};
use super::refusals;
use super::routes::routes;
use crate::config::Config;
use crate::error::Error;
use crate::http::fallback::KnownRoutes;
use crate::http::openapi::complete::complete;
use crate::http::openapi::{self, Document};
use crate::http::refusal::RefusalShape;
use crate::live::asyncapi::{self, SocketsDocument};
use crate::live::shapes;
use crate::provider_api::document::{self, ContractDocument};
use crate::provider_api::{self, ROOT};

/// The documents that this process has made, by the public address and by whether other servers have their data from
/// here. They depend on nothing else, so a process whose tests start a thousand servers makes them once.
static MADE: Mutex<BTreeMap<(String, bool), Documents>> = Mutex::new(BTreeMap::new());

#[derive(Clone)]
pub(super) struct Documents {
    api: Data<Document>,
    contract: Data<ContractDocument>,
    sockets: Data<SocketsDocument>,
    routes: Data<KnownRoutes>,
    parameters: Data<KnownParameters>,
}

impl Documents {
    /// Hands them to one worker's app.
    pub(super) fn provide(&self, config: &mut ServiceConfig) {
        config
            .app_data(self.api.clone())
            .app_data(self.contract.clone())
            .app_data(self.sockets.clone())
            .app_data(self.routes.clone())
            .app_data(self.parameters.clone())
            .app_data(Data::new(RefusalShape(refusals::answer)));
    }

    pub(super) fn of(config: &Config) -> Result<Self, Error> {
        let key = (config.server.auth_url.clone(), config.provider_key.is_some());
        let mut all = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = all.get(&key) {
            return Ok(made.clone());
        }
        let made = Self::make(&key.0, key.1)?;
        all.insert(key, made.clone());
        Ok(made)
    }

    fn make(address: &str, serves_contract: bool) -> Result<Self, Error> {
        let (_, mut api) =
            App::new().into_utoipa_app().openapi(openapi::base(address)).configure(routes).split_for_parts();
        let (_, mut contract) =
            App::new().into_utoipa_app().openapi(document::base()).configure(provider_api::routes).split_for_parts();
        parameters::describe(&mut api);
        refusals::describe(&mut api);
        for document in [&mut api, &mut contract] {
            shapes::complete(document.components.get_or_insert_default());
            complete(document);
        }
        let served = serves_contract.then_some((ROOT, &contract));
        Ok(Self {
            routes: Data::new(KnownRoutes::of(&[("", &api)].into_iter().chain(served).collect::<Vec<_>>())),
            parameters: Data::new(KnownParameters::of(&api)),
            contract: Data::new(ContractDocument(contract.to_json()?)),
            sockets: Data::new(SocketsDocument(asyncapi::document(address)?)),
            api: Data::new(Document(api.to_json()?)),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::http::audit::{AUDITED, READ};

    #[test]
    fn every_change_by_admins_and_managers_is_audited() {
        let (_, document) = App::new()
            .into_utoipa_app()
            .openapi(openapi::base("https://exam.example"))
            .configure(routes)
            .split_for_parts();
        let document: Value = serde_json::to_value(&document).unwrap();
        let routes: BTreeSet<(String, String)> = document["paths"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(path, item)| {
                item.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone()))
            })
            .collect();
        let audited: BTreeSet<(String, String)> =
            AUDITED.iter().map(|route| (route.method.to_owned(), route.path.to_owned())).collect();
        assert_eq!(audited.difference(&routes).next(), None, "a route that does not exist is audited");
        assert_eq!(audited.len(), AUDITED.len(), "a route is audited twice");
        let read: BTreeSet<(String, String)> =
            READ.iter().map(|route| (route.method.to_owned(), route.path.to_owned())).collect();
        assert_eq!(read.difference(&routes).next(), None, "a road that does not exist is audited");
        // A dry run of a correction reads what the correction itself changes.
        let both = read.intersection(&audited).filter(|(_, path)| path != "/api/manager/corrections");
        assert_eq!((read.len(), both.count()), (READ.len(), 0), "a road is audited twice");
        let is_file = |method: &str, path: &str| {
            let content = &document["paths"][path][method.to_lowercase()]["responses"]["200"]["content"];
            let kinds = content.as_object().into_iter().flat_map(|kinds| kinds.keys());
            kinds.into_iter().any(|kind| kind != "application/json")
        };
        let changes = routes.iter().filter(|(method, path)| {
            let is_theirs = path.starts_with("/api/admin/") || path.starts_with("/api/manager/");
            is_theirs && (method != "GET" || is_file(method, path))
        });
        let forgotten: Vec<_> = changes.filter(|route| !audited.contains(*route)).collect();
        assert!(forgotten.is_empty(), "{forgotten:?}");
    }
}
