// --- a call ----------------------------------------------------------------------------------------------------------------------------------------

/** The description of the chosen service, its OpenAPI document, and the form for the arguments of the chosen method; null where there is none. */
const call = { description: null, document: null, form: null, asked: 0, isUnderWay: false, language: 'curl' };
function showCallServices() {
  showCallAccess();
  const select = byId('call-service');
  const names = mesh.services.map(each => each.service);
  if (showCallVariants() && byId('try-details').open) describe();
  if (names.join('\n') === [...select.options].map(option => option.value).join('\n') || document.activeElement === select) return;
  const chosen = select.value;
  select.replaceChildren(...names.map(name => h('option', { value: name }, name)));
  if (names.includes(chosen)) select.value = chosen;
  showCallVariants();
  if (select.value !== chosen && byId('try-details').open) describe();
}
/** Those on offer to choose from; where the registry does not list them, they are typed. True if another one is chosen now. */
function showCallVariants() {
  const select = byId('call-variant');
  const service = mesh.services.find(each => each.service === byId('call-service').value);
  const served = (service && service.served) || [];
  byId('call-served').hidden = served.length === 0;
  document.querySelectorAll('.call-typed').forEach(label => { label.hidden = served.length > 0; });
  const values = served.map(each => JSON.stringify([each.version, each.group]));
  if (values.join('\n') === [...select.options].map(option => option.value).join('\n') || document.activeElement === select) return false;
  const chosen = select.value;
  select.replaceChildren(...served.map((each, index) => h('option', { value: values[index] },
    each.version || each.group ? [each.version && 'version ' + each.version, each.group && 'group ' + each.group].filter(part => part).join(', ') : 'no version, no group')));
  if (values.includes(chosen)) select.value = chosen;
  return chosen !== '' && select.value !== chosen;
}
function calledVariant() {
  if (byId('call-served').hidden) return { version: byId('call-version').value.trim(), group: byId('call-group').value.trim() };
  const [version, group] = JSON.parse(byId('call-variant').value);
  return { version, group };
}
const isGuarded = () => mesh.state !== null && mesh.state.authenticatesCallers === true;
const typedToken = () => byId('call-token').value.trim();
/** Where callers need a token and none is given, nothing can be typed or sent. */
function showCallAccess() {
  const isReadOnly = isGuarded() && typedToken() === '';
  byId('call-guard').hidden = !isGuarded();
  byId('call-fields').disabled = isReadOnly;
  byId('call-arguments').readOnly = isReadOnly;
  byId('call-button').disabled = isReadOnly || !mesh.access.changes || call.isUnderWay;
}
/** With the token that was typed, for an agent that serves only callers that it knows. */
function asCaller() {
  if (!isGuarded()) return {};
  const token = typedToken();
  if (token === '') throw new Error('This agent serves only callers that it knows: give it the token of one.');
  if (!/^[!-~]+$/.test(token)) throw new Error('The token: expected printable characters without blanks.');
  return { Authorization: 'Bearer ' + token };
}
async function describe() {
  const service = byId('call-service').value;
  const methods = byId('call-method');
  const asked = ++call.asked;
  Object.assign(call, { description: null, document: null, form: null });
  methods.replaceChildren();
  showArguments();
  if (!service) return setText(byId('call-note'), 'No service is registered.');
  const path = 'services/' + encodeURIComponent(service);
  const query = '?' + new URLSearchParams(calledVariant());
  let description = null;
  let reason = null;
  try {
    description = await get(path + query, asCaller());
  } catch (e) {
    reason = e.message;
  }
  // Something else may have been chosen meanwhile.
  if (asked !== call.asked) return;
  call.description = description;
  const known = description !== null;
  byId('call-free').hidden = known;
  methods.disabled = !known;
  if (!known) return setText(byId('call-note'), reason);
  methods.replaceChildren(...description.methods.map((method, index) => h('option', { value: index },
    method.name + '(' + method.parameterTypes.map(shortType).join(', ') + ')')));
  chooseMethod();
  try {
    const openApi = await get(path + '/openapi' + query, asCaller());
    if (asked !== call.asked) return;
    call.document = openApi;
    chooseMethod();
  } catch (e) {
    if (asked === call.asked) setText(byId('call-note'), signature(chosenMethod()) + ': there is no form, ' + e.message);
  }
}
const shortType = type => type.replace(/[\w.$]+\./g, '');
const signature = method => method.returnType + ' ' + method.name + '(' + method.parameterTypes.join(', ') + ')';
const chosenMethod = () => call.description && call.description.methods[byId('call-method').value];

// --- its arguments, in a form or in JSON -------------------------------------------------------------------------------------------------------------

