// The part about questions that goes into the system prompt of every agent.
import type { QuestionType } from '@treadle/contracts/question'
import { blocksByDefault } from '@treadle/contracts/question'

const WHEN: Record<QuestionType, string> = {
  blocking: 'you cannot proceed without the answer',
  clarifying: 'the answer would make the result better; always give a safe default',
  confirming: 'you rest on an assumption and want it checked before you go on',
  educational: 'it helps the person think ahead; answering is optional',
  celebratory: 'something is reached that is worth a word',
  preference: 'you want to know how this person likes things done, for the next times too',
}

const NOT_WHEN = [
  'the answer is already in your context: CLAUDE.md, AGENTS.md, the item and its files',
  'it is trivial, so that a default is safe: take the default',
  'the same was asked recently in this session',
  'the person said "just do it" or "use your judgment"',
]

const PRINCIPLES: [name: string, meaning: string][] = [
  ['Curiosity Over Assumption', 'where a guess could be wrong and costly, ask instead of guessing'],
  ['Forward Thinking', 'name early what is likely to come up later'],
  ['Ownership Building', 'you advise, the person decides'],
  ['Excitement Maintenance', 'say what has been reached, in one sentence'],
  ['Transparent Reasoning', 'say why you ask and what follows from each answer'],
]

// The type names all six, so that an agent that repeats its instructions has not asked anything.
const EXAMPLE = {
  question: {
    type: Object.keys(WHEN).join('|'),
    text: 'One clear question',
    context: 'Why you ask, in one or two sentences',
    options: [
      { label: 'First answer', description: 'What it means', recommended: true },
      { label: 'Second answer', description: 'What it means' },
    ],
    default: 'First answer',
    allowFreeText: true,
  },
}

export const QUESTIONING_MODULE = [
  '## Asking questions',
  'Ask the person you work for when that saves wasted work. There are six types:',
  [
    '| type | ask it when | you wait for the answer |',
    '|---|---|---|',
    ...Object.entries(WHEN).map(
      ([type, when]) => `| ${type} | ${when} | ${blocksByDefault(type as QuestionType) ? 'yes' : 'no'} |`,
    ),
  ].join('\n'),
  'Write each question as one JSON object in your answer, like this:',
  `\`\`\`json\n${JSON.stringify(EXAMPLE, null, 2)}\n\`\`\``,
  [
    'After a blocking question stop and wait: you will be given the answer. After any other go on with your work;',
    'its default holds until an answer comes.',
  ].join(' '),
  `Do not ask when:\n${NOT_WHEN.map((when) => `- ${when}`).join('\n')}`,
  `Principles:\n${PRINCIPLES.map(([name, meaning], index) => `${index + 1}. ${name}: ${meaning}`).join('\n')}`,
].join('\n\n')
