// What the flow needs of the gates: running what judges a change, and telling luck from proof. Types only.
import type { GatesConfig } from '@treadle/contracts/config/gates'
import type { FailureHints } from '@treadle/contracts/failure'
import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import type { ValidationLevel } from '@treadle/contracts/validation-level'

export interface TestGateRequest {
  readonly cwd: string
  readonly command: string | null
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Whether its processes are to note which files they load; the record is kept as evidence. */
  readonly recordsLoads?: boolean
  /** Told what is printed, as it comes. */
  readonly onOutput?: ((text: string) => void) | undefined
  /** What the command builds before its tests was built already, in this tree. */
  readonly isBuilt?: boolean
}

export interface AffectedRequest {
  readonly cwd: string
  readonly command: string
  readonly changedFiles: readonly string[]
  /** Test files in which something failed before. */
  readonly failed: readonly string[]
  readonly budgetMs: number
  readonly signal?: AbortSignal
}

export interface FlakyRequest extends TestGateRequest {
  readonly command: string
  readonly result: GateResult
  /** What is known of a test before the change; null for one that is new or unknown. */
  before(failure: TestFailure): 'passed' | 'failed' | null
}

export interface FixedRequest extends TestGateRequest {
  readonly command: string
  readonly result: GateResult
  /** As they failed before the change. */
  readonly fixed: readonly TestFailure[]
}

export interface HintsRequest {
  readonly cwd: string
  readonly failures: readonly TestFailure[]
  /** The command that failed, which may be run once more to see what each test runs. */
  readonly run?: {
    readonly command: string
    readonly timeoutMs: number
    /** How long it took. */
    readonly tookMs: number
    readonly signal?: AbortSignal | undefined
  }
}

/** A delivery that takes a merge back, held against the exact inverse of that merge. */
export interface RevertCheck {
  /** The number of the item whose merge is taken back. */
  readonly number: number
  /** Changed files that are as the inverse leaves them. */
  readonly files: readonly string[]
  /** Files that are not as the inverse leaves them, or in which it could not be computed; none: it is exact. */
  readonly others: readonly string[]
}

/** Another task of the same build, and its file. */
export interface OtherTask {
  readonly task: string
  readonly file: string
}

export interface DeliveryGateRequest {
  readonly cwd: string
  /** The commit that the change is held against. */
  readonly base: string
  /** Every file that the item changed, added or deleted, relative to `cwd`; a rename is both of its names. */
  readonly changed: readonly string[]
  /** A file's content at the base; null if it was not there. */
  readBase(path: string): Promise<string | null>
  readonly config: GatesConfig
  /** Gates beyond this level are left out; absent or null: none are. */
  readonly level?: ValidationLevel | null
  readonly mayChangeTests: boolean
  /** Absent or null: it takes no merge back. */
  readonly revert?: RevertCheck | null | undefined
  /** The test commands that judge the change; what they run must not be rewritten by it. */
  readonly judgedBy: readonly string[]
  readonly timeoutMs: number
  /** Of a task of a build: the files of its other tasks, which are not its own to take away. */
  readonly others?: readonly OtherTask[] | undefined
  /** Of a task of a build: why a package may not be brought newly, null if it may; left out: nobody can say. */
  readonly judgePackage?: ((name: string) => Promise<string | null>) | undefined
  /** When the tests were last started; a coverage report from before says nothing about this change. */
  readonly testsStartedAt?: Date | undefined
  /** What was found before: if it is red, the gates that start commands of the project are not run. */
  readonly skipIfRed?: readonly GateResult[] | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FormatRequest {
  readonly cwd: string
  /** What was changed, relative to `cwd`. */
  readonly files: readonly string[]
  /** A file's content before the change; null if it was not there. */
  readBase(path: string): Promise<string | null>
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** What one formatter of the project did. */
export interface Formatting {
  /** Its name. */
  readonly by: string
  /** Files that it changed. */
  readonly changed: readonly string[]
  /** Files left as they were written, because they were not in its form before. */
  readonly left: readonly string[]
  /** Why it changed nothing; null: it ran. */
  readonly problem: string | null
}

export interface CanaryRequest extends TestGateRequest {
  /** Source files to plant in, the most likely first; left out: chosen by what imports them. */
  readonly files?: readonly string[]
}

/** Whether tests see the tree that they are started in. */
export type Canary =
  | { readonly is: 'sees'; readonly file: string }
  /** They ran and stayed green, whatever was planted. */
  | { readonly is: 'blind'; readonly files: readonly string[]; readonly command: string }
  /** There is nothing to plant in, or nothing ran that could have noticed. */
  | { readonly is: 'nothing'; readonly why: string }

/** How a preparing command failed. */
export interface SetupFailure {
  /** All of it, for whoever has room. */
  readonly why: string
  /** Which command, and how it ended. */
  readonly text: string
  readonly tail: string
  /** Whether a registry wants to know who asks, and the command does not see the owner's login. */
  readonly wantsLogin: boolean
}

export type SetupResult = { readonly is: 'ok' } | ({ readonly is: 'failed' } & SetupFailure)

export interface Gates {
  /** Makes source files fail as they are loaded, one after the other, and looks whether the tests turn red. */
  canary(request: CanaryRequest): Promise<Canary>
  detectTestCommand(cwd: string): Promise<string | null>
  /** Runs a preparing command, such as an install; the outcome is a gate-like evidence. */
  runSetup(request: TestGateRequest): Promise<SetupResult>
  /** Brings changed files into the form that the project's own formatter gives them; what fails changes nothing. */
  format(request: FormatRequest): Promise<readonly Formatting[]>
  /** What the test command builds before it tests, as a gate of its own; null: it builds nothing. */
  runBuild(request: TestGateRequest): Promise<GateResult | null>
  /** The tests of the command; its linter is another gate, and a build that fails is told as that. */
  runTests(request: TestGateRequest): Promise<GateResult>
  /** What failed before, then what the change can concern; the first result that is not green is the last. */
  runAffected(request: AffectedRequest): Promise<readonly GateResult[]>
  /** Records what each test file runs, for `runAffected` to go by. Without a runner that can be recorded, nothing is done. */
  mapTests(request: TestGateRequest): Promise<void>
  /** Failed tests again on the same tree: those that fail at times are told from those that always fail. */
  settleFlaky(request: FlakyRequest): Promise<GateResult>
  /** Tests that failed before the change and pass now, again: one that fails at times is not mended, and fails the gate. */
  confirmFixed(request: FixedRequest): Promise<GateResult>
  /** Linter, coverage, secrets, test integrity: those that are configured, each with its evidence. */
  runDeliveryGates(request: DeliveryGateRequest): Promise<GateResult[]>
  /** What the sources, and another look at the tests, say about where failures may come from. */
  hints(request: HintsRequest): Promise<FailureHints>
  /** Keeps a text as evidence, secrets taken out, and answers its content hash. */
  keep(text: string): Promise<string>
}
