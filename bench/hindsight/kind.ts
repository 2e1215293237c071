// A kind of error: a small broken snippet whose names, paths and numbers are drawn, so that it can be run twice.
import { drawNumber } from '../repair/draw.ts'

export type Variant = 'recorded' | 'asked'

/** How a snippet is run. */
export type Runner = 'node' | 'shell' | 'tsc' | 'biome' | 'vitest'

export interface Kind {
  /** `zod/missing key`: the library or program, and what is wrong. */
  readonly id: string
  readonly library: string
  readonly runner: Runner
  /** What stands above the snippet, such as imports; for the shell the program that must be there. */
  readonly before: string
  readonly snippet: string
}

/** Snippets by what is wrong with them; `%noun%` and the like are filled in when they are run. */
export function kindsOf(
  library: string,
  runner: Runner,
  before: string,
  snippets: Readonly<Record<string, string>>,
): Kind[] {
  return Object.entries(snippets).map(([wrong, snippet]) => ({
    id: `${library}/${wrong}`,
    library,
    runner,
    before,
    snippet,
  }))
}

const nouns = [
  ...['invoice_line', 'customer', 'support_ticket', 'basket', 'parcel_label', 'voucher', 'room_booking'],
  ...['ledger', 'course_plan', 'student', 'sensor_reading', 'payment', 'refund_request', 'member', 'team'],
  ...[
    'monthly_report',
    'draft',
    'photo_album',
    'track',
    'recipe_step',
    'route',
    'driver_shift',
    'garage',
    'tag',
  ],
]
const words = [
  ...['amber', 'north_gate', 'late', 'seven_of_nine', 'violet', 'open', 'maple_leaf', 'south', 'quick_brown'],
  ...['empty', 'harbor', 'end_of_summer', 'delta', 'copper', 'silent_partner', 'eager', 'winter_sale', 'low'],
]
const verbs = 'load save parse merge find build check apply send read count move'.split(' ')
const folders = [
  ...['core', 'billing/rules', 'api/v2/routes', 'shared', 'domain/model', 'jobs', 'store/sql', 'web'],
  ...['features/orders/lib', 'feed', 'admin/pages', 'sync'],
]

const pools: Readonly<Record<string, readonly string[]>> = {
  noun: nouns,
  other: nouns,
  third: nouns,
  word: words,
  word2: words,
  verb: verbs,
  dir: folders,
  file: nouns,
}

/** Odd, so that names two and four places further are not met again. */
const apart = 7

/** What a placeholder stands for in one variant of one kind; the two variants never share a name. */
export function filled(template: string, kind: string, variant: Variant): string {
  return template.replace(/%(\w+?)%/g, (_, name: string) => drawnFor(name, kind, variant))
}

function drawnFor(name: string, kind: string, variant: Variant): string {
  if (/^[A-Z]/.test(name)) {
    const value = drawnFor(name.toLowerCase(), kind, variant)
    return value.charAt(0).toUpperCase() + value.slice(1)
  }
  if (name === 'fn') return `${drawnFor('verb', kind, variant)}${drawnFor('Noun', kind, variant)}`
  const half = variant === 'recorded' ? 0 : 1
  const drawn = drawNumber(
    'hindsight names',
    `${kind} ${name.replace('other', 'noun').replace('third', 'noun')}`,
  )
  const pool = pools[name]
  if (pool === undefined) return numberOf(name, kind, half)
  const step = { other: 2, third: 4 }[name] ?? (name.endsWith('2') ? 2 : 0)
  const start = Math.floor(drawn * pool.length)
  return pool[(start + half * apart + step) % pool.length] ?? 'thing'
}

/** How many calls of its own a project puts between a test and the slip. */
export function depthOf(kind: string, variant: Variant): number {
  return Math.floor(drawNumber(`hindsight depth ${variant}`, kind) * 5)
}

/** `n`, `m`: from 2 up to 99, never the same in both variants. */
function numberOf(name: string, kind: string, half: 0 | 1): string {
  return String(2 + 2 * Math.floor(drawNumber('hindsight numbers', `${kind} ${name}`) * 49) + half)
}
