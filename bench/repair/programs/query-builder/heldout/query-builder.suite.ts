import { describe, expect, it } from 'vitest'
import { type Condition, quoteName, type Scalar, writeCondition } from '../src/condition.ts'
import { Query } from '../src/query.ts'

const compare = (
  column: string,
  value: Scalar,
  operator: '=' | '<>' | '<' | '<=' | '>' | '>=' = '=',
): Condition => ({
  is: 'compare',
  column,
  operator,
  value,
})

describe('names', () => {
  it('of many kinds', () => {
    for (const name of ['a', '_x', 'A9', 'schema_1.Table2', 'x._y']) {
      expect(quoteName(name)).toBe(`"${name.replace('.', '"."')}"`)
    }
    for (const name of ['', 'a b', 'a.b.c', 'a.', '.a', 'a-b', '9', 'a"', 'a.1', 'é']) {
      expect(() => quoteName(name)).toThrow(`bad name ${name}`)
    }
  })
})

describe('conditions', () => {
  it('of every kind', () => {
    const table: [Condition, string, Scalar[]][] = [
      [compare('a', 1, '<'), '"a" < $1', [1]],
      [compare('a', 'x', '<>'), '"a" <> $1', ['x']],
      [compare('a', null), '"a" is null', []],
      [compare('a', null, '<>'), '"a" is not null', []],
      [compare('a', ''), '"a" = $1', ['']],
      [compare('a', 0, '>'), '"a" > $1', [0]],
      [compare('a', false), '"a" = $1', [false]],
      [{ is: 'in', column: 'a', values: [3] }, '"a" in ($1)', [3]],
      [{ is: 'in', column: 'a', values: [] }, 'false', []],
      [{ is: 'all', parts: [compare('a', 1)] }, '"a" = $1', [1]],
      [{ is: 'any', parts: [] }, 'false', []],
      [{ is: 'all', parts: [] }, 'true', []],
      [{ is: 'all', parts: [compare('a', 1), compare('b', null)] }, '("a" = $1 and "b" is null)', [1]],
      [
        {
          is: 'any',
          parts: [
            { is: 'all', parts: [compare('a', 1), compare('b', 2)] },
            { is: 'any', parts: [compare('c', 3)] },
            { is: 'in', column: 'd.e', values: [4, 5] },
          ],
        },
        '(("a" = $1 and "b" = $2) or "c" = $3 or "d"."e" in ($4, $5))',
        [1, 2, 3, 4, 5],
      ],
    ]
    for (const [condition, text, expected] of table) {
      const values: Scalar[] = []
      expect(writeCondition(condition, values)).toBe(text)
      expect(values).toEqual(expected)
    }
  })

  it('number on from what is there', () => {
    const values: Scalar[] = ['old']
    expect(writeCondition(compare('a', 5), values)).toBe('"a" = $2')
    expect(values).toEqual(['old', 5])
    for (const operator of ['<', '<=', '>', '>='] as const) {
      expect(() => writeCondition(compare('a', null, operator), [])).toThrow(`compared with ${operator}`)
    }
    expect(() => writeCondition({ is: 'in', column: 'a b', values: [1] }, [])).toThrow('bad name a b')
  })
})

describe('queries', () => {
  it('with everything', () => {
    const query = Query.from('shop.orders')
      .select('id', 'o.total')
      .select('at')
      .where('state', 'open')
      .filter({ is: 'in', column: 'kind', values: ['a', null] })
      .where('total', 0)
      .orderBy('at')
      .orderBy('id', 'desc')
      .page(4, 25)
    const expected = {
      text:
        'select "id", "o"."total", "at" from "shop"."orders" ' +
        'where "state" = $1 and "kind" in ($2, $3) and "total" = $4 ' +
        'order by "at" asc, "id" desc limit 25 offset 75',
      values: ['open', 'a', null, 0],
    }
    expect(query.toSql()).toEqual(expected)
    expect(query.toSql()).toEqual(expected)
  })

  it('do not touch their base', () => {
    const base = Query.from('t').select('a').where('x', 1).orderBy('a').page(2, 10)
    const text = base.toSql()
    base.select('b')
    base.where('y', 2)
    base.orderBy('b')
    base.page(9, 1)
    base.filter({ is: 'any', parts: [] })
    expect(base.toSql()).toEqual(text)
    expect(base.page(1, 3).toSql().text).toBe('select "a" from "t" where "x" = $1 order by "a" asc limit 3')
  })

  it('refuse odd pages and names', () => {
    for (const [number, size] of [
      [0, 1],
      [1, 0],
      [-1, 5],
      [2, -5],
    ] as const) {
      expect(() => Query.from('t').page(number, size)).toThrow(RangeError)
    }
    expect(() => Query.from('t t').toSql()).toThrow('bad name')
    expect(() => Query.from('t').select('a;').toSql()).toThrow('bad name')
    expect(() => Query.from('t').orderBy('a desc').toSql()).toThrow('bad name')
  })
})
