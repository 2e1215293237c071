// A last message without a tool call, in each API's own form: with it the turn of every program ends.
import type { ModelApi } from './api-forms.ts'

export interface ClosingWords {
  /** The answer to a call without a stream. */
  readonly whole: unknown
  readonly events: readonly unknown[]
}

interface Closing {
  readonly model: string
  readonly text: string
  readonly id: string
}

export function closingWords(api: ModelApi, closing: Closing): ClosingWords {
  return FORMS[api](closing)
}

const FORMS: Readonly<Record<ModelApi, (closing: Closing) => ClosingWords>> = {
  anthropic({ model, text, id }) {
    const usage = {
      input_tokens: 0,
      output_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    }
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    }
    return {
      whole: { ...message, content: [{ type: 'text', text }], stop_reason: 'end_turn' },
      events: [
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
        { type: 'message_stop' },
      ],
    }
  },

  responses({ model, text, id }) {
    const item = {
      type: 'message',
      id: `msg_${id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    }
    const begun = {
      id: `resp_${id}`,
      object: 'response',
      created_at: Math.floor(Date.now() / 1_000),
      model,
      status: 'in_progress',
      output: [],
    }
    const usage = {
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    }
    const whole = { ...begun, status: 'completed', output: [item], usage }
    const place = { output_index: 0, content_index: 0 }
    const events = [
      { type: 'response.created', response: begun },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, status: 'in_progress', content: [] },
      },
      { type: 'response.output_text.delta', item_id: item.id, ...place, delta: text },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: whole },
    ]
    return { whole, events: events.map((event, at) => ({ ...event, sequence_number: at })) }
  },

  gemini({ model, text }) {
    const whole = {
      candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
      modelVersion: model,
    }
    return { whole, events: [whole] }
  },

  chat({ model, text, id }) {
    const head = { id, created: Math.floor(Date.now() / 1_000), model }
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
    const chunk = { ...head, object: 'chat.completion.chunk' }
    const delta = { role: 'assistant', content: text }
    return {
      whole: {
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message: delta, finish_reason: 'stop' }],
        usage,
      },
      events: [
        { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
        { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage },
      ],
    }
  },
}
