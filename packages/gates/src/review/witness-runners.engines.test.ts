// The witness check with runners of other languages, each as it is installed here.
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { notRun } from '@treadle/requirements/not-run'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { type Files, makeChange, noSurvey } from '../testing/change.ts'
import { checkWitness } from './witness.ts'

interface Sample {
  readonly program: string
  readonly install: string
  readonly command: string
  readonly base: Files
  /** The change, with a test that needs it. */
  readonly head: Files
  /** The same change, with a test that does not. */
  readonly idle: Files
  /** How the base was asked. */
  readonly asked: string
  readonly red: string
}

const packages = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

const goHead = 'package sum\n\nimport "testing"\n\n'
const go: Sample = {
  program: 'go',
  install: 'apt-get install golang',
  command: 'go test ./...',
  base: {
    'go.mod': 'module sum\n\ngo 1.19\n',
    'sum.go': 'package sum\n\nfunc Sum(a, b int) int { return a - b }\n',
    'old_test.go': `${goHead}func TestOld(t *testing.T) {}\n`,
  },
  head: {
    'sum.go': 'package sum\n\nfunc Sum(a, b int) int { return a + b }\n',
    'sum_test.go': `${goHead}func TestSum(t *testing.T) {\n\tif Sum(2, 3) != 5 {\n\t\tt.Error("no")\n\t}\n}\n`,
  },
  idle: {
    'sum.go': 'package sum\n\nfunc Sum(a, b int) int { return a + b }\n',
    'sum_test.go': `${goHead}func TestSum(t *testing.T) {\n\tif Sum(0, 0) != 0 {\n\t\tt.Error("no")\n\t}\n}\n`,
  },
  asked: "go test ./... -run '^(TestSum)$'",
  red: 'TestSum',
}
const pytest: Sample = {
  program: 'pytest',
  install: 'pip install pytest',
  command: 'pytest',
  base: {
    'pump.py': 'def add(a, b):\n    return a - b\n',
    'test_old.py': 'def test_old():\n    assert True\n',
  },
  head: {
    'pump.py': 'def add(a, b):\n    return a + b\n',
    'test_pump.py': 'from pump import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n',
  },
  idle: {
    'pump.py': 'def add(a, b):\n    return a + b\n',
    'test_pump.py': 'from pump import add\n\n\ndef test_add():\n    assert add(0, 0) == 0\n',
  },
  asked: 'pytest test_pump.py',
  red: 'test_add',
}
const vitestTest = (body: string) =>
  `import { expect, test } from 'vitest'\nimport { sum } from './sum'\ntest('adds', () => { ${body} })\n`
const vitest: Sample = {
  program: join(packages, '.bin/vitest'),
  install: 'npm install',
  command: 'npm test',
  base: {
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'vitest run' } }),
    'sum.ts': 'export const sum = (a: number, b: number) => a - b\n',
    'old.test.ts': "import { test } from 'vitest'\ntest('old', () => {})\n",
  },
  head: {
    'sum.ts': 'export const sum = (a: number, b: number) => a + b\n',
    'sum.test.ts': vitestTest('expect(sum(2, 3)).toBe(5)'),
  },
  idle: {
    'sum.ts': 'export const sum = (a: number, b: number) => a + b\n',
    'sum.test.ts': vitestTest('expect(sum(0, 0)).toBe(0)'),
  },
  asked: 'vitest run sum.test.ts',
  red: 'sum.test.ts > adds',
}

function starts(program: string): boolean {
  try {
    execFileSync(program, [program === 'go' ? 'version' : '--version'], { stdio: 'ignore', timeout: 60_000 })
    return true
  } catch {
    return false
  }
}

async function look(context: TestContext, sample: Sample, head: Files) {
  if (!starts(sample.program)) notRun(context, `${sample.program} does not start`, sample.install)
  const change = makeChange(sample.base, head)
  onTestFinished(change.remove)
  symlinkSync(packages, join(change.dir, 'node_modules'))
  const result = await checkWitness(
    change.options,
    await change.request({ command: sample.command }),
    noSurvey,
  )
  return { result, output: change.output(result) }
}

for (const [name, sample] of Object.entries({ go, pytest, vitest })) {
  test(`${name}: the new test is run on the base and is red there`, async (context) => {
    const { result, output } = await look(context, sample, sample.head)
    expect(result, output).toMatchObject({ is: 'passed' })
    expect(output).toContain(`\`${sample.asked}\` on the base: exit code 1`)
    expect(output).toMatch(new RegExp(`red on the base, green on the head: .*${sample.red}`))
  })

  test(`${name}: a new test that passes on the base is refused`, async (context) => {
    const { result, output } = await look(context, sample, sample.idle)
    expect(result, output).toMatchObject({ is: 'failed', failures: [{ id: 'witness' }] })
  })
}
