// The only place that knows how the repair engine is called. It is loaded when asked for, so that the bug set
// can be checked without it.
export type RankedPatch = { diff: string; confidence: string; kind: string; why: string; alike: number }
export type Repaired = {
  outcome: 'plausible' | 'none' | 'refused'
  patches: RankedPatch[]
  // What a person would be asked; null when the patches leave nothing to ask.
  question: { text: string } | null
  candidates: number
  // Until the first patch that turned everything green; null when there was none.
  firstGreenSeconds: number | null
  seconds: number
}

type Order = { root: string; testCommand: string; budgetSeconds: number }

export async function repairProject({ root, testCommand, budgetSeconds }: Order): Promise<Repaired> {
  const { repair } = await import('@treadle/repair/repair')
  // Forty times the budget, which counts the processor's seconds, is a safety net: an engine that keeps to its budget never meets it.
  const signal = AbortSignal.timeout(budgetSeconds * 40_000)
  const result = await repair(
    { cwd: root, testCommand, budgetSeconds, sandbox: { mode: 'auto' } },
    () => undefined,
    signal,
  )
  return { ...result, patches: [...result.patches], firstGreenSeconds: result.firstGreen?.seconds ?? null }
}
