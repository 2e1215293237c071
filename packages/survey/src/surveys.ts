// Every survey that there is.
import type { Survey } from './survey.ts'
import { accessibility } from './surveys/accessibility.ts'
import { brokenScript } from './surveys/broken-script.ts'
import { committedSecret } from './surveys/committed-secret.ts'
import { deprecatedDependency } from './surveys/deprecated-dependency.ts'
import { documentCommand } from './surveys/document-command.ts'
import { duplicateDependency } from './surveys/duplicate-dependency.ts'
import { duplicatedCode } from './surveys/duplicated-code.ts'
import { emptyCatch } from './surveys/empty-catch.ts'
import { floatingPromise } from './surveys/floating-promise.ts'
import { importCycle } from './surveys/import-cycle.ts'
import { missingLicence } from './surveys/missing-licence.ts'
import { oldTodo } from './surveys/old-todo.ts'
import { undeclaredDependency } from './surveys/undeclared-dependency.ts'
import { undocumentedExport } from './surveys/undocumented-export.ts'
import { untestedFile } from './surveys/untested-file.ts'
import { unusedDependency } from './surveys/unused-dependency.ts'
import { unusedExport } from './surveys/unused-export.ts'
import { unusedFile } from './surveys/unused-file.ts'

export const SURVEYS: readonly Survey[] = [
  importCycle,
  committedSecret,
  untestedFile,
  documentCommand,
  undocumentedExport,
  oldTodo,
  brokenScript,
  accessibility,
  unusedDependency,
  undeclaredDependency,
  duplicateDependency,
  deprecatedDependency,
  emptyCatch,
  floatingPromise,
  unusedFile,
  unusedExport,
  duplicatedCode,
  missingLicence,
]
