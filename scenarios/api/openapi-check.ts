// Is this a well-formed OpenAPI 3.1 document? The rules of structure that tools trip over.
type Json = Record<string, unknown>

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])
const NOT_OPERATIONS = new Set(['summary', 'description', 'servers', 'parameters'])

/** What is wrong with it, in words; nothing if all is well. */
export function checkOpenApi(document: unknown): string[] {
  if (!isObject(document)) return ['the document is no object']
  const info = isObject(document.info) ? document.info : {}
  const paths = isObject(document.paths) ? document.paths : {}
  const seen = new Set<string>()
  return [
    ...when(!/^3\.1\.\d+$/.test(String(document.openapi)), `openapi is ${document.openapi}`),
    ...when(
      typeof info.title !== 'string' || typeof info.version !== 'string',
      'info wants title and version',
    ),
    ...when(!isObject(document.paths), 'paths is no object'),
    ...Object.entries(paths).flatMap(([path, item]) => checkPath(path, item, { document, seen })),
    ...checkRefs(document, document, '#'),
  ]
}

interface Whole {
  readonly document: Json
  readonly seen: Set<string>
}

function checkPath(path: string, item: unknown, whole: Whole): string[] {
  if (!isObject(item)) return [`${path}: is no object`]
  return [
    ...when(!path.startsWith('/'), `${path}: must begin with /`),
    ...Object.entries(item).flatMap(([method, operation]) => {
      if (NOT_OPERATIONS.has(method)) return []
      if (!METHODS.has(method) || !isObject(operation)) return [`${path}: ${method} is no operation`]
      return checkOperation(`${method} ${path}`, path, operation, whole)
    }),
  ]
}

function checkOperation(where: string, path: string, operation: Json, { document, seen }: Whole): string[] {
  const id = operation.operationId
  const repeated = typeof id === 'string' && seen.has(id)
  if (typeof id === 'string') seen.add(id)
  const schemes = dig(document, ['components', 'securitySchemes'])
  const demands = [operation.security ?? document.security ?? []].flat() as Json[]
  const unknown = demands.flatMap(Object.keys).filter((name) => !(isObject(schemes) && name in schemes))
  return [
    ...when(repeated, `${where}: operationId ${id} is used twice`),
    ...unknown.map((name) => `${where}: security scheme ${name} is not declared`),
    ...checkParameters(where, path, operation.parameters ?? []),
    ...checkContent(`${where} request`, operation.requestBody, false),
    ...checkResponses(where, operation.responses),
  ]
}

function checkParameters(where: string, path: string, given: unknown): string[] {
  if (!Array.isArray(given)) return [`${where}: parameters is no list`]
  const parameters = given.filter(isObject)
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => String(name))
  const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const keys = parameters.map((one) => `${one.in} ${one.name}`)
  return [
    ...wanted
      .filter((name) => !inPath.includes(name))
      .map((name) => `${where}: path parameter ${name} is not declared`),
    ...inPath.filter((name) => !wanted.includes(name)).map((name) => `${where}: ${name} is not in the path`),
    ...when(new Set(keys).size !== keys.length, `${where}: a parameter is declared twice`),
    ...parameters.flatMap((one) => [
      ...when(
        !['path', 'query', 'header', 'cookie'].includes(String(one.in)),
        `${where}: ${one.name} is nowhere`,
      ),
      ...when(one.in === 'path' && one.required !== true, `${where}: ${one.name} must be required`),
      ...when(!isObject(one.schema), `${where}: ${one.name} has no schema`),
    ]),
  ]
}

function checkResponses(where: string, responses: unknown): string[] {
  if (!isObject(responses) || Object.keys(responses).length === 0) return [`${where}: has no responses`]
  return Object.entries(responses).flatMap(([status, response]) => [
    ...when(!/^([1-5]\d\d|[1-5]XX|default)$/.test(status), `${where}: ${status} is no status`),
    ...when(
      !isObject(response) || typeof response.description !== 'string',
      `${where} ${status}: no description`,
    ),
    ...checkContent(`${where} ${status}`, response, true),
  ])
}

function checkContent(where: string, holder: unknown, optional: boolean): string[] {
  if (!isObject(holder) || (optional && holder.content === undefined)) return []
  if (!isObject(holder.content)) return [`${where}: has no content`]
  return Object.entries(holder.content).flatMap(([type, media]) =>
    when(!isObject(media) || !isObject(media.schema), `${where}: ${type} has no schema`),
  )
}

/** A reference is read from the root of the document, wherever it stands. */
function checkRefs(document: Json, at: unknown, where: string): string[] {
  if (Array.isArray(at)) return at.flatMap((one, index) => checkRefs(document, one, `${where}/${index}`))
  if (!isObject(at)) return []
  const ref = at.$ref
  const missing =
    typeof ref === 'string' && dig(document, ref.split('/').slice(1).map(plainKey)) === undefined
  return [
    ...when(missing, `${where}: ${ref} leads nowhere`),
    ...Object.entries(at).flatMap(([key, value]) => checkRefs(document, value, `${where}/${key}`)),
  ]
}

const plainKey = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')
const when = (wrong: boolean, text: string) => (wrong ? [text] : [])

function dig(from: Json, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), from)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
