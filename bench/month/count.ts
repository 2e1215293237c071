import pg from 'pg'
const counts = new Map<string, { n: number; ms: number }>()
const original = pg.Client.prototype.query
pg.Client.prototype.query = function (this: unknown, ...args: unknown[]) {
  const q = args[0] as { text?: string } | string
  const text = (typeof q === 'string' ? q : (q.text ?? '?')).replace(/\s+/g, ' ').slice(0, 110)
  const t = performance.now()
  const result = (original as (...a: unknown[]) => unknown).apply(this, args)
  const c = counts.get(text) ?? { n: 0, ms: 0 }; counts.set(text, c); c.n += 1
  if (result instanceof Promise) result.then(() => { c.ms += performance.now() - t }, () => {})
  return result
} as never
process.on('exit', () => {
  let n = 0, ms = 0
  for (const c of counts.values()) { n += c.n; ms += c.ms }
  console.log('queries', n, Math.round(ms))
  for (const [text, c] of [...counts].sort((a, b) => b[1].ms - a[1].ms).slice(0, 45)) console.log(c.n, Math.round(c.ms), text)
})
await import('./try.ts')
