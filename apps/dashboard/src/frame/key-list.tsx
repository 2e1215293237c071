// All keys of the page, grouped by where they work.
import { RESOLVE_KEYS } from '../conflicts/resolve-keys.model.ts'
import { REVIEW_KEYS } from '../review/review-keys.model.ts'
import { JUMPS } from './screens.model.ts'

interface KeyGroup {
  readonly name: string
  readonly keys: readonly { readonly keys: readonly string[]; readonly words: string }[]
}

export function KeyList({ paletteKey }: { readonly paletteKey: string }) {
  const groups: readonly KeyGroup[] = [
    {
      name: 'Everywhere',
      keys: [
        ...JUMPS.map(({ key, words }) => ({ keys: ['g', key], words })),
        { keys: [paletteKey], words: 'Search and commands' },
        { keys: ['?'], words: 'This list' },
        { keys: ['Esc'], words: 'Close a dialog or a menu' },
      ],
    },
    {
      name: 'In the queue',
      keys: [
        { keys: ['j', 'k'], words: 'Next, previous' },
        { keys: ['1', '…', '9'], words: 'Choose that answer or button' },
      ],
    },
    {
      name: 'On the board',
      keys: [
        { keys: ['↑', '↓', '←', '→'], words: 'Choose a card' },
        { keys: ['Alt', '↑', '↓'], words: 'Move it in its column' },
        { keys: ['x'], words: 'Select it' },
        { keys: ['a'], words: 'What it waits for' },
      ],
    },
    { name: 'In a review', keys: REVIEW_KEYS.map(({ key, words }) => ({ keys: [key], words })) },
    { name: 'In a conflict', keys: RESOLVE_KEYS.map(({ key, words }) => ({ keys: [key], words })) },
  ]
  return groups.map(({ name, keys }) => (
    <section key={name} aria-label={name}>
      <h3>{name}</h3>
      <dl className="keys">
        {keys.map(({ keys: pressed, words }) => (
          <div key={words}>
            <dt>{pressed.map((key) => (key === '…' ? ' … ' : <kbd key={key}>{key}</kbd>))}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}
