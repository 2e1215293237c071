import { expect, test } from 'vitest'
import { faultOf } from './errors.ts'

const now = new Date('2026-01-02T03:04:05.000Z')
const api = (statusCode: number | undefined, given: object = {}) =>
  Object.assign(new Error('as the provider says'), { statusCode, ...given })
const typed = (error: object) => ({ data: { error } })

test.each([
  [api(401), 'auth', false],
  [api(403), 'auth', false],
  [api(402), 'billing', false],
  [api(400, { message: 'Your credit balance is too low to access the API.' }), 'billing', false],
  [api(429, typed({ code: 'insufficient_quota' })), 'billing', false],
  [api(429), 'rate_limited', true],
  [api(408), 'network', true],
  [api(500), 'overloaded', true],
  [api(503), 'overloaded', true],
  [api(529), 'overloaded', true],
  [api(400), 'invalid', false],
  [api(404), 'invalid', false],
  [api(413), 'invalid', false],
  [api(200), 'network', true],
  [api(undefined, { type: 'overloaded_error' }), 'overloaded', true],
  [new TypeError('fetch failed'), 'network', true],
  // A number in the text says nothing.
  [new Error('connect ECONNREFUSED 127.0.0.1:4010, 401 times'), 'network', true],
  ['not even an error', 'network', true],
])('%s is %s', (error, outcome, mends) => {
  expect(faultOf(error, now)).toMatchObject({ end: { outcome }, mends })
})

test.each([
  ['30', 30_000, undefined],
  ['3600', 3_600_000, '2026-01-02T04:04:05.000Z'],
  ['Fri, 02 Jan 2026 03:14:05 GMT', 600_000, '2026-01-02T03:14:05.000Z'],
  ['soon', null, undefined],
])('to be left alone for %j is %s ms, until %s', (value, waitMs, wakeAt) => {
  const fault = faultOf(api(429, { responseHeaders: { 'retry-after': value } }), now)
  expect(fault.waitMs).toBe(waitMs)
  expect(fault.end.wakeAt).toBe(wakeAt)
  expect(fault.mends).toBe(wakeAt === undefined)
})
