// Briefs that say very much, or nothing that fits, leave specifications that can be read.
import { expect, test } from 'vitest'
import { useInProcess } from '../kit/in-process.ts'
import { brief, writeIdea } from './idea-files.ts'

const open = useInProcess('any')
const many = (count: number, line: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => line(nth + 1)).join('\n')

const BRIEFS: readonly (readonly [slug: string, text: string])[] = [
  [
    'many-criteria',
    brief({
      features: '- **Shared lists**: a family keeps lists together',
      done: many(70, (nth) => `- Shared lists show entry ${nth} to the family`),
    }),
  ],
  [
    'loose-criteria',
    brief({ features: '- **Shared lists**', done: many(90, (nth) => `- Number ${nth} is green`) }),
  ],
  [
    'long-words',
    brief({
      features: `- **Shared lists**: ${'all of it, '.repeat(400)}\n${many(220, (nth) => `  - part ${nth}`)}`,
      done: '- It works',
    }),
  ],
  [
    'many-features',
    brief({
      features: many(60, (nth) => `- **Synchronised shopping list of household ${nth}**: an API endpoint`),
      done: '- It works',
    }),
  ],
]

for (const [slug, text] of BRIEFS)
  test(`a brief with ${slug.replace('-', ' ')} becomes a specification that can be read`, async (context) => {
    const { client, workspace } = await open(context)
    writeIdea(workspace, slug, text)
    const made = await client.generateSpecification({ body: { ideaSlug: slug } })
    expect(made.validation).toMatchObject({ ok: true, shares: { features: 1, criteria: 1 } })
    expect(await client.showSpecification({ params: { id: slug } })).toMatchObject({ revision: 1 })
    const { items } = await client.listSpecifications()
    expect(items.some((each) => each.slug === slug)).toBe(true)
  })

test('what could not be kept is refused before anything is written', async (context) => {
  const { client, workspace } = await open(context)
  workspace.write('users/-x-/ideas/of-nobody/planning/brief.md', '# Brief: x\n\n## Features\n\n- One\n')
  workspace.write('users/-x-/ideas/of-nobody/README.md', 'Words\n')
  await expect(client.generateSpecification({ body: { ideaSlug: 'of-nobody' } })).rejects.toMatchObject({
    status: 409,
  })
  await client.listSpecifications()
})
