"""Calls the methods of the conformance service with values that lose something wherever a client is not exact."""

import functools
import importlib
import json
import re
import sys
import uuid
from datetime import date, datetime, timezone
from decimal import Decimal

from conformance_client import Client
from conformance_client.models import (
    Color, ConformanceServiceApplyBody, ConformanceServiceJoinBody, ConformanceServicePageBody, ConformanceServiceRepeatBody,
    EmployeeInput, ItemInput, MeasurementInput, NodeInput, Operation, OrderInput, PageItemInput,
    PersonInput, Problem, TableInput, TeamInput, TimesInput)


def exactly(response):
    """Makes response.json() return numbers with a fraction as Decimal, and no float loses a digit."""
    response.read()
    response.json = functools.partial(json.loads, response.content, parse_float=Decimal)


client = Client(base_url=sys.argv[1], timeout=30, httpx_args={"event_hooks": {"response": [exactly]}})
called = 0


def call(method, *body):
    global called
    called += 1
    name = "conformance_service_" + re.sub("([A-Z])", r"_\1", method).lower()
    module = importlib.import_module("conformance_client.api.conformance_service." + name)
    return module.sync(client=client, **({"body": body[0]} if body else {}))


def plain(value):
    """Returns a result without the classes of the client."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    return plain(value.to_dict()) if hasattr(value, "to_dict") else value


def same(expected, method, *body):
    result = plain(call(method, *body))
    # Of equal values of different classes, as True and 1, one is wrong.
    assert repr(result) == repr(plain(expected)), f"{method}: {result!r} (expected: {plain(expected)!r})"


def echoes(value, *methods):
    for method in methods:
        same(value, method, [value])


LARGE, LONG, SMALL = 2**53 + 1, 2**63 - 1, -(2**63)
HUGE = 12345678901234567890123456789
DECIMAL = Decimal("12345678901234567890.123456789012345678901234567890")
MOMENT = datetime(2026, 11, 21, 10, 0, tzinfo=timezone.utc)
DAY = date(2024, 2, 29)

echoes(True, "echoBoolean", "echoBoxedBoolean")
echoes(-128, "echoByte", "echoBoxedByte")
echoes(32767, "echoShort", "echoBoxedShort")
echoes(-2147483648, "echoInt", "echoBoxedInt")
for number in (LARGE, LONG, SMALL):
    echoes(number, "echoLong", "echoBoxedLong")
same(Decimal("1.5"), "echoFloat", [1.5])
same(Decimal("-0.25"), "echoBoxedFloat", [-0.25])
same(Decimal("0.1"), "echoDouble", [0.1])
same(Decimal("0.1"), "echoBoxedDouble", [0.1])
echoes("€", "echoChar", "echoBoxedChar")
echoes('quote " tab \t 你好 😀', "echoString")
# A text, since json.dumps writes no Decimal.
same(DECIMAL, "echoBigDecimal", [str(DECIMAL)])
echoes(HUGE, "echoBigInteger")
for method in ("echoBoxedBoolean", "echoBoxedLong", "echoString", "echoBigDecimal", "echoDate", "echoColor"):
    echoes(None, method)

identifier = "0f8fad5b-d9cb-469f-a165-70867728950e"
same(identifier, "textOfUuid", [uuid.UUID(identifier)])
same("urn:a:b?c#d", "textOfUri", ["urn:a:b?c#d"])
same("en_US", "textOfLocale", ["en_US"])
same("EUR", "textOfCurrency", ["EUR"])
same("1795255200000", "textOfCalendar", [MOMENT])

echoes(MOMENT, "echoDate", "echoInstant")
echoes(DAY, "echoLocalDate")
for method, text in {
    "echoLocalTime": "10:15:30.000000001", "echoLocalDateTime": "2026-11-21T10:15:30",
    "echoOffsetDateTime": "2026-11-21T10:15:30+02:00", "echoOffsetTime": "10:15:30+02:00",
    "echoZonedDateTime": "2026-11-21T10:15:30+01:00[Europe/Paris]", "echoDuration": "PT1H30M0.5S",
    "echoPeriod": "P1Y2M3D", "echoYear": "2026", "echoYearMonth": "2026-11", "echoMonthDay": "--11-21",
    "echoZoneId": "Europe/Paris", "echoZoneOffset": "+02:00", "echoBytes": "AAEC/w=="}.items():
    echoes(text, method)

echoes([True, False], "echoBooleans", "echoBoxedBooleans")
echoes([1, -2], "echoShorts", "echoBoxedShorts", "echoInts", "echoBoxedInts", "echoBoxedBytes")
echoes([1, None], "echoBoxedInts")
echoes([LARGE, LONG], "echoLongs", "echoBoxedLongs")
for method in ("echoFloats", "echoBoxedFloats", "echoDoubles", "echoBoxedDoubles"):
    same([Decimal("1.5"), Decimal("-0.25")], method, [[1.5, -0.25]])
same("a€", "echoChars", ["a€"])
echoes(["a", None], "echoBoxedChars")
echoes(["a", "", None, "😀"], "echoStrings")
same([DECIMAL, 2], "echoBigDecimals", [[str(DECIMAL), 2]])
echoes([1, HUGE], "echoBigIntegers")
echoes([MOMENT, None], "echoDates")
echoes([DAY, date(2026, 11, 21)], "echoLocalDates")
echoes([[1, 2], [], [3]], "echoMatrix")
echoes([Color.RED, Color.BLUE], "echoColors")

pen = {"name": "pen", "price": Decimal("1.50"), "quantity": 3}


def item(**fields):
    return ItemInput(**{"name": "pen", "price": 1.50, "quantity": 3, **fields})


def sends(arguments, expected, *methods):
    for method in methods:
        result = plain(call(method, arguments))
        assert result == expected, f"{method}: {result!r} (expected: {expected!r})"


sends([[item(), None]], [pen, None], "echoItems")
echoes({"a": [1, True, None]}, "echoObject")
echoes(Color.GREEN, "echoColor")
echoes(Operation.TIMES, "echoOperation")
sends(item(), pen, "echoItem")
person = PersonInput(class_="io.dubbomesh.demo.conformance.Person", name="Al", age=30)
employee = EmployeeInput(class_="io.dubbomesh.demo.conformance.Employee", name="Bo", age=40, company="Acme", skills=["C"])
bo = {"name": "Bo", "age": 40, "company": "Acme", "skills": ["C"]}
sends(OrderInput(id=LARGE, customer=person, color=Color.RED, placed=MOMENT, items=[item()], gifts=[item(price=2)]),
      {"id": LARGE, "customer": {"name": "Al", "age": 30}, "color": "RED", "placed": "2026-11-21T10:00:00+00:00",
       "items": [pen], "gifts": [{**pen, "price": 2}], "byShelf": None}, "echoOrder")
sends(employee, bo, "echoEmployee")
sends(TeamInput(lead=person, members=[employee, None]),
      {"lead": {"name": "Al", "age": 30}, "members": [bo, None]}, "echoTeam")
sends(MeasurementInput(value=1.5, unit=7), {"value": Decimal("1.5"), "unit": 7}, "echoMeasurement")
sends(TableInput(rows=[[1, 2], [], [3]]), {"rows": [[1, 2], [], [3]]}, "echoTable")
sends(TimesInput(date=DAY, date_time="2026-11-21T10:15:30", instant=MOMENT, duration="PT1M", holidays=[DAY]),
      {"date": "2024-02-29", "dateTime": "2026-11-21T10:15:30", "instant": "2026-11-21T10:00:00+00:00",
       "duration": "PT1M", "holidays": ["2024-02-29"]}, "echoTimes")
sends(PageItemInput(content=[item()], first=item(), total=LARGE),
      {"content": [pen], "first": pen, "total": LARGE}, "echoPage")

same([2, 0, LARGE + 1], "increment", [[1, -1, LARGE]])
same(["A", "SS"], "upperCase", [["a", "ß"]])
same([Decimal("-1.5"), 2], "negate", [[1.5, -2]])
same([[1, 3], [2, 4]], "transpose", [[[1, 2], [3, 4]]])
same(["AwIB"], "reverseEach", [["AQID"]])
same([datetime(2026, 11, 22, 10, 0, tzinfo=timezone.utc)], "nextDays", [[MOMENT]])
same([date(2024, 3, 1)], "nextLocalDays", [[DAY]])
same([[2, "one"]], "trimNames", [[[1, " one "]]])
sends([[[LARGE, item().to_dict()]]], [[LARGE + 1, {**pen, "quantity": 6}]], "doubleQuantities")
same([[False, "a"]], "invert", [[[True, "a"]]])
same([Color.BLUE], "rotate", [[Color.GREEN]])
same(Decimal("4.5"), "total", item())
same(Decimal("9.0"), "totalOfAll", [[item(), item()]])
sends(ConformanceServicePageBody(items=[item(), item()], size=1),
      {"content": [pen], "first": pen, "total": 2}, "page")
same(LARGE * 2, "apply", ConformanceServiceApplyBody(operation=Operation.TIMES, left=LARGE, right=2))
same([Operation.PLUS, Operation.TIMES], "operations")
same("a-b", "join", ConformanceServiceJoinBody(separator="-", parts=["a", "b"]))
same("aa", "repeat", ConformanceServiceRepeatBody(text="a", times=2))

same("pong", "ping")
same(6, "sum", [[1, 2, 3]])
same(None, "nothing")
same(None, "swallow", ["a"])
for method in ("nullString", "nullInteger", "nullItem", "nullList"):
    same(None, method)
same([], "emptyList")
same([], "emptyArray")
same("later", "later", ["later"])
sends(item(), pen, "itemLater")
sends(NodeInput(value=1, next_=NodeInput(value=2)), 2, "lengthOf")
assert [each["name"] for each in plain(call("people"))]

problem = call("failOwnUnchecked", ["closed"])
assert isinstance(problem, Problem) and problem.exception_class.endswith(".ClosedException"), problem
print(f"{called} calls of the conformance service are right")
