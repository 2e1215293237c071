import { playMonth } from './month.ts'
const t = performance.now(); const c = process.cpuUsage()
const days = Number(process.argv[2] ?? 3), seed = Number(process.argv[3] ?? 1)
const month = await playMonth({ seed, days, onDay: (d, m) => console.log('day', d, Math.round(performance.now() - t), 'depth', m.books.depth, 'open', m.books.open, 'items', m.books.items.size, 'looks', m.books.looks.size, 'broken', m.rules.broken.length) })
const cpu = process.cpuUsage(c)
console.log('ms', Math.round(performance.now() - t), 'cpu', (cpu.user + cpu.system) / 1000)
console.log(month.queue, Object.fromEntries(month.books.counts))
const by = Map.groupBy(month.rules.broken, (b) => b.rule)
for (const [rule, list] of by) { console.log(rule, list.length); for (const b of list.slice(0, 4)) console.log('   ', b.at, b.words) }
