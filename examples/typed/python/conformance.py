"""Calls each method of the conformance service with values that lose something wherever a client is not exact."""

import functools
import importlib
import json
import re
import sys
import uuid
from datetime import date, datetime, timezone
from decimal import Decimal

from conformance_client import Client, models
from conformance_client.models import (
    Color, ColorsInput, ConformanceServiceApplyBody, ConformanceServiceAttachBody, ConformanceServiceDescribeAllBody,
    ConformanceServiceDescribeNullsBody, ConformanceServiceJoinBody, ConformanceServicePageBody,
    ConformanceServiceRepeatBody, ContainersInput, DatesInput, EmployeeInput, ItemInput, MeasurementInput, NodeInput,
    Operation, OrderInput, PageItemInput, PersonInput, Problem, ScalarsInput, TableInput, TeamInput, TimesInput)


def exactly(response):
    """Makes response.json() return numbers with a fraction as Decimal, and no float loses a digit."""
    response.read()
    response.json = functools.partial(json.loads, response.content, parse_float=Decimal)


client = Client(base_url=sys.argv[1], timeout=30, httpx_args={"event_hooks": {"response": [exactly]}})
calls = 0
called = set()


def call(method, *body, **parameters):
    global calls
    calls += 1
    called.add(method)
    name = "conformance_service_" + re.sub("([A-Z])", r"_\1", method).lower()
    module = importlib.import_module("conformance_client.api.conformance_service." + name)
    return module.sync(client=client, **({"body": body[0]} if body else {}), **parameters)


def map_of(name, entries):
    """Returns a map whose type has this name in the client, since no schema names it."""
    return getattr(models, name).from_dict(entries)


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
employee = EmployeeInput(
    class_="io.dubbomesh.demo.conformance.Employee", name="Bo", age=40, company="Acme", skills=["C"])
bo = {"name": "Bo", "age": 40, "company": "Acme", "skills": ["C"]}
order = OrderInput(id=LARGE, customer=person, color=Color.RED, placed=MOMENT, items=[item()], gifts=[item(price=2)])
sends(order, {"id": LARGE, "customer": {"name": "Al", "age": 30}, "color": "RED",
              "placed": "2026-11-21T10:00:00+00:00", "items": [pen], "gifts": [{**pen, "price": 2}], "byShelf": None},
      "echoOrder")
order.by_shelf = map_of("OrderInputByShelfType0", {"a": item().to_dict()})
same(Decimal("15.0"), "totalOfOrder", order)
sends(employee, bo, "echoEmployee")
team = TeamInput(lead=person, members=[employee, None])
sends(team, {"lead": {"name": "Al", "age": 30}, "members": [bo, None]}, "echoTeam")
scalars = {
    "flag": True, "tiny": -128, "small": 32767, "count": -7, "total": LARGE, "precise": 0.1, "letter": "€",
    "boxedFlag": False, "boxedTiny": 1, "boxedSmall": 2, "boxedCount": 3, "boxedTotal": LONG, "boxedRatio": 1.5,
    "boxedPrecise": 2.5, "boxedLetter": None, "text": "t", "price": 1.25, "huge": HUGE}
sends(ScalarsInput.from_dict(scalars), {**scalars, "precise": Decimal("0.1")}, "echoScalars")
containers = {
    "bytes": "AAEC/w==", "ints": [1], "strings": ["a", None], "longs": [LARGE], "colors": ["RED"], "prices": [1.25],
    "counts": {"a": 1}, "namesByNumber": [[1, "one"]], "itemsByShelf": {"s": [item().to_dict()]}, "anything": ["x"]}
