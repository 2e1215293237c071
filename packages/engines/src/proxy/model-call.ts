// A call of a model as a program makes it: by which API, for which model, with which tools, and with our key.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { ModelApi } from './api-forms.ts'
import type { ModelProvider, Upstream } from './upstream.ts'

export interface ModelCall {
  readonly id: number
  readonly api: ModelApi
  readonly model: string
  readonly isStream: boolean
  /** It offers tools: what people call a step. */
  readonly isStep: boolean
  /** What it asked for that runs at the provider: it is taken out before the call goes on. */
  readonly removed: readonly string[]
  readonly url: URL
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

const ROUTES: readonly (readonly [RegExp, ModelApi])[] = [
  [/^\/v1\/messages$/, 'anthropic'],
  [/^\/v1\/responses$/, 'responses'],
  [/^\/v1\/chat\/completions$/, 'chat'],
  [/^\/v1(?:beta|alpha)?\/models\/[^/:]+:(?:streamG|g)enerateContent$/, 'gemini'],
]
/** Asked for, costs nothing, not counted. Everything else is refused: a key opens more doors than these. */
const FREE =
  /^(?:POST \/v1\/messages\/count_tokens|GET \/v1(?:beta)?\/models(?:\/[^/:]+)?|POST \/v1beta\/models\/[^/:]+:countTokens)$/
const PROVIDERS: Readonly<Record<ModelApi, ModelProvider>> = {
  anthropic: 'anthropic',
  responses: 'openai',
  chat: 'openai',
  gemini: 'google',
}
/** What belongs to one connection, and what is set anew. */
const HOP =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|accept-encoding|authorization|x-api-key|x-goog-api-key|cookie|expect)$/i

const list = z.array(z.unknown()).optional().catch(undefined)
const RequestBody = z.looseObject({
  model: z.string().optional().catch(undefined),
  stream: z.boolean().optional().catch(undefined),
  stream_options: z.looseObject({ include_usage: z.unknown().optional() }).optional().catch(undefined),
  tools: list,
  input: list,
  mcp_servers: list,
  web_search_options: z.unknown().optional(),
})
type RequestBody = z.infer<typeof RequestBody>

/** Where a request goes; null: to nobody. */
export function routeOf(method: string, path: string, headers: IncomingMessage['headers']): Route | null {
  const api = method === 'POST' ? ROUTES.find(([route]) => route.test(path))?.[1] : undefined
  if (api !== undefined) return { api, provider: PROVIDERS[api], isCounted: true }
  if (!FREE.test(`${method} ${path}`)) return null
  if (headers['anthropic-version'] !== undefined)
    return { api: 'anthropic', provider: 'anthropic', isCounted: false }
  if (path.startsWith('/v1beta')) return { api: 'gemini', provider: 'google', isCounted: false }
  return { api: 'chat', provider: 'openai', isCounted: false }
}

export interface Route {
  readonly api: ModelApi
  readonly provider: ModelProvider
  readonly isCounted: boolean
}

export interface Received {
  readonly id: number
  readonly api: ModelApi
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly upstream: Upstream
}

export function callOf({ id, api, url, headers, body, upstream }: Received): ModelCall {
  const asked = saidIn(body)
  const { said, removed } = withoutServerTools(api, asked)
  const isGemini = api === 'gemini'
  const named = isGemini ? /models\/([^/:]+)/.exec(url.pathname)?.[1] : said.model
  const isStream = isGemini ? url.pathname.endsWith(':streamGenerateContent') : said.stream === true
  return {
    id,
    api,
    model: named ?? '',
    isStream,
    isStep: offersTools(said),
    removed,
    url: upstream.urlOf(url),
    headers: { ...kept(headers), 'accept-encoding': 'identity', ...upstream.headers },
    body: bodyOf({ api, isStream, said, isChanged: removed.length > 0 }, body),
  }
}

function saidIn(body: Buffer): RequestBody {
  try {
    const read = RequestBody.safeParse(JSON.parse(body.toString('utf8')))
    return read.success ? read.data : {}
  } catch {
    return {}
  }
}

