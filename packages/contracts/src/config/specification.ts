import { z } from 'zod'

const pattern = z.string().min(1).max(300).nullable()

/** Where a repository keeps what; `{slug}` is the feature's name, `{number}` the next number of a migration; `{snake}`, `{camel}` and `{pascal}` spell the name so. */
export const LayoutConfig = z.strictObject({
  database: pattern
    .optional()
    .describe('Migrations, such as database/migrations/{number}_{slug}.sql; null: there are none'),
  types: pattern.optional().describe('Types, such as types/{slug}.ts; null: none of their own'),
  queries: pattern.optional().describe('Queries and logic, such as src/{slug}.ts'),
  api: pattern.optional().describe('Routes, such as server/routes/{slug}.ts; null: there are none'),
  ui: pattern.optional().describe('Views, such as src/components/{slug}.tsx; null: there are none'),
  tests: pattern.optional().describe('Tests, such as tests/{slug}.test.ts'),
  apiIndex: pattern.optional().describe('The file that mounts routes, such as server/api.ts'),
  typesIndex: pattern.optional().describe('The file that exports types, such as types/index.ts'),
})

export const SpecificationConfig = z.strictObject({
  autoGenerate: z
    .boolean()
    .default(false)
    .describe('A finished idea gets its specification by itself; false: you are told, and nothing more'),
  layout: LayoutConfig.prefault({}).describe('What is left out is found in the repository'),
})
export type SpecificationConfig = z.infer<typeof SpecificationConfig>
