// Which engines go through the proxy, to whom it leads, and how each is told where it is.
import type { AcpName } from '../acp/settings.ts'
import type { EngineSettings } from '../catalogue.ts'
import { loginOf } from '../claude-code/settings.ts'
import type { Access } from '../external/access.ts'
import { costsNothing, endpointOf } from '../native/model.ts'
import { openPrices, type Prices } from '../prices.ts'
import { googleUpstream, type Upstreams, versionedUpstream } from './upstream.ts'

/** Where the proxy listens, and what it takes in the place of a key. */
interface ProxyAddress {
  readonly url: string
  readonly token: string
}

export interface ProxyRoute {
  readonly upstreams: Upstreams
  readonly prices: Prices
  /** The settings with which the engine calls the proxy and has no key. */
  behind(address: ProxyAddress): EngineSettings
}

const FREE: Prices = () => ({ usd: 0, warning: null })

/** Null: it is asked no model that we could stand before. A login of a person cannot be passed on by anybody else. */
export function proxyRoute(name: string, settings: EngineSettings): ProxyRoute | null {
  if (name === 'native') return nativeRoute(settings)
  if (name === 'claude-code') return claudeCodeRoute(settings)
  if (name === 'codex' || name === 'gemini' || name === 'opencode') return acpRoute(name, settings)
  return null
}

function nativeRoute(settings: EngineSettings): ProxyRoute | null {
  const { native } = settings
  if (native === undefined || (native.key === null && native.baseURL === null)) return null
  const { provider, key } = native
  const isAnthropic = provider === 'anthropic'
  const bearer = key === null ? {} : { authorization: `Bearer ${key}` }
  const headers = isAnthropic ? { 'x-api-key': key ?? '' } : bearer
  const upstream = versionedUpstream({ url: endpointOf(native), headers })
  return {
    upstreams: isAnthropic ? { anthropic: upstream } : { openai: upstream },
    prices: costsNothing(native) ? FREE : (native.prices ?? openPrices({})),
    behind: ({ url, token }) => ({
      ...settings,
      native: { ...native, baseURL: url, key: token, prices: FREE, ...cutOff(settings, null) },
    }),
  }
}

function claudeCodeRoute(settings: EngineSettings): ProxyRoute | null {
  const { 'claude-code': claude } = settings
  if (claude === undefined || loginOf(claude) !== 'key') return null
  const upstreams = upstreamsIn(claude.access)
  if (upstreams.anthropic === undefined) return null
  return {
    upstreams,
    prices: claude.prices,
    behind: ({ url, token }) => ({
      ...settings,
      'claude-code': {
        ...claude,
        login: 'key',
        access: { ANTHROPIC_API_KEY: token, ANTHROPIC_BASE_URL: url },
        ...cutOff(settings, url),
      },
    }),
  }
}

function acpRoute(name: 'codex' | 'gemini' | 'opencode', settings: EngineSettings): ProxyRoute | null {
  const acp = settings.acp?.(name)
  if (acp === undefined) return null
  const upstreams = upstreamsIn(acp.access)
  if (Object.keys(upstreams).length === 0) return null
  return {
    upstreams,
    prices: acp.prices,
    behind: (address) => ({
      ...settings,
      acp: (asked: AcpName) => {
        const given = settings.acp?.(asked) ?? acp
        const access = accessBehind(name, upstreams, address)
        return asked === name ? { ...given, access, ...cutOff(settings, address.url) } : given
      },
    }),
  }
}

/** A program that is to reach nothing but the proxy; our own engine calls it from outside of every sandbox. */
function cutOff({ proxyOnly }: EngineSettings, url: string | null): { reachOnly?: readonly string[] } {
  if (proxyOnly === undefined) return {}
  return { reachOnly: url === null ? proxyOnly : [...proxyOnly, new URL(url).host] }
}

/** The providers that the keys of an engine open. */
function upstreamsIn(access: Access): Upstreams {
  const { ANTHROPIC_API_KEY: key, ANTHROPIC_AUTH_TOKEN: bearer } = access
  const openai = access.OPENAI_API_KEY ?? access.CODEX_API_KEY
  const google = access.GEMINI_API_KEY ?? access.GOOGLE_API_KEY
  const anthropic = {
    ...(key === undefined ? {} : { 'x-api-key': key }),
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
  }
  return {
    ...(Object.keys(anthropic).length === 0
      ? {}
      : {
          anthropic: versionedUpstream({
            url: access.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com',
            headers: anthropic,
          }),
        }),
    ...(openai === undefined
      ? {}
      : {
          openai: versionedUpstream({
            url: access.OPENAI_BASE_URL ?? 'https://api.openai.com',
            headers: { authorization: `Bearer ${openai}` },
          }),
        }),
    ...(google === undefined
      ? {}
      : {
          google: googleUpstream({
            url: access.GOOGLE_GEMINI_BASE_URL ?? 'https://generativelanguage.googleapis.com',
            headers: { 'x-goog-api-key': google },
          }),
        }),
  }
}

/** What a program is told instead of its keys. OpenCode's addresses have their version in them. */
function accessBehind(name: string, upstreams: Upstreams, { url, token }: ProxyAddress): Access {
  const [one, beta] = name === 'opencode' ? [`${url}/v1`, `${url}/v1beta`] : [url, url]
  return {
    ...(upstreams.anthropic === undefined ? {} : { ANTHROPIC_API_KEY: token, ANTHROPIC_BASE_URL: one }),
    ...(upstreams.openai === undefined ? {} : { OPENAI_API_KEY: token, OPENAI_BASE_URL: `${url}/v1` }),
    ...(upstreams.google === undefined ? {} : { GEMINI_API_KEY: token, GOOGLE_GEMINI_BASE_URL: beta }),
  }
}
