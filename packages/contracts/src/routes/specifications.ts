// Specifications: an idea's brief as requirements, files and tasks.
import { z } from 'zod'
import { Slug } from '../idea.ts'
import { by, decision, page, route, waitMs } from '../route.ts'
import { Specification, SpecificationView, TargetComplexity, TreePath } from '../specification.ts'
import { ValidationLevel } from '../validation-level.ts'

const specPath = z.strictObject({ id: Slug })
/** Who writes it, if not who talks about ideas; none: rules alone. The rules' part is there at once, in any case. */
const engine = z.string().min(1).max(60).optional()
const NO_SPEC = { 404: 'There is no such specification' }

export const specificationRoutes = {
  listSpecifications: route({
    method: 'GET',
    path: '/api/specifications',
    key: 'crew',
    summary: 'Specifications, the last generated first',
    response: page(Specification),
  }),
  generateSpecification: route({
    method: 'POST',
    path: '/api/specifications/generate',
    key: 'owner',
    summary: 'Make the specification of an idea from its documents',
    body: by.extend({
      ideaSlug: Slug,
      userSlug: Slug.optional(),
      options: z.strictObject({ targetComplexity: TargetComplexity.default('mvp') }).prefault({}),
      engine,
    }),
    problems: { 404: 'There is no such idea', 409: 'A required document is missing or cannot be read' },
    response: SpecificationView,
    status: 201,
  }),
  showSpecification: route({
    method: 'GET',
    path: '/api/specifications/:id',
    key: 'crew',
    summary:
      'One specification, hand edits of its task file included; with waitMs, as soon as no model is at work on it',
    params: specPath,
    query: z.strictObject({ waitMs }),
    problems: { ...NO_SPEC, 409: 'The task file was edited and cannot be read: line and reason' },
    response: SpecificationView,
  }),
  specificationDocument: route({
    method: 'GET',
    path: '/api/specifications/:id/document',
    key: 'crew',
    summary: 'spec.md and tasks.md as they stand in the repository',
    params: specPath,
    problems: NO_SPEC,
    response: z.strictObject({ spec: z.string(), tasks: z.string() }),
  }),
  reviseSpecification: route({
    method: 'POST',
    path: '/api/specifications/:id/request-revision',
    key: 'owner',
    summary: 'Ask for changes; what a person edited stays',
    params: specPath,
    body: by.extend({ text: z.string().trim().min(1).max(4_000), engine }),
    problems: NO_SPEC,
    response: SpecificationView,
  }),
  approveSpecification: route({
    method: 'POST',
    path: '/api/specifications/:id/approve',
    key: 'owner',
    decides: true,
    summary: 'Approve the revision that was read',
    params: specPath,
    body: decision.extend({
      /** The revision that was read; left out: the latest. */
      revision: z.int().min(1).optional(),
      /** How thoroughly its build is validated; left out: validation.level counts, or the build asks. */
      validation: ValidationLevel.optional(),
    }),
    problems: {
      ...NO_SPEC,
      409: 'It changed since it was read (the difference is shown), or it has problems',
    },
    response: Specification,
  }),
  ownerOf: route({
    method: 'GET',
    path: '/api/owners',
    key: 'crew',
    summary: 'Who owns a path: CODEOWNERS where there is one, else owners.json, else the crew',
    query: z.strictObject({ path: TreePath }),
    response: z.strictObject({
      path: z.string(),
      owner: z.string(),
      /** The file that says so; null: none does. */
      from: z.string().nullable(),
    }),
  }),
} as const
