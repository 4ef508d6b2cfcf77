// Tests of the scripts of the live page that need no browser, run by PageScriptsTest: node --test page.test.mjs, with the scripts' directory in SCRIPTS.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import vm from 'node:vm';

const context = vm.createContext({});
for (const name of ['values.js', 'form.js', 'snippets.js']) {
  vm.runInContext(readFileSync(join(process.env.SCRIPTS, name), 'utf8'), context, { filename: name });
}
const page = new Proxy({}, { get: (_, name) => vm.runInContext(name, context) });
const same = (actual, expected) => assert.deepEqual(JSON.parse(JSON.stringify(actual)), expected);
const rewritten = text => page.writeJson(page.readJson(text));

test('values keep their digits and their order', () => {
  for (const text of ['null', 'true', '"a\\n\\"\\\\{[,:]}"', '[]', '{}', '[[],{}]', '9007199254740993', '-0', '7.00', '1e3',
    '{"b":[7.00,{"a":null}],"2":12345678901234567890,"1":{}}']) {
    assert.equal(rewritten(text), text);
  }
  assert.equal(rewritten(' { "a" : [ 1 , 2 ] } '), '{"a":[1,2]}');
  for (const text of ['', '[1', '{"a":}', '01', '[1,]', '{a:1}', '1 2']) assert.throws(() => page.readJson(text), { name: 'SyntaxError' });
});

const SCHEMAS = {
  Delivery: { type: 'string', enum: ['POST', 'COURIER'] },
  'Order-Input': {
    type: 'object',
    properties: { item: { type: ['string', 'null'] }, quantity: { type: 'integer', format: 'int32', minimum: -2147483648, maximum: 2147483647 },
      delivery: { anyOf: [{ $ref: '#/components/schemas/Delivery' }, { type: 'null' }] }, parent: { anyOf: [{ $ref: '#/components/schemas/Order-Input' }, { type: 'null' }] } },
    required: ['quantity'],
    additionalProperties: false,
  },
  Cat: { type: 'object', properties: { class: { type: 'string', const: 'a.Cat' } }, required: ['class'], additionalProperties: false },
  'Pet-Any': { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: 'class', mapping: { 'a.Cat': '#/components/schemas/Cat' } } },
};
const shape = schema => page.shapeOf(schema, SCHEMAS);
const option = (schema, ...more) => ({ anyOf: [schema, ...more, { type: 'null' }] });

test('a schema has a kind of control', () => {
  const kinds = [
    [{ type: 'boolean' }, 'choice', false],
    [{ type: ['boolean', 'null'] }, 'choice', true],
    [option({ $ref: '#/components/schemas/Delivery' }), 'choice', true],
    [{ type: 'string', enum: ['A', null] }, 'choice', true],
    [{ type: ['integer', 'null'], format: 'int64' }, 'integer', true],
    [{ type: 'number', format: 'decimal' }, 'number', false],
    [{ type: ['string', 'null'] }, 'string', true],
    [{ type: ['array', 'null'], items: { type: 'string' } }, 'list', true],
    [{ type: 'array', prefixItems: [{}], items: {} }, 'tuple', false],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'map', false],
    [option({ type: 'object', maxProperties: 0 }, { type: 'array', items: { type: 'array', prefixItems: [{}, {}] } }), 'pairs', true],
    [option({ type: 'array', items: { type: 'array', prefixItems: [{}, {}] }, minItems: 1 }), 'pairs', true],
    [{ type: ['array', 'null'], items: { type: 'array', prefixItems: [{}, {}] } }, 'pairs', true],
    [option({ $ref: '#/components/schemas/Order-Input' }), 'object', true],
    [{ anyOf: [{ $ref: '#/components/schemas/Order-Input' }], minItems: 1 }, 'object', false],
    [{ anyOf: [{ $ref: '#/components/schemas/Pet-Any' }], not: { type: 'null' } }, 'variants', false],
    [option({ $ref: '#/components/schemas/Pet-Any' }), 'variants', true],
    [{ const: 'a.Cat' }, 'const', false],
    [{}, 'any', false],
    [{ type: ['string', 'number', 'null'] }, 'any', true],
    [{ type: 'object', if: {}, then: {} }, 'any', false],
    [{ not: {} }, 'any', false],
  ];
  for (const [schema, kind, nullable] of kinds) same([shape(schema).kind, shape(schema).nullable], [kind, nullable]);
  same(shape(option({ $ref: '#/components/schemas/Pet-Any' })).variants.map(each => each.title), ['a.Cat']);
});

