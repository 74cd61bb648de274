//! The extractor for callers who may connect as proctors: staff, and everyone who is named as a proctor of a hall.
//! Which rooms they may watch is checked for each room.

use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use domain::access::Identity;

use super::rights;
use crate::auth::caller::Anyone;
use crate::error::Error;
use crate::live::Live;

/// A reviewer, a manager or an admin, or a proctor of a hall. Callers who are not signed in get 401, others 403.
pub struct Proctoring(pub Identity);

impl FromRequest for Proctoring {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let Anyone(caller) = Anyone::from_request(&request, &mut Payload::None).await?;
            let identity = caller.ok_or(Error::Unauthorized)?;
            let live = request.app_data::<Data<Live>>().ok_or_else(|| Error::internal("no live exams in the app"))?;
            rights::in_time(rights::proctoring(live, &identity)).await?;
            Ok(Self(identity))
        })
    }
}
