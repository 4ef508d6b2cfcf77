// Lists and calls all tools with the official SDKs for TypeScript: client.mjs URL REVISION... Prints what it got as JSON. The first generation of the
// SDK speaks the earlier revisions, the second one both.
import * as v2 from '@modelcontextprotocol/client';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const MODERN = '2026-07-28';
const ORDER = {item: 'tea', quantity: 2, price: 3.5, delivery: 'POST', day: '2026-12-30'};
const ARGUMENTS = {buy: {order: ORDER}, buy_masked: {order: ORDER}, greet: {visitor: 'Bo'}, greet_ana: {}};
const [url, ...revisions] = process.argv.slice(2);
const IDENTITY = {name: 'client.mjs', version: '1'};

async function got(client, transport) {
  await client.connect(transport);
  const {tools} = await client.listTools();
  const results = {};
  for (const tool of tools) {
    if (!tool.outputSchema) {
      throw new Error(tool.name);
    }
    // The SDK checks the result against the tool's schema.
    const result = await client.callTool({name: tool.name, arguments: ARGUMENTS[tool.name]});
    if (result.isError) {
      throw new Error(JSON.stringify(result));
    }
    results[tool.name] = result.structuredContent;
  }
  const failed = await client.callTool({name: 'buy', arguments: {order: {...ORDER, quantity: 11}}});
  const unknown = await client.callTool({name: 'sell', arguments: {}}).then(() => '', e => e.message);
  // The first generation does not tell.
  const agreed = client.getNegotiatedProtocolVersion?.();
  await client.close();
  return {revision: agreed, results, failure: failed.isError ? JSON.parse(failed.content[0].text).code : '', unknown};
}

for (const revision of revisions) {
  const second = revision === MODERN
    ? new v2.Client(IDENTITY, {versionNegotiation: {mode: {pin: MODERN}}})
    : new v2.Client(IDENTITY);
  const report = await got(second, new v2.StreamableHTTPClientTransport(new URL(url)));
  if (revision !== MODERN) {
    const first = await got(new Client(IDENTITY), new StreamableHTTPClientTransport(new URL(url)));
    if (JSON.stringify(first.results) !== JSON.stringify(report.results) || !first.unknown.endsWith(report.unknown)) {
      throw new Error(JSON.stringify(first));
    }
  }
  console.log('got ' + JSON.stringify(report));
}
