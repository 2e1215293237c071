import { expect, test } from 'vitest'
import { installs } from './installs.ts'

test.each([
  'npm ci',
  'npm --prefix=app install',
  'cd app && npm i',
  'pnpm install --frozen-lockfile',
  'yarn',
  'yarn --immutable && yarn build',
  'corepack enable; yarn install',
  'bun install',
  'python3 -m venv .venv && .venv/bin/pip install -e .',
  'uv sync',
  'poetry install',
  'composer install',
  'bundle install',
])('%s brings its own packages', (command) => {
  expect(installs(command)).toBe(true)
})

test.each([
  'npm run build',
  'npm run ci',
  'yarn build',
  'yarn run install-hooks',
  'npm init -y',
  'make',
  'pip list',
])('%s uses those that are there', (command) => {
  expect(installs(command)).toBe(false)
})
