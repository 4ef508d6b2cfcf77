// Calls methods of the conformance service with values that lose something wherever a client is not exact.
import { deepStrictEqual } from "node:assert";
import { exactClient } from "./exact.js";
import type { components, paths } from "./conformance-types.js";

const client = exactClient<paths>(process.argv[2]);
const SERVICE = "/io.dubbomesh.demo.conformance.ConformanceService/";
const LARGE = 2n ** 53n + 1n;
const DECIMAL = "12345678901234567890.123456789012345678901234567890";
let calls = 0;

function same(method: string, answer: { data?: unknown; error?: unknown }, expected: unknown) {
  calls++;
  deepStrictEqual(answer.error, undefined, method);
  deepStrictEqual(answer.data, expected, method);
}

for (const long of [LARGE, 2n ** 63n - 1n, -(2n ** 63n)]) {
  same("echoLong", await client.POST(`${SERVICE}echoLong`, { body: [long] }), long);
  same("echoBoxedLong", await client.POST(`${SERVICE}echoBoxedLong`, { body: [long] }), long);
}
same("echoLong", await client.POST(`${SERVICE}echoLong`, { body: [7] }), 7);
same("echoBoxedLong", await client.POST(`${SERVICE}echoBoxedLong`, { body: [null] }), null);
same("echoBoolean", await client.POST(`${SERVICE}echoBoolean`, { body: [true] }), true);
same("echoDouble", await client.POST(`${SERVICE}echoDouble`, { body: [0.1] }), 0.1);
same("echoString", await client.POST(`${SERVICE}echoString`, { body: ['quote " 你好 😀'] }), 'quote " 你好 😀');
same("echoBigDecimal", await client.POST(`${SERVICE}echoBigDecimal`, { body: [DECIMAL] }), DECIMAL);
same("echoBigInteger", await client.POST(`${SERVICE}echoBigInteger`, { body: [LARGE ** 3n] }), LARGE ** 3n);
same("echoDate", await client.POST(`${SERVICE}echoDate`, { body: ["2026-11-21T10:00:00Z"] }), "2026-11-21T10:00:00Z");
same("echoLocalDate", await client.POST(`${SERVICE}echoLocalDate`, { body: ["2024-02-29"] }), "2024-02-29");
same("echoDuration", await client.POST(`${SERVICE}echoDuration`, { body: ["PT1H30M0.5S"] }), "PT1H30M0.5S");
same("echoColor", await client.POST(`${SERVICE}echoColor`, { body: ["GREEN"] }), "GREEN");
same("echoBytes", await client.POST(`${SERVICE}echoBytes`, { body: ["AAEC/w=="] }), "AAEC/w==");
same("echoLongs", await client.POST(`${SERVICE}echoLongs`, { body: [[1, LARGE]] }), [1, LARGE]);

const pen: components["schemas"]["Item-Input"] = { name: "pen", price: 1.5, quantity: 3 };
same("echoItem", await client.POST(`${SERVICE}echoItem`, { body: pen }), pen);
const page = { content: [pen], first: pen, total: LARGE };
same("echoPage", await client.POST(`${SERVICE}echoPage`, { body: page }), page);
const order: components["schemas"]["Order-Input"] = {
  id: LARGE, customer: { class: "io.dubbomesh.demo.conformance.Employee", name: "Bo", age: 40, company: "Acme", skills: [] },
  color: "RED", placed: "2026-11-21T10:00:00Z", items: [pen], gifts: [pen], byShelf: { a: pen },
};
const { class: _, ...customer } = order.customer!;
same("echoOrder", await client.POST(`${SERVICE}echoOrder`, { body: order }), { ...order, customer });

same("increment", await client.POST(`${SERVICE}increment`, { body: [[LARGE, -1]] }), [LARGE + 1n, 0]);
same("incrementEach", await client.POST(`${SERVICE}incrementEach`, { body: [{ a: 1 }] }), { "a+1": 2 });
same("trimNames", await client.POST(`${SERVICE}trimNames`, { body: [[[1, " one "]]] }), [[2, "one"]]);
same("doubleQuantities", await client.POST(`${SERVICE}doubleQuantities`, { body: [[[LARGE, pen]]] }),
  [[LARGE + 1n, { ...pen, quantity: 6 }]]);
same("apply", await client.POST(`${SERVICE}apply`, { body: { operation: "TIMES", left: LARGE, right: 2 } }), LARGE * 2n);
same("total", await client.POST(`${SERVICE}total`, { body: pen }), 4.5);
same("ping", await client.POST(`${SERVICE}ping`), "pong");
same("nothing", await client.POST(`${SERVICE}nothing`), null);
const { error } = await client.POST(`${SERVICE}failOwnUnchecked`, { body: ["closed"] });
deepStrictEqual(error?.exceptionClass, "io.dubbomesh.demo.conformance.ClosedException");
console.log(`${calls + 1} calls of the conformance service are right`);
