// A database of its own on the PostgreSQL server of the test run.
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

export interface OwnDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function makeDatabase(serverUrl: string): Promise<OwnDatabase> {
  const name = `treadle_${randomBytes(6).toString('hex')}`
  await onServer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`) }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
