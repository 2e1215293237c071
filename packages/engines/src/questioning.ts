// Any engine with the questioning module in its system prompt, and with the questions in its answers really asked.
import type { Engine, EngineOpen, EngineSession, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import { QUESTIONING_MODULE } from '@treadle/questions/module'
import { ROUNDS_MAX, replyTo } from './asked.ts'

export function questioning(engine: Engine): Engine {
  return {
    ...engine,
    ...(engine.isFree === undefined ? {} : { isFree: () => engine.isFree?.() === true }),
    probe: () => engine.probe(),
    async open(given) {
      const system = [given.system, QUESTIONING_MODULE].filter((part) => part !== undefined).join('\n\n')
      const options = { ...given, system }
      const inner = await engine.open(options)
      return engine.asks === true ? inner : askingSession(inner, options, engine.can !== undefined)
    },
  }
}

function askingSession(inner: EngineSession, options: EngineOpen, remembers: boolean): EngineSession {
  let asked = 0
  let isOver = false
  const ask: Parameters<typeof replyTo>[1] = async (question) => {
    asked += 1
    const whole = { id: `asked-${asked}`, ...question }
    options.onEvent({ is: 'asked', question: whole })
    return options.onQuestion(whole)
  }
  const prompt = async (task: EngineTask): Promise<TurnEnd> => {
    isOver = false
    let end = await inner.prompt(task)
    // An engine that drives a goal itself puts its questions itself; an answer of a given form is no conversation.
    if (task.goal !== undefined || options.schema !== undefined) return end
    let text = task.text
    for (let round = 0; round < ROUNDS_MAX && end.outcome === 'done'; round += 1) {
      const reply = await replyTo(end.text, ask)
      if (reply === null || isOver) break
      // One that begins anew with every prompt has to be told everything again.
      text = remembers ? reply : `${text}\n\n## What you have asked before\n\n${reply}`
      end = await inner.prompt({ ...task, text })
    }
    return end
  }
  return {
    ...bound(inner),
    prompt,
    async interrupt() {
      isOver = true
      await inner.interrupt()
    },
    async stop(graceMs) {
      isOver = true
      await inner.stop(graceMs)
    },
  }
}

function bound(inner: EngineSession): Omit<EngineSession, 'prompt' | 'interrupt' | 'stop'> {
  return {
    ...(inner.steer === undefined ? {} : { steer: async (text) => (await inner.steer?.(text)) ?? false }),
    ...(inner.pause === undefined ? {} : { pause: async () => inner.pause?.() }),
    ...(inner.resume === undefined ? {} : { resume: async () => inner.resume?.() }),
    ...(inner.freeze === undefined ? {} : { freeze: async () => inner.freeze?.() }),
    ...(inner.thaw === undefined ? {} : { thaw: async () => inner.thaw?.() }),
  }
}
