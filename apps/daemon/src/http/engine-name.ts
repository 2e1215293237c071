// An engine as somebody names it for ideas and specifications.
import { ENGINE_NAMES } from '@treadle/contracts/config/engines'
import { NO_ENGINE } from '@treadle/flow/work/mode'
import { ProblemError } from './problem.ts'

/** Null: none was named. */
export function knownEngine(engine: string | null | undefined, none = 'leaves it to rules'): string | null {
  if (engine == null) return null
  if (engine === NO_ENGINE || ENGINE_NAMES.includes(engine)) return engine
  throw new ProblemError(400, {
    code: 'bad_request',
    message: `There is no engine ${engine}.`,
    hint: `Engines are ${ENGINE_NAMES.join(', ')}; ${NO_ENGINE} ${none}.`,
  })
}
