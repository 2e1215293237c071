// What tests read or rest on and is no test by its name: changed, it may be why they are green.
import { join, posix } from 'node:path'
import type { Wait } from '@treadle/contracts/gate'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { compareTests } from '../integrity/compare-tests.ts'
import { Modules } from '../integrity/modules.ts'
import { readFunctions, type TestCase } from '../integrity/read-tests.ts'
import { parseSource } from '../integrity/source.ts'
import { isSnapshot } from '../integrity/test-conventions.ts'
import { listFiles, readText } from '../project-files.ts'
import { isConfiguration } from './configuration.ts'
import { isMachineCode, isOtherCode, isPython, isScript, isTestMaterial, readHead } from './head-files.ts'
import { protectedAs } from './protected-paths.ts'

type ChangedTree = Pick<DeliveryGateRequest, 'cwd' | 'changed' | 'readBase' | 'mayChangeTests'>

/** Existing data that tests read, and existing code that asserts for them, where the change made them others. */
export async function readByTests(request: ChangedTree): Promise<Wait[]> {
  if (request.mayChangeTests) return []
  const waits: Wait[] = []
  const texts = new TreeTexts(request.cwd)
  for (const path of request.changed) {
    const before = await request.readBase(path)
    if (before === null) continue
    const after = await readHead(request.cwd, path)
    if (before === after) continue
    if (isData(path) && texts.areForTests(path))
      waits.push({
        ...told(path, null, 'tests read it, and it was there before: they may expect something else now'),
        isTestData: true,
      })
    else if (!isTestMaterial(path)) waits.push(...lostAssertions(path, before, after))
  }
  return waits
}

function told(file: string, line: number | null, words: string): Wait {
  return { class: 'configuration', file, line, words }
}

function isData(path: string): boolean {
  const isCode = isScript(path) || isPython(path) || isOtherCode(path) || isMachineCode(path)
  return !isCode && !isConfiguration(path) && !isSnapshot(path) && protectedAs(path) === null
}

const testFolders = /(^|\/)(tests?|specs?|e2e|__tests__|fixtures?|__fixtures__|testdata|test-data)\//

/** The texts of a tree, by whether tests or sources name a file. */
class TreeTexts {
  readonly #cwd: string
  #code: readonly string[] | null = null

  constructor(cwd: string) {
    this.#cwd = cwd
  }

  /** Data that sources name as well is the program's own. */
  areForTests(path: string): boolean {
    if (testFolders.test(path)) return true
    this.#code ??= listFiles(this.#cwd).filter((each) => isScript(each) || isPython(each))
    const name = posix.basename(path)
    const naming = this.#code.filter((each) => (readText(join(this.#cwd, each)) ?? '').includes(name))
    return naming.some(isTestMaterial) && !naming.some((each) => !isTestMaterial(each))
  }
}

/** A helper may lie with the sources, and an assertion taken out of it is one taken out of every test that calls it. */
function lostAssertions(path: string, before: string, after: string | null): Wait[] {
  if (isPython(path)) return lostLines(path, before, after)
  if (!isScript(path) || !/\b(assert|expect|should)\b/.test(before)) return []
  const lost = compareTests(assertingIn(path, before), assertingIn(path, after)).filter(
    ({ blocks }) => blocks,
  )
  return lost.map(({ line, what }) => told(path, line, `it asserts less than before: ${what}`))
}

function assertingIn(path: string, text: string | null): TestCase[] {
  const source = text === null ? null : parseSource(path, text)
  return source === null ? [] : readFunctions(source, new Modules([source]))
}

function lostLines(path: string, before: string, after: string | null): Wait[] {
  const asserted = (text: string) => text.split('\n').filter((line) => /^\s*assert\b/.test(line))
  const left = asserted(after ?? '').map((line) => line.trim())
  const lost = asserted(before).filter((line) => !left.includes(line.trim()))
  return lost
    .slice(0, 1)
    .map((line) => told(path, null, `it asserts less than before: ${line.trim()} is gone`))
}
