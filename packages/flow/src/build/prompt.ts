// What an engine that reads is told: the item, what counts as done, the evidence of what fails, what was tried,
// and what the crew knows. Everything goes through the Context Architect, which keeps to the budget.
import { type CountTokens, type Filled, fillContext } from '@treadle/context/fill'
import { memoryParts, type Part } from '@treadle/context/parts'
import { promptText } from '@treadle/context/prompt-text'
import type { GatesConfig } from '@treadle/contracts/config/gates'
import type { FailureGroup } from '@treadle/contracts/failure'
import type { TestFailure } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import type { Lesson } from '@treadle/contracts/lesson'
import type { ContextNote, PhaseRecord } from '@treadle/contracts/run'
import { measureWords } from '@treadle/contracts/words/measure'
import { HOW_TO_TELL } from '../learn/discovered.ts'
import { isOfCommand } from '../verify/failure/evidence.ts'
import type { Requested, Rework } from '../work/rework.ts'
import { type TriedFix, triedFixes } from '../work/tried-fixes.ts'
import { withOwnPaths } from './own-paths.ts'
import type { Recalled } from './recalled.ts'
import { cameBackText, requestParts, reworkParts } from './rework-text.ts'
import type { Suggestion } from './suggest.ts'

export interface PromptFacts {
  readonly item: Item
  readonly attempt: number
  readonly testCommand: string | null
  /** The settings of the checks that a delivery has to pass. */
  readonly gates: GatesConfig
  /** What this turn is to mend. */
  readonly groups: readonly FailureGroup[]
  /** Causes that other turns see to. */
  readonly others: number
  readonly history: readonly PhaseRecord[]
  readonly suggestion: Suggestion | null
  /** What was delivered before and sent back. */
  readonly rework: Rework | null
  /** What the reviews of it have asked for. */
  readonly asked: Requested
  readonly lessons: Recalled
  /** What people said to this run. */
  readonly guidance: readonly string[]
  /** Text files of the worktree, by path. */
  readonly files: ReadonlyMap<string, string>
  /** Where they are; output of tools has paths from there. Left out: nowhere. */
  readonly worktree?: string
  readonly budgetTokens: number
  readonly count: CountTokens
}

/** Whether it ran out of time or gave a wrong answer asks for different fixes. */
const KINDS: Readonly<Record<FailureGroup['kind'], string>> = {
  assertion: 'Wrong result',
  error: 'Error',
  timeout: 'Timed out',
  load: 'Could not be loaded',
  unknown: 'Failed',
}
export const CONVENTIONS = ['CLAUDE.md', 'AGENTS.md']
const PLACES_MAX = 6
const ADVICE_CHARS_MAX = 2_000
const TOPIC_CHARS_MAX = 200
const CAUSE_CHARS_MAX = 120
const LINES_AROUND = 12
const SUSPECTS_PER_GROUP = 3

export function writePrompt(facts: PromptFacts): Filled {
  const tried = triedFixes(facts.history)
  const parts: Part[] = [
    { name: 'task', origin: 'Treadle', trust: 'owner', text: contractText(facts) },
    { name: 'task', origin: 'the item', trust: 'owner', text: taskText(facts) },
    ...reworkParts(facts),
    { name: 'task', origin: 'guidance', trust: 'owner', text: guidanceText(facts) },
    { name: 'task', origin: 'the test runner', trust: 'tool', text: evidenceText(facts) },
    { name: 'task', origin: 'earlier attempts, in short', trust: 'tool', text: triedText(tried, facts) },
    { name: 'task', origin: 'code where it fails', trust: 'project', text: codeText(facts) },
    { name: 'task', origin: 'lessons', trust: 'project', text: helpedText(facts) },
    { name: 'gotchas', origin: 'lessons', trust: 'project', text: gotchasText(facts) },
    { name: 'template', origin: 'lessons', trust: 'project', text: patternsText(facts.lessons.patterns) },
    ...conventionsParts(facts),
    ...memoryParts(attemptTexts(facts.history), { origin: 'earlier attempts', trust: 'tool' }),
    { name: 'readme', origin: 'README.md', trust: 'project', text: facts.files.get('README.md') ?? null },
  ]
  return fillContext({ parts: inPlace(parts, facts), budgetTokens: facts.budgetTokens, count: facts.count })
}

