// Commands that install packages themselves: what is lent to them, read-only, would only be in their way.

const INSTALLS = [
  /\b(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:ci|clean-install|install|i|install-test|it|add|update|up)\b/,
  // Yarn without a word installs.
  /(?:^|[;&|(]\s*)\s*(?:corepack\s+)?yarn\s*(?:--\S+\s*)*(?:$|[;&|)])/m,
  /\b(?:pip3?|uv\s+pip|pipenv|poetry|pdm|composer|bundle|conda|mamba)\s+(?:-\S+\s+)*(?:install|sync)\b/,
  /\b(?:uv\s+sync|python3?\s+-m\s+venv|virtualenv|lerna\s+bootstrap|rush\s+(?:install|update))\b/,
]

/** Whether a command, by its words, brings its own packages. */
export const installs = (command: string): boolean => INSTALLS.some((words) => words.test(command))
