// What a model is told in a talk about an idea. What people and documents say stands between marked lines as data.
import { markFor, writeBlock } from '@treadle/context/block'
import type { Part } from '@treadle/context/parts'
import { type PromptName, promptText } from '@treadle/context/prompt-text'
import type { Idea, IdeaMessage, IdeaPhase, IdeaSignals } from '@treadle/contracts/idea'
import type { Lesson } from '@treadle/contracts/lesson'
import type { WebResult } from '../ports/web-search.ts'

/** As many messages are remembered, the newest. */
export const MEMORY_MESSAGES = 20
const OLDER_CHARS_MAX = 4_000
const DOCUMENT_CHARS_MAX = 12_000
const PROFILE_CHARS_MAX = 2_000
const WEB_CHARS_MAX = 1_500

/** The documents of a candidate, as they stand in the checkout; null: there is no such file. */
export interface IdeaContext {
  readonly readme: string | null
  readonly targetUsers: string | null
  readonly problemSolution: string | null
  readonly research: { readonly market: string | null; readonly competitive: string | null }
}

export interface UserProfile {
  readonly goals: readonly string[]
  readonly skills: readonly string[]
  readonly network: readonly string[]
  readonly lifeStage: string | null
}

/** All that a reply is made from. */
export interface TalkContext {
  readonly session: Pick<Idea, 'phase' | 'title' | 'slug'>
  /** Oldest first. */
  readonly memory: readonly IdeaMessage[]
  readonly signals: IdeaSignals
  /** Null before the first artifact: until then it has no documents. */
  readonly ideaContext: IdeaContext | null
  readonly userProfile: UserProfile | null
  /** What earlier talks have taught. */
  readonly taught: readonly Pick<Lesson, 'content'>[]
  /** Words of strangers, looked up because the last message asks for it. */
  readonly web: readonly WebResult[]
}

const PHASE_PROMPTS: Readonly<Record<IdeaPhase, PromptName>> = {
  EXPLORING: 'idea-exploring',
  NARROWING: 'idea-narrowing',
  VALIDATING: 'idea-validating',
  REFINING: 'idea-refining',
  COMPLETE: 'idea-complete',
}

export interface TalkPrompt {
  readonly system: string
  readonly prompt: string
}

export function writeTalkPrompt(context: TalkContext): TalkPrompt {
  const { session, signals } = context
  const known = knownPart(signals)
  const documents = documentParts(context.ideaContext)
  const profile = profilePart(context.userProfile)
  const web = context.web.map(({ title, url, text }) =>
    dataOf(`the web: ${url}`, `${title}\n\n${text.slice(0, WEB_CHARS_MAX)}`),
  )
  const taught = taughtPart(context.taught)
  const mark = markFor([known, ...documents, profile, taught, ...web].filter((part) => part !== null))
  const system = [
    promptText('idea'),
    promptText(PHASE_PROMPTS[session.phase]),
    section('What We Know So Far', mark, [known]),
    section('Idea Context', mark, documents),
    section('About This User', mark, [profile]),
    section('What Earlier Talks Have Taught', mark, [taught]),
    section('What The Web Says', mark, web),
    promptText('idea-guidelines', { confidence: String(Math.round(signals.confidence * 100)) }),
  ]
  return { system: system.filter((part) => part !== null).join('\n\n'), prompt: memoryText(context.memory) }
}

/** Asks what a reply has brought where its own words could not be read. */
export function writeSignalsPrompt(reply: string): TalkPrompt {
  const part = dataOf('a reply of the assistant', reply.slice(0, OLDER_CHARS_MAX * 5))
  return { system: promptText('idea-signals'), prompt: blockOf(markFor([part]), part) }
}

const UNREADABLE =
  'Your last answer could not be read: it had neither words for the person nor the JSON block. Answer in the form that was asked for.'

/** The same question once more, for a model whose answer was of no use. */
export function askedAgain(prompt: string): string {
  return `${prompt}\n${UNREADABLE}\n`
}

function section(title: string, mark: string, parts: readonly (Part | null)[]): string | null {
  const there = parts.filter((part) => part !== null)
  return there.length === 0
    ? null
    : `## ${title}\n\n${there
        .map((part) => blockOf(mark, part))
        .join('')
        .trimEnd()}`
}

function blockOf(mark: string, part: Part): string {
  const text = part.text?.toWellFormed() ?? ''
  return writeBlock(mark, { part, text, truncated: false })
}

function dataOf(origin: string, text: string): Part {
  return { name: 'task', origin, trust: 'untrusted', text }
}

