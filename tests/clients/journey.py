"""The whole journey with the generated Python client, whose models parse every answer."""

import os
from base64 import b64encode
from datetime import datetime, timezone
from io import BytesIO

from api import AuthenticatedClient, Client
from api.api.administration import create_token, export_questions, import_questions, list_deliveries, list_sessions, list_users, read_signing_key, revoke_token
from api.api.live import list_live_events, list_live_sessions, resume_live_exam, send_live_commands, start_live_exam
from api.api.review import edit_question, list_edits, list_item_statistics, list_questions_for_review, submit_review
from api.api.sign_in import read_me
from api.api.sign_off import decide_approval, list_approvals, read_progress
from api.api.students import create_session, download_report, list_questions, list_report_questions, read_session, read_shared_template
from api.api.templates import create_template, delete_template, generate_template, list_swap_candidates, list_templates, swap_question, update_template
from api.models import (Answer, AnswerLine, AnswerType, ApprovalStatus, Choice, Commands, CompletedSession, CreateSession, Decide, DifficultyTargets, EditQuestion, Eliminate, EliminateType, EndReason, ErrorBody, ImportQuestionsBody, ListDeliveriesStatus, ListSwapCandidatesBucket, LiveError, LiveErrorCode, Mark, MarkType, Mode, NewToken, ReadSessionPayload, Resumed, ReviewStatus, Role, SessionState, StartOfGrade, StartOfTemplate, Started, StoredSession, Submit, SubmitReview, SubmitType, Submitted, SwapBody, SwapBucket, BucketKind, TemplateChange, TemplateConfig, TestResult, UpdatesView, Visit, VisitType)
from api.types import UNSET, File
from calendar_client import AuthenticatedClient as CalendarClient
from calendar_client.api.events import create_event, delete_event, list_events, update_event
from calendar_client.models import CreateEventBody, UpdateEventJsonBody
from contract import AuthenticatedClient as ContractClient
from contract.api.questions import list_questions as list_contract_questions
from contract.api.users import create_user
from contract.models import NewUser, Role as ContractRole

HALL, TOKEN = os.environ["HALL"], os.environ["TOKEN"]
anyone = Client(base_url=HALL)
admin = AuthenticatedClient(base_url=HALL, token=TOKEN)


def ok(answer, kind):
    """What was answered, which must be of this type."""
    assert isinstance(answer, kind), answer
    return answer


def take_test():
    bank = {question.id: question.answer for question in ok(list_questions.sync(client=anyone, grade=6), list)}
    start = StartOfGrade(grade=6, duration_minutes=30, question_count=10, key="a-key-of-python-0")
    begun = ok(start_live_exam.sync(client=anyone, body=start), Started)
    assert ok(start_live_exam.sync(client=anyone, body=start), Resumed).session_id == begun.session_id
    seat, session_id = AuthenticatedClient(base_url=HALL, token=begun.token), str(begun.session_id)
    first, second = begun.question_ids[:2]

    def send(*commands):
        return send_live_commands.sync(session_id, client=seat, body=Commands(commands=list(commands)))

    performed = send(
        Visit(type_=VisitType.VISIT, seq=1, question_id=first),
        Answer(type_=AnswerType.ANSWER, seq=2, question_id=first, selected=bank[first], time_taken=12),
        Mark(type_=MarkType.MARK, seq=3, question_id=second, marked=True),
        Eliminate(type_=EliminateType.ELIMINATE, seq=4, question_id=second, eliminated=[Choice.A, Choice.C]),
        Answer(type_=AnswerType.ANSWER, seq=5, question_id="unknown", selected=Choice.A),
    )
    [refused] = performed.replies
    assert (ok(refused, LiveError).code, refused.seq, performed.state) == (LiveErrorCode.UNKNOWN_QUESTION, 5, SessionState.ACTIVE)
    resumed = ok(resume_live_exam.sync(session_id, client=seat), Resumed)
    assert [(answer.selected, answer.marked, answer.eliminated) for answer in resumed.answers] == [(bank[first], False, UNSET), (None, True, [Choice.A, Choice.C])]
    assert resumed.deadline > datetime.now(timezone.utc)
    watched = list_live_sessions.sync(client=admin, grade=6).sessions
    assert any(row.session_id == begun.session_id for row in watched)
    [submitted] = send(Submit(type_=SubmitType.SUBMIT, seq=6)).replies
    assert (ok(submitted, Submitted).reason, submitted.result.correct_answers) == (EndReason.STUDENT, 1)
    assert list_live_events.sync(session_id, client=admin).events
    return session_id


def read(session_id):
    stored = ok(read_session.sync(session_id, client=anyone), StoredSession)
    assert stored.verified and stored.result.total_questions == 10
    payload = ok(read_session.sync(session_id, client=anyone, payload=ReadSessionPayload.VALUE_0), CompletedSession)
    assert payload.event.value == "test.completed"
    assert download_report.sync(session_id, client=anyone).payload.read(5) == b"%PDF-"
    questions = list_report_questions.sync(session_id, client=anyone).questions
    line = AnswerLine(question_id=questions[0].id, selected="", correct="A", is_correct=False)
    result = TestResult(score=200, correct_answers=0, total_questions=1, time_taken=9, topic_breakdown=[], difficulty_breakdown=[], answers=[line])
    created = create_session.sync(client=anyone, body=CreateSession(grade=6, started_at=datetime.now(timezone.utc), base_url="https://exam.example", result=result))
    assert created.report_url.startswith("https://exam.example/report/")
    assert ok(read_session.sync("none", client=anyone), ErrorBody).error == "Session not found"


