// Where those wait who want to hear of replies and of calls of models, and what is known of both.
import type { Config } from '@treadle/contracts/config'
import { CallBook } from '@treadle/flow/claim/call-book'
import type { Clock } from '../clock.ts'
import type { World } from '../world.ts'
import { CallList } from './call-list.ts'

export function openCallLists(
  { clock, stopping }: { readonly clock: Clock; readonly stopping: AbortSignal },
  config: () => Config,
): Pick<World, 'repliesList' | 'unattendedSince' | 'modelCalls' | 'callsList'> {
  return {
    repliesList: new CallList(stopping),
    unattendedSince: new Map(),
    modelCalls: new CallBook(
      () => clock.elapsedMs(),
      () => config().limits.callsAtOnce,
    ),
    callsList: new CallList(stopping),
  }
}
