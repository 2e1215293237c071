// The 21 fixed directions in which the crew may look for improvements.
import { z } from 'zod'

export const CATEGORIES = [
  'optimization',
  'innovation',
  'architecture',
  'front-end-improvements',
  'back-end-improvements',
  'security',
  'testing',
  'documentation',
  'technical-debt',
  'developer-experience',
  'monitoring-observability',
  'devops-infrastructure',
  'accessibility',
  'dependency-management',
  'data-management',
  'internationalization',
  'error-handling-resilience',
  'code-quality',
  'compliance-governance',
  'scalability',
  'api-evolution',
] as const

export const Category = z.enum(CATEGORIES)
export type Category = z.infer<typeof Category>

/** Those that a program can look at without a model; packages/survey has the programs. */
export const SURVEYED: readonly Category[] = [
  'architecture',
  'security',
  'testing',
  'documentation',
  'technical-debt',
  'developer-experience',
  'accessibility',
  'dependency-management',
  'error-handling-resilience',
  'code-quality',
  'compliance-governance',
]
