// Orders to the whole crew.
import type { Item } from '@treadle/contracts/item'
import type { Live } from '../live/live.ts'
import { ActionButton } from '../parts/actions.tsx'
import { EmergencyStop } from '../parts/agent-orders.tsx'

export function CrewControls({ live, items }: { live: Live; items: readonly Item[] }) {
  return (
    <div className="crew-controls">
      <ActionButton
        words="Pause all"
        action={{
          key: 'pause-all',
          done: 'Everyone pauses at the next checkpoint.',
          failed: 'Not everyone could be paused.',
          work: (client) => client.giveOrder({ body: { order: { is: 'pause_all' } } }),
        }}
      />
      <ActionButton
        words="Resume all"
        action={{
          key: 'resume-all',
          done: 'Everyone goes on.',
          failed: 'Not everyone could go on.',
          work: (client) => client.giveOrder({ body: { order: { is: 'resume_all' } } }),
        }}
      />
      <EmergencyStop live={live} items={items} />
    </div>
  )
}
