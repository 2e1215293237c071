import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv, sumColumn, toTable, writeCsv } from '../src/csv.ts'

test('plain fields', () => {
  assert.deepEqual(parseCsv('a,b\nc,d'), [
    ['a', 'b'],
    ['c', 'd'],
  ])
  assert.deepEqual(parseCsv('a,,c\r\n'), [['a', '', 'c']])
})

test('quotes hold separators, line ends and quotes', () => {
  assert.deepEqual(parseCsv('"a,b",c\n"line\nend","say ""hi"""'), [
    ['a,b', 'c'],
    ['line\nend', 'say "hi"'],
  ])
  assert.throws(() => parseCsv('"open'), SyntaxError)
})

test('blank lines are skipped and a last empty field is kept', () => {
  assert.deepEqual(parseCsv('a,b\n\nc,'), [
    ['a', 'b'],
    ['c', ''],
  ])
  assert.deepEqual(parseCsv(''), [])
})

test('another separator', () => {
  assert.deepEqual(parseCsv('a;b,c', ';'), [['a', 'b,c']])
  assert.equal(writeCsv([['a;b', 'c,d']], ';'), '"a;b";c,d')
})

test('a table has named fields', () => {
  const table = toTable('name, qty\nbolt,5\nnut\n')
  assert.deepEqual(table.header, ['name', 'qty'])
  assert.deepEqual(table.rows, [
    { name: 'bolt', qty: '5' },
    { name: 'nut', qty: '' },
  ])
  assert.throws(() => toTable('a,b\n1,2\n1,2,3'), /row 3/)
})

test('writing quotes only what needs it', () => {
  assert.equal(writeCsv([['a', 'b c'], ['x,y', 'q"q'], ['two\nlines']]), 'a,b c\n"x,y","q""q"\n"two\nlines"')
})

test('a column is summed and words are ignored', () => {
  const table = toTable('name,qty\na,2\nb,n/a\nc,3.5')
  assert.equal(sumColumn(table, 'qty'), 5.5)
  assert.throws(() => sumColumn(table, 'price'), RangeError)
})
