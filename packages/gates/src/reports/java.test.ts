// Places, names and comparisons of Java and its like, which name no folders.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { TestReport } from '@treadle/contracts/gate'
import { expect, onTestFinished, test } from 'vitest'
import { framesOf } from './frames.ts'
import { comparedIn } from './java.ts'
import { readReport } from './read-report.ts'

function project(...files: readonly string[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-java-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const name of files) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), '')
  }
  return dir
}

const own = (stack: string, cwd: string): string[] =>
  framesOf(stack, cwd)
    .filter((frame) => frame.own)
    .map(({ file, line, fn }) => `${file}:${line} ${fn}`)

const table: [string, string, string, string][] = [
  ['java', 'src/test/java/shop/ATest.java', 'at shop.ATest.a(ATest.java:3)', 'shop.ATest.a'],
  ['a class loader', 'src/main/java/shop/A.java', 'at app//shop.A.a(A.java:3)', 'shop.A.a'],
  ['a module', 'src/main/java/shop/A.java', 'at app/shop.core@1.2/shop.A.a(A.java:3)', 'shop.A.a'],
  ['a class within', 'src/test/java/shop/A.java', 'at shop.A$B.<init>(A.java:3)', 'shop.A$B.<init>'],
  ['a lambda', 'src/test/java/shop/A.java', 'at shop.A.lambda$a$0(A.java:3)', 'shop.A.lambda$a$0'],
  [
    'kotlin',
    'src/test/kotlin/shop/ATest.kt',
    'at shop.ATest.adds (2) numbers(ATest.kt:3)',
    'shop.ATest.adds (2) numbers',
  ],
  [
    'kotlin without shared folders',
    'src/test/kotlin/ATest.kt',
    'at org.shop.ATest.a(ATest.kt:3)',
    'org.shop.ATest.a',
  ],
  ['groovy', 'src/test/groovy/shop/ASpec.groovy', 'at shop.ASpec.a(ASpec.groovy:3)', 'shop.ASpec.a'],
  [
    'a module of the project',
    'core/src/test/java/shop/ATest.java',
    'at shop.ATest.a(ATest.java:3)',
    'shop.ATest.a',
  ],
  [
    'one further down',
    'libs/core/src/it/java/shop/ATest.java',
    'at shop.ATest.a(ATest.java:3)',
    'shop.ATest.a',
  ],
]

test.each(table)('a call is placed in the project: %s', (_what, file, line, fn) => {
  expect(own(`java.lang.Error: x\n\t${line}\n`, project(file))).toEqual([`${file}:3 ${fn}`])
})

test('libraries are not the project, whether they are known or only not found in it', () => {
  const calls = [
    'at java.base@17/java.lang.Thread.run(Thread.java:1)',
    'at org.hamcrest.MatcherAssert.assertThat(MatcherAssert.java:2)',
    'at app//org.assertj.core.api.Assert.isEqualTo(Assert.java:3)',
    'at org.opentest4j.X.y(X.java:4)',
    'at org.mockito.Mockito.verify(Mockito.java:5)',
    'at com.example.library.Thing.act(Thing.java:6)',
    'at shop.PriceTest.words(PriceTest.java:7)',
  ]
  const place = 'src/test/java/shop/PriceTest.java'
  expect(own(calls.join('\n'), project(place))).toEqual([`${place}:7 shop.PriceTest.words`])
  // A report from elsewhere: what is not known to be a library may be the project.
  expect(own(calls.join('\n'), project())).toEqual([
    'Thing.java:6 com.example.library.Thing.act',
    'PriceTest.java:7 shop.PriceTest.words',
  ])
})

test('what differs, in the words of each library', () => {
  expect(comparedIn('expected:<1> but was:<-1>')).toEqual({ expected: '1', actual: '-1' })
  expect(comparedIn('total ==> expected: <1> but was: <2>')).toEqual({ expected: '1', actual: '2' })
  expect(comparedIn('expected [1] but found [2]')).toEqual({ expected: '1', actual: '2' })
  expect(comparedIn('Expected <1>, actual <2>.')).toEqual({ expected: '1', actual: '2' })
  expect(comparedIn('\nexpected: "a"\n but was: "b"\n')).toEqual({ expected: '"a"', actual: '"b"' })
  expect(comparedIn('\nExpected: is <1>\n     but: was <2>')).toEqual({ expected: 'is <1>', actual: '<2>' })
  expect(comparedIn('expected:<[1]> but was:<[2]>')).toEqual({ expected: '[1]', actual: '[2]' })
  const marked = 'ComparisonFailure: expected:<na[ï]ve> but was:<na[i]ve>'
  expect(comparedIn(marked)).toEqual({ expected: 'naïve', actual: 'naive' })
  const cut = 'ComparisonFailure: expected:<...e[a]nd> but was:<...e[b]nd>'
  expect(comparedIn(cut)).toEqual({ expected: '...e[a]nd', actual: '...e[b]nd' })
  expect(comparedIn('no')).toEqual({ expected: null, actual: null })
})

