// --- a form for a value, from its schema -----------------------------------------------------------------------------------------------------------

/** Values of texts that have a pattern instead of a format: the first that fits is shown as an example. */
const SAMPLES = ['2026-11-28T09:30:00', '09:30:00', '2026-11-28T09:30:00+01:00', '2026-11-28T09:30:00+01:00[Europe/Berlin]', '09:30:00+01:00', '2026-11-28', '2026-11', '--11-28',
  '2026', 'PT1H30M', 'P1Y2M3D', '+01:00', 'Europe/Berlin', 'EUR', 'en_GB', 'a', '1', 'true', 'AAAA'];
/** Any text that is not blank, as the schemas write it. */
const NOT_BLANK = '[^\\u0000-\\u0020]';
const RANGES = { int8: 7, int16: 15, int32: 31, int64: 63 };
/** Classes that contain each other are drawn so deep, and further when they are opened. */
const MAX_DRAWN = 4;

/** The parts of a schema that make no difference for its form resolved: references, null as one of the types. */
function resolved(schema, schemas) {
  let nullable = false;
  let name = null;
  for (let i = 0; i < 20; i++) {
    const { $ref, anyOf, allOf, ...beside } = schema;
    const others = anyOf && anyOf.filter(each => each.type !== 'null');
    if ($ref) {
      name = $ref.slice($ref.lastIndexOf('/') + 1);
      schema = { ...schemas[decodeURIComponent(name)], ...beside };
    } else if (others && others.length === 1) {
      nullable = nullable || others.length < anyOf.length;
      schema = { ...others[0], ...beside };
    } else if (allOf && allOf.length === 1) {
      schema = { ...allOf[0], ...beside };
    } else {
      nullable = nullable || (others !== undefined && others.length < anyOf.length);
      schema = others ? { ...beside, anyOf: others } : schema;
      break;
    }
  }
  return { schema, nullable, name };
}

/** What a schema is for a form: { kind, nullable, name of its class, and what the kind needs }. What no form can show is of the kind any. */
function shapeOf(given, schemas) {
  const { schema, nullable: isOption, name } = resolved(given, schemas);
  const types = [].concat(schema.type === undefined ? [] : schema.type);
  const nullable = isOption || types.includes('null') || (schema.enum || []).includes(null);
  const kind = kindOf(schema, types.filter(type => type !== 'null'));
  return { ...kind, nullable, name, schema, hint: hintOf(schema, kind.kind) };
}
function kindOf(schema, types) {
  if ('const' in schema) return { kind: 'const', value: schema.const };
  if (schema.enum) return { kind: 'choice', values: schema.enum.filter(value => value !== null) };
  const pairs = (schema.anyOf || []).find(isPairs);
  if (pairs && schema.anyOf.every(each => each === pairs || each.maxProperties === 0)) return { kind: 'pairs', entry: pairs.items.prefixItems };
  const variants = schema.oneOf || schema.anyOf;
  if (variants) return { kind: 'variants', variants: variants.map((each, i) => ({ title: titleOf(each, i, schema.discriminator), schema: each })) };
  if (types.length !== 1 || schema.if || schema.not) return { kind: 'any' };
  switch (types[0]) {
    case 'boolean': return { kind: 'choice', values: [false, true] };
    case 'integer':
    case 'number':
    case 'string': return { kind: types[0] };
    case 'array': return isPairs(schema) ? { kind: 'pairs', entry: schema.items.prefixItems } : schema.prefixItems ? { kind: 'tuple', items: schema.prefixItems } : { kind: 'list', items: schema.items || {} };
    case 'object': return schema.properties && Object.keys(schema.properties).length > 0 || typeof schema.additionalProperties !== 'object'
      ? { kind: 'object', members: schema.properties || {}, required: schema.required || [] } : { kind: 'map', items: schema.additionalProperties };
    default: return { kind: 'any' };
  }
}
const isPairs = schema => [].concat(schema.type).includes('array') && schema.items !== undefined && Array.isArray(schema.items.prefixItems) && schema.items.prefixItems.length === 2;
function titleOf(schema, index, discriminator) {
  const mapped = Object.entries((discriminator || {}).mapping || {}).find(([, place]) => place === schema.$ref);
  return mapped ? mapped[0] : schema.$ref ? schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1) : [].concat(schema.type || 'form').join(' or ') + ' ' + (index + 1);
}

