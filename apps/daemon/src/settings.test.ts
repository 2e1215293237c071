import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSettings } from './settings.ts'

function setUp(own: string, vscode: string | null = null) {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-settings-'))
  mkdirSync(join(dir, '.vscode'))
  const files = {
    config: join(dir, 'treadle.json'),
    vscode: join(dir, '.vscode/settings.json'),
    rolledBack: join(dir, 'rolled-back.json'),
  }
  writeFileSync(files.config, own)
  if (vscode !== null) writeFileSync(files.vscode, vscode)
  const seen: { maxConcurrent: number; dailyBudgetUSD: number; warnings: readonly string[] }[] = []
  const settings = openSettings(files, ({ config, warnings }) => {
    const { maxConcurrent, dailyBudgetUSD } = config.agents
    seen.push({ maxConcurrent, dailyBudgetUSD, warnings })
  })
  onTestFinished(() => {
    settings.close()
    rmSync(dir, { recursive: true, force: true })
  })
  return { files, settings, seen }
}

test('a file that is emptied and written again is never seen empty', async () => {
  const { files, seen } = setUp('{ "agents": { "maxConcurrent": 3 } }')
  for (const count of [3, 4, 3, 5]) {
    writeFileSync(files.config, '')
    await sleep(20)
    writeFileSync(files.config, `{ "agents": { "maxConcurrent": ${count} } }`)
    await sleep(20)
  }
  await vi.waitUntil(() => seen.at(-1)?.maxConcurrent === 5, 60_000)
  expect(seen.filter(({ maxConcurrent }) => maxConcurrent === 1)).toEqual([])
})

test('a damaged file raises no limit: what it said before stays in force, and is told', async () => {
  const { files, settings, seen } = setUp('{}', '{ "claudeProjects.agents.dailyBudgetUSD": 2 }')
  expect(settings.current().config.agents.dailyBudgetUSD).toBe(2)
  writeFileSync(files.vscode, '{ "claudeProjects.agents.dailyBudgetUSD": 2')
  await vi.waitUntil(() => seen.length > 0, 60_000)
  expect(seen).toEqual([
    {
      maxConcurrent: 1,
      dailyBudgetUSD: 2,
      warnings: ['.vscode/settings.json is not a JSON object: what it said before stays in force'],
    },
  ])
  writeFileSync(files.vscode, '{ "claudeProjects.agents.dailyBudgetUSD": 3 }')
  await vi.waitUntil(() => seen.length > 1, 60_000)
  expect(seen.at(-1)).toEqual({ maxConcurrent: 1, dailyBudgetUSD: 3, warnings: [] })
})

test('a file that is damaged from the start gives way to the defaults, and says so', () => {
  const { settings } = setUp('{ "agents": ')
  expect(settings.current().config.agents.maxConcurrent).toBe(1)
  expect(settings.current().warnings).toEqual(['treadle.json is not a JSON object: all defaults are used'])
})
