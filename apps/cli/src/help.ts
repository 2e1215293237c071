// Help: the commands by what one wants, each with a line. It imports nothing, so that help is there at once.

export interface HelpGroup {
  readonly title: string
  readonly commands: readonly (readonly [name: string, description: string])[]
}

/** Every command of the command line that is not hidden, in the order in which help shows them. */
export const HELP_GROUPS: readonly HelpGroup[] = [
  {
    title: 'Core',
    commands: [
      ['demo', 'a sample repository with real bugs, two agents, no key'],
      ['init', 'make this repository a workspace (writes treadle.json)'],
      ['up', 'start the daemon and the agents; stays until Ctrl-C'],
      ['down', 'stop both; the next up goes on with unfinished work'],
      ['status', 'what needs you, who is at work, what comes next'],
      ['watch', 'the same, live and full-screen, with the keys of the page'],
      ['open', 'open the dashboard, or the page of one item'],
      ['doctor', 'check that everything is here, and say what to do'],
    ],
  },
  {
    title: 'Work',
    commands: [
      ['idea', 'talk about an idea until there is a brief'],
      ['add', 'add an item: what should change'],
      ['list', 'list items; search and filter them'],
      ['show', 'one item with its runs and events'],
      ['logs', 'what the agent of an item says and does; -f follows'],
      ['edit', 'change priority, dependencies or parent of an item'],
      ['spec', 'requirements and tasks of an idea; approve or revise them'],
      ['build', 'the build of an approved specification, task by task'],
      ['run', 'work towards a goal until it is reached'],
      ['guide', 'send a message to a run, or answer its question'],
      ['history', 'what a run planned, did and found out'],
      ['withdraw', 'take an item out of the queue (reversible)'],
      ['reopen', 'put an item that waits for you back in the queue'],
      ['release', 'take an item from its agent and queue it again'],
    ],
  },
  {
    title: 'Review',
    commands: [
      ['review', 'what waits for approval, with its checks and criteria'],
      ['diff', 'the change of an item, delivered or as it is now'],
      ['approve', 'approve a delivered change; it is merged'],
      ['request-changes', 'say what should change; the agent goes on with it'],
      ['conflicts', 'changes that cannot be merged as they are'],
      ['take', 'check out the change of an item on a branch of yours'],
      ['revert', 'take back a merged item, through the same checks'],
      ['verify', 'check the receipt of a merge in a clean clone'],
      ['questions', 'what your agents want to know from you'],
      ['answer', 'answer a question: an option, or your own words'],
      ['preferences', 'answers that are given for you from now on'],
    ],
  },
  {
    title: 'Crew',
    commands: [
      ['agent', 'the agents; start, stop, pause, resume or restart one'],
      ['roles', 'who reacts to what, and what each did last'],
      ['pause-all', 'pause every agent at the end of its phase'],
      ['resume-all', 'let every paused agent go on'],
      ['stop-all', 'emergency stop: end every agent at once'],
      ['reassign', 'take an item from its agent, or give it to another'],
      ['ready', 'whether packages, build and tests can be run'],
    ],
  },
  {
    title: 'Insights',
    commands: [
      ['costs', 'what was spent today or this month, and on what'],
      ['metrics', 'how the agents do: items, time, cost, reviews, errors'],
      ['lessons', 'what the crew has learned, and whether it helps'],
      ['retrospective', 'what was planned, done and learned in a run'],
      ['categories', 'where the crew looks for improvements itself'],
      ['value', 'say how much a merged change was worth, 0 to 10'],
      ['survey', 'what is measurably wrong here; needs no daemon'],
      ['explain', 'what an attempt did, on what evidence, how it went'],
      ['notifications', 'what you were told and have not acknowledged yet'],
      ['audit', 'every order: when, by whom, and its outcome'],
    ],
  },
  {
    title: 'Repair',
    commands: [
      ['fix', 'let an engine make the tests pass here; needs no daemon'],
      ['repair', 'measure the repair engine on your own code'],
      ['parse-report', 'read a test report: counts, and each failure'],
      ['recover', 'release claims that are too old or have no agent'],
      ['undelete', 'list work that was kept, or bring it back'],
      ['orphans', 'what an earlier daemon has left of agents'],
      ['reset', 'reset an agent: session file, counters and errors'],
      ['purge', 'withdraw everything in the queue (reversible)'],
      ['rollback', 'turn a feature flag off and stop every agent'],
    ],
  },
  {
    title: 'More',
    commands: [
      ['completion', 'completion for bash, zsh or fish'],
      ['help', 'help for one command: treadle help <command>'],
    ],
  },
]

const START: readonly (readonly [command: string, description: string])[] = [
  ['treadle demo', 'see the whole flow on a sample repository'],
  ['treadle init', 'then, in your own repository'],
  ['treadle up', 'and in another terminal:'],
  ['treadle add "what should change"', ''],
]

const NAMES = 17

/** What `treadle --help` prints. */
export function rootHelp(version: string): string {
  const row =
    (columns: number) =>
    ([name, text]: readonly [string, string]) =>
      `  ${name.padEnd(columns)} ${text}`.trimEnd()
  return [
    'Usage: treadle <command> [options]',
    '',
    'Runs a crew of coding agents on a git repository, from idea to merged code.',
    '',
    'Start here',
    ...START.map(row(22)),
    ...HELP_GROUPS.flatMap(({ title, commands }) => ['', title, ...commands.map(row(NAMES))]),
    '',
    'Options',
    ...(
      [
        ['--json', 'one JSON document; every command has it'],
        ['--code <digits>', 'the code that a decision wants, where you were told so'],
        ['-V, --version', `this is ${version}`],
        ['-h, --help', 'help for any command: treadle review --help'],
      ] as const
    ).map(row(NAMES)),
    '',
    'Exit codes: 0 done, 1 failed, 2 wrong use, 3 waits for a person',
    '',
  ].join('\n')
}

/** The line of a command; null for one that help does not show. */
export function descriptionOf(name: string): string | null {
  const all = HELP_GROUPS.flatMap(({ commands }) => commands)
  return all.find(([each]) => each === name)?.[1] ?? null
}
