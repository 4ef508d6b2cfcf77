// Calls each method of the conformance service with values that lose something wherever a client is not exact.
import { deepStrictEqual } from "node:assert";
import { readFile } from "node:fs/promises";
import { exactClient } from "./exact.js";
import type { components, paths } from "./conformance-types.js";

type Schemas = components["schemas"];
type Answer = Promise<{ data?: unknown; error?: unknown; response: Response }>;

const client = exactClient<paths>(process.argv[2]);
const SERVICE = "/io.dubbomesh.demo.conformance.ConformanceService/";
const CLASSES = "io.dubbomesh.demo.conformance.";
const called = new Set<string>();
let calls = 0;

async function read(call: Answer) {
  const { data, error, response } = await call;
  const method = response.url.split("/").pop()!;
  called.add(method);
  calls++;
  return { data, error, method };
}

async function gets(call: Answer, expected: unknown) {
  const { data, error, method } = await read(call);
  deepStrictEqual(error, undefined, `${method}: ${JSON.stringify(error)}`);
  deepStrictEqual(data, expected, method);
}

async function fails(call: Answer, code: string, exceptionClass?: string) {
  const problem = (await read(call)).error as Schemas["Problem"];
  deepStrictEqual([problem.code, problem.exceptionClass], [code, exceptionClass]);
}

const LARGE = 2n ** 53n + 1n;
const LONG = 2n ** 63n - 1n;
const HUGE = 12345678901234567890123456789n;
const DECIMAL = "12345678901234567890.123456789012345678901234567890";
const MOMENT = "2026-11-21T10:00:00Z";
const DAY = "2024-02-29";

// --- Scalars.
for (const method of ["echoBoolean", "echoBoxedBoolean"] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: [true] }), true);
}
for (const method of ["echoByte", "echoBoxedByte"] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: [-128] }), -128);
}
for (const method of ["echoShort", "echoBoxedShort"] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: [32767] }), 32767);
}
for (const method of ["echoInt", "echoBoxedInt"] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: [-2147483648] }), -2147483648);
}
for (const long of [7, LARGE, LONG, -(2n ** 63n)]) {
  for (const method of ["echoLong", "echoBoxedLong"] as const) {
    await gets(client.POST(`${SERVICE}${method}`, { body: [long] }), long);
  }
}
for (const method of ["echoFloat", "echoBoxedFloat"] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: [-1.5] }), -1.5);
}
for (const method of ["echoDouble", "echoBoxedDouble"] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: [0.1] }), 0.1);
}
for (const method of ["echoChar", "echoBoxedChar"] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: ["€"] }), "€");
}
const TEXT = 'quote " tab \t 你好 😀';
await gets(client.POST(`${SERVICE}echoString`, { body: [TEXT] }), TEXT);
await gets(client.POST(`${SERVICE}echoBigDecimal`, { body: [DECIMAL] }), DECIMAL);
await gets(client.POST(`${SERVICE}echoBigInteger`, { body: [HUGE] }), HUGE);
for (const method of ["echoBoxedBoolean", "echoBoxedLong", "echoString", "echoBigDecimal", "echoDate", "echoColor"] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: [null] }), null);
}

// --- Texts of other classes, dates and times.
const UUID = "0f8fad5b-d9cb-469f-a165-70867728950e";
await gets(client.POST(`${SERVICE}textOfUuid`, { body: [UUID] }), UUID);
await gets(client.POST(`${SERVICE}textOfUri`, { body: ["urn:a:b?c#d"] }), "urn:a:b?c#d");
await gets(client.POST(`${SERVICE}textOfLocale`, { body: ["en_US"] }), "en_US");
await gets(client.POST(`${SERVICE}textOfCurrency`, { body: ["EUR"] }), "EUR");
await gets(client.POST(`${SERVICE}textOfCalendar`, { body: [MOMENT] }), "1795255200000");
for (const [method, text] of [
  ["echoDate", MOMENT], ["echoInstant", MOMENT], ["echoLocalDate", DAY], ["echoLocalTime", "10:15:30.000000001"],
  ["echoLocalDateTime", "2026-11-21T10:15:30"], ["echoOffsetDateTime", "2026-11-21T10:15:30+02:00"],
  ["echoOffsetTime", "10:15:30+02:00"], ["echoZonedDateTime", "2026-11-21T10:15:30+01:00[Europe/Paris]"],
  ["echoDuration", "PT1H30M0.5S"], ["echoPeriod", "P1Y2M3D"], ["echoYear", "2026"], ["echoYearMonth", "2026-11"],
  ["echoMonthDay", "--11-21"], ["echoZoneId", "Europe/Paris"], ["echoZoneOffset", "+02:00"], ["echoBytes", "AAEC/w=="],
  ["echoChars", "a€"],
] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: [text] }), text);
}