/** What a person should know who writes a value: the format, an example, and constraints. */
function hintOf(schema, kind) {
  const parts = [schema.description];
  if (kind === 'integer') parts.push('whole number' + (schema.format ? ', ' + schema.format : ''));
  if (kind === 'number') parts.push('number' + (schema.format ? ', ' + schema.format : ''));
  if (kind === 'string' && sampleOf(schema)) parts.push((schema.format || 'as') + (schema.format ? ', as ' : ' ') + sampleOf(schema));
  if (kind === 'any') parts.push('JSON');
  if (kind === 'integer' || kind === 'number') {
    parts.push(bound('at least', schema.minimum, schema), bound('at most', schema.maximum, schema),
      bound('more than', schema.exclusiveMinimum, schema), bound('less than', schema.exclusiveMaximum, schema));
  }
  if (kind === 'string' && schema.maxLength !== 1) parts.push(range(schema.minLength, schema.maxLength, 'characters'));
  if (kind === 'string') parts.push(...patternsOf(schema));
  if (schema.multipleOf === 1) parts.push('without a fraction');
  if (kind === 'list' || kind === 'pairs') parts.push(range(schema.minItems, schema.maxItems, 'items'));
  if (kind === 'map') parts.push(range(schema.minProperties, schema.maxProperties, 'entries'));
  return parts.filter(part => part).join('; ');
}
/** The patterns that no example stands for. */
function patternsOf(schema) {
  const patterns = [sampleOf(schema) ? undefined : schema.pattern, ...(schema.allOf || []).map(each => each.pattern)];
  return patterns.filter(each => each !== undefined).map(each => each === NOT_BLANK ? 'not blank' : 'pattern ' + each);
}
/** Those of the format itself need not be said; those beyond 2^53 have lost digits here. */
function bound(word, value, schema) {
  const bits = RANGES[schema.format];
  const isOfFormat = bits !== undefined && (value === -(2 ** bits) || value === 2 ** bits - 1) || Math.abs(value) > 1e38;
  return value === undefined || isOfFormat || (Number.isInteger(value) && !Number.isSafeInteger(value)) ? '' : word + ' ' + value;
}
function range(least, most, what) {
  if (least === undefined && most === undefined) return '';
  return (least === undefined ? 'at most ' + most : most === undefined ? 'at least ' + least : least + ' to ' + most) + ' ' + what;
}
/** A text that the schema allows, of those with a format or a pattern; empty where none is known. */
function sampleOf(schema) {
  switch (schema.format) {
    case 'date': return '2026-11-28';
    case 'date-time': return '2026-11-28T09:30:00Z';
    case 'uuid': return '123e4567-e89b-12d3-a456-426614174000';
    case 'uri-reference': return '/orders/7';
    case 'byte': return 'aGVsbG8=';
  }
  if (!schema.pattern) return '';
  try {
    const pattern = new RegExp(schema.pattern, 'u');
    const sample = SAMPLES.find(each => pattern.test(each));
    // An example says nothing of a pattern that nearly every text fits.
    return sample === undefined || pattern.test('~') ? '' : sample;
  } catch (e) {
    return '';
  }
}

/** A value to begin with, to be changed by hand, as readJson has it. */
function initial(schema, schemas, within = []) {
  const shape = shapeOf(schema, schemas);
  const isRepeated = shape.name !== null && within.includes(shape.name) || within.length > MAX_DRAWN;
  const inside = [...within, shape.name];
  switch (shape.kind) {
    case 'const': return shape.value;
    case 'choice': return shape.values[0] === undefined ? null : shape.values[0];
    case 'integer':
    case 'number': return new Digits(String(Math.max(0, Number.isSafeInteger(shape.schema.minimum) ? shape.schema.minimum : 0)));
    case 'string': return shape.schema.format === 'date' || shape.schema.format === 'date-time' ? now(shape.schema.format) : sampleOf(shape.schema);
    case 'tuple': return shape.items.map(item => initial(item, schemas, inside));
    case 'list': return isRepeated ? [] : [initial(shape.items, schemas, inside)];
    case 'pairs': return [];
    case 'map': return new Map();
    case 'object': return isRepeated && shape.nullable ? null
      : new Map(Object.entries(shape.members).map(([name, member]) => [name, initial(member, schemas, inside)]));
    case 'variants': return isRepeated && shape.nullable ? null : initial(shape.variants[0].schema, schemas, inside);
    default: return null;
  }
}
function now(format) {
  const text = new Date().toISOString();
  return format === 'date' ? text.slice(0, 10) : text.slice(0, 19) + 'Z';
}

