// Choices of architecture that a brief leaves open where nothing is built yet: pure, each with what follows from it.
import type { Specification } from '@treadle/contracts/specification'
import { kindsSaid } from './project-kind.ts'
import { readBrief } from './read-brief.ts'

export interface Architecture {
  /** Part of the subject, so that each is asked once. */
  readonly id: string
  readonly facts: Readonly<Record<string, string>>
}

interface About {
  readonly spec: {
    readonly tasks: readonly Specification['tasks'][number][]
    readonly requirements: readonly Specification['requirements'][number][]
  }
  /** The brief as plain text. */
  readonly text: string
  readonly title: string
  readonly solution: string
}

interface Way {
  readonly approach: string
  readonly pros: string
  readonly cons: string
  readonly hours: number
  /** What is asked for where it is chosen. */
  readonly request: (feature: string) => string
}

interface Choice {
  readonly id: string
  /** What it is about; null: it is not open. */
  readonly open: (about: About) => string | null
  readonly ways: (about: About) => readonly [Way, Way]
}

const ASKED_MAX = 2

const CHOICES: readonly Choice[] = [
  {
    id: 'shape',
    open: ({ title, solution }) => {
      const kinds = kindsSaid([title, solution])
      return kinds.has('library') && kinds.has('service') ? 'what others use it through' : null
    },
    ways: ({ spec }) => [
      {
        approach: 'a library that runs inside the program of whoever uses it',
        pros: 'nothing to run, no network between caller and code',
        cons: 'callers of one language only, and a new version reaches them when they update',
        hours: hoursOf(spec, ({ phase }) => !SERVED.has(phase)),
        request: () => 'No server; no ui',
      },
      {
        approach: 'a service that programs call over HTTP',
        pros: 'callers of any language, and one place to update',
        cons: 'a server that somebody runs, watches and pays for',
        hours: hoursOf(spec),
        request: () => 'Make it a web service',
      },
    ],
  },
  {
    id: 'storage',
    open: ({ spec, text }) =>
      /\b(?:database|sql\w*|postgres\w*|mongo\w*|redis|tables?|storage|files?|local ?storage)\b/i.test(
        text,
      ) || MANY_AT_ONCE.test(text)
        ? null
        : keptBy(spec),
    ways: ({ spec }) => [
      {
        approach: `a database, beginning with ${tablesOf(spec)[0]?.file ?? 'a migration'}`,
        pros: 'many people and many entries at once, and queries over all of them',
        cons: 'a database that somebody runs and migrates',
        hours: hoursOf(spec),
        request: () => 'Use a database',
      },
      {
        approach: 'no database: what is kept lies in files or in the memory of the program',
        pros: 'nothing to run beside the program',
        cons: 'one writer at a time, and no queries',
        hours: hoursOf(spec, ({ phase }) => phase !== 'database'),
        request: () => 'No database',
      },
    ],
  },
  {
    id: 'sign-in',
    open: ({ spec, text }) =>
      /\b(?:passwords?|oauth\w*|openid|sso|single sign[- ]on|magic links?|passkeys?|ldap|saml|auth0|(?:google|github|apple) (?:account|id|log-?in|sign-?in)|e-?mail links?|one[- ]time codes?|api keys?|tokens?)\b/i.test(
        text,
      )
        ? null
        : featureWith(
            spec,
            /\b(?:log[- ]?ins?|logs? in|sign[- ]?(?:ins?|ups?)|signs? (?:in|up)|user accounts?)\b/i,
          ),
    ways: ({ spec }) => [
      {
        approach: 'passwords of its own',
        pros: 'nobody else is needed, and everybody can sign up',
        cons: 'passwords to keep safe, and mails for those that are forgotten',
        hours: hoursOf(spec),
        request: (feature) => `Add criterion: ${feature}: a password is kept as a slow hash and never shown`,
      },
      {
        approach: 'the account that people have with a provider (OpenID Connect)',
        pros: 'no password is kept here',
        cons: 'a provider that everybody must have, and a registration with it',
        hours: hoursOf(spec),
        request: (feature) =>
          `Add criterion: ${feature}: people sign in with OpenID Connect and no password is kept`,
      },
    ],
  },
  {
    id: 'offline',
    open: ({ spec, text }) =>
      /\b(?:conflicts?|last (?:write|change) wins|newest wins|crdt|(?:by|per) (?:item|entry)|(?:item|entry) by (?:item|entry))\b/i.test(
        text,
      ) || !/\b(?:sync\w*|merg\w+|shar(?:e|es|ed|ing))\b/i.test(text)
        ? null
        : featureWith(spec, /\boffline\b/i),
    ways: ({ spec }) => [
      {
        approach: 'of two changes to the same entry the later one counts',
        pros: 'nobody is ever asked, and it is little to build',
        cons: 'the earlier change is gone',
        hours: hoursOf(spec),
        request: (feature) =>
          `Add criterion: ${feature}: of two changes to the same entry the later one counts on every device`,
      },
      {
        approach: 'both changes are kept, and a person chooses',
        pros: 'no change is lost',
        cons: 'a view to choose in, and people who have to',
        hours: hoursOf(spec) + 4,
        request: (feature) =>
          `Add criterion: ${feature}: two changes to the same entry are both shown until a person chooses`,
      },
    ],
  },
  {
    id: 'background',
    open: ({ spec, text }) =>
      TIMED.test(text) || !spec.tasks.some(({ phase }) => phase === 'api')
        ? null
        : featureWith(
            spec,
            /\b(?:(?:export|import|convert|transcod|resiz|render|scrap|crawl|generat)\w* (?:\w+ ){0,3}(?:pdfs?|videos?|images?|photos?|reports?|archives?|spreadsheets?|csvs?|files?|pages?|sites?)|send\w* (?:\w+ ){0,3}(?:mails?|e-?mails?|newsletters?))\b/i,
          ),
    ways: ({ spec }) => [
      {
        approach: 'it is done while the caller waits',
        pros: 'one program, and whoever asked sees at once whether it worked',
        cons: 'slow work holds the answer up, and is lost when the connection is',
        hours: hoursOf(spec),
        request: (feature) => `Add criterion: ${feature}: the answer comes when the work is done`,
      },
      {
        approach: 'it is done in the background, from a queue of jobs',
        pros: 'the answer comes at once, and what fails is tried again',
        cons: 'a queue and a worker that somebody runs, and a state to look at',
        hours: hoursOf(spec) + 4,
        request: (feature) =>
          `Add criterion: ${feature}: the answer comes before the work is done, and the work is tried again after a failure`,
      },
    ],
  },
  {
    id: 'live',
    open: ({ spec, text }) =>
      /\b(?:web ?sockets?|polling|polls|server-sent|sse|webrtc|push(?:es|ed)?)\b/i.test(text) ||
      !spec.tasks.some(({ phase }) => phase === 'api')
        ? null
        : featureWith(
            spec,
            /\b(?:real[- ]time|live (?:updates?|views?|scores?|status|maps?|feeds?|data|lists?|chat)|chat|collaborat\w+|as it happens)\b/i,
          ),
    ways: ({ spec }) => [
      {
        approach: 'the server pushes changes over a connection that stays open',
        pros: 'a change is seen within a second',
        cons: 'connections to keep, and to open again',
        hours: hoursOf(spec) + 3,
        request: (feature) => `Add criterion: ${feature}: a change is seen by others within 1 second`,
      },
      {
        approach: 'the page asks for changes every few seconds',
        pros: 'plain requests, and nothing to keep open',
        cons: 'a change is seen some seconds late, and asking costs when nothing changes',
        hours: hoursOf(spec),
        request: (feature) => `Add criterion: ${feature}: a change is seen by others within 10 seconds`,
      },
    ],
  },
]

