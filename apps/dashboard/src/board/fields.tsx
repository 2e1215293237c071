// The fields that a new item and a goal have in common.
import { ENGINE_NAMES } from '@treadle/contracts/config/engines'

export function EngineField({ id, standard }: { id: string; standard: string }) {
  return (
    <>
      <label htmlFor={`${id}-engine`}>Who writes the code</label>
      <select id={`${id}-engine`} name="engine">
        <option value="">as the settings say ({standard})</option>
        {ENGINE_NAMES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </>
  )
}

export function PlaceFields({ id }: { id: string }) {
  return (
    <>
      <label htmlFor={`${id}-priority`}>Priority (smaller is sooner; none comes last)</label>
      <input id={`${id}-priority`} name="priority" type="text" inputMode="numeric" autoComplete="off" />
      <label htmlFor={`${id}-project`}>Project</label>
      <input
        id={`${id}-project`}
        name="project"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        defaultValue="1"
      />
    </>
  )
}

export function Tick({ id, name, words }: { id: string; name: string; words: string }) {
  return (
    <label className="toggle" htmlFor={`${id}-${name}`}>
      <input id={`${id}-${name}`} name={name} type="checkbox" /> {words}
    </label>
  )
}

/** What stands in the fields of a form, as text. */
export function textsOf(form: HTMLFormElement): (name: string) => string {
  const data = new FormData(form)
  return (name) => String(data.get(name) ?? '')
}

export function isTicked(form: HTMLFormElement, name: string): boolean {
  return new FormData(form).has(name)
}
