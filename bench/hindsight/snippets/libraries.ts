// Packages that the project has installed.
import { kindsOf } from '../kind.ts'

const zod = kindsOf('zod', 'node', "import { z } from 'zod'", {
  'missing key': 'z.object({ %noun%: z.string() }).parse({})',
  'text for number': "z.object({ %noun%: z.number() }).parse({ %noun%: '%word%' })",
  'number for text': 'z.object({ %noun%: z.string() }).parse({ %noun%: %n% })',
  'unknown key': 'z.strictObject({ %noun%: z.number() }).parse({ %noun%: %n%, %other%: %m% })',
  'enum value': "z.enum(['%word%', '%word2%']).parse('%noun%')",
  'too short': "z.string().min(%n%0).parse('%word%')",
  'too small': 'z.number().min(%n%000).parse(%m%)',
  email: "z.object({ %noun%: z.email() }).parse({ %noun%: '%word%' })",
  uuid: "z.uuid().parse('%word%-%n%')",
  union: "z.union([z.number(), z.boolean()]).parse('%word%')",
  discriminator:
    "z.discriminatedUnion('is', [z.object({ is: z.literal('%word%') })]).parse({ is: '%noun%' })",
  literal: "z.literal('%word%').parse('%noun%')",
  'async refinement': 'z.number().refine(async () => true).parse(%n%)',
  'array too big': 'z.array(z.number()).max(1).parse([%n%, %m%])',
})

const yaml = kindsOf('yaml', 'node', "import YAML from 'yaml'", {
  'flow end': "YAML.parse('%noun%: [%n%, %m%')",
  indent: "YAML.parse('%noun%:\\n  %other%: %n%\\n %third%: %m%')",
  'duplicate key': "YAML.parse('%noun%: %n%\\n%noun%: %m%')",
  'nested mapping': "YAML.parse('%noun%: %word%: %n%')",
  'unknown alias': "YAML.parse('%noun%: *%word%')",
  tab: "YAML.parse('%noun%:\\n\\t%other%: %n%')",
  'quote end': "YAML.parse('%noun%: \"%word%')",
  'many documents': "YAML.parse('%noun%: %n%\\n---\\n%other%: %m%')",
})

const commander = kindsOf(
  'commander',
  'node',
  "import { Command, Option } from 'commander'; const quiet = { writeErr() {}, writeOut() {} }; const make = () => new Command().exitOverride().configureOutput(quiet)",
  {
    'unknown option': "make().option('--%noun%').parse(['--%other%'], { from: 'user' })",
    'missing argument': "make().argument('<%noun%>').parse([], { from: 'user' })",
    'too many arguments': "make().argument('<%noun%>').parse(['%word%', '%word2%'], { from: 'user' })",
    'option argument': "make().option('--%noun% <%other%>').parse(['--%noun%'], { from: 'user' })",
    'required option': "make().requiredOption('--%noun% <x>').parse([], { from: 'user' })",
    choice:
      "make().addOption(new Option('--%noun% <x>').choices(['%word%'])).parse(['--%noun%', '%word2%'], { from: 'user' })",
    'unknown command':
      "const m = make(); m.command('%noun%').action(() => 0); m.parse(['%other%'], { from: 'user' })",
    conflict:
      "make().addOption(new Option('--%noun%').conflicts('%other%')).option('--%other%').parse(['--%noun%', '--%other%'], { from: 'user' })",
  },
)

