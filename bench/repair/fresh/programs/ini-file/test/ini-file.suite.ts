import { describe, expect, it } from 'vitest'
import { IniDocument } from '../src/document.ts'
import { IniError, parseIni } from '../src/parse.ts'
import { writeIni } from '../src/write.ts'

const sample = `; the service
name = treadmill
[Server]
port = 8080
host = example.org ; the outer one
# not used yet
debug = Off

[paths]
roots = /a, /b , ,/c
greeting = "hello; \\"you\\"\\n"
`

describe('parseIni', () => {
  it('reads sections and keys', () => {
    const document = parseIni(sample)
    expect(document.sectionNames()).toEqual(['server', 'paths'])
    expect(document.get('', 'name')).toBe('treadmill')
    expect(document.get('server', 'port')).toBe('8080')
    expect(document.get('server', 'name')).toBeUndefined()
  })

  it('does not care about case', () => {
    const document = parseIni(sample)
    expect(document.get('SERVER', 'Host')).toBe('example.org')
  })

  it('takes comments off', () => {
    expect(parseIni('a = 1 ; one\nb = x;y\nc = ; nothing').entries('')).toEqual([
      ['a', '1'],
      ['b', 'x;y'],
      ['c', ''],
    ])
  })

  it('reads quoted values', () => {
    expect(parseIni(sample).get('paths', 'greeting')).toBe('hello; "you"\n')
    expect(parseIni('a = "  b  " ; c').get('', 'a')).toBe('  b  ')
  })

  it('joins lines that go on', () => {
    const document = parseIni('a = one \\\n  two\\\n three\nb = 2\n')
    expect(document.get('', 'a')).toBe('one two three')
    expect(document.get('', 'b')).toBe('2')
  })

  it('lets the last value win', () => {
    const document = parseIni('[a]\nx = 1\n[b]\nx = 2\n[A]\nx = 3\n')
    expect(document.get('a', 'x')).toBe('3')
    expect(document.sectionNames()).toEqual(['a', 'b'])
  })

  it('splits at the first equals sign', () => {
    expect(parseIni('query = a=b=c').get('', 'query')).toBe('a=b=c')
  })

  it('says in which line a mistake is', () => {
    expect(() => parseIni('a = 1\n\nb')).toThrow('line 3: a key needs a value')
    expect(() => parseIni(' = 1')).toThrow('line 1: a value needs a key')
    expect(() => parseIni('a = 1 \\\n2\n[x')).toThrow('line 3: a header ends with ]')
    expect(() => parseIni('[ ]')).toThrow('a section needs a name')
  })

  it('refuses broken quotes', () => {
    expect(() => parseIni('a = "b')).toThrow('no closing quote')
    expect(() => parseIni('a = "b" c')).toThrow('text after the closing quote')
    expect(() => parseIni('a = "\\x"')).toThrow('unknown escape \\x')
    expect(() => parseIni('a = 1\nb = 2\\')).toThrow(IniError)
  })
})

describe('IniDocument', () => {
  it('gives numbers', () => {
    const document = parseIni('[a]\nx = 2.5\ny =\nz = two')
    expect(document.number('a', 'x', 7)).toBe(2.5)
    expect(document.number('a', 'y', 7)).toBe(7)
    expect(document.number('b', 'x', 7)).toBe(7)
    expect(() => document.number('a', 'z', 7)).toThrow('a.z is no number: two')
  })

  it('gives flags', () => {
    const document = parseIni('a = Yes\nb = 0\nc = perhaps')
    expect(document.flag('', 'a', false)).toBe(true)
    expect(document.flag('', 'b', true)).toBe(false)
    expect(document.flag('', 'd', true)).toBe(true)
    expect(() => document.flag('', 'c', true)).toThrow(TypeError)
  })

  it('gives lists', () => {
    expect(parseIni(sample).list('paths', 'roots')).toEqual(['/a', '/b', '/c'])
    expect(parseIni(sample).list('paths', 'nothing')).toEqual([])
  })

  it('removes keys and empty sections', () => {
    const document = parseIni('[a]\nx = 1\ny = 2')
    expect(document.remove('a', 'X')).toBe(true)
    expect(document.remove('a', 'x')).toBe(false)
    expect(document.sectionNames()).toEqual(['a'])
    expect(document.remove('a', 'y')).toBe(true)
    expect(document.sectionNames()).toEqual([])
  })

  it('merges without changing either side', () => {
    const base = parseIni('[a]\nx = 1\ny = 2')
    const over = parseIni('[a]\nx = 9\n[b]\nz = 3')
    const merged = base.merge(over)
    expect(merged.entries('a')).toEqual([
      ['x', '9'],
      ['y', '2'],
    ])
    expect(merged.get('b', 'z')).toBe('3')
    expect(base.get('a', 'x')).toBe('1')
    expect(base.sectionNames()).toEqual(['a'])
  })
})

describe('writeIni', () => {
  it('writes bare keys first, then sections', () => {
    const document = new IniDocument()
    document.set('server', 'port', '80')
    document.set('', 'name', 'x')
    document.addSection('empty')
    expect(writeIni(document)).toBe('name = x\n\n[server]\nport = 80\n\n[empty]\n')
  })

  it('quotes only where it must', () => {
    const document = new IniDocument()
    document.set('', 'a', 'plain text')
    document.set('', 'b', ' spaced')
    document.set('', 'c', 'x; y')
    document.set('', 'd', 'tab\there "now" \\o/\n')
    expect(writeIni(document)).toBe(
      'a = plain text\nb = " spaced"\nc = "x; y"\nd = "tab\\there \\"now\\" \\\\o/\\n"\n',
    )
  })

  it('writes nothing for nothing', () => {
    expect(writeIni(new IniDocument())).toBe('')
  })

  it('writes what can be read again', () => {
    const text = writeIni(parseIni(sample))
    expect(writeIni(parseIni(text))).toBe(text)
  })
})
