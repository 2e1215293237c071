// The files that features need: new ones, changes to those that are there, and the models of their data.
import type { DataModel, FileModification, FileSpec } from '@treadle/contracts/specification'
import type { Feature } from './features.ts'
import type { Layout } from './layouts.ts'
import { writtenNumber } from './migration-number.ts'
import { pascalOf, singular, spell } from './names.ts'
import { DEFAULT_OWNER, type Owners, ownerOf } from './owners.ts'
import type { Profile } from './profile.ts'

export type Layer = 'database' | 'types' | 'queries' | 'api' | 'ui' | 'tests'

/** One file that a feature needs. */
export interface FeatureFile {
  readonly feature: Feature
  readonly layer: Layer
  readonly path: string
  readonly exists: boolean
}

interface FileFacts {
  readonly features: readonly Feature[]
  readonly profile: Profile
  readonly full: boolean
  /** The number of each feature's migration, by its slug. */
  readonly numbers: ReadonlyMap<string, number>
  readonly files: ReadonlySet<string>
}

export function filesOf({ features, profile, full, numbers, files }: FileFacts): FeatureFile[] {
  return features.flatMap((feature) =>
    layersOf(feature, profile.layout, full).flatMap((layer) => {
      const pattern = profile.layout[layer]
      if (pattern === null) return []
      const number = writtenNumber(numbers.get(feature.slug) ?? 1, profile.digits)
      const path = pathOf(pattern, feature.slug, number)
      return [{ feature, layer, path, exists: files.has(path) }]
    }),
  )
}

function layersOf({ kind }: Feature, layout: Layout, full: boolean): Layer[] {
  const { requiresData, hasEntities, hasAPI, hasUI } = kind
  // Logic of its own has what no other layer takes, and in full also what reads and writes the data.
  const ownLogic = !requiresData && !hasAPI && (!hasUI || layout.api === null) && layout.queries !== null
  return [
    ...(requiresData ? (['database'] as const) : []),
    ...(hasEntities ? (['types'] as const) : []),
    ...(ownLogic || (full && requiresData && layout.queries !== null) ? (['queries'] as const) : []),
    ...(hasAPI ? (['api'] as const) : []),
    ...(hasUI ? (['ui'] as const) : []),
    'tests',
  ]
}

export function pathOf(pattern: string, slug: string, number = ''): string {
  return pattern
    .replaceAll('{number}', number)
    .replaceAll('{slug}', slug)
    .replaceAll('{snake}', spell(slug, 'snake'))
    .replaceAll('{camel}', spell(slug, 'camel'))
    .replaceAll('{pascal}', spell(slug, 'pascal'))
}

const PURPOSES: Readonly<Record<Layer, (name: string) => string>> = {
  database: (name) => `Create ${name} table`,
  types: (name) => `Types for ${name}`,
  queries: (name) => `Logic of ${name}`,
  api: (name) => `API endpoints for ${name}`,
  ui: (name) => `View for ${name}`,
  tests: (name) => `Tests for ${name}`,
}

export function newFilesOf(files: readonly FeatureFile[]): FileSpec[] {
  return files
    .filter(({ exists }) => !exists)
    .map(({ feature, layer, path }) => ({
      path,
      purpose: PURPOSES[layer](feature.name),
      owner: DEFAULT_OWNER,
    }))
}

/** A file that several features share, and what changes in it. */
export interface Shared extends FileModification {
  readonly layer: 'types' | 'queries' | 'api'
  /** The files that it must name. */
  readonly names: readonly FeatureFile[]
}

export function sharedVerb(layer: Shared['layer'], kind: Profile['kind']): string {
  return layer === 'queries' && kind === 'cli' ? 'Offer on the command line' : 'Export'
}

export function sharedFilesOf(
  files: readonly FeatureFile[],
  { layout, kind }: Profile,
  owners: Owners,
): Shared[] {
  const of = (layer: Layer) => files.filter((file) => file.layer === layer && !file.exists)
  const shared = (layer: Shared['layer'], path: string | null, verb: string): Shared[] => {
    const names = of(layer)
    if (path === null || names.length === 0) return []
    const changes = `${verb}: ${names.map((file) => file.path).join(', ')}`.slice(0, 2_000)
    return [{ layer, path, changes, owner: ownerOf(owners, path), names }]
  }
  return [
    ...shared('types', layout.typesIndex, 'Export'),
    ...shared('queries', layout.entry, sharedVerb('queries', kind)),
    ...shared('api', layout.apiIndex, 'Import and mount'),
  ]
}

export function modificationsOf(
  shared: readonly Shared[],
  files: readonly FeatureFile[],
  owners: Owners,
): FileModification[] {
  return [
    ...shared.map(({ path, changes, owner }) => ({ path, changes, owner })),
    ...files
      .filter(({ exists }) => exists)
      .map(({ feature, path }) => ({
        path,
        changes: `What ${feature.name} needs`,
        owner: ownerOf(owners, path),
      })),
  ]
}

const FIELDS_MAX = 20
const FIELDS_TEXT_MAX = 4_000

/** The data of features, with the fields that their words name. */
export function dataModelsOf(features: readonly Feature[]): DataModel[] {
  return features
    .filter(({ kind }) => kind.requiresData || kind.hasEntities)
    .map((feature) => ({
      name: modelNameOf(feature),
      fields: [
        { name: 'id', type: 'identifier' },
        ...namedFields(feature).map((name) => ({ name, type: typeOf(name) })),
        { name: 'createdAt', type: 'timestamp' },
      ],
    }))
}

/** The name of the type of what a feature keeps. */
export function modelNameOf({ slug }: Feature): string {
  const parts = slug.split('-')
  return pascalOf(parts.with(-1, singular(parts.at(-1) ?? '')).join('-'))
}

/** "with name, quantity and price", "fields: name, due date". */
export function namedFields({ description, details }: Feature): string[] {
  const text = [description, ...details].join('. ').slice(0, FIELDS_TEXT_MAX).replace(/\s+/g, ' ')
  const lists = [
    ...text.matchAll(
      /\b(?:with|has|have|having|fields?|including)\b:? ((?:an? |the |its )?[\w -][\w ,-]*)(?=[.;:()]|$)/gi,
    ),
  ]
  const words = lists.flatMap(([, list = '']) => list.split(/,\s*(?:and |or )?|\s+(?:and|or)\s+/))
  const names = words
    // Among small words a name is somebody else's, and no field.
    .filter((word, _, all) => !isName(word) || all.every(isName))
    .map((word) =>
      word
        .replace(/^(?:an?|the|its|their|optional)\s+/i, '')
        .trim()
        .toLowerCase(),
    )
    .filter((word) => /^[a-z][a-z ]{1,24}$/.test(word) && word.split(' ').length <= 2)
    .map((word) => spell(word.replaceAll(' ', '-'), 'camel'))
    .filter((name) => !['id', 'createdAt'].includes(name))
  return lists.some(([, list = '']) => /,|\band\b/.test(list)) ? [...new Set(names)].slice(0, FIELDS_MAX) : []
}

function isName(word: string): boolean {
  return /^\s*\p{Lu}/u.test(word)
}

function typeOf(name: string): string {
  if (/(?:At|date|time|day|deadline|due)$/i.test(name)) return 'timestamp'
  if (/(?:amount|count|number|price|quantity|rating|score|size|total|weight|age|duration|cost)$/i.test(name))
    return 'number'
  return /^(?:is|has|done|checked|active|archived|public|private)/.test(name) ? 'boolean' : 'text'
}
