// Who looks for improvements: an engine that reads and writes words, or programs. Pure.
import type { Config } from '@treadle/contracts/config'
import { readsWords } from '@treadle/contracts/config/engines'
import { NO_ENGINE } from '../../work/mode.ts'

/** Called so where an engine would stand. */
export const SURVEY_ENGINE = 'survey'

export type Looker = { readonly is: 'engine'; readonly engine: string } | { readonly is: 'survey' }

export function whoLooks({ ideas, engines }: Pick<Config, 'ideas' | 'engines'>): Looker {
  const engine = ideas.engine ?? engines.default
  return engine !== NO_ENGINE && readsWords(engine) ? { is: 'engine', engine } : { is: 'survey' }
}
