// Writes the types of an OpenAPI document. usage: node generate.mjs openapi.json types.d.ts
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const keyword = (kind) => ts.factory.createKeywordTypeNode(kind);
const NUMBER = keyword(ts.SyntaxKind.NumberKeyword);
// What exact.ts makes of numbers that a double cannot hold.
const EXACT = {
  int64: keyword(ts.SyntaxKind.BigIntKeyword),
  "big-integer": keyword(ts.SyntaxKind.BigIntKeyword),
  decimal: keyword(ts.SyntaxKind.StringKeyword),
};

const [source, target] = process.argv.slice(2);
const types = await openapiTS(JSON.parse(await readFile(source, "utf8")), {
  transform({ type, format }) {
    if (!(format in EXACT)) {
      return undefined;
    }
    const nullable = [type].flat().includes("null") ? [ts.factory.createLiteralTypeNode(ts.factory.createNull())] : [];
    return ts.factory.createUnionTypeNode([NUMBER, EXACT[format], ...nullable]);
  },
});
await writeFile(target, astToString(types));
