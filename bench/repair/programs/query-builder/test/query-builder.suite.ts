import { describe, expect, it } from 'vitest'
import { quoteName } from '../src/condition.ts'
import { Query } from '../src/query.ts'

describe('names', () => {
  it('are quoted and checked', () => {
    expect(quoteName('users')).toBe('"users"')
    expect(quoteName('u.First_Name')).toBe('"u"."First_Name"')
    expect(() => quoteName('x; drop')).toThrow(RangeError)
    expect(() => quoteName('1a')).toThrow(RangeError)
  })
})

describe('queries', () => {
  it('select everything or some columns', () => {
    expect(Query.from('users').toSql()).toEqual({ text: 'select * from "users"', values: [] })
    expect(Query.from('users').select('id').select('name').toSql().text).toBe(
      'select "id", "name" from "users"',
    )
  })

  it('filter by values', () => {
    expect(Query.from('users').where('id', 7).where('gone', null).toSql()).toEqual({
      text: 'select * from "users" where "id" = $1 and "gone" is null',
      values: [7],
    })
  })

  it('combine conditions', () => {
    const query = Query.from('t')
      .filter({
        is: 'any',
        parts: [
          { is: 'compare', column: 'a', operator: '>=', value: 1 },
          { is: 'in', column: 'b', values: ['x', 'y'] },
        ],
      })
      .where('c', false)
    expect(query.toSql()).toEqual({
      text: 'select * from "t" where ("a" >= $1 or "b" in ($2, $3)) and "c" = $4',
      values: [1, 'x', 'y', false],
    })
  })

  it('know empty conditions', () => {
    const text = (is: 'all' | 'any') => Query.from('t').filter({ is, parts: [] }).toSql().text
    expect(text('all')).toBe('select * from "t" where true')
    expect(text('any')).toBe('select * from "t" where false')
    expect(Query.from('t').filter({ is: 'in', column: 'a', values: [] }).toSql().text).toContain(
      'where false',
    )
  })

  it('compare with null in words', () => {
    const compare = (operator: '<>' | '<') =>
      Query.from('t').filter({ is: 'compare', column: 'a', operator, value: null }).toSql().text
    expect(compare('<>')).toBe('select * from "t" where "a" is not null')
    expect(() => compare('<')).toThrow('null cannot be compared with <')
  })

  it('are ordered and cut', () => {
    const query = Query.from('t').orderBy('b', 'desc').orderBy('a')
    expect(query.page(3, 10).toSql().text).toBe(
      'select * from "t" order by "b" desc, "a" asc limit 10 offset 20',
    )
    expect(query.page(1, 5).toSql().text).toBe('select * from "t" order by "b" desc, "a" asc limit 5')
    expect(() => query.page(0, 5)).toThrow(RangeError)
  })

  it('share a base', () => {
    const base = Query.from('t').where('a', 1)
    base.where('b', 2)
    base.orderBy('c')
    expect(base.toSql()).toEqual({ text: 'select * from "t" where "a" = $1', values: [1] })
  })
})
