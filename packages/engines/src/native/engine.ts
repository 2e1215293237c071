// The native engine: plans, acts with tools of its own and reflects, over any endpoint that speaks a known protocol.
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Capabilities, Engine } from '@treadle/flow/ports/engine'
import { sandboxNote } from '@treadle/sandbox/note'
import { costsNothing, type NativeSettings, openModel, whyUnreachable } from './model.ts'
import { NativeSession } from './session.ts'

const CAN: Capabilities = {
  denyMessage: true,
  editInput: true,
  forms: true,
  structured: true,
  budget: true,
  maxTurns: true,
  cost: true,
  toolOutput: true,
  retries: true,
  resume: true,
  steer: true,
  pause: true,
}

export function openNative(settings: NativeSettings, given?: LanguageModelV4): Engine {
  const { provider, model, baseURL, key, keyVariable } = settings
  return {
    id: 'native',
    takes: 'all',
    can: CAN,
    plans: true,
    asks: true,
    isFree: () => costsNothing(settings),
    async probe() {
      if (key === null && baseURL === null)
        return {
          is: 'unusable',
          why: `The native engine has no key for ${provider}.`,
          hint: `set ${keyVariable}, or engines.native.baseURL for a local server`,
        }
      const unreachable = await whyUnreachable(settings)
      if (unreachable !== null)
        return {
          is: 'unusable',
          why: unreachable,
          hint: `start it, or correct engines.native.baseURL or ${keyVariable}`,
        }
      const sandbox = await sandboxNote(settings.sandbox)
      if (sandbox.is === 'unusable') return sandbox
      const where = baseURL === null ? '' : ` at ${baseURL}`
      return { is: 'usable', note: `${model} over ${provider}${where}, commands ${sandbox.note}` }
    },
    async open(options) {
      const asked = options.model === undefined ? settings : { ...settings, model: options.model }
      return new NativeSession(asked, given ?? openModel(asked), options)
    },
  }
}
