"""What a schema cannot say, and which failures are the service's own."""

import re

import schemathesis


@schemathesis.check
def only_the_service_fails(ctx, response, case):
    if response.status_code >= 500:
        code = response.json().get("code")
        # A deadline of some milliseconds is one that a schema allows.
        is_short = code == "TIMEOUT" and int((case.headers or {}).get("X-Request-Timeout", 5000)) < 1000
        assert code == "SERVICE_EXCEPTION" or is_short, response.text


@schemathesis.check
def results_are_as_described(ctx, response, case):
    # Python has no float for a decimal number of a thousand digits, of which the validator makes no number.
    if not re.search(rb"[eE][+-]?[0-9]{3}", response.content):
        case.operation.validate_response(response)