const postgres = kindsOf(
  'postgres',
  'node',
  "import { PGlite } from '@electric-sql/pglite'; const db = (globalThis.pglite ??= new PGlite()); const q = (...a) => db.transaction((t) => a.reduce((p, s) => p.then(() => t.exec(s)), Promise.resolve()))",
  {
    'no table': "await q('select * from %noun%s')",
    'no column': "await q('create table %noun%s (id int)', 'select %other% from %noun%s')",
    'no function': "await q('select %fn%(%n%)')",
    syntax: "await q('selec %noun% from %other%')",
    unique: "await q('create table %noun%s (%other% int unique)', 'insert into %noun%s values (%n%), (%n%)')",
    'not null':
      "await q('create table %noun%s (%other% text not null)', 'insert into %noun%s values (null)')",
    'foreign key':
      "await q('create table %noun%s (id int primary key)', 'create table %other%s (%noun% int references %noun%s)', 'insert into %other%s values (%n%)')",
    check:
      "await q('create table %noun%s (%other% int check (%other% > %n%000))', 'insert into %noun%s values (%m%)')",
    'integer text': "await q(`select '%word%'::int`)",
    'uuid text': "await q(`select '%word%-%n%'::uuid`)",
    'json text': "await q(`select '{%word%'::json`)",
    'division by zero': "await q('select %n% / 0')",
    'integer range': "await q('select %n%000000000::int')",
    'group by':
      "await q('create table %noun%s (a int, %other% int)', 'select a, %other% from %noun%s group by a')",
    'ambiguous column':
      "await q('create table %noun%s (%third% int)', 'create table %other%s (%third% int)', 'select %third% from %noun%s, %other%s')",
    'table exists': "await q('create table %noun%s (id int)', 'create table %noun%s (id int)')",
    'value too long':
      "await q('create table %noun%s (%other% varchar(2))', `insert into %noun%s values ('%word%')`)",
    'more expressions':
      "await q('create table %noun%s (%other% int)', 'insert into %noun%s (%other%) values (%n%, %m%)')",
    'operator types': "await q(`select %n% + 'x'::bytea`)",
    'parameter count': "await db.query('select $1::int', [%n%, %m%])",
    'aggregate in where':
      "await q('create table %noun%s (%other% int)', 'select 1 from %noun%s where sum(%other%) > %n%')",
    'subquery rows': "await q('select (select generate_series(1, %n%))')",
    'conflict target':
      "await q('create table %noun%s (%other% int)', 'insert into %noun%s values (%n%) on conflict (%other%) do nothing')",
    'from alias': "await q('create table %noun%s (id int)', 'select %noun%s.id from %noun%s %other%')",
    'timestamp text': "await q(`select '%word% %n%'::timestamptz`)",
  },
)

const kysely = kindsOf(
  'kysely',
  'node',
  "import { Kysely, DummyDriver, PostgresAdapter, PostgresQueryCompiler, PostgresIntrospector, sql } from 'kysely'; const db = new Kysely({ dialect: { createAdapter: () => new PostgresAdapter(), createDriver: () => new DummyDriver(), createIntrospector: (d) => new PostgresIntrospector(d), createQueryCompiler: () => new PostgresQueryCompiler() } })",
  {
    'no result': "await db.selectFrom('%noun%s').selectAll().executeTakeFirstOrThrow()",
    operator: "db.selectFrom('%noun%s').where('%other%', '%word%', %n%).compile()",
    'order direction': "db.selectFrom('%noun%s').orderBy('%other%', '%word%').compile()",
    'column type': "db.schema.createTable('%noun%s').addColumn('%other%', '%word%').compile()",
  },
)

const xstate = kindsOf(
  'xstate',
  'node',
  "import { createMachine, createActor, setup, waitFor } from 'xstate'",
  {
    'target missing':
      "createActor(createMachine({ initial: '%noun%', states: { %noun%: { on: { GO: '%other%' } } } })).start().send({ type: 'GO' })",
    'no initial': "createActor(createMachine({ id: '%noun%', states: { %other%: {} } })).start()",
    'guard missing':
      "const a = createActor(createMachine({ initial: '%noun%', states: { %noun%: { on: { GO: { guard: '%word%', target: '%noun%' } } } } })); await new Promise((_, no) => { a.subscribe({ error: no }); a.start(); a.send({ type: 'GO' }) })",
    'wait timeout':
      "await waitFor(createActor(createMachine({ initial: '%noun%', states: { %noun%: {} } })).start(), () => false, { timeout: %n% })",
    'stopped first':
      "const a = createActor(createMachine({ initial: '%noun%', states: { %noun%: {} } })).start(); const p = waitFor(a, () => false); a.stop(); await p",
  },
)

