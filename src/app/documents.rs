//! The OpenAPI documents of the API and of the provider contract, and the routes that they describe.

use actix_web::App;
use actix_web::web::Data;
use utoipa_actix_web::AppExt;

use super::routes::routes;
use crate::config::Config;
use crate::error::Error;
use crate::http::fallback::KnownRoutes;
use crate::http::openapi::complete::complete;
use crate::http::openapi::{self, Document};
use crate::live::asyncapi::{self, SocketsDocument};
use crate::live::shapes;
use crate::provider_api::document::{self, ContractDocument};
use crate::provider_api::{self, ROOT};

#[derive(Clone)]
pub(super) struct Documents {
    pub(super) api: Data<Document>,
    pub(super) contract: Data<ContractDocument>,
    pub(super) sockets: Data<SocketsDocument>,
    pub(super) routes: Data<KnownRoutes>,
}

impl Documents {
    pub(super) fn of(config: &Config) -> Result<Self, Error> {
        let (_, mut api) = App::new()
            .into_utoipa_app()
            .openapi(openapi::base(&config.server.auth_url))
            .configure(routes)
            .split_for_parts();
        let (_, mut contract) =
            App::new().into_utoipa_app().openapi(document::base()).configure(provider_api::routes).split_for_parts();
        for document in [&mut api, &mut contract] {
            shapes::complete(document.components.get_or_insert_default());
            complete(document);
        }
        let served = config.provider_key.as_ref().map(|_| (ROOT, &contract));
        Ok(Self {
            routes: Data::new(KnownRoutes::of(&[("", &api)].into_iter().chain(served).collect::<Vec<_>>())),
            contract: Data::new(ContractDocument(contract.to_json()?)),
            sockets: Data::new(SocketsDocument(asyncapi::document(&config.server.auth_url)?)),
            api: Data::new(Document(api.to_json()?)),
        })
    }
}
