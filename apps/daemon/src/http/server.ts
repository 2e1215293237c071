// The HTTP side: Nest on Fastify, with the door checks in front of everything else.
import 'reflect-metadata'
import type { Server } from 'node:http'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { routes } from '@treadle/contracts/api'
import type { KeyName, Route } from '@treadle/contracts/route'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WORLD, type World } from '../world.ts'
import { ApiController } from './api.controller.ts'
import { admitCaller, admitKey, bearer, type Keys, keyGiven, keysOf } from './auth.ts'
import { type PageSessions, pageSessions, proofIn } from './page-sessions.ts'
import { servePages } from './pages.ts'
import { ProblemFilter } from './problem.ts'
import { answerBadAddress, answerBadBytes, refuseOtherMethods } from './unrouted-requests.ts'
import { serveUpgrades } from './upgrades.ts'

export interface Serving {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

export async function serve(world: World, port: number): Promise<Serving> {
  class ApiModule {}
  Module({ controllers: [ApiController], providers: [{ provide: WORLD, useValue: world }] })(ApiModule)

  const adapter = new FastifyAdapter({
    bodyLimit: world.config().limits.bodyBytes,
    forceCloseConnections: true,
    frameworkErrors: answerBadAddress,
    clientErrorHandler: answerBadBytes,
    // The door says in our words what is wrong with a missing name.
    http: { requireHostHeader: false },
    // Requests are checked by the schemas of the contracts; Fastify's own compilers are a hundred files to load.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
  })
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule, adapter, {
    logger: false,
    abortOnError: false,
    // Nest would also take forms.
    bodyParser: false,
  })
  app.useGlobalFilters(new ProblemFilter(world.log))
  const http = adapter.getInstance() as unknown as FastifyInstance
  http.removeContentTypeParser('text/plain')
  const pages = servePages(http, world.version)
  const keys = keysOf(world)
  guardDoor(http, keys, pageSessions(world), new Set(pages))
  refuseOtherMethods(http, pages)
  await app.init()
  const upgrades = serveUpgrades(app.getHttpServer() as Server, world, {
    keysAt: keys,
    readJson: jsonOf(http),
  })
  await listen(app, port)
  const bound = (app.getHttpServer() as Server).address()
  const actual = typeof bound === 'object' && bound !== null ? bound.port : port
  return {
    url: `http://127.0.0.1:${actual}`,
    port: actual,
    async close() {
      await upgrades.close()
      await app.close()
    },
  }
}

function noCompiler(): never {
  throw new Error('a route has a schema of Fastify’s')
}

/** JSON as the bodies of requests are read, with what is refused in them. */
function jsonOf(http: FastifyInstance): (text: string) => unknown {
  const parse = http.getDefaultJsonParser('error', 'error')
  return (text) => {
    let read: unknown
    void parse({} as FastifyRequest, text, (error, body) => {
      if (error !== null) throw error
      read = body
    })
    return read
  }
}

/** The port of the last run is kept where it is free, so that open pages and agents find the way back. */
async function listen(app: NestFastifyApplication, port: number): Promise<void> {
  try {
    await app.listen(port, '127.0.0.1')
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    await app.listen(0, '127.0.0.1')
  }
}

/** The key that each route wants, by method and path. */
const WANTED: ReadonlyMap<string, Route['key']> = new Map(
  Object.values(routes).map(({ method, path, key }) => [`${method} ${path}`, key]),
)

/**
 * The matched route decides, not the text of the address, so that no spelling of a path slips past. What is in no table
 * wants the owner's key, if it answers at all.
 */
function guardDoor(
  http: FastifyInstance,
  keysAt: (port: number) => Promise<Keys>,
  sessions: PageSessions,
  pages: ReadonlySet<string>,
): void {
  http.decorateRequest('treadleKey', null)
  http.addHook('onRequest', async (request, reply) => {
    const caller = admitCaller(request.headers)
    if (caller.is === 'refused') return reply.status(caller.status).send({ error: caller.problem })
    const wanted = wantedBy(request.method, request.routeOptions.url, pages)
    if (wanted === 'none') return
    const port = request.socket.localPort ?? 0
    const given = bearer(request.headers)
    const shown =
      given === undefined
        ? sessions.keyOf(request.headers, port, proofIn(request.headers))
        : keyGiven(given, await keysAt(port))
    const known = admitKey(shown, wanted)
    if (known.is === 'refused') return reply.status(known.status).send({ error: known.problem })
    ;(request as { treadleKey?: KeyName }).treadleKey = known.key
  })
}

/** A path that answers 405 to other methods says so to the crew as well; nothing else is behind those. */
const PATHS: ReadonlySet<string> = new Set(Object.values(routes).map(({ path }) => path))

function wantedBy(method: string, path: string | undefined, pages: ReadonlySet<string>): Route['key'] {
  if (path === undefined) return 'crew'
  if (pages.has(path)) return method === 'GET' ? 'none' : 'crew'
  // Fastify answers HEAD wherever it answers GET.
  const wanted = WANTED.get(`${method === 'HEAD' ? 'GET' : method} ${path}`)
  if (wanted === 'none') return method === 'GET' ? 'none' : 'crew'
  return wanted ?? (PATHS.has(path) ? 'crew' : 'owner')
}
