// The gates of an agent: what their commands leave in its worktree is noted, so that it is not taken for a change.
import type { Gates } from '@treadle/flow/ports/gates'
import type { WorktreeGit } from '@treadle/flow/ports/git'

export function watchedGates(gates: Gates, git: Pick<WorktreeGit, 'watch'>): Gates {
  return {
    detectTestCommand: (cwd) => gates.detectTestCommand(cwd),
    canary: (request) => git.watch(request.cwd, 'gate', () => gates.canary(request)),
    keep: (text) => gates.keep(text),
    runSetup: (request) => git.watch(request.cwd, 'setup', () => gates.runSetup(request)),
    format: (request) => git.watch(request.cwd, 'gate', () => gates.format(request)),
    runBuild: (request) => git.watch(request.cwd, 'gate', () => gates.runBuild(request)),
    runTests: (request) => git.watch(request.cwd, 'gate', () => gates.runTests(request)),
    runAffected: (request) => git.watch(request.cwd, 'gate', () => gates.runAffected(request)),
    mapTests: (request) => git.watch(request.cwd, 'gate', () => gates.mapTests(request)),
    settleFlaky: (request) => git.watch(request.cwd, 'gate', () => gates.settleFlaky(request)),
    confirmFixed: (request) => git.watch(request.cwd, 'gate', () => gates.confirmFixed(request)),
    runDeliveryGates: (request) => git.watch(request.cwd, 'gate', () => gates.runDeliveryGates(request)),
    hints: (request) =>
      request.run === undefined
        ? gates.hints(request)
        : git.watch(request.cwd, 'gate', () => gates.hints(request)),
  }
}
