// The script that plays the model in `treadle demo --idea`: its replies, its specification and its code, all made from
// the sentence of the idea. Nothing here is a document, an item or a merge; those are the product's.
import { CALLED, ENTRIES, FIND, type Part } from './idea-parts.ts'
import { capital, type Subject, subjectOf } from './idea-subject.ts'

interface Script {
  /** What the scripted engine plays. */
  readonly scenario: object
  /** What the person says in the talk, one after each reply. */
  readonly says: readonly string[]
}

const FEATURES_MAX = 3
/** What works on amounts keeps no entries. */
const COUNTS = /\b(?:calculators?|converters?|counters?)\b/

interface Feature {
  readonly part: Part
  readonly name: string
  readonly slug: string
}

export function featuresOf(text: string, subject: Subject): Feature[] {
  const plain = text.toLowerCase()
  const called = CALLED.filter(({ calledBy }) => calledBy.test(plain))
  const keeps = !COUNTS.test(plain) || called.length === 0
  const chosen = [...new Set([...(keeps ? [ENTRIES] : []), ...called])]
  const enough = chosen.length > 1 ? chosen : [...chosen, FIND]
  return enough.slice(0, FEATURES_MAX).map((part) => {
    const name = part.name(subject)
    return { part, name, slug: name.toLowerCase().replace(/[^a-z0-9]+/g, '-') }
  })
}

/** `command` runs the tests of the workspace, or those of the files behind it; `node` is the program itself. */
export function ideaScript(text: string, { node, command }: { node: string; command: string }): Script {
  const subject = subjectOf(text)
  const features = featuresOf(text, subject)
  const tasks = tasksOf(subject, features, { node, command })
  const usage = { model: 'script', inputTokens: 0, outputTokens: 0, usd: 0 }
  const turn = (said: string) => [{ use: usage }, { say: { text: said } }]
  return {
    says: saysOf(subject, features),
    scenario: {
      version: 1,
      items: tasks.map(({ task: { id, file }, code }) => ({
        match: { title: `${id}: *` },
        attempts: [
          [{ use: usage }, { write: { file, text: code } }, { say: { text: `${file} is written.` } }],
        ],
      })),
      thoughts: [
        { match: { kind: 'idea_reply' }, replies: repliesOf(subject, features).map(turn) },
        {
          match: { kind: 'spec_write' },
          replies: [turn(JSON.stringify(writtenOf(subject, features, tasks)))],
        },
      ],
    },
  }
}

// ── The talk ────────────────────────────────────────────────────────────────────────────────────

function saysOf({ name }: Subject, features: readonly Feature[]): string[] {
  return [
    `People who use a ${name} every day`,
    `First of all: ${features.map((feature) => feature.name.toLowerCase()).join(', ')}`,
    'I asked nine of them, and all of them would take a library first',
    'It is done when its own tests show each part of it',
  ]
}

const block = (given: object) => `\n\n\`\`\`json\n${JSON.stringify(given)}\n\`\`\``
const artifact = (type: string, text: string) => ({
  type,
  summary: text.split('\n')[0],
  text,
  confidence: 0.85,
})

function repliesOf(subject: Subject, features: readonly Feature[]): string[] {
  const { name } = subject
  const who = `Who would use the ${name} first?`
  return [
    `${capital(name)}: good. ${who}${block({ questions: [who], confidence: 0.1 })}`,
    `So it is for people who use a ${name} every day. What must it do first?${block({
      artifacts: [
        artifact('target-user', `People who use a ${name} every day`),
        artifact(
          'problem',
          `A ${name} that people keep by hand is out of date, and nobody notices it in time`,
        ),
        artifact(
          'solution-concept',
          `A small library in plain JavaScript that is the ${name}, without a server`,
        ),
      ],
      confidence: 0.4,
    })}`,
    `That is a small first version. What speaks for it?${block({
      artifacts: [
        artifact(
          'mvp-features',
          features.map(({ name: named, part }) => `- **${named}**: ${part.does(subject)}`).join('\n'),
        ),
        artifact('differentiator', `It needs no server and no package, and every part of it has tests`),
      ],
      confidence: 0.6,
    })}`,
    `Noted. When is it done?${block({
      decisions: [
        `People use a ${name} every day`,
        'A library without packages can be used everywhere',
        'A first version needs no view',
      ].map((said) => ({ type: 'validation', text: said })),
      risks: [{ text: `A ${name} of a single person may not be enough for a group` }],
      confidence: 0.7,
    })}`,
    `That makes a brief. Read it, and have it specified.${block({
      decisions: features.map(({ part }) => ({ type: 'done', text: part.holds(subject) })),
      confidence: 0.85,
    })}`,
  ]
}

