"""Open edX as a learning platform: the package `lti-consumer-xblock` as it runs in production, with what it needs around it.

The package brings the messages, keys, tokens, schemas, codes and paging of LTI. What is written here is what it asks the rest
of Open edX for: the block of a course, its people and its gradebook. Under /_control a test starts launches, changes what the
course knows, and reads what has arrived.

Environment: TOOL, the address of the tool. It listens on a free port of loopback, prints one line of JSON with the facts of
its registration when it is ready, and ends when its standard input closes.
"""

import json
import logging
import os
import sys
import tempfile
import threading
from socketserver import ThreadingMixIn
from types import SimpleNamespace
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings

TOOL = os.environ["TOOL"].rstrip("/")
COURSE = "course-v1:School+Maths+2026"
DEPLOYMENT = "1"
MEMBERS = 5
# The requests that are kept for a test, and the characters of each answer.
NOTED_MAX = 1000


class Server(ThreadingMixIn, WSGIServer):
    """Answers while a request waits for the tool, as the platform does that fetches the tool's keys meanwhile."""

    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


server = make_server("127.0.0.1", 0, None, Server, Quiet)
BASE = f"http://127.0.0.1:{server.server_port}"
folder = tempfile.TemporaryDirectory(prefix="examhall-edx-")

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{folder.name}/edx.db", "OPTIONS": {"timeout": 20}}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "rest_framework",
        "django_filters",
        "waffle",
        "config_models",
        "lti_consumer",
    ],
    LMS_ROOT_URL=BASE,
    LOGGING_CONFIG=None,
    LTI_API_BASE=BASE,
    MIDDLEWARE=[
        "edx_django_utils.cache.middleware.RequestCacheMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "edx_django_utils.cache.middleware.TieredCacheMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
        f"{__name__}.noting",
    ],
    PLATFORM_NAME="Open edX of the tests",
    ROOT_URLCONF=__name__,
    SECRET_KEY="a key of the tests alone",
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    USAGE_ID_PATTERN=r"(?P<usage_id>(?:i4x://?[^/]+/[^/]+/[^/]+/[^@]+(?:@[^/]+)?)|(?:[^/]+))",
    USE_TZ=True,
)
logging.basicConfig(level=os.environ.get("LOG", "CRITICAL").upper())
django.setup()

from django.core.management import call_command  # noqa: E402
from django.http import HttpResponse, JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.views.decorators.csrf import csrf_exempt  # noqa: E402
from lti_consumer import api  # noqa: E402
from lti_consumer.data import Lti1p3LaunchData  # noqa: E402
from lti_consumer.exceptions import LtiError  # noqa: E402
from lti_consumer.models import (  # noqa: E402
    CourseAllowPIISharingInLTIFlag,
    Lti1p3Passport,
    LtiAgsLineItem,
    LtiAgsScore,
    LtiConfiguration,
    LtiDlContentItem,
)
from lti_consumer.plugin import compat  # noqa: E402
from opaque_keys.edx.keys import CourseKey, UsageKey  # noqa: E402

course = CourseKey.from_string(COURSE)
# By number: the platform's own numbers, which tools never see. They know "ext-1" and so on.
people = {}
# What the gradebook of the platform was told, and which requests its services had.
gradebook, requests = [], []


def person(number, role="student"):
    name = f"Student {number}" if role == "student" else f"Teacher {number}"
    return {"id": number, "username": f"user{number}", "name": name, "email": f"user{number}@school.example", "roles": [role]}


def external(number):
    return f"ext-{number}"


def block_at(location):
    """As much of a block of a course as the package reads."""
    return SimpleNamespace(
        accept_grades_past_due=True,
        context_id=COURSE,
        display_name="Maths final",
        has_score=True,
        is_past_due=lambda: False,
        location=location,
        lti_1p3_passport_id=None,
        max_score=lambda: 100,
        scope_ids=SimpleNamespace(usage_id=location),
        set_user_module_score=lambda user, score, maximum, comment: gradebook.append(
            {"user": external(user), "score": score, "maximum": maximum, "comment": comment}
        ),
        weight=100,
    )


