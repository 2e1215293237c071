// A language as the edits must know it: its operators, its families of methods and its phrases.

export interface Profile {
  readonly comparisons: readonly string[]
  readonly arithmetic: readonly string[]
  readonly assignments: readonly string[]
  /** The same comparison seen from the other side, and its opposite. */
  readonly opposite: Readonly<Record<string, string>>
  readonly boundary: Readonly<Record<string, string>>
  readonly logical: readonly string[]
  readonly nothing: string
  /** Methods that are mistaken for each other. */
  readonly methods: readonly (readonly string[])[]
  readonly regexFlags: readonly string[]
}

export const javascript: Profile = {
  comparisons: ['<', '<=', '>', '>=', '===', '!==', '==', '!='],
  arithmetic: ['+', '-', '*', '/', '%', '**', '&', '|', '^', '<<', '>>', '>>>'],
  assignments: ['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '??=', '||=', '&&='],
  opposite: {
    '<': '>=',
    '<=': '>',
    '>': '<=',
    '>=': '<',
    '===': '!==',
    '!==': '===',
    '==': '!=',
    '!=': '==',
  },
  boundary: { '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  logical: ['&&', '||', '??'],
  nothing: 'undefined',
  methods: [
    ['some', 'every'],
    ['find', 'findLast', 'filter'],
    ['findIndex', 'findLastIndex', 'indexOf', 'lastIndexOf'],
    ['filter', 'map', 'flatMap', 'forEach'],
    ['map', 'flatMap'],
    ['push', 'unshift'],
    ['pop', 'shift'],
    ['push', 'concat'],
    ['floor', 'ceil', 'round', 'trunc'],
    ['min', 'max'],
    ['slice', 'splice'],
    ['slice', 'substring', 'substr'],
    ['trim', 'trimStart', 'trimEnd'],
    ['toUpperCase', 'toLowerCase'],
    ['startsWith', 'endsWith', 'includes'],
    ['padStart', 'padEnd'],
    ['replace', 'replaceAll'],
    ['match', 'matchAll'],
    ['charAt', 'at', 'charCodeAt'],
    ['charCodeAt', 'codePointAt'],
    ['reduce', 'reduceRight'],
    ['keys', 'values', 'entries'],
    ['sort', 'toSorted'],
    ['reverse', 'toReversed'],
    ['has', 'get'],
    ['set', 'add'],
    ['delete', 'clear'],
    ['isInteger', 'isFinite', 'isSafeInteger', 'isNaN'],
    ['parseInt', 'parseFloat', 'Number'],
    ['all', 'allSettled', 'race', 'any'],
    ['getFullYear', 'getUTCFullYear'],
    ['getMonth', 'getUTCMonth'],
    ['getDate', 'getUTCDate', 'getDay', 'getUTCDay'],
    ['getHours', 'getUTCHours'],
    ['getMinutes', 'getUTCMinutes'],
    ['call', 'apply'],
    ['test', 'exec'],
    ['encodeURI', 'encodeURIComponent'],
    ['decodeURI', 'decodeURIComponent'],
    ['stringify', 'parse'],
    ['abs', 'sign'],
    ['then', 'finally'],
    ['freeze', 'seal'],
  ],
  regexFlags: ['g', 'i', 'm', 'u', 's'],
}
