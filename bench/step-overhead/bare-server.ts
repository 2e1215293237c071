// A server that commits one row for each request and does nothing else: what any daemon must take at least.
// Usage, by durable.ts: fork(bare-server.ts, [databaseUrl]); it sends its port.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.argv[2], max: 1 })
await pool.query('create table over_http (id uuid primary key, event jsonb not null)')
const server = createServer(async (request, response) => {
  const event = JSON.stringify(JSON.parse(await text(request)))
  await pool.query({
    name: 'step',
    text: 'insert into over_http (id, event) values ($1, $2)',
    values: [randomUUID(), event],
  })
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"is":"recorded"}')
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit(0))
