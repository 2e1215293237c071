// The fields that a new item and a goal have in common.
import { ENGINE_NAMES } from '@treadle/contracts/config/engines'
import { SelectField, TextField } from '../parts/form-dialog.tsx'

export function EngineField({ standard }: { standard: string }) {
  return (
    <SelectField name="engine" label="Who writes the code">
      <option value="">Default ({standard})</option>
      {ENGINE_NAMES.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  )
}

/** The fields of what must improve by the change. */
export function MeasureFields() {
  return (
    <>
      <TextField name="measure" label="Measure: a command that shows what improves" isCode />
      <SelectField name="better" label="What counts of the measure">
        <option value="">its exit code: fails before, succeeds after</option>
        <option value="lower">its last number, lower is better</option>
        <option value="higher">its last number, higher is better</option>
      </SelectField>
    </>
  )
}

/** The fields that say where in the queue it goes. */
export function QueueFields() {
  return (
    <>
      <TextField name="priority" label="Priority (smaller is sooner; none comes last)" isNumber />
      <TextField name="project" label="Project" defaultValue="1" isNumber />
    </>
  )
}