def user_of(external_user_id):
    for number in people:
        if external(number) == external_user_id:
            return number
    raise LtiError("Invalid User")


never = lambda: SimpleNamespace(is_enabled=lambda *_: False)  # noqa: E731
compat.get_external_config_waffle_flag = never
compat.get_external_user_id_1p1_launches_waffle_flag = never
compat.get_database_config_waffle_flag = never
compat.get_external_multiple_launch_urls_waffle_flag = never
compat.load_enough_xblock = compat.load_block_as_user = block_at
compat.save_xblock = lambda block: None
compat.get_user_from_external_user_id = user_of
compat.get_course_members = lambda key: {number: dict(known) for number, known in people.items()}
compat.merge_course_forum_roles = lambda key, members: members
compat.batch_get_or_create_externalids = lambda users: {
    number: SimpleNamespace(external_user_id=external(number)) for number in people
}
compat.user_has_studio_write_access = lambda *_: True


def noting(get_response):
    """Keeps what tools ask the services for, and what they are answered."""

    def answer(request):
        body = request.body.decode()
        response = get_response(request)
        if not request.path.startswith("/_control/"):
            headers = {name: request.headers.get(name) for name in ("Accept", "Content-Type", "User-Agent")}
            requests.append(
                {
                    "method": request.method,
                    "path": request.get_full_path(),
                    "headers": headers,
                    "isAuthorised": "Authorization" in request.headers,
                    "body": body,
                    "status": response.status_code,
                    "answer": response.content.decode(errors="replace")[:NOTED_MAX],
                }
            )
            del requests[:-NOTED_MAX]
        return response

    return answer


def add_placement(name, grades=LtiConfiguration.LTI_ADVANTAGE_AGS_DECLARATIVE):
    """A place in the course where the tool stands: a block of its own, with a configuration and a line item of its own."""
    location = UsageKey.from_string(f"block-v1:School+Maths+2026+type@lti_consumer+block@{name}")
    return LtiConfiguration.objects.create(
        config_store=LtiConfiguration.CONFIG_ON_DB,
        location=location,
        lti_1p3_launch_url=f"{TOOL}/lti/launch",
        lti_1p3_oidc_url=f"{TOOL}/lti/login",
        lti_1p3_passport=Lti1p3Passport.objects.get(),
        lti_advantage_ags_mode=grades,
        lti_advantage_deep_linking_enabled=True,
        lti_advantage_deep_linking_launch_url=f"{TOOL}/lti/launch",
        lti_advantage_enable_nrps=True,
        version=LtiConfiguration.LTI_1P3,
    )


def placement(body):
    name = body.get("placement", "exam")
    return LtiConfiguration.objects.get(location=f"block-v1:School+Maths+2026+type@lti_consumer+block@{name}")


def launch(body):
    """The address with which somebody's browser begins a launch, or the choice of what is launched where `isDeep`."""
    config, number = placement(body), body["person"]
    known = people.get(number, person(number, body.get("role", "student")))
    shares = body.get("sharesPerson", True)
    data = Lti1p3LaunchData(
        config_id=config.config_id,
        context_id=COURSE,
        context_label="Maths",
        context_title="Mathematics 2026",
        context_type=["course_offering"],
        custom_parameters=body.get("custom", {}),
        email=known["email"] if shares else None,
        external_user_id=external(number),
        launch_presentation_document_target=body.get("target", "window"),
        launch_presentation_return_url=f"{BASE}/_control/returned",
        name=known["name"] if shares else None,
        resource_link_id=str(config.location),
        user_id=number,
        user_role=body.get("role", known["roles"][0]),
    )
    if body.get("isDeep", False):
        url = api.get_lti_1p3_launch_start_url(data, deep_link_launch=True)
    else:
        url = api.get_lti_1p3_content_url(data)
    return {"url": url, "resourceLinkId": str(config.location), "sub": external(number)}


