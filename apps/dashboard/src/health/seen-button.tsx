import type { Notification } from '@treadle/contracts/notification'
import { ActionButton } from '../parts/actions.tsx'

interface SeenButtonProps {
  readonly notification: Pick<Notification, 'id' | 'title'>
  readonly className?: string
}

/** A button that marks a notification as seen. */
export function SeenButton({ notification: { id, title }, className = '' }: SeenButtonProps) {
  return (
    <ActionButton
      words="Seen"
      label={`Seen: ${title}`}
      className={className}
      action={{
        key: `acknowledge:${id}`,
        done: 'Marked as seen.',
        failed: 'It could not be marked as seen.',
        work: (client) => client.acknowledgeNotification({ params: { id }, body: {} }),
      }}
    />
  )
}
