"""What a conformance run adds to Schemathesis: an address for each request, and checks for callers without access."""

import itertools
import re
import time

import schemathesis

REQUESTS = itertools.count(1)
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def kept_by_doubles(value):
    """The value with its integers beyond 2^53 as doubles: the API refuses numbers whose digits it cannot keep."""
    if isinstance(value, dict):
        return {key: kept_by_doubles(item) for key, item in value.items()}
    if isinstance(value, list):
        return [kept_by_doubles(item) for item in value]
    if isinstance(value, int) and abs(value) > 2**53:
        return float(value) if abs(value) < 10**308 else 2**53
    return value


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives each request its own address, so that limits per address do not replace the answers."""
    number = next(REQUESTS)
    kept = kept_by_doubles(case.body)
    # A replaced body counts as a different one.
    if isinstance(case.body, (dict, list, int)) and repr(kept) != repr(case.body):
        case.body = kept
    case.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    if not case.path.startswith("/api/") and number % 4:
        case.headers["Origin"] = case.operation.base_url
    # Generated times are outside the window, which would hide everything behind it.
    if case.path.endswith(("/trigger/{webhookToken}", "/trigger-test/{token}")) and number % 4:
        case.headers["X-Service-Timestamp"] = str(int(time.time()))
    # The generated agent or team is rarely the one that has the session.
    if "/sessions/" in case.path and number % 2:
        for name in ("agent_id", "team_id"):
            value = (case.query or {}).get(name)
            if isinstance(value, str) and UUID.fullmatch(value):
                del case.query[name]


@schemathesis.check
def documents_every_status(ctx, response, case):
    """As status_code_conformance, which leaves out requests of another media type or with repeated parameters."""
    if response.request.method.upper() != case.operation.method.upper():
        return
    documented = case.operation.responses.status_codes
    assert str(response.status_code) in documented, f"{response.status_code} is not one of {', '.join(documented)}"


@schemathesis.check
def refuses_strangers(ctx, response, case):
    """Operations with credentials answer 401 without valid ones; a page leads to the sign-in page."""
    requirements = case.operation.definition.raw.get("security", [])
    if not all(requirements) or not requirements:
        return
    if "session" in requirements[0]:
        refused = response.status_code == 303 and response.headers["location"][0].startswith("/sign-in")
        # Changes from elsewhere are refused before the session is checked.
        refused = refused or (response.status_code == 403 and case.method.upper() in ("POST", "PUT", "DELETE"))
        # The builder's API is called by pages that prompt for a sign-in themselves.
        refused = refused or response.status_code == 401
        assert refused, f"a stranger got {response.status_code}"
    else:
        assert response.status_code == 401, f"a stranger got {response.status_code}"
        error = response.json()["error"]
        # OpenAI's errors are objects.
        code = error["code"] if isinstance(error, dict) else error
        assert code == "unauthorized", f"a stranger got {code}"
