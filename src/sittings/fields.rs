//! Reads the fields of a sitting and its halls from callers' JSON.

use domain::mark::MarkScale;
use domain::sheet_cell::SheetCell;
use domain::sitting::plan::{HallDraft, HallPlan, InvalidField, SittingDraft, check_halls};
use domain::sitting::values::{Factor, FieldChange, LateRule, ResultsRule, StartRule, extra_minutes};
use domain::time::moment::Moment;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::Error;
use crate::http::fields::{Field, JsonFields, body};

/// A sitting to make. Everything but the first three fields may be left out.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({
    "name": "Finals", "templateId": "00000000-0000-4000-8000-000000000000", "startsAt": "2026-06-01T09:00:00+07:00",
    "rooms": [{ "name": "B12", "proctors": ["ada@exam.example"] }]
})))]
#[allow(dead_code, reason = "has the fields of `SittingChange`, which reads them; only what it says of them differs")]
pub struct NewSitting {
    /// 1 to 200 characters.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    template_id: Uuid,
    #[schema(value_type = String, format = DateTime)]
    starts_at: Moment,
    /// `clock` if it is left out.
    start: Option<StartRule>,
    /// Whether a proctor begins each room for itself.
    per_room: Option<bool>,
    /// Half an hour before the start if it is left out or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    doors_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    entry_until: Option<Moment>,
    /// The hard end.
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<Moment>,
    /// `cut` if it is left out.
    late: Option<LateRule>,
    /// `now`, `held` or a time; `held` if it is left out.
    #[schema(example = "held")]
    results: Option<String>,
    #[schema(max_length = 2048)]
    webhook_url: Option<String>,
    /// Whether the calendar has an event with its name, times and rooms, which is kept up to date.
    publish: Option<bool>,
    /// The scale by which results are marked: null for none, and a copy of the template's, or of the school's, if it
    /// is left out.
    mark_scale: Option<MarkScale>,
    rooms: Option<Vec<RoomFields>>,
}

body! {
    /// The fields of a sitting to change. The others stay.
    #[schema(examples(json!({ "startsAt": "2026-06-01T09:10:00+07:00", "entryUntil": null })))]
    pub struct SittingChange {
        #[schema(min_length = 1, max_length = 200)]
        name: Option<String> = Field::optional,
        /// Not once the doors are open.
        #[schema(value_type = Option<Uuid>)]
        template_id: Result<Option<Uuid>, Error> = |field| Ok(field.optional()),
        /// Not once time counts; and while the doors are open, not in the past.
        #[schema(value_type = Option<String>, format = DateTime)]
        starts_at: Option<Moment> = |field| field.optional_text(Moment::parse),
        start: Option<StartRule> = |field| field.optional_text(StartRule::parse),
        per_room: Option<bool> = Field::optional,
        #[schema(value_type = Option<String>, format = DateTime)]
        doors_at: FieldChange<Moment> = moment,
        #[schema(value_type = Option<String>, format = DateTime)]
        entry_until: FieldChange<Moment> = moment,
        #[schema(value_type = Option<String>, format = DateTime)]
        ends_at: FieldChange<Moment> = moment,
        late: Option<LateRule> = |field| field.optional_text(LateRule::parse),
        /// `now`, `held` or a time.
        #[schema(value_type = Option<String>, example = "held")]
        results: Option<ResultsRule> = |field| field.optional_text(ResultsRule::parse),
        #[schema(value_type = Option<String>, max_length = 2048)]
        webhook_url: FieldChange<String> = webhook_url,
        /// `false` moves its event to the calendar's trash, `true` brings it back.
        publish: Option<bool> = Field::optional,
        /// The scale by which results are marked, those too that are there already; null for none.
        #[schema(value_type = Option<MarkScale>)]
        mark_scale: FieldChange<MarkScale> = |field| field.change(MarkScale::read),
        /// All of them: one that is left out is removed.
        #[schema(value_type = Option<Vec<RoomFields>>)]
        rooms: Result<Option<Vec<HallDraft>>, Error> = |field| Ok(halls(field)),
    }
}

