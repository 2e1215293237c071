// The generateContent protocol.
import { z } from 'zod'
import {
  isRecord,
  type ModelMessage,
  merged,
  message,
  type SentReply,
  sse,
  textOf,
  type Wire,
} from './exchange.ts'

const Part = z.looseObject({})
const Body = z.looseObject({
  contents: z.array(z.looseObject({ role: z.string().optional(), parts: z.array(Part).default([]) })),
  systemInstruction: z.looseObject({ parts: z.array(Part).default([]) }).nullish(),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).default([]) }))
    .default([]),
  generationConfig: z
    .looseObject({ responseJsonSchema: z.unknown().optional(), responseSchema: z.unknown().optional() })
    .nullish(),
})

const address = /\/models\/([^/:]+):(generateContent|streamGenerateContent)$/

export const gemini: Wire = {
  read(path, json) {
    const [, model, verb] = address.exec(path) ?? []
    if (model === undefined) return null
    const body = Body.parse(json)
    return {
      model,
      system: textOf(body.systemInstruction?.parts),
      messages: merged(body.contents.map(readContent)),
      tools: body.tools.flatMap(({ functionDeclarations }) =>
        functionDeclarations.map(({ name }) => ({ name, isFreeForm: false })),
      ),
      schema: body.generationConfig?.responseJsonSchema ?? body.generationConfig?.responseSchema ?? null,
      isStreamed: verb === 'streamGenerateContent',
    }
  },
  stream: (said, { model }) => [sse(wholeOf(said, model))],
  whole: (said, { model }) => wholeOf(said, model),
  error: (status, text) => ({
    error: { code: status, message: text, status: statuses[status] ?? 'INTERNAL' },
  }),
}

const statuses: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  529: 'UNAVAILABLE',
}

function readContent({
  role,
  parts,
}: {
  role?: string | undefined
  parts: Readonly<Record<string, unknown>>[]
}): ModelMessage {
  const calls = parts.flatMap(({ functionCall: call }) =>
    isRecord(call) ? [{ id: String(call.id ?? call.name), name: String(call.name), input: call.args }] : [],
  )
  const results = parts.flatMap(({ functionResponse: answer }) =>
    isRecord(answer)
      ? [
          {
            callId: String(answer.id ?? answer.name),
            text: JSON.stringify(answer.response),
            isError: isRecord(answer.response) && 'error' in answer.response,
          },
        ]
      : [],
  )
  const text = textOf(parts.filter(({ thought }) => thought !== true))
  return message(role === 'model' ? 'assistant' : 'user', { text, calls, results })
}

function wholeOf({ id, text, calls, usage }: SentReply, model: string) {
  const said = text === '' && calls.length > 0 ? [] : [{ text }]
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  return {
    candidates: [
      {
        index: 0,
        content: {
          role: 'model',
          parts: [
            ...said,
            ...calls.map((call) => ({ functionCall: { id: call.id, name: call.name, args: call.input } })),
          ],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: {
      promptTokenCount: prompt,
      cachedContentTokenCount: usage.cacheRead,
      candidatesTokenCount: usage.output,
      totalTokenCount: prompt + usage.output,
    },
    modelVersion: model,
    responseId: id,
  }
}