/**
 * The schemas of the arguments of a method, in order, in an OpenAPI document of its service; null if the document does not have them.
 * method: { name, parameterTypes, parameterNames }
 */
function argumentSchemas(document, service, method) {
  const part = name => encodeURIComponent(name).replaceAll('%24', '$');
  const path = (document.paths || {})['/' + part(service) + '/' + part(method.name)];
  if (!path || !path.post) return null;
  const count = method.parameterTypes.length;
  if (count === 0) return [];
  const content = path.post.requestBody && path.post.requestBody.content['application/json'];
  if (!content) return null;
  const types = (path.post.parameters || []).find(each => each.name === 'X-Dubbo-Parameter-Types');
  const index = types ? types.schema.enum.indexOf(method.parameterTypes.join(', ')) : -1;
  const body = index < 0 ? content.schema : (content.schema['x-dubbo-overloads'] || content.schema.anyOf)[index];
  const forms = [body, ...(body.anyOf || []), ...(body.oneOf || [])];
  const array = forms.find(each => each.type === 'array' && each.prefixItems && each.prefixItems.length === count);
  if (array) return array.prefixItems;
  if (count === 1 && body.type === 'array' && body.maxItems === 1) return [body.items];
  if (count === 1) return [body];
  const names = method.parameterNames || [];
  const object = forms.find(each => each.properties && names.length === count && names.every(name => name in each.properties));
  return object ? names.map(name => object.properties[name]) : null;
}

// --- its parts: each has an element, read(), which gives the value or throws what is wrong with it, and write(value), which throws if it does not fit -------

const ABSENT = Symbol('absent');
let fields = 0;

function unfit(path, found) {
  return new Error('the form has no place for ' + path + ': ' + (found === undefined ? 'it is missing' : writeJson(found).slice(0, 60)));
}
/** Says at its control what is wrong with a value. */
function wrong(control, path, expected) {
  control.setAttribute('aria-invalid', 'true');
  return Object.assign(new Error(path + ' (expected: ' + expected + ')'), { control });
}

/**
 * A value with its name, and the choice of null or of nothing where it can be one.
 * name: { text, hint, path: () => text for messages, isOptional }
 */
function field(name, schema, schemas) {
  const shape = shapeOf(schema, schemas);
  const id = 'call-field-' + ++fields;
  const states = ['value', ...(shape.nullable ? ['null'] : []), ...(name.isOptional ? ['left out'] : [])];
  const state = states.length === 1 ? null : h('select', { class: 'state-of', 'aria-label': name.text + ': ' + states.join(' or ') }, ...states.map(each => h('option', {}, each)));
  const isGroup = ['object', 'list', 'map', 'pairs', 'tuple', 'variants'].includes(shape.kind);
  const hint = [name.hint, shape.hint].filter(each => each).join('; ');
  const title = h('span', {}, name.text);
  const required = states.length === 1 && shape.kind !== 'const' ? h('abbr', { title: 'required' }, '*') : null;
  const note = hint ? h('small', { id: id + '-hint', class: 'soft' }, hint) : null;
  const box = h('div', {});
  let editor = null;
  const edit = () => {
    if (editor === null) {
      editor = (isGroup ? groupEditor : plainEditor)(shape, name, schemas, { id, 'aria-describedby': note ? id + '-hint' : null });
      box.replaceChildren(editor.element);
    }
    return editor;
  };
  const isValue = () => state === null || state.value === 'value';
  const choose = chosen => {
    if (state) state.value = chosen;
    if (isValue()) edit();
    box.hidden = !isValue();
  };
  if (state) {
    state.addEventListener('change', () => {
      const isNew = editor === null;
      choose(state.value);
      if (isNew && isValue()) edit().write(initial(schema, schemas));
    });
  }
  const element = isGroup
    ? h('fieldset', { class: 'part group', 'aria-describedby': note ? id + '-hint' : null }, h('legend', {}, title, required, state), note, box)
    : h('div', { class: 'part' }, h('span', { class: 'head' }, h('label', { for: id }, title, required), state), box, note);
  return {
    element,
    rename: text => setText(title, text),
    read: () => isValue() ? edit().read() : state.value === 'null' ? null : ABSENT,
    write: value => {
      if (value === ABSENT || (value === null && shape.kind !== 'any')) {
        const wanted = value === null ? 'null' : 'left out';
        if (!states.includes(wanted)) throw unfit(name.path(), value === null ? null : undefined);
        choose(wanted);
      } else {
        edit().write(value);
        choose('value');
      }
    },
  };
}

