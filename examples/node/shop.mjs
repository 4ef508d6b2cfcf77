// Calls the demo's shop through a consumer agent. usage: node shop.mjs [http://127.0.0.1:20000]
import { setTimeout as sleep } from 'node:timers/promises';

const url = process.argv[2] ?? 'http://127.0.0.1:20000';
const deadlineMs = 2000;
const attempts = 3;

/** A call that was answered with a problem document (RFC 9457). */
class CallFailed extends Error {
  constructor(problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }
}

/** target: interface/method, with ?version=...&group=... if the service has them */
async function call(target, ...args) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${url}/${target}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Request-Timeout': String(deadlineMs) },
      body: JSON.stringify(args),
      // The agent answers at the deadline, at the latest: this is for an agent that is gone.
      signal: AbortSignal.timeout(deadlineMs + 1000),
    });
    const result = await answer.json();
    // 503 alone says that the service did not execute the call and may do so later.
    if (answer.status === 503 && attempt < attempts) {
      await sleep(1000 * Number(answer.headers.get('retry-after')));
    } else if (answer.ok) {
      return result;
    } else {
      throw new CallFailed(result);
    }
  }
}

const shop = 'io.dubbomesh.demo.shop.Shop';
// Amounts as text: a number of JavaScript has too few digits for some of them.
const order = { item: 'tea', quantity: 2, price: '3.50', delivery: 'POST', day: '2026-12-30' };

const receipt = await call(`${shop}/buy`, order);
console.log(`${receipt.item} for ${receipt.total.toFixed(2)}, delivered on ${receipt.day}`);

console.log(await call(`${shop}/greet?version=2.0.0&group=blue`, 'Ana'));

try {
  await call(`${shop}/buy`, { ...order, quantity: 20 });
} catch (failure) {
  if (!(failure instanceof CallFailed)) throw failure;
  console.log(failure.message);
}
