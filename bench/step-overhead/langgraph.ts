// LangGraph.js on the same task, in the cheapest way it offers: one node for a step, plain objects for messages.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from '../repair/suites.ts'
import { readNote, type Task } from './task.ts'

const PACKAGES = [
  '@langchain/langgraph@1.4.18',
  '@langchain/langgraph-checkpoint-postgres@1.0.5',
  '@langchain/core@1.2.13',
]

export interface LangGraph {
  readonly version: string
  /** Null: without a checkpointer. */
  run(task: Task, saver: Saver | null): Promise<unknown>
  openSaver(url: string): Promise<Saver>
}

export interface Saver {
  readonly checkpointer: object
  close(): Promise<void>
}

export type Found =
  | { readonly is: 'found'; readonly peer: LangGraph }
  | { readonly is: 'not_run'; readonly why: string }

interface GraphModule {
  readonly START: string
  readonly END: string
  readonly Annotation: ((options?: object) => unknown) & { Root(channels: object): unknown }
  readonly StateGraph: new (state: unknown) => GraphBuilder
}
interface GraphBuilder {
  addNode(name: string, node: (state: State) => Promise<Partial<State>>): GraphBuilder
  addEdge(from: string, to: string): GraphBuilder
  addConditionalEdges(from: string, choose: (state: State) => string): GraphBuilder
  compile(options: object): { invoke(state: Partial<State>, options: object): Promise<State> }
}
interface SaverModule {
  readonly PostgresSaver: {
    fromConnString(url: string): { setup(): Promise<void>; end(): Promise<void> }
  }
}
interface State {
  readonly messages: readonly object[]
  readonly steps: number
}

/** Installed by npm into `folder`, once. */
export async function findLangGraph(folder: string): Promise<Found> {
  const missing = await install(folder)
  if (missing !== null) return { is: 'not_run', why: missing }
  const require = createRequire(join(folder, 'package.json'))
  const load = async (name: string) => import(pathToFileURL(require.resolve(name)).href)
  const graph: GraphModule = await load('@langchain/langgraph')
  const { PostgresSaver }: SaverModule = await load('@langchain/langgraph-checkpoint-postgres')
  return {
    is: 'found',
    peer: {
      version: PACKAGES[0]?.split('@').at(-1) ?? '',
      run: (task, saver) => runGraph(graph, task, saver),
      async openSaver(url) {
        const checkpointer = PostgresSaver.fromConnString(url)
        await checkpointer.setup()
        return { checkpointer, close: () => checkpointer.end() }
      },
    },
  }
}

let threads = 0

async function runGraph(
  { Annotation, StateGraph, START, END }: GraphModule,
  task: Task,
  saver: Saver | null,
) {
  const state = Annotation.Root({
    messages: Annotation({
      reducer: (before: readonly object[], more: readonly object[]) => before.concat(more),
      default: () => [],
    }),
    steps: Annotation(),
  })
  const graph = new StateGraph(state)
    .addNode('step', async ({ steps }) => {
      const call = await answer(steps)
      const result = { role: 'tool', callId: call.id, content: readNote(task) }
      return { messages: [{ role: 'assistant', calls: [call] }, result], steps: steps + 1 }
    })
    .addEdge(START, 'step')
    .addConditionalEdges('step', ({ steps }) => (steps < task.steps ? 'step' : END))
    .compile(saver === null ? {} : { checkpointer: saver.checkpointer })
  threads += 1
  const first = { messages: [{ role: 'user', content: 'Read note.txt' }], steps: 0 }
  const end = await graph.invoke(first, {
    recursionLimit: task.steps + 10,
    ...(saver === null ? {} : { configurable: { thread_id: `bench-${threads}` }, durability: 'sync' }),
  })
  if (end.messages.length !== 2 * task.steps + 1) throw new Error(`it made ${end.messages.length} messages`)
  return { graph, end }
}

/** The model: at once. */
async function answer(step: number) {
  return { id: `call-${step}`, name: 'read', input: { filePath: 'note.txt' } }
}

/** Null if it is there; otherwise why not. */
async function install(folder: string): Promise<string | null> {
  mkdirSync(folder, { recursive: true })
  if (existsSync(join(folder, 'node_modules/@langchain/langgraph'))) return null
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  try {
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...PACKAGES]
    const { code, output } = await run(args, folder, 300_000, 'npm')
    if (code === 0) return null
    return code === null ? 'npm took too long' : (output.trimEnd().split('\n').at(-1) ?? '')
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
