import { type Condition, quoteName, type Scalar, type Sql, writeCondition } from './condition.ts'

type Order = { column: string; direction: 'asc' | 'desc' }
type State = {
  table: string
  columns: string[]
  where: Condition[]
  order: Order[]
  limit: number | null
  offset: number
}

// Each step makes a new query, so that a base can be shared.
export class Query {
  private readonly state: State

  private constructor(state: State) {
    this.state = state
  }

  static from(table: string): Query {
    return new Query({ table, columns: [], where: [], order: [], limit: null, offset: 0 })
  }

  select(...columns: string[]): Query {
    return new Query({ ...this.state, columns: [...this.state.columns, ...columns] })
  }

  where(column: string, value: Scalar): Query {
    return this.filter({ is: 'compare', column, operator: '=', value })
  }

  filter(condition: Condition): Query {
    return new Query({ ...this.state, where: [...this.state.where, condition] })
  }

  orderBy(column: string, direction: 'asc' | 'desc' = 'asc'): Query {
    return new Query({ ...this.state, order: [...this.state.order, { column, direction }] })
  }

  page(number: number, size: number): Query {
    if (number < 1 || size < 1) throw new RangeError('pages and sizes count from 1')
    return new Query({ ...this.state, limit: size, offset: (number - 1) * size })
  }

  toSql(): Sql {
    const { table, columns, where, order, limit, offset } = this.state
    const values: Scalar[] = []
    const names = columns.length === 0 ? '*' : columns.map(quoteName).join(', ')
    const parts = [`select ${names} from ${quoteName(table)}`]
    if (where.length > 0) parts.push(`where ${where.map((one) => writeCondition(one, values)).join(' and ')}`)
    if (order.length > 0) {
      parts.push(`order by ${order.map((one) => `${quoteName(one.column)} ${one.direction}`).join(', ')}`)
    }
    if (limit !== null) parts.push(`limit ${limit}`)
    if (offset > 0) parts.push(`offset ${offset}`)
    return { text: parts.join(' '), values }
  }
}
