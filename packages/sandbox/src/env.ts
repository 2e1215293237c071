// The only reader of this package's environment: where the owner's key may be, and where programs are.
import { AS_USER } from '@treadle/contracts/child-env'

export const env = {
  /** The user that foreign programs run as; undefined: as whoever runs this. */
  asUser: process.env[AS_USER],
  path: process.env.PATH ?? '',
  configHome: process.env.TREADLE_CONFIG_HOME,
  keyFile: process.env.TREADLE_OWNER_KEY_FILE,
  sshAgent: process.env.SSH_AUTH_SOCK,
  xdgConfigHome: process.env.XDG_CONFIG_HOME,
}
