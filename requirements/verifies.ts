// `verifies` is vitest's `test` with the requirement ids the test proves; `npm run trace` reads them.
import { expect, type TestContext, type TestOptions, test } from 'vitest'
import { readIds } from './ids.ts'

declare module 'vitest' {
  interface TaskMeta {
    requirements?: string[]
    notRun?: string
  }
}

const known = readIds()

export function verifies(
  ids: string | readonly string[],
  title: string,
  body: (context: TestContext) => unknown,
  options: TestOptions = {},
): void {
  const cited = typeof ids === 'string' ? [ids] : [...ids]
  for (const id of cited) if (!known.has(id)) throw new Error(unknownId(id, title))
  if (cited.length === 0) throw new Error(`verifies('${title}') cites no requirement id`)
  test(title, { ...options, meta: { ...options.meta, requirements: cited } }, async (context) => {
    // A citation proves something only if an assertion really ran.
    expect.hasAssertions()
    await body(context)
  })
}

function unknownId(id: string, title: string): string {
  const file = expect.getState().testPath ?? callerFile()
  return `unknown requirement id '${id}' in ${file} (test '${title}'): it is not in requirements/requirements.yaml`
}

function callerFile(): string {
  const frame = (new Error().stack ?? '').split('\n').find((line) => /\.test\.ts/.test(line))
  return frame?.trim().replace(/^at\s+/, '') ?? 'an unknown file'
}
