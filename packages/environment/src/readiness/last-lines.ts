// The lines of an output that people need to see: the last ones, without what a package manager prints as its manual.
const LINES_MAX = 20
const CHARS_MAX = 3_000

/** `npm ci` answers a wrong lock file with thirty lines of options. */
const MANUAL = /^npm (?:error|ERR!) (?:Usage|Options|aliases?:|Run "npm help|\[-|Clean install|\s*$)/i
const NOISE = /^npm (?:error|ERR!) (?:A complete log of this run|\S*_logs\/)/

export function lastLines(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !MANUAL.test(line) && !NOISE.test(line))
  return lines.slice(-LINES_MAX).join('\n').slice(-CHARS_MAX)
}
