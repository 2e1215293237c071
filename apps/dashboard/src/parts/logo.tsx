// The mark: the wheel that the treadle keeps turning.
export function Logo({ turning = false }: { turning?: boolean }) {
  return (
    <svg className="wheel" data-turning={turning} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="10" />
      <circle cx="12" cy="12" r="2.4" className="hub" />
      <path d="M12 2v20M3.34 7l17.32 10M3.34 17L20.66 7" />
    </svg>
  )
}