// --- Arrays.
for (const method of ["echoBooleans", "echoBoxedBooleans"] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: [[true, false]] }), [true, false]);
}
for (const method of ["echoShorts", "echoBoxedShorts", "echoInts", "echoBoxedInts", "echoBoxedBytes"] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: [[1, -2]] }), [1, -2]);
}
await gets(client.POST(`${SERVICE}echoBoxedInts`, { body: [[1, null]] }), [1, null]);
for (const method of ["echoLongs", "echoBoxedLongs"] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: [[1, LARGE, LONG]] }), [1, LARGE, LONG]);
}
for (const method of ["echoFloats", "echoBoxedFloats", "echoDoubles", "echoBoxedDoubles"] as const) {
  await gets(client.POST(`${SERVICE}${method}`, { body: [[1.5, -0.25]] }), [1.5, -0.25]);
}
await gets(client.POST(`${SERVICE}echoBoxedChars`, { body: [["a", null]] }), ["a", null]);
await gets(client.POST(`${SERVICE}echoStrings`, { body: [["a", "", null, "😀"]] }), ["a", "", null, "😀"]);
await gets(client.POST(`${SERVICE}echoBigDecimals`, { body: [[DECIMAL, 2]] }), [DECIMAL, 2]);
await gets(client.POST(`${SERVICE}echoBigIntegers`, { body: [[1, HUGE]] }), [1, HUGE]);
await gets(client.POST(`${SERVICE}echoDates`, { body: [[MOMENT, null]] }), [MOMENT, null]);
await gets(client.POST(`${SERVICE}echoLocalDates`, { body: [[DAY, "2026-11-21"]] }), [DAY, "2026-11-21"]);
await gets(client.POST(`${SERVICE}echoMatrix`, { body: [[[1, 2], [], [3]]] }), [[1, 2], [], [3]]);
await gets(client.POST(`${SERVICE}echoColors`, { body: [["RED", "BLUE"]] }), ["RED", "BLUE"]);

