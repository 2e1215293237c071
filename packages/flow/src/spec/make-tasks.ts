// Atomic tasks: one for each file, with what it waits for, what it serves, and the command that shows that it is done.
import {
  ACCEPTANCE_MAX,
  type Requirement,
  type SpecCriterion,
  type SpecTask,
} from '@treadle/contracts/specification'
import { featureFor, isJudgedByPerson } from './criteria.ts'
import { type FeatureNeeds, needsOf } from './feature-needs.ts'
import type { Feature } from './features.ts'
import {
  type FeatureFile,
  type Layer,
  modelNameOf,
  namedFields,
  pathOf,
  type Shared,
  sharedVerb,
} from './identify-files.ts'
import { DEFAULT_OWNER } from './owners.ts'
import type { Profile } from './profile.ts'
import { setUpOf } from './set-up.ts'
import { type CommandFacts, fileCommandFor, testCommandFor } from './validation-command.ts'

export interface TaskMaking {
  readonly slug: string
  readonly title: string
  readonly features: readonly Feature[]
  readonly files: readonly FeatureFile[]
  readonly shared: readonly Shared[]
  readonly tree: ReadonlySet<string>
  readonly requirements: readonly Requirement[]
  readonly criteria: readonly string[]
  readonly profile: Profile
  readonly commands: CommandFacts
  readonly full: boolean
  readonly ownerOf: (path: string) => string
  /** Ids that tasks of the last revision had, by what they do. */
  readonly known: ReadonlyMap<string, string>
}

export interface MadeTask {
  readonly tasks: readonly SpecTask[]
  readonly criteria: readonly SpecCriterion[]
}

/** A task whose dependencies are still named by what they do. */
interface Draft extends Omit<SpecTask, 'id' | 'dependsOn' | 'gotchas' | 'template'> {
  readonly after: readonly string[]
}

type TaskLike = Pick<SpecTask, 'phase' | 'file'>

/** What a task does, over revisions: its phase and its file, with the number of a migration left out. */
export function keyOf({ phase, file }: TaskLike): string {
  return `${phase} ${phase === 'database' ? file.replace(/\/\d+([_-])/, '/$1') : file}`
}

export function makeTasks(facts: TaskMaking): MadeTask {
  const { shared, files } = facts
  const criteria = placeCriteria(facts.criteria, facts.features)
  const needs = needsOf(facts.features)
  const layers = [
    ...files.filter(({ layer }) => layer !== 'tests').map((file) => fileDraft(file, facts, needs)),
    ...shared.map((each) => sharedDraft(each, facts)),
    ...files.filter(({ layer }) => layer === 'tests').map((file) => testDraft(file, criteria, facts)),
    ...wholeDrafts(criteria, facts),
  ]
  const drafts = afterSetUp(layers, facts)
  const ids = idsFor(drafts, facts.known)
  const tasks = drafts.map(
    ({ after, phase, title, file, action, requirements, acceptance, ...draft }): SpecTask => ({
      id: ids.get(keyOf({ phase, file })) ?? 'T0',
      phase,
      title,
      file,
      action,
      requirements,
      // The last place is for what was learned.
      acceptance: acceptance.slice(0, ACCEPTANCE_MAX - 1).map((text) => text.slice(0, 2_000)),
      ...draft,
      dependsOn: [...new Set(after)].flatMap((key) => ids.get(key) ?? []).slice(0, 50),
      gotchas: [],
      template: null,
    }),
  )
  return { tasks, criteria: criteria.map((each, nth) => criterionOf(each, { nth, tasks, facts })) }
}

/** In an empty repository the file that its tools look for comes before what cannot be run without it. */
function afterSetUp(drafts: readonly Draft[], facts: TaskMaking): readonly Draft[] {
  const setUp = setUpOf(facts.profile, facts.tree)
  const phase = setUp?.phases.find((each) => drafts.some((draft) => draft.phase === each))
  if (setUp === null || phase === undefined) return drafts
  const key = keyOf({ phase, file: setUp.file })
  const first: Draft = {
    phase,
    title: titleOf(`Set up ${facts.title}`),
    file: setUp.file,
    action: 'CREATE',
    requirements: facts.requirements
      .filter(({ feature }) => feature !== null)
      .map(({ id }) => id)
      .slice(0, 50),
    acceptance: [...setUp.acceptance],
    validation: setUp.validation,
    owner: DEFAULT_OWNER,
    estimateHours: 1,
    after: [],
  }
  const waits = (draft: Draft) => setUp.phases.some((each) => each === draft.phase)
  return [
    first,
    ...drafts.map((draft) => (waits(draft) ? { ...draft, after: [...draft.after, key] } : draft)),
  ]
}

/** A criterion of the brief, with the feature that it speaks of. */
export interface PlacedCriterion {
  readonly text: string
  readonly feature: Feature | null
  readonly judged: boolean
}

