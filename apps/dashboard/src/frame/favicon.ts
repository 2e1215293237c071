// The picture of the tab: a dot with the count of what needs the reader.
const WHEEL =
  "<circle cx='12' cy='12' r='10'/><circle cx='12' cy='12' r='2.4' fill='#2f6fdb'/><path d='M12 2v20M3.34 7l17.32 10M3.34 17L20.66 7'/>"
const COUNT_MAX = 99

export function faviconOf(waiting: number): string {
  const words = waiting > COUNT_MAX ? '…' : String(waiting)
  const badge =
    waiting === 0
      ? ''
      : `<g stroke='none'><rect x='9' y='10' width='15' height='14' rx='7' fill='#c4291f'/><text x='16.5' y='21' font-family='sans-serif' font-size='${waiting > 9 ? 9 : 11}' font-weight='700' text-anchor='middle' fill='#fff'>${words}</text></g>`
  const drawing = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='#2f6fdb' stroke-width='1.8'>${WHEEL}${badge}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`
}

export function showFavicon(waiting: number): void {
  document.querySelector('link[rel="icon"]')?.setAttribute('href', faviconOf(waiting))
}
