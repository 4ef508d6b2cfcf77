// JSON whose numbers lose no digit: whole ones beyond 2^53 are bigint, decimals that no double holds are text.
import createClient from "openapi-fetch";
import { isInteger, isSafeNumber, parse, stringify } from "lossless-json";

function exactNumber(digits: string): number | bigint | string {
  if (isSafeNumber(digits)) {
    return Number(digits);
  }
  return isInteger(digits) ? BigInt(digits) : digits;
}

/** Returns a client of openapi-fetch for the paths of an OpenAPI document. */
export function exactClient<Paths extends {}>(baseUrl: string) {
  const client = createClient<Paths>({ baseUrl, bodySerializer: (body) => stringify(body) });
  client.use({
    onResponse({ response }) {
      response.json = async () => parse(await response.text(), undefined, exactNumber);
      return response;
    },
  });
  return client;
}