export function placeCriteria(criteria: readonly string[], features: readonly Feature[]): PlacedCriterion[] {
  return criteria.map((text) => ({
    text: text.slice(0, 2_000),
    feature: featureFor(text, features),
    judged: isJudgedByPerson(text),
  }))
}

function idsFor(drafts: readonly Draft[], known: ReadonlyMap<string, string>): Map<string, string> {
  const taken = new Set(known.values())
  const ids = new Map<string, string>()
  let next = 1
  for (const draft of drafts) {
    const key = keyOf(draft)
    const before = known.get(key)
    while (before === undefined && taken.has(`T${next}`)) next += 1
    const id = before ?? `T${next}`
    taken.add(id)
    ids.set(key, id)
  }
  return ids
}

const VERBS: Readonly<Record<Exclude<Layer, 'tests'>, string>> = {
  database: 'Create the migration for',
  types: 'Define the types of',
  queries: 'Write the logic of',
  api: 'Add the routes of',
  ui: 'Build the view of',
}
const HOURS: Readonly<Record<Layer, number>> = {
  database: 1,
  types: 0.5,
  queries: 2,
  api: 2,
  ui: 3,
  tests: 1.5,
}

function fileDraft(
  { feature, layer, path, exists }: FeatureFile,
  facts: TaskMaking,
  needs: FeatureNeeds,
): Draft {
  if (layer === 'tests') throw new Error('tests are made with their criteria')
  const mine = facts.files.filter((file) => file.feature === feature)
  return {
    phase: layer,
    title: titleOf(`${exists ? 'Extend' : VERBS[layer]} ${feature.name}`),
    file: path,
    action: exists ? 'UPDATE' : 'CREATE',
    after: [...below(layer, mine), ...neededFor(layer, { feature, needs, facts })].map(
      ({ path: file, layer: phase }) => keyOf({ phase, file }),
    ),
    requirements: servedBy(feature, facts.requirements),
    acceptance: acceptanceOf(feature, layer),
    validation: fileCommandFor(path, { names: [] }, facts.commands),
    owner: exists ? facts.ownerOf(path) : DEFAULT_OWNER,
    estimateHours: HOURS[layer] + Math.min(2, feature.details.length * 0.5),
  }
}

const ORDER: readonly Layer[] = ['database', 'types', 'queries', 'api', 'ui', 'tests']

function below(layer: Layer, files: readonly FeatureFile[]): FeatureFile[] {
  return files.filter((file) => ORDER.indexOf(file.layer) < ORDER.indexOf(layer))
}

interface Needed {
  readonly feature: Feature
  readonly needs: FeatureNeeds
  readonly facts: TaskMaking
}

/** Tables and types of other features. A migration waits for those with a lower number only. */
function neededFor(layer: Layer, { feature, needs, facts: { files, features } }: Needed): FeatureFile[] {
  const others = needs.get(feature) ?? []
  const isEarlier = (other: Feature) => features.indexOf(other) < features.indexOf(feature)
  return files.filter(
    (file) =>
      others.includes(file.feature) &&
      (layer === 'database'
        ? file.layer === 'database' && isEarlier(file.feature)
        : (file.layer === 'database' || file.layer === 'types') && below(layer, [file]).length > 0),
  )
}

function acceptanceOf(feature: Feature, layer: Layer): string[] {
  const { name, description, details } = feature
  const what = description === '' || description === name ? name : `${name}: ${description}`
  switch (layer) {
    case 'database':
      return [
        `The migration creates the table of ${name}${fieldWords(feature)}, and runs after those before it`,
      ]
    case 'types':
      return [`The type ${modelNameOf(feature)} describes what ${name} keeps${fieldWords(feature)}`]
    case 'api':
      return [`Bad input to the routes of ${name} is refused with a clear error`, what, ...details]
    case 'ui':
      return [what, ...details, `${name} says what to do when there is nothing yet, and when something fails`]
    case 'queries':
    case 'tests':
      return [what, ...details]
  }
}

/** The fields that its words name. */
function fieldWords(feature: Feature): string {
  const names = namedFields(feature)
  return names.length === 0 ? '' : `, with ${names.join(', ')}`
}

function servedBy(feature: Feature, requirements: readonly Requirement[]): string[] {
  return requirements.filter((each) => each.feature === feature.name.slice(0, 200)).map(({ id }) => id)
}

