// Reads the sources of a plan when the plan says so, and not before.
import type { Part } from './parts.ts'
import type { ContextPlan, Load, Moment } from './plans.ts'

export interface Ask {
  /** What it is about: a task, a query, a path. */
  readonly about: string | null
  readonly last: number | null
}

/** null: there is nothing of the kind. */
export type Source = (ask: Ask) => Promise<string | null>

export interface Loader<S extends string> {
  /** The agent's work has come this far: whatever belongs here is read. */
  reach(moment: Moment, about?: string): Promise<Part[]>
  /** For what is read on demand; a source of a moment is refused, since it comes with its moment. */
  ask(source: S, about?: string): Promise<Asked>
  /** Ends what the plan calls a generation: from now on everything is read afresh. */
  close(): void
}

type Asked = { readonly is: 'loaded'; readonly part: Part } | { readonly is: 'refused'; readonly why: string }

export function openLoader<S extends string>(
  plan: ContextPlan<S>,
  sources: Readonly<Record<S, Source>>,
): Loader<S> {
  const kept = new Map<string, Promise<string | null>>()
  const read = (load: Load & { source: S }, about: string | null): Promise<string | null> => {
    const fresh = () => sources[load.source]({ about, last: load.last ?? null })
    if (plan.cache === 'none') return fresh()
    const key = JSON.stringify([load.source, about])
    const known = kept.get(key)
    if (known !== undefined) return known
    const reading = fresh()
    kept.set(key, reading)
    // A failed reading is not an answer; the next one may succeed.
    reading.catch(() => kept.delete(key))
    return reading
  }
  const part = async (load: Load & { source: S }, about: string | null): Promise<Part> => {
    const origin = about === null ? load.source : `${load.source}: ${about}`
    return { name: load.name, origin, trust: load.trust, text: await read(load, about) }
  }
  return {
    reach: (moment, about) =>
      Promise.all(plan.loads.filter((load) => load.when === moment).map((load) => part(load, about ?? null))),
    async ask(source, about) {
      const load = plan.loads.find((each) => each.source === source && each.when === 'demand')
      if (load === undefined) return { is: 'refused', why: `${source} is not read on demand` }
      return { is: 'loaded', part: await part(load, about ?? null) }
    },
    close: () => kept.clear(),
  }
}
