//! The routes by which templates are kept, once for admins and once for managers: what they do is the same
//! (`src/templates/requests.rs`), and only the caller, the paths and some words of the documents differ.

/// Makes the handlers of all routes, for one kind of callers.
// A handler that takes both kinds of callers would need one path, and both have been documented from the beginning.
macro_rules! template_routes {
    (
        caller: $caller:ident, $refusals:ident;
        paths: $path:tt, $path_of_one:tt, $path_of_generate:tt, $path_of_swap:tt, $path_of_questions:tt;
        operations:
            $list:tt, $create:tt, $read:tt, $update:tt, $delete:tt, $generate:tt, $candidates:tt, $swap:tt,
            $put_questions:tt;
        list: $about_list:tt, $listed:tt;
        create: $about_create:tt;
        update: $not_updated:tt;
    ) => {
        use actix_web::web::{Data, Path, Query};
        use actix_web::{HttpResponse, delete, get, post, put};
        use domain::band::Band;

        use $crate::auth::caller::$caller;
        use $crate::auth::refusals::$refusals;
        use $crate::error::{Error, ErrorBody};
        use $crate::http::after::After;
        use $crate::http::answers::Done;
        use $crate::http::fields::JsonFields;
        use $crate::templates::Templates;
        use $crate::templates::by_hand::ListByHand;
        use $crate::templates::requests::{
            self, ForceQuery, NewTemplate, SwapQuery, TemplateChange, TemplateChangeRequest,
        };
        use $crate::templates::swap::{BucketKind, SwapBody};
        use $crate::templates::view::{Candidates, GeneratedTemplate, OneTemplate, SwappedTemplate, TemplateList};

        #[doc = $about_list]
        #[utoipa::path(
            operation_id = $list,
            tag = "templates",
            security(("api_token" = [])),
            responses(
                (status = 200, description = $listed, body = TemplateList),
                $refusals,
                (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
            )
        )]
        #[get($path)]
        pub async fn list($caller(caller): $caller, templates: Data<Templates>) -> Result<HttpResponse, Error> {
            requests::list(&caller, &templates).await
        }

        #[doc = $about_create]
        #[utoipa::path(
            operation_id = $create,
            tag = "templates",
            security(("api_token" = [])),
            request_body = NewTemplate,
            responses(
                (status = 200, description = "The template, and how many questions were missing", body = GeneratedTemplate),
                (status = 400, description = "`Invalid <field>` or `All bands must have the same total`", body = ErrorBody),
                $refusals,
                (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
            )
        )]
        #[post($path)]
        pub async fn create(asked: After<$caller, JsonFields>, templates: Data<Templates>) -> Result<HttpResponse, Error> {
            let After($caller(caller), fields) = asked;
            requests::create(&caller, &templates, &fields).await
        }

        /// A template with its locked questions.
        #[utoipa::path(
            operation_id = $read,
            tag = "templates",
            security(("api_token" = [])),
            params(("id" = String, Path, description = "Template id")),
            responses(
                (status = 200, description = "The template", body = OneTemplate),
                $refusals,
                (status = 404, description = "Unknown", body = ErrorBody),
                (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
            )
        )]
        #[get($path_of_one)]
        pub async fn read(asked: After<$caller, Path<String>>, templates: Data<Templates>) -> Result<HttpResponse, Error> {
            let After($caller(caller), id) = asked;
            requests::read(&caller, &templates, &id).await
        }

        /// Changes any fields of the configuration. The locked questions stay.
        #[utoipa::path(
            operation_id = $update,
            tag = "templates",
            security(("api_token" = [])),
            params(
                ("id" = String, Path, description = "Template id"),
                ("force" = Option<bool>, Query, description = "Change it while the doors of a sitting are open, which gets a new paper"),
            ),
            request_body = TemplateChange,
            responses(
                (status = 200, description = "The template", body = OneTemplate),
                (status = 400, description = "`Invalid <field>` or `All bands must have the same total`", body = ErrorBody),
                $refusals,
                (status = 404, description = "Unknown", body = ErrorBody),
                (status = 409, description = $not_updated, body = ErrorBody),
                (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
            )
        )]
        #[put($path_of_one)]
        pub async fn update(
            asked: After<$caller, TemplateChangeRequest>,
            templates: Data<Templates>,
        ) -> Result<HttpResponse, Error> {
            let After($caller(caller), After(id, After(query, fields))) = asked;
            requests::update(&caller, &templates, &id, &query, &fields).await
        }

        /// Removes a template. Its share link stops working; tests that were started from it continue.
        #[utoipa::path(
            operation_id = $delete,
            tag = "templates",
            security(("api_token" = [])),
            params(("id" = String, Path, description = "Template id")),
            responses(
                (status = 200, description = "Removed", body = Done),
                $refusals,
                (status = 404, description = "Unknown", body = ErrorBody),
                (status = 409, description = "`Template has sittings`", body = ErrorBody),
                (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
            )
        )]
        #[delete($path_of_one)]
        pub async fn delete(asked: After<$caller, Path<String>>, templates: Data<Templates>) -> Result<HttpResponse, Error> {
            let After($caller(caller), id) = asked;
            requests::delete(&caller, &templates, &id).await
        }

        /// Draws all questions of a template again, but for the pinned ones. Swaps that were made by hand are lost.
        #[utoipa::path(
            operation_id = $generate,
            tag = "templates",
            security(("api_token" = [])),
            params(
                ("id" = String, Path, description = "Template id"),
                ("force" = Option<bool>, Query, description = "Change it while the doors of a sitting are open, which gets a new paper"),
            ),
            responses(
                (status = 200, description = "The template, and how many questions were missing", body = GeneratedTemplate),
                $refusals,
                (status = 404, description = "Unknown", body = ErrorBody),
                (status = 409, description = "`Sitting is open`, or with `force` `Sitting has begun`, or `The template has a list without questions` for the new paper", body = ErrorBody),
                (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
                (status = 503, description = "Its grades are changed again and again at the moment", body = ErrorBody),
            )
        )]
        #[post($path_of_generate)]
        pub async fn generate(
            asked: After<$caller, After<Path<String>, Query<ForceQuery>>>,
            templates: Data<Templates>,
        ) -> Result<HttpResponse, Error> {
            let After($caller(caller), After(id, query)) = asked;
            requests::generate(&caller, &templates, &id, &query).await
        }

        /// Questions that could replace a locked one, at most 25.
        #[utoipa::path(
            operation_id = $candidates,
            tag = "templates",
            security(("api_token" = [])),
            params(
                ("id" = String, Path, description = "Template id"),
                ("bucket" = inline(BucketKind), Query, description = "The list that the question is in"),
                ("band" = Option<Band>, Query, description = "Of `session2`"),
                ("questionId" = String, Query, description = "The question that is to go"),
            ),
            responses(
                (status = 200, description = "Of the same difficulty, with `topicTargets` also of the same topic, and of what the template chooses; in no particular order", body = Candidates),
                (status = 400, description = "`Invalid bucket`, `Invalid band` or `Invalid questionId`", body = ErrorBody),
                $refusals,
                (status = 404, description = "`Not found`, or `Question not found` in the list", body = ErrorBody),
                (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
            )
        )]
        #[get($path_of_swap)]
        pub async fn candidates(
            asked: After<$caller, After<Path<String>, Query<SwapQuery>>>,
            templates: Data<Templates>,
        ) -> Result<HttpResponse, Error> {
            let After($caller(caller), After(id, Query(asked))) = asked;
            requests::candidates(&caller, &templates, &id, asked).await
        }

        /// Replaces a question by the named one, or by any eligible one.
        #[utoipa::path(
            operation_id = $swap,
            tag = "templates",
            security(("api_token" = [])),
            params(
                ("id" = String, Path, description = "Template id"),
                ("force" = Option<bool>, Query, description = "Change it while the doors of a sitting are open, which gets a new paper"),
            ),
            request_body = SwapBody,
            responses(
                (status = 200, description = "The template, and the question that has come", body = SwappedTemplate),
                (status = 400, description = "`Invalid <field>`, or `Replacement must match the same difficulty`, also for one that the template does not choose, that with `topicTargets` has another topic, or that the student sees anyway", body = ErrorBody),
                $refusals,
                (status = 404, description = "`Not found`, or `Question not found` in the list", body = ErrorBody),
                (status = 409, description = "`No eligible replacement available at this difficulty`, also when the template chooses none of those that there are, or with `topicTargets` none of them has the topic; `Sitting is open`, `Sitting has begun`, which cannot be forced, or with `force` `The template has a list without questions` for the new paper", body = ErrorBody),
                (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
                (status = 503, description = "Its grades are changed again and again at the moment", body = ErrorBody),
            )
        )]
        #[post($path_of_swap)]
        pub async fn swap(
            asked: After<$caller, TemplateChangeRequest>,
            templates: Data<Templates>,
        ) -> Result<HttpResponse, Error> {
            let After($caller(caller), After(id, After(query, fields))) = asked;
            requests::swap(&caller, &templates, &id, &query, &fields).await
        }

        /// Makes a list exactly these questions, in this order, whatever the template draws by.
        ///
        /// Pins of questions that are in no list any more are forgotten.
        #[utoipa::path(
            operation_id = $put_questions,
            tag = "templates",
            security(("api_token" = [])),
            params(
                ("id" = String, Path, description = "Template id"),
                ("force" = Option<bool>, Query, description = "Change it while the doors of a sitting are open, which gets a new paper"),
            ),
            request_body = ListByHand,
            responses(
                (status = 200, description = "The template", body = OneTemplate),
                (status = 400, description = "`Invalid bucket`, `Invalid band` or `Invalid questionIds`: not 1 to 200, one of them twice, not of the template's grades, or in a list that the same student sees", body = ErrorBody),
                $refusals,
                (status = 404, description = "Unknown", body = ErrorBody),
                (status = 409, description = "`Sitting is open`, `Sitting has begun`, which cannot be forced, with `force` `The template has a list without questions` for the new paper, or `A question has just been retired: try again`", body = ErrorBody),
                (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
                (status = 503, description = "Its grades are changed again and again at the moment", body = ErrorBody),
            )
        )]
        #[put($path_of_questions)]
        pub async fn put_questions(
            asked: After<$caller, TemplateChangeRequest>,
            templates: Data<Templates>,
        ) -> Result<HttpResponse, Error> {
            let After($caller(caller), After(id, After(query, fields))) = asked;
            requests::put_questions(&caller, &templates, &id, &query, &fields).await
        }
    };
}

pub(super) use template_routes;
