import { expect, test } from 'vitest'
import { addressIn } from './fetch-part.ts'

test.each([
  [
    'TypeError: Failed to fetch dynamically imported module: http://127.0.0.1:4000/board.js',
    'http://127.0.0.1:4000/board.js',
  ],
  [
    'TypeError: Failed to fetch … module: http://127.0.0.1:4000/board.js?again=2',
    'http://127.0.0.1:4000/board.js',
  ],
  ['error loading dynamically imported module: vscode-webview://x/board.js', 'vscode-webview://x/board.js'],
  ['TypeError: Importing a module script failed.', null],
])('%s names %s', (message, address) => {
  expect(addressIn(message)).toBe(address)
})
