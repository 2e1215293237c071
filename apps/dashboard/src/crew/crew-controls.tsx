// Orders to the whole crew; each is offered only while it would do something.
import { ActionButton } from '../parts/actions.tsx'
import type { CrewCounts } from './crew.model.ts'

export function CrewControls({ counts: { active, paused } }: { counts: CrewCounts }) {
  return (
    <div className="crew-controls">
      {active > 0 && (
        <ActionButton
          words="Pause all"
          action={{
            key: 'pause-all',
            done: 'Everyone pauses at the next checkpoint.',
            failed: 'Not everyone could be paused.',
            work: (client) => client.giveOrder({ body: { order: { is: 'pause_all' } } }),
          }}
        />
      )}
      {paused > 0 && (
        <ActionButton
          words="Resume all"
          action={{
            key: 'resume-all',
            done: 'Everyone goes on.',
            failed: 'Not everyone could go on.',
            work: (client) => client.giveOrder({ body: { order: { is: 'resume_all' } } }),
          }}
        />
      )}
      {active + paused === 0 && <p>No agent is running.</p>}
    </div>
  )
}
