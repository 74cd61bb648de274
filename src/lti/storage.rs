//! The storage that some platforms give to tools in their frames (1EdTech's "postMessage Storage"), for browsers that
//! keep no cookies there: a page puts a value there before the login, and another one asks for it after.

use domain::calendar::values::escaped;

use super::page::hidden;

/// Puts the value, then goes on, also where nobody answers.
pub const PUT: &str = "(() => {
const { frame, origin, name, value, next } = document.getElementById('storage').dataset;
const go = () => location.replace(next);
const waiting = setTimeout(go, 1500);
addEventListener('message', ({ origin: from, data }) => {
  if (from !== origin || data?.subject !== 'lti.put_data.response' || data.message_id !== name) return;
  clearTimeout(waiting);
  go();
});
try {
  const target = frame === '_parent' ? parent : parent.frames[frame] ?? parent;
  target.postMessage({ subject: 'lti.put_data', message_id: name, key: name, value }, origin);
} catch { clearTimeout(waiting); go(); }
})();";

/// Asks for the value and posts it with the launch; shows the way into a window where there is none.
pub const GET: &str = "(() => {
const form = document.getElementById('storage');
const { frame, origin, name } = form.dataset;
const show = () => { document.getElementById('window').hidden = false; };
const waiting = setTimeout(show, 1500);
addEventListener('message', ({ origin: from, data }) => {
  if (from !== origin || data?.subject !== 'lti.get_data.response' || data.message_id !== name) return;
  clearTimeout(waiting);
  if (typeof data.value !== 'string') return show();
  form.elements.stored.value = data.value;
  form.submit();
});
try {
  const target = frame === '_parent' ? parent : parent.frames[frame] ?? parent;
  target.postMessage({ subject: 'lti.get_data', message_id: name, key: name }, origin);
} catch { clearTimeout(waiting); show(); }
})();";

/// What [`PUT`] needs to know.
#[must_use]
pub fn putting(frame: &str, origin: &str, (name, value): (String, &str), next: &str) -> String {
    format!(
        "<div id=\"storage\" data-frame=\"{}\" data-origin=\"{}\" data-name=\"{}\" data-value=\"{}\" data-next=\"{}\"></div>",
        escaped(frame),
        escaped(origin),
        escaped(&name),
        escaped(value),
        escaped(next),
    )
}

/// What [`GET`] needs to know: the launch itself, to be posted once more with the value.
#[must_use]
pub fn asking(frame: &str, origin: &str, name: &str, (id_token, state): (&str, &str)) -> String {
    format!(
        "<form id=\"storage\" method=\"post\" action=\"/lti/launch\" data-frame=\"{}\" data-origin=\"{}\" data-name=\"{}\">{}{}{}</form>",
        escaped(frame),
        escaped(origin),
        escaped(name),
        hidden("id_token", id_token),
        hidden("state", state),
        hidden("stored", ""),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_platform_names_is_markup() {
        let body =
            putting("\"><script>", "https://lms.example", ("state-1".to_owned(), "v"), "https://lms.example/?a&b");
        assert!(!body.contains("<script>") && body.contains("data-next=\"https://lms.example/?a&amp;b\""), "{body}");
        assert!(!asking("_parent", "o", "n", ("<b>", "s")).contains("<b>"));
    }
}
