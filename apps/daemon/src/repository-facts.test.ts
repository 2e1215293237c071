import { basename } from 'node:path'
import { makeScratch } from '@treadle/git/scratch-repository'
import { expect, onTestFinished, test } from 'vitest'
import { readRepositoryFacts } from './repository-facts.ts'

function setUp(kind?: 'empty') {
  const scratch = makeScratch(kind)
  onTestFinished(scratch.remove)
  return scratch
}

test('the facts of a repository: name, owner, commits, languages, frameworks, packages', async () => {
  const world = setUp()
  world.sh(`
    git remote add origin https://kim:secret@example.com/acme/shop.git
    mkdir -p src vendor web
    echo 'export {}' > src/a.ts; echo 'export {}' > src/b.ts; echo 'export {}' > src/c.ts
    echo 'body {}' > web/a.css
    echo x > vendor/d.go
    echo '{ "name": "shop", "dependencies": { "fastify": "5" } }' > package.json
    echo '{ "name": "web", "dependencies": { "react": "19" } }' > web/package.json
    git add -A; git commit -qm 'shop: begin'
    echo '{ "name": "web", "dependencies": { "vue": "3" } }' > web/package.json`)
  expect(await readRepositoryFacts(world, 'main')).toEqual({
    name: 'shop',
    owner: 'acme',
    repo: 'shop',
    commits: ['shop: begin', 'first'],
    languages: [
      { name: 'TypeScript', share: 0.75 },
      { name: 'CSS', share: 0.25 },
    ],
    frameworks: ['Fastify', 'React'],
    packages: ['fastify', 'react', 'shop', 'web'],
  })
})

test('without origin the folder gives the name, and without a commit there is nothing else', async () => {
  const world = setUp('empty')
  expect(await readRepositoryFacts(world, 'main')).toEqual({
    name: basename(world.repository),
    owner: null,
    repo: basename(world.repository),
    commits: [],
    languages: [],
    frameworks: [],
    packages: null,
  })
})
