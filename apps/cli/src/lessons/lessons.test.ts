import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshLesson, type Lesson, type LessonTrial, NewLesson } from '@treadle/contracts/lesson'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { readLessons, writeLessons } from './lesson-files.ts'
import { fileNameOf, readLesson, writeLesson } from './lesson-markdown.ts'
import { lessonsTable, lessonText, saidOf } from './lesson-text.ts'

const at = new Date('2026-02-03T04:05:06.000Z')
const ID = '00000000-0000-4000-8000-000000000001'
const root = mkdtempSync(join(tmpdir(), 'treadle-lessons-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function lesson(given: Partial<Lesson> = {}): Lesson {
  const made = NewLesson.parse({ type: 'gotcha', content: 'Mind the gap', topic: 'Gaps & Doors' })
  return { ...freshLesson(made, ID, at), ...given }
}

const anyText = fc.string({ unit: 'grapheme', maxLength: 60 })
const oddText = fc.oneof(
  anyText,
  fc.constantFrom(
    '---\n',
    '\n---\n',
    'no',
    '1e3',
    '~',
    ' x ',
    "'",
    '"',
    '# no',
    'a: b',
    '- a',
    '\t',
    '\r',
    '&a *a',
    '!!js',
    '2026-01-01',
    '0x10',
    '|',
    '>',
    '<<',
    'ü🙂',
  ),
)
const someLesson = fc.record({
  content: fc.array(oddText, { maxLength: 5 }).map((lines) => lines.join('\n')),
  topic: fc.option(oddText.map((text) => text.slice(0, 200) || 'x')),
  glob: fc.option(oddText.map((text) => text.slice(0, 200) || 'x')),
  signature: fc.option(oddText.map((text) => text.slice(0, 200) || 'x')),
  why: fc.option(oddText),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }).map((share) => share + 0),
  occurrences: fc.integer({ min: 1, max: 1_000_000 }),
  seenIn: fc.array(fc.constantFrom('1/1', '2/30'), { maxLength: 3 }),
  // Keys as the contract lets them in, which leaves out those that would reach a prototype.
  payload: fc
    .dictionary(oddText, fc.jsonValue())
    .map((payload) => NewLesson.shape.payload.parse(JSON.parse(JSON.stringify(payload)))),
})

describe('a lesson as Markdown', () => {
  test('what was written is read back as it was', () => {
    fc.assert(
      fc.property(someLesson, (given) => {
        const whole = lesson(given as Partial<Lesson>)
        expect(readLesson(writeLesson(whole), new Date(0))).toEqual({ is: 'read', lesson: whole })
      }),
      { numRuns: 200 },
    )
  })

  test('an editor that ends lines in its own way changes nothing that is said', () => {
    const windows = `\uFEFF${writeLesson(lesson()).replaceAll('\n', '\r\n')}`
    expect(readLesson(windows, at)).toEqual({ is: 'read', lesson: lesson() })
  })

  test('written by hand, a type and a sentence are enough, and the same text is the same lesson', () => {
    const text = '---\ntype: pattern\ntopic: paging\n---\nUse keyset paging\n'
    const read = readLesson(text, at)
    expect(read).toMatchObject({
      is: 'read',
      lesson: { type: 'pattern', topic: 'paging', content: 'Use keyset paging', discoveredBy: 'imported' },
    })
    const again = readLesson(text, new Date(0))
    expect(again.is === 'read' && read.is === 'read' && again.lesson.id === read.lesson.id).toBe(true)
    const other = readLesson(text.replace('keyset', 'offset'), at)
    expect(other.is === 'read' && read.is === 'read' && other.lesson.id !== read.lesson.id).toBe(true)
  })

  const bomb = `a: &a [x, x]\n${[...'bcdefgh'].map((name, nth) => `${name}: &${name} [${`*${'abcdefgh'[nth]}, `.repeat(9)}x]`).join('\n')}`
  test.each<[string, string, string]>([
    ['no front matter', 'Mind the gap\n', 'three dashes'],
    ['no end', '---\ntype: gotcha\n', 'no end'],
    ['broken YAML', '---\ntype: [\n---\nx\n', 'not YAML'],
    ['a list', '---\n- type\n---\nx\n', 'not a list of names'],
    ['nothing', '', 'three dashes'],
    [
      'a bomb of aliases',
      `---\ntype: gotcha\npayload:\n${bomb.replaceAll(/^/gm, '  ')}\n---\nx\n`,
      'front matter',
    ],
    ['the same name twice', '---\ntype: gotcha\ntype: pattern\n---\nx\n', 'not YAML'],
    ['no such type', '---\ntype: opinion\n---\nx\n', 'type'],
    ['an unknown name', '---\ntype: gotcha\nrun: rm -rf\n---\nx\n', 'run'],
    ['a prototype', '---\ntype: gotcha\n__proto__: {id: 1}\n---\nx\n', '__proto__'],
    ['no sentence', '---\ntype: gotcha\n---\n\n', 'says nothing'],
    ['a sentence in the wrong place', '---\ntype: gotcha\ncontent: x\n---\ny\n', 'content belongs'],
    ['too sure', '---\ntype: gotcha\nconfidence: 7\n---\nx\n', 'confidence'],
    ['a tag', '---\ntype: !!js/function "function () {}"\n---\nx\n', 'type'],
    ['an id that is none', `---\nid: 7-up\ntype: gotcha\n---\nx\n`, 'id'],
    ['too long', `---\ntype: gotcha\n---\n${'x'.repeat(4_001)}\n`, 'content'],
  ])('%s is refused, and it is said why', (_, text, why) => {
    const read = readLesson(text, at)
    expect(read.is).toBe('bad')
    expect(read.is === 'bad' && read.why).toContain(why)
  })
})

