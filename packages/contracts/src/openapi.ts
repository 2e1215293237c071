// The OpenAPI document, made from the routes: what is served and what is described cannot differ.
import { z } from 'zod'
import { routes } from './api.ts'
import { Problem } from './problem.ts'
import type { Route } from './route.ts'

type Json = Record<string, unknown>

export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {}
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Treadle',
      version,
      description: 'The State Tracking API: items, claims, agents, runs, events.',
    },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The crew key, or the owner’s' },
        ownerKey: { type: 'http', scheme: 'bearer', description: 'The owner’s key' },
      },
      schemas: { Problem: jsonSchema(Problem, 'output') },
    },
    security: [{ token: [] }],
    paths,
  }
}

const SECURITY: Readonly<Record<Route['key'], Json>> = {
  none: { security: [] },
  crew: {},
  owner: { security: [{ ownerKey: [] }] },
}

function operation(name: string, route: Route): Json {
  const problems = {
    400: 'The request is not well-formed',
    ...(route.key === 'none' ? {} : { 401: 'No valid token' }),
    ...(route.key === 'owner' ? { 403: 'It wants the owner’s key' } : {}),
    ...route.problems,
  }
  return {
    operationId: name,
    summary: route.summary,
    ...SECURITY[route.key],
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.method === 'POST'
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(route.body, 'input') } },
          },
        }
      : {}),
    responses: {
      [route.status]: {
        description: 'Done',
        content: { 'application/json': { schema: jsonSchema(route.response, 'output') } },
      },
      ...Object.fromEntries(
        Object.entries(problems).map(([status, description]) => [status, problem(description)]),
      ),
    },
  }
}

function problem(description: string): Json {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}

function parameters(schema: z.ZodObject, where: 'path' | 'query'): Json[] {
  const of = jsonSchema(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(of.properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || (of.required ?? []).includes(name),
    schema: property,
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, $defs: __, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return withoutLocalRefs(rest) as Json
}

/** Free-form JSON refers to a definition of itself, which leads nowhere inside a larger document: anything goes there. */
function withoutLocalRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLocalRefs)
  if (typeof value !== 'object' || value === null) return value
  const { $ref: to } = value as { $ref?: unknown }
  if (typeof to === 'string' && to.startsWith('#/$defs/')) return {}
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutLocalRefs(inner)]))
}
