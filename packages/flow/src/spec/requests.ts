// What people ask for in their own words, as far as rules understand it; the rest is kept for whoever reads it.
import type { Layout } from './layouts.ts'
import { isSameName, tellingWords } from './names.ts'
import { kindSaid } from './project-kind.ts'
import type { BriefFeature } from './read-brief.ts'

type LayerName = 'database' | 'types' | 'api' | 'ui'

export interface SpecRequest {
  readonly features: readonly BriefFeature[]
  readonly criteria: readonly string[]
  /** Layers that are not wanted. */
  readonly without: ReadonlySet<LayerName>
  /** A test runner that is wanted. */
  readonly runner: string | null
  /** The kind of project that it is to be, in words. */
  readonly project: string | null
  /** Requests, or parts of them, that nobody has carried out. */
  readonly open: readonly string[]
}

interface Draft {
  features: BriefFeature[]
  criteria: string[]
  without: Set<LayerName>
  runner: string | null
  project: string | null
  open: string[]
}

const NAME = /^["'“„*]*(.+?)["'”“*]*$/
const LAYERS: readonly (readonly [readonly LayerName[], RegExp])[] = [
  [['database'], /^(?:any |the |an? )?(?:database|migrations?|tables?|sql|storage)$/],
  [['api', 'database'], /^(?:any |the |an? )?(?:server|back-?end)$/],
  [['api'], /^(?:any |the |an? )?(?:api|routes?|endpoints?)$/],
  [['ui'], /^(?:any |the |an? )?(?:ui|front-?end|views?|screens?|user interface|pages)$/],
  [['types'], /^(?:any |the )?types?(?: files?)?$/],
]

/** Every request in its order, on the features that the brief names. */
export function carryOut(
  requests: readonly string[],
  brief: { readonly features: readonly BriefFeature[]; readonly criteria: readonly string[] },
): SpecRequest {
  const draft: Draft = {
    features: [...brief.features],
    criteria: [...brief.criteria],
    without: new Set(),
    runner: null,
    project: null,
    open: [],
  }
  for (const request of requests)
    for (const sentence of sentencesOf(request)) if (!carryOutOne(sentence, draft)) draft.open.push(sentence)
  return draft
}

function sentencesOf(request: string): string[] {
  return request
    .replace(/[^\S\n]+/g, ' ')
    .split(/\n|;|(?<=[\w"”)])[.!]\s+|,?\s+and\s+(?=(?:add|remove|drop|rename|use)\b)/i)
    .map((each) =>
      each.replace(/^\s*(?:[-*]\s+|please\s+|also\s+|then\s+|and\s+)*/i, '').replace(/[.!\s]+$/, ''),
    )
    .filter((each) => each !== '')
}

function carryOutOne(sentence: string, draft: Draft): boolean {
  const [, from, to] =
    /^(?:rename|call)\s+(?:the\s+)?(?:feature\s+)?(.+?)\s+(?:to|as|into|→|->)\s+(.+)$/i.exec(sentence) ?? []
  if (from !== undefined && to !== undefined) return rename(draft, bare(from), bare(to))
  if (settles(sentence, draft)) return true
  const [, criterion] =
    /^add\s+(?:an?\s+|the\s+)?(?:acceptance\s+)?(?:criterion|criteria)\s*:?\s+(.+)$/i.exec(sentence) ?? []
  if (criterion !== undefined) {
    draft.criteria.push(bare(criterion))
    return true
  }
  const [, added] =
    /^add\s+(?:an?\s+|the\s+)?(?:new\s+)?(?:feature\s*)?(?:for\s+|called\s+|named\s+)?:?\s*(.+)$/i.exec(
      sentence,
    ) ?? []
  if (added !== undefined) return add(draft, added)
  const [, gone] =
    /^(?:remove|drop|delete|cut|leave out|skip|no|without|do not use|don't use|we do not need|we don't need|we need no)\s+(?:the\s+)?(.+)$/i.exec(
      sentence,
    ) ?? []
  return gone !== undefined && remove(draft, gone)
}

/** What is used, or what it is to be. */
function settles(sentence: string, draft: Draft): boolean {
  const [, runner] =
    /^(?:use|test with|run the tests with|with)\s+(?:the\s+)?(vitest|jest|mocha|playwright|pytest|unittest|node --test|bun test|deno test)\b/i.exec(
      sentence,
    ) ?? []
  if (runner !== undefined) {
    draft.runner = runner.toLowerCase()
    return true
  }
  const [, kept] = /^(?:use|with|keep)\s+((?:an?|the)\s+.+)$/i.exec(sentence) ?? []
  const layers = kept === undefined ? undefined : layersNamed(kept)
  if (layers !== undefined) {
    for (const each of layers) draft.without.delete(each)
    return true
  }
  const [, project] = /^(?:make|build) it (?:as )?(an? .+)$/i.exec(sentence) ?? []
  if (project !== undefined && kindSaid([project]) !== null) {
    draft.project = project
    return true
  }
  return false
}

function bare(text: string): string {
  return (NAME.exec(text.trim())?.[1] ?? text).trim()
}

function rename(draft: Draft, from: string, to: string): boolean {
  const feature = findFeature(draft.features, from)
  if (feature === null || to === '') return false
  draft.features = draft.features.map((each) =>
    each === feature ? { ...each, name: to.slice(0, 70) } : each,
  )
  return true
}

function add(draft: Draft, words: string): boolean {
  const [, name = '', description = ''] =
    /^(.+?)(?:\s*:\s+|\s+[–—-]\s+|\s+\(|$)(.*)$/.exec(words.replace(/\s+feature$/i, '')) ?? []
  // What is longer than a name is a wish about something else.
  if (name === '' || name.split(' ').length > 8) return false
  const feature = { name: bare(name).slice(0, 70), description: description.replace(/\)$/, ''), details: [] }
  if (draft.features.some((each) => isSameName(each.name, feature.name))) return true
  draft.features.push(feature)
  return true
}

function remove(draft: Draft, words: string): boolean {
  const name = bare(words.replace(/^feature\s+/i, '').replace(/\s+features?$/i, ''))
  const feature = findFeature(draft.features, name)
  if (feature !== null) {
    draft.features = draft.features.filter((each) => each !== feature)
    return true
  }
  const layers = layersNamed(name)
  for (const each of layers ?? []) draft.without.add(each)
  return layers !== undefined
}

function layersNamed(words: string): readonly LayerName[] | undefined {
  return LAYERS.find(([, pattern]) => pattern.test(words.toLowerCase()))?.[0]
}

/** The feature of that name; if there is none, the only one that has all its words. */
function findFeature(features: readonly BriefFeature[], name: string): BriefFeature | null {
  const same = features.find((feature) => isSameName(feature.name, name))
  if (same !== undefined) return same
  const words = tellingWords(name)
  if (words.length === 0) return null
  const having = features.filter((feature) => {
    const own = new Set(tellingWords(feature.name))
    return words.every((word) => own.has(word))
  })
  return having.length === 1 ? (having[0] ?? null) : null
}

/** The layout without layers that are not wanted. */
export function withoutLayers(layout: Layout, without: ReadonlySet<LayerName>): Layout {
  const layers = Object.fromEntries([...without].map((name) => [name, null]))
  return {
    ...layout,
    ...layers,
    ...(without.has('api') ? { apiIndex: null } : {}),
    ...(without.has('types') ? { typesIndex: null } : {}),
  }
}
