// Ten briefs of different kinds of project, with what their repositories have.

export interface BenchBrief {
  readonly slug: string
  readonly kind: string
  /** Files of the repository; none: nothing is there yet. */
  readonly files: readonly string[]
  readonly testCommand: string | null
  readonly readme: string
  readonly brief: string
}

interface Words {
  readonly title: string
  readonly user: string
  readonly problem: string
  readonly solution: string
  readonly features: readonly string[]
  readonly done: readonly string[]
}

function briefOf({ title, user, problem, solution, features, done }: Words): string {
  const bullets = (texts: readonly string[]) => texts.map((text) => `- ${text}`).join('\n')
  return `# Brief: ${title}

## Target user

${user}

## Problem

${problem}

## Solution

${solution}

## Features

${bullets(features)}

## Done when

${bullets(done)}
`
}

function make(slug: string, kind: string, words: Words, more: Partial<BenchBrief> = {}): BenchBrief {
  const readme = `# ${words.title}\n\n${words.solution}\n`
  return { slug, kind, files: [], testCommand: null, readme, brief: briefOf(words), ...more }
}

export const BRIEFS: readonly BenchBrief[] = [
  make('habit-garden', 'web app', {
    title: 'Habit garden',
    user: 'People who give up habits after a week.',
    problem: 'Trackers punish a missed day, and people stop.',
    solution: 'A web app in which habits grow as plants.',
    features: [
      '**Habit log**: people record what they did today, with name, day and mood',
      '**Garden view**: every habit is shown as a plant',
      '**Weekly mail**: a mail on Sunday says what grew',
      '**Friends**: people share a garden and water it for each other',
    ],
    done: [
      'A habit that is logged twice a day counts once',
      'The garden view shows a plant for each habit',
      'The weekly mail comes on Sunday only',
      'People say that it feels kind',
    ],
  }),
  make(
    'date-ranges',
    'library',
    {
      title: 'Date ranges',
      user: 'Developers who compute with periods.',
      problem: 'Every project writes its own overlap check, and gets the edges wrong.',
      solution: 'A small TypeScript library for ranges of dates, with zero dependencies.',
      features: [
        '**Overlap**: whether two ranges share a day',
        '**Split**: cut a range at a date',
        '**Parsing**: read ISO 8601 intervals',
        '**Merge list**: join a list of ranges that touch',
      ],
      done: [
        'Overlap of ranges that only touch is false',
        'Split never loses a day',
        'Parsing refuses an interval that ends before it begins',
        'It works in browsers and node',
      ],
    },
    {
      files: ['package.json', 'src/index.ts', 'src/is-range.ts', 'test/is-range.test.ts', 'tsconfig.json'],
      testCommand: 'npx vitest run',
    },
  ),
  make('log-sift', 'CLI tool', {
    title: 'Log sift',
    user: 'People on call at night.',
    problem: 'Logs of several services must be read side by side.',
    solution: 'A command-line tool that merges log files by time.',
    features: [
      'Merge files: lines of all files by their time',
      'Filter by level',
      'Follow: go on as lines are written',
      '**Export as JSON**: one object each line',
    ],
    done: [
      'Two files are merged in the order of time',
      'Filter by level leaves out what is below',
      'Follow shows a new line within 1 second',
      'It reads 1 GB in constant memory',
    ],
  }),
  make(
    'tidy-frames',
    'Python package',
    {
      title: 'Tidy frames',
      user: 'Analysts who get spreadsheets by mail.',
      problem: 'Headers stand in row three and dates are text.',
      solution: 'A Python package that cleans tables before pandas reads them.',
      features: [
        '**Header search**: find the row that holds names',
        '**Date columns**: recognise dates in five formats',
        '**Report**: what was changed, as text',
      ],
      done: [
        'Header search finds row three',
        'Date columns with one wrong cell stay text',
        'The report names every column that was changed',
      ],
    },
    {
      files: [
        'pyproject.toml',
        'src/tidy_frames/__init__.py',
        'src/tidy_frames/read_table.py',
        'tests/test_read_table.py',
      ],
      testCommand: 'pytest',
    },
  ),
  make(
    'mail-relay',
    'Go service',
    {
      title: 'Mail relay',
      user: 'Teams that send mail from many programs.',
      problem: 'Every program has the password of the mail server.',
      solution: 'A Go service that takes messages over HTTP and sends them.',
      features: [
        '**Queue**: messages are stored and sent in order',
        '**Retries**: a refused message is tried again later',
        '**Templates**: messages by name, with fields',
        '**Rate limit**: at most so many a minute for each program',
      ],
      done: [
        'A message is sent once although the relay was killed',
        'Retries stop after a day',
        'A template with a missing field is refused',
        'The rate limit answers 429',
      ],
    },
    {
      files: [
        'go.mod',
        'cmd/relay/main.go',
        'internal/api/health.go',
        'internal/api/api.go',
        'internal/send/send.go',
        'internal/send/send_test.go',
        'migrations/007_programs.sql',
      ],
      testCommand: 'go test ./...',
    },
  ),
  make('trail-notes', 'offline mobile app', {
    title: 'Trail notes',
    user: 'Hikers without a signal.',
    problem: 'Notes apps lose text where there is no network.',
    solution: 'A mobile app that works offline and keeps everything on the phone.',
    features: [
      '**Trail journal**: notes with place, time and photo',
      '**Offline map**: the map of one region is kept',
      '**Share later**: what is shared waits for a signal',
      '**Big buttons**: everything can be done with gloves',
    ],
    done: [
      'A journal note is kept although the app is killed',
      'The offline map opens without a network',
      'What is to be shared is sent when there is a signal',
      'Testers like the big buttons',
    ],
  }),
  make('sales-nightly', 'data pipeline', {
    title: 'Sales nightly',
    user: 'A shop with five branches.',
    problem: 'Figures of the branches come in five formats.',
    solution: 'A data pipeline in Python that runs at night and writes one clean file.',
    features: [
      '**Fetch files**: take in what the branches have sent',
      '**Clean rows**: one format for money and dates',
      '**Totals**: sums by branch and day',
      '**Late files**: a branch that is late is named',
    ],
    done: [
      'Fetch takes in a file once',
      'Clean rows refuse a negative price',
      'Totals are the same when it runs twice',
      'A late branch is named in the report',
    ],
  }),
  make('field-guide', 'docs site', {
    title: 'Field guide',
    user: 'New people in a team.',
    problem: 'What one must know stands in nine places.',
    solution: 'A documentation site made of Markdown files.',
    features: [
      '**First day**: what to install, in order',
      '**Glossary**: every word of ours in a sentence',
      '**Search**: find a page by its words',
      '**Who knows what**: people by topic',
    ],
    done: [
      'The first day page names every tool',
      'Each glossary word is linked from one page',
      'Search finds a page by a word of its text',
      'New people understand it without asking',
    ],
  }),
  make(
    'todo-lens',
    'editor extension',
    {
      title: 'Todo lens',
      user: 'Developers who leave notes in code.',
      problem: 'Notes are written and never read again.',
      solution: 'A VS Code extension that shows the notes of a folder.',
      features: [
        '**Note tree**: notes by file in a side panel',
        '**Age**: how long a note has stood there',
        '**Jump**: a click opens the line',
      ],
      done: [
        'The note tree has each note once',
        'Age comes from the commit of the line',
        'Jump opens the right line after an edit',
      ],
    },
    {
      files: ['package.json', 'src/extension.ts', 'src/find-notes.ts', 'test/find-notes.test.ts'],
      testCommand: 'npm test',
    },
  ),
  make(
    'room-desk',
    'API service',
    {
      title: 'Room desk',
      user: 'Offices that share rooms.',
      problem: 'Rooms are booked twice.',
      solution: 'A REST API for bookings of rooms; it has no screens.',
      features: [
        '**Rooms**: list and edit rooms, with name, floor and seats',
        '**Bookings**: book a room for a time; never twice',
        '**Calendar feed**: bookings as an iCal feed',
        '**Webhooks**: others are told of changes',
      ],
      done: [
        'Two bookings of one room at one time: the second is refused',
        'The calendar feed has every booking of a room',
        'Webhooks are tried again for an hour',
        'Rooms without seats are refused',
      ],
    },
    {
      files: [
        'package.json',
        'server/routes/health.ts',
        'server/api.ts',
        'database/migrations/0003_users.sql',
        'types/user.ts',
        'types/index.ts',
        'tests/health.test.ts',
      ],
      testCommand: 'npx vitest run',
    },
  ),
]
