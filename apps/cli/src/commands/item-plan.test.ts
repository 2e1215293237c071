// The options of an item's plan, given and taken away in one call.
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { planOf, planOptions } from './item-plan.ts'

test.each([
  [['--no-after', '--after', '3', '--after', '4,5'], { dependsOn: [3, 4, 5] }],
  [['--after', '3', '--no-after'], { dependsOn: [] }],
  [['--no-files', '--files', 'a', '--files', 'b'], { files: ['a', 'b'] }],
  [['--files', 'a', '--no-files'], { files: [] }],
])('of %j the last one counts', (args, plan) => {
  const command = new Command().option('--no-after').option('--no-files')
  for (const option of planOptions()) command.addOption(option)
  expect(planOf(command.parse(args, { from: 'user' }).opts())).toEqual(plan)
})
