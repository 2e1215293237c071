// The names of JavaScript and its runtimes by what they give to a program. What is not known to be harmless is told.
import type { Rule } from './capability.ts'

function table(rules: Partial<Record<Rule, string>>): ReadonlyMap<string, Rule> {
  return new Map(
    Object.entries(rules).flatMap(([rule, names]) => names.split(' ').map((name) => [name, rule as Rule])),
  )
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

export const HARMLESS_MODULES = names(
  'url buffer events stream string_decoder querystring punycode react preact vue svelte solid-js react/jsx-runtime react-dom',
)
export const MODULES = table({
  files: 'fs fs/promises readline sqlite',
  network: 'net http https http2 tls dns dns/promises dgram',
  processes: 'child_process cluster worker_threads',
  'module system': 'module',
  'code from text': 'vm wasi repl',
  engine: 'v8 inspector async_hooks diagnostics_channel trace_events',
  clock: 'perf_hooks',
  timers: 'timers timers/promises',
  randomness: 'crypto',
})
/** Modules that are told by the part that is used. */
export const PARTS: ReadonlyMap<string, { readonly rule: Rule; readonly harmless: ReadonlySet<string> }> =
  new Map([
    [
      'util',
      {
        rule: 'call stack',
        harmless: names(
          'promisify callbackify deprecate isDeepStrictEqual types TextEncoder TextDecoder stripVTControlCharacters toUSVString inherits isArray styleText',
        ),
      },
    ],
    [
      'path',
      {
        rule: 'path',
        harmless: names(
          'join basename dirname extname normalize parse format sep delimiter isAbsolute posix win32 matchesGlob',
        ),
      },
    ],
    ['os', { rule: 'environment', harmless: names('EOL constants') }],
  ])

export const RUNNER_MODULE =
  /^(node:test(\/.*)?|(node:)?assert(\/strict)?|vitest(\/.*)?|@vitest\/.*|jest(-.*)?|@jest\/.*|mocha|chai(-.*)?|ava|tap|tape|expect(\..*)?|sinon|jasmine.*|uvu(\/.*)?|qunit.*|should|supertest|@testing-library\/.*|playwright.*|@playwright\/.*|cypress|bun:test|nyc|c8|istanbul.*|power-assert|proxyquire|rewire|mock-.*|nock|testdouble|fast-check)$/
export const RUNNER_WORD =
  /assertion_?error|err_assertion|vitest|jest|mocha|jasmine|pytest|node:test|node_test|test_runner|treadle|[./\\](test|spec)s?[./\\]|\b__tests__\b|\b(test|spec)\.[cm]?[jt]sx?\b/i
/** Variables that only runners of tests set, and marks of ours. */
export const RUNNER_VARIABLE =
  /^(VITEST|VITEST_\w+|vitest|JEST_WORKER_ID|NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|MOCHA_\w+|PYTEST_\w+|AVA_\w+|TAP_\w+|NYC_\w+|NODE_V8_COVERAGE|CYPRESS|PLAYWRIGHT_\w+|TREADLE|TREADLE_\w+)$/
export const RUNNER_GLOBALS = names(
  'describe it test expect jest vi suite before after beforeEach afterEach beforeAll afterAll assert chai sinon cy jasmine QUnit __vitest_worker__ __vitest_environment__',
)

export const PROCESS = table({
  environment: 'env config features versions version platform arch release report',
  arguments: 'argv argv0 execArgv execPath title allowedNodeEnvironmentFlags',
  clock: 'hrtime uptime',
  exit: 'exit exitCode reallyExit abort kill on once emit addListener prependListener off removeAllListeners',
  'module system': 'getBuiltinModule binding mainModule dlopen _linkedBinding moduleLoadList',
  output: 'stdout stderr emitWarning',
  files: 'stdin',
  path: 'cwd chdir',
  timers: 'nextTick',
})
export const OF_GLOBALS = table({
  clock: 'Date.now',
  randomness: 'Math.random',
  timers: 'AbortSignal.timeout',
})
export const GLOBALS = table({
  globals: 'globalThis global window self frames top parent',
  reflection: 'Reflect Proxy',
  engine: 'WeakRef FinalizationRegistry SharedArrayBuffer Atomics gc',
  'code from text': 'eval Function WebAssembly',
  path: '__dirname __filename',
  clock: 'performance Temporal',
  randomness: 'crypto',
  timers:
    'setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask requestAnimationFrame cancelAnimationFrame requestIdleCallback',
  network: 'fetch XMLHttpRequest WebSocket EventSource',
  environment: 'navigator location document Deno Bun history screen',
  files: 'localStorage sessionStorage indexedDB caches',
  processes: 'Worker MessageChannel BroadcastChannel SharedWorker',
  output: 'alert',
})
/** Of the language: free to use, but not to hand on as a value, to index by a computed name or to write to. */
export const LANGUAGE = names(
  `Object Array String Number Boolean Symbol BigInt Math JSON Date RegExp Error TypeError RangeError SyntaxError
  ReferenceError EvalError URIError AggregateError Promise Map Set WeakMap WeakSet Intl Iterator ArrayBuffer DataView
  console process Buffer URL URLSearchParams TextEncoder TextDecoder AbortController AbortSignal Event EventTarget Blob
  File FormData Headers Request Response structuredClone DOMException ReadableStream WritableStream TransformStream
  Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array
  BigInt64Array BigUint64Array`,
)
/** Constructors that may stand in a table or be handed to a function. */
export const PASSED_ON = names(
  'Number String Boolean Array Symbol BigInt Map Set WeakMap WeakSet RegExp Promise Error TypeError RangeError SyntaxError ReferenceError URIError AggregateError ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array URL URLSearchParams Blob FormData Headers Buffer AbortSignal ReadableStream',
)
export const PLAIN = names(
  'undefined NaN Infinity isNaN isFinite parseInt parseFloat encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape atob btoa arguments require module exports define',
)

export const REFLECTING = names(
  'defineProperty defineProperties setPrototypeOf getPrototypeOf getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertySymbols __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__',
)
/** `Object.prototype.x.call(…)`: asked, not changed. */
export const ASKED_OF_PROTOTYPES = names('hasOwnProperty toString propertyIsEnumerable isPrototypeOf')
/** Names that comparing, printing, iterating, awaiting or testing an instance look up on a value. */
export const PROTOCOL = names(
  'valueOf toString toLocaleString toJSON then inspect equals isEqual asymmetricMatch constructor __proto__ hasOwnProperty next prepareStackTrace toStringTag isPrototypeOf',
)
/** Built-in classes whose instances are compared or printed in ways of their own. */
export const WRAPPED = names(
  'Number String Boolean Array Object Function Promise Map Set WeakMap WeakSet Date RegExp Symbol BigInt Proxy',
)
export const MEMBERS = table({
  'call stack': 'stack captureStackTrace prepareStackTrace stackTraceLimit callee caller getCallSites',
  environment: 'getTimezoneOffset resolvedOptions DateTimeFormat',
  clock: 'timeStamp lastModified timeOrigin',
  'test runner': 'AssertionError',
})
export const DIRECTIVE = /@(vitest|jest)-|sourceMappingURL|@jsx(Runtime|ImportSource|Frag)?\b/i
