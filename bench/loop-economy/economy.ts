// All scenarios in all settings.
import { measure, type Setting } from './measure.ts'
import { Project } from './project.ts'
import { SCENARIOS, type Scenario, TRACE } from './scenarios.ts'
import { RATIO_MIN, rowOf, type Section } from './table.ts'

const credited = { evidence: 0.7, cold: 0.3 }
const equal = { evidence: 0.6, cold: 0.6 }

export const SETTINGS: readonly Setting[] = [
  { chances: credited, reach: 'each' },
  { chances: equal, reach: 'each' },
  { chances: credited, reach: 'one' },
  { chances: equal, reach: 'one' },
]

export async function measureAll(seeds: number): Promise<Section[]> {
  const project = new Project()
  try {
    return await measureIn(project, SCENARIOS, seeds)
  } finally {
    project.close()
  }
}

export async function measureIn(
  project: Project,
  scenarios: readonly Scenario[],
  seeds: number,
): Promise<Section[]> {
  const sections: Section[] = []
  for (const setting of SETTINGS) {
    const rows = []
    for (const scenario of scenarios) {
      const { total } = await project.state(scenario, new Set())
      rows.push(rowOf(scenario.name, total, await measure(project, scenario, { setting, seeds })))
    }
    sections.push({ setting, rows })
  }
  return sections
}

/** In words, what of the claims does not hold. */
export function missed(sections: readonly Section[]): string[] {
  const traces = sections.flatMap(({ rows }) => rows.filter(({ scenario }) => scenario === TRACE.name))
  return traces.flatMap(({ ratio, ours }) => [
    ...((ratio ?? RATIO_MIN) < RATIO_MIN ? [`the ratio on its own trace is ${ratio}, not ${RATIO_MIN}`] : []),
    ...(ours.idleFixes > 0 ? ['on its own trace a cause is mended again that was mended already'] : []),
  ])
}