// --- Objects.
const pen: Schemas["Item-Input"] = { name: "pen", price: 1.5, quantity: 3 };
await gets(client.POST(`${SERVICE}echoItems`, { body: [[pen, null]] }), [pen, null]);
await gets(client.POST(`${SERVICE}echoObject`, { body: [{ a: [1, true, null] }] }), { a: [1, true, null] });
await gets(client.POST(`${SERVICE}echoColor`, { body: ["GREEN"] }), "GREEN");
await gets(client.POST(`${SERVICE}echoOperation`, { body: ["TIMES"] }), "TIMES");
await gets(client.POST(`${SERVICE}echoItem`, { body: pen }), pen);
const al: Schemas["Person-Input"] = { class: `${CLASSES}Person`, name: "Al", age: 30 };
const bo: Schemas["Employee-Input"] = { class: `${CLASSES}Employee`, name: "Bo", age: 40, company: "Acme", skills: ["C"] };
// A result has its class only if that is asked for.
const plain = <T extends { class: unknown }>({ class: _, ...fields }: T) => fields;
const order: Schemas["Order-Input"] = {
  id: LARGE, customer: bo, color: "RED", placed: MOMENT, items: [pen], gifts: [pen], byShelf: { a: pen },
};
await gets(client.POST(`${SERVICE}echoOrder`, { body: order }), { ...order, customer: plain(bo) });
await gets(client.POST(`${SERVICE}echoOrder`, { body: { ...order, customer: null } }), { ...order, customer: null });
await gets(client.POST(`${SERVICE}echoEmployee`, { body: bo }), plain(bo));
const team: Schemas["Team-Input"] = { lead: al, members: [bo, null] };
await gets(client.POST(`${SERVICE}echoTeam`, { body: team }), { lead: plain(al), members: [plain(bo), null] });
const scalars: Schemas["Scalars-Input"] = {
  flag: true, tiny: -128, small: 32767, count: -7, total: LARGE, precise: 0.1, letter: "€", boxedFlag: false,
  boxedTiny: 1, boxedSmall: 2, boxedCount: 3, boxedTotal: LONG, boxedRatio: 1.5, boxedPrecise: 2.5, boxedLetter: null,
  text: "t", price: DECIMAL, huge: HUGE,
};
await gets(client.POST(`${SERVICE}echoScalars`, { body: scalars }), scalars);
await gets(client.POST(`${SERVICE}echoMeasurement`, { body: { value: 1.5, unit: 7 } }), { value: 1.5, unit: 7 });
await gets(client.POST(`${SERVICE}echoTable`, { body: { rows: [[1, 2], [], [3]] } }), { rows: [[1, 2], [], [3]] });
const containers: Schemas["Containers-Input"] = {
  bytes: "AAEC/w==", ints: [1], strings: ["a", null], longs: [LARGE], colors: ["RED"], prices: [DECIMAL],
  counts: { a: 1 }, namesByNumber: [[1, "one"]], itemsByShelf: { s: [pen] }, anything: ["x"],
};
await gets(client.POST(`${SERVICE}echoContainers`, { body: containers }), containers);
const dates: Schemas["Dates-Input"] = { date: MOMENT, array: [MOMENT], list: [MOMENT, null], byName: { a: MOMENT } };
await gets(client.POST(`${SERVICE}echoDateFields`, { body: dates }), dates);
const times: Schemas["Times-Input"] = {
  date: DAY, dateTime: "2026-11-21T10:15:30", instant: MOMENT, duration: "PT1M", holidays: [DAY],
};
await gets(client.POST(`${SERVICE}echoTimes`, { body: times }), times);
const colors: Schemas["Colors-Input"] = { favourite: "RED", array: ["GREEN"], list: ["BLUE", null], amounts: { RED: 1 } };
await gets(client.POST(`${SERVICE}echoColorFields`, { body: colors }), colors);
const page: Schemas["Page_Item-Input"] = { content: [pen], first: pen, total: LARGE };
await gets(client.POST(`${SERVICE}echoPage`, { body: page }), page);

// --- Elements are used by their declared class.
await gets(client.POST(`${SERVICE}increment`, { body: [[1, -1, LARGE]] }), [2, 0, LARGE + 1n]);
await gets(client.POST(`${SERVICE}upperCase`, { body: [["a", "ß"]] }), ["A", "SS"]);
await gets(client.POST(`${SERVICE}negate`, { body: [[1.5, DECIMAL]] }), [-1.5, `-${DECIMAL}`]);
await gets(client.POST(`${SERVICE}incrementEach`, { body: [{ a: 1 }] }), { "a+1": 2 });
await gets(client.POST(`${SERVICE}incrementShorts`, { body: [[1, -1]] }), [2, 0]);
await gets(client.POST(`${SERVICE}halveEach`, { body: [{ a: 3 }] }), { a: 1.5 });
await gets(client.POST(`${SERVICE}transpose`, { body: [[[1, 2], [3, 4]]] }), [[1, 3], [2, 4]]);
await gets(client.POST(`${SERVICE}incrementAll`, { body: [[{ a: LARGE }, {}]] }), [{ a: LARGE + 1n }, {}]);
await gets(client.POST(`${SERVICE}reverseEach`, { body: [["AQID"]] }), ["AwIB"]);
await gets(client.POST(`${SERVICE}nextDays`, { body: [[MOMENT]] }), ["2026-11-22T10:00:00Z"]);
await gets(client.POST(`${SERVICE}nextLocalDays`, { body: [[DAY]] }), ["2024-03-01"]);
await gets(client.POST(`${SERVICE}trimNames`, { body: [[[1, " one "]]] }), [[2, "one"]]);
await gets(client.POST(`${SERVICE}doubleQuantities`, { body: [[[LARGE, pen]]] }), [[LARGE + 1n, { ...pen, quantity: 6 }]]);
await gets(client.POST(`${SERVICE}invert`, { body: [[[true, "a"]]] }), [[false, "a"]]);
await gets(client.POST(`${SERVICE}rotate`, { body: [["GREEN"]] }), ["BLUE"]);
await gets(client.POST(`${SERVICE}others`, { body: [["RED"]] }), ["GREEN", "BLUE"]);
await gets(client.POST(`${SERVICE}count`, { body: [["RED", "RED"]] }), { RED: 2 });
await gets(client.POST(`${SERVICE}incrementColors`, { body: [{ RED: 1 }] }), { RED: 2 });
await gets(client.POST(`${SERVICE}countItems`, { body: [[pen]] }), [[pen, 3]]);
await gets(client.POST(`${SERVICE}total`, { body: pen }), 4.5);
await gets(client.POST(`${SERVICE}totalOfAll`, { body: [[pen, pen]] }), 9);
await gets(client.POST(`${SERVICE}totalOfArray`, { body: [[pen]] }), 4.5);
await gets(client.POST(`${SERVICE}totalOfOrder`, { body: order }), 13.5);
await gets(client.POST(`${SERVICE}totalOfEach`, { body: [{ a: [pen], b: [] }] }), { a: 4.5, b: 0 });
await gets(client.POST(`${SERVICE}page`, { body: { items: [pen, pen], size: 1 } }), { content: [pen], first: pen, total: 2 });
await gets(client.POST(`${SERVICE}totalOfPage`, { body: page }), 9);
await gets(client.POST(`${SERVICE}apply`, { body: { operation: "TIMES", left: LARGE, right: 2 } }), LARGE * 2n);
await gets(client.POST(`${SERVICE}operations`), ["PLUS", "TIMES"]);

