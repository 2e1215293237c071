// The report about a specification: what came through of the brief, what must be mended, what is still to be decided.
import type { Specification } from '@treadle/contracts/specification'
import { ShareBar } from '../parts/share-bar.tsx'
import { sharesOf } from './specification.model.ts'

export function Report({ specification: { validation, requests } }: { specification: Specification }) {
  return (
    <section className="card padded report" aria-labelledby="report">
      <h3 id="report">
        Report{' '}
        <span className="badge" data-tone={validation.ok ? 'good' : 'bad'}>
          {validation.ok ? 'No problems' : 'Has problems'}
        </span>
      </h3>
      <Listed words="Problems" lines={validation.problems} />
      <Listed words="Open points" lines={validation.missing} />
      {sharesOf(validation).map(({ label, share }) => (
        <ShareBar key={label} label={label} share={share} />
      ))}
      <Listed words="Changes asked for" lines={requests} />
    </section>
  )
}

function Listed({ words, lines }: { words: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <div>
      <h4>{words}</h4>
      <ul className="report-lines">
        {lines.map((line) => (
          <li key={line} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </div>
  )
}