function plainEditor(shape, name, schemas, attributes) {
  switch (shape.kind) {
    case 'const': return {
      element: h('output', attributes, String(shape.value)),
      read: () => shape.value,
      write: value => { if (value !== shape.value) throw unfit(name.path(), value); },
    };
    case 'choice': {
      const select = h('select', attributes, ...shape.values.map((value, i) => h('option', { value: i }, String(value))));
      return {
        element: select,
        read: () => shape.values[select.value],
        write: value => {
          if (!shape.values.includes(value)) throw unfit(name.path(), value);
          select.value = shape.values.indexOf(value);
        },
      };
    }
    case 'integer':
    case 'number': return numberEditor(shape, name, attributes);
    case 'string': {
      const isOneLine = shape.schema.format !== undefined || sampleOf(shape.schema) !== '';
      const control = isOneLine ? h('input', { ...attributes, autocomplete: 'off', spellcheck: 'false' }) : h('textarea', { ...attributes, rows: 1, spellcheck: 'false' });
      return {
        element: control,
        read: () => control.value,
        write: value => {
          if (typeof value !== 'string' || (isOneLine && /[\r\n]/.test(value)) || value.includes('\r')) throw unfit(name.path(), value);
          control.value = value;
          if (!isOneLine) control.rows = Math.min(8, value.split('\n').length);
        },
      };
    }
    default: {
      const control = h('textarea', { ...attributes, rows: 2, spellcheck: 'false' }, 'null');
      return {
        element: control,
        read: () => {
          try {
            const value = readJson(control.value);
            control.removeAttribute('aria-invalid');
            return value;
          } catch (e) {
            throw wrong(control, name.path(), 'JSON; text in quotes: ' + e.message);
          }
        },
        write: value => { control.value = indented(writeJson(value)); },
      };
    }
  }
}
function numberEditor(shape, name, attributes) {
  const isWhole = shape.kind === 'integer';
  const input = h('input', { ...attributes, inputmode: isWhole ? 'numeric' : 'decimal', autocomplete: 'off', spellcheck: 'false' });
  return {
    element: input,
    read: () => {
      const text = input.value.trim();
      if (!(isWhole ? /^-?(0|[1-9][0-9]*)$/ : NUMBER).test(text)) throw wrong(input, name.path(), isWhole ? 'a whole number, as 42' : 'a number, as 3.50');
      input.removeAttribute('aria-invalid');
      return new Digits(text);
    },
    write: value => {
      if (!(value instanceof Digits)) throw unfit(name.path(), value);
      input.value = value.text;
    },
  };
}

