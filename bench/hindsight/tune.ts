// Usage: node bench/hindsight/tune.ts texts.json, with texts that run.ts saved. Looks at the tuning half only.
import { readFile } from 'node:fs/promises'
import { MATCHING, MatchIndex, type MatchSettings } from '@treadle/memory/match'
import { type Corpus, dealt, sideOf, signatureIn } from './cases.ts'

const rounds = 2
const choices: Readonly<Record<keyof MatchSettings, readonly number[]>> = {
  errorClass: [0.3, 0.5, 1, 2],
  pair: [0.1, 0.3, 0.5, 0.8],
  name: [0.1, 0.3, 0.6],
  mask: [0.1, 0.3, 0.6],
  frame: [0.05, 0.1, 0.2],
  words: [0.55, 0.65, 0.75, 0.85],
  asked: [0.35, 0.5, 0.65],
  lonely: [0.1, 0.2, 0.35, 0.5, 0.75],
  similarityMin: [0.4, 0.45, 0.5, 0.55, 0.6],
}

const corpus: Corpus = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'))
const { questions, distractors } = dealt(corpus.cases)
const seen = [...questions.tuning, ...distractors.filter(({ id }) => sideOf(id) === 'tuning')]
const lessons = seen.map(({ id, recorded }) => ({
  ...{ id, signature: signatureIn(recorded), confidence: 0.7, occurrences: 1 },
}))
const asked = questions.tuning.map((each) => ({ id: each.id, signature: signatureIn(each.asked) }))

/** A right first answer counts most, then one among five, then distance to the next; wrong company costs. */
function worth(settings: MatchSettings): number {
  const index = new MatchIndex(lessons, settings)
  let sum = 0
  for (const { id, signature } of asked) {
    const found = index.find(signature, { limit: 6 })
    const at = found.findIndex(({ candidate }) => candidate.id === id)
    const wrong = found.find(({ candidate }) => candidate.id !== id)
    const ahead = (found[at]?.similarity ?? 0) - (wrong?.similarity ?? settings.similarityMin)
    sum += (at === 0 ? 1 : 0) + (at >= 0 && at < 5 ? 0.5 : 0) - (wrong === undefined ? 0 : 0.1)
    sum += (20 / asked.length) * Math.min(0.3, ahead)
  }
  return sum
}

let best = MATCHING
let most = worth(best)
const print = () => process.stdout.write(`${most.toFixed(2)} ${JSON.stringify(best)}\n`)
print()
for (let round = 0; round < rounds; round += 1) {
  for (const [name, values] of Object.entries(choices)) {
    for (const value of values) {
      const tried = { ...best, [name]: value }
      const sum = worth(tried)
      if (sum > most) [best, most] = [tried, sum]
    }
  }
  print()
}
