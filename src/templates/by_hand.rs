//! Lists of templates that are put together by hand.

use domain::access::Identity;
use domain::template::by_hand::ListRefusal;
use domain::template::draw::QuestionPool;
use domain::template::{Bucket, Template};
use uuid::Uuid;

use super::Templates;
use super::requests::bucket_of;
use super::swap::SwapBucket;
use crate::error::Error;
use crate::http::fields::{Field, body};

body! {
    /// A list of a template as it is to be.
    pub(super) struct ListByHand {
        #[schema(value_type = SwapBucket)]
        pub(super) bucket: Bucket = bucket_of,
        /// All questions of the list, in their order, each once.
        #[schema(value_type = Vec<String>, min_items = 1, max_items = 200)]
        pub(super) question_ids: Vec<String> = Field::required,
    }
}

impl Templates {
    pub(super) async fn put_by_hand(
        &self,
        caller: &Identity,
        id: Uuid,
        ListByHand { bucket, question_ids }: ListByHand,
        is_forced: bool,
    ) -> Result<Template, Error> {
        let put = |template: &mut Template, pool: &QuestionPool| template.put_by_hand(bucket, &question_ids, pool);
        let (template, ()) = self.change_with_pool(caller, id, is_forced, put, async |_, made| Ok(made)).await?;
        Ok(template)
    }
}

impl From<ListRefusal> for Error {
    fn from(refusal: ListRefusal) -> Self {
        match refusal {
            ListRefusal::NoSuchBucket => Self::invalid("bucket"),
            ListRefusal::WrongQuestions => Self::invalid("questionIds"),
        }
    }
}