def change(body):
    """What the course or the platform is from now on."""
    config = placement(body)
    if "members" in body:
        people.clear()
        people.update({number: person(number) for number in range(1, body["members"] + 1)})
    for number, role in body.get("staff", {}).items():
        people[int(number)] = person(int(number), role)
    if "grades" in body:
        LtiConfiguration.objects.update(lti_advantage_ags_mode=body["grades"])
    if "hasMembers" in body:
        LtiConfiguration.objects.update(lti_advantage_enable_nrps=body["hasMembers"])
    if "sharesPeople" in body:
        CourseAllowPIISharingInLTIFlag.objects.create(course_id=course, enabled=body["sharesPeople"])
    if body.get("losesLineItem", False):
        config.ltiagslineitem_set.all().delete()
    if body.get("losesContent", False):
        config.ltidlcontentitem_set.all().delete()
    if body.get("turnsKeys", False):
        Lti1p3Passport.objects.update(lti_1p3_internal_private_key="", lti_1p3_internal_public_jwk="")
    if "toolKeys" in body:
        Lti1p3Passport.objects.update(lti_1p3_tool_keyset_url=body["toolKeys"])
    if "clientId" in body:
        Lti1p3Passport.objects.update(lti_1p3_client_id=body["clientId"])
    return facts()


def facts():
    passport = Lti1p3Passport.objects.get()
    return {
        "issuer": BASE,
        "clientId": passport.lti_1p3_client_id,
        "deploymentId": DEPLOYMENT,
        "authorization": f"{BASE}/api/lti_consumer/v1/launch/",
        "token": f"{BASE}/api/lti_consumer/v1/token/{passport.passport_id}",
        "jwks": f"{BASE}/api/lti_consumer/v1/public_keysets/{passport.passport_id}",
    }


def scores(_):
    """What tools have posted, the last of each person, and what of it came to the gradebook."""
    rows = LtiAgsScore.objects.order_by("user_id").select_related("line_item")
    posted = [
        {
            "activityProgress": row.activity_progress,
            "comment": row.comment,
            "gradingProgress": row.grading_progress,
            "resourceLinkId": str(row.line_item.resource_link_id),
            "scoreGiven": row.score_given,
            "scoreMaximum": row.score_maximum,
            "timestamp": row.timestamp.isoformat(timespec="milliseconds"),
            "userId": row.user_id,
        }
        for row in rows
    ]
    return {"posted": posted, "gradebook": gradebook}


def contents(body):
    """What was chosen by deep linking, and the line items of the place."""
    config = placement(body)
    items = LtiDlContentItem.objects.filter(lti_configuration=config).order_by("id")
    lines = LtiAgsLineItem.objects.filter(lti_configuration=config).order_by("id")
    return {
        "items": [{"type": item.content_type, **item.attributes} for item in items],
        "lineItems": [{"id": line.id, "label": line.label, "scoreMaximum": line.score_maximum} for line in lines],
    }


def add(body):
    config = add_placement(**{"name": body["placement"]} | ({"grades": body["grades"]} if "grades" in body else {}))
    return {"resourceLinkId": str(config.location)}


COMMANDS = {"add": add, "change": change, "contents": contents, "facts": lambda _: facts(), "launch": launch, "scores": scores}
COMMANDS["requests"] = lambda _: {"requests": list(requests)}


@csrf_exempt
def control(request, command):
    body = json.loads(request.body) if request.body else {}
    return JsonResponse(COMMANDS[command](body))


urlpatterns = [
    path("_control/returned", lambda request: HttpResponse("Back in the course.")),
    path("_control/<slug:command>", control),
    path("api/", include("lti_consumer.plugin.urls")),
]


def main():
    from django.core.wsgi import get_wsgi_application

    call_command("migrate", verbosity=0)
    Lti1p3Passport.objects.create(name="Exam Hall", lti_1p3_tool_keyset_url=f"{TOOL}/lti/jwks")
    add_placement("exam")
    CourseAllowPIISharingInLTIFlag.objects.create(course_id=course, enabled=True)
    people.update({number: person(number) for number in range(1, MEMBERS + 1)})
    server.set_app(get_wsgi_application())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps(facts()), flush=True)
    sys.stdin.read()
    folder.cleanup()


if __name__ == "__main__":
    main()
