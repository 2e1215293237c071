import { expect, test } from 'vitest'
import { forecastOf } from './forecast.ts'

const finished = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({ usd: nth + 1, hours: (nth + 1) / 10 }))

test('a crew that has finished too little knows nothing, and says so', () => {
  expect(forecastOf({ tasks: 14, agents: 3, finished: finished(4), builds: [] })).toEqual({
    usd: null,
    hours: null,
    basedOn: 4,
    held: { forecasts: 0, within: 0 },
  })
})

test('a range from what items have cost and taken, side by side as far as there are agents', () => {
  const ten = finished(10)
  expect(forecastOf({ tasks: 14, agents: 3, finished: ten, builds: [] })).toMatchObject({
    usd: { low: 30, high: 150 },
    hours: { low: 1.2, high: 6 },
    basedOn: 10,
  })
  expect(forecastOf({ tasks: 14, agents: 1, finished: ten, builds: [] }).hours).toEqual({ low: 3, high: 15 })
})

test('how often such ranges held: both money and time have to lie in theirs', () => {
  const forecast = {
    usd: { low: 1, high: 2 },
    hours: { low: 1, high: 2 },
    basedOn: 9,
    held: { forecasts: 0, within: 0 },
  }
  const hour = 3_600_000
  const builds = [
    { forecast, spentUSD: 1, workedMs: 2 * hour, earlierMs: 0 },
    { forecast, spentUSD: 2.01, workedMs: hour, earlierMs: 0 },
    { forecast, spentUSD: 1.5, workedMs: 2 * hour + 1, earlierMs: 0 },
    // Stopped and gone on with: it has taken both.
    { forecast, spentUSD: 1.5, workedMs: hour, earlierMs: 1.5 * hour },
    { forecast: null, spentUSD: 1, workedMs: hour, earlierMs: 0 },
    { forecast, spentUSD: null, workedMs: hour, earlierMs: 0 },
  ]
  expect(forecastOf({ tasks: 1, agents: 1, finished: [], builds }).held).toEqual({ forecasts: 4, within: 1 })
})
