//! Orders of options outlive whatever happens to a server and to a test: they are stored with the attempt.

use futures_util::future::join_all;
use serde_json::json;

use super::exam::{Exam, Kind, QUESTIONS};
use super::told::{Results, assert_papers, assert_results};

const KIND: Kind = Kind { forms: 3, has_parallel: false, is_shuffled: true };

/// The server stops and starts again, and everybody comes back. Those at work see their page as they left it.
async fn restart(exam: &mut Exam, kind: &str) {
    exam.school.hall.restart().await;
    exam.school.admin = exam.school.hall.signed_in("admin").await;
    let (base, http) = (&exam.school.hall.base(), &exam.school.hall.anonymous());
    let coming = exam.students.iter_mut().map(|student| async move {
        let told = student.come_back(base, http, kind).await;
        assert_eq!(told.get("form"), student.waiting.get("form"));
        if kind == "resumed" {
            student.assert_shown(&told);
        } else {
            assert!(told.get("optionOrder").is_none() && told.get("questionIds").is_none(), "{told}");
        }
    });
    join_all(coming).await;
}

#[tokio::test]
async fn a_page_is_the_same_after_a_restart_and_after_a_reopening() {
    let mut exam = Exam::prepare(KIND, 8).await;
    exam.wait().await;
    restart(&mut exam, "waiting").await;
    exam.begin().await;
    restart(&mut exam, "resumed").await;
    exam.work_half().await;
    restart(&mut exam, "resumed").await;
    exam.work_on().await;
    let (base, http) = (exam.school.hall.base(), exam.school.hall.anonymous());
    for student in exam.students.iter_mut().take(3) {
        let path = format!("/api/live/sessions/{}/orders", student.session_id);
        let order = json!({ "id": format!("again {}", student.name), "type": "reopen", "minutes": 5 });
        let reopened = exam.school.admin.post_json(&path, &order).await;
        assert_eq!(reopened.status, 200, "{}", reopened.text());
        let resumed = student.come_back(&base, &http, "resumed").await;
        student.assert_shown(&resumed);
        let submitted = student.work(QUESTIONS..QUESTIONS, &exam.bank, true).await;
        assert_eq!(submitted["type"], "submitted", "{submitted}");
    }
    exam.end().await;
    exam.ask();
    assert_papers(&exam);
    assert_results(&exam, &Results::read(&exam).await, "before");
}
