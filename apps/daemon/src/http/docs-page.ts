// A plain page that lists the routes for people; programs read /docs/openapi.json.
type Operation = {
  summary: string
  operationId: string
  parameters: { name: string; in: string }[]
  responses: Record<string, { description: string }>
  requestBody?: unknown
}

export function docsPage(document: Record<string, unknown>): string {
  const paths = document.paths as Record<string, Record<string, Operation>>
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => section(method.toUpperCase(), path, operation)),
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Treadle API</title><style>
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code{font:0.95em ui-monospace,monospace}section{border-top:1px solid #8884;padding:.75rem 0}h2{font-size:1rem;margin:0}
p{margin:.25rem 0}ul{margin:.25rem 0;padding-left:1.25rem;font-size:.9rem}</style></head><body><main>
<h1>Treadle API</h1><p>Send <code>authorization: Bearer &lt;token&gt;</code>. For programs: <a href="/docs/openapi.json">openapi.json</a>.
Live events: WebSocket on <code>/api/events/stream?after=&lt;cursor&gt;</code>.</p>
${rows.join('\n')}</main></body></html>`
}

function section(
  method: string,
  path: string,
  { summary, parameters, responses, requestBody }: Operation,
): string {
  const inputs = [
    ...parameters.map((one) => `${one.name} (${one.in})`),
    ...(requestBody === undefined ? [] : ['JSON body']),
  ].join(', ')
  const answers = Object.entries(responses).map(
    ([status, one]) => `<li><code>${status}</code> ${escapeHtml(one.description)}</li>`,
  )
  return `<section><h2><code>${method} ${escapeHtml(path)}</code></h2><p>${escapeHtml(summary)}</p>${inputs === '' ? '' : `<p>Takes: ${escapeHtml(inputs)}</p>`}<ul>${answers.join('')}</ul></section>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
