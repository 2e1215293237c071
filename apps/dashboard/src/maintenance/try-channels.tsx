// A button that tries the notification channels.
import type { Answer } from '@treadle/contracts/client'
import { useState } from 'react'
import { useActions } from '../parts/actions.tsx'
import { channelWords } from './maintenance.model.ts'

/** Sends a message over each channel that is on, and says what became of it. */
export function TryChannels() {
  const { busy, act } = useActions()
  const [tried, setTried] = useState<Answer<'testNotifications'>['items'] | null>(null)
  const send = async () => {
    if (busy.has('test-channels')) return
    await act({
      key: 'test-channels',
      done: 'The channels were tried.',
      failed: 'The channels could not be tried.',
      work: async (client) => setTried((await client.testNotifications({ body: {} })).items),
    })
  }
  return (
    <>
      <div role="status">
        {tried?.map((each) => (
          <p key={each.channel}>{channelWords(each)}</p>
        ))}
        {tried?.length === 0 && <p>No channel is on.</p>}
      </div>
      <button type="button" aria-disabled={busy.has('test-channels')} onClick={() => void send()}>
        Send a test
      </button>
    </>
  )
}
