// A share of the whole as a bar, with its name and its percent.

export function ShareBar({ label, share }: { label: string; share: number }) {
  const percent = Math.round(share * 100)
  return (
    <div className="share-bar">
      <p>
        {label} <span className="number">{percent} %</span>
      </p>
      <div
        className="bar"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
