//! Reads the fields of a sitting and its halls from callers' JSON.

use domain::sitting::plan::{HallDraft, HallPlan, InvalidField, SittingDraft, check_halls};
use domain::sitting::values::{Factor, FieldChange, LateRule, ResultsRule, StartRule, extra_minutes};
use domain::time::moment::Moment;
use domain::workbook::SheetCell;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::Error;
use crate::http::fields::JsonFields;

/// A sitting to make. Everything but the first three fields may be left out.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({
    "name": "Finals", "templateId": "00000000-0000-4000-8000-000000000000", "startsAt": "2026-06-01T09:00:00+07:00",
    "rooms": [{ "name": "B12", "proctors": ["ada@exam.example"] }]
})))]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
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
    rooms: Option<Vec<RoomFields>>,
}

/// The fields of a sitting to change. The others stay.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({ "startsAt": "2026-06-01T09:10:00+07:00", "entryUntil": null })))]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
pub struct SittingChange {
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// Not once the doors are open.
    template_id: Option<Uuid>,
    /// Not once time counts; and while the doors are open, not in the past.
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<Moment>,
    start: Option<StartRule>,
    per_room: Option<bool>,
    #[schema(value_type = Option<String>, format = DateTime)]
    doors_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    entry_until: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<Moment>,
    late: Option<LateRule>,
    /// `now`, `held` or a time.
    #[schema(example = "held")]
    results: Option<String>,
    #[schema(max_length = 2048)]
    webhook_url: Option<String>,
    /// `false` moves its event to the calendar's trash, `true` brings it back.
    publish: Option<bool>,
    /// All of them: one that is left out is removed.
    rooms: Option<Vec<RoomFields>>,
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

/// The fields of a body that are about the sitting itself.
pub fn draft(fields: &JsonFields) -> Result<SittingDraft, Error> {
    let time = |name: &'static str| fields.change(name, |value| Moment::parse(value.as_str()?));
    let text = |name: &'static str| fields.optional::<String>(name);
    let starts_at = text("startsAt")?.map(|text| Moment::parse(&text).ok_or_else(|| Error::invalid("startsAt")));
    let start = text("start")?.map(|text| StartRule::parse(&text).ok_or_else(|| Error::invalid("start")));
    let late = text("late")?.map(|text| LateRule::parse(&text).ok_or_else(|| Error::invalid("late")));
    let results = text("results")?.map(|text| ResultsRule::parse(&text).ok_or_else(|| Error::invalid("results")));
    let webhook_url = match fields.change("webhookUrl", |value| value.as_str().map(str::to_owned))? {
        FieldChange::Set(url) if url.is_empty() => FieldChange::Clear,
        change => change,
    };
    Ok(SittingDraft {
        name: text("name")?,
        starts_at: starts_at.transpose()?,
        start: start.transpose()?,
        per_hall: fields.optional("perRoom")?,
        doors_at: time("doorsAt")?,
        entry_until: time("entryUntil")?,
        ends_at: time("endsAt")?,
        late: late.transpose()?,
        results: results.transpose()?,
        webhook_url,
        publish: fields.optional("publish")?,
    })
}

/// The halls of a body; `None` if it says nothing of them.
pub fn halls(fields: &JsonFields) -> Result<Option<Vec<HallDraft>>, Error> {
    let Some(rooms) = fields.optional::<Vec<RoomFields>>("rooms")? else { return Ok(None) };
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

/// A flag in a query: absent, `true` or `false`.
pub fn flag(name: &str, given: Option<&str>) -> Result<bool, Error> {
    match given {
        None | Some("" | "false" | "0") => Ok(false),
        Some("true" | "1") => Ok(true),
        Some(_) => Err(Error::invalid(name)),
    }
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
