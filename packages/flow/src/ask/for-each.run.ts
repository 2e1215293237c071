/** How many it was done for; one that fails does not keep the others from it, and is told of at the end. */
export async function forEach<T>(all: readonly T[], act: (one: T) => Promise<boolean>): Promise<number> {
  let done = 0
  const faults: unknown[] = []
  for (const one of all) {
    try {
      if (await act(one)) done += 1
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} of ${all.length} failed`)
  return done
}
