// Which model a turn asks: by what it is for, by the item, and by the settings.
import type { Config } from '@treadle/contracts/config'
import { modelFor } from '@treadle/contracts/config/models'
import type { EngineOpen, EngineTask } from '../ports/engine.ts'

/** Nothing for a reader: its engine was opened for a model already. */
export function modelAsked(
  engines: Config['engines'],
  engine: string,
  { item, attempt, goal }: EngineTask,
): Pick<EngineOpen, 'model' | 'planModel' | 'effort'> {
  if (item === null) return {}
  // The name of a model means nothing to another engine, which may try first or stand in.
  const isItsOwn = engine === (item.engine ?? engines.default)
  const asked = { model: isItsOwn ? (item.model ?? null) : null, labels: item.labels ?? [] }
  const use = attempt === 1 ? 'build' : 'improve'
  const model = modelFor(engines.models, engine, { use, item: asked })
  const planModel = goal === undefined ? null : modelFor(engines.models, engine, { use: 'plan', item: asked })
  return {
    ...(model === null ? {} : { model }),
    ...(planModel === null ? {} : { planModel }),
    ...(item.effort == null ? {} : { effort: item.effort }),
  }
}
