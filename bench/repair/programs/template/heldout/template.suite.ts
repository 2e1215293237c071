import { describe, expect, it } from 'vitest'
import { compileTemplate } from '../src/compile.ts'
import { type Data, escapeHtml, renderTemplate } from '../src/render.ts'

describe('rendering', () => {
  const data: Data = {
    name: 'Tom & "Jerry"',
    zero: 0,
    no: false,
    yes: true,
    empty: '',
    nothing: null,
    deep: { er: { est: '<x>' }, list: [1, 2] },
    list: ['a', 'b', 'c'],
    none: [],
    rows: [
      { id: 1, tags: ['p', 'q'] },
      { id: 2, tags: [], name: 'own' },
    ],
  }

  it('by a table', () => {
    const table: [string, string][] = [
      ['', ''],
      ['no tags', 'no tags'],
      ['{{name}}', 'Tom &amp; &quot;Jerry&quot;'],
      ['{{&name}}', 'Tom & "Jerry"'],
      ['{{ & name }}', 'Tom & "Jerry"'],
      ['a{{zero}}b{{no}}c{{yes}}d{{empty}}e{{nothing}}f', 'a0bfalsectruedef'],
      ['{{nothing|-}}{{empty|-}}{{zero|-}}{{gone|-}}', '-0-'],
      ['{{gone|<b>}}{{&gone|<b>}}', '&lt;b&gt;<b>'],
      ['{{deep.er.est}}{{deep.er.gone}}{{deep.gone.est}}{{name.length}}', '&lt;x&gt;'],
      ['{{deep.list.1}}', '2'],
      ['{{#if yes}}1{{/if}}{{#if no}}2{{/if}}{{#if none}}3{{/if}}{{#if zero}}4{{/if}}', '1'],
      ['{{#unless yes}}1{{/unless}}{{#unless no}}2{{/unless}}{{#unless none}}3{{/unless}}', '23'],
      ['{{#if list}}{{#unless gone}}x{{/unless}}{{/if}}', 'x'],
      ['{{#each list}}{{index}}{{this}}{{/each}}', '1a2b3c'],
      ['{{#each none}}x{{/each}}{{#each name}}y{{/each}}{{#each deep}}z{{/each}}', ''],
      ['{{#each rows}}{{id}}:{{#each tags}}{{this}}{{id}}{{/each}};{{/each}}', '1:p1q1;2:;'],
      ['{{#each rows}}{{&name}}/{{/each}}', 'Tom & "Jerry"/own/'],
      ['{{#each rows}}{{#if tags}}+{{/if}}{{index}}{{/each}}', '+12'],
      ['{{#each deep.list}}{{this}},{{/each}}', '1,2,'],
      ['{{\nname\n|\nx }}', 'Tom &amp; &quot;Jerry&quot;'],
      ['{ {{zero}} } {{zero}}}', '{ 0 } 0}'],
      ['{{toString}}{{constructor|none}}', 'none'],
    ]
    for (const [source, expected] of table) expect(renderTemplate(source, data)).toBe(expected)
  })

  it('can be done twice with the same result and leaves the data alone', () => {
    const copy = structuredClone(data)
    const source = '{{#each rows}}{{id}}{{name}}{{/each}}'
    expect(renderTemplate(source, data)).toBe(renderTemplate(source, data))
    expect(data).toEqual(copy)
  })

  it('escapes every sign each time', () => {
    expect(escapeHtml('<<>>&&""\'')).toBe("&lt;&lt;&gt;&gt;&amp;&amp;&quot;&quot;'")
    expect(escapeHtml('')).toBe('')
    expect(escapeHtml('&amp;')).toBe('&amp;amp;')
  })
})

describe('compiling', () => {
  it('makes trees', () => {
    expect(compileTemplate('a{{#each x.y}}b{{#unless c}}{{&d|e}}{{/unless}}{{/each}}f')).toEqual([
      { is: 'text', text: 'a' },
      {
        is: 'each',
        path: 'x.y',
        parts: [
          { is: 'text', text: 'b' },
          {
            is: 'if',
            path: 'c',
            negated: true,
            parts: [{ is: 'value', path: 'd', raw: true, fallback: 'e' }],
          },
        ],
      },
      { is: 'text', text: 'f' },
    ])
    expect(compileTemplate('{{#if  a }}{{/if}}')).toEqual([
      { is: 'if', path: 'a', negated: false, parts: [] },
    ])
  })

  it('refuses what does not match', () => {
    const table: [string, string][] = [
      ['{{#each a}}', '{{#each}} is not closed'],
      ['{{#if a}}{{#each b}}{{/each}}', '{{#if}} is not closed'],
      ['{{#if a}}{{#each b}}', '{{#if}} is not closed'],
      ['{{/each}}', 'unexpected {{/each}}'],
      ['{{#if a}}{{/unless}}', 'unexpected {{/unless}}'],
      ['{{#if a}}{{#each b}}{{/if}}{{/each}}', 'unexpected {{/if}}'],
      ['{{#for a}}', 'unknown block for'],
      ['{{#}}', 'unknown block '],
    ]
    for (const [source, message] of table) expect(() => compileTemplate(source)).toThrow(message)
  })
})
