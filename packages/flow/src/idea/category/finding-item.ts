// The item that puts a finding right. Pure.
import { NewItem } from '@treadle/contracts/item'
import type { Finding } from '@treadle/contracts/survey'

export const MEASURE_CRITERION = 'The measure is good'

const FILES_MAX = 200
const FILE_CHARS_MAX = 500

/** Named by its key, measured by its own command; where a program can put it right, that one is asked first. */
export function findingItem(finding: Finding): NewItem {
  const { category, title, files, estimateHours, mendable, measure } = finding
  return NewItem.parse({
    title,
    body: bodyOf(finding),
    labels: [`category:${category}`],
    acceptance: [MEASURE_CRITERION],
    measure: { command: measure.command, better: null },
    files: files.filter(isPlainPath).slice(0, FILES_MAX),
    estimateHours,
    source: 'survey',
    engine: mendable ? 'mend' : null,
  })
}

/** What an item says of its files are globs, and a name that would be one means other files. */
function isPlainPath(path: string): boolean {
  return path.length <= FILE_CHARS_MAX && path === path.trim() && !/[*?{}]/.test(path)
}

/** What a survey quotes is the repository's own text: in a fence that none of its lines can end. */
function bodyOf({ key, evidence, measure, files }: Finding): string {
  return [
    'A survey has found this in the repository:',
    quoted(evidence),
    `Where: ${files.length === 1 ? 'one file' : `${files.length} files`}`,
    quoted(files.slice(0, FILES_MAX).join('\n')),
    'It is put right when this is no longer found. The finding and its measure:',
    quoted(`${key}\n${measure.command}`),
    'Put right the trouble itself: what is only moved, hidden from the survey or mentioned somewhere still counts as there, and so does anything new that surveys find.',
  ].join('\n\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are to go.
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g
const QUOTED_MAX = 6_000

function quoted(text: string): string {
  const lines = text.slice(0, QUOTED_MAX).replace(CONTROL, ' ').split('\n')
  return ['```text', ...lines.map((line) => `| ${line}`), '```'].join('\n')
}
