// The prompts of categories: put into their folder when the crew begins to look for improvements, and filled with what is
// known of the repository when one of them is needed.
import type { Category } from '@treadle/contracts/categories'
import type { Config } from '@treadle/contracts/config'
import { fillTemplate } from '@treadle/flow/idea/category/fill-template'
import type { CategoryPrompt } from '@treadle/flow/idea/category/look-world'
import type { TreeFacts } from '@treadle/flow/idea/category/repository-facts'
import type { Store } from '@treadle/flow/ports/store'
import { branchChangedAt } from '@treadle/git/look-at-branch'
import type { Logger } from 'pino'
import { installTemplates, readTemplate, templatesDir } from './category-templates.ts'
import type { DaemonEnv } from './env.ts'
import { readRepositoryFacts } from './repository-facts.ts'

interface PromptDeps {
  readonly root: string
  readonly env: Pick<DaemonEnv, 'home' | 'gitEnv'>
  readonly target: () => string
  readonly config: () => Config
  readonly store: Pick<Store, 'ideations'>
  readonly log: Pick<Logger, 'info' | 'warn'>
}

const PROJECT = 1
const ISSUES_MAX = 200

export class CategoryPrompts {
  readonly #deps: PromptDeps
  /** The folder that they were put into last, and whether that could be done. */
  #installed: { readonly dir: string; readonly isThere: boolean } | null = null

  constructor(deps: PromptDeps) {
    this.#deps = deps
  }

  /** Once for each folder that the settings name while this daemon lives: what is deleted later stays away. */
  install(): void {
    const { root: workspaceDir, env, config, log } = this.#deps
    const dir = templatesDir(config().ideas.templates, { home: env.home, workspaceDir })
    if (this.#installed?.dir === dir) return
    const done = installTemplates(dir, workspaceDir)
    this.#installed = { dir, isThere: done.is === 'installed' }
    if (done.is === 'no_folder') {
      log.warn({ dir, why: done.why }, 'category prompts: the built-in ones are used')
      return
    }
    if (done.added.length > 0) log.info({ dir, added: done.added.length }, 'category prompts were put there')
    for (const { category, why } of done.failed) log.warn({ dir, category, why }, 'category prompt')
  }

  async prompt(category: Category): Promise<CategoryPrompt> {
    this.install()
    const { root: workspaceDir, log, store } = this.#deps
    const { dir, isThere } = this.#installed ?? { dir: '', isThere: false }
    const read = readTemplate(category, { workspaceDir, dir: isThere ? dir : null })
    if (read.warning !== null) log.warn({ category }, read.warning)
    if (read.text === null) return { is: 'missing', why: read.warning }
    const facts = await this.#facts()
    const open = (await store.ideations.titles(PROJECT)).filter(({ isOpen }) => isOpen).toReversed()
    const issues = open.slice(0, ISSUES_MAX).map(({ title }) => title)
    return { is: 'prompt', text: fillTemplate(read.text, { ...facts, issues, issueCount: open.length }) }
  }

  async packages(): Promise<readonly string[] | null> {
    return (await this.#facts()).packages
  }

  changedAt(): Promise<Date | null> {
    const { root, env, target } = this.#deps
    return branchChangedAt({ repository: root, env: env.gitEnv }, target())
  }

  #facts(): Promise<TreeFacts> {
    const { root, env, target } = this.#deps
    return readRepositoryFacts({ repository: root, env: env.gitEnv }, target())
  }
}
