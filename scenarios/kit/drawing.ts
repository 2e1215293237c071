// What is drawn on a canvas: how much of it has a colour of the theme.
import type { Locator } from 'playwright-core'

/** The parts of a colour of the theme where the chart is: red, green, blue. */
export function colourOf(chart: Locator, name: string): Promise<number[]> {
  return chart.evaluate((element, variable) => {
    const part = element as unknown as { style: { color: string } }
    part.style.color = `var(${variable})`
    const { color } = element.ownerDocument.defaultView?.getComputedStyle(element) ?? { color: '' }
    part.style.color = ''
    return color.match(/\d+/g)?.map(Number) ?? []
  }, name)
}

/** How many points of the drawing have this colour. */
export async function drawn(chart: Locator, name: string): Promise<number> {
  return chart.locator('canvas').evaluate(
    (element, wanted) => {
      const canvas = element as unknown as {
        width: number
        height: number
        getContext: (kind: '2d') => {
          getImageData: (x: number, y: number, width: number, height: number) => { data: Uint8ClampedArray }
        }
      }
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      let found = 0
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] === 255 && wanted.every((part, index) => data[at + index] === part)) found += 1
      return found
    },
    await colourOf(chart, name),
  )
}
