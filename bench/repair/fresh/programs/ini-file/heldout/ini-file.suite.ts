import { describe, expect, it } from 'vitest'
import { IniDocument } from '../src/document.ts'
import { IniError, parseIni } from '../src/parse.ts'
import { writeIni } from '../src/write.ts'

let state = 5
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

function pick<T>(items: readonly T[]): T {
  const item = items[random(items.length)]
  if (item === undefined) throw new RangeError('nothing to pick')
  return item
}

function content(document: IniDocument): Record<string, [string, string][]> {
  return Object.fromEntries(['', ...document.sectionNames()].map((name) => [name, document.entries(name)]))
}

// Reads one character after the other, with no regular expression.
function slowValue(text: string): string {
  if (text.startsWith('"')) {
    const known = new Map([
      ['n', '\n'],
      ['t', '\t'],
    ])
    const chars = [...text.slice(1)]
    let value = ''
    for (let char = chars.shift(); char !== '"'; char = chars.shift()) {
      if (char === '\\') char = chars.shift() ?? ''
      else {
        value += char
        continue
      }
      value += known.get(char) ?? char
    }
    return value
  }
  let value = ''
  let blank = true
  for (const char of text) {
    if (char === ';' && blank) break
    blank = char === ' ' || char === '\t'
    value += char
  }
  return value.trim()
}

describe('values', () => {
  it('agree with a slow reader', () => {
    const plain = ['a', 'B', ' ', ';', '=', '#', '\t', '"', '[', ']', ',']
    for (let round = 0; round < 400; round += 1) {
      const body = Array.from({ length: random(10) }, () => pick(plain)).join('')
      const value = body.trim()
      if (value.startsWith('"')) continue
      expect(parseIni(`[s]\nkey = ${value}\nlast = 1`).get('s', 'key')).toBe(slowValue(value))
    }
    const pieces = ['a', ' ', ';', '\\n', '\\t', '\\"', '\\\\', '=', '#']
    for (let round = 0; round < 400; round += 1) {
      const value = `"${Array.from({ length: random(10) }, () => pick(pieces)).join('')}"`
      const tail = pick(['', ' ', ' ; c', ';c', '   '])
      expect(parseIni(`key=${value}${tail}`).get('', 'key')).toBe(slowValue(value))
    }
  })

  it('come back after writing', () => {
    const letters = ['a', 'b', ' ', ';', '\n', '\t', '"', '\\', '=', '[', ']', '#', ',', '\\n']
    for (let round = 0; round < 300; round += 1) {
      const document = new IniDocument()
      const keys = random(6)
      for (let key = 0; key < keys; key += 1) {
        const value = Array.from({ length: random(7) }, () => pick(letters)).join('')
        document.set(pick(['', 'one', 'two', 'three four']), pick(['k', 'l', 'm n']), value)
      }
      if (random(4) === 0) document.addSection('none')
      const text = writeIni(document)
      expect(content(parseIni(text))).toEqual(content(document))
      expect(writeIni(parseIni(text))).toBe(text)
    }
  })

  it('are written without quotes where none are needed', () => {
    for (const value of ['', 'a b', 'a=b', '#x', '[y]', 'a,b', "it's", 'a # b']) {
      const document = new IniDocument()
      document.set('', 'k', value)
      expect(writeIni(document)).toBe(`k = ${value}\n`)
    }
    for (const value of [' a', 'a ', 'a;b', 'a"b', 'a\\b', 'a\nb', 'a\tb']) {
      const document = new IniDocument()
      document.set('', 'k', value)
      expect(writeIni(document)).toMatch(/^k = ".*"\n$/)
    }
  })
})

function drawDocument(value: string): IniDocument {
  const document = new IniDocument()
  for (const name of ['', 'b', 'a']) {
    if (random(3) === 0) continue
    if (name !== '') document.addSection(name)
    for (let key = random(3); key > 0; key -= 1) document.set(name, `k${key}`, value)
  }
  return document
}

describe('layout', () => {
  it('agrees with lines put together one by one', () => {
    for (let round = 0; round < 100; round += 1) {
      const document = drawDocument(`${round}`)
      const lines = document.entries('').map(([key, value]) => `${key} = ${value}`)
      for (const name of document.sectionNames()) {
        if (lines.length > 0) lines.push('')
        lines.push(`[${name}]`, ...document.entries(name).map(([key, value]) => `${key} = ${value}`))
      }
      expect(writeIni(document)).toBe(lines.map((line) => `${line}\n`).join(''))
    }
  })
})

