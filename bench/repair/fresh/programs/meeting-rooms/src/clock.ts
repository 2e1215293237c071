// Times of a day as minutes since midnight; 24:00 is its end.
export function parseClock(text: string): number {
  const found = /^(\d{1,2}):(\d{2})$/.exec(text)
  const hours = Number(found?.[1])
  const minutes = Number(found?.[2])
  if (!found || minutes > 59 || hours * 60 + minutes > 24 * 60) throw new SyntaxError(`no time: ${text}`)
  return hours * 60 + minutes
}

export function formatClock(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  return `${String(hours).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

export function formatLength(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
