// Logging out: the cookie is taken away, and no tab of this browser opens anything until a link is opened again.
import type { Live } from '../live/live.ts'
import { problemOf } from '../live/request-end.ts'
import { keptProof, logOut } from '../live/token.ts'
import { useHost } from '../webview/host-context.tsx'

export function LogOut({ live }: { live: Live }) {
  const proof = keptProof()
  // An editor has the key, and this page has no session of its own.
  if (useHost() !== null || proof === null) return null
  const end = async () => {
    // First: a tab that hears of the end must know that it was wanted.
    logOut()
    await problemOf(live.client.endSession({ body: { proof } }))
    location.reload()
  }
  return (
    <button type="button" onClick={() => void end()}>
      Log out
    </button>
  )
}
