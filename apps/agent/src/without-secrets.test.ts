import { expect, test } from 'vitest'
import { secretsRemover } from './without-secrets.ts'

const KEY = 'hunter2-hunter2-hunter2'

test('keys of the environment and what looks like a token are taken out of words, calls and outputs', () => {
  const clean = secretsRemover({ MY_API_KEY: KEY, PATH: '/usr/bin/elsewhere' })
  const token = `ghp_${'a'.repeat(36)}`
  expect(clean({ type: 'run.said', text: `It is ${KEY}, ü, in /usr/bin/elsewhere` })).toEqual({
    type: 'run.said',
    text: 'It is [redacted], ü, in /usr/bin/elsewhere',
  })
  const began = clean({ type: 'run.began', callId: 'c', tool: 'bash', input: `curl -H ${token}` })
  expect(began).toMatchObject({ input: 'curl -H [redacted]' })
  const observation = {
    tool: 'bash',
    input: KEY,
    output: `a ${token}`,
    durationMs: 1,
    success: true,
    diff: `+${KEY}`,
  }
  expect(JSON.stringify(clean({ type: 'run.observed', observation }))).not.toMatch(/hunter2|ghp_/)
})

test('a private key that is said in several parts is hidden to its end', () => {
  const clean = secretsRemover({})
  const said = ['-----BEGIN PRIVATE KEY-----\nMIIabc', 'MIIdef\n-----END PRIVATE KEY-----\nafter'].map(
    (text) => clean({ type: 'run.said', text }),
  )
  expect(JSON.stringify(said)).not.toContain('MII')
  expect(said[1]).toMatchObject({ text: expect.stringContaining('after') })
})
