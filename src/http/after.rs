//! Reads a request only after its caller is known. Actix polls all arguments of a handler at once, and would answer a
//! bad body with 400 before it refuses the caller.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

/// Extracts `Who` first, and `What` only if that succeeds.
pub struct After<Who, What>(pub Who, pub What);

impl<Who: FromRequest + 'static, What: FromRequest + 'static> FromRequest for After<Who, What> {
    type Error = actix_web::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Self::Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, mut payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let who = Who::from_request(&request, &mut Payload::None).await.map_err(Into::into)?;
            let what = What::from_request(&request, &mut payload).await.map_err(Into::into)?;
            Ok(Self(who, what))
        })
    }
}
