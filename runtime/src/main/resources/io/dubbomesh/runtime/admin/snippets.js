// --- a call as a program sends it ------------------------------------------------------------------------------------------------------------------

/** The text as one word of a POSIX shell. */
const shellText = text => "'" + text.replaceAll("'", "'\\''") + "'";
/** The text as a literal of JavaScript and of Python: both have the escapes of JSON, which leaves no control character and no half of a pair as it is. */
const literal = text => JSON.stringify(text);

/**
 * Programs that send a call again, by language. A token is not in them: they take it from the environment.
 * sent: { url, headers: [[name, value]], body, hasToken }
 */
function snippets(sent) {
  return [
    { language: 'curl', text: curlSnippet(sent) },
    { language: 'Python', text: pythonSnippet(sent) },
    { language: 'JavaScript', text: javaScriptSnippet(sent) },
  ];
}
/** Curl leaves out a header without a value, unless a semicolon is in its place. */
const curlHeader = (name, value) => value === '' ? name + ';' : name + ': ' + value;
function curlSnippet({ url, headers, body, hasToken }) {
  const lines = ['curl -sg ' + shellText(url), ...headers.map(([name, value]) => '-H ' + shellText(curlHeader(name, value)))];
  if (hasToken) lines.push('-H "Authorization: Bearer $TOKEN"');
  return [...lines, '-H ' + shellText('Content-Type: application/json'), '--data-binary ' + shellText(body)].join(' \\\n  ');
}
function pythonSnippet({ url, headers, body, hasToken }) {
  return [
    ...(hasToken ? ['import os'] : []),
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    '    ' + literal(url) + ',',
    '    data=' + literal(body) + '.encode(),',
    '    headers={',
    ...headers.map(([name, value]) => '        ' + literal(name) + ': ' + literal(value) + ','),
    ...(hasToken ? ['        "Authorization": "Bearer " + os.environ["TOKEN"],'] : []),
    '        "Content-Type": "application/json",',
    '    },',
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as answer:',
    '        print(answer.read().decode())',
    'except urllib.error.HTTPError as failure:',
    '    print(failure.code, failure.read().decode())',
  ].join('\n');
}
function javaScriptSnippet({ url, headers, body, hasToken }) {
  return [
    'fetch(' + literal(url) + ', {',
    '  method: "POST",',
    '  headers: {',
    ...headers.map(([name, value]) => '    ' + literal(name) + ': ' + literal(value) + ','),
    ...(hasToken ? ['    "Authorization": "Bearer " + process.env.TOKEN,'] : []),
    '    "Content-Type": "application/json",',
    '  },',
    '  body: ' + literal(body) + ',',
    '}).then(async answer => console.log(answer.status, await answer.text()));',
  ].join('\n');
}
