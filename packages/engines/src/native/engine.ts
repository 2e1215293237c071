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

/** A server of this machine may be a gateway to a paid model, which nobody here can see. */
function freeWords({ model, key }: NativeSettings): string {
  const words = 'its calls count as free and no budget holds them'
  return key === null
    ? words
    : `${words} (if this is a gateway to a paid model, name ${model} in engines.prices)`
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
      const cost = costsNothing(settings) ? `, ${freeWords(settings)}` : ''
      return { is: 'usable', note: `${model} over ${provider}${where}${cost}, commands ${sandbox.note}` }
    },
    async open(options) {
      const asked = options.model === undefined ? settings : { ...settings, model: options.model }
      const planning = options.planModel === undefined ? asked : { ...settings, model: options.planModel }
      return new NativeSession(
        asked,
        { main: given ?? openModel(asked), planner: given ?? openModel(planning) },
        options,
      )
    },
  }
}
