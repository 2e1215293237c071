// Radio buttons in a row: a choice of one among a few, all of them in sight.

interface ChoiceProps<T extends string | number> {
  readonly label: string
  readonly options: readonly { readonly value: T; readonly words: string }[]
  readonly value: T
  readonly onChoose: (value: T) => void
}

export function Choice<T extends string | number>({ label, options, value, onChoose }: ChoiceProps<T>) {
  return (
    <fieldset className="choice" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.words}
        </button>
      ))}
    </fieldset>
  )
}