const asForm = () => call.form !== null && byId('call-as-form').checked;
function showArguments() {
  byId('call-as').hidden = call.form === null;
  byId('call-fields').hidden = !asForm();
  byId('call-text').hidden = asForm();
}
/** Begins with values that can be sent. Until the schemas have come, or where there are none, the arguments are JSON alone. */
function chooseMethod() {
  const method = chosenMethod();
  if (!method) return;
  const schemas = call.document && argumentSchemas(call.document, byId('call-service').value, method);
  let values = method.parameterTypes.map(() => null);
  call.form = null;
  if (schemas) {
    const classes = (call.document.components || {}).schemas || {};
    const names = method.parameterNames || [];
    values = schemas.map(schema => initial(schema, classes));
    call.form = tupleEditor(schemas.map((schema, i) => {
      const text = names[i] || 'argument ' + (i + 1);
      return { schema, name: { text, hint: shortType(method.parameterTypes[i]), path: () => text } };
    }), { text: 'arguments', path: () => 'the arguments' }, classes);
    call.form.write(values);
    byId('call-fields').replaceChildren(schemas.length ? call.form.element : h('p', { class: 'small soft' }, 'It takes no arguments.'));
  }
  showText(writeJson(values));
  showArguments();
  setText(byId('call-note'), signature(method));
}
function showText(json) {
  const area = byId('call-arguments');
  area.value = indented(json);
  area.rows = Math.min(14, Math.max(3, area.value.split('\n').length));
}
/** Takes the values along; what the other way cannot show stays where it is, with the reason. */
function changeWay() {
  byId('call-answer').replaceChildren();
  try {
    if (asForm()) call.form.write(readJson(byId('call-arguments').value));
    else showText(writeJson(call.form.read()));
  } catch (e) {
    byId(asForm() ? 'call-as-json' : 'call-as-form').checked = true;
    showCallFailure(e);
  }
  showArguments();
}
function showCallFailure(e) {
  byId('call-answer').replaceChildren(h('p', { class: 'state' }, mark('bad'),
    h('span', {}, e instanceof SyntaxError ? 'the arguments are not JSON: ' + e.message : e.message)));
  if (e.control) e.control.focus();
}

// --- its answer --------------------------------------------------------------------------------------------------------------------------------------

/** What is to be called, or why that cannot be told. */
function wantedCall() {
  const described = chosenMethod();
  let method = described && described.name;
  let parameterTypes = described && described.parameterTypes;
  if (!described) {
    const signature = /^\s*([\w$]+)\s*(?:\((.*)\))?\s*$/.exec(byId('call-signature').value);
    if (!signature) throw new Error('the method: expected a name, or a name and types as in greet(java.lang.String)');
    method = signature[1];
    if (signature[2] !== undefined) parameterTypes = signature[2].split(',').map(type => type.trim()).filter(type => type);
  }
  // The text itself is sent, since numbers of JavaScript would lose digits.
  const text = asForm() ? writeJson(call.form.read()) : byId('call-arguments').value.trim();
  if (!Array.isArray(JSON.parse(text))) throw new Error('the arguments: expected a JSON array');
  return { service: byId('call-service').value, ...calledVariant(), method, parameterTypes, arguments: text, timeoutMs: Number(byId('call-timeout').value) };
}
/** Where the time of a call went: 'queue;dur=0.000, provider;dur=50.127'. */
function stages(serverTiming) {
  const found = [...(serverTiming || '').matchAll(/([\w-]+);dur=([\d.]+)/g)].filter(([, name]) => name !== 'total');
  return found.length === 0 ? '' : h('p', { class: 'small soft' }, 'of which ' + found.map(([, name, ms]) => name.replace('-', ' ') + ' ' + durationText(Number(ms))).join(', '));
}
/** The same call by other programs. */
function showPrograms(wanted, url, hasToken) {
  const headers = [['X-Request-Timeout', String(wanted.timeoutMs)]];
  if (wanted.parameterTypes) headers.push(['X-Dubbo-Parameter-Types', wanted.parameterTypes.join(', ')]);
  const shown = snippets({ url, headers, body: wanted.arguments, hasToken });
  return h('div', { class: 'programs' }, h('p', { class: 'small soft' }, 'The same call' + (hasToken ? ', with the token in the environment variable TOKEN' : '') + ', by'),
    ...shown.map(({ language, text }) => h('details', { open: language === call.language, ontoggle: event => { if (event.target.open) call.language = language; } },
      h('summary', {}, language), h('pre', { tabindex: 0, 'data-language': language }, text))));
}
byId('call-form').addEventListener('submit', async event => {
  event.preventDefault();
  const answer = byId('call-answer');
  try {
    const caller = asCaller();
    const wanted = wantedCall();
    call.isUnderWay = true;
    showCallAccess();
    answer.replaceChildren(h('p', { class: 'soft' }, 'calling'));
    const got = await request('POST', 'call', wanted, caller);
    const kind = got.status < 400 ? 'ok' : 'bad';
    const refusal = got.status === 401 ? h('p', {}, 'The agent does not know a caller with this token; nothing was called.')
      : got.status === 403 ? h('p', {}, 'The rules of the agent do not allow this caller this call; nothing was called.') : '';
    const body = indented(got.body);
    answer.replaceChildren(h('p', { class: 'state' }, mark(kind), h('span', {}, 'status ' + got.status + ' after ' + durationText(got.durationMs)
      + (got.endpoint ? ', endpoint ' + got.endpoint : ''))), refusal, stages(got.serverTiming), h('pre', { tabindex: 0 }, body === '' ? '(empty)' : body + (got.truncated ? '\n(cut off)' : '')),
      got.url ? showPrograms(wanted, got.url, 'Authorization' in caller) : '');
  } catch (e) {
    showCallFailure(e);
  } finally {
    call.isUnderWay = false;
    showCallAccess();
  }
});
byId('call-service').addEventListener('change', () => {
  showCallVariants();
  describe();
});
byId('call-variant').addEventListener('change', describe);
byId('call-version').addEventListener('change', describe);
byId('call-group').addEventListener('change', describe);
byId('call-method').addEventListener('change', chooseMethod);
byId('call-token').addEventListener('change', describe);
byId('call-token').addEventListener('input', showCallAccess);
byId('call-as').addEventListener('change', changeWay);
byId('try-details').addEventListener('toggle', () => {
  showCallAccess();
  if (byId('try-details').open && !call.description) describe();
});