function knownPart({ artifacts, decisions, risks }: IdeaSignals): Part | null {
  const lines = [
    ...artifacts.map(({ type, summary }) => `- ${type}: ${summary}`),
    ...decisions.map(({ type, text }) => `- decision (${type}): ${firstLine(text)}`),
    ...risks.map(({ text }) => `- risk: ${firstLine(text)}`),
  ]
  return artifacts.length === 0 ? null : dataOf('what was understood', lines.join('\n'))
}

function documentParts(context: IdeaContext | null): Part[] {
  if (context === null) return []
  const { readme, targetUsers, problemSolution, research } = context
  const documents: readonly (readonly [origin: string, text: string | null])[] = [
    ['README.md', readme],
    ['target users: target-users.md', targetUsers],
    ['problem-solution.md', problemSolution],
    ['research/market.md', research.market],
    ['research/competitive.md', research.competitive],
  ]
  return documents.flatMap(([origin, text]) =>
    text === null || text.trim() === '' ? [] : [dataOf(origin, text.slice(0, DOCUMENT_CHARS_MAX))],
  )
}

function taughtPart(taught: TalkContext['taught']): Part | null {
  if (taught.length === 0) return null
  const text = taught.map(({ content }) => `- ${firstLine(content)}`).join('\n')
  return { name: 'gotchas', origin: 'lessons of earlier talks', trust: 'project', text }
}

function profilePart(profile: UserProfile | null): Part | null {
  if (profile === null) return null
  const lines: readonly (readonly [words: string, said: readonly string[]])[] = [
    ['Goals', profile.goals],
    ['Skills', profile.skills],
    ['Network', profile.network],
    ['Stage of life', profile.lifeStage === null ? [] : [profile.lifeStage]],
  ]
  const text = lines
    .filter(([, said]) => said.length > 0)
    .map(([words, said]) => `${words}: ${said.join(', ')}`)
    .join('\n')
  return text === '' ? null : dataOf('profile.md', text.slice(0, PROFILE_CHARS_MAX))
}

function memoryText(memory: readonly IdeaMessage[]): string {
  const last = memory.slice(-MEMORY_MESSAGES)
  const parts = last.map((message, at) =>
    dataOf(
      message.role === 'user' ? `message of ${message.by}` : 'your own reply',
      at === last.length - 1 ? message.content : withSignals(message),
    ),
  )
  const mark = markFor(parts)
  return `This is the talk so far, oldest first. Answer the last message.\n\n${parts
    .map((part) => blockOf(mark, part))
    .join('')}`
}

/** A message, and in one line what it has brought. */
function withSignals({ content, signals }: IdeaMessage): string {
  const text = content.slice(0, OLDER_CHARS_MAX)
  const types = signals?.artifacts.map(({ type }) => type) ?? []
  const brought = [
    ...types,
    ...(signals?.decisions.map(({ type }) => `decision (${type})`) ?? []),
    ...(signals?.risks.map(() => 'risk') ?? []),
  ]
  return brought.length === 0 ? text : `${text}\n\n(brought: ${brought.join(', ')})`
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.slice(0, 300) ?? ''
}

const NAMES: Readonly<Record<string, keyof UserProfile>> = {
  goal: 'goals',
  goals: 'goals',
  skill: 'skills',
  skills: 'skills',
  network: 'network',
  'life stage': 'lifeStage',
  lifestage: 'lifeStage',
  'stage of life': 'lifeStage',
}
const SAID_MAX = 20

/** Headings or labels with what follows them: `## Goals` and bullets, or `Goals: a, b`. */
export function profileIn(text: string): UserProfile | null {
  const said: Record<keyof UserProfile, string[]> = { goals: [], skills: [], network: [], lifeStage: [] }
  let under: keyof UserProfile | null = null
  for (const written of text.slice(0, DOCUMENT_CHARS_MAX).split(/\r?\n/)) {
    // A long row of spaces would be tried in all ways.
    const line = written.replace(/\s+/g, ' ')
    const [, name = '', rest = ''] =
      /^[#\s>*_-]*([A-Za-z ]{2,20}?)[\s*_]*(?::\s*[*_]*(.*)|$)/.exec(line) ?? []
    const known = NAMES[name.trim().toLowerCase()]
    if (known !== undefined) {
      under = known
      said[known].push(...rest.split(/[,;]/).map((word) => word.trim()))
    } else if (/^#/.test(line)) under = null
    else if (under !== null) said[under].push(line.replace(/^\s*(?:[-*+]|\d+[.)])\s*/, '').trim())
  }
  const words = (key: keyof UserProfile) => said[key].filter((word) => word !== '').slice(0, SAID_MAX)
  const profile = {
    goals: words('goals'),
    skills: words('skills'),
    network: words('network'),
    lifeStage: words('lifeStage').join(' ') || null,
  }
  const isEmpty =
    profile.lifeStage === null && [...profile.goals, ...profile.skills, ...profile.network].length === 0
  return isEmpty ? null : profile
}