sends(ContainersInput.from_dict(containers), containers, "echoContainers")
moment = "2026-11-21T10:00:00+00:00"
dates = {"date": moment, "array": [moment], "list": [moment, None], "byName": {"a": moment}}
sends(DatesInput.from_dict(dates), dates, "echoDateFields")
colors = {"favourite": "RED", "array": ["GREEN"], "list": ["BLUE", None], "amounts": {"RED": 1}}
sends(ColorsInput.from_dict(colors), colors, "echoColorFields")
sends(MeasurementInput(value=1.5, unit=7), {"value": Decimal("1.5"), "unit": 7}, "echoMeasurement")
sends(TableInput(rows=[[1, 2], [], [3]]), {"rows": [[1, 2], [], [3]]}, "echoTable")
times = TimesInput(date=DAY, date_time="2026-11-21T10:15:30", instant=MOMENT, duration="PT1M", holidays=[DAY])
sends(times, {"date": "2024-02-29", "dateTime": "2026-11-21T10:15:30", "instant": "2026-11-21T10:00:00+00:00",
       "duration": "PT1M", "holidays": ["2024-02-29"]}, "echoTimes")
page = PageItemInput(content=[item()], first=item(), total=LARGE)
sends(page, {"content": [pen], "first": pen, "total": LARGE}, "echoPage")

same([2, 0, LARGE + 1], "increment", [[1, -1, LARGE]])
same([2, 0], "incrementShorts", [[1, -1]])
sends([map_of("ConformanceServiceIncrementEachBodyItemType0", {"a": 1})], {"a+1": 2}, "incrementEach")
counts = map_of("ConformanceServiceIncrementAllBodyItemType0ItemType0", {"a": LARGE})
sends([[counts]], [{"a": LARGE + 1}], "incrementAll")
sends([map_of("ConformanceServiceHalveEachBodyItemType0", {"a": 3})], {"a": Decimal("1.5")}, "halveEach")
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
same([Color.GREEN, Color.BLUE], "others", [[Color.RED]])
sends([[Color.RED, Color.RED]], {"RED": 2}, "count")
sends([map_of("ConformanceServiceIncrementColorsBodyItemType0", {"RED": 1})], {"RED": 2}, "incrementColors")
sends([[item()]], [[pen, 3]], "countItems")
same(Decimal("4.5"), "total", item())
same(Decimal("4.5"), "totalOfArray", [[item()]])
same(Decimal("9.0"), "totalOfPage", page)
shelves = map_of("ConformanceServiceTotalOfEachBodyItemType0", {"a": [item().to_dict()]})
sends([shelves], {"a": Decimal("4.5")}, "totalOfEach")
same(Decimal("9.0"), "totalOfAll", [[item(), item()]])
sends(ConformanceServicePageBody(items=[item(), item()], size=1),
      {"content": [pen], "first": pen, "total": 2}, "page")
same(LARGE * 2, "apply", ConformanceServiceApplyBody(operation=Operation.TIMES, left=LARGE, right=2))
same([Operation.PLUS, Operation.TIMES], "operations")
same("a-b", "join", ConformanceServiceJoinBody(separator="-", parts=["a", "b"]))
same("aa", "repeat", ConformanceServiceRepeatBody(text="a", times=2))

same(f"Long {LARGE}", "describe", [LARGE])
same("[Integer 1, String a, null]", "describeList", [[1, "a", None]])
same("[Long 1]", "describeLongs", [[1]])
sends([map_of("ConformanceServiceDescribeMapBodyItemType0", {"a": True})], "{String a=Boolean true}", "describeMap")
same("Scalars(flag=Boolean true, tiny=Byte -128, small=Short 32767, count=Integer -7, total=Long 9007199254740993, "
     "precise=Double 0.1, letter=Character U+20AC, boxedFlag=Boolean false, boxedTiny=Byte 1, boxedSmall=Short 2, "
     "boxedCount=Integer 3, boxedTotal=Long 9223372036854775807, boxedRatio=Float 1.5, boxedPrecise=Double 2.5, "
     f"boxedLetter=null, text=String t, price=BigDecimal 1.25, huge=BigInteger {HUGE})",
     "describeScalars", ScalarsInput.from_dict(scalars))
