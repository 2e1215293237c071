// When a counter has used up its limit. Sources differ: some limits end when reached, others when exceeded.
export interface Limit {
  readonly max: number
  readonly mode: 'reaches' | 'exceeds'
}

export function isSpent({ max, mode }: Limit, count: number): boolean {
  return mode === 'reaches' ? count >= max : count > max
}
