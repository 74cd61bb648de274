"""A tool of others, `pylti1p3next`, on a platform: it shows whether a platform of these tests is one that others understand.

It has the addresses of this server: /lti/login, /lti/launch and /lti/jwks. Under /_control a test registers it, by facts or
by dynamic registration, and lets it walk through a launch as a browser would: it says then what it has understood of it, and
what the services of the platform answered.

It listens on a free port of loopback, prints one line `{ "url": … }` when it is ready, and ends when its standard input
closes.
"""

import json
import sys
import threading
from datetime import datetime, timezone
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import parse_qsl, urljoin, urlsplit

import requests
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.cookie import CookieService
from pylti1p3.deep_link_resource import DeepLinkResource
from pylti1p3.dynamic_registration import DynamicRegistration, generate_key_pair
from pylti1p3.exception import LtiException, LtiServiceException
from pylti1p3.grade import Grade
from pylti1p3.launch_data_storage.base import LaunchDataStorage
from pylti1p3.lineitem import LineItem
from pylti1p3.message_launch import MessageLaunch
from pylti1p3.names_roles import NamesRolesProvisioningService
from pylti1p3.oidc_login import OIDCLogin
from pylti1p3.redirect import Redirect
from pylti1p3.registration import Registration
from pylti1p3.request import Request
from pylti1p3.service_connector import ServiceConnector
from pylti1p3.session import SessionService
from pylti1p3.tool_config import ToolConfDict

SCOPES = [
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
    "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly",
    "https://purl.imsglobal.org/spec/lti-ags/scope/score",
    "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
]
GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
# The pages that a launch may lead through, and the seconds of one request.
STEPS_MAX = 10
TIMEOUT_SECONDS = 30

PRIVATE_KEY, PUBLIC_KEY = generate_key_pair(2048)
# What the library keeps between requests, the registrations by issuer, and the launches that it has accepted.
kept, platforms, launches = {}, {}, []


class Asked(Request):
    def __init__(self, fields, cookies):
        self.fields, self.cookies, self.set = fields, cookies, {}

    @property
    def session(self):
        return kept

    def is_secure(self):
        return False

    def get_param(self, key):
        return self.fields.get(key)


class Cookies(CookieService):
    def __init__(self, asked):
        self.asked = asked

    def get_cookie(self, name):
        return self.asked.cookies.get(name)

    def set_cookie(self, name, value, exp=3600):
        self.asked.set[name] = value


class Leading(Redirect):
    def __init__(self, url):
        self.url = url

    def do_redirect(self):
        return self.url


class Login(OIDCLogin):
    def get_redirect(self, url):
        return Leading(url)


class Kept(LaunchDataStorage):
    """One store for all browsers: the cookie with the state is what binds a launch to its browser."""

    def get_session_cookie_name(self):
        return None

    def can_set_keys_expiration(self):
        return False

    def get_value(self, key):
        return kept.get(key)

    def set_value(self, key, value, exp=None):
        kept[key] = value

    def check_value(self, key):
        return key in kept


class Connector(ServiceConnector):
    tokens = {}

    def _get_cached_access_token(self, scope_key):
        return self.tokens.get((self._registration.get_client_id(), scope_key))

    def _cache_access_token(self, scope_key, access_token, expires_in):
        self.tokens[(self._registration.get_client_id(), scope_key)] = access_token

    def make_service_request(self, scopes, url, *, accept="*/*", **how):
        # Of itself the library asks for JSON of any kind, where Moodle has none for scores.
        return super().make_service_request(scopes, url, accept=accept, **how)


class Launch(MessageLaunch):
    def _get_request_param(self, key):
        return self._request.get_param(key)


def configuration():
    known = {issuer: [facts] for issuer, facts in platforms.items()}
    found = ToolConfDict(known)
    for issuer, facts in platforms.items():
        found.set_private_key(issuer, PRIVATE_KEY, facts["client_id"])
        found.set_public_key(issuer, PUBLIC_KEY, facts["client_id"])
    return found


def services(asked):
    session = SessionService(asked)
    return {"session_service": session, "cookie_service": Cookies(asked), "launch_data_storage": Kept()}


def remember(issuer, client_id, deployments, authorization, token, jwks):
    platforms[issuer] = {
        "default": True,
        "client_id": client_id,
        "auth_login_url": authorization,
        "auth_token_url": token,
        "key_set_url": jwks,
        "deployment_ids": deployments,
    }
    return platforms[issuer]


