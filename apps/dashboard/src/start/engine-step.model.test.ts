import { expect, test } from 'vitest'
import { engineStep } from './engine-step.model.ts'

const engine = (name: string, usable: boolean) => ({
  name,
  usable,
  found: usable ? `${name} 2.1` : `${name} is not installed.`,
  hint: usable ? null : `Install ${name}.`,
})
const found = {
  default: 'codex',
  items: [
    engine('repair', true),
    engine('claude-code', true),
    engine('codex', false),
    engine('scripted', true),
  ],
}

test.each([
  ['repair', 'Engine found: repair', true, ['claude-code']],
  ['claude-code', 'Engine found: claude-code', true, ['repair']],
  ['codex', 'Engine not ready: codex', false, ['repair', 'claude-code']],
  ['codx', 'Engine: codx', false, ['repair', 'claude-code']],
])('%s', (chosen, title, isUsable, others) => {
  expect(engineStep(found, chosen)).toMatchObject({ title, isUsable, others })
})

test('an engine that cannot be used says why and what to do', () => {
  expect(engineStep(found, 'codex').text).toBe('codex is not installed. Install codex.')
})

test('nobody is told that an engine is there before it was looked for', () => {
  expect(engineStep(null, 'codex')).toMatchObject({ title: 'Engine: codex', isUsable: false })
})
