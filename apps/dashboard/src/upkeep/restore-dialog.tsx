import type { Answer } from '@treadle/contracts/client'
import type { KeptWork } from '@treadle/contracts/order'
import { type FormEvent, useId, useState } from 'react'
import type { Live } from '../live/live.ts'
import { useAttempt } from '../parts/attempt.ts'
import { Copyable } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { keptFiles, keptWords, readRestore, shortRef } from './upkeep.model.ts'

interface RestoreProps {
  readonly live: Live
  readonly kept: KeptWork
  readonly onClose: () => void
}

export function RestoreDialog({ live, kept, onClose }: RestoreProps) {
  const id = useId()
  const attempt = useAttempt(live)
  const [wrong, setWrong] = useState<string | null>(null)
  const [done, setDone] = useState<Answer<'restoreKept'> | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '')
    const read = readRestore({ branch: text('branch'), worktree: text('worktree') })
    if (read.is === 'wrong') return setWrong(read.why)
    const { branch, worktree } = read
    await attempt.try(async (client) => {
      setDone(await client.restoreKept({ body: { what: kept.ref, branch, worktree } }))
    })
  }
  if (done !== null) return <Restored done={done} onClose={onClose} />
  const said = wrong ?? attempt.problem
  return (
    <Dialog
      title="Bring kept work back"
      onClose={onClose}
      actions={
        <button type="submit" form={id} className="primary" aria-disabled={attempt.busy}>
          {attempt.busy ? 'Restoring…' : 'Restore it'}
        </button>
      }
    >
      <p>
        {keptWords(kept)}: <code>{keptFiles(kept)}</code>
      </p>
      <p className="muted">
        <code>{shortRef(kept.ref)}</code>. It comes back on a new branch; nothing that is there is changed.
      </p>
      <form id={id} className="fields" onSubmit={(event) => void submit(event)} noValidate>
        <label htmlFor={`${id}-branch`}>Name of the branch (empty: one is made up)</label>
        <input
          id={`${id}-branch`}
          name="branch"
          type="text"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={() => setWrong(null)}
        />
        <label htmlFor={`${id}-worktree`}>Check it out in this new folder as well (empty: nowhere)</label>
        <input
          id={`${id}-worktree`}
          name="worktree"
          type="text"
          maxLength={4_000}
          autoComplete="off"
          spellCheck={false}
          onChange={() => setWrong(null)}
        />
      </form>
      {said !== null && (
        <p className="wrong" role="alert">
          {said}
        </p>
      )}
    </Dialog>
  )
}

function Restored({ done, onClose }: { done: Answer<'restoreKept'>; onClose: () => void }) {
  return (
    <Dialog title="It is back" onClose={onClose} closeWords="Close">
      <p>
        <code>{done.branch}</code> is at <code>{done.commit.slice(0, 8)}</code>
        {done.worktree !== null && (
          <>
            , checked out in <code>{done.worktree}</code>
          </>
        )}
        . Look at it:
      </p>
      <Copyable label="the command">{`git log -p -1 ${done.branch}`}</Copyable>
    </Dialog>
  )
}