// --- What the provider has got.
await gets(client.POST(`${SERVICE}describe`, { body: [LARGE] }), `Long ${LARGE}`);
await gets(client.POST(`${SERVICE}describeList`, { body: [[1, "a", null]] }), "[Integer 1, String a, null]");
await gets(client.POST(`${SERVICE}describeMap`, { body: [{ a: true }] }), "{String a=Boolean true}");
await gets(client.POST(`${SERVICE}describeLongs`, { body: [[1]] }), "[Long 1]");
await gets(client.POST(`${SERVICE}describeScalars`, { body: scalars }),
  "Scalars(flag=Boolean true, tiny=Byte -128, small=Short 32767, count=Integer -7, total=Long 9007199254740993, "
  + "precise=Double 0.1, letter=Character U+20AC, boxedFlag=Boolean false, boxedTiny=Byte 1, boxedSmall=Short 2, "
  + `boxedCount=Integer 3, boxedTotal=Long ${LONG}, boxedRatio=Float 1.5, boxedPrecise=Double 2.5, boxedLetter=null, `
  + `text=String t, price=BigDecimal ${DECIMAL}, huge=BigInteger ${HUGE})`);
await gets(client.POST(`${SERVICE}describeContainers`, { body: containers }),
  "Containers(bytes=byte[Byte 0, Byte 1, Byte 2, Byte -1], ints=int[Integer 1], strings=String[String a, null], "
  + `longs=[Long ${LARGE}], colors=set[Color RED], prices=[BigDecimal ${DECIMAL}], counts={String a=Integer 1}, `
  + "namesByNumber={Integer 1=String one}, itemsByShelf={String s=[Item(name=String pen, price=BigDecimal 1.5, "
  + "quantity=Integer 3)]}, anything=[String x])");
await gets(client.POST(`${SERVICE}describeTimes`, { body: times }),
  "Times(date=LocalDate 2024-02-29, dateTime=LocalDateTime 2026-11-21T10:15:30, instant=Instant 2026-11-21T10:00:00Z, "
  + "duration=Duration PT1M, holidays=[LocalDate 2024-02-29])");
await gets(client.POST(`${SERVICE}describeTeam`, { body: team }),
  "Team(lead=Person(name=String Al, age=Integer 30), members=[Employee(company=String Acme, skills=[String C], "
  + "name=String Bo, age=Integer 40), null])");
const nulls = { text: null, number: null, item: null, list: null, array: null, color: null, any: null };
await gets(client.POST(`${SERVICE}describeNulls`, { body: nulls }), "[null, null, null, null, null, null, null]");
await gets(client.POST(`${SERVICE}describeAll`, { body: { name: "n", values: [1, "a"] } }), "n Object[Integer 1, String a]");