interface BodyFacts {
  readonly api: ModelApi
  readonly isStream: boolean
  readonly said: RequestBody
  readonly isChanged: boolean
}

/** As it came, where nothing has to be changed. Chat completions tell their usage in a stream only if they are asked. */
function bodyOf({ api, isStream, said, isChanged }: BodyFacts, body: Buffer): Buffer {
  const isAsking = api !== 'chat' || !isStream || said.stream_options?.include_usage === true
  if (isAsking && !isChanged) return body
  const stream = isAsking ? {} : { stream_options: { ...said.stream_options, include_usage: true } }
  return Buffer.from(JSON.stringify({ ...said, ...stream }))
}

function kept(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.test(name)))
}

type Tool = Readonly<Record<string, unknown>>

const isTool = (value: unknown): value is Tool => typeof value === 'object' && value !== null

/** Codex sends the tools of its newer models as parts of the conversation. */
const isToolList = (value: unknown): value is Tool =>
  isTool(value) && value.type === 'additional_tools' && Array.isArray(value.tools)

function offersTools({ tools = [], input = [] }: RequestBody): boolean {
  return tools.length > 0 || input.some((item) => isToolList(item) && (item.tools as unknown[]).length > 0)
}

/** Tools that the program itself carries out; all others run at the provider and may reach the internet. */
const CLIENT: Readonly<Record<ModelApi, RegExp>> = {
  anthropic: /^(?:custom|bash_|text_editor_|computer_|memory_|tool_search_)/,
  responses:
    /^(?:function|custom|local_shell|shell|apply_patch|computer|namespace|tool_search|additional_tools)/,
  chat: /^(?:function|custom)/,
  gemini: /^functionDeclarations$/,
}

interface Cleaned {
  readonly said: RequestBody
  readonly removed: readonly string[]
}

/** The call without what would run at the provider: a program that offers it by itself works on without. */
function withoutServerTools(api: ModelApi, asked: RequestBody): Cleaned {
  const removed: string[] = []
  const clean = (tools: readonly unknown[]) => tools.flatMap((tool) => ownPart(api, tool, removed))
  const { mcp_servers: servers, web_search_options: search, ...rest } = asked
  if ((servers ?? []).length > 0) removed.push('mcp_servers')
  if (search !== undefined) removed.push('web_search_options')
  const tools = rest.tools === undefined ? {} : { tools: clean(rest.tools) }
  const list = (item: unknown) =>
    isToolList(item) ? { ...item, tools: clean(item.tools as unknown[]) } : item
  const input = rest.input === undefined ? {} : { input: rest.input.map(list) }
  // An empty list of tools is refused by some, and means the same as none.
  const { tools: left, ...bare } = { ...rest, ...tools, ...input }
  const said =
    left === undefined || (left.length === 0 && removed.length > 0) ? bare : { ...bare, tools: left }
  return removed.length === 0 ? { said: asked, removed } : { said, removed }
}

/** Gemini names the kinds of tools as keys of one object; the others have a type each. */
function ownPart(api: ModelApi, tool: unknown, removed: string[]): unknown[] {
  if (!isTool(tool)) return [tool]
  if (api !== 'gemini') {
    const kind = String(tool.type ?? (api === 'anthropic' ? 'custom' : 'function'))
    if (CLIENT[api].test(kind)) return [tool]
    removed.push(kind)
    return []
  }
  const foreign = Object.keys(tool).filter((key) => !CLIENT.gemini.test(key))
  removed.push(...foreign)
  const own = Object.entries(tool).filter(([key]) => !foreign.includes(key))
  return own.length === 0 ? [] : [Object.fromEntries(own)]
}

/** Whether a request carries the token of the run, in whichever place its program puts a key. */
export function isAllowed(headers: IncomingMessage['headers'], url: URL, token: string): boolean {
  const { authorization, 'x-api-key': key, 'x-goog-api-key': google } = headers
  const given = [authorization?.replace(/^Bearer /i, ''), key, google, url.searchParams.get('key')]
  const right = Buffer.from(token)
  return given.some((one) => {
    const said = Buffer.from(String(one ?? ''))
    return said.length === right.length && timingSafeEqual(said, right)
  })
}