function groupEditor(shape, name, schemas) {
  switch (shape.kind) {
    case 'object': return objectEditor(shape, name, schemas);
    case 'tuple': return tupleEditor(shape.items.map((item, i) => ({ schema: item, name: { text: 'item ' + (i + 1), path: () => name.path() + '[' + i + ']' } })), name, schemas);
    case 'variants': return variantsEditor(shape, name, schemas);
    default: return rowsEditor(shape, name, schemas);
  }
}
function objectEditor(shape, name, schemas) {
  const members = new Map(Object.entries(shape.members).map(([member, schema]) => [member, field({
    text: member, path: () => name.path() + '.' + member, isOptional: !shape.required.includes(member),
  }, schema, schemas)]));
  return {
    element: h('div', {}, ...[...members.values()].map(each => each.element), members.size ? null : h('p', { class: 'soft small' }, 'It has no fields.')),
    read: () => new Map([...members].map(([member, each]) => [member, each.read()]).filter(([, value]) => value !== ABSENT)),
    write: value => {
      if (!(value instanceof Map)) throw unfit(name.path(), value);
      for (const [member, given] of value) if (!members.has(member)) throw unfit(name.path() + '.' + member, given);
      for (const [member, each] of members) each.write(value.has(member) ? value.get(member) : ABSENT);
    },
  };
}
/** An array whose items have names and schemas of their own: [{ name, schema }], as the arguments of a method. */
function tupleEditor(items, name, schemas) {
  const parts = items.map(item => field(item.name, item.schema, schemas));
  return {
    element: h('div', {}, ...parts.map(each => each.element)),
    read: () => parts.map(each => each.read()),
    write: value => {
      if (!Array.isArray(value) || value.length !== parts.length) throw unfit(name.path(), value);
      parts.forEach((each, i) => each.write(value[i]));
    },
  };
}
function variantsEditor(shape, name, schemas) {
  const select = h('select', { 'aria-label': name.text + ': which one' }, ...shape.variants.map((each, i) => h('option', { value: i }, each.title)));
  const box = h('div', {});
  let chosen = null;
  const choose = index => {
    const made = field({ text: shape.variants[index].title, path: name.path }, shape.variants[index].schema, schemas);
    return () => {
      select.value = index;
      chosen = made;
      box.replaceChildren(made.element);
      return made;
    };
  };
  const begin = index => choose(index)().write(initial(shape.variants[index].schema, schemas));
  select.addEventListener('change', () => begin(Number(select.value)));
  return {
    element: h('div', {}, select, box),
    read: () => {
      if (chosen === null) begin(0);
      return chosen.read();
    },
    write: value => {
      for (let i = 0; i < shape.variants.length; i++) {
        const made = choose(i);
        const before = { chosen, index: select.value };
        try {
          made().write(value);
          return;
        } catch (e) {
          chosen = before.chosen;
          select.value = before.index;
          box.replaceChildren(...(chosen ? [chosen.element] : []));
        }
      }
      throw unfit(name.path(), value);
    },
  };
}
/** A list, a map by name, or one of pairs: rows that can be added and removed. */
function rowsEditor(shape, name, schemas) {
  const list = h('div', {});
  let rows = [];
  const number = () => rows.forEach((row, i) => {
    const title = (shape.kind === 'list' ? 'item ' : 'entry ') + (i + 1);
    row.rename(title);
    row.remove.setAttribute('aria-label', 'Remove ' + title + ' of ' + name.text);
  });
  const add = () => {
    const row = rowOf(shape, () => name.path() + '[' + rows.indexOf(row) + ']', schemas);
    row.remove = h('button', { type: 'button', onclick: () => {
      rows = rows.filter(each => each !== row);
      line.remove();
      number();
      more.focus();
    } }, 'Remove');
    const line = h('div', { class: 'row' }, row.element, row.remove);
    rows.push(row);
    list.append(line);
    number();
    return row;
  };
  const more = h('button', { type: 'button', 'aria-label': 'Add to ' + name.text, onclick: () => {
    const row = add();
    row.write(firstOf(shape, schemas));
    const control = row.element.querySelector('input, textarea, select');
    if (control) control.focus();
  } }, 'Add');
  return {
    element: h('div', {}, list, more),
    read: () => {
      const values = rows.map(row => row.read());
      if (shape.kind !== 'map') return values;
      const map = new Map(values);
      if (map.size < values.length) throw new Error(name.path() + ': two entries have one name (expected: each name once)');
      return map;
    },
    write: value => {
      const isEmptyMap = shape.kind === 'pairs' && value instanceof Map && value.size === 0;
      if (!(shape.kind === 'map' ? value instanceof Map : Array.isArray(value) || isEmptyMap)) throw unfit(name.path(), value);
      rows = [];
      list.replaceChildren();
      for (const each of isEmptyMap ? [] : value) add().write(each);
    },
  };
}
function firstOf(shape, schemas) {
  switch (shape.kind) {
    case 'list': return initial(shape.items, schemas);
    case 'map': return ['', initial(shape.items, schemas)];
    default: return shape.entry.map(each => initial(each, schemas));
  }
}
/** An item, or the name or key of an entry and its value: as an array of both. */
function rowOf(shape, path, schemas) {
  if (shape.kind === 'list') return field({ text: 'item', path }, shape.items, schemas);
  const parts = shape.kind === 'map' ? [{ type: 'string', ...shape.schema.propertyNames }, shape.items] : shape.entry;
  const titles = [shape.kind === 'map' ? 'name' : 'key', 'value'];
  const title = h('legend', {}, 'entry');
  const editor = tupleEditor(parts.map((schema, i) => ({ schema, name: { text: titles[i], path: () => path() + ' ' + titles[i] } })), { path }, schemas);
  return { ...editor, element: h('fieldset', { class: 'part group' }, title, editor.element), rename: text => setText(title, text) };
}
