// Prints what engines are told, for one small item in each of its phases, with the tokens of each text: docs/prompts.md.
//   node scenarios/prompts/prompts.ts          prints it
//   node scenarios/prompts/prompts.ts --write  writes it
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CountTokens } from '@treadle/context/fill'
import { openTokenCounter } from '@treadle/context/tokens'
import { GatesConfig } from '@treadle/contracts/config/gates'
import { blankItem } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import type { ReviewMaterial } from '@treadle/contracts/routes/reviews'
import { phaseRecord } from '@treadle/contracts/run'
import { actText, planText, reflectText } from '@treadle/engines/goal/talking'
import type { PaorFacts } from '@treadle/engines/goal/thinker'
import { type PromptFacts, writeNews, writePrompt } from '@treadle/flow/build/prompt'
import { type TalkContext, writeSignalsPrompt, writeTalkPrompt } from '@treadle/flow/idea/prompt'
import { writeReviewPrompt } from '@treadle/flow/review/prompt'
import { groupFailures } from '@treadle/flow/verify/failure/group'
import { NOTHING_ASKED, type Requested } from '@treadle/flow/work/rework'
import { QUESTIONING_MODULE } from '@treadle/questions/module'
import { specPrompts } from './spec-sample.ts'

const AT = '2026-01-01T00:00:00.000Z'
const item = {
  ...blankItem({ number: 7, title: 'The total of an empty cart is NaN', createdAt: AT }),
  body: 'An empty cart shows NaN in the header.',
  acceptance: [{ id: 'AC-1', text: 'total([]) is 0', status: 'pending' as const }],
}
const SOURCE = `export function total(cart) {
  let sum
  for (const { price } of cart) sum += price
  return sum
}
`
const DIFF = `--- a/src/cart.js
+++ b/src/cart.js
@@ -1,5 +1,5 @@
 export function total(cart) {
-  let sum
+  let sum = 0
   for (const { price } of cart) sum += price
   return sum
 }
`
const groups = groupFailures([
  {
    id: 'the total of an empty cart',
    file: 'test/cart.test.js',
    line: 4,
    message: 'AssertionError: Expected values to be strictly equal',
    stack: 'at test/cart.test.js:4:10\nat total (src/cart.js:2:3)',
    expected: '0',
    actual: 'undefined',
    frames: [
      { file: 'src/cart.js', line: 2, column: 3, fn: 'total', own: true },
      { file: 'test/cart.test.js', line: 4, column: 10, fn: null, own: true },
    ],
  },
])

function buildFacts(count: CountTokens, changes: Partial<PromptFacts> = {}): PromptFacts {
  return {
    item,
    attempt: 1,
    testCommand: 'npm test',
    gates: GatesConfig.parse({}),
    groups,
    others: 0,
    history: [],
    suggestion: null,
    rework: null,
    asked: NOTHING_ASKED,
    lessons: { patterns: [], gotchas: [], resolutions: [], applied: [] },
    guidance: [],
    files: new Map([
      ['AGENTS.md', 'Use plain JavaScript and node:test.'],
      ['src/cart.js', SOURCE],
    ]),
    budgetTokens: 60_000,
    count,
    ...changes,
  }
}

const tried = {
  group: null,
  novel: true,
  lessonId: null,
  confidence: null,
  engine: 'claude-code',
  outcome: 'done' as const,
  prompt: null,
  context: null,
  said: 'I let the sum begin at nothing.',
}
const history = [
  phaseRecord({
    phase: 'build',
    iteration: 0,
    startedAt: AT,
    durationMs: 1,
    outcome: 'done',
    changes: ['src/cart.js'],
    diff: DIFF,
    fixes: [tried],
  }),
  phaseRecord({
    phase: 'test',
    iteration: 0,
    startedAt: AT,
    durationMs: 1,
    outcome: 'failed',
    summary: '1 of 3 failed',
  }),
]
const rework = {
  head: 'c0ffee00'.repeat(5),
  how: 'carried' as const,
  commit: 'c0ffee00'.repeat(5),
  conflicts: [],
  isMoved: true,
  diff: DIFF,
}
const asked: Requested = {
  requested: ['Say in the README what an empty cart costs'],
  sentBy: 'reviewer',
}
const sentBack = {
  ...item,
  needsRework: true,
  sentBackBy: 'review' as const,
  reason: 'The README still says NaN.',
}

const review: Review = {
  id: 1,
  projectNumber: 1,
  issueNumber: item.number,
  issueTitle: item.title,
  branchName: 'treadle/7',
  headCommit: 'c0ffee00'.repeat(5),
  runId: '00000000-0000-4000-8000-000000000007',
  cycle: 1,
  completedByAgentId: 'agent-1',
  completedAt: AT,
  status: 'in_review',
  waitsFor: null,
  why: null,
  escalatedAt: null,
  claimedByAgentId: 'review-agent',
  claimedAt: AT,
  judgement: null,
  criteria: [{ id: 'AC-1', description: 'total([]) is 0', status: 'pending', note: null }],
  checks: [],
  checkedAt: AT,
  checkedTree: null,
  evidence: null,
  repeats: null,
  engine: null,
  model: null,
  answer: null,
  feedback: null,
  requested: [],
  decidedBy: null,
  decidedAt: null,
}
const material: ReviewMaterial = {
  review,
  item,
  base: 'ba5eba5e'.repeat(5),
  changedFiles: ['src/cart.js', 'test/cart.test.js'],
  diff: DIFF,
  diffCut: false,
  authorModels: [],
  earlier: [],
}

