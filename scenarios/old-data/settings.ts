// The settings under which the old data were made, and go on.
export const settingsOf = (approval: 'human' | 'never') => ({
  merge: { approval, target: 'main' },
  tests: { command: 'sh test.sh' },
  engines: { default: 'scripted', scripted: { scenario: '../home/scenario.json' } },
  limits: { pollMs: 100, sweepMs: 300, improvements: 2, pushRetries: 1 },
})
