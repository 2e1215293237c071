// A real program thinks: one message of a talk is answered, and one specification is written in the form of a schema.
import type { ModelReply, ModelRequest } from '@treadle/engines/testing/model-server/exchange'
import { playScenario } from '@treadle/engines/testing/model-server/scenarios'
import { expect, test } from 'vitest'
import { crewOf } from '../../scenarios/kit/program-crew.ts'
import { eventually } from '../../scenarios/kit/wait.ts'
import { writeIdea } from '../../scenarios/spec/idea-files.ts'
import { GOOD } from '../../scenarios/spec/written-answers.ts'

const PATIENCE_MS = 8 * 60_000
const REPLY = `Who would wear them?

\`\`\`json
{ "artifacts": [{ "type": "problem", "summary": "Cold hands", "text": "Cold hands", "confidence": 0.8 }], "questions": ["Who would wear them?"], "confidence": 0.2 }
\`\`\``

const saying = ({ system, messages }: ModelRequest) =>
  `${system}\n${messages.map(({ text }) => text).join('\n')}`

function answer(request: ModelRequest): ModelReply {
  const words = saying(request)
  // Programs ask for titles and the like beside the work, without tools.
  if (words.includes('You are a specification agent') && request.tools.length > 0) return { structured: GOOD }
  if (words.includes('You are an idea incubation assistant')) return { text: REPLY }
  return playScenario(request)
}

test('claude-code answers a message of a talk and writes a specification', async () => {
  const crew = await crewOf('claude-code', { answer, files: { 'NOTES.md': 'Nothing is here yet.\n' } })
  const { slug } = await crew.client().startIdea({ body: { text: 'Gloves that keep warm', by: 'ada' } })
  const idea = await eventually(
    'the reply',
    async () => {
      const view = await crew.client().showIdea({ params: { id: slug }, query: { waitMs: 5_000 } })
      return view.waiting ? undefined : view
    },
    PATIENCE_MS,
  )
  expect(idea).toMatchObject({
    mode: 'engine',
    engine: 'claude-code',
    reply: 'Who would wear them?',
    artifacts: [{ type: 'problem', by: 'model' }],
  })
  writeIdea(crew.workspace, 'shopping-list')
  const first = await crew.client().generateSpecification({ body: { ideaSlug: 'shopping-list' } })
  expect(first).toMatchObject({ writtenBy: 'rules', waiting: true })
  const spec = await eventually(
    'the specification',
    async () => {
      const params = { id: 'shopping-list' }
      const view = await crew.client().showSpecification({ params, query: { waitMs: 5_000 } })
      return view.waiting ? undefined : view
    },
    PATIENCE_MS,
  )
  expect([spec.writtenBy, spec.validation.missing]).toEqual(['claude-code', expect.any(Array)])
  expect(spec.tasks).toHaveLength(12)
  expect(spec.validation).toMatchObject({ ok: true, shares: { features: 1, criteria: 1 } })
  const { items } = await crew.client().listThoughts({ query: { subject: 'shopping-list' } })
  expect(items).toMatchObject([
    { status: 'done', fence: 1, answer: { structured: { tasks: expect.any(Array) } } },
  ])
  // Its own tool for answers with a schema, or the schema itself, went to the model.
  const asked = crew.server.requests.filter((request) =>
    saying(request).includes('You are a specification agent'),
  )
  expect(
    asked.some(
      ({ schema, tools }) => schema !== null || tools.some(({ name }) => name === 'StructuredOutput'),
    ),
  ).toBe(true)
})