const SERVED: ReadonlySet<string> = new Set(['database', 'api', 'ui'])

/** What several people do at once, and must not lose: files are no choice there. */
const MANY_AT_ONCE =
  /\b(?:payments?|pays?|checkout|orders?|bookings?|reservations?|user accounts?|log[- ]?in|sign[- ]?(?:in|up)|customers?|inventor(?:y|ies)|marketplace)\b/i
/** Says when it is done: at once, later, or again and again. */
const TIMED =
  /\b(?:background|queues?|queued|workers?|jobs?|cron|(?:a)?synchron\w+|at once|immediately|while (?:one|you|they|people) waits?|nightly|daily|hourly|weekly|every (?:\w+ )?(?:minute|hour|day|night|week|month)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|within \d+)\b/i

/** Choices that are open, the most far-reaching first. */
export function architecturesOf(spec: About['spec'], brief: string): Architecture[] {
  const { text, title, solution } = readBrief(brief)
  const about = { spec, text, title, solution }
  return CHOICES.flatMap((choice) => {
    const feature = choice.open(about)
    if (feature === null) return []
    const [a, b] = choice.ways(about)
    return [{ id: choice.id, facts: { feature, ...factsOf(a, 'a'), ...factsOf(b, 'b') } }]
  }).slice(0, ASKED_MAX)
}

function factsOf({ approach, pros, cons, hours }: Way, name: 'a' | 'b'): Record<string, string> {
  return {
    [`approach_${name}`]: approach,
    [`pros_${name}`]: pros,
    [`cons_${name}`]: cons,
    [`effort_${name}`]: `${Math.round(hours)} hours in all`,
  }
}

/** What a person should still choose, with the ways that there are. */
export function choicesLeft(spec: About['spec'], brief: string, requests: readonly string[]): string[] {
  const isChosen = ({ id, facts }: Architecture) =>
    (['a', 'b'] as const).some((way) => requests.includes(requestOf(id, way, facts.feature ?? '') ?? ''))
  // What was asked for in other words may settle it as well.
  return architecturesOf(spec, [brief, ...requests].join('\n\n'))
    .filter((each) => !isChosen(each))
    .map(
      ({ facts }) =>
        `There are two good ways to build ${facts.feature}: ${facts.approach_a}; or ${facts.approach_b}. Choose one: treadle questions`,
    )
}

/** What is asked for where an option was chosen; null: there is no such choice. */
export function requestOf(id: string, option: 'a' | 'b', feature: string): string | null {
  const choice = CHOICES.find((each) => each.id === id)
  const [a, b] =
    choice?.ways({ spec: { tasks: [], requirements: [] }, text: '', title: '', solution: '' }) ?? []
  return (option === 'a' ? a : b)?.request(feature) ?? null
}

function tablesOf({ tasks }: About['spec']) {
  return tasks.filter(({ phase }) => phase === 'database')
}

/** The storage of the features that have tables; null: none has. */
function keptBy(spec: About['spec']): string | null {
  const ids = new Set(tablesOf(spec).flatMap(({ requirements }) => requirements))
  const names = spec.requirements.flatMap(({ id, feature }) =>
    ids.has(id) && feature !== null ? [feature] : [],
  )
  return names.length === 0 ? null : `the storage of ${listed(names)}`
}

function listed(names: readonly string[]): string {
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names
  return shown.length === 1 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

function featureWith({ requirements }: About['spec'], words: RegExp): string | null {
  return requirements.find(({ feature, text }) => feature !== null && words.test(text))?.feature ?? null
}

function hoursOf(
  { tasks }: About['spec'],
  counts: (task: Specification['tasks'][number]) => boolean = () => true,
): number {
  return tasks.filter(counts).reduce((sum, { estimateHours }) => sum + estimateHours, 0)
}