const message = { by: 'ada', signals: null, timestamp: AT }
const talk: TalkContext = {
  session: { slug: 'shopping-list', title: 'A shopping list', phase: 'NARROWING' },
  memory: [
    {
      ...message,
      id: '00000000-0000-4000-8000-000000000001',
      role: 'user',
      content: 'An offline-first shopping list',
    },
    {
      ...message,
      id: '00000000-0000-4000-8000-000000000002',
      role: 'assistant',
      content: 'Who would use it first?',
    },
    { ...message, id: '00000000-0000-4000-8000-000000000003', role: 'user', content: 'Families' },
  ],
  signals: {
    artifacts: [{ type: 'target-user', summary: 'Families', text: 'Families', confidence: 0.8, by: 'model' }],
    decisions: [],
    risks: [],
    confidence: 0.42,
  },
  ideaContext: {
    readme: '# A shopping list',
    targetUsers: 'Families who shop together',
    problemSolution: null,
    research: { market: null, competitive: null },
  },
  userProfile: { goals: ['a small business'], skills: ['Rust'], network: [], lifeStage: null },
  taught: [{ content: 'Answers about problem stay unsure: ask for an example or a number.' }],
  web: [],
}

const goal: PaorFacts = {
  goal: 'Rename getUser to loadUser everywhere',
  iteration: 2,
  iterationsMax: 15,
  guidance: [],
  scope: ['src'],
  plans: [],
  reflections: [
    {
      iteration: 1,
      verdict: 'not_yet',
      why: 'The tests still call getUser.',
      remaining: ['rename it in test/'],
      question: null,
    },
  ] as unknown as PaorFacts['reflections'],
  observations: [],
  said: '',
  verifyCommand: 'npm test',
  verified: { command: 'npm test', exitCode: 1, output: 'TypeError: getUser is not a function' },
  complaint: null,
}
const plan = {
  tasks: [{ id: '1', text: 'rename it in test/', dependsOn: [], by: 'self' }],
  scope: ['src', 'test'],
}

/** Every text, with what it is for. The marks of parts are drawn anew for each prompt, and left out here. */
export async function promptsDocument(): Promise<string> {
  const count = await openTokenCounter()
  const build = buildFacts(count)
  const { system, prompt } = writeTalkPrompt(talk)
  const spec = specPrompts()
  const signals = writeSignalsPrompt('So it is all about **merging**. What is next?')
  const texts: [name: string, when: string, text: string][] = [
    ['System prompt', 'What Treadle adds to the system prompt of every engine.', QUESTIONING_MODULE],
    ['Build', 'The first attempt at an item.', writePrompt(build).text],
    [
      'Improve',
      'A later attempt, in a conversation of its own.',
      writePrompt({ ...build, attempt: 2, history }).text,
    ],
    [
      'Improve, going on',
      'A later attempt, in the same conversation: only what is new.',
      writeNews({ ...build, attempt: 2, history }, false).text,
    ],
    [
      'Rework',
      'After a delivery was sent back, in a conversation of its own.',
      writePrompt({ ...build, item: sentBack, groups: [], rework, asked }).text,
    ],
    [
      'Rework, going on',
      'After a delivery was sent back, in the conversation that made it: only what is new.',
      writeNews({ ...build, item: sentBack, groups: [], rework, asked }, false).text,
    ],
    [
      'Review',
      'Whoever reads a delivery.',
      writeReviewPrompt({ material, template: null, conventions: null, budgetTokens: 60_000, count }).text,
    ],
    [
      'Plan',
      'A goal, at the beginning of a later iteration.',
      planText(goal, null, ['Leave the old name as an alias']),
    ],
    ['Act', 'A goal, the plan carried out.', actText(plan as never, goal)],
    ['Reflect', 'A goal, at the end of an iteration.', reflectText(goal)],
    ['Idea', 'A reply in a talk about an idea: who the model is to be.', system],
    ['Idea, the talk', 'A reply in a talk about an idea: the last messages.', prompt],
    [
      'Idea, what a reply has brought',
      'Once, where the words of a reply could not be read.',
      `${signals.system}\n\n${signals.prompt}`,
    ],
    ['Specification', 'What the rules have drafted, to be written by a model.', spec.first],
    ['Specification, once more', 'After the same, where the answer did not hold.', spec.again],
  ]
  const rows = texts.map(([name, when, text]) => `| [${name}](#${anchor(name)}) | ${when} | ${count(text)} |`)
  const parts = texts.map(
    ([name, when, text]) =>
      `## ${name}\n\n${when}\n\n\`\`\`\`\`text\n${plainMarks(text).trimEnd()}\n\`\`\`\`\``,
  )
  return `# Prompts

What engines are told, word for word, for one small item. The texts are Markdown in \`packages/context/src/prompts\`; what is known of the item, the failures and the project is put in by \`packages/flow/src/build/prompt.ts\`, \`packages/flow/src/review/prompt.ts\`, \`packages/flow/src/idea/prompt.ts\`, \`packages/flow/src/spec/writing-prompt.ts\` and \`packages/engines/src/goal/talking.ts\`. This page is written by \`npm run prompts -- --write\`, and a test compares it. Tokens are those of o200k; other models count a little differently.

| prompt | when | tokens |
|---|---|---|
${rows.join('\n')}

${parts.join('\n\n')}
`
}

function anchor(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .replaceAll(' ', '-')
}

/** Each part stands between lines with a mark that nobody can foresee. */
function plainMarks(text: string): string {
  return text.replace(/\[\[(\/?)[0-9a-f]{12}/g, '[[$1mark')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const document = await promptsDocument()
  if (process.argv.includes('--write'))
    writeFileSync(new URL('../../docs/prompts.md', import.meta.url), document)
  else process.stdout.write(document)
}
