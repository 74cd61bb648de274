//! Long lists, streamed page by page: the next page is read when the one before has been sent, so memory holds one page
//! however long the list is.

use actix_web::HttpResponse;
use actix_web::web::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};

use crate::error::Error;

/// The entries of all pages as one JSON text, between `opening` and `closing`. An error on the first page is answered
/// as one; on a later page the answer breaks off, since its status has already been sent.
pub async fn listed<T: 'static>(
    opening: &'static str,
    mut pages: BoxStream<'static, Result<Vec<T>, Error>>,
    closing: &'static str,
    entry: fn(&T) -> serde_json::Result<String>,
) -> Result<HttpResponse, Error> {
    let first = pages.try_next().await?.unwrap_or_default();
    let opening = Bytes::from(format!("{opening}{}", entries(&first, entry)?.join(",")));
    let mut has_entry = !first.is_empty();
    let more = pages.map(move |page| {
        let written = entries(&page?, entry)?.join(",");
        let separator = if has_entry && !written.is_empty() { "," } else { "" };
        has_entry |= !written.is_empty();
        Ok::<_, Error>(Bytes::from(format!("{separator}{written}")))
    });
    let body =
        stream::iter([Ok(opening)]).chain(more).chain(stream::iter([Ok(Bytes::from_static(closing.as_bytes()))]));
    Ok(HttpResponse::Ok().content_type("application/json").streaming(body))
}

fn entries<T>(page: &[T], entry: fn(&T) -> serde_json::Result<String>) -> Result<Vec<String>, Error> {
    Ok(page.iter().map(entry).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::body::to_bytes;

    #[tokio::test]
    async fn pages_become_one_list() {
        for (pages, expected) in [
            (vec![], "[]"),
            (vec![vec![]], "[]"),
            (vec![vec![1, 2], vec![3], vec![]], "[1,2,3]"),
            (vec![vec![], vec![1], vec![2]], "[1,2]"),
        ] {
            let pages = stream::iter(pages.into_iter().map(Ok)).boxed();
            let answer = listed("[", pages, "]", serde_json::to_string::<i32>).await.unwrap();
            assert_eq!(to_bytes(answer.into_body()).await.unwrap(), expected);
        }
    }
}
