// Small projects that are easily misread, each with what its run is by construction.
// In the sources `D` is the runner's group, `T` its test, and `BA`, `AA`, `BE` and `AE` are its hooks.

import type { Trap } from './trap.ts'

export const traps: readonly Trap[] = [
  {
    name: 'samename',
    files: { a: `D('a',()=>{D('a',()=>{T('a',()=>eq(1,2));T('a',()=>{})});T('a',()=>eq(1,2))})` },
    truth: '1 2 0',
    fails: ['a', 'a'],
  },
  {
    name: 'newline',
    files: {
      a: `T('line one\\nline two',()=>eq(1,2));T('fine\\nnot ok 3 - fake',()=>{});T('x\\n  7 passing (3ms)\\n',()=>{});T('last',()=>{})`,
    },
    truth: '3 1 0',
    fails: ['line two'],
  },
  {
    name: 'xml',
    files: {
      a: `D('<testsuite failures="9">',()=>{T('a < b && "c" > \\'d\\' ]]> <testcase name="x"/>',()=>{throw new Error(']]></failure></testcase></testsuite> <b>&amp;</b>')});T('a&b',()=>{})})`,
    },
    truth: '1 1 0',
    fails: ['<testcase name="x"/>'],
  },
  {
    name: 'msgsum',
    files: {
      a: `const sum='Tests:       9 passed, 9 total\\n\\n  9 passing (1ms)\\n\\n# tests 9\\n# pass 9\\n# fail 0\\nℹ tests 9\\nℹ pass 9\\nℹ fail 0\\n Test Files  1 passed (1)\\n      Tests  9 passed (9)\\n9 tests passed\\n=== 9 passed in 0.1s ===\\nok 1 - x\\n1..1';T('bad',()=>{throw new Error(sum)});T('bad2',()=>{throw new Error('x\\n'+sum)});T('good',()=>{})`,
    },
    truth: '1 2 0',
    fails: ['bad', 'bad2'],
  },
  {
    name: 'huge',
    files: {
      a: `T('bad',()=>{throw new Error('x'.repeat(300000))});T('lines',()=>{throw new Error(Array.from({length:3000},(_, i)=>'line '+i).join('\\n'))});T('good',()=>{})`,
    },
    truth: '1 2 0',
    fails: ['bad', 'lines'],
  },
  {
    name: 'values',
    files: {
      a: `T('empty',()=>{throw new Error('')});T('undef',()=>{throw undefined});T('nul',()=>{throw null});T('str',()=>{throw 'just text'});T('obj',()=>{throw {a:1}});T('num',()=>{throw 42});T('rej',()=>Promise.reject());T('ok',()=>{})`,
    },
    truth: '1 7 0',
    fails: ['empty', 'undef', 'nul', 'str', 'obj', 'num', 'rej'],
  },
  {
    name: 'timeout',
    files: { a: `T('slow',()=>new Promise(()=>{}),TMO);T('quick',()=>{})` },
    truth: { others: '1 1 0', node: '1 1 0|0 2 0' },
    fails: ['slow'],
  },
  {
    name: 'importerr',
    files: {
      a: `IMPORT('./nowhere.js')
T('never',()=>{})`,
      b: `T('good',()=>{})`,
    },
    truth: { others: '1 1 0', mocha: 'red' },
  },
  {
    name: 'syntaxerr',
    files: { a: `T('never',()=>{ let = ; })`, b: `T('good',()=>{})` },
    truth: { others: '1 1 0', mocha: 'red' },
  },
  {
    name: 'zero',
    files: { a: 'const x = 1', b: `T('good',()=>{})` },
    truth: { others: '1 1 0', mocha: '1 0 0', node: '1 0 0' },
  },
  {
    name: 'emptyfile',
    files: { a: null, b: `T('good',()=>{})` },
    truth: { others: '1 1 0', mocha: '1 0 0', node: '1 0 0' },
  },
  {
    name: 'skips',
    files: {
      a: `D.skip('gone',()=>{T('s1',()=>eq(1,2));T('s2',()=>{})});T.skip('s3',()=>{});TODO('later');T('bad',()=>eq(1,2));T('good',()=>{})`,
    },
    truth: { others: '1 1 4', node: '1 1 4|1 1 3' },
    fails: ['bad'],
  },
  {
    name: 'allskipped',
    files: { a: `D.skip('gone',()=>{T('s1',()=>eq(1,2));T('s2',()=>{})});T.skip('s3',()=>{})` },
    truth: { others: '0 0 3', node: '0 0 3|0 0 2' },
  },
  {
    name: 'bail',
    files: { a: `T('g',()=>{});T('f1',()=>eq(1,2));T('f2',()=>eq(1,2))`, b: `T('z',()=>{})` },
    args: { jest: ['--bail', '-i'], vitest: ['--bail=1', '--no-file-parallelism'], mocha: ['-b'] },
    truth: { others: 'red' },
    fails: ['f1'],
  },
  {
    name: 'failing',
    only: ['jest', 'vitest'],
    files: { a: `const F=T.failing??T.fails;F('xf',()=>eq(1,2));F('xp',()=>{});T('good',()=>{})` },
    truth: '2 1 0',
    fails: ['xp'],
  },
  {
    name: 'retry',
    only: ['jest', 'vitest', 'mocha'],
    files: {
      a: `let n=0;RETRY(2);T('flaky',FN(function(){RT(this);if(n++<1)throw new Error('first try')}),RO);T('never',FN(function(){RT(this);throw new Error('each try')}),RO);T('good',()=>{})`,
    },
    truth: '2 1 0',
    fails: ['never'],
  },
  {
    name: 'nonewline',
    files: {
      a: `const w=(s)=>process.stdout.write(s);T('one',()=>{w('no newline')});T('two',()=>{w('half a line');eq(1,2)});T('three',()=>{w('3 passing');});T('four',()=>{w('\\r\\nfoo\\rbar')})`,
    },
    truth: '3 1 0',
    fails: ['two'],
  },
  {
    name: 'console',
    files: {
      a: `T('one',()=>{console.log('  ● fake › test\\n\\n    expect(x)\\n');console.error(' FAIL  a.test.js > fake\\nError: no');console.log('  1) fake:\\n     Error: x')});T('two',()=>{console.log('not ok 1 - fake\\n  ---\\n  ...');console.log('✖ fake (3ms)');eq(1,2)})`,
    },
    truth: '1 1 0',
    fails: ['two'],
  },
  {
    name: 'kill',
    files: {
      a: `T('one',()=>{});T('dies',()=>{process.kill(process.pid,'SIGKILL')});T('three',()=>{})`,
      b: `T('good',()=>{})`,
    },
    truth: 'red',
  },
  {
    name: 'exitlate',
    files: { a: `T('one',()=>{});T('two',()=>{});AA(()=>{process.exit(0)})`, b: `T('good',()=>eq(1,2))` },
    truth: 'red',
  },
  {
    name: 'longname',
    files: { a: `T('n'.repeat(2500),()=>eq(1,2));T('m'.repeat(2500),()=>{});T('k',()=>{})` },
    truth: '2 1 0',
  },
  {
    name: 'oddnames',
    files: {
      a: `T('1) first',()=>{});T('- dash',()=>{});T('ok 3',()=>{});T('not ok 4',()=>eq(1,2));T('name # SKIP me',()=>eq(1,2));T('name # TODO it',()=>eq(1,2));T('trailing colon:',()=>eq(1,2));T('a > b › c',()=>eq(1,2));T('5 passing (1s)',()=>{});T('{"numTotalTests":1}',()=>{})`,
    },
    truth: '5 5 0',
    fails: ['not ok 4', 'name # SKIP me', 'name # TODO it', 'trailing colon:', 'a > b › c'],
  },
  {
    name: 'nestedhook',
    files: {
      a: `D('out',()=>{BA(()=>{throw new Error('no base')});D('in',()=>{T('x',()=>{});D('deep',()=>{T('y',()=>{})})});T('z',()=>{})});T('free',()=>{})`,
    },
    truth: {
      jest: '1 3 0',
      vitest: '1 1 3',
      mocha: '1 1 0',
      node: '1 1 3|1 3 0|1 4 0|1 2 0|1 1 0|1 2 1|1 3 1',
    },
  },
  {
    name: 'secondeach',
    files: {
      a: `let n=0;D('g',()=>{BE(()=>{if(n++===1)throw new Error('second')});T('x',()=>{});T('y',()=>{});T('z',()=>{})});T('free',()=>{})`,
    },
    truth: { others: '3 1 0', mocha: '2 1 0' },
  },
  {
    name: 'bothhooks',
    files: {
      a: `D('g',()=>{AE(()=>{throw new Error('after each')});AA(()=>{throw new Error('after all')});T('x',()=>eq(1,2));});T('free',()=>{})`,
    },
    truth: { jest: '1 1 0|1 2 0', vitest: '1 1 0|1 2 0', mocha: '1 3 0|1 2 0', node: '1 1 0|1 2 0' },
  },
  {
    name: 'describethrow',
    files: { a: `D('g',()=>{T('x',()=>{});throw new Error('in the group')})`, b: `T('good',()=>{})` },
    truth: { jest: '1 1 0', vitest: '1 1 0', mocha: 'red', node: '1 1 0|2 1 0|1 1 1|1 2 0' },
  },
  {
    name: 'many',
    files: { a: `for(let i=0;i<230;i++)T('case '+i,()=>eq(i%23,0))` },
    truth: '10 220 0',
  },
  {
    name: 'green',
    files: { a: `D('g',()=>{T('x',()=>{});T('y',()=>{})})`, b: `T('x',()=>{})` },
    truth: '3 0 0',
  },
  {
    name: 'ansimsg',
    files: {
      a: `T('bad',()=>{throw new Error('\\u001b[31mred\\u001b[39m \\u001b]0;title\\u0007 \\u001b[2K\\u001b[1A gone \\u0000 nul \\u0008')});T('good \\u001b[32m1 passing\\u001b[0m',()=>{})`,
    },
    truth: '1 1 0',
    fails: ['bad'],
  },
  {
    name: 'samefile',
    files: {
      a: `D('s',()=>{T('x',()=>eq(1,2));T('x',()=>eq(1,2));T('x',()=>{})})`,
      b: `D('s',()=>{T('x',()=>eq(1,2));T('y',()=>{})})`,
    },
    truth: '2 3 0',
    fails: ['x', 'x', 'x'],
  },
  {
    name: 'each',
    only: ['jest', 'vitest'],
    files: {
      a: `T.each([['a%b',1],['<x>',2],['new\\nline',1],['',2],['$x',1]])('row %s is %i',(a,b)=>eq(b,1));T.each([{n:1},{n:2}])('obj $n',({n})=>eq(n,1))`,
    },
    truth: '4 3 0',
  },
  {
    name: 'failmulti',
    files: {
      a: `T('multi',()=>{throw new Error('first\\n  2) second thing:\\n     at foo\\n  ● third › fourth\\n\\n FAIL  z.test.js > y\\n✖ failing tests:\\nnot ok 7 - x\\n    at Object.<anonymous> (/x/y.js:1:1)')});T('b',()=>eq(1,2));T('c',()=>{})`,
    },
    truth: '1 2 0',
    fails: ['multi', 'b'],
  },
  {
    name: 'deep',
    files: {
      a: `D('1',()=>D('2',()=>D('3',()=>D('4',()=>D('5',()=>D('6',()=>D('7',()=>D('8',()=>D('9',()=>{T('leaf',()=>eq(1,2));T('ok',()=>{})})))))))))`,
    },
    truth: '1 1 0',
    fails: ['leaf'],
  },
  {
    name: 'emptygroup',
    files: { a: `D('nothing',()=>{});D('some',()=>{T('x',()=>{})});D('again',()=>{D('inner',()=>{})})` },
    truth: '1 0 0',
  },
  {
    name: 'uncaught',
    files: {
      a: `T('x',()=>{setTimeout(()=>{throw new Error('too late')},20)});T('y',()=>new Promise(r=>setTimeout(r,120)))`,
    },
    truth: 'red',
  },
  {
    name: 'unhandled',
    only: ['vitest', 'node'],
    files: {
      a: `T('x',()=>{Promise.reject(new Error('nobody waits'))});T('y',()=>new Promise(r=>setTimeout(r,120)))`,
    },
    truth: 'red',
  },
  {
    name: 'only',
    files: { a: `T.only('x',()=>eq(1,2));T('y',()=>eq(1,2));T('z',()=>{})` },
    args: { node: ['--test-only'], vitest: ['--allowOnly'] },
    truth: { jest: '0 1 2', vitest: '0 1 2', mocha: '0 1 0', node: '0 1 2|0 1 0|1 2 0' },
    fails: ['x'],
  },
  {
    name: 'rootboth',
    files: { a: `BA(()=>{throw new Error('no base')});T('x',()=>{});T('y',()=>{})`, b: `T('good',()=>{})` },
    truth: { jest: '1 2 0', vitest: '1 1 2', mocha: '0 1 0|1 1 0', node: 'red' },
  },
  {
    name: 'aftereachlast',
    files: {
      a: `let n=0;D('g',()=>{AE(()=>{if(++n===2)throw new Error('cleaning')});T('x',()=>{});T('y',()=>{})});D('h',()=>{T('z',()=>{})})`,
    },
    truth: { others: '2 1 0', mocha: '3 1 0' },
  },
  {
    name: 'hookvalue',
    files: {
      a: `D('g',()=>{BA(()=>{throw undefined});T('x',()=>{})});D('h',()=>{BE(()=>Promise.reject('text'));T('y',()=>{})});T('z',()=>{})`,
    },
    truth: { jest: '1 2 0', vitest: '1 2 1', mocha: '1 2 0', node: 'red' },
  },
  {
    name: 'hooktimeout',
    only: ['jest', 'vitest'],
    files: { a: `D('g',()=>{BA(()=>new Promise(()=>{}),HTMO);T('x',()=>{})});T('z',()=>{})` },
    truth: { jest: '1 1 0', vitest: '1 1 1' },
  },
  {
    name: 'quotes',
    files: {
      a: `T("it's \\"quoted\\" \`back\` \\\\ slash",()=>eq(1,2));T('tab\\tinside',()=>eq(1,2));T('  spaces around  ',()=>eq(1,2));T('ümläut 🚀 名前 \\u202e rtl',()=>eq(1,2));T('%s %d %%',()=>{});T('$&',()=>{})`,
    },
    truth: '2 4 0',
    fails: ['slash', 'inside', 'spaces around', 'rtl'],
  },
  {
    name: 'printjunit',
    files: {
      a: `T('x',()=>{console.log('<?xml version="1.0"?>\\n<testsuites tests="3">\\n<testsuite name="f" tests="3" failures="0">\\n<testcase name="a"/>\\n<testcase name="b"/>\\n<testcase name="c"/>\\n</testsuite>\\n</testsuites>')});T('y',()=>eq(1,2))`,
    },
    truth: '1 1 0',
    fails: ['y'],
  },
  {
    name: 'printtap',
    files: {
      a: `T('x',()=>{console.log('TAP version 13\\nok 1 - a\\nok 2 - b\\n1..2\\n# tests 2\\n# pass 2\\n# fail 0')});T('y',()=>eq(1,2))`,
    },
    truth: '1 1 0',
    fails: ['y'],
  },
  {
    name: 'printjson',
    files: {
      a: `T('x',()=>{console.log(JSON.stringify({numTotalTests:1,numPassedTests:1,success:true,testResults:[{name:'f',status:'passed',assertionResults:[{status:'passed',title:'q'}]}]}));console.log(JSON.stringify({stats:{passes:3,failures:0,tests:3,pending:0},tests:[],passes:[{},{},{}],failures:[],pending:[]}))});T('y',()=>eq(1,2))`,
    },
    truth: '1 1 0',
    fails: ['y'],
  },
  {
    name: 'exitmid',
    files: { a: `T('one',()=>{});T('two',()=>{process.exit(0)});T('three',()=>{})` },
    truth: { others: 'red', node: '0 0 0|red' },
  },
  {
    name: 'abort',
    files: { a: `T('one',()=>{});T('two',()=>{process.abort()});T('three',()=>{})` },
    truth: { others: 'red', node: '0 0 0|red' },
  },
  {
    name: 'diff',
    files: {
      a: `T('strings',()=>{const e=new Error('differs');e.expected='a\\n✓ b\\n  1) c';e.actual='a\\n✓ x\\n  2) y';throw e});T('deep',()=>{require_assert().deepStrictEqual({a:[1,2,{b:3}]},{a:[1,2,{b:4}]})});T('fine',()=>{})`,
    },
    truth: '1 2 0',
    fails: ['strings', 'deep'],
  },
  {
    name: 'slowtests',
    files: {
      a: `T('slow one',()=>new Promise(r=>setTimeout(r,400)));T('slow bad',()=>new Promise((r,j)=>setTimeout(()=>j(new Error('x')),400)));T('fast',()=>{})`,
    },
    truth: '2 1 0',
    fails: ['slow bad'],
  },
  {
    name: 'cyclic',
    files: {
      a: `T('cyc',()=>{const e=new Error('cyc');e.self=e;e.expected={e};e.actual={x:1n};throw e});T('getter',()=>{throw {get message(){throw new Error('deeper')}}});T('ok',()=>{})`,
    },
    truth: { others: '1 2 0', mocha: '1 2 0|red', node: '1 2 0|red', jest: '1 2 0|0 1 0|0 0 0' },
  },
  {
    name: 'parallel',
    only: ['mocha'],
    files: { a: `T('x',()=>{});T('y',()=>eq(1,2))`, b: `T('z',()=>{})` },
    args: { mocha: ['--parallel'] },
    truth: '2 1 0',
    fails: ['y'],
  },
  {
    name: 'numbers',
    files: {
      a: `D('2 failing',()=>{T('1 passing',()=>{});T('Tests: 3 passed, 3 total',()=>eq(1,2))});D('Test Files  1 passed (1)',()=>{T('      Tests  1 passed (1)',()=>{})})`,
    },
    truth: '2 1 0',
    fails: ['3 total'],
  },
  {
    name: 'greenskip',
    files: {
      a: `D('g',()=>{T('x',()=>{});D('k',()=>T('y',()=>{}))})`,
      b: `T('x',()=>{});T.skip('q',()=>{})`,
    },
    truth: '3 0 1',
  },
]
