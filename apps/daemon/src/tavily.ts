// Web search by the HTTP API of Tavily. What comes back is text of strangers.
import type { IdeasConfig } from '@treadle/contracts/config/ideas'
import { messageOf } from '@treadle/flow/fault'
import type { WebFound, WebSearch } from '@treadle/flow/ports/web-search'
import { z } from 'zod'

const Answer = z.object({
  results: z
    .array(
      z.object({
        title: z.string().nullish(),
        url: z.string(),
        content: z.string().nullish(),
      }),
    )
    .max(100),
})
const ANSWER_BYTES_MAX = 1_000_000
const TITLE_MAX = 300
const TEXT_MAX = 1_500

type Settings = IdeasConfig['webSearch']

/** Null: nobody is configured, or there is no key. */
export function openWebSearch(
  settings: Settings,
  secret: (variable: string) => string | null,
): WebSearch | null {
  if (settings.provider !== 'tavily') return null
  const key = secret(settings.keyVariable)
  return key === null ? null : { search: (query) => ask(settings, key, query) }
}

async function ask(settings: Settings, key: string, query: string): Promise<WebFound> {
  const { apiRoot, results: wanted, timeoutMs } = settings
  try {
    const response = await fetch(`${apiRoot.replace(/\/+$/, '')}/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, max_results: wanted, search_depth: 'basic', include_answer: false }),
      signal: AbortSignal.timeout(timeoutMs),
      // The key is for this address and no other.
      redirect: 'error',
    })
    if (!response.ok) {
      await response.body?.cancel()
      return { is: 'failed', why: `the web search answered ${response.status}` }
    }
    const { results } = Answer.parse(JSON.parse(await textOf(response)))
    return {
      is: 'found',
      results: results.slice(0, wanted).map(({ title, url, content }) => ({
        title: (title ?? '').slice(0, TITLE_MAX),
        url: url.slice(0, TITLE_MAX),
        text: (content ?? '').slice(0, TEXT_MAX).toWellFormed(),
      })),
    }
  } catch (error) {
    return { is: 'failed', why: `the web search gave no answer: ${messageOf(error).slice(0, 300)}` }
  }
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
