// The repository that `treadle demo --idea` begins with: nothing in it but a package.json and a test that is green.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspacePaths } from '@treadle/contracts/workspace'
import { ideaScript } from './idea-script.ts'
import { subjectOf } from './idea-subject.ts'
import { makeRepository, testCommand } from './sample.ts'

const FIRST_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'

test('this repository runs its tests', () => {
  assert.equal(1 + 1, 2)
})
`

/** Makes the repository with the script beside its state; returns what the person says in the talk. */
export function makeIdeaWorkspace(root: string, text: string, node: string): readonly string[] {
  const command = testCommand(node)
  const { slug } = subjectOf(text)
  const script = join(workspacePaths(root).state, 'demo-script.json')
  const manifest = { name: slug, private: true, type: 'module', scripts: { test: 'node --test' } }
  makeRepository(root, {
    files: {
      'README.md': `# ${slug}\n\nNothing is here yet. It begins with an idea.\n`,
      'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
      '.gitignore': 'node_modules/\n',
      'tests/first.test.js': FIRST_TEST,
    },
    message: 'An empty library',
    settings: {
      merge: { approval: 'checks', target: 'main' },
      // Whoever speaks for the person here is this demo: there is nobody to type a code.
      approval: { confirm: 'never' },
      tests: { command, timeoutMs: 60_000 },
      engines: { default: 'scripted', scripted: { scenario: script } },
      limits: { pollMs: 250, sweepMs: 1_000, restartsPerHour: 4 },
    },
  })
  const { scenario, says } = ideaScript(text, { node, command })
  writeFileSync(script, `${JSON.stringify(scenario, null, 2)}\n`)
  return says
}