/// What a request says of a sitting. What is wrong with the template and the halls is told after the rest.
pub struct SittingFields {
    pub draft: SittingDraft,
    pub template_id: Result<Option<Uuid>, Error>,
    /// `None` if it says nothing of them.
    pub halls: Result<Option<Vec<HallDraft>>, Error>,
}

impl SittingFields {
    /// Reads the body of a new sitting too: its fields are the same, and the plan knows which it can't do without.
    pub fn read(fields: &JsonFields) -> Result<Self, Error> {
        let body = SittingChange::read(fields)?;
        let draft = SittingDraft {
            name: body.name,
            starts_at: body.starts_at,
            start: body.start,
            per_hall: body.per_room,
            doors_at: body.doors_at,
            entry_until: body.entry_until,
            ends_at: body.ends_at,
            late: body.late,
            results: body.results,
            webhook_url: body.webhook_url,
            publish: body.publish,
            mark_scale: body.mark_scale,
        };
        Ok(Self { draft, template_id: body.template_id, halls: body.rooms })
    }
}

/// A room of a sitting.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SittingRoomFields)]
pub struct RoomFields {
    /// Names a room that is to have another name.
    id: Option<Uuid>,
    /// Unique in the sitting, whatever the case of its letters.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// E-mail addresses.
    #[serde(default)]
    #[schema(max_items = 50)]
    proctors: Vec<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<Moment>,
    #[schema(value_type = Option<u32>, minimum = 100, maximum = 400)]
    factor: Option<f64>,
    #[schema(value_type = Option<u32>, minimum = 0, maximum = 600)]
    extra_minutes: Option<f64>,
}

fn moment(field: Field<'_>) -> Result<FieldChange<Moment>, Error> {
    field.change(|value| Moment::parse(value.as_str()?))
}

fn webhook_url(field: Field<'_>) -> Result<FieldChange<String>, Error> {
    Ok(match field.change(|value| value.as_str().map(str::to_owned))? {
        FieldChange::Set(url) if url.is_empty() => FieldChange::Clear,
        change => change,
    })
}

fn halls(field: Field<'_>) -> Result<Option<Vec<HallDraft>>, Error> {
    let Some(rooms) = field.optional::<Vec<RoomFields>>()? else { return Ok(None) };
    let number = |number: Option<f64>| {
        number.map(|number| SheetCell::Number(number).whole_number().ok_or(InvalidField("rooms")))
    };
    let draft = |room: RoomFields| {
        let factor = number(room.factor).transpose()?.map(|percent| Factor::new(percent).ok_or(InvalidField("rooms")));
        let extra = number(room.extra_minutes).transpose()?;
        let extra = extra.map(|minutes| extra_minutes(minutes).ok_or(InvalidField("rooms")));
        let plan = HallPlan {
            name: room.name,
            proctors: room.proctors,
            starts_at: room.starts_at,
            ends_at: room.ends_at,
            factor: factor.transpose()?,
            extra_minutes: extra.transpose()?,
        };
        Ok::<_, InvalidField>(HallDraft { id: room.id, plan })
    };
    let drafts = rooms.into_iter().map(draft).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(check_halls(drafts)?))
}

/// The rows of a list in a JSON body: an array, or an object that has it.
pub fn rows(body: &[u8], name: &'static str) -> Result<Vec<Value>, Error> {
    let text = std::str::from_utf8(body).ok().filter(|text| domain::json_limits::is_acceptable(text));
    match text.and_then(|text| serde_json::from_str(text).ok()) {
        Some(Value::Array(rows)) => Ok(rows),
        Some(Value::Object(mut object)) => match object.remove(name) {
            Some(Value::Array(rows)) => Ok(rows),
            _ => Err(Error::invalid(name)),
        },
        _ => Err(Error::invalid("body")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::to_value;
    use utoipa::PartialSchema;

    use super::*;

    #[test]
    fn a_new_sitting_and_a_change_have_the_same_fields() {
        let names = |schema: Value| schema["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let change = names(to_value(SittingChange::schema()).unwrap());
        assert_eq!((change.len(), names(to_value(NewSitting::schema()).unwrap())), (14, change));
    }
}
