import { expect, test } from 'vitest'
import { childEnv, keyEnv } from './child-env.ts'

test('a child knows where the toolchains are, and learns no secret', () => {
  const places = {
    RUSTUP_HOME: '/opt/rustup',
    CARGO_HOME: '/opt/cargo',
    GOPATH: '/opt/go',
    JAVA_HOME: '/opt/jdk',
    GRADLE_USER_HOME: '/opt/gradle',
    PYENV_ROOT: '/opt/pyenv',
    VIRTUAL_ENV: '/opt/venv',
    NVM_DIR: '/opt/nvm',
    PNPM_HOME: '/opt/pnpm',
    npm_config_cache: '/var/cache/npm',
  }
  const secrets = {
    GITHUB_TOKEN: 'x',
    NPM_TOKEN: 'x',
    CARGO_REGISTRY_TOKEN: 'x',
    npm_config_registry: 'https://user:pass@registry.example/',
    npm_config__authToken: 'x',
    PIP_INDEX_URL: 'https://user:pass@index.example/',
    GOPROXY: 'https://user:pass@proxy.example/',
    MAVEN_OPTS: '-Dpassword=x',
    JAVA_TOOL_OPTIONS: '-Dpassword=x',
    DATABASE_URL: 'postgres://u:p@h/d',
    AWS_SECRET_ACCESS_KEY: 'x',
  }
  expect(childEnv({ ...places, ...secrets })).toEqual(places)
})

test('keys of models are for agents alone, and only those that are known or named', () => {
  const env = { PATH: '/bin', ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: '', MY_KEY: 'm', OTHER_SECRET: 's' }
  expect(childEnv(env)).toEqual({ PATH: '/bin' })
  expect(keyEnv(env)).toEqual({ ANTHROPIC_API_KEY: 'a' })
  expect(keyEnv(env, 'MY_KEY')).toEqual({ ANTHROPIC_API_KEY: 'a', MY_KEY: 'm' })
})
