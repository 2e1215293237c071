import { describe, expect, it } from 'vitest'
import { compileTemplate } from '../src/compile.ts'
import { escapeHtml, renderTemplate } from '../src/render.ts'

describe('values', () => {
  it('are filled in and escaped', () => {
    expect(
      renderTemplate('Hi {{ name }}, you owe {{debt.total}}.', { name: 'A&B', debt: { total: 0 } }),
    ).toBe('Hi A&amp;B, you owe 0.')
    expect(renderTemplate('{{&html}}', { html: '<b>' })).toBe('<b>')
    expect(escapeHtml('<a href="x">&</a>')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;')
  })

  it('have fallbacks', () => {
    expect(renderTemplate('{{name|nobody}}{{x.y}}', {})).toBe('nobody')
    expect(renderTemplate('{{ name | nobody }}', { name: '' })).toBe('')
  })
})

describe('blocks', () => {
  it('repeat for lists', () => {
    const data = { sep: ';', items: [{ name: 'a' }, { name: 'b' }] }
    expect(renderTemplate('{{#each items}}{{index}}={{name}}{{sep}}{{/each}}', data)).toBe('1=a;2=b;')
    expect(renderTemplate('{{#each words}}[{{this}}]{{/each}}', { words: ['x', 'y'] })).toBe('[x][y]')
    expect(renderTemplate('-{{#each none}}x{{/each}}-', {})).toBe('--')
  })

  it('depend on conditions', () => {
    const source = '{{#if list}}some{{/if}}{{#unless list}}none{{/unless}}'
    expect(renderTemplate(source, { list: [1] })).toBe('some')
    expect(renderTemplate(source, { list: [] })).toBe('none')
    expect(renderTemplate(source, {})).toBe('none')
  })

  it('can be nested, and the inner scope comes first', () => {
    const data = { name: 'outer', groups: [{ name: 'g', items: [{ name: 'i' }, {}] }] }
    expect(renderTemplate('{{#each groups}}{{#each items}}{{name}} {{/each}}{{name}}{{/each}}', data)).toBe(
      'i g g',
    )
  })
})

describe('mistakes', () => {
  it('are refused', () => {
    expect(() => compileTemplate('{{#if a}}x')).toThrow('{{#if}} is not closed')
    expect(() => compileTemplate('x{{/if}}')).toThrow('unexpected {{/if}}')
    expect(() => compileTemplate('{{#if a}}{{/each}}')).toThrow('unexpected {{/each}}')
    expect(() => compileTemplate('{{#with a}}{{/with}}')).toThrow('unknown block with')
  })

  it('texts without tags are one part', () => {
    expect(compileTemplate('plain } text')).toEqual([{ is: 'text', text: 'plain } text' }])
    expect(compileTemplate('')).toEqual([])
    expect(compileTemplate('{{a}}')).toEqual([{ is: 'value', path: 'a', raw: false, fallback: null }])
  })
})