describe('a folder of lessons', () => {
  test('what was exported is read back, once each', () => {
    const folder = join(root, 'whole')
    const all = [lesson(), lesson({ id: ID.replace(/1$/, '2'), content: 'Und täglich grüßt…', topic: null })]
    writeLessons(folder, all)
    writeLessons(folder, all)
    writeFileSync(join(folder, 'README.md'), '# Not a lesson\n')
    expect(readdirSync(folder)).toHaveLength(3)
    const { lessons, bad } = readLessons(folder, at)
    expect(bad).toEqual([])
    expect([...lessons].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(all)
  })

  test('each file that cannot be used is named, and links lead nowhere', () => {
    const folder = join(root, 'bad')
    writeLessons(folder, [lesson()])
    writeFileSync(join(folder, 'broken.md'), '---\n')
    writeFileSync(join(folder, 'bytes.md'), Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]))
    writeFileSync(join(folder, 'huge.md'), 'x'.repeat(2_100_000))
    writeFileSync(join(folder, 'twin.md'), writeLesson(lesson({ content: 'something else' })))
    symlinkSync('/etc/passwd', join(folder, 'link.md'))
    mkdirSync(join(folder, 'folder.md'))
    const { bad } = readLessons(folder, at)
    expect(bad.map(({ file }) => file.slice(folder.length + 1)).sort()).toEqual(
      ['broken.md', 'bytes.md', 'folder.md', 'huge.md', 'link.md', 'twin.md'].sort(),
    )
    expect(() => readLessons(join(root, 'none'), at)).toThrow('There is no')
  })

  test('a file is named after what it says, whatever that is', () => {
    expect(fileNameOf(lesson())).toBe('gotcha-gaps-doors-00000000.md')
    expect(fileNameOf(lesson({ topic: '../../etc/passwd' }))).toBe('gotcha-etc-passwd-00000000.md')
    expect(fileNameOf(lesson({ topic: '…', content: '' }))).toBe('gotcha-00000000.md')
  })
})

describe('in words', () => {
  const tally = (good: number, bad: number) => ({ good, bad, usd: 0 })
  const trial = (uplift: LessonTrial['uplift']): LessonTrial => ({
    verdict: 'on_trial',
    looks: 1,
    shown: tally(30, 10),
    withheld: tally(6, 9),
    leftOut: 2,
    used: 50,
    uplift,
    nextLookAt: 100,
  })

  test.each<[LessonTrial['uplift'], string, string]>([
    [{ mean: 0.21, low: 0.08, high: 0.33 }, '+21 (+8 to +33)', 'It helps: about +21 points'],
    [{ mean: -0.2, low: -0.3, high: -0.1 }, '-20 (-30 to -10)', 'It does harm'],
    [{ mean: 0.02, low: -0.1, high: 0.1 }, '+2 (-10 to +10)', 'not clear'],
    [null, 'not known', '30 of 40'],
  ])('an uplift of %j', (uplift, short, long) => {
    const known = { lesson: lesson(), trial: trial(uplift) }
    expect(lessonsTable([known])).toContain(short)
    expect(lessonText(known)).toContain(long)
    expect(lessonText(known)).toContain('with it 30 of 40, without it 6 of 15')
  })

  test('where it comes from is said with the command that shows it', () => {
    const provenance = { runId: ID, attempt: 2, commit: 'c'.repeat(40) }
    const text = lessonText({ lesson: lesson({ provenance, seenIn: ['1/7', '2/3'] }), trial: null })
    expect(text).toContain(`run ${ID}, attempt 2: treadle explain ${ID} 2`)
    expect(text).toContain(`git show ${'c'.repeat(40)}`)
    expect(text).toContain('item #7: treadle show 7')
    expect(text).toContain('once, at #7, 2/3')
    expect(text).toContain('Not known yet')
  })

  test('what a lesson says cannot move the cursor of a terminal', () => {
    const evil = 'evil \u001b[2J\u001b]0;owned\u0007\u009b2J\u202e\rover'
    const facts = { content: evil, topic: evil, glob: evil, action: evil, signature: evil, why: evil }
    const odd = lesson({ ...facts, discoveredBy: evil, payload: { [evil]: evil, deep: [evil] } })
    for (const whole of [odd, { ...odd, content: '' }]) {
      const known = { lesson: whole, trial: null }
      const told = `${lessonsTable([known])}${lessonText(known)}${saidOf(whole)}`
      expect(told).toContain('evil')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are ours, all else is not.
      const rest = told.replace(/\u001b\[\d{1,2}m/g, '')
      expect(rest).not.toMatch(/[^\P{Cc}\n\t]|\p{Bidi_Control}/u)
    }
  })

  test('a lesson without words is told by its facts', () => {
    const row = lessonsTable([{ lesson: lesson({ content: '', payload: { op: 'wrap' } }), trial: null }])
    expect(row).toContain('Gaps & Doors · op: wrap')
  })
})