const read = (text: string, cwd: string) => TestReport.parse(readReport(text, cwd))

test('a test keeps its name wherever it fails, and tests with parameters are told apart', () => {
  const cwd = project('src/test/java/shop/PriceTest.java', 'src/main/java/shop/Price.java')
  const problem = (name: string, at: string): string =>
    `<testcase classname="shop.PriceTest" name="${name}"><error message="x" type="java.lang.Error">java.lang.Error: x\n\tat ${at}\n</error></testcase>`
  const cases = [
    problem('adds(int, int)[1]', 'shop.PriceTest.adds(PriceTest.java:9)'),
    problem('[2] a &gt; b', 'shop.Price.add(Price.java:4)'),
    problem('hangs', 'org.junit.Runner.run(Runner.java:1)'),
  ]
  const { failures } = read(`<testsuite name="shop.PriceTest">${cases.join('')}</testsuite>`, cwd)
  expect(failures.map(({ id, file, line }) => [id, file, line])).toEqual([
    ['shop.PriceTest > adds(int, int)[1]', 'src/test/java/shop/PriceTest.java', 9],
    ['shop.PriceTest > [2] a > b', 'src/test/java/shop/PriceTest.java', null],
    ['shop.PriceTest > hangs', 'src/test/java/shop/PriceTest.java', null],
  ])
})

const surefire3 = `[INFO]  T E S T S
[INFO] Running shop.PriceTest
[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in shop.PriceTest
[ERROR] shop.PriceTest.subtracts -- Time elapsed: 0.010 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <1> but was: <-1>
	at shop.PriceTest.subtracts(PriceTest.java:16)

[ERROR] shop.PriceTest.adds(int, int)[1] -- Time elapsed: 0.001 s <<< ERROR!
java.lang.IllegalStateException:
two
lines
	at shop.PriceTest.adds(PriceTest.java:20)

[INFO] Results:
[ERROR] Failures:
[ERROR]   PriceTest.subtracts:16 expected: <1> but was: <-1>
[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0
[INFO] Running web.PageTest
[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 1
`

test('the text of surefire 3, of several modules', () => {
  expect(read(surefire3, '/project')).toMatchObject({
    format: 'maven-text',
    ...{ total: 5, passed: 2, failed: 2, skipped: 1 },
    failures: [
      { id: 'shop.PriceTest > subtracts', line: 16, expected: '1', actual: '-1', durationMs: 10 },
      {
        id: 'shop.PriceTest > adds(int, int)[1]',
        line: 20,
        message: 'java.lang.IllegalStateException:\ntwo\nlines',
      },
    ],
  })
})

test('the list at the end of Maven is enough, and no tests are none', () => {
  const list = `[ERROR] Errors: \n[ERROR]   PriceTest.throwsInside:22->Price.divide:12 » IllegalArgument no\n[ERROR] Tests run: 1, Failures: 0, Errors: 1, Skipped: 0\n`
  expect(read(list, '/project')).toMatchObject({
    format: 'maven-text',
    failures: [{ id: 'PriceTest > throwsInside', message: 'IllegalArgument no' }],
  })
  expect(read('[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n', '/project')).toMatchObject({
    format: 'maven-text',
    total: 0,
  })
  expect(read('Tests run: 5, Failures: 0, Errors: 0, Skipped: 0', '/project')).toMatchObject({
    format: 'none',
  })
  expect(read('5 tests completed, 1 failed', '/project')).toMatchObject({ format: 'none' })
})

test('Gradle that names each test is counted by that, where no task failed', () => {
  const text = '> Task :test\n\nATest > a() PASSED\n\nATest > b() SKIPPED\n\nBUILD SUCCESSFUL in 1s\n'
  expect(read(text, '/project')).toMatchObject({ format: 'gradle-text', total: 2, passed: 1, skipped: 1 })
})