/** What tools and lessons say of files, with paths that hold where the engine stands. */
function inPlace(parts: readonly Part[], { worktree }: PromptFacts): Part[] {
  return parts.map((part) =>
    worktree === undefined || (part.trust !== 'tool' && part.origin !== 'lessons') || part.text === null
      ? part
      : { ...part, text: withOwnPaths(part.text, worktree) },
  )
}

const CUT_OFF =
  'You were cut off in the middle of your work. The files are as you left them. Look at what is done, then go on to the end.'

/** What is new since the last turn, for a conversation that has the item, the conventions and what was done so far. */
export function writeNews(facts: PromptFacts, isCutOff: boolean): Filled {
  const { attempt, groups, others, testCommand } = facts
  const elsewhere = others === 0 ? '' : `; ${others} other cause(s) are seen to apart`
  const mend = `Attempt ${attempt - 1} of #${facts.item.number} is not enough. This is attempt ${attempt}: mend the cause of ${groups.length === 0 ? 'what was found' : 'the failures below'}${elsewhere}. Do not try the same again.`
  const told = attempt === 1 ? cameBackText(facts) : mend
  const why = isCutOff ? CUT_OFF : told
  const tests = testCommand === null ? '' : `\n\nTests are run with: ${testCommand}`
  const parts: Part[] = [
    { name: 'task', origin: 'the item', trust: 'owner', text: `${why}${tests}` },
    ...(attempt === 1 ? requestParts(facts) : []),
    { name: 'task', origin: 'guidance', trust: 'owner', text: guidanceText(facts) },
    { name: 'task', origin: 'the test runner', trust: 'tool', text: evidenceText(facts) },
    { name: 'task', origin: 'code where it fails', trust: 'project', text: codeText(facts) },
    { name: 'gotchas', origin: 'lessons', trust: 'project', text: gotchasText(facts) },
  ]
  return fillContext({ parts: inPlace(parts, facts), budgetTokens: facts.budgetTokens, count: facts.count })
}

export function contextNote({ budget, used, segments, dropped }: Filled): ContextNote {
  return {
    budget,
    used,
    segments: segments.slice(0, 100).map(({ name, origin, tokens, truncated }) => ({
      name,
      origin,
      tokens,
      truncated,
    })),
    // What there was none of was not left out.
    dropped: dropped
      .filter(({ why }) => why !== 'absent' && why !== 'empty')
      .slice(0, 100)
      .map(({ name, origin, tokens, why }) => ({ name, origin, tokens, why })),
  }
}

/** The same for every engine: what nobody else tells it, and what it will be judged by. */
function contractText({ item, testCommand, gates }: PromptFacts): string {
  const contract = promptText('build', {
    testCommand,
    measure: item.measure === null ? null : measureWords(item.measure),
    checks: checksTold(gates, testCommand).join('; '),
  })
  return `${contract}\n- ${HOW_TO_TELL}`
}

function checksTold(gates: GatesConfig, testCommand: string | null): string[] {
  const { coverage, linterCommand, mutation, witness } = gates
  return [
    ...(testCommand === null
      ? []
      : ['the whole test suite passes', 'no test was removed, skipped or weakened']),
    ...(testCommand === null || witness === 'off' ? [] : ['a test fails without the change']),
    ...(testCommand === null || mutation.mutants === 0
      ? []
      : [`tests notice ${mutation.share} % of small faults planted in the changed lines`]),
    ...(coverage.threshold === null ? [] : [`at least ${coverage.threshold} % of lines are covered`]),
    ...(linterCommand === false ? [] : ['the linter is clean']),
    'no secrets, and nothing that reads the environment, the clock or the network without need',
  ]
}

function taskText({ item, attempt, groups, others }: PromptFacts): string {
  const criteria = item.acceptance.map((criterion) => `- ${criterion.text}`)
  const elsewhere = others === 0 ? '' : `; ${others} other cause(s) are seen to apart`
  const mend = `This is attempt ${attempt}. Mend the cause of the failures below${elsewhere}. Do not try the same again.`
  const now = attempt === 1 ? 'What fails now is in the output of the test runner below.' : mend
  return [
    `# #${item.number} ${item.title}`,
    ...(item.body === '' ? [] : [item.body]),
    ...(criteria.length === 0 ? [] : ['## Done when', criteria.join('\n')]),
    ...(groups.length === 0 ? [] : [now]),
  ].join('\n\n')
}