const fastify = kindsOf('fastify', 'node', "import fastify from 'fastify'; const app = fastify()", {
  'route twice': "app.get('/%noun%', async () => %n%); app.get('/%noun%', async () => %m%)",
  'handler missing': "app.get('/%noun%/:id')",
  schema:
    "app.get('/%noun%', { schema: { body: 1, querystring: { type: '%word%' } } }, async () => %n%); await app.ready()",
  'decorator twice': "app.decorate('%noun%', %n%); app.decorate('%noun%', %m%)",
  'decorator missing': "app.decorate('%noun%', %n%, ['%other%'])",
  'after listen': "await app.ready(); app.get('/%noun%', async () => %n%)",
  method: "app.route({ method: '%WORD%', url: '/%noun%', handler: async () => %n% })",
  'plugin type': 'app.register({ %noun%: %n% }); await app.ready()',
  'plugin timeout':
    'const slow = fastify({ pluginTimeout: 20 }); slow.register(function %fn%(a, b, done) {}); await slow.ready()',
  'route parameter': "app.get('/:%noun%:%noun%(^\\\\d+', async () => %n%)",
})

const nest = kindsOf(
  'nest',
  'node',
  "import 'reflect-metadata'; import { Module, Injectable, Inject } from '@nestjs/common'; import { NestFactory } from '@nestjs/core'; const start = async (m) => (await NestFactory.createApplicationContext(m, { logger: false, abortOnError: false })); const mod = (name, o) => { const m = { [name]: class {} }[name]; Module(o)(m); return m }; const provider = (name, ...deps) => { const p = { [name]: class {} }[name]; Injectable()(p); Reflect.defineMetadata('design:paramtypes', deps, p); return p }",
  {
    dependency:
      "await start(mod('%Noun%Module', { providers: [provider('%Noun%Store', class %Other%Clock {})] }))",
    'undefined dependency':
      "await start(mod('%Noun%Module', { providers: [provider('%Noun%Store', undefined)] }))",
    'undefined import': "await start(mod('%Noun%Module', { imports: [undefined] }))",
    'unknown export': "await start(mod('%Noun%Module', { exports: [provider('%Other%Store')] }))",
    'provider lookup': "const app = await start(mod('%Noun%Module', {})); app.get('%word%')",
    'module class': "const a = await start(mod('%Noun%Module', {})); a.select(class %Other%Module {})",
  },
)

const react = kindsOf(
  'react',
  'node',
  "import React, { createElement as h } from 'react'; import { renderToString, renderToStaticMarkup } from 'react-dom/server'",
  {
    'object as child': "renderToString(h('div', null, { %noun%: %n%, %other%: %m% }))",
    'element type': 'renderToString(h(undefined, { %noun%: %n% }))',
    'hook outside': 'React.useState(%n%)',
    'void children': "renderToString(h('input', null, '%word%'))",
    'style text': "renderToString(h('div', { style: '%noun%: %n%' }))",
    'inner html': "renderToString(h('div', { dangerouslySetInnerHTML: '%word%' }))",
    'too many renders':
      'renderToString(h(function %Noun%() { const [, set] = React.useState(0); set(%n%); set((x) => x + 1); return null }))',
    suspended: 'renderToString(h(function %Noun%() { throw new Promise(() => 0) }))',
    'only child': "React.Children.only([h('%noun%'), h('%other%')])",
    'inner html and children':
      "renderToString(h('p', { dangerouslySetInnerHTML: { __html: '%word%' } }, '%noun%'))",
  },
)