function sharedDraft(shared: Shared, facts: TaskMaking): Draft {
  const { layer, path, names, owner, changes } = shared
  const exists = facts.tree.has(path)
  const features = names.map(({ feature }) => feature)
  const what = layer === 'api' ? 'Mount the routes of' : sharedVerb(layer, facts.profile.kind)
  return {
    phase: layer,
    title: titleOf(`${what} ${features.map(({ name }) => name).join(', ')}`),
    file: path,
    action: exists ? 'UPDATE' : 'CREATE',
    after: names.map((file) => keyOf({ phase: file.layer, file: file.path })),
    requirements: features.flatMap((feature) => servedBy(feature, facts.requirements)).slice(0, 50),
    acceptance: [changes],
    validation: fileCommandFor(
      path,
      { names: names.slice(0, NAMES_MAX).map((file) => stemOf(file.path)) },
      facts.commands,
    ),
    owner,
    estimateHours: 0.5,
  }
}

/** A command that looked for more of them would be too long for a shell's line. */
const NAMES_MAX = 12

function stemOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\..*$/, '')
}

function testDraft(file: FeatureFile, criteria: readonly PlacedCriterion[], facts: TaskMaking): Draft {
  const { feature, path, exists } = file
  const own = facts.files.filter((each) => each.feature === feature && each.layer !== 'tests')
  const mounted = facts.shared.filter(({ names }) => names.some((each) => each.feature === feature))
  const mine = criteria.filter((each) => each.feature === feature)
  const edges = facts.full ? [`${feature.name}: empty, very long and wrong input, and the same twice`] : []
  return {
    phase: 'tests',
    title: titleOf(`Test ${feature.name}`),
    file: path,
    action: exists ? 'UPDATE' : 'CREATE',
    after: [
      ...own.map((each) => keyOf({ phase: each.layer, file: each.path })),
      ...mounted.map((each) => keyOf({ phase: each.layer, file: each.path })),
    ],
    requirements: servedBy(feature, facts.requirements),
    acceptance: [...(mine.length === 0 ? acceptanceOf(feature, 'tests') : mine.map(saidCriterion)), ...edges],
    validation: testCommandFor(path, facts.commands),
    owner: exists ? facts.ownerOf(path) : DEFAULT_OWNER,
    estimateHours: HOURS.tests + (facts.full ? 0.5 : 0),
  }
}

export const JUDGED_MARK = 'A person judges: '

export function saidCriterion({ text, judged }: PlacedCriterion): string {
  return `${judged ? JUDGED_MARK : ''}${text}`.slice(0, 2_000)
}

/** What is about the whole: criteria that name no feature, demands of the documents, and how well it has to do it. */
function wholeDrafts(criteria: readonly PlacedCriterion[], facts: TaskMaking): Draft[] {
  const loose = criteria.filter(({ feature }) => feature === null)
  const whole = facts.requirements.filter(({ feature }) => feature === null)
  const qualities = whole.filter(({ kind }) => kind === 'non_functional')
  const together = facts.full ? whole.filter(({ kind }) => kind === 'functional') : whole
  const testAt = (slug: string) => pathOf(facts.profile.layout.tests, slug)
  const after = facts.files
    .filter(({ layer }) => layer === 'tests')
    .map(({ path: file }) => keyOf({ phase: 'tests', file }))
  const draft = (slug: string, title: string, rest: Pick<Draft, 'requirements' | 'acceptance'>): Draft => ({
    phase: 'tests',
    title: titleOf(title),
    file: testAt(slug),
    action: facts.tree.has(testAt(slug)) ? 'UPDATE' : 'CREATE',
    after,
    validation: testCommandFor(testAt(slug), facts.commands),
    owner: DEFAULT_OWNER,
    estimateHours: 2,
    ...rest,
  })
  const acceptance = [...loose.map(saidCriterion), ...together.map(({ text }) => text)].slice(
    0,
    ACCEPTANCE_MAX - 1,
  )
  return [
    ...(acceptance.length === 0
      ? []
      : [
          draft(`${facts.slug}-acceptance`, `Test ${facts.title} as a whole`, {
            requirements: (together.length > 0 ? together : facts.requirements)
              .map(({ id }) => id)
              .slice(0, 50),
            acceptance,
          }),
        ]),
    ...(facts.full
      ? qualities.map(({ id, text }) =>
          draft(
            `${facts.slug}-${id.toLowerCase()}`,
            `Test ${facts.title}: ${text.split(':')[0]?.toLowerCase()}`,
            {
              requirements: [id],
              acceptance: [text],
            },
          ),
        )
      : []),
  ]
}

interface CriterionPlace {
  readonly nth: number
  readonly tasks: readonly SpecTask[]
  readonly facts: TaskMaking
}

function criterionOf(criterion: PlacedCriterion, { nth, tasks }: CriterionPlace): SpecCriterion {
  const task = tasks.find(
    ({ phase, acceptance }) => phase === 'tests' && acceptance.includes(saidCriterion(criterion)),
  )
  return {
    id: `AC-${nth + 1}`,
    text: criterion.text,
    check: criterion.judged ? null : (task?.validation ?? null),
    task: task?.id ?? null,
  }
}

function titleOf(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`
}
