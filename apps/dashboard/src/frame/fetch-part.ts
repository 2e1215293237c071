// Parts of the page that are fetched when they are wanted. Some browsers remember for as long as a page is open that a
// file could not be fetched, and do not ask again; so it is asked for by another address.

type Fetch<M> = () => Promise<M>

const failedAt = new WeakMap<Fetch<unknown>, string>()
let tries = 0

export async function fetchPart<M>(fetchIt: Fetch<M>): Promise<M> {
  const address = failedAt.get(fetchIt)
  try {
    return await (address === undefined ? fetchIt() : anotherWay<M>(address))
  } catch (error) {
    const named = addressIn(error)
    if (named !== null) failedAt.set(fetchIt, named)
    throw error
  }
}

function anotherWay<M>(address: string): Promise<M> {
  tries += 1
  return import(/* @vite-ignore */ `${address}?again=${tries}`) as Promise<M>
}

/** The file that an error names, without what was added to its address; null where the browser names none. */
export function addressIn(error: unknown): string | null {
  return /\b[a-z][a-z0-9+.-]*:\/\/[^\s?"']+\.js\b/i.exec(String(error))?.[0] ?? null
}