const tools = [
  ...kindsOf('ws', 'node', "import WebSocket, { WebSocketServer } from 'ws'", {
    url: "new WebSocket('%noun%/%n%')",
    protocol: "new WebSocket('ftp://%noun%.test/%n%')",
    fragment: "new WebSocket('ws://%noun%.test/#%word%')",
    'not open':
      "const w = new WebSocket('ws://127.0.0.1:9/%noun%'); w.on('error', () => 0); w.send('%word%')",
    'server options': 'new WebSocketServer({ path: "/%noun%" })',
    subprotocol: "new WebSocket('ws://127.0.0.1:9', ['%noun% %other%'])",
    'closed early':
      "const w = new WebSocket('ws://127.0.0.1:9/%noun%'); const p = new Promise((_, no) => w.on('error', no)); w.close(); await p",
  }),
  ...kindsOf(
    'ai',
    'node',
    "import { generateText, tool, generateObject, cosineSimilarity, jsonSchema } from 'ai'; import { createOpenAICompatible } from '@ai-sdk/openai-compatible'; import { z } from 'zod'; const model = (body, status = 200) => createOpenAICompatible({ name: 'x', baseURL: 'http://x.test', fetch: async () => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }) })('m'); const answer = (message, finish_reason = 'stop') => ({ id: '1', created: 1, model: 'm', choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }] })",
    {
      'no prompt': "await generateText({ model: model(answer({ content: '%word%' })) })",
      'bad answer': "await generateText({ model: model({ %noun%: %n% }), prompt: '%word%', maxRetries: 0 })",
      'not allowed':
        "await generateText({ model: model({ error: { message: 'no %noun% for %word%' } }, 401), prompt: '%word%', maxRetries: 0 })",
      'retries used up':
        "await generateText({ model: model({ error: { message: '%noun% overload' } }, 503), prompt: '%word%', maxRetries: 1 })",
      'object text':
        "await generateObject({ model: model(answer({ content: '%word% %noun%' })), schema: z.object({ %noun%: z.number() }), prompt: '%word%' })",
      'object shape':
        "await generateObject({ model: model(answer({ content: '{\"%other%\": %n%}' })), schema: z.object({ %noun%: z.number() }), prompt: '%word%' })",
      'vector lengths': 'cosineSimilarity([%n%], [%n%, %m%])',
      'messages shape':
        "await generateText({ model: model({}), messages: [{ role: '%noun%', content: '%word%' }] })",
    },
  ),
  ...kindsOf(
    'vite',
    'node',
    "import { build, transformWithOxc, resolveConfig, createServer } from 'vite'; import fs from 'node:fs'",
    {
      'entry missing':
        "await build({ logLevel: 'silent', configFile: false, root: '%noun%', build: { write: false } })",
      'import missing':
        "fs.mkdirSync('v%noun%%n%', { recursive: true }); fs.writeFileSync('v%noun%%n%/a.js', \"import '%other%-%word%'\"); await build({ logLevel: 'silent', configFile: false, root: 'v%noun%%n%', build: { write: false, rollupOptions: { input: 'v%noun%%n%/a.js' } } })",
      'file missing':
        "fs.mkdirSync('w%noun%%n%', { recursive: true }); fs.writeFileSync('w%noun%%n%/a.js', \"import './%other%-%word%.js'\"); await build({ logLevel: 'silent', configFile: false, root: 'w%noun%%n%', build: { write: false, rollupOptions: { input: 'w%noun%%n%/a.js' } } })",
      'export missing':
        "fs.mkdirSync('u%noun%%n%', { recursive: true }); fs.writeFileSync('u%noun%%n%/b.js', 'export const %noun% = %n%'); fs.writeFileSync('u%noun%%n%/a.js', \"import { %other% } from './b.js'; console.log(%other%)\"); await build({ logLevel: 'silent', configFile: false, root: 'u%noun%%n%', build: { write: false, rollupOptions: { input: 'u%noun%%n%/a.js' } } })",
      parse: "await transformWithOxc('const %noun% = ;', '%noun%.ts')",
      'jsx end': "await transformWithOxc('const %noun% = <div>%word%', '%noun%.tsx')",
      'config file':
        "await resolveConfig({ configFile: '/%dir%/%noun%.config.js', logLevel: 'silent' }, 'build')",
    },
  ),
  ...kindsOf('ajv', 'node', "import Ajv from 'ajv'; const ajv = new Ajv.default()", {
    'unknown keyword': "ajv.compile({ type: 'object', %noun%: %n% })",
    'unknown type': "ajv.compile({ type: '%word%' })",
    reference: "ajv.compile({ $ref: '#/definitions/%noun%' })",
    'id twice': "ajv.addSchema({ $id: '%noun%' }); ajv.addSchema({ $id: '%noun%', type: 'string' })",
    format: "ajv.compile({ type: 'string', format: '%word%' })",
    'strict properties': "ajv.compile({ type: 'object', required: 'x', properties: { %noun%: %n% } })",
  }),
  ...kindsOf('semver', 'node', "import semver from 'semver'", {
    version: "new semver.SemVer('%word%.%n%')",
    range: "new semver.Range('%word% || ^^%n%')",
    comparator: "new semver.Comparator('=>%word%')",
  }),
  ...kindsOf('luxon', 'node', "import { DateTime, Duration, Settings } from 'luxon'", {
    unit: 'DateTime.fromMillis(%n%).plus({ %noun%: %m% })',
    'duration argument': "DateTime.fromMillis(%n%).plus('%word%')",
    'start of unit': "DateTime.fromMillis(%n%).startOf('%noun%')",
    'millis type': "DateTime.fromMillis('%word%')",
  }),
  ...kindsOf('smol-toml', 'node', "import { parse } from 'smol-toml'", {
    value: "parse('%noun% = %word%')",
    'key twice': "parse('%noun% = %n%\\n%noun% = %m%')",
    'table end': "parse('[%noun%\\n%other% = %n%')",
    'text end': "parse('%noun% = \"%word%')",
  }),
  ...kindsOf('json5', 'node', "import JSON5 from 'json5'", {
    character: "JSON5.parse('{%noun%: %word%}')",
    end: "JSON5.parse('{%noun%: %n%')",
  }),
  ...kindsOf('postcss', 'node', "import postcss from 'postcss'", {
    'block end': "postcss.parse('.%noun% { color: %word%')",
    'unknown word': "postcss.parse('.%noun% { %word% }')",
    colon: "postcss.parse('.%noun% { color %word%; a: %n%; b %m%: c }')",
    'text end': "postcss.parse('.%noun% { content: \"%word% }')",
    closing: "postcss.parse('.%noun% { a: %n% } }')",
  }),
  ...kindsOf('path-to-regexp', 'node', "import { match, compile } from 'path-to-regexp'", {
    star: "match('/%noun%/*')",
    'parameter name': "match('/%noun%/:')",
    'missing parameter': "compile('/%noun%/:%other%')({})",
    'group end': "match('/%noun%{/:%other%')",
  }),
  ...kindsOf('fast-check', 'node', "import fc from 'fast-check'", {
    'property failed': 'fc.assert(fc.property(fc.integer(), (x) => x < %n%), { seed: %m% })',
    range: 'fc.integer({ min: %n%00, max: %m% })',
    'no choice': 'fc.constantFrom()',
    'many skips': 'fc.assert(fc.property(fc.integer(), () => fc.pre(false)), { seed: %n% })',
  }),
  ...kindsOf('cron-parser', 'node', "import { CronExpressionParser as cron } from 'cron-parser'", {
    range: "cron.parse('%n%00 * * * *')",
    characters: "cron.parse('%word% * * * *')",
    fields: "cron.parse('1 2 3 4 5 6 %n% 8 9')",
  }),
  ...kindsOf(
    'rxjs',
    'node',
    "import { EMPTY, firstValueFrom, from, timeout, NEVER, of, single } from 'rxjs'",
    {
      empty: 'await firstValueFrom(EMPTY)',
      'stream type': 'from({ %noun%: %n% })',
      timeout: 'await firstValueFrom(NEVER.pipe(timeout(%n%)))',
      'too many': 'await firstValueFrom(of(%n%, %m%).pipe(single()))',
    },
  ),
]

export const libraries = [zod, yaml, commander, postgres, kysely, xstate, fastify, nest, react, tools].flat()
