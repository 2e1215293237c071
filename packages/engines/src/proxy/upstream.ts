// The providers behind the proxy: where each is, and with which key.
import type { OutgoingHttpHeaders } from 'node:http'

export type ModelProvider = 'anthropic' | 'openai' | 'google'

export interface Upstream {
  /** The host that serves it, for people and for the rest of a provider. */
  readonly host: string
  readonly headers: OutgoingHttpHeaders
  /** Where a request of a program goes. */
  urlOf(asked: URL): URL
}

export type Upstreams = Readonly<Partial<Record<ModelProvider, Upstream>>>

interface KeyedAddress {
  readonly url: string
  readonly headers: OutgoingHttpHeaders
}

/** People give an address with its version and without; what is asked of us begins with /v1. */
export function versionedUpstream({ url, headers }: KeyedAddress): Upstream {
  const base = withoutEnd(url)
  const start = /\/v\d+[a-z]*$/.test(base) ? base : `${base}/v1`
  return upstream(headers, start, (path) => path.replace(/^\/v1(?=\/)/, ''))
}

/** Gemini's version is part of what is asked. */
export function googleUpstream({ url, headers }: KeyedAddress): Upstream {
  return upstream(headers, withoutEnd(url).replace(/\/v\d+[a-z]*$/, ''), (path) => path)
}

function upstream(headers: OutgoingHttpHeaders, base: string, pathOf: (path: string) => string): Upstream {
  return {
    host: new URL(base).host,
    headers,
    urlOf({ pathname, searchParams }) {
      const url = new URL(`${base}${pathOf(pathname)}`)
      for (const [name, value] of searchParams) if (name !== 'key') url.searchParams.append(name, value)
      return url
    },
  }
}

const withoutEnd = (url: string) => url.replace(/\/+$/, '')