function guidanceText({ guidance }: PromptFacts): string | null {
  if (guidance.length === 0) return null
  return ['## What you were told meanwhile', ...guidance.map((text) => `- ${text}`)].join('\n\n')
}

function helpedText({ suggestion }: PromptFacts): string | null {
  if (suggestion?.is !== 'resolution') return null
  return ['## This helped before', resolutionText(suggestion.lesson)].join('\n\n')
}

/** What was seen of it; what an engine said when it was done stays out of every prompt. */
function resolutionText({ topic, confidence, content, payload }: Lesson): string {
  const { diff } = payload
  return [
    `${topic ?? 'The same error'} (confidence ${confidence})`,
    ...(content === '' ? [] : [content]),
    ...(typeof diff === 'string' && diff !== '' ? [diff] : []),
  ].join('\n')
}

/** Whole: the evidence of a failure must reach whoever mends it. */
function evidenceText({ groups }: PromptFacts): string | null {
  if (groups.length === 0) return null
  return groups.map(groupText).join('\n\n')
}

/** A command that failed without naming a test has nothing to say but how it ended and what it printed. */
function groupText({ kind, cause, failures }: FailureGroup): string {
  if (failures.every(isOfCommand))
    return [...new Set(failures.map(({ message }) => `## ${message}`))].join('\n\n')
  return [`## ${KINDS[kind]}: ${cause}`, ...failures.map(failureText)].join('\n\n')
}

function failureText(failure: TestFailure): string {
  const place =
    failure.file === null ? '' : ` (${failure.file}${failure.line === null ? '' : `:${failure.line}`})`
  const { expected, actual } = failure
  return [
    `### ${failure.id}${place}`,
    failure.message,
    ...(expected == null && actual == null ? [] : [`expected: ${expected}\nactual: ${actual}`]),
    ...(failure.stack === null ? [] : [failure.stack]),
    ...(failure.output == null || failure.output === '' ? [] : [`It printed:\n${failure.output}`]),
  ].join('\n')
}

function triedText(tried: readonly TriedFix[], { worktree = '' }: PromptFacts): string | null {
  if (tried.length === 0) return null
  // Before it is cut: half of a path would stay.
  const short = (cause: string) => clipped(firstLine(withOwnPaths(cause, worktree)), CAUSE_CHARS_MAX)
  const lines = tried.map(({ attempt, fix, record, result }) => {
    const what = fix.group === null ? 'the whole item' : short(fix.group.cause)
    const changed = record.changes.length === 0 ? 'nothing' : record.changes.join(', ')
    return `- Attempt ${attempt} for ${what}: changed ${changed} (${result}). ${firstLine(fix.said)}`
  })
  return ['Already tried:', ...lines].join('\n')
}

/** The diff of each attempt and what the tests said of it, the latest last. */
function attemptTexts(history: readonly PhaseRecord[]): string[] {
  return history.flatMap((record, index) => {
    if (record.phase !== 'build' && record.phase !== 'improve') return []
    const test = history.slice(index + 1).find(({ phase }) => phase === 'test')
    const after = test === undefined ? 'not tested' : `${test.outcome}: ${test.summary}`
    return [`Attempt ${record.iteration + 1} changed:\n${record.diff || 'nothing'}\nThen the tests: ${after}`]
  })
}

