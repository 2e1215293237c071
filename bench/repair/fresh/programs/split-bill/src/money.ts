// Money is a whole number of cents everywhere but in texts.
export function parseMoney(text: string): number {
  const found = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!found) throw new SyntaxError(`no amount: ${text}`)
  const [, sign, whole = '0', part = ''] = found
  const cents = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return sign === '-' && cents > 0 ? -cents : cents
}

export function formatMoney(cents: number): string {
  const size = Math.abs(cents)
  const whole = Math.floor(size / 100)
  const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, ' ')
  return `${cents < 0 ? '-' : ''}${grouped}.${String(size % 100).padStart(2, '0')}`
}
