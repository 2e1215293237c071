// What any engine has to do, done by the native one over the protocol of local servers, and in its sandbox.
import { probeSandbox } from '@treadle/sandbox/probe'
import { cases, spareCases } from '../conformance/cases.ts'
import type { Candidate } from '../conformance/stage.ts'
import { describeEngine } from '../conformance/suite.ts'
import { openNative } from './engine.ts'

const sandbox = await probeSandbox()

const compatible: Candidate = {
  name: 'native, openai-compatible',
  version: 'own',
  cannot: {
    usage: 'its protocol does not count what goes into a cache',
    ...(sandbox.is === 'none' ? { sandbox: sandbox.why } : {}),
  },
  make: ({ url }) =>
    openNative({
      provider: 'openai-compatible',
      model: 'claude-sonnet-4-5',
      baseURL: url,
      key: 'dummy',
      keyVariable: 'OPENAI_API_KEY',
      stepsPerTurn: 20,
      parallel: 2,
      sandbox: 'auto',
      retries: 0,
    }),
}

describeEngine(compatible, [...cases, ...spareCases])