// --- Several arguments, overloads, none, and what is empty.
await gets(client.POST(`${SERVICE}ping`), "pong");
await gets(client.POST(`${SERVICE}sum`, { body: [[1, 2, 3]] }), 6);
await gets(client.POST(`${SERVICE}join`, { body: { separator: "-", parts: ["a", "b"] } }), "a-b");
for (const [types, body] of [["", []], ["int", [1]], ["long", [1]], ["int, int", [1, 2]]] as const) {
  await gets(client.POST(`${SERVICE}overloaded`, {
    body: [...body], params: { header: { "X-Dubbo-Parameter-Types": types } },
  }), `(${types})`);
}
await gets(client.POST(`${SERVICE}nothing`), null);
await gets(client.POST(`${SERVICE}swallow`, { body: ["a"] }), null);
for (const method of ["nullString", "nullInteger", "nullItem", "nullList", "nothingLater"] as const) {
  await gets(client.POST(`${SERVICE}${method}`), null);
}
await gets(client.POST(`${SERVICE}listWithNulls`), [null, "a", null]);
await gets(client.POST(`${SERVICE}emptyList`), []);
await gets(client.POST(`${SERVICE}emptyMap`), {});
await gets(client.POST(`${SERVICE}emptyArray`), []);

// --- Depth, references, subclasses.
await gets(client.POST(`${SERVICE}chain`, { body: [2] }), { value: 7, next: { value: 7, next: null } });
await gets(client.POST(`${SERVICE}lengthOf`, { body: { value: 1, next: { value: 2 } } }), 2);
await gets(client.POST(`${SERVICE}nested`, { body: [3] }), [[[]]]);
await gets(client.POST(`${SERVICE}depthOf`, { body: [[[[]]]] }), 3);
await gets(client.POST(`${SERVICE}repeat`, { body: { text: "a", times: 2 } }), "aa");
await gets(client.POST(`${SERVICE}lengthOfText`, { body: ["a€"] }), 2);
await gets(client.POST(`${SERVICE}shared`), [pen, pen, pen]);
await fails(client.POST(`${SERVICE}ring`), "PROVIDER_ERROR");
const employee = { name: "Al", age: 30, company: "Acme", skills: ["Java"] };
await gets(client.POST(`${SERVICE}people`), [employee, { name: "Bo", age: 20 }]);
await gets(client.POST(`${SERVICE}anyEmployee`), employee);

// --- Failures, asynchronous results, the call itself.
const failure = { body: ["closed"] };
const thrown = "SERVICE_EXCEPTION";
await fails(client.POST(`${SERVICE}failUnchecked`, failure), thrown, "java.lang.IllegalStateException");
await fails(client.POST(`${SERVICE}failOwnUnchecked`, failure), thrown, `${CLASSES}ClosedException`);
await fails(client.POST(`${SERVICE}failChecked`, failure), thrown, `${CLASSES}OutOfStockException`);
await fails(client.POST(`${SERVICE}failWithCauses`, failure), thrown, `${CLASSES}OutOfStockException`);
await fails(client.POST(`${SERVICE}failWithoutMessage`), thrown, "java.lang.IllegalArgumentException");
await fails(client.POST(`${SERVICE}failUndeclared`, failure), "PROVIDER_ERROR");
await fails(client.POST(`${SERVICE}failLater`, failure), thrown, `${CLASSES}ClosedException`);
await gets(client.POST(`${SERVICE}later`, { body: ["later"] }), "later");
await gets(client.POST(`${SERVICE}itemLater`, { body: pen }), pen);
await gets(client.POST(`${SERVICE}attachment`, {
  body: ["x-a"], params: { header: { "X-Dubbo-Attachments": '{"x-a":"b"}' } },
}), "b");
await gets(client.POST(`${SERVICE}attach`, { body: { key: "x-k", value: "v" } }), "v");
await gets(client.POST(`${SERVICE}version`), "plain");

const document = JSON.parse(await readFile("conformance.json", "utf8"));
deepStrictEqual([...called].sort(), Object.keys(document.paths).map((path) => path.slice(SERVICE.length)).sort());
console.log(`${calls} calls of the ${called.size} methods of the conformance service are right`);
