// Plants each fault into a short month, and says which of them are found, by which rule and after how long.
import { FAULTS, type PlantedFault } from './faults.ts'
import { playMonth } from './month.ts'
import type { Broken } from './rules.ts'
import { SHORT } from './settings.ts'

/** One day has every mood in it. */
const DAYS = 1
const AT_ONCE = 2

export interface FoundFault {
  readonly fault: PlantedFault
  /** The first that was told of it; null: it was not found. */
  readonly found: Broken | null
}

/** A few at a time: each spends half of its time waiting for its database. */
export async function findFaults(seed: number, faults = FAULTS): Promise<FoundFault[]> {
  const left = [...faults]
  const found: FoundFault[] = []
  const next = async () => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift())
      found.push(await findFault(seed, fault))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  return found
}

async function findFault(seed: number, fault: PlantedFault): Promise<FoundFault> {
  const isIt = ({ rule }: Broken) => fault.foundBy.includes(rule)
  const month = await playMonth({
    seed,
    days: DAYS,
    scale: { ...SHORT, ...fault.scale },
    plant: fault.plant,
    isEnough: ({ rules }) => rules.broken.some(isIt),
  })
  return { fault, found: month.rules.broken.find(isIt) ?? null }
}