class Registering(DynamicRegistration):
    client_name = "A tool of the tests"
    description = "Asks for all that a tool may have."

    def __init__(self, configuration_url, token):
        self.configuration_url, self.token = configuration_url, token

    def get_request_session(self):
        session = super().get_request_session()
        # The library sends the token to the second address alone; some platforms ask for it at the first one too.
        session.headers["Authorization"] = f"Bearer {self.token}"
        return session

    def get_initiate_login_uri(self):
        return f"{BASE}/lti/login"

    def get_jwks_uri(self):
        return f"{BASE}/lti/jwks"

    def get_redirect_uris(self):
        return [f"{BASE}/lti/launch"]

    def get_scopes(self):
        return SCOPES

    def get_domain(self):
        return urlsplit(BASE).netloc

    def get_target_link_uri(self):
        return f"{BASE}/lti/launch"

    def get_claims(self):
        return ["iss", "sub", "name", "email"]

    def get_messages(self):
        return [
            {"type": "LtiResourceLinkRequest"},
            {"type": "LtiDeepLinkingRequest", "target_link_uri": f"{BASE}/lti/launch", "label": "A tool of the tests"},
        ]

    def get_logo_uri(self):
        return f"{BASE}/logo.png"

    def get_openid_configuration_endpoint(self):
        return self.configuration_url

    def get_registration_token(self):
        return self.token

    def complete_registration(self, openid_configuration, openid_registration):
        tool = openid_registration["https://purl.imsglobal.org/spec/lti-tool-configuration"]
        return remember(
            openid_configuration["issuer"],
            openid_registration["client_id"],
            [tool["deployment_id"]] if "deployment_id" in tool else [],
            openid_configuration["authorization_endpoint"],
            openid_configuration["token_endpoint"],
            openid_configuration["jwks_uri"],
        )


def register(body):
    """By dynamic registration where `openidConfiguration` is given, otherwise by facts as `edx.py` prints them."""
    if "openidConfiguration" in body:
        return Registering(body["openidConfiguration"], body.get("registrationToken")).register()
    deployments = [body["deploymentId"]]
    return remember(body["issuer"], body["clientId"], deployments, body["authorization"], body["token"], body["jwks"])


class Form(HTMLParser):
    """The first form of a page, which its script would send."""

    def __init__(self, html):
        super().__init__()
        self.action, self.fields = None, {}
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = given.get("action", "")
        elif tag == "input" and given.get("name"):
            self.fields[given["name"]] = given.get("value") or ""


def walk(session, answer):
    """Sends forms on as long as there are any, and returns the last page."""
    for _ in range(STEPS_MAX):
        form = Form(answer.text)
        if form.action is None:
            return answer
        answer = session.post(urljoin(answer.url, form.action), data=form.fields, timeout=TIMEOUT_SECONDS)
    raise LtiException(f"no end after {STEPS_MAX} pages, at {answer.url}")


def tried(ask):
    """What a service gave, or what it said instead."""
    try:
        return {"given": ask()}
    except LtiServiceException as error:
        return {"status": error.response.status_code, "said": error.response.text}
    except LtiException as error:
        return {"refused": str(error)}


def graded(message, body):
    """Posts a score of the library's own, or the text of one as it stands."""
    if "text" in body:
        as_it_stands = SimpleNamespace(get_value=lambda: body["text"])
        return message.get_ags().put_grade(as_it_stands)["body"]
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
    grade = Grade().set_user_id(body["user"]).set_timestamp(body.get("timestamp", now))
    grade.set_score_given(body["score"]).set_score_maximum(body["maximum"])
    grade.set_activity_progress("Completed").set_grading_progress(body.get("grading", "FullyGraded"))
    return message.get_ags().put_grade(grade)["body"]


def asked_services(message, body):
    asks = {
        "members": lambda: list(message.get_nrps().get_members()),
        "pages": lambda: pages(message, body["pages"]),
        "lineItems": lambda: list(message.get_ags().get_lineitems()),
        "created": lambda: json.loads(message.get_ags().create_lineitem(LineItem(body["created"])).get_value()),
        "score": lambda: graded(message, body["score"]),
        "results": lambda: list(message.get_ags().get_grades()),
    }
    return {name: tried(ask) for name, ask in asks.items() if body.get(name)}


