import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv, sumColumn, toTable, writeCsv } from '../src/csv.ts'

let state = 5
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

const pieces = ['a', 'b ', ',', ';', '"', '\n', 'xyz', ' ', '""', '1']

for (const separator of [',', ';', '\t']) {
  test(`what is written with ${JSON.stringify(separator)} is read back`, () => {
    for (let round = 0; round < 300; round += 1) {
      const rows = Array.from({ length: random(4) + 1 }, () =>
        Array.from({ length: random(3) + 2 }, () =>
          Array.from({ length: random(5) }, () => pieces[random(pieces.length)] ?? '').join(''),
        ),
      )
      assert.deepEqual(parseCsv(writeCsv(rows, separator), separator), rows)
    }
  })
}

test('what is written is minimal', () => {
  assert.equal(writeCsv([['plain', 'a;b', 'c\rd', 'e"f']]), 'plain,a;b,"c\rd","e""f"')
  assert.equal(writeCsv([['a,b']], ';'), 'a,b')
  assert.equal(writeCsv([]), '')
  assert.equal(writeCsv([['', '']]), ',')
})

test('corners of reading', () => {
  assert.deepEqual(parseCsv('""'), [])
  assert.deepEqual(parseCsv('a,""'), [['a', '']])
  assert.deepEqual(parseCsv('a,b\r\nc,d\r\n'), [
    ['a', 'b'],
    ['c', 'd'],
  ])
  assert.deepEqual(parseCsv('ab"c,d'), [['ab"c', 'd']])
  assert.deepEqual(parseCsv('\n\n\na\n\n'), [['a']])
  assert.deepEqual(parseCsv(','), [['', '']])
  assert.deepEqual(parseCsv('"x"\n"y"'), [['x'], ['y']])
  assert.deepEqual(parseCsv('"","b"\n1,2'), [
    ['', 'b'],
    ['1', '2'],
  ])
  for (const text of ['"', 'a,"b', '"a""', 'x\n"y\n']) assert.throws(() => parseCsv(text), SyntaxError)
})

test('tables', () => {
  assert.deepEqual(toTable(''), { header: [], rows: [] })
  const table = toTable(' a ;b\n1;"x;y"\n\n2', ';')
  assert.deepEqual(table, {
    header: ['a', 'b'],
    rows: [
      { a: '1', b: 'x;y' },
      { a: '2', b: '' },
    ],
  })
  assert.throws(() => toTable('a\n1,2'), /row 2 has too many fields/)
  assert.throws(() => toTable('a,b\n1,2\n3,4\n5,6,'), /row 4 has too many fields/)
})

test('sums', () => {
  const table = toTable('k,v,w\na,1,x\nb,-4,\nc,2.5\nd,zero,7')
  assert.equal(sumColumn(table, 'v'), -0.5)
  assert.equal(sumColumn(table, 'w'), 7)
  assert.equal(sumColumn(table, 'k'), 0)
  assert.throws(() => sumColumn(table, 'x'), /no column x/)
})
