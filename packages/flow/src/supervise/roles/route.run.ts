// The store with its events routed: whoever records one sends its jobs in the same transaction, and cannot do without.
import type { Store } from '../../ports/store.ts'
import { jobsOf, type RouteConfig } from './routes.ts'

/** Instead of the store itself; the daemon has no other. `config` is asked when an event is recorded. */
export function routed<S extends Pick<Store, 'tx' | 'events' | 'jobs'>>(
  store: S,
  config: () => RouteConfig,
): S {
  const { events, jobs } = store
  return {
    ...store,
    events: {
      ...events,
      append: (event) => {
        const due = jobsOf(event, config())
        if (due.length === 0) return events.append(event)
        return store.tx(async () => {
          if (!(await events.append(event))) return false
          for (const each of due) {
            if (each.name === 'coordinate') await jobs.send(each.name, each.job)
            else await jobs.send(each.name, each.job)
          }
          return true
        })
      },
    } satisfies Store['events'],
  }
}