// ── The specification ───────────────────────────────────────────────────────────────────────────

interface TaskWithText {
  readonly task: {
    readonly id: string
    readonly phase: 'queries' | 'tests'
    readonly title: string
    readonly file: string
    readonly action: 'CREATE'
    readonly dependsOn: readonly string[]
    readonly requirements: readonly string[]
    readonly criteria: readonly string[]
    readonly acceptance: readonly string[]
    readonly validation: string
    readonly estimateHours: number
  }
  readonly code: string
}

interface Programs {
  readonly node: string
  readonly command: string
}

/** For each feature its code and its tests, and one file that names all of it. */
function tasksOf(
  subject: Subject,
  features: readonly Feature[],
  { node, command }: Programs,
): TaskWithText[] {
  const codes = features.map(({ part, name, slug }, nth): TaskWithText => {
    const file = `src/${slug}.js`
    return {
      task: {
        id: `T${nth + 1}`,
        phase: 'queries',
        title: `${name}: the code`,
        file,
        action: 'CREATE',
        dependsOn: [],
        requirements: [`FR-${nth + 1}`],
        criteria: [],
        acceptance: [`It exports ${part.exports(subject).join(', ')}`],
        validation: `"${node}" --check ${file}`,
        estimateHours: 1,
      },
      code: part.code(subject),
    }
  })
  const entry: TaskWithText = {
    task: {
      id: `T${features.length + 1}`,
      phase: 'queries',
      title: `One door to the ${subject.name}`,
      file: 'src/index.js',
      action: 'CREATE',
      dependsOn: codes.map(({ task }) => task.id),
      requirements: features.map((_, nth) => `FR-${nth + 1}`),
      criteria: [],
      acceptance: ['Everything can be imported from it'],
      validation: `"${node}" --check src/index.js`,
      estimateHours: 0.5,
    },
    code: features
      .map(({ part, slug }) => `export { ${part.exports(subject).join(', ')} } from './${slug}.js'\n`)
      .join(''),
  }
  const tests = features.map(({ part, name, slug }, nth): TaskWithText => {
    const file = `tests/${slug}.test.js`
    return {
      task: {
        id: `T${features.length + nth + 2}`,
        phase: 'tests',
        title: `${name}: its tests`,
        file,
        action: 'CREATE',
        dependsOn: [entry.task.id],
        requirements: [`FR-${nth + 1}`, 'NFR-1'],
        criteria: [`AC-${nth + 1}`],
        acceptance: [],
        validation: `${command} ${file}`,
        estimateHours: 1,
      },
      code: testText(subject, part),
    }
  })
  return [...codes, entry, ...tests]
}

function testText(subject: Subject, part: Part): string {
  return [
    `import assert from 'node:assert/strict'`,
    `import { test } from 'node:test'`,
    `import { ${part.exports(subject).join(', ')} } from '../src/index.js'`,
    '',
    part.tests(subject),
  ].join('\n')
}

function writtenOf(subject: Subject, features: readonly Feature[], tasks: readonly TaskWithText[]): object {
  const { name } = subject
  return {
    architecture: `The ${name} is a library: one file for each feature, plain functions without a state of their own, and src/index.js as the only door. What is kept is handed in and given back, so that whoever uses it decides where it lies.`,
    requirements: [
      ...features.map(({ name: named, part }, nth) => ({
        id: `FR-${nth + 1}`,
        text: `The library ${part.does(subject)}`,
        feature: named,
      })),
      { id: 'NFR-1', text: 'It needs no package and no server', feature: null },
    ],
    tasks: tasks.map(({ task }) => task),
    open: [],
  }
}

/** The files that the script has the engine write, by their paths. */
export function ideaFiles(text: string): Readonly<Record<string, string>> {
  const subject = subjectOf(text)
  const made = tasksOf(subject, featuresOf(text, subject), { node: 'node', command: 'node --test' })
  return Object.fromEntries(made.map(({ task, code }) => [task.file, code]))
}
