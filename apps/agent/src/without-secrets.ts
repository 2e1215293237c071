// Takes secrets out of what an engine says and its tools show, before it is written down or sent.
import type { RunNote } from '@treadle/contracts/event'
import { makeRedactor } from '@treadle/gates/redact'

const SECRET_NAME = /key|token|secret|password|credential/i

/** One for each run: a key that is said over several lines is known by the line it began with. */
export function secretsRemover(env: Readonly<Record<string, string>>): (note: RunNote) => RunNote {
  const secrets = Object.entries(env).flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : []))
  const redactor = makeRedactor(secrets)
  // Tools and words come in turns; a key that one has begun must not swallow what the other goes on with.
  const alone = (text: string) => redacted(text, makeRedactor(secrets))
  return (note) => {
    switch (note.type) {
      case 'run.said':
        return { ...note, text: redacted(note.text, redactor) }
      case 'run.began':
        return { ...note, input: alone(note.input) }
      case 'run.observed': {
        const { observation } = note
        const { input, output, diff } = observation
        const shown = { input: alone(input), output: alone(output) }
        const clean = { ...observation, ...shown, ...(diff === undefined ? {} : { diff: alone(diff) }) }
        return { ...note, observation: clean }
      }
      default:
        return note
    }
  }
}

/** The redactor reads bytes, one character each. What it puts in may be longer than what it takes out. */
function redacted(text: string, { redact }: { redact(text: string): string }): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  const clean = redact(bytes)
  return clean === bytes ? text : Buffer.from(clean, 'latin1').toString('utf8').slice(0, text.length)
}