test('constraints and formats are hints', () => {
  const hints = [
    [{ type: 'integer', format: 'int32', minimum: -2147483648, maximum: 2147483647 }, 'whole number, int32'],
    [{ type: 'integer', format: 'int64', minimum: 1, maximum: 9223372036854775807 }, 'whole number, int64; at least 1'],
    [{ type: 'number', format: 'double', minimum: -1.7976931348623157e308, exclusiveMaximum: 2.5 }, 'number, double; less than 2.5'],
    [{ type: 'string', minLength: 2, maxLength: 9, description: 'A name' }, 'A name; 2 to 9 characters'],
    [{ type: 'string', format: 'date' }, 'date, as 2026-11-28'],
    [{ type: 'string', format: 'date-time' }, 'date-time, as 2026-11-28T09:30:00Z'],
    [{ type: 'string', pattern: '^[0-9]{2}:[0-9]{2}(:[0-9]{2})?$' }, 'as 09:30:00'],
    [{ type: 'string', pattern: '^x+$' }, 'pattern ^x+$'],
    [{ type: 'string', minLength: 1, maxLength: 1, pattern: '^[\\u0000-\\uFFFF]$' }, 'pattern ^[\\u0000-\\uFFFF]$'],
    [{ type: 'string', pattern: '[^\\u0000-\\u0020]' }, 'not blank'],
    [{ type: 'string', allOf: [{ pattern: '[^\\u0000-\\u0020]' }, { pattern: '^x' }] }, 'not blank; pattern ^x'],
    [{ type: 'number', format: 'decimal', minimum: 0, multipleOf: 1 }, 'number, decimal; at least 0; without a fraction'],
    [{ type: 'array', items: {}, maxItems: 3 }, 'at most 3 items'],
    [{}, 'JSON'],
  ];
  for (const [schema, hint] of hints) assert.equal(shape(schema).hint, hint);
});

