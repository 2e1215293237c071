// Which engine does the work of an agent, by the settings; known without loading any of them.
import type { Config } from '@treadle/contracts/config'
import type { AgentId } from '@treadle/contracts/ids'
import { isReviewer } from '@treadle/contracts/review'

export function engineNameOf(id: AgentId, { engines }: Pick<Config, 'engines'>): string {
  return (isReviewer(id) ? engines.reviewer : null) ?? engines.default
}