describe('lines', () => {
  it('end in any of the usual ways', () => {
    const document = parseIni('a = 1\r\n[x]\r\nb = 2\r\n\r\n;c\r\n#d\r\n')
    expect(content(document)).toEqual({ '': [['a', '1']], x: [['b', '2']] })
    expect(content(parseIni(''))).toEqual({ '': [] })
  })

  it('go on after a backslash and count right', () => {
    const document = parseIni('[a]\n  k = 1,\\\n   2,   \\\n3\n  l = 4 \n')
    expect(document.entries('a')).toEqual([
      ['k', '1, 2, 3'],
      ['l', '4'],
    ])
    const lineOf = (text: string): number => {
      try {
        parseIni(text)
      } catch (error) {
        if (error instanceof IniError) return error.line
      }
      return 0
    }
    expect(lineOf('a = 1')).toBe(0)
    expect(lineOf('a')).toBe(1)
    expect(lineOf('a = 1\\\n2\\\n3\nb')).toBe(4)
    expect(lineOf('a = 1\nb\\\nc\nd = 2')).toBe(2)
    expect(lineOf('a = 1\n\n\n[b')).toBe(4)
    expect(lineOf('a = 1\nb = 2\\\n')).toBe(0)
    expect(lineOf('a = 1\nb = 2\\')).toBe(2)
    expect(lineOf('\n;\n#\n=1')).toBe(4)
    expect(lineOf('\na = "x\n')).toBe(2)
    expect(lineOf('\n\na = "x" y')).toBe(3)
    expect(lineOf('a = "\\q"')).toBe(1)
    expect(lineOf('[]')).toBe(1)
  })

  it('say what is wrong', () => {
    expect(() => parseIni('x')).toThrow('a key needs a value')
    expect(() => parseIni('= y')).toThrow('a value needs a key')
    expect(() => parseIni('[y')).toThrow('a header ends with ]')
    expect(() => parseIni('[  ]')).toThrow('a section needs a name')
    expect(() => parseIni('k = \\')).toThrow('the last line goes on')
    expect(() => parseIni('k = "\\q"')).toThrow('unknown escape \\q')
    expect(() => parseIni('k = "a\\"')).toThrow('no closing quote')
    expect(() => parseIni('k = "a" "b"')).toThrow('text after the closing quote')
  })
})

type Known = Record<string, Record<string, string>>

function without(known: Known, section: string, key: string): Known {
  const { [section]: values = {}, ...others } = known
  const { [key]: _, ...rest } = values
  if (Object.keys(rest).length === 0) return others
  return Object.fromEntries(
    Object.keys(known).map((name) => [name, name === section ? rest : (known[name] ?? {})]),
  )
}

// Does something to the document and to the plain object.
function act(document: IniDocument, known: Known, value: string): Known {
  const section = pick(['a', 'b', ''])
  const key = pick(['x', 'y'])
  if (random(3) > 0) {
    document.set(pick([section, section.toUpperCase(), ` ${section} `]), key.toUpperCase(), value)
    return { ...known, [section]: { ...known[section], [key]: value } }
  }
  const had = known[section]?.[key] !== undefined
  expect(document.remove(section, key)).toBe(had)
  return had ? without(known, section, key) : known
}

describe('the document', () => {
  it('agrees with plain objects', () => {
    for (let round = 0; round < 150; round += 1) {
      const document = new IniDocument()
      let known: Known = {}
      for (let step = 0; step < 15; step += 1) {
        known = act(document, known, `${step}`)
        const all = ['a', 'b', ''].map((name) => Object.fromEntries(document.entries(name)))
        expect(all).toEqual([known.a ?? {}, known.b ?? {}, known[''] ?? {}])
        expect(document.sectionNames()).toEqual(Object.keys(known).filter((name) => name !== ''))
      }
    }
  })

  it('turns text into numbers, flags and lists', () => {
    const document = parseIni('[v]\nn = -3e2\nzero = 0\nempty = \nbad = 1x\non = ON\nl = a,,b , c d,')
    expect(document.number('v', 'n', 1)).toBe(-300)
    expect(document.number('v', 'zero', 1)).toBe(0)
    expect(document.number('v', 'empty', 1)).toBe(1)
    expect(document.number('v', 'gone', 0)).toBe(0)
    expect(() => document.number('v', 'bad', 1)).toThrow('v.bad is no number: 1x')
    for (const text of ['true', 'YES', 'on', '1']) {
      expect(parseIni(`f = ${text}`).flag('', 'f', false)).toBe(true)
    }
    for (const text of ['false', 'No', 'OFF', '0']) {
      expect(parseIni(`f = ${text}`).flag('', 'f', true)).toBe(false)
    }
    expect(document.flag('v', 'gone', true)).toBe(true)
    expect(document.flag('v', 'gone', false)).toBe(false)
    expect(() => document.flag('v', 'bad', false)).toThrow('v.bad is neither yes nor no: 1x')
    expect(() => document.flag('v', 'empty', false)).toThrow(TypeError)
    expect(document.list('v', 'l')).toEqual(['a', 'b', 'c d'])
    expect(document.list('v', 'empty')).toEqual([])
    expect(document.list('w', 'l')).toEqual([])
  })

  it('merges', () => {
    const a = parseIni('k = 1\n[s]\nx = 1\ny = 1\n[t]\n')
    const b = parseIni('[s]\ny = 2\nz = 2\n[u]\nw = 2')
    const before = [content(a), content(b)]
    expect(content(a.merge(b))).toEqual({
      '': [['k', '1']],
      s: [
        ['x', '1'],
        ['y', '2'],
        ['z', '2'],
      ],
      t: [],
      u: [['w', '2']],
    })
    expect(b.merge(a).get('s', 'y')).toBe('1')
    a.merge(b).set('s', 'x', 'changed')
    expect([content(a), content(b)]).toEqual(before)
  })
})
