// Functions that remember their calls: `vi.fn`, `jest.fn`, `mock.fn` and the spies on methods.

type Any = (...args: unknown[]) => unknown
type Bag = Record<PropertyKey, unknown>

interface Calls {
  readonly calls: unknown[][]
  readonly results: { type: 'return' | 'throw'; value: unknown }[]
  readonly instances: unknown[]
}

export interface Spy extends Any {
  mock: Calls & Record<string, unknown>
  [method: string]: unknown
}

/** The second value, once the first has been worked out. */
function after<T>(_first: unknown, second: T): T {
  return second
}

const restores: (() => void)[] = []

export function makeSpy(original?: unknown): Spy {
  const mock: Calls & Record<string, unknown> = { calls: [], results: [], instances: [] }
  const once: Any[] = []
  let act = original as Any | undefined
  const spy = function (this: unknown, ...args: unknown[]): unknown {
    mock.calls.push(args)
    mock.instances.push(this)
    try {
      const value = (once.shift() ?? act)?.apply(this, args)
      mock.results.push({ type: 'return', value })
      return value
    } catch (cause) {
      mock.results.push({ type: 'throw', value: cause })
      throw cause
    }
  } as unknown as Spy
  const clear = () => {
    for (const list of [mock.calls, mock.results, mock.instances]) list.length = 0
    return spy
  }
  const use = (next: Any | undefined) => {
    act = next
    return spy
  }
  spy.mock = mock
  Object.assign(spy, {
    mockClear: clear,
    mockReset: () => after(clear(), use(original as Any | undefined)),
    mockRestore: () => after(clear(), use(original as Any | undefined)),
    mockImplementation: use,
    mockImplementationOnce: (next: Any) => after(once.push(next), spy),
    mockReturnValue: (value: unknown) => use(() => value),
    mockReturnValueOnce: (value: unknown) =>
      after(
        once.push(() => value),
        spy,
      ),
    mockResolvedValue: (value: unknown) => use(() => Promise.resolve(value)),
    mockResolvedValueOnce: (value: unknown) =>
      after(
        once.push(() => Promise.resolve(value)),
        spy,
      ),
    mockRejectedValue: (value: unknown) => use(() => Promise.reject(value)),
    mockRejectedValueOnce: (value: unknown) =>
      after(
        once.push(() => Promise.reject(value)),
        spy,
      ),
    mockName: () => spy,
    getMockName: () => 'spy',
  })
  Object.defineProperty(mock, 'lastCall', { get: () => mock.calls.at(-1) })
  // As node:test has it.
  mock.callCount = () => mock.calls.length
  mock.resetCalls = clear
  return spy
}

export function spyOn(target: Bag, name: string): Spy {
  const original = target[name]
  const spy = makeSpy(original)
  const owned = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, { value: spy, writable: true, configurable: true, enumerable: true })
  const restore = () => {
    if (owned === undefined) delete target[name]
    else Object.defineProperty(target, name, owned)
  }
  restores.push(restore)
  spy.mockRestore = restore
  spy.mock.restore = restore
  return spy
}

export function restoreAll(): void {
  for (const restore of restores.splice(0).reverse()) restore()
}

/** node:test keeps arguments and results per call. */
export function nodeMock(): Bag {
  const adapt = (spy: Spy) => {
    const { calls, results } = spy.mock
    const mock = {
      get calls() {
        return calls.map((args, at) => ({ arguments: args, result: results[at]?.value }))
      },
      callCount: () => calls.length,
      resetCalls: () => {
        calls.length = 0
      },
      mockImplementation: spy.mockImplementation,
      restore: spy.mock.restore,
    }
    return Object.assign(spy, { mock })
  }
  return {
    fn: (original?: unknown, act?: unknown) => adapt(makeSpy(act ?? original)),
    method: (target: Bag, name: string, act?: Any) => {
      const spy = spyOn(target, name)
      if (typeof act === 'function') (spy.mockImplementation as (act: Any) => void)(act)
      return adapt(spy)
    },
    reset: restoreAll,
    restoreAll,
  }
}
