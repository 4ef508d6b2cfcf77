// --- values of JSON with all digits ----------------------------------------------------------------------------------------------------------------

/** A number as it stands in JSON: those of JavaScript lose digits beyond 2^53, and zeros at the end. */
class Digits {
  constructor(text) { this.text = text; }
}
const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** Reads JSON: null, booleans and texts as they are, numbers as Digits, arrays, objects as Map in the order of their members. */
function readJson(text) {
  // Refuses with a place what is no JSON, so that the tokens below are those of a value.
  JSON.parse(text);
  const tokens = text.match(TOKENS);
  let next = 0;
  const value = () => {
    const token = tokens[next++];
    if (token === '[') {
      const array = [];
      while (tokens[next] !== ']') {
        array.push(value());
        if (tokens[next] === ',') next++;
      }
      next++;
      return array;
    }
    if (token === '{') {
      const object = new Map();
      while (tokens[next] !== '}') {
        const name = JSON.parse(tokens[next]);
        next += 2;
        object.set(name, value());
        if (tokens[next] === ',') next++;
      }
      next++;
      return object;
    }
    return NUMBER.test(token) ? new Digits(token) : JSON.parse(token);
  };
  return value();
}
function writeJson(value) {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return '[' + value.map(writeJson).join(',') + ']';
  if (value instanceof Map) return '{' + [...value].map(([name, member]) => JSON.stringify(name) + ':' + writeJson(member)).join(',') + '}';
  return JSON.stringify(value);
}
const MAX_INDENT = 32;
/** JSON on lines of its own, each value as it came: 7.00, members of the same name and their order would not survive being parsed. */
function indented(text) {
  try {
    JSON.parse(text);
  } catch (e) {
    return text;
  }
  const parts = text.match(TOKENS);
  let depth = 0;
  return parts.map((part, i) => {
    const line = () => '\n' + '  '.repeat(Math.min(depth, MAX_INDENT));
    const isEmpty = (part === '{' || part === '[') && (parts[i + 1] === '}' || parts[i + 1] === ']');
    if (part === '{' || part === '[') {
      depth++;
      return isEmpty ? part : part + line();
    }
    if (part === '}' || part === ']') {
      depth--;
      return parts[i - 1] === '{' || parts[i - 1] === '[' ? part : line() + part;
    }
    return part === ',' ? part + line() : part === ':' ? ': ' : part;
  }).join('');
}
