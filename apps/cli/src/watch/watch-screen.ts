// The full-screen view on a terminal, by Ink: it draws lines, reads keys and gives the terminal back as it was.
import { Box, render, Text, useInput, useWindowSize } from 'ink'
import { createElement, type ReactElement, useEffect, useState, useSyncExternalStore } from 'react'
import { draw } from './draw.ts'
import type { Left, WatchSession } from './watch-session.ts'
import type { PressedKey } from './watch-state.ts'

export interface ScreenStreams {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
}

/** How often elapsed times are drawn anew. */
const TICK_MS = 1_000

/** Shows the session until the reader leaves it. */
export async function showScreen(session: WatchSession, { stdin, stdout }: ScreenStreams): Promise<Left> {
  const left = session.left()
  const screen = render(createElement(Screen, { session }), {
    stdin,
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    alternateScreen: true,
    interactive: true,
  })
  try {
    return await left
  } finally {
    screen.unmount()
    await screen.waitUntilExit()
  }
}

function Screen({ session }: { readonly session: WatchSession }): ReactElement {
  const view = useSyncExternalStore(session.subscribe, session.view)
  const { columns, rows } = useWindowSize()
  const now = useNow()
  // A frame as tall as the terminal would scroll it.
  const size = { columns, rows: rows - 1 }
  const drawing = draw(view.state, view.facts, { size, isLive: view.isLive, now })
  session.drawn(columns, drawing)
  useInput((input, key) => {
    const isTyping = view.state.typing !== null
    for (const pressed of keysOf(input, key, isTyping)) session.press(pressed)
  })
  return createElement(
    Box,
    { flexDirection: 'column', width: columns, height: size.rows },
    ...drawing.lines.map((line, nth) =>
      createElement(Text, { key: nth, wrap: 'truncate' }, line === '' ? ' ' : line),
    ),
  )
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

type InkKey = Parameters<Parameters<typeof useInput>[0]>[1]

/** What comes in one piece may be several keys, typed fast or pasted. */
function keysOf(input: string, key: InkKey, isTyping: boolean): PressedKey[] {
  const name = nameOf(input, key)
  if (name !== undefined) return [{ input: '', name }]
  if (key.ctrl || key.meta) return []
  return isTyping ? [{ input }] : [...input].map((one) => ({ input: one }))
}

function nameOf(input: string, key: InkKey): PressedKey['name'] {
  if (key.ctrl && input === 'c') return 'ctrlC'
  if (key.upArrow) return 'up'
  if (key.downArrow) return 'down'
  if (key.pageUp) return 'pageUp'
  if (key.pageDown) return 'pageDown'
  if (key.return) return 'return'
  if (key.escape) return 'escape'
  return key.backspace || key.delete ? 'backspace' : undefined
}
