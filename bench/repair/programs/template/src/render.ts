import { compileTemplate, type Part } from './compile.ts'

export type Data = { [key: string]: unknown }

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => escapes[char] ?? char)
}

export function renderTemplate(source: string, data: Data): string {
  return renderParts(compileTemplate(source), [data])
}

// Scopes are searched from the innermost outwards.
function renderParts(parts: readonly Part[], scopes: readonly Data[]): string {
  return parts.map((part) => renderPart(part, scopes)).join('')
}

function renderPart(part: Part, scopes: readonly Data[]): string {
  switch (part.is) {
    case 'text':
      return part.text
    case 'value': {
      const found = lookUp(part.path, scopes)
      const text = found === undefined || found === null ? (part.fallback ?? '') : String(found)
      return part.raw ? text : escapeHtml(text)
    }
    case 'if':
      return isTruthy(lookUp(part.path, scopes)) !== part.negated ? renderParts(part.parts, scopes) : ''
    case 'each': {
      const list = lookUp(part.path, scopes)
      if (!Array.isArray(list)) return ''
      return list.map((item, index) => renderParts(part.parts, [itemScope(item, index), ...scopes])).join('')
    }
  }
}

function itemScope(item: unknown, index: number): Data {
  const fields = isData(item) ? item : {}
  return { ...fields, this: item, index: index + 1 }
}

// An empty list counts as nothing to show.
function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function lookUp(path: string, scopes: readonly Data[]): unknown {
  const [first = '', ...rest] = path.split('.')
  const scope = scopes.find((one) => Object.hasOwn(one, first))
  return rest.reduce<unknown>((value, key) => (isData(value) ? value[key] : undefined), scope?.[first])
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null
}
