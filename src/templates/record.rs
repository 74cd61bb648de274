//! What the record says of a change of a template: which of the rules have changed about who may sit it, about its keys
//! and about its marks. Codes are on no record.

use domain::mark::chosen::ChosenScale;
use domain::template::TemplateConfig;
use domain::template::access::Audience;
use domain::time::moment::Moment;

/// The name of a template, and which of its rules have changed from what to what.
pub(super) fn change_of(before: &TemplateConfig, after: &TemplateConfig) -> String {
    let fields = told(before).into_iter().zip(told(after));
    let changed = fields.filter(|((_, before), (_, after))| before != after);
    let changed = changed.map(|((name, before), (_, after))| format!("{name}: {before} → {after}"));
    let code = match (&before.rules.access.code, &after.rules.access.code) {
        (before, after) if before == after => None,
        (None, _) => Some("code: set"),
        (_, None) => Some("code: removed"),
        (Some(_), Some(_)) => Some("code: changed"),
    };
    let rules: Vec<String> = code.map(str::to_owned).into_iter().chain(changed).collect();
    if rules.is_empty() { after.name.clone() } else { format!("{}; {}", after.name, rules.join("; ")) }
}

fn told(config: &TemplateConfig) -> [(&'static str, String); 8] {
    let access = &config.rules.access;
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".to_owned());
    let classes: Vec<String> = access.class_ids.iter().map(ToString::to_string).collect();
    let who = match access.who {
        Audience::Anyone => "anyone",
        Audience::SignedIn => "signed-in",
        Audience::Classes => "classes",
    };
    let scale = match &config.mark_scale {
        ChosenScale::School => "school".to_owned(),
        ChosenScale::Without => "none".to_owned(),
        ChosenScale::Own(scale) => scale.to_string(),
    };
    [
        ("who", who.to_owned()),
        ("attempts", or_none(access.attempts.map(|attempts| attempts.to_string()))),
        ("opensAt", or_none(access.opens_at.map(Moment::iso))),
        ("closesAt", or_none(access.closes_at.map(Moment::iso))),
        ("showAnswers", config.rules.show_answers.name().to_owned()),
        ("practice", or_none(config.rules.practice.map(|practice| practice.to_string()))),
        ("markScale", scale),
        // Last, since these may be many.
        ("classIds", or_none(Some(classes.join(", ")).filter(|ids| !ids.is_empty()))),
    ]
}