function gotchasText({ lessons, suggestion }: PromptFacts): string | null {
  const line = (lesson: Lesson) => lessonText(lesson.topic ?? lesson.signature ?? 'known error', lesson)
  const followed = suggestion?.is === 'resolution' ? suggestion.lesson.id : null
  const others = lessons.resolutions.filter(({ id }) => id !== followed)
  const parts = [
    ...(lessons.gotchas.length === 0
      ? []
      : ['Known errors here. Avoid them, and build it as recommended:', ...lessons.gotchas.map(line)]),
    ...(others.length === 0 ? [] : ['What helped against errors like these:', ...others.map(line)]),
  ]
  return parts.length === 0 ? null : parts.join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are to go.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g

/** Lessons come from files, tests and engines: no line of one may look like a line of ours. */
function lessonText(head: string, lesson: Lesson): string {
  const name = head.replace(/\s+/g, ' ')
  const words = clipped(advice(lesson), ADVICE_CHARS_MAX)
  const isSaid = lesson.content.replace(/\s+/g, ' ').includes(name)
  const title = isSaid ? '' : `${clipped(name, TOPIC_CHARS_MAX)}: `
  return `- ${title}${words}`.replace(CONTROL, ' ').replaceAll('\n', '\n  ')
}

function clipped(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}

function patternsText(patterns: readonly Lesson[]): string | null {
  if (patterns.length === 0) return null
  const lines = patterns.map((lesson) => lessonText(lesson.topic ?? 'pattern', lesson))
  return ['Established patterns of this project. Follow them:', ...lines].join('\n')
}

function advice({ content, payload }: Lesson): string {
  const texts = ['description', 'avoid', 'recommended', 'example'].flatMap((key) => {
    const value = payload[key]
    return typeof value === 'string' && value !== '' && !content.includes(value) ? [`${key}: ${value}`] : []
  })
  return [...(content === '' ? [] : [content]), ...texts].join('\n')
}

/** Engines read no such files by themselves, so that each is told, and a file that only names the other is not. */
function conventionsParts({ files }: PromptFacts): Part[] {
  const said = new Set(CONVENTIONS.filter((name) => files.has(name)).map((name) => `@${name}`))
  const parts: Part[] = []
  for (const origin of CONVENTIONS) {
    const text = files.get(origin) ?? null
    const isSaid = text !== null && said.has(text.trim())
    if (text !== null) said.add(text.trim())
    if (!isSaid) parts.push({ name: 'conventions', origin, trust: 'project', text })
  }
  return parts
}

/** The project's own frames of what fails, without those that lie close together. */
export function placesOf(groups: readonly FailureGroup[]): { file: string; line: number }[] {
  const frames = groups.flatMap(({ failures }) => failures.flatMap((failure) => failure.frames ?? []))
  const places = new Map<string, { file: string; line: number }>()
  for (const { file, line, own } of frames)
    if (own && line !== null && places.size < PLACES_MAX)
      places.set(`${file}:${Math.floor(line / LINES_AROUND)}`, { file, line })
  return [...places.values()]
}

/** The functions that what fails most likely went through: `src/cart.ts#total`. */
export function suspectsOf(groups: readonly FailureGroup[]): { file: string; name: string }[] {
  const suspects = new Set(groups.flatMap((group) => group.suspects.slice(0, SUSPECTS_PER_GROUP)))
  return [...suspects].slice(0, PLACES_MAX).map((suspect) => {
    const at = suspect.lastIndexOf('#')
    return { file: suspect.slice(0, at), name: suspect.slice(at + 1) }
  })
}

/** The lines around what failed and the functions behind it: what the error is about, without a search for it. */
function codeText({ groups, files }: PromptFacts): string | null {
  const failed = placesOf(groups)
  const behind = suspectsOf(groups).flatMap(({ file, name }) => {
    const line = lineOf(files.get(file) ?? '', name)
    return line === null || failed.some((place) => place.file === file && isNear(place.line, line))
      ? []
      : [{ file, line }]
  })
  const shown = [...failed, ...behind].flatMap(({ file, line }) => {
    const text = files.get(file)
    if (text === undefined) return []
    const from = Math.max(0, line - LINES_AROUND)
    return [[`${file}:${from + 1}`, ...text.split('\n').slice(from, line + LINES_AROUND)].join('\n')]
  })
  return shown.length === 0 ? null : shown.join('\n\n')
}

/** Where a function most likely begins: the first line that names it and opens something. */
function lineOf(text: string, name: string): number | null {
  const lines = text.split('\n')
  const bare = name.slice(name.lastIndexOf('.') + 1)
  const named = lines.flatMap((line, index) => (line.includes(bare) ? [{ line, at: index + 1 }] : []))
  const [first] = named
  return (
    (named.find(({ line }) => /\b(function|def|fn|func|const|class)\b|[({]\s*$/.test(line)) ?? first)?.at ??
    null
  )
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) < LINES_AROUND
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
