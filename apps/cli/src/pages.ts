// The pages of the dashboard that a terminal can lead to.
import type { Client } from '@treadle/contracts/client'
import { needDaemon, ownerLink, type Running } from './daemon-process.ts'
import type { CliEnv } from './env.ts'
import { NO_PAGES, type PageOf } from './items/item-table.ts'
import type { Program } from './program.ts'
import { knowsLinks } from './terminal/link.ts'
import { findWorkspace } from './workspace.ts'

/** The part of a link that says where on the dashboard it leads. */
export function atItem({ projectNumber, number }: Parameters<PageOf>[0]): string {
  return `&at=/item/${projectNumber}/${number}`
}

/** The addresses of items, where the terminal makes links of them and the owner reads it. */
export async function pagesOf(running: Running, env: CliEnv): Promise<PageOf> {
  if (!process.stdout.isTTY || !knowsLinks(env.all)) return NO_PAGES
  const link = await ownerLink(running)
  return link === null ? NO_PAGES : (item) => `${link}${atItem(item)}`
}

export interface WithPages {
  readonly client: Client
  readonly running: Running
  readonly pageOf: PageOf
}

export async function withPages(program: Program, use: (given: WithPages) => Promise<void>): Promise<void> {
  const { code = null } = program.root.opts<{ code?: string }>()
  const running = await needDaemon(findWorkspace(program.env), program.env, code)
  await use({ client: running.client, running, pageOf: await pagesOf(running, program.env) })
}
