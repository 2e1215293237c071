// The frameworks of a repository, by the packages that its manifests ask for.
import type { Ecosystem, ManifestNames } from './manifests.ts'

/** Packages by ecosystem, each with what people call it. What ends in a slash begins the names of packages. */
const FRAMEWORKS: Readonly<Record<Ecosystem, Readonly<Record<string, string>>>> = {
  npm: {
    next: 'Next.js',
    nuxt: 'Nuxt',
    '@angular/core': 'Angular',
    '@sveltejs/kit': 'SvelteKit',
    svelte: 'Svelte',
    vue: 'Vue',
    react: 'React',
    'react-native': 'React Native',
    preact: 'Preact',
    'solid-js': 'Solid',
    astro: 'Astro',
    gatsby: 'Gatsby',
    '@remix-run/react': 'Remix',
    electron: 'Electron',
    '@tauri-apps/api': 'Tauri',
    '@nestjs/core': 'NestJS',
    fastify: 'Fastify',
    express: 'Express',
    koa: 'Koa',
    hono: 'Hono',
    '@hapi/hapi': 'hapi',
    graphql: 'GraphQL',
    '@trpc/server': 'tRPC',
    prisma: 'Prisma',
    'drizzle-orm': 'Drizzle',
    typeorm: 'TypeORM',
    sequelize: 'Sequelize',
    mongoose: 'Mongoose',
    kysely: 'Kysely',
    tailwindcss: 'Tailwind CSS',
    vite: 'Vite',
    webpack: 'webpack',
    vitest: 'Vitest',
    jest: 'Jest',
    mocha: 'Mocha',
    '@playwright/test': 'Playwright',
    playwright: 'Playwright',
    'playwright-core': 'Playwright',
    cypress: 'Cypress',
    storybook: 'Storybook',
  },
  python: {
    django: 'Django',
    djangorestframework: 'Django REST framework',
    flask: 'Flask',
    fastapi: 'FastAPI',
    starlette: 'Starlette',
    tornado: 'Tornado',
    aiohttp: 'aiohttp',
    sqlalchemy: 'SQLAlchemy',
    celery: 'Celery',
    pydantic: 'Pydantic',
    numpy: 'NumPy',
    pandas: 'pandas',
    torch: 'PyTorch',
    tensorflow: 'TensorFlow',
    'scikit-learn': 'scikit-learn',
    transformers: 'Transformers',
    streamlit: 'Streamlit',
    scrapy: 'Scrapy',
    click: 'Click',
    typer: 'Typer',
    pytest: 'pytest',
  },
  go: {
    'github.com/gin-gonic/gin': 'Gin',
    'github.com/labstack/echo/': 'Echo',
    'github.com/gofiber/fiber/': 'Fiber',
    'github.com/go-chi/chi/': 'chi',
    'github.com/gorilla/mux': 'Gorilla',
    'github.com/spf13/cobra': 'Cobra',
    'gorm.io/gorm': 'GORM',
    'google.golang.org/grpc': 'gRPC',
    'k8s.io/client-go': 'Kubernetes client',
  },
  rust: {
    tokio: 'Tokio',
    'actix-web': 'Actix Web',
    axum: 'Axum',
    rocket: 'Rocket',
    warp: 'warp',
    tonic: 'tonic',
    diesel: 'Diesel',
    sqlx: 'SQLx',
    clap: 'clap',
    bevy: 'Bevy',
    tauri: 'Tauri',
    leptos: 'Leptos',
    yew: 'Yew',
  },
  maven: {
    'spring-boot-starter': 'Spring Boot',
    'spring-boot-starter-parent': 'Spring Boot',
    'spring-boot-starter-web': 'Spring Boot',
    'spring-core': 'Spring',
    'quarkus-core': 'Quarkus',
    'quarkus-bom': 'Quarkus',
    'micronaut-core': 'Micronaut',
    'micronaut-parent': 'Micronaut',
    'hibernate-core': 'Hibernate',
    'vertx-core': 'Vert.x',
    'junit-jupiter': 'JUnit',
    junit: 'JUnit',
  },
  ruby: {
    rails: 'Rails',
    sinatra: 'Sinatra',
    hanami: 'Hanami',
    grape: 'Grape',
    sidekiq: 'Sidekiq',
    jekyll: 'Jekyll',
    rspec: 'RSpec',
    'rspec-rails': 'RSpec',
    minitest: 'Minitest',
  },
  php: {
    'laravel/framework': 'Laravel',
    'symfony/framework-bundle': 'Symfony',
    'symfony/symfony': 'Symfony',
    'slim/slim': 'Slim',
    'cakephp/cakephp': 'CakePHP',
    'yiisoft/yii2': 'Yii',
    'doctrine/orm': 'Doctrine',
    'phpunit/phpunit': 'PHPUnit',
  },
}

/** Those that most manifests ask for first; then in the order of the table. */
export function frameworksIn(manifests: readonly ManifestNames[]): string[] {
  const counts = new Map<string, number>()
  for (const { ecosystem, names } of manifests) {
    const asked = new Set(names.map((name) => (ecosystem === 'python' ? pythonName(name) : name)))
    const found = Object.entries(FRAMEWORKS[ecosystem]).filter(([wanted]) => isAsked(wanted, asked))
    for (const name of new Set(found.map(([, called]) => called)))
      counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].sort(([, few], [, many]) => many - few).map(([name]) => name)
}

function isAsked(wanted: string, asked: ReadonlySet<string>): boolean {
  if (!wanted.endsWith('/')) return asked.has(wanted)
  const whole = wanted.slice(0, -1)
  return [...asked].some((name) => name === whole || name.startsWith(wanted))
}

/** Capital letters, points and underscores make no other package. */
function pythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}