def administer(session_id):
    assert ok(list_sessions.sync(client=anyone), ErrorBody).error == "Unauthorized"
    assert any(str(summary.session_id) == session_id for summary in list_sessions.sync(client=admin))
    assert read_me.sync(client=admin).role == Role.ADMIN
    made = create_token.sync(client=admin, body=NewToken(name="LMS", role=Role.REVIEWER))
    basic = AuthenticatedClient(base_url=HALL, prefix="Basic", token=b64encode(f"anyone:{made.token}".encode()).decode())
    assert read_me.sync(client=basic).role == Role.REVIEWER
    assert revoke_token.sync(str(made.id), client=admin).ok
    statistics = list_item_statistics.sync(client=admin, grade=6)
    assert len(statistics.items) >= 10 and 0 <= statistics.items[0].options["none"] <= 1
    workbook = export_questions.sync(client=admin, grade="6").payload.read()
    imported = import_questions.sync(client=admin, body=ImportQuestionsBody(file=File(payload=BytesIO(workbook), file_name="questions.xlsx")), dry_run=True)
    assert (imported.added, imported.errors) == (0, [])
    assert list_deliveries.sync(client=admin, status=ListDeliveriesStatus.FAILED).total == 0
    assert read_signing_key.sync(client=admin).key.startswith("whsec_")
    assert any(user.role == Role.ADMIN for user in list_users.sync(client=admin))


def work_with_templates():
    config = TemplateConfig(name="Spring", grades=[6], mode=Mode.STANDARD, duration_minutes=30, standard_targets=DifficultyTargets.from_dict({"1": 4, "2": 4, "3": 2}))
    template = create_template.sync(client=admin, body=config).template
    template_id = str(template.id)
    changed = update_template.sync(template_id, client=admin, body=TemplateChange(name="Spring, again")).template
    assert (changed.name, changed.mode) == ("Spring, again", Mode.STANDARD)
    question_id = changed.standard_questions[0].id
    [candidate, *_] = list_swap_candidates.sync(template_id, client=admin, bucket=ListSwapCandidatesBucket.STANDARD, question_id=question_id).candidates
    swap = SwapBody(bucket=SwapBucket(kind=BucketKind.STANDARD), question_id=question_id, replacement_id=candidate.id)
    assert swap_question.sync(template_id, client=admin, body=swap).replacement.id == candidate.id
    assert len(read_shared_template.sync(template_id, client=anyone).standard_questions) == 10
    assert len(ok(start_live_exam.sync(client=anyone, body=StartOfTemplate(template_id=template.id)), Started).question_ids) == 10
    assert generate_template.sync(template_id, client=admin).template.id == template.id
    assert any(summary.id == template.id for summary in list_templates.sync(client=admin).templates)
    assert delete_template.sync(template_id, client=admin).ok


def review():
    [question, *_] = list_questions_for_review.sync(client=admin, grade=6).questions
    assert submit_review.sync(client=admin, body=SubmitReview(question_id=question.id, grade=6, status=ReviewStatus.FLAGGED, note="Look")).ok
    edited = edit_question.sync(client=admin, body=EditQuestion(question_id=question.id, grade=6, updates=UpdatesView(explanation="Because.")))
    assert any(edit.id == edited.edit_id for edit in list_edits.sync(client=admin, grade=6).edit_log)
    assert len(read_progress.sync(client=admin).per_grade) == 10
    decide_approval.sync(client=admin, body=Decide(grade=6, status=ApprovalStatus.REVISION_REQUESTED, comment="Again"))
    assert any(approval.grade == 6 for approval in list_approvals.sync(client=admin).approvals)


def use_calendar_and_contract():
    calendar = CalendarClient(base_url=f"{HALL}/wp-json/tribe/events/v1", token=TOKEN)
    event = create_event.sync(client=calendar, body=CreateEventBody(title="Autumn test", start_date="2031-01-10 09:00:00", end_date="2031-01-10 10:00:00"))
    listed = list_events.sync(client=calendar, start_date="2031-01-01", end_date="2031-02-01")
    assert [found.id for found in listed.events] == [event.id]
    assert update_event.sync(event.id, client=calendar, body=UpdateEventJsonBody(featured=True)).featured is True
    assert delete_event.sync(event.id, client=calendar).status == "trash"
    contract = ContractClient(base_url=f"{HALL}/v1", token=os.environ["PROVIDER_KEY"], prefix="", auth_header_name="X-API-Key")
    assert len(list_contract_questions.sync(client=contract, grade=6).questions) > 100
    user = create_user.sync(client=contract, body=NewUser(email="python@school.example", role=ContractRole.STUDENT))
    assert (user.role, user.last_login) == (ContractRole.STUDENT, None)


finished = take_test()
read(finished)
administer(finished)
work_with_templates()
review()
use_calendar_and_contract()
print("the whole journey in Python")
