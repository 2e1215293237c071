// What the machine is short of, and calls of models that wait for their turn; nothing where there is enough.
import { resourceLines } from '@treadle/contracts/words/resources'
import type { Workspace } from '../live/live.model.ts'

export function MachineNote({ workspace: { resources } }: { readonly workspace: Workspace }) {
  const lines = resources == null ? [] : resourceLines(resources)
  return lines.map((line) => (
    <p key={line} className="banner readiness" data-tone="attention" role="status">
      {line}
    </p>
  ))
}