test('a form begins with values that can be sent', () => {
  const first = schema => page.writeJson(page.initial(schema, SCHEMAS));
  assert.equal(first({ $ref: '#/components/schemas/Order-Input' }), '{"item":"","quantity":0,"delivery":"POST","parent":null}');
  assert.equal(first({ type: 'array', items: { $ref: '#/components/schemas/Order-Input' } }), '[{"item":"","quantity":0,"delivery":"POST","parent":null}]');
  assert.equal(first(option({ $ref: '#/components/schemas/Pet-Any' })), '{"class":"a.Cat"}');
  assert.equal(first({ type: 'integer', minimum: 5 }), '5');
  assert.match(first({ type: 'string', format: 'date' }), /^"\d{4}-\d\d-\d\d"$/);
  assert.match(first({ type: 'string', format: 'date-time' }), /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"$/);
});

test('the arguments of a method have schemas of their own', () => {
  const document = (schema, types) => ({ paths: { '/a.B$C/m': { post: {
    requestBody: { content: { 'application/json': { schema } } },
    parameters: types && [{ name: 'X-Dubbo-Parameter-Types', schema: { enum: types } }],
  } } } });
  const of = (schema, parameterTypes, parameterNames, types) => {
    const found = page.argumentSchemas(document(schema, types), 'a.B$C', { name: 'm', parameterTypes, parameterNames });
    return found && JSON.parse(JSON.stringify(found));
  };
  const [int, text] = [{ type: 'integer' }, { type: 'string' }];
  const array = (...prefixItems) => ({ type: 'array', prefixItems, items: {}, minItems: prefixItems.length, maxItems: prefixItems.length });
  const named = { type: 'object', properties: { x: int, y: text }, required: ['x', 'y'] };
  same(of({ type: 'array', maxItems: 0 }, []), []);
  same(of(int, ['int']), [int]);
  same(of(array({ type: 'array', items: int }), ['int[]']), [{ type: 'array', items: int }]);
  same(of(array(int, text), ['int', 'S']), [int, text]);
  same(of(named, ['int', 'S'], ['x', 'y']), [int, text]);
  same(of({ anyOf: [array(int, text), named] }, ['int', 'S'], ['x', 'y']), [int, text]);
  same(of(named, ['int', 'S']), null);
  same(of({ anyOf: [int, text, array(int, text)] }, ['S'], [], ['int', 'S', 'int, S']), [text]);
  same(of({ anyOf: [int, text, array(int, text)] }, ['int', 'S'], [], ['int', 'S', 'int, S']), [int, text]);
  same(of({ type: 'array', items: text, minItems: 1, maxItems: 1 }, ['S']), [text]);
  same(of({ type: 'array', items: {}, 'x-dubbo-overloads': [int, named] }, ['int', 'S'], ['x', 'y'], ['int', 'int, S']), [int, text]);
  same(page.argumentSchemas({ paths: { '/a.B/m': { post: {} } } }, 'a.B', { name: 'm', parameterTypes: [] }), []);
  same(page.argumentSchemas({ paths: {} }, 'a.B', { name: 'm', parameterTypes: [] }), null);
});

const run = (command, args, env) => new Promise((resolve, reject) => {
  const child = spawn(command, args, { env: { ...process.env, ...env } });
  const out = [];
  child.stdout.on('data', part => out.push(part));
  child.stderr.on('data', part => out.push(part));
  child.on('error', reject);
  child.on('close', code => resolve({ code, text: Buffer.concat(out).toString() }));
});
const PROGRAMS = { curl: text => run('bash', ['-c', text], { TOKEN: 't' }), Python: text => run('python3', ['-c', text], { TOKEN: 't' }), JavaScript: text => run('node', ['-e', text], { TOKEN: 't' }) };

test('each program sends what was sent, whatever is in it', { timeout: 60000 }, async () => {
  let received = null;
  const server = createServer((request, response) => {
    const body = [];
    request.on('data', part => body.push(part));
    request.on('end', () => {
      received = { method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(body).toString() };
      response.setHeader('Connection', 'close');
      response.end('"answered"');
    });
  });
  await new Promise(listening => server.listen(0, '127.0.0.1', listening));
  try {
    const bodies = ['[\n "a\\nb",\t9007199254740993, 7.00]', '["\'\\\'\'"] [\'\'.$@] ```',
      JSON.stringify(['it\'s "quoted" \\ $HOME `id` $(id) !! % {x} # \u2028\u2029 \u00e9\u4e2d\ud83d\ude00 \ud800 \u0000 \u007f </script>'])];
    for (const body of bodies) {
      const hasToken = body === bodies[0];
      const path = '/a.B%24C/m?version=1.0&group=it%27s%5B1%5D';
      const headers = [['X-Request-Timeout', '5000'], ['X-Dubbo-Parameter-Types', 'java.util.List<java.lang.String>, int[]'], ['X-Empty', '']];
      for (const { language, text } of page.snippets({ url: 'http://127.0.0.1:' + server.address().port + path, headers, body, hasToken })) {
        received = null;
        const { code, text: printed } = await PROGRAMS[language](text);
        assert.equal(code, 0, printed);
        assert.match(printed, /"answered"/);
        same([received.method, received.url, received.body], ['POST', path, body]);
        const { headers: got } = received;
        same([got['content-type'], got['x-request-timeout'], got['x-dubbo-parameter-types'], got['x-empty'], got.authorization || ''],
          ['application/json', '5000', 'java.util.List<java.lang.String>, int[]', '', hasToken ? 'Bearer t' : '']);
      }
    }
  } finally {
    server.close();
  }
});