same("Containers(bytes=byte[Byte 0, Byte 1, Byte 2, Byte -1], ints=int[Integer 1], strings=String[String a, null], "
     "longs=[Long 9007199254740993], colors=set[Color RED], prices=[BigDecimal 1.25], counts={String a=Integer 1}, "
     "namesByNumber={Integer 1=String one}, itemsByShelf={String s=[Item(name=String pen, price=BigDecimal 1.5, "
     "quantity=Integer 3)]}, anything=[String x])", "describeContainers", ContainersInput.from_dict(containers))
same("Times(date=LocalDate 2024-02-29, dateTime=LocalDateTime 2026-11-21T10:15:30, "
     "instant=Instant 2026-11-21T10:00:00Z, duration=Duration PT1M, holidays=[LocalDate 2024-02-29])", "describeTimes", times)
same("Team(lead=Person(name=String Al, age=Integer 30), members=[Employee(company=String Acme, skills=[String C], "
     "name=String Bo, age=Integer 40), null])", "describeTeam", team)
same("[null, null, null, null, null, null, null]", "describeNulls", ConformanceServiceDescribeNullsBody(
    text=None, number=None, item=None, list_=None, array=None, color=None, any_=None))
same("n Object[Integer 1, String a]", "describeAll", ConformanceServiceDescribeAllBody(name="n", values=[1, "a"]))

same("pong", "ping")
same(6, "sum", [[1, 2, 3]])
same(None, "nothing")
same(None, "swallow", ["a"])
for method in ("nullString", "nullInteger", "nullItem", "nullList"):
    same(None, method)
same(None, "nothingLater")
same([None, "a", None], "listWithNulls")
sends([3], [[[]]], "nested")
same(3, "depthOf", [[[[]]]])
same(2, "lengthOfText", ["a€"])
sends([2], {"value": 7, "next": {"value": 7, "next": None}}, "chain")
for types, arguments in {"": [], "int": [1], "long": [1], "int, int": [1, 2]}.items():
    which = models.ConformanceServiceOverloadedXDubboParameterTypes(types)
    assert call("overloaded", arguments, x_dubbo_parameter_types=which) == f"({types})", types
assert call("attachment", ["x-a"], x_dubbo_attachments='{"x-a":"b"}') == "b"
same("v", "attach", ConformanceServiceAttachBody(key="x-k", value="v"))
same("plain", "version")
same([], "emptyList")
same([], "emptyArray")
same("later", "later", ["later"])
sends(item(), pen, "itemLater")
sends(NodeInput(value=1, next_=NodeInput(value=2)), 2, "lengthOf")
employee = {"name": "Al", "age": 30, "company": "Acme", "skills": ["Java"]}
for method, expected in {
        "shared": [pen, pen, pen], "emptyMap": {}, "anyEmployee": employee,
        "people": [employee, {"name": "Bo", "age": 20}]}.items():
    result = plain(call(method))
    assert result == expected, f"{method}: {result!r}"

for method, exception in {
        "failUnchecked": "java.lang.IllegalStateException", "failOwnUnchecked": ".ClosedException",
        "failChecked": ".OutOfStockException", "failWithCauses": ".OutOfStockException",
        "failLater": ".ClosedException"}.items():
    problem = call(method, ["closed"])
    assert isinstance(problem, Problem) and problem.exception_class.endswith(exception), problem
problem = call("failWithoutMessage")
assert problem.exception_class == "java.lang.IllegalArgumentException", problem
# Those that the provider or the agent cannot write.
for problem in (call("failUndeclared", ["closed"]), call("ring")):
    assert isinstance(problem, Problem) and problem.code == "PROVIDER_ERROR", problem

with open("build/conformance.json") as document:
    described = {path.rsplit("/", 1)[1] for path in json.load(document)["paths"]}
assert called == described, called ^ described
print(f"{calls} calls of the {len(called)} methods of the conformance service are right")
