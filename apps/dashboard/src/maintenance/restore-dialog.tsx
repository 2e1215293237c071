// The dialog that brings kept work back on a branch.
import type { Answer } from '@treadle/contracts/client'
import type { KeptWork } from '@treadle/contracts/order'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { Copyable } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FormDialog, TextField, useForm } from '../parts/form-dialog.tsx'
import { keptFiles, keptWords, readRestore, shortRef } from './maintenance.model.ts'

interface RestoreProps {
  readonly live: Live
  readonly kept: KeptWork
  readonly onClose: () => void
}

export function RestoreDialog({ live, kept, onClose }: RestoreProps) {
  const [restored, setRestored] = useState<Answer<'restoreKept'> | null>(null)
  const form = useForm({
    live,
    read: ({ text }) => readRestore({ branch: text('branch'), worktree: text('worktree') }),
    send: async (client, target) =>
      setRestored(await client.restoreKept({ body: { what: kept.ref, ...target } })),
    onSent: () => undefined,
  })
  if (restored !== null) return <Restored done={restored} onClose={onClose} />
  return (
    <FormDialog
      title="Restore kept work"
      words="Restore it"
      busyWords="Restoring…"
      onClose={onClose}
      {...form}
    >
      <p>
        {keptWords(kept)}: <code>{keptFiles(kept)}</code>
      </p>
      <p className="muted">
        <code>{shortRef(kept.ref)}</code>. It comes back on a new branch; nothing that is there is changed.
      </p>
      <div className="fields">
        <TextField name="branch" label="Name of the branch (empty: one is made up)" maxLength={200} isCode />
        <TextField
          name="worktree"
          label="Check it out in this new folder as well (empty: nowhere)"
          maxLength={4_000}
          isCode
        />
      </div>
    </FormDialog>
  )
}

function Restored({ done, onClose }: { done: Answer<'restoreKept'>; onClose: () => void }) {
  return (
    <Dialog title="Restored" onClose={onClose} closeWords="Close">
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
