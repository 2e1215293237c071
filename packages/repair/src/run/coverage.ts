// Which functions and blocks of the modules ran since the last look, from V8 itself.
import { Session } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import { HEAD } from './modules.ts'
import type { Ranges } from './protocol.ts'

interface Script {
  readonly url: string
  readonly functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[]
}

export class Coverage {
  readonly #session = new Session()
  readonly #modules: ReadonlyMap<string, number>

  constructor(paths: readonly string[]) {
    this.#modules = new Map(paths.map((path, index) => [path, index]))
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** By module; what did not run since the last look is absent. */
  take(): Record<number, Ranges> {
    const hits: Record<number, Ranges> = {}
    this.#session.post('Profiler.takePreciseCoverage', (error, found) => {
      if (error !== null) return
      for (const script of found.result as readonly Script[]) {
        const module = this.#modules.get(pathOf(script.url))
        if (module === undefined) continue
        hits[module] = [...(hits[module] ?? []), ...rangesOf(script)]
      }
    })
    return hits
  }
}

function pathOf(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : url
}

function rangesOf(script: Script): number[][] {
  const ran = script.functions.filter((found) => (found.ranges[0]?.count ?? 0) > 0)
  return ran.map((found) =>
    found.ranges.flatMap(({ startOffset, endOffset, count }) => [
      startOffset - HEAD.length,
      endOffset - HEAD.length,
      count,
    ]),
  )
}