def pages(message, limit):
    """The sizes of the pages of a list of members."""
    url = message.get_launch_data()[MEMBERS]["context_memberships_url"]
    url, sizes = f"{url}{'&' if '?' in url else '?'}limit={limit}", []
    while url:
        members, url = message.get_nrps().get_members_page(url)
        sizes.append(len(members))
    return sizes


def chosen(item):
    """An item of the library's own, or one as it stands where it says of what type it is."""
    if "type" in item:
        return SimpleNamespace(to_dict=lambda: item)
    resource = DeepLinkResource().set_title(item["title"]).set_url(f"{BASE}/lti/launch")
    return resource.set_custom_params(item["custom"])


def go(body):
    """Launches by the address that `start` names, then asks those services that the body names."""
    session = requests.Session()
    before = len(launches)
    answer = walk(session, session.get(body["start"], timeout=TIMEOUT_SECONDS))
    if len(launches) == before:
        return {"status": answer.status_code, "said": answer.text}
    message = launches[-1]
    answered = {"claims": message.get_launch_data(), "services": asked_services(message, body)}
    if "choose" in body:
        form = Form(message.get_deep_link().output_response_form([chosen(body["choose"])]))
        saved = session.post(form.action, data=form.fields, timeout=TIMEOUT_SECONDS)
        answered["saved"] = {"status": saved.status_code, "said": saved.text}
    return answered


class Services:
    """The services of a course without a launch, by what a launch would have said of them."""

    def __init__(self, issuer, client_id, claims):
        self.connector = Connector(configuration().find_registration_by_params(issuer, client_id))
        self.claims = claims

    def get_launch_data(self):
        return self.claims

    def get_nrps(self):
        return NamesRolesProvisioningService(self.connector, self.claims[MEMBERS])

    def get_ags(self):
        return AssignmentsGradesService(self.connector, self.claims[GRADES])


def serve(body):
    """Asks those services that the body names, of the platform that it names too."""
    platform = body["platform"]
    register(platform)
    return asked_services(Services(platform["issuer"], platform["clientId"], body["claims"]), body)


def token(body):
    """An access token for these scopes, or for all, from the platform of the last launch."""
    return {"token": launches[-1].get_service_connector().get_access_token(body.get("scopes", SCOPES))}


def forget(_):
    """Lets go of access tokens, as if they had expired."""
    Connector.tokens.clear()
    return {}


COMMANDS = {"register": register, "launch": go, "services": serve, "token": token, "forget": forget}


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def asked(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.text = self.rfile.read(length).decode()
        fields = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        fields.update(parse_qsl(self.text, keep_blank_values=True) if not self.path.startswith("/_control/") else ())
        pairs = (pair.strip().partition("=") for pair in self.headers.get("Cookie", "").split(";"))
        return Asked(fields, {name: value for name, _, value in pairs})

    def answer(self, status, content, kind="application/json", headers=()):
        data = content if isinstance(content, str) else json.dumps(content)
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(data.encode()))), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data.encode())

    def do_GET(self):
        asked, path = self.asked(), urlsplit(self.path).path
        try:
            if path == "/lti/login":
                url = Login(asked, configuration(), **services(asked)).redirect(f"{BASE}/lti/launch")
                cookies = [("Set-Cookie", f"{name}={value}; Path=/; HttpOnly") for name, value in asked.set.items()]
                self.answer(302, "", headers=[("Location", url), *cookies])
            elif path == "/lti/launch":
                message = Launch(asked, configuration(), service_connector_cls=Connector, **services(asked)).validate()
                launches.append(message)
                self.answer(200, "Launched.", "text/plain")
            elif path == "/lti/jwks":
                self.answer(200, {"keys": [Registration.get_jwk(PUBLIC_KEY)]})
            elif path.startswith("/_control/"):
                self.answer(200, COMMANDS[path.removeprefix("/_control/")](json.loads(self.text)))
            else:
                self.answer(404, {"error": "Not Found"})
        except Exception as error:  # noqa: BLE001 a fault of either side, which the test shows
            self.answer(500, {"error": f"{type(error).__name__}: {error}"})

    do_POST = do_GET


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
BASE = f"http://127.0.0.1:{server.server_port}"

if __name__ == "__main__":
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"url": BASE}), flush=True)
    sys.stdin.read()
