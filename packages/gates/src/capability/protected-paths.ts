// Files that act outside of the tests: on machines that build, on editors, on agents, on whoever checks the code out.
const folders =
  /(^|\/)(\.github|\.gitlab|\.circleci|\.buildkite|\.husky|\.githooks|\.vscode|\.idea|\.zed|\.fleet|\.devcontainer|\.claude|\.codex|\.cursor|\.gemini|\.aider[^/]*|\.continue|\.windsurf|\.roo|\.kiro|\.treadle|prompts?)\//i

const kinds: readonly (readonly [what: string, files: RegExp])[] = [
  [
    'CI',
    /^(\.gitlab-ci\.ya?ml|\.travis\.ya?ml|azure-pipelines\.ya?ml|appveyor\.ya?ml|bitbucket-pipelines\.ya?ml|jenkinsfile|dockerfile|docker-compose\.ya?ml|compose\.ya?ml|codeowners|renovate\.json5?|dependabot\.ya?ml)$/i,
  ],
  [
    'hooks and attributes of git',
    /^(\.gitattributes|\.gitmodules|\.gitconfig|\.pre-commit-config\.ya?ml|\.?lefthook\.ya?ml|\.huskyrc[^/]*|\.lintstagedrc[^/]*)$/i,
  ],
  [
    'instructions for agents',
    /^(claude(\.local)?\.md|agents\.md|gemini\.md|\.cursorrules|\.windsurfrules|\.clinerules|copilot-instructions\.md|\.mcp\.json|opencode\.jsonc?)$/i,
  ],
  ['a template of prompts', /prompt[^/]*\.(md|txt|hbs|j2|ya?ml)$/i],
  ['the settings of Treadle', /^treadle\.json$/i],
  [
    'a lock file',
    /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|pdm\.lock|pipfile\.lock|cargo\.lock|go\.sum|composer\.lock|gemfile\.lock)$/i,
  ],
  [
    'where packages come from',
    /^(\.npmrc|\.yarnrc(\.ya?ml)?|\.pnpmfile\.[cm]?js|pnpm-workspace\.yaml|bunfig\.toml|pip\.conf|\.pypirc)$/i,
  ],
  [
    'the environment of programs',
    /^(\.envrc|\.env(\.[^/]*)?|\.tool-versions|\.nvmrc|\.node-version|\.python-version|mise\.toml|sitecustomize\.py|usercustomize\.py|.+\.pth)$/i,
  ],
]
const folderWords = 'CI, hooks, an editor or agents'

/** What a protected file acts on; null if the file is not protected. */
export function protectedAs(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const kind = kinds.find(([, files]) => files.test(name))?.[0]
  return kind ?? (folders.test(path) ? folderWords : null)
}
