// Plays every case with one engine. What an engine cannot do is written down as that, and not as passed.
import { verifies } from '@treadle/requirements/verifies'
import { describe, test } from 'vitest'
import { type Case, cases } from './cases.ts'
import { type Candidate, Stage } from './stage.ts'

type Verdict = 'yes' | 'no' | 'cannot' | 'not run'
export type Row = Map<string, { readonly verdict: Verdict; readonly why: string | null }>

/** Rows of the requirements that a case proves of this engine. */
const proves: Readonly<Record<string, string>> = { edit: 'PAOR-OBS-2', deny: 'PAOR-HITL-1' }

/** Filled while the tests run. */
export function describeEngine(candidate: Candidate, played: readonly Case[] = cases): Row {
  const row: Row = new Map()
  const can = candidate.make({ folder: '', cwd: '', home: '', url: 'http://127.0.0.1' }).can
  describe(`${candidate.name} ${candidate.version}`, () => {
    for (const each of played) {
      const lacking = each.needs !== undefined && can?.[each.needs] !== true
      const why = candidate.cannot?.[each.name] ?? (lacking ? 'it has no means for it' : null)
      row.set(each.name, { verdict: why === null ? 'not run' : 'cannot', why })
      if (why === null) register(each, () => play(candidate, each, row))
    }
  })
  return row
}

function register({ name, title }: Case, body: () => Promise<void>): void {
  const id = proves[name]
  if (id === undefined) test(title, body)
  else verifies(id, title, body)
}

async function play(candidate: Candidate, { name, run }: Case, row: Row): Promise<void> {
  row.set(name, { verdict: 'no', why: null })
  const stage = await Stage.set(candidate)
  try {
    await run(stage)
    row.set(name, { verdict: 'yes', why: null })
  } finally {
    await stage.close()
  }
}
