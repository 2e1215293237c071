// The names of the categories as people read them.
import type { Category } from '../categories.ts'

export const CATEGORY_TITLES: Readonly<Record<Category, string>> = {
  optimization: 'Optimization',
  innovation: 'Innovation',
  architecture: 'Architecture',
  'front-end-improvements': 'Front End Improvements',
  'back-end-improvements': 'Back End Improvements',
  security: 'Security',
  testing: 'Testing',
  documentation: 'Documentation',
  'technical-debt': 'Technical Debt',
  'developer-experience': 'Developer Experience (DX)',
  'monitoring-observability': 'Monitoring & Observability',
  'devops-infrastructure': 'DevOps/Infrastructure',
  accessibility: 'Accessibility (a11y)',
  'dependency-management': 'Dependency Management',
  'data-management': 'Data Management',
  internationalization: 'Internationalization (i18n)',
  'error-handling-resilience': 'Error Handling & Resilience',
  'code-quality': 'Code Quality',
  'compliance-governance': 'Compliance & Governance',
  scalability: 'Scalability',
  'api-evolution': 'API Evolution',
}

/** What the label of a category begins with. */
export const CATEGORY_LABEL = 'category:'

/** What labels an item of a category. */
export function categoryLabel(category: Category): string {
  return `${CATEGORY_LABEL}${category}`
}

/** The label of an item that the crew has thought of itself. */
export const SELF_GENERATED_LABEL = 'agent-generated'
