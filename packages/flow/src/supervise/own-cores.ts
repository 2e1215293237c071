// Which processors each of several agents is kept to. Pure.

/** The processors of the nth of so many agents; null: there are fewer than agents, or it is alone and has them all. */
export function ownCores(cores: readonly number[], agents: number, nth: number): number[] | null {
  if (agents < 2 || cores.length < agents) return null
  const from = (n: number) => Math.floor((n * cores.length) / agents)
  return cores.slice(from(nth), from(nth + 1))
}

/** Why agents are not kept to processors of their own; null: they are. */
export function notKeptWords(cores: number, agents: number): string | null {
  if (agents < 2) return 'with one agent all cores are its own'
  const have = cores === 1 ? 'is 1 core' : `are ${cores} cores`
  return cores < agents ? `there ${have} for ${agents} agents` : null
}

/** Numbers as Linux writes them: 0-3,8. */
export function coresIn(list: string): number[] {
  return list
    .trim()
    .split(',')
    .flatMap((part) => {
      const found = /^(\d+)(?:-(\d+))?$/.exec(part)
      if (found === null) return []
      const [first, last] = [Number(found[1]), Number(found[2] ?? found[1])]
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, nth) => first + nth)
    })
}

export function coreList(cores: readonly number[]): string {
  const spans: [first: number, last: number][] = []
  for (const core of cores) {
    const span = spans.at(-1)
    if (span !== undefined && span[1] + 1 === core) span[1] = core
    else spans.push([core, core])
  }
  return spans.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}
