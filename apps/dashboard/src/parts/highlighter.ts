// Colours of code by language, as the viewer of changes takes them.
import { refractor as made } from 'refractor/core'
import css from 'refractor/css'
import go from 'refractor/go'
import java from 'refractor/java'
import json from 'refractor/json'
import python from 'refractor/python'
import rust from 'refractor/rust'
import tsx from 'refractor/tsx'
import yaml from 'refractor/yaml'

for (const language of [css, go, java, json, python, rust, tsx, yaml]) made.register(language)

/** The viewer was made for an older highlighter, which answered with the children alone. */
export const refractor = {
  highlight: (code: string, language: string) => made.highlight(code, language).children,
}
